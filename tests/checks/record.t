#!/usr/bin/perl
# psl mpirun --record keeps what a program does: the replay of it ends at the same time, with as many messages of as many
# bytes, though nothing but the trace is there; also where the run has chosen by time: any source, tests, probes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && -f "$build/psl-mpich.so") {
  skip('mpirun --record', 'MPICH is not installed');
  finish();
  exit;
}
my $folder = scratch();

# The run and its replay, on the same machine.
sub recorded {
  my ($name, $ranks, $command, $options) = @_;
  my $ran = command($folder, "psl mpirun -n $ranks --record $name.trace --format json -o report.json $options ./$command");
  my $run = report(slurp("$folder/report.json"));
  my $replayed = command($folder, "psl replay $name.trace --format json $options" =~ s/--costs none//r);
  my $again = report($replayed->{out});
  ok($ran->{exit} eq '0' && $replayed->{exit} eq '0', "$name is recorded and replayed", $ran->{err} . $replayed->{err});
  my ($first, $second) = map { $_->{makespan}{value} // -1 } $run, $again;
  ok($first > 0 && abs($first - $second) <= 1e-9 * $first, "$name takes the same time from its trace", "$first s, $second s");
  equal("$again->{messages} messages, $again->{bytes} bytes", "$run->{messages} messages, $run->{bytes} bytes",
       "$name sends as much from its trace");
  return $first;
}

for my $case (@examples) {
  my ($source, $ranks, $arguments) = @$case;
  my ($name) = $source =~ /(.*)\./;
  compiled("$root/examples/programs/$source", $name) or next;
  recorded($name, $ranks, "$name $arguments", '');
}
my $sp = '--set machine=cluster --set speed=2';
my $slow = recorded('jacobi', 4, 'jacobi 64 5', '--set machine=cluster');
my $fast = report(command($folder, "psl replay jacobi.trace --format json $sp")->{out})->{makespan}{value} // 0;
ok($fast > 0 && $fast < $slow, 'a trace runs on a processor twice as fast', "$slow s, $fast s");

compiled("$root/tests/lib/mpi_calls.c", 'calls');
recorded('calls', 4, 'calls', '--costs none');
compiled("$root/tests/lib/mpi_corners.c", 'corners');
recorded('corners', 4, 'corners', '--costs none');
compiled("$root/tests/lib/mpi_windows.c", 'windows');
recorded('windows', 4, 'windows', '--costs none');

# Rank 0 takes what comes, in each of the ways in which the time chooses; the others compute for some time each.
program('choices', <<'END') or finish();
  enum { EACH = 4 };
  int got[64], flag, index, indices[64], done;
  MPI_Request requests[64];
  MPI_Status status;
  struct timespec some = {0, 1000000 * (1 + rank * 7 % 5)}, little = {0, 30000};
  for (int round = 0; rank && round < 4 * EACH; round++) {
    nanosleep(&some, NULL);
    MPI_Send(got, 1 + rank + round, MPI_INT, 0, round, MPI_COMM_WORLD);
  }
  if (!rank) {
    int all = EACH * (ranks - 1);
    for (int k = 0; k < all; k++) MPI_Irecv(got, 64, MPI_INT, MPI_ANY_SOURCE, k % EACH, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < all; k++) MPI_Waitany(all, requests, &index, &status);
    for (int k = 0; k < all; k++) MPI_Irecv(got, 64, MPI_INT, MPI_ANY_SOURCE, EACH + k % EACH, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < all; k++)
      for (flag = 0; !flag; nanosleep(&little, NULL)) MPI_Test(&requests[k], &flag, &status);
    for (int k = 0; k < all; k++) {
      for (flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, 2 * EACH + k % EACH, MPI_COMM_WORLD, &flag, &status);
      MPI_Recv(got, 64, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    }
    for (int k = 0; k < all; k++)
      MPI_Irecv(got, 64, MPI_INT, 1 + k % (ranks - 1), MPI_ANY_TAG, MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < all; k += done) MPI_Waitsome(all, requests, &done, indices, MPI_STATUSES_IGNORE);
  }
END
recorded('choices', 4, 'choices', '--costs none');
recorded('choices', 4, 'choices', '--costs none --set machine=cluster --set speed=2'); # and sleep is as long

# A receive that was taken back is none on any machine: here its message comes earlier than that.
program('cancelled', <<'END') or finish();
  volatile double sum = 0;
  int value, flag;
  MPI_Request request;
  MPI_Status status;
  if (rank) {
    for (int k = 0; k < 100000; k++) sum += k;
    MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    usleep(20);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);
  }
END
recorded('cancelled', 2, 'cancelled', '');
my $sooner = command($folder, 'psl replay cancelled.trace --set speed=1000');
ok($sooner->{exit} eq '0', 'a receive that was cancelled is replayed where its message comes before that', $sooner->{err});

# Of other formats none has sleep.
for (['tit', 'a time-independent trace of SimGrid'], ['goal', 'a schedule in GOAL'], ['dim', 'a trace of Dimemas']) {
  my ($ending, $format) = @$_;
  my ($said) = grep { /sleep/ } split /\n/, command($folder, "psl trace convert choices.trace choices.$ending")->{err};
  ok(($said // '') =~ /^psl: warning: $format cannot hold sleep: it is computed \(\d+ operations\)$/, "sleep in $format", $said);
}

# What cannot be: nothing is left behind.
sub refused {
  my ($words, $message, $exit) = @_;
  my $result = command($folder, "psl mpirun -n 2 $words");
  equal($result->{err} . "[exit $result->{exit}]", "psl: error: $message\n[exit $exit]", "refused: psl mpirun $words");
}
refused('--record /dev/null ./jacobi', "'/dev/null' is no file that can hold a trace", 1);
refused('--record - ./jacobi', "'-' is no file that can hold a trace", 1);
refused('--record nowhere/trace ./jacobi', 'nowhere/trace cannot be written: No such file or directory', 1);
program('failing', '  if (rank) abort(); MPI_Barrier(MPI_COMM_WORLD);') or finish();
spew("$folder/kept.trace", 'what was there');
my $failed = command($folder, 'psl mpirun -n 2 --record kept.trace ./failing');
ok($failed->{exit} eq '1' && slurp("$folder/kept.trace") eq 'what was there', 'a run that fails replaces no trace', $failed->{err});
ok(!glob("$folder/kept.trace.*"), 'and leaves none', join ' ', glob "$folder/*");
finish();
