/* Which names can a program, or a machine, have in a model? It stands there in names of components, and as a value of
 * an attribute, where a name of a param or of a let would stand for its value. */
#include "interp/library/profile_name.h"
#include "grammar/words.h"
#include "interp/library/handle.h"

#include <ctype.h>
#include <string.h>

static bool is_plain(const char *name) {
  size_t length = strlen(name), plain = 0;
  while (plain < length && (isalnum((unsigned char)name[plain]) || name[plain] == '_' ||
                            (plain && name[plain] == '-' && isalpha((unsigned char)name[plain + 1]))))
    plain++;
  return length && plain == length && length < 100 && isalpha((unsigned char)*name) && !word_is_reserved(name, length);
}

static bool has_symbol(struct symbol *const *symbols, uint32_t count, const char *name) {
  for (uint32_t k = 0; k < count; k++)
    if (!strcmp(symbols[k]->name->text, name)) return true;
  return false;
}

static bool has_component(const struct model *model, const char *name, const char *ending) {
  size_t length = strlen(name);
  for (uint32_t k = 0; k < model->component_count; k++) {
    const char *text = model->components[k]->symbol->name->text;
    if (!strncmp(text, name, length) && !strcmp(text + length, ending)) return true;
  }
  return false;
}

/* In what such a file uses. */
static bool is_taken(const struct psl *psl, const char *name, const char *const *endings) {
  static const char uses[] = "use convolver;\n";
  struct psl_options options = psl->options;
  options.diagnostic = NULL;
  struct psl *library = psl_open(&options);
  bool taken = false;
  if (library && psl_load_text(library, "names", uses, sizeof uses - 1) == PSL_OK) {
    const struct model *model = &library->model;
    taken = has_symbol(model->params, model->param_count, name) || has_symbol(model->lets, model->let_count, name);
    for (; *endings && !taken; endings++)
      taken = has_component(model, name, *endings);
  }
  psl_close(library);
  return taken;
}

const char *profile_name_wrong(const struct psl *psl, const char *name, const char *const *endings) {
  if (!is_plain(name)) return "is no name of PSL";
  if (!strcmp(name, "nothing") || is_taken(psl, name, endings)) return "is the name of something else in psl's library";
  return NULL;
}
