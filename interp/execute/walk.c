/* The tree walker: executes a body statement by statement, with a stack of open blocks in its frame, so
 * that it can stop at any call and go on later.  It is the reference for compiled programs. */
#include "interp/execute/steps.h"
#include "interp/evaluate/arithmetic.h"
#include <string.h>

static void scratch_reset(struct executor *executor) {
  if (executor->scratch.blocks) arena_reset(&executor->scratch);
}

static struct environment *here(struct executor *executor, struct process *process, struct frame *frame) {
  return frame_environment(executor, frame, frame_borrow(executor, frame), process->clock);
}

static bool failed(struct executor *executor, struct span span) {
  executor_stop(executor, STOP_ERROR, span, NULL);
  return false;
}

/* The way from the var or local to the part of it that is assigned, and the value that stands there. */
struct way {
  struct kept *slot;
  uint32_t *path, depth, capacity;
  struct value value;
};

static void way_go(struct executor *executor, struct way *way, uint32_t item) {
  ARENA_PUSH(&executor->scratch, way->path, way->depth, way->capacity, item);
  way->value = way->value.object->items[item];
}

static bool way_index(struct executor *executor, struct process *process, struct frame *frame,
                      const struct expr *target, struct way *way) {
  for (uint32_t s = 0; s < target->index.count; s++) {
    struct value at;
    const struct expr *subscript = target->index.subscripts[s];
    if (!evaluate(here(executor, process, frame), subscript, &at)) return failed(executor, target->span);
    uint32_t count = way->value.object->count;
    if (at.integer < 0 || at.integer >= (int64_t)count) {
      executor_stop(executor, STOP_ERROR, subscript->span, "index %lld is outside the list, which has %u item%s",
                    (long long)at.integer, count, count == 1 ? "" : "s, from 0");
      return false;
    }
    way_go(executor, way, (uint32_t)at.integer);
  }
  return true;
}

/* target: a name, or INDEX and MEMBER over one. */
static bool way_find(struct executor *executor, struct process *process, struct frame *frame, const struct expr *target,
                     struct way *way) {
  if (target->kind == EXPR_NAME) {
    const struct symbol *symbol = target->name.symbol;
    struct kept *slots = symbol->kind == SYMBOL_VAR ? instance_vars(executor, frame->instance) : frame_locals(frame);
    if (symbol->kind == SYMBOL_VAR) state_used(executor, frame->body->component, process->clock);
    way->slot = &slots[symbol->slot];
    way->value = way->slot->value;
    return true;
  }
  const struct expr *base = target->kind == EXPR_INDEX ? target->index.base : target->member.base;
  if (!way_find(executor, process, frame, base, way)) return false;
  if (target->kind == EXPR_INDEX) return way_index(executor, process, frame, target, way);
  for (uint32_t i = 0; i < base->type->field_count; i++)
    if (base->type->fields[i].name == target->member.member.name) {
      way_go(executor, way, i);
      break;
    }
  return true;
}

/* Is it said by that that the instance no longer asks for its params? Others may begin. */
static bool is_answered(const struct frame *frame, const struct expr *target, struct value value) {
  const struct symbol *asking = frame->body->component->asking;
  return asking && frame->body->has_rules && expr_symbol(target) == asking && !value.boolean;
}

static const struct expr *expr_target(const struct expr *target) {
  while (target->kind == EXPR_INDEX || target->kind == EXPR_MEMBER)
    target = target->kind == EXPR_INDEX ? target->index.base : target->member.base;
  return target;
}

static bool assign(struct executor *executor, struct process *process, struct frame *frame, const struct expr *target,
                   struct value value) {
  struct way way = {0};
  if (!way_find(executor, process, frame, target, &way)) return false;
  bool changes = frame->body->component->watched && !value_equal(way.value, value);
  if (!kept_put(&executor->keep, way.slot, way.path, way.depth, value)) {
    executor_stop(executor, STOP_ERROR, target->span, VALUE_TOO_LARGE);
    return false;
  }
  if (changes) rules_var(executor, frame->instance, expr_target(target)->name.symbol, process->clock);
  if (is_answered(frame, target, value)) rules_again(executor, frame->instance, process->clock);
  return true;
}

