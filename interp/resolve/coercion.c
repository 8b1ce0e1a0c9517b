/* Coercions: the cheapest chain of rules from one type to another (Dijkstra over the types that rules reach),
 * and what a request needs to be served by an accept: chains for its arguments and back for the result, or a
 * block that stands for the whole transaction.  Called by match.c. */
#include "interp/resolve/resolve.h"

#include <math.h>
#include <string.h>

struct node { /* a type on the way */
  const struct type *type;
  double cost;
  struct model_coercion *rule; /* from `previous`; NULL: the start */
  struct node *previous;
  struct model_coercion *rival; /* another rule that ends a chain of the same cost … */
  struct node *rival_previous;  /* … from here */
  bool done;
  struct node *next;
};

struct search {
  struct resolver *r;
  const struct model_request *request;
  const struct model_accept *accept;
  bool lossless; /* lossy rules are not taken */
  struct node *nodes;
};

/* ---- types ---- */

static struct dimension dimension_of(const struct type *type) {
  return type->kind == TYPE_INT ? (struct dimension){{0}} : type->dimension;
}

/* Is a value of the one type taken where the other is wanted, without a rule? */
static bool type_fits(const struct type *from, const struct type *to) {
  if (from == to || from->kind == TYPE_ERROR || to->kind == TYPE_ERROR) return true;
  if (from->kind == TYPE_ANY || to->kind == TYPE_ANY || to->kind == TYPE_SIGNAL) return from->kind != TYPE_VOID;
  if (type_is_number(from) && type_is_number(to) && to->kind != TYPE_INT)
    return dimension_equal(dimension_of(from), dimension_of(to));
  if (from->kind == TYPE_LIST && to->kind == TYPE_LIST) return type_fits(from->element, to->element);
  return false;
}

static const char *type_name(struct resolver *r, const struct type *type) {
  struct text text = {.arena = r->arena};
  type_print(&text, &r->model->types, type);
  return text.data ? text.data : "";
}

/* ---- where a rule holds ---- */

/* Has the side that domain, or that evaluation mode? */
static bool side_has(struct resolver *r, const struct model_accept *accept, struct term term) {
  static const char *const attributes[] = {"domain", "evaluation-mode"};
  struct value value;
  for (int k = 0; accept && k < 2; k++)
    if (resolver_constant(r, accept, attributes[k], &value) && value.kind == VALUE_TERM &&
        term_matches(term, value.term))
      return true;
  return false;
}

static const struct model_accept *requester_accept(const struct model_request *request) {
  if (request->accept) return request->accept;
  return request->component->accept_count ? request->component->accepts[0] : NULL;
}

static bool rule_holds(const struct search *s, const struct model_coercion *rule) {
  const struct model_accept *from = requester_accept(s->request);
  if (rule->lossy && s->lossless) return false;
  if (rule->has_domain && rule->has_to_domain)
    return side_has(s->r, from, rule->domain) && side_has(s->r, s->accept, rule->to_domain);
  if (rule->has_to_domain) return side_has(s->r, s->accept, rule->to_domain);
  if (rule->has_domain) return side_has(s->r, from, rule->domain) || side_has(s->r, s->accept, rule->domain);
  return true;
}

/* ---- chains ---- */

static struct node *node_of(struct search *s, const struct type *type) {
  for (struct node *node = s->nodes; node; node = node->next)
    if (node->type == type) return node;
  struct node *node = ARENA_NEW(s->r->arena, struct node);
  *node = (struct node){.type = type, .cost = INFINITY, .next = s->nodes};
  s->nodes = node;
  return node;
}

static bool comes_from(const struct node *node, const struct node *earlier) {
  for (; node; node = node->previous)
    if (node == earlier) return true;
  return false;
}

static void relax(struct search *s, struct node *node, struct model_coercion *rule) {
  struct node *to = node_of(s, rule->to);
  double cost = node->cost + rule->cost;
  if (comes_from(node, to)) return;
  if (cost < to->cost) {
    to->cost = cost;
    to->previous = node;
    to->rule = rule;
    to->rival = NULL;
  } else if (cost == to->cost && to->rule != rule && !to->rival) {
    to->rival = rule;
    to->rival_previous = node;
  }
}

static struct node *nearest(const struct search *s) {
  struct node *best = NULL;
  for (struct node *node = s->nodes; node; node = node->next)
    if (!node->done && node->cost < INFINITY && (!best || node->cost < best->cost)) best = node;
  return best;
}

/* The cheapest way to a type that fits `to`; NULL: there is none. Ways of one cost to two such types are
 * rivals, too. */
static struct node *find_chain(struct search *s, const struct type *from, const struct type *to) {
  struct node *node, *best = NULL;
  s->nodes = NULL;
  node_of(s, from)->cost = 0;
  while ((node = nearest(s)) && (!best || node->cost <= best->cost)) {
    node->done = true;
    if (node->previous && type_fits(node->type, to)) {
      if (!best)
        best = node;
      else if (!best->rival && !comes_from(node, best)) {
        best->rival = node->rule;
        best->rival_previous = node->previous;
      }
      continue;
    }
    for (uint32_t k = 0; k < s->r->model->coercion_count; k++) {
      struct model_coercion *rule = s->r->model->coercions[k];
      if (!rule->from || !rule->to || !rule->value) continue;
      if (type_fits(node->type, rule->from) && rule_holds(s, rule)) relax(s, node, rule);
    }
  }
  return best;
}

