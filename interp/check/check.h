/* From files to a checked model: loading what is used, names, types, dimensions, then values of params.
 *
 * model_load parses a file and what it uses and checks all of it; model_set gives params values;
 * model_bind computes params and lets, tests ranges and assertions. Diagnostics go to model->diagnostics. */
#ifndef PSL_CHECK_H
#define PSL_CHECK_H
#include "interp/model/model.h"

struct load_text;
struct load_options {
  const char *const *folders; /* searched by `use NAME` after the using file's own folder; the standard
                               * library's folder (stdlib/, coercions/) last */
  uint32_t folder_count;
  uint32_t own_count;                            /* of them: the user's; those behind hold PSL's library */
  bool plain;                                    /* no standard library: do not search the built-in folders */
  const struct psl_evaluator *const *evaluators; /* the table of those built in */
  uint32_t evaluator_count;
  bool allow_native;           /* libraries of C are loaded */
  const char *const *readable; /* folders that may be read besides those of the files that are loaded */
  uint32_t readable_count;
  const char *alias, *alias_path; /* the one name that stands for a file which may be read; NULL: none */
  const char *(*read)(void *user, const char *path); /* asked before a file is read: why not; NULL: none is */
  const char *(*unsaved)(void *user, const char *path,
                         size_t *size); /* asked for a file's text; NULL: as on the disk */
  void *read_user;
  bool editing;             /* what is wrong is checked as far as it can be read, for the questions of an editor */
  const char *setting_name; /* stands before the name of a param in what is said of its setting */
  const struct load_text *measured; /* a file of measurements that stands in memory; NULL: none */
  struct text_cache *cache;         /* files are read once and kept there; NULL: read anew */
  const char *const *commands;      /* of a session, without the colon before them; ended by NULL; or NULL */
  bool session;                     /* questions are asked, and declarations given one by one */
  const struct last_result *last;   /* what `last` stands for; NULL: nothing */
  const char *answer;               /* the expression that `ans` stands for; NULL: nothing */
  const struct load_extra *extras;  /* that complete the model */
  uint32_t extra_count;
  bool completed; /* what is missing now may come from a database later: where the model asks for that, */
  bool searched;  /* and where it does not */
};

/* Files that a model is completed by, which stand in no folder: those that one uses are among its parts, or of the
 * library. */
struct load_part {
  const char *name, *text; /* as it is named below the folder of who uses it */
  size_t size;
};
struct load_extra {
  const char *path; /* in diagnostics; what it uses is named beside it */
  const char *text;
  size_t size;
  const struct load_part *parts;
  uint32_t part_count;
};

/* Texts of files, so that a session's model changes only when it is told to. */
struct text_cache {
  struct arena *arena;
  struct cached_text {
    const char *identity, *text;
    size_t size;
  } * items;
  uint32_t count, capacity;
};

/* What a run has come to, as a value that outlives the model: a number with the base units of its dimension, or a
 * record. */
struct last_result {
  const char *name; /* of the field */
  const char *unit; /* as unit_print has it: s, byte/s, "" */
  double value;
  bool whole;                 /* an int */
  struct last_result *fields; /* of a record; NULL: a number */
  uint32_t count, capacity;
  uint32_t instances; /* among the fields of `last` the first one of a single instance */
};

/* Does the model say `use from database`? */
bool model_asks_database(const struct model *model);
/* May what is missing in it come from a database? */
bool model_is_open(const struct model *model);
/* `model` is zeroed but for arena, names, sources, diagnostics. True if there was no error. */
bool model_load(struct model *model, const char *path, const struct load_options *options);
/* The same for a text that stands in memory under a name; what it uses is looked for beside that name. */
bool model_load_text(struct model *model, const char *name, const char *text, size_t size,
                     const struct load_options *options);
/* A session's texts as one model: each sees what is in the others, and of two declarations of a name in them the
 * later one holds. */
struct load_text {
  const char *name; /* the file, or what stands for it */
  const char *text; /* NULL: it is read */
  size_t size;
  uint32_t lines_before; /* of what the text is a part of */
};
bool model_load_session(struct model *model, const struct load_text *texts, uint32_t count,
                        const struct load_options *options);
