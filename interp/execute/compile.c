/* Bodies to programs: statements, then registers and jumps made real. A body that has locals other than numbers,
 * booleans and terms is left to the walker. */
#include "interp/execute/compiler.h"
#include "interp/execute/host_time.h"
#include <string.h>

/* ---- contexts ---- */

struct context *context_new(struct compiler *compiler, struct body *body, struct context *parent, uint16_t instance) {
  struct context *context = ARENA_NEW(compiler->arena, struct context);
  context->body = body;
  context->component = body->component;
  context->accept = body->accept;
  context->instance = instance;
  context->slot_count = body->slot_count;
  context->slots = ARENA_ARRAY(compiler->arena, int32_t, body->slot_count + 1);
  context->indices = ARENA_ARRAY(compiler->arena, int32_t, body->component->index_count + 1);
  memset(context->slots, 0xff, (body->slot_count + 1) * sizeof(int32_t));
  memset(context->indices, 0xff, (body->component->index_count + 1) * sizeof(int32_t));
  context->communicates = body->communicates || (parent && parent->communicates);
  context->spawned = parent && parent->spawned;
  context->analysis = body->analysis;
  context->shared = body->shared;
  context->result = -1;
  context->depth = parent ? parent->depth + 1 : 0;
  return context;
}

void emit_order(struct compiler *compiler, const struct context *context) {
  if (context->shared && !compiler->alone) emit(compiler, DO_ORDER);
}

const struct type *result_type(const struct context *context) {
  if (context->answers) return context->answers;
  return context->accept ? context->accept->result : context->body->coercion->from_transaction->result;
}

struct node *emit_testing(struct compiler *compiler, enum operation op, uint16_t value, bool *tested) {
  struct node *test = compiler->last, *node = emit(compiler, op);
  *tested = test->op == DO_FINITE && test->b == value;
  if (*tested) {
    node->label = test->label;
    test->op = DO_NOP;
    test->has_b = false;
    test->label = NULL;
  }
  return node;
}

/* ---- where time goes ---- */

struct host_place *place_open(struct compiler *compiler, const void *subject, const struct name *name,
                              struct span span) {
  struct host_place *before = compiler->here;
  if (before) compiler->here = host_place(compiler->host, before, subject, name, span);
  return before;
}

void place_said(const struct compiler *compiler, const char *how, const char *why) {
  if (!compiler->here) return;
  compiler->here->how = how;
  compiler->here->why = why;
}

/* ---- statements ---- */

static void compile_hold(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct hold_site *site = ARENA_NEW(compiler->sites, struct hold_site);
  bool shares = context->depth == 0 && accept_shares(context->accept); /* in the frame that has the server */
  if (shares) emit(compiler, DO_ORDER);
  uint16_t seconds = compile_root(compiler, context, stmt->hold, compiler->executor->model->types.time);
  site->component = context->component->id;
  site->activity = context->communicates ? ACTIVITY_COMMUNICATE : ACTIVITY_COMPUTE;
  site->spawned = context->spawned;
  site->span = stmt->hold->span;
  struct node *node = emit_testing(compiler, shares ? DO_SHARE : DO_HOLD, seconds, &site->tested);
  site->next = (1 + site->tested) * (int64_t)sizeof(struct instruction);
  node->b = seconds;
  node->has_b = true;
  node->site = site;
}

void loop_open(struct compiler *compiler, const struct context *context) {
  if (compiler->level >= 30 || context->spawned) {
    give_up(compiler, context->spawned ? "a loop in what a token starts" : "loops within each other");
    return;
  }
  compiler->loops[compiler->level].insert = compiler->last;
  compiler->loops[compiler->level].block = compiler->block;
  compiler->level++;
  block_enter(compiler);
}

void loop_close(struct compiler *compiler) {
  block_leave(compiler);
  compiler->level--;
}

static void jump_unless(struct compiler *compiler, struct context *context, struct expr *condition,
                        struct label *otherwise) {
  if (compile_condition(compiler, context, condition, otherwise) == ANSWER_NO) jump(compiler, otherwise);
}

