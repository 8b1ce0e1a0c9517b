/* Calls of MPI as calls of requests, and those requests. Handles of types and communicators are MPICH's, whose types
 * have their size in them. */
#include "interp/compile/body.h"

#include <stdio.h>
#include <string.h>

enum { PROC_NULL = -1, ANY_SOURCE = -2, WORLD = 0x44000000 };

static int place_of(const struct statement *call, char role, int which) {
  for (int i = 0; call->mpi->roles[i] && (size_t)i < call->argument_count; i++)
    if (call->mpi->roles[i] == role && which-- == 0) return i;
  return -1;
}

static const char *partner(struct body *body, const struct statement *call, int place) {
  const struct value *value = call->arguments[place].value;
  if (value->kind == VALUE_INT) {
    if (value->number == PROC_NULL) return "no-process";
    if (value->number == ANY_SOURCE) return "any-source";
  }
  const char *text = expression_argument(body->model, call, (size_t)place, LEVEL_IF);
  if (expression_positive(body->program, value, 0)) return text;
  body->model->partner = true;
  return room_printf(body->room, "partner(%s)", text);
}

static const char *tag(struct body *body, const struct statement *call, int place) {
  const struct value *value = call->arguments[place].value;
  if (value->kind == VALUE_INT && value->number == -1) return "any-tag";
  return expression_argument(body->model, call, (size_t)place, LEVEL_IF);
}

static const char *message(struct body *body, const struct statement *call) {
  int count = place_of(call, 'n', 0), type = place_of(call, 'T', 0);
  const struct value *handle = call->arguments[type].value, *many = call->arguments[count].value;
  unsigned long number = handle->kind == VALUE_INT ? (unsigned long)handle->number & 0xffffffff : 0;
  if (number >> 24 != 0x4c) {
    source_error(body->program, call, NULL, "what is sent is of a type whose size is not written in the call");
    return "0 byte";
  }
  unsigned size = (unsigned)(number >> 8 & 0xff);
  if (many->kind == VALUE_INT) return room_printf(body->room, "%ld byte", many->number * (long)size);
  const char *text = expression_argument(body->model, call, (size_t)count, LEVEL_TERM);
  return room_printf(body->room, "%s * %u byte", text, size);
}

static void check_communicator(struct body *body, const struct statement *call) {
  int place = place_of(call, 'C', 0);
  if (place < 0) return;
  const struct value *value = call->arguments[place].value;
  if (value->kind == VALUE_INT && (value->number & 0xffffffff) == WORLD) return;
  source_error(body->program, call, NULL, "a communicator other than MPI_COMM_WORLD is not taken");
}

static void need(struct body *body, const struct mpi_call *call) {
  struct model *model = body->model;
  for (size_t i = 0; i < model->request_count; i++)
    if (model->requests[i] == call) return;
  ROOM_PUSH(model->room, model->requests, model->request_count, model->request_capacity, call);
}

static const struct reference *pointed(struct body *body, const struct statement *call, int place) {
  const struct value *value = call->arguments[place].value;
  if (value->kind == VALUE_ADDRESS) return value->memory;
  source_error(body->program, call, NULL, "a request is in memory that is allocated, or reached by a pointer");
  return NULL;
}

/* Its elements, of one that is named by its first, or as a whole. */
static const char *list(struct body *body, const struct statement *call, int place, const char *count, long known) {
  const struct reference *memory = pointed(body, call, place);
  if (!memory) return "[]";
  struct reference first = *memory;
  const char *path = first.path ? first.path : "";
  if (first.type == 'a') {
    first.path = room_printf(body->room, "%s[0]", path);
    first.type = 'i';
    first.length = first.size / 4;
    first.size = 4;
  }
  const char *element = expression_cell(body->model, &first);
  const char *open = strrchr(element, '[');
  if (!open) return room_printf(body->room, "[%s]", element);
  const char *name = room_printf(body->room, "%.*s", (int)(open - element), element);
  if (known > 0 && known == first.length && !strcmp(open, "[0]")) return name;
  long from = 0;
  sscanf(open, "[%ld]", &from);
  return from ? room_printf(body->room, "[k in %ld .. %ld + %s - 1 : %s[k]]", from, from, count, name)
              : room_printf(body->room, "[k in 0 .. %s - 1 : %s[k]]", count, name);
}

