/* Plots through gnuplot: a script of numbers and quoted labels to its standard input, a picture from its
 * standard output.  Called where the user's command line asks for a picture; nothing else of psl starts a
 * program. */
#include "interp/report/plot.h"
#include "interp/report/timeline.h"
#include "grammar/characters.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { /* pixels */
       WIDTH = 800,
       NARROW = 360, /* of a telephone */
       PANEL = 330,  /* a panel's height, without labels above and below */
       TOP = 14,
       TITLE = 30,
       BELOW = 58, /* ticks and label of the x axis */
       BETWEEN = 22,
       NOTE = 22,
       NOTE_LINES = 4, /* the last one is cut */
       LETTER = 7,     /* about, of the 13 pixels of the font */
       LINE = 18,
       ROW = 20,    /* of a legend */
       SAMPLE = 56, /* of a line in the legend, and the gaps about it */
       TICKS_X = 9,
       TICKS_NARROW = 6,
       TICKS_Y = 7,
       LABEL = 36,  /* characters of a label */
       MARKED = 60, /* more points of a series than that have no marks */
       SERIES = 100 /* more than that are drawn, but not in the legend */
};

struct drawing {
  struct text script;
  struct arena *arena;
  const struct plot *plot;
  struct plot_scale x;
  double left, right, top, height; /* of all frames, pixels; `top` of the next one */
  double labels;                   /* of the y axes: their middle */
  double width, whole;             /* of the picture */
  bool narrow;                     /* legends stand above their frames, not beside them */
  bool legend;
};

/* Only letters and blanks stand as they are; all other bytes as \ooo, digits too, which would lengthen an
 * escape before them. So nothing ends the quotes or is taken for a command, a macro or a format. `%` begins a
 * format in the labels of ticks, and is doubled there. */
static void put_quoted(struct drawing *d, const char *label, size_t width, bool tick) {
  struct text text = {.arena = d->arena};
  plot_label(&text, label, width);
  text_char(&d->script, '"');
  for (const char *s = text.data; *s; s++) {
    unsigned char c = (unsigned char)*s;
    bool plain = c == ' ' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain)
      text_char(&d->script, (char)c);
    else
      text_printf(&d->script, tick && c == '%' ? "\\045\\045" : "\\%03o", c);
  }
  text_char(&d->script, '"');
}

/* A text at a place in pixels from the top left. */
static void put_text(struct drawing *d, int label, const char *text, size_t width, double x, double y,
                     const char *style) {
  text_printf(&d->script, "set label %d ", label);
  put_quoted(d, text, width, false);
  text_printf(&d->script, " at screen %.6f, screen %.6f front %s\n", x / d->width, 1 - y / d->whole, style);
}

static size_t width_of(struct arena *arena, const char *label) {
  struct text text = {.arena = arena};
  plot_label(&text, label, LABEL);
  return characters_width(text.data, text.size);
}

/* ---- data ---- */

static void put_figure(struct text *out, double value) {
  if (isfinite(value))
    text_printf(out, " %.17g", value);
  else
    text_put(out, " NaN");
}

/* Bars of one category stand side by side. */
static double bar_width(const struct plot_panel *panel) { return 0.8 / (double)panel->count; }

static double bar_middle(const struct plot_panel *panel, size_t series, double category) {
  return category + bar_width(panel) * ((double)series - (double)(panel->count - 1) / 2);
}

static bool has_interval(const struct plot_series *series) {
  for (size_t p = 0; p < series->count; p++)
    if (isfinite(series->points[p].low)) return true;
  return false;
}

