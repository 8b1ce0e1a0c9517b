/* Expressions from the tree, in the spelling of the language: for messages, reports, the qualifiers
 * of terms.  Parentheses only where the tree needs them. */
#include "grammar/ast.h"
#include "grammar/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* How tightly an expression binds, as the grammar ranks it. */
enum rank {
  RANK_EXPR,
  RANK_OR,
  RANK_AND,
  RANK_NOT,
  RANK_COMPARE,
  RANK_RANGE,
  RANK_SUM,
  RANK_TERM,
  RANK_UNARY,
  RANK_POWER,
  RANK_POSTFIX
};

static enum rank binary_rank(enum operator op) {
  switch (op) {
  case OP_OR: return RANK_OR;
  case OP_AND: return RANK_AND;
  case OP_ADD:
  case OP_SUB: return RANK_SUM;
  case OP_MUL:
  case OP_DIV:
  case OP_WHOLE:
  case OP_MOD: return RANK_TERM;
  case OP_POW: return RANK_POWER;
  case OP_NEG: return RANK_UNARY;
  case OP_NOT: return RANK_NOT;
  case OP_EQ:
  case OP_NE:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_IN: break;
  }
  return RANK_COMPARE;
}

static enum rank expr_rank(const struct expr *expr) {
  switch (expr->kind) {
  case EXPR_IF: return RANK_EXPR;
  case EXPR_BINARY: return binary_rank(expr->binary.op);
  case EXPR_UNARY: return binary_rank(expr->unary.op);
  case EXPR_COMPARE: return RANK_COMPARE;
  case EXPR_CLAUSE: return RANK_NOT;
  case EXPR_RANGE: return RANK_RANGE;
  case EXPR_INTEGER: return expr->integer < 0 ? RANK_UNARY : RANK_POSTFIX;
  case EXPR_REAL: return signbit(expr->real) ? RANK_UNARY : RANK_POSTFIX;
  case EXPR_QUANTITY: /* 3 s*byte is read as a product */
    return strchr(expr->quantity.unit, '*') ? RANK_TERM : signbit(expr->quantity.value) ? RANK_UNARY : RANK_POSTFIX;
  case EXPR_STRING:
  case EXPR_BOOLEAN:
  case EXPR_NAME:
  case EXPR_INDEX:
  case EXPR_CALL:
  case EXPR_MEMBER:
  case EXPR_LIST:
  case EXPR_EACH:
  case EXPR_RECORD:
  case EXPR_NA:
  case EXPR_KINDS: break;
  }
  return RANK_POSTFIX;
}

static void put(struct text *out, const struct expr *expr, enum rank least);

static void put_all(struct text *out, struct expr *const *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(out, ", ");
    put(out, items[i], RANK_EXPR);
  }
}

static void put_fields(struct text *out, const struct field *fields, uint32_t count, bool after) {
  for (uint32_t i = 0; i < count; i++) {
    if (i || after) text_put(out, ", ");
    text_printf(out, "%s = ", fields[i].name.name->text);
    put(out, fields[i].value, RANK_EXPR);
  }
}

static void put_binders(struct text *out, const struct binder *binders, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    text_printf(out, "%s%s in ", i ? ", " : "", binders[i].name.name->text);
    put(out, binders[i].range, RANK_RANGE);
  }
  if (count) text_put(out, " : ");
}

/* So that it is read back as a real: 2.0, and 1e9 rather than 1000000000.0. */
static void put_real(struct text *out, double value) {
  size_t begin = out->size, zeros = 0;
  text_number(out, value);
  if (strpbrk(out->data + begin, ".einf")) return;
  while (out->size - zeros > begin + 1 && out->data[out->size - zeros - 1] == '0')
    zeros++;
  if (zeros < 6) {
    text_put(out, ".0");
    return;
  }
  out->data[out->size -= zeros] = 0;
  text_printf(out, "e%zu", zeros);
}

static void put_quantity(struct text *out, const struct expr *expr) {
  if (expr->quantity.whole)
    text_number(out, expr->quantity.value);
  else
    put_real(out, expr->quantity.value);
  text_printf(out, " %s", expr->quantity.unit);
}

static void put_compare(struct text *out, const struct expr *expr) {
  for (uint32_t i = 0; i < expr->compare.count; i++) {
    if (i) text_printf(out, " %s ", operator_text(expr->compare.ops[i - 1]));
    put(out, expr->compare.operands[i], RANK_RANGE);
  }
}

