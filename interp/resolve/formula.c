/* Expressions over indices whose value is a whole number, a truth or a term, compiled to straight-line steps that work
 * on many instances at a time: what `where`, index expressions and tests of selectors are evaluated by when a million
 * instances are bound. What they compare may be real: each step's type is known before, and real operations are those
 * of arithmetic.h, so that the walker comes to the same.
 *
 * Both sides of `and`, `or` and `if` are computed; an instance for which a step fails is marked as in doubt,
 * and the walker, which leaves out what cannot matter and reports what can, decides it.  Called by match.c,
 * bind.c and instances.c. */
#include "interp/resolve/resolve.h"
#include "interp/evaluate/builtin.h"
#include "interp/evaluate/arithmetic.h"

#include <string.h>

enum step_kind {
  STEP_INPUT,
  STEP_CONSTANT,
  STEP_ADD,
  STEP_SUB,
  STEP_MUL,
  STEP_WHOLE,
  STEP_MOD,
  STEP_NEG,
  STEP_NOT,
  STEP_AND,
  STEP_OR,
  STEP_EQ,
  STEP_LT,
  STEP_LE,
  STEP_MIN,
  STEP_MAX,
  STEP_ABS,
  STEP_SELECT,
  STEP_ELEMENT,
  STEP_TERM,
  STEP_TO_REAL,
  STEP_REAL_ADD,
  STEP_REAL_SUB,
  STEP_REAL_MUL,
  STEP_REAL_DIV,
  STEP_REAL_NEG,
  STEP_REAL_ABS,
  STEP_REAL_EQ,
  STEP_REAL_LT,
  STEP_REAL_LE,
  STEP_REAL_MIN,
  STEP_REAL_MAX,
};
struct step {
  enum step_kind kind;
  bool real;        /* its register holds the bits of a double */
  uint32_t a, b, c; /* registers; INPUT: a is the input; ELEMENT: b items */
  int64_t constant;
  const int64_t *items;
};
struct formula {
  struct step *steps; /* step k writes register k */
  uint32_t count, capacity, result;
  int64_t (*registers)[LANES];
};

enum { STEPS_MAX = 400, NOT_COMPILED = -1 };

struct frame { /* arguments of a function being inlined: a register each */
  const struct model_function *function;
  const int32_t *arguments;
};
struct builder {
  struct resolver *r;
  struct formula *formula;
  uint32_t base; /* input of the component's first index */
  uint32_t depth;
  const struct candidate *candidate; /* of a test */
  bool clauses;                      /* above the clauses of a test */
  uint32_t target_base;
};

static int32_t build(struct builder *b, const struct frame *frame, const struct expr *expr);

static int32_t emit(struct builder *b, struct step step) {
  struct formula *formula = b->formula;
  for (uint32_t k = 0; k < formula->count; k++) {
    const struct step *old = &formula->steps[k];
    if (old->kind == step.kind && old->real == step.real && old->a == step.a && old->b == step.b && old->c == step.c &&
        old->constant == step.constant && old->items == step.items)
      return (int32_t)k;
  }
  if (formula->count == STEPS_MAX) return NOT_COMPILED;
  ARENA_PUSH(b->r->arena, formula->steps, formula->count, formula->capacity, step);
  return (int32_t)formula->count - 1;
}

static int32_t emit_constant(struct builder *b, int64_t value) {
  return emit(b, (struct step){.kind = STEP_CONSTANT, .constant = value});
}

