# What is not whole goes beside the file, so that make does not take it for done; who succeeds afterwards removes that.
cat > "$TMP/short.psl" <<'END'
param most : int = 1000;
transaction go();
component c {
  accepts: profile = { k = a }; transaction = go(); protocol = dataflow;
  body: for k in 1 .. 100 { hold 1 ms; assert k < most; }
}
system s { requests: every selector = { k = a }; transaction = go(); protocol = dataflow; }
END
cp small.psl "$TMP" && cd "$TMP" || exit
echo old > x.json
psl run short.psl --set most=5 --error-format short -o x.json --timeline t.svg --trace t.prv
echo "[exit $?]" && cat x.json && grep -e complete -e makespan x.json.partial && ls
printf 'x.csv: short.psl\n\tpsl run short.psl -q $(LIMIT) -o $@\n' > Makefile
make -s LIMIT='--set most=5' 2> said
make -s && grep makespan x.csv && make && ls x*
psl study short.psl --vary missing=1 -o x.csv
psl run short.psl -o x.json && ls x*
# A model of that name is left alone, and so is a database.
cp short.psl x.json.partial && psl run x.json.partial -o x.json && psl run x.json.partial -q --set most=5 -o x.json
cmp short.psl x.json.partial
psl study small.psl --repetitions 1 --db y.json.partial -o y.json
psl run short.psl -o y.json && psl run short.psl -q --set most=5 -o y.json
sqlite3 y.json.partial 'SELECT count(*) FROM run'
rm x* y* t*
# Nothing is left by SIGKILL, where a file needs no name before it is whole; what has one serves the next.
sed 's/100 /1_000_000_000_000 /; s/1000;/2_000_000_000_000;/' short.psl > long.psl
psl run long.psl -o x.json &
until readlink /proc/$!/fd/* | grep -q deleted; do sleep 0.01; done
kill -KILL $!
{ wait $!; } 2>/dev/null
ls
printf '0 init\n0 sleep 1\n0 finalize\n' > t.tit
echo left > x.trace.unfinished
psl replay t.tit --record x.trace -o x.txt && ls x* && psl trace info x.trace | grep ranks
echo held > x.trace.unfinished
flock x.trace.unfinished psl replay t.tit --record x.trace -o x.txt && ls x* && cat x.trace.unfinished
