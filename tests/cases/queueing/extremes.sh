# Loads all but saturated, and times too far apart for the numbers of a solver: refused, not hung over or made up.
cd "$TMP" || exit
cat > mixed.psl <<'END'
use queueing;
param gap : time = 1 s;
component desk like fcfs-station { param service = exponential(1 s); param servers = 2; profile number = 0; }
component door like arrivals { param class = guest; param between = exponential(gap); }
component guest like visitors { param class = guest; param visits = [1]; }
component people like closed-customers { param class = people; param think = exponential(1 s); param visits = [1]; }
system s {
  requests:
    selector = { node type = customer, class = people }; transaction = cycle(); visits = 2; protocol = dataflow;
    selector = { node type = arrivals, class = guest }; transaction = arrive(); protocol = dataflow;
}
END
psl run mixed.psl --set 'gap=0.50000000001 s' 2>&1 | grep -A9 error
cat > small.psl <<'END'
use queueing;
component desk like fcfs-station { param service = exponential(1e-300 s); profile number = 0; }
component people like closed-customers { param class = people; param visits = [1e-10]; }
system s { requests: selector = { node type = customer, class = people }; transaction = cycle(); visits = 2; protocol = dataflow; }
END
for solver in MVA bounds; do
  psl run small.psl --set "solver=analysis[$solver]" 2>&1 | grep -A3 error
done
# Open networks without product form: who can take them.
sed -i '/people/d; s/  s.*type = customer.*//; s/gap : time = 1 s/gap : time = 2 s/; s/service = exponential/service = constant/' mixed.psl
psl run mixed.psl 2>&1 | grep -A4 -E 'error:'
