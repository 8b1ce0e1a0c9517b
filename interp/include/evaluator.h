/* What an evaluator is: one constant struct. All quantities are in SI base units (seconds, bytes).
 *
 * Functions are typed by a signature in PSL's own words, read once when a model uses the evaluator:
 * "(message : data) -> time". Arguments arrive in that order, defaults filled in.
 *
 * PURE functions depend on their arguments alone (and on the params named in `assumes`); they are used in
 * expressions. CALL functions are used as `call E.f(…)`: they have the evaluator's state of this run and the
 * caller's clock, may advance the clock, and may block. They are called in an order that the host chooses,
 * not in the order of virtual time; one that depends on what others have done by its clock answers PSL_LATER
 * until `ordered` says that all that happens before has happened. GRAPH functions walk the resolved dependence
 * graph inside the component that calls them. NETWORK functions are not called by models: an evaluator NAME
 * that has one solves the queueing network of a system whose customers have the evaluation mode
 * analysis[NAME]. */
#ifndef PSL_EVALUATOR_H
#define PSL_EVALUATOR_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PSL_EVALUATOR_VERSION 28
#define PSL_QUICK_ARGUMENTS 2
#define PSL_PAIR_ARGUMENTS 2

/* Things of one size that stand in a row, with the numbers from 0 on: see psl_member. */
struct psl_items {
  const void *first;
  uint64_t count, size;
};

/* A number that stands in each of the evaluator's items, whose state begins with its psl_items. */
struct psl_member {
  enum { PSL_BOOL, PSL_INT32, PSL_UINT32, PSL_INT64, PSL_DOUBLE } kind;
  uint32_t at; /* byte of the item */
};

/* A value of any type of PSL: the host's, for whom alone it is more than so many bytes. One that is an argument is
 * there till the end of the call; what an evaluator wants longer it keeps. */
struct psl_value {
  uint64_t part[2];
};

union psl_argument {
  int64_t integer; /* int, bool */
  double real;     /* real and quantities */
  struct {
    uint32_t head, qualifier;
  } term;
  const char *string;
  struct
  { /* of PURE and EVENT functions, and a result of CALL and EVENT functions that is no list of int: int, real and
            * quantities, all as reals; gone after the call */
    const double *items;
    uint32_t count;
  } list;
  struct psl_value value; /* of CALL functions, where the signature says `value` */
  struct {                /* a result of CALL functions: a list of int; the host takes it over at once */
    const int64_t *items;
    uint32_t count;
  } integers;
};

enum psl_status {
  PSL_DONE,    /* result and clock are set */
  PSL_BLOCKED, /* the process waits; host->resume wakes it, host->retry calls again */
  PSL_LATER,   /* call again, ordered, when no event before `clock` can come any more */
  PSL_NEXT, /* the same, of what the process itself does next, before what is PSL_ARRIVES or PSL_LATER at that clock */
  PSL_ARRIVES, /* the same, of what comes from elsewhere, before what is PSL_LATER at that clock: see psl_arrival */
  PSL_FAILED,  /* `error` says why (the host puts the name before it); the run ends with it at the program's call */
};

/* Whose work the calls of a process as one rank are, while the firing lasts whose work it is: the outermost one on the
 * stack of the process that has the attribute `rank` with that number and is no service of domain runtime or hardware;
 * the process's first one where none has. An evaluator keeps one for a rank, zeroed at first. */
struct psl_stay {
  union {
    struct psl_stay *next; /* while it lasts: the host's */
    double end;            /* then, s */
  };
  uint32_t process : 31, lasts : 1; /* while it lasts; then the host's */
  uint32_t place;                   /* the host's: the call at which it began; 0: none has */
};
enum psl_staying {
  PSL_STAY_BEGUN,  /* it is that of the process in hand */
  PSL_STAY_HELPER, /* the process works for one of that rank that has started it: nothing has changed */
  PSL_STAY_EARLY,  /* call again, ordered: others may come before */
  PSL_STAY_TAKEN   /* another one lasts beyond the clock of the call */
};

