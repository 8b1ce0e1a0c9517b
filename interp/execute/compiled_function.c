/* Compiled functions: which there are, their tables of results, and the loop that runs them.  The walker
 * comes here through model->apply, bodies by the instruction CALL. */
#include "interp/execute/compiled_function.h"
#include "grammar/children.h"
#include "interp/execute/compiler.h"
#include "interp/execute/diagonals.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/evaluate/memo.h"
#include <float.h>
#include <string.h>

enum {
  WALKS_FIRST = 64,      /* a function that does not call itself is compiled after so many calls */
  FAILURES_LAST = 16,    /* after so many calls that came to nothing the walker takes it */
  MAKING_DEPTH = 100,    /* functions that are compiled one for the sake of the other */
  FILL_LEAST = 64,       /* cells that are worth to be filled at once, */
  FILL_MOST = 1 << 20,   /* and as many as are before it is looked whether somebody wants the end */
  SMALL_TABLE = 1 << 15, /* cells that a dense table may have whatever is in them, */
  SPARSE = 8,            /* and beyond that for each that is filled */
  CODE_MOST = 32 << 20,  /* bytes of code and tables, before they are dropped when params change */
};
#define STACK_MOST ((size_t)1 << 26) /* slots */

struct functions {
  struct model *model;
  struct arena *arena;           /* emptied by model_forget */
  struct function_code **codes;  /* by the function's id; NULL: not met */
  struct function_code **delays; /* by the request's id, likewise, */
  struct function_code **lets;   /* and by the let's number, */
  uint32_t let_count;            /* as far as there is one: a session gets more */
  uint32_t making;
  uint64_t epoch;
  union slot *stack;
  size_t stack_size;
  size_t stack_held; /* by the run that has begun the one in hand */
};

struct table {
  struct table *next;
  union slot key[FUNCTION_PARAMS];
  int64_t least[3], most[3]; /* of the varying arguments so far */
  uint64_t count;            /* of results */
  /* dense: */
  int64_t low[3];
  uint64_t extent[3];
  uint64_t *cells; /* as those of struct cells */
  uint64_t room;   /* for so many there is place */
  /* hashed: rows of the varying arguments and the result */
  union slot *rows;
  uint32_t row_capacity, *places, place_count;
};
#define FREE FREE_CELL

struct box {
  int64_t low[3];
  uint64_t extent[3];
};

/* The number of cells; 0: very many. */
static uint64_t box_size(const struct box *box, uint32_t dims) {
  uint64_t size = 1;
  for (uint32_t d = 0; d < dims; d++) {
    if (!box->extent[d] || box->extent[d] >= 1u << 30 || size >= (uint64_t)1 << 33) return 0;
    size *= box->extent[d];
  }
  return size;
}

/* Old code and tables are left behind when new ones are made: now and then all begins anew. */
static void drop_if_large(struct model *model) {
  struct functions *functions = model->compiled;
  if (functions->epoch == model->epoch) return;
  functions->epoch = model->epoch;
  if (arena_size(model->code) < CODE_MOST || functions->making || model->walking) return;
  arena_reset(model->code);
  model->compiled = NULL;
  model->checked++; /* other code may point there */
}

struct functions *functions_of(struct model *model) {
  if (model->compiled) drop_if_large(model);
  if (!model->compiled) {
    struct functions *functions = ARENA_NEW(model->code, struct functions);
    functions->model = model;
    functions->arena = model->code;
    functions->codes = ARENA_ARRAY(model->code, struct function_code *, model->function_count + 1);
    model->compiled = functions;
  }
  return model->compiled;
}

struct function_code *function_entry(struct functions *functions, const struct model_function *function) {
  struct function_code **code = &functions->codes[function->id];
  if (!*code) {
    *code = ARENA_NEW(functions->arena, struct function_code);
    (*code)->function = function;
  }
  return *code;
}

/* ---- making code ---- */

struct handed { /* a parameter that is looked at */
  const struct model_function *function;
  uint32_t param;
};

/* Is there a call of the function that gives the parameter something else than itself? */
static bool passes_other(const struct expr *expr, void *user) {
  const struct handed *handed = user;
  const struct model_function *function = handed->function;
  if (expr->kind == EXPR_CALL && expr->call->symbol == function->symbol) {
    const struct expr *given = handed->param < expr->call->bound_count ? expr->call->bound[handed->param] : NULL;
    if (!given || given->kind != EXPR_NAME || given->name.symbol != function->params[handed->param]) return true;
  }
  return expr_any_child(expr, passes_other, user);
}

/* Which parameters stay what they are in all calls inside: those of its own calls, and the indices. */
static void find_invariants(struct function_code *code) {
  const struct model_function *function = code->function;
  code->invariant_count = code->varying_count = 0;
  code->whole = true;
  for (uint32_t k = 0; k < code->param_count; k++) {
    bool index = k >= function->param_count;
    struct handed handed = {function, k};
    if (index || (code->alone && !passes_other(function->value, &handed))) {
      code->invariants[code->invariant_count++] = (uint16_t)k;
    } else {
      code->varying[code->varying_count++] = (uint16_t)k;
      code->whole &= code->kinds[k] == TYPE_INT || code->kinds[k] == TYPE_BOOL;
    }
  }
  code->whole &= code->varying_count >= 1 && code->varying_count <= 3;
}

