/* psl_page: a study is read from its database, one of its points is run again, and both are written as a page
 * (document_page.c). */
#include "interp/study/document.h"
#include "interp/report/json_read.h"
#include "interp/study/model_path.h"
#include "interp/study/store.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- the declaration ---- */

static uint32_t figure_named(const struct document *d, const char *name) {
  for (uint32_t f = 0; name && f < d->figure_count; f++)
    if (strcmp(d->figures[f].name, name) == 0) return f;
  return (uint32_t)STUDY_NONE;
}

static uint32_t figure_member(struct document *d, const char *object, const char *member) {
  return figure_named(d, json_read_string(&d->arena, json_read_member(object, member)));
}

static bool is_kind(struct document *d, const char *column, int kind) {
  const char *said = json_read_string(&d->arena, json_read_member(column, "kind"));
  return said && strcmp(said, study_column_kinds[kind]) == 0;
}

/* What the study says of a column; NULL: nothing. */
static const char *declared_column(struct document *d, const char *columns, const char *name) {
  for (const char *column = json_read_first(columns); column; column = json_read_next(column)) {
    const char *found = json_read_string(&d->arena, json_read_member(column, "name"));
    if (found && strcmp(found, name) == 0) return column;
  }
  return NULL;
}

static size_t half_of(struct document *d, const char *column) {
  const char *half = json_read_string(&d->arena, json_read_member(column, "half"));
  for (size_t r = 0; half && r < d->study.result_count; r++)
    if (strcmp(d->study.results[r].name, half) == 0) return r;
  return (size_t)STUDY_NONE;
}

/* As in a table of the study. */
static bool is_shown(struct document *d, const char *column) {
  return is_kind(d, column, COLUMN_REPORT) || !json_read_member(column, "kind") ||
         (is_kind(d, column, COLUMN_OBJECTIVE) && !json_read_true(json_read_member(column, "repeats")));
}

static void read_figures(struct document *d) {
  const struct database_study *study = &d->study;
  const char *columns = json_read_member(study->declaration, "columns");
  d->param_count = (uint32_t)study->param_count;
  d->figure_count = (uint32_t)(study->param_count + study->column_count);
  d->figures = ARENA_ARRAY(&d->arena, struct document_figure, d->figure_count);
  d->pictured = ARENA_ARRAY(&d->arena, struct picture_figure, d->figure_count);
  for (uint32_t f = 0; f < d->figure_count; f++) {
    const struct database_column *column = f < d->param_count ? &study->params[f] : &study->columns[f - d->param_count];
    const char *declared = f < d->param_count ? NULL : declared_column(d, columns, column->name);
    d->figures[f] = (struct document_figure){column->name, column->unit ? column->unit : "",
                                             !declared || is_shown(d, declared), half_of(d, declared)};
    d->pictured[f] = (struct picture_figure){column->name, d->figures[f].unit, is_kind(d, declared, COLUMN_OBJECTIVE),
                                             f < d->param_count};
  }
}

static size_t length_of(const char *array) {
  size_t length = 0;
  for (const char *item = json_read_first(array); item; item = json_read_next(item))
    length++;
  return length;
}

/* A plot of figures that are not there is left out. */
static void read_plot(struct document *d, const char *item, const char *title) {
  const char *series = json_read_member(item, "series");
  struct study_plot *plot = &d->plots[d->plot_count];
  *plot = (struct study_plot){.series = ARENA_ARRAY(&d->arena, uint32_t, length_of(series))};
  for (const char *name = json_read_first(series); name; name = json_read_next(name)) {
    uint32_t figure = figure_named(d, json_read_string(&d->arena, name));
    if (figure != (uint32_t)STUDY_NONE) plot->series[plot->series_count++] = figure;
  }
  plot->against = figure_member(d, item, "against");
  plot->by = figure_member(d, item, "by");
  plot->log_x = json_read_true(json_read_member(item, "log-x"));
  plot->log_y = json_read_true(json_read_member(item, "log-y"));
  plot->apart = json_read_true(json_read_member(item, "apart"));
  if (!plot->series_count || plot->against == (uint32_t)STUDY_NONE) return;
  d->pictures[d->plot_count++] = picture_open(&d->arena, title, plot, d->pictured);
}

