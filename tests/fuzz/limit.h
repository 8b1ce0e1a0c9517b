/* A limit of time for what may take long: a flag that a run or an evaluation looks at. The time is that of the
 * processor, so that a busy computer changes nothing. */
#ifndef PSL_FUZZ_LIMIT_H
#define PSL_FUZZ_LIMIT_H
#include <signal.h>
#include <time.h>

static volatile int interrupted;

static inline void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* In so many ms, less than 1,000, the flag is set, unless 0 is said before. SIGALRM is the fuzzer's own. */
static inline void interrupt_after(int ms) {
  static timer_t timer;
  static int made;
  if (!made) {
    signal(SIGRTMIN, interrupt);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    made = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0;
  }
  interrupted = 0;
  if (made) timer_settime(timer, 0, &(struct itimerspec){.it_value = {0, ms * 1000000L}}, NULL);
}
#endif
