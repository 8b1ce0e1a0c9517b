/* The outline of a network whose bodies no numbers can tell, as they choose at random or by the clock: who is a
 * customer and what is a station, by the requests that lead from accept to accept; how often and for how long is for
 * the run to observe. Called by run_graph.
 *
 * Customers start where the system's requests lead. An accept there that calls no station and sends tokens to accepts
 * which do not lead back to it is a source: its customers start at those. Tokens of customers that do not lead back to
 * where they start, but to stations, start customers of another class. All other accepts of the evaluation mode
 * simulation[queueing], and those on a customer's way that have servers or hold, are stations, each instance one. */
#include "grammar/children.h"
#include "interp/queueing/queueing.h"
#include <math.h>
#include <string.h>

struct outline {
  struct graph *graph;
  struct model *model;
  struct arena *arena;
  bool *simulated; /* by accept: its evaluation mode is simulation[queueing] */
  bool *passed;    /* by accept: the walk in hand has been there */
  bool *reached;   /* by accept: customers come to it */
  bool *walked;    /* by accept: whom a class starts there is known */
  bool *source;    /* by accept */
  uint32_t **class_of;
  double **number;               /* as class_of: customers of that place at once, infinity: any number */
  double sent;                   /* by the request in hand to each target */
  struct network_class *classes; /* at most one an accept */
  bool *open;                    /* by class */
  uint32_t class_count;
};

static bool is_simulated(struct graph *graph, const struct model_accept *accept) {
  const struct names *names = graph->model->names;
  const struct instances *instances = &graph->instances[accept->component->id];
  const struct name *mode = name_known(graph->model->names, KNOWN_EVALUATION_MODE);
  struct value value;
  if (!instances->count || !graph_attribute(graph, accept, instances->first, mode, NULL, &value)) return false;
  return value.kind == VALUE_TERM && value.term.head && value.term.qualifier &&
         name_is(names->by_id[value.term.head], KNOWN_SIMULATION) &&
         name_is(names->by_id[value.term.qualifier], KNOWN_QUEUEING);
}

/* Does a visit take time here, or wait for a server? The evaluation mode need not say so. */
static bool serves(const struct model_accept *accept) {
  return (accept->servers && !accept->unlimited) || block_has(accept->body, STMT_HOLD);
}

/* ---- where requests lead ---- */

/* instance: INSTANCE_NONE stands for all. */
typedef bool see_target(struct outline *outline, struct target target, const struct model_accept *user);

static bool late_leads(struct outline *outline, const struct binding *binding, see_target *see,
                       const struct model_accept *user) {
  for (uint32_t i = 0; i < binding->candidate_count; i++)
    if (see(outline, (struct target){INSTANCE_NONE, binding->candidates[i]->id}, user)) return true;
  return false;
}

/* The targets that the request has for some instance of its component; true as soon as `see` is. */
static bool request_leads(struct outline *outline, const struct model_request *request, see_target *see,
                          const struct model_accept *user) {
  const struct binding *binding = &outline->graph->bindings[request->id];
  struct target target = binding->target;
  uint32_t count = outline->graph->instances[request->component->id].count;
  if (binding->kind == BINDING_ABSENT) return false;
  if (binding->kind == BINDING_LATE) return late_leads(outline, binding, see, user);
  if (binding->kind == BINDING_SAME) return target.instance < INSTANCE_ABSENT && see(outline, target, user);
  if (binding->kind == BINDING_EVERY) count = binding->starts[count];
  for (uint32_t i = 0; i < count; i++) {
    target.instance = binding_target(binding, i);
    target.accept = binding->accept ? binding->accept->id : binding->accepts[i];
    if (target.instance < INSTANCE_ABSENT && see(outline, target, user)) return true;
  }
  return false;
}

/* Where a firing of the accept leads by the protocol. */
static bool accept_leads(struct outline *outline, const struct model_accept *accept, enum protocol protocol,
                         see_target *see, const struct model_accept *user) {
  const struct model_component *component = accept->component;
  for (uint32_t i = 0; i < component->request_count; i++)
    if (component->requests[i]->protocol == protocol && accept_makes(accept, component->requests[i]) &&
        request_leads(outline, component->requests[i], see, user))
      return true;
  return false;
}

