/* A crash inside of a function of C that a model has called: its name, before psl dies by the signal, and
 * with it the MPI job whose rank it is. And an end of the program by such a function, which must not pass for
 * success. */
#include "interp/cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  int file;      /* that it is said to */
  char rank[40]; /* stands before it */
} speaker = {.file = STDERR_FILENO};

/* In one piece: workers share what it goes to. `name` NULL: nobody knows which function it is. */
static void say(const char *name, const char *what) {
  const char *before = name ? "the function '" : "code of C has ", *behind = name ? "' of C has " : "";
  const char *const parts[] = {"psl: error: ", speaker.rank, before, name ? name : "", behind, what, "\n"};
  char text[500];
  size_t size = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (const char *c = parts[i]; *c && size < sizeof text; c++)
      text[size++] = *c;
  if (write(speaker.file, text, size) < 0) return; /* nothing can be done about it */
}

/* Calls only what a handler may call. The signal's own way is back (SA_RESETHAND): it is sent again, as it
 * would not come again where it was sent and is not of the processor. */
static void on_crash(int signal_number) {
  const char *name = psl_native();
  raise(signal_number);
  if (!name) return;
  say(name, signal_number == SIGSEGV  ? "crashed: segmentation fault"
            : signal_number == SIGBUS ? "crashed: bus error"
            : signal_number == SIGFPE ? "crashed: arithmetic error"
            : signal_number == SIGILL ? "crashed: illegal instruction"
                                      : "crashed: abort");
  static const char help[] =
      "help: this ends the job; 'psl study --jobs N' without mpirun goes on beside such a point\n";
  if (*speaker.rank && write(speaker.file, help, sizeof help - 1) < 0) return;
}

/* In a worker what the process before it had in hand (standard output's buffer, files) is not its own. */
static pid_t owner;
static bool leaving; /* psl itself ends the program */

/* An evaluator of a user, or a thread that a function has begun, has no name here. */
static void on_exit_inside(void) {
  const char *name = psl_native();
  if (leaving && !name) return;
  if (getpid() == owner) {
    fflush(stdout);
    sinks_abandon();
  }
  say(name, "ended the program");
  _exit(EXIT_MODEL);
}

void native_speaker(int file, size_t rank) {
  speaker.file = file;
  snprintf(speaker.rank, sizeof speaker.rank, "rank %zu: ", rank);
}

void native_leave(void) { leaving = true; }

void native_watch(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
  if (!owner) atexit(on_exit_inside);
  owner = getpid();
}
