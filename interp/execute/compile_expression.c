/* Expressions to register code: constants folded, functions in line, equal values computed once, and what
 * does not change in a loop computed before it.
 *
 * Code moves out of a loop only where it cannot fail: whole numbers carry bounds, so that most sums and
 * products are known to fit. What may fail stays where it is written and jumps to a FAIL. What this file
 * does not know becomes an EVAL: the walker's. */
#include "interp/execute/compiler.h"
#include "interp/values/arithmetic.h"
#include "interp/values/builtin.h"
#include "interp/values/memo.h"
#include <limits.h>
#include <string.h>

enum { FUNCTION_DEPTH = 12 };

static uint16_t expression(struct compiler *compiler, struct context *context, struct expr *expr);

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
    compiler->failed = true;
  else
    ARENA_PUSH(compiler->arena, compiler->registers, compiler->register_count, compiler->register_capacity,
               fresh);
  return (int32_t)compiler->register_count - 1;
}

uint16_t register_constant(struct compiler *compiler, enum type_kind kind, union slot value) {
  for (uint32_t i = 0; i < compiler->register_count; i++)
    if (compiler->registers[i].constant && compiler->registers[i].kind == kind &&
        compiler->registers[i].value.integer == value.integer)
      return (uint16_t)i;
  int32_t at = register_new(compiler, kind, 0);
  compiler->registers[at].constant = true;
  compiler->registers[at].value = value;
  if (kind == TYPE_INT || kind == TYPE_BOOL)
    compiler->registers[at].low = compiler->registers[at].high = value.integer;
  return (uint16_t)at;
}

uint16_t constant_int(struct compiler *compiler, int64_t value) {
  return register_constant(compiler, TYPE_INT, (union slot){.integer = value});
}

