/* Models of programs of MPI from their source: from what GCC's plugin says (plugin/) to a text in PSL. A user gives the
 * facts and gets texts and errors; who starts the compiler is the command line. */
#ifndef PSL_COMPILE_SOURCE_MODEL_H
#define PSL_COMPILE_SOURCE_MODEL_H
#include <stdbool.h>
#include <stddef.h>

struct compile_options {
  const char *name;           /* of the model */
  const char *source;         /* by which the program's text is known */
  const char *const *assumed; /* VARIABLE: ignored */
  size_t assumed_count;
  const char *const *iterations; /* [FILE:]LINE=EXPRESSION */
  size_t iterations_count;
  bool sliced; /* a sliced program is made, which has what a model cannot say */
};
struct compile_error {
  const char *file; /* NULL: of no place */
  int line;
  const char *message, *help; /* help may be NULL */
};
struct compilation {
  struct room *room; /* of all that is here */
  struct program *program;
  struct model *sliced;          /* nests of a sliced program, behind compile_plan */
  bool readable;                 /* was the program understood, whatever a model cannot say? */
  const char *model;             /* NULL: there are errors */
  const char *timers, *counters; /* what is timed and counted, as the plugin reads it; NULL: nothing is counted */
  const struct compile_error *errors;
  size_t error_count;
};

/* An expression of the modeller's, with the option that gives it. */
struct compile_said {
  const char *option, *expression;
  bool fixed;  /* it is the same whatever the model is given */
  bool counts; /* it is how often something is done: a whole number, not below 0 */
};

struct why_not {
  const char *message, *help;    /* help may be NULL */
  const char *const *candidates; /* the program's variables, where it has none of the name */
  size_t count;
};

/* ---- source_model.c ---- */
void compile_facts(struct compilation *compilation, const char *path, const struct compile_options *options);
/* What was found, as text or as JSON. */
const char *compile_report(struct compilation *compilation, bool json);
/* Why a variable is part of the model: a line a step; NULL: it is none, and `why_not` says what is to be said of it. */
const char *compile_why(struct compilation *compilation, const char *variable, bool json, struct why_not *why_not);
void compile_close(struct compilation *compilation);

/* ---- said_passes.c ---- */
/* All expressions that the options give, when a model or a plan is there; `names`: declarations of what they may
 * name. */
const struct compile_said *compile_said(struct compilation *compilation, size_t *count, const char **names);

/* ---- slice_plan.c ---- */
/* What the plugin makes a sliced program by; `parts`: the file where it says what it has put into nests. `kept`: names
 * of nests that are done, not replaced. NULL: there are errors. */
const char *compile_plan(struct compilation *compilation, const char *parts, const char *const *kept,
                         size_t kept_count);
/* The model that a sliced program is run by, from those parts. */
const char *compile_nests(struct compilation *compilation, const char *parts, const char *program);

#endif
