# A param that names a solver of queueing networks is varied over all that take the network; those that do not say why.
# M/M/1 at 1/2: the response is 2 s. A queue that grows for ever has no solver.
cat >"$TMP/m.psl" <<'END'
use queueing;
param gap : time = 2 s;
component desk like fcfs-station { param service = exponential(1 s); profile number = 0; }
component door like arrivals { param class = guest; param between = exponential(gap); }
component guest like visitors { param class = guest; param visits = [1]; }
system counter { requests: selector = { node type = arrivals, class = guest }; transaction = arrive(); protocol = dataflow; }
END
cd "$TMP" || exit 1
psl compare m.psl --vary solver | sed -n 1,9p
psl compare m.psl --vary solver --set gap=500ms
