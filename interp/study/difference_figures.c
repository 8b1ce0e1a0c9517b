/* The figures of two models' runs, side by side: whatever the report of a run has, by the names that formats of lines
 * give it, so that what a report learns to say is compared, too.  Called by psl_diff. */
#include "interp/study/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct figure_met { /* in one run */
  struct difference_figure figure;
  int side;
  uint64_t repetition;
  double value, low, high;
};

/* What is told already, tells of how a result was come by, or counts nothing. */
static bool is_told(const char *table, const char *quantity) {
  static const char *const tables[] = {"shares",     "waiting",      "intervals", "histograms",
                                       "params_set", "params_unset", "timing",    "critical_path"};
  static const char *const facts[] = {"assertions", "messages", "bytes", "firings", "events", "process_count"};
  bool whole = !strcmp(table, "result"), told = whole || !strcmp(quantity, "part"); /* of a quantile */
  for (size_t f = 0; whole && f < sizeof facts / sizeof *facts; f++)
    told &= strcmp(quantity, facts[f]) != 0;
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    told |= !strcmp(table, tables[t]);
  return told;
}

struct taking {
  struct figures_met *figures;
  int side;
  uint64_t repetition;
};

static const char *copied(struct arena *arena, const char *text) { return arena_copy(arena, text, strlen(text)); }

static void take_line(struct report *report, const struct report_line *line) {
  const struct taking *taking = report->state;
  struct figures_met *figures = taking->figures;
  const struct report_cell *cell = line->cell;
  bool number = cell->kind == CELL_COUNT || cell->kind == CELL_REAL;
  if (!number || *line->end || is_told(line->table, line->quantity)) return;
  struct figure_met met = {.side = taking->side, .repetition = taking->repetition};
  met.figure = (struct difference_figure){
      .table = line->table,
      .name = strcmp(line->table, "result") ? copied(figures->arena, line->name) : "",
      .quantity = copied(figures->arena, line->quantity),
      .unit = copied(figures->arena, line->unit),
      .figure = cell->kind == CELL_COUNT ? FIGURE_COUNT : line->figure,
      .order = figures->count,
  };
  met.value = cell->kind == CELL_COUNT ? (double)cell->count : cell->real;
  met.low = cell->interval ? cell->low : (double)NAN;
  met.high = cell->interval ? cell->high : (double)NAN;
  ARENA_PUSH(figures->arena, figures->met, figures->count, figures->capacity, met);
}

static void take_fact(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  lines_fact(report, fact, cell, take_line);
}

static void take_row(struct report *report, const struct report_cell *cells) {
  size_t count = report->section->column_count;
  struct report_cell *taken = ARENA_ARRAY(report->arena, struct report_cell, count);
  for (size_t c = 0; c < count; c++) {
    taken[c] = cells[c];
    if (isinf(cells[c].real) && cells[c].kind == CELL_NONE) taken[c].kind = CELL_REAL; /* it has overflown */
  }
  if (section_shown(report->section, false)) lines_row(report, taken, take_line);
}

void figures_take(struct figures_met *figures, int side, uint64_t repetition, const struct results *run,
                  struct arena *scratch) {
  static const struct report_renderer taker = {.name = "figures", .fact = take_fact, .row = take_row};
  struct taking taking = {figures, side, repetition};
  struct report report = {.arena = scratch, .renderer = &taker, .state = &taking};
  report.out = &report.own;
  output_open(report.out, scratch, NULL, NULL);
  report_run(&report, run, &(struct psl_report_options){0});
  report_close(&report);
  arena_reset(scratch);
}

/* ---- side by side ---- */

/* What has another unit is another figure. */
static int by_name(const struct difference_figure *a, const struct difference_figure *b) {
  int order = strcmp(a->table, b->table);
  if (!order) order = strcmp(a->name, b->name);
  if (!order) order = strcmp(a->quantity, b->quantity);
  return order ? order : strcmp(a->unit, b->unit);
}

static int by_name_and_run(const void *left, const void *right) {
  const struct figure_met *a = left, *b = right;
  int order = by_name(&a->figure, &b->figure);
  if (order) return order;
  if (a->side != b->side) return a->side - b->side;
  if (a->repetition != b->repetition) return a->repetition < b->repetition ? -1 : 1;
  return a->figure.order < b->figure.order ? -1 : 1;
}

