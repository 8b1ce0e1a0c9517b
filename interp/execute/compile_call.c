/* Calls in expressions: functions of PSL in line or as a CALL, built-in ones, folds, pure ones of evaluators.
 */
#include "interp/execute/compiler.h"
#include "interp/execute/diagonals.h"
#include "grammar/children.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/evaluate/builtin.h"
#include <math.h>
#include <string.h>

enum { BUILTIN_ARGUMENTS = 16, FUNCTION_DEPTH = 12, IN_LINE = 1000, PLAIN_DEPTH = 100 };

/* ---- what can be compiled ---- */

enum { PLAIN_UNKNOWN, PLAIN_YES, PLAIN_NOT };

static bool plain(struct compiler *compiler, const struct expr *expr, uint32_t depth);

/* A function that calls itself is taken to be plain while it is looked through. */
static bool plain_code(struct compiler *compiler, struct function_code *code, uint32_t depth) {
  const struct model_function *function = code->function;
  if (code->plain != PLAIN_UNKNOWN) return code->plain == PLAIN_YES;
  code->plain = PLAIN_YES;
  compiler->c_forbidden++; /* it may be compiled by itself */
  bool fits = kind_is_scalar(function->symbol->type->kind) && plain(compiler, function->value, depth + 1);
  for (uint32_t i = 0; i < function->param_count && fits; i++)
    fits = kind_is_scalar(function->params[i]->type->kind) &&
           (!function->defaults[i] || plain(compiler, function->defaults[i], depth + 1));
  compiler->c_forbidden--;
  code->plain = fits ? PLAIN_YES : PLAIN_NOT;
  return fits;
}

static bool plain_function(struct compiler *compiler, const struct model_function *function, uint32_t depth) {
  return compiler->functions && plain_code(compiler, function_entry(compiler->functions, function), depth);
}

/* A fold over whole numbers. */
static bool plain_turns(struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  if (expr->call->symbol->builtin->fold == FOLD_NONE || expr->call->args.value_count != 1) return false;
  for (uint32_t i = 0; i < expr->call->binder_count; i++) {
    const struct expr *range = expr->call->binders[i].range;
    if (range->kind != EXPR_RANGE || range->range.low->type->kind != TYPE_INT ||
        range->range.high->type->kind != TYPE_INT || !plain(compiler, range->range.low, depth + 1) ||
        !plain(compiler, range->range.high, depth + 1))
      return false;
  }
  return plain(compiler, expr->call->args.values[0], depth + 1);
}

static bool plain_fold(struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  compiler->c_forbidden++; /* as often as there are turns */
  bool fits = plain_turns(compiler, expr, depth);
  compiler->c_forbidden--;
  return fits;
}

static bool plain_builtin(const struct builtin *builtin) {
  return builtin->real1 || builtin->real2 || builtin->int1 || builtin->int2 || builtin->whole;
}

/* The numbers that it is made of. */
static bool plain_distribution(struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  for (uint32_t i = 0; i < expr->call->bound_count; i++)
    if (!expr->call->bound[i] || !plain(compiler, expr->call->bound[i], depth + 1)) return false;
  return true;
}

static bool plain_call(struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  const struct symbol *callee = expr->call->symbol;
  if (!callee) return false;
  if (expr->call->binder_count) return callee->kind == SYMBOL_BUILTIN && plain_fold(compiler, expr, depth);
  if (callee->kind == SYMBOL_FUNCTION) {
    if (callee->function->fit) return false; /* the walker looks whether it is in the range of the fit */
    if (!plain_function(compiler, callee->function, depth)) return false;
  } else if (callee->kind == SYMBOL_BUILTIN) {
    if (callee->builtin->draws ? !may_draw(compiler, expr) : !plain_builtin(callee->builtin)) return false;
    if (callee->builtin->draws) return plain_distribution(compiler, expr->call->bound[0], depth);
  } else if (callee->kind == SYMBOL_FOREIGN) {
    if (!may_call_c(compiler, expr)) return false;
  } else if (callee->kind != SYMBOL_EVALUATOR_FUNCTION || callee->evaluator_function->kind != PSL_PURE ||
             callee->evaluator_function->reads) {
    return false;
  }
  const struct model_signature *signature = callee->kind == SYMBOL_EVALUATOR_FUNCTION ? callee->signature : NULL;
  for (uint32_t i = 0; signature && i < signature->count; i++)
    if (signature->types[i]->kind == TYPE_LIST) return false;
  for (uint32_t i = 0; i < expr->call->bound_count; i++)
    if (expr->call->bound[i] && !plain(compiler, expr->call->bound[i], depth + 1)) return false;
  return true;
}

