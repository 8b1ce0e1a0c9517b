/* `psl explain`: for each request where it stands, the accepts considered, clause by clause what each has,
 * the one taken, and the coercions put in.  Called by the command line. */
#include "evaluators/sequence.h"
#include "grammar/habits.h"
#include "interp/resolve/resolve.h"
#include "interp/check/check.h"

#include <stdlib.h>
#include <string.h>

enum {
  SHOWN = 12,  /* accepts of a request, */
  LOOKED = 200 /* and how many are looked at for them, those first that may match */
};

const char *quantifier_text(enum quantifier quantifier) {
  switch (quantifier) {
  case TARGET_ONE: return "";
  case TARGET_OPTIONAL: return "optional ";
  case TARGET_ANY: return "any ";
  case TARGET_EVERY: return "every ";
  }
  return "";
}

/* The next param behind *at that is asked for by that request; NULL: there is none. */
static const char *param_asked_by(const struct model_request *request, uint32_t *at) {
  const struct model_component *component = request->component;
  while (request->label && *at < component->question_count) {
    const struct model_question *question = &component->questions[(*at)++];
    if (question->callee == request->label) return question->param->name->text;
  }
  return NULL;
}

static bool asks_for(const struct model_request *request, const char *name) {
  uint32_t at = 0;
  const char *param = param_asked_by(request, &at);
  while (param && strcmp(param, name))
    param = param_asked_by(request, &at);
  return param;
}

static void put_head(struct text *out, struct resolver *r, const struct model_request *request) {
  text_printf(out, "%s", request->component->symbol->name->text);
  if (request->label) text_printf(out, ".%s", request->label->name->text);
  text_printf(out, " requests %s by %s (%s)\n", request->transaction->symbol->name->text,
              request->declared->symbol->decl->name.name->text, place_text(r, request->syntax->span));
  text_printf(out, "  selector: %s", quantifier_text(request->quantifier));
  if (request->by) text_printf(out, "by %s ", span_text(r, request->by->span));
  text_printf(out, "%s\n", span_text(r, request->syntax->selector_span));
  uint32_t at = 0;
  const char *before = "  it asks for: ";
  for (const char *param; (param = param_asked_by(request, &at)); before = ", ")
    text_printf(out, "%s%s", before, param);
  if (*before == ',') text_char(out, '\n');
  if (request->where) text_printf(out, "  where: %s\n", span_text(r, request->where->span));
}

static uint32_t count_bits(const uint8_t *bits, uint32_t count) {
  uint32_t set = 0;
  for (uint32_t k = 0; k < count; k++)
    set += bits[k / 8] >> k % 8 & 1;
  return set;
}

/* How many instances make the request; *example is the place of the first. */
static uint32_t count_present(const struct binding *binding, uint32_t count, uint32_t *example) {
  uint32_t present = count;
  *example = 0;
  if (binding->kind == BINDING_ABSENT && !binding->failures) return 0;
  if (binding->present) {
    present = count_bits(binding->present, count);
    while (*example < count && !(binding->present[*example / 8] >> *example % 8 & 1))
      ++*example;
  } else if (binding->kind == BINDING_TABLE) {
    present = 0;
    for (uint32_t k = count; k-- > 0;) {
      if (binding_target(binding, k) == INSTANCE_ABSENT) continue;
      present++;
      *example = k;
    }
  }
  return present;
}

/* The accept that instance k goes to; NULL: it makes no such request, or finds nobody. */
static const struct model_accept *accept_at(const struct resolver *r, const struct binding *binding, uint32_t k) {
  if (binding_target(binding, k) == INSTANCE_ABSENT || binding_target(binding, k) == INSTANCE_NONE) return NULL;
  return binding->accept ? binding->accept : r->model->accepts[binding->accepts[k]];
}

/* "cpu", "cpu[0] .. cpu[3]", or "cpu[0], .., cpu[2]" where they are in no order. */
static void put_ends(struct text *out, const struct graph *graph, uint32_t first, uint32_t last, bool ordered) {
  graph_instance_print(out, graph, first);
  if (last == first) return;
  text_put(out, ordered ? " .. " : ", .., ");
  graph_instance_print(out, graph, last);
}

