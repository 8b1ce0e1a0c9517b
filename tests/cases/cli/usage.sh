# Every way to use the command line wrongly says what was meant and ends with 2.
t() {
  echo "$ psl $*"
  psl "$@" 2>&1
  echo "[exit $?]"
}
t rnu small.psl
t small.psl
t run
t run small.psl small extra
t run none.psl
t run .
t run small.psl --sett x=1
t run small.psl -Z
t run small.psl --set
t run small.psl --set work
t run small.psl --set =3
t run small.psl --timing=yes
t run small.psl --by ranks
t run small.psl --format xml
t run small.psl --seed -1
t run small.psl --seed 1x
t run small.psl --max-firings many
t run small.psl --max-firings 0
t run small.psl --max-time 3
t run small.psl --max-memory lots
t run small.psl --vary work
t compare small.psl
t compare small.psl --vary ''
t compare small.psl --vary work --vary tasks
t compare small.psl --vary work=1ms,2ms --tolerance close
t compare small.psl --vary work=1ms,2ms --tolerance 5
t compare small.psl --vary work=1ms,2ms --tolerance 1.5
t fit small.csv --confidence 95
t diff a.otf2 b.otf2 --least 5
t diff a.otf2 b.otf2 --least 500
t graph small.psl --format jpg
t graph small.psl --max-instances 0
t check
t fmt
t --set work=1 run small.psl
t --keep-going small.psl
t run small.psl --color sometimes
t run small.psl --error-format=xml
t run small.psl --error-format=json --nothing
t help rnu
t trace inof run.trace
t measure
t help fcfs-station
t run small.psl --output /nowhere/report.txt
t help float rate
t help NIC
t help xyzzy
t help sweep
