/* The path of a study's model in its database. */
#ifndef PSL_STUDY_MODEL_PATH_H
#define PSL_STUDY_MODEL_PATH_H
#include "grammar/arena.h"

#include <stdbool.h>

/* The path of a model as a database keeps it: one from the root as it is, any other from the database's folder on. */
const char *model_path_kept(struct arena *arena, const char *model, const char *database);
/* Where the model is that the database names: beside it, or, of one that was written by an older psl, from where psl
 * runs. */
const char *model_path_found(struct arena *arena, const char *model, const char *database);
bool is_model_file(const char *path); /* one that can be read */
#endif
