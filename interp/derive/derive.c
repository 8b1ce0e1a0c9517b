/* Which bodies are derived, and what is known of the names in them.  Called by interp/library/derived.c. */
#include "interp/derive/derive.h"
#include "interp/check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct part_words part_words[COST_PARTS] = {
    [COST_COMPUTE] = {"compute", "compute", "compute"},
    [COST_MEMORY] = {"memory", "memory", "memory"},
    [COST_STORAGE] = {"input and output", "input-output", "I/O"},
    [COST_COMMUNICATION] = {"communication", "communication", "communication"},
};

/* ---- bodies ---- */

struct roots {
  struct derive *d;
  bool *listed;
  struct local **given;                /* by accept: what its parameters are, by the one request that starts it */
  bool *several;                       /* by accept: more than once, or later, or some of them */
  const struct model_request **by;     /* that one */
  const struct model_request *request; /* in hand, and what its own names mean */
  struct local *locals;
  const struct model_accept **items;
  uint32_t count, capacity;
  uint32_t first_count; /* of those that the system itself starts */
};

static bool is_application(struct derive *d, const struct model_accept *accept) {
  struct value domain;
  if (model_owns(d->r->model, accept->component->symbol->file)) return true;
  return resolver_constant(d->r, accept, KNOWN_DOMAIN, &domain) && domain.kind == VALUE_TERM &&
         !strcmp(name_id(d->r, domain.term.head)->text, "application");
}

/* What the request gives for the parameters, as far as that is the same for all who make it. */
static void give(struct roots *roots, const struct model_accept *accept) {
  struct derive *d = roots->d;
  const struct model_request *request = roots->request;
  struct scope scope = {.locals = roots->locals};
  struct scope own = {0};
  if (roots->by[accept->id]) {
    if (roots->by[accept->id] == request) return;
    roots->given[accept->id] = NULL;
    roots->several[accept->id] = true;
    return;
  }
  roots->by[accept->id] = request;
  roots->several[accept->id] = request->visits || request->delay || request->quantifier == TARGET_ANY;
  for (uint32_t k = 0;
       k < accept->param_count && !request->label && !adapter_of(&d->r->graph->bindings[request->id], accept); k++) {
    uint32_t at = accept->param_of[k];
    struct meaning known;
    const struct expr *given = request->transaction == accept->transaction ? request->args[at] : NULL;
    if (given && derive_value(d, &scope, given, &known)) derive_bind(d, &own, accept->params[k], known);
  }
  roots->given[accept->id] = own.locals;
}

static void add_root(struct roots *roots, const struct model_accept *accept) {
  if (is_application(roots->d, accept)) give(roots, accept);
  if (roots->listed[accept->id] || !is_application(roots->d, accept)) return;
  roots->listed[accept->id] = true;
  ARENA_PUSH(roots->d->arena, roots->items, roots->count, roots->capacity, accept);
}

static void add_targets(struct roots *roots, const struct model_request *request) {
  struct graph *graph = roots->d->r->graph;
  const struct binding *binding = &graph->bindings[request->id];
  const struct plan *plan = roots->d->r->plans[request->id];
  const struct model *model = roots->d->r->model;
  uint32_t count = graph->instances[request->component->id].count;
  roots->request = request;
  if (binding->kind == BINDING_LATE) {
    for (uint32_t k = 0; plan && k < plan->count; k++)
      add_root(roots, plan->candidates[k].accept);
  } else if (binding->kind == BINDING_SAME) {
    if (binding->target.instance < graph->instance_count) add_root(roots, model->accepts[binding->target.accept]);
  } else if (binding->kind == BINDING_TABLE || binding->kind == BINDING_EVERY) {
    uint32_t targets = binding->kind == BINDING_EVERY ? binding->starts[count] : count;
    for (uint32_t k = 0; k < targets; k++)
      if (binding_target(binding, k) < graph->instance_count)
        add_root(roots, binding->accept ? binding->accept : model->accepts[binding->accepts[k]]);
  }
}

