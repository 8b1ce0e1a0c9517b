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

my @cases = (["$root/examples/programs/jacobi.c", '', [qw(n iterations)], [16, 5], [40, 3]],
             ["$folder/until.c", "--assume 'change: ignored'", [qw(n iterations)], [16, 5], [32, 4]],
             ["$root/examples/programs/cg.c", '', [qw(n iterations)], [16, 6], [32, 2]],
             ["$root/tests/lib/mpi_control.c", '', [qw(n m)], [9, 5], [12, 2]],
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
  $sanitized or compiled($source, $name) or next; # under sanitizers models run, and the programs do not
  for my $ranks (4, 8, $sanitized ? () : 16) {
    for my $size (@sizes) {
      my @set = map { "$params->[$_]=$size->[$_]" } 0 .. $#$params;
      if ($sanitized) {
        my $run = command($folder, join ' ', "psl run -q $name.psl", map { "--set $_" } "ranks=$ranks", @set);
        ok($run->{exit} eq '0', "$name on $ranks ranks, @$size: it runs", $run->{err});
        next;
      }
      command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./$name @$size");
      equal(pairs("$name.psl", $ranks, @set), slurp("$folder/count"), "$name on $ranks ranks, @$size: the messages of each pair");
    }
  }
}

# ---- what is waived, what is told ----

sub like { my ($got, $wanted, $name) = @_; return ok($got =~ $wanted, $name, $got) }
sub said { my ($result) = @_; return "$result->{exit}\n$result->{err}" }
sub refused {
  my ($name, $text, @lines) = @_;
  spew("$folder/$name", $text);
  equal(said(command($folder, "psl compile $name")), join("\n", 1, @lines, ''), "refused: $name");
}

equal(said(command($folder, 'psl compile until.c')),
      "1\npsl: error: until.c:48: what MPI_Allreduce gives at until.c:53 decides here: a model has no data\n" .
      "help: --assume 'change: ignored' waives it, 'change = EXPRESSION' says what it is; --why change tells the chain\n",
      'a convergence test is refused, by its condition');
like(command($folder, 'psl run until.psl')->{out}, qr/^assumed\n.*^  until-rank: change is ignored: the condition of until\.c:48 ends no loop$/ms,
     'what is waived is among the assumptions of a run');
like(command($folder, 'psl compile --why change until.c')->{out}, qr/^until\.c:48 +main +'change', which is read is part of the condition\n/,
     'the condition is named that a variable is part of');
my %share;
for my $case (["$root/examples/programs/jacobi.c", '', 'jacobi'], ['until.c', '', 'until'], ['until.c', "--assume 'change: ignored'", 'waived']) {
  my ($source, $options, $name) = @$case;
  my $report = decode_json(command($folder, "psl compile --report -f json $options $source")->{out});
  $share{$name} = $report->{essential} / $report->{statements};
  equal("$report->{'loops known'} of $report->{'loops in all'}", $name eq 'until' ? '5 of 6' : '6 of 6', "loops of $name");
  next if $name ne 'until';
  my %essential = map { $_->{function} => $_->{essential} / $_->{statements} } @{$report->{functions}};
  ok($essential{step} == 1 && $essential{exchange} == 1, 'all that is computed decides when the loop ends');
}
ok($share{jacobi} <= 0.4 && $share{waived} <= 0.4 && $share{until} >= 0.7, 'slices are small, but for a convergence test',
   join ' ', %share);
equal(command($folder, "psl compile --assume 'nothing: ignored' until.c")->{err},
      "psl: error: --assume 'nothing: ignored': no condition that ends a loop has a variable 'nothing'\n" .
      "help: what may be ignored is a variable by which a loop ends\n", 'a variable that nothing ends by');
equal(command($folder, 'psl compile --iterations 3=7 until.c')->{err},
      "psl: error: --iterations takes LINE=EXPRESSION or FILE:LINE=EXPRESSION of a loop, not '3=7'\n" .
      "help: --iterations jacobi.c:48=100; --report lists the loops\n", 'a line without a loop');
