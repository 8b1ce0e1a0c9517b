/* Which params can affect a system's result: everything that the run of a system can read, from the system's
 * requests on, through the accepts that their selectors leave. Called for the note on a setting without
 * effect, and by the sensitivity study.
 *
 * What is found is a set of params that together fix the result: as long as they keep their values, the same
 * accepts match and the same expressions are evaluated. So where a value that is the same for all instances
 * decides (a branch, an `and`, a clause that refuses an accept), what it reads is read and what it leaves out
 * is not. A clause that refuses an accept whatever the params are makes the other clauses not matter. */
#include "interp/resolve/effects.h"
#include "interp/foreign/foreign.h"
#include "interp/resolve/resolve.h"
#include "grammar/children.h"

#include <string.h>

struct symbol_set { /* open addressing; slot_count is a power of two */
  struct arena *arena;
  struct symbol **slots;
  uint32_t count, slot_count;
};

struct closure { /* symbols met, and those whose own expressions are still to be read */
  struct symbol_set seen;
  struct symbol **queue;
  uint32_t count, capacity;
};

struct survey {
  struct resolver r; /* first: resolver_guarded hands it back */
  const struct effects_options *options;
  struct closure all;
  bool checks;               /* assertions are read, too */
  const struct name **asked; /* attributes that are read of the other side, by folded name */
  uint32_t asked_count, asked_capacity;
  bool *request_reached; /* by request id */
  bool *surveyed;        /* by request id: its targets */
  bool more;             /* something was reached in this round */
  enum effect *effects;
};

/* ---- sets of symbols ---- */

static struct symbol **set_slot(struct symbol **slots, uint32_t slot_count, const struct symbol *symbol) {
  uint64_t hash = (uint64_t)(uintptr_t)symbol * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t at = (uint32_t)(hash >> 32) & (slot_count - 1);
  while (slots[at] && slots[at] != symbol)
    at = (at + 1) & (slot_count - 1);
  return &slots[at];
}

static bool set_has(const struct symbol_set *set, const struct symbol *symbol) {
  return set->slot_count && *set_slot(set->slots, set->slot_count, symbol);
}

static void set_grow(struct symbol_set *set) {
  uint32_t slot_count = set->slot_count ? set->slot_count * 2 : 64;
  struct symbol **slots = ARENA_ARRAY(set->arena, struct symbol *, slot_count);
  for (uint32_t i = 0; i < set->slot_count; i++)
    if (set->slots[i]) *set_slot(slots, slot_count, set->slots[i]) = set->slots[i];
  set->slots = slots;
  set->slot_count = slot_count;
}

/* False: it was there before. */
static bool set_add(struct symbol_set *set, struct symbol *symbol) {
  if (set->count * 2 >= set->slot_count) set_grow(set);
  struct symbol **slot = set_slot(set->slots, set->slot_count, symbol);
  if (*slot) return false;
  *slot = symbol;
  set->count++;
  return true;
}

static void closure_add(struct closure *closure, struct symbol *symbol) {
  if (symbol && set_add(&closure->seen, symbol))
    ARENA_PUSH(closure->seen.arena, closure->queue, closure->count, closure->capacity, symbol);
}

/* ---- what a symbol's own expressions read ---- */

typedef bool read_expr(const struct expr *expr, void *user);

static void read_some(struct expr *const *items, uint32_t count, read_expr *read, void *user) {
  for (uint32_t i = 0; items && i < count; i++)
    if (items[i]) read(items[i], user);
}

