/* The model of a program: what it is given as params, the body of a rank, the requests that it makes, the system of
 * all ranks. Its layout is left to the formatter. */
#include "interp/compile/emit.h"

#include <string.h>

void emit_times(const struct model *model, struct text *out) {
  text_add(out, "// What an operation takes.\n"
                "param integer-time : time = 0.3 ns;\nparam float-time : time = 0.5 ns;\n"
                "param load-time : time = 0.5 ns;\nparam store-time : time = 0.5 ns;\n");
  nest_params(model, out);
}

static void emit_operations(struct text *out) {
  text_add(out, "/// What so many operations take.\n"
                "function operations(integers : int, floats : int, loads : int, stores : int) -> time =\n"
                "  integers * integer-time + floats * float-time + loads * load-time + stores * store-time;\n\n");
}

static void emit_functions(const struct model *model, struct text *out) {
  if (model->partner)
    text_add(out, "/// A partner of MPI as PSL has it.\n"
                  "function partner(rank : int) -> int =\n"
                  "  if rank == -1 then no-process else if rank == -2 then any-source else rank;\n\n");
  if (model->quotient || model->remainder)
    text_add(out, "/// Quotients that truncate, as those of the program do.\n"
                  "function quotient(a : int, b : int) -> int =\n"
                  "  if (a < 0) == (b < 0) then abs(a) div abs(b) else -(abs(a) div abs(b));\n");
  if (model->remainder) text_add(out, "function remainder(a : int, b : int) -> int = a - quotient(a, b) * b;\n\n");
  if (model->truncated)
    text_add(out, "/// A real number as a whole one, as the program makes it.\n"
                  "function truncated(x : real) -> int = if x < 0 then ceil(x) else floor(x);\n\n");
  if (model->steps)
    text_add(out, "/// How often a number is multiplied before it is beyond another one.\n"
                  "function doublings(from : int, to : int, factor : int) -> int =\n"
                  "  if from > to then 0 else 1 + doublings(from * factor, to, factor);\n\n");
  if (model->dims)
    text_add(out, "/// So many ranks as a grid that is as square as it can be, as MPI_Dims_create makes it.\n"
                  "function grid(ranks : int) -> [int] =\n"
                  "  [ranks div side(ranks), side(ranks)];\n"
                  "function side(ranks : int) -> int =\n"
                  "  max(d in 1 .. ranks : if d * d <= ranks and ranks mod d == 0 then d else 1);\n\n");
  if (model->types)
    text_add(out, "/// The bytes of a type: a handle of one that MPI has says them, what is made is them.\n"
                  "function bytes-of(type : int) -> int =\n"
                  "  if 1_275_068_416 <= type < 1_291_845_632 then type div 256 mod 256 else type;\n\n");
  if (model->communicators)
    text_add(out,
             "/// A communicator by its handle, or as it was made: MPI_COMM_WORLD is 0.\n"
             "function communicator-of(handle : int) -> int =\n"
             "  if handle == 1_140_850_688 then 0 else if handle == 67_108_864 then no-communicator else handle;\n\n");
  if (model->grids)
    text_add(out, "/// Places in a grid of ranks, the last dimension varying first; -1: none, as there is an end.\n"
                  "function coordinate(rank : int, sides : [int], d : int) -> int =\n"
                  "  rank div product([k in d + 1 .. length(sides) - 1 : sides[k]]) mod sides[d];\n"
                  "function within-side(at : int, side : int, turns : bool) -> int =\n"
                  "  if 0 <= at < side then at else if turns then (at mod side + side) mod side else -1;\n"
                  "function shifted(rank : int, sides : [int], turns : [int], d : int, steps : int) -> int =\n"
                  "  moved(rank, coordinate(rank, sides, d),\n"
                  "        within-side(coordinate(rank, sides, d) + steps, sides[d], turns[d] != 0),\n"
                  "        product([k in d + 1 .. length(sides) - 1 : sides[k]]));\n"
                  "function moved(rank : int, from : int, to : int, stride : int) -> int =\n"
                  "  if to < 0 then -1 else rank + (to - from) * stride;\n"
                  "function place-in(sides : [int], turns : [int], at : [int]) -> int =\n"
                  "  sum(d in 0 .. length(sides) - 1 : within-side(at[d], sides[d], turns[d] != 0) *\n"
                  "      product([k in d + 1 .. length(sides) - 1 : sides[k]]));\n\n");
  if (model->parts)
    text_add(out,
             "/// Dimensions of a grid that are kept, the place in these alone, and where all of these are 0.\n"
             "function kept-of(which : [int]) -> [int] =\n"
             "  [k in 0 .. count(w in which : w != 0) - 1 :\n"
             "   min(d in 0 .. length(which) - 1 :\n"
             "       if which[d] != 0 and count(e in 0 .. d : which[e] != 0) == k + 1 then d else length(which))];\n"
             "function part-of(rank : int, sides : [int], kept : [int]) -> int =\n"
             "  sum(k in 0 .. length(kept) - 1 : coordinate(rank, sides, kept[k]) *\n"
             "      product([j in k + 1 .. length(kept) - 1 : sides[kept[j]]]));\n"
             "function rest-of(rank : int, sides : [int], kept : [int]) -> int =\n"
             "  rank - sum(k in 0 .. length(kept) - 1 : coordinate(rank, sides, kept[k]) *\n"
             "             product([d in kept[k] + 1 .. length(sides) - 1 : sides[d]]));\n\n");
  if (model->groups)
    text_add(out,
             "/// Where a rank is in a group; behind all: it is not in it. What is in none comes in its order.\n"
             "function index-in(rank : int, group : [int]) -> int =\n"
             "  min(k in 0 .. length(group) :\n"
             "      if k < length(group) and group[min(k, length(group) - 1)] == rank then k else length(group));\n"
             "function left-over(group : [int], k : int) -> int =\n"
             "  min(m in k .. k + length(group) :\n"
             "      if index-in(m, group) == length(group) and m - count(g in group : g < m) == k then m\n"
             "      else k + length(group));\n\n");
  if (model->counts)
    text_add(out, "/// So many items of a type are so many bytes; MPI_UNDEFINED: they are no whole number of them.\n"
                  "function items-of(bytes : int, size : int) -> int =\n"
                  "  if size == 0 then 0 else if bytes mod size == 0 then bytes div size else -32766;\n\n");
  if (model->computes) emit_operations(out);
}

