/* Reports as text: facts as lines `name  figure`, sections as tables with aligned columns.  A renderer: see
 * report.h. */
#include "grammar/characters.h"
#include "interp/report/report.h"
#include "interp/report/text_table.h"

#include <string.h>

enum { HEAD = 14 }; /* characters of a fact's name */
enum { WRAPPED_LEAST = 20, BAR_LEAST = 5, NOTE_INDENT = 7 };
#define INDENT "  " /* of what stands in a section */

struct text_state {
  bool begun;         /* something stands above */
  bool line;          /* a line of facts is open */
  size_t at;          /* where it begins */
  const char **cells; /* of the section: by row and column, as they will be shown; NULL: there is none */
  size_t count, capacity;
};

static struct text_state *state_of(struct report *report) { return report->state; }

/* The first `indent` characters as they are; what is wider than the terminal goes on behind as many blanks. */
static void put_wrapped(struct report *report, const char *text, size_t indent) {
  struct text *out = &report->out->text;
  text_put_n(out, text, indent);
  if (report->room > indent + WRAPPED_LEAST)
    text_wrapped(out, text + indent, 0, report->room - indent, indent);
  else
    text_put(out, text + indent);
  text_char(out, '\n');
}

static void line_end(struct report *report) {
  struct text_state *state = state_of(report);
  struct text *out = &report->out->text;
  if (state->line) {
    const char *line = arena_copy(report->arena, out->data + state->at, out->size - state->at);
    out->size = state->at;
    put_wrapped(report, line, HEAD + strlen(INDENT));
  }
  state->line = false;
}

static void open_text(struct report *report) { report->state = ARENA_NEW(report->arena, struct text_state); }

static void fact_text(struct report *report, const struct report_fact *fact, const struct report_cell *cell) {
  struct text *out = &report->out->text;
  if (!fact->head && !fact->before) return;
  if (fact->head) {
    line_end(report);
    state_of(report)->at = out->size;
    text_printf(out, "%-*s" INDENT, HEAD, fact->head);
    state_of(report)->line = state_of(report)->begun = true;
  }
  if (fact->before) text_put(out, fact->before);
  cell_put(out, fact->figure, cell, "");
}

static void line_text(struct report *report, const char *text) {
  line_end(report);
  state_of(report)->begun = true;
  do {
    size_t length = strcspn(text, "\n");
    put_wrapped(report, arena_copy(report->arena, text, length), strspn(text, " "));
    text += length;
  } while (*text++);
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
  bool unfit; /* left out because there is no room for it */
  size_t width;
};