static void read_plots(struct document *d) {
  const char *plots = json_read_member(d->study.declaration, "plots");
  size_t count = length_of(plots) + 1;
  d->plots = ARENA_ARRAY(&d->arena, struct study_plot, count);
  d->pictures = ARENA_ARRAY(&d->arena, struct picture *, count);
  for (const char *item = json_read_first(plots); item; item = json_read_next(item))
    read_plot(d, item, d->study.name);
}

static void read_repetitions(struct document *d) {
  double repetitions = json_read_number(json_read_member(d->study.declaration, "repetitions"));
  d->repetitions = repetitions >= 1 && repetitions < 1e15 ? (uint64_t)repetitions : 1;
}

static void read_run_options(struct document *d) {
  const char *run = json_read_member(d->study.declaration, "run");
  double firings = json_read_number(json_read_member(run, "max-firings"));
  double time = json_read_number(json_read_member(run, "max-time")),
         warm_up = json_read_number(json_read_member(run, "warm-up"));
  d->run_as = (struct psl_run_options){.deny_lossy = json_read_true(json_read_member(run, "deny-lossy")),
                                       .max_firings = firings >= 1 && firings < 0x1p63 ? (uint64_t)firings : 0,
                                       .max_time = time > 0 ? time : 0,
                                       .warm_up = warm_up > 0 ? warm_up : 0};
}

static void read_groups(struct document *d, const char *names, struct document_objective *objective) {
  objective->by = ARENA_ARRAY(&d->arena, uint32_t, length_of(names));
  for (const char *name = json_read_first(names); name; name = json_read_next(name)) {
    uint32_t figure = figure_named(d, json_read_string(&d->arena, name));
    if (figure < d->param_count) objective->by[objective->by_count++] = figure;
  }
}

static void read_uncertain(struct document *d, const char *numbers, struct document_objective *objective) {
  objective->uncertain = ARENA_ARRAY(&d->arena, uint64_t, length_of(numbers));
  for (const char *item = json_read_first(numbers); item; item = json_read_next(item)) {
    double number = json_read_number(item);
    if (number >= 0 && number < 0x1p53) objective->uncertain[objective->uncertain_count++] = (uint64_t)number;
  }
}

static void read_objectives(struct document *d) {
  const char *objectives = json_read_member(d->study.declaration, "objectives");
  const char *uncertain = json_read_first(json_read_member(d->study.declaration, "uncertain"));
  d->objectives = ARENA_ARRAY(&d->arena, struct document_objective, length_of(objectives) + 1);
  for (const char *item = json_read_first(objectives); item; item = json_read_next(item)) {
    struct document_objective *objective = &d->objectives[d->objective_count];
    const char *name = json_read_string(&d->arena, json_read_member(item, "column"));
    const char *called = json_read_string(&d->arena, json_read_member(item, "name"));
    *objective = (struct document_objective){.name = called ? called : name,
                                             .maximize = json_read_true(json_read_member(item, "maximize")),
                                             .conditional = json_read_member(item, "condition") != NULL,
                                             .of_ends = json_read_true(json_read_member(item, "of_ends"))};
    objective->figure = figure_named(d, name);
    read_groups(d, json_read_member(item, "by"), objective);
    read_uncertain(d, uncertain, objective);
    uncertain = uncertain ? json_read_next(uncertain) : NULL;
    if (objective->figure != (uint32_t)STUDY_NONE) d->objective_count++;
  }
  if (!d->objective_count)
    d->objectives[d->objective_count++] =
        (struct document_objective){.name = "Shortest predicted time", .makespan = true};
}

/* ---- points ---- */

static struct picture_value value_of(struct document *d, const char *json) {
  if (!json) return (struct picture_value){.number = NAN, .half = NAN};
  const char *text = json_read_string(&d->arena, json);
  if (!text && (json_read_true(json) || strncmp(json, "false", 5) == 0)) text = json_read_true(json) ? "true" : "false";
  return (struct picture_value){json_read_number(json), text, NAN};
}

