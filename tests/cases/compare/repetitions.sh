# Means, intervals and what is significant, beside the single runs: of ten seeds a program of perl takes the means, and
# Student's t for 9 degrees of freedom (2.262157) of the differences of runs with one seed. A way that takes twice as long
# as another one with whatever is drawn is +100 %, without a doubt, where intervals of the two that are not paired overlap.
cd "$TMP" && cat >way.psl <<'M'
param way : term = plain in [plain, double, other];
param n   : int = 20;
transaction start();
component process [i] : 0 <= i < 2 {
  var thrown : real = 0;
  accepts: profile = { node type = process }; transaction = start(); protocol = dataflow;
  body:
    for k in 1 .. n {
      if way == other { thrown = draw(uniform(0, 1)); }
      let each = draw(exponential(1 s));
      hold if way == double then 2 * each else each;
      record service = each;
    }
}
system test { requests: every selector = { node type = process }; transaction = start(); protocol = dataflow; }
M
psl compare way.psl --vary way --repetitions 10
psl compare way.psl --vary way --repetitions 10 --format json >all.json
for way in plain double other; do
  for seed in 0 1 2 3 4 5 6 7 8 9; do psl run way.psl --set way=$way --seed $seed --format json >$way-$seed.json; done
done
cat >witness.pl <<'P'
use JSON::PP;
sub load { local (@ARGV, $/) = (@_); decode_json(<>) }
sub mean { my $sum = 0; $sum += $_ for @_; $sum / @_ }
sub half { my ($m, $s) = (mean(@_), 0); $s += ($_ - $m)**2 for @_; 2.262157162740992 * sqrt($s / 9 / 10) }
sub same { abs($_[0] - $_[1]) < 1e-9 * (abs($_[0]) + abs($_[1]) + 1e-9) ? 'same' : "$_[0] and $_[1]" }
my %time = map { my $w = $_; $w => [map { load("$w-$_.json")->{makespan}{value} } 0 .. 9] } qw(plain double other);
my @base = @{$time{plain}};
for my $run (@{load('all.json')->{runs}}) {
  my @own = @{$time{$run->{value}}};
  my $ratio = mean(@own) / mean(@base);
  my $half = half(map { ($own[$_] - $ratio * $base[$_]) / mean(@base) } 0 .. 9);
  print "$run->{value}: mean ", same($run->{makespan}{value}, mean(@own)), ', half ',
    same($run->{makespan}{high} - $run->{makespan}{low}, 2 * half(@own));
  print ', difference ', same($run->{difference}{value}, $ratio - 1), ', half ',
    same($run->{difference}{high} - $run->{difference}{low}, 2 * $half),
    $run->{significant} ? ', significant' : ', not significant', abs($ratio - 1) > $half ? ' here, too' : ' here, neither'
    if ref $run->{difference};
  print "\n";
}
my %mean = map { my $w = $_; $w => [map { load("$w-$_.json")->{records}[0]{mean}{value} } 0 .. 9] } qw(plain double other);
for my $row (@{load('all.json')->{records}}) {
  my @own = @{$mean{$row->{value}}};
  print "service, $row->{value}: mean ", same($row->{mean}{value}, mean(@own)), ', half ',
    same($row->{mean}{high} - $row->{mean}{low}, 2 * half(@own)), "\n";
}
P
perl witness.pl
# By other seeds; what draws nothing is said; a run that fails names its seed.
psl compare way.psl --vary way=plain,other --repetitions 4 --seed 100 --format csv | grep '^runs.*\(makespan\|difference\|significant\)'
psl compare way.psl --vary n=0,0 --repetitions 3 >none; psl compare way.psl --vary n=1,0 --repetitions 2 | grep -c significant
cat >fails.psl <<'M'
param most : time = 4 s in [4 s, 40 s];
transaction start();
component process {
  accepts: profile = { node type = process }; transaction = start(); protocol = dataflow;
  body:
    let each = draw(exponential(1 s));
    assert each < most;
    hold each + most / 10;
}
system test { requests: selector = { node type = process }; transaction = start(); protocol = dataflow; }
M
psl compare fails.psl --vary most --repetitions 300
