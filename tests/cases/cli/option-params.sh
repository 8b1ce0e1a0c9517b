# Params given as if they were options: the params of the model on the line say what is meant.
cat >"$TMP/m.psl" <<'END'
param workers : int = 4;
param work : time = 1 s;
END
echo 'system s { }' >"$TMP/none.psl"
cd "$TMP"
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t run m.psl --workers=5
t run m.psl --workers 5
t run --workers 5 m.psl
t run m.psl -workers=5
t run m.psl --worker=5
t run m.psl --speed=5
t run m.psl --speed
t run m.psl --n=5
t run m.psl -n 5
t run none.psl --n=5
t run missing.psl --n=5
t study m.psl --workers=1,2,4
t study m.psl --workers='1..4 by 2'
t run m.psl --until 3
printf 'run --workers=5\nrun --n=5\n' | psl --no-rc --keep-going -c m.psl 2>&1
exit 0
