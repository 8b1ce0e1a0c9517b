#!/usr/bin/perl
# A message that is longer than its receive, which the program is told by an error that MPI returns: the receive is over
# and stands in the trace of psl trace with its room, of which a replay says that it was too short; the one beside it is
# over, too, or goes on.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

my $folder = scratch();
my @mpis = grep { have("mpicc.$_") && have("mpirun.$_") && -f "$build/psl-record-$_.so" } 'mpich', 'openmpi';
for my $mpi ('mpich', 'openmpi') {
  skip("psl trace under $mpi", 'it is not installed') if !grep { $_ eq $mpi } @mpis;
}

for (@mpis) {
  local $ENV{MPI} = $_;
  program("truncated-$_", <<'END') or finish();
  int data[2][100], errors = 0;
  MPI_Request requests[2];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int tag = 1; rank == 0 && tag <= 4; tag++)
    MPI_Send(data, 100, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (rank == 1) {
    errors += MPI_Recv(data, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    MPI_Irecv(data[0], 50, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(data[1], 100, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
    errors += MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE); /* where the error has ended that before its message came */
    MPI_Irecv(data[0], 50, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[0]);
    errors += MPI_Wait(&requests[0], MPI_STATUS_IGNORE) != MPI_SUCCESS;
    printf("%d errors\n", errors);
  }
END
  my $traced = command($folder, "psl trace -o truncated.trace mpirun.$_ -n 2 ./truncated-$_");
  equal($traced->{out}, "3 errors\n", "messages that are longer than their receives are errors under $_");
  my @said = command($folder, 'psl replay truncated.trace --set speed=1e9')->{err} =~ /warning: (rank.*)/g;
  my $first = 'rank 1 receives a message of 400 bytes from rank 0, tag 1, which is longer than the 40 bytes of '
    . 'the receive';
  equal(join("\n", @said), "$first; and 2 more", "and are said of the trace of $_");
}
finish();