/* Those that are started, not called: by tokens, or by who has no body and waits for all. */
static void list_roots(struct roots *roots, struct model_component *system) {
  const struct model *model = roots->d->r->model;
  for (uint32_t k = 0; k < system->request_count; k++)
    add_targets(roots, system->requests[k]);
  roots->first_count = roots->count;
  for (uint32_t k = 0; k < roots->count; k++) {
    const struct model_accept *accept = roots->items[k];
    for (uint32_t r = 0; r < model->request_count; r++) {
      const struct model_request *request = model->requests[r];
      if (request->component != accept->component || !accept_makes(accept, request)) continue;
      roots->locals = roots->given[accept->id];
      if (!request->label || request->protocol == PROTOCOL_DATAFLOW) add_targets(roots, request);
    }
  }
}

/* ---- indices ---- */

static const char *set_text(struct derive *d, const struct model_component *component) {
  struct text text = {.arena = d->arena};
  if (component->outer) {
    const char *outer = set_text(d, component->outer);
    if (outer) text_put(&text, outer);
  }
  if (component->set) {
    if (text.size) text_put(&text, " and ");
    expr_format(&text, component->set);
  }
  return text.data;
}

/* Between which an index lies, from `low <= index < high` and the like; false: the set is not one of these alone. */
static bool bound_by(struct derive *d, struct derived *item, struct scope *scope, const struct expr *set) {
  if (set->kind == EXPR_BINARY && set->binary.op == OP_AND)
    return bound_by(d, item, scope, set->binary.left) && bound_by(d, item, scope, set->binary.right);
  if (set->kind != EXPR_COMPARE || set->compare.count > 3) return false;
  for (uint32_t k = 0; k < set->compare.count; k++) {
    const struct symbol *symbol = expr_symbol(set->compare.operands[k]);
    if (!symbol || symbol->kind != SYMBOL_INDEX || symbol->slot >= item->index_count) continue;
    for (uint32_t side = 0; side < 2; side++) {
      if (side ? k + 1 >= set->compare.count : !k) continue;
      enum operator op = set->compare.ops[side ? k : k - 1];
      const struct poly *bound;
      if ((op != OP_LE && op != OP_LT) || !derive_number(d, scope, set->compare.operands[side ? k + 1 : k - 1], &bound))
        return false;
      if (op == OP_LT) bound = side ? poly_minus(d->al, bound, d->al->one) : poly_plus(d->al, bound, d->al->one);
      const struct poly **where = side ? &item->highs[symbol->slot] : &item->lows[symbol->slot];
      if (*where) return false;
      for (uint32_t i = 0; i < item->index_count; i++)
        if (poly_reads(bound, item->indices[i])) return false;
      *where = bound;
    }
    return set->compare.count == 2 || k == 1;
  }
  return false;
}

static void bound_indices(struct derive *d, struct derived *item, const struct meaning *indices) {
  struct scope scope = {.indices = indices, .index_count = item->index_count};
  bool fine = true;
  item->lows = ARENA_ARRAY(d->arena, const struct poly *, item->index_count + 1);
  item->highs = ARENA_ARRAY(d->arena, const struct poly *, item->index_count + 1);
  for (const struct model_component *c = item->accept->component; c; c = c->outer)
    fine &= !c->set || bound_by(d, item, &scope, c->set);
  for (uint32_t k = 0; k < item->index_count; k++)
    fine &= item->lows[k] && item->highs[k];
  d->why = NULL;
  item->bounded = fine;
}

static const char *instance_name(struct derive *d, const struct derived *item, bool values) {
  const struct model_component *component = item->accept->component;
  struct text text = {.arena = d->arena};
  text_put(&text, component->symbol->name->text);
  for (uint32_t k = 0; k < component->index_count; k++) {
    text_put(&text, k ? ", " : "[");
    if (values)
      text_printf(&text, "%lld", (long long)item->values[k]);
    else
      text_put(&text, component->indices[k]->name->text);
  }
  if (component->index_count) text_put(&text, "]");
  return text.data;
}

/* What an index may be: all values of the set as it is now do not count, for the params are free. */
static void name_indices(struct derive *d, struct derived *item, struct meaning *indices) {
  const struct model_component *component = item->accept->component;
  item->indices = ARENA_ARRAY(d->arena, const struct atom *, item->index_count + 1);
  for (uint32_t k = 0; k < item->index_count; k++) {
    item->indices[k] = atom_name(d->al, component->indices[k]->name->text, component->indices[k], true,
                                 (struct dimension){{0}}, -INFINITY, INFINITY);
    indices[k] = (struct meaning){.kind = MEANING_NUMBER, .whole = true, .poly = poly_atom(d->al, item->indices[k])};
  }
  struct scope scope = {.indices = indices, .index_count = item->index_count};
  for (const struct model_component *c = component; c; c = c->outer)
    if (c->set) derive_assume(d, &scope, c->set);
  bound_indices(d, item, indices);
}