static void symbol_read(const struct symbol *symbol, read_expr *read, void *user) {
  const struct expr *inside = NULL;
  switch (symbol->kind) {
  case SYMBOL_PARAM: inside = value_expr(symbol); break;
  case SYMBOL_LET: inside = symbol->decl->value.value; break;
  case SYMBOL_INSTANCE: inside = symbol->instance.value; break;
  case SYMBOL_FUNCTION:
    inside = symbol->function->value;
    read_some(symbol->function->defaults, symbol->function->param_count, read, user);
    break;
  case SYMBOL_FOREIGN:
    foreign_lengths(&symbol->foreign->signature, read, user);
    read_some(symbol->signature->defaults, symbol->signature->count, read, user);
    break;
  case SYMBOL_EVALUATOR_FUNCTION:
    if (symbol->signature) read_some(symbol->signature->defaults, symbol->signature->count, read, user);
    break;
  case SYMBOL_BUILTIN:
  case SYMBOL_EVALUATOR:
  case SYMBOL_FILE:
  case SYMBOL_UNIT:
  case SYMBOL_DOMAIN:
  case SYMBOL_TRANSACTION:
  case SYMBOL_PROTOCOL:
  case SYMBOL_COMPONENT:
  case SYMBOL_COERCION:
  case SYMBOL_STUDY:
  case SYMBOL_INDEX:
  case SYMBOL_VAR:
  case SYMBOL_LOCAL:
  case SYMBOL_LABEL:
  case SYMBOL_ATTRIBUTE:
  case SYMBOL_CLOCK:
  case SYMBOL_VALUE:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: break;
  }
  if (inside) read(inside, user);
}

static bool collect(const struct expr *expr, void *user) {
  closure_add(user, expr_symbol(expr));
  return expr_any_child(expr, collect, user);
}

typedef bool wanted_symbol(const struct survey *s, const struct symbol *symbol);

static bool is_param(const struct survey *s, const struct symbol *symbol) {
  (void)s;
  return symbol->kind == SYMBOL_PARAM;
}

static bool is_open(const struct survey *s, const struct symbol *symbol) {
  for (uint32_t i = 0; i < s->options->open_count; i++)
    if (s->options->open[i] == symbol) return true;
  return false;
}

/* A range is its ends by turns, a distribution is drawn. */
static bool is_unsettled(const struct survey *s, const struct symbol *symbol) {
  const struct type *type = symbol->type;
  while (type && type->kind == TYPE_LIST)
    type = type->element;
  bool varies = type && (type->kind == TYPE_RANGE || type->kind == TYPE_DISTRIBUTION || type->kind == TYPE_RECORD);
  return varies || is_open(s, symbol);
}

/* Does the value depend on such a symbol? All branches count. */
static bool depends(struct survey *s, const struct expr *expr, wanted_symbol *wanted) {
  struct closure closure = {.seen.arena = &s->r.scratch};
  collect(expr, &closure);
  while (closure.count) {
    struct symbol *symbol = closure.queue[--closure.count];
    if (wanted(s, symbol)) return true;
    symbol_read(symbol, collect, &closure);
  }
  return false;
}

struct symbol *effects_reads(struct arena *scratch, const struct expr *expr, struct symbol *const *params,
                             uint32_t count) {
  struct closure closure = {.seen.arena = scratch};
  collect(expr, &closure);
  while (closure.count) {
    struct symbol *symbol = closure.queue[--closure.count];
    for (uint32_t i = 0; i < count; i++)
      if (params[i] == symbol) return symbol;
    symbol_read(symbol, collect, &closure);
  }
  return NULL;
}

/* ---- expressions ---- */

/* Is the condition the same for all instances, all the time, and for all values of the open params? */
static bool is_fixed(struct survey *s, const struct expr *condition, bool *value) {
  struct value out;
  if (expr_uses(&s->r, condition) || depends(s, condition, is_unsettled)) return false;
  if (!resolver_quietly(&s->r, condition, NULL, &out) || out.kind != VALUE_BOOL) return false;
  *value = out.boolean;
  return true;
}

/* What is evaluated of the expression is read. */
static bool survey_expr(const struct expr *expr, void *user) {
  struct survey *s = user;
  bool value;
  closure_add(&s->all, expr_symbol(expr));
  if (expr->kind == EXPR_IF && is_fixed(s, expr->branch.condition, &value)) {
    survey_expr(expr->branch.condition, s);
    return survey_expr(value ? expr->branch.then : expr->branch.otherwise, s);
  }
  bool joins = expr->kind == EXPR_BINARY && (expr->binary.op == OP_AND || expr->binary.op == OP_OR);
  if (joins && is_fixed(s, expr->binary.left, &value) && value == (expr->binary.op == OP_OR))
    return survey_expr(expr->binary.left, s);
  return expr_any_child(expr, survey_expr, s);
}

