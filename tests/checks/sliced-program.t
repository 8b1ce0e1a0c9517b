#!/usr/bin/perl
# Sliced programs, by psl compile --slice: they send as many messages of as many bytes between each two ranks as the programs do, under
# MPICH and under psl mpirun, in little memory; their nests of loops are evaluated as a model says; what cannot be sliced is refused.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl_facts.so") {
  skip('sliced-program', 'MPICH, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();
my $fortran = have('mpif90.mpich') && have('gfortran');
compiled("$root/tests/lib/pair_counter.c", 'counter.so', '-shared', '-fPIC') or finish();

sub said { my ($result) = @_; return "$result->{exit}\n$result->{err}" }
sub sliced {
  my ($source, $name, $options) = @_;
  my $made = command($folder, "psl compile --slice $options $source -o $name-slice");
  return ok($made->{exit} eq '0' && $made->{err} eq '', "$name is sliced" . ($options && ", $options"), $made->{err});
}
sub simulated {
  my ($program, $ranks, @options) = @_;
  my $run = command($folder, "psl mpirun -q -n $ranks --costs none -f json -o report " . join ' ', @options, "--", "./$program");
  return $run->{exit} eq '0' ? report(slurp("$folder/report")) : {error => $run->{err}};
}
sub time_of { my ($report) = @_; return sprintf '%.4g', ($report->{makespan} // {})->{value} // -1 }

# ---- messages ----

my $jacobi = slurp("$root/examples/programs/jacobi.c");
my $until = $jacobi;
$until =~ s/k < iterations; k\+\+/k < iterations && change > tolerance; k++/ or die;
$until =~ s/, change = 0;/, change = 1, tolerance = words > 3 ? atof(word[3]) : 0;/ or die;
spew("$folder/until.c", $until);
my $begin = "#include <mpi.h>\n#include <stdlib.h>\n";
my $main = "int main(int words, char **word) {\n  MPI_Init(&words, &word);\n";
my $end = "  MPI_Finalize();\n  return 0;\n}\n";
my $ring = $main . <<'END';
  int rank, ranks, n = atoi(word[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
END
# Persistent requests of data, and of numbers that decide: they are got when the requests are started.
spew("$folder/persistent.c", "${begin}static double in[200000], out[200000];\n$ring" . <<'END' . $end);
  MPI_Request both[2];
  MPI_Recv_init(in, n, MPI_DOUBLE, before, 3, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(out, n, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &both[1]);
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < n; i++)
      out[i] = in[i] * 0.5 + k;
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
END
spew("$folder/persistent_sizes.c", "${begin}static double data[1000];\n$ring" . <<'END' . $end);
  int given, got;
  MPI_Request get, give;
  MPI_Recv_init(&got, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &get);
  MPI_Send_init(&given, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &give);
  got = 7;
  for (int k = 0; k < 5; k++) {
    given = rank * 3 + k + got % 4;
    MPI_Start(&get);
    MPI_Start(&give);
    MPI_Wait(&give, MPI_STATUS_IGNORE);
    MPI_Wait(&get, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, got + n, MPI_DOUBLE, before, 4, data, 1000, MPI_DOUBLE, next, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
END
# A grid of ranks, its columns, and derived types, of which one begins before its place.
spew("$folder/grid.c", "#include <stddef.h>\n${begin}struct cell { int kind; double at[3]; };\n$ring" . <<'END' . $end);
  int dims[2] = {0, 0}, periods[2] = {1, 0}, west, east, south, north, own, all;
  MPI_Comm grid, column;
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &west, &east);
  MPI_Cart_shift(grid, 1, 1, &south, &north);
  MPI_Comm_split(MPI_COMM_WORLD, rank % dims[1], -rank, &column);
  MPI_Comm_rank(column, &own);
  MPI_Comm_size(column, &all);
  int lengths[2] = {1, 3}, sizes[2] = {n + 2, n + 2}, inner[2] = {n, 1 + rank % 3}, starts[2] = {1, 1};
  MPI_Aint places[2] = {-(MPI_Aint)offsetof(struct cell, at), 0};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, cell, part;
  MPI_Type_create_struct(2, lengths, places, types, &cell);
  MPI_Type_commit(&cell);
  MPI_Type_create_subarray(2, sizes, inner, starts, MPI_ORDER_C, MPI_DOUBLE, &part);
  MPI_Type_commit(&part);
  struct cell *cells = calloc(n, sizeof *cells);
  double *field = calloc((n + 2) * (n + 2), sizeof *field);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      cells[i].at[k] += field[i] + rank;
    MPI_Sendrecv(cells[0].at, 1, cell, east, 1, cells[1].at, 1, cell, west, 1, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(field, 1, part, north, 2, field, (n + 2) * n, MPI_DOUBLE, south, 2, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(field, own + 1, MPI_DOUBLE, (own + 1) % all, 3, field, n, MPI_DOUBLE, (own + all - 1) % all, 3, column,
                 MPI_STATUS_IGNORE);
    MPI_Bcast(field, n, MPI_DOUBLE, k % all, column);
  }
END
# The input of one rank, tables of neighbours, and as many data for each as they have told.
spew("$folder/tables.c", "${begin}struct input { int n, steps, sizes[4]; } input;\n$ring" . <<'END' . $end);
  if (rank == 0)
    for (input.n = n, input.steps = 3; n > 0; n--)
      input.sizes[n % 4] += n;
  MPI_Bcast(&input, sizeof input, MPI_BYTE, 0, MPI_COMM_WORLD);
  int *neighbour = malloc(4 * sizeof(int)), count = 0, all = 0, mine = 0;
  for (int k = 1; k < ranks && count < 4; k *= 2)
    neighbour[count++] = rank ^ k;
  double **in = malloc(count * sizeof *in), **out = malloc(count * sizeof *out);
  for (int k = 0; k < count; k++)
    in[k] = calloc(input.n * 8, sizeof(double)), out[k] = calloc(input.n * 8, sizeof(double));
  MPI_Request *requests = malloc(2 * count * sizeof *requests);
  for (int step = 0, many = 0; step < input.steps; step++, many = 0) {
    for (int k = 0; k < count; k++) {
      for (int i = 0; i < input.n; i++)
        out[k][i] += in[k][i];
      MPI_Irecv(in[k], input.n * 8, MPI_DOUBLE, neighbour[k], step, MPI_COMM_WORLD, &requests[many++]);
      MPI_Isend(out[k], input.n + input.sizes[k], MPI_DOUBLE, neighbour[k], step, MPI_COMM_WORLD, &requests[many++]);
    }
    MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
  }
  int *list = malloc(4 * ranks * sizeof *list), *give = list, *get = list + ranks, *from = get + ranks, *to = from + ranks;
  for (int k = 0; k < ranks; k++)
    give[k] = (rank * 5 + k * 3) % input.n, from[k] = all, all += give[k];
  MPI_Alltoall(give, 1, MPI_INT, get, 1, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < ranks; k++)
    to[k] = mine, mine += get[k];
  double *values = calloc(all + 1, sizeof *values), *taken = calloc(mine + 1, sizeof *taken);
  MPI_Alltoallv(values, give, from, MPI_DOUBLE, taken, get, to, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Request all_of_it;
  MPI_Iallreduce(values, taken, mine < 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &all_of_it);
  MPI_Wait(&all_of_it, MPI_STATUS_IGNORE);
END
my @cases = (["$root/examples/programs/jacobi.c", '', '16 5'], ["$root/examples/programs/cg.c", '', '32 4'],
             ["$root/examples/programs/fft.c", '', '32'], ["$root/tests/lib/mpi_control.c", '', '9 5', 8], ["$folder/until.c", '', '16 500 0.01', 4],
             map { ["$folder/$_.c", '', '12'] } qw(persistent persistent_sizes grid tables));
push @cases, ["$root/examples/programs/wavefront.f90", '', '4 8 12 3'] if $fortran;
for my $case (@cases) {
  my ($source, $options, $arguments, @ranks) = @$case;
  my ($name) = $source =~ m{([^/]*)\.\w+$};
  compiled($source, $name) && sliced($source, $name, $options) or next;
  for my $ranks (@ranks ? @ranks : (4, 8, 16)) {
    my @pairs;
    for my $program ($name, "$name-slice") {
      unlink "$folder/count";
      command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./$program $arguments");
      push @pairs, slurp("$folder/count") // 'it has failed';
    }
    equal($pairs[1], $pairs[0], "$name on $ranks ranks: the messages of each pair, under MPICH");
    my ($whole, $slice) = map { simulated("$_ $arguments", $ranks) } $name, "$name-slice";
    equal(join(' ', map { $_ // $slice->{error} // '' } @$slice{qw(messages bytes)}), join(' ', map { $_ // '' } @$whole{qw(messages bytes)}),
          'and all, under psl mpirun');
  }
}

if ($fortran && !$sanitized) {
  my @reports = map { my $run = simulated('wavefront-slice 4 8 12 3', 8, '--ranks', $_); delete $run->{'run information'}; $run } qw(processes inside);
  ok($reports[0]{messages} > 0 && JSON::PP->new->canonical->encode($reports[0]) eq JSON::PP->new->canonical->encode($reports[1]),
     'the slice of a program in Fortran runs inside of psl, too', $reports[1]{error});
  my $run = command($folder, 'psl mpirun -n 8 --ranks inside --costs none ./wavefront 4 8 12 3');
  equal($run->{err}, "psl: error: './wavefront' uses libmpichfort.so.12, which ranks in one process would share: --ranks processes runs it\n",
        'the program itself does not');
}

# C++, with a vector that decides and one that does not; and two files.
if (have('mpicxx.mpich')) {
  spew("$folder/vector.cc", <<'END');
#include <mpi.h>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int n = argc > 1 ? atoi(argv[1]) : 100, rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<double> points(n * n);
  std::vector<int> sizes;
  for (int k = 0; k < 4; k++) sizes.push_back(k + n % 3);
  for (int k = 0; k < 4; k++) {
    for (int i = 1; i + 1 < n * n; i++) points[i] = 0.5 * (points[i - 1] + points[i + 1]);
    MPI_Sendrecv(points.data(), sizes[k], MPI_DOUBLE, (rank + 1) % ranks, 0, points.data() + n, n, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
END
  sliced('vector.cc', 'vector', '');
  my $run = simulated('vector-slice 200', 4);
  equal(join(' ', map { $_ // $run->{error} // '' } @$run{qw(messages bytes)}), '16 448', 'in C++: sizes in a vector');
}
spew("$folder/first.c", "#include <mpi.h>\nvoid work(int n);\nint main(int count, char **words) {\n  MPI_Init(&count, &words);\n  work(count * 1000);\n" .
     "  MPI_Finalize();\n  return 0;\n}\n");
spew("$folder/second.c", "#include <mpi.h>\nstatic double big[100000];\nvoid work(int n) {\n  for (int i = 0; i < n; i++) big[i] += i;\n" .
     "  MPI_Bcast(big, n / 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n}\n");
sliced('first.c second.c', 'first', '');
equal(simulated('first-slice', 2)->{bytes}, 800, 'two files are one program');

# ---- nests ----

command($folder, "psl compile $root/examples/programs/jacobi.c -o jacobi-model.psl");
my $model = command($folder, 'psl run jacobi-model.psl --set ranks=4 --set n=300 --set iterations=7 -f json -q');
my $nests = simulated('jacobi-slice 300 7', 4, '--model jacobi-slice.psl');
equal(time_of($nests), time_of(report($model->{out})), 'it is predicted to take what the model of the program takes');
equal(time_of(simulated('jacobi-slice 300 7', 4)), time_of($nests), 'without a model of its nests, too');
my $longer = simulated('jacobi-slice 300 7', 4, '--model jacobi-slice.psl', '--set step_28-factor=[100]');
ok(time_of($longer) > 5 * time_of($nests), 'a nest has a factor', time_of($longer));
spew("$folder/mine.psl", <<'END');
use jacobi-slice;
component constant-step {
  accepts:
    profile     = { domain = hardware[processor], node type = nest, evaluation mode = table, nest = step_28, rank = N/A };
    transaction = evaluate-nest(work, counts, measured);
    protocol    = call-return;
    servers     = unlimited;
  body:
    hold 1 s;
}
END
my $mine = simulated('jacobi-slice 300 7', 4, '--model mine.psl', '--set step_28-by=table');
ok(time_of($mine) > 7 && time_of($mine) < 7.1, 'one nest is evaluated by a component of the model, by one attribute', time_of($mine));
my $kept = simulated('jacobi-slice 300 7', 4, '--model jacobi-slice.psl', '--set step_28-by=measurement');
ok(($kept->{error} // '') =~ /error: assertion failed in measured-nest at .*: measured > 0 s\n/, 'a nest that is not done is not measured', $kept->{error});
sliced("$root/examples/programs/jacobi.c", 'jacobi', '--keep step_28');
my $run = command($folder, 'psl mpirun -q -n 4 --model jacobi-slice.psl --set step_28-by=measurement --set main_46-factor=[0] --set main_56-factor=[0] ' .
                           '-f json -o report -- ./jacobi-slice 300 7');
my ($computed) = grep { $_->{activity} eq 'compute' } @{report(slurp("$folder/report"))->{shares} // []};
ok($run->{exit} eq '0' && $computed && $computed->{mean}{value} > 1e-5, 'one that is kept is', $run->{err});
# What decides is computed in a nest, whose time it is: of which passes are known, and of which they are not.
spew("$folder/part.c", "${begin}static double data[1000], list[16];\nstatic int sizes[16];\n$main" . <<'END' . $end);
  int n = atoi(word[1]), more = 1;
  for (int i = 0; i < n; i++)
    sizes[i & 15] = (sizes[i & 15] * 5 + i) % 31;
  MPI_Bcast(data, sizes[3], MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    more = (more * 7 + 3) % 1000;
    for (int k = 0; k < more % 3; k++)
      data[i % 1000] += list[k];
  }
  MPI_Bcast(data, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
END
sliced('part.c', 'part', '');
$run = command($folder, 'psl mpirun -q -n 2 --model part-slice.psl --set main_8-factor=[0] --set main_11-factor=[0] ' .
                        '-f json -o report -- ./part-slice 20000000');
my $of_part = report(slurp("$folder/report"));
ok($run->{exit} eq '0' && $of_part->{makespan}{value} < 0.02 && $of_part->{messages} == 2, 'what decides in a nest takes no other time than that',
   "$run->{err}$of_part->{makespan}{value}");
my $first = simulated('until-slice 16 20 0.01', 4, '--record until.trace');
equal(time_of(report(command($folder, 'psl replay -q -f json until.trace')->{out})), time_of($first), 'a trace of the slice takes the same time');

# ---- what is waived ----

sliced("$folder/until.c", 'until', "--assume 'change: ignored'");
ok(simulated('until-slice 16 30 1e9', 4)->{messages} > simulated('until 16 30 1e9', 4)->{messages} * 5, 'a condition is ignored');
sliced("$folder/until.c", 'until', '--iterations 48=12');
equal(simulated('until-slice 16 500 1e9', 4)->{messages}, simulated('jacobi 16 12', 4)->{messages}, 'a loop is passed as often as is said');
# Of arguments and ranks, as PSL has its operators: div and mod round down.
for (['iterations div 3 + ranks', 20], ['max(2, min(iterations, 3 * (ranks + 1)))', 15], ['(2 - iterations) mod 7 + -1 + 10', 10],
  ['n div ranks', 4], ['iterations', 50], ['(2 - iterations) div 7 + 20', 13]) {
  my ($expression, $passes) = @$_;
  sliced("$folder/until.c", 'until', "--iterations '48=$expression'");
  equal(simulated('until-slice 16 50 1e9', 4)->{messages}, simulated("jacobi 16 $passes", 4)->{messages}, "$expression passes");
}

# ---- memory ----

# The most that psl takes, with the ranks in it, MB.
sub most {
  my ($program) = @_;
  my ($peak, $pid) = (0, fork() // die "fork: $!\n");
  if (!$pid) {
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    chdir $folder;
    exec split ' ', "$psl mpirun -q -n 16 --ranks inside --costs none -- $program";
  }
  while (waitpid($pid, 1) == 0) {
    my ($now) = (slurp("/proc/$pid/status") // '') =~ /^VmHWM:\s+(\d+)/m;
    $peak = $now if $now && $now > $peak;
    select undef, undef, undef, 0.002;
  }
  return $peak / 1024;
}
program('nothing', 'for (volatile int k = 0; k < 30000000; k++) ;');
sliced("$root/examples/programs/jacobi.c", 'jacobi', '');
if ($sanitized) {
  skip('memory', 'with sanitizers ranks are processes');
} else {
  my ($nothing, $slice, $whole) = map { most($_) } './nothing', './jacobi-slice 4000 40', './jacobi 4000 3';
  ok($whole - $nothing > 200 && $slice - $nothing < 5, 'it takes no memory for its data', "$nothing, $slice, $whole MB");
}
# Fields of a wavefront, of which a rank has all; the memory of the ranks alone, in kB, at their ends.
compiled("$root/tests/lib/rank_memory.c", 'rank_memory.so', '-shared', '-fPIC') or finish();
sub memory_of_ranks {
  my ($program, $arguments) = @_;
  unlink "$folder/memory";
  command($folder, "LD_PRELOAD=$folder/rank_memory.so RANK_MEMORY=memory RANK_PROGRAM=$program psl mpirun -q -n 4 --costs none -- ./$program $arguments");
  my ($all, @each) = (0, split ' ', slurp("$folder/memory") // '');
  $all += $_ for @each;
  return @each == 4 ? $all : -1;
}
if ($sanitized) {
  skip('memory of fields', 'sanitizers have memory of their own');
} elsif (compiled("$root/tests/lib/fields.c", 'fields') && sliced("$root/tests/lib/fields.c", 'fields', '')) {
  my ($nothing, $slice, $whole) = (memory_of_ranks('nothing', ''), memory_of_ranks('fields-slice', 80), memory_of_ranks('fields', 80));
  my $beyond = $slice > $nothing ? $slice - $nothing : 0;
  ok($nothing > 0 && $slice > 0 && $whole - $nothing > 1000 * $beyond && $whole > 100000, 'a thousandth of the memory beyond what any program has',
     "$nothing, $slice, $whole kB");
}
spew("$folder/arrays.c", <<'END');
#include <mpi.h>
#include <stdlib.h>
double seen_by_all[3000000];
static double own[3000000];
static int sizes[4] = {3, 1, 4, 2};
int main(int words, char **word) {
  MPI_Init(&words, &word);
  int n = words > 1 ? atoi(word[1]) : 1000, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < n; i++)
    own[i] = seen_by_all[i] * 2;
  for (int i = 0; i < 4; i++)
    sizes[i] += n & 1;
  MPI_Bcast(own, sizes[n & 3], MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
END
spew("$folder/common.f90", <<'END');
program common
  use mpi
  implicit none
  double precision :: field(3000000), other(2000000)
  common /shared/ other
  integer :: error, i
  save field
  call MPI_Init(error)
  do i = 1, 2000000
    field(i) = other(i) + i
  end do
  call MPI_Bcast(field, 10, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
END
for my $source ('arrays.c', 'persistent.c', $fortran ? 'common.f90' : ()) {
  my ($name) = $source =~ /(\w+)\./;
  sliced($source, $name, '') or next;
  my ($size) = command($folder, "size $name-slice")->{out} =~ /^\s*\d+\s+\d+\s+(\d+)/m;
  ok(defined $size && $size < 100000, "$source: arrays that nothing decides by are gone", $size);
}
my $bytes = simulated('arrays-slice 3', 2)->{bytes};
equal($bytes, 24, 'what decides is there');

# ---- random programs ----

$ENV{KEEP} = "$folder/random";
my $random = command($folder, 'perl', "$root/tests/fuzz/sliced", $psl, 1, 4);
equal($random->{out} . $random->{err}, "4 programs, 0 findings\n", 'random programs');

# ---- refused ----

equal(said(command($folder, "psl compile --slice $root/examples/programs/jacobi.c")),
      "2\npsl: error: --slice makes a program, which --output names\nhelp: psl compile --slice FILE... -o PROGRAM\n", 'no name');
equal(said(command($folder, "psl compile --slice --why n $root/examples/programs/jacobi.c -o none")),
      "2\npsl: error: --slice makes a program, and goes without --report, --why and --instrument\n", 'a program, or what is known of it');
equal(said(command($folder, "psl compile --keep step_28 $root/examples/programs/jacobi.c -o none.psl")),
      "2\npsl: error: --keep is of a sliced program: --slice makes one\n", 'a model keeps no nest');
equal(said(command($folder, "psl compile --slice --keep step $root/examples/programs/jacobi.c -o none")),
      "1\npsl: error: --keep step: the program has no nest of loops of that name\nhelp: its nests are main_46, main_56, step_28\n", 'no such nest');
for (['n - x', "'x' is no argument of the program"], ['2 * (n + 1', "there is no ')'"], ['n 3', "'3' is not understood"],
  ['n *', 'something is missing'], ['1.5', 'it has a number that is not whole'], ['(' x 200, 'its parentheses are too deep']) {
  my ($expression, $why) = @$_;
  equal(said(command($folder, "psl compile --slice --iterations '17=$expression' $root/examples/programs/fft.c -o none")),
        "1\npsl: error: fft.c:17: a sliced program cannot say how often this loop is passed by '$expression': $why\n" .
        "help: --iterations 'fft.c:17=2 * n': numbers, arguments and ranks, by +, -, *, div, mod, min and max\n",
        'a number of passes that is none: ' . substr($expression, 0, 9));
}
sub refused {
  my ($name, $text, @lines) = @_;
  spew("$folder/$name", $text);
  equal(said(command($folder, "psl compile --slice $name -o none")), join("\n", 1, @lines, ''), "refused: $name");
}
refused('pointer.c', "${begin}static int (*call)(MPI_Comm) = MPI_Barrier;\nvoid set(int n) { if (n > 5) call = 0; }\n${main}  set(words);\n  call(MPI_COMM_WORLD);\n$end",
        'psl: error: pointer.c:8: a function is called through a pointer: whether it calls MPI is not to be seen');
refused('down.c', "${begin}static void down(int n) {\n  if (n == 0) return;\n  MPI_Barrier(MPI_COMM_WORLD);\n  down(n / 2);\n  down(n / 3);\n}\n${main}  down(atoi(word[1]));\n$end",
        "psl: error: down.c:11: 'down' calls itself and MPI: recursion decides what is sent");
refused('missing.c', "${begin}void exchange(int);\n${main}  exchange(3);\n$end",
        "psl: error: missing.c:6: 'exchange' is defined in none of the files: it may call MPI", 'help: all files of the program are to be given');
ok(!-e "$folder/none" && !-e "$folder/none.psl", 'nothing is made of what is refused');

finish();
