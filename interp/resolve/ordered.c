/* What of a system's run has an order among all its instances, as far as the text says it before: a run in partitions
 * would come to it late, and have to be made again. Looked through are the bodies that the run may come to, as the
 * params are set: what stands behind a condition that is known to be false is left out. */
#include "grammar/children.h"
#include "interp/include/evaluator.h"
#include "interp/resolve/resolve.h"

struct asked {
  const struct model_accept *accept;
  struct span at; /* where, first */
};
struct looking {
  const struct graph *graph;
  struct resolver *r;
  bool *seen; /* accepts, by id */
  struct asked *queue;
  uint32_t count;
  const char *why; /* NULL: nothing has been found */
  struct span at;
};

enum { ARGUMENTS = 16 };
struct arguments { /* those of a call that are known before */
  struct symbol *const *params;
  uint32_t count;
  bool known[ARGUMENTS];
  int64_t values[ARGUMENTS];
};

static void found(struct looking *looking, struct span at, const char *why) {
  if (looking->why) return;
  looking->why = why;
  looking->at = at;
}

/* ---- what is known before the run ---- */

static bool is_known(const struct looking *looking, const struct expr *expr, struct value *value) {
  return !expr_uses(looking->r, expr) && resolver_quietly(looking->r, expr, NULL, value);
}

static bool whole_known(const struct looking *looking, const struct expr *expr, const struct arguments *given,
                        int64_t *out) {
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  struct value value;
  for (uint32_t k = 0; given && symbol && k < given->count; k++)
    if (given->params[k] == symbol) {
      *out = given->values[k];
      return given->known[k];
    }
  if (!is_known(looking, expr, &value) || value.kind != VALUE_INT) return false;
  *out = value.integer;
  return true;
}

static void argument_take(const struct looking *looking, struct arguments *to, uint32_t k, const struct expr *expr,
                          const struct arguments *given) {
  if (k < ARGUMENTS) to->known[k] = expr && whole_known(looking, expr, given, &to->values[k]);
}

/* Is the condition known, and is this its value? */
static bool is_surely(const struct looking *looking, const struct expr *condition, bool wanted) {
  struct value value;
  enum operator decides = wanted ? OP_OR : OP_AND; /* the one side is enough for that */
  if (condition->kind == EXPR_BINARY && condition->binary.op == decides)
    return is_surely(looking, condition->binary.left, wanted) || is_surely(looking, condition->binary.right, wanted);
  return is_known(looking, condition, &value) && value.kind == VALUE_BOOL && value.boolean == wanted;
}

/* ---- bodies and requests ---- */

static void look_request(struct looking *looking, const struct model_request *request, const struct arguments *given,
                         struct span at);

static void look_evaluator(struct looking *looking, const struct symbol *callee, const struct expr *call,
                           const struct arguments *given, struct span at) {
  const struct psl_partitioned *partitioned = callee->evaluator_of->partitioned;
  struct arguments arguments = {0};
  if (!partitioned || !partitioned->ordered) return;
  for (uint32_t k = 0; k < call->call->bound_count; k++) {
    const struct expr *expr = call->call->bound[k] ? call->call->bound[k] : callee->signature->defaults[k];
    argument_take(looking, &arguments, k, expr, given);
  }
  if (partitioned->ordered(callee->evaluator_function, arguments.known, arguments.values))
    found(looking, at,
          arena_printf(looking->r->arena, "what '%s' of %s answers depends on what others have done before",
                       callee->name->text, callee->evaluator_of->name));
}

static void look_call(struct looking *looking, const struct stmt *stmt, const struct arguments *given, struct span at) {
  const struct symbol *callee = stmt_callee(stmt);
  const struct expr *call = stmt->assign.value;
  struct arguments arguments = {0};
  if (callee->evaluator_of) {
    look_evaluator(looking, callee, call, given, at);
  } else if (callee->kind == SYMBOL_LABEL) {
    const struct model_request *request = callee->request;
    arguments.params = request->params;
    arguments.count = request->param_count < ARGUMENTS ? request->param_count : ARGUMENTS;
    for (uint32_t k = 0; k < arguments.count && k < call->call->bound_count; k++)
      argument_take(looking, &arguments, k, call->call->bound[k], given);
    look_request(looking, request, &arguments, at);
  }
}

