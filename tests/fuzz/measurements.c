/* Fuzz target: tables of measurements, CSV and Extra-P's text format. Whatever a file says, reading it and
 * fitting it, by terms and by a search, or taking it for times of messages, of memory or of operations, ends in a
 * report or in diagnostics; and what comes of such times is PSL. */
#include "interp/include/psl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void ignore(void *user, const struct psl_diagnostic *diagnostic) { *(size_t *)user += strlen(diagnostic->text); }

static int count(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
}

struct model { /* that was written */
  char *text;
  size_t size;
};

static int keep(void *user, const char *text, size_t size) {
  struct model *model = user;
  char *grown = realloc(model->text, model->size + size + 1);
  if (!grown) return 1;
  model->text = grown;
  memcpy(grown + model->size, text, size);
  model->size += size;
  return 0;
}

/* What is written of a table has no error; a table that is refused writes nothing. */
static void measure(struct psl *psl, const char *data, size_t size) {
  static enum psl_code (*const kinds[])(struct psl *, const char *, const char *, size_t,
                                        const struct psl_measure_options *, psl_write *,
                                        void *) = {psl_measure_messages, psl_measure_memory, psl_measure_compute};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    struct model model = {0};
    enum psl_code code = kinds[k](psl, "table", data, size, NULL, keep, &model);
    bool fine = code == PSL_OK ? psl_load_text(psl, "model.psl", model.text, model.size) == PSL_OK : !model.size;
    if (code != PSL_MEMORY && !fine) abort();
    free(model.text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const line[] = {"1, n"}, *const lists[] = {"p, n * log2(n)", "1, p * n"};
  static const struct psl_fit_options ways[] = {
      {.terms = line, .terms_count = 1, .relative = true, .functions = true},
      {.terms = lists, .terms_count = 2, .log = true, .format = PSL_JSON},
      {.format = PSL_TEXT, .max_terms = 1},
  };
  char path[64];
  size_t written = 0;
  int file = memfd_create("measurements", 0);
  if (file < 0) return 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = ignore, .user = &written, .max_memory = 200 << 20});
  if (psl && write(file, data, size) == (ssize_t)size)
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
      psl_fit(psl, path, &ways[i], count, &written);
  if (psl) measure(psl, (const char *)data, size);
  psl_close(psl);
  close(file);
  return 0;
}
