# tolerance: 1e-12
# Messages of 1 MB, and links of 1 MB/s where nothing else is said. Each case holds that messages share the links that
# psl-networks(7) says, and no others.
run() {
  echo "$1"
  shift
  psl run transfers.psl --set network=simulation[flows] --set L=0s --set 'bandwidths=[1 MB/s]' "$@" --quiet --format csv |
    grep -e '^records,.*maximum' -e 'utilisation' | cut -d, -f2-
}
run 'star: a backbone of 1.5 MB/s' --set 'dimensions=[4]' --set 'bandwidths=[1 MB/s, 1.5 MB/s]' \
  --set 'from=[0, 1]' --set 'to=[2, 3]' --set 'arrive=[1.333333333333333 s]'
run 'star: latencies on the way, 1 ms and 2 ms and 1 ms, and L' --set 'dimensions=[4]' --set L=6ms \
  --set 'bandwidths=[1 MB/s, 1.5 MB/s]' --set 'latencies=[1 ms, 2 ms]' --set 'arrive=[1.01 s]'
run 'ring: half way round goes up' --set topology=torus --set 'dimensions=[4]' \
  --set 'from=[0, 1, 2]' --set 'to=[2, 2, 0]' --set 'arrive=[2 s, 2 s, 1 s]'
run 'ring: the shorter way goes down' --set topology=torus --set 'dimensions=[5]' \
  --set 'from=[0, 4]' --set 'to=[3, 3]' --set 'arrive=[2 s]'
run 'mesh: nothing goes round' --set topology=mesh --set 'dimensions=[5]' \
  --set 'from=[0, 1]' --set 'to=[4, 2]' --set 'arrive=[2 s]'
run 'torus: x before y, 5 to 10 by 6 and 6 to 10 in y' --set topology=torus --set 'dimensions=[4, 4]' \
  --set 'from=[5, 6, 5]' --set 'to=[10, 10, 9]' --set 'arrive=[2 s, 2 s, 1 s]'
run 'torus: dimensions of 1, 2 and 4 MB/s, interfaces of 8' --set topology=torus --set 'dimensions=[3, 3, 3]' \
  --set 'bandwidths=[1 MB/s, 2 MB/s, 4 MB/s, 8 MB/s]' --set 'from=[0, 13, 26]' --set 'to=[1, 16, 17]' \
  --set 'arrive=[1 s, 0.5 s, 0.25 s]'
run 'fat tree: one parent, so both go up by one link' --set topology=fat-tree --set 'dimensions=[2, 2]' \
  --set 'parents=[1, 1]' --set 'from=[0, 1]' --set 'to=[2, 3]' --set 'arrive=[2 s]'
run 'fat tree: two parents, chosen by the destination' --set topology=fat-tree --set 'dimensions=[2, 2]' \
  --set 'from=[0, 1]' --set 'to=[2, 3]'
run 'fat tree: three levels, two messages that meet on the way down' --set topology=fat-tree \
  --set 'dimensions=[2, 2, 4]' --set 'from=[0, 12]' --set 'to=[8, 8]' --set 'arrive=[2 s]'
run 'dragonfly: the one link between two groups' --set topology=dragonfly --set 'dimensions=[1, 2, 1, 3]' \
  --set 'from=[0, 1]' --set 'to=[2, 3]' --set 'arrive=[2 s]'
run 'dragonfly: links of 1, 2 and 4 MB/s' --set topology=dragonfly --set 'dimensions=[4, 2, 1, 3]' \
  --set 'bandwidths=[4 MB/s, 2 MB/s, 1 MB/s]' --set 'from=[0, 4, 1]' --set 'to=[8, 5, 6]' \
  --set 'arrive=[1 s, 0.25 s, 0.5 s]'
run 'two ranks a node: they share its links, and take none between themselves' --set ranks-per-node=2 \
  --set L-inside=2s --set G-inside=1us/byte --set 'from=[0, 1, 4]' --set 'to=[2, 3, 5]' --set 'arrive=[2 s, 2 s, 3 s]'