static struct document_point *open_point(struct document *d, uint64_t number) {
  struct document_point point = {.number = number, .makespan = NAN};
  if (d->point_count && d->points[d->point_count - 1].number == number) return &d->points[d->point_count - 1];
  point.first = ARENA_ARRAY(&d->arena, struct picture_value, d->figure_count);
  point.samples = ARENA_ARRAY(&d->arena, struct study_sample, d->figure_count);
  point.halves = ARENA_ARRAY(&d->arena, double, d->figure_count);
  for (uint32_t f = 0; f < d->figure_count; f++)
    point.halves[f] = NAN;
  if (d->each) point.each = ARENA_ARRAY(&d->arena, double, d->figure_count * d->repetitions + 1);
  for (uint64_t r = 0; d->each && r < d->figure_count * d->repetitions; r++)
    point.each[r] = NAN;
  ARENA_PUSH(&d->arena, d->points, d->point_count, d->point_capacity, point);
  return &d->points[d->point_count - 1];
}

bool document_interrupted(const struct document *d) { return interrupted(d->arena.memory); }

bool document_whole(const struct document *d, const struct document_point *point) {
  return point->runs >= d->repetitions;
}

static const char *keep(struct document *d, const char *text) {
  return text ? arena_copy(&d->arena, text, strlen(text)) : NULL;
}

static bool is_fine(const struct database_run *run) { return run->status && strcmp(run->status, "ok") == 0; }

static void count_warning(struct document_warning *warning, size_t place) {
  if (!warning->points) warning->first = place;
  if (!warning->points || warning->last != place) warning->points++;
  warning->last = place;
}

static void take_warning(struct document *d, const char *what, size_t place) {
  size_t w = 0;
  while (w < d->warning_count && !text_alike(d->warnings[w].what, what))
    w++;
  if (w == STUDY_SAID_MOST) return;
  struct document_warning *warning = &d->warnings[w];
  if (w == d->warning_count) {
    *warning = (struct document_warning){.what = keep(d, what)};
    d->warning_count++;
  }
  count_warning(warning, place);
}

static void take_run(struct document *d, struct document_point *point, const struct database_run *run) {
  bool fine = is_fine(run);
  if (!point->runs++) point->key = run->key;
  d->wall += run->wall;
  if (!fine && !point->failures++)
    point->error = run->error ? keep(d, run->error) : run->status ? keep(d, run->status) : "not run";
  if (!fine) return;
  point->evidence = keep(d, run->evidence);
  for (size_t r = 0; r < d->study.result_count; r++) {
    if (strcmp(d->study.results[r].name, "makespan")) continue;
    if (point->runs == 1) point->makespan = run->results[r];
    study_sample_add(&point->makespans, run->results[r]);
  }
  if (point->runs == 1) point->seed = run->seed;
  if (run->stop && !strcmp(run->stop, stop_text(STOP_MAX_TIME))) count_warning(&d->timed, (size_t)(point - d->points));
  for (const char *at = run->warnings ? run->warnings : "", *line; (line = text_next_line(&d->arena, &at));)
    take_warning(d, line, (size_t)(point - d->points));
  point->warnings.arena = &d->arena;
  if (run->warnings) study_said_add_lines(&d->arena, &point->warnings, run->warnings);
}

/* Does what is optimised have an interval, that of its values at each repetition? */
static bool has_half(const struct document *d, uint32_t figure) {
  for (uint32_t o = 0; o < d->objective_count; o++)
    if (d->objectives[o].figure == figure && !d->objectives[o].makespan) return !d->objectives[o].of_ends;
  return false;
}

/* Over repetitions what has no interval in the database, such as what names an end of one, and an objective that may
 * have a condition, are of their means: they have one value, which is known with the last of them, and an objective the
 * interval of its values, of which older databases have those alone at which the condition holds. */
static void take_mean(struct document *d, struct document_point *point, const struct database_point *row,
                      struct picture_value *values) {
  for (uint32_t f = d->param_count; row->means && d->repetitions > 1 && f < d->figure_count; f++) {
    const char *value = json_read_member(row->means, d->figures[f].name);
    const char *low = json_read_member(row->means, arena_printf(&d->arena, "%s.low", d->figures[f].name));
    if (!value || (low && !d->pictured[f].optimised) || values[f].text) continue;
    bool last = row->repetition + 1 == d->repetitions;
    values[f].number = last ? json_read_number(value) : (double)NAN;
    if (!last) continue;
    double half = low ? values[f].number - json_read_number(low) : study_sample_half(&point->samples[f]);
    if (has_half(d, f)) point->halves[f] = values[f].half = half;
    point->samples[f] = (struct study_sample){0};
    if (!isnan(values[f].number))
      point->samples[f] = (struct study_sample){.count = d->repetitions, .mean = values[f].number};
  }
}

