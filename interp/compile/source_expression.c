/* Expressions of the program in PSL. What C and Fortran have otherwise (quotients that truncate, bits) becomes what
 * has the same value; what has none is an error at its line. */
#include "interp/compile/emit.h"

#include <stdlib.h>
#include <string.h>

static const char *wrap(struct model *model, const char *text, enum level own, enum level wanted) {
  return own < wanted ? room_printf(model->room, "(%s)", text) : text;
}

bool expression_reserved(const char *word) {
  static const char *const words[] = {
      "use",      "param",   "let",      "function",    "component", "coercion", "extern",  "system",
      "study",    "unit",    "var",      "if",          "then",      "else",     "for",     "while",
      "in",       "and",     "or",       "not",         "div",       "mod",      "call",    "hold",
      "return",   "where",   "by",       "true",        "false",     "assert",   "accepts", "body",
      "requests", "profile", "selector", "transaction", "protocol",  "domain",   "clock",   "caller",
      "standard", "machine", "network",  "costs",       "L",         "g",        NULL};
  for (size_t i = 0; words[i]; i++)
    if (!strcmp(words[i], word)) return true;
  return false;
}

const char *expression_word(struct model *model, const char *wanted) {
  if (wanted) wanted = source_field(wanted);
  while (wanted && *wanted == '_')
    wanted++;
  if (wanted && !strncmp(wanted, "result_", 7)) wanted += 7; /* of a function of Fortran */
  char *name = room_copy(model->room, wanted && *wanted ? wanted : "t");
  char *end = name;
  for (const char *at = name; *at; at++)
    if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_')
      *end++ = *at;
  *end = '\0';
  if (!*name || *name == '_' || (*name >= '0' && *name <= '9')) name = room_printf(model->room, "v%s", name);
  return name;
}

const char *expression_name(struct model *model, const char *wanted) {
  const char *name = expression_word(model, wanted), *found = name;
  for (int n = 1;; n++) {
    bool taken = expression_reserved(found);
    for (size_t i = 0; i < model->taken_count; i++)
      taken |= !strcmp(model->taken[i], found);
    if (!taken) break;
    found = room_printf(model->room, "%s_%d", name, n + 1);
  }
  ROOM_PUSH(model->room, model->taken, model->taken_count, model->taken_capacity, found);
  return found;
}

void expression_forget(struct model *model, const char *name) {
  size_t kept = 0;
  for (size_t i = 0; i < model->taken_count; i++)
    if (strcmp(model->taken[i], name) != 0) model->taken[kept++] = model->taken[i];
  model->taken_count = kept;
}

bool expression_uses(const struct program *program, const struct value *value, unsigned ssa) {
  if (!value) return false;
  if (value->kind == VALUE_SSA) return value->ssa == ssa;
  for (size_t i = 0; value->kind == VALUE_OP && i < value->count; i++)
    if (expression_uses(program, value->arguments[i], ssa)) return true;
  if (value->kind == VALUE_MEMORY)
    return expression_uses(program, value->memory->index, ssa) || expression_uses(program, value->memory->pointer, ssa);
  return false;
}

static bool is(const struct value *value, const char *operator) {
  return value->kind == VALUE_OP && !strcmp(value->text, operator);
}

static bool is_conversion(const struct value *value) {
  return is(value, "nop_expr") || is(value, "convert_expr") || is(value, "float_expr") || is(value, "paren_expr") ||
         is(value, "view_convert_expr") || is(value, "non_lvalue_expr");
}

/* ---- signs ---- */

static char type_of(const struct program *program, const struct value *value) {
  if (value->kind == VALUE_SSA) return program->names[value->ssa].type;
  if (value->kind == VALUE_OP) return value->type;
  if (value->kind == VALUE_MEMORY) return value->memory->type;
  return value->kind == VALUE_REAL ? 'f' : 'i';
}

/* The call that alone sets what is read; NULL: there is none, or another. */
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