static bool prepare(struct functions *functions, struct function_code *code) {
  const struct model_function *function = code->function;
  uint32_t indices = function->component ? function->component->index_count : 0;
  code->param_count = function->param_count + indices;
  code->result = function->symbol->type->kind;
  if (code->param_count > FUNCTION_PARAMS || !kind_is_scalar(code->result)) return false;
  for (uint32_t k = 0; k < code->param_count; k++) {
    code->kinds[k] = k < function->param_count ? function->params[k]->type->kind : TYPE_INT;
    if (!kind_is_scalar(code->kinds[k])) return false;
  }
  code->alone = function->recursive && function->alone;
  code->memo = memo_wanted(memo_of(functions->model), function);
  find_invariants(code);
  code->near = code->alone && code->memo && code->whole && !code->far;
  return true;
}

struct making {
  struct functions *functions;
  struct function_code *code;
};

static bool make(struct arena *arena, void *user) {
  struct making *making = user;
  struct functions *functions = making->functions;
  struct model *model = functions->model;
  struct environment environment = {.model = model, .scratch = arena};
  struct compiler compiler = {
      .functions = functions, .model = model, .environment = &environment, .sites = functions->arena, .arena = arena};
  struct function_code *code = making->code;
  reads_open(&code->reads, functions->arena);
  code->callees = NULL;
  code->callee_count = code->callee_capacity = 0;
  code->table = NULL;
  code->buckets = NULL;
  code->table_count = code->bucket_count = 0;
  code->plain = 0;
  code->failed = 0;
  model->reads = &code->reads;
  return prepare(functions, code) && compile_function(&compiler, code);
}

/* ---- whether it still does ---- */

struct testing {
  struct functions *functions;
  struct function_code *code;
  enum reads_state state;
};

static bool test_reads(struct arena *arena, void *user) {
  struct testing *testing = user;
  struct model *model = testing->functions->model;
  struct environment environment = {.model = model, .scratch = arena};
  testing->state = reads_check(&testing->code->reads, &environment);
  return true;
}

/* A table whose inside is filled at once becomes as large as what is asked for next, from where it has begun. */
static void table_empty(const struct function_code *code, struct table *table) {
  table->count = 0;
  if (table->cells && code->diagonals) {
    memset(table->extent, 0, sizeof table->extent);
    for (uint32_t d = 0; d < 3; d++)
      table->most[d] = INT64_MIN;
  } else if (table->cells) {
    struct box box;
    memcpy(box.low, table->low, sizeof box.low);
    memcpy(box.extent, table->extent, sizeof box.extent);
    memset(table->cells, 0, box_size(&box, code->varying_count) * sizeof *table->cells);
  } else if (table->places) {
    memset(table->places, 0, table->place_count * sizeof *table->places);
  }
}

/* Params have changed since: is the code good for their values, and are its results? What it calls is tested
 * as well. In a circle of functions results are never kept. */
static struct function_code *code_ready(struct functions *functions, struct function_code *code);

static void test(struct functions *functions, struct function_code *code) {
  struct model *model = functions->model;
  struct testing testing = {functions, code, READS_BROKEN};
  code->epoch = model->epoch;
  code->state = CODE_MAKING;
  if (reads_known(&code->reads))
    test_reads(NULL, &testing);
  else
    compile_guarded(model, test_reads, &testing);
  if (testing.state == READS_BROKEN) {
    code->state = CODE_UNTRIED;
    code->changed = true;
    code_ready(functions, code);
    return;
  }
  code->state = CODE_READY;
  code->changed = testing.state == READS_VARIED || (code->function->recursive && !code->alone);
  for (uint32_t k = 0; k < code->callee_count; k++) {
    struct function_code *callee = code->callees[k];
    if (callee->state == CODE_READY && callee->epoch != model->epoch) test(functions, callee);
    code->changed |= callee->changed || callee->state != CODE_READY;
  }
  for (uint32_t b = 0; code->changed && b < code->bucket_count; b++)
    for (struct table *table = code->buckets[b]; table; table = table->next)
      table_empty(code, table);
}

/* Ready, for the values that params have now. */
static inline bool is_ready(struct functions *functions, struct function_code *code) {
  if (code->state == CODE_READY && code->epoch != functions->model->epoch) test(functions, code);
  return code->state == CODE_READY;
}

static struct function_code *code_ready(struct functions *functions, struct function_code *code) {
  if (code->state == CODE_REFUSED && code->epoch != functions->model->epoch) code->state = CODE_UNTRIED;
  if (code->state == CODE_UNTRIED && functions->making < MAKING_DEPTH) {
    struct reads *reads = functions->model->reads;
    code->state = CODE_MAKING;
    code->epoch = functions->model->epoch;
    code->changed = true;
    functions->making++;
    bool fine = compile_guarded(functions->model, make, &(struct making){functions, code});
    functions->making--;
    functions->model->reads = reads;
    code->state = fine ? CODE_READY : CODE_REFUSED;
  }
  return code->state == CODE_MAKING || is_ready(functions, code) ? code : NULL;
}

struct function_code *function_code(struct functions *functions, const struct model_function *function) {
  return code_ready(functions, function_entry(functions, function));
}

