#!/usr/bin/perl
# Some of the random traces of tests/fuzz/faults, which counts for itself what is wrong with each.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/faults", $psl, 1, 60);
ok(!$run->{exit}, 'faults of traces', "$run->{out}$run->{err}");
finish();
