/* Running a system under each of several values of a param, and what their differences are held against:
 * the tolerance asked for, and the assertions on `spread(makespan)` in studies of the system.  Called through
 * psl_compare. */
#include "interp/study/comparison_report.h"
#include "interp/study/repeated.h"
#include "evaluators/registry.h"
#include "interp/resolve/graph.h"
#include "interp/study/study.h"
#include "interp/check/load.h"
#include "interp/resolve/effects.h"
#include "interp/evaluate/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANGE_MOST = 100 }; /* values of a range */

struct compare_given {
  const char *system;
  const struct psl_compare_options *options;
  psl_write *write;
  void *user;
};

static uint64_t repetitions_of(const struct psl_compare_options *options) {
  return options->repetitions ? options->repetitions : 1;
}

struct offer {
  const char *text;
  bool tried; /* whether there is a result under it shows the run: without one it is left out */
};

struct values {
  struct offer *items;
  size_t count, capacity;
};

/* ---- values that the accepts offer ---- */

/* Can the accept's attribute meet the clause, as far as is known without an instance? */
static bool may_match(struct environment *environment, const struct expr *clause,
                      const struct model_profile *attribute) {
  struct value wanted, offered;
  if (clause->clause.op != OP_EQ || !attribute->value || clause->clause.value->kind == EXPR_NA) return true;
  enum expr_kind kind = clause->clause.value->kind; /* terms are written out or params; indices are not known here */
  if (attribute->type->kind != TYPE_TERM || (kind != EXPR_NAME && kind != EXPR_INDEX)) return true;
  if (!evaluate(environment, clause->clause.value, &wanted) || !evaluate(environment, attribute->value, &offered))
    return true;
  return wanted.kind != VALUE_TERM || offered.kind != VALUE_TERM || term_matches(wanted.term, offered.term);
}

static const struct model_profile *find_attribute(const struct model_accept *accept, const struct name *attribute) {
  for (uint32_t p = 0; p < accept->profile_count; p++)
    if (accept->profile[p].attribute == attribute->folded) return &accept->profile[p];
  return NULL;
}

static bool asks_for(const struct expr *clause, const struct symbol *param) {
  return clause->kind == EXPR_CLAUSE && clause->clause.op == OP_EQ && clause->clause.value->kind == EXPR_NAME &&
         clause->clause.value->name.symbol == param;
}

/* The clause of the selector that asks for the param, among those joined by `and`; NULL: none. */
static const struct expr *asking_clause(const struct expr *selector, const struct symbol *param) {
  if (!selector) return NULL;
  if (selector->kind != EXPR_BINARY || selector->binary.op != OP_AND)
    return asks_for(selector, param) ? selector : NULL;
  const struct expr *left = asking_clause(selector->binary.left, param);
  return left ? left : asking_clause(selector->binary.right, param);
}

static bool rest_may_match(struct environment *environment, const struct expr *selector, const struct expr *asking,
                           const struct model_accept *accept) {
  if (selector == asking) return true;
  if (selector->kind == EXPR_BINARY && selector->binary.op == OP_AND)
    return rest_may_match(environment, selector->binary.left, asking, accept) &&
           rest_may_match(environment, selector->binary.right, asking, accept);
  if (selector->kind != EXPR_CLAUSE) return true;
  const struct model_profile *attribute = find_attribute(accept, selector->clause.attribute);
  return !attribute || may_match(environment, selector, attribute);
}

/* Is it there only for others to be made like it? They replace the attribute. */
static bool is_abstract(const struct expr *expr) {
  return expr->kind == EXPR_NAME && !expr->name.symbol && name_is(expr->name.name->folded, KNOWN_ABSTRACT);
}

static struct offer *find_value(const struct values *values, const char *text) {
  for (size_t v = 0; v < values->count; v++)
    if (strcasecmp(values->items[v].text, text) == 0) return &values->items[v];
  return NULL;
}