/* Where the value of a statement goes: a let's local, an assignment's place, the reply. */
static bool deliver(struct executor *executor, struct process *process, struct frame *frame, const struct stmt *stmt,
                    struct value value) {
  if (stmt->kind == STMT_ASSIGN) return assign(executor, process, frame, stmt->assign.target, value);
  if (stmt->kind == STMT_LET) kept_store(&executor->keep, &frame_locals(frame)[stmt->assign.symbol->slot], value);
  if (stmt->kind == STMT_RETURN) {
    kept_store(&executor->keep, &frame_walked(frame)->result, value);
    frame->at = 0;
  }
  return true;
}

static void wait_here(struct process *process, struct frame *frame, const struct symbol *callee, struct span span) {
  struct walked *walked = frame_walked(frame);
  walked->wait = (struct wait){callee, span, span, frame->body->component->id};
  process->wait = &walked->wait;
}

/* Is it known that the frame's instance does not make the request, or has nobody to make it to? */
static bool request_absent(struct executor *executor, struct process *process, struct frame *frame,
                           const struct model_request *request, bool *absent) {
  const struct binding *binding = &executor->graph->bindings[request->id];
  uint32_t local = frame->instance - executor->graph->instances[frame->body->component->id].first;
  struct value holds;
  struct target one;
  const uint32_t *many;
  uint32_t first;
  *absent = binding->kind == BINDING_LATE ? binding->present && !(binding->present[local / 8] >> (local % 8) & 1)
                                          : targets_bound(binding, local, &one, &many, &first) == 0;
  if (*absent || !binding->late_where) return true;
  if (!evaluate(here(executor, process, frame), request->where, &holds)) return failed(executor, request->where->span);
  *absent = !holds.boolean;
  return true;
}

/* `visits`, before the request is made the first time. `locals`: as for request_evaluate. */
static bool visits_begin(struct executor *executor, struct process *process, struct frame *frame,
                         const struct model_request *request, struct value *locals) {
  struct walked *walked = frame_walked(frame);
  struct value value;
  bool absent;
  if (!request_absent(executor, process, frame, request, &absent)) return false;
  walked->repeats = true;
  walked->visits = 0;
  if (absent) return true;
  struct environment *environment = frame_environment(executor, frame, locals, process->clock);
  if (!evaluate_as(environment, request->visits, executor->model->types.real, &value))
    return failed(executor, request->visits->span);
  return visits_count(executor, request, frame->body->analysis ? INSTANCE_NONE : frame->instance, value.real,
                      &walked->visits);
}

/* The request in hand has been made: is it to be made again? The same steps as a TURN of compiled code, but that
 * the last one does not look. */
static bool visits_next(struct executor *executor, struct process *process, struct frame *frame, struct span span) {
  struct walked *walked = frame_walked(frame);
  if (!walked->repeats) return true;
  bool look = ++executor->turns >= executor->look_at || ++process->still > STILL_LIMIT;
  if (--walked->visits > 0) return !look || turn_look(executor, process, span);
  walked->repeats = false;
  return true;
}

static bool label_locals(struct executor *executor, struct process *process, struct frame *frame,
                         const struct stmt *stmt, struct value *locals) {
  const struct model_request *request = stmt->assign.callee->request;
  const struct expr *call = stmt->assign.value;
  for (uint32_t k = 0; k < request->param_count; k++)
    if (!evaluate_as(here(executor, process, frame), call->call->bound[k], request->params[k]->type,
                     &locals[request->params[k]->slot]))
      return failed(executor, call->span);
  return true;
}

