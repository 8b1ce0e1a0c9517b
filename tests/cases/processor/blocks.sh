# What a block takes, as a model asks for it, is what one call more of it takes in a whole program: to a thousandth: a block begins with an empty window.
riscv64-linux-gnu-gcc -O1 -static blocks.c -o "$TMP/program"
cp blocks.psl "$TMP"
cd "$TMP"
cycles() { psl simulate -f json "$@" 2>&1 | perl -MJSON::PP -0777 -ne 'print decode_json($_)->{sim_cycle}'; }
block() { psl run "$@" -f json blocks.psl |
  perl -MJSON::PP -0777 -ne '($r) = grep { $_->{name} eq "last" } @{decode_json($_)->{records}}; printf "%.0f", $r->{mean}{value} * 1e9'; }
same() { # OPTION VALUE as a param, a parameter
  a=$(cycles --set "$3" program 1 2) b=$(cycles --set "$3" program 1 2 3)
  perl -e '$d = $ARGV[1] - $ARGV[0] - $ARGV[2]; print "$ARGV[3]: ", abs $d <= $ARGV[2] / 1000 ? "the same" : "$d cycles apart", "\n"' \
    "$a" "$b" "$(block --set repeated=3 --set "$1")" "$2"
}
same ruu-size=16 defaults ruu:size=16
same ruu-size=64 'window of 64' ruu:size=64
same 'lat-fpmult=[9, 2]' 'products in 9 cycles' 'lat:fpmult=9 2'
same 'cache-dl1="dl1:4:16:1:f"' 'small cache' cache:dl1=dl1:4:16:1:f
same 'issue-inorder=true' 'in order' issue:inorder=true
same 'bpred="nottaken"' 'no branch predicted' bpred=nottaken
# By instructions it takes what these come to, and both engines give the same.
psl run --set 'computing=analysis' --set cycles-per-instruction=2 --set 'frequency=500 MHz' blocks.psl | grep -A3 ^records
psl run blocks.psl >first && psl run --reference blocks.psl | diff first -
# What a program does reaches nothing but its memory: no output, no files.
psl run --set 'before="say"' blocks.psl | head -1
ls program blocks.psl
# What goes wrong.
for b in crash leave endless nowhere marks; do psl run --set block-limit=1_000_000 --set "block=\"$b\"" blocks.psl 2>&1 >report; done
psl run --set 'bpred="gshare"' blocks.psl 2>&1 >report
psl run --set 'cache-dl1="none"' blocks.psl 2>&1 >report
cp /bin/true program
psl run blocks.psl 2>&1 >report
rm program
psl run blocks.psl 2>&1 >report
