/* What of a plan goes into the database, and out of it again.
 *
 * The key of a run hashes what the run depends on and no more: not the studies, so that a study may grow and
 * get other columns, and not the text, so that comments and layout may change. */
#include "interp/study/store.h"
#include "interp/study/model_path.h"
#include "interp/study/files_read.h"
#include "interp/include/evaluator.h"
#include "interp/model/answers.h"
#include "interp/check/load.h"
#include "interp/foreign/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct study_store {
  struct database *database;
  const char *path;
  struct database_study study;
  struct database_key model;
  struct files_read files;
  struct text head;         /* of what keys are of: the model's */
  struct known_text *known; /* by param: its value at the last point, as it stands there */
  struct database_run held; /* to be written with its point, in one statement; status NULL: none is */
  bool failed;
};

struct known_text {
  enum value_kind kind;
  uint64_t bits;
  uint32_t length; /* 0: none is known */
  char text[36];
  struct value object; /* the first one that was no simple value, mostly the only one, and its text; NULL: none was */
  const char *object_text;
};

/* ---- keys ---- */

/* The syntax tree of a file but for its studies. */
static void put_file(struct text *out, struct arena *arena, const struct file *file) {
  struct file copy = *file;
  struct decl **link = &copy.decls;
  for (const struct decl *decl = file->decls; decl; decl = decl->next) {
    if (decl->kind == DECL_STUDY) continue;
    *link = ARENA_NEW(arena, struct decl);
    **link = *decl;
    (*link)->doc = NULL;
    link = &(*link)->next;
  }
  *link = NULL;
  text_printf(out, "file %s\n", file->source->name);
  ast_dump(out, &copy, false);
}

bool store_model_refused(struct psl *psl) {
  struct text text = {.arena = &psl->work};
  struct files_read files = files_read_of(&psl->model, &psl->work);
  files_read_texts(&files, &text);
  return files.refused;
}

struct database_key store_model_key(const struct study_plan *plan) {
  struct psl *psl = plan->psl;
  struct text text = {.arena = &psl->work};
  text_printf(&text, "psl %s\n", psl_version());
  for (uint32_t f = 0; f < psl->model.file_count; f++)
    put_file(&text, &psl->work, psl->model.files[f]);
  for (uint32_t e = 0; e < psl->model.evaluator_count; e++) {
    const struct psl_evaluator *evaluator = psl->model.evaluators[e]->evaluator;
    text_printf(&text, "evaluator %s %s\n", evaluator->name, evaluator->revision ? evaluator->revision : "");
  }
  for (uint32_t i = 0; i < psl->model.loading->data_count; i++) { /* what fits were made from */
    const struct source *data = psl->model.loading->data[i].source;
    text_printf(&text, "data %s %u\n", data->name, data->size);
    text_put_n(&text, data->text, data->size);
  }
  for (const struct foreign_library *library = psl->model.libraries; library; library = library->next)
    text_printf(&text, "library %s %016llx%016llx\n", library->name, (unsigned long long)library->content.part[0],
                (unsigned long long)library->content.part[1]);
  struct files_read files = files_read_of(&psl->model, &psl->work);
  files_read_texts(&files, &text);
  text_printf(&text, "system %s, deny-lossy %d, max-firings %llu, max-time %.17g\n", plan->system, plan->run.deny_lossy,
              (unsigned long long)plan->run.max_firings, plan->run.max_time);
  if (plan->run.warm_up > 0) text_printf(&text, "warm-up %.17g\n", plan->run.warm_up);
  return database_key((const char *const[]){text.data}, 1);
}

/* A value that is known by its kind and so many bits; false: it is not. */
static bool value_bits(struct value value, uint64_t *bits) {
  switch (value.kind) {
  case VALUE_INT: *bits = (uint64_t)value.integer; return true;
  case VALUE_BOOL: *bits = value.boolean; return true;
  case VALUE_TERM: *bits = (uint64_t)value.term.head << 32 | value.term.qualifier; return true;
  case VALUE_REAL: memcpy(bits, &value.real, sizeof *bits); return true;
  default: return false;
  }
}

