/* Expressions to register code: constants folded, functions in line, equal values computed once, and what
 * does not change in a loop computed before it.
 *
 * Code moves out of a loop only where it cannot fail: whole numbers carry bounds, so that most sums and
 * products are known to fit. What may fail stays where it is written and jumps to a FAIL. What this file
 * does not know becomes an EVAL: the walker's. */
#include "interp/execute/compiler.h"
#include "grammar/children.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/evaluate/builtin.h"
#include "interp/evaluate/reads.h"
#include <limits.h>
#include <string.h>

bool kind_is_scalar(enum type_kind kind) {
  return kind == TYPE_INT || kind == TYPE_REAL || kind == TYPE_BOOL || kind == TYPE_TERM;
}

int32_t register_new(struct compiler *compiler, enum type_kind kind, uint32_t level) {
  struct virtual fresh = {.kind = kind, .level = (uint8_t)level, .low = INT64_MIN, .high = INT64_MAX};
  if (kind == TYPE_BOOL) {
    fresh.low = 0;
    fresh.high = 1;
  }
  if (compiler->register_count >= UINT16_MAX - 1)
    give_up(compiler, "its code would be too long");
  else
    ARENA_PUSH(compiler->arena, compiler->registers, compiler->register_count, compiler->register_capacity, fresh);
  return (int32_t)compiler->register_count - 1;
}

uint16_t register_constant(struct compiler *compiler, enum type_kind kind, union slot value) {
  bool known;
  uint32_t fresh = compiler->register_count;
  uint32_t last = map_add(compiler->arena, &compiler->constants, (uint64_t)value.integer, fresh, &known);
  while (known && compiler->registers[last].kind != kind && compiler->registers[last].same != last)
    last = compiler->registers[last].same;
  if (known && compiler->registers[last].kind == kind) return (uint16_t)last;
  int32_t at = register_new(compiler, kind, 0);
  if (compiler->failed) return (uint16_t)at;
  compiler->registers[at].same = (uint16_t)at;
  if (known) compiler->registers[last].same = (uint16_t)at;
  compiler->registers[at].constant = true;
  compiler->registers[at].value = value;
  if (kind == TYPE_INT || kind == TYPE_BOOL) compiler->registers[at].low = compiler->registers[at].high = value.integer;
  return (uint16_t)at;
}

uint16_t constant_int(struct compiler *compiler, int64_t value) {
  return register_constant(compiler, TYPE_INT, (union slot){.integer = value});
}

struct node *emit_at(struct compiler *compiler, uint32_t level, enum operation op) {
  struct node *node = ARENA_NEW(compiler->arena, struct node);
  node->op = (uint16_t)op;
  node->place = compiler->here;
  if (++compiler->node_count > 20000) give_up(compiler, "its code would be too long");
  if (level < compiler->level) {
    struct node *before = compiler->loops[level].insert;
    node->next = before->next;
    before->next = node;
    compiler->loops[level].insert = node;
  } else {
    compiler->last->next = node;
    compiler->last = node;
  }
  return node;
}

struct node *emit(struct compiler *compiler, enum operation op) {
  return emit_at(compiler, compiler->level, op);
}

struct label *label_new(struct compiler *compiler) {
  return ARENA_NEW(compiler->arena, struct label);
}

void label_here(struct compiler *compiler, struct label *label) {
  struct node *node = emit(compiler, DO_NOP);
  node->here = label;
  label->node = node;
}

void jump(struct compiler *compiler, struct label *label) { emit(compiler, DO_JUMP)->label = label; }

void block_enter(struct compiler *compiler) { compiler->block++; }

void block_leave(struct compiler *compiler) {
  for (uint32_t i = compiler->entry_count; i-- > 0;)
    if (compiler->entries[i].block >= compiler->block) compiler->entries[i].op = DO_NOP;
  compiler->block--;
}

static uint16_t other_expression(struct compiler *compiler, struct context *context, struct expr *expr);

/* ---- operations ---- */

static uint32_t level_of(struct compiler *compiler, uint16_t b, uint16_t c) {
  uint32_t x = info(compiler, b)->level, y = info(compiler, c)->level;
  return x > y ? x : y;
}

/* The register of an operation that has been computed on all ways to here; -1: it has not. */
static int32_t entry_find(const struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b,
                          uint16_t c, int64_t whole) {
  for (uint32_t i = compiler->entry_count; i-- > 0;) {
    const struct entry *entry = &compiler->entries[i];
    if (entry->op == op && entry->b == b && entry->c == c && entry->whole == whole &&
        compiler->registers[entry->result].kind == kind)
      return entry->result;
  }
  return -1;
}

uint16_t mark_finite(struct compiler *compiler, uint16_t reg) {
  info(compiler, reg)->finite = true;
  return reg;
}

static bool is_finite(struct compiler *compiler, uint16_t reg) {
  const struct virtual *x = info(compiler, reg);
  return x->finite || (x->constant && isfinite(x->value.real));
}

/* A pure operation that cannot fail: found again, or emitted at the outermost level that its operands allow.
 */
uint16_t pure_operation(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b, uint16_t c,
                        int64_t whole, uint32_t level) {
  int32_t found = entry_find(compiler, op, kind, b, c, whole);
  if (found >= 0) return (uint16_t)found;
  int32_t result = register_new(compiler, kind, level);
  struct node *node = emit_at(compiler, level, op);
  node->a = (uint16_t)result;
  node->b = b;
  node->c = c;
  node->has_a = node->has_b = node->has_c = true;
  node->whole = whole;
  node->has_k = op == DO_SELECT;
  if (op == DO_REAL_OF || op == DO_ITEM) mark_finite(compiler, (uint16_t)result);
  if (op == DO_REAL_NEG || op == DO_REAL_ABS || op == DO_REAL_MIN || op == DO_REAL_MAX)
    info(compiler, (uint16_t)result)->finite = is_finite(compiler, b) && is_finite(compiler, c);
  uint32_t block = level < compiler->level ? compiler->loops[level].block : compiler->block;
  struct entry entry = {(uint16_t)op, b, c, whole, (uint16_t)result, block};
  ARENA_PUSH(compiler->arena, compiler->entries, compiler->entry_count, compiler->entry_capacity, entry);
  return (uint16_t)result;
}

