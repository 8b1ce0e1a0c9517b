/* What a run is told, and what came of it; interp/execute runs. */
#ifndef PSL_RUN_H
#define PSL_RUN_H
#include "grammar/text.h"
#include "interp/include/evaluator.h"
#include "interp/statistics/sketch.h"
#include "interp/statistics/sum.h"
#include "interp/statistics/tally.h"
#include "interp/model/model.h"

enum stop {
  STOP_END,
  STOP_DEADLOCK,
  STOP_MAX_FIRINGS,
  STOP_MAX_TIME,
  STOP_LIVELOCK,
  STOP_DEPTH,
  STOP_MEMORY,
  STOP_INTERRUPT,
  STOP_ERROR,
  STOP_ASSERT,
  STOP_STEADY,   /* of a queueing network: its intervals are as narrow as was wished, */
  STOP_UNSTEADY, /* or a limit was reached before: there are results all the same */
  STOP_NARROW    /* the means that are recorded to a precision are known so well */
};
const char *stop_text(enum stop stop); /* "end of the model", "deadlock", … */
/* Is the result all that was asked for? */
static inline bool stop_is_end(enum stop stop) {
  return stop == STOP_END || stop == STOP_MAX_TIME || stop == STOP_STEADY || stop == STOP_UNSTEADY ||
         stop == STOP_NARROW;
}
/* Could it have gone on, with a result all the same? Then there is no makespan, which would say no more than how long
 * was simulated. */
static inline bool stop_is_cut(enum stop stop) { return stop == STOP_MAX_TIME || stop == STOP_NARROW; }

/* What is said of times that cannot be, before a run and in it. */
#define HOLD_REFUSED "cannot hold for %s: a time must be finite and not negative"
#define DELAY_REFUSED "a delay must not be negative: it is %g s"
#define PATIENCE_REFUSED "a patience of %g s: it must be finite and not negative"
#define VISITS_MOST 1e15
#define VISITS_REFUSED "visits must be from 0 to 1e+15: they are %g"
#define WARM_UP_REFUSED "a warm-up is a finite time from 0 s up"
#define HALF_WIDTH_LEAST 1e-6
#define HALF_WIDTH_REFUSED "a half-width is a part of the mean, from 1e-6 to 100 %"

/* How warnings begin that a network's figures are no more than what was seen: tables mark their rows by them. */
#define UNSOUND_STATE "no steady state"
#define UNSOUND_WIDTH "intervals are wider than wanted"
#define UNSOUND_VARIANCE "no finite variance"
#define UNSOUND_MEAN "no finite mean"

/* What a process does; then for what it waits, where an evaluator says so: parts of ACTIVITY_WAIT, of message passing
 * and of what processes pass to each other. */
enum activity {
  ACTIVITY_COMPUTE,
  ACTIVITY_COMMUNICATE,
  ACTIVITY_WAIT,
  ACTIVITIES,
  WAIT_LATE_SENDER = ACTIVITIES,
  WAIT_LATE_RECEIVER,
  WAIT_COLLECTIVE,
  WAIT_TRANSFER,
  WAIT_CONTENTION,
  WAIT_STARVED,
  WAIT_BLOCKED,
  STRETCHES,                 /* kinds of stretches of a trace */
  COMMUNICATION = STRETCHES, /* no stretch: ACTIVITY_COMMUNICATE and the waits for messages */
  SHARES,
  WAIT_PARTS = STRETCHES - ACTIVITIES
};
/* The parts of waits that are known where one of them is. */
#define WAITS_OF_MESSAGES                                                                            \
  (1u << WAIT_LATE_SENDER | 1u << WAIT_LATE_RECEIVER | 1u << WAIT_COLLECTIVE | 1u << WAIT_TRANSFER | \
   1u << WAIT_CONTENTION)
#define WAITS_OF_ITEMS (1u << WAIT_STARVED | 1u << WAIT_BLOCKED)
extern const char *const activity_names[STRETCHES]; /* as reports and results have them */

struct trace;        /* interp/execute/trace.h */
struct levels;       /* interp/execute/levels.h */
struct host_time;    /* interp/execute/host_time.h */
struct answers;      /* answers.h */
struct network;      /* interp/queueing/queueing.h */
struct psl_queueing; /* interp/include/psl.h */
struct psl_run_progress;

