# What those write who come from JMT, SimPy or a table of data: each is refused and told what to write in its place.
cd "$TMP" && cp "$OLDPWD/../../../examples/farm/farm.psl" "$OLDPWD/../../../examples/queueing/repair.psl" . || exit 1
printf 'procs,time\n1,10\n2,5.2\n4,2.7\n8,1.5\n' > t.csv
psl study farm.psl --vary workers=4,8 --db farm.db -q > kept.txt
try() { echo "$ psl $*"; psl "$@" 2>&1; echo "[exit $?]"; }
try study farm.psl --vary servers=1:4
try study repair.psl --vary workshop.servers=1..4
try study farm.psl --vary workers=1,2,...,8
try study farm.psl --vary 'workers=4;8'
try study farm.psl --vary 'workers in 1..4'
try study farm.psl --vary 1..4
try study farm.psl --vary workers=4 --vary workers=8
for option in '--replications 10' '--seeds 10' '--ci 95' '--groupby workers' '--optimize makespan' '--sort makespan' '--top 3' \
  '--logx' '--x workers'; do
  try study farm.psl --vary workers=1..4 $option
done
for column in mean all utilization latency 'makespan as time' '*'; do try study farm.psl --vary workers=1..4 --report "$column"; done
for what in 'makespan if wait < 1 s' 'makespan, wait'; do try study farm.psl --vary workers=1..4 --minimize "$what"; done
for condition in 'makespan < 3 s' 'workers > 1, workers < 4'; do try study farm.psl --vary workers=1..4 --where "$condition"; done
for format in csv pdf xlsx; do try report farm.db --format "$format"; done
try sensitivity farm.psl workers
for option in '--param workers' '--delta 0.1' '--by 10' '--report wait' '--samples 100'; do try sensitivity farm.psl $option; done
try fit t.csv time
for option in '--y time' '--x procs' '--sep ;' '--formula x'; do try fit t.csv $option; done
try run repair.psl --set 'half-width=exponential(3)'
