# psl help with words of JMT, LQNS, SimPy, Dimemas, LogGOPSim and spreadsheets; and params by such names.
for word in Delay Router Join Fork ClassSwitch drop phase multiplicity task entry activity PriorityResource Resource \
            FilterStore timeout yield cpu-speed 'cpu speed' burst 'bus bandwidth' eager-threshold overhead gap think_time \
            rendezvous forward SRPT vlookup; do
  psl help $word 2>&1 || echo "[exit $?]"
done
cat > $TMP/m.psl <<'END'
use mpi;
system s { }
END
for param in latency o eager_threshold S bandwidth; do
  psl run $TMP/m.psl --set $param=1 2>&1
done
echo 'use queueing; system s { }' > $TMP/q.psl
for param in lambda population capacity routing multiplicity; do
  psl run $TMP/q.psl --set $param=1 2>&1
done
echo 'use dimemas; system s { }' > $TMP/d.psl
for param in cpu-speed buses-per-node eager bus-bandwidth; do
  psl run $TMP/d.psl --set $param=1 2>&1
done
