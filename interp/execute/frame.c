/* Bodies and frames: what stands behind an accept while it is executed, its state, and the effects
 * that both engines share (hold, record, the reply on its way back). */
#include "interp/evaluate/range_groups.h"
#include "grammar/children.h"
#include "interp/execute/levels.h"
#include "interp/execute/partitions.h"
#include "interp/execute/program.h"
#include "interp/execute/records.h"
#include "interp/execute/reuse.h"
#include "interp/execute/steady.h"
#include "interp/execute/steps.h"
#include "interp/execute/trace.h"
#include "interp/model/chances.h"
#include "interp/model/distribution.h"
#include "interp/resolve/graph.h"
#include "interp/statistics/batches.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool branch_draw(struct executor *executor, const struct stmt *stmt, uint32_t instance, const double *chances,
                 uint32_t *taken) {
  uint32_t count = stmt->chances.count, at;
  const char *wrong = chances_wrong(executor->arena, chances, count, &at);
  if (wrong) {
    executor_stop(executor, STOP_ERROR, at < count ? stmt->chances.items[at].value->span : stmt->span, "%s", wrong);
    return false;
  }
  *taken = chances_take(chances, count, random_uniform(instance_random(executor, instance)));
  return true;
}

static uint32_t block_depth(const struct block *block) {
  uint32_t deepest = 0;
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    for (struct children c = stmt_children(stmt); children_next(&c);) {
      uint32_t depth = c.block ? block_depth(c.block) : 0;
      deepest = depth > deepest ? depth : deepest;
    }
  return deepest + 1;
}

struct environment executor_environment(struct executor *executor, const int64_t *indices) {
  struct environment environment = executor->environment;
  environment.locals = ARENA_ARRAY(&executor->scratch, struct value, executor->model->slot_max + 1);
  environment.indices = indices;
  environment.vars = environment.dynamics = NULL;
  environment.random = NULL;
  return environment;
}

static const struct model_profile *profile_find(const struct model_accept *accept, const char *attribute) {
  for (uint32_t i = 0; i < accept->profile_count; i++)
    if (strcmp(accept->profile[i].attribute->text, attribute) == 0) return &accept->profile[i];
  return NULL;
}

/* The term that an attribute of a profile is for all instances; head 0 where it has none. */
static struct term profile_term(struct executor *executor, const struct model_accept *accept, const char *attribute) {
  const struct model_profile *profile = profile_find(accept, attribute);
  struct value value;
  struct environment environment = executor_environment(executor, NULL);
  if (!profile || !profile->value || profile->dynamic >= 0 || !profile->type || profile->type->kind != TYPE_TERM ||
      !evaluate(&environment, profile->value, &value) || value.kind != VALUE_TERM)
    return (struct term){0, 0};
  return value.term;
}

static bool term_is(struct executor *executor, struct term term, const char *head, const char *qualifier) {
  const struct name **names = executor->model->names->by_id;
  return term.head && strcmp(names[term.head]->text, head) == 0 &&
         (!qualifier || (term.qualifier && strcmp(names[term.qualifier]->text, qualifier) == 0));
}

bool component_shared(const struct model_component *component) {
  if (component->dynamic_count > 0 || component->watched) return true;
  return component->var_count > 0 && component_entered_again(component);
}

bool component_has_rules(const struct model_component *component) {
  for (uint32_t i = 0; i < component->accept_count; i++)
    if (component->accepts[i]->firing_rule) return true;
  return false;
}

static struct body *body_new(struct executor *executor, struct model_component *component, const struct block *block,
                             struct symbol **params, uint32_t param_count, uint32_t slot_count, uint32_t depth) {
  struct body *body = ARENA_NEW(executor->arena, struct body);
  body->component = component;
  body->block = block && block->first ? block : NULL;
  body->params = params;
  body->param_count = param_count;
  body->slot_count = slot_count;
  body->depth = depth;
  body->frame_size = (uint32_t)(sizeof(struct frame) + sizeof(struct walked) + slot_count * sizeof(struct value) +
                                component->index_count * sizeof(int64_t) + body->depth * sizeof(struct loop));
  body->shared = component_shared(component) || reads_others(executor, component, block);
  body->has_rules = body->shared && component_has_rules(component);
  return body;
}

/* Of all blocks of a body within each other. */
static uint32_t depth_of(const struct block *block) { return block && block->first ? block_depth(block) : 0; }

/* The same, kept from run to run. */
static uint32_t accept_depth(const struct executor *executor, const struct model_accept *accept) {
  uint32_t *known = executor->graph->reuse ? &executor->graph->reuse->depths[accept->id] : NULL;
  if (known && *known) return *known;
  uint32_t depth = depth_of(accept->body);
  if (known) *known = depth;
  return depth;
}

