/* The network that a system is: its customers' ways, walked one by one, customers with the same way joined into
 * classes, the accepts that these ways lead to as stations. Called by solve.c and by the executor. */
#include "interp/queueing/way.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 50000000 };

struct draft { /* a class, while customers join it */
  const struct model_accept *accept;
  uint32_t first, instances; /* the first instance, the number of them */
  bool open;
  double population, rate, arrival_scv, think;
  bool poisson;
  struct use *uses;
  uint32_t use_count;
  uint32_t *order;                    /* as in a way; NULL: it is not the same in each cycle */
  int64_t indices[COMPONENT_INDICES]; /* of the first instance */
  uint64_t varies;                    /* a bit an index that others of the class have another value of */
};

struct drafts {
  struct extractor *x;
  struct draft *items;
  uint32_t count, capacity;
  uint32_t **class_of; /* by accept, by place of the instance; UINT32_MAX: nobody starts there */
};

/* ---- classes ---- */

static bool same_uses(const struct draft *draft, const struct way *way) {
  if (draft->use_count != way->use_count) return false;
  for (uint32_t i = 0; i < way->use_count; i++) {
    const struct use *a = &draft->uses[i], *b = &way->uses[i];
    if (a->station != b->station || a->visits != b->visits || a->mean != b->mean || a->square != b->square ||
        a->exponential != b->exponential || a->priority != b->priority)
      return false;
  }
  return true;
}

static bool has_order(const struct way *way) { return way->use_count && !way->varies; }

static bool same_order(const struct draft *draft, const struct way *way) {
  return has_order(way) && draft->order && !memcmp(draft->order, way->order, way->use_count * sizeof *way->order);
}

/* The class of the way in hand, a new one if need be; the latest are looked at first. */
static struct draft *class_find(struct drafts *drafts, const struct start *start, bool open, double think,
                                double arrival_scv, bool poisson) {
  struct extractor *x = drafts->x;
  for (uint32_t i = drafts->count; i-- > 0;) {
    struct draft *draft = &drafts->items[i];
    if (draft->accept == start->accept && draft->open == open && draft->think == think &&
        draft->arrival_scv == arrival_scv && draft->poisson == poisson && same_uses(draft, &x->way)) {
      if (!same_order(draft, &x->way)) draft->order = NULL;
      return draft;
    }
  }
  struct draft fresh = {.accept = start->accept,
                        .first = start->instance,
                        .open = open,
                        .think = think,
                        .arrival_scv = arrival_scv,
                        .poisson = poisson,
                        .uses = ARENA_ARRAY(x->arena, struct use, x->way.use_count),
                        .use_count = x->way.use_count};
  if (x->way.use_count) memcpy(fresh.uses, x->way.uses, x->way.use_count * sizeof *fresh.uses);
  if (has_order(&x->way)) {
    fresh.order = ARENA_ARRAY(x->arena, uint32_t, x->way.use_count);
    memcpy(fresh.order, x->way.order, x->way.use_count * sizeof *fresh.order);
  }
  graph_indices(x->graph, start->instance, fresh.indices);
  ARENA_PUSH(x->arena, drafts->items, drafts->count, drafts->capacity, fresh);
  return &drafts->items[drafts->count - 1];
}

/* Where the number of the class stands whose customers start there. */
static uint32_t *class_at(struct drafts *drafts, const struct start *start) {
  struct extractor *x = drafts->x;
  const struct instances *instances = &x->graph->instances[start->accept->component->id];
  uint32_t **row = &drafts->class_of[start->accept->id];
  if (!*row) {
    *row = ARENA_ARRAY(x->arena, uint32_t, instances->count);
    memset(*row, 0xff, instances->count * sizeof **row);
  }
  return &(*row)[start->instance - instances->first];
}

