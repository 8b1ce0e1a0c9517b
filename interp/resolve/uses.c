/* What an expression reads: indices, locals, state, the clock, the other side's attributes.  It decides what
 * is bound before the run and what while it runs.  Called by all of this folder. */
#include "interp/resolve/resolve.h"
#include "interp/evaluate/builtin.h"
#include "grammar/children.h"

#include <string.h>

enum { KNOWN = 0x80 };

struct bound { /* binders around the place at hand */
  const struct symbol *symbol;
  const struct bound *outer;
};
struct reader {
  struct resolver *r;
  bool function;              /* inside a function, whose locals are its own */
  unsigned mask;              /* look for the first of these … */
  const struct symbol *found; /* … and keep it here */
  unsigned found_use;
};

static unsigned read_expr(struct reader *reader, const struct expr *expr, const struct bound *bound);

static unsigned note(struct reader *reader, unsigned use, const struct symbol *symbol) {
  if ((use & reader->mask) && !reader->found_use) {
    reader->found = symbol;
    reader->found_use = use;
  }
  return use;
}

static unsigned read_function(struct reader *reader, const struct model_function *function) {
  uint8_t *known = &reader->r->function_uses[function->id];
  if (*known) return *known & ~(unsigned)KNOWN;
  *known = KNOWN; /* a function that calls itself adds nothing by that */
  struct reader inner = {.r = reader->r, .function = true};
  unsigned uses = function->value ? read_expr(&inner, function->value, NULL) : 0;
  for (uint32_t k = 0; k < function->param_count; k++)
    if (function->defaults && function->defaults[k]) uses |= read_expr(&inner, function->defaults[k], NULL);
  *known = (uint8_t)(KNOWN | uses);
  return uses;
}

static unsigned read_symbol(struct reader *reader, const struct symbol *symbol, const struct bound *bound) {
  if (!symbol) return 0;
  switch (symbol->kind) {
  case SYMBOL_INDEX: return note(reader, USES_INDEX, symbol);
  case SYMBOL_INSTANCE: return symbol->instance.value ? read_expr(reader, symbol->instance.value, NULL) : 0;
  case SYMBOL_VAR: return note(reader, USES_VAR, symbol);
  case SYMBOL_LOCAL:
  case SYMBOL_VALUE:
    if (reader->function) return 0;
    for (; bound; bound = bound->outer)
      if (bound->symbol == symbol) return 0;
    return note(reader, USES_LOCAL, symbol);
  case SYMBOL_CLOCK: return note(reader, USES_CLOCK, symbol);
  case SYMBOL_ATTRIBUTE: return note(reader, symbol->side == OF_TARGET ? USES_TARGET : USES_CALLER, symbol);
  case SYMBOL_FUNCTION: {
    unsigned uses = read_function(reader, symbol->function);
    for (unsigned bit = 1; bit <= USES_DRAW; bit <<= 1)
      if (uses & bit) note(reader, bit, symbol);
    return uses;
  }
  case SYMBOL_BUILTIN: return symbol->builtin->draws ? note(reader, USES_DRAW, symbol) : 0;
  case SYMBOL_EVALUATOR_FUNCTION:
  case SYMBOL_PARAM:
  case SYMBOL_LET:
  case SYMBOL_EVALUATOR:
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
  case SYMBOL_CALLER: return 0;
  }
  return 0;
}

static unsigned read_operands(struct reader *reader, struct children operands, const struct bound *bound) {
  unsigned uses = 0;
  while (children_next(&operands)) {
    uses |= read_expr(reader, *operands.expr, bound);
    if (!operands.binder) continue;
    struct bound inner = {operands.binder->symbol, bound}; /* around all that comes after it */
    return uses | read_operands(reader, operands, &inner);
  }
  return uses;
}

static unsigned read_expr(struct reader *reader, const struct expr *expr, const struct bound *bound) {
  if (!expr) return 0;
  unsigned uses = read_symbol(reader, expr_symbol(expr), bound);
  return uses | read_operands(reader, expr_operands(expr), bound);
}

unsigned expr_uses(struct resolver *r, const struct expr *expr) {
  struct reader reader = {.r = r};
  return read_expr(&reader, expr, NULL);
}

const char *expr_reads(struct resolver *r, const struct expr *expr, unsigned mask) {
  struct reader reader = {.r = r, .mask = mask};
  read_expr(&reader, expr, NULL);
  const char *name = reader.found && reader.found->name ? reader.found->name->text : "";
  switch (reader.found_use) {
  case USES_LOCAL: return arena_printf(r->arena, "the local '%s'", name);
  case USES_VAR: return arena_printf(r->arena, "the variable '%s'", name);
  case USES_CLOCK: return "the clock";
  case USES_CALLER: return arena_printf(r->arena, "'caller.%s'", name);
  case USES_TARGET: return arena_printf(r->arena, "'target.%s'", name);
  case USES_DRAW: return "a random number";
  case USES_INDEX: return arena_printf(r->arena, "the index '%s'", name);
  default: return NULL;
  }
}
