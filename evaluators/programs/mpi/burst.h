/* How long a thread computes between two points: the processor's time stamp is quick, but counts the time of others
 * too; the kernel says that it has interrupted the thread by clearing its restartable sequence, and its clock of
 * processor time, which takes longer to read, then knows. */
#ifndef PSL_MPI_BURST_H
#define PSL_MPI_BURST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/rseq.h>
#include <x86intrin.h>

extern struct rseq_cs burst_nowhere __attribute__((visibility("hidden"))); /* a sequence that nothing stands in */

void burst_open(void);     /* to be called first */
double burst_cpu(void);    /* s of processor time that the thread has taken */
double burst_tick(void);   /* s of the time stamp; takes a hundredth of a second */
double burst_asking(void); /* time stamps that a call of the system's clock takes */
static inline uint64_t burst_stamp(void) { return __rdtsc(); }

static inline volatile uint64_t *burst_sequence(void) {
  if (!__rseq_size) return NULL;
  return (volatile uint64_t *)((char *)__builtin_thread_pointer() + __rseq_offset + offsetof(struct rseq, rseq_cs));
}
static inline void burst_watch(void) {
  if (burst_sequence()) *burst_sequence() = (uintptr_t)&burst_nowhere;
}
/* Since burst_watch; where that cannot be known, yes. */
static inline bool burst_interrupted(void) { return !burst_sequence() || *burst_sequence() == 0; }
#endif
