#!/usr/bin/perl
# Programs of MPICH's compilers under psl mpirun: they print what they print under MPICH itself, with as many messages of as
# many bytes; and wrong ones are refused, or said to be wrong at their lines.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl-mpich.so") {
  skip('mpirun', 'MPICH is not installed');
  finish();
  exit;
}
my $folder = scratch();

# ---- the examples, beside MPICH ----

compiled("$root/tests/lib/message_counter.c", 'counter.so', '-shared', '-fPIC') or finish();
for my $case ((map { ["examples/programs/$_->[0]", @$_[1, 2]] } grep { $_->[0] ne 'sample-sort.c' } @examples),
              map { ['tests/lib/mpi_modes.c', $_, ''] } 4, 5) {
  my ($source, $ranks, $arguments) = @$case;
  my ($name) = $source =~ m{([^/]*)\.};
  compiled("$root/$source", $name) or next;
  my $real = command($folder, "MESSAGE_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./$name $arguments");
  my $simulated = command($folder, "psl mpirun -n $ranks --costs none --format json -o report.json ./$name $arguments");
  ok($simulated->{exit} eq '0' && $real->{exit} eq '0' && $real->{out} ne '', "$name on $ranks ranks runs",
     $simulated->{err} . $real->{err});
  equal($simulated->{out}, $real->{out}, "$name on $ranks ranks prints what it prints under MPICH");
  my $report = report(slurp("$folder/report.json"));
  my ($messages, $bytes) = split ' ', slurp("$folder/count") // '';
  equal("$report->{messages} messages, $report->{bytes} bytes", "$messages messages, $bytes bytes",
       "$name on $ranks ranks sends as much");
}
for my $case (["$root/examples/programs/sample-sort.c", 'sort', 400], ["$root/tests/lib/mpi_calls.c", 'calls', ''],
              ["$root/tests/lib/mpi_windows.c", 'windows', ''], ["$root/tests/lib/mpi_corners.c", 'corners', ''],
              ["$root/tests/lib/mpi_objects.c", 'objects', ''], ["$root/tests/lib/mpi_counts.c", 'counts', ''],
              ["$root/tests/lib/mpi_lives.c", 'lives', ''], ["$root/tests/lib/mpi_errors.c", 'errors', ''],
              ["$root/tests/lib/mpi_blocks.c", 'blocks', '']) {
  my ($source, $name, $arguments) = @$case;
  compiled($source, $name) or next;
  my $real = command($folder, "mpirun.mpich -n 4 ./$name $arguments");
  my $simulated = command($folder, "psl mpirun -n 4 --costs none -o report ./$name $arguments");
  ok($simulated->{exit} eq '0' && $real->{exit} eq '0' && $real->{out} ne '', "$name runs", $simulated->{err} . $real->{err});
  equal($simulated->{out}, $real->{out}, "$name prints what it prints under MPICH");
}
if (have('mpif90.mpich') && have('gfortran') && compiled("$root/tests/lib/mpi_sides.f90", 'sides')) {
  my $real = command($folder, 'mpirun.mpich -n 4 ./sides')->{out};
  my $simulated = command($folder, 'psl mpirun -n 4 --costs none -o report ./sides');
  my $in_order = sub { return join '', sort split /^/, $_[0] };
  ok($simulated->{exit} eq '0' && $real =~ tr/\n// == 12, 'the module of 2008 runs', $simulated->{err});
  equal($in_order->($simulated->{out}), $in_order->($real), 'and its ranks get what they get under MPICH');
  equal(command($folder, 'psl mpirun -n 4 --costs none --ranks inside ./sides')->{err},
        "psl: error: './sides' uses libmpichfort.so.12, which ranks in one process would share: --ranks processes runs it\n",
        'inside of psl, refused: Fortran');
}
if (have('mpif90.mpich') && have('gfortran') && compiled("$root/tests/lib/mpi_attributes.f90", 'attributes')) {
  my $real = command($folder, 'mpirun.mpich -n 1 ./attributes')->{out};
  my $simulated = command($folder, 'psl mpirun -n 1 --costs none -o report ./attributes');
  ok($simulated->{exit} eq '0' && $real =~ tr/\n// == 7, 'attributes in Fortran', $simulated->{err});
  equal($simulated->{out}, $real, 'are those of MPICH');
}
my $text = 'psl mpirun -n 4 --costs none ./jacobi 16 5';
my $once = command($folder, $text);
equal(command($folder, $text)->{out}, $once->{out}, 'without measured bursts a run gives the same bytes again');
equal(command($folder, "$text" =~ s/--costs/--reference --costs/r)->{out}, $once->{out}, 'and so does the reference');

# A run that --max-firings ends is not made again for its figures where that would run the program twice.
if (program('started', 'puts("started"); fflush(stdout); for (int i = 0; i < 50; i++) MPI_Barrier(MPI_COMM_WORLD);')) {
  my $cut = command($folder, 'psl mpirun -n 2 --costs none --max-firings 30 -o report ./started');
  equal($cut->{out}, "started\n" x 2, 'a program whose run --max-firings ends is run once');
}

# ---- files ----

# By MPI-IO: the same bytes, in the files and in what is printed; and the trace, which needs no files, takes the same time.
if (compiled("$root/tests/lib/mpi_files.c", 'files')) {
  my @names = qw(matrix offsets large pointers shared vector external);
  my $content = sub { join '', map { sprintf "%s: %s\n", $_, unpack 'H*', slurp("$folder/$_[0]/$_") // 'none' } @names };
  mkdir "$folder/$_" for qw(real processes inside);
  my $real = command("$folder/real", 'mpirun.mpich -n 4 ../files');
  for my $ranks ($sanitized ? 'processes' : qw(processes inside)) {
    my $simulated = command("$folder/$ranks", "psl mpirun -n 4 --costs none --ranks $ranks --record ../$ranks.trace -o report ../files");
    equal($simulated->{out}, $real->{out}, "what programs read and write by MPI-IO is what they do under MPICH, ranks $ranks");
    equal($content->($ranks), $content->('real'), "and so are their files, ranks $ranks");
    my ($time) = (slurp("$folder/$ranks/report") // '') =~ /^(predicted time.*)/;
    my ($again) = command($folder, "psl replay $ranks.trace")->{out} =~ /^(predicted time.*)/;
    equal($again, $time, "and their trace takes as long, ranks $ranks");
  }
}

# By calls of UNIX: times by closed forms of stdlib/storage.psl's figures, for both ranks; those of the metadata server's second come
# 0.5 ms later, less what the barrier before has let it begin later, and so of the server that both want.
if (compiled("$root/tests/lib/unix_files.c", 'unix-files')) {
  my $transfer = 0.2 + 0.1 + 1048576 / 500e3;
  my %wanted = (open => [0.5, 1], pwrite => [$transfer, $transfer], fsync => [0.5, 1], pread => [$transfer, $transfer],
                lseek => [0, 0], read => [0.30002, 0.40004], nothing => [0, 0], 'four bytes' => [0.300008, 0.400016],
                close => [0.5, 1], 'a pipe' => [0, 0], stdio => [0, 0]);
  for my $ranks ($sanitized ? 'processes' : qw(processes inside)) {
    unlink "$folder/unix-file";
    my $run = command($folder, "psl mpirun -n 2 --costs none --ranks $ranks --record unix-$ranks.trace -o report ./unix-files unix-file");
    my @said = $run->{out} =~ /^(\d) (.*) ([\d.]+) ms$/mg;
    my $wrong = '';
    my $count = 0;
    while (my ($rank, $what, $taken) = splice @said, 0, 3) {
      $count++;
      my $late = $rank == 1 && $wanted{$what}[0] != $wanted{$what}[1] ? 0.0231 : 1e-6;
      $wrong .= "$rank $what $taken\n" if $taken > $wanted{$what}[$rank] + 1e-6 || $taken < $wanted{$what}[$rank] - $late;
    }
    ok($count == 22 && $wrong eq '', "calls of UNIX take what the storage takes, ranks $ranks", "$count: $wrong$run->{err}");
    my ($time) = (slurp("$folder/report") // '') =~ /^(predicted time.*)/;
    my ($again) = command($folder, "psl replay unix-$ranks.trace")->{out} =~ /^(predicted time.*)/;
    equal($again, $time, "and their trace takes as long, ranks $ranks");
  }
  my $disks = command($folder, 'psl mpirun -n 2 --costs none --set file-device=blocks --set array=RAID[5] ./unix-files unix-file');
  # Caches of two nodes: what is written stays there, at 5 GB/s, until fsync has it written; and what was read is there.
  my $cached = command($folder, 'psl mpirun -n 2 --costs none --set storage=cached --set caching-nodes=2 '
                                . '--set client-write-back=true ./unix-files unix-file');
  my %taken = $cached->{out} =~ /^0 (pwrite|fsync|read) ([\d.]+) ms$/mg;
  my @known = (1048576 / 5e6, 0.5 + $transfer, 10 / 5e6);
  my $same = grep { abs(($taken{(qw(pwrite fsync read))[$_]} // -1) - $known[$_]) < 2e-6 } 0 .. 2;
  ok($same == 3, 'caches of nodes serve them', "$cached->{out}$cached->{err}");
  ok($disks->{out} =~ /^accesses of disk|accesses of disk\[/m, 'and disks serve them', "$disks->{out}$disks->{err}");
}

# What reads get that meet the end, through a view of two integers out of three: those bytes of their data that lie before it.
# MPICH tells another count there, Open MPI the same; and MPICH gives items of type long 8 bytes in external32.
if (compiled("$root/tests/lib/mpi_file_ends.c", 'file-ends')) {
  my $wanted = '';
  for my $length (37 .. 48) {
    for my $displacement (0 .. 2) {
      my @got = map {
        my $bytes = 0;
        for my $item ($_ .. $_ + 19) {
          my $left = $length - $displacement - 12 * int($item / 2) - 4 * ($item % 2);
          $bytes += $left > 4 ? 4 : $left > 0 ? $left : 0;
        }
        $bytes;
      } 0, 3, 30, 1;
      $wanted .= "$length bytes from $displacement on: @got\n";
    }
  }
  my $longs = "a long has 4 bytes there, the view 16 for 32 here\n4 are written, the last one at 32\n3 are read: -2 16909060 -5\n";
  equal(command($folder, 'psl mpirun -n 1 --costs none -o report ./file-ends ended')->{out}, $wanted . $longs,
        'reads that meet the end of a file tell what they have got; a long has 4 bytes in external32');
  equal(unpack('H*', slurp("$folder/ended") // ''), '00000000' . '00000001' . '00' x 8 . 'fffffffe' . '01020304' . '00' x 8 . 'fffffffb',
        'which are those of its view');
  if (have('mpicc.openmpi') && have('mpirun.openmpi')) {
    local $ENV{MPI} = 'openmpi';
    compiled("$root/tests/lib/mpi_file_ends.c", 'file-ends-open') or finish();
    my $open = command($folder, 'mpirun.openmpi -n 1 ./file-ends-open ended-open')->{out};
    equal($open =~ s/^a long.*//msr, $wanted, 'and Open MPI counts as much');
  }
}

# ---- ranks inside of psl ----

for my $case (grep { $_->[0] !~ /f90$/ } @examples) {
  my ($source, $ranks, $arguments) = @$case;
  my ($name) = $source =~ /(.*)\./;
  compiled("$root/examples/programs/$source", $name) or next;
  my $run = "psl mpirun -n $ranks --costs none";
  if ($sanitized) { skip("$name inside of psl", 'a sanitizer does not load a program that has names of its own'); next }
  my $inside = command($folder, "$run --ranks inside ./$name $arguments");
  equal("$inside->{out}$inside->{err}", command($folder, "$run ./$name $arguments")->{out},
        "$name on $ranks ranks inside of psl is as in processes");
}
if (!$sanitized) {
  my $run = "psl mpirun -n 4 --costs none -o report";
  equal(command($folder, "$run --ranks inside ./$_->[0]")->{out}, command($folder, "$run ./$_->[0]")->{out},
        "$_->[1] is inside of psl as in processes") for ['corners', 'what is seldom used'], ['lives', 'what is freed while it is used'],
      ['mpi_modes', 'each mode of messages'];
}
# A copy of the program has addresses, constructors, variables and destructors of its own; by the loader, too, where it asks
# that for its parts.
for my $form ($sanitized ? () : ('copied', 'by the loader')) {
  my $name = $form eq 'copied' ? 'copied' : 'loaded';
  spew("$folder/$name.c", <<'END' . ($form eq 'copied' ? '' : "\nint asks(void) { Dl_info info; return dladdr((void *)asks, &info); }\n"));
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int here = 5, *to = &here, zeros[1 << 18], begun, rank;
static char *texts[] = {"one", "two"}, changed[] = "as it was";
static int twice(int k) { return 2 * k; }
static int (*const functions[])(int) = {twice, abs};
FILE **out = &stdout;
double (*given)(void) = MPI_Wtime;
__attribute__((constructor)) static void begin(int count, char **words) { begun = count > 1 && words[1] ? 21 : 0; }
__attribute__((destructor)) static void end(void) { if (rank == 0) puts(changed); }
static void leave(void) { changed[0] = 'A'; }
int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  atexit(leave);
  here += rank, zeros[rank + 70000] += 7, texts[rank & 1] = changed;
  MPI_Barrier(MPI_COMM_WORLD);
  int sum = 0, all;
  for (int k = 0; k < 1 << 18; k++) sum += zeros[k];
  sum = 1000 * functions[0](*to) + functions[1](-sum) + (texts[rank & 1] == changed) + (texts[!(rank & 1)] != changed) + 100 * begun + (given() >= 0);
  MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) fprintf(*out, "%d\n", all);
  MPI_Finalize();
}
END
  ok(command($folder, "mpicc.mpich -O1 -w $name.c -o $name")->{exit} eq '0', "$name.c compiles");
  my $run = "psl mpirun -n 3 --costs none -o report";
  equal(command($folder, "$run --ranks inside ./$name given")->{out}, "42330\nAs it was\n", "inside of psl, $form");
  equal(command($folder, "$run ./$name given")->{out}, "42330\nAs it was\n", "and so in processes, $form");
}
sub inside {
  my ($name, $message, $body) = @_;
  program($name, $body) or return;
  my $result = command($folder, "psl mpirun -n 2 --ranks inside --error-format short --costs none ./$name");
  my ($said) = $result->{err} =~ /error: (?:Program: )?(.*?)(?: \(in [^)]*\))?\n/;
  equal(($said // $result->{err}) . " [exit $result->{exit}]", "$message [exit 1]", "inside of psl, wrong or refused: $name");
}
# A sleep is over when the time that it was asked for is, also by the clock of nanoseconds.
if (program('sleeps', <<'END')) {
  int early = 0;
  for (int k = 1; k <= 1000; k++) {
    struct timespec before, after, time = {0, 1000000 + 7919 * k};
    clock_gettime(CLOCK_MONOTONIC, &before); nanosleep(&time, NULL); clock_gettime(CLOCK_MONOTONIC, &after);
    early += (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec < time.tv_nsec;
  }
  if (rank == 0) printf("%d\n", early);
END
  equal(command($folder, 'psl mpirun -n 1 --costs none -o report ./sleeps')->{out}, "0\n", 'no sleep ends before its time');
}

# Of a neighbour that comes twice in a graph, as under MPICH: what has a count of its own comes in the order of sending.
if (program('beside', <<'END')) {
  MPI_Comm graph; int other = 1 - rank, both[] = {other, other}, counts[] = {1, 1}, places[] = {0, 1};
  int out[] = {10 * rank + 1, 10 * rank + 2}, in[2], in_v[2];
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, both, MPI_UNWEIGHTED, 2, both, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
  MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in_v, counts, places, MPI_INT, graph);
  if (rank == 0) printf("%d %d, %d %d\n", in[0], in[1], in_v[0], in_v[1]);
END
  my $real = command($folder, 'mpirun.mpich -n 2 ./beside')->{out};
  equal(command($folder, "psl mpirun -n 2 --ranks $_ --costs none -o report ./beside")->{out}, $real,
        "a neighbour twice, as under MPICH, ranks $_") for $sanitized ? 'processes' : qw(processes inside);
}

# What a trace of another format cannot hold is said: operations that are started take no time themselves.
if (program('started-sum', <<'END')) {
  int sum; MPI_Request request;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); MPI_Wait(&request, MPI_STATUS_IGNORE);
END
  equal(command($folder, 'psl mpirun -n 2 --costs none --record sum.trace -o report ./started-sum && psl trace convert sum.trace sum.prv')->{err},
        "psl: warning: a trace of Paraver cannot hold calls that its numbers of MPI's do not have: left out (2 operations)\n",
        'what a trace of Paraver leaves out');
}
if (program('buffered', <<'END')) {
  char room[1000 + MPI_BSEND_OVERHEAD], *got = NULL; int size;
  MPI_Buffer_attach(room, sizeof room); MPI_Bsend(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Recv(&size, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Buffer_detach(&got, &size);
END
  equal(command($folder, 'psl mpirun -n 2 --costs none --record buffered.trace -o report ./buffered && psl trace convert buffered.trace buffered.dim')->{err},
        "psl: warning: a trace of Dimemas cannot hold buffers of buffered sends: sent at once (2 operations)\n",
        'what a trace of Dimemas says of buffered sends');
}

# What the C library keeps for a process, and C++'s for a thread, each rank has for itself: random numbers, words, options,
# exceptions that it handles while others run, and the formats of streams.
if (!$sanitized) {
  my @kept = (['kept_state.c', 'mpicc.mpich -w', '-x 3 --name=rank word -y'], ['kept_exceptions.cc', 'mpicxx.mpich -w', '']);
  for (@kept) {
    my ($source, $compiler, $words) = @$_;
    my ($name) = $source =~ /^(\w+)/;
    next unless have((split ' ', $compiler)[0]);
    ok(command($folder, "$compiler -O1 $root/tests/lib/$source -o $name")->{exit} eq '0', "$source compiles");
    my ($processes, $inside) = map { command($folder, "psl mpirun -n 3 --ranks $_ --costs none -o report ./$name $words") } qw(processes inside);
    ok($inside->{exit} eq '0' && $inside->{out} =~ tr/\n// > 5, "$name runs inside of psl", $inside->{err});
    equal(join("\n", sort split /\n/, $inside->{out}), join("\n", sort split /\n/, $processes->{out}), "$name: a rank inside of psl has its own as a process has");
  }
}
if (!$sanitized) {
inside('amid', 'amid.c:3: rank 0: getopt goes on at word 2, but is amid another rank\'s options: --ranks processes runs it', <<'END');
  char *const options[] = {"amid", "-a", "-b", NULL};
  for (int k = 0; k < 2; k++) { int sum = getopt(3, options, "ab");
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
END
}
# Constructors find the streams of the C library, also in a program that the loader has to load for each rank.
if (!$sanitized) {
  spew("$folder/streams.c", <<'END');
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
static FILE *out;
__attribute__((constructor)) static void begin(void) { out = stdout; }
int main(int count, char **words) {
  if (count > 9) dlclose(NULL);
  MPI_Init(&count, &words);
  fprintf(out, "here\n");
  MPI_Finalize();
}
END
  ok(command($folder, 'mpicc.mpich -w streams.c -o streams')->{exit} eq '0', 'streams.c compiles');
  equal(command($folder, 'psl mpirun -n 2 --costs none --ranks inside -o report ./streams')->{out}, "here\n" x 2,
        'inside of psl constructors find the streams');
}
# Functions that come before the constructors are called there, as by the loader.
spew("$folder/before.c", <<'END');
#include <mpi.h>
#include <stdio.h>
static int given, order;
static void before(int count, char **words) { given = count; order = 10 * order + 1; }
__attribute__((constructor)) static void begin(void) { order = 10 * order + 2; }
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **) = before;
int main(int count, char **words) {
  MPI_Init(&count, &words);
  printf("%d %d\n", given, order);
  MPI_Finalize();
}
END
ok(command($folder, 'mpicc.mpich -w before.c -o before')->{exit} eq '0', 'before.c compiles');
for my $where ($sanitized ? 'processes' : qw(processes inside)) {
  equal(command($folder, "psl mpirun -n 2 --costs none --ranks $where -o report ./before given")->{out}, "2 12\n" x 2,
        "functions of .preinit_array come first, $where");
}
# Records are the same bytes again, whatever the loader's addresses: of calls that MPI makes of others, too.
command($folder, "psl mpirun -n 4 --costs none --record $_.trace -o report ./lives") for 'first', 'again';
ok(-s "$folder/first.trace" && command($folder, 'cmp first.trace again.trace')->{exit} eq '0', 'a record is the same bytes again');
# What a library of the program's has noted of its process is each rank's own, however many there are.
spew("$folder/noted.c", "#include <unistd.h>\nint noted;\n__attribute__((constructor)) static void note(void) { noted = getpid(); }\n");
spew("$folder/own.c", <<'END');
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
extern int noted;
int main(int count, char **words) {
  MPI_Init(&count, &words);
  int own = noted == getpid(), all;
  MPI_Reduce(&own, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!rank) printf("%d\n", all);
  MPI_Finalize();
}
END
ok(command($folder, 'mpicc.mpich -w -shared -fPIC noted.c -o libnoted.so && mpicc.mpich -w own.c -L. -lnoted -Wl,-rpath,$PWD -o own')->{exit} eq '0',
   'a program with a library of its own compiles');
equal(command($folder, "psl mpirun -n $_ --costs none -o report ./own")->{out}, "$_\n", "$_ ranks: each has what its library has noted") for 4, 40;
my $both = command($folder, 'psl mpirun -n 2 --ranks inside --costs instructions ./jacobi');
equal($both->{err}, "psl: error: instructions are counted of ranks that are processes, not inside of psl\n",
      'inside of psl instructions are not counted');
unless ($sanitized) {
# The system's limit of mappings: each page here is one.
my ($most) = slurp('/proc/sys/vm/max_map_count') =~ /(\d+)/;
if ($most > 100_000) { skip('mappings', 'there may be too many of them') } else {
  my $reached = "the system's limit vm.max_map_count of $most mappings is reached";
  inside('mappings', "rank 1: its program cannot be mapped: $reached", <<'END');
  char *pages = mmap(0, 4096L * 120000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (long k = 0; k < 120000 && mprotect(pages + k * 4096, 4096, PROT_NONE) == 0; k += 2);
  MPI_Barrier(MPI_COMM_WORLD);
END
}
inside('segment', 'segment.c:2: rank 1: the program ends by signal 11 (Segmentation fault), without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD); if (rank == 1) *(volatile int *)8 = 1;
  MPI_Barrier(MPI_COMM_WORLD);
END
# The C library aborts amid the memory that psl has as well, and what it has locked there stays so: which line it was, psl
# cannot find any more.
if (program('twice', <<'END')) {
  for (int k = 0; k < 2; k++) free(malloc(1 << 20));
  char *volatile block = malloc(1 << 20);
  memset(block, 1, 1 << 20); free(block); if (rank == 1) free(block);
END
  my $result = command($folder, 'timeout 60 psl mpirun -n 2 --ranks inside --costs none ./twice');
  ok($result->{exit} == 1 && $result->{err} =~ /(twice\S*): rank 1: the program ends by signal 6 \(Aborted\), /,
     'inside of psl, a block that is freed twice ends the run', "$result->{err} [exit $result->{exit}]");
}
inside('in-library', 'in-library.c:3: rank 0: the program ends by signal 11 (Segmentation fault), without MPI_Finalize', <<'END');
  char *volatile none = NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%zu\n", strlen(none));
END
inside('over', 'over.c:2: rank 0: MPI_Type_commit is called after MPI_Finalize', <<'END');
  MPI_Datatype type = MPI_INT; MPI_Finalize();
  MPI_Type_commit(&type);
END
inside('leaves', 'leaves.c:1: rank 0: after this call the program ends without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD); if (rank == 0) exit(0);
END
inside('early', 'early.c:1: rank 1: after this call the program ends with status 4, without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD); if (rank == 1) exit(4);
END
inside('code', 'code.c:2: rank 0: the program ends with status 3, after MPI_Finalize', <<'END');

  MPI_Finalize(); exit(3);
END
}
inside('elsewhere', "'./elsewhere' uses chdir, which ranks in one process would share: --ranks processes runs it", <<'END');
  if (rank == 0) chdir("/");
END
inside('signs', "'./signs' uses signgam, which ranks in one process would share: --ranks processes runs it", <<'END');
  extern int signgam; printf("%d\n", signgam);
END

inside('helped', "'./helped' uses pthread_create, which ranks in one process would share: --ranks processes runs it", <<'END');
  pthread_t helper; pthread_create(&helper, NULL, (void *(*)(void *))pthread_exit, NULL); pthread_join(helper, NULL);
END

# Threads of C++, whose library starts them. Each ends a wait of its rank's that else would last 1000 s.
if (have('mpicxx.mpich')) {
  spew("$folder/threads.cc", <<'END');
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mpi.h>
#include <mutex>
#include <thread>
int main(int count, char **words) {
  std::mutex mutex;
  std::condition_variable condition;
  int asked = 0, answered = 0;
  MPI_Init(&count, &words);
  std::thread helper([&] {
    std::unique_lock<std::mutex> lock(mutex);
    while (answered < 3) {
      condition.wait_until(lock, std::chrono::system_clock::now() + std::chrono::milliseconds(1));
      if (asked > answered) answered++, condition.notify_all();
    }
  });
  double from = MPI_Wtime();
  for (int k = 1; k <= 3; k++) {
    std::unique_lock<std::mutex> lock(mutex);
    asked = k;
    if (!condition.wait_for(lock, std::chrono::seconds(1000), [&] { return answered == k; })) std::puts("late");
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  helper.join();
  if (MPI_Wtime() - from < 3.001) std::puts("in time");
  MPI_Finalize();
}
END
  ok(command($folder, 'mpicxx.mpich -O1 -w threads.cc -o threads-c++ -pthread')->{exit} eq '0', 'threads.cc compiles');
  equal(command($folder, 'psl mpirun -n 2 --costs none -o report ./threads-c++')->{out}, "in time\n" x 2, "threads of C++'s library end waits");
  equal(command($folder, 'psl mpirun -n 2 --ranks inside --costs none ./threads-c++')->{err},
        "psl: error: './threads-c++' uses std::thread, which ranks in one process would share: --ranks processes runs it\n",
        "inside of psl, refused: threads of C++'s library");
  # Where the program finds what C++'s library has before what that of MPI has in its place.
  my $linked = "mpicxx.mpich -w -c $root/tests/lib/kept_exceptions.cc -o first.o && mpicc.mpich first.o -lstdc++ -o first-c++";
  ok($sanitized || command($folder, $linked)->{exit} eq '0', "a program is linked with C++'s library first");
  ok(command($folder, 'psl mpirun -n 2 --ranks inside --costs none ./first-c++')->{err} =~
       /rank 0: its program is linked with the library of C\+\+ before that of MPI/, 'inside of psl, refused: that') if !$sanitized;
  spew("$folder/reads.cc", "#include <iostream>\n#include <mpi.h>\nint main() { int i; MPI_Init(0, 0); std::cin >> i; MPI_Finalize(); }\n");
  ok(command($folder, 'mpicxx.mpich -w reads.cc -o reads-c++')->{exit} eq '0', 'reads.cc compiles');
  equal(command($folder, 'psl mpirun -n 2 --ranks inside --costs none ./reads-c++')->{err},
        "psl: error: './reads-c++' uses std::cin, which ranks in one process would share: --ranks processes runs it\n",
        'inside of psl, refused: input of C++');
}

# ---- compilers ----

spew("$folder/greeting.f90", "use mpi\ninteger e\ncall mpi_init(e)\nprint *, 'fine'\ncall mpi_finalize(e)\nend\n");
for (['mpicc -O1 ' . "$root/examples/programs/jacobi.c -lm", './made 16 5', 'change'],
     have('gfortran') ? ['mpifort greeting.f90', './made', 'fine'] : ()) {
  my ($compiler, $run, $prints) = @$_;
  my $made = command($folder, "psl $compiler -o made && psl mpirun -n 2 --costs none $run");
  ok($made->{exit} eq '0' && $made->{out} =~ /$prints/, "psl $compiler compiles for psl mpirun", $made->{err} . $made->{out});
}
my $wrong = command($folder, 'psl mpicc nothing.c');
ok($wrong->{exit} eq '1' && $wrong->{err} =~ /nothing\.c/, 'what the compiler refuses', $wrong->{err});
equal(command($folder, "PATH=$build psl mpifort x.f")->{err},
      "psl: error: mpifort.mpich cannot be started: No such file or directory\nhelp: Debian: libmpich-dev, gfortran\n", 'no compiler');
equal(command($folder, 'psl mpicc')->{err}, "psl: error: 'mpicc' needs what the compiler is given\nhelp: usage: psl mpicc [ARGUMENT...]\n",
      'nothing to compile');

# ---- clocks, bursts ----

my $measured = command($folder, 'psl mpirun -n 2 --format json ./jacobi 256 20');
my $mean = report($measured->{out} =~ /(\{.*)/s)->{shares}[0]{mean}{value} // 0;
ok($mean > 1e-5 && $mean < 10, 'what the program computes is measured', "$mean\n$measured->{err}");

# Sleep lasts what it says on any machine, by whichever function, and is no computing: the processor's clocks do not count it.
program('sleeps', <<'END') or finish();
  double from = MPI_Wtime();
  struct timeval before, after;
  gettimeofday(&before, NULL);
  struct timespec second = {1, 0}, then;
  clock_t counted = clock();
  if (rank == 0) {
    sleep(1); usleep(1000000); nanosleep(&second, NULL); thrd_sleep(&second, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
    clock_gettime(CLOCK_REALTIME, &then);
    then.tv_sec++;
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &then, NULL);
    select(0, NULL, NULL, NULL, &(struct timeval){1, 0}); pselect(0, NULL, NULL, NULL, &second, NULL);
    poll(NULL, 0, 1000); ppoll(NULL, 0, &second, NULL);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, locked = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    pthread_mutex_lock(&mutex); pthread_mutex_lock(&locked);
    clock_gettime(CLOCK_REALTIME, &then);
    then.tv_sec++; if (pthread_cond_timedwait(&condition, &mutex, &then) != ETIMEDOUT) abort();
    then.tv_sec++; if (sem_timedwait(&semaphore, &then) || !sem_timedwait(&semaphore, &then) || errno != ETIMEDOUT) abort();
    then.tv_sec++; if (pthread_mutex_timedlock(&locked, &then) != ETIMEDOUT) abort();
    clock_gettime(CLOCK_MONOTONIC, &then);
    then.tv_sec++; if (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &then) != ETIMEDOUT) abort();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  gettimeofday(&after, NULL);
  if (rank == 0) printf("%.3f %.3f %d\n", MPI_Wtime() - from, after.tv_sec - before.tv_sec + 1e-6 * (after.tv_usec - before.tv_usec), clock() - counted < CLOCKS_PER_SEC / 100);
END

for my $where ($sanitized ? 'processes' : ('processes', 'inside')) {
  my $slept = command($folder, "psl mpirun -n 2 --ranks $where --costs none --set speed=4 --set machine=cluster --format json -o report.json ./sleeps");
  equal($slept->{out}, "14.000 14.000 1\n", "sleep takes virtual time, $where");
  my $shares = report(slurp("$folder/report.json"));
  my ($asleep) = map { $_->{mean}{value} } grep { $_->{name} eq 'asleep' } @{$shares->{records} || []};
  my %spent = map { $_->{activity} => $_->{maximum}{value} } @{$shares->{shares} || []};
  ok(abs($spent{wait} - 14) < 1e-3 && $spent{compute} < 1e-9 && abs(($asleep // 0) - 14) < 1e-9, "and is a wait, recorded as such, $where",
     slurp("$folder/report.json"));
}

# Another thread ends waits, in no virtual time; where it does not in time, the wait has lasted until then.
program('threads', <<'END');
  static sem_t asked, done;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static int ready;
  void *help(void *unused) {
    sem_wait(&asked); sem_post(&done);
    pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex);
    sem_wait(&asked);
    return NULL;
  }
  pthread_t helper;
  struct timespec then;
  int late = 0;
  sem_init(&asked, 0, 0); sem_init(&done, 0, 0);
  pthread_create(&helper, NULL, help, NULL);
  double from = MPI_Wtime();
  clock_gettime(CLOCK_REALTIME, &then); then.tv_sec += 1000;
  sem_post(&asked);
  if (sem_timedwait(&done, &then)) abort();
  pthread_mutex_lock(&mutex);
  while (!ready) if (pthread_cond_timedwait(&condition, &mutex, &then)) abort();
  printf("%.6f ", MPI_Wtime() - from);
  clock_gettime(CLOCK_REALTIME, &then); then.tv_nsec += 20000000; if (then.tv_nsec > 999999999) then.tv_nsec -= 1000000000, then.tv_sec++;
  while (!late) late = pthread_cond_timedwait(&condition, &mutex, &then);
  printf("%.6f %d\n", MPI_Wtime() - from, late == ETIMEDOUT);
  sem_post(&asked);
  pthread_join(helper, NULL);
END
equal(command($folder, 'psl mpirun -n 1 --costs none -o report ./threads')->{out}, "0.000000 0.020000 1\n",
      'waits for other threads last no virtual time, or until their limit');

# The clock goes on, and not back, by what is computed alone: psl is asked at the beginning, and where others matter.
program('asking', <<'END');
  double from = MPI_Wtime(), last = from, now;
  for (int k = 0; k < 20000; k++, last = now)
    if ((now = MPI_Wtime()) < last) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d %d\n", last - from > 1e-5, MPI_Wtime() >= last);
END
my $asking = command($folder, 'psl mpirun -n 2 --set speed=0.5 --format json -o report.json ./asking');
my $asked = report(slurp("$folder/report.json"));
equal($asking->{out}, "1 1\n1 1\n", 'a clock that is asked often goes on');
ok(($asked->{firings} // 1e9) < 500, 'without a turn each time', $asked->{firings} // $asking->{err});

# What comes in one call with what goes has its status, of any source too.
program('both-ways', <<'END');
  int got;
  MPI_Request request;
  MPI_Status status;
  MPI_Isendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  printf("%d %d %d\n", got, status.MPI_SOURCE, status.MPI_TAG);
  MPI_Isendrecv_replace(&got, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  if (status.MPI_SOURCE != MPI_PROC_NULL) MPI_Abort(MPI_COMM_WORLD, 1);
END
equal(command($folder, 'psl mpirun -n 2 --costs none -o report ./both-ways')->{out}, "1 1 5\n0 0 5\n", 'what one call sends and receives');

# What neighbours exchange is the messages to and from them: it takes as long, on any number of ranks.
program('ring', <<'END');
  char given[1000] = {0}, got[2000];
  MPI_Comm ring;
  MPI_Request requests[4];
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring);
  MPI_Barrier(ring);
  double from = MPI_Wtime(), between;
  MPI_Neighbor_allgather(given, 1000, MPI_CHAR, got, 1000, MPI_CHAR, ring);
  between = MPI_Wtime() - from;
  MPI_Barrier(ring);
  from = MPI_Wtime();
  for (int k = 0; k < 2; k++) MPI_Irecv(got + 1000 * k, 1000, MPI_CHAR, (rank + (k ? 1 : ranks - 1)) % ranks, k, ring, &requests[k]);
  for (int k = 0; k < 2; k++) MPI_Isend(given, 1000, MPI_CHAR, (rank + (k ? 1 : ranks - 1)) % ranks, !k, ring, &requests[2 + k]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  double messages = MPI_Wtime() - from;
  if (rank == 0) printf("%.9f %.9f\n", between, messages);
END
my ($four, $twelve) = map { command($folder, "psl mpirun -n $_ --costs none --set machine=cluster -o report ./ring")->{out} } 4, 12;
ok($four =~ /^(0\.0\d+) \1\n$/ && $1 > 0, 'neighbours take as long as their messages', $four);
equal($twelve, $four, 'and no longer where there are more ranks');

# By 2 (2 os + L) + (2 os + L + 1000 byte G): the lock's way there and back, and the message that the put is.
program('lock', <<'END');
  char *memory, given[1000] = {0};
  MPI_Win window;
  MPI_Win_allocate(1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  double from = MPI_Wtime();
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
    MPI_Put(given, 1000, MPI_CHAR, 1, 0, 1000, MPI_CHAR, window);
    MPI_Win_unlock(1, window);
    printf("%.3f us\n", 1e6 * (MPI_Wtime() - from));
  }
  MPI_Win_free(&window);
END
my $costs = '--set machine=cluster --set os=1us --set ol=1us --set L=10us --set G=1ns/byte --set Gl=1ns/byte';
equal(command($folder, "psl mpirun -n 2 --costs none $costs ./lock")->{out} =~ s/\n.*/\n/sr, "37.000 us\n",
      'a lock, a put and an unlock take their closed form');

# ---- wrong programs ----

sub wrong {
  my ($name, $ranks, $message, $body) = @_;
  program($name, $body) or return;
  my $result = command($folder, "psl mpirun -n $ranks --error-format short --costs none ./$name");
  my ($said) = $result->{err} =~ /error: (?:Program: )?(.*?)(?: \(in [^)]*\))?\n/;
  equal(($said // $result->{err}) . " [exit $result->{exit}]", "$message [exit 1]", "a program that is wrong: $name");
}
wrong('truncated', 2, 'truncated.c:3: rank 1: MPI_Recv: the message of 80 bytes from rank 0, tag 5, is longer than the 16 bytes of the receive', <<'END');
  double data[10];
  if (rank == 0) MPI_Send(data, 10, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
  else MPI_Recv(data, 2, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
wrong('types', 2, 'types.c:3: rank 1: MPI_Recv: the message from rank 0, tag 5, is of MPI_DOUBLE and is received as MPI_INT', <<'END');
  double data[10];
  if (rank == 0) MPI_Send(data, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
  else MPI_Recv(data, 2, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
wrong('integers', 2, 'integers.c:3: rank 1: MPI_Recv: the message from rank 0, tag 5, is of MPI_DOUBLE and is received as MPI_LONG', <<'END');
  long data[10];
  if (rank == 0) MPI_Send(data, 2, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
  else MPI_Recv(data, 2, MPI_LONG, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
wrong('floats', 2, 'floats.c:3: rank 1: MPI_Recv: the message from rank 0, tag 5, is of MPI_INT and is received as MPI_FLOAT', <<'END');
  long data[10];
  if (rank == 0) MPI_Send(data, 2, MPI_INT, 1, 5, MPI_COMM_WORLD);
  else MPI_Recv(data, 2, MPI_FLOAT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
wrong('bcast_types', 2, 'bcast_types.c:2: rank 1: MPI_Bcast: what rank 0 gives is of MPI_DOUBLE, and is expected to be of MPI_LONG', <<'END');
  long data[2];
  MPI_Bcast(data, 2, rank ? MPI_LONG : MPI_DOUBLE, 0, MPI_COMM_WORLD);
END
wrong('gather_types', 2, 'gather_types.c:2: rank 1: MPI_Gather: what rank 0 gives is of MPI_FLOAT, and is expected to be of MPI_INT', <<'END');
  int data[2], all[4];
  MPI_Gather(data, 2, rank ? MPI_INT : MPI_FLOAT, all, 2, MPI_INT, 1, MPI_COMM_WORLD);
END
wrong('alltoall_types', 2, 'alltoall_types.c:2: rank 1: MPI_Alltoall: what rank 0 gives is of MPI_DOUBLE, and is expected to be of MPI_LONG', <<'END');
  long data[2], all[2]; MPI_Datatype type = rank ? MPI_LONG : MPI_DOUBLE;
  MPI_Alltoall(data, 1, type, all, 1, MPI_LONG, MPI_COMM_WORLD);
END
wrong('reduce_types', 2, 'reduce_types.c:2: rank 1: MPI_Reduce: what rank 0 gives is of MPI_DOUBLE, and is expected to be of MPI_LONG', <<'END');
  long data[2] = {0}, all[2];
  MPI_Reduce(data, all, 2, rank ? MPI_LONG : MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
END
wrong('destination', 2, 'destination.c:1: rank 0: MPI_Send: there is no rank 2 in a communicator of 2', <<'END');
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
END
wrong('count', 2, 'count.c:1: rank 0: MPI_Send: the count -1 is negative', <<'END');
  if (rank == 0) MPI_Send(&rank, -1, MPI_INT, 1, 0, MPI_COMM_WORLD);
END
wrong('requests', 1, 'requests.c:1: rank 0: MPI_Waitall: the count -1 is negative', <<'END');
  MPI_Request none = MPI_REQUEST_NULL; MPI_Waitall(-1, &none, MPI_STATUSES_IGNORE);
END
wrong('length', 1, 'length.c:2: rank 0: MPI_Type_vector: the count -2 is negative', <<'END');
  MPI_Datatype type; MPI_Barrier(MPI_COMM_WORLD);
  MPI_Type_vector(2, -2, 1, MPI_INT, &type);
END
wrong('local', 1, 'local.c:3: rank 0: MPI_Type_commit is given MPI_DATATYPE_NULL', <<'END');
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Type_commit(&type);
END
wrong('over', 1, 'over.c:2: rank 0: MPI_Type_commit is called after MPI_Finalize', <<'END');
  MPI_Datatype type = MPI_INT; MPI_Finalize();
  MPI_Type_commit(&type);
END
wrong('cancel', 1, 'cancel.c:1: rank 0: MPI_Cancel is given MPI_REQUEST_NULL, which is no request', <<'END');
  MPI_Request none = MPI_REQUEST_NULL; MPI_Cancel(&none);
END
wrong('root', 2, 'root.c:1: rank 1: MPI_Bcast has the root 1, and that of rank 0 has 0', <<'END');
  MPI_Bcast(&ranks, 1, MPI_INT, rank, MPI_COMM_WORLD);
END
wrong('no-communicator', 1, 'no-communicator.c:2: rank 0: MPI_Comm_size is given MPI_COMM_NULL', <<'END');
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_size(MPI_COMM_NULL, &ranks);
END
wrong('collective', 2, 'collective.c:2: rank 1: MPI_Barrier is called where rank 0 has called MPI_Bcast', <<'END');
  if (rank == 0) MPI_Bcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else MPI_Barrier(MPI_COMM_WORLD);
END
wrong('abort', 2, 'abort.c:1: rank 0: the program calls MPI_Abort with code 7', <<'END');
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  MPI_Barrier(MPI_COMM_WORLD);
END
wrong('crash', 2, 'crash.c:2: rank 0: the program ends by signal 6 (Aborted), without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD); abort();
END
wrong('segment', 2, 'segment.c:3: rank 1: the program ends by signal 11 (Segmentation fault), without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD); volatile int *volatile none = NULL;
  MPI_Bcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) *none = 1;
  MPI_Barrier(MPI_COMM_WORLD);
END
wrong('in-library', 2, 'in-library.c:3: rank 0: the program ends by signal 11 (Segmentation fault), without MPI_Finalize', <<'END');
  char *volatile none = NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%zu\n", strlen(none));
END
wrong('killed', 2, 'killed.c:1: rank 1: after this call the program ends by signal 9 (Killed), without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) kill(getpid(), 9);
  MPI_Barrier(MPI_COMM_WORLD);
END
wrong('no-finalize', 2, 'no-finalize.c:1: rank 0: after this call the program ends without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD); if (rank == 0) exit(0);
END
wrong('early', 2, 'early.c:1: rank 1: after this call the program ends with status 4, without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD); if (rank == 1) exit(4);
END
wrong('status', 1, 'status.c:2: rank 0: the program ends with status 3, after MPI_Finalize', <<'END');

  MPI_Finalize(); exit(3);
END
wrong('fork', 1, 'fork.c:1: rank 0: the program makes another process by fork, which psl mpirun cannot run', <<'END');
  MPI_Barrier(MPI_COMM_WORLD); fork();
END
wrong('timer', 1, 'timer.c:1: rank 0: alarm sets a timer, whose signal virtual time cannot send', '  alarm(1);');
wrong('descriptor', 1, 'descriptor.c:2: rank 0: poll waits for descriptors for up to 0.5 s: virtual time does not know when they are ready', <<'END');
  int files[2]; if (pipe(files)) return 1;
  poll(&(struct pollfd){files[0], POLLIN, 0}, 1, 500);
END

wrong('epoch', 2, 'epoch.c:2: rank 0: MPI_Put reaches rank 1 before MPI_Win_fence, MPI_Win_start or MPI_Win_lock allows it', <<'END');
  MPI_Win window; MPI_Win_create(&ranks, sizeof ranks, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  MPI_Win_free(&window);
END
wrong('outside', 2, 'outside.c:2: rank 0: MPI_Put: bytes 4 to 7 are outside of the window of rank 1, which has 4', <<'END');
  MPI_Win window; MPI_Win_create(&ranks, sizeof ranks, sizeof ranks, MPI_INFO_NULL, MPI_COMM_WORLD, &window); MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
  MPI_Win_fence(0, window); MPI_Win_free(&window);
END

wrong('representation', 1, 'representation.c:3: rank 0: MPI_File_set_view: data are "native" or "external32", not "middle-endian"', <<'END');
  MPI_File file; MPI_File_open(MPI_COMM_SELF, "represented", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "middle-endian", MPI_INFO_NULL);
END

# What calls say of themselves, each on the line of its number.
my @said_of = (
  ['MPI_Send(data, 1, raw, 0, 0, world)', 'MPI_Send is given a datatype that is not committed'],
  ['MPI_Bcast(data, 1, raw, 0, world)', 'MPI_Bcast is given a datatype that is not committed'],
  ['MPI_Pack(data, 1, raw, data, 8, &n, world)', 'MPI_Pack is given a datatype that is not committed'],
  ['MPI_Irecv(data, 1, MPI_DATATYPE_NULL, 0, 0, world, &request)', 'MPI_Irecv is given MPI_DATATYPE_NULL'],
  ['MPI_Type_size(MPI_DATATYPE_NULL, &n)', 'MPI_Type_size is given MPI_DATATYPE_NULL'],
  ['MPI_Type_size((MPI_Datatype)0x8cffffff, &n)', 'MPI_Type_size is given 0x8cffffff, which is no datatype'],
  ['MPI_Send(NULL, 1, MPI_INT, 0, 0, world)', 'MPI_Send is given NULL for the place of its data'],
  ['MPI_Type_free(&basic)', q(MPI_Type_free is given a datatype of MPI's own, which cannot be freed)],
  ['MPI_Type_get_contents(MPI_INT, 1, 1, 1, &n, &place, &raw)',
   'MPI_Type_get_contents: a datatype with a name of its own is made of no others'],
  ['MPI_Type_get_contents(raw, 0, 0, 1, &n, &place, &raw)',
   'MPI_Type_get_contents: room for 0, 0 and 1, and the datatype has 1 integers, 0 addresses and 1 datatypes'],
  ['MPI_Type_create_subarray(1, (int[]){4}, (int[]){3}, (int[]){2}, MPI_ORDER_C, MPI_INT, &raw)',
   'MPI_Type_create_subarray: dimension 0 is of 4, and the part of 3 from 2 on is not in it'],
  ['MPI_Type_create_subarray(1, (int[]){4}, (int[]){3}, (int[]){1}, 9, MPI_INT, &raw)',
   'MPI_Type_create_subarray: the order is MPI_ORDER_C or MPI_ORDER_FORTRAN, not 9'],
  ['MPI_Op_free(&sum)', q(MPI_Op_free is given an operation of MPI's own, which cannot be freed)],
  ['MPI_Allreduce(data, data + 1, 1, MPI_INT, MPI_OP_NULL, world)', 'MPI_Allreduce is given MPI_OP_NULL'],
  ['MPI_Allreduce(data, data + 1, 1, MPI_INT, (MPI_Op)0x98000007, world)',
   'MPI_Allreduce is given 0x98000007, which is no operation'],
  ['MPI_Scan(data, data + 1, 1, MPI_INT, MPI_NO_OP, world)',
   'MPI_Scan is given MPI_NO_OP, which accesses of windows alone have'],
  ['MPI_Allreduce(data, data + 1, 1, MPI_FLOAT, MPI_BAND, world)',
   'MPI_Allreduce: the operation is not defined for the datatype'],
  ['MPI_Allreduce(data, data, 1, MPI_INT, MPI_SUM, world)',
   'MPI_Allreduce: what is given and what is got stand at one place, which is said by MPI_IN_PLACE'],
  ['MPI_Reduce(data, NULL, 1, MPI_INT, MPI_SUM, 0, world)', 'MPI_Reduce is given NULL for the place of what it gets'],
  ['MPI_Comm_free(&world)', 'MPI_Comm_free is given MPI_COMM_WORLD, which cannot be freed'],
  ['MPI_Comm_disconnect(&alone)', 'MPI_Comm_disconnect is given MPI_COMM_SELF, which cannot be freed'],
  ['MPI_Comm_set_errhandler(world, MPI_ERRHANDLER_NULL)', 'MPI_Comm_set_errhandler is given MPI_ERRHANDLER_NULL'],
  ['MPI_Comm_set_errhandler(world, 7)', 'MPI_Comm_set_errhandler is given 0x7, which is no handler of errors'],
  ['MPI_Group_size(MPI_GROUP_NULL, &n)', 'MPI_Group_size is given MPI_GROUP_NULL'],
  ['MPI_Group_size(7, &n)', 'MPI_Group_size is given 0x7, which is no group'],
  ['MPI_Group_incl(one, 1, (int[]){4}, &some)', 'MPI_Group_incl: the group of 1 has no rank 4'],
  ['MPI_Group_excl(one, 2, (int[]){0, 0}, &some)', 'MPI_Group_excl names rank 0 twice'],
  ['MPI_Group_range_incl(one, 1, (int[][3]){{0, 0, 0}}, &some)',
   'MPI_Group_range_incl: no steps of 0 lead from rank 0 to 0'],
  ['MPI_Group_range_excl(one, 1, (int[][3]){{3, 0, 1}}, &some)',
   'MPI_Group_range_excl: no steps of 1 lead from rank 3 to 0'],
  ['MPI_Group_range_incl(one, 1, (int[][3]){{0, 5, 2}}, &some)',
   'MPI_Group_range_incl: the ranks 0 to 4 are not all in the group of 1'],
  ['MPI_Group_range_incl(one, 2, (int[][3]){{0, 0, 1}, {0, 0, 1}}, &some)', 'MPI_Group_range_incl names rank 0 twice'],
  ['MPI_Buffer_attach(data, -8)', 'MPI_Buffer_attach: the count -8 is negative'],
  ['MPI_Bsend(data, 1, MPI_INT, 0, 0, world)', 'MPI_Bsend: the program has attached no buffer by MPI_Buffer_attach'],
  ['MPI_Buffer_attach(data, 8); MPI_Ibsend(data, 1, MPI_INT, 0, 0, world, &request)',
   'MPI_Ibsend: the message of 4 bytes needs 100 with MPI_BSEND_OVERHEAD, and the attached buffer has 8'],
  ['MPI_Message none = MPI_MESSAGE_NULL; MPI_Mrecv(data, 1, MPI_INT, &none, MPI_STATUS_IGNORE)',
   'MPI_Mrecv is given MPI_MESSAGE_NULL'],
  ['MPI_Comm_set_attr(alone, key, NULL); MPI_Comm_delete_attr(alone, key)',
   q(MPI_Comm_delete_attr: the program's function that deletes an attribute returns 21, an error)],
  ['MPI_Comm_set_attr(world, key, NULL); MPI_Comm_dup(world, &alone)',
   q(MPI_Comm_dup: the program's function that copies an attribute returns 22, an error)],
  ['MPI_Type_set_attr(raw, key_of_types, NULL); MPI_Type_free(&raw)',
   q(MPI_Type_free: the program's function that deletes an attribute returns 21, an error)],
  ['MPI_Win_set_attr(window, key_of_windows, NULL); MPI_Win_free(&window)',
   q(MPI_Win_free: the program's function that deletes an attribute returns 21, an error)],
  ['MPI_Comm_set_attr(alone, key, NULL); MPI_Finalize()',
   q(MPI_Finalize: the program's function that deletes an attribute returns 21, an error)],
  ['MPI_Comm_set_attr(world, key_of_types, NULL)',
   'MPI_Comm_set_attr is given a key of attributes of datatypes, not of communicators'],
  ['MPI_Comm_delete_attr(world, MPI_KEYVAL_INVALID)', 'MPI_Comm_delete_attr is given MPI_KEYVAL_INVALID'],
  ['MPI_Comm_set_attr(world, MPI_TAG_UB, NULL)',
   q(MPI_Comm_set_attr is given 0x64400001, which is no key of the program's attributes)],
  ['MPI_Put(data, 1, raw, 0, 0, 2, MPI_INT, window)', 'MPI_Put is given a datatype that is not committed'],
  ['MPI_Get(data, 1, MPI_INT, 0, -1, 1, MPI_INT, window)', 'MPI_Get: the displacement -1 is negative'],
  ['MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, window)', 'MPI_Accumulate is given MPI_OP_NULL'],
  ['MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, window)',
   'MPI_Accumulate is given MPI_NO_OP, and gets nothing'],
  ['MPI_Get_accumulate(data, 1, MPI_INT, data, 1, MPI_INT, 0, 0, 1, MPI_INT, own, window)',
   q(MPI_Get_accumulate is given an operation of the program's, and windows have MPI's own alone)],
  ['MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, MPI_SUM, window)',
   'MPI_Accumulate: the data are of MPI_INT, and those at rank 0 are accessed as MPI_FLOAT'],
  ['MPI_Fetch_and_op(data, data, raw, 0, 0, MPI_SUM, window)',
   q(MPI_Fetch_and_op is given a datatype that is not one of MPI's own)],
  ['MPI_Compare_and_swap(data, data, data, MPI_FLOAT, 0, 0, window)',
   'MPI_Compare_and_swap: integers, logicals and bytes can be compared, not MPI_FLOAT'],
  ['MPI_Win_complete(window)', 'MPI_Win_complete is called without MPI_Win_start before it'],
  ['MPI_Win_wait(window)', 'MPI_Win_wait is called without MPI_Win_post before it'],
  ['MPI_Win_flush(0, window)', 'MPI_Win_flush: rank 0 is not locked'],
  ['MPI_Win_flush_all(window)', 'MPI_Win_flush_all: rank 0 is not locked'],
  ['MPI_Win_unlock(0, window)', 'MPI_Win_unlock: rank 0 is not locked'],
  ['MPI_Win_lock(9, 0, 0, window)', 'MPI_Win_lock: there is no lock of kind 9'],
  ['MPI_Cartdim_get(world, &n)', 'MPI_Cartdim_get: the communicator has no such topology'],
  ['MPI_Neighbor_alltoall(data, 1, MPI_INT, data, 1, MPI_INT, world)', 'MPI_Neighbor_alltoall: the communicator has no topology'],
  ['MPI_Cart_create(world, 1, (int[]){3}, data, 0, &alone)', 'MPI_Cart_create: a topology of 3 ranks in a communicator of 1'],
  ['MPI_Cart_create(world, 1, (int[]){1}, data, 0, &alone); MPI_Cart_coords(alone, 2, 1, data)',
   'MPI_Cart_coords: a grid of 1 ranks has no rank 2'],
  ['MPI_Cart_create(world, 1, (int[]){1}, data, 0, &alone); MPI_Cart_coords(alone, 0, 0, data)',
   'MPI_Cart_coords: room for 0 of 1 dimensions'],
  ['MPI_Graph_create(world, 1, data, data, 0, &alone); MPI_Graph_neighbors_count(alone, 2, &n)',
   'MPI_Graph_neighbors_count: a graph of 1 ranks has no rank 2'],
  ['MPI_Info none = MPI_INFO_NULL; MPI_Info_free(&none)', 'MPI_Info_free is given MPI_INFO_NULL'],
  ['MPI_Info_get_nkeys(7, &n)', 'MPI_Info_get_nkeys is given 0x7, which is no MPI_Info'],
  ['MPI_Info none = MPI_INFO_ENV; MPI_Info_free(&none)', 'MPI_Info_free is given MPI_INFO_ENV, which cannot be freed'],
  ['request = 7; MPI_Wait(&request, MPI_STATUS_IGNORE)', 'MPI_Wait is given 0x7, which is no request'],
  ['MPI_Win_fence(0, MPI_WIN_NULL)', 'MPI_Win_fence is given MPI_WIN_NULL'],
  ['MPI_Win_get_name(7, (char *)data, &n)', 'MPI_Win_get_name is given 0x7, which is no window'],
  ['MPI_Win_create(data, -4, 1, MPI_INFO_NULL, world, &window)', 'MPI_Win_create: the size -4 is negative'],
  ['MPI_Win_create(data, 4, 0, MPI_INFO_NULL, world, &window)',
   'MPI_Win_create: displacements are counted in units of 0 bytes'],
);
my $begin = <<'END';
int refuse(int handle, int key, void *value, void *extra) { return 21; }
int copy(int handle, int key, void *extra, void *value, void *copied, int *set) { return 22; }
void nothing(void *in, void *out, int *length, MPI_Datatype *type) {}
int data[8], n, key, key_of_types, key_of_windows;
MPI_Aint place; MPI_Datatype raw, basic = MPI_INT; MPI_Op own, sum = MPI_SUM; MPI_Request request; MPI_Win window;
MPI_Comm world = MPI_COMM_WORLD, alone = MPI_COMM_SELF; MPI_Group one, some;
MPI_Comm_create_keyval(copy, refuse, &key, NULL); MPI_Type_create_keyval(copy, refuse, &key_of_types, NULL);
MPI_Win_create_keyval(copy, refuse, &key_of_windows, NULL); MPI_Op_create(nothing, 1, &own); MPI_Comm_group(world, &one);
MPI_Type_contiguous(2, MPI_INT, &raw); MPI_Win_create(data, 32, 4, MPI_INFO_NULL, world, &window); MPI_Win_fence(0, window);
END
my @calls = map { "if (atoi(words[1]) == $_) { $said_of[$_ - 1][0]; }\n" } 1 .. @said_of;
if (program('erring', join '', $begin, "#line 1\n", @calls)) {
  for (1 .. @said_of) {
    my $result = command($folder, "psl mpirun -n 1 --error-format short --costs none ./erring $_");
    my ($said) = $result->{err} =~ /error: (?:Program: )?(.*?)(?: \(in [^)]*\))?\n/;
    equal(($said // $result->{err}) . " [exit $result->{exit}]", "erring.c:$_: rank 0: $said_of[$_ - 1][1] [exit 1]",
          "a call that is wrong: $said_of[$_ - 1][0]");
  }
}

program('deadlock', <<'END') or finish();
  if (rank == 0) MPI_Recv(&rank, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Barrier(MPI_COMM_WORLD);
END
my $stopped = command($folder, 'psl mpirun -n 2 --error-format short --costs none ./deadlock');
ok($stopped->{out} =~ /program-rank\[0\] waits for a message from rank 1, tag 4, at deadlock\.c:1 \(/, 'a deadlock says where in the program each rank waits: a receive', $stopped->{out});
ok($stopped->{out} =~ /program-rank\[1\] waits for .*, at deadlock\.c:2 \(/, 'and a collective operation', $stopped->{out});
program('leak', <<'END') or finish();
  MPI_Request request;
  if (rank == 0) MPI_Isend(&ranks, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  else MPI_Recv(&ranks, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
my $leaking = command($folder, 'psl mpirun -n 2 --error-format short --costs none ./leak');
equal($leaking->{err} =~ s/^.*?(?=warning)//sr . "[exit $leaking->{exit}]", "warning: leak.c:2: the request of MPI_Isend is never completed\n[exit 0]",
      'a request that is never completed');

# ---- refused before they start ----

sub refused {
  my ($words, $message, $exit) = @_;
  my $result = command($folder, "psl mpirun $words");
  equal($result->{err} . "[exit $result->{exit}]", "psl: error: $message\n[exit $exit]", "refused: psl mpirun $words");
}
spew("$folder/main.c", "int main(void) { return 0; }\n");
command($folder, 'gcc main.c -static -o static');
command($folder, 'gcc main.c -o alone');
spew("$folder/script", "#!/bin/sh\n");
chmod 0755, "$folder/script";
program('missing', '  MPI_Comm other; if (count > 1) MPI_Comm_spawn("x", NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, NULL);');
refused('-n 2 ./static', "'./static' is linked statically: link it with shared libraries", 1);
refused('-n 2 ./alone', "'./alone' is no program of MPI: it is not linked with MPICH's library", 1);
refused('-n 2 ./script', "'./script' is a script: what runs on the ranks is the program that it starts", 1);
spew("$folder/data", "data\n");
chmod 0755, "$folder/data";
refused('-n 2 ./data', "'./data' is no program for this processor", 1);
refused('-n 2 alone', "there is no program 'alone' in \$PATH; that of this folder is './alone'", 1);
refused('-n 2 ./nothing', "there is no program './nothing'", 1);
refused('-n 2 ./main.c', "'./main.c' is no file that can be executed", 1);
program('later', '  MPI_Session session; if (count > 1) MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);');
refused('-n 2 ./later', 'the program uses MPI_Session_init, which psl mpirun does not have', 1);
if (program('version', '  int major, minor; MPI_Get_version(&major, &minor); printf("%d.%d\n", major, minor);')) {
  equal(command($folder, 'psl mpirun -n 1 --costs none -o report ./version')->{out}, "3.1\n", 'what MPI_Get_version says');
}
refused('-n 2 ./missing', 'the program uses MPI_Comm_spawn, which psl mpirun does not have', 1);
if (have('mpicc.openmpi') && command($folder, 'mpicc.openmpi sleeps.c -o open')->{exit} eq '0') {
  my $why = sub { "'./$_[0]' is compiled for Open MPI, and psl mpirun has the binary interface of MPICH: compile it with psl $_[1], or "
    . 'trace a real run of it, psl trace mpirun ..., which psl replay predicts for other machines' };
  refused('-n 2 ./open', $why->('open', 'mpicc'), 1);
  spew("$folder/open.cpp", "#include <iostream>\n#include <mpi.h>\nint main(int n, char **w) { MPI_Init(&n, &w); std::cout << 1; MPI_Finalize(); }\n");
  refused('-n 2 ./open-c++', $why->('open-c++', 'mpicxx'), 1) if command($folder, 'mpicxx.openmpi open.cpp -o open-c++')->{exit} eq '0';
  refused('-n 2 ./open-f', $why->('open-f', 'mpifort'), 1) if command($folder, 'mpif90.openmpi greeting.f90 -o open-f')->{exit} eq '0';
}
# More than there is memory for: the addresses that ranks share are 1 TiB, and stacks are 8 MiB each.
for (['-n 2', 1 << 21, 'rank 0: the memory that ranks share cannot be had: Cannot allocate memory (in program-rank[0])'],
     ['-n 2000 --ranks inside', (1 << 30) + (6 << 20), 'rank N: memory does not suffice for 2000 ranks (in program-rank[N])']) {
  my ($words, $limit, $message) = @$_;
  next if $sanitized;
  my $result = command($folder, "ulimit -s 8192; ulimit -v $limit; psl mpirun $words -q --error-format short -o report ./sleeps");
  my $said = $result->{err} =~ s/^\S+: error: Program: //r;
  $said =~ s/\d{3,}(?= *[:\]])/N/g;
  equal("$said\[exit $result->{exit}]", "$message\n[exit 1]", "refused: psl mpirun $words");
}
refused('./jacobi', "'mpirun' needs -n, the number of ranks\nhelp: usage: psl mpirun [OPTION...] -n RANKS PROGRAM [ARGUMENT...]", 2);

# ---- bursts ----

# One that the system interrupts, be it the first one, takes what it has computed: as much as one that it does not, and
# nothing of the time for which the processor was another's, 0.2 s.
sub burst {
  my ($name, $pause) = @_;
  program($name, "  volatile double x = 0; for (int k = 0; k < 10000000; k++) x += k; $pause") or return;
  my $run = command($folder, "psl mpirun -n 1 --format json -o report.json ./$name");
  my $report = eval { decode_json(slurp("$folder/report.json")) } || {};
  return ($report->{makespan}{value}, $report);
}
my ($plain) = burst('plain', '');
my ($paused, $report) = burst('paused', 'syscall(SYS_select, 0, NULL, NULL, NULL, &(struct timeval){0, 200000});');
ok($plain && $paused > 0.4 * $plain && $paused < 0.4 * $plain + 0.15, 'a burst that was interrupted', "$paused s, and not $plain s");
my ($count) = grep { $_->{name} eq 'bursts-interrupted' } @{$report->{records} || []};
ok($count && $count->{mean} == 1, 'and the report says so', slurp("$folder/report.json"));

# ---- instructions ----

# A loop of two instructions, two million times on rank 0, a million times on rank 1.
my $counted = 'psl mpirun -n 2 --costs instructions --set "machine=cluster" --format json -o report.json ./counted';
sub loop { return qq{asm volatile("mov $_[0], %%ecx\\n1: dec %%ecx\\njnz 1b" ::: "ecx", "cc");} }
if (!have('qemu-x86_64')) {
  skip('counted instructions', 'qemu-x86_64 is not installed');
} elsif (program('counted', '  if (rank == 1) { ' . loop('$1000000') . ' MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); }
  else { ' . loop('$2000000') . ' MPI_Recv(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }')) {
  command($folder, $counted);
  my $first = slurp("$folder/report.json");
  command($folder, $counted);
  equal(slurp("$folder/report.json"), $first, 'with counted instructions a run gives the same bytes again');
  my $report = eval { decode_json($first) } || {};
  my ($compute) = grep { $_->{activity} eq 'compute' } @{$report->{shares} || []};
  my @instructions = map { 2.5e9 * ($compute->{$_}{value} // 0) } qw(maximum mean); # each a cycle; of rank 0, of both
  ok($instructions[0] >= 4e6 && $instructions[0] < 4.01e6 && $instructions[1] >= 3e6 && $instructions[1] < 3.01e6,
     'loops take their instructions, and calls a few', "@instructions");
  for my $own ('', 'profile frequency = 2 GHz; ') {
    spew("$folder/own.psl", "use program;\ncomponent mine like computer {\n  profile machine = mine; ${own}param L = 2 us; " .
               "param os = 1 us; param G = 1 ns/byte;\n}\n");
    my $assumed = command($folder, 'psl mpirun -n 2 --costs instructions --model own.psl --set machine=mine ./counted')->{out};
    my $said = () = $assumed =~ /^  mine: its frequency is 1 GHz, since it does not say 'profile frequency = …;'$/mg;
    equal($said, $own ? 0 : 1, "a clock that the machine has not been given: '$own'");
  }
  my $missing = command($folder, "PATH=$build $counted");
  equal($missing->{err}, "psl: error: instructions cannot be counted: there is no qemu-x86_64 (Debian: qemu-user)\n", 'without QEMU');
}

# ---- many ranks, which are forked ----

# Each is a process that the C library knows by its number, and rank 0 alone has psl's input.
program('forked', <<'END') or finish();
  int given = getchar(), numbers[64] = {0}, own = raise(0) == 0 && getpid() == syscall(SYS_gettid) ? getpid() : -1, apart = 0;
  static int once;
  given = given == EOF ? 0 : given;
  once += rank;
  MPI_Gather(&own, 1, MPI_INT, numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(rank ? &given : MPI_IN_PLACE, &given, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(rank ? &once : MPI_IN_PLACE, &once, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int a = 0; a < ranks; a++) for (int b = 0; b < a; b++) apart += numbers[a] > 0 && numbers[a] != numbers[b];
  if (rank == 0) printf("%c %d %d\n", given, apart, once);
END
equal(command($folder, 'echo x | psl mpirun -n 40 --costs none -o report ./forked')->{out}, "x 780 780\n", 'ranks that are forked are apart');
wrong('far', 40, 'far.c:2: rank 33: the program ends by signal 6 (Aborted), without MPI_Finalize', <<'END');
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD); if (rank == 33) abort();
  MPI_Barrier(MPI_COMM_WORLD);
END

# ---- nothing is left ----

sub left { return grep { (readlink($_) // '') =~ m{^\Q$folder\E/(jacobi|forever)$} } glob '/proc/[0-9]*/exe' }
program('forever', '  for (;;) { }') or finish();
for my $ranks (2, 40) {
  command($folder, "psl mpirun -n $ranks ./forever & sleep 1; kill -9 \$!; sleep 0.3");
  ok(!left(), "no process is left of a psl with $ranks ranks that is killed", join '', left());
}
finish();
