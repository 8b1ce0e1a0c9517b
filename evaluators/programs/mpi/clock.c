/* Bursts are measured by the processor's time stamp, which is quick but counts the time of others too. The kernel says
 * that it has interrupted a burst by clearing the process's restartable sequence; the thread's clock of processor time,
 * read anew after each, then says what the burst has taken. What is left over of an interruption is cold caches:
 * such a burst that takes much longer than any that was not interrupted between its two calls lately, and by no more
 * than caches can cost, counts as a usual one.
 *
 * The program's own clocks answer virtual time from MPI_Init to MPI_Finalize. */
#include "evaluators/programs/mpi/burst.h"
#include "evaluators/programs/mpi/clock.h"
#include "evaluators/programs/mpi/rank.h"
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>

#define KEYS 1024   /* of bursts at most; further ones are taken as they are */
#define LATELY 15   /* bursts of a key, not interrupted, that others are compared to */
#define OUTLIER 8.0 /* times the longest of them */
#define COLD 1e-3   /* s, the most that is taken for cold caches */

struct lately {
  const void *before, *after;
  uint64_t name; /* of the burst; 0: not made yet */
  float seconds[LATELY];
  uint32_t count;
};

static double tick; /* s of the time stamp */
/* The thread's clock, at that stamp; only the burst in hand may have been interrupted since. */
static double synchronised_cpu;
static uint64_t synchronised_stamp;
static __thread bool own_thread; /* it is the one that has called MPI_Init */

/* ---- bursts ---- */

static void synchronise(void) {
  burst_watch();
  synchronised_cpu = burst_cpu();
  synchronised_stamp = burst_stamp();
}

void clock_open(void) {
  burst_open();
  if (area->costs == COSTS_MEASURED) {
    if (area->tick == 0) {
      area->tick = burst_tick();
      area->asking = area->tick * burst_asking();
    }
    tick = area->tick;
    synchronise();
  }
  self->clock.running = own_thread = true;
}

void clock_close(void) { self->clock.running = false; }

/* A few are the library's own, at either end of a burst. */
static uint64_t instructions(void) {
  const volatile uint64_t *count = &area->seats[self->number].instructions;
  return *count;
}

void clock_burst_begin(void) {
  if (area->costs == COSTS_INSTRUCTIONS) self->clock.begun = instructions();
  if (area->costs != COSTS_MEASURED) return;
  if (burst_interrupted()) synchronise(); /* within the call, by others' turns, or where nobody says */
  self->clock.begun = burst_stamp();
}

static int by_size(const void *a, const void *b) {
  return *(const float *)a < *(const float *)b ? -1 : *(const float *)a > *(const float *)b;
}

/* The median of its bursts, and the longest of them. */
static double usual(const struct lately *key, double *longest) {
  float sorted[LATELY];
  uint32_t count = key->count < LATELY ? key->count : LATELY;
  memcpy(sorted, key->seconds, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_size);
  *longest = sorted[count - 1];
  return sorted[count / 2];
}

/* Its place in the table, or the free one that it gets. */
static struct lately *key_find(const struct clock *clock, const void *before, const void *after) {
  uintptr_t hash = ((uintptr_t)before * 31 + (uintptr_t)after) * 0x9e3779b97f4a7c15u >> 32;
  struct lately *key;
  do
    key = &clock->keys[hash++ % clock->key_capacity];
  while (key->after && (key->before != before || key->after != after));
  return key;
}

/* Half of the table is free. */
static bool keys_grow(struct clock *clock) {
  struct clock larger = {.key_capacity = clock->key_capacity ? 2 * clock->key_capacity : 16};
  larger.keys = calloc(larger.key_capacity, sizeof *larger.keys);
  for (uint32_t k = 0; larger.keys && k < clock->key_capacity; k++)
    if (clock->keys[k].after) *key_find(&larger, clock->keys[k].before, clock->keys[k].after) = clock->keys[k];
  if (!larger.keys) return false;
  free(clock->keys);
  clock->keys = larger.keys;
  clock->key_capacity = larger.key_capacity;
  return true;
}

static struct lately *key_of(const void *before, const void *after) {
  struct clock *clock = &self->clock;
  if (2 * clock->key_count >= clock->key_capacity && clock->key_count < KEYS && !keys_grow(clock)) return NULL;
  struct lately *key = key_find(clock, before, after);
  if (key->after) return key;
  if (clock->key_count >= KEYS) return NULL;
  clock->key_count++;
  key->before = before;
  key->after = after;
  return key;
}

static double burst_end(const void *before, const void *after) {
  if (area->costs == COSTS_INSTRUCTIONS) return (double)(instructions() - self->clock.begun);
  if (area->costs != COSTS_MEASURED) return 0;
  uint64_t now = burst_stamp();
  double seconds = (double)(now - self->clock.begun) * tick;
  bool cut = burst_interrupted();
  struct seat *seat = &area->seats[self->number];
  seat->bursts.all++;
  seat->bursts.interrupted += cut;
  if (cut) {
    double before_it = (double)(self->clock.begun - synchronised_stamp) * tick;
    double taken = burst_cpu() - synchronised_cpu - before_it;
    seconds = taken < 0 ? 0 : taken < seconds ? taken : seconds;
  }
  struct lately *key = key_of(before, after);
  if (!key) return seconds;
  if (!cut) {
    key->seconds[key->count++ % LATELY] = (float)seconds;
    return seconds;
  }
  double longest, median = key->count >= 5 ? usual(key, &longest) : 0;
  if (median <= 0 || seconds <= OUTLIER * longest || seconds > longest + COLD) return seconds;
  seat->bursts.replaced++;
  return median;
}

