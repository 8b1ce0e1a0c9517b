/* Results of single instances in the expressions of a study: stage[1].starved, rank[2, 3].wait.maximum.  They are not
 * listed, since how many instances there are the run decides, but made of the component's own when a study names one.
 * Called by result.c. */
#include "interp/check/checker.h"

#include <ctype.h>
#include <string.h>

/* The STAGE[1] that a chain of members begins with; NULL: it begins with something else. */
static struct expr *head_of(struct expr *expr) {
  while (expr->kind == EXPR_MEMBER)
    expr = expr->member.base;
  return expr->kind == EXPR_INDEX && expr->index.base->kind == EXPR_NAME ? expr : NULL;
}

/* Values of the model are meant before components. */
static const struct model_component *component_of(struct checker *c, const struct context *x, const struct expr *head) {
  const struct name *name = head->index.base->name.name;
  if (scope_find(c, x->scope, name) || table_first(c, SPACE_VALUE, name)) return NULL;
  const struct symbol *symbol = table_first(c, SPACE_COMPONENT, name);
  return symbol ? symbol->component : NULL;
}

const struct model_component *instance_component(struct checker *c, const struct context *x, struct expr *expr) {
  struct expr *head = x->study ? head_of(expr) : NULL;
  return head ? component_of(c, x, head) : NULL;
}

static bool put_number(struct text *out, const struct expr *expr) {
  bool minus = expr->kind == EXPR_UNARY && expr->unary.op == OP_NEG;
  if (minus) expr = expr->unary.operand;
  if (expr->kind != EXPR_INTEGER) return false;
  text_printf(out, "%s%lld", minus ? "-" : "", (long long)expr->integer);
  return true;
}

/* stage[1], as runs call it; NULL: some index is no number as it stands. */
static const char *instance_text(struct checker *c, const struct expr *head) {
  struct text text = {.arena = c->arena};
  text_put(&text, head->index.base->name.name->text);
  for (uint32_t i = 0; i < head->index.count; i++) {
    text_put(&text, i ? ", " : "[");
    if (!put_number(&text, head->index.subscripts[i])) return NULL;
  }
  text_char(&text, ']');
  return text.data;
}

/* What stands behind the head: `.starved.sum`. */
static void put_members(struct text *out, const struct expr *expr) {
  if (expr->kind != EXPR_MEMBER) return;
  put_members(out, expr->member.base);
  text_printf(out, ".%s", expr->member.member.name->text);
}

/* Of firings only components are counted. */
static bool is_of_instances(const struct model_result *result) {
  return result && result->component && result->kind != RESULT_FIRINGS;
}

/* The component's result as one of the instance. */
static void add_own(struct checker *c, struct model_study *study, const struct model_result *of_all,
                    const char *instance, size_t length) {
  struct model_result result = *of_all;
  result.instance = instance;
  result.name = arena_printf(c->arena, "%s%s", instance, of_all->name + length);
  ARENA_PUSH(c->arena, study->own, study->own_count, study->own_capacity, result);
}

const struct model_result *instance_result(struct checker *c, struct context *x, struct expr *expr) {
  const struct model_component *component = instance_component(c, x, expr);
  struct expr *head = head_of(expr);
  const char *instance = component && head->index.count == component->index_count ? instance_text(c, head) : NULL;
  if (!instance || head == expr) return NULL;
  struct text name = {.arena = c->arena};
  text_put(&name, component->symbol->name->text);
  size_t length = name.size;
  put_members(&name, expr);
  const struct model_result *of_all = result_named(c, name.data);
  struct model_result made; /* that is not listed: of a class, or the rest of a process's time */
  bool of_class = !of_all && expr->member.base->kind == EXPR_MEMBER && expr->member.base->member.base == head;
  if (of_class && facility_class_result(c, component, expr, &made)) of_all = &made;
  if (!of_all && rest_of_instance(c, component, name.data, &made)) of_all = &made;
  if (!is_of_instances(of_all)) return NULL;
  head->index.term = head->index.base->name.name; /* it is no list */
  struct model_study *study = x->study;
  const char *own = arena_printf(c->arena, "%s%s", instance, of_all->name + length);
  for (uint32_t i = 0; i < study->own_count; i++)
    if (!strcmp(study->own[i].name, own)) return &study->own[i];
  uint32_t place = study->own_count;
  add_own(c, study, of_all, instance, length);
  const struct model_result *end = c->model->results + c->model->result_count;
  if (of_all != &made && of_all + 1 < end && of_all[1].half && !of_all->half)
    add_own(c, study, of_all + 1, instance, length);
  return &study->own[place];
}

