/* Bursts: the program's own computing between two calls of MPI; and the program's clocks, which go by virtual time. */
#ifndef PSL_MPI_CLOCK_H
#define PSL_MPI_CLOCK_H
#include <stdbool.h>
#include <stdint.h>

struct lately;
/* Clocks of the system, as programs ask for them. */
enum program_clock { CLOCK_OF_DAY, CLOCK_SINCE_BOOT, CLOCK_OF_PROCESSOR, PROGRAM_CLOCKS };
struct clock {         /* of a rank */
  struct lately *keys; /* what its bursts have taken lately, hashed */
  uint32_t key_count, key_capacity;
  uint64_t begun;
  double held; /* computed, and not handed to psl yet, since only clocks were asked meanwhile */
  double rate; /* s of virtual time that what is computed takes, by the last answers */
  bool steady; /* which agree on it */

  bool running;                 /* virtual time goes on, from MPI_Init to MPI_Finalize */
  double now;                   /* as it was asked for last */
  double ahead[PROGRAM_CLOCKS]; /* s that stand between it and what the program is told, outside of it the system's */
  double told[PROGRAM_CLOCKS];  /* last: clocks do not go back */
};

void clock_open(void);
void clock_burst_begin(void);
/* s of processor time that was computed since the last operation, or instructions */
double clock_work_end(const void *before, const void *after);
void clock_work_hold(const void *site); /* what was computed since stays for that operation, or clock */
/* Between these the library does for the rank what any MPI's would do on its processor: it counts as computed. */
uint64_t clock_part_begin(void);
void clock_part_end(uint64_t begun);
uint64_t clock_burst_key(const void *before, const void *after); /* the same in each run of a program */

/* The program's clocks go by virtual time between these: virtual_time.c */
bool clock_is_virtual(void); /* they do, in this thread */
void virtual_time_begin(void);
void virtual_time_end(void);
#endif
