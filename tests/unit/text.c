/* Texts: names, places in sources, numbers that read back, JSON, misspelt names, diagnostics. */
#include "tests/unit/unit.h"

#include "grammar/diagnostic.h"
#include "grammar/name.h"
#include "grammar/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void names_are_one_copy_each(void **state) {
  struct unit *unit = *state;
  struct names names = {0};
  names_open(&names, &unit->arena);
  const struct name *a = name_of(&names, "MPI-Sim"), *b = name_intern(&names, "MPI-Sim!", 7);
  assert_ptr_equal(a, b);
  assert_ptr_equal(a->folded, name_of(&names, "mpi-sim"));
  assert_ptr_equal(a->folded->folded, a->folded);
  assert_ptr_not_equal(a, name_of(&names, "MPI-sim"));
  char word[16];
  for (int i = 0; i < 20000; i++) { /* through many enlargements of the table */
    int length = snprintf(word, sizeof word, "name%d", i);
    const struct name *name = name_intern(&names, word, (size_t)length);
    assert_ptr_equal(names.by_id[name->id], name);
    assert_ptr_equal(name, name_of(&names, word));
  }
  assert_ptr_equal(a, name_of(&names, "MPI-Sim"));
}

static void places_count_characters(void **state) {
  struct unit *unit = *state;
  struct sources sources = {.arena = &unit->arena, .end = 1};
  const char *text = "one\n2 µs x\n\nlast";
  const struct source *first = source_add(&sources, "a/b.c/first.psl", "x", 1);
  const struct source *source = source_add(&sources, "dir/second.psl", text, strlen(text));
  assert_string_equal(first->name, "first");
  assert_string_equal(source->name, "second");
  assert_string_equal(source->path, "dir/second.psl");
  struct place place = source_place(&sources, source->base + (uint32_t)(strchr(text, 'x') - text));
  assert_ptr_equal(place.source, source);
  assert_int_equal(place.line, 2);
  assert_int_equal(place.column, 6);
  place = source_place(&sources, source->base + source->size); /* the end of the text */
  assert_int_equal(place.line, 4);
  assert_int_equal(place.column, 5);
  assert_ptr_equal(source_of(&sources, first->base), first);
  assert_null(source_of(&sources, 0));
  size_t length;
  assert_memory_equal(source_line(source, 2, &length), "2 µs x", 7);
  assert_int_equal(length, 7);
  source_line(source, 3, &length);
  assert_int_equal(length, 0);
  source_line(source, 4, &length);
  assert_int_equal(length, 4);
}

static void numbers_read_back(void **state) {
  struct unit *unit = *state;
  static const double values[] = {0, 1, -1, 0.1, 1.0 / 3, 23e-6, 1e300, 5e-324, 9007199254740993.0, 123456.789};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    struct text text = {.arena = &unit->arena};
    text_number(&text, values[i]);
    assert_true(strtod(text.data, NULL) == values[i]);
  }
  struct text text = {.arena = &unit->arena};
  text_number(&text, 0.1);
  assert_string_equal(text.data, "0.1");
}

static void json_is_escaped(void **state) {
  struct unit *unit = *state;
  struct text text = {.arena = &unit->arena};
  text_json(&text, "a\"b\\c\n\t\001µ");
  assert_string_equal(text.data, "\"a\\\"b\\\\c\\n\\t\\u0001µ\"");
}

static void misspelt_names_find_the_nearest(void **state) {
  (void)state;
  static const char *const names[] = {"iterations", "px", "py", "handshake-terms", "comm", "I"};
  size_t count = sizeof names / sizeof *names;
  assert_string_equal(nearest_name("iteratoins", names, count), "iterations"); /* letters exchanged */
  assert_string_equal(nearest_name("Iterations", names, count), "iterations"); /* case is no distance */
  assert_string_equal(nearest_name("handshake-term", names, count), "handshake-terms");
  assert_string_equal(nearest_name("px2", names, count), "px");
  assert_string_equal(nearest_name("pz", names, count), "px"); /* the first of equals */
  assert_null(nearest_name("quicksort", names, count));
  assert_null(nearest_name("z", names, count));
  assert_null(nearest_name("", names, count));
  char many[1000];
  memset(many, 'a', sizeof many - 1);
  many[sizeof many - 1] = 0;
  assert_null(nearest_name(many, names, count));
}

