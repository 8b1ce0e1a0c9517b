/* What the servers of accepts do: how many calls they serve, how long these wait and are there, and which part of the
 * time servers are taken; by class of who calls. Calls count as served when they have ended: behind a warm-up with all
 * that they have waited. They are present, and hold servers, from its end on, and until the run ends, though they have
 * not ended. */
#ifndef PSL_USAGE_H
#define PSL_USAGE_H
#include "interp/execute/executor.h"

struct unended { /* calls that have not ended */
  int64_t count;
  struct sum since; /* the times that they count from, s */
};
struct usage { /* of a facility by one class of callers, or by those who have none */
  struct usage *next;
  struct kept class; /* VALUE_NONE: none; a signal: those beyond USAGE_CLASSES */
  struct run_usage all;
  struct unended present, held;
};
enum { USAGE_CLASSES = 100 };

struct visit {           /* what a frame that is counted, or observed (steady.h), has behind its end */
  double entered, began; /* s: when it came, when it had a server */
  double served;         /* under disciplines that share: the demands that have been served, s; */
  double alone;          /* what that takes without others */
  struct usage *usage;   /* NULL: it is not counted */
};
struct visit *frame_visit(struct frame *frame);
static inline bool body_visits(const struct body *body) { return body->observed || body->counted; }

/* Are calls of it counted? */
bool usage_counts(const struct model_accept *accept);
/* May calls of the accept by that one have a class? */
bool usage_by_class(const struct executor *executor, const struct model_accept *accept,
                    const struct model_accept *caller);
/* The frame, which is counted, asks for a server. False after a stop. */
bool usage_ask(struct executor *executor, struct frame *frame);
/* Since when what began then counts; without a call of the library's. */
static inline double usage_since(const struct executor *executor, double clock) {
  return clock < executor->from ? executor->from : clock;
}
/* A call has come, */
static inline void usage_come(const struct executor *executor, struct usage *usage, double clock) {
  usage->present.count++;
  sum_add(&usage->present.since, usage_since(executor, clock));
}
/* and has got a server. */
static inline void usage_begin(const struct executor *executor, struct usage *usage, double clock) {
  usage->held.count++;
  sum_add(&usage->held.since, usage_since(executor, clock));
}
/* The same of tokens that have not been fired, by arguments of the transaction. */
void usage_wait(struct executor *executor, struct facility *facility, const struct model_accept *sender,
                uint32_t instance, const struct value *arguments, double clock);
/* Those who have no class: a call that came, began and went at these times has been served. */
void usage_serve_part(const struct executor *executor, struct usage *usage, double entered, double began, double end);
/* Where all counts, how long it was present is how long it stayed, and how long it held a server is how long it did not
 * wait: these are added up once. */
static inline void usage_serve(const struct executor *executor, struct usage *usage, double entered, double began,
                               double end) {
  if (!executor->all_counts) {
    usage_serve_part(executor, usage, entered, began, end);
    return;
  }
  usage->all.served++;
  usage->present.count--;
  usage->held.count--;
  sum_add_both(&usage->present.since, -entered, &usage->held.since, -began);
  sum_add_both(&usage->all.waited, began - entered, &usage->all.stayed, end - entered);
}
/* It has been served, is cancelled in the middle of that, or leaves the line. */
void usage_end(const struct executor *executor, const struct process *process, struct frame *frame);
void usage_cancel(const struct executor *executor, const struct process *process, struct frame *frame);
void usage_leave(const struct executor *executor, const struct process *process, struct frame *frame);
/* Work has been done for a hold of the process's frame, part of it behind the warm-up, and takes so long alone, s. */
void usage_work(const struct executor *executor, struct process *process, double done, double later, double alone);
/* Rows of all components that have been asked. */
void usage_result(struct executor *executor, struct run_result *result);
#endif
