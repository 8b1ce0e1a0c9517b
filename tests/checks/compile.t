#!/usr/bin/perl
# Models of programs of MPI from their source, by psl compile: they send as many messages of as many bytes between each two
# ranks as the programs do under MPICH; what no model can say is refused at its line.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl_facts.so") {
  skip('compile', 'MPICH, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();
compiled("$root/tests/lib/pair_counter.c", 'counter.so', '-shared', '-fPIC') or finish();

# Jacobi's iteration that ends when nothing changes any more.
my $jacobi = slurp("$root/examples/programs/jacobi.c");
$jacobi =~ s/k < iterations; k\+\+/k < iterations && change > tolerance; k++/ or die;
$jacobi =~ s/, change = 0;/, change = 1, tolerance = words > 3 ? atof(word[3]) : 0;/ or die;
spew("$folder/until.c", $jacobi);

# ---- messages, pair by pair ----

# What Paraver's trace of a run has: 3:...:task of the sender:...:task of the receiver:...:bytes:tag.
sub pairs {
  my ($model, $ranks, @settings) = @_;
  my $run = command($folder, join ' ', "psl run $model --set ranks=$ranks --trace $model.prv -o report", map { "--set $_" } @settings);
  return $run->{err} unless $run->{exit} eq '0';
  my %pairs;
  for (split /\n/, slurp("$folder/$model.prv")) {
    my @field = split /:/;
    next unless $field[0] eq '3';
    my $pair = $pairs{sprintf '%03d %03d', $field[3] - 1, $field[9] - 1} //= [0, 0];
    $pair->[0]++;
    $pair->[1] += $field[13];
  }
  return join '', map { sprintf("%d %d %d %d\n", split(/ /, $_), @{$pairs{$_}}) } sort keys %pairs;
}

my @cases = (["$root/examples/programs/jacobi.c", '', [qw(n iterations)], [16, 5], [40, 3]],
             ["$folder/until.c", "--assume 'change: ignored'", [qw(n iterations)], [16, 5], [32, 4]],
             ["$root/examples/programs/cg.c", '', [qw(n iterations)], [16, 6], [32, 2]],
             ["$root/examples/programs/fft.c", '--iterations 17=1', [qw(n)], [16], [32]]);
push @cases, ["$root/examples/programs/wavefront.f90", '', [qw(nx ny nz planes)], [6, 6, 24, 6], [4, 8, 12, 3]]
  if have('mpif90.mpich') && have('gfortran');
for my $case (@cases) {
  my ($source, $options, $params, @sizes) = @$case;
  my ($name) = $source =~ m{([^/]*)\.\w+$};
  my $made = command($folder, "psl compile $options $source -o $name.psl");
  ok($made->{exit} eq '0', "$name has a model", $made->{err}) or next;
  my $check = command($folder, "psl check $name.psl && psl fmt --check $name.psl");
  ok($check->{exit} eq '0', 'which is right, and laid out', $check->{err} . $check->{out});
  compiled($source, $name) or next;
  for my $ranks (4, 8, 16) {
    for my $size (@sizes) {
      my $real = command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./$name @$size");
      my $model = pairs("$name.psl", $ranks, map { "$params->[$_]=$size->[$_]" } 0 .. $#$params);
      equal($model, slurp("$folder/count"), "$name on $ranks ranks, @$size: the messages of each pair");
    }
  }
}
finish();
