/* Symbol tables of the whole model and scopes inside of its parts: declaring and finding names. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <string.h>

struct symbol *symbol_new(struct checker *c, enum symbol_kind kind, const struct name *name, struct span span) {
  struct symbol *symbol = ARENA_NEW(c->arena, struct symbol);
  symbol->kind = kind;
  symbol->name = name;
  symbol->span = span;
  symbol->file = source_of(c->model->sources, span.begin);
  return symbol;
}

struct symbol *table_first(const struct checker *c, enum space space, const struct name *name) {
  const struct table *table = &c->tables[space];
  if (name->id >= table->by_id_count || !table->by_id[name->id]) return NULL;
  return table->items[table->by_id[name->id] - 1];
}

struct symbol *table_in_file(const struct checker *c, enum space space, const struct name *name,
                             const struct source *file) {
  for (struct symbol *s = table_first(c, space, name); s; s = s->next)
    if (s->file == file) return s;
  return NULL;
}

static const char *space_word(enum space space) {
  switch (space) {
  case SPACE_VALUE: return "name";
  case SPACE_QUALIFIER: return "file";
  case SPACE_UNIT: return "unit";
  case SPACE_DOMAIN: return "domain";
  case SPACE_TRANSACTION: return "transaction";
  case SPACE_PROTOCOL: return "protocol";
  case SPACE_COMPONENT: return "component";
  case SPACE_STUDY: return "study";
  case SPACES: break;
  }
  return "name";
}

/* Of what a file declares, or of what all texts of a session do, a name is declared once. */
static const struct symbol *declared_before(const struct checker *c, enum space space, const struct symbol *symbol) {
  const struct model *m = c->model;
  if (!symbol->file || space == SPACE_QUALIFIER) return NULL;
  for (const struct symbol *s = table_first(c, space, symbol->name); s; s = s->next) {
    if (s->file == symbol->file) return s;
    if (m->loading->options.session && s->file && model_owns(m, s->file) && model_owns(m, symbol->file)) return s;
  }
  return NULL;
}

void table_add(struct checker *c, enum space space, struct symbol *symbol) {
  struct table *table = &c->tables[space];
  const struct name *name = symbol->name;
  if (name->id >= table->by_id_count) {
    uint32_t size = name->id * 2 + 64;
    table->by_id =
        arena_grow(c->arena, table->by_id, table->by_id_count * sizeof *table->by_id, size * sizeof *table->by_id);
    table->by_id_count = size;
  }
  const struct symbol *same = declared_before(c, space, symbol);
  if (same) {
    check_error(c, symbol->span, "%s '%s' is defined twice in this %s", space_word(space), name->text,
                same->file == symbol->file ? "file" : "session");
    check_note(c, same->span, "first defined here");
    return;
  }
  if (!table->by_id[name->id]) {
    ARENA_PUSH(c->arena, table->items, table->count, table->capacity, symbol);
    table->by_id[name->id] = table->count;
    return;
  }
  struct symbol *last = table->items[table->by_id[name->id] - 1];
  while (last->next && space != SPACE_QUALIFIER)
    last = last->next; /* of a session's texts there are many */
  symbol->next = last->next;
  last->next = symbol;
}

uint32_t file_place(const struct checker *c, const struct source *source) {
  for (uint32_t i = 0; i < c->model->file_count; i++)
    if (c->model->files[i]->source == source) return i;
  return 0;
}

bool file_reaches(const struct checker *c, const struct source *from, const struct source *to) {
  if (from == to) return true;
  uint32_t row = file_group(c->model, file_place(c, from)), column = file_group(c->model, file_place(c, to));
  return c->reaches[(size_t)row * c->group_count + column];
}

static bool is_library(const struct checker *c, const struct source *file) {
  const struct model_loading *loading = c->model->loading;
  for (uint32_t i = 0; file && i < loading->count; i++)
    if (loading->files[i]->file->source == file) return loading->files[i]->library;
  return false;
}

struct symbol *value_first(const struct checker *c, const struct name *name, struct span span) {
  struct symbol *symbol = table_first(c, SPACE_VALUE, name);
  const struct source *file = symbol ? source_of(c->model->sources, span.begin) : NULL;
  if (!is_library(c, file)) return symbol;
  while (symbol && symbol->file && !file_reaches(c, file, symbol->file))
    symbol = symbol->next;
  return symbol;
}

