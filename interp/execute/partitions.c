/* Runs in partitions: what is divided, what each does when it has ended, and how what came of all becomes one run.
 *
 * The parent makes no step of the run. Each child is a copy of it, in which the instances that the system begins with
 * are left out but for its own. When all wait and nothing is on its way they agree on what figures depend on (the end
 * of the run, and what evaluators offer), and write what came of them to the parent, by pipes. */
#include "interp/execute/partition.h"
#include "grammar/text.h"
#include "interp/evaluate/range_groups.h"
#include "interp/execute/steps.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 8 }; /* after which what has been sent is published: with 4 to 16 all-reduces take as long */

/* ---- what is divided ---- */

struct division_of_run {
  struct executor *executor;
  uint32_t count; /* partitions */
  uint8_t *of_instance;
  uint8_t *of_rank;
  _Atomic uint8_t *changed, *homes;
  double lookahead;
  struct rank_place placing; /* place NULL: it is not known */
  uint32_t rank_count, rank_capacity;
  uint32_t begun;  /* instances */
  bool *begins;    /* by accept: see struct partition */
  const char *why; /* it cannot be */
  struct span at;
};

static bool refuse(struct division_of_run *d, struct span at, const char *why) {
  d->why = why;
  d->at = at;
  return false;
}

/* The place of a rank has its partition. What ranks of one place ask of their interface at one time has the order of
 * their turns, which is that of a run in one. */
static bool place_take(struct division_of_run *d, int64_t rank, uint8_t partition) {
  struct executor *executor = d->executor;
  struct value place;
  if (!d->placing.place) return true;
  struct environment environment = executor_environment(executor, NULL);
  environment.locals[d->placing.slot] = value_integer(rank);
  bool found = evaluate(&environment, d->placing.place, &place) && place.kind == VALUE_INT && place.integer >= 0 &&
               place.integer < HOMES;
  if (executor->scratch.blocks) arena_reset(&executor->scratch);
  if (!found) return true; /* whoever comes to that says what is wrong */
  _Atomic uint8_t *home = &d->homes[place.integer];
  if (*home) return refuse(d, executor->graph->system->symbol->span, "ranks of a node share its interfaces");
  *home = partition + 1;
  return true;
}

static bool rank_note(struct division_of_run *d, const struct model_accept *accept, uint32_t instance,
                      uint8_t partition, struct span at) {
  struct executor *executor = d->executor;
  struct value value;
  const struct name *name = name_known(executor->model->names, KNOWN_RANK);
  bool found = graph_attribute(executor->graph, accept, instance, name,
                               kept_values(instance_dynamics(executor, instance)), &value);
  if (!found || value.kind != VALUE_INT || value.integer < 0 || value.integer >= 1 << 26) return true;
  uint32_t rank = (uint32_t)value.integer;
  while (rank >= d->rank_capacity) {
    uint32_t capacity = d->rank_capacity ? 2 * d->rank_capacity : 1 << 10;
    uint8_t *grown = arena_alloc(executor->arena, capacity);
    memset(grown, PSL_NO_PARTITION, capacity);
    if (d->rank_count) memcpy(grown, d->of_rank, d->rank_count);
    d->of_rank = grown;
    d->rank_capacity = capacity;
  }
  if (rank >= d->rank_count) d->rank_count = rank + 1;
  if (d->of_rank[rank] != PSL_NO_PARTITION) return refuse(d, at, "two instances act as one rank");
  d->of_rank[rank] = partition;
  return place_take(d, rank, partition);
}

enum {
  STRIPE = 32, /* instances that stand together, at least, */
  STRIPES = 8  /* and how many such a partition has, at most */
};

/* Those of one component: in stripes along the last index, or by their order. Neighbours mostly run one after another:
 * with several stripes each partition soon has something to do; each end of one is where messages cross. */
