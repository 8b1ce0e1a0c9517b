# What a fit comes to, for programs: its terms and its goodness are tables of CSV and JSON lines, as its points are.
# Witness: simple regression by sums in perl; Student's t of 3 degrees of freedom and F of 1 and 2 in closed form.
cd "$TMP" || exit
printf 'n,time [ms]\n1,3.0\n1,3.2\n2,5.1\n2,5.3\n3,9.0\n' >times.csv
fit() { psl fit times.csv --terms '1, n' "$@"; }
fit --table fits --format csv
fit --table terms --format csv | tee terms.csv
fit --table terms --format jsonl --confidence 90%
fit --table fits --format csv >fits.csv
perl -e '
my @n = (1, 1, 2, 2, 3); my @y = map { $_ / 1000 } (3.0, 3.2, 5.1, 5.3, 9.0);
sub mean { my $s = 0; $s += $_ for @_; $s / @_ }
my ($mn, $my) = (mean(@n), mean(@y)); my ($sxx, $sxy, $rss) = (0, 0, 0);
for (0 .. 4) { $sxx += ($n[$_] - $mn)**2; $sxy += ($n[$_] - $mn) * ($y[$_] - $my) }
my $slope = $sxy / $sxx; my $first = $my - $slope * $mn;
$rss += ($y[$_] - $first - $slope * $n[$_])**2 for 0 .. 4;
my $error = sqrt($rss / 3 / $sxx); my $t = $slope / $error; my $theta = atan2($t, sqrt 3); my $pi = 4 * atan2(1, 1);
my $p = 1 - 2 / $pi * ($theta + sin($theta) * cos($theta));
my $within = 2 * 2 * 0.0001**2; my $f = ($rss - $within) / ($within / 2); my $fp = 1 - sqrt($f / (2 + $f));
my ($low, $high) = (0, 100); # the quantile of 0.975, by bisection
for (1 .. 200) { my $m = ($low + $high) / 2; my $a = atan2($m, sqrt 3);
  if (2 / $pi * ($a + sin($a) * cos($a)) < 0.95) { $low = $m } else { $high = $m } }
my @want = ($slope, $error, $slope - $low * $error, $slope + $low * $error, $t, $p, $f, $fp);
open my $terms, "<", "terms.csv"; my @term = split /,/, (<$terms>)[2];
open my $fits, "<", "fits.csv"; my @heads = split /,/, <$fits>; my @cells = split /,/, (<$fits> =~ s/".*?"//r);
my %of; @of{@heads} = @cells;
my @got = (@term[3 .. 6, 8, 9], @of{"lack_of_fit", "lack_of_fit_p"}); my $off = 0;
for (0 .. $#want) { my $part = abs($got[$_] / $want[$_] - 1); $off = $part if $part > $off }
print $off < 1e-9 ? "as the closed forms\n" : "off by $off: @got; @want\n"'
psl fit times.csv --terms '1, n' --format json | grep -E '"(standard_error|lack_of_fit)"' | sed 's/.*"fits"//'
fit --table terms
fit --table goodness --format csv
fit --table terms -o terms.jsonl && cat terms.jsonl
