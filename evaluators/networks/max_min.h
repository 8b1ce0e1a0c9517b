/* Max-min fair sharing of links by flows: each flow is as fast as it can be without slowing a flow that is not faster.
 *
 * That is so exactly where each flow goes at its cap or has a bottleneck: a link that is full and on which no flow is
 * faster. Flows come and go, `sharing_solve` makes the rates right again, and says which have changed. */
#ifndef PSL_NETWORKS_MAX_MIN_H
#define PSL_NETWORKS_MAX_MIN_H
#include "evaluators/networks/memory.h"

struct hop { /* of a flow: a link, and where the flow stands in its list */
  uint32_t link, place;
};
struct crossing { /* of a link: a flow, and which of its hops this is */
  uint32_t flow, hop;
};

struct flow {
  struct hop *hops;
  uint32_t hop_count;
  uint32_t bottleneck; /* a link, or AT_CAP */
  uint32_t place;      /* among the active ones */
  uint32_t member;     /* the number of the solution that it is a part of, */
  uint32_t member_place;
  double rate;  /* byte/s */
  double cap;   /* it is never faster, byte/s */
  double level; /* the rate that is being found; negative: not yet */
};

struct shared_link {
  double capacity;            /* byte/s */
  struct crossing *crossings; /* the flows that go over it */
  uint32_t count, room;
  uint32_t gathered; /* the number of the solution of which those are part that have their bottleneck here */
  uint32_t touched;  /* the number of the solution that it is a part of */
  uint32_t open;     /* flows whose rate is still to be found */
  double left;       /* capacity for these, byte/s */
  double level;      /* at which it has become full; negative: it has not */
};

struct entry { /* of the heap: a link, or beyond these a flow by its cap */
  double key;
  uint32_t id;
};

struct sharing {
  struct pieces *pieces;
  struct shared_link *links;
  uint32_t link_count, link_room;
  struct flow *flows;
  uint32_t flow_count, flow_room, *free_flows, free_count, free_room;
  uint32_t *active, active_count, active_room;
  uint64_t hop_count; /* of all active flows */
  uint32_t solution;  /* number of the last one */
  uint32_t *members, member_count, member_room;
  uint64_t member_hops;
  uint32_t *touched, touched_count, touched_room;
  struct entry *heap;
  uint32_t heap_count, heap_room;
  uint32_t *changed, changed_count, changed_room; /* flows whose rate is another one */
  uint64_t solutions, full_solutions, widenings;  /* so many so far */
};

#define AT_CAP UINT32_MAX

void sharing_open(struct sharing *, struct pieces *);
void sharing_link(struct sharing *, uint32_t link, double capacity); /* it has that much, byte/s */
/* A flow over the links, each of which is named once. Its rate is 0 until the next solution. */
uint32_t sharing_add(struct sharing *, const uint32_t *links, uint32_t count, double cap);
void sharing_remove(struct sharing *, uint32_t flow);
void sharing_solve(struct sharing *);
#endif
