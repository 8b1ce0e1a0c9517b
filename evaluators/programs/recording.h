/* A trace of a program on simulated ranks, that runs or is replayed: its operations, and what came of them. */
#ifndef PSL_RECORDING_H
#define PSL_RECORDING_H
#include "evaluators/programs/operations.h"

struct recording;
struct recording *recording_open(const char *path, uint32_t ranks); /* NULL with errno */
/* The rank has done it, with that answer. False with errno: it cannot be written. */
bool recording_add(struct recording *recording, uint32_t rank, const struct program_operation *operation,
                   const struct program_answer *answer);
/* The same as it stands in a trace, but for work, which is the time that it has taken. */
bool recording_again(struct recording *recording, uint32_t rank, const struct program_operation *operation, double now);
/* The rank has no more; when all have none, all is in the file. False with errno: it cannot be written. */
bool recording_end(struct recording *recording, uint32_t rank);
void recording_close(struct recording *recording); /* NULL is fine */
#endif
