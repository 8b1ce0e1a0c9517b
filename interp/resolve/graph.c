/* Reading a resolved graph: instances by number, by indices and by name; attributes of profiles.
 * Called by the executor, reports and this folder. */
#include "interp/resolve/resolve.h"

#include <string.h>

struct model_component *graph_component(const struct graph *graph, uint32_t instance) {
  uint32_t low = 0, high = graph->there_count; /* the last that begins at or before it */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (graph->there[middle]->first <= instance)
      low = middle;
    else
      high = middle;
  }
  return graph->there[low]->component;
}

static void indices_in(const struct instances *set, uint32_t dims, uint32_t place, int64_t *out) {
  if (!set->box) {
    memcpy(out, set->points + (size_t)place * dims, sizeof *out * dims);
    return;
  }
  for (uint32_t k = 0; k < dims; k++) {
    uint32_t at = place / set->strides[k];
    out[k] = set->low[k] + at;
    place -= at * set->strides[k];
  }
}

void graph_indices(const struct graph *graph, uint32_t instance, int64_t *out) {
  const struct model_component *component = graph_component(graph, instance);
  const struct instances *set = &graph->instances[component->id];
  indices_in(set, component->index_count, instance - set->first, out);
}

void graph_instance_print(struct text *out, const struct graph *graph, uint32_t instance) {
  if (instance >= graph->instance_count) {
    text_put(out, "nobody");
    return;
  }
  const struct model_component *component = graph_component(graph, instance);
  const struct instances *set = &graph->instances[component->id];
  text_put(out, component->symbol->name->text);
  for (uint32_t k = 0; k < component->index_count; k++)
    text_printf(out, "%s%lld", k ? ", " : "[", (long long)instance_index(set, instance, k));
  if (component->index_count) text_char(out, ']');
}

bool graph_attribute(struct graph *graph, const struct model_accept *accept, uint32_t instance,
                     const struct name *folded, const struct value *dynamics, struct value *out) {
  struct resolver *r = graph->resolver;
  struct attribute_ref ref = profile_find(r, accept, folded);
  if (ref.kind == ATTRIBUTE_MISSING || ref.kind == ATTRIBUTE_NA) return false;
  if (ref.kind == ATTRIBUTE_DYNAMIC && dynamics && dynamics[ref.slot].kind != VALUE_NONE) {
    *out = dynamics[ref.slot];
    return true;
  }
  const struct instances *set = &graph->instances[accept->component->id];
  int64_t *indices = r->attribute_indices;
  if (instance < graph->instance_count) indices_in(set, accept->component->index_count, instance - set->first, indices);
  if (ref.kind == ATTRIBUTE_INDEX) {
    *out = (struct value){.kind = VALUE_INT, .integer = indices[ref.slot]};
    return true;
  }
  if (!ref.value || ref.value->kind == EXPR_NA) return false;
  struct environment environment = resolver_environment(r, indices);
  environment.locals = r->attribute_locals;
  struct arena before = *environment.scratch; /* while the model runs nobody resets it */
  bool fine = evaluate(&environment, ref.value, out);
  if (!fine || out->kind < VALUE_STRING) arena_return(environment.scratch, &before);
  return fine;
}

bool graph_attribute_indices(struct graph *graph, const struct model_accept *accept, const struct name *folded,
                             uint64_t *out) {
  struct attribute_ref ref = profile_find(graph->resolver, accept, folded);
  if (ref.kind != ATTRIBUTE_EXPR || !ref.value || ref.value->kind == EXPR_NA) return false;
  const struct formula *formula = formula_compile(graph->resolver, ref.value, 0);
  if (formula) *out = formula_reads(formula);
  return formula != NULL;
}

bool graph_reads_indices(const struct graph *graph, const struct expr *expr, bool *fixed) {
  unsigned uses = expr_uses(graph->resolver, expr);
  *fixed = !uses;
  return !(uses & ~(unsigned)USES_INDEX);
}

struct adapter *adapter_of(const struct binding *binding, const struct model_accept *accept) {
  for (uint32_t i = 0; i < binding->adapter_count; i++)
    if (binding->adapters[i]->accept == accept) return binding->adapters[i];
  return NULL;
}

const struct adapted *adapter_at(const struct adapter *adapter, const struct stmt *stmt) {
  for (uint32_t i = 0; adapter && i < adapter->statement_count; i++)
    if (adapter->statements[i].stmt == stmt) return &adapter->statements[i];
  return NULL;
}

static bool is_present(const struct binding *binding, uint32_t local) {
  return !binding->present || (binding->present[local / 8] >> (local % 8) & 1);
}

uint32_t targets_bound(const struct binding *binding, uint32_t local, struct target *one, const uint32_t **many,
                       uint32_t *first) {
  *many = NULL;
  *first = 0;
  switch (binding->kind) {
  case BINDING_ABSENT: return 0;
  case BINDING_SAME: *one = binding->target; return is_present(binding, local) && one->instance < INSTANCE_ABSENT;
  case BINDING_TABLE:
    one->instance = binding_target(binding, local);
    one->accept = binding->accept ? binding->accept->id : binding->accepts[local];
    return one->instance < INSTANCE_ABSENT;
  case BINDING_EVERY:
    *many = binding->targets;
    *first = binding->starts[local];
    return binding->starts[local + 1] - binding->starts[local];
  case BINDING_LATE: return 0;
  }
  return 0;
}
