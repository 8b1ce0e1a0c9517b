# A point that failed is never the best one: one whose objective needs no run, in groups, in a search; nor is one of
# which some repetitions failed, whose mean is that of the others. Closed form: the least of n = 1, 2, 3, where 3 fails, is
# 10 / 2, and the greatest of n, 2; of limits of an exponential time the one that no draw reaches is alone left. How many
# repetitions fail sqlite3 counts from the runs.
cd "$TMP" || exit
cat > n.psl <<'END'
param n : int = 1;
param kind : term = a;
transaction go();
component worker {
  accepts:
    profile     = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold 1 s * n;
    assert n != 3 and (kind != b or n == 1);
}
system s {
  requests:
    selector    = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
}
study f of s {
  vary     n in 1 .. 3, kind in [a, b];
  report   price = 10 / n;
  minimize cheap = price;
  minimize each  = price by kind;
  minimize in-each = price by n;
  maximize most  = n;
}
study one of s {
  vary     n in 1 .. 3;
  report   price = 10 / n;
  minimize cheap = price;
}
END
psl study n.psl f --db n.db
psl study n.psl f --best --format csv 2> /dev/null
psl study n.psl f --format json 2> /dev/null | sed -n '/"best"/,$p'
psl study n.psl one --search always 2> /dev/null | tail -2
psl report n.db -o n.html 2> /dev/null
sed 's/<[^>]*>/|/g' n.html | tr -s '|' '\n' | grep -A2 -E '^m(in|ax)imum of (cheap|each|in-each|most)'
cat > rep.psl <<'END'
param limit : time = 2 s;
transaction go();
component worker {
  accepts:
    profile     = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    hold exponential(1 s);
    assert clock < limit;
}
system s {
  requests:
    selector    = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
}
study f of s {
  vary     limit in [0.3 s, 1 s, 100 s];
  report   time = makespan;
  minimize least = time;
  repetitions = 10;
}
END
psl study rep.psl --db rep.db
psl study rep.psl --format csv 2> /dev/null
psl study rep.psl --format json 2> /dev/null | grep -o '"error": .*'
psl study rep.psl --best --format csv 2> /dev/null
sqlite3 rep.db "SELECT \"limit\", sum(status != 'ok') FROM f GROUP BY \"limit\"" | cat
psl report rep.db -o rep.html 2> /dev/null
sed 's/<[^>]*>/|/g' rep.html | tr -s '|' '\n' | grep -E 'repetitions failed'
sed 's/<[^>]*>/|/g' rep.html | tr -s '|' '\n' | grep -A2 -E '^minimum of least'
