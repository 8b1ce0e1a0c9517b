/* Results of functions, kept for the run of a model. */
#ifndef PSL_MEMO_H
#define PSL_MEMO_H
#include "interp/model/model.h"

/* What a result depends on beside params: the arguments, and for a component's function its instance. */
struct memo_key {
  const struct model_function *function;
  const struct value *arguments; /* param_count */
  const int64_t *indices;        /* index_count */
  uint32_t index_count;
};

/* The model's memo, made at the first call. */
struct memo *memo_of(struct model *model);
/* The model has more functions than before. */
void memo_extend(struct model *model);
/* Where what is made of the values that params have now stands (HOLDS_MODEL): the results here, and the values of
 * params and lets. */
struct arena *memo_values(struct memo *memo);
/* Is it worth it?  Not for a function that only computes: that is quicker than looking it up. */
bool memo_wanted(struct memo *memo, const struct model_function *function);
/* The result, or NULL. It stays where it is till the next memo_put. */
const struct value *memo_get(struct memo *memo, const struct memo_key *key);
void memo_put(struct memo *memo, const struct memo_key *key, struct value result);
/* Forgets all results, but not what stands in memo_values. */
void memo_empty(struct memo *memo);
/* Forgets all of it. */
void memo_clear(struct memo *memo);
#endif
