/* From files to a checked model: loading what is used, names, types, dimensions, then values of params.
 *
 * model_load parses a file and what it uses and checks all of it; model_set gives params values;
 * model_bind computes params and lets, tests ranges and assertions. Diagnostics go to model->diagnostics. */
#ifndef PSL_CHECK_H
#define PSL_CHECK_H
#include "interp/model.h"

struct load_options {
  const char *const *folders; /* searched by `use NAME` after the using file's own folder; the standard
                               * library's folder (stdlib/, coercions/) last */
  uint32_t folder_count;
  bool plain;                                    /* no standard library: do not search the built-in folders */
  const struct psl_evaluator *const *evaluators; /* the table of those built in */
  uint32_t evaluator_count;
  bool allow_native; /* libraries of C are loaded */
};

/* `model` is zeroed but for arena, names, sources, diagnostics. True if there was no error. */
bool model_load(struct model *model, const char *path, const struct load_options *options);
/* The same for a text that stands in memory under a name; what it uses is looked for beside that name. */
bool model_load_text(struct model *model, const char *name, const char *text, size_t size,
                     const struct load_options *options);
/* `--set NAME=EXPR`; NAME may be file.name. The expression is checked against the param's type
 * (a list is read as a list, a bare word as a term); errors have the spelling "did you mean". */
bool model_set(struct model *model, const char *name, const char *expression);
/* Values of all params, tested against their ranges, and the global asserts; lets are computed when something
 * first uses them (evaluate_symbol), so that those of a paradigm that is not taken cost nothing. May be
 * called again after model_set. A setting that makes a param a range or a distribution where it was a number,
 * or back, changes types: then the model is checked again here, and symbols, components, … got before are no
 * longer the model's. */
bool model_bind(struct model *model);
/* Checks a study that is not declared in the model but made for it; NULL after diagnostics. To be called again after
 * a model_bind that has checked the model again. */
struct model_study *model_study_add(struct model *model, struct decl *decl);
/* A param by `name` or `file.name`; NULL after a diagnostic. */
struct symbol *model_param(struct model *model, const char *name);
#endif
