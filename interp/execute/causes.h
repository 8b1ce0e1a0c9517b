/* A record of what let each process go on, kept while a model runs: the lives of processes, the stretches of their
 * time, and for beginnings and ends of waits who brought them about. interp/report/why.c reads it. */
#ifndef PSL_CAUSES_H
#define PSL_CAUSES_H
#include "grammar/map.h"
#include "interp/model/run.h"

struct executor;
struct process;

enum cause_kind {
  CAUSE_TIME,   /* nobody: time has passed, or the run has begun */
  CAUSE_CALL,   /* a process has forked it, by `every` or as a head of `first of` */
  CAUSE_TOKEN,  /* has sent the token that came last of those of the firing */
  CAUSE_SERVER, /* has given back the server of `instance` that it waited for */
  CAUSE_SHARED, /* others were served with it by `instance`: what is left is its own time */
  CAUSE_RULE,   /* has ended a firing there, behind which the firing rule of `instance` held */
  CAUSE_ENDED,  /* was the last of those that it had forked to end, or the first of heads */
  CAUSE_MATCH,  /* has changed an attribute, behind which a component matched */
  CAUSE_ANSWER  /* has made the call of an evaluator that brought the answer: a message has come, an item was put */
};

#define CAUSES_NOBODY UINT32_MAX
struct cause {
  uint32_t life; /* whose; CAUSES_NOBODY: nobody's */
  uint32_t site; /* where that one stood, */
  double time;   /* and its clock, s */
  uint32_t instance;
  enum cause_kind kind;
};

/* Where a process stands: in the body that it has begun with, and in the innermost one. */
struct cause_site {
  struct span outer, inner;
  const char *name; /* the transaction of the outer body's request, the function of an evaluator; NULL: none */
};

struct life {
  uint32_t instance;
  uint32_t cause; /* of its beginning */
  uint32_t site;  /* the accept */
  uint32_t last;  /* 1 + its last stretch; 0: none yet */
  double asked;   /* s: when all that it needed was there but a server or a rule; else `begin` */
  double begin;   /* s */
};
struct time_stretch {
  uint32_t life, site;
  uint32_t cause; /* of the end of a wait; 0: none */
  enum activity activity;
  double begin, end; /* s */
};

struct causes {
  struct arena *arena;
  size_t limit; /* so many lives, stretches and causes are kept, of each: a run that has more is stopped */
  struct life *lives;
  struct time_stretch *stretches;
  struct cause *causes; /* from 1: none is 0 */
  struct cause_site *sites;
  size_t life_count, life_capacity, stretch_count, stretch_capacity, cause_count, cause_capacity, site_count,
      site_capacity;
  struct map site_of;                 /* by the two places */
  uint32_t *life_of, *told, *retried; /* by process's id: its life; what ends its wait; who has asked for its retry */
  uint32_t size;
  uint32_t releasing; /* the cause for which firings begin at a facility just now; 0: none */
};

/* All but this one are called where the executor keeps causes alone. */
void causes_open(struct executor *executor, struct causes *causes);
/* All of them, for the run that is made again. */
void causes_drop(struct causes *causes);
/* The process, just made, begins: for the one that runs, */
void causes_begin(struct executor *executor, const struct process *process, enum cause_kind kind);
/* or for a cause that is known, which all else had waited for since `asked`. */
void causes_begin_for(struct executor *executor, const struct process *process, uint32_t cause, double asked);
/* It has its first frame. */
void causes_fires(struct executor *executor, const struct process *process);
/* What the process does or has done at its clock is a cause; 0 where none is kept. */
uint32_t causes_note(struct executor *executor, enum cause_kind kind, const struct process *by, double time,
                     uint32_t instance);
/* The wait of the process that ends next ends for that. */
void causes_tell(struct executor *executor, const struct process *process, uint32_t cause);
/* An evaluator will be asked again for the process, as the one that runs has it. */
void causes_retry(struct executor *executor, const struct process *process);
/* An evaluator answers the process, in the call of the one that runs. */
void causes_answered(struct executor *executor, const struct process *process);
/* The one that runs has changed an attribute, and the process, which waited for a component that matches, goes on. */
void causes_matched(struct executor *executor, const struct process *process, double time);
/* The cause that firing rules of the instance are tested again. */
uint32_t causes_rule(struct executor *executor, uint32_t instance, double time);
/* A stretch of its time. */
void causes_stretch(struct executor *executor, const struct process *process, enum activity activity, double begin,
                    double end);
/* It goes on: what has been told of its wait is over. */
void causes_goes_on(struct executor *executor, const struct process *process);
#endif
