/* FAMILY(attribute = value, …).NAME and FAMILY(every).NAME: a param, let or attribute of the one component that is made
 * by `like` of FAMILY and has these attributes, and the list of it for all of them. Each becomes a let of FAMILY, of
 * conditionals over its members, so that nobody behind the check knows of it. Called from expression.c. */
#include "interp/check/checker.h"

#include <string.h>

struct family {
  struct checker *c;
  const struct expr *expr; /* FAMILY(…).NAME */
  const struct model_component *first;
  struct model_component **members; /* in the order of their declarations */
  uint32_t count, capacity;
  struct expr **values;     /* NAME of each */
  struct expr **conditions; /* whether it is the one */
};

/* ---- the expressions of which a choice is made ---- */

static struct expr *node(const struct family *f, enum expr_kind kind, const struct type *type) {
  struct expr *expr = ARENA_NEW(f->c->arena, struct expr);
  expr->kind = kind;
  expr->span = f->expr->span;
  expr->type = type;
  expr->depth = f->expr->depth;
  return expr;
}

static struct expr *list(const struct family *f, struct expr **items, uint32_t count) {
  struct expr *expr = node(f, EXPR_LIST, type_list(&f->c->model->types, items[0]->type));
  expr->list.items = items;
  expr->list.count = count;
  return expr;
}

static struct expr *call(const struct family *f, const struct builtin *builtin, struct expr **args, uint32_t count) {
  struct expr *expr = node(f, EXPR_CALL, f->c->model->types.boolean);
  expr->call = ARENA_NEW(f->c->arena, struct call);
  struct expr *callee = expr->call->callee = node(f, EXPR_NAME, f->c->model->types.none);
  callee->name.name = name_of(f->c->model->names, builtin->name);
  callee->name.symbol = expr->call->symbol = symbol_new(f->c, SYMBOL_BUILTIN, callee->name.name, (struct span){0, 0});
  callee->name.symbol->builtin = builtin;
  expr->call->args.values = expr->call->bound = args;
  expr->call->args.value_count = expr->call->bound_count = count;
  return expr;
}

static struct expr *choice(const struct family *f, struct expr *condition, struct expr *then, struct expr *otherwise) {
  struct expr *expr = node(f, EXPR_IF, then->type);
  expr->branch.condition = condition;
  expr->branch.then = then;
  expr->branch.otherwise = otherwise;
  return expr;
}

/* COMPONENT.NAME; NULL after a diagnostic. */
static struct expr *member(const struct family *f, const struct model_component *component, struct ident name) {
  struct expr *expr = node(f, EXPR_MEMBER, NULL);
  struct expr *base = expr->member.base = node(f, EXPR_NAME, f->c->model->types.none);
  base->name.name = component->symbol->name;
  base->name.symbol = component->symbol;
  expr->member.member = name;
  expr->member.symbol = component_member(f->c, NULL, component, name);
  if (!expr->member.symbol) return NULL;
  expr->type = member_type(f->c, expr);
  return expr->type->kind == TYPE_ERROR ? NULL : expr;
}

static struct expr *equal(const struct family *f, struct expr *left, struct expr *right) {
  struct expr *expr = node(f, EXPR_COMPARE, f->c->model->types.boolean);
  expr->compare.count = 2;
  expr->compare.operands = ARENA_ARRAY(f->c->arena, struct expr *, 2);
  expr->compare.ops = ARENA_ARRAY(f->c->arena, enum operator, 1);
  expr->compare.operands[0] = left;
  expr->compare.operands[1] = right;
  expr->compare.ops[0] = OP_EQ;
  return expr;
}

static struct expr *both(const struct family *f, struct expr *left, struct expr *right) {
  if (!left) return right;
  struct expr *expr = node(f, EXPR_BINARY, f->c->model->types.boolean);
  expr->binary.op = OP_AND;
  expr->binary.left = left;
  expr->binary.right = right;
  return expr;
}

