# A Pareto distribution of shape 2 or less has no finite variance, and of 1 or less no finite mean: what that does to the
# figures of a simulated network is warned of, by what draws it, and rows of studies have a mark. Where customers share the
# server, or are of a fixed number, means exist, and no interval is valid; what has the scale 0 is 0.
run() { psl run pareto.psl --set 'solver=simulation[queueing]' --set queueing.limit=20000 --reference "$@" 2>&1 | grep -A3 -E 'no finite|set a greater'; }
run open
run open --set shape=0.9
run open --set shape=2
run open --set shape=2.1
run open --set heavy=sharing
run open --set heavy=arriving
run closed
run open --set heavy=scaled
psl study pareto.psl open --vary shape=1.5,3 --report R=job.response --set 'solver=simulation[queueing]' \
  --set queueing.limit=20000 2>/dev/null
psl run pareto.psl open --set 'solver=analysis[MVA]' 2>&1
