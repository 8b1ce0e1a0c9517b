# The point that a page shows in detail is run as the study ran it: with its warm-up, limits, seed and settings, of which the page
# tells, and of a trace, too. Each page has a timeline, and its time is that of the database.
cd "$TMP" && cp "$OLDPWD/farm.psl" "$OLDPWD/../../../examples/traces/jacobi.tit" "$OLDPWD/../../../examples/traces/jacobi.dim" \
  "$OLDPWD/../../../examples/traces/cluster.cfg" .
page() { # [OPTION...] DATABASE: what it says of the runs, and of the point in detail
  echo "-- $*"
  psl report "$@" -o page.html
  grep -A1 -E '<dt>(Settings|Runs a point|Of each run)<' page.html | sed 's/<[^>]*>//g; /^--$/d'
  sed -n '/id="one-point"/,/<\/section>/p' page.html | grep -o 'Point [0-9].*Predicted time[^<]*\|<p class="wrong">[^<]*'
  grep -c 'id="bars"' page.html
}
study() { psl study farm.psl farm --vary workers=2,3 -q -o table "$@"; }
study --db a.db --warm-up 2s --set spread=4s --seed 7 && page a.db
study --db b.db --max-time 1000s --max-firings 5000 --deny-lossy --reference && page b.db
study --db c.db --warm-up 2s --repetitions 2 --set spread=4s && page c.db --point 1
mkdir elsewhere && mv farm.psl a.db elsewhere
psl replay jacobi.tit --vary L=1us,5us --db t.db -q -o table && page t.db
psl replay jacobi.dim --dimemas cluster.cfg --vary latency=1ms,2ms --db d.db -q -o table && page d.db
printf 'use "farm.psl";\n' >elsewhere/one.psl
(cd elsewhere && cat one.psl | psl study - --vary workers=2,3 --db ../in.db -q -o table && page ../in.db)
mkdir away && mv t.db away && cd away && page t.db 2>&1 | sed 's/.*error: .*tmp[^ ]*jacobi.tit/jacobi.tit/; /^ /d' | uniq
page --allow-read .. t.db
psl report t.db --warm-up 1s
psl report t.db -s n=1