static bool arrives(struct outline *outline, struct target target, const struct model_accept *at) {
  const struct model_accept *accept = outline->model->accepts[target.accept];
  if (accept == at) return true;
  if (outline->passed[accept->id]) return false;
  outline->passed[accept->id] = true;
  return accept_leads(outline, accept, PROTOCOL_DATAFLOW, arrives, at) ||
         accept_leads(outline, accept, PROTOCOL_CALL_RETURN, arrives, at);
}

/* Does what the accept sends lead back to it? */
static bool comes_back(struct outline *outline, const struct model_accept *accept) {
  memset(outline->passed, 0, outline->model->accept_count * sizeof *outline->passed);
  return accept_leads(outline, accept, PROTOCOL_DATAFLOW, arrives, accept);
}

static bool leaves(struct outline *outline, struct target target, const struct model_accept *from) {
  memset(outline->passed, 0, outline->model->accept_count * sizeof *outline->passed);
  return !arrives(outline, target, from);
}

static bool is_station(struct outline *outline, struct target target, const struct model_accept *user) {
  (void)user;
  return outline->simulated[target.accept] || serves(outline->model->accepts[target.accept]);
}

/* Here, or in what is called or sent a token from here. */
static bool is_served(struct outline *outline, struct target target, const struct model_accept *user) {
  const struct model_accept *accept = outline->model->accepts[target.accept];
  if (is_station(outline, target, user)) return true;
  if (outline->passed[accept->id]) return false;
  outline->passed[accept->id] = true;
  return accept_leads(outline, accept, PROTOCOL_CALL_RETURN, is_served, user) ||
         accept_leads(outline, accept, PROTOCOL_DATAFLOW, is_served, user);
}

/* ---- customers ---- */

static void class_add(struct outline *outline, const struct model_accept *accept, bool open) {
  const struct instances *instances = &outline->graph->instances[accept->component->id];
  uint32_t *row = outline->class_of[accept->id] = ARENA_ARRAY(outline->arena, uint32_t, instances->count);
  memset(row, 0xff, instances->count * sizeof *row);
  outline->number[accept->id] = ARENA_ARRAY(outline->arena, double, instances->count);
  outline->open[outline->class_count] = open;
  outline->classes[outline->class_count++] = (struct network_class){accept, instances->first, instances->count, false};
}

/* Does nothing at a station, and starts others that do not come back; else it is a customer that goes on elsewhere. */
static bool is_source(struct outline *outline, const struct model_accept *accept, bool begins) {
  return (begins || comes_back(outline, accept)) &&
         !accept_leads(outline, accept, PROTOCOL_CALL_RETURN, is_station, NULL) &&
         accept_leads(outline, accept, PROTOCOL_DATAFLOW, leaves, accept);
}

static bool start_at(struct outline *outline, struct target target, const struct model_accept *source);

static bool start_behind(struct outline *outline, struct target target, const struct model_accept *source) {
  return leaves(outline, target, source) && start_at(outline, target, source);
}

/* ---- whom customers start ---- */

static bool walk_on(struct outline *outline, const struct model_accept *accept, const struct model_accept *class);

static bool walk_called(struct outline *outline, struct target target, const struct model_accept *class) {
  bool seen = outline->walked[target.accept];
  outline->walked[target.accept] = true;
  return !seen && walk_on(outline, outline->model->accepts[target.accept], class);
}

/* A token that leads back is the customer itself; another starts one of a class of its own, where that is served. */
static bool walk_sent(struct outline *outline, struct target target, const struct model_accept *class) {
  const struct model_accept *accept = outline->model->accepts[target.accept];
  if (accept == class) return false;
  if (!leaves(outline, target, class)) return walk_called(outline, target, class);
  memset(outline->passed, 0, outline->model->accept_count * sizeof *outline->passed);
  if (!is_served(outline, target, class)) return false;
  start_at(outline, target, class);
  for (uint32_t c = 0; c < outline->class_count; c++)
    if (outline->classes[c].accept == accept) outline->classes[c].started = outline->open[c];
  return false;
}

