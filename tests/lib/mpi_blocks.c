/* Data in blocks, packed, sent and received in part; reductions; and types that match. Prints sums of what is got. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8192

static int rank;
static unsigned char data[ROOM], packed[ROOM], back[ROOM];

static unsigned long sum_of(const void *from, int bytes) {
  const unsigned char *byte = from;
  unsigned long sum = 0;
  for (int k = 0; k < bytes; k++)
    sum = sum * 31 + byte[k];
  return sum;
}

/* Packs, unpacks, and receives a part of the elements: whole ones, and one in part, in units of so many bytes. */
static void try(const char *name, MPI_Datatype type, int count, int unit) {
  int size, there = 0, place = 0;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &size);
  for (int k = 0; k < ROOM; k++)
    data[k] = (unsigned char)(k * 7 + k / 256);
  memset(packed, 0, ROOM), memset(back, 0, ROOM);
  MPI_Pack(data + 2048, count, type, packed, ROOM, &there, MPI_COMM_WORLD);
  unsigned long sum = sum_of(packed, there);
  MPI_Unpack(packed, there, &place, back + 2048, count, type, MPI_COMM_WORLD);
  if (!rank) printf("%s: %d bytes, packed %lx, unpacked %lx\n", name, there, sum, sum_of(back, ROOM));
  for (int bytes = there; bytes > 0; bytes -= (size / 2 / unit + 1) * unit) {
    memset(back, 0, ROOM);
    MPI_Sendrecv(packed, bytes, MPI_PACKED, rank, 1, back + 2048, count, type, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (!rank) printf("  %d bytes: %lx\n", bytes, sum_of(back, ROOM));
  }
  MPI_Type_free(&type);
}

static void blocks(void) {
  static const int lengths[] = {1, 1, 1, 2, 2, 1, 3}, places[] = {0, 4, 8, 20, 30, 40, 60};
  static const int sizes[] = {6, 6, 6}, parts[] = {4, 4, 1}, starts[] = {1, 1, 1};
  MPI_Datatype made, inner;
  for (int length = 1; length <= 36; length += length < 4 ? 1 : 4) {
    char name[32];
    MPI_Type_vector(5, length, 40, MPI_CHAR, &made);
    snprintf(name, sizeof name, "vector of %d", length);
    try(name, made, 3, 1);
  }
  MPI_Type_vector(5, 1, -3, MPI_DOUBLE, &made);
  try("backwards", made, 2, 8);
  MPI_Type_indexed(7, lengths, places, MPI_INT, &made);
  try("indexed", made, 2, 4);
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &made);
  try("face", made, 1, 8);
  MPI_Type_create_resized(MPI_DOUBLE, 0, 24, &made);
  try("resized", made, 9, 8);
  MPI_Type_contiguous(3, MPI_INT, &made);
  try("contiguous", made, 4, 4);
  MPI_Type_vector(2, 1, 2, MPI_SHORT, &inner);
  MPI_Type_create_hvector(3, 2, 32, inner, &made);
  try("vector of vectors", made, 2, 2);
  MPI_Type_free(&inner);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){8, 0}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &made);
  try("structure", made, 5, 12);
}

/* More elements than the processor has at hand, where they do not lie one behind the other. */
static void pairs(MPI_Op op) {
  enum { COUNT = 3001 };
  struct pair {
    double value;
    int place;
  } *a = malloc(COUNT * sizeof *a), *b = malloc(COUNT * sizeof *b);
  double sum = 0;
  for (int k = 0; k < COUNT; k++)
    a[k] = (struct pair){k * 7 % 11, k}, b[k] = (struct pair){k * 5 % 11, k - k % 3 + 1};
  MPI_Reduce_local(a, b, COUNT, MPI_DOUBLE_INT, op);
  for (int k = 0; k < COUNT; k++)
    sum = sum * 0.5 + b[k].value * b[k].place;
  if (!rank) printf("pairs: %g\n", sum);
  free(a), free(b);
}

