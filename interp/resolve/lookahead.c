/* Lookaheads: how long it takes at least until what one node does is felt by another, as the networks that requests go
 * to say it. A run on several processors goes by them, and `psl explain` shows them. */
#include "grammar/children.h"
#include "interp/include/evaluator.h"
#include "interp/resolve/resolve.h"
#include <math.h>

double accept_lookahead(struct graph *graph, const struct model_accept *accept) {
  const struct instances *set = &graph->instances[accept->component->id];
  const struct name *name = name_known(graph->model->names, KNOWN_LOOKAHEAD);
  double least = INFINITY;
  struct value value;
  for (uint32_t k = 0; k < set->count; k++) {
    bool found = graph_attribute(graph, accept, set->first + k, name, NULL, &value);
    if (!found || value.kind != VALUE_REAL) return 0;
    least = fmin(least, value.real);
  }
  return least < INFINITY && least > 0 ? least : 0;
}

double lookahead_least(struct graph *graph) {
  double least = INFINITY;
  for (uint32_t k = 0; k < graph->there_count; k++) {
    const struct model_component *component = graph->there[k]->component;
    for (uint32_t r = 0; r < component->request_count; r++) {
      const struct binding *binding = &graph->bindings[component->requests[r]->id];
      for (uint32_t c = 0; binding->kind != BINDING_ABSENT && c < binding->candidate_count; c++) {
        double lookahead = accept_lookahead(graph, binding->candidates[c]);
        if (lookahead > 0) least = fmin(least, lookahead);
      }
    }
  }
  return least < INFINITY ? least : 0;
}

/* ---- places ---- */

static const struct symbol *local_of(const struct expr *expr) {
  const struct symbol *symbol = expr && expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  return symbol && symbol->kind == SYMBOL_LOCAL ? symbol : NULL;
}

/* Does it read a local but that in the slot? */
static bool reads_another(const struct expr *expr, void *slot) {
  const struct symbol *local = local_of(expr);
  if (local) return local->slot != *(const uint32_t *)slot;
  return expr_any_child(expr, reads_another, slot);
}

static bool block_places(const struct block *block, struct rank_place *out) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next) {
    bool calls = stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_CALL;
    const struct symbol *callee = calls && stmt->assign.is_call ? stmt->assign.callee : NULL;
    const struct psl_placing *placing =
        callee && callee->kind == SYMBOL_EVALUATOR_FUNCTION ? callee->evaluator_function->placing : NULL;
    if (placing) {
      const struct call *call = stmt->assign.value->call;
      const struct symbol *rank = placing->rank < call->bound_count ? local_of(call->bound[placing->rank]) : NULL;
      if (!rank) return false;
      *out = (struct rank_place){call->bound[placing->place], rank->slot};
      return out->place && !reads_another(out->place, &out->slot);
    }
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && block_places(c.block, out)) return true;
  }
  return false;
}

bool lookahead_placing(const struct graph *graph, struct rank_place *out) {
  const struct model *model = graph->model;
  for (uint32_t r = 0; r < model->request_count; r++) {
    const struct binding *binding = &graph->bindings[model->requests[r]->id];
    for (uint32_t c = 0; binding->kind != BINDING_ABSENT && c < binding->candidate_count; c++)
      if (block_places(binding->candidates[c]->body, out)) return true;
  }
  return false;
}

/* ---- as psl explain has them ---- */

struct found {
  const char *whole; /* why what the body does has an order among all; NULL: nothing is known of that */
  bool waits;        /* it calls what may wait for others */
};

static void block_look(const struct block *block, struct found *found) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next) {
    bool calls = stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_CALL;
    const struct symbol *callee = calls && stmt->assign.is_call ? stmt->assign.callee : NULL;
    if (callee && callee->kind == SYMBOL_EVALUATOR_FUNCTION) {
      if (callee->evaluator_function->whole) found->whole = callee->evaluator_function->whole;
      found->waits |= callee->evaluator_function->kind == PSL_CALL;
    }
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) block_look(c.block, found);
  }
}

static bool is_network(struct graph *graph, const struct model_accept *accept) {
  struct value value;
  const struct name *const *names = graph->model->names->by_id;
  const struct name *name = name_known(graph->model->names, KNOWN_DOMAIN);
  uint32_t first = graph->instances[accept->component->id].first;
  return graph->instances[accept->component->id].count && graph_attribute(graph, accept, first, name, NULL, &value) &&
         value.kind == VALUE_TERM && value.term.qualifier &&
         names[value.term.qualifier] == name_known(graph->model->names, KNOWN_NETWORK);
}

