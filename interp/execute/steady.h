/* Steady states: a queueing network that the executor runs.
 *
 * Firings of accepts that are stations of the network, or that its customers start at, are observed; a model
 * that is no network pays nothing. A departure costs a few additions into bins of time
 * (interp/statistics/series.h). Each time half as much or a third more has been simulated, a look finds the
 * warm-up and makes intervals by batch means. The first look that finds them hardly wider than stdlib/queueing's
 * params wish tells how long the run lasts (series_lasts); figures are of the time behind it, and the run ends
 * where they are narrow enough then, else that time becomes longer. */
#ifndef PSL_STEADY_H
#define PSL_STEADY_H
#include "interp/execute/usage.h"

/* executor->steady: observes what options->network has. */
void steady_open(struct executor *executor);
bool steady_observes(const struct executor *executor, const struct model_accept *accept);
/* The process fires there by the token: whose customer it is; see struct process. */
void steady_customer(struct executor *executor, struct process *process, const struct model_accept *accept,
                     const struct token *token);
/* Does a token that the running customer sends there start a customer of another class? */
bool steady_starts(const struct executor *executor, const struct model_accept *accept, uint32_t instance);
/* A customer sends a token on, which takes what it has spent at stations in its cycle. */
double steady_passes(struct executor *executor, struct process *process);
/* The process has drawn whether it makes a request once more, by the fraction of its `visits`. */
void steady_fraction(struct executor *executor, const struct process *process);
/* The process of a customer ends. */
void steady_end(struct executor *executor, struct process *process);
/* A frame of an observed accept ends at the process's clock. */
void steady_departure(struct executor *executor, struct process *process, struct frame *frame);
/* Processes that the process has forked are back: it has waited so long for them. */
void steady_joined(struct executor *executor, struct process *process, double seconds);
/* executor->steady_at has come: all before executor->now has happened. */
void steady_look(struct executor *executor);
/* At the looks at limits: ends the run at the limits of stdlib/queueing. */
void steady_limits(struct executor *executor);
void steady_time_is_up(struct executor *executor); /* --max-time has come */
/* All figures of a network, one by one. */
size_t network_estimate_count(const struct psl_queueing *network);
struct psl_estimate *network_estimate(struct psl_queueing *network, size_t k);
/* The mean of each figure over the runs, and its interval, beside what they have in common. */
struct psl_queueing *replications_join(struct arena *arena, struct psl_queueing *const *runs, size_t count);
/* Are the intervals of the classes as narrow as was wished? */
bool replications_narrow(const struct psl_queueing *joined);
/* What it has come to, in the arena of the results; NULL: no customer has been served. */
struct psl_queueing *steady_result(struct executor *executor);
/* What is to be warned of where something drawn has no finite variance; NULL: all has. */
const char *steady_tail(struct executor *executor);
#endif