static bool plain_comparison(struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  bool fits = true;
  for (uint32_t i = 0; i < expr->compare.count && fits; i++) {
    compiler->c_forbidden += i > 1; /* code comes to all of them, the walker to the first that does not hold */
    fits = plain(compiler, expr->compare.operands[i], depth + 1) &&
           (i + 1 == expr->compare.count || expr->compare.ops[i] != OP_IN);
    compiler->c_forbidden -= i > 1;
  }
  return fits;
}

/* No lists but those of which an item is taken, no records, no draws. */
static bool plain(struct compiler *compiler, const struct expr *expr, uint32_t depth) {
  if (depth > PLAIN_DEPTH || !expr->type || !kind_is_scalar(expr->type->kind)) return false;
  switch (expr->kind) {
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_QUANTITY:
  case EXPR_BOOLEAN: return true;
  case EXPR_NAME: return !expr->name.symbol || expr->name.symbol->kind != SYMBOL_TARGET;
  case EXPR_MEMBER: return expr->member.symbol;
  case EXPR_UNARY: return plain(compiler, expr->unary.operand, depth + 1);
  case EXPR_BINARY:
    return plain(compiler, expr->binary.left, depth + 1) && plain(compiler, expr->binary.right, depth + 1);
  case EXPR_COMPARE: return plain_comparison(compiler, expr, depth);
  case EXPR_IF:
    return plain(compiler, expr->branch.condition, depth + 1) && plain(compiler, expr->branch.then, depth + 1) &&
           plain(compiler, expr->branch.otherwise, depth + 1);
  case EXPR_INDEX:
    return expr->index.term || (item_list(compiler, expr) && plain(compiler, expr->index.subscripts[0], depth + 1));
  case EXPR_CALL: return plain_call(compiler, expr, depth);
  default: return false; /* the walker takes it */
  }
}

bool is_plain(struct compiler *compiler, const struct expr *expr) { return plain(compiler, expr, 0); }

/* ---- calls of functions ---- */

uint16_t converted(struct compiler *compiler, uint16_t reg, const struct type *type) {
  return type->kind == TYPE_REAL ? to_real(compiler, reg) : reg;
}

struct weighing {
  struct compiler *compiler;
  uint32_t weight;
};

static uint32_t weight_of(struct compiler *compiler, const struct model_function *function);

static bool weigh(const struct expr *expr, void *user) {
  struct weighing *weighing = user;
  weighing->weight++;
  if (expr->kind == EXPR_CALL && expr->call->symbol && expr->call->symbol->kind == SYMBOL_FUNCTION)
    weighing->weight += weight_of(weighing->compiler, expr->call->symbol->function);
  return weighing->weight > IN_LINE || expr_any_child(expr, weigh, user);
}

/* Nodes of a function's value with what is put in line inside of it; more than IN_LINE: it is called. */
static uint32_t weight_of(struct compiler *compiler, const struct model_function *function) {
  struct function_code *code = function_entry(compiler->functions, function);
  struct weighing weighing = {compiler, 0};
  if (function->recursive) return 1;
  if (!code->weight) {
    code->weight = 1;
    weigh(function->value, &weighing);
    code->weight = weighing.weight;
  }
  return code->weight > IN_LINE ? 1 : code->weight;
}

static bool goes_in_line(struct compiler *compiler, const struct model_function *function) {
  if (function->recursive || compiler->function_depth >= FUNCTION_DEPTH) return false;
  weight_of(compiler, function);
  return function_entry(compiler->functions, function)->weight <= IN_LINE;
}

/* The function's frame: registers of its parameters. */
static struct context function_frame(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct model_function *function = expr->call->symbol->function;
  struct context inner = *context;
  inner.slot_count = function->slot_count;
  inner.slots = ARENA_ARRAY(compiler->arena, int32_t, function->slot_count + 1);
  memset(inner.slots, 0xff, (function->slot_count + 1) * sizeof(int32_t));
  for (uint32_t i = 0; i < function->param_count; i++) {
    struct expr *given = i < expr->call->bound_count ? expr->call->bound[i] : NULL;
    if (!given && !function->defaults[i]) {
      give_up(compiler, "an argument that is missing");
      return inner;
    }
    uint16_t reg = given ? expression(compiler, context, given) : expression(compiler, &inner, function->defaults[i]);
    inner.slots[function->params[i]->slot] = converted(compiler, reg, function->params[i]->type);
  }
  return inner;
}

