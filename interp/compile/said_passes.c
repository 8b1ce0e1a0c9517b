/* What --iterations says: how often loops are passed, as expressions of the modeller's. In a model each is a let or, of
 * the rank, a function, which names the option, so that an error of a run does; and each loop that goes by one tests
 * first that it is not below 0. Whoever can evaluate expressions is told them, to find what is wrong before that. */
#include "interp/compile/emit.h"

#include <stdlib.h>
#include <string.h>

/* One expression a line of the source: loops that one line has, as in functions that are put in line, go by the same.
 */
static bool say(struct program *program, struct said_passes *said, const char *given, const char *equals) {
  const char *colon = memchr(given, ':', (size_t)(equals - given));
  size_t length = colon ? (size_t)(colon - given) : 0;
  bool found = false;
  for (int l = 1; l < program->loop_count; l++) {
    struct loop *loop = &program->loops[l];
    if (!loop->there || loop->line != atoi(colon ? colon + 1 : given)) continue;
    const char *base = source_base(loop->file);
    if (colon && (strlen(base) != length || strncmp(base, given, length))) continue;
    found = true;
    loop->said = said;
  }
  return found;
}

void said_find(struct program *program) {
  const struct compile_options *options = program->options;
  for (size_t i = 0; i < options->iterations_count; i++) {
    const char *given = options->iterations[i], *equals = strchr(given, '=');
    struct said_passes *said = ROOM_ARRAY(program->room, struct said_passes, 1);
    if (!equals || !equals[1] || !say(program, said, given, equals)) {
      source_error(program, NULL, "--iterations jacobi.c:48=100; --report lists the loops",
                   "--iterations takes LINE=EXPRESSION or FILE:LINE=EXPRESSION of a loop, not '%s'", given);
      continue;
    }
    said->place = room_printf(program->room, "%.*s", (int)(equals - given), given);
    said->expression = equals + 1;
    ROOM_PUSH(program->room, program->said, program->said_count, program->said_capacity, said);
    inputs_assume(program, room_printf(program->room, "the loop at %s is passed %s times", said->place, equals + 1));
  }
}

/* Is the expression the same whatever the model is given? */
static bool is_fixed(const struct program *program, const char *expression) {
  bool fixed = !text_has_word(expression, "rank") && !text_has_word(expression, "ranks");
  for (size_t i = 0; i < program->input_count; i++)
    fixed &= !text_has_word(expression, program->inputs[i].name);
  return fixed;
}

static bool is_used(const struct program *program, const struct said_passes *said) {
  bool used = false;
  for (int l = 1; l < program->loop_count; l++)
    used |= program->loops[l].said == said && program->blocks[program->loops[l].header].reached;
  return used;
}

void said_emit(struct model *model, struct text *out) {
  struct program *program = model->program;
  for (size_t i = 0; i < program->said_count; i++) {
    struct said_passes *said = program->said[i];
    said->fixed = is_fixed(program, said->expression);
    said->text = said->fixed && !strpbrk(said->expression, " +-") ? said->expression
                                                                  : room_printf(model->room, "(%s)", said->expression);
    if (said->fixed || !is_used(program, said)) continue;
    const char *colon = strchr(said->place, ':'), *line = colon ? colon + 1 : said->place;
    const char *name = expression_name(model, room_printf(model->room, "passes_%d", atoi(line)));
    bool of_rank = text_has_word(said->expression, "rank");
    said->text = of_rank ? room_printf(model->room, "%s(rank)", name) : name;
    text_add(out, "/// How often a loop is passed, by --iterations %s=%s\n", said->place, said->expression);
    text_add(out, of_rank ? "function %s(rank : int) -> int = %s;\n" : "let %s : int = %s;\n", name, said->expression);
  }
}

void said_assert(const struct said_passes *said, struct text *out) {
  if (said && !said->fixed)
    text_add(out, "assert %s >= 0;  // --iterations %s=%s\n", said->text, said->place, said->expression);
}

void said_assert_within(const struct program *program, int nest, struct text *out) {
  for (size_t i = 0; i < program->said_count; i++) {
    bool within = false;
    for (int l = 1; l < program->loop_count; l++)
      within |= program->loops[l].said == program->said[i] && flow_in_loop(program, program->loops[l].header, nest);
    if (within) said_assert(program->said[i], out);
  }
}

const struct compile_said *compile_said(struct compilation *compilation, size_t *count, const char **names) {
  struct program *program = compilation->program;
  struct text declared = {.room = program->room};
  struct compile_said *all = ROOM_ARRAY(program->room, struct compile_said, program->said_count + program->value_count);
  for (size_t i = 0; i < program->input_count; i++)
    emit_input(program, &program->inputs[i], &declared);
  text_add(&declared, "param ranks : int = 4 in 1 .. 1_000_000;\nlet rank : int = 0;\n");
  *count = 0;
  for (size_t i = 0; i < program->said_count; i++) {
    const struct said_passes *said = program->said[i];
    all[(*count)++] = (struct compile_said){.option = room_printf(program->room, "--iterations %s", said->place),
                                            .expression = said->expression,
                                            .fixed = is_fixed(program, said->expression),
                                            .counts = true};
  }
  assumed_say(program, all, count, &declared);
  *names = declared.data;
  return all;
}