static bool targets_divide(struct division_of_run *d, const struct model_request *request, const uint32_t *targets,
                           uint32_t count, struct model_accept *accept) {
  const struct instances *set = &d->executor->graph->instances[accept->component->id];
  uint32_t last = accept->component->index_count ? accept->component->index_count - 1 : 0;
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (uint32_t k = 0; k < count && accept->component->index_count; k++) {
    int64_t index = instance_index(set, targets[k], last);
    low = index < low ? index : low;
    high = index > high ? index : high;
  }
  uint64_t extent = high >= low ? (uint64_t)(high - low) + 1 : 0, stripes = extent / STRIPE;
  stripes = stripes < d->count ? d->count : stripes > STRIPES * d->count ? STRIPES * d->count : stripes;
  for (uint32_t k = 0; k < count; k++) {
    uint8_t *of = &d->of_instance[targets[k]];
    uint64_t place = extent >= d->count ? (uint64_t)(instance_index(set, targets[k], last) - low) * stripes / extent
                                        : (uint64_t)k * d->count / count;
    place %= d->count;
    if (*of != PSL_NO_PARTITION) return refuse(d, request->syntax->span, "an instance begins twice with the run");
    *of = (uint8_t)place;
    if (!rank_note(d, accept, targets[k], *of, request->syntax->span)) return false;
  }
  d->begun += count;
  return true;
}

static bool requests_divide(struct division_of_run *d, struct model_request *const *requests, uint32_t count,
                            bool last);

/* What is called does nothing but to begin others. */
static bool call_divide(struct division_of_run *d, const struct model_request *request, uint32_t target, bool last) {
  const struct binding *binding = &d->executor->graph->bindings[request->id];
  const struct model_component *component = graph_component(d->executor->graph, target);
  for (uint32_t c = 0; c < binding->candidate_count; c++) {
    const struct model_accept *accept = binding->candidates[c];
    bool plain = !(accept->body && accept->body->first) && !accept->firing_rule && !accept->servers;
    if (accept->component != component || !plain || d->begins[accept->id]) continue;
    d->begins[accept->id] = true;
    return requests_divide(d, accept->requests, accept->request_count, last);
  }
  return refuse(d, request->syntax->span, "what is asked for here does more than to begin others");
}

static bool request_divide(struct division_of_run *d, const struct model_request *request, bool last) {
  const struct binding *binding = &d->executor->graph->bindings[request->id];
  struct target one;
  const uint32_t *targets;
  uint32_t first = 0;
  bool calls = request->protocol != PROTOCOL_DATAFLOW;
  if (binding->kind == BINDING_ABSENT) return true;
  if (binding->kind == BINDING_LATE || request->quantifier == TARGET_ANY || binding->adapter_count || request->delay ||
      request->visits || request->patience || (calls && !last) ||
      (calls && request->transaction->result->kind != TYPE_VOID))
    return refuse(d, request->syntax->span, "what is asked for here depends on what was before");
  uint32_t count = targets_bound(binding, 0, &one, &targets, &first);
  if (!targets) targets = &one.instance, first = 0;
  targets += first;
  if (calls && request->quantifier != TARGET_EVERY) return count != 1 || call_divide(d, request, targets[0], last);
  for (uint32_t k = 0, end; k < count; k = end) { /* those of one component stand together */
    const struct model_component *component = graph_component(d->executor->graph, targets[k]);
    struct model_accept *accept = NULL;
    for (end = k; end < count && graph_component(d->executor->graph, targets[end]) == component;)
      end++;
    for (uint32_t c = 0; c < binding->candidate_count; c++)
      if (binding->candidates[c]->component == component) accept = binding->candidates[c];
    if (!accept) return refuse(d, request->syntax->span, "what the system begins with is not known before");
    if (!targets_divide(d, request, targets + k, end - k, accept)) return false;
  }
  return true;
}

static bool requests_divide(struct division_of_run *d, struct model_request *const *requests, uint32_t count,
                            bool last) {
  for (uint32_t r = 0; r < count; r++)
    if (!request_divide(d, requests[r], last && r + 1 == count)) return false;
  return true;
}

/* No place has a partition yet. */
static bool homes_clear(struct division_of_run *d) {
  if (!(d->lookahead > 0)) return true;
  int how = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | (d->homes ? MAP_FIXED : 0);
  void *room = mmap((void *)d->homes, HOMES, PROT_READ | PROT_WRITE, how, -1, 0);
  if (room == MAP_FAILED)
    return refuse(d, d->executor->graph->system->symbol->span, "there is no memory for partitions");
  d->homes = room;
  return true;
}

static bool all_divide(struct division_of_run *d) {
  struct executor *executor = d->executor;
  const struct model_component *system = executor->graph->system;
  uint32_t instances = executor->graph->instance_count;
  d->of_instance = arena_alloc(executor->arena, instances + 1);
  memset(d->of_instance, PSL_NO_PARTITION, instances + 1);
  d->begins = ARENA_ARRAY(executor->arena, bool, executor->model->accept_count + 1);
  d->of_rank = NULL;
  d->rank_count = d->rank_capacity = d->begun = 0;
  return requests_divide(d, system->requests, system->request_count, true);
}