static enum outcome call_label(struct executor *executor, struct process *process, struct frame *frame,
                               const struct stmt *stmt) {
  struct model_request *request = stmt->assign.callee->request;
  struct walked *walked = frame_walked(frame);
  const struct expr *call = stmt->assign.value;
  struct value *locals = ARENA_ARRAY(&executor->scratch, struct value, request->slot_count + 1);
  struct pending *pending;
  bool first = request->visits && stmt->kind == STMT_CALL && !walked->repeats;
  if (!label_locals(executor, process, frame, stmt, locals)) return OUTCOME_STOP;
  if (first) { /* and once more, for the first of the calls */
    if (!visits_begin(executor, process, frame, request, locals)) return OUTCOME_STOP;
    if (!walked->visits) return OUTCOME_DONE;
    if (!label_locals(executor, process, frame, stmt, locals)) return OUTCOME_STOP;
  }
  wait_here(process, frame, NULL, call->span);
  enum outcome outcome = request_evaluate(executor, process, frame, request, locals, &pending);
  if (outcome != OUTCOME_DONE || !pending) return outcome;
  return request_perform(executor, process, frame_requester(frame), pending);
}

static enum outcome call_evaluator(struct executor *executor, struct process *process, struct frame *frame,
                                   const struct stmt *stmt, struct value *result) {
  const struct expr *call = stmt->assign.value;
  const struct symbol *callee = stmt->assign.callee;
  union psl_argument arguments[EVALUATOR_ARGUMENTS] = {{0}};
  for (uint32_t k = 0; k < callee->signature->count; k++) {
    struct value value;
    const struct expr *given = call->call->bound[k] ? call->call->bound[k] : callee->signature->defaults[k];
    struct environment *e = here(executor, process, frame);
    if (!evaluate_as(e, given, callee->signature->types[k], &value) ||
        (callee->signature->types[k]->kind != TYPE_ANY &&
         !evaluator_given(e, callee->evaluator_function, k, given->span, &value)))
      return failed(executor, call->span), OUTCOME_STOP;
    if (callee->signature->types[k]->kind == TYPE_ANY)
      arguments[k].value = value_given(value);
    else
      arguments[k] = evaluator_argument(e->scratch, value);
  }
  wait_here(process, frame, callee, call->span);
  return evaluator_invoke(executor, process, frame, arguments, result);
}

static const struct type *wanted_type(const struct frame *frame, const struct stmt *stmt) {
  return stmt->kind == STMT_ASSIGN ? stmt->assign.target->type
         : stmt->kind == STMT_LET  ? stmt->assign.symbol->type
         : frame->body->accept     ? frame->body->accept->result
                                   : frame->body->coercion->from_transaction->result;
}

/* What a call has answered, as what is wanted of it. */
static bool answer_convert(struct executor *executor, struct process *process, struct frame *frame,
                           const struct stmt *stmt, struct value *value) {
  if (stmt->kind == STMT_CALL || value->kind == VALUE_NONE) return true;
  return value_as(here(executor, process, frame), stmt->assign.value->span, wanted_type(frame, stmt), *value, value) ||
         failed(executor, stmt->assign.value->span);
}

/* A block's `return`: what it gives becomes the result of the transaction that the block stands for. */
static bool return_convert(struct executor *executor, struct frame *frame, const struct stmt *stmt,
                           const struct conversion *conversion, struct value *value) {
  return conversion_apply(executor, frame_requester(frame), conversion,
                          (struct target){frame_called(frame)->target, frame_called(frame)->adapter->accept->id},
                          stmt->assign.value->span, *value, value);
}

/* The value of a statement that makes no call. */
static bool walk_given(struct executor *executor, struct process *process, struct frame *frame,
                       const struct stmt *stmt) {
  struct value value = {.kind = VALUE_NONE};
  struct expr *given = stmt->assign.value;
  const struct adapted *adapted = adapter_at(frame_called(frame)->adapter, stmt);
  const struct type *type = wanted_type(frame, stmt);
  if (adapted) type = argument_type(executor->model, given, type);
  if (given && !evaluate_as(here(executor, process, frame), given, type, &value)) return failed(executor, stmt->span);
  if (adapted && !return_convert(executor, frame, stmt, &adapted->result, &value)) return false;
  return deliver(executor, process, frame, stmt, value);
}

static bool walk_answer(struct executor *executor, struct process *process, struct frame *frame,
                        const struct stmt *stmt, struct value value) {
  const struct adapted *adapted = adapter_at(frame_called(frame)->adapter, stmt);
  bool fine = adapted && adapted->result.to ? return_convert(executor, frame, stmt, &adapted->result, &value)
                                            : answer_convert(executor, process, frame, stmt, &value);
  return fine && deliver(executor, process, frame, stmt, value);
}

