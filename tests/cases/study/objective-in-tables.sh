# What is minimized is a column of all tables: the text's, the page's, CSV; but what is a column already is none again.
cd "$TMP" || exit 1
cat > m.psl <<'END'
param n : int = 2 in 1 .. 8;
transaction go();
component worker {
  accepts:
    profile     = { domain = a, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold 8 s / n + n * 1 s;
}
system s { requests: selector = { node type = worker }; transaction = go(); protocol = call-return; }
study sizes of s {
  vary n in [1, 2, 4];
  report time = makespan;
  minimize best = makespan * n;
  minimize least = time where n > 1;
}
END
psl study m.psl --db m.db
psl study m.psl --db m.db -f csv | head -2
psl report m.db -o m.html
grep -o '<button type="button">[a-z]*</button>' m.html | sed 's/<[^>]*>//g' | head -5
