# A figure of `last` is a number: it has no ends of a range or an interval, which a study has. A range took part in the
# second run, whose makespan has bounds as figures of their own; a number that is none of `last` is itself.
cd "$TMP" || exit
cat > office.psl <<'MODEL'
use queueing { param solver = simulation[queueing]; param half-width = 0.2; }
component desk like fcfs-station {
  param service = exponential(0.5 s);
  profile number = 0;
}
component door like arrivals {
  param class   = people;
  param between = exponential(1 s);
}
component people like visitors {
  param class  = people;
  param visits = [1];
}
system office {
  requests:
    selector    = { node type = arrivals, class = people };
    transaction = arrive();
    protocol    = dataflow;
}
MODEL
ask() { psl -c "$1" -e 'run --format csv --output out' -e "$2"; }
ask office.psl 'low(last.desk.queue)'
ask office.psl 'high(last.makespan)'
ask office.psl 'low(last.desk.firings)'
ask office.psl "study --report 'end = low(desk.queue), queue = desk.queue, half = desk.queue.half-width' --format csv" >study.csv
awk -F, 'NR == 2 && $1 == $3 && ($1 - ($2 - $5)) ^ 2 < 1e-18 { print "the end is half an interval below" }' study.csv
cat > range.psl <<'MODEL'
param t : time = 1 s .. 3 s;
transaction go();
component worker {
  accepts:
    profile = { domain = application };
    transaction = go();
    protocol = dataflow;
  body:
    hold t;
}
system work {
  requests:
    selector = { domain = application };
    transaction = go();
    protocol = dataflow;
}
MODEL
ask range.psl 'low(last.makespan)'
for what in last.low last.high 'high(t)' 'high(3 s)' 'low(2 * last.makespan)'; do ask range.psl "$what"; done