/* What a condition wants at least: that a field of the item, or the item itself, equals a value. */
struct psl_wanted {
  uint32_t field; /* UINT32_MAX: the item itself */
  uint64_t hash;  /* of the value: that of all equal ones */
};

/* For what a process has waited until its partner was there: see psl_host.waited. */
enum psl_partner {
  PSL_LATE_SENDER,   /* for a message that nobody had begun to send */
  PSL_LATE_RECEIVER, /* for a receive that nobody had posted, by a sender that has to know of it */
  PSL_COLLECTIVE,    /* for a rank that had not come to a collective operation */
  PSL_WAIT_TO_GET,   /* for something that nobody had put: it was starved */
  PSL_WAIT_TO_PUT,   /* for room, or for who takes what it has put: it was blocked */
  PSL_BUSY,          /* for nothing: it was busy for a part of it */
  PSL_NOT_THERE      /* for nothing: it was started before it is there, and is counted from the end on */
};

/* What arrives at the clock of a PSL_ARRIVES, where others may at the same time: first what was sent first, then by
 * where it comes from, then by its number there. In a run in partitions the process, which has been started by a token,
 * goes on in that one, where psl_partitioned.moved is told of it. */
struct psl_arrival {
  double sent;     /* s */
  uint32_t from;   /* below 2^26 */
  uint32_t note;   /* the evaluator's */
  uint64_t number; /* below 2^35 */
  uint32_t partition;
};

/* Which arguments of a function are a place that has a partition (psl_host.home), and a rank there. */
struct psl_placing {
  uint32_t place, rank;
};

/* Of all that an answer depends on. */
struct psl_key {
  uint64_t part[2];
};

struct psl_host;
struct psl_evaluator;
struct psl_level; /* one that is drawn over time: the host's */
struct psl_call {
  struct psl_host *host;
  uint32_t process; /* who calls: what resume and retry take */
  bool ordered;     /* everything before `clock` has happened */
  double clock;     /* in: the caller's; out: its clock when the call is done */
  const union psl_argument *arguments;
  union psl_argument result;
  char error[200];
  void *memory;      /* what the last PSL_LATER or PSL_BLOCKED of this call left (starts NULL) */
  uint32_t instance; /* the component instance whose body calls */
  double queued;     /* s: how long the process, and those whose tokens led to it, have stood in line (for a server, a
                      * rule, others that a server serves) or waited in evaluators that did not divide it, so far: what
                      * lies between two calls is by how much what happened between them was late */
  bool paired;       /* of a pair, with nothing between its calls: if the first waits, host->resume_pair may answer */
  struct psl_arrival arrival; /* of a PSL_ARRIVES */
};

/* For a function that fails: call->error becomes the text, as printf has it. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static inline enum psl_status
psl_failed(struct psl_call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  return PSL_FAILED;
}

struct psl_message {             /* from one owner of processes to another */
  uint32_t from, to;             /* instances */
  double sent, posted, received; /* clocks, s: its send began, its receive did, and that has it */
  double bytes;
  int32_t tag;
  bool inside; /* a collective operation is made of it: no call of the program's own sends or receives it */
};

struct psl_carried {        /* by an interaction of a conversation, as one side sends it */
  uint32_t request, accept; /* their numbers */
  uint32_t from, to;        /* instances: who requests, who accepts */
  uint32_t step, as;        /* of the sender's sequence, and what stands for it in the taker's */
  bool back;                /* from who accepts */
};

