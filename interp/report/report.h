/* A report as data: facts, then sections, which are tables of typed columns.
 *
 * What a command has found is said once, by its builder, in terms of this page: report_fact, report_section,
 * report_row. How it looks is the matter of a renderer, one file a format (report_text.c, report_json.c,
 * report_json_lines.c, report_csv.c, report_html.c, report_tables.c), which knows nothing of any command. A new format
 * is one file and a line in the table of report.c; a new report is one builder.
 *
 * Rows pass through: no renderer but those that align columns keeps them. All figures are in base units. */
#ifndef PSL_REPORT_H
#define PSL_REPORT_H
#include "interp/report/results.h"

/* How a figure reads for people; programs get all digits. */
enum figure {
  FIGURE_WORD,       /* a text */
  FIGURE_COUNT,      /* 1,234 */
  FIGURE_TIME,       /* 4.064 s */
  FIGURE_DATA,       /* 34.56 MB */
  FIGURE_BANDWIDTH,  /* 34.56 MB/s */
  FIGURE_RATE,       /* 4.177 s^-1 */
  FIGURE_NUMBER,     /* 4 digits */
  FIGURE_SHARE,      /* 60.8 %, of a part */
  FIGURE_PART,       /* 60.80 % */
  FIGURE_DIFFERENCE, /* +12.30 % */
  FIGURE_CHANGE,     /* +4.064 s */
  FIGURE_BAR,        /* a part, drawn */
};

enum cell_kind {
  CELL_NONE,
  CELL_WORD,
  CELL_COUNT,
  CELL_REAL,
  CELL_FLAG,
  CELL_LIST /* of words, a line each; "": an empty one */
};
struct report_cell {
  enum cell_kind kind;
  union {
    const char *word;
    int64_t count;
    double real;
    bool flag;
  };
  bool interval; /* low and high are known: a confidence interval's ends, or bounds */
  double low, high;
  const char *shown; /* for people, in place of what the column's figure makes of it; NULL: that */
  const char *unit;  /* in place of the column's; NULL: that */
  const char *half;  /* for people, half the interval; NULL: as the column's figure makes it */
};

enum audience { FOR_ALL, FOR_PEOPLE, FOR_PROGRAMS };
struct report_column {
  const char *key;  /* its name for programs: `own_time` */
  const char *head; /* for people */
  enum figure figure;
  const char *unit; /* of base units, as in 1/s; NULL: none */
  enum audience audience;
  bool names;         /* it names the row, or what the row is of */
  bool once;          /* people see it only where it, or another such column, differs from the row before */
  bool optional;      /* people see the column only if some row has it */
  bool common;        /* where all rows agree people see it once, below the table */
  bool note;          /* where there is no room for it people see it below the table, with a number in its place */
  bool half;          /* people: how sure the column before it is, in words of the builder */
  bool compared;      /* people: a figure has as many digits behind the point as those of its unit: see aligned.c */
  bool estimate;      /* it has an interval where the section has `intervals` */
  const char *before; /* LINES: what stands before it; the last column's `after` behind */
  const char *after;
};

enum layout {
  LAYOUT_TABLE,
  LAYOUT_LINES, /* for people a line a row, each cell with its words around it */
};
struct report_section {
  const char *key;   /* of the section for programs: `components` */
  const char *title; /* for people; NULL: none */
  const struct report_column *columns;
  size_t column_count;
  enum audience audience;
  enum layout layout;
  bool main;            /* what is left where a format has room for one table: rows as they come */
  bool intervals;       /* its estimates have intervals, or may have */
  bool headless;        /* people need no row of heads */
  bool kept;            /* programs see it without rows, too; people do not */
  const char *explored; /* a page has a plot of its columns, which begins with the one of that head; NULL: none */
  size_t limit;         /* LINES: people see so many, and how many more there are; 0: all */
};
#define REPORT_COLUMNS(from) .columns = (from), .column_count = sizeof(from) / sizeof *(from)

/* A figure of the whole. Facts come before sections; for people they are lines of `head`, figure, figure, ... */
struct report_fact {
  const char *key;    /* for programs; NULL: people alone see it */
  const char *head;   /* for people: begins a line; NULL: it goes on in the line before; both NULL: not shown */
  const char *before; /* words before the figure: ", from " */
  enum figure figure;
  const char *unit;
};

struct report;
struct report_renderer { /* each may be NULL: nothing to do */
  const char *name;      /* json: as --format has it */
  bool people;           /* it is read by people: cells' `shown` is wanted */
  void (*open)(struct report *report);
  void (*fact)(struct report *report, const struct report_fact *fact, const struct report_cell *cell);
  void (*line)(struct report *report, const char *text); /* for people: a line by itself */
  void (*section)(struct report *report);                /* report->section has begun */
  void (*row)(struct report *report, const struct report_cell *cells);
  void (*end)(struct report *report); /* of the section */
  void (*close)(struct report *report);
};

struct report {
  struct output *out; /* where it goes: its own, or that of the page it is part of */
  struct output own;
  struct arena *arena; /* what lasts as long as the report */
  const struct report_renderer *renderer;
  const struct report_section *section; /* the one that is open; NULL: none */
  const char *title;                    /* what it is of: head of a page, name of the facts in CSV; NULL: none */
  bool inside;                          /* it is part of a page that somebody else begins and ends */
  const char *main; /* key of the section that is left where a format has room for one; NULL: the one that says so */
  bool single;      /* formats of lines have the rows of the main section alone, as they come (CSV: with its heads) */
  unsigned room;    /* columns of the terminal; 0: there is no end of them */
  uint64_t rows;    /* of the open section */
  uint64_t parts;   /* facts and sections so far */
  void *state;      /* the renderer's */
};

