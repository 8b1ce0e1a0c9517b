/* What was derived, for people: as text, where expressions are PSL, and as LaTeX.  Called by interp/library/derived.c.
*/
#include "interp/derive/derive.h"

#include <math.h>
#include <string.h>

static struct dimension time_dimension(const struct derived_report *report) {
  return type_dimension(report->derivation->graph->model->types.time);
}

static void put_time(const struct derived_report *report, struct text *out, double seconds) {
  quantity_print(out, &report->derivation->graph->model->types, seconds, time_dimension(report), 7);
}

static void put_wrapped(struct text *out, const char *words, size_t used, size_t indent) {
  text_wrapped(out, words, used, 118 - indent, indent);
  text_char(out, '\n');
}

/* ---- numbers below an expression ---- */

static void put_spread(const struct derived_report *report, struct text *out, const struct derived *item,
                       const struct poly *a) {
  struct derivation *d = report->derivation;
  struct derived_spread spread;
  if (!derived_spread(d, item, a, &spread)) {
    text_put(out, "      no number at the params' values\n");
    return;
  }
  text_put(out, "      ");
  put_time(report, out, spread.low);
  if (spread.high - spread.low > 1e-9 * fabs(spread.high)) { /* more than rounding */
    text_put(out, " in ");
    graph_instance_print(out, d->graph, spread.lowest);
    text_put(out, " to ");
    put_time(report, out, spread.high);
    text_put(out, " in ");
    graph_instance_print(out, d->graph, spread.highest);
  }
  text_char(out, '\n');
}

static void put_bounds(const struct derived_report *report, struct text *out, const struct derived *item,
                       const struct poly *a) {
  struct derivation *d = report->derivation;
  struct bounded bounds;
  if (!derived_reads_ranges(d, a, report->ranges, report->range_count)) return;
  if (!derived_spread_bounds(d, item, a, report->ranges, report->range_count, &bounds)) {
    text_put(out, "      in the ranges: no number somewhere\n");
    return;
  }
  text_put(out, bounds.monotone ? "      in the ranges: " : "      in the ranges: within ");
  put_time(report, out, bounds.at.low);
  text_put(out, " to ");
  put_time(report, out, bounds.at.high);
  if (bounds.monotone)
    text_put(out, ", monotone\n");
  else
    text_printf(out, ", not seen to be monotone in %s%s\n", bounds.because->name->text,
                bounds.steps ? ", of which something is rounded, as by div" : "");
}

/* ---- text ---- */

/* The names of the parts that are there. */
static void put_parts(struct text *out, const struct costs *costs) {
  bool any = false;
  for (int k = 0; k < COST_PARTS; k++) {
    if (costs->part[k]->count) text_printf(out, "%s%s", any ? " + " : "", part_words[k].text);
    any |= costs->part[k]->count > 0;
  }
}

static void put_line(const struct derived_report *report, struct text *out, const struct derived *item,
                     const struct derived_lines *line) {
  struct algebra *al = &report->derivation->al;
  struct text expression = {.arena = report->arena};
  const char *head = line->part == COST_PARTS ? "in all" : part_words[line->part].text;
  if (line->part == COST_PARTS && line->shown)
    put_parts(&expression, line->costs);
  else
    poly_write(&expression, al, line->poly, NOTATION_TEXT, time_dimension(report));
  text_printf(out, "  %s =\n      ", head);
  put_wrapped(out, expression.data, 0, 6);
  put_spread(report, out, item, line->poly);
  put_bounds(report, out, item, line->poly);
}

static void put_lines(const struct derived_report *report, struct text *out, const struct derived *item,
                      const struct costs *costs) {
  struct derived_lines lines = {.costs = costs};
  while (derived_lines_next(&lines, &report->derivation->al))
    put_line(report, out, item, &lines);
}

static void put_notes(const struct derived_report *report, struct text *out, const struct derived *item, bool left_out,
                      const char *head) {
  bool any = false;
  for (uint32_t k = 0; k < item->note_count; k++) {
    const struct derive_note *note = &item->notes[k];
    if (note->left_out != left_out) continue;
    if (!any) text_printf(out, "  %s\n", head);
    any = true;
    text_put(out, "    ");
    const char *line = note->text;
    if (note->span.begin)
      line = arena_printf(report->arena, "%s: %s", place_text(report->derivation->graph->resolver, note->span), line);
    put_wrapped(out, line, 0, 6);
  }
}

static void put_times(const struct derived_report *report, struct text *out, const struct derived *item) {
  struct algebra *al = &report->derivation->al;
  struct text times = {.arena = report->arena};
  poly_write(&times, al, item->costs.times, NOTATION_TEXT, (struct dimension){{0}});
  text_printf(out, "  times = %s\n", times.data);
}