static bool positive_sources(const struct program *program, const struct argument *load, const struct reference *memory,
                             int depth) {
  if (load->entry && memory->initial && !expression_positive(program, memory->initial, depth)) return false;
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    if (!from || !program->blocks[from->block].reached) continue;
    bool known = (from->input >= 0 && !program->inputs[from->input].below) ||
                 (from->mpi && strpbrk(from->mpi->roles, "RZdts")) ||
                 (from->kind == STATEMENT_STORE && expression_positive(program, from->value, depth));
    if (!known) return false;
  }
  return true;
}

static bool positive_definition(const struct program *program, const struct statement *statement, int depth) {
  if (!statement) return false;
  if (statement->kind == STATEMENT_CALL) return statement->input >= 0;
  if (statement->kind == STATEMENT_PHI) {
    for (size_t i = 0; i < statement->argument_count; i++)
      if (program->blocks[statement->arguments[i].block].reached &&
          !expression_positive(program, statement->arguments[i].value, depth))
        return false;
    return true;
  }
  if (statement->kind != STATEMENT_ASSIGN) return false;
  if (statement->value->kind != VALUE_MEMORY) return expression_positive(program, statement->value, depth);
  return statement->value->memory->decl && positive_sources(program, &statement->load, statement->value->memory, depth);
}

/* Sums the constants of a sum, and ones for the number of ranks in it; false: something else in it may be below 0. */
static bool least_of_sum(const struct program *program, const struct value *value, long *least, int depth) {
  const struct statement *made = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
  if (made && made->kind == STATEMENT_ASSIGN && made->value->kind == VALUE_OP && is(made->value, "plus_expr"))
    value = made->value;
  if (value->kind == VALUE_INT) {
    *least += value->number;
    return true;
  }
  if (is(value, "plus_expr") && depth < 24)
    return least_of_sum(program, value->arguments[0], least, depth + 1) &&
           least_of_sum(program, value->arguments[1], least, depth + 1);
  const struct statement *set = made && made->kind == STATEMENT_ASSIGN && made->value->kind == VALUE_MEMORY
                                    ? only_source(program, &made->load)
                                    : NULL;
  if (set && set->mpi && strchr(set->mpi->roles, 'Z')) ++*least;
  return expression_positive(program, value, depth + 1);
}

/* Is it a number without a sign, of as many bits, that may be in the upper half, so that with a sign it is below 0? */
static bool turns_negative(struct program *program, const struct value *value) {
  const struct value *from = value->count == 1 ? value->arguments[0] : NULL;
  if (value->type != 'i' || !from || type_of(program, from) != 'u') return false;
  unsigned width = from->kind == VALUE_SSA ? program->names[from->ssa].width : from->width;
  if (width < value->width) return false;
  if (program->ranging) return true; /* while that is found out, nothing is known of it */
  program->ranging = true;
  bool wraps = range_wraps(program, value);
  program->ranging = false;
  return wraps;
}

/* A phi in its own loop counts as positive while it is looked at: what it is made of decides. */
bool expression_positive(const struct program *program, const struct value *value, int depth) {
  if (depth > 24) return true;
  switch (value->kind) {
  case VALUE_INT: return value->number >= 0;
  case VALUE_SSA: return positive_definition(program, source_definition(program, value->ssa), depth + 1);
  case VALUE_OP: break;
  default: return false;
  }
  long least = 0;
  if (is(value, "plus_expr")) return least_of_sum(program, value, &least, depth) && least >= 0;
  if (is(value, "max_expr"))
    return expression_positive(program, value->arguments[0], depth + 1) ||
           expression_positive(program, value->arguments[1], depth + 1);
  static const char *const keep[] = {"mult_expr", "trunc_div_expr", "exact_div_expr", "trunc_mod_expr", "min_expr",
                                     "nop_expr",  "convert_expr",   "rshift_expr",    "lshift_expr",    NULL};
  if (value->type == 'b' || is(value, "abs_expr") || is(value, "absu_expr")) return true;
  for (size_t i = 0; keep[i]; i++) {
    if (!is(value, keep[i])) continue;
    if (turns_negative((struct program *)program, value)) return false;
    for (size_t k = 0; k < value->count; k++)
      if (!expression_positive(program, value->arguments[k], depth + 1)) return false;
    return true;
  }
  return is(value, "bit_and_expr") && value->arguments[1]->kind == VALUE_INT && value->arguments[1]->number >= 0;
}

