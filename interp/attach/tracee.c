/* Threads are seized, so that nothing is sent to them; each that the process starts is seized with it. A thread that is
 * at a breakpoint steps over it while all others stand still, with the byte that belongs there.
 *
 * Breakpoints are never forgotten: a thread may have come to one that is taken away before psl has heard of it. Such a
 * thread goes back to the instruction. A process that is forked has its memory mended and is left alone. */
#include "interp/attach/tracee.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRAP 0xcc /* int3 */
enum { OPTIONS = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC };

struct thread {
  struct thread *next;
  pid_t id;
  bool running;
  bool waiting;                   /* `status` is still to be looked at */
  const struct breakpoint *again; /* a signal has kept it from stepping over that */
  int status;
  int signal;  /* that it is given when it goes on */
  pid_t child; /* by vfork: it waits in the kernel, and cannot be stopped, until that begins another program or ends */
};

struct tracee {
  pid_t process;
  int memory;
  struct thread *threads;
  unsigned count, most; /* at one time */
  pid_t early[16];      /* processes that have been forked, of which that is not told yet: they stand still */
  size_t early_count;
  struct breakpoint **breakpoints;
  size_t breakpoint_count, breakpoint_room;
};

/* ---- threads ---- */

static struct thread *thread_of(struct tracee *t, pid_t id) {
  struct thread *thread = t->threads;
  while (thread && thread->id != id)
    thread = thread->next;
  return thread;
}

static struct thread *thread_add(struct tracee *t, pid_t id, bool running) {
  struct thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  *thread = (struct thread){.next = t->threads, .id = id, .running = running};
  if (++t->count > t->most) t->most = t->count;
  return t->threads = thread;
}

static void thread_remove(struct tracee *t, pid_t id) {
  struct thread **at = &t->threads;
  while (*at && (*at)->id != id)
    at = &(*at)->next;
  if (!*at) return;
  for (struct thread *parent = t->threads; parent; parent = parent->next)
    if (parent->child == id) parent->child = 0;
  struct thread *gone = *at;
  *at = gone->next;
  t->count--;
  free(gone);
}

unsigned tracee_threads(const struct tracee *t) { return t->most; }

static void resume(struct thread *thread) {
  thread->running = true;
  ptrace(PTRACE_CONT, thread->id, 0, thread->signal);
  thread->signal = 0;
}

/* Waits until the thread stops or ends; false: nobody has it any more. */
static bool thread_wait(pid_t id, int *status) {
  pid_t got;
  while ((got = waitpid(id, status, __WALL)) < 0 && errno == EINTR)
    continue;
  return got >= 0;
}

/* Stops it, and keeps what it stops for where that is something else. */
static void thread_halt(struct thread *thread) {
  int status;
  if (!thread->running) return;
  ptrace(PTRACE_INTERRUPT, thread->id, 0, 0);
  bool told = thread_wait(thread->id, &status);
  thread->running = false;
  if (!told || !WIFSTOPPED(status)) { /* it has ended */
    thread->waiting = told;
    thread->status = status;
    return;
  }
  if (status >> 16 == PTRACE_EVENT_STOP) return;
  thread->waiting = true;
  thread->status = status;
}

/* A child by vfork that stands still keeps who has begun it still. It comes before that among the threads. */
static bool is_held(struct tracee *t, const struct thread *thread) {
  const struct thread *child = thread->child ? thread_of(t, thread->child) : NULL;
  if (!child || !thread->running) return false;
  if (child->running) return is_held(t, child);
  return !child->waiting || (WIFSTOPPED(child->status) && child->status >> 16 != PTRACE_EVENT_EXEC);
}

static void halt(struct tracee *t) {
  for (struct thread *thread = t->threads; thread; thread = thread->next)
    if (!is_held(t, thread)) thread_halt(thread);
}

static void release(struct tracee *t) {
  for (struct thread *thread = t->threads; thread; thread = thread->next)
    if (!thread->running && !thread->waiting) resume(thread);
}

/* ---- memory ---- */

bool tracee_read(const struct tracee *t, uint64_t address, void *to, size_t size) {
  return pread(t->memory, to, size, (off_t)address) == (ssize_t)size;
}

static bool byte_write(int memory, uint64_t address, uint8_t byte) {
  return pwrite(memory, &byte, 1, (off_t)address) == 1;
}

static struct breakpoint *breakpoint_at(const struct tracee *t, uint64_t address) {
  for (size_t k = 0; k < t->breakpoint_count; k++)
    if (t->breakpoints[k]->address == address) return t->breakpoints[k];
  return NULL;
}

