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
  if (*name && !strncmp(input->name, "argument", 8)) input->name = source_field(name);
}

/* Of what is there, by its field if it is one. */
static const char *place_name(struct program *program, const struct reference *memory) {
  const char *dot = memory->path ? strrchr(memory->path, '.') : NULL;
  return dot ? room_printf(program->room, "%.*s", (int)strcspn(dot + 1, "["), dot + 1) : memory->name;
}

/* The one number that is stored at the place before the statement; NULL: there is none, or there are several. */
static struct value *stored_number(const struct program *program, const struct statement *before) {
  const struct reference *memory = before->to;
  struct value *found = NULL;
  if (memory->index) return NULL;
  for (unsigned i = 0; i < before->id; i++) {
    const struct statement *store = program->by_id[i];
    if (!store || store->kind != STATEMENT_STORE || store->to->index || store->to->decl != memory->decl ||
        store->to->offset != memory->offset || store->to->size != memory->size)
      continue;
    bool number = store->value->kind == VALUE_INT || store->value->kind == VALUE_REAL;
    if (number && found) return NULL;
    if (number) found = store->value;
  }
  return found;
}

/* Who uses the value first: its name, and what it is where the input is not given. */
static void name_input(struct program *program, struct input *input, int ssa) {
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; i < program->blocks[b].count; i++) {
      const struct statement *user = program->blocks[b].statements[i];
      if (user->kind == STATEMENT_STORE && user->value->kind == VALUE_SSA && user->value->ssa == (unsigned)ssa &&
          user->to->decl) {
        const char *name = place_name(program, user->to);
        if (*name) input->name = name;
        struct value *number = stored_number(program, user);
        if (number)
          input->initial = number;
        else if (user->to->is_static)
          input->initial = user->to->initial;
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
  if (input.memory) {
    const char *name = place_name(program, input.memory);
    input.name = name && *name ? name : "number";
    if (!input.initial && input.memory->is_static && !input.memory->index) input.initial = input.memory->initial;
  } else if (statement->def >= 0) {
    if (*program->names[statement->def].name) input.name = source_field(program->names[statement->def].name);
    name_input(program, &input, statement->def);
  }
  if (statement->input < 0) statement->input = (int)program->input_count;
  statement->input_count++;
  ROOM_PUSH(program->room, program->inputs, program->input_count, program->input_capacity, input);
}

int inputs_at(const struct program *program, const struct statement *statement, const struct reference *memory) {
  for (size_t i = 0; i < statement->input_count; i++) {
    const struct reference *to = program->inputs[statement->input + (int)i].memory;
    if (!to || (to->decl && to->decl == memory->decl && to->offset == memory->offset && to->size == memory->size &&
                !to->index == !memory->index))
      return statement->input + (int)i;
  }
  return -1;
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

/* Where a statement of Fortran puts whether it has gone well: what iostat= names; NULL: it has none. */
static const struct reference *status_of(const struct program *program, const struct statement *call) {
  const struct block *block = &program->blocks[call->block];
  const struct value *given = call->argument_count ? call->arguments[0].value : NULL;
  const struct reference *found = NULL;
  for (size_t i = 0; given && given->kind == VALUE_ADDRESS && i < block->count && block->statements[i] != call; i++) {
    const struct statement *store = block->statements[i];
    if (store->kind == STATEMENT_STORE && store->to->decl == given->memory->decl && store->to->path &&
        strstr(store->to->path, ".iostat") && store->value->kind == VALUE_ADDRESS)
      found = store->value->memory;
  }
  return found;
}

static void find_argument(struct program *program, struct statement *statement, bool real) {
  long place = argument_place(program, statement->arguments[0].value);
  if (!place) return;
  if (place + 1 > program->arguments) program->arguments = place + 1;
  add_input(program, statement,
            (struct input){.name = room_printf(program->room, "argument%ld", place),
                           .type = real ? 'f' : 'i',
                           .what = room_printf(program->room, "argument %ld of the program", place)});
}

static void find_transfer(struct program *program, struct statement *statement) {
  long place = asked_place(program, statement);
  if (place > program->arguments) program->arguments = place;
  const struct reference *memory = statement->arguments[1].value->memory;
  add_input(program, statement,
            (struct input){.memory = memory,
                           .type = memory->type == 'f' || memory->type == 'b' ? memory->type : 'i',
                           .below = !place,
                           .what = place ? room_printf(program->room, "argument %ld of the program", place)
                                         : "read by the program"});
}

static void find_input(struct program *program, struct statement *statement) {
  static const char *const whole[] = {"atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", NULL};
  static const char *const real[] = {"atof", "strtod", NULL};
  static const char *const transfers[] = {"_gfortran_transfer_integer", "_gfortran_transfer_real",
                                          "_gfortran_transfer_logical", NULL};
  static const char *const scans[] = {"scanf",           "fscanf",          "sscanf", "__isoc99_scanf",
                                      "__isoc99_fscanf", "__isoc99_sscanf", NULL};
  static const char *const opens[] = {"_gfortran_st_open", "_gfortran_st_read_done", NULL};
  static const char *const files[] = {"fopen", "fopen64", NULL};
  if (is_call(statement, whole) || is_call(statement, real))
    find_argument(program, statement, is_call(statement, real));
  if (is_call(statement, transfers) && statement->arguments[1].value->kind == VALUE_ADDRESS)
    find_transfer(program, statement);
  for (size_t i = 1; is_call(statement, scans) && i < statement->argument_count; i++) {
    const struct value *to = statement->arguments[i].value;
    if (to->kind == VALUE_ADDRESS && to->memory->decl && strchr("iufb", to->memory->type))
      add_input(program, statement,
                (struct input){.memory = to->memory,
                               .type = to->memory->type == 'f' ? 'f' : 'i',
                               .below = true,
                               .what = "read by the program"});
  }
  const struct reference *status = is_call(statement, opens) ? status_of(program, statement) : NULL;
  static struct value well = {.kind = VALUE_INT, .number = 0}, there = {.kind = VALUE_INT, .number = 1};
  if (status)
    add_input(program, statement,
              (struct input){.memory = status,
                             .initial = &well,
                             .type = 'i',
                             .below = true,
                             .what = "0: there is the file, and it is read"});
  if (is_call(statement, files) && statement->def >= 0)
    add_input(program, statement,
              (struct input){.name = "file", .initial = &there, .type = 'i', .what = "0: there is no such file"});
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

void inputs_assume(struct program *program, const char *words) {
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
  if (asked) inputs_assume(program, "the program is given all arguments that it asks for");
}

/* Is it 0 in a run as its environment is by itself? 1: what tells that a variable of that is not set; -1: neither. */
static int without_environment(const struct program *program, const struct value *value) {
  static const char *const asks[] = {"_gfortran_get_environment_variable_i4", NULL}, *const gets[] = {"getenv", NULL};
  const struct statement *made = definition(program, value);
  if (is_call(made, gets)) return 0;
  if (!made || made->kind != STATEMENT_ASSIGN || made->value->kind != VALUE_MEMORY || made->load.from_count != 1)
    return -1;
  const struct statement *from = program->by_id[made->load.from[0]];
  const struct value *status = is_call(from, asks) && from->argument_count > 3 ? from->arguments[3].value : NULL;
  return status && status->kind == VALUE_ADDRESS && status->memory->decl == made->value->memory->decl ? 1 : -1;
}

/* Variables of the environment are not set. */
static void decide_environment(struct program *program) {
  bool asked = false;
  for (int b = 0; b < program->block_count; b++) {
    struct statement *test = deciding(&program->blocks[b]);
    int what = test && test->value->arguments[1]->kind == VALUE_INT
                   ? without_environment(program, test->value->arguments[0])
                   : -1;
    if (what < 0) continue;
    take_way(&program->blocks[b], holds(test->value->text, what, test->value->arguments[1]->number));
    asked = true;
  }
  if (asked) inputs_assume(program, "variables of the environment that the program asks for are not set");
}

/* Does the pointer lead to memory that was asked for, and is there? 1: it does; 0: it leads nowhere; -1: that is not to
 * be seen. */
static int allocated(const struct program *program, const struct value *pointer, int depth) {
  static const char *const allocates[] = {
      "malloc", "calloc", "realloc", "__builtin_malloc", "__builtin_calloc", "__builtin_realloc", NULL};
  if (pointer->kind == VALUE_INT) return pointer->number ? -1 : 0;
  const struct statement *made = depth < 8 ? definition(program, pointer) : NULL;
  if (is_call(made, allocates)) return 1;
  if (!made || made->kind != STATEMENT_ASSIGN || made->value->kind != VALUE_MEMORY) return -1;
  const struct value *initial = made->value->memory->initial;
  int found = -1;
  if (made->load.entry && (!initial || initial->kind != VALUE_INT || initial->number)) return -1;
  if (made->load.entry) found = 0;
  for (size_t i = 0; i < made->load.from_count; i++) {
    const struct statement *from = program->by_id[made->load.from[i]];
    int one = from && from->kind == STATEMENT_STORE ? allocated(program, from->value, depth + 1) : -1;
    if (one < 0 || (found >= 0 && found != one)) return -1;
    found = one;
  }
  return found;
}

/* Memory that is asked for is there. */
static void decide_allocations(struct program *program) {
  bool asked = false;
  for (int b = 0; b < program->block_count; b++) {
    struct statement *test = deciding(&program->blocks[b]);
    const struct value *zero = test ? test->value->arguments[1] : NULL;
    bool equal = test && !strcmp(test->value->text, "eq_expr"), other = test && !strcmp(test->value->text, "ne_expr");
    if (!(equal || other) || zero->kind != VALUE_INT || zero->number) continue;
    int there = allocated(program, test->value->arguments[0], 0);
    if (there < 0 || test->value->arguments[0]->kind == VALUE_INT) continue;
    take_way(&program->blocks[b], equal != there);
    asked |= there;
  }
  if (asked) inputs_assume(program, "memory that the program asks for is there");
}

/* Does the value tell whether a statement of Fortran has gone wrong or is at the end of its file, as loops in it, of
 * several numbers, are tested by? */
static bool tells_transfer(const struct program *program, const struct value *value) {
  const struct statement *masked = definition(program, value);
  const struct value *bits = masked && masked->kind == STATEMENT_ASSIGN ? masked->value : value;
  if (bits->kind != VALUE_OP || strcmp(bits->text, "bit_and_expr") || bits->arguments[1]->kind != VALUE_INT ||
      bits->arguments[1]->number != 3)
    return false;
  const struct statement *read = definition(program, bits->arguments[0]);
  const struct reference *memory =
      read && read->kind == STATEMENT_ASSIGN && read->value->kind == VALUE_MEMORY ? read->value->memory : NULL;
  return memory && memory->name && !strncmp(memory->name, "dt_parm", 7) && memory->path &&
         strstr(memory->path, ".flags");
}

/* What Fortran reads and writes goes well, so that its loops are passed to their ends. */
static void decide_transfers(struct program *program) {
  bool asked = false;
  for (int b = 0; b < program->block_count; b++) {
    struct statement *test = deciding(&program->blocks[b]);
    const struct value *zero = test ? test->value->arguments[1] : NULL;
    bool equal = test && !strcmp(test->value->text, "eq_expr"), other = test && !strcmp(test->value->text, "ne_expr");
    if (!(equal || other) || zero->kind != VALUE_INT || zero->number || !program->blocks[b].loop) continue;
    if (!tells_transfer(program, test->value->arguments[0])) continue;
    take_way(&program->blocks[b], equal);
    asked = true;
  }
  if (asked) inputs_assume(program, "lists of numbers are read and written well");
}

/* ---- ways that end in an error ---- */

/* Does the program end without an error? With exit it does, unless what that is given is known and not 0; with stop of
 * Fortran where that has neither a text nor a number. */
static bool ends_well(const struct statement *call) {
  static const char *const exits[] = {"exit", NULL};
  static const char *const stops[] = {"_gfortran_stop_string", "_gfortran_stop_numeric", NULL};
  const struct value *told = call->argument_count ? call->arguments[0].value : NULL;
  if (is_call(call, exits)) return told && (told->kind != VALUE_INT || told->number == 0);
  return is_call(call, stops) && told && told->kind == VALUE_INT && told->number == 0;
}

/* Nothing comes behind MPI_Abort, whatever stands there: it is not declared as a function that does not return. */
static bool aborts(const struct block *block) {
  for (size_t i = 0; i < block->count; i++)
    if (block->statements[i]->mpi && !strcmp(block->statements[i]->mpi->name, "Abort")) return true;
  return false;
}

static bool ends_badly(const struct block *block) {
  if (block->there && aborts(block)) return true;
  if (!block->there || block->way_count) return false;
  for (size_t i = 0; i < block->count; i++)
    if (block->statements[i]->noreturn) return !ends_well(block->statements[i]);
  return false;
}

static bool finalizes(const struct block *block) {
  for (size_t i = 0; i < block->count; i++)
    if (block->statements[i]->mpi && !strcmp(block->statements[i]->mpi->name, "Finalize")) return true;
  return false;
}

/* Blocks from which a way leads to MPI_Finalize (or, behind it, to which one leads from there). */
static void spread(const struct program *program, bool *marked, bool back) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 2; b < program->block_count; b++)
      for (size_t i = 0; i < program->blocks[b].way_count; i++) {
        int to = program->blocks[b].ways[i].to;
        bool *next = back ? &marked[b] : &marked[to];
        if (*next || !(back ? marked[to] : marked[b])) continue;
        *next = changed = true;
      }
  }
}

