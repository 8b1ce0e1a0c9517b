/* Locks of windows of one-sided communication: who has each, and who waits for it, in the order of their coming. */
#ifndef PSL_LOCKS_H
#define PSL_LOCKS_H
#include <stdbool.h>
#include <stdint.h>

struct psl_host; /* whose memory they take */
struct locks;
struct locks *locks_open(struct psl_host *host);
/* That of a rank's memory in a window, for `rank`. False: it has to wait until it is told. */
bool lock_take(struct locks *locks, int64_t window, int32_t memory, int32_t rank, bool alone);
/* Gives one back, if anybody has it. */
void lock_leave(struct locks *locks, int64_t window, int32_t memory);
/* The next one of those who wait that has it now; -1: no more. */
int32_t lock_next(struct locks *locks, int64_t window, int32_t memory);
#endif
