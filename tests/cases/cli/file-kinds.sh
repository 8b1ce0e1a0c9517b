# Files that are no model, where one is wanted: the message says which command takes them.
cd "$TMP"
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
echo '0 init' >run.tit
echo '#DIMEMAS:"two":0:1(1),1' >run.dim
printf 'num_ranks 1\n\nrank 0 {\nl1: calc 100\n}\n' >run.goal
printf '#Paraver (01/01/2020 at 10:00):1_ns:1(1):1:1(1:1)\n' >run.prv
mkdir run && touch run/0.trace
printf '\177ELF' >solver
printf '#!/bin/sh\n' >run.sh
printf 'SQLite format 3\0' >study.db
echo 'n,time [ms]' >times.csv
echo '#DIMEMAS_CONFIGURATION' >machine.cfg
printf '<?xml version="1.0"?>\n<platform version="4.1"/>\n' >site.xml
printf '#!/usr/bin/psl\n' >head.psl
for file in run.tit run.dim run.goal run.prv; do
  t run $file
done
for command in check explain graph fmt ast fit report 'mpirun -n 2'; do
  t $command run.tit | head -1
done
printf '<?xml version="1.0"?>\n<lqn-model name="shop">\n' >shop.lqnx
t run shop.lqnx
t check shop.lqnx
for file in solver ./run.sh study.db times.csv machine.cfg site.xml; do
  t run $file
  t replay $file | head -2
  t $file
done
t check head.psl run.tit | tail -3
t diff study.db run.tit
t replay run
t replay none.tit
t report none.db
t mpirun -n 2 --vary speed=1,2 ./solver
cat run.tit | psl check --error-format short - 2>&1
echo 'use "times.csv";' >using.psl
t check using.psl
t -c study.db -e 1
t -e ':load times.csv'
t mpirun -n 2 --model machine.cfg ./solver
t replay run.tit --model study.db
psl run "$OLDPWD/small.psl" --trace shown.json >small.txt
t replay shown.json
t run shown.json
t trace info shown.json
