# An all-to-all that interfaces cannot carry in the predicted time, which every report says beside it or below the table, with
# the network that has interfaces. On the cluster each of 64 ranks sends 63 requests, for g = 50 ns each, and 63 times
# 16 KiB x 0.04 ns = 655.36 ns: 44.44 us, on the SP2 63 x (23 us + 16 KiB x 30 ns) = 32.41 ms. With interfaces it takes at
# least that long; and what a run without contention does not wait is contention to the last bit, with no transfer beside it.
run() { psl run too-short.psl --set machine="$1" --set network="$2" | grep -e ^predicted -e '^too short' -e ' transfer ' -e contention; }
for machine in cluster SP2; do
  for network in 'analysis[LogGP]' 'simulation[flows]' 'simulation[NIC]'; do
    echo "$machine, $network"
    run $machine "$network"
  done
done
psl run too-short.psl --quiet --format json | grep busiest
psl compare too-short.psl --quiet --set machine=cluster --vary 'network=analysis[LogGP],simulation[NIC]' | sed -n 1,9p
psl compare too-short.psl --quiet --set machine=cluster --vary n=32,64 | sed -n 6,9p
psl compare too-short.psl --quiet --set machine=cluster --vary n=32,64 --format csv | grep too_short
psl diff too-short.psl --against n=32 --quiet --set machine=cluster | sed -n 1,7p
psl diff too-short.psl --against 'network=simulation[NIC]' --quiet --format json | grep -o '"too_short.*"'
psl study too-short.psl --quiet --vary machine=cluster,SP2 --vary n=16..64*2
psl study too-short.psl --vary n=16..64*2 --format csv 2>&1 >/dev/null | grep -v '|'
psl study too-short.psl --quiet --vary n=2,64 | tail -2
psl study too-short.psl --quiet --vary n=64 | tail -1
psl study too-short.psl --quiet --vary n=32,64 --db "$TMP/short.db" --output "$TMP/short.txt"
psl report "$TMP/short.db" --quiet --output "$TMP/short.html"
grep -o -e 'Warned.*' -e 'first at n.*' -e 'It is too short.*' "$TMP/short.html"
for r in $(seq 0 63); do
  echo "$r init"
  echo "$r alltoall 16384 16384"
  echo "$r finalize"
done >"$TMP/all.tit"
psl replay "$TMP/all.tit" --quiet --set machine=cluster | head -2
psl replay "$TMP/all.tit" --quiet --set machine=cluster --set 'network=simulation[NIC]' | head -2
