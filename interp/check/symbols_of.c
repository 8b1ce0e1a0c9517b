/* The symbols that a checked expression names: what an assertion shows, and whether a value depends on
 * indices. */
#include "interp/check/checker.h"
#include "grammar/children.h"

typedef void visit_symbol(void *user, struct symbol *symbol);

void expr_symbols(const struct expr *e, visit_symbol *visit, void *user) {
  struct symbol *symbol = expr_symbol(e);
  if (symbol) visit(user, symbol);
  for (struct children c = expr_operands(e); children_next(&c);)
    expr_symbols(*c.expr, visit, user);
}

struct search {
  struct search *outer;
  const struct symbol *at; /* no second look at what is being looked at */
  struct symbol *index;
};

static void search_symbol(void *user, struct symbol *symbol) {
  struct search *search = user;
  if (search->index) return;
  if (symbol->kind == SYMBOL_INDEX) search->index = symbol;
  const struct expr *inside = symbol->kind == SYMBOL_INSTANCE                                  ? symbol->instance.value
                              : symbol->kind == SYMBOL_FUNCTION && symbol->function->component ? symbol->function->value
                                                                                               : NULL;
  for (const struct search *s = search; s; s = s->outer)
    if (s->at == symbol) return;
  if (!inside) return;
  struct search own = {.outer = search, .at = symbol};
  expr_symbols(inside, search_symbol, &own);
  search->index = own.index;
}

struct symbol *expr_index(const struct expr *expr) {
  struct search search = {0};
  expr_symbols(expr, search_symbol, &search);
  return search.index;
}
