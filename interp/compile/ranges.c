/* Between what numbers a whole number of the program is, and so whether it may leave its type: what is unsigned, and
 * what is converted to a narrower type, wraps in C. */
#include "interp/compile/emit.h"

#include <string.h>

struct range {
  double low, high;
};

enum { DEEP = 8 };

static struct range type_range(char type, unsigned width) {
  if (type == 'b') return (struct range){0, 1};
  if (!width || width >= 64) return (struct range){-0x1p63, 0x1p63};
  double all = (double)(1L << width);
  return type == 'u' ? (struct range){0, all - 1} : (struct range){-all / 2, all / 2 - 1};
}

static struct range both(struct range a, struct range b) {
  return (struct range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static struct range within(struct range a, struct range type) {
  bool inside = a.low >= type.low && a.high <= type.high;
  return inside ? a : type;
}

static struct range least_and_most(const double *values, size_t count) {
  struct range range = {values[0], values[0]};
  for (size_t i = 1; i < count; i++)
    range = both(range, (struct range){values[i], values[i]});
  return range;
}

static struct range range_of(const struct program *program, const struct value *value, int depth);

const struct value *range_converted(const struct program *program, const struct value *value) {
  static const char *const sums[] = {"plus_expr", "minus_expr", "mult_expr", "negate_expr"};
  if (strcmp(value->text, "nop_expr") != 0 && strcmp(value->text, "convert_expr") != 0) return NULL;
  const struct value *from = value->arguments[0];
  if (from->kind == VALUE_SSA && program->names[from->ssa].text) return NULL;
  const struct statement *made = from->kind == VALUE_SSA ? source_definition(program, from->ssa) : NULL;
  if (made && made->kind == STATEMENT_ASSIGN) from = made->value;
  if (from->kind != VALUE_OP || from->type != 'u' || from->width < value->width) return NULL;
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    if (!strcmp(from->text, sums[i])) return from;
  return NULL;
}

/* Of an operation, as if its type had no end. */
static struct range raw_range(const struct program *program, const struct value *value, int depth) {
  const struct range none = {-0x1p80, 0x1p80}, type = type_range(value->type, value->width);
  const char *code = value->text;
  if (value->type == 'b' || !value->count || depth > DEEP) return value->type == 'b' ? type : none;
  struct range a = range_of(program, value->arguments[0], depth + 1);
  struct range b = value->count > 1 ? range_of(program, value->arguments[1], depth + 1) : a;
  const struct value *right = value->count > 1 ? value->arguments[1] : NULL;
  bool constant = right && right->kind == VALUE_INT && right->number > 0;
  if (!strcmp(code, "plus_expr")) return (struct range){a.low + b.low, a.high + b.high};
  if (!strcmp(code, "minus_expr")) return (struct range){a.low - b.high, a.high - b.low};
  if (!strcmp(code, "negate_expr")) return (struct range){-a.high, -a.low};
  if (!strcmp(code, "mult_expr"))
    return least_and_most((double[]){a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}, 4);
  const struct value *sum = range_converted(program, value);
  if (sum) return raw_range(program, sum, depth + 1);
  if (!strcmp(code, "nop_expr") || !strcmp(code, "convert_expr")) return a;
  if (!strcmp(code, "cond_expr") && value->count > 2) return both(b, range_of(program, value->arguments[2], depth + 1));
  if (!strcmp(code, "max_expr") || !strcmp(code, "min_expr")) return both(a, b);
  if (!strcmp(code, "trunc_div_expr") && constant)
    return (struct range){a.low / (double)right->number - 1, a.high / (double)right->number};
  if (!strcmp(code, "trunc_div_expr")) return a.low >= 0 && b.low >= 0 ? (struct range){0, a.high} : type;
  if (!strcmp(code, "trunc_mod_expr") && constant)
    return (struct range){a.low < 0 ? 1 - (double)right->number : 0, (double)right->number - 1};
  if (!strcmp(code, "trunc_mod_expr")) return a.low >= 0 && b.low >= 0 ? (struct range){0, b.high} : type;
  if (!strcmp(code, "bit_and_expr") && constant) return (struct range){0, (double)right->number};
  if (!strcmp(code, "rshift_expr")) return a;
  if (!strcmp(code, "lshift_expr") && constant && right->number < 62)
    return (struct range){a.low * (double)(1L << right->number), a.high * (double)(1L << right->number)};
  if (!strcmp(code, "lshift_expr") || !strcmp(code, "bit_not_expr")) return none;
  return type;
}

static struct range defined_range(const struct program *program, const struct statement *made, struct range type,
                                  int depth) {
  if (made->input >= 0) return within((struct range){0, 1e9}, type); /* as a param is */
  if (made->kind == STATEMENT_ASSIGN) return within(range_of(program, made->value, depth + 1), type);
  if (made->kind != STATEMENT_PHI || !made->argument_count) return type;
  struct range all = range_of(program, made->arguments[0].value, depth + 2);
  for (size_t i = 1; i < made->argument_count; i++)
    all = both(all, range_of(program, made->arguments[i].value, depth + 2));
  return within(all, type);
}

static struct range range_of(const struct program *program, const struct value *value, int depth) {
  if (value->kind == VALUE_INT) return (struct range){(double)value->number, (double)value->number};
  struct range range = {-0x1p63, 0x1p63};
  if (value->kind == VALUE_MEMORY) return type_range(value->memory->type, (unsigned)value->memory->size * 8);
  if (value->kind == VALUE_OP) range = type_range(value->type, value->width);
  if (value->kind == VALUE_SSA) range = type_range(program->names[value->ssa].type, program->names[value->ssa].width);
  if (depth <= DEEP && value->kind == VALUE_OP) range = within(raw_range(program, value, depth), range);
  const struct statement *made = value->kind == VALUE_SSA ? source_definition(program, value->ssa) : NULL;
  if (depth <= DEEP && made) range = defined_range(program, made, range, depth);
  if (range.low < 0 && expression_positive(program, value, 0)) range.low = 0;
  return range;
}

bool range_wraps(const struct program *program, const struct value *value) {
  bool whole = value->kind == VALUE_OP && (value->type == 'i' || value->type == 'u');
  if (!whole || !value->width || value->width >= 64) return false;
  bool converts = !strcmp(value->text, "nop_expr") || !strcmp(value->text, "convert_expr");
  if (value->type == 'i' && !converts && value->width >= 32) return false; /* C says nothing of it */
  struct range raw = raw_range(program, value, 0), type = type_range(value->type, value->width);
  return raw.low < type.low || raw.high > type.high;
}

bool range_unsigned(const struct program *program, const struct value *value) {
  return range_of(program, value, 0).low >= 0;
}
