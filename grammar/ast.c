/* Constructors of names, expressions and statements: what the grammar's actions call.
 *
 * Each tree knows its depth, and one deeper than NESTING_LIMIT is reported and cut, so that all later
 * walkers may recurse. */
#include "grammar/children.h"
#include "grammar/parse.h"
#include "grammar/characters.h"
#include "grammar/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *operator_text(enum operator op) {
  switch (op) {
  case OP_NEG:
  case OP_SUB: return "-";
  case OP_NOT: return "not";
  case OP_ADD: return "+";
  case OP_MUL: return "*";
  case OP_DIV: return "/";
  case OP_WHOLE: return "div";
  case OP_MOD: return "mod";
  case OP_POW: return "^";
  case OP_AND: return "and";
  case OP_OR: return "or";
  case OP_EQ: return "==";
  case OP_NE: return "!=";
  case OP_LT: return "<";
  case OP_LE: return "<=";
  case OP_GT: return ">";
  case OP_GE: return ">=";
  case OP_IN: return "in";
  }
  return "";
}

const char *expr_kind_name(enum expr_kind kind) {
  static const char *const names[] = {
#define EXPR(kind, text, children) text,
#include "grammar/ast.def"
  };
  return kind < EXPR_KINDS ? names[kind] : "";
}

const char *stmt_kind_name(enum stmt_kind kind) {
  static const char *const names[] = {
#define STMT(kind, text, children) text,
#include "grammar/ast.def"
  };
  return kind < STMT_KINDS ? names[kind] : "";
}

/* ---- depth ---- */

static struct expr *expr_new(struct parse *p, enum expr_kind kind, struct span span) {
  struct expr *expr = ARENA_NEW(p->arena, struct expr);
  expr->kind = kind;
  expr->span = span;
  expr->depth = 1;
  return expr;
}

static void under(struct expr *expr, const struct expr *child) {
  if (child && child->depth >= expr->depth) expr->depth = child->depth + 1;
}

void ast_too_deep(struct parse *p, struct span span, const char *what) {
  if (!p->too_deep) parse_error(p, span, "%s nested more than %d deep", what, NESTING_LIMIT);
  p->too_deep = true;
}

static void deep_expression(struct parse *p, struct span span) {
  ast_too_deep(p, span, "the expression is");
  if (p->d && !p->stop)
    diagnostic_help(p->d, (struct span){0},
                    "its parts get names by 'let NAME = VALUE;', and many terms are added by sum([A, B, ...])");
}

/* The finished node, or a leaf in its place. */
static struct expr *expr_done(struct parse *p, struct expr *expr) {
  if (expr->depth <= NESTING_LIMIT) return expr;
  if (!p->too_deep) deep_expression(p, expr->span);
  p->too_deep = true;
  return expr_new(p, EXPR_LIST, expr->span);
}

struct expr *ast_in_parentheses(struct parse *p, struct expr *expr) {
  if (++expr->parentheses < NESTING_LIMIT) return expr; /* it is one level itself */
  if (!p->too_deep) deep_expression(p, expr->span);
  p->too_deep = true;
  return expr_new(p, EXPR_LIST, expr->span);
}

static struct stmt *stmt_done(struct parse *p, struct stmt *stmt, struct block *block) {
  if (block->depth < NESTING_LIMIT) return stmt;
  ast_too_deep(p, stmt->span, "blocks are");
  *block = (struct block){.span = block->span};
  return stmt;
}

/* ---- lists and names ---- */

#define APPEND(p, list, item) ARENA_PUSH((p)->arena, (list).items, (list).count, (list).capacity, item)

struct expr_list ast_exprs(struct parse *p, struct expr_list list, struct expr *item) {
  APPEND(p, list, item);
  return list;
}

struct field_list ast_fields(struct parse *p, struct field_list list, struct field item) {
  bool known = false;
  uint32_t before = 0;
  if (item.name.name) before = map_add(p->arena, &list.places, map_key(item.name.name), list.count, &known);
  if (known && parse_fails(p)) {
    diagnostic_add(p->d, SEVERITY_ERROR, item.name.span, "'%s' is given twice", item.name.name->text);
    diagnostic_note(p->d, list.items[before].name.span, "given first here");
  }
  APPEND(p, list, item);
  return list;
}