static void while_loop(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct label *again = label_new(compiler), *end = label_new(compiler);
  loop_open(compiler, context);
  label_here(compiler, again);
  jump_unless(compiler, context, stmt->loop.condition, end);
  compile_block(compiler, context, &stmt->loop.body);
  emit_order(compiler, context);
  emit(compiler, DO_TURN)->site = (void *)&stmt->span;
  emit_order(compiler, context);
  jump(compiler, again);
  loop_close(compiler);
  label_here(compiler, end);
}

static void for_each(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  const struct expr *range = stmt->each.range;
  const struct type *integer = compiler->executor->model->types.integer;
  if (range->kind != EXPR_RANGE || range->range.low->type->kind != TYPE_INT ||
      range->range.high->type->kind != TYPE_INT) {
    give_up(compiler, "it goes over the items of a list");
    return;
  }
  uint16_t low = compile_root(compiler, context, range->range.low, integer);
  uint16_t high = compile_root(compiler, context, range->range.high, integer);
  uint16_t step =
      stmt->each.step ? compile_root(compiler, context, stmt->each.step, integer) : constant_int(compiler, 1);
  if (compiler->failed) return;
  if (!compiler->registers[step].constant ||
      (stmt->each.geometric ? compiler->registers[step].value.integer < 2
                            : compiler->registers[step].value.integer == 0) ||
      (stmt->each.geometric && compiler->registers[low].low < 1)) {
    give_up(compiler, "a step that is not known, or cannot be"); /* the walker tells what is wrong */
    return;
  }
  int64_t stride = compiler->registers[step].value.integer;
  bool up = stride > 0;
  struct label *body = label_new(compiler), *end = label_new(compiler);
  struct node *test = emit(compiler, DO_UNLESS_INT_LE);
  test->b = up ? low : high;
  test->c = up ? high : low;
  test->has_b = test->has_c = true;
  test->label = end;
  block_enter(compiler);
  int32_t variable = register_new(compiler, TYPE_INT, compiler->level + 1);
  struct node *move = emit(compiler, DO_MOVE);
  move->a = (uint16_t)variable;
  move->b = low;
  move->has_a = move->has_b = true;
  compiler->registers[variable].low = compiler->registers[up ? low : high].low;
  compiler->registers[variable].high = compiler->registers[up ? high : low].high;
  loop_open(compiler, context);
  label_here(compiler, body);
  context->slots[stmt->each.symbol->slot] = variable;
  compile_block(compiler, context, &stmt->each.body);
  emit_order(compiler, context);
  emit(compiler, DO_TURN)->site = (void *)&stmt->span;
  struct node *next = emit(compiler, stmt->each.geometric ? DO_NEXT_TIMES : up ? DO_NEXT_UP : DO_NEXT_DOWN);
  next->a = (uint16_t)variable;
  next->b = step;
  next->c = high;
  next->has_a = next->has_b = next->has_c = next->updates = true;
  next->label = body;
  loop_close(compiler);
  block_leave(compiler);
  label_here(compiler, end);
}

/* A global param, or an int, bool or term that is written there. */
static bool is_settled(const struct expr *expr) {
  enum type_kind kind = expr->type ? expr->type->kind : TYPE_VOID;
  if (kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_TERM) return false;
  return expr->kind == EXPR_INTEGER || expr->kind == EXPR_BOOLEAN ||
         (expr->kind == EXPR_NAME && (!expr->name.symbol || expr->name.symbol->kind == SYMBOL_PARAM));
}

/* The condition of an `if` of the block that is the same in all turns and cannot fail; NULL: there is none, or a loop
 * is in the block. */
static struct expr *settled_condition(const struct block *body) {
  for (const struct stmt *stmt = body->first; stmt; stmt = stmt->next) {
    if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE) return NULL;
    struct expr *condition = stmt->kind == STMT_IF ? stmt->branch.condition : NULL;
    if (condition && condition->kind == EXPR_COMPARE && condition->compare.count == 2 &&
        is_settled(condition->compare.operands[0]) && is_settled(condition->compare.operands[1]))
      return condition;
  }
  return NULL;
}

