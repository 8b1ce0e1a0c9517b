/* The table of the kinds of sources, the first of which that recognises what a path names opens it. */
#include "evaluators/programs/operations.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct program_source_kind *const kinds[] = {&own_trace_source,
                                                          &goal_source,
                                                          &running_source,
                                                          &simulated_source,
                                                          &recorded_source,
                                                          &paraver_source,
                                                          &chrome_source,
                                                          &otf2_source,
                                                          &dimemas_source,
                                                          &time_independent_source,
                                                          NULL};

static const struct program_source_kind *kind_of(const char *path, struct program_error *error) {
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
    if (kinds[k]->recognise(path, head, size)) return kinds[k];
  const char *what = *head == '{' && strstr(head, "\"traceEvents\"")
                         ? "shows a run, and has no operations of a program: what is read again is written by --record"
                         : "is no trace of a kind that is known";
  snprintf(error->text, sizeof error->text, "%.80s %s", name, what);
  return NULL;
}

/* A folder is a trace whose first rank has the file 0.trace. NULL: it is none. */
static char *first_of_folder(const char *path) {
  struct stat status;
  char *first = NULL;
  if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode) || asprintf(&first, "%s/0.trace", path) < 0) return NULL;
  return first;
}

/* What a pipe has said once it would not say again. */
static bool is_regular(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

const struct program_source_kind *program_source_kind_of(const char *path) {
  struct program_error error;
  char *first = first_of_folder(path);
  const char *file = first ? first : path;
  const struct program_source_kind *kind = is_regular(file) ? kind_of(file, &error) : NULL;
  free(first);
  return kind;
}

bool program_source_is(const char *path) { return program_source_kind_of(path) != NULL; }

struct program_source *program_source_open(const char *path, struct program_error *error) {
  char *first = first_of_folder(path);
  const char *file = first ? first : path;
  const struct program_source_kind *kind = kind_of(file, error);
  struct program_source *source = kind ? kind->open(file, error) : NULL;
  free(first);
  return source;
}

void program_source_files(const char *path, program_take_file *take, void *user) {
  struct program_error error;
  char *first = first_of_folder(path);
  const char *file = first ? first : path;
  const struct program_source_kind *kind = kind_of(file, &error);
  if (kind && first) take(user, first);
  if (kind && kind->files) kind->files(file, take, user);
  free(first);
}
