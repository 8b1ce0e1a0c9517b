/* Vars of other instances in firing rules: `stock.level`, `fork[(p + 1) mod n].taken`. The rule sees each as a local of
 * its accept; whose var it is is known before a run, so that its rule is tested again when that changes. */
#include "interp/check/checker.h"

static const struct expr *component_name(const struct expr *base) {
  const struct expr *name = base->kind == EXPR_INDEX ? base->index.base : base;
  return name->kind == EXPR_NAME ? name : NULL;
}

static const struct symbol *var_named(const struct model_component *component, const struct name *name) {
  for (uint32_t k = 0; k < component->var_count; k++)
    if (component->vars[k]->name == name) return component->vars[k];
  return NULL;
}

struct looking {
  struct checker *c;
  struct span span;
  bool fine;
};

static void look(void *user, struct symbol *symbol) {
  struct looking *looking = user;
  bool changes = symbol->kind == SYMBOL_LOCAL || symbol->kind == SYMBOL_VAR || symbol->kind == SYMBOL_CLOCK;
  if (!changes || !looking->fine) return;
  check_error(looking->c, looking->span, "whose var a firing rule reads is known before a run, and '%s' is not",
              symbol->name->text);
  check_note(looking->c, symbol->span, "declared here");
  looking->fine = false;
}

static bool check_indices(struct checker *c, struct context *x, const struct expr *base,
                          const struct model_component *component) {
  uint32_t count = base->kind == EXPR_INDEX ? base->index.count : 0;
  if (count != component->index_count) {
    const char *name = component->symbol->name->text;
    if (component->index_count == 1)
      check_error(c, base->span, "'%s' has an index: say of which instance, as in %s[0]", name, name);
    else if (component->index_count)
      check_error(c, base->span, "'%s' has %u indices: say of which instance", name, component->index_count);
    else
      check_error(c, base->span, "'%s' is one, without an index", name);
    check_note(c, component->symbol->span, "declared here");
    return false;
  }
  struct looking looking = {c, {0, 0}, true};
  for (uint32_t k = 0; k < count; k++) {
    struct expr *index = base->index.subscripts[k];
    if (expr_check_as(c, x, index, c->model->types.integer, "an index")->kind == TYPE_ERROR) return false;
    looking.span = index->span;
    expr_symbols(index, look, &looking);
  }
  return looking.fine;
}

static struct symbol *watch_local(struct checker *c, struct context *x, const struct symbol *var) {
  struct scope unseen = {0};
  struct symbol *symbol = scope_local(c, x, &unseen, (struct ident){var->name, var->span}, var->type);
  return symbol;
}

const struct type *watch_check(struct checker *c, struct context *x, struct expr *expr) {
  struct expr *base = expr->member.base;
  const struct expr *name = component_name(base);
  if (!name || scope_find(c, x->scope, name->name.name) || table_first(c, SPACE_VALUE, name->name.name)) return NULL;
  if (!table_first(c, SPACE_COMPONENT, name->name.name)) return NULL;
  struct symbol *found = table_find(c, SPACE_COMPONENT, name->name.name, name->span);
  struct model_component *component = found->component;
  const struct symbol *var = var_named(component, expr->member.member.name);
  if (!var) return NULL;
  base->type = c->model->types.none;
  if (var->decl->value.asked) {
    check_error(c, expr->span, "'%s' is asked for by '%s' itself", var->name->text, found->name->text);
    check_note(c, var->span, "declared here");
    return c->model->types.error;
  }
  if (!check_indices(c, x, base, component)) return c->model->types.error;
  struct model_accept *accept = x->rule;
  struct model_watch watch = {.symbol = watch_local(c, x, var),
                              .var = var,
                              .indices = base->kind == EXPR_INDEX ? base->index.subscripts : NULL,
                              .span = expr->span};
  struct model_watch *all = ARENA_ARRAY(c->arena, struct model_watch, accept->watch_count + 1);
  for (uint32_t k = 0; k < accept->watch_count; k++)
    all[k] = accept->watches[k];
  all[accept->watch_count++] = watch;
  accept->watches = all;
  component->watched = true;
  expr->member.symbol = watch.symbol;
  return var->type;
}
