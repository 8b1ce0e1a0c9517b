/* Twelve kernels on a working set: `kernels NAME KIB TIMES [REPEATS]` does one so many times, and prints the median of
 * what a time takes of the processor, in ns. The clock is read once in so many repeats, of which each time has as many:
 * it takes 1 us where the system is asked for it. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double *a, *b, *c;
static uint32_t *where;
static size_t count, side, edge, rows; /* of each array; of a square and of a cube in it; of a sparse matrix */
static struct item {
  double value;
  struct item *next;
  double others[6];
} * items; /* of a list, in the place of `a` */

/* Three arrays, one behind the other. */
static __attribute__((noinline)) void triad(void) {
  for (size_t i = 0; i < count; i++)
    a[i] = b[i] + 3 * c[i];
}

/* The mean of four neighbours. */
static __attribute__((noinline)) void stencil(void) {
  for (size_t i = 1; i + 1 < side; i++)
    for (size_t j = 1; j + 1 < side; j++)
      a[i * side + j] =
          0.25 * (b[(i - 1) * side + j] + b[(i + 1) * side + j] + b[i * side + j - 1] + b[i * side + j + 1]);
}

/* The product of a matrix and a vector. */
static __attribute__((noinline)) void product(void) {
  for (size_t i = 0; i < side; i++) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (size_t j = 0; j + 3 < side; j += 4) {
      s0 += b[i * side + j] * c[j];
      s1 += b[i * side + j + 1] * c[j + 1];
      s2 += b[i * side + j + 2] * c[j + 2];
      s3 += b[i * side + j + 3] * c[j + 3];
    }
    a[i] = s0 + s1 + s2 + s3;
  }
}

/* Columns become rows. */
static __attribute__((noinline)) void transposed(void) {
  for (size_t i = 0; i < side; i++)
    for (size_t j = 0; j < side; j++)
      a[i * side + j] = b[j * side + i];
}

/* From anywhere. */
static __attribute__((noinline)) void gather(void) {
  for (size_t i = 0; i < count; i++)
    a[i] = b[where[i]];
}

/* Each cell waits for the one before it, in both directions. */
static __attribute__((noinline)) void wavefront(void) {
  for (size_t i = 1; i < side; i++)
    for (size_t j = 1; j < side; j++)
      a[i * side + j] = 0.3 * a[(i - 1) * side + j] + 0.3 * a[i * side + j - 1] + b[i * side + j];
}

/* ---- six others, by which it is seen how well a method does that was made by the six before ---- */

/* The product of a matrix of five numbers a row, whose columns are anywhere, and a vector. */
static __attribute__((noinline)) void sparse(void) {
  for (size_t i = 0; i < rows; i++) {
    double sum = 0;
    for (size_t k = 5 * i; k < 5 * i + 5; k++)
      sum += b[k] * c[where[k]];
    a[i] = sum;
  }
}

/* How often each value occurs. */
static __attribute__((noinline)) void histogram(void) {
  for (size_t i = 0; i < count; i++)
    a[where[i]] += 1;
}

/* A step of Gauss' elimination: a row taken from all others. */
static __attribute__((noinline)) void elimination(void) {
  for (size_t i = 1; i < side; i++) {
    double factor = 1e-9 * b[i];
    for (size_t j = 0; j < side; j++)
      a[i * side + j] -= factor * a[j];
  }
}

/* The mean of six neighbours in space. */
static __attribute__((noinline)) void space(void) {
  const size_t plane = edge * edge;
  for (size_t i = 1; i + 1 < edge; i++)
    for (size_t j = 1; j + 1 < edge; j++)
      for (size_t k = i * plane + j * edge + 1; k < i * plane + (j + 1) * edge - 1; k++)
        a[k] = (b[k - 1] + b[k + 1] + b[k - edge] + b[k + edge] + b[k - plane] + b[k + plane]) * (1.0 / 6);
}

/* A field of records of 32 bytes, of which another one follows. */
static __attribute__((noinline)) void records(void) {
  for (size_t i = 0; i + 3 < count; i += 4)
    a[i + 1] = 0.5 * a[i] + 1;
}

/* The sum of a list whose items are anywhere. */
static __attribute__((noinline)) void list(void) {
  double sum = 0;
  const struct item *at = items;
  do
    sum += at->value;
  while ((at = at->next) != items);
  b[0] = sum;
}

static const struct kernel {
  const char *name;
  void (*run)(void);
  unsigned arrays; /* of doubles that it goes through */
} kernels[] = {{"triad", triad, 3},           {"stencil", stencil, 2},     {"product", product, 1},
               {"transposed", transposed, 2}, {"gather", gather, 2},       {"wavefront", wavefront, 2},
               {"sparse", sparse, 2},         {"histogram", histogram, 1}, {"elimination", elimination, 1},
               {"space", space, 2},           {"records", records, 1},     {"list", list, 1}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *x, const void *y) {
  double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}

static size_t drawn(size_t below) {
  static uint64_t random = 1;
  random = random * UINT64_C(6364136223846793005) + 1;
  return (size_t)(random >> 33) % below;
}

/* A circle through all items, each way round as likely (Sattolo). */
static void link_items(void) {
  size_t all = count / 8;
  items = (struct item *)a;
  for (size_t k = 0; k < all; k++)
    items[k] = (struct item){.value = 1, .next = &items[k]};
  for (size_t k = all - 1; k > 0; k--) {
    size_t other = drawn(k);
    struct item *next = items[k].next;
    items[k].next = items[other].next;
    items[other].next = next;
  }
}

static void fill(bool list) {
  for (side = 1; (side + 1) * (side + 1) <= count; side++)
    continue;
  for (edge = 1; (edge + 1) * (edge + 1) * (edge + 1) <= count; edge++)
    continue;
  for (size_t i = 0; i < count; i++) {
    a[i] = b[i] = c[i] = 1 + (double)(i % 7);
    where[i] = (uint32_t)drawn(count);
  }
  if (list) link_items();
}

int main(int words, char **word) {
  size_t bytes = words >= 4 ? 1024 * strtoul(word[2], NULL, 10) : 0,
         times = words >= 4 ? strtoul(word[3], NULL, 10) : 0, repeats = words == 5 ? strtoul(word[4], NULL, 10) : 1;
  const struct kernel *kernel = kernels;
  while (kernel < kernels + KERNELS && words >= 4 && strcmp(kernel->name, word[1]))
    kernel++;
  if (!times || !repeats || bytes < 1024 || kernel == kernels + KERNELS)
    return fputs("kernels NAME KIB TIMES [REPEATS]\n", stderr), 2;
  count = bytes / kernel->arrays / sizeof(double);
  a = aligned_alloc(4096, (count * 8 / 4096 + 1) * 4096);
  b = aligned_alloc(4096, (count * 8 / 4096 + 1) * 4096);
  c = aligned_alloc(4096, (count * 8 / 4096 + 1) * 4096);
  where = malloc((count + 1) * sizeof *where);
  double *samples = malloc(times * sizeof *samples);
  if (!a || !b || !c || !where || !samples) return 1;
  rows = count / 5;
  fill(kernel->run == list);
  for (size_t k = 0; k < times; k++) {
    double begin = now();
    for (size_t r = 0; r < repeats; r++)
      kernel->run();
    samples[k] = (now() - begin) / (double)repeats;
  }
  qsort(samples, times, sizeof *samples, by_size);
  printf("%.1f\n", samples[times / 2]);
  return 0;
}
