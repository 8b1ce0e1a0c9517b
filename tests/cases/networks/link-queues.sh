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
# Where the second link, the backbone of a star, takes four times as long, waits at both are together those of the slower one
# (Avi-Itzhak 1965), and where the third one is as fast as the first there is none.
run --set topology=star --set 'dimensions=[3]' --set 'bandwidths=[4 MB/s, 1 MB/s]' --set 'packet-size=1 MB' $three \
  --set 'arrive=[1 s, 3.25 s, 6.25 s]'
# A backbone four times as fast is busy with the first message for 1 s, in which its end comes from node 0: 0.25 s there. It
# takes 0.25 + 0.75 x (1 - 1/3) = 0.75 s for the second one, so that (0.75^2 / (1 - 0.25)) / (1 / (1 - 1/3)) = 1/2 of what
# is waited behind it is over, and 0.125 s are left.
run --set 'dimensions=[3]' --set 'bandwidths=[1 MB/s, 4 MB/s]' --set 'packet-size=1 MB' --set 'from=[0, 2]' --set 'to=[1, 1]' \
  --set 'arrive=[1 s, 3.375 s]'
# What is too busy for the formula is said: three messages, of which two have come in 2 s and keep links busy for 2 s; and
# two of 0.5 s in 2 s, in one packet and in several.
warned() {
  psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set 'bandwidths=[1 MB/s]' --set topology=bus $three \
    --set 'arrive=[]' "$@" 2>&1 >"$TMP/report" | grep warning
}
warned --set 'start=[0 s, 0.5 s, 1 s]' --set 'packet-size=1 MB'
for packet in 0.5 0.1; do
  echo "$packet MB"
  warned --set 'start=[0 s, 0.5 s, 1.5 s]' --set 'size=[0.5 MB]' --set "packet-size=$packet MB"
done
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
