/* What a session is asked: pieces of input, values of expressions, and `last`, which keeps the results of a run as a
 * value. */
#include "interp/library/handle.h"
#include "interp/library/manuals.h"
#include "grammar/input.h"
#include "interp/evaluate/evaluate.h"
#include "interp/resolve/effects.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 6, QUESTIONS = 10000 /* after so many the model is made again: they leave their trees in it */ };

/* ---- input ---- */

struct input_given {
  const char *text;
  size_t size;
  struct psl_input *out;
};

static enum psl_input_kind input_out(enum input_kind kind) {
  switch (kind) {
  case INPUT_NOTHING: return PSL_INPUT_NOTHING;
  case INPUT_DECLARATIONS: return PSL_INPUT_DECLARATIONS;
  case INPUT_EXPRESSION: return PSL_INPUT_EXPRESSION;
  case INPUT_MORE: return PSL_INPUT_MORE;
  }
  return PSL_INPUT_NOTHING;
}

static enum psl_code work_input(struct psl *psl, void *arguments) {
  const struct input_given *given = arguments;
  struct input input = input_next(&psl->work, given->text, given->size);
  *given->out = (struct psl_input){
      .kind = input_out(input.kind),
      .size = input.size,
      .declares = input.declares,
      .ends = input.ends,
      .lacks_semicolon = input.semicolon,
      .open = input.open,
      .parts = input.parts,
      .wrong = input.wrong,
  };
  return PSL_OK;
}

enum psl_code psl_next_input(struct psl *psl, const char *text, size_t size, struct psl_input *input) {
  *input = (struct psl_input){0};
  return handle_enter(psl, work_input, &(struct input_given){text, size, input});
}

/* ---- answers ---- */

struct asked {
  const char *name;
  unsigned line;
  const char *text;
  size_t size;
  const struct psl_answer **answer;
};

/* Numbers, and lists of them, divided by the unit. */
static void put_in_unit(struct text *out, const struct question *question, struct value value) {
  switch (value.kind) {
  case VALUE_INT: number_print(out, (double)value.integer / question->factor, DIGITS); break;
  case VALUE_REAL: number_print(out, value.real / question->factor, DIGITS); break;
  case VALUE_RANGE:
    number_print(out, value.object->range.low / question->factor, DIGITS);
    text_printf(out, " %s .. ", question->unit);
    number_print(out, value.object->range.high / question->factor, DIGITS);
    break;
  case VALUE_LIST:
    text_char(out, '[');
    for (uint32_t i = 0; i < value.object->count; i++) {
      if (i) text_put(out, ", ");
      put_in_unit(out, question, value.object->items[i]);
    }
    text_char(out, ']');
    return;
  default: return; /* no number, which the check has refused */
  }
  text_printf(out, " %s", question->unit);
}

static const struct psl_answer *make_answer(struct psl *psl, const struct question *question, struct value value) {
  struct arena *arena = &psl->handed;
  const struct types *types = &psl->model.types;
  struct text text = {.arena = arena}, exact = {.arena = arena}, type = {.arena = arena}, unit = {.arena = arena};
  if (question->unit)
    put_in_unit(&text, question, value);
  else if (question->is_last)
    last_put_short(&text, psl, question->type, value);
  else
    value_print(&text, types, psl->model.names, question->type, value, DIGITS);
  struct text shown = {.arena = arena};
  text_shown(&shown, text.data, text.size, question->is_last ? "\n" : "");
  value_print(&exact, types, psl->model.names, question->type, value, 0);
  type_print(&type, types, question->type);
  struct psl_answer *answer = ARENA_NEW(arena, struct psl_answer);
  *answer = (struct psl_answer){shown.data, exact.data, type.data, .names_last = question->names_last};
  answer->is_number = value.kind == VALUE_INT || value.kind == VALUE_REAL;
  if (!answer->is_number) return answer;
  unit_print(&unit, types, question->type->dimension);
  answer->quantity.value = value.kind == VALUE_INT ? (double)value.integer : value.real;
  answer->quantity.unit = unit.data ? unit.data : "";
  return answer;
}

