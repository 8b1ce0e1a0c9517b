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
  if (section_shown(report->section, false)) lines_row(report, cells, take_line);
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

static int by_name(const struct difference_figure *a, const struct difference_figure *b) {
  int order = strcmp(a->table, b->table);
  if (!order) order = strcmp(a->name, b->name);
  return order ? order : strcmp(a->quantity, b->quantity);
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

/* Of the runs of both sides, which stand one after another; two rows of one name have the figure of the first. */
static struct difference_figure compare(const struct figure_met *met, uint32_t count, double *values[2],
                                        uint64_t repetitions) {
  struct difference_figure figure = met[0].figure;
  uint64_t known[2] = {0, 0};
  for (int side = 0; side < 2; side++)
    figure.low[side] = figure.high[side] = (double)NAN;
  for (uint32_t m = 0; m < count; m++) {
    int side = met[m].side;
    if (known[side] && met[m].repetition == met[m - 1].repetition) continue;
    values[side][known[side]++] = met[m].value;
    figure.low[side] = met[m].low, figure.high[side] = met[m].high;
    if (met[m].figure.order < figure.order) figure.order = met[m].figure.order;
  }
  for (int side = 0; side < 2; side++) {
    if (!(figure.known[side] = known[side] == repetitions)) continue;
    figure.mean[side] = study_mean_of(values[side], repetitions);
    if (repetitions < 2) continue;
    figure.low[side] = figure.mean[side].value - figure.mean[side].half;
    figure.high[side] = figure.mean[side].value + figure.mean[side].half;
  }
  figure.apart = (double)NAN;
  if (!figure.known[0] || !figure.known[1]) return figure;
  for (uint64_t r = 0; r < repetitions; r++)
    values[0][r] = values[1][r] - values[0][r];
  figure.change = study_mean_of(values[0], repetitions);
  double greater = fmax(fabs(figure.mean[0].value), fabs(figure.mean[1].value));
  figure.apart = greater > 0 ? fabs(figure.change.value) / greater : 0;
  if (figure.apart <= 1e-12) figure.apart = figure.change.value = 0; /* rounding */
  return figure;
}

void figures_compare(struct figures_met *figures, struct difference *out) {
  double *values[2];
  for (int side = 0; side < 2; side++)
    values[side] = ARENA_ARRAY(figures->arena, double, out->repetitions);
  qsort(figures->met, figures->count, sizeof *figures->met, by_name_and_run);
  out->figures = ARENA_ARRAY(figures->arena, struct difference_figure, figures->count);
  for (uint32_t m = 0, end; m < figures->count; m = end) {
    for (end = m + 1; end < figures->count && !by_name(&figures->met[m].figure, &figures->met[end].figure);)
      end++;
    struct difference_figure figure = compare(&figures->met[m], end - m, values, out->repetitions);
    bool nothing = figure.mean[0].value == 0 && figure.mean[1].value == 0;
    if (!nothing) out->figures[out->figure_count++] = figure;
  }
  qsort(out->figures, out->figure_count, sizeof *out->figures, by_distance);
}
