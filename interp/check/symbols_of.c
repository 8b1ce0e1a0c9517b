/* The symbols that a checked expression names: what an assertion shows, and whether a value depends on
 * indices. */
#include "interp/check/checker.h"

typedef void visit_symbol(void *user, struct symbol *symbol);

static void visit_all(struct expr *const *items, uint32_t count, visit_symbol *visit, void *user) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i]) expr_symbols(items[i], visit, user);
}

static void visit_binders(const struct binder *binders, uint32_t count, visit_symbol *visit, void *user) {
  for (uint32_t i = 0; i < count; i++)
    expr_symbols(binders[i].range, visit, user);
}

static void visit_call(const struct expr *e, visit_symbol *visit, void *user) {
  if (e->call.symbol) visit(user, e->call.symbol);
  visit_all(e->call.args.values, e->call.args.value_count, visit, user);
  for (uint32_t i = 0; i < e->call.args.field_count; i++)
    expr_symbols(e->call.args.fields[i].value, visit, user);
  visit_binders(e->call.binders, e->call.binder_count, visit, user);
}

void expr_symbols(const struct expr *e, visit_symbol *visit, void *user) {
  switch (e->kind) {
  case EXPR_NAME:
    if (e->name.symbol) visit(user, e->name.symbol);
    break;
  case EXPR_MEMBER:
    if (e->member.symbol)
      visit(user, e->member.symbol);
    else
      expr_symbols(e->member.base, visit, user);
    break;
  case EXPR_UNARY: expr_symbols(e->unary.operand, visit, user); break;
  case EXPR_BINARY:
    expr_symbols(e->binary.left, visit, user);
    expr_symbols(e->binary.right, visit, user);
    break;
  case EXPR_COMPARE: visit_all(e->compare.operands, e->compare.count, visit, user); break;
  case EXPR_IF:
    expr_symbols(e->branch.condition, visit, user);
    expr_symbols(e->branch.then, visit, user);
    expr_symbols(e->branch.otherwise, visit, user);
    break;
  case EXPR_RANGE:
    expr_symbols(e->range.low, visit, user);
    expr_symbols(e->range.high, visit, user);
    break;
  case EXPR_INDEX:
    if (e->index.term) break;
    expr_symbols(e->index.base, visit, user);
    visit_all(e->index.subscripts, e->index.count, visit, user);
    break;
  case EXPR_CALL: visit_call(e, visit, user); break;
  case EXPR_LIST: visit_all(e->list.items, e->list.count, visit, user); break;
  case EXPR_EACH:
    visit_binders(e->each.binders, e->each.binder_count, visit, user);
    expr_symbols(e->each.body, visit, user);
    break;
  case EXPR_RECORD:
    for (uint32_t i = 0; i < e->record.count; i++)
      expr_symbols(e->record.fields[i].value, visit, user);
    break;
  case EXPR_CLAUSE: expr_symbols(e->clause.value, visit, user); break;
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_QUANTITY:
  case EXPR_STRING:
  case EXPR_BOOLEAN:
  case EXPR_NA:
  case EXPR_KINDS: break;
  }
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
