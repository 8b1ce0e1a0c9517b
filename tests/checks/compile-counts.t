#!/usr/bin/perl
# A second opinion about the loops of a program: how often models that psl compile makes pass the innermost ones, as
# expressions of the program's arguments, against how often a run of the program comes to their lines, which gcov counts.
# Plain build alone: checks/compile reads the like.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && have('gcov') && -f "$build/psl_facts.so") {
  skip('compile-counts', 'MPICH, gcov, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();

# Nests by a line in the innermost loop, and how many operations of a kind a pass of it has, by which its passes are told
# in the time that the model takes where nothing but these of that nest take any.
sub operations_time {
  my ($name, $nest, $kind, $others, $ranks, @settings) = @_;
  my @set = (map({ "$_-time=" . ($_ eq $kind ? '1ns' : '0s') } qw(integer float load store)), map({ "$_-factor=[0.0]" } grep { $_ ne $nest } @$others),
             "ranks=$ranks", @settings);
  my $run = command($folder, join ' ', "psl run $name.psl -f json", map { "--set '$_'" } @set);
  return $run->{err} unless $run->{exit} eq '0';
  my ($row) = grep { $_->{activity} eq 'compute' } @{report($run->{out})->{shares}};
  return $row ? sprintf '%.0f', $row->{mean}{value} * $ranks * 1e9 : 0;
}

sub line_counts {
  my ($name, $ranks, @arguments) = @_;
  unlink "$folder/$name.gcda";
  my $run = command($folder, "mpirun.mpich -n $ranks ./$name @arguments && gcov -t $name.o");
  my %count;
  $count{$2} = $1 while $run->{out} =~ /^\s*(\d+)\*?:\s*(\d+):/mg;
  return \%count;
}

my @cases = (["$root/examples/programs/jacobi.c", 'mpicc.mpich', [qw(n iterations)],
              [[32, 'step_28', 'store', 1], [58, 'main_56', 'load', 1], [47, 'main_46', 'store', 2]],
              [1, 8, 3], [2, 9, 4], [3, 17, 2], [4, 30, 5], [4, 41, 1]]);
push @cases, ["$root/examples/programs/wavefront.f90", 'mpif90.mpich', [qw(nx ny nz planes)], [[93, 'compute_87', 'store', 4]],
              [1, 3, 4, 12, 3], [2, 5, 2, 8, 8], [3, 4, 6, 10, 5], [4, 6, 6, 24, 6], [6, 2, 7, 9, 1]]
  if have('mpif90.mpich') && have('gfortran');
for my $case (@cases) {
  my ($source, $compiler, $params, $loops, @sizes) = @$case;
  my ($name) = $source =~ m{([^/]*)\.\w+$};
  my $made = command($folder, "psl compile $source -o $name.psl && $compiler --coverage -O0 -c $source -o $name.o && " .
                              "$compiler --coverage $name.o -o $name -lm");
  ok($made->{exit} eq '0', "$name is compiled, and has a model", $made->{err}) or next;
  my @nests = slurp("$folder/$name.psl") =~ /^param (\w+)-factor/mg;
  for my $size (@sizes) {
    my ($ranks, @arguments) = @$size;
    my $counted = line_counts($name, $ranks, @arguments);
    for my $loop (@$loops) {
      my ($line, $nest, $kind, $many) = @$loop;
      my $told = operations_time($name, $nest, $kind, \@nests, $ranks, map { "$params->[$_]=$arguments[$_]" } 0 .. $#$params);
      equal($told, ($counted->{$line} // 'not counted') * $many, "$name:$line on $ranks ranks, @arguments: passes");
    }
  }
}
finish();
