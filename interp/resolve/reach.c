/* Which parameters of a dataflow accept some edge reaches, for each instance: with that the executor knows
 * what a firing waits for.  Called by resolve.c after all requests are bound. */
#include "interp/resolve/effects.h"
#include "interp/resolve/resolve.h"

#include <string.h>

enum { FULL = 1, PARTIAL = 2 };

/* What reaches one accept. */
struct feed {
  uint64_t whole;                       /* all parameters of its transaction */
  bool any, mixed;                      /* some request; requests that give different parameters */
  uint64_t mask;                        /* of the first request */
  struct model_request *full, *partial; /* an example of each */
  uint64_t *masks;                      /* by instance, or */
  uint8_t *bytes;                       /* the same, where eight bits are enough */
  uint8_t *kinds;                       /* by instance: FULL, PARTIAL */
  uint32_t *edges;
  uint32_t every_count;
};
struct survey {
  struct resolver *r;
  struct feed *feeds; /* by accept id */
};

static uint64_t given_by(const struct model_request *request) {
  uint64_t mask = 0;
  for (uint32_t k = 0; k < request->transaction->param_count; k++)
    if (request->args[k]) mask |= UINT64_C(1) << k;
  return mask;
}

static uint64_t all_of(const struct model_transaction *transaction) {
  return transaction->param_count == TRANSACTION_PARAMETERS ? UINT64_MAX
                                                            : (UINT64_C(1) << transaction->param_count) - 1;
}

/* First by class: do the requests that may reach the accept give the same parameters? */
static void note_request(struct survey *s, struct model_request *request) {
  const struct binding *binding = &s->r->graph->bindings[request->id];
  uint64_t mask = given_by(request);
  if (binding->kind == BINDING_ABSENT) return;
  for (uint32_t k = 0; k < binding->candidate_count; k++) {
    struct feed *feed = &s->feeds[binding->candidates[k]->id];
    if (!feed->any) feed->mask = mask;
    feed->mixed |= feed->any && mask != feed->mask;
    feed->any = true;
    if (mask == feed->whole)
      feed->full = request;
    else
      feed->partial = request;
  }
}

static void open_feed(struct survey *s, struct feed *feed, const struct model_accept *accept) {
  struct arena *arena = s->r->arena;
  uint32_t count = s->r->graph->instances[accept->component->id].count;
  for (uint32_t k = 0; k < accept->transaction->param_count; k++)
    feed->every_count += accept->transaction->params[k].every;
  if (feed->mixed) {
    if (accept->transaction->param_count <= 8)
      feed->bytes = ARENA_ARRAY(arena, uint8_t, count);
    else
      feed->masks = ARENA_ARRAY(arena, uint64_t, count);
    feed->kinds = ARENA_ARRAY(&s->r->scratch, uint8_t, count);
  }
  if (feed->every_count) feed->edges = ARENA_ARRAY(arena, uint32_t, (size_t)count * feed->every_count);
}

static uint64_t mask_at(const struct feed *feed, uint32_t place) {
  return feed->bytes ? feed->bytes[place] : feed->masks[place];
}

static void note_edges(struct survey *s, const struct model_request *request, uint64_t mask, uint32_t target,
                       const struct model_accept *accept, uint32_t times) {
  struct feed *feed = &s->feeds[accept->id];
  uint32_t place = target - s->r->graph->instances[accept->component->id].first;
  if (feed->bytes) feed->bytes[place] |= (uint8_t)mask;
  if (feed->masks) feed->masks[place] |= mask;
  if (feed->kinds) {
    feed->kinds[place] |= mask == feed->whole ? FULL : PARTIAL;
  }
  for (uint32_t k = 0, e = 0; feed->edges && k < request->transaction->param_count; k++) {
    if (!accept->transaction->params[k].every) continue;
    if (mask >> k & 1) feed->edges[(size_t)place * feed->every_count + e] += times;
    e++;
  }
}

/* A late request may reach any instance of its candidates. */
static void note_late(struct survey *s, const struct model_request *request, uint64_t mask) {
  const struct binding *binding = &s->r->graph->bindings[request->id];
  for (uint32_t c = 0; c < binding->candidate_count; c++) {
    const struct instances *set = &s->r->graph->instances[binding->candidates[c]->component->id];
    for (uint32_t k = 0; k < set->count; k++)
      note_edges(s, request, mask, set->first + k, binding->candidates[c], 0);
  }
}

static uint32_t present_count(const struct binding *binding, uint32_t count) {
  uint32_t present = 0;
  if (!binding->present) return count;
  for (uint32_t k = 0; k < count; k++)
    present += binding->present[k / 8] >> k % 8 & 1;
  return present;
}

