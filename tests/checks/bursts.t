#!/usr/bin/perl
# psl trace --memory --bursts: what each rank of a program of MPI does between two calls, by counts that are known from
# its source; and its bursts are those of the program's trace, and of its direct execution.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

my @mpis = grep { have("mpicc.$_") && have("mpirun.$_") && -f "$build/psl-record-$_.so" } 'mpich', 'openmpi';
unless (@mpis && have('qemu-x86_64')) {
  skip('signatures by burst', 'qemu-x86_64, MPICH or Open MPI is not installed');
  finish();
  exit;
}
my $folder = scratch();
my $mpi = $ENV{MPI} = $mpis[0];

# A burst of 1000 loads and additions for each rank and step, and one of 3000 stores behind the steps.
program('steps', <<'END') or finish();
  static volatile double data[3000];
  double sum = 0;
  for (int step = 0; step < 5; step++) {
    for (int k = 0; k < 1000 * (rank + 1); k++) sum += data[k];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int k = 0; k < 3000; k++) data[k] = sum;
END

sub lists { my ($name, $text) = @_; return map { [split /, /] } ($text =~ /param $name = \[\n(.*?)\n  \];/s)[0] =~ /^ {4}\[([\d, ]+)\]/mg }

my $traced = command($folder, "psl trace --memory --bursts --caches here=32KiB/8,1MiB/16 -o steps.psl mpirun.$mpi -n 2 ./steps");
ok($traced->{exit} eq '0', 'a program of MPI is traced by burst', $traced->{err});
my $text = slurp("$folder/steps.psl") // '';
my @bursts = lists('bursts', $text);
my @blocks = lists('blocks', $text);

# Executions of the burst, loads, stores and operations of its greatest block, by rank.
my %found;
for my $at (0 .. $#bursts) {
  my ($rank, $before, $behind, $times, $first) = @{$bursts[$at]};
  my $last = $at < $#bursts ? $bursts[$at + 1][4] - 1 : $#blocks;
  my ($greatest) = sort { $b->[2] + $b->[3] <=> $a->[2] + $a->[3] } @blocks[$first .. $last];
  push @{$found{$rank}}, "$times: @$greatest[2, 3, 5]" if $greatest->[2] + $greatest->[3] >= 1000;
}
equal(join('; ', sort @{$found{0} // []}), '1: 0 3000 0; 1: 1000 0 1000; 4: 4000 0 4000', 'bursts of rank 0');
equal(join('; ', sort @{$found{1} // []}), '1: 0 3000 0; 1: 2000 0 2000; 4: 8000 0 8000', 'bursts of rank 1');

# The example's bursts, traced anew: none is unknown.
compiled("$root/examples/perc/phases.c", 'phases') or finish();
spew("$folder/phases.psl", slurp("$root/examples/perc/phases.psl"));
my $caches = '--caches modern=48KiB/12,1MiB/16 --caches small=32KiB/8,64KiB/8';
command($folder, "psl trace --memory --bursts $caches -o phases-signature.psl mpirun.$mpi -n 2 ./phases 2000 2");
command($folder, "psl trace -o phases.trace mpirun.$mpi -n 2 ./phases 2000 2");
my @replayed = map { command($folder, "psl replay phases.trace --model phases.psl --set machine=small --set unknown-ratio=$_") } 0, 1000;
ok($replayed[0]{exit} eq '0' && !$replayed[0]{err}, 'bursts of a trace are those of the signature', $replayed[0]{err});
equal($replayed[0]{out} =~ s/^ *unknown-ratio.*\n//mr, $replayed[1]{out} =~ s/^ *unknown-ratio.*\n//mr, 'so that the ratio of others is of none');
if ($mpi eq 'mpich' && -f "$build/psl-mpich.so") {
  my $direct = command($folder, 'psl mpirun -n 2 --model phases.psl ./phases 2000 2');
  ok($direct->{exit} eq '0' && !($direct->{err} =~ /unknown-ratio/), 'and so are those of direct execution', $direct->{err});
}
finish();
