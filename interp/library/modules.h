/* Shared objects of psl's own: which stand beside it, or where they are installed. */
#ifndef PSL_MODULES_H
#define PSL_MODULES_H
#include <limits.h>
#include <stdbool.h>

bool module_find(char path[PATH_MAX], const char *module);
#endif
