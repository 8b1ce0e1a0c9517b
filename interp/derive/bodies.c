/* What a body costs who executes it: each statement's time by the part that it is spent for, loops as sums, branches by
 * their conditions, calls by the bodies that they go to.  Called by derive.c.
 *
 *  * A message costs what the library's equations of LogGP say, whatever simulates it: these are bodies that accept the
 * same transaction with the evaluation mode analysis[LogGP]. What cannot be derived is left out, and noted with its
 * place. */
#include "interp/derive/derive.h"
#include "interp/check/check.h"
#include "interp/resolve/task_graph.h"
#include "grammar/children.h"

#include <math.h>
#include <string.h>

/* What lies between operations that nobody leaves before all have come: see phases.c. */
struct outcome { /* of some statements */
  struct costs costs;
  struct phases phases;
  struct meaning result;
  bool returns; /* whatever comes behind them is not executed */
};
struct frame {
  struct scope scope;
  enum cost_part role; /* of what it holds */
};

static struct outcome nothing(struct derive *d) {
  struct outcome outcome = {.costs.times = d->al->zero};
  for (int k = 0; k < COST_PARTS; k++)
    outcome.costs.part[k] = d->al->zero;
  return outcome;
}

static void costs_add(struct derive *d, struct costs *to, const struct costs *more) {
  for (int k = 0; k < COST_PARTS; k++)
    to->part[k] = poly_plus(d->al, to->part[k], more->part[k]);
  to->times = poly_plus(d->al, to->times, more->times);
}

/* One behind the other. */
static void outcome_add(struct derive *d, struct outcome *to, const struct outcome *more) {
  to->phases = phases_then(d, &to->phases, &to->costs, &more->phases, &more->costs);
  costs_add(d, &to->costs, &more->costs);
}

/* Each polynomial of the one, and of the other where there is one, by the function. */
typedef const struct poly *combine(struct derive *d, void *user, const struct poly *a, const struct poly *b);
static struct costs costs_map(struct derive *d, const struct costs *a, const struct costs *b, combine *by, void *user) {
  struct costs result;
  for (int k = 0; k < COST_PARTS; k++)
    result.part[k] = by(d, user, a->part[k], b ? b->part[k] : NULL);
  result.times = by(d, user, a->times, b ? b->times : NULL);
  return result;
}

const struct poly *costs_total(struct algebra *al, const struct costs *costs) {
  const struct poly *total = al->zero;
  for (int k = 0; k < COST_PARTS; k++)
    total = poly_plus(al, total, costs->part[k]);
  return total;
}

/* ---- notes ---- */

void derive_note(struct derive *d, struct span span, bool left_out, const char *text) {
  struct derived *item = d->item;
  for (uint32_t k = 0; k < item->note_count; k++)
    if (item->notes[k].span.begin == span.begin && !strcmp(item->notes[k].text, text)) return;
  struct derive_note made = {span, text, left_out};
  struct derive_note *notes = (struct derive_note *)item->notes;
  ARENA_PUSH(d->arena, notes, item->note_count, item->note_capacity, made);
  item->notes = notes;
}

/* What is there left out, for the reason that the last value had. */
static void leave_out(struct derive *d, struct span span, const char *what) {
  const char *text = what;
  if (d->why) {
    struct place place = source_place(d->r->model->sources, d->why_at.begin);
    struct place here = source_place(d->r->model->sources, span.begin);
    bool same = !place.source || (place.source == here.source && place.line == here.line);
    text = same ? arena_printf(d->arena, "%s: %s", what, d->why)
                : arena_printf(d->arena, "%s: %s, at %s", what, d->why, place_text(d->r, d->why_at));
  }
  d->why = NULL;
  derive_note(d, span, true, text);
}

/* ---- which part ---- */

static const char *term_word(struct derive *d, uint32_t id) { return id ? name_id(d->r, id)->text : ""; }

static const struct role {
  const char *domain, *part; /* part NULL: any */
  enum cost_part role;
} roles[] = {{"runtime", NULL, COST_COMMUNICATION},
             {"hardware", "network", COST_COMMUNICATION},
             {"hardware", "memory", COST_MEMORY},
             {"hardware", "storage", COST_STORAGE}};
static const char storage_attribute[] = "storage", own_costs[] = "own-costs";

static enum cost_part role_of(struct derive *d, const struct model_accept *accept, enum cost_part before) {
  struct value domain;
  if (before != COST_COMPUTE) return before;
  if (profile_find(d->r, accept, name_of(d->r->model->names, storage_attribute)).kind == ATTRIBUTE_EXPR)
    return COST_STORAGE;
  if (!resolver_constant(d->r, accept, KNOWN_DOMAIN, &domain) || domain.kind != VALUE_TERM) return before;
  const char *head = term_word(d, domain.term.head), *part = term_word(d, domain.term.qualifier);
  for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
    if (!strcmp(head, roles[k].domain) && (!roles[k].part || !strcmp(part, roles[k].part))) return roles[k].role;
  return before;
}

/* ---- whom a request goes to ---- */

/* Is it an analysis of that kind? */
static bool is_analysis(struct derive *d, const struct model_accept *accept, const char *kind) {
  struct value mode;
  return resolver_constant(d->r, accept, KNOWN_EVALUATION_MODE, &mode) && mode.kind == VALUE_TERM &&
         name_is(name_id(d->r, mode.term.head), KNOWN_ANALYSIS) && !strcmp(term_word(d, mode.term.qualifier), kind);
}