static void put_item(const struct derived_report *report, struct text *out, const struct derived *item) {
  struct derivation *d = report->derivation;
  text_printf(out, "\n%s", item->name);
  if (item->where) text_printf(out, ", where %s", item->where);
  text_char(out, '\n');
  if (d->section && item->each.times && item->each.part[0]) {
    bool within = item->around_count;
    text_put(out, "  once");
    for (uint32_t k = 0; k < item->around_count; k++) {
      text_put(out, k ? ", " : ", in a turn of the loop over ");
      poly_write(out, &d->al, item->around[k], NOTATION_TEXT, (struct dimension){{0}});
    }
    text_char(out, '\n');
    struct derived_lines lines = {.costs = &item->each};
    while (derived_lines_next(&lines, &d->al)) {
      if (!within) {
        put_line(report, out, item, &lines);
        continue;
      }
      struct text expression = {.arena = report->arena};
      poly_write(&expression, &d->al, lines.poly, NOTATION_TEXT, time_dimension(report));
      text_printf(out, "  %s =\n      ", lines.part == COST_PARTS ? "in all" : part_words[lines.part].text);
      put_wrapped(out, expression.data, 0, 6);
    }
  }
  if (d->section) {
    put_times(report, out, item);
    text_put(out, "  all times together\n");
  }
  put_lines(report, out, item, &item->costs);
  put_notes(report, out, item, true, "left out");
  put_notes(report, out, item, false, "taken so");
}

static void put_phases(const struct derived_report *report, struct text *out, const struct derived *item, bool exact) {
  struct algebra *al = &report->derivation->al;
  struct text expression = {.arena = report->arena};
  poly_write(&expression, al, item->whole, NOTATION_TEXT, time_dimension(report));
  put_wrapped(out,
              arena_printf(report->arena,
                           "  phases that end with operations of all %ss, one after the other, each by its slowest:",
                           item->accept->component->symbol->name->text),
              0, 4);
  text_put(out, "      ");
  put_wrapped(out, expression.data, 0, 6);
  put_spread(report, out, item, item->whole);
  put_bounds(report, out, item, item->whole);
  text_put(out, exact ? "  the run takes that long, for all come to each operation at one time\n"
                      : "  the run takes that long at least\n");
}

static void put_whole(const struct derived_report *report, struct text *out) {
  struct derivation *d = report->derivation;
  double most = 0;
  if (d->section) return;
  text_put(out, "\nthe whole\n");
  for (uint32_t k = 0; k < d->count; k++)
    if (d->items[k]->whole) put_phases(report, out, d->items[k], derived_phases_exact(d));
  if (derived_phases_exact(d)) return;
  for (uint32_t k = 0; k < d->count; k++) {
    struct derived_spread spread;
    if (!derived_spread(d, d->items[k], costs_total(&d->al, &d->items[k]->costs), &spread)) {
      text_put(out, "  no number at the params' values\n");
      return;
    }
    most = fmax(most, spread.high);
  }
  text_put(out, derived_exact(d) ? "  the run takes the greatest of these, for nobody waits: "
                                 : "  at least the greatest of these, without waiting for others: ");
  put_time(report, out, most);
  text_char(out, '\n');
}

static void put_settled(const struct derived_report *report, struct text *out) {
  struct derivation *d = report->derivation;
  const struct model *model = d->graph->model;
  if (!d->settled_count) return;
  text_put(out, "\ndecided by the values of params\n");
  for (uint32_t k = 0; k < d->settled_count; k++) {
    struct symbol *symbol = (struct symbol *)d->settled[k];
    struct expr name = {.kind = EXPR_NAME, .type = symbol->type, .name = {symbol->name, symbol}};
    struct value value;
    text_printf(out, "  %s = ", symbol->name->text);
    if (resolver_quietly(d->graph->resolver, &name, NULL, &value))
      value_print(out, &model->types, model->names, symbol->type, value, 7);
    text_char(out, '\n');
  }
}

static void put_percent(struct text *out, double derived, double run) {
  if (derived == run)
    text_put(out, "equal");
  else if (run == 0)
    text_put(out, "-");
  else
    text_printf(out, fabs(derived / run - 1) < 0.995 ? "%+.2g %%" : "%+.0f %%", 100 * (derived / run - 1));
}

static double own(const struct derived_compared *row) {
  return row->derived[COST_COMPUTE] + row->derived[COST_MEMORY] + row->derived[COST_STORAGE];
}

/* Two numbers that differ by no more than rounding are said to be equal. */
static double rounded_to(double derived, double run) {
  return fabs(derived - run) <= 1e-9 * fabs(run) + 1e-18 ? run : derived;
}

