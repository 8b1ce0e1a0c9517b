/* Fuzz target: the reader of UML. Any bytes end in a model of PSL, which parses, or in diagnostics; what is written as
 * XMI is read again as the same model, and written again is the same XMI. */
#include "interp/include/psl.h"

#include <stdio.h>
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

static bool same(const struct output *a, const struct output *b) {
  return a->size == b->size && (!a->size || !memcmp(a->text, b->text, a->size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t said = 0;
  struct output model = {0}, picture = {0}, again = {0}, json = {0}, xml = {0};
  struct output written = {0}, rewritten = {0}, remade = {0};
  struct psl *psl =
      psl_open(&(struct psl_options){.diagnostic = ignore, .user = &said, .max_memory = 200 << 20, .no_library = true});
  if (!psl) return 0;
  const char *bytes = (const char *)data;
  psl_activity(psl, "input.uml", bytes, size, PSL_ACTIVITY_DOT, gather, &picture);
  psl_activity(psl, "input.uml", bytes, size, PSL_ACTIVITY_JSON, gather, &json);
  psl_activity(psl, "input.uml", bytes, size, PSL_ACTIVITY_XML, gather, &xml);
  bool fine = psl_activity(psl, "input.uml", bytes, size, PSL_ACTIVITY_PSL, gather, &model) == PSL_OK;
  if (fine && psl_format_text(psl, "model.psl", model.text, model.size, NULL, gather, &again) != PSL_OK)
    abort(); /* what is made is PSL */
  if (psl_activity(psl, "input.uml", bytes, size, PSL_ACTIVITY_XMI, gather, &written) == PSL_OK) {
    if (psl_activity(psl, "input.uml", written.text, written.size, PSL_ACTIVITY_XMI, gather, &rewritten) != PSL_OK ||
        !same(&written, &rewritten))
      abort();
    if (psl_activity(psl, "input.uml", written.text, written.size, PSL_ACTIVITY_PSL, gather, &remade) != PSL_OK
            ? fine
            : !fine || !same(&model, &remade))
      abort();
  }
  char rules[1000];
  const char *library = getenv("PSL_PATH"); /* tests/fuzz/run sets it */
  snprintf(rules, sizeof rules, "%s/stdlib/prophet-rules.xml", library ? library : ".");
  psl_check_activity(psl, "input.uml", bytes, size, rules);
  psl_load_text(psl, "input.uml", (const char *)data, size);
  psl_close(psl);
  free(model.text);
  free(picture.text);
  free(again.text);
  free(json.text);
  free(xml.text);
  free(written.text);
  free(rewritten.text);
  free(remade.text);
  return 0;
}
