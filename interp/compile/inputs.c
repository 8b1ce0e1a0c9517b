/* What a program is given: its arguments, and what it reads. All arguments that it asks for count as given, so that
 * tests of how many there are have one way; and so have tests whose other way ends the program with an error, and
 * those that the modeller waives. */
#include "interp/compile/mpi_program.h"

#include <stdlib.h>
#include <string.h>

static bool is_call(const struct statement *statement, const char *const *names) {
  if (!statement || statement->kind != STATEMENT_CALL || !statement->call) return false;
  for (; *names; names++)
    if (!strcmp(statement->call, *names)) return true;
  return false;
}

/* Behind conversions: what defines the value. */
static const struct statement *definition(const struct program *program, const struct value *value) {
  for (;;) {
    if (value->kind == VALUE_OP && value->count == 1) {
      value = value->arguments[0];
      continue;
    }
    if (value->kind != VALUE_SSA) return NULL;
    const struct statement *statement = source_definition(program, value->ssa);
    bool converts = statement && statement->kind == STATEMENT_ASSIGN && statement->value->kind == VALUE_OP &&
                    (!strcmp(statement->value->text, "nop_expr") || !strcmp(statement->value->text, "convert_expr"));
    if (!converts) return statement;
    value = statement->value->arguments[0];
  }
}

/* Is it the parameter of main at that place? */
static bool is_parameter(const struct program *program, const struct value *value, int place) {
  if (value->kind == VALUE_SSA && !source_definition(program, value->ssa))
    return program->names[value->ssa].parameter == place && !program->fortran;
  const struct statement *statement = definition(program, value);
  return statement && statement->kind == STATEMENT_ASSIGN && statement->value->kind == VALUE_MEMORY &&
         statement->value->memory->parameter == place && statement->load.from_count == 0;
}

/* The place of the argument that the text is; 0: it is none. */
static long argument_place(const struct program *program, const struct value *text) {
  const struct statement *load = text->kind == VALUE_SSA ? source_definition(program, text->ssa) : NULL;
  if (!load || load->kind != STATEMENT_ASSIGN || load->value->kind != VALUE_MEMORY) return 0;
  const struct reference *memory = load->value->memory;
  if (!memory->pointer || memory->index) return 0;
  long offset = memory->offset;
  const struct value *pointer = memory->pointer;
  const struct statement *added = pointer->kind == VALUE_SSA ? source_definition(program, pointer->ssa) : NULL;
  if (added && added->kind == STATEMENT_ASSIGN && added->value->kind == VALUE_OP &&
      !strcmp(added->value->text, "pointer_plus_expr") && added->value->arguments[1]->kind == VALUE_INT) {
    offset += added->value->arguments[1]->number;
    pointer = added->value->arguments[0];
  }
  return is_parameter(program, pointer, 1) && offset > 0 ? offset / 8 : 0;
}

/* The first name that it has, in the place of argument1. */
static void take_name(struct input *input, const char *name) {
  if (*name && !strncmp(input->name, "argument", 8)) input->name = name;
}

/* Who uses the value first: its name, and what it is where the input is not given. */
static void name_input(struct program *program, struct input *input, int ssa) {
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; i < program->blocks[b].count; i++) {
      const struct statement *user = program->blocks[b].statements[i];
      if (user->kind == STATEMENT_STORE && user->value->kind == VALUE_SSA && user->value->ssa == (unsigned)ssa &&
          user->to->decl) {
        if (*user->to->name) input->name = user->to->name;
        if (user->to->is_static) input->initial = user->to->initial;
        return;
      }
      if (user->kind == STATEMENT_ASSIGN && user->value->kind == VALUE_OP && user->value->count == 1 &&
          user->value->arguments[0]->kind == VALUE_SSA && user->value->arguments[0]->ssa == (unsigned)ssa) {
        take_name(input, program->names[user->def].name);
        name_input(program, input, user->def);
      }
      for (size_t k = 0; user->kind == STATEMENT_PHI && k < user->argument_count; k++) {
        const struct value *value = user->arguments[k].value;
        if (value->kind != VALUE_SSA || value->ssa != (unsigned)ssa) continue;
        take_name(input, program->names[user->def].name);
        for (size_t other = 0; other < user->argument_count; other++)
          if (user->arguments[other].value->kind == VALUE_INT || user->arguments[other].value->kind == VALUE_REAL)
            input->initial = user->arguments[other].value;
      }
    }
}