/* ---- memory ---- */

const char *expression_number(struct room *room, const struct value *value) {
  if (value && value->kind == VALUE_INT) return room_printf(room, "%ld", value->number);
  if (value && value->kind == VALUE_REAL) return room_printf(room, "%.17g", strtod(value->text, NULL));
  return NULL;
}

/* The path of a list, without the one index in it, and what that is; -1: there is no index. A place in several lists is
 * an element of the innermost one, if it ends in that. */
static const char *list_path(struct model *model, const char *path, long *index) {
  size_t length = strlen(path);
  const char *open = strrchr(path, '['), *close = open ? strchr(open, ']') : NULL;
  *index = -1;
  if (!close || (close != path + length - 1 && open != strchr(path, '['))) return path;
  *index = atol(open + 1);
  return room_printf(model->room, "%.*s[]%s", (int)(open - path), path, close + 1);
}

/* What the list begins as; NULL: that is not known. */
static const char *list_initial(struct model *model, const struct reference *memory, const char *none) {
  const char *zeros = room_printf(model->room, "[k in 0 .. %ld : %s]", memory->length - 1, none);
  if (!memory->is_static || memory->zeros) return zeros;
  if (memory->length < 1 || memory->element_count != (size_t)memory->length) return NULL;
  struct text list = {.room = model->room};
  for (size_t i = 0; i < memory->element_count; i++) {
    const struct value *value = memory->elements[i];
    const char *text = value ? expression_number(model->room, value) : NULL;
    if (!text) return NULL;
    if (memory->type == 'b') text = value->number ? "true" : "false";
    if (memory->type == 'f' && !strpbrk(text, ".en")) text = room_printf(model->room, "%s.0", text);
    text_add(&list, "%s%s", i ? ", " : "[", text);
  }
  text_add(&list, "]");
  return list.data;
}

static struct cell *cell_of(struct model *model, const struct reference *memory, long *index) {
  const char *path = list_path(model, memory->path, index);
  for (size_t i = 0; i < model->cell_count; i++)
    if (model->cells[i].decl == memory->decl && !strcmp(model->cells[i].path, path)) {
      if (memory->heap && model->cells[i].size != memory->size)
        source_error(model->program, model->at, NULL, "what is allocated as '%s' has elements of several sizes",
                     model->cells[i].name);
      return &model->cells[i];
    }
  const char *dot = strrchr(path, '.');
  const char *field = dot ? room_printf(model->room, "%.*s", (int)strcspn(dot + 1, "["), dot + 1) : "";
  bool list = *index >= 0;
  const char *initial = expression_number(model->room, memory->initial);
  bool truth = memory->type == 'b';
  bool real = memory->type == 'f';
  const char *none = truth ? "false" : real ? "0.0" : "0";
  if (truth && initial && strcmp(initial, "0")) initial = "true";
  struct cell cell = {
      .decl = memory->decl,
      .path = path,
      .name = expression_name(model, *field ? field : memory->name),
      .list = list,
      .heap = memory->heap,
      .length = memory->length,
      .size = memory->size,
      .type = truth  ? "bool"
              : real ? "real"
                     : "int",
      .initial = list                                     ? list_initial(model, memory, none)
                 : !initial || (truth && *initial == '0') ? none
                                                          : initial,
  };
  if (memory->heap) cell.initial = "[]";
  if (!cell.initial) {
    source_error(model->program, model->at, NULL, "what '%s' begins as decides about messages and is not known",
                 memory->name);
    cell.initial = none;
  }
  ROOM_PUSH(model->room, model->cells, model->cell_count, model->cell_capacity, cell);
  text_add(&model->vars, list ? "var %s : [%s] = %s;\n" : "var %s : %s = %s;\n", cell.name, cell.type, cell.initial);
  return &model->cells[model->cell_count - 1];
}

