# tolerance: 1e-9
# Plain build alone: long simulations.
list() { awk 'BEGIN { printf "["; for (i = 0; i < '"$1"'; i++) printf "%s%.12g'"$3"'", (i ? ", " : ""), '"$2"'; print "]" }'; }
zeros=$(list 41 0)
ones=$(list 41 1)
# Forty messages of 1 s in pairs, 0.1 s after each other, and one more 80 s after the first, when a link that takes 1 s for each
# has been busy for a half of the time.
pairs=$(list 41 'i == 40 ? 79 : int(i / 2) * 4 + i % 2 * 0.1' ' s')
last() { # arrival of the last one
  psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set 'bandwidths=[1 MB/s]' --set "from=$zeros" \
    --set "to=$ones" --set "start=$pairs" --set 'arrive=[]' --set 'packet-size=1 MB' "$@" --quiet --format csv |
    grep -e '^records,.*maximum' | cut -d, -f4
}
# On a bus of 1 MB/s a message of 1 MB asks at 80 s, half a message a second, so (1/2) / (2 x 1/2) = 0.5 s.
last --set topology=bus
# On two links in a row they wait for each other on the first one alone.
last
# In ten packets: the first one waits for (10/2 x 0.1^2) / (2 x 1/2) = 0.05 s, and the others, 0.9 s, in turns for
# 0.9 (1 - 1/20).
last --set topology=bus --set 'packet-size=0.1 MB'
# Behind the links of nodes, where the last one comes from another node: a train waits for
# (1/2) (40 x 1^2 + 40 x 10 x 0.1^2) / (2 x 40) = 0.275 s and, while the other 0.9 s come, for (1/2) (1 - 1/4) 0.9 = 0.3375 s.
trains="--set packet-size=0.1MB --set dimensions=[3] --set from=$(list 41 'i == 40 ? 2 : 0' | tr -d ' ')"
last $trains --set 'buffers=1000000'
# With eight buffers, 0.8 s, the part exp(-0.8/0.6125) is beyond them, and takes turns: 0.9 s.
last $trains
awk 'BEGIN { printf "%.15g\n", 80 + 0.6125 + (0.9 - 0.6125) * exp(-0.8 / 0.6125) }'
# Links from which others go another way are held for what is beyond: most come from node 0 and go to nodes 1 and 2 in
# turn, while node 3 sends to both; the last one, to node 4, waits at the link of node 0 alone, and for longer the fewer
# buffers there are.
held() {
  last --set packet-size=0.1MB --set 'dimensions=[5]' --set "from=$(list 41 'i % 4 == 3 ? 3 : 0')" \
    --set "to=$(list 41 'i == 40 ? 4 : 1 + int(i / 2) % 2')" "$@"
}
echo $(held --set buffers=1000000) $(held --set buffers=1) | awk '{ print ($1 < $2 ? "longer" : $0) }'
# Where the second link, the backbone of a star, takes four times as long, waits at both are together those of the slower one
# (Avi-Itzhak 1965), and where the third one is as fast as the first there is none.
last --set topology=star --set 'dimensions=[3]' --set 'bandwidths=[4 MB/s, 1 MB/s]'
# A backbone four times as fast, to which the last one comes from another node than those before. Their ends come over a slower
# link, and keep it busy for 0.25 + 0.75 (1 - u) s each, with u at that time; it waits there as at M/G/1. It keeps it busy for s,
# and s^2 (1 - 1/2) / (1 - s/2) of the 0.5 s behind it are over.
last --set 'dimensions=[3]' --set 'bandwidths=[1 MB/s, 4 MB/s]' --set "from=$(list 41 'i == 40 ? 2 : 0')"
awk 'BEGIN {
  for (i = 0; i <= 40; i++) {
    t = i == 40 ? 80 : int(i / 2) * 4 + i % 2 * 0.1 + 1
    u = work / t
    s = 0.25 + 0.75 * (u < 1 ? 1 - u : 0)
    wait = squares / t / (2 * (1 - u))
    work += s
    squares += s * s
  }
  printf "%.15g\n", 80 + wait + 0.5 * (1 - s * s * 0.5 / (1 - s / 2))
}'
# Messages that come when the one before is through find nothing, however busy the link is, and do not wait: with u = 1/2
# as with u = 1.
last --set topology=bus --set "start=$(list 41 '2 * i' ' s')"
last --set topology=bus --set "start=$(list 41 i ' s')"
# Those that find work less than a quarter as often as random ones wait for what they have found: of forty one has found 0.1 s.
last --set topology=bus --set "start=$(list 41 'i == 40 ? 79 : i == 39 ? 78 : i == 38 ? 74.9 : 2 * i' ' s')"
# Before it can be told, and with u >= 1, they wait for what is left: at 1.5 s half of the one that came at 1 s, and so on.
three='--set from=[0,0,0] --set to=[1,1,1]'
psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set 'bandwidths=[1 MB/s]' --set topology=bus \
  --set 'from=[0,0,0,0]' --set 'to=[1,1,1,1]' --set 'packet-size=1 MB' --set 'start=[0 s, 0.5 s, 1 s, 1.5 s]' \
  --set 'arrive=[1 s, 2 s, 3 s, 4 s]' --quiet --format csv | grep -e '^records,.*maximum' -e 'met others' | cut -d, -f2-
