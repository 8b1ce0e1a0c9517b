/* Tori and meshes of any number of dimensions, by dimension order. With a bandwidth, or a latency, more than there are
 * dimensions each node has an interface: a link into the network and one out of it. */
#include "evaluators/networks/topology.h"
#include <stdio.h>

static bool has_interfaces(const struct topology *t) {
  return t->bandwidth_count == t->level_count + 1 || t->latency_count == t->level_count + 1;
}

static bool wraps(const struct topology *t) { return t->kind == &torus_topology; }

static bool torus_make(struct topology *t, char error[200]) {
  if (!topology_count_check(t, "its nodes in each dimension", 1, LEVELS_MOST, error)) return false;
  bool interfaces = has_interfaces(t) && t->level_count > 0;
  uint64_t longest = interfaces ? 2 : 0;
  t->nodes = 1;
  for (uint32_t k = 0; k < t->level_count; k++) {
    t->nodes = topology_product(t->nodes, t->size[k]);
    longest += wraps(t) ? t->size[k] / 2 : t->size[k] - 1;
  }
  t->longest = longest > ROUTE_MOST ? ROUTE_MOST + 1 : (uint32_t)longest;
  t->links = topology_product(t->nodes, 2 * t->level_count + (interfaces ? 2 : 0));
  t->class_count = t->level_count + interfaces;
  return true;
}

static uint32_t first_interface(const struct topology *t) { return (uint32_t)(2 * t->level_count * t->nodes); }

/* The way from coordinate a to b: how many steps, and whether they go up; half way round, up. */
static uint32_t steps(const struct topology *t, uint32_t size, uint32_t a, uint32_t b, bool *up) {
  *up = b >= a;
  uint32_t direct = *up ? b - a : a - b;
  if (!wraps(t)) return direct;
  uint32_t round = size - direct;
  if (direct == 0 || direct < round) return direct;
  *up = direct == round || !*up;
  return round < direct ? round : direct;
}

/* The links between two nodes, interfaces apart. */
static uint32_t cross(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  uint32_t count = 0, node = from, stride = 1;
  for (uint32_t k = 0; k < t->level_count; k++) {
    uint32_t size = (uint32_t)t->size[k], at = from / stride % size;
    bool up;
    for (uint32_t left = steps(t, size, at, to / stride % size, &up); left > 0; left--) {
      links[count++] = 2 * t->level_count * node + 2 * k + !up;
      uint32_t next = up ? (at + 1 == size ? 0 : at + 1) : (at == 0 ? size - 1 : at - 1);
      node = node - at * stride + next * stride;
      at = next;
    }
    stride *= size;
  }
  return count;
}

static uint32_t by_way_of(const struct topology *t, uint32_t from, uint32_t middle, uint32_t to, uint32_t *links) {
  uint32_t count = 0, first = first_interface(t);
  if (has_interfaces(t)) links[count++] = first + 2 * from;
  count += cross(t, from, middle, links + count);
  count += cross(t, middle, to, links + count);
  if (has_interfaces(t)) links[count++] = first + 2 * to + 1;
  return count;
}

static uint32_t torus_route(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  return by_way_of(t, from, to, to, links);
}

static uint32_t torus_detour(const struct topology *t, uint32_t from, uint32_t to, uint64_t number, uint32_t *links) {
  return by_way_of(t, from, (uint32_t)(number % t->nodes), to, links);
}

/* Dimension and direction, and there the coordinate, counted in that direction. */
static void torus_order(const struct topology *t, uint32_t link, uint32_t *section, uint32_t *position) {
  uint32_t first = first_interface(t), stride = 1, k = link / 2 % t->level_count;
  *position = link;
  *section = (link & 1) ? 2 * LEVELS_MOST + 1 : 0; /* interfaces */
  if (link >= first) return;
  for (uint32_t i = 0; i < k; i++)
    stride *= (uint32_t)t->size[i];
  uint32_t size = (uint32_t)t->size[k], at = link / 2 / t->level_count / stride % size;
  *section = 1 + 2 * k + (link & 1);
  *position = link & 1 ? size - 1 - at : at;
}

static uint32_t torus_class(const struct topology *t, uint32_t link) {
  return link >= first_interface(t) ? t->level_count : link / 2 % t->level_count;
}

static uint32_t torus_reverse(const struct topology *t, uint32_t link) {
  if (link >= first_interface(t)) return link ^ 1;
  uint32_t k = link / 2 % t->level_count, node = link / 2 / t->level_count, stride = 1;
  for (uint32_t i = 0; i < k; i++)
    stride *= (uint32_t)t->size[i];
  uint32_t size = (uint32_t)t->size[k], at = node / stride % size, next = (at + (link & 1 ? size - 1 : 1)) % size;
  return 2 * t->level_count * (node - at * stride + next * stride) + 2 * k + !(link & 1);
}

static void torus_print(const struct topology *t, uint32_t link, char *out, size_t size) {
  if (link >= first_interface(t)) {
    uint32_t number = link - first_interface(t);
    snprintf(out, size, "%s node %u", number & 1 ? "to" : "from", number / 2);
    return;
  }
  uint32_t node = link / 2 / t->level_count, k = link / 2 % t->level_count;
  char axis[12] = {"xyz"[k < 3 ? k : 0], '\0'};
  if (k >= 3) snprintf(axis, sizeof axis, "%u", k);
  snprintf(out, size, "%c%s from node %u", link & 1 ? '-' : '+', axis, node);
}

const struct topology_kind torus_topology = {"torus",     torus_make,  torus_route,   torus_detour,
                                             torus_order, torus_class, torus_reverse, torus_print};
const struct topology_kind mesh_topology = {"mesh",      torus_make,  torus_route,   torus_detour,
                                            torus_order, torus_class, torus_reverse, torus_print};
