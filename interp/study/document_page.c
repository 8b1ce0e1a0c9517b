/* A study out of its database as a page: which answers, plots, tables and inputs it has.  Called by psl_page.
 */
#include "interp/study/document.h"
#include "interp/report/json_read.h"
#include "interp/report/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { GROUPS = 12 };  /* best points of one objective that stand above */
enum { ROWS = 10000 }; /* more points than that are in the plots, but not in the table */

/* ---- values ---- */

static const char *number_text(struct document *d, double number, const char *unit) {
  struct text text = {.arena = &d->arena};
  if (strcmp(unit, "s") == 0)
    report_time(&text, number);
  else if (strcmp(unit, "byte") == 0)
    report_data(&text, number);
  else
    plot_value(&text, number, unit);
  return text.data;
}

/* As the study has it: 40 s, not 40.00 s. */
static const char *param_text(struct document *d, double number, const char *unit) {
  struct text text = {.arena = &d->arena};
  plot_value(&text, number, unit);
  return text.data;
}

/* With half of its 95 % confidence interval, where there is one; a unit that both have stands once. */
static const char *mean_text(struct document *d, const struct study_sample *sample, double half, const char *unit) {
  const char *text = number_text(d, sample->mean, unit);
  if (!(half > 0)) return text;
  const char *spread = number_text(d, half, unit), *blank = strchr(text, ' '), *other = strchr(spread, ' ');
  int length = blank && other && !strcmp(blank, other) ? (int)(blank - text) : (int)strlen(text);
  return arena_printf(&d->arena, "%.*s ± %s", length, text, spread);
}

/* Of the mean over repetitions, or what one run has. */
static double half_of(const struct document_point *point, uint32_t figure) {
  const struct study_sample *sample = &point->samples[figure];
  if (!isnan(point->halves[figure])) return point->halves[figure];
  return sample->count == 1 ? point->first[figure].half : study_sample_half(sample);
}

static struct page_cell cell_of(struct document *d, const struct document_point *point, uint32_t figure) {
  const struct study_sample *sample = &point->samples[figure];
  const char *text = point->first[figure].text;
  if (text) return (struct page_cell){text, NAN};
  if (!sample->count) return (struct page_cell){"-", NAN};
  if (figure < d->param_count)
    return (struct page_cell){param_text(d, sample->mean, d->figures[figure].unit), sample->mean};
  double half = half_of(point, figure);
  return (struct page_cell){mean_text(d, sample, half, d->figures[figure].unit), sample->mean, half};
}

/* "px = 4, mk = 10": those that differ between points, or those that do not. */
static const char *params_of(struct document *d, const struct document_point *point, bool shown) {
  struct text text = {.arena = &d->arena};
  text_put(&text, "");
  for (uint32_t p = 0; p < d->param_count; p++)
    if (d->figures[p].shown == shown)
      text_printf(&text, "%s%s = %s", text.size ? ", " : "", d->figures[p].name, cell_of(d, point, p).text);
  return text.data;
}

/* The page is sent to others, whom the folders of this computer do not concern. */
static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const char *count_text(struct document *d, uint64_t count) {
  struct text text = {.arena = &d->arena};
  report_count(&text, count);
  return text.data;
}

/* ---- answers ---- */

static const char *objective_value(struct document *d, const struct document_objective *objective,
                                   const struct document_point *best) {
  if (!best) return "none";
  if (objective->makespan) return mean_text(d, &best->makespans, study_sample_half(&best->makespans), "s");
  return cell_of(d, best, objective->figure).text;
}

static const char *evidence_of(const struct document *d) {
  const char *evidence = NULL;
  for (size_t p = 0; p < d->point_count; p++) {
    const char *found = d->points[p].evidence;
    if (found && evidence && strcmp(found, evidence)) return "mixed";
    if (found) evidence = found;
  }
  return evidence ? evidence : "none";
}

static bool is_finished(const struct document *d) {
  return json_read_member(d->study.declaration, "outcome") || d->whole == d->study.point_count;
}

