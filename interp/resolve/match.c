/* Selectors against profiles: what is the same for all instances decides which accepts are left, equality
 * clauses on indices and attributes give the instances of these by computation or look-up, and other clauses
 * are tested one by one.  Called by bind.c, late.c, refuse.c and explain.c. */
#include "interp/resolve/resolve.h"
#include "grammar/children.h"

#include <stdlib.h>
#include <string.h>

/* ---- attributes of a profile ---- */

static bool find_dynamic(const struct model_component *component, const struct name *folded, uint32_t *slot) {
  for (uint32_t k = 0; k < component->dynamic_count; k++)
    if (component->dynamic_names[k]->folded == folded) {
      *slot = k;
      return true;
    }
  return false;
}

static struct expr *domain_default(struct resolver *r, const struct model_accept *accept, const struct name *folded) {
  struct value domain;
  if (name_is(folded, KNOWN_DOMAIN) || !resolver_constant(r, accept, KNOWN_DOMAIN, &domain)) return NULL;
  const struct model_domain *declared = domain.kind == VALUE_TERM ? resolver_domain(r, domain.term) : NULL;
  uint32_t place = declared ? map_get(&declared->places, map_key(folded), declared->count) : 0;
  return declared && place < declared->count ? declared->attributes[place].value : NULL;
}

static struct attribute_ref find_attribute(struct resolver *r, const struct model_accept *accept,
                                           const struct name *folded) {
  struct attribute_ref ref = {.kind = ATTRIBUTE_MISSING};
  for (uint32_t k = 0; k < accept->profile_count && !ref.profile; k++)
    if (accept->profile[k].attribute->folded == folded) ref.profile = &accept->profile[k];
  if (ref.profile) {
    ref.value = ref.profile->value;
    ref.kind = ref.profile->dynamic >= 0                  ? ATTRIBUTE_DYNAMIC
               : !ref.value || ref.value->kind == EXPR_NA ? ATTRIBUTE_NA
                                                          : ATTRIBUTE_EXPR;
    ref.slot = ref.profile->dynamic >= 0 ? (uint32_t)ref.profile->dynamic : 0;
  } else if (find_dynamic(accept->component, folded, &ref.slot)) {
    ref.kind = ATTRIBUTE_DYNAMIC;
    ref.value = domain_default(r, accept, folded);
  }
  for (uint32_t k = 0; k < accept->component->index_count && ref.kind == ATTRIBUTE_MISSING; k++)
    if (accept->component->indices[k]->name->folded == folded) {
      ref.kind = ATTRIBUTE_INDEX;
      ref.slot = k;
    }
  if (ref.kind == ATTRIBUTE_MISSING && (ref.value = domain_default(r, accept, folded))) ref.kind = ATTRIBUTE_EXPR;
  if (ref.kind != ATTRIBUTE_EXPR) return ref;
  ref.constant = expr_uses(r, ref.value) == 0;
  const struct symbol *name = ref.value->kind == EXPR_NAME ? ref.value->name.symbol : NULL;
  if (name && name->kind == SYMBOL_INDEX) { /* `rank = r` is the index by another name */
    ref.kind = ATTRIBUTE_INDEX;
    ref.slot = name->slot;
  }
  return ref;
}

struct attribute_entry { /* found before */
  const struct name *folded;
  struct attribute_ref ref;
  struct lookup *lookup; /* NULL: not made yet */
  struct attribute_entry *next;
};

static struct attribute_entry *entry_find(struct resolver *r, const struct model_accept *accept,
                                          const struct name *attribute) {
  struct attribute_entry **list = &r->attributes[accept->id], *entry;
  for (entry = *list; entry; entry = entry->next)
    if (entry->folded == attribute->folded) return entry;
  entry = ARENA_NEW(r->arena, struct attribute_entry);
  *entry = (struct attribute_entry){attribute->folded, find_attribute(r, accept, attribute->folded), NULL, *list};
  return *list = entry;
}

