# Partitions number their messages each for itself: a rank that asks for messages from any source takes none for another
# that had its number and its place before, however the messages of several partitions follow each other. The model is
# one in which that has happened: its receive from any source had a message that was still on its way.
cat > "$TMP/model.psl" << 'END'
use mpi;
use nonblocking-collectives;
transaction start();
component rank [r] : 0 <= r < 9 {
  accepts:
    profile = { domain = application[test], node type = rank, rank = r, size = 9 };
    transaction = start();
    protocol = dataflow;
  body:
    if r == 0 {
      hold 0.000142492353916168212890625 s;
      let c7 = call ialltoallw([0 byte, 1000 byte, 0 byte, 30000 byte, 1 byte, 0 byte, 0 byte, 0 byte, 0 byte],
                                [0 byte, 30000 byte, 5000 byte, 1000 byte, 5000 byte, 1000 byte, 1000 byte, 0 byte,
                                 0 byte], 0);
    }
    if r == 1 {
      let c7 = call ialltoallw([30000 byte, 1 byte, 0 byte,
                                 0 byte, 5000 byte, 1000 byte, 1000 byte, 0 byte, 1000 byte],
                                [1000 byte, 1 byte, 1 byte, 30000 byte, 5000 byte, 1000 byte, 1 byte,
                                 1000 byte, 30000 byte], 0);
    }
    if r == 2 {
      let s2 = call send-init(8, 4097 byte, standard, 1, 0); call start(s2);
      let x1 = call wait(s2);
      let c7 = call ialltoallw([5000 byte, 1 byte, 30000 byte, 1 byte, 30000 byte, 0 byte, 1 byte, 0 byte, 1000 byte],
                                [0 byte, 0 byte,
                                 30000 byte, 0 byte, 5000 byte, 30000 byte, 0 byte, 1000 byte, 1 byte], 0);
      let x3 = call wait(c7);
      call start(s2);
    }
    if r == 3 {
      let x0 = call recv(7, -1, 0);
      let c7 = call ialltoallw([1000 byte, 30000 byte, 0 byte, 0 byte, 0 byte, 0 byte, 30000 byte, 0 byte, 1000 byte],
                                [30000 byte, 0 byte,
                                 1 byte, 0 byte, 5000 byte, 0 byte, 30000 byte, 0 byte, 1 byte], 0);
    }
    if r == 4 {
      let x1 = call recv(8, 1, 0);
      let c7 = call ialltoallw([5000 byte, 5000 byte, 5000 byte, 5000 byte, 0 byte,
                                 0 byte, 5000 byte, 30000 byte, 30000 byte],
                                [1 byte, 5000 byte, 30000 byte, 0 byte, 0 byte, 0 byte, 1 byte, 1 byte, 0 byte], 0);
    }
    if r == 5 {
      let c7 = call ialltoallw([1000 byte, 1000 byte, 30000 byte, 0 byte,
                                 0 byte, 30000 byte, 0 byte, 5000 byte, 0 byte],
                                [0 byte, 1000 byte, 0 byte, 0 byte, 0 byte, 30000 byte, 0 byte, 0 byte, 0 byte], 0);
    }
    if r == 6 {
      let c7 = call ialltoallw([1000 byte, 1 byte, 0 byte, 30000 byte, 1 byte, 0 byte, 0 byte, 1000 byte, 30000 byte],
                                [0 byte, 1000 byte, 1 byte, 30000 byte, 5000 byte, 0 byte,
                                 0 byte, 5000 byte, 1 byte], 0);
    }
    if r == 7 {
      call send(3, 961 byte, standard, 1, 0);
      let c7 = call ialltoallw([0 byte, 1000 byte, 1000 byte, 0 byte, 1 byte, 0 byte, 5000 byte, 0 byte, 1000 byte],
                                [0 byte, 0 byte,
                                 0 byte, 0 byte, 30000 byte, 5000 byte, 1000 byte, 0 byte, 0 byte], 0);
    }
    if r == 8 {
      let r2 = call recv-init(-1, -1, 0); call start(r2);
      let x2 = call wait(r2);
      let s5 = call isend(4, 1024 byte, standard, 1, 0);
      let c7 = call ialltoallw([0 byte, 30000 byte, 1 byte, 1 byte, 0 byte, 0 byte, 1 byte, 0 byte, 0 byte],
                                [0 byte, 1000 byte, 1000 byte, 1000 byte, 30000 byte, 0 byte,
                                 30000 byte, 1000 byte, 0 byte], 0);
      let x6 = call wait(c7);
      let x7 = call iprobe(-1, -1);
      call start(r2);
      call waitall([r2]);
    }
  requests:
    ialltoallw(list, list2, c):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-ialltoallw(list, list2, c);
      protocol = call-return;
    iprobe(from, tag):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-iprobe(from, tag);
      protocol = call-return;
    isend(to, size, mode, tag, c):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-isend(to, size, mode, tag, c);
      protocol = call-return;
    recv(from, tag, c):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-recv(from, tag, communicator = c);
      protocol = call-return;
    recv-init(from, tag, c):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-recv-init(from, tag, c);
      protocol = call-return;
    send(to, size, mode, tag, c):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-send(to, size, mode, tag, c);
      protocol = call-return;
    send-init(to, size, mode, tag, c):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-send-init(to, size, mode, tag, c);
      protocol = call-return;
    start(request):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-start(request);
      protocol = call-return;
    wait(request):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-wait(request);
      protocol = call-return;
    waitall(handles):
      selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
      transaction = MPI-waitall(handles);
      protocol = call-return;
}
system test {
  requests:
    every selector = { domain = application[test], node type = rank };
    transaction = start();
    protocol = dataflow;
}
END
measured() {
  psl run "$TMP/model.psl" --by rank --set "network=simulation[NIC]" --set G=11.2ns/byte \
    --set Gl=33.5ns/byte --set L=18us --set g=18us --set gap-threshold=4096byte --set handshake-threshold=4096byte \
    --set ol=3.4us --set os=8.63us --set overhead-threshold=1024byte --quiet "$@"
}
measured --format json > "$TMP/one.json"
measured --timing --format csv --threads 5:1 | grep '^timing,partitions'
for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  measured --format json --threads 5:1 > "$TMP/several.json"
  cmp "$TMP/one.json" "$TMP/several.json" || echo "run $run differs"
done