/* Where instances go different ways: which of them go where, a line for each range. */
static void put_ways(struct text *out, struct resolver *r, const struct binding *binding, const struct instances *set) {
  enum { WAYS_SHOWN = 10 };
  uint32_t ways = 0;
  for (uint32_t k = 0, next; k < set->count; k = next) {
    const struct model_accept *accept = accept_at(r, binding, k);
    bool ordered = true, same = true;
    for (next = k + 1; next < set->count && accept_at(r, binding, next) == accept; next++) {
      ordered &= binding_target(binding, next) == binding_target(binding, k) + (next - k);
      same &= binding_target(binding, next) == binding_target(binding, k);
    }
    if (!accept || ++ways > WAYS_SHOWN) continue;
    text_put(out, "    ");
    put_ends(out, r->graph, set->first + k, set->first + next - 1, true);
    text_put(out, " -> ");
    put_ends(out, r->graph, binding_target(binding, k),
             same ? binding_target(binding, k) : binding_target(binding, next - 1), ordered);
    text_char(out, '\n');
  }
  if (ways > WAYS_SHOWN) text_printf(out, "    and %u more ranges\n", ways - WAYS_SHOWN);
}

/* Do instances go to different accepts? */
static bool parts_ways(const struct binding *binding, uint32_t count) {
  if (binding->kind != BINDING_TABLE || binding->accept) return false;
  uint32_t first = UINT32_MAX;
  for (uint32_t k = 0; k < count; k++) {
    if (binding_target(binding, k) == INSTANCE_ABSENT || binding_target(binding, k) == INSTANCE_NONE) continue;
    if (first == UINT32_MAX) first = binding->accepts[k];
    if (binding->accepts[k] != first) return true;
  }
  return false;
}

/* The first instance that goes to the accept; `other` where none does. */
static uint32_t one_who_goes(const struct resolver *r, const struct binding *binding, const struct instances *set,
                             const struct model_accept *accept, uint32_t other) {
  for (uint32_t k = 0; k < set->count; k++)
    if (accept_at(r, binding, k) == accept) return k;
  return other;
}

static void put_binding(struct text *out, struct resolver *r, const struct model_request *request,
                        const struct binding *binding, uint32_t present, uint32_t example) {
  const struct instances *set = &r->graph->instances[request->component->id];
  text_printf(out, "  instances: %u of %u make it", present, set->count);
  if (binding->failures) text_printf(out, "; %u have no target or several", binding->failures);
  if (binding->kind == BINDING_LATE) {
    text_printf(out, "; matched while the model runs: %s", binding->late_because);
    if (late_is_found(binding)) text_put(out, ", and the target is computed from it");
  } else if (parts_ways(binding, set->count)) {
    text_put(out, ":\n");
    put_ways(out, r, binding, set);
    return;
  } else if (present && !(binding->failures == present)) {
    struct text from = {.arena = r->arena}, to = {.arena = r->arena};
    uint32_t target = INSTANCE_NONE, count = 1;
    if (binding->kind == BINDING_SAME) target = binding->target.instance;
    if (binding->kind == BINDING_TABLE) target = binding_target(binding, example);
    if (binding->kind == BINDING_EVERY) {
      count = binding->starts[example + 1] - binding->starts[example];
      if (count) target = binding_target(binding, binding->starts[example]);
    }
    graph_instance_print(&from, r->graph, set->first + example);
    graph_instance_print(&to, r->graph, target);
    text_printf(out, "; %s -> %s", from.data, to.data);
    if (count > 1) text_printf(out, " and %u more", count - 1);
  }
  text_char(out, '\n');
}

/* The chain, and each of its rules. */
static void put_conversion(struct text *out, struct resolver *r, const char *what,
                           const struct conversion *conversion) {
  if (!conversion->count && !conversion->lossy) return;
  text_printf(out, "    coercion of %s: ", what);
  conversion_print(out, r, conversion);
  text_char(out, '\n');
  for (uint32_t k = 0; k < conversion->count; k++) {
    const struct model_coercion *rule = conversion->steps[k];
    text_printf(out, "      by %s, cost %g%s: ", place_text(r, rule->decl->span), rule->cost,
                rule->lossy ? ", lossy" : "");
    expr_format(out, rule->value);
    text_char(out, '\n');
  }
}