/* A loop that decides the same in all its turns is written once for either answer: straight, it fits repeat.c. */
static void for_loop(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct expr *condition = compiler->settled ? NULL : settled_condition(&stmt->each.body);
  if (!condition) {
    for_each(compiler, context, stmt);
    return;
  }
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  jump_unless(compiler, context, condition, otherwise);
  compiler->settled = condition;
  for (uint32_t i = 0; i < 2; i++) {
    compiler->settled_holds = i == 0;
    block_enter(compiler);
    for_each(compiler, context, stmt);
    block_leave(compiler);
    if (i == 0) jump(compiler, end);
    label_here(compiler, i == 0 ? otherwise : end);
  }
  compiler->settled = NULL;
}

/* The one branch that is ever taken; the other need not be anything that compiles. */
static void one_branch(struct compiler *compiler, struct context *context, const struct block *taken) {
  compile_block(compiler, context, taken);
  if (taken->first) emit_order(compiler, context);
}

static void if_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  if (stmt->branch.condition == compiler->settled) {
    one_branch(compiler, context, compiler->settled_holds ? &stmt->branch.then : &stmt->branch.otherwise);
    return;
  }
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  enum answer answer = compile_condition(compiler, context, stmt->branch.condition, otherwise);
  if (answer != ANSWER_OPEN) {
    one_branch(compiler, context, answer == ANSWER_YES ? &stmt->branch.then : &stmt->branch.otherwise);
    return;
  }
  block_enter(compiler);
  compile_block(compiler, context, &stmt->branch.then);
  if (stmt->branch.then.first) emit_order(compiler, context);
  block_leave(compiler);
  if (stmt->branch.otherwise.first) jump(compiler, end);
  label_here(compiler, otherwise);
  if (stmt->branch.otherwise.first) {
    block_enter(compiler);
    compile_block(compiler, context, &stmt->branch.otherwise);
    emit_order(compiler, context);
    block_leave(compiler);
    label_here(compiler, end);
  }
}

static uint16_t branch_taken(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct branch_site *site = ARENA_NEW(compiler->sites, struct branch_site);
  site->stmt = stmt;
  site->instance = context->instance;
  site->chances = ARENA_ARRAY(compiler->sites, uint16_t, stmt->chances.count);
  site->values = ARENA_ARRAY(compiler->sites, double, stmt->chances.count);
  for (uint32_t i = 0; i < stmt->chances.count && !compiler->failed; i++)
    site->chances[i] =
        compile_root(compiler, context, stmt->chances.items[i].value, compiler->executor->model->types.real);
  uint16_t taken = (uint16_t)register_new(compiler, TYPE_INT, compiler->level);
  if (compiler->failed) return taken;
  struct node *node = emit(compiler, DO_BRANCH);
  node->a = taken;
  node->has_a = true;
  node->site = site;
  return taken;
}

static void one_of_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct label *end = label_new(compiler);
  if (context->analysis) { /* the walker tells what is wrong */
    give_up(compiler, "'one of' under analysis");
    return;
  }
  uint16_t taken = branch_taken(compiler, context, stmt);
  for (uint32_t i = 0; i < stmt->chances.count && !compiler->failed; i++) {
    const struct block *body = &stmt->chances.items[i].body;
    struct label *next = label_new(compiler);
    struct node *test = emit(compiler, DO_UNLESS_INT_EQ);
    test->b = taken;
    test->c = constant_int(compiler, i);
    test->has_b = test->has_c = true;
    test->label = next;
    block_enter(compiler);
    compile_block(compiler, context, body);
    if (body->first) emit_order(compiler, context);
    block_leave(compiler);
    jump(compiler, end);
    label_here(compiler, next);
  }
  label_here(compiler, end);
}

static struct record_site *record_site(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct record_site *site = ARENA_NEW(compiler->sites, struct record_site);
  site->component = context->component;
  site->accept = context->accept;
  site->instance = context->instance;
  site->stmt = stmt;
  site->span = stmt->span;
  return site;
}

