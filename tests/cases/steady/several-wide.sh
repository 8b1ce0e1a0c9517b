# A limit that comes before half-widths: the widest interval is named, and each other one that is wider than was wished,
# of the percentiles that were asked for, too.
cat > "$TMP/two.psl" <<'END'
use queueing;
component cpu like fcfs-station { param service = exponential(1 s); profile number = 0; }
component gold like closed-customers { param class = gold; param visits = [1]; param think = exponential(1 s); }
component blue like closed-customers { param class = blue; param visits = [1]; param think = exponential(3 s); }
system office {
  requests:
    selector    = { domain = application, class = gold };
    transaction = cycle();
    visits      = 3;
    protocol    = dataflow;
    selector    = { domain = application, class = blue };
    transaction = cycle();
    visits      = 3;
    protocol    = dataflow;
}
END
psl run "$TMP/two.psl" --set 'solver=simulation[queueing]' --set queueing.limit=20000 --set 'percentiles=[90 %, 99 %]' \
  --set half-width=1% 2>&1 >/dev/null | grep -v '^ ' | sed 's/^.*two.psl/two.psl/'