/* What leaves the program before MPI_Finalize, and does not come to it, ends with an error; a loop without an end does
 * not. */
static bool prune_early_ends(struct program *program) {
  bool *before = ROOM_ARRAY(program->room, bool, program->block_count), pruned = false;
  bool *behind = ROOM_ARRAY(program->room, bool, program->block_count);
  bool *ends = ROOM_ARRAY(program->room, bool, program->block_count);
  for (int b = 0; b < program->block_count; b++) {
    before[b] = behind[b] = b > 1 && finalizes(&program->blocks[b]);
    ends[b] = program->blocks[b].way_count == 0;
  }
  spread(program, before, true);
  spread(program, behind, false);
  spread(program, ends, true);
  for (int b = 2; b < program->block_count; b++)
    for (size_t i = 0; before[b] && !behind[b] && i < program->blocks[b].way_count; i++) {
      int to = program->blocks[b].ways[i].to;
      if (!before[to] && ends[to]) pruned = program->blocks[b].ways[i].pruned = true;
    }
  return pruned;
}

static void prune_failures(struct program *program) {
  bool *fails = ROOM_ARRAY(program->room, bool, program->block_count);
  bool pruned = prune_early_ends(program);
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
  for (int b = 2; b < program->block_count; b++)
    for (size_t i = 0; !fails[b] && i < program->blocks[b].way_count; i++)
      if (fails[program->blocks[b].ways[i].to] && !program->blocks[b].ways[i].pruned)
        pruned = program->blocks[b].ways[i].pruned = true;
  if (pruned) inputs_assume(program, "no way is taken that ends the program with an error");
}

