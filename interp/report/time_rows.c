/* Rows of time in columns as a picture, and two figures against each other: what the page of a trace has. */
#include "interp/report/timeline.h"

#include <math.h>
#include <string.h>

enum { WIDTH = TIMES_ACROSS, HEIGHT = 400, TOP = 34, BOTTOM = 34, RIGHT = TIMES_RIGHT, LETTER = 7 };

/* ---- rows of time ---- */

static size_t widest_label(const char *const *labels, size_t count) {
  size_t widest = 0;
  for (size_t k = 0; k < count; k++)
    if (strlen(labels[k]) > widest) widest = strlen(labels[k]);
  return widest;
}

double time_rows_left(const char *const *labels, size_t rows) {
  return 24 + LETTER * (double)widest_label(labels, rows);
}

static void put_style(struct text *out) {
  text_put(out, "<style>.times text{font:12px sans-serif;fill:#222}.times .name{text-anchor:end;font-size:11px}"
                ".times .mark{text-anchor:middle;font-size:11px}.times .tick{stroke:#999;stroke-width:.5}</style>\n");
}

/* Stretches of one class after each other: moves and lines, relative to where the last one ended. */
struct strip {
  struct text path;
  size_t row, x; /* its pen: row 0 is before the first */
};

static void put_stretch(struct strip *strip, size_t row, double middle, size_t x, size_t length) {
  if (strip->row != row + 1)
    text_printf(&strip->path, "M%zu %.6gh%zu", x, middle, length);
  else
    text_printf(&strip->path, "m%zu 0h%zu", x - strip->x, length);
  strip->row = row + 1;
  strip->x = x + length;
}

static void put_row(const struct time_rows *rows, size_t row, double middle, struct strip *strips, double *owed) {
  int count = (int)rows->count, now = count;
  size_t since = 0;
  memset(owed, 0, (rows->count + 1) * sizeof *owed);
  for (size_t x = 0; x <= rows->columns; x++) {
    const double *shares = &rows->shares[(row * rows->columns + x) * rows->count];
    int next = x < rows->columns ? timeline_owed(owed, shares, count) : count;
    if (next == now) continue;
    if (now < count) put_stretch(&strips[now], row, middle, since, x - since);
    now = next;
    since = x;
  }
}

static void put_legend(struct text *out, const struct time_rows *rows, double left) {
  double x = left;
  for (size_t k = 0; k < rows->count; k++) {
    text_printf(out, "<rect x=\"%.5g\" y=\"8\" width=\"14\" height=\"12\" fill=\"#%06x\"/><text x=\"%.5g\" y=\"18\">",
                x, rows->classes[k].color, x + 20);
    text_markup(out, rows->classes[k].name);
    text_put(out, "</text>\n");
    x += 36 + LETTER * (double)strlen(rows->classes[k].name);
  }
}

