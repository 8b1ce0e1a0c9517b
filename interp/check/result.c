/* The figures that a run can come to, and how the expressions of a study name them: makespan, messages,
 * disk-drive.wait, queue.mean.  The list is made once a check, where somebody asks, from the components and what their
 * bodies record; each name that a study uses becomes a local of it. */
#include "interp/check/checker.h"
#include "interp/check/load.h"
#include "interp/evaluate/evaluate.h"
#include "interp/model/run.h"

#include <string.h>

static const char *const statistic_words[STATISTICS] = {
    [STATISTIC_MEAN] = "mean",       [STATISTIC_SUM] = "sum",
    [STATISTIC_MINIMUM] = "minimum", [STATISTIC_MAXIMUM] = "maximum",
    [STATISTIC_COUNT] = "count",     [STATISTIC_DEVIATION] = "deviation",
    [STATISTIC_LAST] = "last",       [STATISTIC_HALF_WIDTH] = "half-width",
};
const char *const queueing_words[QUEUEING_FIGURES] = {
    [QUEUEING_THROUGHPUT] = "throughput",   [QUEUEING_RESPONSE] = "response", [QUEUEING_QUEUE] = "queue",
    [QUEUEING_UTILISATION] = "utilisation", [QUEUEING_WAITING] = "waiting",   [QUEUEING_LEFT] = "left",
    [QUEUEING_LEFT_AFTER] = "left-after",   [QUEUEING_SERVED] = "served",
};

static const char *const share_words[SHARES] = {
    "compute",       "communicate",     "wait",    "wait-late-sender", "wait-late-receiver", "wait-collective",
    "wait-transfer", "wait-contention", "starved", "blocked",          "communication"};

enum { NAMED = 10 }; /* of what may be many */

/* ---- the list ---- */

void result_add(struct checker *c, struct model_result result) {
  bool known;
  uint64_t key = map_key(name_of(c->model->names, result.name));
  map_add(c->arena, &c->result_places, key, c->model->result_count, &known);
  ARENA_PUSH(c->arena, c->model->results, c->model->result_count, c->result_capacity, result);
}

static uint32_t result_place(struct checker *c, const char *name) {
  return map_get(&c->result_places, map_key(name_of(c->model->names, name)), c->model->result_count);
}

bool result_listed(struct checker *c, const char *name) { return result_place(c, name) < c->model->result_count; }

struct model_result result_half(struct checker *c, struct model_result result) {
  result.name = arena_printf(c->arena, "%s.half-width", result.name);
  result.half = true;
  return result;
}

/* With half the width of its interval, where a simulated network has one. */
static void add_estimate(struct checker *c, struct model_result result) {
  result_add(c, result);
  result_add(c, result_half(c, result));
}

static void add_share(struct checker *c, uint32_t s) {
  const struct type *time = c->model->types.time;
  result_add(c, (struct model_result){.name = share_words[s], .kind = RESULT_SHARE, .part = s, .type = time});
  result_add(c, (struct model_result){.name = arena_printf(c->arena, "%s.maximum", share_words[s]),
                                      .kind = RESULT_GREATEST,
                                      .part = s,
                                      .type = time});
}

static void add_component_share(struct checker *c, const struct model_component *component, uint32_t s) {
  result_add(
      c, (struct model_result){.name = arena_printf(c->arena, "%s.%s", component->symbol->name->text, share_words[s]),
                               .kind = RESULT_SHARE,
                               .part = s,
                               .component = component,
                               .type = c->model->types.time});
}

static void add_model_results(struct checker *c) {
  const struct types *types = &c->model->types;
  struct model_result makespan = {.name = "makespan", .kind = RESULT_MAKESPAN, .type = types->time};
  if (queueing_param(c->model, "percentiles"))
    add_estimate(c, makespan);
  else
    result_add(c, makespan);
  result_add(c, (struct model_result){.name = "makespan.low", .kind = RESULT_LOW, .type = types->time});
  result_add(c, (struct model_result){.name = "makespan.high", .kind = RESULT_HIGH, .type = types->time});
  result_add(c, (struct model_result){.name = "simulated-time", .kind = RESULT_SIMULATED, .type = types->time});
  result_add(c, (struct model_result){.name = "messages", .kind = RESULT_MESSAGES, .type = types->integer});
  result_add(c, (struct model_result){.name = "bytes", .kind = RESULT_BYTES, .type = types->data});
  result_add(c, (struct model_result){.name = "firings", .kind = RESULT_FIRINGS, .type = types->integer});
}

