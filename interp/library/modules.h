/* Shared objects of psl's own: which stand beside it, or where they are installed. */
#ifndef PSL_MODULES_H
#define PSL_MODULES_H
#include "interp/include/psl.h"
#include <limits.h>
#include <stdbool.h>

struct psl;

bool module_find(char path[PATH_MAX], const char *module);
/* The environment of a command whose ranks of MPI are to be recorded in that folder: ours, with the library that stands
 * in its processes, and what that needs. With an emulator they run under that with the plugin. NULL: there is no
 * such library. */
char **recording_environment(struct psl *psl, const char *folder, const char *emulator, const char *plugin);
/* Have the traced processes been the ranks of one program? */
enum psl_code ranks_meet(struct psl *psl, const char *folder);
#endif
