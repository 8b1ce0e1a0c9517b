# The dependence graph, static and of instances; Graphviz takes both.
psl graph small.psl
psl graph small.psl --dynamic
psl graph small.psl | dot -Tplain >/dev/null && echo drawn
psl graph small.psl --dynamic --set tasks=50 --max-instances 10
echo "[exit $?]"
psl graph small.psl --format svg | head -c 5