static struct breakpoint *breakpoint_new(struct tracee *t, uint64_t address) {
  if (t->breakpoint_count == t->breakpoint_room) {
    size_t room = 2 * t->breakpoint_room + 16;
    struct breakpoint **more = realloc(t->breakpoints, room * sizeof *more);
    if (!more) return NULL;
    t->breakpoints = more;
    t->breakpoint_room = room;
  }
  struct breakpoint *breakpoint = calloc(1, sizeof *breakpoint);
  if (!breakpoint) return NULL;
  breakpoint->address = address;
  return t->breakpoints[t->breakpoint_count++] = breakpoint;
}

static bool breakpoint_set(struct tracee *t, struct breakpoint *breakpoint) {
  if (breakpoint->there) return true;
  breakpoint->there =
      tracee_read(t, breakpoint->address, &breakpoint->before, 1) && byte_write(t->memory, breakpoint->address, TRAP);
  return breakpoint->there;
}

static void breakpoint_clear(struct tracee *t, struct breakpoint *breakpoint) {
  if (breakpoint->there) byte_write(t->memory, breakpoint->address, breakpoint->before);
  breakpoint->there = false;
}

struct breakpoint *breakpoint_want(struct tracee *t, uint64_t address) {
  struct breakpoint *breakpoint = breakpoint_at(t, address);
  if (!breakpoint) breakpoint = breakpoint_new(t, address);
  if (!breakpoint || !breakpoint_set(t, breakpoint)) return NULL;
  breakpoint->users++;
  return breakpoint;
}

void breakpoint_drop(struct tracee *t, struct breakpoint *breakpoint) {
  if (breakpoint && --breakpoint->users == 0) breakpoint_clear(t, breakpoint);
}

/* ---- what stops say ---- */

/* Waits until a process that has been forked stands still, as it does at its beginning. */
static void forked_await(struct tracee *t, pid_t child) {
  int status;
  for (size_t k = 0; k < t->early_count; k++)
    if (t->early[k] == child) {
      t->early[k] = t->early[--t->early_count];
      return;
    }
  thread_wait(child, &status);
}

/* A process that is forked has a copy of the memory. One by vfork shares it: it is a thread until it begins another
 * program. */
static void forked(struct tracee *t, pid_t child) {
  char path[40];
  forked_await(t, child);
  snprintf(path, sizeof path, "/proc/%d/mem", (int)child);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  for (size_t k = 0; memory >= 0 && k < t->breakpoint_count; k++) { /* also what has been taken away meanwhile */
    uint8_t byte = 0;
    const struct breakpoint *at = t->breakpoints[k];
    if (pread(memory, &byte, 1, (off_t)at->address) == 1 && byte == TRAP) byte_write(memory, at->address, at->before);
  }
  if (memory >= 0) close(memory);
  ptrace(PTRACE_DETACH, child, 0, 0);
}

/* Has it stopped at a breakpoint of psl's? Then *stop says which, and its registers are as before it. */
static bool breakpoint_met(struct tracee *t, struct thread *thread, struct stop *stop) {
  siginfo_t info;
  if (WSTOPSIG(thread->status) != SIGTRAP || thread->status >> 16) return false;
  if (ptrace(PTRACE_GETSIGINFO, thread->id, 0, &info) < 0 || info.si_code <= 0) return false;
  if (ptrace(PTRACE_GETREGS, thread->id, 0, &stop->registers) < 0) return false;
  stop->at = breakpoint_at(t, stop->registers.rip - 1);
  if (!stop->at) return false;
  stop->thread = thread->id;
  stop->registers.rip--;
  stop->again = thread->again == stop->at;
  thread->again = NULL;
  return true;
}

static void go_back(const struct stop *stop) { ptrace(PTRACE_SETREGS, stop->thread, 0, &stop->registers); }