static bool compute(struct psl *psl, const struct question *question, struct value *out) {
  struct environment e = {
      .model = &psl->model,
      .scratch = &psl->work,
      .locals = ARENA_ARRAY(&psl->work, struct value, evaluate_slots(question->expr) + 1),
  };
  return evaluate(&e, question->expr, out);
}

static enum psl_code work_evaluate(struct psl *psl, void *arguments) {
  const struct asked *given = arguments;
  struct question question;
  struct value value;
  session_activate(psl);
  psl->memory.breakable = true;
  arena_close(&psl->handed);
  if (psl->session.questions++ >= QUESTIONS && !psl->results) handle_drop_model(psl);
  if (!handle_model(psl) || !model_refresh(&psl->model)) return PSL_WRONG;
  struct source *source = source_add(&psl->sources, given->name, given->text, given->size);
  if (!source) {
    diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "the expression is too large");
    return PSL_WRONG;
  }
  source->lines_before = given->line - 1;
  if (!model_question(&psl->model, source, &question) || !compute(psl, &question, &value)) return PSL_WRONG;
  session_note_stale(psl, question.last);
  choices_note(&psl->model, &psl->work, question.expr);
  *given->answer = make_answer(psl, &question, value);
  return PSL_OK;
}

struct last_given {
  const char *of;
  psl_write *write;
  void *user;
};

static enum psl_code work_last(struct psl *psl, void *arguments) {
  const struct last_given *given = arguments;
  struct question question;
  struct value value;
  struct output out;
  session_activate(psl);
  if (!handle_model(psl) || !model_refresh(&psl->model)) return PSL_WRONG;
  const char *text = arena_printf(&psl->work, *given->of ? "last.%s" : "last", given->of);
  struct source *source = source_add(&psl->sources, ":last", text, strlen(text));
  if (!source || !model_question(&psl->model, source, &question) || !compute(psl, &question, &value)) return PSL_WRONG;
  session_note_stale(psl, question.last);
  output_open(&out, &psl->work, given->write, given->user);
  last_put_lines(&out.text, psl, text, question.type, value);
  output_close(&out);
  return PSL_OK;
}

enum psl_code psl_last(struct psl *psl, const char *of, psl_write *write, void *user) {
  return handle_enter(psl, work_last, &(struct last_given){of, write, user});
}

enum psl_code psl_evaluate(struct psl *psl, const char *name, unsigned line, const char *text, size_t size,
                           const struct psl_answer **answer) {
  *answer = NULL;
  return handle_enter(psl, work_evaluate, &(struct asked){name, line, text, size, answer});
}

static enum psl_code work_answer(struct psl *psl, void *arguments) {
  struct session *session = &psl->session;
  char *copy = arena_copy(&psl->work, arguments, strlen(arguments)); /* it may be what stands there */
  session->answer = NULL;
  if (psl->has_model) model_set_answer(&psl->model, NULL);
  arena_close(&session->answer_arena);
  session->answer = arena_copy(&session->answer_arena, copy, strlen(copy));
  if (psl->has_model) model_set_answer(&psl->model, session->answer);
  return PSL_OK;
}

enum psl_code psl_set_answer(struct psl *psl, const char *expression) {
  return handle_enter(psl, work_answer, (void *)expression);
}

/* ---- the last run ---- */

/* A field of its own name; of two that share one the first holds. */
static struct last_result *add(struct arena *arena, struct last_result *record, const char *name) {
  const char *own = results_field(arena, name);
  for (uint32_t i = 0; i < record->count; i++)
    if (!strcmp(record->fields[i].name, own)) return NULL;
  struct last_result field = {.name = own, .unit = ""};
  ARENA_PUSH(arena, record->fields, record->count, record->capacity, field);
  return &record->fields[record->count - 1];
}

/* What is not known is no field. */
static void add_number(struct arena *arena, struct last_result *record, const char *name, double value,
                       const char *unit, bool whole) {
  struct last_result *field = isnan(value) ? NULL : add(arena, record, name);
  if (!field) return;
  field->value = value;
  field->unit = arena_copy(arena, unit, strlen(unit));
  field->whole = whole;
}

