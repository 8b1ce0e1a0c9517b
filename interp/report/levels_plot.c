/* How levels go over the time of a run, as plots: one a component, with a panel for each thing that changes and a line
 * for each instance. Called by psl_plot_levels and the page of a study. */
#include "interp/execute/levels.h"
#include "interp/report/plot.h"
#include "interp/report/results.h"

#include <string.h>

struct results_level {
  const char *instance, *component, *name, *unit;
  struct psl_level *level;
};

static const char *unit_of(struct results *results, const struct psl_level *level) {
  struct text unit = {.arena = &results->arena};
  if (level->type && level->type->kind != TYPE_INT) unit_print(&unit, results->types, level->type->dimension);
  return unit.data ? unit.data : "";
}

void results_levels(struct results *results, const struct graph *graph) {
  const struct levels *levels = results->levels;
  results->level_rows = ARENA_ARRAY(&results->arena, struct results_level, levels->count);
  for (uint32_t i = 0; i < levels->count; i++) {
    struct psl_level *level = levels->items[i];
    struct text name = {.arena = &results->arena};
    graph_instance_print(&name, graph, level->instance);
    const char *component = graph_component(graph, level->instance)->symbol->name->text;
    results->level_rows[i] = (struct results_level){
        name.data, arena_copy(&results->arena, component, strlen(component)),
        arena_copy(&results->arena, level->name, strlen(level->name)), unit_of(results, level), level};
  }
}

enum { CHANGES = COURSE_STRETCHES }; /* more than that are no line that one could follow */

static void put_line(struct arena *arena, struct plot_series *series, struct course *course, double end) {
  double *x = ARENA_ARRAY(arena, double, COURSE_POINTS), *y = ARENA_ARRAY(arena, double, COURSE_POINTS);
  series->count = course_line(course, end, x, y);
  series->points = ARENA_ARRAY(arena, struct plot_point, series->count);
  for (size_t p = 0; p < series->count; p++)
    series->points[p] = (struct plot_point){.x = x[p], .y = y[p], .low = NAN, .high = NAN};
}

static void put_means(struct arena *arena, struct plot_series *series, struct course *course, double end) {
  struct course_stretch *stretches = ARENA_ARRAY(arena, struct course_stretch, COURSE_STRETCHES);
  series->count = course_stretches(course, end, stretches);
  series->points = ARENA_ARRAY(arena, struct plot_point, series->count);
  series->band = true;
  for (size_t p = 0; p < series->count; p++)
    series->points[p] = (struct plot_point){
        .x = stretches[p].middle, .y = stretches[p].mean, .low = stretches[p].least, .high = stretches[p].greatest};
}

static struct plot_series series_of(struct arena *arena, const struct results *results,
                                    const struct results_level *row) {
  struct course *course = &row->level->course;
  struct plot_series series = {.name = row->instance};
  if (course_changes(course) > CHANGES)
    put_means(arena, &series, course, results->end);
  else
    put_line(arena, &series, course, results->end);
  return series;
}

/* Bands of several lines would hide each other. */
static void drop_bands(struct plot_panel *panel) {
  for (size_t s = 0; panel->count > 1 && s < panel->count; s++)
    for (size_t p = 0; p < panel->series[s].count; p++)
      panel->series[s].points[p].low = panel->series[s].points[p].high = NAN;
}

static const char *note_of(struct arena *arena, const struct results *results, const struct plot *plot) {
  struct text note = {.arena = arena};
  bool means = false, band = false;
  for (size_t p = 0; p < plot->panel_count; p++)
    for (size_t s = 0; s < plot->panels[p].count; s++) {
      means |= plot->panels[p].series[s].band;
      band |= plot->panels[p].series[s].band && plot->panels[p].count == 1;
    }
  if (means) text_put(&note, band ? "means, within the least and the greatest" : "means");
  if (results->levels->full) text_printf(&note, "%sof all levels the first %d are kept", means ? "; " : "", LEVELS);
  return note.data;
}

/* The panel of that name; a new one at the end. */
static struct plot_panel *panel_of(struct plot *plot, const struct results_level *row) {
  size_t p = 0;
  while (p < plot->panel_count && strcmp(plot->panels[p].y.label, row->name))
    p++;
  if (p == plot->panel_count) plot->panels[plot->panel_count++].y = (struct plot_axis){row->name, row->unit, false};
  return &plot->panels[p];
}

/* The plot of a component, whose rows are the next `count`. */
static struct plot *plot_of(struct arena *arena, const struct results *results, const struct results_level *rows,
                            uint32_t count) {
  struct plot *plot = ARENA_NEW(arena, struct plot);
  *plot = (struct plot){.title = rows->component, .x = {"time", "s", false}, .by = ""};
  plot->panels = ARENA_ARRAY(arena, struct plot_panel, count);
  for (uint32_t i = 0; i < count; i++) {
    struct plot_panel *panel = panel_of(plot, &rows[i]);
    if (!panel->series) panel->series = ARENA_ARRAY(arena, struct plot_series, count);
    panel->series[panel->count++] = series_of(arena, results, &rows[i]);
  }
  for (size_t p = 0; p < plot->panel_count; p++)
    drop_bands(&plot->panels[p]);
  plot->note = note_of(arena, results, plot);
  plot_arrange(arena, plot);
  return plot;
}

struct plot **levels_plots(struct arena *arena, const struct results *results, size_t *count) {
  uint32_t all = results->levels->count;
  struct plot **plots = ARENA_ARRAY(arena, struct plot *, all);
  *count = 0;
  for (uint32_t i = 0, next; i < all; i = next) {
    const struct results_level *rows = &results->level_rows[i];
    for (next = i + 1; next < all && !strcmp(results->level_rows[next].component, rows->component);)
      next++;
    plots[(*count)++] = plot_of(arena, results, rows, next - i);
  }
  return plots;
}
