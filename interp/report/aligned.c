/* Columns of figures that can be compared at a glance: zeros are filled in behind a point, so that figures of one unit
 * have as many digits there.  Called by the writers of tables for people; a page does the same (tables.js). */
#include "interp/report/report.h"

#include <string.h>

enum { DIGITS = 4 }; /* of a figure, as reports write it */

/* A cell as number and what stands behind it: `5.42 MB/s`. */
struct figure_parts {
  size_t number; /* its length; 0: the cell is no plain number */
  size_t behind; /* digits behind the point */
  size_t digits; /* that count: without zeros before them */
};

static struct figure_parts parts_of(const char *cell) {
  struct figure_parts parts = {0};
  const char *at = cell + (*cell == '-' || *cell == '+');
  size_t whole = strspn(at, "0123456789");
  if (!whole) return parts;
  bool point = at[whole] == '.';
  size_t behind = point ? strspn(at + whole + 1, "0123456789") : 0;
  const char *end = at + whole + point + behind;
  if ((point && !behind) || (*end && *end != ' ')) return parts;
  const char *first = at + strspn(at, "0.");
  parts.number = (size_t)(end - cell);
  parts.behind = behind;
  parts.digits = first < end ? (size_t)(end - first) - (first < at + whole && point) : 0;
  return parts;
}

/* As many digits behind the point as one of the same unit has that is still to come or has been. */
static size_t most_behind(const char *const *cells, size_t count, size_t columns, size_t c, const char *unit) {
  size_t most = 0;
  for (size_t i = c; i < count; i += columns) {
    if (!cells[i]) continue;
    struct figure_parts parts = parts_of(cells[i]);
    if (parts.number && !strcmp(cells[i] + parts.number, unit) && parts.behind > most) most = parts.behind;
  }
  return most;
}

static const char *filled(struct report *report, const char *cell, struct figure_parts parts, size_t zeros) {
  struct text text = {.arena = report->arena};
  text_printf(&text, "%.*s%s", (int)parts.number, cell, parts.behind ? "" : ".");
  while (zeros--)
    text_char(&text, '0');
  text_put(&text, cell + parts.number);
  return text.data;
}

void cells_align(struct report *report, const char **cells, size_t count, size_t columns, size_t c) {
  const char *unit = NULL;
  size_t most = 0;
  for (size_t i = c; i < count; i += columns) {
    struct figure_parts parts = cells[i] ? parts_of(cells[i]) : (struct figure_parts){0};
    if (!parts.number || !parts.digits || parts.digits >= DIGITS) continue;
    if (!unit || strcmp(unit, cells[i] + parts.number) != 0) {
      unit = cells[i] + parts.number;
      most = most_behind(cells, count, columns, c, unit);
    }
    size_t room = DIGITS - parts.digits, missing = most > parts.behind ? most - parts.behind : 0;
    size_t zeros = missing < room ? missing : room;
    if (zeros) cells[i] = filled(report, cells[i], parts, zeros);
  }
}
