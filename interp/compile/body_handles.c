/* Types and communicators that a program makes. A type is the number of its bytes, a communicator the number that PSL
 * gives it; handles that MPICH has by itself are told apart from both by their size. Grids of ranks are lists of
 * sides. */
#include "interp/compile/body.h"

#include <stdlib.h>
#include <string.h>

enum { WORLD = 0x44000000, SELF = 0x44000001, NO_COMMUNICATOR = 0x04000000, NO_TYPE = 0x0c000000 };

/* ---- types ---- */

/* Of a pair of a number and a place, whose handle has no size in it. */
static long pair_bytes(unsigned long handle) {
  static const long bytes[] = {8, 12, 12, 6, 20};
  return handle >> 8 == 0x8c0000 && (handle & 0xff) < 5 ? bytes[handle & 0xff] : 0;
}

const char *handle_bytes(struct body *body, const struct statement *call, size_t place, long *known) {
  unsigned long handle = mpi_handle(body->program, call, place);
  *known = handle >> 24 == 0x4c ? (long)(handle >> 8 & 0xff) : pair_bytes(handle);
  if (*known) return room_printf(body->room, "%ld", *known);
  if (handle) {
    source_error(body->program, call, NULL, "what is sent is of a type whose size is not known");
    return "0";
  }
  body->model->types = true;
  return room_printf(body->room, "bytes-of(%s)", expression_argument(body->model, call, place, LEVEL_IF));
}

const char *handle_message(struct body *body, const struct statement *call, size_t count, size_t type) {
  long known;
  const char *bytes = handle_bytes(body, call, type, &known);
  const struct value *many = call->arguments[count].value;
  if (known && many->kind == VALUE_INT) return room_printf(body->room, "%ld byte", many->number * known);
  const char *text = expression_argument(body->model, call, count, LEVEL_TERM);
  return room_printf(body->room, known ? "%s * %s byte" : "%s * %s * 1 byte", text, bytes);
}

/* ---- lists ---- */

/* Of elements of what is named as a whole: b, as logicals of Fortran are, where some statement has one; else i. */
static char element_type(const struct program *program, unsigned decl) {
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *user = program->by_id[i];
    if (!user) continue;
    if (user->to && user->to->decl == decl && user->to->type == 'b') return 'b';
    const struct reference *read = user->value && user->value->kind == VALUE_MEMORY ? user->value->memory : NULL;
    if (read && read->decl == decl && read->type == 'b') return 'b';
  }
  return 'i';
}

/* The list, and where in it the argument begins; NULL after an error. */
const char *handle_list(struct body *body, const struct statement *call, size_t place, long *from, long *length) {
  const struct value *value = source_address(body->program, call->arguments[place].value);
  if (!value || value->memory->index) {
    source_error(body->program, call, NULL,
                 "a list of numbers or requests is in memory that is allocated, or reached by a pointer");
    return NULL;
  }
  struct reference first = *value->memory;
  if (first.type == 'a' && first.path && strchr(first.path, '[')) { /* a row of several */
    first.type = 'i';
    first.size = first.stride;
  } else if (first.type == 'a') {
    first.path = room_printf(body->room, "%s[0]", first.path ? first.path : "");
    first.type = element_type(body->program, first.decl);
    first.length = first.size / 4;
    first.size = first.stride = 4;
  }
  const char *element = expression_cell(body->model, &first), *open = strrchr(element, '[');
  *from = -1;
  if (!open) return element;
  *from = atol(open + 1);
  *length = first.length;
  return room_printf(body->room, "%.*s", (int)(open - element), element);
}

static bool has_truths(const struct model *model, const char *list) {
  for (size_t i = 0; i < model->cell_count; i++)
    if (!strcmp(model->cells[i].name, list)) return *model->cells[i].type == 'b';
  return false;
}

/* So many elements of it, as numbers, each as `each` makes it of what stands for %s. */
const char *handle_elements(struct body *body, const struct statement *call, size_t place, const char *count,
                            const char *times) {
  long from = 0, length = 0;
  const char *name = handle_list(body, call, place, &from, &length);
  if (!name) return "[]";
  if (has_truths(body->model, name))
    return from < 0 ? room_printf(body->room, "[if %s then 1 else 0]", name)
                    : room_printf(body->room, "[k in 0 .. %s - 1 : if %s[%s] then 1 else 0]", count, name,
                                  from ? room_printf(body->room, "k + %ld", from) : "k");
  if (from < 0) return room_printf(body->room, "[%s%s]", name, times);
  return from ? room_printf(body->room, "[k in 0 .. %s - 1 : %s[k + %ld]%s]", count, name, from, times)
              : room_printf(body->room, "[k in 0 .. %s - 1 : %s[k]%s]", count, name, times);
}

