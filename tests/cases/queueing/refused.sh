# What analyses of networks cannot take: each a change of base.psl.
try() { # WHAT SED-SCRIPT ARGUMENTS...
  echo "-- $1"
  sed -e '1,2d' -e "$2" base.psl > "$TMP/model.psl"
  shift 2
  (cd "$TMP" && psl run model.psl "$@" 2>&1 >out | sed 's/^/  /')
}
try 'nothing' ''
echo "-- the shape of bodies"
try 'a while' 's/call job();/while seen < 3 { call job(); }/'
try 'a state' "s/call job();/&\n    seen = seen + 1;/"
try 'a condition on state' 's/call job();/if seen > 1 { call job(); }/'
try 'a condition on the clock' 's/call job();/if clock > 1 s { call job(); }/'
try 'a hold that depends on the clock' 's/call job();/let t = clock; hold t;/'
try 'a function of a distribution' 's/hold service;/hold max(service, 1 s);/'
try 'a time that is drawn' 's/hold service;/let t : time = service; hold t;/'
try 'a choice by a number of a continuum' 's/call job();/let k : real = uniform(0, 2); call job();/'
try 'an argument of a continuum' 's/job()/job(k)/; s/call job(k);/call job(floor(2 * uniform(0, 1)));/'
try 'an argument drawn twice' 's/job()/job(k)/; s/call job(k);/call job(draw(bernoulli(0.5)) + draw(bernoulli(0.5)));/'
try 'two arguments that are drawn' 's/job()/job(k, l)/; s/call job(k, l);/call job(bernoulli(0.5), bernoulli(0.5));/; s/work(0)/work(floor(k + l))/'
try 'a comparison by chance' 's/call job();/if uniform(0, 1) < 0.5 { call job(); }/'
try 'no finite variance' 's/hold service;/hold pareto(1.5, 1 s);/'
try 'an evaluator' "s/call job();/call task-graph.critical-path();/; 3i use task-graph;"
try 'a profile that changes' "s/call job();/&\n    profile load = 1;/; s/evaluation mode = solver/&, load = 0/"
try 'a loop that does not end' 's/call job();/for i in 1 .. 3 by 0 { call job(); }/'
try 'a very long loop' 's/call job();/for i in 1 .. 100_000_000 { call job(); }/'
try 'chances that depend on a state' 's/call job();/one of { min(seen, 1) { call job(); } 1 - min(seen, 1) { } }/'
try 'chances that do not come to 1' 's/call job();/one of { 0.5 { call job(); } N * 0.5 { } }/'
try 'a branch that returns' 's/call job();/one of { 0.5 { call job(); } 0.5 { return; } }/'
try 'a token by chance' 's/call job();/one of { 0.5 { call job(); } 0.5 { call on(); } }/; s/job():/on(): selector = { node type = customer, n = n };\n transaction = cycle();\n protocol = dataflow;\n&/'
echo "-- requests"
try 'any' 's/job(): selector/job(): any selector/'
try 'any by what is known of the targets' 's/job(): selector/job(): any by target.load selector/; s/node type = station }/&/; s/node type = station };/node type = station, load = 1 };/'
try 'any by one of few' 's/job(): selector/job(): any by bernoulli(0.5) selector/'
try 'a token to any' 's/    selector    = { domain = application.queueing., node type = customer, n = n };/    any by uniform(0, 1) selector = { domain = application[queueing], node type = customer, n < N, n >= 0 };/'
try 'every' 's/job(): selector/job(): every selector/'
try 'negative visits' 's/transaction = work(0);/&\n visits = -1;/'
try 'a negative delay' 's/transaction = work(0);/&\n delay = -1 s;/'
try 'servers while calling' '/hold service;/a requests:\n selector = { node type = disk };\n transaction = read();\n protocol = call-return;\n}\ntransaction read();\ncomponent disk {\n accepts:\n profile = { domain = hardware[server], node type = disk };\n transaction = read();\n protocol = call-return;'
try 'no server' 's/servers     = 1;/servers = 0;/'
try 'a circle of calls' 's/servers     = 1;//; /hold service;/a requests:\n selector = { node type = other };\n transaction = work(0);\n protocol = call-return;\n}\ncomponent other {\n accepts:\n profile = { domain = hardware[server], node type = other };\n transaction = work(priority);\n protocol = call-return;\n requests:\n selector = { node type = station };\n transaction = work(0);\n protocol = call-return;'
try 'a param that is asked for' 's/component server {/&\n param read : time = call Timer.time("b.so", "b");/; 3i use Timer;'
try 'a firing rule' 's/servers     = 1;/firing rule = priority < 5;/'
try 'a server for several at once' 's/every selector/selector/; s/node type = customer };/node type = customer, n = 0 };/; s/    transaction    = cycle();/&\n visits = 4;/'
try 'half a customer' 's/    transaction    = cycle();/&\n visits = 0.5;/'
try 'cycles that differ' 's/    transaction    = cycle()/    transaction = cycle(0)/; s/transaction cycle()/transaction cycle(k : int)/; s/    transaction = cycle();/    transaction = cycle(KK);/; 30,40s/KK/k + 1/; s/KK/k/'
try 'customers that end' '/n = n };/,/dataflow;/d'
try 'a system that calls' '/n = n };/,/dataflow;/d; s/= dataflow/= call-return/'
try 'two modes' 's/evaluation mode = solver/evaluation mode = if n == 0 then analysis[MVA] else analysis[Bard]/'
echo "-- not of product form"
try 'fcfs, not exponential' 's/exponential(1 s);/constant(1 s);/'
try 'fcfs, for bounds' 's/exponential(1 s);/constant(1 s);/' --set 'solver=analysis[bounds]'
try 'priorities' 's/servers     = 1;/&\n discipline = priority;/; s/work(0)/work(n)/'
echo "-- sizes"
try 'an open solver' '' --set 'solver=analysis[open]'
try 'bounds of several servers' 's/servers     = 1;/servers = 2;/' --set 'solver=analysis[bounds]'
try 'no time at all' 's/hold exponential(2 s);//; s/hold service;//'
try 'a population without bounds' 's/every selector/selector/; s/node type = customer };/node type = customer, n = 0 };/; s/    transaction    = cycle();/&\n visits = 1e12;/; 20,27s/= dataflow;/&\n servers = unlimited;/'
echo '-- saturated'
sed -e 's/0.5 s/1.5 s/' open.psl > "$TMP/model.psl"
(cd "$TMP" && psl run model.psl 2>&1 >out | sed 's/^/  /')
try 'a convolution that takes too long' 's/every selector/selector/; s/node type = customer };/node type = customer, n = 0 };/; s/    transaction    = cycle();/&\n visits = 3_000_000;/; 20,27s/= dataflow;/&\n servers = unlimited;/; s/servers     = 1;/servers = 1_000_000;/'
try 'too many servers' 's/servers     = 1;/servers = 1_000_000_000;/'
echo '-- constants beyond long double'
psl run repair.psl --set machines=10000 --set repairmen=5000 2>&1 >"$TMP/out" | sed 's/^/  /'
