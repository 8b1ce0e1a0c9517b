#!/usr/bin/perl
# Figures behind a warm-up: some of the random models of tests/fuzz/warm-up, beside a plain simulation.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/warm-up", $psl, 1, 20);
ok(!$run->{exit}, 'calls to servers, behind a warm-up', "$run->{out}$run->{err}");
finish();
