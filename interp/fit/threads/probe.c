/* The program that `psl measure threads` runs: what threads of this computer cost to create and to join, what a lock
 * does, and a number in a line of memory that another processor has had or not. It prints a line a sample,
 * psl-probe,TEST,SECONDS, as many of each test as the first word says; the tests go round, for what else a host does
 * changes. What needs two processors at once is left out where there is one. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum {
  LINE = 64,
  LOOKS = 100000,
  SAMPLES_LEAST = 7,
  SAMPLES_MOST = 1000,
  OPERATIONS = 20000,
  TURNS = 200,
  SPAN = 10,
  STEALS = 40,
  QUEUE = 64
};
#define LEAST 1e-9    /* s: clocks know no less */
#define PATIENCE 20.0 /* s: longer no host leaves a thread without a processor */

static double clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_sample(const char *test, double seconds) {
  printf("psl-probe,%s,%.6g\n", test, seconds > LEAST ? seconds : LEAST);
}

/* A number alone in its line of memory. */
struct line {
  _Alignas(LINE) atomic_uint number;
};

static struct line counter, ready;
static atomic_int given_up; /* one of two threads has */
static bool two_processors;

/* The processors that this program may use, two at least, are a thread's own. */
static void stay_on(unsigned wanted) {
  cpu_set_t all, one;
  if (!two_processors || sched_getaffinity(0, sizeof all, &all)) return;
  for (unsigned k = 0, seen = 0; k < CPU_SETSIZE; k++)
    if (CPU_ISSET(k, &all) && seen++ == wanted) {
      CPU_ZERO(&one);
      CPU_SET(k, &one);
      pthread_setaffinity_np(pthread_self(), sizeof one, &one);
      return;
    }
}

/* False: the other thread does not come. */
static bool wait_for(atomic_uint *number, unsigned value) {
  double begin = 0;
  for (unsigned k = 1;; k++) {
    if (atomic_load_explicit(number, memory_order_acquire) == value) return true;
    if (k % LOOKS) continue;
    if (begin == 0) begin = clock_now();
    if (atomic_load(&given_up) || clock_now() - begin > PATIENCE) return false;
  }
}

/* ---- threads ---- */

static double started;

static void *note_start(void *user) {
  (void)user;
  started = clock_now();
  atomic_store(&ready.number, 1);
  return NULL;
}

static bool measure_threads(void) {
  pthread_t thread;
  const struct timespec pause = {0, 200000}; /* until it has ended */
  atomic_store(&ready.number, 0);
  double begin = clock_now();
  if (pthread_create(&thread, NULL, note_start, NULL)) return false;
  double created = clock_now();
  while (!atomic_load(&ready.number))
    nanosleep(&pause, NULL);
  nanosleep(&pause, NULL);
  double before = clock_now();
  pthread_join(thread, NULL);
  double joined = clock_now();
  print_sample("creation", created - begin);
  print_sample("start", started - created);
  print_sample("join", joined - before);
  return true;
}

/* ---- what one thread does alone ---- */

static void measure_own(void) {
  double begin = clock_now();
  for (unsigned k = 0; k < OPERATIONS; k++)
    atomic_fetch_add(&counter.number, 1);
  print_sample("own", (clock_now() - begin) / OPERATIONS);
}

