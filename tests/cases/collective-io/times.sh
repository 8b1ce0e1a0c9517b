# What one rank takes, whose pieces follow each other, in closed form: the way to the servers and back, then 16 MiB at the
# client's rate; by lists 16 times the way and a server's overhead, and a piece after another at the server's rate; and
# disk-directed the client's rate alone, since the servers are asked meanwhile. The run ends where it is not so.
time() {
  method=$1 wanted=$2
  shift 2
  psl run matrix.psl --quiet --set io-ranks=1 --set collective-io=$method --set "wanted=$wanted s" "$@" | grep '^predicted'
}
for writes in true false; do
  time independent 0.016977216 --set writes=$writes
  time two-phase 0.016977216 --set writes=$writes
  time list-IO 0.038354432 --set writes=$writes
  time disk-directed 0.016777216 --set writes=$writes
done
