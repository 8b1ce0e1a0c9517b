/* Topologies: which links a network has, how they are numbered, and over which a message goes.
 *
 * A link is directed and has a number from 0. Nodes are numbered from 0, too. A file describes each kind of topology by
 * one constant struct; psl-networks(7) defines them. Who shares the links, and how, is not known here. */
#ifndef PSL_NETWORKS_TOPOLOGY_H
#define PSL_NETWORKS_TOPOLOGY_H
#include "interp/include/evaluator.h"

enum routing {
  ROUTE_MINIMAL, /* the one way that the topology defines */
  ROUTE_VALIANT, /* by a random place in between; in fat trees by random parents */
  ROUTE_ADAPTIVE /* the less busy one of these two */
};
enum {
  LEVELS_MOST = 16,  /* dimensions of a torus, levels of a fat tree */
  CLASSES_MOST = 20, /* kinds of links with a bandwidth and a latency of their own */
  LINKS_MOST = 1 << 26,
  ROUTE_MOST = 1 << 16 /* links on the way of one message */
};

struct topology_kind;
struct platform;
struct topology {
  const struct topology_kind *kind;
  uint32_t level_count;
  uint64_t size[LEVELS_MOST];    /* torus, mesh: nodes in each dimension; fat tree: children by level; … */
  uint64_t parents[LEVELS_MOST]; /* fat tree: of a node of each level */
  uint64_t nodes, links;         /* 0 nodes: as many as one likes, and links with them */
  uint32_t longest;              /* links on the longest way */
  uint32_t bandwidth_count, latency_count, class_count;
  double bandwidth[CLASSES_MOST]; /* byte/s: one for all, or one for each class of links */
  double latency[CLASSES_MOST];   /* s */
  bool shared;                    /* the two directions of a link have one capacity together */
  enum routing routing;
  const struct platform *platform; /* of platform.c alone */
};

struct topology_kind {
  const char *name;
  /* Says how many nodes, links and classes there are; false after writing the error. */
  bool (*make)(struct topology *, char error[200]);
  /* The links from one node to another one; returns their number. */
  uint32_t (*route)(const struct topology *, uint32_t from, uint32_t to, uint32_t *links);
  /* The same by a place that the number chooses; NULL: there is no other way. At most twice as many links. */
  uint32_t (*detour)(const struct topology *, uint32_t from, uint32_t to, uint64_t number, uint32_t *links);
  /* The order of links on a way: in sections, and there by position. A minimal way enters sections in rising order but
   * for a return to a lower one, and leaves the order of positions only where it goes round. */
  void (*order)(const struct topology *, uint32_t link, uint32_t *section, uint32_t *position);
  uint32_t (*class_of)(const struct topology *, uint32_t link);
  uint32_t (*reverse)(const struct topology *, uint32_t link); /* the same link in the other direction */
  void (*print)(const struct topology *, uint32_t link, char *out, size_t size);
  double (*bandwidth)(const struct topology *, uint32_t link); /* NULL: those of the topology, by class */
  double (*latency)(const struct topology *, uint32_t link);
};

extern const struct topology_kind bus_topology, star_topology, torus_topology, mesh_topology, fat_tree_topology,
    dragonfly_topology;

/* Fills in what the kind makes of the description. */
bool topology_make(struct topology *, char error[200]);
/* The way of a message by the routing that is chosen, as far as that does not depend on others; its size and start help
 * to choose by chance. */
uint32_t topology_route(const struct topology *, uint32_t from, uint32_t to, double bytes, double start,
                        uint32_t *links);
/* A number that depends on nothing but these: of a message and what is chosen for it. */
uint64_t topology_number(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
/* Whose capacity a message takes that goes over the link: its own, or that of the lower one of a pair that shares. */
uint32_t topology_capacity(const struct topology *, uint32_t link);
double topology_bandwidth(const struct topology *, uint32_t link);
double topology_latency(const struct topology *, uint32_t link);
/* Its dimensions as they were given: 8 x 8. */
void topology_print(const struct topology *, char *out, size_t size);
bool topology_count_check(const struct topology *, const char *of, uint32_t least, uint32_t most, char error[200]);
/* The product, or LINKS_MOST + 1 where it is more than LINKS_MOST. */
uint64_t topology_product(uint64_t a, uint64_t b);
#endif
