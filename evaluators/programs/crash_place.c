/* Finds by the tables for exceptions, which compilers write for C as well, where in a program a signal has come: in it,
 * or in a function of a library that it has called. Part of psl, and of the library that stands in the place of
 * MPI's. */
#include "evaluators/programs/crash_place.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

struct search {
  uintptr_t begin, end, found;
};

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *user) {
  struct search *search = user;
  int exact = 0; /* no return address, but where it was */
  uintptr_t place = _Unwind_GetIPInfo(context, &exact);
  if (place < search->begin || place >= search->end) return _URC_NO_REASON;
  search->found = place + (exact ? 1 : 0);
  return _URC_END_OF_STACK;
}

const void *crash_place(const char *begin, const char *end) {
  struct search search = {(uintptr_t)begin, (uintptr_t)end, 0};
  _Unwind_Backtrace(look, &search);
  return (const void *)search.found;
}
