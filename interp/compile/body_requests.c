/* Calls of MPI as calls of requests, and those requests. Handles of types and communicators are MPICH's, whose types
 * have their size in them. */
#include "interp/compile/body.h"

#include <stdio.h>
#include <string.h>

enum { PROC_NULL = -1, ANY_SOURCE = -2, REQUEST_NULL = 0x2c000000 };

static int place_of(const struct statement *call, char role, int which) {
  for (int i = 0; call->mpi->roles[i] && (size_t)i < call->argument_count; i++)
    if (call->mpi->roles[i] == role && which-- == 0) return i;
  return -1;
}

/* In a communicator other than the world partners are places, of which the rank in the world is asked for. */
static const char *partner(struct body *body, struct text *out, const struct statement *call, int place) {
  const struct value *value = call->arguments[place].value;
  if (value->kind == VALUE_INT) {
    if (value->number == PROC_NULL) return "no-process";
    if (value->number == ANY_SOURCE) return "any-source";
  }
  const char *text = expression_argument(body->model, call, (size_t)place, LEVEL_IF);
  const char *communicator = handle_communicator(body, call);
  if (!communicator && expression_positive(body->program, value, 0)) return text;
  body->model->partner = true;
  text = room_printf(body->room, "partner(%s)", text);
  if (!communicator) return text;
  const char *name = expression_name(body->model, "member");
  body->model->members = true;
  text_add(&body->model->vars, "var %s : int = 0;\n", name);
  text_add(out, "%s = %s;\nif %s >= 0 {\n%s = call MPI-Sim.member(%s, %s);\n}\n", name, text, name, name, communicator,
           name);
  return name;
}

static const char *tag(struct body *body, const struct statement *call, int place) {
  const struct value *value = call->arguments[place].value;
  if (value->kind == VALUE_INT && value->number == -1) return "any-tag";
  return expression_argument(body->model, call, (size_t)place, LEVEL_IF);
}

static const char *message(struct body *body, const struct statement *call) {
  return handle_message(body, call, (size_t)place_of(call, 'n', 0), (size_t)place_of(call, 'T', 0));
}

void body_need(struct body *body, const char *label, const char *transaction, bool within) {
  struct model *model = body->model;
  for (size_t i = 0; i < model->request_count; i++)
    if (!strcmp(model->requests[i].label, label) && model->requests[i].within == within) return;
  struct request request = {.label = label, .transaction = transaction, .within = within};
  ROOM_PUSH(model->room, model->requests, model->request_count, model->request_capacity, request);
}

static void need(struct body *body, const struct mpi_call *call, bool within) {
  body->model->beside |= strchr(call->roles, 'Q') && !strchr(call->roles, 'p');
  body_need(body, call->label, call->transaction, within);
}

static const struct reference *pointed(struct body *body, const struct statement *call, int place) {
  const struct value *value = source_address(body->program, call->arguments[place].value);
  if (value) return value->memory;
  source_error(body->program, call, NULL, "a request is in memory that is allocated, or reached by a pointer");
  return NULL;
}

/* Its elements, of one that is named by its first, or as a whole. */
static const char *list(struct body *body, const struct statement *call, int place, const char *count, long known) {
  long from = 0, length = 0;
  const char *name = handle_list(body, call, (size_t)place, &from, &length);
  if (!name) return "[]";
  if (from < 0) return room_printf(body->room, "[%s]", name);
  if (known > 0 && known == length && from == 0) return name;
  return from ? room_printf(body->room, "[k in %ld .. %ld + %s - 1 : %s[k]]", from, from, count, name)
              : room_printf(body->room, "[k in 0 .. %s - 1 : %s[k]]", count, name);
}

/* Fields of MPICH's MPI_Status, by their places. */
enum { STATUS_SOURCE = 8, STATUS_TAG = 12 };

struct status_reads {
  const struct reference *status, *source, *tag; /* reads of its fields; NULL: there are none */
  bool size;                                     /* is it asked how much came? */
};