/* A function of no parameters that no one can name: no results of it are kept. */
static struct function_code *nameless(struct functions *functions, const struct type *type, struct expr *value,
                                      uint32_t slots, struct model_component *component) {
  struct model_function *function = ARENA_NEW(functions->arena, struct model_function);
  struct function_code *code = ARENA_NEW(functions->arena, struct function_code);
  struct symbol *symbol = ARENA_NEW(functions->arena, struct symbol);
  *symbol = (struct symbol){.kind = SYMBOL_FUNCTION, .type = type, .function = function};
  *function = (struct model_function){
      .symbol = symbol, .slot_count = slots, .value = value, .component = component, .id = UINT32_MAX};
  code->function = function;
  return code;
}

/* Of the request's component. */
static struct function_code *delay_new(struct functions *functions, const struct model_request *request) {
  return nameless(functions, functions->model->types.time, request->delay, request->accept->slot_count,
                  request->component);
}

struct function_code *delay_code(struct functions *functions, const struct model_request *request) {
  struct model *model = functions->model;
  if (!functions->delays)
    functions->delays = ARENA_ARRAY(functions->arena, struct function_code *, model->request_count);
  struct function_code **code = &functions->delays[request->id];
  if (!*code) *code = delay_new(functions, request);
  return code_ready(functions, *code);
}

/* ---- tables of results ---- */

/* Small whole numbers differ in their low bits, reals that stand for such in their high ones: both come to the low bits
 * of the hash, which choose the place. */
