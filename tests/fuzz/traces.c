/* Fuzz target: traces of programs, of all formats that are files: Paraver's, Dimemas', SimGrid's, schedules in GOAL and
 * PSL's own. Whatever one says, what it holds is told, its page made, and it is converted to each format that is
 * written, or there is an error. */
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

static int file_of(const char *name, char path[64], const uint8_t *data, size_t size) {
  int file = memfd_create(name, 0);
  snprintf(path, 64, "/proc/self/fd/%d", file);
  if (file >= 0 && write(file, data, size) != (ssize_t)size) return close(file), -1;
  return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"a.trace", "a.tit", "a.goal", "a.dim", "a.json"};
  char from[64], to[64];
  size_t written = 0;
  setenv("PATH", "", 1); /* no gnuplot draws */
  int file = file_of("from", from, data, size), out = file_of("to", to, NULL, 0);
  struct psl *psl = psl_open(&(struct psl_options){.diagnostic = ignore, .user = &written, .max_memory = 200 << 20});
  if (psl && file >= 0 && out >= 0 && psl_is_trace(from)) {
    psl_trace_info(psl, from, &(struct psl_report_options){.by_rank = 1, .format = PSL_JSON}, count, &written);
    psl_trace_page(psl, from, count, &written);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      psl_trace_convert(psl, from, to, names[k]);
  }
  psl_close(psl);
  if (file >= 0) close(file);
  if (out >= 0) close(out);
  return 0;
}