static bool run_divide(struct division_of_run *d) {
  struct executor *executor = d->executor;
  const struct model_component *system = executor->graph->system;
  const struct run_options *options = executor->options;
  struct span at = system->symbol->span;
  if (options->trace) return refuse(d, at, "a trace has all in the order of time");
  if (options->levels) return refuse(d, at, "levels are kept in the order of time");
  if (options->host_time) return refuse(d, at, "a profile is of one process");
  if (options->max_firings || options->max_time > 0) return refuse(d, at, "the run has a limit");
  if (executor->steady) return refuse(d, at, "it is a network of queues, whose customers share the servers");
  if (executor->model->foreign_count) return refuse(d, at, "functions of C may share what they know");
  const char *ordered = graph_ordered(executor->graph, d->lookahead > 0, &at);
  if (!ordered) ordered = lookahead_lacking(executor->graph);
  if (ordered) return refuse(d, at, ordered);
  if (!all_divide(d)) return false;
  uint32_t most = options->peers ? d->begun : d->begun / options->partition_ranks;
  if (options->peers ? most < d->count : most < 2)
    return refuse(d, at,
                  arena_printf(executor->arena, "it begins with %u %s, and each partition is to have %u at least",
                               d->begun, d->begun == 1 ? "instance" : "instances",
                               options->peers ? 1 : options->partition_ranks));
  if (most >= d->count) return true;
  d->count = most;
  return homes_clear(d) && all_divide(d);
}

/* ---- in a partition ---- */

bool partition_lacks(const struct executor *executor, uint32_t instance) {
  uint8_t of = executor->partition->of_instance[instance];
  return of != PSL_NO_PARTITION && of != executor->partition->told.number;
}

bool partition_shares(const struct executor *executor, uint32_t instance) {
  return executor->partition->of_instance[instance] == PSL_NO_PARTITION;
}

bool partition_begins(const struct executor *executor, const struct model_accept *accept) {
  return accept == executor->root || executor->partition->begins[accept->id];
}

void partition_joined(struct executor *executor, uint32_t component, double called, double joined) {
  struct partition *p = executor->partition;
  p->waiting = component;
  p->called = called;
  p->joined = joined;
}

void partition_give_up(struct executor *executor, struct span span, const char *why) {
  if (executor_stopped(executor)) return;
  port_give_up(executor->partition->port, why, span.begin, span.end);
  executor->stop = STOP_ERROR;
}

void partition_call_ordered(struct executor *executor, const struct process *process) {
  char why[EXCHANGE_REASON] = "what an evaluator answers here depends on what others have done before";
  if (process->wait && process->wait->callee)
    snprintf(why, sizeof why, "what '%s' of %s answers depends on what others have done before",
             process->wait->callee->name->text, process->wait->callee->evaluator_of->name);
  partition_give_up(executor, process_span(process), why);
}

static void host_give_up(struct psl_host *host, const char *why) {
  struct executor *executor = (struct executor *)(void *)host;
  partition_give_up(executor, executor_span(executor), why);
}

static void host_undo(struct psl_host *host, uint32_t id) {
  struct executor *executor = (struct executor *)(void *)host;
  const struct process *process = process_at(executor, id);
  unfire(executor, process->frame->body->component->id, process->clock);
  executor->events_done--;
}

struct sent { /* before the bytes of the evaluator */
  uint32_t evaluator;
  uint32_t unused; /* what stands behind is aligned */
};

void partition_send(struct psl_host *host, const struct psl_evaluator *evaluator, uint32_t to, const void *item,
                    size_t size) {
  struct executor *executor = (struct executor *)(void *)host;
  char bytes[EXCHANGE_ITEM];
  struct sent sent = {evaluator_open(executor, evaluator), 0};
  memcpy(bytes, &sent, sizeof sent);
  memcpy(bytes + sizeof sent, item, size);
  port_send(executor->partition->port, to, bytes, sizeof sent + size);
}

