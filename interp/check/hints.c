/* The types of params, lets, vars, parameters and functions that are declared without one, as the check has found
 * them. */
#include "interp/check/checker.h"
#include "interp/check/editing.h"

static bool is_typed(const struct type *type) {
  return type && type->kind != TYPE_ERROR && type->kind != TYPE_ANY && type->kind != TYPE_VOID;
}

/* What stands behind the name where its type could: `=` of a value, `,` or `)` behind a parameter. */
static bool could_have_type(const struct source *source, const struct named *named) {
  uint32_t at = named->span.end - source->base;
  while (at < source->size && (source->text[at] == ' ' || source->text[at] == '\t'))
    at++;
  char next = at < source->size ? source->text[at] : 0;
  return next == '=' || (named->kind == PSL_NAME_LOCAL && (next == ',' || next == ')'));
}

static bool is_value(enum psl_name_kind kind) {
  return kind == PSL_NAME_PARAM || kind == PSL_NAME_LET || kind == PSL_NAME_VAR || kind == PSL_NAME_LOCAL;
}

/* The result of a function of PSL that is declared without one: where it could stand, `-> real`. */
static bool result_hint(struct model *model, struct arena *arena, const struct named *named, struct hinted *hint) {
  const struct symbol *symbol = named->symbol;
  if (named->kind != PSL_NAME_FUNCTION || !symbol || symbol->kind != SYMBOL_FUNCTION || !is_typed(symbol->type))
    return false;
  if (named->declared.begin != named->span.begin || symbol->decl->kind != DECL_FUNCTION) return false;
  if (symbol->decl->function.signature.result) return false;
  struct text text = {.arena = arena};
  text_put(&text, " -> ");
  type_print(&text, &model->types, symbol->type);
  *hint = (struct hinted){symbol->decl->function.signature.span.end, text.data};
  return true;
}

struct hinted *model_hints(struct model *model, struct arena *arena, const struct source *source, uint32_t *count) {
  uint32_t name_count, capacity = 0;
  const struct named *names = model_names(model, arena, source, &name_count);
  struct hinted *hints = NULL;
  *count = 0;
  for (uint32_t i = 0; i < name_count; i++) {
    const struct named *named = &names[i];
    struct hinted result;
    if (result_hint(model, arena, named, &result)) ARENA_PUSH(arena, hints, *count, capacity, result);
    bool declares = named->symbol && named->declared.begin == named->span.begin && is_value(named->kind);
    if (!declares || !is_typed(named->symbol->type) || !could_have_type(source, named)) continue;
    struct text text = {.arena = arena};
    text_put(&text, ": ");
    type_print(&text, &model->types, named->symbol->type);
    struct hinted hint = {named->span.end, text.data};
    ARENA_PUSH(arena, hints, *count, capacity, hint);
  }
  return hints;
}
