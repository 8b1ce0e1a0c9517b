/* Dimemas' model of machines, as its simulator has it (version 5.5, BSC): nodes with processors, and messages that wait
 * for a free output link of the sender's node, an input link of the receiver's and one of a number of buses, then take
 * size / bandwidth. Tasks of one node have links and buses of their own among them. What a call takes is latency, on
 * the task's processor, before it does anything. A message that is to be met is sent when its receiver is there.
 * Collective operations wait for all members, then for all buses, and take a time by formula.
 *
 * All tasks wait here, each with the operation that it has asked for; when all have asked, events are handled in their
 * order until one or several go on. Times are ns, as there, so that what is rounded is so alike. */
#include "evaluators/dimemas/state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the run ---- */

/* The operation under way begins, or goes on behind its latency. */
static void perform(struct state *s, uint32_t number) {
  switch (s->tasks[number].now.kind) {
  case OPERATION_SEND: dimemas_send(s, number); break;
  case OPERATION_RECEIVE:
  case OPERATION_WAIT: dimemas_receive(s, number); break;
  case OPERATION_START_RECEIVE: dimemas_start_receive(s, number); break;
  case OPERATION_COLLECTIVE: dimemas_collective_begin(s, number); break;
  case OPERATION_WAIT_COLLECTIVE: dimemas_collective_wait(s, number); break;
  case OPERATION_COMPUTE:
  case OPERATION_NONE: break;
  }
}

/* What the task has asked for is begun in the event in hand. */
static void task_begin(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  task->passed_event = false;
  if (task->ended) return;
  if (task->asked.kind == OPERATION_COMPUTE) {
    dimemas_task_ready(s, number, true);
    return;
  }
  task->now = task->asked;
  perform(s, number);
}

/* The task's time on the processor is over. */
static void task_event(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  s->nodes[task->node].idle++;
  s->first_node = task->node;
  dimemas_node_touch(s, task->node);
  if (task->stage == STAGE_STARTUP) {
    task->stage = STAGE_STARTED;
    perform(s, number);
  } else if (task->now.kind == OPERATION_COMPUTE) {
    s->in_turn = number;
    dimemas_task_answer(s, number);
  } else {
    task_begin(s, number);
  }
}

static void event_handle(struct state *s, struct event event) {
  s->now = event.time;
  switch (event.kind) {
  case EVENT_TASK: task_event(s, event.object); break;
  case EVENT_RESOURCES: dimemas_resources_free(s, event.object); break;
  case EVENT_ARRIVAL: dimemas_message_arrive(s, event.object); break;
  case EVENT_COLLECTIVE_RESOURCES: dimemas_collective_resources(s, event.object); break;
  case EVENT_COLLECTIVE: dimemas_collective_over(s, event.object); break;
  }
}

/* Until a task is to say what it does next, or there is nothing more to come. */
static void run(struct state *s) {
  while (s->awaited == 0) {
    if (!s->begun) {
      s->begun = s->handled = true;
      for (uint32_t i = 0; i < s->task_count; i++)
        dimemas_task_ready(s, i, true);
    } else if (s->in_turn != NONE) {
      uint32_t number = s->in_turn;
      s->in_turn = NONE;
      task_begin(s, number);
    } else if (s->handled) {
      s->handled = false;
      dimemas_tasks_start(s);
    } else if (s->event_count) {
      event_handle(s, dimemas_event_take(s));
      s->handled = true;
    } else {
      return;
    }
  }
}

/* ---- calls ---- */

static struct task *task_of(struct state *s, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer;
  if (rank >= 0 && rank < s->task_count) return &s->tasks[rank];
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " of %u ranks", rank, s->task_count);
  return NULL;
}

static uint32_t communicator_of(struct state *s, struct psl_call *call, int64_t name) {
  uint32_t at = 0;
  while (at < s->communicator_count && s->communicators[at].name != name)
    at++;
  if (at < s->communicator_count) return at;
  snprintf(call->error, sizeof call->error, "there is no communicator %" PRId64, name);
  return NONE;
}

