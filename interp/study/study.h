/* Studies: one system run at many points.
 *
 * A *plan* says what is varied and what is wanted of it; it is made of a `study` block, of the axes that the
 * caller gives, or of both. A *point* is a place on each axis and a number of a repetition. The *row* of a
 * point is what came of its run: a flat array of doubles, laid out once for the plan (study_result), with
 * the grade of evidence and what was said. A *line* is what is printed of a point: values of params and of
 * the report's columns, over all repetitions.
 *
 * study_run_points runs any points, also ones that are not of the enumeration, and hands over their rows in
 * order; enumeration, search, sensitivity and difference are built on it. Columns, objectives and assertions
 * are expressions over params and a row, evaluated where the rows arrive, so that a row is all that a worker
 * sends and that a database keeps. */
#ifndef PSL_STUDY_H
#define PSL_STUDY_H
#include "interp/library/handle.h"
#include "interp/study/groups.h"

#include <math.h>

struct study_runner;
struct study_store;
struct database_key;

/* ---- the plan ---- */

struct study_axis {
  const char *name; /* of the param, as --set takes it */
  struct symbol *param;
  const struct type *type;  /* of the param: what one value of it is */
  const struct type *bound; /* of the param before the study */
  struct span span;
  struct expr *set;       /* by the user, NULL: not; then it is its one value */
  struct expr *tied;      /* `py = px`: follows others, has no place in a point */
  struct expr **items;    /* of a list; NULL: a range */
  double low, high, step; /* of a range, in base units */
  bool geometric;         /* low * step^k, else low + k * step */
  enum study_role role;
  uint64_t count;       /* of a list's items or a range's steps; tied: 1 */
  uint32_t place;       /* among the free axes, as in study_point.at */
  bool fixed;           /* the same at all points, as can be seen: tables name it once */
  struct expr *literal; /* of a range: the setting, made over for each point */
  bool settled;         /* its values name nothing, so that they stay what they are; else it is tied or they do */
  double at;            /* the place that its param has the value of */
};

struct study_column {
  enum {
    COLUMN_REPORT,
    COLUMN_OBJECTIVE, /* its value where its condition holds */
    COLUMN_PLOT       /* what only plots want, named as it is written */
  } kind;
  const char *name;
  const struct type *type;
  struct expr *value, *condition; /* condition of an OBJECTIVE, NULL: none */
  uint32_t slot;                  /* of its value, for what names it; STUDY_NONE: nothing does */
  uint32_t half;                  /* in a row: half the interval that one run has of it; STUDY_NONE: it has none */
  bool repeats;                   /* an OBJECTIVE that is a param or a column of the report, or what such a column is */
  bool of_ends;                   /* it names an end of an interval: over repetitions it is of their means */
};

enum { STUDY_NONE = -1 };

extern const char *const study_column_kinds[]; /* by kind, as databases have them */

/* What is drawn: figures by number, first the axes, then the columns. */
struct study_plot {
  uint32_t *series;
  uint32_t series_count;
  uint32_t against, by; /* by STUDY_NONE: one line a series */
  bool log_x, log_y;
  bool apart; /* made of columns that nobody has put together: figures without a unit have an axis each */
};

struct study_objective {
  uint32_t column;
  const char *name; /* as people read it: its column's, or "cost where wait < 1 s" */
  bool maximize;
  uint32_t *by; /* axes, for each of whose values there is a best point */
  uint32_t by_count;
};