static int64_t bits_of(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double real_of(int64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static bool is_real(const struct builder *b, int32_t k) { return k >= 0 && b->formula->steps[k].real; }

static int32_t to_real(struct builder *b, int32_t k) {
  if (k < 0 || is_real(b, k)) return k;
  return emit(b, (struct step){.kind = STEP_TO_REAL, .real = true, .a = (uint32_t)k});
}

/* As a value of the type: a whole number may be wanted as a real. */
static int32_t converted(struct builder *b, int32_t k, const struct type *type) {
  if (!type) return k;
  if (type->kind == TYPE_REAL) return to_real(b, k);
  return is_real(b, k) ? NOT_COMPILED : k;
}

/* The step of two reals that is that of two whole numbers; STEP_INPUT: none. */
static enum step_kind real_step(enum step_kind kind) {
  static const enum step_kind kinds[STEP_REAL_MAX + 1] = {
      [STEP_ADD] = STEP_REAL_ADD, [STEP_SUB] = STEP_REAL_SUB, [STEP_MUL] = STEP_REAL_MUL, [STEP_NEG] = STEP_REAL_NEG,
      [STEP_ABS] = STEP_REAL_ABS, [STEP_EQ] = STEP_REAL_EQ,   [STEP_LT] = STEP_REAL_LT,   [STEP_LE] = STEP_REAL_LE,
      [STEP_MIN] = STEP_REAL_MIN, [STEP_MAX] = STEP_REAL_MAX};
  return kinds[kind];
}

static int32_t emit2(struct builder *b, enum step_kind kind, int32_t left, int32_t right) {
  if (left < 0 || right < 0) return NOT_COMPILED;
  struct step step = {.kind = kind, .real = kind == STEP_REAL_DIV};
  if (step.real || is_real(b, left) || is_real(b, right)) {
    if (!step.real) step.kind = real_step(kind);
    if (step.kind == STEP_INPUT) return NOT_COMPILED;
    step.real = step.kind != STEP_REAL_EQ && step.kind != STEP_REAL_LT && step.kind != STEP_REAL_LE;
    left = to_real(b, left);
    right = to_real(b, right);
    if (left < 0 || right < 0) return NOT_COMPILED;
  }
  step.a = (uint32_t)left;
  step.b = (uint32_t)right;
  return emit(b, step);
}

static int32_t emit1(struct builder *b, enum step_kind kind, int32_t operand) {
  return emit2(b, kind, operand, operand);
}

bool value_number(struct value value, int64_t *out) {
  switch (value.kind) {
  case VALUE_INT: *out = value.integer; return true;
  case VALUE_BOOL: *out = value.boolean; return true;
  case VALUE_TERM: *out = (int64_t)((uint64_t)value.term.qualifier << 32 | value.term.head); return true;
  default: return false; /* the walker takes it */
  }
  return false;
}

/* An expression that is the same for all instances. */
static int32_t build_constant(struct builder *b, const struct expr *expr) {
  struct value value;
  int64_t number;
  if (!resolver_quietly(b->r, expr, NULL, &value)) return NOT_COMPILED;
  if (value.kind == VALUE_REAL)
    return emit(b, (struct step){.kind = STEP_CONSTANT, .real = true, .constant = bits_of(value.real)});
  return value_number(value, &number) ? emit_constant(b, number) : NOT_COMPILED;
}

static bool is_number(const struct expr *expr) {
  if (!expr->type) return false;
  enum type_kind kind = expr->type->kind;
  return kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_TERM || kind == TYPE_REAL;
}

static int32_t build_name(struct builder *b, const struct frame *frame, const struct symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_INDEX: return emit(b, (struct step){.kind = STEP_INPUT, .a = b->base + symbol->slot});
  case SYMBOL_INSTANCE:
    return symbol->instance.value ? converted(b, build(b, NULL, symbol->instance.value), symbol->type) : NOT_COMPILED;
  case SYMBOL_LOCAL:
    return frame && symbol->slot < frame->function->param_count ? frame->arguments[symbol->slot] : NOT_COMPILED;
  default: return NOT_COMPILED; /* constants are taken before, the rest is known only while the model runs */
  }
}

static int32_t compare(struct builder *b, enum operator op, int32_t left, int32_t right) {
  if (op == OP_EQ) return emit2(b, STEP_EQ, left, right);
  if (op == OP_NE) return emit1(b, STEP_NOT, emit2(b, STEP_EQ, left, right));
  if (op == OP_LT) return emit2(b, STEP_LT, left, right);
  if (op == OP_LE) return emit2(b, STEP_LE, left, right);
  if (op == OP_GT) return emit2(b, STEP_LT, right, left);
  if (op == OP_GE) return emit2(b, STEP_LE, right, left);
  return NOT_COMPILED;
}

/* left in low .. high */
static int32_t build_in(struct builder *b, const struct frame *frame, int32_t left, const struct expr *range) {
  if (range->kind != EXPR_RANGE) return NOT_COMPILED;
  int32_t low = build(b, frame, range->range.low), high = build(b, frame, range->range.high);
  return emit2(b, STEP_AND, emit2(b, STEP_LE, low, left), emit2(b, STEP_LE, left, high));
}

static int32_t build_compare(struct builder *b, const struct frame *frame, const struct expr *expr) {
  int32_t left = build(b, frame, expr->compare.operands[0]), all = NOT_COMPILED;
  for (uint32_t k = 0; k + 1 < expr->compare.count; k++) {
    const struct expr *operand = expr->compare.operands[k + 1];
    int32_t right = NOT_COMPILED, holds;
    if (expr->compare.ops[k] == OP_IN) {
      holds = build_in(b, frame, left, operand);
    } else {
      right = build(b, frame, operand);
      holds = compare(b, expr->compare.ops[k], left, right);
    }
    all = k ? emit2(b, STEP_AND, all, holds) : holds;
    left = right;
    if (all < 0) return NOT_COMPILED;
  }
  return all;
}

static int32_t build_binary(struct builder *b, const struct frame *frame, const struct expr *expr) {
  static const enum step_kind kinds[OP_IN + 1] = {
      [OP_ADD] = STEP_ADD, [OP_SUB] = STEP_SUB, [OP_MUL] = STEP_MUL, [OP_WHOLE] = STEP_WHOLE,
      [OP_MOD] = STEP_MOD, [OP_AND] = STEP_AND, [OP_OR] = STEP_OR,   [OP_DIV] = STEP_REAL_DIV};
  enum step_kind kind = kinds[expr->binary.op];
  if (kind == STEP_INPUT) return NOT_COMPILED;
  int32_t left = build(b, frame, expr->binary.left);
  return left < 0 ? left : emit2(b, kind, left, build(b, frame, expr->binary.right));
}

static int32_t build_function(struct builder *b, const struct frame *frame, const struct expr *expr) {
  const struct model_function *function = expr->call->symbol->function;
  if (function->recursive || b->depth >= INLINE_DEPTH || !function->value) return NOT_COMPILED;
  int32_t *arguments = ARENA_ARRAY(b->r->arena, int32_t, function->param_count);
  struct frame inner = {function, arguments};
  for (uint32_t k = 0; k < function->param_count; k++) {
    const struct expr *given = k < expr->call->bound_count ? expr->call->bound[k] : NULL;
    arguments[k] = given                                         ? build(b, frame, given)
                   : function->defaults && function->defaults[k] ? build(b, &inner, function->defaults[k])
                                                                 : NOT_COMPILED;
    arguments[k] = converted(b, arguments[k], function->params[k]->type);
  }
  b->depth++;
  int32_t result = build(b, &inner, function->value);
  b->depth--;
  return converted(b, result, function->symbol->type);
}

static int32_t build_call(struct builder *b, const struct frame *frame, const struct expr *expr) {
  const struct symbol *symbol = expr->call->symbol;
  if (!symbol || expr->call->binder_count) return NOT_COMPILED;
  if (symbol->kind == SYMBOL_FUNCTION && symbol->function->fit) return NOT_COMPILED;
  if (symbol->kind == SYMBOL_FUNCTION) return build_function(b, frame, expr);
  if (symbol->kind != SYMBOL_BUILTIN || expr->call->args.field_count) return NOT_COMPILED;
  const struct args *args = &expr->call->args;
  const struct builtin *builtin = symbol->builtin;
  if (args->value_count == 1 && builtin->real1 == fabs) return emit1(b, STEP_ABS, build(b, frame, args->values[0]));
  bool least = builtin->fold == FOLD_MIN;
  if (args->value_count < 2 || (!least && builtin->fold != FOLD_MAX)) return NOT_COMPILED;
  int32_t best = build(b, frame, args->values[0]);
  for (uint32_t k = 1; k < args->value_count && best >= 0; k++) {
    int32_t next = build(b, frame, args->values[k]);
    if (is_real(b, next) != is_real(b, best)) return NOT_COMPILED; /* which is least says what it is */
    best = emit2(b, least ? STEP_MIN : STEP_MAX, best, next);
  }
  return best;
}

/* An element of a list of whole numbers that is the same for all. */
static int32_t build_element(struct builder *b, const struct frame *frame, const struct expr *expr) {
  struct value list;
  if (expr->index.term || expr->index.count != 1 || expr_uses(b->r, expr->index.base) ||
      !resolver_quietly(b->r, expr->index.base, NULL, &list) || list.kind != VALUE_LIST)
    return NOT_COMPILED;
  int64_t *items = ARENA_ARRAY(b->r->arena, int64_t, list.object->count);
  for (uint32_t k = 0; k < list.object->count; k++)
    if (!value_number(list.object->items[k], &items[k])) return NOT_COMPILED;
  uint32_t count = list.object->count;
  int32_t place = build(b, frame, expr->index.subscripts[0]);
  if (place < 0) return NOT_COMPILED;
  return emit(b, (struct step){.kind = STEP_ELEMENT, .a = (uint32_t)place, .b = count, .items = items});
}

static int32_t build_if(struct builder *b, const struct frame *frame, const struct expr *expr) {
  int32_t condition = build(b, frame, expr->branch.condition);
  if (condition >= 0 && b->formula->steps[condition].kind == STEP_CONSTANT)
    return build(b, frame, b->formula->steps[condition].constant ? expr->branch.then : expr->branch.otherwise);
  int32_t then = condition < 0 ? condition : build(b, frame, expr->branch.then);
  int32_t otherwise = then < 0 ? then : build(b, frame, expr->branch.otherwise);
  if (otherwise < 0 || is_real(b, then) != is_real(b, otherwise)) return NOT_COMPILED;
  return emit(b, (struct step){.kind = STEP_SELECT,
                               .real = is_real(b, then),
                               .a = (uint32_t)condition,
                               .b = (uint32_t)then,
                               .c = (uint32_t)otherwise});
}

/* An attribute of the target: an input or an expression over its indices. */
static int32_t build_attribute(struct builder *b, const struct attribute_ref *ref) {
  if (ref->kind == ATTRIBUTE_INDEX) return emit(b, (struct step){.kind = STEP_INPUT, .a = b->target_base + ref->slot});
  if (ref->kind != ATTRIBUTE_EXPR) return NOT_COMPILED;
  uint32_t base = b->base;
  b->base = b->target_base;
  int32_t result = build(b, NULL, ref->value);
  b->base = base;
  return result;
}

static int32_t build_clause(struct builder *b, const struct expr *clause) {
  struct attribute_ref ref = profile_find(b->r, b->candidate->accept, clause->clause.attribute);
  const struct expr *wanted = clause->clause.value;
  if (wanted->kind == EXPR_NA || ref.kind == ATTRIBUTE_NA) return emit_constant(b, 1);
  if (ref.kind == ATTRIBUTE_MISSING) return emit_constant(b, 0);
  int32_t offered = build_attribute(b, &ref);
  if (offered < 0) return NOT_COMPILED;
  if (clause->clause.op == OP_IN || wanted->kind == EXPR_RANGE) return build_in(b, NULL, offered, wanted);
  if (!is_number(wanted)) return NOT_COMPILED;
  int32_t value = build(b, NULL, wanted);
  if (wanted->type->kind == TYPE_TERM) {
    int32_t same = emit2(b, STEP_TERM, offered, value);
    return clause->clause.op == OP_EQ ? same : clause->clause.op == OP_NE ? emit1(b, STEP_NOT, same) : NOT_COMPILED;
  }
  return compare(b, clause->clause.op, offered, value);
}

static int32_t build(struct builder *b, const struct frame *frame, const struct expr *expr) {
  if (expr->kind == EXPR_CLAUSE) {
    if (!b->clauses) return NOT_COMPILED;
    b->clauses = false;
    int32_t result = build_clause(b, expr);
    b->clauses = true;
    return result;
  }
  if (!b->clauses && !is_number(expr)) return NOT_COMPILED;
  if (!b->clauses && !expr_uses(b->r, expr)) return build_constant(b, expr);
  switch (expr->kind) {
  case EXPR_INTEGER: return emit_constant(b, expr->integer);
  case EXPR_BOOLEAN: return emit_constant(b, expr->boolean);
  case EXPR_NAME:
    if (expr->name.symbol && (expr->name.symbol->kind == SYMBOL_LOCAL || expr->name.symbol->kind == SYMBOL_INDEX ||
                              expr->name.symbol->kind == SYMBOL_INSTANCE))
      return build_name(b, frame, expr->name.symbol);
    return NOT_COMPILED;
  case EXPR_UNARY:
    return emit1(b, expr->unary.op == OP_NOT ? STEP_NOT : STEP_NEG, build(b, frame, expr->unary.operand));
  case EXPR_BINARY: return build_binary(b, frame, expr);
  case EXPR_COMPARE: return build_compare(b, frame, expr);
  case EXPR_IF: return build_if(b, frame, expr);
  case EXPR_CALL: return build_call(b, frame, expr);
  case EXPR_INDEX: return expr->index.term ? build_constant(b, expr) : build_element(b, frame, expr);
  default: return NOT_COMPILED; /* the walker takes it */
  }
}

static struct formula *finish(struct builder *b, int32_t result) {
  struct formula *formula = b->formula;
  if (result < 0 || is_real(b, result)) return NULL;
  formula->result = (uint32_t)result;
  formula->registers = arena_alloc(b->r->arena, sizeof *formula->registers * formula->count);
  for (uint32_t k = 0; k < formula->count; k++)
    if (formula->steps[k].kind == STEP_CONSTANT)
      for (uint32_t lane = 0; lane < LANES; lane++)
        formula->registers[k][lane] = formula->steps[k].constant;
  return formula;
}

struct formula *formula_compile(struct resolver *r, const struct expr *expr, uint32_t base) {
  struct builder b = {.r = r, .formula = ARENA_NEW(r->arena, struct formula), .base = base};
  return finish(&b, build(&b, NULL, expr));
}

struct formula *formula_compile_test(struct resolver *r, const struct candidate *candidate, const struct expr *expr,
                                     uint32_t base) {
  struct builder b = {.r = r,
                      .formula = ARENA_NEW(r->arena, struct formula),
                      .candidate = candidate,
                      .clauses = true,
                      .target_base = base};
  return finish(&b, build(&b, NULL, expr));
}

uint32_t formula_inputs(const struct formula *formula) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < formula->count; k++)
    if (formula->steps[k].kind == STEP_INPUT && formula->steps[k].a >= count) count = formula->steps[k].a + 1;
  return count;
}

