/* Reads the facts of a program that the plugin has written, and holds its errors. */
#include "interp/compile/mpi_program.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct value *read_value(struct program *program, json_t *json);

static const char *word(struct program *program, json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  char *copy = text ? room_copy(program->room, text) : NULL;
  for (char *at = copy; at && *at; at++) /* what a name of a file may have would end a comment */
    if ((unsigned char)*at < ' ') *at = '?';
  return copy;
}

static long number(json_t *object, const char *name, long other) {
  json_t *value = json_object_get(object, name);
  return json_is_integer(value) ? (long)json_integer_value(value) : other;
}

static char letter(json_t *json) { return json_is_string(json) ? *json_string_value(json) : 'o'; }

static struct reference *read_reference(struct program *program, json_t *json) {
  struct reference *reference = ROOM_ARRAY(program->room, struct reference, 1);
  *reference = (struct reference){
      .type = letter(json_object_get(json, "type")),
      .size = number(json, "size", 0),
      .offset = number(json, "offset", 0),
      .scale = number(json, "scale", 0),
      .length = number(json, "length", 0),
      .stride = number(json, "stride", 0),
      .decl = (unsigned)number(json, "decl", 0),
      .name = word(program, json, "name"),
      .path = word(program, json, "path"),
      .parameter = (int)number(json, "parameter", -1),
      .is_static = json_is_true(json_object_get(json, "static")),
      .odd = json_is_true(json_object_get(json, "odd")),
      .constant = json_is_true(json_object_get(json, "constant")),
      .zeros = json_is_true(json_object_get(json, "zeros")),
      .pointer = read_value(program, json_object_get(json, "pointer")),
      .index = read_value(program, json_object_get(json, "index")),
      .initial = read_value(program, json_object_get(json, "initial")),
  };
  json_t *elements = json_object_get(json, "elements");
  reference->element_count = json_array_size(elements);
  reference->elements = ROOM_ARRAY(program->room, struct value *, reference->element_count);
  for (size_t i = 0; i < reference->element_count; i++)
    reference->elements[i] = read_value(program, json_array_get(elements, i));
  return reference;
}

static struct value *read_value(struct program *program, json_t *json) {
  if (!json_is_array(json)) return NULL;
  struct value *value = ROOM_ARRAY(program->room, struct value, 1);
  const char *kind = json_string_value(json_array_get(json, 0));
  json_t *first = json_array_get(json, 1);
  value->type = 'o';
  value->kind = VALUE_OTHER;
  if (!strcmp(kind, "ssa")) {
    value->kind = VALUE_SSA;
    value->ssa = (unsigned)json_integer_value(first);
  } else if (!strcmp(kind, "whole")) {
    value->kind = VALUE_INT;
    value->number = (long)json_integer_value(first);
  } else if (!strcmp(kind, "floating")) {
    value->kind = VALUE_REAL;
    value->text = room_copy(program->room, json_string_value(first));
  } else if (!strcmp(kind, "address") || !strcmp(kind, "memory")) {
    value->kind = *kind == 'a' ? VALUE_ADDRESS : VALUE_MEMORY;
    value->memory = read_reference(program, first);
  } else if (!strcmp(kind, "other")) {
    value->text = room_copy(program->room, json_string_value(first));
  } else if (!strcmp(kind, "op")) {
    value->kind = VALUE_OP;
    value->text = room_copy(program->room, json_string_value(first));
    value->type = letter(json_array_get(json, 2));
    value->width = (unsigned)json_integer_value(json_array_get(json, 3));
    value->count = json_array_size(json) - 4;
    value->arguments = ROOM_ARRAY(program->room, struct value *, value->count);
    for (size_t i = 0; i < value->count; i++)
      value->arguments[i] = read_value(program, json_array_get(json, i + 4));
  }
  return value;
}

