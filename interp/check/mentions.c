/* Does a component speak of a name?  Asked where another one, which is made `like` it, calls its indices otherwise.
 * Names of attributes and parameters count, too: yes is no proof. */
#include "interp/check/checker.h"
#include "grammar/children.h"

bool expr_mentions(const struct expr *expr, const struct name *name) {
  if (!expr) return false;
  if (expr->kind == EXPR_NAME && expr->name.name == name) return true;
  for (struct children c = expr_children(expr); children_next(&c);)
    if (c.expr && expr_mentions(*c.expr, name)) return true;
  return false;
}

static bool in_block(const struct block *block, const struct name *name) {
  for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
    for (struct children c = stmt_children(stmt); children_next(&c);)
      if ((c.expr && expr_mentions(*c.expr, name)) || (c.block && in_block(c.block, name))) return true;
  return false;
}

static bool in_fields(const struct field *fields, uint32_t count, const struct name *name) {
  for (uint32_t i = 0; i < count; i++)
    if (expr_mentions(fields[i].value, name)) return true;
  return false;
}

static bool in_args(const struct args *args, const struct name *name) {
  for (uint32_t i = 0; i < args->value_count; i++)
    if (expr_mentions(args->values[i], name)) return true;
  return in_fields(args->fields, args->field_count, name);
}

static bool in_params(const struct param *params, uint32_t count, const struct name *name) {
  for (uint32_t i = 0; i < count; i++)
    if (expr_mentions(params[i].value, name)) return true;
  return false;
}

static bool in_accept(const struct accept *accept, const struct name *name) {
  for (uint32_t i = 0; i < accept->pair_count; i++)
    if (expr_mentions(accept->pairs[i].value, name)) return true;
  for (uint32_t i = 0; i < accept->setting_count; i++)
    if (expr_mentions(accept->settings[i].value, name)) return true;
  return in_args(&accept->txn.args, name);
}

static bool in_request(const struct request *request, const struct name *name) {
  return in_params(request->params, request->param_count, name) || expr_mentions(request->where, name) ||
         expr_mentions(request->by, name) || expr_mentions(request->selector, name) ||
         in_args(&request->txn.args, name) || in_fields(request->settings, request->setting_count, name);
}

static bool in_local(const struct decl *local, const struct name *name) {
  if (local->kind == DECL_COMPONENT) return true;
  if (local->kind != DECL_FUNCTION)
    return expr_mentions(local->value.value, name) || expr_mentions(local->value.range, name);
  const struct signature *signature = &local->function.signature;
  return in_params(signature->params, signature->param_count, name) || expr_mentions(local->function.value, name);
}

bool decl_mentions(const struct decl *component, const struct name *name) {
  for (const struct decl *local = component->component.locals; local; local = local->next)
    if (in_local(local, name)) return true;
  for (const struct part *part = component->component.parts; part; part = part->next) {
    if (in_accept(&part->accept, name) || in_block(&part->body, name)) return true;
    for (uint32_t i = 0; i < part->request_count; i++)
      if (in_request(&part->requests[i], name)) return true;
  }
  return false;
}
