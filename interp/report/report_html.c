/* Reports as HTML: a page of its own, or sections inside another's page (`inside`). Tables sort; style and script are
 * those of every page.  A renderer: see report.h. */
#include "interp/report/page.h"
#include "interp/report/report.h"

#include <math.h>
#include <string.h>

struct kept_row {     /* of a section that may leave columns out, which are known at its end */
  const char **cells; /* by column: its elements */
  const char *note;   /* NULL: it has figures */
};
struct html_state {
  bool facts; /* their list is open */
  struct kept_row *rows;
  size_t count, capacity;
  bool *filled; /* by column: some row has it; NULL: rows are not kept */
};

static struct html_state *state_of(const struct report *report) { return report->state; }

static void open_html(struct report *report) {
  report->state = ARENA_NEW(report->arena, struct html_state);
  struct text *text = &report->out->text;
  if (report->inside) return;
  page_begin(text, report->title ? report->title : "PSL");
  text_put(text, "<header>\n");
  page_element(text, "h1", NULL, report->title ? report->title : "PSL");
  text_put(text, "</header>\n<main>\n");
}

/* ---- facts: a list of names and values ---- */

static void facts_end(struct report *report) {
  if (state_of(report)->facts) text_put(&report->out->text, "</dd>\n</dl>\n");
  state_of(report)->facts = false;
}

static void fact_html(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  struct text *out = &report->out->text, value = {.arena = report->arena};
  if (!fact->head && !fact->before) return;
  if (fact->head) {
    text_put(out, state_of(report)->facts ? "</dd>\n" : "<dl class=\"facts\">\n");
    state_of(report)->facts = true;
    page_element(out, "dt", NULL, fact->head);
    text_put(out, "<dd>");
  }
  text_put(&value, fact->before ? fact->before : "");
  cell_put(&value, fact->figure, cell, "");
  text_markup(out, value.data);
}

static void line_html(struct report *report, const char *line) {
  facts_end(report);
  if (report->title && !strcmp(line, report->title)) return; /* it is the head of the page */
  if (*line) page_element(&report->out->text, "p", NULL, line);
}

/* ---- sections ---- */

static bool is_figure(const struct report_column *column) { return column->figure != FIGURE_WORD; }

static void put_title(struct report *report) {
  const struct report_section *section = report->section;
  if (section->title) page_element(&report->out->text, report->inside ? "h3" : "h2", NULL, section->title);
}

/* Bars are for those who cannot sort by a column. */
static bool taken(const struct report_column *column) {
  return column_shown(column, true) && column->figure != FIGURE_BAR;
}

static bool is_optional(const struct report_section *section) {
  for (size_t c = 0; c < section->column_count; c++)
    if (section->columns[c].optional && taken(&section->columns[c])) return true;
  return false;
}

static bool is_left_out(const struct report *report, size_t c) {
  const bool *filled = state_of(report)->filled;
  return filled && report->section->columns[c].optional && !filled[c];
}

/* What its numbers are in, where that is one for all. */
static const char *unit_of(const struct report_column *column) {
  bool time = column->figure == FIGURE_TIME || column->figure == FIGURE_CHANGE;
  return column->unit ? column->unit : time ? "s" : column->figure == FIGURE_DATA ? "byte" : NULL;
}

static void put_heads(struct report *report) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  if (section->explored) {
    text_printf(out, "<div class=\"explorer\" data-table=\"table-%s\" data-y=\"", section->key);
    text_markup(out, section->explored);
    text_put(out, "\"></div>\n");
  }
  text_printf(out,
              "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
              "<table id=\"table-%s\">\n<thead><tr>",
              section->key, section->key);
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!taken(column) || is_left_out(report, c)) continue;
    const char *unit = unit_of(column);
    page_heading(out, &(struct page_column){column_name(report->arena, column), is_figure(column), unit,
                                            section->explored && column->names});
    if (column->estimate && section->intervals) page_heading(out, &(struct page_column){"±", true, unit});
  }
  text_put(out, "</tr></thead>\n<tbody>\n");
}

static double sorted_by(const struct report_cell *cell) {
  return cell->kind == CELL_REAL ? cell->real : cell->kind == CELL_COUNT ? (double)cell->count : NAN;
}

static void put_cell(struct report *report, struct text *out, const struct report_column *column,
                     const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  cell_put(&text, column->figure, cell, "");
  double half = cell->interval ? (cell->high - cell->low) / 2 : NAN; /* for who draws it; people have it beside */
  page_cell(out, &(struct page_cell){text.data ? text.data : "", sorted_by(cell), half}, is_figure(column));
}

