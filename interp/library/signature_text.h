/* A signature as PSL: a component like `signature` of stdlib/convolver.psl. */
#ifndef PSL_SIGNATURE_TEXT_H
#define PSL_SIGNATURE_TEXT_H
#include "evaluators/programs/signature.h"
#include "grammar/text.h"
#include "interp/library/cache_text.h"

enum { SIGNATURE_LINE = 64 }; /* bytes of the lines whose stack distances are counted */

struct signature_origin {
  const char *name;                     /* of the program in PSL */
  const char *const *words;             /* its command, ended by NULL */
  const struct cache_machine *machines; /* that were simulated, and how they were written */
  const char *const *caches;
  unsigned long long one_of; /* lines whose distances were counted; 0: none */
  unsigned long long window; /* instructions that chains were found in; 0: none */
  unsigned ranks;            /* of a program of MPI, by burst; 0: it is one as a whole */
};

void signature_text(struct text *out, struct memory_signature *signature, const struct signature_origin *origin);
#endif
