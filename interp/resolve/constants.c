/* What bodies compute of constants, and params with the values that they have, tested before anything runs: where a run
 * is sure to come by, or what is written out in numbers alone, it is computed as the run computes it, and what the run
 * would say is said: as a warning where it may never come by. Called by psl_check with the graph of each system. */
#include "grammar/children.h"
#include "interp/evaluate/builtin.h"
#include "interp/model/chances.h"
#include "interp/model/run.h"
#include "interp/resolve/resolve.h"

/* What an expression is made of: numbers; params and lets, too, whose values may be others in the next run; those of
 * the component; something that only the run knows. */
enum made { MADE_WRITTEN, MADE_OF_PARAMS, MADE_OF_OWN, MADE_LATE };

struct tester {
  struct resolver *r;
  const struct graph *graph;
  const struct model_component *component; /* whose body is in hand */
  bool *fires;                             /* by accept: the run is sure to come by */
  const struct model_accept **queue;       /* those whose bodies are to be tested so */
  uint32_t count;
  struct map said; /* places that were tested */
  bool fine;
};

/* What a run may never come to ends none. */
static enum severity severity_of(bool sure) { return sure ? SEVERITY_ERROR : SEVERITY_WARNING; }

static enum made most(enum made a, enum made b) { return a > b ? a : b; }

/* ---- expressions ---- */

/* Once a place; of the params of a component once for each, since one that is made like it has others. */
static bool is_new(struct tester *t, struct span span, enum made made) {
  bool before;
  uint64_t component = made == MADE_OF_OWN ? t->component->id + 1 : 0;
  map_add(t->r->arena, &t->said, component << 32 | span.begin, 0, &before);
  return !before;
}

/* A param of the component is computed where it is declared. */
static struct span span_of(const struct expr *expr) {
  const struct symbol *symbol = expr_symbol(expr);
  return symbol && symbol->kind == SYMBOL_INSTANCE ? symbol->instance.value->span : expr->span;
}

/* False: it was not computed, or is drawn by chance. */
static bool compute(struct tester *t, const struct expr *expr, enum made made, bool sure, struct value *out) {
  if (made == MADE_LATE || (made != MADE_WRITTEN && !sure)) return false;
  struct environment environment = resolver_environment(t->r, NULL);
  struct random_stream random = random_open(1, "", 0);
  environment.random = &random;
  t->r->model->diagnostics->mild = !sure;
  bool fine = evaluate(&environment, expr, out);
  t->r->model->diagnostics->mild = false;
  t->fine &= fine || !sure;
  return fine && !random.count;
}

static void test(struct tester *t, const struct expr *expr, enum made made, bool sure) {
  struct value ignored;
  bool plain = expr_is_literal(expr) || (expr->kind == EXPR_NAME && !expr_symbol(expr));
  if (!plain && is_new(t, span_of(expr), made)) compute(t, expr, made, sure, &ignored);
}

static enum made made_name(struct tester *t, const struct expr *expr) {
  const struct symbol *symbol = expr_symbol(expr);
  if (!symbol) return MADE_WRITTEN; /* a term, or a part of a record */
  if (symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_LET) return MADE_OF_PARAMS;
  return symbol->kind == SYMBOL_INSTANCE && !expr_uses(t->r, expr) ? MADE_OF_OWN : MADE_LATE;
}

/* By itself, whatever it is made of. Only what is built in is called: others may have effects, and may take long. */
static enum made made_here(struct tester *t, const struct expr *expr) {
  const struct symbol *callee = expr->kind == EXPR_CALL ? expr->call->symbol : NULL;
  switch (expr->kind) {
  case EXPR_NAME:
  case EXPR_MEMBER: return made_name(t, expr);
  case EXPR_CALL: return !callee || callee->kind != SYMBOL_BUILTIN || callee->builtin->draws ? MADE_LATE : MADE_WRITTEN;
  case EXPR_EACH:
  case EXPR_CLAUSE:
  case EXPR_NA: return MADE_LATE;
  default: return MADE_WRITTEN;
  }
}

/* Is a number drawn where the operand stands? */
static bool draws(const struct expr *expr, const struct expr *operand) {
  if (!operand->type || operand->type->kind != TYPE_DISTRIBUTION) return false;
  const struct builtin *builtin = expr->kind == EXPR_CALL ? expr->call->symbol->builtin : NULL;
  return !builtin || !(builtin->takes_distribution || builtin->takes_any);
}

