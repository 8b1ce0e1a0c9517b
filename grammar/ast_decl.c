/* Constructors of declarations, components and studies: what the grammar's actions call. */
#include "grammar/parse.h"

#include <string.h>

#define APPEND(p, list, item) ARENA_PUSH((p)->arena, (list).items, (list).count, (list).capacity, item)
#define LINK(list, item)          \
  do {                            \
    if ((list).last)              \
      (list).last->next = (item); \
    else                          \
      (list).first = (item);      \
    (list).last = (item);         \
  } while (0)

/* ---- accepts ---- */

struct pair_list ast_pairs(struct parse *p, struct pair_list list, struct words attribute, struct expr *value) {
  bool known;
  uint32_t before = map_add(p->arena, &list.places, map_key(attribute.name), list.count, &known);
  if (known && parse_fails(p)) {
    diagnostic_add(p->d, SEVERITY_ERROR, attribute.span, "the attribute '%s' is given twice", attribute.name->text);
    diagnostic_note(p->d, list.items[before].attribute.span, "given first here");
  }
  APPEND(p, list, ((struct pair){attribute, value}));
  return list;
}

struct accept *ast_accept(struct parse *p) {
  struct accept *accept = ARENA_NEW(p->arena, struct accept);
  accept->order = arena_copy(p->arena, "", 0);
  return accept;
}

static void note_order(struct parse *p, struct accept *accept, char clause) {
  size_t length = strlen(accept->order);
  accept->order = arena_grow(p->arena, accept->order, length + 1, length + 2);
  accept->order[length] = clause;
}

static void second_clause(struct parse *p, const struct accept *accept, struct span second, struct span first,
                          const char *clause) {
  if (!parse_fails(p)) return;
  diagnostic_add(p->d, SEVERITY_ERROR, second, "a second %s for one accept", clause);
  diagnostic_note(p->d, first, "the first is here");
  if (p->doubled != accept)
    diagnostic_help(p->d, (struct span){0}, "another accept begins with 'accepts:', and has a body of its own");
  p->doubled = accept;
}

struct accept *ast_accept_profile(struct parse *p, struct accept *accept, struct span span, struct pair_list pairs) {
  if (accept->has_profile)
    second_clause(p, accept, span, accept->profile_span, "profile");
  else
    note_order(p, accept, 'p');
  accept->has_profile = true;
  accept->pairs = pairs.items;
  accept->pair_count = pairs.count;
  accept->profile_span = span;
  return accept;
}

struct accept *ast_accept_transaction(struct parse *p, struct accept *accept, struct txn txn) {
  if (accept->has_transaction)
    second_clause(p, accept, txn.span, accept->txn.span, "transaction");
  else
    note_order(p, accept, 't');
  accept->has_transaction = true;
  accept->txn = txn;
  return accept;
}

struct accept *ast_accept_protocol(struct parse *p, struct accept *accept, struct words protocol) {
  if (accept->protocol.name)
    second_clause(p, accept, protocol.span, accept->protocol.span, "protocol");
  else
    note_order(p, accept, 'r');
  accept->protocol = protocol;
  return accept;
}

struct accept *ast_accept_setting(struct parse *p, struct accept *accept, struct words name, struct expr *value) {
  for (uint32_t i = 0; i < accept->setting_count; i++) {
    if (accept->settings[i].name.name == name.name)
      second_clause(p, accept, name.span, accept->settings[i].name.span, name.name->text);
  }
  size_t size = accept->setting_count * sizeof *accept->settings;
  accept->settings = arena_grow(p->arena, accept->settings, size, size + sizeof *accept->settings);
  accept->settings[accept->setting_count++] = (struct setting){name, value};
  note_order(p, accept, 's');
  return accept;
}

struct txn ast_txn(struct parse *p, struct span span, struct qname name, const struct call *call, bool braces) {
  if (call->binder_count) parse_error(p, call->args.span, "a transaction takes no binders");
  return (struct txn){.name = name, .args = call->args, .braces = braces, .span = span};
}

