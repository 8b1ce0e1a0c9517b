/* What a thread has used so far, as the system counts it. */
#ifndef PSL_REFLECTOR_COUNTED_H
#define PSL_REFLECTOR_COUNTED_H

/* In the order in which they are told to psl and written. */
enum counted_kind {
  COUNTED_CPU,      /* s of a processor */
  COUNTED_SWITCHES, /* of context, wanted or not */
  COUNTED_FAULTS,   /* pages that were not there */
  COUNTED_READS,    /* of disks, blocks of 512 bytes */
  COUNTED_WRITES,
  COUNTED_CYCLES, /* of the processor, as long as the thread had it */
  COUNTED_INSTRUCTIONS,
  COUNTED_MISSES, /* of the last cache */
  COUNTED_KINDS
};

/* -1: the system does not count it here. */
struct counted {
  double of[COUNTED_KINDS];
};

void counted_read(struct counted *now);
/* What has come between two; into `sum`, which begins with zeros. */
void counted_add(struct counted *sum, const struct counted *from, const struct counted *to);
extern const char *const counted_names[COUNTED_KINDS];
#endif
