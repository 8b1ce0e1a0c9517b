/* Plots in a terminal: lines of braille dots in a frame, or bars of blocks, in Unicode.  Called by psl study
 * --plot. */
#include "interp/report/plot.h"
#include "grammar/characters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEAST = 40, /* columns; a narrower terminal wraps */
  MOST = 120,
  ROWS_LEAST = 10, /* of a panel */
  ROWS_MOST = 18,
  TICK_ROWS = 4, /* from one tick of the y axis to the next, about */
  TICK_COLUMNS = 9,
  NAME = 28, /* columns of a name */
  BAR = 60   /* columns of the longest bar */
};

struct cell {
  unsigned char dots; /* of the braille character: see dot_of */
  unsigned char mark; /* 1 + series % MARKS of a point here; 0: none */
  unsigned char color;
};
struct screen {
  struct text *out;
  const struct plot *plot;
  const struct plot_terminal *terminal;
  struct cell *cells; /* rows x columns */
  size_t rows, columns, left;
};

static const char *const marks[] = {"●", "■", "▲", "◆", "▼", "★", "○", "□", "△", "◇", "▽", "☆"};
static const char *const colors[] = {"\033[34m", "\033[33m", "\033[36m", "\033[35m", "\033[32m", "\033[31m"};
enum { MARKS = sizeof marks / sizeof *marks, COLORS = sizeof colors / sizeof *colors };

static size_t width_of(const char *text) { return characters_width(text, strlen(text)); }

static void put_blanks(struct text *out, size_t count) {
  while (count--)
    text_char(out, ' ');
}

static void put_colored(const struct screen *screen, size_t color, const char *text) {
  if (screen->terminal->color) text_put(screen->out, colors[color % COLORS]);
  text_put(screen->out, text);
  if (screen->terminal->color) text_put(screen->out, "\033[0m");
}

static void put_bold(const struct screen *screen, const char *text, size_t width) {
  if (screen->terminal->color) text_put(screen->out, "\033[1m");
  plot_label(screen->out, text, width);
  if (screen->terminal->color) text_put(screen->out, "\033[0m");
  text_char(screen->out, '\n');
}

static const char *short_name(const struct screen *screen, const char *name) {
  struct text text = {.arena = screen->out->arena};
  plot_label(&text, name, NAME);
  return text.data;
}

/* ---- lines ---- */

/* A cell has two columns of four dots; U+2800 and the sum of their bits is the character. */
static void set_dot(struct screen *screen, long x, long y, size_t series) {
  static const unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
  if (x < 0 || y < 0 || (size_t)x >= 2 * screen->columns || (size_t)y >= 4 * screen->rows) return;
  struct cell *cell = &screen->cells[(size_t)y / 4 * screen->columns + (size_t)x / 2];
  cell->dots |= bits[x % 2][y % 4];
  cell->color = (unsigned char)(series % COLORS);
}

static void draw_line(struct screen *screen, const long from[2], const long to[2], size_t series) {
  long across = to[0] - from[0], down = to[1] - from[1];
  long steps = labs(across) > labs(down) ? labs(across) : labs(down);
  for (long k = 0; k <= steps; k++) {
    double part = steps ? (double)k / (double)steps : 0;
    set_dot(screen, from[0] + lround(part * (double)across), from[1] + lround(part * (double)down), series);
  }
}

static void place_of(const struct screen *screen, const struct plot_scale *x, const struct plot_scale *y, double at_x,
                     double at_y, long place[2]) {
  place[0] = lround(plot_place(x, at_x) * (double)(2 * screen->columns - 1));
  place[1] = lround((1 - plot_place(y, at_y)) * (double)(4 * screen->rows - 1));
}

/* A dot a cell at the end of a band, so that it is no line. */
static void draw_bound(struct screen *screen, const struct plot_scale *x, const struct plot_scale *y, double at_x,
                       double at_y, size_t s) {
  long place[2];
  place_of(screen, x, y, at_x, at_y, place);
  set_dot(screen, place[0] / 2 * 2, place[1], s);
}