static enum event ptrace_event(struct tracee *t, struct thread *thread) {
  unsigned long child = 0;
  int event = thread->status >> 16;
  ptrace(PTRACE_GETEVENTMSG, thread->id, 0, &child);
  if (event == PTRACE_EVENT_FORK) forked(t, (pid_t)child);
  if (event == PTRACE_EVENT_CLONE && !thread_of(t, (pid_t)child)) thread_add(t, (pid_t)child, true);
  if (event == PTRACE_EVENT_VFORK) {
    forked_await(t, (pid_t)child);
    struct thread *shares = thread_add(t, (pid_t)child, false);
    if (shares) resume(shares), thread->child = shares->id;
  }
  if (event == PTRACE_EVENT_EXEC && thread->id != t->process) { /* of a vfork: it shares nothing any more */
    ptrace(PTRACE_DETACH, thread->id, 0, 0);
    thread_remove(t, thread->id);
    return EVENT_NOTHING;
  }
  if (event == PTRACE_EVENT_EXEC) { /* its memory is another one */
    for (size_t k = 0; k < t->breakpoint_count; k++)
      t->breakpoints[k]->there = false;
    return EVENT_OVER;
  }
  int signal = WSTOPSIG(thread->status);
  bool stopped =
      event == PTRACE_EVENT_STOP && (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU);
  if (stopped) /* by somebody: it stays so, and its SIGCONT is heard */
    ptrace(PTRACE_LISTEN, thread->id, 0, 0), thread->running = true;
  else
    resume(thread);
  return EVENT_NOTHING;
}

static enum event look_at(struct tracee *t, struct thread *thread, struct stop *stop) {
  thread->waiting = false;
  if (!WIFSTOPPED(thread->status)) {
    bool over = thread->id == t->process;
    thread_remove(t, thread->id);
    return over && !t->count ? EVENT_OVER : EVENT_NOTHING;
  }
  if (thread->status >> 16) return ptrace_event(t, thread);
  if (!breakpoint_met(t, thread, stop)) {
    thread->signal = WSTOPSIG(thread->status); /* the program's own */
    resume(thread);
    return EVENT_NOTHING;
  }
  if (stop->at->there) return EVENT_BREAKPOINT;
  go_back(stop); /* it has been taken away meanwhile */
  resume(thread);
  return EVENT_NOTHING;
}

/* Its beginning is told after it: a thread, or NULL: another process. */
static struct thread *comes_early(struct tracee *t, pid_t id) {
  char path[60];
  snprintf(path, sizeof path, "/proc/%d/task/%d", (int)t->process, (int)id);
  if (access(path, F_OK) == 0) return thread_add(t, id, true);
  if (t->early_count < sizeof t->early / sizeof *t->early) t->early[t->early_count++] = id;
  return NULL;
}

enum event tracee_wait(struct tracee *t, struct stop *stop) {
  for (struct thread *thread = t->threads; thread; thread = thread->next)
    if (thread->waiting) return look_at(t, thread, stop);
  int status;
  pid_t id = waitpid(-1, &status, __WALL);
  if (id < 0) return errno == EINTR ? EVENT_NOTHING : EVENT_OVER;
  struct thread *thread = thread_of(t, id);
  if (!thread && WIFSTOPPED(status)) thread = comes_early(t, id);
  if (!thread) return EVENT_NOTHING;
  thread->running = false;
  thread->status = status;
  return look_at(t, thread, stop);
}

/* ---- over a breakpoint ---- */

/* What functions mostly begin with does the same when psl does it. */
static bool emulate(struct tracee *t, struct stop *stop) {
  struct user_regs_struct *r = &stop->registers;
  uint8_t code[4] = {stop->at->before};
  static const uint8_t endbr64[4] = {0xf3, 0x0f, 0x1e, 0xfa};
  if (!tracee_read(t, r->rip + 1, code + 1, 3)) return false;
  if (!memcmp(code, endbr64, 4)) {
    r->rip += 4;
    return true;
  }
  if (*code != 0x55) return false; /* push %rbp */
  uint64_t value = r->rbp;
  if (pwrite(t->memory, &value, 8, (off_t)(r->rsp - 8)) != 8) return false;
  r->rsp -= 8;
  r->rip += 1;
  return true;
}

static void step(struct tracee *t, struct thread *thread, struct breakpoint *at) {
  int status;
  halt(t);
  breakpoint_clear(t, at);
  ptrace(PTRACE_SINGLESTEP, thread->id, 0, 0);
  bool stepped =
      thread_wait(thread->id, &status) && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP && !(status >> 16);
  if (!stepped) { /* a signal, or an end: it is looked at as what it is, and the instruction is met again */
    thread->waiting = true;
    thread->status = status;
    thread->again = at;
  }
  if (at->users) breakpoint_set(t, at);
  release(t);
}

void tracee_continue(struct tracee *t, const struct stop *stop) {
  struct thread *thread = thread_of(t, stop->thread);
  struct stop after = *stop;
  if (!thread) return;
  bool done = !stop->at->there || emulate(t, &after);
  go_back(&after);
  if (done)
    resume(thread);
  else
    step(t, thread, stop->at);
}

/* ---- the beginning and the end ---- */

