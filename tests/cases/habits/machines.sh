# Figures of machines and networks by other names than LogGP's.
cd "$TMP"
cat >ring.psl <<'END'
use mpi;
component mine like computer { param L = 1 us; param os = 1 us; param G = 1 ns/byte; profile machine = mine; }
transaction go();
component rank [r] : 0 <= r < 2 {
  accepts:
    profile     = { domain = application, node type = rank, rank = r, size = 2 };
    transaction = go();
    protocol    = dataflow;
  body:
    call exchange(1 - r);
  requests:
    exchange(to):
      selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-sendrecv(to, 1 KiB, to);
      protocol    = call-return;
}
system ring {
  requests:
    every selector = { domain = application, node type = rank };
    transaction    = go();
    protocol       = dataflow;
}
END
for set in 'bandwidth=10 GB/s' 'latency=1 us' 'overhead=1 us' cores=8 eager-limit=64KiB; do
  psl run ring.psl --set "$set"
done
sed 's/param G/param bandwidth/' ring.psl >other.psl
psl check other.psl
psl run ring.psl --set machine=mine --set network=flows 2>&1 | grep help | uniq
