# A run that ends by a half-width has the rows of its processes till then: what single instances have starved and been
# blocked, and all together.
cd "$TMP" || exit
cat >line.psl <<'EOF'
use processes;
transaction go();
component buffer like store {
  param capacity = 1;
  profile node type = buffer;
}
component stage [i] : 0 <= i < 2 {
  var last : time = 0 s;
  accepts:
    profile     = { domain = application[line], node type = stage };
    transaction = go();
    protocol    = dataflow;
  body:
    while true {
      if i == 1 { call get(); }
      hold exponential(1 s);
      if i == 0 { call put(); }
      if i == 1 {
        record gap = clock - last, half-width 10 %;
        last = clock;
      }
    }
  requests:
    get(): where i == 1;
           selector    = { node type = buffer };
           transaction = get-item();
           protocol    = call-return;
    put(): where i == 0;
           selector    = { node type = buffer };
           transaction = put-item();
           protocol    = call-return;
}
system line {
  requests:
    every selector = { domain = application[line], node type = stage };
    transaction    = go();
    protocol       = dataflow;
}
EOF
psl run line.psl | sed -n '/^by component/,/^$/p'
psl study line.psl --report 'part = stage[1].starved / simulated-time, stage.starved, rate = 1 s / gap'
psl -c line.psl -e run -e 'last.stage[0].starved' | tail -1
