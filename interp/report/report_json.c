/* Reports as JSON (RFC 8259): an object whose members are the facts, and an array of objects a section. All digits,
 * base units, the same bytes each time.  A renderer: see report.h. */
#include "interp/report/report.h"

#include <inttypes.h>

static void put_key(struct text *out, const char *key) {
  text_json(out, key);
  text_put(out, ": ");
}

static void put_list(struct text *out, const char *lines) {
  const char *separator = "";
  text_char(out, '[');
  for (const char *line; (line = text_next_line(out->arena, &lines)); separator = ", ") {
    text_put(out, separator);
    text_json(out, line);
  }
  text_char(out, ']');
}

void json_plain(struct text *out, const struct report_cell *cell) {
  switch (cell->kind) {
  case CELL_NONE: text_put(out, "null"); break;
  case CELL_WORD: text_json(out, cell->word); break;
  case CELL_COUNT: text_printf(out, "%" PRId64, cell->count); break;
  case CELL_REAL: text_number(out, cell->real); break;
  case CELL_FLAG: text_put(out, cell->flag ? "true" : "false"); break;
  case CELL_LIST: put_list(out, cell->word); break;
  }
}

/* {"value": 1.5, "low": 1, "high": 2, "unit": "s"}, where it has more than its value. */
static void put_cell(struct text *out, const struct report_cell *cell, const char *unit) {
  if (cell->unit) unit = cell->unit;
  if (cell->kind == CELL_WORD || cell->kind == CELL_FLAG || cell->kind == CELL_LIST ||
      ((!unit || !*unit) && !cell->interval)) {
    json_plain(out, cell);
    return;
  }
  text_put(out, "{\"value\": ");
  json_plain(out, cell);
  if (cell->interval) {
    text_put(out, ", \"low\": ");
    text_number(out, cell->low);
    text_put(out, ", \"high\": ");
    text_number(out, cell->high);
  }
  if (unit && *unit) {
    text_put(out, ", \"unit\": ");
    text_json(out, unit);
  }
  text_char(out, '}');
}

static void open_json(struct report *report) { text_char(&report->out->text, '{'); }

/* The next member of the whole. */
static void put_member(struct report *report, const char *key) {
  bool *begun = report->state;
  if (!begun) report->state = begun = ARENA_NEW(report->arena, bool);
  text_put(&report->out->text, *begun ? ",\n  " : "\n  ");
  *begun = true;
  put_key(&report->out->text, key);
}

static void fact_json(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  if (!fact->key) return;
  put_member(report, fact->key);
  put_cell(&report->out->text, cell, fact->unit);
}

static bool taken(const struct report *report) { return section_shown(report->section, false); }

static void section_json(struct report *report) {
  if (!taken(report) || !report->section->kept) return;
  put_member(report, report->section->key);
  text_char(&report->out->text, '[');
}

static void row_json(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct text *out = &report->out->text;
  const char *separator = "{";
  if (!taken(report)) return;
  if (!section->kept && !report->rows) {
    put_member(report, section->key);
    text_char(out, '[');
  }
  text_put(out, report->rows ? ",\n    " : "\n    ");
  for (size_t c = 0; c < section->column_count; c++) {
    if (!column_shown(&section->columns[c], false)) continue;
    text_put(out, separator);
    put_key(out, section->columns[c].key);
    put_cell(out, &cells[c], section->columns[c].unit);
    separator = ", ";
  }
  text_char(out, '}');
}

static void end_json(struct report *report) {
  if (!taken(report) || (!report->rows && !report->section->kept)) return;
  text_put(&report->out->text, report->rows ? "\n  ]" : "]");
}

static void close_json(struct report *report) { text_put(&report->out->text, "\n}\n"); }

const struct report_renderer report_as_json = {.name = "json",
                                               .open = open_json,
                                               .fact = fact_json,
                                               .section = section_json,
                                               .row = row_json,
                                               .end = end_json,
                                               .close = close_json};
