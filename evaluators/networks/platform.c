/* SimGrid's platforms: hosts, links, routes, clusters and zones, as its manual has them (simgrid.org, Platform
 * reference). A host is a node, numbered in the order of the file. A link k has the numbers 2 k (up, or both directions
 * where it is SHARED) and 2 k + 1 (down).
 *
 * A point is a host or a router. The way between two of one zone is the route there; of a cluster, the link of one, the
 * backbone, the link of the other. Between points of different zones it is the route between these in the zone that
 * holds both, with the ways to and from its gateways, which lie inside of the zones, so that this comes to an end. */
#include "evaluators/networks/platform.h"
#include "evaluators/networks/memory.h"
#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, IS_ZONE = 1u << 31, DEPTH_MOST = 64, CHECKED_MOST = 4096 };

struct point {
  const char *name;
  uint32_t zone, host; /* host: its number, or NONE */
  uint32_t own;        /* in a cluster: its link, or NONE */
};
struct zone {
  const char *name;
  uint32_t parent, depth;
  bool cluster;
  uint32_t backbone;
};
struct platform_link {
  const char *name;
  double bandwidth, latency;
  bool split;
};
struct route { /* from and to: points, or zones with IS_ZONE */
  uint32_t zone, from, to, gateway_from, gateway_to;
  uint32_t first, count; /* in `steps` */
};

struct platform {
  struct pieces pieces;
  struct point *points;
  struct zone *zones;
  struct platform_link *links;
  struct route *routes;
  uint32_t *steps, *hosts; /* numbers of links; points of hosts */
  uint32_t point_count, point_room, zone_count, zone_room, link_count, link_room, route_count, route_room, step_count,
      step_room, host_count, host_room;
};

/* ---- libxml2 ---- */

#define XML_FUNCTIONS(X) \
  X(xmlReadFile) X(xmlFreeDoc) X(xmlGetProp) X(xmlDocGetRootElement) X(xmlGetLastError) X(xmlGetLineNo)
struct reading {
#define MEMBER(f) __typeof__(f) *f;
  XML_FUNCTIONS(MEMBER)
#undef MEMBER
  struct platform *platform;
  const char *file;
  char *error;
};

static bool xml_load(struct reading *r) {
  void *library = dlopen(PSL_LIBXML, RTLD_NOW | RTLD_LOCAL); /* it stays loaded */
  bool fine = library;
#define FIND(f) fine = fine && (r->f = (__typeof__(f) *)dlsym(library, #f));
  XML_FUNCTIONS(FIND)
#undef FIND
  if (!fine) snprintf(r->error, 200, "libxml2 cannot be loaded, install the package of that name: %.120s", dlerror());
  return fine;
}

static __attribute__((format(printf, 3, 4))) bool wrong(struct reading *r, xmlNodePtr node, const char *format, ...) {
  va_list list;
  int used = snprintf(r->error, 200, "%.60s:%ld: ", r->file, r->xmlGetLineNo(node));
  va_start(list, format);
  vsnprintf(r->error + used, 200 - (size_t)used, format, list);
  va_end(list);
  return false;
}

