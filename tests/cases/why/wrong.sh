# What cannot be explained: who is not there, when nothing had begun, what no run has done.
cat > "$TMP/farm.psl" <<'MODEL'
transaction begin();
transaction serve();
param n : int = 3 in 0 .. 10;
component worker [w] : 0 <= w < n {
  accepts:
    profile     = { domain = application, node type = worker };
    transaction = begin();
    protocol    = dataflow;
  body:
    hold w * 1 s;
    call ask();
  requests:
    ask(): selector    = { node type = desk };
           transaction = serve();
           protocol    = call-return;
}
component desk {
  accepts:
    profile     = { domain = hardware, node type = desk };
    transaction = serve();
    protocol    = call-return;
  body:
    if n == 5 { assert false; }
    hold 1 s;
}
component late {
  accepts:
    profile     = { domain = application, node type = late };
    transaction = begin();
    protocol    = dataflow;
}
system farm {
  requests:
    where n > 0;
    every selector = { node type = worker };
    transaction    = begin();
    protocol       = dataflow;

    selector    = { node type = late };
    transaction = begin();
    delay       = 1 s;
    protocol    = dataflow;
}
MODEL
cd "$TMP"
why() { echo "\$ psl why $*"; psl why farm.psl "$@" 2>&1; echo "[exit $?]"; }
why --process 'workr[1]'
why --process 'worker[7]'
why --process 'worker[2, 0]'
why --process desk
why --process nobody
why --process late --at 1s
why --process late --at 500ms
why --at 4s
why --at 0s
why --at soon
why --depth 0
why --depth many
why --set n=0 --max-time 500ms
why --set n=5
why --max-firings 2
why farm
why --process late --process 'worker[1]'
why --at '1 s' --process 'worker[w = 0]' --quiet
why --format csv
why -o why.csv
why -o why.json && cat why.json
why --trace why.json
psl explain farm.psl --process late 2>&1
psl why 2>&1
psl why missing.psl 2>&1
