/* From a call of the program to operations: the burst before it, the call itself, the turn given to psl and taken back;
 * and how errors of the program are said. */
#include "evaluators/programs/crash_place.h"
#include "evaluators/programs/mpi/clock.h"
#include "evaluators/programs/mpi/file.h"
#include "evaluators/programs/mpi/fortran.h"
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

struct area *area;
static struct rank process = {.function = "MPI"};
struct rank *self = &process;

const char *call_name(void) { return self->function; }
bool in_call(void) { return self->depth > 0; }
const void *call_site(void) { return self->site; }

/* ---- the hand-over ---- */

/* psl ends with its ranks, so a wait has no other end. */
static void hand_over(void) {
  struct rank *rank = self;
  if (area->inside) {
    struct exceptions kept = {0};
    if (area->exceptions) kept = exceptions_leave();
    turn_inside(area, rank->seat, TURN_OF_PSL);
    if (area->exceptions) exceptions_return(kept);
    self = rank;
  } else {
    turn_give(rank->seat, TURN_OF_PSL);
    while (!turn_wait(rank->seat, TURN_OF_RANK))
      continue;
  }
}

struct program_operation *operation_add(enum program_kind kind) {
  static const struct program_operation none = {.kind = PROGRAM_COMPUTE};
  struct seat *seat = self->seat;
  if (seat->added == SLOTS && seat->taken < SLOTS) hand_over();
  if (seat->added == seat->taken) seat->added = seat->taken = 0;
  struct slot *slot = &seat->slots[seat->added++];
  shared_give(slot->lists);
  slot->site = self->site;
  slot->lists = NULL;
  operation_copy(&slot->operation, &none);
  slot->operation.kind = kind;
  return &slot->operation;
}

void *operation_list(size_t size) {
  struct slot *slot = &self->seat->slots[self->seat->added - 1];
  return slot->lists = shared_get(size ? size : 1);
}

const struct program_answer *operations_end(void) {
  if (self->seat->added != self->seat->taken) hand_over();
  return &self->seat->answer;
}

/* ---- errors ---- */

/* What it has done so far stays to be taken: the error comes behind it, at its virtual time. */
static _Noreturn void end_by(enum seat_state state, int code) {
  bool is_beside = self->seat->state == SEAT_FINALIZED && !area->inside; /* psl waits for the process's end */
  self->seat->code = code;
  self->seat->site = self->site;
  fflush(NULL);
  operations_end();
  self->seat->state = state;
  if (is_beside) _exit(code);
  for (;;)
    hand_over();
}

static _Noreturn void end_with(const char *format, va_list arguments) {
  vsnprintf(self->seat->error, sizeof self->seat->error, format, arguments);
  end_by(SEAT_FAILED, 1);
}

_Noreturn void end_program(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end_with(format, arguments);
}

int fail(MPI_Comm comm, int class, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!errors_return(comm, class)) end_with(format, arguments);
  va_end(arguments);
  return class;
}

int fail_count(int class, int64_t count) {
  return fail(MPI_COMM_WORLD, class, "%s: the count %ld is negative", call_name(), (long)count);
}

int file_fail(const struct file *f, int class, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!errors_of_file(f, class)) end_with(format, arguments);
  va_end(arguments);
  return class;
}

API(Abort) int MPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  CALL;
  end_by(SEAT_ABORTED, code);
}

void program_warn(const void *where, uint32_t count, const char *by) {
  self->seat->left_site = where;
  self->seat->left = count;
  snprintf(self->seat->left_by, sizeof self->seat->left_by, "%s", by);
}

/* ---- calls ---- */

static void check_state(const char *name, const void *site) {
  if (!self->seat) abort(); /* a program of MPI without psl mpirun */
  if (self->seat->state == SEAT_INSIDE) return;
  self->function = name;
  self->site = site;
  end_program("%s is called %s", name, self->seat->state == SEAT_STARTED ? "before MPI_Init" : "after MPI_Finalize");
}

/* `times_nest`: what was computed since the call before is a nest of loops, whose operation will have its time. */
struct entry nest_entry(const char *name, const void *from, bool times_nest) {
  struct entry entry = {self->function, 0};
  const void *site = fortran_caller(from);
  if (self->depth++) return entry;
  check_state(name, site);
  const void *before = self->site;
  self->site = site;
  double work = clock_work_end(before, self->site);
  if (times_nest) {
    entry.work = work;
  } else if (work > 0) {
    struct program_operation *operation = operation_add(PROGRAM_COMPUTE);
    operation->work = work;
    operation->unit = area->costs == COSTS_INSTRUCTIONS ? UNIT_INSTRUCTIONS : UNIT_SECONDS;
    operation->burst = clock_burst_key(before, self->site);
  }
  self->function = name;
  return entry;
}

