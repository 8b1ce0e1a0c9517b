/* Interconnection networks: messages that share links, or interfaces. What a network of links is like is said by one
 * of the functions that are named after topologies, before the first message; stdlib/topologies.psl has components that
 * do. How messages share the links, and the interfaces, is in evaluators/networks/. */
#include "evaluators/networks/flows.h"
#include "evaluators/networks/interfaces.h"
#include "evaluators/networks/packets.h"
#include "evaluators/networks/platform.h"
#include "evaluators/networks/queues.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct state {
  struct psl_host *host;
  struct topology topology;  /* of no kind: not yet described */
  struct packet_rules rules; /* of size 0: messages are flows */
  struct flows *flows;
  struct packets *packets;
  struct packet_rules queue_rules; /* messages wait as at queues of such packets; size 0: they do not */
  struct queues *queues;
  struct interfaces *interfaces; /* NULL: no message has crossed one */
};

static void *interconnect_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

/* ---- descriptions ---- */

static bool sizes_take(const char *what, union psl_argument list, uint64_t *sizes, uint32_t *count, char error[200]) {
  if (list.list.count > LEVELS_MOST) {
    snprintf(error, 200, "%u %s are given, and a network has at most %d", list.list.count, what, LEVELS_MOST);
    return false;
  }
  for (uint32_t i = 0; i < list.list.count; i++) {
    double size = list.list.items[i];
    if (!(size >= 1 && size <= LINKS_MOST)) {
      snprintf(error, 200, "%.0f is among the %s, which are 1 to %d", size, what, LINKS_MOST);
      return false;
    }
    sizes[i] = (uint64_t)size;
  }
  *count = list.list.count;
  return true;
}

static bool figures_take(const char *what, union psl_argument list, double *figures, uint32_t *count, char error[200]) {
  if (list.list.count < 1 || list.list.count > CLASSES_MOST) {
    snprintf(error, 200, "%u %s are given: one is needed for all links, or one for each class", list.list.count, what);
    return false;
  }
  for (uint32_t i = 0; i < list.list.count; i++)
    figures[i] = list.list.items[i];
  *count = list.list.count;
  return true;
}

/* Of a fat tree; where none are given, as many as keep the bandwidth of all levels the same. */
static bool parents_take(union psl_argument list, struct topology *t, char error[200]) {
  uint32_t count;
  if (!sizes_take("parents", list, t->parents, &count, error)) return false;
  if (count && count != t->level_count) {
    snprintf(error, 200, "a fat tree has %u levels, and parents of %u are given", t->level_count, count);
    return false;
  }
  for (uint32_t l = 0; !count && l < t->level_count; l++)
    t->parents[l] = l ? t->size[l - 1] : 1;
  return true;
}

/* Arguments: dimensions, bandwidths, latencies, shared, routing; parents of fat trees. */
static bool topology_take(const struct topology_kind *kind, const union psl_argument *given, struct topology *t,
                          char error[200]) {
  *t = (struct topology){.kind = kind, .shared = given[3].integer, .routing = (enum routing)given[4].integer};
  if (given[4].integer < ROUTE_MINIMAL || given[4].integer > ROUTE_ADAPTIVE) {
    snprintf(error, 200, "%" PRId64 " is no routing", given[4].integer);
    return false;
  }
  return sizes_take("dimensions", given[0], t->size, &t->level_count, error) &&
         figures_take("bandwidths", given[1], t->bandwidth, &t->bandwidth_count, error) &&
         figures_take("latencies", given[2], t->latency, &t->latency_count, error) &&
         (kind != &fat_tree_topology || parents_take(given[5], t, error)) && topology_make(t, error);
}

/* A network is described once. */
static enum psl_status describe(struct state *s, struct psl_call *call, const struct topology_kind *kind) {
  struct topology t;
  if (s->topology.kind) return PSL_DONE;
  if (!topology_take(kind, call->arguments, &t, call->error)) return PSL_FAILED;
  s->topology = t;
  return PSL_DONE;
}

