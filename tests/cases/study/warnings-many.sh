# Each distinct warning of points is told with the number of its points, also behind several errors and notes, in all
# formats: below the table that people read, else among the notes; the first three of each are shown whole.
cd "$TMP" || exit
cat > t.csv <<'E'
n,time [s]
1,1
2,2
3,3
4,4
E
cat > m.psl <<'E'
fit cost(n : int) -> time from "t.csv" { terms n; column = "time"; }
param n : int = 4;
transaction go();
component job {
  accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;
  body:
    assert n != 1;
    assert n != 2;
    assert n != 3;
    assert n != 4;
    if n == 5 { hold cost(n); }
    if n >= 6 { hold cost(n); }
    if n >= 7 { hold cost(n); }
    if n >= 8 { hold cost(n); }
    if n >= 9 { hold cost(n); }
}
system s { requests: selector = { domain = d, node type = job }; transaction = go(); protocol = call-return; }
E
psl study m.psl s --vary n=1..9 --report makespan
for format in csv json jsonl html; do
  psl study m.psl s --vary n=1..9 --report makespan -f $format 2> said > out
  echo "$format: $(grep -c '^note: warned at .*: .cost' said)"
done
psl study m.psl s --vary n=1..9 --report makespan -f html -j 2 2>&1 > out | cmp - said
awk 'BEGIN { print "fit f(n : int) -> time from \"t.csv\" { terms n; column = \"time\"; }"
  print "param n : int = 4;\ntransaction go();\ncomponent job {"
  print "accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;\nbody:"
  for (i = 1; i <= 60; i++) printf "if n == %d { hold f(n); }\n", i + 4
  print "}\nsystem s { requests: selector = { domain = d, node type = job };"
  print "transaction = go(); protocol = call-return; }" }' > many.psl
psl study many.psl s --vary n=5..64 --report makespan 2> said | tail -2
psl study many.psl s --vary n=5..64 --report makespan -f csv 2>&1 > out | grep -E 'warned|points' | tail -3
