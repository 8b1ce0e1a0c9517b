/* Proofs about the static task graph by isl: index sets, `where` and selectors as sets over params,
 * requesters and targets; for every accept that gathers its parameters from several requests, what no request
 * gives and what two give.  Called by `psl check`. */
#include "interp/resolve/static_graph.h"
#include "interp/resolve/resolve.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

enum { MOST_OPERATIONS = 4000000, MOST_EDGES = 64 };

struct edges { /* of one request to the accept: pairs of requester and target, as a set over both */
  struct model_request *request;
  uint64_t given;
  isl_map *map;
};
struct proof {
  struct resolver *r;
  const struct model_accept *accept;
  isl_ctx *ctx;
  struct symbol **params;
  uint32_t param_count;
  isl_set *context; /* ranges of the params */
  isl_set *domain;  /* the accept's instances */
  struct edges edges[MOST_EDGES];
  uint32_t edge_count;
  bool opaque;
  bool *used;           /* by param: the sets depend on it */
  const char *left_out; /* why it cannot be said */
};

static uint64_t given_by(const struct model_request *request) {
  uint64_t mask = 0;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    if (request->args[k]) mask |= UINT64_C(1) << k;
  return mask;
}

/* ---- sets ---- */

static isl_space *space_of(const struct proof *p, uint32_t dims) {
  isl_space *space = isl_space_set_alloc(p->ctx, p->param_count, dims);
  for (uint32_t k = 0; k < p->param_count; k++)
    space = isl_space_set_dim_id(space, isl_dim_param, k, isl_id_alloc(p->ctx, p->params[k]->name->text, p->params[k]));
  return space;
}

static struct symbolic symbolic_of(const struct proof *p, uint32_t dims) {
  return (struct symbolic){
      .r = p->r, .space = space_of(p, dims), .parametric = true, .params = p->params, .param_count = p->param_count};
}

static void leave_out(struct proof *p, const char *why) {
  if (!p->left_out) p->left_out = why;
}

/* The index set of a component and of those around it, at s->base. */
static isl_set *index_set(struct proof *p, struct symbolic *s, const struct model_component *component) {
  isl_set *set = isl_set_universe(isl_space_copy(s->space));
  for (; component; component = component->outer) {
    bool exact = true;
    if (!component->set) continue;
    set = isl_set_intersect(set, symbolic_set(s, component->set, true, &exact));
    if (!exact)
      leave_out(p, arena_printf(p->r->arena, "the index set of '%s' is not affine", component->symbol->name->text));
  }
  return set;
}

/* Params that multiply indices, as in i * m + j. NULL: it is not known where both are the same. */
static isl_set *product_set(struct proof *p, struct symbolic *s, const struct attribute_ref *ref,
                            const struct expr *clause, uint32_t target_base, const isl_set *domain) {
  enum operator op = clause->clause.op;
  if (ref->kind != ATTRIBUTE_EXPR || (op != OP_EQ && op != OP_NE) || !ref->value || !domain) return NULL;
  struct symbolic_side offered = {.value = ref->value, .base = target_base};
  struct symbolic_side wanted = {.value = clause->clause.value};
  isl_set *known = isl_set_copy((isl_set *)domain);
  if (p->context) known = isl_set_intersect_params(known, isl_set_params(isl_set_copy(p->context)));
  isl_set *same = symbolic_equal(s, known, &offered, &wanted);
  isl_set_free(known);
  return same && op == OP_NE ? isl_set_complement(same) : same;
}

/* One side of a clause: the target's attribute (indices at target_base) and the requester's value (at 0). */
static isl_set *clause_set(struct proof *p, struct symbolic *s, const struct expr *clause, uint32_t target_base,
                           const isl_set *domain) {
  struct attribute_ref ref = profile_find(p->r, p->accept, clause->clause.attribute);
  isl_pw_aff *offered = NULL, *wanted = NULL;
  s->base = target_base;
  if (ref.kind == ATTRIBUTE_INDEX)
    offered = isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(s->space)),
                                                        isl_dim_set, target_base + ref.slot));
  else if (ref.kind == ATTRIBUTE_EXPR)
    offered = symbolic_value(s, ref.value);
  s->base = 0;
  if (offered && clause->clause.op != OP_IN) wanted = symbolic_value(s, clause->clause.value);
  if (offered && wanted) return symbolic_relation(clause->clause.op, offered, wanted);
  isl_pw_aff_free(offered);
  isl_set *same = product_set(p, s, &ref, clause, target_base, domain);
  if (same) return same;
  leave_out(p, arena_printf(p->r->arena, "the clause '%s' is not affine", span_text(p->r, clause->span)));
  return isl_set_universe(isl_space_copy(s->space));
}