/* ---- requests ---- */

struct request *ast_target(struct parse *p, enum quantifier quantifier, struct span quantifier_span,
                           struct expr *selector, struct span selector_span) {
  struct request *request = ARENA_NEW(p->arena, struct request);
  request->quantifier = quantifier;
  request->quantifier_span = quantifier_span;
  request->selector = selector;
  request->selector_span = selector_span;
  return request;
}

struct request *ast_target_by(struct request *request, struct expr *by) {
  request->by = by;
  return request;
}

struct request *ast_request(struct request *request, struct span span, struct txn txn, struct field_list settings,
                            struct words protocol) {
  request->span = span;
  request->txn = txn;
  request->settings = settings.items;
  request->setting_count = settings.count;
  request->protocol = protocol;
  return request;
}

struct request *ast_request_where(struct request *request, struct span span, struct expr *where) {
  request->span = span;
  request->where = where;
  return request;
}

struct request *ast_request_label(struct request *request, struct span span, struct ident label, bool written,
                                  struct param_list params) {
  request->span = span;
  request->label = label;
  request->label_params = written;
  request->params = params.items;
  request->param_count = params.count;
  return request;
}

struct request_list ast_requests(struct parse *p, struct request_list list, const struct request *request) {
  APPEND(p, list, *request);
  return list;
}

/* ---- parts ---- */

static struct part *part_new(struct parse *p, enum part_kind kind, struct span span) {
  struct part *part = ARENA_NEW(p->arena, struct part);
  part->kind = kind;
  part->span = span;
  return part;
}

struct part *ast_accepts(struct parse *p, struct span span, const struct accept *accept) {
  struct part *part = part_new(p, PART_ACCEPTS, span);
  part->accept = *accept;
  part->accept.span = span;
  return part;
}

struct part *ast_body(struct parse *p, struct span span, struct stmt_list stmts) {
  struct part *part = part_new(p, PART_BODY, span);
  part->body = ast_block(span, stmts);
  return part;
}

struct part *ast_requests_part(struct parse *p, struct span span, struct request_list requests) {
  struct part *part = part_new(p, PART_REQUESTS, span);
  part->requests = requests.items;
  part->request_count = requests.count;
  return part;
}

struct part_list ast_parts(struct part_list list, struct part *part) {
  LINK(list, part);
  return list;
}

/* ---- declarations ---- */

static void add_target(struct parse *p, struct span span, const char **doc, bool flat) {
  struct doc_target target = {span, doc, flat};
  ARENA_PUSH(p->arena, p->targets, p->target_count, p->target_capacity, target);
}

static bool is_flat(enum decl_kind kind) {
  switch (kind) {
  case DECL_USE:
  case DECL_PARAM:
  case DECL_LET:
  case DECL_VAR:
  case DECL_FUNCTION:
  case DECL_UNIT:
  case DECL_TRANSACTION:
  case DECL_ASSERT: return true;
  case DECL_FIT:
  case DECL_DOMAIN:
  case DECL_PROTOCOL:
  case DECL_COMPONENT:
  case DECL_SYSTEM:
  case DECL_COERCION:
  case DECL_EXTERN:
  case DECL_STUDY:
  case DECL_KINDS: break;
  }
  return false;
}

static struct decl *decl_new(struct parse *p, enum decl_kind kind, struct span span, struct ident name) {
  struct decl *decl = ARENA_NEW(p->arena, struct decl);
  decl->kind = kind;
  decl->span = span;
  decl->name = name;
  add_target(p, span, &decl->doc, is_flat(kind));
  return decl;
}

struct param_list ast_add_param(struct parse *p, struct param_list list, struct param param) {
  for (uint32_t i = 0; i < list.count; i++) {
    if (list.items[i].name.name != param.name.name || !parse_fails(p)) continue;
    diagnostic_add(p->d, SEVERITY_ERROR, param.name.span, "a second parameter '%s'", param.name.name->text);
    diagnostic_note(p->d, list.items[i].name.span, "the first is here");
  }
  APPEND(p, list, param);
  return list;
}

