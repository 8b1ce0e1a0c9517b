/* The way of a customer through the bodies of a model: they are executed with the time left out, so that what
 * comes of it is how often each station is visited in a cycle and for how long. Called by extract.c. */
#include "interp/queueing/way.h"
#include "grammar/children.h"
#include "interp/model/chances.h"
#include "interp/model/discipline.h"
#include "interp/model/distribution.h"
#include <math.h>
#include <string.h>

enum { DEEP = 200, STEPS = 1000000 };

static bool refuse(struct extractor *x, struct span span, const char *why) {
  struct text who = {.arena = &x->scratch};
  struct diagnostics *d = x->model->diagnostics;
  diagnostic_add(d, SEVERITY_ERROR, span, "%s cannot take this: %s", x->options->by ? x->options->by : "an analysis",
                 why);
  if (x->begin.accept) {
    graph_instance_print(&who, x->graph, x->begin.instance);
    diagnostic_note(d, x->begin.accept->syntax->span, "on the way of %s", who.data);
  }
  return false;
}

/* Is the evaluation mode that of the library's param? Then it says how to simulate. */
static const char *how_simulated(struct extractor *x) {
  const struct symbol *solver = queueing_param(x->model, "solver");
  struct text mode = {.arena = &x->scratch};
  struct value value;
  struct environment environment = {.model = x->model, .scratch = &x->scratch};
  bool known = solver && x->options->by;
  if (!known || !evaluate_symbol(&environment, (struct symbol *)solver, solver->span, &value)) return "";
  value_print(&mode, &x->model->types, x->model->names, solver->type, value, 6);
  return strcmp(mode.data, x->options->by) ? "" : ": --set 'solver=simulation[queueing]'";
}

bool way_refuse(struct extractor *x, struct span span, const char *format, ...) {
  struct text why = {.arena = &x->scratch};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&why, format, arguments);
  va_end(arguments);
  refuse(x, span, why.data);
  diagnostic_help(x->model->diagnostics, (struct span){0}, "simulation[queueing] can%s", how_simulated(x));
  return false;
}

/* ---- expressions of a body ---- */

static bool attribute_of(struct environment *environment, const struct symbol *attribute, struct span span,
                         struct value *out, bool *lacks) {
  struct extractor *x = environment->user;
  const struct stay *stay = x->stay, *caller = stay ? stay->caller : NULL;
  const struct model_accept *accept = stay ? stay->target : NULL;
  uint32_t instance = stay ? stay->target_instance : INSTANCE_NONE;
  (void)span;
  if (attribute->side == OF_CALLER) {
    accept = caller ? caller->accept : NULL;
    instance = caller ? caller->instance : INSTANCE_NONE;
  }
  *lacks = !accept || !graph_attribute(x->graph, accept, instance, attribute->name->folded, NULL, out);
  return !*lacks;
}

struct environment *way_environment(struct extractor *x, const struct stay *stay, struct value *locals) {
  struct environment *environment = &x->environment;
  *environment = (struct environment){.model = x->model,
                                      .scratch = &x->scratch,
                                      .locals = locals,
                                      .indices = stay->indices,
                                      .analysis = true,
                                      .attribute = attribute_of,
                                      .user = x,
                                      .range_end = x->options->range_end,
                                      .ranges = x->options->ranges,
                                      .lack_allowed = true};
  x->stay = stay;
  return environment;
}

/* An evaluation has failed: it has said why, or it read what no analysis knows. */
static bool failed(struct extractor *x, const struct expr *expr) {
  if (!x->environment.lacked) return false;
  if (x->environment.lacking)
    diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, x->environment.lacking_at,
                   "the profile of the %s has no attribute '%s'",
                   x->environment.lacking->side == OF_CALLER ? "caller" : "target", x->environment.lacking->name->text);
  else
    way_refuse(x, expr->span, "this depends on the clock, on a state, or on what a call has returned");
  return false;
}

/* The value that an expression has in every cycle. */
static bool known(struct extractor *x, const struct stay *stay, struct value *locals, const struct expr *expr,
                  const struct type *type, struct value *out) {
  if (expr_is_stateful(expr)) return way_refuse(x, expr->span, "this depends on the clock or on a state");
  struct environment *environment = way_environment(x, stay, locals);
  if (type ? evaluate_as(environment, expr, type, out) : evaluate(environment, expr, out)) return true;
  return failed(x, expr);
}

/* A number drawn is another one in each cycle. */
static bool undrawn(struct extractor *x, const struct expr *expr, const struct type *type) {
  if (!expr_is_drawn(expr, type)) return true;
  return way_refuse(x, expr->span, "this is drawn: only a 'hold' may take a distribution");
}

/* The values that an expression may have, where what it draws is one of a few. */
struct outcomes {
  uint32_t count;
  struct value *values;
  double *chances;
};

static bool refuse_drawn(struct extractor *x, const struct expr *expr, const struct type *type) {
  way_refuse(x, expr->span, "this is drawn: only a 'hold' may take a distribution");
  if (type->kind == TYPE_INT || (type->kind == TYPE_REAL && dimension_none(type->dimension)))
    diagnostic_help(x->model->diagnostics, (struct span){0},
                    "a choice of one of n is drawn at once, of whole numbers: call LABEL(draw(uniform-int(0, n - 1)))");
  return false;
}

