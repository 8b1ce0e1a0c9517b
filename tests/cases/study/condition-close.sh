# The condition of an objective is decided by means: where the interval of what it compares has the limit in it, that is said
# of the best point and of those that would be as good. sqlite3 finds the same points from the runs, with t = 2.776445 of 4
# degrees of freedom.
cd "$TMP" || exit
sed -n '/^cat > crowd.psl/,/^E$/p' "$OLDPWD/near.sh" | sed '1d;$d;/^study/,$d' > crowd.psl
cat >> crowd.psl <<'END'
study crowd of office {
  vary clients in 2 .. 16 by * 2, load in [5 ms, 10 ms];
  report makespan, busy = makespan / clients;
  maximize makespan where makespan < 80 ms;
  minimize each = makespan by load where busy < 12 ms;
  minimize own = clients where own < 5;
  maximize bound = makespan where high(makespan) < 80 ms;
  maximize none = makespan where makespan < 20 ms;
  repetitions = 5;
}
END
psl study crowd.psl --db crowd.db
psl study crowd.psl --db crowd.db --format json 2>/dev/null | sed -n '/condition_not_certain/,/]/p'
sqlite3 crowd.db "WITH point AS (SELECT number, clients, load, avg(makespan) AS mean,
    2.776445 * sqrt((sum(makespan * makespan) - 5 * avg(makespan) * avg(makespan)) / 4 / 5) AS half FROM crowd GROUP BY number)
  SELECT clients, load, CASE WHEN mean < 0.08 THEN 'holds' ELSE 'does not' END FROM point
  WHERE mean - half < 0.08 AND mean + half > 0.08"
psl report crowd.db -o crowd.html && grep -o '; its condition may hold.*' crowd.html
# One run of a simulated network has an interval.
sed -n '/^cat > one.psl/,/^E$/p' "$OLDPWD/near.sh" | sed '1d;$d' > one.psl
psl study one.psl --vary gap=1.6s,1.9s,2s --report guests.response --maximize 'rate = 1 / gap where guests.response < 2.15 s' |
  tail -6
