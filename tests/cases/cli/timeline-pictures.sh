# A timeline in another format than SVG is made by a converter, which is looked for before the run.
mkdir "$TMP/bin" "$TMP/none"
cat >"$TMP/bin/rsvg-convert" <<'END'
#!/bin/sh
echo "converted by rsvg-convert $*"
head -c 4
END
chmod +x "$TMP/bin/rsvg-convert"
psl=$(command -v psl)
cp small.psl "$TMP"
cd "$TMP"
t() {
  echo "$ psl $*"
  "$psl" "$@" 2>&1
  echo "[exit $?]"
}
(PATH=$TMP/none; t run small.psl --timeline t.png -o r.txt)
PATH=$TMP/bin:$PATH
for file in t.png t.pdf; do
  t run small.psl --timeline $file -o r.txt
  cat $file
  echo
done
t run small.psl --timeline t.svg -o r.txt
head -c 4 t.svg
echo
t run small.psl --timeline t.jpg
printf '#!/bin/sh\nexit 1\n' >bin/rsvg-convert
t run small.psl --timeline u.png -o r.txt
ls u.png 2>&1
