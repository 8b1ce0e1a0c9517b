run() { psl run transfers.psl --error-format short --quiet --set network=simulation[flows] "$@" 2>&1 >/dev/null; }
run --set topology=torus
# What is wrong with a topology is said before the run.
psl check transfers.psl --set network=simulation[packets] --set topology=torus
psl check transfers.psl --set network=analysis[link-queues] --set topology=fat-tree --set 'dimensions=[2, 2]' --set 'parents=[1]'
psl check transfers.psl --set network=simulation[NIC] --set topology=torus
for of in bus 'star --set dimensions=[4]' 'torus --set dimensions=[4]' 'mesh --set dimensions=[2,2]' \
  'fat-tree --set dimensions=[2,2]' 'dragonfly --set dimensions=[1,2,1,3]'; do
  psl check transfers.psl --set network=simulation[flows] --set 'bandwidths=[1 MB/s]' --set topology=$of
done
run --set topology=torus --set 'dimensions=[4, 0]'
run --set topology=torus --set 'dimensions=[4, 4]' --set 'to=[16]'
run --set topology=mesh --set 'dimensions=[5]' --set 'from=[-1]'
run --set topology=torus --set 'dimensions=[60000, 60000]'
run --set topology=mesh --set 'dimensions=[9999999]'
run --set topology=torus --set 'dimensions=[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]'
run --set topology=torus --set 'dimensions=[4, 4]' --set 'bandwidths=[1 MB/s, 2 MB/s, 3 MB/s, 4 MB/s]'
run --set topology=torus --set 'dimensions=[4, 4]' --set 'latencies=[1 us, 2 us, 3 us]' --set 'bandwidths=[1 MB/s, 2 MB/s]'
run --set 'bandwidths=[]'
run --set 'bandwidths=[0 MB/s]'
run --set 'latencies=[-1 us]'
run --set 'dimensions=[4, 4]'
run --set 'bandwidths=[1 MB/s, 2 MB/s]'
run --set topology=fat-tree --set 'dimensions=[4, 4]' --set 'parents=[1]'
run --set topology=dragonfly --set 'dimensions=[4, 4]'
run --set topology=dragonfly --set 'dimensions=[1, 2, 1, 4]'
run --set topology=hypercube
run --set 'size=[-1 MB]'
run --set routing=adaptive
run --set network=simulation[packets] --set 'packet-size=0 byte'
run --set network=simulation[packets] --set buffers=0
run --set 'network=analysis[link-queues]' --set 'packet-size=0 byte'
run --set 'network=analysis[link-queues]' --set buffers=0
run --set network=simulation[packets] --set virtual-channels=17
run --set network=simulation[packets] --set 'size=[1e30 byte]'
run --set topology=fat-tree --set 'dimensions=[4, 4]' --set 'parents=[2, 2]' --set 'to=[33]'
run --set topology=dragonfly --set 'dimensions=[2, 2, 1, 2]' --set 'to=[9]'
run --set topology=dragonfly --set 'dimensions=[2, 2, 1, 2]' --set 'to=[16]'
run --set topology=bus --set 'dimensions=[4]' --set 'to=[4]'