static bool class_join(struct drafts *drafts, struct draft *draft, const struct start *start, double population,
                       double rate) {
  int64_t indices[COMPONENT_INDICES];
  uint32_t class = (uint32_t)(draft - drafts->items), *at = class_at(drafts, start);
  if (*at != UINT32_MAX && *at != class)
    return way_refuse(drafts->x, start->span, "those who arrive here come from sources that are not alike");
  graph_indices(drafts->x->graph, start->instance, indices);
  for (uint32_t k = 0; k < start->accept->component->index_count; k++)
    if (indices[k] != draft->indices[k]) draft->varies |= (uint64_t)1 << k;
  draft->population += population;
  draft->rate += rate;
  draft->instances += *at == UINT32_MAX;
  *at = class;
  return true;
}

/* A loop that starts others: its time is that between arrivals. */
static bool arrivals_add(struct drafts *drafts, const struct start *source) {
  struct extractor *x = drafts->x;
  struct start start = x->way.starts[0];
  struct times between = x->way.away;
  double scv;
  if (x->way.start_count > 1) return way_refuse(x, x->way.starts[1].span, "a source starts one customer at a time");
  if (x->way.calls || x->way.use_count)
    return way_refuse(x, start.span, "a loop that starts customers does nothing else than hold between them");
  if (start.number > 1)
    return way_refuse(x, start.span, "a source starts one customer at a time, not %g", start.number);
  if (!(between.mean > 0)) return way_refuse(x, start.span, "no time is between arrivals");
  scv = 1 + start.number * (between.variance / (between.mean * between.mean) - 1);
  if (between.exponential) scv = 1;
  double rate = source->number * start.number / between.mean;
  start.number = INFINITY; /* may be there at once */
  if (!way_walk(x, &start)) return false;
  if (x->way.closed) return way_refuse(x, start.span, "customers that arrive loop, and never leave");
  return class_join(drafts, class_find(drafts, &start, true, x->way.away.mean, scv, between.exponential), &start, 0,
                    rate);
}

static bool customer_add(struct drafts *drafts, const struct start *start) {
  struct extractor *x = drafts->x;
  if (!way_walk(x, start)) return false;
  if (!x->way.closed)
    return way_refuse(x, start->accept->syntax->span,
                      "a customer that starts here neither comes back nor is a source of others");
  if (x->way.start_count) return arrivals_add(drafts, start);
  return class_join(drafts, class_find(drafts, start, false, x->way.away.mean, 1, false), start, start->number, 0);
}

/* ---- where customers start ---- */

struct starts {
  struct start *items;
  uint32_t count, capacity;
  uint32_t **place; /* by accept id, by place of the instance: 1 + its place among the items */
};

static bool start_add(struct extractor *x, struct starts *starts, struct start start) {
  const struct instances *all = &x->graph->instances[start.accept->component->id];
  uint32_t **row = &starts->place[start.accept->id];
  if (!*row) *row = ARENA_ARRAY(x->arena, uint32_t, all->count);
  uint32_t *place = &(*row)[start.instance - all->first];
  if (*place) {
    starts->items[*place - 1].number += start.number;
    if (way_same_arguments(start.accept, starts->items[*place - 1].arguments, start.arguments)) return true;
    return way_refuse(x, start.span, "customers start here with other arguments than others do");
  }
  ARENA_PUSH(x->arena, starts->items, starts->count, starts->capacity, start);
  *place = starts->count;
  return true;
}

static bool starts_find(struct extractor *x, struct starts *starts) {
  const struct model_component *system = x->graph->system;
  int64_t none[1] = {0};
  struct stay stay = {.instance = x->graph->instances[system->id].first, .indices = none, .visits = 1};
  stay.locals = ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1);
  for (uint32_t i = 0; i < system->request_count; i++) {
    const struct model_request *request = system->requests[i];
    struct aim aim;
    if (request->protocol != PROTOCOL_DATAFLOW)
      return way_refuse(x, request->syntax->span, "a system starts customers by dataflow");
    if (!way_aim(x, &stay, request, stay.locals, &aim)) return false;
    if (aim.visits != floor(aim.visits)) return way_refuse(x, request->visits->span, "a number of customers is whole");
    if (aim.visits > 1e15) return way_refuse(x, request->visits->span, "more than 1e15 customers");
    for (uint32_t t = 0; t < aim.count && aim.visits > 0; t++) {
      struct start start = {x->model->accepts[aim.targets[t].accept], aim.targets[t].instance, aim.arguments[t],
                            aim.visits, request->syntax->span};
      if (!x->graph->reach[start.accept->id].full)
        return way_refuse(x, start.accept->syntax->span, "a firing here waits for more than one token");
      if (!start_add(x, starts, start)) return false;
    }
  }
  return true;
}