static size_t places_of(const struct report_section *section, struct printed *places) {
  size_t count = 0;
  for (size_t c = 0; c < section->column_count; c++) {
    const struct report_column *column = &section->columns[c];
    if (!column_shown(column, true)) continue;
    places[count++] = (struct printed){.column = column, .half = column->half};
    if (has_half(section, column)) places[count++] = (struct printed){.column = column, .half = true};
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

static bool is_text(const struct printed *place) {
  return place->half || place->column->figure == FIGURE_WORD || place->column->figure == FIGURE_BAR;
}

static const char *none_of(const struct printed *place) { return is_text(place) ? "" : "-"; }

/* Those that are not left out. */
static bool make_table(struct report *report, const struct printed *places, size_t columns, struct table *table) {
  const struct text_state *state = state_of(report);
  struct text align = {.arena = report->arena};
  for (size_t c = 0; c < columns; c++)
    if (!places[c].left_out) text_char(&align, is_text(&places[c]) ? 'l' : 'r');
  if (!align.size) return false;
  table_open(table, report->arena, align.data);
  for (size_t c = 0; c < columns && !report->section->headless; c++)
    if (!places[c].left_out) table_cell(table, places[c].half || !places[c].column->head ? "" : places[c].column->head);
  for (size_t i = 0; i < state->count; i++)
    if (!places[i % columns].left_out)
      table_cell(table, state->cells[i] ? state->cells[i] : none_of(&places[i % columns]));
  return true;
}

/* ---- notes: texts that are long stand below the table, those that are alike once, and have a number in it ---- */

enum {
  NOTE_LONG = 60, /* stands below where there is room, too */
  NOTE_SHORT = 8, /* stands in the table where there is none */
  NOTES_MOST = 20,
};

struct note {
  const char *text;
  size_t times, row; /* row: the first one */
  bool varies;       /* other rows have other figures in it */
};

static bool is_longer(const struct text_state *state, size_t columns, size_t c, size_t length) {
  for (size_t i = c; i < state->count; i += columns)
    if (state->cells[i] && characters_width(state->cells[i], strlen(state->cells[i])) > length) return true;
  return false;
}

static size_t note_of(struct note notes[NOTES_MOST], const char *text, size_t row) {
  size_t n = 0;
  while (n < NOTES_MOST && notes[n].text && !text_alike(notes[n].text, text))
    n++;
  if (n == NOTES_MOST) return n;
  if (!notes[n].text) notes[n] = (struct note){.text = text, .row = row};
  notes[n].varies |= strcmp(notes[n].text, text) != 0;
  notes[n].times++;
  return n;
}

/* `rate = 2, servers = 1`; "" where nothing names rows. */
static const char *row_name(struct report *report, const struct printed *places, size_t columns, size_t row) {
  const char **cells = &state_of(report)->cells[row * columns];
  struct text text = {.arena = report->arena};
  for (size_t c = 0; c < columns; c++)
    if (places[c].column->names && !places[c].half && cells[c])
      text_printf(&text, "%s%s = %s", text.size ? ", " : "", column_name(report->arena, places[c].column), cells[c]);
  return text.data ? text.data : "";
}

static void put_notes(struct report *report, const struct printed *places, size_t columns,
                      const struct note notes[NOTES_MOST], struct text *out) {
  struct text text = {.arena = report->arena};
  unsigned room = report->room;
  size_t width = room > 2 * WRAPPED_LEAST ? room - NOTE_INDENT : room ? WRAPPED_LEAST : SIZE_MAX;
  for (size_t n = 0; n < NOTES_MOST && notes[n].text; n++) {
    text.size = 0;
    text_shown(&text, notes[n].text, strlen(notes[n].text), "");
    const char *of = notes[n].varies ? row_name(report, places, columns, notes[n].row) : "";
    if (notes[n].times > 1) text_printf(&text, " (%zu times", notes[n].times);
    if (*of) text_printf(&text, ", here with the figures of %s", of);
    if (notes[n].times > 1) text_char(&text, ')');
    text_printf(out, "%s" INDENT "[%zu]%s", n ? "" : "\n", n + 1, n < 9 ? "  " : " ");
    text_wrapped(out, text.data, 0, width, NOTE_INDENT);
    text_char(out, '\n');
  }
}

static void number_column(struct report *report, const struct printed *places, size_t columns, size_t c,
                          struct text *below) {
  const struct text_state *state = state_of(report);
  struct note notes[NOTES_MOST] = {{0}};
  size_t others = 0;
  for (size_t i = c; i < state->count; i += columns) {
    if (!state->cells[i]) continue;
    size_t n = note_of(notes, state->cells[i], i / columns);
    others += n == NOTES_MOST;
    state->cells[i] = n == NOTES_MOST ? "[*]" : arena_printf(report->arena, "[%zu]", n + 1);
  }
  put_notes(report, places, columns, notes, below);
  if (others) text_printf(below, INDENT "[*]  %zu others; --vertical shows them\n", others);
}

/* Where a column of notes has one that is longer. */
static bool number_notes(struct report *report, const struct printed *places, size_t columns, size_t length,
                         struct text *below) {
  bool numbered = false;
  for (size_t c = 0; c < columns; c++) {
    if (!places[c].column->note || !is_longer(state_of(report), columns, c, length)) continue;
    number_column(report, places, columns, c, below);
    numbered = true;
  }
  return numbered;
}

/* ---- what there is no room for ---- */

static size_t total_width(const struct printed *places, size_t columns) {
  size_t total = strlen(INDENT) - TABLE_GAP;
  for (size_t c = 0; c < columns; c++)
    if (!places[c].left_out) total += places[c].width + TABLE_GAP;
  return total;
}

static void measure(struct report *report, const struct table *table, struct printed *places, size_t columns) {
  size_t *widths = ARENA_ARRAY(report->arena, size_t, table->columns), next = 0;
  table_measure(table, widths);
  for (size_t c = 0; c < columns; c++)
    if (!places[c].left_out) places[c].width = widths[next++];
}

/* The last column where that is words and may be wrapped to what the others leave; columns: it may not. */
static size_t wrapped(const struct printed *places, size_t columns, size_t room) {
  size_t last = columns;
  while (last && places[last - 1].left_out)
    last--;
  if (!last || places[last - 1].half || places[last - 1].column->figure != FIGURE_WORD) return columns;
  size_t others = total_width(places, columns) - places[last - 1].width;
  return others + WRAPPED_LEAST <= room ? last - 1 : columns;
}

/* Bars have what the other columns leave, if that is enough to tell them apart: they keep their proportions. */
static void shorten_bars(struct report *report, struct printed *places, size_t columns, size_t room) {
  struct text_state *state = state_of(report);
  for (size_t c = 0; c < columns; c++) {
    size_t wide = places[c].width, over = total_width(places, columns) - room;
    if (places[c].column->figure != FIGURE_BAR || places[c].left_out || wide < over + BAR_LEAST) continue;
    for (size_t i = c; i < state->count; i += columns)
      if (state->cells[i])
        state->cells[i] =
            arena_copy(report->arena, state->cells[i], (strlen(state->cells[i]) * (wide - over) + wide - 1) / wide);
    places[c].width = wide - over;
    return;
  }
}

/* A drawing, else what would be said once if all rows agreed, else the last of those that not every table has, else the
 * first interval, so that the figures themselves are seen, else the last column that neither names its row nor is a
 * note; columns: there is none. */
static size_t least_missed(const struct printed *places, size_t columns) {
  enum { BAR, COMMON, OPTIONAL, INTERVAL, LAST, KINDS };
  size_t least[KINDS] = {columns, columns, columns, columns, columns};
  for (size_t c = columns; c-- > 1;) {
    const struct report_column *column = places[c].column;
    if (places[c].left_out || column->names || column->note) continue;
    if (places[c].half) least[INTERVAL] = c;
    int kind = column->figure == FIGURE_BAR ? BAR : column->common ? COMMON : column->optional ? OPTIONAL : LAST;
    if (!places[c].half && least[kind] == columns) least[kind] = c;
  }
  for (int kind = 0; kind < KINDS; kind++)
    if (least[kind] < columns) return least[kind];
  return columns;
}

static void leave_out(struct printed *places, size_t columns, size_t c) {
  places[c].left_out = places[c].unfit = true;
  if (c + 1 < columns && places[c + 1].half) places[c + 1].left_out = true;
}

/* Makes the table anew where it is wider than the terminal, or what is said of a row is long. */
static void fit(struct report *report, struct printed *places, size_t columns, struct table *table,
                struct text *below) {
  size_t room = report->room ? report->room : SIZE_MAX, last = columns;
  measure(report, table, places, columns);
  size_t longest = total_width(places, columns) > room ? NOTE_SHORT : NOTE_LONG;
  if (number_notes(report, places, columns, longest, below)) {
    make_table(report, places, columns, table);
    measure(report, table, places, columns);
  }
  if (total_width(places, columns) <= room) return;
  shorten_bars(report, places, columns, room);
  while (total_width(places, columns) > room && (last = wrapped(places, columns, room)) == columns) {
    size_t least = least_missed(places, columns);
    if (least == columns) break;
    leave_out(places, columns, least);
  }
  make_table(report, places, columns, table);
  if (last < columns) table->last = room - (total_width(places, columns) - places[last].width);
}

/* The heads of those for which there is no room: columns, or intervals of columns that are there. */
static size_t unfit_heads(struct report *report, const struct printed *places, size_t columns, bool halves,
                          struct text *names) {
  size_t unfit = 0;
  for (size_t c = 0; c < columns; c++) {
    const char *head = places[c - (halves && c)].column->head;
    if (!places[c].unfit || places[c].half != halves || (halves && places[c - 1].left_out) || !head || !*head) continue;
    text_printf(names, "%s%s", unfit++ ? ", " : "",
                strchr(head, ',') ? arena_printf(report->arena, "'%s'", head) : head);
  }
  return unfit;
}

static void put_unfit(struct report *report, const struct printed *places, size_t columns) {
  struct text names = {.arena = report->arena}, intervals = names, said = names;
  size_t unfit = unfit_heads(report, places, columns, false, &names);
  size_t halves = unfit_heads(report, places, columns, true, &intervals);
  if (!unfit && !halves) return;
  if (unfit) text_printf(&said, unfit > 1 ? "columns %s" : "column %s", names.data);
  if (halves)
    text_printf(&said, "%s%s of %s", unfit ? " and the " : "", halves > 1 ? "intervals" : "interval", intervals.data);
  text_printf(&said, unfit + halves > 1 ? " do not fit; --vertical shows all" : " does not fit; --vertical shows all");
  text_put(&report->out->text, INDENT);
  text_wrapped(&report->out->text, said.data, 0, report->room - strlen(INDENT), strlen(INDENT));
  text_char(&report->out->text, '\n');
}

static void table_text(struct report *report, struct printed *places, size_t columns) {
  struct text_state *state = state_of(report);
  struct text below = {.arena = report->arena};
  struct table table;
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
  for (size_t c = 0; c < columns; c++)
    if (places[c].column->compared && !places[c].half) cells_align(report, state->cells, state->count, columns, c);
  if (once) blank_repeated(state, places, columns);
  if (make_table(report, places, columns, &table)) {
    fit(report, places, columns, &table, &below);
    table_print(&table, &report->out->text, INDENT);
    put_unfit(report, places, columns);
  }
  if (below.data) text_put(&report->out->text, below.data);
}

/* ---- in place of a table, a line a figure ---- */

static void record_text(struct report *report, const struct printed *places, size_t columns, const char **cells) {
  struct table table;
  table_open(&table, report->arena, "ll");
  for (size_t c = 0; c < columns; c++) {
    const char *half = c + 1 < columns && places[c + 1].half ? cells[c + 1] : NULL;
    if (places[c].half || !cells[c] || !*cells[c] || places[c].column->figure == FIGURE_BAR) continue;
    table_cell(&table, column_name(report->arena, places[c].column));
    table_cellf(&table, "%s%s%s", cells[c], half ? "  " : "", half ? half : "");
  }
  table_print(&table, &report->out->text, INDENT);
}

static void records_text(struct report *report, const struct printed *places, size_t columns) {
  const struct text_state *state = state_of(report);
  for (size_t row = 0; row < state->count; row += columns) {
    if (row) text_char(&report->out->text, '\n');
    record_text(report, places, columns, &state->cells[row]);
  }
}

/* ---- lines ---- */

static void put_line(struct report *report, const char *line) {
  struct text *out = &report->out->text;
  size_t room = report->room > 2 * WRAPPED_LEAST ? report->room : SIZE_MAX;
  text_put(out, INDENT);
  if (characters_width(line, strlen(line)) + strlen(INDENT) > room)
    text_wrapped(out, line, 0, room - 2 * strlen(INDENT), 2 * strlen(INDENT));
  else
    text_put(out, line);
  text_char(out, '\n');
}

static void lines_text(struct report *report, const struct printed *places, size_t columns) {
  struct text_state *state = state_of(report);
  struct text *out = &report->out->text;
  size_t rows = state->count / columns, limit = report->section->limit;
  struct text line = {.arena = report->arena};
  for (size_t row = 0; row < rows && (!limit || row < limit); row++) {
    line.size = 0;
    for (size_t c = 0; c < columns; c++) {
      const struct report_column *column = places[c].column;
      const char *cell = state->cells[row * columns + c];
      if (!cell) continue;
      text_printf(&line, "%s%s%s", column->before ? column->before : "", cell, column->after ? column->after : "");
    }
    put_line(report, line.data ? line.data : "");
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
  else if (report->renderer == &report_as_vertical_text)
    records_text(report, places, columns);
  else
    table_text(report, places, columns);
  output_pass(report->out);
}

#define RENDERER                                                                                                     \
  .people = true, .open = open_text, .fact = fact_text, .line = line_text, .section = section_text, .row = row_text, \
  .end = end_text, .close = line_end
const struct report_renderer report_as_text = {.name = "text", RENDERER};
const struct report_renderer report_as_vertical_text = {.name = "vertical", RENDERER};
