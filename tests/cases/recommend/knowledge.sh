# Runs are kept in a database, and found there; what was learnt stands there as knowledge.
psl recommend wave.psl --rules --runs 80 --db $TMP/d.db > $TMP/one
grep learnt $TMP/one
psl recommend wave.psl --rules --runs 80 --db $TMP/d.db | grep learnt
psl db list --db $TMP/d.db
psl db export --db $TMP/d.db knowledge/blocks > $TMP/rules.json
grep -c support $TMP/rules.json
psl db add --db $TMP/other.db --kind knowledge $TMP/rules.json
# A study that is there already is learnt from, without a run.
psl study wave.psl --set cells=400 --set ranks=16 --db $TMP/s.db --quiet > /dev/null
psl recommend wave.psl --data --set cells=400 --set ranks=16 --db $TMP/s.db | grep learnt
