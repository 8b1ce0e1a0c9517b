# 2: the command line is wrong, whichever command it is: what its options and arguments say, and what they name. 1: the
# model is wrong, a file cannot be read, or a run does not reach its end.
cp ../../../examples/farm/farm.psl ../fit/cost.csv "$TMP" && cd "$TMP" || exit 1
echo 'param n : int = "a";' >wrong.psl
printf 'param n : int = 1;\nassert n < 2;\n' | cat farm.psl - >strict.psl
status() {
  psl "$@" >out 2>said
  echo "$? $* | $(head -1 said)"
}
echo '-- the command line'
status rum farm.psl
status run
status run farm.psl --sett workers=2
for command in 'run farm.psl' 'check farm.psl' 'params farm.psl' 'explain farm.psl' 'graph farm.psl' 'sensitivity farm.psl' \
  'diff farm.psl farm.psl' 'study farm.psl --vary workers=1' 'compare farm.psl --vary workers=1' 'plot farm.psl --vary workers=1'; do
  for setting in nosuch=1 work= work=3+ work=2; do status $command --set "$setting"; done
done
for command in 'study farm.psl' 'plot farm.psl' 'compare farm.psl'; do
  for axis in nosuch=1 workers=1.. workers=1..9+ workers=1,+ 'workers=2 s' workers=1..3,5; do status $command --vary "$axis"; done
done
for command in run sensitivity explain graph 'compare --vary workers=1' 'study --vary workers=1'; do
  status $command farm.psl nosuch
done
status explain farm.psl worker.nosuch
status study farm.psl --vary workers=1 --report a=
status study farm.psl --vary workers=1 --minimize nosuch
status study farm.psl --vary workers=1 --vary workers=2
status plot farm.psl 'makespan against nosuch' --vary workers=1
status study farm.psl --vary workers=1 --plot=against
status run farm.psl --plot=nosuch
status diff farm.psl --against workers=+
status diff farm.psl --against nosuch=2
status fit cost.csv --terms n+
status fit cost.csv --terms nosuch --column time
status fit cost.csv --column nosuch
status fit cost.csv --terms n --column time --name 1
psl study farm.psl --vary workers=1 --db a.db -q >out
status report a.db nosuch
status report a.db --point 7
echo '-- the model, a file, a run'
for command in run check params explain graph sensitivity 'diff farm.psl' 'study --vary n=1' 'compare --vary n=1' 'plot --vary n=1'; do
  status $command wrong.psl
  status $command none.psl
done
status run strict.psl --set n=2
status study strict.psl --vary n=2
status run farm.psl --max-firings 3
status fit none.csv
status report none.db
status replay none.tit
