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

struct chain_search {
  struct resolver *r;
  struct model_request *request;
  struct model_accept *accept;
  bool lossless; /* lossy rules are not taken */
  bool anywhere; /* all rules are taken to hold */
  bool analysis; /* the requester takes distributions by their means */
  struct node *nodes;
};

/* ---- types ---- */

static const char *type_name(struct resolver *r, const struct type *type) {
  struct text text = {.arena = r->arena};
  type_print(&text, &r->model->types, type);
  return text.data ? text.data : "";
}

/* ---- where a rule holds ---- */

/* Has the side that domain, or that evaluation mode? */
static bool side_has(struct resolver *r, const struct model_accept *accept, struct term term) {
  static const enum known attributes[] = {KNOWN_DOMAIN, KNOWN_EVALUATION_MODE};
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

static bool rule_holds(const struct chain_search *s, const struct model_coercion *rule) {
  const struct model_accept *from = requester_accept(s->request);
  if (s->anywhere) return true;
  if (rule->lossy && s->lossless) return false;
  if (rule->has_domain && rule->has_to_domain)
    return side_has(s->r, from, rule->domain) && side_has(s->r, s->accept, rule->to_domain);
  if (rule->has_to_domain) return side_has(s->r, s->accept, rule->to_domain);
  if (rule->has_domain) return side_has(s->r, from, rule->domain) || side_has(s->r, s->accept, rule->domain);
  return true;
}

/* ---- chains ---- */

static struct node *node_of(struct chain_search *s, const struct type *type) {
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

static void relax(struct chain_search *s, struct node *node, struct model_coercion *rule) {
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

static struct node *nearest(const struct chain_search *s) {
  struct node *best = NULL;
  for (struct node *node = s->nodes; node; node = node->next)
    if (!node->done && node->cost < INFINITY && (!best || node->cost < best->cost)) best = node;
  return best;
}

/* The cheapest way to a type that fits `to`; NULL: there is none. Ways of one cost to two such types are
 * rivals, too. */
static struct node *find_chain(struct chain_search *s, const struct type *from, const struct type *to) {
  struct node *node, *best = NULL;
  s->nodes = NULL;
  node_of(s, from)->cost = 0;
  while ((node = nearest(s)) && (!best || node->cost <= best->cost)) {
    node->done = true;
    if (node->previous && type_conforms(node->type, to)) {
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
      if (type_conforms(node->type, rule->from) && rule_holds(s, rule)) relax(s, node, rule);
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

const struct type *argument_type(struct model *model, const struct expr *argument, const struct type *declared) {
  const struct type *own = argument->type ? argument->type : declared;
  return type_conforms(own, declared) ? declared : type_plain(&model->types, own);
}

/* A value of type `own`, evaluated as one of type `raw`, loses what is more than its mean. */
static bool mean_refused(struct chain_search *s, const struct type *own, const struct type *raw, const char *what,
                         struct conversion *out, const char **why) {
  if (!s->analysis || !takes_mean(own, raw)) return false;
  out->lossy = true;
  if (!s->r->options.deny_lossy) return false;
  *why =
      arena_printf(s->r->arena, "%s, a distribution, would be taken by its mean, and --deny-lossy refuses that", what);
  return true;
}

static bool loss_refused(struct chain_search *s, const struct node *end, const char *what, const char **why) {
  struct conversion lossy = {0};
  struct text text = {.arena = s->r->arena};
  conversion_of(s->r, end, &lossy);
  conversion_print(&text, s->r, &lossy);
  *why =
      arena_printf(s->r->arena, "%s would be coerced with loss (%s), and --deny-lossy refuses that", what, text.data);
  return false;
}

/* That a rule is for others than these two. */
static const char *rule_apart(struct resolver *r, const struct model_coercion *rule, const char *from, const char *to) {
  const struct decl *decl = rule->decl;
  struct text text = {.arena = r->arena};
  text_printf(&text, "and the coercion %s -> %s (%s) does not hold between these two: it is for ", from, to,
              place_text(r, decl->span));
  if (rule->has_domain) expr_format(&text, decl->coercion.domain);
  if (rule->has_domain && rule->has_to_domain) text_put(&text, " -> ");
  if (rule->has_to_domain) expr_format(&text, decl->coercion.to_domain);
  return text.data;
}

/* There is no chain; is there one by rules that do not hold here? */
static const char *chain_missing(struct chain_search *s, const struct type *from, const struct type *to,
                                 const char *what) {
  struct resolver *r = s->r;
  const struct model_coercion *absent = NULL;
  s->anywhere = true;
  const struct node *end = find_chain(s, from, to);
  s->anywhere = false;
  for (; end; end = end->previous)
    if (end->rule && !rule_holds(s, end->rule)) absent = end->rule;
  const char *wanted = arena_printf(r->arena, "%s is %s, wanted %s", what, type_name(r, from), type_name(r, to));
  if (!absent) return arena_printf(r->arena, "%s, and no coercion leads there", wanted);
  return arena_printf(r->arena, "%s, %s", wanted,
                      rule_apart(r, absent, type_name(r, absent->from), type_name(r, absent->to)));
}

/* The cheapest chain that --deny-lossy takes. */
static bool chain_of(struct chain_search *s, const struct type *from, const struct type *to, const char *what,
                     struct node **out, const char **why) {
  struct resolver *r = s->r;
  s->lossless = false;
  struct node *end = find_chain(s, from, to);
  if (!end) {
    *why = chain_missing(s, from, to, what);
    return false;
  }
  s->lossless = r->options.deny_lossy;
  *out = s->lossless ? find_chain(s, from, to) : end;
  if (!*out) return loss_refused(s, end, what, why);
  const char *rivals = rivals_of(r, *out);
  if (rivals) *why = arena_printf(r->arena, "%s %s", what, rivals);
  return !rivals;
}

/* A value of type `own` that is evaluated as one of `raw` (argument_type), and what it becomes on its way to `to`. */
static bool convert(struct chain_search *s, const struct type *own, const struct type *raw, const struct type *to,
                    const char *what, struct conversion *out, const char **why) {
  struct node *end = NULL;
  if (!type_conforms(own, to) && !chain_of(s, own, to, what, &end, why)) return false;
  if (end) conversion_of(s->r, end, out);
  if (end || raw != to) out->to = to;
  return !mean_refused(s, own, end ? out->steps[0]->from : to, what, out, why);
}

/* ---- transactions ---- */

static bool under_analysis(struct resolver *r, const struct model_request *request) {
  const struct model_accept *accept = requester_accept(request);
  return accept && accept_is_analytic(r, accept);
}

/* Does it lose something, that --deny-lossy refuses? */
static bool loses(struct resolver *r, const struct means *means, const char **why) {
  if (!means->count || !r->options.deny_lossy) return false;
  *why = arena_printf(r->arena, "it would take %s, a distribution, by its mean (%s), and --deny-lossy refuses that",
                      span_text(r, means->items[0]->span), place_text(r, means->items[0]->span));
  return true;
}

/* Do the arguments become the parameters of `theirs`? *out: how, where some need more than to be evaluated. `request`:
 * whose arguments they are; NULL: those of a call in a block. */
static bool arguments_conform(struct chain_search *s, struct expr *const *arguments, uint32_t count,
                              const struct model_request *request, const struct model_transaction *ours,
                              const struct model_transaction *theirs, const char *where, struct conversion **out,
                              double *cost, const char **why) {
  struct conversion *params = ARENA_ARRAY(s->r->arena, struct conversion, theirs->param_count);
  for (uint32_t k = 0; k < count; k++) {
    const struct expr *argument = arguments[k];
    if (!argument) continue;
    const char *what = arena_printf(s->r->arena, "the argument '%s'%s", theirs->params[k].name->text, where);
    const struct type *declared = request ? given_as(request, k) : ours->params[k].type;
    const struct type *raw = argument_type(s->r->model, argument, declared);
    const struct type *own = argument->type ? argument->type : declared;
    const struct type *taken = theirs->params[k].of ? declared : theirs->params[k].type;
    if (!convert(s, own, raw, taken, what, &params[k], why)) return false;
    if (params[k].to || params[k].lossy) *out = params;
    *cost += params[k].cost;
  }
  return true;
}

static bool result_conforms(struct chain_search *s, const struct type *given, const struct type *raw,
                            const struct type *wanted, struct conversion *out, double *cost, const char **why) {
  if (!wanted || wanted->kind == TYPE_VOID) return true;
  if (!given || given->kind == TYPE_VOID) {
    *why = arena_printf(s->r->arena, "it has no result, wanted %s", type_name(s->r, wanted));
    return false;
  }
  if (!convert(s, given, raw, wanted, "the result", out, why)) return false;
  *cost += out->cost;
  return true;
}

/* Do the arguments become the parameters of the accept, or of the block, and does the result come back? */
static bool values_conform(struct chain_search *s, struct adapter *adapter, const char **why) {
  const struct model_transaction *ours = s->request->transaction, *theirs = s->accept->transaction;
  if (adapter->transaction) theirs = adapter->transaction->from_transaction;
  return arguments_conform(s, s->request->args, ours->param_count, s->request, ours, theirs, "", &adapter->params,
                           &adapter->cost, why) &&
         result_conforms(s, theirs->result, theirs->result, ours->result, &adapter->result, &adapter->cost, why);
}

/* A block that makes the one transaction of the other, if it held between the two sides; NULL: there is none. */
static const struct model_coercion *block_apart(struct chain_search *s) {
  s->lossless = false;
  for (uint32_t k = 0; k < s->r->model->coercion_count; k++) {
    const struct model_coercion *rule = s->r->model->coercions[k];
    if (rule->from_transaction == s->request->transaction && rule->to_transaction == s->accept->transaction &&
        rule->body && !rule_holds(s, rule))
      return rule;
  }
  return NULL;
}

/* Two declarations of one name: the same parameters in the same order, perhaps of other types. */
static bool same_shape(struct chain_search *s, const char **why) {
  struct resolver *r = s->r;
  const struct model_transaction *ours = s->request->transaction, *theirs = s->accept->transaction;
  const char *from = ours->symbol->name->text, *to = theirs->symbol->name->text;
  if (ours->symbol->name->folded != theirs->symbol->name->folded) {
    const struct model_coercion *apart = block_apart(s);
    *why = arena_printf(r->arena, "transaction is %s, wanted %s%s%s", to, from, apart ? ", " : "",
                        apart ? rule_apart(r, apart, from, to) : "");
    return false;
  }
  if (ours->param_count == theirs->param_count) return true;
  *why = arena_printf(r->arena, "its transaction %s has %u parameters, wanted %u", theirs->symbol->name->text,
                      theirs->param_count, ours->param_count);
  return false;
}

/* ---- blocks ---- */

struct block_walk { /* through the block of a rule that may stand for the request */
  struct chain_search *s;
  struct adapter *adapter;
  uint32_t capacity;
};

/* `call T(…)` goes to the accept of transaction T that the matched component has under the matched profile. */
static struct model_accept *block_accept(const struct model_accept *matched,
                                         const struct model_transaction *transaction) {
  for (uint32_t k = 0; k < matched->component->accept_count; k++) {
    struct model_accept *accept = matched->component->accepts[k];
    if (accept->transaction == transaction && accept->protocol == PROTOCOL_CALL_RETURN &&
        accept->profile == matched->profile)
      return accept;
  }
  return NULL;
}

bool component_accepts(const struct model_component *component, const struct model_transaction *transaction) {
  for (uint32_t k = 0; k < component->accept_count; k++)
    if (component->accepts[k]->transaction == transaction) return true;
  return false;
}

static bool call_conforms(struct block_walk *walk, const struct stmt *stmt, struct adapted *out, const char **why) {
  const struct symbol *callee = stmt->assign.callee;
  const struct expr *call = stmt->assign.value;
  struct chain_search *s = walk->s;
  if (!callee || callee->kind != SYMBOL_TRANSACTION) return true;
  out->accept = block_accept(s->accept, callee->transaction);
  const char *where = arena_printf(s->r->arena, " of the call at %s", place_text(s->r, call->span));
  if (out->accept)
    return arguments_conform(s, call->call->bound, call->call->bound_count, NULL, callee->transaction,
                             callee->transaction, where, &out->params, &walk->adapter->cost, why);
  *why = arena_printf(
      s->r->arena, "the coercion to %s calls %s, which it does not accept%s",
      s->accept->transaction->symbol->name->text, callee->name->text,
      component_accepts(s->accept->component, callee->transaction) ? " by call-return under the same profile" : "");
  return false;
}

static bool return_conforms(struct block_walk *walk, const struct stmt *stmt, struct adapted *out, const char **why) {
  const struct type *wanted = walk->adapter->transaction->from_transaction->result;
  const struct expr *value = stmt->assign.value;
  if (stmt->kind != STMT_RETURN || !value) return true;
  const struct type *raw = stmt->assign.is_call ? value->type : argument_type(walk->s->r->model, value, wanted);
  return result_conforms(walk->s, value->type, raw, wanted, &out->result, &walk->adapter->cost, why);
}

static bool block_conforms(struct block_walk *walk, const struct block *block, const char **why);

static bool statement_conforms(struct block_walk *walk, const struct stmt *stmt, const char **why) {
  struct adapted adapted = {.stmt = stmt};
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_RETURN:
  case STMT_CALL:
    if (stmt->assign.is_call && !call_conforms(walk, stmt, &adapted, why)) return false;
    if (!return_conforms(walk, stmt, &adapted, why)) return false;
    if (adapted.accept || adapted.result.to)
      ARENA_PUSH(walk->s->r->arena, walk->adapter->statements, walk->adapter->statement_count, walk->capacity, adapted);
    return true;
  case STMT_IF:
    return block_conforms(walk, &stmt->branch.then, why) && block_conforms(walk, &stmt->branch.otherwise, why);
  case STMT_ONE_OF:
    for (uint32_t i = 0; i < stmt->chances.count; i++)
      if (!block_conforms(walk, &stmt->chances.items[i].body, why)) return false;
    return true;
  case STMT_WHILE: return block_conforms(walk, &stmt->loop.body, why);
  case STMT_FOR: return block_conforms(walk, &stmt->each.body, why);
  case STMT_FIRST_OF: /* refused by the check */
  case STMT_HOLD:
  case STMT_RECORD:
  case STMT_PROFILE:
  case STMT_ASSERT:
  case STMT_KINDS: return true;
  }
  return true;
}

/* Does the matched component serve all that a block calls, with what it gives, and is what it returns the result? */
static bool block_conforms(struct block_walk *walk, const struct block *block, const char **why) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    if (!statement_conforms(walk, stmt, why)) return false;
  return true;
}

static bool rule_conforms(struct chain_search *s, struct model_coercion *rule, struct adapter *out, const char **why) {
  struct block_walk walk = {.s = s, .adapter = out};
  *out = (struct adapter){s->request, s->accept, .transaction = rule, .cost = rule->cost};
  if (s->analysis) out->means = means_in_block(s->r, rule->body, rule->from_transaction->result);
  return !loses(s->r, &out->means, why) && values_conform(s, out, why) && block_conforms(&walk, rule->body, why);
}

/* The cheapest block that makes the accept's transaction of the request's, with what it converts. */
static bool rules_conform(struct chain_search *s, struct adapter *best, const char **why) {
  bool found = false, rival = false;
  for (uint32_t k = 0; k < s->r->model->coercion_count; k++) {
    struct model_coercion *rule = s->r->model->coercions[k];
    struct adapter adapter;
    s->lossless = s->r->options.deny_lossy;
    if (rule->from_transaction != s->request->transaction || rule->to_transaction != s->accept->transaction ||
        !rule->body || !rule_holds(s, rule) || !rule_conforms(s, rule, &adapter, why))
      continue;
    rival = found && (adapter.cost == best->cost || (rival && adapter.cost > best->cost));
    if (!found || adapter.cost < best->cost) *best = adapter;
    found = true;
  }
  if (!found) return false;
  *why = NULL;
  if (s->request->protocol == PROTOCOL_DATAFLOW) *why = "a coercion's block stands for a call-return request only";
  if (rival)
    *why = arena_printf(s->r->arena, "two coercions of cost %g make %s of %s", best->cost,
                        s->accept->transaction->symbol->name->text, s->request->transaction->symbol->name->text);
  return !*why;
}

static bool conversion_late(struct resolver *r, const struct model_accept *accept,
                            const struct conversion *conversion) {
  for (uint32_t k = 0; k < conversion->count; k++)
    if (reads_changing(r, accept, conversion->steps[k]->value)) return true;
  return false;
}

static bool conversions_late(struct resolver *r, const struct model_accept *accept, const struct conversion *params,
                             uint32_t count) {
  for (uint32_t k = 0; params && k < count; k++)
    if (conversion_late(r, accept, &params[k])) return true;
  return false;
}

/* Which of its conversions read what bodies of the target change. */
static void lateness_find(struct resolver *r, struct adapter *adapter) {
  const struct model_accept *accept = adapter->accept;
  const struct model_transaction *taken =
      adapter->transaction ? adapter->transaction->from_transaction : accept->transaction;
  adapter->late = conversions_late(r, accept, adapter->params, taken->param_count);
  adapter->late_reply = conversion_late(r, accept, &adapter->result);
  for (uint32_t i = 0; i < adapter->statement_count; i++) {
    const struct adapted *statement = &adapter->statements[i];
    const struct model_accept *called = statement->accept ? statement->accept : accept;
    adapter->late_block |= conversions_late(r, called, statement->params, called->transaction->param_count) ||
                           conversion_late(r, called, &statement->result);
  }
}

bool transaction_conforms(struct resolver *r, struct model_request *request, struct model_accept *accept,
                          struct adapter **adapter, const char **why) {
  struct chain_search search = {.r = r, .request = request, .accept = accept, .analysis = under_analysis(r, request)};
  struct adapter made = {.request = request, .accept = accept};
  *why = NULL;
  if (request->transaction == accept->transaction || !rules_conform(&search, &made, why)) {
    bool same = request->transaction == accept->transaction || (!*why && same_shape(&search, why));
    if (!same || !values_conform(&search, &made, why)) return false;
  }
  if (loses(r, means_of(r, accept), why)) return false;
  if (made.transaction || made.params || made.result.to) {
    lateness_find(r, &made);
    *adapter = ARENA_NEW(r->arena, struct adapter);
    **adapter = made;
  }
  return true;
}

bool transaction_apart(struct resolver *r, struct model_request *request, struct model_accept *accept) {
  return block_apart(&(struct chain_search){.r = r, .request = request, .accept = accept}) != NULL;
}

bool interaction_conforms(struct resolver *r, struct model_request *request, struct model_accept *accept,
                          const struct model_transaction *from, const struct model_transaction *to,
                          struct conversion **out, double *cost, const char **why) {
  struct chain_search search = {.r = r, .request = request, .accept = accept, .analysis = under_analysis(r, request)};
  const char *name = from->symbol->name->text;
  *out = NULL;
  if (from->param_count != to->param_count) {
    *why = arena_printf(r->arena, "'%s' has %u parameters, and '%s' %u", name, from->param_count,
                        to->symbol->name->text, to->param_count);
    return false;
  }
  struct conversion *params = ARENA_ARRAY(r->arena, struct conversion, to->param_count + 1);
  for (uint32_t k = 0; k < to->param_count; k++) {
    const struct type *own = from->params[k].type;
    const char *what = arena_printf(r->arena, "'%s' of '%s'", from->params[k].name->text, name);
    if (!convert(&search, own, own, to->params[k].type, what, &params[k], why)) return false;
    if (params[k].to || params[k].lossy) *out = params;
    *cost += params[k].cost;
  }
  return true;
}
