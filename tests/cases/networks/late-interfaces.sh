# Ranks that share the interface of a node cost nothing in a network without: who compares runs, or has many, is told where
# that is much. Of 16 ranks on two nodes each sends 64 KiB to the 8 of the other, 64 x (2.62 us + 50 ns for a request) =
# 171 us in all for either interface; with interfaces the run is by more than what is warned of later.
cat >"$TMP/all.psl" <<'END'
use mpi;
use message-cost { param machine = cluster; }
param before : time = 200 us;
transaction go();
component rank [r] : 0 <= r < 16 {
  accepts:
    profile     = { domain = application[test], node type = rank, rank = r, size = 16 };
    transaction = go();
    protocol    = dataflow;
  body:
    hold before;
    call exchange();
  requests:
    exchange():
      selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-alltoall(64 KiB);
      protocol    = call-return;
}
system all {
  requests:
    every selector = { domain = application[test], node type = rank };
    transaction    = go();
    protocol       = dataflow;
}
END
cd "$TMP" || exit
psl compare all.psl --vary ranks-per-node=1,8 | sed -n 1,5p
psl compare all.psl --quiet --set 'network=simulation[NIC]' --vary ranks-per-node=1,8 | sed -n 1,5p
psl study all.psl --vary ranks-per-node=1,2,4,8
psl study all.psl --quiet --vary before=10ms --vary ranks-per-node=1,8
