/* The dynamic task graph of the components inside an instance, for evaluators that take it whole.
 *
 * Each instance of an inner component is a task that fires once: the body of its one dataflow accept is
 * executed for its duration, its unlabelled dataflow requests are the edges. Tasks are taken in
 * topological order, so that what a task hands on is known. A task's processor is its attribute
 * `processor`; without one it has a processor of its own. Tokens that the outer body has sent to inner
 * instances are the graph's sources. */
#include "interp/execute/executor.h"
#include "interp/execute/trace.h"
#include <string.h>

struct builder {
  struct executor *executor;
  struct model_component *outer;
  struct psl_task_graph *graph;
  uint32_t *first, *inner_first,
      *inner_count;         /* by component id: first task (UINT32_MAX: not in the graph), instances */
  struct body **bodies;     /* by component id: the accept's, without its requests */
  uint32_t *instances;      /* by task */
  struct kept **parameters; /* by component id: by task and parameter; NULL: nothing but signals */
  uint64_t *given;          /* by task: a bit a parameter that has its token */
  bool *reached;            /* by task: some token or edge reaches it */
  uint32_t *waits;          /* by task: edges whose tails are not done */
  uint32_t *processor, *class_of, *edge_start, *edge_head;
  double *duration, *delay, *release;
  struct run_process *rows;
  uint32_t row_capacity;
};

static bool refuse(struct executor *executor, struct span span, const char *why) {
  executor_stop(executor, STOP_ERROR, span, "a task graph cannot take this: %s", why);
  return false;
}

bool expr_is_clock(const struct expr *expr) {
  return expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_CLOCK;
}

static bool block_fits(struct executor *executor, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    switch (stmt->kind) {
    case STMT_LET:
    case STMT_CALL:
    case STMT_HOLD:
    case STMT_ASSERT: break;
    case STMT_IF:
      if (!block_fits(executor, &stmt->branch.then) || !block_fits(executor, &stmt->branch.otherwise)) return false;
      break;
    case STMT_ONE_OF:
      for (uint32_t i = 0; i < stmt->chances.count; i++)
        if (!block_fits(executor, &stmt->chances.items[i].body)) return false;
      break;
    case STMT_FOR:
      if (!block_fits(executor, &stmt->each.body)) return false;
      break;
    case STMT_ASSIGN:
    case STMT_WHILE: return refuse(executor, stmt->span, "a task's body must not depend on state");
    default: return refuse(executor, stmt->span, "a task's body computes, holds and calls, nothing else");
    }
  return true;
}

static bool request_fits(struct executor *executor, const struct model_accept *accept,
                         const struct model_request *request) {
  if (request->label) return true; /* called from the body: looked at there */
  if (request->protocol != PROTOCOL_DATAFLOW)
    return refuse(executor, request->syntax->span, "a task's unlabelled requests are dataflow edges");
  if (executor->graph->bindings[request->id].kind == BINDING_LATE)
    return refuse(executor, request->syntax->span, "this request's target is known only while a model runs");
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    for (uint32_t slot = accept->param_count; request->args[k] && slot < accept->slot_count; slot++)
      if (expr_reads_slot(request->args[k], slot))
        return refuse(executor, request->args[k]->span,
                      "an edge may carry the task's parameters, not what its body computed");
  return true;
}

static bool component_fits(struct executor *executor, const struct model_component *component) {
  struct span span = component->symbol->span;
  if (component->accept_count != 1 || component->accepts[0]->protocol != PROTOCOL_DATAFLOW)
    return refuse(executor, span, "a task has one accept, of protocol dataflow");
  const struct model_accept *accept = component->accepts[0];
  if (component->var_count || component->dynamic_count || accept->firing_rule || accept->servers)
    return refuse(executor, span, "a task has no state, firing rule or servers");
  for (uint32_t i = 0; i < component->request_count; i++)
    if (!request_fits(executor, accept, component->requests[i])) return false;
  struct span where;
  if (accept->body && block_reads_clock(accept->body, &where))
    return refuse(executor, where, "a task's duration must not depend on the clock");
  return !accept->body || block_fits(executor, accept->body);
}

