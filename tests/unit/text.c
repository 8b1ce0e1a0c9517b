/* Texts: names, places in sources, numbers that read back, JSON, misspelt names, diagnostics. */
#include "tests/unit/unit.h"

#include "grammar/characters.h"
#include "grammar/diagnostic.h"
#include "grammar/digits.h"
#include "grammar/name.h"
#include "grammar/text.h"
#include <math.h>
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

static void refused_characters_are_found_anywhere(void **state) {
  (void)state;
  static const char bad[] = {1, 0x1f, 0x7f, (char)0xff};
  char text[24];
  for (size_t at = 0; at < sizeof text; at++)
    for (size_t k = 0; k < sizeof bad; k++) {
      memset(text, k & 1 ? '~' : ' ', sizeof text);
      assert_int_equal(characters_refused(text, sizeof text, true), sizeof text);
      text[at] = bad[k];
      assert_int_equal(characters_refused(text, sizeof text, true), at);
    }
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

/* What printf gives, of which the digits here are found without it. */
static void assert_digits(double value) {
  char expected[64], digits[DIGITS_ROOM];
  for (int step = 1; step <= 2; step++) {
    int length = 0;
    for (int precision = 15; precision <= 17; precision += step) {
      length = sprintf(expected, "%.*g", precision, value);
      if (strtod(expected, NULL) == value) break;
    }
    if (value == floor(value) && fabs(value) < 1e15) length = sprintf(expected, "%.0f", value);
    assert_int_equal(digits_put(digits, value, step), length);
    assert_string_equal(digits, expected);
  }
}

static void digits_are_those_of_printf(void **state) {
  (void)state;
  static const double values[] = {0.5, 2.5, 1e15, 1e15 - 0.125, 0.0001, 0.00001, 9.5367431640625e-07, 1e-20, 3e200};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int next = -1; next <= 1; next++)
      assert_digits(next ? nextafter(values[i], next * 1e300) : values[i]);
  assert_digits(-0.0);
  uint64_t bits = 88172645463325252u;
  for (int i = 0; i < 100000; i++) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    assert_digits(ldexp((double)(bits >> 11), -(i % 125)));                    /* any digits */
    assert_digits((double)(bits % 1000003) * 1e-3);                            /* few of 10 */
    assert_digits(-ldexp((double)(bits >> (20 + i % 40)), -(int)(bits % 70))); /* few of 2: ties */
  }
}

static void json_is_escaped(void **state) {
  struct unit *unit = *state;
  struct text text = {.arena = &unit->arena};
  text_json(&text, "a\"b\\c\n\t\001µ");
  assert_string_equal(text.data, "\"a\\\"b\\\\c\\n\\t\\u0001µ\"");
}

/* As RFC 3629 has it, made apart from the reader. */
static size_t encode(uint32_t code, char out[4]) {
  static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
  size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length; i-- > 1; code >>= 6)
    out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(first[length] | code);
  return length;
}

static void characters_are_utf_8(void **state) {
  (void)state;
  char text[4];
  for (uint32_t code = 0; code < 0x200000; code++) {
    uint32_t found = 0;
    bool is = code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff);
    size_t length = encode(code, text);
    assert_int_equal(character_read(text, length, &found), is ? length : 0);
    if (is) assert_int_equal(found, code);
    for (size_t cut = 1; cut < length; cut++)
      assert_int_equal(character_read(text, cut, &found), 0);
    for (size_t i = 1; i < length; i++) { /* a byte that does not go on */
      char kept = text[i];
      text[i] = (char)(kept ^ 0x40);
      assert_int_equal(character_read(text, length, &found), 0);
      text[i] = kept;
    }
  }
  static const char *const longer[] = {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                                       "\xf8\x88\x80\x80\x80"};
  for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
    assert_int_equal(character_read(longer[i], strlen(longer[i]), &(uint32_t){0}), 0);
}

static void texts_are_shown(void **state) {
  struct unit *unit = *state;
  struct text line = {.arena = &unit->arena}, json = line, markup = line;
  const char *text = "a\t<\033[1m>\r\n\"é\" \xc2\x85\xe2\x80\xae\xff\xed\xa0\x80";
  text_line(&line, text);
  assert_string_equal(line.data, "a\\t<\\u{1b}[1m>\\u{d}\\n\"é\" \\u{85}\\u{202e}\\x{ff}\\x{ed}\\x{a0}\\x{80}");
  text_json(&json, text);
  assert_string_equal(json.data, "\"a\\t<\\u001b[1m>\\u000d\\n\\\"é\\\" \\u0085\\u202e\\ufffd\\ufffd\\ufffd\\ufffd\"");
  text_markup(&markup, text);
  assert_string_equal(markup.data, "a\t&lt;\\u{1b}[1m&gt;\\u{d}\n&quot;é&quot; "
                                   "\\u{85}\\u{202e}\\x{ff}\\x{ed}\\x{a0}\\x{80}");
  assert_int_equal(characters_width("aé漢字e\xcc\x81🙂", strlen("aé漢字e\xcc\x81🙂")), 9);
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
  text_put(&rendered->text, diagnostic_render(&rendered->unit->arena, sources, diagnostic, rendered->format, false, 0));
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

static void messages_are_alike_but_for_numbers(void **state) {
  (void)state;
  assert_true(text_alike("", ""));
  assert_true(text_alike("each second brings 1.05 s of work", "each second brings 2 s of work"));
  assert_true(text_alike("takes 999.5 us, 1,234 times", "takes 1.5e-06 ms, 7 times"));
  assert_true(text_alike("sends 10 kB", "sends 2 MB"));
  assert_true(text_alike("rank[3] waits (m.psl:8)", "rank[12] waits (m.psl:8)"));
  assert_false(text_alike("rank[3] waits (m.psl:8)", "rank[3] waits (m.psl:4)"));
  assert_false(text_alike("rank[3] waits (m.psl:11)", "rank[3] waits (m.psl:12)"));
  assert_false(text_alike("disk11 is saturated", "disk12 is saturated"));
  assert_false(text_alike("disk1 is saturated", "disk2 is saturated"));
  assert_false(text_alike("takes 5 s", "takes 5 s more"));
  assert_false(text_alike("takes 5 messages", "takes 5 essages"));
  assert_false(text_alike("7", ""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(names_are_one_copy_each),
      UNIT_TEST(refused_characters_are_found_anywhere),
      UNIT_TEST(places_count_characters),
      UNIT_TEST(numbers_read_back),
      UNIT_TEST(digits_are_those_of_printf),
      UNIT_TEST(json_is_escaped),
      UNIT_TEST(characters_are_utf_8),
      UNIT_TEST(texts_are_shown),
      UNIT_TEST(messages_are_alike_but_for_numbers),
      UNIT_TEST(misspelt_names_find_the_nearest),
      UNIT_TEST(diagnostics_show_the_line),
      UNIT_TEST(diagnostics_in_one_line),
      UNIT_TEST(diagnostics_as_json),
      UNIT_TEST(errors_beyond_the_limit_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