void inputs_find(struct program *program) {
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; i < program->blocks[b].count; i++)
      find_input(program, program->blocks[b].statements[i]);
  decide_arguments(program);
  decide_environment(program);
  decide_allocations(program);
  decide_transfers(program);
  prune_failures(program);
}

/* ---- what a load sees ---- */

/* Does the statement set just this place, all of it? */
static bool sets(const struct statement *statement, const struct reference *memory) {
  if (statement->kind != STATEMENT_STORE || memory->index || statement->to->index) return false;
  return statement->to->decl && statement->to->decl == memory->decl && statement->to->offset == memory->offset &&
         statement->to->size == memory->size;
}

/* The one statement that may have written it; NULL: there is none, or there are several. */
static const struct statement *only_source(const struct program *program, const struct argument *load) {
  const struct statement *found = NULL;
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    if (!from || !program->blocks[from->block].reached) continue;
    if (found) return NULL;
    found = from;
  }
  return found;
}

const struct argument *inputs_behind(const struct program *program, const struct argument *load,
                                     const struct reference *memory) {
  for (int depth = 0; depth < 20; depth++) {
    const struct statement *from = load->entry ? NULL : only_source(program, load);
    const struct value *given = from && from->shared ? from->arguments[0].value : NULL;
    if (!given || given->kind != VALUE_ADDRESS || memory->index || given->memory->index ||
        given->memory->decl != memory->decl || given->memory->offset != memory->offset ||
        given->memory->size != memory->size)
      break;
    load = &from->arguments[0];
  }
  return load;
}

