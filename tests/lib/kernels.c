/* Six kernels on a working set: `kernels NAME KIB TIMES [REPEATS]` does one so many times, and prints the median of
 * what a time takes of the processor, in ns. The clock is read once in so many repeats, of which each time has as many:
 * it takes 1 us where the system is asked for it. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double *a, *b, *c;
static uint32_t *where;
static size_t count, side; /* of each array; of a square in it */

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

static const struct kernel {
  const char *name;
  void (*run)(void);
  unsigned arrays; /* of doubles that it goes through */
} kernels[] = {{"triad", triad, 3},           {"stencil", stencil, 2}, {"product", product, 1},
               {"transposed", transposed, 2}, {"gather", gather, 2},   {"wavefront", wavefront, 2}};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *x, const void *y) {
  double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}

static void fill(void) {
  uint64_t random = 1;
  for (side = 1; (side + 1) * (side + 1) <= count; side++)
    continue;
  for (size_t i = 0; i < count; i++) {
    random = random * UINT64_C(6364136223846793005) + 1;
    a[i] = b[i] = c[i] = 1 + (double)(i % 7);
    where[i] = (uint32_t)((random >> 33) % count);
  }
}

int main(int words, char **word) {
  size_t bytes = words >= 4 ? 1024 * strtoul(word[2], NULL, 10) : 0,
         times = words >= 4 ? strtoul(word[3], NULL, 10) : 0, repeats = words == 5 ? strtoul(word[4], NULL, 10) : 1;
  const struct kernel *kernel = kernels;
  while (kernel < kernels + 6 && words >= 4 && strcmp(kernel->name, word[1]))
    kernel++;
  if (!times || !repeats || bytes < 1024 || kernel == kernels + 6)
    return fputs("kernels NAME KIB TIMES [REPEATS]\n", stderr), 2;
  count = bytes / kernel->arrays / sizeof(double);
  a = aligned_alloc(4096, (count * 8 / 4096 + 1) * 4096);
  b = aligned_alloc(4096, (count * 8 / 4096 + 1) * 4096);
  c = aligned_alloc(4096, (count * 8 / 4096 + 1) * 4096);
  where = malloc((count + 1) * sizeof *where);
  double *samples = malloc(times * sizeof *samples);
  if (!a || !b || !c || !where || !samples) return 1;
  fill();
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
