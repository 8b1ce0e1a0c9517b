/* What the modeller says that calls give a variable, by --assume 'VARIABLE = EXPRESSION': where that decides, the call
 * sets the variable of the model to the expression, and its data are not asked for. */
#include "interp/compile/body.h"

#include <string.h>

/* The variable's name, without the [k] of a list. */
static const char *variable_of(struct room *room, const char *given, size_t length) {
  while (length && given[length - 1] == ' ')
    length--;
  if (length > 3 && !strncmp(given + length - 3, "[k]", 3)) length -= 3;
  return room_printf(room, "%.*s", (int)length, given);
}

bool assumed_take(struct program *program, const char *given) {
  const char *equals = strchr(given, '=');
  if (!equals || equals[1] == '=' || equals == given) return false;
  const char *expression = equals + 1 + strspn(equals + 1, " "),
             *name = variable_of(program->room, given, (size_t)(equals - given));
  if (!*expression || !*name) return false;
  struct assumed_value value = {.name = name, .expression = expression, .given = given};
  ROOM_PUSH(program->room, program->values, program->value_count, program->value_capacity, value);
  return true;
}

static struct assumed_value *find(const struct program *program, const char *name) {
  for (size_t i = 0; name && *name && i < program->value_count; i++)
    if (!strcmp(program->values[i].name, name)) return &program->values[i];
  return NULL;
}

static struct assumed_value *value_of(const struct program *program, const struct reference *memory) {
  if (!memory || !memory->decl || !memory->name) return NULL;
  struct assumed_value *value = find(program, memory->name);
  const char *dot = !value && memory->path ? strrchr(memory->path, '.') : NULL;
  return dot ? find(program, room_printf(program->room, "%.*s", (int)strcspn(dot + 1, "["), dot + 1)) : value;
}

static void use(struct program *program, struct assumed_value *value, const struct statement *call) {
  value->used = true;
  const char *words = room_printf(program->room, "what %s gives %s at %s:%d is %s", call->call, value->name,
                                  source_base(call->file), call->line, value->expression);
  for (size_t i = 0; i < program->assumed_count; i++)
    if (!strcmp(program->assumed[i], words)) return;
  ROOM_PUSH(program->room, program->assumed, program->assumed_count, program->assumed_capacity, words);
}

bool assumed_gives(struct program *program, struct statement *call, const struct reference *memory) {
  if (call->kind != STATEMENT_CALL || call->input >= 0) return false;
  struct assumed_value *value = value_of(program, memory);
  if (!value) return false;
  use(program, value, call);
  for (size_t i = 0; i < call->given_count; i++)
    if (call->given[i].value == value && call->given[i].memory->decl == memory->decl) return true;
  struct given given = {.memory = memory, .value = value};
  ROOM_PUSH(program->room, call->given, call->given_count, call->given_capacity, given);
  return true;
}

const char *assumed_returned(struct program *program, const struct statement *call) {
  if (call->def < 0) return NULL;
  struct assumed_value *value = find(program, source_field(program->names[call->def].name));
  if (!value) return NULL;
  use(program, value, call);
  return value->expression;
}

void assumed_check(struct program *program) {
  for (size_t i = 0; i < program->value_count; i++)
    if (!program->values[i].used)
      source_error(program, NULL, "what may be given is a variable by which a model is refused",
                   "--assume '%s': no call gives '%s' what decides about messages or loops", program->values[i].given,
                   program->values[i].name);
}

/* The expression, in which the variable is what it was before. */
static const char *with_cell(struct room *room, const struct assumed_value *value, const char *cell) {
  struct text text = {.room = room};
  size_t length = strlen(value->name);
  const char *at = value->expression;
  for (const char *found; (found = text_find_word(at, value->name)); at = found + length)
    text_add(&text, "%.*s%s", (int)(found - at), at, cell);
  text_add(&text, "%s", at);
  return text.data;
}

void assumed_emit(struct body *body, struct text *out, const struct statement *call) {
  for (size_t i = 0; i < call->given_count; i++) {
    struct reference place = *call->given[i].memory;
    if (place.index) {
      place.index = NULL;
      place.path = room_printf(body->room, "%.*s[0]", (int)(strrchr(place.path, '[') - place.path), place.path);
    }
    const char *cell = expression_cell(body->model, &place), *open = strrchr(cell, '[');
    const struct assumed_value *value = call->given[i].value;
    const char *where =
        room_printf(body->room, "  // %s:%d, --assume '%s'", source_base(call->file), call->line, value->given);
    if (!open) {
      text_add(out, "%s = %s;%s\n", cell, with_cell(body->room, value, cell), where);
      continue;
    }
    const char *list = room_printf(body->room, "%.*s", (int)(open - cell), cell);
    text_add(out, "%s = [k in 0 .. length(%s) - 1 : %s];%s\n", list, list, with_cell(body->room, value, list), where);
  }
}

void assumed_say(const struct program *program, struct compile_said *all, size_t *count, struct text *declared) {
  static const char *const everywhere[] = {"k", "rank", "ranks"}; /* declared whatever is assumed */
  if (program->value_count) text_add(declared, "let k : int = 0;\n");
  for (size_t i = 0; i < program->value_count; i++) {
    const struct assumed_value *value = &program->values[i];
    bool declared_before = false;
    for (size_t n = 0; n < sizeof everywhere / sizeof *everywhere; n++)
      declared_before |= !strcmp(everywhere[n], value->name);
    for (size_t n = 0; n < program->input_count; n++)
      declared_before |= !strcmp(program->inputs[n].name, value->name);
    for (size_t n = 0; n < i; n++)
      declared_before |= !strcmp(program->values[n].name, value->name);
    if (!declared_before) text_add(declared, "let %s : int = 0;\n", value->name);
    all[(*count)++] =
        (struct compile_said){.option = room_printf(program->room, "--assume '%.*s'",
                                                    (int)(strchr(value->given, '=') - value->given), value->given),
                              .expression = value->expression,
                              .fixed = false};
  }
}
