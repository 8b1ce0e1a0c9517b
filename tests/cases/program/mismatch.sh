# psl diff of traces: a measured run beside a predicted one. Faults that are put into the measured one are found and
# named, on whatever rank, region and communicator they are; without one nothing is named.
cd "$TMP" || exit
# Four ranks in a ring, a program of two regions; bursts spread by 10 %. SLOW: a rank that computes 1.3 times as long;
# LATE: every other burst of the region `call 2` of rank 1 takes 4 times as long, or, by 2, one of them 100 times.
program() {
  awk -v seed="$1" -v spread="$2" -v slow="${3:--1}" -v late="${4:-0}" 'function noise() {
    seed = seed * 16807 % 2147483647
    return 1 + spread * (seed / 2147483647 - 0.5)
  }
  BEGIN {
    print "#DIMEMAS:\"ring\":0:4(1,1,1,1),2\nd:1:1:4:0:1:2:3\nd:1:2:2:0:1"
    for (r = 0; r < 4; r++) for (k = 0; k < 40; k++) {
      more = r == slow ? 1.3 : 1
      printf "20:%d:0:60000020:1\n1:%d:0:%.9f\n", r, r, 0.004 * more * noise()
      printf "2:%d:0:%d:10000000:1:1:2\n3:%d:0:%d:10000000:1:1:0\n", r, (r + 1) % 4, r, (r + 3) % 4
      printf "20:%d:0:60000020:0\n20:%d:0:60000020:2\n", r, r
      printf "1:%d:0:%.9f\n20:%d:0:60000020:0\n", r, 0.001 * noise() * (r != 1 ? 1 : late == 1 && k % 2 ? 4 : late == 2 && k == 20 ? 100 : 1), r
      if (r < 2) printf "10:%d:0:11:2:0:0:8:8:1\n", r
    }
  }'
}
platform() {
  echo '<platform version="4.1"><zone id="z" routing="Full">'
  for h in 0 1 2 3; do echo "<host id=\"h$h\" speed=\"1Gf\"/>"; done
  for h in 0 1 2 3; do echo "<link id=\"l$h\" bandwidth=\"$([ $h = "$2" ] && echo "$3" || echo "$1")\" latency=\"0us\"/>"; done
  for a in 0 1 2 3; do for b in 0 1 2 3; do
    [ $a -lt $b ] && echo "<route src=\"h$a\" dst=\"h$b\"><link_ctn id=\"l$a\"/><link_ctn id=\"l$b\"/></route>"
  done; done
  echo '</zone></platform>'
}
machine='--set machine=cluster'
program 1 0 >smooth.dim
program 7 0.1 >noisy.dim
program 11 0.1 >again.dim
program 7 0.1 2 >slow.dim
program 7 0.1 -1 1 >late.dim
program 7 0.1 -1 2 >once-late.dim
platform 10GBps none >even.xml
platform 10GBps 2 4GBps >busy.xml
for name in smooth noisy again slow late once-late; do psl replay $name.dim $machine --record $name.trace >/dev/null; done
psl replay noisy.dim $machine --set G=0.16ns/byte --set Gl=0.08ns/byte --record half.trace >/dev/null
for name in even busy; do psl replay noisy.dim $machine --platform $name.xml --record $name.trace >/dev/null; done
psl replay again.dim $machine --platform even.xml --record on-even.trace >/dev/null

echo '--- nothing'
psl diff noisy.trace smooth.trace
psl diff noisy.trace again.trace --format csv | grep -c '^causes,\|^waits,'
psl diff even.trace on-even.trace --format csv | grep -c '^causes,\|^waits,'
echo '--- a slow rank'
psl diff slow.trace smooth.trace
psl diff slow.trace again.trace --format json | grep -A12 '"causes"'
echo '--- a network at half of its bandwidth'
psl diff half.trace smooth.trace
echo '--- a neighbour that is busy on the network of a rank'
psl diff busy.trace on-even.trace | sed '/^differences/,$d'
echo '--- and on its processor, now and then'
psl diff late.trace smooth.trace | sed '/^differences/,$d'
psl diff late.trace smooth.trace --least 30% | grep '^nothing'
echo '--- once: nobody knows how often, but that one burst takes it'
psl diff once-late.trace smooth.trace
psl diff smooth.trace once-late.trace --format csv | grep '^parts.*why.*far'

echo '--- what happens once: other ranks tell, as far as there are some'
once() { # RANKS SECONDS [SLOW SECONDS]
  awk -v ranks=$1 -v seconds=$2 -v slow=${3:--1} -v its="$4" 'BEGIN {
    for (r = 0; r < ranks; r++) { threads = threads (r ? "," : "") 1; members = members ":" r }
    printf "#DIMEMAS:\"once\":0:%d(%s),1\nd:1:1:%d%s\n", ranks, threads, ranks, members
    for (r = 0; r < ranks; r++) printf "1:%d:0:%.9f\n10:%d:0:11:1:0:0:8:8:1\n", r, r == slow ? its : seconds * (1 + r / 10), r
  }'
}
once 4 0.02 >o.dim
once 4 1.66 >all.dim
once 4 0.02 2 0.844 >one.dim
once 2 0.02 >o2.dim
once 2 0.02 1 0.844 >one2.dim
for name in o all one o2 one2; do psl replay $name.dim $machine --record $name.trace >/dev/null; done
psl diff all.trace o.trace | sed '/^differences/,$d'
psl diff one.trace o.trace | sed '/^differences/,$d'
psl diff one2.trace o2.trace
psl diff one2.trace o2.trace --format csv | grep '^parts'

echo '--- what cannot be'
echo 'param x : int = 1;' >model.psl
psl diff smooth.trace model.psl
psl diff smooth.trace
psl diff smooth.trace noisy.trace --set x=3
psl diff smooth.trace noisy.trace --least 0
psl diff smooth.dim noisy.trace
psl diff noisy.trace nothing.trace
printf '0 init\n0 sleep 1\n0 barrier\n0 finalize\n' >one.tit
psl replay one.tit --record one.trace >/dev/null
psl diff noisy.trace one.trace
head -c 3000 noisy.trace >cut.trace
psl diff noisy.trace cut.trace