static void put_value(struct text *out, const struct model *model, const struct symbol *param) {
  if (param->has_value && param->value.kind == VALUE_INT)
    study_put_number(out, param->value);
  else if (param->has_value && param->value.kind == VALUE_REAL)
    text_printf(out, "%a", param->value.real);
  else if (param->has_value)
    value_print(out, &model->types, model->names, param->type, param->value, 0);
  else if (param->setting)
    expr_format(out, param->setting);
  text_char(out, '\n');
}

/* An object's text takes more to make than to compare. */
static void put_object(struct text *out, struct study_plan *plan, const struct symbol *param,
                       struct known_text *known) {
  if (known->object_text && value_same(known->object, param->value)) {
    text_put(out, known->object_text);
    return;
  }
  size_t before = out->size;
  put_value(out, &plan->psl->model, param);
  if (known->object_text) return;
  known->object = value_copy(&plan->psl->handed, param->value, HOLDS_CODE);
  known->object_text = arena_copy(&plan->psl->handed, out->data + before, out->size - before);
}

/* All params' values, where the point has any: a param out of its range has none, and then the settings stand
 * for them. */
static void put_values(struct text *out, struct study_plan *plan) {
  const struct model *model = &plan->psl->model;
  for (uint32_t i = 0; i < model->param_count; i++) {
    const struct symbol *param = model->params[i];
    struct known_text *known = &plan->store->known[i];
    uint64_t bits;
    bool simple = param->has_value && value_bits(param->value, &bits);
    if (simple && known->length && known->kind == param->value.kind && known->bits == bits) {
      text_put_n(out, known->text, known->length);
      continue;
    }
    if (param->has_value && !simple) {
      put_object(out, plan, param, known);
      continue;
    }
    size_t before = out->size;
    put_value(out, model, param);
    if (!simple || out->size - before > sizeof known->text) continue;
    known->kind = param->value.kind;
    known->bits = bits;
    known->length = (uint32_t)(out->size - before);
    memcpy(known->text, out->data + before, known->length);
  }
}

