/* The plots of a study: rows into series.  Called by study.c while the rows come, and by page.c with those of a
 * database. */
#include "interp/study/picture.h"
#include "grammar/format.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 200 }; /* more series, or categories, than that are not drawn */

/* The values of `by`, or of an `against` that is no number. */
struct picture_names {
  struct picture_name {
    const char *text;
    double number; /* NAN: it is none */
    uint32_t place;
  } * items;
  uint32_t count, capacity;
};

struct picture_point {
  double x;
  uint32_t by;
  struct study_sample *samples; /* by expression of the item */
};

struct study_picture {
  struct study_plan *plan;
  const struct study_item *item;
  const char **units, **labels; /* by expression of the item */
  const char *unit;             /* of the x axis */
  bool categories, ordered;
  struct picture_names x, by;
  int64_t number; /* of the last point */
  bool left_out;  /* the last point, which has no place */
  uint64_t gone;
  struct picture_point *points;
  size_t count, capacity;
};

static const char *label_of(struct study_plan *plan, const struct expr *expr) {
  struct text text = {.arena = &plan->psl->handed};
  expr_format(&text, expr);
  return text.data;
}

static const char *unit_of(struct study_plan *plan, const struct type *type) {
  struct text unit = {.arena = &plan->psl->handed};
  if (type_is_number(type) && type->kind != TYPE_INT)
    unit_print(&unit, &plan->psl->model.types, type->dimension);
  return unit.data ? unit.data : "";
}

struct study_picture *study_pictures_open(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  struct study_picture *pictures = ARENA_ARRAY(arena, struct study_picture, plan->plot_count);
  for (uint32_t k = 0; k < plan->plot_count; k++) {
    struct study_picture *picture = &pictures[k];
    const struct study_item *item = plan->plots[k];
    *picture = (struct study_picture){.plan = plan, .item = item, .number = -2};
    picture->units = ARENA_ARRAY(arena, const char *, item->series_count);
    picture->labels = ARENA_ARRAY(arena, const char *, item->series_count);
    for (uint32_t s = 0; s < item->series_count; s++) {
      picture->units[s] = unit_of(plan, item->series[s]->type);
      picture->labels[s] = label_of(plan, item->series[s]);
    }
    picture->unit = unit_of(plan, item->against->type);
    picture->categories = !type_is_number(item->against->type);
    picture->ordered = item->by && type_is_number(item->by->type);
  }
  return pictures;
}

/* ---- rows ---- */

/* The place of a value among the names, in the order in which they come. false: there are too many. */
static bool place_of(struct study_plan *plan, struct picture_names *names, const struct type *type,
                     struct value value, uint32_t *place) {
  struct model *model = &plan->psl->model;
  struct text text = {.arena = &plan->psl->work};
  if (value.kind == VALUE_NONE) text_put(&text, "none");
  else value_print(&text, &model->types, model->names, type, value, 6);
  for (*place = 0; *place < names->count; ++*place)
    if (strcmp(names->items[*place].text, text.data) == 0) return true;
  if (names->count == NAMES) return false;
  struct picture_name name = {arena_copy(&plan->psl->handed, text.data, text.size), study_number(&value), *place};
  ARENA_PUSH(&plan->psl->handed, names->items, names->count, names->capacity, name);
  return true;
}

static bool open_point(struct study_picture *picture) {
  struct study_plan *plan = picture->plan;
  const struct study_item *item = picture->item;
  struct picture_point point = {0};
  struct value x, by = {.kind = VALUE_NONE};
  uint32_t category = 0;
  study_evaluate(plan, item->against, &x);
  if (item->by) study_evaluate(plan, item->by, &by);
  if (picture->categories && !place_of(plan, &picture->x, item->against->type, x, &category)) return false;
  if (item->by && !place_of(plan, &picture->by, item->by->type, by, &point.by)) return false;
  point.x = picture->categories ? category : study_number(&x);
  point.samples = ARENA_ARRAY(&plan->psl->handed, struct study_sample, item->series_count);
  ARENA_PUSH(&plan->psl->handed, picture->points, picture->count, picture->capacity, point);
  return true;
}

void study_pictures_row(struct study_picture *pictures, const struct study_point *point) {
  for (uint32_t k = 0; k < pictures->plan->plot_count; k++) {
    struct study_picture *picture = &pictures[k];
    if (point->number != picture->number || point->number == STUDY_NO_NUMBER) {
      picture->number = point->number;
      picture->left_out = !open_point(picture);
      picture->gone += picture->left_out;
    }
    for (uint32_t s = 0; !picture->left_out && s < picture->item->series_count; s++) {
      struct value value;
      study_evaluate(picture->plan, picture->item->series[s], &value);
      double figure = study_number(&value);
      if (!isnan(figure)) study_sample_add(&picture->points[picture->count - 1].samples[s], figure);
    }
  }
}

/* ---- series ---- */

static int by_number(const void *a, const void *b) {
  const struct picture_name *p = a, *q = b;
  if (isnan(p->number) || isnan(q->number)) return isnan(p->number) - isnan(q->number);
  return p->number < q->number ? -1 : p->number > q->number;
}

