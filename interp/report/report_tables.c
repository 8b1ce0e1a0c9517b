/* Reports as tables of Markdown (as GitHub has them) and LaTeX, for a text that somebody writes: figures read as in
 * text reports, with their units, and what a language would take for markup is escaped.  LaTeX comes as tabular
 * environments that need no package.  A renderer: see report.h. */
#include "interp/report/report.h"

#include <string.h>

struct table_state {
  bool begun;         /* something stands above */
  bool facts;         /* their list is open */
  const char **cells; /* of the section: by row and column, escaped; NULL: there is none */
  size_t count, capacity;
};
struct table_place { /* a column as it is printed */
  const struct report_column *column;
  bool left_out;
};

static struct table_state *state_of(const struct report *report) { return report->state; }
static bool is_latex(const struct report *report) { return report->renderer == &report_as_latex; }
static bool is_figure(const struct report_column *column) { return column->figure != FIGURE_WORD; }

/* ---- escapes ---- */

/* A backslash before any of these makes it itself. */
static void put_markdown(struct text *out, const char *text) {
  for (; *text; text++) {
    if (strchr("\\`*_{}[]<>|~$&", *text)) text_char(out, '\\');
    text_char(out, *text == '\n' ? ' ' : *text);
  }
}

static const char *latex_of(char c) {
  static const struct {
    char c;
    const char *written;
  } others[] = {{'\\', "\\textbackslash{}"},
                {'~', "\\textasciitilde{}"},
                {'^', "\\textasciicircum{}"},
                {'<', "\\textless{}"},
                {'>', "\\textgreater{}"},
                {'|', "\\textbar{}"},
                {'`', "\\textasciigrave{}"},
                {'"', "''"},
                {'\n', " "}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].c == c) return others[i].written;
  return NULL;
}

static void put_latex(struct text *out, const char *text) {
  if (*text == '[' || *text == '*') text_printf(out, "{%c}", *text++); /* behind the end of a row: its argument */
  for (char before = 0; *text; before = *text++) {
    const char *written = latex_of(*text);
    if (strchr("{}$&#_%", *text)) text_char(out, '\\');
    if (*text == '-' && before == '-') text_put(out, "{}"); /* two would be a dash */
    if (written)
      text_put(out, written);
    else
      text_char(out, *text);
  }
}

static const char *escaped(const struct report *report, const char *text, bool figure) {
  struct text shown = {.arena = report->arena}, out = shown;
  text_shown(&shown, text, strlen(text), "\n");
  text = shown.data ? shown.data : "";
  if (!is_latex(report))
    put_markdown(&out, text);
  else if (figure && *text == '-' && text[1]) { /* a minus is no hyphen */
    text_put(&out, "$-$");
    put_latex(&out, text + 1);
  } else
    put_latex(&out, text);
  return out.data ? out.data : "";
}

/* ---- words ---- */

static void open_tables(struct report *report) { report->state = ARENA_NEW(report->arena, struct table_state); }

/* What stands by itself is parted from what is above by an empty line. */
static struct text *begin_block(struct report *report) {
  struct table_state *state = state_of(report);
  struct text *out = &report->out->text;
  if (state->facts) text_put(out, is_latex(report) ? "\n\\end{itemize}\n" : "\n");
  if (state->begun) text_char(out, '\n');
  state->facts = false;
  state->begun = true;
  return out;
}

static void fact_tables(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  struct text text = {.arena = report->arena};
  if (!fact->head && !fact->before) return;
  if (fact->head && !state_of(report)->facts) {
    struct text *out = begin_block(report);
    if (is_latex(report)) text_put(out, "\\begin{itemize}\n");
    state_of(report)->facts = true;
    text_printf(out, "%s%s: ", is_latex(report) ? "\\item " : "- ", escaped(report, fact->head, false));
  } else if (fact->head) {
    text_printf(&report->out->text, "\n%s%s: ", is_latex(report) ? "\\item " : "- ",
                escaped(report, fact->head, false));
  }
  text_put(&text, fact->before ? fact->before : "");
  cell_put(&text, fact->figure, cell, "");
  text_put(&report->out->text, escaped(report, text.data ? text.data : "", false));
}

