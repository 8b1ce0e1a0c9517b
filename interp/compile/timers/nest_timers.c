/* What psl compile --instrument links to a program: it takes the time of each nest of loops, by the processor time of
 * its thread, or counts how often branches are taken. What a process has seen it writes when it ends, into the folder
 * that PSL_NESTS names; without that the program runs as it would without timers.
 *
 * Where there is a file `taken` in that folder, a nest that is timed begins when as much memory was read as that has,
 * the same by all ranks: what the caches keep of the program's data is what they would keep of more data. D. Eklov, N.
 * Nikoleris, D. Black-Schaffer, E. Hagersten: Cache Pirating, ICPP 2011, have another program take the room. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__
#include <x86intrin.h>
#endif

void psl_nests_begin(char *table); /* the first that main does: what there is, line by line */
void psl_nest_begin(unsigned nest);
void psl_nest_end(unsigned nest);
void psl_nest_count(unsigned counter); /* two a branch: what comes to it, passes of its loop */

/* MPICH's, where the program is linked with it. */
extern int MPI_Initialized(int *flag) __attribute__((weak));
extern int MPI_Comm_rank(int communicator, int *rank) __attribute__((weak));
enum { WORLD = 0x44000000 };

/* A nest that takes less is timed by the time stamp, since the thread's clock is a call of the system; what a time
 * stamp says is not believed where the thread was interrupted: where it is much more than it has been. */
static const double short_ticks = 5e4, interrupted_ticks = 2e5;

struct nest {
  uint64_t entries, timed;
  double ticks, nanoseconds; /* of those that are timed: by the one clock and by the other */
  struct begun {             /* the same of the first ones, where memory may be touched first */
    uint64_t timed;
    double ticks, nanoseconds;
    long pages;
  } begun[2];                                 /* of 2 entries, and of 4 */
  uint64_t by_ticks, start_ticks, read_bytes; /* the last one: of memory that takes room in the caches */
  int64_t start;
  int by_clock, left_out;
  long pages, start_faults; /* pages that were touched first in the first entries */
};

static struct nest *nests;
static uint64_t *counters;
static size_t nest_count, branch_count;
static char *what;
static const char *folder;
static int depth,
    rank = -1; /* depth: a function with a nest may be called inside of another nest, of which it is a part */
static uint64_t first_ticks, least_ticks;
static int64_t first_time, least_time;
static const char *taken; /* memory that takes room in the caches; NULL: none */
static size_t taken_size;
static long faults = -1; /* pages that had been touched first when the first nest began; -1: none has */

/* Not by the library: it may be told another time. */
static int64_t now(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uint64_t stamp(void) {
#if defined __x86_64__
  return __rdtsc();
#else
  return (uint64_t)now(CLOCK_MONOTONIC);
#endif
}

/* ---- room in the caches ---- */

static void open_taken(void) {
  char path[4096];
  struct stat status;
  snprintf(path, sizeof path, "%s/taken", folder);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (!fstat(file, &status) && status.st_size > 0) {
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) taken = memory;
    if (taken) taken_size = (size_t)status.st_size;
  }
  close(file);
}

/* Not every entry of a nest: reading takes much longer than most nests. */
static int takes_room(struct nest *nest) {
  enum { ALWAYS = 16, MOST = 200 };
  const uint64_t most_bytes = UINT64_C(1) << 30;
  if (nest->entries > ALWAYS && (nest->read_bytes >= most_bytes || nest->timed >= MOST)) return 0;
  nest->read_bytes += taken_size;
  return 1;
}

static void take_room(void) {
  for (int twice = 0; twice < 2; twice++)
    for (size_t at = 0; at < taken_size; at += 64)
      (void)*(const volatile char *)(taken + at);
}

static long faults_now(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt : 0;
}

/* Of so many entries, of which not all are timed. */
static double seconds(double ticks, double nanoseconds, uint64_t timed, double entries, double ticks_each) {
  return timed ? (ticks / ticks_each + nanoseconds) * 1e-9 / (double)timed * entries : 0;
}