/* A best point of some says of which; of all, that is, "". */
static const char *among(struct document *d) {
  struct text text = {.arena = &d->arena};
  size_t fit = 0;
  for (size_t p = 0; p < d->point_count; p++)
    fit += document_whole(d, &d->points[p]) && !d->points[p].failures;
  if (fit == d->point_count && is_finished(d)) return "";
  text_put(&text, ", among the ");
  report_counted(&text, fit, "point");
  text_put(&text, " that succeeded");
  return text.data;
}

/* "load = 0.5 (point 3)" */
static const char *place_text(struct document *d, const struct document_point *point) {
  return arena_printf(&d->arena, "%s (point %" PRIu64 ")", params_of(d, point, true), point->number);
}

static double objective_half(const struct document_objective *objective, const struct document_point *point) {
  return objective->makespan ? study_sample_half(&point->makespans) : half_of(point, objective->figure);
}

static bool is_alike(const struct picture_value *a, const struct picture_value *b) {
  return a->text && b->text ? !strcmp(a->text, b->text) : a->number == b->number;
}

static bool same_group(const struct document_objective *objective, const struct document_point *a,
                       const struct document_point *b) {
  for (uint32_t k = 0; k < objective->by_count; k++)
    if (!is_alike(&a->first[objective->by[k]], &b->first[objective->by[k]])) return false;
  return true;
}

enum { SHOWN = 3 }; /* points of a list */

/* "; not told apart from it, since intervals overlap: load = 0.6 (point 4) and 2 more"; "": there are none. */
static const char *near_text(struct document *d, const struct document_objective *objective,
                             const struct document_point *best) {
  struct text text = {.arena = &d->arena};
  double value = document_value(d, objective, best), half = objective_half(objective, best);
  size_t count = 0;
  for (size_t p = 0; p < d->point_count; p++) {
    const struct document_point *point = &d->points[p];
    double own = objective_half(objective, point);
    bool near = fabs(document_value(d, objective, point) - value) <= own + (isnan(half) ? 0 : half);
    if (point == best || isnan(own) || !near || !same_group(objective, point, best)) continue;
    if (count++ >= SHOWN) continue;
    text_put(&text, count > 1 ? ", " : "; not told apart from it, since intervals overlap: ");
    text_put(&text, place_text(d, point));
  }
  if (count > SHOWN) text_printf(&text, " and %zu more", count - SHOWN);
  return text.data ? text.data : "";
}

static const struct document_point *point_numbered(const struct document *d, uint64_t number) {
  for (size_t p = 0; p < d->point_count; p++)
    if (d->points[p].number == number) return &d->points[p];
  return NULL;
}

/* "; its condition may hold or not, since an interval has the limit in it: load = 0.6 (point 4) and 2 more", of the
 * points with the same values as `like`; "": there are none. */
static const char *uncertain_text(struct document *d, const struct document_objective *objective,
                                  const struct document_point *like) {
  struct text text = {.arena = &d->arena};
  size_t count = 0;
  for (size_t k = 0; k < objective->uncertain_count; k++) {
    const struct document_point *point = point_numbered(d, objective->uncertain[k]);
    if (!point || (like && !same_group(objective, point, like)) || count++ >= SHOWN) continue;
    text_put(&text, count > 1 ? ", " : "; its condition may hold or not, since an interval has the limit in it: ");
    text_put(&text, place_text(d, point));
  }
  if (count > SHOWN) text_printf(&text, " and %zu more", count - SHOWN);
  return text.data ? text.data : "";
}

/* "; it has warned: 100 messages in orders[0] are never received"; "": it has not. */
static const char *warned_text(struct document *d, const struct document_point *best) {
  struct text text = {.arena = &d->arena};
  if (!best->warnings.size) return "";
  text_put(&text, "; it has warned: ");
  text_put_lines(&text, best->warnings.data, "; ");
  return text.data;
}

static const char *extreme_of(const struct document_objective *objective) {
  return objective->maximize ? "maximum of " : "minimum of ";
}

