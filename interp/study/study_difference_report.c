/* The report of two studies side by side: what they were made of, each figure over all points, and the points.  Called
 * by psl_diff_studies. */
#include "interp/study/study_difference.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PARTS = 4 }; /* columns of a figure: A, B, B less A, B / A */

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void put_sides(struct report *report, const struct study_difference *d) {
  static const struct report_column columns[] = {
      {"side", "", .names = true},        {"study", "study"},       {"system", "system"},
      {"points", "points", FIGURE_COUNT}, {"database", "database"}, {"model", "model"},
  };
  const struct report_section section = {.key = "sides", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (int side = 0; side < 2; side++) {
    const struct document *document = d->sides[side];
    report_row(report, (struct report_cell[]){cell_word(side ? "B" : "A"), cell_word(document->study.name),
                                              cell_word(document->study.system), cell_count(document->point_count),
                                              cell_word(file_of(document->database)),
                                              cell_word(file_of(document->study.model))});
  }
  report_end(report);
}

static void put_unlike(struct report *report, const struct study_difference *d) {
  static const struct report_column columns[] = {{"what", "what", .names = true}, {"A", "A"}, {"B", "B"}};
  const struct report_section section = {
      .key = "unlike", .title = "what is not alike", REPORT_COLUMNS(columns), .kept = true};
  report_section(report, &section);
  for (size_t u = 0; u < d->unlike_count; u++)
    report_row(report, (struct report_cell[]){cell_word(d->unlike[u].what), cell_word(d->unlike[u].sides[0]),
                                              cell_word(d->unlike[u].sides[1])});
  report_end(report);
  if (!d->unlike_count) report_line(report, "\nthe two were made of the same");
}

/* ---- values ---- */

static struct report_cell param_cell(struct report *report, const struct study_difference *d, uint32_t p,
                                     const struct joined_point *point) {
  const struct joined_figure *param = &d->params[p];
  const struct picture_value *value = &point->sides[0]->first[param->figure[0]];
  struct text text = {.arena = report->arena};
  if (value->text) return cell_word(value->text);
  plot_value(&text, value->number, param->unit);
  return cell_shown(cell_real(value->number), text.data);
}

static const char *shown(struct report *report, const char *unit, double value, bool sign) {
  struct text text = {.arena = report->arena};
  if (sign && value > 0) text_char(&text, '+');
  if (!strcmp(unit, "s"))
    report_time(&text, value);
  else if (!strcmp(unit, "byte"))
    report_data(&text, value);
  else
    plot_value(&text, value, unit);
  return text.data;
}

static struct report_cell value_cell(struct report *report, const char *unit, struct study_mean mean, bool sign) {
  bool known = mean.half > 0;
  if (isnan(mean.value)) return cell_shown(cell_none(), "-");
  struct report_cell cell =
      known ? cell_estimate(mean.value, mean.value - mean.half, mean.value + mean.half) : cell_real(mean.value);
  cell.shown = shown(report, unit, mean.value, sign);
  if (known) cell.half = shown(report, unit, mean.half, false);
  return cell;
}

static struct report_cell ratio_cell(struct report *report, struct study_mean mean) {
  struct report_cell cell = value_cell(report, "", mean, false);
  if (cell.kind == CELL_NONE) return cell;
  char *shown = arena_printf(report->arena, "%#.4g", mean.value); /* 1.000 beside 0.9474 */
  size_t last = strlen(shown) - 1;
  if (shown[last] == '.') shown[last] = '\0';
  cell.shown = shown;
  if (mean.half > 0) cell.half = arena_printf(report->arena, "%.2g", mean.half);
  return cell;
}

/* "workers = 8, device = disk" */
static const char *place_text(struct report *report, const struct study_difference *d,
                              const struct joined_point *point) {
  struct text text = {.arena = report->arena};
  text_put(&text, "");
  for (uint32_t p = 0; p < d->param_count; p++) {
    struct report_cell cell = param_cell(report, d, p, point);
    text_printf(&text, "%s%s = %s", text.size ? ", " : "", d->params[p].name, cell.shown ? cell.shown : cell.word);
  }
  return text.data;
}

/* ---- each figure over all points ---- */

struct over_all {
  const struct joined_point *least, *greatest;
  double low, high, logs; /* of B / A; the sum of their logarithms */
  uint64_t positive;      /* ratios that have one */
  uint64_t more, less, same, sure;
};

/* Less than that is rounding. */
static bool is_same(struct joined_values values) {
  return fabs(values.less.value) <= 1e-12 * (fabs(values.sides[0].value) + fabs(values.sides[1].value));
}

static void take(struct over_all *all, const struct joined_point *point, struct joined_values values) {
  if (isnan(values.less.value)) return;
  double ratio = values.ratio.value;
  if (is_same(values))
    all->same++;
  else if (values.less.value > 0)
    all->more++;
  else
    all->less++;
  all->sure += !is_same(values) && !(fabs(values.less.value) <= values.less.half);
  if (isnan(ratio)) return;
  if (ratio > 0) all->logs += log(ratio), all->positive++;
  if (!all->least || ratio < all->low) all->least = point, all->low = ratio;
  if (!all->greatest || ratio > all->high) all->greatest = point, all->high = ratio;
}

static bool has_intervals(const struct study_difference *d) {
  for (uint32_t f = 0; f < d->figure_count; f++)
    for (size_t p = 0; p < d->point_count; p++)
      if (joined_values(d, &d->figures[f], &d->points[p]).less.half > 0) return true;
  return false;
}

static void put_overall(struct report *report, const struct study_difference *d, bool intervals) {
  const struct report_column columns[] = {
      {"figure", "figure", .names = true},
      {"ratio", "B / A, mean", FIGURE_NUMBER},
      {"least", "least", FIGURE_NUMBER},
      {"least_at", "at"},
      {"greatest", "greatest", FIGURE_NUMBER},
      {"greatest_at", "at"},
      {"greater", "B is more", FIGURE_COUNT},
      {"less", "less", FIGURE_COUNT},
      {"same", "the same", FIGURE_COUNT},
      {"significant", "significant", FIGURE_COUNT, .audience = intervals ? FOR_ALL : FOR_PROGRAMS},
  };
  const struct report_section section = {
      .key = "figures", .title = "figures, over all points", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (uint32_t f = 0; f < d->figure_count; f++) {
    struct over_all all = {0};
    for (size_t p = 0; p < d->point_count; p++)
      take(&all, &d->points[p], joined_values(d, &d->figures[f], &d->points[p]));
    double mean = all.positive ? exp(all.logs / (double)all.positive) : NAN;
    report_row(report, (struct report_cell[]){
                           cell_word(d->figures[f].name), cell_real(mean), all.least ? cell_real(all.low) : cell_none(),
                           cell_word(all.least ? place_text(report, d, all.least) : NULL),
                           all.greatest ? cell_real(all.high) : cell_none(),
                           cell_word(all.greatest ? place_text(report, d, all.greatest) : NULL), cell_count(all.more),
                           cell_count(all.less), cell_count(all.same), cell_count(all.sure)});
  }
  report_end(report);
}

/* ---- points ---- */

static struct report_column *columns_of(struct report *report, const struct study_difference *d, size_t *count) {
  static const char *const keys[PARTS] = {"A", "B", "difference", "ratio"};
  static const char *const heads[PARTS] = {"A", "B", "B less A", "B / A"};
  struct report_column *columns =
      ARENA_ARRAY(report->arena, struct report_column, 2 + d->param_count + PARTS * d->figure_count);
  size_t c = 0;
  columns[c++] = (struct report_column){"point", "point", FIGURE_COUNT};
  for (uint32_t p = 0; p < d->param_count; p++)
    columns[c++] =
        (struct report_column){d->params[p].name, d->params[p].name, d->params[p].text ? FIGURE_WORD : FIGURE_NUMBER,
                               *d->params[p].unit ? d->params[p].unit : NULL, .names = true};
  for (uint32_t f = 0; f < d->figure_count; f++) {
    const struct joined_figure *figure = &d->figures[f];
    for (int part = 0; part < PARTS; part++)
      columns[c++] =
          (struct report_column){arena_printf(report->arena, "%s.%s", figure->name, keys[part]),
                                 arena_printf(report->arena, "%s %s", figure->name, heads[part]), FIGURE_NUMBER,
                                 *figure->unit && part < PARTS - 1 ? figure->unit : NULL, .estimate = true};
  }
  columns[c++] = (struct report_column){"error", "error", .optional = true, .note = true};
  *count = c;
  return columns;
}

static const char *error_text(struct report *report, const struct joined_point *point) {
  const char *a = point->sides[0]->error, *b = point->sides[1]->error;
  if (a && b && strcmp(a, b)) return arena_printf(report->arena, "A: %s; B: %s", a, b);
  return a && b ? a : a || b ? arena_printf(report->arena, "%s: %s", a ? "A" : "B", a ? a : b) : NULL;
}

static void put_points(struct report *report, const struct study_difference *d, bool intervals) {
  size_t count;
  struct report_column *columns = columns_of(report, d, &count);
  struct report_cell *cells = ARENA_ARRAY(report->arena, struct report_cell, count);
  const struct report_section section = {.key = "points",
                                         .title = "points that both have",
                                         .columns = columns,
                                         .column_count = count,
                                         .main = true,
                                         .intervals = intervals,
                                         .explored = columns[d->param_count + PARTS].head};
  report_section(report, &section);
  for (size_t k = 0; k < d->point_count; k++) {
    const struct joined_point *point = &d->points[k];
    size_t c = 0;
    cells[c++] = cell_count(point->sides[0]->number);
    for (uint32_t p = 0; p < d->param_count; p++)
      cells[c++] = param_cell(report, d, p, point);
    for (uint32_t f = 0; f < d->figure_count; f++) {
      struct joined_values values = joined_values(d, &d->figures[f], point);
      cells[c++] = value_cell(report, d->figures[f].unit, values.sides[0], false);
      cells[c++] = value_cell(report, d->figures[f].unit, values.sides[1], false);
      cells[c++] = value_cell(report, d->figures[f].unit, values.less, true);
      cells[c++] = ratio_cell(report, values.ratio);
    }
    cells[c] = cell_word(error_text(report, point));
    report_row(report, cells);
  }
  report_end(report);
}

/* Has no point failed, and is each figure of each point the same, and known on both sides or on none? */
static bool are_alike(const struct study_difference *d) {
  for (size_t p = 0; p < d->point_count; p++) {
    if (d->points[p].sides[0]->error || d->points[p].sides[1]->error) return false;
    for (uint32_t f = 0; f < d->figure_count; f++) {
      struct joined_values values = joined_values(d, &d->figures[f], &d->points[p]);
      bool known[] = {!isnan(values.sides[0].value), !isnan(values.sides[1].value)};
      if (known[0] != known[1] || (known[0] && !is_same(values))) return false;
    }
  }
  return d->point_count && d->figure_count;
}

static void put_notes(struct report *report, const struct study_difference *d, bool intervals) {
  const char *begin = "\n";
  for (int side = 0; side < 2; side++)
    if (d->alone[side]) {
      report_line(report, "%s%s has %zu point%s that %s does not have", begin, side ? "B" : "A", d->alone[side],
                  d->alone[side] == 1 ? "" : "s", side ? "A" : "B");
      begin = "";
    }
  if (d->left_out) {
    report_line(report, "%sfigures that the two do not have alike: %s", begin, d->left_out);
    begin = "";
  }
  if (!intervals) return;
  if (d->paired)
    report_line(report,
                "%smeans of %" PRIu64 " runs of each point, with the same seeds; behind +- stands half of a 95 %% "
                "confidence interval, of differences and ratios by pairs of runs",
                begin, d->sides[0]->repetitions);
  else
    report_line(report,
                "%sbehind +- stands half of a 95 %% confidence interval, of differences and ratios as of figures that "
                "do not depend on each other",
                begin);
}

void report_study_difference(struct report *report, const struct study_difference *d) {
  bool intervals = has_intervals(d);
  report->title = arena_printf(report->arena, "%s and %s", d->sides[0]->study.name, d->sides[1]->study.name);
  report->single = true;
  put_sides(report, d);
  put_unlike(report, d);
  bool alike = report->renderer->people && are_alike(d);
  if (alike)
    report_line(report, "\nno difference in %zu point%s", d->point_count, d->point_count == 1 ? "" : "s");
  else
    put_overall(report, d, intervals);
  if (!alike) put_points(report, d, intervals);
  put_notes(report, d, intervals);
}
