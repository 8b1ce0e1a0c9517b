/* The dynamic task graph of the components inside an instance, for evaluators that walk it.
 *
 * Each instance of an inner component is a task that fires once: the body of its one dataflow accept is
 * executed for its duration, its unlabelled dataflow requests are the edges. The evaluator chooses which of the
 * tasks runs that everything has reached; only then its duration and its edges are known, and nothing of it is kept
 * but its end. What a task knows from its first edge or token on until it runs stands at a place, which the next one
 * takes over: so memory goes with the frontier. Half a byte a task says how many edges are still to come, and a byte
 * which of the few kinds of rows of edges it has: these mostly lead as far from a task as from others. A task's
 * processor is its attribute `processor`; without one it has a processor of its own. Tokens that the outer body has
 * sent to inner instances are the graph's sources. */
#include "interp/execute/compiled_function.h"
#include "interp/execute/executor.h"
#include "interp/execute/trace.h"
#include <string.h>

#define NO_PLACE UINT32_MAX
#define PROCESSORS_MOST 65536 /* that a class remembers */
#define ROWS_MOST 256

struct link { /* an unlabelled request of a class */
  struct model_request *request;
  const struct binding *binding;
  uint64_t gives; /* a bit a parameter that its edges give, */
  bool signals;   /* which all are signals */
  bool moves;     /* their delay is not 0: */
  bool fixed;     /* it is the same for all, when it is known: */
  bool known;
  double delay;
  struct function_code *code; /* else its code; NULL: the walker evaluates it */
  /* Where the target is known by a code (`coded`): it is of this class, */
  uint32_t class;
  bool coded;
  uint32_t times, over; /* and an offset from this share of the tail's place, see struct binding */
};

struct row { /* edges as many tasks of a class have them */
  uint32_t first, count;
};

struct row_edge {
  struct link *link;
  uint32_t offset;
};

/* Indices of a box that come one after another, and that `processor` depends on: (local / inner % span) * stride. */
struct digits {
  uint32_t inner, span, stride;
  bool leading; /* nothing is beyond the span */
};

struct task_class { /* the instances of an inner component that stand in the outer one */
  struct model_component *component;
  const struct model_accept *accept;
  struct body *body;         /* the accept's, without its requests */
  uint32_t first, count;     /* tasks, */
  uint32_t first_instance;   /* whose instances are these */
  bool values, communicates; /* it has parameters that are more than signals; some task communicates */
  uint32_t *processors; /* by the indices that `processor` depends on, where these have few values; 0: not known yet; */
  struct digits digits[COMPONENT_INDICES]; /* where in that; NULL: it is evaluated for each task */
  uint32_t digits_count;
  struct link *links;
  uint32_t link_count;
  uint8_t *row_of;  /* by task: which row its edges are as; NULL: each link is asked. */
  struct row *rows; /* There are few: where a message goes to depends on where in the grid its sender is */
  struct row_edge *row_edges;
};

struct waiting { /* a task that something has reached and that has not run, at its place */
  uint32_t task, class;
  uint64_t given; /* a bit a parameter that has its token */
  double release;
  uint32_t processor;
  bool reached; /* by some token or edge */
};

struct inner_path { /* the critical path of the graph that a task is, by instance */
  uint32_t task, count;
  const uint32_t *instances;
};

struct processor_row { /* what its tasks have done, s */
  struct sum time[ACTIVITIES];
  double end;
};

struct walk {
  struct psl_task_graph graph; /* what the evaluator sees */
  struct executor *executor;
  struct model_component *outer;
  struct task_class *classes;
  uint32_t class_count, *class_of; /* by component id: UINT32_MAX: not in the graph */
  double start;
  uint8_t
      *waits; /* by task: edges whose tails have not run, up to `waits_most`. Where there are more, two give the same
                   * parameter, and the run stops before it is 0: */
  uint32_t waits_most, waits_shift; /* in half a byte, 1, where no task has many parameters, or in a byte, 0 */
  struct waiting *places;
  struct kept *values;   /* by place and parameter; NULL: all are signals */
  struct value *signals; /* the parameters of a task of which all are */
  uint32_t place_count, place_capacity, *free_places, free_count, param_most;
  uint32_t *table, table_mask; /* places, by a hash of their tasks: open addressing */
  uint64_t line_first;         /* what the first task is called in lines of tasks */
  struct psl_task_edge *edges; /* of the task that ran last */
  uint32_t edge_count, edge_capacity;
  uint32_t source; /* the next task to be looked at by `source` */
  uint32_t complete, done;
  struct processor_row *rows; /* by processor */
  uint32_t row_capacity, processor_count;
  double *begins, *ends;    /* by task, for a trace; else NULL */
  uint32_t *processors;     /* likewise */
  struct inner_path *inner; /* in the order in which they ran */
  uint32_t inner_count, inner_capacity;
};

static bool refuse(struct executor *executor, struct span span, const char *why) {
  executor_stop(executor, STOP_ERROR, span, "a task graph cannot take this: %s", why);
  return false;
}

bool expr_is_clock(const struct expr *expr) {
  return expr->kind == EXPR_NAME && expr->name.symbol && expr->name.symbol->kind == SYMBOL_CLOCK;
}

