/* Which name stands where: a walk over the checked trees that notes each name with what it means.  Definitions,
 * references, renaming and the colours of an editor all stand on it.  A component that is like another is walked in the
 * copy that was checked, of which only what stands in its own declaration counts. */
#include "grammar/children.h"
#include "interp/check/checker.h"
#include "interp/check/editing.h"
#include "interp/check/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct walk {
  struct checker *c;
  struct arena *arena;
  struct named *items;
  uint32_t count, capacity;
  struct span within; /* what stands elsewhere is another's */
  bool study;         /* names of results are no declarations */
};

static void put(struct walk *w, struct named named) {
  if (named.span.begin < w->within.begin || named.span.end > w->within.end || named.span.end <= named.span.begin)
    return;
  if (named.name) ARENA_PUSH(w->arena, w->items, w->count, w->capacity, named);
}

enum psl_name_kind symbol_kind_name(const struct symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_PARAM: return PSL_NAME_PARAM;
  case SYMBOL_LET: return PSL_NAME_LET;
  case SYMBOL_INSTANCE: return symbol->decl && symbol->decl->kind == DECL_PARAM ? PSL_NAME_PARAM : PSL_NAME_LET;
  case SYMBOL_FUNCTION:
  case SYMBOL_BUILTIN:
  case SYMBOL_EVALUATOR_FUNCTION:
  case SYMBOL_FOREIGN: return PSL_NAME_FUNCTION;
  case SYMBOL_EVALUATOR: return PSL_NAME_EVALUATOR;
  case SYMBOL_FILE: return PSL_NAME_FILE;
  case SYMBOL_UNIT: return PSL_NAME_UNIT;
  case SYMBOL_DOMAIN: return PSL_NAME_DOMAIN;
  case SYMBOL_TRANSACTION: return PSL_NAME_TRANSACTION;
  case SYMBOL_PROTOCOL: return PSL_NAME_PROTOCOL;
  case SYMBOL_COMPONENT: return symbol->component->system ? PSL_NAME_SYSTEM : PSL_NAME_COMPONENT;
  case SYMBOL_STUDY: return PSL_NAME_STUDY;
  case SYMBOL_INDEX: return PSL_NAME_INDEX;
  case SYMBOL_VAR: return PSL_NAME_VAR;
  case SYMBOL_LOCAL: return PSL_NAME_LOCAL;
  case SYMBOL_LABEL: return PSL_NAME_REQUEST;
  case SYMBOL_ATTRIBUTE: return PSL_NAME_ATTRIBUTE;
  case SYMBOL_COERCION:
  case SYMBOL_CLOCK:
  case SYMBOL_VALUE:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: return PSL_NAME_WORD;
  }
  return PSL_NAME_WORD;
}

/* A name of no symbol: where it is declared is not known. */
static void put_kind(struct walk *w, struct ident name, enum psl_name_kind kind) {
  put(w, (struct named){.span = name.span, .name = name.name, .kind = kind});
}

/* Where the attribute is declared, in the same file if it is there; else where a profile has it first. */
static struct span attribute_declared(const struct walk *w, const struct name *folded, struct span used) {
  const struct model *m = w->c->model;
  const struct attribute_use *use = attribute_find(w->c, folded);
  const struct source *own = source_of(m->sources, used.begin);
  struct span found = {0, 0};
  for (uint32_t i = 0; i < m->domain_count; i++)
    for (uint32_t a = 0; a < m->domains[i]->count; a++) {
      const struct model_attribute *attribute = &m->domains[i]->attributes[a];
      if (attribute->name->folded != folded) continue;
      if (!found.end || source_of(m->sources, attribute->span.begin) == own) found = attribute->span;
    }
  return found.end || !use ? found : use->span;
}

static void put_attribute(struct walk *w, const struct name *name, struct span span) {
  if (!name) return;
  put(w, (struct named){.span = span,
                        .name = name->folded,
                        .kind = PSL_NAME_ATTRIBUTE,
                        .declared = attribute_declared(w, name->folded, span)});
}

