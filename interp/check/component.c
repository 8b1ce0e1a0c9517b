/* Components: flattened from their syntax (`like` copied, inner ones with their outer's indices first) into
 * what resolution and execution read, then checked: index sets, lets, vars, accepts, requests. */
#include "interp/check/checker.h"

#include <string.h>

static struct model_component *component_new(struct checker *c, struct decl *decl, struct model_component *outer,
                                             const struct name *name, struct span span) {
  struct model *m = c->model;
  struct model_component *component = ARENA_NEW(c->arena, struct model_component);
  component->id = m->component_count;
  component->decl = decl;
  component->outer = outer;
  component->system = decl->kind == DECL_SYSTEM;
  component->symbol = symbol_new(c, SYMBOL_COMPONENT, name, span);
  component->symbol->decl = decl;
  component->symbol->component = component;
  decl->symbol = component->symbol;
  ARENA_PUSH(c->arena, m->components, m->component_count, c->component_capacity, component);
  if (c->checked_capacity < m->component_count) {
    uint32_t size = m->component_count * 2;
    c->components =
        arena_grow(c->arena, c->components, c->checked_capacity * sizeof *c->components, size * sizeof *c->components);
    c->checked_capacity = size;
  }
  c->components[component->id] = ARENA_NEW(c->arena, struct checked_component);
  return component;
}

void component_declare(struct checker *c, struct decl *decl, struct model_component *outer, const struct source *file) {
  const struct name *name = decl->name.name ? decl->name.name : name_of(c->model->names, file->name);
  struct span span = decl->name.name ? decl->name.span : (struct span){decl->span.begin, decl->span.begin + 1};
  struct model_component *component = component_new(c, decl, outer, name, span);
  if (!outer) table_add(c, SPACE_COMPONENT, component->symbol);
}

/* ---- like ---- */

static bool has_param(const struct decl *component, const struct name *name) {
  for (const struct decl *local = component->component.locals; local; local = local->next)
    if (local->kind == DECL_PARAM && local->name.name == name) return true;
  return false;
}

/* Says that the name is that of an attribute, where one of the profiles has it. */
static bool help_replaced_attribute(struct checker *c, const struct decl *copy, const struct ident *given,
                                    const struct expr *value) {
  for (const struct part *part = copy->component.parts; part; part = part->next)
    for (uint32_t i = 0; part->kind == PART_ACCEPTS && i < part->accept.pair_count; i++) {
      if (part->accept.pairs[i].attribute.name->folded != given->name->folded) continue;
      check_help(c, (struct span){0, 0}, "it is an attribute, and replaced so: profile %s = %s;",
                 attribute_words(c, given->name), value ? expr_text(c, value) : "...");
      return true;
    }
  return false;
}

/* The first of its params that is a random time; NULL: it has none. */
static const struct name *time_param(struct checker *c, const struct decl *component) {
  const struct name *time = name_of(c->model->names, "time");
  for (const struct decl *local = component->component.locals; local; local = local->next) {
    const struct type_expr *type = local->kind == DECL_PARAM ? local->value.type : NULL;
    if (type && type->count == 2 && type->atoms[0].name && type->atoms[1].name == time &&
        name_is(type->atoms[0].name->folded, KNOWN_DISTRIBUTION))
      return local->name.name;
  }
  return NULL;
}