static void fill(struct study_picture *picture, struct plot_series *series, uint32_t s, uint32_t by) {
  series->points = ARENA_ARRAY(&picture->plan->psl->handed, struct plot_point, picture->count);
  for (size_t p = 0; p < picture->count; p++) {
    const struct picture_point *point = &picture->points[p];
    const struct study_sample *sample = &point->samples[s];
    if (point->by != by) continue;
    double mean = sample->count ? sample->mean : (double)NAN, half = study_sample_half(sample);
    series->points[series->count++] = (struct plot_point){point->x, mean, mean - half, mean + half};
  }
}

/* The expressions of one unit stand in one panel, a series for each value of `by`. */
static void make_panel(struct study_picture *picture, struct plot_panel *panel, const char *unit) {
  struct arena *arena = &picture->plan->psl->handed;
  uint32_t count = picture->item->series_count, same = 0, names = picture->by.count ? picture->by.count : 1;
  struct text label = {.arena = arena};
  for (uint32_t s = 0; s < count; s++) {
    if (strcmp(picture->units[s], unit)) continue;
    if (same++) text_put(&label, ", ");
    text_put(&label, picture->labels[s]);
  }
  *panel = (struct plot_panel){.series = ARENA_ARRAY(arena, struct plot_series, same * names)};
  panel->y.label = label.data;
  panel->y.unit = unit;
  for (uint32_t s = 0; s < count; s++)
    for (uint32_t n = 0; n < names && !strcmp(picture->units[s], unit); n++) {
      struct plot_series *series = &panel->series[panel->count++];
      const struct picture_name *by = picture->by.count ? &picture->by.items[n] : NULL;
      series->name = !by         ? picture->labels[s]
                     : same == 1 ? by->text
                                 : arena_printf(arena, "%s, %s", picture->labels[s], by->text);
      fill(picture, series, s, by ? by->place : 0);
    }
}

static bool has_option(const struct study_item *item, const char *name) {
  for (uint32_t i = 0; i < item->option_count; i++)
    if (!strcmp(item->options[i].name->folded->text, name)) return true;
  return false;
}

struct plot *study_picture_plot(struct study_picture *pictures, uint32_t k) {
  struct study_picture *picture = &pictures[k];
  const struct study_plan *plan = picture->plan;
  const struct study_item *item = picture->item;
  struct arena *arena = &plan->psl->handed;
  struct plot *plot = ARENA_NEW(arena, struct plot);
  if (picture->ordered && picture->by.count)
    qsort(picture->by.items, picture->by.count, sizeof *picture->by.items, by_number);
  plot->title = plan->name ? plan->name : plan->system;
  plot->x = (struct plot_axis){label_of(picture->plan, item->against), picture->unit, has_option(item, "log-x")};
  plot->by = item->by ? label_of(picture->plan, item->by) : "";
  plot->ordered = picture->ordered;
  if (picture->categories) {
    const char **categories = ARENA_ARRAY(arena, const char *, picture->x.count);
    for (uint32_t c = 0; c < picture->x.count; c++) categories[c] = picture->x.items[c].text;
    plot->categories = categories;
    plot->category_count = picture->x.count;
  }
  plot->panels = ARENA_ARRAY(arena, struct plot_panel, item->series_count);
  for (uint32_t s = 0; s < item->series_count; s++) {
    bool made = false;
    for (uint32_t t = 0; t < s; t++) made |= !strcmp(picture->units[s], picture->units[t]);
    if (made) continue;
    make_panel(picture, &plot->panels[plot->panel_count], picture->units[s]);
    plot->panels[plot->panel_count++].y.log = has_option(item, "log-y");
  }
  if (picture->gone)
    plot->note = arena_printf(arena, "%llu points not drawn: they would be more than %d series or bars",
                              (unsigned long long)picture->gone, NAMES);
  plot_arrange(arena, plot);
  return plot;
}

/* ---- drawing ---- */

static bool cannot_draw(struct psl *psl, const struct text *why) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "a plot cannot be drawn: %s", why->data);
  diagnostic_help(&psl->diagnostics, (struct span){0}, "'--plot' without '--plot-file' draws in the terminal");
  diagnostic_flush(&psl->diagnostics);
  return false;
}

bool study_pictures_possible(struct psl *psl, const struct psl_plot_options *options) {
  struct text why = {.arena = &psl->handed};
  if (options->format != PSL_PLOT_SVG && options->format != PSL_PLOT_PNG) return true;
  return plot_possible(&why) || cannot_draw(psl, &why);
}

bool study_pictures_draw(struct study_picture *pictures, const struct psl_plot_options *options) {
  struct psl *psl = pictures->plan->psl;
  for (uint32_t k = 0; k < pictures->plan->plot_count; k++) {
    struct plot *plot = study_picture_plot(pictures, k);
    struct text out = {.arena = &psl->handed}, why = {.arena = &psl->handed};
    bool drawn = true;
    switch (options->format) {
    case PSL_PLOT_NONE: return true;
    case PSL_PLOT_TERMINAL:
      plot_print(&out, plot, &(struct plot_terminal){options->columns ? options->columns : 80, options->color});
      break;
    case PSL_PLOT_SVG: drawn = plot_draw(&out, plot, &(struct plot_picture){.format = PLOT_SVG}, &why); break;
    case PSL_PLOT_PNG: drawn = plot_draw(&out, plot, &(struct plot_picture){.format = PLOT_PNG}, &why); break;
    }
    if (!drawn) return cannot_draw(psl, &why);
    if (options->take(options->user, k, out.data, out.size)) return true;
  }
  return true;
}
