/* The executor's inside: what its files share. Nobody outside interp/execute includes it.
 *
 * A process is a thread of virtual time: the firing of an accept, or a call forked by `every`. It has a
 * clock and a stack of frames, one for each accept whose body it is in. A process runs ahead of the
 * others until it ends, waits, or meets what must happen in the order of virtual time (state that
 * others see, facilities, late choices); then it stands in the event queue until that time is the least of
 * all. One that has started another, which runs first, is ready meanwhile.
 *
 * The invariant: whoever acts in order sees what all before have done, and nothing that comes later. For that
 * (a) nobody stands before executor->now, no process, token or event; (b) now is the time of what is done in order, and
 * never goes back; (c) what others can see is done by events, and by the process that has its turn: it gets it when no
 * process is ready and no event comes before; (d) what happens at one time does so by kind, and then in the order in
 * which it was set off: by stamps, which say in which turn that was. A process keeps its stamp while it runs ahead, so
 * that it does not matter how far it does. causality.h has the tests of it.
 *
 * Two engines run bodies: compiled programs (vm.c) and the tree walker (walk.c), which is the
 * reference and also takes the bodies that programs cannot (locals that are lists, records, …). Both
 * call the same functions for everything that has an effect: those below, and those of steps.h. */
#ifndef PSL_EXECUTOR_H
#define PSL_EXECUTOR_H
#include "interp/execute/causes.h"
#include "interp/execute/execute.h"
#include "interp/execute/event_queue.h"
#include "interp/evaluate/evaluate.h"
#include "interp/foreign/foreign.h"
#include "interp/model/random.h"
#include <float.h>
#include <math.h>
#include <string.h>

struct program; /* program.h */
struct pair_site;
struct deferred;  /* deferred.h */
struct steady;    /* steady.c */
struct service;   /* service.c */
struct host_time; /* host_time.h */
struct usage;     /* usage.h */
struct rule_line; /* firing_rule.c */
struct watcher;
struct rule_turn;
struct job;
struct partition; /* partitions.c */

enum { PASSES_DEEP = 16 }; /* processes without a turn run inside each other at most so deep */

struct called {                /* by whom a frame is, and what it has for that */
  struct model_accept *accept; /* with instance: for caller.A */
  struct adapter *adapter;     /* to be applied to the reply on the way back, or NULL */
  struct facility *facility;   /* whose server the frame holds, or NULL */
  uint32_t instance;
  uint32_t target; /* coercion block: the instance that was matched */
};

/* What is executed when an accept is fired or called, or when a coercion block stands for a request. */
struct body {
  struct model_component *component;
  struct model_accept *accept;     /* NULL for a coercion block */
  struct model_coercion *coercion; /* NULL for an accept */
  const struct block *block;       /* NULL: none */
  struct symbol **params;
  uint32_t param_count, slot_count;
  uint32_t depth;         /* of nested blocks */
  uint32_t frame_size;    /* of a walker's frame */
  bool communicates;      /* domain runtime or hardware[network] */
  bool analysis;          /* evaluation mode analysis: distributions are not drawn */
  bool implementing;      /* domain runtime or hardware: serves others, has no row of its own in the report */
  bool shared;            /* it reads or changes what others see meanwhile: its steps are taken in order */
  bool has_rules;         /* shared, and some accept of the component has a firing rule, which asks for that state */
  bool observed;          /* at a station or by a customer of a queueing network: see steady.h */
  bool counted;           /* it has servers: see usage.h */
  bool tried;             /* to compile it; then it is known what follows: */
  bool admitted;          /* its frames wait neither for a rule nor for a server */
  bool plain;             /* nobody looks at their end */
  bool takes;             /* its frames may have a facility */
  uint32_t visit_size;    /* of what stands behind a frame that is observed or counted */
  uint32_t compiled_size; /* of a program's frame, with all that stands behind it but what is apart */
  struct program *program;
  struct called called; /* of most of its frames: as the first one was, where that has neither adapter nor facility */
  bool is_called;       /* that is known */
  bool is_head;         /* of a head of `first of`: its one statement, in a process of its own */
  struct body *heads;   /* of the heads in the block */
  struct body *next;    /* of the same coercion; of the heads of the same body */
};

struct loop {              /* one open block of a walked body */
  const struct stmt *next; /* to be executed next in it */
  const struct stmt *loop; /* the FOR or WHILE that the block belongs to, or NULL */
  int64_t at, last, step;  /* FOR over whole numbers */
  struct kept list;        /* FOR over a list; `at` is the place in it */
};

/* Arguments of one request on their way to its target. */
struct pending {
  struct model_request *request;
  struct model_transaction *transaction;
  struct span span;
  double delay, patience; /* patience negative: without an end */
  struct target *targets;
  uint32_t target_count, capacity;
  struct kept arguments[1]; /* by parameter of the transaction; VALUE_NONE: not given */
};

struct turned_away { /* calls that asked for a server or a rule and went without */
  uint64_t count;
  struct sum waited; /* s */
};

enum phase {
  PHASE_BODY,     /* executing statements */
  PHASE_REQUESTS, /* executing unlabelled requests */
  PHASE_END,
};

struct frame { /* kept small: a rank of a simulation is a process and a frame; see frame_parent, too */
  struct body *body;
  uint32_t instance;
  uint32_t at;         /* compiled: the place in the code; walker: open blocks */
  uint32_t depth : 20; /* frames below it in its process */
  bool compiled : 1;
  bool communicates : 1;
  bool paired : 1;      /* called, and the one that the call in hand is a pair with: `reply` is that one's */
  bool admitted : 1;    /* the firing rule held and a server was free */
  bool ordered : 1;     /* its steps are taken in order, as what others see is read or changed in them */
  bool patient : 1;     /* it gives up at a time; the reply is whether it has not */
  bool traced : 1;      /* the trace has it as a call */
  bool no_priority : 1; /* the request has left out the accept's parameter that is the priority, */
  bool no_class : 1;    /* the class */
  bool expected : 1;    /* the facility that it, or what its block calls, is on its way to counts it */
  bool apart : 1;       /* how it is called stands behind it, and is not as body->called */
  bool called;          /* the call in hand has been answered: the reply */
  uint8_t reply_kind;   /* of the answer to the call in hand; before a patient one waits: its patience, s */
  uint16_t restore;     /* compiled: how what is not saved is computed again, among the program's */
  uint64_t reply;       /* see frame_reply */
  union {
    struct psl_stay *stays; /* of evaluators, that last as long as this frame, once it is admitted */
    double asked;           /* not yet: when it has asked for a rule or a server */
  };
  /* walker: struct walked, struct kept locals[slot_count], int64_t indices[], struct loop loops[depth];
   * compiled: union slot registers[]; then struct visit, where its body has that; struct called, where that is apart */
};
_Static_assert(sizeof(struct frame) == 40, "most of many ranks have a frame each");

/* The one below it in its process; NULL: it is the first. Most are, and only others have it, before themselves. */
static inline struct frame *frame_parent(const struct frame *frame) {
  return frame->depth ? ((struct frame *const *)(const void *)frame)[-1] : NULL;
}
static inline struct frame *frame_take(struct slabs *slabs, size_t size, struct frame *parent) {
  if (!parent) return slab_take(slabs, size);
  struct frame **room = slab_take(slabs, sizeof(struct frame *) + size);
  struct frame *frame = (struct frame *)(void *)(room + 1);
  room[0] = parent;
  frame->depth = parent->depth + 1;
  return frame;
}
static inline void frame_give(struct slabs *slabs, struct frame *frame, size_t size) {
  if (frame->depth)
    slab_give(slabs, (struct frame **)(void *)frame - 1, sizeof(struct frame *) + size);
  else
    slab_give(slabs, frame, size);
}