uint64_t formula_reads(const struct formula *formula) {
  uint64_t mask = 0;
  for (uint32_t k = 0; k < formula->count; k++)
    if (formula->steps[k].kind == STEP_INPUT) mask |= UINT64_C(1) << formula->steps[k].a;
  return mask;
}

static int64_t term_equal(int64_t offered, int64_t wanted) {
  uint64_t a = (uint64_t)offered, b = (uint64_t)wanted;
  return (uint32_t)a == (uint32_t)b && (b >> 32 == 0 || a >> 32 == b >> 32);
}

/* A real step's result, which the walker settles where it is none. */
static int64_t real_result(double x, uint8_t *doubt) {
  *doubt |= !real_settled(x);
  return bits_of(x);
}

static void run_real(const struct step *step, const int64_t *a, const int64_t *b, int64_t *out, uint8_t *doubt,
                     uint32_t n) {
  for (uint32_t lane = 0; lane < n; lane++) {
    double x = real_of(a[lane]), y = real_of(b[lane]);
    switch (step->kind) {
    case STEP_TO_REAL: out[lane] = bits_of((double)a[lane]); break;
    case STEP_REAL_ADD: out[lane] = real_result(x + y, &doubt[lane]); break;
    case STEP_REAL_SUB: out[lane] = real_result(x - y, &doubt[lane]); break;
    case STEP_REAL_MUL: out[lane] = real_result(x * y, &doubt[lane]); break;
    case STEP_REAL_DIV: out[lane] = real_result(x / y, &doubt[lane]); break; /* by 0: not settled */
    case STEP_REAL_NEG: out[lane] = bits_of(-x); break;
    case STEP_REAL_ABS: out[lane] = bits_of(fabs(x)); break;
    case STEP_REAL_EQ: out[lane] = x == y; break;
    case STEP_REAL_LT: out[lane] = x < y; break;
    case STEP_REAL_LE: out[lane] = x <= y; break;
    case STEP_REAL_MIN: out[lane] = bits_of(real_min(x, y)); break;
    case STEP_REAL_MAX: out[lane] = bits_of(real_max(x, y)); break;
    default: break; /* the others are of whole numbers */
    }
  }
}