static bool outcomes_find(struct extractor *x, const struct stay *stay, struct value *locals, const struct expr *expr,
                          const struct type *type, struct outcomes *out) {
  struct drawn drawn = {0};
  struct environment *environment = way_environment(x, stay, locals);
  struct value value;
  environment->drawn = &drawn;
  *out = (struct outcomes){0};
  bool fine = evaluate_as(environment, expr, type, &value);
  environment->drawn = NULL;
  uint32_t count = drawn.distribution ? distribution_item_count(drawn.distribution) : 0;
  if (!fine && count) return failed(x, expr);
  if (drawn.draws != 1 || !count) return refuse_drawn(x, expr, type);
  *out =
      (struct outcomes){count, ARENA_ARRAY(&x->scratch, struct value, count), ARENA_ARRAY(&x->scratch, double, count)};
  double *items = ARENA_ARRAY(&x->scratch, double, count);
  distribution_items(drawn.distribution, items, out->chances);
  for (uint32_t i = 0; i < count; i++) {
    drawn.number = items[i];
    environment->drawn = &drawn;
    fine = evaluate_as(environment, expr, type, &out->values[i]);
    environment->drawn = NULL;
    if (!fine) return failed(x, expr);
  }
  return true;
}

/* ---- stations ---- */

bool way_servers(struct extractor *x, const struct model_accept *accept, uint32_t instance, double *servers) {
  int64_t indices[COMPONENT_INDICES];
  struct stay stay = {.accept = accept, .instance = instance, .indices = indices};
  struct value value, *locals = ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1);
  *servers = accept->protocol == PROTOCOL_DATAFLOW && !accept->unlimited ? 1 : INFINITY;
  if (!accept->servers || accept->unlimited) return true;
  graph_indices(x->graph, instance, indices);
  if (!known(x, &stay, locals, accept->servers, NULL, &value)) return false;
  *servers = value.kind == VALUE_INT ? (double)value.integer : value.real;
  if (*servers >= 1) return true;
  diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, accept->servers->span, "%g servers: at least one is wanted",
                 *servers);
  return false;
}

bool way_rates(struct extractor *x, const struct model_accept *accept, uint32_t instance, struct value *list) {
  int64_t indices[COMPONENT_INDICES];
  struct stay stay = {.accept = accept, .instance = instance, .indices = indices};
  struct types *types = &x->model->types;
  graph_indices(x->graph, instance, indices);
  return known(x, &stay, ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1), accept->rates,
               type_list(types, types->real), list);
}

static uint32_t station_find(struct extractor *x, const struct model_accept *accept, uint32_t instance) {
  const struct instances *all = &x->graph->instances[accept->component->id];
  uint32_t **row = &x->station_of[accept->id];
  if (!*row) *row = ARENA_ARRAY(x->arena, uint32_t, all->count);
  uint32_t *place = &(*row)[instance - all->first];
  if (!*place) {
    struct network_station station = {accept, instance};
    ARENA_PUSH(x->arena, x->stations, x->station_count, x->station_capacity, station);
    *place = x->station_count;
  }
  return *place - 1;
}

/* One more kind of visit to a station. */
static bool use_add(struct extractor *x, const struct stay *stay, double priority) {
  uint32_t station = station_find(x, stay->accept, stay->instance), i = 0;
  struct way *way = &x->way;
  while (i < way->use_count && way->uses[i].station != station)
    i++;
  bool first = i == way->use_count;
  if (first) {
    struct use fresh = {.station = station,
                        .one = stay->held.mean,
                        .exponential = stay->held.exponential && stay->held.count == 1,
                        .priority = priority};
    ARENA_PUSH(&x->scratch, way->uses, way->use_count, way->use_capacity, fresh);
  }
  way->varies |= !first || !stay->once;
  if (!way->varies) ARENA_PUSH(&x->scratch, way->order, way->order_count, way->order_capacity, station);
  struct use *use = &way->uses[i];
  double square = stay->held.variance + stay->held.mean * stay->held.mean;
  use->visits += stay->visits;
  use->mean += stay->visits * stay->held.mean;
  use->square += stay->visits * square;
  use->exponential &= stay->held.exponential && stay->held.count == 1 && stay->held.mean == use->one;
  if (use->priority == priority) return true;
  return way_refuse(x, stay->accept->syntax->span, "a customer comes here with more than one priority");
}

/* ---- requests ---- */

static const struct value *no_dynamics(void *user, uint32_t instance) {
  (void)user, (void)instance;
  return NULL;
}

static bool aim_late(struct extractor *x, const struct stay *stay, const struct model_request *request,
                     struct value *locals, struct aim *out) {
  uint32_t capacity = 16;
  for (uint32_t i = 0; i < x->graph->bindings[request->id].candidate_count; i++)
    if (x->graph->bindings[request->id].candidates[i]->component->dynamic_count)
      return way_refuse(x, request->syntax->span, "the target depends on attributes that bodies set");
  for (;; capacity = out->count) {
    out->targets = ARENA_ARRAY(&x->scratch, struct target, capacity);
    struct environment *environment = way_environment(x, stay, locals);
    if (!resolve_late(x->graph, request, stay->instance, environment, no_dynamics, NULL, out->targets, capacity,
                      &out->count))
      return x->environment.lacked ? failed(x, request->selector) : false;
    if (out->count <= capacity) return true;
  }
}

