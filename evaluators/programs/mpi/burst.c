/* The clocks behind burst.h, and the sequence that the kernel clears. */
#include "evaluators/programs/mpi/burst.h"
#include <dlfcn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A sequence that no burst stands in, with the signature that the kernel wants to see where it would go on. */
__asm__(".pushsection .text\n"
        ".long 0x53053053\n"
        "nowhere_code: ud2\n"
        ".popsection\n");
extern const char nowhere_code[] __attribute__((visibility("hidden")));
struct rseq_cs burst_nowhere __attribute__((aligned(32)));

void burst_open(void) {
  burst_nowhere.start_ip = (uintptr_t)nowhere_code + 1;
  burst_nowhere.post_commit_offset = 1;
  burst_nowhere.abort_ip = (uintptr_t)nowhere_code;
}

static double now(clockid_t clock) {
  struct timespec now;
  syscall(SYS_clock_gettime, clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double burst_cpu(void) { return now(CLOCK_THREAD_CPUTIME_ID); }

struct moment {
  double time;
  uint64_t stamp;
};

/* The clock of the system and the time stamp at once: the closest of several, so that no interruption is between. */
static struct moment moment(void) {
  struct moment best = {0};
  uint64_t closest = UINT64_MAX;
  for (int k = 0; k < 20; k++) {
    uint64_t from = burst_stamp();
    double time = now(CLOCK_MONOTONIC_RAW);
    uint64_t between = burst_stamp() - from;
    if (between < closest) closest = between, best = (struct moment){time, from + between / 2};
  }
  return best;
}

/* To 1e-5. */
double burst_tick(void) {
  struct moment from = moment(), to;
  do
    to = moment();
  while (to.time - from.time < 0.01);
  return (to.time - from.time) / (double)(to.stamp - from.stamp);
}

/* The least of several, so that no interruption is in it. */
double burst_asking(void) {
  typedef int ask_function(clockid_t, struct timespec *);
  ask_function *ask = (ask_function *)dlsym(RTLD_NEXT, "clock_gettime");
  uint64_t nothing = UINT64_MAX, asked = UINT64_MAX;
  struct timespec time;
  for (int k = 0; ask && k < 100; k++) {
    uint64_t from = burst_stamp(), between = burst_stamp();
    ask(CLOCK_MONOTONIC, &time);
    uint64_t to = burst_stamp();
    if (between - from < nothing) nothing = between - from;
    if (to - between < asked) asked = to - between;
  }
  return ask && asked > nothing ? (double)(asked - nothing) : 0;
}