static bool take_point(void *user, const struct database_point *row) {
  struct document *d = user;
  bool fine = is_fine(&row->run);
  struct document_point *point = open_point(d, row->number);
  struct picture_value *values = point->first;
  if (point->runs) values = ARENA_ARRAY(&d->arena, struct picture_value, d->figure_count);
  for (uint32_t f = 0; f < d->figure_count; f++) {
    values[f] = value_of(d, f < d->param_count ? row->params[f] : row->columns[f - d->param_count]);
    if (fine && d->figures[f].half != (size_t)STUDY_NONE) values[f].half = row->run.results[d->figures[f].half];
    if (!isnan(values[f].number)) study_sample_add(&point->samples[f], values[f].number);
    if (d->each && fine && row->repetition < d->repetitions)
      point->each[f * d->repetitions + row->repetition] = values[f].number;
  }
  take_mean(d, point, row, values);
  take_run(d, point, &row->run);
  for (uint32_t k = 0; k < d->plot_count; k++)
    picture_row(d->pictures[k], row->number, values, !fine);
  return true;
}

static bool varies(const struct document *d, uint32_t param) {
  for (size_t p = 1; p < d->point_count; p++) {
    const struct picture_value *a = &d->points[0].first[param], *b = &d->points[p].first[param];
    if (a->text && b->text ? strcmp(a->text, b->text) != 0 : a->number != b->number) return true;
  }
  return false;
}

/* A param that is the same at all points is said once, above them. */
static void hide_fixed(struct document *d) {
  uint32_t varied = 0;
  for (uint32_t p = 0; p < d->param_count; p++)
    varied += varies(d, p);
  for (uint32_t p = 0; p < d->param_count && varied; p++)
    d->figures[p].shown = varies(d, p);
}

double document_value(const struct document *d, const struct document_objective *objective,
                      const struct document_point *point) {
  if (point->failures) return NAN; /* what no run is needed for it may have */
  const struct study_sample *sample = objective->makespan ? &point->makespans : &point->samples[objective->figure];
  return sample->count == d->repetitions ? sample->mean : (double)NAN;
}

/* A point in the middle of its repetitions says so. */
static void count_whole(struct document *d) {
  for (size_t p = 0; p < d->point_count; p++) {
    struct document_point *point = &d->points[p];
    bool whole = document_whole(d, point);
    d->whole += whole;
    point->error = study_failed_text(&d->arena, point->failures, whole ? d->repetitions : 0, point->error);
    if (!whole && !point->error)
      point->error = arena_printf(&d->arena, "%" PRIu64 " of %" PRIu64 " repetitions", point->runs, d->repetitions);
  }
}

static void take_best(const struct document *d, const struct document_objective *objective,
                      const struct document_point **best, const struct document_point *point) {
  double value = document_value(d, objective, point);
  if (isnan(value)) return;
  double before = *best ? document_value(d, objective, *best) : (double)NAN;
  if (!*best || (objective->maximize ? value > before : value < before)) *best = point;
}

/* That of the points with the same values. */
static struct document_group *group_of(struct document *d, struct document_objective *objective, struct groups *groups,
                                       const struct document_point *point) {
  struct text key = {.arena = &d->arena};
  for (uint32_t k = 0; k < objective->by_count; k++) {
    const struct picture_value *value = &point->first[objective->by[k]];
    text_printf(&key, value->text ? "%s" : "%s%a", value->text ? value->text : "", value->number);
    text_char(&key, '\n');
  }
  uint32_t group = groups_find(groups, key.data, key.size);
  if (group == objective->group_count) {
    struct document_group own = {point, NULL};
    ARENA_PUSH(&d->arena, objective->groups, objective->group_count, objective->group_capacity, own);
  }
  return &objective->groups[group];
}

/* Runs that could have gone on have no predicted time, and a study of them none that is the shortest. */
static void drop_makespan(struct document *d) {
  const struct document_objective *first = d->objectives;
  if (d->whole && first->makespan && !first->best) d->objective_count = 0;
}

