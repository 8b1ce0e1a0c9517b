# tolerance: 1e-9
# On a bus of 1 MB/s a message of 1 MB asks at 1 s, when nothing has come before; the second one at 3 s, when one has: a
# third of a message a second, busy for a third, so (1/3) / (2 x 2/3) = 0.25 s; the third one at 6 s, when two have: the
# same.
psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set topology=bus --set 'bandwidths=[1 MB/s]' \
  --set 'from=[0, 0, 0]' --set 'to=[1, 1, 1]' --set 'start=[0 s, 2 s, 5 s]' --set 'arrive=[1 s, 3.25 s, 6.25 s]' --quiet \
  --format csv | grep -e '^records,.*maximum' -e 'met others' | cut -d, -f2-
# On two links in a row they wait for each other on the first one alone.
psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set 'bandwidths=[1 MB/s]' \
  --set 'from=[0, 0, 0]' --set 'to=[1, 1, 1]' --set 'start=[0 s, 2 s, 5 s]' --set 'arrive=[1 s, 3.25 s, 6.25 s]' --quiet \
  --format csv | grep -e '^records,.*maximum' -e 'met others' | cut -d, -f2-
# Within 10 % of packets where no link is busy for more than 60 % of the time.
latency() {
  psl run random.psl --quiet --format csv "$@" | awk -F, '$2 == "receiver.latency" && $3 == "mean" { print $4 }'
}
for load in 0.2 0.4; do
  for topology in 'torus --set dimensions=[8,8]' 'fat-tree --set dimensions=[4,4,4]'; do
    with="--set topology=$topology --set L=0s --set G=1ns/byte --set Gl=1ns/byte --set load=$load"
    echo "$load ${topology%% *}" $(latency $with --set 'network=analysis[link-queues]') \
      $(latency $with --set 'network=simulation[packets]') |
      awk '{ print $1, $2, ($3 / $4 > 0.9 && $3 / $4 < 1.1 ? "within 10 %" : $3 / $4) }'
  done
done
