# All figures of two reports side by side. A guest comes every 2 s, ten of them. Served in 1 s nobody waits: the last goes at
# 21 s, the desk is busy for 10 of 21 s, 47.6 %. Served in 3 s the k-th, from 0, waits k s: on the mean 4.5 s and stays
# 7.5 s, the median is 7.5 s; the last goes at 32 s, the desk is busy for 30 of 32 s, 93.75 %, the mean number there is 75 / 32.
psl diff figures.psl --against 'service=3 s'
psl diff figures.psl --against 'service=3 s' --format csv | grep '^figures,.*\(utilisation\|waiting\|mean\|p50\)'
psl diff figures.psl --against 'service=3 s' --format json >"$TMP/all.json"
perl -MJSON::PP -e 'local $/; my $d = decode_json(<>);
  my @apart = map { my ($a, $b) = ($_->{A}, $_->{B}); $_ = ref ? $_->{value} : $_ for $a, $b;
    my $most = abs($a) > abs($b) ? abs($a) : abs($b); $most ? abs($b - $a) / $most : 0 } @{$d->{figures}};
  print "ranked: ", (grep { $apart[$_] > $apart[$_ - 1] + 1e-12 } 1 .. $#apart) ? "no" : "yes", "\n";' "$TMP/all.json"
# A component that one side alone has; a figure of 0 has no ratio.
sed 's/component desk/component counter/' figures.psl >"$TMP/counter.psl"
psl diff figures.psl "$TMP/counter.psl" | sed "s,$TMP,TMP," | sed -n '/other figures/,/^$/p'
# Runs that end when a mean is known, or by --max-time, have no time to attribute, but figures.
sed 's/quantiles .*;/half-width width;/; s/1 \.\. guests/1 .. 1_000_000/; s/hold 2 s/hold exponential(2 s)/' figures.psl >"$TMP/narrow.psl"
(cd "$TMP" && psl diff narrow.psl --against 'service=1.5 s')
psl diff figures.psl --against 'service=3 s' --max-time '10 s'
# Means of repetitions, and networks that are simulated: with intervals.
sed 's/hold service/hold exponential(service)/' figures.psl >"$TMP/drawn.psl"
(cd "$TMP" && psl diff drawn.psl --against 'service=3 s' --repetitions 5)
cat >"$TMP/network.psl" <<'M'
use queueing;
param rate : time = 0.5 s;
component desk like fcfs-station {
  param service = exponential(rate);
  profile number = 0;
}
component people like closed-customers {
  param class  = people;
  param think  = exponential(4 s);
  param visits = [1];
}
system office {
  requests:
    selector    = { node type = customer, class = people };
    transaction = cycle();
    visits      = 3;
    protocol    = dataflow;
}
M
(cd "$TMP" && psl diff network.psl --against 'rate=1 s' && psl diff network.psl --set 'solver=simulation[queueing]' --against 'rate=1 s')