/* ---- tasks ---- */

static bool never_fires(struct executor *executor, const struct model_component *component, const char *who) {
  executor_stop(executor, STOP_ERROR, component->accepts[0]->syntax->span,
                "no token reaches %s: the task would never fire", who);
  return false;
}

/* The instances of the inner components that stand in this outer instance: one run each, as the outer's
 * indices lead. */
static bool tasks_find(struct builder *builder, uint32_t instance) {
  struct executor *executor = builder->executor;
  const struct graph *graph = executor->graph;
  int64_t outer[COMPONENT_INDICES], inner[COMPONENT_INDICES];
  size_t lead = builder->outer->index_count * sizeof *outer;
  graph_indices(graph, instance, outer);
  for (uint32_t i = 0; i < builder->outer->inner_count; i++) {
    struct model_component *component = builder->outer->inner[i];
    const struct instances *instances = &graph->instances[component->id];
    uint32_t first = instances->first, end = first + instances->count;
    if (!component_fits(executor, component)) return false;
    if (!instances->count && graph_left_out(graph, component))
      return never_fires(executor, component, component->symbol->name->text);
    while (lead && first < end && (graph_indices(graph, first, inner), memcmp(inner, outer, lead) != 0))
      first++;
    uint32_t last = lead ? first : end;
    while (last < end && (graph_indices(graph, last, inner), memcmp(inner, outer, lead) == 0))
      last++;
    builder->inner_first[component->id] = first;
    builder->inner_count[component->id] = last - first;
    builder->first[component->id] = builder->graph->task_count;
    builder->graph->task_count += last - first;
  }
  return true;
}

static void tasks_make(struct builder *builder, double start) {
  struct executor *executor = builder->executor;
  struct arena *arena = executor->arena;
  uint32_t count = builder->graph->task_count;
  const char **names = ARENA_ARRAY(arena, const char *, builder->outer->inner_count);
  builder->instances = ARENA_ARRAY(arena, uint32_t, count);
  builder->given = ARENA_ARRAY(arena, uint64_t, count);
  builder->reached = ARENA_ARRAY(arena, bool, count);
  builder->waits = ARENA_ARRAY(arena, uint32_t, count);
  builder->duration = ARENA_ARRAY(arena, double, count);
  builder->release = ARENA_ARRAY(arena, double, count);
  builder->processor = ARENA_ARRAY(arena, uint32_t, count);
  builder->class_of = ARENA_ARRAY(arena, uint32_t, count);
  builder->edge_start = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
  for (uint32_t i = 0; i < builder->outer->inner_count; i++) {
    struct model_component *component = builder->outer->inner[i];
    const struct model_transaction *transaction = component->accepts[0]->transaction;
    bool values = false;
    for (uint32_t k = 0; k < transaction->param_count; k++)
      values |= transaction->params[k].type->kind != TYPE_SIGNAL;
    if (values)
      builder->parameters[component->id] =
          ARENA_ARRAY(arena, struct kept, (size_t)builder->inner_count[component->id] * transaction->param_count);
    builder->bodies[component->id] = body_of_task(executor, component->accepts[0]);
    names[i] = component->symbol->name->text;
    for (uint32_t k = 0; k < builder->inner_count[component->id]; k++) {
      uint32_t task = builder->first[component->id] + k;
      builder->instances[task] = builder->inner_first[component->id] + k;
      builder->class_of[task] = i;
      builder->release[task] = start;
    }
  }
  executor->task_communicates = ARENA_ARRAY(arena, uint8_t, builder->outer->inner_count);
  builder->graph->class_names = names;
  builder->graph->class_count = builder->outer->inner_count;
}

static uint32_t task_of(const struct builder *builder, uint32_t instance) {
  const struct model_component *component = graph_component(builder->executor->graph, instance);
  uint32_t local = instance - builder->inner_first[component->id];
  if (builder->first[component->id] == UINT32_MAX || local >= builder->inner_count[component->id]) return UINT32_MAX;
  return builder->first[component->id] + local;
}

