# The dynamic task graph as lines: of a task graph that is walked, in which each task is a graph, and of processes.
psl graph --dynamic -f text ../taskgraph/nested.psl
psl graph --dynamic -f text --set turns=1 --set n=2 --set rows=1 --set cells=1 --set exact=false fine.psl
psl graph --dynamic -f text --set turns=1 --set n=2 fine.psl -o "$TMP/lines.txt" && head -2 "$TMP/lines.txt"