static uint64_t mix(uint64_t hash, union slot slot) {
  hash ^= (uint64_t)slot.integer;
  hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* 0 and -0 are one argument, as they are for the walker. */
static union slot key_part(enum type_kind kind, union slot slot) {
  if (kind == TYPE_REAL) slot.real += 0.0;
  return slot;
}

static void key_of(const struct function_code *code, const uint16_t *which, uint32_t count, const union slot *arguments,
                   union slot *key) {
  for (uint32_t k = 0; k < count; k++)
    key[k] = key_part(code->kinds[which[k]], arguments[which[k]]);
}

static bool key_same(const union slot *a, const union slot *b, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (a[k].integer != b[k].integer) return false;
  return true;
}

static uint64_t key_hash(const union slot *key, uint32_t count) {
  uint64_t hash = 0;
  for (uint32_t k = 0; k < count; k++)
    hash = mix(hash, key[k]);
  return hash;
}

/* The row of a key, or where it would be noted. */
static uint32_t *hashed_place(const struct function_code *code, const struct table *table, const union slot *key) {
  uint32_t mask = table->place_count - 1, width = code->varying_count + 1;
  for (uint32_t at = (uint32_t)key_hash(key, code->varying_count) & mask;; at = (at + 1) & mask) {
    uint32_t row = table->places[at];
    if (!row || key_same(key, table->rows + (size_t)(row - 1) * width, code->varying_count)) return &table->places[at];
  }
}

/* The cell of a dense table, of one to three dimensions; NULL: outside. */
static inline uint64_t *dense_cell(const struct function_code *code, const struct table *table,
                                   const union slot *arguments) {
  uint64_t at = (uint64_t)arguments[code->varying[0]].integer - (uint64_t)table->low[0], offset;
  if (at >= table->extent[0]) return NULL;
  if (code->varying_count == 1) return &table->cells[at];
  offset = (uint64_t)arguments[code->varying[1]].integer - (uint64_t)table->low[1];
  if (offset >= table->extent[1]) return NULL;
  at = at * table->extent[1] + offset;
  if (code->varying_count == 2) return &table->cells[at];
  offset = (uint64_t)arguments[code->varying[2]].integer - (uint64_t)table->low[2];
  return offset < table->extent[2] ? &table->cells[at * table->extent[2] + offset] : NULL;
}

static inline bool table_find(const struct function_code *code, const union slot *arguments, union slot *out) {
  const struct table *table = code->table;
  if (table->cells) {
    const uint64_t *cell = dense_cell(code, table, arguments);
    if (!cell || !*cell) return false;
    out->integer = (int64_t)(*cell ^ FREE);
    return true;
  }
  if (!table->place_count) return false;
  union slot key[FUNCTION_PARAMS];
  key_of(code, code->varying, code->varying_count, arguments, key);
  uint32_t row = *hashed_place(code, table, key);
  if (row) *out = table->rows[(size_t)row * (code->varying_count + 1) - 1];
  return row != 0;
}

static bool box_fits(const struct table *table, const struct box *box, uint32_t dims) {
  uint64_t size = box_size(box, dims);
  return size && (size <= SMALL_TABLE || size <= SPARSE * table->count);
}

/* A box round what the table has and has seen; with room to grow on the side where it grows. */
static struct box box_round(const struct function_code *code, const struct table *table, bool room) {
  struct box box;
  for (uint32_t d = 0; d < code->varying_count; d++) {
    int64_t low = table->least[d], high = table->most[d];
    uint64_t old = table->cells ? table->extent[d] : 0;
    if (old && table->low[d] < low) low = table->low[d];
    if (old && table->low[d] + (int64_t)(old - 1) > high) high = table->low[d] + (int64_t)(old - 1);
    uint64_t extent = (uint64_t)high - (uint64_t)low + 1;
    if (room && extent > old && extent < old * 2) {
      int64_t more = (int64_t)(old * 2 - extent);
      if (low < table->low[d] && low >= INT64_MIN + more) low -= more;
      if (low >= table->low[d] && high > INT64_MAX - more) more = 0;
      extent += (uint64_t)more;
    }
    box.low[d] = low;
    box.extent[d] = extent;
  }
  return box;
}

/* How many cells stay where they are when the table gets the box, which has but more lines; 0: it has other ones, or
 * there is no place. */
static uint64_t in_place(const struct table *table, const struct box *box, uint32_t dims) {
  bool fits = table->extent[0] && box->extent[0] >= table->extent[0] && box_size(box, dims) <= table->room;
  uint64_t count = table->extent[0];
  for (uint32_t d = 0; d < dims; d++)
    fits &= box->low[d] == table->low[d] && (d == 0 || box->extent[d] == table->extent[d]);
  for (uint32_t d = 1; d < dims; d++)
    count *= table->extent[d];
  return fits ? count : 0;
}

/* Moves all results to dense cells for the box. */
static void make_dense(struct functions *functions, const struct function_code *code, struct table *table,
                       const struct box *box) {
  struct table old = *table;
  uint32_t dims = code->varying_count;
  uint64_t wanted = box_size(box, dims), kept = in_place(&old, box, dims);
  if (kept || (!old.extent[0] && wanted <= table->room)) {
    memset(table->cells + kept, 0, (wanted - kept) * sizeof *table->cells);
  } else {
    table->room = wanted > 2 * old.room ? wanted : 2 * old.room; /* the old ones are left behind */
    table->cells = ARENA_ARRAY(functions->arena, uint64_t, table->room);
  }
  memcpy(table->low, box->low, sizeof table->low);
  memcpy(table->extent, box->extent, sizeof table->extent);
  table->rows = NULL;
  table->places = NULL;
  table->row_capacity = table->place_count = 0;
  union slot at[FUNCTION_PARAMS];
  for (uint64_t k = 0; !old.cells && old.rows && k < old.count; k++) {
    const union slot *row = old.rows + k * (dims + 1);
    for (uint32_t d = 0; d < dims; d++)
      at[code->varying[d]] = row[d];
    *dense_cell(code, table, at) = (uint64_t)row[dims].integer ^ FREE;
  }
  if (!old.cells || kept) return;
  struct box had;
  memcpy(had.low, old.low, sizeof had.low);
  memcpy(had.extent, old.extent, sizeof had.extent);
  uint64_t size = box_size(&had, dims), line = old.extent[dims - 1];
  for (uint64_t k = 0; k < size; k += line) { /* line by line */
    uint64_t rest = k / line;
    at[code->varying[dims - 1]].integer = old.low[dims - 1];
    for (uint32_t d = dims - 1; d-- > 0; rest /= old.extent[d])
      at[code->varying[d]].integer = old.low[d] + (int64_t)(rest % old.extent[d]);
    memcpy(dense_cell(code, table, at), old.cells + k, line * sizeof *old.cells);
  }
}

static void rehash(struct functions *functions, const struct function_code *code, struct table *table) {
  uint32_t width = code->varying_count + 1, capacity = table->row_capacity ? table->row_capacity * 2 : 16;
  table->rows = arena_grow(functions->arena, table->rows, sizeof *table->rows * width * table->row_capacity,
                           sizeof *table->rows * width * capacity);
  table->places = arena_grow(functions->arena, table->places, sizeof *table->places * table->place_count,
                             sizeof *table->places * capacity * 2);
  table->row_capacity = capacity;
  table->place_count = capacity * 2;
  memset(table->places, 0, sizeof *table->places * table->place_count);
  for (uint32_t k = 0; k < table->count; k++)
    *hashed_place(code, table, table->rows + (size_t)k * width) = k + 1;
}

static void note_extreme(struct table *table, uint32_t d, int64_t x) {
  if (x < table->least[d]) table->least[d] = x;
  if (x > table->most[d]) table->most[d] = x;
}

static void note_extremes(const struct function_code *code, struct table *table, const union slot *arguments) {
  for (uint32_t d = 0; d < code->varying_count; d++)
    note_extreme(table, d, arguments[code->varying[d]].integer);
}

static void to_hashed(struct functions *functions, const struct function_code *code, struct table *table) {
  struct table old = *table;
  uint32_t dims = code->varying_count;
  struct box had;
  memcpy(had.low, old.low, sizeof had.low);
  memcpy(had.extent, old.extent, sizeof had.extent);
  table->cells = NULL;
  table->room = 0;
  memset(table->extent, 0, sizeof table->extent);
  table->count = 0;
  uint64_t size = box_size(&had, dims);
  for (uint64_t k = 0; k < size; k++) {
    if (!old.cells[k]) continue;
    if (table->count == table->row_capacity) rehash(functions, code, table);
    union slot *row = table->rows + table->count * (dims + 1);
    uint64_t rest = k;
    for (uint32_t d = dims; d-- > 0; rest /= old.extent[d])
      row[d].integer = old.low[d] + (int64_t)(rest % old.extent[d]);
    row[dims].integer = (int64_t)(old.cells[k] ^ FREE);
    for (uint32_t d = 0; d < dims; d++)
      note_extreme(table, d, row[d].integer);
    *hashed_place(code, table, row) = (uint32_t)++table->count;
  }
}

static void store_hashed(struct functions *functions, struct function_code *code, const union slot *arguments,
                         union slot result) {
  struct table *table = code->table;
  if (table->count >= UINT32_MAX / 4) return; /* results beyond so many are computed again */
  if (table->count == table->row_capacity) {
    if (code->whole && table->count) {
      struct box box = box_round(code, table, false);
      if (box_fits(table, &box, code->varying_count)) {
        make_dense(functions, code, table, &box);
        *dense_cell(code, table, arguments) = (uint64_t)result.integer ^ FREE;
        table->count++;
        return;
      }
    }
    rehash(functions, code, table);
  }
  union slot key[FUNCTION_PARAMS];
  key_of(code, code->varying, code->varying_count, arguments, key);
  uint32_t *place = hashed_place(code, table, key);
  if (*place) return;
  union slot *row = table->rows + table->count * (code->varying_count + 1);
  memcpy(row, key, sizeof *row * code->varying_count);
  row[code->varying_count] = result;
  *place = (uint32_t)++table->count;
}

/* A result that has no place in the dense cells, or a table that is hashed. */
static __attribute__((noinline)) void store_slowly(struct functions *functions, struct function_code *code,
                                                   const union slot *arguments, union slot result) {
  struct table *table = code->table;
  if (code->whole) note_extremes(code, table, arguments);
  if (!table->cells) {
    store_hashed(functions, code, arguments, result);
    return;
  }
  struct box box = box_round(code, table, true);
  if (!box_fits(table, &box, code->varying_count)) box = box_round(code, table, false);
  if (box_fits(table, &box, code->varying_count)) {
    make_dense(functions, code, table, &box);
    *dense_cell(code, table, arguments) = (uint64_t)result.integer ^ FREE;
    table->count++;
    return;
  }
  to_hashed(functions, code, table);
  store_hashed(functions, code, arguments, result);
}

static void more_buckets(struct functions *functions, struct function_code *code) {
  uint32_t count = code->bucket_count ? code->bucket_count * 2 : 8;
  struct table **buckets = ARENA_ARRAY(functions->arena, struct table *, count);
  for (uint32_t b = 0; b < code->bucket_count; b++)
    for (struct table *table = code->buckets[b], *next; table; table = next) {
      struct table **bucket = &buckets[key_hash(table->key, code->invariant_count) & (count - 1)];
      next = table->next;
      table->next = *bucket;
      *bucket = table;
    }
  code->buckets = buckets;
  code->bucket_count = count;
}

static struct table *table_new(struct functions *functions, struct function_code *code, const union slot *key) {
  if (code->table_count >= code->bucket_count) more_buckets(functions, code);
  struct table *table = ARENA_NEW(functions->arena, struct table);
  memcpy(table->key, key, sizeof *key * code->invariant_count);
  for (uint32_t d = 0; d < 3; d++) {
    table->least[d] = INT64_MAX;
    table->most[d] = INT64_MIN;
  }
  struct table **bucket = &code->buckets[key_hash(key, code->invariant_count) & (code->bucket_count - 1)];
  table->next = *bucket;
  *bucket = table;
  code->table_count++;
  return table;
}

/* A call from outside: the table of its invariants, with room for what such a call often comes to: from its
 * arguments down to 0. */
static void table_choose(struct functions *functions, struct function_code *code, const union slot *arguments) {
  union slot key[FUNCTION_PARAMS];
  key_of(code, code->invariants, code->invariant_count, arguments, key);
  struct table *table = code->table;
  if (!table || !key_same(key, table->key, code->invariant_count)) {
    table = code->bucket_count ? code->buckets[key_hash(key, code->invariant_count) & (code->bucket_count - 1)] : NULL;
    while (table && !key_same(key, table->key, code->invariant_count))
      table = table->next;
    code->table = table = table ? table : table_new(functions, code, key);
  }
  if (!code->whole || (table->cells ? dense_cell(code, table, arguments) != NULL : table->place_count != 0)) return;
  struct table wide = *table;
  note_extremes(code, &wide, arguments);
  if (code->function->recursive)
    for (uint32_t d = 0; d < code->varying_count; d++) {
      if (wide.least[d] > 0) wide.least[d] = 0;
      if (wide.most[d] < 0) wide.most[d] = 0;
    }
  struct box box = box_round(code, &wide, true);
  if (!box_fits(table, &box, code->varying_count)) return;
  memcpy(table->least, wide.least, sizeof wide.least);
  memcpy(table->most, wide.most, sizeof wide.most);
  make_dense(functions, code, table, &box);
}

/* ---- running ---- */

static bool is_near(const struct function_code *code, const union slot *arguments) {
  for (uint32_t k = 0; k < code->param_count; k++)
    if (code->kinds[k] == TYPE_INT && (arguments[k].integer < -NEAR || arguments[k].integer > NEAR)) return false;
  return true;
}

/* It has failed, perhaps for what it took for granted: from the next call on there is code that does not. */
static void give_up_near(struct function_code *code) {
  if (!code->near) return;
  code->far = true;
  code->state = CODE_UNTRIED;
}

/* Room for `more` slots; false: as deep as it goes. */
static bool stack_grow(struct functions *functions, size_t top, size_t more) {
  const struct memory *memory = functions->arena->memory;
  size_t size = functions->stack_size ? functions->stack_size * 2 : 512;
  while (size < top + more)
    size *= 2;
  if (size > STACK_MOST ||
      (memory->limit && memory->used + size * sizeof(union slot) * 2 > memory->limit)) /* old and new */
    return false;
  functions->stack = arena_grow(functions->arena, functions->stack, functions->stack_size * sizeof(union slot),
                                size * sizeof(union slot));
  functions->stack_size = size;
  return true;
}

/* The registers that a call may change: two or three, mostly. */
static inline union slot *save(const struct call_site *site, const union slot *r, union slot *top) {
  const uint16_t *saved = site->saved;
  uint32_t count = site->saved_count;
  if (count == 2 || count == 3) {
    top[0] = r[saved[0]];
    top[1] = r[saved[1]];
    if (count == 3) top[2] = r[saved[2]];
    return top + count;
  }
  for (uint32_t k = 0; k < count; k++)
    top[k] = r[saved[k]];
  return top + count;
}

static inline void restore(const struct call_site *site, union slot *r, const union slot *top) {
  const uint16_t *saved = site->saved;
  uint32_t count = site->saved_count;
  if (count == 2 || count == 3) {
    r[saved[0]] = top[0];
    r[saved[1]] = top[1];
    if (count == 3) r[saved[2]] = top[2];
    return;
  }
  for (uint32_t k = 0; k < count; k++)
    r[saved[k]] = top[k];
}

static bool run(struct functions *functions, struct function_code *code, const union slot *arguments, union slot *out,
                const void *const **where);

/* Has the dense table a place for all from one less than `low` up to `high`? It is given one where that is not much
 * more than what will stand there. */
static bool fill_has_room(struct functions *functions, const struct function_code *code, const int64_t low[2],
                          const int64_t high[2]) {
  struct table *table = code->table, wide = *table;
  bool inside = table->cells != NULL;
  uint64_t wanted = 2;
  for (uint32_t d = 0; d < 2; d++) {
    note_extreme(&wide, d, low[d] - 1);
    note_extreme(&wide, d, high[d]);
    inside &= low[d] > table->low[d] && (uint64_t)(high[d] - table->low[d]) < table->extent[d];
    wanted *= (uint64_t)(high[d] - low[d]) + 2;
  }
  if (inside) return true;
  struct box box = box_round(code, &wide, false);
  uint64_t size = box_size(&box, 2);
  if (!size || size > wanted) return false;
  memcpy(table->least, wide.least, sizeof wide.least);
  memcpy(table->most, wide.most, sizeof wide.most);
  make_dense(functions, code, table, &box);
  return true;
}

/* The cell of these parameters, computed where it is empty; false: it has not come to a result in its place. */
static bool fill_edge(struct functions *functions, struct function_code *code, union slot *arguments, int64_t first,
                      int64_t second) {
  union slot result;
  arguments[code->varying[0]].integer = first;
  arguments[code->varying[1]].integer = second;
  const uint64_t *cell = code->table->cells ? dense_cell(code, code->table, arguments) : NULL;
  if (!cell || *cell) return cell != NULL;
  if (!run(functions, code, arguments, &result, NULL) || !code->table->cells) return false;
  cell = dense_cell(code, code->table, arguments);
  return cell && *cell;
}

/* The cells before the inside that it needs, the furthest first, which often need the others. */
static bool fill_edges(struct functions *functions, struct function_code *code, union slot *arguments,
                       const int64_t low[2], const int64_t high[2], bool corner) {
  for (int64_t second = high[1]; second >= low[1]; second--)
    if (!fill_edge(functions, code, arguments, low[0] - 1, second)) return false;
  for (int64_t first = high[0]; first >= low[0]; first--)
    if (!fill_edge(functions, code, arguments, first, low[1] - 1)) return false;
  return !corner || fill_edge(functions, code, arguments, low[0] - 1, low[1] - 1);
}

/* By lines of cells, so that somebody may want the end. */
static void fill_inside(struct functions *functions, struct function_code *code, const int64_t low[2],
                        const int64_t high[2]) {
  struct table *table = code->table;
  struct cells cells = {table->cells, {table->low[0], table->low[1]}, {table->extent[0], table->extent[1]}, false};
  uint64_t corner = (uint64_t)(low[0] - 1 - table->low[0]) * table->extent[1] + (uint64_t)(low[1] - 1 - table->low[1]);
  uint64_t edges = (uint64_t)(high[0] - low[0]) + (uint64_t)(high[1] - low[1]) + 2;
  cells.empty = table->count == edges + (table->cells[corner] != 0);
  int64_t line = high[1] - low[1] + 1, lines = line < FILL_MOST ? FILL_MOST / line : 1;
  if (lines > DIAGONALS_LINES) lines = DIAGONALS_LINES;
  for (int64_t at = low[0]; at <= high[0] && !interrupted(functions->model->arena->memory); at += lines) {
    int64_t from[2] = {at, low[1]}, to[2] = {at + lines - 1 < high[0] ? at + lines - 1 : high[0], high[1]};
    if (!diagonals_fill(code->diagonals, code->registers, &cells, from, to, &table->count)) return;
  }
}

/* Before the body of a call from outside: what it will ask for is put in the table at once, where that has nothing of
 * it yet. What does not come to a result here is found again by the body. `held` slots of the stack are in use. */
static __attribute__((noinline)) void table_fill(struct functions *functions, struct function_code *code, size_t held) {
  union slot *r = code->registers, given[FUNCTION_PARAMS], arguments[FUNCTION_PARAMS];
  int64_t low[2], high[2] = {r[code->varying[0]].integer, r[code->varying[1]].integer};
  bool corner;
  if (!diagonals_inside(code->diagonals, r, low, &corner)) return;
  int64_t lines = high[0] - low[0] + 1, line = high[1] - low[1] + 1;
  if (lines < 2 || line < 2 || lines * line < FILL_LEAST || !fill_has_room(functions, code, low, high)) return;
  memcpy(given, r, code->param_count * sizeof *r);
  memcpy(arguments, r, code->param_count * sizeof *r);
  arguments[code->varying[0]].integer = low[0];
  arguments[code->varying[1]].integer = low[1];
  if (*dense_cell(code, code->table, arguments)) return;
  size_t before = functions->stack_held;
  functions->stack_held = held;
  bool fine = fill_edges(functions, code, arguments, low, high, corner);
  functions->stack_held = before;
  memcpy(r, given, code->param_count * sizeof *r);
  if (fine) fill_inside(functions, code, low, high);
}

/* The loop of functions; without any it only says where each operation is done. */
static bool run(struct functions *functions, struct function_code *code, const union slot *arguments, union slot *out,
                const void *const **where) {
  static const void *const labels[] = {
#define OWN(name) [DO_##name] = &&do_##name,
#define OTHER(name)
      OPERATIONS(OWN, OTHER, OWN)
#undef OWN
#undef OTHER
  };
  if (!functions) {
    *where = labels;
    return true;
  }
  const struct memory *memory = functions->model->arena->memory;
  if (functions->stack_size <= functions->stack_held && !stack_grow(functions, functions->stack_held, 1)) return false;
  union slot *top = functions->stack + functions->stack_held, *end = functions->stack + functions->stack_size;
  union slot *r = code->registers, value;
  uint32_t turns = 0;
  memcpy(r, arguments, code->param_count * sizeof *r);
  (top++)->at = NULL;
  const struct instruction *i = code->code;

#define CODE code->code
#define TURNS turns
#define INTERRUPTED interrupted(memory)
#define GROW(more)                                        \
  do {                                                    \
    size_t held = (size_t)(top - functions->stack);       \
    if (!stack_grow(functions, held, more)) return false; \
    top = functions->stack + held;                        \
    end = functions->stack + functions->stack_size;       \
  } while (0)

#include "interp/execute/operations.inc"
do_CALL_OWN_2 : { /* as below, by two arguments; a table that is hashed has no extent */
  const struct call_site *site = i->site;
  const struct table *table = code->table;
  uint64_t at = (uint64_t)r[site->where[0]].integer - (uint64_t)table->low[0];
  uint64_t offset = (uint64_t)r[site->where[1]].integer - (uint64_t)table->low[1];
  if (at >= table->extent[0] || offset >= table->extent[1]) {
    if (!table->cells) goto do_CALL;
    goto own_miss;
  }
  uint64_t bits = table->cells[at * table->extent[1] + offset];
  if (!bits) goto own_miss;
  A.integer = (int64_t)(bits ^ FREE);
  NEXT;
}
do_CALL_OWN : {
  const struct call_site *site = i->site;
  const struct table *table = code->table;
  if (!table->cells) goto do_CALL;
  uint64_t at = (uint64_t)r[site->where[0]].integer - (uint64_t)table->low[0];
  if (at >= table->extent[0]) goto own_miss;
  if (site->where_count > 1) {
    uint64_t offset = (uint64_t)r[site->where[1]].integer - (uint64_t)table->low[1];
    if (offset >= table->extent[1]) goto own_miss;
    at = at * table->extent[1] + offset;
    if (site->where_count > 2) {
      offset = (uint64_t)r[site->where[2]].integer - (uint64_t)table->low[2];
      if (offset >= table->extent[2]) goto own_miss;
      at = at * table->extent[2] + offset;
    }
  }
  if (table->cells[at]) {
    A.integer = (int64_t)(table->cells[at] ^ FREE);
    NEXT;
  }
}
own_miss : {
  const struct call_site *site = i->site;
  if ((++turns & 65535) == 0 && INTERRUPTED) return false;
  if ((size_t)(end - top) <= site->saved_count) {
    GROW(site->saved_count + 1);
  }
  top = save(site, r, top);
  (top++)->at = i;
  if (site->moved_count == 1) {
    r[site->to[0]] = r[site->from[0]];
  } else {
    union slot given[FUNCTION_PARAMS];
    for (uint32_t k = 0; k < site->moved_count; k++)
      given[k] = r[site->from[k]];
    for (uint32_t k = 0; k < site->moved_count; k++)
      r[site->to[k]] = given[k];
  }
  TO_PLACE(code->body);
}
do_CALL : {
  const struct call_site *site = i->site;
  struct function_code *callee = site->callee;
  union slot given[FUNCTION_PARAMS];
  for (uint32_t k = 0; k < site->count; k++)
    given[k] = r[site->arguments[k]];
  if (callee != code) {
    if (callee->state != CODE_READY) return false;
    if (callee->near && !is_near(callee, given)) {
      give_up_near(callee);
      return false;
    }
    if (callee->memo) table_choose(functions, callee, given);
  }
  if (callee->memo && table_find(callee, given, &A)) NEXT;
  if ((++turns & 65535) == 0 && INTERRUPTED) return false;
  if ((size_t)(end - top) <= site->saved_count) {
    GROW(site->saved_count + 1);
  }
  top = save(site, r, top);
  (top++)->at = i;
  i = callee->code + (callee == code ? callee->body : 0);
  code = callee;
  r = code->registers;
  for (uint32_t k = 0; k < site->count; k++)
    r[k] = given[k];
  GO;
}
do_FILL : {
  size_t held = (size_t)(top - functions->stack);
  if (code->diagonals && code->table) table_fill(functions, code, held);
  top = functions->stack + held;
  end = functions->stack + functions->stack_size;
  NEXT;
}
do_RETURN : {
  value = B;
  if (code->memo) {
    struct table *table = code->table;
    uint64_t *cell = table->cells ? dense_cell(code, table, r) : NULL;
    uint64_t bits = (uint64_t)value.integer ^ FREE;
    if (!cell) {
      if (bits) store_slowly(functions, code, r, value);
    } else {
      table->count += !*cell & (bits != 0);
      *cell = bits;
    }
  }
  i = (--top)->at;
  if (!i) {
    *out = value;
    return true;
  }
  const struct call_site *site = i->site;
  if (site->caller != code) {
    code = site->caller;
    r = code->registers;
  }
  top -= site->saved_count;
  restore(site, r, top);
  A = value;
  NEXT;
}
do_FAIL:
  give_up_near(code);
  return false;
}

const void *const *function_labels(void) {
  const void *const *where = NULL;
  run(NULL, NULL, NULL, NULL, &where);
  return where;
}

/* A call from outside; nothing runs inside of it that could come here again. */
static bool call(struct functions *functions, struct function_code *code, const union slot *arguments,
                 union slot *out) {
  if (code->near && !is_near(code, arguments)) {
    give_up_near(code);
    return false;
  }
  if (code->memo) {
    table_choose(functions, code, arguments);
    if (table_find(code, arguments, out)) return true;
  }
  functions->model->walking++;
  functions->stack_held = 0;
  bool fine = run(functions, code, arguments, out, NULL);
  functions->model->walking--;
  if (!fine && ++code->failed == FAILURES_LAST) code->state = CODE_REFUSED;
  return fine;
}

bool function_call(struct functions *functions, const struct call_site *site, const union slot *registers,
                   union slot *out) {
  union slot arguments[FUNCTION_PARAMS];
  if (functions->model->walking || !is_ready(functions, site->callee)) return false;
  for (uint32_t k = 0; k < site->count; k++)
    arguments[k] = registers[site->arguments[k]];
  return call(functions, site->callee, arguments, out);
}

bool delay_call(struct functions *functions, struct function_code *code, const int64_t *indices, double *out) {
  union slot slots[FUNCTION_PARAMS], result;
  if (functions->model->walking || !is_ready(functions, code)) return false;
  for (uint32_t k = 0; k < code->param_count; k++)
    slots[k].integer = indices[k];
  if (!call(functions, code, slots, &result)) return false;
  *out = result.real;
  return true;
}

static bool value_fits(enum type_kind kind, struct value value) {
  return kind == TYPE_INT    ? value.kind == VALUE_INT
         : kind == TYPE_REAL ? value.kind == VALUE_REAL
         : kind == TYPE_BOOL ? value.kind == VALUE_BOOL
                             : value.kind == VALUE_TERM;
}

/* Is its code there, when the walker has come to it? */
static bool may_apply(struct functions *functions, struct function_code *code) {
  if (code->state == CODE_MAKING || (code->state == CODE_REFUSED && code->epoch == functions->model->epoch))
    return false;
  if (code->state == CODE_UNTRIED && !code->function->recursive && ++code->walked < WALKS_FIRST) return false;
  return code_ready(functions, code) && code->state == CODE_READY;
}

bool functions_compute(struct environment *environment, const struct symbol *let, struct value *out) {
  struct functions *functions = functions_of(environment->model);
  const struct model *model = functions->model;
  struct expr *x = let->decl->value.value;
  union slot nothing = {0}, result;
  if (let->slot >= functions->let_count) {
    uint32_t count = model->let_numbers + functions->let_count;
    functions->lets = arena_grow(functions->arena, functions->lets, functions->let_count * sizeof *functions->lets,
                                 count * sizeof *functions->lets);
    functions->let_count = count;
  }
  struct function_code **code = &functions->lets[let->slot];
  if (!*code) {
    *code = nameless(functions, let->type, x, evaluate_slots(x), NULL);
    (*code)->left = !expr_is_costly(x);
  }
  if ((*code)->left || !may_apply(functions, *code) || !call(functions, *code, &nothing, &result)) return false;
  *out = value_of_slot((*code)->result, result);
  return true;
}

enum applied functions_apply(struct environment *environment, const struct model_function *function,
                             const struct value *arguments, struct value *out) {
  struct functions *functions = functions_of(environment->model);
  struct function_code *code = function_entry(functions, function);
  if (!may_apply(functions, code)) return APPLIED_NOT;
  union slot slots[FUNCTION_PARAMS], result;
  for (uint32_t k = 0; k < code->param_count; k++) {
    if (k >= function->param_count) {
      slots[k].integer = environment->indices[k - function->param_count];
      continue;
    }
    if (!value_fits(code->kinds[k], arguments[k])) return APPLIED_NOT;
    slots[k] = slot_of(arguments[k]);
  }
  if (!call(functions, code, slots, &result)) return APPLIED_FAILED;
  *out = value_of_slot(code->result, result);
  return APPLIED_FINE;
}