/* What of a status the program looks at later. */
static void emit_status(struct body *body, struct text *out, const struct statement *call) {
  int place = place_of(call, 'S', 0);
  const struct value *value = place >= 0 ? call->arguments[place].value : NULL;
  if (!value || value->kind != VALUE_ADDRESS || !value->memory->decl) return;
  bool source = false, tag = false;
  for (unsigned i = 0; i < body->program->id_count; i++) {
    const struct statement *load = body->program->by_id[i];
    if (!load || !load->essential || load->kind != STATEMENT_ASSIGN || load->value->kind != VALUE_MEMORY) continue;
    const struct reference *memory = load->value->memory;
    if (memory->decl != value->memory->decl || !memory->path) continue;
    bool which_source = strstr(memory->path, "MPI_SOURCE") || (body->program->fortran && !strcmp(memory->path, "[2]"));
    bool which_tag = strstr(memory->path, "MPI_TAG") || (body->program->fortran && !strcmp(memory->path, "[3]"));
    if (which_source && !source) text_add(out, "%s = call status-source();\n", expression_cell(body->model, memory));
    if (which_tag && !tag) text_add(out, "%s = call status-tag();\n", expression_cell(body->model, memory));
    source |= which_source;
    tag |= which_tag;
  }
  body->model->status_source |= source;
  body->model->status_tag |= tag;
}

static void emit_sendrecv(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *to = partner(body, call, 3), *from = partner(body, call, 8), *t = tag(body, call, 4),
             *u = tag(body, call, 9);
  const char *size = message(body, call);
  if (!strcmp(t, u)) {
    need(body, call->mpi);
    text_add(out, "call sendrecv(%s, %s, %s, %s);%s\n", to, size, from, t, place);
    return;
  }
  need(body, mpi_call_find("MPI_Isend"));
  need(body, mpi_call_find("MPI_Recv"));
  need(body, mpi_call_find("MPI_Wait"));
  const char *name = expression_name(body->model, "sent");
  text_add(out, "let %s = call isend(%s, %s, %s);%s\ncall receive(%s, %s);\ncall wait(%s);\n", name, to, size, t, place,
           from, u, name);
}

/* Dimensions that are 0 are chosen by MPI. */
static bool all_open(const struct body *body, const struct argument *argument) {
  if (argument->entry) return false;
  for (size_t i = 0; i < argument->from_count; i++) {
    const struct statement *store = body->program->by_id[argument->from[i]];
    if (!store || !body->program->blocks[store->block].reached) continue;
    const struct value *value = store->kind == STATEMENT_STORE ? store->value : NULL;
    bool zero = value && ((value->kind == VALUE_INT && value->number == 0) ||
                          (value->kind == VALUE_OTHER && value->text && !strcmp(value->text, "zero")));
    if (!zero) return false;
  }
  return true;
}

static void emit_dimensions(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const struct value *many = call->arguments[1].value;
  const struct reference *memory = pointed(body, call, 2);
  if (!memory || many->kind != VALUE_INT || many->number != 2 || !all_open(body, &call->arguments[2])) {
    source_error(body->program, call, NULL,
                 "MPI_Dims_create is taken for 2 dimensions alone, both of which are 0 before");
    return;
  }
  struct reference first = *memory;
  first.path = room_printf(body->room, "%s[0]", first.path ? first.path : "");
  first.type = 'i';
  first.size = 4;
  first.length = 2;
  const char *element = expression_cell(body->model, &first);
  const char *name = room_printf(body->room, "%.*s", (int)(strrchr(element, '[') - element), element);
  body->model->dims = true;
  text_add(out, "%s = grid(%s);%s\n", name, expression_argument(body->model, call, 0, LEVEL_IF), place);
}