struct study_plan {
  struct psl *psl;
  struct model_study *study; /* of the model, or made for the options */
  struct map shared_params;  /* see model_shared_params */
  const char *name;          /* of the study; NULL: it has no declaration */
  bool usual;                /* nothing says which columns are wanted */
  bool columnless;           /* no column is shown: a sensitivity analysis */
  const char *system;
  struct study_axis *axes; /* in the order of the text, the first outermost, tied ones among them */
  uint32_t axis_count, axis_capacity;
  uint32_t free_count;          /* axes that a point has a place on */
  struct study_column *columns; /* reports and objectives in the order of the text, then those of plots */
  uint32_t column_count;
  struct study_plot *plots;
  uint32_t plot_count;
  struct study_objective *objectives;
  uint32_t objective_count;
  struct study_item **wheres, **asserts; /* of the study's declaration */
  uint32_t where_count, assert_count;
  uint64_t size;   /* of the enumeration, before `where`; UINT64_MAX: too large to enumerate */
  uint64_t wanted; /* how many of them `where` leaves in, where `counted`; else size */
  bool counted;
  uint32_t set_when;    /* 1 + model->checked when the last point was set, whose values params have; 0: none was */
  bool searched;        /* points are those that a search for the objectives asks for */
  uint64_t repetitions; /* of each point, 1 or more */
  uint64_t seed;        /* repetition r runs with seed + r */
  struct psl_run_options run;
  bool keeps;                  /* runs with all their figures, in a database */
  size_t jobs;                 /* 0, 1: no workers */
  struct psl_ranks *ranks;     /* NULL: none */
  struct study_runner *runner; /* run.c's */
  struct study_store *store;   /* store.c's; NULL: no database */
  bool *found;                 /* by use of a result: some row has it; absent.c's; NULL: no row */
  bool solved;                 /* an analysis has solved the network of some row */
  struct value *locals;        /* results and columns of the row in hand, by LOCAL slot */
};

/* The columns of a study that does not say what it reports, as PSL: "makespan = makespan, …"; the means of
 * what is recorded to a half-width before that, and of repeated runs those of all that is recorded behind it. */
const char *study_columns(struct psl *psl, bool repeated);
/* Makes a plan in psl->handed: of the study `name`, of the system `name` without one, or where it is NULL of
 * the only study of the file, else of its only system. A param that the user has set keeps its value.  NULL
 * after diagnostics. Inside an entry. */
struct study_plan *study_plan_make(struct psl *psl, const char *name, const struct psl_study_options *options);
bool study_can_be(struct psl *psl, const char *name); /* is it the name of a study or a system? */
/* The study that `name` means; *fine false after a diagnostic. NULL and *fine: none is declared for it. */
struct model_study *study_declared(struct psl *psl, const char *name, bool *fine);
/* Where a row has half the interval that one run has of the result at that place; STUDY_NONE: it has none. */
uint32_t study_half_of_result(const struct study_plan *plan, uint32_t place);
/* Is the column what is minimized or maximized? */
bool study_is_optimised(const struct study_plan *plan, const struct study_column *column);
/* As --set takes it. */
const char *study_param_name(const struct study_plan *plan, const struct symbol *param);
/* model_bind; the plan still stands where that has checked the model again. */
bool study_bind(struct study_plan *plan);
/* The k-th value of a free axis as study_point.at has it: the number of an item, or the number itself. */
double study_axis_at(const struct study_axis *axis, uint64_t k);

/* ---- points ---- */

enum { STUDY_NO_NUMBER = -1 };

struct study_point {
  int64_t number; /* its place in the enumeration, from 0; STUDY_NO_NUMBER: it is not of it */
  uint64_t repetition;
  bool undecided; /* a `where` cannot be computed: its run fails by that */
  double *at;     /* by free axis: the number of a list's item; of a range, the value in base units (whole for an
                 int), which need not be one of the range's steps */
};

/* The point of that number, 0 <= number < plan->size, repetition 0, in `at` of the caller. */
void study_point_at(const struct study_plan *plan, uint64_t number, struct study_point *point);
/* Gives the params their values there. Afterwards study_values and expressions are of this point. */
void study_set(struct study_plan *plan, const struct study_point *point);
/* The value, as of that type, of a param that is set, at the point that was set. false after a diagnostic: none. */
bool study_setting(struct study_plan *plan, const struct symbol *param, const struct type *type, struct value *out);
/* The values of all axes, tied ones too, at the point that was set, whether the model takes them or not;
 * objects are made in psl->work. false after a diagnostic, the values from there on VALUE_NONE. */
bool study_values(struct study_plan *plan, struct value *values);
/* Are the point's values in the ranges of their params? Else it has been said of which not. */
bool study_allowed(struct study_plan *plan);
#define STUDY_NO_POINT "no point fulfils `where`"
/* Do all `where` hold at the point that was set? Undecided, and true, after a diagnostic. */
bool study_conditions_hold(struct study_plan *plan, bool *undecided);
/* The same for who chooses points: where they are undecided since a param is outside of its range, they are tried with
 * any values, and the point is left out if they do not hold. */