/* The pairs in the domain that the selector means. */
static isl_set *selector_set(struct proof *p, struct symbolic *s, const struct expr *selector, uint32_t target_base,
                             const isl_set *domain) {
  if (!selector || selector_verdict(p->r, p->accept, selector) == VERDICT_YES)
    return isl_set_universe(isl_space_copy(s->space));
  if (selector_verdict(p->r, p->accept, selector) == VERDICT_NO) return isl_set_empty(isl_space_copy(s->space));
  if (selector->kind == EXPR_CLAUSE) return clause_set(p, s, selector, target_base, domain);
  if (selector->kind == EXPR_UNARY)
    return isl_set_complement(selector_set(p, s, selector->unary.operand, target_base, domain));
  isl_set *left = selector_set(p, s, selector->binary.left, target_base, domain);
  isl_set *right = selector_set(p, s, selector->binary.right, target_base, domain);
  return selector->binary.op == OP_AND ? isl_set_intersect(left, right) : isl_set_union(left, right);
}

/* An inner component is met inside the same outer instance; no request meets the instance that makes it
 * unnamed. */
static isl_set *implied_set(const struct candidate *c, const struct model_request *request, isl_set *set,
                            uint32_t base) {
  for (uint32_t k = 0; k < c->shared; k++)
    set = isl_set_equate(set, isl_dim_set, k, isl_dim_set, base + k);
  if (request->component != c->accept->component || c->names_index) return set;
  isl_set *self = isl_set_universe(isl_set_get_space(set));
  for (uint32_t k = 0; k < base; k++)
    self = isl_set_equate(self, isl_dim_set, k, isl_dim_set, base + k);
  return isl_set_subtract(set, self);
}

static isl_map *as_map(isl_set *set, uint32_t requester_dims) {
  isl_map *map = isl_map_from_range(set);
  return isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, requester_dims);
}

static void add_edges(struct proof *p, struct plan *plan, const struct candidate *c) {
  struct model_request *request = plan->request;
  uint32_t ours = request->component->index_count, theirs = p->accept->component->index_count;
  struct symbolic s = symbolic_of(p, ours + theirs);
  bool exact = true;
  isl_set *set = index_set(p, &s, request->component);
  if (request->where) set = isl_set_intersect(set, symbolic_set(&s, request->where, true, &exact));
  if (!exact)
    leave_out(p, arena_printf(p->r->arena, "'where %s' is not affine", span_text(p->r, request->where->span)));
  s.base = ours;
  set = isl_set_intersect(set, index_set(p, &s, p->accept->component));
  isl_set *selected = selector_set(p, &s, request->selector, ours, set);
  set = isl_set_intersect(set, selected);
  set = implied_set(c, request, set, ours);
  p->edges[p->edge_count++] = (struct edges){request, given_by(request), as_map(set, ours)};
  p->opaque |= s.opaque;
  isl_space_free(s.space);
}

/* All requests that may reach the accept; false where it is not one that gathers its parameters. */
static bool gather(struct proof *p) {
  bool mixed = false;
  for (uint32_t k = 0; k < p->r->model->request_count; k++) {
    struct plan *plan = p->r->plans[k];
    for (uint32_t c = 0; plan && c < plan->count; c++) {
      if (plan->candidates[c].accept != p->accept || plan->request->protocol != PROTOCOL_DATAFLOW) continue;
      if (p->edge_count == MOST_EDGES) leave_out(p, "too many requests reach it");
      if (plan->late)
        leave_out(p, arena_printf(p->r->arena, "a request is matched while the model runs: %s", plan->because));
      if (plan->request->quantifier == TARGET_ANY) leave_out(p, "a request takes any of several");
      if (p->left_out) return true;
      add_edges(p, plan, &plan->candidates[c]);
      mixed |= p->edges[p->edge_count - 1].given != p->edges[0].given;
    }
  }
  return mixed;
}