static void add_text(struct psl *psl, struct values *values, const char *text, bool tried) {
  struct offer *known = find_value(values, text);
  if (known)
    known->tried &= tried;
  else
    ARENA_PUSH(&psl->handed, values->items, values->count, values->capacity, ((struct offer){text, tried}));
}

static void add_value(struct psl *psl, struct values *values, const struct expr *expr, bool tried) {
  struct text text = {.arena = &psl->handed};
  expr_format(&text, expr);
  add_text(psl, values, text.data, tried);
}

/* Is there a block that makes the request's transaction the accept's? Whether their values agree the run says. */
static bool becomes(const struct model *model, const struct model_request *request, const struct model_accept *accept) {
  for (uint32_t k = 0; k < model->coercion_count; k++) {
    const struct model_coercion *rule = model->coercions[k];
    if (rule->body && rule->from_transaction == request->transaction && rule->to_transaction == accept->transaction)
      return true;
  }
  return false;
}

static void offered_to(struct psl *psl, struct environment *environment, const struct model_request *request,
                       const struct symbol *param, struct values *values) {
  const struct expr *asking = asking_clause(request->selector, param);
  if (!asking) return;
  for (uint32_t a = 0; a < psl->model.accept_count; a++) {
    const struct model_accept *accept = psl->model.accepts[a];
    const struct model_profile *attribute = find_attribute(accept, asking->clause.attribute);
    bool same = accept->transaction == request->transaction;
    if (!attribute || !attribute->value || is_abstract(attribute->value)) continue;
    if (!same && !becomes(&psl->model, request, accept)) continue;
    if (rest_may_match(environment, request->selector, asking, accept)) add_value(psl, values, attribute->value, !same);
  }
}

/* What is offered to the requests of the system, which may be NULL; where none of these asks for the param, to all. */
static struct values offered_values(struct psl *psl, const struct model_component *system, const struct symbol *param) {
  struct values values = {0};
  struct model *model = &psl->model;
  struct environment environment = {
      .model = model,
      .scratch = &psl->work,
      .locals = ARENA_ARRAY(&psl->work, struct value, model->slot_max),
  };
  for (uint32_t r = 0; system && r < system->request_count; r++)
    offered_to(psl, &environment, system->requests[r], param, &values);
  for (uint32_t r = 0; !values.count && r < model->request_count; r++)
    offered_to(psl, &environment, model->requests[r], param, &values);
  return values;
}

/* Its value and what it may be are known then; the value may be none of these, since others take its place. */
static void compute_quietly(struct psl *psl, struct symbol *param) {
  struct environment environment = {
      .model = &psl->model,
      .scratch = &psl->work,
      .locals = ARENA_ARRAY(&psl->work, struct value, psl->model.slot_max + 1),
  };
  struct handle_catch caught;
  struct value value;
  handle_catch(&caught, psl);
  evaluate_symbol(&environment, param, param->span, &value);
  handle_release(&caught);
}

/* What the declaration lists. */
static struct values listed_values(struct psl *psl, const struct symbol *param) {
  struct values values = {0};
  const struct expr *range = param->decl->value.range;
  for (uint32_t i = 0; range && range->kind == EXPR_LIST && i < range->list.count; i++)
    add_value(psl, &values, range->list.items[i], false);
  if (!range || range->kind == EXPR_LIST || param->range.kind != VALUE_LIST) return values;
  for (uint32_t i = 0; i < param->range.object->count; i++) /* as computed */
    add_text(psl, &values,
             value_brief(&psl->handed, &psl->model.types, psl->model.names, param->type, param->range.object->items[i]),
             false);
  return values;
}

/* What may stand there by the declaration, or else what accepts offer; of what is listed and not offered as it is asked
 * for, the run shows whether a coercion reaches it. */
