/* getrusage, and the counters of the processor by perf_event_open, where the system lets a program have its own. */
#include "evaluators/programs/reflector/counted.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COUNTERS = COUNTED_KINDS - COUNTED_CYCLES };

const char *const counted_names[COUNTED_KINDS] = {
    [COUNTED_CPU] = "processor time",        [COUNTED_SWITCHES] = "context switches", [COUNTED_FAULTS] = "page faults",
    [COUNTED_READS] = "blocks read",         [COUNTED_WRITES] = "blocks written",     [COUNTED_CYCLES] = "cycles",
    [COUNTED_INSTRUCTIONS] = "instructions", [COUNTED_MISSES] = "cache misses",
};

/* A thread's counters, which are opened at its first use and closed at its end. */
static _Thread_local struct { int opened, files[COUNTERS]; } own;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void counters_close(void *files) {
  for (int k = 0; k < COUNTERS; k++)
    if (((int *)files)[k] >= 0) close(((int *)files)[k]);
}

static void key_make(void) { pthread_key_create(&key, counters_close); }

static void counters_open(void) {
  static const uint64_t events[COUNTERS] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                            PERF_COUNT_HW_CACHE_MISSES};
  struct perf_event_attr event;
  memset(&event, 0, sizeof event);
  event.type = PERF_TYPE_HARDWARE;
  event.size = sizeof event;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  for (int k = 0; k < COUNTERS; k++) {
    event.config = events[k];
    own.files[k] = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  }
  own.opened = 1;
  pthread_once(&once, key_make);
  pthread_setspecific(key, own.files);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

void counted_read(struct counted *now) {
  struct rusage usage;
  if (!own.opened) counters_open();
  getrusage(RUSAGE_THREAD, &usage);
  now->of[COUNTED_CPU] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  now->of[COUNTED_SWITCHES] = (double)(usage.ru_nvcsw + usage.ru_nivcsw);
  now->of[COUNTED_FAULTS] = (double)(usage.ru_minflt + usage.ru_majflt);
  now->of[COUNTED_READS] = (double)usage.ru_inblock;
  now->of[COUNTED_WRITES] = (double)usage.ru_oublock;
  for (int k = 0; k < COUNTERS; k++) {
    uint64_t count;
    int known = own.files[k] >= 0 && read(own.files[k], &count, sizeof count) == sizeof count;
    now->of[COUNTED_CYCLES + k] = known ? (double)count : -1;
  }
}

void counted_add(struct counted *sum, const struct counted *from, const struct counted *to) {
  for (int k = 0; k < COUNTED_KINDS; k++)
    sum->of[k] = from->of[k] < 0 || to->of[k] < 0 ? -1 : sum->of[k] + to->of[k] - from->of[k];
}