/* The answer to the call in hand. */
static inline struct kept frame_reply(const struct frame *frame) {
  struct value value = {.kind = (enum value_kind)frame->reply_kind};
  memcpy(&value.integer, &frame->reply, sizeof frame->reply);
  return (struct kept){value};
}
/* In place of one that is none, or no object. */
static inline void frame_answer(struct frame *frame, struct kept reply) {
  frame->reply_kind = (uint8_t)reply.value.kind;
  memcpy(&frame->reply, &reply.value.integer, sizeof frame->reply);
}

struct requester { /* who makes a request: in compiled code not always the frame on top */
  uint32_t instance;
  struct model_accept *accept;
  struct model_component *component;
  bool communicates, analysis;
};

struct wait {                  /* a call at which a process may wait: where it stands */
  const struct symbol *callee; /* the evaluator's function, or NULL */
  struct span span;
  struct span outer; /* the call in the process's first body that led there */
  uint32_t component;
};

struct walked {       /* what a walked frame has besides */
  struct kept result; /* what `return` said */
  struct wait wait;   /* the call in hand */
  enum phase phase;
  uint32_t request; /* PHASE_REQUESTS: the next one */
  bool repeats;     /* it has `visits`, and is to be made so often from now: */
  int64_t visits;
};

/* In which order what is set off happens at one time: by the number of the turn in which it was set off, then in the
 * order in which that turn came to it. */
struct stamp {
  uint64_t turn, step;
};
struct moment {
  double time;
  struct stamp stamp;
};

struct join { /* `every`, `first of`: a process that waits for those it has forked */
  struct process *parent;
  uint32_t number;             /* of those there are, from 1 */
  const struct stmt *first_of; /* the statement; NULL: `every`, for all of them */
  bool decided;                /* first of: a head is done, and the others are cancelled */
  uint32_t remaining, count;
  double began;              /* `every`: when they have, */
  double clock;              /* the latest end so far */
  double queued;             /* of who has ended last */
  struct stamp stamp;        /* of the last in order of those that have ended, */
  double turn_at;            /* and when that had its turn */
  uint32_t cause;            /* that the one of the latest end has ended; 0: none is kept */
  struct kept *results;      /* NULL where the transaction has no result */
  struct process **children; /* where they may be cancelled: those that have not ended, in their places; else NULL */
  struct wait_parts *parts;  /* first of: of what its heads have waited, in their places; NULL: nothing is known */
};

/* Kept small, since of many ranks there are as many; what few models need is in its process_more. */
struct process {
  struct frame *frame;
  double clock;
  double share[ACTIVITIES]; /* what it has spent, s: see process_settle */
  union {                   /* of the line in hand; NULL again when it has left it, as the next may be another one */
    void *memory;           /* PROCESS_EVALUATOR: psl_call.memory of a call that is not done */
    struct process *next;   /* free list; waiting lists */
    struct waiter *waiter;  /* PROCESS_SERVER */
    struct rule_turn *turn; /* PROCESS_RULE */
    struct job *job;        /* PROCESS_SHARE: its hold */
    struct join *forked;    /* PROCESS_JOIN, PROCESS_FIRST */
  };
  const struct wait *wait; /* of the call in hand */
  uint32_t still;          /* turns of loops since the clock was last moved on */
  uint8_t state;           /* enum process_state */
  bool counted : 1;        /* has a row in the report; PROCESS_FREE: what it has spent is not there yet */
  bool fork : 1;           /* of `every`: its row is the instance's among those of forks */
  bool begins : 1;         /* a token has started it, and its beginning stands in the event queue */
  bool ordered : 1;        /* it runs for a retry: all before its clock, and all else at it, has happened */
  bool keep : 1;           /* its end leaves it to whoever made it (process_reuse) */
  bool cancellable : 1;    /* a head of `first of`, or started by one: it never runs ahead, see first_of.c */
  bool doomed : 1;         /* cancelled in the middle of its call of an evaluator: ends behind that */
  bool passed : 1;         /* it is a customer, and has sent a token on */
  bool answered;           /* by an evaluator, not in order: it has kept its stamp */
  bool in_turn;            /* it has its turn until its clock moves on or it waits */
  uint64_t stamp;          /* its last turn, and of what it sets off next: see stamp_of */
  double turn_at;          /* when it had that turn */
  uint32_t id, instance;
  uint32_t generation; /* entries of the event queue with another one are stale */
  uint32_t join;       /* number of the one that it is forked for; 0: none; see join_of */
  double response[];   /* one, where the run has customers: s at stations in the cycle so far; passed: when that was */
};
struct process_more {
  double queued;       /* psl_call.queued */
  uint32_t join_place; /* among what its join has for each */
  uint32_t customer;   /* 1 + the class of the network's customer that it is or works for; 0: none */
};
enum process_state {
  PROCESS_FREE,
  PROCESS_READY,
  PROCESS_RUNNING,
  PROCESS_QUEUED,
  PROCESS_EVALUATOR,
  PROCESS_SERVER,
  PROCESS_RULE,
  PROCESS_ANY,
  PROCESS_JOIN,
  PROCESS_FIRST, /* for the first of its heads */
  PROCESS_SHARE,
  PROCESS_MOVES, /* to another partition, when its engine has left it */
  PROCESS_HOLD,  /* cancellable: it holds until the time of its event, */
  PROCESS_LATER  /* or waits until then, and goes on */
};

/* The event queue's order at one time: processes that ran ahead and go on to do so, releases, holds that are shared,
 * tokens, processes, tests of firing rules, arrivals (by psl_arrival, not by stamps), retries of evaluators and ends of
 * what a head of `first of` holds, or of what is left of a shared hold where that is less than the clock can tell; then
 * by their stamps. */
enum event_kind {
  EVENT_AHEAD,
  EVENT_RELEASE,
  EVENT_SHARE,
  EVENT_TOKEN,
  EVENT_PROCESS,
  EVENT_RULE,
  EVENT_ARRIVAL,
  EVENT_RETRY
};
enum {
  KIND_SHIFT = 60
}; /* event.order: the kind, then the turn of the stamp; subject: process, facility, inbox or
                            rule_line */

struct token {
  struct token *next;
  struct token
      *others;        /* of the first: heaps of those that came when later ones stood in line already; see dataflow.c */
  struct token *last; /* of an `every` parameter, at the first that an edge has there: the last one that it has */
  struct moment sent; /* when it is there */
  uint32_t edge, sender; /* request id, instance */
  struct {
    uint32_t instance;
    uint32_t cause; /* that it has been sent; 0: none is kept */
    struct model_accept *accept;
  } caller;
  uint32_t count, customer; /* customer and response: of the process that sent it */
  double response, queued;
  struct kept values[1]; /* full: by parameter of the transaction; partial: one */
};