/* `param rate = 3 s^-1;`, `param interarrival = 2 s;`: what it has in their place is the time between, or of one. */
static bool help_rate_param(struct checker *c, const struct decl *copy, const struct decl *given,
                            const struct words_list *list) {
  static const char *const words[] = {
      "rate", "mu",           "service-rate",      "arrival-rate",      "lambda", "intensity", "times",
      "iat",  "interarrival", "interarrival-time", "inter-arrival-time"};
  enum { RATES = 6 };
  const struct name *param = time_param(c, copy);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(given->name.name->folded->text, words[i]) != 0) continue;
    const struct expr *rate = given->value.value;
    const char *value = rate ? expr_text(c, rate) : "...";
    if (rate && (rate->kind == EXPR_INTEGER || rate->kind == EXPR_REAL))
      value = arena_printf(c->arena, "%s s^-1", value);
    bool customers = has_param(copy, name_known(c->model->names, KNOWN_CLASS));
    if (!param && customers) return check_habit(c, HABIT_PARAM, "arrival-rate");
    if (!param)
      check_help(c, (struct span){0, 0}, "it has %s", list->count ? words_text(c, list) : "none");
    else if (i < RATES)
      check_help(c, (struct span){0, 0}, "'%s' is a time, and its mean 1 / rate: param %s = exponential(1 / (%s));",
                 param->text, param->text, value);
    else
      check_help(c, (struct span){0, 0}, "did you mean '%s'?", param->text);
    return true;
  }
  return false;
}

static void replace_param(struct checker *c, const struct symbol *other, struct decl *copy, const struct decl *given) {
  struct words_list list = {0};
  for (struct decl *local = copy->component.locals; local; local = local->next) {
    if (local->kind != DECL_PARAM) continue;
    words_add(c, &list, local->name.name->text);
    if (local->name.name != given->name.name) continue;
    local->value.value = given->value.value;
    local->value.asked = given->value.asked;
    return;
  }
  check_error(c, given->name.span, "'%s' has no param '%s' to replace", other->name->text, given->name.name->text);
  check_note(c, other->span, "declared here");
  if (help_replaced_attribute(c, copy, &given->name, given->value.value)) return;
  if (check_figure(c, given->name.name->text, &list) || help_rate_param(c, copy, given, &list)) return;
  if (check_habit_of(c, HABIT_PARAM, given->name.name->text, &list)) return;
  if (!check_meant(c, given->name.name->text, &list))
    check_help(c, (struct span){0, 0}, "it has %s; a value beside them is a let: let %s = ...;",
               list.count ? words_text(c, &list) : "none", given->name.name->text);
}

/* Has the declaration a param of that name before it? */
static bool is_given_before(struct checker *c, const struct decl *decl, const struct decl *given) {
  for (const struct decl *local = decl->component.locals; local != given; local = local->next) {
    if (local->kind != DECL_PARAM || local->name.name != given->name.name) continue;
    check_error(c, given->name.span, "the param '%s' is given twice", given->name.name->text);
    check_note(c, local->name.span, "given first here");
    return true;
  }
  return false;
}

/* The declared domain that the profile names; NULL: there is none. */
static const struct symbol *domain_of(struct checker *c, const struct accept *accept) {
  const struct symbol *domain = NULL;
  for (uint32_t i = 0; !domain && i < accept->pair_count; i++) {
    const struct expr *value = accept->pairs[i].value;
    if (value->kind == EXPR_INDEX) value = value->index.base;
    if (name_is(accept->pairs[i].attribute.name->folded, KNOWN_DOMAIN) && value->kind == EXPR_NAME)
      domain = table_first(c, SPACE_DOMAIN, value->name.name->folded);
  }
  return domain;
}

static bool domain_has(const struct symbol *domain, const struct name *folded) {
  for (uint32_t k = 0; domain && k < domain->decl->domain.count; k++)
    if (domain->decl->domain.attributes[k].name.name->folded == folded) return true;
  return false;
}

static bool add_attribute(struct checker *c, struct decl *copy, const struct pair *given) {
  bool added = false;
  for (struct part *part = copy->component.parts; part; part = part->next) {
    struct accept *accept = &part->accept;
    if (part->kind != PART_ACCEPTS || !domain_has(domain_of(c, accept), given->attribute.name->folded)) continue;
    struct pair *pairs = ARENA_ARRAY(c->arena, struct pair, accept->pair_count + 1);
    memcpy(pairs, accept->pairs, sizeof *pairs * accept->pair_count);
    pairs[accept->pair_count++] = *given;
    accept->pairs = pairs;
    added = true;
  }
  return added;
}