static uint16_t in_line(struct compiler *compiler, struct context *inner, const struct model_function *function) {
  compiler->function_depth++;
  uint16_t result = converted(compiler, expression(compiler, inner, function->value), function->symbol->type);
  compiler->function_depth--;
  return result;
}

static void callee_note(struct compiler *compiler, struct function_code *callee) {
  struct function_code *code = compiler->function;
  for (uint32_t k = 0; k < code->callee_count; k++)
    if (code->callees[k] == callee) return;
  if (callee != code) ARENA_PUSH(compiler->sites, code->callees, code->callee_count, code->callee_capacity, callee);
}

static void fail_unless_ordered(struct compiler *compiler, uint16_t low, uint16_t high) {
  struct node *node = emit(compiler, DO_UNLESS_INT_LE);
  node->b = low;
  node->c = high;
  node->has_b = node->has_c = true;
  node->label = fail_label(compiler);
}

/* What a function that is near gives itself is near, too. */
static void keep_near(struct compiler *compiler, const struct call_site *site) {
  for (uint32_t k = 0; k < site->count; k++) {
    const struct virtual x = *info(compiler, site->arguments[k]);
    if (x.kind != TYPE_INT) continue;
    if (x.low < -NEAR) fail_unless_ordered(compiler, constant_int(compiler, -NEAR), site->arguments[k]);
    if (x.high > NEAR) fail_unless_ordered(compiler, site->arguments[k], constant_int(compiler, NEAR));
  }
}

static uint16_t call_function(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct model_function *function = expr->call->symbol->function;
  bool inside = goes_in_line(compiler, function);
  struct function_code *code = inside ? NULL : function_code(compiler->functions, function);
  if (!inside && !code) return evaluated(compiler, context, expr);
  struct context inner = function_frame(compiler, context, expr);
  if (compiler->failed) return 0;
  if (inside) return in_line(compiler, &inner, function);
  struct call_site *site = ARENA_NEW(compiler->sites, struct call_site);
  site->callee = code;
  if (compiler->function) callee_note(compiler, code);
  site->caller = compiler->function;
  site->count = code->param_count;
  for (uint32_t k = 0; k < site->count; k++)
    site->arguments[k] = k < function->param_count ? (uint16_t)inner.slots[function->params[k]->slot]
                                                   : index_register(compiler, context, k - function->param_count);
  if (code == compiler->function && code->near) keep_near(compiler, site);
  int32_t reg = register_new(compiler, code->result, compiler->level);
  struct node *node = emit(compiler, DO_CALL);
  node->a = (uint16_t)reg;
  node->has_a = true;
  node->site = site;
  if (compiler->executor) node->label = fail_label(compiler);
  compiler->soft = true;
  return (uint16_t)reg;
}

/* ---- folds ---- */

struct folding {
  struct compiler *compiler;
  struct expr *expr;
  enum builtin_fold fold;
  uint16_t result, first; /* registers; first: MIN, MAX have had no item yet */
  struct label *end;
};

static void emit_move(struct compiler *compiler, uint16_t to, uint16_t from) {
  struct node *move = emit(compiler, DO_MOVE);
  move->a = to;
  move->b = from;
  move->has_a = move->has_b = true;
}

static struct node *emit3(struct compiler *compiler, enum operation op, uint16_t a, uint16_t b, uint16_t c) {
  struct node *node = emit(compiler, op);
  node->a = a;
  node->b = b;
  node->c = c;
  node->has_a = node->has_b = node->has_c = true;
  return node;
}

static void fold_extreme(struct folding *folding, uint16_t item) {
  struct compiler *compiler = folding->compiler;
  bool whole = info(compiler, item)->kind == TYPE_INT, least = folding->fold == FOLD_MIN;
  enum operation op = whole ? (least ? DO_INT_MIN : DO_INT_MAX) : least ? DO_REAL_MIN : DO_REAL_MAX;
  uint16_t extreme = (uint16_t)register_new(compiler, info(compiler, item)->kind, compiler->level);
  emit3(compiler, op, extreme, folding->result, item);
  struct node *select = emit3(compiler, DO_SELECT, folding->result, folding->first, item);
  select->whole = extreme;
  select->has_k = true;
  emit_move(compiler, folding->first, register_constant(compiler, TYPE_BOOL, (union slot){.integer = 0}));
}

