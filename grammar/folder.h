/* The names in a folder of the file system. */
#ifndef PSL_FOLDER_H
#define PSL_FOLDER_H
#include "grammar/arena.h"

/* Names of a folder's entries ("": the current one) that are wanted, sorted; how many. */
uint32_t folder_names(struct arena *arena, const char *folder, bool (*wanted)(const char *name), const char ***out);
#endif