/* What the host does for an evaluator. */
struct psl_host {
  void (*resume)(struct psl_host *, uint32_t process, double clock, union psl_argument result);
  /* The same of a process that waits in a pair whose call was `paired`: the second call has been made, too, at that
   * clock, and this is its result. */
  void (*resume_pair)(struct psl_host *, uint32_t process, double clock, union psl_argument result);
  void (*retry)(struct psl_host *, uint32_t process,
                double clock); /* PSL_LATER's promise, for a blocked process (or a call about
                                * to answer PSL_BLOCKED); the last one counts */
  /* The process, which waits, will probably be resumed soon: what is looked at then is fetched into the caches. Has no
   * effect else. */
  void (*soon)(struct psl_host *, uint32_t process);
  double (*clock)(struct psl_host *, uint32_t process); /* of a process that waits: when it began to, s */
  void *(*allocate)(struct psl_host *, size_t size);    /* zeroed, freed after the run; never NULL */
  /* The model leaves an assumption: a warning at the call in hand, in `statistics` at the system, once for each call of
   * the source and text. */
  void (*warn)(struct psl_host *, const char *text);
  /* For what the wait was that ends by the next host->resume of the process, by the PSL_DONE of its call in hand, or by
   * the cancel in hand. One for a message is divided in this order: until the clock `partner` at which the partner came
   * it was for that one; what is left is transfer, but for its last `queued` seconds, which are contention. What goes
   * beyond it is cut; less than 0: nothing is waited, and so much of what was contention before is transfer. One to
   * get or to put is that as a whole. PSL_BUSY: for its first `queued` seconds, and from the clock `partner` on, the
   * process did something, as in a hold; what lies between is waiting. PSL_NOT_THERE: none of it counts. */
  void (*waited)(struct psl_host *, uint32_t process, enum psl_partner, double partner, double queued);
  /* A message has been received, for traces; NULL: nobody wants to know. */
  void (*message)(struct psl_host *, const struct psl_message *);
  /* Something of an instance, in the name's words, whose amount changes over time, for plots: where `level` is given a
   * handle of it, the value holds from that clock on. The name must stay. Clocks in s, in order. NULL: nobody wants to
   * know, or there are too many. */
  struct psl_level *(*level_open)(struct psl_host *, uint32_t instance, const char *name);
  void (*level)(struct psl_level *, double clock, double value);
  /* The instance whose clock a process has that calls or waits. It may be asked for at no other time: the numbers of
   * processes that have ended are given again. */
  uint32_t (*owner)(struct psl_host *, uint32_t process);
  /* A named stretch of a process's time has ended, of which `own` was in no other one inside it. For reports
   * and traces. Clocks in s. */
  void (*element)(struct psl_host *, uint32_t process, const char *kind, const char *name, double begin, double end,
                  double own);
  /* Values. What is kept is there until it is dropped; the one that a call drops last may still be its result. */
  struct psl_value (*keep)(struct psl_host *, struct psl_value);
  void (*drop)(struct psl_host *, struct psl_value);
  /* A record of values, which are kept by it: a result. */
  struct psl_value (*record)(struct psl_host *, const struct psl_value *fields, uint32_t count);
  struct psl_value (*whole)(struct psl_host *, int64_t number);
  /* The term that the text is, with no qualifier, for the result of a call. */
  union psl_argument (*term)(struct psl_host *, const char *text);
  /* A value that is a condition, or a bool: does it hold of an item? After an error in it, with which the run ends,
   * not. */
  bool (*holds)(struct psl_host *, struct psl_value condition, struct psl_value item);
  /* Does it want one field of an item to be equal to something? No item with another hash of that field will do. */
  bool (*wants)(struct psl_host *, struct psl_value condition, struct psl_wanted *);
  uint64_t (*hash)(struct psl_host *, struct psl_value item, uint32_t field);
  size_t room;                            /* bytes that `allocate` can still give: who needs much looks first */
  bool (*interrupted)(struct psl_host *); /* the user wants an end; asked now and then, NULL: nobody can */
  /* A component instance as reports write it, `buffer[2]`; lives until the run has ended. */
  const char *(*name)(struct psl_host *, uint32_t instance);
  uint32_t instances;               /* of components, in the model: mostly no fewer than what they are, as ranks */
  double begin, until;              /* s: statistics count from the end of the model's warm-up on, before that time */
  double (*end)(struct psl_host *); /* the greatest clock so far, s: for statistics */
  /* Answers that take long, and are kept for other runs: by what they depend on, which is a text (the evaluator, its
   * revision, all arguments, the key of what came before) and what stands in a file, NULL: none. False: it cannot be
   * read, and the answer is not kept. */
  bool (*key)(struct psl_host *, const char *text, const char *file, struct psl_key *);
  bool (*recall)(struct psl_host *, struct psl_key, double *answer);    /* false: it is not known */
  double (*remember)(struct psl_host *, struct psl_key, double answer); /* gives what others may have kept before */
  /* All figures of the report begin anew at that clock, of a call in order; the run is made again, with that for its
   * warm-up. */
  void (*restart)(struct psl_host *, double clock);
  /* The process of the call in hand acts as `rank`, whose stay this is. Not needed where that lasts and is its own.
   * *other, where it is taken: whose it is, an instance. */
  enum psl_staying (*stay)(struct psl_host *, int64_t rank, struct psl_stay *, uint32_t *other);
  /* What a call has done, as a program that it has started, is done once: a run that a limit ends is not made again. */
  void (*once)(struct psl_host *);
  /* For statistics: the run has ended, or is in a deadlock, and neither an error nor a limit has stopped it. What has
   * not happened never will. */
  bool (*complete)(struct psl_host *);
  /* May the model call that function of the evaluator, whatever happens in the run? */
  bool (*calls)(struct psl_host *, const struct psl_evaluator *, const char *function);
  /* A function of a C library, as it stands in the library's file now, which is loaded once while it stays the same,
   * and until psl ends; `content`: a key of the file. False: it cannot be had, and `error` says why. */
  bool (*code)(struct psl_host *, const char *library, const char *function, void (**code)(void),
               struct psl_key *content, char error[200]);
  /* The evaluator is in that function of C from now on, NULL: no more. Where it crashes or ends the program, that is
   * said of it. */
  void (*inside)(struct psl_host *, const char *function);
  /* The partition that this state is of; NULL: the run is made in one. */
  const struct psl_partition *partition;
  /* Sends at most PSL_PARTITION_ITEM bytes to the state of the evaluator in another partition, which gets them by
   * psl_partitioned.come, in the order in which this one sends them. */
  void (*send)(struct psl_host *, const struct psl_evaluator *, uint32_t partition, const void *item, size_t size);
  /* The run cannot be made in partitions, for that reason ("ranks share the interfaces of nodes"): it begins anew, in
   * one. The call in hand is not looked at any more. */
  void (*give_up)(struct psl_host *, const char *why);
  /* The partition that a place with that number, below 2^26, belongs to: the one that is said first, for all. */
  uint32_t (*home)(struct psl_host *, uint32_t number, uint32_t partition);
  /* The firing of this process, which has done nothing but to call this evaluator, does not count. */
  void (*undo)(struct psl_host *, uint32_t process);
  /* For records of what is caused by what; NULL: nobody wants to know. The number of the call in hand: who makes it,
   * and when. It stays. */
  uint32_t (*moment)(struct psl_host *);
  /* The wait that ends next by host->resume of the process, or by the PSL_DONE of its call in hand, ends for what was
   * done in the call of that number. Where nothing is said it is the call in hand that ends the waits of others. */
  void (*because)(struct psl_host *, uint32_t process, uint32_t moment);
  /* The call in hand is about to answer PSL_FAILED, and this place of the model has to do with it, too: what it is, and
   * where it begins and ends, as the evaluator was given it. */
  void (*beside)(struct psl_host *, const uint32_t place[2], const char *what);
  /* Of a conversation between the request of that number and the accept: for each step of the one's sequence, `back`:
   * of the other one's, the step that it is on the other side. NULL: nothing is coerced, and the sequences themselves
   * say it. */
  const uint16_t *(*steps)(struct psl_host *, uint32_t request, uint32_t accept, bool back);
  /* Is what the sender gives in its range? Neither `as` nor who takes it need be known. False: the run ends; answer
   * PSL_FAILED. */
  bool (*given)(struct psl_host *, const struct psl_carried *, struct psl_value message);
  /* What a step of the request's sequence carries, `back`: of the accept's, by the coercions between the two instances,
   * in the range that the taker's has. False: that fails, and the run ends; answer PSL_FAILED. */
  bool (*coerce)(struct psl_host *, const struct psl_carried *, struct psl_value *message);
};

