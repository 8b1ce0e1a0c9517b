# tolerance: 1e-12
# Messages of 1 MB, and links of 1 MB/s.
run() {
  echo "$1"
  shift
  psl run transfers.psl --set network=simulation[flows] --set L=0s --set 'bandwidths=[1 MB/s]' "$@" --quiet --format csv |
    grep '^records,.*maximum' | cut -d, -f2-
}
run 'alone: 1 s' --set topology=bus
run 'two at once: 2 s each' --set topology=bus --set 'from=[0, 2]' --set 'to=[1, 3]' --set 'arrive=[2 s]'
run 'half the size: through at 1 s, then the other goes on alone' \
  --set topology=bus --set 'from=[0, 2]' --set 'to=[1, 3]' --set 'size=[1 MB, 0.5 MB]' --set 'arrive=[1.5 s, 1 s]'
run 'the second comes at 0.5 s: half is left, 1 s each' \
  --set topology=bus --set 'from=[0, 2]' --set 'to=[1, 3]' --set 'start=[0 s, 0.5 s]' \
  --set 'size=[1 MB, 0.5 MB]' --set 'arrive=[1.5 s, 1.5 s]'
run 'three to one node of a star' --set 'from=[0, 1, 3]' --set 'to=[2, 2, 2]' --set 'arrive=[3 s]'
run 'there and back on links of two directions' --set 'from=[0, 1]' --set 'to=[1, 0]'
run '... of which both have one capacity' --set capacities=shared --set 'from=[0, 1]' --set 'to=[1, 0]' \
  --set 'arrive=[2 s]'
run 'a third each on a full link, so two thirds for who shares only the other one' \
  --set topology=mesh --set 'dimensions=[3]' --set 'from=[0, 0, 1, 1]' --set 'to=[2, 1, 2, 2]' \
  --set 'size=[1 MB, 2 MB, 1 MB, 1 MB]' --set 'arrive=[3 s]'
run 'an end gives others more, of whom one gives way to another one: 2, 2 2/3, 3 1/6, 3 1/3 s' \
  --set topology=mesh --set 'dimensions=[3]' --set 'from=[0, 0, 1, 1]' --set 'to=[2, 1, 2, 2]' \
  --set 'size=[1 MB, 2.333333333333333 MB, 1.5 MB, 0.666666666666667 MB]' \
  --set 'arrive=[2.666666666666667 s, 3.333333333333333 s, 3.166666666666667 s, 2 s]'
run 'to oneself, and nothing: neither takes a link' \
  --set 'from=[0, 0, 0]' --set 'to=[0, 1, 1]' --set 'size=[9 MB, 0 byte, 1 MB]' --set G=0s/byte --set Gl=0s/byte \
  --set 'arrive=[0 s, 0 s, 1 s]'
run 'no faster than its gap: 2 us/byte, and the other has what is left' \
  --set topology=bus --set G=2us/byte --set Gl=2us/byte --set 'bandwidths=[1.5 MB/s]' \
  --set 'from=[0, 2, 4]' --set 'to=[1, 3, 5]' --set 'arrive=[2 s]'
