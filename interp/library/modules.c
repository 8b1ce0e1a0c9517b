/* Where psl's own shared objects are: beside the program, beside this library, or in the folder where they are
 * installed. */
#include "interp/library/modules.h"
#include "interp/include/psl.h"
#include "interp/library/installed.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beside a file of ours, or in the folder where installed modules are. */
static bool find_beside(char path[PATH_MAX], const char *file, const char *module) {
  static const char *const ways[] = {"", "../lib/psl/", "psl/"};
  const char *slash = strrchr(file, '/');
  for (size_t w = 0; slash && w < sizeof ways / sizeof *ways; w++) {
    int length = snprintf(path, PATH_MAX, "%.*s/%s%s", (int)(slash - file), file, ways[w], module);
    if (length < PATH_MAX && access(path, R_OK) == 0) return true;
  }
  return false;
}

bool module_find(char path[PATH_MAX], const char *module) {
  char program[PATH_MAX];
  Dl_info library;
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) {
    program[length] = '\0';
    if (find_beside(path, program, module)) return true;
  }
  if (dladdr((const void *)&psl_version, &library) && library.dli_fname && find_beside(path, library.dli_fname, module))
    return true;
  return snprintf(path, PATH_MAX, "%s/%s", installed_modules, module) < PATH_MAX && access(path, R_OK) == 0;
}

char *psl_module(const char *name) {
  char path[PATH_MAX];
  return module_find(path, name) ? strdup(path) : NULL;
}
