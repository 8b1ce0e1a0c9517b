/* What params reach.  Params, lets, functions and what else expressions name are the nodes of a graph, found once for a
 * checked model; an edge leads from what is named to what is made of it.  Called by studies, from point to point. */
#include "interp/evaluate/reached.h"
#include "grammar/children.h"
#include "grammar/map.h"
#include "interp/evaluate/memo.h"
#include <string.h>

enum { RESTLESS = 0, VALUES_MOST = 1 << 18 }; /* node 0 reaches all that is computed each time; bytes of kept values */

struct reach { /* what one node reaches */
  bool found;
  struct symbol **symbols; /* params and lets, */
  uint32_t symbol_count;
  uint32_t *asserts; /* and assertions of the model */
  uint32_t assert_count;
};

struct reached {
  struct arena arena; /* of all below */
  struct arena_deferred end;
  uint32_t checked;  /* model->checked */
  struct map places; /* of nodes, by symbol */
  struct symbol **nodes;
  uint32_t node_count, node_capacity;
  struct edge {
    uint32_t from, to; /* to: a node, or behind them an assertion */
  } * edges;
  uint32_t edge_count, edge_capacity;
  struct reach *reaches; /* by node */
  uint32_t reader;       /* whose expression is being read */
};

/* ---- the graph ---- */

static bool read_expression(const struct expr *expr, void *user);

static void edge_add(struct reached *reached, uint32_t from, uint32_t to) {
  struct edge edge = {from, to};
  ARENA_PUSH(&reached->arena, reached->edges, reached->edge_count, reached->edge_capacity, edge);
}

static uint32_t node_of(struct reached *reached, struct symbol *symbol, bool *known) {
  uint32_t at = map_add(&reached->arena, &reached->places, map_key(symbol), reached->node_count, known);
  if (!*known) ARENA_PUSH(&reached->arena, reached->nodes, reached->node_count, reached->node_capacity, symbol);
  return at;
}

static bool is_restless(const struct symbol *symbol) {
  return symbol->kind == SYMBOL_FOREIGN ||
         (symbol->kind == SYMBOL_EVALUATOR_FUNCTION && symbol->evaluator_function->reads);
}

static void read_symbol(struct reached *reached, struct symbol *symbol) {
  bool known;
  uint32_t at = node_of(reached, symbol, &known), outer = reached->reader;
  if (outer) edge_add(reached, at, outer);
  if (known) return;
  reached->reader = at;
  if (is_restless(symbol)) edge_add(reached, RESTLESS, at);
  if (symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_LET) {
    read_expression(value_expr(symbol), reached);
    if (symbol->decl->value.range) read_expression(symbol->decl->value.range, reached);
  }
  if (symbol->kind == SYMBOL_INSTANCE) read_expression(symbol->instance.value, reached);
  if (symbol->kind == SYMBOL_FUNCTION) {
    const struct model_function *function = symbol->function;
    read_expression(function->value, reached);
    for (uint32_t i = 0; i < function->param_count; i++)
      if (function->defaults[i]) read_expression(function->defaults[i], reached);
  }
  reached->reader = outer;
}

static bool names_more(const struct symbol *symbol) {
  return symbol && (symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_INSTANCE ||
                    symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_FOREIGN ||
                    symbol->kind == SYMBOL_EVALUATOR_FUNCTION);
}

static bool read_expression(const struct expr *expr, void *user) {
  struct symbol *symbol = expr_symbol(expr);
  if (names_more(symbol)) read_symbol(user, symbol);
  return expr_any_child(expr, read_expression, user);
}

static bool names_any(const struct expr *expr, void *user) {
  return names_more(expr_symbol(expr)) || expr_any_child(expr, names_any, user);
}

bool expr_settled(const struct expr *expr) { return !names_any(expr, NULL); }

static void end(void *user) { arena_close(&((struct reached *)user)->arena); }