/* x y low high, and for bars left right bottom top */
static void put_data(struct drawing *d, const struct plot_panel *panel, const struct plot_scale *y, size_t s) {
  const struct plot_series *series = &panel->series[s];
  double foot = y->log ? y->low : 0, half = bar_width(panel) * 0.46;
  text_printf(&d->script, "$s%zu << EOD\n", s);
  for (size_t p = 0; p < series->count; p++) {
    struct plot_point point = series->points[p];
    double x = d->plot->categories ? bar_middle(panel, s, point.x) : point.x;
    double figures[] = {x, point.y, fmax(point.low, y->low), point.high, x - half, x + half, foot, point.y};
    if (!isfinite(point.low)) figures[2] = NAN;
    for (size_t f = 0; f < (d->plot->categories ? 8 : 4); f++)
      put_figure(&d->script, figures[f]);
    text_char(&d->script, '\n');
  }
  text_put(&d->script, "EOD\n");
}

/* ---- a panel ---- */

static void put_ticks(struct drawing *d, char axis, const struct plot_scale *scale, bool labels) {
  text_printf(&d->script, "set %crange [%.17g:%.17g]\n%sset logscale %c\nset %ctics (", axis, scale->low, scale->high,
              scale->log ? "" : "un", axis, axis);
  for (size_t t = 0; t < scale->count; t++) {
    if (t) text_put(&d->script, ", ");
    put_quoted(d, labels ? scale->ticks[t].label : "", LABEL, true);
    text_printf(&d->script, " %.17g", scale->ticks[t].at);
  }
  text_put(&d->script, ")\n");
}

/* Labels of categories stand slanted where side by side they would run into each other. */
static size_t widest_category(const struct drawing *d) {
  size_t widest = 0;
  for (size_t c = 0; c < d->plot->category_count; c++) {
    size_t width = width_of(d->arena, d->plot->categories[c]);
    if (width > widest) widest = width;
  }
  return widest;
}

static bool is_slanted(const struct drawing *d) {
  double room = (d->right - d->left) / (double)(d->plot->category_count + 1);
  return d->plot->categories && (double)(widest_category(d) * LETTER) > room;
}

static double height_below(const struct drawing *d) {
  return BELOW + (is_slanted(d) ? fmin((double)(widest_category(d) * LETTER), 170) * 0.6 : 0);
}

static void put_curve(struct drawing *d, const struct plot_panel *panel, size_t s) {
  static const int marks[] = {7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14};
  enum { MARKS = sizeof marks / sizeof *marks };
  const struct plot_series *series = &panel->series[s];
  unsigned color = plot_color(d->plot, s, panel->count);
  int mark = marks[s % MARKS];
  bool bars = d->plot->categories && !series->scattered;
  const char *with = series->scattered ? "points" : series->count > MARKED ? "lines" : "linespoints";
  text_put(&d->script, s ? ", \\\n  " : "plot ");
  if (series->band && has_interval(series))
    text_printf(&d->script,
                "$s%zu using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc rgb \"#%06x\" notitle, "
                "\\\n  ",
                s, color);
  text_printf(&d->script, "$s%zu using ", s);
  if (bars)
    text_printf(&d->script, "1:2:5:6:7:8 with boxxyerror fs solid noborder lc rgb \"#%06x\"", color);
  else
    text_printf(&d->script, "1:2 with %s lw 2 lc rgb \"#%06x\"", with, color);
  if (!bars && strcmp(with, "lines") != 0) text_printf(&d->script, " pt %d ps 0.9", mark);
  if (d->legend && s < SERIES) {
    text_put(&d->script, " title ");
    put_quoted(d, series->name, LABEL, false);
  } else {
    text_put(&d->script, " notitle");
  }
  if (has_interval(series) && !series->band)
    text_printf(&d->script,
                ", \\\n  $s%zu using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 lw 1.5 lc rgb "
                "\"#%06x\" notitle",
                s, bars ? 0x333333 : color);
}

static size_t legend_rows(const struct plot_panel *panel) { return panel->count < SERIES ? panel->count : SERIES; }

/* Of one above its frame, with its heading. */
static double legend_height(const struct plot_panel *panel) { return (double)((legend_rows(panel) + 1) * ROW + 26); }

