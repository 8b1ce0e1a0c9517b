# Arguments and options that stand elsewhere, or are of another command.
exec 2>&1
cp ../../../examples/farm/farm.psl "$TMP"
cp ../../../examples/traces/jacobi.dim ../../../examples/traces/jacobi.tit "$TMP"
cd "$TMP" || exit
psl run farm.psl --repetitions 10
psl run farm.psl --debug
psl sensitivity farm.psl --params workers
psl explain farm.psl worker store
psl params farm.psl workers
psl replay jacobi.dim --hostfile hosts
psl replay jacobi.dim jacobi.tit
psl replay jacobi.dim machine=cluster
psl study farm.psl --vary workers=1..4 --report worker.utilization
