/* Reports as text: facts as lines `name  figure`, sections as tables with aligned columns.  A renderer: see
 * report.h. */
#include "interp/report/report.h"
#include "interp/report/text_table.h"

#include <string.h>

enum { HEAD = 14 }; /* characters of a fact's name */

struct text_state {
  bool begun;         /* something stands above */
  bool line;          /* a line of facts is open */
  const char **cells; /* of the section: by row and column, as they will be shown; NULL: there is none */
  size_t count, capacity;
};

static struct text_state *state_of(struct report *report) { return report->state; }

static void line_end(struct report *report) {
  struct text_state *state = state_of(report);
  if (state->line) text_char(&report->out->text, '\n');
  state->line = false;
}

static void open_text(struct report *report) { report->state = ARENA_NEW(report->arena, struct text_state); }

static void fact_text(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  struct text *out = &report->out->text;
  if (!fact->head && !fact->before) return;
  if (fact->head) {
    line_end(report);
    text_printf(out, "%-*s  ", HEAD, fact->head);
    state_of(report)->line = state_of(report)->begun = true;
  }
  if (fact->before) text_put(out, fact->before);
  cell_put(out, fact->figure, cell, "");
}

static void line_text(struct report *report, const char *text) {
  line_end(report);
  state_of(report)->begun = true;
  text_put(&report->out->text, text);
  text_char(&report->out->text, '\n');
}

/* ---- sections ---- */

static void section_text(struct report *report) {
  line_end(report);
  state_of(report)->count = 0;
}

static const char *shown(struct report *report, const struct report_column *column, const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  if (cell->kind == CELL_NONE && !cell->shown) return NULL;
  cell_put(&text, column->figure, cell, "");
  return text.data ? text.data : "";
}

/* An estimate has two cells: the second is half its interval. */
static bool has_half(const struct report_section *section, const struct report_column *column) {
  return column->estimate && section->intervals;
}

static const char *half_shown(struct report *report, const struct report_column *column,
                              const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  if (!cell->interval) return NULL;
  text_put(&text, "+-");
  if (cell->half)
    text_put(&text, cell->half);
  else
    figure_put(&text, column->figure, (cell->high - cell->low) / 2);
  return text.data;
}

static void keep(struct report *report, const char *cell) {
  struct text_state *state = state_of(report);
  ARENA_PUSH(report->arena, state->cells, state->count, state->capacity, cell);
}

static void row_text(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  if (!section_shown(section, true)) return;
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!column_shown(column, true)) continue;
    keep(report, shown(report, column, &cells[c]));
    if (has_half(section, column)) keep(report, half_shown(report, column, &cells[c]));
  }
}

/* ---- tables ---- */

struct printed { /* a column as it is printed */
  const struct report_column *column;
  bool half, left_out;
};

static size_t places_of(const struct report_section *section, struct printed *places) {
  size_t count = 0;
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!column_shown(column, true)) continue;
    places[count++] = (struct printed){column, false, false};
    if (has_half(section, column)) places[count++] = (struct printed){column, true, false};
  }
  return count;
}

/* The one text of all rows that have one; NULL: they differ, or none has. *any: some have. */
static const char *common_text(const struct text_state *state, size_t columns, size_t c, bool *any) {
  const char *common = NULL;
  *any = false;
  for (size_t i = c; i < state->count; i += columns) {
    if (!state->cells[i]) continue;
    if (*any && strcmp(common, state->cells[i])) return NULL;
    common = state->cells[i];
    *any = true;
  }
  return common;
}

/* Names that stand in the row above as well are not said again. */
static void blank_repeated(struct text_state *state, const struct printed *places, size_t columns) {
  for (size_t row = state->count; row > columns; row -= columns) {
    const char **here = &state->cells[row - columns], **above = here - columns;
    bool same = true;
    for (size_t c = 0; c < columns; c++)
      same &= !places[c].column->once || (here[c] && above[c] && !strcmp(here[c], above[c]));
    for (size_t c = 0; same && c < columns; c++)
      if (places[c].column->once) here[c] = "";
  }
}

static const char *none_of(const struct printed *place) {
  return place->half || place->column->figure == FIGURE_WORD || place->column->figure == FIGURE_BAR ? "" : "-";
}

static void put_table(struct report *report, struct printed *places, size_t columns) {
  struct text_state *state = state_of(report);
  struct text align = {.arena = report->arena};
  struct table table;
  for (size_t c = 0; c < columns; c++) {
    enum figure figure = places[c].column->figure;
    if (places[c].left_out) continue;
    text_char(&align, figure == FIGURE_WORD || figure == FIGURE_BAR || places[c].half ? 'l' : 'r');
  }
  if (!align.size) return;
  table_open(&table, report->arena, align.data);
  for (size_t c = 0; c < columns && !report->section->headless; c++)
    if (!places[c].left_out)
      table_cell(&table, places[c].half || !places[c].column->head ? "" : places[c].column->head);
  for (size_t i = 0; i < state->count; i++)
    if (!places[i % columns].left_out)
      table_cell(&table, state->cells[i] ? state->cells[i] : none_of(&places[i % columns]));
  table_print(&table, &report->out->text, "  ");
}

static void table_text(struct report *report, struct printed *places, size_t columns) {
  struct text_state *state = state_of(report);
  struct text below = {.arena = report->arena};
  bool once = false;
  for (size_t c = 0; c < columns; c++) {
    const struct report_column *column = places[c].column;
    bool any;
    once |= column->once;
    if (!column->optional && !column->common && !places[c].half) continue;
    const char *common = common_text(state, columns, c, &any);
    places[c].left_out = !any || (column->common && common); /* so are halves of intervals that none has */
    if (column->common && common) text_printf(&below, "\n%s: %s\n", column->head, common);
  }
  if (once) blank_repeated(state, places, columns);
  put_table(report, places, columns);
  if (below.data) text_put(&report->out->text, below.data);
}

/* ---- lines ---- */

static void lines_text(struct report *report, const struct printed *places, size_t columns) {
  struct text_state *state = state_of(report);
  struct text *out = &report->out->text;
  size_t rows = state->count / columns, limit = report->section->limit;
  for (size_t row = 0; row < rows && (!limit || row < limit); row++) {
    text_put(out, "  ");
    for (size_t c = 0; c < columns; c++) {
      const struct report_column *column = places[c].column;
      const char *cell = state->cells[row * columns + c];
      if (!cell) continue;
      text_printf(out, "%s%s%s", column->before ? column->before : "", cell, column->after ? column->after : "");
    }
    text_char(out, '\n');
  }
  if (!limit || rows <= limit) return;
  text_put(out, "  and ");
  report_count(out, rows - limit);
  text_put(out, " more\n");
}

static void end_text(struct report *report) {
  const struct report_section *section = report->section;
  struct printed *places = ARENA_ARRAY(report->arena, struct printed, 2 * section->column_count);
  size_t columns = places_of(section, places);
  if (!state_of(report)->count) return;
  if (state_of(report)->begun) text_char(&report->out->text, '\n');
  if (section->title) text_printf(&report->out->text, "%s\n", shown_line(report->arena, section->title));
  state_of(report)->begun = true;
  if (section->layout == LAYOUT_LINES)
    lines_text(report, places, columns);
  else
    table_text(report, places, columns);
  output_pass(report->out);
}

const struct report_renderer report_as_text = {.name = "text",
                                               .people = true,
                                               .open = open_text,
                                               .fact = fact_text,
                                               .line = line_text,
                                               .section = section_text,
                                               .row = row_text,
                                               .end = end_text,
                                               .close = line_end};
