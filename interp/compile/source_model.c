/* From facts to a model, and what is told of it: a report, and why a variable is part of the slice. */
#include "interp/compile/source_model.h"
#include "interp/compile/emit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void compile_facts(struct compilation *compilation, const char *path, const struct compile_options *options) {
  struct room own = {0};
  *compilation = (struct compilation){.room = room_alloc(&own, sizeof own)};
  *compilation->room = own;
  struct program *program = source_read(compilation->room, path, options);
  compilation->program = program;
  if (!program->error_count) {
    inputs_find(program);
    flow_analyse(program);
    inputs_waive(program);
    flow_analyse(program);
    compilation->readable = !program->error_count;
    slice_find(program);
  }
  if (!program->error_count) compilation->model = emit_model(program);
  compilation->errors = program->errors;
  compilation->error_count = program->error_count;
}

void compile_close(struct compilation *compilation) {
  struct room own = *compilation->room;
  room_close(&own);
  *compilation = (struct compilation){0};
}

/* ---- the report ---- */

struct function_row {
  const char *name;
  unsigned all, essential;
};

struct report {
  struct program *program;
  json_t *loops, *peers, *functions, *assumed;
  unsigned loop_count, known, all, essential;
};

static void add_loops(struct report *report) {
  struct program *program = report->program;
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || !program->blocks[loop->header].reached) continue;
    bool known = counts_known(program, l);
    report->loop_count++;
    report->known += known;
    const struct block *header = &program->blocks[loop->header];
    const char *function = header->count ? header->statements[header->count - 1]->function : NULL;
    json_array_append_new(report->loops,
                          json_pack("{s:s, s:i, s:s, s:b, s:b}", "file", source_base(loop->file), "line", loop->line,
                                    "function", function ? function : "", "known", known, "sends", loop->communicates));
  }
}

static void add_calls(struct report *report) {
  struct program *program = report->program;
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *call = program->by_id[i];
    if (!call || !slice_talks(program, call)) continue;
    const char *peer = "all";
    for (size_t k = 0; k < call->argument_count && call->mpi->roles[k]; k++)
      if (call->mpi->roles[k] == 'p') {
        const struct value *value = call->arguments[k].value;
        const struct statement *from = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
        peer = value->kind == VALUE_INT              ? "a constant"
               : from && from->kind == STATEMENT_PHI ? "chosen by conditions"
                                                     : "computed";
      } else if (call->mpi->roles[k] == 'q' || call->mpi->roles[k] == 'W') {
        peer = "those of its requests";
      }
    json_array_append_new(report->peers,
                          json_pack("{s:s, s:i, s:s, s:s, s:s}", "file", source_base(call->file), "line", call->line,
                                    "function", call->function, "call", call->call, "peer", peer));
  }
}

static void add_functions(struct report *report) {
  struct program *program = report->program;
  struct function_row *rows = ROOM_ARRAY(program->room, struct function_row, program->id_count);
  size_t count = 0;
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *statement = program->by_id[i];
    if (!statement || statement->kind == STATEMENT_PHI || !statement->function) continue;
    size_t at = 0;
    while (at < count && strcmp(rows[at].name, statement->function))
      at++;
    if (at == count) rows[count++].name = statement->function;
    rows[at].all++;
    rows[at].essential += statement->essential;
    report->all++;
    report->essential += statement->essential;
  }
  for (size_t i = 0; i < count; i++)
    json_array_append_new(report->functions, json_pack("{s:s, s:i, s:i}", "function", rows[i].name, "statements",
                                                       (int)rows[i].all, "essential", (int)rows[i].essential));
}

static const char *field(json_t *row, const char *name) { return json_string_value(json_object_get(row, name)); }
static long whole(json_t *row, const char *name) { return (long)json_integer_value(json_object_get(row, name)); }

static double share(unsigned part, unsigned all) { return all ? 100.0 * part / all : 0; }

static const char *report_text(const struct report *report) {
  struct text text = {.room = report->program->room};
  size_t i;
  json_t *row;
  text_add(&text, "loops       %u of %u known\n", report->known, report->loop_count);
  json_array_foreach(report->loops, i, row) {
    const char *place = room_printf(text.room, "%s:%ld", field(row, "file"), whole(row, "line"));
    text_add(&text, "  %-24s  %-16s  %s%s\n", place, field(row, "function"),
             json_is_true(json_object_get(row, "known")) ? "known" : "not known",
             json_is_true(json_object_get(row, "sends")) ? ", sends" : "");
  }
  text_add(&text, "calls       %zu of MPI\n", json_array_size(report->peers));
  json_array_foreach(report->peers, i, row) {
    const char *place = room_printf(text.room, "%s:%ld", field(row, "file"), whole(row, "line"));
    text_add(&text, "  %-24s  %-16s  %-16s  %s\n", place, field(row, "function"), field(row, "call"),
             field(row, "peer"));
  }
  text_add(&text, "statements  %u of %u essential, %.0f %%\n", report->essential, report->all,
           share(report->essential, report->all));
  json_array_foreach(report->functions, i, row) text_add(&text, "  %-24s  %4ld of %4ld\n", field(row, "function"),
                                                         whole(row, "essential"), whole(row, "statements"));
  if (report->program->assumed_count) text_add(&text, "assumed\n");
  for (i = 0; i < report->program->assumed_count; i++)
    text_add(&text, "  %s\n", report->program->assumed[i]);
  return text.data;
}