struct attribute_ref profile_find(struct resolver *r, const struct model_accept *accept, const struct name *attribute) {
  return entry_find(r, accept, attribute)->ref;
}

/* ---- clauses ---- */

/* A term without a qualifier takes any; a range takes what lies in it. */
static enum certainty holds_equal(struct value offered, struct value wanted) {
  if (offered.kind == VALUE_TERM && wanted.kind == VALUE_TERM)
    return term_matches(wanted.term, offered.term) ? CERTAINLY : CERTAINLY_NOT;
  return wanted.kind == VALUE_RANGE ? value_membership(offered, wanted) : value_equality(offered, wanted);
}

static enum certainty holds_in(struct value offered, struct value wanted) {
  if (wanted.kind != VALUE_LIST) return wanted.kind == VALUE_RANGE ? value_membership(offered, wanted) : CERTAINLY_NOT;
  enum certainty found = CERTAINLY_NOT;
  for (uint32_t k = 0; k < wanted.object->count && found != CERTAINLY; k++) {
    enum certainty one = holds_equal(offered, wanted.object->items[k]);
    if (one != CERTAINLY_NOT) found = one;
  }
  return found;
}

static bool is_number(struct value value) {
  return value.kind == VALUE_INT || value.kind == VALUE_REAL || value.kind == VALUE_RANGE;
}

enum certainty clause_holds(enum operator op, struct value offered, struct value wanted) {
  static const enum certainty opposite[] = {
      [CERTAINLY] = CERTAINLY_NOT, [CERTAINLY_NOT] = CERTAINLY, [UNCERTAIN] = UNCERTAIN};
  struct value holds;
  char error[160];
  if (op == OP_EQ) return holds_equal(offered, wanted);
  if (op == OP_NE) return opposite[holds_equal(offered, wanted)];
  if (op == OP_IN) return holds_in(offered, wanted);
  if (!is_number(offered) || !is_number(wanted)) return CERTAINLY_NOT;
  if (!value_binary(NULL, op, offered, wanted, &holds, error, sizeof error)) return UNCERTAIN;
  return holds.boolean ? CERTAINLY : CERTAINLY_NOT;
}

enum verdict verdict_of(enum certainty holds) {
  return holds == UNCERTAIN ? VERDICT_MAYBE : holds == CERTAINLY ? VERDICT_YES : VERDICT_NO;
}

static enum verdict clause_verdict(struct resolver *r, const struct model_accept *accept, const struct expr *clause) {
  struct attribute_ref ref = profile_find(r, accept, clause->clause.attribute);
  struct value offered, wanted;
  if (clause->clause.value->kind == EXPR_NA || ref.kind == ATTRIBUTE_NA) return VERDICT_YES;
  if (ref.kind == ATTRIBUTE_MISSING) return VERDICT_NO;
  if (ref.kind != ATTRIBUTE_EXPR || !ref.constant || expr_uses(r, clause->clause.value)) return VERDICT_MAYBE;
  if (!resolver_quietly(r, ref.value, NULL, &offered) || !resolver_quietly(r, clause->clause.value, NULL, &wanted))
    return VERDICT_MAYBE;
  return verdict_of(clause_holds(clause->clause.op, offered, wanted));
}

enum verdict selector_verdict(struct resolver *r, const struct model_accept *accept, const struct expr *selector) {
  if (!selector) return VERDICT_YES;
  if (selector->kind == EXPR_CLAUSE) return clause_verdict(r, accept, selector);
  if (selector->kind == EXPR_UNARY) {
    enum verdict inner = selector_verdict(r, accept, selector->unary.operand);
    return inner == VERDICT_MAYBE ? inner : inner == VERDICT_YES ? VERDICT_NO : VERDICT_YES;
  }
  enum verdict a = selector_verdict(r, accept, selector->binary.left);
  enum verdict b = selector_verdict(r, accept, selector->binary.right);
  enum verdict decides = selector->binary.op == OP_AND ? VERDICT_NO : VERDICT_YES;
  if (a == decides || b == decides) return decides;
  return a == VERDICT_MAYBE || b == VERDICT_MAYBE ? VERDICT_MAYBE : a;
}