static void fold_item(struct folding *folding, uint16_t item) {
  struct compiler *compiler = folding->compiler;
  bool whole = info(compiler, item)->kind == TYPE_INT;
  uint16_t result = folding->result;
  struct node *node;
  switch (folding->fold) {
  case FOLD_NONE: return;
  case FOLD_SUM:
    node = emit3(compiler, whole ? DO_ADD_CHECK : DO_REAL_ADD, result, result, item);
    if (whole) node->label = fail_label(compiler);
    return;
  case FOLD_PRODUCT:
    node = emit3(compiler, whole ? DO_MUL_CHECK : DO_REAL_MUL, result, result, item);
    if (whole) node->label = fail_label(compiler);
    return;
  case FOLD_MIN:
  case FOLD_MAX: fold_extreme(folding, item); return;
  case FOLD_COUNT: emit3(compiler, DO_ADD, result, result, item); return;
  case FOLD_ALL:
  case FOLD_ANY:
    emit_move(compiler, result, item);
    node = emit(compiler, folding->fold == FOLD_ANY ? DO_JUMP_IF : DO_JUMP_UNLESS);
    node->b = result;
    node->has_b = true;
    node->label = folding->end;
    return;
  }
}

/* The walker says so where a binder has more values than one may have. */
static void fold_limit(struct folding *folding, uint16_t low, uint16_t high) {
  struct compiler *compiler = folding->compiler;
  int64_t most;
  if (!fold_has_limit(folding->fold)) return;
  if (int_add(info(compiler, low)->low, FOLD_MOST - 1, &most) == ARITHMETIC_FINE && info(compiler, high)->high <= most)
    return;
  fail_unless_ordered(compiler, high, int_arithmetic(compiler, OP_ADD, low, constant_int(compiler, FOLD_MOST - 1)));
}

/* The binders from k on, inner ones fastest. */
static void fold_from(struct folding *folding, struct context *context, uint32_t k) {
  struct compiler *compiler = folding->compiler;
  if (k == folding->expr->call->binder_count) {
    uint16_t item = expression(compiler, context, folding->expr->call->args.values[0]);
    if (!compiler->failed) fold_item(folding, item);
    return;
  }
  const struct binder *binder = &folding->expr->call->binders[k];
  uint16_t low = expression(compiler, context, binder->range->range.low);
  uint16_t high = expression(compiler, context, binder->range->range.high);
  if (compiler->failed || compiler->level >= 30) {
    give_up(compiler, "loops within each other");
    return;
  }
  fold_limit(folding, low, high);
  struct label *again = label_new(compiler), *end = label_new(compiler);
  struct node *test = emit(compiler, DO_UNLESS_INT_LE);
  test->b = low;
  test->c = high;
  test->has_b = test->has_c = true;
  test->label = end;
  block_enter(compiler);
  uint16_t variable = (uint16_t)register_new(compiler, TYPE_INT, compiler->level + 1);
  emit_move(compiler, variable, low);
  bounded(compiler, variable, info(compiler, low)->low, info(compiler, high)->high);
  compiler->loops[compiler->level].insert = compiler->last;
  compiler->loops[compiler->level].block = compiler->block;
  compiler->level++;
  block_enter(compiler);
  label_here(compiler, again);
  context->slots[binder->symbol->slot] = variable;
  fold_from(folding, context, k + 1);
  emit(compiler, DO_COUNT)->label = fail_label(compiler);
  struct node *next = emit3(compiler, DO_NEXT_UP, variable, constant_int(compiler, 1), high);
  next->updates = true;
  next->label = again;
  block_leave(compiler);
  compiler->level--;
  block_leave(compiler);
  label_here(compiler, end);
}

/* What the fold is before its first item. */
static union slot fold_begin(enum builtin_fold fold, bool whole) {
  bool one = fold == FOLD_PRODUCT || fold == FOLD_ALL;
  return whole ? (union slot){.integer = one} : (union slot){.real = one};
}

