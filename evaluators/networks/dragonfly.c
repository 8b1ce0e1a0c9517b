/* Dragonflies: groups of routers of which each pair in a group, and each pair of groups, has a link (Kim, Dally, Scott,
 * Abts 2008). Dimensions: hosts of a router p, routers of a group a, global ports of a router h, groups g. */
#include "evaluators/networks/topology.h"
#include <stdio.h>

enum { HOST, LOCAL, GLOBAL };

static uint32_t hosts(const struct topology *t) { return (uint32_t)t->size[0]; }   /* of a router */
static uint32_t routers(const struct topology *t) { return (uint32_t)t->size[1]; } /* of a group */
static uint32_t ports(const struct topology *t) { return (uint32_t)t->size[2]; }   /* of a router */
static uint32_t groups(const struct topology *t) { return (uint32_t)t->size[3]; }

static uint32_t first_local(const struct topology *t) { return (uint32_t)(2 * t->nodes); }
static uint32_t first_global(const struct topology *t) { return first_local(t) + groups(t) * routers(t) * routers(t); }

static bool dragonfly_make(struct topology *t, char error[200]) {
  const uint64_t *s = t->size;
  if (!topology_count_check(t, "hosts of a router, routers of a group, global ports of a router, and groups", 4, 4,
                            error))
    return false;
  if (s[3] > topology_product(s[1], s[2]) + 1) {
    snprintf(error, 200, "a dragonfly has at most one group more than a group has global ports, %d here",
             (int)topology_product(s[1], s[2]) + 1);
    return false;
  }
  t->nodes = topology_product(topology_product(s[0], s[1]), s[3]);
  t->links = 2 * t->nodes + topology_product(s[3], topology_product(s[1], s[1])) + topology_product(s[3], s[3]);
  t->longest = 5;
  t->class_count = 3;
  return true;
}

/* The router of group `from` that has the link to group `to`. */
static uint32_t gateway(const struct topology *t, uint32_t from, uint32_t to) {
  return (to < from ? to : to - 1) / ports(t);
}

static uint32_t local_link(const struct topology *t, uint32_t group, uint32_t from, uint32_t to) {
  return first_local(t) + (group * routers(t) + from) * routers(t) + to;
}

/* From a router, numbered among all, to a group: the router there, and the links behind those that are there. */
static uint32_t to_group(const struct topology *t, uint32_t router, uint32_t goal, uint32_t *links, uint32_t *count) {
  uint32_t group = router / routers(t);
  if (group == goal) return router;
  uint32_t out = gateway(t, group, goal);
  router %= routers(t);
  if (router != out) links[(*count)++] = local_link(t, group, router, out);
  links[(*count)++] = first_global(t) + group * groups(t) + goal;
  return goal * routers(t) + gateway(t, goal, group);
}

static uint32_t by_way_of(const struct topology *t, uint32_t from, uint32_t middle, uint32_t to, uint32_t *links) {
  uint32_t last = to / hosts(t), goal = last / routers(t), count = 0;
  links[count++] = 2 * from;
  uint32_t router = to_group(t, from / hosts(t), middle, links, &count);
  router = to_group(t, router, goal, links, &count);
  if (router != last) links[count++] = local_link(t, goal, router % routers(t), last % routers(t));
  links[count++] = 2 * to + 1;
  return count;
}

static uint32_t dragonfly_route(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  return by_way_of(t, from, to / hosts(t) / routers(t), to, links);
}

static uint32_t dragonfly_detour(const struct topology *t, uint32_t from, uint32_t to, uint64_t number,
                                 uint32_t *links) {
  bool away = from / hosts(t) / routers(t) != to / hosts(t) / routers(t);
  return away ? by_way_of(t, from, (uint32_t)(number % groups(t)), to, links) : dragonfly_route(t, from, to, links);
}

static uint32_t dragonfly_class(const struct topology *t, uint32_t link) {
  return link >= first_global(t) ? GLOBAL : link >= first_local(t) ? LOCAL : HOST;
}

static void dragonfly_order(const struct topology *t, uint32_t link, uint32_t *section, uint32_t *position) {
  uint32_t class = dragonfly_class(t, link);
  *section = class == LOCAL ? 1 : class == GLOBAL ? 2 : link & 1 ? 3 : 0;
  *position = link;
}

static uint32_t dragonfly_reverse(const struct topology *t, uint32_t link) {
  uint32_t class = dragonfly_class(t, link);
  if (class == HOST) return link ^ 1;
  uint32_t first = class == GLOBAL ? first_global(t) : first_local(t), side = class == GLOBAL ? groups(t) : routers(t);
  uint32_t number = link - first, base = class == GLOBAL ? 0 : number / (side * side) * side * side;
  uint32_t inside = number - base;
  return first + base + inside % side * side + inside / side;
}

static void dragonfly_print(const struct topology *t, uint32_t link, char *out, size_t size) {
  switch (dragonfly_class(t, link)) {
  case HOST: snprintf(out, size, "%s node %u", link & 1 ? "to" : "from", link / 2); return;
  case GLOBAL: {
    uint32_t number = link - first_global(t);
    snprintf(out, size, "from group %u to group %u", number / groups(t), number % groups(t));
    return;
  }
  default: {
    uint32_t number = link - first_local(t), router = number / routers(t);
    snprintf(out, size, "in group %u from router %u to %u", router / routers(t), router % routers(t),
             number % routers(t));
  }
  }
}

const struct topology_kind dragonfly_topology = {"dragonfly",     dragonfly_make,  dragonfly_route,   dragonfly_detour,
                                                 dragonfly_order, dragonfly_class, dragonfly_reverse, dragonfly_print};
