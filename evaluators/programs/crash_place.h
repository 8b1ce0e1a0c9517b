/* Where in a program a signal has come. */
#ifndef PSL_CRASH_PLACE_H
#define PSL_CRASH_PLACE_H
#include <signal.h>

/* Signals of what goes wrong in the program itself. */
#define CRASHES \
  { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT }
enum { CRASH_COUNT = 5 };

/* Of a handler of the signal: the innermost place between `begin` and `end` that was being executed, as a call there
 * would return to. NULL: it cannot be found. */
const void *crash_place(const char *begin, const char *end);

#endif
