/* What a sliced program tells psl's library of MPI, by MPI_Pcontrol at a level that means nothing to any other one. */
#ifndef PSL_SLICED_TOLD_H
#define PSL_SLICED_TOLD_H
#include <stddef.h>
#include <stdint.h>

enum { SLICED_LEVEL = 0x50534c };
enum sliced_told {
  TOLD_NEST,  /* a nest of loops that is not done: its struct sliced_nest */
  TOLD_BEGIN, /* of one that is done, or of which a part is: what comes is timed */
  TOLD_END,   /* of that one: its struct sliced_nest */
  TOLD_DATA,  /* the struct sliced_data: messages from there and to there have no data */
  TOLD_PART,  /* of one of which only what decides is done, whose time is that of the nest: its struct sliced_nest */
};
enum nest_kind { NEST_GONE, NEST_KEPT, NEST_IN_PART };
enum { NEST_PARTS = 64, NEST_OPERATIONS = 4 };
struct sliced_nest {
  int number;                                 /* of those of the program, from 0 */
  uint32_t parts;                             /* so many of `counts` are set */
  double counts[NEST_PARTS][NEST_OPERATIONS]; /* on integers, on floating-point numbers, loads, stores */
};
struct sliced_data { /* psl sets it: nothing is read or written there */
  const char *begin;
  size_t size;
};
#endif