/* Which domain is to declare it. */
static void help_attribute(struct checker *c, const struct decl *copy, const struct pair *given) {
  const struct symbol *domain = NULL;
  for (const struct part *part = copy->component.parts; part && !domain; part = part->next)
    if (part->kind == PART_ACCEPTS) domain = domain_of(c, &part->accept);
  if (domain)
    check_help(c, (struct span){0, 0}, "one of your own is declared in your file: domain %s { attribute %s : TYPE; }",
               domain->decl->name.name->text, attribute_words(c, given->attribute.name));
}

/* What tells the instances of a component apart, behind the attributes that they have in common. */
static const char *indices_text(struct checker *c, const struct decl *component) {
  struct words_list list = {0};
  for (uint32_t i = 0; i < component->component.index_count; i++)
    words_add(c, &list, component->component.indices[i].name->text);
  return list.count ? arena_printf(c->arena, ", and each instance its own %s", words_text(c, &list)) : "";
}

static void replace_attribute(struct checker *c, const struct symbol *other, struct decl *copy,
                              const struct pair *given) {
  struct words_list list = {0};
  bool found = false;
  for (struct part *part = copy->component.parts; part; part = part->next) {
    if (part->kind != PART_ACCEPTS) continue;
    for (uint32_t i = 0; i < part->accept.pair_count; i++) {
      struct pair *pair = &part->accept.pairs[i];
      bool again = false; /* in the profile of another accept */
      for (uint32_t k = 0; k < list.count; k++)
        again |= !strcmp(list.items[k], attribute_words(c, pair->attribute.name));
      if (!again) words_add(c, &list, attribute_words(c, pair->attribute.name));
      if (pair->attribute.name->folded != given->attribute.name->folded) continue;
      pair->value = given->value;
      found = true;
    }
  }
  if (found || add_attribute(c, copy, given)) return;
  check_error(c, given->attribute.span, "no profile of '%s' has the attribute '%s' to replace", other->name->text,
              given->attribute.name->text);
  check_note(c, other->span, "declared here");
  if (has_param(copy, given->attribute.name)) {
    check_help(c, (struct span){0, 0}, "it has a param of this name: param %s = ...;", given->attribute.name->text);
    return;
  }
  if (check_meant(c, attribute_words(c, given->attribute.name), &list)) return;
  if (list.count) check_help(c, (struct span){0, 0}, "they have %s%s", words_text(c, &list), indices_text(c, copy));
  help_attribute(c, copy, given);
}

static struct part **place_after(struct part **link, enum part_kind kind) {
  while (*link && (*link)->kind != kind)
    link = &(*link)->next;
  return *link ? &(*link)->next : link;
}

static void drop_body(struct part **link) {
  while (*link && (*link)->kind != PART_ACCEPTS) {
    if ((*link)->kind == PART_BODY)
      *link = (*link)->next;
    else
      link = &(*link)->next;
  }
}

/* What stands before an accepts: of its own belongs to the first accept that the copy has. */
static void replace_parts(struct checker *c, struct decl *copy, const struct decl *given) {
  struct part *own = clone_parts(c->arena, given->component.parts), *rest = own, *last = NULL;
  bool body = false;
  for (; rest && rest->kind != PART_ACCEPTS; rest = rest->next) {
    body |= rest->kind == PART_BODY;
    last = rest;
  }
  struct part **link = place_after(&copy->component.parts, PART_ACCEPTS);
  if (body) drop_body(link);
  if (last) {
    last->next = *link;
    *link = own;
  }
  while (*link)
    link = &(*link)->next;
  *link = rest;
}

static bool is_setting(const struct name *word) {
  return name_is(word, KNOWN_SERVERS) || name_is(word, KNOWN_DISCIPLINE) || name_is(word, KNOWN_FIRING_RULE);
}

