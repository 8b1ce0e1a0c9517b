# Rows of a study that has ended and that another program deletes are missed: a page is refused, the study makes them again.
cd "$TMP" && cp "$OLDPWD/../../../examples/farm/farm.psl" . || exit 1
cat > some.psl <<'END'
use "farm.psl";
study some of farm { vary workers in [4, 8, 16]; report makespan; repetitions = 2; }
study other of farm { vary workers in [4, 8]; report makespan; }
END
for study in some other; do psl study some.psl "$study" --db some.db --format csv -q > "$study.csv"; done
cp some.db whole.db
lose() { # STATEMENT: what is said of a database without some rows, and whether it is mended
  cp whole.db some.db
  sqlite3 some.db "$1"
  psl report some.db some -o some.html
  echo "exit $?"
  psl report some.db other -o other.html && psl study some.psl some --db some.db --format csv | diff - some.csv
  psl report some.db some -o some.html && echo mended
}
lose "DELETE FROM point WHERE study = 1 AND number = 1"
lose "DELETE FROM mean WHERE number = 2"
lose "DELETE FROM run WHERE key = (SELECT key FROM point WHERE study = 1 AND number = 2 AND repetition = 1)"
lose "DELETE FROM point WHERE study = 1; DELETE FROM mean"
# A study that has grown has more rows, and is another one.
cp whole.db some.db
sed -i 's/4, 8, 16/4, 8, 16, 32/' some.psl
psl study some.psl some --db some.db --format csv && psl report some.db some -o some.html && echo whole