/* LET, ASSIGN, RETURN, CALL: true to go on with the next statement. */
static bool walk_value(struct executor *executor, struct process *process, struct frame *frame,
                       const struct stmt *stmt) {
  struct value value = {.kind = VALUE_NONE};
  if (!stmt->assign.is_call) return walk_given(executor, process, frame, stmt);
  enum outcome outcome = OUTCOME_DONE;
  const struct symbol *callee = stmt->assign.callee;
  double asked = process->clock;
  if (!frame->called) {
    if (callee->kind == SYMBOL_LABEL) {
      if (executor->ordered[callee->request->id] && !process_in_order(executor, process)) return false;
      outcome = call_label(executor, process, frame, stmt);
    } else if (callee->kind == SYMBOL_TRANSACTION) {
      outcome = block_call(executor, process, frame, stmt);
    } else {
      outcome = call_evaluator(executor, process, frame, stmt, &value);
    }
  }
  if (outcome != OUTCOME_DONE) return false;
  if (frame->ordered && process->clock > asked) { /* delivered in order, too */
    frame_answer(frame, value_keep(&executor->keep, value));
    frame->called = true;
    return false;
  }
  bool answered = frame->called;
  frame->called = false;
  if (answered) value = frame_reply(frame).value;
  bool fine = walk_answer(executor, process, frame, stmt, value);
  if (answered) frame_reply_drop(executor, frame);
  return fine && visits_next(executor, process, frame, stmt->span);
}

static bool walk_hold(struct executor *executor, struct process *process, struct frame *frame,
                      const struct stmt *stmt) {
  struct value value;
  struct facility *facility = frame_called(frame)->facility;
  bool shares = facility && facility_shares(facility);
  if (executor->causes) wait_here(process, frame, NULL, stmt->span);
  if (shares && !process_in_order(executor, process)) return false;
  if (!evaluate_as(here(executor, process, frame), stmt->hold, executor->model->types.time, &value))
    return failed(executor, stmt->span);
  if (shares && value.real >= 0 && value.real <= CLOCK_MOST) {
    frame_loops(frame)[frame->at - 1].next = stmt->next; /* goes on behind the hold */
    service_hold(executor, facility, process, value.real);
    return false;
  }
  if (process->cancellable && hold_possible(value.real, process->clock + value.real)) {
    process_pause(executor, process, PROCESS_HOLD, frame->body->is_head ? EVENT_RETRY : EVENT_PROCESS,
                  process->clock + value.real);
    return false;
  }
  return hold(executor, process, frame->body->component->id, frame_activity(frame), value.real, stmt->hold->span,
              &process->clock);
}

static bool walk_profile(struct executor *executor, struct process *process, struct frame *frame,
                         const struct stmt *stmt) {
  struct value value;
  struct model_component *component = frame->body->component;
  if (!evaluate_as(here(executor, process, frame), stmt->record.value, stmt->record.symbol->type, &value))
    return failed(executor, stmt->span);
  if (!value_allowed(here(executor, process, frame), stmt->record.symbol->allowed, stmt->record.symbol->name,
                     stmt->record.symbol->type, stmt->record.value->span, value))
    return failed(executor, stmt->record.value->span);
  kept_store(&executor->keep, &instance_dynamics(executor, frame->instance)[stmt->record.symbol->slot], value);
  (void)component;
  profile_changed(executor, process->clock);
  return true;
}

static bool block_open(struct frame *frame, const struct block *block, const struct stmt *loop) {
  struct loop *open = &frame_loops(frame)[frame->at++];
  open->next = block->first;
  open->loop = loop;
  return true;
}

