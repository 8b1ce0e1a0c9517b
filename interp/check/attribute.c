/* Attributes: those that domains declare, those that profiles have, and their use in selectors, `target.A`
 * and `caller.A`.  `domain` is an attribute of all; index names are attributes of their component. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <string.h>

struct attribute_use *attribute_find(struct checker *c, const struct name *folded) {
  uint32_t place = map_get(&c->attribute_places, map_key(folded), c->attribute_count);
  return place < c->attribute_count ? &c->attributes[place] : NULL;
}

const char *attribute_words(struct checker *c, const struct name *name) {
  char *words = arena_copy(c->arena, name->text, name->length);
  for (char *at = words; *at; at++)
    if (*at == '-') *at = ' ';
  return words;
}

void attribute_note(struct checker *c, const struct name *folded, const struct type *type, struct span span) {
  struct attribute_use *use = attribute_find(c, folded);
  if (type->kind == TYPE_ERROR) return;
  if (!use) {
    struct attribute_use new = {.name = folded, .type = type, .span = span};
    bool known;
    map_add(c->arena, &c->attribute_places, map_key(folded), c->attribute_count, &known);
    ARENA_PUSH(c->arena, c->attributes, c->attribute_count, c->attribute_capacity, new);
    return;
  }
  if (!use->type || type->kind == TYPE_ANY) return;
  if (use->type->kind == TYPE_ANY) { /* N/A said that it is there, not what it is */
    use->type = type;
    use->span = span;
    return;
  }
  const struct type *both = type_join(c, use->type, type);
  if (!both) use->other = span;
  use->type = both;
}

struct model_attribute *domain_attribute(const struct model_domain *domain, const struct name *folded) {
  uint32_t place = map_get(&domain->places, map_key(folded), domain->count);
  return place < domain->count ? &domain->attributes[place] : NULL;
}

void domain_adopt(struct checker *c, const struct model_domain *domain, const struct name *folded,
                  const struct type *type, struct span span) {
  struct model_domain *own = domain->symbol->domain;
  struct model_attribute *attributes = ARENA_ARRAY(c->arena, struct model_attribute, own->count + 1);
  bool known;
  memcpy(attributes, own->attributes, own->count * sizeof *attributes);
  map_add(c->arena, &own->places, map_key(folded), own->count, &known);
  attributes[own->count++] = (struct model_attribute){folded, type, NULL, span, {.range = NULL}};
  own->attributes = attributes;
}

void check_domain(struct checker *c, struct symbol *symbol) {
  struct model_domain *domain = symbol->domain;
  const struct decl *decl = symbol->decl;
  domain->attributes = ARENA_ARRAY(c->arena, struct model_attribute, decl->domain.count);
  domain->places = (struct map){0};
  for (uint32_t i = 0; i < decl->domain.count; i++) {
    const struct attribute *from = &decl->domain.attributes[i];
    const struct name *folded = from->name.name->folded;
    const struct model_attribute *before = domain_attribute(domain, folded);
    if (before) {
      check_error(c, from->name.span, "attribute '%s' is declared twice", folded->text);
      check_note(c, before->span, "first declared here");
      continue;
    }
    uint32_t slots = 0;
    struct context x = {.slots = &slots, .draws = "a profile"};
    bool known;
    map_add(c->arena, &domain->places, map_key(folded), domain->count, &known);
    struct model_attribute *to = &domain->attributes[domain->count++];
    *to = (struct model_attribute){
        folded, type_check(c, from->type), from->value, from->name.span, {.range = from->range}};
    if (from->range && !check_in(c, &x, from->range, to->type, "attribute", folded, from->name.span))
      to->allowed.range = NULL;
    if (from->value) {
      const char *what = arena_printf(c->arena, "attribute '%s'", folded->text);
      to->type =
          expr_check_as(c, &x, from->value, to->type, what)->kind == TYPE_ERROR ? c->model->types.error : to->type;
      check_allowed(c, &to->allowed, folded, to->type, from->value);
    }
    attribute_note(c, folded, to->type, to->span);
  }
}

