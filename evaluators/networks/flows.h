/* Messages as flows: after its latency a message takes its max-min fair part of the links on its way, until its bytes
 * are through. */
#ifndef PSL_NETWORKS_FLOWS_H
#define PSL_NETWORKS_FLOWS_H
#include "evaluators/networks/messages.h"

struct flows;
struct flows *flows_open(struct psl_host *, const struct topology *);
/* The calling process's message is on its way from call->clock on. *alone: how long it takes where it meets no other;
 * false after writing call->error. */
bool flows_send(struct flows *, struct psl_call *, uint32_t from, uint32_t to, double bytes, double latency, double gap,
                double *alone);
/* The calling process waits until its message is there. */
enum psl_status flows_arrive(struct flows *, struct psl_call *);
size_t flows_statistics(const struct flows *, struct psl_statistic *out, size_t capacity);
#endif