static void replace_setting(struct checker *c, struct accept *accept, const struct setting *given) {
  struct setting *all = ARENA_ARRAY(c->arena, struct setting, accept->setting_count + 1);
  uint32_t count = accept->setting_count, at = 0;
  if (count) memcpy(all, accept->settings, count * sizeof *all);
  while (at < count && all[at].name.name->folded != given->name.name->folded)
    at++;
  all[at] = *given;
  accept->settings = all;
  accept->setting_count += at == count;
  if (at == count) accept->order = (char *)(uintptr_t)arena_printf(c->arena, "%ss", accept->order);
}

/* `servers = 3;` and the like stand for those of the first accept. */
static void replace_settings(struct checker *c, struct decl *copy, const struct decl *given) {
  const struct accept *changed = given->component.changed;
  struct part *part = copy->component.parts;
  while (part && part->kind != PART_ACCEPTS)
    part = part->next;
  for (uint32_t i = 0; i < changed->setting_count; i++) {
    const struct setting *setting = &changed->settings[i];
    if (part && is_setting(setting->name.name->folded)) {
      replace_setting(c, &part->accept, setting);
      continue;
    }
    const char *text = setting->name.name->text;
    check_error(c, setting->name.span, "what is made by like has no '%s' of its own", text);
    if (has_param(copy, setting->name.name)) {
      check_help(c, (struct span){0, 0}, "it is a param, and replaced so: param %s = %s;", text,
                 expr_text(c, setting->value));
      continue;
    }
    const struct ident word = {setting->name.name, setting->name.span};
    if (help_replaced_attribute(c, copy, &word, setting->value)) continue;
    struct words_list list = {0};
    words_add(c, &list, name_known(c->model->names, KNOWN_SERVERS)->text);
    for (const struct decl *local = copy->component.locals; local; local = local->next)
      if (local->kind == DECL_PARAM) words_add(c, &list, local->name.name->text);
    if (check_habit_of(c, HABIT_PARAM, text, &list)) continue;
    check_help(
        c, (struct span){0, 0},
        "a param is replaced by: param %s = ...; an attribute by: profile %s = ...; of its first accept servers, "
        "discipline and firing rule by: servers = ...;",
        text, text);
  }
}

static const struct name *local_name(const struct decl *local) {
  return local->kind == DECL_FUNCTION ? local->function.signature.name.name : local->name.name;
}

/* A let or a function stands in place of the other component's of its name; what else there is comes behind. */
static void add_local_of(struct checker *c, struct decl *copy, const struct decl *given, const struct decl *local) {
  struct decl *added = clone_local(c->arena, local), **link = &copy->component.locals;
  bool replaces = local->kind == DECL_LET || local->kind == DECL_FUNCTION;
  for (; *link; link = &(*link)->next) {
    bool own = (*link)->span.begin >= given->span.begin && (*link)->span.end <= given->span.end;
    if (replaces && !own && (*link)->kind == local->kind && local_name(*link) == local_name(local)) break;
  }
  added->next = *link ? (*link)->next : NULL;
  *link = added;
}

/* Indices of its own make one without them many. Where there are some they may have another set, and other names if
 * nothing in it speaks of them. */
static void set_indices(struct checker *c, const struct symbol *other, struct decl *copy, const struct decl *given) {
  const struct ident *own = given->component.indices, *theirs = copy->component.indices;
  uint32_t own_count = given->component.index_count, count = copy->component.index_count;
  bool same = true;
  if (!own_count) return;
  if (count && own_count != count) {
    check_error(c, own->span, "'%s' has %s, and this component %u", other->name->text,
                count == 1 ? "one index" : arena_printf(c->arena, "%u indices", count), own_count);
    check_note(c, theirs->span, count == 1 ? "it is here" : "they are here");
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (own[i].name == theirs[i].name || !decl_mentions(other->component->decl, theirs[i].name)) continue;
    check_error(c, own[i].span, "'%s' speaks of its index '%s' by that name", other->name->text, theirs[i].name->text);
    check_note(c, theirs[i].span, "it is here");
    check_help(c, (struct span){0, 0}, "call it '%s' here, too", theirs[i].name->text);
    same = false;
  }
  if (!same) return;
  copy->component.indices = given->component.indices;
  copy->component.index_count = own_count;
  copy->component.set = given->component.set;
}

