/* psl_diff_studies: two studies of databases are read, their points joined by the params that both have, and what they
 * were made of compared.  The report: study_difference_report.c. */
#include "interp/study/study_difference.h"
#include "interp/report/json_read.h"
#include "interp/study/groups.h"
#include "interp/study/model_path.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct study_diff_given {
  const struct psl_study_diff_options *options;
  psl_write *write;
  void *user;
};
struct differing_studies {
  struct psl *psl;
  struct study_difference out;
  struct document documents[2];
  struct arena_deferred deferred;
};

static enum psl_code fail(struct psl *psl, const char *what, const char *help) {
  diagnostic_misuse(&psl->diagnostics, "%s", what);
  if (help) diagnostic_help(&psl->diagnostics, (struct span){0}, "%s", help);
  return PSL_MISUSE;
}

/* ---- values ---- */

static struct study_mean mean_at(const struct document *d, uint32_t figure, const struct document_point *point) {
  const struct study_sample *sample = &point->samples[figure];
  if (point->failures || !sample->count || point->first[figure].text) return (struct study_mean){NAN, NAN};
  double half = !isnan(point->halves[figure]) ? point->halves[figure]
                : sample->count == 1          ? point->first[figure].half
                                              : study_sample_half(sample);
  (void)d;
  return (struct study_mean){sample->mean, half};
}

/* The values of all repetitions; NULL: some are not known one by one. */
static const double *each(const struct document *d, uint32_t figure, const struct document_point *point) {
  const double *values = &point->each[figure * d->repetitions];
  for (uint64_t r = 0; r < d->repetitions; r++)
    if (isnan(values[r])) return NULL;
  return values;
}

static bool has_one(double a, double b) { return !(isnan(a) && isnan(b)); }

/* Of two that are independent, or may be: NAN where neither has an interval. */
static double apart(double a, double b) { return has_one(a, b) ? hypot(isnan(a) ? 0 : a, isnan(b) ? 0 : b) : NAN; }

struct joined_values joined_values(const struct study_difference *d, const struct joined_figure *figure,
                                   const struct joined_point *point) {
  struct joined_values values;
  const double *runs[2] = {NULL, NULL};
  uint64_t count = d->sides[0]->repetitions;
  for (int side = 0; side < 2; side++) {
    values.sides[side] = mean_at(d->sides[side], figure->figure[side], point->sides[side]);
    if (d->paired) runs[side] = each(d->sides[side], figure->figure[side], point->sides[side]);
  }
  struct study_mean a = values.sides[0], b = values.sides[1];
  values.less = (struct study_mean){b.value - a.value, apart(a.half, b.half)};
  values.ratio = (struct study_mean){a.value != 0 ? b.value / a.value : (double)NAN, NAN};
  if (!isnan(values.ratio.value) && has_one(a.half, b.half) && b.value != 0)
    values.ratio.half = fabs(values.ratio.value) * apart(a.half / a.value, b.half / b.value);
  if (!runs[0] || !runs[1] || isnan(values.less.value)) return values;
  struct study_sample less = {0};
  for (uint64_t r = 0; r < count; r++)
    study_sample_add(&less, runs[1][r] - runs[0][r]);
  values.less.half = study_sample_half(&less);
  if (a.value != 0) values.ratio = study_ratio(runs[1], runs[0], count);
  return values;
}

/* ---- params ---- */

static uint32_t named(const struct document *d, const char *name, uint32_t from, uint32_t to) {
  for (uint32_t f = from; f < to; f++)
    if (!strcmp(d->figures[f].name, name)) return f;
  return (uint32_t)STUDY_NONE;
}

static const char *value_text(struct arena *arena, const struct picture_value *value, const char *unit) {
  struct text text = {.arena = arena};
  if (value->text) return value->text;
  if (isnan(value->number)) return "-";
  plot_value(&text, value->number, unit);
  return text.data;
}

/* Does the param differ between points? */
static bool varies(const struct document *d, uint32_t param) {
  for (size_t p = 1; p < d->point_count; p++) {
    const struct picture_value *a = &d->points[0].first[param], *b = &d->points[p].first[param];
    if (a->text && b->text ? strcmp(a->text, b->text) != 0 : a->number != b->number) return true;
  }
  return false;
}