static void look_at(struct body *body, const struct statement *reader, const struct value *value,
                    struct status_reads *reads) {
  const struct reference *memory = value && value->kind == VALUE_MEMORY ? value->memory : NULL;
  if (!memory || memory->decl != reads->status->decl) return;
  long field = memory->offset - reads->status->offset;
  if (memory->index || reads->status->index)
    source_error(body->program, reader, NULL, "of which of several statuses this is, is not to be seen");
  else if (field == STATUS_SOURCE)
    reads->source = memory;
  else if (field == STATUS_TAG)
    reads->tag = memory;
  else if (field >= 0 && field < STATUS_SOURCE)
    source_error(body->program, reader, NULL, "the size in a status decides here: a model has no data");
}

/* The size of what came, which MPI_Get_count asks a status for, is another variable of the model. */
static const char *size_cell(struct body *body, const struct reference *status) {
  struct reference size = *status;
  size.path = room_printf(body->room, "%s.size", status->path ? status->path : "");
  size.type = 'i';
  size.size = 4;
  size.initial = NULL;
  return expression_cell(body->model, &size);
}

static bool asks_for_size(const struct statement *reader, const struct reference *status) {
  if (!reader->mpi || strcmp(reader->mpi->name, "Get_count") != 0 || !reader->argument_count) return false;
  const struct value *asked = reader->arguments[0].value;
  return asked->kind == VALUE_ADDRESS && asked->memory->decl == status->decl && asked->memory->offset == status->offset;
}

/* All that has set the status is a call whose messages are known here. */
static void emit_count(struct body *body, struct text *out, const struct statement *call) {
  const struct argument *argument = &call->arguments[0];
  const struct value *status = argument->value;
  bool seen = status->kind == VALUE_ADDRESS && status->memory->decl && !status->memory->index && !argument->entry;
  for (size_t i = 0; seen && i < argument->from_count; i++) {
    const struct statement *from = body->program->by_id[argument->from[i]];
    if (!from || !body->program->blocks[from->block].reached) continue;
    int place = from->mpi ? place_of(from, 'S', 0) : -1;
    const struct value *set = place >= 0 ? from->arguments[place].value : NULL;
    seen = set && set->kind == VALUE_ADDRESS && asks_for_size(call, set->memory);
  }
  const char *to = handle_put(body, call, 2);
  if (!seen)
    source_error(body->program, call, NULL, "of which message this status is, is not to be seen");
  else if (to)
    text_add(out, "%s = items-of(%s, %s);  // %s:%d %s\n", to, size_cell(body, status->memory),
             handle_bytes(body, call, 1, &(long){0}), source_base(call->file), call->line, call->function);
}

/* What essential statements read of the status. */
static struct status_reads status_reads(struct body *body, const struct reference *status) {
  struct status_reads reads = {.status = status};
  for (unsigned i = 0; i < body->program->id_count; i++) {
    const struct statement *reader = body->program->by_id[i];
    if (!reader || !reader->essential || !body->program->blocks[reader->block].reached) continue;
    look_at(body, reader, reader->value, &reads);
    reads.size |= asks_for_size(reader, status);
    for (size_t k = 0; k < reader->argument_count; k++)
      look_at(body, reader, reader->arguments[k].value, &reads);
  }
  return reads;
}

/* A partner of a communicator other than the world is a place in it. */
static void emit_source(struct body *body, struct text *out, const char *cell, const char *communicator) {
  text_add(out, "%s = call status-source();\n", cell);
  if (!communicator) return;
  body->model->members = true;
  const char *name = expression_name(body->model, "sender");
  text_add(out, "let %s = call MPI-Sim.membership(%s, ranks, %s);\n%s = MPI-Sim.place(%s);\n", name, cell, communicator,
           cell, name);
}

/* Where it is not written that the partner is a rank, it may be nobody; NULL: it is one. */
static const char *nobody(struct body *body, const struct statement *call) {
  int last = place_of(call, 'p', 1), from = last >= 0 ? last : place_of(call, 'p', 0), request = place_of(call, 'q', 0);
  if (from < 0) {
    const struct value *value = request >= 0 ? source_address(body->program, call->arguments[request].value) : NULL;
    return value ? room_printf(body->room, "%s < 0", expression_cell(body->model, value->memory)) : NULL;
  }
  const struct value *partner = call->arguments[from].value;
  if (partner->kind == VALUE_INT ? partner->number != PROC_NULL : expression_positive(body->program, partner, 0))
    return NULL;
  return room_printf(body->room, "%s == %d", expression_argument(body->model, call, (size_t)from, LEVEL_RANGE),
                     PROC_NULL);
}

