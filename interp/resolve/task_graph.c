/* The static task graph of a resolved system, derived from the bodies that it reaches: loops, branches, communication,
 * and the computation between.  Called by psl graph --static; edges are made in task_graph_edges.c.
 *
 * A call of a library's MPI is communication. One of a component whose body holds, and no more, is a task that
 * computes; one of another component is a graph of its own, which the caller stands for; what is none of these, as
 * a shared resource of the library, is a task as well, of which nothing is known but what it is asked for. */
#include "interp/resolve/task_graph_parts.h"
#include "interp/check/check.h"
#include "grammar/children.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 20000000 };

const char *const task_kind_names[TASK_KINDS] = {
    [TASK_COMPUTE] = "task",  [TASK_COMMUNICATE] = "communication", [TASK_GRAPH] = "graph", [TASK_LOOP] = "loop",
    [TASK_BRANCH] = "branch", [TASK_STATEMENT] = "statement"};
const char *const task_edge_names[EDGE_KINDS] = {
    [EDGE_MESSAGE] = "message", [EDGE_COLLECTIVE] = "collective", [EDGE_DATAFLOW] = "dataflow", [EDGE_CALL] = "call"};

/* ---- what sets are over ---- */

static void add_param(struct deriving *d, struct symbol *symbol) {
  for (uint32_t k = 0; k < d->param_count; k++)
    if (d->params[k] == symbol) return;
  ARENA_PUSH(d->arena, d->params, d->param_count, d->param_capacity, symbol);
}

struct looking { /* for what expressions read */
  struct deriving *d;
  const struct symbol **seen;
  uint32_t count, capacity;
};

static bool look_expr(const struct expr *expr, void *user);

static void look_symbol(struct looking *looking, struct symbol *symbol) {
  for (uint32_t k = 0; k < looking->count; k++)
    if (looking->seen[k] == symbol) return;
  ARENA_PUSH(looking->d->arena, looking->seen, looking->count, looking->capacity, symbol);
  bool whole = symbol->type && symbol->type->kind == TYPE_INT;
  if (whole && (symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_LET)) add_param(looking->d, symbol);
  if (symbol->kind == SYMBOL_LET && symbol->decl && symbol->decl->value.value)
    look_expr(symbol->decl->value.value, looking);
  if (symbol->kind == SYMBOL_INSTANCE && symbol->instance.value) look_expr(symbol->instance.value, looking);
  if (symbol->kind == SYMBOL_FUNCTION && symbol->function->value) look_expr(symbol->function->value, looking);
}

static bool look_expr(const struct expr *expr, void *user) {
  struct symbol *symbol = expr_symbol(expr);
  if (symbol) look_symbol(user, symbol);
  expr_any_child(expr, look_expr, user);
  return false;
}

/* The end of a loop that is no affine one, and the same for all: a param of its own, named as it is written. */
static struct symbol *end_as_param(struct deriving *d, const struct expr *expr) {
  if (expr->kind == EXPR_NAME || expr_is_number(expr) || expr_uses(d->r, expr)) return NULL;
  struct text text = {.arena = d->arena};
  expr_format(&text, expr);
  const struct name *name = name_of(d->r->model->names, text.data);
  for (uint32_t k = 0; k < d->param_count; k++)
    if (d->params[k]->name == name) return d->params[k];
  struct symbol *symbol = ARENA_NEW(d->arena, struct symbol);
  *symbol = (struct symbol){.kind = SYMBOL_LOCAL, .name = name, .type = expr->type};
  ARENA_PUSH(d->arena, d->params, d->param_count, d->param_capacity, symbol);
  return symbol;
}

static void look_loops(struct deriving *d, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_FOR && stmt->each.range->kind == EXPR_RANGE) {
      end_as_param(d, stmt->each.range->range.low);
      end_as_param(d, stmt->each.range->range.high);
    }
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) look_loops(d, c.block);
  }
}

static void look_accept(struct deriving *d, struct looking *looking, const struct model_accept *accept) {
  for (const struct model_component *c = accept->component; c; c = c->outer)
    if (c->set) look_expr(c->set, looking);
  for (uint32_t k = 0; k < accept->profile_count; k++)
    if (accept->profile[k].value) look_expr(accept->profile[k].value, looking);
  for (uint32_t k = 0; k < accept->param_count; k++)
    if (accept->params[k]->type && accept->params[k]->type->kind == TYPE_INT) add_param(d, accept->params[k]);
  for (uint32_t k = 0; k < accept->component->request_count; k++) {
    const struct model_request *request = accept->component->requests[k];
    for (uint32_t a = 0; a < request->transaction->param_count; a++)
      if (request->args[a]) look_expr(request->args[a], looking);
    if (request->where) look_expr(request->where, looking);
    if (request->selector) look_expr(request->selector, looking);
  }
  if (accept->body) block_any(accept->body, look_expr, looking), look_loops(d, accept->body);
}

