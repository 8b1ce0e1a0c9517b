/* The edges of a static task graph as mappings of instances: which receive may get the message of which send, who takes
 * part in a collective operation, which tasks a request starts.  Called by task_graph.c.
 *
 * A send meets a receive where the one's destination is the other's rank, the other's source is the one's rank, and the
 * tags are the same; variables of loops that both stand in are the same, too, for what is sent in a turn is received in
 * it. */
#include "interp/resolve/task_graph_parts.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static const char *isl_word(struct arena *arena, const char *name) {
  char *copy = arena_copy(arena, name, strlen(name));
  for (char *c = copy; *c; c++)
    if (*c == '-') *c = '_';
  return copy;
}

static void name_tuple(struct deriving *d, isl_map **map, enum isl_dim_type type,
                       const struct model_component *component, struct symbol *const *loops, uint32_t loop_count) {
  *map = isl_map_set_tuple_name(*map, type, isl_word(d->arena, component->symbol->name->text));
  for (uint32_t k = 0; k < component->index_count + loop_count; k++) {
    const struct symbol *symbol =
        k < component->index_count ? component->indices[k] : loops[k - component->index_count];
    *map = isl_map_set_dim_name(*map, type, k, isl_word(d->arena, symbol->name->text));
  }
}

static const char *map_text(struct deriving *d, isl_map *map) {
  char *text = isl_map_to_str(map);
  const char *copy = text ? arena_copy(d->arena, text, strlen(text)) : NULL;
  free(text);
  isl_map_free(map);
  return copy;
}

/* ---- mappings that are read ---- */

enum { SHIFTS = 12 };

struct shifts { /* pairs by how much indices change from the one instance to the other */
  isl_map *whole, *parts;
};

static isl_stat add_shift(isl_point *point, void *user) {
  struct shifts *shifts = user;
  isl_map *shift = isl_set_translation(isl_set_from_point(point));
  isl_map *part = isl_map_coalesce(isl_map_intersect(isl_map_copy(shifts->whole), shift));
  shifts->parts = shifts->parts ? isl_map_union(shifts->parts, part) : part;
  return isl_stat_ok;
}

/* Where all pairs are a few constant steps apart, as neighbours in a grid are, in pieces of one step each: joined
 * otherwise they may be so that nobody recognizes them. */
static isl_map *readable(struct deriving *d, isl_map *map) {
  map = isl_map_gist_params(map, isl_set_copy(d->context));
  isl_space *space = isl_map_get_space(map);
  bool same = isl_space_tuple_is_equal(space, isl_dim_in, space, isl_dim_out) == isl_bool_true;
  isl_space_free(space);
  if (!same) return isl_map_coalesce(map);
  isl_set *steps = isl_map_deltas(isl_map_copy(map));
  steps = isl_set_project_out(steps, isl_dim_param, 0, (uint32_t)isl_set_dim(steps, isl_dim_param));
  isl_val *count = isl_set_is_bounded(steps) == isl_bool_true ? isl_set_count_val(steps) : NULL;
  struct shifts shifts = {.whole = map};
  if (count && isl_val_is_int(count) == isl_bool_true && isl_val_cmp_si(count, SHIFTS) <= 0)
    isl_set_foreach_point(steps, add_shift, &shifts);
  isl_val_free(count);
  isl_set_free(steps);
  if (!shifts.parts) return isl_map_coalesce(map);
  isl_map_free(map);
  return shifts.parts;
}

static void add_edge(struct deriving *d, struct task_edge edge) {
  if (isl_ctx_last_error(d->ctx) != isl_error_none && !edge.mapping && !edge.unknown)
    edge.unknown = "it would take too long";
  ARENA_PUSH(d->arena, d->out->edges, d->out->edge_count, d->out->edge_capacity, edge);
}

/* ---- messages ---- */

static bool is_number(const struct expr *expr, int64_t number) {
  if (!expr) return false;
  if (expr->kind == EXPR_UNARY && expr->unary.op == OP_NEG) return is_number(expr->unary.operand, -number);
  if (expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_LET && expr->name.symbol->decl)
    return is_number(expr->name.symbol->decl->value.value, number);
  return expr->kind == EXPR_INTEGER && expr->integer == number;
}

