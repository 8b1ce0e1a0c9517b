/* Plots: figures against a figure or against terms, as SVG and PNG (through gnuplot) and in a terminal.
 *
 * A plot is data alone: panels one under another share their x axis, and each has series of one unit.
 * Values are in SI base units; the scale of an axis finds its prefix (ms, GB), its ticks and its frame, and
 * is the same for every way of drawing. */
#ifndef PSL_PLOT_H
#define PSL_PLOT_H
#include "grammar/text.h"

struct plot_axis {
  const char *label; /* of what is drawn: time, px * py */
  const char *unit;  /* SI base units: s, byte, byte/s, ...; "" for a number */
  bool log;
};
struct plot_point {
  double x, y;      /* x: from 0, the number of a category where the plot has categories */
  double low, high; /* of an interval of confidence about y, or of its band; NAN: none */
  bool failed;      /* there is no y, for the run has failed */
};
struct plot_series {
  const char *name;
  struct plot_point *points; /* in order of x; plot_arrange sorts them */
  size_t count;
  bool band;          /* low and high are the least and the greatest of what y is the mean of */
  bool scattered;     /* no line joins them. Set by plot_arrange, too, where there are several values for one x. */
  const char *figure; /* what its values are of, where a plot may be of several; NULL: not said */
};
struct plot_panel {
  struct plot_axis y;
  struct plot_series *series;
  size_t count;
};
struct plot {
  const char *title;
  struct plot_axis x;
  double from, to;               /* what the x axis shows; from = to: what its points need */
  const char *const *categories; /* bars a category; NULL: x is a number, and points are joined */
  size_t category_count;
  const char *by; /* what tells the series apart: the heading of the legend; "": nothing */
  bool ordered;   /* the series are in the order of a number: their colours are, too */
  struct plot_panel *panels;
  size_t panel_count;
  const char *note; /* what the reader should know; NULL: nothing. plot_arrange adds what it leaves out */
};

/* Have two panels series of the same names? They share a legend where `by` is set. */
bool plot_same_series(const struct plot_panel *a, const struct plot_panel *b);
/* Sorts the points of each series, leaves out a panel without points beside others, and what no axis can show: what is
 * not finite, and on a log axis what is not above 0. Called once before drawing. */
void plot_arrange(struct arena *arena, struct plot *plot);
bool plot_is_empty(const struct plot *plot); /* nothing to draw */

struct plot_tick {
  double at;
  const char *label;
};
struct plot_scale {
  bool log;
  double low, high;  /* the frame */
  const char *label; /* with the unit that the ticks are in */
  struct plot_tick *ticks;
  size_t count;
};
/* The scale of an axis: `room` is how many ticks there is place for. The x axis has ticks at the values of
 * the points where these are few. */
void plot_scale_x(struct arena *arena, const struct plot *plot, size_t room, struct plot_scale *scale);
void plot_scale_y(struct arena *arena, const struct plot *plot, const struct plot_panel *panel, size_t room,
                  struct plot_scale *scale);
double plot_place(const struct plot_scale *scale, double value); /* 0 at `low`, 1 at `high` */
/* A value in the prefix of its unit that reads best: 12.5 ms */
void plot_value(struct text *out, double value, const char *unit);
/* Red, green and blue of a series, to be told apart by colour-blind people, on white and on black. */
unsigned plot_color(const struct plot *plot, size_t series, size_t count);
/* At most `width` columns of a text for people, as one line; cut with an ellipsis. */
void plot_label(struct text *out, const char *label, size_t width);

/* ---- in a terminal ---- */

struct plot_terminal {
  size_t width; /* columns */
  bool color;   /* ANSI colours */
};
void plot_print(struct text *out, const struct plot *plot, const struct plot_terminal *terminal);

/* ---- gnuplot ---- */

enum plot_format { PLOT_SVG, PLOT_PNG };
struct plot_picture {
  enum plot_format format;
  unsigned number;     /* SVG: makes the names of its elements its own among several in one page */
  bool bare;           /* no title and no ground: what stands around it has them */
  bool narrow;         /* for a window of 400 pixels */
  double left, across; /* of the frames, pixels, below other pictures of time, where it is not narrow; across 0: as
                        * labels and a usual width have it */
};
#define PLOT_INTERRUPTED "interrupted while gnuplot draws" /* what `why` says then */
/* Is there a gnuplot? false: `why` has said what is not. */
bool plot_possible(struct text *why);
/* Draws with the program gnuplot, which gets nothing from the model but numbers and quoted labels. false:
 * `why` has said what failed. */
bool plot_draw(struct text *out, const struct plot *plot, const struct plot_picture *picture, struct text *why);
#endif
