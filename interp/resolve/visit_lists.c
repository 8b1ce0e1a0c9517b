/* Lists of visits: a request `go-to(k)` that takes its `visits` from a list, `visits[k]`, goes to as many places as the
 * list has items, from 0 on.  An item for nothing, a place without an item, and two places for one item are errors
 * of who has written the list or the places, and said there.  Called by resolve. */
#include "interp/resolve/resolve.h"
#include "interp/check/check.h"

enum { FARTHEST = 1000 }; /* behind the list, for the message */

struct visit_list {
  struct resolver *r;
  const struct model_request *request;
  const struct expr *list;
  uint32_t instance; /* of the request's component */
  struct environment environment;
  struct value *k;     /* the label's parameter */
  struct target to[2]; /* the first targets of the item in hand */
};

static bool is_param(const struct expr *expr, const struct symbol *param) {
  return expr->kind == EXPR_NAME && expr->name.symbol == param;
}

/* What the selector asks for of what the list counts, `number = k`; NULL: nothing. */
static const struct expr *numbering_of(const struct model_request *request) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(request->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t c = 0; c < count; c++)
    if (list[c]->kind == EXPR_CLAUSE && is_param(list[c]->clause.value, request->params[0])) return list[c];
  return NULL;
}

/* What `visits` takes an item of, by the label's one parameter alone; NULL: it does not. */
static const struct expr *list_of(struct resolver *r, const struct model_request *request) {
  const struct expr *visits = request->visits;
  const struct binding *binding = &r->graph->bindings[request->id];
  if (!visits || visits->kind != EXPR_INDEX || visits->index.term || request->param_count != 1) return NULL;
  if (visits->index.count != 1 || !is_param(visits->index.subscripts[0], request->params[0])) return NULL;
  if (binding->kind != BINDING_LATE || request->where || request->quantifier != TARGET_ONE) return NULL;
  if (!numbering_of(request)) return NULL;
  if (expr_uses(r, visits->index.base) & ~(unsigned)USES_INDEX) return NULL;
  if (expr_uses(r, request->selector) & (USES_LATE & ~(unsigned)USES_LOCAL)) return NULL;
  for (uint32_t c = 0; c < binding->candidate_count; c++)
    if (binding->candidates[c]->component->dynamic_count) return NULL;
  return visits->index.base;
}

/* Where the component has the list; one that is made like another may have left it to that. */
static struct span written(const struct visit_list *v) {
  const struct symbol *symbol = expr_symbol(v->list), *component = v->request->component->symbol;
  const struct expr *own = symbol && symbol->kind == SYMBOL_INSTANCE ? symbol->instance.value : NULL;
  struct span place = own ? own->span : v->list->span;
  return source_of(v->r->model->sources, place.begin) == component->file ? place : component->span;
}

static bool targets_of(struct visit_list *v, int64_t k, uint32_t *count) {
  *v->k = (struct value){.kind = VALUE_INT, .integer = k};
  return late_targets(v->r->graph, v->request, v->instance, &v->environment, v->to, 2, count);
}

/* Where the target says what the selector asks for by the label's parameter. */
static struct span told_apart(struct visit_list *v, const struct model_accept *accept) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(v->request->selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t c = 0; c < count; c++) {
    if (list[c]->kind != EXPR_CLAUSE || !is_param(list[c]->clause.value, v->request->params[0])) continue;
    struct attribute_ref ref = profile_find(v->r, accept, list[c]->clause.attribute);
    if (ref.value) return ref.value->span;
  }
  return accept->component->symbol->span;
}

static const char *name_of_instance(struct visit_list *v, uint32_t instance) {
  struct text name = {.arena = v->r->arena};
  graph_instance_print(&name, v->r->graph, instance);
  return name.data;
}

static bool refuse_several(struct visit_list *v, int64_t k) {
  struct diagnostics *d = v->r->model->diagnostics;
  const struct model_accept *const *accepts = (const struct model_accept *const *)v->r->model->accepts;
  diagnostic_add(d, SEVERITY_ERROR, told_apart(v, accepts[v->to[1].accept]), "%s and %s both take %s(%lld) of '%s'",
                 name_of_instance(v, v->to[0].instance), name_of_instance(v, v->to[1].instance),
                 v->request->label->name->text, (long long)k, v->request->component->symbol->name->text);
  diagnostic_note(d, told_apart(v, accepts[v->to[0].accept]), "%s is here", name_of_instance(v, v->to[0].instance));
  diagnostic_help(d, (struct span){0}, "each has a value of its own there, from 0 on without a gap");
  return false;
}

/* The targets from 0 on, to the first gap, with their names; false after a diagnostic. */
static bool list_targets(struct visit_list *v, uint32_t most, uint32_t *targets, struct text *names) {
  enum { NAMED = 6 };
  uint32_t count;
  for (*targets = 0; *targets < most; ++*targets) {
    if (!targets_of(v, *targets, &count)) return false;
    if (!count) break;
    if (*targets < NAMED)
      text_printf(names, "%s%s", *targets ? ", " : "", name_of_instance(v, v->to[0].instance));
    else if (*targets == NAMED)
      text_put(names, ", ...");
  }
  return true;
}

