#!/usr/bin/perl
# Programs with timers, by psl compile --instrument, and what psl calibrate makes of their runs: they compute what they
# computed before, entries and chances are those of the loops, and the model takes about as long as the program did.
# Plain build alone: the runs of programs take long; unit/calibration fits.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl_facts.so") {
  skip('calibrate', 'MPICH, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();
sub like { my ($got, $wanted, $name) = @_; return ok($got =~ $wanted, $name, $got) }
sub unlike { my ($got, $wanted, $name) = @_; return ok($got !~ $wanted, $name, $got) }

# Both, of the same options; a refusal is a failure.
sub made {
  my ($source, $name, $options) = @_;
  my $model = command($folder, "psl compile $options $source -o $name.psl");
  my $program = command($folder, "psl compile --instrument $options $source -o $name");
  return ok($model->{exit} eq '0' && $program->{exit} eq '0', "$name has a model and a program with timers",
            $model->{err} . $program->{err});
}

# By nest or branch, what the ranks have written together.
sub timed {
  my ($ranks, $program) = @_;
  command($folder, 'rm -rf seen && mkdir seen');
  my $ran = command($folder, "PSL_NESTS=seen mpirun.mpich -n $ranks $program");
  my %seen;
  for my $file (glob "$folder/seen/*") {
    for (split /\n/, slurp($file)) {
      next unless /^(?:nest|branch) (\S+) (\S+) (\S+)/;
      $seen{$1}[0] += $2;
      $seen{$1}[1] += $3;
    }
  }
  return ($ran->{out}, %seen);
}

# ---- a program of known loops ----

spew("$folder/known.c", <<'END');
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int n, rows, a[4000000], hits;
static void fill(int from) {
  for (int i = from; i < n; i++)
    a[i] = i % 1000;
}
static int count(int *values) {
  int found = 0;
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < n; i++) {
      if (values[i] % 4 == 0) {
        found += values[i] * k;
        if (values[i] % 8 == 0) found ^= i;
      } else {
        values[i] += 4;
      }
    }
  return found;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  n = argc > 1 ? atoi(argv[1]) : 1000;
  rows = argc > 2 ? atoi(argv[2]) : 4;
  fill(0);
  for (int k = 0; k < 3; k++) {
    MPI_Barrier(MPI_COMM_WORLD);
    fill(k);
    hits += count(a);
  }
  printf("%d\n", hits);
  MPI_Finalize();
  return 0;
}
END
made('known.c', 'known', '') or finish();
compiled("$folder/known.c", 'plain') or finish();
my $plain = command($folder, 'mpirun.mpich -n 2 ./plain 8000 5')->{out};
equal(command($folder, 'mpirun.mpich -n 2 ./known 8000 5')->{out}, $plain, 'it computes what it computes without timers');
my ($out, %seen) = timed(2, './known 8000 5');
equal($out, $plain, 'and where its times are taken');
equal(join(' ', map { "$_ $seen{$_}[0]" } grep { !/chance/ } sort keys %seen), 'count_11 6 fill_6 8',
      'each nest is entered as often as its loop is come to');
ok(!(grep { !/chance/ && $seen{$_}[1] <= 0 } keys %seen), 'and takes time');
($out, my %counted) = timed(2, './known.branches 8000 5');
equal($out, $plain, 'and where its branches are counted');
# 800 pages of 4 KiB a rank, and one more where they do not begin at a page; fewer where the system has larger ones.
timed(2, './known 819200 1');
my %pages = map { slurp($_) =~ /^rank (\d+)\n.*^nest fill_6 4 \S+ 2 \S+ (\d+)\n/ms ? ($1 => $2) : () } glob "$folder/seen/*";
ok(keys %pages == 2 && !grep({ $_ < 1 || $_ > 802 } values %pages), 'pages that a nest touches first are counted',
   join(' ', %pages));