/* A request does not say which communicator it is of. */
static bool waits_for_world(const struct body *body) {
  for (unsigned i = 0; i < body->program->id_count; i++) {
    const struct statement *call = body->program->by_id[i];
    if (!call || !slice_talks(body->program, call) || strchr(call->mpi->roles, 'Q') == NULL) continue;
    if (strchr(call->mpi->roles, 'p') && !strchr(call->mpi->roles, 'n') && !mpi_in_world(body->program, call))
      return false;
  }
  return true;
}

/* What of a status the program looks at later. */
static void emit_status(struct body *body, struct text *out, const struct statement *call) {
  int place = place_of(call, 'S', 0);
  const struct value *value = place >= 0 ? call->arguments[place].value : NULL;
  if (!value || value->kind != VALUE_ADDRESS || !value->memory->decl) return;
  struct status_reads reads = status_reads(body, value->memory);
  const struct reference *source = reads.source, *tag = reads.tag;
  if (!source && !tag && !reads.size) return;
  const char *from = source ? expression_cell(body->model, source) : NULL;
  const char *with = tag ? expression_cell(body->model, tag) : NULL;
  const char *size = reads.size ? size_cell(body, value->memory) : NULL;
  const char *communicator = strchr(call->mpi->roles, 'C') ? handle_communicator(body, call) : NULL;
  if (source && place_of(call, 'q', 0) >= 0 && !waits_for_world(body))
    source_error(body->program, call, NULL,
                 "the source of what is waited for decides, and receives are started in other communicators than the "
                 "world: of which this one is, is not to be seen");
  const char *none = nobody(body, call);
  if (none) {
    text_add(out, "if %s {\n", none);
    if (source) text_add(out, "%s = %d;\n", from, PROC_NULL);
    if (tag) text_add(out, "%s = -1;\n", with);
    if (size) text_add(out, "%s = 0;\n", size);
    text_add(out, "} else {\n");
  }
  if (tag) text_add(out, "%s = call status-tag();\n", with);
  if (size) {
    const char *came = expression_name(body->model, "came");
    text_add(out, "let %s = call status-size();\n%s = floor(%s / (1 byte));\n", came, size, came);
  }
  if (source) emit_source(body, out, from, communicator);
  if (none) text_add(out, "}\n");
  body->model->status_source |= source != NULL;
  body->model->status_tag |= tag != NULL;
  body->model->counts |= size != NULL;
}

static void emit_sendrecv(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *to = partner(body, out, call, place_of(call, 'p', 0)),
             *from = partner(body, out, call, place_of(call, 'p', 1)), *t = tag(body, call, place_of(call, 'g', 0)),
             *u = tag(body, call, place_of(call, 'g', 1));
  const char *size = message(body, call), *communicator = handle_communicator(body, call);
  bool within = communicator != NULL;
  const char *suffix = within ? "-within" : "", *more = within ? room_printf(body->room, ", %s", communicator) : "";
  if (!strcmp(t, u)) {
    need(body, call->mpi, within);
    text_add(out, "call sendrecv%s(%s, %s, %s, %s%s);%s\n", suffix, to, size, from, t, more, place);
    return;
  }
  need(body, mpi_call_find("MPI_Isend"), within);
  need(body, mpi_call_find("MPI_Recv"), within);
  need(body, mpi_call_find("MPI_Wait"), false);
  const char *name = expression_name(body->model, "sent");
  text_add(out, "let %s = call isend%s(%s, %s, %s%s);%s\ncall receive%s(%s, %s%s);\ncall wait(%s);\n", name, suffix, to,
           size, t, more, place, suffix, from, u, more, name);
}

