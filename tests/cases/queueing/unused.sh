# What is set of how long a simulation lasts is of no use to an analysis, which says so, but where the solver is varied.
psl run unused.txt --set half-width=1% --set 'longest=3 s' 2>&1 | grep -E '^(.*note|predicted)'
psl run unused.txt --set half-width=20% --set 'solver=simulation[queueing]' 2>&1 | grep -E '^(.*note|predicted)'
psl study unused.txt --set half-width=20% --vary 'solver=analysis[MVA],simulation[queueing]' 2>&1 | grep -E '^(.*note|study)'
