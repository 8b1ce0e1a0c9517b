/* Fuzz target: from a text to a report. Whatever the model says, loading, checking and running it within bounds ends
 * in a prediction or in diagnostics. A run is interrupted after a while: it may be long, loading may not. */
#include "interp/include/psl.h"
#include "tests/fuzz/limit.h"

#include <string.h>

static void ignore(void *user, const struct psl_diagnostic *diagnostic) { *(size_t *)user += strlen(diagnostic->text); }

static int count(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
}

static void run_system(struct psl *psl, const char *system, bool reference, size_t *size) {
  const struct psl_run_options options = {.max_firings = 2000, .max_time = 1e6, .reference = reference, .trace = true};
  const struct psl_results *results;
  interrupt_after(200);
  enum psl_code code = psl_run(psl, system, &options, &results);
  interrupt_after(0);
  if (code != PSL_OK && code != PSL_STOPPED) return;
  for (enum psl_format format = PSL_TEXT; format <= PSL_CSV; format++) {
    psl_report(psl, results, &(struct psl_report_options){.format = format, .by_rank = true}, count, size);
  }
  psl_write_trace(psl, results, count, size);
  psl_write_timeline(psl, results, count, size);
  psl_drop(psl, results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t written = 0;
  struct psl *psl = psl_open(&(struct psl_options){
      .diagnostic = ignore, .user = &written, .max_memory = 200 << 20, .interrupted = &interrupted});
  if (!psl) return 0;
  if (psl_load_text(psl, "input.psl", (const char *)data, size) == PSL_OK && psl_check(psl) == PSL_OK) {
    const char *const *systems;
    size_t system_count;
    if (psl_systems(psl, &systems, &system_count) == PSL_OK && system_count) {
      run_system(psl, systems[0], false, &written);
      run_system(psl, systems[0], true, &written);
      psl_explain(psl, systems[0], NULL, false, count, &written);
      psl_graph(psl, systems[0], false, 0, count, &written);
    }
  }
  psl_close(psl);
  return 0;
}
