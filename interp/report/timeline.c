/* What each process did when, as a picture: a row a process, a colour an activity, a thin line a message.
 * Called by psl_write_timeline. */
#include "interp/report/timeline.h"
#include "interp/report/results.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  WIDTH = 1000,                  /* pixels of the time axis */
  ROWS = PSL_TIMELINE_PROCESSES, /* more processes than that are sampled */
  HEIGHT = 800,                  /* of all rows together, where they fit */
  EXACT = 2000,                  /* a row of more stretches than that is drawn pixel by pixel, */
  DRAWN = 60000,                 /* and one of more than its part of that */
  MESSAGES = 2000,               /* more messages than that are not drawn */
  TOP = 64,                      /* margins */
  PARTS = 20,                    /* more above, for what waits are for */
  RIGHT = 24,
  BOTTOM = 44
};
#define NOT_DRAWN UINT32_MAX
#define IN(selector) ".timeline-of-psl " selector /* of this picture alone, also inside a page */

static const char *const colors[STRETCHES] = {"#2f6299", "#c65a00", "#8a929d", "#7a5fb0", "#b0568c",
                                              "#4d7c52", "#a87f00", "#b3261e", "#2a8c8c", "#7a4b1f"};
/* Widths of labels, from the right end of the axis; what waits are for stands in a line of its own. */
static const int label_widths[STRETCHES] = {95, 120, 75, 105, 115, 100, 90, 110, 80, 80};

struct canvas {
  struct output *out;
  const struct results *results;
  double scale; /* pixels a second */
  double row;   /* height of a row */
  double left, top;
  size_t rows;
  uint32_t *process_of;              /* by row */
  uint32_t *row_of;                  /* by process; NOT_DRAWN */
  const struct trace_event **events; /* by row, in order of time */
  size_t *starts;                    /* rows + 1: where a row's events begin */
};

/* The row of an instance, or NOT_DRAWN. */
static uint32_t row_of(const struct canvas *canvas, uint32_t instance) {
  if (instance >= canvas->results->instance_count) return NOT_DRAWN;
  uint32_t process = canvas->results->process_of[instance];
  return process == UINT32_MAX ? NOT_DRAWN : canvas->row_of[process];
}

/* Rows for the processes that were traced, or for a part of them, evenly. */
static void choose_rows(struct canvas *canvas, struct arena *arena) {
  const struct results *results = canvas->results;
  size_t processes = results->public.process_count, traced = 0, seen = 0;
  canvas->process_of = ARENA_ARRAY(arena, uint32_t, ROWS);
  canvas->row_of = ARENA_ARRAY(arena, uint32_t, processes);
  for (size_t p = 0; p < processes; p++)
    canvas->row_of[p] = NOT_DRAWN;
  uint32_t every = results->trace->every ? results->trace->every : 1;
  for (uint32_t i = 0; i < results->instance_count; i += every) {
    if (results->process_of[i] == UINT32_MAX) continue;
    canvas->row_of[results->process_of[i]] = 0;
    traced++;
  }
  size_t step = (traced + ROWS - 1) / ROWS;
  for (uint32_t p = 0; p < processes; p++) {
    if (canvas->row_of[p] == NOT_DRAWN) continue;
    canvas->row_of[p] = NOT_DRAWN;
    if (seen++ % step) continue;
    canvas->process_of[canvas->rows] = p;
    canvas->row_of[p] = (uint32_t)canvas->rows++;
  }
}

/* Counting sort by rows, which not all processes have. Of each the stretches are in order of time. */
static void sort_events(struct canvas *canvas, struct arena *arena) {
  const struct trace *trace = canvas->results->trace;
  canvas->starts = ARENA_ARRAY(arena, size_t, canvas->rows + 2);
  canvas->events = ARENA_ARRAY(arena, const struct trace_event *, trace->count);
  size_t *next = canvas->starts + 1; /* next[r] counts, then is where row r is filled, and in the end where it ends */
  for (size_t e = 0; e < trace->count; e++) {
    uint32_t row = row_of(canvas, trace->events[e].process);
    if (row != NOT_DRAWN) next[row + 1]++;
  }
  for (size_t r = 0; r < canvas->rows; r++)
    next[r + 1] += next[r];
  for (size_t e = 0; e < trace->count; e++) {
    uint32_t row = row_of(canvas, trace->events[e].process);
    if (row != NOT_DRAWN) canvas->events[next[row]++] = &trace->events[e];
  }
}

/* ---- rows ---- */

static double middle_of(const struct canvas *canvas, size_t row) {
  return canvas->top + ((double)row + 0.5) * canvas->row;
}

static double x_of(const struct canvas *canvas, double seconds) { return canvas->left + seconds * canvas->scale; }

static void put_stretch(struct text *path, double x, double width) { text_printf(path, "M%.6g 0h%.4g", x, width); }

static void paths_exact(const struct canvas *canvas, size_t row, struct text paths[STRETCHES]) {
  for (size_t e = canvas->starts[row]; e < canvas->starts[row + 1]; e++) {
    const struct trace_event *event = canvas->events[e];
    double x = round(100 * x_of(canvas, event->begin)) / 100;
    put_stretch(&paths[event->activity], x, fmax((event->end - event->begin) * canvas->scale, 0.02));
  }
}

