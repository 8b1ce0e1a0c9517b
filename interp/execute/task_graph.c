/* The dynamic task graph of the components inside an instance, for evaluators that take it whole.
 *
 * Each instance of an inner component is a task: its accept's body must be straight-line (lets, holds
 * and ifs; nothing that depends on a clock), its unlabelled dataflow requests are the edges, their
 * arguments the task's parameters.  The task's processor is its attribute `processor`, else each task has its own. */
#include "interp/execute/machine.h"
#include <string.h>

struct builder {
  struct machine *machine;
  struct model_component *outer;
  uint32_t outer_local; /* which instance of it: the inner ones of the others are left out */
  uint32_t *first;      /* by component id: its first task; UINT32_MAX: not in the graph */
  uint32_t *inner_first, *inner_count; /* by component id: its instances inside this outer one */
  struct psl_task_graph *graph;
  uint32_t *instances;
  struct value **parameters; /* by component id: tasks * parameters of the accept's transaction */
  double *duration, *delay, *release;
  uint32_t *processor, *class_of, *edge_start, *edge_head, *edge_count;
};

static bool refuse(struct machine *machine, struct span span, const char *what) {
  machine_stop(machine, STOP_ERROR, span, "task-graph takes straight-line tasks only: %s", what);
  return false;
}

static bool block_is_straight(struct machine *machine, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    switch (stmt->kind) {
    case STMT_LET:
      if (stmt->assign.is_call)
        return refuse(machine, stmt->span, "a call is not one");
      break;
    case STMT_HOLD:
    case STMT_ASSERT:
      break;
    case STMT_IF:
      if (!block_is_straight(machine, &stmt->branch.then) || !block_is_straight(machine, &stmt->branch.otherwise))
        return false;
      break;
    case STMT_ASSIGN: case STMT_CALL: case STMT_RETURN: case STMT_RECORD: case STMT_PROFILE: case STMT_WHILE: case STMT_FOR: case STMT_KINDS:
      return refuse(machine, stmt->span, "this statement depends on state or repeats");
    }
  return true;
}

static bool component_is_task(struct machine *machine, const struct model_component *component) {
  if (component->accept_count != 1)
    return refuse(machine, component->symbol->span, "a task has one accept");
  const struct model_accept *accept = component->accepts[0];
  if (accept->protocol != PROTOCOL_DATAFLOW)
    return refuse(machine, accept->syntax->span, "a task is fired by dataflow");
  if (accept->firing_rule)
    return refuse(machine, accept->firing_rule->span, "a firing rule depends on state");
  for (uint32_t i = 0; i < component->request_count; i++) {
    const struct model_request *request = component->requests[i];
    if (request->label || request->protocol != PROTOCOL_DATAFLOW)
      return refuse(machine, request->syntax->span, "a task's requests are dataflow");
    if (machine->graph->bindings[request->id].kind == BINDING_LATE)
      return refuse(machine, request->syntax->span, "this request's target is known only while a model runs");
  }
  return !accept->body || block_is_straight(machine, accept->body);
}

/* Executes a straight-line block; adds up what it holds. */
static bool straight_run(struct machine *machine, struct environment *environment, const struct block *block, double *seconds) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    struct value value;
    if (stmt->kind == STMT_LET) {
      if (!evaluate_as(environment, stmt->assign.value, stmt->assign.symbol->type, &environment->locals[stmt->assign.symbol->slot]))
        return false;
    } else if (stmt->kind == STMT_HOLD) {
      if (!evaluate_as(environment, stmt->hold, machine->model->types.time, &value))
        return false;
      if (!(value.real >= 0)) {
        machine_stop(machine, STOP_ERROR, stmt->span, "cannot hold for %g s: a time must not be negative", value.real);
        return false;
      }
      *seconds += value.real;
    } else if (stmt->kind == STMT_IF) {
      if (!evaluate(environment, stmt->branch.condition, &value))
        return false;
      if (!straight_run(machine, environment, value.boolean ? &stmt->branch.then : &stmt->branch.otherwise, seconds))
        return false;
    } else if (stmt->kind == STMT_ASSERT) {
      if (!evaluate(environment, stmt->assertion, &value))
        return false;
      if (!value.boolean) {
        machine_stop(machine, STOP_ASSERT, stmt->span, "assertion failed");
        return false;
      }
    }
  }
  return true;
}

