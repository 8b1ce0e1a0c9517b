/* Bursts: the program's own computing between two calls of MPI; and the program's clocks. */
#ifndef PSL_MPI_CLOCK_H
#define PSL_MPI_CLOCK_H
#include <stdbool.h>
#include <stdint.h>

struct lately;
struct clock {         /* of a rank */
  struct lately *keys; /* what its bursts have taken lately, hashed */
  uint32_t key_count, key_capacity;
  uint64_t begun;
  bool running; /* bursts are measured */
  double held;  /* computed, and not handed to psl yet, since only clocks were asked meanwhile */
  double rate;  /* s of virtual time that what is computed takes, by the last answers */
  bool steady;  /* which agree on it */
  double told;  /* the program's clocks do not go back behind that */
};

void clock_open(void);
void clock_close(void); /* the program's clocks are those of the system again */
void clock_burst_begin(void);
/* s of processor time that was computed since the last operation, or instructions */
double clock_work_end(const void *before, const void *after);
/* Between these the library does for the rank what any MPI's would do on its processor: it counts as computed. */
uint64_t clock_part_begin(void);
void clock_part_end(uint64_t begun);
uint64_t clock_burst_key(const void *before, const void *after); /* the same in each run of a program */
#endif