struct node *emit_at(struct compiler *compiler, uint32_t level, enum operation op) {
  struct node *node = ARENA_NEW(compiler->arena, struct node);
  node->op = (uint16_t)op;
  if (++compiler->node_count > 20000) compiler->failed = true;
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

/* ---- operations ---- */

static struct virtual *info(struct compiler *compiler, uint16_t reg) { return &compiler->registers[reg]; }

static uint32_t level_of(struct compiler *compiler, uint16_t b, uint16_t c) {
  uint32_t x = info(compiler, b)->level, y = info(compiler, c)->level;
  return x > y ? x : y;
}

/* A pure operation that cannot fail: found again, or emitted at the outermost level that its operands allow.
 */
static uint16_t pure_operation(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b,
                               uint16_t c, int64_t whole, uint32_t level) {
  for (uint32_t i = compiler->entry_count; i-- > 0;) {
    const struct entry *entry = &compiler->entries[i];
    if (entry->op == op && entry->b == b && entry->c == c && entry->whole == whole &&
        info(compiler, entry->result)->kind == kind)
      return entry->result;
  }
  int32_t result = register_new(compiler, kind, level);
  struct node *node = emit_at(compiler, level, op);
  node->a = (uint16_t)result;
  node->b = b;
  node->c = c;
  node->has_a = node->has_b = node->has_c = true;
  node->whole = whole;
  node->has_k = op == DO_SELECT;
  uint32_t block = level < compiler->level ? compiler->loops[level].block : compiler->block;
  struct entry entry = {(uint16_t)op, b, c, whole, (uint16_t)result, block};
  ARENA_PUSH(compiler->arena, compiler->entries, compiler->entry_count, compiler->entry_capacity, entry);
  return (uint16_t)result;
}

static uint16_t pure2(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b,
                      uint16_t c) {
  return pure_operation(compiler, op, kind, b, c, 0, level_of(compiler, b, c));
}

static struct label *fail_label(struct compiler *compiler) {
  if (!compiler->fail) {
    compiler->fail = label_new(compiler);
    struct fail fail = {compiler->fail, compiler->site};
    ARENA_PUSH(compiler->arena, compiler->fails, compiler->fail_count, compiler->fail_capacity, fail);
  }
  return compiler->fail;
}

/* An operation that may fail: emitted where it stands. */
static uint16_t checked2(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b,
                         uint16_t c) {
  int32_t result = register_new(compiler, kind, compiler->level);
  struct node *node = emit(compiler, op);
  node->a = (uint16_t)result;
  node->b = b;
  node->c = c;
  node->has_a = node->has_b = node->has_c = true;
  node->label = fail_label(compiler);
  return (uint16_t)result;
}

static bool both_constant(struct compiler *compiler, uint16_t b, uint16_t c) {
  return info(compiler, b)->constant && info(compiler, c)->constant;
}

static uint16_t bounded(struct compiler *compiler, uint16_t reg, int64_t low, int64_t high) {
  struct virtual *v = info(compiler, reg);
  if (low > v->low) v->low = low;
  if (high < v->high) v->high = high;
  return reg;
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

static uint16_t int_arithmetic(struct compiler *compiler, enum operator op, uint16_t b, uint16_t c) {
  const struct virtual x = *info(compiler, b), y = *info(compiler, c);
  int64_t low, high, product[4];
  bool fits;
  if (op == OP_ADD) {
    if (y.constant && y.value.integer == 0) return b;
    if (x.constant && x.value.integer == 0) return c;
    fits =
        int_add(x.low, y.low, &low) == ARITHMETIC_FINE && int_add(x.high, y.high, &high) == ARITHMETIC_FINE;
    return fits ? bounded(compiler,
                          both_constant(compiler, b, c) ? constant_int(compiler, low)
                                                        : pure2(compiler, DO_ADD, TYPE_INT, b, c),
                          low, high)
                : checked2(compiler, DO_ADD_CHECK, TYPE_INT, b, c);
  }
  if (op == OP_SUB) {
    if (y.constant && y.value.integer == 0) return b;
    fits = int_subtract(x.low, y.high, &low) == ARITHMETIC_FINE &&
           int_subtract(x.high, y.low, &high) == ARITHMETIC_FINE;
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
  return checked2(compiler, whole ? DO_DIV_CHECK : DO_MOD_CHECK, TYPE_INT, b, c);
}

static uint16_t to_real(struct compiler *compiler, uint16_t reg) {
  const struct virtual *x = info(compiler, reg);
  if (x->kind != TYPE_INT) return reg;
  if (x->constant)
    return register_constant(compiler, TYPE_REAL, (union slot){.real = (double)x->value.integer});
  return pure2(compiler, DO_REAL_OF, TYPE_REAL, reg, reg);
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
  default: /* OP_DIV */
    if (!info(compiler, c)->constant || y == 0) return checked2(compiler, DO_REAL_DIV_CHECK, TYPE_REAL, b, c);
    operation = DO_REAL_DIV;
    result = x / y;
  }
  if (constant && isfinite(result))
    return register_constant(compiler, TYPE_REAL, (union slot){.real = result});
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
  if (op == OP_GT || op == OP_GE) { /* a > b is b < a, NaN cannot be here */
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
  enum operation operation = op == OP_LT   ? (real ? DO_REAL_LT : DO_INT_LT)
                             : op == OP_LE ? (real ? DO_REAL_LE : DO_INT_LE)
                             : op == OP_EQ ? (real ? DO_REAL_EQ : DO_INT_EQ)
                                           : (real ? DO_REAL_NE : DO_INT_NE);
  return pure2(compiler, operation, TYPE_BOOL, b, c);
}

static uint16_t conjunction(struct compiler *compiler, uint16_t b, uint16_t c) {
  const struct virtual *x = info(compiler, b), *y = info(compiler, c);
  if (x->constant) return x->value.integer ? c : b;
  if (y->constant) return y->value.integer ? b : c;
  return pure2(compiler, DO_AND, TYPE_BOOL, b, c);
}

/* ---- names ---- */

static uint16_t value_register(struct compiler *compiler, struct value value) {
  union slot slot = slot_of(value);
  switch (value.kind) {
  case VALUE_INT: return register_constant(compiler, TYPE_INT, slot);
  case VALUE_REAL: return register_constant(compiler, TYPE_REAL, slot);
  case VALUE_BOOL: return register_constant(compiler, TYPE_BOOL, slot);
  case VALUE_TERM: return register_constant(compiler, TYPE_TERM, slot);
  case VALUE_NONE:
  case VALUE_SIGNAL:
  case VALUE_STRING:
  case VALUE_LIST:
  case VALUE_RECORD:
  case VALUE_RANGE:
  case VALUE_DISTRIBUTION: break;
  }
  compiler->failed = true;
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
  const struct instances *instances = &compiler->machine->graph->instances[context->component->id];
  if (info(compiler, context->instance)->constant) {
    int64_t indices[64];
    graph_indices(compiler->machine->graph, (uint32_t)info(compiler, context->instance)->value.integer,
                  indices);
    return constant_int(compiler, indices[index]);
  }
  bool own =
      info(compiler, context->instance)->param; /* of the frame's instance: read once, at the beginning */
  struct target_site *site = ARENA_NEW(compiler->machine->arena, struct target_site);
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

static uint16_t evaluated(struct compiler *compiler, struct context *context, struct expr *expr);

/* caller.A where the caller is in line as well: its profile's expression over its indices, else one of those.
 */
static uint16_t attribute(struct compiler *compiler, struct context *context, struct expr *expr,
                          const struct symbol *symbol) {
  struct context *caller = context->caller;
  if (symbol->side != OF_CALLER || !caller) return evaluated(compiler, context, expr);
  const struct model_profile *profile = profile_of(caller->accept, symbol->name->folded);
  if (profile && profile->value && profile->dynamic < 0) return expression(compiler, caller, profile->value);
  for (uint32_t i = 0; !profile && i < caller->component->index_count; i++)
    if (caller->component->indices[i]->name->folded == symbol->name->folded)
      return index_register(compiler, caller, i);
  return evaluated(compiler, context, expr);
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
    if (!evaluate_symbol(&compiler->machine->environment, symbol, expr->span, &value)) {
      machine_stop(compiler->machine, STOP_ERROR, expr->span, NULL);
      compiler->failed = true;
      return 0;
    }
    if (value.kind == VALUE_INT && expr->type->kind == TYPE_REAL)
      value = (struct value){.kind = VALUE_REAL, .real = (double)value.integer};
    return value_register(compiler, value);
  case SYMBOL_INDEX: return index_register(compiler, context, symbol->slot);
  case SYMBOL_INSTANCE: return expression(compiler, context, symbol->instance.value);
  case SYMBOL_LOCAL:
    if (context->slots[symbol->slot] >= 0) return (uint16_t)context->slots[symbol->slot];
    compiler->failed = true;
    return 0;
  case SYMBOL_VAR: {
    int32_t reg = register_new(compiler, symbol->type->kind, compiler->level);
    struct node *node = emit(compiler, DO_LOAD);
    struct record_site *site = ARENA_NEW(compiler->machine->arena, struct record_site);
    site->component = context->component;
    site->slot = symbol->slot;
    node->a = (uint16_t)reg;
    node->b = context->instance;
    node->has_a = node->has_b = true;
    node->site = site;
    return (uint16_t)reg;
  }
  case SYMBOL_CLOCK: {
    int32_t reg = register_new(compiler, TYPE_REAL, compiler->level);
    struct node *node = emit(compiler, DO_CLOCK);
    node->a = (uint16_t)reg;
    node->has_a = true;
    return (uint16_t)reg;
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
  case SYMBOL_COMPONENT:
  case SYMBOL_COERCION:
  case SYMBOL_STUDY:
  case SYMBOL_LABEL:
  case SYMBOL_VALUE:
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
  if (!symbol || symbol->kind != SYMBOL_LOCAL) return;
  struct eval_site *site = search->site;
  for (uint32_t i = 0; i < site->local_count; i++)
    if (site->locals[i].slot == symbol->slot) return;
  if (symbol->slot >= search->context->slot_count) return;
  int32_t reg = search->context->slots[symbol->slot];
  if (reg < 0) return; /* a binder: made while it is evaluated */
  struct operand operand = {(uint16_t)reg, (uint16_t)symbol->slot, search->compiler->registers[reg].kind};
  ARENA_PUSH(search->compiler->machine->arena, site->locals, site->local_count, search->capacity, operand);
}

static bool locals_find(const struct expr *expr, void *user) {
  if (expr->kind == EXPR_NAME) local_add(user, expr->name.symbol);
  return expr_any_child(expr, locals_find, user);
}

struct eval_site *eval_site_new(struct compiler *compiler, struct context *context, struct expr *expr,
                                const struct type *type) {
  struct eval_site *site = ARENA_NEW(compiler->machine->arena, struct eval_site);
  site->expr = expr;
  site->type = type;
  site->component = context->component;
  site->analysis = context->analysis;
  site->instance = context->instance;
  site->slot_count = context->slot_count;
  if (context->depth > 0) site->outer = compiler->outer;
  if (context->caller) {
    site->caller = context->caller->accept;
    site->caller_instance = context->caller->instance;
  }
  struct local_search search = {compiler, context, site, 0};
  locals_find(expr, &search);
  return site;
}

/* Is the expression one of the context's own function frames? There the walker would not find its names. */
static uint16_t evaluated(struct compiler *compiler, struct context *context, struct expr *expr) {
  if (compiler->function_depth > 0 || !kind_is_scalar(expr->type->kind)) {
    compiler->failed = true;
    return 0;
  }
  int32_t reg = register_new(compiler, expr->type->kind, compiler->level);
  struct node *node = emit(compiler, DO_EVAL);
  node->a = (uint16_t)reg;
  node->has_a = true;
  node->site = eval_site_new(compiler, context, expr, expr->type);
  return (uint16_t)reg;
}

/* ---- calls of functions ---- */

static bool function_fits(const struct compiler *compiler, const struct model_function *function) {
  if (function->recursive || compiler->function_depth >= FUNCTION_DEPTH) return false;
  for (uint32_t i = 0; i < function->param_count; i++)
    if (!kind_is_scalar(function->params[i]->type->kind)) return false;
  return kind_is_scalar(function->symbol->type->kind);
}

/* Does the expression hold only what can be put in line (no lists, records, binders, draws)? */
static bool is_plain(const struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  if (depth > 40 || !expr->type || !kind_is_scalar(expr->type->kind)) return false;
  switch (expr->kind) {
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_QUANTITY:
  case EXPR_BOOLEAN: return true;
  case EXPR_NAME:
    return !expr->name.symbol ||
           (expr->name.symbol->kind != SYMBOL_VALUE && expr->name.symbol->kind != SYMBOL_TARGET);
  case EXPR_MEMBER:
    return expr->member.symbol &&
           (expr->member.symbol->kind != SYMBOL_ATTRIBUTE || expr->member.symbol->side == OF_CALLER);
  case EXPR_UNARY: return is_plain(compiler, expr->unary.operand, depth + 1);
  case EXPR_BINARY:
    return expr->binary.op != OP_POW && is_plain(compiler, expr->binary.left, depth + 1) &&
           is_plain(compiler, expr->binary.right, depth + 1);
  case EXPR_COMPARE:
    for (uint32_t i = 0; i < expr->compare.count; i++)
      if (!is_plain(compiler, expr->compare.operands[i], depth + 1) ||
          (i + 1 < expr->compare.count && expr->compare.ops[i] == OP_IN))
        return false;
    return true;
  case EXPR_IF:
    return is_plain(compiler, expr->branch.condition, depth + 1) &&
           is_plain(compiler, expr->branch.then, depth + 1) &&
           is_plain(compiler, expr->branch.otherwise, depth + 1);
  case EXPR_CALL: {
    const struct symbol *callee = expr->call.symbol;
    if (expr->call.binder_count || !callee) return false;
    if (callee->kind == SYMBOL_FUNCTION) {
      if (!function_fits(compiler, callee->function) ||
          !is_plain(compiler, callee->function->value, depth + 1))
        return false;
    } else if (callee->kind == SYMBOL_BUILTIN) {
      const struct builtin *builtin = callee->builtin;
      if (!builtin->real1 && !builtin->real2 && !builtin->int1 && !builtin->int2 && !builtin->whole)
        return false;
    } else if (callee->kind != SYMBOL_EVALUATOR_FUNCTION || callee->evaluator_function->kind != PSL_PURE) {
      return false;
    }
    for (uint32_t i = 0; i < expr->call.bound_count; i++)
      if (expr->call.bound[i] && !is_plain(compiler, expr->call.bound[i], depth + 1)) return false;
    return true;
  }
  case EXPR_STRING:
  case EXPR_RANGE:
  case EXPR_INDEX:
  case EXPR_LIST:
  case EXPR_EACH:
  case EXPR_RECORD:
  case EXPR_CLAUSE:
  case EXPR_NA:
  case EXPR_KINDS: return false;
  }
  return false;
}

static uint16_t converted(struct compiler *compiler, uint16_t reg, const struct type *type) {
  return type->kind == TYPE_REAL ? to_real(compiler, reg) : reg;
}

static uint16_t call_function(struct compiler *compiler, struct context *context, struct expr *expr) {
  struct model_function *function = expr->call.symbol->function;
  struct context inner = *context;
  inner.slot_count = function->slot_count;
  inner.slots = ARENA_ARRAY(compiler->arena, int32_t, function->slot_count + 1);
  for (uint32_t i = 0; i < function->slot_count; i++)
    inner.slots[i] = -1;
  for (uint32_t i = 0; i < function->param_count; i++) {
    struct expr *given =
        i < expr->call.bound_count && expr->call.bound[i] ? expr->call.bound[i] : function->defaults[i];
    if (!given) {
      compiler->failed = true;
      return 0;
    }
    inner.slots[function->params[i]->slot] =
        converted(compiler, expression(compiler, context, given), function->params[i]->type);
  }
  compiler->function_depth++;
  uint16_t result =
      converted(compiler, expression(compiler, &inner, function->value), function->symbol->type);
  compiler->function_depth--;
  return result;
}

static uint16_t call_pure(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct symbol *callee = expr->call.symbol;
  struct native_site *site = ARENA_NEW(compiler->machine->arena, struct native_site);
  site->wait.callee = callee;
  site->function = callee->evaluator_function;
  site->count = callee->signature->count;
  site->evaluator = evaluator_open(compiler->machine, callee->evaluator_of);
  if (site->count > 16) {
    compiler->failed = true;
    return 0;
  }
  for (uint32_t i = 0; i < site->count; i++) {
    struct expr *given = i < expr->call.bound_count && expr->call.bound[i] ? expr->call.bound[i]
                                                                           : callee->signature->defaults[i];
    site->arguments[i] =
        converted(compiler, expression(compiler, context, given), callee->signature->types[i]);
  }
  union psl_argument constants[16];
  char error[200];
  bool known = true;
  for (uint32_t i = 0; i < site->count; i++) {
    known = known && info(compiler, site->arguments[i])->constant;
    constants[i].integer = info(compiler, site->arguments[i])->value.integer;
  }
  if (!compiler->failed && known && site->function->pure(constants, &site->result, error) &&
      (callee->type->kind != TYPE_REAL || isfinite(site->result.real)))
    return register_constant(compiler, callee->type->kind, (union slot){.integer = site->result.integer});
  int32_t reg = register_new(compiler, callee->type->kind, compiler->level);
  struct node *node = emit(compiler, DO_PURE);
  node->a = (uint16_t)reg;
  node->has_a = true;
  node->site = site;
  node->label = fail_label(compiler);
  return (uint16_t)reg;
}

static uint16_t scalar_builtin(struct compiler *compiler, const struct builtin *builtin, struct expr *expr,
                               const uint16_t *args) {
  uint32_t count = expr->call.bound_count;
  bool whole = expr->type->kind == TYPE_INT;
  int32_t reg;
  struct node *node;
  if (strcmp(builtin->name, "abs") == 0 && count == 1) {
    if (!whole) return pure2(compiler, DO_REAL_ABS, TYPE_REAL, args[0], args[0]);
    const struct virtual x = *info(compiler, args[0]);
    if (x.low > INT64_MIN) {
      int64_t most = -x.low > x.high ? -x.low : x.high;
      return bounded(compiler, pure2(compiler, DO_INT_ABS, TYPE_INT, args[0], args[0]), 0, most);
    }
  }
  bool least = strcmp(builtin->name, "min") == 0;
  if (least || strcmp(builtin->name, "max") == 0) {
    uint16_t result = whole ? args[0] : to_real(compiler, args[0]);
    for (uint32_t i = 1; i < count; i++) {
      if (!whole) {
        result =
            pure2(compiler, least ? DO_REAL_MIN : DO_REAL_MAX, TYPE_REAL, result, to_real(compiler, args[i]));
        continue;
      }
      const struct virtual x = *info(compiler, result), y = *info(compiler, args[i]);
      if (least ? x.high <= y.low : x.low >= y.high) continue;
      if (least ? y.high <= x.low : y.low >= x.high) {
        result = args[i];
        continue;
      }
      result = pure2(compiler, least ? DO_INT_MIN : DO_INT_MAX, TYPE_INT, result, args[i]);
      if (least)
        bounded(compiler, result, x.low < y.low ? x.low : y.low, x.high < y.high ? x.high : y.high);
      else
        bounded(compiler, result, x.low > y.low ? x.low : y.low, x.high > y.high ? x.high : y.high);
    }
    return result;
  }
  if (builtin->whole && count == 1) {
    if (info(compiler, args[0])->kind == TYPE_INT) return args[0];
    reg = register_new(compiler, TYPE_INT, compiler->level);
    node = emit(compiler, DO_WHOLE);
    memcpy(&node->site, &builtin->whole, sizeof node->site);
  } else if (builtin->real1 && count == 1 && !whole) {
    reg = register_new(compiler, TYPE_REAL, compiler->level);
    node = emit(compiler, DO_REAL_1);
    memcpy(&node->site, &builtin->real1, sizeof node->site);
  } else if (builtin->real2 && count == 2 && !whole) {
    reg = register_new(compiler, TYPE_REAL, compiler->level);
    node = emit(compiler, DO_REAL_2);
    memcpy(&node->site, &builtin->real2, sizeof node->site);
  } else {
    compiler->failed = true;
    return 0;
  }
  node->a = (uint16_t)reg;
  node->b = to_real(compiler, args[0]);
  node->c = count > 1 ? to_real(compiler, args[1]) : node->b;
  node->has_a = node->has_b = node->has_c = true;
  node->label = fail_label(compiler);
  return (uint16_t)reg;
}

static uint16_t call_builtin(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct builtin *builtin = expr->call.symbol->builtin;
  uint16_t args[16];
  if (expr->call.bound_count > 16 || expr->call.bound_count == 0) {
    compiler->failed = true;
    return 0;
  }
  for (uint32_t i = 0; i < expr->call.bound_count; i++) {
    args[i] = expression(compiler, context, expr->call.bound[i]);
    if (builtin->real1 && expr->type->kind == TYPE_REAL) args[i] = to_real(compiler, args[i]);
  }
  return compiler->failed ? 0 : scalar_builtin(compiler, builtin, expr, args);
}

/* ---- expressions ---- */

/* Both sides are computed where neither can fail, else code branches. */
static bool emits_failure(struct node *since) {
  for (struct node *node = since->next; node; node = node->next)
    if (node->label || node->op == DO_EVAL || node->here) return true;
  return false;
}

static uint16_t conditional(struct compiler *compiler, struct context *context, struct expr *expr) {
  uint16_t condition = expression(compiler, context, expr->branch.condition);
  if (info(compiler, condition)->constant)
    return converted(
        compiler,
        expression(compiler, context,
                   info(compiler, condition)->value.integer ? expr->branch.then : expr->branch.otherwise),
        expr->type);
  enum type_kind kind = expr->type->kind;
  /* on trial, in a block of its own */
  struct label *otherwise = label_new(compiler), *end = label_new(compiler);
  struct node *test = emit(compiler, DO_JUMP_UNLESS);
  test->b = condition;
  test->has_b = true;
  test->label = otherwise;
  block_enter(compiler);
  uint16_t then = converted(compiler, expression(compiler, context, expr->branch.then), expr->type);
  block_leave(compiler);
  int32_t result = register_new(compiler, kind, compiler->level);
  struct node *move = emit(compiler, DO_MOVE);
  move->a = (uint16_t)result;
  move->b = then;
  move->has_a = move->has_b = true;
  jump(compiler, end);
  label_here(compiler, otherwise);
  block_enter(compiler);
  uint16_t other = converted(compiler, expression(compiler, context, expr->branch.otherwise), expr->type);
  block_leave(compiler);
  struct node *second = emit(compiler, DO_MOVE);
  second->a = (uint16_t)result;
  second->b = other;
  second->has_a = second->has_b = true;
  label_here(compiler, end);
  const struct virtual x = *info(compiler, then), y = *info(compiler, other);
  bool plain = test->next == move && move->next->next && move->next->next->next == second;
  if (plain) { /* both sides stand elsewhere already: one SELECT does, and may move out of the loop */
    uint32_t level = info(compiler, condition)->level;
    level = x.level > level ? x.level : level;
    level = y.level > level ? y.level : level;
    test->op = move->op = move->next->op = second->op = DO_NOP;
    test->label = move->next->label = NULL;
    test->has_b = move->has_a = move->has_b = second->has_a = second->has_b = false;
    result = pure_operation(compiler, DO_SELECT, kind, condition, then, other, level);
  }
  return bounded(compiler, (uint16_t)result, x.low < y.low ? x.low : y.low,
                 x.high > y.high ? x.high : y.high);
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
    return pure2(compiler, and? DO_AND : DO_OR, TYPE_BOOL, left, right);
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
    uint16_t right = expression(compiler, context, expr->compare.operands[i + 1]);
    uint16_t part = comparison(compiler, expr->compare.ops[i], left, right);
    result = i == 0 ? part : conjunction(compiler, result, part);
    left = right;
  }
  return result;
}

static uint16_t item(struct compiler *compiler, struct context *context, struct expr *expr) {
  struct expr *base = expr->index.base;
  struct symbol *symbol = base->kind == EXPR_NAME     ? base->name.symbol
                          : base->kind == EXPR_MEMBER ? base->member.symbol
                                                      : NULL;
  struct value list;
  if (expr->index.term) {
    struct value value;
    if (evaluate(&compiler->machine->environment, expr, &value)) return value_register(compiler, value);
    compiler->failed = true;
    return 0;
  }
  if (!symbol || (symbol->kind != SYMBOL_LET && symbol->kind != SYMBOL_PARAM) || expr->index.count != 1 ||
      !evaluate_symbol(&compiler->machine->environment, symbol, expr->span, &list) || list.kind != VALUE_LIST)
    return evaluated(compiler, context, expr);
  uint16_t at = expression(compiler, context, expr->index.subscripts[0]);
  const struct virtual *x = info(compiler, at);
  if (x->low < 0 || x->high >= (int64_t)list.object->count || !list.object->constant)
    return evaluated(compiler, context, expr);
  for (uint32_t i = 0; i < list.object->count; i++)
    if (list.object->items[i].kind != (expr->type->kind == TYPE_REAL ? VALUE_REAL : VALUE_INT) ||
        !kind_is_scalar(expr->type->kind))
      return evaluated(compiler, context, expr);
  if (x->constant) return value_register(compiler, list.object->items[x->value.integer]);
  return pure_operation(compiler, DO_ITEM, expr->type->kind, at, at, (int64_t)(intptr_t)list.object,
                        x->level);
}

static uint16_t binary(struct compiler *compiler, struct context *context, struct expr *expr) {
  enum operator op = expr->binary.op;
  uint16_t left = expression(compiler, context, expr->binary.left);
  if (op == OP_AND || op == OP_OR) return logical(compiler, context, op == OP_AND, left, expr->binary.right);
  uint16_t right = expression(compiler, context, expr->binary.right);
  if (expr->type->kind == TYPE_INT) return int_arithmetic(compiler, op, left, right);
  return real_arithmetic(compiler, op, left, right);
}

static uint16_t expression(struct compiler *compiler, struct context *context, struct expr *expr) {
  if (compiler->failed) return 0;
  union slot slot;
  switch (expr->kind) {
  case EXPR_INTEGER:
    if (expr->type->kind == TYPE_REAL)
      return register_constant(compiler, TYPE_REAL, (union slot){.real = (double)expr->integer});
    return constant_int(compiler, expr->integer);
  case EXPR_REAL: return register_constant(compiler, TYPE_REAL, (union slot){.real = expr->real});
  case EXPR_QUANTITY: {
    struct value value;
    if (!evaluate(&compiler->machine->environment, expr, &value)) break;
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
    if (expr->type->kind == TYPE_INT)
      return int_arithmetic(compiler, OP_SUB, constant_int(compiler, 0), operand);
    if (info(compiler, operand)->constant)
      return register_constant(compiler, TYPE_REAL,
                               (union slot){.real = -info(compiler, to_real(compiler, operand))->value.real});
    operand = to_real(compiler, operand);
    return pure2(compiler, DO_REAL_NEG, TYPE_REAL, operand, operand);
  }
  case EXPR_BINARY:
    return expr->binary.op == OP_POW || !is_plain(compiler, expr, 0) ? evaluated(compiler, context, expr)
                                                                     : binary(compiler, context, expr);
  case EXPR_COMPARE:
    return is_plain(compiler, expr, 0) ? chain(compiler, context, expr) : evaluated(compiler, context, expr);
  case EXPR_IF:
    return is_plain(compiler, expr, 0) ? conditional(compiler, context, expr)
                                       : evaluated(compiler, context, expr);
  case EXPR_INDEX: return item(compiler, context, expr);
  case EXPR_CALL:
    if (!is_plain(compiler, expr, 0)) return evaluated(compiler, context, expr);
    if (expr->call.symbol->kind == SYMBOL_FUNCTION) return call_function(compiler, context, expr);
    if (expr->call.symbol->kind == SYMBOL_BUILTIN) return call_builtin(compiler, context, expr);
    return call_pure(compiler, context, expr);
  case EXPR_STRING:
  case EXPR_RANGE:
  case EXPR_LIST:
  case EXPR_EACH:
  case EXPR_RECORD:
  case EXPR_CLAUSE:
  case EXPR_NA:
  case EXPR_KINDS: break;
  }
  return evaluated(compiler, context, expr);
}

uint16_t compile_root(struct compiler *compiler, struct context *context, struct expr *expr,
                      const struct type *type) {
  if (!kind_is_scalar(type->kind)) {
    compiler->failed = true;
    return 0;
  }
  compiler->site = eval_site_new(compiler, context, expr, type);
  compiler->fail = NULL;
  if (!kind_is_scalar(
          expr->type->kind)) { /* a distribution that is drawn, a range of which the middle is taken */
    int32_t reg = register_new(compiler, type->kind, compiler->level);
    struct node *node = emit(compiler, DO_EVAL);
    node->a = (uint16_t)reg;
    node->has_a = true;
    node->site = compiler->site;
    return (uint16_t)reg;
  }
  uint16_t reg = converted(compiler, expression(compiler, context, expr), type);
  if (!compiler->failed && type->kind == TYPE_REAL && !info(compiler, reg)->constant &&
      expr->kind != EXPR_NAME) {
    struct node *node = emit(compiler, DO_FINITE);
    node->b = reg;
    node->has_b = true;
    node->label = fail_label(compiler);
  }
  return reg;
}

static enum operation unless_of(enum operation op) {
  switch (op) {
  case DO_INT_LT: return DO_UNLESS_INT_LT;
  case DO_INT_LE: return DO_UNLESS_INT_LE;
  case DO_REAL_LT: return DO_UNLESS_REAL_LT;
  case DO_REAL_LE: return DO_UNLESS_REAL_LE;
  default: return DO_NOP;
  }
}

void compile_condition(struct compiler *compiler, struct context *context, struct expr *condition,
                       struct label *otherwise) {
  struct node *before = compiler->last;
  uint16_t reg = compile_root(compiler, context, condition, compiler->machine->model->types.boolean);
  if (compiler->failed) return;
  if (info(compiler, reg)->constant) {
    if (!info(compiler, reg)->value.integer) jump(compiler, otherwise);
    return;
  }
  struct node *last = compiler->last;
  if (last != before && last->has_a && last->a == reg && unless_of((enum operation)last->op) != DO_NOP) {
    last->op = (uint16_t)unless_of((enum operation)last->op); /* compared only to jump */
    last->has_a = false;
    last->label = otherwise;
    for (uint32_t i = compiler->entry_count; i-- > 0;)
      if (compiler->entries[i].result == reg) compiler->entries[i].op = DO_NOP;
    return;
  }
  struct node *node = emit(compiler, DO_JUMP_UNLESS);
  node->b = reg;
  node->has_b = true;
  node->label = otherwise;
}
