/* Resolution: which components a system reaches, their instances, and each request bound to what serves it.
 * Called by the command line, the library's public functions and studies. */
#include "interp/resolve/resolve.h"
#include "grammar/children.h"
#include "interp/check/check.h"

#include <setjmp.h>
#include <string.h>

/* ---- what the folder shares ---- */

static void ignore_diagnostic(void *user, const struct sources *sources, const struct diagnostic *diagnostic) {
  (void)user;
  (void)sources;
  (void)diagnostic;
}

struct environment resolver_environment(struct resolver *r, const int64_t *indices) {
  return (struct environment){.model = r->model, .scratch = r->walk_scratch, .locals = r->locals, .indices = indices};
}

bool resolver_quietly(struct resolver *r, const struct expr *expr, const int64_t *indices, struct value *out) {
  struct environment environment = resolver_environment(r, indices);
  struct diagnostics *loud = r->model->diagnostics;
  r->model->diagnostics = &r->quiet;
  bool fine = evaluate(&environment, expr, out);
  r->model->diagnostics = loud;
  resolver_hush(r);
  return fine;
}

void resolver_hush(struct resolver *r) {
  if (!r->quiet.open) return;
  diagnostic_flush(&r->quiet);
  arena_close(&r->quiet.arena);
}

const struct name *name_id(const struct resolver *r, uint32_t id) { return r->model->names->by_id[id]; }

bool resolver_in_library(const struct resolver *r, struct span span) {
  return model_in_library(r->model, source_of(r->model->sources, span.begin));
}

struct model_domain *resolver_domain(struct resolver *r, struct term term) {
  for (uint32_t k = 0; k < r->model->domain_count; k++)
    if (r->model->domains[k]->symbol->name->folded->id == term.head) return r->model->domains[k];
  return NULL;
}

bool resolver_constant(struct resolver *r, const struct model_accept *accept, enum known attribute, struct value *out) {
  for (uint32_t k = 0; k < accept->profile_count; k++) {
    const struct model_profile *profile = &accept->profile[k];
    if (!name_is(profile->attribute->folded, attribute)) continue;
    return profile->value && profile->value->kind != EXPR_NA && !expr_uses(r, profile->value) &&
           resolver_quietly(r, profile->value, NULL, out);
  }
  return false;
}

void resolver_open(struct resolver *r, struct graph *graph, const struct resolve_options *options) {
  struct model *model = graph->model;
  struct arena *arena = graph->arena;
  *r = (struct resolver){.model = model, .arena = arena, .graph = graph, .options = *options};
  arena_open(&r->scratch, arena->memory);
  arena_open(&r->quiet.arena, arena->memory);
  r->quiet.sources = model->sources;
  r->quiet.sink = ignore_diagnostic;
  r->quiet.unheard = true;
  r->locals = ARENA_ARRAY(arena, struct value, model->slot_max + 1);
  r->function_uses = ARENA_ARRAY(arena, uint8_t, model->function_count + 1);
  r->plans = ARENA_ARRAY(arena, struct plan *, model->request_count);
  r->reached = ARENA_ARRAY(arena, bool, model->component_count);
  r->accept_reached = ARENA_ARRAY(arena, bool, model->accept_count);
  r->attributes = ARENA_ARRAY(arena, struct attribute_entry *, model->accept_count);
  for (uint32_t k = 0; k < model->component_count; k++)
    if (model->components[k]->index_count > r->max_indices) r->max_indices = model->components[k]->index_count;
  uint32_t rows = r->max_indices * 2;
  r->inputs = ARENA_ARRAY(arena, const int64_t *, rows);
  r->rows = ARENA_ARRAY(arena, int64_t *, rows);
  for (uint32_t k = 0; k < rows; k++)
    r->inputs[k] = r->rows[k] = ARENA_ARRAY(arena, int64_t, LANES);
  r->target_rows = r->rows + r->max_indices;
  r->attribute_indices = ARENA_ARRAY(arena, int64_t, r->max_indices);
  r->attribute_locals = ARENA_ARRAY(arena, struct value, model->slot_max + 1);
  r->walk_scratch = &r->scratch;
}

/* While the model runs, nobody closes a scratch arena of ours: the graph's takes its place. */
void resolver_close(struct resolver *r) {
  arena_close(&r->scratch);
  r->walk_scratch = r->arena;
}

