/* Messages that wait at links as at M/G/1 queues, for as long as the traffic of the run so far says. */
#ifndef PSL_NETWORKS_QUEUES_H
#define PSL_NETWORKS_QUEUES_H
#include "evaluators/networks/packets.h"

struct queues;
struct queues *queues_open(struct psl_host *, const struct topology *, const struct packet_rules *);
/* As flows_send and flows_arrive. */
bool queues_send(struct queues *, struct psl_call *, uint32_t from, uint32_t to, double bytes, double latency,
                 double gap, double *alone);
enum psl_status queues_arrive(struct queues *, struct psl_call *);
size_t queues_statistics(struct queues *, struct psl_statistic *out, size_t capacity);
#endif