/* One of several partitions of a run: ranks that are simulated apart from the others, by a state of the evaluator of
 * their own. With a lookahead what is done in one is in the order of virtual time, as far as functions are `local`, and
 * what one does is felt in others that much later at the earliest; without, nothing is made in that order. */
struct psl_partition {
  uint32_t number, count;
  uint32_t rank_count;    /* ranks below are known: */
  const uint8_t *of_rank; /* the partition; PSL_NO_PARTITION: no process of that `rank` begins with the run */
  double lookahead;       /* s; 0: there is none */
};
#define PSL_NO_PARTITION 255
#define PSL_PARTITION_ITEM 240 /* bytes */

struct psl_evaluator_function;
/* What an evaluator does in partitions. */
struct psl_partitioned {
  /* Is a call of the function sure to ask what others have done before, with those of its arguments that are known
   * before the run, as whole numbers? Then the run is made in one partition from its beginning. NULL: none is. */
  bool (*ordered)(const struct psl_evaluator_function *function, const bool *known, const int64_t *arguments);
  /* Something comes that another partition has sent. */
  void (*come)(void *state, const void *item, size_t size);
  /* When all has ended: what the others have to know before figures are made, of PSL_PARTITION_ITEM bytes at most; and
   * what one of these has offered. */
  size_t (*offer)(void *state, void *out);
  void (*agree)(void *state, const void *offered, size_t size);
  /* What has come of this partition, likewise; and the state that figures are asked of takes that of each. */
  size_t (*tell)(void *state, void *out);
  void (*join)(void *state, const void *told, size_t size);
  /* The process has come from another partition, in a call that was PSL_ARRIVES there. NULL: none is. */
  void (*moved)(void *state, uint32_t process, const struct psl_arrival *);
};

