# What other programs call options and values of studies, sensitivities and fits, and what is said to write here.
FARM=$(realpath ../../../examples/farm/devices.psl)
cp "$FARM" "$TMP/farm.psl"
cd "$TMP" || exit
printf 'n,time [ms]\n1,3\n2,5\n4,9\n8,17\n' >times.csv
psl() {
  echo "psl $*" >&2
  command psl "$@" >/dev/null
}
psl fit times.csv --predict n=64000
psl fit times.csv --predict
psl study farm.psl --vary workers=1..4 --cores 2
psl study farm.psl --vary workers=1..4 --n-jobs 2
psl run farm.psl --config cfg.yaml
psl fit times.csv --config cfg.yaml
psl study farm.psl --vary workers=1..4 --rerun-incomplete
psl study farm.psl --vary workers=1..4 --pareto makespan,workers
psl study farm.psl --vary workers=1..4 --pareto='makespan, cost = makespan * workers'
psl study farm.psl --vary workers=4,8 --db out.csv
psl study farm.psl --vary workers=4,8 --format table
psl sensitivity farm.psl --params workers,work
psl sensitivity farm.psl --step 5
psl sensitivity farm.psl --step 1
psl sensitivity farm.psl --step 0
psl compare farm.psl --vary device --tolerance 1
psl study farm.psl --vary 'workers=range(1,10)'
psl study farm.psl --vary 'workers=range(1, 10, 4)'
psl study farm.psl --vary 'workers=seq(1,10,2)'
psl study farm.psl --vary 'workers=np.linspace(1,9,5)'
psl compare farm.psl --vary 'workers=range(1,10)'
psl study farm.psl --vary 'work=10s..40s+10'
psl study farm.psl --vary 'work=10s..40s by 10'
psl study farm.psl --vary 'workers=1..16*0.5'
psl study farm.psl --vary 'work=10s..40s*0.5'
psl study farm.psl --vary device
psl run farm.psl --set work=40s,160s
psl run farm.psl --set workers=8,32
psl run farm.psl --set workers=8..32
psl run farm.psl --set workers=[8,32]
psl run farm.psl --set workers=2x
psl study farm.psl --vary workers=1..4 --dry-run
psl run farm.psl --format rst
psl fit times.csv --format md
