/* What was derived as JSON: each expression as PSL and as LaTeX, with its numbers.  Called by interp/library/derived.c.
*/
#include "interp/derive/derive.h"

#include <math.h>
#include <string.h>

static void put_pair(struct text *out, const char *name, const char *value) {
  text_json(out, name);
  text_put(out, ": ");
  text_json(out, value);
}

static void put_poly(const struct derived_report *report, struct text *out, const struct derived *item,
                     const struct poly *a, bool time) {
  struct derivation *d = report->derivation;
  struct dimension dimension = time ? type_dimension(d->graph->model->types.time) : (struct dimension){{0}};
  struct text psl = {.arena = report->arena}, latex = {.arena = report->arena};
  struct derived_spread spread;
  struct bounded bounds;
  poly_write(&psl, &d->al, a, NOTATION_PSL, dimension);
  poly_write(&latex, &d->al, a, NOTATION_LATEX, dimension);
  text_put(out, "{");
  put_pair(out, "psl", psl.data);
  text_put(out, ", ");
  put_pair(out, "latex", latex.data);
  if (item && derived_spread(d, item, a, &spread)) {
    text_put(out, ", \"least\": ");
    text_number(out, spread.low);
    text_put(out, ", \"greatest\": ");
    text_number(out, spread.high);
  }
  if (item && derived_reads_ranges(d, a, report->ranges, report->range_count) &&
      derived_spread_bounds(d, item, a, report->ranges, report->range_count, &bounds)) {
    text_put(out, ", \"low\": ");
    text_number(out, bounds.at.low);
    text_put(out, ", \"high\": ");
    text_number(out, bounds.at.high);
    text_printf(out, ", \"monotone\": %s", bounds.monotone ? "true" : "false");
  }
  text_put(out, "}");
}

static void put_costs(const struct derived_report *report, struct text *out, const struct derived *item,
                      const struct costs *costs, bool numbers) {
  struct derived_lines lines = {.costs = costs};
  bool first = true;
  text_put(out, "{");
  while (derived_lines_next(&lines, &report->derivation->al)) {
    text_printf(out, "%s\n        \"%s\": ", first ? "" : ",",
                lines.part == COST_PARTS ? "time" : part_words[lines.part].name);
    put_poly(report, out, numbers ? item : NULL, lines.poly, true);
    first = false;
  }
  text_put(out, "}");
}

static void put_item(const struct derived_report *report, struct text *out, const struct derived *item) {
  struct derivation *d = report->derivation;
  text_put(out, "    {");
  put_pair(out, "process", item->name);
  if (item->where) {
    text_put(out, ", ");
    put_pair(out, "where", item->where);
  }
  if (d->section) {
    text_put(out, ",\n      \"times\": ");
    put_poly(report, out, item, item->costs.times, false);
    if (item->each.times && item->each.part[0]) {
      text_put(out, ",\n      \"once\": ");
      put_costs(report, out, item, &item->each, !item->around_count);
    }
  }
  text_put(out, ",\n      \"parts\": ");
  put_costs(report, out, item, &item->costs, true);
  if (item->whole) {
    text_printf(out, ",\n      \"exact\": %s, \"whole\": ", derived_phases_exact(d) ? "true" : "false");
    put_poly(report, out, item, item->whole, true);
  }
  text_put(out, ",\n      \"notes\": [");
  for (uint32_t k = 0; k < item->note_count; k++) {
    text_put(out, k ? ", {" : "{");
    put_pair(out, "place", item->notes[k].span.begin ? place_text(d->graph->resolver, item->notes[k].span) : "");
    text_put(out, ", ");
    put_pair(out, "text", item->notes[k].text);
    text_printf(out, ", \"left_out\": %s}", item->notes[k].left_out ? "true" : "false");
  }
  text_put(out, "]}");
}

static void put_number(struct text *out, const char *name, double value) {
  text_printf(out, ", \"%s\": ", name);
  if (isfinite(value))
    text_number(out, value);
  else
    text_put(out, "null");
}

static void put_compared(const struct derived_report *report, struct text *out) {
  text_put(out, ",\n  \"run\": [");
  for (uint32_t k = 0; k < report->compared_count; k++) {
    const struct derived_compared *row = &report->compared[k];
    text_put(out, k ? ",\n    {" : "\n    {");
    put_pair(out, "process", row->process);
    for (int part = 0; part < COST_PARTS; part++)
      put_number(out, part_words[part].name, row->derived[part]);
    put_number(out, "run_compute", row->compute);
    put_number(out, "run_communicate", row->communicate);
    text_put(out, "}");
  }
  text_put(out, "]");
}

void derived_json(struct output *out, const struct derived_report *report) {
  struct derivation *d = report->derivation;
  struct text *text = &out->text;
  text_put(text, "{\n  ");
  put_pair(text, "format", "derived 1");
  text_put(text, ", ");
  put_pair(text, "model", report->model);
  text_put(text, ", ");
  put_pair(text, "system", d->graph->system->symbol->name->text);
  if (d->section) {
    text_put(text, ", ");
    put_pair(text, "section", d->section);
  }
  text_put(text, ",\n  \"params\": [");
  for (uint32_t k = 0; k < d->param_count; k++) {
    if (k) text_put(text, ", ");
    text_json(text, d->params[k]->name->text);
  }
  text_put(text, "],\n  \"decided_by\": [");
  for (uint32_t k = 0; k < d->settled_count; k++) {
    if (k) text_put(text, ", ");
    text_json(text, d->settled[k]->name->text);
  }
  text_put(text, "],\n  \"processes\": [\n");
  for (uint32_t k = 0; k < d->count; k++) {
    if (k) text_put(text, ",\n");
    put_item(report, text, d->items[k]);
    output_pass(out);
  }
  text_put(text, "]");
  if (report->compared) put_compared(report, text);
  text_put(text, "\n}\n");
}
