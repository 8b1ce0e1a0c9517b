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
    inputs_narrow(program);
    heap_find(program);
    compilation->readable = !program->error_count;
    if (compilation->readable) slice_find(program);
    while (compilation->readable && shared_find(program)) {
      flow_analyse(program);
      inputs_narrow(program);
      slice_forget(program);
      slice_find(program);
    }
  }
  if (!program->error_count && !options->sliced) compilation->model = emit_model(program, compilation);
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

/* Why it is not known how often the loop is passed; NULL: that is known. */
static const char *why_unknown(struct program *program, int at) {
  const struct loop *loop = &program->loops[at];
  if (counts_known(program, at)) return NULL;
  for (size_t i = 0; i < loop->exit_count; i++) {
    int from = loop->exits[i].from;
    for (unsigned k = 0; k < program->id_count; k++) {
      const struct statement *call = program->by_id[k], *test = call ? call->data_needed : NULL;
      if (test &&
          (test->block == from || (flow_in_loop(program, test->block, at) && flow_ends_pass(program, test->block, at))))
        return room_printf(program->room, "what %s gives at %s:%d decides at %s:%d", call->call,
                           source_base(call->file), call->line, source_base(test->file), test->line);
    }
  }
  const struct statement *inner = NULL; /* a test that is not the loop's own */
  size_t live = 0;
  for (size_t i = 0; i < loop->exit_count; i++) {
    const struct block *from = &program->blocks[loop->exits[i].from];
    bool leaves = false;
    for (size_t k = 0; from->reached && k < from->way_count; k++)
      leaves |= from->ways[k].to == loop->exits[i].to && !from->ways[k].pruned;
    live += leaves;
    const struct statement *last = from->count ? from->statements[from->count - 1] : NULL;
    if (leaves && last && last->line && loop->exits[i].from != loop->header) inner = last;
  }
  if (!live) return "no way leaves it";
  const char *walked = loop->communicates ? ": the model goes through it pass by pass" : "";
  if (inner && inner->line != loop->line)
    return room_printf(program->room, "it may end at %s:%d%s", source_base(inner->file), inner->line, walked);
  return room_printf(program->room, "what it is tested by is not counted in equal steps%s", walked);
}

static void add_loops(struct report *report) {
  struct program *program = report->program;
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || !program->blocks[loop->header].reached) continue;
    const char *reason = why_unknown(program, l);
    bool known = !reason;
    report->loop_count++;
    report->known += known;
    const struct block *header = &program->blocks[loop->header];
    const char *function = header->count ? header->statements[header->count - 1]->function : NULL;
    json_t *row = json_pack("{s:s, s:i, s:s, s:b, s:b}", "file", source_base(loop->file), "line", loop->line,
                            "function", function ? function : "", "known", known, "sends", loop->communicates);
    if (reason) json_object_set_new(row, "reason", json_string(reason));
    json_array_append_new(report->loops, row);
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
    const char *reason = field(row, "reason");
    text_add(&text, "  %-24s  %-16s  %s%s%s%s\n", place, field(row, "function"), reason ? "not known" : "known",
             json_is_true(json_object_get(row, "sends")) ? ", sends" : "", reason ? ": " : "", reason ? reason : "");
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

/* Of what is read or set; NULL: it has no name. */
static const char *memory_name(const struct statement *statement, const char **field) {
  const struct reference *memory = statement->to ? statement->to
                                   : statement->value && statement->value->kind == VALUE_MEMORY
                                       ? statement->value->memory
                                       : NULL;
  *field = "";
  if (!memory || !memory->decl || !memory->name) return NULL;
  const char *dot = memory->path ? strrchr(memory->path, '.') : NULL;
  if (dot) *field = dot + 1;
  return memory->name;
}

/* With the fields on the way, as c.n; indices are left out. */
static const char *memory_words(struct room *room, const struct reference *memory) {
  struct text words = {.room = room};
  text_add(&words, "%s", memory->name);
  for (const char *at = memory->path ? memory->path : ""; *at; at += *at == '[' ? strcspn(at, "]") + 1 : 1)
    if (*at != '[') text_add(&words, "%c", *at);
  return words.data;
}

