/* Tables of texts.  Called by the writers of text reports. */
#include "interp/report/text_table.h"
#include "grammar/characters.h"

#include <string.h>

struct widths {
  size_t number, unit; /* of a column of figures; `number` alone is that of a text column */
};

/* Where the unit of a figure begins: at the blank after its number, else at the end. */
static size_t number_length(const char *cell) {
  bool figure = (*cell >= '0' && *cell <= '9') || ((*cell == '-' || *cell == '+') && cell[1]);
  const char *blank = figure ? strchr(cell, ' ') : NULL;
  return blank ? (size_t)(blank - cell) : strlen(cell);
}

void table_open(struct table *table, struct arena *arena, const char *align) {
  *table = (struct table){.arena = arena, .align = align, .columns = strlen(align)};
}

void table_cell(struct table *table, const char *text) {
  struct text shown = {.arena = table->arena};
  text_shown(&shown, text, strlen(text), "");
  const char *cell = shown.data ? shown.data : "";
  ARENA_PUSH(table->arena, table->cells, table->count, table->capacity, cell);
}

void table_cellf(struct table *table, const char *format, ...) {
  struct text text = {.arena = table->arena};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  table_cell(table, text.data ? text.data : "");
}

static void widen(struct widths *widths, const char *cell, char align) {
  size_t length = strlen(cell), number = align == 'r' ? number_length(cell) : length;
  if (number < length) {
    size_t unit = characters_width(cell + number, length - number);
    if (unit > widths->unit) widths->unit = unit;
  }
  if (align == 'l' || number < length) {
    size_t width = characters_width(cell, number);
    if (width > widths->number) widths->number = width;
  }
}

/* Heads and bare numbers take the whole width, so they are known only after the figures with units. */
static void widen_bare(struct widths *widths, const char *cell) {
  size_t length = strlen(cell), width = characters_width(cell, length);
  if (number_length(cell) == length && width > widths->number + widths->unit) widths->number = width - widths->unit;
}

static void put_blanks(struct text *out, size_t count) {
  while (count--)
    text_char(out, ' ');
}

static void put_cell(struct text *out, const char *cell, struct widths widths, char align) {
  size_t length = strlen(cell), number = align == 'r' ? number_length(cell) : length;
  size_t width = characters_width(cell, length), all = widths.number + widths.unit;
  if (align == 'l') {
    text_put(out, cell);
    put_blanks(out, widths.number - width);
  } else if (number < length) {
    put_blanks(out, widths.number - characters_width(cell, number));
    text_put(out, cell);
    put_blanks(out, widths.unit - characters_width(cell + number, length - number));
  } else {
    put_blanks(out, all - width);
    text_put(out, cell);
  }
}

static struct widths *widths_of(const struct table *table) {
  struct widths *widths = ARENA_ARRAY(table->arena, struct widths, table->columns);
  for (size_t i = 0; i < table->count; i++)
    widen(&widths[i % table->columns], table->cells[i], table->align[i % table->columns]);
  for (size_t i = 0; i < table->count; i++)
    if (table->align[i % table->columns] == 'r') widen_bare(&widths[i % table->columns], table->cells[i]);
  return widths;
}

void table_measure(const struct table *table, size_t *widths) {
  const struct widths *parts = widths_of(table);
  for (size_t c = 0; c < table->columns; c++)
    widths[c] = parts[c].number + parts[c].unit;
}

void table_print(const struct table *table, struct text *out, const char *indent) {
  const struct widths *widths = widths_of(table);
  size_t begin = strlen(indent);
  for (size_t c = 0; c + 1 < table->columns; c++)
    begin += widths[c].number + widths[c].unit + TABLE_GAP;
  for (size_t i = 0; i < table->count; i++) {
    size_t column = i % table->columns;
    text_put(out, column ? "  " : indent);
    if (table->last && column + 1 == table->columns)
      text_wrapped(out, table->cells[i], 0, table->last, begin);
    else
      put_cell(out, table->cells[i], widths[column], table->align[column]);
    if (column + 1 < table->columns) continue;
    while (out->size && out->data[out->size - 1] == ' ')
      out->size--;
    text_char(out, '\n');
  }
}