#define REDUCED(T, TYPE, OP)                                 \
  do {                                                       \
    T a[77], b[77], all[77];                                 \
    double sum = 0;                                          \
    for (int k = 0; k < 77; k++)                             \
      a[k] = (T)(k * 3 % 7), b[k] = (T)(k * 5 % 8 + rank);   \
    MPI_Reduce_local(a + 1, b + 1, 75, TYPE, OP);            \
    MPI_Allreduce(b, all, 77, TYPE, OP, MPI_COMM_WORLD);     \
    for (int k = 0; k < 77; k++)                             \
      sum = sum * 0.75 + (double)all[k];                     \
    MPI_Scan(MPI_IN_PLACE, b, 77, TYPE, OP, MPI_COMM_WORLD); \
    for (int k = 0; k < 77; k++)                             \
      sum = sum * 0.75 + (double)b[k];                       \
    if (!rank) printf("%s %s: %.12g\n", #T, #OP, sum);       \
  } while (0)
#define ORDERED(T, TYPE)     \
  REDUCED(T, TYPE, MPI_SUM); \
  REDUCED(T, TYPE, MPI_MAX); \
  REDUCED(T, TYPE, MPI_MIN); \
  REDUCED(T, TYPE, MPI_PROD)
#define BITS(T, TYPE)         \
  ORDERED(T, TYPE);           \
  REDUCED(T, TYPE, MPI_BAND); \
  REDUCED(T, TYPE, MPI_BOR);  \
  REDUCED(T, TYPE, MPI_BXOR); \
  REDUCED(T, TYPE, MPI_LAND); \
  REDUCED(T, TYPE, MPI_LOR);  \
  REDUCED(T, TYPE, MPI_LXOR)

/* Types that a message may be sent and received as: what has one name in C and another one in Fortran, and so on. */
static void matches(void) {
  static const MPI_Datatype both[][2] = {{MPI_INT, MPI_INTEGER},
                                         {MPI_DOUBLE, MPI_DOUBLE_PRECISION},
                                         {MPI_REAL, MPI_FLOAT},
                                         {MPI_LONG, MPI_LONG_LONG},
                                         {MPI_INT64_T, MPI_LONG},
                                         {MPI_AINT, MPI_COUNT},
                                         {MPI_OFFSET, MPI_UINT64_T},
                                         {MPI_CHAR, MPI_UNSIGNED_CHAR},
                                         {MPI_SIGNED_CHAR, MPI_CHARACTER},
                                         {MPI_INT, MPI_UNSIGNED},
                                         {MPI_LOGICAL, MPI_INT},
                                         {MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX},
                                         {MPI_2INT, MPI_2INTEGER}};
  long from[8] = {1, 2, 3}, to[8] = {0};
  char bytes[16];
  MPI_Status status;
  for (size_t k = 0; k < sizeof both / sizeof *both; k++) {
    MPI_Sendrecv(from, 2, both[k][0], rank, 2, to, 2, both[k][1], rank, 2, MPI_COMM_WORLD, &status);
    MPI_Bcast(to, 1, both[k][rank != 0], 0, MPI_COMM_WORLD);
  }
  MPI_Sendrecv(from, 1, MPI_2INT, rank, 2, to, 2, MPI_INT, rank, 2, MPI_COMM_WORLD, &status);
  MPI_Sendrecv(from, 2, MPI_DOUBLE, rank, 2, bytes, 16, MPI_BYTE, rank, 2, MPI_COMM_WORLD, &status);
  MPI_Sendrecv(from, 0, MPI_DOUBLE, rank, 2, to, 2, MPI_INT, rank, 2, MPI_COMM_WORLD, &status); /* nothing is of any */
  if (!rank) printf("matched: %lx\n", sum_of(to, sizeof to) + sum_of(bytes, sizeof bytes));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  blocks();
  pairs(MPI_MAXLOC);
  pairs(MPI_MINLOC);
  matches();
  BITS(signed char, MPI_INT8_T);
  BITS(unsigned short, MPI_UNSIGNED_SHORT);
  BITS(int, MPI_INT);
  BITS(long, MPI_LONG);
  BITS(unsigned long, MPI_UINT64_T);
  ORDERED(float, MPI_FLOAT);
  ORDERED(double, MPI_DOUBLE);
  ORDERED(long double, MPI_LONG_DOUBLE);
  MPI_Finalize();
  return 0;
}
