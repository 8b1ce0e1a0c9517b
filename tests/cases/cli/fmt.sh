# psl fmt: to standard output, in place, as a test, from standard input.
cp messy.txt "$TMP/messy.psl"
psl fmt "$TMP/messy.psl"
psl fmt --check "$TMP/messy.psl" small.psl
echo "[exit $?]"
psl fmt --write "$TMP/messy.psl"
echo "[exit $?]"
psl fmt --check "$TMP/messy.psl"
echo "[exit $?]"
printf 'let   a=1;' | psl fmt -
psl fmt wrong-syntax.txt
echo "[exit $?]"
