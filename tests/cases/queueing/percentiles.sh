# tolerance: 1e-9
# Percentiles in closed form beside an awk program that sums partial fractions: of visits to stations with 1, 2 and 3 servers,
# and of the cycle through all three. Then what analysis does not know and says so: feedback, overtaking in the middle, other
# disciplines, a cycle by chance, closed classes; who simulates is told all. Simulation's intervals hold the closed form.
# Plain build alone: long simulations.
cd "$TMP" || exit
cat > line.psl <<'END'
use queueing;
param clerks : int  = 1;
param hall   : int  = 1;
param way    : [real] = [1, 1, 1];
component clerk like fcfs-station { param service = exponential(clerks * 0.8 s); param servers = clerks; profile number = 0; }
component till like fcfs-station { param service = exponential(hall * 0.6 s); param servers = hall; profile number = 1; }
component exit like fcfs-station { param service = exponential(2 * 0.7 s); param servers = 2; profile number = 2; }
component door like arrivals { param class = guest; param between = exponential(1 s); }
component guest like visitors { param class = guest; param visits = way; }
system counter {
  requests:
    selector    = { domain = application[queueing], node type = arrivals, class = guest };
    transaction = arrive();
    protocol    = dataflow;
}
study by-clerks of counter {
  vary   clerks in [1, 3];
  report p50 = guest.p50, p99 = guest.p99, visit = till.p95;
}
END
all() { sed -n '/percentiles/,/^$/p'; }
psl run line.psl --format csv | grep -E ',p(50|99),'
psl run line.psl --set clerks=3 --set 'percentiles=[50 %, 99 %]' --format csv | grep -E ',p(50|99),'
awk 'function erlang(c, a,   b, n) { b = 1; for (n = 1; n <= c; n++) b = a * b / (n + a * b); return c * b / (c - a * (1 - b)) }
function tail(t,   i, j, k, sum) { for (i = 1; i <= rates; i++) { k = exp(-r[i] * t); for (j = 1; j <= rates; j++) if (j != i) k *= r[j] / (r[j] - r[i]); sum += k } return sum }
# stations from s on, those before have put rates and chance
function longer(t, s, chance,   c, a, p, was, sum) {
  if (s > last) return chance * tail(t)
  c = servers[s]; a = c * load[s]; p = erlang(c, a); was = rates
  if (c == 1) { r[++rates] = (1 - load[s]) / load[s]; sum = longer(t, s + 1, chance); rates = was; return sum }
  r[++rates] = 1 / a; sum = longer(t, s + 1, chance * (1 - p)); rates = was + 1
  r[++rates] = (c - a) / a; sum += longer(t, s + 1, chance * p); rates = was; return sum }
function find(first, until, part,   low, high, n, m) { last = until; high = 1; rates = 0
  while (longer(high, first, 1) > 1 - part) high *= 2
  for (n = 0; n < 100; n++) { m = (low + high) / 2; if (longer(m, first, 1) > 1 - part) low = m; else high = m } return m }
BEGIN { load[1] = 0.8; load[2] = 0.6; load[3] = 0.7; servers[2] = 1; servers[3] = 2
  for (servers[1] = 1; servers[1] < 4; servers[1] += 2) for (s = 0; s < 4; s++)
    printf "%d clerks, %s: %.12g %.12g\n", servers[1], s ? "station " s : "cycle", find(s ? s : 1, s ? s : 3, 0.5), find(s ? s : 1, s ? s : 3, 0.99) }'
echo "sums"; psl study line.psl
echo "by chance"; psl run line.psl --set 'way=[1, 1, 0.5]' --set 'percentiles=[50 %]' 2>&1 | grep -A5 -E '^line.*note|^--set.*note|percentiles of'
echo "again"; psl run line.psl --set 'way=[1, 1.5, 1]' | all
echo "overtaken"; psl run line.psl --set hall=2 | all
echo "others"; sed 's/till like fcfs/till like shared/' line.psl > shared.psl; psl run shared.psl | all; psl study shared.psl
cat > closed.psl <<'END'
use queueing;
component disk like fcfs-station { param service = exponential(1 s); profile number = 0; }
component people like closed-customers { param class = people; param think = exponential(4 s); param visits = [1]; }
system s { requests: selector = { node type = customer, class = people }; transaction = cycle(); visits = 3; protocol = dataflow; }
END
echo "closed"; psl run closed.psl --set 'percentiles=[50 %]' 2>&1 | grep -A3 -E 'note|percentiles of'
echo "in the model"; sed 's/^use queueing;/use queueing { param percentiles = [50 %]; }/' closed.psl > wanted.psl
psl run wanted.psl 2>&1 >/dev/null; psl compare wanted.psl --vary 'solver=analysis[MVA],analysis[Schweitzer]' 2>&1 | grep note
echo "recorded"; cat > own.psl <<'END'
param way : term = analysis[MVA];
transaction think(); transaction ask();
component desk { accepts: profile = { domain = hardware[desk], evaluation mode = way }; transaction = ask(); protocol = call-return; servers = 1; body: hold exponential(1 s); }
component guest [g] : 0 <= g < 1 {
  accepts: profile = { domain = application[guest], evaluation mode = way }; transaction = think(); protocol = dataflow;
  body: hold exponential(1 s); let asked = clock; call go(); record stay = clock - asked, quantiles [95 %];
  requests: go(): selector = { domain = hardware[desk] }; transaction = ask(); protocol = call-return;
    selector = { domain = application[guest], g = 0 }; transaction = think(); protocol = dataflow;
}
system s { requests: selector = { domain = application[guest] }; transaction = think(); protocol = dataflow; }
END
psl run own.psl 2>&1 >/dev/null
echo "none wanted"; psl run closed.psl --set 'percentiles=[]' 2>&1 | grep -E 'note|percentiles of'
echo "far out"; psl run line.psl --set 'solver=simulation[queueing]' --set 'percentiles=[99.999 %]' | all
exit 0
