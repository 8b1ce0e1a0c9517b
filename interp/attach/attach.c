/* Instruments of functions: where one begins a breakpoint stands, and while it is in hand another one where it returns
 * to. A thread has a stack of those that it is in. One that is left otherwise, by longjmp or an exception, is seen when
 * the stack of the thread has become shorter, and its time is not counted.
 *
 * An instrument is started and stopped while the process runs; one that is stopped keeps what it has counted. */
#include "interp/attach/attach.h"
#include "evaluators/programs/source_lines.h"
#include "interp/attach/functions.h"
#include "interp/attach/tracee.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { LOOK = 50000 /* us between two looks at what else there is */, COMMAND = 300 };

struct instrument {
  struct instrument *next;
  char *name, place[300];
  struct found_function found;
  struct breakpoint *entry;         /* NULL: it is stopped */
  unsigned long calls, ended, left; /* left: otherwise than by a return */
  double seconds, sum;              /* of calls in no other one of the same thread; of all */
  double least, most;
};

struct call { /* that a thread is in */
  struct call *outer;
  struct instrument *instrument;
  struct breakpoint *back;
  uint64_t stack; /* where its return address stands */
  double begin;
};

struct caller {
  struct caller *next;
  pid_t thread;
  struct call *calls; /* the innermost first */
};

struct attached {
  const struct attach_options *options;
  struct tracee *tracee;
  struct instrument *instruments;
  struct caller *callers;
  struct source_lines *lines;
  double begin, stopped; /* stopped: how long threads have stood at breakpoints */
  unsigned long stops;
  bool traced; /* something stands in the trace */
  char command[COMMAND];
  size_t command_size;
  int commands; /* -1: no more come */
  bool quits;
};

static volatile sig_atomic_t wanted; /* an end */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void say(const struct attached *a, bool error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(const struct attached *a, bool error, const char *format, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  a->options->say(a->options->user, error, text);
}

/* ---- instruments ---- */

static void place_find(struct attached *a, struct instrument *instrument) {
  sigset_t alarms, before; /* the answer of the program that knows lines is read whole */
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarms, &before);
  const struct program_site site = {.file = instrument->found.file, .address = instrument->found.file_offset};
  const struct program_site *found = a->lines ? source_lines_find(a->lines, &site) : &site;
  sigprocmask(SIG_SETMASK, &before, NULL);
  const char *slash = strrchr(found->file, '/');
  if (found->line)
    snprintf(instrument->place, sizeof instrument->place, "%.200s:%u", found->file, found->line);
  else
    snprintf(instrument->place, sizeof instrument->place, "%.200s+%#llx", slash ? slash + 1 : found->file,
             (unsigned long long)found->address);
}

static struct instrument *instrument_named(const struct attached *a, const char *name) {
  struct instrument *instrument = a->instruments;
  while (instrument && strcmp(instrument->name, name))
    instrument = instrument->next;
  return instrument;
}

static bool instrument_find(struct attached *a, struct instrument *instrument) {
  switch (function_find(a->options->process, instrument->name, &instrument->found)) {
  case FUNCTION_FOUND: return place_find(a, instrument), true;
  case FUNCTION_MISSING:
    say(a, true, "no function of process %d, or of its libraries, is called '%.200s'", (int)a->options->process,
        instrument->name);
    break;
  case FUNCTION_STRIPPED:
    say(a, true, "'%.200s' is not found: the program has no symbols (it has been stripped), and no library exports it",
        instrument->name);
    break;
  case FUNCTION_FOREIGN: say(a, true, "the program is for another processor than x86-64"); break;
  }
  return false;
}

static void instrument_free(struct instrument *instrument) {
  free(instrument->name);
  free(instrument);
}

static struct instrument *instrument_new(struct attached *a, const char *name) {
  struct instrument *instrument = calloc(1, sizeof *instrument), **last = &a->instruments;
  if (!instrument || !(instrument->name = strdup(name))) return free(instrument), NULL;
  if (!instrument_find(a, instrument)) return instrument_free(instrument), NULL;
  while (*last)
    last = &(*last)->next;
  return *last = instrument;
}

static bool instrument_start(struct attached *a, const char *name) {
  struct instrument *instrument = instrument_named(a, name);
  if (!instrument) instrument = instrument_new(a, name);
  if (!instrument) return false;
  if (!instrument->entry) instrument->entry = breakpoint_want(a->tracee, instrument->found.address);
  if (instrument->entry) return true;
  say(a, true, "nothing can be written to where '%.200s' stands", name);
  return false;
}

static void instrument_stop(struct attached *a, const char *name) {
  struct instrument *instrument = instrument_named(a, name);
  if (!instrument || !instrument->entry)
    say(a, false, "no instrument of '%.200s' is there to be stopped", name);
  else
    breakpoint_drop(a->tracee, instrument->entry), instrument->entry = NULL;
}

/* ---- calls ---- */

