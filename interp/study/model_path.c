/* Which file the model of a study is, wherever `psl report` runs: a database keeps a path that begins where it stands
 * itself. Called by store.c, which keeps it, and document.c, which looks for the file. */
#include "interp/study/model_path.h"
#include "grammar/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder_of(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
}

static const char *last_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Of a folder, from the root; NULL: it is not there. */
static const char *whole_path(struct arena *arena, const char *folder) {
  char path[PATH_MAX];
  return realpath(folder, path) ? arena_copy(arena, path, strlen(path)) : NULL;
}

/* How much of both, up to the end of a folder's name, is the same. */
static size_t common(const char *a, const char *b) {
  size_t same = 0, i = 0;
  for (; a[i] && a[i] == b[i]; i++)
    if (a[i] == '/') same = i;
  bool ends = (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/');
  return ends ? i : same;
}

bool is_model_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

const char *model_path_kept(struct arena *arena, const char *model, const char *database) {
  if (*model == '/' || !is_model_file(model)) return model;
  const char *of_model = whole_path(arena, folder_of(arena, model));
  const char *of_database = whole_path(arena, folder_of(arena, database));
  if (!of_model || !of_database) return model;
  size_t same = common(of_model, of_database);
  if (!same) return arena_printf(arena, "%s/%s", of_model, last_of(model)); /* they have no folder in common */
  struct text path = {.arena = arena};
  for (const char *at = of_database + same; *at; at++)
    if (*at == '/') text_put(&path, "../");
  const char *below = of_model + same + (of_model[same] == '/');
  text_printf(&path, "%s%s%s", below, *below ? "/" : "", last_of(model));
  return path.data;
}

const char *model_path_found(struct arena *arena, const char *model, const char *database) {
  const char *folder = folder_of(arena, database);
  if (*model == '/' || !strcmp(folder, ".")) return model;
  const char *beside = arena_printf(arena, "%s/%s", strcmp(folder, "/") ? folder : "", model);
  return is_model_file(beside) ? beside : model;
}