static struct decl *effective(struct checker *c, struct model_component *component);

static struct decl *copy_like(struct checker *c, struct model_component *component) {
  struct decl *decl = component->decl;
  const struct ident *like = &decl->component.like;
  struct symbol *other = table_find(c, SPACE_COMPONENT, like->name, like->span);
  if (!other || other->component->system) {
    struct words_list list = {0};
    check_error(c, like->span, other ? "'%s' is a system, not a component" : "unknown component '%s'",
                like->name->text);
    words_add_table(c, &list, &c->tables[SPACE_COMPONENT]);
    if (other)
      check_note(c, other->span, "declared here");
    else if (!check_library(c, SPACE_COMPONENT, like->name) && !check_habit(c, HABIT_COMPONENT, like->name->text) &&
             !check_meant(c, like->name->text, &list))
      check_near_library(c, SPACE_COMPONENT, like->name);
    return NULL;
  }
  if (component->symbol->in_progress) {
    const char *name = component->symbol->name->text;
    check_error(c, decl->span, "'%s' is like itself", name);
    if (component->symbol == other && !check_habit(c, HABIT_COMPONENT, name))
      check_help(c, (struct span){0, 0}, "it has a name of its own: component my-%s like %s { ... }", name, name);
    return NULL;
  }
  component->symbol->in_progress = true;
  struct decl *from = effective(c, other->component);
  component->symbol->in_progress = false;
  if (!from) return NULL;
  struct decl *copy = clone_component(c->arena, from);
  component->like = other->component;
  for (const struct decl *local = decl->component.locals; local; local = local->next) {
    if (local->kind == DECL_PARAM && !is_given_before(c, decl, local))
      replace_param(c, other, copy, local);
    else if (local->kind != DECL_PARAM)
      add_local_of(c, copy, decl, local);
  }
  for (uint32_t i = 0; i < decl->component.replaced_count; i++)
    replace_attribute(c, other, copy, &decl->component.replaced[i]);
  replace_settings(c, copy, decl);
  replace_parts(c, copy, decl);
  set_indices(c, other, copy, decl);
  copy->name = decl->name;
  copy->span = decl->span;
  copy->doc = decl->doc;
  copy->symbol = component->symbol;
  copy->component.unnamed = false;
  copy->component.like = decl->component.like;
  return copy;
}

/* The declaration with what it is like copied in; NULL after a diagnostic. The copy is made once. */
static struct decl *effective(struct checker *c, struct model_component *component) {
  if (!component->decl->component.like.name || component->like) return component->decl;
  struct decl *copy = copy_like(c, component);
  if (copy) component->decl = component->symbol->decl = copy;
  return copy;
}

/* ---- flattening ---- */

static void add_indices(struct checker *c, struct model_component *component, struct scope *scope) {
  const struct decl *decl = component->decl;
  uint32_t before = component->outer ? component->outer->index_count : 0;
  component->own_index = before;
  component->index_count = before + decl->component.index_count;
  component->indices = ARENA_ARRAY(c->arena, struct symbol *, component->index_count);
  if (before <= COMPONENT_INDICES && component->index_count > COMPONENT_INDICES)
    check_error(c, decl->component.indices[COMPONENT_INDICES - before].span,
                "a component has at most %d indices, with those of the components around it", COMPONENT_INDICES);
  for (uint32_t i = 0; i < before; i++)
    component->indices[i] = component->outer->indices[i];
  for (uint32_t i = before; i < component->index_count; i++) {
    const struct ident *index = &decl->component.indices[i - before];
    struct symbol *symbol = symbol_new(c, SYMBOL_INDEX, index->name, index->span);
    for (uint32_t k = 0; k < before; k++) {
      if (component->indices[k]->name != index->name) continue;
      check_error(c, index->span, "'%s' is an index of the component around this one already", index->name->text);
      check_note(c, component->indices[k]->span, "declared here");
    }
    symbol->type = c->model->types.integer;
    symbol->slot = i;
    component->indices[i] = symbol;
    bool known;
    map_add(c->arena, &c->index_names, map_key(symbol->name->folded), 1, &known);
    scope_add(c, scope, symbol);
  }
  component->set = decl->component.set;
}