/* Panels that have the same series share the first one's. */
static bool has_legend(const struct plot *plot, size_t p) {
  if (*plot->by) return p == 0 || !plot_same_series(&plot->panels[p], plot->panels);
  return plot->panels[p].count > 1;
}

static void put_legend(struct drawing *d, const struct plot_panel *panel) {
  if (!d->legend) {
    text_put(&d->script, "set key off\n");
    return;
  }
  double x = d->narrow ? 4 : d->right + 14, y = d->narrow ? d->top - legend_height(panel) : d->top;
  text_printf(&d->script,
              "set key at screen %.6f, screen %.6f left top vertical maxrows %d Left reverse samplen 2.5"
              " spacing 1.2 textcolor rgb \"#333333\"",
              x / d->width, 1 - y / d->whole, (int)panel->count + 1);
  text_put(&d->script, " title ");
  put_quoted(d, d->plot->by, LABEL, false);
  text_put(&d->script, " left\n");
}

static bool is_long(const struct drawing *d, const char *label) {
  return (double)(characters_width(label, strlen(label)) * LETTER) > d->height;
}

/* Beside the axis; a label that is longer than that stands on two lines. */
static void put_label_y(struct drawing *d, const char *label) {
  static const char style[] = "rotate by 90 center textcolor rgb \"#111111\"";
  double middle = d->top + d->height / 2;
  const char *blank = is_long(d, label) ? strchr(label + strlen(label) / 2, ' ') : NULL;
  if (!blank && is_long(d, label)) blank = strchr(label, ' ');
  const char *second = blank ? blank + 1 : label;
  if (blank)
    put_text(d, 5, arena_copy(d->arena, label, (size_t)(blank - label)), 2 * LABEL, d->labels - LINE, middle, style);
  put_text(d, 3, second, 2 * LABEL, d->labels, middle, style);
}

static void put_panel(struct drawing *d, size_t p) {
  const struct plot_panel *panel = &d->plot->panels[p];
  bool last = p + 1 == d->plot->panel_count;
  struct plot_scale y;
  plot_scale_y(d->arena, d->plot, panel, TICKS_Y, &y);
  d->legend = has_legend(d->plot, p);
  if (d->legend && d->narrow) d->top += legend_height(panel);
  for (size_t s = 0; s < panel->count; s++)
    put_data(d, panel, &y, s);
  text_printf(&d->script, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1 - d->top / d->whole,
              1 - (d->top + d->height) / d->whole);
  put_ticks(d, 'x', &d->x, last);
  put_ticks(d, 'y', &y, true);
  put_label_y(d, y.label);
  if (last)
    put_text(d, 4, d->x.label, 2 * LABEL, (d->left + d->right) / 2, d->top + d->height + height_below(d) - 12,
             "center textcolor rgb \"#111111\"");
  put_legend(d, panel);
  for (size_t s = 0; s < panel->count; s++)
    put_curve(d, panel, s);
  text_put(&d->script, "\nunset label\n"); /* of the picture, too: they are drawn once */
  d->top += d->height + BETWEEN;
}

/* ---- a picture ---- */

/* How many characters of a note are on a line, that begins at *left. */
static size_t note_width(const struct drawing *d, double *left) {
  *left = d->narrow ? 4 : d->left;
  return (size_t)((d->width - *left) / (LETTER + 0.5));
}

/* Where a line of it ends: at a blank, if there is one. */
static size_t note_line(const char *text, size_t width) {
  size_t length = strlen(text);
  if (length <= width) return length;
  for (size_t end = width; end > 0; end--)
    if (text[end] == ' ') return end;
  return width;
}

static size_t note_lines(const struct drawing *d) {
  double left;
  size_t lines = 0, width = note_width(d, &left);
  for (const char *at = d->plot->note ? d->plot->note : ""; *at && lines < NOTE_LINES; lines++) {
    at += note_line(at, width);
    at += *at == ' ';
  }
  return lines;
}