/* ---- names ---- */

static bool starts_elsewhere(const struct drafts *drafts, const struct draft *draft) {
  for (uint32_t i = 0; i < drafts->count; i++)
    if (drafts->items[i].accept != draft->accept && drafts->items[i].accept->component == draft->accept->component)
      return true;
  return false;
}

/* customer[c=0]: by the indices that are the same in the class, and not the same in all of its kind. */
static const char *class_name(const struct drafts *drafts, const struct draft *draft) {
  const struct model_component *component = draft->accept->component;
  struct text text = {.arena = drafts->x->arena};
  uint64_t differs = 0;
  uint32_t same = 0;
  for (uint32_t i = 0; i < drafts->count; i++) {
    const struct draft *other = &drafts->items[i];
    if (other->accept->component != component) continue;
    same++;
    for (uint32_t k = 0; k < component->index_count; k++)
      if (other->indices[k] != draft->indices[k]) differs |= (uint64_t)1 << k;
  }
  differs &= ~draft->varies;
  if (same > 1 && !differs && component->index_count) {
    graph_instance_print(&text, drafts->x->graph, draft->first);
  } else {
    bool some = false;
    text_put(&text, component->symbol->name->text);
    for (uint32_t k = 0; k < component->index_count; k++) {
      if (!(differs >> k & 1)) continue;
      text_printf(&text, "%s%s=%lld", some ? ", " : "[", component->indices[k]->name->text,
                  (long long)draft->indices[k]);
      some = true;
    }
    if (some) text_char(&text, ']');
  }
  if (starts_elsewhere(drafts, draft)) text_printf(&text, ".%s", draft->accept->transaction->symbol->name->text);
  return text.data;
}

const char *network_station_name(const struct graph *graph, struct arena *arena, const struct network_station *stations,
                                 uint32_t count, uint32_t station) {
  struct text text = {.arena = arena};
  graph_instance_print(&text, graph, stations[station].instance);
  for (uint32_t i = 0; i < count; i++)
    if (stations[i].instance == stations[station].instance && i != station) {
      text_printf(&text, ".%s", stations[station].accept->transaction->symbol->name->text);
      break;
    }
  return text.data;
}

/* ---- the network ---- */

struct station_place {
  uint32_t component, accept, instance, station;
};

static int station_order(const void *a, const void *b) {
  const struct station_place *x = a, *y = b;
  if (x->component != y->component) return x->component < y->component ? -1 : 1;
  if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
  return x->accept < y->accept ? -1 : x->accept > y->accept;
}

/* By station as it was met: its place in the network. */
static uint32_t *stations_sort(const struct extractor *x, struct network_station *sorted) {
  struct station_place *places = ARENA_ARRAY(x->arena, struct station_place, x->station_count);
  uint32_t *to = ARENA_ARRAY(x->arena, uint32_t, x->station_count);
  for (uint32_t i = 0; i < x->station_count; i++)
    places[i] = (struct station_place){x->stations[i].accept->component->id, x->stations[i].accept->id,
                                       x->stations[i].instance, i};
  if (x->station_count) qsort(places, x->station_count, sizeof *places, station_order);
  for (uint32_t i = 0; i < x->station_count; i++) {
    to[places[i].station] = i;
    sorted[i] = x->stations[places[i].station];
  }
  return to;
}

static bool rates_fill(struct extractor *x, const struct network_station *station, struct psl_station *out) {
  const struct expr *rates = station->accept->rates;
  struct value list;
  if (!rates || isinf(out->servers)) return true;
  if (!way_rates(x, station->accept, station->instance, &list)) return false;
  double *numbers = ARENA_ARRAY(x->arena, double, list.object->count);
  for (uint32_t i = 0; i < list.object->count; i++) {
    const struct value *item = &list.object->items[i];
    numbers[i] = item->kind == VALUE_INT ? (double)item->integer : item->real;
    if (numbers[i] > 0) continue;
    diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, rates->span,
                   "a rate of work must be greater than 0: it is %g", numbers[i]);
    return false;
  }
  out->rates = numbers;
  out->rate_count = list.object->count;
  if (out->rate_count) return true;
  diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, rates->span, "at least one rate of work is wanted");
  return false;
}

