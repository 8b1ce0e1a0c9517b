/* psl_trace_page: the views of a trace as a page, those of a measured run as those of a predicted one. */
#include "evaluators/programs/views.h"
#include "interp/library/handle.h"
#include "interp/library/trace_info.h"
#include "interp/report/page.h"
#include "interp/report/plot.h"
#include "interp/report/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trace_page {
  struct psl *psl;
  struct arena *arena;
  const char *path;
  struct program_source *source;
  struct views *views;
  psl_write *write;
  void *user;
  struct output out;
  double left; /* of all pictures over time, pixels */
};

static const char *time_text(struct trace_page *page, double seconds) {
  struct text text = {.arena = page->arena};
  report_time(&text, seconds);
  return text.data;
}

static const char *percent_text(struct trace_page *page, double part) {
  return isfinite(part) ? arena_printf(page->arena, "%.1f %%", 100 * part) : "-";
}

static const char *count_text(struct trace_page *page, uint64_t count) {
  struct text text = {.arena = page->arena};
  report_count(&text, count);
  return text.data;
}

/* ---- answers ---- */

static double computed(const struct profile *p, uint32_t rank) { return p->spent[rank * SPENT_KINDS + SPENT_COMPUTE]; }

/* Parallel efficiency is load balance times what communication leaves of the time of who computes most. */
static size_t put_efficiency(struct trace_page *page, struct page_fact *facts) {
  const struct profile *p = &page->views->profile;
  double mean = 0, most = 0;
  uint32_t rank = 0;
  for (uint32_t r = 0; r < p->ranks; r++) {
    mean += computed(p, r) / p->ranks;
    if (computed(p, r) > most) most = computed(p, rank = r);
  }
  facts[0] = (struct page_fact){"Parallel efficiency", percent_text(page, mean / p->end),
                                "of the time of all ranks they compute"};
  facts[1] = (struct page_fact){
      "Load balance", percent_text(page, mean / most),
      arena_printf(page->arena, "mean of computing to the most, %s on rank %u", time_text(page, most), rank)};
  facts[2] = (struct page_fact){"Communication efficiency", percent_text(page, most / p->end),
                                "of the time the rank computes that computes most"};
  return 3;
}

static void put_answers(struct trace_page *page, struct page *described) {
  const struct profile *p = &page->views->profile;
  struct page_fact *facts = ARENA_ARRAY(page->arena, struct page_fact, 6);
  struct text bytes = {.arena = page->arena};
  size_t count = 0;
  report_data(&bytes, p->message_bytes);
  facts[count++] = (struct page_fact){"Time", time_text(page, p->end),
                                      history_timed(p->history) ? "to the end of the last rank"
                                                                : "of computations: it says no others"};
  if (history_timed(p->history)) count += put_efficiency(page, &facts[count]);
  facts[count++] = (struct page_fact){"Messages", count_text(page, p->messages),
                                      arena_printf(page->arena, "from rank to rank, of %s", bytes.data)};
  if (p->cut)
    facts[count++] = (struct page_fact){
        "Cut off", arena_printf(page->arena, "%u rank%s", p->cut, p->cut == 1 ? "" : "s"), p->first.text};
  described->answers = facts;
  described->answer_count = count;
}

/* ---- rows of time ---- */

static const char *const *row_labels(struct trace_page *page) {
  const struct views *v = page->views;
  const char **labels = ARENA_ARRAY(page->arena, const char *, v->rows);
  for (uint32_t row = 0; row < v->rows; row++) {
    uint32_t first = row * v->every, last = first + view_ranks(v, row) - 1;
    labels[row] = arena_printf(page->arena, last > first ? "rank %u-%u" : "rank %u", first, last);
  }
  return labels;
}

/* Figures of columns as parts of the time: `place` says which of `size` figures a class adds up. */
static void draw_rows(struct trace_page *page, const double *seconds, size_t size, const size_t *class_of,
                      const struct time_class *classes, size_t count) {
  const struct views *v = page->views;
  size_t columns = views_columns(v);
  double *shares = ARENA_ARRAY(page->arena, double, v->rows *columns *count);
  memset(shares, 0, v->rows * columns * count * sizeof *shares);
  for (uint32_t row = 0; row < v->rows; row++)
    for (size_t c = 0; c < columns; c++)
      for (size_t k = 0; k < size; k++)
        shares[(row * columns + c) * count + class_of[k]] +=
            seconds[((size_t)row * VIEW_COLUMNS + c) * size + k] / (v->width * view_ranks(v, row));
  time_rows_draw(&page->out, &(struct time_rows){.rows = v->rows,
                                                 .columns = columns,
                                                 .count = count,
                                                 .shares = shares,
                                                 .labels = row_labels(page),
                                                 .classes = classes,
                                                 .left = page->left,
                                                 .column = v->width,
                                                 .end = v->profile.end});
}