# With room taken in the caches not every entry is timed, and all are counted.
command($folder, 'rm -rf taken && mkdir taken && head -c 3000000 /dev/zero > taken/taken');
command($folder, 'PSL_NESTS=taken mpirun.mpich -n 2 ./known 8000 5');
equal(join(' ', sort map { slurp($_) =~ /^nest count_11 (\d+) (\S+)/m ? "$1 " . ($2 > 0) : () } glob "$folder/taken/[0-9]*"),
      '3 1 3 1', 'where room is taken in the caches, too');
my $passes = 2 * 3 * 5 * 8000;
equal(join(' ', map { "$counted{$_}[0]/$counted{$_}[1]" } grep { /chance/ } sort keys %counted),
      join(' ', map { $passes * $_ . "/$passes" } 0.25, 0.125, 0.75), 'branches are counted, and passes of their loop');
my $fit = command($folder, "psl calibrate -n 2 --arguments '20000 20' --arguments '40000 20' --check '80000 20' known.psl ./known -o known.params");
ok($fit->{exit} eq '0', 'its model is calibrated', $fit->{err});
my $params = slurp("$folder/known.params");
like($params, qr/^count_11-factor = \[0\.\d+.*# known\.c:11 +0\.\d+ \.\. 0\.\d+.* \d+\.\d %$/m, 'a factor, its line, interval and share of the time');
like($params, qr/^measured n = 20000 \.\. 40000\nmeasured rows = 20 \.\. 20$/m, 'and where params were by which the work of an entry goes');
like(command($folder, 'psl run known.psl --params known.params --set ranks=2 --set n=80000 --set rows=20')->{err},
     qr/'n' is 80000, and what known\.params:\d+ stands for was measured from 20000 to 40000/, 'which a run says that leaves them');
like($params, qr/^count_14-chance = 0\.25 +# known\.c:14 /m, 'the chance of a branch');
unlike($params, qr/ is entered /, 'the model enters nests as often as the program does');
my $run = report(command($folder, "psl run known.psl --params known.params --set ranks=2 --set n=80000 --set rows=20 -f json")->{out});
my $said = qr/what an operation takes, integer-time and the like, is not measured/;
my $bare = command($folder, 'psl run known.psl --set ranks=2 --set n=80000 --set rows=20')->{out};
like($bare, $said, 'that times are not measured is said of a model that is not calibrated');
unlike(encode_json($run->{assumptions} // $run), $said, 'and no more of one that is');
my ($computed) = map { $_->{mean}{value} } grep { $_->{activity} eq 'compute' } @{$run->{shares}};
($out, %seen) = timed(2, './known 80000 20');
my $took = ($seen{count_11}[1] + $seen{fill_6}[1]) / 2;
ok($computed > $took / 2 && $computed < 2 * $took, 'and takes about as long in a run of the model', "$computed $took");
like(command($folder, "psl calibrate --mpirun 'mpirun.mpich -n 2' -n 2 --repetitions 1 --arguments '2000 2' --arguments '4000 2' known.psl ./known")->{out},
     qr/^count_11-factor/m, 'under the launcher of an MPI, too');

# ---- a program that reads its size from a file, or from standard input ----

spew("$folder/reads.c", <<'END');
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int a[4000000];
int main(int argc, char **argv) {
  int n, sum = 0, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (argc > 1) freopen(argv[1], "r", stdin);
    if (scanf("%d", &n) != 1) MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int k = 0; k < 10; k++) {
    for (int i = 0; i < n; i++)
      sum += a[i] += i ^ k;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
END
spew("$folder/small.in", "20000\n");
spew("$folder/large.in", "80000\n");
if (made('reads.c', 'reads', '')) {
  my $alike = command($folder, 'psl calibrate -n 2 --arguments small.in --arguments large.in reads.psl ./reads');
  like($alike->{err}, qr/cannot tell the runs 'small\.in' and 'large\.in' apart.*\n.*--with '.*n=\.\.\./, 'runs that are one to the model are refused');
  my ($small, $large) = ('--with n=20000', '--with n=80000');
  for my $runs ("--arguments small.in $small --arguments large.in $large --check large.in $large",
                "--arguments '' --input small.in $small --arguments '' --input large.in $large --check '' --input large.in $large") {
    my $read = command($folder, "psl calibrate -n 2 --repetitions 3 $runs reads.psl ./reads");
    like($read->{out} . $read->{err}, qr/^# +all .* [-+][0-4]?\d\.\d %/m, 'what it reads --with says, and a run of the fit is what the model predicts');
    unlike($read->{out}, qr/is entered/, 'it is entered as often');
  }
}

# ---- a nest inside of another one ----

spew("$folder/inner.c", <<'END');
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int n, a[100000];
static void add(int by) {
  for (int i = 0; i < n; i++)
    a[i] += by;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  n = atoi(argv[1]);
  for (int k = 0; k < 10; k++)
    add(k);
  MPI_Barrier(MPI_COMM_WORLD);
  add(3);
  printf("%d\n", a[7]);
  MPI_Finalize();
  return 0;
}
END
if (made('inner.c', 'inner', '')) {
  ($out, %seen) = timed(1, './inner 1000');
  equal("$out$seen{main_12}[0] $seen{add_6}[0]", "48\n1 1", 'a function is a part of the nest that it is called in');
}

# ---- languages ----

my $wave = "$root/examples/programs/wavefront.f90";
if (have('mpif90.mpich') && have('gfortran') && made($wave, 'wavefront', '')) {
  compiled($wave, 'plain-wave') or finish();
  ($out, %seen) = timed(4, './wavefront 8 8 32 8');
  equal($out, command($folder, 'mpirun.mpich -n 4 ./plain-wave 8 8 32 8')->{out}, 'a program in Fortran computes the same');
  ok($seen{compute_87}[0] == 128 && $seen{compute_87}[1] > 0, 'and has times');
}
if (have('mpicxx.mpich')) {
  my $text = slurp("$folder/known.c");
  spew("$folder/known.cc", $text =~ s/static int count\(int \*values\)/template <typename T> static T count(T *values)/r);
  if (made('known.cc', 'knowncc', '')) {
    ($out, %seen) = timed(2, './knowncc 8000 5');
    equal($out, $plain, 'a program in C++ computes the same');
    equal($seen{count_11}[0], 6, 'and has times');
  }
}
for my $cc ('mpicc.mpich -O3 -march=native', 'mpicc.mpich -Ofast', 'mpicc.mpich -O0') {
  made('known.c', 'other', "--cc '$cc'");
  ($out, %seen) = timed(2, './other 8000 5');
  equal("$out$seen{count_11}[0]", "${plain}6", "by $cc");
}

# ---- refused ----

sub refused { my ($name, $command, $code, $text) = @_; my $got = command($folder, $command); equal("$got->{exit}\n$got->{err}", "$code\n$text\n", $name) }
refused('a program with timers has a name', 'psl compile --instrument known.c', 2,
        "psl: error: --instrument makes a program, which --output names\nhelp: psl compile --instrument FILE... -o PROGRAM");
refused('and no report', 'psl compile --instrument --report known.c -o known', 2,
        'psl: error: --instrument makes a program, and goes without --report and --why');
refused('a program without timers', "psl calibrate -n 2 --arguments '2000 2' --arguments '4000 2' known.psl ./plain", 1,
        "psl: error: ./plain is no program with timers\nhelp: psl compile --instrument FILE... -o PROGRAM makes one");
refused('a program of another source', "psl calibrate -n 2 --arguments '2000 2' --arguments '4000 2' known.psl ./other", 1,
        "psl: error: ./other was made of another source than the model\n" .
        'help: the model and the program are to be made of the same files, with the same --cc');
finish();
