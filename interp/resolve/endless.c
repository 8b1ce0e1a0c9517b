/* Loops that hold for ever: nothing in them waits for others, so that the run goes on until it is stopped.  Called
 * before a run that has no limit on its time, and by the check. */
#include "interp/resolve/resolve.h"
#include "grammar/children.h"

/* One for no time leaves the clock where it is, which a run stops at. */
static bool moves_clock(struct resolver *r, const struct stmt *stmt) {
  struct value value;
  return stmt->kind == STMT_HOLD && (expr_uses(r, stmt->hold) || !resolver_quietly(r, stmt->hold, NULL, &value) ||
                                     value.kind != VALUE_REAL || value.real > 0);
}

/* Holds alone, and what takes no time and comes to an end; *holds: there is one. */
static bool only_holds(struct resolver *r, const struct block *block, bool *holds) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
    *holds |= moves_clock(r, stmt);
    if (stmt->kind == STMT_RETURN || stmt->kind == STMT_FIRST_OF || stmt->kind == STMT_ASSERT || stmt_callee(stmt))
      return false;
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if (c.block && !only_holds(r, c.block, holds)) return false;
  }
  return true;
}

/* What C gives may be something else the next time. A function that calls itself is not looked through. */
static bool calls_c(const struct expr *expr, void *user) {
  const struct symbol *symbol = expr_symbol(expr);
  const struct model_function *function = symbol && symbol->kind == SYMBOL_FUNCTION ? symbol->function : NULL;
  if (symbol && symbol->kind == SYMBOL_FOREIGN) return true;
  if (function && (function->recursive || calls_c(function->value, user))) return true;
  return expr_any_child(expr, calls_c, user);
}

static bool is_endless(struct resolver *r, const struct stmt *stmt) {
  struct value value;
  bool holds = false;
  return stmt->kind == STMT_WHILE && !expr_uses(r, stmt->loop.condition) && !calls_c(stmt->loop.condition, NULL) &&
         resolver_quietly(r, stmt->loop.condition, NULL, &value) && value.kind == VALUE_BOOL && value.boolean &&
         only_holds(r, &stmt->loop.body, &holds) && holds;
}

/* Of those that stand in no branch. */
static const struct stmt *endless_of(struct resolver *r, const struct block *block) {
  const struct stmt *stmt = block->first;
  while (stmt && !is_endless(r, stmt))
    stmt = stmt->next;
  return stmt;
}

/* What is observed of a queueing network, and what is recorded with a half-width, ends the run. */
static bool ends_by_figures(struct resolver *r) {
  struct value mode;
  for (uint32_t k = 0; k < r->model->component_count; k++)
    for (const struct model_keeping *keeping = r->model->components[k]->keepings; keeping; keeping = keeping->next)
      if (keeping->half_width) return true;
  for (uint32_t k = 0; k < r->model->accept_count; k++)
    if (r->accept_reached[k] && resolver_constant(r, r->model->accepts[k], KNOWN_EVALUATION_MODE, &mode) &&
        mode.kind == VALUE_TERM && mode.term.qualifier &&
        name_is(r->model->names->by_id[mode.term.qualifier], KNOWN_QUEUEING))
      return true;
  return false;
}

void endless_warn(struct resolver *r) {
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    const struct model_accept *accept = r->model->accepts[k];
    const struct stmt *loop = r->accept_reached[k] && accept->body ? endless_of(r, accept->body) : NULL;
    if (!loop || ends_by_figures(r)) continue;
    diagnostic_add(r->model->diagnostics, SEVERITY_WARNING, loop->loop.condition->span,
                   "this loop has no end, so that the run has none, either");
    diagnostic_help(r->model->diagnostics, (struct span){0}, "--max-time TIME ends it: --max-time 100s");
  }
}
