# tolerance: 1e-9
# Figures of single instances in a database: what a run was not asked for is not kept of it, so a study that asks for
# another one runs again, once; that one is not there is kept, too. Stations of M/M/1 at 30 and 60 %: a visit takes
# 0.3 / 0.7 and 0.6 / 0.4 s, its 95th percentile ln 20 times that.
cd "$TMP" || exit
cat > m.psl <<'END'
use queueing;
param gap : time = 1 s;
component desk [d] : 0 <= d < 2 {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = d };
    transaction = visit(priority);
    protocol    = call-return;
    servers     = 1;
  body:
    hold exponential((d + 1) * 0.3 s);
}
component door like arrivals { param class = guest; param between = exponential(gap); }
component guest like visitors { param class = guest; param visits = [1, 1]; }
system counter {
  requests:
    selector    = { domain = application[queueing], node type = arrivals, class = guest };
    transaction = arrive();
    protocol    = dataflow;
}
study desks of counter {
  vary   gap in [1 s];
  report desk[0].response, desk[1].response, desk[1].p95, busy = desk[1].utilisation - desk[0].utilisation,
         both = desk.queue - desk[0].queue - desk[1].queue, desk[2].queue;
  assert abs(desk[0].response / (0.3 s / 0.7) - 1) < 1e-9 and abs(desk[1].p95 / (log(20) * 1.5 s) - 1) < 1e-9;
}
END
runs() { sqlite3 k.db 'SELECT count(*) FROM run'; }
psl study m.psl --db k.db 2>&1
runs
psl study m.psl --db k.db -q >/dev/null 2>&1; runs
psl study m.psl --db k.db -q --report 'desk[0].throughput' >/dev/null 2>&1; runs
psl study m.psl --db k.db -q --report 'desk[0].throughput' --jobs 2 >/dev/null 2>&1; runs
sqlite3 k.db 'SELECT "desk[0].throughput", "desk[1].response" FROM desks'
