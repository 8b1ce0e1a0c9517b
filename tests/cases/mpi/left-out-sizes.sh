# What comes to interfaces that the network leaves out is counted in other ways where all messages take them equally
# long, where there are a few sizes, and where there are many; for few messages and for many. Each says the same in
# partitions and by the walker.
cat > "$TMP/ring.psl" <<'PSL'
use mpi;
use networks;
param p : int = 40 in 2 .. 1000;
param sizes : int = 1 in 1 .. 1000;
param steps : int = 30 in 1 .. 1000;
transaction go();
component rank [r] : 0 <= r < p {
  accepts:
    profile     = { domain = application, node type = rank, rank = r, size = p };
    transaction = go();
    protocol    = call-return;
  body:
    for n in 1 .. steps {
      hold 10 us * (1 + (r * 7 + n * 3) mod 5);
      call give((r + 1) mod p, 100 byte * (1 + (r + n) mod sizes));
      call give((r + 3) mod p, 100 byte * (1 + (r * n) mod sizes));
      call receive((r + p - 1) mod p);
      call receive((r + p - 3) mod p);
    }
  requests:
    give(to, size): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                    transaction = MPI-send(destination = to, message = size);
                    protocol    = call-return;
    receive(from): selector    = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };
                   transaction = MPI-recv(source = from);
                   protocol    = call-return;
}
system ring {
  requests:
    every selector = { domain = application, node type = rank };
    transaction    = go();
    protocol       = call-return;
}
PSL
for sizes in 1 3 40; do
  for steps in 2 30 200; do
    set -- "$TMP/ring.psl" --set sizes=$sizes --set steps=$steps --set L=0.1us --set G=3us/byte --quiet --format json
    psl run "$@" > "$TMP/one.json"
    psl run "$@" --threads 2:8 > "$TMP/two.json"
    psl run "$@" --reference > "$TMP/walked.json"
    cmp "$TMP/one.json" "$TMP/two.json"
    cmp "$TMP/one.json" "$TMP/walked.json"
    echo "$sizes $steps: $(sed -n 's/.*"waits for interfaces left out", "value": {"value": \([^,]*\),.*/\1/p' "$TMP/one.json")"
  done
done