struct param_list ast_params(struct parse *p, struct param_list list, struct ident name, bool every,
                             struct type_expr *type, struct expr *value) {
  return ast_add_param(p, list, (struct param){.name = name, .every = every, .type = type, .value = value});
}

struct param ast_foreign_param(struct ident name, enum passing passing, struct type_expr *type, struct expr *value) {
  return (struct param){.name = name, .passing = passing, .type = type, .value = value};
}

struct param ast_given(struct ident name, bool every, struct type_expr *type, struct expr *value, struct expr *range) {
  return (struct param){.name = name, .every = every, .type = type, .value = value, .range = range};
}

struct param ast_given_condition(struct ident name, struct type_expr *type, struct type_expr *gives,
                                 struct expr *value) {
  return (struct param){.name = name, .type = type, .gives = gives, .value = value};
}

struct signature ast_signature(struct span span, struct ident name, struct param_list params,
                               struct type_expr *result) {
  return (struct signature){
      .name = name, .params = params.items, .param_count = params.count, .result = result, .span = span};
}

struct signature_list ast_signatures(struct parse *p, struct signature_list list, struct signature item,
                                     const struct expr *entry) {
  if (entry) {
    item.entry = entry->string;
    item.entry_span = entry->span;
  }
  APPEND(p, list, item);
  return list;
}

struct attribute_list ast_attributes(struct parse *p, struct attribute_list list, struct span span, struct words name,
                                     struct type_expr *type, struct expr *value, struct expr *range) {
  struct attribute attribute = {.name = name, .type = type, .value = value, .range = range, .span = span};
  APPEND(p, list, attribute);
  return list;
}

struct decl *ast_use(struct parse *p, struct span span, struct ident name, const struct expr *path,
                     struct decl *presets) {
  struct decl *decl = decl_new(p, DECL_USE, span, name);
  decl->use.presets = presets;
  if (path) {
    decl->use.path = path->string;
    decl->use.path_span = path->span;
  }
  return decl;
}

struct decl *ast_use_database(struct parse *p, struct span span, struct ident name) {
  struct decl *decl = decl_new(p, DECL_USE, span, name);
  decl->use.database = true;
  if (strcmp(name.name->text, "database")) parse_error(p, name.span, "a model is completed by: use from database;");
  return decl;
}

struct decl *ast_value(struct parse *p, enum decl_kind kind, struct span span, struct ident name,
                       struct type_expr *type, struct expr *value, struct expr *range) {
  struct decl *decl = decl_new(p, kind, span, name);
  decl->value.type = type;
  decl->value.value = value;
  decl->value.range = range;
  return decl;
}

struct decl *ast_function(struct parse *p, struct span span, struct signature signature, struct expr *value) {
  struct decl *decl = decl_new(p, DECL_FUNCTION, span, signature.name);
  decl->function.signature = signature;
  decl->function.value = value;
  return decl;
}

struct fit *ast_fit_terms(struct parse *p, struct fit *fit, struct span span, struct field_list terms) {
  if (fit->term_count && parse_fails(p)) {
    diagnostic_add(p->d, SEVERITY_ERROR, span, "the terms are given twice");
    diagnostic_note(p->d, fit->terms_span, "given first here");
  }
  fit->terms = terms.items;
  fit->term_count = terms.count;
  fit->terms_span = span;
  return fit;
}

struct fit *ast_fit_where(struct parse *p, struct fit *fit, struct span span, struct expr *where) {
  if (fit->where && parse_fails(p)) {
    diagnostic_add(p->d, SEVERITY_ERROR, span, "a second condition for one fit");
    diagnostic_note(p->d, fit->where->span, "the first is here");
    diagnostic_help(p->d, (struct span){0}, "join them by 'and'");
  }
  fit->where = where;
  return fit;
}

struct fit *ast_fit_row(struct parse *p, struct fit *fit, struct span span, struct expr_list at,
                        struct expr_list values) {
  struct fit_row row = {at.items, values.items, at.count, values.count, span};
  ARENA_PUSH(p->arena, fit->rows, fit->row_count, fit->row_capacity, row);
  return fit;
}