static void open_picture(struct trace_page *page, const char *title, const char *class) {
  struct text *text = &page->out.text;
  page_element(text, "h3", NULL, title);
  text_printf(text, "<div class=\"wide %s\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n", class, title);
}

static void close_picture(struct trace_page *page) { text_put(&page->out.text, "</div>\n"); }

static void put_spent(struct trace_page *page) {
  static const unsigned colors[SPENT_KINDS] = {0x2f6299, 0x1a1d23, 0xc65a00, 0x8a929d, 0x4d7c52, 0xa87f00};
  struct time_class classes[SPENT_KINDS];
  size_t class_of[SPENT_KINDS];
  for (size_t k = 0; k < SPENT_KINDS; k++) {
    classes[k] = (struct time_class){spent_names[k], colors[k]};
    class_of[k] = k;
  }
  open_picture(page, "By what time is spent for", "timeline");
  draw_rows(page, page->views->spent, SPENT_KINDS, class_of, classes, SPENT_KINDS);
  close_picture(page);
}

enum { SHOWN_PLACES = 8 }; /* by a colour of their own */

static const char *place_name(const struct views *v, size_t place) {
  const struct view_place *found = &v->place[place];
  const char *name =
      found->region ? history_region(v->profile.history, found->region)->name : program_kinds[found->kind].name;
  return name ? name : "?";
}

/* How many places have more time, or come before. */
static size_t place_order(const struct views *v, size_t place) {
  size_t before = 0;
  for (size_t k = 0; k < v->place_count; k++)
    before +=
        v->place[k].seconds > v->place[place].seconds || (k < place && v->place[k].seconds == v->place[place].seconds);
  return before;
}

static void put_places(struct trace_page *page) {
  static const struct plot apart = {.by = ""};
  const struct views *v = page->views;
  struct time_class classes[SHOWN_PLACES + 1];
  size_t class_of[VIEW_PLACES] = {0}, all = VIEW_PLACES - 1,
         shown = v->place_count < SHOWN_PLACES ? v->place_count : SHOWN_PLACES;
  bool regions = history_regions(v->profile.history) > 0, full = v->place_count == VIEW_PLACES;
  for (size_t k = 0; k < v->place_count; k++) {
    size_t order = place_order(v, k);
    class_of[k] = full && k == all ? shown : order < shown ? order : shown;
    if (class_of[k] < shown)
      classes[class_of[k]] = (struct time_class){place_name(v, k), plot_color(&apart, order, SHOWN_PLACES)};
  }
  if (full) { /* which is one less: others may have more time than a place that is shown */
    for (size_t k = 0; k < shown; k++)
      if (place_order(v, all) == k) classes[k] = (struct time_class){"others", 0xbbbbbb};
  }
  classes[shown] = (struct time_class){"others", 0xbbbbbb};
  open_picture(page, regions ? "By region, outside of regions by operation" : "By operation", "timeline");
  draw_rows(page, v->places, VIEW_PLACES, class_of, classes, shown + (v->place_count > shown));
  close_picture(page);
}

/* ---- over time ---- */

struct moment {
  double begin, figures[4]; /* efficiency; bandwidth; bytes in flight; bandwidth of collective operations */
};

static struct moment *moments(struct trace_page *page) {
  const struct views *v = page->views;
  uint32_t columns = views_columns(v);
  struct moment *moments = ARENA_ARRAY(page->arena, struct moment, columns);
  for (uint32_t c = 0; c < columns; c++) {
    double begin = c * v->width, seconds = fmin(v->width, v->profile.end - begin), computing = 0;
    for (uint32_t row = 0; row < v->rows; row++)
      computing += v->spent[((size_t)row * VIEW_COLUMNS + c) * SPENT_KINDS + SPENT_COMPUTE];
    moments[c] = (struct moment){begin,
                                 {computing / (seconds * v->profile.ranks), v->carried[c] / seconds,
                                  v->flight[c] / seconds, v->together[c] / seconds}};
  }
  return moments;
}

