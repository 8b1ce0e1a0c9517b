/* Symbolic expressions as people and PSL read them: what is common to all terms stands before brackets, comparisons
 * become `if`, quotients are written as such.  Called by the files that write what was derived.
 *
 * Text is PSL. In LaTeX names are upright text, and cases and quotients are what amsmath has for them. */
#include "interp/derive/algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum level { LEVEL_IF, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_ONE }; /* what binds, the loosest first */

struct writer {
  struct algebra *al;
  enum notation notation;
  bool integer; /* a whole number is wanted: of PSL's quotients `div` alone is one */
};
struct written {
  const char *text;
  enum level level;
};

static struct written write_poly(struct writer *w, const struct poly *a, struct dimension dimension);

static const char *in_brackets(struct writer *w, struct written of, enum level least) {
  if (of.level >= least) return of.text;
  return arena_printf(w->al->arena, w->notation == NOTATION_LATEX ? "\\left(%s\\right)" : "(%s)", of.text);
}

static bool latex(const struct writer *w) { return w->notation == NOTATION_LATEX; }

static const char *name_text(struct writer *w, const char *name) {
  struct text text = {.arena = w->al->arena};
  if (!latex(w)) return name;
  text_put(&text, "\\mathit{");
  for (const char *c = name; *c; c++) {
    if (*c == '_')
      text_put(&text, "\\_");
    else if (*c == '-')
      text_put(&text, "\\text{-}");
    else
      text_char(&text, *c);
  }
  text_char(&text, '}');
  return text.data;
}

/* ---- numbers with units ---- */

static struct dimension units_of(const struct poly_term *term) {
  struct dimension units = {{0}};
  for (uint32_t f = 0; f < term->count; f++)
    if (term->factors[f].atom->kind == ATOM_UNIT)
      units.power[term->factors[f].atom->unit] = (int8_t)term->factors[f].power;
  return units;
}

static const char *quantity_text(struct writer *w, double value, struct dimension units) {
  struct text text = {.arena = w->al->arena}, out = {.arena = w->al->arena};
  quantity_print(&text, w->al->types, value, units, 15);
  if (!latex(w)) return text.data;
  const char *blank = strchr(text.data, ' ');
  text_put_n(&out, text.data, blank ? (size_t)(blank - text.data) : text.size);
  if (!blank) return out.data;
  text_put(&out, "\\,\\mathrm{");
  for (const char *c = blank + 1; *c; c++) { /* s^-1 */
    size_t power = *c == '^' ? strspn(c + 1, "-0123456789") : 0;
    text_char(&out, *c);
    if (power) text_printf(&out, "{%.*s}", (int)power, c + 1);
    c += power;
  }
  text_char(&out, '}');
  return out.data;
}

/* ---- comparisons ---- */

static const char *relation(const struct writer *w, const char *op) {
  if (!latex(w)) return op;
  return !strcmp(op, ">=")   ? "\\ge"
         : !strcmp(op, "<=") ? "\\le"
         : !strcmp(op, "!=") ? "\\ne"
         : !strcmp(op, "==") ? "="
                             : op;
}

static const char *condition(struct writer *w, const struct atom *atom, bool holds) {
  struct algebra *al = w->al;
  const struct poly *a = atom->args[0], *left = al->zero, *right = al->zero;
  bool zero = atom->kind == ATOM_ZERO, strict = false, integer = w->integer;
  for (uint32_t k = 0; k < a->count; k++) {
    const struct poly_term *term = &a->terms[k];
    if (!term->count && number_is(term->by, -1) && !zero && poly_is_whole(a)) {
      strict = true;
      continue;
    }
    const struct poly *one = poly_number(al, term->by);
    for (uint32_t f = 0; f < term->count; f++)
      one = poly_times(al, one,
                       poly_power(al, poly_atom(al, term->factors[f].atom), poly_whole(al, term->factors[f].power)));
    if (number_double(term->by) > 0)
      left = poly_plus(al, left, one);
    else
      right = poly_minus(al, right, one);
  }
  struct number number;
  const char *op = zero ? (holds ? "==" : "!=") : holds ? (strict ? ">" : ">=") : strict ? "<=" : "<";
  if (poly_constant(left, &number) && !poly_constant(right, &number)) { /* x < 3, not 3 > x */
    const struct poly *other = left;
    left = right;
    right = other;
    op = *op == '>' ? (op[1] ? "<=" : "<") : *op == '<' ? (op[1] ? ">=" : ">") : op;
  }
  struct dimension dimension = poly_dimension(a);
  w->integer = false;
  const char *l = in_brackets(w, write_poly(w, left, dimension), LEVEL_SUM);
  const char *r = in_brackets(w, write_poly(w, right, dimension), LEVEL_SUM);
  w->integer = integer;
  return arena_printf(al->arena, "%s %s %s", l, relation(w, op), r);
}