static struct kept *parameters_of(const struct builder *builder, uint32_t task) {
  const struct model_component *component = builder->outer->inner[builder->class_of[task]];
  struct kept *all = builder->parameters[component->id];
  return all ? all + (size_t)(task - builder->first[component->id]) * component->accepts[0]->transaction->param_count
             : NULL;
}

/* A token or an edge, which gives some parameter or none. One that gives none is a firing, and so the only one. */
static bool reach_task(struct builder *builder, uint32_t task, bool gives, struct span span) {
  if (builder->reached[task] && !gives) {
    struct text who = {.arena = builder->executor->arena};
    graph_instance_print(&who, builder->executor->graph, builder->instances[task]);
    executor_stop(builder->executor, STOP_ERROR, span, "a task fires once: a second edge reaches %s", who.data);
    return false;
  }
  builder->reached[task] = true;
  return true;
}

static bool give(struct builder *builder, uint32_t task, uint32_t parameter, struct span span) {
  if (builder->given[task] >> parameter & 1) {
    struct text who = {.arena = builder->executor->arena};
    graph_instance_print(&who, builder->executor->graph, builder->instances[task]);
    executor_stop(builder->executor, STOP_ERROR, span,
                  "a task fires once: a second edge reaches the parameter '%s' of %s",
                  builder->outer->inner[builder->class_of[task]]->accepts[0]->transaction->params[parameter].name->text,
                  who.data);
    return false;
  }
  builder->given[task] |= (uint64_t)1 << parameter;
  return true;
}

/* Tokens that the outer body has sent: the sources. They are taken out of the inboxes. */
static bool sources_take(struct builder *builder) {
  struct executor *executor = builder->executor;
  for (struct inbox *inbox = executor->all_inboxes; inbox; inbox = inbox->next) {
    uint32_t task = task_of(builder, inbox->instance);
    if (task == UINT32_MAX) continue;
    const struct model_transaction *transaction = inbox->accept->transaction;
    struct kept *parameters = parameters_of(builder, task);
    for (uint32_t q = 0; q < inbox->queue_count; q++)
      while (inbox->queues[q]) {
        struct token *token = inbox->queues[q];
        inbox->queues[q] = token->next;
        if (token->sent.time > builder->release[task]) builder->release[task] = token->sent.time;
        bool gives = transaction->param_count > 0;
        if (!reach_task(builder, task, gives, inbox->accept->syntax->span)) return false;
        for (uint32_t k = 0; k < transaction->param_count; k++) {
          if (!inbox->full && k != q) continue;
          if (!give(builder, task, k, inbox->accept->syntax->span)) return false;
          if (parameters) parameters[k] = token->values[inbox->full ? k : 0];
        }
      }
  }
  return true;
}

/* ---- edges ---- */

typedef bool edge_visit(struct builder *builder, struct model_request *request, uint32_t tail, uint32_t head);

static bool edges_of(struct builder *builder, uint32_t task, edge_visit *visit) {
  struct executor *executor = builder->executor;
  const struct model_component *component = builder->outer->inner[builder->class_of[task]];
  uint32_t local = builder->instances[task] - executor->graph->instances[component->id].first;
  for (uint32_t i = 0; i < component->request_count; i++) {
    struct model_request *request = component->requests[i];
    struct target one;
    const uint32_t *many;
    uint32_t from,
        count = request->label ? 0 : targets_bound(&executor->graph->bindings[request->id], local, &one, &many, &from);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t head = task_of(builder, many ? many[from + k] : one.instance);
      if (head == UINT32_MAX) return refuse(executor, request->syntax->span, "this edge leaves the graph");
      if (!visit(builder, request, task, head)) return false;
    }
  }
  return true;
}

static bool edge_count(struct builder *builder, struct model_request *request, uint32_t tail, uint32_t head) {
  (void)request;
  builder->edge_start[tail + 1]++;
  builder->waits[head]++;
  builder->graph->edge_count++;
  return true;
}