const char *expression_cell(struct model *model, const struct reference *memory) {
  if (!memory->decl || !memory->path || memory->odd) {
    source_error(model->program, model->at, NULL,
                 "what decides about messages is in memory that %s, which a model cannot say",
                 memory->decl ? "is reached in several ways" : "is allocated, or reached by a pointer");
    return "0";
  }
  long index;
  struct cell *cell = cell_of(model, memory, &index);
  if (memory->index && (!cell->list || memory->scale != memory->stride)) {
    source_error(model->program, model->at, NULL,
                 "what decides about messages is in an array of arrays, which a model cannot say");
    return cell->name;
  }
  if (!cell->list) return cell->name;
  if (memory->index) {
    const char *at = expression_text(model, memory->index, LEVEL_SUM);
    return index ? room_printf(model->room, "%s[%s + %ld]", cell->name, at, index)
                 : room_printf(model->room, "%s[%s]", cell->name, at);
  }
  return room_printf(model->room, "%s[%ld]", cell->name, index);
}

/* What is read and holds for good, as a param, the rank or a number does; NULL: a variable is read. */
static const char *known_text(struct room *room, const struct program *program, const struct statement *reader,
                              const struct argument *load, const struct reference *memory) {
  load = inputs_behind(program, load, memory);
  const struct statement *source = only_source(program, load);
  bool first = source && (source->block == reader->block ? source->id < reader->id
                                                         : flow_dominates(program, source->block, reader->block));
  bool world = first && source->mpi && strpbrk(source->mpi->roles, "RZ") && mpi_in_world(program, source);
  if (world) return strchr(source->mpi->roles, 'R') ? "rank" : "ranks";
  int input = first ? inputs_at(program, source, memory) : -1;
  if (input >= 0) return program->inputs[input].name;
  bool constant = load->entry && load->from_count == 0 && memory->initial && !memory->index;
  return constant ? expression_number(room, memory->initial) : NULL;
}

/* What is read, by the program's own words where it is known what that is. */
static const char *read_text(struct model *model, const struct statement *reader, const struct argument *load,
                             const struct reference *memory, enum level level) {
  struct program *program = model->program;
  struct value *stored = inputs_stored(program, reader, load, memory);
  if (stored) return expression_text(model, stored, level);
  const char *known = known_text(model->room, program, reader, load, memory);
  if (known) return known;
  if (!only_source(program, load) && memory->parameter >= 0) {
    source_error(program, reader, NULL, "an argument of main decides about messages in a way that a model cannot say");
    return "0";
  }
  bool begins = memory->zeros || memory->initial || memory->index || !memory->is_static;
  if (load->entry && !begins)
    source_error(program, reader, NULL, "what '%s' begins as decides about messages and is not known", memory->name);
  return expression_cell(model, memory);
}

/* Does a read need no name, as what it reads has one that holds for good? */
bool expression_fixed(const struct program *program, const struct statement *reader) {
  const struct reference *memory = reader->value->memory;
  return inputs_stored(program, reader, &reader->load, memory) ||
         known_text(program->room, program, reader, &reader->load, memory);
}

bool expression_inline(const struct model *model, const struct statement *statement) {
  if (statement->kind == STATEMENT_PHI) return slice_same(model->program, statement) != NULL;
  if (statement->kind == STATEMENT_CALL) return statement->input >= 0 || statement->pure;
  if (statement->kind != STATEMENT_ASSIGN) return false;
  const struct value *value = statement->value;
  if (value->kind == VALUE_MEMORY) return expression_fixed(model->program, statement);
  if (value->kind != VALUE_OP || is_conversion(value) || statement->uses < 2) return true;
  if (*model->program->names[statement->def].name) return false;
  return value->count == 2 && value->arguments[1]->kind == VALUE_INT; /* i + 1 */
}

/* ---- operators ---- */

static const char *binary(struct model *model, const struct value *value, const char *operator, enum level own,
                          enum level wanted) {
  const char *left = expression_text(model, value->arguments[0], own);
  const char *right = expression_text(model, value->arguments[1], own + 1);
  return wrap(model, room_printf(model->room, "%s %s %s", left, operator, right), own, wanted);
}

