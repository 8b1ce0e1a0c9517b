# Where errors grow with what is fitted a fit of given terms says so. The witness of the rank correlation is perl, with the
# ranks counted one by one; the witness of its level that noise which is the same everywhere is told of in none of 40
# files or in one, and noise of 10 % in most.
cd "$TMP" || exit
cat > make.pl <<'E'
my ($seed, $kind, $again) = @ARGV;
my $state = $seed + 1;
sub uniform { $state = ($state * 1103515245 + 12345) % 2147483648; return ($state + 0.5) / 2147483648 }
uniform() for 1 .. 20;
sub normal { my $sum = 0; $sum += uniform() for 1 .. 12; return $sum - 6 }
print "n,time [s]\n";
for my $n (1 .. 16) {
  for (1 .. $again) {
    my $t = 10 + 5 * $n;
    printf "%d,%.6f\n", $n, $kind eq 'parts' ? $t * (1 + 0.1 * normal()) : $t + normal();
  }
}
E
cat > witness.pl <<'E'
my (%by, @rows);
<STDIN>;
while (<STDIN>) { chomp; my ($n, $t) = split /,/; push @rows, [$n, $t]; push @{$by{$n}}, $t }
my (@off, @size);
for my $row (@rows) {
  my $of = $by{$row->[0]}, my $sum = 0;
  $sum += $_ for @$of;
  push @off, abs($row->[1] - $sum / @$of);
  push @size, $row->[0]; # what is fitted rises with n
}
sub ranks { my @x = @_; return map { my $x = $_; (grep { $_ < $x } @x) + ((grep { $_ == $x } @x) - 1) / 2 } @x }
my @a = ranks(@off); my @b = ranks(@size);
my ($ab, $aa, $bb) = (0, 0, 0); my $mean = (@a - 1) / 2;
for (0 .. $#a) { $ab += ($a[$_] - $mean) * ($b[$_] - $mean); $aa += ($a[$_] - $mean) ** 2; $bb += ($b[$_] - $mean) ** 2 }
printf "by hand: %.2f\n", $ab / sqrt($aa * $bb);
E
perl make.pl 1 parts 3 > a.csv
psl fit a.csv --terms '1, n' | grep grow
perl witness.pl < a.csv
psl fit a.csv --terms '1, n' --relative | grep -c grow
psl fit a.csv --terms '1, n' --log | grep -c grow
psl fit a.csv | grep -c grow
cat > m.psl <<'E'
fit cost(n : int) -> time from "a.csv" { column = "time"; terms 1, n; }
transaction go();
component job { accepts: profile = { domain = d, node type = job }; transaction = go(); protocol = call-return;
  body: hold cost(3); }
system s { requests: selector = { domain = d, node type = job }; transaction = go(); protocol = call-return; }
E
psl check -v m.psl 2>&1 | grep grow
for kind in same parts; do
  for seed in $(seq 40); do
    perl make.pl $seed $kind 6 > x.csv
    psl fit x.csv --terms '1, n' | grep -c grow
  done | awk -v kind=$kind '{ told += $1 } END { print kind, (kind == "same" ? told <= 1 : told >= 30) }'
done