static void put_params(struct text *out, struct resolver *r, const struct model_transaction *transaction,
                       const struct conversion *params, const char *where) {
  for (uint32_t k = 0; params && k < transaction->param_count; k++)
    put_conversion(out, r, arena_printf(r->arena, "%s%s", transaction->params[k].name->text, where), &params[k]);
}

static void put_means(struct text *out, struct resolver *r, const struct means *means, const char *where) {
  for (uint32_t k = 0; k < means->count; k++)
    text_printf(out, "    coercion of %s in %s: the mean of a distribution, cost 0, lossy\n      at %s\n",
                span_text(r, means->items[k]->span), where, place_text(r, means->items[k]->span));
}

/* What a block converts, statement by statement. */
static void put_block(struct text *out, struct resolver *r, const struct adapter *adapter) {
  put_means(out, r, &adapter->means, "the block");
  for (uint32_t k = 0; k < adapter->statement_count; k++) {
    const struct adapted *at = &adapter->statements[k];
    const char *where = arena_printf(r->arena, " in '%s'", span_text(r, at->stmt->assign.value->span));
    if (at->params) put_params(out, r, at->stmt->assign.callee->transaction, at->params, where);
    put_conversion(out, r, arena_printf(r->arena, "the result '%s'", span_text(r, at->stmt->assign.value->span)),
                   &at->result);
  }
}

/* Of the interactions behind the first. */
static void put_steps(struct text *out, struct resolver *r, const struct adapter *adapter) {
  const struct model_protocol *of[2] = {adapter->request->declared, adapter->accept->declared};
  for (int side = 0; adapter->steps && side < 2; side++)
    for (uint32_t k = 1; k < of[side]->sequence->step_count; k++) {
      if (!adapter->steps->params[side][k]) continue;
      const struct model_transaction *from = of[side]->transactions[k];
      const struct model_transaction *to = of[!side]->transactions[adapter->steps->to[side][k]];
      const char *name = from->symbol->name->text, *other = to->symbol->name->text;
      bool same = from->symbol->name == to->symbol->name;
      const char *where =
          same ? arena_printf(r->arena, " of '%s'", name)
               : arena_printf(r->arena, " of '%s', which is '%s' of the %s", other, name, side ? "accept" : "request");
      put_params(out, r, to, adapter->steps->params[side][k], where);
    }
}

static void put_adapter(struct text *out, struct resolver *r, const struct adapter *adapter) {
  const struct model_coercion *rule = adapter->transaction;
  const struct model_transaction *transaction = rule ? rule->from_transaction : adapter->accept->transaction;
  if (rule)
    text_printf(out, "    coercion: %s -> %s by the block at %s, cost %g%s\n", transaction->symbol->name->text,
                rule->to_transaction->symbol->name->text, place_text(r, rule->decl->span), rule->cost,
                rule->lossy ? ", lossy" : "");
  put_params(out, r, transaction, adapter->params, "");
  put_block(out, r, adapter);
  put_conversion(out, r, "the result", &adapter->result);
  put_steps(out, r, adapter);
}

struct considered {
  struct model_accept *accept;
  struct adapter *adapter;
  const char *why; /* of transaction or protocol; NULL: they agree */
  uint32_t no;     /* clauses that are not met */
  bool taken;
};

/* `lines`: where the clauses go, a line each; what was there is overwritten. */
static struct considered consider(struct resolver *r, struct plan *plan, struct environment *requester,
                                  struct model_accept *accept, struct text *lines) {
  struct considered c = {.accept = accept};
  struct text one = {.arena = r->arena};
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(plan->request->selector, list, SELECTOR_CONJUNCTS);
  lines->size = 0;
  for (uint32_t k = 0; k < count; k++) {
    one.size = 0;
    enum verdict verdict = conjunct_explain(r, requester, accept, list[k], &one);
    if (!one.size) text_printf(&one, "%s depends on the instance", span_text(r, list[k]->span));
    c.no += verdict == VERDICT_NO;
    text_printf(lines, "    %-3s %s\n",
                verdict == VERDICT_NO    ? "no"
                : verdict == VERDICT_YES ? "yes"
                                         : "may",
                one.data);
  }
  plan_considers(r, plan->request, accept, &c.adapter, &c.why);
  if (c.why) text_printf(lines, "    no  %s\n", c.why);
  for (uint32_t k = 0; k < plan->count; k++)
    c.taken |= plan->candidates[k].accept == accept;
  return c;
}