/* A column without a name is called as it is written. */
struct field ast_column(struct parse *p, struct expr *value) {
  struct text text = {.arena = p->arena};
  if (value->kind != EXPR_NAME) expr_format(&text, value);
  const struct name *name = value->kind == EXPR_NAME ? value->name.name : name_of(p->names, text.data);
  return (struct field){{name, value->span}, value};
}

struct ident_list ast_idents(struct parse *p, struct ident_list list, struct ident item) {
  APPEND(p, list, item);
  return list;
}

struct words ast_words(struct parse *p, struct words before, struct ident word, struct span span) {
  if (!before.name) return (struct words){word.name, span};
  struct text text = {.arena = p->arena};
  text_put(&text, before.name->text);
  text_char(&text, '-');
  text_put(&text, word.name->text);
  return (struct words){name_intern(p->names, text.data, text.size), span};
}

struct qname ast_qname(struct parse *p, struct qname before, struct ident part, struct span span) {
  size_t size = before.count * sizeof part;
  before.parts = arena_grow(p->arena, before.parts, size, size + sizeof part);
  before.parts[before.count++] = part;
  before.span = span;
  return before;
}

struct atom_list ast_atoms(struct parse *p, struct atom_list list, struct type_atom atom, bool divided) {
  atom.divided = divided;
  APPEND(p, list, atom);
  return list;
}

/* The power is one of those that a dimension may have. */
struct type_atom ast_type_power(struct parse *p, struct span span, struct ident name, struct expr *power, int sign) {
  bool good = power->kind == EXPR_INTEGER && power->integer > 0 && power->integer <= 100;
  if (!good) parse_error(p, power->span, "the power of a dimension is a whole number of 1 to 100");
  return (struct type_atom){.name = name.name, .power = good ? sign * (int)power->integer : 0, .span = span};
}

/* `1/time` begins with what has no dimension. */
struct type_atom ast_type_one(struct parse *p, const struct expr *number) {
  if (number->kind != EXPR_INTEGER || number->integer != 1)
    parse_error(p, number->span, "a type has no numbers but 1, as in 1/time: it says what is measured, not how much");
  return (struct type_atom){.name = name_of(p->names, "1"), .span = number->span};
}

struct type_expr *ast_type(struct parse *p, struct span span, struct atom_list atoms) {
  struct type_expr *type = ARENA_NEW(p->arena, struct type_expr);
  *type = (struct type_expr){.atoms = atoms.items, .count = atoms.count, .span = span, .depth = 1};
  for (uint32_t i = 0; i < atoms.count; i++) {
    const struct type_expr *element = atoms.items[i].element;
    if (element && element->depth >= type->depth) type->depth = element->depth + 1;
  }
  if (type->depth <= NESTING_LIMIT) return type;
  ast_too_deep(p, span, "the type is");
  *type = (struct type_expr){.span = span, .depth = 1};
  return type;
}

/* A type of C that is one atom, over the depth of what is in it. */
static struct type_expr *type_of_atom(struct parse *p, struct type_atom atom, uint32_t inner) {
  struct atom_list atoms = ast_atoms(p, (struct atom_list){0}, atom, false);
  struct type_expr *type = ast_type(p, atom.span, atoms);
  if (inner >= type->depth) type->depth = inner + 1;
  if (type->depth <= NESTING_LIMIT) return type;
  ast_too_deep(p, atom.span, "the type is");
  *type = (struct type_expr){.span = atom.span, .depth = 1};
  return type;
}

struct type_expr *ast_type_array(struct parse *p, struct span span, struct type_expr *element, struct expr *length) {
  struct type_atom atom = {.element = element, .length = length, .span = span};
  return type_of_atom(p, atom, length->depth);
}

struct type_expr *ast_type_function(struct parse *p, struct span span, struct param_list params,
                                    struct type_expr *result) {
  struct signature *function = ARENA_NEW(p->arena, struct signature);
  *function = (struct signature){.params = params.items, .param_count = params.count, .result = result, .span = span};
  uint32_t depth = result ? result->depth : 0;
  for (uint32_t i = 0; i < params.count; i++)
    if (params.items[i].type && params.items[i].type->depth > depth) depth = params.items[i].type->depth;
  struct type_atom atom = {.function = function, .span = span};
  return type_of_atom(p, atom, depth);
}

/* ---- literals ---- */

