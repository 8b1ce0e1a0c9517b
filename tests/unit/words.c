/* The table of words: sorted, as it is searched, each found by its text alone and with help. */
#include "tests/unit/unit.h"

#include "grammar/name.h"
#include "grammar/words.h"
#include "psl.tab.h"
#include <string.h>
#include <strings.h>

static void words_are_sorted_and_found(void **state) {
  (void)state;
  for (const struct word *word = psl_words; word->text; word++) {
    const struct word *found = word_find(word->text, strlen(word->text));
    assert_true(found == (word->token == TOKEN_NAME ? NULL : word));
    assert_true(*word->form && *word->meaning);
    if (word->token != TOKEN_NAME) assert_true(word_is_by_place(word->token) == (word->class == WORD_BY_PLACE));
    if (word > psl_words) assert_true(strcasecmp(word[-1].text, word->text) < 0);
  }
}

static void case_matters_for_some(void **state) {
  (void)state;
  assert_int_equal(word_find("Domain", 6)->token, TOKEN_DOMAIN);
  assert_null(word_find("Param", 5));
  assert_null(word_find("para", 4));
  assert_true(word_is_reserved("Accepts", 7));
  assert_false(word_is_reserved("report", 6));
  assert_true(word_is_by_place(TOKEN_REPORT));
  assert_false(word_is_by_place(TOKEN_NAME));
}

static void known_names_have_their_numbers(void **state) {
  (void)state;
  struct memory memory = {0};
  struct arena arena;
  struct names names;
  arena_open(&arena, &memory);
  names_open(&names, &arena);
#define KNOWN(name, word) assert_string_equal(name_known(&names, KNOWN_##name)->text, word);
#include "grammar/known.def"
  assert_true(name_is(name_of(&names, "firing-rule"), KNOWN_FIRING_RULE));
  assert_true(name_is(name_of(&names, "Priority")->folded, KNOWN_PRIORITY));
  assert_false(name_is(name_of(&names, "another"), KNOWN_PRIORITY));
  arena_close(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_sorted_and_found),
      cmocka_unit_test(case_matters_for_some),
      cmocka_unit_test(known_names_have_their_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