/* Does the process that was asked for name this body, or one of its instances? */
static bool is_asked(struct derive *d, struct derived *item, const char *process) {
  struct graph *graph = d->out->graph;
  const struct instances *set = &graph->instances[item->accept->component->id];
  if (!process || !strcmp(process, item->accept->component->symbol->name->text)) return true;
  int64_t *indices = ARENA_ARRAY(d->arena, int64_t, item->index_count + 1);
  for (uint32_t k = 0; k < set->count; k++) {
    struct text text = {.arena = d->arena};
    graph_instance_print(&text, graph, set->first + k);
    if (strcmp(text.data, process)) continue;
    graph_indices(graph, set->first + k, indices);
    item->values = indices;
    return true;
  }
  return false;
}

static void tidy(struct derive *d, struct costs *costs) {
  for (int k = 0; k < COST_PARTS; k++)
    costs->part[k] = poly_tidied(d->al, costs->part[k]);
  costs->times = poly_tidied(d->al, costs->times);
}

/* ---- params that are left ---- */

static void list_params(struct derive *d) {
  struct derivation *out = d->out;
  const struct model *model = d->r->model;
  out->param_count = 0;
  out->params = ARENA_ARRAY(d->arena, const struct symbol *, model->param_count + 1);
  out->atoms = ARENA_ARRAY(d->arena, const struct atom *, model->param_count + 1);
  for (uint32_t p = 0; p < model->param_count; p++) {
    const struct atom *atom = derive_param(d, model->params[p]);
    bool reads = false;
    for (uint32_t k = 0; atom && k < out->count && !reads; k++) {
      const struct derived *item = out->items[k];
      for (int part = 0; part < COST_PARTS; part++)
        reads = reads || poly_reads(item->costs.part[part], atom) ||
                (item->each.times && item->each.part[0] && poly_reads(item->each.part[part], atom));
      reads = reads || poly_reads(item->costs.times, atom) || (item->whole && poly_reads(item->whole, atom));
    }
    if (!reads) continue;
    out->params[out->param_count] = model->params[p];
    out->atoms[out->param_count++] = atom;
  }
}

/* ---- decided by values ---- */

enum { HALVED_TO_DECIDE = 7, UNTRIED = 2 };

struct deciding {
  struct derive *d;
  struct derived *item;
  struct settings settings;
  struct interval *at;                       /* the same settings */
  uint32_t ranges[RANGES_MOST], range_count; /* the atoms' ids */
  signed char *known;                        /* by atom, what was decided; UNTRIED: nothing yet */
  uint32_t known_count;
};

static void forget_decided(struct deciding *by) {
  by->known_count = by->d->al->atom_count + 1;
  by->known = ARENA_ARRAY(by->d->arena, signed char, by->known_count);
  memset(by->known, UNTRIED, by->known_count);
}

/* 1: a comparison holds, or a number is never negative; 0: it does not, or is never positive; -1: neither is seen.
 * Where a range is too wide to see it, its halves may agree. */
static int decided_in(struct deciding *by, const struct poly *of, bool compares, int halvings) {
  by->settings.failed = false;
  struct interval value = poly_interval(&by->settings, of);
  uint32_t widest = 0;
  double most = 0;
  if (by->settings.failed) return -1;
  if (compares && value.low == value.high) return value.low == 1;
  if (!compares && value.low >= 0) return 1;
  if (!compares && value.high <= 0) return 0;
  for (uint32_t k = 0; k < by->range_count; k++) {
    struct interval at = by->at[by->ranges[k]];
    double width = (at.high - at.low) / (fabs(at.high) + fabs(at.low) + 1e-300);
    if (width > most) most = width, widest = by->ranges[k];
  }
  if (!halvings || !widest) return -1;
  struct interval before = by->at[widest];
  double middle = before.low + (before.high - before.low) / 2;
  by->at[widest] = (struct interval){before.low, middle};
  int first = decided_in(by, of, compares, halvings - 1);
  by->at[widest] = (struct interval){middle, before.high};
  int second = first < 0 ? -1 : decided_in(by, of, compares, halvings - 1);
  by->at[widest] = before;
  return first == second ? first : -1;
}