/* The library's body of a call of MPI by that analysis. */
static const struct model_accept *analysed(struct derive *d, const struct model_transaction *transaction,
                                           const char *kind) {
  for (uint32_t a = 0; a < d->r->model->accept_count; a++) {
    const struct model_accept *accept = d->r->model->accepts[a];
    if (accept->transaction == transaction && model_in_library(d->r->model, accept->component->symbol->file) &&
        is_analysis(d, accept, kind))
      return accept;
  }
  return NULL;
}

static bool is_of_messages(const struct derive *d, const struct model_transaction *transaction) {
  const struct symbol *symbol = transaction->symbol;
  return !strncmp(symbol->name->text, "MPI-", 4) && symbol->file && model_in_library(d->r->model, symbol->file);
}

/* The one accept that all instances' requests go to; NULL: *why says why there is none. */
static const struct model_accept *target_of(struct derive *d, const struct model_request *request, const char **why) {
  const struct binding *binding = &d->r->graph->bindings[request->id];
  const struct plan *plan = d->r->plans[request->id];
  uint32_t count = d->r->graph->instances[request->component->id].count;
  const struct model_accept *found = NULL;
  *why = "it goes to nobody";
  if (binding->kind == BINDING_EVERY) {
    *why = "it goes to several at once";
    return NULL;
  }
  if (binding->kind == BINDING_SAME && binding->target.instance < d->r->graph->instance_count)
    return d->r->model->accepts[binding->target.accept];
  if (binding->kind == BINDING_TABLE && binding->accept) return binding->accept;
  for (uint32_t k = 0; binding->kind == BINDING_TABLE && k < count; k++) {
    if (binding_target(binding, k) >= d->r->graph->instance_count) continue;
    const struct model_accept *accept = d->r->model->accepts[binding->accepts[k]];
    *why = "instances of its component go to several accepts";
    if (found && found != accept) return NULL;
    found = accept;
  }
  for (uint32_t k = 0; binding->kind == BINDING_LATE && plan && k < plan->count; k++) {
    *why = "to which of several accepts it goes is known in a run alone";
    if (found) return NULL;
    found = plan->candidates[k].accept;
  }
  return found;
}

/* ---- statements ---- */

static struct outcome walk(struct derive *d, struct frame *frame, const struct stmt *first);

static bool has_return(const struct block *block) { return block_has(block, STMT_RETURN); }

static struct local *var_of(struct frame *frame, const struct symbol *symbol) {
  for (struct local *local = frame->scope.vars; local; local = local->next)
    if (local->symbol == symbol) return local;
  return NULL;
}

/* Vars that the statements may change are not known any more. */
static void forget_vars(struct frame *frame, const struct stmt *first) {
  for (const struct stmt *stmt = first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_ASSIGN) {
      const struct expr *target = stmt->assign.target;
      while (target->kind == EXPR_INDEX || target->kind == EXPR_MEMBER)
        target = target->kind == EXPR_INDEX ? target->index.base : target->member.base;
      struct local *var = target->kind == EXPR_NAME ? var_of(frame, target->name.symbol) : NULL;
      if (var) var->known = (struct meaning){.kind = MEANING_NOTHING};
    }
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) forget_vars(frame, c.block->first);
  }
}

static struct local *vars_copy(struct derive *d, const struct local *vars) {
  if (!vars) return NULL;
  struct local *copy = ARENA_NEW(d->arena, struct local);
  *copy = *vars;
  copy->next = vars_copy(d, vars->next);
  return copy;
}

static bool same_known(struct meaning a, struct meaning b) {
  bool value = a.kind == MEANING_VALUE && value_equal(a.value, b.value);
  return a.kind == b.kind && (a.kind == MEANING_NUMBER || a.kind == MEANING_TRUTH ? a.poly == b.poly : value);
}

static struct meaning either(struct derive *d, const struct poly *by, struct meaning a, struct meaning b) {
  if (same_known(a, b)) return a;
  if (a.kind != b.kind || (a.kind != MEANING_NUMBER && a.kind != MEANING_TRUTH) || !by)
    return (struct meaning){.kind = MEANING_NOTHING};
  a.whole = a.whole && b.whole;
  a.poly = poly_if(d->al, by, a.poly, b.poly);
  a.memory = poly_if(d->al, by, a.memory ? a.memory : d->al->zero, b.memory ? b.memory : d->al->zero);
  return a;
}

static void vars_join(struct derive *d, const struct poly *by, struct local *then, const struct local *otherwise) {
  for (; then && otherwise; then = then->next, otherwise = otherwise->next)
    then->known = either(d, by, then->known, otherwise->known);
}

/* What is computed for an access to memory, as often as a miss ratio says. */
static void count_as_memory(struct derive *d, struct costs *costs) {
  costs->part[COST_MEMORY] = poly_plus(d->al, costs->part[COST_MEMORY], costs->part[COST_COMPUTE]);
  costs->part[COST_COMPUTE] = d->al->zero;
}

static const struct poly *chosen(struct derive *d, void *by, const struct poly *a, const struct poly *b) {
  return poly_if(d->al, by, a, b);
}

/* Of two ways, by a truth or a chance. */
static struct outcome joined(struct derive *d, const struct poly *by, struct outcome a, struct outcome b) {
  struct outcome result = {.returns = a.returns && b.returns};
  result.costs = costs_map(d, &a.costs, &b.costs, chosen, (void *)by);
  result.phases = phases_either(d, by, &a.phases, &b.phases);
  result.result = either(d, by, a.result, b.result);
  return result;
}

