# What the tests of programs of MPI share: compilers, the examples, reports.
package Programs;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use Run;
our @EXPORT = qw(have compiled program equal report pairs @examples);

# Source, ranks, arguments.
our @examples = (['jacobi.c', 4, '16 5'], ['jacobi.c', 3, '17 4'], ['cg.c', 4, '12 6'], ['fft.c', 4, '16'],
                 ['master-worker.c', 4, '30'], ['sample-sort.c', 4, '400'], ['wavefront.f90', 6, '']);
@examples = grep { $_->[0] !~ /f90$/ } @examples unless have('mpif90.mpich') && have('gfortran');

sub have { my ($name) = @_; return grep { -x "$_/$name" } split /:/, $ENV{PATH} }

sub equal { my ($got, $wanted, $name) = @_; return ok($got eq $wanted, $name, difference($wanted, $got)) }

# In the scratch folder; of the MPI that $ENV{MPI} names, MPICH where it names none.
sub compiled {
  my ($source, $program, @more) = @_;
  my $mpi = $ENV{MPI} // 'mpich';
  my $compiler = $source =~ /\.f90$/ ? "mpif90.$mpi" : "mpicc.$mpi";
  my $made = command(scratch(), $compiler, '-g', '-O1', '-w', $source, '-o', $program, @more, '-lm');
  return $made->{exit} eq '0' || !ok(0, "$source compiles", $made->{err});
}

# Of a text in C; the body stands between MPI_Init and MPI_Finalize.
sub program {
  my ($name, $body) = @_;
  spew(scratch() . "/$name.c", <<"END");
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
static int rank, ranks;
int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#line 1
$body
  MPI_Finalize();
  return 0;
}
END
  return compiled("$name.c", $name);
}

# Messages of a run of a model, pair by pair: the sender, the receiver, how many, of how many bytes.
# That is what Paraver's trace has: 3:...:task of the sender:...:task of the receiver:...:bytes:tag.
sub pairs {
  my ($model, $ranks, @settings) = @_;
  my $folder = scratch();
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

# The JSON that a command has printed, or written; {} if it is none.
sub report { my ($text) = @_; return eval { decode_json($text // '') } || {} }

1;