static bool walk_for(struct executor *executor, struct process *process, struct frame *frame, const struct stmt *stmt) {
  struct loop fresh = {.step = 1};
  struct value low, high, step = {.kind = VALUE_INT, .integer = 1};
  const struct expr *range = stmt->each.range;
  if (range->kind == EXPR_RANGE) {
    if (!evaluate(here(executor, process, frame), range->range.low, &low) ||
        !evaluate(here(executor, process, frame), range->range.high, &high) ||
        (stmt->each.step && !evaluate(here(executor, process, frame), stmt->each.step, &step)))
      return failed(executor, stmt->span);
    fresh.at = low.integer;
    fresh.last = high.integer;
    fresh.step = step.integer;
    if (stmt->each.geometric ? fresh.step < 2 || fresh.at < 1 : fresh.step == 0) {
      executor_stop(executor, STOP_ERROR, stmt->each.step->span,
                    stmt->each.geometric ? "a loop `by *` wants a factor of 2 or more and a start of 1 or more"
                                         : "a loop's step must not be 0");
      return false;
    }
    if (fresh.step > 0 ? fresh.at > fresh.last : fresh.at < fresh.last) return true;
    kept_store(&executor->keep, &frame_locals(frame)[stmt->each.symbol->slot], value_integer(fresh.at));
  } else {
    if (!evaluate(here(executor, process, frame), range, &low)) return failed(executor, stmt->span);
    if (low.object->count == 0) return true;
    fresh.list = value_keep(&executor->keep, low);
    kept_store(&executor->keep, &frame_locals(frame)[stmt->each.symbol->slot], fresh.list.value.object->items[0]);
  }
  frame_loops(frame)[frame->at] = fresh;
  return block_open(frame, &stmt->each.body, stmt);
}

/* A loop's body is done: its next turn, or the end of it. */
static bool turn_begin(struct executor *executor, struct frame *frame, struct loop *open) {
  const struct stmt *stmt = open->loop;
  if (stmt->kind == STMT_WHILE) {
    frame->at--; /* the condition again */
    frame_loops(frame)[frame->at - 1].next = stmt;
    return true;
  }
  int64_t next;
  struct kept *slot = &frame_locals(frame)[stmt->each.symbol->slot];
  if (open->list.value.kind == VALUE_LIST) {
    const struct object *list = open->list.value.object;
    if (++open->at < (int64_t)list->count) {
      kept_store(&executor->keep, slot, list->items[open->at]);
      open->next = stmt->each.body.first;
      return true;
    }
    kept_drop(&executor->keep, &open->list);
    frame->at--;
    return true;
  }
  bool over = stmt->each.geometric ? int_multiply(open->at, open->step, &next) : int_add(open->at, open->step, &next);
  if (over || (open->step > 0 ? next > open->last : next < open->last)) {
    frame->at--;
    return true;
  }
  open->at = next;
  kept_store(&executor->keep, slot, value_integer(next));
  open->next = stmt->each.body.first;
  return true;
}

/* The same steps as a TURN of compiled code. */
static bool walk_turn(struct executor *executor, struct process *process, struct frame *frame, struct loop *open) {
  const struct stmt *stmt = open->loop;
  bool look = ++executor->turns >= executor->look_at || ++process->still > STILL_LIMIT;
  return turn_begin(executor, frame, open) && (!look || turn_look(executor, process, stmt->span));
}

static bool walk_condition(struct executor *executor, struct process *process, struct frame *frame,
                           const struct expr *condition, bool *holds) {
  struct value value;
  if (!evaluate_as(here(executor, process, frame), condition, executor->model->types.boolean, &value))
    return failed(executor, condition->span);
  *holds = value.boolean;
  return true;
}

static bool walk_one_of(struct executor *executor, struct process *process, struct frame *frame,
                        const struct stmt *stmt) {
  uint32_t count = stmt->chances.count, taken;
  double *chances = ARENA_ARRAY(&executor->scratch, double, count);
  if (frame->body->analysis) {
    executor_stop(executor, STOP_ERROR, stmt->span,
                  "a component that is executed under analysis draws nothing, and takes none of these branches");
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    struct value value;
    const struct expr *chance = stmt->chances.items[i].value;
    if (!evaluate_as(here(executor, process, frame), chance, executor->model->types.real, &value))
      return failed(executor, chance->span);
    chances[i] = value.real;
  }
  if (!branch_draw(executor, stmt, frame->instance, chances, &taken)) return false;
  const struct block *body = &stmt->chances.items[taken].body;
  return !body->first || block_open(frame, body, NULL);
}