static bool aim_targets(struct extractor *x, const struct stay *stay, const struct model_request *request,
                        struct value *locals, struct aim *out) {
  const struct binding *binding = &x->graph->bindings[request->id];
  struct target one;
  const uint32_t *many;
  uint32_t first;
  if (binding->kind == BINDING_LATE) return aim_late(x, stay, request, locals, out);
  out->count =
      targets_bound(binding, stay->instance - x->graph->instances[request->component->id].first, &one, &many, &first);
  out->targets = ARENA_ARRAY(&x->scratch, struct target, out->count);
  for (uint32_t i = 0; i < out->count; i++)
    out->targets[i] =
        !many ? one
              : (struct target){many[first + i], binding->accept ? binding->accept->id : binding->accepts[first + i]};
  return true;
}

/* A parameter that is a distribution is handed on as it is, and drawn where it is held. */
static void help_declared(struct extractor *x, const struct model_request *request, uint32_t k,
                          const struct expr *argument, bool called) {
  const struct model_parameter *parameter = &request->transaction->params[k];
  struct text type = {.arena = &x->scratch}, written = {.arena = &x->scratch};
  const struct type *given = argument->type;
  if (!given || given->kind != TYPE_DISTRIBUTION || !parameter->type || !type_is_number(parameter->type)) return;
  type_print(&type, &x->model->types, given);
  expr_format(&written, argument);
  diagnostic_help(x->model->diagnostics, parameter->span,
                  "where it is declared as '%s : %s'%s%s%s it is handed on as it is, and 'hold %s;' draws",
                  parameter->name->text, type.data, called ? " and the request itself gives " : "",
                  called ? written.data : "", called ? "," : "", parameter->name->text);
}

static bool aim_argument(struct extractor *x, struct stay *stay, const struct model_request *request,
                         struct value *locals, uint32_t k, struct value *out) {
  struct expr *argument = request->args[k];
  const struct type *type = argument_type(x->model, argument, request->transaction->params[k].type);
  if (expr_is_stateful(argument)) { /* of no use but to bodies that measure */
    *out = (struct value){.kind = VALUE_NONE};
    return true;
  }
  if (!undrawn(x, argument, type)) {
    help_declared(x, request, k, argument, false);
    return false;
  }
  return evaluate_as(way_environment(x, stay, locals), argument, type, out) || failed(x, argument);
}

static bool aim_conversion(struct extractor *x, struct stay *stay, const struct conversion *conversion,
                           struct target target, struct span span, struct value value, struct value *out) {
  stay->target = x->model->accepts[target.accept];
  stay->target_instance = target.instance;
  for (uint32_t i = 0; i < conversion->count; i++) {
    struct model_coercion *step = conversion->steps[i];
    struct value *own = ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1);
    struct environment *environment = way_environment(x, stay, own);
    if (!value_as(environment, span, step->from, value, own)) return false;
    if (!evaluate_as(environment, step->value, step->to, &value)) return failed(x, step->value);
  }
  return value_as(way_environment(x, stay, NULL), span, conversion->to, value, out);
}

/* What the target is given. */
static bool aim_convert(struct extractor *x, struct stay *stay, const struct model_request *request,
                        struct target target, const struct value *given, const struct value **out) {
  const struct model_accept *accept = x->model->accepts[target.accept];
  const struct adapter *adapter = adapter_of(&x->graph->bindings[request->id], accept);
  const struct conversion *params = adapter ? adapter->params : NULL;
  struct model_transaction *transaction = accept->transaction;
  if (adapter && adapter->transaction)
    return way_refuse(x, request->syntax->txn.span, "a coercion makes other requests of this one");
  struct value *converted = ARENA_ARRAY(&x->scratch, struct value, transaction->param_count + 1);
  for (uint32_t k = 0; k < transaction->param_count; k++) {
    struct model_parameter *parameter = &transaction->params[k];
    converted[k] = given[k];
    if (given[k].kind == VALUE_NONE) continue;
    if (params && params[k].to &&
        !aim_conversion(x, stay, &params[k], target, request->args[k]->span, given[k], &converted[k]))
      return false;
    if (!value_allowed(way_environment(x, stay, NULL), &parameter->allowed, parameter->name, parameter->type,
                       request->args[k]->span, converted[k]))
      return false;
  }
  *out = converted;
  return true;
}

static bool aim_arguments(struct extractor *x, struct stay *stay, const struct model_request *request,
                          struct value *locals, struct aim *out) {
  uint32_t count = request->transaction->param_count;
  struct value *given = ARENA_ARRAY(&x->scratch, struct value, count + 1);
  out->arguments = ARENA_ARRAY(&x->scratch, const struct value *, out->count);
  for (uint32_t k = 0; k < count; k++)
    if (request->args[k] && !aim_argument(x, stay, request, locals, k, &given[k])) return false;
  for (uint32_t t = 0; t < out->count; t++)
    if (!aim_convert(x, stay, request, out->targets[t], given, &out->arguments[t])) return false;
  return true;
}