static void add_component_results(struct checker *c, const struct model_component *component) {
  const struct types *types = &c->model->types;
  const char *name = component->symbol->name->text;
  result_add(c, (struct model_result){.name = arena_printf(c->arena, "%s.firings", name),
                                      .kind = RESULT_FIRINGS,
                                      .component = component,
                                      .type = types->integer});
  for (uint32_t s = 0; component->states_time && s < ACTIVITIES; s++)
    add_component_share(c, component, s);
}

/* Quantiles are those of one component's records. */
static void add_quantiles(struct checker *c, const struct recorded *recorded, const char *name,
                          const struct model_component *component) {
  const struct model_keeping *keeping = component->keepings;
  while (keeping && keeping->name != recorded->name)
    keeping = keeping->next;
  for (uint32_t q = 0; keeping && q < keeping->quantile_count; q++)
    result_add(c,
               (struct model_result){.name = arena_printf(c->arena, "%s.%s", name, keeping->quantiles[q].name),
                                     .kind = RESULT_QUANTILE,
                                     .component = component,
                                     .record = recorded->name,
                                     .quantile = keeping->quantiles[q].part,
                                     .type = recorded->type->kind == TYPE_INT ? c->model->types.real : recorded->type});
}

static bool has_half_width(const struct recorded *recorded, const struct model_component *component) {
  const struct model_keeping *keeping = component ? component->keepings : NULL;
  while (keeping && keeping->name != recorded->name)
    keeping = keeping->next;
  return keeping && keeping->half_width;
}

static void add_record(struct checker *c, const struct recorded *recorded, const struct model_component *component) {
  struct types *types = &c->model->types;
  const char *name = recorded->name->text;
  if (component) name = arena_printf(c->arena, "%s.%s", component->symbol->name->text, name);
  for (uint32_t s = 0; s < STATISTICS; s++) {
    bool real = s == STATISTIC_MEAN || s == STATISTIC_DEVIATION || s == STATISTIC_HALF_WIDTH;
    const struct model_component *one = component                        ? component
                                        : recorded->component_count == 1 ? recorded->components[0]
                                                                         : NULL;
    if (s == STATISTIC_HALF_WIDTH && !has_half_width(recorded, one)) continue;
    const struct type *type = s == STATISTIC_COUNT                       ? types->integer
                              : real && recorded->type->kind == TYPE_INT ? types->real
                                                                         : recorded->type;
    result_add(c, (struct model_result){.name = arena_printf(c->arena, "%s.%s", name, statistic_words[s]),
                                        .kind = RESULT_RECORD,
                                        .part = s,
                                        .component = component,
                                        .record = recorded->name,
                                        .type = type});
  }
  if (!component && recorded->component_count == 1) component = recorded->components[0];
  if (component) add_quantiles(c, recorded, name, component);
}

/* The evaluation mode of an accept of the component; NULL: none says one. */
static const struct expr *mode_said(const struct model_component *component) {
  for (uint32_t i = 0; i < component->accept_count; i++)
    for (uint32_t k = 0; k < component->accepts[i]->profile_count; k++)
      if (name_is(component->accepts[i]->profile[k].attribute, KNOWN_EVALUATION_MODE))
        return component->accepts[i]->profile[k].value;
  return NULL;
}

/* Can customers of the mode be those of a network? That of a param is set later. */
static bool of_network(struct checker *c, const struct expr *mode) {
  if (!is_word(mode)) return true;
  struct term term = term_of(c, mode);
  if (term.head == KNOWN_SIMULATION) return term.qualifier == KNOWN_QUEUEING;
  return term.head == KNOWN_ANALYSIS && network_evaluator(c->model, c->model->names->by_id[term.qualifier]->text);
}

/* Who serves customers of a network, and those whom a source starts, need not say the mode: all of the model's own
 * components can be of it, where one says it. */
static bool has_network(struct checker *c) {
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct expr *mode = mode_said(c->model->components[i]);
    if (mode && of_network(c, mode)) return true;
  }
  return false;
}