const char *compile_report(struct compilation *compilation, bool json) {
  struct program *program = compilation->program;
  struct report report = {.program = program,
                          .loops = json_array(),
                          .peers = json_array(),
                          .functions = json_array(),
                          .assumed = json_array()};
  add_loops(&report);
  add_calls(&report);
  add_functions(&report);
  for (size_t i = 0; i < program->assumed_count; i++)
    json_array_append_new(report.assumed, json_string(program->assumed[i]));
  const char *text = json ? NULL : report_text(&report);
  json_t *all =
      json_pack("{s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:o}", "loops", report.loops, "calls", report.peers, "functions",
                report.functions, "loops known", (int)report.known, "loops in all", (int)report.loop_count, "essential",
                (int)report.essential, "statements", (int)report.all, "assumed", report.assumed);
  char *dump = json ? json_dumps(all, JSON_INDENT(2)) : NULL;
  if (dump) text = room_printf(program->room, "%s\n", dump);
  free(dump);
  json_decref(all);
  return text;
}

/* ---- why ---- */

static bool has_name(const struct program *program, const struct statement *statement, const char *name) {
  if (statement->def >= 0 && !strcmp(program->names[statement->def].name, name)) return true;
  const struct reference *memory = statement->to ? statement->to
                                   : statement->value && statement->value->kind == VALUE_MEMORY
                                       ? statement->value->memory
                                       : NULL;
  if (!memory || !memory->decl || !memory->name) return false;
  const char *dot = memory->path ? strrchr(memory->path, '.') : NULL;
  return !strcmp(memory->name, name) || (dot && !strcmp(dot + 1, name));
}

static unsigned steps(const struct statement *statement) {
  unsigned count = 0;
  for (; statement; statement = statement->because)
    count++;
  return count;
}

static const char *what(struct program *program, const struct statement *statement) {
  const struct value *value = statement->value;
  const char *name = statement->def >= 0 ? program->names[statement->def].name : "";
  switch (statement->kind) {
  case STATEMENT_CONDITION: return "the condition";
  case STATEMENT_SWITCH: return "the choice";
  case STATEMENT_CALL: return statement->call;
  case STATEMENT_STORE:
    return room_printf(program->room, "what is stored in '%s'", statement->to->decl ? statement->to->name : "memory");
  default: break;
  }
  if (*name) return room_printf(program->room, "'%s'", name);
  if (value && value->kind == VALUE_MEMORY && value->memory->decl)
    return room_printf(program->room, "'%s', which is read", value->memory->name);
  return value && value->kind == VALUE_MEMORY ? "what is read from memory" : "a value";
}

const char *compile_why(struct compilation *compilation, const char *variable, bool json) {
  struct program *program = compilation->program;
  const struct statement *best = NULL;
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *statement = program->by_id[i];
    if (!statement || !statement->essential || !has_name(program, statement, variable)) continue;
    if (!best || steps(statement) < steps(best)) best = statement;
  }
  if (!best) return NULL;
  struct text text = {.room = program->room};
  json_t *list = json_array();
  int line = 0;
  for (const struct statement *at = best; at; at = at->because) {
    const char *file = source_base(at->file), *function = at->function ? at->function : "";
    if (at->line) line = at->line;
    json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:s, s:s}", "file", file, "line", line, "function", function,
                                          "what", what(program, at), "why", at->reason));
    const char *where = room_printf(program->room, "%s:%d", at->line ? file : source_base(best->file), line);
    const char *needs = at->because ? room_printf(text.room, " %s", what(program, at->because)) : "";
    text_add(&text, "%-24s %-16s %s %s%s\n", where, function, what(program, at), at->reason, needs);
  }
  char *dump = json ? json_dumps(list, JSON_INDENT(2)) : NULL;
  const char *answer = dump ? room_printf(program->room, "%s\n", dump) : text.data;
  free(dump);
  json_decref(list);
  return answer;
}