my $loop = command($folder, 'psl compile --iterations 48=12 until.c -o given.psl && psl run given.psl --set ranks=4 -f json');
my $whole = command($folder, 'psl run until.psl --set ranks=4 --set iterations=12 -f json');
equal(report($loop->{out})->{messages}, report($whole->{out})->{messages}, 'a loop is passed as often as --iterations says');

# ---- refused ----

my $begin = "#include <mpi.h>\n#include <stdlib.h>\n";
my $main = "int main(int words, char **word) {\n  MPI_Init(&words, &word);\n";
my $end = "  MPI_Finalize();\n  return 0;\n}\n";
refused('goto.c', "$begin${main}  int k = 0, n = atoi(word[1]);\n  if (n > 7) goto inside;\n  for (k = 0; k < n; k++) {\n" .
        "    MPI_Barrier(MPI_COMM_WORLD);\ninside:\n    MPI_Send(&k, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);\n  }\n$end",
        'psl: error: goto.c:8: a goto leads into a loop: what is entered in two ways has no iterations to count');
refused('pointer.c', "${begin}static int (*call)(MPI_Comm) = MPI_Barrier;\nvoid set(int n) { if (n > 5) call = 0; }\n${main}  set(words);\n  call(MPI_COMM_WORLD);\n$end",
        'psl: error: pointer.c:8: a function is called through a pointer: whether it calls MPI is not to be seen');
refused('recursion.c', "${begin}static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n${main}  int times = fib(atoi(word[1]));\n" .
        "  for (int k = 0; k < times; k++) MPI_Barrier(MPI_COMM_WORLD);\n$end",
        "psl: error: recursion.c:6: what 'fib' returns, which calls itself, decides about messages or the length of loops, which a model cannot say");
refused('down.c', "${begin}static void down(int n) {\n  if (n == 0) return;\n  MPI_Barrier(MPI_COMM_WORLD);\n  down(n / 2);\n  down(n / 3);\n}\n${main}  down(atoi(word[1]));\n$end",
        "psl: error: down.c:11: 'down' calls itself and MPI: recursion decides what is sent");
refused('missing.c', "${begin}void exchange(int);\n${main}  exchange(3);\n$end",
        "psl: error: missing.c:6: 'exchange' is defined in none of the files: it may call MPI", 'help: all files of the program are to be given');
