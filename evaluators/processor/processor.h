/* An out-of-order processor of sim-outorder's class, which a program runs on: instructions are fetched along the
 * predicted path, decoded in order into a window (the register update unit, with a queue of loads and stores beside
 * it), issued as soon as what they need is there, and committed in order. Wrong paths are executed, too, until the
 * branch that was mispredicted is known. */
#ifndef PSL_PROCESSOR_H
#define PSL_PROCESSOR_H
#include "evaluators/processor/parameters.h"

struct program;

enum figure_place { FIGURE_OF_RUN, FIGURE_OF_QUEUES, FIGURE_OF_CACHES, FIGURE_OF_PREDICTOR };
struct processor_figure {
  enum figure_place place;
  const char *of;      /* the queue, cache or predictor; NULL: the run */
  const char *name;    /* as sim-outorder has it */
  const char *meaning; /* for people, in words; NULL: it is for programs */
  bool counts;         /* a whole number; else a ratio */
  double value;
};
typedef void processor_figure(void *user, const struct processor_figure *);

struct processor;
/* NULL: there is no memory for it. */
struct processor *processor_open(const struct parameters *, struct program *);
/* Until the program ends, halts, goes wrong (program->fault), or that many cycles have passed since the beginning. */
void processor_run(struct processor *, uint64_t cycles);
/* The program, which has halted, goes on: the window is empty. */
void processor_go_on(struct processor *);
uint64_t processor_cycles(const struct processor *);
uint64_t processor_instructions(const struct processor *);
void processor_figures(const struct processor *, processor_figure *, void *user);
void processor_close(struct processor *);
#endif