void partition_item_take(void *user, const void *item, size_t size) {
  struct executor *executor = user;
  struct sent sent;
  memcpy(&sent, item, sizeof sent);
  if (sent.evaluator == MOVED) {
    process_come(executor, item, size);
    return;
  }
  const struct psl_evaluator *evaluator = executor->evaluators[sent.evaluator].evaluator;
  void *state = executor->evaluators[evaluator_open(executor, evaluator)].state;
  if (!executor_stopped(executor))
    evaluator->partitioned->come(state, (const char *)item + sizeof sent, size - sizeof sent);
}

bool partition_due(struct executor *executor) { return ++executor->partition->unpublished % TURNS == 0; }

void partition_publish(struct executor *executor) { port_publish(executor->partition->port); }

bool partition_receive(struct executor *executor, bool wait) {
  struct partition *p = executor->partition;
  executor->call.ordered = false;
  if (port_given_up(p->port)) {
    executor->stop = STOP_ERROR;
    return false;
  }
  if (!wait || executor_stopped(executor)) return port_receive(p->port, partition_item_take, executor);
  switch (port_wait(p->port)) {
  case PORT_CAME: port_receive(p->port, partition_item_take, executor); return true;
  case PORT_OVER: break;
  case PORT_GIVEN_UP: executor->stop = STOP_ERROR; break;
  }
  return false;
}

/* ---- a partition has ended ---- */

static void count_said(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  struct partition *p = user;
  (void)sources, (void)diagnostic;
  p->said++;
}

static const char partition_interrupted[] = "a partition is interrupted";

/* Is what is left nothing but the figures of a run that has come to its end? */
static const char *left_over(struct executor *executor) {
  const struct partition *p = executor->partition;
  diagnostic_flush(executor->model->diagnostics);
  if (executor->stop == STOP_INTERRUPT) return partition_interrupted;
  if (executor->stop != STOP_END) return "it does not come to its end";
  if (p->said) return "it has warnings of its own";
  for (uint32_t k = 0; k < executor->process_count; k++)
    if (process_at(executor, k)->state != PROCESS_FREE) return "in the end some processes still wait";
  for (const struct inbox *inbox = executor->all_inboxes; inbox; inbox = inbox->next)
    for (uint32_t k = 0; k < inbox->queue_count; k++)
      if (inbox->queues[k].first || (inbox->one_by_one && inbox->one_by_one->late)) return "tokens wait";
  for (const struct facility *f = executor->all_facilities; f; f = f->next)
    if (f->usage || (f->accept && !f->unlimited)) return "there are servers";
  for (uint32_t c = 0; c < executor->model->component_count; c++)
    if (executor->left[c].count) return "some have left lines";
  if (executor->elements.count) return "elements of programs are in the order of their ends";
  if (executor->environment.ranges->met) return "it has ranges, whose ends are runs of their own";
  if (executor->unsound || executor->warned_count) return "it has warnings of its own";
  return NULL;
}

struct totals { /* of a partition */
  size_t bytes; /* that it tells, with these */
  uint64_t events, paired;
  size_t frame_bytes;
  double makespan, called, joined;
  uint32_t waits_told, waiting;
  bool drawn;
};

static void put(struct text *text, const void *bytes, size_t size) { text_put_n(text, bytes, size); }

static void component_put(struct text *out, struct executor *executor, uint32_t c) {
  put(out, &executor->fired[c], sizeof *executor->fired);
  put(out, &executor->uncounted[c], sizeof *executor->uncounted);
  put(out, &executor->spent[ACTIVITIES * c], ACTIVITIES * sizeof *executor->spent);
  put(out, &executor->parts[c], sizeof *executor->parts);
}

enum touched { VARS = 1, DRAWS = 2 };

/* What the instance has of its own. */
static uint8_t instance_touched(const struct instance_state *state, uint32_t local) {
  const struct random_stream *random = state->random ? state->random[local] : NULL;
  return (uint8_t)((state->vars && state->live[local] ? VARS : 0) | (random && random->count ? DRAWS : 0));
}

/* Several have changed what one instance has, in no order. */
static bool instances_clash(struct executor *executor) {
  const struct partition *p = executor->partition;
  bool clash = false;
  for (uint32_t c = 0; c < executor->model->component_count; c++) {
    const struct instance_state *state = &executor->states[c];
    const struct instances *instances = &executor->graph->instances[c];
    for (uint32_t local = 0; (state->vars || state->random) && local < instances->count; local++) {
      uint8_t touched = instance_touched(state, local);
      uint32_t instance = instances->first + local;
      executor->drawn |= touched & DRAWS;
      if (touched && p->changed)
        clash |= atomic_fetch_or(&p->changed[instance], touched) & touched;
      else
        clash |= touched && p->of_instance[instance] != p->told.number; /* somebody else may have */
    }
  }
  return clash;
}

