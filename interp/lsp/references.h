/* A name and all its uses, for references and for renaming. */
#ifndef PSL_REFERENCES_H
#define PSL_REFERENCES_H
#include "interp/lsp/server.h"

struct wanted {
  struct server *server;
  struct document *document; /* in which it was named */
  char *name;
  enum psl_name_kind kind;
  struct psl_place place; /* where it was named */
  bool library;
  char *file; /* where it is declared; NULL: it is known by its letters */
  unsigned line, column;
  struct use {
    char *path;
    struct psl_place place;
    bool declares, assigned;
  } * uses;
  size_t count, capacity;
  char **roots; /* files whose models have uses */
  size_t root_count;
};
/* What stands at the place that the params name; false: nothing, or a failure. To be dropped in any case. */
bool wanted_at(struct server *server, json_t *params, struct wanted *wanted, struct failure *failure);
size_t wanted_file_end(const struct wanted *wanted, size_t i);
void wanted_gather(struct wanted *wanted);
bool wanted_is(const struct wanted *wanted, const struct psl_name *name);
void wanted_drop(struct wanted *wanted);
#endif