/* The digits without underscores, NUL-terminated. */
static char *plain_digits(struct parse *p, const char *text, size_t length) {
  char *digits = arena_copy(p->arena, text, length), *to = digits;
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '_') *to++ = text[i];
  }
  *to = '\0';
  return digits;
}

static bool is_whole(const char *digits) { return !strpbrk(digits, ".eE"); }

static double read_real(struct parse *p, struct span span, const char *digits) {
  double value = strtod(digits, NULL);
  if (isinf(value)) {
    parse_error(p, span, "the number is out of range: a real is at most 1.8e308");
    value = 0;
  }
  return value;
}

/* What most numbers are: a few digits and nothing else. */
static bool read_few_digits(const char *text, size_t length, int64_t *value) {
  *value = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *value = *value * 10 + (text[i] - '0');
  }
  return true;
}

struct expr *ast_number(struct parse *p, struct span span, const char *text, size_t length) {
  int64_t few;
  if (length <= 18 && read_few_digits(text, length, &few)) {
    struct expr *expr = expr_new(p, EXPR_INTEGER, span);
    expr->integer = few;
    return expr;
  }
  const char *digits = plain_digits(p, text, length);
  struct expr *expr = expr_new(p, is_whole(digits) ? EXPR_INTEGER : EXPR_REAL, span);
  if (expr->kind == EXPR_REAL) {
    expr->real = read_real(p, span, digits);
    return expr;
  }
  errno = 0;
  expr->integer = strtoll(digits, NULL, 10);
  if (errno == ERANGE) {
    if (parse_fails(p)) {
      diagnostic_add(p->d, SEVERITY_ERROR, span, "the integer does not fit 64 bits: at most 9223372036854775807");
      diagnostic_help(p->d, (struct span){0}, "a real may be larger: write a point or an exponent, as in 1e20");
    }
    expr->integer = 0;
  }
  return expr;
}

/* `s^(-1)` is the unit s^-1. */
static const char *plain_unit(struct parse *p, const char *text, size_t length) {
  char *unit = arena_alloc(p->arena, length + 1);
  size_t size = 0;
  for (size_t i = 0; i < length; i++)
    if (!strchr("() \t", text[i])) unit[size++] = text[i];
  unit[size] = 0;
  return unit;
}

struct expr *ast_quantity(struct parse *p, struct span span, const char *text, size_t number, size_t unit) {
  const char *digits = plain_digits(p, text, number);
  struct expr *expr = expr_new(p, EXPR_QUANTITY, span);
  expr->quantity.unit_span = (struct span){span.begin + (uint32_t)unit, span.end};
  expr->quantity.unit = plain_unit(p, text + unit, span.end - expr->quantity.unit_span.begin);
  expr->quantity.value = read_real(p, span, digits);
  expr->quantity.whole = is_whole(digits);
  return expr;
}

struct expr *ast_string(struct parse *p, struct span span, const char *text, size_t length) {
  struct expr *expr = expr_new(p, EXPR_STRING, span);
  char *to = arena_alloc(p->arena, length + 1);
  expr->string = to;
  ARENA_PUSH(p->arena, p->file->strings, p->file->string_count, p->file->string_capacity, expr->string);
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '\\') {
      *to++ = text[i];
      continue;
    }
    switch (text[++i]) {
    case 'n': *to++ = '\n'; break;
    case 't': *to++ = '\t'; break;
    case '"':
    case '\\': *to++ = text[i]; break;
    default: {
      uint32_t at = span.begin + (uint32_t)i; /* the string begins after its quote */
      uint32_t code, escaped = (uint32_t)character_read(text + i, length - i, &code);
      if (!parse_fails(p)) break;
      diagnostic_add(p->d, SEVERITY_ERROR, (struct span){at, at + 1 + escaped}, "unknown escape '\\%.*s'", (int)escaped,
                     text + i);
      diagnostic_help(p->d, (struct span){0}, "the escapes are \\n, \\t, \\\" and \\\\");
    }
    }
  }
  return expr;
}

struct expr *ast_boolean(struct parse *p, struct span span, bool value) {
  struct expr *expr = expr_new(p, EXPR_BOOLEAN, span);
  expr->boolean = value;
  return expr;
}

struct expr *ast_na(struct parse *p, struct span span) {
  return expr_new(p, EXPR_NA, span);
}

struct expr *ast_name(struct parse *p, struct ident name) {
  struct expr *expr = expr_new(p, EXPR_NAME, name.span);
  expr->name.name = name.name;
  return expr;
}

