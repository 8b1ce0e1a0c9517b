# What people write by mistake, each answered by what to write.
cd "$TMP" || exit
cat > m.psl <<'E'
param n : int = 4 in 1 .. 100;
param size : data = 100 MB;
transaction go();
component job {
  accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;
  body: hold 1 s * n + size / (100 MB/s);
}
system s { requests: selector = { domain = d, node type = job }; transaction = go(); protocol = call-return; }
study few of s { vary n in [1, 2]; report makespan; }
study many of s { vary n in 1 .. 9; report makespan; }
E
psl run m.psl -f json -o m.json
psl run m.psl -f html -o m.html
try() { psl "$@"; echo "$? psl $*"; }
{
try run m
try check m
try fit m
try run m.json
try fit m.json
try check m.html
try run m.psl few
try run m.psl job
try study m.psl
try study m.psl --vary n=5
try study m.psl s --vary 'n=2,4 size=1 MB'
try study m.psl s --vary 'n=2,4;size=1 MB,2 MB'
try study m.psl s --vary n=8..1
try study m.psl s --vary n=1..8..2
try study m.psl s --vary n=2 --plot 'makespan against n'
try study m.psl s --vary n=2 --plot makespan against n
try study m.psl s --vary n=2 --repeat 3
try study m.psl s --vary n=2 --objective makespan
try run m.psl --output-format json
try run m.psl --timeout 5s
try run m.psl --set size=100M
try run m.psl --set size=100K
try run m.psl --set size=1G
try sensitivity m.psl --step 0.1
try sensitivity m.psl --step 5
try mpirun ./prog -n 4
try mpirun mpirun -np 4 ./prog
try mpirun -n 2 /bin/ls --set machine=cluster
} 2>&1
psl study m.psl many -f csv > /dev/full