static enum psl_status operate(struct state *s, struct psl_call *call, struct operation operation) {
  uint32_t number = (uint32_t)call->arguments[0].integer;
  struct task *task = &s->tasks[number];
  task->asked = operation;
  if (operation.kind != OPERATION_WAIT) task->asked.begun = call->clock;
  task->process = call->process;
  task->owner = s->host->owner(s->host, call->process);
  task->clock = call->clock;
  task->busy_first = 0;
  task->busy_since = HUGE_VAL;
  task->result = 0;
  task->called = true;
  s->awaited--;
  s->caller = number;
  s->caller_goes_on = false;
  run(s);
  s->caller = NONE;
  if (!s->caller_goes_on) return PSL_BLOCKED;
  call->clock = task->clock;
  call->result.integer = task->result;
  return PSL_DONE;
}

static bool rank_is(const struct state *s, struct psl_call *call, int64_t rank, int64_t least, int32_t *out) {
  *out = (int32_t)rank;
  if (rank >= least && rank < s->task_count) return true;
  snprintf(call->error, sizeof call->error, "rank %" PRId64 " of %u ranks", rank, s->task_count);
  return false;
}

static enum psl_status dimemas_compute(void *state, struct psl_call *call) {
  struct state *s = state;
  const struct task *task = task_of(s, call);
  if (!task) return PSL_FAILED;
  double time = call->arguments[1].real * 1e9, ratio = s->nodes[task->node].figures[FIGURE_ratio];
  const struct dimemas_module *module = task->module_count ? task->modules[task->module_count - 1] : NULL;
  if (!(time >= 0 && time < 1e18)) return psl_failed(call, "a computation of %g s", call->arguments[1].real);
  if (module) time = module->ratio < 0 ? -module->ratio * 1e9 : module->ratio > 0 ? time / module->ratio : 0;
  time = ratio <= 0 ? 0 : time / ratio;
  return operate(s, call, (struct operation){.kind = OPERATION_COMPUTE, .size = time});
}

static enum psl_status dimemas_call_send(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  struct operation operation = {.kind = OPERATION_SEND,
                                .tag = (int32_t)a[2].integer,
                                .size = a[4].real,
                                .rendezvous = s->eager < 0 ? a[5].integer : a[4].real >= s->eager,
                                .immediate = a[6].integer};
  if (!task_of(s, call) || !rank_is(s, call, a[1].integer, 0, &operation.partner)) return PSL_FAILED;
  if (operation.immediate && operation.partner == a[0].integer) operation.rendezvous = true;
  operation.communicator = communicator_of(s, call, a[3].integer);
  return operation.communicator == NONE ? PSL_FAILED : operate(s, call, operation);
}

static enum psl_status receive_call(struct state *s, struct psl_call *call, enum operation_kind kind) {
  const union psl_argument *a = call->arguments;
  struct operation operation = {.kind = kind, .tag = (int32_t)a[2].integer, .room = a[4].real};
  if (!task_of(s, call) || !rank_is(s, call, a[1].integer, ANY, &operation.partner)) return PSL_FAILED;
  operation.communicator = communicator_of(s, call, a[3].integer);
  return operation.communicator == NONE ? PSL_FAILED : operate(s, call, operation);
}

static enum psl_status dimemas_call_receive(void *state, struct psl_call *call) {
  return receive_call(state, call, OPERATION_RECEIVE);
}
static enum psl_status dimemas_call_start_receive(void *state, struct psl_call *call) {
  return receive_call(state, call, OPERATION_START_RECEIVE);
}
static enum psl_status dimemas_wait(void *state, struct psl_call *call) {
  struct state *s = state;
  struct task *task = task_of(s, call);
  int64_t request = call->arguments[1].integer;
  if (!task) return PSL_FAILED;
  if (request == 0) return PSL_DONE; /* of a send */
  struct operation *started = request > 0 && request <= task->started_count ? &task->started[request - 1] : NULL;
  if (!started || started->kind == OPERATION_NONE)
    return psl_failed(call, "%" PRId64 " is no request that is to be waited for", request);
  struct operation operation = *started;
  operation.kind = started->kind == OPERATION_COLLECTIVE ? OPERATION_WAIT_COLLECTIVE : OPERATION_WAIT;
  started->kind = OPERATION_NONE;
  return operate(s, call, operation);
}

