#!/usr/bin/perl
# What programs of MPI make and are given, in models that psl compile makes: inputs that one rank reads, communicators, grids,
# types, persistent requests, statuses, operations with lists of sizes, choices of many ways.
# Plain build alone: it compares counts with MPICH's; checks/compile runs the same code.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Programs;
use Run;

unless (have('mpicc.mpich') && have('mpirun.mpich') && -f "$build/psl_facts.so") {
  skip('compile-mpi', 'MPICH, or the headers of GCC for plugins, are not installed');
  finish();
  exit;
}
my $folder = scratch();
compiled("$root/tests/lib/pair_counter.c", 'counter.so', '-shared', '-fPIC') or finish();

sub source {
  my ($name, $globals, $body) = @_;
  spew("$folder/$name.c", <<"END");
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int rank, ranks;
static double data[100000], in[100000];
$globals
static void pass(int count) {
  MPI_Sendrecv(data, count, MPI_INT, (rank + 1) % ranks, 0, in, count, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#line 1
$body
  MPI_Finalize();
  return 0;
}
END
}

# The model sends what the program does.
sub faithful {
  my ($name, $title, $globals, $body, $settings, @counts) = @_;
  source($name, $globals, $body);
  my $made = command($folder, "psl compile $name.c -o $name.psl");
  ok($made->{exit} eq '0', "$title: has a model", $made->{err}) or return;
  compiled("$folder/$name.c", $name) or return;
  for my $ranks (@counts) {
    command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./$name 5");
    equal(pairs("$name.psl", $ranks, @$settings), slurp("$folder/count"), "$title: sends what the program does, on $ranks ranks");
  }
}

sub refused {
  my ($name, $title, $globals, $body, $wanted) = @_;
  source($name, $globals, $body);
  my $made = command($folder, "psl compile $name.c");
  ok($made->{exit} eq '1' && $made->{err} =~ /^psl: error: $name\.c:\d+: $wanted/, "$title: refused", $made->{err});
}

# ---- inputs that one rank reads ----

spew("$folder/input", "7 2\n9\n");
my $read = <<'END';
  if (rank == 0) {
    FILE *file = fopen("input", "r");
    if (!file) MPI_Abort(MPI_COMM_WORLD, 1);
    if (fscanf(file, "%d %d", &given.size, &given.steps) != 2) MPI_Abort(MPI_COMM_WORLD, 1);
    if (fscanf(file, "%d", &width) != 1) return 1;
    if (width > 7) width = 7;
    for (int i = 0; i < 4; i++) sizes[i] = width + i;
  }
END
my $share = 'MPI_Bcast(&given.size, 1, MPI_INT, 0, MPI_COMM_WORLD); MPI_Bcast(&given.steps, 1, MPI_INT, 0, MPI_COMM_WORLD);' .
            'MPI_Bcast(sizes, 4, MPI_INT, 0, MPI_COMM_WORLD);';
my $use = 'for (int k = 0; k < given.steps; k++) { pass(given.size); pass(sizes[k % 4]); }';
my $globals = 'static struct { int size, steps; double tolerance; } given; static int sizes[4];';
faithful('inputs', 'what rank 0 reads and broadcasts', $globals, "int width = 3;\n$read$share$use", [qw(size=7 steps=2 width=9)], 3, 4);
my $assumed = slurp("$folder/inputs.psl");
ok($assumed =~ m{^/// Assumed: what inputs\.c:\d+ broadcasts is known to all ranks: they go the root's way at inputs\.c:\d+$}m,
   'that all go its way is said', $assumed);
ok($assumed =~ /for k in 0 \.\. steps - 1/, 'and what is read bounds a loop by its name');
refused('unshared', 'what rank 0 alone reads', $globals, "int width = 3;\n${read}MPI_Bcast(&given.size, 1, MPI_INT, 0, MPI_COMM_WORLD);$use",
        'what MPI_Bcast gives at unshared\.c:\d+ decides here');
refused('own', 'a rank\'s own data', '', 'int m = rank * 2; MPI_Bcast(&m, 1, MPI_INT, 0, MPI_COMM_WORLD); pass(m + 1);',
        'what MPI_Bcast gives at own\.c:1 decides here');

my $either = 'if (rank == 0) { FILE *file = fopen("input", "r"); if (!file || fscanf(file, "%d", &many) != 1) ACT; }' .
             'MPI_Bcast(&many, 1, MPI_INT, 0, MPI_COMM_WORLD); for (int k = 0; k < many; k++) pass(k + 1);';
faithful('aborting', 'what is read in a condition, or else aborts', '', 'int many; ' . $either =~ s/ACT/MPI_Abort(MPI_COMM_WORLD, 2)/r,
         ['many=7'], 3);
ok(slurp("$folder/aborting.psl") =~ /for k in 0 \.\. many - 1/, 'nothing comes behind MPI_Abort');
faithful('otherwise', 'what is read in a condition, or else set', '', 'int many; ' . $either =~ s/ACT/many = 2/r, ['many=7'], 3);

# ---- communicators, grids, types, requests ----

faithful('parts', 'communicators that are split', '', <<'END', ['n=5'], 5, 6);
  MPI_Comm row, copy;
  int own, many;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &row);
  MPI_Comm_rank(row, &own);
  MPI_Comm_size(row, &many);
  MPI_Comm_dup(row, &copy);
  MPI_Sendrecv(data, n + own, MPI_INT, (own + 1) % many, 3, in, 1000, MPI_INT, (own + many - 1) % many, 3, copy, MPI_STATUS_IGNORE);
  MPI_Bcast(data, n, MPI_INT, many - 1, row);
  MPI_Comm_free(&row);
END
faithful('bare', 'arrays that calls are given by their names', '', <<'END', ['n=5'], 4);
  int x[3] = {0, 2, 3}, wide[2][2], length[2] = {2, n}, at[2] = {0, 9}, sides[2] = {0, 0};
  struct { int a, b; } both = {0, 4};
  MPI_Request q[2];
  MPI_Comm part[2];
  MPI_Datatype type[2];
  MPI_Comm_size(MPI_COMM_WORLD, x);
  MPI_Comm_size(MPI_COMM_WORLD, (int *)&both);
  wide[0][0] = 1;
  wide[0][1] = 7;
  MPI_Comm_size(MPI_COMM_WORLD, wide[1]);
  for (int i = 0; i < 3; i++) pass(x[i]);
  for (int i = 0; i < 2; i++) pass(wide[0][i]);
  pass(wide[1][0]);
  pass(both.a + 10 * both.b);
  MPI_Irecv(in, 100, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, q);
  MPI_Isend(data, n, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, q + 1);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  MPI_Recv_init(in, 100, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, q);
  MPI_Send_init(data, n, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, q + 1);
  MPI_Startall(2, q);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  MPI_Start(q);
  MPI_Start(q + 1);
  MPI_Wait(q + 1, MPI_STATUS_IGNORE);
  MPI_Wait(q, MPI_STATUS_IGNORE);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, part);
  MPI_Comm_dup(part[0], part + 1);
  for (int i = 0; i < 2; i++) MPI_Bcast(data, n, MPI_INT, 1, part[i]);
  MPI_Type_indexed(2, &length[0], &at[0], MPI_INT, type);
  MPI_Type_commit(type);
  MPI_Sendrecv(data, 2, type[0], (rank + 1) % ranks, 0, in, 2, type[0], (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Dims_create(ranks + 2, 2, &sides[0]);
  for (int i = 0; i < 2; i++) pass(sides[i]);
END
ok(slurp("$folder/bare.psl") =~ /^    call waitall\(q\);/m && slurp("$folder/bare.psl") =~ /^    q\[0\] = call irecv/m,
   'what is waited for is what was begun');
refused('either', 'what is put into one of two', '', 'int x[2] = {1, 2}, *p = n > 3 ? x : x + 1; MPI_Comm_size(MPI_COMM_WORLD, p); pass(x[1]);',
        q(what 'MPI_Comm_size' gives is put where a pointer leads));
faithful('grid', 'a grid of ranks', '', <<'END', ['n=5'], 4, 6);
  int dims[2] = {0, 0}, periods[2] = {1, 0}, at[2], own, west, east, north, south;
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &own);
  MPI_Cart_coords(grid, own, 2, at);
  MPI_Cart_shift(grid, 0, 1, &north, &south);
  MPI_Cart_shift(grid, 1, -1, &east, &west);
  MPI_Sendrecv(data, n + at[1], MPI_INT, south, 3, in, 1000, MPI_INT, north, 3, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(data, n + at[0], MPI_INT, west, 3, in, 1000, MPI_INT, east, 3, grid, MPI_STATUS_IGNORE);
  at[0]++;
  MPI_Cart_rank(grid, at, &own);
  MPI_Send(data, 4, MPI_SHORT, own, 6, grid);
  at[0] -= 2;
  MPI_Cart_rank(grid, at, &own);
  MPI_Recv(in, 4, MPI_SHORT, own, 6, grid, MPI_STATUS_IGNORE);
END
faithful('types', 'types that are made', 'static MPI_Datatype kept;', <<'END', ['n=5'], 3);
  MPI_Datatype column, block, mixed, types[2] = {MPI_INT, MPI_DOUBLE};
  int lengths[2] = {2, 3}, bytes;
  MPI_Aint places[2] = {0, 8};
  MPI_Type_vector(n, 2, 10, MPI_DOUBLE, &column);
  MPI_Type_contiguous(3, column, &block);
  MPI_Type_indexed(2, lengths, lengths, MPI_FLOAT, &mixed);
  MPI_Type_commit(&column);
  MPI_Type_commit(&block);
  MPI_Type_commit(&mixed);
  MPI_Type_size(block, &bytes);
  kept = n > 3 ? MPI_DOUBLE : MPI_FLOAT;
  MPI_Datatype all[] = {column, block, mixed, kept};
  for (int k = 0; k < 4; k++)
    MPI_Sendrecv(data, 2, all[k], (rank + 1) % ranks, 3, in, 100, all[k], (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pass(bytes);
END
faithful('kept', 'requests that are kept', '', <<'END', ['n=5'], 3);
  MPI_Request requests[2];
  MPI_Send_init(data, n + rank, MPI_DOUBLE, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 1000, MPI_DOUBLE, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &requests[1]);
  for (int k = 0; k < n; k++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  for (int k = 0; k < 2; k++) MPI_Start(&requests[k]);
  for (int k = 0; k < 2; k++) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  for (int k = 0; k < 2; k++) MPI_Request_free(&requests[k]);
END
faithful('lists', 'operations with lists of sizes', '', <<'END', ['n=5'], 4);
  int counts[64], starts[64];
  for (int i = 0; i < ranks; i++) { counts[i] = i + n; starts[i] = i * 100; }
  MPI_Allgatherv(data, counts[rank], MPI_DOUBLE, in, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Gatherv(data, n + rank, MPI_INT, in, counts, starts, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Scatterv(data, counts, starts, MPI_INT, in, n + rank, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Reduce_scatter(data, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < ranks; i++) counts[i] = n * 2;
  MPI_Alltoallv(data, counts, starts, MPI_INT, in, counts, starts, MPI_INT, MPI_COMM_WORLD);
  pass(counts[rank]);
END
my $lists = -f "$folder/lists.psl" ? slurp("$folder/lists.psl") : '';
ok($lists =~ /call allgatherv\(\[k in 0 \.\. ranks - 1 : counts\[k\] \* 8 byte\]\)/, 'with their sizes', $lists);
refused('self', 'MPI_COMM_SELF', '', 'MPI_Barrier(MPI_COMM_SELF); pass(1);', 'MPI_COMM_SELF is not taken');
# ---- statuses, handles of nothing, data that calls are given ----

faithful('status', 'sources of a communicator that is split', '', <<'END', [], 4, 5);
  MPI_Comm row; int own, many; MPI_Status s;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &row);
  MPI_Comm_rank(row, &own); MPI_Comm_size(row, &many);
  if (own == 0) for (int k = 1; k < many; k++) {
    MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, 1, row, &s);
    MPI_Send(data, s.MPI_SOURCE + 1, MPI_INT, s.MPI_SOURCE, 2, row);
  } else { MPI_Send(data, own, MPI_INT, 0, 1, row); MPI_Recv(in, 100, MPI_INT, 0, 2, row, &s); 
    MPI_Send(data, 10 + s.MPI_SOURCE, MPI_INT, (own % (many-1)) + 1, 7, row); MPI_Recv(in, 100, MPI_INT, own == 1 ? many-1 : own-1, 7, row, &s); }
END
faithful('order', 'sources of one that is split twice', '', <<'END', [], 5);
  MPI_Comm c, d; int own, many, wc;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 1, (rank * 7) % 5, &c);
  MPI_Comm_split(c, 0, -rank, &d);
  MPI_Comm_rank(d, &own); MPI_Comm_size(d, &many); MPI_Comm_rank(c, &wc);
  MPI_Status s;
  if (own > 0) MPI_Send(data, 1 + own + 10 * wc, MPI_INT, own - 1, 9, d);
  if (own < many - 1) { MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, 9, d, &s); MPI_Send(data, 100 + s.MPI_SOURCE, MPI_INT, s.MPI_SOURCE, 11, d); }
  if (own > 0) { MPI_Recv(in, 500, MPI_INT, own - 1, MPI_ANY_TAG, d, &s); MPI_Send(data, s.MPI_TAG + s.MPI_SOURCE, MPI_INT, 0, 12, d); }
  else for (int k = 1; k < many; k++) MPI_Recv(in, 500, MPI_INT, k, 12, d, MPI_STATUS_IGNORE);
END
faithful('waitstatus', 'two statuses', '', <<'END', ['n=5'], 4);
  MPI_Request q[2]; MPI_Status s[2];
  MPI_Irecv(in, 100, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &q[0]);
  MPI_Irecv(in, 100, MPI_INT, (rank + 1) % ranks, 2, MPI_COMM_WORLD, &q[1]);
  MPI_Send(data, n, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
  MPI_Send(data, n, MPI_INT, (rank + ranks - 1) % ranks, 2, MPI_COMM_WORLD);
  MPI_Wait(&q[1], &s[1]);
  MPI_Wait(&q[0], &s[0]);
  MPI_Send(data, 3, MPI_INT, s[0].MPI_SOURCE, 4, MPI_COMM_WORLD);
  MPI_Send(data, 5, MPI_INT, s[1].MPI_SOURCE, 5, MPI_COMM_WORLD);
  MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &s[0]);
  MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &s[1]);
  pass(2);
END
faithful('null', 'the status of what nobody sends', '', <<'END', ['n=5'], 4);
  MPI_Status s;
  int up = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, down = rank ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(data, n, MPI_INT, up, 1, in, 100, MPI_INT, down, 1, MPI_COMM_WORLD, &s);
  if (s.MPI_SOURCE == MPI_PROC_NULL) { MPI_Send(data, 31, MPI_INT, 0, 2, MPI_COMM_WORLD); MPI_Recv(data, 31, MPI_INT, 0, 2, MPI_COMM_WORLD, &s); }
  if (s.MPI_SOURCE >= 0) MPI_Sendrecv(data, 3 + s.MPI_SOURCE, MPI_INT, rank, 5, in, 100, MPI_INT, rank, 5, MPI_COMM_WORLD, &s);
  int *e = &up; if (rank % 2) e = &down;
  MPI_Send(data, 8, MPI_INT, rank == 1 ? MPI_PROC_NULL : rank, 9, MPI_COMM_WORLD);
  MPI_Recv(data, 8, MPI_INT, rank == 1 ? MPI_PROC_NULL : rank, 9, MPI_COMM_WORLD, &s);
END
faithful('colour', 'ranks in no communicator', '', <<'END', ['n=5'], 4);
  MPI_Comm row = MPI_COMM_NULL, col; int own = -1, many = 0, c;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? MPI_UNDEFINED : rank % 2, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &col);
  MPI_Comm_rank(col, &c);
  MPI_Bcast(data, n + c * 0, MPI_INT, 1 % n, col);
  MPI_Reduce(data, in, n, MPI_INT, MPI_SUM, 0, col);
  MPI_Allreduce(data, in, n, MPI_INT, MPI_SUM, col);
  MPI_Alltoall(data, n, MPI_INT, in, n, MPI_INT, col);
  if (row != MPI_COMM_NULL) {
    MPI_Comm_rank(row, &own); MPI_Comm_size(row, &many);
    MPI_Barrier(row);
    MPI_Sendrecv(data, n + own, MPI_INT, (own + 1) % many, 3, in, 1000, MPI_INT, (own + many - 1) % many, 3, row, MPI_STATUS_IGNORE);
  }
  if (row != MPI_COMM_NULL) MPI_Send(data, many + 1, MPI_INT, rank, 8, MPI_COMM_WORLD);
  if (row != MPI_COMM_NULL) MPI_Recv(data, many + 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
faithful('freed', 'communicators and requests that are no more', '', <<'END', ['n=5'], 3);
  MPI_Comm c; MPI_Datatype t = MPI_INT; MPI_Request q;
  MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Isend(data, n, MPI_INT, rank, 4, MPI_COMM_WORLD, &q);
  MPI_Recv(in, n, MPI_INT, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&c);
  if (c == MPI_COMM_NULL) pass(9);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  if (q != MPI_REQUEST_NULL) pass(10); else pass(12);
  MPI_Type_contiguous(3, MPI_INT, &t);
  if (t != MPI_INT) pass(13);
  if (c != MPI_COMM_WORLD) pass(14);
END
faithful('reqnull', 'requests of nothing', '', <<'END', [], 5);
  MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank % 2) MPI_Irecv(in, 100, MPI_INT, rank - 1, 6, MPI_COMM_WORLD, &r[1]); else if (rank + 1 < ranks) MPI_Isend(data, 77, MPI_INT, rank + 1, 6, MPI_COMM_WORLD, &r[2]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  pass(2);
  if (rank % 2) MPI_Irecv(in, 100, MPI_INT, rank - 1, 6, MPI_COMM_WORLD, &r[1]); else if (rank + 1 < ranks) MPI_Isend(data, 77, MPI_INT, rank + 1, 6, MPI_COMM_WORLD, &r[2]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Wait(&r[2], MPI_STATUS_IGNORE);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
END
faithful('types', 'types that are no more', '', <<'END', ['n=5'], 3);
  MPI_Datatype t = MPI_DATATYPE_NULL;
  for (int k = 0; k < n; k++) {
    if (t == MPI_DATATYPE_NULL) { MPI_Type_contiguous(k + 2, MPI_INT, &t); MPI_Type_commit(&t); }
    MPI_Sendrecv(data, 2, t, (rank + 1) % ranks, 0, in, 2, t, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (k % 2) MPI_Type_free(&t);
    if (t == MPI_DATATYPE_NULL) pass(k + 50);
  }
END
faithful('parts', 'handles in structures', <<'END', <<'BODY', ['n=5'], 4);
struct part { MPI_Comm c; MPI_Datatype t; int size; };
static void make(struct part *p, int who) {
  p->c = MPI_COMM_NULL; p->t = MPI_DATATYPE_NULL; p->size = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == who ? 1 : MPI_UNDEFINED, rank, &p->c);
  if (p->c != MPI_COMM_NULL) MPI_Comm_size(p->c, &p->size);
}
static void drop(struct part *p) {
  if (p->c != MPI_COMM_NULL && p->c != MPI_COMM_WORLD) MPI_Comm_free(&p->c);
  if (p->t != MPI_DATATYPE_NULL) MPI_Type_free(&p->t);
}
END
  struct part a, b; make(&a, 0); make(&b, 1);
  pass(a.size + b.size + 1);
  if (a.c == MPI_COMM_NULL && b.c != MPI_COMM_NULL) { MPI_Type_vector(n, 2, 3, MPI_INT, &a.t); MPI_Bcast(data, n, MPI_INT, 0, b.c); }
  if (a.t != MPI_DATATYPE_NULL) { MPI_Send(data, 7, MPI_INT, rank - 1, 1, MPI_COMM_WORLD); } else MPI_Recv(in, 7, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  drop(&a); drop(&b);
  if (a.c == MPI_COMM_NULL && b.c == MPI_COMM_NULL && a.t == MPI_DATATYPE_NULL) pass(n);
BODY
faithful('persist', 'requests that persist beside some of nothing', '', <<'END', ['n=5'], 3);
  MPI_Request q = MPI_REQUEST_NULL, p[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Send_init(data, n, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &p[0]);
  MPI_Recv_init(in, n, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, &p[1]);
  for (int k = 0; k < 2; k++) {
    MPI_Startall(2, p);
    MPI_Irecv(in, 99, MPI_INT, (rank + 1) % ranks, 2, MPI_COMM_WORLD, &q);
    MPI_Send(data, n, MPI_INT, (rank + ranks - 1) % ranks, 2, MPI_COMM_WORLD);
    MPI_Waitall(2, p, MPI_STATUSES_IGNORE);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    if (q == MPI_REQUEST_NULL) pass(7);
    if (p[0] == MPI_REQUEST_NULL) pass(8); else pass(9);
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&p[i]);
  if (p[0] == MPI_REQUEST_NULL) pass(11); else pass(13);
END
refused('mixed', 'requests that may persist', '', <<'END', 'MPI_REQUEST_NULL is asked for, and it is not to be seen whether what is waited for persists');
  MPI_Request q = MPI_REQUEST_NULL;
  if (n > 3) MPI_Send_init(data, n, MPI_INT, rank, 1, MPI_COMM_WORLD, &q);
  else MPI_Isend(data, n, MPI_INT, rank, 1, MPI_COMM_WORLD, &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  if (q == MPI_REQUEST_NULL) pass(4);
END
refused('twotypes', 'two types that are compared', '', <<'END', 'whether two types that are made are the same decides');
  MPI_Datatype t, u;
  MPI_Type_contiguous(2, MPI_INT, &t); MPI_Type_contiguous(2, MPI_INT, &u);
  pass(t == u ? 4 : 5);
END
refused('agv', 'lists of sizes that are gathered', '', <<'END', 'what MPI_Allgather gives at agv\.c:2 decides here');
  int counts[64], starts[64] = {0}, own = rank + 1;
  MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(data, own, MPI_INT, in, counts, starts, MPI_INT, MPI_COMM_WORLD);
END
refused('cartrank', 'a place in a grid that is received', '', <<'END', 'what MPI_Sendrecv gives at cartrank\.c:4 decides here');
  int dims[2] = {2, ranks / 2}, periods[2] = {1, 1}, at[2] = {0, 1}, r; MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  int mine[2] = {rank, 1};
  MPI_Sendrecv(mine, 2, MPI_INT, (rank + 1) % ranks, 0, at, 2, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Cart_rank(grid, at, &r);
  MPI_Send(data, 1, MPI_INT, r, 3, grid);
  if (rank == 1) for (int k = 0; k < ranks; k++) MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 3, grid, MPI_STATUS_IGNORE);
END
refused('typercv', 'the lengths of a type that are received', '', <<'END', 'what MPI_Sendrecv gives at typercv\.c:3 decides here');
  int lengths[2] = {1, 2}; MPI_Datatype t; int z;
  int mine[2] = {rank, 1};
  MPI_Sendrecv(mine, 2, MPI_INT, (rank + 1) % ranks, 0, lengths, 2, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_indexed(2, lengths, lengths, MPI_FLOAT, &t);
  MPI_Type_size(t, &z);
  pass(z);
END
refused('waitrow', 'the source of a request in another communicator', '', <<'END', 'the source of what is waited for decides, and receives are started in other communicators');
  MPI_Status s; MPI_Comm c; MPI_Request q; int own;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &c);
  MPI_Comm_rank(c, &own);
  MPI_Irecv(in, 100, MPI_INT, (own + 1) % ranks, 1, c, &q);
  MPI_Send(data, n, MPI_INT, (own + ranks - 1) % ranks, 1, c);
  MPI_Wait(&q, &s);
  MPI_Send(data, 5 + s.MPI_SOURCE, MPI_INT, s.MPI_SOURCE, 2, c);
  MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, 2, c, MPI_STATUS_IGNORE);
END
refused('getcount', 'the size of what one of several statuses says', '', <<'END', 'of which message this status is, is not to be seen');
  MPI_Request both[2];
  MPI_Status status[2];
  int count;
  MPI_Irecv(in, 100, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &both[0]);
  MPI_Isend(data, n + rank, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &both[1]);
  MPI_Waitall(2, both, status);
  MPI_Get_count(&status[0], MPI_INT, &count);
  pass(count);
END
faithful('probed', 'sizes that are probed', '', <<'END', ['n=5'], 2, 4);
  int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, count, half;
  MPI_Status status;
  for (int k = 0; k < n; k++) {
    MPI_Send(data, n + 3 * rank + k, MPI_INT, to, k, MPI_COMM_WORLD);
    MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    int *box = malloc(count * sizeof(int));
    MPI_Recv(box, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &half);
    free(box);
    MPI_Sendrecv(data, count, MPI_INT, from, 99, in, 1000, MPI_INT, to, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (half > 0) MPI_Sendrecv(data, half, MPI_INT, rank, 98, in, 1000, MPI_INT, rank, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
END
faithful('bundles', 'what a root sends as much of as comes', '', <<'END', ['n=5'], 2, 4);
  MPI_Status status;
  int count;
  if (rank == 0)
    for (int k = 1; k < ranks; k++) {
      MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      MPI_Recv(in, count, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, 2 * count, MPI_CHAR, status.MPI_SOURCE, 4, MPI_COMM_WORLD);
    }
  else {
    MPI_Request asked;
    MPI_Isend(data, n * rank, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &asked);
    MPI_Recv(in, 1000, MPI_CHAR, 0, 4, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    MPI_Wait(&asked, MPI_STATUS_IGNORE);
    for (int k = 0; k < count; k++)
      MPI_Sendrecv(data, 1, MPI_INT, rank, 9, in, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
END

# ---- collective operations beside the program ----

faithful('beside', 'collective operations that do not block', '', <<'END', ['n=5'], 3, 4);
  MPI_Request one, three[3];
  double sum;
  int sizes[64], places[64];
  for (int k = 0; k < ranks; k++) sizes[k] = k + 1, places[k] = k * (k + 1) / 2;
  MPI_Ibarrier(MPI_COMM_WORLD, &one);
  pass(n);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  MPI_Ibcast(data, n, MPI_DOUBLE, 1, MPI_COMM_WORLD, &three[0]);
  MPI_Iallreduce(data, in, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &three[1]);
  MPI_Iallgatherv(data, rank + 1, MPI_INT, in + 100, sizes, places, MPI_INT, MPI_COMM_WORLD, &three[2]);
  pass(n + 1);
  MPI_Waitall(3, three, MPI_STATUSES_IGNORE);
  MPI_Ireduce(data, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks - 1, MPI_COMM_WORLD, &one);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
END
ok(report(command($folder, 'psl run -q -f json beside.psl --set ranks=4 --set n=5')->{out})->{messages} > 4 * 8,
   'their own messages are in the model');

# ---- parts of grids, groups, communicators in lists ----

faithful('subgrid', 'rows and columns of a grid', '', <<'END', ['n=5'], 6, 12);
  MPI_Comm grid, row, column;
  int dims[2] = {ranks / 3, 3}, turns[2] = {0, 1}, keep[2] = {0, 1}, other[2] = {1, 0}, here, many, at[1], down, up;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, turns, 0, &grid);
  MPI_Cart_sub(grid, keep, &row);
  MPI_Cart_sub(grid, other, &column);
  MPI_Comm_rank(row, &here);
  MPI_Comm_size(column, &many);
  MPI_Cart_shift(row, 0, 1, &down, &up);
  MPI_Sendrecv(data, n + here, MPI_INT, up, 0, in, 1000, MPI_INT, down, 0, row, MPI_STATUS_IGNORE);
  MPI_Cart_coords(column, rank / 3, 1, at);
  MPI_Cart_shift(column, 0, 1, &down, &up);
  MPI_Sendrecv(data, 10 * many + at[0], MPI_INT, up, 0, in, 1000, MPI_INT, down, 0, column, MPI_STATUS_IGNORE);
END
faithful('subcube', 'planes of a cube', '', <<'END', ['n=5'], 8, 12);
  MPI_Comm cube, plane;
  int dims[3] = {2, ranks / 4, 2}, turns[3] = {1, 0, 0}, keep[3] = {1, 0, 1}, here, at[2], left, right;
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, turns, 0, &cube);
  MPI_Cart_sub(cube, keep, &plane);
  MPI_Comm_rank(plane, &here);
  MPI_Cart_coords(plane, here, 2, at);
  for (int d = 0; d < 2; d++) {
    MPI_Cart_shift(plane, d, 1, &left, &right);
    MPI_Sendrecv(data, n + 10 * at[0] + at[1], MPI_INT, right, 0, in, 1000, MPI_INT, left, 0, plane, MPI_STATUS_IGNORE);
  }
END
faithful('several', 'communicators in a list', '', <<'END', ['n=5'], 4, 8);
  MPI_Comm all[3];
  int here[3], many;
  for (int k = 0; k < 3; k++) {
    MPI_Comm_split(MPI_COMM_WORLD, rank % (k + 1), -rank, &all[k]);
    MPI_Comm_rank(all[k], &here[k]);
  }
  for (int k = 0; k < 3; k++) {
    MPI_Comm_size(all[k], &many);
    MPI_Sendrecv(data, n + k, MPI_INT, (here[k] + 1) % many, 0, in, 100, MPI_INT, (here[k] + many - 1) % many, 0, all[k], MPI_STATUS_IGNORE);
  }
END
faithful('groups', 'communicators of groups', '', <<'END', ['n=5'], 6, 8);
  MPI_Group world, odd, some, rest;
  MPI_Comm odds, others, most;
  int list[64], first[2] = {2, 0}, none[2] = {3, 1}, here, many;
  for (int k = 0; k < ranks / 2; k++) list[k] = 2 * k + 1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, ranks / 2, list, &odd);
  MPI_Group_incl(odd, 2, first, &some);
  MPI_Group_excl(world, 2, none, &rest);
  MPI_Comm_create(MPI_COMM_WORLD, odd, &odds);
  MPI_Comm_create(MPI_COMM_WORLD, some, &others);
  MPI_Comm_create(MPI_COMM_WORLD, rest, &most);
  if (odds != MPI_COMM_NULL) {
    MPI_Comm_rank(odds, &here);
    MPI_Comm_size(odds, &many);
    MPI_Sendrecv(data, n, MPI_INT, (here + 1) % many, 0, in, 100, MPI_INT, (here + many - 1) % many, 0, odds, MPI_STATUS_IGNORE);
  }
  if (others != MPI_COMM_NULL) {
    MPI_Comm_rank(others, &here);
    if (here == 0) MPI_Send(data, 3 * n, MPI_INT, 1, 0, others);
    else MPI_Recv(in, 100, MPI_INT, 0, 0, others, MPI_STATUS_IGNORE);
  }
  if (most != MPI_COMM_NULL) {
    MPI_Comm_rank(most, &here);
    MPI_Comm_size(most, &many);
    MPI_Sendrecv(data, 7 * n + here, MPI_INT, (here + 1) % many, 0, in, 1000, MPI_INT, (here + many - 1) % many, 0, most, MPI_STATUS_IGNORE);
  }
  MPI_Group_free(&odd);
END
refused('eithergroup', 'one of two groups', '', <<'END', 'of which group this is is not to be seen');
  MPI_Group world, part;
  MPI_Comm made;
  int list[2] = {0, 1};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (n > 3) MPI_Group_incl(world, 1, list, &part);
  else MPI_Group_incl(world, 2, list, &part);
  MPI_Comm_create(MPI_COMM_WORLD, part, &made);
  if (made != MPI_COMM_NULL) MPI_Barrier(made);
END
faithful('lasting', 'what a loop counts in a variable of the file, read behind it', <<'GLOBALS', <<'END', ['n=5'], 3);
static int sent, steady = 2;
static void counted(int count) {
  if (++sent > 9) return;
  MPI_Sendrecv_replace(data, count, MPI_INT, rank, 4, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void skipped(void) { if (++sent > 9) return; }
GLOBALS
  for (int i = rank + 2; i > 1; i -= 2) {
    int k = 0;
    do {
      counted(n + k);
      skipped();
    } while (++k < 3 && steady != -3);
    switch (n * rank) {
    case 0: case 5: counted(sent + 2);
    }
  }
END
faithful('leave', 'exit after MPI_Finalize, with 0 or what is not known', '', <<'END', ['n=5'], 2, 3);
  if (ranks != 2) {
    if (rank > 0) { MPI_Finalize(); exit(n); }
    MPI_Sendrecv(data, 3, MPI_INT, 0, 1, in, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    exit(0);
  }
  pass(n);
END
faithful('once', 'loops that are passed once', '', <<'END', ['n=5'], 3);
  int each = 1, *list = malloc(ranks * sizeof(int));
  for (int i = 0; i < ranks; i++)
    for (int j = 0; j < each; j++) list[i + j] = 1000 * rank + i;
  for (int j = 1; j > 0; j--) pass(n);
  MPI_Alltoall(list, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  pass(7);
END

if (have('mpif90.mpich') && have('gfortran')) {
  spew("$folder/places.f90", <<'END');
program main
  use mpi
  implicit none
  integer :: rank, ranks, e, n, s(MPI_STATUS_SIZE), all(MPI_STATUS_SIZE, 2), c, own
  real(8) :: data(1000)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, c, e)
  call MPI_Comm_rank(c, own, e)
  call MPI_Sendrecv(data, 5, MPI_INTEGER, mod(own + 1, ranks), 1, data, 100, MPI_INTEGER, MPI_ANY_SOURCE, 1, c, s, e)
  call MPI_Sendrecv(data, 5, MPI_INTEGER, mod(own + 2, ranks), 4, data, 100, MPI_INTEGER, MPI_ANY_SOURCE, 4, c, all(1, 2), e)
  call MPI_Send(data, 7, MPI_INTEGER, s(MPI_SOURCE), 2, c, e)
  call MPI_Send(data, 9, MPI_INTEGER, all(MPI_SOURCE, 2), 2, c, e)
  call MPI_Recv(data, 100, MPI_INTEGER, MPI_ANY_SOURCE, 2, c, s, e)
  call MPI_Recv(data, 100, MPI_INTEGER, MPI_ANY_SOURCE, 2, c, s, e)
  call MPI_Finalize(e)
end program
END
  my $made = command($folder, 'psl compile places.f90 -o places.psl');
  ok($made->{exit} eq '0', 'statuses in Fortran: has a model', $made->{err});
  compiled("$folder/places.f90", 'places');
  command($folder, "PAIR_COUNT=count mpirun.mpich -n 5 -genv LD_PRELOAD $folder/counter.so ./places");
  equal(pairs('places.psl', 5), slurp("$folder/count"), 'which sends to those that sent');
  mkdir "$folder/files";
  spew("$folder/files/times.h", "      integer times\n      parameter (times = 3)\n");
  spew("$folder/files/main.f", "      program main\n      integer e\n      call MPI_Init(e)\n      call work\n      call MPI_Finalize(e)\n      end\n");
  spew("$folder/files/work.f", "      subroutine work\n      include 'mpif.h'\n      include 'times.h'\n      integer k, e\n" .
       "      do k = 1, times\n        call MPI_Barrier(MPI_COMM_WORLD, e)\n      end do\n      end\n");
  my $included = command($folder, 'psl compile files/main.f files/work.f');
  ok($included->{out} =~ /for k in 1 \.\. 3 \{/, 'several files in Fortran include what is in their folder', $included->{out} . $included->{err});
  spew("$folder/host.f90", <<'END');
program host
  use mpi
  implicit none
  integer :: ierr, rank, ranks, c, i, g, s, d, dims(2), status(MPI_STATUS_SIZE)
  logical :: per(2)
  double precision :: a(100), b(100)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, rank > 0), 0, c, ierr)
  i = 3
  if (c == MPI_COMM_NULL) i = 8
  call pass(i)
  if (c /= MPI_COMM_NULL) call MPI_Comm_free(c, ierr)
  if (c == MPI_COMM_NULL) call pass(5)
  dims(1) = ranks
  dims(2) = 1
  per(1) = ranks > 3
  per(2) = .false.
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, per, .false., g, ierr)
  call MPI_Cart_shift(g, 0, 1, s, d, ierr)
  call MPI_Sendrecv(a, 5, MPI_INTEGER, d, 0, b, 5, MPI_INTEGER, s, 0, g, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine pass(n)
    integer, intent(in) :: n
    call MPI_Sendrecv(a, n, MPI_INTEGER, mod(rank + 1, ranks), 0, b, 100, MPI_INTEGER, &
                      mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, status, ierr)
  end subroutine
end program
END
  $made = command($folder, 'psl compile host.f90 -o host.psl');
  ok($made->{exit} eq '0', 'internal procedures of Fortran: has a model', $made->{err});
  compiled("$folder/host.f90", 'host');
  for my $ranks (3, 4) {
    command($folder, "PAIR_COUNT=count mpirun.mpich -n $ranks -genv LD_PRELOAD $folder/counter.so ./host");
    equal(pairs('host.psl', $ranks), slurp("$folder/count"), "internal procedures of Fortran: sends what the program does, on $ranks ranks");
  }
  spew("$folder/outside.f90", <<'END');
module outside
  implicit none
  integer, external :: doublings
  external :: pass
end module
END
  spew("$folder/uses.f90", <<'END');
program uses
  use mpi
  use outside
  implicit none
  integer :: rank, ranks, e, k
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  do k = 1, doublings(ranks)
    call pass(10 * k, rank, ranks)
  end do
  call MPI_Finalize(e)
end program
integer function doublings(n)
  implicit none
  integer :: n, all
  all = 2
  doublings = 1
  do while (all < n)
    all = all * 2
    doublings = doublings + 1
  end do
end function
subroutine pass(n, rank, ranks)
  use mpi
  implicit none
  integer :: n, rank, ranks, e, data(100), in(100)
  call MPI_Sendrecv(data, n, MPI_INTEGER, mod(rank + 1, ranks), 0, in, n, MPI_INTEGER, &
                    mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
end subroutine
END
  $made = command($folder, 'psl compile outside.f90 uses.f90 -o uses.psl');
  ok($made->{exit} eq '0', 'functions that a module declares are followed to their bodies', $made->{err});
  command($folder, 'mpif90.mpich outside.f90 uses.f90 -o uses');
  command($folder, "PAIR_COUNT=count mpirun.mpich -n 5 -genv LD_PRELOAD $folder/counter.so ./uses");
  equal(pairs('uses.psl', 5), slurp("$folder/count"), 'and send what the program does');
  spew("$folder/length.f90", <<'END');
program main
  use mpi
  implicit none
  integer :: rank, ranks, e, n, m
  real(8) :: data(1000)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  n = rank + 3
  call MPI_Bcast(n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
  call MPI_Send(data, n, MPI_INTEGER, mod(rank + 1, ranks), 2, MPI_COMM_WORLD, e)
  call MPI_Recv(data, 100, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
  call MPI_Finalize(e)
end program
END
  ok(command($folder, 'psl compile length.f90')->{err} =~ /^psl: error: length\.f90:11: what mpi_bcast gives at length\.f90:10 decides here/,
     'a length that is broadcast, of which each rank has another: refused');
}

# ---- choices ----

faithful('choice', 'choices of many ways', '', <<'END', ['n=5'], 3);
  for (int k = 0; k < 12; k++) {
    int m = 0;
    switch (k + n) {
    case 5: pass(1); break;
    case 6: case 10: m = 3; /* and on */
    case 7: m += 4; break;
    case 12 ... 14: m = 20; break;
    case 16: goto done;
    default: pass(100);
    }
    if (m) pass(m);
  }
done:
END

# ---- loops that write what they count ----

if (have('mpif90.mpich') && have('gfortran')) {
  spew("$folder/writes.f90", <<'END');
program writes
  use mpi
  integer :: rank, ranks, ierr, n, i
  real(8) :: q(40)
  character(8) :: word
  call get_command_argument(1, word)
  read (word, *) n
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  q = 1
  do i = 1, n
    q(i) = q(i) / 3
    write (*, *) i, q(i)
  end do
  write (*, *) n, (i, q(i), i = 1, n - 1)
  call mpi_sendrecv(q, n, mpi_double_precision, mod(rank + 1, ranks), 0, q(21), n, mpi_double_precision, &
                    mod(rank + ranks - 1, ranks), 0, mpi_comm_world, mpi_status_ignore, ierr)
  call mpi_finalize(ierr)
end program
END
  my $made = command($folder, 'psl compile writes.f90 -o writes.psl');
  ok($made->{exit} eq '0' && slurp("$folder/writes.psl") =~ /^\/\/\/ Assumed: lists of numbers are read and written well$/m,
     'loops of Fortran that write their counters: have a model', $made->{err});
  equal(command($folder, 'psl compile --report writes.f90')->{out} =~ s/\n.*//sr, 'loops       3 of 3 known', 'and lengths that are known');
  if (compiled("$folder/writes.f90", 'writes')) {
    command($folder, "PAIR_COUNT=count mpirun.mpich -n 3 -genv LD_PRELOAD $folder/counter.so ./writes 7");
    equal(pairs('writes.psl', 3, 'n=7'), slurp("$folder/count"), 'and send what the program does');
  }
}
finish();