static bool stations_fill(struct extractor *x, struct network *network, struct psl_station *stations) {
  for (uint32_t i = 0; i < x->station_count; i++) {
    const struct network_station *station = &network->stations[i];
    stations[i].name = network_station_name(x->graph, x->arena, network->stations, x->station_count, i);
    stations[i].discipline = station->accept->discipline;
    if (!way_servers(x, station->accept, station->instance, &stations[i].servers) ||
        !rates_fill(x, station, &stations[i]))
      return false;
  }
  return true;
}

/* The stations of a cycle by their places in the network; NULL where a cycle is not known in order. */
static const uint32_t *way_fill(const struct drafts *drafts, const struct draft *draft, const uint32_t *to) {
  if (!draft->order) return NULL;
  uint32_t *way = ARENA_ARRAY(drafts->x->arena, uint32_t, draft->use_count);
  for (uint32_t i = 0; i < draft->use_count; i++)
    way[i] = to[draft->order[i]];
  return way;
}

static struct psl_customers *classes_fill(const struct drafts *drafts, struct network *network, const uint32_t *to) {
  struct arena *arena = drafts->x->arena;
  struct psl_customers *classes = ARENA_ARRAY(arena, struct psl_customers, drafts->count);
  struct network_class *places = ARENA_ARRAY(arena, struct network_class, drafts->count);
  for (uint32_t c = 0; c < drafts->count; c++) {
    const struct draft *draft = &drafts->items[c];
    places[c] = (struct network_class){draft->accept, draft->first, draft->instances};
    classes[c] = (struct psl_customers){.name = class_name(drafts, draft),
                                        .open = draft->open,
                                        .population = (uint64_t)draft->population,
                                        .think = draft->think,
                                        .rate = draft->rate,
                                        .arrival_scv = draft->arrival_scv,
                                        .poisson = draft->poisson,
                                        .way = way_fill(drafts, draft, to),
                                        .way_length = draft->order ? draft->use_count : 0};
  }
  network->classes = places;
  return classes;
}

static bool network_fill(struct drafts *drafts, struct network *network) {
  struct extractor *x = drafts->x;
  size_t cells = (size_t)x->station_count * drafts->count;
  if (cells > CELLS) {
    diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, x->graph->system->symbol->span,
                   "%u stations and %u classes are more than can be solved", x->station_count, drafts->count);
    return false;
  }
  struct network_station *sorted = ARENA_ARRAY(x->arena, struct network_station, x->station_count);
  uint32_t *to = stations_sort(x, sorted);
  struct psl_station *stations = ARENA_ARRAY(x->arena, struct psl_station, x->station_count);
  double *visits = ARENA_ARRAY(x->arena, double, cells), *demand = ARENA_ARRAY(x->arena, double, cells);
  struct psl_service *service = ARENA_ARRAY(x->arena, struct psl_service, cells);
  network->stations = sorted;
  if (!stations_fill(x, network, stations)) return false;
  for (uint32_t c = 0; c < drafts->count; c++)
    for (uint32_t i = 0; i < drafts->items[c].use_count; i++) {
      const struct use *use = &drafts->items[c].uses[i];
      size_t cell = (size_t)to[use->station] * drafts->count + c;
      double mean = use->visits > 0 ? use->mean / use->visits : 0;
      double scv = mean > 0 ? fmax(0, use->square / use->visits / (mean * mean) - 1) : 0;
      visits[cell] = use->visits;
      demand[cell] = use->mean;
      service[cell] = (struct psl_service){use->exponential ? 1 : scv, use->exponential, use->priority};
    }
  network->net = (struct psl_network){.station_count = x->station_count,
                                      .class_count = drafts->count,
                                      .stations = stations,
                                      .classes = classes_fill(drafts, network, to),
                                      .visits = visits,
                                      .demand = demand,
                                      .service = service};
  network->class_of = drafts->class_of;
  return true;
}