static enum psl_status dimemas_give_up(void *state, struct psl_call *call) {
  struct task *task = task_of(state, call);
  int64_t request = call->arguments[1].integer;
  if (!task) return PSL_FAILED;
  if (request > 0 && request <= task->started_count) task->started[request - 1].given_up = true;
  return PSL_DONE;
}

static enum psl_status dimemas_collective(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  struct operation operation = {.kind = OPERATION_COLLECTIVE,
                                .number = (int32_t)a[2].integer,
                                .mode = (enum collective_mode)a[3].integer,
                                .size = a[6].real,
                                .received = a[7].real};
  if (!task_of(s, call) || !rank_is(s, call, a[4].integer, 0, &operation.partner)) return PSL_FAILED;
  if (a[2].integer < 0 || a[2].integer >= DIMEMAS_OPERATIONS || a[3].integer < 0 || a[3].integer > COLLECTIVE_ROOT)
    return psl_failed(call, "there is no collective operation %" PRId64 " of mode %" PRId64, a[2].integer,
                      a[3].integer);
  operation.leads = a[5].integer;
  operation.communicator = communicator_of(s, call, a[1].integer);
  if (operation.communicator == NONE) return PSL_FAILED;
  return operate(s, call, operation);
}

/* Those of the members, or of all tasks where there is no list. */
static void communicator_add(struct state *s, int64_t name, const double *members, uint32_t count) {
  s->communicators =
      dimemas_grown(s, s->communicators, s->communicator_count, &s->communicator_capacity, sizeof *s->communicators);
  struct communicator *communicator = &s->communicators[s->communicator_count++];
  *communicator = (struct communicator){.name = name, .size = count, .pending = {NONE, NONE}, .root = NONE};
  struct used_node *nodes = communicator->nodes = s->host->allocate(s->host, count * sizeof *nodes);
  for (uint32_t k = 0; k < count; k++)
    nodes[k].node = s->tasks[members ? (uint32_t)members[k] : k].node;
  qsort(nodes, count, sizeof *nodes, dimemas_by_node);
  uint32_t used = 0;
  for (uint32_t k = 0; k < count; k++)
    if (!used || nodes[used - 1].node != nodes[k].node) nodes[used++] = nodes[k];
  communicator->node_count = used;
  if (members) communicator->members = s->host->allocate(s->host, count * sizeof *communicator->members);
  for (uint32_t k = 0; members && k < count; k++)
    communicator->members[k] = (uint32_t)members[k];
}

static enum psl_status dimemas_communicator(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (!task_of(s, call)) return PSL_FAILED;
  for (uint32_t at = 0; at < s->communicator_count; at++)
    if (s->communicators[at].name == a[1].integer) return PSL_DONE; /* another member was here before */
  for (uint32_t k = 0; k < a[2].list.count; k++) {
    int32_t rank;
    if (!rank_is(s, call, (int64_t)a[2].list.items[k], 0, &rank)) return PSL_FAILED;
  }
  if (a[2].list.count) communicator_add(s, a[1].integer, a[2].list.items, a[2].list.count);
  return PSL_DONE;
}

static enum psl_status dimemas_region(void *state, struct psl_call *call) {
  struct state *s = state;
  struct task *task = task_of(s, call);
  int64_t type = call->arguments[1].integer, value = call->arguments[2].integer;
  if (!task) return PSL_FAILED;
  task->passed_event = true;
  if (value == 0) {
    if (task->module_count && task->modules[task->module_count - 1]->type == type) task->module_count--;
    return PSL_DONE;
  }
  for (uint32_t k = s->machine->module_count; k--;) { /* of those that are alike the last one holds */
    const struct dimemas_module *module = &s->machine->modules[k];
    if (module->type != type || module->value != value) continue;
    task->modules = dimemas_grown(s, task->modules, task->module_count, &task->module_capacity, sizeof *task->modules);
    task->modules[task->module_count++] = module;
    break;
  }
  return PSL_DONE;
}