uint16_t pure2(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b, uint16_t c) {
  return pure_operation(compiler, op, kind, b, c, 0, level_of(compiler, b, c));
}

struct label *fail_label(struct compiler *compiler) {
  if (!compiler->fail) {
    compiler->fail = label_new(compiler);
    struct fail fail = {.label = compiler->fail, .site = compiler->site};
    ARENA_PUSH(compiler->arena, compiler->fails, compiler->fail_count, compiler->fail_capacity, fail);
  }
  return compiler->fail;
}

/* Fails where reals are not what FINITE or COMPARABLE tests, unless that has been tested on all ways to here. */
static void tested2(struct compiler *compiler, enum operation op, uint16_t b, uint16_t c) {
  if (entry_find(compiler, op, TYPE_REAL, b, c, 0) >= 0) return;
  struct node *node = emit(compiler, op);
  node->b = b;
  node->c = c;
  node->has_b = true;
  node->has_c = c != b;
  node->label = fail_label(compiler);
  struct entry entry = {(uint16_t)op, b, c, 0, b, compiler->block};
  ARENA_PUSH(compiler->arena, compiler->entries, compiler->entry_count, compiler->entry_capacity, entry);
}

static bool tested_finite(struct compiler *compiler, uint16_t reg) {
  return is_finite(compiler, reg) || entry_find(compiler, DO_FINITE, TYPE_REAL, reg, reg, 0) >= 0;
}

/* An operation that may fail: emitted where it stands, unless it has been there already and has not failed. */
uint16_t checked2(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b, uint16_t c) {
  int32_t found = op == DO_ITEM_CHECK ? -1 : entry_find(compiler, op, kind, b, c, 0);
  if (found >= 0) return (uint16_t)found;
  int32_t result = register_new(compiler, kind, compiler->level);
  struct node *node = emit(compiler, op);
  node->a = (uint16_t)result;
  node->b = b;
  node->c = c;
  node->has_a = node->has_b = node->has_c = true;
  node->label = fail_label(compiler);
  struct entry entry = {(uint16_t)op, b, c, 0, (uint16_t)result, compiler->block};
  ARENA_PUSH(compiler->arena, compiler->entries, compiler->entry_count, compiler->entry_capacity, entry);
  return (uint16_t)result;
}

static bool both_constant(struct compiler *compiler, uint16_t b, uint16_t c) {
  return info(compiler, b)->constant && info(compiler, c)->constant;
}

/* What is known of a register before more is known of it, perhaps because a condition holds. */
static void bounds_note(struct compiler *compiler, uint16_t reg) {
  const struct virtual *v = info(compiler, reg);
  struct bounds before = {reg, v->nonzero, v->low, v->high};
  if (compiler->narrowing && v->level >= compiler->narrow_level)
    ARENA_PUSH(compiler->arena, compiler->bounds, compiler->bounds_count, compiler->bounds_capacity, before);
}

uint16_t bounded(struct compiler *compiler, uint16_t reg, int64_t low, int64_t high) {
  struct virtual *v = info(compiler, reg);
  if (low <= v->low && high >= v->high) return reg;
  bounds_note(compiler, reg);
  if (low > v->low) v->low = low;
  if (high < v->high) v->high = high;
  return reg;
}

/* On the way where b < c (`equal`: b <= c) holds whole numbers that change where the code now stands have
 * closer bounds, and so has what is computed from them there. Others keep theirs: what is computed from them may
 * move to where the condition is not known. What bounds_restore takes. */
static uint32_t bounds_narrow(struct compiler *compiler, uint16_t b, uint16_t c, bool equal) {
  uint32_t mark = compiler->bounds_count;
  const struct virtual x = *info(compiler, b), y = *info(compiler, c);
  if (!compiler->narrowing++) compiler->narrow_level = compiler->level;
  if (x.kind != TYPE_INT || y.kind != TYPE_INT) return mark;
  if (x.level == compiler->level && !x.constant && y.high > INT64_MIN) bounded(compiler, b, INT64_MIN, y.high - !equal);
  if (y.level == compiler->level && !y.constant && x.low < INT64_MAX) bounded(compiler, c, x.low + !equal, INT64_MAX);
  return mark;
}

static void bounds_restore(struct compiler *compiler, uint32_t mark) {
  compiler->narrowing--;
  while (compiler->bounds_count > mark) {
    const struct bounds *before = &compiler->bounds[--compiler->bounds_count];
    compiler->registers[before->reg].nonzero = before->nonzero;
    compiler->registers[before->reg].low = before->low;
    compiler->registers[before->reg].high = before->high;
  }
}

static int64_t least4(const int64_t *x) {
  int64_t least = x[0];
  for (int i = 1; i < 4; i++)
    least = x[i] < least ? x[i] : least;
  return least;
}

static int64_t most4(const int64_t *x) {
  int64_t most = x[0];
  for (int i = 1; i < 4; i++)
    most = x[i] > most ? x[i] : most;
  return most;
}