static void partition_put(struct text *out, struct executor *executor) {
  const struct model *model = executor->model;
  const struct partition *p = executor->partition;
  struct totals totals;
  memset(&totals, 0, sizeof totals); /* with what lies between its members */
  totals = (struct totals){.events = executor->events_done,
                           .paired = executor->paired_calls,
                           .frame_bytes = executor->slabs.bytes,
                           .makespan = executor->makespan,
                           .called = p->called,
                           .joined = p->joined,
                           .waits_told = executor->waits_told,
                           .waiting = p->waiting,
                           .drawn = executor->drawn};
  put(out, &totals, sizeof totals);
  for (uint32_t c = 0; c < model->component_count; c++)
    component_put(out, executor, c);
  for (uint32_t a = 0; a < model->accept_count; a++)
    text_char(out, executor->bodies[a] != NULL);
  for (uint32_t e = 0; e < executor->evaluator_count; e++) {
    const struct psl_partitioned *partitioned = executor->evaluators[e].evaluator->partitioned;
    char told[PSL_PARTITION_ITEM];
    size_t size =
        executor->evaluators[e].opened && partitioned ? partitioned->tell(executor->evaluators[e].state, told) : 0;
    uint32_t head = (uint32_t)size;
    put(out, &head, sizeof head);
    put(out, told, size);
  }
  for (uint32_t c = 0; c < model->component_count; c++) {
    const struct process_rows *rows = &executor->states[c].rows;
    for (uint32_t place = 0; rows->items && place < rows->count; place++)
      if (rows->items[place].instance) row_put(out, rows, place);
  }
  memcpy(out->data + offsetof(struct totals, bytes), &out->size, sizeof out->size);
}

static bool write_all(int to, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t done = write(to, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= (size_t)done;
  }
  return true;
}

/* All have ended: what figures depend on is known to each. False: somebody has given up. */
static bool partitions_agree(struct executor *executor) {
  struct partition *p = executor->partition;
  if (!port_agree(p->port, &executor->makespan, sizeof executor->makespan, 0)) return false;
  for (uint32_t k = 0; k < p->told.count; k++) {
    double theirs;
    memcpy(&theirs, port_offered(p->port, k, 0), sizeof theirs);
    executor->makespan = fmax(executor->makespan, theirs);
  }
  struct {
    uint32_t evaluator, size;
    char bytes[PSL_PARTITION_ITEM];
  } offers[EXCHANGE_OFFER / (8 + PSL_PARTITION_ITEM)] = {0};
  enum { OFFERS = sizeof offers / sizeof *offers };
  uint32_t count = 0;
  for (uint32_t e = 0; e < executor->evaluator_count && count < OFFERS; e++) {
    const struct psl_evaluator *evaluator = executor->evaluators[e].evaluator;
    if (!evaluator->partitioned) continue;
    void *state = executor->evaluators[evaluator_open(executor, evaluator)].state;
    offers[count].evaluator = e + 1;
    offers[count].size = (uint32_t)evaluator->partitioned->offer(state, offers[count].bytes);
    count++;
  }
  if (!port_agree(p->port, offers, sizeof offers, 1)) return false;
  for (uint32_t k = 0; k < p->told.count; k++) {
    if (k == p->told.number) continue;
    memcpy(offers, port_offered(p->port, k, 1), sizeof offers);
    for (uint32_t o = 0; o < OFFERS && offers[o].evaluator; o++) {
      uint32_t e = offers[o].evaluator - 1;
      executor->evaluators[e].evaluator->partitioned->agree(executor->evaluators[e].state, offers[o].bytes,
                                                            offers[o].size);
    }
  }
  return !executor_stopped(executor);
}

/* What begins the others has fired once in each partition, and counts in the first. */
static void beginning_uncount(struct executor *executor) {
  for (uint32_t a = 0; a < executor->model->accept_count; a++)
    if (executor->partition->begins[a]) unfire(executor, executor->model->accepts[a]->component->id, 0);
}