/* ---- what the system reaches ---- */

static bool block_calls(const struct block *block, const struct symbol *label) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && block_calls(c.block, label)) return true;
    bool call =
        stmt->kind == STMT_LET || stmt->kind == STMT_ASSIGN || stmt->kind == STMT_RETURN || stmt->kind == STMT_CALL;
    if (call && stmt->assign.is_call && stmt->assign.callee == label) return true;
  }
  return false;
}

bool accept_makes(const struct model_accept *accept, const struct model_request *request) {
  if (request->component != accept->component) return false;
  if (request->label) return accept->body && block_calls(accept->body, request->label);
  return !request->accept || request->accept == accept;
}

static void note_called(struct resolver *r, const struct block *block) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    bool known;
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block) note_called(r, c.block);
    const struct symbol *callee = stmt_callee(stmt);
    if (callee) map_add(r->arena, &r->called, map_key(callee), 1, &known);
  }
}

static bool request_reached(const struct resolver *r, const struct model_request *request) {
  if (!r->reached[request->component->id]) return false;
  if (request->component->system) return request->component == r->graph->system;
  if (request->label) return map_get(&r->called, map_key(request->label), 0); /* by a body that may run */
  return !request->accept || r->accept_reached[request->accept->id];
}

static void reach_component(struct resolver *r, const struct model_accept *accept) {
  if (!r->accept_reached[accept->id] && accept->body) note_called(r, accept->body);
  r->accept_reached[accept->id] = true;
  for (const struct model_component *component = accept->component; component; component = component->outer)
    r->reached[component->id] = true;
}

/* A block may call other accepts of the component that it was matched with. */
static void reach_accept(struct resolver *r, const struct candidate *candidate) {
  const struct adapter *adapter = candidate->adapter;
  reach_component(r, candidate->accept);
  for (uint32_t k = 0; adapter && k < adapter->statement_count; k++)
    if (adapter->statements[k].accept) reach_component(r, adapter->statements[k].accept);
}

/* To a fixed point: each round plans the requests of what the last one reached. */
void resolver_plan(struct resolver *r) {
  bool more = true;
  r->reached[r->graph->system->id] = true;
  while (more) {
    more = false;
    for (uint32_t k = 0; k < r->model->request_count; k++) {
      if (r->plans[k] || !request_reached(r, r->model->requests[k])) continue;
      r->plans[k] = plan_request(r, r->model->requests[k]);
      for (uint32_t c = 0; c < r->plans[k]->count; c++)
        reach_accept(r, &r->plans[k]->candidates[c]);
      more = true;
    }
  }
}

static bool instantiate(struct resolver *r) {
  struct graph *graph = r->graph;
  uint64_t count = 0;
  bool fine = true;
  for (uint32_t k = 0; k < r->model->component_count; k++) {
    struct model_component *component = r->model->components[k];
    struct instances *set = &graph->instances[k];
    *set = (struct instances){.component = component, .box = true};
    if (r->reached[k] && !instances_enumerate(r, component, set)) fine = false;
    set->first = (uint32_t)count;
    count += set->count;
    if (set->count) graph->there[graph->there_count++] = set;
    if (count < INSTANCE_ABSENT || !fine) continue;
    diagnostic_add(r->model->diagnostics, SEVERITY_ERROR, component->symbol->span,
                   "there are more than %u instances, with those of '%s'", INSTANCE_ABSENT - 1,
                   component->symbol->name->text);
    return false;
  }
  graph->instance_count = (uint32_t)count;
  return fine;
}

bool graph_left_out(const struct graph *graph, const struct model_component *component) {
  struct instances set;
  return !graph->resolver->reached[component->id] && instances_enumerate(graph->resolver, component, &set) && set.count;
}

static bool entry_allowed(struct resolver *r, const struct model_profile *entry, const int64_t *indices) {
  struct value value;
  struct environment environment = resolver_environment(r, indices);
  return !resolver_quietly(r, entry->value, indices, &value) || /* who asks for it says what is wrong */
         value_allowed(&environment, entry->allowed, entry->attribute, entry->type, entry->value->span, value);
}