static void add_unlike(struct study_difference *d, const char *what, const char *a, const char *b) {
  if (a && b && !strcmp(a, b)) return;
  struct unlike unlike = {what, {a ? a : "", b ? b : ""}, false};
  ARENA_PUSH(d->arena, d->unlike, d->unlike_count, d->unlike_capacity, unlike);
}

static void add_setting(struct study_difference *d, const char *name, const char *a, const char *b) {
  size_t before = d->unlike_count;
  add_unlike(d, name, a, b);
  if (d->unlike_count > before) d->unlike[before].setting = true;
}

/* The value that all points of a study have. */
static const char *fixed_text(struct study_difference *d, int side, uint32_t param) {
  const struct document *document = d->sides[side];
  return value_text(d->arena, &document->points[0].first[param], document->figures[param].unit);
}

static const char *setting(struct study_difference *d, int side, const char *wanted) {
  const char *settings = json_read_member(d->sides[side]->study.declaration, "settings");
  for (const char *item = json_read_first(settings); item; item = json_read_next(item)) {
    const char *name = json_read_string(d->arena, json_read_member(item, "name"));
    const char *value = json_read_string(d->arena, json_read_member(item, "value"));
    if (name && !strcmp(name, wanted)) return value;
  }
  return NULL;
}

static const char as_declared[] = "as declared";

/* A param that one of the two varies alone, and that has one value there, is what makes them differ, as a setting. */
static enum psl_code take_own(struct differing_studies *s, int side, uint32_t param) {
  struct study_difference *d = &s->out;
  const char *name = d->sides[side]->figures[param].name;
  if (varies(d->sides[side], param))
    return fail(s->psl,
                arena_printf(d->arena,
                             "%s varies '%s', and %s does not: their points are not told apart by the same "
                             "params",
                             side ? "B" : "A", name, side ? "A" : "B"),
                "studies are compared that vary the same params");
  const char *own = fixed_text(d, side, param), *other = setting(d, !side, name);
  if (!other) other = as_declared;
  add_setting(d, name, side ? other : own, side ? own : other);
  return PSL_OK;
}

static enum psl_code find_params(struct differing_studies *s) {
  struct study_difference *d = &s->out;
  const struct document *a = d->sides[0], *b = d->sides[1];
  d->params = ARENA_ARRAY(d->arena, struct joined_figure, a->param_count + 1);
  for (uint32_t p = 0; p < a->param_count; p++) {
    uint32_t other = named(b, a->figures[p].name, 0, b->param_count);
    if (other == (uint32_t)STUDY_NONE) {
      if (take_own(s, 0, p) != PSL_OK) return PSL_MISUSE;
      continue;
    }
    bool fixed = !varies(a, p) && !varies(b, other);
    if (fixed && strcmp(fixed_text(d, 0, p), fixed_text(d, 1, other)) != 0) {
      add_setting(d, a->figures[p].name, fixed_text(d, 0, p), fixed_text(d, 1, other));
      continue;
    }
    d->params[d->param_count++] = (struct joined_figure){a->figures[p].name, a->figures[p].unit, {p, other}, false};
  }
  for (uint32_t p = 0; p < b->param_count; p++)
    if (named(a, b->figures[p].name, 0, a->param_count) == (uint32_t)STUDY_NONE && take_own(s, 1, p) != PSL_OK)
      return PSL_MISUSE;
  return PSL_OK;
}

/* ---- points ---- */

/* Numbers that a list and a range come to may differ in their last bits. */
static void put_key(const struct study_difference *d, int side, const struct document_point *point, struct text *key) {
  key->size = 0;
  for (uint32_t p = 0; p < d->param_count; p++) {
    const struct picture_value *value = &point->first[d->params[p].figure[side]];
    if (value->text)
      text_printf(key, "%s\n", value->text);
    else
      text_printf(key, "%.12g\n", value->number);
  }
}

static enum psl_code join(struct differing_studies *s) {
  struct study_difference *d = &s->out;
  const struct document *a = d->sides[0], *b = d->sides[1];
  struct groups groups = {.arena = d->arena};
  struct text key = {.arena = d->arena};
  const struct document_point **others = ARENA_ARRAY(d->arena, const struct document_point *, b->point_count + 1);
  text_put(&key, "");
  for (size_t p = 0; p < b->point_count; p++) {
    put_key(d, 1, &b->points[p], &key);
    uint32_t group = groups_find(&groups, key.data, key.size);
    if (group < p)
      return fail(s->psl, "several points of B have the same values of the params that A varies, too",
                  "studies are compared that vary the same params");
    others[group] = &b->points[p];
  }
  d->points = ARENA_ARRAY(d->arena, struct joined_point, a->point_count + 1);
  for (size_t p = 0; p < a->point_count; p++) {
    put_key(d, 0, &a->points[p], &key);
    uint32_t group = groups_find(&groups, key.data, key.size);
    if (group < b->point_count)
      d->points[d->point_count++] = (struct joined_point){{&a->points[p], others[group]}};
    else
      d->alone[0]++;
  }
  d->alone[1] = b->point_count - (d->point_count < b->point_count ? d->point_count : b->point_count);
  if (!d->point_count) return fail(s->psl, "the two studies have no point in common", NULL);
  return PSL_OK;
}