struct fit *ast_fit_setting(struct parse *p, struct fit *fit, struct field setting) {
  for (uint32_t i = 0; i < fit->setting_count; i++) {
    if (fit->settings[i].name.name != setting.name.name || !parse_fails(p)) continue;
    diagnostic_add(p->d, SEVERITY_ERROR, setting.name.span, "'%s' is given twice", setting.name.name->text);
    diagnostic_note(p->d, fit->settings[i].name.span, "given first here");
  }
  ARENA_PUSH(p->arena, fit->settings, fit->setting_count, fit->setting_capacity, setting);
  return fit;
}

struct decl *ast_fit(struct parse *p, struct span span, struct signature signature, const struct expr *path,
                     struct fit *fit) {
  struct decl *decl = decl_new(p, DECL_FIT, span, signature.name);
  decl->function.signature = signature;
  decl->function.fit = fit;
  fit->path = path ? path->string : NULL;
  if (path) fit->path_span = path->span;
  return decl;
}

struct decl *ast_domain(struct parse *p, struct span span, struct ident name, struct attribute_list attributes) {
  for (uint32_t i = 0; i < attributes.count; i++)
    add_target(p, attributes.items[i].span, &attributes.items[i].doc, true);
  struct decl *decl = decl_new(p, DECL_DOMAIN, span, name);
  decl->domain.attributes = attributes.items;
  decl->domain.count = attributes.count;
  return decl;
}

struct decl *ast_transaction(struct parse *p, struct span span, struct signature signature) {
  struct decl *decl = decl_new(p, DECL_TRANSACTION, span, signature.name);
  decl->transaction = signature;
  return decl;
}

/* ---- protocols ---- */

struct protocol_steps ast_protocol_steps(struct protocol_steps list, struct protocol_step *step) {
  if (list.last)
    list.last->next = step;
  else
    list.first = step;
  list.last = step;
  if (step->depth >= list.depth) list.depth = step->depth + 1;
  return list;
}

struct protocol_step *ast_protocol_step(struct parse *p, struct ident name, struct span span,
                                        enum protocol_step_kind kind) {
  struct protocol_step *step = ARENA_NEW(p->arena, struct protocol_step);
  step->kind = kind;
  step->name = name.name ? name : (struct ident){.span = span};
  return step;
}

struct protocol_step *ast_protocol_interaction(struct protocol_step *step, struct span span, bool back) {
  step->span = span;
  step->back = back;
  return step;
}

struct protocol_step *ast_protocol_group(struct parse *p, enum protocol_step_kind kind, struct span span,
                                         struct protocol_steps steps) {
  struct protocol_step *step = ast_protocol_step(p, (struct ident){0}, span, kind);
  step->span = span;
  step->steps = steps.first;
  step->depth = steps.depth;
  if (step->depth < NESTING_LIMIT) return step;
  ast_too_deep(p, span, "steps are");
  step->steps = NULL;
  step->depth = 0;
  return step;
}

struct decl *ast_protocol(struct parse *p, struct span span, struct ident name, struct protocol_steps steps) {
  struct decl *decl = decl_new(p, DECL_PROTOCOL, span, name);
  decl->steps = steps.first;
  return decl;
}

static void set_inside(struct parse *p, struct decl *decl, struct decl_list locals, struct part_list parts) {
  decl->component.locals = locals.first;
  decl->component.parts = parts.first;
  for (const struct decl *local = locals.first; local; local = local->next) {
    if (local->kind == DECL_COMPONENT && local->component.depth >= decl->component.depth)
      decl->component.depth = local->component.depth + 1;
  }
  if (decl->component.depth < NESTING_LIMIT) return;
  ast_too_deep(p, decl->span, "components are");
  decl->component.locals = NULL;
  decl->component.depth = 0;
}