static void say_refused(pid_t process, int why, char *error) {
  int scope = 0;
  FILE *yama = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
  if (yama && fscanf(yama, "%d", &scope) != 1) scope = 0;
  if (yama) fclose(yama);
  if (why == ESRCH)
    snprintf(error, 300, "there is no process %d", (int)process);
  else if (scope)
    snprintf(error, 300,
             "process %d may not be looked into: this system permits that to %s (kernel.yama.ptrace_scope is %d)",
             (int)process,
             scope == 1   ? "the process that has started it, and to root"
             : scope == 2 ? "root alone"
                          : "nobody",
             scope);
  else if (why == EPERM)
    snprintf(error, 300, "process %d may not be looked into: it is another user's, or a debugger has it already",
             (int)process);
  else
    snprintf(error, 300, "process %d cannot be looked into: %s", (int)process, strerror(why));
}

/* Those that come while others are seized are found by the next round. */
static bool seize_all(struct tracee *t, char *error) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/task", (int)t->process);
  for (bool more = true; more;) {
    more = false;
    DIR *folder = opendir(path);
    if (!folder) return say_refused(t->process, ESRCH, error), false;
    for (struct dirent *entry; (entry = readdir(folder));) {
      pid_t id = (pid_t)atoi(entry->d_name);
      if (id <= 0 || thread_of(t, id)) continue;
      if (ptrace(PTRACE_SEIZE, id, 0, OPTIONS) == 0)
        more = thread_add(t, id, true) != NULL;
      else if (id == t->process) {
        say_refused(id, errno, error);
        closedir(folder);
        return false;
      }
    }
    closedir(folder);
  }
  return true;
}

struct tracee *tracee_open(pid_t process, char *error) {
  char path[40];
  struct tracee *t = calloc(1, sizeof *t);
  if (!t) return snprintf(error, 300, "there is no memory for it"), NULL;
  t->process = process;
  t->memory = -1;
  if (!seize_all(t, error)) return tracee_close(t), NULL;
  snprintf(path, sizeof path, "/proc/%d/mem", (int)process);
  t->memory = open(path, O_RDWR | O_CLOEXEC);
  if (t->memory >= 0) return t;
  snprintf(error, 300, "the memory of process %d cannot be had: %s", (int)process, strerror(errno));
  tracee_close(t);
  return NULL;
}

/* A stop that nobody has looked at: at a breakpoint it goes back, a signal is the program's. */
static int signal_left(struct tracee *t, struct thread *thread) {
  struct stop stop;
  if (!thread->waiting || !WIFSTOPPED(thread->status)) return thread->signal;
  if (breakpoint_met(t, thread, &stop)) return go_back(&stop), 0;
  if (thread->status >> 16 == PTRACE_EVENT_FORK) {
    unsigned long child = 0;
    ptrace(PTRACE_GETEVENTMSG, thread->id, 0, &child);
    forked(t, (pid_t)child);
  }
  return thread->status >> 16 ? 0 : WSTOPSIG(thread->status);
}

/* Has it passed a breakpoint, of which it is told when it goes on? It was stopped in between. */
static bool trap_is_pending(const struct thread *thread) {
  enum { MOST = 64 }; /* signals, of which those that an instruction has caused come first */
  siginfo_t pending[MOST];
  struct __ptrace_peeksiginfo_args all = {.nr = MOST};
  long count = ptrace(PTRACE_PEEKSIGINFO, thread->id, &all, pending);
  for (long k = 0; k < count; k++)
    if (pending[k].si_signo == SIGTRAP && pending[k].si_code > 0) return true;
  return false;
}

/* Goes on until it is told of that, which is before its next instruction. */
static void take_pending_trap(struct thread *thread) {
  if (thread->running || thread->waiting || !trap_is_pending(thread)) return;
  ptrace(PTRACE_CONT, thread->id, 0, 0);
  thread->waiting = thread_wait(thread->id, &thread->status);
}

void tracee_close(struct tracee *t) {
  halt(t);
  for (struct thread *thread = t->threads; thread; thread = thread->next) {
    take_pending_trap(thread);
    thread->signal = signal_left(t, thread);
  }
  for (size_t k = 0; k < t->breakpoint_count; k++)
    breakpoint_clear(t, t->breakpoints[k]);
  for (struct thread *thread = t->threads, *next; thread; thread = next) {
    next = thread->next;
    ptrace(PTRACE_DETACH, thread->id, 0, thread->signal);
    free(thread);
  }
  for (size_t k = 0; k < t->breakpoint_count; k++)
    free(t->breakpoints[k]);
  free(t->breakpoints);
  if (t->memory >= 0) close(t->memory);
  free(t);
}
