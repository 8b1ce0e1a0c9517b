/* Timer: how long a function of a C library takes on this computer. It is called again and again until the median of
 * the samples is known to 5 %, by the processor time of the thread, so that what else runs counts only as far as it
 * takes caches and memory away; by the clock where it waits, as for threads of its own. What was measured once on this
 * computer, with what the library holds, is not measured again where the answer is kept. */
#include "interp/include/evaluator.h"

#include <avcall.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

enum { SAMPLES_LEAST = 7, SAMPLES_MOST = 200, ARGUMENTS_MOST = 64, PATIENCE = 10000 /* turns */ };
#define SECONDS 0.5e-3 /* of a sample, at least */
#define NARROW 0.05    /* half of the median's interval, as a part of it */

struct block {
  struct block *next;
  const char *library, *function;
  const double *numbers, *reals;
  uint32_t number_count, real_count;
  void (*code)(void);
  struct psl_key content; /* of the library, with the code */
  double seconds;         /* the median; below 0: not known yet */
  double least, greatest; /* the ends of its interval */
};

struct state {
  struct psl_host *host;
  struct block *blocks;
  double blocks_asked, calls, widest; /* widest: the greatest half of an interval, as a part of its median */
};

static void *timer_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

/* ---- which block ---- */

static const char *copy_text(struct state *s, const char *text) {
  return strcpy(s->host->allocate(s->host, strlen(text) + 1), text);
}

static const double *copy_numbers(struct state *s, const double *items, uint32_t count) {
  double *copy = s->host->allocate(s->host, (count + 1) * sizeof *copy);
  if (count) memcpy(copy, items, count * sizeof *copy);
  return copy;
}

static bool is_same(const struct block *block, const union psl_argument *a) {
  return !strcmp(block->library, a[0].string) && !strcmp(block->function, a[1].string) &&
         block->number_count == a[2].list.count && block->real_count == a[3].list.count &&
         (!a[2].list.count || !memcmp(block->numbers, a[2].list.items, a[2].list.count * sizeof(double))) &&
         (!a[3].list.count || !memcmp(block->reals, a[3].list.items, a[3].list.count * sizeof(double)));
}

static struct block *block_of(struct state *s, const union psl_argument *a) {
  struct block *block = s->blocks;
  while (block && !is_same(block, a))
    block = block->next;
  if (block) return block;
  block = s->host->allocate(s->host, sizeof *block);
  *block = (struct block){.next = s->blocks,
                          .library = copy_text(s, a[0].string),
                          .function = copy_text(s, a[1].string),
                          .numbers = copy_numbers(s, a[2].list.items, a[2].list.count),
                          .reals = copy_numbers(s, a[3].list.items, a[3].list.count),
                          .number_count = a[2].list.count,
                          .real_count = a[3].list.count,
                          .seconds = -1};
  return s->blocks = block;
}

/* ---- samples ---- */