struct body *body_make(struct executor *executor, struct model_accept *accept) {
  struct body *body;
  struct model *model = executor->model;
  struct reads *outer = model->reads;
  if (executor->graph->reuse) model->reads = &executor->graph->reuse->folded; /* programs depend on it */
  body = body_new(executor, accept->component, accept->body, accept->params, accept->param_count, accept->slot_count,
                  accept_depth(executor, accept));
  body->accept = accept;
  struct term domain = profile_term(executor, accept, "domain");
  bool network = term_is(executor, domain, "hardware", "network");
  executor->networks[accept->component->id] |= network;
  body->communicates = network || term_is(executor, domain, "runtime", NULL);
  body->implementing = term_is(executor, domain, "runtime", NULL) || term_is(executor, domain, "hardware", NULL);
  body->analysis = term_is(executor, profile_term(executor, accept, "evaluation-mode"), "analysis", NULL);
  model->reads = outer;
  executor->bodies[accept->id] = body;
  body->observed = steady_observes(executor, accept);
  body->counted = usage_counts(accept);
  return body;
}

struct body *body_of_task(struct executor *executor, struct model_accept *accept) {
  struct model_accept *alone = ARENA_NEW(executor->arena, struct model_accept);
  struct body *body = ARENA_NEW(executor->arena, struct body);
  *alone = *accept;
  alone->request_count = 0;
  *body = *body_of_accept(executor, accept);
  body->accept = alone;
  body->counted = false; /* by processors */
  body->program = NULL;
  body->tried = false;
  return body;
}

/* One for each component that has its requests served so, and whether it does so under analysis. */
struct body *body_of_coercion(struct executor *executor, struct model_coercion *coercion, struct requester who) {
  struct body **first = &executor->coercion_bodies[coercion->id];
  for (struct body *body = *first; body; body = body->next)
    if (body->component == who.component && body->analysis == who.analysis) return body;
  struct body *body = body_new(executor, who.component, coercion->body, coercion->params,
                               coercion->from_transaction->param_count, coercion->slot_count, depth_of(coercion->body));
  body->coercion = coercion;
  body->analysis = who.analysis;
  body->next = *first;
  return *first = body;
}

struct walked *frame_walked(struct frame *frame) {
  return (struct walked *)(void *)(frame + 1);
}

struct kept *frame_locals(struct frame *frame) {
  return (struct kept *)(void *)(frame_walked(frame) + 1);
}

struct value *frame_borrow(struct executor *executor, struct frame *frame) {
  uint32_t count = frame->body->slot_count;
  struct value *locals = ARENA_ARRAY(&executor->scratch, struct value, count + 1);
  memcpy(locals, kept_values(frame_locals(frame)), count * sizeof *locals);
  return locals;
}

int64_t *frame_indices(struct frame *frame) {
  return (int64_t *)(void *)(frame_locals(frame) + frame->body->slot_count);
}

struct loop *frame_loops(struct frame *frame) {
  return (struct loop *)(void *)(frame_indices(frame) + frame->body->component->index_count);
}

static uint32_t instance_local(struct executor *executor, uint32_t instance, struct model_component **component) {
  *component = graph_component(executor->graph, instance);
  return instance - executor->graph->instances[(*component)->id].first;
}

struct kept *instance_vars(struct executor *executor, uint32_t instance) {
  struct model_component *component;
  uint32_t local = instance_local(executor, instance, &component);
  if (component->var_count == 0) return NULL;
  struct instance_state *state = &executor->states[component->id];
  uint32_t count = executor->graph->instances[component->id].count, width = component->var_count;
  if (!state->vars) {
    state->vars = ARENA_ARRAY(executor->arena, struct kept, (size_t)count * width);
    state->live = ARENA_ARRAY(executor->arena, uint8_t, count);
  }
  struct kept *vars = state->vars + (size_t)local * width;
  if (!state->live[local]) {
    state->live[local] = 1;
    int64_t indices[COMPONENT_INDICES];
    graph_indices(executor->graph, instance, indices);
    struct environment environment = executor_environment(executor, indices);
    environment.vars = kept_values(vars);
    environment.random = instance_random(executor, instance);
    for (uint32_t i = 0; i < width; i++) {
      struct value value;
      if (!evaluate_as(&environment, component->vars[i]->decl->value.value, component->vars[i]->type, &value)) {
        executor_stop(executor, STOP_ERROR, component->vars[i]->span, NULL);
        value = (struct value){.kind = VALUE_INT};
      }
      vars[component->vars[i]->slot] = value_keep(&executor->keep, value);
    }
  }
  return vars;
}

bool instance_asks(struct executor *executor, uint32_t instance) {
  const struct symbol *asking = graph_component(executor->graph, instance)->asking;
  return asking && instance_vars(executor, instance)[asking->slot].value.boolean;
}

struct kept *instance_dynamics(struct executor *executor, uint32_t instance) {
  struct model_component *component;
  uint32_t local = instance_local(executor, instance, &component);
  if (component->dynamic_count == 0) return NULL;
  struct instance_state *state = &executor->states[component->id];
  uint32_t count = executor->graph->instances[component->id].count, width = component->dynamic_count;
  if (!state->dynamics) { /* all at once: a selector may ask for any of them */
    state->dynamics = ARENA_ARRAY(executor->arena, struct kept, (size_t)count * width);
    int64_t indices[COMPONENT_INDICES];
    for (uint32_t at = 0; at < count; at++) {
      graph_indices(executor->graph, executor->graph->instances[component->id].first + at, indices);
      struct environment environment = executor_environment(executor, indices);
      for (uint32_t a = 0; a < component->accept_count; a++)
        for (uint32_t i = 0; i < component->accepts[a]->profile_count; i++) {
          const struct model_profile *profile = &component->accepts[a]->profile[i];
          struct value value;
          if (profile->dynamic < 0 || !profile->value) continue;
          if (!evaluate_as(&environment, profile->value, profile->type, &value)) {
            executor_stop(executor, STOP_ERROR, profile->span, NULL);
            return state->dynamics;
          }
          state->dynamics[(size_t)at * width + (uint32_t)profile->dynamic] = value_keep(&executor->keep, value);
        }
    }
  }
  return state->dynamics + (size_t)local * width;
}

