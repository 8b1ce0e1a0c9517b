/* The program that `psl measure memory` runs: how long accesses to memory take by working set and by their order, how
 * long floating-point operations do, on one processor and on all at once. It prints a line a sample,
 * psl-probe,TEST,STRIDE,PROCESSORS,BYTES,SECONDS, the seconds of one access or operation. A median is sampled until its
 * interval is narrow, or so often as the first word says, in two rounds, for what else a host does changes. With the
 * second word `compute` it is what `psl measure compute` runs: operations, one number at a time and vectors of LANES,
 * of CHAINS that do not wait for each other, psl-probe,OPERATION,LANES,CHAINS,SECONDS, the seconds of one instruction.
 *
 * Working sets are gone through in a circle, and the next sample goes on where the last one ended, so that what is
 * touched was touched one whole set ago. */
#include <immintrin.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  LINE = 64,
  FINE = 8,    /* sets of a chase in a doubling */
  CHAINS = 12, /* of instructions that do not wait for each other */
  WORDS = LINE / 8,
  APART = 8 * WORDS,
  PAGE = 4096 + LINE,
  ROUNDS = 2,
  SAMPLES_LEAST = 7,
  SAMPLES_MOST = 1000,
  PROCESSORS_MOST = 256,
  UNROLLED = 8
};
#define SET_LEAST (4u << 10)
#define SET_MOST (256u << 20)
#define INTERLEAVED_MOST (16u << 20)
#define SECONDS 0.5e-3 /* of a sample, at least */
#define NARROW 0.05    /* half of a median's interval, as a part of it */

struct test {
  const char *name;
  uint64_t stride;    /* in words */
  uint64_t words, at; /* of the circle; the next one */
  uint64_t bytes;     /* of the lines that are used */
  volatile uint64_t *data;
  uint64_t far; /* the next one of the largest set, which is gone through beside the test's */
  uint64_t state, sum;
  double numbers[16];
  void (*run)(struct test *test, uint64_t count);
};

/* ---- what is timed: `count` accesses, a multiple of UNROLLED ---- */

/* What is loaded and stored are floating-point numbers, as in programs that compute: processors may have fewer ways for
 * these than for integers. Nothing is done with them. */
static inline void take(double number) { __asm__ volatile("" : : "x"(number)); }

static void run_load(struct test *t, uint64_t count) {
  const volatile double *data = (const volatile double *)t->data;
  uint64_t at = t->at, stride = t->stride, words = t->words;
  for (; count; count -= UNROLLED) {
    const volatile double *here = data + at;
    take(here[0]), take(here[stride]), take(here[2 * stride]), take(here[3 * stride]);
    take(here[4 * stride]), take(here[5 * stride]), take(here[6 * stride]), take(here[7 * stride]);
    at += UNROLLED * stride;
    if (at >= words) at -= words;
  }
  t->at = at;
}

static void run_store(struct test *t, uint64_t count) {
  volatile double *data = (volatile double *)t->data;
  double number = t->numbers[0];
  uint64_t at = t->at, stride = t->stride, words = t->words;
  for (; count; count -= UNROLLED) {
    volatile double *here = data + at;
    here[0] = number, here[stride] = number, here[2 * stride] = number, here[3 * stride] = number;
    here[4 * stride] = number, here[5 * stride] = number, here[6 * stride] = number, here[7 * stride] = number;
    at += UNROLLED * stride;
    if (at >= words) at -= words;
  }
  t->at = at;
}

/* Whole numbers, for which processors may have more ways than for others. Four lines a turn, for the next place is not
 * there at once. */
static void run_integers(struct test *t, uint64_t count) {
  const volatile uint64_t *data = t->data;
  uint64_t at = t->at, words = t->words;
#define TAKE_LINE(K)                                                                                   \
  __asm__ volatile("mov (%0), %%eax\n\tmov 8(%0), %%ecx\n\tmov 16(%0), %%edx\n\tmov 24(%0), %%esi\n\t" \
                   "mov 32(%0), %%eax\n\tmov 40(%0), %%ecx\n\tmov 48(%0), %%edx\n\tmov 56(%0), %%esi"  \
                   :                                                                                   \
                   : "r"(data + at + (K)*WORDS)                                                        \
                   : "eax", "ecx", "edx", "esi");
  for (; count; count -= 4 * WORDS) {
    TAKE_LINE(0)
    TAKE_LINE(1)
    TAKE_LINE(2)
    TAKE_LINE(3)
    at += 4 * WORDS;
    if (at >= words) at = 0;
  }
  t->at = at;
}

