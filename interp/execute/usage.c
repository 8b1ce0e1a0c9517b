/* What facilities do; see usage.h. Called where frames ask for a server, have been served and go, by service.c for the
 * work of disciplines that share, by the machine for bodies in line, and at the end of a run. */
#include "interp/execute/usage.h"
#include "interp/execute/steps.h"
#include "interp/model/limits.h"
#include "interp/resolve/graph.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool usage_counts(const struct model_accept *accept) { return accept->servers && !accept->unlimited; }

/* ---- classes ---- */

bool usage_by_class(const struct executor *executor, const struct model_accept *accept,
                    const struct model_accept *caller) {
  return accept->class_at >= 0 || (caller && accept_has(caller, name_known(executor->model->names, KNOWN_CLASS)));
}

static struct value class_told(struct value class) {
  bool tells = class.kind == VALUE_TERM || class.kind == VALUE_INT || class.kind == VALUE_BOOL ||
               (class.kind == VALUE_STRING && class.object->count);
  return tells ? class : (struct value) { .kind = VALUE_NONE };
}

static struct value class_of(struct executor *executor, struct frame *frame) {
  struct value class = {.kind = VALUE_NONE};
  const struct model_accept *accept = frame->body->accept;
  if (!usage_by_class(executor, accept, frame_called(frame)->accept) ||
      !call_known(executor, frame, accept->class_at, frame->no_class, KNOWN_CLASS, &class))
    return (struct value){.kind = VALUE_NONE};
  return class_told(class);
}

static struct usage *usage_of(struct executor *executor, struct facility *facility, struct value class) {
  struct usage *last = facility->usage;
  uint32_t count = 0;
  if (class.kind == VALUE_NONE) return last;
  for (struct usage *usage = last->next; usage; last = usage, usage = usage->next, count++)
    if (usage->class.value.kind == class.kind && value_equal(usage->class.value, class)) return usage;
  if (count > USAGE_CLASSES) return last;
  last->next = ARENA_NEW(executor->arena, struct usage);
  last->next->class = value_keep(&executor->keep, count < USAGE_CLASSES ? class : (struct value){.kind = VALUE_SIGNAL});
  return last->next;
}

/* ---- calls ---- */

bool usage_ask(struct executor *executor, struct frame *frame) {
  struct facility *facility = facility_of(executor, frame->body->accept, frame->instance);
  struct visit *visit = frame_visit(frame);
  if (executor_stopped(executor)) return false;
  visit->usage = usage_of(executor, facility, class_of(executor, frame));
  if (executor_stopped(executor)) return false;
  usage_come(executor, visit->usage, visit->entered);
  return true;
}

static inline void unended_take(const struct executor *executor, struct unended *unended, double since) {
  unended->count--;
  sum_add(&unended->since, -usage_since(executor, since));
}

/* The class of tokens without a frame: an argument, what the sender is, or the default. */
static struct value class_of_tokens(struct executor *executor, const struct model_accept *accept,
                                    const struct model_accept *sender, uint32_t instance,
                                    const struct value *arguments) {
  struct value class = {.kind = VALUE_NONE};
  uint32_t at = accept->class_at >= 0 ? accept->param_of[accept->class_at] : 0;
  if (!usage_by_class(executor, accept, sender)) return class;
  if (accept->class_at >= 0 && arguments[at].kind != VALUE_NONE) return class_told(arguments[at]);
  if (sender && graph_attribute(executor->graph, sender, instance, name_known(executor->model->names, KNOWN_CLASS),
                                kept_values(instance_dynamics(executor, instance)), &class))
    return class_told(class);
  const struct model_parameter *parameter = &accept->transaction->params[at];
  struct environment environment = executor_environment(executor, NULL);
  bool given =
      accept->class_at >= 0 && parameter->value && evaluate_as(&environment, parameter->value, parameter->type, &class);
  return given ? class_told(class) : (struct value){.kind = VALUE_NONE};
}

void usage_wait(struct executor *executor, struct facility *facility, const struct model_accept *sender,
                uint32_t instance, const struct value *arguments, double clock) {
  struct value class = class_of_tokens(executor, facility->accept, sender, instance, arguments);
  usage_come(executor, usage_of(executor, facility, class), clock);
}