/* Dimensions that are 0 are chosen by MPI. */
static bool all_open(const struct body *body, const struct statement *call, const struct reference *memory) {
  const struct argument *argument = &call->arguments[2];
  long covered = 0;
  for (size_t i = 0; i < argument->from_count; i++) {
    const struct statement *store = body->program->by_id[argument->from[i]];
    if (!store || !body->program->blocks[store->block].reached) continue;
    const struct value *value = store->kind == STATEMENT_STORE ? store->value : NULL;
    bool zero = value && ((value->kind == VALUE_INT && value->number == 0) ||
                          (value->kind == VALUE_OTHER && value->text && !strcmp(value->text, "zero")));
    if (!zero) return false;
    if (store->to->decl == memory->decl && flow_dominates(body->program, store->block, call->block))
      covered += store->to->size;
  }
  long size = memory->type == 'a' ? memory->size : 2 * memory->size; /* else of the first one */
  return !argument->entry || covered >= size;
}

static void emit_dimensions(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const struct value *many = call->arguments[1].value;
  const struct reference *memory = pointed(body, call, 2);
  if (!memory || many->kind != VALUE_INT || many->number != 2 || !all_open(body, call, memory)) {
    source_error(body->program, call, NULL,
                 "MPI_Dims_create is taken for 2 dimensions alone, both of which are 0 before");
    return;
  }
  long from = 0, length = 0;
  const char *name = handle_list(body, call, 2, &from, &length);
  const char *all = expression_argument(body->model, call, 0, LEVEL_IF);
  if (!name) return;
  body->model->dims = true;
  if (from == 0 && length == 2) {
    text_add(out, "%s = grid(%s);%s\n", name, all, place);
    return;
  }
  const char *sides = expression_name(body->model, "sides");
  text_add(out, "let %s = grid(%s);%s\n%s[%ld] = %s[0];\n%s[%ld] = %s[1];\n", sides, all, place, name, from, sides,
           name, from + 1, sides);
}

/* What a collective operation gives each rank another size of. */
static const char *sizes(struct body *body, struct text *out, const struct statement *call) {
  int first = place_of(call, 'l', 0), second = place_of(call, 'l', 1), count = place_of(call, 'n', 0);
  int before = 0, type = first;
  while (call->mpi->roles[type] != 'T')
    type++;
  for (int i = 0; i < first; i++)
    before |= call->mpi->roles[i] == 'n';
  const char *list = handle_sizes(body, out, call, (size_t)first, (size_t)type);
  if (second >= 0)
    return room_printf(body->room, "%s, %s", list,
                       handle_sizes(body, out, call, (size_t)second, (size_t)place_of(call, 'T', 1)));
  if (count < 0) return list;
  const char *own = handle_message(body, call, (size_t)count, (size_t)count + 1);
  return before ? room_printf(body->room, "%s, %s", own, list) : room_printf(body->room, "%s, %s", list, own);
}

static void emit_request(struct body *body, struct text *out, const struct statement *call, const char *place) {
  const char *name = call->mpi->name;
  struct text given = {.room = body->room};
  int to = place_of(call, 'p', 0), t = place_of(call, 'g', 0), root = place_of(call, 'r', 0);
  bool lists = place_of(call, 'l', 0) >= 0;
  if (lists || (place_of(call, 'n', 0) >= 0 && place_of(call, 'T', 0) >= 0)) {
    if (to >= 0) text_add(&given, "%s, ", partner(body, out, call, to));
    text_add(&given, "%s", lists ? sizes(body, out, call) : message(body, call));
    if (t >= 0) text_add(&given, ", %s", tag(body, call, t));
    if (root >= 0) text_add(&given, ", %s", expression_argument(body->model, call, (size_t)root, LEVEL_IF));
  } else if (to >= 0) {
    text_add(&given, "%s, %s", partner(body, out, call, to), tag(body, call, t));
  } else if (!strcmp(name, "Waitall") || !strcmp(name, "Startall")) {
    const struct value *count = call->arguments[0].value;
    const char *many = expression_argument(body->model, call, 0, LEVEL_SUM);
    text_add(&given, "%s", list(body, call, 1, many, count->kind == VALUE_INT ? count->number : 0));
  } else if (place_of(call, 'q', 0) >= 0) {
    const struct reference *memory = pointed(body, call, 0);
    if (memory) text_add(&given, "%s", expression_cell(body->model, memory));
  }
  const char *communicator = handle_communicator(body, call);
  if (communicator) text_add(&given, given.size ? ", %s" : "%s", communicator);
  need(body, call->mpi, communicator != NULL);
  const char *label = room_printf(body->room, "%.*s%s", (int)strcspn(call->mpi->label, "("), call->mpi->label,
                                  communicator ? "-within" : "");
  int request = place_of(call, 'Q', 0);
  const struct reference *memory = request >= 0 ? pointed(body, call, request) : NULL;
  if (memory) text_add(out, "%s = ", expression_cell(body->model, memory));
  text_add(out, "call %s(%s);%s\n", label, given.data ? given.data : "", place);
  if (!strcmp(name, "Request_free") && mpi_compared(body->program, REQUEST_NULL) && (memory = pointed(body, call, 0)))
    text_add(out, "%s = %d;\n", expression_cell(body->model, memory), REQUEST_NULL);
}

