/* A model's processes, threads and nodes of stdlib/prophet as a program in C++: a class for each, whose program()
 * executes the elements in the order in which the model's body does, and a main() that gives params their values,
 * builds the system and simulates it by the runtime in interp/uml/runtime.  Called by psl_program. */
#include "interp/uml/cpp.h"
#include "interp/evaluate/evaluate.h"

#include <string.h>

/* ---- what the model has ---- */

static const struct model_component *library_component(const struct model *model, const char *name) {
  for (uint32_t c = 0; c < model->component_count; c++)
    if (!strcmp(model->components[c]->symbol->name->text, name) &&
        source_is(model->components[c]->symbol->file, "stdlib/prophet.psl"))
      return model->components[c];
  return NULL;
}

static const struct expr *param_of(const struct model_component *component, const char *name) {
  for (uint32_t i = 0; i < component->instance_count; i++)
    if (!strcmp(component->instances[i]->name->text, name)) return component->instances[i]->instance.value;
  return NULL;
}

static struct symbol *global_param(const struct model *model, const char *name, const char *file) {
  for (uint32_t i = 0; i < model->param_count; i++)
    if (!strcmp(model->params[i]->name->text, name) && source_is(model->params[i]->file, file)) return model->params[i];
  return NULL;
}

/* ---- bodies ---- */

struct body {
  struct program *p;
  struct text *out;
  const struct model_component *component;
  bool threads;
  unsigned depth;
};

static void put_block(struct body *b, const struct block *block);

static void begin_line(struct body *b) { text_printf(b->out, "%*s", (int)(2 * b->depth), ""); }

static void put_inner(struct body *b, const struct block *block) {
  text_put(b->out, ") {\n");
  b->depth++;
  put_block(b, block);
  b->depth--;
}

static const struct expr *given_for(const struct expr *call, const struct model_request *label, uint32_t param) {
  if (param < call->call->args.value_count) return call->call->args.values[param];
  for (uint32_t f = 0; f < call->call->args.field_count; f++)
    if (call->call->args.fields[f].name.name == label->params[param]->name) return call->call->args.fields[f].value;
  return label->syntax->params[param].value;
}

/* `ActionPlus(*this, "solve").execute(cost)` */
static void put_element(struct body *b, const struct expr *call, const struct symbol *callee) {
  static const char *const elements[] = {"ActionPlus", "Send",           "NBSend",  "BRecv",
                                         "Wait",       "Broadcast",      "Reduce",  "Barrier",
                                         "ParallelDo", "ParallelRegion", "Critical"};
  const struct model_request *label = callee && callee->kind == SYMBOL_LABEL ? callee->request : NULL;
  const char *element = NULL;
  for (size_t e = 0; label && e < sizeof elements / sizeof *elements; e++)
    if (!strcmp(elements[e], callee->name->text)) element = elements[e];
  if (!element || !label->param_count) {
    program_refuse(b->p, call->span, "call that is no element of stdlib/prophet");
    return;
  }
  text_printf(b->out, "%s%s(*this, ", b->threads && !strcmp(element, "Barrier") ? "Team" : "", element);
  program_expression(b->p, b->out, given_for(call, label, 0));
  text_put(b->out, ").execute(");
  for (uint32_t i = 1; i < label->param_count; i++) {
    const struct expr *value = given_for(call, label, i);
    if (i > 1) text_put(b->out, ", ");
    if (value)
      program_expression(b->p, b->out, value);
    else
      program_refuse(b->p, call->span, "element without all that it needs");
  }
  text_char(b->out, ')');
}

static void put_let(struct body *b, const struct stmt *stmt) {
  text_printf(b->out, "[[maybe_unused]] const auto %s = ", program_local(b->p, stmt->assign.name.name));
  if (stmt->assign.is_call)
    put_element(b, stmt->assign.value, stmt->assign.callee);
  else
    program_expression(b->p, b->out, stmt->assign.value);
  text_put(b->out, ";\n");
}