static int considered_order(const void *left, const void *right) {
  const struct considered *a = left, *b = right;
  if (a->taken != b->taken) return a->taken ? -1 : 1;
  uint32_t x = a->no + (a->why != NULL), y = b->no + (b->why != NULL);
  if (x != y) return x < y ? -1 : 1;
  return a->accept->id < b->accept->id ? -1 : a->accept->id > b->accept->id;
}

/* A candidate of the static part may yet be met by no instance, or not by the example. */
static const char *verdict_text(const struct considered *c, const struct binding *binding) {
  if (!c->taken) return "refused";
  if (c->no) return "no instance for the example";
  return binding->kind == BINDING_LATE || binding->failures ? "candidate" : "taken";
}

/* The accepts that come near a request, one request after the other. */
struct look {
  struct resolver *r;
  struct plan *plan;
  struct environment *requester; /* an instance that makes it; NULL: none does */
  struct considered *near;
  uint32_t count, other;  /* near ones; those that would match but for the transaction */
  uint32_t looked, total; /* of so many */
  uint32_t *seen;         /* by accept: the number of the request that it was last looked at for */
  const bool *template;   /* resolver_templates */
  struct text lines;
};

static void look_at(struct look *look, struct model_accept *accept) {
  struct model_request *request = look->plan->request;
  if (accept->component->system || look->seen[accept->id] == request->id + 1) return;
  look->seen[accept->id] = request->id + 1;
  look->looked++;
  struct considered c = consider(look->r, look->plan, look->requester, accept, &look->lines);
  const struct model_transaction *ours = request->transaction, *theirs = accept->transaction;
  bool same = ours && theirs && ours->symbol == theirs->symbol, apart = transaction_apart(look->r, request, accept);
  bool others = !c.no && c.why && !same && !apart;
  if (look->template[accept->component->id] && !c.taken) return;
  look->other += others;
  if (!others && (c.taken || same || apart || (!c.why && c.no <= 1))) look->near[look->count++] = c;
}

/* Those that are taken, those that may match, and then others for as long as they are not too many. */
static void look_around(struct look *look) {
  struct resolver *r = look->r;
  struct provider_walk walk = providers_open(r, look->plan->request);
  uint32_t id;
  look->count = look->other = look->looked = 0;
  for (uint32_t k = 0; k < look->plan->count && look->looked < LOOKED; k++)
    look_at(look, look->plan->candidates[k].accept);
  while (look->looked < LOOKED && providers_next(&walk, &id))
    look_at(look, r->model->accepts[id]);
  for (uint32_t k = 0; k < r->model->accept_count && look->looked < LOOKED; k++)
    look_at(look, r->model->accepts[k]);
  qsort(look->near, look->count, sizeof *look->near, considered_order);
}

static uint32_t accepts_of_components(const struct model *model) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < model->accept_count; k++)
    count += !model->accepts[k]->component->system;
  return count;
}

/* Where the model has candidates of its own, those of the library are named alone: most are there to be made others
 * of. */
static bool is_aside(const struct look *look, const struct considered *c) {
  const struct model *model = look->r->model;
  if (look->r->graph->bindings[look->plan->request->id].kind != BINDING_LATE || !c->taken) return false;
  if (!model_in_library(model, c->accept->component->symbol->file)) return false;
  for (uint32_t k = 0; k < look->count; k++)
    if (look->near[k].taken && !model_in_library(model, look->near[k].accept->component->symbol->file)) return true;
  return false;
}