static void add_input(struct program *program, struct statement *statement, struct input input) {
  input.file = statement->file;
  input.line = statement->line;
  if (statement->def >= 0) {
    if (*program->names[statement->def].name) input.name = program->names[statement->def].name;
    name_input(program, &input, statement->def);
  }
  statement->input = (int)program->input_count;
  ROOM_PUSH(program->room, program->inputs, program->input_count, program->input_capacity, input);
}

/* In Fortran the text of an argument is asked for before numbers are read from it. */
static long asked_place(const struct program *program, const struct statement *read) {
  static const char *const asks[] = {"_gfortran_get_command_argument_i4", "_gfortran_get_command_argument_i8",
                                     "_gfortran_getarg_i4", NULL};
  const struct block *block = &program->blocks[read->block];
  long place = 0;
  for (size_t i = 0; i < block->count && block->statements[i] != read; i++) {
    const struct statement *call = block->statements[i];
    if (!is_call(call, asks) || call->arguments[0].value->kind != VALUE_ADDRESS) continue;
    const struct value *initial = call->arguments[0].value->memory->initial;
    if (initial && initial->kind == VALUE_INT) place = initial->number;
  }
  return place;
}

static void find_input(struct program *program, struct statement *statement) {
  static const char *const whole[] = {"atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", NULL};
  static const char *const real[] = {"atof", "strtod", NULL};
  static const char *const transfers[] = {"_gfortran_transfer_integer", "_gfortran_transfer_real", NULL};
  static const char *const scans[] = {"scanf", "fscanf", "sscanf", "__isoc99_scanf", "__isoc99_fscanf", NULL};
  if (is_call(statement, whole) || is_call(statement, real)) {
    long place = argument_place(program, statement->arguments[0].value);
    if (!place) return;
    if (place + 1 > program->arguments) program->arguments = place + 1;
    add_input(program, statement,
              (struct input){.name = room_printf(program->room, "argument%ld", place),
                             .real = is_call(statement, real),
                             .what = room_printf(program->room, "argument %ld of the program", place)});
  }
  if (is_call(statement, transfers) && statement->arguments[1].value->kind == VALUE_ADDRESS) {
    const struct reference *memory = statement->arguments[1].value->memory;
    long place = asked_place(program, statement);
    if (place > program->arguments) program->arguments = place;
    const char *what = place ? room_printf(program->room, "argument %ld of the program", place) : "read by the program";
    add_input(program, statement,
              (struct input){.name = memory->name && *memory->name ? memory->name : "number",
                             .initial = memory->is_static ? memory->initial : NULL,
                             .real = !strcmp(statement->call, transfers[1]),
                             .what = what});
  }
  if (is_call(statement, scans)) {
    size_t last = statement->argument_count - 1;
    const struct value *to = statement->arguments[last].value;
    if (to->kind != VALUE_ADDRESS) return;
    add_input(program, statement,
              (struct input){.name = to->memory->name && *to->memory->name ? to->memory->name : "number",
                             .initial = to->memory->is_static ? to->memory->initial : NULL,
                             .real = to->memory->type == 'f',
                             .what = "read by the program"});
  }
}

static bool holds(const char *comparison, long a, long b) {
  if (!strcmp(comparison, "gt_expr")) return a > b;
  if (!strcmp(comparison, "ge_expr")) return a >= b;
  if (!strcmp(comparison, "lt_expr")) return a < b;
  if (!strcmp(comparison, "le_expr")) return a <= b;
  if (!strcmp(comparison, "eq_expr")) return a == b;
  return a != b;
}

static struct statement *deciding(const struct block *block) {
  struct statement *last = block->count ? block->statements[block->count - 1] : NULL;
  return last && last->kind == STATEMENT_CONDITION ? last : NULL;
}

