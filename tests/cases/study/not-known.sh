# What is not known of points is neither fulfilled nor missed: an objective of a percentile that an analysis does not know,
# an assertion where a point has failed. --quiet leaves out what points warn of, not what is wrong with them.
cd "$TMP" || exit
cat > m.psl <<'E'
use queueing;
param rate : 1/time = 10 s^-1;
component web like fcfs-station { param service = exponential(20 ms); profile number = 0; }
component disk like fcfs-station { param service = exponential(10 ms); profile number = 1; }
component come like arrivals { param class = request; param between = exponential(1 / rate); }
component request like visitors { param class = request; param visits = [1, 0.5]; }
system shop { requests: selector = { node type = arrivals, class = request }; transaction = arrive(); protocol = dataflow; }
study quick of shop {
  vary     rate in [10 s^-1, 20 s^-1];
  minimize least = rate where request.p95 < 1 s;
}
study full of shop {
  vary   rate in [10 s^-1, 60 s^-1];
  report response = request.response;
  assert response < 1 s;
}
E
psl study m.psl quick 2> said
echo "exit $?"
sed -n '/error/,$p' said
psl study m.psl full -f json --db m.db 2> /dev/null | sed -n '/assertions/,$p'
sqlite3 m.db "SELECT declaration ->> '\$.outcome' FROM study"
psl report m.db -o page.html 2> said
sed 's/<[^>]*>/|/g' page.html | tr -s '|' '\n' | grep -A2 '^Assertion'
psl study m.psl full -f csv --set 'solver=simulation[queueing]' --set limit=4000 --vary rate=40s^-1 -q