static void draw_series(struct screen *screen, const struct plot_scale *x, const struct plot_scale *y,
                        const struct plot_series *series, size_t s) {
  long here[2], before[2];
  for (size_t p = 0; p < series->count; p++) {
    const struct plot_point *point = &series->points[p];
    place_of(screen, x, y, point->x, point->y, here);
    if (p && !series->scattered) draw_line(screen, before, here, s);
    if (isfinite(point->low) && series->band) {
      draw_bound(screen, x, y, point->x, point->low, s);
      draw_bound(screen, x, y, point->x, point->high, s);
    } else if (isfinite(point->low)) {
      long low[2], high[2];
      place_of(screen, x, y, point->x, fmax(point->low, y->low), low);
      place_of(screen, x, y, point->x, point->high, high);
      draw_line(screen, low, high, s);
    }
    memcpy(before, here, sizeof here);
  }
}

/* Of many points each n-th is marked, of each series another one: enough to tell the series apart. A band is alone. */
static void draw_marks(struct screen *screen, const struct plot_scale *x, const struct plot_scale *y,
                       const struct plot_series *series, size_t s) {
  if (series->count && isfinite(series->points->low) && series->band) return;
  size_t enough = screen->columns / 6, every = series->scattered ? 1 : 1 + series->count / enough;
  for (size_t p = s % every; p < series->count; p += every) {
    long at[2];
    place_of(screen, x, y, series->points[p].x, series->points[p].y, at);
    struct cell *cell = &screen->cells[(size_t)at[1] / 4 * screen->columns + (size_t)at[0] / 2];
    cell->mark = (unsigned char)(1 + s % MARKS);
    cell->color = (unsigned char)(s % COLORS);
  }
}

/* Neighbours of one colour share its escape. */
static void put_cells(struct screen *screen, size_t row) {
  struct text *out = screen->out, run = {.arena = out->arena};
  size_t last = screen->columns;
  const struct cell *cells = &screen->cells[row * screen->columns];
  while (last && !cells[last - 1].dots && !cells[last - 1].mark)
    last--;
  for (size_t c = 0; c < last; c++) {
    char braille[4] = {(char)0xe2, (char)(0xa0 | cells[c].dots >> 6), (char)(0x80 | (cells[c].dots & 0x3f)), 0};
    bool drawn = cells[c].dots || cells[c].mark, next = c + 1 < last && (cells[c + 1].dots || cells[c + 1].mark);
    if (!drawn)
      text_char(out, ' ');
    else
      text_put(&run, cells[c].mark ? marks[cells[c].mark - 1] : braille);
    if (!run.size || (next && cells[c + 1].color == cells[c].color)) continue;
    put_colored(screen, cells[c].color, run.data);
    run.size = 0;
  }
  text_char(out, '\n');
}

static const struct plot_tick *tick_in_row(const struct screen *screen, const struct plot_scale *y, size_t row) {
  for (size_t t = 0; t < y->count; t++)
    if (lround((1 - plot_place(y, y->ticks[t].at)) * (double)(4 * screen->rows - 1)) / 4 == (long)row)
      return &y->ticks[t];
  return NULL;
}

static void put_rows(struct screen *screen, const struct plot_scale *y) {
  struct text *out = screen->out;
  for (size_t row = 0; row < screen->rows; row++) {
    const struct plot_tick *tick = tick_in_row(screen, y, row);
    put_blanks(out, screen->left - (tick ? width_of(tick->label) : 0));
    text_put(out, tick ? tick->label : "");
    text_put(out, tick ? " ┤" : " │");
    put_cells(screen, row);
  }
}

static size_t column_of(const struct screen *screen, const struct plot_scale *x, const struct plot_tick *tick) {
  return (size_t)lround(plot_place(x, tick->at) * (double)(2 * screen->columns - 1)) / 2;
}

