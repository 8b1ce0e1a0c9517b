/* Which accepts a request can mean at most, without a look at all: those that take its transaction or what a rule
 * makes of it, or those whose profile has what one of its clauses wants. Each is found by a table that is made when it
 * is first asked for; matching then tests all that is to be tested.  Called by match.c and effects.c. */
#include "interp/resolve/resolve.h"

struct accept_list {
  uint32_t *ids; /* rising */
  uint32_t count, capacity;
};

struct provider_part {
  const struct accept_list *list;
  uint32_t at;
};

struct provider_table {
  const struct name *attribute; /* NULL: accepts by the name of their transaction */
  struct map places;            /* a key's place among the lists */
  struct accept_list *lists;
  uint32_t count, capacity;
  struct accept_list others; /* those whose value is not one for all instances, or neither a term nor whole */
  struct provider_table *next;
};

static void table_add(struct resolver *r, struct provider_table *table, uint64_t key, uint32_t accept) {
  bool known;
  uint32_t place = map_add(r->arena, &table->places, key, table->count, &known);
  struct accept_list empty = {0};
  if (!known) ARENA_PUSH(r->arena, table->lists, table->count, table->capacity, empty);
  struct accept_list *list = &table->lists[place];
  ARENA_PUSH(r->arena, list->ids, list->count, list->capacity, accept);
}

/* Of the lists that hold all that the request can mean the shortest are taken. */
static void take_list(struct resolver *r, struct provider_walk *walk, const struct accept_list *list) {
  walk->length += list->count;
  for (uint32_t k = 0; k < walk->count; k++)
    if (walk->parts[k].list == list) return;
  struct provider_part part = {list, 0};
  ARENA_PUSH(r->arena, walk->parts, walk->count, walk->capacity, part);
}

static const struct accept_list *table_find(const struct provider_table *table, uint64_t key) {
  static const struct accept_list none;
  uint32_t place = map_get(&table->places, key, table->count);
  return place < table->count ? &table->lists[place] : &none;
}

/* Values that may match have the same key. False: it has none. */
static bool key_of(struct value value, uint64_t *key) {
  if (value.kind == VALUE_TERM)
    *key = value.term.head;
  else if (value.kind == VALUE_INT)
    *key = (uint64_t)value.integer;
  return value.kind == VALUE_TERM || value.kind == VALUE_INT;
}

static bool is_settled(struct resolver *r, const struct expr *expr) {
  return !expr_uses(r, expr) && (!r->settled || r->settled(r, expr));
}

static void attribute_enter(struct resolver *r, struct provider_table *table, const struct model_accept *accept) {
  struct attribute_ref ref = profile_find(r, accept, table->attribute);
  struct value offered;
  uint64_t key;
  if (ref.kind == ATTRIBUTE_MISSING) return;
  if (ref.kind == ATTRIBUTE_EXPR && is_settled(r, ref.value) && resolver_quietly(r, ref.value, NULL, &offered) &&
      key_of(offered, &key))
    table_add(r, table, key, accept->id);
  else
    ARENA_PUSH(r->arena, table->others.ids, table->others.count, table->others.capacity, accept->id);
}

static uint64_t transaction_key(const struct model_transaction *transaction) {
  return map_key(transaction->symbol->name->folded);
}

static struct provider_table *table_of(struct resolver *r, const struct name *attribute) {
  struct provider_table *table = r->providers;
  while (table && table->attribute != attribute)
    table = table->next;
  if (table) return table;
  table = ARENA_NEW(r->arena, struct provider_table);
  *table = (struct provider_table){.attribute = attribute, .next = r->providers};
  r->providers = table;
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    const struct model_accept *accept = r->model->accepts[k];
    if (attribute)
      attribute_enter(r, table, accept);
    else
      table_add(r, table, transaction_key(accept->transaction), accept->id);
  }
  return table;
}

static void take_clause(struct resolver *r, struct provider_walk *walk, const struct expr *expr) {
  struct value wanted;
  uint64_t key;
  if (expr->kind == EXPR_BINARY && expr->binary.op == OP_AND) {
    take_clause(r, walk, expr->binary.left);
    take_clause(r, walk, expr->binary.right);
    return;
  }
  if (expr->kind != EXPR_CLAUSE || expr->clause.op != OP_EQ || expr->clause.value->kind == EXPR_NA ||
      !is_settled(r, expr->clause.value) || !resolver_quietly(r, expr->clause.value, NULL, &wanted) ||
      !key_of(wanted, &key))
    return;
  const struct provider_table *table = table_of(r, expr->clause.attribute->folded);
  const struct accept_list *same = table_find(table, key);
  if (same->count + table->others.count >= walk->length) return;
  walk->count = 0;
  walk->length = 0;
  take_list(r, walk, same);
  take_list(r, walk, &table->others);
}

static void take_transaction(struct resolver *r, struct provider_walk *walk,
                             const struct model_transaction *transaction) {
  take_list(r, walk, table_find(table_of(r, NULL), transaction_key(transaction)));
}

struct provider_walk providers_open(struct resolver *r, const struct model_request *request) {
  struct provider_walk walk = {0};
  take_transaction(r, &walk, request->transaction);
  for (uint32_t k = 0; k < r->model->coercion_count; k++) {
    const struct model_coercion *rule = r->model->coercions[k];
    if (rule->body && rule->from_transaction == request->transaction) take_transaction(r, &walk, rule->to_transaction);
  }
  if (request->selector) take_clause(r, &walk, request->selector);
  return walk;
}

bool providers_next(struct provider_walk *walk, uint32_t *accept) {
  *accept = UINT32_MAX;
  for (struct provider_part *part = walk->parts; part < walk->parts + walk->count; part++)
    if (part->at < part->list->count && part->list->ids[part->at] < *accept) *accept = part->list->ids[part->at];
  for (struct provider_part *part = walk->parts; part < walk->parts + walk->count; part++)
    part->at += part->at < part->list->count && part->list->ids[part->at] == *accept;
  return *accept != UINT32_MAX;
}
