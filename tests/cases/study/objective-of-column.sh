# What is optimised and is a column that is reported is that column, in whatever order they stand; with a condition it has a
# column of its own, in files and databases. sqlite3 finds the same best points in the view.
cd "$TMP" && cp "$OLDPWD/../../../examples/farm/farm.psl" . || exit 1
cat > buy.psl <<'END'
use "farm.psl";
study after of farm {
  vary workers in 4 .. 32 by * 2, result in [50 MB, 100 MB];
  report makespan, disk-drive.wait;
  minimize makespan;
  minimize makespan by result;
  maximize makespan where wait < 5 s;
  maximize disk-drive.wait;
}
study before of farm {
  vary workers in 4 .. 32 by * 2;
  maximize makespan where wait < 5 s;
  minimize makespan;
  report makespan;
}
study best of farm { vary workers in 4 .. 32 by * 2; minimize makespan; maximize makespan; }
study none of farm { vary workers in [4]; report makespan; maximize makespan where wait > 5 s; }
END
for study in after before best none; do psl study buy.psl "$study" --db buy.db; done
psl study buy.psl before --format csv
psl study buy.psl before --best --format csv
sqlite3 buy.db "SELECT min(makespan), workers FROM after" "SELECT result, min(makespan), workers FROM after GROUP BY result" \
  "SELECT max(\"greatest-makespan\"), workers, result FROM after" "SELECT max(\"disk-drive.wait\"), workers, result FROM after"
psl report buy.db after -o after.html && sed -n '/<dl class="answers">/,/<\/dl>/p' after.html | sed 's/<[^>]*>//g' | grep . | head -15
psl study farm.psl --vary workers=4,8 --report makespan --minimize makespan --search always
# A column with a condition has no value elsewhere, and two reports of one name are two.
cat > twice.psl <<'END'
use "farm.psl";
study one of farm { vary workers in [4, 8]; minimize makespan where wait < 5 s; maximize makespan where wait < 1 s; }
study two of farm { vary workers in [4, 8]; report makespan, makespan; }
END
psl check twice.psl