static void put_if(struct body *b, const struct stmt *stmt) {
  text_put(b->out, "if (");
  program_expression(b->p, b->out, stmt->branch.condition);
  put_inner(b, &stmt->branch.then);
  begin_line(b);
  if (!stmt->branch.has_else && !stmt->branch.otherwise.first) {
    text_put(b->out, "}\n");
    return;
  }
  text_put(b->out, "} else {\n");
  b->depth++;
  put_block(b, &stmt->branch.otherwise);
  b->depth--;
  begin_line(b);
  text_put(b->out, "}\n");
}

static void put_for(struct body *b, const struct stmt *stmt) {
  const char *name = program_local(b->p, stmt->each.name.name);
  const struct expr *range = stmt->each.range;
  bool counted = range->kind == EXPR_RANGE && !stmt->each.step;
  if (stmt->each.step) program_refuse(b->p, stmt->each.step->span, "loops with a step");
  text_printf(b->out, "for (const auto %s : ", name);
  if (counted) text_put(b->out, "range(");
  program_expression(b->p, b->out, counted ? range->range.low : range);
  if (counted) {
    text_put(b->out, ", ");
    program_expression(b->p, b->out, range->range.high);
    text_char(b->out, ')');
  }
  text_printf(b->out, ") {\n%*s(void)%s;\n", (int)(2 * b->depth + 2), "", name);
  b->depth++;
  put_block(b, &stmt->each.body);
  b->depth--;
  begin_line(b);
  text_put(b->out, "}\n");
}

static void put_chances(struct body *b, const struct stmt *stmt) {
  text_put(b->out, "switch (choose({");
  for (uint32_t i = 0; i < stmt->chances.count; i++) {
    if (i) text_put(b->out, ", ");
    text_put(b->out, "double(");
    program_expression(b->p, b->out, stmt->chances.items[i].value);
    text_char(b->out, ')');
  }
  text_put(b->out, "})) {\n");
  for (uint32_t i = 0; i < stmt->chances.count; i++) {
    begin_line(b);
    text_printf(b->out, "case %u: {\n", i);
    b->depth++;
    put_block(b, &stmt->chances.items[i].body);
    begin_line(b);
    text_put(b->out, "break;\n");
    b->depth--;
    begin_line(b);
    text_put(b->out, "}\n");
  }
  begin_line(b);
  text_put(b->out, "}\n");
}

static void put_statement(struct body *b, const struct stmt *stmt) {
  begin_line(b);
  switch (stmt->kind) {
  case STMT_LET: put_let(b, stmt); return;
  case STMT_CALL:
    put_element(b, stmt->assign.value, stmt->assign.callee);
    text_put(b->out, ";\n");
    return;
  case STMT_IF: put_if(b, stmt); return;
  case STMT_FOR: put_for(b, stmt); return;
  case STMT_ONE_OF: put_chances(b, stmt); return;
  case STMT_WHILE:
    text_put(b->out, "while (");
    program_expression(b->p, b->out, stmt->loop.condition);
    put_inner(b, &stmt->loop.body);
    begin_line(b);
    text_put(b->out, "}\n");
    return;
  case STMT_ASSERT:
    text_put(b->out, "check(");
    program_expression(b->p, b->out, stmt->assertion);
    text_put(b->out, ", \"no guard holds, or an assertion does not\");\n");
    return;
  case STMT_RETURN:
    if (!stmt->assign.value) {
      text_put(b->out, "return;\n");
      return;
    }
    break;
  case STMT_ASSIGN:
  case STMT_HOLD:
  case STMT_RECORD:
  case STMT_PROFILE:
  case STMT_FIRST_OF:
  case STMT_KINDS: break;
  }
  program_refuse(b->p, stmt->span, arena_printf(b->p->arena, "statement '%s'", stmt_kind_name(stmt->kind)));
}

static void put_block(struct body *b, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt && !b->p->wrong; stmt = stmt->next)
    put_statement(b, stmt);
}

static void put_class(struct program *p, struct text *out, const struct model_component *component, const char *name,
                      bool threads) {
  struct body b = {p, out, component, threads, 2};
  const struct block *block = component->accept_count ? component->accepts[0]->body : NULL;
  text_printf(out, "class %s : public %s {\n public:\n  using %s::%s;\n  void program() override {\n", name,
              threads ? "Thread" : "Process", threads ? "Thread" : "Process", threads ? "Thread" : "Process");
  for (uint32_t i = 0; threads && block && i < component->accepts[0]->param_count; i++)
    text_printf(out, "    [[maybe_unused]] const long %s = iteration;\n",
                program_local(p, component->accepts[0]->params[i]->name));
  if (block) put_block(&b, block);
  text_put(out, "  }\n};\n\n");
}