static void explain_request(struct text *out, struct look *look) {
  struct resolver *r = look->r;
  const struct model_request *request = look->plan->request;
  const struct binding *binding = &r->graph->bindings[request->id];
  const struct instances *set = &r->graph->instances[request->component->id];
  uint32_t example, present = count_present(binding, set->count, &example);
  int64_t *indices = ARENA_ARRAY(r->arena, int64_t, r->max_indices);
  if (example < set->count) graph_indices(r->graph, set->first + example, indices);
  struct environment environment = resolver_environment(r, indices);
  look->requester = present ? &environment : NULL;
  put_head(out, r, request);
  put_binding(out, r, request, binding, present, example);
  if (binding->accept) channels_explain(out, r, request, binding->accept);
  if (look->plan->impossible)
    look->count = look->other = 0;
  else
    look_around(look);
  bool parted = parts_ways(binding, set->count);
  struct text aside = {.arena = r->arena};
  uint32_t shown = 0, k = 0;
  for (; k < look->count && shown < SHOWN; k++) {
    if (is_aside(look, &look->near[k])) {
      text_printf(&aside, "%s%s", aside.size ? ", " : "", look->near[k].accept->component->symbol->name->text);
      continue;
    }
    shown++;
    uint32_t one = parted ? one_who_goes(r, binding, set, look->near[k].accept, example) : example;
    if (parted) graph_indices(r->graph, set->first + one, indices);
    struct considered c = consider(r, look->plan, look->requester, look->near[k].accept, &look->lines);
    text_printf(out, "  %s: %s (%s)\n%s", verdict_text(&c, binding), c.accept->component->symbol->name->text,
                place_text(r, c.accept->syntax->span), look->lines.size ? look->lines.data : "");
    if (c.adapter) put_adapter(out, r, c.adapter);
    if (c.taken) put_means(out, r, means_of(r, c.accept), "its body");
    if (c.taken) put_lookahead(out, r, c.accept);
  }
  if (aside.size) text_printf(out, "  candidates of the library, too: %s\n", aside.data);
  if (look->other)
    text_printf(out, "  refused: %u accept%s that would match but for the transaction\n", look->other,
                look->other == 1 ? "" : "s");
  if (!look->count && !look->other) text_put(out, "  no component in scope comes near\n");
  if (k < look->count) text_printf(out, "  and %u more refused\n", look->count - k);
  if (look->looked == LOOKED && look->total > LOOKED)
    text_printf(out, "  not looked at: %u other accepts\n", look->total - LOOKED);
  text_char(out, '\n');
}

static bool is_named(const struct model_request *request, const char *name, uint32_t place) {
  if (!name) return true;
  if (request->label && !strcmp(request->label->name->text, name)) return true;
  if (asks_for(request, name)) return true;
  if (!strcmp(request->transaction->symbol->name->text, name)) return true;
  return strspn(name, "0123456789") == strlen(name) && strtoul(name, NULL, 10) == place;
}

/* Help, where the component makes a request of a name that is near. */
static void request_meant(struct resolver *r, const char *component, const char *request) {
  const char **names = NULL;
  uint32_t count = 0, capacity = 0;
  struct text made_text = {.arena = r->arena};
  for (uint32_t k = 0; k < r->model->component_count; k++) {
    const struct model_component *each = r->model->components[k];
    for (uint32_t q = 0; q < each->request_count && !strcmp(component, each->symbol->name->text); q++) {
      const struct model_request *made = each->requests[q];
      if (!r->plans[made->id]) continue;
      text_printf(&made_text, "%s%s", count ? ", " : "",
                  made->label ? made->label->name->text : made->transaction->symbol->name->text);
      if (made->label) ARENA_PUSH(r->arena, names, count, capacity, made->label->name->text);
      ARENA_PUSH(r->arena, names, count, capacity, made->transaction->symbol->name->text);
    }
    for (uint32_t q = 0; q < each->question_count && !strcmp(component, each->symbol->name->text); q++)
      ARENA_PUSH(r->arena, names, count, capacity, each->questions[q].param->name->text);
  }
  const char *near = nearest_name(request, names, count);
  if (near)
    diagnostic_help(r->model->diagnostics, (struct span){0}, "did you mean '%s'?", near);
  else if (made_text.size)
    diagnostic_help(r->model->diagnostics, (struct span){0}, "it makes %s", made_text.data);
}

/* Help, where a component makes a request of that name. */
static void requester_meant(struct resolver *r, const char *request) {
  for (uint32_t i = 0; i < r->model->request_count; i++) {
    const struct model_request *made = r->model->requests[i];
    if (!r->plans[made->id] || !made->label || strcmp(made->label->name->text, request)) continue;
    diagnostic_help(r->model->diagnostics, (struct span){0, 0}, "did you mean '%s.%s'?",
                    made->component->symbol->name->text, request);
    return;
  }
}

/* A figure of a report has no request to explain. */
static bool figure_meant(struct resolver *r, const char *name) {
  const char *help = habit_help(HABIT_REQUEST, name, strlen(name));
  if (help) diagnostic_help(r->model->diagnostics, (struct span){0, 0}, "%s", help);
  return help;
}

