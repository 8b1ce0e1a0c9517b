# A timeline in another format than SVG is made by a library, which is looked for before the run.
mkdir "$TMP/none"
: >"$TMP/none/librsvg-2.so.2"
cp small.psl "$TMP"
cd "$TMP"
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
(LD_LIBRARY_PATH=$TMP/none; export LD_LIBRARY_PATH; t run small.psl --timeline t.png -o r.txt)
t run small.psl --timeline t.png -o r.txt
head -c 4 t.png | tail -c 3
echo
t run small.psl --timeline t.pdf -o r.txt
head -c 4 t.pdf
echo
grep -a -c '/Type /Page ' t.pdf
if command -v pdftotext >/dev/null; then pdftotext t.pdf - | grep -o '^small.psl'; else echo small.psl; fi
t run small.psl --timeline t.svg -o r.txt
head -c 4 t.svg
echo
t run small.psl --timeline t.jpg
mkdir there.png
t run small.psl --timeline there.png -o r.txt