static struct page_fact best_fact(struct document *d, const struct document_objective *objective) {
  const char *way = objective->makespan ? "" : extreme_of(objective);
  const char *where = !d->point_count          ? "no point is there"
                      : !d->whole              ? "no point is whole"
                      : objective->conditional ? "no point fulfils its condition"
                                               : "no point has a value for it";
  if (objective->best)
    where = arena_printf(&d->arena, "%s%s%s", place_text(d, objective->best), among(d),
                         near_text(d, objective, objective->best));
  where = arena_printf(&d->arena, "%s%s%s", where, uncertain_text(d, objective, NULL),
                       objective->best ? warned_text(d, objective->best) : "");
  return (struct page_fact){arena_printf(&d->arena, "%s%s", way, objective->name),
                            objective_value(d, objective, objective->best), where};
}

/* "minimum of latency for load = 0.5" */
static struct page_fact group_fact(struct document *d, const struct document_objective *objective,
                                   const struct document_group *group) {
  struct text name = {.arena = &d->arena};
  text_printf(&name, "%s%s for ", extreme_of(objective), objective->name);
  for (uint32_t k = 0; k < objective->by_count; k++)
    text_printf(&name, "%s%s = %s", k ? ", " : "", d->figures[objective->by[k]].name,
                cell_of(d, group->first, objective->by[k]).text);
  const char *where = "no point has a value for it";
  if (group->best)
    where = arena_printf(&d->arena, "%s%s", place_text(d, group->best), near_text(d, objective, group->best));
  where = arena_printf(&d->arena, "%s%s%s", where, uncertain_text(d, objective, group->first),
                       group->best ? warned_text(d, group->best) : "");
  return (struct page_fact){name.data, objective_value(d, objective, group->best), where};
}

/* The first groups; of the others the best points are shaded in the table. */
static size_t put_groups(struct document *d, const struct document_objective *objective, struct page_fact *facts) {
  size_t count = 0;
  for (; count < objective->group_count && count < GROUPS; count++)
    facts[count] = group_fact(d, objective, &objective->groups[count]);
  if (count < objective->group_count) {
    facts[count] = (struct page_fact){arena_printf(&d->arena, "%s for others", objective->name),
                                      arena_printf(&d->arena, "%s more", count_text(d, objective->group_count - count)),
                                      "shaded in the table below"};
    count++;
  }
  return count;
}

/* Which points there are of those that should be. */
static const char *points_text(struct document *d) {
  const char *total = count_text(d, d->study.point_count), *whole = count_text(d, d->whole);
  if (is_finished(d)) return whole;
  if (json_read_true(json_read_member(d->study.declaration, "searched")))
    return arena_printf(&d->arena, "%s points, unfinished", whole);
  const char *most = json_read_true(json_read_member(d->study.declaration, "counted")) ? "" : "at most ";
  return arena_printf(&d->arena, "%s of %s%s points, unfinished", whole, most, total);
}

static const char *points_note(struct document *d) {
  size_t failed = 0, begun = d->point_count - d->whole;
  struct text text = {.arena = &d->arena};
  for (size_t p = 0; p < d->point_count; p++)
    failed += d->points[p].failures > 0;
  if (!d->point_count) return is_finished(d) ? "no point fulfils `where`" : NULL;
  if (failed)
    text_printf(&text, "%zu of them failed", failed);
  else if (d->whole)
    text_printf(&text, "%s ran to their end", is_finished(d) ? "all" : "these");
  if (d->timed.points == d->point_count)
    text_put(&text, ", which --max-time has stated");
  else if (d->timed.points)
    text_printf(&text, "%s%zu ended by --max-time", text.size ? ", " : "", d->timed.points);
  if (begun) text_printf(&text, "%s%zu with some of the repetitions alone", text.size ? ", " : "", begun);
  if (json_read_true(json_read_member(d->study.declaration, "searched")))
    text_printf(&text, ", by a search among %s", count_text(d, d->study.point_count));
  return text.data;
}