const struct model_domain *domain_named(struct checker *c, const struct expr *term) {
  if (term->kind == EXPR_INDEX) term = term->index.base;
  if (term->kind != EXPR_NAME || term->name.symbol) return NULL;
  const struct name *folded = term->name.name->folded;
  struct symbol *symbol = table_first(c, SPACE_DOMAIN, folded);
  if (symbol) return symbol->domain;
  struct words_list list = {0};
  words_add_table(c, &list, &c->tables[SPACE_DOMAIN]);
  if (!nearest_name(folded->text, list.items, list.count)) return NULL; /* a domain need not be declared */
  check_warning(c, term->span, "no domain '%s' is declared", term->name.name->text);
  check_meant(c, folded->text, &list);
  return NULL;
}

static const struct type *index_type(struct checker *c, const struct name *folded) {
  return map_get(&c->index_names, map_key(folded), 0) ? c->model->types.integer : NULL;
}

/* NULL: nothing has it. TYPE_ANY: it has several types. */
const struct type *attribute_type(struct checker *c, const struct model_domain *domain, const struct name *folded) {
  const struct types *types = &c->model->types;
  if (name_is(folded, KNOWN_DOMAIN)) return types->term;
  const struct model_attribute *own = domain ? domain_attribute(domain, folded) : NULL;
  if (own) return own->type;
  if (attribute_differs(c, domain, folded)) return types->any;
  const struct attribute_use *use = domain && domain->count ? NULL : attribute_find(c, folded);
  return use ? use->type : index_type(c, folded);
}

bool attribute_differs(struct checker *c, const struct model_domain *domain, const struct name *folded) {
  bool closed = domain && domain->count && !c->domain_open;
  const struct attribute_use *use = closed ? NULL : attribute_find(c, folded);
  const struct type *index = index_type(c, folded);
  return use && (!use->type || (index && !type_join(c, use->type, index)));
}

enum { ATTRIBUTES_NAMED = 12 };

static void words_add_once(struct checker *c, struct words_list *list, const char *word) {
  for (uint32_t i = 0; i < list->count; i++)
    if (!strcmp(list->items[i], word)) return;
  words_add(c, list, word);
}

static void help_attributes(struct checker *c, const struct model_domain *domain, struct words_list list) {
  bool more = list.count > ATTRIBUTES_NAMED;
  if (!list.count) return;
  if (more) list.count = ATTRIBUTES_NAMED;
  check_help(c, (struct span){0, 0}, "%s %s%s", domain ? "it has" : "components have", words_text(c, &list),
             more ? ", and others" : "");
}

/* Attributes and indices of components, those of the file that `span` is in or those of all others. */
static void words_add_profiles(struct checker *c, struct words_list *list, struct span span, bool here) {
  const struct source *source = source_of(c->model->sources, span.begin);
  for (uint32_t i = 0; i < c->attribute_count; i++)
    if ((source_of(c->model->sources, c->attributes[i].span.begin) == source) == here)
      words_add_once(c, list, c->attributes[i].name->text);
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct model_component *component = c->model->components[i];
    if ((source_of(c->model->sources, component->symbol->span.begin) != source) == here) continue;
    for (uint32_t k = 0; k < component->index_count; k++)
      words_add_once(c, list, component->indices[k]->name->text);
  }
}

/* The attribute that is meant at `span`, or those that there are: of the domain, else of all. */
static void meant_attribute(struct checker *c, const struct model_domain *domain, const struct name *folded,
                            struct span span) {
  struct words_list list = {0};
  bool of_domain = domain && domain->count;
  for (uint32_t i = 0; of_domain && i < domain->count; i++)
    words_add(c, &list, domain->attributes[i].name->text);
  uint32_t own = list.count;
  words_add_profiles(c, &list, span, true);
  words_add_profiles(c, &list, span, false);
  if (check_meant(c, folded->text, &list)) return;
  if (of_domain) list.count = own;
  if (check_part_meant(c, folded->text, &list)) return;
  help_attributes(c, of_domain ? domain : NULL, list);
}

static struct symbol *attribute_symbol(struct checker *c, const struct name *folded, struct span span,
                                       const struct type *type, int side) {
  struct symbol *symbol = symbol_new(c, SYMBOL_ATTRIBUTE, folded, span);
  symbol->type = type;
  symbol->side = side;
  return symbol;
}