static const char *isl_name(struct arena *arena, const char *name) {
  char *copy = arena_copy(arena, name, strlen(name));
  for (char *c = copy; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  return isalpha((unsigned char)*copy) ? copy : arena_printf(arena, "p_%s", copy);
}

struct symbolic deriving_symbolic(const struct deriving *d, uint32_t dims) {
  isl_space *space = isl_space_set_alloc(d->ctx, d->param_count, dims);
  for (uint32_t k = 0; k < d->param_count; k++)
    space = isl_space_set_dim_id(space, isl_dim_param, k,
                                 isl_id_alloc(d->ctx, isl_name(d->arena, d->params[k]->name->text), d->params[k]));
  return (struct symbolic){
      .r = d->r, .space = space, .parametric = true, .params = d->params, .param_count = d->param_count, .body = true};
}

static const char *text_of(struct deriving *d, char *text) {
  const char *copy = text ? arena_copy(d->arena, text, strlen(text)) : NULL;
  free(text);
  return copy;
}

const char *deriving_set_text(struct deriving *d, isl_set *set, const char *tuple, const char *const *names,
                              uint32_t count) {
  set = isl_set_gist_params(isl_set_coalesce(set), isl_set_copy(d->context));
  set = isl_set_drop_unused_params(set);
  set = isl_set_set_tuple_name(set, isl_name(d->arena, tuple));
  for (uint32_t k = 0; k < count; k++)
    set = isl_set_set_dim_name(set, isl_dim_set, k, isl_name(d->arena, names[k]));
  const char *text = text_of(d, isl_set_to_str(set));
  isl_set_free(set);
  return text;
}

/* ---- why something is not known ---- */

static const struct expr *unknown_in(const struct expr *expr) {
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  if (symbol && symbol->kind == SYMBOL_LOCAL && symbol->made && !symbol->assignable) return unknown_in(symbol->made);
  if (symbol && (symbol->kind == SYMBOL_VAR || symbol->kind == SYMBOL_CLOCK || symbol->kind == SYMBOL_ATTRIBUTE))
    return expr;
  const struct expr *found = NULL;
  for (struct children c = expr_operands(expr); !found && children_next(&c);)
    if (c.expr) found = unknown_in(*c.expr);
  return found;
}

const char *deriving_why(struct deriving *d, const struct expr *expr) {
  const struct expr *unknown = unknown_in(expr);
  const char *reads = expr_reads(d->r, unknown ? unknown : expr, USES_VAR | USES_CLOCK | USES_DRAW | USES_TARGET);
  struct text text = {.arena = d->arena};
  expr_format(&text, expr);
  return reads ? arena_printf(d->arena, "'%s' depends on %s", text.data, reads)
               : arena_printf(d->arena, "'%s' is not affine", text.data);
}

isl_set *deriving_index_set(struct symbolic *s, const struct model_component *component, const char **inexact) {
  isl_set *set = isl_set_universe(isl_space_copy(s->space));
  for (; component; component = component->outer) {
    bool exact = true;
    if (!component->set) continue;
    set = isl_set_intersect(set, symbolic_set(s, component->set, true, &exact));
    if (!exact && !*inexact)
      *inexact = arena_printf(s->r->arena, "the index set of '%s' is not affine", component->symbol->name->text);
  }
  return set;
}

/* ---- one body ---- */

struct body_walk {
  struct deriving *d;
  const struct model_accept *accept;
  uint32_t graph;
  struct symbolic s; /* over indices and variables of loops */
  struct symbol *loops[TASK_LOOPS];
  uint32_t places[TASK_LOOPS];
  const char *names[COMPONENT_INDICES + TASK_LOOPS];
  uint32_t index_count, depth;
  isl_set *domain;
  const char *inexact;
};

/* As it is written, on one line and without comments. */
static const char *statement_text(struct deriving *d, struct span span) {
  const struct source *source = source_of(d->r->model->sources, span.begin);
  struct text text = {.arena = d->arena};
  bool string = false, blank = false;
  if (!source) return "";
  for (uint32_t k = span.begin - source->base; k < span.end - source->base && k < source->size; k++) {
    char c = source->text[k];
    if (c == '"' && (!k || source->text[k - 1] != '\\')) string = !string;
    if (!string && c == '/' && k + 1 < source->size && source->text[k + 1] == '/') {
      while (k < source->size && source->text[k] != '\n')
        k++;
      blank = true;
    } else if (!string && isspace((unsigned char)c)) {
      blank = true;
    } else {
      if (blank && text.size) text_char(&text, ' ');
      blank = false;
      text_char(&text, c);
    }
  }
  return text.data ? text.data : "";
}

static void say_statement(struct task_node *node, enum stmt_kind kind) {
  node->statement = kind;
  node->operation = stmt_kind_name(kind);
}

static struct task_node *node_new(struct body_walk *w, enum task_kind kind, struct span span) {
  struct deriving *d = w->d;
  struct task_node *node = ARENA_NEW(d->arena, struct task_node);
  *node = (struct task_node){
      .kind = kind, .id = ++d->out->node_count, .place = place_text(d->r, span), .statement = STMT_KINDS};
  if (kind == TASK_STATEMENT || kind == TASK_GRAPH) return node;
  isl_set *set =
      isl_set_project_out(isl_set_copy(w->domain), isl_dim_set, w->index_count + w->depth, TASK_LOOPS - w->depth);
  node->instances =
      deriving_set_text(d, set, w->accept->component->symbol->name->text, w->names, w->index_count + w->depth);
  node->unknown = w->inexact;
  return node;
}

/* ---- what is called ---- */

static bool is_message_passing(const struct deriving *d, const struct model_request *request) {
  const struct symbol *symbol = request->transaction->symbol;
  return !strncmp(symbol->name->text, "MPI-", 4) && symbol->file && model_in_library(d->r->model, symbol->file);
}

static bool is_application(struct deriving *d, const struct model_accept *accept) {
  struct value domain;
  if (model_owns(d->r->model, accept->component->symbol->file)) return true;
  return resolver_constant(d->r, accept, KNOWN_DOMAIN, &domain) && domain.kind == VALUE_TERM &&
         !strcmp(name_id(d->r, domain.term.head)->text, "application");
}

/* Does the body hold, and nothing else? The one statement; NULL: it does not. */
static const struct expr *held(const struct model_accept *accept) {
  const struct expr *found = NULL;
  for (const struct stmt *stmt = accept->body ? accept->body->first : NULL; stmt; stmt = stmt->next) {
    if (stmt->kind != STMT_HOLD || found) return NULL;
    found = stmt->hold;
  }
  return found;
}

/* A body of lets and holds takes its time, whoever else is there. */
static bool only_holds(const struct model_accept *accept) {
  if (accept->request_count) return false;
  for (const struct stmt *stmt = accept->body ? accept->body->first : NULL; stmt; stmt = stmt->next)
    if (stmt->kind != STMT_HOLD && (stmt->kind != STMT_LET || stmt->assign.is_call)) return false;
  return true;
}

static bool reads_slot(const struct expr *expr, uint32_t slot) {
  if (expr->kind == EXPR_NAME)
    return expr->name.symbol && expr->name.symbol->kind == SYMBOL_LOCAL && expr->name.symbol->slot == slot;
  for (struct children c = expr_operands(expr); children_next(&c);)
    if (c.expr && reads_slot(*c.expr, slot)) return true;
  return false;
}

/* Is it k times the parameter, for some k that is the same for all calls? */
static bool is_proportional(const struct expr *expr, uint32_t slot) {
  if (expr->kind == EXPR_NAME) return reads_slot(expr, slot);
  if (expr->kind == EXPR_UNARY) return expr->unary.op == OP_NEG && is_proportional(expr->unary.operand, slot);
  if (expr->kind != EXPR_BINARY) return false;
  const struct expr *left = expr->binary.left, *right = expr->binary.right;
  switch (expr->binary.op) {
  case OP_ADD:
  case OP_SUB: return is_proportional(left, slot) && is_proportional(right, slot);
  case OP_MUL:
    return (is_proportional(left, slot) && !reads_slot(right, slot)) ||
           (is_proportional(right, slot) && !reads_slot(left, slot));
  case OP_DIV: return is_proportional(left, slot) && !reads_slot(right, slot);
  default: return false;
  }
}

/* Is it the parameter itself? */
static bool is_slot(const struct expr *expr, uint32_t slot) {
  return expr->kind == EXPR_NAME && reads_slot(expr, slot);
}

/* Is the time of a call proportional to what is given for that parameter of its transaction? */
static bool combines(struct deriving *d, const struct model_accept *accept, uint32_t parameter, bool *same) {
  const struct expr *time = held(accept);
  if (!time || (accept->servers && !accept->unlimited) || accept->firing_rule || accept->component->var_count)
    return false;
  if (expr_uses(d->r, time) & (USES_VAR | USES_CLOCK | USES_DRAW | USES_TARGET | USES_CALLER)) return false;
  for (uint32_t k = 0; k < accept->param_count; k++)
    if (accept->param_of[k] == parameter) {
      *same &= is_slot(time, accept->params[k]->slot);
      return is_proportional(time, accept->params[k]->slot);
    }
  return false;
}

/* The accepts that the request may go to, by their ids. */
static bool *targets_of(struct deriving *d, const struct model_request *request) {
  const struct plan *plan = d->r->plans[request->id];
  const struct binding *binding = &d->r->graph->bindings[request->id];
  uint32_t count = d->r->graph->instances[request->component->id].count;
  bool *seen = ARENA_ARRAY(d->arena, bool, d->r->model->accept_count);
  if (binding->kind == BINDING_LATE || !count) {
    for (uint32_t c = 0; plan && c < plan->count; c++)
      seen[plan->candidates[c].accept->id] = true;
  } else if (binding->kind == BINDING_SAME) {
    if (binding->target.instance < d->r->graph->instance_count) seen[binding->target.accept] = true;
  } else if (binding->kind == BINDING_TABLE || binding->kind == BINDING_EVERY) {
    uint32_t targets = binding->kind == BINDING_EVERY ? binding->starts[count] : count;
    for (uint32_t t = 0; t < targets; t++)
      if (binding_target(binding, t) < d->r->graph->instance_count)
        seen[binding->accept ? binding->accept->id : binding->accepts[t]] = true;
  }
  return seen;
}

/* A parameter of the transaction, as the caller gives it. */
static struct expr *argument(struct deriving *d, const struct model_request *request, struct expr *const *given,
                             uint32_t given_count, uint32_t parameter) {
  struct renaming names[64];
  uint32_t count = 0;
  const struct expr *expr = request->args[parameter];
  if (!expr) return NULL;
  for (uint32_t k = 0; k < request->param_count && k < given_count && count < 64; k++)
    if (given[k]) names[count++] = (struct renaming){request->params[k]->name, given[k]};
  return task_expr_with(d->arena, expr, names, count);
}

static int32_t parameter_called(const struct model_transaction *transaction, const char *name) {
  for (uint32_t k = 0; k < transaction->param_count; k++)
    if (!strcmp(transaction->params[k].name->text, name)) return (int32_t)k;
  return -1;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* One end of messages, for which task_graph_edges.c finds the other. */
static void add_end(struct body_walk *w, struct task_node *node, const struct model_request *request,
                    const struct expr *call, int32_t peer, bool sends) {
  struct deriving *d = w->d;
  const struct model_transaction *of = request->transaction;
  int32_t tag = parameter_called(of, "tag"), in = parameter_called(of, "communicator");
  struct task_end end = {.node = node, .graph = w->graph, .accept = w->accept, .sends = sends, .wild = peer < 0};
  if (peer >= 0) end.peer = request->args[peer] ? request->args[peer] : of->params[peer].value;
  if (tag >= 0) end.tag = request->args[tag] ? request->args[tag] : of->params[tag].value;
  if (in >= 0) end.communicator = request->args[in] ? request->args[in] : of->params[in].value;
  if (call->kind == EXPR_CALL && call->call->bound) {
    end.frame = (struct symbolic_frame){call->call->bound, call->call->bound_count, NULL};
    end.framed = request->label;
  }
  end.domain =
      isl_set_project_out(isl_set_copy(w->domain), isl_dim_set, w->index_count + w->depth, TASK_LOOPS - w->depth);
  end.inexact = w->inexact;
  end.depth = w->depth;
  memcpy(end.loops, w->loops, sizeof end.loops);
  ARENA_PUSH(d->arena, d->ends, d->end_count, d->end_capacity, end);
}

static void fill_communication(struct body_walk *w, struct task_node *node, const struct model_request *request,
                               const struct expr *call) {
  const struct model_transaction *of = request->transaction;
  struct expr *const *given = call->kind == EXPR_CALL ? call->call->bound : NULL;
  uint32_t count = given ? call->call->bound_count : 0;
  int32_t to = parameter_called(of, "destination"), from = parameter_called(of, "source");
  int32_t tag = parameter_called(of, "tag"), size = parameter_called(of, "message");
  bool wild = !strcmp(of->symbol->name->text, "MPI-recv-any");
  bool probes = begins(of->symbol->name->text, "MPI-probe") || begins(of->symbol->name->text, "MPI-iprobe");
  node->sends = to >= 0;
  node->receives = (from >= 0 && !probes) || wild;
  node->collective = !node->sends && !node->receives && tag < 0 && !begins(of->symbol->name->text, "MPI-comm") &&
                     parameter_called(of, "communicator") >= 0;
  if (to >= 0 || from >= 0) node->peer = argument(w->d, request, given, count, (uint32_t)(to >= 0 ? to : from));
  if (tag >= 0) node->tag = argument(w->d, request, given, count, (uint32_t)tag);
  if (size >= 0) node->size = argument(w->d, request, given, count, (uint32_t)size);
  if (node->sends) add_end(w, node, request, call, to, true);
  if (node->receives) add_end(w, node, request, call, from, false);
}

/* What a task computes is known by one argument; a second one, and it is not combined with others. */
static void fill_task(struct body_walk *w, struct task_node *node, const struct model_request *request,
                      const struct expr *call, const bool *targets) {
  struct deriving *d = w->d;
  struct expr *const *given = call->kind == EXPR_CALL ? call->call->bound : NULL;
  uint32_t arguments = 0, at = 0, uses = 0;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    if (request->args[k]) arguments++, at = arguments == 1 ? k : at;
  if (!arguments) return;
  node->value = argument(d, request, given, given ? call->call->bound_count : 0, at);
  uses = expr_uses(d->r, request->args[at]);
  for (uint32_t k = 0; given && k < call->call->bound_count; k++)
    if (given[k]) uses |= expr_uses(d->r, given[k]);
  node->state = uses & USES_VAR;
  bool same = true;
  node->combines = arguments == 1 && request->protocol == PROTOCOL_CALL_RETURN && !request->patience &&
                   !(uses & (USES_CLOCK | USES_DRAW | USES_TARGET | USES_CALLER));
  for (uint32_t a = 0; a < d->r->model->accept_count && node->combines; a++)
    if (targets[a])
      node->combines = combines(d, d->r->model->accepts[a], at, &same) &&
                       !adapter_of(&d->r->graph->bindings[request->id], d->r->model->accepts[a]);
  if (!node->combines) return;
  if (request->param_count == 1 && given && given[0] && is_proportional(request->args[at], request->params[0]->slot))
    node->given = given[0];
  else
    node->combines = same;
}

static struct task_node *request_node(struct body_walk *w, const struct model_request *request, const struct expr *call,
                                      struct span span) {
  struct deriving *d = w->d;
  bool *targets = targets_of(d, request), computes = request->protocol == PROTOCOL_CALL_RETURN;
  bool message = is_message_passing(d, request);
  uint32_t graphs = 0;
  for (uint32_t a = 0; a < d->r->model->accept_count && !message; a++) {
    const struct model_accept *accept = d->r->model->accepts[a];
    if (targets[a] && is_application(d, accept) && !(computes && only_holds(accept))) graphs++;
  }
  struct task_node *node = node_new(w, message ? TASK_COMMUNICATE : graphs ? TASK_GRAPH : TASK_COMPUTE, span);
  node->operation = request->transaction->symbol->name->text;
  node->name = request->label ? request->label->name->text : NULL;
  if (message) {
    fill_communication(w, node, request, call);
  } else if (!graphs) {
    fill_task(w, node, request, call, targets);
  } else {
    node->graphs = ARENA_ARRAY(d->arena, const char *, graphs);
    for (uint32_t a = 0; a < d->r->model->accept_count; a++) {
      const struct model_accept *accept = d->r->model->accepts[a];
      if (targets[a] && is_application(d, accept) && !(computes && only_holds(accept)))
        node->graphs[node->graph_count++] = accept->component->symbol->name->text;
    }
  }
  return node;
}

/* ---- statements ---- */

static struct task_node *block_nodes(struct body_walk *w, const struct block *block);

static const char *assigned_name(const struct stmt *stmt) {
  if (stmt->kind == STMT_LET) return stmt->assign.name.name->text;
  if (stmt->kind != STMT_ASSIGN) return NULL;
  const struct expr *target = stmt->assign.target;
  while (target->kind == EXPR_INDEX || target->kind == EXPR_MEMBER)
    target = target->kind == EXPR_INDEX ? target->index.base : target->member.base;
  return target->kind == EXPR_NAME ? target->name.name->text : NULL;
}

static struct task_node *statement_node(struct body_walk *w, const struct stmt *stmt) {
  struct task_node *node = node_new(w, TASK_STATEMENT, stmt->span);
  say_statement(node, stmt->kind);
  node->name = assigned_name(stmt);
  if (stmt->kind == STMT_LET && !stmt->assign.is_call) {
    unsigned uses = expr_uses(w->d->r, stmt->assign.value);
    node->value = stmt->assign.value;
    node->pure = !(uses & (USES_VAR | USES_CLOCK | USES_DRAW | USES_TARGET | USES_CALLER));
  }
  return node;
}

static struct task_node *call_node(struct body_walk *w, const struct stmt *stmt) {
  const struct symbol *callee = stmt_callee(stmt);
  if (!callee || callee->kind != SYMBOL_LABEL) {
    struct task_node *node = statement_node(w, stmt);
    if (stmt->assign.is_call) say_statement(node, STMT_CALL);
    return node;
  }
  struct task_node *node = request_node(w, callee->request, stmt->assign.value, stmt->span);
  return node;
}

static struct task_node *hold_node(struct body_walk *w, const struct stmt *stmt) {
  struct task_node *node = node_new(w, TASK_COMPUTE, stmt->span);
  unsigned uses = expr_uses(w->d->r, stmt->hold);
  say_statement(node, STMT_HOLD);
  node->value = stmt->hold;
  node->state = uses & USES_VAR;
  node->combines = !(uses & (USES_CLOCK | USES_DRAW | USES_TARGET | USES_CALLER));
  return node;
}

/* The nodes of a block that is entered where the condition holds, or does not. */
static struct task_node *arm_nodes(struct body_walk *w, const struct block *block, const struct expr *condition,
                                   bool wanted) {
  isl_set *domain = isl_set_copy(w->domain);
  const char *inexact = w->inexact;
  bool exact = true;
  if (condition) w->domain = isl_set_intersect(w->domain, symbolic_set(&w->s, condition, wanted, &exact));
  if (!exact && !inexact) w->inexact = arena_printf(w->d->arena, "the condition %s", deriving_why(w->d, condition));
  struct task_node *first = block_nodes(w, block);
  isl_set_free(w->domain);
  w->domain = domain;
  w->inexact = inexact;
  return first;
}

static struct task_node *branch_node(struct body_walk *w, const struct stmt *stmt) {
  struct task_node *node = node_new(w, TASK_BRANCH, stmt->span);
  say_statement(node, STMT_IF);
  node->arm_count = stmt->branch.has_else ? 2 : 1;
  node->arms = ARENA_ARRAY(w->d->arena, struct task_arm, 2);
  node->collapse = stmt->collapse;
  node->chance = stmt->branch.chance;
  node->arms[0].condition = stmt->branch.condition;
  node->arms[0].first = arm_nodes(w, &stmt->branch.then, stmt->branch.condition, true);
  if (stmt->branch.has_else) node->arms[1].first = arm_nodes(w, &stmt->branch.otherwise, stmt->branch.condition, false);
  if (stmt->branch.else_if && node->arms[1].first) node->arms[1].first->collapse |= stmt->collapse;
  unsigned uses = expr_uses(w->d->r, stmt->branch.condition);
  node->state = uses & (USES_VAR | USES_CLOCK | USES_DRAW | USES_TARGET | USES_CALLER);
  return node;
}

static struct task_node *chance_node(struct body_walk *w, const struct stmt *stmt) {
  struct task_node *node = node_new(w, TASK_BRANCH, stmt->span);
  const char *inexact = w->inexact;
  say_statement(node, STMT_ONE_OF);
  node->state = true; /* it is drawn anew */
  node->collapse = stmt->collapse;
  node->arm_count = stmt->chances.count;
  node->arms = ARENA_ARRAY(w->d->arena, struct task_arm, stmt->chances.count);
  w->inexact = inexact ? inexact : "it is by chance";
  for (uint32_t k = 0; k < stmt->chances.count; k++) {
    node->arms[k].condition = stmt->chances.items[k].value;
    node->arms[k].first = arm_nodes(w, &stmt->chances.items[k].body, NULL, true);
  }
  w->inexact = inexact;
  return node;
}

static struct task_node *first_node(struct body_walk *w, const struct stmt *stmt) {
  struct task_node *node = node_new(w, TASK_BRANCH, stmt->span);
  const char *inexact = w->inexact;
  say_statement(node, STMT_FIRST_OF);
  node->state = true;
  node->arm_count = stmt->heads.count;
  node->arms = ARENA_ARRAY(w->d->arena, struct task_arm, stmt->heads.count);
  w->inexact = inexact ? inexact : "it is by what comes first";
  for (uint32_t k = 0; k < stmt->heads.count; k++) {
    struct task_node *wait = arm_nodes(w, &stmt->heads.items[k].wait, NULL, true);
    struct task_node *rest = arm_nodes(w, &stmt->heads.items[k].body, NULL, true);
    node->arms[k].first = wait;
    if (wait) wait->next = rest;
  }
  w->inexact = inexact;
  return node;
}

static isl_pw_aff *bound_of(struct body_walk *w, const struct expr *expr) {
  isl_pw_aff *value = symbolic_value(&w->s, expr);
  struct symbol *param = value ? NULL : end_as_param(w->d, expr);
  for (uint32_t k = 0; param && k < w->d->param_count; k++)
    if (w->d->params[k] == param)
      value = isl_pw_aff_from_aff(
          isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(w->s.space)), isl_dim_param, k));
  return value;
}

