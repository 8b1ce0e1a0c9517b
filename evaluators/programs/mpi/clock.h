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
};

void clock_open(void);
void clock_close(void); /* the program's clocks are those of the system again */
void clock_burst_begin(void);
double clock_burst_end(const void *before,
                       const void *after); /* s of processor time that it has taken, or instructions */
uint64_t clock_burst_key(const void *before, const void *after); /* the same in each run of a program */
#endif
