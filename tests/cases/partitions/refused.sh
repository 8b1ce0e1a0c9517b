# What has an order among ranks is simulated in one partition, and a note says why.
cat > "$TMP/model.psl" <<'PSL'
use mpi;
use processes;
param what : term = none in [none, left-out, whoever, computed, implied, probe, servers, record, state, split, draw];
transaction go();
transaction serve();
component rank [r] : 0 <= r < 4 {
  accepts:
    profile     = { domain = application, node type = process, rank = r, size = 4 };
    transaction = go();
    protocol    = dataflow;
  body:
    hold 1 ms * (r + 1);
    if what == whoever and r == 0 { call receive(any-source); }
    if what == whoever and r == 1 { call deliver(0); }
    if what == computed and r == 0 { call receive(r - 1); }
    if what == computed and r == 1 { call deliver(0); }
    if what == implied and r == 0 { call take(); }
    if what == implied and r == 1 { call deliver(0); }
    if what == probe and r == 0 { call look(1); call receive(1); }
    if what == probe and r == 1 { call deliver(0); }
    if what == servers { call serve(); }
    if what == record { record held = 1 ms * r; }
    if what == state { call count(); }
    if what == split { call split(r mod 2); }
    if what == draw { call draw(); }
    call all();
    if what == left-out and r != 1 { call give(); }
  requests:
    receive(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                   transaction = MPI-recv(source = from);
                   protocol    = call-return;
    take(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
            transaction = MPI-recv();
            protocol    = call-return;
    look(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                transaction = MPI-probe(source = from);
                protocol    = call-return;
    deliver(to): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-send(destination = to, message = 1 kB);
                 protocol    = call-return;
    all(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
           transaction = MPI-allreduce(8 byte);
           protocol    = call-return;
    give(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
            transaction = MPI-bcast(8 byte, 0);
            protocol    = call-return;
    split(color): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                  transaction = MPI-comm-split(0, color);
                  protocol    = call-return;
    serve(): selector    = { domain = tool, node type = desk };
             transaction = serve();
             protocol    = call-return;
    count(): selector    = { domain = tool, node type = counter };
             transaction = serve();
             protocol    = call-return;
    draw(): selector    = { domain = tool, node type = dice };
            transaction = serve();
            protocol    = call-return;
}
component desk {
  accepts:
    profile     = { domain = tool, node type = desk };
    transaction = serve();
    protocol    = call-return;
    servers     = 1;
  body: hold 1 ms;
}
component counter {
  var n : int = 0;
  accepts:
    profile     = { domain = tool, node type = counter };
    transaction = serve();
    protocol    = call-return;
  body: n = n + 1;
}
component dice {
  accepts:
    profile     = { domain = tool, node type = dice };
    transaction = serve();
    protocol    = call-return;
  body: hold exponential(1 ms);
}
system model {
  requests:
    every selector = { domain = application, node type = process };
    transaction    = go();
    protocol       = dataflow;
}
PSL
for what in none left-out whoever computed implied probe servers record state split draw; do
  echo "$what:"
  psl run "$TMP/model.psl" --set what=$what --threads 2:1 2>&1 > "$TMP/two.txt"
  psl run "$TMP/model.psl" --set what=$what --quiet > "$TMP/one.txt"
  cmp "$TMP/one.txt" "$TMP/two.txt"
done
for options in '--trace t.json' '--profile' '--max-firings 1000' '--max-time 1s'; do
  echo "$options:"
  (cd "$TMP" && psl run model.psl $options --threads 2:1 2>&1 > two.txt)
done
echo 'non-blocking receives of handshakes behind a warm-up:'
psl run "$PSL_PATH/examples/mpi/halo2d.psl" --set n=1024 --warm-up 1ms --threads 2:1 2>&1 > "$TMP/two.txt"
psl run "$PSL_PATH/examples/mpi/halo2d.psl" --set n=1024 --warm-up 1ms --quiet > "$TMP/one.txt"
cmp "$TMP/one.txt" "$TMP/two.txt"
echo 'one rank:'
psl run "$PSL_PATH/tests/bench/allreduce.psl" --set p=1 --threads 2:1 2>&1 > "$TMP/two.txt"
echo 'a queueing network, a model of processes:'
psl run "$PSL_PATH/examples/queueing/central-server.psl" --threads 2:1 2>&1 > "$TMP/two.txt" | grep -A2 thread
psl run "$PSL_PATH/examples/simulation/bank-renege.psl" --threads 2:1 2>&1 > "$TMP/two.txt"
echo 'where nobody is told of the ends of processes:'
env --ignore-signal=CHLD psl run "$TMP/model.psl" --set what=state --threads 2:1 2>&1 > "$TMP/two.txt"
echo 'few ranks:'
psl run "$TMP/model.psl" --threads 2 2>&1 > "$TMP/two.txt"
psl run "$TMP/model.psl" --threads 2:3 2>&1 > "$TMP/two.txt"
psl run "$TMP/model.psl" --threads 4:2 --timing --format csv | grep partitions
echo 'no number:'
psl run "$TMP/model.psl" --threads many
psl run "$TMP/model.psl" --threads 2:
psl run "$TMP/model.psl" --threads 2:0
psl run "$TMP/model.psl" --threads many:2
