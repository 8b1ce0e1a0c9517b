# What cannot become steady ends when that is known: before the run where numbers tell it, else as soon as a queue is seen
# to grow without end, long before the limit of firings; where just so much comes as can be served it goes up and down,
# which ends a run as the limit would, but earlier. Who sets `longest` is given what there is till then. Regular arrivals of
# just as much work as the clerk does are steady. A study has the reason at the point.
cd "$TMP" || exit
cat > drawn.psl <<'END'
use queueing;
param load : real = 1.2;
component clerk {
  accepts:
    profile     = { domain = hardware[server], node type = station, evaluation mode = solver, number = 0 };
    transaction = visit(priority);
    protocol    = call-return;
    servers     = 2;
  body:
    let work = draw(exponential(2 * load * 1 s));
    if work > 3 s { hold work; } else { hold work / 2; hold work / 2; }
}
component door like arrivals { param class = guest; param between = exponential(1 s); }
component guest like visitors { param class = guest; param visits = [1]; }
system counter {
  requests:
    selector    = { domain = application[queueing], node type = arrivals, class = guest };
    transaction = arrive();
    protocol    = dataflow;
}
END
cat > told.psl <<'END'
use queueing;
param load : real = 0.5;
param kind : term = random;
param n    : int = 2;
let served = if kind == random then exponential(load * 1 s) else constant(load * 1 s);
let apart = if kind == random then exponential(1 s) else constant(1 s);
assert n >= 2;
component clerk like fcfs-station { param service = served; profile number = 0; }
component door like arrivals { param class = guest; param between = apart; }
component guest like visitors { param class = guest; param visits = [1]; }
system counter {
  requests:
    selector    = { domain = application[queueing], node type = arrivals, class = guest };
    transaction = arrive();
    protocol    = dataflow;
}
study s of counter {
  vary   solver in [simulation[queueing]], n in [1, 2], load in [0.5, 1.2];
  report response = guest.response;
}
END
simulated='solver=simulation[queueing]'
show() { grep -E '^(pred|time|so far|ended|firings|.*error|.*warning|.*note|help)' | sed 's|[^ ]*/\(stdlib/\)|\1|'; }
echo "seen"; psl run drawn.psl --set "$simulated" 2>&1 | show
echo "seen, just"; psl run drawn.psl --set "$simulated" --set load=1 2>&1 | show
echo "steady"; psl run drawn.psl --set "$simulated" --set load=0.5 2>&1 | show
echo "longest"; psl run drawn.psl --set "$simulated" --set 'longest=1000 s' 2>&1 | show
echo "told"; psl run told.psl --set "$simulated" --set load=1.2 2>&1 | show
echo "told, just"; psl run told.psl --set "$simulated" --set load=1 2>&1 | show
echo "regular"; psl run told.psl --set "$simulated" --set load=1 --set kind=regular 2>&1 | show
echo "regular, more"; psl run told.psl --set "$simulated" --set load=1.001 --set kind=regular 2>&1 | show
echo "told, longest"; psl run told.psl --set "$simulated" --set load=1.2 --set 'longest=1000 s' 2>&1 | show
sed -e '/^component clerk/a component cook like fcfs-station { param service = exponential(2 s); profile number = 1; }' \
    -e 's/visits = \[1\]/visits = [1, 1]/' told.psl > two.psl
echo "two, of whom the second has more to do"; psl run two.psl --set "$simulated" --set load=1.2 2>&1 | show
sed -e 's/servers     = 2/servers     = 1/; s/2 \* load \* 1 s/load * 1 s/' -e 's/visits = \[1\]/visits = [1, 1]/' \
    -e '/^component door/i component cook like fcfs-station { param service = exponential(1.3 s); profile number = 1; }' \
    drawn.psl > seen-two.psl
echo "seen, two, of whom the second has more to do"; psl run seen-two.psl --set "$simulated" --set load=1.05 2>&1 | show
echo "seen, two"; psl run seen-two.psl --set "$simulated" --set load=1.4 --set limit=50000 2>&1 | show
sed 's/fcfs-station/shared-station/' seen-two.psl > shared-two.psl
echo "shared"; psl run shared-two.psl --set "$simulated" --set load=1.05 --set limit=50000 2>&1 | show
psl study told.psl --db a.db
psl study told.psl --format csv 2> /dev/null
sqlite3 a.db 'SELECT load, n, status, error FROM s'
psl report a.db -o page.html && grep -o 'station clerk is saturated[^<]*' page.html | head -1