/* Why the accept has no lookahead, where a run would need one; NULL: it needs none, or has one. */
static const char *lacks_lookahead(struct graph *graph, const struct model_accept *accept) {
  struct found found = {NULL, false};
  if (accept_lookahead(graph, accept) > 0) return NULL;
  block_look(accept->body, &found);
  if (found.whole) return found.whole;
  if (!is_network(graph, accept)) return NULL;
  if (found.waits) return "it has no least latency";
  return accept->firing_rule || (accept->servers && !accept->unlimited) ? "who comes there may wait for others" : NULL;
}

const char *lookahead_lacking(struct graph *graph) {
  const struct model *model = graph->model;
  for (uint32_t r = 0; r < model->request_count; r++) {
    const struct binding *binding = &graph->bindings[model->requests[r]->id];
    for (uint32_t c = 0; binding->kind != BINDING_ABSENT && c < binding->candidate_count; c++) {
      const char *why = lacks_lookahead(graph, binding->candidates[c]);
      if (why)
        return arena_printf(graph->resolver->arena, "'%s' has no lookahead: %s",
                            binding->candidates[c]->component->symbol->name->text, why);
    }
  }
  return NULL;
}

enum { PLACES = 1 << 20 }; /* at which ranks are, that are looked at */

/* Are two of the ranks that the system begins with at one place? What they ask of its interface at one time has the
 * order of their turns. */
static bool places_shared(struct graph *graph) {
  struct resolver *r = graph->resolver;
  const struct name *name = name_known(graph->model->names, KNOWN_RANK);
  struct rank_place placing;
  struct value rank, place;
  if (!lookahead_placing(graph, &placing)) return false;
  bool *taken = ARENA_ARRAY(r->arena, bool, PLACES);
  struct value *locals = ARENA_ARRAY(r->arena, struct value, graph->model->slot_max + 1);
  for (uint32_t k = 0; k < graph->system->request_count; k++) {
    const struct binding *binding = &graph->bindings[graph->system->requests[k]->id];
    for (uint32_t c = 0; binding->kind != BINDING_ABSENT && c < binding->candidate_count; c++) {
      const struct instances *set = &graph->instances[binding->candidates[c]->component->id];
      for (uint32_t i = 0; i < set->count; i++) {
        if (!graph_attribute(graph, binding->candidates[c], set->first + i, name, NULL, &rank) ||
            rank.kind != VALUE_INT)
          break;
        struct environment environment = resolver_environment(r, NULL);
        environment.locals = locals;
        locals[placing.slot] = value_integer(rank.integer);
        if (!evaluate(&environment, placing.place, &place) || place.kind != VALUE_INT || place.integer < 0 ||
            place.integer >= PLACES)
          continue;
        if (taken[place.integer]) return true;
        taken[place.integer] = true;
      }
    }
  }
  return false;
}

/* Why a run is simulated on one processor, whatever the lookahead, as far as that is known before it; "": nothing is
 * known against several. */
static const char *against_several(struct resolver *r) {
  struct span at = {0, 0};
  if (r->one_processor) return r->one_processor;
  double least = lookahead_least(r->graph);
  const char *why = graph_ordered(r->graph, least > 0, &at);
  if (why && at.end) why = arena_printf(r->arena, "%s (%s)", why, place_text(r, at));
  if (!why) why = lookahead_lacking(r->graph);
  if (!why && least > 0 && places_shared(r->graph)) why = "ranks of a node share its interfaces";
  return r->one_processor = why ? why : "";
}

void put_lookahead(struct text *out, struct resolver *r, const struct model_accept *accept) {
  if (!r->lookahead_told) r->lookahead_told = ARENA_ARRAY(r->arena, bool, r->model->accept_count + 1);
  if (r->lookahead_told[accept->id]) return;
  r->lookahead_told[accept->id] = true;
  double lookahead = accept_lookahead(r->graph, accept);
  const char *lacks = lacks_lookahead(r->graph, accept);
  if (lacks) {
    text_printf(out, "    lookahead: none: %s; a run is simulated on one processor\n", lacks);
    return;
  }
  if (!(lookahead > 0) && !is_network(r->graph, accept)) return;
  const char *against = against_several(r);
  text_put(out, "    lookahead: ");
  if (lookahead > 0) {
    quantity_print(out, &r->model->types, lookahead, r->model->types.time->dimension, 4);
    text_put(out, ", the least latency; ");
  } else {
    text_put(out, "not needed: messages do not meet; ");
  }
  if (*against)
    text_printf(out, "but a run is simulated on one processor: %s\n", against);
  else
    text_printf(out, "psl run --threads %s\n", lookahead > 0 ? "keeps the order of time by it" : "has ranks run ahead");
}