uint16_t int_arithmetic(struct compiler *compiler, enum operator op, uint16_t b, uint16_t c) {
  const struct virtual x = *info(compiler, b), y = *info(compiler, c);
  int64_t low, high, product[4];
  bool fits;
  if (op == OP_ADD) {
    if (y.constant && y.value.integer == 0) return b;
    if (x.constant && x.value.integer == 0) return c;
    fits = int_add(x.low, y.low, &low) == ARITHMETIC_FINE && int_add(x.high, y.high, &high) == ARITHMETIC_FINE;
    return fits ? bounded(compiler,
                          both_constant(compiler, b, c) ? constant_int(compiler, low)
                                                        : pure2(compiler, DO_ADD, TYPE_INT, b, c),
                          low, high)
                : checked2(compiler, DO_ADD_CHECK, TYPE_INT, b, c);
  }
  if (op == OP_SUB) {
    if (y.constant && y.value.integer == 0) return b;
    fits =
        int_subtract(x.low, y.high, &low) == ARITHMETIC_FINE && int_subtract(x.high, y.low, &high) == ARITHMETIC_FINE;
    return fits ? bounded(compiler,
                          both_constant(compiler, b, c) ? constant_int(compiler, low)
                                                        : pure2(compiler, DO_SUB, TYPE_INT, b, c),
                          low, high)
                : checked2(compiler, DO_SUB_CHECK, TYPE_INT, b, c);
  }
  if (op == OP_MUL) {
    if (y.constant && y.value.integer == 1) return b;
    if (x.constant && x.value.integer == 1) return c;
    fits = int_multiply(x.low, y.low, &product[0]) == ARITHMETIC_FINE &&
           int_multiply(x.low, y.high, &product[1]) == ARITHMETIC_FINE &&
           int_multiply(x.high, y.low, &product[2]) == ARITHMETIC_FINE &&
           int_multiply(x.high, y.high, &product[3]) == ARITHMETIC_FINE;
    return fits ? bounded(compiler,
                          both_constant(compiler, b, c) ? constant_int(compiler, product[0])
                                                        : pure2(compiler, DO_MUL, TYPE_INT, b, c),
                          least4(product), most4(product))
                : checked2(compiler, DO_MUL_CHECK, TYPE_INT, b, c);
  }
  if (op == OP_POW) return checked2(compiler, DO_INT_POW, TYPE_INT, b, c);
  /* div and mod */
  bool whole = op == OP_WHOLE;
  if (both_constant(compiler, b, c) && y.value.integer != 0 && y.value.integer != -1) {
    if (whole)
      int_divide(x.value.integer, y.value.integer, &low);
    else
      int_modulo(x.value.integer, y.value.integer, &low);
    return constant_int(compiler, low);
  }
  if (y.constant && y.value.integer > 0) {
    int64_t divisor = y.value.integer;
    if (whole && divisor == 1) return b;
    bool power = (divisor & (divisor - 1)) == 0;
    uint16_t reg;
    if (power)
      reg = pure_operation(compiler, whole ? DO_DIV_SHIFT : DO_MOD_MASK, TYPE_INT, b, b,
                           whole ? __builtin_ctzll((uint64_t)divisor) : divisor - 1, x.level);
    else
      reg = pure2(compiler, whole ? DO_DIV : DO_MOD, TYPE_INT, b, c);
    if (!whole) return bounded(compiler, reg, 0, divisor - 1);
    int_divide(x.low, divisor, &low);
    int_divide(x.high, divisor, &high);
    return bounded(compiler, reg, low, high);
  }
  if (y.low > 0) { /* the quotient lies between 0 and the number */
    uint16_t reg = pure2(compiler, whole ? DO_DIV : DO_MOD, TYPE_INT, b, c);
    if (!whole) return bounded(compiler, reg, 0, y.high - 1);
    return bounded(compiler, reg, x.low < 0 ? x.low : 0, x.high > 0 ? x.high : 0);
  }
  return checked2(compiler, whole ? DO_DIV_CHECK : DO_MOD_CHECK, TYPE_INT, b, c);
}

uint16_t to_real(struct compiler *compiler, uint16_t reg) {
  const struct virtual *x = info(compiler, reg);
  if (x->kind != TYPE_INT) return reg;
  if (x->constant) return register_constant(compiler, TYPE_REAL, (union slot){.real = (double)x->value.integer});
  bool nonzero = x->low > 0 || x->high < 0;
  uint16_t real = pure2(compiler, DO_REAL_OF, TYPE_REAL, reg, reg);
  if (nonzero) bounds_note(compiler, real);
  info(compiler, real)->nonzero |= nonzero;
  return real;
}

static uint16_t real_arithmetic(struct compiler *compiler, enum operator op, uint16_t b, uint16_t c) {
  b = to_real(compiler, b);
  c = to_real(compiler, c);
  bool constant = both_constant(compiler, b, c);
  double x = info(compiler, b)->value.real, y = info(compiler, c)->value.real, result;
  enum operation operation = DO_REAL_ADD;
  switch (op) {
  case OP_ADD: result = x + y; break;
  case OP_SUB:
    operation = DO_REAL_SUB;
    result = x - y;
    break;
  case OP_MUL:
    operation = DO_REAL_MUL;
    result = x * y;
    break;
  case OP_POW: return checked2(compiler, DO_REAL_POW, TYPE_REAL, b, c);
  default: /* OP_DIV */
    if (!info(compiler, c)->nonzero && (!info(compiler, c)->constant || y == 0))
      return checked2(compiler, DO_REAL_DIV_CHECK, TYPE_REAL, b, c);
    operation = DO_REAL_DIV;
    result = x / y;
  }
  if (constant && isfinite(result)) return register_constant(compiler, TYPE_REAL, (union slot){.real = result});
  return pure2(compiler, operation, TYPE_REAL, b, c);
}

static uint16_t not_of(struct compiler *compiler, uint16_t b) {
  if (info(compiler, b)->constant)
    return register_constant(compiler, TYPE_BOOL, (union slot){.integer = !info(compiler, b)->value.integer});
  return pure2(compiler, DO_NOT, TYPE_BOOL, b, b);
}

static uint16_t boolean(struct compiler *compiler, bool value) {
  return register_constant(compiler, TYPE_BOOL, (union slot){.integer = value});
}

static uint16_t comparison(struct compiler *compiler, enum operator op, uint16_t b, uint16_t c) {
  if (op == OP_GT || op == OP_GE) { /* a > b is b < a: what cannot be compared is an error */
    uint16_t other = b;
    b = c;
    c = other;
    op = op == OP_GT ? OP_LT : OP_LE;
  }
  bool real = info(compiler, b)->kind == TYPE_REAL || info(compiler, c)->kind == TYPE_REAL;
  if (real) {
    b = to_real(compiler, b);
    c = to_real(compiler, c);
  } else {
    struct virtual *x = info(compiler, b), *y = info(compiler, c);
    if (op == OP_LT && (x->high < y->low || x->low >= y->high)) return boolean(compiler, x->high < y->low);
    if (op == OP_LE && (x->high <= y->low || x->low > y->high)) return boolean(compiler, x->high <= y->low);
    if (both_constant(compiler, b, c) && (op == OP_EQ || op == OP_NE))
      return boolean(compiler, (x->value.integer == y->value.integer) == (op == OP_EQ));
  }
  if (real && both_constant(compiler, b, c)) {
    double x = info(compiler, b)->value.real, y = info(compiler, c)->value.real;
    return boolean(compiler, op == OP_LT ? x < y : op == OP_LE ? x <= y : op == OP_EQ ? x == y : x != y);
  }
  if (real && !(tested_finite(compiler, b) && tested_finite(compiler, c))) tested2(compiler, DO_COMPARABLE, b, c);
  enum operation operation = op == OP_LT   ? (real ? DO_REAL_LT : DO_INT_LT)
                             : op == OP_LE ? (real ? DO_REAL_LE : DO_INT_LE)
                             : op == OP_EQ ? (real ? DO_REAL_EQ : DO_INT_EQ)
                                           : (real ? DO_REAL_NE : DO_INT_NE);
  return pure2(compiler, operation, TYPE_BOOL, b, c);
}

