# What threads cost comes back from a table of it, as medians; what needs two processors may be missing; a model runs on
# it. Tables that are wrong. What is measured here makes a machine, whatever this computer is.
measure() { psl measure threads --from - "$@" 2>&1; echo "[$?]"; }
table() {
  echo "test,time [us]"
  printf '%s\n' creation,20 creation,21 creation,90 start,15 join,1 own,0.005 lock,0.02 "$@"
}
table transfer,0.07 transfer,0.07 steal,0.3 | measure --name known
table | measure
noisy() { for k in 1 2 3 4 5 6 7 8 9; do echo "own,0.00$k"; done; }
table $(noisy) | measure --name noisy | tail -3
echo 'test,time
own,1e-9' | measure
table spin,1 | measure
table own,0 | measure
table own,-1 | measure
echo 'own,time [us]
1,2' | measure
echo 'test,time [byte]
own,2' | measure
table | measure --name ideal
psl measure threads --from nowhere.csv 2>&1; echo "[$?]"
psl measure threads --mpirun x 2>&1; echo "[$?]"
psl measure thread 2>&1; echo "[$?]"
psl measure threads --name here --repetitions 1 --table "$TMP/here.csv" -o "$TMP/here.psl" 2>"$TMP/noise"; echo "[$?]"
sed -n '/^own/p' "$TMP/here.csv" | wc -l
sed 's/= .*/= FIGURE/' "$TMP/here.psl" | grep -vE '^//|transfer|steal'
psl measure threads --name here --from "$TMP/here.csv" 2>"$TMP/noise" | cmp - "$TMP/here.psl" && echo 'the same of its table'
