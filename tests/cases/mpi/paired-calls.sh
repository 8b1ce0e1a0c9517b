# What stdlib/mpi.psl and stdlib/collectives.psl call for a message without a handshake is made two at once: its sending and
# its coming, and its receiving. Of as many messages as are sent these are 2 for the sender's
# side and up to 2 for the receiver's; with a handshake there are none.
paired() {
  model="../../bench/$1.psl"
  shift
  psl run "$model" --timing "$@" | grep -E "^messages|calls made two at once" | tr -s " "
}
paired wavefront --set px=4 --set py=4 --set blocks=2
paired halo --set p=4 --set steps=2
paired allreduce --set p=8 --set times=2
paired master --set workers=4 --set rounds=5
paired wavefront --set px=4 --set py=4 --set blocks=2 --set "m=100 KiB" --set "handshake-threshold=4 KiB"
# Messages of sizes that differ: how long the holds between the calls are is computed before.
sed 's/(rank-of(i + di(o), j), m)/(rank-of(i + di(o), j), m * (1 + b mod 3))/' ../../bench/wavefront.psl >"$TMP/sizes.psl"
for options in "" "--warm-up 20ms" "--trace $TMP/t"; do
  psl run "$TMP/sizes.psl" --set px=4 --set py=4 --set blocks=4 $options --format json >"$TMP/fast"
  psl run "$TMP/sizes.psl" --set px=4 --set py=4 --set blocks=4 $options --format json --reference >"$TMP/walked"
  cmp "$TMP/fast" "$TMP/walked" && echo "the same"
  psl run "$TMP/sizes.psl" --set px=4 --set py=4 --set blocks=4 $options --timing | grep "two at once" | tr -s " "
done