static uint16_t call_fold(struct compiler *compiler, struct context *context, struct expr *expr) {
  struct context inner = *context;
  struct folding folding = {.compiler = compiler, .expr = expr, .fold = expr->call->symbol->builtin->fold};
  enum type_kind kind = folding.fold == FOLD_COUNT ? TYPE_INT : expr->call->args.values[0]->type->kind;
  bool extreme = folding.fold == FOLD_MIN || folding.fold == FOLD_MAX;
  for (uint32_t k = 0; k < expr->call->binder_count; k++)
    if (expr->call->binders[k].symbol->slot >= inner.slot_count)
      inner.slot_count = expr->call->binders[k].symbol->slot + 1;
  inner.slots = ARENA_ARRAY(compiler->arena, int32_t, inner.slot_count + 1);
  memset(inner.slots, 0xff, (inner.slot_count + 1) * sizeof(int32_t));
  memcpy(inner.slots, context->slots, context->slot_count * sizeof(int32_t));
  compiler->soft = true; /* an interrupt: the walker says so, or has been quick */
  folding.result = (uint16_t)register_new(compiler, kind, compiler->level);
  folding.end = label_new(compiler);
  emit_move(compiler, folding.result, register_constant(compiler, kind, fold_begin(folding.fold, kind != TYPE_REAL)));
  if (extreme) {
    folding.first = (uint16_t)register_new(compiler, TYPE_BOOL, compiler->level);
    emit_move(compiler, folding.first, register_constant(compiler, TYPE_BOOL, (union slot){.integer = 1}));
  }
  fold_from(&folding, &inner, 0);
  label_here(compiler, folding.end);
  if (compiler->failed) return 0;
  if (extreme) { /* of nothing */
    struct node *node = emit(compiler, DO_JUMP_IF);
    node->b = folding.first;
    node->has_b = true;
    node->label = fail_label(compiler);
  }
  return converted(compiler, folding.result, expr->type);
}

/* ---- functions of evaluators, built-in functions ---- */

static uint16_t call_pure(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct symbol *callee = expr->call->symbol;
  struct native_site *site = ARENA_NEW(compiler->sites, struct native_site);
  site->wait.callee = callee;
  site->function = callee->evaluator_function;
  site->count = callee->signature->count;
  if (site->count > EVALUATOR_ARGUMENTS) {
    give_up(compiler, "a function of an evaluator with many arguments");
    return 0;
  }
  for (uint32_t i = 0; i < site->count; i++) {
    struct expr *given =
        i < expr->call->bound_count && expr->call->bound[i] ? expr->call->bound[i] : callee->signature->defaults[i];
    site->arguments[i] = converted(compiler, expression(compiler, context, given), callee->signature->types[i]);
  }
  for (uint32_t i = 0; i < site->count; i++) {
    const struct virtual *given = info(compiler, site->arguments[i]);
    bool real = callee->signature->types[i]->kind == TYPE_REAL;
    if (!given->constant) site->varying[site->varying_count++] = (uint16_t)i;
    if (real && !(given->constant && isfinite(given->value.real))) site->tested[site->tested_count++] = (uint16_t)i;
    site->last[i].integer = given->value.integer;
  }
  if (!compiler->failed && site->varying_count == 0 && pure_renew(site) &&
      (callee->type->kind != TYPE_REAL || isfinite(site->result.real)))
    return register_constant(compiler, callee->type->kind, (union slot){.integer = site->result.integer});
  bool once = compiler->function; /* for all calls inside, where its arguments do not change: as if it could not fail */
  for (uint32_t i = 0; i < site->count; i++)
    once &= info(compiler, site->arguments[i])->level == 0;
  uint32_t level = once ? 0 : compiler->level;
  int32_t reg = register_new(compiler, callee->type->kind, level);
  struct node *node = emit_at(compiler, level, DO_PURE);
  node->a = (uint16_t)reg;
  node->has_a = true;
  if (site->varying_count == 1) {
    site->only = &site->last[site->varying[0]];
    node->b = site->arguments[site->varying[0]];
    node->has_b = true;
  }
  node->site = site;
  node->label = fail_label(compiler);
  return (uint16_t)reg;
}