/* Those that one side lacks behind all others, and else as a run's report has them. */
static int by_distance(const void *left, const void *right) {
  const struct difference_figure *a = left, *b = right;
  if (isnan(a->apart) != isnan(b->apart)) return isnan(a->apart) ? 1 : -1;
  if (!isnan(a->apart) && a->apart != b->apart) return a->apart > b->apart ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* Of values one of which has overflown there is no interval. */
static struct study_mean mean_of(const double *values, uint64_t count) {
  for (uint64_t r = 0; r < count; r++)
    if (isinf(values[r])) return (struct study_mean){values[r], (double)NAN};
  return study_mean_of(values, count);
}

/* Where all runs of both sides have it those of one seed are pairs; else it has no interval. */
static struct study_mean change_of(const struct difference_figure *figure, double *values[2], uint64_t repetitions) {
  double change = figure->mean[1].value - figure->mean[0].value;
  if (!isfinite(change) || figure->runs[0] < repetitions || figure->runs[1] < repetitions)
    return (struct study_mean){change, (double)NAN};
  for (uint64_t r = 0; r < repetitions; r++)
    values[0][r] = values[1][r] - values[0][r];
  return study_mean_of(values[0], repetitions);
}

/* |change| over the greater of both; 0 where it is rounding. */
static double apart(const struct difference_figure *figure) {
  double greater = fmax(fabs(figure->mean[0].value), fabs(figure->mean[1].value));
  double change = fabs(figure->change.value), part = greater > 0 ? change / greater : 0;
  if (isinf(change)) return 1;
  return part <= 1e-12 ? 0 : part;
}

/* Of the runs of both sides, which stand one after another; two rows of one name have the figure of the first. */
static struct difference_figure compare(const struct figure_met *met, uint32_t count, double *values[2],
                                        uint64_t repetitions) {
  struct difference_figure figure = met[0].figure;
  for (int side = 0; side < 2; side++)
    figure.low[side] = figure.high[side] = (double)NAN;
  for (uint32_t m = 0; m < count; m++) {
    int side = met[m].side;
    if (figure.runs[side] && met[m].repetition == met[m - 1].repetition) continue;
    values[side][figure.runs[side]++] = met[m].value;
    figure.low[side] = met[m].low, figure.high[side] = met[m].high;
    if (met[m].figure.order < figure.order) figure.order = met[m].figure.order;
  }
  for (int side = 0; side < 2; side++) {
    if (!figure.runs[side]) continue;
    figure.mean[side] = mean_of(values[side], figure.runs[side]);
    if (repetitions < 2) continue;
    double half = figure.runs[side] > 1 ? figure.mean[side].half : (double)NAN;
    figure.low[side] = figure.mean[side].value - half;
    figure.high[side] = figure.mean[side].value + half;
  }
  figure.apart = (double)NAN;
  if (!figure.runs[0] || !figure.runs[1]) return figure;
  figure.change = change_of(&figure, values, repetitions);
  figure.apart = apart(&figure);
  if (figure.apart == 0) figure.change.value = 0;
  return figure;
}

void figures_compare(struct figures_met *figures, struct difference *out) {
  double *values[2];
  for (int side = 0; side < 2; side++)
    values[side] = ARENA_ARRAY(figures->arena, double, out->repetitions);
  if (figures->count) qsort(figures->met, figures->count, sizeof *figures->met, by_name_and_run);
  out->figures = ARENA_ARRAY(figures->arena, struct difference_figure, figures->count);
  for (uint32_t m = 0, end; m < figures->count; m = end) {
    for (end = m + 1; end < figures->count && !by_name(&figures->met[m].figure, &figures->met[end].figure);)
      end++;
    struct difference_figure figure = compare(&figures->met[m], end - m, values, out->repetitions);
    bool nothing = figure.mean[0].value == 0 && figure.mean[1].value == 0;
    if (!nothing) out->figures[out->figure_count++] = figure;
  }
  if (out->figure_count) qsort(out->figures, out->figure_count, sizeof *out->figures, by_distance);
}