static bool block_fits(struct executor *executor, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    if (stmt->made) return refuse(executor, stmt->span, "a task takes part in no conversation of a protocol");
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
static bool tasks_find(struct walk *walk, uint32_t instance) {
  struct executor *executor = walk->executor;
  const struct graph *graph = executor->graph;
  int64_t outer[COMPONENT_INDICES], inner[COMPONENT_INDICES];
  size_t lead = walk->outer->index_count * sizeof *outer;
  graph_indices(graph, instance, outer);
  for (uint32_t i = 0; i < walk->class_count; i++) {
    struct model_component *component = walk->outer->inner[i];
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
    walk->class_of[component->id] = i;
    walk->classes[i] = (struct task_class){.component = component,
                                           .accept = component->accepts[0],
                                           .body = body_of_task(executor, component->accepts[0]),
                                           .first = walk->graph.task_count,
                                           .count = last - first,
                                           .first_instance = first};
    walk->graph.task_count += last - first;
  }
  return true;
}

/* What `processor` depends on is often a part of the indices: then it is evaluated once for these. */
static void processors_prepare(struct walk *walk, struct task_class *class) {
  struct executor *executor = walk->executor;
  const struct instances *set = &executor->graph->instances[class->component->id];
  const struct name *name = name_known(executor->model->names, KNOWN_PROCESSOR);
  uint64_t read;
  uint32_t places = 1;
  bool goes_on = false; /* the index behind it is read, too */
  if (!set->box || !class->count || !graph_attribute_indices(executor->graph, class->accept, name, &read)) return;
  for (uint32_t k = class->component->index_count; k-- > 0;) {
    uint64_t width = (uint64_t)(set->high[k] - set->low[k]) + 1;
    bool reads = read >> k & 1;
    if (reads) {
      if (width > PROCESSORS_MOST / places) return;
      if (!goes_on) class->digits[class->digits_count++] = (struct digits){set->strides[k], 1, places, false};
      class->digits[class->digits_count - 1].span *= (uint32_t)width;
      class->digits[class->digits_count - 1].leading = k == 0;
      places *= (uint32_t)width;
    }
    goes_on = reads;
  }
  if (places < class->count) class->processors = ARENA_ARRAY(executor->arena, uint32_t, places);
}

/* The place of a task's instance among those of its component. */
static uint32_t local_of(const struct walk *walk, const struct task_class *class, uint32_t task) {
  return class->first_instance - walk->executor->graph->instances[class->component->id].first + (task - class->first);
}

static uint32_t *processor_of(const struct walk *walk, const struct task_class *class, uint32_t task) {
  uint32_t local = local_of(walk, class, task), at = 0;
  for (uint32_t k = 0; k < class->digits_count; k++) {
    const struct digits *digits = &class->digits[k];
    uint32_t place = local / digits->inner;
    at += (digits->leading ? place : place % digits->span) * digits->stride;
  }
  return &class->processors[at];
}

static void tasks_make(struct walk *walk) {
  struct executor *executor = walk->executor;
  uint32_t count = walk->graph.task_count;
  for (uint32_t i = 0; i < walk->class_count; i++) {
    struct task_class *class = &walk->classes[i];
    const struct model_transaction *transaction = class->accept->transaction;
    for (uint32_t k = 0; k < transaction->param_count; k++)
      class->values |= transaction->params[k].type->kind != TYPE_SIGNAL;
    processors_prepare(walk, class);
    if (class->values && transaction->param_count > walk->param_most) walk->param_most = transaction->param_count;
  }
  if (!executor->options->trace) return;
  walk->begins = ARENA_ARRAY(executor->arena, double, count);
  walk->ends = ARENA_ARRAY(executor->arena, double, count);
  walk->processors = ARENA_ARRAY(executor->arena, uint32_t, count);
}

/* The class of a task. */
static const struct task_class *class_of_task(const struct walk *walk, uint32_t task) {
  const struct task_class *class = walk->classes;
  while (task - class->first >= class->count)
    class ++;
  return class;
}

static uint32_t instance_of(const struct task_class *class, uint32_t task) {
  return class->first_instance + (task - class->first);
}

static const char *task_name(const struct walk *walk, uint32_t task) {
  struct text who = {.arena = walk->executor->arena};
  graph_instance_print(&who, walk->executor->graph, instance_of(class_of_task(walk, task), task));
  return who.data;
}

/* ---- edges to come ---- */

/* A task has at most one edge that gives nothing, and one more for each parameter. */
static void waits_make(struct walk *walk) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < walk->class_count; i++)
    if (walk->classes[i].accept->transaction->param_count > most)
      most = walk->classes[i].accept->transaction->param_count;
  walk->waits_shift = most + 1 < 15;
  walk->waits_most = walk->waits_shift ? 15 : UINT8_MAX;
  walk->signals = ARENA_ARRAY(walk->executor->arena, struct value, most);
  for (uint32_t k = 0; k < most; k++)
    walk->signals[k] = (struct value){.kind = VALUE_SIGNAL};
  walk->waits = ARENA_ARRAY(walk->executor->arena, uint8_t, (walk->graph.task_count >> walk->waits_shift) + 1);
}

static uint32_t waits_of(const struct walk *walk, uint32_t task) {
  return walk->waits[task >> walk->waits_shift] >> 4 * (task & walk->waits_shift) & walk->waits_most;
}

static void waits_add(struct walk *walk, uint32_t task, int change) {
  uint8_t *waits = &walk->waits[task >> walk->waits_shift];
  *waits = (uint8_t)(*waits + change * (1 << 4 * (task & walk->waits_shift)));
}

/* ---- places ---- */