/* The same for all instances. */
static int decided_for_all(struct deciding *by, const struct poly *of, bool compares) {
  const struct derived *item = by->item;
  const struct graph *graph = by->d->out->graph;
  const struct instances *set = &graph->instances[item->accept->component->id];
  int64_t *values = ARENA_ARRAY(by->d->arena, int64_t, item->index_count + 1);
  int all = UNTRIED;
  bool reads = false;
  for (uint32_t k = 0; item->indices && k < item->index_count; k++)
    reads |= poly_reads(of, item->indices[k]);
  if (!reads) return decided_in(by, of, compares, HALVED_TO_DECIDE);
  for (uint32_t i = 0; i < set->count && all >= 0; i++) {
    graph_indices(graph, set->first + i, values);
    for (uint32_t k = 0; k < item->index_count; k++)
      by->at[item->indices[k]->id] = (struct interval){(double)values[k], (double)values[k]};
    int one = decided_in(by, of, compares, HALVED_TO_DECIDE);
    all = all == UNTRIED || all == one ? one : -1;
  }
  for (uint32_t k = 0; k < item->index_count; k++)
    by->at[item->indices[k]->id] = (struct interval){NAN, NAN};
  return all == UNTRIED ? -1 : all;
}

static int decided_once(struct deciding *by, const struct atom *atom, const struct poly *of, bool compares) {
  if (atom->id >= by->known_count) return decided_for_all(by, of, compares);
  if (by->known[atom->id] == UNTRIED) by->known[atom->id] = (signed char)decided_for_all(by, of, compares);
  return by->known[atom->id];
}

/* By what lies in the params' values, whatever indices and variables of loops have: these lie in their ranges. */
static const struct poly *decided(void *user, const struct atom *atom) {
  struct deciding *by = user;
  struct algebra *al = by->d->al;
  bool compares = atom->kind == ATOM_NOT_LESS || atom->kind == ATOM_ZERO;
  bool extreme = atom->kind == ATOM_MAX || atom->kind == ATOM_MIN;
  struct text text = {.arena = by->d->arena};
  if (atom->kind == ATOM_SUM || atom->kind == ATOM_MOST) { /* what its variable has there, for what is in it */
    struct atom *variable = (struct atom *)atom->variable;
    struct interval before = {variable->low, variable->high};
    const struct poly *low = poly_mapped(al, atom->args[0], decided, by);
    const struct poly *high = poly_mapped(al, atom->args[1], decided, by);
    variable->low = fmax(before.low, poly_interval(&by->settings, low).low);
    variable->high = fmax(variable->low, fmin(before.high, poly_interval(&by->settings, high).high));
    struct deciding outside = *by;
    forget_decided(by); /* what reads the variable is another thing here */
    const struct poly *body = poly_mapped(al, atom->args[2], decided, by);
    by->known = outside.known;
    by->known_count = outside.known_count;
    variable->low = before.low;
    variable->high = before.high;
    return atom->kind == ATOM_SUM ? poly_sum(al, variable, low, high, body) : poly_most(al, variable, low, high, body);
  }
  if (!compares && !extreme) return NULL;
  const struct poly *of = compares ? poly_atom(al, atom) : poly_minus(al, atom->args[0], atom->args[1]);
  int holds = decided_once(by, atom, of, compares);
  if (holds < 0) return NULL;
  if (compares) {
    atom_write_comparison(&text, al, atom, holds);
    derive_note(by->d, (struct span){0}, false, text.data);
    return holds ? al->one : al->zero;
  }
  poly_write_comparison(&text, al, holds ? of : poly_minus(al, al->zero, of), true);
  derive_note(by->d, (struct span){0}, false, text.data);
  return atom->args[holds == (atom->kind == ATOM_MAX) ? 0 : 1];
}

static void decide_costs(struct deciding *by, struct costs *costs) {
  for (int k = 0; k < COST_PARTS; k++)
    costs->part[k] = poly_mapped(by->d->al, costs->part[k], decided, by);
  costs->times = poly_mapped(by->d->al, costs->times, decided, by);
}

