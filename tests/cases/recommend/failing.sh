# Points that fail are no cases; where all do, there is nothing to learn.
sed 's/^  body:/&\n    assert block < 50;/' wave.psl > $TMP/some.psl
psl recommend $TMP/some.psl --rules --runs 60 --format csv 2>&1 >/dev/null | sed "s|$TMP|TMP|"
sed 's/^  body:/&\n    assert block < 0;/' wave.psl > $TMP/all.psl
psl recommend $TMP/all.psl --rules --runs 12 2>&1 | sed "s|$TMP|TMP|"
# What has failed is known: it is planned once, and a database that has it all leaves nothing to run.
for again in 1 2; do
  psl recommend $TMP/some.psl --rules --runs 60 --db $TMP/kept.db 2>/dev/null | grep '^learnt from'
done