static void measure_lock(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  double begin = clock_now();
  for (unsigned k = 0; k < OPERATIONS; k++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  print_sample("lock", (clock_now() - begin) / OPERATIONS);
}

/* ---- what two do in turn ---- */

/* Runs `other` in a thread on the second processor beside `own` here, on the first one. The seconds of the latter;
 * below 0: one of them has given up. */
static double run_both(void *(*other)(void *), double (*own)(void)) {
  pthread_t thread;
  void *fine;
  atomic_store(&counter.number, 0);
  if (pthread_create(&thread, NULL, other, &counter)) return -1;
  stay_on(0);
  double seconds = own();
  if (seconds < 0) atomic_store(&given_up, 1);
  pthread_join(thread, &fine);
  return fine ? seconds : -1;
}

/* Each changes the counter when the other one has. */
static void *count_odd(void *user) {
  stay_on(1);
  for (unsigned k = 1; k < 2 * TURNS; k += 2) {
    if (!wait_for(&counter.number, k)) return NULL;
    atomic_fetch_add(&counter.number, 1);
  }
  return user;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of a sample, which a host that gives a processor to others in the middle of it spoils in few places. */
static double median_of(double *seconds, size_t count) {
  qsort(seconds, count, sizeof *seconds, by_size);
  return seconds[count / 2];
}

/* The times of spans of turns, behind the first one. */
static double count_even(void) {
  double spans[TURNS / SPAN], begin = 0;
  size_t count = 0;
  for (unsigned k = 0; k < 2 * TURNS; k += 2) {
    if (!wait_for(&counter.number, k)) return -1;
    if (k % (2 * SPAN) == 0) {
      double now = clock_now();
      if (k > 0) spans[count++] = (now - begin) / (2 * SPAN);
      begin = now;
    }
    atomic_fetch_add(&counter.number, 1);
  }
  return wait_for(&counter.number, 2 * TURNS) ? median_of(spans, count) : -1;
}

/* A queue as that of Chase and Lev (2005): its owner puts at the bottom, others take at the top. */
static struct line top, bottom;
static struct line items[QUEUE];

static void *put_items(void *user) {
  stay_on(1);
  for (unsigned k = 0; k < STEALS; k++) {
    if (!wait_for(&counter.number, 2 * k)) return NULL;
    unsigned at = atomic_load_explicit(&bottom.number, memory_order_relaxed);
    if (at - atomic_load_explicit(&top.number, memory_order_acquire) >= QUEUE) return NULL;
    atomic_store_explicit(&items[at % QUEUE].number, k, memory_order_relaxed);
    atomic_store_explicit(&bottom.number, at + 1, memory_order_release);
    atomic_store_explicit(&counter.number, 2 * k + 1, memory_order_release);
  }
  return user;
}

static bool steal(unsigned *item) {
  unsigned at = atomic_load_explicit(&top.number, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  if (at == atomic_load_explicit(&bottom.number, memory_order_acquire)) return false;
  *item = atomic_load_explicit(&items[at % QUEUE].number, memory_order_relaxed);
  return atomic_compare_exchange_strong(&top.number, &at, at + 1);
}

/* What it takes to know the time is not what a steal does. */
static double clock_cost(void) {
  double begin = clock_now();
  for (int k = 0; k < 100; k++)
    clock_now();
  return (clock_now() - begin) / 101;
}

static double steal_items(void) {
  double times[STEALS], cost = clock_cost();
  for (unsigned k = 0, item; k < STEALS; k++) {
    if (!wait_for(&counter.number, 2 * k + 1)) return -1;
    double begin = clock_now();
    if (!steal(&item) || item != k) return -1;
    times[k] = clock_now() - begin - cost;
    atomic_store_explicit(&counter.number, 2 * k + 2, memory_order_release);
  }
  return median_of(times, STEALS);
}

/* ---- all tests ---- */

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

static bool measure_pair(const char *test, void *(*other)(void *), double (*own)(void)) {
  double seconds = run_both(other, own);
  if (seconds >= 0) print_sample(test, seconds);
  return seconds >= 0;
}

int main(int count, char **words) {
  int most = count > 1 ? atoi(words[1]) : 30;
  cpu_set_t mine;
  two_processors = !sched_getaffinity(0, sizeof mine, &mine) && CPU_COUNT(&mine) > 1;
  if (most < SAMPLES_LEAST) most = SAMPLES_LEAST;
  if (most > SAMPLES_MOST) most = SAMPLES_MOST;
  print_host();
  printf("psl-probe,tests,0,%d\n", most); /* the program that reads this says how far it has come */
  for (int k = 0; k < most; k++) {
    if (!measure_threads()) return 1;
    measure_own();
    measure_lock();
    if (two_processors) {
      if (!measure_pair("transfer", count_odd, count_even) || !measure_pair("steal", put_items, steal_items)) return 1;
      sched_setaffinity(0, sizeof mine, &mine);
    }
    puts("psl-probe,tested,0,0");
    fflush(stdout);
  }
  printf("psl-probe,end,0,%u\n", atomic_load(&counter.number));
  return 0;
}