static void build(struct checker *c, struct model_component *component);

static struct symbol *add_var(struct checker *c, struct model_component *component, struct decl *decl) {
  struct symbol *symbol = symbol_new(c, SYMBOL_VAR, decl->name.name, decl->name.span);
  symbol->instance.component = component;
  symbol->slot = component->var_count;
  symbol->decl = decl;
  ARENA_PUSH(c->arena, component->vars, component->var_count, c->components[component->id]->var_capacity, symbol);
  scope_add(c, &c->components[component->id]->scope, symbol);
  return symbol;
}

static void add_local(struct checker *c, struct model_component *component, struct decl *local) {
  struct checked_component *own = c->components[component->id];
  struct symbol *symbol = NULL;
  const struct ident *name = local->kind == DECL_FUNCTION ? &local->function.signature.name : &local->name;
  switch (local->kind) {
  case DECL_PARAM:
    if (local->value.asked) {
      if (!component->asking) component->asking = add_var(c, component, asked_asking(c, local));
      add_var(c, component, asked_known(c, local));
      local->symbol = add_var(c, component, asked_var(c, local));
      return;
    }
    /* fall through */
  case DECL_LET:
    symbol = symbol_new(c, SYMBOL_INSTANCE, name->name, name->span);
    symbol->instance.value = local->value.value;
    symbol->instance.component = component;
    ARENA_PUSH(c->arena, component->instances, component->instance_count, own->instance_capacity, symbol);
    break;
  case DECL_VAR: local->symbol = add_var(c, component, local); return;
  case DECL_FUNCTION:
    symbol = symbol_new(c, SYMBOL_FUNCTION, name->name, name->span);
    symbol->decl = local;
    function_declare(c, symbol, component);
    break;
  case DECL_COMPONENT: {
    if (!local->name.name) {
      check_error(c, local->span, "a component inside another has a name");
      return;
    }
    if (local->component.like.name) {
      check_error(c, local->component.like.span, "a component inside another is not like one");
      return;
    }
    struct model_component *inner = component_new(c, local, component, local->name.name, local->name.span);
    for (uint32_t i = 0; i < component->inner_count; i++) {
      if (component->inner[i]->symbol->name != inner->symbol->name) continue;
      check_error(c, local->name.span, "'%s' is defined twice here", local->name.name->text);
      check_note(c, component->inner[i]->symbol->span, "first defined here");
    }
    ARENA_PUSH(c->arena, component->inner, component->inner_count, own->inner_capacity, inner);
    return;
  }
  default: return;
  }
  symbol->decl = local;
  local->symbol = symbol;
  scope_add(c, &own->scope, symbol);
}

static struct model_accept *add_accept(struct checker *c, struct model_component *component, const struct part *part) {
  struct model *m = c->model;
  struct checked_component *own = c->components[component->id];
  if (component->system) {
    check_error(c, part->span, "a system has requests only");
    return NULL;
  }
  struct model_accept *accept = ARENA_NEW(c->arena, struct model_accept);
  accept->id = m->accept_count;
  accept->component = component;
  accept->syntax = &part->accept;
  accept->place = component->accept_count;
  ARENA_PUSH(c->arena, m->accepts, m->accept_count, c->accept_capacity, accept);
  ARENA_PUSH(c->arena, component->accepts, component->accept_count, own->accept_capacity, accept);
  return accept;
}