static void put_symbol(struct walk *w, struct ident name, struct symbol *symbol) {
  if (!symbol || !name.name) return;
  if (symbol->kind == SYMBOL_ATTRIBUTE) {
    put_attribute(w, name.name, name.span);
    return;
  }
  bool own = symbol->span.begin == name.span.begin;
  if (symbol->kind == SYMBOL_LOCAL && own && w->study) {
    put_kind(w, name, PSL_NAME_RECORD);
    return;
  }
  put(w, (struct named){.span = name.span,
                        .name = name.name,
                        .kind = symbol_kind_name(symbol),
                        .symbol = symbol,
                        .declared = symbol->span});
}

/* The symbol of a name that is looked up again, since the tree keeps none: of those that the using file reaches the
 * first. */
static struct symbol *find(const struct walk *w, enum space space, const struct ident *name) {
  struct symbol *first = name->name ? table_first(w->c, space, name->name) : NULL;
  const struct source *file = source_of(w->c->model->sources, name->span.begin);
  for (struct symbol *s = first; s && file; s = s->next)
    if (s->file && file_reaches(w->c, file, s->file)) return s;
  return first;
}

static void put_found(struct walk *w, enum space space, struct ident name) {
  put_symbol(w, name, find(w, space, &name));
}

/* ---- units and types ---- */

/* Each word of `us/byte`, as it stands in the text. */
static void walk_unit(struct walk *w, struct span span) {
  const struct source *source = source_of(w->c->model->sources, span.begin);
  if (!source || span.end > source->base + source->size) return;
  const char *text = source->text - source->base;
  for (uint32_t at = span.begin; at < span.end;) {
    uint32_t end = at;
    while (end < span.end &&
           (isalpha((unsigned char)text[end]) || text[end] == '_' || (unsigned char)text[end] >= 0x80))
      end++;
    struct ident name = {name_intern(w->c->model->names, text + at, end - at), {at, end}};
    struct symbol *unit = end > at ? find(w, SPACE_UNIT, &name) : NULL;
    if (unit)
      put_symbol(w, name, unit);
    else if (end > at && is_unit(w->c, name.name))
      put_kind(w, name, PSL_NAME_UNIT); /* s, byte */
    at = end > at ? end : at + 1;
  }
}

static void walk_type(struct walk *w, const struct type_expr *type) {
  for (uint32_t i = 0; type && i < type->count; i++) {
    const struct type_atom *atom = &type->atoms[i];
    walk_type(w, atom->element);
    if (!atom->name) continue;
    struct ident name = {atom->name, {atom->span.end - (uint32_t)atom->name->length, atom->span.end}};
    if (atom->of) {
      put_attribute(w, atom->name, name.span);
      continue;
    }
    name.span = (struct span){atom->span.begin, atom->span.begin + (uint32_t)atom->name->length};
    struct symbol *unit = find(w, SPACE_UNIT, &name);
    if (unit)
      put_symbol(w, name, unit);
    else
      put_kind(w, name, PSL_NAME_TYPE);
  }
}

/* ---- expressions ---- */

static void walk_expr(struct walk *w, const struct expr *e);

static struct ident ident_of(const struct expr *name) { return (struct ident){name->name.name, name->span}; }

/* A term is the same in any case of its letters. */
static void put_term(struct walk *w, const struct expr *e) {
  put_kind(w, (struct ident){e->name.name->folded, e->span}, PSL_NAME_TERM);
}

/* A term, or the domain where that is what stands there. */
static void walk_word(struct walk *w, const struct expr *e, bool domain) {
  if (e->kind == EXPR_NAME) {
    struct symbol *found = domain ? table_first(w->c, SPACE_DOMAIN, e->name.name->folded) : e->name.symbol;
    if (found)
      put_symbol(w, ident_of(e), found);
    else
      put_term(w, e);
    return;
  }
  if (e->kind != EXPR_INDEX || e->index.base->kind != EXPR_NAME) {
    walk_expr(w, e);
    return;
  }
  walk_word(w, e->index.base, domain);
  for (uint32_t i = 0; i < e->index.count; i++)
    walk_word(w, e->index.subscripts[i], false);
}

static void walk_exprs(struct walk *w, struct expr *const *items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i]) walk_expr(w, items[i]);
}

static void walk_binders(struct walk *w, const struct binder *binders, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    put_symbol(w, binders[i].name, binders[i].symbol);
    walk_expr(w, binders[i].range);
  }
}