bool study_wanted(struct study_plan *plan, bool *undecided);
/* Finds plan->wanted, unless that takes too long or `where` cannot be computed somewhere. */
void study_count(struct study_plan *plan);
/* The params as they were before the study. */
void study_restore(struct study_plan *plan);

/* ---- rows ---- */

/* What a row has at a place: results of the model, then of the single instances that the study names. */
static inline const struct model_result *study_result(const struct study_plan *plan, uint32_t place) {
  const struct model *model = &plan->psl->model;
  return place < model->result_count ? &model->results[place] : &plan->study->own[place - model->result_count];
}
static inline uint32_t study_result_count(const struct study_plan *plan) {
  return plan->psl->model.result_count + plan->study->own_count;
}

enum study_status {
  STUDY_DONE,
  STUDY_STOPPED, /* the run did not reach its end: no results are taken of it */
  STUDY_WRONG,   /* a param out of its range, an assertion of the model, no target */
  STUDY_LOST,    /* never run: the study was interrupted */
};

struct study_row {
  enum study_status status;
  const char *error;    /* what went wrong, in one line; NULL: nothing */
  const char *said;     /* all diagnostics of the run as text, "": none */
  const char *warnings; /* the messages of its warnings, a line each; "": none */
  const char *notes;    /* what it notes, to whatever study, and what that notes of it: see notes.c; "": nothing */
  const char *stop;     /* why the run has ended; NULL: there was none */
  const char *evidence; /* analytic, simulated, measured; NULL: not done */
  double seconds;       /* wall-clock time of the run */
  bool known;           /* it was in the database */
  double *results;      /* by place, see study_result, where it is done; NaN: none */
  const struct database_key *key; /* of the run in the database; NULL: there is none */
};

/* Half the interval that the run has of a column; NaN: it has none. */
static inline double study_row_half(const struct study_column *column, const struct study_row *row) {
  bool half = column->half != (uint32_t)STUDY_NONE && row->status == STUDY_DONE;
  return half ? row->results[column->half] : (double)NAN;
}

/* Point `index` of those to be run, in `point`, whose `at` has room; pure. false: it is left out. */
typedef bool study_source(void *user, uint64_t index, struct study_point *point);
/* false: no more are wanted. Row and point live for the call only. */
typedef bool study_deliver(void *user, const struct study_point *point, const struct study_row *row);

/* Runs `count` points of a source and delivers their rows in order. A point that fails is a row, too. PSL_OK,
 * or PSL_STOPPED where it was interrupted or `deliver` wanted no more. Empties psl->work between points. At
 * `deliver` the point is set. May be called again and again: workers stay till study_close. */
enum psl_code study_run(struct study_plan *plan, uint64_t count, study_source *source, study_deliver *deliver,
                        void *user);
/* The same for the points of an array. */
enum psl_code study_run_points(struct study_plan *plan, const struct study_point *points, size_t count,
                               study_deliver *deliver, void *user);
/* Ends the workers and commits what the database is to keep; false: that failed, a diagnostic was said. */
bool study_close(struct study_plan *plan);

/* ---- expressions over a row ---- */

/* Makes the row's results those that study_evaluate sees, at the point that is set. */
void study_open_row(struct study_plan *plan, const struct study_row *row);
/* VALUE_NONE where a result that it needs was not there. false after a diagnostic, *out VALUE_NONE. */
bool study_evaluate(struct study_plan *plan, const struct expr *expr, struct value *out);
/* The value of a column, whose condition may name it; then that is tried, and the value is NONE where it does not hold
 * or is not known. false: it does not hold. Both give it to what names the column. */
void study_column_open(struct study_plan *plan, const struct study_column *column, struct value *out);
bool study_column_close(struct study_plan *plan, const struct study_column *column, struct value *value);

/* ---- absent.c: results that no point has ---- */

void study_absent_row(struct study_plan *plan, const struct study_row *row);
/* After all rows, at the point that is set: false after an error for each instance that is not there. Of what else no
 * row has it is noted. */
bool study_absent_refuse(struct study_plan *plan);