static void add_request(struct checker *c, struct model_component *component, struct model_accept *accept,
                        const struct request *syntax, uint32_t *capacity) {
  struct model *m = c->model;
  struct checked_component *own = c->components[component->id];
  struct model_request *request = ARENA_NEW(c->arena, struct model_request);
  request->id = m->request_count;
  request->component = component;
  request->syntax = syntax;
  request->where = syntax->where;
  request->quantifier = syntax->quantifier;
  request->by = syntax->by;
  request->selector = syntax->selector;
  ARENA_PUSH(c->arena, m->requests, m->request_count, c->request_capacity, request);
  ARENA_PUSH(c->arena, component->requests, component->request_count, own->request_capacity, request);
  if (syntax->label.name) {
    request->label = symbol_new(c, SYMBOL_LABEL, syntax->label.name, syntax->label.span);
    request->label->request = request;
    scope_add(c, &own->labels, request->label);
    if (component->system)
      check_error(c, syntax->label.span, "a system has no body that could call '%s'", syntax->label.name->text);
    return;
  }
  if (component->system) return;
  if (!accept) {
    check_error(c, syntax->span, "a request without a label belongs to the accept above it, and there is none");
    check_help(c, (struct span){0, 0}, "give it a label, or put it under an accepts:");
    return;
  }
  request->accept = accept;
  ARENA_PUSH(c->arena, accept->requests, accept->request_count, *capacity, request);
}

static void add_parts(struct checker *c, struct model_component *component) {
  struct model_accept *accept = NULL;
  uint32_t capacity = 0;
  for (struct part *part = component->decl->component.parts; part; part = part->next) {
    switch (part->kind) {
    case PART_ACCEPTS:
      accept = add_accept(c, component, part);
      capacity = 0;
      break;
    case PART_BODY:
      if (component->system)
        check_error(c, part->span, "a system has requests only");
      else if (!accept)
        check_error(c, part->span, "a body belongs to the accept above it, and there is none");
      else if (accept->body) {
        check_error(c, part->span, "this accept has a body already");
        check_note(c, accept->body->span, "it is here");
      } else {
        accept->body = &part->body;
      }
      break;
    case PART_REQUESTS:
      for (uint32_t i = 0; i < part->request_count; i++)
        add_request(c, component, accept, &part->requests[i], &capacity);
      break;
    }
  }
}

static void build(struct checker *c, struct model_component *component) {
  struct checked_component *own = c->components[component->id];
  if (!effective(c, component)) return;
  own->scope.outer = component->outer ? &c->components[component->outer->id]->scope : NULL;
  add_indices(c, component, &own->scope);
  for (struct decl *local = component->decl->component.locals; local; local = local->next)
    add_local(c, component, local);
  add_parts(c, component);
}

void components_build(struct checker *c) {
  for (uint32_t i = 0; i < c->model->component_count; i++)
    build(c, c->model->components[i]);
}

struct symbol *label_find(struct checker *c, const struct model_component *component, const struct name *name) {
  return scope_find(c, &c->components[component->id]->labels, name);
}

/* ---- checks ---- */

struct set_check {
  struct checker *c;
  const struct model_component *component;
};

/* Params and lets of the component may size its set where they are the same for all of the set. */
static void check_set_symbol(void *user, struct symbol *symbol) {
  const struct set_check *check = user;
  if (symbol->kind != SYMBOL_INSTANCE || symbol->instance.component != check->component) return;
  const struct symbol *index = expr_index(symbol->instance.value);
  if (!index || index->slot < check->component->own_index) return;
  check_error(check->c, check->component->set->span, "the index set of '%s' uses '%s', which depends on the index '%s'",
              check->component->symbol->name->text, symbol->name->text, index->name->text);
  check_note(check->c, symbol->span, "declared here");
}

static void check_set(struct checker *c, struct model_component *component) {
  uint32_t slots = 0;
  struct context x = {
      .scope = &c->components[component->id]->scope, .slots = &slots, .component = component, .draws = "an index set"};
  if (!component->set) return;
  const char *what = arena_printf(c->arena, "the index set of '%s'", component->symbol->name->text);
  expr_check_as(c, &x, component->set, c->model->types.boolean, what);
  struct set_check check = {c, component};
  expr_symbols(component->set, check_set_symbol, &check);
}