/* A call that came then goes, */
static inline void present_end(const struct executor *executor, struct usage *usage, double entered, double end) {
  unended_take(executor, &usage->present, entered);
  if (!executor->all_counts) sum_add(&usage->all.present, counted(executor, entered, end - entered));
}

/* and gives back the server that it has got then. */
static inline void held_end(const struct executor *executor, struct usage *usage, double began, double end) {
  unended_take(executor, &usage->held, began);
  sum_add(&usage->all.held, counted(executor, began, end - began));
}

/* It has been served, has waited so long for that, and goes. */
static inline void served(const struct executor *executor, struct usage *usage, double entered, double waited,
                          double end) {
  present_end(executor, usage, entered, end);
  if (!counts(executor, end)) return;
  usage->all.served++;
  sum_add(&usage->all.waited, waited);
  sum_add(&usage->all.stayed, end - entered);
}

void usage_serve_part(const struct executor *executor, struct usage *usage, double entered, double began, double end) {
  served(executor, usage, entered, began - entered, end);
  held_end(executor, usage, began, end);
}

void usage_end(const struct executor *executor, const struct process *process, struct frame *frame) {
  const struct visit *visit = frame_visit(frame);
  double end = process->clock;
  if (facility_shares(frame_called(frame)->facility))
    served(executor, visit->usage, visit->entered, fmax(0, end - visit->entered - visit->alone), end);
  else
    usage_serve(executor, visit->usage, visit->entered, visit->began, end);
}

void usage_leave(const struct executor *executor, const struct process *process, struct frame *frame) {
  const struct visit *visit = frame_visit(frame);
  double end = process->clock;
  if (end >= executor->from) {
    visit->usage->all.left++;
    sum_add(&visit->usage->all.lost, end - visit->entered);
  }
  present_end(executor, visit->usage, visit->entered, end);
}

void usage_cancel(const struct executor *executor, const struct process *process, struct frame *frame) {
  const struct visit *visit = frame_visit(frame);
  usage_leave(executor, process, frame);
  if (!facility_shares(frame_called(frame)->facility)) held_end(executor, visit->usage, visit->began, process->clock);
}

void usage_work(const struct executor *executor, struct process *process, double done, double later, double alone) {
  while (process->frame->body->is_head) /* of the process that waits for the first of several */
    process = join_of(executor, process)->parent;
  struct visit *visit = frame_visit(process->frame);
  visit->served += done;
  visit->alone += alone;
  if (visit->usage) sum_add(&visit->usage->all.held, later);
}

/* ---- results ---- */

static const char *class_text(struct executor *executor, struct value class) {
  struct text text = {.arena = executor->results};
  switch (class.kind) {
  case VALUE_NONE: return NULL;
  case VALUE_SIGNAL: return "others";
  case VALUE_STRING: return arena_copy(executor->results, class.object->text, class.object->count);
  default: value_print(&text, &executor->model->types, executor->model->names, NULL, class, 6); return text.data;
  }
}

/* What its servers do in a second at the most. */
static double capacity(const struct facility *facility) {
  double most = facility->rates ? 0 : (double)facility->servers;
  for (uint32_t i = 0; i < facility->rate_count; i++)
    most = fmax(most, facility->rates[i]);
  return most;
}

struct entry { /* what one facility adds to a row */
  struct run_facility row;
  uint32_t instance, accept;
};
struct entries {
  struct entry *items;
  uint32_t count, capacity;
};

static void usage_join(struct run_usage *all, const struct run_usage *more) {
  struct sum *sums[] = {&all->waited, &all->stayed, &all->lost, &all->held, &all->present};
  const struct sum *others[] = {&more->waited, &more->stayed, &more->lost, &more->held, &more->present};
  all->served += more->served;
  all->left += more->left;
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    sum_add(sums[i], others[i]->value);
    sum_add(sums[i], others[i]->rest);
  }
}

static void entry_add(struct executor *executor, struct entries *entries, const struct facility *facility,
                      uint32_t instance, const char *class, const struct run_usage *usage) {
  struct run_facility row = {facility->accept->component, instance, class, capacity(facility), *usage};
  struct entry entry = {row, facility->instance, facility->accept->id};
  ARENA_PUSH(executor->arena, entries->items, entries->count, entries->capacity, entry);
}

