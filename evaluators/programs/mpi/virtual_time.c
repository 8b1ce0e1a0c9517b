/* The program's clocks and its sleep, from MPI_Init to MPI_Finalize. Clocks answer virtual time, all the same one;
 * those of processor time what of it the rank has computed. They go on from what the program was told before, and after
 * MPI_Finalize with the system's. Sleep takes virtual time and none of ours, whichever function it is by: those that
 * wait for descriptors for a limited time are sleep where they are given none. */
#include "evaluators/programs/mpi/clock.h"
#include "evaluators/programs/mpi/fortran.h"
#include "evaluators/programs/mpi/rank.h"
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>

static __thread bool own_thread; /* it is the one that has called MPI_Init */

bool clock_is_virtual(void) { return self->clock.running && own_thread; }

/* The function that would be called if there were none here. */
#define NEXT(name)                                               \
  ({                                                             \
    static __typeof__(&name) next;                               \
    if (!next) next = (__typeof__(next))dlsym(RTLD_NEXT, #name); \
    next;                                                        \
  })

/* ---- virtual time ---- */

static void rate_learn(struct clock *clock, double rate) {
  clock->steady = rate > 0 && fabs(rate - clock->rate) <= 1e-6 * rate;
  clock->rate = rate;
}

/* psl says when what was computed is done. */
static double now_asked(const void *from) {
  const struct seat *seat = self->seat;
  bool quiet = seat->added == seat->taken;
  double before = seat->answer.now;
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin("a clock", from);
  double work = quiet && seat->added != seat->taken ? seat->slots[seat->taken].operation.work : 0;
  double now = operations_end()->now;
  if (work > 0) rate_learn(&self->clock, (now - before) / work);
  return now;
}

/* What the program has computed since its last call counts. Where psl has answered all else, and what is computed takes
 * as much longer each time, that is known without a turn of psl's: programs that ask often keep their caches. */
static double virtual_now(const void *from) {
  struct clock *clock = &self->clock;
  double now = self->seat->answer.now;
  if (!in_call() && clock->steady && self->seat->added == self->seat->taken) {
    clock_work_hold(from);
    now += clock->held * clock->rate;
  } else if (!in_call()) {
    now = now_asked(from);
  }
  return clock->now = now > clock->now ? now : clock->now;
}

/* What of the time up to then the rank has computed. */
static double computed(void) { return self->seat->computed + self->clock.held * self->clock.rate; }

/* ---- clocks ---- */

/* Of the day: s since virtual time 0. */
static double system_clock(enum program_clock which) {
  static const clockid_t clocks[PROGRAM_CLOCKS] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID};
  struct timespec now;
  syscall(SYS_clock_gettime, clocks[which], &now);
  if (which == CLOCK_OF_DAY && area) now.tv_sec -= area->epoch;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double reading(enum program_clock which, const void *from) {
  struct clock *clock = &self->clock;
  if (!own_thread && clock->running) return system_clock(which);
  double now = clock->running ? virtual_now(from) : system_clock(which);
  if (clock->running && which == CLOCK_OF_PROCESSOR) now = computed();
  now += clock->ahead[which];
  return clock->told[which] = now > clock->told[which] ? now : clock->told[which];
}

void virtual_time_begin(void) {
  struct clock *clock = &self->clock;
  memcpy(clock->ahead, clock->told, sizeof clock->ahead);
  clock->running = own_thread = true;
}

void virtual_time_end(void) {
  struct clock *clock = &self->clock;
  double now = self->seat->answer.now;
  clock->running = false;
  for (int which = 0; which < PROGRAM_CLOCKS; which++)
    clock->ahead[which] += (which == CLOCK_OF_PROCESSOR ? self->seat->computed : now) - system_clock(which);
}

/* To the nearest nanosecond: cut off, a sleep would end before the time until which it was asked for. */
static struct timespec parted(double seconds) {
  double whole = floor(seconds);
  long part = lround((seconds - whole) * 1e9);
  return part < 1000000000 ? (struct timespec){(time_t)whole, part} : (struct timespec){(time_t)whole + 1, 0};
}

static struct timespec time_of(enum program_clock which, const void *from) {
  struct timespec time = parted(reading(which, from));
  if (which == CLOCK_OF_DAY && area) time.tv_sec += area->epoch;
  return time;
}

API(Wtime) double MPI_Wtime(void) { return reading(CLOCK_SINCE_BOOT, fortran_caller(__builtin_return_address(0))); }
API(Wtick) double MPI_Wtick(void) { return 1e-9; }

static enum program_clock clock_named(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI: return CLOCK_OF_DAY;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID: return CLOCK_OF_PROCESSOR;
  default: return clock < 0 ? CLOCK_OF_PROCESSOR : CLOCK_SINCE_BOOT;
  }
}

