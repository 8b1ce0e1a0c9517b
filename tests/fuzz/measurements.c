/* Fuzz target: tables of measurements, CSV and Extra-P's text format. Whatever a file says, reading it and
 * fitting it, by terms and by a search, or taking it for times of messages, ends in a report or in diagnostics. */
#include "interp/include/psl.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void ignore(void *user, const struct psl_diagnostic *diagnostic) { *(size_t *)user += strlen(diagnostic->text); }

static int count(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
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
  if (psl) psl_measure_messages(psl, "messages", (const char *)data, size, NULL, count, &written);
  psl_close(psl);
  close(file);
  return 0;
}