static void fill(struct trace_page *page, struct plot_panel *panel, const char *label, const char *unit,
                 const struct moment *all, size_t figure, double scale) {
  uint32_t columns = views_columns(page->views);
  struct plot_series *series = ARENA_NEW(page->arena, struct plot_series);
  *series = (struct plot_series){.name = label, .count = columns};
  series->points = ARENA_ARRAY(page->arena, struct plot_point, columns);
  for (uint32_t c = 0; c < columns; c++) {
    double x = all[c].begin + page->views->width / 2;
    series->points[c] = (struct plot_point){.x = x, .y = scale * all[c].figures[figure], .low = NAN, .high = NAN};
  }
  *panel = (struct plot_panel){.y = {label, unit, false}, .series = series, .count = 1};
}

static void put_moments(struct trace_page *page, const struct moment *all) {
  static const struct report_column columns[] = {
      {"begin", "from", FIGURE_TIME, "s", .names = true},
      {"efficiency", "parallel efficiency", FIGURE_SHARE},
      {"bandwidth", "bandwidth", FIGURE_BANDWIDTH, "byte/s"},
      {"in_flight", "in flight", FIGURE_DATA, "byte"},
      {"collective", "collective bandwidth", FIGURE_BANDWIDTH, "byte/s", .optional = true}};
  static const struct report_section section = {.key = "moments", REPORT_COLUMNS(columns)};
  struct report report = {.arena = page->arena, .renderer = &report_as_html, .out = &page->out, .inside = true};
  text_put(&page->out.text, "<details><summary>as a table</summary>\n");
  report.renderer->open(&report);
  report_section(&report, &section);
  for (uint32_t c = 0; c < views_columns(page->views); c++) {
    const double *figures = all[c].figures;
    report_row(&report, (struct report_cell[]){cell_real(all[c].begin), cell_real(figures[0]), cell_real(figures[1]),
                                               cell_real(figures[2]),
                                               page->views->collective ? cell_real(figures[3]) : cell_none()});
  }
  report_end(&report);
  text_put(&page->out.text, "</details>\n");
}

static void put_over_time(struct trace_page *page) {
  const struct moment *all = moments(page);
  struct plot plot = {
      .title = "Over time", .x = {"time", "s", false}, .by = "", .to = views_columns(page->views) * page->views->width};
  struct page_plot drawn = {.title = plot.title, .left = page->left};
  struct text why = {.arena = page->arena};
  plot.panels = ARENA_ARRAY(page->arena, struct plot_panel, 4);
  fill(page, &plot.panels[plot.panel_count++], "parallel efficiency (%)", "", all, 0, 100);
  if (page->views->profile.messages) {
    fill(page, &plot.panels[plot.panel_count++], "bandwidth of messages", "byte/s", all, 1, 1);
    fill(page, &plot.panels[plot.panel_count++], "messages in flight", "byte", all, 2, 1);
  }
  if (page->views->collective)
    fill(page, &plot.panels[plot.panel_count++], "bandwidth of collective operations", "byte/s", all, 3, 1);
  plot_arrange(page->arena, &plot);
  if (!page_draw(&drawn, &plot, 1, &why))
    drawn.why = arena_printf(page->arena, "This plot is not drawn: %s.", why.data);
  page_plots(&page->out, &drawn, 1);
  put_moments(page, all);
}

/* ---- histograms ---- */

enum { STEPS_MOST = 32 };

static const struct {
  const char *label, *unit;
} axis_words[] = {[VIEW_RANK] = {"rank", ""},
                  [VIEW_TO] = {"to rank", ""},
                  [VIEW_SECONDS] = {"burst", "s"},
                  [VIEW_BYTES] = {"size", "byte"},
                  [VIEW_BANDWIDTH] = {"bandwidth", "byte/s"},
                  [VIEW_RATE] = {"flops or instructions a second", "1/s"}};

struct steps { /* of an axis: those that have something, so many together */
  uint32_t first, count, each;
};

