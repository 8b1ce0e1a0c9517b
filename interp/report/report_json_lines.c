/* Reports as JSON lines, flat objects that a table can be made of: a figure a line, named by its section, its row and
 * its column, as in CSV; or, of a report with a single section, a row a line, its figures in base units without them.
 * A renderer: see report.h. */
#include "interp/report/report.h"

static void put_member(struct text *out, const char *separator, const char *key) {
  text_put(out, separator);
  text_json(out, key);
  text_put(out, ": ");
}

/* A list is one text, or none where it is empty. */
static void put_flat(struct text *out, const struct report_cell *cell) {
  struct text list = {.arena = out->arena};
  if (cell->kind == CELL_LIST) text_put_lines(&list, cell->word, "; ");
  const struct report_cell flat = cell->kind == CELL_LIST ? cell_word(list.data) : *cell;
  json_plain(out, &flat);
}

static void put_line(struct report *report, const struct report_line *line) {
  struct text *out = &report->out->text;
  struct text quantity = {.arena = out->arena};
  text_printf(&quantity, "%s%s", line->quantity, line->end);
  put_member(out, "{", "table");
  text_json(out, line->table);
  put_member(out, ", ", "name");
  text_json(out, line->name);
  put_member(out, ", ", "quantity");
  text_json(out, quantity.data);
  put_member(out, ", ", "value");
  put_flat(out, line->cell);
  put_member(out, ", ", "unit");
  text_json(out, line->unit);
  text_put(out, "}\n");
}

static void put_end(struct text *out, const char *key, const char *end, const struct report_cell *cell, double value) {
  struct text name = {.arena = out->arena};
  const struct report_cell number = cell_real(value), none = cell_none();
  text_printf(&name, "%s.%s", key, end);
  put_member(out, ", ", name.data);
  json_plain(out, cell->interval ? &number : &none);
}

static void put_row(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  const char *separator = "{";
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!column_shown(column, false)) continue;
    put_member(out, separator, column->key);
    put_flat(out, &cells[c]);
    separator = ", ";
    if (!column_has_interval(section, column)) continue;
    put_end(out, column->key, "low", &cells[c], cells[c].low);
    put_end(out, column->key, "high", &cells[c], cells[c].high);
  }
  text_put(out, "}\n");
}

static void fact_json_lines(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  lines_fact(report, fact, cell, put_line);
}

static void row_json_lines(struct report *report, const struct report_cell *cells) {
  if (!section_shown(report->section, false)) return;
  if (!report->single)
    lines_row(report, cells, put_line);
  else if (section_alone(report))
    put_row(report, cells);
}

const struct report_renderer report_as_json_lines = {.name = "jsonl", .fact = fact_json_lines, .row = row_json_lines};