static struct values known_values(struct psl *psl, const struct model_component *system, const struct symbol *param) {
  struct values listed = listed_values(psl, param), offered = offered_values(psl, system, param);
  if (!listed.count && !offered.count && param->type->kind == TYPE_BOOL)
    add_text(psl, &listed, "true", false), add_text(psl, &listed, "false", false);
  if (!listed.count) return offered;
  for (size_t v = 0; offered.count && v < listed.count; v++) {
    const struct offer *offer = find_value(&offered, listed.items[v].text);
    listed.items[v].tried = !offer || offer->tried;
  }
  return listed;
}

/* ---- solvers of queueing networks, for a param that names one ---- */

static bool names_solver(const struct model *model, const struct symbol *param) {
  if (!param->has_value || param->value.kind != VALUE_TERM || !param->value.term.qualifier) return false;
  struct term term = param->value.term;
  if (term.head == KNOWN_SIMULATION) return term.qualifier == KNOWN_QUEUEING;
  return term.head == KNOWN_ANALYSIS && network_evaluator(model, model->names->by_id[term.qualifier]->text);
}

static void add_solver(struct psl *psl, struct values *values, const struct psl_evaluator *evaluator) {
  if (network_evaluator(&psl->model, evaluator->name) == evaluator)
    add_text(psl, values, arena_printf(&psl->handed, "analysis[%s]", evaluator->name), true);
}

static struct values solver_values(struct psl *psl, const struct symbol *param) {
  struct values values = {0};
  if (!names_solver(&psl->model, param)) return values;
  for (uint32_t i = 0; i < psl->model.evaluator_count; i++)
    add_solver(psl, &values, psl->model.evaluators[i]->evaluator);
  for (size_t i = 0; psl_evaluators[i]; i++)
    add_solver(psl, &values, psl_evaluators[i]);
  add_text(psl, &values, "simulation[queueing]", true);
  return values;
}

static const char *const *value_texts(struct psl *psl, const struct values *values) {
  const char **texts = ARENA_ARRAY(&psl->handed, const char *, values->count);
  for (size_t v = 0; v < values->count; v++)
    texts[v] = values->items[v].text;
  return texts;
}

static struct values choices_of(struct psl *psl, struct symbol *param) {
  compute_quietly(psl, param);
  struct values values = known_values(psl, NULL, param);
  return values.count ? values : solver_values(psl, param);
}

const char *study_choices(struct psl *psl, struct symbol *param) {
  struct text lines = {.arena = &psl->handed};
  struct handle_catch caught;
  handle_catch(&caught, psl);
  struct values values = choices_of(psl, param);
  handle_release(&caught);
  for (size_t v = 0; v < values.count; v++)
    text_printf(&lines, "%s%s", v ? "\n" : "", values.items[v].text);
  return lines.data;
}

struct choices_given {
  const char *param;
  const char *const **out;
  size_t *count;
};

static enum psl_code work_choices(struct psl *psl, void *arguments) {
  const struct choices_given *given = arguments;
  struct handle_catch caught;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed);
  handle_catch(&caught, psl);
  struct symbol *param = model_refresh(&psl->model) ? model_param(&psl->model, given->param) : NULL;
  handle_release(&caught);
  if (!param) return PSL_OK;
  struct values values = choices_of(psl, param);
  *given->out = value_texts(psl, &values);
  *given->count = values.count;
  return PSL_OK;
}

enum psl_code psl_choices(struct psl *psl, const char *param, const char *const **values, size_t *count) {
  *values = NULL;
  *count = 0;
  return handle_enter(psl, work_choices, &(struct choices_given){param, values, count});
}

