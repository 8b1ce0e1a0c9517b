# The best point for each value of a param: as a table, in JSON, in the database's declaration and on the page; an integer
# objective, two params, a group without a fit point, a group of a list of terms.
cd "$TMP" || exit
cat > m.psl <<'END'
param n : int = 1;
param load : time = 1 s;
param mode : term = slow;
param tied : int = 1;
transaction go();
component worker {
  accepts:
    profile     = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
  body:
    if mode == slow and n == 5 { assert false; }
    hold load / n + n * 1 s * (if mode == slow then 2 else 1);
}
system s {
  requests:
    selector    = { domain = d, node type = worker };
    transaction = go();
    protocol    = call-return;
}
study tuned of s {
  vary     load in [1 s, 10 s, 40 s], mode in [slow, fast], n in 1 .. 5, tied = n;
  report   time = makespan;
  minimize least = time by load;
  minimize few = n by mode where time < 12 s;
  maximize most = time by mode, m.load where n > 5 or load < 40 s;
  minimize overall = time;
}
END
psl study m.psl --db a.db 2> /dev/null
psl study m.psl --format json 2> /dev/null | sed -n '/"best"/,$p'
psl study m.psl --format csv 2> /dev/null | head -3
psl study m.psl --best 2> /dev/null
psl study m.psl --best --format csv 2> /dev/null
psl study m.psl --best --format jsonl 2> /dev/null | head -1
psl study m.psl --best --format json 2> /dev/null | grep -c -e points -e '"name"'
psl study m.psl s --vary n=1,2 --best
psl study m.psl --set n=2 2> /dev/null | sed -n '/minimum of least/,/^$/p'
sqlite3 a.db "SELECT declaration ->> '\$.objectives[0]' FROM study; SELECT load, min(least), mode, n FROM tuned GROUP BY load"
psl report a.db -o page.html 2> /dev/null
sed 's/<[^>]*>/|/g' page.html | tr -s '|' '\n' | grep -A2 -E '^m(in|ax)imum of (least|most|few|overall)'
psl study m.psl --search always
psl study m.psl --vary 'n=1..1000000000' --vary 'load=1 s..1000000000 s+1 s' --vary 'mode=slow,fast'
