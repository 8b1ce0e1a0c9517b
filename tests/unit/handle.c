/* The library's handle used out of order: each entry says what is missing, and goes on afterwards. */
#include "tests/unit/unit.h"

#include "interp/include/psl.h"
#include <stdio.h>
#include <string.h>

static const char model[] = "transaction begin();\n"
                            "component c {\n"
                            "  accepts:\n"
                            "    profile     = { domain = application[test] };\n"
                            "    transaction = begin();\n"
                            "    protocol    = dataflow;\n"
                            "  body:\n"
                            "    hold 2 s;\n"
                            "}\n"
                            "system test {\n"
                            "  requests:\n"
                            "    selector    = { domain = application[test] };\n"
                            "    transaction = begin();\n"
                            "    protocol    = dataflow;\n"
                            "}\n";

static char said[400];

static void keep(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  snprintf(said, sizeof said, "%s", diagnostic->text);
}

static int drop(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
}

static struct psl *handle_open(void) {
  said[0] = '\0';
  return psl_open(&(struct psl_options){.diagnostic = keep, .no_library = true});
}

static void a_caller_says_things_as_the_library_does(void **state) {
  (void)state;
  struct psl_options options = {.diagnostic = keep};
  psl_say(&options, PSL_WARNING, "the disk is nearly full", "write elsewhere");
  assert_string_equal(said, "psl: warning: the disk is nearly full\nhelp: write elsewhere\n");
  options.diagnostic_format = PSL_JSON_LINES;
  psl_say(&options, PSL_ERROR, "\"x\" is unknown", NULL);
  assert_string_equal(said, "{\"severity\":\"error\",\"message\":\"\\\"x\\\" is unknown\",\"notes\":[]}\n");
  psl_say(&(struct psl_options){0}, PSL_ERROR, "nobody hears it", NULL);
}

static void a_misspelt_word_has_a_nearest(void **state) {
  (void)state;
  const char *const words[] = {"run", "study", "sensitivity"};
  assert_ptr_equal(psl_nearest("stdy", words, 3), words[1]);
  assert_null(psl_nearest("plot", words, 3));
}

static int gather(void *user, const char *text, size_t size) {
  strncat(user, text, size);
  return 0;
}

static void params_are_written_in_each_format(void **state) {
  (void)state;
  static const char text[] = "param n : int = 4 in 1 .. 8;\n";
  char out[600] = "";
  struct psl *psl = handle_open();
  assert_int_equal(psl_write_params(psl, NULL, PSL_CSV, gather, out), PSL_MISUSE);
  assert_int_equal(psl_load_text(psl, "model", text, strlen(text)), PSL_OK);
  assert_int_equal(psl_write_params(psl, NULL, PSL_CSV, gather, out), PSL_OK);
  assert_string_equal(out, "name,type,value,unit,expression,range,doc,file,line,set,effect,choices\n"
                           "n,int,4,,,1 .. 8,,model,1,false,,\n");
  out[0] = '\0';
  assert_int_equal(psl_write_params(psl, NULL, PSL_TEXT, gather, out), PSL_OK);
  assert_string_equal(out, "model\n    n  int  4  in 1 .. 8\n");
  psl_close(psl);
}

static void nothing_is_done_without_a_model(void **state) {
  (void)state;
  struct psl *psl = handle_open();
  const struct psl_results *results = NULL;
  const struct psl_param *params;
  size_t count, size = 0;
  assert_int_equal(psl_run(psl, NULL, NULL, &results), PSL_MISUSE);
  assert_string_equal(said, "psl: error: no model is loaded\n");
  assert_int_equal(psl_check(psl), PSL_MISUSE);
  assert_int_equal(psl_set(psl, "n", "3"), PSL_MISUSE);
  assert_int_equal(psl_params(psl, &params, &count), PSL_MISUSE);
  assert_int_equal(psl_report(psl, results, NULL, drop, &size), PSL_MISUSE);
  assert_string_equal(said, "psl: error: there are no results to report\n");
  assert_int_equal(psl_load_text(psl, "model", model, strlen(model)), PSL_OK);
  assert_int_equal(psl_run(psl, NULL, NULL, &results), PSL_OK);
  assert_true(results->makespan.value > 1.999 && results->makespan.value < 2.001);
  psl_close(psl);
}

static void a_trace_has_to_be_asked_for(void **state) {
  (void)state;
  struct psl *psl = handle_open();
  const struct psl_results *results = NULL;
  size_t size = 0;
  assert_int_equal(psl_load_text(psl, "model", model, strlen(model)), PSL_OK);
  assert_int_equal(psl_run(psl, "test", NULL, &results), PSL_OK);
  assert_int_equal(psl_write_trace(psl, results, drop, &size), PSL_MISUSE);
  assert_string_equal(said, "psl: error: the run was made without a trace\n");
  assert_int_equal(psl_write_timeline(psl, results, drop, &size), PSL_MISUSE);
  assert_int_equal(size, 0);
  assert_int_equal(psl_plot_levels(psl, results, &(struct psl_plot_options){.format = PSL_PLOT_TERMINAL}), PSL_MISUSE);
  assert_string_equal(said, "psl: error: the run was made without levels\n");
  psl_drop(psl, results);
  assert_int_equal(psl_run(psl, "test", &(struct psl_run_options){.trace = true}, &results), PSL_OK);
  assert_int_equal(psl_write_trace(psl, results, drop, &size), PSL_OK);
  assert_true(size > 0);
  psl_close(psl);
}