bool is_queueing(struct checker *c, const struct model_component *component) {
  if (mode_said(component)) return true;
  if (component->system || !component->accept_count || !model_owns(c->model, component->symbol->file)) return false;
  if (!c->network) c->network = has_network(c) ? 1 : -1;
  return c->network > 0;
}

const struct type *queueing_type(struct checker *c, enum queueing_figure figure) {
  struct types *types = &c->model->types;
  struct dimension rate = {{0}};
  rate.power[DIMENSION_TIME] = -1;
  if (figure == QUEUEING_THROUGHPUT) return type_real(types, rate);
  bool time = figure == QUEUEING_RESPONSE || figure == QUEUEING_WAITING || figure == QUEUEING_LEFT_AFTER;
  return time ? types->time : types->real;
}

static void add_queueing_results(struct checker *c, const struct model_component *component) {
  if (!is_queueing(c, component)) return;
  for (uint32_t f = 0; f < QUEUEING_WAITING; f++) {
    const struct type *type = queueing_type(c, f);
    const char *name = arena_printf(c->arena, "%s.%s", component->symbol->name->text, queueing_words[f]);
    add_estimate(c, (struct model_result){
                        .name = name, .kind = RESULT_QUEUEING, .part = f, .component = component, .type = type});
  }
}

/* Those that the model's percentiles of stdlib/queueing name, as they are written or set; NULL: the usual ones. */
static const struct expr *percentiles_listed(const struct checker *c) {
  const struct symbol *param = queueing_param(c->model, "percentiles");
  const struct expr *list = param ? value_expr(param) : NULL;
  return list && list->kind == EXPR_LIST ? list : NULL;
}

static uint32_t percentile_count(const struct expr *list) { return list ? list->list.count : PERCENTILES_USUAL; }

/* One of the list as a part of 1; 0: it is none. */
static double percentile_part(struct checker *c, const struct expr *list, uint32_t i) {
  struct environment environment = {.model = c->model, .scratch = c->arena};
  struct value value = {.kind = VALUE_REAL, .real = list ? 0 : percentiles_usual[i]};
  if (list && (!expr_is_number(list->list.items[i]) || !evaluate(&environment, list->list.items[i], &value))) return 0;
  double part = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return part > 0 && part < 1 ? part : 0;
}

static struct model_result percentile_result(struct checker *c, const struct model_component *component, double part) {
  return (struct model_result){
      .name = arena_printf(c->arena, "%s.%s", component->symbol->name->text, quantile_name(c->arena, part)),
      .kind = RESULT_PERCENTILE,
      .component = component,
      .quantile = part,
      .type = c->model->types.time};
}

static void add_percentiles(struct checker *c, const struct model_component *component) {
  const struct expr *list = percentiles_listed(c);
  for (uint32_t i = 0; i < percentile_count(list); i++) {
    struct model_result result = percentile_result(c, component, percentile_part(c, list, i));
    if (result.quantile > 0 && !result_listed(c, result.name)) add_estimate(c, result);
  }
}

/* Is it where the time of all goes that record it? */
static bool is_stated(const struct recorded *recorded) {
  for (uint32_t i = 0; i < recorded->component_count; i++)
    if (!model_states(recorded->components[i], recorded->name->text)) return false;
  return recorded->component_count > 0;
}

static void add_component_shares(struct checker *c, const struct model_component *component) {
  for (uint32_t s = component->states_time ? ACTIVITIES : 0; s < SHARES; s++)
    add_component_share(c, component, s);
}

/* Names of the whole model first: where a component is called as a record is, the record is meant. What a body records
 * is meant before a share of its name. */
static void list(struct checker *c) {
  add_model_results(c);
  for (uint32_t r = 0; r < c->record_count; r++)
    if (!is_stated(&c->records[r])) add_record(c, &c->records[r], NULL);
  for (uint32_t s = 0; s < SHARES; s++)
    add_share(c, s);
  for (uint32_t i = 0; i < c->model->component_count; i++)
    add_component_results(c, c->model->components[i]);
  for (uint32_t r = 0; r < c->record_count; r++)
    for (uint32_t k = 0; k < c->records[r].component_count; k++)
      add_record(c, &c->records[r], c->records[r].components[k]);
  for (uint32_t i = 0; i < c->model->component_count; i++)
    add_component_shares(c, c->model->components[i]);
  for (uint32_t i = 0; i < c->model->component_count; i++)
    add_queueing_results(c, c->model->components[i]); /* last: what a body records is meant before it */
  for (uint32_t i = 0; i < c->model->component_count; i++)
    if (is_queueing(c, c->model->components[i])) add_percentiles(c, c->model->components[i]);
  facility_results_add(c);
}