/* ---- values.c: values as text ---- */

/* In base units; NaN: none, or no number. */
double study_number(const struct value *value);
/* A number with all its digits, in base units; false: it is none. */
bool study_put_number(struct text *out, struct value value);
/* The value of an axis at the point that is set as PSL has it, with its unit: terms as they were written,
 * numbers to `digits` significant ones (0: all, in base units). Nothing for VALUE_NONE. */
void study_put_param(struct text *out, const struct study_plan *plan, uint32_t axis, struct value value, int digits);
/* What is neither number nor truth value, for programs: a string as it is, without the quotes that PSL writes it in. */
void study_put_bare(struct text *out, const struct study_plan *plan, const struct type *type, struct value value);
/* As JSON: numbers in base units; null for VALUE_NONE. */
void study_put_json(struct text *out, const struct study_plan *plan, const struct type *type, struct value value);
void study_put_param_json(struct text *out, const struct study_plan *plan, uint32_t axis, struct value value);
/* The params that the user has set and that are not varied, as members of a JSON object. */
void study_put_settings_json(struct text *out, struct study_plan *plan);

/* ---- notes.c: what is noted of a row ---- */

/* A row's notes, of the results (NULL: there are none) and the notes that the run has said, a line each. */
const char *study_notes_of(struct arena *arena, const struct psl_results *results, const char *said);
/* Says what the study notes of the row, by the columns that it has. */
void study_notes_say(struct study_plan *plan, const struct study_row *row);
bool study_notes_solved(struct study_plan *plan, const struct study_row *row); /* by an analysis, as a network */
bool study_notes_drawn(struct study_plan *plan, const struct study_row *row);  /* random numbers, by one seed */
/* Notes that what was compared may differ by chance; `where` random numbers are drawn, `which` may be chance, too. */
void study_notes_one_draw(struct psl *psl, const char *where, const char *which);
/* Of a row's notes those that its run has said, a line each. */
const char *study_notes_said(struct arena *arena, const char *notes);

/* ---- said.c: what runs say ---- */

enum {
  STUDY_SAID_MOST = 3,  /* so many different errors of points are shown whole, as many warnings and notes */
  STUDY_SAID_KEPT = 50, /* so many are told apart */
};
/* Does the warning say that figures are no more than what was seen? */
bool study_said_unsound(const char *warning);
/* Warns of what is left out as a figure of the run's report tells it, where the run itself has not warned: whoever sees
 * a study or a comparison does not see that report. */
void study_said_left_out(struct psl *psl, const char *system, const struct psl_results *results,
                         const struct handle_catch *caught);
/* Adds each line that is not there yet. */
void study_said_add_lines(struct arena *scratch, struct text *text, const char *more);
/* Where points warn of more than are told apart. */
#define STUDY_SAID_MORE "points have other warnings, too: CSV and JSON have those of each"
struct study_said {
  struct study_said_item {
    const char *what;  /* the first of those that are alike but for their numbers */
    const char *place; /* of the first point that warns of it; NULL: none has */
    enum psl_severity severity;
    bool shown;
    uint64_t points; /* that warn of it */
  } items[STUDY_SAID_KEPT];
  size_t count;
  bool more; /* there were others */
};
struct study_line;
/* `text`, where no error like it was said before. */
void study_said_error(struct study_said *said, struct psl *psl, const char *text, const char *error);
/* Is it shown? */
bool study_said_row(struct study_said *said, struct psl *psl, const struct study_row *row);
/* Counts the warnings of a point. */
void study_said_line(struct study_said *said, struct study_plan *plan, const struct study_point *point,
                     const struct study_line *line);
/* What some points, of so many, have warned of, to be put behind `warned`; NULL: it is no warning. */
const char *study_said_text(struct arena *arena, const struct study_said_item *item, uint64_t points);
/* Notes that of what several points have warned of. */
void study_said_close(const struct study_said *said, struct psl *psl, uint64_t points);

/* ---- lines ---- */

struct study_cell {
  struct value value; /* over repetitions their mean; VALUE_NONE: none */
  double half;        /* of the 95 % confidence interval of the mean; NaN: none */
  bool close;         /* of an objective: an interval holds the limit of its condition, which may hold or not, */
  double without, half_without; /* and this is its value without the condition */
};

