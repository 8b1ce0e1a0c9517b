#!/usr/bin/perl
# What the modeller says where a program's data decide, psl compile --assume 'VARIABLE = EXPRESSION'; and loops that no way
# leads out of.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl_facts.so") {
  skip('compile-waived', 'MPICH, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();
compiled("$root/tests/lib/pair_counter.c", 'counter.so', '-shared', '-fPIC') or finish();
my $begin = <<'END';
#include <mpi.h>
#include <stdlib.h>
static int rank, ranks;
static double data[100000], in[100000];
int measure(void);
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#line 1
END
my $end = "  MPI_Finalize();\n  return 0;\n}\n";

# What is said is what the program has, so that the model sends what it does.
sub waived {
  my ($name, $title, $options, $body, @words) = @_;
  spew("$folder/$name.c", "$begin$body$end");
  my $refused = command($folder, "psl compile $name.c");
  ok($refused->{exit} eq '1' && $refused->{err} =~ /decide/, "$title: refused", $refused->{err});
  my $made = command($folder, "psl compile $options $name.c -o $name.psl");
  ok($made->{exit} eq '0', "$title: has a model by what is said", $made->{err}) or return;
  my $model = slurp("$folder/$name.psl");
  ok(index($model, "/// Assumed: $_\n") >= 0, "$title: which is among the assumptions", $model) for @words;
  compiled("$folder/$name.c", $name) or return;
  for my $ranks (2, 4) {
    command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./$name 5");
    equal(pairs("$name.psl", $ranks, 'n=5'), slurp("$folder/count"), "$title: sends what the program does, on $ranks ranks");
  }
}

waived('turns', 'a counter that is sent to and fro', q{--assume 'count = count + 1'}, <<'END',
  int count = 0, other = (rank + 1) % 2;
  while (rank < 2 && count < 2 * n) {
    if (rank == count % 2) {
      count++;
      MPI_Send(&count, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&count, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
END
       'what MPI_Recv gives count at turns.c:7 is count + 1');
waived('gathered', 'sizes that are gathered', q{--assume 'sizes[k] = n + k'}, <<'END',
  int sizes[64], own = n + rank;
  MPI_Allgather(&own, 1, MPI_INT, sizes, 1, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < ranks; k++)
    MPI_Sendrecv(data, own, MPI_INT, (rank + k) % ranks, 0, in, sizes[(rank + ranks - k) % ranks], MPI_INT, (rank + ranks - k) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(data, sizes[(rank + 1) % ranks], MPI_INT, rank, 2, MPI_COMM_WORLD);
  MPI_Recv(in, 100, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
       'what MPI_Allgather gives sizes at gathered.c:2 is n + k');
waived('field', 'a field that is broadcast, of which each rank made another', q{--assume 'width = 3 * n'}, <<'END',
  struct { int width, height; } size = {n * 3 + rank, 2};
  MPI_Bcast(&size.width, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Send(data, size.width, MPI_INT, rank, 2, MPI_COMM_WORLD);
  MPI_Recv(in, 100, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
       'what MPI_Bcast gives width at field.c:2 is 3 * n');

spew("$folder/none.c", "$begin  MPI_Send(data, n, MPI_INT, rank, 1, MPI_COMM_WORLD);\n  MPI_Recv(in, n, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n$end");
equal(command($folder, "psl compile --assume 'other = 3' none.c")->{err},
      "psl: error: --assume 'other = 3': no call gives 'other' what decides about messages or loops\n" .
      "help: what may be given is a variable by which a model is refused\n", 'a variable that no call gives');
equal(command($folder, "psl compile --assume 'other' none.c")->{err},
      "psl: error: --assume takes VARIABLE: ignored or VARIABLE = EXPRESSION, not 'other'\n" .
      "help: --assume 'err: ignored', or --assume 'count = n div ranks'\n", 'what is no assumption');

# ---- loops without an end ----

spew("$folder/endless.c", $begin . <<'END' . $end);
  if (rank == 0)
    while (1) {
      MPI_Send(data, n, MPI_INT, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(in, n, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  if (rank == 1)
    while (1) {
      MPI_Recv(in, n, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, n, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
END
equal(command($folder, 'psl compile endless.c')->{err},
      "psl: error: endless.c:8: no way that is taken leads out of this loop\n" .
      "psl: error: endless.c:3: no way that is taken leads out of this loop\n", 'loops without an end are no error of the program');
spew("$folder/failing.c", $begin . <<'END' . $end);
  for (;;) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (n++ > 5) exit(1);
  }
END
equal(command($folder, 'psl compile failing.c')->{err},
      "psl: error: failing.c:3: no way that is taken leads out of this loop\n" .
      "help: --iterations failing.c:3=EXPRESSION says how often it is passed\n", 'a loop that only an error ends');

# ---- expressions that are wrong ----

# Each loop's passes, with what is said of them, at the option.
spew("$folder/some.c", "$begin  for (int k = 0; k < n; k++)\n    MPI_Barrier(MPI_COMM_WORLD);\n$end");
sub wrong { my ($option, $text, $name) = @_; return equal(command($folder, "psl compile $option some.c")->{err}, $text, $name) }
wrong("--iterations '1=1 div 0'", <<'END', 'passes that are no number');
--iterations 1:1:3: error: division by zero
   1 | 1 div 0
     |   ^~~
--iterations 1:1:1: note: in '1 div 0'
   1 | 1 div 0
     | ^~~~~~~
END
wrong("--iterations some.c:1=-3", "psl: error: --iterations some.c:1=-3: this is -3\n" .
      "help: how often a loop is passed is a whole number, not below 0\n", 'passes below 0');
wrong("--iterations '1=n / 2'", "psl: error: --iterations 1=n / 2: this is real\n" .
      "help: how often a loop is passed is a whole number, not below 0\n", 'passes that are not whole');
wrong("--iterations '1=2 * m'", "--iterations 1:1:5: error: unknown name 'm'\n   1 | 2 * m\n     |     ^\n", 'a name that is none of the model');
wrong("--iterations '1=n +'", "--iterations 1:1:4: error: expected an expression, found the end\n   1 | n +\n     |    ^\n", 'half an expression');
spew("$folder/given.c", $begin . <<'END' . $end);
  int size = n + rank;
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Send(data, size, MPI_INT, rank, 2, MPI_COMM_WORLD);
  MPI_Recv(in, 100, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
equal(command($folder, "psl compile --assume 'size = size + other' given.c")->{err},
      "--assume 'size ':1:8: error: unknown name 'other'\n   1 | size + other\n     |        ^~~~~\n", 'an assumption with a name that is none of the model');
command($folder, "psl compile --assume 'size = 12 div (n - 6)' given.c -o given.psl");
equal(command($folder, 'psl run given.psl')->{err} =~ s/^\S+?: //mr =~ s/^\S+ note: .*//msr, <<'END', 'an assumption that fails in a run');
error: division by zero
  23 |     size = 12 div (n - 6);               // given.c:2, --assume 'size = 12 div (n - 6)'
     |               ^~~
END
command($folder, "psl compile --iterations '1=6 - n * (rank + 1)' some.c -o some.psl");
equal(command($folder, 'psl run some.psl')->{err} =~ s/^\S+?: //mr, <<'END', 'passes that come to be below 0 in a run');
error: assertion failed in some-rank[1] at 0 s: passes_1(rank) >= 0
  23 |     assert passes_1(rank) >= 0;        // --iterations 1=6 - n * (rank + 1)
     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~
END
for my $wrong (['100 div (n - 6)', 'a division by 0'], ['n - 7', 'a number below 0']) {
  my $run = command($folder, "psl compile --slice --iterations '1=$wrong->[0]' some.c -o some && psl mpirun -n 2 --costs none ./some 6");
  ok($run->{exit} ne '0' && $run->{err} =~ /^--iterations 1: $wrong->[1]$/m, "a sliced program says so, too: $wrong->[1]", $run->{err});
}
finish();