static struct environment task_environment(struct builder *builder, uint32_t task, int64_t *indices) {
  struct executor *executor = builder->executor;
  const struct model_accept *accept = builder->outer->inner[builder->class_of[task]]->accepts[0];
  const struct kept *own = parameters_of(builder, task);
  graph_indices(executor->graph, builder->instances[task], indices);
  struct environment environment = executor_environment(executor, indices);
  for (uint32_t k = 0; own && k < accept->param_count; k++)
    environment.locals[accept->params[k]->slot] = own[accept->param_of[k]].value;
  environment.analysis = true;
  return environment;
}

/* An argument of an edge as the head takes it. */
static bool edge_value(struct builder *builder, const struct model_request *request, uint32_t tail, uint32_t head,
                       uint32_t k, struct environment *environment, struct kept *out) {
  struct value value;
  struct executor *executor = builder->executor;
  struct model_accept *accept = builder->outer->inner[builder->class_of[head]]->accepts[0];
  struct model_accept *from = builder->outer->inner[builder->class_of[tail]]->accepts[0];
  const struct adapter *adapter = adapter_of(&executor->graph->bindings[request->id], accept);
  const struct conversion *conversion = adapter && adapter->params ? &adapter->params[k] : NULL;
  const struct type *type = argument_type(executor->model, request->args[k], request->transaction->params[k].type);
  struct requester who = {builder->instances[tail], from, from->component, false, true};
  struct target target = {builder->instances[head], accept->id};
  if (!evaluate_as(environment, request->args[k], type, &value)) return false;
  if (conversion && conversion->to &&
      !conversion_apply(executor, who, conversion, target, request->args[k]->span, value, &value))
    return false;
  if (!argument_allowed(executor, &accept->transaction->params[k], request->args[k]->span, value)) return false;
  kept_store(&executor->keep, out, value);
  return true;
}

static bool edge_lay(struct builder *builder, struct model_request *request, uint32_t tail, uint32_t head) {
  struct executor *executor = builder->executor;
  struct value delay = {.kind = VALUE_REAL, .real = 0};
  int64_t indices[COMPONENT_INDICES];
  struct environment own = task_environment(builder, tail, indices), *environment = &own;
  const struct model_accept *accept = builder->outer->inner[builder->class_of[head]]->accepts[0];
  struct kept *theirs = parameters_of(builder, head);
  if (request->delay && !evaluate_as(environment, request->delay, executor->model->types.time, &delay)) return false;
  if (!(delay.real >= 0)) {
    executor_stop(executor, STOP_ERROR, request->delay->span, DELAY_REFUSED, delay.real);
    return false;
  }
  if (delay.real > CLOCK_MOST) return clock_passed(executor, delay.real, request->delay->span);
  bool gives = false;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    gives |= request->args[k] != NULL;
  if (!reach_task(builder, head, gives, request->syntax->txn.span)) return false;
  for (uint32_t k = 0; k < request->transaction->param_count; k++) {
    if (!request->args[k]) continue;
    if (!give(builder, head, k, request->args[k]->span)) return false;
    if (accept->transaction->params[k].type->kind == TYPE_SIGNAL) continue;
    if (expr_is_clock(request->args[k])) {
      for (uint32_t p = 0; p < accept->param_count; p++)
        if (accept->param_of[p] == k && block_reads(accept->body, accept->params[p]->slot))
          return refuse(executor, request->args[k]->span, "a task's duration must not depend on the clock");
      kept_store(&executor->keep, &theirs[k], value_real(0));
    } else if (!edge_value(builder, request, tail, head, k, environment, &theirs[k])) {
      return false;
    }
  }
  uint32_t edge = builder->edge_start[tail]++; /* shifted back when all are laid */
  builder->edge_head[edge] = head;
  builder->delay[edge] = delay.real;
  return true;
}

/* ---- one task: its processor, its duration ---- */

static bool task_place(struct builder *builder, uint32_t task) {
  struct executor *executor = builder->executor;
  const struct model_accept *accept = builder->outer->inner[builder->class_of[task]]->accepts[0];
  struct value where;
  int64_t processor = task;
  if (graph_attribute(executor->graph, accept, builder->instances[task],
                      name_known(executor->model->names, KNOWN_PROCESSOR), NULL, &where)) {
    if (where.kind != VALUE_INT)
      return refuse(executor, accept->syntax->span, "a task's attribute 'processor' is an int");
    processor = where.integer;
  }
  if (processor < 0 || processor > builder->graph->task_count) {
    executor_stop(executor, STOP_ERROR, accept->syntax->span,
                  "a processor's number is 0 or more and at most that of the tasks: it is %lld", (long long)processor);
    return false;
  }
  builder->processor[task] = (uint32_t)processor;
  if (processor >= builder->graph->processor_count) builder->graph->processor_count = (uint32_t)processor + 1;
  return true;
}