/* Runs the partition, and puts what has come of it; false: somebody has given up. Diagnostics are counted only. */
static bool partition_run(struct executor *executor, void (*run)(struct executor *), struct text *out) {
  struct partition *p = executor->partition;
  struct diagnostics *d = executor->model->diagnostics;
  diagnostic_sink *sink = d->sink;
  void *user = d->user;
  d->sink = count_said;
  d->user = p;
  executor->host.partition = &p->told;
  executor->host.send = partition_send;
  executor->host.give_up = host_give_up;
  executor->host.undo = host_undo;
  executor->host.home = partition_home;
  executor->horizon = p->told.lookahead > 0 ? 0 : -INFINITY;
  p->sent = INFINITY;
  run(executor);
  deferred_counts(executor);
  rows_end(executor);
  if (p->told.number > 0) beginning_uncount(executor);
  const char *why = left_over(executor);
  if (!why && instances_clash(executor))
    why = "random numbers, or vars, of an instance that several use are taken in no order";
  if (why) port_give_up(p->port, why, 0, 0);
  bool fine = !why && partitions_agree(executor);
  if (fine) {
    partition_put(out, executor);
    why = left_over(executor);
    if (why) port_give_up(p->port, why, 0, 0);
  }
  d->sink = sink;
  d->user = user;
  return fine && !why;
}

/* Without the buffers of files, which are the parent's. */
static _Noreturn void child_run(struct executor *executor, void (*run)(struct executor *), int to) {
  struct partition *p = executor->partition;
  struct text out = {.arena = executor->arena};
  jmp_buf here;
  executor->results->memory->guard = &here; /* what jumps further goes on as the parent */
  if (setjmp(here)) {
    exchange_give_up(p->exchange, "memory runs out", 0, 0);
    _exit(1);
  }
  p->port = port_open(p->exchange, p->told.number);
  if (!p->port) exchange_give_up(p->exchange, "there is no memory for partitions", 0, 0);
  _exit(!p->port || !partition_run(executor, run, &out) || !write_all(to, out.data, out.size));
}

/* ---- the parent ---- */

struct reading { /* what a partition has told, all of it */
  const char *at, *end;
};

static void get(struct reading *from, void *to, size_t size) {
  memcpy(to, from->at, size);
  from->at += size;
}

static void sums_join(struct sum *to, const struct sum *from, size_t count) {
  for (size_t k = 0; k < count; k++)
    sum_join(&to[k], &from[k]);
}

static void component_join(struct executor *executor, struct reading *from, uint32_t c) {
  uint64_t fired, uncounted;
  struct sum spent[ACTIVITIES];
  struct wait_parts parts;
  get(from, &fired, sizeof fired);
  get(from, &uncounted, sizeof uncounted);
  get(from, spent, sizeof spent);
  get(from, &parts, sizeof parts);
  executor->fired[c] += fired;
  executor->uncounted[c] += uncounted;
  sums_join(&executor->spent[ACTIVITIES * c], spent, ACTIVITIES);
  sums_join(executor->parts[c].time, parts.time, WAIT_PARTS);
}

static struct totals partition_join(struct executor *executor, struct reading *from) {
  const struct model *model = executor->model;
  struct totals totals;
  get(from, &totals, sizeof totals);
  executor->events_done += totals.events;
  executor->paired_calls += totals.paired;
  executor->slabs.bytes += totals.frame_bytes;
  executor->makespan = fmax(executor->makespan, totals.makespan);
  executor->waits_told |= totals.waits_told;
  executor->drawn |= totals.drawn;
  for (uint32_t c = 0; c < model->component_count; c++)
    component_join(executor, from, c);
  for (uint32_t a = 0; a < model->accept_count; a++) {
    bool there;
    get(from, &there, sizeof there);
    if (there) body_of_accept(executor, model->accepts[a]);
  }
  for (uint32_t e = 0; e < executor->evaluator_count; e++) {
    const struct psl_evaluator *evaluator = executor->evaluators[e].evaluator;
    uint32_t size;
    char told[PSL_PARTITION_ITEM];
    get(from, &size, sizeof size);
    get(from, told, size);
    if (size) evaluator->partitioned->join(executor->evaluators[evaluator_open(executor, evaluator)].state, told, size);
  }
  while (from->at < from->end)
    from->at = row_take(executor, from->at);
  return totals;
}