struct decl *ast_component(struct parse *p, struct span span, struct ident name, struct ident_list indices,
                           struct expr *set, struct decl_list locals, struct part_list parts) {
  struct decl *decl = decl_new(p, DECL_COMPONENT, span, name);
  decl->component.indices = indices.items;
  decl->component.index_count = indices.count;
  decl->component.set = set;
  set_inside(p, decl, locals, parts);
  return decl;
}

struct decl *ast_system(struct parse *p, struct span span, struct ident name, struct decl_list locals,
                        struct field_list settings, struct part_list parts) {
  struct decl *decl = decl_new(p, DECL_SYSTEM, span, name);
  decl->component.settings = settings.items;
  decl->component.setting_count = settings.count;
  set_inside(p, decl, locals, parts);
  return decl;
}

struct decl *ast_changes(struct parse *p) {
  struct decl *changes = ARENA_NEW(p->arena, struct decl);
  changes->kind = DECL_COMPONENT;
  changes->component.changed = ast_accept(p);
  return changes;
}

struct decl *ast_like(struct parse *p, struct span span, struct ident name, struct ident_list indices, struct expr *set,
                      struct ident other, struct decl *changes, struct part_list parts) {
  changes->span = span;
  changes->name = name;
  changes->component.indices = indices.items;
  changes->component.index_count = indices.count;
  changes->component.set = set;
  changes->component.like = other;
  changes->component.parts = parts.first;
  add_target(p, span, &changes->doc, false);
  return changes;
}

struct decl *ast_change_local(struct decl *changes, struct decl *local) {
  struct decl **end = &changes->component.locals;
  while (*end)
    end = &(*end)->next;
  *end = local;
  return changes;
}

struct decl *ast_change_param(struct parse *p, struct decl *changes, struct span span, struct ident name,
                              struct expr *value) {
  return ast_change_local(changes, ast_value(p, DECL_PARAM, span, name, NULL, value, NULL));
}

struct decl *ast_asked(struct decl *param) {
  param->value.asked = true;
  return param;
}

struct decl *ast_change_asked(struct parse *p, struct decl *changes, struct span span, struct ident name,
                              struct expr *value) {
  return ast_change_local(changes, ast_asked(ast_value(p, DECL_PARAM, span, name, NULL, value, NULL)));
}

struct decl *ast_change_setting(struct parse *p, struct decl *changes, struct words name, struct expr *value) {
  ast_accept_setting(p, changes->component.changed, name, value);
  return changes;
}

struct decl *ast_change_profile(struct parse *p, struct decl *changes, struct words attribute, struct expr *value) {
  struct pair_list list = {changes->component.replaced, changes->component.replaced_count,
                           changes->component.replaced_capacity, changes->component.replaced_places};
  list = ast_pairs(p, list, attribute, value);
  changes->component.replaced = list.items;
  changes->component.replaced_count = list.count;
  changes->component.replaced_capacity = list.capacity;
  changes->component.replaced_places = list.places;
  return changes;
}

struct decl *ast_coercion(struct parse *p, struct span span, struct type_expr *from, struct type_expr *to) {
  struct decl *decl = decl_new(p, DECL_COERCION, span, (struct ident){0});
  decl->coercion.from = from;
  decl->coercion.to = to;
  return decl;
}

struct decl *ast_coercion_domains(struct decl *coercion, struct expr *domain, struct expr *to_domain) {
  coercion->coercion.domain = domain;
  coercion->coercion.to_domain = to_domain;
  return coercion;
}

struct decl *ast_coercion_cost(struct decl *coercion, struct expr *cost, bool lossy) {
  coercion->coercion.cost = cost;
  coercion->coercion.lossy = lossy;
  return coercion;
}

struct decl *ast_coercion_value(struct decl *coercion, struct span span, struct expr *value) {
  coercion->span = span;
  coercion->coercion.value = value;
  return coercion;
}

struct decl *ast_coercion_block(struct decl *coercion, struct span span, struct block body) {
  coercion->span = span;
  coercion->coercion.has_block = true;
  coercion->coercion.body = body;
  return coercion;
}

