/* The ranks of an MPI job behind a pool: see psl_ranks_open in psl.h, and transport.h. */
#ifndef PSL_RANKS_H
#define PSL_RANKS_H
#include "interp/study/transport.h"

/* Is this a rank that serves? Rank 0 is not, nor a process without ranks. */
bool ranks_serving(const struct psl_ranks *ranks);
/* Serves the next pool of rank 0 till that closes it. */
void ranks_serve(struct arena *arena, const struct pool_options *options);
/* Rank 0's side; options->ranks is not NULL. */
struct transport *ranks_open(struct arena *arena, const struct pool_options *options);
#endif