const struct type *attribute_check(struct checker *c, struct context *x, struct expr *member, enum symbol_kind side) {
  const struct types *types = &c->model->types;
  bool target = side == SYMBOL_TARGET;
  const struct name *folded = member->member.member.name->folded;
  member->member.base->name.symbol = target ? &c->target : &c->caller;
  member->member.base->type = types->none;
  if (target ? !x->target : !x->caller) {
    check_error(c, member->span,
                target ? "'target' is known only in a selector, after 'any by', or in a coercion"
                       : "'caller' is known only in an accept's body and requests");
    if (!target && x->component) check_help(c, (struct span){0, 0}, "pass it to a labelled request as an argument");
    return types->error;
  }
  const struct model_domain *domain = target ? x->target_domain : NULL;
  const struct type *type = attribute_type(c, domain, folded);
  if (!type) {
    check_error(c, member->member.member.span, "no component has the attribute '%s'", folded->text);
    if (c->model->loading->options.session)
      check_help(c, (struct span){0, 0},
                 "type what has it first, or in one line with this: a session is checked line by line");
    meant_attribute(c, domain, folded, member->span);
    return types->error;
  }
  if (attribute_differs(c, domain, folded)) {
    struct context own = *x;
    if (!target) own.wanted = NULL; /* whoever calls */
    type = used_type(c, &own, folded, member->span);
  }
  member->member.symbol = attribute_symbol(c, folded, member->member.member.span, type, target ? OF_TARGET : OF_CALLER);
  return type;
}

/* ---- selectors ---- */

static const struct expr *domain_clause(const struct expr *e) {
  if (e->kind == EXPR_CLAUSE)
    return e->clause.op == OP_EQ && name_is(e->clause.attribute->folded, KNOWN_DOMAIN) ? e : NULL;
  if (e->kind != EXPR_BINARY || e->binary.op != OP_AND) return NULL;
  const struct expr *left = domain_clause(e->binary.left);
  return left ? left : domain_clause(e->binary.right);
}

static void clause_refuse(struct checker *c, const struct expr *e, const struct type *type,
                          const struct type *compared) {
  check_error(c, e->span, "cannot compare attribute '%s', which is %s, with %s", e->clause.attribute->text,
              type_text(c, type), type_text(c, compared));
  const struct attribute_use *use = attribute_find(c, e->clause.attribute->folded);
  if (use && use->span.end) check_note(c, use->span, "the attribute has its type here");
  const struct expr *given = expr_behind(e->clause.value);
  if (type->kind == TYPE_TERM && given->kind == EXPR_STRING)
    check_help(c, given == e->clause.value ? (struct span){0, 0} : given->span, "a term is written without quotes: %s",
               given->string);
  else if (type->kind == TYPE_TERM && e->clause.value->kind == EXPR_NAME)
    check_help(c, (struct span){0, 0}, "'%s' is a value here: a term needs another name",
               e->clause.value->name.name->text);
  if (e->clause.value->kind != EXPR_LIST || type->kind == TYPE_LIST) return;
  const char *words = attribute_words(c, e->clause.attribute), *list = expr_text(c, e->clause.value);
  check_help(c, (struct span){0, 0},
             e->clause.op == OP_NE ? "it is none of several: not %s in %s" : "it is one of several: %s in %s", words,
             list);
}

static void clause_conforms(struct checker *c, struct context *x, const struct expr *e, const struct type *type) {
  const struct type *value = e->clause.value->type;
  const char *name = e->clause.attribute->text;
  enum operator op = e->clause.op;
  if (value->kind == TYPE_ERROR || type->kind == TYPE_ERROR) return;
  bool order = op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
  if (order && type->kind != TYPE_ANY && !type_is_number(type)) {
    check_error(c, e->span, "%s compares numbers, and attribute '%s' is %s", operator_text(op), name,
                type_text(c, type));
    if (type->kind == TYPE_TERM)
      check_help(c, (struct span){0, 0}, "a term is one, '=', another one, '!=', or one of several, 'in [...]'");
    return;
  }
  const struct type *compared = value;
  if (op == OP_IN) {
    if (value->kind == TYPE_RANGE)
      compared = type_plain(&c->model->types, value);
    else if (value->kind == TYPE_LIST)
      compared = value->element;
    else {
      check_error(c, e->clause.value->span, "in wants a list or a range, not %s", type_text(c, value));
      return;
    }
  }
  if (attribute_differs(c, x->target_domain, e->clause.attribute->folded))
    claim_add(c, x, e->clause.attribute->folded, compared, e->span);
  else if (!type_join(c, compared, type))
    clause_refuse(c, e, type, compared);
}