/* Does what the modeller says need it? */
static bool is_said(const struct program *program, const char *name) {
  for (size_t i = 0; i < program->value_count; i++)
    if (text_has_word(program->values[i].expression, name)) return true;
  for (size_t i = 0; i < program->said_count; i++)
    if (text_has_word(program->said[i]->expression, name)) return true;
  return false;
}

static bool is_used(const struct model *model, size_t input) {
  if (is_said(model->program, model->program->inputs[input].name)) return true;
  for (unsigned i = 0; i < model->program->id_count; i++) {
    const struct statement *statement = model->program->by_id[i];
    if (statement && statement->essential && statement->input >= 0 && (size_t)statement->input <= input &&
        input < (size_t)statement->input + statement->input_count)
      return true;
  }
  return false;
}

void emit_input(const struct program *program, const struct input *input, struct text *out) {
  const char *initial = input->initial ? expression_number(program->room, input->initial) : NULL;
  if (input->type == 'b')
    text_add(out, "param %s : bool = %s;  /// %s:%d: %s\n", input->name,
             input->initial && input->initial->kind == VALUE_INT && input->initial->number ? "true" : "false",
             source_base(input->file), input->line, input->what);
  else if (input->type == 'f')
    text_add(out, "param %s : real = %s;  /// %s:%d: %s\n", input->name, initial ? initial : "1",
             source_base(input->file), input->line, input->what);
  else
    text_add(out, "param %s : int = %s in %s .. 1_000_000_000;  /// %s:%d: %s\n", input->name, initial ? initial : "1",
             input->below ? "-1_000_000_000" : "0", source_base(input->file), input->line, input->what);
}

static void emit_params(struct model *model, struct text *out) {
  struct program *program = model->program;
  for (size_t i = 0; i < program->input_count; i++)
    if (is_used(model, i)) emit_input(program, &program->inputs[i], out);
  text_add(out, "param ranks : int = 4 in 1 .. 1_000_000;\n");
  if (!model->computes) return;
  emit_times(model, out);
}