static const char *choice(struct writer *w, const char *holds, struct written then, struct written otherwise) {
  if (latex(w))
    return arena_printf(w->al->arena, "\\begin{cases}%s&\\text{if }%s\\\\%s&\\text{else}\\end{cases}", then.text, holds,
                        otherwise.text);
  return arena_printf(w->al->arena, "if %s then %s else %s", holds, then.text, otherwise.text);
}

/* ---- what is no polynomial ---- */

static const char *whole_argument(struct writer *w, const struct poly *a, enum level least) {
  bool before = w->integer;
  w->integer = true;
  const char *text = in_brackets(w, write_poly(w, a, (struct dimension){{0}}), least);
  w->integer = before;
  return text;
}

static struct written write_atom(struct writer *w, const struct atom *atom) {
  struct arena *arena = w->al->arena;
  struct dimension dimension = atom->dimension, none = {{0}};
  const char *text = "";
  switch (atom->kind) {
  case ATOM_UNIT: return (struct written){quantity_text(w, 1, atom->dimension), LEVEL_PRODUCT};
  case ATOM_NAME: return (struct written){name_text(w, atom->name), LEVEL_ONE};
  case ATOM_NOT_LESS:
  case ATOM_ZERO:
    return (struct written){
        choice(w, condition(w, atom, true), (struct written){"1", LEVEL_ONE}, (struct written){"0", LEVEL_ONE}),
        latex(w) ? LEVEL_ONE : LEVEL_IF};
  case ATOM_MAX:
  case ATOM_MIN:
    text = arena_printf(arena, latex(w) ? "\\%s\\left(%s, %s\\right)" : "%s(%s, %s)",
                        atom->kind == ATOM_MAX ? "max" : "min", write_poly(w, atom->args[0], dimension).text,
                        write_poly(w, atom->args[1], dimension).text);
    return (struct written){text, LEVEL_ONE};
  case ATOM_DIV:
    if (latex(w)) {
      text = arena_printf(arena, "\\left\\lfloor\\frac{%s}{%s}\\right\\rfloor",
                          whole_argument(w, atom->args[0], LEVEL_IF), whole_argument(w, atom->args[1], LEVEL_IF));
      return (struct written){text, LEVEL_ONE};
    }
    text = arena_printf(arena, "%s div %s", whole_argument(w, atom->args[0], LEVEL_ONE),
                        whole_argument(w, atom->args[1], LEVEL_ONE));
    return (struct written){text, LEVEL_PRODUCT};
  case ATOM_MOD:
    text = arena_printf(arena, latex(w) ? "%s \\bmod %s" : "%s mod %s", whole_argument(w, atom->args[0], LEVEL_ONE),
                        whole_argument(w, atom->args[1], LEVEL_ONE));
    return (struct written){text, LEVEL_PRODUCT};
  case ATOM_FLOOR:
  case ATOM_CEIL: {
    const char *word = atom->kind == ATOM_FLOOR ? "floor" : "ceil";
    bool integer = w->integer;
    w->integer = false;
    text = write_poly(w, atom->args[0], none).text;
    w->integer = integer;
    text = latex(w) ? arena_printf(arena, "\\left\\l%s %s\\right\\r%s", word, text, word)
                    : arena_printf(arena, "%s(%s)", word, text);
    return (struct written){text, LEVEL_ONE};
  }
  case ATOM_ROUND:
  case ATOM_FUNCTION: {
    const char *word = atom->kind == ATOM_ROUND ? "round" : atom->name;
    bool integer = w->integer;
    w->integer = false;
    text = write_poly(w, atom->args[0], poly_dimension(atom->args[0])).text;
    w->integer = integer;
    if (latex(w) && !strcmp(word, "sqrt"))
      text = arena_printf(arena, "\\sqrt{%s}", text);
    else
      text = arena_printf(arena, latex(w) ? "\\operatorname{%s}\\left(%s\\right)" : "%s(%s)", word, text);
    return (struct written){text, LEVEL_ONE};
  }
  case ATOM_POWER:
    text = arena_printf(arena, latex(w) ? "{%s}^{%s}" : "%s ^ %s",
                        in_brackets(w, write_poly(w, atom->args[0], none), LEVEL_ONE),
                        in_brackets(w, write_poly(w, atom->args[1], none), latex(w) ? LEVEL_IF : LEVEL_ONE));
    return (struct written){text, LEVEL_PRODUCT};
  case ATOM_GROUP: return write_poly(w, atom->args[0], dimension);
  case ATOM_MOST:
  case ATOM_SUM: {
    bool most = atom->kind == ATOM_MOST;
    const char *low = whole_argument(w, atom->args[0], LEVEL_SUM), *high = whole_argument(w, atom->args[1], LEVEL_SUM);
    const char *name = name_text(w, atom->variable->name);
    if (latex(w)) {
      text = in_brackets(w, write_poly(w, atom->args[2], dimension), LEVEL_PRODUCT);
      return (struct written){arena_printf(arena, most ? "\\max_{%s \\le %s \\le %s} %s" : "\\sum_{%s=%s}^{%s} %s",
                                           most ? low : name, most ? name : low, high, text),
                              LEVEL_SUM};
    }
    text = write_poly(w, atom->args[2], dimension).text;
    return (struct written){arena_printf(arena, "%s(%s in %s .. %s : %s)", most ? "max" : "sum", name, low, high, text),
                            LEVEL_ONE};
  }
  }
  return (struct written){text, LEVEL_ONE};
}