static void survey_maybe(struct survey *s, const struct expr *expr) {
  if (expr) survey_expr(expr, s);
}

/* ---- statements ---- */

static void survey_block(struct survey *s, const struct block *block);

static void survey_branch(struct survey *s, const struct stmt *stmt) {
  bool value, fixed = is_fixed(s, stmt->branch.condition, &value);
  survey_expr(stmt->branch.condition, s);
  if (!fixed || value) survey_block(s, &stmt->branch.then);
  if (!fixed || !value) survey_block(s, &stmt->branch.otherwise);
}

static void survey_loop(struct survey *s, const struct stmt *stmt) {
  bool value;
  survey_expr(stmt->loop.condition, s);
  if (!is_fixed(s, stmt->loop.condition, &value) || value) survey_block(s, &stmt->loop.body);
}

static void survey_statement(struct survey *s, const struct stmt *stmt) {
  if (stmt->kind == STMT_ASSERT && !s->checks) return;
  if (stmt->kind == STMT_IF) {
    survey_branch(s, stmt);
  } else if (stmt->kind == STMT_WHILE) {
    survey_loop(s, stmt);
  } else {
    closure_add(&s->all, stmt_callee(stmt));
    for (struct children c = stmt_children(stmt); children_next(&c);) {
      if (c.expr) survey_expr(*c.expr, s);
      if (c.block) survey_block(s, c.block);
    }
  }
}

static void survey_block(struct survey *s, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    survey_statement(s, stmt);
}

/* ---- selectors ---- */

static bool clause_matters(struct survey *s, const struct model_accept *accept, const struct expr *clause,
                           struct attribute_ref *ref) {
  *ref = profile_find(&s->r, accept, clause->clause.attribute);
  return clause->clause.value->kind != EXPR_NA && ref->kind != ATTRIBUTE_NA && ref->kind != ATTRIBUTE_MISSING;
}

/* Does it depend on such a symbol whether the conjunct holds for the accept? */
static bool conjunct_depends(struct survey *s, const struct model_accept *accept, const struct expr *conjunct,
                             wanted_symbol *wanted) {
  struct attribute_ref ref;
  if (conjunct->kind == EXPR_UNARY) return conjunct_depends(s, accept, conjunct->unary.operand, wanted);
  if (conjunct->kind == EXPR_BINARY)
    return conjunct_depends(s, accept, conjunct->binary.left, wanted) ||
           conjunct_depends(s, accept, conjunct->binary.right, wanted);
  if (!clause_matters(s, accept, conjunct, &ref)) return false;
  return depends(s, conjunct->clause.value, wanted) || (ref.value && depends(s, ref.value, wanted));
}

static void survey_conjunct(struct survey *s, const struct model_accept *accept, const struct expr *conjunct) {
  struct attribute_ref ref;
  if (conjunct->kind == EXPR_UNARY) {
    survey_conjunct(s, accept, conjunct->unary.operand);
  } else if (conjunct->kind == EXPR_BINARY) {
    survey_conjunct(s, accept, conjunct->binary.left);
    survey_conjunct(s, accept, conjunct->binary.right);
  } else if (clause_matters(s, accept, conjunct, &ref)) {
    survey_expr(conjunct->clause.value, s);
    survey_maybe(s, ref.value);
  }
}

/* A conjunct that refuses the accept, if can be one that does so whatever the params are; NULL: none does. */
static const struct expr *refusing_conjunct(struct survey *s, const struct model_accept *accept,
                                            const struct expr *selector, bool *always) {
  *always = false;
  if (!selector) return NULL;
  if (selector->kind == EXPR_BINARY && selector->binary.op == OP_AND) {
    bool right_always;
    const struct expr *left = refusing_conjunct(s, accept, selector->binary.left, always);
    if (*always) return left;
    const struct expr *right = refusing_conjunct(s, accept, selector->binary.right, &right_always);
    *always = right_always;
    return right_always || !left ? right : left;
  }
  if (selector_verdict(&s->r, accept, selector) != VERDICT_NO || conjunct_depends(s, accept, selector, is_open))
    return NULL;
  *always = !conjunct_depends(s, accept, selector, is_param);
  return selector;
}

