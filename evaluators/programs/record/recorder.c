/* The trace of this rank: calls, the bursts between them, the sites that they come from. */
#include "evaluators/programs/record/recorder.h"
#include "evaluators/programs/burst_call.h"
#include "evaluators/programs/mpi/burst.h"
#include "evaluators/programs/mpi/fortran.h"
#include "evaluators/programs/trace_format.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SITES = 1 << 14 };

uint32_t self, ranks;

static struct trace_writer *writer;
static __thread bool recorded; /* the thread that has called MPI_Init */
static uint32_t depth;         /* calls within calls */
static double tick;
static bool watched; /* by a plugin of the QEMU that runs this process */

/* In few instructions, since they count. */
static inline void tell(enum burst_call what, uint64_t with) {
  long number = BURST_CALL;
  if (watched) __asm__ volatile("syscall" : "+a"(number) : "D"((long)what), "S"(with) : "rcx", "r11", "memory");
}

/* ---- time ---- */

static double cpu;           /* s that the thread had taken */
static uint64_t cpu_stamp;   /* then */
static uint64_t begun;       /* the burst */
static uint64_t called;      /* the call in hand */
static uint64_t returned;    /* from it */
static uint64_t recorded_to; /* when the last call that was put has returned */
static double owed;          /* s of bursts since, */
static bool polled;          /* and there were calls that have found nothing, */
static double lost;          /* and so much of all that others had the processor in */
static double polled_last;   /* the last call, if that was such a one; 0: it was not */
static double between;       /* the burst behind it, where that is shorter: it may be polling, too */
static double call_lost;     /* s of the call in hand that others had the processor in, not told yet */
static bool has_put;         /* the call in hand is an operation */
static int delays = -1;      /* the kernel's account of how long the thread has waited for a processor */
static double delay;         /* then, s */

