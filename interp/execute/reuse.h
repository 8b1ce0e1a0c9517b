/* What one run leaves for the next: the resolved graph and the programs of bodies, as long as the params and
 * lets that they were made from are what they were. Studies run a system at many points, and most params
 * reach neither matching nor code that is folded. */
#ifndef PSL_REUSE_H
#define PSL_REUSE_H
#include "interp/resolve/graph.h"
#include "interp/evaluate/reads.h"

struct executor;
struct body;
struct program;

struct record_places { /* by component and name, where bodies first record it: statements in their order */
  struct arena *arena;
  struct map statements;
  bool *numbered; /* by component id: whether its bodies' are there */
};

struct reuse {
  struct arena *arena; /* of all below */
  struct graph *graph;
  bool deny_lossy;
  uint32_t checked;          /* model->checked */
  struct reads reads;        /* what the graph was made from, */
  struct reads folded;       /* and the programs */
  struct program **programs; /* by accept's id; NULL where `tried`: left to the walker */
  bool *tried;
  uint32_t **evaluators;         /* by component, by evaluator: `used` as executors have it; NULL: not looked for */
  uint64_t requests, candidates; /* graph->statistics when it was made */
  struct record_places record_places;
  uint32_t *depths; /* by accept's id: of its body's blocks within each other; 0: not known */
  bool long_runs;   /* code for one value of each param is worth its making */
};

/* The graph of the system: the one that *reuse has, or a new one in `arena`, which nothing else uses; NULL
 * after diagnostics. The model is bound. */
struct graph *reuse_resolve(struct reuse **reuse, struct arena *arena, struct model *model,
                            struct model_component *system, const struct resolve_options *options);
/* After a run: drops what is too large to be held for one that may not come. */
void reuse_ended(struct reuse **reuse, uint64_t events);
/* The body's program, NULL: the walker takes it. */
struct program *reuse_program(struct executor *executor, struct body *body);
#endif