/* NAME = VALUE in parentheses: a parameter of what is called. */
static struct symbol *named_parameter(const struct symbol *callee, const struct name *name) {
  if (!callee || callee->kind != SYMBOL_FUNCTION) return NULL;
  const struct model_function *function = callee->function;
  for (uint32_t i = 0; function->params && i < function->param_count; i++)
    if (function->params[i]->name == name) return function->params[i];
  return NULL;
}

static struct symbol *label_parameter(const struct symbol *label, const struct name *name) {
  if (!label || label->kind != SYMBOL_LABEL || !label->request) return NULL;
  for (uint32_t i = 0; label->request->params && i < label->request->param_count; i++)
    if (label->request->params[i]->name == name) return label->request->params[i];
  return NULL;
}

/* Where a transaction declares the parameter; none: it does not. */
static struct span transaction_parameter(const struct symbol *callee, const struct name *name) {
  if (!callee || callee->kind != SYMBOL_TRANSACTION) return (struct span){0, 0};
  const struct model_transaction *transaction = callee->transaction;
  for (uint32_t i = 0; i < transaction->param_count; i++)
    if (transaction->params[i].name == name) return transaction->params[i].span;
  return (struct span){0, 0};
}

static void walk_args(struct walk *w, const struct args *args, const struct symbol *callee) {
  walk_exprs(w, args->values, args->value_count);
  for (uint32_t i = 0; i < args->field_count; i++) {
    const struct field *field = &args->fields[i];
    struct symbol *parameter = named_parameter(callee, field->name.name);
    if (!parameter) parameter = label_parameter(callee, field->name.name);
    if (parameter)
      put_symbol(w, field->name, parameter);
    else
      put(w, (struct named){.span = field->name.span,
                            .name = field->name.name,
                            .kind = PSL_NAME_FIELD,
                            .declared = transaction_parameter(callee, field->name.name)});
    if (field->value) walk_expr(w, field->value);
  }
}

static void walk_qualifier(struct walk *w, const struct expr *base) {
  if (base->kind != EXPR_NAME) {
    walk_expr(w, base);
    return;
  }
  struct ident name = ident_of(base);
  struct symbol *symbol = base->name.symbol;
  if (!symbol) symbol = find(w, SPACE_COMPONENT, &name);
  if (!symbol) symbol = find(w, SPACE_QUALIFIER, &name);
  put_symbol(w, name, symbol);
}

static void walk_member(struct walk *w, const struct expr *e, struct symbol *symbol) {
  walk_qualifier(w, e->member.base);
  if (symbol && symbol->kind != SYMBOL_LOCAL)
    put_symbol(w, e->member.member, symbol);
  else
    put_kind(w, e->member.member, w->study ? PSL_NAME_RECORD : PSL_NAME_FIELD);
}

static void walk_call(struct walk *w, const struct expr *e, struct symbol *callee) {
  const struct expr *name = e->call->callee;
  struct symbol *symbol = e->call->carried ? e->call->carried : callee ? callee : e->call->symbol;
  if (name->kind == EXPR_MEMBER)
    walk_member(w, name, symbol ? symbol : name->member.symbol);
  else if (name->kind != EXPR_NAME)
    walk_expr(w, name);
  else if (symbol && symbol->kind != SYMBOL_LOCAL)
    put_symbol(w, ident_of(name), symbol);
  else if (builtin_find(name->name.name->text))
    put_kind(w, ident_of(name), PSL_NAME_FUNCTION);
  walk_binders(w, e->call->binders, e->call->binder_count);
  walk_args(w, &e->call->args, symbol);
}

static bool is_domain(const struct name *attribute) { return name_is(attribute->folded, KNOWN_DOMAIN); }

static void walk_name(struct walk *w, const struct expr *e) {
  if (e->name.symbol)
    put_symbol(w, ident_of(e), e->name.symbol);
  else if (e->type && e->type->kind == TYPE_TERM)
    put_term(w, e);
}

