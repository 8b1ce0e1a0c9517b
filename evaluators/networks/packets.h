/* Messages as packets: each link sends one packet after another, and a switch has room for so many of them behind each
 * link and virtual channel. */
#ifndef PSL_NETWORKS_PACKETS_H
#define PSL_NETWORKS_PACKETS_H
#include "evaluators/networks/messages.h"

enum { CHANNELS_MOST = 16 };
struct packet_rules {
  double size;            /* byte: of a packet, the last one of a message apart */
  uint64_t buffers;       /* packets, behind each link and channel */
  uint64_t channels;      /* virtual ones of a link; 0: as many as ways take so as to be free of deadlock */
  bool store_and_forward; /* a packet goes on when all of it is there, else when its head is */
};

struct packets;
struct packets *packets_open(struct psl_host *, const struct topology *, const struct packet_rules *);
/* As flows_send and flows_arrive. */
bool packets_send(struct packets *, struct psl_call *, uint32_t from, uint32_t to, double bytes, double latency,
                  double gap, double *alone);
enum psl_status packets_arrive(struct packets *, struct psl_call *);
void packets_explain_wait(const struct packets *, uint32_t process, char *out, size_t size, uint32_t *other);
size_t packets_statistics(const struct packets *, struct psl_statistic *out, size_t capacity);
#endif
