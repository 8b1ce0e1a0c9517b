/* What a request wants of an item, as `item.size >= size`: an expression over the item and what belongs to the request.
 * It is passed on as a value, a list that has with it what the request knew when it was made; an evaluator has it
 * tested for items. The walker tests it, in both engines. */
#include "interp/execute/executor.h"
#include "interp/resolve/graph.h"
#include "grammar/children.h"
#include <string.h>

/* The items of the list. REQUEST has the kind of no value, by which no list of a model is taken for a condition. */
enum { REQUEST, PARAM, INSTANCE, FIELD, EQUAL, LOCALS }; /* EQUAL: what the field FIELD must be equal to, or nothing */

/* ---- equality with something that is known when the request is made ---- */

static bool is_item(const struct expr *expr, const struct symbol *item) {
  return expr->kind == EXPR_NAME && expr->name.symbol == item;
}

/* Is it the item or a field of it? UINT32_MAX: the item itself. */
static bool is_field(const struct expr *expr, const struct symbol *item, uint32_t *field) {
  *field = UINT32_MAX;
  if (is_item(expr, item)) return true;
  if (expr->kind != EXPR_MEMBER || expr->member.symbol || !is_item(expr->member.base, item)) return false;
  for (uint32_t i = 0; i < item->type->field_count; i++)
    if (item->type->fields[i].name == expr->member.member.name) *field = i;
  return *field != UINT32_MAX;
}

/* A value that costs nothing to know, and whose evaluation does not fail. */
static bool is_known(const struct expr *expr, const struct symbol *item) {
  if (expr_is_literal(expr)) return true;
  switch (expr->kind) {
  case EXPR_NAME: return !expr->name.symbol || (!is_item(expr, item) && expr->name.symbol->kind != SYMBOL_VALUE);
  case EXPR_MEMBER: return !expr->member.symbol && is_known(expr->member.base, item);
  default: return false;
  }
}

/* Whose equal values have one hash, and none of which is uncertain. */
static bool is_certain(const struct type *type) {
  return type->kind == TYPE_INT || type->kind == TYPE_REAL || type->kind == TYPE_BOOL || type->kind == TYPE_TERM ||
         type->kind == TYPE_STRING;
}

/* What some field must be equal to wherever the condition holds; NULL: nothing is known. */
static struct expr *equal_to(const struct expr *condition, const struct symbol *item, uint32_t *field,
                             const struct type **type) {
  if (condition->kind == EXPR_BINARY && condition->binary.op == OP_AND) {
    struct expr *left = equal_to(condition->binary.left, item, field, type);
    return left ? left : equal_to(condition->binary.right, item, field, type);
  }
  if (condition->kind != EXPR_COMPARE || condition->compare.count != 2 || condition->compare.ops[0] != OP_EQ)
    return NULL;
  for (uint32_t i = 0; i < 2; i++) {
    struct expr *one = condition->compare.operands[i], *other = condition->compare.operands[1 - i];
    *type = one->type;
    if (is_field(one, item, field) && is_known(other, item) && is_certain(one->type) && is_certain(other->type) &&
        type_conforms(other->type, one->type))
      return other;
  }
  return NULL;
}

bool condition_value(struct executor *executor, struct environment *environment, struct model_request *request,
                     uint32_t param, uint32_t instance, struct value *out) {
  const struct symbol *item = request->items[param];
  uint32_t count = item->slot, field = 0;
  const struct type *type = NULL;
  struct value list = value_object(&executor->scratch, VALUE_LIST, LOCALS + count), *items = list.object->items;
  struct expr *equal = equal_to(request->args[param], item, &field, &type);
  if (equal && !evaluate_as(environment, equal, type, &items[EQUAL])) return false;
  items[REQUEST] = (struct value){.kind = VALUE_NONE, .integer = request->id};
  items[PARAM] = value_integer(param);
  items[INSTANCE] = value_integer(instance);
  items[FIELD] = value_integer(field);
  memcpy(items + LOCALS, environment->locals, count * sizeof *items);
  value_seal(list);
  *out = list;
  return true;
}

static bool is_condition(struct value value) {
  return value.kind == VALUE_LIST && value.object->count >= LOCALS && value.object->items[REQUEST].kind == VALUE_NONE;
}

bool condition_wants(struct value condition, struct psl_wanted *wanted) {
  if (!is_condition(condition)) return false;
  const struct value *items = condition.object->items;
  if (items[EQUAL].kind == VALUE_NONE) return false;
  wanted->field = (uint32_t)items[FIELD].integer;
  wanted->hash = value_hash(items[EQUAL]);
  return true;
}

bool condition_holds(struct executor *executor, struct value condition, struct value item) {
  struct value answer;
  int64_t indices[COMPONENT_INDICES];
  if (executor_stopped(executor)) return false;
  if (condition.kind == VALUE_BOOL) return condition.boolean;
  if (!is_condition(condition)) {
    executor_stop(executor, STOP_ERROR, process_span(process_at(executor, executor->call.process)),
                  "an evaluator wants a condition on an item, and is given something else");
    return false;
  }
  const struct value *items = condition.object->items;
  struct model_request *request = executor->model->requests[items[REQUEST].integer];
  struct expr *expr = request->args[items[PARAM].integer];
  const struct symbol *of = request->items[items[PARAM].integer];
  graph_indices(executor->graph, (uint32_t)items[INSTANCE].integer, indices);
  struct environment environment = executor->environment;
  if (!executor->condition_locals)
    executor->condition_locals = ARENA_ARRAY(executor->arena, struct value, executor->model->slot_max + 1);
  environment.locals = executor->condition_locals;
  environment.indices = indices;
  environment.vars = environment.dynamics = NULL;
  environment.random = NULL;
  memcpy(environment.locals, items + LOCALS, of->slot * sizeof *items);
  if (value_as(&environment, expr->span, of->type, item, &environment.locals[of->slot]) &&
      evaluate(&environment, expr, &answer))
    return answer.boolean;
  executor_stop(executor, STOP_ERROR, expr->span, NULL);
  return false;
}