/* ---- what is built ---- */

static void put_params(struct program *p, struct text *out, const struct model_component *component,
                       const char *const *names) {
  for (; *names; names++) {
    const struct expr *value = param_of(component, *names);
    text_put(out, ", ");
    if (value)
      program_expression(p, out, value);
    else
      program_refuse(p, component->symbol->span, arena_printf(p->arena, "component without the param '%s'", *names));
  }
}

static const char *region_of(struct program *p, const struct model_component *component) {
  for (uint32_t i = 0; component->accept_count && i < component->accepts[0]->profile_count; i++) {
    const struct model_profile *profile = &component->accepts[0]->profile[i];
    if (!strcmp(profile->attribute->text, "region") && profile->value && profile->value->kind == EXPR_STRING)
      return profile->value->string;
  }
  program_refuse(p, component->symbol->span, "threads without the name of their region");
  return "";
}

static bool is_simulated(const struct expr *comm) {
  return comm && comm->kind == EXPR_INDEX && comm->index.qualifier && !strcmp(comm->index.qualifier, "MPI-Sim");
}

static void put_component(struct program *p, struct text *classes, struct text *build,
                          const struct model_component *component, const struct model_component *const base[4]) {
  static const char *const of_process[] = {"processes", "first", "size", "per-node", "threads", NULL};
  static const char *const of_thread[] = {"processes", "first", "threads", NULL};
  static const char *const of_node[] = {"nodes", "processors", NULL};
  static const char *const of_turns[] = {"nodes", "processors", "quantum", NULL};
  const char *name = component->symbol->name->text;
  for (int kind = 0; kind < 4; kind++) {
    if (!base[kind] || component == base[kind] || !component_is_like(component, base[kind])) continue;
    if (kind < 2) {
      const char *class = program_name(p, name);
      struct written taken = {.symbol = component->symbol, .name = class, .known = true};
      ARENA_PUSH(p->arena, p->written, p->written_count, p->written_capacity, taken);
      put_class(p, classes, component, class, kind == 1);
      text_printf(build, "  system.%s<%s>(", kind ? "threads" : "processes", class);
      program_string(build, kind ? region_of(p, component) : name);
      put_params(p, build, component, kind ? of_thread : of_process);
      if (!kind && !is_simulated(param_of(component, "comm")))
        program_refuse(p, component->symbol->span, "messages but those of simulation[MPI-Sim]");
    } else {
      text_put(build, "  system.nodes(");
      program_string(build, name);
      put_params(p, build, component, kind == 3 ? of_turns : of_node);
    }
    text_put(build, ");\n");
    return;
  }
}

/* What the library's param has come to; `otherwise` where the model has none of that name. */
static double figure(struct program *p, const char *name, const char *file) {
  struct symbol *symbol = global_param(p->model, name, file);
  struct value value;
  struct environment e = {.model = p->model, .scratch = p->arena};
  if (!symbol || !evaluate_symbol(&e, symbol, symbol->span, &value)) {
    p->wrong = true;
    return 0;
  }
  return value.kind == VALUE_INT ? (double)value.integer : value.kind == VALUE_REAL ? value.real : 0;
}