int timeline_owed(double *owed, const double *shares, int count) {
  int best = count;
  owed[count] += 1;
  for (int a = 0; a < count; a++) {
    owed[a] += shares[a];
    owed[count] -= shares[a];
  }
  for (int a = 0; a < count; a++)
    if (owed[a] > owed[best]) best = a;
  owed[best] -= 1;
  return best;
}

static void paths_by_pixel(const struct canvas *canvas, size_t row, struct text paths[STRETCHES]) {
  double shares[WIDTH + 1][STRETCHES];
  memset(shares, 0, sizeof shares);
  for (size_t e = canvas->starts[row]; e < canvas->starts[row + 1]; e++) {
    const struct trace_event *event = canvas->events[e];
    double begin = event->begin * canvas->scale, end = fmin(event->end * canvas->scale, WIDTH);
    for (size_t x = (size_t)begin; (double)x < end; x++)
      shares[x][event->activity] += fmin(end, (double)x + 1) - fmax(begin, (double)x);
  }
  double owed[STRETCHES + 1] = {0};
  int now = STRETCHES;
  size_t since = 0;
  for (size_t x = 0; x <= WIDTH; x++) {
    int next = x < WIDTH ? timeline_owed(owed, shares[x], STRETCHES) : STRETCHES;
    if (next == now) continue;
    if (now < STRETCHES) put_stretch(&paths[now], canvas->left + (double)since, (double)(x - since));
    now = next;
    since = x;
  }
}

static bool is_exact(const struct canvas *canvas, size_t row) {
  size_t count = canvas->starts[row + 1] - canvas->starts[row];
  return count <= EXACT && count <= DRAWN / canvas->rows;
}

/* `paths` are used again for each row. */
static void put_row(struct canvas *canvas, size_t row, struct text paths[STRETCHES]) {
  struct text *out = &canvas->out->text;
  for (int a = 0; a < STRETCHES; a++)
    paths[a].size = 0;
  if (is_exact(canvas, row))
    paths_exact(canvas, row, paths);
  else
    paths_by_pixel(canvas, row, paths);
  text_printf(out, "<g transform=\"translate(0 %.6g)\">", middle_of(canvas, row));
  for (int a = 0; a < STRETCHES; a++)
    if (paths[a].size) text_printf(out, "<path class=\"a%d\" d=\"%s\"/>", a, paths[a].data);
  text_put(out, "</g>\n");
  output_pass(canvas->out);
}

static void put_rows(struct canvas *canvas, struct arena *arena) {
  struct text paths[STRETCHES];
  for (int a = 0; a < STRETCHES; a++)
    paths[a] = (struct text){.arena = arena};
  for (size_t row = 0; row < canvas->rows; row++)
    put_row(canvas, row, paths);
}

static void put_names(struct canvas *canvas) {
  struct text *out = &canvas->out->text;
  size_t step = (size_t)ceil(13 / canvas->row); /* names need 13 pixels */
  for (size_t row = 0; row < canvas->rows; row += step ? step : 1) {
    text_printf(out, "<text class=\"name\" x=\"%.4g\" y=\"%.6g\">", canvas->left - 8, middle_of(canvas, row) + 4);
    text_markup(out, canvas->results->public.processes[canvas->process_of[row]].name);
    text_put(out, "</text>\n");
  }
}

static void put_messages(struct canvas *canvas) {
  const struct trace *trace = canvas->results->trace;
  struct text *out = &canvas->out->text;
  if (trace->message_count > MESSAGES) return;
  for (size_t m = 0; m < trace->message_count; m++) {
    const struct trace_message *message = &trace->messages[m];
    uint32_t from = row_of(canvas, message->source), to = row_of(canvas, message->destination);
    if (from == NOT_DRAWN || to == NOT_DRAWN) continue;
    text_printf(out, "<line class=\"message\" x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\"/>\n",
                x_of(canvas, message->sent), middle_of(canvas, from), x_of(canvas, message->received),
                middle_of(canvas, to));
    output_pass(canvas->out);
  }
}

/* ---- axis, title, legend ---- */