/* ---- what is asked for ---- */

/* A choice is made once for all instances and firings: what is chosen by must be the same for all. */
static void refuse_local(void *user, struct symbol *symbol) {
  const struct symbol **found = user;
  if (symbol->kind != SYMBOL_PARAM && symbol->kind != SYMBOL_LET && symbol->kind != SYMBOL_INSTANCE &&
      symbol->kind != SYMBOL_FUNCTION && symbol->kind != SYMBOL_BUILTIN)
    *found = symbol;
}

static bool check_wanted(const struct family *f, struct context *x, struct expr *value, const struct type *type,
                         const struct name *attribute) {
  uint32_t slots = 0;
  const struct symbol *local = NULL;
  struct context own = {.scope = x->scope, .slots = &slots, .component = x->component, .draws = "a choice"};
  const char *what = arena_printf(f->c->arena, "attribute '%s'", attribute->text);
  if (expr_check_as(f->c, &own, value, type, what)->kind == TYPE_ERROR) return false;
  expr_symbols(value, refuse_local, &local);
  if (!local) local = expr_index(value);
  if (!local) return true;
  check_error(f->c, value->span, "a component is chosen by params and lets, and '%s' is none", local->name->text);
  return false;
}

static bool add_conditions(struct family *f, struct context *x, const struct args *args) {
  for (uint32_t i = 0; i < args->field_count; i++) {
    const struct field *field = &args->fields[i];
    for (uint32_t k = 0; k < f->count; k++) {
      struct expr *has = member(f, f->members[k], field->name);
      if (!has || (!k && !check_wanted(f, x, field->value, has->type, field->name.name))) return false;
      f->conditions[k] = both(f, f->conditions[k], equal(f, field->value, has));
    }
  }
  return true;
}

/* Of the members from `low` to `high` the one that meets its condition, by halves: nesting grows with the logarithm. */
static struct expr *choose(const struct family *f, uint32_t low, uint32_t high) {
  uint32_t middle = low + (high - low) / 2;
  if (high - low == 1) return f->values[low];
  struct expr **lower = ARENA_ARRAY(f->c->arena, struct expr *, 1);
  lower[0] = list(f, f->conditions + low, middle - low);
  return choice(f, call(f, builtin_find("any"), lower, 1), choose(f, low, middle), choose(f, middle, high));
}

/* Which is an error where none or several are meant: the first branch is taken. */
static struct expr *choose_one(const struct family *f, const struct args *wanted) {
  struct expr **args = ARENA_ARRAY(f->c->arena, struct expr *, 2 + wanted->field_count);
  struct expr **names = ARENA_ARRAY(f->c->arena, struct expr *, f->count + 1);
  for (uint32_t i = 0; i <= f->count; i++) {
    names[i] = node(f, EXPR_STRING, f->c->model->types.string);
    names[i]->string = (i < f->count ? f->members[i] : f->first)->symbol->name->text;
  }
  args[0] = list(f, names, f->count + 1);
  args[1] = list(f, f->conditions, f->count);
  for (uint32_t i = 0; i < wanted->field_count; i++)
    args[2 + i] = wanted->fields[i].value;
  return choice(f, call(f, &builtin_one_of, args, 2 + wanted->field_count), choose(f, 0, f->count), f->values[0]);
}

/* One by a param alone is kept: what goes to another of the family beside it may be meant otherwise. */
static void keep_choice(const struct family *f, const struct args *args) {
  struct model *m = f->c->model;
  const struct field *field = &args->fields[0];
  const struct symbol *param = field->value->kind == EXPR_NAME ? field->value->name.symbol : NULL;
  if (args->field_count != 1 || !param || param->kind != SYMBOL_PARAM) return;
  for (uint32_t k = 0; k < m->choice_count; k++) {
    const struct model_choice *known = &m->choices[k];
    if (known->family == f->first && known->attribute == field->name.name && known->param == param) return;
  }
  const struct model_choice choice = {.family = f->first, .attribute = field->name.name, .param = param};
  ARENA_PUSH(f->c->arena, m->choices, m->choice_count, m->choice_capacity, choice);
}

