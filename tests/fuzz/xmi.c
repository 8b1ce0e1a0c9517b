/* Fuzz target: the reader of UML. Any bytes end in a model of PSL, which parses, or in diagnostics. */
#include "interp/include/psl.h"

#include <stdlib.h>
#include <string.h>

struct output {
  char *text;
  size_t size;
};

static void ignore(void *user, const struct psl_diagnostic *diagnostic) { *(size_t *)user += strlen(diagnostic->text); }

static int gather(void *user, const char *text, size_t size) {
  struct output *output = user;
  char *grown = realloc(output->text, output->size + size + 1);
  if (!grown) return 1;
  memcpy(grown + output->size, text, size);
  output->text = grown;
  output->size += size;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t said = 0;
  struct output model = {0}, picture = {0}, again = {0};
  struct psl *psl =
      psl_open(&(struct psl_options){.diagnostic = ignore, .user = &said, .max_memory = 200 << 20, .no_library = true});
  if (!psl) return 0;
  psl_activity(psl, "input.uml", (const char *)data, size, false, gather, &picture);
  if (psl_activity(psl, "input.uml", (const char *)data, size, true, gather, &model) == PSL_OK &&
      psl_format_text(psl, "model.psl", model.text, model.size, NULL, gather, &again) != PSL_OK)
    abort(); /* what is made is PSL */
  psl_load_text(psl, "input.uml", (const char *)data, size);
  psl_close(psl);
  free(model.text);
  free(picture.text);
  free(again.text);
  return 0;
}