static double delay_now(void) {
  char text[100];
  unsigned long long ran, waited;
  ssize_t size = delays < 0 ? -1 : pread(delays, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  return sscanf(text, "%llu %llu", &ran, &waited) == 2 ? 1e-9 * (double)waited : 0;
}

static void synchronise(void) {
  burst_watch();
  double before = delay;
  delay = delay_now();
  lost += delay - before;
  cpu = burst_cpu();
  cpu_stamp = burst_stamp();
}

/* As long as nothing interrupts the thread, be it in a burst or in a call, the time stamp says what it has taken. */
static void burst_begin(void) {
  if (burst_interrupted()) synchronise();
  begun = burst_stamp();
}

/* Of a call, which may wait in the kernel, too: that alone for which it has waited for the processor. */
static double lost_in_call(double took) {
  if (!burst_interrupted()) return 0;
  double waited = delay_now() - delay;
  return waited < 0 ? 0 : waited < took ? waited : took;
}

static void burst_end(void) {
  called = burst_stamp();
  double seconds = (double)(called - begun) * tick;
  if (burst_interrupted()) {
    double taken = burst_cpu() - cpu - (double)(begun - cpu_stamp) * tick;
    seconds = taken < tick ? tick : taken < seconds ? taken : seconds;
    synchronise();
    called = burst_stamp();
  }
  if (seconds < polled_last)
    between = seconds;
  else
    owed += seconds;
  polled_last = 0;
  call_lost = 0;
  has_put = false;
}

/* The call was a test or a probe that has found nothing, or had nothing to do. */
static void polled_call(void) {
  double took = (double)(burst_stamp() - called) * tick;
  polled_last = took - lost_in_call(took);
  polled = true;
  between = 0;
}

/* ---- sites ---- */

struct known {
  const void *address;
  struct program_site site;
};
static struct known sites[SITES];
static const struct program_site *site, *site_before;

/* The file of what is loaded there, which has no name of its own where it is the program. */
static const char *file_of(const struct link_map *map) {
  static char program[4096];
  if (*map->l_name) return map->l_name;
  if (!*program && readlink("/proc/self/exe", program, sizeof program - 1) < 0) return "?";
  return program;
}

/* A return address: what stands before it is the call. */
const struct program_site *site_of(const void *address) {
  size_t at = (uintptr_t)address * 0x9e3779b97f4a7c15u >> 50;
  for (size_t tries = 0; tries < 64; tries++, at = (at + 1) % SITES) {
    struct known *known = &sites[at];
    if (known->address == address) return &known->site;
    if (known->address) continue;
    Dl_info info;
    struct link_map *map = NULL;
    if (!address || !dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return NULL;
    known->address = address;
    known->site = (struct program_site){.file = file_of(map), .address = (uintptr_t)address - map->l_addr - 1};
    return &known->site;
  }
  return NULL;
}

/* ---- operations ---- */

struct program_operation operation_of(enum program_kind kind) {
  struct program_operation o = {.kind = kind, .site = site};
  returned = burst_stamp();
  o.took = (double)(returned - called) * tick;
  call_lost = lost_in_call(o.took);
  return o;
}

static bool ends_polling(enum program_kind kind) {
  return kind < PROGRAM_KINDS && ((program_kinds[kind].fields & FIELD_REQUESTS) || kind == PROGRAM_PROBE);
}

/* The burst before it; its time by the clock is told where that is another. */
static void put_burst(enum program_kind kind) {
  double took = (double)(called - recorded_to) * tick;
  if (!ends_polling(kind)) owed += between;
  struct program_operation o = {.kind = PROGRAM_COMPUTE, .work = owed, .took = polled || owed < 0.99 * took ? took : 0};
  if (polled && took > owed + lost) o.polled = took - owed - lost;
  o.burst = (site_before ? site_before->address : 0) << 32 ^ (site ? site->address : 0);
  tell(BURST_NAMED, o.burst);
  if (owed > 0 || polled) trace_write(writer, self, &o);
  owed = between = 0;
  polled = false;
}

void call_put(void) {
  has_put = true;
  if (recorded_to < called) put_burst(PROGRAM_KINDS);
  recorded_to = returned = burst_stamp();
  site_before = site;
}

/* Before MPI_Init there is no burst. */
void operation_put(const struct program_operation *o) {
  struct program_operation own = *o;
  has_put = true;
  if (recorded_to < called && o->kind != PROGRAM_INIT) put_burst(o->kind);
  if (own.took > 0) own.lost = call_lost, call_lost = 0;
  trace_write(writer, self, &own);
  recorded_to = returned;
  site_before = site;
}

void received_put(int64_t request, const MPI_Status *status, const struct program_operation *o) {
  trace_write_received(writer, self, request, o->source, status->MPI_TAG);
}

void cancelled_put(int64_t request) { trace_write_cancelled(writer, self, request); }

void *scratch(size_t size) {
  static void *room;
  static size_t capacity;
  if (size <= capacity) return room;
  free(room);
  capacity = 2 * size;
  return room = malloc(capacity);
}

/* ---- calls ---- */

bool call_begin(const void *from) {
  tell(BURST_STOPS, 0);
  if (!recorded || depth || !writer) {
    if (!depth) tell(BURST_GOES_ON, 0);
    return false;
  }
  const void *caller = fortran_caller(from);
  depth++;
  burst_end();
  site = site_of(caller);
  return true;
}

bool took_place(int code) {
  int class = code;
  if (code == MPI_SUCCESS) return true;
  PMPI_Error_class(code, &class);
  return class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS;
}

void call_end(void) {
  depth--;
  if (!has_put) polled_call();
  burst_begin();
  if (has_put) lost = 0;
  tell(BURST_GOES_ON, 0);
}

/* ---- beginning and end ---- */

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Nobody else of the command has been this rank; else a file says of which MPI, and of how many ranks. */
static void claim(const char *folder, const char *path) {
#ifdef OPEN_MPI
  static const char mpi[] = "Open MPI";
#else
  static const char mpi[] = "MPICH";
#endif
  char again[4096];
  int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (file >= 0) close(file);
  if (file >= 0 || errno != EEXIST) return;
  snprintf(again, sizeof again, "%s/again", folder);
  FILE *out = fopen(again, "we");
  if (out) fprintf(out, "%u %s", ranks, mpi);
  if (out) fclose(out);
}

double recorder_open(void) {
  const char *folder = getenv("PSL_TRACE");
  char path[4096];
  int number, size;
  if (!folder || writer) return 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &number);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  self = (uint32_t)number, ranks = (uint32_t)size;
  snprintf(path, sizeof path, "%s/%u.trace", folder, self);
  claim(folder, path);
  writer = trace_writer_open(path, ranks, self);
  if (!writer) perror(path);
  burst_open();
  tick = burst_tick();
  double now = wall(), first = now;
  PMPI_Allreduce(&now, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  watched = getenv("PSL_TRACE_QEMU");
  tell(BURST_RANK, self);
  recorded = true;
  /* Where nothing says that a thread was interrupted, it would be read at each call. */
  if (burst_sequence()) delays = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  delay = delay_now();
  synchronise();
  begun = recorded_to = called = burst_stamp();
  return wall() - first;
}

void recorder_close(void) {
  if (!writer || !recorded) return;
  trace_write_end(writer, self);
  if (!trace_writer_close(writer)) perror("psl trace");
  writer = NULL;
}

/* What the program starts by itself is not traced. */
__attribute__((constructor)) static void disarm(void) { unsetenv("LD_PRELOAD"); }