/* ---- by the walker, one instance ---- */

struct target_side { /* what target.A is asked of */
  struct environment *requester;
  const struct trial *trial;
};

static bool target_attribute(struct environment *environment, const struct symbol *attribute, struct span span,
                             struct value *out, bool *lacks) {
  const struct target_side *side = environment->user;
  if (attribute->side == OF_CALLER)
    return side->requester->attribute && side->requester->attribute(side->requester, attribute, span, out, lacks);
  const struct trial *trial = side->trial;
  *lacks =
      !graph_attribute(trial->graph, trial->accept, trial->instance, attribute->name->folded, trial->dynamics, out);
  return !*lacks;
}

bool clause_value(struct environment *requester, const struct trial *trial, const struct expr *clause,
                  struct value *out, bool *lacks) {
  struct target_side side = {requester, trial};
  struct environment inner = *requester;
  inner.attribute = target_attribute;
  inner.user = &side;
  inner.lack_allowed = true;
  inner.lacked = false;
  bool fine = evaluate(&inner, clause->clause.value, out);
  *lacks = !fine && inner.lacked;
  return fine || inner.lacked;
}

/* Whether it matches differs between the bounds of a range. */
static bool clause_uncertain(const struct trial *trial, const struct expr *clause, const struct attribute_ref *ref,
                             struct value offered, struct value wanted) {
  struct model *model = trial->graph->model;
  struct text is = {.arena = trial->graph->resolver->arena}, asked = is;
  value_print(&is, &model->types, model->names, ref->value ? ref->value->type : NULL, offered, 0);
  value_print(&asked, &model->types, model->names, clause->clause.value->type, wanted, 0);
  diagnostic_add(model->diagnostics, SEVERITY_ERROR, clause->span, UNCERTAIN_COMPARISON);
  diagnostic_note(model->diagnostics, ref->value ? ref->value->span : trial->accept->syntax->span,
                  "%s is %s here, and wanted is %s", clause->clause.attribute->text, is.data, asked.data);
  return false;
}

static bool clause_test(struct environment *requester, const struct trial *trial, const struct expr *clause,
                        bool *out) {
  struct attribute_ref ref = profile_find(trial->graph->resolver, trial->accept, clause->clause.attribute);
  struct value offered, wanted;
  bool lacks;
  *out = clause->clause.value->kind == EXPR_NA || ref.kind == ATTRIBUTE_NA;
  if (*out) return true;
  if (!graph_attribute(trial->graph, trial->accept, trial->instance, clause->clause.attribute->folded, trial->dynamics,
                       &offered))
    return true;
  if (!clause_value(requester, trial, clause, &wanted, &lacks)) return false;
  enum certainty holds = lacks ? CERTAINLY_NOT : clause_holds(clause->clause.op, offered, wanted);
  *out = holds == CERTAINLY;
  return holds != UNCERTAIN || clause_uncertain(trial, clause, &ref, offered, wanted);
}

bool selector_test(struct environment *requester, const struct trial *trial, const struct expr *selector, bool *out) {
  *out = true;
  if (!selector) return true;
  if (selector->kind == EXPR_CLAUSE) return clause_test(requester, trial, selector, out);
  if (selector->kind == EXPR_UNARY) {
    if (!selector_test(requester, trial, selector->unary.operand, out)) return false;
    *out = !*out;
    return true;
  }
  if (!selector_test(requester, trial, selector->binary.left, out)) return false;
  if (*out != (selector->binary.op == OP_AND)) return true;
  return selector_test(requester, trial, selector->binary.right, out);
}

/* ---- look-ups ---- */

struct valued {
  int64_t value;
  uint32_t instance;
};
static int valued_order(const void *left, const void *right) {
  const struct valued *a = left, *b = right;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->instance < b->instance ? -1 : a->instance > b->instance;
}