static void write_all(void) {
  char path[4096];
  double ticks_each = (double)(stamp() - first_ticks) / (double)(now(CLOCK_MONOTONIC) - first_time);
  snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
  FILE *file = fopen(path, "w");
  if (!file) {
    fprintf(stderr, "psl: the times of nests cannot be written to %s\n", path);
    return;
  }
  size_t nest = 0, branch = 0;
  fprintf(file, "rank %d\n", rank);
  fprintf(file, "pages %ld\n", faults < 0 ? 0 : faults_now() - faults);
  for (char *line = strtok(what, "\n"); line; line = strtok(NULL, "\n")) {
    if (!strncmp(line, "nest ", 5)) {
      const struct nest *of = &nests[nest++];
      size_t left = of->entries >= 16 ? 4 : of->entries >= 4 ? 2 : 0; /* by these a model is not fitted */
      const struct begun *begun = &of->begun[left / 4];
      double all = seconds(of->ticks, of->nanoseconds, of->timed, (double)of->entries, ticks_each);
      double first = seconds(begun->ticks, begun->nanoseconds, begun->timed, (double)left, ticks_each);
      long pages = left ? begun->pages : 0;
      fprintf(file, "%s %llu %.9g %zu %.9g %ld\n", line, (unsigned long long)of->entries, all, left, first, pages);
    } else if (!strncmp(line, "branch ", 7)) {
      fprintf(file, "%s %llu %llu\n", line, (unsigned long long)counters[2 * branch],
              (unsigned long long)counters[2 * branch + 1]);
      branch++;
    } else {
      fprintf(file, "%s\n", line);
    }
  }
  fputs("end\n", file);
  fclose(file);
}

void psl_nests_begin(char *table) {
  folder = getenv("PSL_NESTS");
  if (!folder || what) return;
  what = strdup(table);
  for (const char *line = table; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    nest_count += !strncmp(line, "nest ", 5);
    branch_count += !strncmp(line, "branch ", 7);
  }
  nests = calloc(nest_count + 1, sizeof *nests);
  counters = calloc(2 * branch_count + 1, sizeof *counters);
  if (!what || !nests || !counters) abort();
  first_ticks = stamp();
  first_time = now(CLOCK_MONOTONIC);
  open_taken();
  least_ticks = UINT64_MAX;
  least_time = INT64_MAX;
  for (int i = 0; i < 200; i++) { /* what taking the time takes */
    int64_t begin = now(CLOCK_THREAD_CPUTIME_ID), end = now(CLOCK_THREAD_CPUTIME_ID);
    uint64_t from = stamp(), to = stamp();
    if (end - begin < least_time) least_time = end - begin;
    if (to - from < least_ticks) least_ticks = to - from;
  }
  atexit(write_all);
}

static void find_rank(void) {
  int begun = 0;
  if (!MPI_Initialized || !MPI_Comm_rank) return;
  MPI_Initialized(&begun);
  if (begun) MPI_Comm_rank(WORLD, &rank);
}

void psl_nest_begin(unsigned at) {
  if (!folder || depth++) return;
  struct nest *nest = &nests[at];
  if (rank < 0) find_rank();
  if (faults < 0) faults = faults_now();
  nest->entries++;
  nest->left_out = taken && !takes_room(nest);
  if (nest->left_out) return;
  if (taken) take_room();
  if (nest->entries <= 4) nest->start_faults = faults_now();
  double mean = nest->by_ticks ? nest->ticks / (double)nest->by_ticks : 0;
  nest->by_clock = nest->entries == 1 || mean > short_ticks || (!nest->by_ticks && nest->nanoseconds > short_ticks / 2);
  if (nest->by_clock) nest->start = now(CLOCK_THREAD_CPUTIME_ID);
  nest->start_ticks = stamp();
}

static void note_begin(struct nest *nest) {
  if (nest->entries <= 4) nest->pages += faults_now() - nest->start_faults;
  if (nest->entries == 2 || nest->entries == 4)
    nest->begun[nest->entries / 4] = (struct begun){nest->timed, nest->ticks, nest->nanoseconds, nest->pages};
}

void psl_nest_end(unsigned at) {
  if (!folder || --depth) return;
  uint64_t end = stamp();
  struct nest *nest = &nests[at];
  if (nest->left_out) return;
  if (nest->by_clock) {
    int64_t time = now(CLOCK_THREAD_CPUTIME_ID) - nest->start - least_time;
    nest->nanoseconds += time > 0 ? (double)time : 0;
    nest->timed++;
    note_begin(nest);
    return;
  }
  double ticks = end > nest->start_ticks + least_ticks ? (double)(end - nest->start_ticks - least_ticks) : 0;
  double mean = nest->by_ticks ? nest->ticks / (double)nest->by_ticks : 0;
  if (ticks <= interrupted_ticks + 8 * mean) {
    nest->ticks += ticks;
    nest->by_ticks++;
    nest->timed++;
  }
  note_begin(nest);
}

void psl_nest_count(unsigned counter) {
  if (folder) counters[counter]++;
}
