/* Messages on their way, whichever way they share links: who has sent them, who waits for their end, and what they have
 * carried over which link.
 *
 * Time passes in a network when the host says so. A process sends a message, holds for as long as that takes alone, and
 * then asks for its end, in order: all that has been sent before is known then, and what happens up to that time is
 * done. Where its message is not there the process waits, and as long as any does one of them has its call made again
 * at the time of the next event (host->retry). So a network in which nobody waits for others costs one ordered call a
 * message. */
#ifndef PSL_NETWORKS_MESSAGES_H
#define PSL_NETWORKS_MESSAGES_H
#include "evaluators/networks/memory.h"
#include "evaluators/networks/topology.h"

#define TOGETHER 1e-12 /* relative: times that rounding alone sets apart */
enum { NOWHERE = UINT32_MAX };

/* Figures of all networks. */
#define TRANSFERS "transfers"
#define TRANSFERS_MET "transfers that met others"

struct message {
  bool arrived;
  bool counts; /* it is sent behind the warm-up */
  bool waits;  /* its process does */
  uint32_t process, from, to;
  uint32_t next, previous; /* of those whose processes wait; of the free ones */
  double bytes, start;     /* start: s, its bytes begin to move, */
  double end;              /* and end where it meets no other */
};

struct messages {
  struct psl_host *host;
  const struct topology *topology;
  struct pieces pieces;
  struct message *items;
  uint32_t count, room, free;
  uint32_t *of_process, process_count;
  uint32_t waiting; /* the first message whose process waits */
  uint32_t armed;   /* whose call is made again, at: */
  double armed_at;
  uint32_t *route; /* room for one way */
  double *carried; /* by link: bytes */
  uint32_t carried_room;
  uint64_t sent, delayed;
};

void messages_open(struct messages *, struct psl_host *, const struct topology *);
/* A message of the calling process that does not end at once, or NOWHERE after writing call->error. */
uint32_t messages_send(struct messages *, struct psl_call *, const struct message *);
/* The same of one that takes no link: it is there when its process asks for it. */
bool messages_pass(struct messages *, struct psl_call *);
/* What the process's call for the end of its message comes to without a look at the network; PSL_BLOCKED: to be seen
 * when what happens until then has been done, by messages_see. */
enum psl_status messages_arrive(struct messages *, struct psl_call *);
uint32_t messages_of(const struct messages *, uint32_t process); /* that it has sent */
/* How long a message takes, latency and all, where it meets no other and its bytes flow at 1/gap or as fast as its
 * slowest link; stored: byte of the packets that switches store and forward, or 0. Its way is in `route`. */
double messages_alone(struct messages *, const struct message *, double latency, double gap, double stored);
/* The same of so many bytes in packets that are stored and forwarded, on the first `count` links of `route`. */
double messages_stored(const struct messages *, uint32_t count, double bytes, double gap, double packet);
/* next: s, of the next event in the network. */
enum psl_status messages_see(struct messages *, struct psl_call *, double next);
/* The message is there: its process goes on, at `now`, if it waits and is not the one that calls. */
void messages_end(struct messages *, uint32_t number, double now, const struct psl_call *);
/* As long as a process waits, one has its call made again at the next event. */
void messages_arm(struct messages *, double next);
/* The order of messages at one time, whatever that of calls. */
bool message_before(const struct message *a, const struct message *b);
void messages_carry(struct messages *, const struct message *, uint32_t link, double bytes);
size_t messages_statistics(const struct messages *, struct psl_statistic *out, size_t capacity);
#endif