/* What the register has been computed by; NULL: it is not to be found again. */
static const struct entry *entry_of(const struct compiler *compiler, uint16_t reg) {
  for (uint32_t i = compiler->entry_count; i-- > 0;)
    if (compiler->entries[i].result == reg && compiler->entries[i].op != DO_NOP) return &compiler->entries[i];
  return NULL;
}

/* Both: of 0 <= x and x < y, where y is not negative, one comparison. */
static uint16_t both(struct compiler *compiler, uint16_t b, uint16_t c) {
  const struct entry *from = entry_of(compiler, b), *to = entry_of(compiler, c);
  if (compiler->executor && from && to && from->op == DO_INT_LE && to->op == DO_INT_LT && from->c == to->b) {
    const struct virtual *least = info(compiler, from->b), *limit = info(compiler, to->c);
    if (least->constant && least->value.integer == 0 && limit->low >= 0)
      return pure2(compiler, DO_INT_WITHIN, TYPE_BOOL, to->b, to->c);
  }
  return pure2(compiler, DO_AND, TYPE_BOOL, b, c);
}

static uint16_t conjunction(struct compiler *compiler, uint16_t b, uint16_t c) {
  const struct virtual *x = info(compiler, b), *y = info(compiler, c);
  if (x->constant) return x->value.integer ? c : b;
  if (y->constant) return y->value.integer ? b : c;
  return both(compiler, b, c);
}

/* ---- names ---- */

static uint16_t value_register(struct compiler *compiler, struct value value) {
  union slot slot = slot_of(value);
  switch (value.kind) {
  case VALUE_INT: return register_constant(compiler, TYPE_INT, slot);
  case VALUE_REAL: return register_constant(compiler, TYPE_REAL, slot);
  case VALUE_BOOL: return register_constant(compiler, TYPE_BOOL, slot);
  case VALUE_TERM: return register_constant(compiler, TYPE_TERM, slot);
  default: break; /* registers hold scalars */
  }
  give_up(compiler, "a value that is no number, truth or term");
  return 0;
}

/* Code at the very beginning of the program, whatever branch is being compiled. */
static struct node *emit_first(struct compiler *compiler, enum operation op) {
  struct node *node = ARENA_NEW(compiler->arena, struct node);
  node->op = (uint16_t)op;
  compiler->node_count++;
  node->next = compiler->first->next;
  compiler->first->next = node;
  return node;
}

uint16_t index_register(struct compiler *compiler, struct context *context, uint32_t index) {
  if (context->indices[index] >= 0) return (uint16_t)context->indices[index];
  const struct instances *instances = &compiler->executor->graph->instances[context->component->id];
  if (info(compiler, context->instance)->constant) {
    int64_t indices[COMPONENT_INDICES];
    graph_indices(compiler->executor->graph, (uint32_t)info(compiler, context->instance)->value.integer, indices);
    return constant_int(compiler, indices[index]);
  }
  bool own = info(compiler, context->instance)->param; /* of the frame's instance: read once, at the beginning */
  struct target_site *site = ARENA_NEW(compiler->sites, struct target_site);
  site->instances = instances;
  site->count = index;
  uint32_t level = own ? 0 : info(compiler, context->instance)->level;
  uint16_t reg = (uint16_t)register_new(compiler, TYPE_INT, level);
  struct node *node = own ? emit_first(compiler, DO_TARGET) : emit_at(compiler, level, DO_TARGET);
  node->a = reg;
  node->b = context->instance;
  node->c = 1; /* an index of an instance */
  node->has_a = node->has_b = true;
  node->site = site;
  if (instances->box) bounded(compiler, reg, instances->low[index], instances->high[index]);
  if (own) context->indices[index] = reg;
  return reg;
}

static const struct model_profile *profile_of(const struct model_accept *accept, const struct name *folded) {
  for (uint32_t i = 0; accept && i < accept->profile_count; i++)
    if (accept->profile[i].attribute == folded) return &accept->profile[i];
  return NULL;
}

/* caller.A, target.A where that side is known as well: its profile's expression over its indices, else one of those. */
static uint16_t attribute(struct compiler *compiler, struct context *context, struct expr *expr,
                          const struct symbol *symbol) {
  struct context *other = symbol->side == OF_CALLER ? context->caller : context->target;
  if (!other) return evaluated(compiler, context, expr);
  const struct model_profile *profile = profile_of(other->accept, symbol->name->folded);
  if (profile && profile->value && profile->value->kind != EXPR_NA && profile->dynamic < 0)
    return other_expression(compiler, other, profile->value);
  for (uint32_t i = 0; !profile && i < other->component->index_count; i++)
    if (other->component->indices[i]->name->folded == symbol->name->folded) return index_register(compiler, other, i);
  return evaluated(compiler, context, expr);
}

static enum type_kind kind_of_value(enum value_kind kind) {
  return kind == VALUE_INT ? TYPE_INT : kind == VALUE_REAL ? TYPE_REAL : kind == VALUE_BOOL ? TYPE_BOOL : TYPE_TERM;
}