static void causes_have_to_be_asked_for(void **state) {
  (void)state;
  struct psl *psl = handle_open();
  const struct psl_results *results = NULL;
  size_t size = 0;
  assert_int_equal(psl_load_text(psl, "model", model, strlen(model)), PSL_OK);
  assert_int_equal(psl_write_why(psl, NULL, NULL, drop, &size), PSL_MISUSE);
  assert_string_equal(said, "psl: error: there are no results to report\n");
  assert_int_equal(psl_run(psl, "test", &(struct psl_run_options){.trace = true}, &results), PSL_OK);
  assert_int_equal(psl_write_why(psl, results, NULL, drop, &size), PSL_MISUSE);
  assert_string_equal(said, "psl: error: the run was made without a record of causes\n");
  psl_drop(psl, results);
  assert_int_equal(psl_run(psl, "test", &(struct psl_run_options){.causes = 1000}, &results), PSL_OK);
  assert_int_equal(psl_write_trace(psl, results, drop, &size), PSL_MISUSE);
  assert_string_equal(said, "psl: error: the run was made without a trace\n");
  assert_int_equal(psl_write_why(psl, results, &(struct psl_why_options){.format = PSL_CSV}, drop, &size), PSL_MISUSE);
  assert_string_equal(said, "psl: error: causes are written as text or json, not as csv\n");
  assert_int_equal(size, 0);
  assert_int_equal(psl_write_why(psl, results, NULL, drop, &size), PSL_OK);
  assert_true(size > 0);
  psl_drop(psl, results);
  assert_int_equal(psl_run(psl, "test", &(struct psl_run_options){.causes = 2}, &results), PSL_STOPPED);
  assert_non_null(strstr(said, "error: what this run does has more than 2 causes, which is as many as are kept: end it "
                               "sooner, as --max-time does, or make the model smaller\n"));
  assert_int_equal(psl_run(psl, "test", NULL, &results), PSL_OK);
  psl_close(psl);
}

static void a_wrong_model_leaves_the_handle_usable(void **state) {
  (void)state;
  struct psl *psl = handle_open();
  const struct psl_results *results = NULL;
  const char *wrong = "let x = y;\n";
  assert_int_equal(psl_load_text(psl, "wrong", wrong, strlen(wrong)), PSL_WRONG);
  assert_true(psl_errors(psl) == 1);
  assert_int_not_equal(psl_run(psl, NULL, NULL, &results), PSL_OK);
  assert_int_equal(psl_load_text(psl, "model", model, strlen(model)), PSL_OK);
  assert_int_equal(psl_run(psl, "tset", NULL, &results), PSL_MISUSE);
  assert_string_equal(said, "psl: error: no system is named 'tset'\nhelp: did you mean 'test'?\n");
  assert_int_equal(psl_run(psl, "test", NULL, &results), PSL_OK);
  psl_close(psl);
}

static const char *edited;
static const char *edited_text(void *user, const char *path, size_t *size) {
  (void)user, (void)path;
  *size = strlen(edited);
  return edited;
}

/* An editor's question hushes what is said meanwhile; where it is broken off, what is said next is heard again. */
static void a_question_that_is_broken_off_leaves_the_handle_with_its_voice(void **state) {
  (void)state;
  const struct psl_match *matches;
  size_t count;
  struct psl *psl = psl_open(&(struct psl_options){
      .diagnostic = keep, .no_library = true, .unsaved = edited_text, .max_memory = (size_t)32 << 20});
  edited = "transaction begin();\n"
           "component c [i] : 0 <= i < 100000000 {\n"
           "  accepts:\n"
           "    profile     = { domain = application[test], number = i };\n"
           "    transaction = begin();\n"
           "    protocol    = dataflow;\n"
           "}\n"
           "system test {\n"
           "  requests:\n"
           "    every selector = { domain = application[test], number > 3 };\n"
           "    transaction = begin();\n"
           "    protocol    = dataflow;\n"
           "}\n";
  assert_int_equal(psl_edit_file(psl, "/edited.psl"), PSL_OK);
  assert_int_equal(psl_matches(psl, "/edited.psl", &matches, &count), PSL_MEMORY);
  edited = "param broken : ;\n";
  said[0] = '\0';
  assert_int_equal(psl_edit_file(psl, "/edited.psl"), PSL_WRONG);
  assert_true(strstr(said, "error: expected a type") != NULL);
  psl_close(psl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_caller_says_things_as_the_library_does),
      cmocka_unit_test(a_misspelt_word_has_a_nearest),
      cmocka_unit_test(params_are_written_in_each_format),
      cmocka_unit_test(nothing_is_done_without_a_model),
      cmocka_unit_test(a_trace_has_to_be_asked_for),
      cmocka_unit_test(causes_have_to_be_asked_for),
      cmocka_unit_test(a_wrong_model_leaves_the_handle_usable),
      cmocka_unit_test(a_question_that_is_broken_off_leaves_the_handle_with_its_voice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