static int by_name(const void *a, const void *b) {
  const struct model_result *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

/* Figures of single instances are kept of a run only where they were asked for. */
static void put_own_results(struct text *out, const struct study_plan *plan) {
  const struct model_study *study = plan->study;
  const struct model_result **own = ARENA_ARRAY(&plan->psl->work, const struct model_result *, study->own_count);
  for (uint32_t i = 0; i < study->own_count; i++)
    own[i] = &study->own[i];
  if (study->own_count) qsort(own, study->own_count, sizeof *own, by_name);
  for (uint32_t i = 0; i < study->own_count; i++)
    text_printf(out, "%s\n", own[i]->name);
}

struct database_key store_key(struct study_plan *plan, const struct study_point *point) {
  struct handle_catch caught;
  struct text text = {.arena = &plan->psl->work};
  handle_catch(&caught, plan->psl); /* what is wrong with it its run will say */
  study_set(plan, point);
  study_bind(plan);
  handle_release(&caught);
  text_put_n(&text, plan->store->head.data, plan->store->head.size);
  text_printf(&text, "\nseed %llu\n", (unsigned long long)(plan->seed + point->repetition));
  if (point->undecided) text_put(&text, "undecided\n");
  put_values(&text, plan);
  put_own_results(&text, plan);
  files_read_params(&plan->store->files, &text);
  return database_key((const char *const[]){text.data}, 1);
}

/* ---- runs and points ---- */

/* As the user wants it. */
static void render(struct psl *psl, struct text *said, const struct diagnostic *diagnostic) {
  static const enum diagnostic_format formats[] = {DIAGNOSTIC_FULL, DIAGNOSTIC_SHORT, DIAGNOSTIC_JSON};
  text_put(said, diagnostic_render(said->arena, &psl->sources, diagnostic, formats[psl->options.diagnostic_format],
                                   psl->options.diagnostic_color, psl->options.diagnostic_columns));
}

static void put_again(struct study_plan *plan, const struct study_point *point, struct text *said,
                      enum severity severity, const char *message) {
  struct psl *psl = plan->psl;
  struct diagnostic_note note = {.severity = SEVERITY_NOTE,
                                 .text = arena_printf(&psl->work, "at %s", study_place(plan, point))};
  struct diagnostic diagnostic = {
      .severity = severity, .text = message, .notes = &note, .note_count = severity == SEVERITY_WARNING};
  render(psl, said, &diagnostic);
}

struct noted {
  struct psl *psl;
  struct text *said;
};
static void take_note(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  const struct noted *noted = user;
  (void)sources;
  render(noted->psl, noted->said, diagnostic);
}

/* What the study notes of it, by its own columns. */
static void put_notes(struct study_plan *plan, const struct study_row *row, struct text *said) {
  struct diagnostics *d = &plan->psl->diagnostics;
  diagnostic_sink *sink = d->sink;
  void *user = d->user;
  struct noted noted = {plan->psl, said};
  diagnostic_flush(d);
  d->sink = take_note;
  d->user = &noted;
  study_notes_say(plan, row);
  d->sink = sink;
  d->user = user;
}

/* What a run that was made before would say again; of places in the model the lines are kept. */
static const char *say_again(struct study_plan *plan, const struct study_point *point, const struct study_row *row) {
  struct text said = {.arena = &plan->psl->said};
  const char *notes = study_notes_said(said.arena, row->notes);
  text_put(&said, "");
  for (const char *at = row->warnings, *line; (line = text_next_line(said.arena, &at));)
    put_again(plan, point, &said, SEVERITY_WARNING, line);
  for (const char *line; (line = text_next_line(said.arena, &notes));)
    put_again(plan, point, &said, SEVERITY_NOTE, line);
  if (row->error) put_again(plan, point, &said, SEVERITY_ERROR, row->error);
  put_notes(plan, row, &said);
  return said.data;
}

static const char *const status_words[] = {
    [STUDY_DONE] = "ok", [STUDY_STOPPED] = "stopped", [STUDY_WRONG] = "wrong", [STUDY_LOST] = "lost"};

bool store_find(struct study_plan *plan, const struct study_point *point, const struct database_key *key,
                struct study_row *row) {
  struct study_store *store = plan->store;
  struct database_run run;
  struct arena *arena = &plan->psl->said; /* free while nothing is said */
  arena_reset(arena);
  if (!database_find(store->database, &store->study, key, arena, &run)) return false;
  for (row->status = STUDY_DONE; row->status < STUDY_LOST; row->status++)
    if (!strcmp(run.status, status_words[row->status])) break;
  if (row->status == STUDY_LOST) return false;
  row->error = run.error;
  row->warnings = run.warnings ? run.warnings : "";
  row->notes = run.notes ? run.notes : "";
  row->stop = run.stop;
  row->evidence = run.evidence;
  row->seconds = run.wall;
  memcpy(row->results, run.results, sizeof *row->results * study_result_count(plan));
  row->said = say_again(plan, point, row);
  return true;
}

void store_keep(struct study_plan *plan, const struct database_key *key, uint64_t seed, const struct study_row *row,
                bool held) {
  struct study_store *store = plan->store;
  struct database_run run = {
      .key = *key,
      .seed = seed,
      .status = status_words[row->status],
      .error = row->error,
      .warnings = row->warnings && *row->warnings ? row->warnings : NULL,
      .notes = row->notes && *row->notes ? row->notes : NULL,
      .stop = row->stop,
      .evidence = row->evidence,
      .wall = row->seconds,
      .results = row->results,
  };
  for (uint32_t r = 0; row->status != STUDY_DONE && r < study_result_count(plan); r++)
    row->results[r] = NAN;
  store->held = run;
  if (!held) store_let_go(plan);
}

void store_let_go(struct study_plan *plan) {
  struct study_store *store = plan->store;
  if (store->held.status && !database_put_run(store->database, &store->study, &store->held)) store->failed = true;
  store->held.status = NULL;
}

void store_point(struct study_plan *plan, const struct study_point *point, const struct study_row *row,
                 const char *const *params, const char *const *columns) {
  struct study_store *store = plan->store;
  struct database_point out = {
      .number = (uint64_t)point->number,
      .repetition = (uint32_t)point->repetition,
      .params = params,
      .columns = columns,
  };
  if (!row->key) return;
  struct handle_catch caught;
  struct text settings = {.arena = &plan->psl->work};
  handle_catch(&caught, plan->psl); /* what is wrong with a param the run has said */
  study_put_settings_json(&settings, plan);
  handle_release(&caught);
  out.settings = settings.data;
  out.run.key = *row->key;
  if (store->held.status) out.run = store->held;
  store->held.status = NULL;
  if (!database_put_point(store->database, &store->study, &out)) store->failed = true;
}

void store_means(struct study_plan *plan, const struct study_line *line) {
  struct study_store *store = plan->store;
  struct arena *arena = &plan->psl->work;
  const char **columns = ARENA_ARRAY(arena, const char *, plan->column_count);
  double *low = ARENA_ARRAY(arena, double, plan->column_count), *high = ARENA_ARRAY(arena, double, plan->column_count);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    const struct study_cell *cell = &line->cells[c];
    struct text text = {.arena = arena};
    study_put_json(&text, plan, plan->columns[c].type, cell->value);
    columns[c] = text.data;
    bool interval = study_has_interval(plan, &plan->columns[c]) || plan->columns[c].kind == COLUMN_OBJECTIVE;
    double half = interval ? cell->half : (double)NAN;
    low[c] = study_number(&cell->value) - half;
    high[c] = study_number(&cell->value) + half;
  }
  struct database_mean mean = {.number = (uint64_t)line->number,
                               .repetitions = line->runs - line->failures,
                               .error = line->error,
                               .columns = columns,
                               .low = low,
                               .high = high};
  if (!database_put_mean(store->database, &store->study, &mean)) store->failed = true;
}