/* A line of words begins no list and no head. */
static void put_words(struct report *report, const char *words, bool title) {
  const char *form = !title ? "%s%s\n" : is_latex(report) ? "%s\\textbf{%s}\n" : "%s**%s**\n";
  bool marked = !is_latex(report) && !title && strchr("#+-=", *words);
  text_printf(begin_block(report), form, marked ? "\\" : "", escaped(report, words, false));
}

static void line_tables(struct report *report, const char *line) {
  bool title = report->title && !strcmp(line, report->title);
  for (size_t length; *line; line += length + (line[length] == '\n')) {
    line += strspn(line, " ");
    length = strcspn(line, "\n");
    if (length) put_words(report, arena_copy(report->arena, line, length), title);
  }
}

/* ---- rows ---- */

/* Bars are no figures. */
static bool taken(const struct report_column *column) {
  return column_shown(column, true) && column->figure != FIGURE_BAR;
}

/* Without the blanks that set it in: `4.064 s`, or where it is an estimate `4.064 s ± 12.00 ms`; NULL: none. */
static const char *shown_cell(struct report *report, const struct report_column *column,
                              const struct report_cell *cell) {
  struct text text = {.arena = report->arena}, whole = text;
  if (cell->kind == CELL_NONE && !cell->shown) return NULL;
  cell_put(&text, column->figure, cell, "");
  text_put(&whole, escaped(report, text.data ? text.data + strspn(text.data, " ") : "", is_figure(column)));
  if (!column->estimate || !report->section->intervals || !cell->interval) return whole.data ? whole.data : "";
  text.size = 0;
  if (cell->half)
    text_put(&text, cell->half);
  else
    figure_put(&text, column->figure, (cell->high - cell->low) / 2);
  text_printf(&whole, " %s %s", is_latex(report) ? "$\\pm$" : "±", escaped(report, text.data, true));
  return whole.data;
}

static void row_tables(struct report *report, const struct report_cell *cells) {
  const struct report_section *section = report->section;
  struct table_state *state = state_of(report);
  if (!section_shown(section, true)) return;
  for (size_t c = 0; c < section->column_count; c++)
    if (taken(&section->columns[c]))
      ARENA_PUSH(report->arena, state->cells, state->count, state->capacity,
                 shown_cell(report, &section->columns[c], &cells[c]));
}

static void section_tables(struct report *report) { state_of(report)->count = 0; }

/* ---- sections ---- */

/* The one text of all rows that have one, where they agree. *any: some have. */
static const char *common_text(const struct table_state *state, size_t columns, size_t c, bool *any) {
  const char *common = NULL;
  bool differ = false;
  for (size_t i = c; i < state->count; i += columns) {
    if (!state->cells[i]) continue;
    differ |= common && strcmp(common, state->cells[i]);
    common = state->cells[i];
  }
  *any = common != NULL;
  return differ ? NULL : common;
}

static const char *none_of(const struct report_column *column) { return is_figure(column) ? "-" : ""; }

static void put_row(struct report *report, const struct table_place *places, size_t columns, const char **cells) {
  struct text *out = &report->out->text;
  const char *between = "";
  for (size_t c = 0; c < columns; c++) {
    if (places[c].left_out) continue;
    const char *cell = cells[c] ? cells[c] : none_of(places[c].column);
    if (is_latex(report))
      text_printf(out, "%s%s", between, cell);
    else
      text_printf(out, "| %s%s", cell, *cell ? " " : "");
    between = " & ";
  }
  text_put(out, is_latex(report) ? " \\\\\n" : "|\n");
}

/* Figures stand at the right. */
static void put_alignment(struct report *report, const struct table_place *places, size_t columns) {
  struct text *out = &report->out->text;
  for (size_t c = 0; c < columns; c++) {
    if (places[c].left_out) continue;
    bool right = is_figure(places[c].column);
    if (is_latex(report))
      text_char(out, right ? 'r' : 'l');
    else
      text_put(out, right ? "| ---: " : "| --- ");
  }
}