/* Numbers of the largest set and of the test's in turn, each in order: `count` of both. */
static void run_interleaved(struct test *t, uint64_t count) {
  const volatile double *data = (const volatile double *)t->data;
  uint64_t at = t->at, words = t->words, far = t->far;
  for (; count; count -= UNROLLED) {
    const volatile double *here = data + at, *there = data + far;
    take(here[0]), take(there[0]), take(here[1]), take(there[1]);
    take(here[2]), take(there[2]), take(here[3]), take(there[3]);
    at += UNROLLED / 2, far += UNROLLED / 2;
    if (at >= words) at = 0;
    if (far >= SET_MOST / 8) far = 0;
  }
  t->at = at;
  t->far = far;
}

/* STREAM's four kernels (McCalpin) on three arrays, a third of the set each: `count` numbers of one of them. */
#define STREAM_KERNEL(NAME, EXPRESSION)                             \
  static void run_##NAME(struct test *t, uint64_t count) {          \
    uint64_t third = t->words / 3, at = t->at;                      \
    double *a = (double *)t->data, *b = a + third, *c = b + third;  \
    for (; count; count -= UNROLLED) {                              \
      for (uint64_t i = at; i < at + UNROLLED; i++) {               \
        EXPRESSION;                                                 \
        __asm__ volatile("" : : "r"(a), "r"(b), "r"(c) : "memory"); \
      }                                                             \
      at += UNROLLED;                                               \
      if (at + UNROLLED > third) at = 0;                            \
    }                                                               \
    t->at = at;                                                     \
  }
STREAM_KERNEL(copy, c[i] = a[i])
STREAM_KERNEL(scale, b[i] = 3 * c[i])
STREAM_KERNEL(sum, c[i] = a[i] + b[i])
STREAM_KERNEL(triad, a[i] = b[i] + 3 * c[i])

static inline uint64_t next_number(uint64_t *state) {
  return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

static inline uint64_t next_place(uint64_t *state, uint64_t words) { return (next_number(state) >> 32) * words >> 32; }

static uint32_t order_of_lines[SET_MOST / LINE]; /* a number of each line of a set, in no order */

/* Loads that do not wait for each other, a line each. */
static void run_random(struct test *t, uint64_t count) {
  const volatile double *data = (const volatile double *)t->data;
  uint64_t at = t->at, lines = t->words / WORDS;
  for (; count; count -= UNROLLED) {
    const uint32_t *here = order_of_lines + at;
    take(data[here[0]]), take(data[here[1]]), take(data[here[2]]), take(data[here[3]]);
    take(data[here[4]]), take(data[here[5]]), take(data[here[6]]), take(data[here[7]]);
    at += UNROLLED;
    if (at >= lines) at = 0;
  }
  t->at = at;
}

/* Each line has the address of the next one. */
static void run_chase(struct test *t, uint64_t count) {
  const volatile uint64_t *at = t->data + t->at;
  for (; count; count--)
    at = (const volatile uint64_t *)(uintptr_t)*at;
  t->at = (uint64_t)(at - t->data);
}

/* As many additions as multiplications, none of which waits for the one before. Their numbers all are in registers. */
static void run_float(struct test *t, uint64_t count) {
  double all[CHAINS], less = 0.999999999, more = 1e-9;
  for (int k = 0; k < CHAINS; k++)
    all[k] = 1;
  for (; count >= CHAINS; count -= CHAINS) {
    _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) {
      double a = all[k];
      a = k % 2 ? a + more : a * less;
      __asm__("" : "+x"(a), "+x"(less), "+x"(more));
      all[k] = a;
    }
  }
  memcpy(t->numbers, all, sizeof *all);
}