/* The argument that an expression of the request is, where the label's parameter stands alone. */
static const struct expr *settled(const struct task_end *end, const struct expr *expr) {
  const struct symbol *symbol = expr && expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  if (symbol && end->framed && symbol->kind == SYMBOL_LOCAL && symbol->slot < end->frame.count &&
      end->frame.given[symbol->slot])
    return end->frame.given[symbol->slot];
  return expr;
}

struct meeting { /* of a send and a receive */
  struct deriving *d;
  const struct task_end *from, *to;
  struct symbolic s;
  uint32_t from_dims, to_dims;
  uint32_t from_places[TASK_LOOPS], to_places[TASK_LOOPS];
  isl_set *pairs;
  const char *unknown;
};

static struct symbolic_side side_of(struct meeting *m, bool from, const struct expr *value) {
  const struct task_end *end = from ? m->from : m->to;
  return (struct symbolic_side){.value = value,
                                .base = from ? 0 : m->from_dims,
                                .frame = end->framed ? (struct symbolic_frame *)&end->frame : NULL,
                                .loops = end->loops,
                                .loop_places = from ? m->from_places : m->to_places,
                                .loop_count = end->depth};
}

/* The rank of the process at the one end. */
static struct symbolic_side rank_of(struct meeting *m, bool from) {
  const struct task_end *end = from ? m->from : m->to;
  struct symbolic_side side = side_of(m, from, deriving_attribute(m->d, end->accept, KNOWN_RANK));
  side.frame = NULL;
  return side;
}

static void meet(struct meeting *m, struct symbolic_side left, struct symbolic_side right, const char *what,
                 const struct expr *written) {
  if (m->unknown) return;
  isl_set *same = left.value && right.value ? symbolic_equal(&m->s, m->pairs, &left, &right) : NULL;
  if (same)
    m->pairs = isl_set_intersect(m->pairs, same);
  else
    m->unknown =
        arena_printf(m->d->arena, "the %s: %s", what,
                     !left.value || !right.value ? "its process has no attribute 'rank'" : deriving_why(m->d, written));
}

/* What is sent in one turn of a loop is received in that. */
static void meet_loops(struct meeting *m) {
  const struct task_end *from = m->from, *to = m->to;
  for (uint32_t k = 0; k < from->depth && k < to->depth && from->loops[k] == to->loops[k]; k++)
    m->pairs = isl_set_equate(m->pairs, isl_dim_set, m->from_places[k], isl_dim_set, m->from_dims + m->to_places[k]);
}

/* Nothing says which turns of loops belong to each other that only one of the ends stands in: all may. */
static isl_map *pairs_map(struct meeting *m) {
  isl_map *map = isl_map_from_range(isl_set_copy(m->pairs));
  map = readable(m->d, isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, m->from_dims));
  name_tuple(m->d, &map, isl_dim_in, m->from->accept->component, m->from->loops, m->from->depth);
  name_tuple(m->d, &map, isl_dim_out, m->to->accept->component, m->to->loops, m->to->depth);
  return isl_map_drop_unused_params(map);
}

static void join(struct deriving *d, const struct task_end *from, const struct task_end *to) {
  struct meeting m = {.d = d, .from = from, .to = to};
  const struct expr *tag = settled(from, from->tag), *wanted = settled(to, to->tag);
  m.from_dims = from->accept->component->index_count + from->depth;
  m.to_dims = to->accept->component->index_count + to->depth;
  for (uint32_t k = 0; k < TASK_LOOPS; k++) {
    m.from_places[k] = from->accept->component->index_count + k;
    m.to_places[k] = to->accept->component->index_count + k;
  }
  m.s = deriving_symbolic(d, m.from_dims + m.to_dims);
  m.pairs = isl_set_flat_product(isl_set_copy(from->domain), isl_set_copy(to->domain));
  m.pairs = isl_set_intersect_params(m.pairs, isl_set_copy(d->context));
  meet_loops(&m);
  if (tag && wanted && !is_number(wanted, -1))
    meet(&m, side_of(&m, true, from->tag), side_of(&m, false, to->tag), "tag", tag);
  if (isl_set_is_empty(m.pairs) != isl_bool_true)
    meet(&m, side_of(&m, true, from->peer), rank_of(&m, false), "destination", settled(from, from->peer));
  if (!to->wild && !is_number(settled(to, to->peer), -1) && isl_set_is_empty(m.pairs) != isl_bool_true)
    meet(&m, side_of(&m, false, to->peer), rank_of(&m, true), "source", settled(to, to->peer));
  if (isl_set_is_empty(m.pairs) != isl_bool_true) {
    struct task_edge edge = {.kind = EDGE_MESSAGE,
                             .from = from->node->id,
                             .to = to->node->id,
                             .of_from = d->out->graphs[from->graph].component,
                             .of_to = d->out->graphs[to->graph].component,
                             .unknown = m.unknown};
    if (!m.unknown) {
      edge.mapping = map_text(d, pairs_map(&m));
      edge.unknown = from->inexact ? from->inexact : to->inexact;
    }
    add_edge(d, edge);
  }
  isl_set_free(m.pairs);
  isl_space_free(m.s.space);
}

