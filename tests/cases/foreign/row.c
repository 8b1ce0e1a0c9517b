/* An evaluator of a user whose functions answer what stands in its items: of each kind, and one that is no number. */
#include "interp/include/evaluator.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>

struct item {
  double real, none;
  int64_t wide;
  int32_t small;
  uint32_t whole;
  bool truth;
};
struct state {
  struct psl_items items;
  struct item all[2];
};

static void *row_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->items = (struct psl_items){s->all, 2, sizeof *s->all};
  s->all[0] = (struct item){1.5, NAN, INT64_C(-5000000000), -7, 4000000000, true};
  s->all[1] = (struct item){-0.25, INFINITY, 3, INT32_MAX, 0, false};
  return s;
}

static const struct item *item_of(struct state *s, struct psl_call *call) {
  int64_t number = call->arguments[0].integer;
  if (number >= 0 && number < 2) return &s->all[number];
  snprintf(call->error, sizeof call->error, "there is no item %lld", (long long)number);
  return NULL;
}

#define MEMBER(name, kind, result_member)                                             \
  static const struct psl_member member_##name = {kind, offsetof(struct item, name)}; \
  static enum psl_status row_##name(void *state, struct psl_call *call) {             \
    const struct item *item = item_of(state, call);                                   \
    if (item) call->result.result_member = item->name;                                \
    return item ? PSL_DONE : PSL_FAILED;                                              \
  }
MEMBER(real, PSL_DOUBLE, real)
MEMBER(none, PSL_DOUBLE, real)
MEMBER(wide, PSL_INT64, integer)
MEMBER(small, PSL_INT32, integer)
MEMBER(whole, PSL_UINT32, integer)
MEMBER(truth, PSL_BOOL, integer)

#define FUNCTION(function, type)                                                                        \
  {                                                                                                     \
    .name = #function, .signature = "(item : int) -> " type, .kind = PSL_EVENT, .call = row_##function, \
    .member = &member_##function, .doc = "What stands there."                                           \
  }
static const struct psl_evaluator_function functions[] = {
    FUNCTION(real, "real"), FUNCTION(none, "real"),  FUNCTION(wide, "int"), FUNCTION(small, "int"),
    FUNCTION(whole, "int"), FUNCTION(truth, "bool"), {.name = NULL},
};

const struct psl_evaluator psl_evaluator = {.version = PSL_EVALUATOR_VERSION,
                                            .name = "row",
                                            .revision = "1",
                                            .doc = "Items in a row.",
                                            .evidence = PSL_SIMULATED,
                                            .functions = functions,
                                            .open = row_open};