struct entry entry_begin(const char *name, const void *from) {
  return nest_entry(name, from, false);
}

void entry_end(struct entry *entry) {
  self->function = entry->function;
  if (self->depth == 1 && self->posted_freed) freed_receive();
  if (--self->depth) return;
  clock_burst_begin();
}

/* Its place is that of the call in hand, for as long as it lasts; bursts begin and end at other calls. */
struct local_entry local_begin(const char *name, const void *from, bool any_time) {
  struct local_entry entry = {.outermost = !self->depth && !self->is_local};
  const void *site = fortran_caller(from);
  if (!entry.outermost) return entry;
  entry.function = self->function;
  entry.before = self->site;
  self->function = name;
  entry.site = self->site = site;
  self->is_local = true;
  if (!any_time) check_state(name, site);
  return entry;
}

/* A function of the program that was called meanwhile may have made calls that take time: their place stays. */
void local_end(const struct local_entry *entry) {
  if (!entry->outermost) return;
  self->is_local = false;
  self->function = entry->function;
  if (self->site == entry->site) self->site = entry->before;
}

/* ---- beginning and end ---- */

/* The status with which the process ends. */
static int exit_code;

static void note_code(int code, void *user) {
  (void)user;
  exit_code = code & 255;
}

static void forked(void) {
  if (self->seat->state == SEAT_INSIDE)
    end_program("the program makes another process by fork, which psl mpirun cannot run");
}

/* What the program starts by itself is no rank. */
static void environment_clean(void) {
  unsetenv("LD_PRELOAD");
  unsetenv(AREA_VARIABLE);
}

/* The program is the first of what is loaded. */
static int base_note(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  struct seat *seat = self->seat;
  seat->base = (const char *)info->dlpi_addr;
  for (int k = 0; k < info->dlpi_phnum; k++)
    if (info->dlpi_phdr[k].p_type == PT_LOAD)
      seat->end = seat->base + info->dlpi_phdr[k].p_vaddr + info->dlpi_phdr[k].p_memsz;
  return 1;
}

/* ---- crashes ---- */

/* Where in the program it is, for psl, which sees its process end by the signal that then comes again. */
static void on_crash(int number) {
  signal(number, SIG_DFL);
  self->seat->crashed_at = crash_place(self->seat->base, self->seat->end);
  raise(number);
}

/* A program that has its own handlers of them keeps these. What has used up the stack has none left for this one. */
static void crashes_watch(void) {
  const int signals[] = CRASHES;
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
    struct sigaction now;
    if (!sigaction(signals[k], NULL, &now) && now.sa_handler == SIG_DFL)
      sigaction(signals[k], &(struct sigaction){.sa_handler = on_crash}, NULL);
  }
}

/* ---- ranks that are forked ---- */

/* psl's child as this process is, which the C library knows by its number; 0: there, -1: none can be had. */
static int sibling_make(int *number) {
  void *robust = NULL;
  size_t size = 0;
  syscall(SYS_get_robust_list, 0, &robust, &size);
  int made = (int)syscall(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, NULL, NULL,
                          number, NULL);
  if (made == 0) syscall(SYS_set_robust_list, robust, size);
  return made;
}

/* Is the library one of those whose constructors keep nothing that is a process's own? */
static bool is_known(const char *path) {
  static const char *const known[] = {"linux-vdso",  "ld-linux-x86-64", "libc",         "libm",        "libdl",
                                      "libpthread",  "librt",           "libgcc_s",     "libstdc++",   "libgfortran",
                                      "libquadmath", "libmpich",        "libmpichfort", "libmpichcxx", "psl-mpich"};
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  size_t length = strcspn(name, ".");
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strlen(known[k]) == length && strncmp(known[k], name, length) == 0) return true;
  return false;
}

/* A library of the program's may have noted its process's number, drawn a number by chance, or opened a file, in a
 * constructor, which has run already. */
static int is_own_library(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  return *info->dlpi_name && !is_known(info->dlpi_name);
}

/* Loading takes a process longer than all else at its beginning, so many ranks are forked from one that has done so and
 * has run none of the program. Returns as a rank. */
