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

/* Against the clock of the system, to 1e-5. */
double burst_tick(void) {
  double from = now(CLOCK_MONOTONIC_RAW), past;
  uint64_t stamp = burst_stamp();
  do
    past = now(CLOCK_MONOTONIC_RAW) - from;
  while (past < 0.01);
  return past / (double)(burst_stamp() - stamp);
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
