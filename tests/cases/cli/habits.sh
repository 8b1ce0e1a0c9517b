# What other programs call an option, or how they begin it: the message says what is written here.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t run small.psl -set work=1ms
t run small.psl -plot
t run small.psl --out=report.txt
t run small.psl --assert 'work < 1 s'
t run small.psl --json
t run small.psl -Dwork=1ms
t run small.psl --work=1ms
t run small.psl --np 4
t run small.psl -n 4
t run small.psl --n=5
t run small.psl --n 5
t run small.psl -n5
t run small.psl -p n=5
t run small.psl -p
t run small.psl --confidence 99%
t run small.psl --replications=10
t run small.psl --percentiles 50%,99%
t run small.psl --percentiles
t run small.psl --until 1000s
t run small.psl --gantt x.svg
t run small.psl --runs 5
t run small.psl -t 5
for command in solve list optimize calibrate man tutorial; do t $command small.psl; done
t study small.psl --sweep work=1ms,2ms
t graph small.psl --png
t check small.psl --silent
t --run small.psl
t run small.psl -e 1
t study ../../../examples/farm/farm.psl --vary work
t study ../../../examples/farm/farm.psl speedups
t study ../../../examples/farm/farm.psl --vary workers=1..4 --minimize makespan by work
t study ../../../examples/farm/farm.psl --vary workers=1..4 --plot=makespan
t plot ../../../examples/farm/farm.psl --vary workers=1..4 -o a.svg
t compare ../../../examples/farm/farm.psl workers=1,2
t run ../../../examples/farm/farm.psl workers=4
t compare ../../../examples/farm/farm.psl small.psl --vary workers
t explain ../../../examples/farm/farm.psl store
t report ../../../examples/farm/farm.psl
t fit ../../../examples/farm/farm.psl
t replay ../../../examples/farm/farm.psl
t mpirun -n 4 ../../../examples/farm/farm.psl
t mpirun -np 4 a.out
t db farm.db
t version
farm=../../../examples/farm/farm.psl
t study $farm --vary workers=4..16 by 4
t compare $farm --vary workers=4..16 by 4
t mpirun -n 0 ./a.out
t mpirun -n many ./a.out
t fmt -i $farm
t run $farm -i
t params $farm --set workers=0
t study $farm
t run small.psl --ranks 8
t run small.psl --speed 2
t run small.psl --by stage
t study $farm --workers 8
tit=../program/point-to-point.tit
t replay $tit --ranks 8
t replay $tit --np 8
t replay $tit --set rate=2e9
t replay $tit --set cpu-speed=2
for option in --hosts -hostfile -N --map-by -ppn --oversubscribe -x --ntasks --ranks; do
  t mpirun $option 8 a.out
done
t diff $tit trace=$tit
t diff $tit $tit --model small.psl
t diff $tit $tit --set speed=2
t diff $farm workers=4
t run $farm --plot a.svg
t run $farm --plot=a.png
t plot $farm --vary workers=1,2 a.svg
t sensitivity $farm --vary workers=1..3
t fit none.csv --model linear
t fit none.csv --degree 2
t run small.psl --seed=random
t run small.psl --seed -1