static struct caller *caller_of(struct attached *a, pid_t thread) {
  struct caller *caller = a->callers;
  while (caller && caller->thread != thread)
    caller = caller->next;
  if (caller || !(caller = calloc(1, sizeof *caller))) return caller;
  caller->thread = thread;
  caller->next = a->callers;
  return a->callers = caller;
}

static void call_drop(struct attached *a, struct caller *caller) {
  struct call *call = caller->calls;
  caller->calls = call->outer;
  breakpoint_drop(a->tracee, call->back);
  free(call);
}

/* Those whose part of the stack is gone have been left, and those in whose place another return address stands; one
 * that is the same is of who has called by its last statement. */
static void calls_left(struct attached *a, struct caller *caller, uint64_t stack, uint64_t back) {
  while (caller->calls &&
         (caller->calls->stack < stack || (caller->calls->stack == stack && caller->calls->back->address != back))) {
    caller->calls->instrument->left++;
    call_drop(a, caller);
  }
}

static void call_begin(struct attached *a, const struct stop *stop, struct instrument *instrument) {
  struct caller *caller = caller_of(a, stop->thread);
  struct call *call = caller ? calloc(1, sizeof *call) : NULL;
  uint64_t back;
  instrument->calls++;
  if (!call || !tracee_read(a->tracee, stop->registers.rsp, &back, sizeof back)) return free(call);
  calls_left(a, caller, stop->registers.rsp, back);
  *call = (struct call){caller->calls, instrument, breakpoint_want(a->tracee, back), stop->registers.rsp, now()};
  if (!call->back) return free(call);
  caller->calls = call;
}

static void trace_call(struct attached *a, pid_t thread, const struct call *call, double seconds) {
  FILE *out = a->options->trace;
  if (!out) return;
  fprintf(out,
          "%s\n{\"name\":\"%s\",\"cat\":\"function\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
          "\"args\":{\"place\":\"%s\"}}",
          a->traced ? "," : "", call->instrument->name, (int)a->options->process, (int)thread,
          1e6 * (call->begin - a->begin), 1e6 * seconds, call->instrument->place);
  a->traced = true;
}

static bool is_inside(const struct call *call) {
  for (const struct call *outer = call->outer; outer; outer = outer->outer)
    if (outer->instrument == call->instrument) return true;
  return false;
}

static void call_end(struct attached *a, struct caller *caller) {
  const struct call *call = caller->calls;
  struct instrument *instrument = call->instrument;
  double seconds = now() - call->begin;
  if (!instrument->ended || seconds < instrument->least) instrument->least = seconds;
  if (seconds > instrument->most) instrument->most = seconds;
  if (!is_inside(call)) instrument->seconds += seconds;
  instrument->sum += seconds;
  instrument->ended++;
  trace_call(a, caller->thread, call, seconds);
  call_drop(a, caller);
}

/* Behind a call the stack ends above its return address. */
static void calls_end(struct attached *a, const struct stop *stop) {
  struct caller *caller = caller_of(a, stop->thread);
  if (!caller) return;
  calls_left(a, caller, stop->registers.rsp - 8, stop->at->address);
  while (caller->calls && caller->calls->stack == stop->registers.rsp - 8 && caller->calls->back == stop->at)
    call_end(a, caller);
}

static void met(struct attached *a, const struct stop *stop) {
  double begin = now();
  if (!stop->again) {
    calls_end(a, stop);
    for (struct instrument *i = a->instruments; i; i = i->next)
      if (i->entry == stop->at) call_begin(a, stop, i);
  }
  tracee_continue(a->tracee, stop);
  a->stops++;
  a->stopped += now() - begin;
}

/* ---- the report ---- */

static void report_text(const struct attached *a) {
  FILE *out = a->options->out;
  fprintf(out, "%-24s %-24s %10s %12s %12s %12s %12s %s\n", "function", "at", "calls", "seconds", "a call", "least",
          "greatest", "state");
  for (const struct instrument *i = a->instruments; i; i = i->next) {
    unsigned long open = i->calls - i->ended - i->left;
    fprintf(out, "%-24s %-24s %10lu %12.6g %12.6g %12.6g %12.6g %s", i->name, i->place, i->calls, i->seconds,
            i->ended ? i->sum / (double)i->ended : 0, i->least, i->most, i->entry ? "on" : "off");
    if (i->left) fprintf(out, ", %lu left otherwise", i->left);
    if (open) fprintf(out, ", %lu have not ended", open);
    fputc('\n', out);
  }
  if (a->stops)
    fprintf(out, "threads at one time: %u; stops of them: %lu, of %.3g us each\n", tracee_threads(a->tracee), a->stops,
            1e6 * a->stopped / (double)a->stops);
  fflush(out);
}

