/* What the formats of lines have in common: which figures a report has, one by one, and what names each.  Called by
 * report_csv.c, report_json_lines.c, and by psl_diff, which compares figures by their names. */
#include "interp/report/report.h"

#include <inttypes.h>

bool column_has_interval(const struct report_section *section, const struct report_column *column) {
  return column->estimate && section->intervals;
}

static const char *unit_of(const struct report_cell *cell, const char *unit) {
  if (cell->unit) return cell->unit;
  return unit && cell->kind != CELL_WORD ? unit : "";
}

static void put_figure(struct report *report, struct report_line line, const char *unit, line_writer *write) {
  const struct report_cell *cell = line.cell;
  line.end = "";
  line.unit = unit_of(cell, unit);
  if (cell->kind != CELL_NONE) write(report, &line);
  if (!cell->interval) return;
  struct report_cell low = cell_real(cell->low), high = cell_real(cell->high);
  line.unit = cell->unit ? cell->unit : unit ? unit : "";
  line.end = "_low", line.cell = &low;
  write(report, &line);
  line.end = "_high", line.cell = &high;
  write(report, &line);
}

void lines_fact(struct report *report, const struct report_fact *fact, const struct report_cell *cell,
                line_writer *write) {
  const struct report_line line = {"result", report->title ? report->title : "", fact->key, .cell = cell,
                                   .figure = fact->figure};
  if (fact->key && !report->single) put_figure(report, line, fact->unit, write);
}

static void put_part(struct text *name, const struct report_cell *cell) {
  switch (cell->kind) {
  case CELL_NONE: break;
  case CELL_WORD: text_put(name, cell->word); break;
  case CELL_COUNT: text_printf(name, "%" PRId64, cell->count); break;
  case CELL_REAL: text_number(name, cell->real); break;
  case CELL_FLAG: text_put(name, cell->flag ? "true" : "false"); break;
  case CELL_LIST: text_put_lines(name, cell->word, "; "); break;
  }
}

/* disk.wait: what names the row, from the whole to the part. */
static const char *row_name(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct text name = {.arena = report->arena};
  for (size_t c = 0; c < section->column_count; c++) {
    size_t before = name.size;
    if (!section->columns[c].names || !column_shown(&section->columns[c], false)) continue;
    if (before) text_char(&name, '.');
    put_part(&name, &cells[c]);
    if (before && name.size == before + 1) name.data[name.size = before] = '\0'; /* this one has no name */
  }
  return name.data ? name.data : "";
}

void lines_row(struct report *report, const struct report_cell *cells, line_writer *write) {
  const struct report_section *section = report->section;
  struct report_line line = {.table = section->key, .name = row_name(report, cells)};
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (column->names || !column_shown(column, false)) continue;
    line.quantity = column->key;
    line.cell = &cells[c];
    line.figure = column->figure;
    put_figure(report, line, column->unit, write);
  }
}