/* Does it come before, whichever way is taken? */
static bool comes_first(const struct program *program, const struct statement *first, const struct statement *then) {
  return first->block == then->block ? first->id < then->id : flow_dominates(program, first->block, then->block);
}

/* Does the statement set all of just this place, by storing, reading or broadcasting it? */
static bool replaces(const struct program *program, const struct statement *statement, const struct reference *memory) {
  if (statement->kind == STATEMENT_STORE) return sets(statement, memory);
  return statement->input >= 0 && !memory->index && memory->decl && inputs_at(program, statement, memory) >= 0;
}

/* The bytes of a variable that a reference may be of: one, or all of the list that its index is in. */
static bool bytes_of(const struct reference *memory, long *from, long *to) {
  const char *open = memory->path ? strrchr(memory->path, '[') : NULL;
  *from = memory->offset;
  *to = memory->offset + memory->size;
  if (!memory->decl || memory->odd || !memory->path || memory->size <= 0) return false;
  if (!memory->index) return true;
  if (!open || memory->length <= 0 || memory->scale != memory->stride) return false;
  long inner = open[strcspn(open, "]")] && open[strcspn(open, "]") + 1] ? memory->stride : memory->size;
  *from -= atol(open + 1) * memory->stride;
  *to = *from + (memory->length - 1) * memory->stride + inner;
  return true;
}