static const char *factor_text(struct writer *w, const struct atom *atom, int64_t power) {
  struct written of = write_atom(w, atom);
  if (power == 1) return in_brackets(w, of, LEVEL_ONE);
  return arena_printf(w->al->arena, latex(w) ? "%s^{%lld}" : "%s ^ %lld", in_brackets(w, of, LEVEL_ONE),
                      (long long)power);
}

/* ---- products ---- */

/* What is left of the divisor where the quotient is no finite decimal; 1: it is one. */
static int64_t endless(struct number number) {
  int64_t below = number.exact ? number.below : 1;
  while (below % 2 == 0)
    below /= 2;
  while (below % 5 == 0)
    below /= 5;
  return below;
}

static void put_factor(struct writer *w, struct text *to, const char *text) {
  if (to->size) text_put(to, latex(w) ? "\\," : " * ");
  text_put(to, text);
}

/* The number, `by` or with its unit, then the atoms, then what stands in brackets (NULL: nothing). */
static struct written write_product(struct writer *w, const struct poly_term *term, const char *rest) {
  struct arena *arena = w->al->arena;
  struct text above = {.arena = arena}, below = {.arena = arena};
  struct dimension units = units_of(term);
  struct number by = term->by;
  uint32_t below_count = 0;
  int64_t below_number = 1;
  bool minus = number_double(by) < 0;
  if (minus) by = number_times(by, number_whole(-1));
  if (!dimension_none(units)) { /* 1 us / 3, but 500 ns */
    int64_t thirds = endless(by);
    if (thirds > 1 && thirds <= 1000) below_number = thirds, by = number_times(by, number_whole(thirds));
  }
  bool apart = by.exact && by.below > 1 && by.below <= 1000 && dimension_none(units);
  if (apart) below_number = by.below;
  if (!dimension_none(units))
    put_factor(w, &above, quantity_text(w, number_double(by), units));
  else if (apart && by.above != 1)
    put_factor(w, &above, arena_printf(arena, "%lld", (long long)by.above));
  else if (!apart && !number_is(by, 1))
    put_factor(w, &above, quantity_text(w, number_double(by), units));
  for (uint32_t f = 0; f < term->count; f++)
    if (term->factors[f].atom->kind != ATOM_UNIT && term->factors[f].power > 0)
      put_factor(w, &above, factor_text(w, term->factors[f].atom, term->factors[f].power));
  if (rest) put_factor(w, &above, rest);
  if (!above.size) text_put(&above, "1");
  for (uint32_t f = 0; f < term->count; f++)
    if (term->factors[f].atom->kind != ATOM_UNIT && term->factors[f].power < 0 && ++below_count)
      put_factor(w, &below, factor_text(w, term->factors[f].atom, -term->factors[f].power));
  if (below_number > 1 && ++below_count) put_factor(w, &below, arena_printf(arena, "%lld", (long long)below_number));
  const char *text = above.data;
  if (below_count && latex(w))
    text = arena_printf(arena, "\\frac{%s}{%s}", text, below.data);
  else if (below_count)
    text = arena_printf(arena,
                        w->integer && apart ? (strchr(text, ' ') ? "(%s) div %s%s%s" : "%s div %s%s%s") : "%s / %s%s%s",
                        text, below_count > 1 ? "(" : "", below.data, below_count > 1 ? ")" : "");
  if (minus) text = arena_printf(arena, "-%s", text);
  bool one = !minus && !below_count && !strpbrk(text, " *\\/");
  return (struct written){text, minus ? LEVEL_SUM : one ? LEVEL_ONE : LEVEL_PRODUCT};
}

