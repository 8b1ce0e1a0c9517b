/* The plots of a study: rows of figures into series.  Called by study.c while the rows come, and by
 * document.c with those of a database. */
#include "interp/study/plot_series.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 100 }; /* more series, or categories, than that are not drawn */

/* The values of `by`, or of an `against` that is no number, in the order in which they come. */
struct picture_names {
  struct picture_name {
    const char *text;
    double number; /* NAN: it is none */
    uint32_t place;
  } * items;
  uint32_t count, capacity;
};

struct picture_place {
  double x;
  uint32_t by;
  bool failed;                  /* some of its runs */
  struct study_sample *samples; /* by series */
  double *halves;               /* by series: see picture_value, of the last run */
};

struct picture {
  struct arena *arena;
  const char *title;
  const struct study_plot *plot;
  const struct picture_figure *figures;
  struct picture_names x, by;
  bool begun;      /* there was a point */
  uint64_t number; /* of the last one */
  bool left_out;   /* it has no place */
  uint64_t gone;
  struct picture_place *points;
  size_t count, capacity;
};

struct picture *picture_open(struct arena *arena, const char *title, const struct study_plot *plot,
                             const struct picture_figure *figures) {
  struct picture *picture = ARENA_NEW(arena, struct picture);
  *picture = (struct picture){.arena = arena, .title = title, .plot = plot, .figures = figures};
  return picture;
}

/* ---- rows ---- */

/* The place of a value among the names. false: there are too many. */
static bool place_of(struct picture *picture, struct picture_names *names, uint32_t figure,
                     const struct picture_value *value, uint32_t *place) {
  for (*place = 0; *place < names->count; ++*place) {
    const struct picture_name *name = &names->items[*place];
    bool both = isnan(value->number) && isnan(name->number);
    if (value->text ? strcmp(name->text, value->text) == 0 : name->number == value->number || both) return true;
  }
  if (names->count == NAMES) return false;
  struct text text = {.arena = picture->arena};
  if (value->text)
    text_put(&text, value->text);
  else if (isnan(value->number))
    text_put(&text, "none");
  else
    plot_value(&text, value->number, picture->figures[figure].unit);
  struct picture_name name = {text.data, value->text ? (double)NAN : value->number, *place};
  ARENA_PUSH(picture->arena, names->items, names->count, names->capacity, name);
  return true;
}

static bool open_point(struct picture *picture, const struct picture_value *values) {
  const struct study_plot *plot = picture->plot;
  const struct picture_value *x = &values[plot->against];
  struct picture_place point = {.x = x->number};
  uint32_t category;
  if (x->text) {
    if (!place_of(picture, &picture->x, plot->against, x, &category)) return false;
    point.x = category;
  }
  if (plot->by != (uint32_t)STUDY_NONE && !place_of(picture, &picture->by, plot->by, &values[plot->by], &point.by))
    return false;
  point.samples = ARENA_ARRAY(picture->arena, struct study_sample, plot->series_count);
  point.halves = ARENA_ARRAY(picture->arena, double, plot->series_count);
  ARENA_PUSH(picture->arena, picture->points, picture->count, picture->capacity, point);
  return true;
}

static void next_point(struct picture *picture, uint64_t number, const struct picture_value *values, bool failed) {
  if (picture->begun && number == picture->number) {
    if (!picture->left_out) picture->points[picture->count - 1].failed |= failed;
    return;
  }
  picture->begun = true;
  picture->number = number;
  picture->left_out = !open_point(picture, values);
  picture->gone += picture->left_out;
  if (!picture->left_out) picture->points[picture->count - 1].failed = failed;
}

void picture_row(struct picture *picture, uint64_t number, const struct picture_value *values, bool failed) {
  next_point(picture, number, values, failed);
  for (uint32_t s = 0; !picture->left_out && s < picture->plot->series_count; s++) {
    const struct picture_value *value = &values[picture->plot->series[s]];
    const struct picture_place *point = &picture->points[picture->count - 1];
    if (!isnan(value->number)) study_sample_add(&point->samples[s], value->number);
    point->halves[s] = value->half;
  }
}

void picture_point(struct picture *picture, uint64_t number, const struct picture_value *values,
                   const struct study_sample *samples, bool failed) {
  next_point(picture, number, values, failed);
  for (uint32_t s = 0; !picture->left_out && s < picture->plot->series_count; s++) {
    picture->points[picture->count - 1].samples[s] = samples[picture->plot->series[s]];
    picture->points[picture->count - 1].halves[s] = values[picture->plot->series[s]].half;
  }
}

/* ---- series ---- */

