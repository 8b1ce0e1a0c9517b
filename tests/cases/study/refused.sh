# What a study's ranges and settings cannot be, and columns beside params of the same name.
cd "$TMP" && cat >m.psl <<'M'
param n    : int  = 4;
param m    : int  = 2 * n;
param wait : time = 1 s;
let half = n div 2;
function twice(k : int) -> int = k + half;
transaction go();
component worker {
  accepts:
    profile     = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold wait * m / n;
}
system s {
  requests:
    selector    = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
}
study bound of s { vary n in 1 .. 3, m in 1 .. n; report time = makespan; }
study step of s { vary n in 1 .. 3, m in 1 .. 9 by twice(1); report time = makespan; }
study list of s { vary n in 1 .. 3, wait in [i in 1 .. half : i * 1 s]; report time = makespan; }
study itself of s { vary n in 1 .. 2 * n, m in 1 .. m; report time = makespan; }
study setting of s { vary n in 1 .. 3; report time = makespan; repetitions = n; }
study follows of s { vary n in 1 .. 2, m in [n, 2 * n]; report time = makespan; }
study seeds of s { report time = makespan; repetitions = 3; seed = 9223372036854775806; }
M
for study in bound step list itself setting; do
  echo "-- $study"
  psl study m.psl $study
done
# The user's setting is the same at all points.
psl study m.psl bound --set n=2 --format csv
psl study m.psl follows --format csv
psl study m.psl s --vary n=1..3 --vary m=1..n
psl study m.psl seeds
psl study m.psl seeds --repetitions 2 --format csv
psl study m.psl s --seed 9223372036854775807 --repetitions 2
psl sensitivity m.psl --seed 9223372036854775807 --repetitions 2
psl study m.psl s --vary wait=1s,2s
psl study m.psl bound --vary n=1 --vary wait=1s --format csv
psl study m.psl follows --vary time=1s