/* Is the operand computed wherever the expression is? */
static bool always(const struct expr *expr, const struct expr *operand) {
  if (expr->kind == EXPR_IF) return operand == expr->branch.condition;
  bool logical = expr->kind == EXPR_BINARY && (expr->binary.op == OP_AND || expr->binary.op == OP_OR);
  return !logical || operand == expr->binary.left;
}

static bool has_binders(const struct expr *expr) {
  return expr->kind == EXPR_EACH || (expr->kind == EXPR_CALL && expr->call->binder_count);
}

/* Tests the largest constant parts of an expression that is none itself. */
static enum made look(struct tester *t, const struct expr *expr, bool sure) {
  enum made made = made_here(t, expr);
  if (has_binders(expr)) return MADE_LATE;
  enum { MANY = 8 };
  enum made some[MANY], *parts = some;
  uint32_t count = 0, k = 0;
  for (struct children c = expr_operands(expr); children_next(&c);)
    count++;
  if (count > MANY) parts = ARENA_ARRAY(t->r->arena, enum made, count);
  for (struct children c = expr_operands(expr); children_next(&c); k++) {
    parts[k] = look(t, *c.expr, sure && always(expr, *c.expr));
    made = most(made, parts[k]);
    if (made < MADE_LATE && draws(expr, *c.expr)) made = MADE_LATE;
  }
  k = 0;
  for (struct children c = expr_operands(expr); made == MADE_LATE && children_next(&c); k++)
    if (parts[k] < MADE_LATE) test(t, *c.expr, parts[k], sure && always(expr, *c.expr));
  return made;
}

static enum made look_whole(struct tester *t, const struct expr *expr, bool sure) {
  enum made made = expr ? look(t, expr, sure) : MADE_LATE;
  if (made < MADE_LATE) test(t, expr, made, sure);
  return made;
}

/* ---- statements ---- */

static void fire(struct tester *t, const struct model_accept *accept) {
  if (t->fires[accept->id]) return;
  t->fires[accept->id] = true;
  t->queue[t->count++] = accept;
}

/* Whoever makes the request, it goes to one accept. */
static void follow(struct tester *t, const struct model_request *request) {
  const struct binding *binding = &t->graph->bindings[request->id];
  if (request->where) return;
  if (binding->kind == BINDING_SAME && binding->target.instance < INSTANCE_ABSENT)
    fire(t, t->r->model->accepts[binding->target.accept]);
  if (binding->kind == BINDING_TABLE && binding->accept) fire(t, binding->accept);
}

/* A number that is known, and was not asked for before. */
static bool number_known(struct tester *t, const struct expr *expr, bool sure, double *out) {
  enum made made = look(t, expr, sure);
  struct value value;
  if (made == MADE_LATE || !is_new(t, expr->span, made) || !compute(t, expr, made, sure, &value)) return false;
  *out = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return value.kind == VALUE_INT || value.kind == VALUE_REAL;
}

/* A time that must not be negative. */
static void test_time(struct tester *t, const struct expr *expr, bool sure, bool hold) {
  struct diagnostics *d = t->r->model->diagnostics;
  double seconds;
  if (!number_known(t, expr, sure, &seconds) || seconds >= 0) return;
  struct text text = {.arena = t->r->arena};
  quantity_print(&text, &t->r->model->types, seconds, t->r->model->types.time->dimension, 6);
  if (hold)
    diagnostic_add(d, severity_of(sure), expr->span, HOLD_REFUSED, text.data);
  else
    diagnostic_add(d, severity_of(sure), expr->span, DELAY_REFUSED, seconds);
  t->fine &= !sure;
}

static void test_visits(struct tester *t, const struct expr *expr, bool sure) {
  double visits;
  if (!number_known(t, expr, sure, &visits) || (visits >= 0 && visits <= VISITS_MOST)) return;
  diagnostic_add(t->r->model->diagnostics, severity_of(sure), expr->span, VISITS_REFUSED, visits);
  t->fine &= !sure;
}

static void test_patience(struct tester *t, const struct expr *expr, bool sure) {
  double seconds;
  if (!number_known(t, expr, sure, &seconds) || seconds >= 0) return;
  diagnostic_add(t->r->model->diagnostics, severity_of(sure), expr->span, PATIENCE_REFUSED, seconds);
  t->fine &= !sure;
}

