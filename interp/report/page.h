/* One HTML page that shows a study, or anything that is tables, plots and a run: it needs nothing but itself,
 * and no text in it is taken for more than text. */
#ifndef PSL_PAGE_H
#define PSL_PAGE_H
#include "interp/report/plot.h"
#include "interp/report/results.h"

struct page_fact {
  const char *name, *value;
  const char *note; /* NULL: none */
};
struct page_cell {
  const char *text;
  double number; /* of a column of figures: what it is sorted by; NAN: none */
  double half;   /* of an interval about it; 0, NAN: none is known */
};
struct page_column {
  const char *name;
  bool figures;     /* to the right, sorted as numbers */
  const char *unit; /* of the numbers, SI base units; NULL: none */
  bool param;       /* it says where a point is, not what came out */
};
struct page_row {
  const struct page_cell *cells; /* by column */
  size_t cell_count;             /* the last one, an error, spans the columns that are left; 0: there is one a column */
  bool best, chosen;
};
struct page_table {
  const struct page_column *columns;
  size_t column_count;
  const struct page_row *rows;
  size_t row_count;
};
struct page_plot {
  const char *title;
  const char *svg;    /* NULL: `why` there is none */
  const char *narrow; /* the same for a narrow window */
  const char *why;
  double left; /* pixels before the frames of one that stands below rows of time, as wide as these; 0: it does not */
};
struct page_explorer {    /* a plot whose axes the reader chooses */
  const char *table;      /* the id of the table that it is of; NULL: there is none */
  const char *x, *y, *by; /* columns that it begins with; NULL: as it finds best */
  bool log_x, log_y;
  const char *command; /* shows the run of a point, whose number stands for "{}"; NULL: none does */
  const char *system;  /* what a point is run of */
  const char *run;     /* a JSON object of numbers: its first seed, how many runs a point has, what else was asked */
  const char *set;     /* a JSON object of texts: the params that all points have; NULL: points cannot be run */
};
struct page {
  const char *kicker, *title, *subtitle;
  const struct page_fact *answers; /* what the reader came for */
  size_t answer_count;
  const struct page_plot *plots;
  size_t plot_count;
  struct page_table points;
  const char *points_note; /* NULL: none */
  struct page_explorer explorer;
  const char *point_title;   /* of the run that is shown in detail */
  const struct results *run; /* with a trace; NULL: `no_run` says why there is none */
  const char *no_run;
  const struct page_plot *levels; /* of the run, over time */
  size_t level_count;
  const struct page_fact *inputs;
  size_t input_count;
  struct page_table params;
  const char *footer;
};
void page_write(struct output *out, const struct page *page);

/* The parts of any page: its head with style, its end with script; its titles and where they lead, what the reader came
 * for, sections and the last line; an element with a text; a head and a cell of a table that sorts. */
void page_begin(struct text *out, const char *title);
void page_end(struct text *out);
struct page_link {
  const char *id, *name; /* NULL behind the last one */
};
void page_header(struct text *out, const struct page *page, const struct page_link *links);
void page_answers(struct text *out, const struct page *page);
void page_section(struct text *out, const char *id, const char *title);
void page_section_end(struct text *out);
void page_footer(struct text *out, const struct page *page);
void page_element(struct text *out, const char *name, const char *class, const char *text);
void page_heading(struct text *out, const struct page_column *column);
void page_cell(struct text *out, const struct page_cell *cell, bool figures);
void page_error(struct text *out, const char *error, size_t columns); /* a cell in the place of so many */
void page_table(struct output *out, const char *id, const struct page_table *table);
/* The two pictures of plot `number` of the page, with drawn->left before its frames; false: `why` has said what
 * failed. */
bool page_draw(struct page_plot *drawn, const struct plot *plot, unsigned number, struct text *why);
void page_plots(struct output *out, const struct page_plot *plots, size_t count);
/* The sections of a run: its timeline, its processes. */
void page_run(struct output *out, const struct page *page);
/* A style or script of every page, by its name; NULL: there is none. */
const char *page_part(const char *name, size_t *size);
#endif