static uint32_t hash_of(const struct walk *walk, uint32_t task) {
  return (uint32_t)((task * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & walk->table_mask;
}

static void places_grow(struct walk *walk) {
  struct arena *arena = walk->executor->arena;
  uint32_t before = walk->place_capacity, capacity = before ? 2 * before : 256;
  struct waiting *places = ARENA_ARRAY(arena, struct waiting, capacity);
  if (before) memcpy(places, walk->places, before * sizeof *places);
  walk->places = places;
  walk->free_places = ARENA_ARRAY(arena, uint32_t, capacity); /* none is free */
  if (walk->param_most) {
    struct kept *values = ARENA_ARRAY(arena, struct kept, (size_t)capacity * walk->param_most);
    if (before) memcpy(values, walk->values, (size_t)before * walk->param_most * sizeof *values);
    walk->values = values;
  }
  walk->place_capacity = capacity;
  walk->table_mask = 2 * capacity - 1;
  walk->table = ARENA_ARRAY(arena, uint32_t, (size_t)2 * capacity);
  memset(walk->table, 0xff, (size_t)2 * capacity * sizeof *walk->table);
  for (uint32_t place = 0; place < before; place++) {
    uint32_t at = hash_of(walk, places[place].task);
    while (walk->table[at] != NO_PLACE)
      at = (at + 1) & walk->table_mask;
    walk->table[at] = place;
  }
}

static uint32_t place_of(struct walk *walk, uint32_t task, uint32_t class) {
  if (walk->free_count == 0 && walk->place_count == walk->place_capacity) places_grow(walk);
  uint32_t at = hash_of(walk, task);
  for (; walk->table[at] != NO_PLACE; at = (at + 1) & walk->table_mask)
    if (walk->places[walk->table[at]].task == task) return walk->table[at];
  uint32_t place = walk->free_count ? walk->free_places[--walk->free_count] : walk->place_count++;
  walk->table[at] = place;
  walk->places[place] = (struct waiting){.task = task, .class = class, .release = walk->start};
  return place;
}

static struct kept *parameters_of(const struct walk *walk, uint32_t place) {
  return walk->classes[walk->places[place].class].values ? walk->values + (size_t)place * walk->param_most : NULL;
}

/* The task has run. What stands behind it in the table moves up, where its hash allows that. */
static void place_free(struct walk *walk, uint32_t place) {
  struct kept *own = parameters_of(walk, place);
  for (uint32_t k = 0; own && k < walk->param_most; k++)
    kept_drop(&walk->executor->keep, &own[k]);
  uint32_t mask = walk->table_mask, hole = hash_of(walk, walk->places[place].task);
  while (walk->table[hole] != place)
    hole = (hole + 1) & mask;
  for (uint32_t at = (hole + 1) & mask; walk->table[at] != NO_PLACE; at = (at + 1) & mask) {
    uint32_t wanted = hash_of(walk, walk->places[walk->table[at]].task);
    if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
    walk->table[hole] = walk->table[at];
    hole = at;
  }
  walk->table[hole] = NO_PLACE;
  walk->free_places[walk->free_count++] = place;
}

/* A token or an edge, which gives some parameter or none. One that gives none is a firing, and so the only one. */
static bool reach_task(struct walk *walk, uint32_t place, bool gives, struct span span) {
  struct waiting *waiting = &walk->places[place];
  if (waiting->reached && !gives) {
    executor_stop(walk->executor, STOP_ERROR, span, "a task fires once: a second edge reaches %s",
                  task_name(walk, waiting->task));
    return false;
  }
  waiting->reached = true;
  return true;
}

static bool give(struct walk *walk, uint32_t place, uint32_t parameter, struct span span) {
  struct waiting *waiting = &walk->places[place];
  if (waiting->given >> parameter & 1) {
    executor_stop(walk->executor, STOP_ERROR, span, "a task fires once: a second edge reaches the parameter '%s' of %s",
                  walk->classes[waiting->class].accept->transaction->params[parameter].name->text,
                  task_name(walk, waiting->task));
    return false;
  }
  waiting->given |= (uint64_t)1 << parameter;
  return true;
}

/* Tokens that the outer body has sent: the sources. They are taken out of the inboxes. */
static bool sources_take(struct walk *walk) {
  struct executor *executor = walk->executor;
  for (struct inbox *inbox = executor->all_inboxes; inbox; inbox = inbox->next) {
    const struct model_transaction *transaction = inbox->accept->transaction;
    uint32_t class = walk->class_of[inbox->accept->component->id];
    if (class == UINT32_MAX) continue;
    uint32_t local = inbox->instance - walk->classes[class].first_instance;
    if (local >= walk->classes[class].count) continue;
    for (uint32_t q = 0; q < inbox->queue_count; q++)
      while (inbox->queues[q].first) {
        struct token *token = inbox->queues[q].first;
        inbox->queues[q].first = token_after(token);
        uint32_t place = place_of(walk, walk->classes[class].first + local, class);
        struct kept *parameters = parameters_of(walk, place);
        if (token->sent.time > walk->places[place].release) walk->places[place].release = token->sent.time;
        bool gives = transaction->param_count > 0;
        if (!reach_task(walk, place, gives, inbox->accept->syntax->span)) return false;
        for (uint32_t k = 0; k < transaction->param_count; k++) {
          if (!inbox->full && k != q) continue;
          if (!give(walk, place, k, inbox->accept->syntax->span)) return false;
          if (parameters) parameters[k] = token->values[inbox->full ? k : 0];
        }
      }
  }
  return true;
}

/* ---- edges ---- */

#define LEAVES "this edge leaves the graph"

/* False: it leaves the graph, and the run stops. */
static bool head_find(const struct walk *walk, const struct model_request *request, uint32_t instance,
                      const struct model_accept *accept, uint32_t *task, uint32_t *class) {
  *class = walk->class_of[accept->component->id];
  const struct task_class *at = &walk->classes[*class];
  if (*class == UINT32_MAX || instance - at->first_instance >= at->count)
    return refuse(walk->executor, request->syntax->span, LEAVES);
  *task = at->first + (instance - at->first_instance);
  return true;
}

static void wait_for(struct walk *walk, uint32_t task) {
  if (waits_of(walk, task) < walk->waits_most) waits_add(walk, task, 1);
}

/* Counts the edges of a link by their heads. */
static bool link_count(struct walk *walk, const struct task_class *class, const struct link *link) {
  struct model_accept *const *accepts = walk->executor->model->accepts;
  uint32_t from = local_of(walk, class, class->first), task, at, first;
  for (uint32_t local = from; local < from + class->count; local++) {
    struct target one;
    const uint32_t *many;
    uint32_t count = targets_bound(link->binding, local, &one, &many, &first);
    for (uint32_t k = first; k < first + count; k++) {
      if (many)
        one = (struct target){many[k], link->binding->accept ? link->binding->accept->id : link->binding->accepts[k]};
      if (!head_find(walk, link->request, one.instance, accepts[one.accept], &task, &at)) return false;
      wait_for(walk, task);
    }
  }
  return true;
}

/* Where a target is as far from its tail's place as a code says. */
static uint32_t coded_instance(const struct link *link, uint32_t local, uint32_t offset) {
  uint64_t share = (uint64_t)local * link->times;
  return (uint32_t)(link->over == 1 ? share : share / link->over) + offset;
}

/* A number less than CODES_MOST, which tells where the target is; CODE_ABSENT: nowhere. */
static uint32_t target_code(const struct binding *binding, uint32_t local) {
  if (binding->kind == BINDING_TABLE) return binding->codes[local];
  return binding->present && !(binding->present[local / 8] >> local % 8 & 1) ? CODE_ABSENT : CODE_NONE + 1;
}

/* The same by codes. */
static bool coded_count(struct walk *walk, const struct task_class *class, const struct link *link) {
  const struct task_class *head = &walk->classes[link->class];
  const struct binding *binding = link->binding;
  uint32_t from = local_of(walk, class, class->first);
  for (uint32_t local = from; local < from + class->count; local++) {
    uint32_t code = target_code(binding, local);
    if (code <= CODE_NONE) continue;
    uint32_t offset = binding->kind == BINDING_TABLE ? binding->offsets[code] : binding->target.instance;
    uint32_t at = coded_instance(link, local, offset) - head->first_instance;
    if (at >= head->count) return refuse(walk->executor, link->request->syntax->span, LEAVES);
    wait_for(walk, head->first + at);
  }
  return true;
}

static void link_open(struct walk *walk, struct link *link, struct model_request *request) {
  struct executor *executor = walk->executor;
  const struct binding *binding = &executor->graph->bindings[request->id];
  const struct model_transaction *transaction = request->transaction;
  *link = (struct link){.request = request, .binding = binding, .signals = true, .moves = request->delay, .over = 1};
  for (uint32_t k = 0; k < transaction->param_count; k++) {
    if (!request->args[k]) continue;
    link->gives |= (uint64_t)1 << k;
    link->signals &= transaction->params[k].type->kind == TYPE_SIGNAL;
  }
  if (link->moves && executor->model->apply && graph_reads_indices(executor->graph, request->delay, &link->fixed))
    link->code = delay_code(functions_of(executor->model), request);
  const struct model_accept *accept = binding->kind == BINDING_TABLE ? binding->codes ? binding->accept : NULL
                                      : binding->kind == BINDING_SAME && binding->target.instance < INSTANCE_ABSENT
                                          ? executor->model->accepts[binding->target.accept]
                                          : NULL;
  if (!accept) return;
  link->class = walk->class_of[accept->component->id];
  link->coded = link->class != UINT32_MAX;
  for (uint32_t k = 0; link->coded && k < accept->transaction->param_count; k++)
    link->signals &= accept->transaction->params[k].type->kind == TYPE_SIGNAL;
  if (binding->kind == BINDING_TABLE) link->times = binding->times, link->over = binding->over;
}

/* The rows of a class: link after link, each row so far is parted by the codes of the next link. */
struct parting {
  uint8_t *codes; /* by row and link */
  uint32_t *next; /* by row so far and code: 1 + the row; 0: none yet */
  uint32_t count, links;
};

/* False: there are too many rows. */
static bool rows_part(struct walk *walk, struct task_class *class, struct parting *rows, uint32_t link) {
  struct arena *scratch = &walk->executor->scratch;
  const struct binding *binding = class->links[link].binding;
  uint32_t from = local_of(walk, class, class->first), count = 0;
  uint8_t *codes = ARENA_ARRAY(scratch, uint8_t, ROWS_MOST * rows->links);
  memset(rows->next, 0, ROWS_MOST * CODES_MOST * sizeof *rows->next);
  for (uint32_t k = 0; k < class->count; k++) {
    uint32_t row = class->row_of[k], code = target_code(binding, from + k),
             *next = &rows->next[row * CODES_MOST + code];
    if (!*next) {
      if (count == ROWS_MOST) return false;
      memcpy(codes + count * rows->links, rows->codes + row * rows->links, link);
      codes[count * rows->links + link] = (uint8_t)code;
      *next = ++count;
    }
    class->row_of[k] = (uint8_t)(*next - 1);
  }
  rows->codes = codes;
  rows->count = count;
  return true;
}

static void rows_make(struct walk *walk, struct task_class *class) {
  struct arena *arena = walk->executor->arena, *scratch = &walk->executor->scratch;
  struct parting rows = {.count = 1, .links = class->link_count};
  for (uint32_t k = 0; k < class->link_count; k++)
    if (class->links[k].binding->kind != BINDING_ABSENT && !class->links[k].coded) return;
  rows.codes = ARENA_ARRAY(scratch, uint8_t, class->link_count);
  rows.next = ARENA_ARRAY(scratch, uint32_t, ROWS_MOST * CODES_MOST);
  class->row_of = ARENA_ARRAY(arena, uint8_t, class->count);
  for (uint32_t k = 0; k < class->link_count; k++)
    if (class->links[k].coded && !rows_part(walk, class, &rows, k)) {
      class->row_of = NULL;
      return;
    }
  class->rows = ARENA_ARRAY(arena, struct row, rows.count);
  class->row_edges = ARENA_ARRAY(arena, struct row_edge, rows.count * class->link_count);
  uint32_t at = 0;
  for (uint32_t row = 0; row < rows.count; row++) {
    class->rows[row].first = at;
    for (uint32_t k = 0; k < class->link_count; k++) {
      struct link *link = &class->links[k];
      uint32_t code = rows.codes[row * class->link_count + k];
      if (!link->coded || code <= CODE_NONE) continue;
      bool table = link->binding->kind == BINDING_TABLE;
      class->row_edges[at++] =
          (struct row_edge){link, table ? link->binding->offsets[code] : link->binding->target.instance};
    }
    class->rows[row].count = at - class->rows[row].first;
  }
}

static bool edges_count(struct walk *walk) {
  struct arena *arena = walk->executor->arena;
  for (uint32_t i = 0; i < walk->class_count; i++) {
    struct task_class *class = &walk->classes[i];
    const struct model_component *component = class->component;
    class->links = ARENA_ARRAY(arena, struct link, component->request_count);
    for (uint32_t k = 0; k < component->request_count; k++) {
      if (component->requests[k]->label) continue;
      struct link *link = &class->links[class->link_count++];
      link_open(walk, link, component->requests[k]);
      if (!(link->coded ? coded_count : link_count)(walk, class, link)) return false;
    }
    rows_make(walk, class);
  }
  return true;
}

struct tail { /* a task whose edges are laid */
  const struct task_class *class;
  uint32_t place, instance;
  bool known;                     /* its indices */
  struct environment environment; /* see tail_read */
  int64_t indices[COMPONENT_INDICES];
};

static const int64_t *tail_indices(const struct walk *walk, struct tail *tail) {
  if (!tail->known) graph_indices(walk->executor->graph, tail->instance, tail->indices);
  tail->known = true;
  return tail->indices;
}

/* What its expressions are evaluated in, until coercions or other tasks use the locals. */
static void tail_read(struct walk *walk, struct tail *tail) {
  struct executor *executor = walk->executor;
  const struct model_accept *accept = tail->class->accept;
  const struct kept *own = parameters_of(walk, tail->place);
  tail->environment = executor_environment(executor, tail_indices(walk, tail));
  for (uint32_t k = 0; own && k < accept->param_count; k++)
    tail->environment.locals[accept->params[k]->slot] = own[accept->param_of[k]].value;
  tail->environment.analysis = true;
}

/* An argument of an edge as the head takes it. */
static bool edge_value(struct walk *walk, const struct model_request *request, struct tail *tail, uint32_t place,
                       uint32_t k, struct kept *out) {
  struct value value;
  struct executor *executor = walk->executor;
  const struct task_class *head = &walk->classes[walk->places[place].class];
  struct model_accept *accept = head->component->accepts[0], *from = tail->class->component->accepts[0];
  const struct adapter *adapter = adapter_of(&executor->graph->bindings[request->id], accept);
  const struct conversion *conversion = adapter && adapter->params ? &adapter->params[k] : NULL;
  const struct type *type = argument_type(executor->model, request->args[k], request->transaction->params[k].type);
  struct requester who = {tail->instance, from, from->component, false, true};
  struct target target = {instance_of(head, walk->places[place].task), accept->id};
  tail_read(walk, tail);
  if (!evaluate_as(&tail->environment, request->args[k], type, &value)) return false;
  if (conversion && conversion->to &&
      !conversion_apply(executor, who, conversion, target, request->args[k]->span, value, &value))
    return false;
  if (!argument_allowed(executor, &accept->transaction->params[k], request->args[k]->span, value)) return false;
  kept_store(&executor->keep, out, value);
  return true;
}

/* What the edge gives to the task at the place. */
static bool edge_give(struct walk *walk, const struct model_request *request, struct tail *tail, uint32_t place) {
  struct executor *executor = walk->executor;
  const struct model_accept *accept = walk->classes[walk->places[place].class].accept;
  struct kept *theirs = parameters_of(walk, place);
  bool gives = false;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    gives |= request->args[k] != NULL;
  if (!reach_task(walk, place, gives, request->syntax->txn.span)) return false;
  for (uint32_t k = 0; k < request->transaction->param_count; k++) {
    if (!request->args[k]) continue;
    if (!give(walk, place, k, request->args[k]->span)) return false;
    if (accept->transaction->params[k].type->kind == TYPE_SIGNAL) continue;
    if (expr_is_clock(request->args[k])) {
      for (uint32_t p = 0; p < accept->param_count; p++)
        if (accept->param_of[p] == k && block_reads(accept->body, accept->params[p]->slot))
          return refuse(executor, request->args[k]->span, "a task's duration must not depend on the clock");
      kept_store(&executor->keep, &theirs[k], value_real(0));
    } else if (!edge_value(walk, request, tail, place, k, &theirs[k])) {
      return false;
    }
  }
  return true;
}

static bool task_place(struct walk *walk, struct waiting *waiting) {
  struct executor *executor = walk->executor;
  const struct task_class *class = &walk->classes[waiting->class];
  uint32_t *known = NULL;
  struct value where;
  if (class->processors) {
    known = processor_of(walk, class, waiting->task);
    if (*known) {
      waiting->processor = *known - 1;
      return true;
    }
  }
  int64_t processor = waiting->task;
  if (graph_attribute(executor->graph, class->accept, instance_of(class, waiting->task),
                      name_known(executor->model->names, KNOWN_PROCESSOR), NULL, &where)) {
    if (where.kind != VALUE_INT)
      return refuse(executor, class->accept->syntax->span, "a task's attribute 'processor' is an int");
    processor = where.integer;
  }
  if (processor < 0 || processor > walk->graph.task_count) {
    executor_stop(executor, STOP_ERROR, class->accept->syntax->span,
                  "a processor's number is 0 or more and at most that of the tasks: it is %lld", (long long)processor);
    return false;
  }
  waiting->processor = (uint32_t)processor;
  if (known && processor < UINT32_MAX) *known = waiting->processor + 1;
  if (processor >= walk->processor_count) walk->processor_count = (uint32_t)processor + 1;
  if (walk->processor_count > walk->row_capacity) {
    uint32_t capacity = walk->row_capacity ? walk->row_capacity : 64;
    while (capacity < walk->processor_count)
      capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX : 2 * capacity;
    struct processor_row *rows = ARENA_ARRAY(executor->arena, struct processor_row, capacity);
    if (walk->row_capacity) memcpy(rows, walk->rows, walk->row_capacity * sizeof *rows);
    walk->rows = rows;
    walk->row_capacity = capacity;
  }
  return true;
}

/* All has come that reaches the task: it can run, on its processor. */
static bool task_complete(struct walk *walk, uint32_t place, struct psl_task_edge *out) {
  struct waiting *waiting = &walk->places[place];
  if (!task_place(walk, waiting)) return false;
  walk->complete++;
  out->last = true;
  out->task = waiting->task;
  out->processor = waiting->processor;
  out->release = waiting->release;
  return true;
}

/* How long after its tail's end the edge is there. */
static bool edge_delay(struct walk *walk, struct link *link, struct tail *tail, double *out) {
  struct executor *executor = walk->executor;
  const struct expr *delay = link->request->delay;
  struct value value;
  *out = link->delay;
  if (!link->moves || link->known) return true;
  if (!link->code || !delay_call(functions_of(executor->model), link->code, tail_indices(walk, tail), out)) {
    tail_read(walk, tail);
    if (!evaluate_as(&tail->environment, delay, executor->model->types.time, &value)) return false;
    *out = value.real;
  }
  if (!(*out >= 0)) {
    executor_stop(executor, STOP_ERROR, delay->span, DELAY_REFUSED, *out);
    return false;
  }
  if (*out > CLOCK_MOST) return clock_passed(executor, *out, delay->span);
  link->known = link->fixed && link->code;
  if (link->known) link->delay = *out;
  return true;
}

static void edges_grow(struct walk *walk) {
  uint32_t capacity = walk->edge_capacity ? 2 * walk->edge_capacity : 64;
  struct psl_task_edge *edges = ARENA_ARRAY(walk->executor->arena, struct psl_task_edge, capacity);
  if (walk->edge_count) memcpy(edges, walk->edges, walk->edge_count * sizeof *edges);
  walk->edges = edges;
  walk->edge_capacity = capacity;
}

static bool edge_lay(struct walk *walk, struct link *link, struct tail *tail, uint32_t head, uint32_t class) {
  double delay;
  if (!edge_delay(walk, link, tail, &delay)) return false;
  uint32_t place = place_of(walk, head, class);
  struct waiting *waiting = &walk->places[place];
  if (link->signals && link->coded && link->gives && !(waiting->given & link->gives)) {
    waiting->reached = true;
    waiting->given |= link->gives;
  } else if (!edge_give(walk, link->request, tail, place)) {
    return false;
  }
  if (walk->edge_count == walk->edge_capacity) edges_grow(walk);
  struct psl_task_edge *edge = &walk->edges[walk->edge_count++];
  *edge = (struct psl_task_edge){.place = place, .delay = delay};
  waits_add(walk, head, -1);
  return waits_of(walk, head) > 0 || task_complete(walk, place, edge);
}

static bool edges_lay(struct walk *walk, uint32_t place) {
  struct model_accept *const *accepts = walk->executor->model->accepts;
  const struct task_class *own = &walk->classes[walk->places[place].class];
  uint32_t task = walk->places[place].task, local = local_of(walk, own, task), head, class, first;
  struct tail tail;
  tail.class = own;
  tail.place = place;
  tail.instance = instance_of(own, task);
  tail.known = false;
  walk->edge_count = 0;
  if (own->row_of) {
    const struct row *row = &own->rows[own->row_of[task - own->first]];
    for (uint32_t k = row->first; k < row->first + row->count; k++) {
      struct link *link = own->row_edges[k].link;
      const struct task_class *theirs = &walk->classes[link->class];
      head = theirs->first + (coded_instance(link, local, own->row_edges[k].offset) - theirs->first_instance);
      if (!edge_lay(walk, link, &tail, head, link->class)) return false;
    }
    return true;
  }
  for (uint32_t i = 0; i < own->link_count; i++) {
    struct link *link = &own->links[i];
    const struct binding *binding = link->binding;
    struct target one;
    const uint32_t *many;
    uint32_t count = targets_bound(binding, local, &one, &many, &first);
    for (uint32_t k = first; k < first + count; k++) {
      if (many) one = (struct target){many[k], binding->accept ? binding->accept->id : binding->accepts[k]};
      if (!head_find(walk, link->request, one.instance, accepts[one.accept], &head, &class) ||
          !edge_lay(walk, link, &tail, head, class))
        return false;
    }
  }
  return true;
}

/* ---- one task after another ---- */

static bool task_reached(struct walk *walk, const struct waiting *waiting) {
  struct executor *executor = walk->executor;
  const struct task_class *class = &walk->classes[waiting->class];
  const struct reach *reach = &executor->graph->reach[class->accept->id];
  uint32_t local = instance_of(class, waiting->task) - executor->graph->instances[class->component->id].first;
  uint64_t wanted = reach_mask(reach, local);
  if (waiting->reached && (reach->full || !(wanted & ~waiting->given))) return true;
  return never_fires(executor, class->component, task_name(walk, waiting->task));
}

static bool task_run(struct walk *walk, uint32_t place, double *duration) {
  struct executor *executor = walk->executor;
  const struct waiting *waiting = &walk->places[place];
  struct task_class *class = &walk->classes[waiting->class];
  struct kept *own = parameters_of(walk, place);
  uint32_t instance = instance_of(class, waiting->task);
  struct process *process = process_new(executor, instance, 0, false);
  frame_push(executor, process, class->body, instance, own ? kept_values(own) : walk->signals, INSTANCE_NONE, NULL,
             NULL);
  process->keep = true; /* its clock is read when it has ended */
  uint32_t ready = executor->ready_count, events = event_count(&executor->events), graphs = executor->graphs;
  executor->in_tasks++;
  process_run(executor, process);
  executor->in_tasks--;
  if (executor_stopped(executor)) return false;
  class->communicates |= process->share[ACTIVITY_COMMUNICATE] > 0;
  /* A graph inside has taken the tokens that the task has sent, of which events are left; its time is work here. */
  bool inside = executor->graphs != graphs;
  for (int k = 0; k < ACTIVITIES; k++)
    if (process->share[k] != 0)
      sum_add(&walk->rows[waiting->processor].time[inside && k == ACTIVITY_WAIT ? ACTIVITY_COMPUTE : k],
              process->share[k]);
  if (process->state != PROCESS_FREE || executor->ready_count != ready ||
      (event_count(&executor->events) != events && !inside))
    return refuse(executor, process->wait ? process->wait->span : class->component->symbol->span,
                  "a task must not wait, share a server or start others");
  if (inside) {
    struct inner_path path = {waiting->task, executor->critical_count, executor->critical};
    ARENA_PUSH(executor->arena, walk->inner, walk->inner_count, walk->inner_capacity, path);
  }
  *duration = process->clock;
  process_reuse(executor, process);
  return true;
}

static bool walk_source(struct psl_task_graph *graph, struct psl_task_edge *out) {
  struct walk *walk = (struct walk *)graph;
  if (executor_stopped(walk->executor)) return false;
  while (walk->source < graph->task_count && waits_of(walk, walk->source) > 0)
    walk->source++;
  if (walk->source == graph->task_count) return false;
  uint32_t task = walk->source++, class = (uint32_t)(class_of_task(walk, task) - walk->classes);
  *out = (struct psl_task_edge){.place = place_of(walk, task, class)};
  return task_complete(walk, out->place, out);
}

/* ---- lines of tasks and edges ---- */

static void lines_pass(struct task_lines *lines) {
  if (!lines->stopped && lines->text.size)
    lines->stopped = lines->write(lines->user, lines->text.data, lines->text.size) != 0;
  lines->text.size = 0;
}

static void lines_begin(struct walk *walk, uint32_t instance) {
  struct task_lines *lines = walk->executor->options->tasks;
  walk->line_first = lines->tasks;
  lines->tasks += walk->graph.task_count;
  text_printf(&lines->text, "graph %llu %u ", (unsigned long long)walk->line_first, walk->graph.task_count);
  graph_instance_print(&lines->text, walk->executor->graph, instance);
  text_char(&lines->text, '\n');
}

static void task_lines(struct walk *walk, uint32_t place, double start, double duration) {
  struct task_lines *lines = walk->executor->options->tasks;
  const struct waiting *waiting = &walk->places[place];
  struct text *out = &lines->text;
  unsigned long long first = walk->line_first;
  text_printf(out, "task %llu %u ", first + waiting->task, waiting->processor);
  text_number(out, start);
  text_char(out, ' ');
  text_number(out, duration);
  text_char(out, ' ');
  graph_instance_print(out, walk->executor->graph, instance_of(&walk->classes[waiting->class], waiting->task));
  text_char(out, '\n');
  for (uint32_t k = 0; k < walk->edge_count; k++) {
    text_printf(out, "edge %llu %llu ", first + waiting->task, first + walk->places[walk->edges[k].place].task);
    text_number(out, walk->edges[k].delay);
    text_char(out, '\n');
  }
  if (out->size > TASK_LINES_HELD) lines_pass(lines);
}

static bool walk_run(struct psl_task_graph *graph, uint32_t place, double start, double *duration,
                     const struct psl_task_edge **edges, uint32_t *edge_count) {
  struct walk *walk = (struct walk *)graph;
  struct executor *executor = walk->executor;
  if (executor_stopped(executor) || !task_reached(walk, &walk->places[place]) || !task_run(walk, place, duration))
    return false;
  uint32_t task = walk->places[place].task, processor = walk->places[place].processor;
  double end = start + *duration;
  if (end > walk->rows[processor].end) walk->rows[processor].end = end;
  if (walk->begins) {
    walk->begins[task] = start;
    walk->ends[task] = end;
    walk->processors[task] = processor;
  }
  if (!edges_lay(walk, place)) return false;
  if (executor->options->tasks) task_lines(walk, place, start, *duration);
  place_free(walk, place);
  if (executor->scratch.blocks) arena_reset(&executor->scratch);
  walk->done++;
  *edges = walk->edges;
  *edge_count = walk->edge_count;
  return true;
}

/* ---- the whole ---- */

/* Processors as processes of the trace, task after task. */
static void walk_trace(struct walk *walk) {
  for (uint32_t i = 0; i < walk->class_count; i++) {
    const struct task_class *class = &walk->classes[i];
    enum activity activity = class->communicates ? ACTIVITY_COMMUNICATE : ACTIVITY_COMPUTE;
    for (uint32_t task = class->first; task < class->first + class->count; task++)
      trace_event(walk->executor->options->trace, UINT32_MAX, walk->processors[task], activity, class->component->id,
                  walk->begins[task], walk->ends[task]);
  }
}

/* The path of the whole, with that of each graph which a task of it is behind that task. Both lists are in the order in
 * which tasks ran. */
static void walk_critical(struct walk *walk, const struct psl_graph_result *result) {
  struct executor *executor = walk->executor;
  uint32_t most = result->critical_count, count = 0, next = 0;
  for (uint32_t i = 0; i < walk->inner_count; i++)
    most += walk->inner[i].count;
  uint32_t *all = ARENA_ARRAY(executor->results, uint32_t, most);
  for (uint32_t i = 0; i < result->critical_count; i++) {
    uint32_t task = result->critical[i], at = next;
    all[count++] = instance_of(class_of_task(walk, task), task);
    while (at < walk->inner_count && walk->inner[at].task != task)
      at++;
    if (at == walk->inner_count) continue;
    memcpy(&all[count], walk->inner[at].instances, walk->inner[at].count * sizeof *all);
    count += walk->inner[at].count;
    next = at + 1;
  }
  executor->critical = all;
  executor->critical_count = count;
}

/* Puts the makespan on the caller's clock and each processor's time into the report. */
static void walk_account(struct walk *walk, const struct psl_graph_result *result) {
  struct executor *executor = walk->executor;
  double begin = walk->start;
  executor->processors = ARENA_ARRAY(executor->results, struct run_process, walk->processor_count);
  executor->processor_count = walk->processor_count;
  for (uint32_t i = 0; i < walk->processor_count; i++) {
    const struct processor_row *row = &walk->rows[i];
    double compute = sum_total(&row->time[ACTIVITY_COMPUTE]);
    double communicate = sum_total(&row->time[ACTIVITY_COMMUNICATE]);
    double wait = fmax(row->end - begin - (compute + communicate), 0);
    executor->processors[i] = (struct run_process){i, {compute, communicate, wait}, row->end};
  }
  if (executor->options->trace) walk_trace(walk);
  walk_critical(walk, result);
  executor->call.clock = result->makespan > begin ? result->makespan : begin;
  executor->call.result.real = executor->call.clock - begin;
}

static void cycle_stop(struct walk *walk) {
  uint32_t task = 0;
  while (waits_of(walk, task) == 0)
    task++;
  executor_stop(walk->executor, STOP_DEADLOCK, walk->outer->symbol->span,
                "the task graph has a cycle: %s waits for itself, through others", task_name(walk, task));
}

enum psl_status task_graph_call(struct executor *executor, struct model_component *outer, uint32_t instance,
                                double start, struct span span, const struct psl_evaluator_function *function,
                                void *state) {
  struct environment saved = executor->environment;
  struct psl_call call = executor->call; /* tasks make calls of their own */
  struct psl_graph_result result = {0};
  uint32_t components = executor->model->component_count;
  struct walk walk = {.graph = {.source = walk_source, .run = walk_run},
                      .executor = executor,
                      .outer = outer,
                      .class_count = outer->inner_count,
                      .start = start};
  if (outer->inner_count == 0) {
    refuse(executor, span, "the component that calls this holds no components");
    return PSL_BLOCKED;
  }
  walk.classes = ARENA_ARRAY(executor->arena, struct task_class, outer->inner_count);
  walk.class_of = ARENA_ARRAY(executor->arena, uint32_t, components);
  memset(walk.class_of, 0xff, components * sizeof *walk.class_of);
  if (!tasks_find(&walk, instance)) return PSL_BLOCKED;
  tasks_make(&walk);
  waits_make(&walk);
  if (executor->options->tasks) lines_begin(&walk, instance);
  enum psl_status status = PSL_BLOCKED;
  if (sources_take(&walk) && edges_count(&walk)) {
    call.clock = start;
    status = function->graph(state, &call, &walk.graph, &result);
  }
  executor->environment = saved;
  executor->call = call;
  if (status == PSL_FAILED && walk.done == walk.complete && walk.done < walk.graph.task_count &&
      !executor_stopped(executor))
    cycle_stop(&walk);
  if (status == PSL_BLOCKED) executor_stop(executor, STOP_ERROR, span, NULL);
  if (executor_stopped(executor)) return PSL_BLOCKED;
  executor->graphs++;
  if (executor->options->tasks) lines_pass(executor->options->tasks);
  if (status == PSL_DONE) walk_account(&walk, &result);
  return status;
}
