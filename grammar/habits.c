/* The table of habits: what those write who come from C, Python, SimPy, JMT, LQNS or another simulator. The parser and
 * the check ask it where a word means nothing to them. */
#include "grammar/habits.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const struct habit {
  enum habit_place place;
  const char *words, *help; /* words between bars, in lower case; they match in any */
} habits[] = {
    {HABIT_TYPE, "|integer|long|short|unsigned|signed|uint|size_t|int32_t|int64_t|uint64_t|natural|count|",
     "a whole number is an 'int'"},
    {HABIT_TYPE, "|float|double|number|decimal|num|",
     "a number is a 'real' or an 'int', and what has a unit is of its dimension: 'time', 'data', 'data/time'"},
    {HABIT_TYPE, "|boolean|logical|", "true and false are of type 'bool'"},
    {HABIT_TYPE, "|str|char|text|", "a text is a 'string'"},
    {HABIT_TYPE, "|list|array|vector|tuple|sequence|set|", "a list is of the type of its items in brackets: '[int]'"},
    {HABIT_TYPE, "|enum|symbol|atom|word|name|keyword|", "a word out of several is a 'term'"},
    {HABIT_TYPE, "|duration|seconds|second|sec|timedelta|", "what has the unit s is a 'time'"},
    {HABIT_TYPE, "|bytes|size|", "what has the unit byte is 'data'"},
    {HABIT_TYPE, "|rate|frequency|", "how many of something there are in a second is 1/time, and of bytes data/time"},
    {HABIT_TYPE, "|bandwidth|throughput|speed|", "what has the unit byte/s is 'data/time'"},
    {HABIT_TYPE, "|random|dist|distr|stochastic|variate|rv|",
     "what is drawn is of the type 'distribution*time', or of another dimension; a number so drawn 'distribution'"},
    {HABIT_TYPE, "|struct|record|dict|map|object|", "a record's type is inferred: 'let r = { a = 1, b = 2 s };'"},
    {HABIT_TYPE, "|void|none|", "what gives nothing has no '-> TYPE'"},

    {HABIT_UNIT, "|sec|secs|second|seconds|", "did you mean 's'?"},
    {HABIT_UNIT, "|msec|msecs|millisecond|milliseconds|", "did you mean 'ms'?"},
    {HABIT_UNIT, "|usec|usecs|microsecond|microseconds|", "did you mean 'us'?"},
    {HABIT_UNIT, "|nsec|nsecs|nanosecond|nanoseconds|", "did you mean 'ns'?"},
    {HABIT_UNIT, "|mi|mn|mins|minute|minutes|", "did you mean 'min'?"},
    {HABIT_UNIT, "|hour|hours|hr|hrs|", "did you mean 'h'?"},
    {HABIT_UNIT, "|day|days|", "a day is 24 h, and 'unit day = 24 h;' declares it"},
    {HABIT_UNIT, "|week|weeks|", "a week is 168 h, and 'unit week = 168 h;' declares it"},
    {HABIT_UNIT, "|hertz|", "did you mean 'Hz'?"},
    {HABIT_UNIT, "|b|", "bytes are 'byte', bits 'bit'"},
    {HABIT_UNIT, "|kb|", "1000 bytes are 'kB', 1024 bytes 'KiB', 1000 bits 'kbit'"},
    {HABIT_UNIT, "|mb|", "a million bytes are 'MB', a million bits 'Mbit'"},
    {HABIT_UNIT, "|gb|", "10^9 bytes are 'GB', 10^9 bits 'Gbit'"},
    {HABIT_UNIT, "|kbps|", "did you mean 'kbit/s'? as many bytes a second are 'kB/s'"},
    {HABIT_UNIT, "|mbps|", "did you mean 'Mbit/s'? as many bytes a second are 'MB/s'"},
    {HABIT_UNIT, "|gbps|", "did you mean 'Gbit/s'? as many bytes a second are 'GB/s'"},
    {HABIT_UNIT, "|flops|", "operations are 'flop', as many a second 'flop/s'"},
    {HABIT_UNIT, "|mflops|megaflops|", "operations are 'Mflop', as many a second 'Mflop/s'"},
    {HABIT_UNIT, "|gflops|gigaflops|", "operations are 'Gflop', as many a second 'Gflop/s'"},
    {HABIT_UNIT, "|tflops|teraflops|", "operations are 'Tflop', as many a second 'Tflop/s'"},
    {HABIT_UNIT, "|tbit|terabit|terabits|", "it is declared: unit Tbit = 1000 Gbit;"},
    {HABIT_UNIT, "|pb|petabyte|petabytes|", "it is declared: unit PB = 1000 TB;"},
    {HABIT_UNIT, "|x|times|fold|", "a factor has no unit: 2, not 2x"},
    {HABIT_UNIT, "|%%|percent|percents|pct|", "a hundredth is '%': 50 %"},

    {HABIT_UNIT, "|gf|", "operations are 'Gflop', as many a second 'Gflop/s'"},
    {HABIT_UNIT, "|mf|", "operations are 'Mflop', as many a second 'Mflop/s'"},
    {HABIT_UNIT, "|tf|", "operations are 'Tflop', as many a second 'Tflop/s'"},
    {HABIT_UNIT,
     "|req|reqs|request|requests|job|jobs|op|ops|customer|customers|client|clients|user|users|"
     "message|messages|msg|msgs|"
     "packet|packets|transaction|transactions|item|items|call|calls|query|queries|event|events|task|tasks|node|nodes|"
     "rank|ranks|server|servers|core|cores|process|processes|",
     "what is counted has no unit: 3 of them are 3, and 100 in a second 100 s^-1"},
    {HABIT_UNIT, "|quantiles|percentiles|histogram|half-width|",
     "what is kept of a record stands behind a comma: record NAME = NUMBER, quantiles [95 %];"},
    {HABIT_UNIT, "|tps|rps|qps|iops|mips|", "what is counted has no unit, and 100 in a second are 100 s^-1"},
    {HABIT_UNIT, "|m|million|mio|", "a million is 1e6, a millisecond 'ms', a minute 'min'; 'unit m;' declares another"},
    {HABIT_UNIT, "|k|thousand|", "a thousand is 1e3, 1000 bytes are 'kB'; 'unit K;' declares another"},
    {HABIT_UNIT, "|g|billion|", "10^9 are 1e9, as many bytes 'GB'; 'unit g;' declares another"},
    {HABIT_UNIT, "|w|watt|watts|", "what has a dimension of its own is declared: unit W;"},
    {HABIT_UNIT, "|kw|kilowatt|kilowatts|", "it is declared: unit W; unit kW = 1000 W;"},
    {HABIT_UNIT, "|j|joule|joules|", "what has a dimension of its own is declared: unit J;"},
    {HABIT_UNIT, "|kg|", "what has a dimension of its own is declared: unit kg;"},
    {HABIT_UNIT, "|metre|metres|meter|meters|", "what has a dimension of its own is declared: unit metre;"},
    {HABIT_UNIT, "|km|", "it is declared: unit metre; unit km = 1000 metre;"},
    {HABIT_UNIT, "|eur|euro|euros|usd|dollar|dollars|", "what has a dimension of its own is declared: unit EUR;"},

    {HABIT_VALUE, "|true|yes|on|", "did you mean 'true'?"},
    {HABIT_VALUE, "|false|no|off|", "did you mean 'false'?"},
    {HABIT_VALUE, "|none|null|nil|nullptr|",
     "there is no empty value: 'optional selector' allows that nobody is there"},
    {HABIT_VALUE, "|now|simtime|current_time|time|env|sim|", "the virtual time of a body is 'clock'"},
    {HABIT_VALUE, "|self|this|", "an instance's own vars, params and indices are called by their names alone"},
    {HABIT_VALUE, "|pi|", "'let pi = 3.141592653589793;' declares it"},
    {HABIT_VALUE, "|inf|infinite|infinity|nan|",
     "numbers are finite; servers for whoever comes are 'servers = unlimited;'"},
    {HABIT_VALUE, "|list|array|vector|tuple|", "a list stands in brackets: [1, 2]"},
    {HABIT_VALUE, "|len|size|count_of|", "the items of a list are length(list)"},
    {HABIT_VALUE, "|range|xrange|arange|linspace|seq|", "a range is 0 .. n - 1, with both its ends"},
    {HABIT_VALUE, "|expovariate|exponentialvariate|expo|exprnd|negexp|",
     "a random time is exponential(5 ms): its argument is the mean, not the rate"},
    {HABIT_VALUE, "|exp|expon|exponent|",
     "a random time is exponential(5 ms): its argument is the mean, not the rate; e^x is exp(x)"},
    {HABIT_VALUE, "|rexp|", "a random time is exponential(5 ms): its argument is the mean, not the rate"},
    {HABIT_VALUE, "|runif|unif|", "a random number is uniform(LOW, HIGH)"},
    {HABIT_VALUE, "|rnorm|gaussian|", "a random number is normal(mean, deviation)"},
    {HABIT_VALUE, "|np|numpy|scipy|stats|math|rng|",
     "functions have no module before them: exponential(5 ms), uniform(0, 1), sqrt(x), log(x)"},
    {HABIT_VALUE, "|lambda|", "a function is declared: function NAME(p : TYPE, ...) -> TYPE = EXPRESSION;"},
    {HABIT_VALUE, "|rand|random|drand48|uniform01|", "a random number is uniform(0, 1)"},
    {HABIT_VALUE, "|randint|randrange|", "a random whole number is uniform-int(1, 6)"},
    {HABIT_VALUE, "|gauss|normalvariate|randn|", "a random number is normal(mean, deviation)"},
    {HABIT_VALUE, "|lognormvariate|lognorm|rlnorm|lnorm|lognrnd|",
     "a random number is lognormal(mean, sd), by the mean and standard deviation of its own: of mu and sigma of its "
     "logarithm they are exp(mu + sigma ^ 2 / 2), and this * sqrt(exp(sigma ^ 2) - 1)"},
    {HABIT_VALUE, "|gammavariate|rgamma|gamrnd|", "a random number is gamma(shape, scale), of mean shape * scale"},
    {HABIT_VALUE, "|weibullvariate|rweibull|wblrnd|weibull-min|",
     "a random number is weibull(shape, scale), the shape first"},
    {HABIT_VALUE, "|paretovariate|rpareto|", "a random number is pareto(shape, minimum)"},
    {HABIT_VALUE, "|betavariate|rbeta|betarnd|", "a random number is beta(a, b), or beta(a, b, low, high)"},
    {HABIT_VALUE, "|triang|triangle|", "a random number is triangular(low, mode, high)"},
    {HABIT_VALUE, "|choice|choices|", "a random item of a list is empirical(list), or empirical(list, weights)"},
    {HABIT_VALUE, "|deterministic|det|", "a time that is always the same is that time, or constant(5 ms)"},
    {HABIT_VALUE, "|pow|", "a power is x ^ y"},
    {HABIT_VALUE, "|ln|", "the natural logarithm is log(x)"},
    {HABIT_VALUE, "|lg|ld|logb|log1p|",
     "to base 2 it is log2(x), to base 10 log10(x), to another one log(x) / log(base)"},
    {HABIT_VALUE, "|exp2|pow2|", "a power of two is 2 ^ x"},
    {HABIT_VALUE, "|cbrt|root|nthroot|", "a root is a power: x ^ (1 / 3)"},
    {HABIT_VALUE, "|sqr|square|sq|", "a square is x ^ 2"},
    {HABIT_VALUE, "|sign|sgn|signum|", "the sign is a choice: if x < 0 then -1 else 1"},
    {HABIT_VALUE, "|fact|factorial|gamma-function|", "a factorial is product(i in 1 .. n : i)"},
    {HABIT_VALUE, "|map|filter|foreach|apply|reduce|fold|",
     "a value of each item is [x in list : f(x)], of all of them sum(x in list : f(x)), max or count; arrivals of a "
     "Markovian process are held by a body that keeps its state in a var"},
    {HABIT_VALUE, "|avg|average|", "the mean of a list is mean(list)"},
    {HABIT_VALUE, "|std|stdev|stddev|sd|deviation|var|",
     "the variance of a list is mean([x in list : x ^ 2]) - mean(list) ^ 2, that of a distribution variance(d); the "
     "deviation is its sqrt"},
    {HABIT_VALUE, "|median|percentile|quantile|", "the middle of a list is sort(list)[length(list) div 2]"},
    {HABIT_VALUE, "|ceiling|", "did you mean 'ceil'?"},
    {HABIT_VALUE, "|int|trunc|", "a real becomes an int through ceil, floor or round"},
    {HABIT_VALUE, "|float|double|real|", "an int is a real without a word"},
    {HABIT_VALUE, "|str|string|format|", "numbers do not become strings"},
    {HABIT_VALUE, "|hyperexp|hyperexpo|hyper|h2|", "did you mean 'hyperexponential'?"},
    {HABIT_VALUE, "|hypoexp|hypoexpo|hypo|", "did you mean 'hypoexponential'?"},
    {HABIT_VALUE, "|coxian|cox|phasetype|phase-type|ph|me|",
     "phases one behind another are hypoexponential([1 s, 2 s]), one of two hyperexponential(p, 1 s, 2 s); what goes "
     "on by chance is held in a body, in 'one of'"},
    {HABIT_VALUE, "|mmpp|mmpp2|mmap|burst|markov-modulated|",
     "times that follow from one another are held by a body that keeps its state in a var"},
    {HABIT_VALUE, "|replayer|replay|trace-file|",
     "times that were measured are empirical([1 s, 2 s, 5 s]): psl-queueing(7), RECIPES"},
    {HABIT_VALUE, "|timeout|",
     "time passes by the statement 'hold 5 s;', and a wait ends by 'patience' of a request or 'first of': psl(5), "
     "First of"},
    {HABIT_VALUE, "|any-of|anyof|all-of|allof|",
     "the first of several things is 'first of { call a() { } hold 5 s { } }', all of them 'every selector' of a "
     "request: psl(5), First of, Every"},
    {HABIT_VALUE, "|if|iif|ifelse|ternary|cond|", "a choice is written: if CONDITION then A else B"},
    {HABIT_VALUE, "|vlookup|hlookup|xlookup|lookup|index|match|",
     "item i of a list, from 0 on, is list[i], and a field of a record r.name"},
    {HABIT_VALUE, "|norminv|normsinv|normdist|norm-inv|norm-dist|gammainv|",
     "a random number is drawn: normal(mean, deviation); there are no inverse distributions"},
    {HABIT_VALUE, "|iferror|isnumber|isblank|",
     "an error ends a run where it is; what avoids it is said before: if n > 0 then 1 / n else 0"},
    {HABIT_VALUE, "|mod|fmod|", "what is left of a division of whole numbers is a mod b"},
    {HABIT_VALUE, "|countif|countifs|", "how many of a list meet a condition is count([x in list : x > 1])"},
    {HABIT_VALUE, "|sumif|sumifs|sumproduct|", "a sum over a list is sum([x in list : if x > 1 then x else 0])"},
    {HABIT_VALUE, "|roundup|", "did you mean 'ceil'?"},
    {HABIT_VALUE, "|rounddown|", "did you mean 'floor'?"},

    {HABIT_DISCIPLINE, "|fifo|", "did you mean 'fcfs'?"},
    {HABIT_DISCIPLINE, "|ps|sharing|fair|", "did you mean 'processor-sharing'?"},
    {HABIT_DISCIPLINE, "|lifo|lcfs|stack|", "did you mean 'lcfs-preemptive'?"},
    {HABIT_DISCIPLINE, "|rr|", "did you mean 'round-robin(10 ms)'?"},
    {HABIT_DISCIPLINE, "|hol|prio|nonpreemptive|", "did you mean 'priority'?"},
    {HABIT_DISCIPLINE, "|ppr|pr|preemptive|", "did you mean 'priority-preemptive'?"},
    {HABIT_DISCIPLINE, "|siro|ros|rand|random|",
     "the next one at random is 'priority', where requests give a random one: visit(uniform(0, 1))"},
    {HABIT_DISCIPLINE, "|srpt|sjf|spt|sept|shortest|",
     "the shortest first is 'priority', where requests give what they want, turned round: visit(-(t / 1 s))"},
    {HABIT_DISCIPLINE, "|ljf|lpt|longest|",
     "the longest first is 'priority', where requests give what they want: visit(t / 1 s)"},
    {HABIT_DISCIPLINE, "|edf|edd|deadline|",
     "the earliest deadline first is 'priority', where requests give it, turned round: visit(-(deadline / 1 s))"},
    {HABIT_DISCIPLINE, "|dps|gps|wfq|cfs|weighted|",
     "all get the same part by 'processor-sharing'; there are no parts by weight"},
    {HABIT_DISCIPLINE, "|inf|is|delay|infinite|", "nobody waits where 'servers = unlimited;', and at a delay-station"},
    {HABIT_DISCIPLINE, "|poll|polling|gated|exhaustive|",
     "a server that goes round is a process that serves one line after another: examples/simulation/token-ring.psl"},
    {HABIT_PROTOCOL, "|rendezvous|synchronous|sync|rpc|call|blocking|rnv|request-reply|",
     "who waits for the reply requests by 'call-return': psl(5), REQUESTS"},
    {HABIT_PROTOCOL,
     "|asynchronous|async|send|send-no-reply|snr|one-way|oneway|message|non-blocking|nonblocking|token|",
     "who does not wait requests by 'dataflow', which sends a token: psl(5), REQUESTS"},
    {HABIT_PROTOCOL, "|mpi|active-message|active-messages|put-get|one-sided|shmem|logp|loggp|",
     "how messages are passed is asked for by a transaction of the library, as MPI-send of 'use mpi;', and by its "
     "evaluation mode; it is called by 'call-return': psl-stdlib(7)"},
    {HABIT_PROTOCOL, "|tcp|udp|http|ip|infiniband|ethernet|rdma|udt|grpc|",
     "a protocol says here whether who requests waits, 'call-return', or not, 'dataflow'; a network is a component"},
    {HABIT_PROTOCOL, "|forward|forwarding|fwd|",
     "a server that hands on who has called it stands behind an accept without servers, which calls the one and then "
     "the other"},
    {HABIT_SOLVER, "|layers|layered|lqn|lqns|mol|srvn|lqsim|layered-queueing|",
     "a layered network, whose servers are held while they call others, is executed: simulation[queueing]; analyses "
     "take those whose servers call none"},
    {HABIT_SOLVER, "|exact|buzen|convolution|recal|comom|nc|jmva|product-form|productform|bcmp|",
     "did you mean 'analysis[MVA]'?"},
    {HABIT_SOLVER, "|amva|aql|chow|approximate|approximation|", "did you mean 'analysis[Linearizer]'?"},
    {HABIT_SOLVER, "|mm1|mmc|mg1|gg1|gi-g-1|jackson|erlang|erlang-c|open-network|", "did you mean 'analysis[open]'?"},
    {HABIT_SOLVER, "|abb|asymptotic|", "did you mean 'analysis[asymptotic-bounds]'?"},
    {HABIT_SOLVER, "|bjb|balanced|", "did you mean 'analysis[balanced-job-bounds]'?"},
    {HABIT_SOLVER, "|sim|des|ssa|jsim|jmt|jsimg|simulate|simulated|simulator|discrete-event|ctmc|fluid|mam|",
     "did you mean 'simulation[queueing]'?"},

    {HABIT_ACCEPT, "|multiplicity|m|c|threads|workers|replicas|replication|number-of-servers|number-servers|",
     "did you mean 'servers'? psl(5), Facilities"},
    {HABIT_ACCEPT, "|scheduling|policy|strategy|queue-strategy|queueing-policy|preempt|preemptive|",
     "did you mean 'discipline'? psl-queueing(7), DISCIPLINES"},
    {HABIT_ACCEPT, "|capacity|buffer|room|places|limit|queue-capacity|queue-size|max-queue|drop|drop-rule|k|",
     "a room for who waits and who is served is an accept with as many servers that calls the station; who finds it "
     "full goes away by 'patience = 0 s;': psl-queueing(7), RECIPES"},
    {HABIT_ACCEPT, "|service|service-time|demand|host-demand|s|",
     "how long it takes is held in its body: hold exponential(5 ms);"},
    {HABIT_ACCEPT, "|think|think-time|z|", "a time between two requests is held by who makes them"},
    {HABIT_ACCEPT, "|priority|",
     "a priority is of who asks: an argument of that name, or an attribute; psl-queueing(7), DISCIPLINES"},
    {HABIT_ACCEPT, "|patience|timeout|delay|visits|", "that is a clause of a request, of who asks: psl(5), REQUESTS"},
    {HABIT_ACCEPT, "|phase|phases|phase1|phase2|",
     "the first phase is the body; what is done behind the reply is a second accept: psl-queueing(7), RECIPES"},

    {HABIT_PARAM, "|capacity|room|places|buffer|limit|max|maximum|",
     "how many are served at once is 'servers = 3;'; room for 5, served and waiting, is an accept with 'servers = 5;' "
     "that calls the station, and is called with 'patience = 0 s;' by who goes away where there is none: "
     "psl-queueing(7), RECIPES"},
    {HABIT_PARAM, "|drop|drop-rule|drop-strategy|dropping|loss|blocking|bas|",
     "who finds no room goes away by 'patience = 0 s;' of the request: psl-queueing(7), RECIPES"},
    {HABIT_PARAM, "|multiplicity|m|c|k|number-of-servers|number-servers|threads|workers|slots|channels|replicas|",
     "did you mean 'servers'?"},
    {HABIT_PARAM, "|strategy|scheduling|policy|queue-strategy|preempt|preemptive|preemption|",
     "the order of service is 'discipline = priority;' beside the params, or another component of the library: "
     "psl-queueing(7), DISCIPLINES"},
    {HABIT_PARAM, "|rate|mu|service-rate|",
     "a service is a time, and its mean 1 / rate: param service = exponential(1 / (3 s^-1));"},
    {HABIT_PARAM, "|mean|service-time|demand|host-demand|s|distribution|service-distribution|",
     "did you mean 'service'?"},
    {HABIT_PARAM, "|arrival-rate|lambda|interarrival|interarrival-time|arrival|arrivals|",
     "the time between two arrivals is a param of arrivals: param between = exponential(2 s); psl-queueing(7), "
     "Customers"},
    {HABIT_PARAM, "|population|customers|jobs|clients|users|n|number-of-customers|",
     "how many customers there are says 'visits = 10;' of the system's request: psl-queueing(7), Customers"},
    {HABIT_PARAM, "|think-time|thinktime|z|", "did you mean 'think'?"},
    {HABIT_PARAM, "|reference-station|reference|ref-station|reference-task|",
     "nothing is a reference: a cycle is from think time to think time"},
    {HABIT_PARAM, "|routing|prob|probability|probabilities|routing-matrix|p|",
     "visits come of routing chances by visit-ratios(routing, start): psl-queueing(7), Routing"},
    {HABIT_PARAM, "|init|initial-level|level|start-level|", "did you mean 'initial'?"},
    {HABIT_PARAM, "|priority|",
     "a priority is an argument of the call, or of closed-customers and visitors a param: psl-queueing(7), "
     "DISCIPLINES"},
    {HABIT_PARAM, "|size|maxsize|max-size|", "did you mean 'capacity'?"},

    {HABIT_COMPONENT, "|open-customers|open-arrivals|open-class|open|source|generator|arrival|clients|sink|",
     "customers who come from outside are two components: 'like arrivals' says when they come, 'like visitors' where "
     "they go; psl-queueing(7) has an example"},
    {HABIT_COMPONENT, "|station|queue|server|mm1|mmc|mg1|single-server|multi-server|queueing-station|",
     "with 'use queueing;' a station is like fcfs-station, shared-station, stack-station, priority-station, "
     "preemptive-station or delay-station"},
    {HABIT_COMPONENT, "|buffer|bounded-buffer|fifo|tank|",
     "with 'use processes;' a buffer is like container where items are only counted, like store where they differ"},
    {HABIT_COMPONENT, "|semaphore|mutex|lock|pool|",
     "with 'use processes;' that is like facility, or like storage where one takes several at once"},
    {HABIT_COMPONENT, "|signal|condition|barrier|", "with 'use processes;' that is like event"},
    {HABIT_COMPONENT, "|channel|inbox|message-queue|", "with 'use processes;' that is like mailbox"},
    {HABIT_COMPONENT, "|delay|infinite-server|infiniteserver|terminals|",
     "with 'use queueing;' a delay, where nobody waits, is like delay-station; think times are a param of "
     "closed-customers: psl-queueing(7), The library"},
    {HABIT_COMPONENT, "|router|routing|dispatcher|load-balancer|switch|",
     "a customer's body says where it goes: one of { 0.3 { call a(); } 0.7 { call b(); } }, or a selector with any, "
     "for one that is free, else the shortest line; psl-queueing(7), Routing"},
    {HABIT_COMPONENT, "|fork|join|",
     "'every selector' calls all targets at once, and waits for them: psl-queueing(7), RECIPES"},
    {HABIT_COMPONENT, "|classswitch|class-switch|switcher|",
     "a customer's class is what its token carries: psl-queueing(7), RECIPES"},
    {HABIT_COMPONENT, "|finitecapacityregion|finite-capacity-region|fcr|region|blocking-region|",
     "a region for 5 is an accept with 'servers = 5;' that calls what is in it: psl-queueing(7), RECIPES"},
    {HABIT_COMPONENT, "|logger|probe|monitor|collector|statistics|",
     "what is to be seen is recorded in a body: record NAME = NUMBER, quantiles [95 %]; psl(5), STATEMENTS"},
    {HABIT_COMPONENT, "|torus|mesh|fat-tree|fattree|dragonfly|hypercube|crossbar|bus|link|network|topology|",
     "networks are those of 'use networks;', and how they are linked says its param 'topology': psl-networks(7)"},
    {HABIT_COMPONENT, "|place|transition|petri-net|",
     "with 'use processes;' a place is like container, or like store where tokens differ; a transition is a process "
     "that gets and puts"},
    {HABIT_COMPONENT, "|closedclass|closed-class|closed|referencetask|reference-task|ref-task|reference|",
     "with 'use queueing;' customers who come back are like closed-customers, as many as the system's request has "
     "'visits'"},
    {HABIT_COMPONENT, "|openclass|arrival-process|",
     "with 'use queueing;' customers from outside are two components, 'like arrivals' and 'like visitors': "
     "psl-queueing(7)"},
    {HABIT_COMPONENT, "|task|processor|entry|activity|",
     "a task of a layered network is a component, each of its entries an accept with servers, and what an entry does "
     "stands in its body; nothing is 'like' it"},
    {HABIT_COMPONENT, "|priorityresource|preemptiveresource|priority-resource|preemptive-resource|",
     "with 'use queueing;' that is like priority-station or preemptive-station, with 'use processes;' like facility, "
     "whose reserve-server takes a priority; the greatest goes first: psl-queueing(7), RECIPES"},
    {HABIT_COMPONENT, "|filterstore|prioritystore|filter-store|priority-store|store|",
     "with 'use processes;' that is like store: get-item takes a condition on items, put-item a priority; "
     "psl-stdlib(7), PROCESSES"},
    {HABIT_COMPONENT, "|container|event|mailbox|facility|storage|",
     "with 'use processes;' there is one of that name, in small letters: psl-stdlib(7), PROCESSES"},
    {HABIT_COMPONENT, "|environment|env|simulation|simulator|",
     "nothing stands for the simulation: a system says what begins, 'clock' is the time, and 'psl run --max-time "
     "100s' ends it"},
    {HABIT_COMPONENT, "|resource|",
     "a resource for one thing at a time is an accept with servers, with 'use queueing;' like fcfs-station; what is "
     "taken in one call and given back in another is, with 'use processes;', like facility"},
    {HABIT_RESULT, "|util|utilization|rho|busy|load|u|usage|occupancy|", "did you mean 'utilisation'?"},
    {HABIT_RESULT, "|mean|avg|average|r|rt|latency|sojourn|response-time|residence|residence-time|time|",
     "did you mean 'response'?"},
    {HABIT_RESULT, "|x|tput|rate|lambda|flow|", "did you mean 'throughput'?"},
    {HABIT_RESULT, "|q|l|length|number|population|queue-length|qlen|jobs|", "did you mean 'queue'?"},
    {HABIT_RESULT, "|w|wq|waiting-time|delay|queueing|", "did you mean 'waiting'?"},
    {HABIT_RESULT, "|system-response-time|response-times|turnaround|turnaround-time|cycle-time|",
     "did you mean 'response'?"},
    {HABIT_RESULT, "|customers|number-of-customers|in-system|jobs-in-system|", "did you mean 'queue'?"},
    {HABIT_RESULT, "|arrival-rate|departure-rate|completions|", "did you mean 'throughput'?"},
    {HABIT_RESULT, "|drop-rate|drops|dropped|loss|lost|loss-rate|blocked-calls|reneged|abandoned|balked|",
     "did you mean 'left'?"},

    {HABIT_STUDY, "|runs|replications|samples|trials|repeat|repeats|batches|n|", "did you mean 'repetitions'?"},
    {HABIT_STUDY, "|seeds|random-seed|rng|", "did you mean 'seed'?"},
    {HABIT_STUDY, "|warm-up|warmup|warm-up-time|transient|",
     "it is of the system: system NAME { warm-up = 100 s; ... }"},
    {HABIT_STUDY, "|max-time|until|duration|horizon|length|run-length|stop|end|",
     "a run ends at a time by --max-time TIME, a simulated network of queues by --set queueing.longest=TIME"},
    {HABIT_STUDY, "|percentiles|percentile|quantiles|quantile|p95|p99|",
     "percentiles are figures that it reports: report COMPONENT.p95; which there are says, of a record, record NAME = "
     "NUMBER, quantiles [95 %]; of queueing, use queueing { param percentiles = [95 %, 99 %]; }"},
    {HABIT_STUDY, "|confidence|half-width|precision|accuracy|",
     "intervals are of 95 %, over repetitions; one run goes on till one is narrow by: record NAME = NUMBER, half-width "
     "5 %; psl(5), STATEMENTS"},
    {HABIT_STUDY, "|objective|goal|target|",
     "it is written: minimize NAME [= EXPRESSION] [where CONDITION]; or maximize"},
    {HABIT_STUDY, "|output|outputs|results|metrics|columns|", "it is written: report [NAME =] EXPRESSION, ...;"},
    {HABIT_STUDY, "|params|parameters|factors|levels|",
     "it is written: vary PARAM in [A, B] or A .. B [by STEP], ...;"},

    {HABIT_SYSTEM,
     "|arrivals|arrival|arrival-rate|arrival-process|interarrival|interarrival-time|inter-arrival-time|between|lambda|"
     "rate|source|open|",
     "who comes from outside is made by components: with 'use queueing;' component door like arrivals { param class = "
     "people; param between = exponential(1 s); } and component people like visitors { param class = people; param "
     "visits = [1]; } psl-queueing(7), Customers"},
    {HABIT_SYSTEM, "|customers|population|jobs|clients|users|n|number-of-customers|closed|visits|",
     "how many customers there are says 'visits = 10;' of its request: psl-queueing(7), Customers"},
    {HABIT_SYSTEM, "|think|think-time|thinktime|z|",
     "with 'use queueing;' a think time is a param of who comes back: component users like closed-customers { param "
     "class = users; param think = exponential(5 s); param visits = [1]; } psl-queueing(7), Customers"},
    {HABIT_SYSTEM, "|max-time|until|duration|horizon|length|run-length|stop|end|end-time|time|simulation-time|",
     "a run ends at a time by --max-time TIME, a simulated network of queues by --set queueing.longest=TIME"},
    {HABIT_SYSTEM, "|seed|random-seed|rng|", "it is of the run: psl run --seed 7; in a study: seed = 7;"},
    {HABIT_SYSTEM, "|repetitions|runs|replications|samples|trials|repeat|repeats|",
     "they are of a study: repetitions = 10; or of the command line: psl study --repetitions 10"},
    {HABIT_SYSTEM, "|half-width|precision|confidence|accuracy|",
     "a run goes on till the mean of a record is narrow by: record NAME = NUMBER, half-width 5 %; psl(5), STATEMENTS"},
    {HABIT_SYSTEM, "|warmup|warm-up-time|transient|", "did you mean 'warm-up'?"},

    {HABIT_KEPT, "|percentile|percentiles|quantile|p|",
     "percentiles are kept by quantiles [50 %, 95 %], and are then NAME.p50 and NAME.p95"},
    {HABIT_KEPT, "|mean|average|avg|max|maximum|min|minimum|count|total|sum|deviation|std|stddev|variance|",
     "mean, deviation, least, greatest and count stand in the report of each record"},
    {HABIT_KEPT, "|hist|bins|buckets|distribution|density|", "did you mean 'histogram 20'?"},
    {HABIT_KEPT, "|time-weighted|time-average|weighted|gauge|persistent|tstat|", "did you mean 'level'?"},
    {HABIT_KEPT, "|precision|confidence|interval|accuracy|error|", "did you mean 'half-width 5 %'?"},

    {HABIT_CLAUSE, "|timeout|time-out|deadline|impatience|reneging|", "did you mean 'patience'?"},
    {HABIT_CLAUSE, "|population|customers|jobs|clients|users|tokens|n|count|multiplicity|",
     "how many customers there are says 'visits = 10;' of the system's request: psl-queueing(7), Customers"},
    {HABIT_CLAUSE, "|calls|mean-calls|calls-mean|y|times|call-count|", "did you mean 'visits'? psl(5), REQUESTS"},
    {HABIT_CLAUSE, "|prob|probability|probabilities|chance|weight|routing|p|",
     "one of several ways is taken by its chance in the body: one of { 0.3 { call a(); } 0.7 { call b(); } }; "
     "psl-queueing(7), Routing"},
    {HABIT_CLAUSE, "|priority|class|",
     "it is an argument of the transaction that is called so, or an attribute of who asks: psl-queueing(7), "
     "DISCIPLINES"},
    {HABIT_CLAUSE, "|latency|lag|", "did you mean 'delay'?"},
    {HABIT_CALL, "|put|get|",
     "with 'use processes;' a container has put-amount and get-amount, a store put-item and get-item: psl-stdlib(7), "
     "PROCESSES"},
    {HABIT_CALL, "|request|acquire|seize|reserve|lock|",
     "a server is taken by any call of an accept with servers; what is taken in one call and given back in another "
     "is, with 'use processes;', reserve-server of a facility, allocate of a storage: psl-stdlib(7), PROCESSES"},
    {HABIT_CALL, "|release|free|unlock|",
     "a server is given back at the end of the accept's body; with 'use processes;' a facility has release-server, a "
     "storage deallocate: psl-stdlib(7), PROCESSES"},
    {HABIT_CALL, "|wait|await|wait-for|wait-event|",
     "with 'use processes;' an event has wait-for-event: psl-stdlib(7), PROCESSES"},
    {HABIT_CALL, "|trigger|succeed|notify|fire|signal|",
     "with 'use processes;' an event has set-event: psl-stdlib(7), PROCESSES"},
    {HABIT_CALL, "|interrupt|cancel|preempt|",
     "who may be interrupted waits for that, too: first of { hold 5 s { } call broken() { } }; psl(5), First of"},
    {HABIT_CALL, "|send|post|deliver|receive|recv|",
     "with 'use processes;' a mailbox has send-message and receive-message, with 'use mpi;' ranks have MPI-send and "
     "MPI-recv: psl-stdlib(7)"},

    {HABIT_TRANSACTION, "|transpose|completeexchange|totalexchange|", "did you mean 'alltoall'?"},
    {HABIT_TRANSACTION, "|broadcast|", "did you mean 'bcast'?"},
    {HABIT_TRANSACTION, "|receive|", "did you mean 'recv'?"},
    {HABIT_TRANSACTION, "|ireceive|", "did you mean 'irecv'?"},
    {HABIT_TRANSACTION, "|synchronise|synchronize|", "did you mean 'barrier'?"},
    {HABIT_TRANSACTION, "|reduceall|globalsum|gsum|", "did you mean 'allreduce'?"},
    {HABIT_TRANSACTION, "|gatherall|", "did you mean 'allgather'?"},

    {HABIT_REQUEST,
     "|makespan|time|result|results|predicted|response|throughput|queue|utilisation|waiting|wait|compute|communicate|"
     "communication|messages|bytes|firings|mean|minimum|maximum|p50|p90|p95|p99|percentile|percentiles|",
     "that is a figure, and requests are explained: where it goes says the report of 'psl run', by process with --by "
     "rank; what moves it 'psl sensitivity'; what makes two runs differ 'psl diff'"},

    {HABIT_STATEMENT,
     "|scheduleat|schedule|scheduleafter|schedule-at|schedule-after|senddelayed|sendafter|sendat|after|at|",
     "what is to happen later is requested with 'delay = 5 s;' among its clauses, or behind 'hold 5 s;'"},
    {HABIT_STATEMENT, "|waituntil|wait-until|until|",
     "who waits for a time holds until it: hold 5 s - clock; for a condition, calls an accept with that firing rule"},
    {HABIT_STATEMENT, "|wait|sleep|usleep|delay|timeout|advance|work|think|yield|await|",
     "time passes by 'hold 5 ms;', and a request is waited for by 'call LABEL(...);'"},
    {HABIT_STATEMENT, "|record|print|println|printf|log|echo|output|collect|observe|tally|",
     "'record NAME = NUMBER;' enters a number in the report"},
    {HABIT_STATEMENT, "|request|acquire|seize|release|enter|leave|lock|unlock|put|get|",
     "'call LABEL(...);' makes the request of that label, and a server is held to the end of the accept's body"},
    {HABIT_STATEMENT, "|raise|throw|abort|error|fail|die|panic|", "what must hold is said by 'assert CONDITION;'"},
    {HABIT_STATEMENT, "|try|catch|except|finally|",
     "nothing is thrown: 'optional selector' allows that nobody is there, 'first of { call LABEL() { ... } hold TIME { "
     "... } }' that an answer takes too long"},
    {HABIT_STATEMENT, "|with|using|",
     "'call LABEL(...);' makes the request of that label, and a server is held to the end of the accept's body"},
    {HABIT_STATEMENT, "|pass|nop|skip|noop|", "a block that does nothing is { }"},
    {HABIT_STATEMENT, "|exit|stop|terminate|quit|end|halt|finish|",
     "a body ends where it is through or at 'return;', a run when nothing is left to do, or by --max-time TIME"},
    {HABIT_STATEMENT, "|trigger|notify|signal|broadcast|emit|fire|interrupt|succeed|",
     "processes that wait are let go by an event of the library: use processes; psl-stdlib(7) has it"},
    {HABIT_STATEMENT, "|compute|execute|exec|consume|serve|service|process|busy|run|cpu|",
     "time passes by 'hold 5 ms;', work that another component does is asked for by 'call LABEL(...);'"},
    {HABIT_STATEMENT, "|mpi_send|mpi_recv|mpi_isend|mpi_irecv|mpi_bcast|mpi_reduce|mpi_allreduce|mpi_barrier|",
     "MPI's operations are requests to what 'use mpi;' declares: call send(...); psl-stdlib(7) lists them"},
    {HABIT_STATEMENT, "|set|assign|", "a var gets a value by '=' alone: NAME = VALUE;"},
    {HABIT_STATEMENT, "|break|continue|", "a loop ends by its condition: while CONDITION { ... }"},
    {HABIT_STATEMENT, "|elif|elseif|elsif|", "write 'else if'"},
    {HABIT_STATEMENT, "|var|int|float|double|long|bool|auto|const|param|",
     "in a body 'let NAME = VALUE;' gives a value a name; a var is declared in the component, before 'accepts:'"},
    {HABIT_STATEMENT, "|function|def|", "a function is declared in the component, before 'accepts:', or outside of it"},
    {HABIT_STATEMENT, "|switch|case|match|", "write 'if C { ... } else if D { ... } else { ... }'"},
    {HABIT_STATEMENT, "|unless|", "write 'if not (CONDITION) { ... }'"},
    {HABIT_STATEMENT, "|do|repeat|loop|forever|", "write 'while CONDITION { ... }' or 'for i in 1 .. n { ... }'"},
    {HABIT_STATEMENT, "|parallel|fork|par|spawn|all|",
     "'every selector' makes a call of all targets at once, and a dataflow request does not wait"},
    {HABIT_STATEMENT, "|reply|respond|answer|phase|phase1|phase2|second-phase|",
     "the reply is sent at the end of the body, or by 'return VALUE;', and what is done behind it is another accept: "
     "psl-queueing(7), RECIPES"},
    {HABIT_STATEMENT, "|forward|",
     "a server that hands on who has called it stands behind an accept without servers, which calls the one and then "
     "the other"},
    {HABIT_STATEMENT, "|drop|lose|discard|reject|balk|",
     "who finds no room goes away by 'patience = 0 s;' of the request: psl-queueing(7), RECIPES"},
    {HABIT_STATEMENT, "|route|goto|go|branch|",
     "one of several ways is taken by its chance: one of { 0.3 { call a(); } 0.7 { call b(); } }; psl-queueing(7), "
     "Routing"},
    {HABIT_STATEMENT, "|async|detach|start|launch|submit|background|",
     "who asks does not wait for a request of 'protocol = dataflow;': call LABEL(...);"},
    {HABIT_STATEMENT, "|join|",
     "'every selector' calls all targets at once, and waits for them: psl-queueing(7), RECIPES"},

    {HABIT_PART,
     "|behavior|behaviour|process|run|code|do|action|actions|steps|script|activity|execute|main|program|loop|work|"
     "service|",
     "what a component does stands behind 'body:'"},
    {HABIT_PART, "|receives|provides|offers|serves|handles|input|inputs|in|entry|entries|on|",
     "what a component is asked for stands behind 'accepts:'"},
    {HABIT_PART, "|calls|sends|needs|uses|output|outputs|out|connections|ports|links|children|gates|",
     "what a component asks others for stands behind 'requests:'"},
    {HABIT_PART, "|parameters|params|param|constants|const|variables|vars|state|fields|attributes|properties|init|",
     "params and vars stand one by one at the head of the component, before 'accepts:': param p : time = 5 ms; var n : "
     "int = 0;"},
    {HABIT_PART, "|activities|phases|phase|phase1|phase2|tasks|",
     "what an entry does stands in the body behind its accept; what is done behind the reply is another accept: "
     "psl-queueing(7), RECIPES"},

    {HABIT_DECLARATION,
     "|const|constant|define|int|float|double|real|string|bool|auto|var|variable|time|long|list|array|",
     "'param NAME : TYPE = VALUE;' is a value that may be set from outside, 'let NAME = VALUE;' one that may not, 'var "
     "NAME : TYPE = VALUE;' in a component one that its bodies change"},
    {HABIT_DECLARATION, "|import|include|require|using|from|", "'use NAME;' takes in another file or an evaluator"},
    {HABIT_DECLARATION, "|def|fn|func|proc|procedure|sub|",
     "write function NAME(p : TYPE, ...) -> TYPE = EXPRESSION; what takes time is a component with a body"},
    {HABIT_DECLARATION,
     "|class|struct|module|process|processor|task|entry|station|queue|server|resource|source|sink|node|actor|agent|"
     "object|"
     "host|machine|",
     "what works, waits or serves is a component: component NAME { accepts: ... body: ... requests: ... }"},
    {HABIT_DECLARATION, "|buffer|store|storage|container|mailbox|facility|semaphore|mutex|",
     "processes wait for each other at components of the library: use processes; component buffer like store { param "
     "count = 4; profile node type = buffer; }"},
    {HABIT_DECLARATION, "|network|model|main|simulation|run|",
     "what is run is a system: system NAME { requests: ... }"},
    {HABIT_DECLARATION, "|experiment|sweep|", "write study NAME of SYSTEM { vary ...; report ...; }"},
    {HABIT_DECLARATION, "|message|event|signal|port|interface|", "write transaction NAME(p : TYPE, ...) [-> TYPE];"},
    {HABIT_DECLARATION,
     "|delay|router|fork|join|classswitch|terminal|logger|region|container|event|facility|"
     "priorityresource|preemptiveresource|",
     "what serves or waits is a component like one of the library: use queueing; component cpu like fcfs-station { "
     "param service = exponential(5 ms); profile number = 0; } psl-queueing(7), The library"},
    {HABIT_DECLARATION, "|closedclass|openclass|customer|customers|workload|population|reference-task|",
     "customers are a component like one of the library: use queueing; component users like closed-customers { param "
     "class = users; param visits = [1]; } psl-queueing(7)"},
    {HABIT_DECLARATION, "|activity|phase|",
     "what is done stands in the body behind an accept: component NAME { accepts: ... body: ... requests: ... }"},

    {HABIT_MACHINE, "|bandwidth|link-bandwidth|network-bandwidth|bw|beta|",
     "the bandwidth is 1 / G, and from gap-threshold on 1 / Gl: --set 'G=1 / (10 GB/s)' --set 'Gl=1 / (10 GB/s)'"},
    {HABIT_MACHINE, "|latency|network-latency|link-latency|lat|alpha|", "the latency is L"},
    {HABIT_MACHINE, "|overhead|send-overhead|recv-overhead|o|",
     "the overhead of a message is os, that of a long one ol"},
    {HABIT_MACHINE, "|gap|message-gap|", "the gap a byte is G, that between messages g"},
    {HABIT_MACHINE, "|eager|eager-limit|eager-threshold|rendezvous|rendezvous-threshold|",
     "messages are eager below handshake-threshold"},
    {HABIT_MACHINE, "|cores|cores-per-node|ppn|processes-per-node|",
     "as many ranks share a node as ranks-per-node says"},
    {HABIT_MACHINE, "|s|eager-size|", "messages are eager below handshake-threshold"},
    {HABIT_DIMEMAS, "|speed|cpu-speed|cpu-power|relative-cpu-speed|ratio|cpu|factor|", "did you mean 'cpu-ratio'?"},
    {HABIT_DIMEMAS, "|bus|nbuses|number-of-buses|bus-count|", "did you mean 'buses'?"},
    {HABIT_DIMEMAS, "|network-bandwidth|bus-bandwidth|link-bandwidth|bw|", "did you mean 'bandwidth'?"},
    {HABIT_DIMEMAS, "|startup|start-up|network-latency|remote-startup|lat|", "did you mean 'latency'?"},
    {HABIT_DIMEMAS, "|eager|eager-threshold|eager-size|rendezvous|rendezvous-threshold|handshake-threshold|",
     "did you mean 'eager-limit'?"},
    {HABIT_DIMEMAS, "|local-latency|latency-inside|intra-node-latency|internal-latency|local-startup|",
     "did you mean 'inside-latency'?"},
    {HABIT_DIMEMAS, "|local-bandwidth|bandwidth-inside|intra-node-bandwidth|internal-bandwidth|",
     "did you mean 'inside-bandwidth'?"},
    {HABIT_DIMEMAS, "|nodes|number-of-nodes|machines|cpus|processors|cores|ppn|cpus-per-node|",
     "did you mean 'processors-per-node'?"},
    {HABIT_DIMEMAS, "|input|in-links|input-ports|", "did you mean 'input-links'?"},
    {HABIT_DIMEMAS, "|output|out-links|output-ports|", "did you mean 'output-links'?"},
    {HABIT_DIMEMAS, "|burst|bursts|",
     "bursts of computing are those of the trace, each divided by cpu-ratio: psl-replay(1)"},
    {HABIT_LOGGOPS, "|latency|network-latency|lat|alpha|", "the latency is L, of message-cost"},
    {HABIT_LOGGOPS, "|overhead|cpu-overhead|os|or|", "the overhead of a message is o, that of a byte O"},
    {HABIT_LOGGOPS, "|gap|message-gap|", "the gap between messages is g, that of a byte G, both of message-cost"},
    {HABIT_LOGGOPS, "|bandwidth|bw|beta|network-bandwidth|",
     "the bandwidth is 1 / G, and with MPI-Sim's costs from gap-threshold on 1 / Gl: --set 'G=1 / (10 GB/s)' --set "
     "'Gl=1 / (10 GB/s)'"},
    {HABIT_LOGGOPS, "|eager|eager-limit|eager-threshold|rendezvous|rendezvous-threshold|handshake-threshold|",
     "messages are eager up to the size S"},
    {HABIT_LOGGOPS, "|p|ranks|procs|processes|nprocs|", "the ranks are those of the schedule"},

    {HABIT_CHOICE, "|random|some|uniform|one|rand|choice|pick|",
     "one of several at random is 'any by uniform(0, 1) selector = { ... };', one that is free, else that with the "
     "shortest line, 'any selector = { ... };'"},
    {HABIT_CHOICE, "|shortest|jsq|shortest-queue|least|least-loaded|free|idle|nearest|min|",
     "one that is free, else that with the shortest line, is 'any selector = { ... };', that with the least of a "
     "number 'any by target.load selector = { ... };'"},
    {HABIT_CHOICE, "|rr|round-robin|roundrobin|cyclic|cycle|next|turn|",
     "one after another are asked by an index that the body counts on: selector = { ..., i = next };"},

    {HABIT_USE,
     "|simpy|salabim|csim|csim20|desmo-j|desmoj|arena|simul8|anylogic|simjava|jaamsim|simmer|despy|resources|stores|"
     "resource|store|container|facility|mailbox|event|events|buffer|buffers|",
     "resources, stores, containers, events and mailboxes are those of: use processes; psl-stdlib(7), PROCESSES"},
    {HABIT_USE,
     "|jmt|jsimg|jsim|jmva|lqns|lqn|lqsim|qnap|qnap2|pdq|ciw|mva|"
     "arrivals|customers|",
     "stations, customers and arrivals are those of: use queueing; psl-queueing(7)"},
    {HABIT_USE, "|queue|queues|queuing|stations|station|queuing-network|", "did you mean 'queueing'?"},
    {HABIT_USE, "|mpi4py|openmpi|mpich|messages|message-passing|", "did you mean 'mpi'?"},
    {HABIT_USE, "|logp|loggp|costs|", "did you mean 'message-cost'?"},
    {HABIT_USE, "|simgrid|omnet|omnetpp|ns3|ns-3|booksim|topology|network|torus|fat-tree|", "did you mean 'networks'?"},
    {HABIT_USE, "|random|math|numpy|np|scipy|stats|statistics|distributions|functions|list|lists|std|stdlib|time|",
     "functions and distributions are there without a 'use': exponential(5 ms), sqrt(x), mean(list); psl(5)"},
    {HABIT_USE, "|disk|disks|ssd|raid|files|filesystem|", "did you mean 'storage'?"},
    {HABIT_USE, "|cpu|hardware|machine|computer|", "did you mean 'machines'?"},

    {HABIT_INPUT, "|summary|describe|str|head|", "':last' prints all figures of the last run, ':params' the params"},
    {HABIT_INPUT, "|library|", "'use NAME;' takes in another file or an evaluator"},
    {HABIT_INPUT, "|print|println|printf|echo|show|display|disp|puts|cat|",
     "an expression alone prints its value, and ':help NAME' explains a name"},
    {HABIT_INPUT, "|del|delete|rm|remove|drop|forget|",
     "':undo' takes back what was declared or set last, ':unset PARAM' a setting; a declaration takes the place of the "
     "one of its name"},
    {HABIT_INPUT, "|vary|sweep|",
     "'study --vary n=4..6' runs the points; in a study of a model it is 'vary n in 4 .. 6;'"},
    {HABIT_INPUT, "|study|",
     "'study --vary n=1..3' runs the points; one that is kept is declared: study NAME of SYSTEM { vary n in 1 .. 3; }"},
    {HABIT_INPUT, "|repeat|again|rerun|", "':history' lists the inputs, and the arrow up brings the last ones back"},
    {HABIT_INPUT, "|reset|restart|clear|new|",
     "':unset PARAM' takes back a setting, ':load FILE' begins with that model"},
    {HABIT_INPUT, "|results|result|report|output|",
     "':last' prints all figures of the last run, last.NAME is one of them"},
    {HABIT_INPUT, "|import|source|open|include|require|using|from|",
     "':load FILE' loads a model, 'use NAME;' takes in another file or an evaluator"},
    {HABIT_INPUT, "|ls|dir|pwd|cd|", "'!ls' is done by the shell"},
    {HABIT_INPUT, "|seed|", "'run --seed 3' gives random numbers another beginning"},
    {HABIT_COLON, "|q|q!|wq|exit|bye|", "did you mean ':quit'?"},
    {HABIT_COLON, "|let|param|def|define|", "a declaration is typed as it is: let NAME = VALUE;"},
    {HABIT_INPUT, "|list|vars|variables|names|symbols|who|whos|env|",
     "':params' lists the params, ':help NAME' explains a name"},
};

