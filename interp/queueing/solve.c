/* Solving a system as a queueing network: who is to do it, by the evaluation mode of its customers; the host's
 * side of NETWORK functions; the rows of the report. Called by run_graph. */
#include "interp/evaluate/range_groups.h"
#include "evaluators/registry.h"
#include "interp/check/check.h"
#include "interp/include/psl.h"
#include "interp/queueing/queueing.h"
#include "grammar/habits.h"
#include "interp/model/discipline.h"
#include "interp/evaluate/reached.h"
#include "interp/statistics/quantiles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 30 }; /* bytes that a solution may take where no limit is set */
enum { NAMED = 8 };      /* classes of which a warning says the names */

/* ---- who is to do it ---- */

static const struct psl_evaluator_function *network_function(const struct psl_evaluator *evaluator) {
  for (const struct psl_evaluator_function *f = evaluator->functions; f->name; f++)
    if (f->kind == PSL_NETWORK) return f;
  return NULL;
}

/* An attribute that is head[qualifier]; false where it is none. */
static bool attribute_term(struct graph *graph, const struct model_accept *accept, uint32_t instance,
                           enum known attribute, struct term *term) {
  struct value value;
  if (!graph_attribute(graph, accept, instance, name_known(graph->model->names, attribute), NULL, &value) ||
      value.kind != VALUE_TERM || !value.term.head || !value.term.qualifier)
    return false;
  *term = value.term;
  return true;
}

/* Where the evaluation mode comes from: the value that a param was given, else what the profile says. */
static struct span mode_span(const struct graph *graph, const struct model_accept *accept) {
  for (uint32_t p = 0; p < accept->profile_count; p++) {
    const struct model_profile *pair = &accept->profile[p];
    if (pair->attribute != name_known(graph->model->names, KNOWN_EVALUATION_MODE)) continue;
    const struct symbol *param = pair->value ? expr_symbol(pair->value) : NULL;
    const struct expr *value = param && param->kind == SYMBOL_PARAM ? value_expr(param) : NULL;
    if (value) return value->span;
  }
  return accept->syntax->profile_span;
}

static void refuse_solver(struct model *model, struct arena *arena, struct span span, struct value value) {
  const char *names[32] = {"queueing"}, *nearest;
  struct text list = {.arena = arena}, mode = {.arena = arena};
  size_t count = 1;
  for (size_t i = 0; psl_evaluators[i]; i++) {
    if (!network_function(psl_evaluators[i]) || count == 32) continue;
    text_printf(&list, "analysis[%s], ", psl_evaluators[i]->name);
    names[count++] = psl_evaluators[i]->name;
  }
  value_print(&mode, &model->types, model->names, NULL, value, 6);
  const char *said =
      value.kind == VALUE_TERM && !value.term.qualifier ? model->names->by_id[value.term.head]->text : "";
  diagnostic_add(model->diagnostics, SEVERITY_ERROR, span, "%s solves no queueing network", mode.data);
  uint32_t word = value.kind != VALUE_TERM ? 0 : value.term.qualifier ? value.term.qualifier : value.term.head;
  const char *habit =
      word ? habit_help(HABIT_SOLVER, model->names->by_id[word]->text, model->names->by_id[word]->length) : NULL;
  if (habit)
    diagnostic_help(model->diagnostics, (struct span){0}, "%s", habit);
  else if (word == KNOWN_ANALYSIS || word == KNOWN_SIMULATION)
    diagnostic_help(model->diagnostics, (struct span){0}, "did you mean '%s'?",
                    word == KNOWN_ANALYSIS ? "analysis[MVA]" : "simulation[queueing]");
  else if (word && (nearest = nearest_name(model->names->by_id[word]->text, names, count)))
    diagnostic_help(model->diagnostics, (struct span){0}, "did you mean '%s[%s]'?",
                    nearest == names[0] ? "simulation" : "analysis", nearest);
  else if (!strncmp(said, "simul", 5) || !strncmp(said, "analy", 5))
    diagnostic_help(model->diagnostics, (struct span){0}, "did you mean '%s'?",
                    *said == 's' ? "simulation[queueing]" : "analysis[MVA]");
  diagnostic_help(model->diagnostics, (struct span){0},
                  "these do: %ssimulation[queueing], and analysis[NAME] of an evaluator that the model uses",
                  list.data);
}

