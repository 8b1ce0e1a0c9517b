# A function of C that crashes or ends the program costs a study one point, whatever the number of workers; where it
# ends psl it does not pass for success.
ulimit -c 0
cat >"$TMP/m.psl" <<'END'
extern "libc.so.6" {
  function raise(signal : int32) -> int32;
  function exit(code : int32) -> int32;
  function abs(x : int32) -> int32;
}
param how : int = 0;
transaction work();
component worker {
  accepts:
    profile     = { node type = worker };
    transaction = work();
    protocol    = dataflow;
  body:
    hold 1 s * (if how == 1 then raise(11) else if how == 2 then exit(0) else abs(-3));
}
system s {
  requests:
    selector    = { node type = worker };
    transaction = work();
    protocol    = dataflow;
}
END
cd "$TMP" || exit
for jobs in 1 2; do
  psl study --allow-native m.psl --vary how=0,1,2,3 --jobs $jobs >"$jobs" 2>said
  echo "exit $?"
  sort -u said
done
cmp 1 2 && cat 1
for how in 2 3; do
  psl run --allow-native m.psl --set how=$how -o "out$how"
  echo "exit $?"
done
echo 'run --set how=2' | psl --allow-native -c m.psl
echo "exit $?"
ls out*