/* ---- diagnostics ---- */

struct rendered {
  struct unit *unit;
  enum diagnostic_format format;
  struct text text;
};

static void render(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct rendered *rendered = user;
  text_put(&rendered->text, diagnostic_render(&rendered->unit->arena, sources, diagnostic, rendered->format, false));
}

/* One error with a note and a help, one warning without a place. */
static const char *say(struct unit *unit, enum diagnostic_format format) {
  struct sources sources = {.arena = &unit->arena, .end = 1};
  const char *text = "param µ : time = 3;\n\tlet b = µ + 1;\n";
  const struct source *source = source_add(&sources, "m.psl", text, strlen(text));
  struct rendered rendered = {unit, format, {.arena = &unit->arena}};
  struct diagnostics d = {.sources = &sources, .sink = render, .user = &rendered};
  arena_open(&d.arena, &unit->memory);
  uint32_t b = source->base + (uint32_t)(strstr(text, "µ + 1") - text);
  diagnostic_add(&d, SEVERITY_ERROR, (struct span){b, b + 6}, "%s to %s", "time", "a number");
  diagnostic_note(&d, (struct span){source->base + 6, source->base + 8}, "declared here");
  diagnostic_help(&d, (struct span){0}, "write 1 s");
  diagnostic_add(&d, SEVERITY_WARNING, (struct span){0}, "nothing to do");
  diagnostic_flush(&d);
  assert_int_equal(d.errors, 1);
  assert_int_equal(d.warnings, 1);
  arena_close(&d.arena);
  return rendered.text.data;
}

static void diagnostics_show_the_line(void **state) {
  assert_string_equal(say(*state, DIAGNOSTIC_FULL), "m.psl:2:10: error: time to a number\n"
                                                    "   2 | \tlet b = µ + 1;\n"
                                                    "     | \t        ^~~~~\n"
                                                    "m.psl:1:7: note: declared here\n"
                                                    "   1 | param µ : time = 3;\n"
                                                    "     |       ^\n"
                                                    "help: write 1 s\n"
                                                    "psl: warning: nothing to do\n");
}

static void diagnostics_in_one_line(void **state) {
  assert_string_equal(say(*state, DIAGNOSTIC_SHORT), "m.psl:2:10: error: time to a number\n"
                                                     "psl: warning: nothing to do\n");
}

static void diagnostics_as_json(void **state) {
  assert_string_equal(
      say(*state, DIAGNOSTIC_JSON),
      "{\"severity\":\"error\",\"message\":\"time to a number\",\"file\":\"m.psl\",\"line\":2,\"column\":10,"
      "\"endLine\":2,\"endColumn\":15,\"notes\":[{\"severity\":\"note\",\"message\":\"declared here\","
      "\"file\":\"m.psl\",\"line\":1,\"column\":7,\"endLine\":1,\"endColumn\":8},"
      "{\"severity\":\"help\",\"message\":\"write 1 s\"}]}\n"
      "{\"severity\":\"warning\",\"message\":\"nothing to do\",\"notes\":[]}\n");
}

static void errors_beyond_the_limit_are_counted(void **state) {
  struct unit *unit = *state;
  struct sources sources = {.arena = &unit->arena, .end = 1};
  struct rendered rendered = {unit, DIAGNOSTIC_SHORT, {.arena = &unit->arena}};
  struct diagnostics d = {.sources = &sources, .sink = render, .user = &rendered, .limit = 2};
  arena_open(&d.arena, &unit->memory);
  for (int i = 0; i < 5; i++)
    diagnostic_add(&d, SEVERITY_ERROR, (struct span){0}, "%d", i);
  diagnostic_flush(&d);
  assert_string_equal(rendered.text.data, "psl: error: 0\npsl: error: 1\npsl: error: too many errors\n");
  assert_int_equal(d.errors, 5);
  arena_close(&d.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(names_are_one_copy_each),
      UNIT_TEST(places_count_characters),
      UNIT_TEST(numbers_read_back),
      UNIT_TEST(json_is_escaped),
      UNIT_TEST(misspelt_names_find_the_nearest),
      UNIT_TEST(diagnostics_show_the_line),
      UNIT_TEST(diagnostics_in_one_line),
      UNIT_TEST(diagnostics_as_json),
      UNIT_TEST(errors_beyond_the_limit_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