static bool task_run(struct builder *builder, uint32_t task) {
  struct executor *executor = builder->executor;
  struct model_component *component = builder->outer->inner[builder->class_of[task]];
  struct body *body = builder->bodies[component->id];
  const struct model_transaction *transaction = component->accepts[0]->transaction;
  struct kept *own = parameters_of(builder, task);
  struct value *signals = ARENA_ARRAY(&executor->scratch, struct value, own ? 0 : transaction->param_count);
  for (uint32_t k = 0; !own && k < transaction->param_count; k++)
    signals[k] = (struct value){.kind = VALUE_SIGNAL};
  struct process *process = process_new(executor, builder->instances[task], 0, false);
  frame_push(executor, process, body, builder->instances[task], own ? kept_values(own) : signals, INSTANCE_NONE, NULL,
             NULL);
  process->keep = true; /* its clock is read when it has ended */
  uint32_t ready = executor->ready_count, events = executor->event_count;
  process_run(executor, process);
  if (executor_stopped(executor)) return false;
  executor->task_communicates[builder->class_of[task]] |= process->share[ACTIVITY_COMMUNICATE] > 0;
  for (int k = 0; k < ACTIVITIES; k++)
    sum_add(&builder->rows[builder->processor[task]].share.time[k], process->share[k]);
  if (process->state != PROCESS_FREE || executor->ready_count != ready || executor->event_count != events)
    return refuse(executor, process->wait ? process->wait->span : component->symbol->span,
                  "a task must not wait, share a server or start others");
  builder->duration[task] = process->clock;
  process_reuse(executor, process);
  return true;
}

/* In topological order: what reaches a task is complete before it is looked at. */
static bool tasks_run(struct builder *builder) {
  struct executor *executor = builder->executor;
  uint32_t count = builder->graph->task_count, done = 0, queued = 0;
  uint32_t *queue = ARENA_ARRAY(executor->arena, uint32_t, count);
  for (uint32_t task = 0; task < count; task++)
    if (builder->waits[task] == 0) queue[queued++] = task;
  for (; done < queued; done++) {
    uint32_t task = queue[done], start = builder->edge_start[task];
    const struct model_component *component = builder->outer->inner[builder->class_of[task]];
    const struct reach *reach = &executor->graph->reach[component->accepts[0]->id];
    uint32_t local = builder->instances[task] - executor->graph->instances[component->id].first;
    uint64_t reached = reach->masks ? reach->masks[local] : reach->same;
    if (!builder->reached[task] || (!reach->full && (reached & ~builder->given[task]))) {
      struct text who = {.arena = executor->arena};
      graph_instance_print(&who, executor->graph, builder->instances[task]);
      return never_fires(executor, component, who.data);
    }
    if (!task_place(builder, task) || !task_run(builder, task) || !edges_of(builder, task, edge_lay)) return false;
    for (uint32_t e = start; e < builder->edge_start[task]; e++)
      if (--builder->waits[builder->edge_head[e]] == 0) queue[queued++] = builder->edge_head[e];
    if (executor->scratch.blocks) arena_reset(&executor->scratch);
  }
  memmove(builder->edge_start + 1, builder->edge_start, count * sizeof *builder->edge_start);
  builder->edge_start[0] = 0;
  if (done == count) return true;
  for (uint32_t task = 0; task < count; task++)
    if (builder->waits[task] > 0) {
      struct text who = {.arena = executor->arena};
      graph_instance_print(&who, executor->graph, builder->instances[task]);
      executor_stop(executor, STOP_DEADLOCK, builder->outer->symbol->span,
                    "the task graph has a cycle: %s waits for itself, through others", who.data);
      break;
    }
  return false;
}