/* Before any run; what links are like may be uncertain then. Arguments: dimensions, parents, and which topology. */
static bool network_nodes(const union psl_argument *given, union psl_argument *result, char error[200]) {
  static const struct topology_kind *const kinds[] = {&bus_topology,  &star_topology,     &torus_topology,
                                                      &mesh_topology, &fat_tree_topology, &dragonfly_topology};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  int64_t kind = given[2].integer;
  struct topology t = {.bandwidth = {1}, .bandwidth_count = 1, .latency_count = 1};
  if (kind < 0 || kind >= KINDS) {
    snprintf(error, 200, "%" PRId64 " is no topology", kind);
    return false;
  }
  t.kind = kinds[kind];
  if (!sizes_take("dimensions", given[0], t.size, &t.level_count, error) ||
      (t.kind == &fat_tree_topology && !parents_take(given[1], &t, error)) || !topology_make(&t, error))
    return false;
  result->integer = (int64_t)t.nodes;
  return true;
}

static enum psl_status describe_bus(void *s, struct psl_call *call) { return describe(s, call, &bus_topology); }
static enum psl_status describe_star(void *s, struct psl_call *call) { return describe(s, call, &star_topology); }
static enum psl_status describe_torus(void *s, struct psl_call *call) { return describe(s, call, &torus_topology); }
static enum psl_status describe_mesh(void *s, struct psl_call *call) { return describe(s, call, &mesh_topology); }
static enum psl_status describe_fat_tree(void *s, struct psl_call *call) {
  return describe(s, call, &fat_tree_topology);
}
static enum psl_status describe_dragonfly(void *s, struct psl_call *call) {
  return describe(s, call, &dragonfly_topology);
}

static enum psl_status describe_platform(void *state, struct psl_call *call) {
  struct state *s = state;
  struct topology t = {.kind = NULL};
  if (s->topology.kind) return PSL_DONE;
  if (!*call->arguments[0].string)
    return psl_failed(call, "no platform file is named: --set 'platform-file=\"FILE.xml\"'");
  if (!platform_read(s->host, call->arguments[0].string, &t, call->error)) return PSL_FAILED;
  s->topology = t;
  return PSL_DONE;
}

static enum psl_status is_described(void *state, struct psl_call *call) {
  call->result.integer = ((struct state *)state)->topology.kind != NULL;
  return PSL_DONE;
}

static enum psl_status use_packets(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *given = call->arguments;
  if (!(given[0].real >= 1) || given[1].integer < 1 || given[2].integer < 0 || given[2].integer > CHANNELS_MOST) {
    snprintf(
        call->error, sizeof call->error,
        "packets have at least 1 byte, switches 1 buffer, and links 1 to %d virtual channels (0: as many as needed)",
        CHANNELS_MOST);
    return PSL_FAILED;
  }
  s->rules = (struct packet_rules){given[0].real, (uint64_t)given[1].integer, (uint64_t)given[2].integer,
                                   given[3].integer != 0};
  return PSL_DONE;
}

static enum psl_status use_queues(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *given = call->arguments;
  if (!(given[0].real >= 1) || given[1].integer < 1)
    return psl_failed(call, "packets have at least 1 byte, and switches 1 buffer");
  s->queue_rules = (struct packet_rules){
      .size = given[0].real, .buffers = (uint64_t)given[1].integer, .store_and_forward = given[2].integer != 0};
  return PSL_DONE;
}

/* ---- messages ---- */