static enum psl_status dimemas_end(void *state, struct psl_call *call) {
  struct state *s = state;
  struct task *task = task_of(s, call);
  if (!task) return PSL_FAILED;
  task->ended = true;
  s->awaited--;
  run(s);
  return PSL_DONE;
}

/* ---- the machine ---- */

/* What a machine is like that nothing says: a node a task, and communication that takes no time. */
static struct dimemas_machine *machine_of(const char *path, uint32_t nodes, char *error, size_t size) {
  if (*path) return dimemas_machine_read(path, error, size);
  struct dimemas_machine *machine = calloc(1, sizeof *machine);
  if (machine) machine->nodes = calloc(nodes ? nodes : 1, sizeof *machine->nodes);
  if (!machine || !machine->nodes) {
    snprintf(error, size, "there is no memory for %u nodes", nodes);
    dimemas_machine_close(machine);
    return NULL;
  }
  machine->node_count = nodes ? nodes : 1;
  machine->mapping = MAP_FILL;
  for (uint32_t i = 0; i < machine->node_count; i++)
    machine->nodes[i][FIGURE_processors] = machine->nodes[i][FIGURE_ratio] = 1;
  for (uint32_t i = 0; i < DIMEMAS_OPERATIONS; i++)
    machine->phases[i][0].model = machine->phases[i][1].model = MODEL_LOGARITHMIC;
  return machine;
}

static bool dimemas_figure_of(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  int figure = dimemas_figure_named(arguments[1].string);
  if (figure < 0) {
    snprintf(error, 200, "no figure of a machine is called '%.60s'", arguments[1].string);
    return false;
  }
  struct dimemas_machine *machine = machine_of(arguments[0].string, 1, error, 200);
  if (!machine) return false;
  result->real = dimemas_figure(machine, (enum dimemas_figure)figure);
  dimemas_machine_close(machine);
  return true;
}

static void node_open(struct node *node) {
  const double *figures = node->figures;
  uint32_t in = (uint32_t)figures[FIGURE_inputs], out = (uint32_t)figures[FIGURE_outputs];
  struct queue none = {NONE, NONE};
  node->idle = (uint32_t)figures[FIGURE_processors];
  node->unlimited = in == 0 && out == 0;
  node->half_duplex = in == 0 || out == 0;
  node->free_in = node->half_duplex && out > in ? out : in;
  node->free_out = out;
  node->inside_free = figures[FIGURE_inside_inputs] == 0 && figures[FIGURE_inside_outputs] == 0;
  node->inside_half = figures[FIGURE_inside_inputs] == 0 || figures[FIGURE_inside_outputs] == 0;
  node->wait_in = node->wait_out = node->holding = node->inside_wait = node->ready = none;
  node->figures[FIGURE_latency] *= 1e9;
  node->figures[FIGURE_inside_latency] *= 1e9;
}

static void task_open(struct task *task, const struct node *node) {
  uint32_t in = (uint32_t)node->figures[FIGURE_inside_inputs], out = (uint32_t)node->figures[FIGURE_inside_outputs];
  struct queue none = {NONE, NONE};
  task->free_in = node->inside_half && out > in ? out : in;
  task->free_out = out;
  task->wait_in = task->wait_out = task->arrived = task->sending = task->sends_alone = task->receives_alone = none;
}