/* A param or let that has had several values: loaded, at the very outside. -1: it is taken as it is. */
static int32_t loaded_symbol(struct compiler *compiler, struct symbol *symbol) {
  const struct read *read = reads_varying(compiler->model->reads, compiler->environment, symbol);
  if (!read) return -1;
  enum type_kind kind = kind_of_value(read->value.kind);
  int64_t whole = (int64_t)(intptr_t)symbol;
  for (uint32_t i = compiler->entry_count; i-- > 0;)
    if (compiler->entries[i].op == DO_SYMBOL && compiler->entries[i].whole == whole) return compiler->entries[i].result;
  int32_t reg = register_new(compiler, kind, 0);
  struct node *node = emit_at(compiler, 0, DO_SYMBOL);
  node->a = (uint16_t)reg;
  node->has_a = true;
  node->whole = whole;
  uint32_t block = compiler->level > 0 ? compiler->loops[0].block : compiler->block;
  struct entry entry = {DO_SYMBOL, 0, 0, whole, (uint16_t)reg, block};
  ARENA_PUSH(compiler->arena, compiler->entries, compiler->entry_count, compiler->entry_capacity, entry);
  if (kind == TYPE_INT) bounded(compiler, (uint16_t)reg, read->low, read->high);
  compiler->registers[reg].nonzero = read->nonzero;
  return mark_finite(compiler, (uint16_t)reg);
}

/* A let or param of the component; its binders have slots of their own. */
static uint16_t instance_value(struct compiler *compiler, struct context *context, struct symbol *symbol) {
  struct context inner = *context;
  inner.slot_count = evaluate_slots(symbol->instance.value);
  inner.slots = ARENA_ARRAY(compiler->arena, int32_t, inner.slot_count + 1);
  memset(inner.slots, 0xff, (inner.slot_count + 1) * sizeof(int32_t));
  return other_expression(compiler, inner.slot_count ? &inner : context, symbol->instance.value);
}

static uint16_t name_value(struct compiler *compiler, struct context *context, struct expr *expr,
                           struct symbol *symbol) {
  struct value value;
  if (!symbol) { /* a bare term */
    if (expr->kind != EXPR_NAME) return evaluated(compiler, context, expr);
    value = (struct value){.kind = VALUE_TERM, .term = {expr->name.name->folded->id, 0}};
    return value_register(compiler, value);
  }
  switch (symbol->kind) {
  case SYMBOL_PARAM:
  case SYMBOL_LET:
    if (symbol->varies && compiler->model->reads) {
      int32_t loaded = loaded_symbol(compiler, symbol);
      if (loaded >= 0) return expr->type->kind == TYPE_REAL ? to_real(compiler, (uint16_t)loaded) : (uint16_t)loaded;
    }
    if (!evaluate_symbol(compiler->environment, symbol, expr->span, &value)) {
      give_up(compiler, "a param or let that has no value");
      return 0;
    }
    if (value.kind == VALUE_INT && expr->type->kind == TYPE_REAL)
      value = (struct value){.kind = VALUE_REAL, .real = (double)value.integer};
    return value_register(compiler, value);
  case SYMBOL_INDEX: return index_register(compiler, context, symbol->slot);
  case SYMBOL_INSTANCE: return instance_value(compiler, context, symbol);
  case SYMBOL_LOCAL:
  case SYMBOL_VALUE:
    if (context->slots[symbol->slot] >= 0) return (uint16_t)context->slots[symbol->slot];
    give_up(compiler, "a local that is no number, truth or term");
    return 0;
  case SYMBOL_VAR: {
    int32_t reg = register_new(compiler, symbol->type->kind, compiler->level);
    struct node *node = emit(compiler, DO_LOAD);
    struct record_site *site = ARENA_NEW(compiler->sites, struct record_site);
    site->component = context->component;
    site->slot = symbol->slot;
    node->a = (uint16_t)reg;
    node->b = context->instance;
    node->has_a = node->has_b = true;
    node->site = site;
    return mark_finite(compiler, (uint16_t)reg);
  }
  case SYMBOL_CLOCK: {
    int32_t reg = register_new(compiler, TYPE_REAL, compiler->level);
    struct node *node = emit(compiler, DO_CLOCK);
    node->a = (uint16_t)reg;
    node->has_a = true;
    return mark_finite(compiler, (uint16_t)reg);
  }
  case SYMBOL_ATTRIBUTE: return attribute(compiler, context, expr, symbol);
  case SYMBOL_FUNCTION:
  case SYMBOL_BUILTIN:
  case SYMBOL_EVALUATOR:
  case SYMBOL_EVALUATOR_FUNCTION:
  case SYMBOL_FOREIGN:
  case SYMBOL_FILE:
  case SYMBOL_UNIT:
  case SYMBOL_DOMAIN:
  case SYMBOL_TRANSACTION:
  case SYMBOL_PROTOCOL:
  case SYMBOL_COMPONENT:
  case SYMBOL_COERCION:
  case SYMBOL_STUDY:
  case SYMBOL_LABEL:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: break;
  }
  return evaluated(compiler, context, expr);
}

/* ---- the walker's help ---- */

struct local_search {
  struct compiler *compiler;
  struct context *context;
  struct eval_site *site;
  uint32_t capacity;
};

static void local_add(struct local_search *search, const struct symbol *symbol) {
  if (!symbol || (symbol->kind != SYMBOL_LOCAL && symbol->kind != SYMBOL_VALUE)) return;
  struct eval_site *site = search->site;
  for (uint32_t i = 0; i < site->local_count; i++)
    if (site->locals[i].slot == symbol->slot) return;
  if (symbol->slot >= search->context->slot_count) return;
  int32_t reg = search->context->slots[symbol->slot];
  if (reg < 0) return; /* a binder: made while it is evaluated */
  struct operand operand = {(uint16_t)reg, (uint16_t)symbol->slot, search->compiler->registers[reg].kind};
  ARENA_PUSH(search->compiler->sites, site->locals, site->local_count, search->capacity, operand);
}

static bool locals_find(const struct expr *expr, void *user) {
  if (expr->kind == EXPR_NAME) local_add(user, expr->name.symbol);
  return expr_any_child(expr, locals_find, user);
}