/* Nothing was printed: is a name wrong, or is it that nothing reaches it? */
static bool nothing_found(struct resolver *r, const char *component, const char *request) {
  struct diagnostics *d = r->model->diagnostics;
  const char **names = ARENA_ARRAY(r->arena, const char *, r->model->component_count);
  bool known = false;
  for (uint32_t k = 0; k < r->model->component_count; k++) {
    names[k] = r->model->components[k]->symbol->name->text;
    known |= component && !strcmp(names[k], component);
  }
  if (!component || (known && !request)) return true;
  if (known) {
    diagnostic_misuse(d, "'%s' makes no request '%s' that the system reaches", component, request);
    if (!figure_meant(r, request)) request_meant(r, component, request);
    return false;
  }
  diagnostic_misuse(d, "there is no component '%s'", component);
  const char *bracket = strchr(component, '[');
  for (uint32_t k = 0; bracket && k < r->model->component_count; k++) {
    if (strlen(names[k]) != (size_t)(bracket - component) || strncmp(names[k], component, strlen(names[k]))) continue;
    diagnostic_help(d, (struct span){0, 0}, "requests are explained for all instances together: %s%s%s", names[k],
                    request ? "." : "", request ? request : "");
    return false;
  }
  const char *near = nearest_name(component, names, r->model->component_count);
  if (near)
    diagnostic_help(d, (struct span){0, 0}, "did you mean '%s'?", near);
  else if (!figure_meant(r, request ? request : component))
    requester_meant(r, component);
  return false;
}

/* Params that functions of evaluators answer. */
static bool explain_calls(struct text *out, struct resolver *r, const struct model_component *component,
                          const char *name) {
  bool found = false;
  for (uint32_t q = 0; q < component->question_count; q++) {
    const struct model_question *question = &component->questions[q];
    if (question->callee->kind != SYMBOL_EVALUATOR_FUNCTION || !r->reached[component->id]) continue;
    if (name && strcmp(question->param->name->text, name)) continue;
    text_printf(out, "%s.%s is asked of %s.%s (%s)\n\n", component->symbol->name->text, question->param->name->text,
                question->callee->evaluator_of->name, question->callee->name->text,
                place_text(r, question->param->decl->value.value->span));
    found = true;
  }
  return found;
}

/* Who may ask a component that asks nobody. */
static void explain_asked(struct text *out, struct resolver *r, const struct model_component *component) {
  uint32_t count = 0;
  text_printf(out, "%s makes no request", component->symbol->name->text);
  for (uint32_t q = 0; q < r->model->request_count; q++) {
    const struct model_request *made = r->model->requests[q];
    const struct plan *plan = r->plans[made->id];
    bool asks = false;
    for (uint32_t k = 0; plan && k < plan->count; k++)
      asks |= plan->candidates[k].accept->component == component;
    if (!asks) continue;
    const struct symbol *name = made->label ? made->label : made->transaction->symbol;
    text_printf(out, "%s%s.%s", count++ ? ", " : "; those that it may take: ", made->component->symbol->name->text,
                name->name->text);
  }
  text_char(out, '\n');
}

bool explain(struct text *out, struct graph *graph, const char *component, const char *request) {
  struct resolver *r = graph->resolver;
  struct look look = {.r = r, .total = accepts_of_components(r->model), .lines = {.arena = r->arena}};
  look.near = ARENA_ARRAY(r->arena, struct considered, r->model->accept_count);
  look.seen = ARENA_ARRAY(r->arena, uint32_t, r->model->accept_count);
  look.template = resolver_templates(r);
  bool found = false;
  for (uint32_t k = 0; k < r->model->component_count; k++) {
    const struct model_component *each = r->model->components[k];
    if (component && strcmp(each->symbol->name->text, component)) continue;
    for (uint32_t q = 0; q < each->request_count; q++) {
      struct plan *plan = r->plans[each->requests[q]->id];
      if (!plan || !is_named(each->requests[q], request, q + 1)) continue;
      look.plan = plan;
      explain_request(out, &look);
      found = true;
    }
    found |= explain_calls(out, r, each, request);
    if (component && !request && !found && r->reached[k])
      explain_asked(out, r, each);
    else if (component && !request && !found)
      text_printf(out, "the system does not reach %s\n", component);
  }
  return found || nothing_found(r, component, request);
}