/* ---- what is common ---- */

static bool same_units(const struct poly *a) {
  struct dimension units = units_of(&a->terms[0]);
  for (uint32_t k = 1; k < a->count; k++)
    if (!dimension_equal(units, units_of(&a->terms[k]))) return false;
  return true;
}

static int64_t divisor_of(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

enum { LARGEST_MULTIPLE = 100000 }; /* beyond it decimals are shorter */

/* The number that all factors are whole multiples of; 1 where brackets would be no shorter. */
static struct number content(const struct poly *a) {
  struct number result = number_whole(1);
  bool units = !dimension_none(units_of(&a->terms[0])), found = !units, minus = true;
  for (uint32_t k = 0; k < a->count; k++)
    minus &= number_double(a->terms[k].by) < 0;
  if (a->count == 1) return a->terms[0].by;
  if (!same_units(a)) return number_whole(minus ? -1 : 1);
  for (uint32_t k = 0; k < a->count; k++) {
    struct number by = a->terms[k].by;
    if (!by.exact) return number_whole(minus ? -1 : 1);
    if (!k) {
      result = (struct number){.exact = true, .above = llabs(by.above), .below = by.below};
      continue;
    }
    int64_t below, above = divisor_of(result.above, by.above);
    if (__builtin_mul_overflow(result.below / divisor_of(result.below, by.below), by.below, &below))
      return number_whole(minus ? -1 : 1);
    result = (struct number){.exact = true, .above = above, .below = below};
  }
  result = number_times(result, number_whole(minus ? -1 : 1));
  for (uint32_t k = 0; k < a->count; k++)
    if (!(fabs(number_double(a->terms[k].by) / number_double(result)) <= LARGEST_MULTIPLE))
      return number_whole(minus ? -1 : 1);
  for (uint32_t k = 0; k < a->count; k++)
    found |= endless(a->terms[k].by) > 1 || number_double(a->terms[k].by) == number_double(result) ||
             number_double(a->terms[k].by) == -number_double(result);
  return found ? result : number_whole(minus ? -1 : 1);
}

/* Powers that all terms have. */
static struct poly_term common_of(struct writer *w, const struct poly *a) {
  const struct poly_term *first = &a->terms[0];
  struct poly_factor *factors = ARENA_ARRAY(w->al->arena, struct poly_factor, first->count + 1);
  struct poly_term common = {.by = content(a), .factors = factors};
  bool units = same_units(a);
  for (uint32_t f = 0; f < first->count; f++) {
    struct poly_factor factor = first->factors[f];
    if (factor.atom->kind == ATOM_UNIT && (!units || (a->count > 1 && number_is(common.by, 1)))) continue;
    for (uint32_t k = 1; k < a->count && factor.power; k++) {
      int64_t power = 0;
      for (uint32_t g = 0; g < a->terms[k].count; g++)
        if (a->terms[k].factors[g].atom == factor.atom) power = a->terms[k].factors[g].power;
      if ((power > 0) != (factor.power > 0)) power = 0;
      if (llabs(power) < llabs(factor.power)) factor.power = power;
    }
    if (factor.power) factors[common.count++] = factor;
  }
  return common;
}

static const struct poly *term_poly(struct algebra *al, const struct poly_term *term) {
  const struct poly *result = poly_number(al, term->by);
  for (uint32_t f = 0; f < term->count; f++)
    result = poly_times(al, result,
                        poly_power(al, poly_atom(al, term->factors[f].atom), poly_whole(al, term->factors[f].power)));
  return result;
}

/* ---- sums ---- */

static int64_t power_of(const struct poly_term *term, const struct atom *atom) {
  for (uint32_t f = 0; f < term->count; f++)
    if (term->factors[f].atom == atom) return term->factors[f].power;
  return 0;
}

/* The atom that most terms have a power of, comparisons or others; *most: how many. */
static const struct atom *most_common(const struct poly *a, bool truths, uint32_t *most) {
  const struct atom *best = NULL;
  *most = 0;
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct atom *atom = a->terms[k].factors[f].atom;
      bool truth = atom->kind == ATOM_NOT_LESS || atom->kind == ATOM_ZERO;
      if (truth != truths || atom->kind == ATOM_UNIT || a->terms[k].factors[f].power < 0) continue;
      uint32_t count = 0;
      for (uint32_t g = 0; g < a->count; g++)
        count += power_of(&a->terms[g], atom) > 0;
      if (count > *most) *most = count, best = atom;
    }
  return best;
}