static void call_block(const struct block *block) {
  av_alist list;
  double unused;
  av_start_double(list, block->code, &unused);
  for (uint32_t k = 0; k < block->number_count; k++)
    av_long(list, (long)block->numbers[k]);
  for (uint32_t k = 0; k < block->real_count; k++)
    av_double(list, block->reals[k]);
  av_call(list);
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* How often the thread has waited, by itself, for something else: for another thread, a file, a time. */
static long waits(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

/* Where the block has not waited what counts is the time that the thread had a processor; else what the clock says,
 * since others have worked for it meanwhile. */
static double sample(struct state *s, const struct block *block, uint64_t count) {
  long waited = waits();
  double begin = now(CLOCK_MONOTONIC), own = now(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t k = 0; k < count; k++)
    call_block(block);
  own = now(CLOCK_THREAD_CPUTIME_ID) - own;
  double elapsed = now(CLOCK_MONOTONIC) - begin;
  s->calls += (double)count;
  return (waits() > waited ? elapsed : own) / (double)count;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Half of the interval, as a part of the median. */
static double spread(const struct block *block) { return (block->greatest - block->least) / 2 / block->seconds; }

/* Sorts them. The median, and its 95 % interval by the order of the samples; false: they are too few for that. */
static bool take_median(struct block *block, double *samples, int count) {
  int off = (int)(0.98 * sqrt(count) + 1), middle = count / 2;
  qsort(samples, (size_t)count, sizeof *samples, by_size);
  if (middle - off < 0 || middle + off >= count) return false;
  block->seconds = samples[middle];
  block->least = samples[middle - off];
  block->greatest = samples[middle + off];
  return true;
}

static bool measure(struct state *s, struct block *block, char error[200]) {
  double samples[SAMPLES_MOST];
  bool narrow = false;
  uint64_t each = 1;
  int count = 0;
  while (sample(s, block, each) * (double)each < SECONDS)
    each *= 2;
  while (count < SAMPLES_LEAST || (count < SAMPLES_MOST && !narrow)) {
    if (s->host->interrupted && s->host->interrupted(s->host)) return snprintf(error, 200, "it was interrupted"), false;
    samples[count++] = sample(s, block, each);
    narrow = take_median(block, samples, count) && spread(block) <= NARROW;
  }
  return true;
}

static void warn_of_noise(struct state *s, const struct block *block) {
  char warning[200];
  snprintf(warning, sizeof warning, "the time of '%.100s' is known to %.0f %% only: the computer is too noisy",
           block->function, 100 * spread(block));
  s->host->warn(s->host, copy_text(s, warning));
}

static void put_numbers(char **at, const char *end, const double *items, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    *at += snprintf(*at, (size_t)(end - *at), " %a", items[k]);
  *at += snprintf(*at, (size_t)(end - *at), ";");
}

/* On this computer, by its name and kind. */
static bool block_key(struct state *s, const struct block *block, const char *what, struct psl_key *key) {
  struct utsname here;
  size_t room = sizeof here + strlen(block->function) + 40 * (block->number_count + block->real_count) + 140;
  char *text = s->host->allocate(s->host, room), *at = text;
  uname(&here);
  at += snprintf(at, room, "Timer 4, %s %s, %016llx%016llx, %s: %s", here.nodename, here.machine,
                 (unsigned long long)block->content.part[0], (unsigned long long)block->content.part[1], what,
                 block->function);
  put_numbers(&at, text + room, block->numbers, block->number_count);
  put_numbers(&at, text + room, block->reals, block->real_count);
  return s->host->key(s->host, text, NULL, key);
}

struct keys {
  struct psl_key least, greatest, median;
};

static bool recall(struct state *s, const struct keys *keys, struct block *block) {
  double seconds;
  if (!s->host->recall(s->host, keys->least, &block->least) ||
      !s->host->recall(s->host, keys->greatest, &block->greatest) || !s->host->recall(s->host, keys->median, &seconds))
    return false;
  block->seconds = seconds;
  return true;
}

/* Of several who measure at once the first one counts, with all three; the others wait until these are there. If they
 * never are, since it was stopped between them, the rest is added. */
static void keep(struct state *s, const struct keys *keys, struct block *block) {
  struct block own = *block;
  bool known = s->host->remember(s->host, keys->least, own.least) != own.least;
  for (int turn = 0; known && turn < PATIENCE; turn++) {
    if (recall(s, keys, block)) return;
    sched_yield();
  }
  block->seconds = s->host->remember(s->host, keys->median, own.seconds);
  block->greatest = fmax(s->host->remember(s->host, keys->greatest, own.greatest), block->seconds);
  block->least = fmin(s->host->remember(s->host, keys->least, own.least), block->seconds);
}

static bool measure_once(struct state *s, struct block *block, char error[200]) {
  struct keys keys;
  if (!s->host->code(s->host, block->library, block->function, &block->code, &block->content, error)) return false;
  bool kept = block_key(s, block, "least", &keys.least) && block_key(s, block, "greatest", &keys.greatest) &&
              block_key(s, block, "median", &keys.median);
  if (!kept || !recall(s, &keys, block)) {
    s->host->inside(s->host, block->function);
    bool known = measure(s, block, error);
    s->host->inside(s->host, NULL);
    if (!known) return false;
    if (kept) keep(s, &keys, block);
  }
  s->blocks_asked++;
  if (spread(block) > s->widest) s->widest = spread(block);
  if (spread(block) > NARROW) warn_of_noise(s, block);
  return true;
}

static struct block *measured(struct state *s, struct psl_call *call) {
  const union psl_argument *a = call->arguments;
  if (a[2].list.count + a[3].list.count > ARGUMENTS_MOST) {
    snprintf(call->error, sizeof call->error, "a function has at most %d arguments", ARGUMENTS_MOST);
    return NULL;
  }
  struct block *block = block_of(s, a);
  return block->seconds >= 0 || measure_once(s, block, call->error) ? block : NULL;
}

static enum psl_status time_of(void *state, struct psl_call *call) {
  const struct block *block = measured(state, call);
  if (block) call->result.real = block->seconds;
  return block ? PSL_DONE : PSL_FAILED;
}

static enum psl_status least_of(void *state, struct psl_call *call) {
  const struct block *block = measured(state, call);
  if (block) call->result.real = block->least;
  return block ? PSL_DONE : PSL_FAILED;
}

static enum psl_status greatest_of(void *state, struct psl_call *call) {
  const struct block *block = measured(state, call);
  if (block) call->result.real = block->greatest;
  return block ? PSL_DONE : PSL_FAILED;
}

static size_t statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  const struct psl_statistic all[] = {{"measured blocks", "", s->blocks_asked, true},
                                      {"widest interval", "%", 100 * s->widest, false}};
  size_t count = sizeof all / sizeof *all;
  if (count > capacity) count = capacity;
  memcpy(out, all, count * sizeof *out);
  return count;
}

static const struct psl_evaluator_figure figures[] = {
    {.name = "measured blocks", .unit = "", .whole = true},
    {.name = "widest interval", .unit = "%"},
    {.name = NULL},
};

static const struct psl_evaluator_function functions[] = {
    {.name = "time",
     .signature = "(library : string, block : string, numbers : [int] = [], reals : [real] = []) -> time",
     .kind = PSL_EVENT,
     .call = time_of,
     .reads = 1,
     .runs = 1,
     .doc = "How long a function of a C library takes here, in processor time, and by the clock where it waits, as for "
            "threads of its own: the median of 7 to 200 samples, each of as many calls as half a millisecond takes. It "
            "gets whole numbers (int, long) and reals (double), each kind in order, and what it returns is dropped. "
            "Error: the library cannot be loaded or has no such function."},
    {.name = "least",
     .signature = "(library : string, block : string, numbers : [int] = [], reals : [real] = []) -> time",
     .kind = PSL_EVENT,
     .call = least_of,
     .reads = 1,
     .runs = 1,
     .doc = "The lower end of the 95 % interval of that median, of the same measurement. Errors: as those of time."},
    {.name = "greatest",
     .signature = "(library : string, block : string, numbers : [int] = [], reals : [real] = []) -> time",
     .kind = PSL_EVENT,
     .call = greatest_of,
     .reads = 1,
     .runs = 1,
     .doc = "Its upper end."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"blocks take what they take on this computer, with what the calls before have left in its caches", NULL},
    {NULL, NULL},
};

const struct psl_evaluator timer_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Timer",
    .revision = "4",
    .doc = "Functions of C libraries, measured on this computer.",
    .evidence = PSL_MEASURED,
    .functions = functions,
    .assumptions = assumptions,
    .open = timer_open,
    .statistics = statistics,
    .figures = figures,
};