PUBLIC int clock_gettime(clockid_t clock, struct timespec *now) {
  int wrong = (int)syscall(SYS_clock_gettime, clock, now);
  if (!wrong) *now = time_of(clock_named(clock), __builtin_return_address(0));
  return wrong;
}

PUBLIC int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time = time_of(CLOCK_OF_DAY, __builtin_return_address(0));
  (void)zone;
  *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

PUBLIC time_t time(time_t *to) {
  time_t now = time_of(CLOCK_OF_DAY, __builtin_return_address(0)).tv_sec;
  if (to) *to = now;
  return now;
}

PUBLIC int timespec_get(struct timespec *to, int base) {
  if (base == TIME_UTC) *to = time_of(CLOCK_OF_DAY, __builtin_return_address(0));
  return base == TIME_UTC ? base : 0;
}

PUBLIC clock_t clock(void) {
  struct timespec now = time_of(CLOCK_OF_PROCESSOR, __builtin_return_address(0));
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

PUBLIC clock_t times(struct tms *buffer) {
  double each = (double)sysconf(_SC_CLK_TCK);
  if (buffer) *buffer = (struct tms){(clock_t)(each * reading(CLOCK_OF_PROCESSOR, __builtin_return_address(0)))};
  return (clock_t)(each * reading(CLOCK_SINCE_BOOT, __builtin_return_address(0)));
}

PUBLIC int getrusage(__rusage_who_t who, struct rusage *usage) {
  int wrong = (int)syscall(SYS_getrusage, who, usage);
  if (wrong || who == RUSAGE_CHILDREN) return wrong;
  struct timespec now = time_of(CLOCK_OF_PROCESSOR, __builtin_return_address(0));
  usage->ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  usage->ru_stime = (struct timeval){0};
  return 0;
}

/* ---- sleep ---- */

static double seconds_of(struct timespec time) { return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec; }

static bool is_time(const struct timespec *time) {
  return time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static void sleep_virtually(double seconds, const char *function, const void *from) {
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin(function, from);
  if (seconds > 0) operation_add(PROGRAM_SLEEP)->duration = seconds;
}
#define SLEEP(seconds) sleep_virtually(seconds, __func__, __builtin_return_address(0))

PUBLIC int nanosleep(const struct timespec *time, struct timespec *left) {
  if (!clock_is_virtual() || !is_time(time)) return NEXT(nanosleep)(time, left);
  SLEEP(seconds_of(*time));
  return 0;
}

/* From now until a time on that clock, s. */
static double until(enum program_clock which, const struct timespec *time, const void *from) {
  struct timespec now = time_of(which, from);
  return (double)(time->tv_sec - now.tv_sec) + 1e-9 * (double)(time->tv_nsec - now.tv_nsec);
}

PUBLIC int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  enum program_clock which = clock_named(clock);
  if (!clock_is_virtual() || !is_time(time) || which == CLOCK_OF_PROCESSOR)
    return NEXT(clock_nanosleep)(clock, flags, time, left);
  SLEEP(flags & TIMER_ABSTIME ? until(which, time, __builtin_return_address(0)) : seconds_of(*time));
  return 0;
}

PUBLIC int usleep(useconds_t time) {
  if (!clock_is_virtual()) return NEXT(usleep)(time);
  SLEEP(1e-6 * time);
  return 0;
}

PUBLIC unsigned sleep(unsigned time) {
  if (!clock_is_virtual()) return NEXT(sleep)(time);
  SLEEP(time);
  return 0;
}

PUBLIC int thrd_sleep(const struct timespec *time, struct timespec *left) {
  if (!clock_is_virtual() || !is_time(time)) return NEXT(thrd_sleep)(time, left);
  SLEEP(seconds_of(*time));
  return 0;
}

/* ---- waits for other threads, until a time ---- */

/* What others do takes no virtual time, and they are waited for as long by the system's clock. Where that time is over,
 * it is in virtual time, too. Where there are no others it is over at once. */
static struct timespec real_limit(enum program_clock which, double seconds) {
  struct timespec now;
  syscall(SYS_clock_gettime, which == CLOCK_OF_DAY ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
  if (thread_is_alone() || seconds < 0) return now;
  struct timespec more = parted(seconds);
  now.tv_sec += more.tv_sec + (now.tv_nsec + more.tv_nsec) / 1000000000;
  now.tv_nsec = (now.tv_nsec + more.tv_nsec) % 1000000000;
  return now;
}

static void too_late(double seconds, const char *function, const void *from) {
  int wrong = errno;
  sleep_virtually(seconds, function, from);
  errno = wrong;
}

/* `over`: so its result says that the time is over. */
#define WAITS_UNTIL(name, PARAMETERS, ARGUMENTS, which, over)           \
  PUBLIC int name PARAMETERS {                                          \
    __typeof__(&name) real = NEXT(name);                                \
    if (!clock_is_virtual() || !is_time(time)) return real ARGUMENTS;   \
    double seconds = until(which, time, __builtin_return_address(0));   \
    struct timespec limit = real_limit(which, seconds);                 \
    time = &limit;                                                      \
    int result = real ARGUMENTS;                                        \
    if (over) too_late(seconds, __func__, __builtin_return_address(0)); \
    return result;                                                      \
  }
#define CONDITION pthread_cond_t *condition, pthread_mutex_t *mutex
#define TIME const struct timespec *time
#define RESTRICTED_TIME const struct timespec *restrict time
/* Of a condition as pthread_condattr_setclock has it. */
#define ITS_CLOCK (condition->__data.__wrefs & 2 ? CLOCK_SINCE_BOOT : CLOCK_OF_DAY)
#define LATE (result == ETIMEDOUT)
#define LATE_BY_ERRNO (result < 0 && errno == ETIMEDOUT)

WAITS_UNTIL(pthread_cond_timedwait, (CONDITION, TIME), (condition, mutex, time), ITS_CLOCK, LATE)
WAITS_UNTIL(pthread_cond_clockwait, (CONDITION, clockid_t clock, TIME), (condition, mutex, clock, time),
            clock_named(clock), LATE)
WAITS_UNTIL(pthread_mutex_timedlock, (pthread_mutex_t *restrict mutex, RESTRICTED_TIME), (mutex, time), CLOCK_OF_DAY,
            LATE)
WAITS_UNTIL(pthread_mutex_clocklock, (pthread_mutex_t * mutex, clockid_t clock, TIME), (mutex, clock, time),
            clock_named(clock), LATE)
WAITS_UNTIL(pthread_rwlock_timedrdlock, (pthread_rwlock_t *restrict lock, RESTRICTED_TIME), (lock, time), CLOCK_OF_DAY,
            LATE)
WAITS_UNTIL(pthread_rwlock_timedwrlock, (pthread_rwlock_t *restrict lock, RESTRICTED_TIME), (lock, time), CLOCK_OF_DAY,
            LATE)
WAITS_UNTIL(pthread_timedjoin_np, (pthread_t thread, void **value, TIME), (thread, value, time), CLOCK_OF_DAY, LATE)
WAITS_UNTIL(sem_timedwait, (sem_t *restrict semaphore, RESTRICTED_TIME), (semaphore, time), CLOCK_OF_DAY, LATE_BY_ERRNO)
WAITS_UNTIL(sem_clockwait, (sem_t *restrict semaphore, clockid_t clock, RESTRICTED_TIME), (semaphore, clock, time),
            clock_named(clock), LATE_BY_ERRNO)
WAITS_UNTIL(cnd_timedwait, (cnd_t *restrict condition, mtx_t *restrict mutex, RESTRICTED_TIME),
            (condition, mutex, time), CLOCK_OF_DAY, result == thrd_timedout)
WAITS_UNTIL(mtx_timedlock, (mtx_t *restrict mutex, RESTRICTED_TIME), (mutex, time), CLOCK_OF_DAY,
            result == thrd_timedout)

/* ---- waits for descriptors ---- */

/* None of them is ready now. When one of others' would be, nobody knows in virtual time. */
static int not_ready(bool any, double seconds, const char *function, const void *from) {
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin(function, from);
  if (any)
    end_program("%s waits for descriptors for up to %g s: virtual time does not know when they are ready", function,
                seconds);
  if (seconds > 0) operation_add(PROGRAM_SLEEP)->duration = seconds;
  return 0;
}
#define NOT_READY(any, seconds) not_ready(any, seconds, __func__, __builtin_return_address(0))

static bool any_polled(const struct pollfd *all, nfds_t count) {
  nfds_t k = 0;
  while (k < count && all[k].fd < 0)
    k++;
  return k < count;
}

static int poll_from(struct pollfd *all, nfds_t count, int limit, const void *from) {
  int ready = NEXT(poll)(all, count, clock_is_virtual() && limit > 0 ? 0 : limit);
  if (ready || !clock_is_virtual() || limit <= 0) return ready;
  return not_ready(any_polled(all, count), 1e-3 * limit, "poll", from);
}

static int ppoll_from(struct pollfd *all, nfds_t count, const struct timespec *limit, const sigset_t *signals,
                      const void *from) {
  bool limited = clock_is_virtual() && is_time(limit);
  int ready = NEXT(ppoll)(all, count, limited ? &(struct timespec){0} : limit, signals);
  if (ready || !limited) return ready;
  return not_ready(any_polled(all, count), seconds_of(*limit), "ppoll", from);
}

PUBLIC int poll(struct pollfd *all, nfds_t count, int limit) {
  return poll_from(all, count, limit, __builtin_return_address(0));
}

PUBLIC int ppoll(struct pollfd *all, nfds_t count, const struct timespec *limit, const sigset_t *signals) {
  return ppoll_from(all, count, limit, signals, __builtin_return_address(0));
}

/* What compilers make of the two where sizes are checked. */
PUBLIC int __poll_chk(struct pollfd *all, nfds_t count, int limit, size_t size);
PUBLIC int __ppoll_chk(struct pollfd *all, nfds_t count, const struct timespec *limit, const sigset_t *signals,
                       size_t size);
int __poll_chk(struct pollfd *all, nfds_t count, int limit, size_t size) {
  if (size / sizeof *all < count) abort();
  return poll_from(all, count, limit, __builtin_return_address(0));
}
int __ppoll_chk(struct pollfd *all, nfds_t count, const struct timespec *limit, const sigset_t *signals, size_t size) {
  if (size / sizeof *all < count) abort();
  return ppoll_from(all, count, limit, signals, __builtin_return_address(0));
}

/* Descriptors of any of three sets, which a wait empties: asked before it. */
static bool any_selected(int count, const fd_set *in, const fd_set *out, const fd_set *other) {
  const fd_set *const sets[] = {in, out, other};
  for (int k = 0; k < 3; k++)
    for (int file = 0; sets[k] && file < count; file++)
      if (FD_ISSET(file, sets[k])) return true;
  return false;
}

PUBLIC int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *limit) {
  if (!clock_is_virtual() || !limit || limit->tv_sec < 0 || limit->tv_usec < 0)
    return NEXT(select)(count, in, out, other, limit);
  bool any = any_selected(count, in, out, other);
  double seconds = (double)limit->tv_sec + 1e-6 * (double)limit->tv_usec;
  *limit = (struct timeval){0};
  int ready = NEXT(select)(count, in, out, other, limit);
  return ready || seconds == 0 ? ready : NOT_READY(any, seconds);
}

PUBLIC int pselect(int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *limit,
                   const sigset_t *signals) {
  if (!clock_is_virtual() || !is_time(limit)) return NEXT(pselect)(count, in, out, other, limit, signals);
  bool any = any_selected(count, in, out, other);
  int ready = NEXT(pselect)(count, in, out, other, &(struct timespec){0}, signals);
  return ready || seconds_of(*limit) == 0 ? ready : NOT_READY(any, seconds_of(*limit));
}

PUBLIC int epoll_wait(int set, struct epoll_event *events, int most, int limit) {
  int ready = NEXT(epoll_wait)(set, events, most, clock_is_virtual() && limit > 0 ? 0 : limit);
  return ready || !clock_is_virtual() || limit <= 0 ? ready : NOT_READY(true, 1e-3 * limit);
}

PUBLIC int epoll_pwait(int set, struct epoll_event *events, int most, int limit, const sigset_t *signals) {
  int ready = NEXT(epoll_pwait)(set, events, most, clock_is_virtual() && limit > 0 ? 0 : limit, signals);
  return ready || !clock_is_virtual() || limit <= 0 ? ready : NOT_READY(true, 1e-3 * limit);
}

/* ---- timers ---- */

/* Their signals would come by our time. */
static _Noreturn void no_timer(const char *function, const void *from) {
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin(function, from);
  end_program("%s sets a timer, whose signal virtual time cannot send", function);
}
#define NO_TIMER no_timer(__func__, __builtin_return_address(0))

PUBLIC unsigned alarm(unsigned seconds) {
  if (clock_is_virtual() && seconds) NO_TIMER;
  return NEXT(alarm)(seconds);
}

PUBLIC useconds_t ualarm(useconds_t time, useconds_t again) {
  if (clock_is_virtual() && time) NO_TIMER;
  return NEXT(ualarm)(time, again);
}

PUBLIC int setitimer(__itimer_which_t which, const struct itimerval *restrict time, struct itimerval *restrict before) {
  bool sets = which == ITIMER_REAL && time && (time->it_value.tv_sec || time->it_value.tv_usec);
  if (clock_is_virtual() && sets) NO_TIMER;
  return NEXT(setitimer)(which, time, before);
}

PUBLIC int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict time,
                         struct itimerspec *restrict before) {
  bool sets = time && (time->it_value.tv_sec || time->it_value.tv_nsec);
  if (clock_is_virtual() && sets) NO_TIMER;
  return NEXT(timer_settime)(timer, flags, time, before);
}