static struct steps steps_of(const struct trace_page *page, const struct view_histogram *h, bool across) {
  enum view_axis axis = across ? h->x : h->y;
  if (axis == VIEW_RANK || axis == VIEW_TO) return (struct steps){0, page->views->rows, 1};
  uint32_t first = VIEW_STEPS, last = 0, each = 1;
  for (uint32_t k = 0; k < VIEW_STEPS * VIEW_STEPS; k++) {
    uint32_t step = across ? k % VIEW_STEPS : k / VIEW_STEPS;
    if (!(h->cells[k] > 0)) continue;
    if (step < first) first = step;
    if (step > last) last = step;
  }
  uint32_t cycle = view_cycle(axis);
  while (last / each - first / each >= STEPS_MOST) /* so many that each cycle begins with one: 1, 2, 5, 10, 20, ... */
    do
      each++;
    while (cycle % each && each % cycle);
  first -= first % each;
  return (struct steps){first, (last - first) / each + 1, each};
}

static struct heat_axis axis_of(struct trace_page *page, enum view_axis axis, const struct steps *steps,
                                const char *label) {
  bool ranks = axis == VIEW_RANK || axis == VIEW_TO;
  const char **ends = ARENA_ARRAY(page->arena, const char *, steps->count + 1);
  for (uint32_t k = 0; k <= steps->count; k++) {
    struct text text = {.arena = page->arena};
    double value = view_step(axis, steps->first + k * steps->each);
    if (ranks)
      text_printf(&text, "%g", value * page->views->every);
    else if (axis == VIEW_BYTES)
      report_binary(&text, value);
    else
      plot_value(&text, value, axis_words[axis].unit);
    ends[k] = text.data;
  }
  uint32_t cycle = view_cycle(axis);
  return (struct heat_axis){label ? label : axis_words[axis].label,
                            ends,
                            steps->count,
                            !ranks || page->views->every > 1,
                            steps->first / steps->each,
                            cycle > steps->each ? cycle / steps->each : 1};
}

static const char *value_text(struct trace_page *page, enum view_histogram_kind kind, double value) {
  struct text text = {.arena = page->arena};
  if (kind == VIEW_BURSTS || kind == VIEW_RATES || kind >= VIEW_COUNTERS)
    report_time(&text, value);
  else if (kind == VIEW_PAIRS)
    report_data(&text, value);
  else
    report_count(&text, (uint64_t)value);
  return text.data;
}

/* `label`: of the axis that goes up; NULL: its own one. */
static void put_labelled(struct trace_page *page, enum view_histogram_kind kind, const char *title, const char *label) {
  const struct view_histogram *h = &page->views->histograms[kind];
  if (!(h->whole > 0)) return;
  struct steps x = steps_of(page, h, true), y = steps_of(page, h, false);
  struct heat_map map = {.x = axis_of(page, h->x, &x, NULL), .y = axis_of(page, h->y, &y, label)};
  double *values = ARENA_ARRAY(page->arena, double, x.count *y.count);
  const char **shown = ARENA_ARRAY(page->arena, const char *, x.count *y.count);
  memset(values, 0, x.count * y.count * sizeof *values);
  for (uint32_t row = y.first; row < y.first + y.count * y.each && row < VIEW_STEPS; row++)
    for (uint32_t column = x.first; column < x.first + x.count * x.each && column < VIEW_STEPS; column++)
      values[(row - y.first) / y.each * x.count + (column - x.first) / x.each] += h->cells[row * VIEW_STEPS + column];
  for (size_t k = 0; k < x.count * y.count; k++)
    shown[k] = values[k] > 0 ? value_text(page, kind, values[k]) : "";
  map.values = values;
  map.shown = shown;
  open_picture(page, title, "two");
  heat_map_draw(&page->out, &map);
  close_picture(page);
}

static void put_histogram(struct trace_page *page, enum view_histogram_kind kind, const char *title) {
  put_labelled(page, kind, title, NULL);
}

static void put_counters(struct trace_page *page) {
  for (int k = 0; k < COUNTERS_SHOWN && page->views->counters[k]; k++) {
    const char *name = page->views->counters[k];
    put_labelled(page, (enum view_histogram_kind)(VIEW_COUNTERS + k),
                 arena_printf(page->arena, "%s against length of a burst, by time", name),
                 arena_printf(page->arena, "%s a second", name));
  }
}

/* ---- the page ---- */