/* ---- operations ---- */

typedef double pair __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
#define WIDE __attribute__((target("avx2,fma")))

/* Each instruction changes the number of one chain. */
#define OPERATION(NAME, TYPE, TARGET, CHANGED)                      \
  TARGET static void NAME##_waits(struct test *t, uint64_t count) { \
    TYPE a = (TYPE){0} + 1.5, one = (TYPE){0} + 1.000001;           \
    for (; count; count--) {                                        \
      a = CHANGED;                                                  \
      __asm__("" : "+x"(a), "+x"(one));                             \
    }                                                               \
    memcpy(t->numbers, &a, sizeof a);                               \
  }                                                                 \
  TARGET static void NAME##_runs(struct test *t, uint64_t count) {  \
    TYPE all[CHAINS], one = (TYPE){0} + 1.000001;                   \
    for (int k = 0; k < CHAINS; k++)                                \
      all[k] = (TYPE){0} + 1.5;                                     \
    for (; count >= CHAINS; count -= CHAINS) {                      \
      _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) {   \
        TYPE a = all[k];                                            \
        a = CHANGED;                                                \
        __asm__("" : "+x"(a), "+x"(one));                           \
        all[k] = a;                                                 \
      }                                                             \
    }                                                               \
    memcpy(t->numbers, all, sizeof *all);                           \
  }

OPERATION(add, double, , a + one)
OPERATION(multiply, double, , a *one)
OPERATION(divide, double, , one / a)
OPERATION(root, double, , _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(a), _mm_set_sd(a))))
OPERATION(fused, double, WIDE, __builtin_fma(a, one, one))
OPERATION(add_pair, pair, , a + one)
OPERATION(multiply_pair, pair, , a *one)
OPERATION(divide_pair, pair, , one / a)
OPERATION(root_pair, pair, , _mm_sqrt_pd(a))
OPERATION(add_four, four, WIDE, a + one)
OPERATION(multiply_four, four, WIDE, a *one)
OPERATION(divide_four, four, WIDE, one / a)
OPERATION(root_four, four, WIDE, _mm256_sqrt_pd(a))
OPERATION(fused_four, four, WIDE, _mm256_fmadd_pd(a, one, one))

/* What is no operation of floating point: sums of integers, and a number that is stored and loaded again. */
static void integer_waits(struct test *t, uint64_t count) {
  uint64_t a = t->sum;
  for (; count; count--) {
    a += 3;
    __asm__("" : "+r"(a));
  }
  t->sum = a;
}

#define EACH(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3) WHAT(4) WHAT(5) WHAT(6) WHAT(7) WHAT(8) WHAT(9) WHAT(10) WHAT(11)

static void integer_runs(struct test *t, uint64_t count) {
  uint64_t all[CHAINS] = {0};
  for (; count >= CHAINS; count -= CHAINS) {
#define SUM(K) __asm__ volatile("add $3, %0" : "+r"(all[K]));
    EACH(SUM)
  }
  t->sum = all[0];
}

/* Instructions for several units, as programs have them, so that none of these is what limits: of four, two are sums of
 * integers, one of floating-point numbers, and one is a load. */
static void mixed_runs(struct test *t, uint64_t count) {
  uint64_t integers[CHAINS] = {0};
  double numbers[CHAINS] = {0}, one = 1;
  for (; count >= 4 * CHAINS; count -= 4 * CHAINS) {
#define FOUR(K)                                                                            \
  __asm__ volatile("addq $3, %0\n\taddsd %2, %1\n\tmovl %3, %%eax\n\tleal 3(%%rax), %%edx" \
                   : "+r"(integers[K % 4]), "+x"(numbers[K])                               \
                   : "x"(one), "m"(t->words)                                               \
                   : "eax", "edx");
    EACH(FOUR)
  }
  t->sum = integers[0];
  t->numbers[0] = numbers[0];
}

