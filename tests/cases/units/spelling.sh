# One spelling of a unit wherever it is printed, which is read again: of answers, params, tables, files, databases, pages.
cat >"$TMP/rate.psl" <<'END'
param rate : 1/time = 4 s^-1;
param spin : 1/data/time = 2 byte^-1/s;
param far : time = 72000.25 s;
transaction go();
component job {
  accepts:
    profile     = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
  body:
    record seen = spin;
    hold 1 / rate + 3 * far;
}
system rate {
  requests:
    selector    = { domain = application, node type = job };
    transaction = go();
    protocol    = dataflow;
}
END
cd "$TMP" || exit
psl -c rate.psl -e rate -e spin -e '1 / rate' -e '2 s * 3 s' -e '2 s * 3 byte' -e run | grep -v '^$' | head -7
psl params rate.psl | sed 1d
again=$(psl -c rate.psl -e spin) && psl run rate.psl --set "spin=$again" --set "rate=$(psl -c rate.psl -e '2 * rate')" | sed -n '1p;/^params/,$p'
psl study rate.psl --vary 'rate=1 s^-1,2 s^-1' --report 'twice = 2 * rate, makespan' --db rate.db -o rate.csv && cat rate.csv
psl study rate.psl --vary 'rate=1 s^-1,2 s^-1' --report 'twice = 2 * rate, makespan' --format jsonl | head -1
sqlite3 rate.db "SELECT name, unit FROM unit WHERE study = 'rate' LIMIT 3"
psl study rate.psl --vary 'rate=1 s^-1,2 s^-1' --plot='2 * rate against far' --vary far=72000.25s,90000s -o /dev/null | grep -E '\(s|^ *[0-9]'
printf 'n,rate [1/s]\n1,2\n2,4\n3,6\n4,8\n5,10\n' >rates.csv
psl fit rates.csv --terms n --format psl | grep -o 'fit .*'
psl fit rates.csv --terms n --at n=7 | grep -i 's^-1' | head -2