/* One way, and what comes behind if it returns there or not. */
static struct outcome one_way(struct derive *d, struct frame *frame, const struct block *block,
                              const struct stmt *behind) {
  struct local *locals = frame->scope.locals;
  struct outcome outcome = block ? walk(d, frame, block->first) : nothing(d);
  frame->scope.locals = locals;
  if (outcome.returns || !behind) return outcome;
  struct outcome rest = walk(d, frame, behind);
  outcome_add(d, &outcome, &rest);
  outcome.result = rest.result;
  outcome.returns = rest.returns;
  return outcome;
}

/* `behind`: the statements after it, which are taken along where a way returns; *taken says that they were. */
static struct outcome walk_if(struct derive *d, struct frame *frame, const struct stmt *stmt, bool *taken) {
  const struct block *otherwise = stmt->branch.has_else ? &stmt->branch.otherwise : NULL;
  *taken = has_return(&stmt->branch.then) || has_return(otherwise);
  const struct stmt *behind = *taken ? stmt->next : NULL;
  const struct poly *by = NULL;
  struct meaning chance = {.kind = MEANING_NOTHING};
  bool known = derive_truth(d, &frame->scope, stmt->branch.condition, &by);
  if (!known && stmt->branch.chance) {
    known = derive_value(d, &frame->scope, stmt->branch.chance, &chance) && chance.kind == MEANING_NUMBER;
    by = chance.poly;
    if (known) derive_note(d, stmt->span, false, "a branch counts by its chance, on the mean");
  }
  if (known && by == d->al->one) return one_way(d, frame, &stmt->branch.then, behind);
  if (known && !by->count) return one_way(d, frame, otherwise, behind);
  struct local *vars = frame->scope.vars, *second = vars_copy(d, vars);
  if (!known) {
    const char *why = d->why;
    struct span at = d->why_at;
    uint32_t notes = d->item->note_count;
    struct outcome a = one_way(d, frame, &stmt->branch.then, behind);
    frame->scope.vars = second;
    struct outcome b = one_way(d, frame, otherwise, behind);
    vars_join(d, NULL, vars, second);
    frame->scope.vars = vars;
    bool same = costs_total(d->al, &a.costs) == costs_total(d->al, &b.costs) && a.costs.times == b.costs.times;
    d->why = why;
    d->why_at = at;
    phases_drop(d, &a.phases);
    phases_drop(d, &b.phases);
    if (same && d->item->note_count == notes) return a; /* whichever it is */
    leave_out(d, stmt->branch.condition->span, "which way is taken");
    struct outcome none = nothing(d);
    none.returns = a.returns && b.returns;
    return none;
  }
  uint32_t known_count = d->al->known_count;
  bool counts = !stmt->branch.chance; /* a chance is no truth */
  if (counts) derive_know(d, by, true);
  struct outcome a = one_way(d, frame, &stmt->branch.then, behind);
  if (derive_all_memory(&chance)) count_as_memory(d, &a.costs);
  d->al->known_count = known_count;
  frame->scope.vars = second;
  if (counts) derive_know(d, by, false);
  struct outcome b = one_way(d, frame, otherwise, behind);
  d->al->known_count = known_count;
  vars_join(d, by, vars, second);
  frame->scope.vars = vars;
  return joined(d, by, a, b);
}

static const struct poly *weighed(struct derive *d, void *by, const struct poly *a, const struct poly *b) {
  (void)b;
  return poly_times(d->al, by, a);
}

static struct outcome walk_chances(struct derive *d, struct frame *frame, const struct stmt *stmt) {
  struct outcome outcome = nothing(d);
  for (uint32_t k = 0; k < stmt->chances.count; k++) {
    const struct chance *chance = &stmt->chances.items[k];
    struct meaning by;
    if (!derive_value(d, &frame->scope, chance->value, &by) || by.kind != MEANING_NUMBER) {
      leave_out(d, chance->value->span, "a chance");
      continue;
    }
    struct outcome one = one_way(d, frame, &chance->body, NULL);
    one.costs = costs_map(d, &one.costs, NULL, weighed, (void *)by.poly);
    if (derive_all_memory(&by)) count_as_memory(d, &one.costs);
    phases_drop(d, &one.phases);
    costs_add(d, &outcome.costs, &one.costs);
    forget_vars(frame, chance->body.first);
  }
  derive_note(d, stmt->span, false, "a branch counts by its chances, on the mean");
  return outcome;
}

static bool whole_number(const struct poly *a, int64_t *out) {
  struct number number;
  if (!poly_constant(a, &number) || !number.exact || number.below != 1) return false;
  *out = number.above;
  return true;
}

/* ---- loops ---- */

struct turns {
  const struct atom *variable;
  const struct poly *low, *high;
};

static const struct poly *over_turns(struct derive *d, void *user, const struct poly *a, const struct poly *b) {
  const struct turns *turns = user;
  (void)b;
  return poly_sum(d->al, turns->variable, turns->low, turns->high, a);
}

static struct outcome turn_of(struct derive *d, struct frame *frame, const struct stmt *stmt, struct meaning variable) {
  struct local *locals = frame->scope.locals;
  derive_bind(d, &frame->scope, stmt->each.symbol, variable);
  struct outcome outcome = walk(d, frame, stmt->each.body.first);
  frame->scope.locals = locals;
  return outcome;
}