static void find_texts(struct study_difference *d) {
  for (uint32_t p = 0; p < d->param_count; p++)
    for (size_t k = 0; k < d->point_count; k++)
      d->params[p].text |= d->points[k].sides[0]->first[d->params[p].figure[0]].text != NULL;
}

/* ---- figures ---- */

static bool is_figure(const struct document *d, uint32_t figure) {
  bool some = false;
  for (size_t p = 0; p < d->point_count; p++) {
    if (d->points[p].first[figure].text) return false;
    some |= d->points[p].samples[figure].count > 0;
  }
  return some && d->figures[figure].shown;
}

/* Is it 0 wherever the two are beside each other? */
static bool is_nothing(const struct study_difference *d, uint32_t a, uint32_t b) {
  for (size_t k = 0; k < d->point_count; k++) {
    const struct study_sample *x = &d->points[k].sides[0]->samples[a], *y = &d->points[k].sides[1]->samples[b];
    if ((x->count && x->mean != 0) || (y->count && y->mean != 0)) return false;
  }
  return true;
}

static void leave_out(struct study_difference *d, struct text *names, const char *name) {
  text_printf(names, "%s%s", names->size ? ", " : "", name);
  d->left_out = names->data;
}

static void find_figures(struct study_difference *d) {
  const struct document *a = d->sides[0], *b = d->sides[1];
  struct text names = {.arena = d->arena};
  d->figures = ARENA_ARRAY(d->arena, struct joined_figure, a->figure_count + 1);
  for (uint32_t f = a->param_count; f < a->figure_count; f++) {
    if (!is_figure(a, f)) continue;
    const struct document_figure *figure = &a->figures[f];
    uint32_t other = named(b, figure->name, b->param_count, b->figure_count);
    bool both = other != (uint32_t)STUDY_NONE && is_figure(b, other) && !strcmp(figure->unit, b->figures[other].unit);
    if (both && is_nothing(d, f, other)) continue;
    if (both)
      d->figures[d->figure_count++] = (struct joined_figure){figure->name, figure->unit, {f, other}, false};
    else
      leave_out(d, &names, figure->name);
  }
  for (uint32_t f = b->param_count; f < b->figure_count; f++)
    if (is_figure(b, f) && named(a, b->figures[f].name, a->param_count, a->figure_count) == (uint32_t)STUDY_NONE)
      leave_out(d, &names, b->figures[f].name);
}

/* ---- what they were made of ---- */

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static double declared_number(const struct document *d, const char *name) {
  return json_read_number(json_read_member(d->study.declaration, name));
}

static void compare_settings(struct study_difference *d) {
  for (int side = 0; side < 2; side++) {
    const char *settings = json_read_member(d->sides[side]->study.declaration, "settings");
    for (const char *item = json_read_first(settings); item; item = json_read_next(item)) {
      const char *name = json_read_string(d->arena, json_read_member(item, "name"));
      const char *values[2] = {name ? setting(d, 0, name) : NULL, name ? setting(d, 1, name) : NULL};
      if (!name || (side && values[0])) continue;
      /* A param that the other one varies stands there already. */
      if (named(d->sides[!side], name, 0, d->sides[!side]->param_count) != (uint32_t)STUDY_NONE) continue;
      add_setting(d, name, values[0] ? values[0] : as_declared, values[1] ? values[1] : as_declared);
    }
  }
}

static void compare_numbers(struct study_difference *d, const char *what, double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) return;
  add_unlike(d, what, arena_printf(d->arena, "%g", a), arena_printf(d->arena, "%g", b));
}

