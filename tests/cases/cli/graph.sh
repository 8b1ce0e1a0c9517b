# The dependence graph, static and of instances; Graphviz takes both.
psl graph small.psl
psl graph small.psl --dynamic
psl graph small.psl | dot -Tplain >/dev/null && echo drawn
psl graph small.psl --dynamic --set tasks=50
psl graph small.psl --format svg | head -c 5
echo
psl graph small.psl -o "$TMP/small.png" && head -c 4 "$TMP/small.png" | tail -c 3
echo
# As many edges of dataflow as where none are counted together; and Graphviz lays it out where edges join neighbours.
graph() { psl graph ../../../examples/sweep3d/sweep3d.psl --dynamic --set 'comm=analysis[task-graph]' --set iterations=1 --set px=2 --set py=2 "$@"; }
graph --max-instances 10000 | grep -c -e '-> i[0-9]*;$'
graph | sed -n 's/.*-> i[0-9]*;$/1/p; s/.*->.*label="\([0-9,]*\) x .*style=solid.*/\1/p' | tr -d , | awk '{ n += $1 } END { print n }'
graph -f svg | grep -c '</svg>'
