# A model may be called as what it uses: a file does not mean itself, but the library's file or the evaluator of its name.
cd $TMP
cat > mpi.psl <<'M'
use mpi;
use networks;
transaction begin();
component rank [r] : 0 <= r < 2 {
  accepts:
    profile     = { domain = application[test], node type = rank, rank = r, size = 2 };
    transaction = begin();
    protocol    = dataflow;
  body:
    call barrier();
    assert abs(clock - 69 us) < 1 ns;  // 2 o + L, with o = L = 23 us
  requests:
    barrier: selector    = { domain = runtime, node type = mpi, evaluation mode = analysis[LogGP] };
             transaction = MPI-barrier();
             protocol    = call-return;
}
system test {
  requests:
    every selector = { domain = application[test], node type = rank };
    transaction    = begin();
    protocol       = dataflow;
}
M
psl run mpi.psl | head -n 1
ln -s mpi.psl linked.psl
psl run linked.psl | head -n 1
printf ':load mpi.psl\nrun\n' | psl | head -n 1
echo 'use "networks.psl" { param network = simulation[NIC]; } assert network == simulation[NIC];' > networks.psl
psl check networks.psl
echo 'use LogGP; assert LogGP.overhead(0 byte, 1 s, 2 s, 9 kB) == 1 s;' > LogGP.psl
psl check LogGP.psl
echo 'use alone; use "alone.psl"; use "./alone.psl";' > alone.psl
psl check alone.psl
