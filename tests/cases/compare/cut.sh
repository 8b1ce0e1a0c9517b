# What --max-time has ended has no predicted time: it is within no tolerance, holds no assertion and is no best point.
psl compare cut.psl --vary n=3,4,5 --max-time 2s --tolerance 5% 2>&1
echo "[exit $?]"
psl compare cut.psl --vary n=3,4,5 --max-time 3.5s --tolerance 5% 2>&1
echo "[exit $?]"
psl compare cut.psl --vary n=3,4,5 --max-time 4.5s --tolerance 5% 2>&1 | tail -7
psl compare cut.psl --vary n=3,4,5 --max-time 2s 2>&1 | tail -4
psl study cut.psl --max-time 2s --db $TMP/a.db 2>&1
echo "[exit $?]"
psl study cut.psl --max-time 3.5s 2>&1
echo "[exit $?]"
psl report $TMP/a.db -o $TMP/a.html
grep -o 'no point has a value for it' $TMP/a.html