static void emit_request(struct text *out, const char *label, const char *transaction) {
  text_add(out,
           "%s: selector = { domain = runtime, node type = mpi, evaluation mode = simulation[MPI-Sim] };\n"
           "transaction = %s;\nprotocol = call-return;\n",
           label, transaction);
}

static void emit_requests(const struct model *model, struct text *out) {
  for (size_t i = 0; i < model->request_count; i++) {
    const struct request *request = &model->requests[i];
    const char *label = request->label, *transaction = request->transaction;
    if (request->within) {
      int name = (int)strcspn(label, "("), given = (int)strcspn(transaction, "(");
      const char *more = label[name + 1] == ')' ? "" : ", ";
      label = room_printf(model->room, "%.*s-within%.*s%sc)", name, label, (int)strlen(label) - name - 1, label + name,
                          more);
      transaction = room_printf(model->room, "%.*s%.*s%scommunicator = c)", given, transaction,
                                (int)strlen(transaction) - given - 1, transaction + given, more);
    }
    emit_request(out, label, transaction);
  }
  if (model->status_source) emit_request(out, "status-source()", "MPI-status-source()");
  if (model->status_tag) emit_request(out, "status-tag()", "MPI-status-tag()");
  if (model->counts) emit_request(out, "status-size()", "MPI-status-size()");
  nest_requests(model, out);
}

void emit_names(struct model *model) {
  static const char *const own[] = {"rank",     "ranks", "operations", "partner",   "grid",      "side",
                                    "quotient", "nests", "remainder",  "truncated", "doublings", "coordinate",
                                    "shifted",  "moved", "integers",   "floats",    "loads",     "stores"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    ROOM_PUSH(model->room, model->taken, model->taken_count, model->taken_capacity, own[i]);
  for (int used = 1; used >= 0; used--) /* those that become params have the first choice */
    for (size_t i = 0; i < model->program->input_count; i++)
      if (is_used(model, i) == used)
        model->program->inputs[i].name = expression_name(model, model->program->inputs[i].name);
}

const char *emit_model(struct program *program, struct compilation *compilation) {
  struct model model = {.program = program, .room = program->room, .vars = {.room = program->room}};
  struct text body = {.room = program->room}, out = {.room = program->room}, said = {.room = program->room};
  const char *name = program->options->name;
  if (expression_reserved(name)) name = room_printf(program->room, "program-%s", name);
  emit_names(&model);
  said_emit(&model, &said);
  body_emit(&model, &body);
  if (program->error_count) return NULL;
  compilation->timers = nest_timers(&model);
  compilation->counters = nest_counters(&model);
  text_add(&out, "// psl: run\n// source %s\n/// What the program %s sends and computes, by its source.\n",
           program->options->source, name);
  text_add(&out, "use mpi;\nuse machines;\n%s%s\n", model.members ? "use MPI-Sim;\n" : "",
           model.beside ? "use nonblocking-collectives;\n" : "");
  emit_params(&model, &out);
  text_add(&out, "%s\n", said.data ? said.data : "");
  emit_functions(&model, &out);
  text_add(&out, "transaction run();\n\n/// A rank of the program.\n");
  if (model.computes) nest_assumptions(&model, &out);
  for (size_t i = 0; i < program->assumed_count; i++)
    text_add(&out, "/// Assumed: %s\n", program->assumed[i]);
  text_add(&out, "component %s-rank [rank] : 0 <= rank < ranks {\n%s", name, model.vars.data ? model.vars.data : "");
  text_add(&out,
           "accepts:\nprofile = { domain = application[%s], node type = process, size = ranks };\n"
           "transaction = run();\nprotocol = dataflow;\nbody:\n%s",
           name, body.data ? body.data : "");
  if (model.request_count || model.computes) text_add(&out, "requests:\n");
  emit_requests(&model, &out);
  text_add(&out,
           "}\n\nsystem %s {\nrequests:\nevery selector = { domain = application[%s], node type = process };\n"
           "transaction = run();\nprotocol = dataflow;\n}\n",
           name, name);
  return out.data;
}