/* 1..9, 1..9+2, 1..16*2 of whole numbers, as studies have it; false: it is none of these. */
static bool whole_range(const char *text, long long *low, long long *high, long long *step, bool *geometric) {
  char *end;
  *low = strtoll(text, &end, 10);
  if (end == text) return false;
  text = end + strspn(end, " ");
  if (strncmp(text, "..", 2) != 0) return false;
  *high = strtoll(text + 2, &end, 10);
  if (end == text + 2) return false;
  text = end + strspn(end, " ");
  if (strspn(text, "by") == 2) text += 2 + strspn(text + 2, " ");
  *geometric = *text == '*';
  *step = 1;
  if (*text) *step = strtoll(text + (*text == '*' || *text == '+'), &end, 10);
  bool grows = *geometric ? *step > 1 && *low > 0 : *step > 0;
  return !*end && grows && *low <= *high && *high <= INT32_MAX && *low >= INT32_MIN && *step <= INT32_MAX;
}

/* What a range stands for; false: there is none, or too many to be compared. */
static bool add_range(struct psl *psl, struct values *values, const char *text) {
  long long low, high, step;
  bool geometric;
  size_t count = 0;
  if (!whole_range(text, &low, &high, &step, &geometric)) return false;
  for (long long at = low; at <= high; at = geometric ? at * step : at + step)
    if (++count > RANGE_MOST) return false;
  for (long long at = low; values && at <= high; at = geometric ? at * step : at + step)
    add_text(psl, values, arena_printf(&psl->handed, "%lld", at), false);
  return true;
}

/* A word of a profile as the model writes it, whatever its case. */
static const char *spelt(struct psl *psl, const char *text) {
  const struct name *folded = name_of(&psl->names, text)->folded;
  return psl->names.written[folded->id] ? psl->names.written[folded->id]->text : text;
}

static struct values given_values(struct psl *psl, const struct psl_compare_options *options, enum type_kind kind) {
  struct values values = {0};
  for (size_t v = 0; v < options->value_count; v++) {
    if (kind == TYPE_INT && add_range(psl, &values, options->values[v])) continue;
    const char *given = options->values[v] + strspn(options->values[v], " ");
    const char *value = arena_copy(&psl->handed, given, strlen(given));
    if (kind == TYPE_TERM) value = spelt(psl, value);
    const struct offer *known = find_value(&values, value);
    if (known && (kind == TYPE_TERM || !strcmp(known->text, value))) {
      diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0, 0}, "%s = %s is given again: it is run once",
                     options->param, value);
      continue;
    }
    ARENA_PUSH(&psl->handed, values.items, values.count, values.capacity, ((struct offer){value, false}));
  }
  return values;
}

/* A range of whole numbers is no value of a param of such, and meant as an axis; so is one that stands alone. */
static bool values_hold(struct psl *psl, const struct psl_compare_options *options, const struct symbol *param) {
  bool whole = param->type->kind == TYPE_INT;
  if (!whole && (options->value_count != 1 || !type_is_number(param->type))) return true;
  for (size_t v = 0; v < options->value_count; v++) {
    if (!strstr(options->values[v], "..") || (whole && add_range(psl, NULL, options->values[v]))) continue;
    diagnostic_misuse(&psl->diagnostics, "'compare' takes the values of '%s' one by one, not a range, %s",
                      options->param, options->values[v]);
    diagnostic_help(&psl->diagnostics, (struct span){0},
                    whole ? "write them out: --vary %s=1,2,4, or as a range of whole numbers, of %d at most: 1..9, "
                            "1..9+2, 1..16*2; 'psl study' takes others"
                          : "write them out: --vary %s=A,B,...; 'psl study' takes ranges, LOW..HIGH by STEP",
                    options->param, RANGE_MOST);
    return false;
  }
  return true;
}

/* ---- what the predictions are held against ---- */

static bool tolerance_holds(struct psl *psl, const struct comparison *comparison) {
  if (comparison->tolerance < 0 || comparison->spread <= comparison->tolerance) return true;
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0},
                 "the predictions spread by %.3g %%, more than the %.3g %% allowed", 100 * comparison->spread,
                 100 * comparison->tolerance);
  return false;
}