/* Of all callers together and by class; of the instance, or for the component's row. */
static void facility_entries(struct executor *executor, struct entries *entries, const struct facility *facility,
                             uint32_t instance) {
  struct run_usage all = {0};
  for (const struct usage *usage = facility->usage; usage; usage = usage->next)
    usage_join(&all, &usage->all);
  entry_add(executor, entries, facility, instance, NULL, &all);
  for (const struct usage *usage = facility->usage->next; usage; usage = usage->next)
    entry_add(executor, entries, facility, instance, class_text(executor, usage->class.value), &usage->all);
}

static int number_order(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

/* All instances together first, all callers first; classes by their names, numbers by their size. */
static int row_order(const struct run_facility *a, const struct run_facility *b) {
  int order = number_order(a->component->id, b->component->id);
  if (!order) order = number_order(a->instance + 1, b->instance + 1);
  if (order || !a->class || !b->class) return order ? order : (a->class != NULL) - (b->class != NULL);
  long long x = strtoll(a->class, NULL, 10), y = strtoll(b->class, NULL, 10);
  return x != y ? (x < y ? -1 : 1) : strcmp(a->class, b->class);
}

static int entry_order(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  int order = row_order(&x->row, &y->row);
  if (!order) order = number_order(x->instance, y->instance);
  return order ? order : number_order(x->accept, y->accept);
}

/* A class has the servers of all callers together, which stand before it. */
static uint32_t rows_make(struct entries entries, struct run_facility *rows) {
  uint32_t count = 0;
  double servers = 0;
  for (uint32_t i = 0; i < entries.count; i++) {
    const struct run_facility *more = &entries.items[i].row;
    bool begins = !count || row_order(&rows[count - 1], more) != 0;
    if (begins) {
      rows[count++] = *more;
      if (!more->class) servers = 0;
    } else {
      usage_join(&rows[count - 1].usage, &more->usage);
    }
    if (!more->class) servers += more->servers;
    rows[count - 1].servers = servers;
  }
  return count;
}

/* Where all counts: all were present as long as they stayed, whether they were served or left; those who were served
 * held a server when they no longer waited; of shared servers the work has been counted instead. */
static void whole_count(struct run_usage *all, bool shares) {
  sum_join(&all->present, &all->stayed);
  sum_join(&all->present, &all->lost);
  if (shares) return;
  sum_join(&all->held, &all->stayed);
  sum_add(&all->held, -all->waited.value);
  sum_add(&all->held, -all->waited.rest);
}

/* Calls that have not ended count until the run does. */
static void unended_count(const struct executor *executor, struct sum *time, const struct unended *unended) {
  if (!unended->count) return;
  sum_add(time, (double)unended->count * executor->makespan);
  sum_add(time, -unended->since.value);
  sum_add(time, -unended->since.rest);
}

void usage_result(struct executor *executor, struct run_result *result) {
  struct entries entries = {0};
  for (struct inbox *inbox = executor->all_inboxes; inbox && isfinite(executor->until); inbox = inbox->next)
    if (inbox->facility->usage) inbox_end(executor, inbox);
  for (const struct facility *facility = executor->all_facilities; facility; facility = facility->next) {
    if (!facility->usage) continue;
    for (struct usage *usage = facility->usage; usage; usage = usage->next) {
      if (executor->all_counts) whole_count(&usage->all, facility_shares(facility));
      unended_count(executor, &usage->all.present, &usage->present);
      unended_count(executor, &usage->all.held, &usage->held);
    }
    uint32_t instances = executor->graph->instances[facility->accept->component->id].count;
    facility_entries(executor, &entries, facility, INSTANCE_NONE);
    if (instances > 1 && instances <= RECORDED_INSTANCES)
      facility_entries(executor, &entries, facility, facility->instance);
  }
  if (!entries.count) return;
  qsort(entries.items, entries.count, sizeof *entries.items, entry_order);
  result->facilities = ARENA_ARRAY(executor->results, struct run_facility, entries.count);
  result->facility_count = rows_make(entries, result->facilities);
}
