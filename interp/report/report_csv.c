/* Reports as CSV (RFC 4180): one tidy table, a figure a line, named by its section, its row and its column; or, of a
 * report with a single section, that section, its columns side by side. All digits, base units.  A renderer: see
 * report.h. */
#include "interp/report/report.h"

#include <inttypes.h>
#include <string.h>

void csv_field(struct text *out, const char *field) {
  if (!strpbrk(field, ",\"\r\n")) {
    text_put(out, field);
    return;
  }
  text_char(out, '"');
  for (; *field; field++) {
    if (*field == '"') text_char(out, '"');
    text_char(out, *field);
  }
  text_char(out, '"');
}

static void put_list(struct text *out, const char *lines) {
  struct text list = {.arena = out->arena};
  text_put_lines(&list, lines, "; ");
  csv_field(out, list.data ? list.data : "");
}

static void put_plain(struct text *out, const struct report_cell *cell) {
  switch (cell->kind) {
  case CELL_NONE: break;
  case CELL_WORD: text_put(out, cell->word); break;
  case CELL_COUNT: text_printf(out, "%" PRId64, cell->count); break;
  case CELL_REAL: text_number(out, cell->real); break;
  case CELL_FLAG: text_put(out, cell->flag ? "true" : "false"); break;
  case CELL_LIST: put_list(out, cell->word); break;
  }
}

static void put_value(struct text *out, const struct report_cell *cell) {
  if (cell->kind == CELL_WORD)
    csv_field(out, cell->word);
  else
    put_plain(out, cell);
}

/* ---- a figure a line ---- */

static void open_csv(struct report *report) {
  if (!report->single) text_put(&report->out->text, "table,name,quantity,value,unit\n");
}

static void put_line(struct report *report, const struct report_line *line) {
  struct text *out = &report->out->text;
  const char *fields[] = {line->table, line->name};
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
    csv_field(out, fields[f]);
    text_char(out, ',');
  }
  csv_field(out, line->quantity);
  text_printf(out, "%s,", line->end);
  put_value(out, line->cell);
  text_char(out, ',');
  csv_field(out, line->unit);
  text_char(out, '\n');
}

static void fact_csv(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  lines_fact(report, fact, cell, put_line);
}

/* ---- columns side by side ---- */

static void put_head(struct text *out, const struct report_column *column, const char *end) {
  struct text head = {.arena = out->arena};
  text_printf(&head, "%s%s", column->key, end);
  if (column->unit && *column->unit) text_printf(&head, " [%s]", column->unit);
  csv_field(out, head.data);
}

static void section_csv(struct report *report) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  const char *separator = "";
  if (!report->single || !section_alone(report) || !section_shown(section, false)) return;
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!column_shown(column, false)) continue;
    text_put(out, separator);
    put_head(out, column, "");
    separator = ",";
    if (!column_has_interval(section, column)) continue;
    text_char(out, ',');
    put_head(out, column, ".low");
    text_char(out, ',');
    put_head(out, column, ".high");
  }
  text_char(out, '\n');
}

static void put_wide(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  const char *separator = "";
  for (size_t c = 0; c < section->column_count; c++) {
    if (!column_shown(&section->columns[c], false)) continue;
    text_put(out, separator);
    put_value(out, &cells[c]);
    separator = ",";
    if (!column_has_interval(section, &section->columns[c])) continue;
    const struct report_cell ends[] = {cell_real(cells[c].low), cell_real(cells[c].high)};
    for (size_t e = 0; e < 2; e++) {
      text_char(out, ',');
      if (cells[c].interval) put_value(out, &ends[e]);
    }
  }
  text_char(out, '\n');
}

static void row_csv(struct report *report, const struct report_cell *cells) {
  if (!section_shown(report->section, false)) return;
  if (!report->single)
    lines_row(report, cells, put_line);
  else if (section_alone(report))
    put_wide(report, cells);
}

const struct report_renderer report_as_csv = {
    .name = "csv", .open = open_csv, .fact = fact_csv, .section = section_csv, .row = row_csv};
