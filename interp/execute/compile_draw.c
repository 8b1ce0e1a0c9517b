/* Draws in compiled bodies: `hold exponential(t)`, `let x = draw(service)`. A distribution whose arguments
 * are known is made once, with the code; else its arguments are registers, and it stands on the stack for the
 * draw. Distributions of lists, and those that an expression only comes to, are the walker's. */
#include "interp/execute/compiler.h"
#include "interp/evaluate/builtin.h"
#include "interp/model/distribution.h"
#include <string.h>

static void site_keep(struct compiler *compiler, struct draw_site *site, struct value distribution) {
  site->distribution = value_copy(compiler->sites, distribution, HOLDS_CODE).object;
}

static bool by_name(struct compiler *compiler, struct expr *expr, struct draw_site *site) {
  struct symbol *symbol = expr->kind == EXPR_NAME     ? expr->name.symbol
                          : expr->kind == EXPR_MEMBER ? expr->member.symbol
                                                      : NULL;
  struct value value;
  if (!symbol || (symbol->kind != SYMBOL_PARAM && symbol->kind != SYMBOL_LET) ||
      (symbol->varies && compiler->model->reads) ||
      !evaluate_symbol(compiler->environment, symbol, expr->span, &value) || value.kind != VALUE_DISTRIBUTION)
    return false;
  site_keep(compiler, site, value);
  return true;
}

/* Is it made of as many numbers as can be taken from registers? */
static bool is_made(const struct expr *call, const struct builtin *builtin) {
  uint32_t count = call->call->bound_count;
  return count > 0 && count == builtin->most && count <= DRAW_ARGUMENTS &&
         distribution_of_numbers((enum distribution_kind)builtin->kind);
}

static bool by_call(struct compiler *compiler, struct context *context, struct expr *expr, struct draw_site *site) {
  const struct symbol *callee = expr->kind == EXPR_CALL ? expr->call->symbol : NULL;
  const struct builtin *builtin = callee && callee->kind == SYMBOL_BUILTIN ? callee->builtin : NULL;
  if (!builtin || !is_made(expr, builtin)) return false;
  uint32_t count = expr->call->bound_count;
  for (uint32_t i = 0; i < count; i++)
    if (!expr->call->bound[i] || !is_plain(compiler, expr->call->bound[i])) return false;
  double numbers[DRAW_ARGUMENTS];
  bool known = true;
  for (uint32_t i = 0; i < count && !compiler->failed; i++) {
    site->arguments[i] = to_real(compiler, expression(compiler, context, expr->call->bound[i]));
    known = known && info(compiler, site->arguments[i])->constant;
    numbers[i] = info(compiler, site->arguments[i])->value.real;
  }
  site->kind = (enum distribution_kind)builtin->kind;
  site->count = count;
  char error[200];
  struct value value;
  if (!compiler->failed && known &&
      distribution_make(compiler->arena, site->kind, numbers, count, &value, error, sizeof error)) {
    site_keep(compiler, site, value);
    site->count = 0;
  }
  return true;
}

/* `within` an expression, or NULL. */
static bool draw_from(struct compiler *compiler, struct context *context, struct expr *distribution,
                      struct eval_site *within, uint16_t *result) {
  struct draw_site *site = ARENA_NEW(compiler->sites, struct draw_site);
  if (!by_name(compiler, distribution, site) && !by_call(compiler, context, distribution, site)) return false;
  site->component = context->component;
  site->instance = context->instance;
  site->within = within;
  *result = mark_finite(compiler, (uint16_t)register_new(compiler, TYPE_REAL, compiler->level));
  struct node *node = emit(compiler, DO_DRAW);
  node->a = *result;
  node->has_a = true;
  node->site = site;
  node->label = fail_label(compiler);
  return true;
}

bool compile_draw(struct compiler *compiler, struct context *context, struct expr *expr, const struct type *type,
                  uint16_t *result) {
  struct expr *distribution = builtin_drawn(expr);
  if (!compiler->executor || !distribution || context->analysis || type->kind != TYPE_REAL) return false;
  return draw_from(compiler, context, distribution, NULL, result);
}

bool may_draw(const struct compiler *compiler, const struct expr *expr) {
  const struct expr *distribution = builtin_drawn(expr);
  if (!compiler->draws || compiler->c_forbidden || !distribution || expr->type->kind != TYPE_REAL) return false;
  const struct symbol *callee = distribution->kind == EXPR_CALL ? distribution->call->symbol : NULL;
  const struct builtin *builtin = callee && callee->kind == SYMBOL_BUILTIN ? callee->builtin : NULL;
  return builtin && is_made(distribution, builtin);
}

uint16_t draw_within(struct compiler *compiler, struct context *context, struct expr *expr) {
  struct eval_site *within = compiler->site;
  uint16_t result = 0;
  if (!within->draws) expression_begins(compiler, DO_DRAWS, within);
  within->draws = true;
  draw_from(compiler, context, builtin_drawn(expr), within, &result);
  return result;
}