static void take_way(struct block *block, bool way) {
  for (size_t i = 0; i < block->way_count; i++)
    if (block->ways[i].when == (way ? WAY_FALSE : WAY_TRUE)) block->ways[i].pruned = block->ways[i].by_arguments = true;
}

static void assume(struct program *program, const char *words) {
  ROOM_PUSH(program->room, program->assumed, program->assumed_count, program->assumed_capacity, words);
}

/* How many arguments there are is known. */
static void decide_arguments(struct program *program) {
  static const char *const counts[] = {"_gfortran_iargc", NULL};
  bool asked = false;
  for (int b = 0; b < program->block_count; b++) {
    struct statement *test = deciding(&program->blocks[b]);
    if (!test || test->value->arguments[1]->kind != VALUE_INT) continue;
    const struct value *left = test->value->arguments[0];
    bool given = is_parameter(program, left, 0) || is_call(definition(program, left), counts);
    asked |= given;
    if (given)
      take_way(&program->blocks[b], holds(test->value->text, program->arguments, test->value->arguments[1]->number));
  }
  if (asked) assume(program, "the program is given all arguments that it asks for");
}

/* ---- ways that end in an error ---- */

static bool ends_badly(const struct block *block) {
  if (!block->there || block->way_count) return false;
  for (size_t i = 0; i < block->count; i++)
    if (block->statements[i]->noreturn) return true;
  return false;
}

static void prune_failures(struct program *program) {
  bool *fails = ROOM_ARRAY(program->room, bool, program->block_count);
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 2; b < program->block_count; b++) {
      const struct block *block = &program->blocks[b];
      bool all = block->there && block->way_count > 0;
      for (size_t i = 0; i < block->way_count; i++)
        all &= block->ways[i].pruned || fails[block->ways[i].to];
      if (fails[b] || !(all || ends_badly(block))) continue;
      fails[b] = changed = true;
    }
  }
  if (fails[2]) return; /* the program ends so always */
  bool pruned = false;
  for (int b = 2; b < program->block_count; b++)
    for (size_t i = 0; !fails[b] && i < program->blocks[b].way_count; i++)
      if (fails[program->blocks[b].ways[i].to] && !program->blocks[b].ways[i].pruned)
        pruned = program->blocks[b].ways[i].pruned = true;
  if (pruned) assume(program, "no way is taken that ends the program with an error");
}

void inputs_find(struct program *program) {
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; i < program->blocks[b].count; i++)
      find_input(program, program->blocks[b].statements[i]);
  decide_arguments(program);
  prune_failures(program);
}

/* ---- what a load sees ---- */

/* Does the statement set just this place, all of it? */
static bool sets(const struct statement *statement, const struct reference *memory) {
  if (statement->kind != STATEMENT_STORE || memory->index || statement->to->index) return false;
  return statement->to->decl && statement->to->decl == memory->decl && statement->to->offset == memory->offset &&
         statement->to->size == memory->size;
}

struct value *inputs_stored(const struct program *program, const struct statement *reader, const struct argument *load,
                            const struct reference *memory) {
  const struct statement *store = NULL;
  size_t live = 0;
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    if (!from || !program->blocks[from->block].reached) continue;
    store = from;
    live++;
  }
  if (live != 1 || !sets(store, memory)) return NULL;
  bool before =
      store->block == reader->block ? store->id < reader->id : flow_dominates(program, store->block, reader->block);
  if (!before) return NULL;
  const struct statement *value =
      store->value->kind == VALUE_SSA ? source_definition(program, store->value->ssa) : NULL;
  int loop = value ? program->blocks[value->block].loop : 0; /* behind it, the value is another */
  bool steady = loop <= 0 || flow_in_loop(program, reader->block, loop);
  return steady ? store->value : NULL;
}

/* ---- what is waived ---- */

static bool mentions(const struct program *program, const struct value *value, const char *name, int depth);