struct eval_site *eval_site_new(struct compiler *compiler, struct context *context, struct expr *expr,
                                const struct type *type) {
  struct eval_site *site = ARENA_NEW(compiler->sites, struct eval_site);
  site->expr = expr;
  site->type = type;
  site->component = context->component;
  site->analysis = context->analysis;
  site->instance = context->instance;
  site->slot_count = context->slot_count + evaluate_slots(expr) + 1;
  if (context->depth > 0) site->outer = compiler->outer;
  if (context->caller) {
    site->caller = context->caller->accept;
    site->caller_instance = context->caller->instance;
  }
  if (context->target) {
    site->target = context->target->accept;
    site->target_instance = context->target->instance;
  }
  struct local_search search = {compiler, context, site, 0};
  locals_find(expr, &search);
  return site;
}

/* Not inside a function: there the walker would not find its names. */
uint16_t evaluated(struct compiler *compiler, struct context *context, struct expr *expr) {
  if (!compiler->executor || compiler->function_depth > 0 || !kind_is_scalar(expr->type->kind)) {
    give_up(compiler, "a value that is no number, truth or term");
    return 0;
  }
  int32_t reg = register_new(compiler, expr->type->kind, compiler->level);
  struct node *node = emit(compiler, DO_EVAL);
  node->a = (uint16_t)reg;
  node->has_a = true;
  node->site = eval_site_new(compiler, context, expr, expr->type);
  return mark_finite(compiler, (uint16_t)reg);
}

/* ---- expressions ---- */

/* Both sides are computed where neither can fail, else code branches. */
static bool emits_failure(const struct node *since) {
  for (const struct node *node = since->next; node; node = node->next)
    if (node->label || node->op == DO_EVAL || node->here) return true;
  return false;
}

static enum operation unless_of(enum operation op) {
  switch (op) {
  case DO_INT_LT: return DO_UNLESS_INT_LT;
  case DO_INT_LE: return DO_UNLESS_INT_LE;
  case DO_INT_EQ: return DO_UNLESS_INT_EQ;
  case DO_INT_NE: return DO_UNLESS_INT_NE;
  case DO_REAL_LT: return DO_UNLESS_REAL_LT;
  case DO_REAL_LE: return DO_UNLESS_REAL_LE;
  default: return DO_NOP;
  }
}

/* No longer found again: it is not computed any more. What it was; a NOP: nothing. */
static struct entry entry_forget(struct compiler *compiler, uint16_t reg) {
  struct entry forgotten = {.op = DO_NOP};
  for (uint32_t i = compiler->entry_count; i-- > 0;) {
    if (compiler->entries[i].result != reg || compiler->entries[i].op == DO_NOP) continue;
    forgotten = compiler->entries[i];
    compiler->entries[i].op = DO_NOP;
  }
  return forgotten;
}

/* Does the comparison that the node makes serve for the jump alone? */
static bool fuses(const struct node *node, const struct node *since, uint16_t reg) {
  return node != since && node->has_a && node->a == reg && unless_of((enum operation)node->op) != DO_NOP;
}

static void fuse(struct compiler *compiler, struct node *node, struct label *otherwise) {
  entry_forget(compiler, node->a);
  node->op = (uint16_t)unless_of((enum operation)node->op);
  node->has_a = false;
  node->label = otherwise;
}

/* The register's value to another that is written in each branch: by the operation that has just made it. */
static void move_to(struct compiler *compiler, uint16_t result, uint16_t reg, const struct node *since) {
  struct node *last = compiler->last;
  if (last != since && last->has_a && last->a == reg && !last->updates) {
    entry_forget(compiler, reg);
    last->a = result;
    return;
  }
  struct node *move = emit(compiler, DO_MOVE);
  move->a = result;
  move->b = reg;
  move->has_a = move->has_b = true;
}

static uint16_t conditional(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct node *before = compiler->last;
  uint16_t condition = expression(compiler, context, expr->branch.condition);
  if (info(compiler, condition)->constant)
    return converted(compiler,
                     expression(compiler, context,
                                info(compiler, condition)->value.integer ? expr->branch.then : expr->branch.otherwise),
                     expr->type);
  enum type_kind kind = expr->type->kind;
  /* on trial, in a block of its own */
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  struct node *compare = fuses(compiler->last, before, condition) ? compiler->last : NULL;
  struct entry known = compare ? entry_forget(compiler, condition) : (struct entry){.op = DO_NOP};
  struct node *test = emit(compiler, DO_JUMP_UNLESS);
  test->b = condition;
  test->has_b = true;
  test->label = otherwise;
  uint16_t result = (uint16_t)register_new(compiler, kind, compiler->level);
  bool less = compare && (compare->op == DO_INT_LT || compare->op == DO_INT_LE);
  bool equal = less && compare->op == DO_INT_LE;
  uint32_t mark = less ? bounds_narrow(compiler, compare->b, compare->c, equal) : 0;
  block_enter(compiler);
  uint16_t then = converted(compiler, expression(compiler, context, expr->branch.then), expr->type);
  block_leave(compiler);
  const struct virtual x = *info(compiler, then);
  if (less) bounds_restore(compiler, mark);
  bool plain = compiler->last == test;
  struct node *last_then = compiler->last;
  if (!plain) move_to(compiler, result, then, test);
  struct node *leave = emit(compiler, DO_JUMP);
  leave->label = end;
  label_here(compiler, otherwise);
  struct node *second = compiler->last;
  if (less) mark = bounds_narrow(compiler, compare->c, compare->b, !equal);
  block_enter(compiler);
  uint16_t other = converted(compiler, expression(compiler, context, expr->branch.otherwise), expr->type);
  block_leave(compiler);
  const struct virtual y = *info(compiler, other);
  if (less) bounds_restore(compiler, mark);
  if (plain && compiler->last == second) { /* both sides stand elsewhere already: one SELECT does, and may
                                              move out of the loop */
    uint32_t level = info(compiler, condition)->level;
    level = x.level > level ? x.level : level;
    level = y.level > level ? y.level : level;
    test->op = leave->op = DO_NOP;
    test->has_b = false;
    test->label = leave->label = NULL;
    if (known.op != DO_NOP)
      ARENA_PUSH(compiler->arena, compiler->entries, compiler->entry_count, compiler->entry_capacity, known);
    result = pure_operation(compiler, DO_SELECT, kind, condition, then, other, level);
  } else {
    if (plain) { /* between the test and the jump */
      struct node *move = ARENA_NEW(compiler->arena, struct node);
      *move = (struct node){.op = DO_MOVE, .a = result, .b = then, .has_a = true, .has_b = true, .next = leave};
      last_then->next = move;
    }
    move_to(compiler, result, other, second);
    label_here(compiler, end);
    if (compare) {
      fuse(compiler, compare, otherwise);
      test->op = DO_NOP;
      test->has_b = false;
      test->label = NULL;
    }
  }
  info(compiler, result)->finite = is_finite(compiler, then) && is_finite(compiler, other);
  return bounded(compiler, result, x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high);
}