/* a = atom * with + without */
static void split(struct algebra *al, const struct poly *a, const struct atom *atom, const struct poly **with,
                  const struct poly **without) {
  *with = *without = al->zero;
  for (uint32_t k = 0; k < a->count; k++) {
    const struct poly *term = term_poly(al, &a->terms[k]);
    if (power_of(&a->terms[k], atom) > 0)
      *with = poly_plus(al, *with, term);
    else
      *without = poly_plus(al, *without, term);
  }
}

static bool all_negative(const struct poly *a) {
  for (uint32_t k = 0; k < a->count; k++)
    if (number_double(a->terms[k].by) >= 0) return false;
  return true;
}

static const char *put_together(struct writer *w, const struct poly *a, const struct poly *b) {
  bool minus = all_negative(b);
  struct dimension none = {{0}};
  const char *left = in_brackets(w, write_poly(w, a, none), LEVEL_SUM);
  struct written right = write_poly(w, minus ? poly_minus(w->al, w->al->zero, b) : b, none);
  const char *text = in_brackets(w, right, minus ? LEVEL_PRODUCT : LEVEL_SUM);
  return arena_printf(w->al->arena, "%s %s %s", left, minus ? "-" : "+", text);
}

static struct written write_sum(struct writer *w, const struct poly *a) {
  struct algebra *al = w->al;
  const struct poly *with, *without;
  uint32_t most;
  const struct atom *truth = most_common(a, true, &most);
  if (truth) {
    split(al, a, truth, &with, &without);
    const struct poly *then = al->zero;
    for (uint32_t k = 0; k < with->count; k++) {
      struct poly_factor *kept = ARENA_ARRAY(al->arena, struct poly_factor, with->terms[k].count + 1);
      struct poly_term term = {.by = with->terms[k].by, .factors = kept};
      for (uint32_t f = 0; f < with->terms[k].count; f++)
        if (with->terms[k].factors[f].atom != truth) kept[term.count++] = with->terms[k].factors[f];
      then = poly_plus(al, then, term_poly(al, &term));
    }
    const struct poly *both = poly_plus(al, then, without);
    struct dimension dimension = poly_dimension(a);
    if (all_negative(then) && both->count && both->count <= without->count) { /* 3 - 1 where it holds: 2, else 1 more */
      const char *more = choice(w, condition(w, truth, false), write_poly(w, poly_minus(al, al->zero, then), dimension),
                                write_poly(w, al->zero, dimension));
      const char *text = in_brackets(w, write_poly(w, both, dimension), LEVEL_SUM);
      more = in_brackets(w, (struct written){more, latex(w) ? LEVEL_ONE : LEVEL_IF}, LEVEL_SUM);
      return (struct written){arena_printf(al->arena, "%s + %s", text, more), LEVEL_SUM};
    }
    if (both->count <= then->count || both->count < 2) {
      const char *text =
          choice(w, condition(w, truth, both->count), write_poly(w, both->count ? both : without, dimension),
                 write_poly(w, both->count ? without : al->zero, dimension));
      return (struct written){text, latex(w) ? LEVEL_ONE : LEVEL_IF};
    }
    return (struct written){put_together(w, without, with), LEVEL_SUM};
  }
  const struct atom *atom = most_common(a, false, &most);
  if (atom && most > 1 && most < a->count) {
    split(al, a, atom, &with, &without);
    return (struct written){put_together(w, with, without), LEVEL_SUM};
  }
  uint32_t head = 0;
  while (head + 1 < a->count && number_double(a->terms[head].by) < 0)
    head++;
  if (number_double(a->terms[head].by) < 0) head = 0;
  const struct poly *first = term_poly(al, &a->terms[head]);
  return (struct written){put_together(w, first, poly_minus(al, a, first)), LEVEL_SUM};
}

