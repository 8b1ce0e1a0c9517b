# A database that another process holds is waited for, then said; one that cannot be written is read, and a study with
# it ends before its first point. Both are left as they are.
cp ../../../examples/farm/farm.psl $TMP
cd $TMP
study() { psl study farm.psl --vary workers=1..$2 --format csv --db $1 > out; echo "exit $?"; }
study a.db 3
cp a.db before
mkfifo hold
sqlite3 a.db < hold > held &
exec 3> hold
echo 'BEGIN IMMEDIATE; SELECT 1;' >&3
while [ ! -s held ]; do sleep 0.1; done
study a.db 4
psl report a.db -o page.html && grep -c '<html' page.html
exec 3>&-
wait
sqlite3 a.db 'SELECT count(*) FROM run'
study a.db 4
sqlite3 a.db 'SELECT count(*) FROM run'
mkdir closed
cp before closed/a.db
chmod 444 closed/a.db && chmod 555 closed
# root may write all the same, but for what it gives up
[ "$(id -u)" = 0 ] && give_up='setpriv --bounding-set -dac_override --inh-caps -dac_override'
$give_up psl study farm.psl --vary workers=1..4 --format csv --db closed/a.db
echo "exit $?"
$give_up psl study farm.psl --vary workers=1..4 --format csv --db closed/b.db
echo "exit $?"
$give_up psl report closed/a.db -o page.html && grep -c '<html' page.html
cmp before closed/a.db && ls closed
chmod 755 closed