/* Each assertion that does not hold, or of which that is not known, or that all do. */
static size_t put_assertions(struct document *d, struct page_fact *facts) {
  const char *outcome = json_read_member(d->study.declaration, "outcome");
  const char *assertions = json_read_member(d->study.declaration, "assertions");
  size_t count = 0;
  if (!json_read_first(assertions)) return 0;
  for (const char *item = json_read_first(outcome); item; item = json_read_next(item)) {
    const char *assertion = json_read_string(&d->arena, json_read_member(item, "assertion"));
    const char *holds = json_read_member(item, "holds");
    if (json_read_true(holds)) continue;
    facts[count++] = (struct page_fact){arena_printf(&d->arena, "Assertion %s", assertion ? assertion : ""),
                                        holds && *holds == 'n' ? "not known" : "does not hold",
                                        json_read_string(&d->arena, json_read_member(item, "text"))};
  }
  if (count) return count;
  facts[0] = (struct page_fact){"Assertions", outcome ? "all hold" : "not known",
                                outcome ? NULL : "they are judged when the study ends"};
  return 1;
}

/* "at 4 of 4 points", "first at n = 16 (point 0): the stretch is too short" */
static struct page_fact warning_fact(struct document *d, const struct document_warning *warning) {
  struct text note = {.arena = &d->arena};
  bool several = warning->points > 1;
  if (d->point_count > 1)
    text_printf(&note, "%sat %s: ", several ? "first " : "", place_text(d, &d->points[warning->first]));
  text_put(&note, warning->what);
  return (struct page_fact){
      "Warned", arena_printf(&d->arena, "at %zu of %s", warning->points, count_text(d, d->point_count)), note.data};
}

static void put_answers(struct document *d, struct page *page) {
  size_t count = 0, assertions = 0;
  for (const char *item = json_read_first(json_read_member(d->study.declaration, "outcome")); item;
       item = json_read_next(item))
    assertions++;
  size_t most = d->objective_count * (GROUPS + 1) + 3 + assertions + d->warning_count;
  struct page_fact *answers = ARENA_ARRAY(&d->arena, struct page_fact, most);
  for (uint32_t o = 0; o < d->objective_count; o++)
    if (d->objectives[o].group_count)
      count += put_groups(d, &d->objectives[o], &answers[count]);
    else
      answers[count++] = best_fact(d, &d->objectives[o]);
  answers[count++] = (struct page_fact){"Points", points_text(d), points_note(d)};
  count += put_assertions(d, &answers[count]);
  for (size_t w = 0; w < d->warning_count; w++)
    answers[count++] = warning_fact(d, &d->warnings[w]);
  answers[count++] = (struct page_fact){"Evidence", evidence_of(d), "of these predictions"};
  page->answers = answers;
  page->answer_count = count;
}

/* ---- plots ---- */

static const char *plot_title(struct document *d, const struct study_plot *plot) {
  struct text text = {.arena = &d->arena};
  for (uint32_t s = 0; s < plot->series_count; s++)
    text_printf(&text, "%s%s", s ? ", " : "", d->figures[plot->series[s]].name);
  text_printf(&text, " against %s", d->figures[plot->against].name);
  if (plot->by != (uint32_t)STUDY_NONE) text_printf(&text, " by %s", d->figures[plot->by].name);
  return text.data;
}

/* Number `number` of the page's; one that cannot be drawn says why. */
static struct page_plot draw_plot(struct document *d, const char *title, const struct plot *plot, unsigned number) {
  struct text why = {.arena = &d->arena};
  struct page_plot drawn = {.title = title};
  if (plot_is_empty(plot))
    text_printf(&why, "it would be empty%s%s", plot->note ? "; " : "", plot->note ? plot->note : "");
  else
    page_draw(&drawn, plot, number, &why);
  if (drawn.svg || document_interrupted(d)) return drawn;
  drawn.why = arena_printf(&d->arena, "This plot is not drawn: %s.", why.data);
  if (!d->not_drawn || strcmp(d->not_drawn, why.data))
    diagnostic_add(&d->psl->diagnostics, SEVERITY_WARNING, (struct span){0, 0}, "a plot is not drawn: %s", why.data);
  d->not_drawn = why.data;
  return drawn;
}

static void put_plots(struct document *d, struct page *page) {
  struct page_plot *plots = ARENA_ARRAY(&d->arena, struct page_plot, d->plot_count);
  for (uint32_t k = 0; k < d->plot_count && !document_interrupted(d); k++)
    plots[k] = draw_plot(d, plot_title(d, &d->plots[k]), picture_plot(d->pictures[k]), k + 1);
  diagnostic_flush(&d->psl->diagnostics);
  page->plots = plots;
  page->plot_count = d->plot_count;
}