/* The attribute's value for every instance of the component; NULL after a diagnostic. */
static int64_t *values_of_all(struct resolver *r, const struct model_accept *accept, const struct attribute_ref *ref) {
  const struct instances *set = &r->graph->instances[accept->component->id];
  uint32_t dims = accept->component->index_count;
  struct formula *formula = ref->kind == ATTRIBUTE_EXPR ? formula_compile(r, ref->value, 0) : NULL;
  int64_t *values = ARENA_ARRAY(r->arena, int64_t, set->count);
  for (uint32_t from = 0; from < set->count; from += LANES) {
    struct lanes lanes = {r->inputs, dims, set->count - from < LANES ? set->count - from : LANES};
    uint8_t doubt[LANES];
    bool doubtful = true;
    instances_fill(set, dims, from, lanes.count, r->rows);
    const int64_t *row = ref->kind == ATTRIBUTE_INDEX ? r->rows[ref->slot] : NULL;
    memset(doubt, !row && !formula, sizeof doubt);
    if (formula) row = formula_run(formula, &lanes, doubt, &doubtful);
    if (row) memcpy(values + from, row, sizeof *values * lanes.count);
    for (uint32_t lane = 0; lane < lanes.count && doubtful; lane++) {
      struct value value;
      if (!doubt[lane]) continue;
      int64_t *at = ARENA_ARRAY(r->walk_scratch, int64_t, dims);
      for (uint32_t k = 0; k < dims; k++)
        at[k] = r->rows[k][lane];
      struct environment environment = resolver_environment(r, at);
      if (!evaluate(&environment, ref->value, &value) || !value_number(value, &values[from + lane])) return NULL;
    }
  }
  return values;
}

static void make_dense(struct resolver *r, struct lookup *lookup, const int64_t *values, uint32_t first) {
  lookup->starts = ARENA_ARRAY(r->arena, uint32_t, lookup->span + 1);
  lookup->instances = ARENA_ARRAY(r->arena, uint32_t, lookup->count);
  for (uint32_t k = 0; k < lookup->count; k++)
    lookup->starts[values[k] - lookup->low]++;
  uint32_t at = 0;
  lookup->unique = true;
  for (uint64_t v = 0; v <= lookup->span; v++) {
    uint32_t here = v < lookup->span ? lookup->starts[v] : 0;
    lookup->unique &= here <= 1;
    lookup->starts[v] = at;
    at += here;
  }
  for (uint32_t k = 0; k < lookup->count; k++)
    lookup->instances[lookup->starts[values[k] - lookup->low]++] = first + k;
  for (uint64_t v = lookup->span; v > 0; v--)
    lookup->starts[v] = lookup->starts[v - 1];
  lookup->starts[0] = 0;
}

static void make_sorted(struct resolver *r, struct lookup *lookup, const int64_t *values, uint32_t first) {
  struct valued *pairs = ARENA_ARRAY(r->walk_scratch, struct valued, lookup->count);
  for (uint32_t k = 0; k < lookup->count; k++)
    pairs[k] = (struct valued){values[k], first + k};
  qsort(pairs, lookup->count, sizeof *pairs, valued_order);
  lookup->values = ARENA_ARRAY(r->arena, int64_t, lookup->count);
  lookup->instances = ARENA_ARRAY(r->arena, uint32_t, lookup->count);
  for (uint32_t k = 0; k < lookup->count; k++) {
    lookup->values[k] = pairs[k].value;
    lookup->instances[k] = pairs[k].instance;
  }
}