/* Do people see it in the table? What repeats another column they do not. */
bool study_is_shown(const struct study_column *column);
/* Is there an interval beside the column's value? */
bool study_has_interval(const struct study_plan *plan, const struct study_column *column);

struct study_line {               /* lives for one call */
  int64_t number;                 /* of the point */
  const struct value *params;     /* by axis; VALUE_NONE: it could not be computed */
  const struct study_cell *cells; /* by column */
  uint64_t runs, failures;        /* repetitions */
  const char *error;              /* how many failed, and that of the first; NULL: none did */
  const char *evidence;           /* NULL: all failed */
  const char *warnings, *stop;    /* of all repetitions, each once, a line each; "": none */
};

/* Several numbers, by Welford's steps. */
struct study_sample {
  uint64_t count;
  double mean, square;
};
void study_sample_add(struct study_sample *sample, double value);
/* Half the width of the 95 % confidence interval of the mean, by Student's t; NaN for fewer than two, 0 where
 * it is noise of rounding. */
double study_sample_half(const struct study_sample *sample);

/* A figure over repetitions: its mean and half the 95 % confidence interval of that, NaN of fewer than two. */
struct study_mean {
  double value, half;
};
struct study_mean study_mean_of(const double *figures, uint64_t count);
/* The ratio of two means, of figures of which those of one repetition are pairs: its interval is that of the mean of
 * what each repetition adds to it. */
struct study_mean study_ratio(const double *above, const double *below, uint64_t count);
/* May the difference from 0 be chance: does the interval hold 0? One without a width is what it is. */
static inline bool study_is_chance(struct study_mean difference) {
  return difference.half > 0 && fabs(difference.value) <= difference.half;
}
static inline bool study_is_significant(struct study_mean difference) {
  return fabs(difference.value) > difference.half;
}

/* Rows gathered into lines. */
struct study_lines {
  struct study_plan *plan;
  struct study_line line;    /* of the point in hand, over its repetitions so far */
  struct study_sample *uses; /* by result that the study's expressions name */
  bool *bounded;             /* by the same: an end of it is a bound by ranges */
  bool *apart;               /* an end is another number than what it is of, at some point */
  struct study_sample *ends; /* by the study's ends of intervals */
  struct study_sample *columns;
  struct value *values; /* of the columns of the last row; objects live till the next run */
  struct value *params;
  struct study_cell *cells;
  char error[400], evidence[100];
  struct text warnings, stop;
  const char *said; /* diagnostics of the last row's columns; NULL: none. Till the next run. */
  bool varied;      /* some repetition has given another figure than that before it */
};
struct study_lines *study_lines_open(struct study_plan *plan);
/* Keeps the point of the row that was added last in the database. */
void study_lines_keep(const struct study_lines *lines, const struct study_point *point, const struct study_row *row);
/* After all rows: of which ends of intervals single runs have no interval. */
void study_lines_note_ends(const struct study_lines *lines);
/* `8 of 10 repetitions failed: ERROR`, of a single run the error alone; NULL: none has failed. */
const char *study_failed_text(struct arena *arena, uint64_t failures, uint64_t runs, const char *error);
/* What is noted where --max-time or half-widths have ended repetitions, of all of which these are the ends, a line
 * each; NULL: they have ended none. */
const char *study_cut_text(const char *stops);
/* Adds the row of a point, whose repetitions come one after another. true: the line is whole; study_evaluate
 * sees its columns and results, over repetitions their means. */
bool study_lines_add(struct study_lines *lines, const struct study_point *point, const struct study_row *row);

/* ---- objectives and assertions ---- */