void store_outcome(struct study_plan *plan, const char *outcome, const char *uncertain) {
  struct study_store *store = plan->store;
  if (!database_put_outcome(store->database, &store->study, outcome, uncertain)) store->failed = true;
}

static void answer_keep(void *user, struct psl_key key, double answer) {
  struct study_store *store = user;
  struct database_key kept;
  memcpy(kept.bytes, key.part, DATABASE_KEY);
  if (!database_put_answer(store->database, &kept, answer)) store->failed = true;
}

static void answer_take(void *user, const struct database_key *kept, double answer) {
  struct psl_key key;
  memcpy(key.part, kept->bytes, DATABASE_KEY);
  answers_known(user, key, answer);
}

void store_tick(struct study_plan *plan) {
  answers_new(plan->psl->answers, answer_keep, plan->store);
  if (!database_tick(plan->store->database)) plan->store->failed = true;
}

/* ---- the declaration ---- */

static const char *unit_of(struct study_plan *plan, const struct type *type) {
  struct text unit = {.arena = &plan->psl->handed};
  if (type_is_number(type) && type->kind != TYPE_INT) unit_print(&unit, &plan->psl->model.types, type->dimension);
  return unit.data ? unit.data : "";
}

static void put_name_unit(struct text *out, const char *name, const char *unit) {
  text_put(out, "{\"name\": ");
  text_json(out, name);
  text_put(out, ", \"unit\": ");
  text_json(out, unit);
}

static void put_axis(struct text *out, struct study_plan *plan, const struct study_axis *axis) {
  put_name_unit(out, axis->name, unit_of(plan, axis->type));
  if (axis->tied) {
    struct text text = {.arena = &plan->psl->work};
    expr_format(&text, axis->tied);
    text_put(out, ", \"tied\": ");
    text_json(out, text.data);
  } else {
    text_printf(out, ", \"count\": %llu", (unsigned long long)axis->count);
  }
  if (axis->literal) {
    text_put(out, ", \"low\": ");
    text_number(out, axis->low);
    text_put(out, ", \"high\": ");
    text_number(out, axis->high);
    text_put(out, axis->geometric ? ", \"factor\": " : ", \"step\": ");
    text_number(out, axis->step);
  }
  text_char(out, '}');
}

static void put_column(struct text *out, struct study_plan *plan, const struct study_column *column) {
  put_name_unit(out, column->name, unit_of(plan, column->type));
  text_printf(out, ", \"kind\": \"%s\"", study_column_kinds[column->kind]);
  if (column->repeats) text_put(out, ", \"repeats\": true");
  if (column->half != (uint32_t)STUDY_NONE) {
    text_put(out, ", \"half\": ");
    text_json(out, study_result(plan, column->half)->name);
  }
  text_char(out, '}');
}