/* Never true: all requests are looked at. */
static bool walk_on(struct outline *outline, const struct model_accept *accept, const struct model_accept *class) {
  return accept_leads(outline, accept, PROTOCOL_CALL_RETURN, walk_called, class) ||
         accept_leads(outline, accept, PROTOCOL_DATAFLOW, walk_sent, class);
}

/* Of customers that come back to where they start. */
static void starts_find(struct outline *outline, const struct model_accept *class) {
  if (!comes_back(outline, class)) return;
  memset(outline->walked, 0, outline->model->accept_count * sizeof *outline->walked);
  walk_on(outline, class, class);
}

/* Customers start at the target, sent by the source (NULL: the system). Never true: all targets are looked at. */
static bool start_at(struct outline *outline, struct target target, const struct model_accept *source) {
  const struct model_accept *accept = outline->model->accepts[target.accept];
  const struct instances *instances = &outline->graph->instances[accept->component->id];
  if (outline->source[accept->id]) return false;
  if (!outline->class_of[accept->id]) {
    outline->source[accept->id] = is_source(outline, accept, !source);
    if (outline->source[accept->id]) return accept_leads(outline, accept, PROTOCOL_DATAFLOW, start_behind, accept);
    class_add(outline, accept, source);
  }
  uint32_t *row = outline->class_of[accept->id], class = outline->class_count;
  while (outline->classes[--class].accept != accept)
    ;
  for (uint32_t k = 0; k < instances->count; k++) {
    if (target.instance != INSTANCE_NONE && target.instance != instances->first + k) continue;
    row[k] = class;
    outline->number[accept->id][k] += source ? INFINITY : outline->sent;
  }
  return false;
}

/* ---- the network ---- */

/* A number in the environment, quietly; `otherwise` where none is known before the run. */
static double number_known(struct outline *outline, const struct expr *expr, const int64_t *indices, double otherwise) {
  struct model *model = outline->model;
  struct diagnostics quiet = {.sources = model->sources}, *loud = model->diagnostics;
  struct environment environment = {.model = model,
                                    .scratch = outline->arena,
                                    .locals = ARENA_ARRAY(outline->arena, struct value, model->slot_max + 1),
                                    .indices = indices};
  struct value value;
  arena_open(&quiet.arena, outline->arena->memory);
  model->diagnostics = &quiet;
  bool known = evaluate_as(&environment, expr, model->types.real, &value);
  model->diagnostics = loud;
  arena_close(&quiet.arena);
  return known ? value.real : otherwise;
}

/* Customers wait where more of them start than are served at once. */
static bool is_crowded(struct outline *outline, const struct model_accept *accept) {
  const struct instances *instances = &outline->graph->instances[accept->component->id];
  int64_t indices[COMPONENT_INDICES];
  for (uint32_t k = 0; k < instances->count && !accept->unlimited; k++) {
    if (outline->class_of[accept->id][k] == UINT32_MAX) continue;
    graph_indices(outline->graph, instances->first + k, indices);
    if (outline->number[accept->id][k] >
        (accept->servers ? number_known(outline, accept->servers, indices, INFINITY) : 1))
      return true;
  }
  return false;
}

static bool reach(struct outline *outline, struct target target, const struct model_accept *user) {
  const struct model_accept *accept = outline->model->accepts[target.accept];
  if (outline->reached[accept->id]) return false;
  outline->reached[accept->id] = true;
  return accept_leads(outline, accept, PROTOCOL_CALL_RETURN, reach, user) ||
         accept_leads(outline, accept, PROTOCOL_DATAFLOW, reach, user);
}

static void customers_reach(struct outline *outline) {
  for (uint32_t c = 0; c < outline->class_count; c++)
    reach(outline, (struct target){INSTANCE_NONE, outline->classes[c].accept->id}, NULL);
}

