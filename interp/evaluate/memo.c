/* Memory for the results of functions: a table a function, rows in the order of their making and an index by
 * hash with open addressing.  The evaluator looks results up before it calls. */
#include "interp/evaluate/memo.h"
#include "grammar/children.h"
#include <string.h>

struct memo_table {
  enum { USE_UNKNOWN, USE_NOT, USE_YES } use;
  uint32_t width; /* values of a row: arguments, indices, result */
  uint32_t count, capacity;
  struct value *rows;
  uint32_t *slots;     /* row + 1, 0: free */
  uint32_t slot_count; /* a power of two */
};

struct memo {
  struct arena *arena;
  struct arena values;
  struct arena_deferred end;
  struct memo_table *tables; /* by the function's id */
  uint32_t table_count;
};

static void end(void *user) {
  struct memo *memo = user;
  arena_close(&memo->values);
}

struct memo *memo_of(struct model *model) {
  if (!model->memo) {
    struct memo *memo = ARENA_NEW(model->arena, struct memo);
    memo->arena = model->arena;
    arena_open(&memo->values, model->arena->memory);
    memo->end = (struct arena_deferred){end, memo, NULL};
    arena_defer(model->arena, &memo->end);
    memo->tables = ARENA_ARRAY(model->arena, struct memo_table, model->function_count);
    memo->table_count = model->function_count;
    model->memo = memo;
  }
  return model->memo;
}

void memo_extend(struct model *model) {
  struct memo *memo = model->memo;
  if (!memo) return;
  memo->tables = arena_grow(memo->arena, memo->tables, sizeof *memo->tables * memo->table_count,
                            sizeof *memo->tables * model->function_count);
  memo->table_count = model->function_count;
}

struct arena *memo_values(struct memo *memo) {
  return &memo->values;
}

static bool is_costly(const struct expr *expr, void *user) {
  bool calls = expr->kind == EXPR_CALL &&
               (expr->call->binder_count || !expr->call->symbol || expr->call->symbol->kind != SYMBOL_BUILTIN);
  return calls || expr->kind == EXPR_EACH || expr_any_child(expr, is_costly, user);
}

bool expr_is_costly(const struct expr *expr) { return is_costly(expr, NULL); }

static struct memo_table *table_of(struct memo *memo, const struct model_function *function) {
  return &memo->tables[function->id];
}

bool memo_wanted(struct memo *memo, const struct model_function *function) {
  if (function->id >= memo->table_count) return false;
  struct memo_table *table = table_of(memo, function);
  if (table->use == USE_UNKNOWN)
    table->use = function->recursive || expr_is_costly(function->value) ? USE_YES : USE_NOT;
  return table->use == USE_YES;
}

static uint64_t key_hash(const struct memo_key *key) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < key->function->param_count; i++)
    hash = (hash ^ value_hash(key->arguments[i])) * 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; i < key->index_count; i++)
    hash = (hash ^ value_hash(value_integer(key->indices[i]))) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

static bool key_same(const struct memo_key *key, const struct value *row) {
  uint32_t params = key->function->param_count;
  for (uint32_t i = 0; i < params; i++)
    if (!value_equal(key->arguments[i], row[i])) return false;
  for (uint32_t i = 0; i < key->index_count; i++)
    if (key->indices[i] != row[params + i].integer) return false;
  return true;
}

/* The slot of the key, or the free one where it belongs. The table has one. */
static uint32_t *find_slot(struct memo_table *table, const struct memo_key *key) {
  uint32_t mask = table->slot_count - 1;
  for (uint32_t at = (uint32_t)key_hash(key) & mask;; at = (at + 1) & mask) {
    uint32_t row = table->slots[at];
    if (!row || key_same(key, table->rows + (size_t)(row - 1) * table->width)) return &table->slots[at];
  }
}

const struct value *memo_get(struct memo *memo, const struct memo_key *key) {
  struct memo_table *table = table_of(memo, key->function);
  if (!table->count) return NULL;
  uint32_t row = *find_slot(table, key);
  return row ? table->rows + (size_t)row * table->width - 1 : NULL;
}

/* Room for one row more, and at most half of the slots taken. */
static void table_grow(struct memo *memo, struct memo_table *table, const struct memo_key *key) {
  size_t row = sizeof(struct value) * table->width;
  uint32_t capacity = table->capacity ? table->capacity * 2 : 8;
  table->rows = arena_grow(memo->arena, table->rows, row * table->capacity, row * capacity);
  table->slots = arena_grow(memo->arena, table->slots, sizeof *table->slots * table->slot_count,
                            sizeof *table->slots * capacity * 2);
  table->capacity = capacity;
  table->slot_count = capacity * 2;
  memset(table->slots, 0, sizeof *table->slots * table->slot_count);
  uint32_t params = key->function->param_count;
  int64_t *indices = ARENA_ARRAY(memo->arena, int64_t, key->index_count);
  for (uint32_t i = 0; i < table->count; i++) {
    const struct value *old = table->rows + (size_t)i * table->width;
    for (uint32_t k = 0; k < key->index_count; k++)
      indices[k] = old[params + k].integer;
    struct memo_key again = {key->function, old, indices, key->index_count};
    *find_slot(table, &again) = i + 1;
  }
}

void memo_put(struct memo *memo, const struct memo_key *key, struct value result) {
  struct memo_table *table = table_of(memo, key->function);
  uint32_t params = key->function->param_count;
  if (table->count == UINT32_MAX / 4) return; /* results beyond so many are computed again */
  table->width = params + key->index_count + 1;
  if (table->count == table->capacity) table_grow(memo, table, key);
  uint32_t *slot = find_slot(table, key);
  if (*slot) return;
  struct value *row = table->rows + (size_t)table->count * table->width;
  for (uint32_t i = 0; i < params; i++)
    row[i] = value_copy(&memo->values, key->arguments[i], HOLDS_MODEL);
  for (uint32_t i = 0; i < key->index_count; i++)
    row[params + i] = value_integer(key->indices[i]);
  row[table->width - 1] = value_copy(&memo->values, result, HOLDS_MODEL);
  *slot = ++table->count;
}

void memo_empty(struct memo *memo) {
  for (uint32_t t = 0; t < memo->table_count; t++) {
    struct memo_table *table = &memo->tables[t];
    table->count = 0;
    if (table->slot_count) memset(table->slots, 0, sizeof *table->slots * table->slot_count);
  }
}

void memo_clear(struct memo *memo) {
  memo_empty(memo);
  arena_reset(&memo->values);
}