static const char *function(struct model *model, const char *name, const struct value *value) {
  const char *text = expression_text(model, value->arguments[0], LEVEL_IF);
  if (value->count > 1)
    text = room_printf(model->room, "%s, %s", text, expression_text(model, value->arguments[1], LEVEL_IF));
  return room_printf(model->room, "%s(%s)", name, text);
}

static const char *unsayable(struct model *model, const char *what) {
  source_error(model->program, model->at, NULL,
               "%s decides about messages or the length of loops, which a model cannot say", what);
  return "0";
}

static bool is_power(long number) { return number > 0 && (number & (number - 1)) == 0; }

/* Bits of whole numbers: what masks the lowest ones is a remainder. */
static const char *bits(struct model *model, const struct value *value, enum level level) {
  const struct value *mask = value->arguments[1];
  const char *left = expression_text(model, value->arguments[0], LEVEL_TERM);
  if (is(value, "bit_and_expr") && mask->kind == VALUE_INT && is_power(mask->number + 1))
    return wrap(model, room_printf(model->room, "%s mod %ld", left, mask->number + 1), LEVEL_TERM, level);
  if (is(value, "bit_and_expr") && mask->kind == VALUE_INT && is_power(mask->number))
    return wrap(model, room_printf(model->room, "%s div %ld mod 2 * %ld", left, mask->number, mask->number), LEVEL_TERM,
                level);
  if (is(value, "bit_and_expr") && mask->kind == VALUE_INT && is_power(-mask->number)) {
    const char *text = room_printf(model->room, "%s div %ld * %ld", left, -mask->number, -mask->number);
    return wrap(model, text, LEVEL_TERM, level);
  }
  if (is(value, "rshift_expr") && value->type == 'u' && !range_unsigned(model->program, value->arguments[0]))
    return unsayable(model, "a number without a sign that is shifted");
  if (is(value, "rshift_expr")) {
    if (mask->kind == VALUE_INT)
      return wrap(model, room_printf(model->room, "%s div %ld", left, 1L << mask->number), LEVEL_TERM, level);
    const char *by = expression_text(model, mask, LEVEL_WORD);
    return wrap(model, room_printf(model->room, "%s div 2 ^ %s", left, by), LEVEL_TERM, level);
  }
  if (is(value, "lshift_expr")) {
    const char *by = expression_text(model, mask, LEVEL_WORD);
    return wrap(model, room_printf(model->room, "%s * 2 ^ %s", left, by), LEVEL_TERM, level);
  }
  return unsayable(model, "an operation on bits");
}

static const char *quotient(struct model *model, const struct value *value, enum level level) {
  bool rest = is(value, "trunc_mod_expr");
  bool plain = expression_positive(model->program, value->arguments[0], 0) &&
               expression_positive(model->program, value->arguments[1], 0);
  if (is(value, "floor_div_expr") || is(value, "exact_div_expr") || plain)
    return binary(model, value, rest ? "mod" : "div", LEVEL_TERM, level);
  bool both =
      range_unsigned(model->program, value->arguments[0]) && range_unsigned(model->program, value->arguments[1]);
  if (both) return binary(model, value, rest ? "mod" : "div", LEVEL_TERM, level);
  if (value->type == 'u') return unsayable(model, "a quotient of numbers without a sign");
  *(rest ? &model->remainder : &model->quotient) = true;
  return function(model, rest ? "remainder" : "quotient", value);
}

static const char *plain_operation(struct model *model, const struct value *value, enum level level);

static const char *conversion(struct model *model, const struct value *value, enum level level) {
  const struct value *from = value->arguments[0];
  char type = type_of(model->program, from);
  bool truth = type == 'b', wanted = value->type == 'b';
  if (truth && !wanted)
    return wrap(model, room_printf(model->room, "if %s then 1 else 0", expression_text(model, from, LEVEL_OR)),
                LEVEL_IF, level);
  if (!truth && wanted)
    return wrap(model, room_printf(model->room, "%s != 0", expression_text(model, from, LEVEL_RANGE)), LEVEL_COMPARE,
                level);
  const struct value *sum = range_converted(model->program, value);
  return sum ? plain_operation(model, sum, level) : expression_text(model, from, level);
}

