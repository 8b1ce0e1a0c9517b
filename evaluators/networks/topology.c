/* What all topologies have in common. */
#include "evaluators/networks/topology.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

uint64_t topology_product(uint64_t a, uint64_t b) { return a && b > LINKS_MOST / a ? LINKS_MOST + 1 : a * b; }

bool topology_count_check(const struct topology *t, const char *of, uint32_t least, uint32_t most, char error[200]) {
  if (t->level_count >= least && t->level_count <= most) return true;
  if (t->level_count == 0)
    snprintf(error, 200, "a %s needs dimensions: %s", t->kind->name, of);
  else
    snprintf(error, 200, "%u are no dimensions of a %s, which are %s", t->level_count, t->kind->name, of);
  return false;
}

static uint64_t scramble(uint64_t x) { /* splitmix64 (Steele, Lea, Flood 2014) */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint64_t topology_number(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return scramble(scramble(scramble(scramble(a) ^ b) ^ c) ^ d);
}

/* One figure for all links, or one for each class. */
static bool figures_check(const struct topology *t, const char *what, const double *figures, uint32_t count,
                          const char *unit, bool zero, char error[200]) {
  if (count != 1 && count != t->class_count) {
    snprintf(error, 200, "a %s takes one of the %s or %u, one for each class of links, and %u are given", t->kind->name,
             what, t->class_count, count);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (isfinite(figures[i]) && figures[i] >= 0 && (zero || figures[i] > 0)) continue;
    snprintf(error, 200, "%g %s is among the %s, and must be %s 0", figures[i], unit, what,
             zero ? "at least" : "above");
    return false;
  }
  return true;
}

bool topology_make(struct topology *t, char error[200]) {
  if (!t->kind->make(t, error)) return false;
  if (t->links > LINKS_MOST || t->longest > ROUTE_MOST) {
    snprintf(error, 200, "a %s of this size has more than %d links, or ways over more than %d", t->kind->name,
             LINKS_MOST, ROUTE_MOST);
    return false;
  }
  return figures_check(t, "bandwidths", t->bandwidth, t->bandwidth_count, "byte/s", false, error) &&
         figures_check(t, "latencies", t->latency, t->latency_count, "s", true, error);
}

uint32_t topology_route(const struct topology *t, uint32_t from, uint32_t to, double bytes, double start,
                        uint32_t *links) {
  if (t->routing == ROUTE_MINIMAL || !t->kind->detour) return t->kind->route(t, from, to, links);
  uint64_t size, time;
  memcpy(&size, &bytes, sizeof size);
  memcpy(&time, &start, sizeof time);
  return t->kind->detour(t, from, to, topology_number(from, to, size, time), links);
}

uint32_t topology_capacity(const struct topology *t, uint32_t link) {
  if (!t->shared) return link;
  uint32_t other = t->kind->reverse(t, link);
  return other < link ? other : link;
}

double topology_bandwidth(const struct topology *t, uint32_t link) {
  if (t->kind->bandwidth) return t->kind->bandwidth(t, link);
  return t->bandwidth[t->bandwidth_count == 1 ? 0 : t->kind->class_of(t, link)];
}

double topology_latency(const struct topology *t, uint32_t link) {
  if (t->kind->latency) return t->kind->latency(t, link);
  return t->latency[t->latency_count == 1 ? 0 : t->kind->class_of(t, link)];
}

void topology_print(const struct topology *t, char *out, size_t size) {
  int used = snprintf(out, size, "%s", t->kind->name);
  for (uint32_t i = 0; i < t->level_count && used >= 0 && (size_t)used < size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s%" PRIu64, i ? " x " : " of ", t->size[i]);
}