/* Can the place be one in the memory? Elements of lists count as the same. */
static bool same_place(const struct reference *memory, const struct reference *place) {
  if (memory->decl != place->decl || memory->heap != place->heap) return false;
  bool plain = memory->path && place->path && !strchr(memory->path, '[') && !strchr(place->path, '[');
  return !plain || !strcmp(memory->path, place->path);
}

/* Does a wait leave the requests as they are, since they persist? An error where some of them may, and others not. */
static bool persists(struct body *body, const struct statement *wait, size_t place) {
  const struct value *waited = source_address(body->program, wait->arguments[place].value);
  bool some = false, others = false;
  for (unsigned i = 0; waited && i < body->program->id_count; i++) {
    const struct statement *from = body->program->by_id[i];
    if (!from || !body->program->blocks[from->block].reached) continue;
    int put = from->mpi ? place_of(from, 'Q', 0) : -1;
    const struct value *to = put >= 0 ? source_address(body->program, from->arguments[put].value) : NULL;
    bool here = put >= 0 && (!to || same_place(to->memory, waited->memory));
    bool persistent = put >= 0 && strstr(from->mpi->name, "_init");
    bool copied = from->kind == STATEMENT_STORE && from->to->decl == waited->memory->decl &&
                  from->value->kind != VALUE_INT && same_place(from->to, waited->memory);
    some |= (here && persistent) || copied;
    others |= (here && !persistent) || copied;
  }
  if (some && others)
    source_error(body->program, wait, NULL,
                 "MPI_REQUEST_NULL is asked for, and it is not to be seen whether what is waited for persists");
  return some;
}

/* Where a program has MPI_REQUEST_NULL, waits for that are none, and what is done is that. */
static void emit_wait(struct body *body, struct text *out, const struct statement *call, const char *place) {
  bool several = place_of(call, 'W', 0) >= 0;
  const struct reference *memory = several ? NULL : pointed(body, call, 0);
  const char *cell = memory ? expression_cell(body->model, memory) : NULL, *k = expression_name(body->model, "k");
  if (several) {
    long from = 0, length = 0;
    const char *name = handle_list(body, call, 1, &from, &length);
    cell = !name || from < 0 ? name : room_printf(body->room, from ? "%s[%s + %ld]" : "%s[%s]", name, k, from);
    text_add(out, "for %s in 0 .. %s - 1 {\n", k, expression_argument(body->model, call, 0, LEVEL_SUM));
  }
  need(body, mpi_call_find("MPI_Wait"), false);
  text_add(out, "if %s != %d {\ncall wait(%s);%s\n", cell, REQUEST_NULL, cell, place);
  emit_status(body, out, call);
  if (!persists(body, call, several ? 1 : 0)) text_add(out, "%s = %d;\n", cell, REQUEST_NULL);
  text_add(out, several ? "}\n}\n" : "}\n");
}

/* Is there a reader that does not know what it reads by a name? Behind a broadcast that is one of the broadcast. */
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

