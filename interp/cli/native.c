/* A crash inside of a function of C that a model has called: its name, before psl dies by the signal. */
#include "interp/cli/cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nothing can be done about it */
}

/* Calls only what a handler may call. The signal's own way is back (SA_RESETHAND): it comes again. */
static void on_crash(int signal_number) {
  const char *name = psl_native();
  if (!name) return;
  say("psl: error: the function '");
  say(name);
  say("' of C has crashed: ");
  say(signal_number == SIGSEGV  ? "segmentation fault\n"
      : signal_number == SIGBUS ? "bus error\n"
      : signal_number == SIGFPE ? "arithmetic error\n"
      : signal_number == SIGILL ? "illegal instruction\n"
                                : "abort\n");
}

void native_watch(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}
