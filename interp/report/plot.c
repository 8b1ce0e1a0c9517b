/* What all ways of drawing a plot share: which points there are, the frames of the axes with their ticks and
 * units, colours, labels.  Called by plot_gnuplot.c, plot_terminal.c and those who make plots. */
#include "interp/report/plot.h"
#include "grammar/characters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

/* Far from the ends of what a double holds, so that no span of an axis leaves it. */
static bool can_show(const struct plot_axis *axis, double value) {
  return fabs(value) < 1e300 && (!axis->log || value > 1e-300);
}

static int by_x(const void *a, const void *b) {
  const struct plot_point *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

/* Why points are not drawn, and how many. */
enum { RUN_FAILED, NO_VALUE, NOT_ABOVE_ZERO, TOO_FAR, REASONS };
static const char *const reasons[REASONS] = {
    [RUN_FAILED] = "failed",
    [NO_VALUE] = "without a value",
    [NOT_ABOVE_ZERO] = "not above 0 on a log axis",
    [TOO_FAR] = "too large or too small",
};

static int reason_of(const struct plot *plot, const struct plot_axis *y, const struct plot_point *point) {
  bool x_shown = plot->categories ? isfinite(point->x) : can_show(&plot->x, point->x);
  if (can_show(y, point->y) && x_shown) return REASONS;
  if (point->failed) return RUN_FAILED;
  if (isnan(point->x) || isnan(point->y)) return NO_VALUE;
  bool below = (y->log && point->y <= 0) || (!plot->categories && plot->x.log && point->x <= 0);
  return below ? NOT_ABOVE_ZERO : TOO_FAR;
}

static void arrange_series(const struct plot *plot, const struct plot_axis *y, struct plot_series *series,
                           size_t gone[REASONS + 1]) {
  size_t kept = 0, all = series->count;
  for (size_t p = 0; p < all; p++) {
    struct plot_point point = series->points[p];
    int reason = reason_of(plot, y, &point);
    gone[reason]++;
    if (reason != REASONS) continue;
    if (!isfinite(point.low) || !isfinite(point.high)) point.low = point.high = NAN;
    series->points[kept++] = point;
  }
  series->count = kept;
  if (kept) qsort(series->points, kept, sizeof *series->points, by_x);
  for (size_t p = 1; p < kept; p++)
    series->scattered |= series->points[p].x == series->points[p - 1].x;
}

/* "3 failed", "9 without a value" */
static void put_reasons(struct text *text, const size_t gone[REASONS], size_t all) {
  for (int r = 0, said = 0; r < REASONS; r++) {
    if (!gone[r]) continue;
    text_put(text, said++ ? ", " : "");
    if (gone[r] != all) text_printf(text, "%zu ", gone[r]);
    text_put(text, reasons[r]);
  }
}

/* "5 points not drawn: 2 failed, 3 without a value"; of one of several figures: "5 points of wait not drawn: ..." */
static void put_gone(struct text *text, const size_t gone[REASONS + 1], const char *figure) {
  size_t all = 0;
  for (int r = 0; r < REASONS; r++)
    all += gone[r];
  if (!all) return;
  if (text->size) text_put(text, "; ");
  if (figure && !gone[REASONS] && gone[NO_VALUE] == all) {
    text_printf(text, "%s not drawn: no point has a value of it", figure);
    return;
  }
  text_printf(text, "%zu point%s%s%s not drawn: ", all, all == 1 ? "" : "s", figure ? " of " : "",
              figure ? figure : "");
  put_reasons(text, gone, all);
}

static bool is_figure(const struct plot_series *series, const char *figure) {
  return !figure || (series->figure && !strcmp(series->figure, figure));
}

/* Of several figures; NULL: the plot is of one. */
static bool has_several(const struct plot *plot) {
  const struct plot_panel *first = plot->panels;
  for (size_t p = 0; p < plot->panel_count; p++)
    for (size_t s = 0; s < plot->panels[p].count; s++)
      if (first->count && first->series->figure && !is_figure(&plot->panels[p].series[s], first->series->figure))
        return true;
  return false;
}

/* Those of the figure, NULL: all, are arranged. A point that has failed is so for all figures. */
static void arrange_figure(struct plot *plot, const char *figure, size_t *failed, struct text *said) {
  size_t gone[REASONS + 1] = {0}; /* the last one: drawn */
  for (size_t p = 0; p < plot->panel_count; p++)
    for (size_t s = 0; s < plot->panels[p].count; s++)
      if (is_figure(&plot->panels[p].series[s], figure))
        arrange_series(plot, &plot->panels[p].y, &plot->panels[p].series[s], gone);
  if (figure) {
    *failed += gone[RUN_FAILED];
    gone[RUN_FAILED] = 0;
  }
  put_gone(said, gone, figure);
}

static bool panel_is_empty(const struct plot_panel *panel) {
  for (size_t s = 0; s < panel->count; s++)
    if (panel->series[s].count) return false;
  return true;
}

static void drop_empty(struct plot *plot) {
  size_t kept = 0;
  if (plot_is_empty(plot)) return;
  for (size_t p = 0; p < plot->panel_count; p++)
    if (!panel_is_empty(&plot->panels[p])) plot->panels[kept++] = plot->panels[p];
  plot->panel_count = kept;
}

void plot_arrange(struct arena *arena, struct plot *plot) {
  struct text said = {.arena = arena};
  const char *last = NULL;
  bool several = has_several(plot);
  size_t failed = 0;
  if (!several) arrange_figure(plot, NULL, &failed, &said);
  for (size_t p = 0; p < plot->panel_count && several; p++)
    for (size_t s = 0; s < plot->panels[p].count; s++) {
      const char *figure = plot->panels[p].series[s].figure;
      if (!last || strcmp(last, figure)) arrange_figure(plot, figure, &failed, &said);
      last = figure;
    }
  put_gone(&said, (const size_t[REASONS + 1]){[RUN_FAILED] = failed}, NULL);
  if (said.size) plot->note = plot->note ? arena_printf(arena, "%s; %s", plot->note, said.data) : said.data;
  drop_empty(plot);
}

bool plot_same_series(const struct plot_panel *a, const struct plot_panel *b) {
  bool same = a->count == b->count;
  for (size_t s = 0; s < a->count && same; s++)
    same = !strcmp(a->series[s].name, b->series[s].name);
  return same;
}

bool plot_is_empty(const struct plot *plot) {
  for (size_t p = 0; p < plot->panel_count; p++)
    if (!panel_is_empty(&plot->panels[p])) return false;
  return true;
}

/* ---- units ---- */

struct unit {
  const char *symbol; /* before `rest`: s, B, flop */
  size_t length;
  const char *rest;    /* /s */
  int lowest, highest; /* powers of 1000 that have a prefix */
};

/* Prefixes stand before a unit that is one word, alone or over another: s, byte/s, flop/s. */
static struct unit unit_of(const char *text) {
  size_t length = strcspn(text, "/");
  struct unit unit = {text, length, text + length, 0, 0};
  bool word = length > 0;
  for (size_t i = 0; i < length; i++)
    word &= (text[i] | 32) >= 'a' && (text[i] | 32) <= 'z';
  if (!word || strpbrk(unit.rest, "^*")) return (struct unit){text, strlen(text), "", 0, 0};
  if (length == 1 && *text == 's')
    unit.lowest = -4;
  else
    unit.highest = 5;
  if (length == 4 && strncmp(text, "byte", 4) == 0) unit.symbol = "B", unit.length = 1;
  return unit;
}

static int power_for(const struct unit *unit, double value) {
  double magnitude = fabs(value) * (1 + 1e-9);
  if (!(magnitude > 0)) return 0;
  int power = (int)floor(log10(magnitude) / 3);
  return power < unit->lowest ? unit->lowest : power > unit->highest ? unit->highest : power;
}

static void put_unit(struct text *out, const struct unit *unit, int power) {
  static const char *const prefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P"};
  bool whole = !power && unit->length == 1 && *unit->symbol == 'B' && !*unit->rest;
  if (whole)
    text_put(out, "byte");
  else
    text_printf(out, "%s%.*s%s", prefixes[power + 4], (int)unit->length, unit->symbol, unit->rest);
}

/* 1e6 and not 1e+06 */
static void put_number(struct text *out, double value, int digits) {
  char text[40];
  snprintf(text, sizeof text, "%.*g", digits, value == 0 ? 0 : value);
  char *e = strchr(text, 'e');
  if (!e) {
    text_put(out, text);
    return;
  }
  text_printf(out, "%.*se%d", (int)(e - text), text, atoi(e + 1));
}

/* A whole number with all of its digits while these are few, 40000 and not 4e4; any other one with 4 or more. */
static void put_figure(struct text *out, double value) {
  int whole = fabs(value) < 1e4 ? 4 : (int)floor(log10(fabs(value))) + 1;
  put_number(out, value, whole > 7 ? 4 : value == floor(value) ? 7 : whole);
}

void plot_value(struct text *out, double value, const char *text) {
  struct unit unit = unit_of(text);
  int power = power_for(&unit, value);
  put_figure(out, value / pow(1000, power));
  if (!*text) return;
  text_char(out, ' ');
  put_unit(out, &unit, power);
}

/* ---- ticks ---- */

struct values { /* that an axis has to show */
  double *items;
  size_t count, capacity;
};

static int by_size(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

static void sort_distinct(struct values *values) {
  size_t kept = 0;
  if (values->count) qsort(values->items, values->count, sizeof *values->items, by_size);
  for (size_t v = 0; v < values->count; v++)
    if (!kept || values->items[v] != values->items[kept - 1]) values->items[kept++] = values->items[v];
  values->count = kept;
}

struct ticks {
  struct arena *arena;
  double *items;
  size_t count, capacity;
};

static void add_tick(struct ticks *ticks, const struct plot_scale *scale, double at) {
  double slack = 1e-9 * (scale->high - scale->low);
  if (scale->log ? at < scale->low * (1 - 1e-9) || at > scale->high * (1 + 1e-9)
                 : at < scale->low - slack || at > scale->high + slack)
    return;
  ARENA_PUSH(ticks->arena, ticks->items, ticks->count, ticks->capacity, at);
}

/* The least of 1, 2, 5 times a power of ten that is not below `value`, or the greatest that is not above it;
 * of powers of ten alone where `whole`. */
static double round_up(double value, bool whole) {
  double power = pow(10, floor(log10(value) + 1e-9)), digit = value / power;
  return power * (digit <= 1 + 1e-9 ? 1 : digit <= 2 && !whole ? 2 : digit <= 5 && !whole ? 5 : 10);
}

static double round_down(double value, bool whole) {
  double power = pow(10, floor(log10(value) + 1e-9)), digit = value / power;
  return power * (digit < 2 - 1e-9 || whole ? 1 : digit < 5 - 1e-9 ? 2 : 5);
}

static double step_of(double span, size_t room) {
  double step = round_up(span / (double)(room > 1 ? room - 1 : 1), false);
  return step > 0 && isfinite(step) ? step : 1;
}

enum { TICKS_MOST = 64 };

static void ticks_linear(struct ticks *ticks, const struct plot_scale *scale, double step) {
  double first = ceil(scale->low / step - 1e-9);
  for (int k = 0; k < TICKS_MOST && (first + (double)k) * step <= scale->high + 1e-9 * step; k++)
    add_tick(ticks, scale, (first + (double)k) * step);
}

/* Every decade's 1, 2 and 5; its 1 alone; that of every second, third, ... decade: what there is room for. */
static void ticks_log(struct ticks *ticks, const struct plot_scale *scale, size_t room) {
  static const double digits[] = {1, 2, 5};
  int first = (int)floor(log10(scale->low) + 1e-9), last = (int)floor(log10(scale->high) + 1e-9);
  for (size_t each = 3; each == 3 || each == 1; each -= 2) {
    ticks->count = 0;
    for (int k = first; k <= last; k++)
      for (size_t d = 0; d < each; d++)
        add_tick(ticks, scale, digits[d] * pow(10, k));
    if (ticks->count <= room) break;
  }
  size_t every = (ticks->count + room - 1) / room, kept = 0;
  for (size_t t = 0; every > 1 && t < ticks->count; t += every)
    ticks->items[kept++] = ticks->items[t];
  if (every > 1) ticks->count = kept;
  if (ticks->count >= 2) return;
  ticks->count = 0;
  ticks_linear(ticks, scale, step_of(scale->high - scale->low, room));
}

/* Have they so few digits that a label may have them all? */
static bool are_short(const struct values *values) {
  for (size_t v = 0; v < values->count; v++) {
    char text[40];
    snprintf(text, sizeof text, "%.4g", values->items[v]);
    if (fabs(strtod(text, NULL) - values->items[v]) > 1e-12 * fabs(values->items[v]) &&
        values->items[v] != floor(values->items[v]))
      return false;
  }
  return true;
}

/* At the values themselves, where these are few and stand apart; of powers of two on a log axis every second,
 * fourth, ... is enough. */
static bool ticks_at_values(struct ticks *ticks, const struct plot_scale *scale, const struct values *values,
                            size_t room) {
  bool doubling = scale->log && values->count > 1;
  for (size_t v = 1; v < values->count; v++)
    doubling &= values->items[v] == 2 * values->items[v - 1];
  size_t every = doubling ? (values->count + room - 1) / room : 1;
  if (values->count > room * every || !are_short(values)) return false;
  double before = -1;
  for (size_t v = 0; v < values->count; v += every) {
    double place = plot_place(scale, values->items[v]);
    if (place - before < 0.8 / (double)room) return false;
    before = place;
  }
  for (size_t v = 0; v < values->count; v += every)
    add_tick(ticks, scale, values->items[v]);
  return true;
}

/* So many that neighbouring ticks differ. */
static int digits_of(const struct ticks *ticks) {
  if (ticks->count < 2) return 6;
  double last = ticks->items[ticks->count - 1], largest = fmax(fabs(ticks->items[0]), fabs(last));
  int digits = 2 + (int)ceil(log10(largest / (last - ticks->items[ticks->count - 2])));
  return digits < 6 ? 6 : digits > 15 ? 15 : digits;
}

/* A log axis spans many prefixes, so each of its ticks has a unit of its own. */
static void finish(struct arena *arena, struct plot_scale *scale, const struct ticks *ticks,
                   const struct plot_axis *axis) {
  struct unit unit = unit_of(axis->unit);
  bool each = scale->log && unit.lowest != unit.highest;
  int power = each ? 0 : power_for(&unit, fmax(fabs(scale->low), fabs(scale->high)));
  struct text label = {.arena = arena};
  text_put(&label, axis->label);
  if (*axis->unit && !each) {
    text_put(&label, " (");
    put_unit(&label, &unit, power);
    text_put(&label, ")");
  }
  int digits = digits_of(ticks);
  scale->label = label.data ? label.data : "";
  scale->ticks = ARENA_ARRAY(arena, struct plot_tick, ticks->count);
  scale->count = ticks->count;
  for (size_t t = 0; t < ticks->count; t++) {
    struct text text = {.arena = arena};
    if (each)
      plot_value(&text, ticks->items[t], axis->unit);
    else
      put_number(&text, ticks->items[t] / pow(1000, power), digits);
    scale->ticks[t] = (struct plot_tick){ticks->items[t], text.data};
  }
}

/* ---- frames ---- */

double plot_place(const struct plot_scale *scale, double value) {
  if (scale->log) return (log(value) - log(scale->low)) / (log(scale->high) - log(scale->low));
  return (value - scale->low) / (scale->high - scale->low);
}

static void frame_x(struct plot_scale *scale, const struct values *values) {
  enum { MARGIN = 33 }; /* a part in so many */
  double low = values->count ? values->items[0] : 1, high = values->count ? values->items[values->count - 1] : 1;
  if (scale->log) {
    double margin = high / low <= 1 + 1e-12 ? 2 : pow(high / low, 1. / MARGIN);
    scale->low = low / margin, scale->high = high * margin;
  } else {
    double margin = high - low <= 1e-12 * fabs(high) ? fmax(fabs(low) / 2, 0.5) : (high - low) / MARGIN;
    scale->low = low - margin, scale->high = high + margin;
  }
}

/* From 0, if that does not press the figures together; bars always. The distance of the ticks that the frame
 * ends at.
 */
static double frame_y(struct plot_scale *scale, const struct values *values, bool bars, size_t room) {
  double low = values->count ? values->items[0] : 1, high = values->count ? values->items[values->count - 1] : 1;
  if (scale->log) {
    bool decades = high / low > 1e3;
    scale->low = round_down(bars ? low / 2 : low, decades), scale->high = round_up(high, decades);
    if (scale->low >= scale->high * (1 - 1e-9)) scale->low /= 2, scale->high *= 2;
    return 0;
  }
  if (low >= 0 && (bars || low <= high / 2 || high - low <= 1e-12 * high)) low = 0;
  if (high <= 0 && bars) high = 0;
  if (high - low <= 1e-12 * fabs(high)) high = low < 0 ? 0 : low + 1;
  double step = step_of(high - low, room);
  scale->low = floor(low / step + 1e-9) * step, scale->high = ceil(high / step - 1e-9) * step;
  return step;
}

void plot_scale_x(struct arena *arena, const struct plot *plot, size_t room, struct plot_scale *scale) {
  *scale = (struct plot_scale){.log = plot->x.log, .low = -0.5, .high = (double)plot->category_count - 0.5};
  struct ticks ticks = {.arena = arena};
  if (plot->categories) {
    scale->log = false;
    scale->label = plot->x.label;
    scale->count = plot->category_count;
    scale->ticks = ARENA_ARRAY(arena, struct plot_tick, scale->count);
    for (size_t c = 0; c < scale->count; c++)
      scale->ticks[c] = (struct plot_tick){(double)c, plot->categories[c]};
    return;
  }
  struct values values = {0};
  for (size_t p = 0; p < plot->panel_count; p++)
    for (size_t s = 0; s < plot->panels[p].count; s++)
      for (size_t k = 0; k < plot->panels[p].series[s].count; k++)
        ARENA_PUSH(arena, values.items, values.count, values.capacity, plot->panels[p].series[s].points[k].x);
  sort_distinct(&values);
  frame_x(scale, &values);
  if (plot->to > plot->from) scale->low = plot->from, scale->high = plot->to;
  if (!ticks_at_values(&ticks, scale, &values, room)) {
    if (scale->log)
      ticks_log(&ticks, scale, room);
    else
      ticks_linear(&ticks, scale, step_of(scale->high - scale->low, room));
  }
  finish(arena, scale, &ticks, &plot->x);
}

void plot_scale_y(struct arena *arena, const struct plot *plot, const struct plot_panel *panel, size_t room,
                  struct plot_scale *scale) {
  struct values values = {0};
  struct ticks ticks = {.arena = arena};
  for (size_t s = 0; s < panel->count; s++)
    for (size_t k = 0; k < panel->series[s].count; k++) {
      const struct plot_point *point = &panel->series[s].points[k];
      double shown[] = {point->y, point->low, point->high};
      for (size_t i = 0; i < 3; i++)
        if (can_show(&panel->y, shown[i])) ARENA_PUSH(arena, values.items, values.count, values.capacity, shown[i]);
    }
  sort_distinct(&values);
  *scale = (struct plot_scale){.log = panel->y.log};
  double step = frame_y(scale, &values, plot->categories != NULL, room);
  if (scale->log)
    ticks_log(&ticks, scale, room);
  else
    ticks_linear(&ticks, scale, step);
  finish(arena, scale, &ticks, &panel->y);
}

/* ---- colours and labels ---- */

/* Series without an order: the colours of Okabe and Ito, darkened where white would swallow them. */
static const unsigned apart[] = {0x0072b2, 0xd55e00, 0x009e73, 0xb5589b, 0xa67c00, 0x3f9bd8, 0x6b6b6b, 0x8b3a3a};
/* An order: from dark to light, so that it is seen without colours as well. */
static const unsigned ladder[] = {0x4b1d78, 0x2a5fa8, 0x128a86, 0x5f9e2f, 0xb87d00};

unsigned plot_color(const struct plot *plot, size_t series, size_t count) {
  enum { APART = sizeof apart / sizeof *apart, LADDER = sizeof ladder / sizeof *ladder };
  if (count < 2 || (!plot->ordered && count <= APART)) return apart[series % APART];
  double at = (double)series / (double)(count - 1) * (LADDER - 1);
  size_t rung = at >= LADDER - 1 ? LADDER - 2 : (size_t)at;
  unsigned color = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    double a = ladder[rung] >> shift & 255, b = ladder[rung + 1] >> shift & 255;
    color |= (unsigned)lround(a + (b - a) * (at - (double)rung)) << shift;
  }
  return color;
}

void plot_label(struct text *out, const char *label, size_t width) {
  struct text shown = {.arena = out->arena};
  text_put(&shown, "");
  text_shown(&shown, label, strlen(label), "");
  size_t kept = shown.size;
  if (characters_width(shown.data, shown.size) > width) {
    uint32_t code;
    kept = 0;
    for (size_t next = 0; characters_width(shown.data, next) < width;
         next += character_read(shown.data + next, 4, &code))
      kept = next;
  }
  text_put_n(out, shown.data, kept);
  if (kept < shown.size) text_put(out, "…");
}