/* Said at the first use in a file: all of its uses mean the same. */
static void say_several(struct checker *c, enum space space, const struct symbol *found, const struct symbol *other,
                        struct span span) {
  const char *name = found->name->text;
  bool known;
  map_add(c->arena, &c->reported, map_key(found) ^ map_key(source_of(c->model->sources, span.begin)), 0, &known);
  if (known) return;
  check_error(c, span, "%s '%s' is defined in more than one file", space_word(space), name);
  check_note(c, found->span, "defined here");
  check_note(c, other->span, "and here");
  if (space == SPACE_VALUE)
    check_help(c, (struct span){0, 0}, "say which, wherever this file uses it: %s.%s or %s.%s", found->file->name, name,
               other->file->name, name);
  else if (is_library(c, found->file) != is_library(c, other->file))
    check_help(c, (struct span){0, 0}, "rename your %s '%s', or leave it out and have the library's", space_word(space),
               name);
  else
    check_help(c, (struct span){0, 0},
               "rename '%s' in one of them, or leave out the declaration that is the same as the other", name);
}

/* Where several files define a name, those count that the using file uses, itself among them: a library
 * does not break because a model that uses it has a name like one of its own. */
struct symbol *table_find(struct checker *c, enum space space, const struct name *name, struct span span) {
  struct symbol *first = space == SPACE_VALUE ? value_first(c, name, span) : table_first(c, space, name);
  if (!first || !first->next) return first;
  const struct source *file = source_of(c->model->sources, span.begin);
  struct symbol *found = NULL, *other = NULL;
  for (struct symbol *s = first; s; s = s->next) {
    if (file && s->file && !file_reaches(c, file, s->file)) continue;
    if (!found)
      found = s;
    else if (!other)
      other = s;
  }
  if (!found) found = first, other = first->next;
  if (other) say_several(c, space, found, other, span);
  return found;
}

struct symbol *qualifier_find(struct checker *c, struct ident qualifier, enum space space, const struct name *name) {
  const struct source *from = source_of(c->model->sources, qualifier.span.begin);
  struct symbol *found = NULL;
  for (struct symbol *s = table_first(c, SPACE_QUALIFIER, qualifier.name); s; s = s->next) {
    if (from && s->file && !file_reaches(c, from, s->file)) continue;
    if (s->kind == SYMBOL_FILE && !table_in_file(c, space, name, s->file)) continue;
    if (found) return table_find(c, SPACE_QUALIFIER, qualifier.name, qualifier.span);
    found = s;
  }
  return found ? found : table_first(c, SPACE_QUALIFIER, qualifier.name);
}

static struct symbol *find_in(struct checker *c, struct scope *scope, const struct name *name) {
  enum { MANY = 16 };
  bool known;
  for (uint32_t i = scope->count; scope->count <= MANY && i-- > 0;)
    if (scope->items[i]->name == name) return scope->items[i];
  if (scope->count <= MANY) return NULL;
  for (; scope->placed < scope->count; scope->placed++)
    map_add(c->arena, &scope->places, map_key(scope->items[scope->placed]->name), scope->placed, &known);
  uint32_t place = map_get(&scope->places, map_key(name), scope->count);
  return place < scope->count ? scope->items[place] : NULL;
}

struct symbol *scope_find(struct checker *c, struct scope *scope, const struct name *name) {
  struct symbol *found = NULL;
  for (; scope && !found; scope = scope->outer)
    found = find_in(c, scope, name);
  return found;
}

void scope_add(struct checker *c, struct scope *scope, struct symbol *symbol) {
  const struct symbol *before = find_in(c, scope, symbol->name);
  if (before) {
    check_error(c, symbol->span, "'%s' is defined twice here", symbol->name->text);
    check_note(c, before->span, "first defined here");
  }
  ARENA_PUSH(c->arena, scope->items, scope->count, scope->capacity, symbol);
}

struct symbol *scope_local(struct checker *c, struct context *x, struct scope *scope, struct ident name,
                           const struct type *type) {
  struct symbol *symbol = symbol_new(c, SYMBOL_LOCAL, name.name, name.span);
  symbol->type = type;
  symbol->slot = (*x->slots)++;
  if (*x->slots > c->model->slot_max) c->model->slot_max = *x->slots;
  scope_add(c, scope, symbol);
  return symbol;
}

/* ---- global declarations ---- */

#define MODEL_ADD(c, list, count, capacity, item) \
  ARENA_PUSH((c)->arena, (c)->model->list, (c)->model->count, (c)->capacity, item)

static struct symbol *declare(struct checker *c, enum space space, enum symbol_kind kind, struct decl *decl,
                              const struct name *name, struct span span) {
  struct symbol *before = decl->symbol;
  struct symbol *symbol = symbol_new(c, kind, name, span);
  if (before && before->kind == SYMBOL_PARAM) { /* a second check keeps what was set */
    symbol->setting = before->setting;
    symbol->was_set = before->was_set;
  }
  symbol->decl = decl;
  decl->symbol = symbol;
  table_add(c, space, symbol);
  return symbol;
}