static void find_best(struct document *d) {
  for (uint32_t o = 0; o < d->objective_count; o++) {
    struct document_objective *objective = &d->objectives[o];
    struct groups groups = {.arena = &d->arena};
    for (size_t p = 0; p < d->point_count; p++) {
      take_best(d, objective, &objective->best, &d->points[p]);
      if (!objective->by_count) continue;
      take_best(d, objective, &group_of(d, objective, &groups, &d->points[p])->best, &d->points[p]);
    }
    if (objective->best && !objective->by_count) d->points[objective->best - d->points].best = true;
    for (size_t g = 0; g < objective->group_count; g++)
      if (objective->groups[g].best) d->points[objective->groups[g].best - d->points].best = true;
  }
  drop_makespan(d);
}

static bool choose(struct document *d, const struct psl_page_options *options) {
  for (size_t p = 0; p < d->point_count; p++) {
    const struct document_point *point = &d->points[p];
    if (options->chosen ? point->number == options->point
                        : document_whole(d, point) && point->runs > point->failures && !d->chosen)
      d->chosen = point;
  }
  if (!options->chosen && d->objectives[0].best) d->chosen = d->objectives[0].best;
  if (!options->chosen || d->chosen) return true;
  diagnostic_misuse(&d->psl->diagnostics, "study '%s' of %s has no point %" PRIu64, d->study.name, d->database,
                    options->point);
  if (d->point_count)
    diagnostic_help(&d->psl->diagnostics, (struct span){0, 0}, "its points are %" PRIu64 " to %" PRIu64,
                    d->points[0].number, d->points[d->point_count - 1].number);
  return false;
}

/* ---- reading ---- */

/* Is a name that of this study alone, so that its view's need not be told? */
static bool is_only(const struct database_study *studies, size_t count, const struct database_study *study) {
  for (size_t s = 0; s < count; s++) {
    bool same = strcmp(studies[s].name, study->name) == 0 || strcmp(studies[s].view, study->name) == 0;
    if (same && &studies[s] != study) return false;
  }
  return true;
}

const char *document_study_name(const struct database_study *studies, size_t count,
                                const struct database_study *study) {
  return is_only(studies, count, study) ? study->name : study->view;
}

/* 'buy' (farm, a.psl), 'buy_2' (farm, b.psl), 'sell'. */
static void put_study(struct text *list, const struct database_study *studies, size_t count,
                      const struct database_study *study) {
  text_printf(list, list->size ? ", '%s'" : "'%s'", document_study_name(studies, count, study));
  if (!is_only(studies, count, study)) text_printf(list, " (%s, %s)", study->system, study->model);
}

static void refuse_study(struct document *d, const struct database_study *studies, size_t count, const char *name) {
  struct diagnostics *diagnostics = &d->psl->diagnostics;
  const char **names = ARENA_ARRAY(&d->arena, const char *, count);
  struct text list = {.arena = &d->arena};
  for (size_t s = 0; s < count; s++) {
    names[s] = document_study_name(studies, count, &studies[s]);
    put_study(&list, studies, count, &studies[s]);
  }
  const char *near = name && count ? nearest_name(name, names, count) : NULL;
  if (!count) {
    diagnostic_add(diagnostics, SEVERITY_ERROR, (struct span){0, 0}, "%s has no study", d->database);
    return;
  }
  if (name)
    diagnostic_misuse(diagnostics, "%s has no study '%s'", d->database, name);
  else
    diagnostic_misuse(diagnostics, "%s has more than one study: name one", d->database);
  if (near)
    diagnostic_help(diagnostics, (struct span){0, 0}, "did you mean '%s'?", near);
  else
    diagnostic_help(diagnostics, (struct span){0, 0}, "it has %s", list.data);
}

/* Studies of one name, of several systems or files, each have a view of its own name, and are named by that. */
static const struct database_study *find_study(struct document *d, const struct database_study *studies, size_t count,
                                               const char *name) {
  const struct database_study *found = !name && count == 1 ? studies : NULL;
  struct text others = {.arena = &d->arena};
  for (size_t s = 0; s < count && name; s++)
    if (strcmp(studies[s].view, name) == 0) found = &studies[s];
  for (size_t s = 0; s < count && name && !found; s++)
    if (strcmp(studies[s].name, name) == 0 && is_only(studies, count, &studies[s])) found = &studies[s];
  if (!found) refuse_study(d, studies, count, name);
  for (size_t s = 0; s < count && name && found; s++)
    if (&studies[s] != found && strcmp(studies[s].name, name) == 0) put_study(&others, studies, count, &studies[s]);
  if (others.data)
    diagnostic_add(&d->psl->diagnostics, SEVERITY_NOTE, (struct span){0, 0},
                   "%s: '%s' is the study of %s, %s; of the same name there is %s", d->database, name, found->system,
                   found->model, others.data);
  return found;
}