static struct outcome each_item(struct derive *d, struct frame *frame, const struct stmt *stmt, struct meaning list) {
  struct outcome all = nothing(d);
  for (uint32_t k = 0; k < list.count; k++) {
    struct outcome one = turn_of(d, frame, stmt, list.items[k]);
    outcome_add(d, &all, &one);
  }
  return all;
}

/* low, low * step, ... up to high, which are numbers. */
static bool each_power(struct derive *d, struct frame *frame, const struct stmt *stmt, const struct poly *low,
                       const struct poly *high, const struct poly *step, struct outcome *out) {
  int64_t first, last, by;
  if (!whole_number(low, &first) || !whole_number(high, &last) || !whole_number(step, &by) || first < 1 || by < 2)
    return derive_fail(d, stmt->each.range->span, "how often it goes round is no polynomial of the params");
  *out = nothing(d);
  for (int64_t k = first; k <= last; k *= by) {
    struct outcome one =
        turn_of(d, frame, stmt, (struct meaning){.kind = MEANING_NUMBER, .whole = true, .poly = poly_whole(d->al, k)});
    outcome_add(d, out, &one);
    if (k > last / by) break;
  }
  return true;
}

static bool assigns(const struct stmt *first) {
  for (const struct stmt *stmt = first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_ASSIGN) return true;
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && assigns(c.block->first)) return true;
  }
  return false;
}

/* A few turns between numbers, of which each may change vars for the next. */
static bool each_turn(struct derive *d, struct frame *frame, const struct stmt *stmt, struct outcome *out) {
  enum { FEW = 64 };
  const struct expr *range = stmt->each.range;
  const struct poly *low, *high, *step = d->al->one;
  int64_t first, last, by;
  if (range->kind != EXPR_RANGE || stmt->each.geometric) return false;
  if (!derive_number(d, &frame->scope, range->range.low, &low) ||
      !derive_number(d, &frame->scope, range->range.high, &high) ||
      (stmt->each.step && !derive_number(d, &frame->scope, stmt->each.step, &step)))
    return false;
  if (!whole_number(low, &first) || !whole_number(high, &last) || !whole_number(step, &by) || by < 1 ||
      last - first >= FEW)
    return false;
  *out = nothing(d);
  for (int64_t k = first; k <= last; k += by) {
    struct outcome one =
        turn_of(d, frame, stmt, (struct meaning){.kind = MEANING_NUMBER, .whole = true, .poly = poly_whole(d->al, k)});
    outcome_add(d, out, &one);
  }
  return true;
}

static bool count_turns(struct derive *d, struct frame *frame, const struct stmt *stmt, struct outcome *out) {
  const struct expr *range = stmt->each.range;
  struct algebra *al = d->al;
  struct meaning list, low, high;
  const struct poly *step = al->one;
  int64_t by = 1;
  if (range->kind != EXPR_RANGE) {
    if (!derive_value(d, &frame->scope, range, &list)) return false;
    if (list.kind != MEANING_LIST) return derive_fail(d, range->span, "what it goes through is no list");
    *out = each_item(d, frame, stmt, list);
    return true;
  }
  if (!derive_value(d, &frame->scope, range->range.low, &low) ||
      !derive_value(d, &frame->scope, range->range.high, &high))
    return false;
  if (stmt->each.step && !derive_number(d, &frame->scope, stmt->each.step, &step)) return false;
  if (stmt->each.geometric) return each_power(d, frame, stmt, low.poly, high.poly, step, out);
  bool whole = low.kind == MEANING_NUMBER && high.kind == MEANING_NUMBER && low.whole && high.whole;
  if (!whole || !whole_number(step, &by) || by <= 0)
    return derive_fail(d, range->span, "how often it goes round is not known");
  struct settings any = {0};
  struct turns turns = {.low = low.poly, .high = high.poly};
  const char *name = derive_free_name(d, stmt->each.symbol->name->text);
  if (by != 1) { /* low + by * k */
    turns.low = al->zero;
    turns.high = poly_div(al, poly_minus(al, high.poly, low.poly), step);
  }
  struct interval from = poly_interval(&any, turns.low), to = poly_interval(&any, turns.high);
  turns.variable =
      atom_name(al, name, NULL, true, (struct dimension){{0}}, from.low, to.high > from.low ? to.high : from.low);
  const struct poly *value = poly_atom(al, turns.variable);
  if (by != 1) value = poly_plus(al, low.poly, poly_times(al, step, value));
  uint32_t known = al->known_count;
  const struct poly *above = poly_minus(al, poly_atom(al, turns.variable), turns.low);
  const struct poly *below = poly_minus(al, turns.high, poly_atom(al, turns.variable));
  ARENA_PUSH(d->arena, al->known, al->known_count, al->known_capacity, above);
  ARENA_PUSH(d->arena, al->known, al->known_count, al->known_capacity, below);
  if (d->loop_count < sizeof d->loops / sizeof *d->loops) d->loops[d->loop_count] = turns.variable;
  d->loop_count++;
  struct outcome one = turn_of(d, frame, stmt, (struct meaning){.kind = MEANING_NUMBER, .whole = true, .poly = value});
  d->loop_count--;
  al->known_count = known;
  one.costs = costs_map(d, &one.costs, NULL, over_turns, &turns);
  phases_repeat(d, &one.phases, turns.variable, turns.low, turns.high);
  *out = one;
  return true;
}