/* Customers of the domain application[queueing] would loop for ever were their model executed by mistake. */
static bool unknown_solver(struct graph *graph, const struct model_accept *accept, uint32_t instance) {
  const struct model *model = graph->model;
  struct term domain;
  struct value value;
  if (!attribute_term(graph, accept, instance, KNOWN_DOMAIN, &domain) || domain.qualifier != KNOWN_QUEUEING ||
      !graph_attribute(graph, accept, instance, name_known(model->names, KNOWN_EVALUATION_MODE), NULL, &value))
    return false;
  refuse_solver(graph->model, graph->arena, mode_span(graph, accept), value);
  return true;
}

/* The queueing mode that the evaluation mode says. */
static enum queueing_mode mode_said(const struct model *model, struct term term,
                                    const struct psl_evaluator **evaluator) {
  *evaluator = NULL;
  if (term.head == KNOWN_SIMULATION && term.qualifier == KNOWN_QUEUEING) return QUEUEING_SIMULATED;
  if (term.head == KNOWN_ANALYSIS && term.qualifier)
    *evaluator = network_evaluator(model, model->names->by_id[term.qualifier]->text);
  return *evaluator ? QUEUEING_ANALYSIS : QUEUEING_NONE;
}

/* Are customers evaluated as the param says, whatever else is set? */
static bool solves_by(struct environment *environment, const struct model_accept *accept, const struct symbol *param) {
  const struct names *names = environment->model->names;
  bool customers = false, by = false;
  struct value domain;
  for (uint32_t p = 0; p < accept->profile_count; p++) {
    const struct model_profile *pair = &accept->profile[p];
    if (!pair->value) continue;
    if (pair->attribute == name_known(names, KNOWN_EVALUATION_MODE)) by = expr_symbol(pair->value) == param;
    if (pair->attribute != name_known(names, KNOWN_DOMAIN) || !expr_settled(pair->value)) continue;
    customers = evaluate(environment, pair->value, &domain) && domain.kind == VALUE_TERM &&
                domain.term.qualifier == KNOWN_QUEUEING;
  }
  return customers && by;
}

bool queueing_solver_holds(struct environment *environment, struct symbol *param) {
  struct model *model = environment->model;
  const struct psl_evaluator *evaluator;
  struct value value;
  if (!evaluate_symbol(environment, param, param->span, &value)) return false;
  if (value.kind != VALUE_TERM || mode_said(model, value.term, &evaluator) != QUEUEING_NONE) return true;
  for (uint32_t i = 0; i < model->accept_count; i++) {
    if (!solves_by(environment, model->accepts[i], param)) continue;
    refuse_solver(model, environment->scratch, value_expr(param)->span, value);
    return false;
  }
  return true;
}

/* False after a diagnostic. */
static bool mode_of(struct graph *graph, const struct model_accept *accept, uint32_t instance, enum queueing_mode *mode,
                    const struct psl_evaluator **evaluator) {
  struct term term;
  *evaluator = NULL;
  *mode = QUEUEING_NONE;
  if (attribute_term(graph, accept, instance, KNOWN_EVALUATION_MODE, &term))
    *mode = mode_said(graph->model, term, evaluator);
  return *mode != QUEUEING_NONE || !unknown_solver(graph, accept, instance);
}