/* Of the run that is shown in detail. */
static void put_levels(struct document *d, struct page *page) {
  const struct results *run = (const struct results *)d->run;
  size_t count;
  if (!run || !run->levels) return;
  struct plot **plots = levels_plots(&d->arena, run, &count);
  struct page_plot *drawn = ARENA_ARRAY(&d->arena, struct page_plot, count);
  for (size_t k = 0; k < count && !document_interrupted(d); k++)
    drawn[k] = draw_plot(d, arena_printf(&d->arena, "Levels of %s over time", plots[k]->title), plots[k],
                         d->plot_count + 1 + (unsigned)k);
  diagnostic_flush(&d->psl->diagnostics);
  page->levels = drawn;
  page->level_count = count;
}

/* ---- points ---- */

static bool is_text(const struct document *d, uint32_t figure) {
  for (size_t p = 0; p < d->point_count; p++)
    if (d->points[p].first[figure].text) return true;
  return false;
}

/* In a column whole numbers are set off by thousands, as in the table of psl study. */
static struct page_cell column_cell(struct document *d, const struct document_point *point, uint32_t figure) {
  struct page_cell cell = cell_of(d, point, figure);
  bool whole = cell.number >= 0 && cell.number < 1e15 && cell.number == floor(cell.number);
  if (whole && !*d->figures[figure].unit && !(half_of(point, figure) > 0))
    cell.text = count_text(d, (uint64_t)cell.number);
  return cell;
}

static bool has_value(const struct document_point *point, uint32_t figure) {
  return point->samples[figure].count || point->first[figure].text;
}

/* A point that has no figures has its error in their place. */
static bool has_error_alone(const struct document *d, const struct document_point *point) {
  if (!point->error) return false;
  for (uint32_t f = d->param_count; f < d->figure_count; f++)
    if (d->figures[f].shown && has_value(point, f)) return false;
  return true;
}

/* The columns of the table are those that some point has a value of; the names of the others, for a sentence. */
static const char *choose_columns(struct document *d) {
  struct text absent = {.arena = &d->arena};
  for (uint32_t f = 0; f < d->figure_count; f++) {
    struct document_figure *figure = &d->figures[f];
    bool some = !d->point_count;
    for (size_t p = 0; p < d->point_count && !some; p++)
      some = has_value(&d->points[p], f);
    figure->listed = figure->shown && some;
    if (figure->shown && !some) text_printf(&absent, "%s%s", absent.size ? ", " : "", figure->name);
  }
  return absent.data;
}

static struct page_row row_of(struct document *d, const struct document_point *point, size_t columns, bool errors) {
  struct page_cell *cells = ARENA_ARRAY(&d->arena, struct page_cell, columns);
  bool alone = has_error_alone(d, point);
  size_t c = 0;
  cells[c++] = (struct page_cell){arena_printf(&d->arena, "%" PRIu64, point->number), (double)point->number};
  for (uint32_t f = 0; f < (alone ? d->param_count : d->figure_count); f++)
    if (d->figures[f].listed) cells[c++] = column_cell(d, point, f);
  if (alone) {
    cells[c++] = (struct page_cell){point->error, NAN};
    return (struct page_row){cells, c, false, point == d->chosen};
  }
  cells[c++] = (struct page_cell){point->evidence ? point->evidence : "-", NAN};
  if (errors) cells[c++] = (struct page_cell){point->error ? point->error : "", NAN};
  return (struct page_row){cells, 0, point->best, point == d->chosen};
}

static void put_member(struct text *json, const char *name, const char *value) {
  if (!name || !value) return;
  text_put(json, json->size > 1 ? "," : "");
  text_json(json, name);
  text_char(json, ':');
  text_json(json, value);
}

/* A value of a param as PSL writes it, but that a string has no quotes. */
static const char *expression_text(struct document *d, const struct picture_value *value, const char *unit) {
  struct text text = {.arena = &d->arena};
  if (value->text || isnan(value->number)) return value->text;
  text_number(&text, value->number);
  if (strncmp(unit, "1/", 2) == 0)
    text_printf(&text, " / (1 %s)", unit + 2);
  else if (*unit)
    text_printf(&text, " %s", unit);
  return text.data;
}