struct queue {                /* tokens of a parameter, or full ones */
  struct token *first, *last; /* in line by moment, but for others of the first; last: where tokens mostly go */
  uint32_t edges;             /* of an `every` parameter: how many edges have a token here */
};
struct one_by_one {
  uint64_t begun, late; /* firings, those of them that waited for the one before, */
  double waited;        /* and how long, s */
};
struct inbox { /* tokens that wait at a dataflow accept of an instance */
  struct model_accept *accept;
  uint64_t reached; /* a bit a parameter that some edge reaches */
  uint32_t instance;
  uint32_t queue_count;
  struct inbox *next; /* all inboxes; inboxes of the facility */
  struct inbox *peer; /* the next inbox at the same facility */
  struct facility *facility;
  bool full;
  bool waiting;        /* tokens for a firing are there; the server is busy or the rule does not hold */
  bool in_line;        /* they wait for the rule, see firing_rule.c */
  bool scheduled;      /* an event for `due` stands in the queue: the last one, others are passed over */
  uint32_t generation; /* of that event */
  struct moment due;
  struct moment ready; /* when its next firing has all its tokens */
  struct queue *queues;
  struct queue only;             /* which are that one, where there is one */
  struct one_by_one *one_by_one; /* NULL: it does more than ask others, see one_by_one.c */
};

struct facility {              /* servers of an accept at an instance, or the clock of an instance */
  struct model_accept *accept; /* NULL: the instance's clock */
  uint32_t instance;
  bool unlimited;
  bool rules; /* who begins there is a matter of firing rules */
  enum psl_discipline discipline;
  bool shares, by_priority; /* of the discipline */
  int64_t servers, busy;
  double quantum;
  const double *rates;    /* processor sharing: the work a second with 1, 2, … jobs; NULL: by the servers */
  uint32_t rate_count;    /* with more jobs the last one holds */
  double free_at;         /* the last release */
  struct process *holder; /* of a server, for the report of a deadlock */
  int64_t expected;       /* full tokens, and calls where `any` chooses, that wait or are on their way */
  struct waiter {
    struct facility *facility;
    struct process *process;
    double priority;
    uint64_t order;               /* of coming */
    uint32_t place;               /* in the heap */
    bool in_line;                 /* for a body in line of the frame on top, not for that frame */
    struct waiter *before, *next; /* without priorities */
  } * *line;                      /* by priority, a heap: who is first stands first */
  struct waiter *first, *last;    /* else: in the order of coming */
  uint32_t waiting, line_capacity;
  uint64_t came; /* into the line, so far */
  struct inbox *inboxes;
  struct facility *next;   /* all */
  struct service *service; /* of a discipline that shares: the holds in progress; NULL: none yet */
  struct psl_level *drawn; /* how many wait, over time; NULL: it is not drawn */
  struct usage *usage;     /* of those who have no class first; NULL: calls are not counted */
};

struct span_of_time {
  double begin, end;
};

struct forks { /* of an instance, until it is known that no two of them are there at a time */
  union {
    struct span_of_time *spans; /* when they were there, in order; those that touch are one */
    struct span_of_time only;   /* capacity 0: the only one, if there is any */
  };
  uint32_t count; /* TOGETHER: two were there at a time: the instance serves others, and time is not divided by them */
  uint32_t capacity;
};
#define TOGETHER UINT32_MAX

struct rests {
  double time[ACTIVITIES];
};
struct process_rows { /* of a component, by instance */
  uint32_t first, count;
  struct run_process *items;     /* NULL: there are none yet; instance + 1 once one has run */
  struct rests *rests;           /* of the sums there, s; NULL: none has any */
  struct sum *waits[WAIT_PARTS]; /* the parts of their waiting, s; NULL: none has any */
};

struct instance_state {
  struct kept *vars;             /* count * var_count; NULL: none */
  struct kept *dynamics;         /* count * dynamic_count */
  uint8_t *live;                 /* vars of the instance have their initial values */
  struct facility **clocks;      /* by instance: the instance's clock, made when first met */
  struct rule_line **rule_lines; /* by instance: who waits for a firing rule */
  struct watcher **watchers;     /* by instance: firing rules that read its vars; NULL: none do */
  struct random_stream **random; /* by instance */
  struct process_rows rows;      /* processes that are counted */
  struct process_rows fork_rows; /* the same of forks, which become rows where they take turns */
  struct forks *forks;           /* by instance; NULL: each has forked once at most, */
  uint8_t *forked_before;        /* by instance, a bit: one has ended behind time 0; NULL: none has; */
  bool forked_any;               /* if some have forked, */
  double forked;                 /* all at that time, s; its row says when that fork has ended */
};

struct elements { /* by instance, kind and name, in the order of first ends; kept for the results */
  struct run_element *items;
  uint32_t count, capacity;
  uint32_t *table; /* by hash: place in `items`, from 1 */
  uint32_t slots;
  const char **texts; /* each kind and name once */
  uint32_t text_count, text_capacity;
};

struct standstill {  /* whether virtual time stands still, by looks from time to time */
  double now, ahead; /* s: of the events, and of what runs ahead of them, the greatest that a look has found */
  uint64_t since;    /* turns of the scheduler and starts when that was */
};

struct executor {
  struct psl_host host; /* first: an evaluator's host is the executor */
  struct graph *graph;
  struct model *model;
  struct arena *arena; /* `own`, of the run: freed whole at its end */
  struct arena own;
  struct arena beside;            /* the evaluators', which goes before rows are made */
  struct arena *results;          /* whose who asked for the run: what is left of it */
  struct arena scratch;           /* of the statement in hand */
  struct slabs slabs;             /* frames, tokens, processes, what waits */
  struct slabs keep;              /* the values that slots keep */
  struct kept dropped;            /* by an evaluator: it may be the result of the call in hand */
  struct value *condition_locals; /* of the condition that is tested */
  const struct run_options *options;
  struct host_time *host_time; /* of the options; NULL: nobody wants to know */
  struct causes *causes;       /* likewise */
  struct environment environment;
  struct foreign_kept kept; /* of the expression in hand, in compiled code */

  struct body **bodies;          /* by accept id */
  struct body **coercion_bodies; /* by coercion id */
  struct instance_state *states; /* by component id */
  uint64_t *fired, *uncounted;   /* by component id; uncounted: of these, during the warm-up or behind the end */
  uint64_t fired_late;           /* of these, behind the limit of time: by processes that run ahead */
  struct turned_away *left;      /* by component id */
  struct sum *spent;             /* by component id and activity: what its bodies hold or wait, s */
  struct wait_parts *parts;      /* by component id: for what they wait, where evaluators say so */
  bool *networks;                /* by component id: it is of domain hardware[network] */
  bool *ordered;                 /* by request id: it is made in order */
  uint8_t *passes;               /* by accept id: see token_passes, */
  uint8_t *ahead_of_all;         /* and token_goes_ahead */
  uint32_t **watched;      /* by accept id: instances that its rule reads vars of, by instance and watch; or NULL */
  bool *chosen;            /* by accept id: it has servers, and `any` of some request chooses among them */
  struct inbox ***inboxes; /* by accept id, by instance; NULL rows until used */
  struct facility ***facilities; /* by accept id, by instance */
  struct inbox *all_inboxes;
  struct facility *all_facilities;

  char **processes; /* PROCESSES of them each, by id: process_at */
  uint32_t process_count, process_chunks, chunk_capacity;
  uint32_t process_size;
  struct process_more *more; /* by id; NULL: nobody has any */
  struct stamp *stamps;      /* by id: those that have no room in their process */
  uint32_t stamp_capacity;
  uint32_t more_capacity;
  union numbered_join {
    struct join *join;
    uint32_t next; /* of a number that none has: the next such one; 0: there is none */
  } * joins;       /* by number */
  uint32_t join_count, join_capacity, free_join;
  double *waits[WAIT_PARTS]; /* by process id: the parts of its waiting, s; NULL: nobody has any */
  uint32_t waits_capacity;
  struct process *free_process;
  struct process *running; /* the last that ran */
  struct process *setter;  /* whose turn what is sent counts for: that one, or who has sent the token that started it */
  struct process **ready;
  uint32_t ready_count, ready_capacity;
  uint32_t graphs;    /* task graphs walked so far */
  uint32_t in_tasks;  /* bodies of their tasks that are being run, whose time is from the beginning of the graph */
  bool ready_trimmed; /* most of it has been given back, once */
  struct event_queue events;
  uint64_t last_turn;     /* its number */
  double now;             /* time of the event in hand */
  double horizon;         /* events before it are known to be all that there are: infinity, but in partitions */
  struct moment followed; /* of the last turn, before it was taken: see causality.h */
  double spawned_at;      /* when the body in line began that a token has started; negative: none runs */
  struct process *any_waiters;

