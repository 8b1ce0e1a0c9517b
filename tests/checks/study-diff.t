#!/usr/bin/perl
# `psl diff` of two studies beside a witness: the rows of both, as sqlite3 reads them from the databases' views, joined,
# subtracted and divided here, with intervals by pairs of runs and without, from formulas of its own. And its page, whose
# plot shows these.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Run;

my $folder = scratch();
(my $model = slurp("$root/examples/farm/devices.psl")) =~ s/hold seek \+ amount \/ rate;/hold exponential(seek + amount \/ rate);/;
spew("$folder/a.psl", $model);
spew("$folder/b.psl", $model =~ s/100 MB/150 MB/r);
my @common = ('--vary', 'device=disk,flash', '--report', 'makespan, cost = workers * makespan', '--repetitions', 3, '--quiet', '-o', 'out.txt');
sub kept { my ($file, $db, @more) = @_; command($folder, $psl, 'study', $file, '--db', $db, '--name', $db =~ s/\.db//r, @common, @more) }
my @made = (kept('a.psl', 'a.db', '--vary', 'workers=2,4,8,16'), kept('b.psl', 'b.db', '--vary', 'workers=4..16*2'),
            kept('b.psl', 'other.db', '--vary', 'workers=4..16*2', '--seed', 50));
ok(!(grep { $_->{exit} ne '0' } @made), 'three studies', join '', map { $_->{err} } @made);

# By workers and device: the values of each figure, one a seed.
sub rows {
  my ($db) = @_;
  my ($view) = $db =~ /(.*)\.db/;
  my %rows;
  for (split /\n/, command($folder, 'sqlite3', '-separator', ' ', $db, "SELECT workers, device, makespan, cost FROM $view ORDER BY number, repetition")->{out}) {
    my ($workers, $device, $makespan, $cost) = split / /;
    push @{$rows{"$workers $device"}{makespan}}, $makespan;
    push @{$rows{"$workers $device"}{cost}}, $workers * $makespan;
  }
  return \%rows;
}
sub mean { my $sum = 0; $sum += $_ for @_; return $sum / @_ }
sub covariance { # of two lists
  my ($x, $y) = @_;
  my ($p, $q, $sum) = (mean(@$x), mean(@$y), 0);
  $sum += ($x->[$_] - $p) * ($y->[$_] - $q) for 0 .. $#$x;
  return $sum / $#$x;
}
my $t = 4.302652729911275; # Student's, of 2 degrees of freedom, 97.5 %
sub half { my ($variance, $n) = @_; return $t * sqrt($variance / $n) }

sub witness {
  my ($x, $y, $paired) = @_;
  my ($n, $a, $b) = (scalar @$x, mean(@$x), mean(@$y));
  my ($vx, $vy, $c) = (covariance($x, $x), covariance($y, $y), covariance($x, $y));
  my $r = $b / $a;
  my $less = $paired ? half($vx + $vy - 2 * $c, $n) : sqrt(half($vx, $n)**2 + half($vy, $n)**2);
  my $ratio = $paired ? half($vy + $r * $r * $vx - 2 * $r * $c, $n) / $a : $r * sqrt((half($vx, $n) / $a)**2 + (half($vy, $n) / $b)**2);
  return ($a, $b, $b - $a, $less, $r, $ratio);
}
sub compare {
  my ($first, $second, $paired, $name) = @_;
  my ($x, $y) = (rows($first), rows($second));
  my $got = command($folder, $psl, 'diff', $first, $second, '--format', 'csv');
  my ($head, @lines) = map { [split /,/, $_, -1] } split /\n/, $got->{out};
  my %at = map { ($head->[$_] // '') =~ s/ \[.*//r => $_ } 0 .. $#$head;
  my @wrong;
  push @wrong, scalar(@lines) . ' points' if @lines != 6;
  for my $line (@lines) {
    my ($workers, $device) = @$line[@at{qw(workers device)}];
    my $key = "$workers $device";
    for my $figure ('makespan', 'cost') {
      my ($a, $b, $less, $less_half, $ratio, $ratio_half) = witness($x->{$key}{$figure}, $y->{$key}{$figure}, $paired);
      my %wanted = ("A" => $a, "B" => $b, "difference" => $less, "ratio" => $ratio, "difference.low" => $less - $less_half,
                    "difference.high" => $less + $less_half, "ratio.low" => $ratio - $ratio_half, "ratio.high" => $ratio + $ratio_half);
      for my $what (sort keys %wanted) {
        my $value = $line->[$at{"$figure.$what"} // die "no $figure.$what: @$head\n"];
        # An interval that is rounding alone is none.
        next if $value eq '' && ($what =~ /^diff/ ? $less_half : $ratio_half) < 1e-12 * $a;
        push @wrong, "$key $figure.$what is $value, wanted $wanted{$what}" if $value eq '' || abs($value - $wanted{$what}) > 1e-9 * $a;
      }
    }
  }
  ok(!@wrong, $name, join "\n", @wrong, $got->{err});
}
compare('a.db', 'b.db', 1, 'with the same seeds: differences and ratios with intervals by pairs of runs');
compare('a.db', 'other.db', 0, 'with others: as of figures that do not depend on each other');

if (!Browser::installed() || $sanitized) {
  skip('the page', $sanitized ? 'it is tested with the plain build' : 'chromium is not installed');
  finish();
  exit;
}
my $page = command($folder, $psl, 'diff', 'a.db', 'b.db', '-o', 'diff.html');
ok($page->{exit} eq '0', 'a page of it', $page->{err});
my $browser = Browser->start($folder);
my $axe = Browser::axe($build);
for ([1280, 'light'], [400, 'dark']) {
  my ($width, $scheme) = @$_;
  $browser->window($width, 900, $scheme);
  $browser->open("file://$folder/diff.html");
  $browser->until("document.readyState === 'complete' && !!document.querySelector('.picture svg')");
  my @found = $axe ? $browser->violations($axe) : ();
  ok(!@found, "$width columns, $scheme: axe-core finds nothing against WCAG AA", join "\n", @found);
}
my $said = $browser->value("document.querySelector('.explorer [name=y]').selectedOptions[0].textContent + '; ' + " .
  "document.querySelectorAll('.picture .interval').length + '; ' + document.querySelector('.picture svg').textContent");
ok($said =~ /^makespan B \/ A; 1; device.*makespan B \/ A/, 'the plot begins with the ratio, with intervals where there are such, a series a device', $said);
my @errors = $browser->wrong;
ok(!@errors, 'nothing goes wrong', join "\n", @errors);
$browser->end;
finish();