void time_rows_draw(struct output *out, const struct time_rows *rows) {
  struct text *text = &out->text;
  struct strip *strips = ARENA_ARRAY(text->arena, struct strip, rows->count);
  double *owed = ARENA_ARRAY(text->arena, double, rows->count + 1);
  double row = fmin(fmax(floor(HEIGHT / (double)rows->rows), 6), 22), bottom = TOP + row * (double)rows->rows;
  double left = rows->left;
  double scale = WIDTH / ((double)rows->columns * rows->column), across = WIDTH / (double)rows->columns;
  text_printf(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"times\" viewBox=\"0 0 %.6g %.6g\">\n",
              left + WIDTH + RIGHT, bottom + BOTTOM);
  put_style(text);
  text_put(text, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
  put_legend(text, rows, left);
  timeline_axis(text, left, TOP, bottom, scale, rows->end);
  for (size_t k = 0; k < rows->count; k++)
    strips[k] = (struct strip){.path = {.arena = text->arena}};
  for (size_t r = 0; r < rows->rows; r++)
    put_row(rows, r, TOP + row * ((double)r + 0.5), strips, owed);
  text_printf(text, "<g transform=\"translate(%.6g 0) scale(%.6g 1)\" stroke-width=\"%.4g\">\n", left, across,
              row > 8   ? row - 2
              : row > 4 ? row - 1
                        : row);
  for (size_t k = 0; k < rows->count; k++)
    if (strips[k].path.size)
      text_printf(text, "<path stroke=\"#%06x\" d=\"%s\"/>\n", rows->classes[k].color, strips[k].path.data);
  text_put(text, "</g>\n");
  size_t step = (size_t)ceil(13 / row); /* labels need 13 pixels */
  for (size_t r = 0; r < rows->rows; r += step) {
    text_printf(text, "<text class=\"name\" x=\"%.5g\" y=\"%.6g\">", left - 8, TOP + row * ((double)r + 0.5) + 4);
    text_markup(text, rows->labels[r]);
    text_put(text, "</text>\n");
  }
  text_put(text, "</svg>\n");
  output_pass(out);
}

/* ---- two figures ---- */

enum { CELL = 22, SLIM = 10, FEW = 32, LINE = 26 /* pixels from one label to the next */ };

static double cell_of(const struct heat_axis *axis) { return axis->count > FEW ? SLIM : CELL; }

/* Where its label stands: at its beginning, or in its middle. */
static double mark_of(const struct heat_axis *axis, size_t step) {
  return cell_of(axis) * ((double)step + (axis->ranges ? 0 : 0.5));
}

static void put_text(struct text *out, double x, double y, const char *anchor, const char *text) {
  text_printf(out, "<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"%s\">", x, y, anchor);
  text_markup(out, text);
  text_put(out, "</text>\n");
}

/* From one label to the next: so many that there is room, and that round figures have one. */
static size_t label_stride(const struct heat_axis *axis, double room) {
  size_t stride = (size_t)ceil(room / cell_of(axis));
  while (axis->cycle > 1 && axis->cycle % stride && stride % axis->cycle)
    stride++;
  return stride;
}

static size_t first_label(const struct heat_axis *axis, size_t stride) {
  return (stride - axis->first % stride) % stride;
}

static void put_axes(struct text *out, const struct heat_map *map, double left, double bottom) {
  double wide = cell_of(&map->x) * (double)map->x.count, high = cell_of(&map->y) * (double)map->y.count;
  double label = 14 + LETTER * (double)widest_label(map->x.ends, map->x.count + map->x.ranges);
  size_t every_x = label_stride(&map->x, label), every_y = label_stride(&map->y, LINE);
  for (size_t k = first_label(&map->x, every_x); k < map->x.count + map->x.ranges; k += every_x)
    put_text(out, left + mark_of(&map->x, k), bottom + 16, "middle", map->x.ends[k]);
  for (size_t k = first_label(&map->y, every_y); k < map->y.count + map->y.ranges; k += every_y)
    put_text(out, left - 6, bottom - mark_of(&map->y, k) + 4, "end", map->y.ends[k]);
  put_text(out, left + wide / 2, bottom + 36, "middle", map->x.label);
  put_text(out, 4, bottom - high - 10, "start", map->y.label);
  text_printf(out, "<path class=\"frame\" d=\"M%.6g %.6gv%.6gh%.6g\"/>\n", left, bottom - high, high, wide);
}

static void put_step(struct text *out, const struct heat_axis *axis, size_t step) {
  text_markup(out, axis->label);
  text_put(out, " ");
  text_markup(out, axis->ends[step]);
  if (!axis->ranges) return;
  text_put(out, " to ");
  text_markup(out, axis->ends[step + 1]);
}

static void put_cell(struct text *out, const struct heat_map *map, size_t x, size_t y, double left, double bottom,
                     double opacity) {
  double wide = cell_of(&map->x), high = cell_of(&map->y);
  text_printf(out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.3g\" height=\"%.3g\" fill-opacity=\"%.2f\"><title>",
              left + wide * (double)x, bottom - high * (double)(y + 1), wide, high, opacity);
  put_step(out, &map->x, x);
  text_put(out, ", ");
  put_step(out, &map->y, y);
  text_put(out, ": ");
  text_markup(out, map->shown[y * map->x.count + x]);
  text_put(out, "</title></rect>\n");
}

void heat_map_draw(struct output *out, const struct heat_map *map) {
  struct text *text = &out->text;
  size_t cells = map->x.count * map->y.count;
  double least = INFINITY, most = 0;
  double left = 20 + LETTER * (double)widest_label(map->y.ends, map->y.count + map->y.ranges);
  double wide = cell_of(&map->x) * (double)map->x.count, high = cell_of(&map->y) * (double)map->y.count;
  double bottom = 30 + high;
  for (size_t k = 0; k < cells; k++)
    if (map->values[k] > 0) least = fmin(least, map->values[k]), most = fmax(most, map->values[k]);
  text_printf(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat\" width=\"%.6g\" height=\"%.6g\" "
              "viewBox=\"0 0 %.6g %.6g\">\n",
              left + wide + 60, bottom + 44, left + wide + 60, bottom + 44);
  for (size_t y = 0; y < map->y.count; y++)
    for (size_t x = 0; x < map->x.count; x++) {
      double value = map->values[y * map->x.count + x];
      if (!(value > 0)) continue;
      double part = most > least ? log(value / least) / log(most / least) : 1;
      put_cell(text, map, x, y, left, bottom, 0.15 + 0.85 * part);
      output_pass(out);
    }
  put_axes(text, map, left, bottom);
  text_put(text, "</svg>\n");
}
