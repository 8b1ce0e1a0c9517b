# A crash in a function of C is said, then psl dies by the signal; a crash elsewhere would say nothing.
ulimit -c 0
cat >"$TMP/m.psl" <<'END'
extern "probe.so" {
  function crash(x : real) -> real;
  function stop(x : real) -> real;
  function apply(f : function(x : real) -> real, x : real) -> real;
}
extern "libc.so.6" {
  function raise(signal : int32) -> int32;
}
param how : int = 0;
function inner(x : real) -> real = crash(x);
let x = if how == 0 then crash(1) else if how == 1 then stop(1) else if how == 2 then apply(inner, 3) + stop(-1) else raise(8);
assert x == 0;
END
for how in 0 1 2 3; do
  { psl check --allow-native "$TMP/m.psl" --set how=$how 2>"$TMP/said"; echo "status $?"; } 2>/dev/null
  grep "^psl" "$TMP/said" # the shell has its own say
done
