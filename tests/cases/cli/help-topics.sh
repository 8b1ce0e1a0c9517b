# Words that a performance engineer asks for and that are no names of PSL, whatever their case: where PSL has what they mean.
for word in GPU roofline NUMA IPC SLO bottleneck 'strong scaling' saturation 'load balancing' 'load imbalance' failures \
            retries cv JMT SimGrid PCIe threads topology SSD optimization calibration what-if energy warmup percentile jitter stencil; do
  echo "\$ psl help $word"
  psl help $word
done
echo "the same"
for words in 'cuda gpus offloading' 'arithmetic-intensity memory-bound compute-bound' 'cache prefetch memory-bandwidth TLB SIMD' \
             'CPI branch-prediction out-of-order' 'SLA deadline service-level constraint' 'hotspot flamegraph critical-path profiling' \
             "speedup weak-scaling Amdahl Gustafson isoefficiency" 'capacity-planning knee USL' 'scheduling routing dispatcher' \
             'stragglers imbalance' 'MTBF checkpointing availability' 'abandonment circuit-breaker' 'concurrency OpenMP barrier' \
             'TCP InfiniBand LogP congestion' 'disk I/O RAID' 'tuning trade-off pareto-front' 'regression validation benchmark' \
             'scenario sweep experiment' 'power DVFS joule' 'steady-state transient' 'tail-latency p99 p50' 'Monte-Carlo heavy-tail' \
             'halo-exchange BSP' "microservices load-test"; do
  for word in $words; do printf '%s: %s\n' "$word" "$(psl help "$word" | sed -n 1p)"; done
done
# What the topics show is a model and studies of it.
cat >"$TMP/words.psl" <<'END'
unit J;
unit W = 1 J/s;
param work      : time      = 64 s;
param p         : int       = 4;
param flops     : flop      = 6 Gflop;
param rate      : flop/time = 3 Gflop/s;
param traffic   : data      = 8 GB;
param bandwidth : data/time = 2 GB/s;
transaction go();
component job {
  accepts:
    profile     = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
  body:
    hold work / p + max(flops / rate, traffic / bandwidth);
}
system jobs {
  requests:
    selector    = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
}
END
cd "$TMP" && psl study words.psl jobs --vary 'p=1..4 by *2' \
  --report 'makespan, speedup = work / makespan, efficiency = work / makespan / p, energy = 200 W * makespan' --assert 'makespan < 2 min'
psl study words.psl jobs --vary 'p=1..64 by *2' --minimize 'cost = p * makespan where makespan < 30 s' --best