/* Is the attribute what it may be, at all instances? Where the component has none it is looked at once. */
static bool entry_check(struct resolver *r, const struct model_component *component,
                        const struct model_profile *entry) {
  const struct instances *set = &r->graph->instances[component->id];
  int64_t indices[64] = {0};
  if (!entry->allowed || !entry->allowed->range || !entry->value) return true;
  if (!(expr_uses(r, entry->value) & USES_INDEX)) return entry_allowed(r, entry, NULL);
  for (uint32_t k = 0; k < set->count; k++) {
    graph_indices(r->graph, set->first + k, indices);
    if (!entry_allowed(r, entry, indices)) return false;
  }
  return true;
}

static bool profiles_check(struct resolver *r) {
  bool fine = true;
  for (uint32_t a = 0; a < r->model->accept_count; a++) {
    const struct model_accept *accept = r->model->accepts[a];
    for (uint32_t k = 0; k < accept->profile_count; k++)
      fine = entry_check(r, accept->component, &accept->profile[k]) && fine;
  }
  return fine;
}

static bool resolve_graph(struct resolver *r) {
  bool fine = true;
  resolver_plan(r);
  if (!undeclared_check(r) && !r->options.lazy) return false;
  if (!r->options.lazy) {
    priorities_check(r);
    patience_check(r);
    choices_check(r);
  }
  if (r->options.unlimited) endless_warn(r);
  if (!instantiate(r)) return false;
  if (!profiles_check(r) && !r->options.lazy) return false;
  if (!r->options.lazy && !instance_params_check(r)) return false;
  for (uint32_t k = 0; k < r->model->request_count; k++) {
    if (!r->plans[k]) continue;
    plan_prepare(r, r->plans[k]);
    if (!bind_request(r, r->plans[k])) fine = false;
    arena_close(&r->scratch);
  }
  refuse_ambiguous(r);
  if (fine || r->options.lazy) fine = reach_compute(r) && fine;
  if (fine && !r->options.lazy) fine = visit_lists_check(r);
  return fine || r->options.lazy;
}

void resolver_defer_limit(struct resolver *r) {
  struct memory *memory = r->arena->memory;
  r->deferred = true;
  r->deferred_limit = memory->limit;
  r->deferred_failure = memory->fail_at;
  memory->limit = memory->fail_at = 0;
}

void resolver_restore_limit(struct resolver *r) {
  if (!r->deferred) return;
  r->deferred = false;
  r->arena->memory->limit = r->deferred_limit;
  r->arena->memory->fail_at = r->deferred_failure;
}

bool resolver_guarded(struct resolver *r, bool (*work)(struct resolver *)) {
  struct memory *memory = r->arena->memory;
  struct diagnostics *loud = r->model->diagnostics;
  jmp_buf *outer = memory->guard, guard;
  memory->guard = &guard;
  if (setjmp(guard)) {
    memory->guard = outer;
    r->model->diagnostics = loud;
    r->model->binding = 0;
    resolver_restore_limit(r);
    arena_close(&r->quiet.arena);
    resolver_close(r);
    if (outer) longjmp(*outer, 1);
    return false;
  }
  r->model->binding = ++r->model->bindings; /* a let without a value is said so once */
  bool fine = work(r);
  r->model->binding = 0;
  memory->guard = outer;
  resolver_close(r);
  diagnostic_flush(r->model->diagnostics);
  return fine;
}

struct graph *graph_new(struct model *model, struct arena *arena, struct model_component *system) {
  struct graph *graph = ARENA_NEW(arena, struct graph);
  *graph = (struct graph){.model = model, .arena = arena, .system = system};
  graph->instances = ARENA_ARRAY(arena, struct instances, model->component_count);
  graph->there = ARENA_ARRAY(arena, const struct instances *, model->component_count);
  graph->bindings = ARENA_ARRAY(arena, struct binding, model->request_count);
  graph->means = ARENA_ARRAY(arena, struct means, model->accept_count);
  graph->reach = ARENA_ARRAY(arena, struct reach, model->accept_count);
  return graph;
}

struct graph *resolve(struct model *model, struct arena *arena, struct model_component *system,
                      const struct resolve_options *options) {
  static const struct resolve_options plain;
  struct graph *graph = graph_new(model, arena, system);
  graph->resolver = ARENA_NEW(arena, struct resolver);
  resolver_open(graph->resolver, graph, options ? options : &plain);
  return resolver_guarded(graph->resolver, resolve_graph) ? graph : NULL;
}