void model_list_results(struct model *model) {
  if (!model->result_count) list(model->loading->checker);
}

void record_hides(struct checker *c, const struct model_component *component, struct ident record) {
  const char *word = record.name->text, *name = component ? component->symbol->name->text : NULL;
  uint32_t s = ACTIVITIES; /* how it computes, communicates and waits a model may state itself */
  while (s < SHARES && strcmp(share_words[s], word) != 0)
    s++;
  if (s == SHARES || !name || !c->model->evaluator_count) return; /* which alone tell of it */
  check_warning(c, record.span, "%s.%s is a figure that runs have anyway, and is now the mean of what this records",
                name, word);
  check_help(c, (struct span){0, 0}, "another name keeps both; what it is without a record: psl(5), Where time goes");
}

/* ---- names ---- */

/* NAME or NAME.mean, whichever is listed first. */
const struct model_result *result_named(struct checker *c, const char *name) {
  model_list_results(c->model);
  uint32_t own = result_place(c, name), mean = result_place(c, arena_printf(c->arena, "%s.mean", name));
  uint32_t first = own < mean ? own : mean;
  return first < c->model->result_count ? &c->model->results[first] : NULL;
}

/* In the rows of the study. */
static uint32_t place_of(const struct checker *c, const struct model_study *study, const struct model_result *result) {
  bool own = study->own_count > 0 && result >= study->own && result < study->own + study->own_count;
  if (!own) return (uint32_t)(result - c->model->results);
  return c->model->result_count + (uint32_t)(result - study->own);
}

static struct symbol *use(struct checker *c, struct context *x, const struct model_result *result, struct span span) {
  struct model_study *study = x->study;
  uint32_t place = place_of(c, study, result);
  for (uint32_t i = 0; i < study->use_count; i++)
    if (study->uses[i].result == place) return study->uses[i].symbol;
  struct symbol *symbol = symbol_new(c, SYMBOL_LOCAL, name_of(c->model->names, result->name), span);
  symbol->type = result->type;
  symbol->slot = (*x->slots)++;
  if (*x->slots > c->model->slot_max) c->model->slot_max = *x->slots;
  struct study_use used = {.symbol = symbol, .result = place};
  ARENA_PUSH(c->arena, study->uses, study->use_count, study->use_capacity, used);
  return symbol;
}

/* The end of an interval, with the figure that this is of: over repetitions it is one of their interval. */
static struct symbol *use_end(struct checker *c, struct context *x, const struct model_result *end,
                              const struct model_result *of, struct span span) {
  struct model_study *study = x->study;
  uint32_t places[] = {place_of(c, study, end), place_of(c, study, of)}, uses[2] = {0};
  int sign = end->kind == RESULT_LOW ? -1 : end->kind == RESULT_HIGH ? 1 : end->end;
  struct symbol *symbol = use(c, x, end, span);
  use(c, x, of, span);
  for (uint32_t k = 0; k < 2; k++)
    while (study->uses[uses[k]].result != places[k])
      uses[k]++;
  study->uses[uses[0]].end = sign;
  study->uses[uses[0]].of = uses[1];
  return symbol;
}

/* What the study varies is meant before a result of the same name. */
struct symbol *result_find(struct checker *c, struct context *x, const struct name *name, struct span span) {
  if (!x->study) return NULL;
  for (uint32_t i = 0; i < x->study->varied_count; i++)
    if (x->study->varied[i]->name == name) return NULL;
  const struct model_result *result = result_named(c, name->text);
  if (!result) result = figure_result(c, x->study, name);
  if (!result) result = rest_result(c, x->study, name, name->text);
  return result ? use(c, x, result, span) : NULL;
}

static const struct model_result *own_result(const struct model_study *study, const char *name) {
  for (uint32_t i = 0; i < study->own_count; i++)
    if (!strcmp(study->own[i].name, name)) return &study->own[i];
  return NULL;
}

/* Is it written in the model, and not beside it, where settings hold? */
static bool is_declared(const struct checker *c, struct span span) {
  return model_owns(c->model, source_of(c->model->sources, span.begin));
}