struct random_stream *instance_random(struct executor *executor, uint32_t instance) {
  struct model_component *component;
  uint32_t local = instance_local(executor, instance, &component);
  struct instance_state *state = &executor->states[component->id];
  if (!state->random)
    state->random =
        ARENA_ARRAY(executor->arena, struct random_stream *, executor->graph->instances[component->id].count);
  if (!state->random[local]) {
    int64_t indices[COMPONENT_INDICES];
    const struct name *name = component->symbol->name;
    graph_indices(executor->graph, instance, indices);
    state->random[local] = ARENA_NEW(executor->arena, struct random_stream);
    *state->random[local] = random_open_words(executor->options->seed, random_hash(name->text, name->length), indices,
                                              component->index_count);
  }
  return state->random[local];
}

void state_borrow(struct executor *executor, struct environment *environment, const struct model_component *component,
                  uint32_t instance) {
  environment->vars = component->var_count ? kept_values(instance_vars(executor, instance)) : NULL;
  environment->dynamics = component->dynamic_count ? kept_values(instance_dynamics(executor, instance)) : NULL;
}

struct environment *frame_environment(struct executor *executor, struct frame *frame, struct value *locals,
                                      double time) {
  struct environment *environment = &executor->environment;
  state_used(executor, frame->body->component, time);
  environment->locals = locals;
  environment->indices = frame->compiled ? executor->indices : frame_indices(frame);
  if (frame->compiled) graph_indices(executor->graph, frame->instance, executor->indices);
  state_borrow(executor, environment, frame->body->component, frame->instance);
  environment->clock = time;
  environment->analysis = frame->body->analysis;
  environment->random = instance_random(executor, frame->instance);
  executor->attribute_called = frame_called(frame);
  if (frame->body->coercion)
    executor->attribute_target = (struct target){frame_called(frame)->target, frame_called(frame)->adapter->accept->id};
  executor->lacked = NULL;
  return environment;
}

static bool frame_communicates(struct body *body, const struct frame *parent) {
  return body->communicates || (parent && parent->communicates);
}

static __attribute__((noinline)) void body_try(struct executor *executor, struct body *body) {
  const struct model_accept *accept = body->accept;
  body->tried = true;
  body->visit_size = body_visits(body) ? sizeof(struct visit) : 0;
  body->program = reuse_program(executor, body);
  if (body->program) body->compiled_size = program_frame_size(body->program) + body->visit_size;
  body->takes = accept && !accept->unlimited && (accept->servers || accept->protocol == PROTOCOL_DATAFLOW);
  body->admitted = !accept || accept->protocol == PROTOCOL_DATAFLOW ||
                   (!accept->firing_rule && (!accept->servers || accept->unlimited));
  body->plain = !body->has_rules && !body_visits(body);
}

struct visit *frame_visit(struct frame *frame) {
  return (struct visit *)(void *)((char *)frame + frame_size(frame)) - 1;
}

static void parameter_left_out(struct frame *frame, int32_t param) {
  frame->no_priority |= param == frame->body->accept->priority_at;
  frame->no_class |= param == frame->body->accept->class_at;
}

