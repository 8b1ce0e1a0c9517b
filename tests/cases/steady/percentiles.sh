# tolerance: 1e-9
# Percentiles of single cycles and single visits: which ones, of what, in every format, in studies and sessions.
# Plain build alone: a long simulation.
cd "$TMP" || exit
only() { sed -n '/^percentiles/,/^$/p'; }
cat > desks.psl <<'E'
use queueing { param solver = simulation[queueing]; param half-width = 10 %; }
component desk [d] : 0 <= d < 2 {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = d };
    transaction = visit();
    protocol    = call-return;
    servers     = 1;
  body:
    hold exponential(1 s);
}
component door like arrivals { param class = guest; param between = exponential(4 s); }
component guest like visitors { param class = guest; param visits = [1, 1]; }
component gate like arrivals { param class = other; param between = exponential(4 s); }
component other like visitors { param class = other; param visits = [1, 0]; }
system s { requests: every selector = { node type = arrivals }; transaction = arrive(); protocol = dataflow; }
study by-rate of s {
  vary half-width in [10 %, 20 %];
  report a = guest.p95, b = desk.p50, c = other.p99;
}
E
psl run desks.psl | only
psl run desks.psl --set 'percentiles=[99.9 %, 0.5, 50 %]' | only
psl run desks.psl --set 'percentiles=[]' | grep -c 'percentiles of'
psl run desks.psl --set 'percentiles=[95]' 2>&1 | grep -v '^ *[0-9]* |' | sed 's|^[^ ]*/stdlib|stdlib|'
psl run desks.psl --set 'percentiles=[95 %]' --format json | grep '"of"'
psl run desks.psl --set 'percentiles=[95 %]' --format csv | grep '^responses,guest'
psl run desks.psl --set 'percentiles=[95 %]' --format html | grep -c 'percentiles of the response'
psl run desks.psl --set 'percentiles=[95 %]' --set replications=3 | only
psl study desks.psl
psl -c desks.psl -e run -e 'last.guest.p95' -e 'last.desk.p50' | tail -2
psl compare desks.psl --vary 'half-width=10 %,20 %' --set 'percentiles=[95 %]' | only
psl compare desks.psl --vary 'solver=analysis[MVA],simulation[queueing]' --set 'percentiles=[95 %]' | only
# What a study can name: those that the model's list has.
sed 's/half-width = 10 %;/& param percentiles = [75 %];/; s/p95/p75/; s/p50/p90/' desks.psl > named.psl
psl check named.psl 2>&1 | grep -v '^ *[0-9]* |'
# A way from accept to accept: the mill, which is its instance's clock, and the press together. Both responses are
# exponential and independent: their sum has a p95 of 9.488 s. Then a job is at the press and at the oven at once: a
# single cycle has no response. Then it waits for both: the later one counts.
cat > line.psl <<'E'
param solver : term = simulation[queueing];
param both : bool = false;
transaction work();
component source [s] : 0 <= s < 1 {
  accepts:
    profile     = { domain = application[line], node type = source, evaluation mode = solver };
    transaction = work();
    protocol    = dataflow;
  body:
    hold exponential(2 s);
  requests:
    selector = { domain = application[line], node type = mill }; transaction = work(); protocol = dataflow;
    selector = { domain = application[line], node type = source, s = s }; transaction = work(); protocol = dataflow;
}
component mill {
  accepts:
    profile     = { domain = application[line], node type = mill, evaluation mode = solver };
    transaction = work();
    protocol    = dataflow;
  body:
    hold exponential(1 s);
  requests:
    selector = { domain = application[line], node type = press }; transaction = work(); protocol = dataflow;
    where both;
    selector = { domain = application[line], node type = oven }; transaction = work(); protocol = dataflow;
}
component press {
  accepts:
    profile     = { domain = application[line], node type = press, evaluation mode = solver };
    transaction = work();
    protocol    = dataflow;
    servers     = 1;
  body:
    hold exponential(1 s);
}
component oven like press { profile node type = oven; }
system line {
  requests: selector = { domain = application[line], node type = source }; transaction = work(); protocol = dataflow;
}
E
psl run line.psl | only
psl run line.psl --set both=true | only
cat > fork.psl <<'E'
use queueing { param solver = simulation[queueing]; }
component desk [d] : 0 <= d < 2 {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = d };
    transaction = visit();
    protocol    = call-return;
    servers     = 1;
  body:
    hold (d + 1) * 1 s;
}
component people [p] : 0 <= p < 1 {
  accepts:
    profile     = { domain = application[queueing], node type = customer, evaluation mode = solver };
    transaction = cycle();
    protocol    = dataflow;
  body:
    hold exponential(1 s);
    call both();
  requests:
    both(): every selector = { domain = hardware[server], node type = station };
            transaction = visit(); protocol = call-return;

    selector = { domain = application[queueing], node type = customer, p = p };
    transaction = cycle(); protocol = dataflow;
}
system fork { requests: selector = { node type = customer }; transaction = cycle(); protocol = dataflow; }
E
psl run fork.psl | only | grep -v station
