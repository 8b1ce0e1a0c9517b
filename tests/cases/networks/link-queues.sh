# tolerance: 1e-9
three='--set from=[0,0,0] --set to=[1,1,1]'
run() {
  psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set 'bandwidths=[1 MB/s]' \
    --set 'start=[0 s, 2 s, 5 s]' "$@" --quiet --format csv |
    grep -e '^records,.*maximum' -e 'met others' | cut -d, -f2-
}
# On a bus of 1 MB/s a message of 1 MB asks at 1 s, when nothing has come before; the second one at 3 s, when one has: a
# third of a message a second, busy for a third, so (1/3) / (2 x 2/3) = 0.25 s; the third one at 6 s, when two have: the
# same.
run --set topology=bus --set 'packet-size=1 MB' $three --set 'arrive=[1 s, 3.25 s, 6.25 s]'
# On two links in a row they wait for each other on the first one alone.
run --set 'packet-size=1 MB' $three --set 'arrive=[1 s, 3.25 s, 6.25 s]'
# In ten packets: the first one waits for (10/3 x 0.1^2) / (2 x 2/3) = 0.025 s, and the others, 0.9 s, take 0.9 / (2/3).
run --set topology=bus --set 'packet-size=0.1 MB' $three --set 'arrive=[1 s, 3.475 s, 6.475 s]'
# A backbone four times as fast is busy with the first message for 1 s, in which its end comes from node 0.
run --set 'dimensions=[3]' --set 'bandwidths=[1 MB/s, 4 MB/s]' --set 'packet-size=1 MB' --set 'from=[0, 2]' --set 'to=[1, 1]' \
  --set 'arrive=[1 s, 3.25 s]'
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
