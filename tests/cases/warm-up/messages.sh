# What is waited for messages, behind the middle of it. L = 20 us, o = 10 us, G = 10 ns a byte; by process, in us:
# late-sender: rank 1 waits from 0 to 1031: 1000 till the sender comes, then 10 + 21. Behind 400 us 600 are left, and behind
#   1015 us, when its overhead of 10 is over and the message is on its way, 16 of the transfer.
# late-receiver: rank 0 has asked at 10 and waits 990 till the receiver comes, at 1000; behind 700 us that is 300.
run() {
  echo "$1 behind $2"
  psl run ../mpi/waits.psl --set L=20us --set os=10us --set ol=10us --set G=10ns/byte --set Gl=10ns/byte --set g=0us \
    --set program=$1 --set 'network=analysis[LogGP]' --format csv --by rank --warm-up $2 |
    awk -F, '$3 ~ /_sender|_receiver|transfer|^wait$/ && $4 > 0 && $1 == "processes" || $3 == "messages" { print $1, $2, $3, $4 }'
}
run late-sender 400us
run late-sender 1015us
run late-receiver 700us
