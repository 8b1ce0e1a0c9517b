# tolerance: 1e-9
# What stands in the files that a model reads is part of what a run of a database is known by: of a trace that a param
# names, or the model's text, and of the files that it lists; of a platform; of measurements. After each study stand how
# many runs the database has.
networks=$PWD/../networks
cd "$TMP" || exit
cat > m.psl <<'END'
use program;
component host like computer { profile machine = host; profile float rate = 1 Gflop/s; }
use message-cost { param machine = host; param L = 1 us; param os = 1 us; param G = 1 ns/byte; }
END
sed '1s/.*/use program { param trace = "b.tit"; }/' m.psl > named.psl
trace() { printf '0 init\n0 compute %s\n0 finalize\n' "$1"; }
study() { # FILE [OPTIONS]
  psl study "$@" --db kept.db --format csv -q 2>/dev/null | tail -n +2 | cut -d, -f1,2
  sqlite3 kept.db 'SELECT count(*) || " runs" FROM run'
}
traces() { study m.psl --vary 'trace="a.tit","b.tit","all","notes"'; }
trace 1e9 > a.tit; trace 2e9 > b.tit; echo a.tit > all; echo 'No trace.' > notes
echo '-- traces that a param names: two files, a list of one file, no trace at all'; traces
echo '-- again'; traces
trace 3e9 > a.tit
echo '-- after a change of a.tit'; traces
echo b.tit > all
echo '-- and of the list'; traces
trace 1e9 > a.tit
echo '-- as before'; traces
trace 4e9 > notes
echo '-- what was none is a trace'; traces
rm kept.db
echo '-- a trace that the model names'; study named.psl --vary speed=1
touch -d yesterday b.tit; study named.psl --vary speed=1
trace 5e9 > b.tit; study named.psl --vary speed=1,2

rm kept.db
echo '-- a platform'
cp "$networks/transfers.psl" "$networks/site.xml" .
platform() {
  study transfers.psl --vary 'platform-file="site.xml"' --set topology=platform --set 'network=simulation[flows]' \
    --set L=0s --set G=0s/byte --set Gl=0s/byte --set 'arrive=[]' --set 'from=[0]' --set 'to=[1]'
}
platform; platform
sed 's/lat="1ms"/lat="11ms"/' site.xml > slow.xml; mv slow.xml site.xml; platform

rm kept.db
echo '-- measurements'
cat > fitted.psl <<'END'
param n : int = 3;
fit cost(n : int) -> time from "times.csv" { }
transaction go();
component task {
  accepts: profile = { domain = application[x], node type = task };  transaction = go();  protocol = call-return;
  body: hold cost(n);
}
system one { requests: selector = { domain = application[x], node type = task }; transaction = go(); protocol = call-return; }
END
measured() { echo 'n,time [s]'; for n in 1 2 3 4 5 6; do echo "$n,$((n * $1))"; done; }
measured 2 > times.csv; study fitted.psl --vary n=3; study fitted.psl --vary n=3
measured 3 > times.csv; study fitted.psl --vary n=3