static void statement(struct compiler *compiler, struct context *context, const struct stmt *stmt) {
  struct node *node;
  struct record_site *site;
  struct label *holds;
  const struct type *type;
  uint16_t value;
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN: compile_value_statement(compiler, context, stmt); return;
  case STMT_HOLD: compile_hold(compiler, context, stmt); return;
  case STMT_RECORD:
    type = stmt->record.value->type;
    if (!kind_is_scalar(type->kind) || context->spawned) {
      give_up(compiler, "a record of what is no number, or of what a token starts");
      return;
    }
    if (record_ordered(context->component, stmt->record.name.name)) emit(compiler, DO_ORDER);
    value = compile_root(compiler, context, stmt->record.value,
                         type->kind == TYPE_INT ? compiler->executor->model->types.real : type);
    site = record_site(compiler, context, stmt);
    site->name = stmt->record.name.name;
    site->type = type;
    node = emit(compiler, DO_RECORD);
    node->b = value;
    node->has_b = true;
    node->site = site;
    return;
  case STMT_PROFILE:
    if (!kind_is_scalar(stmt->record.symbol->type->kind) || context->spawned) {
      give_up(compiler, "an attribute that is no number, truth or term");
      return;
    }
    value = compile_root(compiler, context, stmt->record.value, stmt->record.symbol->type);
    site = record_site(compiler, context, stmt);
    site->type = stmt->record.symbol->type;
    site->slot = stmt->record.symbol->slot;
    test_allowed(compiler, context, stmt->record.symbol->allowed, stmt->record.symbol->name, stmt->record.symbol->type,
                 stmt->record.value->span, value);
    node = emit(compiler, DO_PROFILE);
    node->b = context->instance;
    node->c = value;
    node->has_b = node->has_c = true;
    node->site = site;
    return;
  case STMT_ASSERT: {
    struct label *fails = label_new(compiler);
    holds = label_new(compiler);
    jump_unless(compiler, context, stmt->assertion, fails);
    jump(compiler, holds);
    label_here(compiler, fails);
    node = emit(compiler, DO_ASSERT);
    node->b = context->instance;
    node->has_b = true;
    node->site = record_site(compiler, context, stmt);
    label_here(compiler, holds);
    return;
  }
  case STMT_IF: if_statement(compiler, context, stmt); return;
  case STMT_ONE_OF: one_of_statement(compiler, context, stmt); return;
  case STMT_FIRST_OF: give_up(compiler, "'first of'"); return;
  case STMT_WHILE: while_loop(compiler, context, stmt); return;
  case STMT_FOR: for_loop(compiler, context, stmt); return;
  case STMT_KINDS: return;
  }
}

void compile_block(struct compiler *compiler, struct context *context, const struct block *body) {
  for (const struct stmt *stmt = body->first; stmt && !compiler->failed; stmt = stmt->next) {
    emit_order(compiler, context);
    compiler->statement = stmt->span;
    statement(compiler, context, stmt);
  }
}

/* Why the body is the walker's; NULL: it may be compiled. */
static const char *misfit(const struct body *body) {
  const struct model_accept *accept = body->accept;
  if (accept->firing_rule) return "it has a firing rule";
  if (body->param_count > 32) return "it has more than 32 parameters";
  for (uint32_t k = 0; k < body->param_count; k++)
    if (!kind_is_scalar(body->params[k]->type->kind) && body->params[k]->type->kind != TYPE_SIGNAL)
      return "a parameter is no number, truth or term";
  bool fine =
      result_type(&(struct context){.accept = body->accept})->kind == TYPE_VOID || kind_is_scalar(accept->result->kind);
  return fine ? NULL : "its result is no number, truth or term";
}

static void ignore(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  (void)user;
  (void)sources;
  (void)diagnostic;
}