static bool names_target(const struct expr *expr, void *user) {
  const struct symbol *symbol = expr->kind == EXPR_MEMBER ? expr->member.symbol : NULL;
  if (symbol && symbol->kind == SYMBOL_ATTRIBUTE) return true;
  return expr_any_child(expr, names_target, user);
}

/* `any by uniform(0, 1)`: a number is drawn for each target by one continuous distribution, so that all are alike. */
static bool chosen_alike(struct extractor *x, const struct stay *stay, const struct model_request *request,
                         struct value *locals) {
  const struct expr *by = request->by;
  struct drawn drawn = {0};
  struct value value;
  if (!by || !expr_is_random(by) || expr_is_stateful(by) || names_target(by, NULL)) return false;
  struct environment *environment = way_environment(x, stay, locals);
  environment->drawn = &drawn;
  bool fine = evaluate(environment, by, &value);
  environment->drawn = NULL;
  if (!fine) return false;
  if (value.kind == VALUE_DISTRIBUTION) return distribution_is_continuous(value.object);
  bool call = by->kind == EXPR_CALL && drawn.draws == 1 && drawn.number == value.real;
  return call && value.kind == VALUE_REAL && distribution_is_continuous(drawn.distribution);
}

static bool refuse_any(struct extractor *x, const struct model_request *request) {
  way_refuse(x, request->syntax->quantifier_span, "which of them is taken depends on the clock");
  diagnostic_help(x->model->diagnostics, (struct span){0}, "one of them at random is taken by 'any by uniform(0, 1)'");
  return false;
}

bool way_aim(struct extractor *x, struct stay *stay, const struct model_request *request, struct value *locals,
             struct aim *out) {
  struct value value;
  *out = (struct aim){.visits = 1};
  if (request->quantifier == TARGET_ANY && !chosen_alike(x, stay, request, locals)) return refuse_any(x, request);
  if (request->patience) return refuse(x, request->patience->span, "who leaves a line is not known");
  if (!aim_targets(x, stay, request, locals, out)) return false;
  if (!out->count) return true;
  if (!aim_arguments(x, stay, request, locals, out)) return false;
  if (request->visits) {
    if (!known(x, stay, locals, request->visits, x->model->types.real, &value)) return false;
    out->visits = value.real;
    if (!(value.real >= 0) || isinf(value.real)) {
      diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, request->visits->span,
                     "visits must be finite and not negative: it is %g", value.real);
      return false;
    }
  }
  if (request->delay) {
    if (!known(x, stay, locals, request->delay, x->model->types.time, &value)) return false;
    out->delay = value.real;
    if (!(value.real >= 0)) {
      diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, request->delay->span,
                     "a delay must not be negative: it is %g s", value.real);
      return false;
    }
  }
  return true;
}

static bool accept_walk(struct extractor *x, const struct model_accept *accept, uint32_t instance,
                        const struct value *arguments, const struct stay *caller, enum role role, double visits,
                        bool once, struct span span);

/* Who has forgotten what makes a process of each that comes is not to be sent to a simulation of one server. */
static bool refuse_held(struct extractor *x, const struct stay *stay, struct span span) {
  struct diagnostics *d = x->model->diagnostics;
  if (stay->accept->servers || stay->caller) return way_refuse(x, span, "a server is held while it calls another");
  refuse(x, span, "a server is held while it calls another: that of the accept, one where it does not say more");
  diagnostic_help(d, (struct span){0}, "where as many are there at once as come, write 'servers = unlimited;' there");
  diagnostic_help(d, (struct span){0}, "where one at a time is meant, simulation[queueing] can take it");
  return false;
}

/* Of several targets one is taken, each with the same chance. */
static bool target_walk(struct extractor *x, struct stay *stay, const struct model_request *request,
                        const struct aim *aim, uint32_t t) {
  const struct model_accept *accept = x->model->accepts[aim->targets[t].accept];
  double servers, visits = stay->visits * aim->visits / aim->count;
  if (!way_servers(x, accept, aim->targets[t].instance, &servers)) return false;
  return accept_walk(x, accept, aim->targets[t].instance, aim->arguments[t], stay,
                     isinf(servers) ? ROLE_DELAY : ROLE_STATION, visits,
                     stay->once && stay->chance == 1 && aim->visits == 1 && aim->count == 1, request->syntax->span);
}

static bool call_walk(struct extractor *x, struct stay *stay, const struct model_request *request,
                      const struct aim *aim) {
  if (stay->role == ROLE_STATION) return refuse_held(x, stay, request->syntax->span);
  if (request->quantifier == TARGET_EVERY)
    return way_refuse(x, request->syntax->quantifier_span, "calls of 'every' go on at the same time");
  x->way.calls = true;
  x->way.away.mean += stay->visits * aim->visits * aim->delay;
  for (uint32_t t = 0; t < aim->count && aim->visits > 0; t++)
    if (!target_walk(x, stay, request, aim, t)) return false;
  return true;
}

