# Conditions of fits compare columns of texts, with and without quotes; what such a fit comes to is what it comes to with
# the other lines taken out of the file. Columns are named with their units, too. What psl study writes is fitted by the
# columns that are said.
cd "$TMP" || exit
cat > m.csv <<'E'
host,run,n,time [s]
a,0,1,1.0
a,1,2,2.0
b,0,1,5.0
"b, 2",0,2,
a,0,4,4.0
b,1,2,10.0
b,0,4,20.0
E
psl fit m.csv --params n --terms n --where 'host == "a"' -f csv | grep -v origin > one
grep -v ^b m.csv | grep -v '^"b' > a.csv
psl fit a.csv --params n --terms n -f csv | grep -v origin | sed 's/a.csv/m.csv/' | diff - one
psl fit m.csv --params n --terms n --where 'host != "a" and host != "b, 2"' -f csv | sed -n 1,5p
psl fit m.csv --params n --terms n --where 'host != "b, 2" and (host == "a" or run == 1)' --column 'time [s]' -f csv | sed -n 1,3p
cat > m.psl <<'E'
fit cost(n : int) -> time from "m.csv" { column = "time"; where host == "b"; terms n; }
transaction go();
component job { accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;
  body: hold cost(100); }
system s { requests: selector = { domain = d, node type = job }; transaction = go(); protocol = call-return; }
E
psl run m.psl -q | head -1
echo "refused:"
{
psl fit m.csv --params n --terms n --where 'host == a'
psl fit m.csv --params n --terms n --where 'host > 3'
psl fit m.csv --params n --terms n
psl fit m.csv --where 'host == "b"'
psl fit m.csv --params n --column host --terms n
psl study m.psl s --repetitions 2 -q -f csv -o study.csv
psl fit study.csv
psl fit study.csv --column 'makespan [ms]'
} 2>&1