static void report_json(const struct attached *a) {
  FILE *out = a->options->out;
  fprintf(out, "{\"process\":%d,\"stops\":%lu,\"functions\":[", (int)a->options->process, a->stops);
  for (const struct instrument *i = a->instruments; i; i = i->next)
    fprintf(out,
            "%s{\"name\":\"%s\",\"place\":\"%s\",\"calls\":%lu,\"ended\":%lu,\"left\":%lu,\"seconds\":%.9g,"
            "\"mean\":%.9g,\"least\":%.9g,\"greatest\":%.9g}",
            i == a->instruments ? "" : ",", i->name, i->place, i->calls, i->ended, i->left, i->seconds,
            i->ended ? i->sum / (double)i->ended : 0, i->least, i->most);
  fprintf(out, "]}\n");
  fflush(out);
}

static void report(const struct attached *a) {
  if (a->options->json)
    report_json(a);
  else
    report_text(a);
}

/* ---- commands ---- */

enum command { START, STOP, REPORT, QUIT, COMMANDS };
static const char *const command_names[COMMANDS] = {"start", "stop", "report", "quit"};

static void obey(struct attached *a, char *line) {
  char word[16] = "", name[COMMAND] = "";
  int command = 0;
  if (sscanf(line, "%15s %299s", word, name) < 1) return;
  while (command < COMMANDS && strcmp(word, command_names[command]))
    command++;
  if (command <= STOP && !*name) command = COMMANDS;
  switch ((enum command)command) {
  case START: instrument_start(a, name); break;
  case STOP: instrument_stop(a, name); break;
  case REPORT: report(a); break;
  case QUIT: a->quits = true; break;
  case COMMANDS:
    say(a, true, "'%.100s' is no command: there are start FUNCTION, stop FUNCTION, report and quit", line);
    break;
  }
}

static void commands_read(struct attached *a) {
  struct pollfd wait = {a->commands, POLLIN, 0};
  while (a->commands >= 0 && poll(&wait, 1, 0) > 0) {
    ssize_t got = read(a->commands, a->command + a->command_size, COMMAND - 1 - a->command_size);
    if (got <= 0) a->commands = -1;
    if (got <= 0) return;
    a->command_size += (size_t)got;
    a->command[a->command_size] = '\0';
    for (char *end; (end = strchr(a->command, '\n'));) {
      *end = '\0';
      obey(a, a->command);
      a->command_size -= (size_t)(end + 1 - a->command);
      memmove(a->command, end + 1, a->command_size + 1);
    }
    if (a->command_size == COMMAND - 1) a->command_size = 0; /* no command is so long */
  }
}

/* ---- all ---- */

static void on_wish(int signal_number) { wanted = signal_number; }
static void on_look(int signal_number) { (void)signal_number; }

/* What would end psl ends the work: nothing of it is to stay in the process. */
static void signals_take(bool take) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  static struct sigaction before[6];
  struct itimerval look = {{0, take ? LOOK : 0}, {0, take ? LOOK : 0}};
  for (size_t k = 0; k < 5; k++)
    sigaction(ends[k], take ? &(struct sigaction){.sa_handler = on_wish} : &before[k], take ? &before[k] : NULL);
  if (!take) setitimer(ITIMER_REAL, &look, NULL);
  sigaction(SIGALRM, take ? &(struct sigaction){.sa_handler = on_look} : &before[5], take ? &before[5] : NULL);
  if (take) setitimer(ITIMER_REAL, &look, NULL);
}

static void watch(struct attached *a) {
  const struct attach_options *options = a->options;
  bool over = false;
  while (!over && !wanted && !a->quits && !(options->seconds > 0 && now() - a->begin >= options->seconds)) {
    struct stop stop;
    enum event event = tracee_wait(a->tracee, &stop);
    if (event == EVENT_BREAKPOINT) met(a, &stop);
    over = event == EVENT_OVER;
    commands_read(a);
  }
  if (over) say(a, false, "process %d has ended, or has begun another program", (int)options->process);
}

static void attached_free(struct attached *a) {
  for (struct caller *caller = a->callers, *next; caller; caller = next) {
    next = caller->next;
    for (struct call *call = caller->calls, *outer; call; call = outer) {
      outer = call->outer;
      free(call);
    }
    free(caller);
  }
  for (struct instrument *i = a->instruments, *next; i; i = next) {
    next = i->next;
    instrument_free(i);
  }
  source_lines_close(a->lines);
}

bool attach_run(const struct attach_options *options) {
  struct attached a = {.options = options, .begin = now(), .commands = options->commands};
  char error[300];
  wanted = 0;
  signals_take(true);
  a.tracee = tracee_open(options->process, error);
  bool fine = a.tracee != NULL;
  if (!fine) say(&a, true, "%s", error);
  a.lines = fine ? source_lines_open() : NULL;
  for (size_t k = 0; fine && k < options->function_count; k++)
    fine = instrument_start(&a, options->functions[k]);
  if (options->trace) fprintf(options->trace, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  if (fine) watch(&a);
  if (fine) report(&a);
  if (a.tracee) tracee_close(a.tracee);
  signals_take(false);
  if (options->trace) fprintf(options->trace, "\n]}\n");
  attached_free(&a);
  return fine;
}
