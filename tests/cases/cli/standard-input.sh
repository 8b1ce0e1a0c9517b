# A model from standard input.
psl check - <small.psl
echo "[exit $?]"
psl run - <small.psl | head -n 3
