# A param of one name in two files: it is said which.
printf 'param n : int = 1;\n' > "$TMP/a.psl"
printf 'param n : int = 2;\n' > "$TMP/b.psl"
printf 'use a;\nuse b;\nlet x = a.n + b.n;\nassert x == 3;\n' > "$TMP/both.psl"
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t check "$TMP/both.psl"
t check "$TMP/both.psl" --set n=4
t check "$TMP/both.psl" --set b.n=4 --error-format short
t check "$TMP/both.psl" --set c.n=4 --error-format short
