/* What :help is asked for by names that are no words of the language: terms of performance analysis, and where PSL has
 * them. */
#include "interp/check/checker.h"

#include <strings.h>

enum { NAMES = 20 }; /* of one topic, at most */

const char *topic_named(const char *name) {
  static const struct {
    const char *names[NAMES], *text;
  } topics[] = {
      {{"percentile", "percentiles", "quantile", "quantiles", "p50", "p90", "p95", "p99", "median", "tail",
        "tail-latency"},
       "percentiles, quantiles\n"
       "  of responses in a network of queues: simulation[queueing] reports them, use queueing has the\n"
       "  param percentiles, and studies and last have COMPONENT.p95: psl-queueing(7)\n"
       "  of what bodies record: record NAME = NUMBER, quantiles [50 %, 95 %], and then COMPONENT.NAME.p95\n"},
      {{"analysis", "simulation", "measurement", "paradigm", "evaluation-mode"},
       "analysis[METHOD], simulation[METHOD], measurement[METHOD]\n"
       "  how a part of a model is evaluated: by formulas, by a simulator, by measuring.\n"
       "  Of a component the attribute 'evaluation mode' of its profile; of a network of queues the param solver\n"
       "  of use queueing, as in --set 'solver=simulation[queueing]': psl-queueing(7); of what messages take\n"
       "  the param network of use networks: psl-networks(7)\n"},
      {{"confidence", "interval", "intervals", "confidence-interval"},
       "confidence intervals\n"
       "  of a simulated network of queues: use queueing has the params confidence, half-width, replications\n"
       "  of what bodies record: record NAME = NUMBER, half-width 5 %;\n"
       "  of the columns of a study: --repetitions N, of runs with a seed each\n"
       "  in a study low(FIGURE) and high(FIGURE) are the ends, FIGURE.half-width half the width\n"},
      {{"utilisation", "utilization", "response", "throughput", "queue-length"},
       "COMPONENT.utilisation, .response, .waiting, .throughput, .queue\n"
       "  of stations and customers of a network of queues, and of accepts with servers: in reports, in studies\n"
       "  'report desk.utilisation', in a session last.desk.utilisation; of one instance desk[0].utilisation\n"},
      {{"class", "classes"},
       "classes\n"
       "  of customers in a network of queues: the param class of closed-customers and the like: psl-queueing(7)\n"
       "  of calls of an accept with servers: what the request gives the parameter 'class' of the transaction,\n"
       "  else the caller's attribute 'class'; figures by class are COMPONENT.CLASS.response and so on\n"},
      {{"queue", "queues", "station", "stations", "line", "waiting-line", "little's-law", "littles-law", "microservice",
        "microservices", "load-test"},
       "queues\n"
       "  of a network: use queueing has stations to be made others of, component desk like fcfs-station { ... },\n"
       "  and customers; analysis or simulation solve it: psl-queueing(7)\n"
       "  anywhere: an accept with servers = N; lets the others wait, by its discipline: psl(5)\n"},
      {{"random", "randomness", "chance", "probability", "stochastic", "distributions", "monte-carlo", "heavy-tail",
        "jitter", "noise"},
       "random numbers\n"
       "  a time: hold exponential(5 ms); and uniform, normal, lognormal, gamma, erlang, weibull, pareto and others\n"
       "  one of n: draw(uniform-int(0, n - 1)); of a list: draw(empirical([1, 2, 5]))\n"
       "  branches: one of { 30 % { ... } 70 % { ... } }\n"
       "  one of several targets: any by uniform(0, 1) selector = {...}\n"
       "  the same again with the same --seed N\n"},
      {{"gpu", "gpus", "accelerator", "device", "devices", "cpu", "coprocessor", "cuda", "opencl", "fpga", "offload",
        "offloading"},
       "devices\n"
       "  each is a component that accepts what is computed there, and a selector finds it by its node type;\n"
       "  a coercion block makes a request of one kind that of another: coercion work -> kernel { call kernel(...); }\n"
       "  'psl compare FILE --vary device' compares them: psl(5), Coercions; examples/farm/devices.psl\n"},
      {{"mpi", "alltoall", "all-to-all", "collective", "collectives", "message-passing", "halo", "halo-exchange",
        "stencil", "bsp", "superstep", "allreduce", "all-reduce", "broadcast", "bcast", "all-gather", "allgather"},
       "message passing\n"
       "  use mpi; has the transactions MPI-send, MPI-recv, MPI-barrier, MPI-bcast, MPI-allreduce, MPI-alltoall and\n"
       "  others; what messages take say use networks and use message-cost: psl-stdlib(7), psl-networks(7)\n"
       "  examples/mpi/halo2d.psl exchanges borders, examples/sweep3d is a wavefront\n"},
      {{"roofline", "arithmetic-intensity", "operational-intensity", "memory-bound", "compute-bound", "balance"},
       "roofline\n"
       "  a time that the slower of computing and memory bounds: hold max(work / rate, traffic / bandwidth); with\n"
       "  the work in flop, the rate in Gflop/s, the traffic in byte and the bandwidth in GB/s\n"
       "  'psl measure compute' and 'psl measure memory' measure the rates of this computer: psl-measure(1)\n"
       "  of a real program, block by block: use convolver, whose param combination is memory, sum, maximum,\n"
       "  overlap or bound: psl-signature(7)\n"},
      {{"numa", "cache", "caches", "prefetch", "memory-bandwidth", "memory-wall", "locality", "tlb", "simd",
        "vectorization"},
       "memory, caches\n"
       "  'psl measure memory' measures bandwidths by working set, stride and processors, 'psl measure compute'\n"
       "  operations of single numbers and of vectors: psl-measure(1)\n"
       "  'psl trace --memory PROGRAM' counts what a program does by block, use convolver predicts its time on\n"
       "  another memory: psl-signature(7)\n"},
      {{"ipc", "cpi", "branch-prediction", "branch-predictor", "out-of-order", "microarchitecture", "instruction-set"},
       "processors\n"
       "  'psl simulate PROGRAM' runs a program of RISC-V on an out-of-order processor, cycle by cycle, with its IPC,\n"
       "  caches and predictor: psl-processor(7)\n"},
      {{"slo", "slos", "sla", "slas", "service-level", "deadline", "requirement", "constraint"},
       "service levels\n"
       "  are conditions on figures: 'assert bank.p95 < 2 min;' in a study, or --assert, tests one at each point\n"
       "  the cheapest point that keeps it: --minimize 'tellers where bank.p95 < 2 min'\n"
       "  the points between which a choice is left: --pareto, of several objectives: psl-study(1)\n"},
      {{"bottleneck", "bottlenecks", "hotspot", "hotspots", "hot-spot", "critical-path", "profiling", "profile-run",
        "flame-graph", "flamegraph"},
       "bottlenecks\n"
       "  'psl run FILE' says where the time goes, by kind and by component, and how busy stations are;\n"
       "  --timeline FILE.svg draws what each process did, --trace FILE.json is for trace viewers: psl-run(1)\n"
       "  'psl sensitivity FILE' ranks params by how much the time, or the FIGURE of --of, follows them\n"
       "  'psl diff A B' attributes the difference of two models, or of two traces, to what is not alike\n"
       "  of a program: 'psl trace info TRACE', with its critical path: psl-trace(1)\n"},
      {{"speedup", "strong-scaling", "weak-scaling", "scaling", "scalability", "parallel-efficiency", "amdahl",
        "amdahl's-law", "gustafson", "isoefficiency"},
       "speedup, scaling\n"
       "  of a fixed problem: --vary 'p=1..64 by *2' --report 'makespan, speedup = work / makespan', with the work\n"
       "  as a time on one processor; efficiency = work / makespan / p\n"
       "  of one that grows with the processors: a study with vary p in 1 .. 64 by * 2, n = 1000 * p;\n"
       "  --plot 'speedup against p, log x' draws it; a fitted cost function: 'psl fit' of measurements\n"},
      {{"saturation", "knee", "capacity", "capacity-planning", "load-curve", "usl", "offered-load"},
       "capacity\n"
       "  figures over the load: --vary 'between=1s..10s by 1s' --report 'bank.response, bank.utilisation'\n"
       "  the least that carries it: --minimize 'tellers where bank.response < 2 min'\n"
       "  analysis is fast near saturation, where simulation needs long runs: psl-queueing(7)\n"},
      {{"load-balancing", "load-balancer", "scheduling", "placement", "routing", "dispatch", "dispatcher"},
       "load balancing\n"
       "  a request goes to one of those that match its selector: any takes one that is free, any by E the one with\n"
       "  the least E, as any by target.load: psl(5), Requests\n"
       "  what waits is served by the discipline of its accept, as discipline = fcfs;\n"},
      {{"imbalance", "load-imbalance", "load-balance", "straggler", "stragglers"},
       "load imbalance\n"
       "  'psl run --by rank' has a row for each process; 'psl trace info' the load balance of a program's ranks\n"},
      {{"failure", "failures", "fault", "faults", "mtbf", "mttr", "breakdown", "checkpoint", "checkpointing",
        "reliability", "availability", "repair"},
       "failures\n"
       "  the time to the next one is drawn, hold exponential(1000 h), by a process of its own, which then sets an\n"
       "  event; who works waits for what comes first, the end of the work that is left, or that event:\n"
       "  first of { hold left { ... } call broken() { ... } }: psl(5), First of,\n"
       "  examples/simulation/machine-shop.psl\n"
       "  failures that never end keep a run from ending: --max-time ends it, or a var that says the work is done\n"},
      {{"cv", "scv", "coefficient-of-variation", "variability", "deviation", "standard-deviation"},
       "coefficient of variation\n"
       "  the standard deviation divided by the mean: with a mean of 150 ms and a coefficient of 0.5\n"
       "  lognormal(150 ms, 0.5 * 150 ms); of an exponential time it is 1, of erlang(k, mean) 1 / sqrt(k)\n"},
      {{"jmt", "lqns", "lqn", "simpy", "salabim", "csim", "omnet++", "omnetpp"},
       "words of other tools\n"
       "  a word of JMT, LQNS or SimPy has help of its own: 'psl help Delay', 'psl help Resource'\n"
       "  networks of queues are in psl-queueing(7), processes that hold and wait in psl(5) and psl-stdlib(7)\n"},
      {{"simgrid", "loggopsim", "dimemas", "paraver", "extra-p", "extrap", "scalasca", "otf2"},
       "files of other tools\n"
       "  'psl replay TRACE' runs traces of Dimemas, SimGrid and LogGOPSim (GOAL), on machines and platforms of\n"
       "  theirs, too: psl-replay(1); 'psl trace convert' writes them, Paraver's and OTF2: psl-trace(1)\n"
       "  'psl fit' reads measurements of Extra-P: psl-fit(1)\n"},
      {{"pcie", "pci", "bus", "nvlink", "interface", "shared-bus"},
       "buses\n"
       "  one that serves one transfer after another is a component with servers = 1; that holds\n"
       "  latency + amount / bandwidth: examples/coercions/offload.psl; links that messages share at once are\n"
       "  networks of use networks: psl-networks(7)\n"},
      {{"retry", "retries", "abandonment", "reneging", "impatience", "circuit-breaker"},
       "patience\n"
       "  patience = 5 s; of a labelled request: it waits so long for a server, and the call says whether it got one;\n"
       "  a body may call again: psl(5)\n"},
      {{"thread", "threads", "concurrency", "openmp", "barrier", "barriers", "critical-section", "thread-pool"},
       "threads\n"
       "  each is an instance of a component: component thread [t] : 0 <= t < threads { ... }\n"
       "  use processes; has facility, storage and event, for what they share and wait for: psl-stdlib(7)\n"
       "  use scheduling; has threads that share loops and task graphs, by block, guided, stealing, HEFT and the\n"
       "  like: psl-scheduling(7); programs of OpenMP and MPI from diagrams of UML: psl-prophet(7)\n"},
      {{"network", "networks", "topology", "interconnect", "tcp", "ethernet", "infiniband", "logp", "loggp",
        "congestion"},
       "networks\n"
       "  use networks; has topologies whose links messages share, as flows or packets: psl-networks(7)\n"
       "  by LogGP's L, o, g and G alone: use message-cost; 'psl measure messages' finds them: psl-measure(1)\n"
       "  use wide-area; has links between sites with delay, jitter, loss and TCP: psl-grid(7)\n"},
      {{"rpc", "rmi", "corba", "remote-invocation", "grid", "wan", "packet-loss", "jitter"},
       "grids\n"
       "  use remote-invocation; has remote invocations by TCP, TLS or UDP over wide-area links: psl-grid(7)\n"},
      {{"disk", "disks", "ssd", "storage", "i/o", "io", "file-system", "raid"},
       "disks\n"
       "  use disks; has disks with seek, rotation and an arm, drives, RAID and caches: psl-storage(7)\n"
       "  by a rate alone each is a component with servers = 1; that holds seek + amount / rate:\n"
       "  examples/farm/farm.psl; in a network of queues a station: examples/queueing/central-server.psl\n"},
      {{"optimization", "optimisation", "optimize", "optimise", "design-space", "pareto-front", "trade-off", "tuning"},
       "optimization\n"
       "  --minimize 'cost = n * makespan where makespan < 3 s' of 'psl study' finds the best point, by a search\n"
       "  where there are many; --pareto of several objectives those that no other one beats: psl-study(1)\n"},
      {{"calibration", "regression", "curve-fitting", "validation", "benchmark", "benchmarking", "model-fitting"},
       "calibration\n"
       "  'psl fit TABLE.csv' fits cost functions to measurements, 'fit' does in a model: psl-fit(1)\n"
       "  'psl measure messages|memory|compute' measures a machine: psl-measure(1)\n"
       "  'psl diff MEASURED PREDICTED' says where a trace of a run and its prediction differ: psl-trace(1)\n"},
      {{"what-if", "scenario", "scenarios", "sweep", "parameter-sweep", "experiment", "experiments"},
       "scenarios\n"
       "  'psl run --set NAME=VALUE' runs one, 'psl compare --vary NAME' a param's values beside each other\n"
       "  'psl study --vary NAME=A,B,...' all of several params' values: psl-study(1)\n"
       "  of a traced program 'psl replay' on another machine: psl-replay(1), examples/what-if\n"},
      {{"energy", "power", "watt", "joule", "dvfs", "carbon", "price"},
       "energy, money\n"
       "  PSL predicts times; what else they cost is a column of a study, as cost = workers * makespan,\n"
       "  or with a unit of its own: unit J; unit W = 1 J/s; and energy = 200 W * makespan\n"},
      {{"warmup", "steady-state", "transient", "cold-start", "initial-transient"},
       "warm-up\n"
       "  what a simulated network of queues leaves out at its begin: found by itself, at least the param warm-up\n"
       "  of use queueing; of what bodies record: record NAME = NUMBER, warm-up 100 s; psl-queueing(7)\n"},
      {{"tutorial", "language", "examples", "manual", "manuals", "docs"},
       "manuals\n"
       "  psl-tutorial(7) goes from a first model to studies, psl(5) is the language, psl(1) names all others;\n"
       "  'man psl-tutorial' shows one; models to learn from stand in the folder examples of PSL\n"},
  };
  for (size_t t = 0; t < sizeof topics / sizeof *topics; t++)
    for (size_t k = 0; k < NAMES && topics[t].names[k]; k++)
      if (!strcasecmp(name, topics[t].names[k])) return topics[t].text;
  return NULL;
}