/* Comparisons that all terms have are one `if` before the rest. */
static bool write_condition(struct writer *w, const struct poly *a, struct written *out) {
  struct algebra *al = w->al;
  struct text text = {.arena = al->arena};
  const struct poly *rest = al->zero;
  for (uint32_t f = 0; f < a->terms[0].count; f++) {
    const struct atom *atom = a->terms[0].factors[f].atom;
    bool all = atom->kind == ATOM_NOT_LESS || atom->kind == ATOM_ZERO;
    for (uint32_t k = 1; k < a->count && all; k++)
      all = power_of(&a->terms[k], atom) > 0;
    if (all) text_printf(&text, "%s%s", text.size ? latex(w) ? "\\land " : " and " : "", condition(w, atom, true));
  }
  if (!text.size) return false;
  for (uint32_t k = 0; k < a->count; k++) {
    struct poly_factor *kept = ARENA_ARRAY(al->arena, struct poly_factor, a->terms[k].count + 1);
    struct poly_term term = {.by = a->terms[k].by, .factors = kept};
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct atom *atom = a->terms[k].factors[f].atom;
      bool all = atom->kind == ATOM_NOT_LESS || atom->kind == ATOM_ZERO;
      for (uint32_t g = 0; g < a->count && all; g++)
        all = power_of(&a->terms[g], atom) > 0;
      if (!all) kept[term.count++] = a->terms[k].factors[f];
    }
    rest = poly_plus(al, rest, term_poly(al, &term));
  }
  struct dimension dimension = poly_dimension(a);
  out->text = choice(w, text.data, write_poly(w, rest, dimension), write_poly(w, al->zero, dimension));
  out->level = latex(w) ? LEVEL_ONE : LEVEL_IF;
  return true;
}

static struct written write_poly(struct writer *w, const struct poly *a, struct dimension dimension) {
  struct written result;
  if (!a->count)
    return (struct written){quantity_text(w, 0, dimension), dimension_none(dimension) ? LEVEL_ONE : LEVEL_PRODUCT};
  if (write_condition(w, a, &result)) return result;
  struct poly_term common = common_of(w, a);
  if (a->count == 1) {
    const struct poly_term *only = &a->terms[0];
    bool plain = number_is(only->by, 1) && only->count == 1 && only->factors[0].power == 1 &&
                 only->factors[0].atom->kind != ATOM_UNIT;
    return plain ? write_atom(w, only->factors[0].atom) : write_product(w, only, NULL);
  }
  if (number_is(common.by, 1) && !common.count) return write_sum(w, a);
  const struct poly *rest = poly_over(w->al, a, term_poly(w->al, &common));
  bool integer = w->integer;
  struct written inner = write_sum(w, rest);
  w->integer = integer;
  return write_product(w, &common, in_brackets(w, inner, LEVEL_ONE));
}

void poly_write(struct text *out, struct algebra *al, const struct poly *a, enum notation notation,
                struct dimension dimension) {
  struct writer w = {.al = al, .notation = notation};
  text_put(out, write_poly(&w, a, dimension).text);
}

void atom_write_comparison(struct text *out, struct algebra *al, const struct atom *atom, bool holds) {
  struct writer w = {.al = al, .notation = NOTATION_TEXT};
  text_put(out, condition(&w, atom, holds));
}

void poly_write_comparison(struct text *out, struct algebra *al, const struct poly *a, bool holds) {
  atom_write_comparison(out, al, &(struct atom){.kind = ATOM_NOT_LESS, .arg_count = 1, .args = {a}}, holds);
}