static int by_number(const void *a, const void *b) {
  const struct picture_name *p = a, *q = b;
  return p->number < q->number ? -1 : p->number > q->number;
}

/* Along a figure that is no varied param a line means something where the points come in its order, as along what one
 * param makes: else it would join points that have nothing to do with each other. */
static bool is_out_of_order(const struct picture *picture, const struct plot_series *series) {
  bool rises = true, falls = true;
  if (picture->x.count || picture->figures[picture->plot->against].varied) return false;
  for (size_t p = 1; p < series->count; p++) {
    rises &= series->points[p].x > series->points[p - 1].x;
    falls &= series->points[p].x < series->points[p - 1].x;
  }
  return !rises && !falls;
}

static void fill(struct picture *picture, struct plot_series *series, uint32_t s, uint32_t by) {
  series->points = ARENA_ARRAY(picture->arena, struct plot_point, picture->count);
  for (size_t p = 0; p < picture->count; p++) {
    const struct picture_place *point = &picture->points[p];
    const struct study_sample *sample = &point->samples[s];
    if (point->by != by || (point->failed && s && !sample->count)) continue; /* it is counted once, by the first */
    double mean = sample->count ? sample->mean : (double)NAN;
    double half = sample->count == 1 ? point->halves[s] : study_sample_half(sample);
    series->points[series->count++] = (struct plot_point){point->x, mean, mean - half, mean + half, point->failed};
  }
  series->scattered = is_out_of_order(picture, series);
}

static const struct picture_figure *figure_of(const struct picture *picture, uint32_t series) {
  return &picture->figures[picture->plot->series[series]];
}

/* Do two series stand on one axis? Where nobody has put them together, neither what has no unit nor what is optimised
 * does, which may well be far greater than what it is made of. */
static bool is_together(const struct picture *picture, uint32_t s, uint32_t t) {
  const struct picture_figure *one = figure_of(picture, s), *other = figure_of(picture, t);
  bool apart = picture->plot->apart && (!*one->unit || one->optimised || other->optimised);
  return s == t || (!strcmp(one->unit, other->unit) && !apart);
}

static void make_panel(struct picture *picture, struct plot_panel *panel, uint32_t first) {
  uint32_t count = picture->plot->series_count, same = 0, names = picture->by.count ? picture->by.count : 1;
  struct text label = {.arena = picture->arena};
  for (uint32_t s = 0; s < count; s++) {
    if (!is_together(picture, first, s)) continue;
    if (same++) text_put(&label, ", ");
    text_put(&label, figure_of(picture, s)->name);
  }
  *panel = (struct plot_panel){.series = ARENA_ARRAY(picture->arena, struct plot_series, (size_t)same * names)};
  panel->y = (struct plot_axis){label.data, figure_of(picture, first)->unit, picture->plot->log_y};
  for (uint32_t s = 0; s < count; s++)
    for (uint32_t n = 0; n < names && is_together(picture, first, s); n++) {
      struct plot_series *series = &panel->series[panel->count++];
      const struct picture_name *by = picture->by.count ? &picture->by.items[n] : NULL;
      series->figure = figure_of(picture, s)->name;
      series->name = !by         ? series->figure
                     : same == 1 ? by->text
                                 : arena_printf(picture->arena, "%s, %s", series->figure, by->text);
      fill(picture, series, s, by ? by->place : 0);
    }
}

static void make_panels(struct picture *picture, struct plot *plot) {
  uint32_t count = picture->plot->series_count;
  plot->panels = ARENA_ARRAY(picture->arena, struct plot_panel, count);
  for (uint32_t s = 0; s < count; s++) {
    bool made = false;
    for (uint32_t t = 0; t < s; t++)
      made |= is_together(picture, s, t);
    if (!made) make_panel(picture, &plot->panels[plot->panel_count++], s);
  }
}

struct plot *picture_plot(struct picture *picture) {
  struct plot *plot = ARENA_NEW(picture->arena, struct plot);
  const struct picture_figure *x = &picture->figures[picture->plot->against];
  plot->ordered = picture->by.count > 1;
  for (uint32_t n = 0; n < picture->by.count; n++)
    plot->ordered &= !isnan(picture->by.items[n].number);
  if (plot->ordered) qsort(picture->by.items, picture->by.count, sizeof *picture->by.items, by_number);
  plot->title = picture->title;
  plot->x = (struct plot_axis){x->name, x->unit, picture->plot->log_x};
  plot->by = picture->plot->by == (uint32_t)STUDY_NONE ? "" : picture->figures[picture->plot->by].name;
  if (picture->x.count) {
    const char **categories = ARENA_ARRAY(picture->arena, const char *, picture->x.count);
    for (uint32_t c = 0; c < picture->x.count; c++)
      categories[c] = picture->x.items[c].text;
    plot->categories = categories;
    plot->category_count = picture->x.count;
  }
  make_panels(picture, plot);
  if (picture->gone)
    plot->note = arena_printf(picture->arena, "%llu points not drawn: they would be more than %d series or bars",
                              (unsigned long long)picture->gone, NAMES);
  plot_arrange(picture->arena, plot);
  return plot;
}

