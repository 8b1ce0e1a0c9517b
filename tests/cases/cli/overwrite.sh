# What is read, and what something else is written to, is written by nothing, whatever its name.
cp ../../../examples/farm/farm.psl "$TMP/farm.txt"
cd "$TMP" && echo 'let y = 1;' > lib.txt && { echo 'use "lib.txt";' && sed 1d farm.txt; } > used.psl
printf 'n,time [s]\n1,2\n2,4\n3,6\n' > cost.csv
echo 'fit cost(n : int) -> time from "cost.csv" { terms 1, n; }' > fitted.psl
ln -s farm.txt link && ln farm.txt hard && mkdir before && cp ./*.txt ./*.psl ./*.csv before
for output in farm.txt ./farm.txt link hard; do psl run farm.txt -o $output; done
psl run farm.txt --trace hard
psl run farm.txt --timeline link
psl run used.psl -o lib.txt
psl params fitted.psl -o cost.csv
psl fit cost.csv --terms '1, n' -o cost.csv
psl ast farm.txt -o farm.txt
psl diff farm.txt used.psl -o lib.txt
psl study farm.txt --vary workers=1,2 --db farm.txt
psl run - -o farm.txt < farm.txt
psl params farm.txt >> farm.txt
psl run farm.txt -o x.json --trace ./x.json
psl run farm.txt -o x.json > x.json && head -n 1 x.json
psl study farm.txt --vary workers=1,2 --db a.db -o a.db
psl study farm.txt --vary workers=1,2 --db a.db > table
psl study farm.txt --vary workers=1,2 --db a.db -o a.db-wal
psl report a.db -o a.db
# What is not read, but is a database or a model, is not replaced by a report, either.
psl run farm.txt -o a.db
psl run farm.txt -o used.psl
psl report a.db | grep -c '</html>'
# A session has read what its model uses, and no more what was loaded before.
psl --keep-going -c used.psl <<'S'
:save! lib.txt
params -o lib.txt
:load farm.txt
params -o lib.csv
:save used.psl
:save! used.psl
:load used.psl
S
head -n 1 lib.csv
for file in farm.txt lib.txt fitted.psl cost.csv; do cmp $file before/$file; done
ls
# So is a trace, but by another one.
printf '0 init\n0 compute 5\n0 finalize\n' > one.tit && cp one.tit before
psl replay one.tit --trace events.prv -q > /dev/null && psl run farm.txt --trace events.prv > /dev/null; echo $?
cp one.tit other.tit
psl replay one.tit -o other.tit
psl replay one.tit --timeline other.tit
psl run farm.txt -o other.tit
cmp one.tit other.tit
