# What people give to params: options for params, lists and percentages as other programs take them, sizes, methods.
cat >"$TMP/queue.psl" <<'END'
use queueing;
component desk like fcfs-station { param service = exponential(0.08 s); profile number = 0; }
component door like arrivals { param class = guest; param between = exponential(0.1 s); }
component guest like visitors { param class = guest; param visits = [1]; }
system s { requests: selector = { node type = arrivals }; transaction = arrive(); protocol = dataflow; }
END
cat >"$TMP/grid.psl" <<'END'
param sizes : [int] = [4, 4];
param lambda = 20;
END
for words in '--percentiles 95,99' '--percentiles 95' '--confidence 99' '--confidence 0.99' '--max-time 1day' '--set percentiles=95,99' '--set percentiles=[95,99]' '--set confidence=99' '--set solver=simulate' '--set solver=analytic'; do
  echo "$words"
  psl run "$TMP/queue.psl" $words
done
psl run "$TMP/grid.psl"
sed -i 's/lambda =/lambda : int =/' "$TMP/grid.psl"
psl check "$TMP/grid.psl" --set sizes=4x4
# An evaluation mode that is named by its qualifier, and one that there is in others.
cat >"$TMP/mode.psl" <<'END'
param mode : term = simulation[kernel];
param kind : term = gpu in [cpu, gpu];
transaction compute(); transaction launch(); transaction go();
coercion compute -> launch { call launch(); }
component app {
  accepts: profile = { domain = application }; transaction = go(); protocol = dataflow;
  body: call ask();
  requests: ask(): selector = { domain = hardware, node type = kind, evaluation mode = mode }; transaction = compute(); protocol = call-return;
}
component other { accepts: profile = { domain = hardware, node type = cpu, evaluation mode = N/A }; transaction = compute(); protocol = call-return; body: hold 3 s; }
component device { accepts: profile = { domain = hardware, node type = gpu, evaluation mode = simulation[kernel] }; transaction = launch(); protocol = call-return; body: hold 2 s; }
component formula { accepts: profile = { domain = hardware, node type = gpu, evaluation mode = analysis[roofline] }; transaction = launch(); protocol = call-return; body: hold 1 s; }
system s { requests: every selector = { domain = application }; transaction = go(); protocol = dataflow; }
END
psl run "$TMP/mode.psl" --set mode=roofline
psl run "$TMP/mode.psl" --set mode=measurement