bool task_graph_build(struct executor *executor, struct model_component *outer, uint32_t instance, double start,
                      struct span span, struct psl_task_graph *graph, uint32_t **instances) {
  struct arena *arena = executor->arena;
  uint32_t components = executor->model->component_count;
  struct environment saved = executor->environment;
  struct builder builder = {.executor = executor, .outer = outer, .graph = graph};
  memset(graph, 0, sizeof *graph);
  if (outer->inner_count == 0) return refuse(executor, span, "the component that calls this holds no components");
  builder.first = ARENA_ARRAY(arena, uint32_t, components);
  builder.inner_first = ARENA_ARRAY(arena, uint32_t, components);
  builder.inner_count = ARENA_ARRAY(arena, uint32_t, components);
  builder.parameters = ARENA_ARRAY(arena, struct kept *, components);
  builder.bodies = ARENA_ARRAY(arena, struct body *, components);
  memset(builder.first, 0xff, components * sizeof(uint32_t));
  if (!tasks_find(&builder, instance)) return false;
  tasks_make(&builder, start);
  builder.rows = ARENA_ARRAY(executor->results, struct run_process, (size_t)graph->task_count + 1);
  bool fine = sources_take(&builder);
  for (uint32_t task = 0; fine && task < graph->task_count; task++)
    fine = edges_of(&builder, task, edge_count);
  for (uint32_t task = 0; task < graph->task_count; task++)
    builder.edge_start[task + 1] += builder.edge_start[task];
  builder.edge_head = ARENA_ARRAY(arena, uint32_t, graph->edge_count);
  builder.delay = ARENA_ARRAY(arena, double, graph->edge_count);
  fine = fine && tasks_run(&builder);
  executor->environment = saved;
  if (!fine) {
    executor_stop(executor, STOP_ERROR, span, NULL);
    return false;
  }
  graph->duration = builder.duration;
  graph->processor = builder.processor;
  graph->class_of = builder.class_of;
  graph->edge_start = builder.edge_start;
  graph->edge_head = builder.edge_head;
  graph->edge_delay = builder.delay;
  graph->release = builder.release;
  *instances = builder.instances;
  executor->processors = builder.rows;
  executor->processor_count = graph->processor_count;
  return true;
}

/* Processors as processes of the trace, task after task. */
static void task_graph_trace(struct executor *executor, const struct psl_task_graph *graph,
                             const struct psl_graph_result *result, const uint32_t *instances) {
  for (uint32_t i = 0; i < graph->task_count; i++) {
    const struct model_component *component = graph_component(executor->graph, instances[i]);
    enum activity activity = executor->task_communicates[graph->class_of[i]] ? ACTIVITY_COMMUNICATE : ACTIVITY_COMPUTE;
    trace_event(executor->options->trace, UINT32_MAX, graph->processor[i], activity, component->id, result->start[i],
                result->finish[i]);
  }
}

void task_graph_account(struct executor *executor, const struct psl_task_graph *graph,
                        const struct psl_graph_result *result, double begin, const uint32_t *instances) {
  struct run_process *rows = executor->processors;
  for (uint32_t i = 0; i < graph->task_count; i++)
    if (result->finish[i] > rows[graph->processor[i]].end) rows[graph->processor[i]].end = result->finish[i];
  for (uint32_t i = 0; i < graph->processor_count; i++) {
    struct sum *share = rows[i].share.time;
    double busy = sum_total(&share[ACTIVITY_COMPUTE]) + sum_total(&share[ACTIVITY_COMMUNICATE]);
    share[ACTIVITY_WAIT] = (struct sum){fmax(rows[i].end - begin - busy, 0), 0};
  }
  if (executor->options->trace) task_graph_trace(executor, graph, result, instances);
  executor->critical = ARENA_ARRAY(executor->results, uint32_t, result->critical_count);
  executor->critical_count = result->critical_count;
  for (uint32_t i = 0; i < result->critical_count; i++)
    executor->critical[i] = instances[result->critical[i]];
  executor->call.clock = result->makespan > begin ? result->makespan : begin;
  executor->call.result.real = executor->call.clock - begin;
}