/* `and`, `or`, and chains of comparisons: straight where the parts cannot fail, else with a jump. */
static uint16_t logical(struct compiler *compiler, struct context *context, bool and, uint16_t left,
                        struct expr *right_expr) {
  if (info(compiler, left)->constant && (info(compiler, left)->value.integer != 0) != and) return left;
  int32_t result = register_new(compiler, TYPE_BOOL, compiler->level);
  struct node *move = emit(compiler, DO_MOVE);
  move->a = (uint16_t)result;
  move->b = left;
  move->has_a = move->has_b = true;
  struct label *end = label_new(compiler);
  struct node *test = emit(compiler, and? DO_JUMP_UNLESS : DO_JUMP_IF);
  test->b = left;
  test->has_b = true;
  test->label = end;
  block_enter(compiler);
  uint16_t right = expression(compiler, context, right_expr);
  bool fails = emits_failure(test);
  if (!fails) { /* nothing in it can fail: it may as well be computed always */
    move->op = test->op = DO_NOP;
    move->has_a = move->has_b = test->has_b = false;
    test->label = NULL;
    for (uint32_t i = compiler->entry_count; i-- > 0;)
      if (compiler->entries[i].block == compiler->block) compiler->entries[i].block--;
    compiler->block--;
    const struct virtual *x = info(compiler, left), *y = info(compiler, right);
    if (x->constant || y->constant) {
      const struct virtual *known = x->constant ? x : y;
      return (known->value.integer != 0) == and? (x->constant ? right : left) : (x->constant ? left : right);
    }
    return and? both(compiler, left, right) : pure2(compiler, DO_OR, TYPE_BOOL, left, right);
  }
  struct node *second = emit(compiler, DO_MOVE);
  second->a = (uint16_t)result;
  second->b = right;
  second->has_a = second->has_b = true;
  block_leave(compiler);
  label_here(compiler, end);
  return (uint16_t)result;
}

static uint16_t chain(struct compiler *compiler, struct context *context, struct expr *expr) {
  uint16_t left = expression(compiler, context, expr->compare.operands[0]), result = 0;
  for (uint32_t i = 0; i + 1 < expr->compare.count; i++) {
    const struct node *before = compiler->last;
    uint16_t right = expression(compiler, context, expr->compare.operands[i + 1]);
    uint16_t part = comparison(compiler, expr->compare.ops[i], left, right);
    compiler->soft |= i > 0 && emits_failure(before); /* one that does not matter may fail */
    result = i == 0 ? part : conjunction(compiler, result, part);
    left = right;
    const struct virtual *so_far = info(compiler, result);
    if (so_far->constant && !so_far->value.integer) break; /* what stands behind is not computed */
  }
  return result;
}

const struct object *item_list(const struct compiler *compiler, const struct expr *expr) {
  const struct expr *base = expr->index.base;
  struct symbol *symbol = base->kind == EXPR_NAME     ? base->name.symbol
                          : base->kind == EXPR_MEMBER ? base->member.symbol
                                                      : NULL;
  struct value list;
  if (!symbol || (symbol->kind != SYMBOL_LET && symbol->kind != SYMBOL_PARAM) || expr->index.count != 1 ||
      !kind_is_scalar(expr->type->kind) || !evaluate_symbol(compiler->environment, symbol, expr->span, &list))
    return NULL;
  if (list.kind != VALUE_LIST) return NULL;
  for (uint32_t i = 0; i < list.object->count; i++)
    if (list.object->items[i].kind != (expr->type->kind == TYPE_REAL ? VALUE_REAL : VALUE_INT)) return NULL;
  return list.object;
}

static uint16_t item(struct compiler *compiler, struct context *context, struct expr *expr) {
  struct value value;
  if (expr->index.term) {
    if (evaluate(compiler->environment, expr, &value)) return value_register(compiler, value);
    give_up(compiler, "an item that is not there");
    return 0;
  }
  const struct object *list = item_list(compiler, expr);
  if (!list) return evaluated(compiler, context, expr);
  uint16_t at = expression(compiler, context, expr->index.subscripts[0]);
  if (compiler->failed) return 0;
  const struct virtual *x = info(compiler, at);
  bool inside = x->low >= 0 && x->high < (int64_t)list->count;
  if (x->constant && inside) return value_register(compiler, list->items[x->value.integer]);
  if (inside) return pure_operation(compiler, DO_ITEM, expr->type->kind, at, at, (int64_t)(intptr_t)list, x->level);
  uint16_t reg = checked2(compiler, DO_ITEM_CHECK, expr->type->kind, at, at);
  compiler->last->site = (void *)list;
  return mark_finite(compiler, reg);
}

static uint16_t binary(struct compiler *compiler, struct context *context, struct expr *expr) {
  enum operator op = expr->binary.op;
  uint16_t left = expression(compiler, context, expr->binary.left);
  if (op == OP_AND || op == OP_OR) return logical(compiler, context, op == OP_AND, left, expr->binary.right);
  uint16_t right = expression(compiler, context, expr->binary.right);
  if (expr->type->kind == TYPE_INT) return int_arithmetic(compiler, op, left, right);
  return real_arithmetic(compiler, op, left, right);
}