static void ranks_fork(void) {
  struct forking *forking = &area->forking;
  int *number = NULL;
  struct stat threads;
  bool can = prctl(PR_GET_TID_ADDRESS, &number) == 0 && number && *number == gettid() &&
             stat("/proc/self/task", &threads) == 0 && threads.st_nlink == 3 && !dl_iterate_phdr(is_own_library, NULL);
  for (;;) {
    while (!turn_await(&forking->turns, TURN_OF_RANK))
      continue;
    int made = can ? sibling_make(number) : -1;
    if (made == 0) break;
    forking->process = made < 0 ? 0 : made;
    turn_pass(&forking->turns, TURN_OF_PSL);
  }
  self->number = forking->rank;
  int nothing = open("/dev/null", O_RDONLY);
  if (self->number && nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (nothing > STDIN_FILENO) close(nothing);
}

__attribute__((constructor)) static void attach(void) {
  const char *place = getenv(AREA_VARIABLE);
  int file = -1, parent = -1;
  size_t size = 0;
  if (!place || sscanf(place, "%u:%d:%zu:%d", &self->number, &file, &size, &parent) != 4) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  area = mmap(AREA_ADDRESS, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
  if (area == MAP_FAILED) {
    perror("psl mpirun: the memory that ranks share cannot be had");
    _exit(1);
  }
  close(file);
  environment_clean();
  if (self->number == FORKING) {
    ranks_fork();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
  }
  self->seat = &area->seats[self->number];
  self->seat->state = SEAT_STARTED;
  dl_iterate_phdr(base_note, NULL);
}

static void begin(const void *from) {
  const void *site = fortran_caller(from);
  if (!area) {
    fprintf(stderr, "this program is linked with psl's library of MPI: run it by 'psl mpirun'\n");
    exit(1);
  }
  self->function = "MPI_Init";
  self->site = site;
  if (self->seat->state != SEAT_STARTED) end_program("MPI is initialized twice");
  if (!area->inside) pthread_atfork(forked, NULL, NULL), on_exit(note_code, NULL), crashes_watch();
  communicators_open();
  self->seat->state = SEAT_INSIDE;
  operation_add(PROGRAM_INIT);
  clock_open();
  virtual_time_begin();
  clock_burst_begin();
  self->function = "a call of MPI"; /* that takes no time, and says no name of its own */
}

API(Init) int MPI_Init(int *count, char ***words) {
  (void)count, (void)words;
  begin(__builtin_return_address(0));
  return MPI_SUCCESS;
}

/* One thread at a time may call: which one is the same to it. */
API(Init_thread) int MPI_Init_thread(int *count, char ***words, int required, int *provided) {
  (void)count, (void)words;
  begin(__builtin_return_address(0));
  *provided = self->thread_level = required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED;
  return MPI_SUCCESS;
}

/* Inside of psl's process no rank has another one. */
bool thread_is_alone(void) {
  struct stat threads;
  if (area->inside) return true;
  return stat("/proc/self/task", &threads) == 0 && threads.st_nlink <= 3; /* a folder has two links more */
}

API(Query_thread) int MPI_Query_thread(int *provided) {
  *provided = self->thread_level;
  return MPI_SUCCESS;
}

API(Is_thread_main) int MPI_Is_thread_main(int *flag) {
  *flag = 1;
  return MPI_SUCCESS;
}

API(Initialized) int MPI_Initialized(int *flag) {
  *flag = self->seat && self->seat->state >= SEAT_INSIDE;
  return MPI_SUCCESS;
}

API(Finalized) int MPI_Finalized(int *flag) {
  *flag = self->seat && self->seat->state == SEAT_FINALIZED;
  return MPI_SUCCESS;
}

API(Finalize) int MPI_Finalize(void) {
  CALL;
  int wrong = finalize_attributes();
  if (wrong) return wrong;
  finalize_check();
  operation_add(PROGRAM_FINALIZE);
  operations_end();
  virtual_time_end();
  self->seat->state = SEAT_FINALIZED;
  if (area->inside)
    hand_over();
  else
    turn_give(self->seat, TURN_OF_PSL);
  return MPI_SUCCESS;
}

void leave(int code) {
  if (self->seat->state != SEAT_INSIDE) return;
  if (code) end_program("after this call the program ends with status %d, without MPI_Finalize", code);
  end_program("after this call the program ends without MPI_Finalize");
}

__attribute__((destructor)) static void leave_process(void) {
  if (process.seat) leave(exit_code);
}

/* ---- ranks in psl's process ---- */

/* psl calls it, on the rank's strand. */
PUBLIC void psl_rank_open(struct area *shared, uint32_t number);
void psl_rank_open(struct area *shared, uint32_t number) {
  area = shared;
  self = calloc(1, sizeof *self);
  *self = (struct rank){.number = number, .function = "MPI", .seat = &area->seats[number]};
  self->seat->state = SEAT_STARTED;
}

_Noreturn void leave_strand(int code) {
  self->seat->code = code;
  self->seat->exited = true;
  for (;;)
    hand_over();
}
