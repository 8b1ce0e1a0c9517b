# What --vary takes, and what is wrong with the rest.
vary() {
  for values; do
    echo "$values:"
    psl study repetitions.psl s --error-format short --vary "$values" 2>&1 || true
  done
}
vary 'n=1..(2*2)' 'n=1..9*3' 'n=9..1+(-4)' 'load=1ms..3ms+1ms' 'sizes=[1],[2,3]' 'tool=simulation[fast],slow' 'repetitions.n=3'
vary m=1 n n= n=1, n=1us n=1.5 n=foo n=1..0 n=1..4+0 'n=1..8*1' 'n=0..8*2' load=1ms..2ms n=1..99999999999999999 few=1 \
  n=1..1000000000 'n=[]' n=0,101
echo 'the same twice, and too much:'
psl study repetitions.psl s --error-format short --vary n=1 --vary n=2 2>&1
psl study repetitions.psl s --vary n=1..1000000000000 --vary load=0ms..1s+1ns --vary sizes=[1],[2] --format csv 2>&1
echo 'names and numbers:'
psl study repetitions.psl repp 2>&1
psl study repetitions.psl rep --repetitions 0 2>&1
psl study repetitions.psl rep --jobs 9999 2>&1
psl study repetitions.psl rep --format xml 2>&1
psl study repetitions.psl rep --set tool=slow --vary n=1 2>&1
psl run repetitions.psl s --repetitions 2 2>&1
true