static void walk_below(struct walk *w, const struct expr *e) {
  for (struct children c = expr_children(e); children_next(&c);) {
    if (c.binder)
      put_symbol(w, c.binder->name, c.binder->symbol);
    else if (c.name && e->kind == EXPR_RECORD)
      put_kind(w, *c.name, PSL_NAME_FIELD);
    if (c.expr) walk_expr(w, *c.expr);
  }
}

static void walk_expr(struct walk *w, const struct expr *e) {
  switch (e->kind) {
  case EXPR_NAME: walk_name(w, e); return;
  case EXPR_QUANTITY: walk_unit(w, e->quantity.unit_span); return;
  case EXPR_CALL: walk_call(w, e, NULL); return;
  case EXPR_MEMBER: walk_member(w, e, e->member.symbol); return;
  case EXPR_INDEX:
    if (e->index.term)
      walk_word(w, e, false);
    else
      walk_below(w, e);
    return;
  case EXPR_CLAUSE:
    put_attribute(w, e->clause.attribute, e->clause.attribute_span);
    walk_word(w, e->clause.value, is_domain(e->clause.attribute));
    return;
  case EXPR_INTEGER:
  case EXPR_REAL:
  case EXPR_STRING:
  case EXPR_BOOLEAN:
  case EXPR_NA: return;
  case EXPR_UNARY:
  case EXPR_BINARY:
  case EXPR_COMPARE:
  case EXPR_IF:
  case EXPR_RANGE:
  case EXPR_LIST:
  case EXPR_EACH:
  case EXPR_RECORD: walk_below(w, e); return;
  case EXPR_KINDS: return;
  }
}

static void walk_optional(struct walk *w, const struct expr *e) {
  if (e) walk_expr(w, e);
}

/* ---- statements ---- */

static void walk_block(struct walk *w, const struct block *block);

static void walk_assign(struct walk *w, const struct stmt *s) {
  if (s->kind == STMT_LET) {
    put_symbol(w, s->assign.name, s->assign.symbol);
    walk_type(w, s->assign.type);
  }
  uint32_t before = w->count;
  walk_optional(w, s->assign.target);
  if (w->count > before) w->items[before].assigned = true;
  const struct expr *value = s->assign.value;
  if (value && s->assign.is_call && value->kind == EXPR_CALL)
    walk_call(w, value, s->assign.callee);
  else
    walk_optional(w, value);
}

static void walk_stmt(struct walk *w, const struct stmt *s) {
  if (s->made) return;
  switch (s->kind) {
  case STMT_LET:
  case STMT_ASSIGN:
  case STMT_CALL:
  case STMT_RETURN: walk_assign(w, s); return;
  case STMT_RECORD: put_kind(w, s->record.name, PSL_NAME_RECORD); break;
  case STMT_PROFILE: put_attribute(w, s->record.name.name, s->record.name.span); break;
  case STMT_FOR: put_symbol(w, s->each.name, s->each.symbol); break;
  case STMT_HOLD:
  case STMT_ASSERT:
  case STMT_IF:
  case STMT_ONE_OF:
  case STMT_FIRST_OF:
  case STMT_WHILE:
  case STMT_KINDS: break;
  }
  for (struct children c = stmt_children(s); children_next(&c);) {
    if (c.expr) walk_expr(w, *c.expr);
    if (c.block) walk_block(w, c.block);
  }
}

static void walk_block(struct walk *w, const struct block *block) {
  for (const struct stmt *s = block->first; s; s = s->next)
    walk_stmt(w, s);
}

/* ---- components ---- */

static void walk_fields(struct walk *w, const struct field *fields, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    walk_optional(w, fields[i].value);
}

static void walk_pair(struct walk *w, const struct pair *pair) {
  put_attribute(w, pair->attribute.name, pair->attribute.span);
  if (pair->value) walk_word(w, pair->value, pair->attribute.name && is_domain(pair->attribute.name));
}

static void walk_transaction(struct walk *w, const struct txn *txn) {
  if (!txn->name.count) return;
  const struct ident *last = &txn->name.parts[txn->name.count - 1];
  if (txn->name.count > 1) put_found(w, SPACE_QUALIFIER, txn->name.parts[0]);
  put_found(w, SPACE_TRANSACTION, *last);
  walk_args(w, &txn->args, find(w, SPACE_TRANSACTION, last));
}