struct frame *frame_push(struct executor *executor, struct process *process, struct body *body, uint32_t instance,
                         const struct value *arguments, uint32_t caller_instance, struct model_accept *caller_accept,
                         struct adapter *adapter) {
  if (!body->tried) body_try(executor, body);
  bool compiled = body->program && !process->cancellable; /* programs run ahead */
  bool apart = !called_alike(body, adapter, caller_instance, caller_accept);
  size_t size = (compiled ? body->compiled_size : body->frame_size + body->visit_size);
  struct frame *frame = frame_take(&executor->slabs, size + (apart ? sizeof(struct called) : 0), process->frame);
  frame->body = body;
  frame->instance = instance;
  frame->communicates = frame_communicates(body, frame_parent(frame));
  frame->compiled = compiled;
  frame->apart = apart;
  if (apart)
    *called_apart(frame) = (struct called){.accept = caller_accept, .adapter = adapter, .instance = caller_instance};
  frame->ordered = body->shared || process->cancellable || (adapter && adapter->transaction && adapter->late_block);
  frame->admitted = body->admitted;
  process->frame = frame;
  if (executor->causes && !frame_parent(frame)) causes_fires(executor, process);
  const struct model_accept *accept = body->accept;
  if (!frame->compiled && body->component->index_count) graph_indices(executor->graph, instance, frame_indices(frame));
  struct model_transaction *transaction = accept ? accept->transaction : body->coercion->from_transaction;
  for (uint32_t k = 0; arguments && k < body->param_count; k++) {
    uint32_t at = accept ? accept->param_of[k] : k;
    struct value value = arguments[at];
    struct model_parameter *parameter = &transaction->params[at];
    if (value.kind == VALUE_NONE) {
      struct environment environment = executor_environment(executor, NULL);
      if (accept) parameter_left_out(frame, (int32_t)k);
      if (parameter->type->kind == TYPE_SIGNAL) {
        value = (struct value){.kind = VALUE_SIGNAL}; /* no edge reaches it: there is nothing to wait for */
      } else if (!parameter->value) {
        executor_stop(executor, STOP_ERROR, body->params[k]->span,
                      "no request gives the parameter '%s' of '%s' a value", parameter->name->text,
                      transaction->symbol->name->text);
        value = (struct value){.kind = VALUE_SIGNAL};
      } else if (!evaluate_as(&environment, parameter->value, parameter->type, &value)) {
        executor_stop(executor, STOP_ERROR, parameter->span, NULL);
      } else {
        argument_allowed(executor, parameter, parameter->value->span, value);
      }
    }
    if (frame->compiled)
      program_parameter(frame, k, value);
    else
      frame_locals(frame)[body->params[k]->slot] = value_keep(&executor->keep, value);
  }
  if (accept) fire(executor, body->component->id, process->clock);
  if (body_visits(body)) frame_visit(frame)->entered = frame_visit(frame)->began = process->clock;
  if (compiled) return frame;
  if (body->block) {
    frame_loops(frame)[0].next = body->block->first;
    frame->at = 1;
  }
  frame_walked(frame)->phase = body->block ? PHASE_BODY : PHASE_REQUESTS;
  return frame;
}

void frame_push_head(struct executor *executor, struct process *process, struct body *body, struct frame *outer) {
  struct frame *frame = frame_take(&executor->slabs, body->frame_size + body->visit_size + sizeof(struct called), NULL);
  struct kept *locals = frame_locals(frame), *theirs = frame_locals(outer);
  frame->body = body;
  frame->instance = outer->instance;
  frame->apart = true;
  *called_apart(frame) =
      (struct called){.accept = frame_called(outer)->accept, .instance = frame_called(outer)->instance};
  frame->communicates = outer->communicates;
  frame->no_priority = outer->no_priority;
  frame->ordered = frame->admitted = true;
  struct facility *facility = frame_called(outer)->facility;
  if (facility && facility_shares(facility)) called_apart(frame)->facility = facility; /* it serves the hold */
  if (body->component->index_count) graph_indices(executor->graph, frame->instance, frame_indices(frame));
  for (uint32_t i = 0; i < body->slot_count; i++)
    locals[i] = value_keep(&executor->keep, theirs[i].value);
  frame_loops(frame)[0].next = body->block->first;
  frame->at = 1;
  frame_walked(frame)->phase = PHASE_BODY;
  process->frame = frame;
}

void frame_leave_line(struct executor *executor, struct process *process) {
  uint32_t component = process->frame->body->component->id;
  struct turned_away *left = &executor->left[component];
  double asked = process->frame->asked;
  if (process->frame->body->counted) usage_leave(executor, process, process->frame);
  if (process->state == PROCESS_SERVER) facility_leave(executor, process);
  if (process->state == PROCESS_RULE) rules_leave(executor, process);
  unfire(executor, component, asked);
  left->count += counts(executor, process->clock);
  sum_add(&left->waited, counted(executor, asked, process->clock - asked));
  process->frame->stays = NULL;
}

void frame_give_up(struct executor *executor, struct process *process) {
  struct frame *frame = process->frame;
  call_unexpected(executor, frame, frame->body->accept, frame->instance);
  frame_pop(executor, process);
  process->state = PROCESS_QUEUED;
  frame_reply_store(executor, process->frame, (struct value){.kind = VALUE_BOOL, .boolean = false});
  process->frame->called = true;
}

void frame_admitted(struct executor *executor, struct process *process, struct frame *frame) {
  frame->admitted = true;
  frame->stays = NULL;
  if (frame->patient) process->generation++; /* the end of its patience is void */
  call_unexpected(executor, frame, frame->body->accept, frame->instance);
  if (!body_visits(frame->body)) return;
  struct visit *visit = frame_visit(frame);
  visit->began = process->clock;
  if (visit->usage && !facility_shares(frame_called(frame)->facility))
    usage_begin(executor, visit->usage, visit->began);
}

/* It waits from now on, and for how long it does. */
static void patience_begin(struct executor *executor, struct process *process, struct frame *frame) {
  struct value patience = frame_reply(frame).value;
  if (!frame->patient || patience.kind != VALUE_REAL) return;
  event_push(executor, process->clock + patience.real, EVENT_RETRY, stamp_of(executor, process), process->instance,
             process, process->generation);
  frame_reply_drop(executor, frame);
}

bool frame_begin(struct executor *executor, struct process *process, struct frame *frame) {
  struct model_accept *accept = frame->body->accept;
  if (accept->servers && !accept->unlimited) {
    struct facility *facility = facility_of(executor, accept, frame->instance);
    if (!facility || executor_stopped(executor)) return false;
    called_apart(frame)->facility = facility;
    if (!facility_take(facility)) {
      patience_begin(executor, process, frame);
      facility_wait(executor, facility, process, facility_priority(executor, facility, frame), false);
      return false;
    }
  }
  frame_admitted(executor, process, frame);
  return true;
}

