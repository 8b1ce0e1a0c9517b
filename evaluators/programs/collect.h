/* The files that the ranks of a real run have written, as one trace with the lines of the program's sources. */
#ifndef PSL_COLLECT_H
#define PSL_COLLECT_H
#include "evaluators/programs/operations.h"

struct trace_collected {
  uint32_t ranks, cut; /* of which so many have been cut off */
  uint64_t operations;
};
/* From a folder of files to a file of all ranks, or to a folder that is there. False: error. */
bool trace_collect(const char *from, const char *to, bool folder, struct trace_collected *collected,
                   struct program_error *error);
#endif