static void chain_print(struct text *out, struct resolver *r, const struct node *node,
                        const struct model_coercion *last) {
  if (!node->previous) {
    text_put(out, type_name(r, node->type));
  } else {
    chain_print(out, r, node->previous, node->rule);
  }
  text_printf(out, " -> %s", type_name(r, last->to));
}

/* Where a chain of that cost is not the only one: both, for people. */
static const char *rivals_of(struct resolver *r, const struct node *end) {
  for (const struct node *node = end; node; node = node->previous) {
    if (!node->rival) continue;
    struct text text = {.arena = r->arena};
    text_printf(&text, "becomes %s in two ways of one cost: ", type_name(r, end->type));
    chain_print(&text, r, node->previous, node->rule);
    text_put(&text, " and ");
    chain_print(&text, r, node->rival_previous, node->rival);
    return text.data;
  }
  return NULL;
}

static void conversion_of(struct resolver *r, const struct node *end, struct conversion *out) {
  for (const struct node *node = end; node->previous; node = node->previous)
    out->count++;
  out->steps = ARENA_ARRAY(r->arena, struct model_coercion *, out->count);
  out->cost = end->cost;
  uint32_t at = out->count;
  for (const struct node *node = end; node->previous; node = node->previous) {
    out->steps[--at] = node->rule;
    out->lossy |= node->rule->lossy;
  }
}

void conversion_print(struct text *out, struct resolver *r, const struct conversion *conversion) {
  if (!conversion->count) text_put(out, "the mean of a distribution");
  for (uint32_t k = 0; k < conversion->count; k++) {
    if (k == 0) text_put(out, type_name(r, conversion->steps[0]->from));
    text_printf(out, " -> %s", type_name(r, conversion->steps[k]->to));
  }
  text_printf(out, ", cost %g%s", conversion->cost, conversion->lossy ? ", lossy" : "");
}

/* The chain from one type to the other, empty where none is needed; false with *why where there is none. */
static bool convert(struct search *s, const struct type *from, const struct type *to, bool analysis, const char *what,
                    struct conversion *out, const char **why) {
  struct resolver *r = s->r;
  if (type_fits(from, to)) {
    if (from->kind != TYPE_DISTRIBUTION || to->kind != TYPE_REAL || !analysis) return true;
    out->lossy = true; /* evaluation takes the mean */
    *why =
        arena_printf(r->arena, "%s, a distribution, would be taken by its mean, and --deny-lossy refuses that", what);
    return !r->options.deny_lossy;
  }
  s->lossless = false;
  struct node *end = find_chain(s, from, to);
  if (end && r->options.deny_lossy) {
    conversion_of(r, end, &(struct conversion){0});
    s->lossless = true;
    struct node *kept = find_chain(s, from, to);
    if (!kept) {
      struct conversion lossy = {0};
      struct text text = {.arena = r->arena};
      conversion_of(r, end, &lossy);
      conversion_print(&text, r, &lossy);
      *why =
          arena_printf(r->arena, "%s would be coerced with loss (%s), and --deny-lossy refuses that", what, text.data);
      return false;
    }
    end = kept;
  }
  if (!end) {
    *why = arena_printf(r->arena, "%s is %s, wanted %s, and no coercion leads there", what, type_name(r, from),
                        type_name(r, to));
    return false;
  }
  const char *rivals = rivals_of(r, end);
  if (rivals) {
    *why = arena_printf(r->arena, "%s %s", what, rivals);
    return false;
  }
  conversion_of(r, end, out);
  return true;
}

/* ---- transactions ---- */

static bool under_analysis(struct resolver *r, const struct model_request *request) {
  const struct model_accept *accept = requester_accept(request);
  return accept && accept_is_analytic(r, accept);
}

/* Does the accept itself lose something, that --deny-lossy refuses? */
static bool loses(struct resolver *r, const struct model_accept *accept, const char **why) {
  const struct means *means = means_of(r, accept);
  if (!means->count || !r->options.deny_lossy) return false;
  struct place place = source_place(r->model->sources, means->items[0]->span.begin);
  *why =
      arena_printf(r->arena, "it would take %s, a distribution, by its mean (%s:%u:%u), and --deny-lossy refuses that",
                   span_text(r, means->items[0]->span), place.source->path, place.line, place.column);
  return true;
}