/* A percentile that a setting has listed since the model was checked. */
static const struct model_result *percentile_made(struct checker *c, struct model_study *study, const char *name,
                                                  struct span span) {
  const struct expr *list = percentiles_listed(c);
  const char *point = strchr(name, '.');
  if (!list || !point || !is_percentile(point + 1) || is_declared(c, span)) return NULL;
  for (uint32_t k = 0; k < c->model->component_count; k++) {
    const struct model_component *component = c->model->components[k];
    size_t length = (size_t)(point - name);
    const char *own = component->symbol->name->text;
    if (strlen(own) != length || strncmp(own, name, length) != 0 || !is_queueing(c, component)) continue;
    for (uint32_t i = 0; i < list->list.count; i++) {
      struct model_result made = percentile_result(c, component, percentile_part(c, list, i));
      length = strlen(made.name);
      bool other = strncmp(made.name, name, length) != 0 || (name[length] && name[length] != '.');
      if (!(made.quantile > 0) || other || own_result(study, made.name)) continue;
      ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, made);
      made = result_half(c, made);
      ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, made);
    }
  }
  return own_result(study, name);
}

/* a.b.c as text; false where it is something else. */
static bool dotted(struct text *out, const struct expr *expr) {
  if (expr->kind == EXPR_NAME) {
    text_put(out, expr->name.name->text);
    return true;
  }
  if (expr->kind != EXPR_MEMBER || !dotted(out, expr->member.base)) return false;
  text_printf(out, ".%s", expr->member.member.name->text);
  return true;
}

struct symbol *result_member(struct checker *c, struct context *x, struct expr *expr) {
  struct text text = {.arena = c->arena};
  const struct expr *head = expr;
  const struct model_result *own = x->study ? instance_result(c, x, expr) : NULL;
  if (own) return use(c, x, own, expr->span);
  if (!x->study || !dotted(&text, expr)) return NULL;
  while (head->kind == EXPR_MEMBER)
    head = head->member.base;
  const struct symbol *column = scope_find(c, x->scope, head->name.name);
  if (column && column->type->kind == TYPE_RECORD) return NULL; /* a number of the name has no members */
  const struct model_result *result = result_named(c, text.data);
  if (!result) result = facility_result_made(c, x->study, expr);
  if (!result) result = percentile_made(c, x->study, text.data, expr->span);
  if (!result) result = rest_result(c, x->study, head->name.name, text.data);
  bool bound = result && (result->kind == RESULT_LOW || result->kind == RESULT_HIGH);
  if (bound) return use_end(c, x, result, result_named(c, "makespan"), expr->span);
  if (result) return use(c, x, result, expr->span);
  const struct name *word = expr->member.member.name->folded;
  bool high = name_is(word, KNOWN_HIGH);
  return high || name_is(word, KNOWN_LOW) ? result_end(c, x, expr->member.base, high) : NULL;
}

/* ---- ends of intervals ---- */

/* What a column of the study is; NULL: there is none of the name. */
static struct expr *column_value(const struct model_study *study, const struct name *name) {
  for (uint32_t k = 0; k < study->column_count; k++)
    if (study->columns[k].symbol->name == name) return study->columns[k].field->value;
  return NULL;
}

static struct symbol *figure_symbol(struct checker *c, struct context *x, struct expr *expr) {
  if (expr->kind == EXPR_MEMBER) return result_member(c, x, expr);
  if (expr->kind != EXPR_NAME) return NULL;
  struct expr *value = column_value(x->study, expr->name.name);
  if (value)
    return value->kind == EXPR_NAME && value->name.name == expr->name.name
               ? result_find(c, x, value->name.name, value->span)
               : figure_symbol(c, x, value);
  return scope_find(c, x->scope, expr->name.name) ? NULL : result_find(c, x, expr->name.name, expr->span);
}

static const struct model_result *result_at(const struct checker *c, const struct model_study *study, uint32_t place) {
  return place < c->model->result_count ? &c->model->results[place] : &study->own[place - c->model->result_count];
}

/* Is half the width of its interval a result, too? */
static bool has_interval(struct checker *c, const struct model_study *study, const struct model_result *result) {
  bool record = result->kind == RESULT_RECORD;
  if (result->half || result->end || (record && result->part != STATISTIC_MEAN)) return false;
  size_t length = strlen(result->name) - (record ? strlen(".mean") : 0);
  const char *half = arena_printf(c->arena, "%.*s.half-width", (int)length, result->name);
  return own_result(study, half) || result_listed(c, half);
}

