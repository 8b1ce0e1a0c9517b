/* What params and lets were when something was made of them, and whether they still are.  Called by
 * evaluate_symbol and calls of functions (noting), by the compiler and whoever keeps what it made. */
#include "interp/evaluate/reads.h"
#include "grammar/children.h"
#include <string.h>

void reads_open(struct reads *reads, struct arena *arena) { *reads = (struct reads){.arena = arena}; }

static struct read *find(const struct reads *reads, const struct symbol *symbol, bool varies) {
  for (uint32_t i = 0; i < reads->count; i++)
    if (reads->items[i].symbol == symbol && reads->items[i].varies == varies) return &reads->items[i];
  return NULL;
}

struct value reads_note(struct reads *reads, struct symbol *symbol, struct value value) {
  const struct read *known = symbol->read_at < reads->count ? &reads->items[symbol->read_at] : NULL;
  if (!known || known->symbol != symbol || known->varies) known = find(reads, symbol, false);
  if (known) {
    symbol->read_at = (uint32_t)(known - reads->items);
    return known->value;
  }
  struct read read = {.symbol = symbol, .value = value_copy(reads->arena, value, HOLDS_CODE)};
  ARENA_PUSH(reads->arena, reads->items, reads->count, reads->capacity, read);
  return read.value;
}

/* The bounds that the value and those before it lie between, wide enough not to be met soon again: each time code is
 * made anew. */
static void widen(struct symbol *symbol, int64_t value) {
  enum { WIDER = 256 };
  int64_t low = value >= 1 ? 1 : value >= 0 ? 0 : -WIDER, high = WIDER - 1;
  while (low > value)
    low = low > INT64_MIN / WIDER ? low * WIDER : INT64_MIN;
  while (high < value)
    high = high < INT64_MAX / WIDER ? high * WIDER + (WIDER - 1) : INT64_MAX;
  if (!symbol->varies || low < symbol->low) symbol->low = low;
  if (!symbol->varies || high > symbol->high) symbol->high = high;
}

static bool scalar(struct value value) {
  return value.kind == VALUE_INT || value.kind == VALUE_REAL || value.kind == VALUE_BOOL || value.kind == VALUE_TERM;
}

/* From now on code is made for any value of the symbol. */
static void mark(struct symbol *symbol, struct value before, struct value now) {
  if (!scalar(before) || before.kind != now.kind) return;
  if (now.kind == VALUE_INT) {
    widen(symbol, before.integer);
    symbol->varies = true;
    widen(symbol, now.integer);
  }
  symbol->varies = true;
}

const struct read *reads_varying(struct reads *reads, struct environment *environment, struct symbol *symbol) {
  struct read *known = find(reads, symbol, true);
  if (known || !symbol->varies || reads->exact) return known;
  struct value value;
  environment->model->reads = NULL;
  bool fine = evaluate_symbol(environment, symbol, symbol->span, &value) && scalar(value);
  environment->model->reads = reads;
  if (!fine) return NULL;
  if (value.kind == VALUE_INT) widen(symbol, value.integer);
  struct read read = {.symbol = symbol,
                      .varies = true,
                      .nonzero = value.kind == VALUE_REAL && value.real != 0,
                      .low = symbol->low,
                      .high = symbol->high,
                      .value = value};
  ARENA_PUSH(reads->arena, reads->items, reads->count, reads->capacity, read);
  return &reads->items[reads->count - 1];
}

/* ---- functions ---- */

static bool reach(const struct expr *expr, void *user);

static void reach_function(struct reads *reads, const struct model_function *function) {
  reach(function->value, reads);
  for (uint32_t i = 0; i < function->param_count; i++)
    if (function->defaults[i]) reach(function->defaults[i], reads);
}

static bool reached(struct reads *reads, struct symbol *symbol) {
  if (symbol->reached_at < reads->reached_count && reads->reached[symbol->reached_at] == symbol) return true;
  symbol->reached_at = reads->reached_count;
  ARENA_PUSH(reads->arena, reads->reached, reads->reached_count, reads->reached_capacity, symbol);
  return false;
}

static void reach_symbol(struct reads *reads, struct symbol *symbol) {
  if (!symbol) return;
  bool more = symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_INSTANCE ||
              symbol->kind == SYMBOL_PARAM || symbol->kind == SYMBOL_FOREIGN;
  if (!more || reached(reads, symbol)) return;
  if (symbol->kind == SYMBOL_FUNCTION) reach_function(reads, symbol->function);
  if (symbol->kind == SYMBOL_LET) reach(symbol->decl->value.value, reads);
  if (symbol->kind == SYMBOL_INSTANCE) reach(symbol->instance.value, reads);
  if (symbol->kind == SYMBOL_FOREIGN) reads->lost = true;
  if (symbol->kind != SYMBOL_PARAM) return;
  if (symbol->has_value)
    reads_note(reads, symbol, symbol->value);
  else
    reads->lost = true;
}

static bool reach(const struct expr *expr, void *user) {
  if (expr->kind == EXPR_NAME) reach_symbol(user, expr->name.symbol);
  if (expr->kind == EXPR_MEMBER) reach_symbol(user, expr->member.symbol);
  if (expr->kind == EXPR_CALL) reach_symbol(user, expr->call->symbol);
  return expr_any_child(expr, reach, user);
}

void reads_function(struct reads *reads, const struct model_function *function) {
  reach_symbol(reads, function->symbol);
}

/* ---- comparing ---- */

bool reads_known(const struct reads *reads) {
  for (uint32_t i = 0; i < reads->count; i++)
    if (!reads->items[i].symbol->has_value) return false;
  return true;
}

static bool will_do(const struct read *read, struct value now) {
  if (!read->varies || now.kind != read->value.kind) return false;
  if (now.kind == VALUE_INT) return read->low <= now.integer && now.integer <= read->high;
  return now.kind != VALUE_REAL || !read->nonzero || now.real != 0;
}

static enum reads_state check(struct reads *reads, struct environment *environment) {
  enum reads_state state = READS_SAME;
  struct value now;
  if (reads->lost) return READS_BROKEN;
  for (uint32_t i = 0; i < reads->count; i++) {
    struct read *read = &reads->items[i];
    if (read->symbol->has_value)
      now = read->symbol->value;
    else if (!evaluate_symbol(environment, read->symbol, read->symbol->span, &now))
      return READS_BROKEN;
    if (value_same(read->value, now)) continue;
    if (!will_do(read, now)) {
      mark(read->symbol, read->value, now);
      state = READS_BROKEN;
      continue;
    }
    read->value = now;
    if (state == READS_SAME) state = READS_VARIED;
  }
  return state;
}

enum reads_state reads_check(struct reads *reads, struct environment *environment) {
  struct reads *outer = environment->model->reads; /* to look is not to read */
  environment->model->reads = NULL;
  enum reads_state state = check(reads, environment);
  environment->model->reads = outer;
  return state;
}
