/* Where the standard library stands: $PSL_PATH, else beside the program or the shared library (installed, or
 * in the tree that it was built in), else where it was built to be installed.  Called when a model is loaded.
 */
#include "interp/library/handle.h"
#include "interp/library/installed.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void add(struct psl *psl, struct folders *folders, const char *path) {
  ARENA_PUSH(&psl->loaded, folders->items, folders->count, folders->capacity, path);
}

/* A root holds stdlib/ and coercions/; a folder that holds neither is searched itself. */
static void add_root(struct psl *psl, struct folders *folders, const char *root) {
  const char *stdlib_folder = arena_printf(&psl->loaded, "%s/stdlib", root);
  const char *coercions = arena_printf(&psl->loaded, "%s/coercions", root);
  bool any = false;
  if (is_folder(stdlib_folder)) {
    add(psl, folders, stdlib_folder);
    any = true;
  }
  if (is_folder(coercions)) {
    add(psl, folders, coercions);
    any = true;
  }
  if (!any) add(psl, folders, root);
}

/* One folder or several, separated by colons. */
static void add_path(struct psl *psl, struct folders *folders, const char *path) {
  while (*path) {
    size_t length = strcspn(path, ":");
    if (length) add_root(psl, folders, arena_copy(&psl->loaded, path, length));
    path += length + (path[length] == ':');
  }
}

/* Is a root at `folder`/`way`? Then it is added. */
static bool add_if_there(struct psl *psl, struct folders *folders, const char *folder, const char *way) {
  char resolved[PATH_MAX];
  const char *root = arena_printf(&psl->work, "%s/%s", folder, way);
  const char *units = arena_printf(&psl->work, "%s/stdlib/units.psl", root);
  if (access(units, R_OK) != 0 || !realpath(root, resolved)) return false;
  add_root(psl, folders, arena_copy(&psl->loaded, resolved, strlen(resolved)));
  return true;
}

/* Beside a file of ours: bin/psl and lib/libpsl.so with ../share/psl, build/psl in the tree. */
static bool add_beside(struct psl *psl, struct folders *folders, const char *file) {
  const char *slash = strrchr(file, '/');
  if (!slash) return false;
  const char *folder = arena_copy(&psl->work, file, (size_t)(slash - file));
  return add_if_there(psl, folders, folder, "../share/psl") || add_if_there(psl, folders, folder, "..");
}

/* The units are what every model stands on: a library is where they are. */
static bool has_units(struct psl *psl, const struct folders *folders) {
  for (uint32_t i = 0; i < folders->count; i++)
    if (access(arena_printf(&psl->work, "%s/units.psl", folders->items[i]), R_OK) == 0) return true;
  return false;
}

void library_folders(struct psl *psl, struct folders *folders) {
  char program[PATH_MAX];
  Dl_info library;
  for (size_t i = 0; i < psl->options.folder_count; i++)
    add(psl, folders, psl->options.folders[i]);
  if (psl->options.no_library) return;
  const char *path = getenv("PSL_PATH");
  if (path && *path) {
    add_path(psl, folders, path);
    if (has_units(psl, folders)) return;
    diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, (struct span){0},
                   "the standard library is not found in PSL_PATH, which is '%s'", path);
    diagnostic_help(&psl->diagnostics, (struct span){0}, "it names the folder that holds stdlib and coercions");
    return;
  }
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) {
    program[length] = '\0';
    if (add_beside(psl, folders, program)) return;
  }
  if (dladdr((const void *)&psl_version, &library) && library.dli_fname && add_beside(psl, folders, library.dli_fname))
    return;
  if (add_if_there(psl, folders, installed_data, ".")) return;
  diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, (struct span){0}, "the standard library is not found");
  diagnostic_help(&psl->diagnostics, (struct span){0},
                  "name the folder that it stands in by the environment's PSL_PATH");
}