static isl_pw_aff *dimension(struct body_walk *w, uint32_t place) {
  return isl_pw_aff_from_aff(
      isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(w->s.space)), isl_dim_set, place));
}

/* One of some values. False: not all of them are affine. */
static bool bound_list(struct body_walk *w, const struct expr *list, uint32_t place) {
  isl_set *any = isl_set_empty(isl_space_copy(w->s.space));
  for (uint32_t k = 0; k < list->list.count; k++) {
    isl_pw_aff *value = symbolic_value(&w->s, list->list.items[k]);
    if (!value) {
      isl_set_free(any);
      return false;
    }
    any = isl_set_union(any, isl_pw_aff_eq_set(dimension(w, place), value));
  }
  w->domain = isl_set_intersect(w->domain, any);
  return true;
}

/* Low .. high by a number. False: not all is known of it. */
static bool bound_loop(struct body_walk *w, const struct stmt *stmt, uint32_t place) {
  const struct expr *range = stmt->each.range, *step = stmt->each.step;
  if (range->kind == EXPR_LIST && !step) return bound_list(w, range, place);
  bool known = range->kind == EXPR_RANGE && !stmt->each.geometric &&
               (!step || (step->kind == EXPR_INTEGER && step->integer > 0));
  isl_pw_aff *low = range->kind == EXPR_RANGE ? bound_of(w, range->range.low) : NULL;
  isl_pw_aff *high = range->kind == EXPR_RANGE ? bound_of(w, range->range.high) : NULL;
  if (step && low && known) {
    isl_pw_aff *rest = isl_pw_aff_sub(dimension(w, place), isl_pw_aff_copy(low));
    rest = isl_pw_aff_mod_val(rest, isl_val_int_from_si(w->d->ctx, step->integer));
    w->domain = isl_set_intersect(w->domain, isl_pw_aff_zero_set(rest));
  }
  known = known && low && high;
  bool forward = !step || (step->kind == EXPR_INTEGER && step->integer > 0) || stmt->each.geometric;
  if (low && forward)
    w->domain = isl_set_intersect(w->domain, isl_pw_aff_ge_set(dimension(w, place), low));
  else
    isl_pw_aff_free(low);
  if (high && forward)
    w->domain = isl_set_intersect(w->domain, isl_pw_aff_le_set(dimension(w, place), high));
  else
    isl_pw_aff_free(high);
  return known;
}