/* A line a figure or a row, in place of sections within one another? */
bool format_is_lines(enum psl_format format);
/* Of a column that is `compared`; cells are those of all columns, row by row. */
void cells_align(struct report *report, const char **cells, size_t count, size_t columns, size_t c);
/* Begins a report in a format; `arena` holds what the renderer must keep. room: columns of the terminal; 0: no end. */
void report_open(struct report *report, enum psl_format format, unsigned room, struct arena *arena, psl_write *write,
                 void *user);
void report_fact(struct report *report, const struct report_fact *fact, struct report_cell cell);
/* A line of words for people; programs do not see it. "" is an empty one. */
void report_line(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Opens a section: rows until report_end. The section and its columns live until then. */
void report_section(struct report *report, const struct report_section *section);
void report_row(struct report *report, const struct report_cell *cells); /* by column */
void report_end(struct report *report);
void report_close(struct report *report);

/* Cells. A real that is not finite is none: there is no such figure. */
static inline struct report_cell cell_none(void) { return (struct report_cell){.kind = CELL_NONE}; }
static inline struct report_cell cell_word(const char *word) {
  return (struct report_cell){.kind = word ? CELL_WORD : CELL_NONE, .word = word};
}
static inline struct report_cell cell_count(uint64_t count) {
  return (struct report_cell){.kind = CELL_COUNT, .count = (int64_t)count};
}
static inline struct report_cell cell_list(const char *lines) {
  return (struct report_cell){.kind = CELL_LIST, .word = lines};
}
static inline struct report_cell cell_flag(bool flag) { return (struct report_cell){.kind = CELL_FLAG, .flag = flag}; }
struct report_cell cell_real(double real);
struct report_cell cell_estimate(double value, double low, double high);
static inline struct report_cell cell_shown(struct report_cell cell, const char *shown) {
  cell.shown = shown;
  return cell;
}
static inline struct report_cell cell_in(struct report_cell cell, const char *unit) {
  cell.unit = unit;
  return cell;
}

/* For what waits are, as far as `told` says (results_told): the last columns of a table of shares, behind so many, and
 * their cells. `messages`: who sees those of message passing. */
size_t report_wait_columns(struct report_column *columns, size_t count, uint32_t told, enum audience messages);
void report_wait_cells(struct report_cell *cells, size_t count, uint32_t told, const struct psl_share *share);

/* ---- report_run.c ---- */

/* The report of a run, and those of its sections that others show as well. */
void report_run(struct report *report, const struct results *results, const struct psl_report_options *options);
void report_details(struct report *report, const struct results *results); /* what it did, and what that rests on */
/* A figure of record r, with its unit. */
struct report_cell results_quantity(struct report *report, const struct results *results, size_t r, double value);
/* What figures of communication lack for interfaces that the network leaves out, in the words in which an evaluator
 * warns where it is much; NULL: hardly anything. */
const char *report_left_out(struct arena *arena, const struct psl_results *run);
/* Why the predicted time is known to be too short; NULL: it is not, for what its evaluators know. */
const char *report_too_short(struct arena *arena, const struct psl_results *run);
/* Each `every`-th process. */
void report_processes(struct report *report, const struct psl_results *run, size_t every);

/* ---- results_host_time.c ---- */

/* Where this computer's time goes. */
void report_host_times(struct report *report, const struct psl_results *run);

/* ---- report_params.c ---- */

struct params_listed {
  const struct psl_param *params;
  const enum psl_effect *effects; /* by param; NULL: not known */
  const char **choices;           /* by param: what it may be, a line each; NULL: that is not known */
  size_t count;
};
void report_params(struct report *report, const struct params_listed *listed);

/* ---- for renderers ---- */

/* What people read; a text that begins empty stays so for CELL_NONE where `none` is "". */
void figure_put(struct text *out, enum figure figure, double value);
void cell_put(struct text *out, enum figure figure, const struct report_cell *cell, const char *none);
/* For people: its head, or where a table needs none its name for programs, mean_share as mean share. */
const char *column_name(struct arena *arena, const struct report_column *column);
bool section_shown(const struct report_section *section, bool people);
bool section_alone(const struct report *report); /* is the open one what is left where there is room for one? */
static inline bool column_shown(const struct report_column *column, bool people) {
  return column->audience == FOR_ALL || column->audience == (people ? FOR_PEOPLE : FOR_PROGRAMS);
}

void csv_field(struct text *out, const char *field);               /* quoted where it must be */
void json_plain(struct text *out, const struct report_cell *cell); /* without its unit */

/* A figure of a format of lines: of which table and row it is, what it is. */
struct report_line {
  const char *table, *name, *quantity;
  const char *end; /* of the quantity: _low, _high, or nothing */
  const struct report_cell *cell;
  const char *unit; /* never NULL */
  enum figure figure;
};
typedef void line_writer(struct report *report, const struct report_line *line);
/* Hands a fact, or a row, to `write` figure by figure; what has no value has no line. */
void lines_fact(struct report *report, const struct report_fact *fact, const struct report_cell *cell,
                line_writer *write);
void lines_row(struct report *report, const struct report_cell *cells, line_writer *write);
bool column_has_interval(const struct report_section *section, const struct report_column *column);

extern const struct report_renderer report_as_text, report_as_json, report_as_json_lines, report_as_csv, report_as_html,
    report_as_vertical_text, report_as_markdown, report_as_latex;
#endif