static const char *sum(struct model *model, const struct value *value, enum level level) {
  const struct value *right = value->arguments[1];
  bool plus = is(value, "plus_expr");
  if (right->kind == VALUE_INT && right->number < 0) {
    const char *left = expression_text(model, value->arguments[0], LEVEL_SUM);
    return wrap(model, room_printf(model->room, "%s %c %ld", left, plus ? '-' : '+', -right->number), LEVEL_SUM, level);
  }
  return binary(model, value, plus ? "+" : "-", LEVEL_SUM, level);
}

static const struct {
  const char *code, *word, *opposite;
} comparisons[] = {
    {"lt_expr", "<", ">="}, {"le_expr", "<=", ">"},  {"gt_expr", ">", "<="},
    {"ge_expr", ">=", "<"}, {"eq_expr", "==", "!="}, {"ne_expr", "!=", "=="},
};

/* A number without a sign that is below 0 here is greater than all that are not. */
static const char *unsigned_text(struct model *model, const struct value *value, bool negated, enum level level) {
  bool greater = is(value, "gt_expr") || is(value, "ge_expr"), equal = is(value, "ge_expr") || is(value, "le_expr");
  const struct value *less = value->arguments[greater], *more = value->arguments[!greater];
  const char *a = expression_text(model, less, LEVEL_RANGE), *b = expression_text(model, more, LEVEL_RANGE);
  if (range_unsigned(model->program, more)) { /* less < more: it is no number below 0 */
    const char *text = room_printf(model->room, "0 <= %s %s %s", a, equal ? "<=" : "<", b);
    if (!negated) return wrap(model, text, LEVEL_COMPARE, level);
    return wrap(model, room_printf(model->room, "not 0 <= %s %s %s", a, equal ? "<=" : "<", b), LEVEL_NOT, level);
  }
  if (!range_unsigned(model->program, less)) return unsayable(model, "a comparison of numbers without a sign");
  const char *text = room_printf(model->room, "0 <= %s %s %s", b, equal ? "<" : "<=", a);
  if (negated) return wrap(model, text, LEVEL_COMPARE, level);
  return wrap(model, room_printf(model->room, "not %s", text), LEVEL_NOT, level);
}

/* Is it a type that a call of MPI makes? Of those a model has the sizes alone. */
static bool is_made_type(const struct program *program, const struct value *value) {
  const struct statement *read = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
  for (size_t i = 0; read && i < read->load.from_count; i++) {
    const struct statement *from = program->by_id[read->load.from[i]];
    if (from && from->mpi && strchr(from->mpi->roles, 't')) return true;
  }
  return false;
}

const char *expression_condition(struct model *model, const struct value *value, bool negated, enum level level) {
  size_t which = 0;
  while (which < 6 && !is(value, comparisons[which].code))
    which++;
  if (which == 6) {
    const char *text = expression_text(model, value, negated ? LEVEL_COMPARE : level);
    return negated ? wrap(model, room_printf(model->room, "not %s", text), LEVEL_NOT, level) : text;
  }
  const struct value *left = value->arguments[0], *right = value->arguments[1];
  bool truth = type_of(model->program, left) == 'b' && right->kind == VALUE_INT;
  if (truth) {
    bool wanted = (right->number != 0) == (which == 4);
    if (wanted != negated) return expression_text(model, left, level);
    return wrap(model, room_printf(model->room, "not %s", expression_text(model, left, LEVEL_COMPARE)), LEVEL_NOT,
                level);
  }
  const struct statement *opened = left->kind == VALUE_SSA ? source_definition(model->program, left->ssa) : NULL;
  bool file = opened && opened->input >= 0 && right->kind == VALUE_INT && right->number == 0;
  if (type_of(model->program, left) == 'p' && !file) return unsayable(model, "a pointer");
  if (is_made_type(model->program, left) && is_made_type(model->program, right))
    return unsayable(model, "whether two types that are made are the same");
  const char *a = expression_text(model, left, LEVEL_RANGE), *b = expression_text(model, right, LEVEL_RANGE);
  bool unsign = type_of(model->program, left) == 'u' || type_of(model->program, right) == 'u';
  if (unsign && which < 4 && (!range_unsigned(model->program, left) || !range_unsigned(model->program, right)))
    return unsigned_text(model, value, negated, level);
  const char *word = negated ? comparisons[which].opposite : comparisons[which].word;
  return wrap(model, room_printf(model->room, "%s %s %s", a, word, b), LEVEL_COMPARE, level);
}