/* The processes of an MPI job that make a run together (psl_ranks_peers). */
struct psl_peers {
  uint32_t rank, size;
  bool made; /* a run has been made with them: others are the first rank's alone */
  void (*send)(struct psl_peers *peers, uint32_t to, const void *data, size_t size);
  /* What has come, until the next call; NULL: nothing has. *size 0: that one has left. */
  const void *(*receive)(struct psl_peers *peers, uint32_t *from, size_t *size);
};

/* Who wants to know how far a run has come sets `wanted`, at whatever time: then it is told, once, and that is 0. */
struct run_watch {
  volatile int *wanted;
  void (*told)(void *user, const struct psl_run_progress *progress);
  void *user;
};

/* The tasks and edges of task graphs that are walked, a line each, as they come. */
struct task_lines {
  int (*write)(void *user, const char *text, size_t size); /* not 0: no more is wanted */
  void *user;
  struct text text; /* what has not been handed on yet */
  uint64_t tasks;   /* numbers of tasks that are taken */
  bool stopped;
};
enum { TASK_LINES_HELD = 60000 }; /* bytes, before they are handed on */

struct run_options {
  bool reference;       /* the tree walker in place of compiled code */
  uint64_t max_firings; /* 0: none */
  double max_time;      /* s of virtual time; 0: none */
  double warm_up;       /* s: in the place of the system's; 0: that one */
  bool again;           /* what the time is that figures are of has been seen by running: till when, s */
  double until;
  uint64_t seed;
  uint32_t threads;              /* partitions that the run is made in at most, where it can be; 0: one */
  uint32_t partition_ranks;      /* instances of each, at least */
  struct psl_peers *peers;       /* of which each takes a partition; NULL: there are none */
  const struct run_watch *watch; /* NULL: nobody is told how far it has come */
  struct trace *trace;           /* NULL: none */
  struct task_lines *tasks;      /* NULL: nobody reads them */
  struct levels *levels;         /* that are kept; NULL: none */
  struct host_time *host_time;   /* where this computer's time goes; NULL: is not looked at */
  struct answers *answers;       /* of evaluators, from other runs; NULL: none are kept */
  const struct network *network; /* is run to a steady state; NULL: there is none */
};

struct wait_parts {
  struct sum time[WAIT_PARTS];
};

struct run_component { /* a row a component (class of instances) */
  const struct model_component *component;
  unsigned evidence;           /* of the evaluators that it makes use of: a bit each, but for those that it asks */
  bool fired;                  /* at all, if only before the figures begin */
  uint64_t firings, left;      /* left: calls that went without a server or rule, and */
  double left_wait;            /* how long these waited, all together, s: part of the wait */
  int64_t servers;             /* of its instances, where they serve one after another and call nobody; 0: none */
  struct sum time[ACTIVITIES]; /* held or waited in its bodies, all instances together, s */
  struct wait_parts parts;     /* of the waiting */
};

struct run_usage {           /* of servers, by calls that have ended */
  uint64_t served, left;     /* left: calls that went before they had been served, from the line or a server */
  struct sum waited, stayed; /* by those who were served: in line, and until they went, s */
  struct sum lost;           /* by those who left, s */
  struct sum held, present;  /* servers were held, or did work; calls were in line or served, s */
};
struct run_facility { /* the servers of a component's accepts */
  const struct model_component *component;
  uint32_t instance; /* INSTANCE_NONE: of all together */
  const char *class; /* of who calls; NULL: all */
  double servers;    /* of the instances that were asked; with rates the greatest work a second */
  struct run_usage usage;
};

struct run_record { /* `record NAME = E` */
  const struct name *name;
  const struct type *type;
  const struct model_component *component;
  struct run_tally {
    uint64_t count;
    struct sum sum, squares;
    double minimum, maximum, last;
    double mean, deviation; /* of a level weighted by time, when the run has ended */
    struct sketch sketch;   /* quantiles, histogram */
    struct run_last {
      double time;
      uint32_t instance;
      double since; /* of the turn in which it was recorded */
      uint64_t turn;
    } last_at;      /* whose value `last` is */
  } all, *own;      /* own: by instance; NULL: there is one, or there are more than RECORDED_INSTANCES */
  bool plain;       /* all that is recorded counts, and nothing else is kept */
  bool ranges;      /* runs with ranges at other ends than their middles have recorded it, too: */
  double low, high; /* the least and the greatest of all these runs */
  const struct model_keeping *keeping; /* what else is kept; NULL: nothing */
  uint32_t place;                      /* among the `record` statements of its component */
  struct level *levels;                /* by instance */
  double from;                         /* s: what was recorded before does not count */
  double wished;                       /* of the half width, as a part of the mean; 0: none */
  struct batches *batches;             /* where one is wished: all that counts, in order, */
  struct level_batches *level_batches; /* or the sum of the levels; */
  bool narrow;                         /* its mean is known so well; */
  double half_width;                   /* in the end: of all; NaN: too little was recorded */
  struct psl_level **drawn;            /* the same over time, by instance; NULL: it is not drawn */
};