/* Begins the heads; when one is done, its block. */
static bool walk_first_of(struct executor *executor, struct process *process, struct frame *frame,
                          const struct stmt *stmt) {
  if (!frame->called) {
    if (!process_in_order(executor, process)) return false;
    wait_here(process, frame, NULL, stmt->span);
    heads_start(executor, process, frame, stmt);
    return false;
  }
  const struct block *body = &stmt->heads.items[frame_reply(frame).value.integer].body;
  frame->called = false;
  frame_reply_drop(executor, frame);
  frame_loops(frame)[frame->at - 1].next = stmt->next;
  return !body->first || block_open(frame, body, NULL);
}

/* Executes one statement; true: go on at the open block's `next`, which is set already. */
static bool walk_statement(struct executor *executor, struct process *process, struct frame *frame,
                           const struct stmt *stmt) {
  bool holds;
  struct value value;
  switch (stmt->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN: return walk_value(executor, process, frame, stmt);
  case STMT_HOLD: return walk_hold(executor, process, frame, stmt);
  case STMT_RECORD:
    if (record_ordered(frame->body->component, stmt->record.name.name) && !process_in_order(executor, process))
      return false;
    if (!evaluate_as(here(executor, process, frame), stmt->record.value,
                     type_real(&executor->model->types, stmt->record.value->type->dimension), &value))
      return failed(executor, stmt->span);
    record_value(executor, process, frame->body->component, frame->instance, process->clock, stmt->record.name.name,
                 stmt->record.value->type, value.real);
    return true;
  case STMT_PROFILE: return walk_profile(executor, process, frame, stmt);
  case STMT_ASSERT:
    if (!walk_condition(executor, process, frame, stmt->assertion, &holds)) return false;
    if (!holds) assertion_failed(executor, process, frame->instance, stmt);
    return holds;
  case STMT_IF:
    if (!walk_condition(executor, process, frame, stmt->branch.condition, &holds)) return false;
    if (holds ? stmt->branch.then.first != NULL : stmt->branch.otherwise.first != NULL)
      block_open(frame, holds ? &stmt->branch.then : &stmt->branch.otherwise, NULL);
    return true;
  case STMT_ONE_OF: return walk_one_of(executor, process, frame, stmt);
  case STMT_FIRST_OF: return walk_first_of(executor, process, frame, stmt);
  case STMT_WHILE:
    if (!walk_condition(executor, process, frame, stmt->loop.condition, &holds)) return false;
    return !holds || block_open(frame, &stmt->loop.body, stmt);
  case STMT_FOR: return walk_for(executor, process, frame, stmt);
  case STMT_KINDS: break;
  }
  return true;
}

/* ---- assertions ---- */

/* The question whose range it tests; NULL: the model says it. */
static const struct model_question *question_of(const struct model_component *component, const struct stmt *stmt) {
  for (uint32_t q = 0; q < component->question_count; q++) {
    const struct expr *range = component->questions[q].param->decl->value.range;
    if (range && range->span.begin == stmt->span.begin) return &component->questions[q];
  }
  return NULL;
}

/* The instance that an instance's request goes to, where that is known before the run; else INSTANCE_ABSENT. */
static uint32_t known_target(const struct graph *graph, const struct model_request *request, uint32_t instance) {
  const struct binding *binding = &graph->bindings[request->id];
  if (binding->kind == BINDING_SAME) return binding->target.instance;
  if (binding->kind != BINDING_TABLE) return INSTANCE_ABSENT;
  return binding_target(binding, instance - graph->instances[request->component->id].first);
}

/* "W = 3 s, the answer of costs, is not in 0 s .. 1 s" */
static void put_wrong_answer(struct executor *executor, uint32_t instance, const struct model_question *question,
                             struct text *out) {
  const struct model *model = executor->model;
  const struct symbol *param = question->param;
  struct value answer = instance_vars(executor, instance)[param->slot].value;
  text_printf(out, "%s = %s", param->name->text,
              value_brief(executor->arena, &model->types, model->names, param->type, answer));
  if (question->callee->kind == SYMBOL_EVALUATOR_FUNCTION) {
    text_printf(out, ", the answer of %s,", question->callee->evaluator_of->name);
  } else {
    uint32_t target = known_target(executor->graph, question->callee->request, instance);
    if (target < INSTANCE_ABSENT) {
      text_put(out, ", the answer of ");
      graph_instance_print(out, executor->graph, target);
      text_char(out, ',');
    }
  }
  text_put(out, " is not in ");
  expr_format(out, param->decl->value.range);
}