/* Labels stand under their ticks; one that would touch the one before is left out. */
static void put_axis_x(struct screen *screen, const struct plot_scale *x) {
  struct text *out = screen->out;
  size_t width = screen->columns, at = 0, end = screen->left + 2 + width;
  bool *ticks = ARENA_ARRAY(out->arena, bool, width);
  for (size_t t = 0; t < x->count; t++)
    ticks[column_of(screen, x, &x->ticks[t])] = true;
  put_blanks(out, screen->left);
  text_put(out, " └");
  for (size_t c = 0; c < width; c++)
    text_put(out, ticks[c] ? "┬" : "─");
  text_char(out, '\n');
  for (size_t t = 0; t < x->count; t++) {
    size_t length = width_of(x->ticks[t].label);
    size_t middle = screen->left + 2 + column_of(screen, x, &x->ticks[t]);
    size_t begin = middle > length / 2 ? middle - length / 2 : 0;
    if (begin + length > end && end > length) begin = end - length;
    if (at && begin < at + 1) continue;
    put_blanks(out, begin - at);
    text_put(out, x->ticks[t].label);
    at = begin + length;
  }
  text_char(out, '\n');
  struct text label = {.arena = out->arena};
  plot_label(&label, x->label, width);
  put_blanks(out, screen->left + 2 + (width - width_of(label.data)) / 2);
  text_printf(out, "%s\n", label.data);
}

static void put_legend(struct screen *screen, const struct plot_panel *panel) {
  struct text *out = screen->out;
  size_t indent = screen->left + 2, at = indent;
  put_blanks(out, indent);
  if (*screen->plot->by) {
    const char *by = short_name(screen, screen->plot->by);
    text_put(out, by);
    at += width_of(by);
  }
  for (size_t s = 0; s < panel->count; s++) {
    const char *name = short_name(screen, panel->series[s].name);
    size_t width = width_of(name) + 2;
    if (at > indent && at + 2 + width > screen->terminal->width) {
      text_char(out, '\n');
      put_blanks(out, indent);
      at = indent;
    }
    if (at > indent) text_put(out, "  "), at += 2;
    put_colored(screen, s, marks[s % MARKS]);
    text_printf(out, " %s", name);
    at += width;
  }
  text_char(out, '\n');
}

static size_t rows_of(const struct screen *screen) {
  size_t rows = screen->terminal->width / 5;
  return rows < ROWS_LEAST ? ROWS_LEAST : rows > ROWS_MOST ? ROWS_MOST : rows;
}

static void print_lines(struct screen *screen, size_t p) {
  const struct plot *plot = screen->plot;
  const struct plot_panel *panel = &plot->panels[p];
  bool last = p + 1 == plot->panel_count;
  struct arena *arena = screen->out->arena;
  struct plot_scale x, y;
  screen->rows = rows_of(screen);
  plot_scale_y(arena, plot, panel, screen->rows / TICK_ROWS + 2, &y);
  screen->columns = screen->terminal->width - screen->left - 3;
  plot_scale_x(arena, plot, screen->columns / TICK_COLUMNS, &x);
  screen->cells = ARENA_ARRAY(arena, struct cell, screen->rows * screen->columns);
  for (size_t s = 0; s < panel->count; s++)
    draw_series(screen, &x, &y, &panel->series[s], s);
  for (size_t s = 0; s < panel->count; s++)
    draw_marks(screen, &x, &y, &panel->series[s], s);
  put_blanks(screen->out, screen->left + 1);
  plot_label(screen->out, y.label, screen->columns);
  text_char(screen->out, '\n');
  put_rows(screen, &y);
  put_axis_x(screen, &x);
  bool own = last || !plot_same_series(panel, panel + 1);
  if (*plot->by ? own : panel->count > 1) put_legend(screen, panel);
}

/* As wide as the widest tick of all panels, so that their frames stand under each other. */
static size_t width_of_ticks(const struct screen *screen) {
  size_t widest = 0;
  for (size_t p = 0; p < screen->plot->panel_count; p++) {
    struct plot_scale y;
    plot_scale_y(screen->out->arena, screen->plot, &screen->plot->panels[p], rows_of(screen) / TICK_ROWS + 2, &y);
    for (size_t t = 0; t < y.count; t++)
      if (width_of(y.ticks[t].label) > widest) widest = width_of(y.ticks[t].label);
  }
  return widest;
}

/* ---- bars ---- */