static bool has_name(const struct program *program, const struct statement *statement, const char *name) {
  const char *own = statement->def >= 0 ? program->names[statement->def].name : "";
  if (!strcmp(own, name) || (*own && !strcmp(source_field(own), name))) return true;
  for (size_t i = 0; i < statement->input_count; i++)
    if (!strcmp(program->inputs[statement->input + (int)i].name, name)) return true;
  const char *field, *memory = memory_name(statement, &field);
  if (!memory) return false;
  size_t length = strcspn(field, "[");
  if (!strcmp(memory, name) || (length && strlen(name) == length && !strncmp(field, name, length))) return true;
  const struct reference *place = statement->to ? statement->to : statement->value->memory;
  return strchr(name, '.') && !strcmp(memory_words(program->room, place), name);
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
    return room_printf(program->room, "what is stored in '%s'",
                       statement->to->decl ? memory_words(program->room, statement->to) : "memory");
  default: break;
  }
  if (*name) return room_printf(program->room, "'%s'", name);
  if (value && value->kind == VALUE_MEMORY && value->memory->decl)
    return room_printf(program->room, "'%s', which is read", memory_words(program->room, value->memory));
  return value && value->kind == VALUE_MEMORY ? "what is read from memory" : "a value";
}

static const struct statement *placed(const struct program *program, const struct statement *statement, int depth);

static const struct statement *placed_value(const struct program *program, const struct value *value, int depth) {
  const struct statement *from = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
  const struct statement *found = from ? placed(program, from, depth + 1) : NULL;
  for (size_t i = 0; !found && value->kind == VALUE_OP && depth < 20 && i < value->count; i++)
    found = placed_value(program, value->arguments[i], depth + 1);
  return found;
}

/* Where the statement stands; what the compiler made, as what chooses between values, where the first does that it is
 * made of. NULL: nowhere. */
static const struct statement *placed(const struct program *program, const struct statement *statement, int depth) {
  const struct statement *found = NULL;
  if (statement->line || depth > 20) return statement->line ? statement : NULL;
  for (size_t i = 0; !found && statement->kind == STATEMENT_PHI && i < statement->argument_count; i++)
    found = placed_value(program, statement->arguments[i].value, depth);
  if (statement->kind == STATEMENT_ASSIGN) found = placed_value(program, statement->value, depth);
  return found;
}

/* A chain by which a variable decides something; its end is what needs no reason. */
struct chain {
  const struct statement *begin, *end;
  bool refused; /* is it one that a model cannot say, as an error does? */
};

enum { CHAINS = 8 };
struct chains {
  struct chain all[CHAINS]; /* the first are told first */
  size_t count;
};

static bool is_refused(const struct program *program, const struct statement *statement) {
  for (unsigned i = 0; i < program->id_count; i++)
    if (program->by_id[i] && program->by_id[i]->data_needed == statement) return true;
  return false;
}

static bool same_end(const struct chain *a, const struct chain *b) {
  return a->end == b->end || (a->end->line == b->end->line && !strcmp(a->end->reason, b->end->reason));
}

static bool comes_before(const struct chain *a, const struct chain *b) {
  if (a->refused != b->refused) return a->refused;
  return steps(a->begin) < steps(b->begin);
}

/* One chain to each end is told, the shortest. */
static void add_chain(struct chains *chains, struct chain chain) {
  size_t at = 0;
  while (at < chains->count && !same_end(&chains->all[at], &chain))
    at++;
  if (at < chains->count && !comes_before(&chain, &chains->all[at])) return;
  if (at == CHAINS) {
    at--;
    if (!comes_before(&chain, &chains->all[at])) return;
  } else if (at == chains->count) {
    chains->count++;
  }
  for (; at > 0 && comes_before(&chain, &chains->all[at - 1]); at--)
    chains->all[at] = chains->all[at - 1];
  chains->all[at] = chain;
}