/* ---- collective operations ---- */

static void join_members(struct deriving *d, struct task_graph *graph, const struct task_node *first) {
  for (const struct task_node *node = first; node; node = node->next) {
    for (uint32_t k = 0; k < node->arm_count; k++)
      join_members(d, graph, node->arms[k].first);
    if (!node->collective || !node->instances) continue;
    isl_set *members = isl_set_read_from_str(d->ctx, node->instances);
    isl_map *map = isl_map_from_domain_and_range(isl_set_copy(members), members);
    for (uint32_t k = graph->index_count; map && k < (uint32_t)isl_map_dim(map, isl_dim_in); k++)
      map = isl_map_equate(map, isl_dim_in, (int)k, isl_dim_out, (int)k);
    add_edge(d, (struct task_edge){.kind = EDGE_COLLECTIVE,
                                   .from = node->id,
                                   .to = node->id,
                                   .of_from = graph->component,
                                   .of_to = graph->component,
                                   .mapping = map ? map_text(d, map) : NULL,
                                   .unknown = node->unknown});
  }
}

/* ---- requests between graphs ---- */

static uint32_t graph_of(const struct deriving *d, const struct model_accept *accept) {
  uint32_t k = 0;
  while (k < d->out->graph_count && d->out->graphs[k].accept != accept)
    k++;
  return k;
}

static bool makes(const struct task_graph *graph, const struct model_request *request) {
  if (!graph->transaction) return request->component == graph->accept->component;
  return accept_makes(graph->accept, request);
}

static void join_request(struct deriving *d, const struct task_graph *graph, struct plan *plan) {
  for (uint32_t c = 0; c < plan->count; c++) {
    const struct candidate *candidate = &plan->candidates[c];
    uint32_t to = graph_of(d, candidate->accept);
    if (to == d->out->graph_count) continue;
    const char *inexact = NULL;
    isl_map *map = static_graph_pairs(d->r, d->ctx, d->params, d->param_count, plan, candidate, &inexact);
    map = isl_map_intersect_params(map, isl_set_copy(d->context));
    bool empty = isl_map_is_empty(map) == isl_bool_true;
    map = isl_map_drop_unused_params(readable(d, map));
    name_tuple(d, &map, isl_dim_in, plan->request->component, NULL, 0);
    name_tuple(d, &map, isl_dim_out, candidate->accept->component, NULL, 0);
    if (empty)
      isl_map_free(map);
    else
      add_edge(d, (struct task_edge){.kind = plan->request->protocol == PROTOCOL_DATAFLOW ? EDGE_DATAFLOW : EDGE_CALL,
                                     .of_from = graph->component,
                                     .of_to = d->out->graphs[to].component,
                                     .mapping = map_text(d, map),
                                     .unknown = inexact});
  }
}

void deriving_edges(struct deriving *d) {
  const struct model *model = d->r->model;
  for (uint32_t i = 0; i < d->end_count; i++)
    for (uint32_t j = 0; j < d->end_count; j++)
      if (d->ends[i].sends && !d->ends[j].sends) join(d, &d->ends[i], &d->ends[j]);
  for (uint32_t k = 0; k < d->out->graph_count; k++)
    join_members(d, &d->out->graphs[k], d->out->graphs[k].first);
  for (uint32_t k = 0; k < d->out->graph_count; k++)
    for (uint32_t r = 0; r < model->request_count; r++)
      if (d->r->plans[r] && makes(&d->out->graphs[k], model->requests[r]))
        join_request(d, &d->out->graphs[k], d->r->plans[r]);
}