/* ---- operators ---- */

struct expr *ast_unary(struct parse *p, struct span span, enum operator op, struct expr *operand) {
  struct expr *expr = expr_new(p, EXPR_UNARY, span);
  expr->unary.op = op;
  expr->unary.operand = operand;
  under(expr, operand);
  return expr_done(p, expr);
}

struct expr *ast_binary(struct parse *p, struct expr *left, enum operator op, struct span op_span, struct expr *right) {
  struct expr *expr = expr_new(p, EXPR_BINARY, span_join(left->span, right->span));
  expr->binary.op = op;
  expr->binary.op_span = op_span;
  expr->binary.left = left;
  expr->binary.right = right;
  under(expr, left);
  under(expr, right);
  return expr_done(p, expr);
}

/* `100 s ^ -1`: the power of 100 s, where that of s may be meant.  Behind parentheses, and of 1 s, it
 * is clear. */
static void refuse_power(struct parse *p, const struct expr *left, const struct expr *right) {
  if (!parse_fails(p)) return;
  const struct expr *number = right->kind == EXPR_UNARY ? right->unary.operand : right;
  const char *quantity = arena_copy(p->arena, parse_text(p, left->span.begin), left->span.end - left->span.begin);
  diagnostic_add(p->d, SEVERITY_ERROR, span_join(left->span, right->span),
                 "is this the power of the unit, or of the whole quantity?");
  if (number->kind == EXPR_INTEGER) {
    const char *power = arena_printf(p->arena, "%s%lld", number == right ? "" : "-", (long long)number->integer);
    diagnostic_help(p->d, (struct span){0}, "of the unit it is written %s^%s, of the quantity (%s) ^ %s", quantity,
                    power, quantity, power);
  } else {
    diagnostic_help(p->d, (struct span){0},
                    "of the quantity it is written (%s) ^ ...; that of a unit is a whole number", quantity);
  }
}

struct expr *ast_power(struct parse *p, struct expr *left, struct span op, struct expr *right) {
  const char *quantity = parse_text(p, left->span.begin);
  bool bare = left->kind == EXPR_QUANTITY && !memchr(quantity, ')', op.begin - left->span.begin);
  bool again = bare && strchr(left->quantity.unit, '^') != NULL; /* 3 s^2 ^ 2 */
  if (bare && !again && left->quantity.value != 1) refuse_power(p, left, right);
  return ast_binary(p, left, OP_POW, op, right);
}

struct expr *ast_chain(struct parse *p, struct expr *chain, enum operator op, struct expr *right) {
  if (chain->kind != EXPR_COMPARE) return chain; /* it was cut for its depth */
  uint32_t count = chain->compare.count;
  chain->compare.operands =
      arena_grow(p->arena, chain->compare.operands, count * sizeof right, (count + 1) * sizeof right);
  chain->compare.ops = arena_grow(p->arena, chain->compare.ops, (count - 1) * sizeof op, count * sizeof op);
  chain->compare.operands[count] = right;
  chain->compare.ops[count - 1] = op;
  chain->compare.count = count + 1;
  chain->span.end = right->span.end;
  under(chain, right);
  return expr_done(p, chain);
}

struct expr *ast_compare(struct parse *p, struct expr *left, enum operator op, struct expr *right) {
  struct expr *expr = expr_new(p, EXPR_COMPARE, left->span);
  expr->compare.operands = ARENA_NEW(p->arena, struct expr *);
  expr->compare.operands[0] = left;
  expr->compare.count = 1;
  under(expr, left);
  return ast_chain(p, expr, op, right);
}

struct expr *ast_if(struct parse *p, struct span span, struct expr *condition, struct expr *then,
                    struct expr *otherwise) {
  struct expr *expr = expr_new(p, EXPR_IF, span);
  expr->branch.condition = condition;
  expr->branch.then = then;
  expr->branch.otherwise = otherwise;
  under(expr, condition);
  under(expr, then);
  under(expr, otherwise);
  return expr_done(p, expr);
}

struct expr *ast_range(struct parse *p, struct expr *low, struct expr *high) {
  struct expr *expr = expr_new(p, EXPR_RANGE, span_join(low->span, high->span));
  expr->range.low = low;
  expr->range.high = high;
  under(expr, low);
  under(expr, high);
  return expr_done(p, expr);
}

