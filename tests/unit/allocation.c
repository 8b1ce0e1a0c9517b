/* An allocation that fails, wherever it does, ends the call with PSL_MEMORY and one error, and the handle
 * takes the next model.  The count of allocations stands at the head of a handle (struct memory). */
#include "tests/unit/unit.h"

#include "interp/include/psl.h"
#include <stdio.h>
#include <string.h>

static const char *const models[] = {"examples/embed/farm.psl", "tests/unit/allocation.psl"};

static struct memory *memory_of(struct psl *psl) { return (struct memory *)psl; }

static void count_errors(void *user, const struct psl_diagnostic *diagnostic) {
  *(int *)user += diagnostic->severity == PSL_ERROR;
}

static int count_text(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
}

/* Everything that the command line does with a model; the makespan where all went well. */
static enum psl_code use(struct psl *psl, const char *path, double *makespan) {
  const struct psl_results *results = NULL;
  const struct psl_param *params;
  size_t count, written = 0;
  enum psl_code code = psl_load_file(psl, path);
  if (code == PSL_OK) code = psl_params(psl, &params, &count);
  if (code == PSL_OK) code = psl_set(psl, params[0].name, params[0].value);
  if (code == PSL_OK) code = psl_check(psl);
  if (code == PSL_OK) code = psl_explain(psl, NULL, NULL, false, count_text, &written);
  if (code == PSL_OK) code = psl_run(psl, NULL, &(struct psl_run_options){.trace = true}, &results);
  if (results) *makespan = results->makespan.value;
  for (enum psl_format format = PSL_TEXT; code == PSL_OK && format <= PSL_JSONL; format++) {
    code =
        psl_report(psl, results, &(struct psl_report_options){.format = format, .by_rank = true}, count_text, &written);
  }
  if (code == PSL_OK) code = psl_write_trace(psl, results, count_text, &written);
  if (code == PSL_OK) code = psl_write_timeline(psl, results, count_text, &written);
  if (code == PSL_OK) code = psl_run(psl, NULL, &(struct psl_run_options){.causes = 1000}, &results);
  for (enum psl_format format = PSL_TEXT; code == PSL_OK && format <= PSL_JSON; format++)
    code = psl_write_why(psl, results, &(struct psl_why_options){.format = format}, count_text, &written);
  return code;
}

static struct psl *open_counted(int *errors, size_t max_memory) {
  *errors = 0;
  struct psl *psl =
      psl_open(&(struct psl_options){.diagnostic = count_errors, .user = errors, .max_memory = max_memory});
  assert_non_null(psl);
  return psl;
}

/* A handle after a failure: a model is taken and gives what it always gives. */
static void assert_still_good(struct psl *psl, const char *path, double wanted) {
  double makespan = -1;
  assert_int_equal(use(psl, path, &makespan), PSL_OK);
  assert_true(makespan == wanted);
}

static void each_allocation_may_fail(void **state) {
  (void)state;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    int errors;
    double wanted = -1, makespan;
    struct psl *psl = open_counted(&errors, 0);
    assert_int_equal(use(psl, models[m], &wanted), PSL_OK);
    psl_close(psl);
    uint64_t failures = 0;
    for (uint64_t n = 1;; n += 1 + n / 50) {
      psl = open_counted(&errors, 0);
      memory_of(psl)->fail_at = memory_of(psl)->allocations + n;
      enum psl_code code = use(psl, models[m], &makespan);
      memory_of(psl)->fail_at = 0;
      if (code == PSL_MEMORY) assert_int_equal(errors, 1);
      if (n % 8 == 1) assert_still_good(psl, models[m], wanted);
      psl_close(psl);
      if (code == PSL_OK) break;
      /* a run that is cut short is a result, too */
      assert_true(code == PSL_MEMORY || code == PSL_STOPPED);
      failures++;
    }
    assert_true(failures > 20);
  }
}

static void each_limit_is_kept(void **state) {
  (void)state;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    enum psl_code code = PSL_MEMORY;
    for (size_t limit = 16 << 10; code != PSL_OK; limit += limit / 4) {
      int errors;
      double makespan;
      struct psl *psl =
          psl_open(&(struct psl_options){.diagnostic = count_errors, .user = &errors, .max_memory = limit});
      if (!psl) continue; /* not even the options' texts have room */
      code = use(psl, models[m], &makespan);
      assert_true(code == PSL_OK || code == PSL_MEMORY || code == PSL_STOPPED);
      assert_true(code != PSL_OK || psl_peak_memory(psl) <= limit);
      psl_close(psl);
      assert_true(limit < (size_t)1 << 30);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_allocation_may_fail),
      cmocka_unit_test(each_limit_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