/* Each number is loaded from where the one before was stored: the two instructions are one step. */
static void forward_waits(struct test *t, uint64_t count) {
  volatile double places[CHAINS + 1] = {t->numbers[0]};
  for (; count >= CHAINS; count -= CHAINS) {
    for (int k = 0; k < CHAINS; k++) {
      double number = places[k];
      __asm__("" : "+x"(number));
      places[k + 1] = number;
    }
    places[0] = places[CHAINS];
  }
  t->numbers[0] = places[0];
}

static void forward_runs(struct test *t, uint64_t count) {
  double a = t->numbers[0], places[CHAINS];
  for (; count >= CHAINS; count -= CHAINS) {
#define PUT_AND_TAKE(K) __asm__ volatile("movsd %1, %0\n\tmovsd %0, %%xmm7" : "=m"(places[K]) : "x"(a) : "xmm7");
    EACH(PUT_AND_TAKE)
  }
  t->numbers[0] = a;
}

/* A branch of which nothing can be known, half of the times mispredicted, and one that goes the same way each time. */
static void branch_steps(struct test *t, uint64_t count, uint64_t bit) {
  uint64_t state = t->state + 1, sum = 0;
  for (; count; count--) {
    uint64_t drawn = state >> 40;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    __asm__ volatile("testq %2, %1\n\tjz 1f\n\taddq $1, %0\n1:" : "+r"(sum) : "r"(drawn), "r"(bit) : "cc");
  }
  t->state = state;
  t->sum = sum;
}

static void branch_waits(struct test *t, uint64_t count) { branch_steps(t, count, 1); }
static void branch_runs(struct test *t, uint64_t count) { branch_steps(t, count, 0); }

static const struct operation {
  const char *name;
  int lanes;
  bool wide; /* needs AVX2 and fused operations */
  void (*waits)(struct test *test, uint64_t count), (*runs)(struct test *test, uint64_t count);
} operations[] = {
    {"integer", 1, false, integer_waits, integer_runs},
    {"forward", 1, false, forward_waits, forward_runs},
    {"mixed", 1, false, NULL, mixed_runs},
    {"branch", 1, false, branch_waits, branch_runs},
    {"add", 1, false, add_waits, add_runs},
    {"multiply", 1, false, multiply_waits, multiply_runs},
    {"fused", 1, true, fused_waits, fused_runs},
    {"divide", 1, false, divide_waits, divide_runs},
    {"root", 1, false, root_waits, root_runs},
    {"add", 2, false, add_pair_waits, add_pair_runs},
    {"multiply", 2, false, multiply_pair_waits, multiply_pair_runs},
    {"divide", 2, false, divide_pair_waits, divide_pair_runs},
    {"root", 2, false, root_pair_waits, root_pair_runs},
    {"add", 4, true, add_four_waits, add_four_runs},
    {"multiply", 4, true, multiply_four_waits, multiply_four_runs},
    {"fused", 4, true, fused_four_waits, fused_four_runs},
    {"divide", 4, true, divide_four_waits, divide_four_runs},
    {"root", 4, true, root_four_waits, root_four_runs},
};

/* ---- sets ---- */

/* All lines of the set, in no order. */
static void draw_places(const struct test *t) {
  uint64_t lines = t->words / WORDS, state = 1;
  for (uint64_t k = 0; k < lines; k++)
    order_of_lines[k] = (uint32_t)(k * WORDS);
  for (uint64_t k = lines - 1; k; k--) {
    uint64_t other = next_place(&state, k + 1);
    uint32_t line = order_of_lines[k];
    order_of_lines[k] = order_of_lines[other];
    order_of_lines[other] = line;
  }
}

static void link_lines(struct test *t) {
  uint64_t lines = t->words / WORDS;
  draw_places(t);
  for (uint64_t k = 0; k < lines; k++)
    t->data[order_of_lines[k]] = (uintptr_t)(t->data + order_of_lines[(k + 1) % lines]);
  t->at = *order_of_lines;
}

static void scatter_places(struct test *t) {
  uint64_t state = 2;
  draw_places(t);
  for (uint64_t k = 0; k < t->words / WORDS; k++)
    order_of_lines[k] += (uint32_t)next_place(&state, WORDS);
}