/* May the range be empty by more than one, so that high - low + 1 is less than 0? */
static bool may_be_negative(struct body_walk *w, const struct expr *range) {
  isl_pw_aff *low = symbolic_value(&w->s, range->range.low), *high = symbolic_value(&w->s, range->range.high);
  bool may = true;
  if (low && high) {
    low = isl_pw_aff_add_constant_val(low, isl_val_int_from_si(w->d->ctx, -1));
    isl_set *bad = isl_set_intersect(isl_pw_aff_lt_set(high, low), isl_set_copy(w->domain));
    bad = isl_set_intersect_params(bad, isl_set_copy(w->d->context));
    may = isl_set_is_empty(bad) != isl_bool_true;
    isl_set_free(bad);
    return may;
  }
  isl_pw_aff_free(low);
  isl_pw_aff_free(high);
  return may;
}

static struct expr *at_least_zero(struct deriving *d, struct expr *count) {
  struct expr *expr = ARENA_NEW(d->arena, struct expr), *callee = ARENA_NEW(d->arena, struct expr);
  callee->kind = EXPR_NAME;
  callee->name.name = name_of(d->r->model->names, "max");
  expr->kind = EXPR_CALL;
  expr->call = ARENA_NEW(d->arena, struct call);
  expr->call->callee = callee;
  expr->call->args.values = ARENA_ARRAY(d->arena, struct expr *, 2);
  expr->call->args.values[0] = count;
  expr->call->args.values[1] = task_expr_integer(d->arena, 0);
  expr->call->args.value_count = 2;
  return expr;
}

