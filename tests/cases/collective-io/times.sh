# What one rank takes, whose pieces follow each other, in closed form: the way to the servers and back, then 16 MiB at the
# client's rate; by lists 16 times the way and a server's overhead, and a piece after another at the server's rate; and
# disk-directed the client's rate alone, since the servers are asked meanwhile. The run ends where it is not so.
#
# With gaps of 16 KiB the whole is 1024 * 32 KiB - 16 KiB = 33538048 bytes: two buffers of two-phase, which are read before they are
# written, 4 ways and twice the whole at the client's rate, and to read 2 ways and once the whole.
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
time two-phase 0.067876096 --set writes=true --set 'gap=16 KiB'
time two-phase 0.033938048 --set writes=false --set 'gap=16 KiB'
