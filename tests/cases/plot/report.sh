# psl report: what it says where something is wrong, and what the page says then.
cd "$TMP" && cp "$OLDPWD/farm.psl" .
text() { sed -n 's|^<p[^>]*>\(.*\)</p>$|\1|p' page.html | tail -n +3; }
psl report none.db
psl report farm.psl 2>&1 | head -n 1
psl study farm.psl scaling --db one.db --set work=30s -o table
psl report one.db -o page.html && text
psl report one.db scalin -o none.html
psl report one.db --point 21 -o none.html
psl report one.db --point 3 -o page.html && text
psl study farm.psl noise --db two.db -o table
psl study farm.psl drives --db two.db -o table
psl report two.db -o none.html
psl report two.db noise -o page.html && text
psl report two.db other -o none.html
# Points that fail, and a study of nothing else.
psl study farm.psl farm --vary workers=4,2000 --db bad.db -o table 2>/dev/null
psl report bad.db --point 1 -o page.html && text
psl study farm.psl farm --vary workers=2000,3000 --db worse.db -o table 2>/dev/null
psl report worse.db -o page.html && text
# Without gnuplot the page is there, without plots.
mkdir bin && ln -s "$(command -v psl)" bin/psl
PATH=$TMP/bin psl report one.db -o page.html
text
# A comment in the model changes nothing; another figure does; then the model is gone.
echo '// more' >>farm.psl && psl report one.db -o page.html && text
sed 's/result : data = 50 MB/result : data = 51 MB/' farm.psl >changed && mv changed farm.psl
psl report one.db -o page.html && text
echo 'let x = 1 s + 1 byte;' >>farm.psl
psl report one.db -o page.html && text
rm farm.psl
psl report one.db -o page.html && text
ls
# Without plots of its own a study and its page draw the same column, the first that is a number, or those asked for.
cd "$OLDPWD"
for words in 'noise --vary workers=4,8' 'drives' 'farm --vary workers=4,8 --report messages,wait'; do
  psl study farm.psl $words --db "$TMP/same.db" --name same --plot -q | grep -E '^   +[a-z, ]+( \(s\))?$'
  psl report "$TMP/same.db" same -o "$TMP/same.html" && grep -o 'Plot: [a-z, ]* against [a-z ]*' "$TMP/same.html"
done
# What the runs have cost, and when they were kept, is asked for: without it the same study is the same page.
for timing in '' --timing; do
  psl report "$TMP/same.db" same $timing | grep -o '<dt>\(Computing time\|Last written\)</dt>'
done
printf '0 init\n0 compute 1e9\n0 finalize\n' >"$TMP/one.tit" && psl report "$TMP/one.tit" --timing