/* Components of the model's own that would be targets, and have the negative number of what they are like: the numbers
 * that they may be given. */
static bool help_numbers(struct visit_list *v, uint32_t from) {
  struct resolver *r = v->r;
  const struct expr *numbering = numbering_of(v->request);
  struct text places = {.arena = r->arena};
  uint32_t number = from;
  bool equal = numbering && numbering->clause.op == OP_EQ;
  for (uint32_t a = 0; equal && a < r->model->accept_count; a++) {
    const struct model_accept *accept = r->model->accepts[a];
    const struct model_component *component = accept->component;
    struct value value;
    if (accept->transaction != v->request->transaction || !component->like) continue;
    if (!model_owns(r->model, component->symbol->file)) continue;
    struct attribute_ref ref = profile_find(r, accept, numbering->clause.attribute);
    if (!ref.constant || !resolver_quietly(r, ref.value, NULL, &value)) continue;
    if (value.kind != VALUE_INT || value.integer >= 0) continue;
    text_printf(&places, "%s'profile %s = %u;' in '%s'", number == from ? "" : ", ",
                span_text(r, numbering->clause.attribute_span), number, component->symbol->name->text);
    number++;
  }
  if (number == from) return false;
  diagnostic_help(r->model->diagnostics, (struct span){0}, "a target says its number: %s", places.data);
  return true;
}

static bool refuse_length(struct visit_list *v, uint32_t length) {
  struct diagnostics *d = v->r->model->diagnostics;
  const char *label = v->request->label->name->text, *param = v->request->params[0]->name->text;
  const char *items = arena_printf(v->r->arena, "%s of '%s' has %u item%s", span_text(v->r, v->list->span),
                                   v->request->component->symbol->name->text, length, length == 1 ? "" : "s");
  struct text names = {.arena = v->r->arena};
  struct span place = written(v);
  uint32_t targets;
  if (!list_targets(v, length + FARTHEST, &targets, &names)) return false;
  if (targets < length)
    diagnostic_add(d, SEVERITY_ERROR, place, "%s, and %s(%u) has no target", items, label, targets);
  else
    diagnostic_add(d, SEVERITY_ERROR, place, "%s, and %s(%s) has targets for %s = 0 to %u", items, label, param, param,
                   targets - 1);
  diagnostic_note(d, v->request->syntax->selector_span, "%s(%s) is asked for here", label, param);
  if (targets < length && help_numbers(v, targets)) return false;
  if (targets)
    diagnostic_help(d, (struct span){0}, "there should be %u, for %s: 0 where they do not go", targets, names.data);
  else if (source_is(source_place(v->r->model->sources, v->request->syntax->selector_span.begin).source,
                     "stdlib/queueing.psl"))
    diagnostic_help(d, (struct span){0},
                    "there is no station number 0: write component NAME like fcfs-station { param service = "
                    "exponential(1 s); profile number = 0; }");
  else
    diagnostic_help(d, (struct span){0}, "the first item is that of %s(0)", label);
  return false;
}

static bool is_zero(struct value value) {
  return value.kind == VALUE_INT ? value.integer == 0 : value.kind == VALUE_REAL && value.real == 0;
}

/* What is visited not once needs no place. */
static bool check_items(struct visit_list *v, const struct object *list) {
  uint32_t count;
  for (uint32_t k = 0; k <= list->count; k++) {
    if (!targets_of(v, k, &count)) return false;
    if (count > 1) return refuse_several(v, k);
    bool wanted = k < list->count && !is_zero(list->items[k]);
    if (count < wanted || (count && k == list->count)) return refuse_length(v, list->count);
  }
  return true;
}

static bool check_instance(struct visit_list *v) {
  struct value value;
  if (!evaluate(&v->environment, v->list, &value)) return false;
  return value.kind != VALUE_LIST || check_items(v, value.object);
}

static bool check_request(struct resolver *r, const struct model_request *request, const struct expr *list) {
  const struct instances *set = &r->graph->instances[request->component->id];
  int64_t indices[COMPONENT_INDICES];
  struct value *locals = ARENA_ARRAY(r->arena, struct value, r->model->slot_max + 1);
  struct visit_list v = {.r = r, .request = request, .list = list, .k = &locals[request->params[0]->slot]};
  for (uint32_t i = 0; i < set->count; i++) {
    v.instance = set->first + i;
    graph_indices(r->graph, v.instance, indices);
    v.environment = resolver_environment(r, indices);
    v.environment.locals = locals;
    if (!check_instance(&v)) return false;
    if (!(expr_uses(r, list) & USES_INDEX) && !(expr_uses(r, request->selector) & USES_INDEX)) break;
  }
  return true;
}

bool visit_lists_check(struct resolver *r) {
  for (uint32_t k = 0; k < r->model->request_count; k++) {
    const struct model_request *request = r->model->requests[k];
    bool template = model_in_library(r->model, request->component->symbol->file);
    const struct expr *list = r->plans[k] && !template ? list_of(r, request) : NULL;
    if (list && !check_request(r, request, list)) return false;
  }
  return true;
}