struct lookup *lookup_of(struct resolver *r, const struct model_accept *accept, const struct name *attribute) {
  struct attribute_entry *entry = entry_find(r, accept, attribute);
  if (entry->lookup) return entry->lookup;
  const struct instances *set = &r->graph->instances[accept->component->id];
  int64_t *values = values_of_all(r, accept, &entry->ref);
  if (!values) return NULL;
  struct lookup *lookup = ARENA_NEW(r->arena, struct lookup);
  *lookup = (struct lookup){.count = set->count};
  entry->lookup = lookup;
  int64_t high = INT64_MIN;
  lookup->low = INT64_MAX;
  for (uint32_t k = 0; k < set->count; k++) {
    if (values[k] < lookup->low) lookup->low = values[k];
    if (values[k] > high) high = values[k];
  }
  uint64_t width = set->count ? (uint64_t)high - (uint64_t)lookup->low : UINT64_MAX;
  if (width <= (uint64_t)set->count * 4 + 1024) {
    lookup->span = width + 1;
    make_dense(r, lookup, values, set->first);
  } else {
    make_sorted(r, lookup, values, set->first);
  }
  return lookup;
}

const uint32_t *lookup_find(const struct lookup *lookup, int64_t value, uint32_t *count) {
  *count = 0;
  if (lookup->span) {
    uint64_t place = (uint64_t)value - (uint64_t)lookup->low;
    if (value < lookup->low || place >= lookup->span) return NULL;
    *count = lookup->starts[place + 1] - lookup->starts[place];
    return lookup->instances + lookup->starts[place];
  }
  uint32_t low = 0, high = lookup->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lookup->values[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  while (low + *count < lookup->count && lookup->values[low + *count] == value)
    ++*count;
  return lookup->instances + low;
}

/* ---- plans ---- */

bool component_visible(const struct model_component *requester, const struct model_component *target) {
  if (target->system) return false;
  if (!target->outer) return true;
  for (; requester; requester = requester->outer)
    if (requester == target->outer) return true;
  return false;
}

/* Is the transaction the same, which the one side alone begins a conversation with? */
static bool other_protocol(const struct model_request *request, const struct model_accept *accept) {
  const struct model_protocol *ours = request->declared, *theirs = accept->declared;
  return ours && theirs && ours->converses != theirs->converses && request->transaction && accept->transaction &&
         request->transaction->symbol == accept->transaction->symbol;
}

bool plan_considers(struct resolver *r, struct model_request *request, struct model_accept *accept,
                    struct adapter **adapter, const char **why) {
  const char *unused;
  if (!why) why = &unused;
  *adapter = NULL;
  *why = NULL;
  if (!component_visible(request->component, accept->component)) {
    if (!accept->component->system)
      *why = arena_printf(r->arena, "it stands inside '%s' and is matched from there alone",
                          accept->component->outer->symbol->name->text);
    return false;
  }
  if (other_protocol(request, accept)) return protocols_fit(r, request, accept, adapter, why);
  return transaction_conforms(r, request, accept, adapter, why) && protocols_fit(r, request, accept, adapter, why);
}

struct changing {
  struct resolver *r;
  const struct model_accept *accept;
};

static bool is_changing(const struct expr *expr, void *user) {
  const struct changing *changing = user;
  const struct symbol *symbol = expr->kind == EXPR_MEMBER ? expr->member.symbol : NULL;
  if (symbol && symbol->kind == SYMBOL_ATTRIBUTE && symbol->side == OF_TARGET &&
      profile_find(changing->r, changing->accept, symbol->name).kind == ATTRIBUTE_DYNAMIC)
    return true;
  return expr_any_child(expr, is_changing, user);
}

bool reads_changing(struct resolver *r, const struct model_accept *accept, const struct expr *expr) {
  return is_changing(expr, &(struct changing){r, accept});
}

static bool reads_dynamic(struct resolver *r, const struct model_accept *accept, const struct expr *selector,
                          bool *names_index) {
  if (!selector) return false;
  if (selector->kind == EXPR_UNARY) return reads_dynamic(r, accept, selector->unary.operand, names_index);
  if (selector->kind == EXPR_BINARY) {
    bool left = reads_dynamic(r, accept, selector->binary.left, names_index);
    return reads_dynamic(r, accept, selector->binary.right, names_index) || left;
  }
  struct attribute_ref ref = profile_find(r, accept, selector->clause.attribute);
  if (ref.kind == ATTRIBUTE_INDEX && !ref.profile) *names_index = true;
  return ref.kind == ATTRIBUTE_DYNAMIC || reads_changing(r, accept, selector);
}

static bool is_int(const struct expr *expr) { return expr && expr->type && expr->type->kind == TYPE_INT; }

/* A whole number, or a plain one that the run computes, as a draw is: it matches where it is whole. */
static bool finds_whole(struct resolver *r, const struct expr *value) {
  bool plain = value->type && value->type->kind == TYPE_REAL && dimension_none(value->type->dimension);
  return is_int(value) || (plain && expr_uses(r, value) & USES_LATE);
}

/* Each of the clauses that `and` joins is one that gives an index, one that is looked up, or a test. */
static void add_conjunct(struct resolver *r, struct candidate *c, const struct expr *expr) {
  if (expr->kind == EXPR_BINARY && expr->binary.op == OP_AND) {
    add_conjunct(r, c, expr->binary.left);
    add_conjunct(r, c, expr->binary.right);
    return;
  }
  if (selector_verdict(r, c->accept, expr) == VERDICT_YES) return;
  if (expr->kind == EXPR_CLAUSE && expr->clause.op == OP_EQ && finds_whole(r, expr->clause.value) &&
      !(expr_uses(r, expr->clause.value) & USES_TARGET)) {
    struct attribute_ref ref = profile_find(r, c->accept, expr->clause.attribute);
    if (ref.kind == ATTRIBUTE_INDEX && ref.slot >= c->shared && !c->index[ref.slot]) {
      c->index[ref.slot] = expr;
      c->given++;
      return;
    }
    if (!c->key && ref.kind == ATTRIBUTE_EXPR && is_int(ref.value)) {
      c->key = expr;
      return;
    }
  }
  ARENA_PUSH(r->arena, c->tests, c->test_count, c->test_capacity, expr);
}

static void add_candidate(struct resolver *r, struct plan *plan, struct model_accept *accept, struct adapter *adapter) {
  const struct model_component *target = accept->component;
  struct candidate c = {.accept = accept, .adapter = adapter};
  c.index = ARENA_ARRAY(r->arena, const struct expr *, target->index_count);
  if (target->outer) c.shared = target->outer->index_count;
  c.given = c.shared;
  c.dynamic = reads_dynamic(r, accept, plan->request->selector, &c.names_index);
  if (plan->request->selector) add_conjunct(r, &c, plan->request->selector);
  c.all_indices = c.given == target->index_count;
  ARENA_PUSH(r->arena, plan->candidates, plan->count, plan->capacity, c);
}

static double cost_of(const struct candidate *c) { return c->adapter ? c->adapter->cost : 0; }

/* Of the accepts of one profile the one that needs the least adapting is meant. */
static void drop_costlier(struct resolver *r, struct plan *plan) {
  uint32_t kept = 0, begin = 0; /* candidates of one component stand together: from `begin` on */
  bool *costly = ARENA_ARRAY(r->arena, bool, plan->count);
  for (uint32_t k = 0; k < plan->count; k++) {
    const struct candidate *c = &plan->candidates[k], *other = &plan->candidates[begin];
    if (other->accept->component != c->accept->component) other = &plan->candidates[begin = k];
    for (; other < plan->candidates + plan->count && other->accept->component == c->accept->component; other++)
      costly[k] |= other->accept->profile == c->accept->profile && cost_of(other) < cost_of(c);
  }
  for (uint32_t k = 0; k < plan->count; k++)
    if (!costly[k]) plan->candidates[kept++] = plan->candidates[k];
  plan->count = kept;
}

/* What of the selector is still open for a candidate reads something that is known only while the model runs.
 */
static const char *open_reads(struct resolver *r, const struct candidate *c) {
  const char *reads = c->key ? expr_reads(r, c->key, USES_LATE) : NULL;
  for (uint32_t k = 0; k < c->accept->component->index_count && !reads; k++)
    if (c->index[k]) reads = expr_reads(r, c->index[k], USES_LATE);
  for (uint32_t k = 0; k < c->test_count && !reads; k++)
    reads = expr_reads(r, c->tests[k], USES_LATE);
  return reads;
}

static void plan_lateness(struct resolver *r, struct plan *plan) {
  const struct model_request *request = plan->request;
  const char *selector = NULL;
  for (uint32_t k = 0; k < plan->count && !selector; k++)
    selector = open_reads(r, &plan->candidates[k]);
  const char *where = request->where ? expr_reads(r, request->where, USES_LATE) : NULL;
  plan->late_where = where != NULL;
  plan->late = selector || where;
  if (selector)
    plan->because = arena_printf(r->arena, "the selector depends on %s", selector);
  else if (where)
    plan->because = arena_printf(r->arena, "'where' depends on %s", where);
  for (uint32_t k = 0; k < plan->count && !plan->late; k++)
    if (plan->candidates[k].dynamic) {
      plan->late = true;
      plan->because = arena_printf(r->arena, "an attribute of '%s' changes while the model runs",
                                   plan->candidates[k].accept->component->symbol->name->text);
    }
}

struct plan *plan_request(struct resolver *r, struct model_request *request) {
  struct plan *plan = ARENA_NEW(r->arena, struct plan);
  struct value where;
  interrupt_look(r->arena->memory);
  plan->request = request;
  if (request->where && !expr_uses(r, request->where) && resolver_quietly(r, request->where, NULL, &where))
    plan->impossible = where.kind == VALUE_BOOL && !where.boolean;
  uint32_t id;
  struct provider_walk walk = providers_open(r, request);
  while (!plan->impossible && providers_next(&walk, &id)) {
    struct model_accept *accept = r->model->accepts[id];
    struct adapter *adapter;
    if (!plan_considers(r, request, accept, &adapter, NULL)) continue;
    if (selector_verdict(r, accept, request->selector) == VERDICT_NO) continue;
    add_candidate(r, plan, accept, adapter);
  }
  drop_costlier(r, plan);
  plan_lateness(r, plan);
  return plan;
}

/* A clause that gives an index of a set that is no box is a look-up or a test, unless all indices are given.
 */
static void index_to_test(struct resolver *r, struct candidate *c) {
  for (uint32_t k = 0; k < c->accept->component->index_count; k++) {
    const struct expr *clause = c->index[k];
    if (!clause) continue;
    c->index[k] = NULL;
    c->given--;
    if (!c->key)
      c->key = clause;
    else
      ARENA_PUSH(r->arena, c->tests, c->test_count, c->test_capacity, clause);
  }
}

void plan_prepare(struct resolver *r, struct plan *plan) {
  for (uint32_t k = 0; k < plan->count; k++) {
    struct candidate *c = &plan->candidates[k];
    if (c->all_indices) {
      if (c->key) ARENA_PUSH(r->arena, c->tests, c->test_count, c->test_capacity, c->key);
      c->key = NULL;
      continue;
    }
    if (!r->graph->instances[c->accept->component->id].box || c->key) index_to_test(r, c);
    if (c->key) c->lookup = lookup_of(r, c->accept, c->key->clause.attribute);
    if (c->key && !c->lookup) { /* its value fails for some instance: that has been said */
      ARENA_PUSH(r->arena, c->tests, c->test_count, c->test_capacity, c->key);
      c->key = NULL;
    }
  }
}

/* ---- walks ---- */

void walk_open(struct walk *walk, const struct resolver *r, struct arena *arena, const struct candidate *candidate) {
  uint32_t dims = candidate->accept->component->index_count;
  *walk = (struct walk){
      .candidate = candidate, .dims = dims, .set = &r->graph->instances[candidate->accept->component->id]};
  walk->at = ARENA_ARRAY(arena, int64_t, dims);
  walk->low = ARENA_ARRAY(arena, int64_t, dims);
  walk->high = ARENA_ARRAY(arena, int64_t, dims);
}

static bool shares_indices(const struct walk *walk, const int64_t *requester, uint32_t instance) {
  const struct instances *set = walk->set;
  if (!walk->candidate->shared) return true;
  uint64_t place = instance - set->first;
  if (!set->box) {
    for (uint32_t k = 0; k < walk->candidate->shared; k++)
      if (set->points[place * walk->dims + k] != requester[k]) return false;
    return true;
  }
  for (uint32_t k = walk->dims; k-- > 0;) {
    uint64_t width = (uint64_t)(set->high[k] - set->low[k] + 1);
    if (k < walk->candidate->shared && set->low[k] + (int64_t)(place % width) != requester[k]) return false;
    place /= width;
  }
  return true;
}

/* The first of the points whose leading `count` indices are not below (after: are above) those at `at`. */
static uint32_t point_bound(const struct walk *walk, uint32_t count, bool after) {
  uint32_t low = 0, high = walk->set->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const int64_t *point = walk->set->points + (size_t)middle * walk->dims;
    int order = 0;
    for (uint32_t k = 0; k < count && !order; k++)
      order = point[k] < walk->at[k] ? -1 : point[k] > walk->at[k];
    if (order < 0 || (after && order == 0))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A set that is no box: its points that have the leading indices, or all that are given. */
static void start_points(struct walk *walk, const int64_t *values) {
  const struct candidate *c = walk->candidate;
  uint32_t known = c->all_indices ? walk->dims : c->shared;
  for (uint32_t k = c->shared; k < known; k++)
    walk->at[k] = values[k];
  uint32_t first = point_bound(walk, known, false);
  walk->next = walk->set->first + first;
  walk->left = point_bound(walk, known, true) - first;
}

void walk_start(struct walk *walk, const int64_t *requester, const int64_t *values, int64_t key) {
  const struct candidate *c = walk->candidate;
  const struct instances *set = walk->set;
  walk->list = NULL;
  for (uint32_t k = 0; k < c->shared; k++)
    walk->at[k] = requester[k];
  if (c->lookup) {
    uint32_t count;
    walk->list = lookup_find(c->lookup, key, &count);
    walk->left = count;
    return;
  }
  if (!set->box) {
    start_points(walk, values);
    return;
  }
  walk->left = set->count ? 1 : 0;
  for (uint32_t k = 0; k < walk->dims; k++) {
    bool given = k < c->shared || c->index[k];
    int64_t value = k < c->shared ? requester[k] : given ? values[k] : 0;
    if (given && (value < set->low[k] || value > set->high[k])) {
      walk->left = 0;
      return;
    }
    walk->low[k] = given ? value : set->low[k];
    walk->high[k] = given ? value : set->high[k];
    walk->at[k] = walk->low[k];
    walk->left *= (uint64_t)(walk->high[k] - walk->low[k] + 1);
  }
}

/* The instance at `at`, which then moves on. */
static uint32_t box_step(struct walk *walk) {
  uint64_t place = 0;
  for (uint32_t k = 0; k < walk->dims; k++)
    place =
        place * (uint64_t)(walk->set->high[k] - walk->set->low[k] + 1) + (uint64_t)(walk->at[k] - walk->set->low[k]);
  for (uint32_t k = walk->dims; k-- > 0;) {
    if (walk->at[k]++ < walk->high[k]) break;
    walk->at[k] = walk->low[k];
  }
  return walk->set->first + (uint32_t)place;
}

bool walk_next(struct walk *walk, uint32_t *instance) {
  while (walk->left) {
    walk->left--;
    if (!walk->list && walk->set->box) {
      *instance = box_step(walk);
      return true;
    }
    *instance = walk->list ? *walk->list++ : walk->next++;
    if (shares_indices(walk, walk->at, *instance)) return true;
  }
  return false;
}