bool way_same_arguments(const struct model_accept *accept, const struct value *a, const struct value *b) {
  for (uint32_t k = 0; k < accept->transaction->param_count; k++) {
    struct value left = a ? a[k] : (struct value){0}, right = b ? b[k] : (struct value){0};
    if (left.kind != right.kind || (left.kind != VALUE_NONE && !value_equal(left, right))) return false;
  }
  return true;
}

/* A token to where the way began closes it; another is a customer that a source starts, or the same customer on
 * its way to the next accept. Which of these it is the end of the walk tells: starts are kept. */
static bool token_walk(struct extractor *x, struct stay *stay, const struct model_request *request,
                       const struct aim *aim) {
  if (stay->caller) return way_refuse(x, request->syntax->span, "a called component sends tokens");
  if (stay->chance != 1 || (request->quantifier == TARGET_ANY && aim->count > 1))
    return way_refuse(x, request->syntax->span, "a token is sent by chance");
  for (uint32_t i = 0; i < aim->count; i++) {
    const struct model_accept *accept = x->model->accepts[aim->targets[i].accept];
    if (!x->graph->reach[accept->id].full || accept->firing_rule)
      return way_refuse(x, accept->syntax->span, "a firing here waits for more than one token");
    if (accept != x->begin.accept || aim->targets[i].instance != x->begin.instance) {
      struct start start = {accept, aim->targets[i].instance, aim->arguments[i], aim->visits, request->syntax->span};
      ARENA_PUSH(&x->scratch, x->way.starts, x->way.start_count, x->way.start_capacity, start);
      x->way.away.mean += aim->delay; /* should the customer itself go there */
      continue;
    }
    if (x->way.closed || aim->visits != 1)
      return way_refuse(x, request->syntax->span, "a customer that loops must come back as one");
    if (!way_same_arguments(accept, x->begin.arguments, aim->arguments[i]))
      return way_refuse(x, request->syntax->txn.span, "a cycle is not as the one before: the arguments differ");
    x->way.closed = true;
    x->way.away.mean += aim->delay;
  }
  return true;
}

static bool request_walk(struct extractor *x, struct stay *stay, const struct model_request *request,
                         struct value *locals) {
  struct aim aim;
  if (++x->steps > STEPS)
    return way_refuse(x, request->syntax->span, "the way of a customer has more than a million steps");
  if (!way_aim(x, stay, request, locals, &aim)) return false;
  if (!aim.count) return true;
  return request->protocol == PROTOCOL_DATAFLOW ? token_walk(x, stay, request, &aim)
                                                : call_walk(x, stay, request, &aim);
}

/* ---- statements ---- */

static bool block_walk(struct extractor *x, struct stay *stay, const struct block *block);

/* What branches come to: what one visits counts by its chance; what they hold is the time of one of them. */
struct fork {
  struct stay outer;
  struct mixture mixture;
  bool some, returned;
};

static struct fork fork_open(const struct stay *stay) { return (struct fork){.outer = *stay}; }

static void fork_begin(const struct fork *fork, struct stay *stay, double chance) {
  stay->visits = fork->outer.visits * chance;
  stay->chance = fork->outer.chance * chance;
  stay->held = (struct times){0};
  stay->returned = false;
}

static bool fork_end(struct extractor *x, struct fork *fork, const struct stay *stay, double chance, struct span span) {
  mixture_add(&fork->mixture, chance, stay->held);
  if (fork->some && stay->returned != fork->returned)
    return way_refuse(x, span, "one of these branches returns, and another goes on");
  fork->returned = stay->returned;
  fork->some = true;
  return true;
}

static void fork_join(const struct fork *fork, struct stay *stay) {
  stay->visits = fork->outer.visits;
  stay->chance = fork->outer.chance;
  stay->held = times_add(fork->outer.held, mixture_times(&fork->mixture));
}

/* A call by an argument that is drawn: one call of each value, by its chance. */
static bool drawn_call_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt, uint32_t drawn,
                            struct value *locals) {
  const struct model_request *request = stmt->assign.callee->request;
  struct outcomes outcomes;
  struct fork fork = fork_open(stay);
  const struct expr *argument = stmt->assign.value->call->bound[drawn];
  if (!outcomes_find(x, stay, stay->locals, argument, request->params[drawn]->type, &outcomes)) {
    for (uint32_t k = 0; k < request->transaction->param_count; k++)
      if (request->args[k] && expr_symbol(request->args[k]) == request->params[drawn])
        help_declared(x, request, k, argument, true);
    return false;
  }
  for (uint32_t i = 0; i < outcomes.count; i++) {
    if (outcomes.chances[i] == 0) continue;
    fork_begin(&fork, stay, outcomes.chances[i]);
    locals[request->params[drawn]->slot] = outcomes.values[i];
    if (!request_walk(x, stay, request, locals)) return false;
    if (!fork_end(x, &fork, stay, outcomes.chances[i], argument->span)) return false;
  }
  fork_join(&fork, stay);
  return true;
}