/* How often a loop goes round; NULL: it is not known. */
static struct expr *trips_of(struct body_walk *w, const struct stmt *stmt) {
  struct arena *arena = w->d->arena;
  const struct expr *range = stmt->each.range, *step = stmt->each.step;
  if (stmt->each.geometric || (step && (step->kind != EXPR_INTEGER || step->integer <= 0))) return NULL;
  if (range->kind == EXPR_LIST && !step) return task_expr_integer(arena, range->list.count);
  if (range->kind != EXPR_RANGE) return NULL;
  struct expr *low = task_expr_copy(arena, range->range.low), *high = task_expr_copy(arena, range->range.high);
  struct expr *one = task_expr_integer(arena, 1), *count;
  if (step && !task_expr_is(step, 1)) {
    count = task_expr_binary(arena, OP_SUB, high, low);
    count = task_expr_binary(arena, OP_ADD,
                             task_expr_binary(arena, OP_WHOLE, count, task_expr_integer(arena, step->integer)), one);
  } else if (task_expr_is(low, 1)) {
    count = high;
  } else {
    count = task_expr_binary(arena, OP_SUB, task_expr_binary(arena, OP_ADD, high, one), low);
  }
  return may_be_negative(w, range) ? at_least_zero(w->d, count) : count;
}