bool compile_guarded(struct model *model, bool (*work)(struct arena *, void *), void *user) {
  struct memory *memory = model->arena->memory;
  struct diagnostics *loud = model->diagnostics;
  struct diagnostics quiet = {.sources = model->sources, .sink = ignore, .unheard = true};
  struct arena arena;
  jmp_buf here, *outer = memory->guard;
  arena_open(&arena, memory);
  arena_open(&quiet.arena, memory);
  memory->guard = &here;
  model->diagnostics = &quiet;
  bool failed = setjmp(here) != 0;
  bool fine = !failed && work(&arena, user);
  memory->guard = outer;
  model->diagnostics = loud;
  arena_close(&quiet.arena);
  arena_close(&arena);
  if (failed) longjmp(*outer, 1);
  return fine;
}

struct compilation {
  struct executor *executor;
  struct body *body;
  struct arena *sites;
  struct program *program;
  struct host_place *place;
};

static bool compile_body(struct arena *arena, void *user) {
  struct compilation *compilation = user;
  struct executor *executor = compilation->executor;
  struct body *body = compilation->body;
  struct program *program = compilation->program = ARENA_NEW(compilation->sites, struct program);
  struct compiler compiler = {.executor = executor,
                              .functions = executor->model->apply ? functions_of(executor->model) : NULL,
                              .model = executor->model,
                              .environment = &executor->environment,
                              .sites = compilation->sites,
                              .arena = arena,
                              .program = program,
                              .alone = requests_alone(executor),
                              .host = executor->host_time,
                              .here = compilation->place};
  compiler.first = ARENA_NEW(arena, struct node);
  compiler.first->next = compiler.last = ARENA_NEW(arena, struct node); /* emit_first puts code between them */
  const struct instances *instances = &executor->graph->instances[body->component->id];
  int32_t instance = register_new(&compiler, TYPE_INT, 0);
  compiler.registers[instance].param = true;
  compiler.registers[instance].low = instances->first;
  compiler.registers[instance].high = (int64_t)instances->first + instances->count - 1;
  if (instances->count == 1) {
    compiler.registers[instance].constant = true;
    compiler.registers[instance].value.integer = instances->first;
  }
  struct context *context = context_new(&compiler, body, NULL, (uint16_t)instance);
  program->params = ARENA_ARRAY(compilation->sites, uint16_t, body->param_count + 1);
  program->param_count = body->param_count;
  program->evaluators = ARENA_ARRAY(compilation->sites, uint8_t, executor->evaluator_count + 1);
  for (uint32_t k = 0; k < body->param_count; k++) {
    program->params[k] = UINT16_MAX;
    if (body->params[k]->type->kind == TYPE_SIGNAL) continue;
    int32_t reg = register_new(&compiler, body->params[k]->type->kind, 0);
    compiler.registers[reg].param = true;
    mark_finite(&compiler, (uint16_t)reg);
    context->slots[body->params[k]->slot] = reg;
    program->params[k] = (uint16_t)reg;
  }
  context->after = label_new(&compiler);
  result_open(&compiler, context);
  if (context->result >= 0) {
    program->has_result = true;
    program->result_kind = result_type(context)->kind;
    program->result = (uint16_t)context->result;
  }
  if (body->block) compile_block(&compiler, context, body->block);
  label_here(&compiler, context->after);
  compile_requests(&compiler, context);
  emit_order(&compiler, context);
  struct node *end = emit(&compiler, DO_END);
  end->b = (uint16_t)(context->result >= 0 ? context->result : 0);
  end->has_b = context->result >= 0;
  bool fine = !compiler.failed && assemble(&compiler, program, (uint16_t)instance);
  if (!fine && compiler.here) {
    compilation->place->why = compiler.failed ? compiler.why : "its code would be too long";
    if (compiler.failed) compilation->place->why_at = compiler.statement;
  }
  return fine;
}

struct program *compile(struct executor *executor, struct body *body, struct arena *sites) {
  struct host_place *place = executor->host_time ? host_body(executor->host_time, body) : NULL;
  struct compilation compilation = {executor, body, sites, NULL, place};
  const char *why = body->accept ? misfit(body) : "a coercion's block";
  if (place) place->why = why;
  if (why || !compile_guarded(executor->model, compile_body, &compilation)) return NULL;
  if (place) place->how = "compiled";
  return compilation.program;
}