struct run_element { /* a named element of a program, by the instance whose process executed it */
  uint32_t instance;
  const char *kind, *name;
  uint64_t count;
  double time, own;        /* s; own: in no element inside it */
  double minimum, maximum; /* of one execution, s */
};

struct run_process { /* an instance whose clock counts: each that was fired or forked by a system or by
                        `every` */
  uint32_t instance;
  double time[ACTIVITIES]; /* s */
  double end;
};

struct run_wait { /* at a stop that is no end: who waits */
  uint32_t instance;
  struct span span;
  const char *text;   /* "for a message from rank 3, tag 0" */
  uint32_t waits_for; /* an instance, or INSTANCE_NONE */
  uint32_t process;   /* of the executor's; UINT32_MAX: none */
};

struct run_one_by_one {              /* an accept that takes one at a time, though it only asks others */
  const struct model_accept *accept; /* NULL: there is none */
  uint64_t came, late;               /* late: who waited for the one before, */
  double waited;                     /* s, all together */
};

struct run_result {
  bool passing; /* processes come and go, which have no rows */
  enum stop stop;
  const char *stop_detail;
  struct span stop_span;
  const char *unsound;      /* why figures of a network are no more than what was seen; NULL: they are, too */
  const char *tail;         /* what is to be warned of, of draws without a finite variance; NULL: nothing */
  bool drawn;               /* random numbers were drawn: with another seed it is another run */
  double end;               /* s: the greatest clock */
  double from;              /* s: the figures are of the time from then on, and of what ends in it */
  bool again;               /* that, or the end, has been known too late: run again */
  double makespan;          /* s: likewise, but of a queueing network the mean response of a cycle; NaN: not known */
  bool uncertain;           /* ranges took part: makespan is with their middles, */
  double low, high;         /* and these with their ends, s; */
  const char *unbounded;    /* why these are not known; NULL: they are */
  uint64_t firings, events; /* events: holds, sends, receives */
  struct run_process *processes;
  struct sum *waits_of[WAIT_PARTS]; /* by process: the parts of its waiting, s; NULL: none has any */
  uint32_t process_count;
  bool by_processor; /* rows are processors of a task graph: `instance` is the processor's number */
  struct run_component *components;
  uint32_t component_count;
  struct run_facility *facilities; /* by component, instance and class; all together stand first */
  uint32_t facility_count;
  struct run_record *records;
  uint32_t record_count;
  struct psl_statistic *statistics; /* of all evaluators together */
  uint32_t statistic_count;
  struct run_evaluator {
    const struct psl_evaluator *evaluator;
    uint32_t assumes; /* bit k: its assumption k */
    bool evident;     /* it has done what its evidence says */
  } * used;           /* evaluators that were called */
  uint32_t used_count;
  struct run_wait *waits;
  uint32_t wait_count;
  uint32_t *critical; /* tasks of a task-graph's critical path by instance, in order; may be NULL */
  uint32_t critical_count;
  struct run_element *elements;
  uint32_t element_count;
  uint32_t waits_told;   /* of which parts of waits some evaluator has told: a bit by activity */
  bool messages_counted; /* some evaluator has counted them: */
  uint64_t messages, bytes;
  struct psl_queueing *queueing; /* NULL: not taken for a network */
  struct run_one_by_one one_by_one;
  uint64_t frame_bytes;  /* memory of frames, tokens and queues at the peak */
  uint64_t paired_calls; /* of evaluators, made two at once */
  uint32_t partitions;   /* that it was made in */
};

/* Says, after the error, with which ends of ranges a run has failed, "with all ranges at their low ends": of the times
 * that were wanted one is missing, so the whole has failed. */
void run_failed_at(struct model *model, struct arena *arena, struct run_result *result, const char *where);
#endif
