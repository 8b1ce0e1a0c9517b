/* What a trace holds, counted: for people who want to know what it is. */
#ifndef PSL_SUMMARY_H
#define PSL_SUMMARY_H
#include "evaluators/programs/operations.h"

struct trace_region {
  char *name, *file; /* NULL: not known */
  uint32_t line;
  uint64_t times;
  double seconds; /* inside, over all ranks, as far as known */
};

struct trace_summary {
  uint64_t operations; /* of all kinds */
  uint64_t messages;   /* to ranks */
  double message_bytes;
  double compute_mean, compute_most; /* s, over the ranks */
  uint32_t compute_rank;             /* that has the most */
  struct {
    uint64_t count;
    double bytes; /* that it sends, or gives */
    double seconds;
  } kinds[PROGRAM_KINDS];
  struct trace_region *regions; /* in the order in which they come */
  uint32_t region_count, region_capacity;
  uint32_t cut;               /* ranks whose operations end too soon */
  struct program_error first; /* of these, why, with its place */
};

/* False: there is no memory. What cannot be read is no error: `cut` and `first` tell. */
bool trace_summary_make(struct program_source *source, struct trace_summary *summary);
void trace_summary_free(struct trace_summary *summary);
#endif