static bool apart(const struct statement *store, const struct reference *memory) {
  long a, b, c, d;
  return store->kind == STATEMENT_STORE && memory->decl && store->to->decl == memory->decl &&
         bytes_of(store->to, &a, &b) && bytes_of(memory, &c, &d) && (b <= c || d <= a);
}

/* Without what is replaced on the way, now that some ways are never taken. */
static void narrow(const struct program *program, const struct statement *reader, struct argument *load,
                   const struct reference *memory, bool reads) {
  size_t seen = 0;
  for (size_t i = 0; reads && i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    if (!from || !apart(from, memory)) load->from[seen++] = load->from[i];
  }
  if (reads) load->from_count = seen;
  for (size_t i = 0; memory && i < load->from_count; i++) {
    const struct statement *last = program->by_id[load->from[i]];
    if (!last || !program->blocks[last->block].reached || !replaces(program, last, memory) ||
        !comes_first(program, last, reader))
      continue;
    load->entry = false;
    size_t kept = 0, at = i;
    for (size_t k = 0; k < load->from_count; k++) {
      const struct statement *other = program->by_id[load->from[k]];
      bool gone = other && other != last && replaces(program, other, memory) && comes_first(program, other, last);
      if (k == i) at = kept;
      if (!gone) load->from[kept++] = load->from[k];
    }
    load->from_count = kept;
    i = at;
  }
}

void inputs_narrow(struct program *program) {
  for (unsigned i = 0; i < program->id_count; i++) {
    struct statement *reader = program->by_id[i];
    if (!reader || !program->blocks[reader->block].reached) continue;
    if (reader->kind == STATEMENT_ASSIGN && reader->value->kind == VALUE_MEMORY)
      narrow(program, reader, &reader->load, reader->value->memory, true);
    for (size_t k = 0; reader->kind == STATEMENT_CALL && k < reader->argument_count; k++) {
      const struct value *value = reader->arguments[k].value;
      if (value && (value->kind == VALUE_MEMORY || value->kind == VALUE_ADDRESS))
        narrow(program, reader, &reader->arguments[k], value->memory, value->kind == VALUE_MEMORY);
    }
  }
}