/* Does what happens at that clock count in statistics? */
#define PSL_COUNTS(host, clock) ((clock) >= (host)->begin && (clock) < (host)->until)

/* The resolved graph of the straight-line tasks inside the component that calls: what GRAPH functions get. They choose
 * the order in which tasks run; a task's duration and edges are known when it does, and are not kept. So nothing has to
 * stand in memory but the tasks that wait, each at a place: a small number that is another task's when it has run. */
struct psl_task_edge { /* to a task, from the one that has run */
  uint32_t place;      /* of the head */
  double delay;        /* s from the end of the tail; of a source 0 */
  bool last;           /* no other edge leads to the head: it can run; only then these are set: */
  uint32_t task;       /* its number: 0 .. task_count - 1 */
  uint32_t processor;  /* that runs it: 0 .. task_count */
  double release;      /* not before, s */
};
struct psl_task_graph {
  uint32_t task_count;
  /* The next task to which no edge leads, in the order of their numbers, as if by a last edge. False: there is none. */
  bool (*source)(struct psl_task_graph *, struct psl_task_edge *);
  /* Runs the task at the place, whose last edge has come and which starts at `start`: for how long, s, and its edges,
   * which are there until the next call. False: it cannot run, and the run stops; answer PSL_FAILED. */
  bool (*run)(struct psl_task_graph *, uint32_t place, double start, double *duration,
              const struct psl_task_edge **edges, uint32_t *edge_count);
};
struct psl_graph_result {
  double makespan;
  uint32_t *critical; /* tasks of the critical path, in order; from host->allocate */
  uint32_t critical_count;
};

/* A queueing network, as it stands in a model: what NETWORK functions get. An array "by station and class" has
 * station * class_count + class. A class is closed, with a population, or open, with arrivals from outside; a
 * cycle of a customer is the way from its think time to its think time, or from its arrival to its end. */