struct decl *ast_extern(struct parse *p, struct span span, const struct expr *library,
                        struct signature_list functions) {
  struct decl *decl = decl_new(p, DECL_EXTERN, span, (struct ident){0});
  decl->foreign.library = library->string;
  decl->foreign.library_span = library->span;
  decl->foreign.functions = functions.items;
  decl->foreign.count = functions.count;
  return decl;
}

struct decl *ast_study(struct parse *p, struct span span, struct ident name, struct qname of, struct item_list items) {
  struct decl *decl = decl_new(p, DECL_STUDY, span, name);
  decl->study.of = of;
  decl->study.items = items.first;
  return decl;
}

struct decl *ast_assert(struct parse *p, struct span span, struct expr *assertion) {
  struct decl *decl = decl_new(p, DECL_ASSERT, span, (struct ident){0});
  decl->assertion = assertion;
  return decl;
}

struct decl_list ast_decls(struct decl_list list, struct decl *decl) {
  LINK(list, decl);
  return list;
}

void ast_file(struct parse *p, struct decl_list decls, struct part_list parts) {
  if (parts.first) {
    const char *name = p->source->name;
    struct span span = {parts.first->span.begin, parts.last->span.end};
    struct ident ident = {name_intern(p->names, name, strlen(name)), {span.begin, span.begin}};
    struct decl *decl = decl_new(p, DECL_COMPONENT, span, ident);
    decl->component.unnamed = true;
    decl->component.parts = parts.first;
    LINK(decls, decl);
  }
  p->file->decls = decls.first;
}

void ast_expression(struct parse *p, struct expr *expr, struct expr *unit) {
  p->expression = expr;
  p->unit = unit;
}

void ast_values(struct parse *p, struct span span, struct expr_list items, struct step step) {
  p->expression = ast_list(p, span, items);
  p->step = step;
}

/* ---- studies ---- */

static struct study_item *item_new(struct parse *p, enum study_item_kind kind, struct span span) {
  struct study_item *item = ARENA_NEW(p->arena, struct study_item);
  item->kind = kind;
  item->span = span;
  return item;
}

struct vary_list ast_varies(struct parse *p, struct vary_list list, struct vary item) {
  APPEND(p, list, item);
  return list;
}

struct words_list ast_options(struct parse *p, struct words_list list, struct words item) {
  APPEND(p, list, item);
  return list;
}

struct study_item *ast_vary(struct parse *p, struct span span, enum study_role role, struct vary_list varies) {
  struct study_item *item = item_new(p, STUDY_VARY, span);
  item->role = role;
  item->varies = varies.items;
  item->vary_count = varies.count;
  return item;
}

struct study_item *ast_condition(struct parse *p, enum study_item_kind kind, struct span span, struct expr *condition) {
  struct study_item *item = item_new(p, kind, span);
  item->condition = condition;
  return item;
}

struct study_item *ast_report(struct parse *p, enum study_item_kind kind, struct span span, struct field_list fields,
                              struct expr *condition) {
  struct study_item *item = item_new(p, kind, span);
  item->fields = fields.items;
  item->field_count = fields.count;
  item->condition = condition;
  return item;
}

struct study_item *ast_objective(struct parse *p, enum study_item_kind kind, struct span span, struct field column,
                                 struct expr_list groups, struct expr *condition) {
  struct study_item *item = ast_report(p, kind, span, ast_fields(p, (struct field_list){0}, column), condition);
  item->groups = groups.items;
  item->group_count = groups.count;
  return item;
}

struct study_item *ast_plot(struct parse *p, struct span span, struct expr_list series, struct expr *against,
                            struct expr *by, struct words_list options) {
  struct study_item *item = item_new(p, STUDY_PLOT, span);
  item->series = series.items;
  item->series_count = series.count;
  item->against = against;
  item->by = by;
  item->options = options.items;
  item->option_count = options.count;
  return item;
}

struct item_list ast_items(struct item_list list, struct study_item *item) {
  LINK(list, item);
  return list;
}
