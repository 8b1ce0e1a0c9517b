# A point whose `where` cannot be computed fails by that; it does not vanish, nor from a database, which keeps it apart
# from the same point without `where`.
cd "$TMP" || exit
cat > shop.psl <<'END'
param machine : int = 0 in 0 .. 2;
let prices = [3, 5];
transaction go();
component worker {
  accepts:
    profile     = { domain = shop };
    transaction = go();
    protocol    = call-return;
  body:
    hold 1 s + machine * 1 s;
}
system shop {
  requests:
    selector    = { domain = shop };
    transaction = go();
    protocol    = call-return;
}
study cheap of shop { vary machine in 0 .. 2; where prices[machine] < 4; report time = makespan; }
study all of shop { vary machine in 0 .. 2; report time = makespan; }
END
psl study shop.psl cheap 2>&1
echo "exit $?"
psl study shop.psl cheap --db shop.db --format csv 2>/dev/null
psl study shop.psl all --db shop.db --format csv
psl study shop.psl cheap --db shop.db --format csv 2>/dev/null
psl study shop.psl cheap --minimize 'least = time' -q 2>/dev/null