static void clause_check(struct checker *c, struct context *x, struct expr *e) {
  const struct name *folded = e->clause.attribute->folded;
  const struct model_attribute *own = x->target_domain ? domain_attribute(x->target_domain, folded) : NULL;
  const struct type *type = attribute_type(c, x->target_domain, folded);
  bool terms = x->terms;
  e->type = c->model->types.boolean;
  if (!type && !model_is_open(c->model)) {
    const char *text = e->clause.attribute->text;
    if (x->target_domain && x->target_domain->count)
      check_warning(c, e->clause.attribute_span, "domain '%s' has no attribute '%s': this never matches",
                    x->target_domain->symbol->name->text, text);
    else
      check_warning(c, e->clause.attribute_span, "no component has the attribute '%s': this never matches", text);
    meant_attribute(c, x->target_domain, folded, e->span);
  }
  if (type && attribute_differs(c, x->target_domain, folded)) {
    const struct type *provided = provided_type(c, x->wanted, folded);
    type = provided ? provided : c->model->types.any;
  }
  const struct type *known = type ? type : c->model->types.any;
  e->clause.symbol = attribute_symbol(c, folded, e->clause.attribute_span, known, OF_TARGET);
  if (e->clause.value->kind == EXPR_NA) {
    e->clause.value->type = known;
    return;
  }
  bool list = e->clause.op == OP_IN;
  x->terms = terms || !type || type->kind == TYPE_ANY;
  const struct type *wanted = type && type->kind != TYPE_ANY ? type : NULL;
  bool several = e->clause.value->kind == EXPR_LIST && (list || (wanted && wanted->kind == TYPE_TERM));
  if (several && wanted) wanted = type_list(&c->model->types, wanted);
  if (list && e->clause.value->kind != EXPR_LIST) wanted = NULL;
  const struct type *value = expr_check(c, x, e->clause.value, wanted);
  x->terms = terms;
  if (value->kind == TYPE_DISTRIBUTION) check_draw(c, x, e->clause.value, value);
  if (type) clause_conforms(c, x, e, type);
  if (own) never_note(c, x, &own->allowed, e);
}

static void clauses(struct checker *c, struct context *x, struct expr *e) {
  e->type = c->model->types.boolean;
  if (e->kind == EXPR_CLAUSE)
    clause_check(c, x, e);
  else if (e->kind == EXPR_UNARY)
    clauses(c, x, e->unary.operand);
  else if (e->kind == EXPR_BINARY) {
    clauses(c, x, e->binary.left);
    clauses(c, x, e->binary.right);
  }
}

/* A number of any dimension, for each target that there could be. */
static void choice_check(struct checker *c, struct context *x, struct expr *by) {
  const struct type *type = expr_check(c, x, by, NULL);
  if (type->kind == TYPE_ERROR && by->kind == EXPR_NAME && !by->name.symbol)
    check_help(
        c, (struct span){0, 0},
        "an attribute of each target is target.%s; 'any' alone takes one that is free, else that with the shortest "
        "line",
        by->name.name->text);
  if (type->kind == TYPE_DISTRIBUTION)
    check_draw(c, x, by, type);
  else if (type->kind != TYPE_ERROR && !type_is_number(type))
    check_error(c, by->span, "any by wants a number, not %s", type_text(c, type));
}

void selector_check(struct checker *c, struct context *x, struct expr *selector, struct expr *by) {
  struct context own = *x;
  own.target = true;
  own.draws = "a selector";
  own.wanted = NULL;
  const struct expr *domain = selector ? domain_clause(selector) : NULL;
  if (domain && domain->clause.value->kind != EXPR_NA) {
    unsigned errors = c->d->errors;
    expr_check(c, &own, domain->clause.value, c->model->types.term);
    if (c->d->errors == errors) own.target_domain = domain_named(c, domain->clause.value);
  }
  if (selector) {
    wanted_terms(c, &own, selector);
    clauses(c, &own, selector);
  }
  own.draws = x->draws;
  if (by) choice_check(c, &own, by);
}