static void read_sources(struct program *program, json_t *json, struct argument *argument) {
  json_t *from = json_object_get(json, "from");
  argument->from_count = json_array_size(from);
  argument->from = ROOM_ARRAY(program->room, unsigned, argument->from_count);
  for (size_t i = 0; i < argument->from_count; i++)
    argument->from[i] = (unsigned)json_integer_value(json_array_get(from, i));
  argument->entry = json_is_true(json_object_get(json, "entry"));
}

static void read_arguments(struct program *program, struct statement *statement, json_t *json) {
  statement->argument_count = json_array_size(json);
  statement->arguments = ROOM_ARRAY(program->room, struct argument, statement->argument_count);
  for (size_t i = 0; i < statement->argument_count; i++) {
    json_t *argument = json_array_get(json, i);
    statement->arguments[i].value = read_value(program, json_object_get(argument, "value"));
    statement->arguments[i].block = (int)number(argument, "block", -1);
    read_sources(program, argument, &statement->arguments[i]);
  }
}

/* Fortran gives the addresses of what C gives. */
static void take_contents(struct program *program, struct statement *call) {
  for (size_t i = 0; i < call->argument_count && call->mpi->roles[i]; i++) {
    struct value *given = call->arguments[i].value;
    given = (struct value *)source_address(program, given);
    if (!strchr("nTpgCrqd", call->mpi->roles[i]) || !given) continue;
    if (call->mpi->roles[i] == 'q' || (call->mpi->roles[i] == 'd' && i == 2)) continue;
    struct value *content = ROOM_ARRAY(program->room, struct value, 1);
    *content = (struct value){.kind = VALUE_MEMORY, .memory = given->memory, .type = 'i'};
    call->arguments[i].value = given->memory->constant && given->memory->initial ? given->memory->initial : content;
  }
}

static struct statement *read_statement(struct program *program, int block, json_t *json, bool phi) {
  struct statement *statement = ROOM_ARRAY(program->room, struct statement, 1);
  json_t *value = json_object_get(json, "value"), *store = json_object_get(json, "store");
  json_t *condition = json_object_get(json, "condition"), *choice = json_object_get(json, "switch");
  *statement = (struct statement){
      .kind = phi                               ? STATEMENT_PHI
              : json_object_get(json, "call")   ? STATEMENT_CALL
              : store                           ? STATEMENT_STORE
              : value                           ? STATEMENT_ASSIGN
              : condition                       ? STATEMENT_CONDITION
              : choice                          ? STATEMENT_SWITCH
              : json_object_get(json, "return") ? STATEMENT_RETURN
                                                : STATEMENT_OTHER,
      .id = (unsigned)number(json, "id", 0),
      .block = block,
      .function = word(program, json, "function"),
      .file = word(program, json, "file"),
      .line = (int)number(json, "line", 0),
      .column = (int)number(json, "column", 0),
      .def = (int)number(json, "def", -1),
      .call = word(program, json, "call"),
      .noreturn = json_is_true(json_object_get(json, "noreturn")),
      .defined = json_is_true(json_object_get(json, "defined")),
      .foreign = json_is_true(json_object_get(json, "foreign")),
      .pure = json_is_true(json_object_get(json, "pure")),
      .operation = word(program, json, "count"),
      .input = -1,
      .value = read_value(program, value       ? value
                                   : condition ? condition
                                               : choice),
      .to = store ? read_reference(program, store) : NULL,
  };
  read_arguments(program, statement, json_object_get(json, "arguments"));
  read_sources(program, json, &statement->load);
  if (statement->call) statement->mpi = mpi_call_find(statement->call);
  if (statement->id < program->id_count) program->by_id[statement->id] = statement;
  if (statement->def >= 0 && (unsigned)statement->def < program->name_count)
    program->names[statement->def].def = statement;
  return statement;
}