static bool calls_evaluator(const struct stmt *stmt) {
  const struct symbol *callee = stmt_callee(stmt);
  return callee && callee->evaluator_of;
}

/* The block that is left out, as the condition before it is known; NULL: none is. */
static const struct block *block_left_out(const struct looking *looking, const struct stmt *stmt) {
  if (stmt->kind == STMT_WHILE) return is_surely(looking, stmt->loop.condition, false) ? &stmt->loop.body : NULL;
  if (stmt->kind != STMT_IF) return NULL;
  if (is_surely(looking, stmt->branch.condition, false)) return &stmt->branch.then;
  return is_surely(looking, stmt->branch.condition, true) ? &stmt->branch.otherwise : NULL;
}

/* With arguments that are given: calls of evaluators alone. `at`: what is said to be where the body is asked for;
 * empty: it is where it stands. */
static void look_block(struct looking *looking, const struct block *block, const struct arguments *given,
                       struct span at) {
  for (const struct stmt *stmt = block->first; stmt && !looking->why; stmt = stmt->next) {
    struct span here = at.end ? at : stmt->span;
    if (stmt->kind == STMT_RECORD && !given) found(looking, here, "values are recorded in order");
    if (stmt_callee(stmt) && (!given || calls_evaluator(stmt))) look_call(looking, stmt, given, here);
    const struct block *left_out = block_left_out(looking, stmt);
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && c.block != left_out) look_block(looking, c.block, given, at);
  }
}

/* A body of the library is known by where it is asked for. */
static struct span place_of(const struct looking *looking, const struct model_accept *accept, struct span at) {
  return resolver_in_library(looking->r, accept->syntax->span) ? at : (struct span){0, 0};
}

static void look_target(struct looking *looking, const struct model_request *request, const struct model_accept *accept,
                        const struct arguments *given, struct span at) {
  struct arguments arguments = {.params = accept->params};
  if (accept->transaction == request->transaction)
    arguments.count = accept->param_count < ARGUMENTS ? accept->param_count : ARGUMENTS;
  for (uint32_t k = 0; k < arguments.count; k++) {
    uint32_t of = accept->param_of[k];
    const struct expr *expr = request->args[of] ? request->args[of] : request->transaction->params[of].value;
    argument_take(looking, &arguments, k, expr, given);
  }
  if (accept->servers && !accept->unlimited) found(looking, at, "there are servers, who serve in the order of time");
  if (accept->body && arguments.count) look_block(looking, accept->body, &arguments, place_of(looking, accept, at));
  if (looking->seen[accept->id]) return;
  looking->seen[accept->id] = true;
  looking->queue[looking->count++] = (struct asked){accept, at};
}

static void look_request(struct looking *looking, const struct model_request *request, const struct arguments *given,
                         struct span at) {
  const struct binding *binding = &looking->graph->bindings[request->id];
  for (uint32_t c = 0; binding->kind != BINDING_ABSENT && c < binding->candidate_count && !looking->why; c++)
    look_target(looking, request, binding->candidates[c], given, at);
}

static void look_accept(struct looking *looking, const struct asked *asked) {
  const struct model_accept *accept = asked->accept;
  if (accept->body) look_block(looking, accept->body, NULL, place_of(looking, accept, asked->at));
  for (uint32_t k = 0; k < accept->request_count && !looking->why; k++)
    look_request(looking, accept->requests[k], NULL, accept->requests[k]->syntax->span);
}

const char *graph_ordered(const struct graph *graph, struct span *at) {
  struct looking looking = {.graph = graph, .r = graph->resolver};
  const struct model_component *system = graph->system;
  looking.seen = ARENA_ARRAY(looking.r->arena, bool, graph->model->accept_count + 1);
  looking.queue = ARENA_ARRAY(looking.r->arena, struct asked, graph->model->accept_count + 1);
  for (uint32_t k = 0; k < system->request_count; k++)
    look_request(&looking, system->requests[k], NULL, system->requests[k]->syntax->span);
  for (uint32_t next = 0; next < looking.count && !looking.why; next++)
    look_accept(&looking, &looking.queue[next]);
  *at = looking.at;
  return looking.why;
}