/* An accept that customers start at, with one server which is theirs, and that others come to. */
static bool starts_test(struct extractor *x, const struct starts *starts) {
  for (uint32_t i = 0; i < starts->count; i++) {
    const struct start *start = &starts->items[i];
    const uint32_t *row = x->station_of[start->accept->id];
    double servers;
    x->begin = *start;
    if (!row || !row[start->instance - x->graph->instances[start->accept->component->id].first]) continue;
    if (!way_servers(x, start->accept, start->instance, &servers)) return false;
    if (start->number <= servers && !isinf(servers))
      return way_refuse(x, start->accept->syntax->span, "customers start here, and others wait for the same server");
  }
  return true;
}

/* Its server is the clock of its instance. */
static bool is_clock(const struct model_accept *accept) {
  return accept->protocol == PROTOCOL_DATAFLOW && !accept->servers && !accept->unlimited;
}

/* Accepts that wait for the same clock would be two stations. */
static bool clocks_test(struct drafts *drafts) {
  struct extractor *x = drafts->x;
  for (uint32_t s = 0; s < x->station_count; s++) {
    const struct model_accept *accept = x->stations[s].accept;
    const struct model_component *component = accept->component;
    uint32_t place = x->stations[s].instance - x->graph->instances[component->id].first;
    for (uint32_t a = 0; is_clock(accept) && a < component->accept_count; a++) {
      const struct model_accept *other = component->accepts[a];
      const uint32_t *stations = x->station_of[other->id], *classes = drafts->class_of[other->id];
      if (other == accept || !is_clock(other)) continue;
      if ((stations && stations[place]) || (classes && classes[place] != UINT32_MAX))
        return way_refuse(x, accept->syntax->span,
                          "another accept on a way shares the server, the clock of its instance");
    }
  }
  return true;
}

static struct network *extract(struct extractor *x) {
  struct drafts drafts = {.x = x, .class_of = ARENA_ARRAY(x->arena, uint32_t *, x->model->accept_count)};
  struct starts starts = {.place = ARENA_ARRAY(x->arena, uint32_t *, x->model->accept_count)};
  struct network *network = ARENA_NEW(x->arena, struct network);
  if (!starts_find(x, &starts)) return NULL;
  x->lasting = x->scratch; /* what the starts are given stays */
  arena_open(&x->scratch, x->arena->memory);
  bool fine = true;
  for (uint32_t i = 0; fine && i < starts.count; i++) {
    fine = customer_add(&drafts, &starts.items[i]);
    arena_reset(&x->scratch);
  }
  fine = fine && starts_test(x, &starts) && clocks_test(&drafts) && network_fill(&drafts, network);
  return fine ? network : NULL;
}

static void extractor_close(void *user) {
  struct extractor *x = user;
  arena_close(&x->scratch);
  arena_close(&x->lasting);
  arena_close(&x->said);
}

struct network *network_extract(struct graph *graph, struct arena *arena, const struct network_options *options) {
  struct extractor *x = ARENA_NEW(arena, struct extractor);
  struct arena_deferred *deferred = ARENA_NEW(arena, struct arena_deferred);
  struct model *model = graph->model;
  struct diagnostics quiet = {.sources = model->sources}, *loud = model->diagnostics;
  *x = (struct extractor){.graph = graph, .model = model, .arena = arena, .options = options};
  x->station_of = ARENA_ARRAY(arena, uint32_t *, model->accept_count);
  arena_open(&x->scratch, arena->memory);
  arena_open(&x->lasting, arena->memory);
  arena_open(&x->said, arena->memory);
  *deferred = (struct arena_deferred){.run = extractor_close, .user = x};
  arena_defer(arena, deferred);
  quiet.arena = x->said;
  if (!options->by) model->diagnostics = &quiet;
  struct network *network = extract(x);
  model->diagnostics = loud;
  x->said = quiet.arena;
  extractor_close(x);
  return network;
}
