#!/usr/bin/perl
# A process on the processor of a rank that waits for messages, in a call or by tests that find nothing: psl diff finds it
# in traces of real runs, and finds nothing where there is none. Ranks have a priority above all else on this computer, and
# the neighbour one above theirs; so whatever else runs here is no matter.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Programs;
use Run;

my $folder = scratch();
my @mpis = grep { have("mpicc.$_") && have("mpirun.$_") && -f "$build/psl-record-$_.so" } 'mpich', 'openmpi';
my $may = have('chrt') && command($folder, 'chrt -f 20 true')->{exit} eq '0' && (() = slurp('/proc/cpuinfo') =~ /^processor/mg) > 1;
unless (@mpis && $may && -r '/proc/self/schedstat' && !$sanitized) {
  skip('busy neighbours', 'there is no MPI, one processor, or no way to give ranks a priority');
  finish();
  exit;
}

spew("$folder/neighbour.c", <<'END');
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>
#include <unistd.h>
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
int main(void) { /* on processor 1, for 3 ms of each 6, and not for long */
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(1, &one);
  sched_setaffinity(0, sizeof one, &one);
  for (double end = now() + 20; now() < end; usleep(3000))
    for (double busy = now() + 3e-3; now() < busy;)
      ;
}
END
command($folder, 'gcc -O1 neighbour.c -o neighbour');

# Rank 0 computes, and tells rank 1, which waits for that, computes less and answers.
my %ways = (
  'MPI_Recv' => 'MPI_Recv(buffer, 100, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);',
  'MPI_Test' => 'MPI_Irecv(buffer, 100, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);'
    . ' do MPI_Test(&request, &flag, MPI_STATUS_IGNORE); while (!flag);',
);
sub differs {
  my ($measured, $predicted) = @_;
  my $said = command($folder, "psl diff $measured.trace $predicted.trace --format json");
  return map { $_->{finding} } @{report($said->{out})->{causes} || []};
}
for my $mpi (@mpis) {
  local $ENV{MPI} = $mpi;
  for my $way (sort keys %ways) {
    program('polls', <<"END") or next;
  char buffer[100] = {0}; MPI_Request request; int flag; cpu_set_t one; volatile double x = 0;
  CPU_ZERO(&one); CPU_SET(rank, &one); sched_setaffinity(0, sizeof one, &one);
  (void)request, (void)flag;
  for (int k = 0; k < 150; k++) {
    if (rank == 0) {
      for (int n = 0; n < 300000; n++) x += n;
      MPI_Send(buffer, 100, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(buffer, 100, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      $ways{$way}
      for (int n = 0; n < 60000; n++) x += n;
      MPI_Send(buffer, 100, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    }
  }
END
    my $bind = $mpi eq 'openmpi' ? '--oversubscribe --bind-to none' : '';
    my $run = "chrt -f 10 psl trace -o %s.trace mpirun.$mpi $bind -n 2 ./polls";
    my (@differs, @found);
    for (1 .. 3) { # what else runs with such a priority here may hide the neighbour from one measurement
      command($folder, sprintf $run, $_) for qw(quiet again);
      my $pid = fork() // die "fork: $!\n";
      if (!$pid) { exec 'chrt', '-f', '20', "$folder/neighbour" or exit 127 }
      command($folder, sprintf $run, 'busy');
      kill 'TERM', $pid;
      waitpid $pid, 0;
      @differs = differs('busy', 'quiet');
      @found = grep { /processor/ } @differs;
      last if "@found" =~ /^others have the processor of rank 1 / && !grep { /processor/ } differs('again', 'quiet');
    }
    ok("@found" =~ /^others have the processor of rank 1 /, "$mpi, $way: a busy neighbour is found", join "\n", @differs);
    @found = grep { /processor/ } differs('again', 'quiet');
    ok(!@found, "$mpi, $way: and none where there is none", "@found");
    command($folder, 'psl replay quiet.trace --record replayed.trace');
    @found = grep { /processor/ } differs('quiet', 'replayed');
    ok(!@found, "$mpi, $way: nor in what was waited for", "@found");
  }
}
finish();
