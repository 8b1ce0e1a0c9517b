# Figures of the last run of a network by class of customers at a station, as studies have them: of visits, of which a cycle
# of class a makes two. By Little's law as many are there as come in a second times how long each stays; all classes together
# are the station.
cat > "$TMP/network.psl" <<'MODEL'
use queueing;
component desk like fcfs-station {
  param service = exponential(0.3 s);
  profile number = 0;
}
component a like closed-customers {
  param class  = a;
  param think  = exponential(5 s);
  param visits = [2];
}
component b like closed-customers {
  param class  = b;
  param think  = exponential(10 s);
  param visits = [1];
}
system office {
  requests:
    selector    = { node type = customer, class = a };
    transaction = cycle();
    visits      = 3;
    protocol    = dataflow;

    selector    = { node type = customer, class = b };
    transaction = cycle();
    visits      = 4;
    protocol    = dataflow;
}
MODEL
cd "$TMP" || exit
psl -c network.psl <<'END2' | tail -n 5
run --format csv --output out
last.desk.a
last.desk.b.response
abs(last.desk.a.queue - last.desk.a.throughput * last.desk.a.response) < 1e-9
abs(last.desk.a.queue + last.desk.b.queue - last.desk.queue) < 1e-9
abs(last.desk.a.throughput - 2 * last.a.throughput) < 1e-9 s^-1
END2
psl study network.psl --report desk.a.response,desk.b.response --quiet