static struct outcome walk_loop(struct derive *d, struct frame *frame, const struct stmt *stmt) {
  struct outcome outcome = nothing(d);
  const struct block *body = stmt->kind == STMT_FOR ? &stmt->each.body : &stmt->loop.body;
  const struct poly *goes = NULL;
  if (stmt->kind == STMT_FOR && assigns(body->first) && !has_return(body) && each_turn(d, frame, stmt, &outcome)) {
    outcome.returns = false;
    return outcome;
  }
  forget_vars(frame, body->first);
  if (stmt->kind == STMT_WHILE) {
    if (derive_truth(d, &frame->scope, stmt->loop.condition, &goes) && !goes->count) return outcome;
    if (goes) derive_fail(d, stmt->loop.condition->span, "its condition ends it");
    leave_out(d, stmt->span, "how often a loop goes round");
    return outcome;
  }
  if (has_return(body)) {
    derive_fail(d, stmt->span, "a return ends it");
    leave_out(d, stmt->span, "how often a loop goes round");
    return outcome;
  }
  if (!count_turns(d, frame, stmt, &outcome)) {
    leave_out(d, stmt->span, "a loop");
    return nothing(d);
  }
  outcome.returns = false;
  return outcome;
}

/* ---- calls ---- */

static bool convert(struct derive *d, const struct conversion *conversion, const struct model_accept *target,
                    struct meaning *value) {
  for (uint32_t k = 0; k < conversion->count; k++) {
    struct meaning before = *value;
    struct scope scope = {.target = target, .value = &before};
    if (!conversion->steps[k]->value || !derive_value(d, &scope, conversion->steps[k]->value, value)) return false;
  }
  return true;
}

/* ---- sizes of messages ---- */

static const struct task_node *node_in(const struct task_node *first, uint32_t id, const char *place) {
  const struct task_node *found = NULL;
  for (const struct task_node *node = first; node && !found; node = node->next) {
    if (id ? node->id == id : node->kind == TASK_COMMUNICATE && !strcmp(node->place, place)) return node;
    for (uint32_t k = 0; k < node->arm_count && !found; k++)
      found = node_in(node->arms[k].first, id, place);
  }
  return found;
}

static const struct task_node *node_of(const struct static_graph *graph, uint32_t id, const char *place) {
  const struct task_node *found = NULL;
  for (uint32_t k = 0; k < graph->graph_count && !found; k++)
    found = node_in(graph->graphs[k].first, id, place);
  return found;
}

/* What a receive that does not say it gets: the size of what the sends have that it meets, if all have the same. */
static bool sent_size(struct derive *d, struct span span, struct meaning *out) {
  if (!d->statics) d->statics = static_graph_derive(d->out->graph, d->arena);
  const struct task_node *receive = node_of(d->statics, 0, place_text(d->r, span));
  out->kind = MEANING_NOTHING;
  for (uint32_t k = 0; receive && k < d->statics->edge_count; k++) {
    const struct task_edge *edge = &d->statics->edges[k];
    struct scope none = {0};
    struct meaning size;
    if (edge->kind != EDGE_MESSAGE || edge->to != receive->id || !edge->mapping) continue;
    const struct task_node *send = node_of(d->statics, edge->from, NULL);
    if (!send || !send->size || !derive_value(d, &none, send->size, &size) || size.kind != MEANING_NUMBER) return false;
    if (out->kind == MEANING_NUMBER && out->poly != size.poly) return false;
    *out = size;
  }
  return out->kind == MEANING_NUMBER;
}

/* Is it the size of what a call receives, which is not given? */
static bool lacks_size(const struct model_request *request, uint32_t parameter) {
  const struct model_transaction *transaction = request->transaction;
  bool receives = false;
  for (uint32_t k = 0; k < transaction->param_count; k++)
    receives |= !strcmp(transaction->params[k].name->text, "source");
  return receives && !request->args[parameter] && !strcmp(transaction->params[parameter].name->text, "message");
}

/* A call that is made so often; where that is no whole number, on the mean. */
static struct outcome visited(struct derive *d, struct scope *label, const struct expr *visits, struct outcome once,
                              struct span span) {
  struct meaning times;
  if (!derive_value(d, label, visits, &times) || times.kind != MEANING_NUMBER) {
    leave_out(d, span, "how many visits a call makes");
    return nothing(d);
  }
  if (!poly_is_whole(times.poly)) derive_note(d, span, false, "visits count by their number, on the mean");
  once.costs = costs_map(d, &once.costs, NULL, weighed, (void *)times.poly);
  if (derive_all_memory(&times)) count_as_memory(d, &once.costs);
  phases_drop(d, &once.phases);
  once.result = (struct meaning){.kind = MEANING_NOTHING};
  return once;
}

/* LogGP's equations have one mode of sends. */
static void note_mode(struct derive *d, const struct expr *mode, const struct expr *usual, struct span span) {
  struct value given, standard;
  if (usual && resolver_quietly(d->r, mode, NULL, &given) && resolver_quietly(d->r, usual, NULL, &standard) &&
      value_equal(given, standard))
    return;
  derive_note(d, span, false, "a send of any mode counts as a standard one");
}

/* Is it a collective operation of all ranks, or none? A message has the same costs in each communicator. */
static bool among_all(struct derive *d, const struct model_transaction *transaction, const struct meaning *arguments) {
  for (uint32_t k = 0; k < transaction->param_count; k++) {
    const char *name = transaction->params[k].name->text;
    if (!strcmp(name, "tag")) return true;
    if (!strcmp(name, "communicator")) return arguments[k].kind == MEANING_NUMBER && arguments[k].poly == d->al->zero;
  }
  return true;
}

