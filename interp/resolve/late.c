/* Requests whose target is known only while the model runs.  Called by the executor. */
#include "interp/resolve/resolve.h"
#include "interp/evaluate/arithmetic.h"

#include <stdlib.h>
#include <string.h>

struct late_run {
  struct graph *graph;
  struct resolver *r;
  const struct model_request *request;
  uint32_t requester;
  int64_t *indices;
  struct environment *environment;
  const struct value *(*dynamics)(void *user, uint32_t instance);
  void *user;
  struct target *targets;
  uint32_t capacity, count;
};

/* What the clause wants; *none: a number that is not whole, which nobody has. */
static bool whole_value(struct late_run *run, const struct expr *clause, int64_t *out, bool *none) {
  struct value value;
  if (!evaluate(run->environment, clause->clause.value, &value)) return false;
  if (value_number(value, out)) return true;
  if (value.kind == VALUE_REAL) {
    *none = value.real != floor(value.real) || !real_to_int(value.real, out);
    return true;
  }
  diagnostic_add(run->r->model->diagnostics, SEVERITY_ERROR, clause->clause.value->span, "this is no whole number");
  return false;
}

static bool all_hold(struct late_run *run, const struct candidate *c, uint32_t instance, bool *out) {
  struct trial trial = {run->graph, c->accept, instance, run->dynamics ? run->dynamics(run->user, instance) : NULL};
  *out = instance != run->requester || c->names_index;
  for (uint32_t k = 0; k < c->test_count && *out; k++)
    if (!selector_test(run->environment, &trial, c->tests[k], out)) return false;
  return true;
}

static bool try_candidate(struct late_run *run, const struct candidate *c) {
  uint32_t dims = c->accept->component->index_count, instance;
  int64_t *values = ARENA_ARRAY(run->environment->scratch, int64_t, dims), key = 0;
  struct walk walk;
  bool none = false;
  if (!run->graph->instances[c->accept->component->id].count) return true;
  for (uint32_t k = 0; k < dims && !none; k++)
    if (c->index[k] && !whole_value(run, c->index[k], &values[k], &none)) return false;
  if (c->key && !none && !whole_value(run, c->key, &key, &none)) return false;
  if (none) return true;
  walk_open(&walk, run->r, run->environment->scratch, c);
  walk_start(&walk, run->indices, values, key);
  while (walk_next(&walk, &instance)) {
    bool holds;
    run->graph->statistics.candidates++;
    if (!all_hold(run, c, instance, &holds)) return false;
    if (!holds) continue;
    if (run->count < run->capacity) run->targets[run->count] = (struct target){instance, c->accept->id};
    run->count++;
  }
  return true;
}

static int target_order(const void *left, const void *right) {
  const struct target *a = left, *b = right;
  return a->instance < b->instance ? -1 : a->instance > b->instance;
}

/* Does the request exist for this instance now? */
static bool exists(struct late_run *run, const struct binding *binding, bool *out) {
  uint32_t place = run->requester - run->graph->instances[run->request->component->id].first;
  struct value value = {.kind = VALUE_BOOL, .boolean = true};
  *out = !binding->present || (binding->present[place / 8] >> place % 8 & 1);
  if (!binding->late_where) return true;
  if (!evaluate(run->environment, run->request->where, &value)) return false;
  *out = value.kind == VALUE_BOOL && value.boolean;
  return true;
}

static bool one_target(struct late_run *run, struct plan *plan) {
  bool one = run->request->quantifier == TARGET_ONE, optional = run->request->quantifier == TARGET_OPTIONAL;
  if (!(one && run->count != 1) && !(optional && run->count > 1)) return true;
  struct problem problem = {.instance = run->requester, .instances = 1, .matches = run->count};
  for (uint32_t k = 0; k < run->count && k < run->capacity && k < 4; k++)
    problem.some[k] = run->targets[k];
  if (problem.matches > run->capacity) problem.matches = run->capacity;
  refuse_late(run->r, plan, run->environment, &problem);
  return false;
}

/* All targets, as many as there are; INSTANCE_ABSENT at the first place where the request does not exist. */
static bool find_targets(struct late_run *run) {
  const struct binding *binding = &run->graph->bindings[run->request->id];
  bool here;
  run->r = run->graph->resolver;
  run->indices = ARENA_ARRAY(run->environment->scratch, int64_t, run->request->component->index_count);
  graph_indices(run->graph, run->requester, run->indices);
  if (!binding->late || !exists(run, binding, &here)) return false;
  run->targets[0].instance = here ? INSTANCE_NONE : INSTANCE_ABSENT;
  if (!here) return true;
  const struct plan *plan = binding->late->plan;
  run->graph->statistics.requests++;
  for (uint32_t k = 0; k < plan->count; k++)
    if (!try_candidate(run, &plan->candidates[k])) return false;
  if (plan->count > 1 && run->count <= run->capacity)
    qsort(run->targets, run->count, sizeof *run->targets, target_order);
  return true;
}

bool late_is_found(const struct binding *binding) {
  const struct plan *plan = binding->late->plan;
  const struct candidate *c = plan->candidates;
  return plan->count == 1 && plan->request->quantifier != TARGET_EVERY && !c->test_count && !c->dynamic &&
         (c->all_indices || c->lookup);
}

struct model_accept *late_accept(const struct binding *binding, const struct expr *const **indices) {
  if (binding->kind != BINDING_LATE || binding->present || binding->late_where || !late_is_found(binding)) return NULL;
  const struct candidate *c = binding->late->plan->candidates;
  if (binding->late->plan->request->quantifier != TARGET_ONE || c->adapter || !c->all_indices || !c->names_index)
    return NULL;
  for (uint32_t k = 0; k < c->accept->component->index_count; k++)
    if (!c->index[k]) return NULL;
  if (indices) *indices = c->index;
  return c->accept;
}

bool late_targets(struct graph *graph, const struct model_request *request, uint32_t requester,
                  struct environment *environment, struct target *targets, uint32_t capacity, uint32_t *count) {
  struct late_run run = {.graph = graph,
                         .request = request,
                         .requester = requester,
                         .environment = environment,
                         .targets = targets,
                         .capacity = capacity};
  bool fine = find_targets(&run);
  *count = run.count;
  return fine;
}

bool resolve_late(struct graph *graph, const struct model_request *request, uint32_t requester,
                  struct environment *environment, const struct value *(*dynamics)(void *user, uint32_t instance),
                  void *user, struct target *targets, uint32_t capacity, uint32_t *count) {
  struct late_run run = {.graph = graph,
                         .request = request,
                         .requester = requester,
                         .environment = environment,
                         .dynamics = dynamics,
                         .user = user,
                         .targets = targets,
                         .capacity = capacity};
  bool fine = find_targets(&run);
  *count = run.count;
  if (!fine || targets[0].instance == INSTANCE_ABSENT) return fine;
  return one_target(&run, graph->bindings[request->id].late->plan);
}