static void add_share(struct arena *arena, struct last_result *record, struct psl_share share) {
  add_number(arena, record, "compute", share.compute, "s", false);
  add_number(arena, record, "communicate", share.communicate, "s", false);
  add_number(arena, record, "wait", share.wait, "s", false);
  if (!isnan(share.late_sender)) add_number(arena, record, "communication", share.communication, "s", false);
  add_number(arena, record, "wait-late-sender", share.late_sender, "s", false);
  add_number(arena, record, "wait-late-receiver", share.late_receiver, "s", false);
  add_number(arena, record, "wait-collective", share.collective, "s", false);
  add_number(arena, record, "wait-transfer", share.transfer, "s", false);
  add_number(arena, record, "wait-contention", share.contention, "s", false);
  add_number(arena, record, "starved", share.starved, "s", false);
  add_number(arena, record, "blocked", share.blocked, "s", false);
}

static void add_record(struct arena *arena, struct last_result *last, const struct psl_record *record) {
  struct last_result *field = last ? add(arena, last, record->name) : NULL, made = {.name = "", .unit = ""};
  if (!field) return;
  add_number(arena, &made, "count", (double)record->count, "", true);
  add_number(arena, &made, "sum", record->sum, record->unit, false);
  add_number(arena, &made, "mean", record->mean, record->unit, false);
  add_number(arena, &made, "minimum", record->minimum, record->unit, false);
  add_number(arena, &made, "maximum", record->maximum, record->unit, false);
  add_number(arena, &made, "deviation", record->deviation, record->unit, false);
  add_number(arena, &made, "last", record->last, record->unit, false);
  if (!isnan(record->half_width)) add_number(arena, &made, "half-width", record->half_width, record->unit, false);
  for (size_t q = 0; q < record->quantile_count; q++)
    add_number(arena, &made, record->quantiles[q].name, record->quantiles[q].value, record->unit, false);
  field->fields = made.fields;
  field->count = made.count;
}

/* Of the component, or of all (NULL). What is recorded is meant before a share of its name, unless it is that share. */
static void add_records(struct arena *arena, struct last_result *record, const struct psl_results *results,
                        const char *component) {
  for (size_t r = 0; r < results->record_count; r++) {
    const struct psl_record *recorded = &results->records[r];
    if (!recorded->states_time && (!component || !strcmp(recorded->component, component)))
      add_record(arena, record, recorded);
  }
}

static const char *const figure_names[QUEUEING_FIGURES] = {"throughput", "response", "queue",      "utilisation",
                                                           "waiting",    "left",     "left-after", "served"};
static const char *const figure_units[QUEUEING_FIGURES] = {"s^-1", "s", "", "", "s", "", "s", ""};

static void add_queueing(struct arena *arena, struct last_result *record, const struct psl_queueing *network,
                         const char *component) {
  for (uint32_t f = 0; network && f < QUEUEING_LEFT; f++) {
    double value = results_queueing(network, component, NULL, (enum queueing_figure)f);
    add_number(arena, record, figure_names[f], value, figure_units[f], false);
  }
  for (size_t p = 0; network && p < network->part_count; p++) {
    const struct psl_estimate *percentile = results_percentile(network, component, NULL, network->parts[p]);
    add_number(arena, record, quantile_name(arena, network->parts[p]), percentile ? percentile->value : (double)NAN,
               "s", false);
  }
}

static size_t stations_of(const struct psl_queueing *network, const char *component) {
  size_t count = 0;
  for (size_t k = 0; k < network->station_count; k++)
    count += !strcmp(network->stations[k].component, component);
  return count;
}

/* A record for each class of customers that visits the station and has a name. */
static void add_cells(struct arena *arena, struct last_result *record, const struct psl_queueing *network, size_t k) {
  for (size_t c = 0; c < network->class_count; c++) {
    const struct psl_queueing_cell *cell = &network->cells[k * network->class_count + c];
    const char *class = network->classes[c].class;
    struct last_result *field = class && cell->visits > 0 ? add(arena, record, results_class(arena, class)) : NULL;
    struct last_result made = {.name = "", .unit = ""};
    if (!field) continue;
    for (uint32_t f = 0; f < QUEUEING_WAITING; f++)
      add_number(arena, &made, figure_names[f], results_cell(cell, (enum queueing_figure)f).value, figure_units[f],
                 false);
    field->fields = made.fields;
    field->count = made.count;
    field->capacity = made.capacity;
  }
}