/* The built-in ones are words, which editors know. */
static void walk_protocol(struct walk *w, const struct words *protocol) {
  struct ident name = {protocol->name ? protocol->name->folded : NULL, protocol->span};
  const struct symbol *found = name.name ? find(w, SPACE_PROTOCOL, &name) : NULL;
  if (found && !model_in_library(w->c->model, found->file)) put_found(w, SPACE_PROTOCOL, name);
}

static void walk_accept(struct walk *w, const struct accept *accept) {
  for (uint32_t i = 0; i < accept->pair_count; i++)
    walk_pair(w, &accept->pairs[i]);
  if (accept->has_transaction) walk_transaction(w, &accept->txn);
  walk_protocol(w, &accept->protocol);
  for (uint32_t i = 0; i < accept->setting_count; i++)
    walk_optional(w, accept->settings[i].value);
}

static void walk_request(struct walk *w, const struct model_component *component, const struct request *request) {
  struct symbol *label = component && request->label.name ? label_find(w->c, component, request->label.name) : NULL;
  put_symbol(w, request->label, label);
  for (uint32_t i = 0; i < request->param_count; i++) {
    struct symbol *parameter = label_parameter(label, request->params[i].name.name);
    put_symbol(w, request->params[i].name, parameter);
    walk_optional(w, request->params[i].value);
  }
  walk_optional(w, request->where);
  walk_optional(w, request->by);
  walk_optional(w, request->selector);
  walk_transaction(w, &request->txn);
  walk_fields(w, request->settings, request->setting_count);
  walk_protocol(w, &request->protocol);
}

static void walk_part(struct walk *w, const struct model_component *component, const struct part *part) {
  switch (part->kind) {
  case PART_ACCEPTS: walk_accept(w, &part->accept); break;
  case PART_BODY: walk_block(w, &part->body); break;
  case PART_REQUESTS:
    for (uint32_t i = 0; i < part->request_count; i++)
      walk_request(w, component, &part->requests[i]);
    break;
  }
}

static void walk_function(struct walk *w, const struct decl *decl) {
  const struct signature *signature = &decl->function.signature;
  put_symbol(w, signature->name, decl->symbol);
  for (uint32_t i = 0; i < signature->param_count; i++) {
    const struct param *param = &signature->params[i];
    put_symbol(w, param->name, named_parameter(decl->symbol, param->name.name));
    walk_type(w, param->type);
    walk_optional(w, param->value);
  }
  walk_type(w, signature->result);
  if (decl->kind == DECL_FUNCTION) walk_optional(w, decl->function.value);
  for (uint32_t i = 0; decl->kind == DECL_FIT && i < decl->function.fit->term_count; i++)
    put_found(w, SPACE_VALUE, decl->function.fit->terms[i].name);
}

static void walk_value(struct walk *w, const struct decl *decl) {
  put_symbol(w, decl->name, decl->symbol);
  walk_type(w, decl->value.type);
  walk_optional(w, decl->value.value);
  walk_optional(w, decl->value.range);
}

static void walk_component(struct walk *w, const struct decl *decl);

static void walk_local(struct walk *w, const struct decl *local) {
  if (local->kind == DECL_COMPONENT)
    walk_component(w, local);
  else if (local->kind == DECL_FUNCTION)
    walk_function(w, local);
  else
    walk_value(w, local);
}

/* Params that `like` gives other values: those of the component that it is like. */
static void walk_replaced(struct walk *w, const struct decl *decl, const struct model_component *component) {
  const struct decl *checked = component && component->like ? component->decl : NULL;
  for (const struct decl *local = checked ? decl->component.locals : NULL; local; local = local->next)
    for (const struct decl *of = checked->component.locals; of && local->kind == DECL_PARAM; of = of->next)
      if (of->kind == DECL_PARAM && of->name.name == local->name.name) put_symbol(w, local->name, of->symbol);
  for (uint32_t i = 0; i < decl->component.replaced_count; i++)
    walk_pair(w, &decl->component.replaced[i]);
}