/* Who has begun all that is divided, if by calls, has waited for the last of them. */
static void beginning_joins(struct executor *executor, const struct totals *all, uint32_t count) {
  double joined = 0;
  for (uint32_t k = 0; k < count; k++)
    joined = fmax(joined, all[k].joined);
  if (all[0].waiting == UINT32_MAX || !(joined > all[0].called)) return;
  time_count(executor, NULL, all[0].waiting, ACTIVITY_WAIT, counted(executor, all[0].called, joined - all[0].called));
}

struct child {
  pid_t pid;
  int from; /* -1: it has been read to its end */
  struct text told;
};

static bool child_start(struct executor *executor, void (*run)(struct executor *), struct partition *p,
                        struct child *children) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return false;
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    close(ends[0]);
    for (uint32_t k = 0; k < p->told.number; k++)
      close(children[k].from);
    executor->partition = p;
    child_run(executor, run, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  children[p->told.number] = (struct child){pid, ends[0], {.arena = executor->arena}};
  return true;
}

/* Whatever the system says of how it has ended: it says nothing where SIGCHLD is ignored. */
static bool told_all(const struct text *told) {
  struct totals totals;
  if (told->size < sizeof totals) return false;
  memcpy(&totals, told->data, sizeof totals);
  return totals.bytes == told->size;
}

enum { LOOK = 100, MOST_LOOKS = 50 }; /* ms, between looks at whether the run is interrupted */