/* ---- counterexamples ---- */

/* The least point, params first; NULL: the set is empty, or it cannot be said. */
static isl_point *example_of(struct proof *p, isl_set *set) {
  set = isl_set_intersect(set, isl_set_copy(p->context));
  if (isl_set_is_empty(set) != isl_bool_false) {
    isl_set_free(set);
    return NULL;
  }
  isl_set *flat = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, p->param_count);
  bool bounded = true;
  for (uint32_t k = 0; k < p->param_count && bounded; k++)
    bounded = isl_set_dim_has_lower_bound(flat, isl_dim_set, k) == isl_bool_true;
  if (bounded) flat = isl_set_lexmin(flat);
  isl_point *point = isl_set_sample_point(flat);
  if (point && isl_point_is_void(point) == isl_bool_false) return point;
  isl_point_free(point);
  return NULL;
}

static long coordinate(isl_point *point, uint32_t place) {
  isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)place);
  long result = value ? isl_val_get_num_si(value) : 0;
  isl_val_free(value);
  return result;
}

/* "grid[0, 3]" and "n = 1, m = 4" */
static const char *instance_text(struct proof *p, isl_point *point) {
  struct text out = {.arena = p->r->arena};
  const struct model_component *component = p->accept->component;
  text_put(&out, component->symbol->name->text);
  for (uint32_t k = 0; k < component->index_count; k++)
    text_printf(&out, "%s%ld", k ? ", " : "[", coordinate(point, p->param_count + k));
  if (component->index_count) text_char(&out, ']');
  return out.data;
}

static const char *params_text(struct proof *p, isl_point *point) {
  struct text out = {.arena = p->r->arena};
  for (uint32_t k = 0; k < p->param_count; k++) {
    if (p->params[k]->kind != SYMBOL_PARAM || !p->used[k]) continue;
    text_printf(&out, "%s%s = %ld", out.size ? ", " : "", p->params[k]->name->text, coordinate(point, k));
  }
  return out.data;
}

static void note_params(struct proof *p, isl_point *point) {
  const char *text = params_text(p, point);
  if (text) diagnostic_note(p->r->model->diagnostics, (struct span){0}, "with %s", text);
}

/* ---- the proof of one accept ---- */

static isl_set *image_of(struct edges *edges) { return isl_map_range(isl_map_copy(edges->map)); }

/* Instances that no request gives any of the parameters in the mask. */
static isl_set *without(struct proof *p, uint64_t mask) {
  isl_set *rest = isl_set_copy(p->domain);
  for (uint32_t k = 0; k < p->edge_count; k++)
    if (p->edges[k].given & mask) rest = isl_set_subtract(rest, image_of(&p->edges[k]));
  return rest;
}

static bool report_missing(struct proof *p, isl_set *missing, const char *parameter) {
  isl_point *point = example_of(p, missing);
  struct diagnostics *d = p->r->model->diagnostics;
  if (!point) return true;
  if (p->opaque) {
    leave_out(p, "a let that it depends on is not affine");
  } else {
    if (parameter)
      diagnostic_add(d, SEVERITY_ERROR, p->accept->syntax->span,
                     "no request gives %s its parameter '%s', which has no default", instance_text(p, point),
                     parameter);
    else
      diagnostic_add(d, SEVERITY_ERROR, p->accept->syntax->span, "no request reaches %s", instance_text(p, point));
    note_params(p, point);
  }
  bool fine = p->opaque;
  isl_point_free(point);
  return fine;
}

/* Targets that two requesters of one request reach. */
static isl_set *twice_by_one(struct edges *edges) {
  isl_map *map = isl_map_copy(edges->map);
  isl_map *both = isl_map_apply_range(isl_map_copy(map), isl_map_reverse(isl_map_copy(map)));
  isl_map *others = isl_map_subtract(both, isl_map_identity(isl_map_get_space(both)));
  return isl_set_apply(isl_map_domain(others), map);
}