static void walk_component(struct walk *w, const struct decl *decl) {
  const struct symbol *symbol = decl->symbol;
  bool known = symbol && symbol->kind == SYMBOL_COMPONENT;
  const struct model_component *component = known ? symbol->component : NULL;
  const struct decl *checked = component ? component->decl : decl;
  put_symbol(w, decl->name, decl->symbol);
  put_found(w, SPACE_COMPONENT, decl->component.like);
  walk_replaced(w, decl, component);
  for (uint32_t i = 0; component && i < checked->component.index_count; i++)
    for (uint32_t k = component->own_index; k < component->index_count && component->indices; k++)
      if (component->indices[k] && component->indices[k]->name == checked->component.indices[i].name)
        put_symbol(w, checked->component.indices[i], component->indices[k]);
  walk_optional(w, checked->component.set);
  for (const struct decl *local = checked->component.locals; local; local = local->next)
    walk_local(w, local);
  walk_fields(w, checked->component.settings, checked->component.setting_count);
  for (const struct part *part = checked->component.parts; part; part = part->next)
    walk_part(w, component, part);
}

/* ---- other declarations ---- */

static void walk_use(struct walk *w, const struct decl *decl) {
  const struct file *file = decl->use.file;
  struct ident name = decl->name;
  if (decl->use.database) return;
  if (!name.name) name = (struct ident){name_of(w->c->model->names, decl->use.path), decl->use.path_span};
  if (file)
    put(w, (struct named){.span = name.span,
                          .name = name.name,
                          .kind = PSL_NAME_FILE,
                          .declared = {file->source->base, file->source->base + 1}});
  else
    put_kind(w, name, decl->name.name ? PSL_NAME_EVALUATOR : PSL_NAME_FILE);
  for (const struct decl *preset = decl->use.presets; preset; preset = preset->next) {
    if (file) put_symbol(w, preset->name, table_in_file(w->c, SPACE_VALUE, preset->name.name, file->source));
    walk_optional(w, preset->value.value);
  }
}

static void walk_domain(struct walk *w, const struct decl *decl) {
  put_symbol(w, decl->name, decl->symbol);
  for (uint32_t i = 0; i < decl->domain.count; i++) {
    const struct attribute *attribute = &decl->domain.attributes[i];
    put(w, (struct named){.span = attribute->name.span,
                          .name = attribute->name.name->folded,
                          .kind = PSL_NAME_ATTRIBUTE,
                          .declared = attribute->name.span});
    walk_type(w, attribute->type);
    walk_optional(w, attribute->value);
    walk_optional(w, attribute->range);
  }
}

static void walk_signature(struct walk *w, const struct signature *signature, struct symbol *symbol) {
  put_symbol(w, signature->name, symbol);
  for (uint32_t i = 0; i < signature->param_count; i++) {
    const struct param *param = &signature->params[i];
    put(w,
        (struct named){
            .span = param->name.span, .name = param->name.name, .kind = PSL_NAME_FIELD, .declared = param->name.span});
    walk_type(w, param->type);
    walk_type(w, param->gives);
    walk_optional(w, param->value);
    walk_optional(w, param->range);
  }
  walk_type(w, signature->result);
}

/* The side of a coercion: a type, or a transaction. */
static void walk_side(struct walk *w, const struct type_expr *type) {
  if (!type) return;
  struct ident name = {type->count == 1 ? type->atoms[0].name : NULL, type->span};
  struct symbol *transaction = find(w, SPACE_TRANSACTION, &name);
  if (transaction)
    put_symbol(w, name, transaction);
  else
    walk_type(w, type);
}

static void walk_coercion(struct walk *w, const struct decl *decl) {
  walk_side(w, decl->coercion.from);
  walk_side(w, decl->coercion.to);
  if (decl->coercion.domain) walk_word(w, decl->coercion.domain, true);
  if (decl->coercion.to_domain) walk_word(w, decl->coercion.to_domain, true);
  walk_optional(w, decl->coercion.cost);
  walk_optional(w, decl->coercion.value);
  if (decl->coercion.has_block) walk_block(w, &decl->coercion.body);
}

static void walk_vary(struct walk *w, const struct vary *vary) {
  if (vary->name.count) {
    const struct ident *last = &vary->name.parts[vary->name.count - 1];
    if (vary->name.count > 1) put_found(w, SPACE_QUALIFIER, vary->name.parts[0]);
    put_found(w, SPACE_VALUE, *last);
  }
  walk_optional(w, vary->range);
  walk_optional(w, vary->step);
  walk_optional(w, vary->tied);
}