/* Reads all to their ends; false: one has told nothing, or not all. */
static bool children_read(const struct executor *executor, struct exchange *exchange, struct child *children,
                          uint32_t count) {
  bool fine = true;
  uint32_t left = count;
  while (left > 0) {
    struct pollfd polled[PARTITIONS];
    for (uint32_t k = 0; k < count; k++)
      polled[k] = (struct pollfd){children[k].from, POLLIN, 0};
    if (poll(polled, count, LOOK) < 0 && errno != EINTR) return false;
    if (interrupted(executor->results->memory)) exchange_give_up(exchange, "it is interrupted", 0, 0);
    for (uint32_t k = 0; k < count; k++) {
      char bytes[1 << 16];
      if (children[k].from < 0 || !(polled[k].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      ssize_t got = read(children[k].from, bytes, sizeof bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) {
        text_put_n(&children[k].told, bytes, (size_t)got);
        continue;
      }
      while (waitpid(children[k].pid, NULL, 0) < 0 && errno == EINTR) {
      }
      close(children[k].from);
      children[k].from = -1;
      left--;
      if (told_all(&children[k].told)) continue;
      fine = false;
      exchange_give_up(exchange, "a partition has ended before the run", 0, 0); /* unless it has said why */
    }
  }
  return fine;
}

static void note(const struct executor *executor, struct span at, const char *why) {
  if (interrupted(executor->results->memory)) {
    diagnostic_add(executor->model->diagnostics, SEVERITY_NOTE, executor->graph->system->symbol->span,
                   "what several processors had simulated when the run was interrupted is lost");
    return;
  }
  diagnostic_add(executor->model->diagnostics, SEVERITY_NOTE, at.end ? at : executor->graph->system->symbol->span,
                 "the run is simulated on one processor: %s", why);
}

static bool children_run(struct executor *executor, void (*run)(struct executor *), const struct division_of_run *d) {
  struct exchange *exchange = exchange_open(d->count);
  struct child children[PARTITIONS];
  uint32_t started = 0;
  if (!exchange) return false;
  diagnostic_flush(executor->model->diagnostics);
  for (; started < d->count; started++) {
    struct partition *p = ARENA_NEW(executor->arena, struct partition);
    *p = (struct partition){.told = {started, d->count, d->rank_count, d->of_rank, d->lookahead},
                            .exchange = exchange,
                            .of_instance = d->of_instance,
                            .changed = d->changed,
                            .homes = d->homes,
                            .begins = d->begins,
                            .waiting = UINT32_MAX};
    if (!child_start(executor, run, p, children)) break;
  }
  if (started < d->count) exchange_give_up(exchange, "processes cannot be started", 0, 0);
  bool fine = children_read(executor, exchange, children, started) && started == d->count;
  size_t begin, end;
  const char *why = exchange_reason(exchange, &begin, &end);
  /* Who ends the partitions mostly ends this process, too: that may come a moment later. */
  for (int looks = 0; !fine && !strcmp(why, partition_interrupted) && looks < MOST_LOOKS; looks++)
    if (!interrupted(executor->results->memory)) poll(NULL, 0, LOOK / 10);
  if (!fine) note(executor, (struct span){(uint32_t)begin, (uint32_t)end}, why);
  exchange_close(exchange);
  struct totals totals[PARTITIONS];
  for (uint32_t k = 0; fine && k < d->count; k++) {
    struct reading from = {children[k].told.data, children[k].told.data + children[k].told.size};
    totals[k] = partition_join(executor, &from);
  }
  if (fine) {
    beginning_joins(executor, totals, d->count);
    executor->partitions = d->count;
  }
  return fine;
}

/* ---- ranks of an MPI job ---- */

/* The first rank takes what has come of the others. */
static bool ranks_join(struct executor *executor, struct partition *p) {
  struct totals totals[PARTITIONS] = {{.called = p->called, .joined = p->joined, .waiting = p->waiting}};
  for (uint32_t k = 1; k < p->told.count; k++) {
    size_t size;
    const char *told = port_told(p->port, &size);
    if (!told) return false;
    struct reading from = {told, told + size};
    totals[k] = partition_join(executor, &from);
  }
  beginning_joins(executor, totals, p->told.count);
  executor->partitions = p->told.count;
  return true;
}

static enum partitions_end ranks_run(struct executor *executor, void (*run)(struct executor *),
                                     const struct division_of_run *d, struct psl_peers *peers) {
  struct text out = {.arena = executor->arena};
  struct partition *p = ARENA_NEW(executor->arena, struct partition);
  *p = (struct partition){.told = {peers->rank, d->count, d->rank_count, d->of_rank, 0},
                          .port = port_of_rank(peers),
                          .of_instance = d->of_instance,
                          .begins = d->begins,
                          .waiting = UINT32_MAX};
  if (!p->port) return peers->rank ? PARTITIONS_ELSEWHERE : PARTITIONS_SPOILT;
  executor->partition = p;
  diagnostic_flush(executor->model->diagnostics);
  bool fine = partition_run(executor, run, &out);
  if (fine && peers->rank) port_tell(p->port, out.data, out.size);
  fine = fine && (peers->rank || ranks_join(executor, p));
  executor->partition = NULL;
  size_t begin, end;
  const char *why = port_reason(p->port, &begin, &end);
  if (!fine && !peers->rank)
    note(executor, (struct span){(uint32_t)begin, (uint32_t)end}, arena_copy(executor->results, why, strlen(why)));
  port_close(p->port);
  return peers->rank ? PARTITIONS_ELSEWHERE : fine ? PARTITIONS_MADE : PARTITIONS_SPOILT;
}

static enum partitions_end division_run(struct executor *executor, void (*run)(struct executor *executor),
                                        struct division_of_run *d, struct psl_peers *peers) {
  if (!run_divide(d) || (peers && d->count < peers->size)) {
    note(executor, d->at, d->why ? d->why : "the job has too many ranks");
    return peers && peers->rank ? PARTITIONS_ELSEWHERE : PARTITIONS_NOT;
  }
  if (peers) return ranks_run(executor, run, d, peers);
  size_t size = executor->graph->instance_count + 1;
  d->changed = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (d->changed == MAP_FAILED) return PARTITIONS_NOT;
  bool fine = children_run(executor, run, d);
  munmap((void *)d->changed, size);
  return fine ? PARTITIONS_MADE : PARTITIONS_NOT;
}

enum partitions_end partitions_run(struct executor *executor, void (*run)(struct executor *executor)) {
  struct psl_peers *peers = executor->options->peers;
  struct division_of_run d = {.executor = executor, .count = peers ? peers->size : executor->options->threads};
  executor->partitions = 1;
  if (d.count > PARTITIONS) d.count = PARTITIONS;
  if (d.count < 2 || (peers && peers->made)) return PARTITIONS_NOT;
  if (peers) peers->made = true;
  if (!peers) d.lookahead = lookahead_least(executor->graph); /* which is kept in shared memory alone */
  if (!homes_clear(&d)) d.lookahead = 0;
  if (!(d.lookahead > 0) || !lookahead_placing(executor->graph, &d.placing)) d.placing.place = NULL;
  enum partitions_end end = division_run(executor, run, &d, peers);
  if (d.lookahead > 0) munmap((void *)d.homes, HOMES);
  return end;
}