static void derive_decide(struct derive *d) {
  list_params(d);
  for (uint32_t k = 0; k < d->out->count; k++) {
    struct derived *item = d->out->items[k];
    struct deciding by = {.d = d, .item = item, .settings = derived_settings(d->out, item, NULL)};
    if (!by.settings.at) continue;
    by.at = (struct interval *)by.settings.at;
    for (uint32_t r = 0; r < d->options->range_count; r++) {
      const struct derived_range *range = &d->options->ranges[r];
      const struct atom *atom = derive_param(d, range->param);
      if (!atom) continue;
      by.at[atom->id] = (struct interval){range->low, range->high};
      by.ranges[by.range_count++] = atom->id;
    }
    forget_decided(&by);
    d->item = item;
    decide_costs(&by, &item->costs);
    if (item->whole) item->whole = poly_mapped(d->al, item->whole, decided, &by);
    if (item->each.times && item->each.part[0]) decide_costs(&by, &item->each);
  }
}

static bool is_nothing(const struct derived *item) {
  for (int k = 0; k < COST_PARTS; k++)
    if (item->costs.part[k]->count) return false;
  return !item->note_count && !item->costs.times->count;
}

/* Those that nobody gives are names of their own, if they are numbers. */
static struct local *parameters_of(struct derive *d, struct derived *item, struct local *given) {
  const struct model_accept *accept = item->accept;
  struct scope scope = {.locals = given};
  item->formals = ARENA_ARRAY(d->arena, const struct atom *, accept->param_count + 1);
  for (uint32_t k = 0; k < accept->param_count; k++) {
    const struct symbol *symbol = accept->params[k];
    bool there = false;
    for (const struct local *local = given; local; local = local->next)
      there |= local->symbol == symbol;
    const struct type *type = accept->transaction->params[accept->param_of[k]].type;
    if (there || !type || (type->kind != TYPE_INT && type->kind != TYPE_REAL)) continue;
    bool whole = type->kind == TYPE_INT;
    const struct atom *atom =
        atom_name(d->al, symbol->name->text, symbol, whole, type_dimension(type), -INFINITY, INFINITY);
    item->formals[item->formal_count++] = atom;
    derive_bind(d, &scope, symbol,
                (struct meaning){.kind = MEANING_NUMBER, .whole = whole, .poly = poly_atom(d->al, atom)});
  }
  return scope.locals;
}

static void derive_item(struct derive *d, const struct model_accept *accept, bool at_once, struct local *given) {
  struct derived *item = ARENA_NEW(d->arena, struct derived);
  *item = (struct derived){.accept = accept, .index_count = accept->component->index_count, .at_once = at_once};
  if (!is_asked(d, item, d->options->process)) return;
  struct meaning *indices = ARENA_ARRAY(d->arena, struct meaning, item->index_count + 1);
  uint32_t known = d->al->known_count;
  for (uint32_t k = 0; item->values && k < item->index_count; k++)
    indices[k] = (struct meaning){.kind = MEANING_NUMBER, .whole = true, .poly = poly_whole(d->al, item->values[k])};
  if (!item->values) name_indices(d, item, indices);
  item->name = instance_name(d, item, item->values);
  item->where = item->values || !item->index_count ? NULL : set_text(d, accept->component);
  item->costs.times = d->al->zero;
  for (int k = 0; k < COST_PARTS; k++)
    item->costs.part[k] = d->al->zero;
  derive_body(d, item, indices, parameters_of(d, item, given));
  tidy(d, &item->costs);
  if (item->each.times && item->each.part[0]) tidy(d, &item->each);
  if (item->whole) item->whole = poly_tidied(d->al, item->whole);
  d->al->known_count = known;
  bool wanted = d->options->process && (item->values || accept->body);
  if (wanted || !is_nothing(item))
    ARENA_PUSH(d->arena, d->out->items, d->out->count, d->out->capacity, item);
  else if (accept->body)
    ARENA_PUSH(d->arena, d->idle, d->idle_count, d->idle_capacity, item);
}

/* ---- names that are not there ---- */

static void refuse_process(struct derive *d, const struct roots *roots, const char *process) {
  const char **names = ARENA_ARRAY(d->arena, const char *, roots->count + 1);
  for (uint32_t k = 0; k < roots->count; k++)
    names[k] = roots->items[k]->component->symbol->name->text;
  diagnostic_misuse(d->r->model->diagnostics, "nothing that the system starts is called '%s'", process);
  const char *near = nearest_name(process, names, roots->count);
  if (near) diagnostic_help(d->r->model->diagnostics, (struct span){0}, "did you mean '%s'?", near);
}