/* `unit flop;` is a unit and a base dimension; `s` and `byte` are those of time and data. */
static void declare_unit(struct checker *c, struct decl *decl) {
  for (struct symbol *s = table_first(c, SPACE_UNIT, decl->name.name); s && !decl->value.value; s = s->next)
    if (!s->decl->value.value && s->file != source_of(c->model->sources, decl->span.begin)) {
      decl->symbol = s; /* a base unit that two files declare is one unit */
      return;
    }
  if (strchr(decl->name.name->text, '-')) {
    char *joined = arena_copy(c->arena, decl->name.name->text, decl->name.name->length);
    for (char *at = joined; *at; at++)
      if (*at == '-') *at = '_';
    check_error(c, decl->name.span, "a unit has no '-' in its name: '2 %s' would be a difference",
                decl->name.name->text);
    check_help(c, (struct span){0, 0}, "write %s", joined);
  }
  struct symbol *symbol = declare(c, SPACE_UNIT, SYMBOL_UNIT, decl, decl->name.name, decl->name.span);
  struct types *types = &c->model->types;
  if (decl->value.value) return;
  symbol->has_value = true;
  symbol->unit.factor = 1;
  for (uint32_t i = 0; i < types->dimension_count; i++) {
    if (types->base_units[i] != decl->name.name) continue;
    symbol->unit.dimension.power[i] = 1;
    return;
  }
  if (types->dimension_count == DIMENSION_MAX) {
    check_error(c, decl->name.span, "more than %d base dimensions", DIMENSION_MAX);
    check_help(c, (struct span){0, 0}, "define it by another unit: unit %s = 1 …;", decl->name.name->text);
    return;
  }
  types->dimensions[types->dimension_count] = decl->name.name;
  types->base_units[types->dimension_count] = decl->name.name;
  symbol->unit.dimension.power[types->dimension_count++] = 1;
}

/* A domain has the attributes that all files declare of it, those that a file uses before its own. */
static void join_domain(struct checker *c, struct symbol *domain, struct decl *decl) {
  const struct decl *before = domain->decl;
  uint32_t own = decl->domain.count, others = before->domain.count;
  struct decl *joined = ARENA_NEW(c->arena, struct decl);
  *joined = *before;
  joined->domain.attributes = ARENA_ARRAY(c->arena, struct attribute, own + others);
  joined->domain.count = own + others;
  memcpy(joined->domain.attributes, decl->domain.attributes, own * sizeof *joined->domain.attributes);
  memcpy(joined->domain.attributes + own, before->domain.attributes, others * sizeof *joined->domain.attributes);
  domain->decl = joined;
  decl->symbol = domain;
}

static void declare_domain(struct checker *c, struct decl *decl, const struct source *file) {
  struct symbol *symbol = table_first(c, SPACE_DOMAIN, decl->name.name->folded);
  if (symbol && symbol->file != file) {
    join_domain(c, symbol, decl);
    return;
  }
  symbol = declare(c, SPACE_DOMAIN, SYMBOL_DOMAIN, decl, decl->name.name->folded, decl->name.span);
  symbol->domain = ARENA_NEW(c->arena, struct model_domain);
  symbol->domain->symbol = symbol;
  MODEL_ADD(c, domains, domain_count, domain_capacity, symbol->domain);
}

static void declare_foreign(struct checker *c, struct decl *decl) {
  for (uint32_t i = 0; i < decl->foreign.count; i++) {
    const struct signature *signature = &decl->foreign.functions[i];
    struct symbol *symbol = symbol_new(c, SYMBOL_FOREIGN, signature->name.name, signature->name.span);
    symbol->decl = decl;
    table_add(c, SPACE_VALUE, symbol);
  }
}

/* Terms of a fit that have a name are functions, too. */
static void declare_parts(struct checker *c, struct decl *decl) {
  const struct fit *fit = decl->function.fit;
  for (uint32_t k = 0; k < fit->term_count; k++) {
    const struct ident *name = &fit->terms[k].name;
    if (!name->name) continue;
    struct symbol *symbol = symbol_new(c, SYMBOL_FUNCTION, name->name, name->span);
    symbol->decl = decl;
    table_add(c, SPACE_VALUE, symbol);
    function_declare(c, symbol, NULL);
    symbol->function->part = k + 1;
  }
}