bool queueing_mode(struct graph *graph, enum queueing_mode *mode, const struct psl_evaluator **evaluator) {
  const struct model_component *system = graph->system;
  bool first = true;
  *mode = QUEUEING_NONE;
  *evaluator = NULL;
  for (uint32_t i = 0; i < system->request_count; i++) {
    const struct binding *binding = &graph->bindings[system->requests[i]->id];
    const struct psl_evaluator *other;
    struct target one;
    const uint32_t *many;
    uint32_t from, count = targets_bound(binding, 0, &one, &many, &from);
    for (uint32_t t = 0; t < count; t++) {
      uint32_t instance = many ? many[from + t] : one.instance;
      uint32_t accept = many ? binding->accept ? binding->accept->id : binding->accepts[from + t] : one.accept;
      enum queueing_mode its;
      if (!mode_of(graph, graph->model->accepts[accept], instance, &its, &other)) return false;
      if (first) {
        *mode = its;
        *evaluator = other;
        first = false;
      }
      if (its == QUEUEING_NONE && *mode == QUEUEING_NONE) break; /* no network: the rest is not looked at */
      if (its == *mode && other == *evaluator) continue;
      diagnostic_add(graph->model->diagnostics, SEVERITY_ERROR, system->requests[i]->syntax->span,
                     "the customers of one network have one evaluation mode, and here are two");
      return false;
    }
  }
  return true;
}

/* ---- the report's rows ---- */

static const char *discipline_text(const struct psl_station *station) {
  return isinf(station->servers) ? "delay" : discipline_of(station->discipline)->name;
}

/* The attribute `class` of a class's customers, as text; NULL: they have none. */
static const char *class_text(struct graph *graph, const struct network_class *class, struct arena *arena) {
  struct model *model = graph->model;
  struct text text = {.arena = arena};
  struct value value;
  if (!graph_attribute(graph, class->accept, class->first, name_known(model->names, KNOWN_CLASS), NULL, &value))
    return NULL;
  value_print(&text, &model->types, model->names, NULL, value, 6);
  return text.data;
}

struct psl_queueing *network_report(struct graph *graph, const struct network *network, struct arena *arena) {
  const struct psl_network *net = &network->net;
  struct psl_queueing *report = ARENA_NEW(arena, struct psl_queueing);
  size_t cells = (size_t)net->station_count * net->class_count;
  report->station_count = net->station_count;
  report->class_count = net->class_count;
  report->stations = ARENA_ARRAY(arena, struct psl_queueing_station, net->station_count);
  report->classes = ARENA_ARRAY(arena, struct psl_queueing_class, net->class_count);
  report->cells = ARENA_ARRAY(arena, struct psl_queueing_cell, cells);
  for (uint32_t k = 0; k < net->station_count; k++) {
    report->stations[k].name = arena_copy(arena, net->stations[k].name, strlen(net->stations[k].name));
    report->stations[k].component = network->stations[k].accept->component->symbol->name->text;
    report->stations[k].discipline = discipline_text(&net->stations[k]);
    report->stations[k].servers = net->stations[k].servers;
  }
  for (uint32_t c = 0; c < net->class_count; c++) {
    const struct psl_customers *class = &net->classes[c];
    report->classes[c] =
        (struct psl_queueing_class){.name = arena_copy(arena, class->name, strlen(class->name)),
                                    .component = network->classes[c].accept->component->symbol->name->text,
                                    .class = class_text(graph, &network->classes[c], arena),
                                    .open = class->open,
                                    .population = class->population,
                                    .think = class->think,
                                    .rate = class->rate};
  }
  for (size_t i = 0; i < cells; i++)
    report->cells[i].visits = net->visits[i];
  return report;
}

/* ---- responses of single cycles and visits ---- */

static const char *name_at(const struct psl_queueing *report, bool visit, size_t k) {
  return visit ? report->stations[k].name : report->classes[k].name;
}

static const char *component_at(const struct psl_queueing *report, bool visit, size_t k) {
  return visit ? report->stations[k].component : report->classes[k].component;
}

/* Is it the first of several of its component? */
static bool stands_for_several(const struct psl_queueing *report, bool visit, size_t k, size_t count) {
  const char *component = component_at(report, visit, k);
  size_t others = 0;
  for (size_t i = 0; i < count; i++) {
    bool same = !strcmp(component, component_at(report, visit, i));
    if (same && i < k) return false;
    others += same && i > k;
  }
  return others > 0;
}

bool network_response_has(const struct psl_queueing *report, const struct psl_queueing_response *row, size_t k) {
  if (row->any) return !strcmp(row->component, component_at(report, row->visit, k));
  return !strcmp(row->name, name_at(report, row->visit, k));
}

