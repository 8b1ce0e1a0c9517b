#!/usr/bin/perl
# psl trace of real runs, by MPICH and by Open MPI: the trace says what the program has done, so that its replay is the
# direct execution where both compute in no time; it survives ranks that are killed.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

my $folder = scratch();
my @mpis = grep { have("mpicc.$_") && have("mpirun.$_") && -f "$build/psl-record-$_.so" } 'mpich', 'openmpi';
skip("psl trace under $_", 'it is not installed') for grep { my $mpi = $_; !grep { $_ eq $mpi } @mpis } 'mpich', 'openmpi';

sub figures { my ($report) = @_; return ($report->{makespan}{value} // -1, "$report->{messages} messages, $report->{bytes} bytes") }
sub replayed { my ($trace) = @_; return figures(report(command($folder, "psl replay $trace --format json --set speed=1e9")->{out})) }
sub holds { my ($trace) = @_; return report(command($folder, "psl trace info $trace --format json")->{out}) }

# The examples, each beside direct execution, where the library for that is there; under Open MPI, which takes long to
# start, one in C and one in Fortran.
for my $mpi (@mpis) {
  local $ENV{MPI} = $mpi;
  for my $case (@examples) {
    my ($source, $ranks, $arguments) = @$case;
    my ($name) = $source =~ /(.*)\./;
    next if $mpi ne $mpis[0] && $source !~ /f90$/ && "$name $ranks" ne 'jacobi 4';
    compiled("$root/examples/programs/$source", "$name-$mpi") or next;
    my $traced = command($folder, "psl trace -o $name.trace mpirun.$mpi -n $ranks ./$name-$mpi $arguments");
    ok($traced->{exit} eq '0', "$name is traced under $mpi", $traced->{err});
    ok(holds("$name.trace")->{complete}, "the trace of $name under $mpi is complete");
    next unless -f "$build/psl-mpich.so" && -x "$folder/$name-mpich";
    my $run = command($folder, "psl mpirun -n $ranks --costs none --format json -o direct.json ./$name-mpich $arguments");
    equal($traced->{out}, $run->{out}, "$name prints when it is traced under $mpi what it prints on simulated ranks");
    my ($direct, $sends) = figures(report(slurp("$folder/direct.json")));
    my ($again, $sends_again) = replayed("$name.trace");
    equal($sends_again, $sends, "$name sends as much in its trace of $mpi as it does on simulated ranks");
    next if $name eq 'master-worker'; # which of its workers come first is another matter in each run
    ok(abs($direct - $again) <= 1e-9 * $direct, "$name takes the same time from its trace of $mpi", "$direct s, $again s");
  }
}
finish() unless @mpis;
my $mpi = $ENV{MPI} = $mpis[0];

# Whatever there is of calls: the trace is replayed; receives from any source have been settled.
for my $name ('calls', 'corners') {
  compiled("$root/tests/lib/mpi_$name.c", $name) or next;
  my $traced = command($folder, "psl trace -o $name.trace mpirun.$mpi -n 4 ./$name");
  ok($traced->{exit} eq '0', "a program with many calls is traced: $name", $traced->{err});
  my $again = command($folder, "psl replay $name.trace");
  ok($again->{exit} eq '0' && $again->{out} =~ /^ended by +end of the model$/m, 'and replayed', $again->{err} . $again->{out});
}

# One-sided communication, matched probes and receives that are taken back, under each MPI. Ranks come to locks one after
# the other, since computing is not free in the trace, if nearly so.
for (@mpis) {
  local $ENV{MPI} = $_;
  program("sided-$_", <<'END') or finish();
  enum { SIZE = 5000 };
  int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, *memory, data[SIZE], one = 1, old, flag;
  MPI_Win window, shared; MPI_Group all, to, from; MPI_Message message; MPI_Request requests[2]; MPI_Status status;
  MPI_Win_allocate(sizeof data, sizeof *data, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(data, 1000, MPI_INT, next, 0, 1000, MPI_INT, window);
  MPI_Get(data, SIZE, MPI_INT, before, 0, SIZE, MPI_INT, window);
  MPI_Accumulate(data, 10, MPI_INT, 0, 0, 10, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &before, &from); MPI_Group_incl(all, 1, &next, &to);
  for (int k = 0; k < 2; k++) {
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(data, 100, MPI_INT, next, 0, 100, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
  }
  for (int k = 0; k < 4; k++) {
    if (rank) MPI_Recv(NULL, 0, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (next) MPI_Send(NULL, 0, MPI_INT, next, 0, MPI_COMM_WORLD);
    if (k == 3) MPI_Win_lock_all(0, window); else MPI_Win_lock(k ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, window);
    MPI_Get(data, SIZE, MPI_INT, 0, 0, SIZE, MPI_INT, window);
    MPI_Win_flush(0, window);
    MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 1, MPI_SUM, window);
    MPI_Get_accumulate(NULL, 0, MPI_INT, data, 9, MPI_INT, 0, 0, 9, MPI_INT, MPI_NO_OP, window);
    MPI_Compare_and_swap(&one, &flag, &old, MPI_INT, 0, 3, window);
    MPI_Rput(data, SIZE, MPI_INT, 0, 0, SIZE, MPI_INT, window, &requests[0]);
    MPI_Rget(data, 10, MPI_INT, 0, 0, 10, MPI_INT, window, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (k == 3) MPI_Win_unlock_all(window); else MPI_Win_unlock(0, window);
  }
  MPI_Win_free(&window);
  MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &shared);
  MPI_Win_free(&shared);
  for (int k = 1; k < 3; k++) MPI_Send(data, k, MPI_INT, next, k, MPI_COMM_WORLD);
  MPI_Mprobe(before, 1, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(data, 1, MPI_INT, &message, &status);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  MPI_Imrecv(data, 2, MPI_INT, &message, requests);
  MPI_Wait(requests, &status);
  for (int any = 0; any < 2; any++) {
    MPI_Irecv(data, 1, MPI_INT, any ? MPI_ANY_SOURCE : before, 7, MPI_COMM_WORLD, requests);
    MPI_Cancel(requests);
    MPI_Wait(requests, &status);
    MPI_Test_cancelled(&status, &flag);
    if (!flag) abort();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(data, 1, MPI_INT, next, 7, data, 1, MPI_INT, before, 7, MPI_COMM_WORLD, &status);
  }
END
  my $traced = command($folder, "psl trace -o sided-$_.trace mpirun.$_ -n 4 ./sided-$_");
  ok($traced->{exit} eq '0', "one-sided communication is traced under $_", $traced->{err});
}
sub kinds {
  my ($trace) = @_;
  my @kinds = grep { $_->{kind} !~ /compute|wait|cancel/ } @{holds($trace)->{kinds} || []};
  return join '', map { "$_->{kind} $_->{count} " . ($_->{bytes}{value} // '-') . "\n" } @kinds;
}
if (-f "$build/psl-mpich.so" && $mpi eq 'mpich') {
  command($folder, 'psl mpirun -n 4 --costs none --record direct.trace ./sided-mpich');
  my ($direct, $sends) = figures(report(command($folder, 'psl replay direct.trace --format json')->{out}));
  for (@mpis) {
    equal(kinds("sided-$_.trace"), kinds('direct.trace'), "it is in a trace of $_ as on simulated ranks");
    my ($again, $sends_again) = replayed("sided-$_.trace");
    equal($sends_again, $sends, 'with as many messages');
    ok(abs($direct - $again) <= 1e-6 * $direct, 'and takes the same time', "$direct s, $again s");
  }
}

# What Chrome's format has of all these is all that there is.
for my $name (grep { -s "$folder/$_.trace" } 'calls', 'corners', "sided-$mpi") {
  command($folder, "psl trace convert $name.trace $name.json && psl trace convert $name.json back.trace && psl trace convert back.trace back.json");
  ok(slurp("$folder/$name.json") eq (slurp("$folder/back.json") // ''), "$name comes back from Chrome's format");
}

# Files by MPI-IO: as many accesses of as many bytes, at the same places, as on simulated ranks.
program('files', <<'END') or finish();
  static char buffer[1 << 21];
  MPI_File file; MPI_Offset size; MPI_Datatype every; MPI_Request request;
  MPI_Type_vector(1000, 1, ranks, MPI_INT, &every);
  MPI_Type_commit(&every);
  for (int round = 0; round < 2; round++) {
    MPI_File_open(MPI_COMM_WORLD, round ? "part-1" : "part-0", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)rank * sizeof buffer, buffer, sizeof buffer, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, rank * sizeof(int), MPI_INT, every, "native", MPI_INFO_NULL);
    MPI_File_write(file, buffer, 10000, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite(file, buffer, 100000, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek(file, 5, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, buffer, 1000, MPI_INT);
    MPI_File_read_all_end(file, buffer, MPI_STATUS_IGNORE);
    MPI_File_get_size(file, &size);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, buffer, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_shared(file, buffer, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_size(file, 100);
    MPI_File_close(&file);
  }
  MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_write(file, buffer, 1000, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
END
sub said {
  my ($trace) = @_;
  return join '', map { "$_->{kind} $_->{count} " . ($_->{bytes}{value} // '-') . "\n" } grep { $_->{kind} =~ /file|allgather/ } @{holds($trace)->{kinds} || []};
}
# Where the ranks write in the files that all have open, and how far, in order.
sub places {
  my ($trace) = @_;
  command($folder, "psl trace convert $trace places.json");
  return join "\n", sort map { my $a = $_->{args}; $_->{name} eq 'file_write' && $a->{file} < 3 ? ($_->{tid} - 2) . " $_->{name} $a->{file} $a->{offset} $a->{span}" : () }
                    @{report(slurp("$folder/places.json"))->{traceEvents} || []};
}
command($folder, "psl trace -o files.trace mpirun.$mpi -n 3 ./files");
if (-f "$build/psl-mpich.so" && $mpi eq 'mpich') {
  command($folder, 'psl mpirun -n 3 --costs none --record direct.trace ./files');
  equal(said('files.trace'), said('direct.trace'), 'files are in a trace as on simulated ranks');
  equal(places('files.trace'), places('direct.trace'), 'with the same places');
  my ($direct) = replayed('direct.trace');
  my ($again) = replayed('files.trace'); # ranks that come at one time are served in an order of their own
  ok(abs($direct - $again) <= 1e-2 * $direct, 'and take the same time', "$direct s, $again s");
}

# Sleep is no computing: a replay on a faster processor is not shorter by it.
program('sleeps', <<'C') or finish();
  double from = MPI_Wtime();
  if (rank) { usleep(100000); nanosleep(&(struct timespec){0, 100000000}, NULL); poll(NULL, 0, 100); printf("%.6f\n", MPI_Wtime() - from); }
  MPI_Barrier(MPI_COMM_WORLD);
C
my $most = command($folder, "psl trace -o sleeps.trace mpirun.$mpi -n 2 ./sleeps")->{out} + 0.001; # for the messages
my ($slept) = replayed('sleeps.trace');
ok($slept >= 0.3 && $slept < $most, 'sleep lasts as long in a replay as it did', "$slept s of $most s");

# Regions by MPI_Pcontrol and by functions, with their places; where calls are.
program('regions', <<'END') or finish();
  MPI_Pcontrol(1, "solve");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(-1);
  MPI_Pcontrol(-1);
END
compiled('regions.c', 'regions', '-finstrument-functions');
command($folder, "psl trace -o regions.trace mpirun.$mpi -n 2 ./regions");
my %region = map { $_->{name} => "$_->{times} times" . (defined $_->{file} && $_->{name} eq 'solve' ? ", $_->{file}:$_->{line}" : '') }
             @{ holds('regions.trace')->{regions} || [] };
equal(join('; ', map { "$_: $region{$_}" } sort keys %region), 'main: 2 times; solve: 2 times, regions.c:1',
     'regions have their names and places');

# Bursts of a program in Fortran between the same two calls of its own are of one key, whatever wrapper MPI has there.
spew("$folder/loops.f90", <<'END');
program loops
  use mpi
  integer :: error, k
  double precision :: x(1000)
  call mpi_init(error)
  x = 1
  do k = 1, 10
    x = x * 1.5
    call mpi_barrier(mpi_comm_world, error)
  end do
  do k = 1, 20
    x = x + sqrt(x)
    call mpi_barrier(mpi_comm_world, error)
  end do
  call mpi_finalize(error)
  if (sum(x) < 0) print *, x
end program
END
sub bursts { # how many of each key rank 0 has
  my ($trace) = @_;
  my %times;
  command($folder, "psl trace convert $trace bursts.json");
  $_->{name} eq 'compute' && $_->{tid} == 2 and $times{$_->{args}{burst} // ''}++ for @{report(slurp("$folder/bursts.json"))->{traceEvents} || []};
  return join ' ', sort { $a <=> $b } values %times;
}
for (@mpis) {
  local $ENV{MPI} = $_;
  have('gfortran') && have("mpif90.$_") && compiled('loops.f90', "loops-$_") or next;
  command($folder, "psl trace -o loops-$_.trace mpirun.$_ -n 2 ./loops-$_");
  equal(bursts("loops-$_.trace"), '1 1 1 9 19', "places of calls in Fortran are the program's under $_");
}
if (-x "$folder/loops-mpich" && -f "$build/psl-mpich.so") {
  command($folder, "psl mpirun -n 2 --record loops.trace ./loops-mpich");
  equal(bursts('loops.trace'), '1 1 1 9 19', 'and on simulated ranks');
}

# The module mpi_f08: what each rank gets from the one before, and the sums of all ranks and of the even or odd ones.
spew("$folder/ring.f90", <<'END');
program ring
  use mpi_f08
  integer :: rank, size, got(4), mine(4), length
  double precision :: x(1), all(1)
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: statuses(2)
  type(MPI_Comm) :: half
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  mine = rank
  x = rank
  call MPI_Irecv(got, 4, MPI_INTEGER, mod(rank + size - 1, size), 7, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(mine, 4, MPI_INTEGER, mod(rank + 1, size), 7, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call MPI_Get_count(statuses(1), MPI_INTEGER, length)
  call MPI_Allreduce(x, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, half)
  print '(a, 5i3, 2f5.1)', 'ring', rank, got(4), statuses(1)%MPI_SOURCE, statuses(1)%MPI_TAG, length, all, x
  call MPI_Finalize()
end program
END
my $rings = join '', map { my $r = $_; sprintf "ring%3d%3d%3d  7  4  6.0%5.1f\n", $r, ($r + 3) % 4, ($r + 3) % 4, $r % 2 ? 4 : 2 } 0 .. 3;
sub rings { return join '', sort $_[0] =~ /^ *(ring.*\n)/gm }
for (@mpis) {
  local $ENV{MPI} = $_;
  unless (have('gfortran') && have("mpif90.$_") && compiled('ring.f90', "ring-$_")) {
    skip("mpi_f08 under $_", 'it has no such module');
    next;
  }
  equal(rings(command($folder, "psl trace -o ring.trace mpirun.$_ -n 4 ./ring-$_")->{out}), $rings, "a program with mpi_f08 is traced under $_");
  my %count = map { $_->{kind} => $_->{count} } @{ holds('ring.trace')->{kinds} || [] };
  equal(join(' ', map { "$_ " . ($count{$_} // 0) } qw(isend irecv waitall allreduce comm_make init finalize)),
        'isend 4 irecv 4 waitall 4 allreduce 8 comm_make 4 init 4 finalize 4', 'with all of its calls');
}
equal(rings(command($folder, 'psl mpirun -n 4 ./ring-mpich')->{out}), $rings, 'and runs on simulated ranks')
  if -x "$folder/ring-mpich" && -f "$build/psl-mpich.so";

# A rank that is killed: what it and the others have done is there.
program('killed', <<'END') or finish();
  for (int k = 0; k < 100; k++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (k == 50 && rank == 1) raise(9);
  }
END
spew("$folder/killed.c", "#include <signal.h>\n" . slurp("$folder/killed.c"));
compiled('killed.c', 'killed');
my $killed = command($folder, "psl trace -o killed.trace mpirun.$mpi -n 3 ./killed");
ok($killed->{exit} eq '1' && $killed->{err} =~ /^psl: warning: 3 of the 3 ranks did not come to MPI_Finalize: what they did till then is in the trace\n/m
     && $killed->{err} =~ /^psl: error: mpirun.$mpi ends with status \d+; the trace goes as far as that$/m,
   'a rank that is killed is said', $killed->{err});
my $left = holds('killed.trace');
my ($barriers) = map { $_->{count} } grep { $_->{kind} eq 'barrier' } @{ $left->{kinds} || [] };
ok(!$left->{complete} && ($barriers // 0) >= 151 && $barriers <= 153, 'and what the ranks have done is there', $barriers);

# A folder has a file for each rank; without one of them, it is said which.
command($folder, "psl trace -o many/ mpirun.$mpi -n 3 ./regions");
equal(join(' ', map { s{.*/}{}r } sort glob "$folder/many/*"), '0.trace 1.trace 2.trace', 'a folder has a file for each rank');
ok(holds('many')->{complete}, 'and is a trace');
unlink "$folder/many/1.trace";
my $missing = command($folder, 'psl replay many --error-format short');
ok($missing->{exit} eq '1' && $missing->{err} =~ /error: Program: 1\.trace: byte \d+: No such file or directory/, 'a file that is missing is said',
   $missing->{err});
my $cut = holds('many');
ok(!$cut->{complete} && $cut->{ranks} == 3, 'and counted', join ' ', %$cut);

# What cannot be traced.
sub refused {
  my ($words, $message) = @_;
  my $output = $words =~ /^-o / ? '' : '-o none.trace';
  my $result = command($folder, "psl trace $output $words");
  equal($result->{err} . "[exit $result->{exit}]", "psl: error: $message\n[exit 1]", "refused: psl trace $words");
}
refused('true', 'the command has run no program that is linked with a library of MPICH or Open MPI');
# As under mpirun of another MPI, where each process is a world of its own.
my $called = $mpi eq 'openmpi' ? 'Open MPI' : 'MPICH';
refused("sh -c './regions & ./regions; wait'", "each process is rank 0 of 1: the program is one of $called, and what starts it is not, as mpirun of " .
        'another MPI; or the command runs several programs, one after another');
refused("sh -c 'mpirun.$mpi -n 2 ./regions; mpirun.$mpi -n 2 ./regions'", 'the command runs several programs of MPI: trace each of them by itself');
refused('./nothing', './nothing cannot be started: No such file or directory');
refused('-o /dev/null true', "'/dev/null' is no file that can hold a trace");
refused('-o nowhere/x.trace true', 'nowhere/x.trace cannot be written: No such file or directory');
ok(!glob("$folder/none.trace*"), 'nothing is left of what was refused');

# Without the library for an MPI.
mkdir "$folder/bare";
symlink "$build/$_", "$folder/bare/$_" for 'psl-record.so';
command($folder, "cp $build/psl bare/psl");
my $bare = command($folder, "PSL_PATH=$root bare/psl trace -o none.trace mpirun.$mpi -n 1 ./regions");
my %needs = (mpich => 'MPICH, and psl was built without that (Debian: libmpich-dev)',
             openmpi => 'Open MPI, and psl was built without that (Debian: libopenmpi-dev)');
equal($bare->{err}, "psl: error: the program is one of $needs{$mpi}\n", 'an MPI that psl was built without is named');
finish();
