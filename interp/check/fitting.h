/* What the files that check a `fit` share: fitting.c (the declaration, the terms, the search), fitting_rows.c (the
 * measurements), fitting_columns.c (parameters that are alike), fitting_formula.c (formulas as text), fitting_steps.c
 * (step functions). */
#ifndef PSL_FITTING_H
#define PSL_FITTING_H
#include "interp/check/checker.h"
#include "interp/fit/fit.h"

struct fitting {
  struct checker *c;
  struct context *x;
  struct model_function *function;
  struct fit *fit;
  struct model_fit *out;
  struct dimension result; /* of what is measured */
  struct span name;
  /* settings */
  const struct expr *column, *region, *metric, *unit, *folds, *most_terms;
  uint32_t term_limit;
  bool negative_given;
  /* rows */
  double *rows, *measured;    /* by row and parameter; by row */
  struct span *spans, *cells; /* by row; by row and parameter */
  uint32_t row_count, row_capacity, cell_count, cell_capacity, measured_count, measured_capacity, span_capacity,
      span_count;
  struct measurements *data; /* NULL: none */
  uint32_t value_column;
  uint32_t *lines, line_count, line_capacity; /* by row of the file that counts: which of its rows that is */
  struct value *locals;
  uint32_t local_count;
  const char **units;            /* by parameter: of its column, as written; NULL: base units */
  double *factors;               /* of those */
  struct fitting_column *others; /* that the condition names and no parameter is called as */
  uint32_t other_count, other_capacity;
};
struct fitting_column {
  const struct symbol *symbol; /* a local of the condition */
  uint32_t place;              /* in the file */
  double factor;
  bool text; /* it has words, no numbers */
};

bool fitting_refuse(struct fitting *f, struct span span, const char *text); /* false */
/* The first name that is neither a local one nor built in; NULL: there is none. */
const struct symbol *fitting_foreign(const struct expr *expr);

/* ---- fitting_rows.c ---- */
/* Reads the file and the rows of the declaration; false after a diagnostic. */
bool fitting_read(struct fitting *f);
/* Above 0 where logarithms are taken? */
bool fitting_check_positive(struct fitting *f);
/* Where none can be searched for, or none was found that does. */
void fitting_ask_terms(const struct fitting *f);
/* Groups what was read to points, and notes its ranges. */
void fitting_note_points(struct fitting *f);
/* Tells the columns that no parameter stands for, and that what was measured depends on. */
void fitting_warn_of_columns(struct fitting *f);
/* A term, or a condition (0, 1), at the arguments of a measurement. */
bool fitting_value(struct fitting *f, struct expr *term, const double *arguments, double *out);

/* `p,n`, without one; NULL: all. */
const char *fitting_parameter_list(struct fitting *f, const char *without);

/* ---- fitting_columns.c ---- */
/* Notes on the parameters that have one value everywhere, or lie on a line. */
void fitting_note_alike(const struct fitting *f);
/* No parameter is a multiple of another, and none has one value everywhere? */
bool fitting_check_searched(struct fitting *f);

/* ---- fitting_steps.c ---- */
/* The settings beside `steps`, and the signature: false after a diagnostic. */
bool fitting_check_steps(struct fitting *f);
/* The function that holds each measurement until the next one. */
bool fitting_make_steps(struct fitting *f);

/* ---- fitting_formula.c ---- */
/* A number with the base units of a dimension, as PSL reads it. */
void fitting_put_quantity(struct fitting *f, struct text *out, double value, struct dimension dimension);
/* digits: 0, so that it is read as it is; else so many, for people. */
void fitting_put_product(struct fitting *f, struct text *out, uint32_t k, double coefficient, int digits);
void fitting_put_formula(struct fitting *f, struct text *out, int digits);
const char *fitting_normal_text(struct fitting *f, const struct normal_term *term);
struct expr *fitting_parse(struct fitting *f, const char *text); /* NULL after a diagnostic */
#endif