static bool label_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt) {
  const struct symbol *callee = stmt->assign.callee;
  const struct expr *call = stmt->assign.value;
  if (callee->kind != SYMBOL_LABEL)
    return way_refuse(x, call->span, "'%s' is a function of an evaluator", callee->name->text);
  const struct model_request *request = callee->request;
  struct value *locals = ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1);
  uint32_t drawn = UINT32_MAX;
  for (uint32_t k = 0; k < request->param_count; k++) {
    const struct expr *argument = call->call->bound[k];
    struct value *slot = &locals[request->params[k]->slot];
    if (expr_is_stateful(argument)) continue;
    if (expr_is_drawn(argument, request->params[k]->type)) {
      if (drawn != UINT32_MAX) return way_refuse(x, argument->span, "two arguments of this call are drawn");
      drawn = k;
      continue;
    }
    if (!evaluate_as(way_environment(x, stay, stay->locals), argument, request->params[k]->type, slot))
      return failed(x, argument);
  }
  return drawn == UINT32_MAX ? request_walk(x, stay, request, locals) : drawn_call_walk(x, stay, stmt, drawn, locals);
}

static bool for_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt) {
  const struct expr *range = stmt->each.range;
  struct value low, high, step = value_integer(1), *slot = &stay->locals[stmt->each.symbol->slot];
  if (range->kind != EXPR_RANGE) {
    if (!known(x, stay, stay->locals, range, NULL, &low)) return false;
    for (uint32_t i = 0; i < low.object->count && !stay->returned; i++) {
      *slot = low.object->items[i];
      if (!block_walk(x, stay, &stmt->each.body)) return false;
    }
    return true;
  }
  if (!known(x, stay, stay->locals, range->range.low, NULL, &low) ||
      !known(x, stay, stay->locals, range->range.high, NULL, &high) ||
      (stmt->each.step && !known(x, stay, stay->locals, stmt->each.step, NULL, &step)))
    return false;
  bool geometric = stmt->each.geometric;
  if (geometric ? step.integer < 2 || low.integer < 1 : step.integer == 0)
    return way_refuse(x, stmt->each.step->span, "a loop with this step does not end");
  for (int64_t at = low.integer, next; step.integer > 0 ? at <= high.integer : at >= high.integer; at = next) {
    *slot = value_integer(at);
    if (!block_walk(x, stay, &stmt->each.body)) return false;
    if (stay->returned ||
        (geometric ? __builtin_mul_overflow(at, step.integer, &next) : __builtin_add_overflow(at, step.integer, &next)))
      break;
  }
  return true;
}

enum { BELOW_TOLD = 1000000000 }; /* a chance of less than 1 in so many is not met in runs */

static void below_help(struct extractor *x, const struct times *times) {
  struct text mean = {.arena = &x->scratch}, deviation = {.arena = &x->scratch}, scale = {.arena = &x->scratch};
  const struct types *types = &x->model->types;
  if (!(times->mean > 0)) return;
  quantity_print(&mean, types, times->mean, types->time->dimension, 6);
  quantity_print(&deviation, types, sqrt(times->variance), types->time->dimension, 6);
  quantity_print(&scale, types, times->variance / times->mean, types->time->dimension, 6);
  diagnostic_help(
      x->model->diagnostics, (struct span){0},
      "%s gives numbers below 0, too: lognormal(%s, %s) and gamma(%.6g, %s) do not, and have the same mean and "
      "deviation",
      distribution_name(times->drawn->distribution.kind), mean.data, deviation.data,
      times->mean * times->mean / times->variance, scale.data);
}

/* What ends a simulation by chance goes into the moments unseen; said once of a component. */
static void below_warn(struct extractor *x, const struct stay *stay, const struct stmt *stmt,
                       const struct times *times) {
  double chance = times_below(times);
  const struct model_component *component = stay->accept->component;
  if (!x->options->by || x->options->range_end != RANGE_MIDDLE || !times->drawn || chance * BELOW_TOLD < 1) return;
  for (const struct below *told = x->below; told; told = told->next)
    if (told->stmt == stmt && told->component == component) return;
  struct below *told = ARENA_NEW(x->arena, struct below);
  *told = (struct below){stmt, component, x->below};
  x->below = told;
  diagnostic_add(
      x->model->diagnostics, SEVERITY_WARNING, stmt->hold->span,
      "%s holds for less than 0 s with a chance of %s%.2g %%, which %s counts; a simulation ends there: a time must "
      "be finite and not negative",
      component->symbol->name->text, times->several ? "about " : "", 100 * chance, x->options->by);
  below_help(x, times);
}

static bool hold_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt) {
  struct times times;
  if (expr_is_stateful(stmt->hold)) return way_refuse(x, stmt->hold->span, "this depends on the clock or on a state");
  if (!times_of(x, way_environment(x, stay, stay->locals), stmt->hold, &times)) return failed(x, stmt->hold);
  if (!(times.mean >= 0)) {
    diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, stmt->hold->span,
                   "cannot hold for %g s: a time must be finite and not negative", times.mean);
    return false;
  }
  below_warn(x, stay, stmt, &times);
  stay->held = times_add(stay->held, times);
  return true;
}