/* From where the variable is read, or else from where it is set. None: nothing of that name decides. */
static struct chains deciding(const struct program *program, const char *variable, bool *seen) {
  struct chains read = {0}, set = {0};
  for (unsigned i = 0; i < program->id_count; i++) {
    const struct statement *statement = program->by_id[i];
    if (!statement || !has_name(program, statement, variable)) continue;
    *seen = true;
    if (!statement->essential) continue;
    struct chain chain = {.begin = statement, .end = statement, .refused = is_refused(program, statement)};
    while (chain.end->because) {
      chain.end = chain.end->because;
      chain.refused |= is_refused(program, chain.end);
    }
    bool sets = statement->kind == STATEMENT_STORE ||
                (statement->kind == STATEMENT_CALL && (statement->def < 0 || statement->input >= 0));
    add_chain(sets ? &set : &read, chain);
  }
  return read.count ? read : set;
}

/* What the variable is set to, through others; NULL: no variable. */
static const char *copied(const struct program *program, const char *variable) {
  for (size_t i = 0; i < program->copy_count; i++)
    if (!strcmp(program->copies[2 * i], variable)) return program->copies[2 * i + 1];
  return NULL;
}

static struct why_not say_why_not(const struct program *program, const char *variable, bool seen) {
  const char *dot = strrchr(variable, '.'), *own = dot ? dot + 1 : variable; /* a field is known by its own name */
  bool there = seen;
  for (size_t i = 0; i < program->variable_count; i++)
    there |= !strcmp(program->variables[i], own);
  if (!there)
    return (struct why_not){.message = room_printf(program->room, "the program has no variable '%s'", variable),
                            .candidates = program->variables,
                            .count = program->variable_count};
  if (seen)
    return (struct why_not){
        .message = room_printf(
            program->room, "'%s' is no part of the model: nothing that is sent, and no loop, depends on it", variable)};
  return (struct why_not){
      .message = room_printf(program->room,
                             "of '%s' nothing is left where the model is made: it is not used, constant, or put into "
                             "what uses it",
                             variable),
      .help = "--why of what it is set to, or of what is made of it, tells more"};
}

static void tell_chain(struct program *program, const struct chain *chain, json_t *list, struct text *text) {
  const char *file = "", *function = "";
  int line = 0;
  for (const struct statement *at = chain->begin; at; at = at->because) {
    const struct statement *place = placed(program, at, 0);
    if (place) {
      file = source_base(place->file);
      function = place->function ? place->function : "";
      line = place->line;
    }
    json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:s, s:s}", "file", file, "line", line, "function", function,
                                          "what", what(program, at), "why", at->reason));
    const char *where = room_printf(program->room, "%s:%d", file, line);
    const char *needs = at->because ? room_printf(program->room, " %s", what(program, at->because)) : "";
    text_add(text, "%-24s %-16s %s %s%s\n", line ? where : "", function, what(program, at), at->reason, needs);
  }
}

const char *compile_why(struct compilation *compilation, const char *variable, bool json, struct why_not *why_not) {
  struct program *program = compilation->program;
  struct text text = {.room = program->room};
  json_t *list = json_array();
  bool seen = false;
  const char *name = variable;
  struct chains chains = deciding(program, name, &seen);
  for (int depth = 0; !chains.count && !seen && depth < 20 && copied(program, name); depth++) {
    name = copied(program, name);
    chains = deciding(program, name, &(bool){false});
  }
  if (!chains.count) {
    json_decref(list);
    *why_not = say_why_not(program, variable, seen);
    return NULL;
  }
  if (strcmp(name, variable)) {
    const struct statement *at = placed(program, chains.all[0].begin, 0);
    const char *what = room_printf(program->room, "'%s'", variable), *is = room_printf(program->room, "is '%s'", name);
    json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:s, s:s}", "file", at ? source_base(at->file) : "", "line",
                                          at ? at->line : 0, "function", "", "what", what, "why", is));
    text_add(&text, "%-24s %-16s %s %s\n", "", "", what, is);
  }
  for (size_t i = 0; i < chains.count; i++)
    tell_chain(program, &chains.all[i], list, &text);
  char *dump = json ? json_dumps(list, JSON_INDENT(2)) : NULL;
  const char *answer = dump ? room_printf(program->room, "%s\n", dump) : text.data;
  free(dump);
  json_decref(list);
  return answer;
}