/* Of a component that is one station. */
static void add_own_cells(struct arena *arena, struct last_result *record, const struct psl_queueing *network,
                          const char *component) {
  bool one = network && !network->bounds && stations_of(network, component) == 1;
  for (size_t k = 0; one && k < network->station_count; k++)
    if (!strcmp(network->stations[k].component, component)) add_cells(arena, record, network, k);
}

/* The record of a class, which may be there already. */
static struct last_result *class_field(struct arena *arena, struct last_result *record, const char *class) {
  const char *name = results_class(arena, class);
  for (uint32_t i = 0; i < record->count; i++)
    if (!strcmp(record->fields[i].name, name)) return record->fields[i].fields ? &record->fields[i] : NULL;
  return add(arena, record, name);
}

/* Of the component, or of one instance of it, and of each class a record. In a network the other figures are those that
 * it has estimated. */
static void add_facilities(struct arena *arena, struct last_result *record, const struct psl_results *results,
                           const char *component, const char *instance) {
  for (size_t i = 0; i < results->facility_count; i++) {
    const struct psl_facility *row = &results->facilities[i];
    bool own = instance ? row->instance && !strcmp(row->instance, instance) : !row->instance;
    if (!own || strcmp(row->component, component)) continue;
    struct last_result *to = row->class ? class_field(arena, record, row->class) : record;
    for (uint32_t f = results->queueing ? QUEUEING_WAITING : 0; to && f < QUEUEING_FIGURES; f++)
      add_number(arena, to, figure_names[f], results_facility(row, (enum queueing_figure)f), figure_units[f], false);
  }
}

/* A component that was executed, or is known by what an analysis says of it alone (executed NULL). */
static void add_component(struct arena *arena, struct last_result *last, const char *name,
                          const struct psl_component *executed, const struct psl_results *results) {
  struct last_result *field = add(arena, last, name), made = {.name = "", .unit = ""};
  if (!field) return;
  if (executed) {
    add_number(arena, &made, "firings", (double)executed->firings, "", true);
    add_records(arena, &made, results, name);
    add_share(arena, &made, executed->share);
  }
  add_queueing(arena, &made, results->queueing, name);
  add_own_cells(arena, &made, results->queueing, name);
  add_facilities(arena, &made, results, name, NULL);
  field->fields = made.fields;
  field->count = made.count;
}

/* ---- single instances: disk[0] is disk_0 ---- */

enum { INSTANCES = 100 }; /* of more none have fields of their own */

/* The record of an instance, made at its first figure; NULL: the name is that of something else. */
static struct last_result *instance_field(struct arena *arena, struct last_result *last, const char *name) {
  const char *own = results_field(arena, name);
  for (uint32_t i = last->instances; i < last->count; i++)
    if (!strcmp(last->fields[i].name, own)) return &last->fields[i];
  struct last_result *field = add(arena, last, name);
  if (field) field->value = NAN; /* no number, if no figure comes to it */
  return field;
}

static void add_process(struct arena *arena, struct last_result *last, const struct psl_process *process) {
  struct last_result *made = instance_field(arena, last, process->name);
  if (!made) return;
  add_share(arena, made, process->share);
  add_number(arena, made, "end", process->end, "s", false);
}

static void add_own_percentiles(struct arena *arena, struct last_result *made, const struct psl_queueing *network,
                                const char *name, bool visit) {
  for (size_t r = 0; r < network->response_count; r++) {
    const struct psl_queueing_response *row = &network->responses[r];
    if (row->any || row->visit != visit || strcmp(row->name, name)) continue;
    for (size_t p = 0; p < network->part_count; p++)
      add_number(arena, made, quantile_name(arena, network->parts[p]), row->percentiles[p].value, "s", false);
  }
}

