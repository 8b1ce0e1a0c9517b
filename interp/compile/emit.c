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

void emit_operations(struct text *out) {
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
  if (model->computes) emit_operations(out);
}

static bool is_used(const struct model *model, size_t input) {
  for (unsigned i = 0; i < model->program->id_count; i++) {
    const struct statement *statement = model->program->by_id[i];
    if (statement && statement->essential && statement->input == (int)input) return true;
  }
  return false;
}

static void emit_params(struct model *model, struct text *out) {
  struct program *program = model->program;
  for (size_t i = 0; i < program->input_count; i++) {
    const struct input *input = &program->inputs[i];
    if (!is_used(model, i)) continue;
    const char *initial = input->initial ? expression_number(model->room, input->initial) : NULL;
    if (input->real)
      text_add(out, "param %s : real = %s;  /// %s:%d: %s\n", input->name, initial ? initial : "1",
               source_base(input->file), input->line, input->what);
    else
      text_add(out, "param %s : int = %s in 0 .. 1_000_000_000;  /// %s:%d: %s\n", input->name, initial ? initial : "1",
               source_base(input->file), input->line, input->what);
  }
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
    const struct mpi_call *call = model->requests[i];
    emit_request(out, call->label, call->transaction);
  }
  if (model->status_source) emit_request(out, "status-source()", "MPI-status-source()");
  if (model->status_tag) emit_request(out, "status-tag()", "MPI-status-tag()");
  nest_requests(model, out);
}

void emit_names(struct model *model) {
  static const char *const own[] = {"rank",  "ranks",     "operations", "partner",  "grid",   "side",  "quotient",
                                    "nests", "remainder", "doublings",  "integers", "floats", "loads", "stores"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    ROOM_PUSH(model->room, model->taken, model->taken_count, model->taken_capacity, own[i]);
  for (size_t i = 0; i < model->program->input_count; i++)
    model->program->inputs[i].name = expression_name(model, model->program->inputs[i].name);
}

const char *emit_model(struct program *program, struct compilation *compilation) {
  struct model model = {.program = program, .room = program->room, .vars = {.room = program->room}};
  struct text body = {.room = program->room}, out = {.room = program->room};
  const char *name = program->options->name;
  if (expression_reserved(name)) name = room_printf(program->room, "program-%s", name);
  emit_names(&model);
  body_emit(&model, &body);
  if (program->error_count) return NULL;
  compilation->timers = nest_timers(&model);
  compilation->counters = nest_counters(&model);
  text_add(&out, "// psl: run\n// source %s\n/// What the program %s sends and computes, by its source.\n",
           program->options->source, name);
  text_add(&out, "use mpi;\nuse machines;\n\n");
  emit_params(&model, &out);
  text_add(&out, "\n");
  emit_functions(&model, &out);
  text_add(&out, "transaction run();\n\n/// A rank of the program.\n");
  if (model.computes)
    text_add(&out, "/// Assumed: branches in loops that compute count as taken, "
                   "and what these take is not measured, where params do not say it\n");
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