/* At which values runs could have gone on, and were ended; NULL: at none. */
static const char *untimed_text(struct psl *psl, const struct comparison *comparison) {
  struct text text = {.arena = &psl->work};
  for (size_t r = 0; r < comparison->count; r++)
    if (comparison->rows[r] && comparison->rows[r]->public.complete &&
        isnan(comparison->rows[r]->public.makespan.value))
      text_printf(&text, "%s%s", text.size ? ", " : "", comparison->values[r]);
  return text.size ? arena_printf(&psl->work, "at %s = %s the run has no predicted time", comparison->param, text.data)
                   : NULL;
}

static bool tolerance_tested(struct psl *psl, const struct comparison *comparison, const char *untimed) {
  if (comparison->tolerance < 0 || !untimed) return true;
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0, 0}, "the tolerance is not tested: %s", untimed);
  return false;
}

/* A study that varies other params says nothing of this one. */
static bool study_varies(const struct model_study *study, const struct symbol *param) {
  for (uint32_t v = 0; v < study->varied_count; v++)
    if (study->varied[v] == param) return true;
  return !study->varied_count;
}

static bool all_hold(struct psl *psl, const struct comparison *comparison, const struct symbol *param,
                     const struct model_component *system) {
  const char *untimed = untimed_text(psl, comparison);
  if (comparison->spread < 0 && !untimed) return true;
  bool holds = comparison->spread < 0 || tolerance_holds(psl, comparison);
  holds &= tolerance_tested(psl, comparison, untimed);
  for (uint32_t s = 0; s < psl->model.study_count; s++) {
    const struct model_study *study = psl->model.studies[s];
    if (study->system == system && study_varies(study, param))
      holds &= study_spread_holds(psl, study, param, comparison->spread, untimed);
  }
  return holds;
}

/* ---- what is said of all runs together ---- */

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool is_same_share(const struct psl_share *a, const struct psl_share *b) {
  return is_same(a->compute, b->compute) && is_same(a->communicate, b->communicate) && is_same(a->wait, b->wait);
}

static bool is_same_estimate(const struct psl_estimate *a, const struct psl_estimate *b) {
  return is_same(a->value, b->value) && is_same(a->low, b->low) && is_same(a->high, b->high);
}

static bool is_same_network(const struct psl_queueing *a, const struct psl_queueing *b) {
  if (!a || !b || a->class_count != b->class_count) return a == b;
  for (size_t c = 0; c < a->class_count; c++)
    if (!is_same_estimate(&a->classes[c].throughput, &b->classes[c].throughput) ||
        !is_same_estimate(&a->classes[c].response, &b->classes[c].response))
      return false;
  return true;
}

static bool is_same_counts(const struct psl_results *a, const struct psl_results *b) {
  if (a->firings != b->firings || a->events != b->events || a->messages != b->messages || a->bytes != b->bytes ||
      a->figure_count != b->figure_count)
    return false;
  for (size_t f = 0; f < a->figure_count; f++)
    if (!is_same(a->figures[f].quantity.value, b->figures[f].quantity.value)) return false;
  return true;
}

/* Have the two runs gone the same way, to the last bit of each time? Components may be others, as machines are. */
static bool is_same_run(const struct psl_results *a, const struct psl_results *b) {
  if (!is_same(a->makespan.value, b->makespan.value) || a->uncertain || b->uncertain || a->unbounded || b->unbounded ||
      !is_same_counts(a, b) || a->component_count != b->component_count || !is_same_share(&a->mean, &b->mean) ||
      !is_same_network(a->queueing, b->queueing))
    return false;
  for (size_t c = 0; c < a->component_count; c++)
    if (a->components[c].firings != b->components[c].firings ||
        !is_same_share(&a->components[c].share, &b->components[c].share))
      return false;
  return true;
}