static bool is(xmlNodePtr node, const char *name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* The attribute's text in the platform's memory; NULL: it has none. */
static const char *text(struct reading *r, xmlNodePtr node, const char *name) {
  xmlChar *value = r->xmlGetProp(node, (const xmlChar *)name);
  if (!value) return NULL;
  size_t size = strlen((const char *)value) + 1;
  char *copy = piece_take(&r->platform->pieces, size);
  memcpy(copy, value, size);
  free(value); /* libxml2's own xmlFree is that, unless somebody sets another */
  return copy;
}

static const char *needed(struct reading *r, xmlNodePtr node, const char *name) {
  const char *value = text(r, node, name);
  if (!value) wrong(r, node, "<%.20s> has no %s", (const char *)node->name, name);
  return value;
}

/* A number with a unit of the table, whose last entry is of no unit. */
struct unit {
  const char *name;
  double value;
};
static const struct unit byte_rates[] = {{"Bps", 1},      {"kBps", 1e3},   {"MBps", 1e6},      {"GBps", 1e9},
                                         {"TBps", 1e12},  {"KiBps", 1024}, {"MiBps", 1 << 20}, {"GiBps", 1 << 30},
                                         {"bps", .125},   {"kbps", 125},   {"Mbps", 125e3},    {"Gbps", 125e6},
                                         {"Tbps", 125e9}, {"", 1},         {NULL, 0}};
static const struct unit times[] = {{"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12},
                                    {"m", 60}, {"h", 3600},  {"", 1},      {NULL, 0}};

static bool figure(struct reading *r, xmlNodePtr node, const char *name, const struct unit *units, bool zero,
                   double *value) {
  const char *given = text(r, node, name);
  if (!given && zero) return true;
  if (!given) return wrong(r, node, "<%.20s> has no %s", (const char *)node->name, name);
  char *end;
  *value = strtod(given, &end);
  while (units->name && strcmp(units->name, end) != 0)
    units++;
  *value *= units->value;
  if (end > given && units->name && isfinite(*value) && (*value > 0 || (zero && *value == 0))) return true;
  return wrong(r, node, "%s is '%.40s'", name, given);
}

/* ---- names ---- */

static uint32_t point_named(const struct platform *p, const char *name) {
  for (uint32_t i = 0; i < p->point_count; i++)
    if (strcmp(p->points[i].name, name) == 0) return i;
  return NONE;
}

static uint32_t zone_named(const struct platform *p, const char *name) {
  for (uint32_t i = 0; i < p->zone_count; i++)
    if (p->zones[i].name && strcmp(p->zones[i].name, name) == 0) return i;
  return NONE;
}

static uint32_t link_named(const struct platform *p, const char *name) {
  for (uint32_t i = 0; i < p->link_count; i++)
    if (strcmp(p->links[i].name, name) == 0) return i;
  return NONE;
}

static bool is_inside(const struct platform *p, uint32_t zone, uint32_t outer) {
  while (zone != NONE && zone != outer)
    zone = p->zones[zone].parent;
  return zone == outer;
}

/* ---- elements ---- */

static void point_add(struct platform *p, const char *name, uint32_t zone, bool host, uint32_t own) {
  PIECE_GROW(&p->pieces, p->points, p->point_count, p->point_room);
  p->points[p->point_count] = (struct point){name, zone, host ? p->host_count : NONE, own};
  if (host) {
    PIECE_GROW(&p->pieces, p->hosts, p->host_count, p->host_room);
    p->hosts[p->host_count++] = p->point_count;
  }
  p->point_count++;
}

static uint32_t link_add(struct platform *p, struct platform_link link) {
  PIECE_GROW(&p->pieces, p->links, p->link_count, p->link_room);
  p->links[p->link_count] = link;
  return p->link_count++;
}

static bool point_read(struct reading *r, xmlNodePtr node, uint32_t zone) {
  const char *name = needed(r, node, "id");
  if (!name) return false;
  if (point_named(r->platform, name) != NONE) return wrong(r, node, "there is another '%.60s'", name);
  point_add(r->platform, name, zone, is(node, "host"), NONE);
  return true;
}

static bool policy(struct reading *r, xmlNodePtr node, const char *name, bool *split) {
  const char *given = text(r, node, name);
  if (!given) return true;
  *split = strcmp(given, "SPLITDUPLEX") == 0 || strcmp(given, "FULLDUPLEX") == 0;
  if (*split || strcmp(given, "SHARED") == 0) return true;
  return wrong(r, node, "%s '%.40s' is not known: links are SHARED or SPLITDUPLEX", name, given);
}

static bool link_read(struct reading *r, xmlNodePtr node) {
  struct platform_link link = {.name = needed(r, node, "id")};
  if (!link.name || !figure(r, node, "bandwidth", byte_rates, false, &link.bandwidth) ||
      !figure(r, node, "latency", times, true, &link.latency) || !policy(r, node, "sharing_policy", &link.split))
    return false;
  if (link_named(r->platform, link.name) != NONE) return wrong(r, node, "there is another link '%.60s'", link.name);
  link_add(r->platform, link);
  return true;
}

static uint32_t zone_add(struct platform *p, const char *name, uint32_t parent, bool cluster) {
  PIECE_GROW(&p->pieces, p->zones, p->zone_count, p->zone_room);
  p->zones[p->zone_count] = (struct zone){name, parent, parent == NONE ? 0 : p->zones[parent].depth + 1, cluster, NONE};
  return p->zone_count++;
}

/* The hosts of a cluster whose numbers are in the radical: 0-3,7. */
static bool cluster_hosts(struct reading *r, xmlNodePtr node, uint32_t zone, const struct platform_link *link) {
  struct platform *p = r->platform;
  const char *radical = needed(r, node, "radical"), *prefix = text(r, node, "prefix"),
             *suffix = text(r, node, "suffix");
  for (const char *at = radical; at;) {
    char *end;
    unsigned long low = strtoul(at, &end, 10), high = low;
    bool fine = end > at;
    if (*end == '-') {
      at = end + 1;
      high = strtoul(at, &end, 10);
      fine = fine && end > at;
    }
    if (!fine || high < low || high > LINKS_MOST / 4 || (*end && *end != ','))
      return wrong(r, node, "radical is '%.60s'", radical);
    for (unsigned long i = low; i <= high; i++) {
      char name[200];
      snprintf(name, sizeof name, "%.80s%lu%.80s", prefix ? prefix : "", i, suffix ? suffix : "");
      size_t size = strlen(name) + 1;
      char *copy = memcpy(piece_take(&p->pieces, size), name, size);
      struct platform_link own = *link;
      own.name = copy;
      point_add(p, copy, zone, true, link_add(p, own));
    }
    at = *end ? end + 1 : NULL;
  }
  return radical != NULL;
}

static bool cluster_read(struct reading *r, xmlNodePtr node, uint32_t parent) {
  struct platform *p = r->platform;
  const char *name = needed(r, node, "id"), *form = text(r, node, "topology"), *router = text(r, node, "router_id");
  struct platform_link link = {.split = true}, backbone = {.name = name};
  if (!name) return false;
  if (form && strcmp(form, "FLAT") != 0) return wrong(r, node, "clusters of topology '%.40s' are not known", form);
  if (zone_named(p, name) != NONE) return wrong(r, node, "there is another zone '%.60s'", name);
  if (!figure(r, node, "bw", byte_rates, false, &link.bandwidth) ||
      !figure(r, node, "lat", times, true, &link.latency) || !policy(r, node, "sharing_policy", &link.split) ||
      !figure(r, node, "bb_bw", byte_rates, true, &backbone.bandwidth) ||
      !figure(r, node, "bb_lat", times, true, &backbone.latency))
    return false;
  uint32_t zone = zone_add(p, name, parent, true);
  if (!cluster_hosts(r, node, zone, &link)) return false;
  if (backbone.bandwidth > 0) p->zones[zone].backbone = link_add(p, backbone);
  if (router) point_add(p, router, zone, false, NONE);
  return true;
}

/* ---- routes ---- */

static bool step_read(struct reading *r, xmlNodePtr node) {
  struct platform *p = r->platform;
  const char *name = needed(r, node, "id"), *direction = text(r, node, "direction");
  if (!name) return false;
  uint32_t link = link_named(p, name);
  if (link == NONE) return wrong(r, node, "there is no link '%.60s'", name);
  bool down = direction && strcmp(direction, "DOWN") == 0;
  if (direction && !down && strcmp(direction, "UP") != 0 && strcmp(direction, "NONE") != 0)
    return wrong(r, node, "direction is '%.40s'", direction);
  PIECE_GROW(&p->pieces, p->steps, p->step_count, p->step_room);
  p->steps[p->step_count++] = 2 * link + (down && p->links[link].split);
  return true;
}

/* An end of a route, which lies in the zone, and the gateway to it. */
static bool end_read(struct reading *r, xmlNodePtr node, uint32_t zone, const char *end, const char *gateway,
                     uint32_t *what, uint32_t *by) {
  const struct platform *p = r->platform;
  bool zones = !is(node, "route");
  const char *name = needed(r, node, end), *through = zones ? needed(r, node, gateway) : NULL;
  if (!name || (zones && !through)) return false;
  *what = zones ? zone_named(p, name) : point_named(p, name);
  uint32_t parent = *what == NONE ? NONE : zones ? p->zones[*what].parent : p->points[*what].zone;
  if (parent != zone || *what == NONE)
    return wrong(r, node, "there is no %s '%.60s' in this zone", zones ? "zone" : "host or router", name);
  *by = zones ? point_named(p, through) : *what;
  if (*by == NONE) return wrong(r, node, "there is no host or router '%.60s'", through);
  if (zones && !is_inside(p, p->points[*by].zone, *what))
    return wrong(r, node, "gateway '%.50s' does not lie in zone '%.50s'", through, name);
  if (zones) *what |= IS_ZONE;
  return true;
}

static void route_add(struct platform *p, struct route route) {
  PIECE_GROW(&p->pieces, p->routes, p->route_count, p->route_room);
  p->routes[p->route_count++] = route;
}

/* The same way back: its links in reverse, the other direction of each. */
static void route_back(struct platform *p, struct route route) {
  uint32_t first = p->step_count;
  for (uint32_t i = route.count; i-- > 0;) {
    uint32_t step = p->steps[route.first + i];
    PIECE_GROW(&p->pieces, p->steps, p->step_count, p->step_room);
    p->steps[p->step_count++] = p->links[step / 2].split ? step ^ 1 : step;
  }
  route_add(p,
            (struct route){route.zone, route.to, route.from, route.gateway_to, route.gateway_from, first, route.count});
}

static bool route_read(struct reading *r, xmlNodePtr node, uint32_t zone) {
  struct platform *p = r->platform;
  struct route route = {.zone = zone, .first = p->step_count};
  if (!end_read(r, node, zone, "src", "gw_src", &route.from, &route.gateway_from) ||
      !end_read(r, node, zone, "dst", "gw_dst", &route.to, &route.gateway_to))
    return false;
  for (xmlNodePtr child = node->children; child; child = child->next)
    if (is(child, "link_ctn") && !step_read(r, child)) return false;
  route.count = p->step_count - route.first;
  route_add(p, route);
  const char *symmetrical = text(r, node, "symmetrical");
  bool back = !symmetrical || (strcmp(symmetrical, "NO") != 0 && strcmp(symmetrical, "no") != 0);
  if (back && route.from != route.to) route_back(p, route);
  return true;
}

/* ---- zones ---- */

static bool is_zone(xmlNodePtr node) { return is(node, "zone") || is(node, "AS"); }

static bool zone_read(struct reading *r, xmlNodePtr node, uint32_t parent, uint32_t depth) {
  static const char *const ignored[] = {"prop", "config", "mount", "storage", "storage_type"};
  const char *name = needed(r, node, "id"), *routing = text(r, node, "routing");
  if (!name) return false;
  if (depth > DEPTH_MOST) return wrong(r, node, "zones are nested more than %d deep", DEPTH_MOST);
  if (zone_named(r->platform, name) != NONE) return wrong(r, node, "there is another zone '%.60s'", name);
  if (routing && strcmp(routing, "Full") != 0 && strcmp(routing, "None") != 0)
    return wrong(r, node, "zones of routing '%.40s' are not known: Full and clusters are", routing);
  uint32_t zone = zone_add(r->platform, name, parent, false);
  for (xmlNodePtr child = node->children; child; child = child->next) { /* routes name what may stand behind them */
    bool fine = child->type != XML_ELEMENT_NODE || is(child, "route") || is(child, "zoneRoute") || is(child, "ASroute");
    if (is_zone(child))
      fine = zone_read(r, child, zone, depth + 1);
    else if (is(child, "host") || is(child, "router"))
      fine = point_read(r, child, zone);
    else if (is(child, "link"))
      fine = link_read(r, child);
    else if (is(child, "cluster"))
      fine = cluster_read(r, child, zone);
    else if (!fine) {
      for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        fine = fine || is(child, ignored[i]);
      if (!fine) wrong(r, child, "<%.40s> is not known", (const char *)child->name);
    }
    if (!fine) return false;
  }
  for (xmlNodePtr child = node->children; child; child = child->next)
    if ((is(child, "route") || is(child, "zoneRoute") || is(child, "ASroute")) && !route_read(r, child, zone))
      return false;
  return true;
}

/* ---- ways ---- */

static int route_compare(const void *a, const void *b) {
  const struct route *x = a, *y = b;
  if (x->zone != y->zone) return x->zone < y->zone ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to == y->to ? 0 : x->to < y->to ? -1 : 1;
}

/* Appends the way to `links`, where there is room; false: there is none. */
static bool way(const struct platform *p, uint32_t from, uint32_t to, uint32_t *links, uint32_t *count) {
  const struct point *a = &p->points[from], *b = &p->points[to];
  if (from == to) return true;
  uint32_t x = a->zone, y = b->zone, below_x = NONE, below_y = NONE;
  if (x == y && p->zones[x].cluster) {
    if (*count + 3 > ROUTE_MOST) return false;
    if (a->own != NONE) links[(*count)++] = 2 * a->own;
    if (p->zones[x].backbone != NONE) links[(*count)++] = 2 * p->zones[x].backbone;
    if (b->own != NONE) links[(*count)++] = 2 * b->own + p->links[b->own].split;
    return true;
  }
  while (x != y) {
    bool first = p->zones[x].depth >= p->zones[y].depth, second = p->zones[y].depth >= p->zones[x].depth;
    if (first) {
      below_x = x;
      x = p->zones[x].parent;
    }
    if (second) {
      below_y = y;
      y = p->zones[y].parent;
    }
  }
  struct route wanted = {
      .zone = x, .from = below_x == NONE ? from : below_x | IS_ZONE, .to = below_y == NONE ? to : below_y | IS_ZONE};
  const struct route *route = bsearch(&wanted, p->routes, p->route_count, sizeof wanted, route_compare);
  if (!route || !way(p, from, route->gateway_from, links, count) || *count + route->count > ROUTE_MOST) return false;
  memcpy(links + *count, p->steps + route->first, route->count * sizeof *links);
  *count += route->count;
  return way(p, route->gateway_to, to, links, count);
}

/* Every host has a way to every other one; those of a cluster are all alike. */
static bool ways_check(struct reading *r, struct topology *t) {
  const struct platform *p = r->platform;
  uint32_t *some = malloc(CHECKED_MOST * sizeof *some), *links = malloc(ROUTE_MOST * sizeof *links), count = 0;
  bool fine = some && links;
  if (!fine) snprintf(r->error, 200, "memory does not suffice");
  for (uint32_t i = 0; fine && i < p->host_count; i++) {
    const struct point *point = &p->points[p->hosts[i]];
    bool third = p->zones[point->zone].cluster && i > 1 && p->points[p->hosts[i - 1]].zone == point->zone &&
                 p->points[p->hosts[i - 2]].zone == point->zone;
    if (third) continue;
    fine = count < CHECKED_MOST;
    if (fine)
      some[count++] = p->hosts[i];
    else
      snprintf(r->error, 200, "%.60s has more than %d hosts outside of clusters", r->file, CHECKED_MOST);
  }
  for (uint32_t i = 0; fine && i < count; i++)
    for (uint32_t k = 0; fine && k < count; k++) {
      uint32_t length = 0;
      fine = way(p, some[i], some[k], links, &length);
      if (!fine)
        snprintf(r->error, 200, "%.60s has no route from '%.50s' to '%.50s'", r->file, p->points[some[i]].name,
                 p->points[some[k]].name);
      if (length > t->longest) t->longest = length;
    }
  free(some);
  free(links);
  return fine;
}

static const char *end_name(const struct platform *p, uint32_t end) {
  return end & IS_ZONE ? p->zones[end & ~IS_ZONE].name : p->points[end].name;
}

static bool tree_read(struct reading *r, xmlDocPtr tree, struct topology *t) {
  struct platform *p = r->platform;
  xmlNodePtr root = r->xmlDocGetRootElement(tree);
  if (!root || !is(root, "platform")) {
    snprintf(r->error, 200, "%.60s is no platform of SimGrid", r->file);
    return false;
  }
  for (xmlNodePtr child = root->children; child; child = child->next)
    if (is_zone(child) && !zone_read(r, child, NONE, 0)) return false;
  if (p->host_count == 0) return wrong(r, root, "the platform has no host");
  if (p->route_count) qsort(p->routes, p->route_count, sizeof *p->routes, route_compare);
  for (uint32_t i = 1; i < p->route_count; i++)
    if (route_compare(&p->routes[i - 1], &p->routes[i]) == 0)
      return wrong(r, root, "there are two routes from '%.50s' to '%.50s'", end_name(p, p->routes[i].from),
                   end_name(p, p->routes[i].to));
  t->nodes = p->host_count;
  t->links = 2 * (uint64_t)p->link_count;
  return ways_check(r, t);
}

bool platform_read(struct psl_host *host, const char *path, struct topology *t, char error[200]) {
  struct platform *p = host->allocate(host, sizeof *p);
  const char *slash = strrchr(path, '/');
  struct reading r = {.platform = p, .file = slash ? slash + 1 : path, .error = error};
  p->pieces.host = host;
  if (!xml_load(&r)) return false;
  xmlDocPtr tree = r.xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  if (!tree) {
    const xmlError *last = r.xmlGetLastError();
    snprintf(error, 200, "%.60s:%d: %.100s", r.file, last ? last->line : 0, last && last->message ? last->message : "");
    error[strcspn(error, "\n")] = '\0';
    return false;
  }
  t->kind = &platform_topology;
  t->platform = p;
  bool fine = tree_read(&r, tree, t);
  r.xmlFreeDoc(tree);
  return fine;
}

/* ---- the topology ---- */

static bool platform_make(struct topology *t, char error[200]) {
  (void)t, (void)error;
  return true; /* it has been read */
}

static uint32_t platform_route(const struct topology *t, uint32_t from, uint32_t to, uint32_t *links) {
  uint32_t count = 0;
  way(t->platform, t->platform->hosts[from], t->platform->hosts[to], links, &count);
  return count;
}

static void platform_order(const struct topology *t, uint32_t link, uint32_t *section, uint32_t *position) {
  (void)t;
  *section = 0;
  *position = link;
}

static uint32_t platform_class(const struct topology *t, uint32_t link) {
  (void)t, (void)link;
  return 0;
}

static uint32_t platform_reverse(const struct topology *t, uint32_t link) {
  return t->platform->links[link / 2].split ? link ^ 1 : link;
}

static void platform_print(const struct topology *t, uint32_t link, char *out, size_t size) {
  const struct platform_link *l = &t->platform->links[link / 2];
  snprintf(out, size, "%.60s%s", l->name, !l->split ? "" : link & 1 ? " down" : " up");
}

static double platform_bandwidth(const struct topology *t, uint32_t link) {
  return t->platform->links[link / 2].bandwidth;
}

static double platform_latency(const struct topology *t, uint32_t link) { return t->platform->links[link / 2].latency; }

const struct topology_kind platform_topology = {
    .name = "platform",
    .make = platform_make,
    .route = platform_route,
    .order = platform_order,
    .class_of = platform_class,
    .reverse = platform_reverse,
    .print = platform_print,
    .bandwidth = platform_bandwidth,
    .latency = platform_latency,
};