/* The least last dimension with which a network of the kind has the node: "dimensions = [4, 5] have it". */
static void print_larger(const struct topology *t, uint64_t node, char *out, size_t size) {
  struct topology larger = *t;
  char error[200];
  *out = 0;
  if (!t->nodes || !t->level_count || node >= LINKS_MOST) return;
  uint64_t *last = &larger.size[t->level_count - 1], others = t->nodes / *last;
  if (!others || t->nodes % *last) return;
  *last = node / others + 1;
  if (!topology_make(&larger, error) || larger.nodes <= node) return;
  int used = snprintf(out, size, "; the least that have it are dimensions = [");
  for (uint32_t i = 0; i < larger.level_count && (size_t)used < size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s%" PRIu64, i ? ", " : "", larger.size[i]);
  if ((size_t)used < size) snprintf(out + used, size - (size_t)used, "]");
}

static bool node_check(const struct topology *t, struct psl_call *call, int64_t node) {
  uint64_t nodes = t->nodes ? t->nodes : LINKS_MOST / 2;
  if (node >= 0 && (uint64_t)node < nodes) return true;
  char what[100], larger[200] = "";
  topology_print(t, what, sizeof what);
  if (node >= 0) print_larger(t, (uint64_t)node, larger, sizeof larger);
  snprintf(call->error, sizeof call->error, "there is no node %" PRId64 " in a %s, whose nodes are 0 to %" PRIu64 "%s",
           node, what, nodes - 1, larger);
  return false;
}

static bool figure_check(struct psl_call *call, const char *what, double value, const char *unit) {
  if (value >= 0 && isfinite(value)) return true;
  snprintf(call->error, sizeof call->error, "%s is %g %s, and must not be negative", what, value, unit);
  return false;
}

static bool message_send(struct state *s, struct psl_call *call, uint32_t from, uint32_t to) {
  double bytes = call->arguments[2].real, latency = call->arguments[3].real, gap = call->arguments[4].real;
  if (s->rules.size > 0) {
    if (!s->packets) s->packets = packets_open(s->host, &s->topology, &s->rules);
    return packets_send(s->packets, call, from, to, bytes, latency, gap, &call->result.real);
  }
  if (s->topology.routing == ROUTE_ADAPTIVE) {
    snprintf(call->error, sizeof call->error, "messages go one way each: adaptive routing is for packets");
    return false;
  }
  if (s->queue_rules.size > 0) {
    if (!s->queues) s->queues = queues_open(s->host, &s->topology, &s->queue_rules);
    return queues_send(s->queues, call, from, to, bytes, latency, gap, &call->result.real);
  }
  if (!s->flows) s->flows = flows_open(s->host, &s->topology);
  return flows_send(s->flows, call, from, to, bytes, latency, gap, &call->result.real);
}

#define LINKS_ARE_WHOLE "messages meet on links, and what one does there is felt at once everywhere"
static void links_are_whole(struct state *s) {
  if (s->host->partition) s->host->give_up(s->host, LINKS_ARE_WHOLE);
}

static enum psl_status interconnect_send(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *given = call->arguments;
  links_are_whole(s);
  if (!s->topology.kind) return psl_failed(call, "the network has not been described");
  if (!node_check(&s->topology, call, given[0].integer) || !node_check(&s->topology, call, given[1].integer) ||
      !figure_check(call, "the message", given[2].real, "byte") ||
      !figure_check(call, "the latency", given[3].real, "s") || !figure_check(call, "the gap", given[4].real, "s/byte"))
    return PSL_FAILED;
  return message_send(s, call, (uint32_t)given[0].integer, (uint32_t)given[1].integer) ? PSL_DONE : PSL_FAILED;
}

static enum psl_status interconnect_arrive(void *state, struct psl_call *call) {
  struct state *s = state;
  if (s->packets) return packets_arrive(s->packets, call);
  if (s->queues) return queues_arrive(s->queues, call);
  if (s->flows) return flows_arrive(s->flows, call);
  return psl_failed(call, "the process has sent no message");
}

/* ---- interfaces ---- */

enum { INTERFACES_MOST = 1 << 26 };

static enum psl_status interface_take(struct state *s, struct psl_call *call, enum half half) {
  int64_t number = call->arguments[0].integer;
  if (number < 0 || number >= INTERFACES_MOST)
    return psl_failed(call, "there is no interface %" PRId64 ": they are 0 to %d", number, INTERFACES_MOST - 1);
  if (!figure_check(call, "the time that it is busy", call->arguments[1].real, "s")) return PSL_FAILED;
  int64_t rank = call->arguments[2].integer;
  if (!s->interfaces) s->interfaces = interfaces_open(s->host);
  return interfaces_take(s->interfaces, call, (uint32_t)number, half, call->arguments[1].real,
                         rank >= 0 && rank < UINT32_MAX ? (uint32_t)rank : (uint32_t)number);
}

static const struct psl_placing interface_placing = {0, 2};
static enum psl_status interface_leave(void *s, struct psl_call *call) { return interface_take(s, call, HALF_SENDS); }
static enum psl_status interface_enter(void *s, struct psl_call *call) {
  return interface_take(s, call, HALF_RECEIVES);
}

/* ---- partitions ---- */

static void interconnect_moved(void *state, uint32_t process, const struct psl_arrival *arrival) {
  struct state *s = state;
  if (!s->interfaces) s->interfaces = interfaces_open(s->host);
  interfaces_moved(s->interfaces, process, arrival);
}

static size_t interconnect_offer(void *state, void *out) {
  (void)state, (void)out;
  return 0;
}

static void interconnect_agree(void *state, const void *offered, size_t size) {
  (void)state, (void)offered, (void)size;
}

static size_t interconnect_tell(void *state, void *out) {
  const struct state *s = state;
  struct interfaces_told told;
  _Static_assert(sizeof told <= PSL_PARTITION_ITEM, "what a partition tells");
  if (!s->interfaces) return 0;
  interfaces_sum(s->interfaces, &told);
  memcpy(out, &told, sizeof told);
  return sizeof told;
}

static void interconnect_join(void *state, const void *item, size_t size) {
  struct state *s = state;
  struct interfaces_told told;
  memcpy(&told, item, size);
  if (!s->interfaces) s->interfaces = interfaces_open(s->host);
  interfaces_add(s->interfaces, &told);
}

static const struct psl_partitioned interconnect_partitioned = {.offer = interconnect_offer,
                                                                .agree = interconnect_agree,
                                                                .tell = interconnect_tell,
                                                                .join = interconnect_join,
                                                                .moved = interconnect_moved};

/* ---- the run ---- */

static size_t interconnect_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  size_t used = s->packets  ? packets_statistics(s->packets, out, capacity)
                : s->queues ? queues_statistics(s->queues, out, capacity)
                : s->flows  ? flows_statistics(s->flows, out, capacity)
                            : 0;
  return used + (s->interfaces ? interfaces_statistics(s->interfaces, out + used, capacity - used) : 0);
}