/* A value that is varied where nothing that runs depends on it compares a run with itself. */
static void note_same(struct psl *psl, const struct comparison *comparison) {
  const struct results *const *rows = comparison->rows;
  for (size_t r = 0; r < comparison->count; r++)
    if (!rows[r] || !rows[r]->public.complete || !is_same_run(&rows[0]->public, &rows[r]->public)) return;
  if (comparison->count < 2) return;
  diagnostic_add(
      &psl->diagnostics, SEVERITY_NOTE, (struct span){0},
      "the runs are the same to the last bit: nothing that ran depends on what these values of '%s' differ in",
      comparison->param);
}

/* Has handle_note_settings said that nothing reads it? */
static bool is_useless(struct psl *psl, struct model_component *system, struct symbol *param) {
  const struct effects_options options = {.open = &param, .open_count = 1};
  const enum effect *effects = effects_of(&psl->model, &psl->work, system, &options);
  for (uint32_t i = 0; i < psl->model.param_count; i++)
    if (psl->model.params[i] == param) return effects[i] != EFFECT_RESULT;
  return false;
}

/* Of one draw each, nothing says how much of a difference is chance; of several their intervals do. */
static void note_drawn(struct psl *psl, const struct comparison *comparison) {
  struct text values = {.arena = &psl->work};
  size_t drawn = 0;
  for (size_t r = 0; r < comparison->count; r++)
    if (comparison->rows[r] && results_one_draw(&comparison->rows[r]->public))
      text_printf(&values, "%s%s", drawn++ ? ", " : "", comparison->values[r]);
  if (!drawn || comparison->begun < 2 || comparison->repetitions > 1) return;
  study_notes_one_draw(psl, arena_printf(&psl->work, " at %s = %s", comparison->param, values.data), "faster");
}

/* Repetitions of what draws nothing are a waste. */
static void note_not_drawn(struct psl *psl, const struct comparison *comparison) {
  bool whole = comparison->repetitions > 1;
  for (size_t r = 0; r < comparison->count; r++)
    whole &= comparison->rows[r] && comparison->rows[r]->public.complete && !comparison->rows[r]->drawn;
  if (!whole) return;
  diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0},
                 "all %llu repetitions under each value gave the same: no seed matters here",
                 (unsigned long long)comparison->repetitions);
}

/* Of what several values have warned; those who read the report have it there. */
static void note_warned(struct psl *psl, const struct comparison *comparison) {
  size_t at = 0;
  for (const char *text; (text = comparison_warned(&psl->work, comparison, &at));)
    diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0}, "%s", text);
}

/* ---- the entry ---- */

static enum psl_code write_comparison(struct psl *psl, const struct compare_given *given,
                                      const struct comparison *comparison) {
  struct report report;
  report_open(&report, given->options->format, psl->columns, &psl->work, given->write, given->user);
  report_comparison(&report, comparison);
  report_close(&report);
  return PSL_OK;
}

static void keep_warnings(struct psl *psl, const struct handle_catch *caught, struct text *warnings) {
  if (caught->warnings.size) study_said_add_lines(&psl->work, warnings, caught->warnings.data);
}

/* Not every solver takes every network; those that do warn as in any run. */
static enum psl_code run_tried(struct psl *psl, const struct compare_given *given, const char *value,
                               const struct psl_run_options *options, struct text *warnings,
                               const struct psl_results **results) {
  struct handle_catch caught;
  handle_catch(&caught, psl);
  enum psl_code code = handle_run(psl, given->system, options, results);
  if (code == PSL_OK) study_said_left_out(psl, given->system, *results, &caught);
  diagnostic_flush(&psl->diagnostics);
  handle_release(&caught);
  if (code == PSL_OK) keep_warnings(psl, &caught, warnings);
  if (code == PSL_OK && *caught.warnings.data) {
    handle_say_again(psl, PSL_WARNING, caught.said.data);
    diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0}, "at %s = %s", given->options->param, value);
  }
  if (code == PSL_OK || interrupted(&psl->memory)) return code;
  if (*results) psl_drop(psl, *results);
  *results = NULL;
  size_t length = strlen(value); /* some say who they are */
  bool named = !strncmp(caught.error, value, length) && !strncmp(caught.error + length, ": ", 2);
  diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, (struct span){0}, "%s is left out: %s", value,
                 caught.error + (named ? length + 2 : 0));
  return PSL_OK;
}

