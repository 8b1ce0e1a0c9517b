# Closed forms of time, each by the difference of a program with 400 instructions more in a straight line: a chain of sums
# takes a cycle each, sums that need nothing of each other go by the width or the units, a chain of products takes their
# latency, quotients one unit that is not pipelined, a chain of loads that hit an addition and an access.
# tolerance: 0.01
program() { # COUNT LINE
  { printf 'lui $2, 0x1000\naddiu $4, $0, 7\nsw $2, 0($2)\n.repeat %s\n%s\n' "$1" "$2"
    printf 'addiu $2, $0, 1\naddiu $4, $0, 0\nsyscall\n'; } | perl assemble.pl "$TMP/$1"
}
# A perfect cache of code, or every program would wait for memory first.
cycles() { psl simulate --set cache:il1=none --set cache:il2=none --set tlb:itlb=none --set bpred=perfect \
  -f json "$@" 2>&1 >/dev/null | perl -MJSON::PP -0777 -ne 'print decode_json($_)->{sim_cycle}'; }
each() { # WHAT LINE OPTION...
  what=$1
  program 400 "$2"
  program 800 "$2"
  shift 2
  a=$(cycles "$@" "$TMP/400") b=$(cycles "$@" "$TMP/800")
  perl -e 'printf "%-40s %.3f cycles each\n", $ARGV[0], ($ARGV[2] - $ARGV[1]) / 400' "$what" "$a" "$b"
}
each 'a chain of sums' 'addu $3, $3, $4'
each 'sums that stand alone' 'addu $3, $4, $4'
each 'sums that stand alone, width 8, 4 units' 'addu $3, $4, $4' --set decode:width=8 --set issue:width=8 \
  --set commit:width=8 --set fetch:ifqsize=16 --set ruu:size=64
each 'sums that stand alone, 8 of all' 'addu $3, $4, $4' --set decode:width=8 --set issue:width=8 \
  --set commit:width=8 --set fetch:ifqsize=16 --set ruu:size=64 --set res:ialu=8
each 'sums that stand alone, width 1' 'addu $3, $4, $4' --set decode:width=1
each 'a chain of sums of floating point' 'add.d $f2, $f2, $f4'
each 'a chain of products' 'mul.d $f2, $f2, $f4'
each 'quotients that stand alone' 'div.d $f2, $f4, $f4'
each 'roots that stand alone' 'sqrt.d $f2, $f4'
each 'integer quotients' 'div $4, $4'
each 'integer quotients, 5 cycles apart' 'div $4, $4' --set 'lat:idiv=4 5'
each 'a chain of loads that hit' 'lw $2, 0($2)' --set tlb:dtlb=none
each 'a chain of loads, latency 3' 'lw $2, 0($2)' --set tlb:dtlb=none --set cache:dl1lat=3
each 'stores that stand alone' 'sw $3, 0($2)' --set tlb:dtlb=none
each 'stores that stand alone, 1 port' 'sw $3, 0($2)' --set tlb:dtlb=none --set res:memport=1
each 'nothing' 'nop'