static void interconnect_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  const struct state *s = state;
  if (s->packets)
    packets_explain_wait(s->packets, process, out, size, other);
  else
    snprintf(out, size, "for its message to cross the network");
}

#define TOPOLOGY(topology, more, function, says)                                                                     \
  {                                                                                                                  \
    .name = topology,                                                                                                \
    .signature = "(dimensions : [int], bandwidths : [data/time], latencies : [time], shared : bool = false,"         \
                 " routing : int = 0" more,                                                                          \
    .kind = PSL_EVENT, .call = function,                                                                             \
    .doc = says " One bandwidth and latency for all links, or one for each class of links. `shared`: the two "       \
                "directions of a link have one capacity. Routing: 0 minimal, 1 by a random place in between, 2 the " \
                "less busy one of these, by packets. A network that is described already is left as it is."          \
  }

static const struct psl_evaluator_function functions[] = {
    {.name = "described",
     .signature = "() -> bool",
     .kind = PSL_EVENT,
     .call = is_described,
     .doc = "Has one of the functions below said what the network is like?"},
    TOPOLOGY("bus", ")", describe_bus, "One link for all. Dimensions: none, or the number of nodes."),
    TOPOLOGY("star", ")", describe_star,
             "A link from and to each node, and a switch that does not block; with two bandwidths or latencies a "
             "backbone between them. Dimensions: none, or the number of nodes."),
    TOPOLOGY("torus", ")", describe_torus,
             "A torus by dimension order, the shorter way round, half way up. Dimensions: nodes in each. Classes: "
             "dimensions, and one more for interfaces of the nodes."),
    TOPOLOGY("mesh", ")", describe_mesh, "A torus without the links that go round."),
    TOPOLOGY("fat-tree", ", parents : [int] = [])", describe_fat_tree,
             "An extended generalized fat tree, routed by d-mod-k. Dimensions: children of a node, from the hosts' "
             "switches up; parents likewise, by default as many as keep the bandwidth of all levels the same. Classes: "
             "levels."),
    TOPOLOGY("dragonfly", ")", describe_dragonfly,
             "Dimensions: hosts of a router, routers of a group, global ports of a router, groups. Classes: hosts', "
             "local, global."),
    {.name = "nodes",
     .signature = "(dimensions : [int], parents : [int], topology : int) -> int",
     .kind = PSL_PURE,
     .pure = network_nodes,
     .doc =
         "How many nodes a network has of which one of these functions, from bus on, is told: topology 0 to 5; 0: as "
         "many as are wanted. Error: what is wrong with these."},
    {.name = "platform",
     .signature = "(file : string)",
     .kind = PSL_EVENT,
     .call = describe_platform,
     .reads = 1,
     .doc =
         "The network of a platform file of SimGrid; nodes are its hosts. Error: what is wrong in it, with the line."},
    {.name = "packets",
     .signature = "(size : data, buffers : int = 8, channels : int = 0, store-and-forward : bool = false)",
     .kind = PSL_EVENT,
     .call = use_packets,
     .doc = "Messages go in packets of that size, said before the first one is sent. Buffers: packets behind each link "
            "and virtual channel. Channels of a link: 0 for as many as ways take so as to be free of deadlock."},
    {.name = "queues",
     .signature = "(packet : data, buffers : int = 8, store-and-forward : bool = false)",
     .kind = PSL_EVENT,
     .call = use_queues,
     .doc =
         "Messages wait at links for the mean time of M/G/1 queues that trains of packets of that size come to, of the "
         "traffic so far. Said before the first one is sent. Buffers: packets behind each link."},
    {.name = "send",
     .signature = "(source : int, destination : int, size : data, latency : time = 0 s, gap : time/data = 0 s/byte)"
                  " -> time",
     .kind = PSL_CALL,
     .call = interconnect_send,
     .whole = LINKS_ARE_WHOLE,
     .doc = "A message goes on its way, after a latency beside those of the links, and never faster than a byte a gap: "
            "the time that it takes where it meets no other. The process then holds for that time and calls `arrive`."},
    {.name = "arrive",
     .signature = "()",
     .kind = PSL_CALL,
     .call = interconnect_arrive,
     .doc = "Waits until the message of the process is there, which is contention."},
    {.name = "leave-interface",
     .signature = "(interface : int, busy : time, rank : int = -1)",
     .kind = PSL_CALL,
     .call = interface_leave,
     .local = true,
     .placing = &interface_placing,
     .doc = "Waits until the half of the network interface that sends is free, which is contention; from then on it is "
            "busy for that time, with one message after another. No topology is needed. Rank: one that has this "
            "interface, in a run on several processors; -1: that of the interface's number."},
    {.name = "enter-interface",
     .signature = "(interface : int, busy : time, rank : int = -1)",
     .kind = PSL_CALL,
     .call = interface_enter,
     .local = true,
     .doc = "The same for the half that receives. Of messages that come to it at one time that is taken first which "
            "was first to ask for an interface that sends, then that of the lower one of these."},
    {.name = NULL},
};