static bool is_named(const struct program *program, const struct statement *statement, const char *name, int depth) {
  if (depth > 12) return false;
  if (statement->kind == STATEMENT_PHI) {
    for (size_t i = 0; i < statement->argument_count; i++)
      if (statement->arguments[i].value->kind == VALUE_SSA &&
          !strcmp(program->names[statement->arguments[i].value->ssa].name, name))
        return true;
    return false;
  }
  if (statement->kind == STATEMENT_CALL) {
    for (size_t i = 0; i < statement->argument_count && statement->pure; i++)
      if (mentions(program, statement->arguments[i].value, name, depth + 1)) return true;
    return false;
  }
  return statement->kind == STATEMENT_ASSIGN && mentions(program, statement->value, name, depth + 1);
}

static bool mentions(const struct program *program, const struct value *value, const char *name, int depth) {
  if (value->kind == VALUE_SSA) {
    const struct statement *statement = source_definition(program, value->ssa);
    if (!strcmp(program->names[value->ssa].name, name)) return true;
    return statement && is_named(program, statement, name, depth);
  }
  if (value->kind == VALUE_MEMORY && value->memory->decl && value->memory->name) {
    const char *dot = value->memory->path ? strrchr(value->memory->path, '.') : NULL;
    return !strcmp(value->memory->name, name) || (dot && !strcmp(dot + 1, name));
  }
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (mentions(program, value->arguments[i], name, depth)) return true;
  return false;
}

static bool leaves_loop(const struct program *program, int block, int to) {
  int loop = program->blocks[block].loop;
  return loop > 0 && !flow_in_loop(program, to, loop);
}

static void waive(struct program *program, const char *name, const char *given) {
  bool found = false;
  for (int b = 0; b < program->block_count; b++) {
    struct block *block = &program->blocks[b];
    struct statement *test = deciding(block);
    if (!test || !block->reached || !mentions(program, test->value, name, 0)) continue;
    for (size_t i = 0; i < block->way_count; i++) {
      if (!leaves_loop(program, b, block->ways[i].to)) continue;
      found = block->ways[i].pruned = true;
      const char *words = room_printf(program->room, "%s is ignored: the condition of %s:%d ends no loop", name,
                                      source_base(test->file), test->line);
      assume(program, words);
    }
  }
  if (!found)
    source_error(program, NULL, "what may be ignored is a variable by which a loop ends",
                 "--assume '%s': no condition that ends a loop has a variable '%s'", given, name);
}

void inputs_waive(struct program *program) {
  const struct compile_options *options = program->options;
  for (size_t i = 0; i < options->assumed_count; i++) {
    const char *given = options->assumed[i], *colon = strchr(given, ':');
    const char *what = colon ? colon + 1 + strspn(colon + 1, " ") : "";
    if (!colon || strcmp(what, "ignored")) {
      source_error(program, NULL, "--assume 'err: ignored'", "--assume takes VARIABLE: ignored, not '%s'", given);
      continue;
    }
    waive(program, room_printf(program->room, "%.*s", (int)(colon - given), given), given);
  }
  for (size_t i = 0; i < options->iterations_count; i++) {
    const char *given = options->iterations[i], *equals = strchr(given, '='), *line = given;
    const char *colon = equals ? memchr(given, ':', (size_t)(equals - given)) : NULL;
    if (colon) line = colon + 1;
    bool found = false;
    for (int l = 1; equals && equals[1] && l < program->loop_count; l++) {
      struct loop *loop = &program->loops[l];
      if (!loop->there || loop->line != atoi(line)) continue;
      const char *base = source_base(loop->file);
      if (colon && (strlen(base) != (size_t)(colon - given) || strncmp(base, given, strlen(base)))) continue;
      found = true;
      loop->iterations = equals + 1;
    }
    if (!found)
      source_error(program, NULL, "--iterations jacobi.c:48=100; --report lists the loops",
                   "--iterations takes LINE=EXPRESSION or FILE:LINE=EXPRESSION of a loop, not '%s'", given);
    else {
      const char *words =
          room_printf(program->room, "the loop at %.*s is passed %s times", (int)(equals - given), given, equals + 1);
      assume(program, words);
    }
  }
}