static void put_machine(struct program *p, struct text *out) {
  static const struct {
    const char *name, *param, *file;
  } figures[] = {
      {"latency", "L", "message-cost.psl"},
      {"overhead_short", "os", "message-cost.psl"},
      {"overhead_long", "ol", "message-cost.psl"},
      {"gap_short", "G", "message-cost.psl"},
      {"gap_long", "Gl", "message-cost.psl"},
      {"overhead_threshold", "overhead-threshold", "message-cost.psl"},
      {"handshake_threshold", "handshake-threshold", "message-cost.psl"},
      {"gap_threshold", "gap-threshold", "message-cost.psl"},
      {"bcast_short", "bcast-short", "collectives.psl"},
      {"bcast_long", "bcast-long", "collectives.psl"},
      {"bcast_few", "bcast-few", "collectives.psl"},
      {"reduce_short", "reduce-short", "collectives.psl"},
      {"reduced_element", "reduced-element", "collectives.psl"},
  };
  for (size_t f = 0; f < sizeof figures / sizeof *figures && !p->wrong; f++) {
    struct text number = {.arena = p->arena};
    text_number(&number, figure(p, figures[f].param, figures[f].file));
    text_printf(out, "  machine.%s = setting<double>(\"%s\", %s);\n", figures[f].name, figures[f].param, number.data);
  }
}

/* What the runtime has no part for is said before, not found out by other figures. */
static void check_machine(struct program *p) {
  struct symbol *network = global_param(p->model, "network", "networks.psl");
  struct environment e = {.model = p->model, .scratch = p->arena};
  struct value value;
  if (network && evaluate_symbol(&e, network, network->span, &value)) {
    const char *qualifier = value.term.qualifier ? p->model->names->by_id[value.term.qualifier]->text : "";
    if (strcmp(qualifier, "loggp")) program_refuse(p, network->span, "network but that of analysis[LogGP]");
  }
  struct symbol *ranks = global_param(p->model, "ranks-per-node", "node-mapping.psl");
  if (ranks && figure(p, "ranks-per-node", "node-mapping.psl") != 1)
    program_refuse(p, ranks->span, "nodes inside of which messages take another time");
  struct symbol *buffers = global_param(p->model, "eager-buffers", "stdlib/mpi.psl");
  if (buffers && figure(p, "eager-buffers", "stdlib/mpi.psl") >= 0)
    program_refuse(p, buffers->span, "buffers that have an end");
}

/* ---- all of it ---- */

bool program_write(struct text *out, struct arena *arena, struct model *model, program_library *is_library,
                   void *user) {
  struct program p = {.arena = arena, .model = model, .is_library = is_library, .user = user};
  p.variables.arena = p.prototypes.arena = p.functions.arena = p.values.arena = arena;
  struct text classes = {.arena = arena}, build = {.arena = arena}, machine = {.arena = arena};
  const struct model_component *base[] = {library_component(model, "Process"), library_component(model, "Thread"),
                                          library_component(model, "Node"), library_component(model, "RoundRobinNode")};
  if (!base[0]) {
    diagnostic_add(model->diagnostics, SEVERITY_ERROR, (struct span){0, 0},
                   "a program in C++ is made of processes like those of stdlib/prophet, and the model has none");
    return false;
  }
  check_machine(&p);
  put_machine(&p, &machine);
  for (uint32_t c = 0; c < model->component_count && !p.wrong; c++)
    put_component(&p, &classes, &build, model->components[c], (const struct model_component *const *)base);
  if (p.wrong) return false;
  const char *path = model->files[0]->source->path, *folder = strrchr(path, '/');
  text_printf(
      out,
      "// A performance model, made by psl graph --activity --format c++ of %s.\n"
      "// Built by: c++ -std=c++17 -I RUNTIME FILE.cpp RUNTIME/psl-prophet.cpp; RUNTIME is share/psl/runtime where\n"
      "// psl is installed, interp/uml/runtime in its sources. Params are given by NAME=VALUE, in s and byte.\n"
      "#include \"psl-prophet.hpp\"\n\nnamespace {\n\nusing namespace prophet;\n\n",
      shown_line(arena, folder ? folder + 1 : path));
  text_put(out, p.variables.size ? p.variables.data : "");
  text_printf(out, "\n%s\n", p.prototypes.size ? p.prototypes.data : "");
  text_put(out, p.functions.size ? p.functions.data : "");
  text_put(out, classes.size ? classes.data : "");
  text_printf(out, "void settings() {\n%s%s}\n\n", machine.data, p.values.size ? p.values.data : "");
  text_printf(out, "void build(System &system) {\n%s}\n\n}  // namespace\n\n", build.size ? build.data : "");
  text_put(out, "int main(int count, char **words) { return prophet::run(count, words, settings, build); }\n");
  return true;
}