/* ---- parts of things ---- */

/* One spelling, whatever blanks were written, since terms compare by it: as printed, `/` without blanks. */
static const char *qualifier_text(struct parse *p, struct expr_list subscripts) {
  const struct expr *only = subscripts.count == 1 ? subscripts.items[0] : NULL;
  if (only && only->kind == EXPR_NAME && !only->parentheses) return only->name.name->text;
  struct text text = {.arena = p->arena};
  for (uint32_t i = 0; i < subscripts.count; i++) {
    if (i) text_put(&text, ", ");
    expr_format(&text, subscripts.items[i]);
  }
  char *to = text.data;
  for (const char *from = text.data; *from; from++) {
    if (strncmp(from, " / ", 3) == 0)
      from += 2, *to++ = '/';
    else
      *to++ = *from;
  }
  *to = '\0';
  return text.data;
}

struct expr *ast_index(struct parse *p, struct span span, struct expr *base, struct expr_list subscripts) {
  struct expr *expr = expr_new(p, EXPR_INDEX, span);
  expr->index.base = base;
  expr->index.subscripts = subscripts.items;
  expr->index.count = subscripts.count;
  under(expr, base);
  for (uint32_t i = 0; i < subscripts.count; i++)
    under(expr, subscripts.items[i]);
  if (expr->depth <= NESTING_LIMIT && base->kind == EXPR_NAME) expr->index.qualifier = qualifier_text(p, subscripts);
  return expr_done(p, expr);
}

struct expr *ast_member(struct parse *p, struct span span, struct expr *base, struct ident member) {
  struct expr *expr = expr_new(p, EXPR_MEMBER, span);
  expr->member.base = base;
  expr->member.member = member;
  under(expr, base);
  return expr_done(p, expr);
}

struct call *ast_args(struct parse *p, struct expr_list values, struct field_list fields) {
  struct call *call = ARENA_NEW(p->arena, struct call);
  call->args = (struct args){
      .values = values.items, .value_count = values.count, .fields = fields.items, .field_count = fields.count};
  return call;
}

struct call *ast_call_span(struct call *call, struct span parentheses) {
  call->args.span = parentheses;
  return call;
}

/* `x in a .. b` was read as a comparison: the binders that such a list stands for. */
static struct binder *make_binders(struct parse *p, struct expr_list list) {
  struct binder *binders = ARENA_ARRAY(p->arena, struct binder, list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    const struct expr *item = list.items[i];
    if (item->kind == EXPR_COMPARE && item->compare.count == 2 && item->compare.ops[0] == OP_IN &&
        item->compare.operands[0]->kind == EXPR_NAME) {
      const struct expr *name = item->compare.operands[0];
      binders[i].name = (struct ident){name->name.name, name->span};
      binders[i].range = item->compare.operands[1];
    } else {
      if (parse_fails(p)) {
        diagnostic_add(p->d, SEVERITY_ERROR, item->span, "before ':' stands what is bound: 'name in range'");
        diagnostic_help(p->d, (struct span){0},
                        "parameters have their types where a transaction or function is declared, and nowhere else");
      }
      binders[i].name = (struct ident){name_of(p->names, "error"), item->span};
      binders[i].range = ast_list(p, item->span, (struct expr_list){0});
    }
  }
  return binders;
}

struct call *ast_binder_args(struct parse *p, struct expr_list binders, struct expr *body) {
  struct call *call = ast_args(p, ast_exprs(p, (struct expr_list){0}, body), (struct field_list){0});
  call->binders = make_binders(p, binders);
  call->binder_count = binders.count;
  return call;
}

static bool is_path(const struct expr *expr) {
  while (expr->kind == EXPR_MEMBER)
    expr = expr->member.base;
  return expr->kind == EXPR_NAME;
}

struct expr *ast_apply(struct parse *p, struct span span, struct expr *callee, struct call *call) {
  struct expr *expr = expr_new(p, EXPR_CALL, span);
  if (!is_path(callee)) {
    parse_error(p, callee->span, "only a function can be called, by its name");
    callee = ast_name(p, (struct ident){name_of(p->names, "error"), callee->span});
  }
  expr->call = call;
  call->callee = callee;
  under(expr, callee);
  for (uint32_t i = 0; i < call->binder_count; i++)
    under(expr, call->binders[i].range);
  for (uint32_t i = 0; i < call->args.value_count; i++)
    under(expr, call->args.values[i]);
  for (uint32_t i = 0; i < call->args.field_count; i++)
    under(expr, call->args.fields[i].value);
  return expr_done(p, expr);
}