static void read_time(struct document *d) {
  struct stat status;
  struct tm when;
  char text[40] = "";
  if (stat(d->database, &status) == 0 && gmtime_r(&status.st_mtime, &when))
    strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &when);
  d->written = keep(d, text);
}

bool document_read(struct document *d, const struct psl_page_options *options) {
  struct diagnostics *diagnostics = &d->psl->diagnostics;
  size_t count = 0;
  read_time(d);
  d->timing = options->timing;
  struct database *database = database_open(&d->arena, diagnostics, d->database, DATABASE_READ);
  if (!database) return false;
  const struct database_study *studies = database_studies(database, &d->arena, &count);
  const struct database_study *study = studies ? find_study(d, studies, count, options->study) : NULL;
  if (study) {
    d->study = *study;
    d->study.model = model_path_found(&d->arena, study->model, d->database);
    read_figures(d);
    read_plots(d);
    read_objectives(d);
    read_repetitions(d);
    read_run_options(d);
  }
  bool fine =
      study && database_test_rows(database, study, DATABASE_READ) && database_points(database, study, take_point, d);
  fine &= database_close(database);
  if (!fine) return false;
  if (!d->point_count) d->plot_count = 0; /* the page says that no point is there */
  hide_fixed(d);
  count_whole(d);
  find_best(d);
  return choose(d, options);
}

/* ---- the chosen point, run again ---- */

/* A value of the database as an expression of PSL. */
static const char *expression_of(struct document *d, uint32_t param) {
  const struct picture_value *value = &d->chosen->first[param];
  struct text text = {.arena = &d->arena};
  const struct symbol *known = value->text ? model_param(&d->psl->model, d->figures[param].name) : NULL;
  if (known && known->type && known->type->kind == TYPE_STRING) {
    text_json(&text, value->text);
    return text.data;
  }
  if (value->text) return value->text;
  if (isnan(value->number)) return NULL;
  text_number(&text, value->number);
  const char *unit = d->figures[param].unit;
  if (strncmp(unit, "1/", 2) == 0)
    text_printf(&text, " / (1 %s)", unit + 2);
  else if (*unit)
    text_printf(&text, " %s", unit);
  return text.data;
}

static bool set_all(struct document *d) {
  const char *settings = json_read_member(d->study.declaration, "settings");
  bool fine = true;
  for (const char *item = json_read_first(settings); item && fine; item = json_read_next(item)) {
    const char *name = json_read_string(&d->arena, json_read_member(item, "name"));
    const char *value = json_read_string(&d->arena, json_read_member(item, "value"));
    fine = name && value && psl_set(d->psl, name, value) == PSL_OK;
  }
  for (uint32_t p = 0; p < d->param_count && fine; p++) {
    const char *value = expression_of(d, p);
    fine = value && psl_set(d->psl, d->figures[p].name, value) == PSL_OK;
  }
  return fine;
}

struct document_given {
  struct document *document;
  const struct psl_page_options *options;
  psl_write *write;
  void *user;
  bool same;    /* is the model what it was? */
  bool refused; /* it is not, since it may not read a file that is there */
};

static enum psl_code work_read(struct psl *psl, void *arguments) {
  const struct document_given *given = arguments;
  bool fine = document_read(given->document, given->options);
  diagnostic_flush(&psl->diagnostics);
  return fine ? PSL_OK : PSL_WRONG;
}

static enum psl_code work_compare(struct psl *psl, void *arguments) {
  struct document_given *given = arguments;
  const struct document *d = given->document;
  struct study_plan plan = {.psl = psl, .system = d->study.system, .run = d->run_as};
  struct database_key key = store_model_key(&plan);
  given->same = memcmp(&key, &d->study.model_key, sizeof key) == 0;
  given->refused = !given->same && store_model_refused(psl);
  return PSL_OK;
}

