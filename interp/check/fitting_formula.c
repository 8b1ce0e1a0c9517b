/* The formula that a `fit` comes to, as text that reads back with all digits, and that text as an expression.
 */
#include "interp/check/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number with the base units of a dimension: 3.5e-09 s/byte, 2 / (1 s), 2 s * (1 byte) / (1 flop).  A product of
 * units is written out: a parameter may have the name of one. */
void fitting_put_quantity(struct fitting *f, struct text *out, double value, struct dimension dimension) {
  const struct types *types = &f->c->model->types;
  uint32_t above = 0;
  text_number(out, value);
  for (int sign = 1; sign >= -1; sign -= 2)
    for (uint32_t i = 0; i < types->dimension_count; i++) {
      int power = sign * dimension.power[i];
      if (power <= 0) continue;
      if (sign > 0) above++;
      bool behind = above == 1; /* the number, in its own unit */
      text_put(out, !behind ? (sign > 0 ? " * (1 " : " / (1 ") : sign > 0 ? " " : "/");
      text_put(out, types->base_units[i]->text);
      if (power > 1) text_printf(out, "^%d", power);
      if (!behind) text_char(out, ')');
    }
}

/* A parameter without a dimension, in the unit of its column: what logarithms and broken powers are of. */
static const char *plain_parameter(struct fitting *f, uint32_t i) {
  const struct symbol *param = f->function->params[i];
  struct dimension dimension = type_dimension(param->type);
  struct text text = {.arena = f->c->arena};
  if (dimension_none(dimension)) return param->name->text;
  text_printf(&text, "(%s / (", param->name->text);
  if (f->units[i])
    text_printf(&text, "1 %s", f->units[i]);
  else
    fitting_put_quantity(f, &text, 1, dimension);
  text_put(&text, "))");
  return text.data;
}

/* ^2.0, ^0.25, ^(4/3), ^(-1.0) */
static void put_exponent(struct text *out, int twelfths) {
  if (twelfths == 12) return;
  const char *sign = twelfths < 0 ? "-" : "";
  int size = abs(twelfths);
  if (size % 3)
    text_printf(out, "^(%s%d/3)", sign, size / 4);
  else if (size % 6)
    text_printf(out, "^%s%s%d.%d%s", *sign ? "(" : "", sign, size / 12, size % 12 == 3 ? 25 : 75, *sign ? ")" : "");
  else
    text_printf(out, "^%s%s%d.%d%s", *sign ? "(" : "", sign, size / 12, size % 12 ? 5 : 0, *sign ? ")" : "");
}

const char *fitting_normal_text(struct fitting *f, const struct normal_term *term) {
  struct text text = {.arena = f->c->arena};
  for (uint32_t i = 0; i < f->function->param_count; i++) {
    const char *name = plain_parameter(f, i);
    if (term->twelfths[i]) {
      text_printf(&text, "%s%s", text.size ? " * " : "", name);
      put_exponent(&text, term->twelfths[i]);
    }
    if (term->logs[i]) text_printf(&text, "%slog2(%s)", text.size ? " * " : "", name);
    if (term->logs[i] > 1) text_printf(&text, "^%d", term->logs[i]);
  }
  return text.data;
}

/* As a factor behind a coefficient. */
static void put_term(struct text *out, const struct expr *term, const char *searched) {
  bool product = !term || (term->kind == EXPR_BINARY &&
                           (term->binary.op == OP_MUL || term->binary.op == OP_DIV || term->binary.op == OP_POW));
  bool sum = !product && (term->kind == EXPR_IF || term->kind == EXPR_UNARY || term->kind == EXPR_BINARY);
  if (sum) text_char(out, '(');
  if (term)
    expr_format(out, term);
  else
    text_put(out, searched);
  if (sum) text_char(out, ')');
}

/* A coefficient by its term. digits: 0, so that it is read as it is; else so many, for people. */
void fitting_put_product(struct fitting *f, struct text *out, uint32_t k, double coefficient, int digits) {
  const struct fit_term *term = &f->out->terms[k];
  if (digits)
    quantity_print(out, &f->c->model->types, coefficient, term->dimension, digits);
  else
    fitting_put_quantity(f, out, coefficient, term->dimension);
  if (!term->text) return;
  text_put(out, " * ");
  put_term(out, f->fit->term_count ? f->fit->terms[k].value : NULL, term->text);
}

void fitting_put_formula(struct fitting *f, struct text *out, int digits) {
  const struct model_fit *fit = f->out;
  if (fit->log) text_put(out, "exp(");
  for (uint32_t k = 0; k < fit->term_count; k++) {
    double coefficient = fit->regression.coefficients[k];
    if (k) text_put(out, coefficient < 0 ? " - " : " + ");
    fitting_put_product(f, out, k, k ? fabs(coefficient) : coefficient, digits);
  }
  if (!fit->log) return;
  text_char(out, ')');
  if (dimension_none(f->result)) return;
  text_put(out, " * (");
  fitting_put_quantity(f, out, 1, f->result);
  text_char(out, ')');
}

struct expr *fitting_parse(struct fitting *f, const char *text) {
  struct checker *c = f->c;
  const struct source *source =
      source_add(c->model->sources, arena_printf(c->arena, "fit of %s", f->out->name), text, strlen(text));
  if (source) return parse_expression(c->arena, c->model->names, c->d, source);
  fitting_refuse(f, f->name, "the files of the model are too large");
  return NULL;
}

struct expr *fit_part(struct checker *c, struct model_function *function) {
  struct text text = {.arena = c->arena};
  struct model_fit *fitted = function->fit->fitted;
  struct fitting f = {
      .c = c, .function = function, .fit = function->fit, .out = fitted, .name = function->symbol->span};
  uint32_t k = function->part - 1;
  struct expr **value = &fitted->terms[k].part;
  if (*value) return *value; /* checked again */
  fitting_put_product(&f, &text, k, fitted->regression.coefficients[k], 0);
  *value = fitting_parse(&f, text.data);
  if (*value) return *value;
  *value = ARENA_NEW(c->arena, struct expr);
  (*value)->kind = EXPR_REAL;
  return *value;
}
