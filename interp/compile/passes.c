/* What --iterations says of a loop, for a sliced program, which computes it when it runs: whole numbers, arguments of
 * the program and the number of ranks, by operators and functions of PSL. It becomes a text of words, commas between
 * them, the operands before their operator, which evaluators/programs/sliced/runtime.c reads. */
#include "interp/compile/emit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  const struct program *program;
  const char *at;
  struct text *out;
  const char *wrong; /* NULL: nothing yet */
  int depth;
};

static void put(struct reading *r, const char *word) { text_add(r->out, "%s%s", r->out->data ? "," : "", word); }

static bool takes(struct reading *r, const char *token) {
  r->at += strspn(r->at, " ");
  size_t length = strlen(token);
  if (strncmp(r->at, token, length) != 0) return false;
  if (isalpha((unsigned char)*token) && (isalnum((unsigned char)r->at[length]) || strchr("_-", r->at[length])) &&
      r->at[length])
    return false;
  r->at += length;
  return true;
}

static void sum(struct reading *r);

static void expect(struct reading *r, const char *token) {
  if (!takes(r, token) && !r->wrong) r->wrong = room_printf(r->program->room, "there is no '%s'", token);
}

static void number(struct reading *r) {
  char digits[20];
  size_t count = 0;
  for (; isdigit((unsigned char)*r->at) || *r->at == '_'; r->at++) {
    if (*r->at != '_' && count + 2 < sizeof digits) digits[count++] = *r->at;
  }
  digits[count] = '\0';
  if (*r->at == '.' || isalpha((unsigned char)*r->at)) r->wrong = "it has a number that is not whole";
  put(r, digits);
}

/* An argument, by its place, with what it is where it is not given; or the ranks. */
static void name(struct reading *r) {
  size_t length = 0;
  while (isalnum((unsigned char)r->at[length]) || (r->at[length] && strchr("_-", r->at[length])))
    length++;
  const char *word = room_printf(r->program->room, "%.*s", (int)length, r->at);
  r->at += length;
  if (!strcmp(word, "ranks")) {
    put(r, "ranks");
    return;
  }
  for (size_t i = 0; i < r->program->input_count; i++) {
    const struct input *input = &r->program->inputs[i];
    long place;
    if (strcmp(input->name, word) != 0) continue;
    if (sscanf(input->what, "argument %ld", &place) != 1) break;
    long usual = input->initial && input->initial->kind == VALUE_INT ? input->initial->number : 1;
    put(r, room_printf(r->program->room, "argument:%ld:%ld", place, usual));
    return;
  }
  if (!r->wrong)
    r->wrong =
        room_printf(r->program->room, *word ? "'%s' is no argument of the program" : "something is missing", word);
}

static void factor(struct reading *r) {
  if (++r->depth > 100) r->wrong = "its parentheses are too deep";
  if (r->wrong) return;
  const char *functions[] = {"min", "max"};
  r->at += strspn(r->at, " ");
  for (size_t f = 0; f < 2; f++) {
    if (!takes(r, functions[f])) continue;
    expect(r, "(");
    sum(r);
    expect(r, ",");
    sum(r);
    expect(r, ")");
    put(r, functions[f]);
    r->depth--;
    return;
  }
  if (takes(r, "(")) {
    sum(r);
    expect(r, ")");
  } else if (takes(r, "-")) {
    put(r, "0");
    factor(r);
    put(r, "-");
  } else if (isdigit((unsigned char)*r->at)) {
    number(r);
  } else {
    name(r);
  }
  r->depth--;
}

static void product(struct reading *r) {
  const char *operators[] = {"*", "div", "mod"};
  factor(r);
  for (size_t o = 0; o < 3 && !r->wrong; o++) {
    if (!takes(r, operators[o])) continue;
    factor(r);
    put(r, operators[o]);
    o = (size_t)-1;
  }
}

static void sum(struct reading *r) {
  product(r);
  while (!r->wrong) {
    const char *operator= takes(r, "+") ? "+" : takes(r, "-") ? "-" : NULL;
    if (!operator) return;
    product(r);
    put(r, operator);
  }
}

const char *passes_text(const struct program *program, const char *expression, const char **wrong) {
  struct text out = {.room = program->room};
  struct reading reading = {.program = program, .at = expression, .out = &out};
  sum(&reading);
  reading.at += strspn(reading.at, " ");
  if (*reading.at && !reading.wrong) reading.wrong = room_printf(program->room, "'%s' is not understood", reading.at);
  *wrong = reading.wrong;
  return reading.wrong ? NULL : out.data;
}