/* What is kept of records is read before a run begins, of each component that has instances. */
static void test_keepings(struct tester *t, const struct model_component *component) {
  struct diagnostics *d = t->r->model->diagnostics;
  double part, from;
  t->component = component;
  for (const struct model_keeping *k = component->keepings; k; k = k->next) {
    if (k->warm_up && number_known(t, k->warm_up, true, &from) && from < 0) {
      diagnostic_add(d, SEVERITY_ERROR, k->warm_up->span, WARM_UP_REFUSED ", not %g", from);
      t->fine = false;
    }
    if (!k->half_width || !number_known(t, k->half_width, true, &part)) continue;
    if (part >= HALF_WIDTH_LEAST && part <= 1) continue;
    diagnostic_add(d, SEVERITY_ERROR, k->half_width->span, "%s, not %g", HALF_WIDTH_REFUSED, part);
    if (part >= 2 && part <= 100) diagnostic_help(d, (struct span){0, 0}, "did you mean %g %%?", part);
    t->fine = false;
  }
}

/* A range that is written out in numbers, and that no number is in. */
static void test_loop(struct tester *t, const struct stmt *stmt) {
  const struct expr *range = stmt->each.range, *step = stmt->each.step;
  double low, high;
  bool written = range->kind == EXPR_RANGE && range->range.low->kind == EXPR_INTEGER &&
                 range->range.high->kind == EXPR_INTEGER && !stmt->each.geometric;
  bool down = step && step->kind == EXPR_UNARY && step->unary.operand->kind == EXPR_INTEGER;
  if (!written || (step && !down && step->kind != EXPR_INTEGER)) return;
  low = (double)range->range.low->integer, high = (double)range->range.high->integer;
  if (down ? low >= high : low <= high) return;
  diagnostic_add(t->r->model->diagnostics, SEVERITY_WARNING, range->span, "this range is empty: nothing is done");
  diagnostic_help(t->r->model->diagnostics, (struct span){0, 0}, "it goes %s: %.0f .. %.0f by %s1",
                  down ? "up by a step above 0" : "down by a step below 0", low, high, down ? "" : "-");
}

/* Where all of them are known. */
static void test_chances(struct tester *t, const struct stmt *stmt, bool sure) {
  uint32_t count = stmt->chances.count, at;
  double *chances = ARENA_ARRAY(t->r->arena, double, count);
  enum made all = MADE_WRITTEN;
  for (uint32_t i = 0; i < count; i++) {
    const struct expr *expr = stmt->chances.items[i].value;
    struct value value;
    all = most(all, look(t, expr, sure));
    if (!compute(t, expr, all, sure, &value)) all = MADE_LATE;
    if (all < MADE_LATE) chances[i] = value.kind == VALUE_INT ? (double)value.integer : value.real;
  }
  const char *wrong = all < MADE_LATE ? chances_wrong(t->r->arena, chances, count, &at) : NULL;
  if (!wrong || !is_new(t, stmt->span, all)) return;
  diagnostic_add(t->r->model->diagnostics, severity_of(sure),
                 at < count ? stmt->chances.items[at].value->span : stmt->span, "%s", wrong);
  t->fine &= !sure;
}

static bool test_block(struct tester *t, const struct block *block, bool sure);

static void test_statement(struct tester *t, const struct stmt *stmt, bool sure) {
  const struct symbol *callee = stmt_callee(stmt);
  if (stmt->kind == STMT_HOLD) {
    test_time(t, stmt->hold, sure, true);
  } else if (stmt->kind == STMT_ONE_OF) {
    test_chances(t, stmt, sure);
    for (uint32_t i = 0; i < stmt->chances.count; i++)
      test_block(t, &stmt->chances.items[i].body, false);
  } else {
    if (stmt->kind == STMT_FOR) test_loop(t, stmt);
    const struct expr *walked =
        stmt->kind == STMT_FOR && stmt->each.range->kind == EXPR_RANGE ? stmt->each.range : NULL;
    for (struct children c = stmt_children(stmt); children_next(&c);) {
      if (c.block) test_block(t, c.block, false);
      if (c.expr && *c.expr != walked) look_whole(t, *c.expr, sure);
      if (!c.expr || *c.expr != walked) continue;
      look_whole(t, walked->range.low, sure); /* its end may lie before its beginning */
      look_whole(t, walked->range.high, sure);
    }
  }
  if (sure && callee && callee->kind == SYMBOL_LABEL) follow(t, callee->request);
}