/* Do the arguments become the accept's parameters, and its result the request's? */
static bool values_conform(struct search *s, struct adapter *adapter, const char **why) {
  const struct model_request *request = s->request;
  const struct model_transaction *theirs = s->accept->transaction;
  bool analysis = under_analysis(s->r, request), any = false;
  struct conversion *params = ARENA_ARRAY(s->r->arena, struct conversion, theirs->param_count);
  for (uint32_t k = 0; k < theirs->param_count; k++) {
    const struct expr *argument = request->args[k];
    if (!argument) continue;
    const struct type *from = argument->type ? argument->type : request->transaction->params[k].type;
    const char *what = arena_printf(s->r->arena, "the argument '%s'", theirs->params[k].name->text);
    if (!convert(s, from, theirs->params[k].type, analysis, what, &params[k], why)) return false;
    any |= params[k].count > 0 || params[k].lossy;
    adapter->cost += params[k].cost;
  }
  if (any) adapter->params = params;
  const struct type *wanted = request->transaction->result, *given = theirs->result;
  if (!wanted || wanted->kind == TYPE_VOID) return true;
  if (!given || given->kind == TYPE_VOID) {
    *why = arena_printf(s->r->arena, "it has no result, wanted %s", type_name(s->r, wanted));
    return false;
  }
  if (!convert(s, given, wanted, analysis, "the result", &adapter->result, why)) return false;
  adapter->cost += adapter->result.cost;
  return true;
}

/* Two declarations of one name: the same parameters in the same order, perhaps of other types. */
static bool same_shape(struct resolver *r, const struct model_transaction *ours, const struct model_transaction *theirs,
                       const char **why) {
  if (ours->symbol->name->folded != theirs->symbol->name->folded) {
    *why = arena_printf(r->arena, "transaction is %s, wanted %s", theirs->symbol->name->text, ours->symbol->name->text);
    return false;
  }
  if (ours->param_count == theirs->param_count) return true;
  *why = arena_printf(r->arena, "its transaction %s has %u parameters, wanted %u", theirs->symbol->name->text,
                      theirs->param_count, ours->param_count);
  return false;
}

/* Does the matched component serve all that a block calls? */
static bool block_served(const struct search *s, const struct block *block, const char **why) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_IF &&
        (!block_served(s, &stmt->branch.then, why) || !block_served(s, &stmt->branch.otherwise, why)))
      return false;
    if (stmt->kind == STMT_WHILE && !block_served(s, &stmt->loop.body, why)) return false;
    if (stmt->kind == STMT_FOR && !block_served(s, &stmt->each.body, why)) return false;
    bool call =
        stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_RETURN || stmt->kind == STMT_CALL;
    if (!call || !stmt->assign.is_call || !stmt->assign.callee || stmt->assign.callee->kind != SYMBOL_TRANSACTION)
      continue;
    const struct model_component *component = s->accept->component;
    bool served = false;
    for (uint32_t k = 0; k < component->accept_count && !served; k++)
      served = component->accepts[k]->transaction == stmt->assign.callee->transaction &&
               component->accepts[k]->profile == s->accept->profile;
    if (served) continue;
    *why = arena_printf(s->r->arena, "the coercion to %s calls %s, which it does not accept",
                        s->accept->transaction->symbol->name->text, stmt->assign.callee->name->text);
    return false;
  }
  return true;
}

/* The cheapest block that makes the accept's transaction of the request's. */
static bool block_conforms(struct search *s, struct adapter *adapter, const char **why) {
  struct model_coercion *best = NULL, *rival = NULL;
  s->lossless = s->r->options.deny_lossy;
  for (uint32_t k = 0; k < s->r->model->coercion_count; k++) {
    struct model_coercion *rule = s->r->model->coercions[k];
    if (rule->from_transaction != s->request->transaction || rule->to_transaction != s->accept->transaction ||
        !rule->body || !rule_holds(s, rule) || !block_served(s, rule->body, why))
      continue;
    if (best && rule->cost == best->cost) rival = rule;
    if (!best || rule->cost < best->cost) {
      best = rule;
      rival = NULL;
    }
  }
  if (!best) return false;
  if (s->request->protocol == PROTOCOL_DATAFLOW) {
    *why = "a coercion's block stands for a call-return request only";
    return false;
  }
  if (rival) {
    *why = arena_printf(s->r->arena, "two coercions of cost %g make %s of %s", best->cost,
                        s->accept->transaction->symbol->name->text, s->request->transaction->symbol->name->text);
    return false;
  }
  adapter->transaction = best;
  adapter->cost = best->cost;
  return true;
}

bool transaction_conforms(struct resolver *r, struct model_request *request, struct model_accept *accept,
                          struct adapter **adapter, const char **why) {
  struct search search = {.r = r, .request = request, .accept = accept};
  struct adapter made = {.request = request, .accept = accept};
  *why = NULL;
  bool same = request->transaction == accept->transaction;
  if (!same && block_conforms(&search, &made, why))
    same = true;
  else if (!same && (*why || !same_shape(r, request->transaction, accept->transaction, why)))
    return false;
  if (!made.transaction && !values_conform(&search, &made, why)) return false;
  if (loses(r, accept, why)) return false;
  if (made.transaction || made.params || made.result.count) {
    *adapter = ARENA_NEW(r->arena, struct adapter);
    **adapter = made;
  }
  return true;
}