/* From `from` to `to`, 0 to 1 of `room` columns; its right end to an eighth of a column. */
static void put_bar(struct screen *screen, double from, double to, size_t room, size_t series) {
  static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  struct text bar = {.arena = screen->out->arena};
  long begin = lround(fmin(from, to) * (double)room), end = lround(fmax(from, to) * (double)room * 8);
  put_blanks(screen->out, (size_t)begin);
  text_put(&bar, end <= begin * 8 ? "▏" : "");
  for (long c = begin; c < end / 8; c++)
    text_put(&bar, "█");
  if (end > begin * 8) text_put(&bar, eighths[end % 8]);
  put_colored(screen, series, bar.data);
}

static void put_interval(struct text *out, const struct plot_point *point, const char *unit) {
  text_put(out, " (");
  plot_value(out, point->low, unit);
  text_put(out, " to ");
  plot_value(out, point->high, unit);
  text_put(out, ")");
}

struct bars {
  size_t categories, names, room; /* columns of each part of a row */
  struct plot_scale y;
};

static size_t wider(size_t a, size_t b) { return a > b ? a : b; }

static void put_cell(struct text *out, const char *text, size_t width) {
  text_put(out, text);
  put_blanks(out, width - width_of(text) + 1);
}

static void print_bar(struct screen *screen, const struct bars *bars, const struct plot_panel *panel, size_t s,
                      const struct plot_point *point, bool first) {
  struct text *out = screen->out;
  double zero = bars->y.log ? 0 : plot_place(&bars->y, 0);
  text_put(out, "  ");
  put_cell(out, first ? short_name(screen, screen->plot->categories[(size_t)point->x]) : "", bars->categories);
  if (bars->names) put_cell(out, short_name(screen, panel->series[s].name), bars->names);
  put_bar(screen, zero, plot_place(&bars->y, point->y), bars->room, s);
  text_char(out, ' ');
  plot_value(out, point->y, panel->y.unit);
  if (isfinite(point->low)) put_interval(out, point, panel->y.unit);
  text_char(out, '\n');
}

static void print_bars(struct screen *screen, const struct plot_panel *panel) {
  const struct plot *plot = screen->plot;
  struct bars bars = {0};
  plot_scale_y(screen->out->arena, plot, panel, 5, &bars.y);
  for (size_t c = 0; c < plot->category_count; c++)
    bars.categories = wider(bars.categories, width_of(short_name(screen, plot->categories[c])));
  for (size_t s = 0; s < panel->count && (panel->count > 1 || *plot->by); s++)
    bars.names = wider(bars.names, width_of(short_name(screen, panel->series[s].name)));
  size_t taken = bars.categories + bars.names + 16;
  bars.room = screen->terminal->width > taken + 10 ? screen->terminal->width - taken : 10;
  if (bars.room > BAR) bars.room = BAR;
  text_put(screen->out, "  ");
  plot_label(screen->out, panel->y.label, NAME);
  text_put(screen->out, " against ");
  plot_label(screen->out, plot->x.label, NAME);
  if (*plot->by) {
    text_put(screen->out, " by ");
    plot_label(screen->out, plot->by, NAME);
  }
  text_put(screen->out, bars.y.log ? ", log scale\n" : "\n");
  for (size_t c = 0; c < plot->category_count; c++) {
    bool first = true;
    for (size_t s = 0; s < panel->count; s++)
      for (size_t p = 0; p < panel->series[s].count; p++) {
        if (panel->series[s].points[p].x != (double)c) continue;
        print_bar(screen, &bars, panel, s, &panel->series[s].points[p], first);
        first = false;
      }
  }
}

void plot_print(struct text *out, const struct plot *plot, const struct plot_terminal *terminal) {
  struct plot_terminal fitted = *terminal;
  fitted.width = fitted.width < LEAST ? LEAST : fitted.width > MOST ? MOST : fitted.width;
  struct screen screen = {.out = out, .plot = plot, .terminal = &fitted};
  put_bold(&screen, plot->title, fitted.width);
  screen.left = width_of_ticks(&screen);
  for (size_t p = 0; p < plot->panel_count; p++) {
    if (plot->categories)
      print_bars(&screen, &plot->panels[p]);
    else
      print_lines(&screen, p);
  }
  if (!plot->note) return;
  text_put(out, "  ");
  plot_label(out, plot->note, 200);
  text_char(out, '\n');
}
