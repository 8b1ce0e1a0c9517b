# tolerance: 1e-9
# L = 20 us, o = 10 us, G = 10 ns a byte: 100 bytes cross in 21 us. By process, in us:
# late-sender: rank 1 waits from 0 on; 1000 till the sender comes, then 10 + 21.
# late-receiver: rank 0 has asked at 10: 990 till the receiver comes, then its answer takes 10 + 20. Rank 1, which has
#   answered at 1010, waits for that, the sender's overhead and the data: 20 + 10 + 21.
# rendezvous: without blocking, 100 kB cross in 1020. Rank 0 waits from 1010 on: 990 till the receiver comes, then for the
#   answer and its agent's overhead, 30 + 10. Rank 1 waits from 2010 to 2030 + 10 + 1020.
# posted: rank 0 waits from 10 on for the request and the answer, 20 + 10 and 10 + 20; rank 1 from 0 on for what it had
#   to send and these, till 40; and then, as its agent answers, for the answer, the sender's overhead and the data: 61.
# queued: two messages of 20 meet at rank 1's interface, the first at 30. Rank 1 waits from 0 on for the other one, which
#   is sent at 1: 1, then 50 and 19 that it stands behind the first one.
# collective: rank 0 waits from 0 on for rank 1, which came at once: 10 + 21; then at 41 for rank 2, which comes at 1000:
#   959, 31.
run() {
  echo "$1"
  psl run waits.psl --set L=20us --set os=10us --set ol=10us --set G=10ns/byte --set Gl=10ns/byte --set g=0us \
    --set program=$1 --set "network=$2" --format csv --by rank |
    awk -F, '$1 == "processes" && $3 != "compute" && $3 != "communicate" && $3 != "end" && $4 > 0 { print $2, $3, $4 }'
}
for program in late-sender late-receiver rendezvous posted collective; do
  run $program 'analysis[LogGP]'
done
run queued 'simulation[NIC]'
