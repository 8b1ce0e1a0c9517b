/* A run in partitions, on several processors: psl run --threads.
 *
 * What a system begins with (ranks of a program, mostly) is divided among processes of the system, or the ranks of an
 * MPI job, each with an executor of its own. It is right for those runs alone in which nothing is done in the order of
 * virtual time between the partitions: receives that name their source have their messages in the order in which that
 * one has sent them, however far each runs ahead. So nobody waits for a horizon, but where a network has an order and
 * says a lookahead (windows.c); whoever meets something else that has an order gives up, and the run is made again in one. Sums that reports have are to twice the precision of a double: they
 * are the same in whatever order their parts come. */
#ifndef PSL_PARTITIONS_H
#define PSL_PARTITIONS_H
#include "interp/execute/executor.h"

enum partitions_end {
  PARTITIONS_NOT,      /* it has not run */
  PARTITIONS_MADE,     /* the executor's state is as if it had run */
  PARTITIONS_SPOILT,   /* another executor is to run it */
  PARTITIONS_ELSEWHERE /* what has come of it is told by the first rank of the MPI job */
};
/* Runs it in as many partitions as the options say. A note says why it is one where they want several. */
enum partitions_end partitions_run(struct executor *executor, void (*run)(struct executor *executor));

/* ---- where there is an executor->partition ---- */

/* Does the instance belong to another one? What has none belongs to each. */
bool partition_lacks(const struct executor *executor, uint32_t instance);
/* Is it one that several have in common? */
bool partition_shares(const struct executor *executor, uint32_t instance);
/* Is all that the accept does to begin what is divided? The system does, and whom it calls for that. */
bool partition_begins(const struct executor *executor, const struct model_accept *accept);
/* All that it has called of this partition have answered, for which the component has waited from `called` on. */
void partition_joined(struct executor *executor, uint32_t component, double called, double joined);
/* What the running process does needs an order among all. */
void partition_give_up(struct executor *executor, struct span span, const char *why);
/* The same of what an evaluator's function would have to know. */
void partition_call_ordered(struct executor *executor, const struct process *process);
/* Is what evaluators do there in the order of virtual time? */
bool partition_orders(const struct executor *executor);
/* Where it is: all events before the horizon have happened, and `next` is the time of the first that is known, infinity
 * where none is. Meets the others, and there is another horizon; false: there is nothing left to do. */
bool partition_window(struct executor *executor, double next);
/* The process in hand is in a call that is PSL_ARRIVES, of the evaluator of that number. True: it is to go to another
 * partition, or the run has been given up. */
bool partition_moves(struct executor *executor, struct process *process, uint32_t evaluator);
/* It goes there: nobody runs it any more. */
void partition_move(struct executor *executor, struct process *process);
/* After a turn of a process: is it time for the two below? Each turn is too often: others would look at what is sent
 * while it is being written, and take it piece by piece. */
bool partition_due(struct executor *executor);
/* Between two turns: tells others what is for them. */
void partition_publish(struct executor *executor);
/* Nobody is ready: takes what has come. `wait`: until something does; false: nothing will. */
bool partition_receive(struct executor *executor, bool wait);
void partition_send(struct psl_host *host, const struct psl_evaluator *evaluator, uint32_t to, const void *item,
                    size_t size);
#endif