/* What an expression that is no matter of params refuses, it refuses always. */
static bool is_settled(struct resolver *r, const struct expr *expr) {
  struct survey *s = (struct survey *)r;
  return !depends(s, expr, is_param) && !depends(s, expr, is_open);
}

/* ---- what is reached ---- */

static void survey_defaults(struct survey *s, const struct model_transaction *transaction) {
  for (uint32_t k = 0; k < transaction->param_count; k++)
    survey_maybe(s, transaction->params[k].value);
}

static void reach_component(struct survey *s, const struct model_component *component) {
  if (s->r.reached[component->id]) return;
  s->r.reached[component->id] = true;
  survey_maybe(s, component->set);
  survey_maybe(s, component->warm_up);
  for (uint32_t k = 0; k < component->var_count; k++)
    survey_maybe(s, component->vars[k]->decl->value.value);
}

static void reach_request(struct survey *s, const struct model_request *request) {
  if (s->request_reached[request->id]) return;
  s->request_reached[request->id] = s->more = true;
  survey_maybe(s, request->where);
  survey_maybe(s, request->by);
  survey_maybe(s, request->visits);
  survey_maybe(s, request->delay);
  survey_maybe(s, request->patience);
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    survey_maybe(s, request->args[k]);
  survey_defaults(s, request->transaction);
}

static void reach_accept(struct survey *s, const struct model_accept *accept) {
  if (s->r.accept_reached[accept->id]) return;
  s->r.accept_reached[accept->id] = s->more = true;
  for (const struct model_component *c = accept->component; c; c = c->outer)
    reach_component(s, c);
  survey_defaults(s, accept->transaction);
  survey_maybe(s, accept->servers);
  survey_maybe(s, accept->quantum);
  survey_maybe(s, accept->rates);
  survey_maybe(s, accept->firing_rule);
  if (accept->body) survey_block(s, accept->body);
  for (uint32_t k = 0; k < accept->profile_count; k++)
    if (accept->profile[k].dynamic >= 0) survey_maybe(s, accept->profile[k].value);
  for (uint32_t k = 0; k < accept->request_count; k++)
    reach_request(s, accept->requests[k]);
}

static void survey_conversion(struct survey *s, const struct conversion *conversion) {
  for (uint32_t k = 0; k < conversion->count; k++)
    survey_maybe(s, conversion->steps[k]->value);
}

static void survey_params(struct survey *s, const struct model_transaction *transaction,
                          const struct conversion *params) {
  for (uint32_t k = 0; params && k < transaction->param_count; k++)
    survey_conversion(s, &params[k]);
}

static void survey_adapter(struct survey *s, const struct adapter *adapter) {
  const struct model_coercion *rule = adapter->transaction;
  survey_params(s, rule ? rule->from_transaction : adapter->accept->transaction, adapter->params);
  survey_conversion(s, &adapter->result);
  if (rule) survey_block(s, rule->body);
  for (uint32_t k = 0; k < adapter->statement_count; k++) {
    const struct adapted *at = &adapter->statements[k];
    if (at->accept) reach_accept(s, at->accept);
    if (at->params) survey_params(s, at->accept->transaction, at->params);
    survey_conversion(s, &at->result);
  }
}

/* The accepts that serve a request, or might. */
static void survey_targets(struct survey *s, struct model_request *request) {
  bool value, always;
  if (request->where && is_fixed(s, request->where, &value) && !value) return;
  uint32_t id;
  struct provider_walk walk = providers_open(&s->r, request);
  while (providers_next(&walk, &id)) {
    struct model_accept *accept = s->r.model->accepts[id];
    struct adapter *adapter;
    if (!plan_considers(&s->r, request, accept, &adapter, NULL)) continue;
    const struct expr *refuses = refusing_conjunct(s, accept, request->selector, &always);
    if (refuses && always) continue;
    if (refuses) {
      survey_conjunct(s, accept, refuses);
      continue;
    }
    if (request->selector) survey_conjunct(s, accept, request->selector);
    if (adapter) survey_adapter(s, adapter);
    reach_accept(s, accept);
  }
}