#define EACH_LANE for (uint32_t lane = 0; lane < n; lane++)

const int64_t *formula_run(const struct formula *formula, const struct lanes *lanes, uint8_t *doubt, bool *doubtful) {
  uint32_t n = lanes->count;
  uint8_t any = 0;
  memset(doubt, 0, n);
  for (uint32_t k = 0; k < formula->count; k++) {
    const struct step *step = &formula->steps[k];
    int64_t *out = formula->registers[k];
    const int64_t *a = formula->registers[step->kind == STEP_INPUT ? 0 : step->a], *b = formula->registers[step->b];
    switch (step->kind) {
    case STEP_INPUT: memcpy(out, lanes->inputs[step->a], sizeof *out * n); break;
    case STEP_CONSTANT: break;
    case STEP_ADD: EACH_LANE any |= doubt[lane] |= __builtin_add_overflow(a[lane], b[lane], &out[lane]); break;
    case STEP_SUB: EACH_LANE any |= doubt[lane] |= __builtin_sub_overflow(a[lane], b[lane], &out[lane]); break;
    case STEP_MUL: EACH_LANE any |= doubt[lane] |= __builtin_mul_overflow(a[lane], b[lane], &out[lane]); break;
    case STEP_WHOLE: EACH_LANE any |= doubt[lane] |= int_divide(a[lane], b[lane], &out[lane]) != ARITHMETIC_FINE; break;
    case STEP_MOD: EACH_LANE any |= doubt[lane] |= int_modulo(a[lane], b[lane], &out[lane]) != ARITHMETIC_FINE; break;
    case STEP_NEG: EACH_LANE any |= doubt[lane] |= __builtin_sub_overflow((int64_t)0, a[lane], &out[lane]); break;
    case STEP_ABS:
      EACH_LANE {
        any |= doubt[lane] |= a[lane] == INT64_MIN;
        out[lane] = a[lane] < 0 ? (int64_t)(0 - (uint64_t)a[lane]) : a[lane];
      }
      break;
    case STEP_NOT: EACH_LANE out[lane] = !a[lane]; break;
    case STEP_AND: EACH_LANE out[lane] = a[lane] & b[lane]; break;
    case STEP_OR: EACH_LANE out[lane] = a[lane] | b[lane]; break;
    case STEP_EQ: EACH_LANE out[lane] = a[lane] == b[lane]; break;
    case STEP_LT: EACH_LANE out[lane] = a[lane] < b[lane]; break;
    case STEP_LE: EACH_LANE out[lane] = a[lane] <= b[lane]; break;
    case STEP_MIN: EACH_LANE out[lane] = a[lane] < b[lane] ? a[lane] : b[lane]; break;
    case STEP_MAX: EACH_LANE out[lane] = a[lane] > b[lane] ? a[lane] : b[lane]; break;
    case STEP_TERM: EACH_LANE out[lane] = term_equal(a[lane], b[lane]); break;
    case STEP_SELECT: {
      const int64_t *c = formula->registers[step->c];
      EACH_LANE out[lane] = a[lane] ? b[lane] : c[lane];
      break;
    }
    case STEP_ELEMENT:
      EACH_LANE {
        bool inside = (uint64_t)a[lane] < step->b;
        any |= doubt[lane] |= !inside;
        out[lane] = inside ? step->items[a[lane]] : 0;
      }
      break;
    default:
      run_real(step, a, b, out, doubt, n);
      EACH_LANE any |= doubt[lane];
      break;
    }
  }
  *doubtful = any;
  return formula->registers[formula->result];
}
