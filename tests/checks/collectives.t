#!/usr/bin/perl
# Collective operations on some numbers of ranks, as tests/fuzz/collectives has them: when each ends is what an event list finds
# that knows the documented algorithms and no more of PSL.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
for my $ranks (1, 5, 8, 11, 16) {
  my $result = command($ENV{KEEP}, 'perl', "$root/tests/fuzz/collectives", $psl, $ranks, 1);
  ok($result->{exit} eq '0' && $result->{out} =~ /^2 models, [1-9]\d* ends of operations, \d+ left out: no findings$/m, "collective operations of $ranks ranks",
    "$result->{out}$result->{err}");
}
finish();