  struct {
    const struct psl_evaluator *evaluator;
    void *state;
    bool opened;
    bool left;     /* calls have been taken back, and those behind them still wait */
    uint32_t used; /* 0: not; bit k: by functions that make assumption k, the highest bit: by others */
  } * evaluators;
  uint32_t evaluator_count;
  struct psl_call call;    /* reused */
  bool over;               /* no call is in hand any more */
  struct process *retried; /* a retry has moved its clock on, */
  double retried_since;    /* from there: for what it has waited since then its call in hand will say; NULL: nobody's */
  uint32_t waits_told;     /* run_result.waits_told */
  struct division {        /* psl_host.waited */
    bool given;
    enum psl_partner kind;
    uint32_t process;
    double partner, queued;
  } division;
  const struct wait *calling; /* where it stands in the source */
  struct process *caller;     /* a cancellable one, whose call it is while that lasts; NULL: none */
  uint32_t cancels;           /* that are going on, one inside another */
  bool lines_left;            /* some evaluator's `left` is set */
  struct span met;     /* what an evaluator has found to be in the way of the call, as another process: where that is */
  const char *met_as;  /* and what */
  struct span *places; /* at which stays have begun */
  uint32_t place_count, place_capacity;
  struct warned {
    uint32_t at;
    const char *text;
  } * warned;
  uint32_t warned_count, warned_capacity;

  uint64_t run;                                       /* the model's number of it, from 1 */
  enum { ALONE_UNKNOWN, ALONE_YES, ALONE_NOT } alone; /* requests_alone */
  enum stop stop;                                     /* STOP_END while running */
  const char *stop_detail;
  const char *unsound; /* as of run_result */
  struct span stop_span;
  uint64_t events_done;
  uint64_t paired_calls;     /* of evaluators, made two at once */
  struct pair_site *pairs;   /* whose firings and holds are still to be counted: deferred_counts */
  struct deferred *deferred; /* of holds, likewise */
  double makespan;
  bool refused;          /* an evaluator would not have its arguments */
  struct span leading;   /* of the compiled expression in hand: the call that led to it */
  struct steady *steady; /* NULL: no accept is observed */
  double steady_at;      /* s: when steady_look is wanted */
  double time_most;      /* s: the limit of time that was given, or that of virtual time */
  double from, until;    /* s: from the end of the warm-up to that of the run figures count */
  bool all_counts;       /* there is neither a warm-up nor an end of figures, */
  bool deferring;        /* nor a trace or a limit of firings */
  double restarted;      /* s: when a body has begun all statistics anew; 0: none has */
  bool once;             /* a limit that ends the run does not make it be made again: it has started a program */
  uint32_t row_count;
  uint32_t wishes; /* records whose mean is wished to a precision and not known so well yet; */
  bool narrow;     /* there were some, and now there are none: the run ends */
  struct run_record *records;
  uint32_t record_count, record_capacity;
  struct map record_places;           /* by name and component */
  struct record_places *record_order; /* in the order of statements; kept from run to run, where the graph is */
  uint32_t record_latest;             /* the place of the one recorded last */
  struct elements elements;
  uint32_t *critical;
  uint32_t critical_count;
  struct run_process *processors; /* of a task graph: a row a processor */
  uint32_t processor_count;
  struct model_accept *root;             /* stands for the system's requests */
  uint32_t nest;                         /* processes without a turn that run inside of who has sent their token */
  struct called site_called;             /* of a body in line */
  int64_t indices[COMPONENT_INDICES];    /* of the compiled frame that an environment was made for */
  const struct model_component *lacked;  /* whose profile lacked the attribute that was asked for last */
  const struct called *attribute_called; /* whose caller `caller.A` means */
  struct target attribute_target;        /* for target.A in coercions */
  struct random_stream *shuffle;         /* see causality.h; NULL: none */
  struct partition *partition;           /* that this executor runs; NULL: the run is in one */
  uint32_t partitions;                   /* that the run has been made in, */
  bool drawn;                            /* some of which have drawn random numbers */
  bool paced;                            /* others may be in other partitions, or could be: there is a lookahead */
  uint64_t turns;                        /* of all loops, */
  uint64_t gone_at;                      /* paced: and so many when the process in hand has gone on */
  uint64_t look_at;                      /* turns at which to look at others (turn_look) */
  uint32_t ahead;                        /* what has been sent since the last such look that waits for its time */
  uint64_t ticks, look_mask;             /* turns of the scheduler; at limits it looks where ticks & look_mask is 0 */
  uint64_t starts;                       /* of processes within them */
};

enum { PROCESSES_SHIFT = 6, PROCESSES = 1 << PROCESSES_SHIFT };
static inline struct process *process_at(const struct executor *executor, uint32_t id) {
  char *chunk = executor->processes[id >> PROCESSES_SHIFT];
  return (struct process *)(void *)(chunk + (size_t)(id & (PROCESSES - 1)) * executor->process_size);
}
/* NULL: it is not forked. */
static inline struct join *join_of(const struct executor *executor, const struct process *process) {
  return process->join ? executor->joins[process->join].join : NULL;
}
/* What it has more, */
static inline struct process_more process_more(const struct executor *executor, const struct process *process) {
  return executor->more ? executor->more[process->id] : (struct process_more){0};
}
/* which has a place from now on. */
void process_more_make(struct executor *executor);
static inline struct process_more *process_more_at(struct executor *executor, const struct process *process) {
  if (!executor->more) process_more_make(executor);
  return &executor->more[process->id];
}
static inline double process_has_queued(const struct executor *executor, const struct process *process) {
  return executor->more ? executor->more[process->id].queued : 0;
}
static inline void process_queued_set(struct executor *executor, const struct process *process, double queued) {
  if (executor->more || queued != 0) process_more_at(executor, process)->queued = queued;
}
static inline uint32_t customer_of(const struct executor *executor, const struct process *process) {
  return executor->more ? executor->more[process->id].customer : 0;
}
static inline void customer_set(struct executor *executor, const struct process *process, uint32_t customer) {
  if (executor->more || customer) process_more_at(executor, process)->customer = customer;
}

static inline void frame_reply_drop(struct executor *executor, struct frame *frame) {
  struct kept reply = frame_reply(frame);
  kept_drop(&executor->keep, &reply);
  frame_answer(frame, reply);
}
static inline void frame_reply_store(struct executor *executor, struct frame *frame, struct value value) {
  frame_reply_drop(executor, frame);
  frame_answer(frame, value_keep(&executor->keep, value));
}

/* ---- schedule.c ---- */
static inline uint64_t event_order(enum event_kind kind, struct stamp stamp) {
  return (uint64_t)kind << KIND_SHIFT | stamp.turn;
}
/* In a partition, which has no use for most. */
void event_push_looked(struct executor *executor, double time, enum event_kind kind, struct stamp stamp,
                       uint32_t instance, void *subject, uint32_t generation);
