# A plot as PDF is made of the SVG by a converter, which is looked for before the runs.
mkdir "$TMP/bin" "$TMP/none"
cat >"$TMP/bin/rsvg-convert" <<'SCRIPT'
#!/bin/sh
echo "converted by rsvg-convert $* from $(head -c 5)"
SCRIPT
chmod +x "$TMP/bin/rsvg-convert"
psl=$(command -v psl)
cp farm.psl "$TMP"
cd "$TMP" || exit
PATH=$TMP/bin:$PATH psl study farm.psl farm --vary workers=4,8 --plot-file two.pdf >out.txt 2>&1 || cat out.txt
cat two.pdf
PATH=$TMP/bin:$PATH psl plot farm.psl farm makespan against workers --vary workers=4,8 --plot-file one.pdf
cat one.pdf
PATH=$TMP/none "$psl" study farm.psl farm --vary workers=4,8 --plot-file no.pdf
printf '#!/bin/sh\nexit 1\n' >bin/rsvg-convert
PATH=$TMP/bin:$PATH psl study farm.psl farm --vary workers=4,8 --plot-file bad.pdf >out.txt
echo "[exit $?]"
ls ./*.pdf