const char *handle_ranks(struct body *body, struct text *out, const struct statement *call) {
  const char *communicator = handle_communicator(body, call);
  if (!communicator) return "ranks";
  const char *name = expression_name(body->model, "members");
  body_need(body, "comm-size(c)", "MPI-comm-size(c)", false);
  text_add(out, "let %s = call comm-size(%s);\n", name, communicator);
  return name;
}

const char *handle_sizes(struct body *body, struct text *out, const struct statement *call, size_t list, size_t type) {
  long known;
  const char *bytes = handle_bytes(body, call, type, &known);
  return handle_elements(body, call, list, handle_ranks(body, out, call),
                         room_printf(body->room, known ? " * %s byte" : " * %s * 1 byte", bytes));
}

/* ---- communicators ---- */

const char *handle_communicator(struct body *body, const struct statement *call) {
  const char *place = strchr(call->mpi->roles, 'C');
  if (mpi_in_world(body->program, call)) return NULL;
  size_t at = (size_t)(place - call->mpi->roles);
  unsigned long handle = mpi_handle(body->program, call, at);
  if (handle == SELF)
    source_error(body->program, call, NULL,
                 "MPI_COMM_SELF is not taken: a model has no messages to the same rank alone");
  if (handle) return "no-communicator";
  body->model->communicators = true;
  return room_printf(body->room, "communicator-of(%s)", expression_argument(body->model, call, at, LEVEL_IF));
}

const char *handle_own_place(struct body *body, struct text *out, const struct statement *call) {
  const char *communicator = handle_communicator(body, call);
  if (!communicator) return "rank";
  const char *name = expression_name(body->model, "place");
  body_need(body, "comm-rank(c)", "MPI-comm-rank(c)", false);
  text_add(out, "let %s = call comm-rank(%s);\n", name, communicator);
  return name;
}

const char *handle_put(struct body *body, const struct statement *call, size_t place) {
  const struct value *to = source_address(body->program, call->arguments[place].value);
  if (to) return expression_cell(body->model, to->memory);
  source_error(body->program, call, NULL, "what '%s' gives is put where a pointer leads, which a model cannot say",
               call->call);
  return NULL;
}

/* ---- grids ---- */

static bool makes_grid(const struct statement *call) {
  return call->mpi && (!strcmp(call->mpi->name, "Cart_create") || !strcmp(call->mpi->name, "Cart_sub"));
}

/* The call that made it; NULL: there are several, or it is not to be seen. */
static const struct statement *grid_of(struct body *body, const struct statement *call) {
  struct program *program = body->program;
  const struct argument *argument = &call->arguments[0];
  const struct statement *made =
      argument->value->kind == VALUE_SSA ? source_definition(program, argument->value->ssa) : NULL;
  const struct argument *load = made ? &made->load : argument;
  const struct statement *found = NULL, *only = NULL;
  size_t count = 0, all = 0;
  for (size_t i = 0; i < load->from_count; i++) {
    const struct statement *from = program->by_id[load->from[i]];
    if (!from || !program->blocks[from->block].reached) continue;
    found = from;
    count++;
  }
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *one = program->by_id[i];
    if (!one || !makes_grid(one) || !program->blocks[one->block].reached) continue;
    only = one;
    all++;
  }
  if (count == 1 && makes_grid(found)) return found;
  if (all == 1) return only;
  source_error(program, call, NULL, "of which grid this is is not to be seen: there are several calls that make one");
  return NULL;
}

static const char *grid_name(struct body *body, const struct statement *made, const char *what) {
  return room_printf(body->room, "%s_%u", what, made->id);
}

void handle_none(struct body *body, struct text *out, const char *cell) {
  if (!mpi_compared(body->program, NO_COMMUNICATOR)) return;
  text_add(out, "if %s < 0 {\n%s = %d;\n}\n", cell, cell, NO_COMMUNICATOR);
}