static enum psl_code run_heard(struct psl *psl, const struct compare_given *given, const char *value,
                               const struct psl_run_options *options, struct heard *heard, struct text *warnings,
                               const struct psl_results **results) {
  struct handle_catch caught;
  handle_catch(&caught, psl);
  enum psl_code code = handle_run(psl, given->system, options, results);
  if (code == PSL_OK && results_unsteady(*results))
    diagnostic_note(&psl->diagnostics, (struct span){0}, "at %s = %s", given->options->param, value);
  if (code == PSL_OK) study_said_left_out(psl, given->system, *results, &caught);
  note_seed(psl, code, repetitions_of(given->options), options->seed);
  handle_release(&caught);
  keep_warnings(psl, &caught, warnings);
  hear(psl, heard, &caught);
  return code;
}

/* Each repetition has the next seed. One that does not reach its end stands for all of them. */
static enum psl_code run_often(struct psl *psl, const struct compare_given *given, const struct offer *offer,
                               struct heard *heard, struct repeated *repeated, struct text *warnings,
                               const struct psl_results **results) {
  struct psl_run_options options = given->options->run;
  uint64_t count = repetitions_of(given->options);
  options.trace = false;
  for (uint64_t r = 0; r < count; r++, options.seed++) {
    enum psl_code code = offer->tried ? run_tried(psl, given, offer->text, &options, warnings, results)
                                      : run_heard(psl, given, offer->text, &options, heard, warnings, results);
    if (code != PSL_OK || !*results) {
      repeated_drop(repeated);
      return code;
    }
    repeated_add(repeated, *results);
  }
  *results = repeated_close(repeated);
  return PSL_OK;
}

static enum psl_code run_value(struct psl *psl, const struct compare_given *given, const struct offer *offer,
                               struct heard *heard, struct repeated *repeated, struct text *warnings,
                               const struct psl_results **results) {
  const char *param = given->options->param;
  bool was_set = model_param(&psl->model, param)->was_set;
  if (!model_set(&psl->model, param, offer->text)) {
    diagnostic_flush(&psl->diagnostics);
    return PSL_WRONG;
  }
  model_param(&psl->model, param)->was_set = was_set; /* it is varied */
  return run_often(psl, given, offer, heard, repeated, warnings, results);
}

/* Runs under each value, `begun` of them where it is interrupted; the code of the worst. Afterwards the param is as
 * it was. */
static enum psl_code run_each(struct psl *psl, const struct compare_given *given, struct symbol *param,
                              struct values *values, const struct results **rows, const struct repeated **all,
                              const char **warnings, size_t *begun) {
  struct heard heard = {.count = 0};
  struct expr *setting = param->setting;
  bool was_set = param->was_set, stopped = false;
  enum psl_code worst = PSL_OK;
  const char **setting_name = &psl->model.loading->options.setting_name, *other_name = *setting_name;
  *begun = 0;
  *setting_name = "--vary"; /* as errors in the texts have it */
  size_t kept = 0;
  for (size_t v = 0; v < values->count; v++) {
    const struct psl_results *results = NULL;
    struct repeated *own = repeated_open(psl, repetitions_of(given->options));
    struct text warned = {.arena = &psl->handed};
    enum psl_code code = stopped ? PSL_OK : run_value(psl, given, &values->items[v], &heard, own, &warned, &results);
    if (code > worst) worst = code;
    if (values->items[v].tried && !results && !stopped) continue;
    values->items[kept] = values->items[v];
    all[kept] = own;
    warnings[kept] = warned.size ? warned.data : "";
    rows[kept++] = (const struct results *)results;
    if (!stopped) *begun = kept;
    stopped |= interrupted(&psl->memory);
  }
  values->count = kept;
  *setting_name = other_name;
  param = model_param(&psl->model, given->options->param); /* the model may have been checked again */
  param->setting = setting;
  param->was_set = was_set;
  model_forget(&psl->model);
  return worst;
}

