/* See files_read.h. Texts are not put together in PSL, so each name of a file stands as a whole in the model or in a
 * setting; what C makes up, or reads itself, is not known here. Called by store.c. */
#include "interp/study/files_read.h"
#include "interp/check/load.h"
#include "interp/include/evaluator.h"
#include "interp/model/model.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define XXH_STATIC_LINKING_ONLY /* the state of a hash on the stack */
#include <xxhash.h>

/* ---- what stands in a file ---- */

static void digest_file(void *user, const char *path) {
  static const uint64_t missing = UINT64_MAX;
  XXH3_state_t *state = user;
  char bytes[1 << 16];
  uint64_t size = 0;
  FILE *file = fopen(path, "re");
  for (size_t got; file && (got = fread(bytes, 1, sizeof bytes, file)) > 0; size += got)
    XXH3_128bits_update(state, bytes, got);
  XXH3_128bits_update(state, file ? &size : &missing, sizeof size); /* where one ends and the next begins */
  if (file) fclose(file);
}

/* Of the file, and of those that are read with it. */
static const char *describe(struct files_read *files, const char *name, const char *path) {
  const struct model *model = files->model;
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  digest_file(&state, path);
  for (uint32_t e = 0; e < model->evaluator_count; e++) {
    const struct psl_evaluator *evaluator = model->evaluators[e]->evaluator;
    if (evaluator->files) evaluator->files(path, digest_file, &state);
  }
  XXH128_hash_t digest = XXH3_128bits_digest(&state);
  return arena_printf(files->arena, "reads %s %016llx%016llx\n", name, (unsigned long long)digest.high64,
                      (unsigned long long)digest.low64);
}

static void put_name(struct files_read *files, struct text *out, const char *name) {
  const char *why, *path;
  uint32_t known = files->names.count, group = groups_find(&files->names, name, strlen(name));
  if (group == known) {
    path = *name ? files->model->readable(files->model, files->arena, name, &why) : NULL;
    const char *said = path ? describe(files, name, path) : "";
    files->refused |= *name && !path && access(name, F_OK) == 0;
    ARENA_PUSH(files->arena, files->said, known, files->said_capacity, said);
  }
  text_put(out, files->said[group]);
}

/* ---- which files ---- */

static bool reads_files(const struct psl_evaluator *evaluator) {
  for (const struct psl_evaluator_function *function = evaluator->functions; function->name; function++)
    if (function->reads) return true;
  return false;
}

struct files_read files_read_of(struct model *model, struct arena *arena) {
  struct files_read files = {.model = model, .arena = arena, .names.arena = arena};
  for (uint32_t e = 0; e < model->evaluator_count; e++)
    files.wanted |= reads_files(model->evaluators[e]->evaluator);
  return files;
}

void files_read_texts(struct files_read *files, struct text *out) {
  const struct model_loading *loading = files->model->loading;
  for (uint32_t i = 0; files->wanted && i < loading->count; i++) {
    const struct file *file = loading->files[i]->file;
    for (uint32_t k = 0; k < file->string_count && !loading->files[i]->library; k++)
      put_name(files, out, file->strings[k]);
  }
}

static void put_value(struct files_read *files, struct text *out, struct value value) {
  if (value.kind == VALUE_STRING) put_name(files, out, value.object->text);
  for (uint32_t i = 0; (value.kind == VALUE_LIST || value.kind == VALUE_RECORD) && i < value.object->count; i++)
    put_value(files, out, value.object->items[i]);
}

void files_read_params(struct files_read *files, struct text *out) {
  const struct model *model = files->model;
  for (uint32_t i = 0; files->wanted && i < model->param_count; i++)
    if (model->params[i]->has_value) put_value(files, out, model->params[i]->value);
}
