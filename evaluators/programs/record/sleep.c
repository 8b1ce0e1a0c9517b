/* Sleep is an operation of its own: it keeps no processor, and no machine is awake earlier. It lasts as long as it did
 * by the clock. Waits for descriptors for a limited time are taken for sleep, whatever has ended them. */
#include "evaluators/programs/record/recorder.h"
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static void sleep_put(void) {
  int wrong = errno;
  struct program_operation o = operation_of(PROGRAM_SLEEP);
  o.duration = o.took;
  operation_put(&o);
  errno = wrong;
}

/* `waits`: it may. */
#define SLEEPS(type, name, PARAMETERS, ARGUMENTS, waits)                             \
  PUBLIC type name PARAMETERS {                                                      \
    static __typeof__(&name) real;                                                   \
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, #name);                     \
    if (!(waits) || !call_begin(__builtin_return_address(0))) return real ARGUMENTS; \
    type code = real ARGUMENTS;                                                      \
    sleep_put();                                                                     \
    call_end();                                                                      \
    return code;                                                                     \
  }

SLEEPS(unsigned, sleep, (unsigned seconds), (seconds), true)
SLEEPS(int, usleep, (useconds_t time), (time), true)
SLEEPS(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left), true)
SLEEPS(int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left), true)
SLEEPS(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
       (clock, flags, time, left), true)
SLEEPS(int, poll, (struct pollfd * all, nfds_t count, int limit), (all, count, limit), limit > 0)
SLEEPS(int, ppoll, (struct pollfd * all, nfds_t count, const struct timespec *limit, const sigset_t *signals),
       (all, count, limit, signals), limit)
SLEEPS(int, select, (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *limit),
       (count, in, out, other, limit), limit && (limit->tv_sec || limit->tv_usec))
SLEEPS(int, pselect,
       (int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *limit, const sigset_t *signals),
       (count, in, out, other, limit, signals), limit && (limit->tv_sec || limit->tv_nsec))
SLEEPS(int, epoll_wait, (int set, struct epoll_event *events, int most, int limit), (set, events, most, limit),
       limit > 0)
SLEEPS(int, epoll_pwait, (int set, struct epoll_event *events, int most, int limit, const sigset_t *signals),
       (set, events, most, limit, signals), limit > 0)

/* What compilers make of the two where sizes are checked. */
int __poll_chk(struct pollfd *all, nfds_t count, int limit, size_t size);
int __ppoll_chk(struct pollfd *all, nfds_t count, const struct timespec *limit, const sigset_t *signals, size_t size);
SLEEPS(int, __poll_chk, (struct pollfd * all, nfds_t count, int limit, size_t size), (all, count, limit, size),
       limit > 0)
SLEEPS(int, __ppoll_chk,
       (struct pollfd * all, nfds_t count, const struct timespec *limit, const sigset_t *signals, size_t size),
       (all, count, limit, signals, size), limit)