static void put_figure(struct text *out, const struct study_plan *plan, uint32_t figure) {
  text_json(out, figure < plan->axis_count ? plan->axes[figure].name : plan->columns[figure - plan->axis_count].name);
}

static void put_plot(struct text *out, const struct study_plan *plan, const struct study_plot *plot) {
  text_put(out, "{\"series\": [");
  for (uint32_t s = 0; s < plot->series_count; s++) {
    if (s) text_put(out, ", ");
    put_figure(out, plan, plot->series[s]);
  }
  text_put(out, "], \"against\": ");
  put_figure(out, plan, plot->against);
  text_put(out, ", \"by\": ");
  if (plot->by == (uint32_t)STUDY_NONE)
    text_put(out, "null");
  else
    put_figure(out, plan, plot->by);
  text_printf(out, ", \"log-x\": %s, \"log-y\": %s%s}", plot->log_x ? "true" : "false", plot->log_y ? "true" : "false",
              plot->apart ? ", \"apart\": true" : "");
}

/* What the user has set: a study of other settings is another one. */
static void put_settings(struct text *out, const struct study_plan *plan) {
  const struct model *model = &plan->psl->model;
  bool first = true;
  for (uint32_t i = 0; i < model->param_count; i++) {
    const struct symbol *param = model->params[i];
    if (!param->was_set || !param->setting) continue;
    struct text value = {.arena = &plan->psl->work};
    expr_format(&value, param->setting);
    text_put(out, first ? "{\"name\": " : ", {\"name\": ");
    text_json(out, study_param_name(plan, param));
    text_put(out, ", \"value\": ");
    text_json(out, value.data);
    text_char(out, '}');
    first = false;
  }
}

static void put_expr(struct text *out, struct study_plan *plan, const struct expr *expr) {
  struct text text = {.arena = &plan->psl->work};
  expr_format(&text, expr);
  text_json(out, text.data);
}

static void put_conditions(struct text *out, struct study_plan *plan, struct study_item *const *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(out, ", ");
    put_expr(out, plan, items[i]->condition);
  }
}

static void put_objective(struct text *out, struct study_plan *plan, const struct study_objective *objective) {
  const struct study_column *column = &plan->columns[objective->column];
  text_put(out, "{\"column\": ");
  text_json(out, column->name);
  if (strcmp(objective->name, column->name)) {
    text_put(out, ", \"name\": ");
    text_json(out, objective->name);
  }
  text_printf(out, ", \"maximize\": %s", objective->maximize ? "true" : "false");
  if (column->of_ends) text_put(out, ", \"of_ends\": true"); /* it has no interval of its own */
  for (uint32_t k = 0; k < objective->by_count; k++) {
    text_put(out, k ? ", " : ", \"by\": [");
    text_json(out, plan->axes[objective->by[k]].name);
  }
  if (objective->by_count) text_char(out, ']');
  if (column->condition) {
    text_put(out, ", \"condition\": ");
    put_expr(out, plan, column->condition);
  }
  text_char(out, '}');
}

/* How its runs are made, where that is not as always. */
static void put_run(struct text *out, const struct psl_run_options *run) {
  size_t before = out->size;
  if (run->deny_lossy) text_put(out, ", \"deny-lossy\": true");
  if (run->max_firings) text_printf(out, ", \"max-firings\": %llu", (unsigned long long)run->max_firings);
  if (run->max_time > 0) text_printf(out, ", \"max-time\": %.17g", run->max_time);
  if (run->warm_up > 0) text_printf(out, ", \"warm-up\": %.17g", run->warm_up);
  if (out->size == before) return;
  struct text members = {.arena = out->arena};
  text_printf(&members, ", \"run\": {%s}", out->data + before + 2);
  out->size = before;
  text_put(out, members.data);
}

/* A model that no file has, as that of a trace, is kept with the study. */
static void put_model(struct text *out, const struct model *model) {
  const struct source *source = model->files[0]->source;
  if (!source->handed || model->own_count != 1) return;
  text_put(out, ", \"text\": ");
  text_json(out, source->text);
}

