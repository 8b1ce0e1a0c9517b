/* What the params of components may be, and how many servers there are, tested before anything runs where it is known
 * then: at the place where people have written it, which a component that is made like another has itself.  Called by
 * resolve. */
#include "interp/resolve/resolve.h"

struct tested {
  struct resolver *r;
  struct symbol *param; /* of a component; NULL: the servers of */
  const struct model_accept *accept;
};

static bool param_allowed(struct tested *t, const int64_t *indices) {
  struct allowed allowed = {.range = t->param->decl->value.range};
  struct expr *own = t->param->instance.value;
  struct environment environment = resolver_environment(t->r, indices);
  struct value value;
  return !resolver_quietly(t->r, own, indices, &value) || /* who reads it says what is wrong */
         value_allowed(&environment, &allowed, t->param->name, t->param->type, own->span, value);
}

/* A param that is all there is of the number of servers. */
static struct span servers_span(const struct model_accept *accept) {
  const struct symbol *symbol = expr_symbol(accept->servers);
  return symbol && symbol->kind == SYMBOL_INSTANCE ? symbol->instance.value->span : accept->servers->span;
}

static bool servers_allowed(struct tested *t, const int64_t *indices) {
  struct value value;
  if (!resolver_quietly(t->r, t->accept->servers, indices, &value) || value.kind != VALUE_INT || value.integer >= 1)
    return true;
  diagnostic_add(t->r->model->diagnostics, SEVERITY_ERROR, servers_span(t->accept),
                 "%lld servers: at least one is wanted", (long long)value.integer);
  return false;
}

/* At each instance, once where they are all alike. */
static bool at_instances(struct tested *t, const struct model_component *component, unsigned uses,
                         bool (*test)(struct tested *t, const int64_t *indices)) {
  const struct instances *set = &t->r->graph->instances[component->id];
  int64_t indices[COMPONENT_INDICES];
  if (!set->count || uses & ~(unsigned)USES_INDEX) return true;
  for (uint32_t k = 0; k < (uses & USES_INDEX ? set->count : 1); k++) {
    graph_indices(t->r->graph, set->first + k, indices);
    if (!test(t, indices)) return false;
  }
  return true;
}

bool instance_params_check(struct resolver *r) {
  bool fine = true;
  for (uint32_t c = 0; c < r->model->component_count; c++) {
    const struct model_component *component = r->model->components[c];
    for (uint32_t i = 0; i < component->instance_count; i++) {
      struct tested t = {.r = r, .param = component->instances[i]};
      const struct expr *range = t.param->decl->kind == DECL_PARAM ? t.param->decl->value.range : NULL;
      const struct expr *value = t.param->instance.value;
      if (range && value)
        fine = at_instances(&t, component, expr_uses(r, value) | expr_uses(r, range), param_allowed) && fine;
    }
  }
  for (uint32_t a = 0; a < r->model->accept_count; a++) {
    struct tested t = {.r = r, .accept = r->model->accepts[a]};
    if (t.accept->servers && !t.accept->unlimited)
      fine = at_instances(&t, t.accept->component, expr_uses(r, t.accept->servers), servers_allowed) && fine;
  }
  return fine;
}