static void put_half(struct report *report, struct text *out, const struct report_column *column,
                     const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  if (cell->half)
    text_put(&text, cell->half);
  else if (cell->interval)
    figure_put(&text, column->figure, (cell->high - cell->low) / 2);
  double half = cell->interval ? (cell->high - cell->low) / 2 : NAN;
  page_cell(out, &(struct page_cell){text.data ? text.data : "", half}, true);
}

static void put_line(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct text text = {.arena = report->arena};
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!taken(column) || (cells[c].kind == CELL_NONE && !cells[c].shown)) continue;
    text_put(&text, column->before ? column->before : "");
    cell_put(&text, column->figure, &cells[c], "");
    text_put(&text, column->after ? column->after : "");
  }
  page_element(&report->out->text, "li", NULL, text.data ? text.data : "");
}

/* What is said of a row that has no figures: its note stands in their place. */
static const char *note_alone(const struct report_section *section, const struct report_cell *cells) {
  const char *note = NULL;
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (column->note && cells[c].kind == CELL_WORD)
      note = cells[c].word;
    else if (taken(column) && !column->names && (cells[c].kind != CELL_NONE || cells[c].shown))
      return NULL;
  }
  return note;
}

static bool has_half(const struct report_section *section, size_t c) {
  return section->columns[c].estimate && section->intervals;
}

static struct kept_row row_made(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct kept_row row = {ARENA_ARRAY(report->arena, const char *, section->column_count), note_alone(section, cells)};
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    struct text text = {.arena = report->arena};
    if (!taken(column)) continue;
    put_cell(report, &text, column, &cells[c]);
    if (has_half(section, c)) put_half(report, &text, column, &cells[c]);
    row.cells[c] = text.data;
  }
  return row;
}

static void put_row(struct report *report, const struct kept_row *row) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  size_t spanned = 0;
  text_put(out, "<tr>");
  for (size_t c = 0; c < section->column_count; c++) {
    if (!row->cells[c] || is_left_out(report, c)) continue;
    if (row->note && !section->columns[c].names)
      spanned += 1 + has_half(section, c);
    else
      text_put(out, row->cells[c]);
  }
  if (row->note) page_error(out, row->note, spanned);
  text_put(out, "</tr>\n");
}

static void keep_row(struct report *report, const struct report_cell *cells, struct kept_row row) {
  struct html_state *state = state_of(report);
  for (size_t c = 0; c < report->section->column_count; c++)
    state->filled[c] |= cells[c].kind != CELL_NONE || cells[c].shown;
  ARENA_PUSH(report->arena, state->rows, state->count, state->capacity, row);
}

static void begin_section(struct report *report) {
  const struct report_section *section = report->section;
  struct html_state *state = state_of(report);
  facts_end(report);
  put_title(report);
  state->count = 0;
  state->filled = NULL;
  if (section->layout == LAYOUT_LINES)
    text_put(&report->out->text, "<ul>\n");
  else if (is_optional(section))
    state->filled = ARENA_ARRAY(report->arena, bool, section->column_count);
  else
    put_heads(report);
}

static void row_html(struct report *report, const struct report_cell *cells) {
  if (!section_shown(report->section, true)) return;
  if (!report->rows) begin_section(report);
  if (report->section->layout == LAYOUT_LINES) {
    put_line(report, cells);
    return;
  }
  struct kept_row row = row_made(report, cells);
  if (state_of(report)->filled)
    keep_row(report, cells, row);
  else
    put_row(report, &row);
}

static void end_html(struct report *report) {
  const struct html_state *state = state_of(report);
  if (!section_shown(report->section, true) || !report->rows) return;
  if (state->filled && report->section->layout != LAYOUT_LINES) {
    put_heads(report);
    for (size_t r = 0; r < state->count; r++) {
      put_row(report, &state->rows[r]);
      output_pass(report->out);
    }
  }
  text_put(&report->out->text, report->section->layout == LAYOUT_LINES ? "</ul>\n" : "</tbody></table></div>\n");
}

static void close_html(struct report *report) {
  facts_end(report);
  if (report->inside) return;
  text_put(&report->out->text, "</main>\n");
  page_end(&report->out->text);
}

const struct report_renderer report_as_html = {.name = "html",
                                               .people = true,
                                               .open = open_html,
                                               .fact = fact_html,
                                               .line = line_html,
                                               .row = row_html,
                                               .end = end_html,
                                               .close = close_html};
