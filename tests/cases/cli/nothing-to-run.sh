# What cannot be run, drawn or written.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
printf 'let x = 1;\n' > "$TMP/none.psl"
t run "$TMP/none.psl"
t xyzzy
psl run small.psl 2>&1 > /dev/full
echo "[exit $?]"
