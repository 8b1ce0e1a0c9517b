#!/usr/bin/perl
# The same program three ways: as it is, by instructions that are counted; its trace, in the same time; and its model in PSL,
# within 7 %, to which one rank says by another size what a point costs.
# Plain build alone: checks/mpirun and checks/record run the like.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && have('qemu-x86_64') && -f "$build/psl-mpich.so") {
  skip('three ways', 'MPICH or qemu-x86_64 is not installed');
  finish();
  exit;
}
my $folder = scratch();

sub seconds {
  my ($command, $words) = @_;
  my $run = command($folder, "psl $command --quiet --format json -o report.json $words");
  return report(slurp("$folder/report.json"))->{makespan}{value} // die "$words: $run->{err}";
}

# Source, ranks and arguments; the size for one rank, and how many points that has; the model's params, and which of them a
# point's time is.
for my $case (['jacobi.c', 8, '128 10', '100 20', 100 * 100 * 20, '--set n=128 --set iterations=10 --set ranks=8', 'point'],
              ['wavefront.f90', 6, '12 16 24 6', '16 16 48 12', 16 * 16 * 48 * 8,
               '--set nx=12 --set ny=16 --set nz=24 --set planes=6 --set px=3 --set py=2', 'cell']) {
  my ($source, $ranks, $arguments, $small, $points, $params, $cost) = @$case;
  my ($name) = $source =~ /(.*)\./;
  next unless grep { $_->[0] eq $source } @examples;
  compiled("$root/examples/programs/$source", $name) or next;
  my $run = seconds('mpirun', "-n $ranks --costs instructions --record $name.trace ./$name $arguments");
  my $replayed = seconds('replay', "$name.trace");
  my $each = seconds('mpirun', "-n 1 --costs instructions ./$name $small") / $points;
  my $model = seconds('run', sprintf "$root/examples/programs/$name.psl $params --set '$cost=%.17g s'", $each);
  ok(abs($replayed - $run) <= 1e-9 * $run, "$name takes in its trace as long as it takes", "$replayed s, not $run s");
  ok(abs($model - $run) <= 0.07 * $run, "$name takes in its model what it takes within 7 %", "$model s, not $run s");
}
finish();