static inline bool stamp_before(struct stamp a, struct stamp b) {
  return a.turn != b.turn ? a.turn < b.turn : a.step < b.step;
}
/* In the place of a stamp: what arrives is in an order of its own. */
static inline struct stamp arrival_stamp(const struct psl_arrival *arrival) {
  uint64_t sent;
  double time = arrival->sent + 0.0; /* no -0 */
  memcpy(&sent, &time, sizeof sent);
  return (struct stamp){sent >> 3, (sent & 7) << 61 | (uint64_t)arrival->from << 35 | arrival->number};
}
static inline bool moment_before(struct moment a, struct moment b) {
  return a.time != b.time ? a.time < b.time : stamp_before(a.stamp, b.stamp);
}
/* The stamp of a process: the turn, and STEP_BITS for the step; LONG_STAMP: it stands in executor->stamps. Under the
 * sanitizers that is so after a few steps, and so tested. */
#ifdef ARENA_GUARDED
enum { STEP_BITS = 6 };
#else
enum { STEP_BITS = 24 };
#endif
enum { LONG_STAMP = (1 << STEP_BITS) - 1 };
void stamp_keep(struct executor *executor, struct process *process, struct stamp stamp); /* there */
static inline bool stamp_long(const struct process *process) { return (~process->stamp & LONG_STAMP) == 0; }
static inline struct stamp stamp_of(const struct executor *executor, const struct process *process) {
  if (stamp_long(process)) return executor->stamps[process->id];
  return (struct stamp){process->stamp >> STEP_BITS, process->stamp & LONG_STAMP};
}
static inline void stamp_set(struct executor *executor, struct process *process, struct stamp stamp) {
  if (stamp.step < LONG_STAMP && stamp.turn >> (64 - STEP_BITS) == 0)
    process->stamp = stamp.turn << STEP_BITS | stamp.step;
  else
    stamp_keep(executor, process, stamp);
}
/* The stamp of what the process sets off now. */
static inline struct stamp stamp_next(struct executor *executor, struct process *process) {
  struct stamp stamp = stamp_of(executor, process);
  if (stamp_long(process))
    executor->stamps[process->id].step++;
  else if (stamp.step + 1 < LONG_STAMP)
    process->stamp++;
  else
    stamp_keep(executor, process, (struct stamp){stamp.turn, LONG_STAMP});
  return stamp;
}
/* What the process does from now on is set off in a turn of its own. */
static inline void turn_number(struct executor *executor, struct process *process) {
  stamp_set(executor, process, (struct stamp){++executor->last_turn, 0});
  process->turn_at = process->clock;
  process->in_turn = process->answered = false;
}
/* Has it its turn? Then nobody else does anything in order before its clock moves on or it waits. */
static inline bool has_turn(const struct process *process) {
  return process->in_turn && process->turn_at == process->clock;
}
struct process *process_new(struct executor *executor, uint32_t instance, double clock, bool counted);
void process_end(struct executor *executor, struct process *process);
struct join *join_make(struct executor *executor, struct process *parent);
void join_free(struct executor *executor, struct join *join); /* its memory, not the results in it */
static inline void process_reuse(struct executor *executor, struct process *process) {
  process->next = executor->free_process;
  executor->free_process = process;
}
void process_ready(struct executor *executor, struct process *process);
/* What it waited for has happened in order, at its clock: it is ready and gets the next turn's number. */
void process_wake(struct executor *executor, struct process *process);
/* Does no event stand before (time, kind, stamp)? */
bool none_before(const struct executor *executor, double time, enum event_kind kind, struct stamp stamp);
/* Has everything before (time, kind, stamp) happened? Then that is now. */
bool time_has_come(struct executor *executor, double time, enum event_kind kind, struct stamp stamp);
/* Everything before the process's clock and stamp has happened: true, and it has its turn. Else it is queued and will
 * run again. */
bool process_queued(struct executor *executor, struct process *process);
static inline bool process_in_order(struct executor *executor, struct process *process) {
  return (has_turn(process) && !executor->partition) || !process_queued(executor, process);
}
/* It has its turn now. */
void turn_take(struct executor *executor, struct process *process);
enum { STILL_LIMIT = 10000000 }; /* turns of loops while the clock of their process stands still */
enum { LOOK_TURNS = 4096 };
/* Looked at every so many turns of loops, when much has been sent ahead, and beyond STILL_LIMIT: an interrupt, a
 * livelock, or that others are due, too: false, and then the run has been stopped or the process queued. */
bool turn_look(struct executor *executor, struct process *process, struct span loop);
/* Where the process is, in the words of who began it: the call that its first body has in hand. */
struct span process_span(const struct process *process);
/* The same of the process that ran last; the system's name where there is none. */
struct span executor_span(const struct executor *executor);
/* Moves its clock forward to `clock` and counts the time as waiting. */
void process_wait_until(struct executor *executor, struct process *process, double clock);
/* The same for that component. */
void wait_count(struct executor *executor, struct process *process, uint32_t component, double clock);
/* The same where it has stood in line, which in a network is contention. */
void process_queue_until(struct executor *executor, struct process *process, double clock);
/* So much of what it has waited for contention would have been waited without that, too. */
void contention_less(struct executor *executor, struct process *process, double seconds);
/* Of a component when the run is over: where more was taken from contention than there was it is none. */
struct wait_parts parts_settled(struct wait_parts parts);
/* The same where it has waited in an evaluator. */
void process_answer_until(struct executor *executor, struct process *process, double clock);
/* What a head has waited counts for the process whose head it is. */
void head_waits_count(struct executor *executor, struct process *process, const struct wait_parts *head);
/* Stops the run where a limit that it was given is reached by that time. */
void limits_look(struct executor *executor, double time);
/* The earliest time at which something is left to happen: all before it has. */
double time_left(const struct executor *executor);
void process_run(struct executor *executor, struct process *process);
/* Something has been sent that waits for its time: one that sends much gives others their turn, so that what
 * is on its way stays little. */
