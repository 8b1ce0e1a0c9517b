/* What can be chosen of the processor, by the names of parameters.def. */
#ifndef PSL_PROCESSOR_PARAMETERS_H
#define PSL_PROCESSOR_PARAMETERS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_shape {
  char name[16];
  enum { CACHE_OWN, CACHE_NONE, CACHE_IS_DATA1, CACHE_IS_DATA2 } which;
  uint32_t sets, block, ways;
  char replacement; /* l: least recently used, f: first in, first out, r: random */
};
enum predictor_kind {
  PREDICT_NOT_TAKEN,
  PREDICT_TAKEN,
  PREDICT_PERFECT,
  PREDICT_BIMODAL,
  PREDICT_TWO_LEVEL,
  PREDICT_COMBINED
};

typedef uint32_t parameter_count;
typedef bool parameter_flag;
typedef enum predictor_kind parameter_word;
typedef uint32_t parameter_list[4];
typedef struct cache_shape parameter_cache;

struct parameters {
#define COUNT parameter_count
#define FLAG parameter_flag
#define WORD parameter_word
#define LIST parameter_list
#define CACHE parameter_cache
#define PARAMETER(name, kind, field, standard, least, most, meaning) kind field;
#include "evaluators/processor/parameters.def"
#undef COUNT
#undef FLAG
#undef WORD
#undef LIST
#undef CACHE
};

void parameters_default(struct parameters *);
/* False after writing `error`: there is no such name, or it has no such value. */
bool parameters_set(struct parameters *, const char *name, const char *value, char *error, size_t room);
/* Do all agree with each other? */
bool parameters_check(const struct parameters *, char *error, size_t room);
const char *parameter_name(size_t place); /* NULL: there are no more */
#endif
