/* Extended generalized fat trees: by level the number of children of a node and of parents of a child (S. Öhring,
 * M. Ibel, S. Das, M. Kumar, 1995). Hosts are level 0. A node of level l is (a, b): a is the subtree, host / (children
 * of levels 1 to l), and b < W(l), the product of the parents of levels 1 to l; its index in the level is a x W(l) + b.
 * Up links are chosen by the destination (d-mod-k). */
#include "evaluators/networks/topology.h"
#include <inttypes.h>
#include <stdio.h>

/* Nodes of a level. */
static uint64_t level_nodes(const struct topology *t, uint32_t level) {
  uint64_t nodes = 1;
  for (uint32_t l = 0; l < t->level_count; l++)
    nodes = topology_product(nodes, l < level ? t->parents[l] : t->size[l]);
  return nodes;
}

static bool fat_tree_make(struct topology *t, char error[200]) {
  if (!topology_count_check(t, "the children of a node by level, from the hosts' switches", 1, LEVELS_MOST, error))
    return false;
  t->nodes = level_nodes(t, 0);
  t->links = 0;
  for (uint32_t l = 0; l < t->level_count && t->links <= LINKS_MOST; l++)
    t->links += topology_product(2, topology_product(level_nodes(t, l), t->parents[l]));
  t->longest = 2 * t->level_count;
  t->class_count = t->level_count;
  return true;
}

/* The way up to the lowest level at which both have a subtree in common, by parents that the number chooses, and the
 * way down from there. */
static uint32_t fat_tree_detour(const struct topology *t, uint32_t from, uint32_t to, uint64_t number,
                                uint32_t *links) {
  uint32_t up_a = from, down_a = to, b = 0, width = 1, base = 0, top = 0;
  uint32_t bases[LEVELS_MOST], widths[LEVELS_MOST], subtree[LEVELS_MOST];
  for (; up_a != down_a; top++) {
    uint32_t parents = (uint32_t)t->parents[top], p = (uint32_t)(number / width % parents);
    bases[top] = base;
    widths[top] = width;
    subtree[top] = down_a;
    links[top] = base + 2 * ((up_a * width + b) * parents + p);
    base += (uint32_t)(2 * level_nodes(t, top)) * parents;
    b += p * width;
    width *= parents;
    up_a /= (uint32_t)t->size[top];
    down_a /= (uint32_t)t->size[top];
  }
  uint32_t count = top;
  for (uint32_t l = top; l-- > 0;) {
    uint32_t p = b / widths[l];
    b %= widths[l];
    links[count++] = bases[l] + 2 * ((subtree[l] * widths[l] + b) * (uint32_t)t->parents[l] + p) + 1;
  }
  return count;
}

static uint32_t fat_tree_route(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  return fat_tree_detour(t, from, to, to, links);
}

/* The level below the link, and the number of its first link. */
static uint32_t level_of(const struct topology *t, uint32_t link, uint64_t *first) {
  uint32_t level = 0;
  for (*first = 0;; level++) {
    uint64_t count = 2 * level_nodes(t, level) * t->parents[level];
    if (level + 1 == t->level_count || link < *first + count) return level;
    *first += count;
  }
}

static uint32_t fat_tree_class(const struct topology *t, uint32_t link) {
  uint64_t first;
  return level_of(t, link, &first);
}

static void fat_tree_order(const struct topology *t, uint32_t link, uint32_t *section, uint32_t *position) {
  uint32_t level = fat_tree_class(t, link);
  *section = link & 1 ? 2 * LEVELS_MOST - level : level;
  *position = link;
}

static uint32_t fat_tree_reverse(const struct topology *t, uint32_t link) {
  (void)t;
  return link ^ 1;
}

static void fat_tree_print(const struct topology *t, uint32_t link, char *out, size_t size) {
  uint64_t first;
  uint32_t level = level_of(t, link, &first);
  uint64_t number = (link - first) / 2, child = number / t->parents[level], parent = number % t->parents[level];
  const char *what = level ? "switch" : "node";
  if (level)
    snprintf(out, size, "%s %s %" PRIu64 " of level %u, parent %" PRIu64, link & 1 ? "down to" : "up from", what, child,
             level, parent);
  else
    snprintf(out, size, "%s %s %" PRIu64 "", link & 1 ? "to" : "from", what, child);
}

const struct topology_kind fat_tree_topology = {"fat tree",     fat_tree_make,  fat_tree_route,   fat_tree_detour,
                                                fat_tree_order, fat_tree_class, fat_tree_reverse, fat_tree_print};