static const char *plain_operation(struct model *model, const struct value *value, enum level level) {
  bool truth = value->type == 'b';
  if (is_conversion(value)) return conversion(model, value, level);
  if (is(value, "plus_expr") || is(value, "minus_expr")) return sum(model, value, level);
  if (is(value, "mult_expr")) return binary(model, value, "*", LEVEL_TERM, level);
  if (is(value, "rdiv_expr")) return binary(model, value, "/", LEVEL_TERM, level);
  if (strstr(value->text, "_div_expr") || is(value, "trunc_mod_expr")) return quotient(model, value, level);
  if (is(value, "fix_trunc_expr")) {
    const char *text = expression_text(model, value->arguments[0], LEVEL_IF);
    model->truncated = true;
    return room_printf(model->room, "truncated(%s)", text);
  }
  if (is(value, "max_expr")) return function(model, "max", value);
  if (is(value, "min_expr")) return function(model, "min", value);
  if (is(value, "abs_expr") || is(value, "absu_expr")) return function(model, "abs", value);
  if (is(value, "negate_expr"))
    return wrap(model, room_printf(model->room, "-%s", expression_text(model, value->arguments[0], LEVEL_POWER)),
                LEVEL_SIGN, level);
  if (truth && is(value, "bit_and_expr")) return binary(model, value, "and", LEVEL_AND, level);
  if (truth && is(value, "bit_ior_expr")) return binary(model, value, "or", LEVEL_OR, level);
  if (truth && (is(value, "bit_not_expr") || is(value, "truth_not_expr")))
    return wrap(model, room_printf(model->room, "not %s", expression_text(model, value->arguments[0], LEVEL_COMPARE)),
                LEVEL_NOT, level);
  if (is(value, "bit_not_expr")) {
    const char *text = expression_text(model, value->arguments[0], LEVEL_POWER);
    return wrap(model, room_printf(model->room, "-%s - 1", text), LEVEL_SUM, level);
  }
  if (is(value, "cond_expr")) {
    const char *c = expression_text(model, value->arguments[0], LEVEL_OR);
    const char *a = expression_text(model, value->arguments[1], LEVEL_OR),
               *b = expression_text(model, value->arguments[2], LEVEL_IF);
    return wrap(model, room_printf(model->room, "if %s then %s else %s", c, a, b), LEVEL_IF, level);
  }
  if (truth && value->count == 2) return expression_condition(model, value, false, level);
  if (value->count == 2) return bits(model, value, level);
  return unsayable(model, room_printf(model->room, "an operation (%s)", value->text));
}

static const char *operation(struct model *model, const struct value *value, enum level level) {
  if (!range_wraps(model->program, value)) return plain_operation(model, value, level);
  long all = 1L << value->width;
  if (value->type == 'u') {
    const char *text = plain_operation(model, value, LEVEL_TERM);
    return wrap(model, room_printf(model->room, "%s mod %ld", text, all), LEVEL_TERM, level);
  }
  const char *text = plain_operation(model, value, LEVEL_SUM);
  return wrap(model, room_printf(model->room, "(%s + %ld) mod %ld - %ld", text, all / 2, all, all / 2), LEVEL_SUM,
              level);
}

/* ---- all ---- */