static void walk_study(struct walk *w, const struct decl *decl) {
  put_symbol(w, decl->name, decl->symbol);
  if (decl->study.of.count) put_found(w, SPACE_COMPONENT, decl->study.of.parts[decl->study.of.count - 1]);
  w->study = true;
  for (const struct study_item *item = decl->study.items; item; item = item->next) {
    for (uint32_t i = 0; i < item->vary_count; i++)
      walk_vary(w, &item->varies[i]);
    walk_fields(w, item->fields, item->field_count);
    walk_optional(w, item->condition);
    walk_exprs(w, item->groups, item->group_count);
    walk_exprs(w, item->series, item->series_count);
    walk_optional(w, item->against);
    walk_optional(w, item->by);
  }
  w->study = false;
}

static void walk_steps(struct walk *w, const struct protocol_step *step) {
  for (; step; step = step->next) {
    if (step->kind == STEP_NAMED) put_found(w, SPACE_TRANSACTION, step->name);
    walk_steps(w, step->steps);
  }
}

static void walk_decl(struct walk *w, struct decl *decl) {
  w->within = decl->span;
  switch (decl->kind) {
  case DECL_USE: walk_use(w, decl); break;
  case DECL_PARAM:
  case DECL_LET:
  case DECL_VAR:
  case DECL_UNIT: walk_value(w, decl); break;
  case DECL_FUNCTION:
  case DECL_FIT: walk_function(w, decl); break;
  case DECL_DOMAIN: walk_domain(w, decl); break;
  case DECL_TRANSACTION: walk_signature(w, &decl->transaction, decl->symbol); break;
  case DECL_PROTOCOL:
    put_symbol(w, decl->name, decl->symbol);
    walk_steps(w, decl->steps);
    break;
  case DECL_COMPONENT:
  case DECL_SYSTEM: walk_component(w, decl); break;
  case DECL_COERCION: walk_coercion(w, decl); break;
  case DECL_EXTERN:
    for (uint32_t i = 0; i < decl->foreign.count; i++) {
      const struct signature *signature = &decl->foreign.functions[i];
      walk_signature(w, signature, find(w, SPACE_VALUE, &signature->name));
    }
    break;
  case DECL_STUDY: walk_study(w, decl); break;
  case DECL_ASSERT: walk_optional(w, decl->assertion); break;
  case DECL_KINDS: break;
  }
}

/* ---- in order ---- */

static int by_place(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  if (x->span.begin != y->span.begin) return x->span.begin < y->span.begin ? -1 : 1;
  if (!x->symbol != !y->symbol) return x->symbol ? -1 : 1;
  if (x->span.end != y->span.end) return x->span.end < y->span.end ? -1 : 1;
  return (int)x->kind - (int)y->kind;
}

/* One for each place: of several that with a symbol. */
static uint32_t keep_one_each(struct named *items, uint32_t count) {
  uint32_t kept = 0;
  if (count) qsort(items, count, sizeof *items, by_place);
  for (uint32_t i = 0; i < count; i++)
    if (!kept || items[i].span.begin >= items[kept - 1].span.end) items[kept++] = items[i];
  return kept;
}

struct named *model_names(struct model *model, struct arena *arena, const struct source *source, uint32_t *count) {
  struct walk w = {.c = model->loading->checker, .arena = arena};
  for (uint32_t i = 0; i < model->file_count; i++) {
    if (source ? model->files[i]->source != source : model->loading->files[i]->library) continue;
    for (struct decl *decl = model->files[i]->decls; decl; decl = decl->next)
      walk_decl(&w, decl);
  }
  *count = keep_one_each(w.items, w.count);
  return w.items;
}

const struct named *named_at(const struct named *names, uint32_t count, uint32_t offset) {
  uint32_t low = 0, high = count; /* the first one that ends behind the offset, or at it */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (names[middle].span.end < offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (low + 1 < count && names[low].span.end == offset && names[low + 1].span.begin == offset) low++;
  return low < count && names[low].span.begin <= offset ? &names[low] : NULL;
}