static void make_grid(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *sides = grid_name(body, call, "sides"), *turns = grid_name(body, call, "turns");
  const char *many = expression_argument(body->model, call, 1, LEVEL_SUM);
  text_add(&body->model->vars, "var %s : [int] = [];\nvar %s : [int] = [];\n", sides, turns);
  text_add(out, "%s = %s;\n", sides, handle_elements(body, call, 2, many, ""));
  text_add(out, "%s = %s;\n", turns, handle_elements(body, call, 3, many, ""));
  const char *old = handle_communicator(body, call), *own = handle_own_place(body, out, call);
  const char *to = handle_put(body, call, 5);
  body_need(body, call->mpi->label, call->mpi->transaction, false);
  if (!to) return;
  text_add(out, "%s = call comm-split(%s, if %s < product(%s) then 0 else -1, 0);%s\n", to, old ? old : "0", own, sides,
           place);
  handle_none(body, out, to);
}

/* The dimensions that are kept of a grid are another; ranks at the same place in all others are in the same one. */
static void make_part(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const struct statement *made = grid_of(body, call);
  const char *to = handle_put(body, call, 2);
  if (!made || !to) return;
  const char *sides = grid_name(body, made, "sides"), *turns = grid_name(body, made, "turns");
  const char *own_sides = grid_name(body, call, "sides"), *own_turns = grid_name(body, call, "turns");
  const char *kept = expression_name(body->model, "kept"), *old = handle_communicator(body, call);
  text_add(&body->model->vars, "var %s : [int] = [];\nvar %s : [int] = [];\n", own_sides, own_turns);
  text_add(out, "let %s = kept-of(%s);\n%s = [k in 0 .. length(%s) - 1 : %s[%s[k]]];\n", kept,
           handle_elements(body, call, 1, room_printf(body->room, "length(%s)", sides), ""), own_sides, kept, sides,
           kept);
  text_add(out, "%s = [k in 0 .. length(%s) - 1 : %s[%s[k]]];\n", own_turns, kept, turns, kept);
  const char *own = handle_own_place(body, out, call);
  body->model->grids = body->model->parts = true;
  body_need(body, call->mpi->label, call->mpi->transaction, false);
  text_add(out, "%s = call comm-split(%s, rest-of(%s, %s, %s), part-of(%s, %s, %s));%s\n", to, old ? old : "0", own,
           sides, kept, own, sides, kept, place);
}

/* An element of a list that is given. */
static void set_element(struct body *body, struct text *out, const struct statement *call, size_t place, long at,
                        const char *text) {
  long from = 0, length = 0;
  const char *name = handle_list(body, call, place, &from, &length);
  if (name && from < 0)
    text_add(out, "%s = %s;\n", name, text);
  else if (name)
    text_add(out, "%s[%ld] = %s;\n", name, from + at, text);
}

/* What is freed is no more, as the program may ask. */
static void emit_freed(struct body *body, struct text *out, const struct statement *call, long none) {
  if (!mpi_compared(body->program, none)) return;
  const struct value *value = source_address(body->program, call->arguments[0].value);
  if (value && value->memory->index)
    text_add(out, "%s = %ld;\n", expression_cell(body->model, value->memory), none);
  else
    set_element(body, out, call, 0, 0, room_printf(body->room, "%ld", none));
}

static void set_coordinates(struct body *body, struct text *out, const struct statement *call, size_t to,
                            const char *own, const char *sides) {
  const struct value *many = call->arguments[strcmp(call->mpi->name, "Cart_get") ? 2 : 1].value;
  if (many->kind != VALUE_INT || many->number > 16) {
    source_error(body->program, call, NULL, "how many dimensions the grid has is not written in the call");
    return;
  }
  for (long d = 0; d < many->number; d++)
    set_element(body, out, call, to, d, room_printf(body->room, "coordinate(%s, %s, %ld)", own, sides, d));
}