static uint32_t task_of(const struct builder *builder, uint32_t instance) {
  const struct model_component *component = graph_component(builder->machine->graph, instance);
  if (component->outer != builder->outer || builder->first[component->id] == UINT32_MAX)
    return UINT32_MAX;
  return builder->first[component->id] + (instance - builder->inner_first[component->id]);
}

/* One request of one task: its edges counted (pass 0) or laid (pass 1), its arguments to their tasks. */
static bool edges_of(struct builder *builder, struct model_request *request, uint32_t instance, uint32_t task, int pass) {
  struct machine *machine = builder->machine;
  const struct binding *binding = &machine->graph->bindings[request->id];
  uint32_t local = instance - machine->graph->instances[request->component->id].first;
  struct target one;
  const uint32_t *many;
  uint32_t first, count = targets_bound(binding, local, &one, &many, &first);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t head = task_of(builder, many ? many[first + i] : one.instance);
    if (head == UINT32_MAX)
      continue;
    if (pass == 0) {
      builder->edge_start[task + 1]++;
      builder->graph->edge_count++;
      continue;
    }
    int64_t indices[64];
    graph_indices(machine->graph, instance, indices);
    struct environment *environment = &machine->environment;
    struct model_component *component = graph_component(machine->graph, instance);
    environment->indices = indices;
    environment->vars = NULL;
    environment->analysis = true;
    uint32_t width = component->accepts[0]->transaction->param_count;
    struct value locals[64];
    memset(locals, 0, sizeof locals);
    struct value *own = builder->parameters[component->id] + (size_t)(task - builder->first[component->id]) * width;
    for (uint32_t k = 0; k < component->accepts[0]->param_count; k++)
      locals[component->accepts[0]->params[k]->slot & 63] = own[component->accepts[0]->param_of[k]];
    environment->locals = locals;
    struct model_component *other = graph_component(machine->graph, builder->instances[head]);
    struct model_transaction *transaction = other->accepts[0]->transaction;
    struct value *theirs = builder->parameters[other->id] + (size_t)(head - builder->first[other->id]) * transaction->param_count;
    struct value delay = {.kind = VALUE_REAL, .real = 0};
    if (request->delay && !evaluate_as(environment, request->delay, machine->model->types.time, &delay))
      return false;
    for (uint32_t k = 0; k < transaction->param_count; k++)
      if (request->args[k] && !expr_is_clock(request->args[k]) &&
          !evaluate_as(environment, request->args[k], transaction->params[k].type, &theirs[k]))
        return false;
    uint32_t edge = builder->edge_start[task] + builder->edge_count[task]++;
    builder->edge_head[edge] = head;
    builder->delay[edge] = delay.real;
  }
  return true;
}

bool expr_is_clock(const struct expr *expr) {
  return expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_CLOCK;
}

static bool all_edges(struct builder *builder, int pass) {
  struct machine *machine = builder->machine;
  for (uint32_t i = 0; i < builder->outer->inner_count; i++) {
    struct model_component *component = builder->outer->inner[i];
    for (uint32_t k = 0; k < builder->inner_count[component->id]; k++)
      for (uint32_t r = 0; r < component->request_count; r++) {
        if (!edges_of(builder, component->requests[r], builder->inner_first[component->id] + k,
                      builder->first[component->id] + k, pass))
          return false;
        if (machine->scratch.blocks)
          arena_reset(&machine->scratch);
      }
  }
  return true;
}