static bool is_visited(struct outline *outline, const struct model_accept *accept) {
  bool found = outline->simulated[accept->id] || (outline->reached[accept->id] && serves(accept));
  if (!found || outline->source[accept->id]) return false;
  return !outline->class_of[accept->id] || is_crowded(outline, accept);
}

static void stations_fill(struct outline *outline, struct network *network) {
  struct network_station *stations = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t i = 0; i < outline->model->accept_count; i++) {
    const struct model_accept *accept = outline->model->accepts[i];
    const struct instances *instances = &outline->graph->instances[accept->component->id];
    bool visited = is_visited(outline, accept);
    for (uint32_t k = 0; visited && k < instances->count; k++)
      ARENA_PUSH(outline->arena, stations, count, capacity, ((struct network_station){accept, instances->first + k}));
  }
  struct psl_station *rows = ARENA_ARRAY(outline->arena, struct psl_station, count);
  for (uint32_t s = 0; s < count; s++)
    rows[s] = (struct psl_station){.name = network_station_name(outline->graph, outline->arena, stations, count, s),
                                   .servers = 1,
                                   .discipline = stations[s].accept->discipline};
  network->stations = stations;
  network->net.stations = rows;
  network->net.station_count = count;
}

static const char *class_name(const struct outline *outline, uint32_t class) {
  const struct model_accept *accept = outline->classes[class].accept;
  for (uint32_t c = 0; c < outline->class_count; c++)
    if (c != class && outline->classes[c].accept->component == accept->component)
      return arena_printf(outline->arena, "%s.%s", accept->component->symbol->name->text,
                          accept->transaction->symbol->name->text);
  return accept->component->symbol->name->text;
}

static void classes_fill(struct outline *outline, struct network *network) {
  struct psl_customers *rows = ARENA_ARRAY(outline->arena, struct psl_customers, outline->class_count);
  for (uint32_t c = 0; c < outline->class_count; c++)
    rows[c] = (struct psl_customers){.name = class_name(outline, c), .open = outline->open[c], .think = NAN};
  network->classes = outline->classes;
  network->class_of = outline->class_of;
  network->net.classes = rows;
  network->net.class_count = outline->class_count;
}

static void system_starts(struct outline *outline) {
  const struct model_component *system = outline->graph->system;
  for (uint32_t i = 0; i < system->request_count; i++) {
    const struct expr *visits = system->requests[i]->visits;
    outline->sent = visits ? number_known(outline, visits, NULL, 1) : 1;
    request_leads(outline, system->requests[i], start_at, NULL);
  }
}

struct network *network_outline(struct graph *graph, struct arena *arena) {
  struct model *model = graph->model;
  struct network *network = ARENA_NEW(arena, struct network);
  struct outline outline = {
      .graph = graph,
      .model = model,
      .arena = arena,
      .simulated = ARENA_ARRAY(arena, bool, model->accept_count),
      .passed = ARENA_ARRAY(arena, bool, model->accept_count),
      .reached = ARENA_ARRAY(arena, bool, model->accept_count),
      .walked = ARENA_ARRAY(arena, bool, model->accept_count),
      .source = ARENA_ARRAY(arena, bool, model->accept_count),
      .class_of = ARENA_ARRAY(arena, uint32_t *, model->accept_count),
      .number = ARENA_ARRAY(arena, double *, model->accept_count),
      .classes = ARENA_ARRAY(arena, struct network_class, model->accept_count),
      .open = ARENA_ARRAY(arena, bool, model->accept_count),
  };
  for (uint32_t i = 0; i < model->accept_count; i++)
    outline.simulated[i] = is_simulated(graph, model->accepts[i]);
  system_starts(&outline);
  for (uint32_t c = 0, count = outline.class_count; c < count; c++)
    starts_find(&outline, outline.classes[c].accept);
  customers_reach(&outline);
  classes_fill(&outline, network);
  stations_fill(&outline, network);
  size_t cells = (size_t)network->net.station_count * network->net.class_count;
  network->outline = true;
  network->net.visits = ARENA_ARRAY(arena, double, cells);
  return network;
}