static void ask_grid(struct body *body, struct text *out, const struct statement *call) {
  const struct statement *made = grid_of(body, call);
  const char *name = call->mpi->name;
  if (!made) return;
  const char *sides = grid_name(body, made, "sides"), *turns = grid_name(body, made, "turns");
  body->model->grids = true;
  if (!strcmp(name, "Cart_coords")) {
    set_coordinates(body, out, call, 3, expression_argument(body->model, call, 1, LEVEL_IF), sides);
  } else if (!strcmp(name, "Cart_get")) {
    set_coordinates(body, out, call, 4, handle_own_place(body, out, call), sides);
  } else if (!strcmp(name, "Cart_rank")) {
    const char *at = handle_elements(body, call, 1, room_printf(body->room, "length(%s)", sides), "");
    set_element(body, out, call, 2, 0, room_printf(body->room, "place-in(%s, %s, %s)", sides, turns, at));
  } else {
    const char *own = handle_own_place(body, out, call), *d = expression_argument(body->model, call, 1, LEVEL_IF);
    const char *by = expression_argument(body->model, call, 2, LEVEL_POWER);
    set_element(body, out, call, 3, 0,
                room_printf(body->room, "shifted(%s, %s, %s, %s, -%s)", own, sides, turns, d, by));
    set_element(body, out, call, 4, 0,
                room_printf(body->room, "shifted(%s, %s, %s, %s, %s)", own, sides, turns, d, by));
  }
}

/* ---- calls ---- */

static const char *type_text(struct body *body, const struct statement *call) {
  const char *roles = call->mpi->roles, *old = strchr(roles, 'T');
  long known;
  const char *bytes = old ? handle_bytes(body, call, (size_t)(old - roles), &known) : "";
  const char *list = strchr(roles, 'l');
  const char *first = roles[0] == 'n' ? expression_argument(body->model, call, 0, LEVEL_TERM) : "1";
  if (!old) {
    long from = 0, length = 0;
    const char *lengths = handle_elements(body, call, 1, first, ""),
               *types = handle_list(body, call, 3, &from, &length);
    body->model->types = true;
    if (!types) return "0";
    return from < 0 ? room_printf(body->room, "%s[0] * bytes-of(%s)", lengths, types)
                    : room_printf(body->room, "sum(k in 0 .. %s - 1 : %s[k] * bytes-of(%s[k + %ld]))", first, lengths,
                                  types, from);
  }
  if (list) {
    bool product = !strcmp(call->mpi->name, "Type_create_subarray");
    return room_printf(body->room, "%s(%s) * %s", product ? "product" : "sum",
                       handle_elements(body, call, (size_t)(list - roles), first, ""), bytes);
  }
  const char *second = roles[1] == 'n'
                           ? room_printf(body->room, " * %s", expression_argument(body->model, call, 1, LEVEL_TERM + 1))
                           : "";
  return room_printf(body->room, "%s%s * %s", first, second, bytes);
}

static void make_communicator(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *old = handle_communicator(body, call);
  bool split = !strcmp(call->mpi->name, "Comm_split");
  const char *to = handle_put(body, call, split ? 3 : 1);
  body_need(body, call->mpi->label, call->mpi->transaction, false);
  struct text given = {.room = body->room};
  text_add(&given, "%s", old ? old : "0");
  for (size_t i = 1; split && i < 3; i++)
    text_add(&given, ", %s", expression_argument(body->model, call, i, LEVEL_IF));
  if (!to) return;
  text_add(out, "%s = call comm-%s(%s);%s\n", to, split ? "split" : "dup", given.data, place);
  if (split) handle_none(body, out, to);
}

bool handle_call(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *name = call->mpi->name, *roles = call->mpi->roles;
  if (!strcmp(name, "Cart_create")) {
    make_grid(body, out, call, place);
  } else if (!strcmp(name, "Cart_sub")) {
    make_part(body, out, call, place);
  } else if (!strncmp(name, "Cart_", 5)) {
    ask_grid(body, out, call);
  } else if (!strcmp(name, "Comm_split") || !strcmp(name, "Comm_dup")) {
    make_communicator(body, out, call, place);
  } else if (!strcmp(name, "Comm_free")) {
    emit_freed(body, out, call, NO_COMMUNICATOR);
  } else if (!strcmp(name, "Type_free")) {
    emit_freed(body, out, call, NO_TYPE);
  } else if (!strncmp(name, "Type_", 5)) {
    const char *to = strpbrk(roles, "ts");
    if (to) set_element(body, out, call, (size_t)(to - roles), 0, type_text(body, call));
  } else {
    return group_call(body, out, call, place);
  }
  return true;
}