/* 1, 2 or 5 times a power of ten, so that there are about eight. */
static double tick_step(double whole) {
  double rough = whole / 8, power = pow(10, floor(log10(rough))), digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

void timeline_axis(struct text *out, double left, double top, double bottom, double scale, double makespan) {
  static const struct {
    double factor;
    const char *unit;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t u = 0;
  while (u < 3 && makespan < units[u].factor)
    u++;
  double whole = makespan / units[u].factor, step = whole > 0 ? tick_step(whole) : 1;
  for (unsigned k = 0; k * step <= whole * (1 + 1e-9); k++) {
    double x = left + k * step * units[u].factor * scale;
    text_printf(out, "<line class=\"tick\" x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\"/>", x, top, x, bottom + 5);
    text_printf(out, "<text class=\"mark\" x=\"%.6g\" y=\"%.6g\">%.6g %s</text>\n", x, bottom + 20, k * step,
                units[u].unit);
  }
}

static bool by_pixel(const struct canvas *canvas) {
  for (size_t row = 0; row < canvas->rows; row++)
    if (!is_exact(canvas, row)) return true;
  return false;
}

/* Is it known how much of the time is spent so? */
static bool is_told(const struct psl_results *run, int activity) {
  return activity < ACTIVITIES || results_told(run) >> activity & 1;
}

static void put_legend(struct canvas *canvas) {
  const struct psl_results *run = &canvas->results->public;
  struct text *out = &canvas->out->text;
  double right = canvas->left + WIDTH, places[2] = {right, right}; /* by line */
  for (int a = 0; a < STRETCHES; a++)
    if (is_told(run, a)) places[a >= ACTIVITIES] -= label_widths[a];
  for (int a = 0; a < STRETCHES; a++) {
    if (!is_told(run, a)) continue;
    double x = places[a >= ACTIVITIES], y = a < ACTIVITIES ? 12 : 52;
    const char *label = a == ACTIVITY_WAIT && results_told(run) ? "other wait" : activity_names[a];
    places[a >= ACTIVITIES] += label_widths[a];
    text_printf(out, "<rect x=\"%.5g\" y=\"%.4g\" width=\"14\" height=\"12\" fill=\"%s\"/>", x, y, colors[a]);
    text_printf(out, "<text x=\"%.5g\" y=\"%.4g\">%s</text>\n", x + 20, y + 10, label);
  }
}

static void put_head(struct canvas *canvas, double width, double height) {
  const struct psl_results *run = &canvas->results->public;
  struct text *out = &canvas->out->text;
  const char *slash = strrchr(run->model, '/');
  /* clang-format off */
  text_printf(out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline-of-psl\" width=\"%.0f\" height=\"%.0f\" "
      "viewBox=\"0 0 %.0f %.0f\">\n"
      "<style>" IN("text") "{font:12px sans-serif;fill:#222}" IN(".title") "{font-weight:bold;font-size:14px}"
      IN(".name") "{text-anchor:end;font-size:11px}" IN(".mark") "{text-anchor:middle;font-size:11px}"
      IN(".tick") "{stroke:#999;stroke-width:.5}" IN(".message") "{stroke:#000;stroke-width:.6;opacity:.45}",
      width, height, width, height);
  /* clang-format on */
  double thickness = canvas->row > 4 ? canvas->row - 2 : canvas->row;
  for (int a = 0; a < STRETCHES; a++)
    if (is_told(run, a)) text_printf(out, IN(".a%d") "{stroke:%s;stroke-width:%.4g}", a, colors[a], thickness);
  text_put(out, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
  text_printf(out, "<text class=\"title\" x=\"%.4g\" y=\"22\">", canvas->left);
  text_markup(out, run->system);
  text_put(out, ": ");
  if (run->queueing) text_put(out, "simulated to ");
  report_time(out, canvas->results->end);
  text_printf(out, "</text>\n<text x=\"%.4g\" y=\"42\">", canvas->left);
  text_markup(out, slash ? slash + 1 : run->model); /* the folder is no matter of who looks at the picture */
  text_put(out, ", ");
  report_count(out, run->process_count);
  text_put(out, run->process_count == 1 ? " process" : " processes");
  if (canvas->rows < run->process_count) text_printf(out, ", %zu of them drawn", canvas->rows);
  if (!canvas->results->trace->count) text_put(out, ", which left no trace");
  if (canvas->results->trace->full) text_put(out, ", cut off where the trace was full");
  if (canvas->results->trace->message_count > MESSAGES) text_put(out, ", messages not drawn");
  if (by_pixel(canvas)) text_put(out, ", colours mixed in proportion where stretches are short");
  text_put(out, "</text>\n");
  put_legend(canvas);
}

void report_timeline(struct output *out, const struct results *results) {
  const struct psl_results *run = &results->public;
  struct canvas canvas = {.out = out, .results = results};
  choose_rows(&canvas, out->text.arena);
  canvas.row = canvas.rows ? fmin(fmax(floor((double)HEIGHT / (double)canvas.rows), 2), 22) : 22;
  canvas.scale = WIDTH / results->end <= DBL_MAX ? WIDTH / results->end : 0;
  size_t longest = 0;
  for (size_t row = 0; row < canvas.rows; row++) {
    size_t length = strlen(run->processes[canvas.process_of[row]].name);
    if (length > longest) longest = length;
  }
  canvas.top = results_told(run) ? TOP + PARTS : TOP;
  canvas.left = fmin(40 + 6.5 * (double)longest, 260);
  sort_events(&canvas, out->text.arena);
  put_head(&canvas, canvas.left + WIDTH + RIGHT, canvas.top + (double)canvas.rows * canvas.row + BOTTOM);
  timeline_axis(&out->text, canvas.left, canvas.top, canvas.top + (double)canvas.rows * canvas.row, canvas.scale,
                results->end);
  put_rows(&canvas, out->text.arena);
  put_messages(&canvas);
  put_names(&canvas);
  text_put(&out->text, "</svg>\n");
}