/* Also where text does without: Markdown has no table without heads. */
static void put_heads(struct report *report, const struct table_place *places, size_t columns) {
  const char **heads = ARENA_ARRAY(report->arena, const char *, columns);
  for (size_t c = 0; c < columns; c++)
    heads[c] = escaped(report, column_name(report->arena, places[c].column), false);
  put_row(report, places, columns, heads);
}

static void put_table(struct report *report, const struct table_place *places, size_t columns) {
  struct text *out = begin_block(report);
  const struct table_state *state = state_of(report);
  for (size_t c = 0; c < columns; c++)
    if (places[c].column->compared) cells_align(report, state->cells, state->count, columns, c);
  if (is_latex(report)) {
    text_put(out, "\\begin{tabular}{");
    put_alignment(report, places, columns);
    text_put(out, "}\n\\hline\n");
    put_heads(report, places, columns);
    text_put(out, "\\hline\n");
  } else {
    put_heads(report, places, columns);
    put_alignment(report, places, columns);
    text_put(out, "|\n");
  }
  for (size_t i = 0; i < state->count; i += columns) {
    put_row(report, places, columns, &state->cells[i]);
    output_pass(report->out);
  }
  if (is_latex(report)) text_put(out, "\\hline\n\\end{tabular}\n");
}

static void put_lines(struct report *report, const struct table_place *places, size_t columns) {
  struct text *out = begin_block(report);
  const struct table_state *state = state_of(report);
  if (is_latex(report)) text_put(out, "\\begin{itemize}\n");
  for (size_t i = 0; i < state->count; i += columns) {
    text_put(out, is_latex(report) ? "\\item " : "- ");
    for (size_t c = 0; c < columns; c++) {
      const struct report_column *column = places[c].column;
      if (!state->cells[i + c]) continue;
      text_put(out, column->before ? escaped(report, column->before, false) : "");
      text_put(out, state->cells[i + c]);
      text_put(out, column->after ? escaped(report, column->after, false) : "");
    }
    text_char(out, '\n');
  }
  if (is_latex(report)) text_put(out, "\\end{itemize}\n");
}

/* What no row has, and what all rows have in common, which stands below; all columns may. */
static bool leave_out(struct report *report, struct table_place *places, size_t columns, struct text *below) {
  bool some = false;
  for (size_t c = 0; c < columns; c++) {
    const struct report_column *column = places[c].column;
    bool any;
    const char *common = common_text(state_of(report), columns, c, &any);
    places[c].left_out = (column->optional || column->common) && (!any || (column->common && common));
    if (places[c].left_out && any)
      text_printf(below, "\n%s: %s\n", escaped(report, column_name(report->arena, column), false), common);
    some |= !places[c].left_out;
  }
  return some;
}

static void end_tables(struct report *report) {
  const struct report_section *section = report->section;
  struct table_place *places = ARENA_ARRAY(report->arena, struct table_place, section->column_count);
  struct text below = {.arena = report->arena};
  size_t columns = 0;
  if (!state_of(report)->count) return;
  for (size_t c = 0; c < section->column_count; c++)
    if (taken(&section->columns[c])) places[columns++].column = &section->columns[c];
  if (section->title)
    text_printf(begin_block(report), is_latex(report) ? "\\textbf{%s}\n" : "**%s**\n",
                escaped(report, section->title, false));
  if (section->layout == LAYOUT_LINES)
    put_lines(report, places, columns);
  else if (leave_out(report, places, columns, &below))
    put_table(report, places, columns);
  if (below.data) text_put(&report->out->text, below.data);
  output_pass(report->out);
}

static void close_tables(struct report *report) {
  if (state_of(report)->facts) text_put(&report->out->text, is_latex(report) ? "\n\\end{itemize}\n" : "\n");
}

#define RENDERER                                                                                            \
  .people = true, .open = open_tables, .fact = fact_tables, .line = line_tables, .section = section_tables, \
  .row = row_tables, .end = end_tables, .close = close_tables
const struct report_renderer report_as_markdown = {.name = "markdown", RENDERER};
const struct report_renderer report_as_latex = {.name = "latex", RENDERER};