struct value *inputs_stored(const struct program *program, const struct statement *reader, const struct argument *load,
                            const struct reference *memory) {
  const struct statement *store = only_source(program, inputs_behind(program, load, memory));
  if (!store || !sets(store, memory)) return NULL;
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
          !strcmp(source_field(program->names[statement->arguments[i].value->ssa].name), name))
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
    const char *own = program->names[value->ssa].name;
    if (!strcmp(own, name) || (*own && !strcmp(source_field(own), name))) return true;
    return statement && is_named(program, statement, name, depth);
  }
  if (value->kind == VALUE_MEMORY && value->memory->decl && value->memory->name) {
    const char *dot = value->memory->path ? strrchr(value->memory->path, '.') : NULL;
    size_t length = dot ? strcspn(dot + 1, "[") : 0;
    return !strcmp(value->memory->name, name) || (dot && strlen(name) == length && !strncmp(dot + 1, name, length));
  }
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (mentions(program, value->arguments[i], name, depth)) return true;
  return false;
}

static bool leaves_loop(const struct program *program, int block, int to) {
  int loop = program->blocks[block].loop;
  return loop > 0 && !flow_in_loop(program, to, loop);
}

static bool reaches(const struct program *program, int from, int to, int loop, int depth) {
  if (from == to) return true;
  const struct block *block = &program->blocks[from];
  for (size_t i = 0; depth < 20 && from != program->loops[loop].header && i < block->way_count; i++)
    if (!block->ways[i].pruned && flow_in_loop(program, block->ways[i].to, loop) &&
        reaches(program, block->ways[i].to, to, loop, depth + 1))
      return true;
  return false;
}

/* Of a test that ends a loop together with others, the way that leaves it to these; NULL: there is none. */
static struct way *way_past(const struct program *program, int at) {
  const struct block *block = &program->blocks[at];
  if (block->loop <= 0 || block->way_count != 2 || !flow_ends_pass(program, at, block->loop)) return NULL;
  for (int i = 0; i < 2; i++)
    if (reaches(program, block->ways[1 - i].to, block->ways[i].to, block->loop, 0)) return &block->ways[i];
  return NULL;
}

/* The way of a condition by which its loop ends; NULL: it does not end by it. */
static struct way *way_out(const struct program *program, int at) {
  const struct block *block = &program->blocks[at];
  struct way *out = NULL;
  for (size_t i = 0; i < block->way_count; i++)
    if (leaves_loop(program, at, block->ways[i].to)) out = &block->ways[i];
  const struct way *past = out ? NULL : way_past(program, at);
  for (size_t i = 0; past && i < block->way_count; i++)
    if (&block->ways[i] != past) out = &block->ways[i];
  return out;
}

/* The condition of the block, if it has a variable of that name; else NULL. */
static struct statement *condition_with(const struct program *program, int at, const char *name) {
  const struct block *block = &program->blocks[at];
  struct statement *test = deciding(block);
  return test && block->reached && mentions(program, test->value, name, 0) ? test : NULL;
}

bool inputs_end_loop(const struct program *program, const char *name) {
  for (int b = 0; b < program->block_count; b++)
    if (condition_with(program, b, name) && way_out(program, b)) return true;
  return false;
}

static void waive(struct program *program, const char *name, const char *given) {
  bool found = false;
  for (int b = 0; b < program->block_count; b++) {
    const struct statement *test = condition_with(program, b, name);
    struct way *out = test ? way_out(program, b) : NULL;
    if (!out) continue;
    found = out->pruned = true;
    const char *words = room_printf(program->room, "%s is ignored: the condition of %s:%d ends no loop", name,
                                    source_base(test->file), test->line);
    inputs_assume(program, words);
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
      if (!assumed_take(program, given))
        source_error(program, NULL, "--assume 'err: ignored', or --assume 'count = n div ranks'",
                     "--assume takes VARIABLE: ignored or VARIABLE = EXPRESSION, not '%s'", given);
      continue;
    }
    waive(program, room_printf(program->room, "%.*s", (int)(colon - given), given), given);
  }
  said_find(program);
}
