# A study of a network of queues shows its responses, throughputs and utilisations where nothing says what it is to show,
# without columns that no point has; where it is simulated with the intervals that one run has, as '+-', as low and high,
# kept in databases, whose views have them, too, and units of what some run has, and as results, X.half-width. M/M/1 at 10 and 20 %: a visit takes 0.1 / 0.9 and 0.2 / 0.8 s.
cd "$TMP" || exit
cat > m.psl <<'END'
use queueing;
component disk [d] : 0 <= d < 2 {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = d };
    transaction = visit(priority);
    protocol    = call-return;
    servers     = 1;
  body:
    hold exponential((d + 1) * 0.1 s);
}
component door like arrivals { param class = guest; param between = exponential(1 s); }
component guest like visitors { param class = guest; param visits = [1, 1]; }
system counter {
  requests:
    selector    = { domain = application[queueing], node type = arrivals, class = guest };
    transaction = arrive();
    protocol    = dataflow;
}
study both of counter {
  vary   solver in [analysis[MVA], simulation[queueing]];
  report guest.response, disk[1].utilisation, guest.p95, half = guest.p95.half-width, none = disk.queue;
  assert abs(guest.response - 0.1 s / 0.9 - 0.2 s / 0.8) <= (if solver == simulation[queueing] then 2 * half else 1 ns);
  assert max(high(guest.response)) < 1 s;
}
END
psl study m.psl counter --vary solver='analysis[MVA],simulation[queueing]'
psl study m.psl counter --vary solver='analysis[MVA]' --db k.db
psl study m.psl -q --db k.db
psl study m.psl -q --db k.db -f csv
psl study m.psl counter -q --vary solver='simulation[queueing]' --db s.db >/dev/null && psl report s.db | grep -oE "[0-9.]+ ± [0-9.]+ ms"
psl study m.psl counter -q --vary solver='simulation[queueing]' --report 'guest.response' --repetitions 2
# The ends of these intervals, by either way of writing, of a figure or of a column that is one; a formula's are the figure.
psl study m.psl counter -q --vary solver='analysis[MVA],simulation[queueing]' --report 'p = guest.p95, to = high(p), from = p.low, other = high(guest.response), whole = high(makespan), five = high(5)' --minimize 'least = p where high(p) < 950 ms'
psl study m.psl counter -q --vary solver='simulation[queueing]' --report 'p = guest.p95, half = guest.p95.half-width, up = high(p) - p - half, down = p - guest.p95.low - half'
# What is no figure has no interval.
psl study m.psl counter --vary solver='simulation[queueing]' --report 'p = 2 * guest.p95' --minimize 'least = p where p.high < 1 s'
# The views have what CSV has; the second one is of means.
psl study m.psl both -q --db k.db -f csv | cut -d, -f1-7 | sed 1d | tr , '|' >csv
sqlite3 k.db 'SELECT solver, "guest.response", "guest.response.low", "guest.response.high", "disk[1].utilisation",
  "disk[1].utilisation.low", "disk[1].utilisation.high" FROM both' >view
perl -e 'open $a, "csv"; open $b, "view";
  while (defined($x = <$a>) && defined($y = <$b>)) {
    chomp($x, $y);
    @x = split /\|/, $x, -1; @y = split /\|/, $y, -1;
    print @x == grep({ $x[$_] eq $y[$_] || abs($x[$_] - $y[$_]) < 1e-14 } 0 .. $#y) ? "the same\n" : "$x\n$y\n";
  }'
psl study m.psl counter -q --vary solver='simulation[queueing]' --report 'p = guest.p95, half = guest.p95.half-width' \
  --repetitions 3 --db m.db -f csv | cut -d, -f1-7
sqlite3 m.db 'SELECT * FROM counter_means; SELECT count(*), count("p.low") FROM counter'
sqlite3 m.db "SELECT name, unit FROM unit WHERE kind = 'column' ORDER BY name; SELECT name FROM unit WHERE name LIKE '%p95'"
psl study m.psl counter -q --set solver='simulation[queueing]' --report guest.p95 --repetitions 1 --db m.db -o one.txt
sqlite3 m.db "SELECT name FROM sqlite_schema WHERE type = 'view'"