static bool let_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt) {
  struct value *slot = &stay->locals[stmt->assign.symbol->slot];
  *slot = (struct value){.kind = VALUE_NONE}; /* not known: only what reads it is refused */
  if (stmt->assign.is_call) return label_walk(x, stay, stmt);
  if (expr_is_stateful(stmt->assign.value)) return true;
  struct environment *environment = way_environment(x, stay, stay->locals);
  if (evaluate_as(environment, stmt->assign.value, stmt->assign.symbol->type, slot)) return true;
  if (environment->lacked && !environment->lacking) return true;
  return failed(x, stmt->assign.value);
}

static bool chances_known(struct extractor *x, struct stay *stay, const struct stmt *stmt, double *chances) {
  uint32_t count = stmt->chances.count, at;
  for (uint32_t i = 0; i < count; i++) {
    struct value value;
    if (!known(x, stay, stay->locals, stmt->chances.items[i].value, x->model->types.real, &value)) return false;
    chances[i] = value.real;
  }
  const char *wrong = chances_wrong(&x->scratch, chances, count, &at);
  if (!wrong) return true;
  diagnostic_add(x->model->diagnostics, SEVERITY_ERROR, at < count ? stmt->chances.items[at].value->span : stmt->span,
                 "%s", wrong);
  return false;
}

static bool one_of_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt) {
  double *chances = ARENA_ARRAY(&x->scratch, double, stmt->chances.count);
  struct fork fork = fork_open(stay);
  if (!chances_known(x, stay, stmt, chances)) return false;
  for (uint32_t i = 0; i < stmt->chances.count; i++) {
    if (chances[i] == 0) continue;
    fork_begin(&fork, stay, chances[i]);
    if (!block_walk(x, stay, &stmt->chances.items[i].body)) return false;
    if (!fork_end(x, &fork, stay, chances[i], stmt->span)) return false;
  }
  fork_join(&fork, stay);
  return true;
}

static bool is_drawn_let(const struct stmt *stmt) {
  return stmt->kind == STMT_LET && !stmt->assign.is_call && !expr_is_stateful(stmt->assign.value) &&
         expr_is_drawn(stmt->assign.value, stmt->assign.symbol->type);
}

/* A let that is drawn: what stands behind it in its block is gone through with each value, by its chance. */
static bool drawn_let_walk(struct extractor *x, struct stay *stay, const struct block *block, const struct stmt *stmt) {
  struct outcomes outcomes;
  struct fork fork = fork_open(stay);
  struct block rest = *block;
  struct value *slot = &stay->locals[stmt->assign.symbol->slot];
  rest.first = stmt->next;
  if (!outcomes_find(x, stay, stay->locals, stmt->assign.value, stmt->assign.symbol->type, &outcomes)) return false;
  for (uint32_t i = 0; i < outcomes.count; i++) {
    if (outcomes.chances[i] == 0) continue;
    fork_begin(&fork, stay, outcomes.chances[i]);
    *slot = outcomes.values[i];
    if (!block_walk(x, stay, &rest)) return false;
    if (!fork_end(x, &fork, stay, outcomes.chances[i], stmt->span)) return false;
  }
  *slot = (struct value){.kind = VALUE_NONE};
  fork_join(&fork, stay);
  return true;
}

static bool statement_walk(struct extractor *x, struct stay *stay, const struct stmt *stmt) {
  struct value value;
  switch (stmt->kind) {
  case STMT_LET: return let_walk(x, stay, stmt);
  case STMT_CALL: return label_walk(x, stay, stmt);
  case STMT_HOLD: return hold_walk(x, stay, stmt);
  case STMT_RETURN: stay->returned = true; return !stmt->assign.is_call || label_walk(x, stay, stmt);
  case STMT_IF:
    if (!known(x, stay, stay->locals, stmt->branch.condition, x->model->types.boolean, &value)) return false;
    return block_walk(x, stay, value.boolean ? &stmt->branch.then : &stmt->branch.otherwise);
  case STMT_ONE_OF: return one_of_walk(x, stay, stmt);
  case STMT_FOR: return for_walk(x, stay, stmt);
  case STMT_RECORD:
  case STMT_ASSERT: return true; /* they observe */
  case STMT_WHILE: return way_refuse(x, stmt->span, "how often a 'while' turns is not known");
  case STMT_FIRST_OF: return refuse(x, stmt->span, "which one of several things is done first is not known");
  case STMT_ASSIGN:
  case STMT_PROFILE: return way_refuse(x, stmt->span, "this changes a state");
  case STMT_KINDS: break;
  }
  return true;
}

static bool block_walk(struct extractor *x, struct stay *stay, const struct block *block) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt && !stay->returned; stmt = stmt->next) {
    if (interrupted(x->arena->memory)) return false;
    if (++x->steps > STEPS) return way_refuse(x, stmt->span, "the way of a customer has more than a million steps");
    if (stmt->made) return way_refuse(x, stmt->span, "it takes part in a conversation of a protocol");
    if (is_drawn_let(stmt)) return drawn_let_walk(x, stay, block, stmt);
    if (!statement_walk(x, stay, stmt)) return false;
  }
  return true;
}

/* ---- accepts ---- */

