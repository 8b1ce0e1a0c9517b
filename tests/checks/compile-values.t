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

# ---- memory ----

faithful('lists as they begin', 'static int sizes[] = {4, 5, 6}; static char signs[] = {3, 0, 2}; static double shares[3] = {1, 0.5};',
         'for (int i = 0; i < 3; i++) { pass(sizes[i]); pass(signs[i]); if (shares[i] > 0.2) pass(70); } sizes[rank] = 9; pass(100 * sizes[1]);');
faithful('lists of structures', 'struct part { int to, size; }; static struct part first[] = {{1, 20}, {2, 30}, {3, 40}};',
         'struct part all[3]; for (int i = 0; i < 3; i++) { all[i].size = i + 1; all[i].to = 7 * i; }' .
         'pass(all[0].size); pass(10 * all[2].size); for (int i = 0; i < 3; i++) pass(all[i].to + first[i].size);');
faithful('arrays of arrays', 'static int all[2][3][4] = {{{1, 2, 3, 4}, {5}}, {{6}, {7}, {8, 9}}}; struct row { int cells[2][3]; }; static struct row row;',
         'int a[3][2]; for (int i = 0; i < 3; i++) a[i][1] = i * rank; pass(a[ranks - 1][1]);' .
         'for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) { row.cells[i][j] = i + j; for (int k = 0; k < 4; k++) pass(all[i][j][k] + row.cells[i][(j + rank) % 3]); }' .
         'all[1][rank][2] = 100; pass(all[1][1][2] + all[1][0][2]);');
unfaithful('arrays in an array of structures', 'struct part { int to, size[3]; };',
           'struct part p[3]; for (int i = 0; i < 3; i++) p[i].size[rank] = i; pass(p[ranks - 1].size[rank]);', 'what decides about messages is in memory that is reached in several ways');
faithful('memory that is allocated', 'struct part { int to, size; }; static int *kept;' .
         'static int *table(int n) { int *all = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) all[i] = i * 3 + rank; return all; }',
         'int *counts = malloc(ranks * sizeof(int)), *starts = calloc(ranks, sizeof(int)); struct part *near = malloc(2 * sizeof *near);' .
         'for (int i = 0; i < ranks; i++) counts[i] = i + 4; for (int i = 1; i < ranks; i++) starts[i] = starts[i - 1] + counts[i - 1];' .
         'kept = table(5); int *again = table(6); pass(kept[4]); pass(again[5] + starts[ranks - 1]);' .
         'near[0].to = rank + 1; near[0].size = counts[rank]; near[1].to = 7; near[1].size = 5;' .
         'for (int k = 0; k < 2; k++) pass(near[k].to + 100 * near[k].size); free(counts); free(near);');
unfaithful('memory that is one of two', '', 'int *a = malloc(8), *b = malloc(8); a[0] = 1; b[0] = 2; int *c = rank ? a : b; c[0] += 4; pass(a[0]);',
           'what decides about messages is in memory that is allocated, or reached by a pointer');
faithful('numbers without a sign that turn negative', 'static int n = 3; static unsigned wide = 7;',
         'int m = (n + rank) * (rank < 3 ? wide : n) * -3; m = m % 40; pass(m < 0 ? -m : m); wide++;');
unfaithful('structures that are set at once', 'struct pair { int a, b; };',
           'struct pair p[3]; for (int i = 0; i < 3; i++) p[i].a = i; p[rank] = p[ranks - 1]; pass(p[0].a);', 'what decides about messages is set with all of');
faithful('a loop that counts in memory', 'int step;', 'for (step = 0; step < 9;) { step = step + 2; pass(step); }');

# ---- numbers that wrap ----

faithful('small numbers without a sign', '', 'unsigned char c = 250; for (int k = 0; k < 10; k++) { c++; pass(c); }' .
         'unsigned char d = 250; for (; d != 4; d++) pass(d); short s = 70000 + rank; pass(s); signed char t = 100 + 40 * rank; pass(t < 0 ? -t : t);');
faithful('numbers without a sign', '', 'unsigned u = 1; for (int i = 0; i < 33; i++) u *= 2; pass(u == 0 ? 10 : 20);' .
         'unsigned less = ranks - 4; pass(less / 1000000000u); pass((less - 2 * rank) % 89); unsigned most = -1; if (most > (unsigned)rank) pass(300);');
faithful('numbers that become narrower', '', 'long a = 5000000000L + rank; unsigned b = a; int c = a; pass(b % 100); pass(c < 0 ? 1 : c % 97);' .
         'long below = -1 - rank; unsigned e = below; pass(e % 100); pass((int)(a * 3) % 1000 + 1000);');
faithful('numbers that become wider', '', 'unsigned big = 3000000000u + rank; long wide = big; unsigned long more = big; pass(wide / 100000000); pass(more % 77);');

# ---- names ----

spew("$folder/if.c", slurp("$folder/part1.c"));
my $word = command($folder, 'psl compile if.c -o if.psl && psl check if.psl');
ok($word->{exit} eq '0' && slurp("$folder/if.psl") =~ /^system program-if /m, 'a file that is called by a word of PSL', $word->{err});
spew("$folder/two\nlines.c", slurp("$folder/part1.c"));
my $lines = command($folder, "psl compile 'two\nlines.c'");
ok($lines->{exit} eq '0' && $lines->{out} =~ m{// two\?lines\.c:}, 'a file whose name has two lines', $lines->{err});
finish();