static void add_class(struct arena *arena, struct last_result *last, const struct psl_queueing *network, size_t c) {
  const struct psl_queueing_class *class = &network->classes[c];
  struct last_result *made = instance_field(arena, last, class->name);
  if (!made) return;
  add_number(arena, made, "throughput", class->throughput.value, "s^-1", false);
  add_number(arena, made, "response", class->response.value, "s", false);
  add_own_percentiles(arena, made, network, class->name, false);
}

/* The response is that of a visit. */
static void add_station(struct arena *arena, struct last_result *last, const struct psl_queueing *network, size_t k) {
  const struct psl_queueing_station *station = &network->stations[k];
  struct last_result *made = instance_field(arena, last, station->name);
  double rate = station->throughput.value;
  if (!made) return;
  add_number(arena, made, "throughput", rate, "s^-1", false);
  add_number(arena, made, "response", rate > 0 ? station->queue.value / rate : (double)NAN, "s", false);
  add_number(arena, made, "queue", station->queue.value, "", false);
  add_number(arena, made, "utilisation", isfinite(station->servers) ? station->utilisation.value : (double)NAN, "",
             false);
  add_own_percentiles(arena, made, network, station->name, true);
  add_cells(arena, made, network, k);
}

static void add_facility_instances(struct arena *arena, struct last_result *last, const struct psl_results *results) {
  size_t count = 0;
  for (size_t i = 0; i < results->facility_count; i++)
    count += results->facilities[i].instance && !results->facilities[i].class;
  for (size_t i = 0; count <= INSTANCES && i < results->facility_count; i++) {
    const struct psl_facility *row = &results->facilities[i];
    struct last_result *made = row->instance && !row->class ? instance_field(arena, last, row->instance) : NULL;
    if (made) add_facilities(arena, made, results, row->component, row->instance);
  }
}

/* What bears the name of a component is meant by it already. */
static void add_instances(struct arena *arena, struct last_result *last, const struct psl_results *results) {
  const struct psl_queueing *network = results->queueing;
  last->instances = last->count;
  for (size_t p = 0; results->process_count <= INSTANCES && p < results->process_count; p++)
    add_process(arena, last, &results->processes[p]);
  for (size_t c = 0; network && network->class_count <= INSTANCES && c < network->class_count; c++)
    add_class(arena, last, network, c);
  bool stations = network && !network->bounds && network->station_count <= INSTANCES;
  for (size_t k = 0; stations && k < network->station_count; k++)
    add_station(arena, last, network, k);
  add_facility_instances(arena, last, results);
  for (size_t r = 0; r < results->record_count; r++) {
    const struct psl_record *record = &results->records[r];
    for (size_t i = 0; record->own_count <= INSTANCES && i < record->own_count; i++)
      add_record(arena, instance_field(arena, last, record->own[i].instance), &record->own[i]);
  }
}

void session_note_results(struct psl *psl, const struct psl_results *results) {
  struct session *session = &psl->session;
  struct arena *arena = &session->last_arena;
  if (!session->active) return;
  session->last = NULL;
  arena_close(arena);
  struct last_result *last = ARENA_NEW(arena, struct last_result);
  add_number(arena, last, "makespan", results->makespan.value, "s", false);
  if (results->simulated.value != results->makespan.value) /* of most runs one is the other */
    add_number(arena, last, "simulated-time", results->simulated.value, "s", false);
  if (results->uncertain) {
    add_number(arena, last, "low", results->makespan_low.value, "s", false);
    add_number(arena, last, "high", results->makespan_high.value, "s", false);
  }
  if (results->messages_counted) {
    add_number(arena, last, "messages", (double)results->messages, "", true);
    add_number(arena, last, "bytes", (double)results->bytes, "byte", false);
  }
  add_number(arena, last, "firings", (double)results->firings, "", true);
  add_records(arena, last, results, NULL);
  add_share(arena, last, results->mean);
  const struct psl_queueing *network = results->queueing;
  for (size_t i = 0; i < results->component_count; i++)
    add_component(arena, last, results->components[i].name, &results->components[i], results);
  for (size_t i = 0; network && i < network->class_count; i++)
    add_component(arena, last, network->classes[i].component, NULL, results);
  for (size_t i = 0; network && !network->bounds && i < network->station_count; i++)
    add_component(arena, last, network->stations[i].component, NULL, results);
  for (size_t i = 0; i < results->figure_count; i++) {
    const struct psl_figure *figure = &results->figures[i];
    add_number(arena, last, figure->name, figure->quantity.value, figure->quantity.unit, figure->whole);
  }
  add_instances(arena, last, results);
  session->last = last;
  session->runs++;
  session->changed = false;
  session->last_settings = NULL;
  if (psl->has_model) model_set_last(&psl->model, last);
}