static bool asks_for_every(const struct args *args) {
  return args->value_count == 1 && !args->field_count && args->values[0]->kind == EXPR_NAME &&
         name_is(args->values[0]->name.name, KNOWN_EVERY);
}

static struct expr *chosen(struct family *f, struct context *x) {
  struct expr *base = f->expr->member.base;
  const char *name = f->first->symbol->name->text;
  bool every = asks_for_every(&base->call->args);
  if (!every && (base->call->binder_count || base->call->args.value_count || !base->call->args.field_count)) {
    check_error(f->c, base->span, "which component like '%s' is meant?", name);
    check_help(f->c, (struct span){0, 0}, "write %s(ATTRIBUTE = VALUE).%s, or %s(every).%s for the list of all", name,
               f->expr->member.member.name->text, name, f->expr->member.member.name->text);
    return NULL;
  }
  if (!f->count) {
    check_error(f->c, base->span, "no component is like '%s'", name);
    check_note(f->c, f->first->symbol->span, "declared here");
    return NULL;
  }
  f->values = ARENA_ARRAY(f->c->arena, struct expr *, f->count);
  f->conditions = ARENA_ARRAY(f->c->arena, struct expr *, f->count);
  for (uint32_t i = 0; i < f->count; i++)
    if (!(f->values[i] = member(f, f->members[i], f->expr->member.member))) return NULL;
  if (every) return list(f, f->values, f->count);
  if (!add_conditions(f, x, &base->call->args)) return NULL;
  keep_choice(f, &base->call->args);
  return choose_one(f, &base->call->args);
}

/* ---- for others ---- */

struct model_component *variant_family(struct checker *c, struct context *x, const struct expr *base) {
  if (base->kind != EXPR_CALL || base->call->callee->kind != EXPR_NAME) return NULL;
  const struct expr *callee = base->call->callee;
  const struct name *name = callee->name.name;
  struct symbol *symbol = table_first(c, SPACE_COMPONENT, name);
  if (!symbol || builtin_find(name->text) || function_named(c, x, name, callee->span)) return NULL;
  symbol = table_find(c, SPACE_COMPONENT, name, callee->span);
  return symbol->component;
}

/* What a component of the family says of itself asks for that of all, itself among them. */
static void own_family_help(const struct family *f, const struct context *x) {
  const struct model_component *own = x->component;
  const struct ident *name = &f->expr->member.member;
  if (!own || !component_is_like(own, f->first)) return;
  const char *meant = own->like && own->like != f->first ? own->like->symbol->name->text : "COMPONENT";
  for (uint32_t i = 0; i < own->instance_count; i++)
    if (own->instances[i]->name == name->name && own->instances[i]->in_progress)
      check_help(f->c, (struct span){0, 0},
                 "'%s' is one of those that %s(...) chooses from, all of which are asked: name the one that is meant, "
                 "%s.%s",
                 own->symbol->name->text, f->first->symbol->name->text, meant, name->name->text);
}

struct symbol *variant_member(struct checker *c, struct context *x, struct expr *expr, struct model_component *first) {
  struct family family = {.c = c, .expr = expr, .first = first};
  struct expr *base = expr->member.base;
  base->type = base->call->callee->type = c->model->types.none;
  base->call->symbol = base->call->callee->name.symbol = NULL;
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    struct model_component *other = c->model->components[i];
    if (!component_is_like(other, first)) continue;
    other->chosen = true;
    ARENA_PUSH(c->arena, family.members, family.count, family.capacity, other);
  }
  unsigned errors = c->d->errors;
  struct expr *value = chosen(&family, x);
  if (!value && c->d->errors != errors) own_family_help(&family, x);
  return value ? instance_symbol(c, first, expr->member.member, value, value->type) : NULL;
}