/* An exchange has one size: what comes is as large as what goes, if nothing else is known. */
static void note_exchange(struct derive *d, const struct model_request *request, const struct meaning *arguments,
                          struct span span) {
  const struct model_transaction *transaction = request->transaction;
  const struct meaning *sent = NULL;
  struct meaning received;
  bool goes = false, comes = false;
  for (uint32_t k = 0; k < transaction->param_count; k++) {
    const char *name = transaction->params[k].name->text;
    goes |= !strcmp(name, "destination");
    comes |= !strcmp(name, "source");
    if (!strcmp(name, "message")) sent = &arguments[k];
  }
  if (!goes || !comes || !sent || sent->kind != MEANING_NUMBER) return;
  if (sent_size(d, span, &received) && received.poly == sent->poly) return;
  derive_note(d, span, false, "what is received counts as large as what is sent");
}

/* The body of an accept, for who calls it with these arguments, by parameter of its transaction. */
static struct outcome enter(struct derive *d, struct frame *caller, const struct model_accept *accept,
                            const struct meaning *arguments, uint32_t count, struct span span) {
  struct frame frame = {.scope = {.caller = &caller->scope, .accept = accept},
                        .role = role_of(d, accept, caller->role)};
  struct outcome outcome = nothing(d);
  if (d->depth > 100) {
    derive_fail(d, span, "calls go on without an end that is seen");
    leave_out(d, span, "a call");
    return outcome;
  }
  for (uint32_t k = 0; k < accept->param_count; k++)
    if (accept->param_of[k] < count) derive_bind(d, &frame.scope, accept->params[k], arguments[accept->param_of[k]]);
  if (accept->servers && !accept->unlimited)
    derive_note(
        d, span, false,
        arena_printf(d->arena, "waiting for a server of %s is left out", accept->component->symbol->name->text));
  if (accept->firing_rule)
    derive_note(
        d, span, false,
        arena_printf(d->arena, "waiting for the firing rule of %s is left out", accept->component->symbol->name->text));
  d->depth += 10;
  if (accept->body) outcome = walk(d, &frame, accept->body->first);
  d->depth -= 10;
  outcome.returns = false;
  return outcome;
}

static struct outcome call_request(struct derive *d, struct frame *frame, const struct model_request *request,
                                   const struct expr *call, struct span span) {
  struct outcome outcome = nothing(d);
  uint32_t count = request->transaction->param_count;
  const char *name = request->transaction->symbol->name->text, *why;
  if (request->protocol == PROTOCOL_DATAFLOW) return outcome;
  bool messages = is_of_messages(d, request->transaction);
  d->item->messages |= messages;
  const struct model_accept *accept = target_of(d, request, &why);
  bool apart = !accept || accept->component->symbol->file != d->item->accept->component->symbol->file;
  if (d->out->section && !d->inside && apart) return outcome; /* no section is there */
  const struct model_accept *equation = messages ? analysed(d, request->transaction, "loggp") : NULL;
  const struct model_accept *costs = messages ? analysed(d, request->transaction, own_costs) : NULL;
  if (!costs) costs = equation;
  if (costs) accept = costs;
  if (!accept) {
    derive_note(d, span, true, arena_printf(d->arena, "%s: %s", name, why));
    return outcome;
  }
  if (messages && !costs) {
    derive_note(d, span, true,
                arena_printf(d->arena, "%s: the library has no equation for it, and its messages are simulated", name));
    return outcome;
  }
  if (request->selector) derive_settle(d, request->selector);
  struct scope label = {.caller = frame->scope.caller,
                        .accept = frame->scope.accept,
                        .vars = frame->scope.vars,
                        .indices = frame->scope.indices,
                        .index_count = frame->scope.index_count,
                        .locals = request->label ? NULL : frame->scope.locals};
  for (uint32_t k = 0; request->label && k < request->param_count; k++) {
    struct meaning known = {.kind = MEANING_NOTHING};
    const struct expr *given =
        call && call->kind == EXPR_CALL && k < call->call->bound_count ? call->call->bound[k] : NULL;
    if (given && !derive_value(d, &frame->scope, given, &known)) known.kind = MEANING_NOTHING;
    derive_bind(d, &label, request->params[k], known);
  }
  struct adapter *adapter = adapter_of(&d->r->graph->bindings[request->id], accept);
  if (adapter && adapter->transaction) {
    derive_note(d, span, true, arena_printf(d->arena, "%s: a coercion's block stands for it", name));
    return outcome;
  }
  for (uint32_t k = 0; messages && k < count; k++)
    if (request->args[k] && request->transaction->params[k].type &&
        request->transaction->params[k].type->kind == TYPE_TERM)
      note_mode(d, request->args[k], request->transaction->params[k].value, span);
  struct meaning *arguments = ARENA_ARRAY(d->arena, struct meaning, count + 1);
  for (uint32_t k = 0; k < count; k++) {
    const struct expr *given = request->args[k];
    struct scope none = {0};
    if (messages && lacks_size(request, k)) {
      if (sent_size(d, span, &arguments[k])) continue;
      derive_note(d, span, false, "the size of what is received is not known here: it counts as 0 byte");
    }
    if (!given) given = request->transaction->params[k].value;
    if (!given || !derive_value(d, request->args[k] ? &label : &none, given, &arguments[k]) ||
        (adapter && adapter->params && !convert(d, &adapter->params[k], accept, &arguments[k])))
      arguments[k] = (struct meaning){.kind = MEANING_NOTHING};
  }
  if (messages && !among_all(d, request->transaction, arguments)) {
    derive_note(d, span, true,
                arena_printf(d->arena, "%s: which ranks a communicator has is known in a run alone", name));
    return outcome;
  }
  if (messages) note_exchange(d, request, arguments, span);
  outcome = enter(d, frame, accept, arguments, count, span);
  if (messages) {
    struct outcome at_once =
        equation && equation != costs ? enter(d, frame, equation, arguments, count, span) : outcome;
    outcome.phases = phases_of_call(d, name, &outcome.costs, &at_once.costs);
  }
  if (request->patience) derive_note(d, span, false, "its patience is left out");
  return request->visits ? visited(d, &label, request->visits, outcome, span) : outcome;
}