/* What a system says of its runs. */
static void check_setting(struct checker *c, struct model_component *system, const struct field *setting) {
  uint32_t slots = 0;
  struct context x = {
      .scope = &c->components[system->id]->scope, .slots = &slots, .component = system, .draws = "a warm-up"};
  if (!name_is(setting->name.name->folded, KNOWN_WARM_UP)) {
    check_error(c, setting->name.span, "a system has no '%s'", setting->name.name->text);
    if (!check_habit(c, HABIT_SYSTEM, setting->name.name->text))
      check_help(c, (struct span){0, 0}, "it has a warm-up: warm-up = 10 s;");
  } else {
    system->warm_up = setting->value;
    check_draw(c, &x, setting->value, expr_check_as(c, &x, setting->value, c->model->types.time, "a warm-up"));
  }
}

static void check_var(struct checker *c, struct symbol *var) {
  struct model_component *component = var->instance.component;
  uint32_t slots = 0;
  struct context x = {.scope = &c->components[component->id]->scope,
                      .slots = &slots,
                      .component = component,
                      .draws = "the first value of a var"};
  const struct type *declared = var->decl->value.type ? type_check(c, var->decl->value.type) : NULL;
  const char *what = arena_printf(c->arena, "var '%s'", var->name->text);
  if (var->decl->value.asked) {
    var->type = declared;
    if (declared->kind == TYPE_INT || declared->kind == TYPE_REAL || declared->kind == TYPE_LIST) return;
    check_error(c, var->decl->value.type->span, "what is asked for is a number, a quantity or a list");
    var->type = c->model->types.error;
    return;
  }
  if (declared) {
    const struct type *type = expr_check_as(c, &x, var->decl->value.value, declared, what);
    if (type->kind == TYPE_DISTRIBUTION && declared->kind != TYPE_DISTRIBUTION)
      type = check_draw(c, &x, var->decl->value.value, type);
    var->type = type->kind == TYPE_ERROR ? declared : type;
    return;
  }
  var->type = expr_check(c, &x, var->decl->value.value, NULL);
  if (var->type->kind != TYPE_VOID) return;
  check_error(c, var->decl->value.value->span, "this gives no value");
  var->type = c->model->types.error;
}

static bool asks(const struct model_component *component) {
  bool asked = false;
  for (uint32_t k = 0; k < component->var_count; k++)
    asked |= component->vars[k]->decl->value.asked;
  return asked;
}

void components_check(struct checker *c) {
  struct model *m = c->model;
  for (uint32_t i = 0; i < m->component_count; i++)
    check_set(c, m->components[i]);
  for (uint32_t i = 0; i < m->component_count; i++) {
    struct model_component *component = m->components[i];
    for (uint32_t k = 0; k < component->instance_count; k++)
      symbol_type(c, component->instances[k], component->instances[k]->span);
    for (uint32_t k = 0; k < component->var_count; k++)
      check_var(c, component->vars[k]);
    for (uint32_t k = 0; k < component->decl->component.setting_count; k++)
      check_setting(c, component, &component->decl->component.settings[k]);
  }
  for (uint32_t i = 0; i < m->accept_count; i++)
    accept_profile(c, m->accepts[i]);
  for (uint32_t i = 0; i < m->request_count; i++)
    request_open(c, m->requests[i]);
  for (uint32_t i = 0; i < m->request_count; i++)
    label_defaults_check(c, m->requests[i]);
  for (uint32_t i = 0; i < m->component_count; i++)
    if (asks(m->components[i])) asked_begin(c, m->components[i]);
  for (uint32_t i = 0; i < m->accept_count; i++)
    accept_check(c, m->accepts[i]);
  for (uint32_t i = 0; i < m->component_count; i++)
    stated_time_check(c, m->components[i]);
  for (uint32_t i = 0; i < m->request_count; i++) {
    struct model_request *request = m->requests[i];
    if (request->label)
      label_check(c, request);
    else if (!request->accept)
      system_request_check(c, request);
  }
  for (uint32_t i = 0; i < m->component_count; i++)
    if (asks(m->components[i])) asked_check(c, m->components[i]);
}