static bool parameters_fill(struct extractor *x, struct stay *stay, const struct value *arguments) {
  const struct model_accept *accept = stay->accept;
  for (uint32_t k = 0; k < accept->param_count; k++) {
    struct model_parameter *parameter = &accept->transaction->params[accept->param_of[k]];
    struct value *slot = &stay->locals[accept->params[k]->slot];
    *slot = arguments ? arguments[accept->param_of[k]] : (struct value){.kind = VALUE_NONE};
    if (slot->kind != VALUE_NONE) continue;
    stay->no_priority |= accept->priority_at == (int32_t)k;
    if (!parameter->value) continue;
    struct value *none = ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1);
    if (!evaluate_as(way_environment(x, stay, none), parameter->value, parameter->type, slot))
      return failed(x, parameter->value);
    if (!value_allowed(way_environment(x, stay, none), &parameter->allowed, parameter->name, parameter->type,
                       parameter->value->span, *slot))
      return false;
  }
  return true;
}

/* The argument, else the caller's attribute, else the parameter's default, where the discipline goes by it. */
static bool priority_of(struct extractor *x, const struct stay *stay, double *out) {
  struct value value = {.kind = VALUE_REAL};
  const struct stay *caller = stay->caller;
  int32_t at = stay->accept->priority_at;
  *out = 0;
  if (!discipline_of(stay->accept->discipline)->by_priority) return true;
  bool given = (at < 0 || stay->no_priority) && caller &&
               graph_attribute(x->graph, caller->accept, caller->instance, name_known(x->model->names, KNOWN_PRIORITY),
                               NULL, &value);
  if (!given && at >= 0) value = stay->locals[stay->accept->params[at]->slot];
  given |= at >= 0;
  const char *wrong = given ? priority_wrong(value, out) : NULL;
  return !wrong || way_refuse(x, stay->accept->syntax->span, "the priority of a customer here is %s, %s",
                              value_brief(x->arena, &x->model->types, x->model->names, NULL, value), wrong);
}

static bool stay_end(struct extractor *x, const struct stay *stay) {
  double priority;
  switch (stay->role) {
  case ROLE_CUSTOMER: x->way.away = times_add(x->way.away, stay->held); return true;
  case ROLE_DELAY: return !stay->held.count || use_add(x, stay, 0);
  case ROLE_STATION: return priority_of(x, stay, &priority) && use_add(x, stay, priority);
  }
  return true;
}

static bool accept_walk(struct extractor *x, const struct model_accept *accept, uint32_t instance,
                        const struct value *arguments, const struct stay *caller, enum role role, double visits,
                        bool once, struct span span) {
  int64_t indices[COMPONENT_INDICES];
  struct stay stay = {.accept = accept,
                      .instance = instance,
                      .caller = caller,
                      .indices = indices,
                      .locals = ARENA_ARRAY(&x->scratch, struct value, x->model->slot_max + 1),
                      .role = role,
                      .visits = visits,
                      .chance = 1,
                      .once = once};
  uint32_t before = x->way.order_count;
  if (x->depth >= DEEP) return way_refuse(x, span, "calls go in a circle, or nest too deep");
  if (accept->component->asking)
    return way_refuse(x, accept->component->asking->span, "a param is asked for while the model runs");
  if (accept->firing_rule) return way_refuse(x, accept->firing_rule->span, "a firing rule depends on state");
  x->depth++;
  graph_indices(x->graph, instance, indices);
  bool fine = parameters_fill(x, &stay, arguments) && block_walk(x, &stay, accept->body);
  for (uint32_t i = 0; fine && i < accept->request_count; i++)
    fine = request_walk(x, &stay, accept->requests[i], stay.locals);
  x->depth--;
  if (role == ROLE_DELAY && stay.held.count && x->way.order_count > before) x->way.varies = true; /* before or behind */
  return fine && stay_end(x, &stay);
}

/* The next accept of a customer's way; a station where it has servers and nothing holds it back from calling. */
static bool next_walk(struct extractor *x, const struct start *start, bool first) {
  double servers;
  if (!way_servers(x, start->accept, start->instance, &servers)) return false;
  enum role role = first            ? start->number > servers ? ROLE_STATION : ROLE_CUSTOMER
                   : isinf(servers) ? ROLE_DELAY
                                    : ROLE_STATION;
  return accept_walk(x, start->accept, start->instance, start->arguments, NULL, role, 1, true, start->span);
}

bool way_walk(struct extractor *x, const struct start *begin) {
  x->way = (struct way){0};
  x->begin = *begin;
  x->depth = 0;
  x->steps = 0;
  struct start next = *begin;
  for (uint32_t count = 0;; count++) {
    x->way.start_count = 0;
    if (!next_walk(x, &next, count == 0)) return false;
    if (x->way.closed || !x->way.start_count) return true;
    if (x->way.start_count > 1 || x->way.starts[0].number != 1)
      return way_refuse(x, x->way.starts[x->way.start_count - 1].span, "a customer goes on as more than one");
    if (count > 10000) return way_refuse(x, begin->span, "the way of a customer leads into a loop that it is not in");
    next = x->way.starts[0];
  }
}