static void add_responses(struct psl_queueing *report, struct arena *arena, bool visit, bool any) {
  size_t count = visit ? report->station_count : report->class_count;
  for (size_t k = 0; k < count; k++) {
    const char *component = component_at(report, visit, k);
    if (any && !stands_for_several(report, visit, k, count)) continue;
    struct psl_queueing_response *row = &report->responses[report->response_count++];
    *row = (struct psl_queueing_response){any ? component : name_at(report, visit, k), component, visit, any,
                                          ARENA_ARRAY(arena, struct psl_estimate, report->part_count)};
    for (size_t p = 0; p < report->part_count; p++)
      row->percentiles[p] = (struct psl_estimate){NAN, NAN, NAN};
  }
}

void network_responses(struct psl_queueing *report, struct arena *arena, const double *parts, size_t part_count) {
  report->parts = parts;
  report->part_count = part_count;
  if (!part_count) return;
  report->responses =
      ARENA_ARRAY(arena, struct psl_queueing_response, 2 * (report->class_count + report->station_count));
  for (int k = 0; k < 4; k++)
    add_responses(report, arena, k % 2, k / 2);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Does the param of stdlib/queueing have the value that stands there? */
static bool as_in_library(const struct model *model, const struct symbol *param) {
  const struct expr *value = value_expr(param);
  return value && source_place(model->sources, value->span.begin).source ==
                      source_place(model->sources, param->span.begin).source;
}

/* Parts that are named twice are so once; stdlib/queueing asserts that they are within 0 and 1, and few. */
struct network_parts network_parts(struct environment *environment, struct arena *arena) {
  const struct symbol *param = queueing_param(environment->model, "percentiles");
  struct value list;
  bool given =
      param && evaluate_symbol(environment, (struct symbol *)param, param->span, &list) && list.kind == VALUE_LIST;
  uint32_t count = given ? list.object->count : PERCENTILES_USUAL;
  if (count > QUANTILE_PARTS) count = QUANTILE_PARTS;
  struct network_parts parts = {ARENA_ARRAY(arena, double, count), 0,
                                given && !as_in_library(environment->model, param)};
  for (uint32_t i = 0; i < count; i++) {
    const struct value *item = given ? &list.object->items[i] : NULL;
    parts.items[i] = !item ? percentiles_usual[i] : item->kind == VALUE_INT ? (double)item->integer : item->real;
  }
  if (count) qsort(parts.items, count, sizeof *parts.items, ascending);
  for (uint32_t i = 0; i < count; i++) {
    double part = parts.items[i];
    if (part > 0 && part < 1 && (!parts.count || part > parts.items[parts.count - 1]))
      parts.items[parts.count++] = part;
  }
  return parts;
}

static struct psl_estimate exactly(double x) { return (struct psl_estimate){x, x, x}; }

static struct psl_estimate between(struct psl_interval bounds) {
  return (struct psl_estimate){(bounds.low + bounds.high) / 2, bounds.low, bounds.high};
}

static void add(struct psl_estimate *sum, double x) { *sum = exactly(sum->value + x); }

static void report_fill(struct psl_queueing *report, const struct psl_network *net,
                        const struct psl_network_result *result) {
  report->iterations = result->iterations;
  report->residual = result->residual;
  report->bounds = result->bounded;
  for (uint32_t c = 0; c < net->class_count; c++) {
    struct psl_queueing_class *class = &report->classes[c];
    class->throughput = result->bounded ? between(result->throughput_bounds[c]) : exactly(result->throughput[c]);
    class->response = result->bounded ? between(result->response_bounds[c]) : exactly(0);
  }
  for (uint32_t k = 0; k < net->station_count && !result->bounded; k++)
    for (uint32_t c = 0; c < net->class_count; c++) {
      size_t i = (size_t)k * net->class_count + c;
      report->cells[i].throughput = exactly(result->throughput[c] * net->visits[i]);
      report->cells[i].response = exactly(result->response[i]);
      report->cells[i].queue = exactly(result->queue[i]);
      report->cells[i].utilisation = exactly(result->utilisation[i]);
      add(&report->classes[c].response, result->response[i]);
      add(&report->stations[k].throughput, report->cells[i].throughput.value);
      add(&report->stations[k].queue, result->queue[i]);
      add(&report->stations[k].utilisation, result->utilisation[i]);
    }
  for (uint32_t k = 0; k < net->station_count; k++) { /* by Little's law */
    struct psl_queueing_station *station = &report->stations[k];
    station->response = exactly(result->bounded ? (double)NAN : station->queue.value / station->throughput.value);
  }
}

struct psl_estimate network_response(const struct psl_queueing *report) {
  struct psl_estimate sum = {0, 0, 0};
  double cycles = 0;
  for (size_t c = 0; c < report->class_count; c++)
    cycles += report->classes[c].throughput.value;
  if (!(cycles > 0)) return (struct psl_estimate){NAN, NAN, NAN};
  for (size_t c = 0; c < report->class_count; c++) {
    const struct psl_queueing_class *class = &report->classes[c];
    double part = class->throughput.value / cycles;
    if (part == 0) continue; /* of no cycles the response is not known */
    sum.value += part * class->response.value;
    sum.low += part * class->response.low;
    sum.high += part * class->response.high;
  }
  return sum;
}

void network_drop_unvisited(struct psl_queueing *report) {
  size_t kept = 0, classes = report->class_count;
  for (size_t s = 0; s < report->station_count; s++) {
    bool visited = false;
    for (size_t c = 0; c < classes; c++)
      visited |= report->cells[s * classes + c].visits > 0;
    if (!visited) continue;
    report->stations[kept] = report->stations[s];
    memmove(&report->cells[kept++ * classes], &report->cells[s * classes], classes * sizeof *report->cells);
  }
  report->station_count = kept;
}

/* Do its customers come to a station, or spend time otherwise? */
static bool is_served(const struct psl_queueing *report, size_t class) {
  const struct psl_queueing_class *row = &report->classes[class];
  bool served = !(row->throughput.value > 0) || row->response.value != 0;
  for (size_t s = 0; s < report->station_count; s++)
    served |= report->cells[s * report->class_count + class].visits > 0;
  return served;
}

void network_warn_unserved(const struct graph *graph, const struct network *network,
                           const struct psl_queueing *report) {
  struct diagnostics *d = graph->model->diagnostics;
  struct text names = {.arena = graph->arena};
  const struct model_component *first = NULL;
  uint32_t count = 0;
  for (size_t c = 0; c < report->class_count; c++) {
    if (is_served(report, c)) continue;
    if (count < NAMED) text_printf(&names, "%s%s", first ? ", " : "", report->classes[c].name);
    if (!count++) first = network->classes[c].accept->component;
  }
  if (!first) return;
  if (count > NAMED) text_printf(&names, " and %u others", count - NAMED);
  diagnostic_add(d, SEVERITY_WARNING, first->symbol->span,
                 "no station is visited by %s: the response of a cycle is 0 s", names.data);
  diagnostic_help(d, (struct span){0},
                  "a response is what customers spend at stations, accepts with 'servers' or a 'hold' that they call; "
                  "what their own body holds is think time");
}

/* ---- the evaluator's host ---- */

struct network_host {
  struct psl_host host; /* first: an evaluator's host is one of these */
  struct graph *graph;
  struct arena *arena;
};

static void *host_allocate(struct psl_host *host, size_t size) {
  return arena_alloc(((struct network_host *)(void *)host)->arena, size);
}

static bool host_interrupted(struct psl_host *host) {
  const struct network_host *own = (struct network_host *)(void *)host;
  return interrupted(own->arena->memory);
}

static void host_warn(struct psl_host *host, const char *text) {
  const struct network_host *own = (struct network_host *)(void *)host;
  diagnostic_add(own->graph->model->diagnostics, SEVERITY_WARNING, own->graph->system->symbol->span, "%s", text);
}

static size_t room_of(const struct memory *memory) {
  size_t left = memory->limit > memory->used ? memory->limit - memory->used : 0;
  return memory->limit && left < ROOM ? left : ROOM;
}

static double *unknown(struct arena *arena, size_t count) {
  double *numbers = ARENA_ARRAY(arena, double, count);
  for (size_t i = 0; i < count; i++)
    numbers[i] = NAN;
  return numbers;
}

static struct psl_network_result result_new(struct arena *arena, const struct psl_network *net) {
  size_t cells = (size_t)net->station_count * net->class_count;
  return (struct psl_network_result){
      .visit_percentiles = unknown(arena, (size_t)net->station_count * net->part_count),
      .cycle_percentiles = unknown(arena, (size_t)net->class_count * net->part_count),
      .throughput = ARENA_ARRAY(arena, double, net->class_count),
      .response = ARENA_ARRAY(arena, double, cells),
      .queue = ARENA_ARRAY(arena, double, cells),
      .utilisation = ARENA_ARRAY(arena, double, cells),
      .throughput_bounds = ARENA_ARRAY(arena, struct psl_interval, net->class_count),
      .response_bounds = ARENA_ARRAY(arena, struct psl_interval, net->class_count),
      .station = UINT32_MAX,
  };
}

/* What the evaluator said, where the station in question is declared. */
static void refused(struct graph *graph, const struct network *network, const struct psl_evaluator *evaluator,
                    const struct psl_call *call, const struct psl_network_result *result) {
  struct diagnostics *d = graph->model->diagnostics;
  struct span span = graph->system->symbol->span;
  if (result->station < network->net.station_count) span = network->stations[result->station].accept->syntax->span;
  diagnostic_add(d, SEVERITY_ERROR, span, "analysis[%s]: %s", evaluator->name, call->error);
  if (*result->advice) diagnostic_help(d, (struct span){0}, "%s", result->advice);
}

/* Numbers too great or too small for the solver show in what it gives. */
static bool is_usual(const struct psl_network *net, const struct psl_network_result *result) {
  bool usual = true;
  for (uint32_t c = 0; c < net->class_count && result->bounded; c++)
    usual &= isfinite(result->throughput_bounds[c].low) && isfinite(result->throughput_bounds[c].high) &&
             isfinite(result->response_bounds[c].low) && isfinite(result->response_bounds[c].high);
  for (uint32_t c = 0; c < net->class_count && !result->bounded; c++) {
    bool idle = net->classes[c].open || net->classes[c].population == 0;
    usual &= isfinite(result->throughput[c]) && (idle || result->throughput[c] > 0);
  }
  for (size_t i = 0; i < (size_t)net->station_count * net->class_count && !result->bounded; i++)
    usual &= isfinite(result->response[i]) && isfinite(result->queue[i]) && isfinite(result->utilisation[i]);
  return usual;
}

static const struct model_component *component_called(const struct model *model, const char *name) {
  uint32_t i = 0;
  while (i < model->component_count && strcmp(model->components[i]->symbol->name->text, name))
    i++;
  return i < model->component_count ? model->components[i] : NULL;
}

static bool known_somewhere(const struct psl_queueing_response *row, uint32_t part_count) {
  for (uint32_t p = 0; p < part_count; p++)
    if (isfinite(row->percentiles[p].value)) return true;
  return part_count == 0;
}

/* Where several solvers are tried nobody is told what the one at hand does not do. */
static bool solver_varies(const struct model *model) {
  const struct symbol *solver = queueing_param(model, "solver");
  return solver && solver->setting && !solver->was_set;
}

static bool is_open(const struct psl_network *net) {
  for (uint32_t c = 0; c < net->class_count; c++)
    if (!net->classes[c].open) return false;
  return net->class_count;
}

/* A row stands for one class or station; of several together nothing is known. Who has asked for percentiles that are
 * not known is told who knows them. */
static void fill_percentiles(struct graph *graph, struct arena *arena, struct psl_queueing *report,
                             const struct psl_network *net, const struct psl_network_result *result) {
  const struct symbol *param = queueing_param(graph->model, "percentiles");
  struct text without = {.arena = arena};
  bool some = false;
  network_responses(report, arena, net->parts, net->part_count);
  for (size_t r = 0; r < report->response_count; r++) {
    const struct psl_queueing_response *row = &report->responses[r];
    const double *known = row->visit ? result->visit_percentiles : result->cycle_percentiles;
    size_t k = 0;
    while (!network_response_has(report, row, k))
      k++;
    for (size_t p = 0; !row->any && p < net->part_count; p++)
      row->percentiles[p] = exactly(known[k * net->part_count + p]);
    if (row->any) continue;
    some |= known_somewhere(row, net->part_count);
    if (!known_somewhere(row, net->part_count)) text_printf(&without, "%s%s", without.size ? ", " : "", row->name);
  }
  bool wanted = param && (param->setting || (param->preset && !solver_varies(graph->model)));
  if (!without.size) return;
  const char *by = simulated_by(arena, component_called(graph->model, report->responses->component));
  if (wanted)
    diagnostic_add(graph->model->diagnostics, SEVERITY_NOTE, value_expr(param)->span, NETWORK_NO_PERCENTILES,
                   report->solver, without.data, by);
  else if (some || net->station_count == 1 || is_open(net)) /* of these readers expect them */
    report->unknown = arena_printf(
        arena, "no closed form is known for percentiles of %s; simulation gives theirs, by %s", without.data, by);
}

/* Bounds are of means: who has asked for percentiles is told so. */
static void note_bounded(struct graph *graph, struct arena *arena, const struct psl_queueing *report) {
  const struct symbol *param = queueing_param(graph->model, "percentiles");
  if (!param || !(param->setting || (param->preset && !solver_varies(graph->model)))) return;
  const struct model_component *component =
      report->class_count ? component_called(graph->model, report->classes[0].component) : NULL;
  diagnostic_add(graph->model->diagnostics, SEVERITY_NOTE, value_expr(param)->span,
                 "%s has bounds of means, and no percentiles; simulation gives these, by %s", report->solver,
                 simulated_by(arena, component));
}

/* What bodies record is told of simulations alone. */
static void note_records(const struct graph *graph, struct arena *arena, const char *by) {
  struct model *model = graph->model;
  const struct model_component *first = NULL;
  struct text names = {.arena = arena};
  model_list_results(model);
  for (uint32_t r = 0; r < model->result_count; r++) {
    const struct model_result *result = &model->results[r];
    bool here = result->kind == RESULT_RECORD && result->part == STATISTIC_MEAN && result->component;
    if (!here || !graph->instances[result->component->id].count) continue;
    if (!first) first = result->component;
    text_printf(&names, "%s'%s'", names.size ? ", " : "", result->record->text);
  }
  if (first)
    diagnostic_add(model->diagnostics, SEVERITY_NOTE, first->symbol->span,
                   "%s executes no body, so nothing records %s; simulation does, by %s", by, names.data,
                   simulated_by(arena, first));
}

/* By the user or a study: psl sensitivity sets each param to what it is, or to a number that is written nowhere. */
static bool is_given(const struct symbol *param) {
  const struct decl *own = param->preset ? param->preset : param->decl;
  return param->setting && param->setting != own->value.value && param->setting->span.end;
}

/* What is set of how long a simulation lasts is of no use here. */
static void note_unused(const struct graph *graph, const char *by) {
  static const char *const names[] = {"half-width", "confidence", "replications", "warm-up", "limit", "longest"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct symbol *param = queueing_param(graph->model, names[i]);
    if (!param || !is_given(param)) continue;
    diagnostic_add(graph->model->diagnostics, SEVERITY_NOTE, param->setting->span,
                   "%s does not use '%s', which is for simulation[queueing]", by, names[i]);
  }
}

/* NULL after a diagnostic. */
static struct psl_queueing *solve(struct graph *graph, struct arena *arena, const struct psl_evaluator *evaluator,
                                  enum range_end end, struct range_groups *ranges) {
  struct network_options how = {
      .by = arena_printf(arena, "analysis[%s]", evaluator->name),
      .range_end = end,
      .ranges = ranges,
  };
  struct network *network = network_extract(graph, arena, &how);
  if (!network) return NULL;
  struct network_host host = {.host = {.allocate = host_allocate,
                                       .warn = host_warn,
                                       .interrupted = host_interrupted,
                                       .room = room_of(arena->memory)},
                              .graph = graph,
                              .arena = arena};
  struct psl_call call = {.host = &host.host, .ordered = true};
  struct environment environment = {.model = graph->model, .scratch = arena, .range_end = end, .ranges = ranges};
  struct network_parts parts = network_parts(&environment, arena);
  network->net.parts = parts.items;
  network->net.part_count = parts.count;
  struct psl_network_result result = result_new(arena, &network->net);
  void *state = evaluator->open ? evaluator->open(&host.host) : NULL;
  enum psl_status status = network_function(evaluator)->network(state, &call, &network->net, &result);
  if (evaluator->close) evaluator->close(state);
  if (status != PSL_DONE) {
    if (!host_interrupted(&host.host)) refused(graph, network, evaluator, &call, &result);
    return NULL;
  }
  if (!is_usual(&network->net, &result)) {
    diagnostic_add(
        graph->model->diagnostics, SEVERITY_ERROR, graph->system->symbol->span,
        "analysis[%s]: the times of this network are too far apart for its numbers: what it gives is not finite",
        evaluator->name);
    return NULL;
  }
  struct psl_queueing *report = network_report(graph, network, arena);
  report_fill(report, &network->net, &result);
  report->solver = how.by;
  if (end == RANGE_MIDDLE) network_warn_unserved(graph, network, report);
  if (end == RANGE_MIDDLE && !solver_varies(graph->model)) {
    note_unused(graph, how.by);
    note_records(graph, arena, how.by);
  }
  if (result.bounded)
    note_bounded(graph, arena, report);
  else
    fill_percentiles(graph, arena, report, &network->net, &result);
  if (*result.approximation)
    report->approximation = arena_copy(arena, result.approximation, strlen(result.approximation));
  return report;
}

/* The stop of a run whose network has not been solved. */
static void unsolved(struct graph *graph, struct arena *arena, struct run_result *run) {
  bool broken_off = interrupted(arena->memory);
  run->stop = broken_off ? STOP_INTERRUPT : STOP_ERROR;
  if (broken_off) diagnostic_add(graph->model->diagnostics, SEVERITY_ERROR, run->stop_span, "interrupted");
}

struct solving {
  struct graph *graph;
  struct arena *arena;
  const struct psl_evaluator *evaluator;
  struct run_result *run;
  struct range_groups ranges;
};

/* The response with ranges at other ends than their middles. */
static bool solve_at(void *user, enum range_end end, const char *with, double *time) {
  struct solving *s = user;
  const struct psl_queueing *solved = solve(s->graph, s->arena, s->evaluator, end, &s->ranges);
  if (solved)
    *time = network_response(solved).value;
  else {
    unsolved(s->graph, s->arena, s->run);
    run_failed_at(s->graph->model, s->arena, s->run, with);
  }
  return solved;
}

struct run_result *network_solve(struct graph *graph, struct arena *arena, const struct psl_evaluator *evaluator) {
  struct run_result *run = ARENA_NEW(arena, struct run_result);
  struct solving s = {graph, arena, evaluator, run, .ranges.count = 0};
  run->used = ARENA_ARRAY(arena, struct run_evaluator, 1);
  run->used[run->used_count++] = (struct run_evaluator){evaluator, UINT32_MAX, true};
  run->stop_span = graph->system->symbol->span;
  run->queueing = solve(graph, arena, evaluator, RANGE_MIDDLE, &s.ranges);
  if (!run->queueing) {
    run->makespan = NAN;
    unsolved(graph, arena, run);
    return run;
  }
  struct psl_estimate response = network_response(run->queueing);
  run->makespan = response.value;
  run->uncertain = run->queueing->bounds;
  run->low = response.low;
  run->high = response.high;
  if (!s.ranges.met || run->queueing->bounds) return run;
  struct range_bounds bounds;
  if (!range_groups_bound(&s.ranges, graph->model, arena, run->stop_span, run->makespan, solve_at, &s, &bounds))
    return run;
  run->uncertain = true;
  run->low = bounds.low;
  run->high = bounds.high;
  return run;
}