static uint16_t scalar_builtin(struct compiler *compiler, const struct builtin *builtin, struct expr *expr,
                               const uint16_t *args) {
  uint32_t count = expr->call->bound_count;
  bool whole = expr->type->kind == TYPE_INT;
  int32_t reg;
  struct node *node;
  if (builtin->real1 == fabs && count == 1) {
    if (!whole) return pure2(compiler, DO_REAL_ABS, TYPE_REAL, args[0], args[0]);
    const struct virtual x = *info(compiler, args[0]);
    if (x.low > INT64_MIN) {
      int64_t most = -x.low > x.high ? -x.low : x.high;
      return bounded(compiler, pure2(compiler, DO_INT_ABS, TYPE_INT, args[0], args[0]), 0, most);
    }
  }
  bool least = builtin->fold == FOLD_MIN;
  if (least || builtin->fold == FOLD_MAX) {
    uint16_t result = whole ? args[0] : to_real(compiler, args[0]);
    for (uint32_t i = 1; i < count; i++) {
      if (!whole) {
        result = pure2(compiler, least ? DO_REAL_MIN : DO_REAL_MAX, TYPE_REAL, result, to_real(compiler, args[i]));
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
    give_up(compiler, "a built-in function that code does not know");
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
  const struct builtin *builtin = expr->call->symbol->builtin;
  uint16_t args[BUILTIN_ARGUMENTS];
  if (expr->call->bound_count > BUILTIN_ARGUMENTS || expr->call->bound_count == 0) {
    give_up(compiler, "a built-in function that code does not know");
    return 0;
  }
  for (uint32_t i = 0; i < expr->call->bound_count; i++) {
    args[i] = expression(compiler, context, expr->call->bound[i]);
    if (builtin->real1 && expr->type->kind == TYPE_REAL) args[i] = to_real(compiler, args[i]);
  }
  return compiler->failed ? 0 : scalar_builtin(compiler, builtin, expr, args);
}

uint16_t call_expression(struct compiler *compiler, struct context *context, struct expr *expr) {
  const struct symbol *callee = expr->call->symbol;
  if (callee->kind == SYMBOL_FUNCTION) return call_function(compiler, context, expr);
  if (callee->kind == SYMBOL_FOREIGN) return call_c(compiler, context, expr);
  if (callee->kind != SYMBOL_BUILTIN) return call_pure(compiler, context, expr);
  if (callee->builtin->draws) return draw_within(compiler, context, expr);
  return expr->call->binder_count ? call_fold(compiler, context, expr) : call_builtin(compiler, context, expr);
}

/* ---- a function as a whole ---- */

bool compile_function(struct compiler *compiler, struct function_code *code) {
  const struct model_function *function = code->function;
  struct context context = {.component = function->component, .slot_count = function->slot_count, .result = -1};
  uint32_t indices = code->param_count - function->param_count;
  compiler->function = code;
  compiler->first = compiler->last = ARENA_NEW(compiler->arena, struct node);
  context.slots = ARENA_ARRAY(compiler->arena, int32_t, function->slot_count + 1);
  context.indices = ARENA_ARRAY(compiler->arena, int32_t, indices + 1);
  memset(context.slots, 0xff, (function->slot_count + 1) * sizeof(int32_t));
  for (uint32_t k = 0; k < code->param_count; k++) {
    register_new(compiler, code->kinds[k], 1);
    compiler->registers[k].param = true;
    if (code->near && code->kinds[k] == TYPE_INT) bounded(compiler, (uint16_t)k, -NEAR, NEAR);
    if (k < function->param_count)
      context.slots[function->params[k]->slot] = (int32_t)k;
    else
      context.indices[k - function->param_count] = (int32_t)k;
  }
  for (uint32_t k = 0; k < code->invariant_count; k++)
    compiler->registers[code->invariants[k]].level = 0;
  if (!plain_code(compiler, code, 0)) return false;
  compiler->loops[0].insert = compiler->last;
  compiler->loops[0].block = compiler->block;
  compiler->level = 1;
  block_enter(compiler);
  struct label *body = label_new(compiler);
  body->users = 1; /* its own calls */
  label_here(compiler, body);
  compiler->plain = true;
  uint16_t result = converted(compiler, expression(compiler, &context, function->value), function->symbol->type);
  if (compiler->failed) return false;
  struct node *node = emit(compiler, DO_RETURN);
  node->b = result;
  node->has_b = true;
  node->site = code;
  bool fills = code->near && code->varying_count == 2;
  if (fills) emit_at(compiler, 0, DO_FILL);
  if (!assemble_function(compiler, code)) return false;
  code->body = body->node->at;
  if (fills) code->diagonals = diagonals_find(compiler->sites, code);
  return true;
}