static const char *call_text(struct model *model, const struct statement *call, enum level level) {
  static const struct {
    const char *name, *word;
  } known[] = {{"sqrt", "sqrt"}, {"log2", "log2"},   {"log", "log"},    {"log10", "log10"}, {"exp", "exp"},
               {"fabs", "abs"},  {"fmax", "max"},    {"fmin", "min"},   {"abs", "abs"},     {"labs", "abs"},
               {"ceil", "ceil"}, {"floor", "floor"}, {"sqrtf", "sqrt"}, {"logf", "log"}};
  if (call->input >= 0 && !model->program->inputs[call->input].memory) return model->program->inputs[call->input].name;
  if (call->input >= 0) return room_printf(model->room, "%zu", call->input_count); /* of a scan: all are there */
  if (!strcmp(call->call, "BUILTIN_EXPECT")) return expression_text(model, call->arguments[0].value, level);
  const char *name = !strncmp(call->call, "__builtin_", 10) ? call->call + 10 : call->call;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].name, name)) continue;
    const char *text = expression_text(model, call->arguments[0].value, LEVEL_IF);
    if (call->argument_count > 1)
      text = room_printf(model->room, "%s, %s", text, expression_text(model, call->arguments[1].value, LEVEL_IF));
    return room_printf(model->room, "%s(%s)", known[i].word, text);
  }
  const char *said = assumed_returned(model->program, call);
  if (said) return room_printf(model->room, strpbrk(said, " +-") ? "(%s)" : "%s", said);
  model->at = call;
  return unsayable(
      model, room_printf(model->room, "what '%s' returns%s", call->call, call->defined ? ", which calls itself," : ""));
}

const char *expression_of(struct model *model, const struct statement *statement, enum level level) {
  const struct statement *before = model->at;
  model->at = statement->line ? statement : before;
  const char *text;
  if (statement->kind == STATEMENT_CALL)
    text = call_text(model, statement, level);
  else if (statement->value && statement->value->kind == VALUE_MEMORY)
    text = read_text(model, statement, &statement->load, statement->value->memory, level);
  else
    text = statement->value ? expression_text(model, statement->value, level) : unsayable(model, "a value");
  model->at = before;
  return text;
}

const char *expression_ssa(struct model *model, unsigned ssa, enum level level) {
  const struct ssa *name = &model->program->names[ssa];
  if (name->text) return wrap(model, name->text, (enum level)name->precedence, level);
  const struct statement *statement = name->def;
  if (!statement)
    return unsayable(model, *name->name ? room_printf(model->room, "'%s'", name->name) : "a parameter of main");
  const struct value *same = statement->kind == STATEMENT_PHI ? slice_same(model->program, statement) : NULL;
  if (same) return expression_text(model, same, level);
  if (statement->kind == STATEMENT_PHI) {
    model->at = model->at ? model->at : statement;
    return unsayable(model, *name->name ? room_printf(model->room, "'%s'", name->name) : "a value");
  }
  return expression_of(model, statement, level);
}

const char *expression_text(struct model *model, const struct value *value, enum level level) {
  switch (value->kind) {
  case VALUE_INT:
    return wrap(model, expression_number(model->room, value), value->number < 0 ? LEVEL_SIGN : LEVEL_WORD, level);
  case VALUE_REAL: return expression_number(model->room, value);
  case VALUE_SSA: return expression_ssa(model, value->ssa, level);
  case VALUE_OP: return operation(model, value, level);
  case VALUE_MEMORY: return expression_cell(model, value->memory);
  case VALUE_ADDRESS: return unsayable(model, "an address");
  case VALUE_OTHER: return unsayable(model, "a value");
  }
  return "0";
}

const char *expression_as(struct model *model, const struct value *value, char type, enum level level) {
  if (type == 'b' && value->kind == VALUE_INT) return value->number ? "true" : "false";
  return expression_text(model, value, level);
}

const char *expression_argument(struct model *model, const struct statement *call, size_t place, enum level level) {
  const struct argument *argument = &call->arguments[place];
  model->at = call;
  if (argument->value->kind == VALUE_MEMORY) return read_text(model, call, argument, argument->value->memory, level);
  return expression_text(model, argument->value, level);
}