struct expr *ast_call(struct parse *p, struct span span, struct qname callee, struct call *call) {
  struct expr *path = ast_name(p, callee.parts[0]);
  for (uint32_t i = 1; i < callee.count; i++) {
    path = ast_member(p, span_join(path->span, callee.parts[i].span), path, callee.parts[i]);
  }
  return ast_apply(p, span, path, call);
}

struct expr *ast_list(struct parse *p, struct span span, struct expr_list items) {
  struct expr *expr = expr_new(p, EXPR_LIST, span);
  expr->list.items = items.items;
  expr->list.count = items.count;
  for (uint32_t i = 0; i < items.count; i++)
    under(expr, items.items[i]);
  return expr_done(p, expr);
}

struct expr *ast_each(struct parse *p, struct span span, struct expr_list binders, struct expr *body) {
  struct expr *expr = expr_new(p, EXPR_EACH, span);
  expr->each.binders = make_binders(p, binders);
  expr->each.binder_count = binders.count;
  expr->each.body = body;
  under(expr, body);
  for (uint32_t i = 0; i < binders.count; i++)
    under(expr, expr->each.binders[i].range);
  return expr_done(p, expr);
}

struct expr *ast_record(struct parse *p, struct span span, struct field_list fields) {
  struct expr *expr = expr_new(p, EXPR_RECORD, span);
  expr->record.fields = fields.items;
  expr->record.count = fields.count;
  for (uint32_t i = 0; i < fields.count; i++)
    under(expr, fields.items[i].value);
  return expr_done(p, expr);
}

struct expr *ast_clause(struct parse *p, struct span span, struct words attribute, enum operator op, bool single,
                        struct expr *value) {
  struct expr *expr = expr_new(p, EXPR_CLAUSE, span);
  expr->clause.attribute = attribute.name;
  expr->clause.attribute_span = attribute.span;
  expr->clause.op = op;
  expr->clause.single = single;
  expr->clause.value = value;
  under(expr, value);
  return expr_done(p, expr);
}

/* ---- statements ---- */

static struct stmt *stmt_new(struct parse *p, enum stmt_kind kind, struct span span) {
  struct stmt *stmt = ARENA_NEW(p->arena, struct stmt);
  stmt->kind = kind;
  stmt->span = span;
  return stmt;
}

struct stmt *ast_let(struct parse *p, struct span span, struct ident name, struct type_expr *type, struct rhs rhs) {
  struct stmt *stmt = stmt_new(p, STMT_LET, span);
  stmt->assign.name = name;
  stmt->assign.type = type;
  stmt->assign.value = rhs.value;
  stmt->assign.is_call = rhs.is_call;
  return stmt;
}

struct stmt *ast_assign(struct parse *p, struct span span, struct expr *target, struct rhs rhs) {
  struct stmt *stmt = stmt_new(p, STMT_ASSIGN, span);
  stmt->assign.target = target;
  stmt->assign.value = rhs.value;
  stmt->assign.is_call = rhs.is_call;
  return stmt;
}

struct stmt *ast_call_stmt(struct parse *p, struct span span, struct expr *call) {
  struct stmt *stmt = stmt_new(p, STMT_CALL, span);
  stmt->assign.value = call;
  stmt->assign.is_call = true;
  return stmt;
}

struct stmt *ast_hold(struct parse *p, struct span span, struct expr *value) {
  struct stmt *stmt = stmt_new(p, STMT_HOLD, span);
  stmt->hold = value;
  return stmt;
}

struct stmt *ast_return(struct parse *p, struct span span, struct rhs rhs) {
  struct stmt *stmt = stmt_new(p, STMT_RETURN, span);
  stmt->assign.value = rhs.value;
  stmt->assign.is_call = rhs.is_call;
  return stmt;
}

struct stmt *ast_record_stmt(struct parse *p, struct span span, struct ident name, struct expr *value,
                             struct field_list options) {
  struct stmt *stmt = stmt_new(p, STMT_RECORD, span);
  stmt->record.name = name;
  stmt->record.value = value;
  stmt->record.options = options.items;
  stmt->record.option_count = options.count;
  return stmt;
}