static struct outcome call_evaluator(struct derive *d, const struct symbol *callee, struct span span) {
  const struct psl_evaluator_function *function = callee->evaluator_function;
  if (function->kind != PSL_PURE && function->kind != PSL_EVENT)
    derive_note(d, span, true,
                arena_printf(d->arena, "%s.%s is simulated: what it takes is known in a run alone",
                             callee->evaluator_of->name, function->name));
  return nothing(d);
}

static struct outcome walk_call(struct derive *d, struct frame *frame, const struct stmt *stmt) {
  const struct symbol *callee = stmt_callee(stmt);
  if (callee && callee->kind == SYMBOL_LABEL)
    return call_request(d, frame, callee->request, stmt->assign.value, stmt->span);
  if (callee && callee->kind == SYMBOL_EVALUATOR_FUNCTION) return call_evaluator(d, callee, stmt->span);
  derive_fail(d, stmt->span, "it calls what is no body");
  leave_out(d, stmt->span, "a call");
  return nothing(d);
}

/* ---- one statement ---- */

/* An item of a var that is a list, at a place that is a number. */
static bool assign_item(struct derive *d, struct frame *frame, const struct expr *target, struct meaning known) {
  const struct poly *at;
  int64_t place;
  if (target->kind != EXPR_INDEX || target->index.count != 1 || target->index.base->kind != EXPR_NAME) return false;
  struct local *var = var_of(frame, target->index.base->name.symbol);
  if (!var || var->known.kind != MEANING_LIST || !derive_number(d, &frame->scope, target->index.subscripts[0], &at) ||
      !whole_number(at, &place) || place < 0 || place >= var->known.count)
    return false;
  struct meaning *items = ARENA_ARRAY(d->arena, struct meaning, var->known.count);
  memcpy(items, var->known.items, var->known.count * sizeof *items);
  items[place] = known;
  var->known.items = items;
  return true;
}

static struct outcome walk_assign(struct derive *d, struct frame *frame, const struct stmt *stmt) {
  struct outcome outcome = nothing(d);
  struct meaning known = {.kind = MEANING_NOTHING};
  if (stmt->assign.is_call) {
    outcome = walk_call(d, frame, stmt);
    known = outcome.result;
  } else if (stmt->assign.value && !derive_value(d, &frame->scope, stmt->assign.value, &known)) {
    known.kind = MEANING_NOTHING;
  }
  outcome.result = (struct meaning){.kind = MEANING_NOTHING};
  if (stmt->kind == STMT_LET) derive_bind(d, &frame->scope, stmt->assign.symbol, known);
  if (stmt->kind == STMT_RETURN) {
    outcome.result = known;
    outcome.returns = true;
  }
  if (stmt->kind == STMT_ASSIGN) {
    const struct expr *target = stmt->assign.target;
    struct local *var = target->kind == EXPR_NAME ? var_of(frame, target->name.symbol) : NULL;
    if (var)
      var->known = known;
    else if (!assign_item(d, frame, target, known))
      forget_vars(frame, &(struct stmt){.kind = STMT_ASSIGN, .assign.target = (struct expr *)target});
  }
  return outcome;
}

static struct outcome walk_hold(struct derive *d, struct frame *frame, const struct stmt *stmt) {
  struct outcome outcome = nothing(d);
  struct meaning time;
  if (d->out->section && !d->inside) return outcome;
  if (!derive_value(d, &frame->scope, stmt->hold, &time) || time.kind != MEANING_NUMBER) {
    leave_out(d, stmt->span, "a hold");
    return outcome;
  }
  outcome.costs.part[frame->role] = time.poly;
  if (frame->role == COST_COMPUTE && time.memory) {
    outcome.costs.part[COST_COMPUTE] = poly_minus(d->al, time.poly, time.memory);
    outcome.costs.part[COST_MEMORY] = time.memory;
  }
  return outcome;
}

static bool begins_section(struct derive *d, const struct stmt *stmt) {
  const struct symbol *callee = stmt_callee(stmt);
  if (!d->out->section) return false;
  struct place place = source_place(d->r->model->sources, stmt->span.begin);
  if (!place.source || place.source != d->item->accept->component->symbol->file) return false;
  if (d->section_line) return place.line == d->section_line;
  return callee && callee->kind == SYMBOL_LABEL && !strcmp(callee->name->text, d->out->section);
}