static struct task_node *loop_node(struct body_walk *w, const struct stmt *stmt) {
  struct task_node *node = node_new(w, TASK_LOOP, stmt->span);
  bool counts = stmt->kind == STMT_FOR;
  say_statement(node, stmt->kind);
  node->arm_count = 1;
  node->arms = ARENA_ARRAY(w->d->arena, struct task_arm, 1);
  if (!counts) {
    const char *inexact = w->inexact;
    node->state = true;
    node->arms[0].condition = stmt->loop.condition;
    if (!inexact)
      w->inexact =
          arena_printf(w->d->arena, "how often a loop goes round: %s", deriving_why(w->d, stmt->loop.condition));
    node->arms[0].first = arm_nodes(w, &stmt->loop.body, NULL, true);
    w->inexact = inexact;
    return node;
  }
  const char *inexact = w->inexact;
  isl_set *domain = isl_set_copy(w->domain);
  node->name = stmt->each.symbol->name->text;
  node->range = stmt->each.range;
  node->step = stmt->each.step;
  node->geometric = stmt->each.geometric;
  unsigned uses = expr_uses(w->d->r, node->range) | (node->step ? expr_uses(w->d->r, node->step) : 0);
  node->state = uses & (USES_VAR | USES_CLOCK | USES_DRAW | USES_TARGET | USES_CALLER);
  node->trips = trips_of(w, stmt);
  bool whole = stmt->each.symbol->type && stmt->each.symbol->type->kind == TYPE_INT && w->depth < TASK_LOOPS;
  if (whole) {
    uint32_t place = w->index_count + w->depth;
    if (!bound_loop(w, stmt, place) && !inexact)
      w->inexact = arena_printf(w->d->arena, "the loop over %s", deriving_why(w->d, node->range));
    w->names[place] = node->name;
    w->places[w->depth] = place;
    w->loops[w->depth++] = stmt->each.symbol;
    w->s.loop_count = w->depth;
  }
  node->arms[0].first = arm_nodes(w, &stmt->each.body, NULL, true);
  if (whole) w->s.loop_count = --w->depth;
  isl_set_free(w->domain);
  w->domain = domain;
  w->inexact = inexact;
  return node;
}