bool frame_admit(struct executor *executor, struct process *process, struct frame *frame) {
  if (!process_in_order(executor, process)) return false;
  happens_now(executor, "a firing that asks for a server", process->clock);
  frame->asked = process->clock;
  if (body_visits(frame->body)) frame_visit(frame)->entered = process->clock; /* behind the call's delay */
  call_expected(executor, frame, frame->body->accept, frame->instance);
  if (frame->body->counted && !usage_ask(executor, frame)) return false;
  if (!frame->body->accept->firing_rule) return frame_begin(executor, process, frame);
  patience_begin(executor, process, frame);
  rules_await_call(executor, process);
  return false;
}

static bool reply_adapt(struct executor *executor, const struct frame *frame, struct kept *result) {
  const struct adapter *adapter = frame_called(frame)->adapter;
  if (!adapter || adapter->transaction || !adapter->result.to || result->value.kind == VALUE_NONE) return true;
  struct requester who = {.instance = frame_called(frame)->instance, .accept = frame_called(frame)->accept};
  struct target target = {frame->instance, adapter->accept->id};
  struct value value;
  who.analysis = who.accept != executor->root && body_of_accept(executor, who.accept)->analysis;
  if (!conversion_apply(executor, who, &adapter->result, target, adapter->accept->syntax->txn.span, result->value,
                        &value))
    return false;
  kept_store(&executor->keep, result, value);
  return true;
}

/* What the walker has kept in its frame. */
static void walked_drop(struct executor *executor, struct frame *frame) {
  struct kept *locals = frame_locals(frame);
  struct loop *loops = frame_loops(frame);
  for (uint32_t i = 0; i < frame->body->slot_count; i++)
    kept_drop(&executor->keep, &locals[i]);
  for (uint32_t i = 0; i < frame->body->depth; i++) /* that a `return` has left */
    kept_drop(&executor->keep, &loops[i].list);
}

void frame_pop(struct executor *executor, struct process *process) {
  struct frame *frame = process->frame;
  if (frame->compiled)
    apart_drop(executor, frame);
  else
    walked_drop(executor, frame);
  if (frame->traced) call_trace_end(executor, process);
  frame_reply_drop(executor, frame);
  process->frame = frame_parent(frame);
  frame_give(&executor->slabs, frame, frame_size(frame) + (frame->apart ? sizeof(struct called) : 0));
}

/* One that a token has started, and that has left nothing behind. */
static inline bool ends_plainly(const struct process *process, const struct frame *frame) {
  return frame->body->plain && frame->compiled && !frame->depth && !process->join &&
         (!frame->apart || (!frame_called(frame)->adapter && !frame_called(frame)->facility)) && !frame->stays &&
         !frame->expected && !frame->patient && !frame->traced;
}

void frame_stays_end(struct frame *frame, double clock) {
  struct psl_stay *next = frame->stays;
  for (struct psl_stay *stay; (stay = next);) {
    next = stay->next;
    stay->lasts = false;
    stay->process = frame->instance & INT32_MAX; /* see stay_instance */
    stay->end = clock;
  }
  frame->stays = NULL;
}

/* The same of one that has left something, or that others wait for. */
static __attribute__((noinline)) bool finish_whole(struct executor *executor, struct process *process,
                                                   struct kept *result) {
  struct frame *frame = process->frame, *parent = frame_parent(frame);
  uint32_t instance = frame->instance;
  const struct called *called = frame_called(frame);
  bool rules = frame->body->has_rules, late = called->adapter && called->adapter->late_reply;
  if ((late || frame->expected) && !process_in_order(executor, process)) return false;
  if (frame->expected) /* a block that has not made the call */
    call_unexpected(executor, frame, called->adapter->accept, called->target);
  if (!reply_adapt(executor, frame, result)) return true;
  struct kept answer = *result;
  if (frame->patient) answer.value = (struct value){.kind = VALUE_BOOL, .boolean = true};
  result->value.kind = VALUE_NONE;
  if (frame->body->observed) steady_departure(executor, process, frame);
  if (frame->body->counted) usage_end(executor, process, frame);
  if (frame->traced) call_trace_result(executor, process, answer.value);
  frame_stays_end(frame, process->clock);
  if (called->facility) facility_release(executor, process, called->facility, process->clock);
  frame_pop(executor, process);
  if (parent) {
    frame_reply_drop(executor, parent);
    frame_answer(parent, answer);
    parent->called = true;
  } else if (process->join && join_of(executor, process)->results) {
    join_of(executor, process)->results[process_more(executor, process).join_place] = answer;
  } else {
    kept_drop(&executor->keep, &answer);
  }
  if (rules) rules_again(executor, instance, process->clock);
  if (!parent) process_end(executor, process);
  return true;
}

