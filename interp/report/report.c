/* Reports as data, on their way from a builder to the renderer of a format; and how figures read.  Called by all
 * builders: report_run.c, and those of the commands. */
#include "interp/report/report.h"

#include <math.h>
#include <string.h>

static const struct report_renderer *const renderers[] = {
    [PSL_TEXT] = &report_as_text,         [PSL_JSON] = &report_as_json,
    [PSL_CSV] = &report_as_csv,           [PSL_HTML] = &report_as_html,
    [PSL_JSONL] = &report_as_json_lines,  [PSL_VERTICAL] = &report_as_vertical_text,
    [PSL_MARKDOWN] = &report_as_markdown, [PSL_LATEX] = &report_as_latex};

const char *psl_format_name(enum psl_format format) {
  return (size_t)format < sizeof renderers / sizeof *renderers ? renderers[format]->name : NULL;
}

bool psl_format_is_text(enum psl_format format) { return format == PSL_TEXT || format == PSL_VERTICAL; }

bool format_is_lines(enum psl_format format) { return format == PSL_CSV || format == PSL_JSONL; }

void report_open(struct report *report, enum psl_format format, unsigned room, struct arena *arena, psl_write *write,
                 void *user) {
  *report = (struct report){.arena = arena, .renderer = renderers[format], .room = room};
  report->out = &report->own;
  output_open(report->out, arena, write, user);
}

/* What a renderer writes first needs what the builder has said since report_open: `single`, the title. */
static void begin(struct report *report) {
  if (!report->parts++ && report->renderer->open) report->renderer->open(report);
}

void report_fact(struct report *report, const struct report_fact *fact, struct report_cell cell) {
  begin(report);
  if (report->renderer->fact) report->renderer->fact(report, fact, &cell);
}

void report_line(struct report *report, const char *format, ...) {
  if (!report->renderer->line) return;
  struct text text = {.arena = report->arena};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  begin(report);
  report->renderer->line(report, text.data ? text.data : "");
}

void report_section(struct report *report, const struct report_section *section) {
  begin(report);
  report->section = section;
  report->rows = 0;
  if (report->renderer->section) report->renderer->section(report);
}

void report_row(struct report *report, const struct report_cell *cells) {
  if (report->renderer->row) report->renderer->row(report, cells);
  report->rows++;
  output_pass(report->out);
}

void report_end(struct report *report) {
  if (report->renderer->end) report->renderer->end(report);
  report->section = NULL;
}

void report_close(struct report *report) {
  begin(report);
  if (report->renderer->close) report->renderer->close(report);
  output_close(report->out);
}

/* ---- cells ---- */

struct report_cell cell_real(double real) {
  return (struct report_cell){.kind = isfinite(real) ? CELL_REAL : CELL_NONE, .real = real};
}

struct report_cell cell_estimate(double value, double low, double high) {
  struct report_cell cell = cell_real(value);
  cell.interval = isfinite(low) && isfinite(high);
  cell.low = low;
  cell.high = high;
  return cell;
}

/* ---- figures for people ---- */

enum { BAR = 30 }; /* characters of a whole bar */

static void put_bar(struct text *out, double part) {
  long length = lround(BAR * fmin(fmax(part, 0), 1));
  for (long i = 0; i < length || (i < 1 && part > 0); i++)
    text_char(out, '#');
}

void figure_put(struct text *out, enum figure figure, double value) {
  switch (figure) {
  case FIGURE_WORD:
  case FIGURE_NUMBER: number_print(out, value, 4); break;
  case FIGURE_COUNT: report_count(out, (uint64_t)value); break;
  case FIGURE_TIME: report_time(out, value); break;
  case FIGURE_DATA: report_data(out, value); break;
  case FIGURE_BANDWIDTH:
    report_data(out, value);
    text_put(out, "/s");
    break;
  case FIGURE_RATE:
    number_print(out, value, 4);
    text_put(out, " s^-1");
    break;
  case FIGURE_SHARE: text_printf(out, "%.1f %%", 100 * value + 0.0); break; /* no -0 */
  case FIGURE_PART: text_printf(out, "%.2f %%", 100 * value + 0.0); break;
  case FIGURE_DIFFERENCE: text_printf(out, "%+.2f %%", 100 * value + 0.0); break;
  case FIGURE_CHANGE:
    text_char(out, value < 0 ? '-' : '+');
    report_time(out, fabs(value));
    break;
  case FIGURE_BAR: put_bar(out, value); break;
  }
}

void cell_put(struct text *out, enum figure figure, const struct report_cell *cell, const char *none) {
  if (cell->shown) {
    text_line(out, cell->shown);
    return;
  }
  switch (cell->kind) {
  case CELL_NONE: text_put(out, none); break;
  case CELL_WORD: text_line(out, cell->word); break;
  case CELL_FLAG: text_put(out, cell->flag ? "yes" : "no"); break;
  case CELL_LIST: text_put_lines(out, cell->word, "; "); break;
  case CELL_COUNT:
    if (figure == FIGURE_WORD || figure == FIGURE_COUNT)
      report_count(out, (uint64_t)cell->count);
    else
      figure_put(out, figure, (double)cell->count);
    break;
  case CELL_REAL: figure_put(out, figure, cell->real); break;
  }
}

const char *column_name(struct arena *arena, const struct report_column *column) {
  if (column->head && *column->head) return column->head;
  if (!*column->key) return column->figure == FIGURE_SHARE ? "share" : "";
  char *name = arena_copy(arena, column->key, strlen(column->key));
  for (char *c = name; *c; c++)
    if (*c == '_') *c = ' ';
  return name;
}

bool section_alone(const struct report *report) {
  const struct report_section *section = report->section;
  return report->main ? strcmp(section->key, report->main) == 0 : section->main;
}

bool section_shown(const struct report_section *section, bool people) {
  return section->audience == FOR_ALL || section->audience == (people ? FOR_PEOPLE : FOR_PROGRAMS);
}