static void put_compared(const struct derived_report *report, struct text *out) {
  struct text cells[6];
  if (!report->compared) return;
  text_put(out, "\nbeside the run\n");
  if (!report->compared_count) text_put(out, "  no process of the run is one of these: it has no clock of its own\n");
  if (!report->compared_count) return;
  size_t width = 7;
  for (uint32_t k = 0; k < report->compared_count; k++)
    if (strlen(report->compared[k].process) > width) width = strlen(report->compared[k].process);
  text_printf(out, "  %-*s  %13s  %13s  %9s  %13s  %13s\n", (int)width, "", "compute", "of the run", "",
              "communication", "of the run");
  for (uint32_t k = 0; k < report->compared_count; k++) {
    const struct derived_compared *row = &report->compared[k];
    double compute = rounded_to(own(row), row->compute);
    double communicate = rounded_to(row->derived[COST_COMMUNICATION], row->communicate);
    for (int c = 0; c < 6; c++)
      cells[c] = (struct text){.arena = report->arena};
    put_time(report, &cells[0], compute);
    put_time(report, &cells[1], row->compute);
    put_percent(&cells[2], compute, row->compute);
    put_time(report, &cells[3], communicate);
    put_time(report, &cells[4], row->communicate);
    put_percent(&cells[5], communicate, row->communicate);
    text_printf(out, "  %-*s  %13s  %13s  %9s  %13s  %13s  %9s\n", (int)width, row->process, cells[0].data,
                cells[1].data, cells[2].data, cells[3].data, cells[4].data, cells[5].data);
  }
}

void derived_text(struct output *out, const struct derived_report *report) {
  struct derivation *d = report->derivation;
  text_printf(&out->text, "time of %s, of its own: without waiting for others\n",
              d->section ? "a section" : "each process");
  for (uint32_t k = 0; k < d->count; k++) {
    put_item(report, &out->text, d->items[k]);
    output_pass(out);
  }
  put_whole(report, &out->text);
  put_settled(report, &out->text);
  put_compared(report, &out->text);
}

/* ---- LaTeX ---- */

static void put_arguments(struct text *out, const struct derived *item) {
  if (!item->indices || !item->index_count) return;
  for (uint32_t k = 0; k < item->index_count; k++)
    text_printf(out, "%s\\mathit{%s}", k ? "," : "(", item->accept->component->indices[k]->name->text);
  text_char(out, ')');
}

static void put_symbols(struct text *out, const struct costs *costs, const char *symbol) {
  bool any = false;
  for (int k = 0; k < COST_PARTS; k++) {
    if (costs->part[k]->count) text_printf(out, "%s%s_{\\text{%s}}", any ? " + " : "", symbol, part_words[k].latex);
    any |= costs->part[k]->count > 0;
  }
}

static void put_equations(const struct derived_report *report, struct text *out, const struct derived *item,
                          const struct costs *costs, const char *symbol) {
  struct derived_lines lines = {.costs = costs};
  bool first = true;
  text_put(out, "\\begin{align*}\n");
  while (derived_lines_next(&lines, &report->derivation->al)) {
    if (!first) text_put(out, " \\\\\n");
    first = false;
    text_put(out, symbol);
    if (lines.part < COST_PARTS) text_printf(out, "_{\\text{%s}}", part_words[lines.part].latex);
    put_arguments(out, item);
    text_put(out, " &= ");
    if (lines.part == COST_PARTS && lines.shown)
      put_symbols(out, costs, symbol);
    else
      poly_write(out, &report->derivation->al, lines.poly, NOTATION_LATEX, time_dimension(report));
  }
  text_put(out, "\n\\end{align*}\n");
}

/* With \usepackage{amsmath}. */
void derived_latex(struct output *out, const struct derived_report *report) {
  struct derivation *d = report->derivation;
  text_put(&out->text, "% \\usepackage{amsmath}\n");
  for (uint32_t k = 0; k < d->count; k++) {
    const struct derived *item = d->items[k];
    text_printf(&out->text, "%% %s: time of its own, without waiting for others\n", item->name);
    for (uint32_t n = 0; n < item->note_count; n++)
      if (item->notes[n].left_out)
        text_printf(&out->text, "%% left out: %s: %s\n", place_text(d->graph->resolver, item->notes[n].span),
                    item->notes[n].text);
    if (d->section && item->each.times && item->each.part[0]) put_equations(report, &out->text, item, &item->each, "t");
    put_equations(report, &out->text, item, &item->costs, "T");
    if (item->whole) {
      text_printf(&out->text, "%% the run: phases of all, one after the other\n\\begin{align*}\nT_{\\text{run}} &%s ",
                  derived_phases_exact(d) ? "=" : "\\ge");
      poly_write(&out->text, &d->al, item->whole, NOTATION_LATEX, time_dimension(report));
      text_put(&out->text, "\n\\end{align*}\n");
    }
    output_pass(out);
  }
}