struct stmt *ast_profile_stmt(struct parse *p, struct span span, struct words name, struct expr *value) {
  struct stmt *stmt = ast_record_stmt(p, span, (struct ident){name.name, name.span}, value, (struct field_list){0});
  stmt->kind = STMT_PROFILE;
  return stmt;
}

struct stmt *ast_assert_stmt(struct parse *p, struct span span, struct expr *assertion) {
  struct stmt *stmt = stmt_new(p, STMT_ASSERT, span);
  stmt->assertion = assertion;
  return stmt;
}

struct stmt *ast_if_stmt(struct parse *p, struct span span, struct expr *condition, struct block then) {
  struct stmt *stmt = stmt_new(p, STMT_IF, span);
  stmt->branch.condition = condition;
  stmt->branch.then = then;
  return stmt_done(p, stmt, &stmt->branch.then);
}

struct stmt *ast_else(struct parse *p, struct span span, struct stmt *branch, struct block otherwise) {
  branch->span = span;
  branch->branch.otherwise = otherwise;
  branch->branch.has_else = true;
  return stmt_done(p, branch, &branch->branch.otherwise);
}

struct stmt *ast_else_if(struct parse *p, struct span span, struct stmt *branch, struct stmt *otherwise) {
  branch->branch.else_if = true;
  return ast_else(p, span, branch, ast_block(otherwise->span, ast_stmts((struct stmt_list){0}, otherwise)));
}

struct stmt *ast_collapse(struct span span, struct expr *chance, struct stmt *branch) {
  branch->span = span;
  branch->collapse = true;
  if (branch->kind == STMT_IF) branch->branch.chance = chance;
  return branch;
}

struct chance_list ast_chance(struct parse *p, struct chance_list list, struct expr *value, struct block body) {
  struct chance chance = {value, body};
  APPEND(p, list, chance);
  return list;
}

struct stmt *ast_one_of(struct parse *p, struct span span, struct chance_list list) {
  struct stmt *stmt = stmt_new(p, STMT_ONE_OF, span);
  stmt->chances.items = list.items;
  stmt->chances.count = list.count;
  for (uint32_t i = 0; i < list.count; i++)
    stmt_done(p, stmt, &list.items[i].body);
  return stmt;
}

struct head_list ast_head(struct parse *p, struct head_list list, struct stmt *wait, struct block body) {
  struct head head = {ast_block(wait->span, ast_stmts((struct stmt_list){0}, wait)), body};
  APPEND(p, list, head);
  return list;
}

struct stmt *ast_first_of(struct parse *p, struct span span, struct head_list list) {
  struct stmt *stmt = stmt_new(p, STMT_FIRST_OF, span);
  stmt->heads.items = list.items;
  stmt->heads.count = list.count;
  for (uint32_t i = 0; i < list.count; i++)
    stmt_done(p, stmt, &list.items[i].body);
  return stmt;
}

struct stmt *ast_while(struct parse *p, struct span span, struct expr *condition, struct block body) {
  struct stmt *stmt = stmt_new(p, STMT_WHILE, span);
  stmt->loop.condition = condition;
  stmt->loop.body = body;
  return stmt_done(p, stmt, &stmt->loop.body);
}

struct stmt *ast_for(struct parse *p, struct span span, struct ident name, struct expr *range, struct step step,
                     struct block body) {
  struct stmt *stmt = stmt_new(p, STMT_FOR, span);
  stmt->each.name = name;
  stmt->each.range = range;
  stmt->each.step = step.value;
  stmt->each.geometric = step.geometric;
  stmt->each.body = body;
  return stmt_done(p, stmt, &stmt->each.body);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t stmt_depth(const struct stmt *stmt) {
  uint32_t depth = 0;
  for (struct children c = stmt_children(stmt); children_next(&c);)
    if (c.block) depth = larger(depth, c.block->depth);
  return depth;
}

struct stmt_list ast_stmts(struct stmt_list list, struct stmt *stmt) {
  if (list.last)
    list.last->next = stmt;
  else
    list.first = stmt;
  list.last = stmt;
  list.depth = larger(list.depth, stmt_depth(stmt));
  return list;
}

struct block ast_block(struct span span, struct stmt_list stmts) {
  return (struct block){.first = stmts.first, .depth = stmts.depth + 1, .span = span};
}