static uint16_t plain_expression(struct compiler *compiler, struct context *context, struct expr *expr) {
  union slot slot;
  switch (expr->kind) {
  case EXPR_INTEGER:
    if (expr->type->kind == TYPE_REAL)
      return register_constant(compiler, TYPE_REAL, (union slot){.real = (double)expr->integer});
    return constant_int(compiler, expr->integer);
  case EXPR_REAL: return register_constant(compiler, TYPE_REAL, (union slot){.real = expr->real});
  case EXPR_QUANTITY: {
    struct value value;
    if (!evaluate(compiler->environment, expr, &value)) break;
    return value_register(compiler, value);
  }
  case EXPR_BOOLEAN: slot.integer = expr->boolean; return register_constant(compiler, TYPE_BOOL, slot);
  case EXPR_NAME: return name_value(compiler, context, expr, expr->name.symbol);
  case EXPR_MEMBER:
    if (!expr->member.symbol) return evaluated(compiler, context, expr);
    return name_value(compiler, context, expr, expr->member.symbol);
  case EXPR_UNARY: {
    uint16_t operand = expression(compiler, context, expr->unary.operand);
    if (expr->unary.op == OP_NOT) return not_of(compiler, operand);
    if (expr->type->kind == TYPE_INT) return int_arithmetic(compiler, OP_SUB, constant_int(compiler, 0), operand);
    if (info(compiler, operand)->constant)
      return register_constant(compiler, TYPE_REAL,
                               (union slot){.real = -info(compiler, to_real(compiler, operand))->value.real});
    operand = to_real(compiler, operand);
    return pure2(compiler, DO_REAL_NEG, TYPE_REAL, operand, operand);
  }
  case EXPR_BINARY: return binary(compiler, context, expr);
  case EXPR_COMPARE: return chain(compiler, context, expr);
  case EXPR_IF: return conditional(compiler, context, expr);
  case EXPR_INDEX: return item(compiler, context, expr);
  case EXPR_CALL: return call_expression(compiler, context, expr);
  default: break; /* is_plain takes no other */
  }
  return evaluated(compiler, context, expr);
}

uint16_t expression(struct compiler *compiler, struct context *context, struct expr *expr) {
  if (compiler->failed) return 0;
  if (compiler->plain) return plain_expression(compiler, context, expr);
  if (!is_plain(compiler, expr)) return evaluated(compiler, context, expr);
  compiler->plain = true;
  uint16_t reg = plain_expression(compiler, context, expr);
  compiler->plain = false;
  return reg;
}

/* One that was not looked through with what is in hand. */
static uint16_t other_expression(struct compiler *compiler, struct context *context, struct expr *expr) {
  bool plain = compiler->plain, draws = compiler->draws;
  compiler->plain = compiler->draws = false;
  uint16_t reg = expression(compiler, context, expr);
  compiler->draws = draws;
  compiler->plain = plain;
  return reg;
}

void expression_begins(struct compiler *compiler, enum operation operation, struct eval_site *site) {
  struct node *before = compiler->root, *node = ARENA_NEW(compiler->arena, struct node);
  node->op = (uint16_t)operation;
  node->site = site;
  node->place = compiler->here;
  node->next = before->next;
  before->next = node;
  compiler->node_count++;
  if (compiler->last == before) compiler->last = node;
}

static uint16_t root_value(struct compiler *compiler, struct context *context, struct expr *expr,
                           const struct type *type) {
  if (!kind_is_scalar(type->kind)) {
    give_up(compiler, "a value that is no number, truth or term");
    return 0;
  }
  compiler->site = eval_site_new(compiler, context, expr, type);
  compiler->fail = NULL;
  compiler->soft = false;
  compiler->root = compiler->last;
  compiler->c_calls = 0;
  compiler->draws = compiler->executor && !context->analysis;
  compiler->root_entries = compiler->entry_count;
  uint16_t draw;
  if (compile_draw(compiler, context, expr, type, &draw)) return draw;
  if (!kind_is_scalar(expr->type->kind)) { /* a distribution that is drawn, a range of which the middle is taken */
    int32_t reg = register_new(compiler, type->kind, compiler->level);
    struct node *node = emit(compiler, DO_EVAL);
    node->a = (uint16_t)reg;
    node->has_a = true;
    node->site = compiler->site;
    return mark_finite(compiler, (uint16_t)reg);
  }
  uint16_t reg = converted(compiler, expression(compiler, context, expr), type);
  if (!compiler->failed && type->kind == TYPE_REAL && !is_finite(compiler, reg) && expr->kind != EXPR_NAME)
    tested2(compiler, DO_FINITE, reg, reg);
  return reg;
}

/* Where code may fail although the expression has a value, the walker's value goes on from here. What stands
 * behind the place that failed has not been computed then. */
static void root_end(struct compiler *compiler, uint16_t reg, struct label *otherwise) {
  if (!compiler->fail || !compiler->soft || compiler->failed || info(compiler, reg)->constant) return;
  for (uint32_t i = compiler->root_entries; i < compiler->entry_count; i++)
    if (compiler->entries[i].block == compiler->block) compiler->entries[i].op = DO_NOP;
  struct fail *fail = &compiler->fails[compiler->fail_count - 1];
  fail->result = reg;
  fail->after = label_new(compiler);
  fail->otherwise = otherwise;
  label_here(compiler, fail->after);
}

uint16_t compile_root(struct compiler *compiler, struct context *context, struct expr *expr, const struct type *type) {
  uint16_t reg = root_value(compiler, context, expr, type);
  root_end(compiler, reg, NULL);
  return reg;
}

enum answer compile_condition(struct compiler *compiler, struct context *context, struct expr *condition,
                              struct label *otherwise) {
  struct node *before = compiler->last;
  uint16_t reg = root_value(compiler, context, condition, compiler->model->types.boolean);
  if (compiler->failed) return ANSWER_OPEN;
  if (info(compiler, reg)->constant) return info(compiler, reg)->value.integer ? ANSWER_YES : ANSWER_NO;
  if (fuses(compiler->last, before, reg)) {
    fuse(compiler, compiler->last, otherwise);
  } else {
    const struct entry *made = entry_of(compiler, reg);
    bool negated = made && made->op == DO_NOT;
    struct node *node = emit(compiler, negated ? DO_JUMP_IF : DO_JUMP_UNLESS);
    node->b = negated ? made->b : reg;
    node->has_b = true;
    node->label = otherwise;
  }
  root_end(compiler, reg, otherwise);
  return ANSWER_OPEN;
}
