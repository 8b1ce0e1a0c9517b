/* The files that evaluators read for a model: what stands in them is part of the keys of its runs. They are known
 * before a run by their names, which are texts of the model or values of params. */
#ifndef PSL_FILES_READ_H
#define PSL_FILES_READ_H
#include "grammar/text.h"
#include "interp/study/groups.h"

struct model;

struct files_read {
  struct model *model;
  struct arena *arena;
  struct groups names; /* that were met; each is looked at once */
  const char **said;   /* by group: its name and a digest of what stands there; "": nothing is read */
  uint32_t said_capacity;
  bool wanted;  /* has the model an evaluator that reads files? */
  bool refused; /* some file is there that the model may not read */
};

struct files_read files_read_of(struct model *model, struct arena *arena);
void files_read_texts(struct files_read *files, struct text *out);  /* those that texts of the model name */
void files_read_params(struct files_read *files, struct text *out); /* those that params name now */
#endif