/* Is the section there, but in a part that cannot be derived? */
static bool refuse_left_out(struct derive *d) {
  struct diagnostics *diagnostics = d->r->model->diagnostics;
  for (uint32_t k = 0; k < d->out->count; k++) {
    const struct derive_note *note;
    const struct stmt *stmt = derive_left_out_section(d, d->out->items[k], &note);
    if (!stmt) continue;
    diagnostic_add(diagnostics, SEVERITY_ERROR, stmt->span, "the section %s is in a part that cannot be derived",
                   d->out->section);
    diagnostic_help(diagnostics, note->span, "%s", note->text);
    return true;
  }
  return false;
}

static void refuse_section(struct derive *d, const struct roots *roots) {
  const char **names = NULL;
  if (refuse_left_out(d)) return;
  uint32_t count = 0, capacity = 0;
  const struct model *model = d->r->model;
  for (uint32_t r = 0; r < model->request_count; r++)
    for (uint32_t k = 0; k < roots->count && model->requests[r]->label; k++)
      if (model->requests[r]->component == roots->items[k]->component) {
        ARENA_PUSH(d->arena, names, count, capacity, model->requests[r]->label->name->text);
        break;
      }
  diagnostic_misuse(model->diagnostics,
                    d->section_line ? "no statement of what is derived begins at line %s"
                                    : "no body that is derived calls a request '%s'",
                    d->out->section);
  const char *near = d->section_line ? NULL : nearest_name(d->out->section, names, count);
  if (near && strcmp(near, d->out->section))
    diagnostic_help(model->diagnostics, (struct span){0}, "did you mean '%s'?", near);
}

struct derivation *derive(struct graph *graph, struct arena *arena, const struct derive_options *options) {
  struct derivation *out = ARENA_NEW(arena, struct derivation);
  struct model *model = graph->model;
  *out = (struct derivation){.arena = arena, .graph = graph, .section = options->section};
  algebra_open(&out->al, arena, &model->types);
  struct derive *d = ARENA_NEW(arena, struct derive);
  *d = (struct derive){.out = out, .al = &out->al, .r = graph->resolver, .arena = arena, .options = options};
  if (options->section && strspn(options->section, "0123456789") == strlen(options->section))
    d->section_line = (uint32_t)strtoul(options->section, NULL, 10);
  struct scope none = {0};
  for (uint32_t k = 0; k < model->assert_count; k++)
    derive_assume(d, &none, model->asserts[k]->assertion);
  out->settled_count = 0; /* what assertions read decides nothing that is derived */
  d->lets = NULL;
  struct roots roots = {.d = d,
                        .listed = ARENA_ARRAY(arena, bool, model->accept_count + 1),
                        .several = ARENA_ARRAY(arena, bool, model->accept_count + 1),
                        .given = ARENA_ARRAY(arena, struct local *, model->accept_count + 1),
                        .by = ARENA_ARRAY(arena, const struct model_request *, model->accept_count + 1)};
  list_roots(&roots, graph->system);
  for (uint32_t k = 0; k < roots.count; k++)
    derive_item(d, roots.items[k], k < roots.first_count && !roots.several[roots.items[k]->id],
                roots.given[roots.items[k]->id]);
  if (out->al.too_large) {
    diagnostic_add(model->diagnostics, SEVERITY_ERROR, (struct span){0}, "the expression has more than %d terms",
                   ALGEBRA_TERMS);
    diagnostic_help(model->diagnostics, (struct span){0}, "--section and --process derive a part of it");
    return NULL;
  }
  if (options->section && !out->section_met) {
    refuse_section(d, &roots);
    return NULL;
  }
  if (!out->count && options->process) {
    refuse_process(d, &roots, options->process);
    return NULL;
  }
  if (!out->count && !options->section) { /* 0 s is what they take */
    out->items = d->idle;
    out->count = d->idle_count;
  }
  if (!out->count) {
    diagnostic_add(model->diagnostics, SEVERITY_ERROR, graph->system->symbol->span,
                   "nothing that '%s' starts takes time of its own", graph->system->symbol->name->text);
    return NULL;
  }
  if (options->decide) derive_decide(d);
  list_params(d);
  return out;
}
