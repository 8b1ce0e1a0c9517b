# What is solved or analysed, and not simulated, has no causes: a network of queues, a task graph.
cp ../../../examples/queueing/closed.psl "$TMP/closed.psl"
cp ../taskgraph/assign.psl "$TMP/tasks.psl"
cd "$TMP"
psl why closed.psl 2>&1
echo "[exit $?]"
psl why tasks.psl 2>&1
echo "[exit $?]"