enum { OF_LINKS, OF_INTERFACES, OF_PLATFORM };
static const struct psl_assumption assumptions[] = {
    [OF_LINKS] = {"a message disturbs others on links alone: switches have the bandwidth of all of theirs"},
    [OF_INTERFACES] = {"a message disturbs others at interfaces alone: the network between them has room for all"},
    [OF_PLATFORM] =
        {"of the platform's file links and routes count: how fast hosts compute, and what a message takes at "
         "either end, are those of the model's machine"},
    {NULL},
};

static bool interconnect_assumes(void *state, size_t number) {
  const struct state *s = state;
  if (number == OF_PLATFORM) return s->topology.kind == &platform_topology;
  return number == OF_INTERFACES ? s->interfaces != NULL : s->topology.kind || !s->interfaces;
}

static const struct psl_evaluator_figure figures[] = {
    {.name = TRANSFERS, .unit = "", .whole = true},
    {.name = TRANSFERS_MET, .unit = "", .whole = true},
    {.name = NULL},
};

const struct psl_evaluator interconnect_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Interconnect",
    .revision = "1",
    .doc = "Networks with contention: topologies, routes, and messages that share links; network interfaces.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .assumes = interconnect_assumes,
    .open = interconnect_open,
    .statistics = interconnect_statistics,
    .figures = figures,
    .explain_wait = interconnect_explain_wait,
    .partitioned = &interconnect_partitioned,
};