/* ---- the plots of a plan ---- */

struct study_pictures {
  struct study_plan *plan;
  struct picture_value *values; /* by figure */
  struct picture **items;
  uint32_t count;
};

static const char *unit_of(struct study_plan *plan, const struct type *type) {
  struct text unit = {.arena = &plan->psl->handed};
  if (type_is_number(type) && type->kind != TYPE_INT) unit_print(&unit, &plan->psl->model.types, type->dimension);
  return unit.data ? unit.data : "";
}

struct study_pictures *study_pictures_open(struct study_plan *plan) {
  struct arena *arena = &plan->psl->handed;
  struct study_pictures *pictures = ARENA_NEW(arena, struct study_pictures);
  uint32_t axes = plan->axis_count, figure_count = axes + plan->column_count;
  struct picture_figure *figures = ARENA_ARRAY(arena, struct picture_figure, figure_count);
  for (uint32_t a = 0; a < axes; a++)
    figures[a] = (struct picture_figure){plan->axes[a].name, unit_of(plan, plan->axes[a].type), .varied = true};
  for (uint32_t c = 0; c < plan->column_count; c++)
    figures[axes + c] = (struct picture_figure){plan->columns[c].name, unit_of(plan, plan->columns[c].type),
                                                plan->columns[c].kind == COLUMN_OBJECTIVE};
  *pictures = (struct study_pictures){.plan = plan, .count = plan->plot_count};
  pictures->values = ARENA_ARRAY(arena, struct picture_value, figure_count);
  pictures->items = ARENA_ARRAY(arena, struct picture *, plan->plot_count);
  for (uint32_t k = 0; k < plan->plot_count; k++)
    pictures->items[k] = picture_open(arena, plan->name ? plan->name : plan->system, &plan->plots[k], figures);
  return pictures;
}

static const char *text_of(struct study_plan *plan, const struct type *type, struct value value) {
  struct text text = {.arena = &plan->psl->work};
  const struct model *model = &plan->psl->model;
  if (value.kind == VALUE_NONE || type_is_number(type)) return NULL;
  value_print(&text, &model->types, model->names, type, value, 0);
  return text.data;
}

/* What names an end of an interval over repetitions has one value, which is known with the last. */
static struct value column_value(const struct study_lines *lines, const struct study_point *point, uint32_t c) {
  const struct study_plan *plan = lines->plan;
  if (plan->repetitions == 1 || !plan->columns[c].of_ends) return lines->values[c];
  return point->repetition + 1 == plan->repetitions ? lines->cells[c].value : (struct value){.kind = VALUE_NONE};
}

void study_pictures_row(struct study_pictures *pictures, const struct study_point *point, const struct study_row *row,
                        const struct study_lines *lines) {
  struct study_plan *plan = pictures->plan;
  for (uint32_t a = 0; a < plan->axis_count; a++) {
    struct text text = {.arena = &plan->psl->work};
    bool number = type_is_number(plan->axes[a].type);
    if (!number) study_put_param(&text, plan, a, lines->params[a], 0);
    pictures->values[a] = (struct picture_value){study_number(&lines->params[a]), text.data, NAN};
  }
  for (uint32_t c = 0; c < plan->column_count; c++) {
    struct value value = column_value(lines, point, c);
    pictures->values[plan->axis_count + c] =
        (struct picture_value){study_number(&value), text_of(plan, plan->columns[c].type, value),
                               plan->columns[c].of_ends ? (double)NAN : study_row_half(&plan->columns[c], row)};
  }
  for (uint32_t k = 0; k < pictures->count; k++)
    picture_row(pictures->items[k], (uint64_t)point->number, pictures->values, row->status != STUDY_DONE);
}

/* ---- drawing ---- */

bool study_pictures_draw(struct study_pictures *pictures, const struct psl_plot_options *options) {
  if (options->format == PSL_PLOT_NONE) return true;
  struct plot **plots = ARENA_ARRAY(&pictures->plan->psl->handed, struct plot *, pictures->count);
  for (uint32_t k = 0; k < pictures->count; k++)
    plots[k] = picture_plot(pictures->items[k]);
  return handle_draw(pictures->plan->psl, plots, pictures->count, options);
}