static void words_add_instance(struct checker *c, const struct model_component *component, struct words_list *list) {
  const char *name = component->symbol->name->text;
  size_t length = strlen(name);
  for (uint32_t i = 0; i < c->model->result_count; i++) {
    const struct model_result *result = &c->model->results[i];
    const char *word = NULL;
    if (result->component == component && is_of_instances(result) && !strchr(result->name + length + 1, '.'))
      word = result->name + length + 1;
    else if (result->component == component && result->kind == RESULT_RECORD && result->part == STATISTIC_MEAN)
      word = result->record->text;
    bool known = false; /* what a body records stands before a share of its name */
    for (uint32_t k = 0; word && k < list->count; k++)
      known |= !strcmp(list->items[k], word);
    if (word && !known) words_add(c, list, word);
  }
  words_add_rests(c, list);
}

/* The chain is known to be no result: says why. */
void instance_refuse(struct checker *c, struct context *x, struct expr *expr) {
  const struct model_component *component = instance_component(c, x, expr);
  const struct expr *head = head_of(expr);
  const char *name = component->symbol->name->text, *instance = instance_text(c, head);
  struct text members = {.arena = c->arena};
  struct words_list list = {0};
  text_put(&members, "");
  put_members(&members, expr);
  if (head->index.count != component->index_count) {
    bool own = !component->index_count;
    check_error(c, own ? expr->span : head->span, "'%s' has %s", name,
                own                           ? "no index"
                : component->index_count == 1 ? "one index"
                                              : arena_printf(c->arena, "%u indices", component->index_count));
    if (own) check_help(c, (struct span){0, 0}, "write %s%s", name, members.data);
    return;
  }
  if (!instance) {
    check_error(c, head->span, "an instance is named by whole numbers here, as in %s[0]%s", name, members.data);
    return;
  }
  words_add_instance(c, component, &list);
  if (expr == head) {
    const char *such = list.count ? arena_printf(c->arena, ", %s.%s", instance, list.items[0]) : "";
    check_error(c, head->span, "'%s' is an instance and no number: name a result of it%s", instance, such);
    return;
  }
  while (expr->member.base != head) /* stage[1].starvd.sum */
    expr = expr->member.base;
  check_error(c, expr->member.member.span, "'%s' has no result '%s'", instance, members.data + 1);
  if (check_meant(c, expr->member.member.name->text, &list)) return;
  struct text text = {.arena = c->arena};
  for (uint32_t i = 0; i < list.count; i++)
    text_printf(&text, "%s%s", i ? ", " : "", list.items[i]);
  check_help(c, (struct span){0, 0}, "it has %s%s", text.data, figures_told(c, component, instance));
}

/* stage_1 and rank_2_3, as fields of `last` are called. */
bool instance_meant(struct checker *c, const struct context *x, const struct name *name, const char *member) {
  for (uint32_t i = 0; x->study && i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    const char *own = component->symbol->name->text, *at = name->text + strlen(own);
    struct text text = {.arena = c->arena};
    uint32_t count = 0;
    if (strncmp(name->text, own, strlen(own))) continue;
    for (; *at == '_' && isdigit((unsigned char)at[1]); count++) {
      size_t digits = strspn(at + 1, "0123456789");
      text_printf(&text, "%s%.*s", count ? ", " : "", (int)digits, at + 1);
      at += 1 + digits;
    }
    if (*at || !count || count != component->index_count) continue;
    check_help(c, (struct span){0, 0}, "a result of one instance is written %s[%s].%s", own, text.data, member);
    return true;
  }
  return false;
}
