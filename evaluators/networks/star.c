/* The bus, one link for all, and the star, a switch in the middle that does not block. */
#include "evaluators/networks/topology.h"
#include <stdio.h>

enum { LINK, BACKBONE };

static bool bus_make(struct topology *t, char error[200]) {
  if (!topology_count_check(t, "none, or the number of its nodes", 0, 1, error)) return false;
  t->nodes = t->level_count ? t->size[0] : 0;
  t->links = t->longest = t->class_count = 1;
  return true;
}

static uint32_t bus_route(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  (void)t, (void)from, (void)to;
  links[0] = 0;
  return 1;
}

static void bus_order(const struct topology *t, uint32_t link, uint32_t *section, uint32_t *position) {
  (void)t, (void)link;
  *section = *position = 0;
}

static uint32_t bus_class(const struct topology *t, uint32_t link) {
  (void)t, (void)link;
  return LINK;
}

static uint32_t bus_reverse(const struct topology *t, uint32_t link) {
  (void)t;
  return link;
}

static void bus_print(const struct topology *t, uint32_t link, char *out, size_t size) {
  (void)t, (void)link;
  snprintf(out, size, "bus");
}

/* A second bandwidth or latency is that of a backbone between up and down. */
static bool has_backbone(const struct topology *t) { return t->bandwidth_count == 2 || t->latency_count == 2; }

static bool star_make(struct topology *t, char error[200]) {
  bool backbone = has_backbone(t);
  if (!topology_count_check(t, backbone ? "the number of its nodes" : "none, or the number of its nodes", backbone, 1,
                            error))
    return false;
  t->nodes = t->level_count ? t->size[0] : 0;
  t->links = topology_product(2, t->nodes) + backbone;
  t->longest = 2 + backbone;
  t->class_count = backbone ? 2 : 1;
  return true;
}

static uint32_t star_route(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  uint32_t count = 0;
  links[count++] = 2 * from;
  if (has_backbone(t)) links[count++] = (uint32_t)(2 * t->nodes);
  links[count++] = 2 * to + 1;
  return count;
}

static uint32_t star_class(const struct topology *t, uint32_t link) {
  return has_backbone(t) && link == 2 * t->nodes ? BACKBONE : LINK;
}

static void star_order(const struct topology *t, uint32_t link, uint32_t *section, uint32_t *position) {
  *section = star_class(t, link) == BACKBONE ? 1 : link & 1 ? 2 : 0;
  *position = link;
}

static uint32_t star_reverse(const struct topology *t, uint32_t link) {
  return star_class(t, link) == BACKBONE ? link : link ^ 1;
}

static void star_print(const struct topology *t, uint32_t link, char *out, size_t size) {
  if (star_class(t, link) == BACKBONE)
    snprintf(out, size, "backbone");
  else
    snprintf(out, size, "%s node %u", link & 1 ? "to" : "from", link / 2);
}

const struct topology_kind bus_topology = {"bus",     bus_make,  bus_route,   NULL,
                                           bus_order, bus_class, bus_reverse, bus_print};
const struct topology_kind star_topology = {"star",     star_make,  star_route,   NULL,
                                            star_order, star_class, star_reverse, star_print};