static void compare_makings(struct study_difference *d) {
  const struct document *a = d->sides[0], *b = d->sides[1];
  const char *models[2] = {file_of(a->study.model), file_of(b->study.model)};
  bool same_text = !memcmp(&a->study.model_key, &b->study.model_key, sizeof a->study.model_key);
  if (!same_text && !strcmp(models[0], models[1]) && !strcmp(a->study.version, b->study.version))
    add_unlike(d, "model", models[0], arena_printf(d->arena, "%s, another text", models[1]));
  else
    add_unlike(d, "model", models[0], models[1]);
  add_unlike(d, "system", a->study.system, b->study.system);
  add_unlike(d, "psl", a->study.version, b->study.version);
  compare_settings(d);
  compare_numbers(d, "seed", declared_number(a, "seed"), declared_number(b, "seed"));
  compare_numbers(d, "repetitions", (double)a->repetitions, (double)b->repetitions);
  compare_numbers(d, "warm-up (s)", a->run_as.warm_up, b->run_as.warm_up);
  compare_numbers(d, "max-time (s)", a->run_as.max_time, b->run_as.max_time);
  compare_numbers(d, "max-firings", (double)a->run_as.max_firings, (double)b->run_as.max_firings);
}

/* Where the runs of all points depend on the same a param that one side has set is what the other one has declared. */
static void leave_out_settings(struct study_difference *d) {
  size_t kept = 0;
  for (size_t k = 0; k < d->point_count; k++) {
    const struct joined_point *point = &d->points[k];
    if (memcmp(&point->sides[0]->key, &point->sides[1]->key, sizeof point->sides[0]->key)) return;
  }
  for (size_t u = 0; u < d->unlike_count; u++)
    if (!d->unlike[u].setting) d->unlike[kept++] = d->unlike[u];
  d->unlike_count = kept;
}

static bool same_seeds(const struct study_difference *d) {
  const struct document *a = d->sides[0], *b = d->sides[1];
  return a->repetitions > 1 && a->repetitions == b->repetitions &&
         declared_number(a, "seed") == declared_number(b, "seed");
}

/* ---- the entry ---- */

static void close_documents(void *user) {
  struct differing_studies *s = user;
  for (int side = 0; side < 2; side++)
    arena_close(&s->documents[side].arena);
}

static enum psl_code read_both(struct differing_studies *s, const struct psl_study_diff_options *options) {
  const char *databases[] = {options->first, options->second ? options->second : options->first};
  const char *studies[] = {options->first_study, options->second_study};
  for (int side = 0; side < 2; side++) {
    struct document *document = &s->documents[side];
    document->psl = s->psl;
    document->database = databases[side];
    document->each = true;
    s->out.sides[side] = document;
    if (!document_read(document, &(struct psl_page_options){.study = studies[side]})) return PSL_WRONG;
    if (!document->point_count) {
      const char *what =
          arena_printf(s->out.arena, "study '%s' of %s has no point", document->study.name, document->database);
      return fail(s->psl, what, NULL);
    }
  }
  return PSL_OK;
}

static enum psl_code compare(struct differing_studies *s) {
  struct study_difference *d = &s->out;
  enum psl_code code = find_params(s);
  if (code == PSL_OK) code = join(s);
  if (code != PSL_OK) return code;
  find_texts(d);
  find_figures(d);
  if (!d->figure_count) return fail(s->psl, "the two studies have no figure in common", NULL);
  compare_makings(d);
  leave_out_settings(d);
  d->paired = same_seeds(d);
  return PSL_OK;
}

static enum psl_code work_diff_studies(struct psl *psl, void *arguments) {
  const struct study_diff_given *given = arguments;
  struct differing_studies *s = ARENA_NEW(&psl->work, struct differing_studies);
  struct report report;
  *s = (struct differing_studies){.psl = psl, .out.arena = &psl->work};
  for (int side = 0; side < 2; side++)
    arena_open(&s->documents[side].arena, &psl->memory);
  s->deferred = (struct arena_deferred){.run = close_documents, .user = s};
  arena_defer(&psl->work, &s->deferred);
  enum psl_code code = read_both(s, given->options);
  if (code == PSL_OK) code = compare(s);
  if (code != PSL_OK) return code;
  report_open(&report, given->options->format, psl->columns, &psl->work, given->write, given->user);
  report_study_difference(&report, &s->out);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_diff_studies(struct psl *psl, const struct psl_study_diff_options *options, psl_write *write,
                               void *user) {
  return handle_enter(psl, work_diff_studies, &(struct study_diff_given){options, write, user});
}
