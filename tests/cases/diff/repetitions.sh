# Shares over repetitions, beside single runs: of ten seeds a program of perl takes each model's time, the four with and
# without either change, shares of these by hand, their means, and Student's t for 9 degrees of freedom (2.262157).
cd "$TMP" && cat >one.psl <<'M'
param each : time = 1 s;
param more : real = 0;
param cars : int = 5;
transaction start();
component process {
  accepts: profile = { node type = process }; transaction = start(); protocol = dataflow;
  body:
    for k in 1 .. cars { hold exponential(each); }
    if more > 0 { hold exponential(each * more); }
}
system test { requests: selector = { node type = process }; transaction = start(); protocol = dataflow; }
M
psl diff one.psl --against 'each=1.1 s' --against more=0.5 --repetitions 10
psl diff one.psl --against 'each=1.1 s' --against more=0.5 --repetitions 10 --jobs 2 --format json >all.json
psl diff one.psl --against 'each=1.1 s' --against more=0.5 --repetitions 10 --reference --format json | cmp - all.json && echo 'the same'
for each in 1 1.1; do for more in 0 0.5; do for seed in 0 1 2 3 4 5 6 7 8 9; do
  psl run one.psl --set "each=$each s" --set more=$more --seed $seed --format json >$each-$more-$seed.json
done; done; done
cat >witness.pl <<'P'
use JSON::PP;
sub load { local (@ARGV, $/) = (@_); decode_json(<>) }
sub mean { my $sum = 0; $sum += $_ for @_; $sum / @_ }
sub half { my ($m, $s) = (mean(@_), 0); $s += ($_ - $m)**2 for @_; 2.262157162740992 * sqrt($s / 9 / 10) }
sub same { abs($_[0] - $_[1]) < 1e-9 * (abs($_[0]) + abs($_[1]) + 1e-3) ? 'same' : "$_[0] and $_[1]" }
sub check {
  my ($name, $cell, @own) = @_;
  print "$name: mean ", same($cell->{value}, mean(@own)), ', half ', same($cell->{high} - $cell->{low}, 2 * half(@own)), "\n";
}
my %time;
for my $side (qw(1-0 1-0.5 1.1-0 1.1-0.5)) { $time{$side} = [map { load("$side-$_.json")->{makespan}{value} } 0 .. 9] }
my $all = load('all.json');
check('A', $all->{sides}[0]{makespan}, @{$time{'1-0'}});
check('B', $all->{sides}[1]{makespan}, @{$time{'1.1-0.5'}});
check('B less A', $all->{sides}[2]{makespan}, map { $time{'1.1-0.5'}[$_] - $time{'1-0'}[$_] } 0 .. 9);
my %shares = (
  'setting each' => [map { ($time{'1.1-0'}[$_] - $time{'1-0'}[$_] + $time{'1.1-0.5'}[$_] - $time{'1-0.5'}[$_]) / 2 } 0 .. 9],
  'setting more' => [map { ($time{'1-0.5'}[$_] - $time{'1-0'}[$_] + $time{'1.1-0.5'}[$_] - $time{'1.1-0'}[$_]) / 2 } 0 .. 9],
);
check($_->{change}, $_->{share}, @{$shares{$_->{change}}}) for @{$all->{changes}};
check('together', $all->{interactions}[0]{together},
  map { $time{'1.1-0.5'}[$_] - $time{'1.1-0'}[$_] - $time{'1-0.5'}[$_] + $time{'1-0'}[$_] } 0 .. 9);
P
perl witness.pl
# Of one draw that is said; what is no more than chance is called so, as a whole and change by change.
psl diff one.psl --against 'each=1.1 s'
psl diff one.psl --against cars=6 --against 'each=0.85 s' --repetitions 5
# A side that fails names its seed; traces are measured as they are.
cat >fails.psl <<'M'
param most : time = 40 s;
transaction start();
component process {
  accepts: profile = { node type = process }; transaction = start(); protocol = dataflow;
  body:
    let each = draw(exponential(1 s));
    assert each < most;
    hold each;
}
system test { requests: selector = { node type = process }; transaction = start(); protocol = dataflow; }
M
psl diff fails.psl --against 'most=4 s' --repetitions 300
printf '0 init\n0 compute 1\n0 finalize\n' >a.tit
psl diff a.tit a.tit --repetitions 3