spew("$folder/other.c", "#include <mpi.h>\nvoid exchange(int times) {\n  for (int k = 0; k < times; k++) MPI_Barrier(MPI_COMM_WORLD);\n}\n");
like(command($folder, 'psl compile missing.c other.c')->{out}, qr{^    for k in 0 \.\. 2 \{ +// other\.c:3\n      call barrier\(\); +// other\.c:3 exchange$}m,
     'two files are one program');
spew("$folder/other.cc", "void exchange(int) {}\n");
equal(said(command($folder, 'psl compile missing.c other.cc')), "2\npsl: error: 'missing.c' is in C, 'other.cc' in C++: a program is taken in one language\n" .
      "help: one of the languages may be compiled, where it has all calls of MPI and main\n", 'refused: two languages');
equal(said(command($folder, 'psl compile other.c')), "1\npsl: error: the program has no function main: what it begins with is to be among the files\n",
      'refused: no main');
equal(said(command($folder, "psl compile $root/examples/programs/master-worker.c")),
      "1\npsl: error: master-worker.c:37: what MPI_Recv gives at master-worker.c:35 decides here: a model has no data\n" .
      "help: --iterations master-worker.c:13=EXPRESSION says how often it is passed\n", 'how long a task is depends on data');
like(command($folder, "psl compile $root/examples/programs/sample-sort.c")->{err},
     qr/^psl: error: sample-sort\.c:36: what MPI_Allgather gives at sample-sort\.c:31 decides here: a model has no data\n/, 'counts that depend on data');
my $workers = command($folder, "psl compile --iterations 13=1000 $root/examples/programs/master-worker.c -o workers.psl && psl run workers.psl -f json");
equal($workers->{exit} eq '0' ? report($workers->{out})->{messages} : $workers->{err}, 203, 'a master and workers: statuses say who is served');

# ---- options of the compiler ----

for my $case (['-O2 given.c', '-O2', 'mpicc.mpich -O2'], ['--instrument -O3 -DN=5 -I include given.f90 -o given', '-O3', 'mpif90.mpich -O3 -DN=5 -I include'],
              ["given.cc --cc 'mpicxx.mpich -g' -fopenmp", '-fopenmp', 'mpicxx.mpich -g -fopenmp'], ['-I. given.c', '-I.', 'mpicc.mpich -I.']) {
  my ($words, $first, $meant) = @$case;
  equal(said(command($folder, "psl compile $words")), "2\npsl: error: no option is named '$first'\n" .
        "help: options of the compiler are given with it: --cc '$meant'\n", "an option of the compiler: psl compile $words");
}

# ---- memory and values that change ----

# What is sent is what a variable was when it was read, whatever is stored in it later.
spew("$folder/values.c", <<'END');
#include <mpi.h>
static int rank, ranks, filled, neighbours[4], sizes[3] = {4, 5, 6}, left = 10, pass;
struct entry { int to, length; };
static int taken(void) { return left--; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void send(int count, int tag) {
  static double data[100];
  MPI_Send(data, count, MPI_INT, (rank + 1) % ranks, tag, MPI_COMM_WORLD);
  MPI_Recv(data, 100, MPI_INT, (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv) {
  struct entry entries[3];
  int a = 12, c = 18, few[3] = {4, 5, 6}, x = 1, y = 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 3; i++)
    send(sizes[i], 1);
  for (int i = 0; i < 3; i++)
    entries[i].length = i + 1;
  send(entries[0].length, 2);
  send(entries[2].length, 2);
  while (c != 0) {
    int t = a % c;
    a = c;
    c = t;
    send(a, 3);
  }
  neighbours[filled++] = 7;
  if (ranks > 2) neighbours[filled++] = 9;
  for (int i = 0; i < filled; i++)
    send(neighbours[i], 4);
  for (int i = 0; i < 3; i++)
    send(taken(), 5);
  swap(&x, &y);
  swap(&few[0], &few[2]);
  send(x + few[0], 6);
  swap(&few[ranks % 3], &x);
  send(x + few[1], 6);
  for (pass = 0; pass < 9;) {
    pass = pass + 2;
    send(pass, 7);
  }
  MPI_Finalize();
  return 0;
}
END
compiled("$folder/values.c", 'values') or finish();
my $values = command($folder, 'psl compile values.c -o values.psl');
ok($values->{exit} eq '0', 'a program of values that change has a model', $values->{err});
for my $ranks (4, 5) {
  command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./values");
  equal(pairs('values.psl', $ranks), slurp("$folder/count"), "which sends what was read, on $ranks ranks");
}
refused('rows.c', "${begin}static struct { int a[3], b; } rows[3];\nstatic int data[99];\n${main}  for (int k = 0; k < 3; k++) rows[k].a[k] = k;\n" .
        "  for (int k = 0; k < 3; k++) MPI_Bcast(data, rows[k].a[2 - k], MPI_INT, 0, MPI_COMM_WORLD);\n$end",
        map { "psl: error: rows.c:$_: what decides about messages is in memory that is reached in several ways, which a model cannot say" } 7, 8);

# ---- arguments, bounds and variables ----

spew("$folder/given.c", <<'END');
#include <mpi.h>
#include <stdlib.h>
static double a[1000000], b[1000000];
static int depth;
static void smooth(int n) {
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
  for (int i = 1; i < n - 1; i++)
    a[i] = b[i];
}
int main(int argc, char **argv) {
  int n, last = 12, scale;
  MPI_Init(&argc, &argv);
  n = argc > 1 ? atoi(argv[1]) : 1000;
  long width = argc > 2 ? atol(argv[2]) : 10;
  const int steps = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 7;
  double part = argc > 4 ? atof(argv[4]) : 0.5;
  depth = argc < 6 ? 3 : atoi(argv[5]);
  if (argc > 6) last = atoi(argv[6]);
  scale = argc > 7 ? 2 * atoi(argv[7]) : 6;
  for (int k = 0; k < steps; k++) {
    smooth(n);
    MPI_Bcast(a, width, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  for (int k = 0; k < depth; k++)
    MPI_Bcast(a, n - 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (part > 0.25) MPI_Bcast(a, last * scale, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
END
my $given = command($folder, 'psl compile given.c')->{out};
ok($given =~ m{^/// Assumed: the program is given all arguments that it asks for$}m, 'that all arguments are given is said');
my @params = map { s/ in 0 .*|;.*//r } grep { /: argument / } split /\n/, $given;
equal(join("\n", @params), join("\n", map { "param $_" } 'n : int = 1000', 'width : int = 10', 'steps : int = 7', 'part : real = 0.5',
                                 'depth : int = 3', 'last : int = 12', 'argument7 : int = 1'),
      'arguments are called as the variables that they are chosen for, and have their defaults');
my @work = map { /(?:call smooth_\d+\(|let work\w* = )(.*) \* operations/ ? $1 : () } split /\n/, $given;
equal("@work", 'max(0, n - 2) max(0, n - 2)', 'two loops of one bound are two requests');
ok($given !~ /\bwhile\b|\bvar\b/ && $given =~ /bcast\(\(n - 1\) \* 8 byte/, 'and no loop counts in the model', $given);

# ---- nests and the branches in them ----

spew("$folder/nests.c", <<'END');
#include <mpi.h>
#include <stdlib.h>
static int n, a[100000], hits;
static void add(int from) {
  for (int i = from; i < n; i++) {
    if (a[i] > 7) {
      hits += a[i] * 3;
      a[i] = hits / 5;
    } else {
      a[i] = i;
    }
  }
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  n = atoi(argv[1]);
  add(0);
  MPI_Barrier(MPI_COMM_WORLD);
  add(1);
  MPI_Finalize();
  return 0;
}
END
my $nests = command($folder, 'psl compile nests.c -o nests.psl && cat nests.psl')->{out};
equal(join("\n", map { s/ +/ /gr } $nests =~ /^param (add\S* .*)$/mg), join("\n", 'add_5-factor : [real] = [1.0]; /// nests.c:5', 'add_5-work : [time] = [0 s];',
      'add_7-chance : real = 1.0 in 0 .. 1; /// nests.c:7', 'add_10-chance : real = 1.0 in 0 .. 1; /// nests.c:10'),
      'a nest has a factor, called by its function and line, and each branch in it a chance');
equal(join(' ', $nests =~ /call (\w+)\((?:max|n)/g), 'add_5 add_5', 'one, wherever the function is called');
sub computed {
  my ($set) = @_;
  my $ran = report(command($folder, "psl run nests.psl --set n=100000 --set ranks=1 --set float-time=0s --set load-time=0s " .
                                    "--set store-time=0s --set 'integer-time=1 ns' $set -f json")->{out});
  my ($row) = grep { $_->{activity} eq 'compute' } @{$ran->{shares}};
  return sprintf '%.0f', $row->{mean}{value} * 1e9;
}
my ($all, $taken, $other, $neither) = map { computed($_) } '', '--set add_10-chance=0', '--set add_7-chance=0', '--set add_7-chance=0 --set add_10-chance=0';
ok($all == $taken + $other - $neither && $taken > $neither && computed('--set add_7-chance=0.25 --set add_10-chance=0') ==
   sprintf('%.0f', $neither + ($taken - $neither) / 4), 'what a branch leads to counts by its chance', "$all $taken $other $neither");
equal(computed(q(--set 'add_5-factor=[3.0]')), 3 * $all, 'and the factor multiplies all');

my $many = join '', map { "    if (a[i] > $_)\n      a[i] -= hits / ($_ + i);\n" } 1 .. 40;
spew("$folder/many.c", "#include <mpi.h>\n#include <stdlib.h>\nstatic int a[100000], hits;\nint main(int argc, char **argv) {\n" .
                       "  MPI_Init(&argc, &argv);\n  int n = atoi(argv[1]);\n  for (int i = 0; i < n; i++) {\n$many  }\n" .
                       "  MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n  return 0;\n}\n");
my $model = command($folder, 'psl compile many.c')->{out};
my %terms = $model =~ /(main_\d+-chance\w*)\s*\*\s*operations\((\d+, 0, \d+, \d+)\)/g;
equal(scalar(keys %terms), 40, 'each of 40 branches has its own chance');
my %alike = reverse %terms;
ok(keys %alike <= 2, 'and its own operations', join ' ', keys %alike);

# ---- why ----

spew("$folder/why.c", <<'END');
#include <mpi.h>
#include <stdlib.h>
static double a[1000000];
static int unused = 3;
static void work(int count) {
  for (int i = 0; i < count; i++)
    a[i] = i;
}
int main(int argc, char **argv) {
  int size, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int width = argc > 2 ? atoi(argv[2]) : 10;
  int m = n;
  double sum = 0;
  work(m);
  for (int i = 0; i < n; i++)
    sum += a[i];
  MPI_Bcast(a, width, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
END
sub why { my ($name) = @_; my $told = command($folder, "psl compile --why $name why.c"); return $told->{out} . $told->{err} }
my $bounds = sprintf "%-24s %-16s %s\n", 'why.c:14', 'main', q('n' bounds the loop at why.c:19, which computes);
equal(why('n'), $bounds, 'a variable that is chosen by ?: bounds a loop, at its line');
equal(why('width'), join('', map { sprintf "%-24s %-16s %s\n", @$_ } ['why.c:15', 'main', q('width' is given to MPI_Bcast)],
                         ['why.c:21', 'main', 'MPI_Bcast calls MPI']), 'and sizes a message');
equal(why($_), sprintf("%-24s %-16s '%s' is 'n'\n", '', '', $_) . $bounds, "'$_' is another's name") for 'm', 'count';
equal(why('sum'), "psl: error: 'sum' is no part of the model: nothing that is sent, and no loop, depends on it\n",
      'what is sent alone decides nothing');
equal(why('unused'), "psl: error: of 'unused' nothing is left where the model is made: it is not used, constant, or put into what uses it\n" .
      "help: --why of what it is set to, or of what is made of it, tells more\n", 'what the compiler drops is not judged');
equal(why('wdith'), "psl: error: the program has no variable 'wdith'\nhelp: did you mean 'width'?\n", 'what is no variable is said to be none');

# ---- fields ----

spew("$folder/fields.c", <<'END');
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n, steps, every; double alpha; } config_t;
static double a[100000], b[100000];
static void get(int argc, char **argv, config_t *c) {
  c->n = 256; c->steps = 50; c->every = 10; c->alpha = 0.2;
  if (argc == 2) { FILE *file = fopen(argv[1], "r"); if (!file || fscanf(file, "%d %d", &c->n, &c->steps) != 2) exit(1); }
  if (argc > 2) { c->n = atoi(argv[1]); c->steps = atoi(argv[2]); }
}
int main(int argc, char **argv) {
  config_t c;
  int rank;
  double left = 1, own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) get(argc, argv, &c);
  MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int s = 1; s <= c.steps; s++) {
    own = c.alpha * s;
    MPI_Allgather(a, c.n, MPI_DOUBLE, b, c.n, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &left, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (left < 1e-9) break;
  }
  MPI_Finalize();
  return 0;
}
END
(my $split = slurp("$folder/fields.c")) =~ s/if \(rank == 0\) |^  MPI_Bcast.*\n//mg;
spew("$folder/split.c", $split);
for my $name ('fields', 'split') {
  my $fields = command($folder, "psl compile --assume 'left: ignored' $name.c")->{out};
  ok($fields =~ /^param n : int = 256 /m && $fields =~ /^param steps : int = 50 /m,
     "$name: arguments put into fields are called by these, and begin as these", $fields);
}
like(command($folder, "psl compile --why $_ fields.c")->{out}, qr/^fields\.c:19 +main +'c\.steps', which is read is part of the condition\n/,
     "$_: what reads it is told") for 'steps', 'c.steps';
like(command($folder, 'psl compile --why n fields.c')->{out}, qr/^fields\.c:21 +main +'c\.n', which is read is given to MPI_Allgather\n/, 'n: so is a size');
like(command($folder, 'psl compile --why left fields.c')->{out}, qr/^fields\.c:23 +main +'left', which is read is part of the condition\n/,
     'left: the chain begins where the error is');
like(command($folder, 'psl compile --why c.m fields.c')->{err}, qr/^psl: error: the program has no variable 'c\.m'/, 'a field that there is none of');
# Loops whose length is not known in advance are gone through where they communicate, and refused where they compute.
spew("$folder/lengths.c", <<'END');
#include <mpi.h>
#include <stdlib.h>
int main(int words, char **word) {
  int n = atoi(word[1]), found = 0;
  double s = 0;
  MPI_Init(&words, &word);
  for (int i = 0; i < n; i++) {
    MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (i * i > n)
      break;
  }
  for (int k = n; k > 1; k /= 3)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int k = n; k > 1; k /= 3)
    s += k;
  while (!found)
    MPI_Iprobe(0, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return s > 0;
}
END
equal(command($folder, 'psl compile --report lengths.c')->{out} =~ s/ +/ /gr =~ s/^(?! lengths\.c:\d+ main not).*\n//mgr, <<'END', 'why the length of a loop is not known');
 lengths.c:7 main not known, sends: it may end at lengths.c:9: the model goes through it pass by pass
 lengths.c:12 main not known, sends: what it is tested by is not counted in equal steps: the model goes through it pass by pass
 lengths.c:14 main not known: what it is tested by is not counted in equal steps
 lengths.c:16 main not known, sends: what MPI_Iprobe gives at lengths.c:17 decides at lengths.c:16
END
equal(said(command($folder, 'psl compile lengths.c')), <<'END', 'a refused call is not blamed for what it gives, too');
1
psl: error: lengths.c:17: MPI_Iprobe has no counterpart among the requests of a model
END

like(command($folder, 'psl compile --report fields.c')->{out},
     qr/^  fields\.c:19 +main +not known, sends: what MPI_Allreduce gives at fields\.c:22 decides at fields\.c:23$/m, 'a loop that is not known, and why');

# ---- C++ ----

spew("$folder/ring.cc", <<'END');
#include <cstdlib>
#include <mpi.h>
#include <vector>
class Ring {
  int rank, ranks;

public:
  Ring() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int next() const { return (rank + 1) % ranks; }
  int before() const { return (rank + ranks - 1) % ranks; }
  bool even() const { return rank % 2 == 0; }
};
template <typename Number> void shift(std::vector<Number> &data, const Ring &ring, int count) {
  if (ring.even()) MPI_Send(data.data(), count, MPI_DOUBLE, ring.next(), 3, MPI_COMM_WORLD);
  MPI_Recv(data.data(), count, MPI_DOUBLE, ring.before(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!ring.even()) MPI_Send(data.data(), count, MPI_DOUBLE, ring.next(), 3, MPI_COMM_WORLD);
}
int main(int words, char **word) {
  int n = 100, steps = 10;
  MPI_Init(&words, &word);
  if (words > 1) n = std::atoi(word[1]);
  if (words > 2) steps = std::atoi(word[2]);
  Ring ring;
  std::vector<double> data(n);
  for (int k = 0; k < steps; k++) {
    for (double &x : data)
      x = x * 2 + 1;
    shift(data, ring, n);
  }
  MPI_Finalize();
  return 0;
}
END
if (have('mpicxx.mpich')) {
  my $unknown = command($folder, 'psl compile ring.cc -o ring.psl');
  equal($unknown->{err}, "psl: error: ring.cc:29: how often this loop is passed depends on what it computes\n" .
        "help: --iterations ring.cc:29=EXPRESSION says it\n", 'the end of a vector is in memory');
  equal(command($folder, 'psl compile --iterations ring.cc:29=m ring.cc -o ring.psl')->{err} =~ s/\n.*//sr, "--iterations ring.cc:29:1:1: error: unknown name 'm'",
        'what is said of a loop is checked');
  my $made = command($folder, 'psl compile --iterations ring.cc:29=n ring.cc -o ring.psl');
  ok($made->{exit} eq '0', 'a program in C++ has a model', $made->{err});
  command($folder, qw(mpicxx.mpich -O1 -w ring.cc -o ring));
  command($folder, "PAIR_COUNT=count mpirun.mpich -n 6 -genv LD_PRELOAD $folder/counter.so ./ring 20 3");
  equal(pairs('ring.psl', 6, 'n=20', 'steps=3'), slurp("$folder/count"), 'which sends what it sends');
}
finish();