/* {"result": "100 MB"}: the settings of the study, and the params that its table leaves out, which are the same at all
 * points. */
static const char *common_text(struct document *d) {
  struct text json = {.arena = &d->arena};
  const char *settings = json_read_member(d->study.declaration, "settings");
  text_char(&json, '{');
  for (const char *item = json_read_first(settings); item; item = json_read_next(item))
    put_member(&json, json_read_string(&d->arena, json_read_member(item, "name")),
               json_read_string(&d->arena, json_read_member(item, "value")));
  for (uint32_t p = 0; p < d->param_count && d->point_count; p++)
    if (!d->figures[p].listed)
      put_member(&json, d->figures[p].name, expression_text(d, d->points[0].first + p, d->figures[p].unit));
  text_char(&json, '}');
  return json.data;
}

/* A shell takes it as it is. */
static bool is_plain(const char *name) {
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) return false;
  return *name && *name != '-';
}

/* How each run of a point was made: {"seed": 7, "repetitions": 3, "max-time": 10}. */
static const char *run_json(struct document *d) {
  const struct {
    const char *name;
    double value;
  } asked[] = {
      {"max-firings", (double)d->run_as.max_firings}, {"max-time", d->run_as.max_time}, {"warm-up", d->run_as.warm_up}};
  double seed = json_read_number(json_read_member(d->study.declaration, "seed"));
  struct text text = {.arena = &d->arena};
  text_printf(&text, "{\"seed\": %.0f, \"repetitions\": %" PRIu64, seed >= 0 ? seed : 0, d->repetitions);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    if (asked[i].value > 0) {
      text_printf(&text, ", \"%s\": ", asked[i].name);
      text_number(&text, asked[i].value);
    }
  text_char(&text, '}');
  return text.data;
}

/* It begins with the first plot of the study. */
static void put_explorer(struct document *d, struct page *page) {
  const struct study_plot *plot = d->plot_count ? d->plots : NULL;
  page->explorer = (struct page_explorer){.table = d->point_count > 1 ? "points" : NULL};
  page->explorer.system = d->study.system;
  page->explorer.set = common_text(d);
  page->explorer.run = run_json(d);
  if (is_plain(file_of(d->database)) && is_plain(d->study.view))
    page->explorer.command =
        arena_printf(&d->arena, "psl report --point {} %s %s", file_of(d->database), d->study.view);
  if (!plot) return;
  page->explorer.x = d->figures[plot->against].name;
  page->explorer.y = d->figures[*plot->series].name;
  if (plot->by != (uint32_t)STUDY_NONE) page->explorer.by = d->figures[plot->by].name;
  page->explorer.log_x = plot->log_x;
  page->explorer.log_y = plot->log_y;
}

static void put_points(struct document *d, struct page *page) {
  struct page_column *columns = ARENA_ARRAY(&d->arena, struct page_column, d->figure_count + 3);
  size_t count = 0, rows = d->point_count < ROWS ? d->point_count : ROWS;
  const char *absent = choose_columns(d);
  bool errors = false;
  for (size_t p = 0; p < d->point_count; p++)
    errors |= d->points[p].error && !has_error_alone(d, &d->points[p]);
  columns[count++] = (struct page_column){"point", true};
  for (uint32_t f = 0; f < d->figure_count; f++)
    if (d->figures[f].listed)
      columns[count++] =
          (struct page_column){d->figures[f].name, !is_text(d, f), d->figures[f].unit, f < d->param_count};
  columns[count++] = (struct page_column){"evidence", false};
  if (errors) columns[count++] = (struct page_column){"error", false};
  struct page_row *table = ARENA_ARRAY(&d->arena, struct page_row, rows);
  for (size_t p = 0; p < rows; p++)
    table[p] = row_of(d, &d->points[p], count, errors);
  page->points = (struct page_table){columns, count, table, rows};
  put_explorer(d, page);
  page->points_note = "A heading sorts the table. Best points are shaded, the one shown in detail framed.";
  const char *fixed = d->point_count ? params_of(d, d->points, false) : "";
  if (*fixed) page->points_note = arena_printf(&d->arena, "%s All have %s.", page->points_note, fixed);
  if (absent) page->points_note = arena_printf(&d->arena, "%s No point has a value of %s.", page->points_note, absent);
  if (rows < d->point_count)
    page->points_note = arena_printf(&d->arena, "%s These are the first %s of %s points; the database has all.",
                                     page->points_note, count_text(d, rows), count_text(d, d->point_count));
}