static void read_block(struct program *program, json_t *json) {
  int index = (int)number(json, "block", 0);
  struct block *block = &program->blocks[index];
  block->there = true;
  block->loop = (int)number(json, "loop", 0);
  json_t *to = json_object_get(json, "to"), *phis = json_object_get(json, "phis");
  json_t *statements = json_object_get(json, "statements");
  block->many = json_array_size(to) > 2;
  block->ways = ROOM_ARRAY(program->room, struct way, json_array_size(to));
  for (size_t i = 0; i < json_array_size(to); i++) {
    json_t *way = json_array_get(to, i);
    const char *when = json_string_value(json_object_get(way, "when"));
    block->ways[block->way_count++] = (struct way){
        .to = (int)number(way, "block", 0),
        .when = !strcmp(when, "true")    ? WAY_TRUE
                : !strcmp(when, "false") ? WAY_FALSE
                : !strcmp(when, "odd")   ? WAY_ODD
                                         : WAY_ALWAYS,
    };
    json_t *cases = json_object_get(way, "cases");
    struct way *last = &block->ways[block->way_count - 1];
    last->case_count = json_array_size(cases);
    last->cases = ROOM_ARRAY(program->room, struct value *, 2 * last->case_count);
    for (size_t k = 0; k < 2 * last->case_count; k++)
      last->cases[k] = read_value(program, json_array_get(json_array_get(cases, k / 2), k % 2));
  }
  block->count = json_array_size(phis) + json_array_size(statements);
  block->statements = ROOM_ARRAY(program->room, struct statement *, block->count);
  size_t at = 0;
  for (size_t i = 0; i < json_array_size(phis); i++)
    block->statements[at++] = read_statement(program, index, json_array_get(phis, i), true);
  for (size_t i = 0; i < json_array_size(statements); i++)
    block->statements[at++] = read_statement(program, index, json_array_get(statements, i), false);
}

static struct induction read_induction(struct program *program, json_t *json) {
  return (struct induction){
      .known = json_is_object(json),
      .base = read_value(program, json_object_get(json, "base")),
      .step = read_value(program, json_object_get(json, "step")),
      .factor = number(json, "factor", 0),
  };
}

static void read_loop(struct program *program, json_t *json) {
  struct loop *loop = &program->loops[number(json, "loop", 0)];
  json_t *exits = json_object_get(json, "exits"), *counters = json_object_get(json, "counters");
  *loop = (struct loop){
      .there = true,
      .header = (int)number(json, "header", 0),
      .latch = (int)number(json, "latch", -1),
      .outer = (int)number(json, "outer", 0),
      .file = word(program, json, "file"),
      .line = (int)number(json, "line", 0),
      .column = (int)number(json, "column", 0),
      .exit_count = json_array_size(exits),
      .counter_count = json_array_size(counters),
  };
  loop->exits = ROOM_ARRAY(program->room, struct loop_exit, loop->exit_count);
  loop->counters = ROOM_ARRAY(program->room, struct counter, loop->counter_count);
  for (size_t i = 0; i < loop->exit_count; i++) {
    json_t *way = json_array_get(exits, i);
    loop->exits[i] = (struct loop_exit){
        .from = (int)number(way, "from", 0),
        .to = (int)number(way, "to", 0),
        .stays = word(program, way, "while"),
        .left = read_induction(program, json_object_get(way, "left")),
        .right = read_induction(program, json_object_get(way, "right")),
    };
  }
  for (size_t i = 0; i < loop->counter_count; i++) {
    json_t *counter = json_array_get(counters, i);
    loop->counters[i] = (struct counter){.ssa = (unsigned)number(counter, "ssa", 0),
                                         .base = read_value(program, json_object_get(counter, "base")),
                                         .step = read_value(program, json_object_get(counter, "step"))};
  }
}

static long most(json_t *list, const char *name) {
  long most = 0;
  for (size_t i = 0; i < json_array_size(list); i++) {
    long one = number(json_array_get(list, i), name, 0);
    if (one > most) most = one;
  }
  return most;
}

