# Edges and processors by the places of tasks in their index sets, and delays by their indices, in two graphs of one
# component: the same as by the walker.
model() {  # DELAY
  cat <<END
use task-graph;
use domains;
transaction begin();
transaction last();
transaction task(west : signal = signal, before : signal = signal);
function far(i : int, j : int) -> time = (1 + (3 * i + 5 * j) mod 7) * 1 s;
component whole [w] : 0 <= w < 2 {
  component node [b, i, j] : 0 <= b < 4 and 0 <= i < 3 and 0 <= j < 5 {
    let step = if w == 0 then 1 else -1;
    accepts:
      profile     = { domain = application[test], node type = node, processor = 5 * w + j };
      transaction = task(west, before);
      protocol    = dataflow;
    body:
      hold far(i, j + b);
    requests:
      where 0 <= i + step < 3;
      selector    = { domain = application[test], node type = node, w = w, b = b, i = i + step, j = j };
      transaction = task(west = signal);
      delay       = $1;
      protocol    = dataflow;

      where b + 1 < 4;
      selector    = { domain = application[test], node type = node, w = w, b = b + 1, i = i, j = j };
      transaction = task(before = signal);
      delay       = 2 s;
      protocol    = dataflow;

      where b == 3 and j == 4;
      selector    = { domain = application[test], node type = half, w = w, h = i };
      transaction = last();
      protocol    = dataflow;
  }
  component half [h] : 0 <= h < 3 {
    accepts:
      profile     = { domain = application[test], node type = half };
      transaction = last();
      protocol    = dataflow;
    body:
      hold w * 1 s;
  }
  accepts:
    profile     = { domain = application[test], node type = whole, evaluation mode = analysis[task-graph] };
    transaction = begin();
    protocol    = call-return;
  body:
    call start();
    call task-graph.critical-path();
  requests:
    start: every selector = { domain = application[test], node type = node, w = w, b = 0 };
           transaction    = task(before = signal);
           protocol       = dataflow;
}
system test {
  requests:
    every selector = { domain = application[test], node type = whole };
    transaction = begin();
    protocol    = call-return;
}
END
}
model 'far(b, i * w + j)' >"$TMP/grid.psl"
psl run "$TMP/grid.psl" >"$TMP/fast"
sed -n 1,30p "$TMP/fast"
psl run --reference "$TMP/grid.psl" | diff "$TMP/fast" - && echo 'the same by the walker'
model '(if w == 1 and b == 2 and j == 3 then -1 else b) * far(i, j)' >"$TMP/grid.psl"
psl run "$TMP/grid.psl" 2>&1 >/dev/null | head -1
psl run --reference "$TMP/grid.psl" 2>&1 >/dev/null | head -1