static void report_twice(struct proof *p, isl_set *twice, const char *parameter, const struct edges *a,
                         const struct edges *b) {
  isl_point *point = example_of(p, twice);
  struct diagnostics *d = p->r->model->diagnostics;
  if (!point) return;
  if (p->opaque) {
    leave_out(p, "a let that it depends on is not affine");
  } else {
    diagnostic_add(d, SEVERITY_WARNING, p->accept->syntax->span, "two requests give %s its parameter '%s'",
                   instance_text(p, point), parameter);
    note_params(p, point);
    diagnostic_note(d, a->request->syntax->txn.span, a == b ? "this one does, from two instances" : "this one does");
    if (a != b) diagnostic_note(d, b->request->syntax->txn.span, "and this one");
    diagnostic_help(d, (struct span){0}, "'every %s' in the transaction takes one of each", parameter);
  }
  isl_point_free(point);
}

static void prove_once(struct proof *p, uint32_t k) {
  const struct model_parameter *param = &p->accept->transaction->params[k];
  for (uint32_t i = 0; i < p->edge_count; i++)
    for (uint32_t j = i; j < p->edge_count; j++) {
      if (!(p->edges[i].given >> k & 1) || !(p->edges[j].given >> k & 1)) continue;
      isl_set *twice =
          i == j ? twice_by_one(&p->edges[i]) : isl_set_intersect(image_of(&p->edges[i]), image_of(&p->edges[j]));
      report_twice(p, twice, param->name->text, &p->edges[i], &p->edges[j]);
    }
}

static bool prove(struct proof *p) {
  const struct model_transaction *transaction = p->accept->transaction;
  bool fine = report_missing(p, without(p, UINT64_MAX), NULL);
  for (uint32_t k = 0; k < p->accept->param_count && fine; k++) {
    uint32_t of = p->accept->param_of[k];
    const struct model_parameter *param = &transaction->params[of];
    if (param->value || (param->type && (param->type->kind == TYPE_SIGNAL || param->type->kind == TYPE_ANY))) continue;
    fine = report_missing(p, without(p, UINT64_C(1) << of), param->name->text);
  }
  for (uint32_t k = 0; k < transaction->param_count; k++)
    if (!transaction->params[k].every) prove_once(p, k);
  return fine;
}

/* For whom it is proved, and for whom it is only tested with the params as they are. */
static void note_outcome(struct proof *p, bool fine) {
  const char *component = p->accept->component->symbol->name->text;
  struct diagnostics *d = p->r->model->diagnostics;
  if (isl_ctx_last_error(p->ctx) != isl_error_none) leave_out(p, "it would take too long");
  if (!p->r->verbose || !fine) return;
  if (!p->left_out) {
    diagnostic_add(d, SEVERITY_NOTE, p->accept->syntax->span,
                   "each instance of '%s' gets its parameters: proved for all values of the params", component);
    return;
  }
  diagnostic_add(d, SEVERITY_NOTE, p->accept->syntax->span,
                 "each instance of '%s' gets its parameters: not proved, but tested for the params as they are",
                 component);
  diagnostic_note(d, (struct span){0}, "%s", p->left_out);
}

/* The int params, and lets that stand for themselves where they are not affine. */
static void list_params(struct proof *p) {
  const struct model *model = p->r->model;
  p->params = ARENA_ARRAY(p->r->arena, struct symbol *, model->param_count + model->let_count);
  for (uint32_t k = 0; k < model->param_count; k++)
    if (model->params[k]->type && model->params[k]->type->kind == TYPE_INT)
      p->params[p->param_count++] = model->params[k];
  for (uint32_t k = 0; k < model->let_count; k++)
    if (model->lets[k]->type && model->lets[k]->type->kind == TYPE_INT) p->params[p->param_count++] = model->lets[k];
}

static void note_used(struct proof *p) {
  p->used = ARENA_ARRAY(p->r->arena, bool, p->param_count);
  for (uint32_t k = 0; k < p->param_count; k++) {
    p->used[k] = isl_set_involves_dims(p->domain, isl_dim_param, k, 1) == isl_bool_true;
    for (uint32_t i = 0; i < p->edge_count; i++)
      p->used[k] |= isl_map_involves_dims(p->edges[i].map, isl_dim_param, k, 1) == isl_bool_true;
  }
}

