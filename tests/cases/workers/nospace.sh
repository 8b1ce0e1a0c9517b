# Databases that cannot be written: reports are read from them all the same, and a study's output is whole.
cd "$TMP" && sed '/^study/,$d' "$OLDPWD/../plot/farm.psl" >farm.psl
psl study farm.psl --vary workers=1..4 --db a.db -o table
ln -s nothing link.db
psl study farm.psl --vary workers=1..4 --db link.db
psl report link.db -o page.html
# By somebody who may write neither the file nor its folder; root may always.
somebody=
[ "$(id -u)" = 0 ] && somebody='setpriv --reuid=65534 --regid=65534 --clear-groups'
apart=$(mktemp -d) && cp "$(command -v psl)" a.db farm.psl "$apart" && cd "$apart" || exit
chmod 444 a.db && chmod 555 .
$somebody ./psl report a.db | grep -c '</html>'
$somebody ./psl study farm.psl --vary workers=1..4 --db a.db
$somebody ./psl study farm.psl --vary workers=1..4 --db b.db
cd "$TMP" && chmod 755 "$apart" && rm -r "$apart"
# Where no space is left.
for format in text csv; do
  rm -f c.db*
  (
    ulimit -f 400
    psl study farm.psl --vary workers=1..300 --db c.db --format $format -o out
    echo "exit $?"
  )
  grep -c '^ *[1-9]' out.partial
done
rm -f c.db*
(
  ulimit -f 400
  psl study farm.psl --vary workers=1..300 --db c.db | tail -n 3
)
psl report c.db | grep -o '[0-9]* of 300 points, unfinished' | sed 's/^[0-9]*/SOME/'
