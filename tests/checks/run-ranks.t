#!/usr/bin/perl
# One run in partitions that are the ranks of an MPI job, by each MPI that psl was built for: the bytes of one process; what
# cannot be divided is made by the first rank alone; a rank that dies ends the job.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Run;

$ENV{ASAN_OPTIONS} .= ':detect_leaks=0'; # the MPI libraries leave some
my $folder = scratch();
my %models = (
  'Sweep3D' => "run $root/examples/sweep3d/sweep3d.psl --set px=5 --set py=6 --format json",
  'non-blocking messages with handshakes' => "run $root/examples/mpi/halo2d.psl --set n=1024 --by rank --format json",
  'all-reduces behind a warm-up' => "run $root/tests/bench/allreduce.psl --set p=13 --set times=5 --warm-up 2ms --format json",
  'ranges' => "run $root/tests/bench/wavefront.psl --set px=4 --set py=4 --set blocks=3 --set 'work=4ms .. 5ms' --format json",
);

for my $mpi ('openmpi', 'mpich') {
  my $run = "mpirun.$mpi";
  if (!-e "$build/psl-mpi-$mpi.so" || !grep { -x "$_/$run" } split /:/, $ENV{PATH}) {
    skip("runs under $mpi", "$run is not installed, or psl was built without it");
    next;
  }
  for my $name (sort keys %models) {
    my $alone = command($folder, "psl $models{$name}");
    for my $ranks (2, 3) {
      my $result = command($folder, "$run -n $ranks psl $models{$name} --threads 0");
      ok($result->{exit} eq $alone->{exit} && $result->{out} eq $alone->{out},
        "$mpi, $ranks ranks, $name: the bytes of one process", difference($alone->{out}, $result->{out}) . $result->{err});
    }
  }
  my $result = command($folder, "$run -n 3 psl run $models{Sweep3D} --threads 0 --timing" =~ s/run run/run/r);
  ok($result->{out} =~ /"partitions",\s*"value":\s*3\b/, "$mpi: each rank has a partition", $result->{out});
  my $master = "run $root/tests/bench/master.psl --set workers=6 --set rounds=3";
  my $alone = command($folder, "psl $master --threads 2");
  $result = command($folder, "$run -n 3 psl $master --threads 0");
  ok($result->{out} eq $alone->{out} && $result->{err} eq $alone->{err} && $result->{err} =~ /simulated on one processor/,
    "$mpi: receives from any source are the first rank's alone", $result->{out} . $result->{err});
}
finish();