static enum psl_code work_compare(struct psl *psl, void *arguments) {
  const struct compare_given *given = arguments;
  const struct psl_compare_options *options = given->options;
  if (!handle_model(psl)) return PSL_MISUSE;
  arena_close(&psl->handed); /* what must outlive a run stands there */
  if (!model_refresh(&psl->model)) return PSL_WRONG;
  struct symbol *param = model_param(&psl->model, options->param);
  struct model_component *system = param ? handle_system(psl, given->system) : NULL;
  if (!system || !model_bind_beside(&psl->model, &psl->work, &param, 1)) return PSL_WRONG;
  if (!values_hold(psl, options, param)) return PSL_WRONG;
  compute_quietly(psl, param);
  struct values values =
      options->value_count ? given_values(psl, options, param->type->kind) : known_values(psl, system, param);
  if (!values.count) values = solver_values(psl, param);
  if (!values.count) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, param->span,
                   "no selector asks for '%s' and no list says what it may be: there are no values to try",
                   param->name->text);
    diagnostic_help(&psl->diagnostics, (struct span){0}, "give them: --vary %s=A,B", options->param);
    return PSL_WRONG;
  }
  handle_note_settings(
      psl, system, &(struct effects_options){.deny_lossy = options->run.deny_lossy, .open = &param, .open_count = 1});
  bool useless = is_useless(psl, system, param);
  const struct results **rows = ARENA_ARRAY(&psl->handed, const struct results *, values.count);
  const struct repeated **all = ARENA_ARRAY(&psl->handed, const struct repeated *, values.count);
  const char **warnings = ARENA_ARRAY(&psl->handed, const char *, values.count);
  size_t begun;
  enum psl_code code = run_each(psl, given, param, &values, rows, all, warnings, &begun);
  const struct comparison comparison = {
      .param = options->param,
      .values = value_texts(psl, &values),
      .rows = rows,
      .repeated = all,
      .warnings = warnings,
      .repetitions = repetitions_of(options),
      .count = values.count,
      .begun = begun,
      .spread = comparison_spread(rows, values.count),
      .tolerance = options->tolerance,
  };
  if (!values.count) {
    const char *name = system->symbol->name->text;
    if (names_solver(&psl->model, param))
      diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, param->span, "no solver takes the network of '%s'", name);
    else
      diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, param->span, "'%s' runs under no value of '%s'", name,
                     options->param);
    return PSL_WRONG;
  }
  bool any = begun < values.count;
  for (size_t v = 0; v < values.count; v++)
    any |= rows[v] != NULL;
  if (!any) return code; /* what is wrong has been said, and there is nothing to show */
  write_comparison(psl, given, &comparison);
  if (!useless) note_same(psl, &comparison);
  if (!psl_format_is_text(options->format)) note_warned(psl, &comparison);
  note_drawn(psl, &comparison);
  note_not_drawn(psl, &comparison);
  if (!model_refresh(&psl->model)) return PSL_WRONG;
  param = model_param(&psl->model, options->param);
  system = handle_system(psl, given->system);
  if (!all_hold(psl, &comparison, param, system) && code == PSL_OK) code = PSL_STOPPED;
  diagnostic_flush(&psl->diagnostics);
  for (size_t v = 0; v < values.count; v++)
    if (rows[v]) psl_drop(psl, &rows[v]->public);
  return code;
}

enum psl_code psl_compare(struct psl *psl, const char *system, const struct psl_compare_options *options,
                          psl_write *write, void *user) {
  return handle_enter(psl, work_compare, &(struct compare_given){system, options, write, user});
}