static struct task_node *statement_nodes(struct body_walk *w, const struct stmt *stmt) {
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN: return call_node(w, stmt);
  case STMT_HOLD: return hold_node(w, stmt);
  case STMT_IF: return branch_node(w, stmt);
  case STMT_ONE_OF: return chance_node(w, stmt);
  case STMT_FIRST_OF: return first_node(w, stmt);
  case STMT_WHILE:
  case STMT_FOR: return loop_node(w, stmt);
  case STMT_RECORD:
  case STMT_PROFILE:
  case STMT_ASSERT: return statement_node(w, stmt);
  case STMT_KINDS: break;
  }
  return NULL;
}

static struct task_node *block_nodes(struct body_walk *w, const struct block *block) {
  struct task_node *first = NULL, **link = &first;
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (stmt->made) continue;
    struct task_node *node = statement_nodes(w, stmt);
    if (node->kind != TASK_LOOP && node->kind != TASK_BRANCH) node->text = statement_text(w->d, stmt->span);
    *link = node;
    link = &node->next;
  }
  return first;
}

/* ---- graphs ---- */

const struct expr *deriving_attribute(struct deriving *d, const struct model_accept *accept, enum known attribute) {
  struct attribute_ref ref = profile_find(d->r, accept, name_known(d->r->model->names, attribute));
  if (ref.kind != ATTRIBUTE_EXPR && ref.kind != ATTRIBUTE_INDEX) return NULL;
  if (ref.value) return ref.value->kind == EXPR_NA ? NULL : ref.value;
  struct expr *index = ARENA_NEW(d->arena, struct expr);
  struct symbol *symbol = accept->component->indices[ref.slot];
  *index = (struct expr){.kind = EXPR_NAME, .type = symbol->type, .name = {symbol->name, symbol}};
  return index;
}

static const char *attribute_text(struct deriving *d, const struct model_accept *accept, enum known attribute) {
  const struct expr *value = deriving_attribute(d, accept, attribute);
  struct text text = {.arena = d->arena};
  if (value) expr_format(&text, value);
  return text.data;
}