bool result_has_interval(struct checker *c, const char *figure) {
  model_list_results(c->model);
  return result_listed(c, arena_printf(c->arena, "%s.half-width", figure));
}

struct symbol *result_end(struct checker *c, struct context *x, struct expr *figure, bool high) {
  struct model_study *study = x->study;
  const struct symbol *symbol = study ? figure_symbol(c, x, figure) : NULL;
  const struct model_result *of = NULL;
  for (uint32_t i = 0; symbol && i < study->use_count; i++)
    if (study->uses[i].symbol == symbol) of = result_at(c, study, study->uses[i].result);
  if (!of) return NULL;
  struct model_result end = *of;
  end.name = arena_printf(c->arena, "%s.%s", of->name, high ? "high" : "low");
  end.end = high ? 1 : -1;
  end.type = type_real(&c->model->types, type_dimension(of->type));
  if (result_listed(c, end.name)) return use_end(c, x, result_named(c, end.name), of, figure->span);
  if (!has_interval(c, study, of)) return NULL;
  uint32_t place = place_of(c, study, of);
  const struct model_result *own = own_result(study, end.name);
  if (!own) ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, end);
  if (!own) own = &study->own[study->own_count - 1];
  return use_end(c, x, own, result_at(c, study, place), figure->span);
}

/* The first of the model's own components that has responses, of a queueing network; NULL: there is none. */
static const char *responding(struct checker *c) {
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const struct model_result *result = &c->model->results[i];
    if (result->kind == RESULT_QUEUEING && result->part == QUEUEING_RESPONSE &&
        model_owns(c->model, result->component->symbol->file))
      return result->component->symbol->name->text;
  }
  return NULL;
}

bool result_of_network(struct checker *c, const struct model_component *component) {
  model_list_results(c->model);
  for (uint32_t i = 0; i < c->model->result_count; i++)
    if (c->model->results[i].kind == RESULT_QUEUEING && c->model->results[i].component == component) return true;
  return false;
}

bool percentile_help(struct checker *c, struct context *x, const char *function, const struct model_component *of) {
  static const char *const words[] = {"percentile", "percentiles", "quantile", "quantiles", "median", "p"};
  bool known = is_percentile(function);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    known |= !strcmp(function, words[i]);
  if (!known || (!x->study && !c->last && !(c->asked && is_percentile(function)))) return false;
  model_list_results(c->model);
  const char *part = is_percentile(function) ? function : strcmp(function, "median") ? "p95" : "p50";
  const char *last = x->study ? "" : "last.";
  const char *station = of && result_of_network(c, of) ? of->symbol->name->text : responding(c);
  if (station)
    check_help(c, (struct span){0, 0}, "a percentile of a response is a result: %s%s.%s", last, station, part);
  else
    check_help(c, (struct span){0, 0},
               "of what is recorded a statement says which are kept: record NAME = ..., quantiles [%s %%]; then "
               "%sNAME.%s is one",
               percentile_text(c, part + 1), last, part);
  return true;
}

/* What lists another one: a declaration is read before anything is set. */
static const char *percentiles_wanted(struct checker *c, struct span span, const char *part) {
  if (!queueing_param(c->model, "percentiles"))
    return arena_printf(c->arena, "; 'use queueing { param percentiles = [%s %%]; }' gives others", part);
  return arena_printf(c->arena,
                      is_declared(c, span)
                          ? ", which the param 'percentiles' lists: use queueing { param percentiles = [%s %%]; }"
                          : ", which the param 'percentiles' lists: --set 'percentiles=[%s %%]'",
                      part);
}