double clock_work_end(const void *before, const void *after) {
  double work = burst_end(before, after) + self->clock.held;
  self->clock.held = 0;
  return work;
}

uint64_t clock_part_begin(void) {
  if (area->costs == COSTS_INSTRUCTIONS) return instructions();
  if (area->costs == COSTS_MEASURED && burst_interrupted()) synchronise();
  return burst_stamp();
}

void clock_part_end(uint64_t begun) {
  struct clock *clock = &self->clock;
  if (area->costs == COSTS_INSTRUCTIONS) clock->held += (double)(instructions() - begun);
  if (area->costs == COSTS_MEASURED && !burst_interrupted()) clock->held += (double)(burst_stamp() - begun) * tick;
}

/* A place in a file that is loaded, so that it is the same in each run. */
static uint64_t place_of(const void *site) {
  Dl_info info;
  size_t place = (size_t)((const char *)site - self->seat->base);
  if (place < area->program_size) return place;
  return site && dladdr(site, &info) ? (uint64_t)((const char *)site - (const char *)info.dli_fbase) : 0;
}

uint64_t clock_burst_key(const void *before, const void *after) {
  struct lately *key = area->costs == COSTS_MEASURED ? key_of(before, after) : NULL;
  uint64_t name = key ? key->name : 0;
  if (!name) name = place_of(before) << 32 ^ place_of(after);
  if (key) key->name = name;
  return name;
}

/* ---- the program's clocks ---- */

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
  double now;
  if (clock->steady && self->seat->added == self->seat->taken) {
    clock->held += burst_end(self->site, from) + area->asking;
    self->site = from;
    now = self->seat->answer.now + clock->held * clock->rate;
    clock_burst_begin();
  } else {
    now = now_asked(from);
  }
  return clock->told = now > clock->told ? now : clock->told;
}

static bool is_virtual(void) { return self->clock.running && own_thread && !in_call(); }

API(Wtime) double MPI_Wtime(void) {
  if (is_virtual()) return virtual_now(__builtin_return_address(0));
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

API(Wtick) double MPI_Wtick(void) { return 1e-9; }

static void split(double seconds, struct timespec *to) {
  to->tv_sec = (time_t)seconds;
  to->tv_nsec = (long)((seconds - (double)to->tv_sec) * 1e9);
}

PUBLIC int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!is_virtual()) return (int)syscall(SYS_clock_gettime, clock, now);
  bool of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  split(virtual_now(__builtin_return_address(0)) + (of_day ? area->epoch : 0), now);
  return 0;
}

PUBLIC int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (is_virtual())
    split(virtual_now(__builtin_return_address(0)) + area->epoch, &time);
  else
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
  *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

PUBLIC time_t time(time_t *to) {
  struct timespec now;
  if (is_virtual())
    split(virtual_now(__builtin_return_address(0)) + area->epoch, &now);
  else
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

PUBLIC clock_t clock(void) {
  struct timespec now;
  if (is_virtual())
    split(virtual_now(__builtin_return_address(0)), &now);
  else
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

PUBLIC clock_t times(struct tms *buffer) {
  if (!is_virtual()) return (clock_t)syscall(SYS_times, buffer);
  clock_t ticks = (clock_t)(virtual_now(__builtin_return_address(0)) * (double)sysconf(_SC_CLK_TCK));
  if (buffer) *buffer = (struct tms){.tms_utime = ticks};
  return ticks;
}

PUBLIC int getrusage(__rusage_who_t who, struct rusage *usage) {
  int done = (int)syscall(SYS_getrusage, who, usage);
  struct timespec now;
  if (done || !is_virtual()) return done;
  split(virtual_now(__builtin_return_address(0)), &now);
  usage->ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  usage->ru_stime = (struct timeval){0};
  return 0;
}

/* Sleep is time of the rank that takes none of ours. */
static void sleep_virtually(double seconds, const void *from) {
  struct entry entry __attribute__((cleanup(entry_end), unused)) = entry_begin("nanosleep", from);
  struct program_operation *operation = operation_add(PROGRAM_COMPUTE);
  operation->work = seconds;
}

PUBLIC int nanosleep(const struct timespec *time, struct timespec *left) {
  if (!is_virtual()) return (int)syscall(SYS_nanosleep, time, left);
  sleep_virtually((double)time->tv_sec + 1e-9 * (double)time->tv_nsec, __builtin_return_address(0));
  return 0;
}

PUBLIC int usleep(useconds_t time) {
  if (is_virtual()) {
    sleep_virtually(1e-6 * time, __builtin_return_address(0));
    return 0;
  }
  return (int)syscall(SYS_nanosleep, &(struct timespec){time / 1000000, time % 1000000 * 1000}, NULL);
}

PUBLIC unsigned sleep(unsigned time) {
  if (is_virtual())
    sleep_virtually(time, __builtin_return_address(0));
  else
    syscall(SYS_nanosleep, &(struct timespec){time, 0}, NULL);
  return 0;
}