/* A figure that is not that of the first node is meant for all. */
static void machine_open(struct state *s, const union psl_argument *figures) {
  struct dimemas_machine *machine = s->machine;
  double given[FIGURES];
  for (int k = 0; k < FIGURES; k++) {
    bool whole = k != FIGURE_ratio && k != FIGURE_latency && k != FIGURE_inside_latency && k != FIGURE_bandwidth &&
                 k != FIGURE_inside_bandwidth;
    given[k] = whole ? (double)figures[k].integer : figures[k].real;
  }
  given[FIGURE_bandwidth] /= 1 << 20;
  given[FIGURE_inside_bandwidth] /= 1 << 20;
  s->bandwidth = given[FIGURE_bandwidth];
  s->buses = (uint32_t)given[FIGURE_buses];
  s->node_count = machine->node_count;
  s->nodes = s->host->allocate(s->host, s->node_count * sizeof *s->nodes);
  s->touched = s->host->allocate(s->host, s->node_count * sizeof *s->touched);
  for (int k = 0; k < NODE_FIGURES; k++) {
    bool other = given[k] != machine->nodes[0][k];
    for (uint32_t i = 0; i < s->node_count; i++)
      if (other) machine->nodes[i][k] = given[k];
  }
  for (uint32_t i = 0; i < s->node_count; i++) {
    memcpy(s->nodes[i].figures, machine->nodes[i], sizeof s->nodes[i].figures);
    node_open(&s->nodes[i]);
  }
}

static enum psl_status tasks_open(struct state *s, struct psl_call *call, uint32_t count) {
  uint32_t *nodes = s->host->allocate(s->host, count * sizeof *nodes);
  if (!dimemas_map(s->machine, count, nodes, call->error, sizeof call->error)) return PSL_FAILED;
  s->tasks = s->host->allocate(s->host, count * sizeof *s->tasks);
  s->task_count = s->awaited = count;
  for (uint32_t i = 0; i < count; i++) {
    s->tasks[i].node = nodes[i];
    task_open(&s->tasks[i], &s->nodes[nodes[i]]);
  }
  communicator_add(s, 0, NULL, count);
  return PSL_DONE;
}

static enum psl_status dimemas_begin(void *state, struct psl_call *call) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  if (s->machine) return task_of(s, call) ? PSL_DONE : PSL_FAILED;
  if (a[1].integer < 1 || a[1].integer > DIMEMAS_NODES_MOST) return psl_failed(call, "%" PRId64 " ranks", a[1].integer);
  s->machine = machine_of(a[2].string, (uint32_t)a[1].integer, call->error, sizeof call->error);
  if (!s->machine) return PSL_FAILED;
  for (uint32_t k = 0; k < s->machine->passed_count; k++)
    s->host->warn(s->host, s->machine->passed[k]);
  machine_open(s, a + 3);
  s->eager = a[3 + FIGURES].real;
  return tasks_open(s, call, (uint32_t)a[1].integer);
}

static void *dimemas_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->free_item = s->caller = s->in_turn = s->first_node = NONE;
  return s;
}

static void dimemas_close(void *state) { dimemas_machine_close(((struct state *)state)->machine); }

static size_t dimemas_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  struct state *s = state;
  dimemas_leftovers_warn(s);
  struct psl_statistic all[] = {{PSL_MESSAGES, "", (double)s->messages, true}, {PSL_BYTES, "byte", s->bytes, false}};
  for (size_t k = 0; k < 2 && k < capacity; k++)
    out[k] = all[k];
  return capacity < 2 ? capacity : 2;
}

static void dimemas_explain(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  const struct state *s = state;
  uint32_t number = 0;
  while (number < s->task_count && (!s->tasks[number].called || s->tasks[number].process != process))
    number++;
  const struct operation *now = number < s->task_count ? &s->tasks[number].now : NULL;
  uint32_t partner = NONE;
  if (now && now->kind == OPERATION_SEND) {
    partner = (uint32_t)now->partner;
    snprintf(out, size, "for rank %u to receive a message of %.0f bytes, tag %d", partner, now->size, now->tag);
  } else if (now && s->tasks[number].waits && now->partner != ANY) {
    partner = (uint32_t)now->partner;
    snprintf(out, size, "for a message from rank %u, tag %d", partner, now->tag);
  } else if (now && s->tasks[number].waits) {
    snprintf(out, size, "for a message from any rank, tag %d", now->tag);
  } else {
    snprintf(out, size,
             now && now->kind == OPERATION_COLLECTIVE ? "for the others of a collective operation"
                                                      : "for an operation");
  }
  if (partner != NONE && s->tasks[partner].called) *other = s->tasks[partner].process;
}

#define RANK "(rank : int, "
#define MESSAGE "tag : int, communicator : int"