void assertion_failed(struct executor *executor, struct process *process, uint32_t instance, const struct stmt *stmt) {
  struct text who = {.arena = executor->arena}, when = {.arena = executor->arena}, what = {.arena = executor->arena};
  graph_instance_print(&who, executor->graph, instance);
  quantity_print(&when, &executor->model->types, process->clock, executor->model->types.time->dimension, 6);
  const struct model_question *question = question_of(graph_component(executor->graph, instance), stmt);
  if (question)
    put_wrong_answer(executor, instance, question, &what);
  else
    expr_format(&what, stmt->assertion);
  executor_stop(executor, STOP_ASSERT, stmt->span, "assertion failed in %s at %s: %s", who.data, when.data, what.data);
}

/* Unlabelled requests of the accept, in order, after its body. */
static bool walk_request(struct executor *executor, struct process *process, struct frame *frame) {
  struct model_accept *accept = frame->body->accept;
  if (!accept || frame_walked(frame)->request >= accept->request_count) {
    frame_walked(frame)->phase = PHASE_END;
    return true;
  }
  struct model_request *request = accept->requests[frame_walked(frame)->request];
  enum outcome outcome = OUTCOME_DONE;
  struct pending *pending;
  if (!frame->called) {
    if (executor->ordered[request->id] && !process_in_order(executor, process)) return false;
    if (request->visits && !frame_walked(frame)->repeats &&
        !visits_begin(executor, process, frame, request, frame_borrow(executor, frame)))
      return false;
    if (frame_walked(frame)->repeats && !frame_walked(frame)->visits) {
      frame_walked(frame)->repeats = false;
      frame_walked(frame)->request++;
      return true;
    }
    wait_here(process, frame, NULL, request->syntax->txn.span);
    outcome = request_evaluate(executor, process, frame, request, frame_borrow(executor, frame), &pending);
    if (outcome == OUTCOME_DONE && pending)
      outcome = request_perform(executor, process, frame_requester(frame), pending);
  }
  if (outcome != OUTCOME_DONE) return false;
  frame->called = false;
  if (!visits_next(executor, process, frame, request->syntax->span)) return false;
  if (!frame_walked(frame)->repeats) frame_walked(frame)->request++;
  return true;
}

void walk(struct executor *executor, struct process *process, struct frame *frame) {
  for (;;) {
    scratch_reset(executor);
    if (executor_stopped(executor)) return;
    if (frame_walked(frame)->phase == PHASE_BODY && frame->at == 0) frame_walked(frame)->phase = PHASE_REQUESTS;
    if (frame->ordered && !process_in_order(executor, process)) return;
    if (frame_walked(frame)->phase == PHASE_REQUESTS) {
      if (!walk_request(executor, process, frame)) return;
      continue;
    }
    if (frame_walked(frame)->phase == PHASE_END) {
      if (frame->body->is_head)
        head_finish(executor, process);
      else
        frame_finish(executor, process, &frame_walked(frame)->result);
      return;
    }
    struct loop *open = &frame_loops(frame)[frame->at - 1];
    const struct stmt *stmt = open->next;
    if (!stmt) {
      if (!open->loop)
        frame->at--;
      else if (!walk_turn(executor, process, frame, open))
        return;
      continue;
    }
    bool call =
        stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_RETURN || stmt->kind == STMT_CALL;
    if (call ? !stmt->assign.is_call : stmt->kind != STMT_FIRST_OF)
      open->next = stmt->next; /* before, as the statement may open a block */
    uint32_t depth = frame->at;
    if (!walk_statement(executor, process, frame, stmt)) {
      if (!call && process->state == PROCESS_QUEUED)
        open->next = stmt; /* it stands in the queue, to do the same again */
      return;
    }
    if (call && stmt->assign.is_call && frame->at == depth && !frame_walked(frame)->repeats) open->next = stmt->next;
  }
}