static void note_targets(struct survey *s, const struct model_request *request) {
  const struct binding *binding = &s->r->graph->bindings[request->id];
  struct model_accept *const *accepts = s->r->model->accepts;
  uint64_t mask = given_by(request);
  uint32_t count = s->r->graph->instances[request->component->id].count;
  switch (binding->kind) {
  case BINDING_ABSENT: return;
  case BINDING_LATE: note_late(s, request, mask); return;
  case BINDING_SAME:
    if (binding->target.instance < INSTANCE_ABSENT)
      note_edges(s, request, mask, binding->target.instance, accepts[binding->target.accept],
                 present_count(binding, count));
    return;
  case BINDING_EVERY: count = binding->starts[count]; break;
  case BINDING_TABLE: break;
  }
  for (uint32_t k = 0; k < count; k++)
    if (binding_target(binding, k) < INSTANCE_ABSENT)
      note_edges(s, request, mask, binding_target(binding, k),
                 binding->accept ? binding->accept : accepts[binding->accepts[k]], 1);
}

/* Parameters that the body reads and that have a value only if an edge brings one. */
static uint64_t needed(const struct model_accept *accept) {
  uint64_t mask = 0;
  for (uint32_t k = 0; k < accept->param_count; k++) {
    uint32_t of = accept->param_of[k];
    const struct model_parameter *param = &accept->transaction->params[of];
    if (!param->value && param->type && param->type->kind != TYPE_SIGNAL && param->type->kind != TYPE_ANY)
      mask |= UINT64_C(1) << of;
  }
  return mask;
}

static bool mixed_error(struct survey *s, const struct model_accept *accept, const struct feed *feed,
                        uint32_t instance) {
  struct diagnostics *d = s->r->model->diagnostics;
  struct text name = {.arena = s->r->arena};
  graph_instance_print(&name, s->r->graph, instance);
  diagnostic_add(d, SEVERITY_ERROR, accept->syntax->span,
                 "requests that give all parameters of %s and requests that give some of them meet at %s",
                 accept->transaction->symbol->name->text, name.data);
  diagnostic_note(d, feed->full->syntax->txn.span, "this one gives all: it is a firing by itself");
  diagnostic_note(d, feed->partial->syntax->txn.span, "this one gives some: it waits for the others");
  return false;
}

static bool missing_error(struct survey *s, const struct model_accept *accept, uint64_t missing, uint32_t instance,
                          uint32_t count) {
  struct diagnostics *d = s->r->model->diagnostics;
  struct text name = {.arena = s->r->arena};
  const struct model_transaction *transaction = accept->transaction;
  uint32_t k = (uint32_t)__builtin_ctzll(missing);
  graph_instance_print(&name, s->r->graph, instance);
  diagnostic_add(d, SEVERITY_ERROR, accept->syntax->span,
                 "no request gives the parameter '%s' of %s at %s, and it has no default",
                 transaction->params[k].name->text, transaction->symbol->name->text, name.data);
  if (count > 1) diagnostic_note(d, (struct span){0}, "and at %u more instances", count - 1);
  for (uint32_t q = 0, shown = 0; q < s->r->model->request_count && shown < 3; q++) {
    const struct model_request *request = s->r->model->requests[q];
    const struct binding *binding = &s->r->graph->bindings[q];
    bool here = false;
    for (uint32_t c = 0; c < binding->candidate_count && binding->kind != BINDING_ABSENT; c++)
      here |= binding->candidates[c] == accept;
    if (!here || (given_by(request) & missing)) continue;
    diagnostic_note(d, request->syntax->txn.span, "this request leaves it out");
    shown++;
  }
  return false;
}

static bool finish(struct survey *s, const struct model_accept *accept) {
  struct feed *feed = &s->feeds[accept->id];
  struct reach *reach = &s->r->graph->reach[accept->id];
  const struct instances *set = &s->r->graph->instances[accept->component->id];
  uint64_t need = needed(accept);
  reach->full = !feed->mixed && feed->every_count == 0;
  reach->same = feed->mask;
  reach->edges = feed->edges;
  if (!feed->mixed)
    return !(need & ~feed->mask) || missing_error(s, accept, need & ~feed->mask, set->first, set->count);
  uint32_t missing = 0, example = 0;
  bool same = true;
  for (uint32_t k = 0; k < set->count; k++) {
    if (feed->kinds[k] == (FULL | PARTIAL)) return mixed_error(s, accept, feed, set->first + k);
    if (feed->kinds[k] && (need & ~mask_at(feed, k)) && !missing++) example = k;
    same &= mask_at(feed, k) == mask_at(feed, 0);
  }
  reach->same = mask_at(feed, 0);
  if (!same) {
    reach->masks = feed->masks;
    reach->bytes = feed->bytes;
  }
  return !missing || missing_error(s, accept, need & ~mask_at(feed, example), set->first + example, missing);
}

/* ---- edges whose sender never fires ---- */

/* The parameters that some edge gives at some instance. */
static uint64_t given_anywhere(const struct survey *s, const struct model_accept *accept) {
  const struct feed *feed = &s->feeds[accept->id];
  uint64_t mask = feed->mixed ? 0 : feed->mask;
  for (uint32_t k = 0; feed->mixed && k < s->r->graph->instances[accept->component->id].count; k++)
    mask |= mask_at(feed, k);
  return mask;
}

