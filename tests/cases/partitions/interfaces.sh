# Networks with interfaces, where messages meet, are simulated in partitions that keep the order of time by a lookahead,
# with the bytes of one: messages without and with handshakes, receives before and behind them, collective operations,
# warm-ups, many messages that come at one time.
compare() {
  name=$1
  shift
  psl run "$@" --format json 2>&1 > "$TMP/one.json" | sed 's/^[^ ]*: //' > "$TMP/one.txt"
  for threads in 2 3 5; do
    psl run "$@" --format json --threads $threads:1 2>&1 > "$TMP/several.json" | sed 's/^[^ ]*: //' > "$TMP/several.txt"
    made=$(psl run "$@" --timing --format csv --quiet --threads $threads:1 |
      sed -n 's|^timing,partitions,value,\([0-9]*\).*|\1|p')
    if cmp -s "$TMP/one.json" "$TMP/several.json" && cmp -s "$TMP/one.txt" "$TMP/several.txt"; then
      echo "$name in $made: the same"
    else
      echo "$name in $made: differs"
    fi
  done
}
nic=--set=network=simulation[NIC]
bench=$PSL_PATH/tests/bench
compare halo "$bench/halo.psl" --set p=6 --set steps=7 $nic --by rank
compare 'halo, coarse times' "$bench/halo.psl" --set p=6 --set steps=7 $nic --set G=0s/byte \
    --set L=20us --set os=10us --set g=10us
compare 'halo, non-blocking' "$PSL_PATH/examples/mpi/halo2d.psl" $nic --by rank
compare 'halo, non-blocking, handshakes' "$PSL_PATH/examples/mpi/halo2d.psl" --set n=1024 $nic --by rank
compare 'wavefront of large messages' "$bench/wavefront.psl" --set px=6 --set py=7 --set blocks=1 --set m=20kB --set L=5ms $nic
compare 'all-reduces by handshakes' "$bench/allreduce.psl" --set p=12 --set times=3 --set handshake-threshold=1byte $nic
compare 'all-reduces behind a warm-up' "$bench/allreduce.psl" --set p=12 --set times=7 --warm-up 3ms $nic

# What cannot be: a note says why, and the run is made on one.
refused() {
  echo "$1:"
  shift
  psl run "$bench/halo.psl" --set p=6 --set steps=2 "$@" --threads 2:1 2>&1 > "$TMP/two.txt"
  psl run "$bench/halo.psl" --set p=6 --set steps=2 "$@" --quiet > "$TMP/one.txt"
  cmp "$TMP/one.txt" "$TMP/two.txt"
}
refused 'no latency' $nic --set L=0s
refused 'a latency that the clock cannot tell' $nic --set L=1e-25s
refused 'walked' $nic --reference
refused 'few ranks' $nic --set p=3 --set steps=100 --set work=1us
refused 'links' --set 'network=simulation[flows]'
refused 'one node' $nic --set ranks-per-node=36

# There what comes first is known, too: receives from any source, with and without handshakes, probes and tests.
cat > "$TMP/first.psl" <<'PSL'
use mpi;
param m : data = 1 kB;
transaction go();
component rank [r] : 0 <= r < 9 {
  accepts:
    profile     = { domain = application, node type = process, rank = r, size = 9 };
    transaction = go();
    protocol    = dataflow;
  body:
    if r == 0 {
      for k in 1 .. 4 {
        let from = call receive-any();
        hold 1 us * from;
      }
      let request = call expect(any-source);
      let there = call look(any-source);
      if there { hold 1 ms; }
      call wait(request);
      for k in 1 .. 3 {
        let size = call seek(any-source);
        call receive(any-source);
        hold size / (1 GB/s);
      }
      for k in 1 .. 8 { call give(k, 8 byte); }
    } else {
      hold 10 us * (r mod 4);
      call give(0, m);
      call receive(0);
    }
  requests:
    receive-any(): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                   transaction = MPI-recv-any();
                   protocol    = call-return;
    receive(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                   transaction = MPI-recv(source = from);
                   protocol    = call-return;
    expect(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                  transaction = MPI-irecv(source = from);
                  protocol    = call-return;
    look(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                transaction = MPI-iprobe(source = from);
                protocol    = call-return;
    seek(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                transaction = MPI-probe(source = from);
                protocol    = call-return;
    wait(request): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                   transaction = MPI-wait(request);
                   protocol    = call-return;
    give(to, size): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                    transaction = MPI-send(destination = to, message = size);
                    protocol    = call-return;
}
system first {
  requests:
    every selector = { domain = application, node type = process };
    transaction    = go();
    protocol       = dataflow;
}
PSL
compare 'whoever is first' "$TMP/first.psl" $nic --by rank
compare 'whoever is first, handshakes' "$TMP/first.psl" $nic --set m=20kB --by rank
