# Points that cannot be told apart from the best one, since their 95 % confidence intervals overlap with its own, are named:
# beside it in the text, as a list in JSON, on the page of the database. Of repetitions sqlite3 says the same from the runs,
# with t = 2.776445 of 4 degrees of freedom; one run of a simulated network has an interval, and so has a mean that a run goes
# on for until its half-width is narrow. Without intervals nothing is said.
cd "$TMP" || exit
cat > crowd.psl <<'E'
param clients : int  = 4 in 1 .. 100;
param load    : time = 5 ms;
transaction go();
transaction serve(t : time);
component client [c] : 0 <= c < clients {
  accepts:
    profile     = { domain = office, node type = client };
    transaction = go();
    protocol    = call-return;
  body:
    hold exponential(20 ms);
    call ask(load);
  requests:
    ask(t): selector    = { domain = office, node type = server };
            transaction = serve(t);
            protocol    = call-return;
}
component server {
  accepts:
    profile     = { domain = office, node type = server };
    transaction = serve(t);
    protocol    = call-return;
    servers     = 1;
  body:
    hold t;
}
system office {
  requests:
    every selector = { domain = office, node type = client };
    transaction    = go();
    protocol       = call-return;
}
study crowd of office {
  vary  clients in 2 .. 16 by * 2, load in [5 ms, 10 ms];
  minimize least = makespan / clients;
  minimize each  = makespan / clients by load;
  maximize most = makespan / clients where clients > 2;
  repetitions = 5;
}
E
psl study crowd.psl --db crowd.db
psl study crowd.psl --db crowd.db --format json | sed -n '/not_told_apart/,/]/p'
sqlite3 crowd.db "WITH point AS (SELECT clients, load, avg(least) AS mean,
    2.776445 * sqrt((sum(least * least) - 5 * avg(least) * avg(least)) / 4 / 5) AS half FROM crowd GROUP BY clients, load),
  best AS (SELECT * FROM point ORDER BY mean LIMIT 1)
  SELECT point.clients, point.load, round(point.mean - point.half, 7), round(point.mean + point.half, 7) FROM point, best
  WHERE point.mean > best.mean AND point.mean - point.half <= best.mean + best.half ORDER BY point.mean"
psl report crowd.db -o crowd.html
grep -o -e '; not told apart.*' crowd.html
psl study crowd.psl --repetitions 1 | tail -7
cat > one.psl <<'E'
use queueing { param solver = simulation[queueing]; }
param gap : time = 2 s;
component desk like fcfs-station {
  param service = exponential(1 s);
  profile number = 0;
}
component guests like visitors {
  param class = guest;
  param visits = [1];
}
component door like arrivals {
  param class = guest;
  param between = exponential(gap);
}
system office {
  requests:
    every selector = { domain = application[queueing], node type = arrivals };
    transaction    = arrive();
    protocol       = dataflow;
}
E
psl study one.psl --vary gap=1.6s,1.9s,2s --report 'response = guests.response' --minimize 'least = response' | tail -7
cat > draws.psl <<'E'
param mean : time = 1 s;
transaction go();
component one {
  accepts:
    profile     = { domain = application, node type = one };
    transaction = go();
    protocol    = call-return;
  body:
    while true {
      let stay = draw(exponential(mean));
      hold stay;
      record taken = stay, half-width 10 %;
    }
}
system draws {
  requests:
    selector    = { domain = application, node type = one };
    transaction = go();
    protocol    = call-return;
}
E
psl study draws.psl --vary 'mean=1s,1.05s,2s' --report taken --minimize 'least = taken'
