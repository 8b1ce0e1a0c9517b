/* A session through the library: declarations on a text that was loaded, answers, what an error leaves, lack of
 * memory. */
#include "tests/unit/unit.h"

#include "interp/include/psl.h"
#include <stdio.h>
#include <string.h>

static char said[2000];

static void keep(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  snprintf(said, sizeof said, "%s", diagnostic->text);
}

static struct psl *session(size_t max_memory) {
  said[0] = '\0';
  return psl_open(&(struct psl_options){.diagnostic = keep, .no_library = true, .max_memory = max_memory});
}

static enum psl_code declare(struct psl *psl, const char *text) {
  return psl_declare(psl, "typed", 1, text, strlen(text));
}

static const struct psl_answer *ask(struct psl *psl, const char *text) {
  const struct psl_answer *answer = NULL;
  psl_evaluate(psl, "asked", 7, text, strlen(text), &answer);
  return answer;
}

static void a_model_grows(void **state) {
  (void)state;
  static const char model[] = "param n : int = 3;\nlet t = n * 2 s;\n";
  struct psl *psl = session(0);
  const char *setting;
  assert_int_equal(psl_load_text(psl, "model", model, strlen(model)), PSL_OK);
  assert_int_equal(psl_set(psl, "n", "4"), PSL_OK);
  assert_string_equal(ask(psl, "t")->text, "8 s");
  assert_int_equal(declare(psl, "let u = t / 4;"), PSL_OK);
  const struct psl_answer *answer = ask(psl, "[u, 1 s]");
  assert_string_equal(answer->text, "[2 s, 1 s]");
  assert_string_equal(answer->type, "[time]");
  assert_false(answer->is_number);
  answer = ask(psl, "u");
  assert_true(answer->is_number && answer->quantity.value > 1.999 && answer->quantity.value < 2.001);
  assert_string_equal(answer->quantity.unit, "s");
  assert_string_equal(answer->exact, "2 s");
  assert_int_equal(declare(psl, "let t = \"text\";"), PSL_WRONG); /* u divides it */
  assert_string_equal(ask(psl, "t")->text, "8 s");
  assert_int_equal(declare(psl, "param n : int = 5;"), PSL_OK); /* anew: what was set is gone */
  assert_string_equal(ask(psl, "t")->text, "10 s");
  assert_int_equal(psl_setting(psl, "n", &setting), PSL_OK);
  assert_null(setting);
  assert_null(ask(psl, "nothing"));
  assert_string_equal(said, "asked:7:1: error: unknown name 'nothing'\n   7 | nothing\n     | ^~~~~~~\n");
  assert_int_equal(psl_clear(psl), PSL_OK);
  assert_null(ask(psl, "t"));
  psl_close(psl);
}

static void memory_comes_back(void **state) {
  (void)state;
  struct psl *psl = session(4 << 20);
  const struct psl_answer *answer;
  static const char large[] = "[i in 1 .. 10000000 : i]";
  assert_int_equal(declare(psl, "let a = 3;"), PSL_OK);
  assert_int_equal(psl_evaluate(psl, "asked", 1, large, strlen(large), &answer), PSL_MEMORY);
  assert_string_equal(ask(psl, "a + 1")->text, "4");
  psl_close(psl);
}

static void inputs_end(void **state) {
  (void)state;
  struct psl *psl = session(0);
  struct psl_input input;
  assert_int_equal(psl_next_input(psl, "let a = 1; a + 1", 16, &input), PSL_OK);
  assert_int_equal(input.kind, PSL_INPUT_DECLARATIONS);
  assert_int_equal(input.size, 11);
  assert_int_equal(psl_next_input(psl, "a +\n1\n2", 7, &input), PSL_OK);
  assert_int_equal(input.kind, PSL_INPUT_EXPRESSION);
  assert_int_equal(input.size, 5);
  assert_int_equal(psl_next_input(psl, "let a = 1", 9, &input), PSL_OK);
  assert_true(input.kind == PSL_INPUT_MORE && input.declares && input.lacks_semicolon && !input.ends);
  assert_int_equal(psl_next_input(psl, "f(", 2, &input), PSL_OK);
  assert_true(input.kind == PSL_INPUT_MORE && !input.declares && input.open && !input.lacks_semicolon);
  assert_int_equal(psl_next_input(psl, "/* a", 4, &input), PSL_OK);
  assert_true(input.kind == PSL_INPUT_MORE && input.open);
  assert_int_equal(psl_next_input(psl, " // a\n", 6, &input), PSL_OK);
  assert_int_equal(input.kind, PSL_INPUT_NOTHING);
  psl_close(psl);
}

static void words_fit(void **state) {
  (void)state;
  struct psl *psl = session(0);
  const struct psl_completion *completion;
  assert_int_equal(declare(psl, "let alpha = 1; let alphabet = { first = 1, second = 2 s };"), PSL_OK);
  assert_int_equal(psl_complete(psl, "1 + alp", 7, &completion), PSL_OK);
  assert_int_equal(completion->begin, 4);
  assert_int_equal(completion->count, 2);
  assert_string_equal(completion->words[1], "alphabet");
  assert_int_equal(psl_complete(psl, "alphabet.s", 10, &completion), PSL_OK);
  assert_int_equal(completion->count, 1);
  assert_string_equal(completion->words[0], "alphabet.second");
  assert_int_equal(declare(psl,
                           "transaction go();\ncomponent stage [s] : 0 <= s < 3 { accepts: profile = { domain = d }; "
                           "transaction = go(); protocol = dataflow; body: record starved = 1 s; }"),
                   PSL_OK);
  assert_int_equal(psl_complete(psl, "report stage[1].st", 18, &completion), PSL_OK);
  assert_int_equal(completion->begin, 7);
  assert_int_equal(completion->count, 1);
  assert_string_equal(completion->words[0], "stage[1].starved");
  assert_int_equal(psl_complete(psl, "minimize stage.starved.ma", 25, &completion), PSL_OK);
  assert_int_equal(completion->count, 1);
  assert_string_equal(completion->words[0], "stage.starved.maximum");
  assert_int_equal(psl_complete(psl, "1 + stage.st", 12, &completion), PSL_OK);
  assert_int_equal(completion->count, 0);
  psl_close(psl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_grows),
      cmocka_unit_test(memory_comes_back),
      cmocka_unit_test(inputs_end),
      cmocka_unit_test(words_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
