/* Is linked with a sliced program (psl compile --slice): what it calls in the place of nests of loops, and where its
 * messages are when their data decide nothing. Under psl mpirun all is told to psl; under any other MPI nests take no
 * time, and data without a meaning are sent. */
#include "evaluators/programs/sliced/told.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int MPI_Pcontrol(const int level, ...);
void psl_nest_begin(int number, int parts, int kind);
void psl_nest_count(int part, long integers, long floats, long loads, long stores);
void psl_nest_end(void);
void *psl_no_data(int is_got);

static struct sliced_nest nest;
static int is_open;
static enum nest_kind now;

void psl_nest_begin(int number, int parts, int kind) {
  nest.number = number;
  nest.parts = (uint32_t)(parts < NEST_PARTS ? parts : NEST_PARTS);
  memset(nest.counts, 0, nest.parts * sizeof *nest.counts);
  now = (enum nest_kind)kind;
  is_open = 1;
  if (now != NEST_GONE) MPI_Pcontrol(SLICED_LEVEL, TOLD_BEGIN);
}

void psl_nest_count(int part, long integers, long floats, long loads, long stores) {
  if (part >= NEST_PARTS) part = NEST_PARTS - 1;
  double *counts = nest.counts[part];
  counts[0] += (double)integers;
  counts[1] += (double)floats;
  counts[2] += (double)loads;
  counts[3] += (double)stores;
}

void psl_nest_end(void) {
  static const enum sliced_told told[] = {TOLD_NEST, TOLD_END, TOLD_PART};
  if (is_open) MPI_Pcontrol(SLICED_LEVEL, (int)told[now], &nest);
  is_open = 0;
}

/* Where messages without data are, and where they are got: with room before that, since a derived type may begin there.
 * Under psl mpirun no memory is there; else it is taken as messages are written: none is longer than that. */
void *psl_no_data(int is_got) {
  static struct sliced_data data;
  if (!data.begin) MPI_Pcontrol(SLICED_LEVEL, TOLD_DATA, &data);
  if (!data.begin) {
    const int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    data.size = (size_t)1 << 36;
    data.begin = mmap(NULL, data.size, protection, flags, -1, 0);
    if (data.begin == MAP_FAILED) {
      perror("a sliced program has no addresses for its messages");
      exit(1);
    }
  }
  return (void *)(data.begin + data.size / 4 + (is_got ? data.size / 2 : 0));
}