static void ask(struct survey *s, const struct name *folded) {
  for (uint32_t k = 0; k < s->asked_count; k++)
    if (s->asked[k] == folded) return;
  ARENA_PUSH(s->r.arena, s->asked, s->asked_count, s->asked_capacity, folded);
  s->more = true;
}

/* Symbols that were met, and what theirs meet. */
static void survey_symbols(struct survey *s) {
  while (s->all.count) {
    struct symbol *symbol = s->all.queue[--s->all.count];
    if (symbol->kind == SYMBOL_LABEL) reach_request(s, symbol->request);
    if (symbol->kind == SYMBOL_ATTRIBUTE) ask(s, symbol->name->folded);
    symbol_read(symbol, survey_expr, s);
  }
}

/* Attributes that are asked of the other side are read of whatever is reached. */
static void survey_attributes(struct survey *s) {
  for (uint32_t k = 0; k < s->r.model->accept_count; k++)
    for (uint32_t a = 0; a < s->asked_count && s->r.accept_reached[k]; a++)
      survey_maybe(s, profile_find(&s->r, s->r.model->accepts[k], s->asked[a]).value);
}

/* Which rules of coercion hold is a matter of these, whatever is reached. */
static void survey_domains(struct survey *s) {
  for (uint32_t k = 0; k < s->r.model->accept_count; k++)
    for (uint32_t a = 0; a < s->r.model->accepts[k]->profile_count; a++) {
      const struct model_profile *attribute = &s->r.model->accepts[k]->profile[a];
      const struct name *name = attribute->attribute;
      if (name_is(name, KNOWN_DOMAIN) || name_is(name, KNOWN_EVALUATION_MODE)) survey_maybe(s, attribute->value);
    }
}

/* To a fixed point: each round looks for the targets of what the last one reached. */
static void survey_rounds(struct survey *s) {
  do {
    s->more = false;
    for (uint32_t k = 0; k < s->r.model->request_count; k++)
      if (s->request_reached[k] && !s->surveyed[k]) {
        s->surveyed[k] = true;
        survey_targets(s, s->r.model->requests[k]);
      }
    survey_attributes(s);
    survey_symbols(s);
    arena_close(&s->r.scratch);
  } while (s->more);
}