/* Of what has some percentiles or could have them another one was asked for. */
static bool other_percentile(struct checker *c, const char *of, const struct ident *member,
                             const struct words_list *list) {
  const char *wanted = member->name->text;
  struct text there = {.arena = c->arena};
  bool network = false, record = false, kept = false;
  for (uint32_t i = 0; i < list->count; i++) {
    const char *name = list->items[i];
    network |= !strcmp(name, "response");
    record |=
        !strcmp(name, statistic_words[STATISTIC_DEVIATION]) || !strcmp(name, statistic_words[STATISTIC_HALF_WIDTH]);
    kept |= !strcmp(name, statistic_words[STATISTIC_DEVIATION]);
    if (is_percentile(name) && !strchr(name, '.')) text_printf(&there, "%s%s", there.size ? ", " : "", name);
  }
  if (facility_keeps_help(c, of, wanted)) return true;
  if (!is_percentile(wanted) || !(network || record)) return false;
  const char *part = percentile_text(c, wanted + 1), *figure = strrchr(of, '.');
  bool class = figure && network;
  if (figure && !kept)
    check_help(c, (struct span){0, 0}, "percentiles %s: %.*s.%s",
               class ? "are of all classes together" : "stand beside it", (int)(figure - of), of, wanted);
  else if (network)
    check_help(c, (struct span){0, 0}, "it has %s%s", there.size ? there.data : "none of those",
               percentiles_wanted(c, member->span, part));
  else
    check_help(c, (struct span){0, 0}, "its statement says which are kept: record %s = ..., quantiles [%s %%];",
               figure ? figure + 1 : of, part);
  return true;
}

/* A component that is to be like one that is none, of which there has been an error, may have any results. */
static bool has_unknown_parts(const struct checker *c, const struct expr *base) {
  const struct name *name = base->kind == EXPR_NAME ? base->name.name : NULL;
  for (uint32_t i = 0; name && i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    if (component->symbol->name == name) return component->decl->component.like.name && !component->like;
  }
  return false;
}

static bool owners_help(struct checker *c, const char *word);

bool result_end_help(struct checker *c, struct context *x, const struct expr *expr) {
  const struct name *word = expr->member.member.name->folded;
  bool end = name_is(word, KNOWN_HIGH) || name_is(word, KNOWN_LOW);
  if (!end || !x->study || !figure_symbol(c, x, expr->member.base)) return false;
  check_help(c, (struct span){0, 0}, "an end of its interval over the runs of a point is written %s(%s)", word->text,
             expr_text(c, expr->member.base));
  return true;
}

/* What BASE records, by whose names alone their means are meant. */
static void add_records(struct checker *c, const char *base, size_t length, struct words_list *list) {
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const struct model_result *result = &c->model->results[i];
    const char *own = result->name, *part = strrchr(own, '.');
    bool mean = result->kind == RESULT_RECORD && result->part == STATISTIC_MEAN;
    if (mean && !strncmp(own, base, length) && own[length] == '.' && part > own + length)
      words_add(c, list, arena_copy(c->arena, own + length + 1, (size_t)(part - own) - length - 1));
  }
}

/* Is BASE a component or a record, so that BASE.NAME can be nothing but a result, and it is none? */
bool result_refuse(struct checker *c, struct context *x, struct expr *expr) {
  struct text text = {.arena = c->arena};
  struct words_list list = {0};
  if (instance_component(c, x, expr)) {
    instance_refuse(c, x, expr);
    return true;
  }
  if (has_unknown_parts(c, expr->member.base)) return true;
  if (!x->study || !dotted(&text, expr->member.base)) return false;
  size_t length = text.size;
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const char *own = c->model->results[i].name;
    if (strncmp(own, text.data, length) || own[length] != '.') continue;
    words_add(c, &list, own + length + 1);
  }
  if (!list.count && expr->member.base->kind == EXPR_MEMBER && is_facility_class(c, text.data))
    for (uint32_t f = 0; f < QUEUEING_FIGURES; f++)
      words_add(c, &list, queueing_words[f]);
  if (!list.count) return false;
  check_error(c, expr->member.member.span, "'%s' has no result '%s'", text.data, expr->member.member.name->text);
  if (other_percentile(c, text.data, &expr->member.member, &list)) return true;
  if (result_end_help(c, x, expr)) return true;
  if (check_habit_of(c, HABIT_RESULT, expr->member.member.name->text, &list)) return true;
  const struct name *name = expr->member.base->kind == EXPR_NAME ? expr->member.base->name.name : NULL;
  const struct symbol *symbol = name ? table_first(c, SPACE_COMPONENT, name) : NULL;
  struct words_list known = {0};
  add_records(c, text.data, length, &known);
  for (uint32_t i = 0; i < list.count; i++)
    if (!strchr(list.items[i], '.')) words_add(c, &known, list.items[i]);
  text.size = 0;
  for (uint32_t i = 0; i < known.count; i++)
    text_printf(&text, "%s%s", i ? ", " : "", known.items[i]);
  if (!check_meant(c, expr->member.member.name->text, &known)) check_meant(c, expr->member.member.name->text, &list);
  const char *word = expr->member.member.name->text, *meant = habit_word(HABIT_RESULT, word, strlen(word), &length);
  check_help(c, (struct span){0, 0}, "it has %s%s", text.data, symbol ? figures_told(c, symbol->component, NULL) : "");
  owners_help(c, arena_copy(c->arena, meant, length));
  return true;
}

