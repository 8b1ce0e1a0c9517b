# What a page says of a study that is not whole, and of its assertions.
cd "$TMP" && sed '/^study/,$d' "$OLDPWD/farm.psl" > farm.psl
cat >> farm.psl <<'E'
study most of farm {
  vary workers in 1 .. 6, rate in [50 MB/s, 100 MB/s];
  where workers > 2;
  minimize t = makespan where makespan > 1000 s;
  assert makespan < 13 s;
  assert spread(makespan) < 1 %;
  assert max(makespan) < 100 s;
}
study fine of farm { vary workers in [4, 8]; report time = makespan; minimize t = time; assert time > 1 s; }
study noise of farm { vary workers in [4, 8], spread = 4 s; report time = makespan; repetitions = 3; assert time > 1 s; }
study none of farm { vary workers in [4, 8]; where workers > 8; report time = makespan; minimize t = time; }
E
page() { # STUDY: its answers, the columns of its points, and the points in a line each
  echo "-- $1"
  psl report a.db "$1" -o page.html
  sed -n '/<dl class="answers">/,/<\/dl>/p' page.html | sed 's/<[^>]*>//g' | grep .
  sed -n '/<table[^>]*id="points"/,/<\/table>/p' page.html | tr -d '\n' | sed 's/<\/tr>/\n/g' | sed 's/<[^>]*>/ /g'
  echo
}
for study in most fine noise none; do psl study farm.psl "$study" --db a.db -o table 2>/dev/null; page "$study"; done
# As if the studies had been killed in the middle.
"$OLDPWD/../../lib/without-sums" a.db
sqlite3 a.db "UPDATE study SET declaration = json_remove(declaration, '\$.outcome', '\$.rows')" \
  "DELETE FROM point WHERE study <> 3 AND number > 6" "DELETE FROM point WHERE study = 3 AND number + repetition > 1"
page most
page noise
sqlite3 a.db "DELETE FROM point"
page fine