/* A point with its value, and half of the interval of that; NaN: it has none. */
struct study_valued {
  double value, half;
  struct study_point point;
};
/* The best point of an objective, the first of equal ones. */
struct study_best {
  double value, half; /* value: NaN, no point is fit */
  struct study_point point;
  uint64_t row;              /* among those of the table of points, from 0 */
  uint64_t points, failed;   /* of the group; failed: in one of their runs */
  uint64_t unknown;          /* that have run and should have what the objective is of, and do not */
  bool close;                /* its condition is not certain to hold */
  const char *warnings;      /* of its runs, each once, a line each; "": none */
  struct study_valued *near; /* points with an interval; after study_summary_find_near those alone that cannot be told
                              * apart from this one since their intervals overlap, the best of them first */
  uint32_t near_count, near_capacity;
  struct study_valued *barred; /* points at which its condition does not hold, which is not certain; then those of them
                                * alone that would be better or could not be told apart */
  uint32_t barred_count, barred_capacity;
};
struct study_bests {
  struct study_best *items; /* by group, in the order of their first points; one where the objective has no `by` */
  uint32_t count, capacity;
  struct groups groups;
  uint64_t known, unknown; /* points that have run and have what it is of; that should have, and do not */
};
struct study_verdict { /* of an assertion */
  uint64_t failures;   /* points at which it does not hold; of one on all points 1 */
  uint64_t points;     /* at which it could be tried; of one on all points those that have run */
  struct study_point first;
  const char *compared; /* there: what the condition compares, and its value; NULL: no one figure */
};

/* ---- pareto.c ---- */

struct study_efficient { /* a point that no other one dominates */
  uint64_t row;          /* among those of the table of points, from 0 */
  struct study_point point;
  struct study_valued *values; /* by objective; their points are not set */
  const char *warnings;        /* of its runs, each once, a line each; "": none */
};
struct study_front {
  bool wanted;
  struct study_efficient *items;
  uint32_t count, capacity;
  uint64_t known; /* points that have a value of each objective */
};
void study_front_add(struct study_front *front, struct study_plan *plan, const struct study_point *point,
                     const struct study_line *line, uint64_t row);
void study_front_sort(struct study_front *front, struct study_plan *plan);

/* ---- objectives and assertions together ---- */

struct study_summary {
  struct study_plan *plan;
  struct study_bests *bests;        /* by objective */
  struct study_verdict *verdicts;   /* by assertion */
  struct study_aggregation *totals; /* by aggregate of the study */
  struct study_front front;
  struct study_lacking *lacking; /* by column; NULL: no column lacks a value for another one's condition */
  uint64_t points, failed;
};
struct study_summary *study_summary_open(struct study_plan *plan);
void study_summary_add(struct study_summary *summary, const struct study_point *point, const struct study_line *line);
/* No more points are added: finds which cannot be told apart from the best. */
void study_summary_find_near(struct study_summary *summary);
/* All points were added: makes the verdicts whole. */
void study_summary_judge(struct study_summary *summary);
/* An assertion holds where it was tried at all points and failed at none. */
enum study_holds { STUDY_HOLDS, STUDY_FAILS, STUDY_NOT_KNOWN };
enum study_holds study_summary_holds(const struct study_summary *summary, uint32_t assertion);
/* The verdicts as JSON, {"assertion": "mk < 3", "holds": false, "text": "at 2 points, first at mk = 3"}. */
const char *study_summary_json(struct study_summary *summary);
/* By objective the numbers of the points at which it is not certain whether its condition holds, [[], [4, 7]]. */
const char *study_summary_uncertain(struct study_summary *summary);
/* Says which assertions do not hold, after study_summary_judge; false: some. */
bool study_summary_close(struct study_summary *summary);

/* ---- lacking.c: columns of an objective whose condition does not hold ---- */

void study_lacking_add(struct study_summary *summary, const struct study_line *line);
void study_lacking_note(const struct study_summary *summary); /* after all points */

/* ---- of all points ---- */

/* Says which objectives no point has; false: some. */
bool study_summary_known(struct study_summary *summary);
/* What a param may be, a line each, as compare has it without values; NULL: that is not known. */
const char *study_choices(struct psl *psl, struct symbol *param);
/* The study's assertions on spread(makespan) alone, or spread(makespan, param), where that is known otherwise: of runs
 * that differ in `param`; below 0: not known. Says which do not hold, or are not tested, and why. */
bool study_spread_holds(struct psl *psl, const struct model_study *study, const struct symbol *param, double spread,
                        const char *untested);
/* `px = 4, mk = 10` at a point of the plan, which is set; fixed axes are left out. */
const char *study_place(struct study_plan *plan, const struct study_point *point);
#endif