static void put_chosen(struct document *d, struct page *page) {
  const struct document_point *point = d->chosen;
  page->run = (const struct results *)d->run;
  page->no_run = d->no_run;
  page->point_title = "";
  if (!point) return;
  struct text title = {.arena = &d->arena};
  text_printf(&title, "Point %" PRIu64 ": %s.", point->number, params_of(d, point, true));
  if (!isnan(point->makespan)) {
    text_put(&title, " Predicted time ");
    report_time(&title, point->makespan);
    text_printf(&title, ", %s.", point->evidence);
    const char *why = d->run ? report_too_short(&d->arena, d->run) : NULL;
    if (why) text_printf(&title, " It is too short: %s.", why);
  }
  if (point->runs > 1) text_put(&title, " This is its first repetition.");
  page->point_title = title.data;
}

/* ---- inputs ---- */

/* A string that is the whole name of a file, without the folders. */
static const char *without_folders(struct document *d, const char *value) {
  bool path = value && value[0] == '"' && value[1] == '/';
  return path ? arena_printf(&d->arena, "\"%s", file_of(value)) : value;
}

static const char *settings_text(struct document *d) {
  struct text text = {.arena = &d->arena};
  const char *settings = json_read_member(d->study.declaration, "settings");
  for (const char *item = json_read_first(settings); item; item = json_read_next(item)) {
    const char *name = json_read_string(&d->arena, json_read_member(item, "name"));
    const char *value = without_folders(d, json_read_string(&d->arena, json_read_member(item, "value")));
    text_printf(&text, "%s%s = %s", text.size ? ", " : "", name ? name : "", value ? value : "");
  }
  return text.size ? text.data : "none: all params as the model has them";
}

/* "px: 4 values", "mk: 1 to 16 by * 2", "py: px" */
static const char *axes_text(struct document *d) {
  struct text text = {.arena = &d->arena};
  const char *axes = json_read_member(d->study.declaration, "axes");
  text_put(&text, "");
  for (const char *item = json_read_first(axes); item; item = json_read_next(item)) {
    const char *name = json_read_string(&d->arena, json_read_member(item, "name"));
    const char *unit = json_read_string(&d->arena, json_read_member(item, "unit"));
    const char *tied = json_read_string(&d->arena, json_read_member(item, "tied"));
    double low = json_read_number(json_read_member(item, "low")),
           high = json_read_number(json_read_member(item, "high"));
    double factor = json_read_number(json_read_member(item, "factor")),
           step = json_read_number(json_read_member(item, "step"));
    text_printf(&text, "%s%s", text.size ? "\n" : "", name ? name : "");
    if (tied)
      text_printf(&text, " = %s", tied);
    else if (isnan(low))
      text_printf(&text, ": %g values", json_read_number(json_read_member(item, "count")));
    else
      text_printf(&text, ": %s to %s by %s%s", number_text(d, low, unit ? unit : ""),
                  number_text(d, high, unit ? unit : ""), isnan(factor) ? "" : "* ",
                  isnan(factor) ? number_text(d, step, unit ? unit : "") : number_text(d, factor, ""));
  }
  return text.size ? text.data : "nothing";
}

static const char *repetitions_text(struct document *d) {
  double repetitions = json_read_number(json_read_member(d->study.declaration, "repetitions"));
  double seed = json_read_number(json_read_member(d->study.declaration, "seed"));
  if (!(repetitions > 1)) return arena_printf(&d->arena, "1, seed %g", seed);
  return arena_printf(&d->arena, "%g, seeds %g to %g; means, with half of their 95 %% confidence interval", repetitions,
                      seed, seed + repetitions - 1);
}