static bool may_end(const struct stmt *stmt) {
  if (stmt->kind == STMT_RETURN || stmt->kind == STMT_WHILE) return true;
  for (struct children c = stmt_children(stmt); children_next(&c);)
    if (c.block && (block_has(c.block, STMT_RETURN) || block_has(c.block, STMT_WHILE))) return true;
  return false;
}

/* Is the run sure to come to its end, too? */
static bool test_block(struct tester *t, const struct block *block, bool sure) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    test_statement(t, stmt, sure);
    sure = sure && !may_end(stmt);
  }
  return sure;
}

static void test_request(struct tester *t, const struct model_request *request, bool sure) {
  bool sent = sure && !request->where;
  for (uint32_t i = 0; request->transaction && i < request->transaction->param_count; i++)
    if (request->args[i]) look_whole(t, request->args[i], sent);
  if (request->delay) test_time(t, request->delay, sent, false);
  if (request->patience) test_patience(t, request->patience, sent);
  if (request->visits) test_visits(t, request->visits, sent);
  if (sent) follow(t, request);
}

static void test_accept(struct tester *t, const struct model_accept *accept, bool sure) {
  t->component = accept->component;
  for (uint32_t k = 0; k < accept->profile_count; k++)
    if (accept->profile[k].value) look_whole(t, accept->profile[k].value, false);
  bool ends = accept->body ? test_block(t, accept->body, sure) : sure;
  for (uint32_t k = 0; k < accept->request_count; k++)
    test_request(t, accept->requests[k], ends);
}

/* Does the request of the system have a target, as far as that is known? */
static bool finds_someone(const struct graph *graph, const struct model_request *request) {
  const struct binding *binding = &graph->bindings[request->id];
  switch (binding->kind) {
  case BINDING_ABSENT: return false;
  case BINDING_SAME: return binding->target.instance < INSTANCE_ABSENT;
  case BINDING_EVERY: return binding->starts[1] > binding->starts[0];
  default: return true;
  }
}

/* Is there an instance that takes the transaction, though not this request? */
static bool could_be_meant(const struct graph *graph, const struct model_request *request) {
  for (uint32_t a = 0; a < graph->model->accept_count; a++) {
    const struct model_accept *accept = graph->model->accepts[a];
    if (accept->transaction == request->transaction && graph->instances[accept->component->id].count) return true;
  }
  return false;
}

/* Requests of every one, of which there is none: the run is over before it has begun. A library has systems for
 * components that a model adds. */
static void test_system(const struct tester *t) {
  const struct model_component *system = t->graph->system;
  struct diagnostics *d = t->r->model->diagnostics;
  bool meant = false;
  for (uint32_t k = 0; k < system->request_count; k++) {
    if (finds_someone(t->graph, system->requests[k])) return;
    meant |= could_be_meant(t->graph, system->requests[k]);
  }
  if (!meant) return;
  diagnostic_add(d, SEVERITY_WARNING, system->symbol->span, "no request of '%s' has a target: nothing runs",
                 system->symbol->name->text);
  for (uint32_t k = 0; k < system->request_count; k++)
    diagnostic_note(d, system->requests[k]->syntax->selector_span, "nobody takes this one");
  diagnostic_help(d, (struct span){0, 0}, "'psl explain' says of each component why it is not meant");
}

bool graph_test_constants(const struct graph *graph) {
  struct resolver *r = graph->resolver;
  struct tester t = {.r = r, .graph = graph, .fine = true};
  t.fires = ARENA_ARRAY(r->arena, bool, r->model->accept_count + 1);
  t.queue = ARENA_ARRAY(r->arena, const struct model_accept *, r->model->accept_count + 1);
  for (uint32_t k = 0; k < r->model->component_count; k++)
    if (graph->instances[k].count) test_keepings(&t, r->model->components[k]);
  test_system(&t);
  t.component = graph->system;
  for (uint32_t k = 0; k < graph->system->request_count; k++)
    test_request(&t, graph->system->requests[k], !graph->system->requests[k]->label);
  for (uint32_t k = 0; k < t.count; k++)
    test_accept(&t, t.queue[k], true);
  for (uint32_t k = 0; k < r->model->accept_count; k++)
    if (r->accept_reached[k] && !t.fires[k]) test_accept(&t, r->model->accepts[k], false);
  for (uint32_t k = 0; k < r->model->request_count; k++) {
    const struct model_request *request = r->model->requests[k];
    t.component = request->component;
    if (request->label && r->reached[request->component->id]) test_request(&t, request, false);
  }
  diagnostic_flush(r->model->diagnostics);
  return t.fine;
}
