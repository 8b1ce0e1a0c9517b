# Messages of collective operations at the limits between algorithms, as MPICH 4.0.2 sends them on as many ranks, each on a
# node of its own (counted at its network, UCX). An all-to-all is without what ranks send to themselves; the bytes of a
# reduction of 257 elements differ, since parts are equal here.
cat > "$TMP/count.psl" <<'PSL'
use mpi;
param what : term = allreduce in [allreduce, reduce, bcast, allgather, alltoall, reduce-scatter];
param m : data = 8 byte;
param n : int = 8 in 2 .. 100;
transaction go();
component rank [r] : 0 <= r < n {
  accepts:
    profile     = { domain = application, node type = process, rank = r, size = n };
    transaction = go();
    protocol    = dataflow;
  body:
    if what == allreduce { call allreduce(); }
    if what == reduce { call reduce(); }
    if what == bcast { call bcast(); }
    if what == allgather { call allgather(); }
    if what == alltoall { call alltoall(); }
    if what == reduce-scatter { call reduce-scatter(); }
  requests:
    allreduce(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-allreduce(m);
                 protocol    = call-return;
    reduce(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
              transaction = MPI-reduce(m);
              protocol    = call-return;
    bcast(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
             transaction = MPI-bcast(m);
             protocol    = call-return;
    allgather(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                 transaction = MPI-allgather(m);
                 protocol    = call-return;
    alltoall(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                transaction = MPI-alltoall(m);
                protocol    = call-return;
    reduce-scatter(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                      transaction = MPI-reduce-scatter-block(m);
                      protocol    = call-return;
}
system count {
  requests:
    every selector = { domain = application, node type = process };
    transaction    = go();
    protocol       = dataflow;
}
PSL
while read -r ranks what size messages bytes; do
  psl run "$TMP/count.psl" --set n="$ranks" --set what="$what" --set m="$size byte" --format csv --quiet |
    awk -F, -v said="$messages $bytes" -v where="$ranks $what $size" '
      /^result,[^,]*,messages,/ { messages = $4 } /^result,[^,]*,bytes,/ { bytes = $4 }
      END { print where ": " (sprintf("%d %.0f", messages, bytes) == said ? "as MPICH" : messages " " bytes ", not " said) }'
done << 'COUNTED'
8 allreduce 56 24 1344
8 allreduce 64 48 896
6 allreduce 24 12 288
6 allreduce 32 20 320
8 bcast 12288 7 86016
8 bcast 12289 31 104446
8 bcast 524289 63 4456446
7 bcast 12289 6 73734
9 bcast 12289 80 116065
8 allgather 65535 24 3669960
8 allgather 65536 56 3670016
6 allgather 13654 30 409620
8 alltoall 256 56 14336
9 alltoall 256 36 29952
8 reduce 2048 7 14336
8 reduce 2056 31 17464
6 reduce-scatter 8 12 256
8 reduce-scatter 65536 56 3670016
COUNTED