static void put_binary(struct text *out, const struct expr *expr) {
  enum rank rank = binary_rank(expr->binary.op);
  bool power = expr->binary.op == OP_POW;
  bool quantity = power && expr->binary.left->kind == EXPR_QUANTITY; /* (3 s) ^ 2 is not 3 s^2 */
  if (quantity) text_char(out, '(');
  put(out, expr->binary.left, power ? RANK_POSTFIX : rank);
  if (quantity) text_char(out, ')');
  text_printf(out, " %s ", operator_text(expr->binary.op));
  put(out, expr->binary.right, power ? RANK_UNARY : (enum rank)(rank + 1));
}

static void put_unary(struct text *out, const struct expr *expr) {
  text_put(out, expr->unary.op == OP_NOT ? "not " : "-");
  put(out, expr->unary.operand, expr->unary.op == OP_NEG ? RANK_POWER : RANK_NOT); /* -(-x): not --x */
}

static void put_clause(struct text *out, const struct expr *expr) {
  text_printf(out, "%s %s ", expr->clause.attribute->text, expr->clause.single ? "=" : operator_text(expr->clause.op));
  put(out, expr->clause.value, RANK_RANGE);
}

static void put_expr(struct text *out, const struct expr *expr) {
  switch (expr->kind) {
  case EXPR_INTEGER: text_printf(out, "%" PRId64, expr->integer); break;
  case EXPR_REAL: put_real(out, expr->real); break;
  case EXPR_QUANTITY: put_quantity(out, expr); break;
  case EXPR_STRING: text_string(out, expr->string); break;
  case EXPR_BOOLEAN: text_put(out, expr->boolean ? "true" : "false"); break;
  case EXPR_NAME: text_put(out, expr->name.name->text); break;
  case EXPR_UNARY: put_unary(out, expr); break;
  case EXPR_BINARY: put_binary(out, expr); break;
  case EXPR_COMPARE: put_compare(out, expr); break;
  case EXPR_IF:
    text_put(out, "if ");
    put(out, expr->branch.condition, RANK_EXPR);
    text_put(out, " then ");
    put(out, expr->branch.then, RANK_EXPR);
    text_put(out, " else ");
    put(out, expr->branch.otherwise, RANK_EXPR);
    break;
  case EXPR_RANGE:
    put(out, expr->range.low, RANK_SUM);
    text_put(out, " .. ");
    put(out, expr->range.high, RANK_SUM);
    break;
  case EXPR_INDEX:
    put(out, expr->index.base, RANK_POSTFIX);
    text_char(out, '[');
    if (expr->index.qualifier)
      text_put(out, expr->index.qualifier);
    else
      put_all(out, expr->index.subscripts, expr->index.count);
    text_char(out, ']');
    break;
  case EXPR_CALL:
    put(out, expr->call->callee, RANK_POSTFIX);
    text_char(out, '(');
    put_binders(out, expr->call->binders, expr->call->binder_count);
    put_all(out, expr->call->args.values, expr->call->args.value_count);
    put_fields(out, expr->call->args.fields, expr->call->args.field_count, expr->call->args.value_count);
    text_char(out, ')');
    break;
  case EXPR_MEMBER:
    put(out, expr->member.base, RANK_POSTFIX);
    text_printf(out, ".%s", expr->member.member.name->text);
    break;
  case EXPR_LIST:
    text_char(out, '[');
    put_all(out, expr->list.items, expr->list.count);
    text_char(out, ']');
    break;
  case EXPR_EACH:
    text_char(out, '[');
    put_binders(out, expr->each.binders, expr->each.binder_count);
    put(out, expr->each.body, RANK_EXPR);
    text_char(out, ']');
    break;
  case EXPR_RECORD:
    text_put(out, expr->record.count ? "{ " : "{");
    put_fields(out, expr->record.fields, expr->record.count, false);
    text_put(out, expr->record.count ? " }" : "}");
    break;
  case EXPR_CLAUSE: put_clause(out, expr); break;
  case EXPR_NA: text_put(out, "N/A"); break;
  case EXPR_KINDS: break;
  }
}

static void put(struct text *out, const struct expr *expr, enum rank least) {
  bool parentheses = expr_rank(expr) < least;
  if (parentheses) text_char(out, '(');
  put_expr(out, expr);
  if (parentheses) text_char(out, ')');
}

void expr_format(struct text *out, const struct expr *expr) { put(out, expr, RANK_EXPR); }
