# Cases that were written are read again: what is learnt from them is the same, by whatever format.
psl recommend wave.psl --data --runs 40 --format csv > $TMP/cases.csv
head -n 3 $TMP/cases.csv
psl recommend wave.psl --data --runs 40 --format json > $TMP/cases.json
psl recommend wave.psl --data --runs 40 --format jsonl > $TMP/cases.jsonl
psl recommend wave.psl --rules --from $TMP/cases.csv --format csv > $TMP/rules
for form in json jsonl; do psl recommend wave.psl --rules --from $TMP/cases.$form --format csv | cmp - $TMP/rules && echo same; done
psl recommend wave.psl --data --from $TMP/cases.csv --format csv | cmp - $TMP/cases.csv && echo same
# Those that a condition holds for; a unit behind a column's name; and what another study writes.
psl recommend wave.psl --data --from $TMP/cases.csv --where 'cells > 3700 and order == rows'
printf 'cells,ranks,block,order,makespan [ms]\n200,4,10,rows,5\n200,4,20,rows,4\n' > $TMP/units.csv
psl recommend wave.psl --data --from $TMP/units.csv --format csv
psl study wave.psl --set ranks=16 --set cells=400 --format csv > $TMP/study.csv
psl recommend wave.psl --data --from $TMP/study.csv | head -n 5