/* Has a session declared what its model's file does not hold? */
static bool is_of_session(const struct psl *psl) {
  return psl->session.active && (psl->session.text_count != 1 || psl->session.texts[0].text);
}

static const char *declaration(struct study_plan *plan) {
  struct text out = {.arena = &plan->psl->handed};
  text_put(&out, "{\"settings\": [");
  put_settings(&out, plan);
  text_put(&out, "], \"axes\": [");
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    if (a) text_put(&out, ", ");
    put_axis(&out, plan, &plan->axes[a]);
  }
  text_put(&out, "], \"columns\": [");
  for (uint32_t c = 0; c < plan->column_count; c++) {
    if (c) text_put(&out, ", ");
    put_column(&out, plan, &plan->columns[c]);
  }
  text_put(&out, "]");
  if (is_of_session(plan->psl)) text_put(&out, ", \"session\": true");
  text_put(&out, ", \"objectives\": [");
  for (uint32_t o = 0; o < plan->objective_count; o++) {
    if (o) text_put(&out, ", ");
    put_objective(&out, plan, &plan->objectives[o]);
  }
  text_put(&out, "], \"plots\": [");
  for (uint32_t p = 0; p < plan->plot_count; p++) {
    if (p) text_put(&out, ", ");
    put_plot(&out, plan, &plan->plots[p]);
  }
  text_put(&out, "], \"where\": [");
  put_conditions(&out, plan, plan->wheres, plan->where_count);
  text_put(&out, "], \"assertions\": [");
  put_conditions(&out, plan, plan->asserts, plan->assert_count);
  text_printf(&out, "], \"counted\": %s, \"searched\": %s, \"repetitions\": %llu, \"seed\": %llu",
              plan->counted ? "true" : "false", plan->searched ? "true" : "false",
              (unsigned long long)plan->repetitions, (unsigned long long)plan->seed);
  put_run(&out, &plan->run);
  put_model(&out, &plan->psl->model);
  text_char(&out, '}');
  return out.data;
}

/* ---- opening and closing ---- */

static struct database_column column_of(struct study_plan *plan, const struct study_column *column) {
  bool one = column->kind == COLUMN_REPORT && column->half != (uint32_t)STUDY_NONE;
  return (struct database_column){.name = column->name,
                                  .unit = unit_of(plan, column->type),
                                  .half = one ? study_result(plan, column->half)->name : NULL,
                                  .interval = study_has_interval(plan, column)};
}

static struct database_study describe(struct study_plan *plan, const char *path) {
  struct psl *psl = plan->psl;
  struct arena *arena = &psl->handed;
  const struct model *model = &psl->model;
  struct database_column *params = ARENA_ARRAY(arena, struct database_column, plan->axis_count);
  struct database_column *columns = ARENA_ARRAY(arena, struct database_column, plan->column_count);
  struct database_column *results = ARENA_ARRAY(arena, struct database_column, study_result_count(plan));
  for (uint32_t a = 0; a < plan->axis_count; a++)
    params[a] = (struct database_column){.name = plan->axes[a].name, .unit = unit_of(plan, plan->axes[a].type)};
  for (uint32_t c = 0; c < plan->column_count; c++)
    columns[c] = column_of(plan, &plan->columns[c]);
  for (uint32_t r = 0; r < study_result_count(plan); r++)
    results[r] = (struct database_column){.name = study_result(plan, r)->name,
                                          .unit = unit_of(plan, study_result(plan, r)->type)};
  return (struct database_study){
      .name = plan->name ? plan->name : plan->system,
      .model = model_path_kept(arena, model->files[0]->source->path, path),
      .system = plan->system,
      .version = psl_version(),
      .declaration = declaration(plan),
      .point_count = plan->wanted,
      .params = params,
      .columns = columns,
      .results = results,
      .param_count = plan->axis_count,
      .column_count = plan->column_count,
      .result_count = study_result_count(plan),
      .repeated = plan->repetitions > 1,
  };
}

static void help_name(struct diagnostics *d) {
  diagnostic_help(d, (struct span){0, 0}, "--name NAME keeps studies side by side; all runs are kept in any case");
}