void declare_one(struct checker *c, struct decl *decl, const struct source *file) {
  struct model *m = c->model;
  struct symbol *symbol;
  switch (decl->kind) {
  case DECL_USE:  /* links between files */
  case DECL_UNIT: /* declared before */
  case DECL_VAR:  /* of components alone */
  case DECL_KINDS: break;
  case DECL_PARAM:
    symbol = declare(c, SPACE_VALUE, SYMBOL_PARAM, decl, decl->name.name, decl->name.span);
    MODEL_ADD(c, params, param_count, param_capacity, symbol);
    break;
  case DECL_LET:
    symbol = declare(c, SPACE_VALUE, SYMBOL_LET, decl, decl->name.name, decl->name.span);
    symbol->slot = m->let_numbers++;
    MODEL_ADD(c, lets, let_count, let_capacity, symbol);
    break;
  case DECL_FUNCTION:
  case DECL_FIT: {
    const struct ident *name = &decl->function.signature.name;
    symbol = declare(c, SPACE_VALUE, SYMBOL_FUNCTION, decl, name->name, name->span);
    function_declare(c, symbol, NULL);
    if (decl->kind == DECL_FIT) declare_parts(c, decl);
    break;
  }
  case DECL_DOMAIN: declare_domain(c, decl, file); break;
  case DECL_TRANSACTION: {
    const struct ident *name = &decl->transaction.name;
    symbol = declare(c, SPACE_TRANSACTION, SYMBOL_TRANSACTION, decl, name->name, name->span);
    symbol->transaction = ARENA_NEW(c->arena, struct model_transaction);
    symbol->transaction->symbol = symbol;
    symbol->transaction->id = m->transaction_count;
    MODEL_ADD(c, transactions, transaction_count, transaction_capacity, symbol->transaction);
    break;
  }
  case DECL_PROTOCOL:
    symbol = declare(c, SPACE_PROTOCOL, SYMBOL_PROTOCOL, decl, decl->name.name->folded, decl->name.span);
    symbol->protocol = ARENA_NEW(c->arena, struct model_protocol);
    symbol->protocol->symbol = symbol;
    break;
  case DECL_COMPONENT:
  case DECL_SYSTEM: component_declare(c, decl, NULL, file); break;
  case DECL_COERCION: {
    struct model_coercion *coercion = ARENA_NEW(c->arena, struct model_coercion);
    coercion->id = m->coercion_count;
    coercion->decl = decl;
    MODEL_ADD(c, coercions, coercion_count, coercion_capacity, coercion);
    break;
  }
  case DECL_EXTERN: declare_foreign(c, decl); break;
  case DECL_STUDY: {
    struct model_study *study = ARENA_NEW(c->arena, struct model_study);
    study->decl = decl;
    declare(c, SPACE_STUDY, SYMBOL_STUDY, decl, decl->name.name, decl->name.span);
    MODEL_ADD(c, studies, study_count, study_capacity, study);
    break;
  }
  case DECL_ASSERT: MODEL_ADD(c, asserts, assert_count, assert_capacity, decl); break;
  }
}

/* Those of the prelude first: if there are too many dimensions, it is one of the model's that is too many. */
static void declare_units(struct checker *c, bool prelude) {
  const struct model_loading *l = c->model->loading;
  for (uint32_t i = 0; i < l->count; i++) {
    if (l->files[i]->prelude != prelude) continue;
    for (struct decl *decl = l->files[i]->file->decls; decl; decl = decl->next)
      if (decl->kind == DECL_UNIT) declare_unit(c, decl);
  }
}

void declare_file(struct checker *c, const struct source *source) {
  struct symbol *symbol = symbol_new(c, SYMBOL_FILE, name_of(c->model->names, source->name), (struct span){0, 0});
  symbol->span = (struct span){source->base, source->base};
  symbol->file = source;
  table_add(c, SPACE_QUALIFIER, symbol);
}

/* Those that stand in the place of one that was written before `end`. */
static void declare_in_places(struct checker *c, const struct file *file, uint32_t end) {
  for (const struct decl *replaced = file->replaced; replaced; replaced = replaced->next)
    if (replaced->span.begin < end && replaced->instead && !replaced->instead->symbol)
      declare_one(c, replaced->instead, file->source);
}

void declare_files(struct checker *c) {
  declare_units(c, true);
  declare_units(c, false);
  for (uint32_t i = 0; i < c->model->file_count; i++) {
    struct file *file = c->model->files[i];
    declare_file(c, file->source);
    for (struct decl *decl = file->decls; decl; decl = decl->next) {
      declare_in_places(c, file, decl->span.begin);
      if (decl->kind != DECL_UNIT && !decl->stands) declare_one(c, decl, file->source);
    }
    declare_in_places(c, file, UINT32_MAX);
  }
}