bool frame_finish(struct executor *executor, struct process *process, struct kept *result) {
  struct frame *frame = process->frame;
  if (!ends_plainly(process, frame)) return finish_whole(executor, process, result);
  kept_drop(&executor->keep, result);
  result->value.kind = VALUE_NONE;
  frame_reply_drop(executor, frame);
  apart_drop(executor, frame);
  slab_give(&executor->slabs, frame, frame->body->compiled_size + (frame->apart ? sizeof(struct called) : 0));
  process_over(executor, process);
  return true;
}

/* A distribution that has given a number below 0 in this run; NULL: none has. */
static const char *drawn_below(const struct executor *executor) {
  for (uint32_t c = 0; c < executor->model->component_count; c++) {
    struct random_stream **streams = executor->states[c].random;
    for (uint32_t i = 0; streams && i < executor->graph->instances[c].count; i++)
      if (streams[i] && streams[i]->below) return distribution_name((enum distribution_kind)(streams[i]->below - 1));
  }
  return NULL;
}

bool hold_refused(struct executor *executor, double seconds, double until, struct span span) {
  if (seconds >= 0 && !isinf(seconds)) return clock_passed(executor, until, span);
  struct text text = {.arena = executor->arena};
  quantity_print(&text, &executor->model->types, seconds, executor->model->types.time->dimension, 6);
  executor_stop(executor, STOP_ERROR, span, HOLD_REFUSED, text.data);
  const char *family = seconds < 0 ? drawn_below(executor) : NULL;
  if (family)
    diagnostic_help(executor->model->diagnostics, (struct span){0},
                    "%s gives numbers below 0, too: lognormal(mean, deviation), gamma and erlang do not, and "
                    "max(0 s, ...) cuts them off",
                    family);
  if (executor->environment.ranges->met && executor->environment.range_end != RANGE_MIDDLE)
    diagnostic_help(executor->model->diagnostics, (struct span){0, 0},
                    "a range that stands in an expression twice is taken for two, so that x - x / 2 may be below 0 s: "
                    "write it once, or give numbers in its place, by --set or --vary");
  return false;
}

enum activity frame_activity(const struct frame *frame) {
  return frame->communicates ? ACTIVITY_COMMUNICATE : ACTIVITY_COMPUTE;
}

const struct model_keeping *record_keeping(const struct model_component *component, const struct name *name) {
  const struct model_keeping *keeping = component->keepings;
  while (keeping && keeping->name != name)
    keeping = keeping->next;
  return keeping;
}

bool record_ordered(const struct model_component *component, const struct name *name) {
  const struct model_keeping *keeping = record_keeping(component, name);
  return keeping && (keeping->level || keeping->half_width);
}

static uint64_t record_key(const struct model_component *component, const struct name *name) {
  return (uint64_t)name->id << 32 | component->id;
}

/* Numbers the names that the block records; the first of each counts. */
static void record_number(struct record_places *places, const struct model_component *component,
                          const struct block *block, uint32_t *count) {
  for (const struct stmt *stmt = block ? block->first : NULL; stmt; stmt = stmt->next) {
    bool known;
    if (stmt->kind == STMT_RECORD)
      map_add(places->arena, &places->statements, record_key(component, stmt->record.name.name), (*count)++, &known);
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) record_number(places, component, c.block, count);
  }
}

/* Where a component's bodies first record it: reports have that order, whoever runs first. Blocks of coercions come
 * behind. */
static uint32_t record_place(struct executor *executor, const struct model_component *component,
                             const struct name *name) {
  bool known;
  uint32_t count = 0;
  struct record_places *places = executor->record_order;
  bool *numbered = &places->numbered[component->id];
  for (uint32_t i = 0; i < component->accept_count && !*numbered; i++)
    record_number(places, component, component->accepts[i]->body, &count);
  *numbered = true;
  return map_add(places->arena, &places->statements, record_key(component, name), UINT32_MAX, &known);
}

/* Who says 2 for a part means a percentage. */
static void keeping_refuse(struct executor *executor, const struct expr *said, const char *what, double value,
                           double most) {
  executor_stop(executor, STOP_ERROR, said->span, "%s, not %g", what, value);
  if (most == 1 && value >= 2 && value <= 100)
    diagnostic_help(executor->model->diagnostics, (struct span){0, 0}, "did you mean %g %%?", value);
}

/* A number that a record says of itself, within the range. */
static double keeping_value(struct executor *executor, const struct model_component *component, struct expr *said,
                            const struct type *type, double least, double most, const char *what) {
  struct environment environment = executor_environment(executor, NULL);
  int64_t indices[COMPONENT_INDICES];
  struct value value;
  graph_indices(executor->graph, executor->graph->instances[component->id].first, indices);
  environment.indices = indices;
  if (!evaluate_as(&environment, said, type, &value))
    executor_stop(executor, STOP_ERROR, said->span, NULL);
  else if (value.real >= least && value.real <= most && isfinite(value.real))
    return value.real;
  else
    keeping_refuse(executor, said, what, value.real, most);
  return 0;
}

