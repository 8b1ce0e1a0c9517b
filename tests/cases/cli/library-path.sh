# PSL_PATH takes the place of the standard library's folder; -I adds a folder.
mkdir "$TMP/lib" "$TMP/model"
echo 'let answer = 42;' >"$TMP/lib/deep.psl"
printf 'use deep;\nassert answer == 42;\n' >"$TMP/model/m.psl"
cd "$TMP/model"
psl check m.psl 2>&1
echo "[exit $?]"
psl check m.psl -I ../lib
echo "[exit $?]"
psl check m.psl -I ../lib --set answer=3 2>&1
echo "[exit $?]"
echo 'assert 1 s < 2 s;' >m.psl
PSL_PATH=/nowhere psl check m.psl 2>&1
echo "[exit $?]"
