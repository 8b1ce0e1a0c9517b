# tolerance: 1e-12
# Packets of 1 kB, links of 1 MB/s: 1 ms each.
run() {
  echo "$1"
  shift
  psl run transfers.psl --set network=simulation[packets] --set L=0s --set G=0s/byte --set Gl=0s/byte \
    --set 'bandwidths=[1 MB/s]' --set 'packet-size=1 kB' --set 'arrive=[]' "$@" --quiet --format csv 2>&1 |
    grep -e '^records,.*m..imum' -e '^psl' -e error -e 'waits for its message' | cut -d, -f2-
}
run 'cut-through, alone, whichever the number of links: 10.5 ms' --set topology=torus --set 'dimensions=[8]' \
  --set 'to=[3]' --set 'size=[10.5 kB]'
run 'and latencies of 2 ms on 3 links' --set topology=torus --set 'dimensions=[8]' --set 'latencies=[2 ms]' \
  --set 'to=[3]' --set 'size=[10.5 kB]'
run 'store and forward on 3 links: 10 packets, 2 more steps of a packet, and the half one: 12.5 ms' \
  --set topology=torus --set 'dimensions=[8]' --set 'to=[3]' --set 'size=[10.5 kB]' --set switching=store-and-forward
run 'less than a packet: 3 times 0.5 ms' --set topology=torus --set 'dimensions=[8]' --set 'to=[3]' \
  --set 'size=[0.5 kB]' --set switching=store-and-forward
run 'two take turns on a link, so one is there a packet before the other' --set 'from=[0, 1]' --set 'to=[2, 2]' \
  --set 'size=[10 kB]'
run 'one buffer, stored and forwarded, latency 1 ms: a packet each 3 ms' --set topology=mesh --set 'dimensions=[4]' \
  --set 'latencies=[1 ms]' --set 'to=[3]' --set 'size=[10 kB]' --set switching=store-and-forward --set buffers=1
run '... 2 buffers: each 1.5 ms' --set topology=mesh --set 'dimensions=[4]' \
  --set 'latencies=[1 ms]' --set 'to=[3]' --set 'size=[10 kB]' --set switching=store-and-forward --set buffers=2
ring="--set topology=torus --set dimensions=[8] --set from=[0,1,2,3,4,5,6,7] --set to=[4,5,6,7,0,1,2,3] --set size=[3kB]"
run 'half way round a ring, as many channels as there have to be' $ring --set buffers=1
run 'one channel: each packet holds the buffer that another one waits for' $ring --set buffers=1 --set virtual-channels=1
run 'there and back: the directions of a link share its time, not the buffers behind it' --set capacities=shared \
  --set 'from=[0, 1]' --set 'to=[1, 0]' --set 'size=[10 kB]' --set buffers=1
echo 'by packets there are other ways: by chance they part what d-mod-k sends over one link'
for routing in minimal valiant adaptive; do
  run $routing --set topology=fat-tree --set 'dimensions=[4, 4]' --set 'from=[0, 1, 2, 3]' --set 'to=[4, 8, 12, 12]' \
    --set 'size=[100 kB]' --set routing=$routing
done
