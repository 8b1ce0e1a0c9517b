# Networks against closed forms that stand here: what, the formula, PSL.
cat > "$TMP/formulas.pl" <<'P'
use strict;
use warnings;
sub psl { # FILE TABLE,QUANTITY SETTING...: the figures
  my ($file, $what, @set) = @_;
  my $text = join ' ', map { "--set '$_'" } @set;
  my @figures;
  for (split /\n/, `psl run $file $text --format csv`) {
    my @f = /("[^"]*"|[^,]*)(?:,|$)/g;
    push @figures, $f[3] if "$f[0],$f[2]" eq $what;
  }
  return @figures;
}
sub show {
  my ($name, $formula, $figure) = @_;
  my $far = abs($figure - $formula) > 1e-9 * abs $formula;
  printf "%-44s %-10.6f %s\n", $name, $formula, $far ? sprintf('%.6f', $figure) : 'the same';
}
sub erlang_c { # m servers, load a: the chance to wait
  my ($m, $a) = @_;
  my ($term, $sum) = (1, 0);
  for my $n (0 .. $m - 1) { $sum += $term; $term *= $a / ($n + 1) }
  my $last = $term / (1 - $a / $m);
  return $last / ($sum + $last);
}
my @open = ('solver=analysis[open]');
my $response = 'classes,response';

print "one class at one station, an arrival a second\n";
show('M/M/1, S = 0.5', 0.5 / (1 - 0.5), psl('open.psl', $response, @open));
for ([2, 1.5], [4, 3.2], [30, 27]) {
  my ($m, $s) = @$_;
  show("M/M/$m, S = $s", $s + erlang_c($m, $s) * $s / ($m - $s), psl('open.psl', $response, @open, "S=exponential($s s)", "m=$m"));
}
for (['M/D/1', 'constant(0.8 s)', 0.8, 0], ['M/E4/1', 'erlang(4, 0.8 s)', 0.8, 0.25],
     ['M/H2/1', 'hyperexponential(0.4, 0.2 s, 1.2 s)', 0.8, 2 * (0.4 * 0.04 + 0.6 * 1.44) / 0.64 - 1],
     ['M/U/1', 'uniform(0 s, 1.2 s)', 0.6, 1 / 3]) {
  my ($name, $service, $s, $scv) = @$_;
  show("$name, Pollaczek and Khinchine", $s + $s * $s * (1 + $scv) / 2 / (1 - $s), psl('open.psl', $response, @open, "S=$service"));
  show("$name, a fixed point of the same", $s + $s * $s * (1 + $scv) / 2 / (1 - $s),
    1e-7 * int(0.5 + 1e7 * (psl('open.psl', $response, 'solver=analysis[Schweitzer]', "S=$service"))[0])) if $name eq 'M/D/1';
}

print "priorities: 1 /s of the less urgent, 0.5 /s of the more urgent\n";
for (['M/M/1', 'exponential(0.4 s)', 'exponential(0.4 s)', 0.4, 1, 0.4, 1],
     ['M/G/1', 'erlang(2, 0.5 s)', 'constant(0.3 s)', 0.5, 0.5, 0.3, 0]) {
  my ($name, $service0, $service1, $s0, $scv0, $s1, $scv1) = @$_;
  my ($r0, $r1) = ($s0, 0.5 * $s1);
  my $residual1 = 0.5 * $s1 * $s1 * (1 + $scv1) / 2;
  my $residual = $residual1 + $s0 * $s0 * (1 + $scv0) / 2;
  my @set = (@open, "S0=$service0", "S1=$service1");
  my @own = psl('ranks.psl', $response, @set);
  show("$name, Cobham, the less urgent", $s0 + $residual / (1 - $r1) / (1 - $r0 - $r1), $own[0]);
  show("$name, Cobham, the more urgent", $s1 + $residual / (1 - $r1), $own[1]);
  @own = psl('ranks.psl', $response, @set, 'preemptive=true');
  show("$name, interrupted, the less urgent", $s0 / (1 - $r1) + $residual / (1 - $r1) / (1 - $r0 - $r1), $own[0]);
  show("$name, interrupting, the more urgent", $s1 + $residual1 / (1 - $r1), $own[1]);
}

print "machine repair: repairs of 1 s, 2 s between failures of a machine\n";
for ([5, 1], [5, 2], [40, 12]) {
  my ($machines, $repairmen) = @$_;
  my ($term, $sum, $busy) = (1, 0, 0);
  for my $n (0 .. $machines) {
    $sum += $term;
    $busy += $term * ($n < $repairmen ? $n : $repairmen);
    $term *= ($machines - $n) / 2 / ($n < $repairmen ? $n + 1 : $repairmen);
  }
  show("$machines machines, $repairmen repairmen, repairs a second", $busy / $sum,
    psl('repair.psl', 'classes,throughput', "machines=$machines", "repairmen=$repairmen"));
}
P
perl "$TMP/formulas.pl"
