/* Reports as HTML: a page of its own, or sections inside another's page (`inside`). Tables sort; style and script are
 * those of every page.  A renderer: see report.h. */
#include "interp/report/page.h"
#include "interp/report/report.h"

#include <math.h>
#include <string.h>

static void open_html(struct report *report) {
  bool *facts = report->state = ARENA_NEW(report->arena, bool); /* their list is open */
  struct text *text = &report->out->text;
  *facts = false;
  if (report->inside) return;
  page_begin(text, report->title ? report->title : "PSL");
  text_put(text, "<header>\n");
  page_element(text, "h1", NULL, report->title ? report->title : "PSL");
  text_put(text, "</header>\n<main>\n");
}

/* ---- facts: a list of names and values ---- */

static void facts_end(struct report *report) {
  bool *facts = report->state;
  if (*facts) text_put(&report->out->text, "</dd>\n</dl>\n");
  *facts = false;
}

static void fact_html(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  struct text *out = &report->out->text, value = {.arena = report->arena};
  bool *facts = report->state;
  if (!fact->head && !fact->before) return;
  if (fact->head) {
    text_put(out, *facts ? "</dd>\n" : "<dl class=\"facts\">\n");
    *facts = true;
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

static void put_heads(struct report *report) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  text_printf(out,
              "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
              "<table id=\"table-%s\">\n<thead><tr>",
              section->key, section->key);
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!taken(column)) continue;
    page_heading(out, column_name(report->arena, column), is_figure(column));
    if (column->estimate && section->intervals) page_heading(out, "±", true);
  }
  text_put(out, "</tr></thead>\n<tbody>\n");
}

static double sorted_by(const struct report_cell *cell) {
  return cell->kind == CELL_REAL ? cell->real : cell->kind == CELL_COUNT ? (double)cell->count : NAN;
}

static void put_cell(struct report *report, const struct report_column *column, const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  cell_put(&text, column->figure, cell, "");
  page_cell(&report->out->text, text.data ? text.data : "", is_figure(column), sorted_by(cell));
}

static void put_half(struct report *report, const struct report_column *column, const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  if (cell->half)
    text_put(&text, cell->half);
  else if (cell->interval)
    figure_put(&text, column->figure, (cell->high - cell->low) / 2);
  page_cell(&report->out->text, text.data ? text.data : "", true, cell->interval ? (cell->high - cell->low) / 2 : NAN);
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

static void put_row(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  const char *note = note_alone(section, cells);
  size_t spanned = 0;
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    bool half = column->estimate && section->intervals;
    if (!taken(column)) continue;
    if (note && !column->names) {
      spanned += half ? 2 : 1;
      continue;
    }
    put_cell(report, column, &cells[c]);
    if (half) put_half(report, column, &cells[c]);
  }
  if (note) page_error(&report->out->text, note, spanned);
}

static void row_html(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  if (!section_shown(section, true)) return;
  if (!report->rows) {
    facts_end(report);
    put_title(report);
    if (section->layout == LAYOUT_LINES)
      text_put(out, "<ul>\n");
    else
      put_heads(report);
  }
  if (section->layout == LAYOUT_LINES) {
    put_line(report, cells);
    return;
  }
  text_put(out, "<tr>");
  put_row(report, cells);
  text_put(out, "</tr>\n");
}

static void end_html(struct report *report) {
  if (!section_shown(report->section, true) || !report->rows) return;
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
