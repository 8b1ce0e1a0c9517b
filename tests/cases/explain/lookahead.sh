# What networks say of the order of time on several processors: the least latency of interfaces, none where there is no
# latency, where messages share links, and none needed where they do not meet.
for network in 'simulation[NIC]' 'simulation[NIC] --set L=0s' 'simulation[NIC] --set machine=cluster' 'analysis[LogGP]' \
    'simulation[flows]' 'simulation[packets]' 'analysis[link-queues]'; do
  echo "$network"
  psl explain "$PSL_PATH/tests/bench/halo.psl" mpi-simulated.transfer --set p=4 --set network=$network | grep '  lookahead'
done
# It is said once, and where a run is simulated on one processor for another reason, that is said with it.
echo 'the whole of it'
psl explain "$PSL_PATH/tests/bench/halo.psl" --set p=4 --set network=simulation[NIC] | grep '  lookahead'
for options in '--set network=simulation[NIC] --set ranks-per-node=2' '--set network=analysis[LogGP]'; do
  echo "recorded, $options"
  sed 's/^  body:/&\n    record began = clock;/' "$PSL_PATH/tests/bench/halo.psl" > "$TMP/recorded.psl"
  psl explain "$TMP/recorded.psl" --set p=4 $options | grep '  lookahead'
  echo "$options"
  psl explain "$PSL_PATH/tests/bench/halo.psl" --set p=4 $options | grep '  lookahead'
done
# A network of one's own says it, too; what is no network and waits for nobody says nothing of it.
cat > "$TMP/own.psl" <<'PSL'
use mpi;
param cable : time = 3 us in 0 s .. 1 s;
param further : int = 1;
component ring [k] : 0 <= k < 2 {
  accepts:
    profile     = { domain = hardware[network], node type = interconnect, evaluation mode = simulation[ring],
                    rank = k, lookahead = (k + 1) * cable * further };
    transaction = transfer(source, destination, size, message);
    protocol    = dataflow;
    servers     = unlimited;
  body:
    call Interconnect.leave-interface(source, 1 us, source);
    hold (k + 1) * cable;
    call Interconnect.enter-interface(destination, 1 us, destination);
  requests:
    selector    = { domain = runtime, node type = mpi-core, evaluation mode = simulation[MPI-Sim] };
    transaction = delivered(message);
    protocol    = call-return;
}
transaction go();
component rank [r] : 0 <= r < 2 {
  accepts:
    profile     = { domain = application, node type = process, rank = r, size = 2 };
    transaction = go();
    protocol    = dataflow;
  body:
    call exchange(1 - r);
  requests:
    exchange(to): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                  transaction = MPI-sendrecv(to, 1 kB, to);
                  protocol    = call-return;
}
system own {
  requests:
    every selector = { domain = application, node type = process };
    transaction    = go();
    protocol       = dataflow;
}
PSL
psl explain "$TMP/own.psl" --set 'network=simulation[ring]' | grep '  lookahead'
psl run "$TMP/own.psl" --set 'network=simulation[ring]' --threads 2:1 > "$TMP/two.txt"
psl run "$TMP/own.psl" --set 'network=simulation[ring]' > "$TMP/one.txt"
cmp "$TMP/one.txt" "$TMP/two.txt"
# Where one says more than it has that is found, and the run is made on one processor.
psl run "$TMP/own.psl" --set 'network=simulation[ring]' --set further=1000 --threads 2:1 2>&1 > "$TMP/two.txt"
psl run "$TMP/own.psl" --set 'network=simulation[ring]' --set further=1000 --quiet > "$TMP/one.txt"
cmp "$TMP/one.txt" "$TMP/two.txt"