static void keeping_read(struct executor *executor, struct run_record *record) {
  const struct model_keeping *keeping = record->keeping;
  const struct types *types = &executor->model->types;
  record->from = executor->from;
  if (keeping && keeping->warm_up)
    record->from = fmax(record->from, keeping_value(executor, record->component, keeping->warm_up, types->time, 0,
                                                    INFINITY, WARM_UP_REFUSED));
  if (!keeping || !keeping->half_width) return;
  record->wished = keeping_value(executor, record->component, keeping->half_width, types->real, HALF_WIDTH_LEAST, 1,
                                 HALF_WIDTH_REFUSED);
  if (keeping->level) {
    record->level_batches = ARENA_NEW(executor->arena, struct level_batches);
    level_batches_open(record->level_batches, executor->arena, record->from);
  } else {
    record->batches = ARENA_NEW(executor->arena, struct batches);
  }
}

void warm_up_read(struct executor *executor) {
  const struct model_component *system = executor->graph->system;
  executor->from = executor->options->warm_up;
  if (!(executor->from > 0) && system->warm_up)
    executor->from =
        keeping_value(executor, system, system->warm_up, executor->model->types.time, 0, INFINITY, WARM_UP_REFUSED);
  executor->all_counts = !(executor->from > 0) && executor->until == INFINITY;
  executor->deferring = executor->all_counts && !executor->options->trace && !executor->options->max_firings;
}

void records_open(struct executor *executor) {
  for (uint32_t i = 0; i < executor->graph->there_count && !executor_stopped(executor); i++) {
    struct model_component *component = executor->graph->there[i]->component;
    struct model_keeping *keeping = component->keepings;
    for (; keeping && !executor_stopped(executor); keeping = keeping->next) {
      struct run_record record = {.component = component, .keeping = keeping};
      keeping_read(executor, &record);
      executor->wishes += record.wished > 0;
    }
  }
}

static void record_narrow(struct executor *executor, struct run_record *record, bool narrow) {
  if (record->narrow || !narrow) return;
  record->narrow = true;
  executor->narrow = --executor->wishes == 0;
}

static void record_batch(struct executor *executor, struct run_record *record, double value) {
  batches_add(record->batches, value);
  record_narrow(executor, record, batches_narrow(record->batches, record->wished, RECORD_CONFIDENCE));
}

/* The sum of the levels of all instances, from when the last one of these has recorded its first. */
static void record_level_batch(struct executor *executor, struct run_record *record, const struct level *before,
                               double clock, double value) {
  struct level_batches *batches = record->level_batches;
  if (!before->count) batches->begin = fmax(batches->begin, clock);
  level_batches_set(batches, clock, batches->value + value - (before->count ? before->value : 0));
  record_narrow(executor, record, level_batches_narrow(batches, record->wished, RECORD_CONFIDENCE));
}

void records_restart(struct executor *executor, double clock) {
  for (uint32_t i = 0; i < executor->record_count; i++) {
    struct run_record *record = &executor->records[i];
    struct level_batches *levels = record->level_batches;
    executor->wishes += record->narrow;
    record->narrow = false;
    if (record->batches) *record->batches = (struct batches){.size = 0};
    if (!levels) continue;
    levels->begin = fmax(levels->begin, clock);
    levels->looks = (struct looks){0};
  }
}

/* Is it a param that the component asks for? */
static bool is_asked(const struct model_component *component, const struct name *name) {
  for (uint32_t q = 0; q < component->question_count; q++)
    if (component->questions[q].param->name == name) return true;
  return false;
}

static struct run_record *record_new(struct executor *executor, const struct model_component *component,
                                     const struct name *name, const struct type *type) {
  uint32_t count = executor->graph->instances[component->id].count;
  struct run_record fresh = {.name = name,
                             .type = type,
                             .component = component,
                             .keeping = record_keeping(component, name),
                             .place = record_place(executor, component, name)};
  keeping_read(executor, &fresh);
  if (is_asked(component, name)) fresh.from = 0; /* what all that counts has gone by */
  if (fresh.keeping && fresh.keeping->level) fresh.levels = ARENA_ARRAY(executor->arena, struct level, count);
  if (fresh.levels && executor->options->levels) fresh.drawn = ARENA_ARRAY(executor->arena, struct psl_level *, count);
  if (count > 1 && count <= RECORDED_INSTANCES) fresh.own = ARENA_ARRAY(executor->results, struct run_tally, count);
  fresh.plain = executor->all_counts && !(fresh.from > 0) && !fresh.keeping && !fresh.own;
  ARENA_PUSH(executor->arena, executor->records, executor->record_count, executor->record_capacity, fresh);
  return &executor->records[executor->record_count - 1];
}

/* Of values at one time the last is that of the last instance; there, of the process that had its turn last. */
static bool last_before(const struct run_last *a, const struct run_last *b) {
  if (a->time != b->time) return a->time < b->time;
  if (a->instance != b->instance) return a->instance < b->instance;
  return a->since != b->since ? a->since < b->since : a->turn < b->turn;
}

/* The sum, which was `before`, is more than a number holds, and the mean is not. */
static __attribute__((noinline)) void tally_overflow(struct run_tally *tally, struct sum before, double value) {
  double count = (double)tally->count, mean = tally->count > 1 ? sum_total(&before) / (count - 1) : 0;
  tally->mean = (isfinite(mean) ? mean : tally->mean) * (1 - 1 / count) + value / count;
}