isl_map *static_graph_pairs(struct resolver *r, isl_ctx *ctx, struct symbol **params, uint32_t param_count,
                            struct plan *plan, const struct candidate *candidate, const char **inexact) {
  struct proof *p = ARENA_NEW(r->arena, struct proof);
  *p = (struct proof){.r = r, .accept = candidate->accept, .ctx = ctx, .params = params, .param_count = param_count};
  struct symbolic s = symbolic_of(p, candidate->accept->component->index_count);
  p->context = symbolic_context(&s);
  if (plan->late) leave_out(p, arena_printf(r->arena, "it is matched while the model runs: %s", plan->because));
  add_edges(p, plan, candidate);
  isl_set_free(p->context);
  isl_space_free(s.space);
  *inexact = p->left_out;
  return p->edges[0].map;
}

static bool check_accept(struct resolver *r, const struct model_accept *accept) {
  struct proof *p = ARENA_NEW(r->arena, struct proof);
  bool fine = true;
  resolver_defer_limit(r);
  *p = (struct proof){.r = r, .accept = accept, .ctx = isl_ctx_alloc()};
  isl_options_set_on_error(p->ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(p->ctx, MOST_OPERATIONS);
  list_params(p);
  struct symbolic s = symbolic_of(p, accept->component->index_count);
  p->context = symbolic_context(&s);
  if (gather(p)) {
    p->domain = index_set(p, &s, accept->component);
    p->opaque |= s.opaque;
    note_used(p);
    if (!p->left_out) fine = prove(p);
    note_outcome(p, fine);
  }
  isl_set_free(p->context);
  isl_set_free(p->domain);
  for (uint32_t k = 0; k < p->edge_count; k++)
    isl_map_free(p->edges[k].map);
  isl_space_free(s.space);
  isl_ctx_free(p->ctx);
  resolver_restore_limit(r);
  return fine;
}

static bool check_all(struct resolver *r) {
  resolver_plan(r);
  bool fine = undeclared_check(r);
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    const struct model_accept *accept = r->model->accepts[k];
    if (r->accept_reached[k] && accept->protocol == PROTOCOL_DATAFLOW && !check_accept(r, accept)) fine = false;
  }
  return fine;
}

bool static_graph_check(struct model *model, struct arena *arena, struct model_component *system, bool verbose) {
  static const struct resolve_options plain;
  struct graph *graph = graph_new(model, arena, system);
  graph->resolver = ARENA_NEW(arena, struct resolver);
  resolver_open(graph->resolver, graph, &plain);
  graph->resolver->verbose = verbose;
  return resolver_guarded(graph->resolver, check_all);
}

/* Of an accept that gathers its parameters: the first instance that nothing reaches, and how many there are. */
static uint32_t count_unreached(const struct graph *graph, const struct model_accept *accept, uint32_t *first) {
  const struct instances *set = &graph->instances[accept->component->id];
  const struct reach *reach = &graph->reach[accept->id];
  uint32_t count = 0;
  for (uint32_t k = 0; (reach->masks || reach->bytes) && k < set->count; k++)
    if (!reach_mask(reach, k) && !count++) *first = set->first + k;
  return count;
}

bool static_graph_test(const struct graph *graph) {
  struct diagnostics *d = graph->model->diagnostics;
  bool fine = true;
  for (uint32_t k = 0; k < graph->model->accept_count; k++) {
    const struct model_accept *accept = graph->model->accepts[k];
    struct text name = {.arena = graph->arena};
    uint32_t first = 0, count = count_unreached(graph, accept, &first);
    if (!count) continue;
    graph_instance_print(&name, graph, first);
    diagnostic_add(d, SEVERITY_ERROR, accept->syntax->span, "no request reaches %s", name.data);
    if (count > 1) diagnostic_note(d, (struct span){0}, "nor %u more instances", count - 1);
    fine = false;
  }
  diagnostic_flush(d);
  return fine;
}