static struct report *open_tables(struct trace_page *page) {
  struct report *report = ARENA_NEW(page->arena, struct report);
  *report = (struct report){.arena = page->arena, .renderer = &report_as_html, .out = &page->out, .inside = true};
  report->renderer->open(report);
  return report;
}

enum { PLOT_LEFT = 115 }; /* pixels, of the labels of a plot */

static void put_timelines(struct trace_page *page) {
  struct text *text = &page->out.text;
  page->left = fmax(PLOT_LEFT, time_rows_left(row_labels(page), page->views->rows));
  page_section(text, "timelines", "Timelines");
  if (page->views->every > 1)
    page_element(text, "p", "soft", arena_printf(page->arena, "A row is the mean of %u ranks.", page->views->every));
  put_spent(page);
  put_places(page);
  put_over_time(page);
  page_section_end(text);
}

enum { LISTED_RANKS = 256 }; /* more have no tables by rank here */

static void put_sections(struct trace_page *page) {
  const struct profile *p = &page->views->profile;
  struct text *text = &page->out.text;
  bool timed = history_timed(p->history) && p->end > 0;
  if (timed) put_timelines(page);
  page_section(text, "time", "Time");
  if (!timed)
    page_element(text, "p", NULL,
                 "The trace does not say when calls began and how long they took, so it has no "
                 "timeline. 'psl replay --record FILE' predicts that: FILE is a trace that has "
                 "all views.");
  bool listed = p->ranks <= LISTED_RANKS;
  if (!listed)
    page_element(text, "p", "soft",
                 "There are too many ranks for tables by rank: 'psl trace info --by rank' has them.");
  trace_put_time(open_tables(page), p, timed && listed);
  trace_put_operations(open_tables(page), p);
  put_histogram(page, VIEW_BURSTS, "How long ranks compute without a break, by time");
  put_histogram(page, VIEW_RATES, "Rate against length of a burst, by time");
  put_counters(page);
  page_section_end(text);
  if (!p->messages) return;
  page_section(text, "messages", "Messages");
  trace_put_messages(open_tables(page), p, listed);
  if (p->ranks > 1) put_histogram(page, VIEW_PAIRS, "Bytes from rank (up) to rank (across)");
  if (timed) put_histogram(page, VIEW_SIZES, "Bandwidth against size, messages");
  if (timed) put_histogram(page, VIEW_BANDWIDTHS, "Bandwidth against the burst before a message is sent, messages");
  page_section_end(text);
}

static void put_page(struct trace_page *page) {
  static const struct page_link links[] = {
      {"timelines", "Timelines"}, {"time", "Time"}, {"messages", "Messages"}, {NULL, NULL}};
  const struct profile *p = &page->views->profile;
  const char *slash = strrchr(page->path, '/');
  struct page described = {.kicker = "A trace of a program",
                           .title = slash && slash[1] ? slash + 1 : page->path,
                           .subtitle = arena_printf(page->arena, "%s, %s rank%s", page->source->kind->name,
                                                    count_text(page, p->ranks), p->ranks == 1 ? "" : "s"),
                           .footer = arena_printf(page->arena, "Made by psl %s.", psl_version())};
  struct text *text = &page->out.text;
  put_answers(page, &described);
  page_begin(text, described.title);
  page_header(text, &described, history_timed(p->history) ? links : links + 1);
  text_put(text, "<main>\n");
  page_answers(text, &described);
  put_sections(page);
  page_footer(text, &described);
}

static enum psl_code fail(struct psl *psl, const char *text) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s", text);
  return PSL_WRONG;
}

static enum psl_code work_page(struct psl *psl, void *arguments) {
  struct trace_page *page = arguments;
  struct program_error error;
  page->arena = &psl->work;
  page->source = trace_source_open(page->path, &error);
  if (!page->source) return fail(psl, error.text);
  page->views = views_make(page->source, &error);
  if (!page->views) return fail(psl, error.text);
  output_open(&page->out, page->arena, page->write, page->user);
  put_page(page);
  output_close(&page->out);
  return PSL_OK;
}

enum psl_code psl_trace_page(struct psl *psl, const char *path, psl_write *write, void *user) {
  struct trace_page page = {.psl = psl, .path = path, .write = write, .user = user};
  enum psl_code code = handle_enter(psl, work_page, &page);
  views_free(page.views);
  if (page.source) page.source->kind->close(page.source);
  return code;
}