static struct outcome walk_one(struct derive *d, struct frame *frame, const struct stmt *stmt, bool *taken) {
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_RETURN:
  case STMT_CALL: return walk_assign(d, frame, stmt);
  case STMT_HOLD: return walk_hold(d, frame, stmt);
  case STMT_IF: return walk_if(d, frame, stmt, taken);
  case STMT_ONE_OF: return walk_chances(d, frame, stmt);
  case STMT_FOR:
  case STMT_WHILE: return walk_loop(d, frame, stmt);
  case STMT_FIRST_OF:
    derive_fail(d, stmt->span, "what comes first is known in a run alone");
    leave_out(d, stmt->span, "a choice");
    break;
  case STMT_RECORD:
  case STMT_PROFILE:
  case STMT_ASSERT:
  case STMT_KINDS: break;
  }
  return nothing(d);
}

static bool same_costs(const struct costs *a, const struct costs *b) {
  for (int k = 0; k < COST_PARTS; k++)
    if (a->part[k] != b->part[k]) return false;
  return true;
}

/* What the section costs once, if that is the same wherever it stands. */
static void note_each(struct derive *d, const struct costs *costs) {
  struct derived *item = d->item;
  if (item->each.times && !same_costs(&item->each, costs)) {
    item->each.part[0] = NULL;
  } else if (!item->each.times) {
    item->each = *costs;
    for (uint32_t k = 0; k < d->loop_count && k < sizeof d->loops / sizeof *d->loops; k++) {
      bool reads = false;
      for (int p = 0; p < COST_PARTS; p++)
        reads |= poly_reads(costs->part[p], d->loops[k]);
      if (reads)
        ARENA_PUSH(d->arena, item->around, item->around_count, item->around_capacity, poly_atom(d->al, d->loops[k]));
    }
  }
  item->each.times = d->al->one;
}

/* Is there nothing of the statement but what was left out? */
static bool is_left_out(const struct derive *d, const struct stmt *stmt, const struct costs *costs, uint32_t notes) {
  bool any = false;
  for (int k = 0; k < COST_PARTS; k++)
    any |= costs->part[k]->count > 0;
  for (uint32_t k = 0; k < d->item->note_count && !any; k++) {
    const struct derive_note *note = &d->item->notes[k];
    if (note->left_out && (k >= notes || note->span.begin == stmt->span.begin)) return true;
  }
  return false;
}

static struct outcome walk(struct derive *d, struct frame *frame, const struct stmt *first) {
  struct outcome all = nothing(d);
  for (const struct stmt *stmt = first; stmt && !d->al->too_large; stmt = stmt->next) {
    bool taken = false, section = !d->inside && begins_section(d, stmt);
    uint32_t notes = d->item->note_count;
    d->inside += section;
    struct outcome one = walk_one(d, frame, stmt, &taken);
    d->inside -= section;
    if (section && !is_left_out(d, stmt, &one.costs, notes)) {
      d->out->section_met = true;
      note_each(d, &one.costs);
      one.costs.times = d->al->one;
    }
    outcome_add(d, &all, &one);
    all.result = one.result;
    all.returns = one.returns;
    if (one.returns || taken) break;
  }
  return all;
}

/* The note of what is left out at the statement, or in it where it is the section itself. */
static const struct derive_note *note_at(const struct derived *item, const struct stmt *stmt, bool within) {
  uint32_t branch = stmt->kind == STMT_IF ? stmt->branch.condition->span.begin : stmt->span.begin;
  for (uint32_t k = 0; k < item->note_count; k++) {
    uint32_t at = item->notes[k].span.begin;
    bool here = at == branch || at == stmt->span.begin || (within && at >= stmt->span.begin && at < stmt->span.end);
    if (item->notes[k].left_out && here) return &item->notes[k];
  }
  return NULL;
}

static const struct stmt *section_in(struct derive *d, const struct stmt *first, const struct derive_note *around,
                                     const struct derive_note **note) {
  for (const struct stmt *stmt = first; stmt; stmt = stmt->next) {
    bool section = begins_section(d, stmt);
    const struct derive_note *here = around ? around : note_at(d->item, stmt, section);
    const struct stmt *found = section && here ? stmt : NULL;
    if (found) *note = here;
    for (struct children c = stmt_children(stmt); !found && children_next(&c);)
      if (c.block) found = section_in(d, c.block->first, here, note);
    if (found) return found;
  }
  return NULL;
}

const struct stmt *derive_left_out_section(struct derive *d, struct derived *item, const struct derive_note **note) {
  d->item = item;
  return item->accept->body ? section_in(d, item->accept->body->first, NULL, note) : NULL;
}

void derive_body(struct derive *d, struct derived *item, const struct meaning *indices, struct local *parameters) {
  const struct model_accept *accept = item->accept;
  struct frame frame = {
      .scope = {.accept = accept, .indices = indices, .index_count = item->index_count, .locals = parameters},
      .role = role_of(d, accept, COST_COMPUTE)};
  for (uint32_t k = accept->component->var_count; k-- > 0;) {
    const struct symbol *var = accept->component->vars[k];
    struct local *local = ARENA_NEW(d->arena, struct local);
    *local = (struct local){.next = frame.scope.vars, .symbol = var};
    const struct expr *value = var->decl ? var->decl->value.value : NULL;
    if (!value || !derive_value(d, &frame.scope, value, &local->known)) local->known.kind = MEANING_NOTHING;
    frame.scope.vars = local;
  }
  d->item = item;
  if (!accept->body) return;
  struct outcome outcome = walk(d, &frame, accept->body->first);
  item->costs = outcome.costs;
  if (!d->out->section) item->whole = phases_whole(d, &outcome.phases);
}