/* `sender` would give the parameter, which nobody else does, and the accept fires without it. A warning where that is
 * so whatever params are. */
static void say_unsent(struct survey *s, const struct model_component *sender, const struct model_accept *accept,
                       const struct model_parameter *parameter, bool possible) {
  struct diagnostics *d = s->r->model->diagnostics;
  const char *name = sender->symbol->name->text;
  diagnostic_add(d, possible ? SEVERITY_NOTE : SEVERITY_WARNING, accept->syntax->span,
                 "'%s' fires without '%s' of %s: '%s', which would send it, never fires",
                 accept->component->symbol->name->text, parameter->name->text, accept->transaction->symbol->name->text,
                 name);
  diagnostic_note(d, sender->symbol->span, "no request reaches '%s'%s", name,
                  possible ? " as params are" : ", whatever the params are");
}

/* Requests that give a part of what an accept takes, of components that nothing reaches. */
static void note_unsent(struct survey *s) {
  const struct model *model = s->r->model;
  bool *possible = NULL;
  for (uint32_t q = 0; q < model->request_count; q++) {
    struct model_request *request = model->requests[q];
    const struct model_component *sender = request->component;
    uint64_t mask = request->protocol == PROTOCOL_DATAFLOW ? given_by(request) : 0;
    if (s->r->graph->instances[sender->id].count || !mask || mask == all_of(request->transaction)) continue;
    const struct plan *plan = plan_request(s->r, request);
    for (uint32_t k = 0; k < plan->count; k++) {
      const struct model_accept *accept = plan->candidates[k].accept;
      uint64_t missing = s->feeds[accept->id].any ? mask & ~given_anywhere(s, accept) : 0;
      if (!missing) continue;
      if (!possible) {
        possible = ARENA_ARRAY(s->r->arena, bool, model->component_count + 1);
        effects_reached(s->r->model, s->r->arena, s->r->graph->system, possible);
      }
      say_unsent(s, sender, accept, &accept->transaction->params[__builtin_ctzll(missing)], possible[sender->id]);
    }
  }
}

/* Signals of a join that no request of the whole model gives, whatever params are: one was forgotten, or misspelt. */
static void warn_ungiven(struct survey *s) {
  const struct model *model = s->r->model;
  uint64_t *given = ARENA_ARRAY(s->r->arena, uint64_t, model->accept_count + 1);
  for (uint32_t q = 0; q < model->request_count; q++) {
    struct model_request *request = model->requests[q];
    uint64_t mask = request->protocol == PROTOCOL_DATAFLOW ? given_by(request) : 0;
    const struct plan *plan = !mask ? NULL : s->r->plans[q] ? s->r->plans[q] : plan_request(s->r, request);
    for (uint32_t k = 0; plan && k < plan->count; k++)
      given[plan->candidates[k].accept->id] |= mask;
    for (uint32_t a = 0; plan && plan->impossible && a < model->accept_count; a++) /* as params are: by others it may */
      if (model->accepts[a]->transaction == request->transaction) given[a] |= mask;
  }
  for (uint32_t a = 0; a < model->accept_count; a++) {
    const struct model_accept *accept = model->accepts[a];
    for (uint32_t k = 0; s->feeds[a].any && given[a] && k < accept->param_count; k++) {
      const struct model_parameter *parameter = &accept->transaction->params[accept->param_of[k]];
      if (given[a] >> accept->param_of[k] & 1 || parameter->value || parameter->type->kind != TYPE_SIGNAL) continue;
      diagnostic_add(model->diagnostics, SEVERITY_WARNING, accept->syntax->span,
                     "'%s' fires without '%s' of %s, which no request gives", accept->component->symbol->name->text,
                     parameter->name->text, accept->transaction->symbol->name->text);
    }
  }
}

bool reach_compute(struct resolver *r) {
  struct survey s = {.r = r, .feeds = ARENA_ARRAY(r->arena, struct feed, r->model->accept_count)};
  const struct model *model = r->model;
  bool fine = true;
  for (uint32_t k = 0; k < model->accept_count; k++)
    s.feeds[k].whole = all_of(model->accepts[k]->transaction);
  for (uint32_t k = 0; k < model->request_count; k++)
    if (r->plans[k] && model->requests[k]->protocol == PROTOCOL_DATAFLOW) note_request(&s, model->requests[k]);
  for (uint32_t k = 0; k < model->accept_count; k++)
    if (s.feeds[k].any) open_feed(&s, &s.feeds[k], model->accepts[k]);
  for (uint32_t k = 0; k < model->request_count; k++)
    if (r->plans[k] && model->requests[k]->protocol == PROTOCOL_DATAFLOW) note_targets(&s, model->requests[k]);
  for (uint32_t k = 0; k < model->accept_count; k++)
    if (s.feeds[k].any && !finish(&s, model->accepts[k])) fine = false;
  if (fine) note_unsent(&s);
  if (fine) warn_ungiven(&s);
  return fine;
}
