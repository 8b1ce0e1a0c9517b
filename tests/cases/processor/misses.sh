# Loads that miss, by closed forms: memory takes 18 + 2 x 7 = 32 cycles for a block of 64 byte, which a chain of loads
# takes for each, and the addition before it; a block that is in the second cache its 6. A branch that goes either way in turn
# is mispredicted by a counter half of the time, and by histories only until they know.
# tolerance: 0.02
chain() { # COUNT of loads, each a block further
  { printf 'lui $2, 0x1000\n'
    perl -e 'print "lw \$3, 0(\$2)\naddu \$2, \$2, \$3\naddiu \$2, \$2, 64\n" x $ARGV[0]' "$1"
    printf 'addiu $2, $0, 1\naddiu $4, $0, 0\nsyscall\n'; } | perl assemble.pl "$TMP/chain"
}
cycles() { psl simulate --set cache:il1=none --set cache:il2=none --set tlb:itlb=none --set tlb:dtlb=none \
  -f json "$@" 2>&1 >/dev/null | perl -MJSON::PP -0777 -ne 'print decode_json($_)->{sim_cycle}'; }
each() {
  what=$1
  shift
  chain 10; a=$(cycles "$@" "$TMP/chain")
  chain 50; b=$(cycles "$@" "$TMP/chain")
  perl -e 'printf "%-45s %.1f cycles each\n", $ARGV[0], ($ARGV[2] - $ARGV[1]) / 40' "$what" "$a" "$b"
}
each 'misses of both: 32, address, 2 sums'
each 'memory slower: 100 + 4 x 7' --set 'mem:lat=100 4'
each 'a bus of 64 byte: 18' --set mem:width=64
each 'no second cache: 18 + 2 x 3 for 32 byte' --set cache:dl2=none
each 'first cache as wide as both blocks' --set cache:dl1=dl1:128:128:4:l --set cache:dl2=none
each 'no cache at all: 1' --set cache:dl1=none --set cache:dl2=none
each 'half of the misses hit the block before' --set cache:dl1=dl1:60:128:3:l --set cache:dl2=ul2:100:128:3:l

loop() { # a branch whose way is bit 0 of a counter of 1000
  perl assemble.pl "$TMP/loop" <<'END'
  addiu $4, $0, 1000
again:
  andi $3, $4, 1
  bne $3, $0, other
  nop
other:
  addiu $4, $4, -1
  .repeat 100
  nop
  bne $4, $0, again
  addiu $2, $0, 1
  syscall
END
}
loop
for p in bimod 2lev comb nottaken perfect; do
  psl simulate --set bpred=$p --set 'bpred:2lev=1 65536 8 0' -f json "$TMP/loop" 2>&1 |
    perl -MJSON::PP -0777 -ne '$r = decode_json($_); $b = ($r->{predictors} // [])->[0];
      printf "%-9s %s of %s mispredicted\n", "'$p'", $b ? $b->{updates} - $b->{addr_hits} : "none", $r->{sim_num_branches}'
done
