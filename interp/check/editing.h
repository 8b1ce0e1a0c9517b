/* What an editor asks about a model that has been checked, also where it is wrong: which name stands where, what a text
 * is made of, what could stand somewhere.  interp/library/editing.c hands it out with places in place of spans. */
#ifndef PSL_EDITING_H
#define PSL_EDITING_H
#include "grammar/text.h"
#include "interp/check/check.h"
#include "interp/include/psl.h"

/* A name where it stands in a text. */
struct named {
  struct span span;
  const struct name *name;
  enum psl_name_kind kind;
  struct symbol *symbol; /* NULL: a term, an attribute, a field, what is built in */
  struct span declared;  /* none: nowhere in a text */
  bool assigned;         /* what stands there is given a value by a statement */
};

/* ---- names.c ---- */
/* All names in the files of a model (source NULL), or in one of them, in the order of the text. */
struct named *model_names(struct model *model, struct arena *arena, const struct source *source, uint32_t *count);
/* The name at, or right before, the offset; NULL: there is none. */
const struct named *named_at(const struct named *names, uint32_t count, uint32_t offset);

enum psl_name_kind symbol_kind_name(const struct symbol *symbol);

/* ---- complete.c ---- */
struct completed {
  const char *word;
  enum psl_name_kind kind;
};
/* The words that could stand where the cursor is in a line, sorted, and where the word that they complete begins.
 * `decl` is the declaration that the line is of, as far as it is known; NULL: it is of none, as at a prompt. */
size_t model_complete(struct model *model, struct arena *arena, const char *line, size_t cursor,
                      const struct decl *decl, struct completed **items, size_t *count);

/* ---- text_outline.c ---- */
struct outlined {
  const char *name, *detail; /* detail: "" */
  enum psl_name_kind kind;
  struct span span, name_span;
  struct span value;   /* of a param, let or var what it is given, of a request its selector; empty: nothing */
  const char *profile; /* of a component: the selector that asks for all of its first profile, of a transaction that is
                        * accepted: of its own; NULL: not known */
  const char *accepts; /* and the transaction that it accepts there, as it is written; NULL: not known */
  struct span body;    /* of a component: its own first body; empty: none */
  bool requests_last;  /* of a component or system: its requests end it */
  unsigned depth;
};
struct outlined *file_outline(const struct file *file, struct arena *arena, uint32_t *count);
/* Of an expression, with all of its parentheses. */
struct span span_closed(const struct source *source, struct span span);
struct folded {
  struct span span;
  bool comment;
};
struct folded *file_folds(const struct file *file, struct arena *arena, uint32_t *count);

/* ---- text_fields.c ---- */
struct fielded {
  const char *part, *label; /* "request store", "node type" */
  enum psl_field_kind kind;
  struct span span, whole; /* whole: the statement or the request that it is of, else the span */
  const char *calls;       /* of a statement that is but a call: what it calls; else NULL */
  const char *requested;   /* of a request: its transaction; else NULL */
  uint32_t request;        /* and which of those of its component, from 1 on; else 0 */
};
/* What can be filled in anew of a component or system, in the order of the text; none where there is no such one. The
 * key has the names of those that it is in before its own: "office.clerk". */
struct fielded *file_fields(const struct file *file, const char *key, struct arena *arena, uint32_t *count);

/* ---- help.c ---- */
/* Adds what is known of a name that stands in a text; nothing where nothing is. `values`: params and lets may be
 * computed. */
void model_describe(struct model *model, const struct named *named, bool values, struct text *out);

/* ---- hints.c ---- */
struct hinted {
  uint32_t offset;
  const char *text; /* ": time" */
};
/* The types of what is declared without one. */
struct hinted *model_hints(struct model *model, struct arena *arena, const struct source *source, uint32_t *count);

/* ---- signature.c ---- */
/* Of the call whose parentheses the offset of the text stands in; false: in none that is known. */
struct signature_found {
  const char *label, *doc; /* doc: NULL: none */
  struct signature_part {
    size_t begin, end; /* in the label, bytes */
    const char *name;
  } * parts;
  uint32_t count, active; /* active: count: none */
};
bool model_signature(struct model *model, struct arena *arena, const struct source *source, uint32_t at,
                     struct signature_found *out);
#endif