static void emit_request(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *name = call->mpi->name;
  struct text given = {.room = body->room};
  int to = place_of(call, 'p', 0), t = place_of(call, 'g', 0), root = place_of(call, 'r', 0);
  if (place_of(call, 'n', 0) >= 0 && place_of(call, 'T', 0) >= 0) {
    if (to >= 0) text_add(&given, "%s, ", partner(body, call, to));
    text_add(&given, "%s", message(body, call));
    if (t >= 0) text_add(&given, ", %s", tag(body, call, t));
    if (root >= 0) text_add(&given, ", %s", expression_argument(body->model, call, (size_t)root, LEVEL_IF));
  } else if (to >= 0) {
    text_add(&given, "%s, %s", partner(body, call, to), tag(body, call, t));
  } else if (!strcmp(name, "Wait")) {
    const struct reference *memory = pointed(body, call, 0);
    if (memory) text_add(&given, "%s", expression_cell(body->model, memory));
  } else if (!strcmp(name, "Waitall")) {
    const struct value *count = call->arguments[0].value;
    const char *many = expression_argument(body->model, call, 0, LEVEL_SUM);
    text_add(&given, "%s", list(body, call, 1, many, count->kind == VALUE_INT ? count->number : 0));
  }
  need(body, call->mpi);
  const char *label =
      room_printf(body->room, "%.*s", (int)(strchr(call->mpi->label, '(') - call->mpi->label), call->mpi->label);
  int request = place_of(call, 'Q', 0);
  const struct reference *memory = request >= 0 ? pointed(body, call, request) : NULL;
  if (memory) text_add(out, "%s = ", expression_cell(body->model, memory));
  text_add(out, "call %s(%s);%s\n", label, given.data ? given.data : "", place);
}

/* Is there a reader that does not know what it reads by a name? Behind a broadcast of it that is one of the broadcast. */
static bool is_read(const struct body *body, const struct statement *call, int depth) {
  for (unsigned i = 0; depth < 20 && i < body->program->id_count; i++) {
    const struct statement *reader = body->program->by_id[i];
    if (!reader || !reader->essential || !body->program->blocks[reader->block].reached) continue;
    for (size_t k = 0; k <= reader->argument_count; k++) {
      const struct argument *load = k < reader->argument_count ? &reader->arguments[k] : &reader->load;
      bool sees = false, others = false;
      for (size_t n = 0; n < load->from_count; n++) {
        const struct statement *from = body->program->by_id[load->from[n]];
        sees |= from == call;
        others |= from != call && from && body->program->blocks[from->block].reached;
      }
      bool behind = call->block == reader->block ? call->id < reader->id
                                                 : flow_dominates(body->program, call->block, reader->block);
      bool passes = sees && k == 0 && reader->shared;
      bool reads = k == reader->argument_count || reader->arguments[k].value->kind == VALUE_MEMORY;
      bool whole = k < reader->argument_count && reader->arguments[k].value->kind == VALUE_ADDRESS &&
                   inputs_at(body->program, call, reader->arguments[k].value->memory) >= 0;
      if (passes && (others || !behind || !whole || is_read(body, reader, depth + 1))) return true;
      if (sees && reads && (others || !behind)) return true;
    }
  }
  return false;
}

static void emit_given(struct body *body, struct text *out, const struct statement *call,
                       const struct reference *memory, const char *text) {
  if (!is_read(body, call, 0)) return;
  text_add(out, "%s = %s;  // %s:%d\n", expression_cell(body->model, memory), text, source_base(call->file),
           call->line);
}

static void emit_inputs(struct body *body, struct text *out, const struct statement *call) {
  for (size_t i = 0; i < call->input_count; i++) {
    const struct input *input = &body->program->inputs[call->input + (int)i];
    if (!input->memory || !is_read(body, call, 0)) continue;
    if (body->program->blocks[call->block].loop > 0)
      source_error(body->program, call, NULL, "numbers that are read in a loop decide about messages: a param is one");
    emit_given(body, out, call, input->memory, input->name);
  }
}

void body_call(struct body *body, struct text *out, const struct statement *call) {
  body->model->at = call;
  if (call->input >= 0 || !call->mpi) {
    if (call->input < 0 && !call->pure)
      source_error(body->program, call, NULL, "'%s' sets what decides about messages, which a model cannot say",
                   call->call);
    emit_inputs(body, out, call);
    return;
  }
  const char *place = room_printf(body->room, "  // %s:%d %s", source_base(call->file), call->line, call->function);
  if (!strcmp(call->mpi->name, "Dims_create")) {
    emit_dimensions(body, out, call, place);
    return;
  }
  check_communicator(body, call);
  const char *given = strchr(call->mpi->roles, 'R') ? "rank" : strchr(call->mpi->roles, 'Z') ? "ranks" : NULL;
  const struct value *to = given ? call->arguments[1].value : NULL;
  if (given && to->kind == VALUE_ADDRESS) emit_given(body, out, call, to->memory, given);
  if (!mpi_communicates(call->mpi)) return;
  if (!strcmp(call->mpi->name, "Sendrecv"))
    emit_sendrecv(body, out, call, place);
  else
    emit_request(body, out, call, place);
  emit_status(body, out, call);
}