bool body_sets(const struct body *body, const struct statement *call) {
  if (call->kind != STATEMENT_CALL || call->pure) return false;
  bool reads = call->input < 0;
  for (size_t i = 0; i < call->input_count && !reads; i++)
    reads = body->program->inputs[call->input + (int)i].memory && is_read(body, call, 0);
  return reads;
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

/* All accesses to it are known here, as the lists of a program are in its vars, but for those that stand behind. */
static bool emit_allocation(struct body *body, struct text *out, const struct statement *call) {
  struct reference *list = NULL;
  for (unsigned i = 0; i < body->program->id_count && !list; i++) {
    const struct statement *user = body->program->by_id[i];
    if (!user || !user->essential) continue;
    if (user->to && user->to->heap == call) list = user->to;
    if (user->value && user->value->kind == VALUE_MEMORY && user->value->memory->heap == call)
      list = user->value->memory;
    for (size_t k = 0; user->mpi && !list && k < user->argument_count; k++) {
      const struct value *value = user->arguments[k].value;
      bool has = value && (value->kind == VALUE_ADDRESS || value->kind == VALUE_MEMORY) && value->memory->heap == call;
      if (has && user->mpi->roles[0] && strchr("qQWlLdtcskRZnpgrTC", user->mpi->roles[k])) list = value->memory;
    }
  }
  if (!list) return false;
  struct reference first = *list;
  first.path = "[0]";
  first.index = NULL;
  const char *element = expression_cell(body->model, &first);
  const char *bytes = expression_argument(body->model, call, 0, LEVEL_TERM);
  const char *none = list->type == 'f' ? "0.0" : list->type == 'b' ? "false" : "0";
  if (call->argument_count > 1)
    bytes = room_printf(body->room, "%s * %s", bytes, expression_argument(body->model, call, 1, LEVEL_TERM + 1));
  text_add(out, "%.*s = [k in 0 .. (%s) div %ld - 1 : %s];  // %s:%d\n", (int)strcspn(element, "["), element, bytes,
           list->size, none, source_base(call->file), call->line);
  return true;
}

static void emit_call(struct body *body, struct text *out, const struct statement *call) {
  body->model->at = call;
  if (!call->mpi && call->input < 0 && strstr(call->call, "alloc") && emit_allocation(body, out, call)) return;
  if (call->input >= 0 || !call->mpi) {
    if (call->input < 0 && !call->pure && !call->given_count && !assumed_returned(body->program, call))
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
  if (!strcmp(call->mpi->name, "Get_count")) {
    emit_count(body, out, call);
    return;
  }
  if (handle_call(body, out, call, place)) return;
  const char *given = strchr(call->mpi->roles, 'R') ? "rank" : strchr(call->mpi->roles, 'Z') ? "ranks" : NULL;
  const struct value *to = given ? source_address(body->program, call->arguments[1].value) : NULL;
  const char *communicator = given ? handle_communicator(body, call) : NULL;
  if (communicator) {
    const char *which = *given == 'r' && given[4] ? "size" : "rank";
    body_need(body, room_printf(body->room, "comm-%s(c)", which), room_printf(body->room, "MPI-comm-%s(c)", which),
              false);
    const char *cell = handle_put(body, call, 1);
    if (cell) text_add(out, "%s = call comm-%s(%s);%s\n", cell, which, communicator, place);
    return;
  }
  if (given && !to) handle_put(body, call, 1); /* the error */
  if (to) emit_given(body, out, call, to->memory, given);
  if (!mpi_communicates(call->mpi)) {
    if (!given)
      source_error(body->program, call, NULL, "'%s' sets what decides about messages, which a model cannot say",
                   call->call);
    return;
  }
  bool waits = !strcmp(call->mpi->name, "Wait") || !strcmp(call->mpi->name, "Waitall");
  if (waits && mpi_compared(body->program, REQUEST_NULL)) {
    emit_wait(body, out, call, place);
    return;
  }
  if (!strncmp(call->mpi->name, "Sendrecv", 8))
    emit_sendrecv(body, out, call, place);
  else
    emit_request(body, out, call, place);
  emit_status(body, out, call);
}

void body_call(struct body *body, struct text *out, const struct statement *call) {
  emit_call(body, out, call);
  assumed_emit(body, out, call);
}