/* think_time is think-time. */
static bool is_word(const char *listed, const char *word, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char a = listed[i] == '_' ? '-' : listed[i], b = word[i] == '_' ? '-' : word[i];
    if (tolower((unsigned char)a) != tolower((unsigned char)b)) return false;
  }
  return true;
}

static bool is_of(const struct habit *habit, const char *word, size_t length) {
  for (const char *at = habit->words; at[1]; at += strcspn(at + 1, "|") + 1)
    if (strcspn(at + 1, "|") == length && is_word(at + 1, word, length)) return true;
  return false;
}

const char *habit_help(enum habit_place place, const char *word, size_t length) {
  for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
    if (habits[i].place == place && is_of(&habits[i], word, length)) return habits[i].help;
  return NULL;
}

size_t habit_uses(const char *word, struct habit_use *uses, size_t most) {
  static const char *const places[] = {
      [HABIT_TYPE] = "a type",
      [HABIT_UNIT] = "a unit",
      [HABIT_VALUE] = "a value",
      [HABIT_DISCIPLINE] = "a discipline",
      [HABIT_COMPONENT] = "a component",
      [HABIT_PARAM] = "a param of a component",
      [HABIT_PROTOCOL] = "a protocol",
      [HABIT_ACCEPT] = "a clause of an accept",
      [HABIT_CALL] = "a transaction",
      [HABIT_DIMEMAS] = "a figure of Dimemas' machine",
      [HABIT_LOGGOPS] = "a figure of LogGOPS",
      [HABIT_STATEMENT] = "a statement",
      [HABIT_PART] = "a part of a component",
      [HABIT_DECLARATION] = "a declaration",
      [HABIT_MACHINE] = "a figure of a machine",
      [HABIT_INPUT] = "an input of a session",
      [HABIT_COLON] = "an input of a session",
      [HABIT_RESULT] = "a figure of a component",
      [HABIT_CLAUSE] = "a clause of a request",
      [HABIT_KEPT] = "what is kept of a record",
      [HABIT_TRANSACTION] = "an operation of MPI",
      [HABIT_REQUEST] = "what is explained",
      [HABIT_STUDY] = "an item of a study",
      [HABIT_SYSTEM] = "a setting of a system",
      [HABIT_CHOICE] = "who is chosen of several",
      [HABIT_USE] = "a file that is used",
      [HABIT_SOLVER] = "a solver of queueing networks",
  };
  size_t count = 0;
  for (size_t i = 0; count < most && i < sizeof habits / sizeof *habits; i++)
    if (is_of(&habits[i], word, strlen(word)))
      uses[count++] = (struct habit_use){places[habits[i].place], habits[i].help};
  return count;
}

const char *habit_word(enum habit_place place, const char *word, size_t length, size_t *meant) {
  static const char before[] = "did you mean '";
  const char *help = habit_help(place, word, length);
  *meant = length;
  if (!help || strncmp(help, before, sizeof before - 1) != 0) return word;
  help += sizeof before - 1;
  *meant = strcspn(help, "'");
  return help;
}