static enum psl_code work_write(struct psl *psl, void *arguments) {
  const struct document_given *given = arguments;
  if (!document_interrupted(given->document) && document_write(given->document, given->write, given->user))
    return PSL_OK;
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0, 0}, "interrupted: no page is made");
  return PSL_STOPPED;
}

/* Of a model that no file has; NULL: it has one. */
static const char *model_text(struct document *d) {
  return json_read_string(&d->arena, json_read_member(d->study.declaration, "text"));
}

/* Is the file that the database names still the model that was studied? What is said of one that is not could show any
 * file's lines, and is left out. */
static enum psl_code load_studied(struct document_given *given) {
  struct document *d = given->document;
  struct psl *psl = d->psl;
  psl_diagnostic_callback *said = psl->options.diagnostic;
  psl->options.diagnostic = NULL;
  const char *model = d->study.model, *text = model_text(d);
  enum psl_code code = text ? psl_load_text(psl, model, text, strlen(text)) : psl_load_file(psl, model);
  if (code == PSL_OK) code = handle_enter(psl, work_compare, given);
  psl->options.diagnostic = said;
  return code;
}

/* Why the model cannot be run as it was. */
static const char *why_other(const struct document_given *given, enum psl_code code) {
  if (json_read_true(json_read_member(given->document->study.declaration, "session")))
    return "It is not run again: the session of the study had declared more than its model file holds. In a session "
           "':save FILE' writes all of it as a model.";
  if (code != PSL_OK)
    return "It is not run again: the model cannot be loaded. Its file has changed, or 'psl report' lacks an -I, "
           "--allow-native or --allow-read that 'psl study' had.";
  return given->refused ? "It is not run again: the model names a file that it may not read. 'psl report' lacks the "
                          "--allow-read that 'psl study' had."
                        : "It is not run again: the model is not what it was when the study ran.";
}

/* As psl_run does it, but that nothing is said of params without effect: who wants a page has set none. */
static enum psl_code work_run(struct psl *psl, void *arguments) {
  struct document *d = arguments;
  struct psl_run_options options = d->run_as;
  options.trace = options.levels = true;
  options.trace_processes = PSL_TIMELINE_PROCESSES;
  options.seed = d->chosen->seed;
  psl->memory.breakable = true;
  arena_close(&psl->handed);
  return model_bind(&psl->model) ? handle_run(psl, d->study.system, &options, &d->run) : PSL_WRONG;
}

/* Each step goes through the handle's entries, so nothing of the model is trusted here that is not elsewhere. */
/* What is not known is so again. */
static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static enum psl_code run_chosen(struct document_given *given) {
  struct document *d = given->document;
  if (!d->chosen)
    d->no_run = "No point of this study has been run to its end.";
  else if (d->chosen->failures)
    d->no_run = "It failed; its row above says why.";
  else if (!model_text(d) && !is_model_file(d->study.model))
    d->no_run = "It is not run again: the model file is not there.";
  if (d->no_run) return PSL_OK;
  enum psl_code code = load_studied(given);
  d->no_run = why_other(given, code);
  if (code != PSL_OK || !given->same) return code == PSL_MEMORY ? code : PSL_OK;
  d->no_run = "It cannot be run again: see what was said when this page was made.";
  if (!set_all(d)) return PSL_OK;
  code = handle_enter(d->psl, work_run, d);
  if (!d->psl->results) d->run = NULL; /* broken off after the run */
  if (code == PSL_OK && !is_same(d->run->makespan.value, d->chosen->makespan)) {
    d->no_run = "Run again, it comes to another time: what it depends on has changed.";
    d->run = NULL;
  }
  if (d->run) psl_params(d->psl, &d->params, &d->model_param_count);
  return code == PSL_MEMORY ? code : PSL_OK;
}

enum psl_code psl_page(struct psl *psl, const char *database, const struct psl_page_options *options, psl_write *write,
                       void *user) {
  static const struct psl_page_options none;
  struct document document = {.psl = psl, .database = database};
  struct document_given given = {&document, options ? options : &none, write, user, false};
  arena_open(&document.arena, &psl->memory);
  enum psl_code code = handle_enter(psl, work_read, &given);
  if (code == PSL_OK) code = run_chosen(&given);
  if (code == PSL_OK) code = handle_enter(psl, work_write, &given);
  psl_drop(psl, document.run);
  arena_close(&document.arena);
  return code;
}
