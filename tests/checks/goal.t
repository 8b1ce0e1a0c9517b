#!/usr/bin/perl
# Some of the random schedules of tests/fuzz/goal, by LogGOPS, beside a list of events that shares nothing with it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my $run = command($root, "$root/tests/fuzz/goal", $psl, 1, 25);
ok(!$run->{exit}, 'schedules by LogGOPS', "$run->{out}$run->{err}");
finish();