/* "a warm-up of 10.00 s left out, ended at 100.0 s of simulated time at the latest"; NULL: as always. */
static const char *run_text(struct document *d) {
  const struct psl_run_options *run = &d->run_as;
  struct text text = {.arena = &d->arena};
  if (run->warm_up > 0) text_printf(&text, ", what happens before %s left out", number_text(d, run->warm_up, "s"));
  if (run->max_time > 0) text_printf(&text, ", %s of simulated time at most", number_text(d, run->max_time, "s"));
  if (run->max_firings) text_printf(&text, ", %s firings at most", count_text(d, run->max_firings));
  if (run->deny_lossy) text_put(&text, ", coercions that lose something refused");
  return text.size ? text.data + 2 : NULL;
}

static void put_inputs(struct document *d, struct page *page) {
  const struct page_fact facts[] = {
      {"Study", d->study.name, NULL},
      {"Model", file_of(d->study.model), NULL},
      {"System", d->study.system, NULL},
      {"Settings", settings_text(d), NULL},
      {"Varied", axes_text(d), NULL},
      {"Runs a point", repetitions_text(d), NULL},
      {"Of each run", run_text(d), NULL},
      {"Computed by", arena_printf(&d->arena, "psl %s", d->study.version), NULL},
      {"Database", file_of(d->database), NULL},
      {"Computing time", d->timing ? number_text(d, d->wall, "s") : NULL, NULL},
      {"Last written", d->timing ? d->written : NULL, NULL},
  };
  struct page_fact *inputs = ARENA_ARRAY(&d->arena, struct page_fact, sizeof facts / sizeof *facts);
  size_t count = 0;
  for (size_t f = 0; f < sizeof facts / sizeof *facts; f++)
    if (facts[f].value) inputs[count++] = facts[f];
  page->inputs = inputs;
  page->input_count = count;
}

enum { DIGITS = 16 }; /* of a number that is written so that nothing is lost: it is shown as others are */

static const char *param_value(struct document *d, const struct psl_param *param) {
  bool number = isfinite(param->number) && param->value && strcspn(param->value, " ") >= DIGITS;
  return number ? number_text(d, param->number, param->unit ? param->unit : "") : without_folders(d, param->value);
}

static void put_params(struct document *d, struct page *page) {
  static const struct page_column columns[] = {
      {"param", false}, {"value", false}, {"type", false}, {"from", false}, {"documentation", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  struct page_row *rows = ARENA_ARRAY(&d->arena, struct page_row, d->model_param_count);
  for (size_t p = 0; p < d->model_param_count; p++) {
    const struct psl_param *param = &d->params[p];
    const char *texts[] = {param->name, param_value(d, param), param->type, param->file ? file_of(param->file) : NULL,
                           param->doc};
    struct page_cell *cells = ARENA_ARRAY(&d->arena, struct page_cell, COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++)
      cells[c] = (struct page_cell){texts[c] ? texts[c] : "", NAN};
    rows[p] = (struct page_row){.cells = cells};
  }
  page->params = (struct page_table){columns, COLUMNS, rows, d->model_param_count};
}

bool document_write(struct document *d, psl_write *write, void *user) {
  struct page page = {.title = arena_printf(&d->arena, "%s of %s", d->study.name, d->study.system)};
  struct output out;
  if (strcmp(d->study.name, d->study.system) == 0) page.title = d->study.name;
  page.kicker = "A study of predicted performance";
  page.subtitle = arena_printf(&d->arena, "Model %s, computed by psl %s", file_of(d->study.model), d->study.version);
  page.footer =
      arena_printf(&d->arena, "Made by psl %s from %s. Times are predictions of a model, as good as its evidence.",
                   psl_version(), file_of(d->database));
  put_answers(d, &page);
  put_plots(d, &page);
  put_levels(d, &page);
  if (document_interrupted(d)) return false;
  put_points(d, &page);
  put_chosen(d, &page);
  put_inputs(d, &page);
  put_params(d, &page);
  output_open(&out, &d->arena, write, user);
  page_write(&out, &page);
  output_close(&out);
  return true;
}