/* Room at the right for the widest name of the legend, at the left for the widest tick; high enough for all.
 */
static void lay_out(struct drawing *d, const struct plot_picture *picture) {
  size_t names = 0, ticks = 0, rows = 0;
  const struct plot *plot = d->plot;
  bool two = false;
  d->height = plot->panel_count > 1 || d->narrow ? 0.75 * PANEL : PANEL;
  for (size_t p = 0; p < plot->panel_count; p++) {
    const struct plot_panel *panel = &plot->panels[p];
    struct plot_scale y;
    plot_scale_y(d->arena, plot, panel, TICKS_Y, &y);
    for (size_t t = 0; t < y.count; t++)
      if (strlen(y.ticks[t].label) > ticks) ticks = strlen(y.ticks[t].label);
    two |= is_long(d, y.label);
    if (panel->count < 2 && !*plot->by) continue;
    for (size_t s = 0; s < panel->count && s < SERIES; s++) {
      size_t width = width_of(d->arena, panel->series[s].name);
      if (width > names) names = width;
    }
    if (legend_rows(panel) > rows) rows = legend_rows(panel);
  }
  if (rows && width_of(d->arena, plot->by) > names) names = width_of(d->arena, plot->by);
  d->left = 44 + (double)(ticks * LETTER) + (two ? LINE : 0);
  d->right = d->width - 18 - (rows && !d->narrow ? SAMPLE + (double)(names * (LETTER + 1)) : 0);
  if (is_slanted(d)) {
    double middle = (d->right - d->left) / (double)(2 * plot->category_count); /* of the first category */
    d->left = fmax(d->left, (double)(widest_category(d) * LETTER) * 0.8 - middle + 24);
  }
  if (picture->across > 0 && !d->narrow) {
    d->left = picture->left;
    d->right = d->left + picture->across;
  }
  d->labels = d->left - 30 - (double)(ticks * LETTER);
  if (!d->narrow) d->height = fmax(d->height, (double)((rows + 1) * LINE));
  d->top = TOP + (picture->bare ? 0 : TITLE);
  d->whole = d->top + (d->height + BETWEEN) * (double)plot->panel_count - BETWEEN + height_below(d);
  size_t lines = note_lines(d);
  if (lines) d->whole += NOTE + (double)((lines - 1) * LINE);
  for (size_t p = 0; p < plot->panel_count && d->narrow; p++)
    if (has_legend(plot, p)) d->whole += legend_height(&plot->panels[p]);
}

static void put_note(struct drawing *d) {
  double left;
  size_t lines = note_lines(d), width = note_width(d, &left);
  const char *at = d->plot->note;
  for (size_t line = 0; line < lines; line++) {
    size_t length = line + 1 < lines ? note_line(at, width) : strlen(at);
    double y = d->whole - 12 - (double)((lines - 1 - line) * LINE);
    put_text(d, 6 + (int)line, arena_copy(d->arena, at, length), width, left, y, "left textcolor rgb \"#555555\"");
    at += length;
    at += *at == ' ';
  }
}

static void put_head(struct drawing *d, const struct plot_picture *picture) {
  struct text *out = &d->script;
  text_put(out, "set encoding utf8\nset terminal ");
  if (picture->format == PLOT_PNG)
    text_printf(out, "pngcairo size %d,%d fontscale 2 linewidth 2 pointscale 2 noenhanced font \"sans,9.75\"",
                2 * (int)d->width, 2 * (int)d->whole);
  else
    text_printf(out, "svg size %d,%d noenhanced font \"sans-serif,13\" name \"plot%u%s\"", (int)d->width, (int)d->whole,
                picture->number, picture->narrow ? "n" : "");
  text_put(out, picture->bare ? "\n" : " background \"#ffffff\"\n");
  text_printf(out, "set multiplot\nset lmargin at screen %.6f\nset rmargin at screen %.6f\n", d->left / d->width,
              d->right / d->width);
  if (!picture->bare)
    put_text(d, 1, d->plot->title, 90, d->left, TOP + 6,
             picture->format == PLOT_PNG ? "left textcolor rgb \"#111111\" font \",11\""
                                         : "left textcolor rgb \"#111111\" font \",15\"");
  put_note(d);
  text_put(out, "set border 3 lc rgb \"#777777\"\nset tics out nomirror scale 0.6 textcolor rgb \"#333333\"\n"
                "set grid xtics ytics lt 1 lw 0.6 lc rgb \"#dddddd\"\nset style data linespoints\n");
  if (is_slanted(d)) text_put(out, "set xtics rotate by 35 right\n");
}

