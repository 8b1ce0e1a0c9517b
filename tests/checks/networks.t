#!/usr/bin/perl
# Some of the random queueing networks of tests/fuzz/networks, against witnesses that share nothing with the project.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{KEEP} = scratch();
my %count = (exact => 30, open => 20, approximate => 20, fcfs => 10, priority => 12, 'several-fcfs' => 6, 'several-priority' => 6,
             preemptive => 6, waiting => 3, simulation => 4);
for my $family (qw(exact open approximate fcfs priority several-fcfs several-priority preemptive waiting simulation)) {
  my $count = $count{$family};
  my $run = command($root, "$root/tests/fuzz/networks", $psl, 1, $count, $family);
  ok(!$run->{exit}, "$count networks, $family", "$run->{out}$run->{err}");
}
finish();
