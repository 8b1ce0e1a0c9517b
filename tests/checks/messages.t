#!/usr/bin/perl
# The first random programs of tests/fuzz/mpi: what PSL says of them is what an event list of its own says, and what is no
# matter of time is what real MPIs do.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

my $folder = scratch();
my @there = grep { my $mpi = $_; grep { -x "$_/mpicc.$mpi" } split /:/, $ENV{PATH} } 'openmpi', 'mpich';
$ENV{KEEP} = $folder;
my $result = command($folder, 'perl', "$root/tests/fuzz/mpi", $psl, 1, 12, @there ? @there : 'none');
ok($result->{exit} eq '0', 'random programs that pass messages', "$result->{out}$result->{err}");
# What one of the two messages of an exchange has queued hides what the other one takes.
for my $seed (5149, 8032) {
  my $exchange = command($folder, 'perl', "$root/tests/fuzz/mpi", $psl, $seed, 1, 'none');
  ok($exchange->{exit} eq '0', "contention in a call that waits twice, $seed", "$exchange->{out}$exchange->{err}");
}
for my $mpi ('openmpi', 'mpich') {
  if (grep { $_ eq $mpi } @there) { ok($result->{out} =~ /\d+ under $mpi/, "real messages under $mpi", $result->{out}) }
  else { skip("real messages under $mpi", "mpicc.$mpi is not installed") }
}
finish();
