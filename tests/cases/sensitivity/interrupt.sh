# An interrupted analysis reports what was measured; whole numbers of any size are printed as such; intervals in files.
cd "$TMP" && cat >model.psl <<'M'
param big   : int  = 4_000_000_000_000_000;
param mean  : time = 3 ms;
param slow  : int  = 0 in 0 .. 1;
param late  : time = 1 s;
param zero  : time = 0 s;
param never : real = 1;
transaction start();
component process [i] : 0 <= i < 4 {
  accepts:
    profile     = { node type = process };
    transaction = start();
    protocol    = dataflow;
  body:
    hold exponential(mean);
    hold 1 ms * (big / 4_000_000_000_000_000);
    while clock >= 0 s and slow > 0 { hold 1 us; }
    hold late * never + zero;
}
system model { requests: every selector = { node type = process }; transaction = start(); protocol = dataflow; }
M
psl sensitivity model.psl --repetitions 3 --set 'slow=2 - 2' --max-time 9s --format csv | cut -d , -f 1-9
psl sensitivity model.psl --max-time 9s --format json | grep '"name": "[bms]'
# With `slow` a run has no end; those before it take next to no time.
for format in text csv; do
  env --default-signal=INT psl sensitivity model.psl --repetitions 3 --format $format >out &
  until [ "$(cut -d ' ' -f 14 "/proc/$!/stat")" -gt 60 ]; do sleep 0.05; done
  kill -INT $!
  wait $!
  echo "exit $?"
  cut -d , -f 1-6 out
done
