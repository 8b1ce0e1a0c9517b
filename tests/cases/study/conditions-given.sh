# --where and --assert are items of a study, for one that is varied on the command line alone, too; they are checked as
# those in files are. Of n + m <= 4 over 1 .. 3 there are six points; the longest is 3 * 1 s or 1 * 3 s or 2 * 2 s, 4 s.
cp conditions-given.psl "$TMP" && cd "$TMP" || exit
small="--vary n=1..3 --vary m=1..3"
psl study conditions-given.psl s $small --where 'n + m <= 4' --assert 'makespan <= 4 s' --assert 'max(makespan) == 4 s'
echo "[exit $?]"
psl study conditions-given.psl s $small --where 'n + m <= 4' --where 'n < m' -f csv | cut -d , -f 1-3
psl study conditions-given.psl s $small --where 'n + m <= 4' --assert 'makespan < 3 s' -f json | grep assertion
echo '-- besides those of the study'
psl study conditions-given.psl few --where 'm == 2' --assert 'cost < 9 s'
echo "[exit $?]"
psl plot conditions-given.psl s --vary n=1..3 --vary m=1..3 --where 'm == n' | tail -1
echo '-- what is wrong'
psl study conditions-given.psl s $small --where 'makespan < 3 s'
psl study conditions-given.psl s $small --where 'n +'
psl study conditions-given.psl s $small --where 'n = 2'
psl study conditions-given.psl s $small --where ''
psl study conditions-given.psl s $small --assert 'cost < 3 s'
psl study conditions-given.psl s $small --assert 'n'
psl study conditions-given.psl s $small --where 'n > 7'
echo "[exit $?]"
# What is asked of points fails where there is none.
psl study conditions-given.psl s $small --where 'n > 7' --assert 'makespan < 1 s' -f json | grep -A 2 assertions
psl study conditions-given.psl s $small --where 'n > 7' --assert 'makespan < 1 s' -q
echo "[exit $?]"
psl study conditions-given.psl s $small --where 'n > 7' --minimize makespan -q
echo "[exit $?]"
psl run conditions-given.psl s --assert 'n < 2'