enum psl_discipline {
  PSL_FCFS,
  PSL_ROUND_ROBIN,
  PSL_PROCESSOR_SHARING,
  PSL_PRIORITY,
  PSL_LCFS_PREEMPTIVE,
  PSL_PRIORITY_PREEMPTIVE,
  PSL_PRIORITY_PREEMPTIVE_RESTART /* who is interrupted begins anew */
};
struct psl_station {
  const char *name; /* disk[0] */
  double servers;   /* infinity: a delay, nobody waits */
  enum psl_discipline discipline;
  const double *rates; /* load-dependent: how much is done a second with 1, 2, … customers, 1 being one server's;
                          NULL: by `servers` */
  uint32_t rate_count; /* with more customers the last one holds */
};
struct psl_customers {
  const char *name; /* customer[c=0] */
  bool open;
  uint64_t population; /* closed */
  double think;        /* closed: s away from the stations, a cycle */
  double rate;         /* open: arrivals a second */
  double arrival_scv;  /* open: of the time between arrivals, variance over mean^2 */
  bool poisson;        /* open: that time is exponential */
  const uint32_t *way; /* the stations of a cycle in order, where each cycle visits these, once each; NULL: else */
  uint32_t way_length;
};
struct psl_service { /* of one visit */
  double scv;        /* of its time, variance over mean^2; 0 where it takes none */
  bool exponential;
  double priority; /* the greater one first */
};
struct psl_network {
  uint32_t station_count, class_count;
  const struct psl_station *stations;
  const struct psl_customers *classes;
  const double *visits;              /* by station and class: mean number a cycle */
  const double *demand;              /* by station and class: s of one server, a cycle */
  const struct psl_service *service; /* by station and class */
  const double *parts;               /* of 0 .. 1: whose percentiles of responses are wanted */
  uint32_t part_count;
};
struct psl_interval {
  double low, high;
};
struct psl_network_result { /* arrays are the host's, zeroed */
  double *throughput;       /* by class: cycles a second */
  double *response;         /* by station and class: s a cycle there, waiting and served */
  double *queue;            /* by station and class: mean number there, waiting and served */
  double *utilisation;      /* by station and class: part of the servers that is busy; of a station with rates
                                  the work a second over the greatest rate; of a delay the work a second */
  struct psl_interval *throughput_bounds, *response_bounds; /* by class, of all stations together; where `bounded`: */
  bool bounded;                                             /* these are what is known, and the rest is not set */
  double *visit_percentiles; /* by station and part, station * part_count + part: of visits, all classes together, s;
                                NaN (set before): not known */
  double *cycle_percentiles; /* by class and part, likewise: of cycles */
  uint32_t iterations;       /* of an iterative method, else 0 */
  double residual;           /* of the last iteration: the greatest change of a queue length, customers */
  char approximation[300];   /* what is approximated and how; "": the result is exact */
  uint32_t station;          /* PSL_FAILED for what a station is: which; UINT32_MAX (set before): none */
  char advice[300];          /* PSL_FAILED: who can take the network; "": nothing to say */
};

/* An argument that is an int, a bool, a real or a quantity. */
union psl_number {
  int64_t integer;
  double real;
};

/* Two calls on one thing that mostly follow each other with nothing between them but holds and firings: the first
 * answers it, of a function that is PSL_CALL, and it is the one argument of the second, of PSL_EVENT. Of the first's
 * arguments those behind PSL_PAIR_ARGUMENTS are mostly the same each time that a statement makes the call. */
struct psl_call_pair {
  const char *second;
  const char *unless; /* a PURE function of what the first answers: false where `call` makes both; NULL: none */
  /* What those arguments come to, into `size` bytes; where they are constants, once for a statement and a run. Not all
   * of `arguments` need be set before them. False: with these each is to be called by itself. NULL: nothing is made of
   * them. */
  bool (*prepare)(void *state, const union psl_argument *arguments, void *prepared);
  size_t size;
  /* Does both: the first at call->clock, with its arguments, of which these are the first, where it has so many, and
   * call->arguments, memory and instance are not set; and the second at the clock `later`, or if that is the same at
   * the clock that the first has moved on to. PSL_DONE: the result is the second's; where that is a bool, it is
   * false. PSL_BLOCKED: the first waits, as if it had been called by itself, and so will be the second, unless
   * resume_pair answers. PSL_LATER: nothing has been done, not even an error told, and each is to be called by
   * itself. */
  enum psl_status (*call)(void *state, const void *prepared, struct psl_call *call, union psl_number first,
                          union psl_number second, double later);
};

/* A function of two arguments, the first an int, that answers the second and does nothing else where the first is from
 * `least` to `most`. */
