# A plot as PDF is a page with the plot's words, the same bytes each time, made by librsvg: without that library nothing
# is run, and the package that has it is said.
mkdir "$TMP/none"
: >"$TMP/none/librsvg-2.so.2"
cp farm.psl "$TMP"
cd "$TMP" || exit
pages() { grep -a -c '/Type /Page ' "$1"; }
psl study farm.psl farm --vary workers=4,8 --plot-file two.pdf >out.txt 2>&1 || cat out.txt
head -c 5 two.pdf
echo
pages two.pdf
grep -a -q '/ToUnicode' two.pdf && echo 'with text'
psl plot farm.psl farm makespan against workers --vary workers=4,8 --plot-file one.pdf
cp one.pdf first.pdf
psl plot farm.psl farm makespan against workers --vary workers=4,8 --plot-file one.pdf
cmp one.pdf first.pdf && echo 'the same bytes'
if command -v pdftotext >/dev/null; then pdftotext one.pdf - | grep -E '^(makespan|workers)' | sort -u; else printf 'makespan (s)\nworkers\n'; fi
LD_LIBRARY_PATH=$TMP/none psl study farm.psl farm --vary workers=4,8 --plot-file no.pdf
echo "[exit $?]"
ls ./*.pdf
