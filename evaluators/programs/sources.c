/* The table of the kinds of sources, the first of which that recognises what a path names opens it. */
#include "evaluators/programs/operations.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct program_source_kind *const kinds[] = {&time_independent_source, NULL};

struct program_source *program_source_open(const char *path, struct program_error *error) {
  char head[4096];
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  FILE *file = fopen(path, "re");
  if (!file) {
    snprintf(error->text, sizeof error->text, "%.80s: %s", name, strerror(errno));
    return NULL;
  }
  size_t size = fread(head, 1, sizeof head - 1, file);
  fclose(file);
  head[size] = '\0';
  for (size_t k = 0; kinds[k]; k++)
    if (kinds[k]->recognise(path, head, size)) return kinds[k]->open(path, error);
  snprintf(error->text, sizeof error->text, "%.80s is no trace of a kind that is known", name);
  return NULL;
}
