# tolerance: 1e-9
# 'last' has figures of single instances: of stations beside those of their component, of classes, of processes. M/M/1 at
# 30 and 60 %: a visit takes 0.3 / 0.7 and 0.6 / 0.4 s. A field that it lacks is answered by those that are near.
cat > "$TMP/m.psl" <<'END'
use queueing;
component desk [d] : 0 <= d < 2 {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = d };
    transaction = visit(priority);
    protocol    = call-return;
    servers     = 1;
  body:
    hold exponential((d + 1) * 0.3 s);
}
component door like arrivals { param class = guest; param between = exponential(1 s); }
component guest like visitors { param class = guest; param visits = [1, 1]; }
system counter {
  requests:
    selector    = { domain = application[queueing], node type = arrivals, class = guest };
    transaction = arrive();
    protocol    = dataflow;
}
END
psl --no-rc --keep-going -c "$TMP/m.psl" <<'END' | sed -n '/^\[428/,$p'
run
[last.desk_0.response, last.desk_1.response]
last.desk_1.utilisation - last.desk_0.utilisation
last.desk_1.p95
last.desk.queue - last.desk_0.queue - last.desk_1.queue
last.desk_2.queue
last.q
last.desk_1.p9
run --set 'solver=analysis[Schweitzer]' -o /dev/null
last.guest.p95
last.desk_1.p99_9
END
exit 0