struct psl_passing {
  int64_t least, most;
};

struct psl_evaluator_function {
  const char *name, *signature, *doc; /* doc: what it computes, units, errors, source of the equation */
  enum {
    PSL_PURE,
    PSL_CALL,
    PSL_EVENT,
    PSL_GRAPH,
    PSL_NETWORK
  } kind; /* EVENT: a CALL that never waits and does not look at `process` */
  /* PURE: false and error on a bad argument */
  bool (*pure)(const union psl_argument *arguments, union psl_argument *result, char error[200]);
  enum psl_status (*call)(void *state, struct psl_call *call);
  /* EVENT, of at most PSL_QUICK_ARGUMENTS, none a `value`: the same with less ado, for what looks at its arguments and
   * the state alone and leaves the clock. False, or a real result that is not finite: `call` is to be made, too. NULL:
   * it always is. */
  bool (*quick)(void *state, const union psl_argument *arguments, union psl_argument *result);
  /* EVENT of one argument, an int: it answers what stands there in the item of that number, where there is one, and
   * does nothing else; NULL: it may do more. Who has this has no `quick`. */
  const struct psl_member *member;
  /* EVENT, of two arguments, neither a `value`, whose type is that of the second: where the host need not call it,
   * since the answer is that argument. NULL: nowhere. */
  const struct psl_passing *passing;
  /* GRAPH: PSL_DONE or PSL_FAILED, as where tasks are left of which none can run, which is a cycle: the host says so */
  enum psl_status (*graph)(void *state, struct psl_call *call, struct psl_task_graph *graph,
                           struct psl_graph_result *result);
  enum psl_status (*network)(void *state, struct psl_call *call, const struct psl_network *network,
                             struct psl_network_result *result); /* PSL_DONE or PSL_FAILED */
  /* Bit k: parameter k, a string, names a file that is read. The host gives its path, absolute, if the model may read
   * it, and else says at the call that it may not. "" stays what it is. */
  unsigned reads;
  /* Of these bit k: code in the file is run in this process. Without --allow-native the call is an error. */
  unsigned runs;
  /* CALL, of no `value`: with another function as one. The host need not make use of it. NULL: with none. */
  const struct psl_call_pair *pair;
  /* CALL: it may wait, but is never PSL_LATER and asks for no retry, and what it does is the same in whatever order it
   * is made with calls of others. Who calls no other one, and sends nothing that comes in order, needs no turn. */
  bool unordered;
  /* CALL: where it asks for an order, that of what is done in its own partition is enough, if that has a lookahead. */
  bool local;
  /* CALL: ranks of which a call would say the same place are divided into partitions together, as far as their place is
   * known before; NULL: it says none. */
  const struct psl_placing *placing;
  /* CALL: why its order is that of the whole run, for those who ask (psl explain). NULL: nothing is said of that. */
  const char *whole;
  /* PURE: what it gives as an expression of PSL in its parameters, without literals that have a unit, for who derives
   * symbolic expressions (psl derive); arguments that it refuses are of no matter there. NULL: it is no formula. */
  const char *formula;
};

/* Statistics that reports put at their head, whoever counts them. */
#define PSL_MESSAGES "messages"
#define PSL_BYTES "bytes"
/* s: for how long it sends or receives, in a network that leaves interfaces out. Given where that is more than the run
 * took, whose predicted time then is too short. */
#define PSL_INTERFACE "busiest interface left out"
/* s: by how much the messages of a node would go later for its interface, of which studies and comparisons warn; and
 * how: that time, and that of the run. */
#define PSL_WAITS_LEFT_OUT "waits for interfaces left out"
#define PSL_LEAVES_OUT "this network leaves interfaces out"
#define PSL_LEFT_OUT_WARNING                                                                                  \
  "messages of a node would wait %s or more for its network interface, one burst after another, in a run of " \
  "%s: " PSL_LEAVES_OUT "; --set 'network=simulation[NIC]' says how much later the run ends"
struct psl_statistic { /* of a run, for the report */
  const char *name;    /* "messages" */
  const char *unit;    /* of PSL: "byte", "s", "" */
  double value;
  bool whole;
};