/* Another study, or a table, has its name. */
static void note_view(struct study_plan *plan) {
  const struct database_study *study = &plan->store->study;
  if (!study->is_new || strcmp(study->view, study->name) == 0) return;
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_NOTE, (struct span){0, 0},
                 "%s: the name '%s' is taken: this study is '%s' there", plan->store->path, study->name, study->view);
  diagnostic_help(&plan->psl->diagnostics, (struct span){0, 0}, "--name NAME gives it another name");
}

/* What was studied before is there no more, but for its runs. */
static void note_replaced(struct study_plan *plan) {
  const struct database_study *study = &plan->store->study;
  struct diagnostics *d = &plan->psl->diagnostics;
  if (study->looked_up) {
    diagnostic_add(d, SEVERITY_NOTE, (struct span){0, 0},
                   "%s: one point does not take the place of study '%s', which stays as it is", plan->store->path,
                   study->name);
    help_name(d);
    return;
  }
  if (!study->replaced) return;
  diagnostic_add(d, SEVERITY_NOTE, (struct span){0, 0}, "%s: this takes the place of study '%s' over %s",
                 plan->store->path, study->name, study->replaced);
  help_name(d);
}

void store_note_lost(struct study_plan *plan) {
  const struct study_store *store = plan->store;
  uint64_t lost = plan->searched ? 0 : database_points_lost(store->database, &store->study);
  struct diagnostics *d = &plan->psl->diagnostics;
  if (!lost) return;
  diagnostic_add(d, SEVERITY_NOTE, (struct span){0, 0},
                 "%s: this takes the place of study '%s', %llu %s%s of which it does not have", store->path,
                 store->study.name, (unsigned long long)lost, store->study.was_repeated ? "run" : "point",
                 lost == 1 ? "" : "s");
  help_name(d);
}

static struct study_store *make_store(struct study_plan *plan, const char *path, enum database_mode mode) {
  struct psl *psl = plan->psl;
  struct study_store *store = ARENA_NEW(&psl->handed, struct study_store);
  store->path = path;
  store->model = store_model_key(plan);
  store->head.arena = &psl->handed;
  for (int i = 0; i < DATABASE_KEY; i++)
    text_printf(&store->head, "%02x", store->model.bytes[i]);
  store->known = ARENA_ARRAY(&psl->handed, struct known_text, psl->model.param_count + 1);
  store->files = files_read_of(&psl->model, &psl->handed);
  store->study = describe(plan, path);
  store->study.model_key = store->model;
  store->database = database_open(&psl->handed, &psl->diagnostics, path, mode);
  return store;
}

bool store_look(struct study_plan *plan, const char *path) {
  struct study_store *store = make_store(plan, path, DATABASE_READ);
  if (!store->database) return false;
  plan->store = store;
  return true;
}

void store_look_away(struct study_plan *plan) {
  database_close(plan->store->database);
  plan->store = NULL;
}

bool store_has(struct study_plan *plan, const struct study_point *point) {
  struct study_store *store = plan->store;
  struct database_key key = store_key(plan, point);
  struct database_run run;
  return database_find(store->database, &store->study, &key, &plan->psl->work, &run) &&
         strcmp(run.status, status_words[STUDY_LOST]) != 0;
}

bool store_open(struct study_plan *plan, const char *path) {
  struct psl *psl = plan->psl;
  struct study_store *store = make_store(plan, path, DATABASE_WRITE);
  if (!store->database || !database_declare(store->database, &store->study) ||
      !database_answers(store->database, answer_take, psl->answers))
    return false;
  plan->store = store;
  note_view(plan);
  note_replaced(plan);
  return true;
}

struct numbering {
  bool (*take)(void *user, uint64_t number);
  void *user;
};

static bool take_number(void *user, const struct database_point *point) {
  const struct numbering *numbering = user;
  return point->repetition > 0 || numbering->take(numbering->user, point->number);
}

bool store_points(struct study_plan *plan, bool (*take)(void *user, uint64_t number), void *user) {
  struct numbering numbering = {take, user};
  return database_points(plan->store->database, &plan->store->study, take_number, &numbering);
}

bool store_close(struct study_plan *plan) {
  struct study_store *store = plan->store;
  if (!store) return true;
  answers_new(plan->psl->answers, answer_keep, store);
  plan->store = NULL;
  return database_close(store->database) && !store->failed;
}
