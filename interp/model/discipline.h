/* The table of disciplines, disciplines.def: the check, the executor, reports and the help of a session read it. */
#ifndef PSL_DISCIPLINE_H
#define PSL_DISCIPLINE_H
#include "grammar/text.h"
#include "interp/include/evaluator.h"
#include "interp/model/value.h"

struct discipline {
  enum psl_discipline kind;
  const char *name;
  enum { DISCIPLINE_NOTHING, DISCIPLINE_QUANTUM, DISCIPLINE_RATES } argument; /* in brackets; rates may be left out */
  bool shares;      /* who is served may be interrupted, or shares the server */
  bool by_priority; /* of the parameter or the caller's attribute of that name */
  const char *meaning;
};
extern const struct discipline disciplines[]; /* ended by name NULL */
const struct discipline *discipline_of(enum psl_discipline kind);
/* What a priority is as a number. NULL, or why it is none: one may be a whole number that a double does not tell from
 * the next. */
const char *priority_wrong(struct value value, double *out);
/* As people list them: "fcfs, round-robin(time), ... or lcfs-preemptive". */
void disciplines_list(struct text *out);
#endif
