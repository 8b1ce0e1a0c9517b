/* Beginning and end of a rank that is a strand of psl's process. These functions stand before the C library's for
 * the program: what would begin or end the process begins or ends the strand. Of a rank that is a process they are the
 * C library's. */
#include "evaluators/programs/mpi/rank.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct farewell {
  struct farewell *next;
  void (*function)(void *);
  void *user;
};

static bool inside(void) { return area && area->inside; }
static void *next_of(const char *name) { return dlsym(RTLD_NEXT, name); }

typedef int note_function(void (*)(void *), void *, void *);
PUBLIC note_function __cxa_atexit;
int __cxa_atexit(void (*function)(void *), void *user, void *object) {
  if (!inside()) return ((note_function *)next_of("__cxa_atexit"))(function, user, object);
  struct farewell *farewell = malloc(sizeof *farewell);
  if (!farewell) return -1;
  *farewell = (struct farewell){self->farewells, function, user};
  self->farewells = farewell;
  return 0;
}

static _Noreturn void rank_end(int code) {
  for (struct farewell *farewell; (farewell = self->farewells);) {
    self->farewells = farewell->next;
    farewell->function(farewell->user);
    free(farewell);
  }
  void (**endings)(void) = (void (**)(void))(self->seat->base + area->endings);
  for (size_t k = area->ending_count; k-- > 0;)
    endings[k]();
  fflush(NULL);
  leave(code & 255);
  leave_strand(code & 255);
}

PUBLIC void exit(int code) {
  if (inside()) rank_end(code);
  ((void (*)(int))next_of("exit"))(code);
  __builtin_unreachable();
}

static _Noreturn void end_now(int code) {
  if (inside()) leave_strand(code & 255);
  for (;;)
    syscall(SYS_exit_group, code);
}

PUBLIC void _exit(int code) { end_now(code); }
PUBLIC void _Exit(int code) { end_now(code); }

typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                           void *);
PUBLIC start_function __libc_start_main;
/* The loader has called the program's constructors. */
int __libc_start_main(int (*program)(int, char **, char **), int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
  if (!inside())
    return ((start_function *)next_of("__libc_start_main"))(program, count, words, init, fini, loader_fini, stack_end);
  rank_end(program(count, words, environ));
}