static const struct psl_evaluator_function functions[] = {
    {.name = "figure",
     .signature = "(configuration : string, name : string) -> real",
     .kind = PSL_PURE,
     .pure = dimemas_figure_of,
     .reads = 1,
     .doc =
         "What a configuration file of Dimemas says of the first node, or of all: 'latency', 'bandwidth', … in s and "
         "MiB/s. Error: the file is wrong, with the line."},
    {.name = "begin",
     .signature = RANK "size : int, configuration : string, processors : int, ratio : real, inside-latency : time,"
                       " inside-bandwidth : data/time, inside-buses : int, inside-inputs : int, inside-outputs : int,"
                       " latency : time, inputs : int, outputs : int, bandwidth : data/time, buses : int,"
                       " eager-limit : data)",
     .kind = PSL_EVENT,
     .call = dimemas_begin,
     .reads = 4,
     .doc = "The first call of each rank: what the machine is like. A figure that is not the first node's holds for "
            "all. Error: the file is wrong, or maps fewer tasks."},
    {.name = "communicator",
     .signature = RANK "communicator : int, members : [int])",
     .kind = PSL_EVENT,
     .call = dimemas_communicator,
     .doc = "The rank belongs to a communicator, with these."},
    {.name = "region",
     .signature = RANK "type : int, value : int)",
     .kind = PSL_EVENT,
     .call = dimemas_region,
     .doc = "It enters the region of this type and value; 0: it leaves the last one of the type."},
    {.name = "compute",
     .signature = RANK "work : time)",
     .kind = PSL_CALL,
     .call = dimemas_compute,
     .doc = "It computes, when a processor of its node is free, for this time by the ratios of its region and node."},
    {.name = "send",
     .signature = RANK "destination : int, " MESSAGE ", size : data, rendezvous : bool, immediate : bool)",
     .kind = PSL_CALL,
     .call = dimemas_call_send,
     .doc = "It sends. `rendezvous`: the message goes when its receiver is there, for whom the rank waits unless "
            "`immediate`."},
    {.name = "receive",
     .signature = RANK "source : int, " MESSAGE ", room : data = 0 byte)",
     .kind = PSL_CALL,
     .call = dimemas_call_receive,
     .doc = "It receives, from -1: any rank. A message that is longer than the room is said when the run has ended; 0: "
            "it has room for any."},
    {.name = "start-receive",
     .signature = RANK "source : int, " MESSAGE ", room : data = 0 byte) -> int",
     .kind = PSL_CALL,
     .call = dimemas_call_start_receive,
     .doc = "It starts a receive: a request."},
    {.name = "wait",
     .signature = RANK "request : int)",
     .kind = PSL_CALL,
     .call = dimemas_wait,
     .doc = "It waits for what it has started; 0: for nothing. Error: it has started no such thing."},
    {.name = "give-up",
     .signature = RANK "request : int)",
     .kind = PSL_EVENT,
     .call = dimemas_give_up,
     .doc = "It will not wait for the receive that it has started, which is then not said; 0: none."},
    {.name = "collective",
     .signature = RANK "communicator : int, operation : int, mode : int, root : int, leads : bool, sent : data,"
                       " received : data) -> int",
     .kind = PSL_CALL,
     .call = dimemas_collective,
     .doc = "A collective operation, by its number in traces of Dimemas. Mode 0 starts it, a request, 1 does it, 2 has "
            "all send to the root. The sizes are those of the one that leads."},
    {.name = "end",
     .signature = "(rank : int)",
     .kind = PSL_EVENT,
     .call = dimemas_end,
     .doc = "The rank has no more to do."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {
    {"a message holds its links and its bus for size / bandwidth, whatever else is on the network"},
    {"collective operations take all buses, and a time by formula"},
    {NULL},
};

const struct psl_evaluator dimemas_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Dimemas",
    .revision = "1",
    .doc = "Dimemas' model: nodes, latencies, links, buses, collective operations by formula.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = dimemas_open,
    .close = dimemas_close,
    .statistics = dimemas_statistics,
    .explain_wait = dimemas_explain,
};