/* Adds a text to a session's model without checking all of it again: lets, params, functions and
 * transactions of names that nothing in it mentions. false: it cannot be done so, or something is wrong or
 * is to be said; the model is as it was. */
bool model_extend(struct model *model, const struct load_text *text);
/* `--set NAME=EXPR`; NAME may be file.name. The expression is checked against the param's type
 * (a list is read as a list, a bare word as a term); errors have the spelling "did you mean". */
bool model_set(struct model *model, const char *name, const char *expression);
/* The same by a line of a file, NAME = EXPR, where errors are said; `value` is what the expression begins at, right
 * behind the '='. */
struct setting_line {
  const char *file, *text;
  unsigned number; /* from 1 */
  size_t value;
};
bool model_set_line(struct model *model, const struct setting_line *line);
/* An expression asked at a prompt, with the unit that it wants for the answer. */
struct question {
  struct expr *expr;
  const struct type *type;
  const char *unit; /* as written; NULL: the one that reads well */
  double factor;    /* of the unit */
  bool names_last;  /* `last` or `ans` is in it */
  struct span last; /* where `last` is first */
  bool is_last;     /* it is `last` and no more */
};
/* Parses and checks it; false after diagnostics. */
bool model_question(struct model *model, const struct source *source, struct question *out);
/* Makes `last` those results from now on. */
void model_set_last(struct model *model, const struct last_result *last);
/* Makes `ans` the value of that expression from now on. */
void model_set_answer(struct model *model, const char *expression);
/* The text with the value written in for each `last.…` and `ans` that the check has met in the file, or NULL if there
 * is none. */
const char *model_without_last(struct model *model, struct arena *arena, const struct source *source);
/* The dimension of a unit, us/byte, and its factor to base units; false after a diagnostic at span. */
bool model_unit(struct model *model, const char *unit, struct span span, double *factor, struct dimension *out);
bool model_knows_unit(const struct model *model, const char *unit); /* a word */
/* Adds to `out` what is known of a name; false after a diagnostic. */
struct text;
bool model_help(struct model *model, const char *name, bool optional, struct text *out);
/* The same of a word of other languages and simulators; false: it is none. */
bool model_help_habits(struct model *model, const char *word, struct text *out);
/* Does a file of the library declare the name that the model does not use? */
bool model_help_in_library(struct model *model, const char *name);
/* The name that is meant by one that is not quite right; NULL: there is none. */
const char *model_help_near(struct model *model, const char *name);
/* Takes a setting back. */
bool model_unset(struct model *model, const char *name);
/* Values of all params, tested against their ranges, and the global asserts; lets are computed when something
 * first uses them (evaluate_symbol), so that those of a paradigm that is not taken cost nothing. May be
 * called again after model_set. A setting that makes a param a range or a distribution where it was a number,
 * or back, changes types: then the model is checked again here, and symbols, components, … got before are no
 * longer the model's. */
bool model_bind(struct model *model);
/* The same without what these params reach, which are to have other values; the model is refreshed. */
bool model_bind_beside(struct model *model, struct arena *arena, struct symbol *const *params, uint32_t count);
/* The same of one param, and of what is asserted of it whatever the others are. */
bool model_bind_one(struct model *model, struct arena *arena, const struct symbol *param);
/* Values of all lets, also of those that nothing uses, but for those that call C. After model_bind. */
bool model_compute_lets(struct model *model);
/* Makes the list of what a run can come to, once a check. */
void model_list_results(struct model *model);
/* Checks a study that is not declared in the model but made for it; NULL after diagnostics. To be called again after
 * a model_bind that has checked the model again. */
struct model_study *model_study_add(struct model *model, struct decl *decl);
/* Checks the model again where a setting has changed types since. */
bool model_refresh(struct model *model);
/* Is it one of the files that were asked for? */
bool model_owns(const struct model *model, const struct source *file);
/* How many assertions there are, but for those of PSL's library. They hold where the model is bound. */
uint32_t model_assertions(const struct model *model);
bool model_in_library(const struct model *model, const struct source *file); /* PSL's, however it was named */
/* A param by `name` or `file.name`; NULL after a diagnostic. */
struct symbol *model_param(struct model *model, const char *name);
#endif
