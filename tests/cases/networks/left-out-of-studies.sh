# Messages that would wait for interfaces are a figure of a run's report from 1 % of the run on; studies and comparisons, which
# do not show it, warn from there on, once, with the number of points, in all formats. Rank 0 gets n - 1 messages of 1000 byte
# at one time, its interface takes 70 us for each, so that the last goes 70 (n - 2) us later: 420 us of 8 ranks, of a run of
# 50 ms less than 1 %, and 2.1 ms of 32.
cat >"$TMP/incast.psl" <<'END'
use mpi;
param n : int = 8;
param work : time = 50 ms;
transaction go();
component rank [r] : 0 <= r < n {
  accepts:
    profile     = { domain = application[test], node type = rank, rank = r, size = n };
    transaction = go();
    protocol    = dataflow;
  body:
    if r == 0 {
      for k in 1 .. n - 1 { call receive(); }
    } else {
      hold work;
      call send();
    }
  requests:
    send(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
            transaction = MPI-send(0, 1000 byte);
            protocol    = call-return;
    receive(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
               transaction = MPI-recv();
               protocol    = call-return;
}
system incast {
  requests:
    every selector = { domain = application[test], node type = rank };
    transaction    = go();
    protocol       = dataflow;
}
END
cd "$TMP" || exit
psl run incast.psl --set n=32 | grep interfaces
psl study incast.psl --vary n=8,16,32 --vary work=10ms,50ms --report communication --db left.db
psl study incast.psl --vary n=8,32 --report communication --format csv
psl study incast.psl --vary n=16,32 --report communication --format json 2>&1 | grep -o '"warnings": \["mess[a-z]*\|^note: .*leaves'
psl report left.db --quiet --output left.html
grep -o -e 'Warned.*' -e 'first at n[^,]*,[^,]*,' left.html
psl compare incast.psl --vary n=8,16,32 2>&1 | sed '/for what/,$d'
psl compare incast.psl --vary n=8,16,32 --format csv 2>&1 | grep 'warn' | cut -c 1-80
psl compare incast.psl --vary n=8,32 --set 'network=simulation[NIC]' | sed '/for what/,$d'