/* ---- the program ---- */

enum { FAILED = -1, INTERRUPTED = -2, WAIT_AT_MOST = 20 /* ms */, GRACE = 1000 /* ms */ };

/* An end that was wanted before, of the runs, leaves some time for the picture of what there is. */
static int wait_for(pid_t child, const struct memory *memory) {
  int status = 0;
  bool killed = false;
  long waited = 0;
  pid_t got;
  for (long wait = 1; (got = waitpid(child, &status, WNOHANG)) <= 0;
       wait = 2 * wait < WAIT_AT_MOST ? 2 * wait : WAIT_AT_MOST) {
    if (got < 0 && errno != EINTR) return errno;
    bool late = interrupt_wanted(memory) || waited > GRACE;
    if (!killed && late && interrupted(memory)) killed = kill(child, SIGKILL) == 0;
    waited += wait;
    nanosleep(&(struct timespec){.tv_nsec = wait * 1000000}, NULL);
  }
  if (killed) return INTERRUPTED;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : FAILED;
}

/* Standard input, output and error are files without a name, so that neither side waits for the other. */
static int run_gnuplot(FILE *const files[3], const struct memory *memory) {
  char *const words[] = {"gnuplot", "--default-settings", NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  extern char **environ;
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  int failed = 0;
  for (int f = 0; f < 3; f++)
    failed |= posix_spawn_file_actions_adddup2(&actions, fileno(files[f]), f);
  if (!failed) failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? failed : wait_for(child, memory);
}

static void read_all(struct text *out, FILE *file) {
  char buffer[16 * 1024];
  size_t got;
  rewind(file);
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_put_n(out, buffer, got);
}

/* What gnuplot complains of: the last line that says something. */
static void put_complaint(struct text *why, struct arena *arena, FILE *file) {
  struct text said = {.arena = arena};
  read_all(&said, file);
  while (said.size && (said.data[said.size - 1] == '\n' || said.data[said.size - 1] == ' '))
    said.size--;
  size_t begin = said.size;
  while (begin && said.data[begin - 1] != '\n')
    begin--;
  text_put(why, "gnuplot failed");
  if (begin == said.size) return;
  text_put(why, ": ");
  plot_label(why, arena_copy(arena, said.data + begin, said.size - begin), 200);
}

static bool exchange(struct text *out, const struct text *script, struct text *why, FILE *const files[3]) {
  if (fwrite(script->data, 1, script->size, files[0]) != script->size || fflush(files[0]) != 0) {
    text_printf(why, "what gnuplot is to read cannot be written: %s", strerror(errno));
    return false;
  }
  rewind(files[0]);
  int failed = run_gnuplot(files, script->arena->memory);
  size_t before = out->size;
  if (!failed) read_all(out, files[1]);
  if (!failed && out->size > before) return true;
  if (failed == INTERRUPTED)
    text_put(why, PLOT_INTERRUPTED);
  else if (failed == ENOENT)
    text_put(why, "the program gnuplot, which draws plots, is not installed: the package gnuplot-nox has it");
  else if (failed > 0)
    text_printf(why, "gnuplot cannot be started: %s", strerror(failed));
  else
    put_complaint(why, script->arena, files[2]);
  return false;
}

static void close_all(FILE *const files[3]) {
  for (int f = 0; f < 3; f++)
    if (files[f]) fclose(files[f]);
}

/* Where memory ends, the files are closed before the guard of the work in hand is told. */
static bool perform(struct text *out, const struct text *script, struct text *why) {
  FILE *const files[3] = {tmpfile(), tmpfile(), tmpfile()};
  struct memory *memory = out->arena->memory;
  jmp_buf guard, *outer = memory->guard;
  if (setjmp(guard)) {
    memory->guard = outer;
    close_all(files);
    if (!outer) abort();
    longjmp(*outer, 1);
  }
  memory->guard = &guard;
  bool good = files[0] && files[1] && files[2];
  if (good)
    good = exchange(out, script, why, files);
  else
    text_printf(why, "no temporary file can be made: %s", strerror(errno));
  memory->guard = outer;
  close_all(files);
  return good;
}

/* Where an element ends that stands at `at`, and what follows begins; NULL: another one stands there. */
static const char *behind(const char *at, const char *open, const char *close) {
  if (strncmp(at, open, strlen(open)) != 0) return NULL;
  const char *end = strstr(at, close);
  return end ? end + strlen(close) : NULL;
}

/* Does a name of gnuplot's for a shape begin there? */
static bool is_shape(const char *at) {
  static const char *const names[] = {"gpPt", "gpDot", "gnuplot_canvas", "greybox", "textbox"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (strncmp(at, names[n], strlen(names[n])) == 0) return true;
  return false;
}

/* gnuplot's titles are names of its own, which browsers show and read aloud: the picture gets that of the plot, or none
 * in a page, which has it. gnuplot's names of shapes are the same in every picture; in one page they must not be. */
static void put_svg(struct text *out, const struct text *svg, const struct plot *plot,
                    const struct plot_picture *picture) {
  bool apart = picture->bare, titled = false;
  const char *at = apart ? strstr(svg->data, "<svg") : svg->data, *end;
  for (const char *next; at && (next = strpbrk(at, "gt<")); at = next) {
    text_put_n(out, at, (size_t)(next - at));
    if ((end = behind(next, "<title>", "</title>")) || (end = behind(next, "<desc>", "</desc>"))) {
      next = end;
      if (titled || apart) continue;
      text_put(out, "<title>");
      text_markup(out, plot->title);
      text_put(out, "</title>");
      titled = true;
      continue;
    }
    if (apart && next > svg->data && strchr("'\"#", next[-1]) && is_shape(next))
      text_printf(out, "p%u%s", picture->number, picture->narrow ? "n" : "");
    text_char(out, *next++);
  }
  if (at) text_put(out, at);
}

bool plot_possible(struct text *why) {
  struct text script = {.arena = why->arena}, nothing = {.arena = why->arena};
  text_put(&script, "set print \"-\"\nprint \"here\"\n");
  return perform(&nothing, &script, why);
}

bool plot_draw(struct text *out, const struct plot *plot, const struct plot_picture *picture, struct text *why) {
  struct drawing d = {.script = {.arena = out->arena}, .arena = out->arena, .plot = plot, .narrow = picture->narrow};
  struct text drawn = {.arena = out->arena};
  d.width = d.narrow ? NARROW : picture->across > 0 ? picture->left + picture->across + TIMES_RIGHT : WIDTH;
  plot_scale_x(d.arena, plot, d.narrow ? TICKS_NARROW : TICKS_X, &d.x);
  lay_out(&d, picture);
  put_head(&d, picture);
  for (size_t p = 0; p < plot->panel_count; p++)
    put_panel(&d, p);
  text_put(&d.script, "unset multiplot\n");
  if (!perform(&drawn, &d.script, why)) return false;
  if (picture->format == PLOT_SVG)
    put_svg(out, &drawn, plot, picture);
  else
    text_put_n(out, drawn.data, drawn.size);
  return true;
}
