export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" # its looking for leaks needs files
# Where no file can be made in the folder for temporary files, C can be given no function: said, not died of.
cat >"$TMP/m.psl" <<'END'
extern "probe.so" {
  function without-files(x : real) -> real = "without_files";
  function apply(f : function(x : real) -> real, x : real) -> real;
}
param how : int = 0;
function square(x : real) -> real = x ^ 2;
let before = if how == 0 then 0 else apply(square, 0);
assert without-files(before) == 0;
assert apply(square, 3) == 9;
END
psl check --allow-native "$TMP/m.psl" 2>&1
# those that were made before serve on
psl check --allow-native "$TMP/m.psl" --set how=1 2>&1
