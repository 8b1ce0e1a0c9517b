# What two ranks compute on another machine, burst by burst; beside it the same from the signature's lists and the trace,
# by the terms of the convolver written out.
for how in scaled predicted; do
  psl replay phases.json --model phases.psl --set machine=small --set burst-times=$how --by rank --format csv --quiet |
    sed -n 's/^processes,program-rank\[\(.\)\],compute,\(.*\),s$/\1 \2/p' | awk '{ printf "'$how' rank %d %.12g\n", $1, $2 }'
done
perl <<'END'
use JSON::PP;
sub text { open my $file, '<', shift or die; local $/; return readline $file }
my $signature = text('phases-signature.psl') =~ s{//.*}{}gr;
sub list { my ($name) = @_; return eval(($signature =~ /param $name\s*=\s*(\[.*?\]);/s)[0]) }
my ($bursts, $blocks, $served) = map { list($_) } qw(bursts blocks served);
# In ns, by manner: what an access takes from the first level, from the second and from memory, by rates in GB/s; the
# second level's are those of the geometric mean of both sizes.
my $part = (1024 * sqrt(48 * 1024) - 24 * 1024) / (232 * 1024);
my @rates = ([50, 50 - 2 * $part, 28], [50, 50 - 33 * $part, 3], [17, 17 - $part, 0.8]);
my @times;
for my $manner (0 .. 2) {
  my ($first, $second, $memory) = map { 8 / $_ } @{$rates[$manner]};
  my $share = $manner ? 1 : 64 / 8;
  push @times, [8 / 50, 8 / 50 + $share * ($second - $first), 8 / 50 + $share * ($memory - $first)];
}
sub burst_time {
  my ($machine, $flops, $burst) = @_;
  my $end = $burst < $#$bursts ? $bursts->[$burst + 1][4] : @$blocks;
  my $ns = 0;
  for my $block ($bursts->[$burst][4] .. $end - 1) {
    $ns += $blocks->[$block][5] / $flops;
    for my $item (0 .. 17) { $ns += $served->[$machine][$block][1 + $item] * $times[$item % 3][int($item / 6)] }
  }
  return $ns;
}
my (%place, @scaled, @predicted);
$place{"$_->[0] " . ($_->[1] << 32 ^ $_->[2])} = $place++ for @$bursts;
for my $event (grep { $_->{name} eq 'compute' } @{decode_json(text('phases.json'))->{traceEvents}}) {
  my $burst = $place{"$event->{tid} " . hex $event->{args}{burst}};
  $scaled[$event->{tid}] += $event->{args}{work} * burst_time(1, 1.5, $burst) / burst_time(0, 3, $burst);
  $predicted[$event->{tid}] += 1e-9 * burst_time(1, 1.5, $burst) / $bursts->[$burst][3];
}
printf "scaled rank %d %.12g\n", $_, $scaled[$_] for 0, 1;
printf "predicted rank %d %.12g\n", $_, $predicted[$_] for 0, 1;
END
# What the caches, floating point and the network of the small machine make of the difference.
psl diff phases.psl --allow-read . --set 'trace="phases.json"' --against first-level=small --against second-level=small \
  --against main-memory=small --against floating-point=small --against L='computer(machine = small).L' \
  --against G='computer(machine = small).G' | sed -n '1,3p; /^  change/,/^$/p' | sed 's/  *computer(machine = small)\../  small/'