static inline void tally_record(struct run_tally *tally, const struct run_last *at, double value) {
  struct sum before = tally->sum;
  if (tally->count++ == 0) tally->minimum = tally->maximum = value;
  if (value < tally->minimum) tally->minimum = value;
  if (value > tally->maximum) tally->maximum = value;
  sum_add_value(&tally->sum, &tally->squares, value);
  if (!isfinite(tally->sum.value)) tally_overflow(tally, before, value);
  if (at->time > tally->last_at.time || !last_before(at, &tally->last_at)) {
    tally->last = value;
    tally->last_at.time = at->time; /* part by part, as they have just been written */
    tally->last_at.instance = at->instance;
    tally->last_at.since = at->since;
    tally->last_at.turn = at->turn;
  }
}

static void tally_sketch(struct executor *executor, struct run_tally *tally, double value) {
  tally->sketch.arena = executor->results;
  sketch_add(&tally->sketch, value);
}

static void record_level(struct executor *executor, struct run_record *record, uint32_t own, uint32_t instance,
                         double clock, double value) {
  level_set(&record->levels[own], clock, value);
  if (!record->drawn) return;
  if (record->levels[own].count == 1)
    record->drawn[own] = level_open(executor->options->levels, instance, record->name->text, record->type);
  if (record->drawn[own]) level_now(record->drawn[own], clock, value);
}

/* One that keeps more than its table, by instance, or of a part of the run. */
static __attribute__((noinline)) void record_kept(struct executor *executor, struct run_record *record,
                                                  const struct run_last *at, double value) {
  double clock = at->time;
  uint32_t own = at->instance - executor->graph->instances[record->component->id].first;
  bool sketched = record->keeping && !record->levels;
  if (record->level_batches) record_level_batch(executor, record, &record->levels[own], clock, value);
  if (clock < record->from) {
    if (!record->levels) return;
    record->levels[own] = (struct level){0}; /* what holds at the end of the warm-up is the first that counts */
    level_set(&record->levels[own], record->from, value);
    record->levels[own].carried = true;
    return;
  }
  bool past = clock > executor->until || (clock == executor->until && clock < executor->time_most);
  if (past && !record->batches && !record->levels) return; /* it has run ahead */
  if (record->batches) record_batch(executor, record, value);
  tally_record(&record->all, at, value);
  if (sketched) tally_sketch(executor, &record->all, value);
  if (record->own) tally_record(&record->own[own], at, value);
  if (record->own && sketched && record->keeping->quantile_count) tally_sketch(executor, &record->own[own], value);
  if (!record->levels) return;
  happens_now(executor, "a level", clock);
  if (clock == record->from && record->levels[own].carried) record->levels[own] = (struct level){0};
  record_level(executor, record, own, at->instance, clock, value);
}

static __attribute__((noinline)) struct run_record *record_find(struct executor *executor,
                                                                const struct model_component *component,
                                                                const struct name *name, const struct type *type) {
  bool known;
  if (executor->partition) partition_give_up(executor, executor_span(executor), "values are recorded in order");
  uint32_t place =
      map_add(executor->arena, &executor->record_places, record_key(component, name), executor->record_count, &known);
  executor->record_latest = place;
  return known ? &executor->records[place] : record_new(executor, component, name, type);
}

static inline struct run_last last_of(const struct executor *executor, const struct process *process, uint32_t instance,
                                      double clock) {
  double since = executor->spawned_at >= 0 ? executor->spawned_at : process->turn_at;
  return (struct run_last){clock, instance, since, stamp_of(executor, process).turn};
}

void record_value(struct executor *executor, const struct process *process, const struct model_component *component,
                  uint32_t instance, double clock, const struct name *name, const struct type *type, double value) {
  uint32_t place = executor->record_latest; /* often the same again */
  struct run_record *record = place < executor->record_count ? &executor->records[place] : NULL;
  if (!record || record->name != name || record->component != component)
    record = record_find(executor, component, name, type);
  if (record->plain) {
    struct run_last at = last_of(executor, process, instance, clock);
    tally_record(&record->all, &at, value);
  } else {
    struct run_last at = last_of(executor, process, instance, clock);
    record_kept(executor, record, &at, value);
  }
}

static int record_order(const void *a, const void *b) {
  const struct run_record *x = a, *y = b;
  if (x->component != y->component) return x->component->id < y->component->id ? -1 : 1;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return strcmp(x->name->text, y->name->text);
}

void records_sort(struct executor *executor) {
  if (executor->record_count) qsort(executor->records, executor->record_count, sizeof *executor->records, record_order);
}

void profile_changed(struct executor *executor, double clock) {
  happens_now(executor, "a change of a profile", clock);
  struct process *waiter = NULL, *last = executor->any_waiters;
  executor->any_waiters = NULL;
  while (last) { /* in the order in which they came */
    struct process *before = last->next;
    last->next = waiter;
    waiter = last;
    last = before;
  }
  while (waiter) {
    struct process *next = waiter->next;
    waiter->next = NULL;
    if (executor->causes) causes_matched(executor, waiter, clock);
    process_queue_until(executor, waiter, clock);
    waiter->state = PROCESS_QUEUED;
    turn_number(executor, waiter);
    event_push(executor, clock, EVENT_PROCESS, stamp_of(executor, waiter), waiter->instance, waiter,
               waiter->generation);
    waiter = next;
  }
}