/* Does the executor ask for the param of stdlib/queueing by its name? */
static bool is_control(const struct model *model, const struct symbol *param) {
  static const char *const names[] = {"half-width", "confidence", "replications", "warm-up",
                                      "limit",      "longest",    "percentiles"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (!strcmp(param->name->text, names[k])) return queueing_param(model, names[k]) == param;
  return false;
}

static void survey_run(struct survey *s) {
  static const enum known implicit[] = {KNOWN_EVALUATION_MODE, KNOWN_PRIORITY, KNOWN_PROCESSOR};
  struct model_component *system = s->r.graph->system;
  for (size_t k = 0; k < sizeof implicit / sizeof *implicit; k++)
    ask(s, name_known(s->r.model->names, implicit[k]));
  survey_domains(s);
  for (uint32_t k = 0; k < s->options->read_count; k++)
    survey_expr(s->options->read[k], s);
  for (uint32_t k = 0; k < s->r.model->param_count; k++)
    if (is_control(s->r.model, s->r.model->params[k])) closure_add(&s->all, s->r.model->params[k]);
  reach_component(s, system);
  for (uint32_t k = 0; k < system->request_count; k++)
    reach_request(s, system->requests[k]);
  survey_rounds(s);
}

static void survey_allowed(struct survey *s, const struct model_accept *accept) {
  for (uint32_t k = 0; k < accept->transaction->param_count; k++)
    survey_maybe(s, accept->transaction->params[k].allowed.range);
  for (uint32_t k = 0; k < accept->profile_count; k++)
    if (accept->profile[k].allowed) survey_maybe(s, accept->profile[k].allowed->range);
}

/* The params of a component that a range may refuse. */
static void survey_ranges(struct survey *s, const struct model_component *component) {
  for (uint32_t k = 0; k < component->instance_count; k++) {
    const struct symbol *own = component->instances[k];
    if (own->decl->kind != DECL_PARAM || !own->decl->value.range) continue;
    survey_expr(own->decl->value.range, s);
    survey_maybe(s, own->instance.value);
  }
}

/* What may refuse a value: assertions, and ranges. */
static void survey_checks(struct survey *s) {
  const struct model *model = s->r.model;
  s->checks = true;
  for (uint32_t k = 0; k < model->assert_count; k++)
    survey_expr(model->asserts[k]->assertion, s);
  for (uint32_t k = 0; k < model->param_count; k++) {
    if (!model->params[k]->decl->value.range) continue;
    survey_expr(model->params[k]->decl->value.range, s);
    symbol_read(model->params[k], survey_expr, s);
  }
  for (uint32_t k = 0; k < model->component_count; k++)
    if (s->r.reached[k]) survey_ranges(s, model->components[k]);
  for (uint32_t k = 0; k < model->accept_count; k++)
    if (s->r.accept_reached[k]) survey_allowed(s, model->accepts[k]);
  for (uint32_t k = 0; k < model->accept_count; k++)
    if (s->r.accept_reached[k] && model->accepts[k]->body) survey_block(s, model->accepts[k]->body);
  survey_rounds(s);
}

static void note_effects(struct survey *s, enum effect effect) {
  for (uint32_t k = 0; k < s->r.model->param_count; k++)
    if (s->effects[k] == EFFECT_NONE && set_has(&s->all.seen, s->r.model->params[k])) s->effects[k] = effect;
}

static void note_fixed(struct survey *s, struct effects_fixed *fixed) {
  for (uint32_t k = 0; fixed && k < s->r.model->component_count; k++) {
    const struct model_component *component = s->r.model->components[k];
    for (uint32_t i = 0; i < component->instance_count; i++) {
      const struct symbol *own = component->instances[i];
      if (own->decl && own->decl->kind == DECL_PARAM && set_has(&s->all.seen, own) &&
          !depends(s, own->instance.value, is_param))
        ARENA_PUSH(s->r.arena, fixed->items, fixed->count, fixed->capacity, own);
    }
  }
}

static bool survey_all(struct resolver *r) {
  struct survey *s = (struct survey *)r;
  survey_run(s);
  note_effects(s, EFFECT_RESULT);
  note_fixed(s, s->options->fixed);
  survey_checks(s);
  note_effects(s, EFFECT_CHECK);
  return true;
}

static struct survey *survey_of(struct model *model, struct arena *arena, struct model_component *system,
                                const struct effects_options *options) {
  struct graph *graph = graph_new(model, arena, system);
  struct survey *s = ARENA_NEW(arena, struct survey);
  resolver_open(&s->r, graph, &(struct resolve_options){.deny_lossy = options->deny_lossy});
  graph->resolver = &s->r;
  s->options = options;
  s->all.seen.arena = arena;
  s->request_reached = ARENA_ARRAY(arena, bool, model->request_count);
  s->surveyed = ARENA_ARRAY(arena, bool, model->request_count);
  s->r.settled = is_settled;
  s->effects = ARENA_ARRAY(arena, enum effect, model->param_count);
  resolver_guarded(&s->r, survey_all);
  return s;
}

const enum effect *effects_of(struct model *model, struct arena *arena, struct model_component *system,
                              const struct effects_options *options) {
  return survey_of(model, arena, system, options)->effects;
}

void effects_reached(struct model *model, struct arena *arena, struct model_component *system, bool *components) {
  const struct effects_options options = {.open = model->params, .open_count = model->param_count};
  const struct survey *s = survey_of(model, arena, system, &options);
  for (uint32_t k = 0; k < model->accept_count; k++)
    components[model->accepts[k]->component->id] |= s->r.accept_reached[k];
}
