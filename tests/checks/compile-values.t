#!/usr/bin/perl
# Values that decide what a program of MPI sends, in models that psl compile makes: when they are read, how they are
# counted, and in what memory they are. A model sends what the program does, or is refused at its line.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl_facts.so") {
  skip('compile-values', 'MPICH, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();
compiled("$root/tests/lib/pair_counter.c", 'counter.so', '-shared', '-fPIC') or finish();
my $end = "  MPI_Finalize();\n  return 0;\n}\n";
my $begin = <<'END';
#include <mpi.h>
#include <stdlib.h>
static int rank, ranks, out[100000], in[100000];
static void pass(int count) {
  MPI_Sendrecv(out, count, MPI_INT, rank, 0, in, count, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
END
my $parts = 0;
sub part {
  my ($globals, $body) = @_;
  my $name = 'part' . ++$parts;
  spew("$folder/$name.c", "$begin$globals\nint main(int words, char **word) {\n  MPI_Init(&words, &word);\n" .
       "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n$body\n$end");
  return $name;
}
# The model sends what the program does.
sub faithful {
  my ($title, $globals, $body) = @_;
  my $name = part($globals, $body);
  my $made = command($folder, "psl compile $name.c -o $name.psl");
  ok($made->{exit} eq '0', "$title: has a model", $made->{err}) or return;
  compiled("$folder/$name.c", $name) or return;
  command($folder, "PAIR_COUNT=count mpirun.mpich -n 3 -genv LD_PRELOAD $folder/counter.so ./$name");
  equal(pairs("$name.psl", 3), slurp("$folder/count"), "$title: sends what the program does");
}
sub unfaithful {
  my ($title, $globals, $body, $wanted) = @_;
  my $name = part($globals, $body);
  my $made = command($folder, "psl compile $name.c");
  ok($made->{exit} eq '1' && $made->{err} =~ /^psl: error: $name\.c:\d+: $wanted/, "$title: refused", $made->{err});
}

faithful('an index that is counted up where it is used', 'static int count, near[4];',
         'if (rank > 0) near[count++] = rank - 1; if (rank < ranks - 1) near[count++] = rank + 1;' .
         'for (int i = 0; i < count; i++) pass(10 * near[i] + i);');
faithful('what a variable was before', 'static int k = 10; static int down(void) { return k--; }',
         'for (int i = 0; i < 3; i++) pass(down()); int was = k; if (rank < 2) k += 5; pass(was); pass(2 * k);');
faithful('elements that are exchanged', 'static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }',
         'int x = 1, y = 2, a[] = {4, 5, 6}; swap(&x, &y); pass(x); swap(&a[rank % 3], &x); pass(x); pass(10 * a[1]);');
faithful('what was stored in a loop', 'static int last, other;',
         'int i = 0; do { last = i; other += i; i += 2; } while (i < 2 * ranks + rank); pass(last); pass(100 * other);');
faithful('variables that are set from each other', '',
         'int a = 12, b = 18; while (b != 0) { int t = a % b; a = b; b = t; pass(a); }' .
         'int x = 1, y = 2, z = 30; for (int i = 0; i < 4 + rank; i++) { int t = x; x = y; y = z; z = t + 1; pass(x); }');
finish();
