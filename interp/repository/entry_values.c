/* Attributes of entries: as they are kept, as values, and what a selector says of them, by the rules that it has for
 * the profiles of a model. Called by all files of the folder. */
#include "interp/repository/repository_model.h"

#include <string.h>

/* ---- from values ---- */

static void push(struct attribute_list *list, struct repository_attribute attribute) {
  ARENA_PUSH(list->arena, list->items, list->count, list->capacity, attribute);
}

static const char *unit_of(struct arena *arena, const struct types *types, const struct type *type) {
  struct text unit = {.arena = arena};
  text_put(&unit, "");
  if (type && type_is_number(type)) unit_print(&unit, types, type_dimension(type));
  return unit.data;
}

void entry_add_attribute(struct attribute_list *list, struct resolver *r, int profile, const struct name *name,
                         const struct type *type, struct value value) {
  const struct model *model = r->model;
  struct text shown = {.arena = list->arena};
  value_print(&shown, &model->types, model->names, type, value, 6);
  struct repository_attribute attribute = {
      .profile = profile, .name = name->folded->text, .type = "other", .value = "", .unit = "", .shown = shown.data};
  if (value.kind == VALUE_TERM) {
    attribute.type = "term";
    attribute.value = name_id(r, value.term.head)->folded->text;
    if (value.term.qualifier) attribute.qualifier = name_id(r, value.term.qualifier)->folded->text;
  } else if (value.kind == VALUE_INT || value.kind == VALUE_REAL) {
    attribute.type = "number";
    attribute.value = shown.data;
    attribute.number = value.kind == VALUE_INT ? (double)value.integer : value.real;
    attribute.unit = unit_of(list->arena, &model->types, type);
  } else if (value.kind == VALUE_STRING) {
    attribute.type = "string";
    attribute.value = arena_copy(list->arena, value.object->text, value.object->count);
  } else if (value.kind == VALUE_BOOL) {
    attribute.type = "bool";
    attribute.value = value.boolean ? "true" : "false";
  }
  attribute.name = arena_copy(list->arena, attribute.name, strlen(attribute.name));
  if (attribute.qualifier)
    attribute.qualifier = arena_copy(list->arena, attribute.qualifier, strlen(attribute.qualifier));
  attribute.value = arena_copy(list->arena, attribute.value, strlen(attribute.value));
  push(list, attribute);
}

void entry_add_open(struct attribute_list *list, int profile, const char *name, const char *type, const char *shown) {
  push(list, (struct repository_attribute){
                 .profile = profile, .name = name, .type = type, .value = "", .unit = "", .shown = shown});
}

void entry_add_text(struct attribute_list *list, int profile, const char *name, const char *text) {
  push(list, (struct repository_attribute){
                 .profile = profile, .name = name, .type = "string", .value = text, .unit = "", .shown = text});
}

/* ---- reading ---- */

const struct repository_attribute *entry_attribute(const struct repository_entry *entry, int profile,
                                                   const char *name) {
  const struct repository_attribute *found = NULL;
  for (size_t k = 0; k < entry->attribute_count; k++) {
    const struct repository_attribute *a = &entry->attributes[k];
    if (strcmp(a->name, name)) continue;
    if (a->profile == profile) return a;
    if (a->profile == PROFILE_OF_ENTRY) found = a;
  }
  return found;
}

int entry_profiles(const struct repository_entry *entry) {
  int most = PROFILE_OF_ENTRY;
  for (size_t k = 0; k < entry->attribute_count; k++)
    if (entry->attributes[k].profile > most) most = entry->attributes[k].profile;
  return most < 0 ? 1 : most + 1;
}

static struct value value_of(struct resolver *r, const struct repository_attribute *a) {
  struct names *names = r->model->names;
  if (!strcmp(a->type, "term"))
    return (struct value){
        .kind = VALUE_TERM,
        .term = {name_of(names, a->value)->folded->id, a->qualifier ? name_of(names, a->qualifier)->folded->id : 0}};
  if (!strcmp(a->type, "number")) return value_real(a->number);
  if (!strcmp(a->type, "bool")) return value_boolean(!strcmp(a->value, "true"));
  return value_string(r->walk_scratch, a->value, strlen(a->value));
}

/* ---- clauses ---- */

static const char *relation_of(enum operator op) {
  static const char *const words[] = {[OP_EQ] = "",    [OP_NE] = "not ", [OP_IN] = "in ", [OP_LT] = "< ",
                                      [OP_LE] = "<= ", [OP_GT] = "> ",   [OP_GE] = ">= "};
  return (size_t)op < sizeof words / sizeof *words && words[op] ? words[op] : "";
}

static bool wanted_of(struct resolver *r, const struct expr *clause, struct value *wanted) {
  return !expr_uses(r, clause->clause.value) && resolver_quietly(r, clause->clause.value, NULL, wanted);
}