static struct reached *reached_of(struct model *model) {
  struct reached *reached = model->reached;
  if (!reached) {
    reached = model->reached = ARENA_NEW(model->arena, struct reached);
    arena_open(&reached->arena, model->arena->memory);
    reached->end = (struct arena_deferred){end, reached, NULL};
    arena_defer(model->arena, &reached->end);
  } else if (reached->checked == model->checked && reached->reaches) {
    return reached;
  }
  arena_close(&reached->arena);
  *reached = (struct reached){.arena = reached->arena, .end = reached->end, .checked = model->checked};
  struct symbol *nobody = NULL;
  ARENA_PUSH(&reached->arena, reached->nodes, reached->node_count, reached->node_capacity, nobody); /* RESTLESS */
  for (uint32_t i = 0; i < model->param_count; i++)
    read_symbol(reached, model->params[i]);
  for (uint32_t i = 0; i < model->let_count; i++)
    read_symbol(reached, model->lets[i]);
  uint32_t asserts = reached->edge_count; /* their nodes' numbers are known when all others are */
  for (uint32_t i = 0; i < model->assert_count; i++) {
    reached->reader = UINT32_MAX - i;
    read_expression(model->asserts[i]->assertion, reached);
  }
  for (uint32_t e = asserts; e < reached->edge_count; e++)
    if (reached->edges[e].to >= reached->node_count)
      reached->edges[e].to = reached->node_count + (UINT32_MAX - reached->edges[e].to);
  reached->reaches = ARENA_ARRAY(&reached->arena, struct reach, reached->node_count);
  return reached;
}

void reached_extend(struct model *model) {
  if (model->reached) model->reached->reaches = NULL;
}

/* ---- what a node reaches ---- */

static struct reach *reach_of(struct model *model, struct reached *reached, uint32_t node) {
  struct reach *reach = &reached->reaches[node];
  if (reach->found) return reach;
  uint32_t count = reached->node_count, all = count + model->assert_count;
  bool *marked = ARENA_ARRAY(&reached->arena, bool, all), more = true;
  marked[node] = true;
  while (more) {
    more = false;
    for (uint32_t e = 0; e < reached->edge_count; e++) {
      const struct edge *edge = &reached->edges[e];
      if (!marked[edge->from] || marked[edge->to]) continue;
      marked[edge->to] = more = true;
    }
  }
  reach->symbols = ARENA_ARRAY(&reached->arena, struct symbol *, count);
  reach->asserts = ARENA_ARRAY(&reached->arena, uint32_t, model->assert_count);
  for (uint32_t n = 1; n < count; n++)
    if (marked[n] && (reached->nodes[n]->kind == SYMBOL_PARAM || reached->nodes[n]->kind == SYMBOL_LET))
      reach->symbols[reach->symbol_count++] = reached->nodes[n];
  for (uint32_t n = count; n < all; n++)
    if (marked[n]) reach->asserts[reach->assert_count++] = n - count;
  reach->found = true;
  return reach;
}

/* A range of literals stays what it is. */
static void forget_value(struct symbol *symbol) {
  const struct expr *range = symbol->decl->value.range;
  struct value bounds = symbol->range;
  forget_symbol(symbol);
  if (range && expr_settled(range)) symbol->range = bounds;
}

static void forget(struct model *model, const struct reach *reach) {
  for (uint32_t i = 0; i < reach->symbol_count; i++)
    forget_value(reach->symbols[i]);
  for (uint32_t i = 0; model->held && i < reach->assert_count; i++)
    model->held[reach->asserts[i]] = false;
}

void model_forget_reached(struct model *model, struct symbol *const *params, uint32_t count) {
  if (arena_size(memo_values(memo_of(model))) > VALUES_MOST) { /* values that others took the place of are there, too */
    model_forget(model);
    return;
  }
  struct reached *reached = reached_of(model);
  model->epoch++;
  bounds_forget(model);
  memo_empty(memo_of(model));
  forget(model, reach_of(model, reached, RESTLESS));
  for (uint32_t i = 0; i < count; i++)
    forget(model, reach_of(model, reached, map_get(&reached->places, map_key(params[i]), RESTLESS)));
}

static void mark(const struct model *model, const struct reach *reach, bool *marks, bool value) {
  for (uint32_t s = 0; s < reach->symbol_count; s++)
    for (uint32_t p = 0; p < model->param_count; p++)
      if (model->params[p] == reach->symbols[s]) marks[p] = value;
  for (uint32_t a = 0; a < reach->assert_count; a++)
    marks[model->param_count + reach->asserts[a]] = value;
}

const bool *model_reached(struct model *model, struct arena *arena, struct symbol *const *params, uint32_t count,
                          bool foreign) {
  struct reached *reached = reached_of(model);
  bool *marks = ARENA_ARRAY(arena, bool, model->param_count + model->assert_count);
  for (uint32_t i = 0; i < count; i++)
    mark(model, reach_of(model, reached, map_get(&reached->places, map_key(params[i]), RESTLESS)), marks, true);
  for (uint32_t n = 1; n < reached->node_count && !foreign; n++)
    if (reached->nodes[n]->kind == SYMBOL_FOREIGN) mark(model, reach_of(model, reached, n), marks, false);
  return marks;
}