static void prepare(struct test *t) {
  t->at = t->state = 0;
  if (t->run == run_chase) link_lines(t);
  if (t->run == run_random) scatter_places(t);
}

/* ---- samples ---- */

static double clock_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Of the processor's time: what other processes take of it in between is not ours. */
static double sample(struct test *t, uint64_t count) {
  double begin = clock_of(CLOCK_THREAD_CPUTIME_ID);
  t->run(t, count);
  return (clock_of(CLOCK_THREAD_CPUTIME_ID) - begin) / (double)count;
}

/* As many as a sample takes, and once round a small set. */
static uint64_t count_for(struct test *t) {
  uint64_t count = 8 * UNROLLED * CHAINS; /* a multiple of 4 * CHAINS, too */
  while (sample(t, count) * (double)count < SECONDS)
    count *= 2;
  return count;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Is the median's 95 % interval, by the order of the samples, narrow? */
static bool is_narrow(const double *samples, int count) {
  double sorted[SAMPLES_MOST];
  int off = (int)(0.98 * sqrt(count) + 1), middle = count / 2;
  memcpy(sorted, samples, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, by_size);
  if (middle - off < 0 || middle + off >= count) return false;
  return (sorted[middle + off] - sorted[middle - off]) / 2 < NARROW * sorted[middle];
}

/* All tests are gone through once to count them, so that whoever reads this knows how far it has come. */
static bool counting;
static int tests;

static bool is_counted(void) {
  tests += counting;
  return counting;
}

static void print_count(int rounds) {
  printf("psl-probe,tests,0,%d\n", tests * rounds);
  counting = false;
}

static void print_tested(void) {
  puts("psl-probe,tested,0,0");
  fflush(stdout);
}

static void print_samples(const struct test *t, int processors, const double *samples, int count) {
  for (int k = 0; k < count; k++)
    printf("psl-probe,%s,%llu,%d,%llu,%.6g\n", t->name, (unsigned long long)t->stride, processors,
           (unsigned long long)t->bytes, samples[k]);
  print_tested();
}

static int take_samples(struct test *t, int most, double samples[SAMPLES_MOST]) {
  int count = 0;
  prepare(t);
  uint64_t each = count_for(t);
  while (count < most && !(count >= SAMPLES_LEAST && is_narrow(samples, count)))
    samples[count++] = sample(t, each);
  return count;
}

static void measure_alone(struct test *t, int most) {
  double samples[SAMPLES_MOST];
  if (is_counted()) return;
  print_samples(t, 1, samples, take_samples(t, most, samples));
}

static bool has_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

static void measure_operations(struct test *t, int most) {
  double samples[SAMPLES_MOST];
  for (size_t k = 0; k < 2 * sizeof operations / sizeof *operations; k++) {
    const struct operation *operation = &operations[k / 2];
    int chains = k % 2 ? CHAINS : 1;
    if (operation->wide && !has_wide()) continue;
    t->run = k % 2 ? operation->runs : operation->waits;
    if (!t->run || is_counted()) continue;
    int count = take_samples(t, most, samples);
    for (int s = 0; s < count; s++)
      printf("psl-probe,%s,%d,%d,%.6g\n", operation->name, operation->lanes, chains, samples[s]);
    print_tested();
  }
}

/* What an instruction takes that waits for the one before, in one chain, and of several kinds in several chains. */
static void measure_steps(struct test *base, int most) {
  for (size_t k = 0; k < 2 * sizeof operations / sizeof *operations; k++) {
    const struct operation *operation = &operations[k / 2];
    struct test test = *base;
    bool wanted = k % 2 ? operation->runs == mixed_runs || operation->runs == branch_runs : operation->waits != NULL;
    if (operation->lanes > 1 || !wanted || (operation->wide && !has_wide())) continue;
    test.name = operation->name;
    test.stride = k % 2 ? CHAINS : 1;
    test.run = k % 2 ? operation->runs : operation->waits;
    measure_alone(&test, most);
  }
}

/* ---- all processors at once ---- */

struct together {
  atomic_int ready, wanted, done;
  double seconds[PROCESSORS_MOST]; /* of the last sample, by processor */
};

/* A process of its own, with memory of its own: samples when all do. */
static void work(struct test *t, struct together *all, int number, size_t size) {
  uint64_t *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) _exit(1);
  memset(data, 1, size);
  t->data = data;
  prepare(t);
  uint64_t each = count_for(t);
  atomic_fetch_add(&all->ready, 1);
  for (int k = 1;; k++) {
    int wanted;
    for (; (wanted = atomic_load(&all->wanted)) < k; sched_yield()) /* the one who says so may have our priority */
      if (wanted < 0) _exit(0);
    all->seconds[number] = sample(t, each);
    atomic_fetch_add(&all->done, 1);
  }
}

