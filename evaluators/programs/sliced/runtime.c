/* Is linked with a sliced program (psl compile --slice): what it calls in the place of nests of loops, and where its
 * messages are when their data decide nothing. Under psl mpirun all is told to psl; under any other MPI nests take no
 * time, and data without a meaning are sent. */
#include "evaluators/programs/sliced/told.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int MPI_Pcontrol(const int level, ...);
int MPI_Comm_size(int communicator, int *size);
enum { WORLD = 0x44000000 };
void psl_nest_begin(int number, int parts, int kind);
void psl_nest_count(int part, long integers, long floats, long loads, long stores);
void psl_nest_end(void);
void *psl_no_data(int is_got);
long psl_passes(const char *words);

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

/* ---- how often a loop is passed, as --iterations says ---- */

static int argument_count;
static char **arguments;

__attribute__((constructor)) static void arguments_keep(int count, char **words) {
  argument_count = count;
  arguments = words;
}

static long rounded_down(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static long operated(const char *word, long a, long b, const char **wrong) {
  if (!strcmp(word, "+")) return (long)((unsigned long)a + (unsigned long)b);
  if (!strcmp(word, "-")) return (long)((unsigned long)a - (unsigned long)b);
  if (!strcmp(word, "*")) return (long)((unsigned long)a * (unsigned long)b);
  if (!strcmp(word, "min")) return a < b ? a : b;
  if (!strcmp(word, "max")) return a > b ? a : b;
  if (!b) {
    *wrong = "a division by 0";
    return 0;
  }
  return !strcmp(word, "div") ? rounded_down(a, b) : a - rounded_down(a, b) * b;
}

/* Words with commas between them, as interp/compile/passes.c makes them: operands, and operators behind theirs; and the
 * line of the loop, for errors. */
long psl_passes(const char *words) {
  long stack[128] = {0}, place, usual, line = 0;
  const char *wrong = NULL;
  size_t depth = 0;
  int size;
  for (char word[64]; sscanf(words, "%63[^,]", word) == 1; words += strlen(word) + (words[strlen(word)] == ',')) {
    if (sscanf(word, "argument:%ld:%ld", &place, &usual) == 2) {
      stack[depth++] = place < argument_count ? atol(arguments[place]) : usual;
    } else if (!strcmp(word, "ranks")) {
      MPI_Comm_size(WORLD, &size);
      stack[depth++] = size;
    } else if (sscanf(word, "loop:%ld", &line) == 1) {
      if (!wrong && stack[0] < 0) wrong = "a number below 0";
    } else if (*word >= '0' && *word <= '9') {
      stack[depth++] = atol(word);
    } else {
      depth--;
      stack[depth - 1] = operated(word, stack[depth - 1], stack[depth], &wrong);
    }
  }
  if (wrong) {
    fprintf(stderr, "--iterations %ld: %s\n", line, wrong);
    exit(1);
  }
  return stack[0];
}