static bool durations(struct builder *builder) {
  struct machine *machine = builder->machine;
  const struct name *processor = name_of(machine->model->names, "processor");
  uint32_t most = 0;
  bool mapped = false;
  for (uint32_t i = 0; i < builder->outer->inner_count; i++) {
    struct model_component *component = builder->outer->inner[i];
    struct model_accept *accept = component->accepts[0];
    struct model_transaction *transaction = accept->transaction;
    struct value *locals = ARENA_ARRAY(machine->arena, struct value, accept->slot_count + 1);
    int64_t indices[64];
    for (uint32_t k = 0; k < builder->inner_count[component->id]; k++) {
      uint32_t task = builder->first[component->id] + k, instance = builder->instances[task];
      struct environment *environment = &machine->environment;
      graph_indices(machine->graph, instance, indices);
      environment->indices = indices;
      environment->vars = NULL;
      environment->locals = locals;
      environment->analysis = true;
      struct value *own = builder->parameters[component->id] + (size_t)k * transaction->param_count;
      for (uint32_t p = 0; p < accept->param_count; p++) {
        uint32_t at = accept->param_of[p];
        struct value *local = &locals[accept->params[p]->slot];
        *local = own[at];
        if (own[at].kind == VALUE_NONE && transaction->params[at].value &&
            !evaluate_as(environment, transaction->params[at].value, transaction->params[at].type, local))
          return false;
      }
      if (accept->body && !straight_run(machine, environment, accept->body, &builder->duration[task]))
        return false;
      struct value where;
      if (graph_attribute(machine->graph, accept, instance, processor, NULL, &where) && where.kind == VALUE_INT &&
          where.integer >= 0 && where.integer < UINT32_MAX) {
        builder->processor[task] = (uint32_t)where.integer;
        most = where.integer > most ? (uint32_t)where.integer : most;
        mapped = true;
      } else {
        builder->processor[task] = task;
        most = task > most ? task : most;
      }
      if (machine->scratch.blocks)
        arena_reset(&machine->scratch);
    }
  }
  (void)mapped;
  builder->graph->processor_count = most + 1;
  return true;
}

/* The tasks: instances of the inner components that stand in this outer instance, in order. */
static bool tasks(struct builder *builder, uint32_t instance) {
  struct machine *machine = builder->machine;
  const struct graph *graph = machine->graph;
  int64_t outer[64], inner[64];
  graph_indices(graph, instance, outer);
  for (uint32_t i = 0; i < builder->outer->inner_count; i++) {
    struct model_component *component = builder->outer->inner[i];
    const struct instances *instances = &graph->instances[component->id];
    if (!component_is_task(machine, component))
      return false;
    uint32_t first = instances->first, last = instances->first + instances->count;
    if (builder->outer->index_count > 0) { /* sorted by the outer's indices first: one run of instances */
      while (first < last) {
        graph_indices(graph, first, inner);
        if (memcmp(inner, outer, builder->outer->index_count * sizeof *outer) == 0)
          break;
        first++;
      }
      uint32_t end = first;
      for (; end < last; end++) {
        graph_indices(graph, end, inner);
        if (memcmp(inner, outer, builder->outer->index_count * sizeof *outer) != 0)
          break;
      }
      last = end;
    }
    builder->inner_first[component->id] = first;
    builder->inner_count[component->id] = last - first;
    builder->first[component->id] = builder->graph->task_count;
    builder->graph->task_count += last - first;
  }
  return true;
}