/* A figure without its component: which of the model's own have it. */
static bool owners_help(struct checker *c, const char *word) {
  struct text text = {.arena = c->arena};
  uint32_t count = 0;
  model_list_results(c->model);
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const struct model_result *result = &c->model->results[i];
    const char *point = strchr(result->name, '.');
    if (!point || strcmp(point + 1, word)) continue;
    if (result->component && !model_owns(c->model, result->component->symbol->file)) continue;
    if (count++ < NAMED) text_printf(&text, "%s%s", count > 1 ? ", " : "", result->name);
  }
  if (count > 1)
    check_help(c, (struct span){0, 0}, "it is a result of components: %s%s", text.data,
               count > NAMED ? " and others" : "");
  else if (count)
    check_help(c, (struct span){0, 0}, "did you mean '%s'?", text.data);
  return count;
}

/* `make` for `makespan`. */
static bool begun_help(struct checker *c, const char *word) {
  size_t length = strlen(word);
  for (uint32_t i = 0; length > 2 && i < c->model->result_count; i++) {
    const char *name = c->model->results[i].name;
    if (strncmp(name, word, length) || strchr(name, '.')) continue;
    check_help(c, (struct span){0, 0}, "did you mean '%s'?", name);
    return true;
  }
  return false;
}

/* Components of the model's own texts have results: what a name of a study may have been meant for. */
void results_help(struct checker *c, const char *word) {
  if (!strcmp(word, "time")) {
    check_help(c, (struct span){0, 0},
               "the predicted time is makespan; 'psl run --plot' draws levels over the time of a run");
    return;
  }
  if (!strcmp(word, "speedup") || !strcmp(word, "efficiency")) {
    check_help(
        c, (struct span){0, 0},
        "it is an expression over params and results: speedup = TIME / makespan, with the TIME of one process, and "
        "efficiency = TIME / makespan / PROCESSES");
    return;
  }
  const char *part = arena_printf(c->arena, "wait-%s", word);
  for (int a = ACTIVITIES; a < STRETCHES; a++)
    if (!strcmp(part, share_words[a])) {
      check_help(c, (struct span){0, 0}, "did you mean '%s'?", part);
      return;
    }
  size_t length;
  const char *meant = habit_word(HABIT_RESULT, word, strlen(word), &length);
  if (strlen(word) > 4 && meant != word && owners_help(c, arena_copy(c->arena, meant, length))) return;
  if (begun_help(c, word) || owners_help(c, word)) return;
  struct text text = {.arena = c->arena};
  uint32_t count = 0;
  const char *first = NULL;
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct symbol *symbol = c->model->components[i]->symbol;
    if (c->model->components[i]->system || !model_owns(c->model, symbol->file)) continue;
    if (!first) first = symbol->name->text;
    if (count++ < NAMED) text_printf(&text, "%s%s", count > 1 ? ", " : "", symbol->name->text);
  }
  if (!first) return;
  const char *station = responding(c);
  const char *figure = !station ? "wait" : is_percentile(word) ? word : "response";
  for (uint32_t f = 0; station && f < QUEUEING_FIGURES; f++)
    if (!strcmp(word, queueing_words[f])) figure = word;
  const char *example = arena_printf(c->arena, "%s.%s", station ? station : first, figure);
  check_help(c, (struct span){0, 0}, "results are makespan and the like, and those of components, as %s: %s%s", example,
             text.data, count > NAMED ? " and others" : "");
}

void words_add_results(struct checker *c, struct words_list *list) {
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const char *name = c->model->results[i].name, *point = strchr(name, '.');
    words_add(c, list, point ? arena_copy(c->arena, name, (size_t)(point - name)) : name);
  }
}
