/* What is asked of the table of disciplines. */
#include "interp/model/discipline.h"
#include <math.h>

const struct discipline disciplines[] = {
#define DISCIPLINE(kind, name, argument, ...) {PSL_##kind, name, DISCIPLINE_##argument, __VA_ARGS__},
#include "interp/model/disciplines.def"
    {0},
};

enum place {
#define DISCIPLINE(kind, ...) PLACE_##kind,
#include "interp/model/disciplines.def"
  PLACES
};

#define ROW_OF(kind) \
  case PSL_##kind: return &disciplines[PLACE_##kind];

const struct discipline *discipline_of(enum psl_discipline kind) {
  switch (kind) {
#define DISCIPLINE(kind, ...) ROW_OF(kind)
#include "interp/model/disciplines.def"
  }
  return &disciplines[PLACE_FCFS];
}

const char *priority_wrong(struct value value, double *out) {
  *out = value.kind == VALUE_INT ? (double)value.integer : value.real;
  if (value.kind != VALUE_INT && value.kind != VALUE_REAL) return "and no number";
  return value.kind == VALUE_INT && fabs(*out) >= 0x1p53 ? "and whole numbers are told apart below 2^53" : NULL;
}

void disciplines_list(struct text *out) {
  for (int d = 0; d < PLACES; d++) {
    text_put(out, d == 0 ? "" : d + 1 < PLACES ? ", " : " or ");
    text_printf(out, "%s%s", disciplines[d].name, disciplines[d].argument == DISCIPLINE_QUANTUM ? "(time)" : "");
  }
}