/* Numbers of other dimensions are not compared. */
static bool units_agree(struct resolver *r, const struct repository_attribute *a, const struct type *type,
                        struct value wanted) {
  bool number = wanted.kind == VALUE_INT || wanted.kind == VALUE_REAL || wanted.kind == VALUE_RANGE;
  if (strcmp(a->type, "number") || !number || !type) return true;
  return !strcmp(a->unit, unit_of(r->walk_scratch, &r->model->types, type));
}

static void put_wanted(struct text *why, struct resolver *r, const struct expr *clause, struct value wanted) {
  struct model *model = r->model;
  text_printf(why, ", wanted %s", relation_of(clause->clause.op));
  value_print(why, &model->types, model->names, clause->clause.value->type, wanted, 6);
}

static enum verdict clause_verdict_of(struct resolver *r, const struct expr *clause,
                                      const struct repository_entry *entry, int profile, struct text *why) {
  const struct name *name = clause->clause.attribute->folded;
  const struct repository_attribute *a = entry_attribute(entry, profile, name->text);
  struct value wanted;
  if (clause->clause.value->kind == EXPR_NA || (a && !strcmp(a->type, "any"))) return VERDICT_YES;
  bool known = wanted_of(r, clause, &wanted);
  if (!a) {
    if (why) text_printf(why, "%sit has no %s", why->size ? "; " : "", name->text);
    if (why && known) put_wanted(why, r, clause, wanted);
    return VERDICT_NO;
  }
  if (!known || !strcmp(a->type, "other")) return VERDICT_MAYBE;
  enum certainty holds = units_agree(r, a, clause->clause.value->type, wanted)
                             ? clause_holds(clause->clause.op, value_of(r, a), wanted)
                             : CERTAINLY_NOT;
  if (holds == CERTAINLY_NOT && why) {
    text_printf(why, "%s%s is %s", why->size ? "; " : "", name->text, a->shown);
    put_wanted(why, r, clause, wanted);
  }
  return verdict_of(holds);
}

static enum verdict part_verdict(struct resolver *r, const struct expr *selector, const struct repository_entry *entry,
                                 int profile) {
  if (selector->kind == EXPR_CLAUSE) return clause_verdict_of(r, selector, entry, profile, NULL);
  if (selector->kind == EXPR_UNARY) {
    enum verdict inner = part_verdict(r, selector->unary.operand, entry, profile);
    return inner == VERDICT_MAYBE ? inner : inner == VERDICT_YES ? VERDICT_NO : VERDICT_YES;
  }
  enum verdict a = part_verdict(r, selector->binary.left, entry, profile);
  enum verdict b = part_verdict(r, selector->binary.right, entry, profile);
  enum verdict decides = selector->binary.op == OP_AND ? VERDICT_NO : VERDICT_YES;
  if (a == decides || b == decides) return decides;
  return a == VERDICT_MAYBE || b == VERDICT_MAYBE ? VERDICT_MAYBE : a;
}

enum verdict entry_verdict(struct resolver *r, const struct expr *selector, const struct repository_entry *entry,
                           int profile, struct text *why, uint32_t *failed) {
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(selector, list, SELECTOR_CONJUNCTS);
  enum verdict all = VERDICT_YES;
  *failed = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool clause = list[k]->kind == EXPR_CLAUSE;
    enum verdict one =
        clause ? clause_verdict_of(r, list[k], entry, profile, why) : part_verdict(r, list[k], entry, profile);
    if (one == VERDICT_NO && !clause && why)
      text_printf(why, "%s%s does not hold", why->size ? "; " : "", span_text(r, list[k]->span));
    *failed += one == VERDICT_NO;
    if (one == VERDICT_NO || all == VERDICT_YES) all = all == VERDICT_NO ? all : one;
  }
  return all;
}

void filter_terms(struct resolver *r, const struct expr *selector, struct repository_filter *filter,
                  struct arena *arena) {
  enum { MOST = sizeof filter->terms / sizeof *filter->terms };
  const struct expr *list[SELECTOR_CONJUNCTS];
  uint32_t count = conjuncts_of(selector, list, SELECTOR_CONJUNCTS);
  for (uint32_t k = 0; k < count && filter->term_count < MOST; k++) {
    struct value wanted;
    if (list[k]->kind != EXPR_CLAUSE || list[k]->clause.op != OP_EQ || list[k]->clause.value->kind == EXPR_NA) continue;
    if (!wanted_of(r, list[k], &wanted) || wanted.kind != VALUE_TERM) continue;
    const char *name = list[k]->clause.attribute->folded->text, *head = name_id(r, wanted.term.head)->folded->text;
    filter->terms[filter->term_count++] =
        (struct repository_term){arena_copy(arena, name, strlen(name)), arena_copy(arena, head, strlen(head))};
  }
}

struct resolver *repository_resolver(struct psl *psl) {
  static const struct resolve_options plain;
  struct graph *graph = graph_new(&psl->model, &psl->work, NULL);
  graph->resolver = ARENA_NEW(&psl->work, struct resolver);
  resolver_open(graph->resolver, graph, &plain);
  resolver_close(graph->resolver);
  return graph->resolver;
}
