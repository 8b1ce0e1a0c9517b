/* Fuzz target: from a text to a report. Whatever the model says, loading, checking and running it within bounds ends
 * in a prediction or in diagnostics, the same ones in both engines. A run is interrupted after a while: it may be long,
 * loading may not. */
#include "interp/include/psl.h"
#include "tests/fuzz/blocks.h"
#include "tests/fuzz/limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was written and said, byte by byte. */
struct heard {
  size_t size;
  uint64_t hash;
  bool deep; /* there was no stack for a call: the engines need different amounts of it */
};

static int hear(void *user, const char *text, size_t size) {
  struct heard *heard = user;
  heard->size += size;
  for (size_t i = 0; i < size; i++)
    heard->hash = (heard->hash ^ (unsigned char)text[i]) * 1099511628211u;
  return 0;
}

/* Some warnings are said once. Where a limit was passed is for each engine to say. */
static void hear_error(void *user, const struct psl_diagnostic *diagnostic) {
  struct heard *heard = user;
  if (diagnostic->severity != PSL_ERROR || strstr(diagnostic->message, "(--max-")) return;
  heard->deep |= strstr(diagnostic->message, "nest too deep for the ") != NULL;
  hear(user, diagnostic->text, strlen(diagnostic->text));
}

/* Behind PSL_MEMORY and PSL_INTERRUPTED no model is loaded, and its names are gone. */
static enum psl_code run_system(struct psl *psl, const char *system, bool reference, struct heard *heard) {
  const struct psl_run_options options = {.max_firings = 2000, .max_time = 1e6, .reference = reference, .trace = true};
  const struct psl_results *results;
  *heard = (struct heard){0};
  interrupt_after(200);
  enum psl_code code = psl_run(psl, system, &options, &results);
  bool was_interrupted = interrupted;
  interrupt_after(0);
  if (code != PSL_OK && code != PSL_STOPPED) return code;
  for (enum psl_format format = PSL_TEXT; format <= PSL_JSONL; format++) {
    psl_report(psl, results, &(struct psl_report_options){.format = format, .by_rank = true}, hear, heard);
  }
  psl_write_trace(psl, results, hear, heard);
  psl_write_timeline(psl, results, hear, heard);
  psl_drop(psl, results);
  return was_interrupted ? PSL_INTERRUPTED : code;
}

/* Why it ends when it does: a chain may have any length, and a run too many causes. */
static void explain_end(struct psl *psl, const char *system, struct heard *heard) {
  const struct psl_run_options options = {.max_firings = 2000, .max_time = 1e6, .causes = 20000};
  const struct psl_results *results;
  interrupt_after(200);
  enum psl_code code = psl_run(psl, system, &options, &results);
  interrupt_after(0);
  if (code == PSL_OK || code == PSL_STOPPED) {
    for (enum psl_format format = PSL_TEXT; format <= PSL_JSON; format++)
      psl_write_why(psl, results, &(struct psl_why_options){.depth = 100, .format = format}, hear, heard);
    psl_drop(psl, results);
  }
}

static bool run_system_twice(struct psl *psl, const char *system, struct heard *heard) {
  enum psl_code codes[2];
  struct heard both[2];
  for (int reference = 0; reference < 2; reference++) {
    codes[reference] = run_system(psl, system, reference, heard);
    both[reference] = *heard;
    if (codes[reference] == PSL_MEMORY || codes[reference] == PSL_INTERRUPTED || heard->deep) return false;
  }
  if (codes[0] == codes[1] && both[0].size == both[1].size && both[0].hash == both[1].hash) return true;
  fprintf(stderr, "the engines differ: %d and %d, %zu and %zu bytes\n", codes[0], codes[1], both[0].size, both[1].size);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct heard heard = {0};
  struct psl *psl = psl_open(&(struct psl_options){
      .diagnostic = hear_error, .user = &heard, .max_memory = 200 << 20, .interrupted = &interrupted});
  if (!psl) return 0;
  if (psl_load_text(psl, "input.psl", (const char *)data, size) == PSL_OK && psl_check(psl) == PSL_OK) {
    const char *const *systems;
    size_t system_count;
    if (psl_systems(psl, &systems, &system_count) == PSL_OK && system_count &&
        run_system_twice(psl, systems[0], &heard)) {
      explain_end(psl, systems[0], &heard);
      psl_explain(psl, systems[0], NULL, false, hear, &heard);
      psl_graph(psl, systems[0], false, 0, hear, &heard);
    }
  }
  psl_close(psl);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  return blocks_mutate(data, size, max_size, &seed);
}