static bool wait_for(atomic_int *number, int value) {
  struct timespec pause = {0, 20000};
  for (double begin = clock_of(CLOCK_MONOTONIC); atomic_load(number) < value; nanosleep(&pause, NULL))
    if (clock_of(CLOCK_MONOTONIC) - begin > 60) return false;
  return true;
}

static void measure_together(struct test *t, int processors, int most, size_t size) {
  if (is_counted()) return;
  double samples[SAMPLES_MOST];
  int count = 0;
  struct together *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) exit(1);
  fflush(stdout);
  for (int k = 0; k < processors; k++) {
    pid_t process = fork();
    if (process < 0) exit(1);
    if (!process) work(t, all, k, size);
  }
  bool fine = wait_for(&all->ready, processors);
  while (fine && count < most && !(count >= SAMPLES_LEAST && is_narrow(samples, count))) {
    double sum = 0;
    atomic_store(&all->wanted, count + 1);
    fine = wait_for(&all->done, processors * (count + 1));
    for (int k = 0; k < processors; k++)
      sum += all->seconds[k];
    samples[count++] = sum / processors;
  }
  atomic_store(&all->wanted, -1);
  while (wait(NULL) > 0)
    continue;
  munmap(all, sizeof *all);
  if (!fine) exit(1);
  print_samples(t, processors, samples, count);
}

/* ---- all tests ---- */

static const uint64_t strides[] = {1, 2, 4, 8, 16, 32, 64};

static void print_host(void) {
  struct utsname host;
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (uname(&host) == 0) printf("psl-probe,host,0,%s, %s %s\n", host.nodename, host.sysname, host.machine);
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "model name", 10)) {
      printf("psl-probe,processor,0,%s", strchr(line, ':') + 2);
      break;
    }
  if (file) fclose(file);
  printf("psl-probe,compiler,0,%s\n", __VERSION__);
}

/* The kernel's own sizes of the caches that hold data, in KiB. */
static void print_caches(void) {
  for (int k = 0; k < 8; k++) {
    char path[100], type[32] = "";
    unsigned long size = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", k);
    FILE *types = fopen(path, "r");
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", k);
    FILE *sizes = fopen(path, "r");
    if (types && sizes && fscanf(types, "%31s", type) == 1 && fscanf(sizes, "%luK", &size) == 1 &&
        strcmp(type, "Instruction") != 0)
      printf("psl-probe,cache,0,1,%lu,0\n", size << 10);
    if (types) fclose(types);
    if (sizes) fclose(sizes);
  }
}

/* A line a page, as far as there is room. */
static void measure_pages(struct test *base, size_t bytes, int processors, int most) {
  struct test test = *base;
  test.bytes = bytes;
  test.stride = PAGE / 8;
  test.words = bytes / LINE * test.stride;
  if (test.words * 8 > SET_MOST) return;
  test.name = "load", test.run = run_load;
  measure_alone(&test, most);
  if (processors > 1) measure_together(&test, processors, most, test.words * 8);
}

