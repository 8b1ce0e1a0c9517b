# A simulated network that is cut off before anybody has gone through has no predicted time, but for how long was simulated:
# the first customer comes at 4.348 s.
cd "$TMP" || exit
cat > door.psl <<'END'
use queueing { param solver = simulation[queueing]; }
component desk like fcfs-station { param service = exponential(2 s); profile number = 0; }
component door like arrivals { param class = guest; param between = exponential(8 s); }
component guest like visitors { param class = guest; param visits = [1]; }
system office { requests: every selector = { node type = arrivals }; transaction = arrive(); protocol = dataflow; }
END
for end in '--max-time 100ms' '--set longest=100ms' '--max-time 100ms --trace office.json'; do
  psl run door.psl $end | sed -n '1,5p'
done
psl run door.psl --max-time 100ms --format json 2>/dev/null | grep -e makespan -e simulated -e complete
psl study door.psl --max-time 100ms --report 'makespan, till = simulated-time' --assert 'makespan < 1 s'
echo "$?"
psl study door.psl --max-time 100ms --report makespan --db door.db -q -o table 2>/dev/null
psl report door.db -q -o page.html && grep -c -i 'predicted time' page.html
psl compare door.psl --vary 'half-width=10 %,20 %' --max-time 100ms 2>/dev/null | sed -n '3,6p'
psl sensitivity door.psl --max-time 100ms 2>&1 | grep predicted
psl diff door.psl --against half-width=20% --max-time 100ms 2>&1 | grep predicted