enum { SENT = 8 };
static inline void sent_ahead(struct executor *executor) {
  if (++executor->ahead >= SENT) executor->look_at = executor->turns;
}
/* Runs until nothing can happen any more or a stop. */
void schedule(struct executor *executor);
/* Ends the run: reported at the span. */
void executor_stop(struct executor *executor, enum stop stop, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static inline bool executor_stopped(const struct executor *executor) { return executor->stop != STOP_END; }

/* ---- run.c ---- */
/* Has a run that has ended so to be made once more, as the time that figures are of has become known too late? */
bool runs_again(const struct executor *executor);

/* ---- clock.c ---- */
/* The end of virtual time, s: far below what a double holds, so that sums of times over all that there is, and of
 * their squares, are numbers. */
#define CLOCK_MOST 1e100
/* A clock would pass it: stops the run, there, or at a limit of time that was given. False. */
bool clock_passed(struct executor *executor, double time, struct span span);
/* May the evaluator that was called at `time` answer then? Else the run is stopped. */
bool clock_refused(struct executor *executor, struct process *process, const struct wait *wait, double time,
                   double answer); /* false */
static inline bool clock_answered(struct executor *executor, struct process *process, const struct wait *wait,
                                  double time, double answer) {
  return (answer >= time && answer <= CLOCK_MOST) || clock_refused(executor, process, wait, time, answer);
}
/* As many events as no model has at one time, however many instances do something then. */
uint64_t events_most(const struct executor *executor);
/* Stops the run: so many of these, the last in the instance. */
void livelock(struct executor *executor, uint64_t count, const char *what, uint32_t instance, double time,
              struct span span);

/* ---- frame.c: bodies, frames, what a statement does ---- */
struct body *body_make(struct executor *executor, struct model_accept *accept);
static inline struct body *body_of_accept(struct executor *executor, struct model_accept *accept) {
  struct body *body = executor->bodies[accept->id];
  return body ? body : body_make(executor, accept);
}
/* The same without its requests: what a task of a graph does. */
struct body *body_of_task(struct executor *executor, struct model_accept *accept);
struct body *body_of_coercion(struct executor *executor, struct model_coercion *coercion, struct requester who);
/* May processes other than the one that is in a body see or change the instance's state meanwhile? */
bool component_shared(const struct model_component *component);
struct walked *frame_walked(struct frame *frame);
struct kept *frame_locals(struct frame *frame);
/* The same for expressions, whose binders are written there; in the scratch arena. */
struct value *frame_borrow(struct executor *executor, struct frame *frame);
int64_t *frame_indices(struct frame *frame);
struct loop *frame_loops(struct frame *frame);
/* For an expression outside of any frame: with locals of its own (in the scratch arena), the indices given
 * (or NULL), no state. */
struct environment executor_environment(struct executor *executor, const int64_t *indices);
/* Without what is apart. */
static inline size_t frame_size(const struct frame *frame) {
  const struct body *body = frame->body;
  return frame->compiled ? body->compiled_size : body->frame_size + body->visit_size;
}
static inline struct called *called_apart(struct frame *frame) {
  return (struct called *)(void *)((char *)frame + frame_size(frame));
}
static inline const struct called *frame_called(const struct frame *frame) {
  return frame->apart ? (const struct called *)(const void *)((const char *)frame + frame_size(frame))
                      : &frame->body->called;
}
/* Is a frame of the body that is called so as most are? */
static inline bool called_alike(struct body *body, const struct adapter *adapter, uint32_t instance,
                                struct model_accept *accept) {
  if (body->is_called && !adapter && body->called.instance == instance && body->called.accept == accept) return true;
  if (body->is_called || adapter || !body->tried || body->takes) return false;
  body->called = (struct called){.accept = accept, .instance = instance};
  return body->is_called = true;
}
/* A frame on top of the process; arguments by parameter of the accept's transaction (VALUE_NONE: its
 * default). */
struct frame *frame_push(struct executor *executor, struct process *process, struct body *body, uint32_t instance,
                         const struct value *arguments, uint32_t caller_instance, struct model_accept *caller_accept,
                         struct adapter *adapter);
/* Does an accept of the component have a firing rule? */
bool component_has_rules(const struct model_component *component);
/* Firing rule and server of a frame that is about to begin; false: its process waits or is queued. */
bool frame_admit(struct executor *executor, struct process *process, struct frame *frame);
/* The same when the rule holds. */
bool frame_begin(struct executor *executor, struct process *process, struct frame *frame);
/* It has asked for a server, or a rule, and goes without, after it has waited until now: that is no firing. */
void frame_leave_line(struct executor *executor, struct process *process);
/* It waits for a server, or a rule, and its patience has ended: false is the reply. */
void frame_give_up(struct executor *executor, struct process *process);
/* It has its server, if it wants one. */
void frame_admitted(struct executor *executor, struct process *process, struct frame *frame);
/* The frame on top is done: its result, which it takes, goes to the frame below, or the process ends. False: the
 * process is queued, to do the same again. */
bool frame_finish(struct executor *executor, struct process *process, struct kept *result);
/* The environment of a frame (or of another instance) at `time` for the walker of expressions. */
struct environment *frame_environment(struct executor *executor, struct frame *frame, struct value *locals,
                                      double time);
struct kept *instance_vars(struct executor *executor, uint32_t instance);
bool instance_asks(struct executor *executor, uint32_t instance); /* for its params, now */
struct kept *instance_dynamics(struct executor *executor, uint32_t instance);
/* What evaluators have as the frame's work has ended then. */
void frame_stays_end(struct frame *frame, double clock);
/* A frame that has ended, or is cancelled, goes: it is that on top, and what it has kept. */
void frame_pop(struct executor *executor, struct process *process);
/* A frame of the head on top of a process that has none, with the locals of the frame that it stands in. */
void frame_push_head(struct executor *executor, struct process *process, struct body *body, struct frame *outer);
/* Of an instance of the component, for the walker of expressions. */
void state_borrow(struct executor *executor, struct environment *environment, const struct model_component *component,
                  uint32_t instance);
struct random_stream *instance_random(struct executor *executor, uint32_t instance);
/* What the time is that the frame holds. */
enum activity frame_activity(const struct frame *frame);
/* What a component keeps of a record besides its table; NULL: nothing. Levels, and what ends a run, are recorded in the
 * order of time. */
const struct model_keeping *record_keeping(const struct model_component *component, const struct name *name);
bool record_ordered(const struct model_component *component, const struct name *name);
void record_value(struct executor *executor, const struct process *process, const struct model_component *component,
                  uint32_t instance, double clock, const struct name *name, const struct type *type, double value);
/* At the end of a run: by component and by where its bodies record them, in the order of declaration. */
void records_sort(struct executor *executor);
/* A run-time attribute has changed: requests with `any` may match now. */
void profile_changed(struct executor *executor, double clock);

enum outcome {
  OUTCOME_DONE,   /* go on; an answer, if any, is in frame->reply */
  OUTCOME_PUSHED, /* a frame was pushed: its reply comes later */
  OUTCOME_WAIT,   /* the process waits or is queued: an answer comes later */
  OUTCOME_AGAIN,  /* the process is queued: do the same again */
  OUTCOME_STOP,   /* the run has been stopped */
};
/* The branch of `one of` that is taken, drawn by its chances from the instance's stream. */
bool branch_draw(struct executor *executor, const struct stmt *stmt, uint32_t instance, const double *chances,
                 uint32_t *taken);

/* ---- first_of.c ---- */
/* The process forks its heads, each with a frame that executes the head, and waits for the first. */
void heads_start(struct executor *executor, struct process *process, struct frame *frame, const struct stmt *stmt);
/* The run ends while the process waits for the first of its heads: what these have waited counts for it. */
void heads_stop(struct executor *executor, struct process *process);
/* The head's frame, on top of its process, has come to its end in order. */
void head_finish(struct executor *executor, struct process *process);
/* What a process waited for has been given to it in order: where nothing is left to do for the head that it is, that is
 * done now. `inside`: the statement that waited is not executed to its end yet. */
void head_given(struct executor *executor, struct process *process, bool inside);
/* The same of those that have become ready, the first of them at that place, by what is not to be disturbed. */
void heads_given(struct executor *executor, uint32_t first);
/* It holds, or waits, until then, and is taken in order. */
void process_pause(struct executor *executor, struct process *process, enum process_state state, enum event_kind kind,
                   double until);
/* That time has come, or the process is cancelled at it: what it has held or waited counts. */
void process_paused(struct executor *executor, struct process *process, double time);
/* It ends at the time that it is now, wherever it is: what it waits for does not get it, its servers are given back.
 * `by`: whose turn it is. */
void process_cancel(struct executor *executor, struct process *process, struct process *by);
/* The run ends at that time: what it does in the middle of something counts till then. */
void process_stop(struct executor *executor, struct process *process, double time);
/* All that are cancelled at that moment have been: who stood behind them in an evaluator's line may be served. */
void cancels_done(struct executor *executor);

/* ---- rows.c: of the report ---- */
/* The process, just made, counts in its instance's row; as a fork: in that of its forks. */
void process_counts(struct executor *executor, struct process *process);
void process_forked(struct executor *executor, struct process *process);
/* So much of a part of waits it has, which is counted. */
double *process_waits_make(struct executor *executor, enum activity part);
void process_waits_grow(struct executor *executor); /* for all processes that there is a place for */
static inline double *process_wait_part(struct executor *executor, const struct process *process, enum activity part) {
  double *waits = executor->waits[part - ACTIVITIES];
  return (waits ? waits : process_waits_make(executor, part)) + process->id;
}
/* It is cancelled now, and its join, if it has one, goes first: nobody waits for it. */
void process_orphaned(struct executor *executor, struct process *process);
void process_row_end(struct executor *executor, const struct process *process);
/* What the process, which has ended, has spent is its row's: before its memory is used again, or at the end. */
void process_settle(struct executor *executor, struct process *process);
/* At the end of a run: the rows of all; those of forks become rows of the report, or no rows. */
void rows_end(struct executor *executor);
/* A row of a partition, as bytes; gives what stands behind it. */
void row_put(struct text *out, const struct process_rows *rows, uint32_t place);
const char *row_take(struct executor *executor, const char *from);
/* All rows become those of the result. */
void rows_result(struct executor *executor, struct run_result *result);

/* ---- request.c ---- */
/* Evaluates where, arguments, delay and targets of a request. `locals`: the label's parameters or the
 * accept's locals. *out is NULL where the request does not exist for this instance or has no target under
 * `optional`. */
enum outcome request_evaluate(struct executor *executor, struct process *process, struct frame *frame,
                              struct model_request *request, struct value *locals, struct pending **out);
/* Which requests are made in order: executor->ordered. */
void requests_prepare(struct executor *executor);
/* Can there never be a process beside the one that runs and those that wait for it? Then nobody else sees what it
 * does, in whatever order. */
bool requests_alone(struct executor *executor);
/* Puts a frame of the accept, or of the adapter's block, on the process. */
enum outcome request_enter(struct executor *executor, struct process *process, struct requester who, uint32_t instance,
                           struct model_accept *accept, struct adapter *adapter, const struct value *arguments,
                           struct span span);
enum outcome request_perform(struct executor *executor, struct process *process, struct requester who,
                             struct pending *pending);
/* The parts of request_evaluate for compiled code: the targets; the delay, tested. */
enum outcome request_targets(struct executor *executor, struct process *process, struct environment *environment,
                             struct model_request *request, uint32_t requester, struct pending **out);
bool pending_delay(struct executor *executor, struct pending *pending, double seconds);
/* How often a request with `visits` is made now: its whole part, and once more with the probability of its
 * fraction, drawn from the stream of the instance (INSTANCE_NONE: under analysis, where nothing is drawn). False after
 * a stop. */
bool visits_count(struct executor *executor, const struct model_request *request, uint32_t instance, double visits,
                  int64_t *count);
struct requester frame_requester(const struct frame *frame);
void pending_free(struct executor *executor, struct pending *pending);
/* A call in a coercion block: the accept of the component in hand that takes this transaction. */
enum outcome block_call(struct executor *executor, struct process *process, struct frame *frame,
                        const struct stmt *stmt);
/* What becomes of a requester's value at the target; it lives in the scratch arena. The span is where it comes from.
 * False after a stop. */
bool conversion_apply(struct executor *executor, struct requester who, const struct conversion *conversion,
                      struct target target, struct span span, struct value value, struct value *out);
/* What an interaction of a conversation carries: is it in its range, as the one side sends it? */
bool carried_given(struct executor *executor, const struct psl_carried *carried, struct value value);
/* As the other side takes it. */
bool carried_apply(struct executor *executor, const struct psl_carried *carried, struct value *value);
/* The same of all arguments of those expressions, by parameter of what the target takes (params NULL: as they are),
 * each of which has to be in its range. */
bool arguments_apply(struct executor *executor, struct requester who, const struct conversion *params,
                     const struct model_transaction *transaction, struct target target, struct expr *const *given,
                     const struct value *arguments, const struct value **out);
bool argument_allowed(struct executor *executor, struct model_parameter *parameter, struct span span,
                      struct value value);
/* caller.A and target.A */
bool executor_attribute(struct environment *environment, const struct symbol *attribute, struct span span,
                        struct value *out, bool *lacks);

/* ---- dataflow.c ---- */
/* Does a token of all parameters start a process at once, which may run ahead? */
bool token_starts(const struct executor *executor, const struct model_accept *accept);
/* Does such a process do nothing but hold, record, send and tell evaluators, without a loop? Then it has no turn of its
 * own, and does all at once in that of who has sent the token. */
bool token_passes(struct executor *executor, struct model_accept *accept);
/* Makes the process, with the arguments, */
struct process *token_begin(struct executor *executor, struct requester who, struct model_accept *accept,
                            uint32_t instance, const struct value *arguments, double time);
/* or of a program that has been tried, whose registers are the caller's to set. */
struct process *token_start(struct executor *executor, uint32_t sender, struct model_accept *requester,
                            struct body *body, uint32_t instance, double time);
/* It stands in the event queue for its turn; or false: it does not wait for that, and is to be run by token_run. */
bool token_queued(struct executor *executor, struct process *child, struct model_accept *accept);
void token_run(struct executor *executor, struct process *child);
void token_send(struct executor *executor, struct requester who, const struct model_request *request,
                struct target target, const struct value *arguments, double time);
/* Takes the first of a queue, or of an edge, out of it: the one that is first then; NULL: none is left. */
struct token *token_after(struct token *first);
/* The event of its tokens; only the last one that was scheduled counts. */
void inbox_due(struct executor *executor, struct inbox *inbox, uint32_t generation, double now);
void inbox_try(struct executor *executor, struct inbox *inbox, double time);
/* Are all tokens of a firing there? Then *ready is the latest of them. */
bool inbox_ready(struct executor *executor, const struct inbox *inbox, struct moment *ready);
/* A firing of the tokens, which are all there, and then the next one. */
void inbox_fire(struct executor *executor, struct inbox *inbox, double time);
void inbox_end(struct executor *executor, struct inbox *inbox); /* of a run whose end is known: counts who waits */

/* ---- one_by_one.c ---- */
bool asks_one_by_one(struct executor *executor, struct model_accept *accept);       /* does it, only to ask others? */
void one_by_one_result(const struct executor *executor, struct run_result *result); /* where they waited most */
void one_by_one_note(const struct model *model, const struct run_one_by_one *found);

/* ---- unread_attribute.c ---- */
void unread_attributes_note(const struct model *model, const struct run_result *result);

/* ---- firing_rule.c: who waits for one ---- */
void rules_await_call(struct executor *executor, struct process *process); /* its frame on top */
void rules_await_tokens(struct executor *executor, struct inbox *inbox, double time);
void rules_again(struct executor *executor, uint32_t instance, double time); /* state has changed */
/* The var has another value now: rules of other instances that read it are tested once more. */
void rules_var(struct executor *executor, uint32_t instance, const struct symbol *var, double time);
void rules_open(struct executor *executor);                                      /* who reads which var */
void rules_test(struct executor *executor, struct rule_line *line, double time); /* the event */
void rules_leave(struct executor *executor, struct process *process);            /* a call is cancelled */

/* ---- facility.c ---- */
struct facility *facility_make(struct executor *executor, struct model_accept *accept, uint32_t instance);
/* The servers of the accept at the instance, made when first met; where it says none the instance's clock. */
static inline struct facility *facility_of(struct executor *executor, struct model_accept *accept, uint32_t instance) {
  struct facility **row = executor->facilities[accept->id];
  struct facility *there = row ? row[instance - executor->graph->instances[accept->component->id].first] : NULL;
  return there ? there : facility_make(executor, accept, instance);
}
struct facility *clock_of(struct executor *executor, uint32_t instance);
/* What is known of a call: the argument for the accept's parameter at that place (-1: it has none) where the request
 * has not left it out, else the caller's attribute, else the parameter's default. False: nothing is. */
bool call_known(struct executor *executor, struct frame *frame, int32_t param, bool left_out, enum known attribute,
                struct value *out);
/* The priority of a call, 0 where none is known of it or the discipline does not ask for it. */
double facility_priority(struct executor *executor, const struct facility *facility, struct frame *frame);
static inline bool facility_shares(const struct facility *facility) { return facility->shares; }
static inline bool facility_free(const struct facility *facility) {
  return facility->unlimited || facility->shares || facility->busy < facility->servers;
}
/* A free server, now: taken. */
static inline bool facility_take(struct facility *facility) {
  if (!facility_free(facility) || (facility->waiting && !facility->shares)) return false;
  facility->busy++;
  return true;
}
/* Where `any` chooses among the accept's servers a call to it is counted from the request until it begins. */
void call_expected(struct executor *executor, struct frame *frame, struct model_accept *accept, uint32_t instance);
void call_unexpected(struct executor *executor, struct frame *frame, struct model_accept *accept, uint32_t instance);
void facility_wait(struct executor *executor, struct facility *facility, struct process *process, double priority,
                   bool in_line);
void facility_leave(struct executor *executor, struct process *process); /* it waits there no more */
/* Later, at that time. */
void facility_release(struct executor *executor, struct process *process, struct facility *facility, double time);
void facility_released(struct executor *executor, struct facility *facility, double time,
                       uint32_t cause);                /* the event */
bool accept_shares(const struct model_accept *accept); /* those of its servers */

/* ---- service.c: holds that a facility serves together ---- */
/* The frame on top holds: its process stands in order and waits for the end of it. */
void service_hold(struct executor *executor, struct facility *facility, struct process *process, double seconds);
/* The event; `last`: behind all else of that time. */
void service_happen(struct executor *executor, struct process *process, double time, bool last);
void service_leave(struct executor *executor, struct process *process, double time); /* what it holds is cancelled */

/* ---- evaluator_call.c ---- */
/* The function that process->wait names. */
enum outcome evaluator_invoke(struct executor *executor, struct process *process, struct frame *frame,
                              const union psl_argument *arguments, struct value *result);
uint32_t evaluator_open(struct executor *executor,
                        const struct psl_evaluator *evaluator); /* its place in executor->evaluators */
/* What follows the answer of an evaluator's function: calls it again, waits, or stops the run. */
enum outcome evaluator_settle(struct executor *executor, struct process *process, struct frame *frame,
                              enum psl_status status, void *state, const union psl_argument *arguments,
                              struct value *result);
/* Is the result one that the function may give? Else the run is stopped. */
bool result_refused(struct executor *executor, struct process *process, const struct wait *wait,
                    union psl_argument result); /* false where it is of a type that has numbers that are not finite */
static inline bool evaluator_result(struct executor *executor, struct process *process, const struct wait *wait,
                                    union psl_argument result) {
  return fabs(result.real) <= DBL_MAX || result_refused(executor, process, wait, result);
}
/* Stops the run with the evaluator's words, at the program's call. */
void evaluator_failed(struct executor *executor, struct process *process, const struct wait *wait);
void evaluators_open(struct executor *executor);
void evaluators_close(struct executor *executor); /* and what they have had of memory */

/* ---- condition.c: what a request wants of an item ---- */
/* A request's argument that is a condition, with what it depends on, as a value; false after a diagnostic. */
bool condition_value(struct executor *executor, struct environment *environment, struct model_request *request,
                     uint32_t param, uint32_t instance, struct value *out);
bool condition_holds(struct executor *executor, struct value condition, struct value item);
bool condition_wants(struct value condition, struct psl_wanted *wanted);
/* Values in the hands of evaluators. */
static inline struct psl_value value_given(struct value value) {
  _Static_assert(sizeof(struct value) == sizeof(struct psl_value), "a value is two words");
  struct psl_value out = {{0}};
  memcpy(&out, &value, sizeof out);
  return out;
}
static inline struct value value_taken(struct psl_value value) {
  struct value out;
  memcpy(&out, &value, sizeof out);
  return out;
}

/* ---- element.c: psl_host.element ---- */
void element_end(struct executor *executor, uint32_t process, const char *kind, const char *name, double begin,
                 double end, double own);

/* ---- compile.c ---- */
/* The program, in `sites`; NULL: the walker takes it. */
struct program *compile(struct executor *executor, struct body *body, struct arena *sites);

/* ---- vm.c ---- */
uint32_t program_frame_size(const struct program *program);
const struct wait *program_wait(const struct frame *frame); /* the call that the frame stands at; NULL: none */
void program_parameter(struct frame *frame, uint32_t param, struct value value);
struct value program_argument(struct frame *frame, uint32_t param); /* what it was given */

/* ---- deferred.c ---- */
/* Counts all that is deferred; before somebody looks at firings or times of components. */
void deferred_counts(struct executor *executor);
/* So often has something fired, but for systems. */
uint64_t firings_of(struct executor *executor);

/* ---- walk.c, vm.c ---- */
/* Run the frame on top until it ends, pushes another, waits, or the run stops. */
void walk(struct executor *executor, struct process *process, struct frame *frame);
void vm_run(struct executor *executor, struct process *process, struct frame *frame);

void assertion_failed(struct executor *executor, struct process *process, uint32_t instance, const struct stmt *stmt);

/* ---- task_graph_walk.c ---- */
/* Has the GRAPH function walk the graph of the components inside the caller's instance, at the clock `start`. Its
 * answer stands in the call in hand, the critical path and the times of processors in the executor. PSL_BLOCKED: the
 * run has stopped. */
enum psl_status task_graph_call(struct executor *executor, struct model_component *outer, uint32_t instance,
                                double start, struct span span, const struct psl_evaluator_function *function,
                                void *state);
bool expr_is_clock(const struct expr *expr);

/* ---- scan.c ---- */
bool block_reads(const struct block *block, uint32_t slot); /* a local of the body */
/* Does the body, or a request of its component, read an attribute of the caller or a target that bodies change? */
bool reads_others(const struct executor *executor, const struct model_component *component, const struct block *block);
bool expr_reads_clock(const struct expr *expr, struct span *where);
bool block_reads_clock(const struct block *block, struct span *where);
bool expr_reads_slot(const struct expr *expr, uint32_t slot);
/* Does the body of an accept that may fire, or of a coercion, call the evaluator's function of that name? */
bool model_calls(const struct executor *executor, const struct psl_evaluator *evaluator, const char *function);
/* Marks the evaluators that the components which have fired make use of. */
void evaluators_used(struct executor *executor);
/* Has the evaluator done in this run what its evidence says? */
bool evaluator_evident(struct executor *executor, const struct psl_evaluator *evaluator);
/* Of what evidence the evaluators are that the component makes use of, a bit each; but for those that it asks. */
unsigned component_evidence(struct executor *executor, uint32_t component);
#endif