static void measure_set(struct test *base, size_t bytes, int processors, int most) {
  struct test test = *base;
  test.bytes = bytes;
  test.words = bytes / 8;
  for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
    test.stride = strides[k];
    if (test.words % (UNROLLED * test.stride)) continue; /* the circle would not close */
    test.name = "load", test.run = run_load;
    measure_alone(&test, most);
    bool together = processors > 1 && (test.stride == 1 || test.stride == WORDS || test.stride == APART);
    if (together) measure_together(&test, processors, most, bytes);
    if (test.stride != 1 && test.stride != WORDS) continue;
    test.name = "store", test.run = run_store;
    measure_alone(&test, most);
    if (together) measure_together(&test, processors, most, bytes);
  }
  measure_pages(&test, bytes, processors, most);
  test.stride = 0;
  test.name = "random", test.run = run_random;
  measure_alone(&test, most);
  if (processors > 1) measure_together(&test, processors, most, bytes);
  if (bytes > INTERLEAVED_MOST) return;
  test.stride = 1;
  test.name = "interleaved", test.run = run_interleaved;
  measure_alone(&test, most);
  if (processors > 1) measure_together(&test, processors, most, SET_MOST);
}

/* Sets are close to each other, for where the latency rises a cache ends. */
static void measure_chases(struct test *base, int most) {
  struct test test = *base;
  test.name = "chase", test.run = run_chase;
  for (size_t from = SET_LEAST; from < SET_MOST; from *= 2)
    for (size_t k = 0; k < FINE; k++) {
      test.bytes = from / FINE * (FINE + k);
      test.words = test.bytes / 8;
      measure_alone(&test, most);
    }
  test.bytes = SET_MOST, test.words = SET_MOST / 8;
  measure_alone(&test, most);
}

/* Whole numbers in the smallest set, and STREAM's kernels in the largest one. */
static void measure_kinds(struct test *base, int most) {
  static const struct {
    const char *name;
    size_t bytes;
    void (*run)(struct test *test, uint64_t count);
  } kinds[] = {{"integers", SET_LEAST, run_integers},
               {"copy", SET_MOST, run_copy},
               {"scale", SET_MOST, run_scale},
               {"sum", SET_MOST, run_sum},
               {"triad", SET_MOST, run_triad}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    struct test test = *base;
    test.name = kinds[k].name, test.run = kinds[k].run;
    test.bytes = kinds[k].bytes, test.words = test.bytes / 8;
    test.stride = 1;
    measure_alone(&test, most);
  }
}

static void measure_round(struct test *base, int processors, int most) {
  struct test test = *base;
  measure_alone(&test, most);
  measure_steps(&test, most);
  measure_kinds(&test, most);
  for (size_t bytes = SET_LEAST; bytes <= SET_MOST; bytes *= 2) {
    measure_set(&test, bytes, processors, most);
    if (bytes < SET_MOST) measure_set(&test, bytes + bytes / 2, processors, most);
  }
  measure_chases(&test, most);
  base->sum += test.sum;
}

int main(int count, char **words) {
  int most = count > 1 ? atoi(words[1]) : 30;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct test test = {.name = "float", .run = run_float};
  if (most < SAMPLES_LEAST) most = SAMPLES_LEAST;
  if (most > SAMPLES_MOST) most = SAMPLES_MOST;
  if (processors > PROCESSORS_MOST) processors = PROCESSORS_MOST;
  print_host();
  if (count > 2 && !strcmp(words[2], "compute")) {
    counting = true;
    measure_operations(&test, most);
    print_count(1);
    measure_operations(&test, most);
    printf("psl-probe,end,0,%g\n", test.numbers[0]);
    return 0;
  }
  print_caches();
  uint64_t *data = mmap(NULL, SET_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return 1;
  madvise(data, SET_MOST, MADV_DONTFORK); /* its pages would have to be written anew once there is another process */
  memset(data, 1, SET_MOST);
  test.data = data;
  for (int k = 0; k < 16; k++)
    test.numbers[k] = 1;
  counting = true;
  measure_round(&test, (int)processors, 0);
  print_count(ROUNDS);
  for (int round = 0; round < ROUNDS; round++)
    measure_round(&test, (int)processors, most / ROUNDS < SAMPLES_LEAST ? SAMPLES_LEAST : most / ROUNDS);
  printf("psl-probe,end,0,%g\n", test.numbers[0] + (double)test.sum);
  return 0;
}