# What is too busy for the formula is said: three messages, of which two have come in 2 s and keep links busy for 2 s; and
# two of 0.5 s in 2 s, in one packet and in several.
warned() {
  psl run transfers.psl --set 'network=analysis[link-queues]' --set L=0s --set 'bandwidths=[1 MB/s]' --set topology=bus $three \
    --set 'arrive=[]' "$@" 2>&1 >"$TMP/report" | grep warning
}
warned --set 'start=[0 s, 0.5 s, 1 s]' --set 'packet-size=1 MB'
for packet in 0.5 0.1; do
  echo "$packet MB"
  warned --set 'start=[0 s, 0.25 s, 1.5 s]' --set 'size=[0.5 MB]' --set "packet-size=$packet MB"
done
# Links that are seldom asked for, and then by many: from 1 s on, each 0.01 s later, three find 0.99, 1.98 and 2.97 s of work,
# 5.94 s / 5 in the mean; as random ones do where u / (1 - u) / 2 is as much, 70 %.
warned --set 'start=[0 s, 0.01 s, 0.02 s, 0.03 s, 99 s]' --set 'from=[0,0,0,0,0]' --set 'to=[1,1,1,1,1]' \
  --set 'packet-size=1 MB'
# Messages of one time: the three would wait for 0, 1 and 2 s, together for as long as they take.
warned --set 'start=[0 s, 0 s, 0 s]'
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
# So with messages of several packets, which fill buffers and are stored and forwarded, too.
for of in '3 kB 0.55' '24 kB 0.4' '96 kB 0.4'; do
  for topology in 'torus --set dimensions=[8,8]' 'star --set dimensions=[64]'; do
    for switching in cut-through store-and-forward; do
      set -- $of
      with="--set topology=$topology --set L=0s --set G=1ns/byte --set Gl=1ns/byte --set load=$3"
      with="$with --set switching=$switching"
      size="$1 $2"
      echo "$1 $3 ${topology%% *} $switching" $(latency $with --set "size=$size" --set 'network=analysis[link-queues]') \
        $(latency $with --set "size=$size" --set 'network=simulation[packets]') |
        awk '{ print $1 " kB", $2, $3, $4, ($5 / $6 > 0.9 && $5 / $6 < 1.1 ? "within 10 %" : $5 / $6) }'
    done
  done
done
# One that meets no other takes as long as by packets: 1 s, and 0.1 s for the second link.
for network in 'simulation[packets]' 'analysis[link-queues]'; do
  psl run transfers.psl --set "network=$network" --set L=0s --set 'bandwidths=[1 MB/s]' --set 'packet-size=0.1 MB' \
    --set switching=store-and-forward --set 'arrive=[]' --quiet --format csv | grep -e '^records,.*maximum' | cut -d, -f4
done
# The steps of an all-to-all are not in each other's way: as long as by packets, to the digit, and no word.
for ranks in 2 4 8 16; do
  for network in 'simulation[packets]' 'analysis[link-queues]'; do
    psl run all-to-alls.psl --set "network=$network" --set "ranks=$ranks" --set work=1ms --set 'message=1 MB' --format csv 2>&1 | grep -e ',makespan,' -e warning
  done
done