void session_note_stale(struct psl *psl, struct span last) {
  const struct session *session = &psl->session;
  bool set =
      session->last_settings && !session_same_settings(session, session->last_settings, session->last_setting_count);
  if (!session->last || !last.end || (!set && !session->changed)) return;
  diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, last,
                 "this is of a run before the model was changed: 'run' runs it as it is now");
}

/* ---- completion and help ---- */

struct completion_given {
  const char *line;
  size_t cursor;
  const struct psl_completion **out;
};

static enum psl_code work_complete(struct psl *psl, void *arguments) {
  const struct completion_given *given = arguments;
  session_activate(psl);
  arena_close(&psl->handed);
  if (!handle_model(psl)) return PSL_WRONG;
  *given->out = handle_complete(psl, given->line, given->cursor, NULL);
  return PSL_OK;
}

enum psl_code psl_complete(struct psl *psl, const char *line, size_t cursor, const struct psl_completion **completion) {
  *completion = NULL;
  return handle_enter(psl, work_complete, &(struct completion_given){line, cursor, completion});
}

struct help_given {
  const char *name;
  bool optional;
  psl_write *write;
  void *user;
};

/* A member of something, as LogGP.total, or a term in brackets is a name. */
static bool are_words(const char *text) { return !text[strcspn(text, ".:[](){}<>=/\"")]; }

/* What is no name: a word of another language, or words that the manuals have. A name that is not quite right is
 * neither, where the manuals do not have it. */
static bool help_on_words(struct psl *psl, const char *words, bool *manuals_missing, struct text *out) {
  struct model *model = &psl->model;
  struct manuals manuals = {0};
  struct text places = {.arena = &psl->work};
  bool all;
  if (!strncmp(words, "env.", 4)) words += 4; /* as SimPy has it */
  if (model_help_in_library(model, words) || !are_words(words)) return false;
  if (model_help_habits(model, words, out)) return true;
  *manuals_missing = !manuals_read(&psl->work, &manuals);
  if (*manuals_missing || !manuals_search(&manuals, words, &all, &places)) return false;
  const char *near = model_help_near(model, words);
  bool single = !strchr(words, ' ');
  if (near && !all) return false;
  text_printf(out, "'%s' is no name", words);
  if (near && single) text_printf(out, ", '%s' is one", near);
  text_printf(out, "; the manuals speak of %s in\n%s",
              single ? "it"
              : all  ? "these words"
                     : "some of these words",
              places.data);
  return true;
}

static enum psl_code work_help(struct psl *psl, void *arguments) {
  const struct help_given *given = arguments;
  struct output out;
  bool manuals_missing = false;
  session_activate(psl);
  if (!handle_model(psl) || !model_refresh(&psl->model)) return PSL_WRONG;
  output_open(&out, &psl->work, given->write, given->user);
  bool known = model_help(&psl->model, given->name, true, &out.text) || given->optional ||
               help_on_words(psl, given->name, &manuals_missing, &out.text);
  output_close(&out);
  if (!known) model_help(&psl->model, given->name, false, &out.text);
  if (manuals_missing)
    diagnostic_help(&psl->diagnostics, (struct span){0},
                    "the manuals, which may speak of it, are not found: they stand in "
                    "share/man, beside the folder of psl");
  return known ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_help(struct psl *psl, const char *name, bool optional, psl_write *write, void *user) {
  return handle_enter(psl, work_help, &(struct help_given){name, optional, write, user});
}