/* A kind of figures of `statistics`, for those who name one before there is a run: studies. */
struct psl_evaluator_figure {
  const char *name; /* "mean level of", before the name of an instance; or a whole one, "messages not received" */
  const char *unit; /* as that of its statistics */
  bool whole;
  /* Functions of the evaluator, with a blank between two: an instance that calls one of them has the figure, and its
   * name stands behind, perhaps with " by " and a word behind that. NULL: it is one of the whole run. */
  const char *functions;
};

struct psl_assumption {
  const char *text;   /* what is assumed, for the report */
  const char *except; /* a function that does without it: a run that uses no other one makes no such assumption; NULL */
  bool uncontended;   /* messages do not meet: the report says so beside their number, too */
  const char *unread; /* attributes that then have no effect, "float rate|frequency": who gives one is told; NULL */
  const char *relied; /* an attribute that then makes times: the report names components that leave it to what they are
                       * like; NULL */
};

struct psl_evaluator {
  int version;          /* PSL_EVALUATOR_VERSION */
  const char *name;     /* as models write it: mpi-sim */
  const char *revision; /* part of a result's key: changes when results change */
  const char *doc;
  enum { PSL_ANALYTIC, PSL_SIMULATED, PSL_MEASURED } evidence;
  bool (*evident)(void *state);                   /* has it done in this run what that says? NULL: it always has */
  const struct psl_evaluator_function *functions; /* ended by name NULL */
  const struct psl_assumption *assumptions;       /* ended by text NULL, at most 31; printed in the report */
  bool (*assumes)(void *state, size_t number);    /* this assumption, in this run; NULL: all of them */
  void *(*open)(struct psl_host *host);           /* state of a run; NULL: none needed */
  void (*close)(void *state);
  size_t (*statistics)(void *state, struct psl_statistic *out, size_t capacity);
  /* a process that waits in this evaluator: for what? (for deadlock reports); *other: the
   * process that it waits for, left alone where that is not known. An empty text: it may wait for ever, and
   * that is no deadlock */
  void (*explain_wait)(void *state, uint32_t process, char *out, size_t size, uint32_t *other);
  /* A call that is not done is taken back at `clock`, in order: the process waits no more and is not to be resumed;
   * `memory`: what the call has left. It may come inside of host->resume of another process, and resumes nobody. NULL:
   * calls of PSL_CALL functions cannot be taken back */
  void (*cancel)(void *state, uint32_t process, double clock, void *memory);
  /* All have been taken back that are at that time: those that they stood in the way of are resumed. It may come inside
   * of host->resume, its own too. NULL: who waits stands in nobody's way */
  void (*cancelled)(void *state, double clock);
  /* The process ends at `clock`, in order, in the middle of the bodies that it is in, whether it waits in this
   * evaluator or not: it makes no call any more. It may come inside of host->resume of another process. NULL: that is
   * of no matter */
  void (*taken_out)(void *state, uint32_t process, double clock);
  const struct psl_evaluator_figure *figures; /* those that studies may name, ended by name NULL; NULL: none */
  /* The files that are read besides `path` where a function gets that as the file that it reads (`reads`), each by a
   * call of `take`: a result's key holds what stands in them. NULL: none are. */
  void (*files)(const char *path, void (*take)(void *user, const char *path), void *user);
  /* Where stands what the instance does, in what the evaluator reads or runs: said of those that wait when a run stops.
   * False: the evaluator does not know. NULL: it never does. */
  bool (*where)(void *state, uint32_t instance, char *out, size_t size);
  /* What is to be done about a wait of the process in a deadlock; `circle`: it is of those that wait for each other in
   * one. False: nothing is known. NULL: it never is. */
  bool (*advise)(void *state, uint32_t process, bool circle, char *out, size_t size);
  const struct psl_partitioned *partitioned; /* NULL: a run that makes use of it is made in one partition */
};

/* By this name a shared object exports its evaluator: see psl-evaluator(3). */
extern const struct psl_evaluator psl_evaluator;
#endif