bool task_graph_build(struct machine *machine, struct model_component *outer, uint32_t instance, double start,
                      struct span span, struct psl_task_graph *graph, uint32_t **instances) {
  struct arena *arena = machine->arena;
  uint32_t components = machine->model->component_count;
  struct environment saved = machine->environment;
  struct builder builder = {.machine = machine, .outer = outer, .graph = graph};
  memset(graph, 0, sizeof *graph);
  if (outer->inner_count == 0)
    return refuse(machine, span, "the component that calls it holds none");
  builder.first = ARENA_ARRAY(arena, uint32_t, components);
  builder.inner_first = ARENA_ARRAY(arena, uint32_t, components);
  builder.inner_count = ARENA_ARRAY(arena, uint32_t, components);
  builder.parameters = ARENA_ARRAY(arena, struct value *, components);
  memset(builder.first, 0xff, components * sizeof(uint32_t));
  if (!tasks(&builder, instance))
    return false;
  uint32_t count = graph->task_count;
  builder.instances = ARENA_ARRAY(arena, uint32_t, count);
  builder.duration = ARENA_ARRAY(arena, double, count);
  builder.release = ARENA_ARRAY(arena, double, count);
  builder.processor = ARENA_ARRAY(arena, uint32_t, count);
  builder.class_of = ARENA_ARRAY(arena, uint32_t, count);
  builder.edge_start = ARENA_ARRAY(arena, uint32_t, count + 1);
  builder.edge_count = ARENA_ARRAY(arena, uint32_t, count);
  const char **names = ARENA_ARRAY(arena, const char *, outer->inner_count);
  uint8_t *communicates = ARENA_ARRAY(arena, uint8_t, outer->inner_count);
  for (uint32_t i = 0; i < outer->inner_count; i++) {
    struct model_component *component = outer->inner[i];
    names[i] = component->symbol->name->text;
    communicates[i] = task_communicates(machine, component);
    builder.parameters[component->id] =
        ARENA_ARRAY(arena, struct value, (size_t)builder.inner_count[component->id] * component->accepts[0]->transaction->param_count);
    for (uint32_t k = 0; k < builder.inner_count[component->id]; k++) {
      uint32_t task = builder.first[component->id] + k;
      builder.instances[task] = builder.inner_first[component->id] + k;
      builder.class_of[task] = i;
      builder.release[task] = start;
    }
  }
  bool fine = all_edges(&builder, 0);
  for (uint32_t i = 0; i < count; i++)
    builder.edge_start[i + 1] += builder.edge_start[i];
  builder.edge_head = ARENA_ARRAY(arena, uint32_t, graph->edge_count);
  builder.delay = ARENA_ARRAY(arena, double, graph->edge_count);
  fine = fine && all_edges(&builder, 1) && durations(&builder);
  machine->environment = saved;
  if (!fine) {
    machine_stop(machine, STOP_ERROR, span, NULL);
    return false;
  }
  graph->duration = builder.duration;
  graph->processor = builder.processor;
  graph->class_of = builder.class_of;
  graph->class_names = names;
  graph->class_communicates = communicates;
  graph->class_count = outer->inner_count;
  graph->edge_start = builder.edge_start;
  graph->edge_head = builder.edge_head;
  graph->edge_delay = builder.delay;
  graph->release = builder.release;
  *instances = builder.instances;
  return true;
}

void task_graph_account(struct machine *machine, struct process *process, struct frame *frame, const struct psl_task_graph *graph,
                        const struct psl_graph_result *result, uint32_t *instances) {
  struct run_process *rows = ARENA_ARRAY(machine->arena, struct run_process, graph->processor_count);
  double begin = process->clock;
  for (uint32_t i = 0; i < graph->task_count; i++) {
    struct run_process *row = &rows[graph->processor[i]];
    enum activity activity = graph->class_communicates[graph->class_of[i]] ? ACTIVITY_COMMUNICATE : ACTIVITY_COMPUTE;
    struct model_component *component = graph_component(machine->graph, instances[i]);
    row->instance = 1;
    row->share.time[activity] += graph->duration[i];
    if (result->finish[i] > row->end)
      row->end = result->finish[i];
    machine->states[component->id].report.time[activity] += graph->duration[i];
    machine->states[component->id].report.firings++;
  }
  machine->firings += graph->task_count;
  machine->events_done += graph->task_count + graph->edge_count;
  for (uint32_t i = 0; i < graph->processor_count; i++) {
    rows[i].share.time[ACTIVITY_WAIT] =
        rows[i].end - begin - rows[i].share.time[ACTIVITY_COMPUTE] - rows[i].share.time[ACTIVITY_COMMUNICATE];
    if (rows[i].share.time[ACTIVITY_WAIT] < 0)
      rows[i].share.time[ACTIVITY_WAIT] = 0;
  }
  machine->processors = rows;
  machine->processor_count = graph->processor_count;
  machine->critical = ARENA_ARRAY(machine->arena, uint32_t, result->critical_count);
  machine->critical_count = result->critical_count;
  for (uint32_t i = 0; i < result->critical_count; i++)
    machine->critical[i] = instances[result->critical[i]];
  machine->call.clock = result->makespan > begin ? result->makespan : begin;
  machine->call.result.real = machine->call.clock - begin;
  (void)frame;
}

bool task_communicates(struct machine *machine, struct model_component *component) {
  const struct name *communication = name_of(machine->model->names, "communication");
  struct value value;
  const struct instances *instances = &machine->graph->instances[component->id];
  return instances->count > 0 &&
         graph_attribute(machine->graph, component->accepts[0], instances->first, communication, NULL, &value) &&
         value.kind == VALUE_BOOL && value.boolean;
}
