# What is learnt depends on the cases alone: it is the same where they have just run, where a database has them, and where a file
# has them, in whatever order. Only how many were run now is another.
query='--set cells=3000 --runs 150'
without_runs() { sed 's/, [0-9]* of [0-9]* runs made now//; /^to know better/d'; }
psl recommend wave.psl $query --db $TMP/cases.db > $TMP/first
psl recommend wave.psl $query --db $TMP/cases.db > $TMP/again
diff $TMP/first $TMP/again
psl recommend wave.psl $query | cmp - $TMP/first && echo same
psl recommend wave.psl --rules --runs 150 | without_runs > $TMP/rules
psl recommend wave.psl --rules --runs 150 --db $TMP/cases.db | without_runs | cmp - $TMP/rules && echo same
psl recommend wave.psl --data --runs 150 --format csv > $TMP/cases.csv
psl recommend wave.psl --data --runs 150 --format csv --db $TMP/cases.db | cmp - $TMP/cases.csv && echo same
# The file's rows backwards, and by another column.
without_runs < $TMP/first > $TMP/choices
{ head -n 1 $TMP/cases.csv; tail -n +2 $TMP/cases.csv | sed '1!G;h;$!d'; } > $TMP/backwards.csv
{ head -n 1 $TMP/cases.csv; tail -n +2 $TMP/cases.csv | LC_ALL=C sort -t, -k4,4r -k7,7n; } > $TMP/by-time.csv
for file in cases backwards by-time; do
  psl recommend wave.psl $query --from $TMP/$file.csv | without_runs | cmp - $TMP/choices && echo same
  psl recommend wave.psl --rules --from $TMP/$file.csv | without_runs | cmp - $TMP/rules && echo same
  psl recommend wave.psl --data --from $TMP/$file.csv --format csv | cmp - $TMP/cases.csv && echo same
done
# Of cases with the same params one is taken, that of the middle figure; one that the database has goes before.
table() { printf 'cells,ranks,block,order,makespan\n'; printf '%s\n' "$@"; }
table 200,4,2,rows,3 200,4,1,rows,9 200,4,2,rows,1 200,4,2,rows,8 > $TMP/cases.csv
psl recommend wave.psl --data --from $TMP/cases.csv --format csv
table 200,4,2,rows,8 200,4,2,rows,1 200,4,1,rows,9 200,4,2,rows,3 > $TMP/cases.csv
psl recommend wave.psl --data --from $TMP/cases.csv --format csv
psl recommend wave.psl --data --runs 2 --format csv --db $TMP/two.db > $TMP/two.csv
sed '2,$s/,[^,]*,true/,1,true/' $TMP/two.csv > $TMP/other.csv
cmp -s $TMP/two.csv $TMP/other.csv || echo other
psl recommend wave.psl --data --from $TMP/other.csv --format csv --db $TMP/two.db | cmp - $TMP/two.csv && echo same