static void derive_graph(struct deriving *d, const struct model_component *component, const struct model_accept *accept,
                         uint32_t place) {
  struct task_graph *graph = &d->out->graphs[place];
  struct body_walk w = {.d = d, .accept = accept, .graph = place, .index_count = component->index_count};
  graph->indices = ARENA_ARRAY(d->arena, const char *, component->index_count);
  graph->index_count = component->index_count;
  for (uint32_t k = 0; k < component->index_count; k++)
    w.names[k] = graph->indices[k] = component->indices[k]->name->text;
  w.s = deriving_symbolic(d, component->index_count + TASK_LOOPS);
  w.s.loops = w.loops;
  w.s.loop_places = w.places;
  w.domain = deriving_index_set(&w.s, component, &w.inexact);
  isl_set *own = isl_set_project_out(isl_set_copy(w.domain), isl_dim_set, component->index_count, TASK_LOOPS);
  graph->instances = deriving_set_text(d, own, component->symbol->name->text, w.names, component->index_count);
  graph->unknown = w.inexact;
  if (graph->transaction) graph->processor = attribute_text(d, accept, KNOWN_PROCESSOR);
  if (graph->transaction && !graph->processor) graph->processor = attribute_text(d, accept, KNOWN_RANK);
  struct task_node **link = &graph->first;
  if (accept->body) *link = block_nodes(&w, accept->body);
  while (*link)
    link = &(*link)->next;
  for (uint32_t k = 0; k < accept->request_count; k++) {
    const struct model_request *request = accept->requests[k];
    struct task_node *node =
        request_node(&w, request, request->args[0] ? request->args[0] : &(struct expr){0}, request->syntax->txn.span);
    node->text = "";
    *link = node;
    link = &node->next;
  }
  isl_set_free(w.domain);
  isl_space_free(w.s.space);
}

/* The accepts that have a graph: those that the system reaches, and what they call in turn. */
static void list_graphs(struct deriving *d, struct model_component *system) {
  struct model *model = d->r->model;
  struct model_accept *root = ARENA_NEW(d->arena, struct model_accept);
  *root =
      (struct model_accept){.component = system, .requests = system->requests, .request_count = system->request_count};
  bool *listed = ARENA_ARRAY(d->arena, bool, model->accept_count);
  struct task_graph first = {.component = system->symbol->name->text, .accept = root};
  ARENA_PUSH(d->arena, d->out->graphs, d->out->graph_count, d->out->graph_capacity, first);
  for (uint32_t k = 0; k < d->out->graph_count; k++) {
    const struct model_accept *from = d->out->graphs[k].accept;
    for (uint32_t r = 0; r < from->component->request_count; r++) {
      const struct model_request *request = from->component->requests[r];
      if (is_message_passing(d, request) || (from != root && !accept_makes(from, request))) continue;
      bool *targets = targets_of(d, request);
      for (uint32_t a = 0; a < model->accept_count; a++) {
        const struct model_accept *accept = model->accepts[a];
        bool computes = request->protocol == PROTOCOL_CALL_RETURN && only_holds(accept);
        if (!targets[a] || listed[a] || !is_application(d, accept) || computes) continue;
        listed[a] = true;
        struct task_graph graph = {.component = accept->component->symbol->name->text,
                                   .transaction = accept->transaction->symbol->name->text,
                                   .accept = accept};
        ARENA_PUSH(d->arena, d->out->graphs, d->out->graph_count, d->out->graph_capacity, graph);
      }
    }
  }
}

static void list_params(struct deriving *d) {
  struct static_graph *out = d->out;
  out->params = ARENA_ARRAY(d->arena, struct task_param, d->param_count);
  for (uint32_t k = 0; k < d->param_count; k++) {
    const struct symbol *symbol = d->params[k];
    struct value value;
    struct expr name = {.kind = EXPR_NAME, .type = symbol->type, .name = {symbol->name, d->params[k]}};
    if (symbol->kind != SYMBOL_PARAM || !resolver_quietly(d->r, &name, NULL, &value) || value.kind != VALUE_INT)
      continue;
    out->params[out->param_count++] =
        (struct task_param){symbol->name->text, arena_printf(d->arena, "%lld", (long long)value.integer)};
  }
}

struct static_graph *static_graph_derive(struct graph *graph, struct arena *arena) {
  struct deriving *d = ARENA_NEW(arena, struct deriving);
  resolver_defer_limit(graph->resolver);
  *d = (struct deriving){.r = graph->resolver, .arena = arena, .ctx = isl_ctx_alloc()};
  isl_options_set_on_error(d->ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(d->ctx, MOST_OPERATIONS);
  d->out = ARENA_NEW(arena, struct static_graph);
  d->out->system = graph->system->symbol->name->text;
  list_graphs(d, graph->system);
  struct looking looking = {.d = d};
  for (uint32_t k = 0; k < d->out->graph_count; k++)
    look_accept(d, &looking, d->out->graphs[k].accept);
  list_params(d);
  struct symbolic s = deriving_symbolic(d, 0);
  d->context = isl_set_params(symbolic_context(&s));
  isl_space_free(s.space);
  for (uint32_t k = 0; k < d->out->graph_count; k++)
    derive_graph(d, d->out->graphs[k].accept->component, d->out->graphs[k].accept, k);
  deriving_edges(d);
  for (uint32_t k = 0; k < d->end_count; k++)
    isl_set_free(d->ends[k].domain);
  isl_set_free(d->context);
  isl_ctx_free(d->ctx);
  resolver_restore_limit(graph->resolver);
  return d->out;
}

struct span task_graph_span(const struct task_graph *graph) {
  const struct block *body = graph->accept ? graph->accept->body : NULL;
  const struct stmt *last = body ? body->first : NULL;
  if (!last || graph->accept->component->question_count) return (struct span){0};
  struct span span = last->span;
  while (last->next)
    last = last->next;
  span.end = last->span.end;
  return span;
}
