# Messages that come to an interface at one time wait for each other, burst after burst with computing between, which a
# network without interfaces leaves out: of 8 messages of 10 us each the last would wait 7 x 10 us, n times that in n
# rounds. By as much the same run with interfaces is longer. The same for 24 messages, 23 x 10 us, to and from a rank for
# which less is known of when its messages came: few bursts are told apart there, but what one process sends is known in
# order.
figure() { sed -n "s/.*\"$1\", *\"value\": {\"value\": \([0-9.e-]*\),.*/\1/p; s/.*\"$1\": {\"value\": \([0-9.e-]*\),.*/\1/p" "$2"; }
late() {
  psl run bursts.psl --quiet --format json "$@" >"$TMP/without"
  psl run bursts.psl --quiet --format json "$@" --set 'network=simulation[NIC]' >"$TMP/with"
  echo "$*" | sed 's/--set //g'
  echo "$(figure 'waits for interfaces left out' "$TMP/without") $(figure makespan "$TMP/with")" \
    "$(figure makespan "$TMP/without")" | awk '{ printf "  waits %.5g s, is later by %.5g s\n", $1, $2 - $3 }'
}
for rounds in 1 10 100; do late --set rounds=$rounds; done
for rounds in 1 4; do late --set rounds=$rounds --set others=24 --set root=20; done
for rounds in 1 1000; do late --set rounds=$rounds --set others=24 --set root=20 --set gather=false; done
# Of 264000 messages that come at once the last would wait 263999 x 10 us. Four times 72000, 550 us apart, are one burst:
# the interface is busy for 2.88 s, and the last would be through at 1.66 ms. So many are not counted in few bytes.
late --set others=24 --set root=20 --set each=11000
late --set others=24 --set root=20 --set each=3000 --set rounds=4
psl run bursts.psl --set rounds=10 | grep left
psl study bursts.psl --vary rounds=1,10 --vary work=500us,5ms