/* A field that GCC has made a variable of, as c$n, is called as in the source. */
static const char *source_name(struct room *room, const char *name) {
  char *text = room_copy(room, name);
  for (char *at = strchr(text, '$'); at; at = strchr(at + 1, '$'))
    if (at > text && (at[1] == '_' || (at[1] >= 'a' && at[1] <= 'z') || (at[1] >= 'A' && at[1] <= 'Z'))) *at = '.';
  return text;
}

const char *source_field(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

static void read_names(struct program *program, json_t *names) {
  for (size_t i = 0; i < json_array_size(names); i++) {
    long version = (long)json_integer_value(json_array_get(json_array_get(names, i), 0));
    if (version >= program->name_count) program->name_count = (unsigned)version + 1;
  }
  program->names = ROOM_ARRAY(program->room, struct ssa, program->name_count);
  for (size_t i = 0; i < json_array_size(names); i++) {
    json_t *name = json_array_get(names, i);
    struct ssa *ssa = &program->names[json_integer_value(json_array_get(name, 0))];
    ssa->there = true;
    ssa->type = letter(json_array_get(name, 1));
    ssa->name = source_name(program->room, json_string_value(json_array_get(name, 2)));
    ssa->parameter = (int)json_integer_value(json_array_get(name, 3));
    ssa->width = (unsigned)json_integer_value(json_array_get(name, 4));
  }
}

static bool calls_mpi(json_t *functions, json_t *function, int depth) {
  json_t *calls = json_object_get(function, "calls");
  for (size_t i = 0; i < json_array_size(calls); i++) {
    const char *name = json_string_value(json_array_get(calls, i));
    const struct mpi_call *call = mpi_call_find(name);
    if (call && mpi_communicates(call)) return true;
    for (size_t k = 0; depth < 8 && k < json_array_size(functions); k++) {
      json_t *other = json_array_get(functions, k);
      if (other != function && !strcmp(json_string_value(json_object_get(other, "name")), name) &&
          calls_mpi(functions, other, depth + 1))
        return true;
    }
  }
  return false;
}

static void read_functions(struct program *program, json_t *functions) {
  program->recursive_count = json_array_size(functions);
  program->recursive = ROOM_ARRAY(program->room, const char *, program->recursive_count);
  program->recursive_talks = ROOM_ARRAY(program->room, bool, program->recursive_count);
  for (size_t i = 0; i < program->recursive_count; i++) {
    program->recursive[i] = word(program, json_array_get(functions, i), "name");
    program->recursive_talks[i] = calls_mpi(functions, json_array_get(functions, i), 0);
  }
}

static void read_variables(struct program *program, json_t *variables, json_t *copies) {
  program->variables = ROOM_ARRAY(program->room, const char *, json_array_size(variables));
  for (size_t i = 0; i < json_array_size(variables); i++)
    program->variables[program->variable_count++] =
        room_copy(program->room, json_string_value(json_array_get(variables, i)));
  program->copies = ROOM_ARRAY(program->room, const char *, 2 * json_array_size(copies));
  for (size_t i = 0; i < 2 * json_array_size(copies); i++)
    program->copies[i] =
        room_copy(program->room, json_string_value(json_array_get(json_array_get(copies, i / 2), i % 2)));
  program->copy_count = json_array_size(copies);
}

static size_t count_cases(json_t *blocks) {
  size_t count = 0;
  for (size_t b = 0; b < json_array_size(blocks); b++) {
    json_t *to = json_object_get(json_array_get(blocks, b), "to");
    for (size_t w = 0; w < json_array_size(to); w++)
      count += json_array_size(json_object_get(json_array_get(to, w), "cases"));
  }
  return count;
}

struct program *source_read(struct room *room, const char *path, const struct compile_options *options) {
  struct program *program = ROOM_ARRAY(room, struct program, 1);
  program->room = room;
  program->options = options;
  json_error_t wrong;
  json_t *json = json_load_file(path, 0, &wrong);
  if (!json) {
    source_error(program, NULL, NULL, "the program has no function main: what it begins with is to be among the files");
    return program;
  }
  json_t *blocks = json_object_get(json, "blocks"), *loops = json_object_get(json, "loops");
  program->language = word(program, json, "language");
  program->function = word(program, json, "function");
  if (json_is_true(json_object_get(json, "exceptions")))
    ROOM_PUSH(program->room, program->assumed, program->assumed_count, program->assumed_capacity,
              "no exception is thrown");
  program->fortran = strstr(program->language, "Fortran") != NULL;
  program->block_count = (int)most(blocks, "block") + 1;
  for (size_t b = 0; b < json_array_size(blocks); b++) {
    json_t *block = json_array_get(blocks, b);
    long last = most(json_object_get(block, "statements"), "id"), phi = most(json_object_get(block, "phis"), "id");
    if (last >= program->id_count) program->id_count = (unsigned)last + 1;
    if (phi >= program->id_count) program->id_count = (unsigned)phi + 1;
  }
  if (program->block_count < 3) program->block_count = 3;
  size_t cases = count_cases(blocks);
  program->blocks = ROOM_ARRAY(room, struct block, (size_t)program->block_count + 2 * cases);
  program->by_id = ROOM_ARRAY(room, struct statement *, program->id_count + 2 * cases);
  program->loop_count = (int)most(loops, "loop") + 1;
  program->loops = ROOM_ARRAY(room, struct loop, program->loop_count);
  read_names(program, json_object_get(json, "names"));
  for (size_t i = 0; i < json_array_size(blocks); i++)
    read_block(program, json_array_get(blocks, i));
  for (size_t i = 0; i < json_array_size(loops); i++)
    read_loop(program, json_array_get(loops, i));
  for (unsigned i = 0; program->fortran && i < program->id_count; i++)
    if (program->by_id[i] && program->by_id[i]->mpi) take_contents(program, program->by_id[i]);
  for (int b = 0, count = program->block_count; b < count; b++)
    switch_split(program, b);
  read_functions(program, json_object_get(json, "functions"));
  read_variables(program, json_object_get(json, "variables"), json_object_get(json, "copies"));
  program->blocks[1].there = true; /* where main ends */
  if (json_array_size(json_object_get(json, "irreducible")) > 0) {
    long block = (long)json_integer_value(json_array_get(json_object_get(json, "irreducible"), 0));
    const struct block *in = &program->blocks[block];
    source_error(program, in->count ? in->statements[in->count - 1] : NULL, NULL,
                 "a goto leads into a loop: what is entered in two ways has no iterations to count");
  }
  json_decref(json);
  return program;
}

struct statement *source_definition(const struct program *program, unsigned ssa) {
  return ssa < program->name_count ? program->names[ssa].def : NULL;
}

const struct value *source_address(const struct program *program, const struct value *value) {
  const struct statement *made = value && value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
  if (made && made->kind == STATEMENT_ASSIGN) value = made->value;
  return value && value->kind == VALUE_ADDRESS ? value : NULL;
}

const char *source_base(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file ? file : "";
}

static void add_error(struct program *program, const char *file, int line, const char *help, const char *message) {
  for (size_t i = 0; i < program->error_count; i++)
    if (!strcmp(program->errors[i].message, message) && program->errors[i].line == line) return;
  struct compile_error error = {.file = file, .line = line, .message = message, .help = help};
  ROOM_PUSH(program->room, program->errors, program->error_count, program->error_capacity, error);
}

static const char *formatted(struct program *program, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = room_alloc(program->room, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

void source_error(struct program *program, const struct statement *at, const char *help, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_error(program, at ? at->file : NULL, at ? at->line : 0, help, formatted(program, format, arguments));
  va_end(arguments);
}

void source_error_at(struct program *program, const char *file, int line, const char *help, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_error(program, file, line, help, formatted(program, format, arguments));
  va_end(arguments);
}
