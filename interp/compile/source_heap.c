/* Memory that is allocated: what one call of malloc or calloc gives is a list, whose elements are of the one size that
 * all accesses have; pointers into it are its indices. Where a pointer comes from in several ways it stays one. */
#include "interp/compile/mpi_program.h"

#include <string.h>

enum { FIRST = 1 << 30, DEEP = 30 }; /* numbers of lists as variables: above those of GCC's */

static bool allocates(const struct statement *call) {
  static const char *const names[] = {"malloc", "calloc", "__builtin_malloc", "__builtin_calloc"};
  for (size_t i = 0; call && call->kind == STATEMENT_CALL && i < sizeof names / sizeof *names; i++)
    if (!strcmp(call->call, names[i])) return true;
  return false;
}

static struct value *make(struct program *program, const char *operator, struct value * a, struct value *b) {
  struct value *value = ROOM_ARRAY(program->room, struct value, 1);
  *value = (struct value){.kind = VALUE_OP, .text = operator, .type = 'i', .width = 64, .count = 2};
  value->arguments = ROOM_ARRAY(program->room, struct value *, 2);
  value->arguments[0] = a;
  value->arguments[1] = b;
  return value;
}

static struct value *number(struct program *program, long what) {
  struct value *value = ROOM_ARRAY(program->room, struct value, 1);
  *value = (struct value){.kind = VALUE_INT, .type = 'i', .number = what};
  return value;
}

/* So many bytes in elements; NULL: that is not to be seen. */
static struct value *divided(struct program *program, struct value *bytes, long size, int depth) {
  if (bytes->kind == VALUE_INT) return bytes->number % size ? NULL : number(program, bytes->number / size);
  const struct statement *made = bytes->kind == VALUE_SSA ? source_definition(program, bytes->ssa) : NULL;
  if (made && made->kind == STATEMENT_ASSIGN) bytes = made->value;
  if (bytes->kind != VALUE_OP || depth > DEEP) return NULL;
  struct value **given = bytes->arguments;
  if (bytes->count == 1 && (!strcmp(bytes->text, "nop_expr") || !strcmp(bytes->text, "convert_expr")))
    return divided(program, given[0], size, depth + 1);
  if (!strcmp(bytes->text, "plus_expr") || !strcmp(bytes->text, "minus_expr")) {
    struct value *a = divided(program, given[0], size, depth + 1), *b = divided(program, given[1], size, depth + 1);
    return a && b ? make(program, bytes->text, a, b) : NULL;
  }
  if (strcmp(bytes->text, "mult_expr") != 0 || given[1]->kind != VALUE_INT || given[1]->number % size) return NULL;
  long times = given[1]->number / size;
  return times == 1 ? given[0] : make(program, "mult_expr", given[0], number(program, times));
}

/* Where the pointer comes from, and the elements of that size between; false: it is not of one list. */
static bool resolve(struct program *program, const struct value *pointer, long size, struct statement **from,
                    struct value **index, const char **name) {
  for (int depth = 0; depth < DEEP && pointer && pointer->kind == VALUE_SSA; depth++) {
    struct statement *made = source_definition(program, pointer->ssa);
    if (made && *program->names[pointer->ssa].name && !*name) *name = program->names[pointer->ssa].name;
    if (allocates(made)) {
      *from = made;
      return true;
    }
    const struct value *value = made && made->kind == STATEMENT_ASSIGN ? made->value : NULL;
    if (!value) return false;
    if (value->kind == VALUE_MEMORY) {
      if (value->memory->decl && value->memory->name && !*name) *name = value->memory->name;
      pointer = inputs_stored(program, made, &made->load, value->memory);
    } else if (value->kind == VALUE_OP && !strcmp(value->text, "pointer_plus_expr")) {
      struct value *more = divided(program, value->arguments[1], size, 0);
      if (!more) return false;
      *index = *index ? make(program, "plus_expr", *index, more) : more;
      pointer = value->arguments[0];
    } else {
      pointer = value->kind == VALUE_OP && value->count == 1 ? value->arguments[0]
                : value->kind == VALUE_SSA                   ? value
                                                             : NULL;
    }
  }
  return false;
}

static bool make_list(struct program *program, struct reference *memory, const struct value *pointer) {
  struct statement *from = NULL;
  struct value *index = NULL;
  const char *name = NULL;
  if (memory->size < 1 || memory->offset % memory->size || memory->odd || memory->index) return false;
  if (!resolve(program, pointer, memory->size, &from, &index, &name)) return false;
  long first = memory->offset / memory->size;
  bool constant = index && index->kind == VALUE_INT;
  if (constant) first += index->number;
  memory->heap = from;
  memory->decl = FIRST + from->id;
  memory->name = name && *name ? name : "list";
  memory->path = room_printf(program->room, "[%ld]", first);
  memory->offset = first * memory->size;
  memory->scale = memory->stride = memory->size;
  memory->index = constant ? NULL : index;
  memory->pointer = NULL;
  memory->zeros = false;
  return true;
}

static void walk(struct program *program, struct value *value) {
  if (!value) return;
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    walk(program, value->arguments[i]);
  if ((value->kind == VALUE_MEMORY || value->kind == VALUE_ADDRESS) && value->memory->pointer && !value->memory->decl)
    make_list(program, value->memory, value->memory->pointer);
}

struct value *heap_address(struct program *program, const struct value *pointer, long size) {
  struct value *value = ROOM_ARRAY(program->room, struct value, 1);
  *value = (struct value){.kind = VALUE_ADDRESS, .type = 'p'};
  value->memory = ROOM_ARRAY(program->room, struct reference, 1);
  *value->memory = (struct reference){.type = 'i', .size = size, .parameter = -1};
  return make_list(program, value->memory, pointer) ? value : NULL;
}

void heap_find(struct program *program) {
  for (unsigned i = 0; i < program->id_count; i++) {
    struct statement *statement = program->by_id[i];
    if (!statement || !program->blocks[statement->block].reached) continue;
    walk(program, statement->value);
    if (statement->to && statement->to->pointer && !statement->to->decl)
      make_list(program, statement->to, statement->to->pointer);
    for (size_t k = 0; k < statement->argument_count; k++)
      if (statement->kind == STATEMENT_CALL) walk(program, statement->arguments[k].value);
    /* Lists and requests, whose elements are ints. */
    for (size_t k = 0; statement->mpi && k < statement->argument_count && statement->mpi->roles[k]; k++) {
      struct argument *argument = &statement->arguments[k];
      if (!strchr("qQWlLdtcskRZ", statement->mpi->roles[k]) || !argument->value || argument->value->kind != VALUE_SSA)
        continue;
      struct value *address = heap_address(program, argument->value, 4);
      if (address) argument->value = address;
    }
  }
}
