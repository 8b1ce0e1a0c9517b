/* What a line could go on with: names of the model, units behind numbers, attributes in profiles and selectors and
 * their terms, fields of records, what stands in the folders of `use`.  A session asks about a line, an editor about a
 * place in a text of the model, where the names count, too, that are known there alone. */
#include "evaluators/sequence.h"
#include "interp/check/checker.h"
#include "interp/check/editing.h"
#include "grammar/words.h"
#include "interp/model/discipline.h"
#include "interp/check/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct completer {
  struct checker *c;
  struct arena *arena;
  const char *word; /* what there is of it */
  size_t length;
  enum psl_name_kind kind; /* of what is offered next */
  struct completed *items;
  uint32_t count, capacity;
};

static void offer(struct completer *k, const char *before, const char *name) {
  struct completed item = {*before ? arena_printf(k->arena, "%s%s", before, name) : name, k->kind};
  if (strncmp(item.word, k->word, k->length) == 0) ARENA_PUSH(k->arena, k->items, k->count, k->capacity, item);
}

static void offer_kind(struct completer *k, enum psl_name_kind kind, const char *before, const char *name) {
  k->kind = kind;
  offer(k, before, name);
}

static void offer_symbol(struct completer *k, const char *before, const struct symbol *symbol) {
  offer_kind(k, symbol_kind_name(symbol), before, symbol->name->text);
}

static void offer_table(struct completer *k, enum space space) {
  const struct table *table = &k->c->tables[space];
  for (uint32_t i = 0; i < table->count; i++)
    offer_symbol(k, "", table->items[i]);
}

/* ---- where the word stands ---- */

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

static size_t skip_back(const char *line, size_t at) {
  while (at && (line[at - 1] == ' ' || line[at - 1] == '\t' || line[at - 1] == '\n'))
    at--;
  return at;
}

/* Behind a number, a `/` of its unit, or an arrow that asks for one. */
static bool wants_unit(const char *line, size_t begin) {
  size_t at = skip_back(line, begin);
  if (at >= 2 && line[at - 2] == '-' && line[at - 1] == '>') return true;
  while (at && (isalpha((unsigned char)line[at - 1]) || line[at - 1] == '/' || line[at - 1] == '%'))
    at--;
  bool compound = at < begin && line[begin - 1] == '/';
  size_t number = skip_back(line, at);
  if ((at == begin || !compound) && skip_back(line, begin) != number) return false;
  at = number;
  while (at && (isdigit((unsigned char)line[at - 1]) || line[at - 1] == '.'))
    at--;
  return at < number && isdigit((unsigned char)line[number - 1]) && (!at || !is_name_character(line[at - 1]));
}

/* The word that ends at `at`, blanks skipped. */
static bool follows(const char *line, size_t at, const char *word) {
  size_t length = strlen(word);
  at = skip_back(line, at);
  if (at < length || memcmp(line + at - length, word, length) != 0) return false;
  return at == length || !is_name_character(line[at - length - 1]);
}

/* Where the braces of a profile or a selector that the place stands in begin; 0: in none. */
static size_t clause_begin(const char *line, size_t at) {
  int depth = 0;
  for (; at; at--) {
    if (line[at - 1] == ';') return 0;
    depth += line[at - 1] == '}';
    if (line[at - 1] == '{' && depth-- == 0) break;
  }
  size_t equals = at ? skip_back(line, at - 1) : 0;
  if (!equals || line[equals - 1] != '=') return 0;
  return follows(line, equals - 1, "profile") || follows(line, equals - 1, "selector") ? at : 0;
}

/* Where the innermost braces that the place stands in begin, right behind them; 0: in none. */
static size_t braces_begin(const char *line, size_t at) {
  int depth = 0;
  for (; at; at--) {
    depth += line[at - 1] == '}';
    if (line[at - 1] == '{' && depth-- == 0) return at;
  }
  return 0;
}

static size_t word_before(const char *line, size_t at) {
  while (at && is_name_character(line[at - 1]))
    at--;
  return at;
}

/* The name in `WORD NAME {` whose braces the place stands in, where one of its items begins; NULL: in no such ones. */
static const struct name *item_of(struct completer *k, const char *line, size_t begin, const char *word) {
  size_t open = braces_begin(line, begin), end = open ? skip_back(line, open - 1) : 0, at = skip_back(line, begin);
  bool path = end && line[end - 1] == '"';
  if (path) end -= strlen(".psl\"") < end ? strlen(".psl\"") : end; /* its file is called by the rest */
  size_t name = word_before(line, end), head = name;
  while (path && head && line[head - 1] != '"')
    head--;
  if (path && head) head--;
  if (follows(line, at, "param")) at = skip_back(line, at - strlen("param"));
  if (!open || name == end || !at || !strchr("{;", line[at - 1]) || !follows(line, head, word)) return NULL;
  return name_intern(k->c->model->names, line + name, end - name);
}

/* `WORD =` or `WORD = {` before the place. */
static bool assigns(const char *line, size_t begin, const char *word) {
  size_t at = skip_back(line, begin);
  if (at && line[at - 1] == '{') at = skip_back(line, at - 1);
  return at && line[at - 1] == '=' && follows(line, at - 1, word);
}

/* Behind `NAME :`, and not at the head of a part of a component. */
static bool wants_type(const char *line, size_t begin) {
  size_t at = begin;
  while (at && line[at - 1] == ' ')
    at--;
  if (!at || line[at - 1] != ':') return false;
  size_t end = skip_back(line, at - 1), name = word_before(line, end);
  return name < end && isalpha((unsigned char)line[name]) && !follows(line, end, "accepts") &&
         !follows(line, end, "body") && !follows(line, end, "requests");
}

/* ---- candidates ---- */

static void offer_attributes(struct completer *k) {
  const struct model *m = k->c->model;
  k->kind = PSL_NAME_ATTRIBUTE;
  for (uint32_t i = 0; i < m->domain_count; i++)
    for (uint32_t a = 0; a < m->domains[i]->count; a++)
      offer(k, "", m->domains[i]->attributes[a].name->text);
  for (uint32_t i = 0; i < k->c->attribute_count; i++)
    offer(k, "", k->c->attributes[i].name->text);
  offer(k, "", "domain");
}

static void offer_term(struct completer *k, const struct expr *value) {
  struct text text = {.arena = k->arena};
  if (!value || !value->type || value->type->kind != TYPE_TERM) return;
  if (value->kind == EXPR_NAME ? value->name.symbol != NULL : value->kind != EXPR_INDEX || !value->index.term) return;
  expr_format(&text, value);
  offer_kind(k, PSL_NAME_TERM, "", text.data);
}

static void offer_listed(struct completer *k, const struct expr *range) {
  for (uint32_t i = 0; range && range->kind == EXPR_LIST && i < range->list.count; i++)
    offer_term(k, range->list.items[i]);
}

/* The terms that an attribute has in profiles, or may have. */
static void offer_terms(struct completer *k, const struct name *folded) {
  const struct model *m = k->c->model;
  for (uint32_t a = 0; a < m->accept_count; a++)
    for (uint32_t p = 0; p < m->accepts[a]->profile_count; p++)
      if (m->accepts[a]->profile[p].attribute == folded) offer_term(k, m->accepts[a]->profile[p].value);
  for (uint32_t i = 0; i < m->domain_count; i++)
    for (uint32_t a = 0; a < m->domains[i]->count; a++)
      if (m->domains[i]->attributes[a].name->folded == folded)
        offer_listed(k, m->domains[i]->attributes[a].allowed.range);
}

/* The attribute whose value stands at the place, its words joined: `node type =`; NULL: there is none. */
static const struct name *attribute_before(struct completer *k, const char *line, size_t clause, size_t begin) {
  size_t end = skip_back(line, begin), at;
  while (end > clause && strchr("=!<>", line[end - 1]))
    end--;
  end = skip_back(line, end);
  for (at = end; at > clause && !strchr(",{=(", line[at - 1]); at--)
    ;
  struct text words = {.arena = k->arena};
  for (; at < end; at++) {
    if (is_name_character(line[at]))
      text_char(&words, line[at]);
    else if (words.size && words.data[words.size - 1] != '-')
      text_char(&words, '-');
  }
  return words.size ? name_of(k->c->model->names, words.data)->folded : NULL;
}

/* s and byte have no declaration. */
static void offer_units(struct completer *k) {
  const struct types *types = &k->c->model->types;
  offer_table(k, SPACE_UNIT);
  k->kind = PSL_NAME_UNIT;
  for (uint32_t i = 0; i < types->dimension_count; i++)
    offer(k, "", types->base_units[i]->text);
}

static void offer_types(struct completer *k) {
  const struct types *types = &k->c->model->types;
  k->kind = PSL_NAME_TYPE;
  for (uint32_t i = 0; i < types->dimension_count; i++)
    offer(k, "", types->dimensions[i]->text);
  for (const struct type_word *word = type_words; word->name; word++)
    offer(k, "", word->name);
}

/* Params of the files of that name. */
static void offer_file_params(struct completer *k, const struct name *name) {
  const struct model *m = k->c->model;
  for (uint32_t i = 0; i < m->param_count; i++)
    if (m->params[i]->file && !strcmp(m->params[i]->file->name, name->text)) offer_symbol(k, "", m->params[i]);
}

static void offer_component_params(struct completer *k, const struct name *name) {
  const struct symbol *symbol = table_first(k->c, SPACE_COMPONENT, name);
  for (uint32_t i = 0; symbol && i < symbol->component->instance_count; i++)
    if (symbol_kind_name(symbol->component->instances[i]) == PSL_NAME_PARAM)
      offer_symbol(k, "", symbol->component->instances[i]);
}

static void offer_params(struct completer *k) {
  for (uint32_t i = 0; i < k->c->model->param_count; i++)
    offer_symbol(k, "", k->c->model->params[i]);
}

static void offer_components(struct completer *k, bool systems) {
  for (uint32_t i = 0; i < k->c->model->component_count; i++)
    if (k->c->model->components[i]->system == systems) offer_symbol(k, "", k->c->model->components[i]->symbol);
}

static void offer_uses(struct completer *k) {
  const struct load_options *options = &k->c->model->loading->options;
  k->kind = PSL_NAME_FILE;
  for (uint32_t i = 0; i <= options->folder_count; i++) {
    const char **names = NULL;
    uint32_t count = list_folder(k->arena, i ? options->folders[i - 1] : "", &names);
    for (uint32_t n = 0; n < count; n++)
      offer(k, "", names[n]);
  }
  for (uint32_t i = 0; i < options->evaluator_count; i++)
    offer_kind(k, PSL_NAME_EVALUATOR, "", options->evaluators[i]->name);
}

static void offer_fields(struct completer *k, const struct type *type, const char *before) {
  for (uint32_t i = 0; type && type->kind == TYPE_RECORD && i < type->field_count; i++)
    offer_kind(k, PSL_NAME_FIELD, before, type->fields[i].name->text);
}

/* The type of `a.b.c`, where it is a record. */
static const struct type *type_of_path(struct completer *k, const char *path) {
  const struct type *type = NULL;
  for (const char *at = path; *at;) {
    size_t length = strcspn(at, ".");
    const struct name *name = name_intern(k->c->model->names, at, length);
    if (!type) {
      struct symbol *symbol = table_first(k->c, SPACE_VALUE, name);
      if (!symbol) symbol = last_named(k->c, name);
      type = symbol ? symbol->type : NULL;
    } else {
      uint32_t i = 0;
      while (i < type->field_count && type->fields[i].name != name)
        i++;
      type = i < type->field_count ? type->fields[i].type : NULL;
    }
    if (!type || type->kind != TYPE_RECORD) return NULL;
    at += length + (at[length] == '.');
  }
  return type;
}

static void offer_steps(struct completer *k, const char *before, const struct model_protocol *protocol) {
  if (!protocol || !protocol->sequence || !protocol->converses) return;
  for (uint32_t i = 0; i < protocol->sequence->step_count; i++)
    if (protocol->transactions[i]) offer_symbol(k, before, protocol->transactions[i]->symbol);
}

/* Behind LABEL. and caller., in that declaration: the interactions of its protocol. */
static void offer_interactions(struct completer *k, const struct name *name, const char *before,
                               const struct decl *decl) {
  const struct model *m = k->c->model;
  for (uint32_t i = 0; decl && i < m->component_count; i++) {
    const struct model_component *component = m->components[i];
    if (component->symbol->decl != decl) continue;
    const struct symbol *label = label_find(k->c, component, name);
    if (label) offer_steps(k, before, label->request->declared);
    for (uint32_t a = 0; name_is(name, KNOWN_CALLER) && a < component->accept_count; a++)
      offer_steps(k, before, component->accepts[a]->declared);
  }
}

static void offer_members(struct completer *k, const char *point, const struct decl *decl) {
  struct checker *c = k->c;
  const char *base = arena_copy(k->arena, k->word, (size_t)(point - k->word));
  const char *before = arena_printf(k->arena, "%s.", base);
  const struct name *name = name_of(c->model->names, base);
  offer_fields(k, type_of_path(k, base), before);
  offer_interactions(k, name, before, decl);
  for (struct symbol *s = table_first(c, SPACE_QUALIFIER, name); s; s = s->next) {
    for (uint32_t i = 0; s->kind == SYMBOL_EVALUATOR && i < c->evaluator_function_count; i++)
      if (c->evaluator_functions[i]->evaluator_of == s->evaluator) offer_symbol(k, before, c->evaluator_functions[i]);
    for (uint32_t i = 0; s->kind == SYMBOL_FILE && i < c->tables[SPACE_VALUE].count; i++)
      for (struct symbol *v = c->tables[SPACE_VALUE].items[i]; v; v = v->next)
        if (v->file == s->file) offer_symbol(k, before, v);
  }
  const struct symbol *component = table_first(c, SPACE_COMPONENT, name);
  for (uint32_t i = 0; component && i < component->component->instance_count; i++)
    offer_symbol(k, before, component->component->instances[i]);
}

/* In a study, behind COMPONENT. or COMPONENT[1].: what is known of it. */
static void offer_results(struct completer *k, const char *point) {
  const struct model *m = k->c->model;
  size_t length = strcspn(k->word, "[."), base = (size_t)(point - k->word);
  const char *component = arena_copy(k->arena, k->word, length);
  const char *before = arena_copy(k->arena, k->word, base + 1);
  const char *record = memchr(k->word + length, '.', base - length); /* stage[1].starved. */
  model_list_results(k->c->model);
  k->kind = PSL_NAME_RECORD;
  for (uint32_t i = 0; i < m->result_count; i++) {
    const struct model_result *result = &m->results[i];
    if (!result->component || strcmp(result->component->symbol->name->text, component)) continue;
    if (k->word[length] == '[' && result->kind == RESULT_FIRINGS) continue;
    const char *rest = result->name + length + 1, *more = strchr(rest, '.');
    bool same = record && more && !strncmp(rest, record + 1, (size_t)(more - rest)) &&
                (size_t)(more - rest) == (size_t)(point - record - 1);
    if (same)
      offer(k, before, more + 1);
    else if (!record)
      offer(k, before, more ? arena_copy(k->arena, rest, (size_t)(more - rest)) : rest);
  }
}

/* Of the words of a session: has there been a run, an expression? */
static bool is_there(const struct completer *k, const char *word) {
  const struct model *m = k->c->model;
  return name_is(name_of(m->names, word), KNOWN_ANS) ? m->loading->options.answer != NULL : k->c->last != NULL;
}

static void offer_disciplines(struct completer *k) {
  k->kind = PSL_NAME_WORD;
  for (const struct discipline *d = disciplines; d->name; d++)
    offer(k, "", d->name);
}

/* What is declared in the declaration that the place stands in; `call`: what it can call. */
static void offer_locals(struct completer *k, const struct decl *decl, bool call) {
  uint32_t count = 0;
  const struct source *source = decl ? source_of(k->c->model->sources, decl->span.begin) : NULL;
  const struct named *names = source ? model_names(k->c->model, k->arena, source, &count) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    const struct named *named = &names[i];
    bool inside = named->span.begin > decl->span.begin && named->span.end < decl->span.end;
    bool declares = named->symbol && named->span.begin == named->declared.begin;
    if (inside && declares && call == (named->kind == PSL_NAME_REQUEST))
      offer_kind(k, named->kind, "", named->name->text);
  }
}

static void offer_names(struct completer *k) {
  offer_table(k, SPACE_VALUE);
  offer_table(k, SPACE_COMPONENT);
  offer_table(k, SPACE_TRANSACTION);
  offer_table(k, SPACE_STUDY);
  offer_table(k, SPACE_DOMAIN);
  offer_table(k, SPACE_QUALIFIER);
  for (const struct builtin *b = psl_builtins; b->name; b++)
    offer_kind(k, PSL_NAME_FUNCTION, "", b->name);
  offer_disciplines(k);
  for (const struct word *word = psl_words; word->text; word++)
    if (word->class != WORD_OF_SESSION || is_there(k, word->text)) offer(k, "", word->text);
}

static int by_word(const void *a, const void *b) {
  const struct completed *x = a, *y = b;
  int order = strcmp(x->word, y->word);
  return order ? order : (int)x->kind - (int)y->kind;
}

static uint32_t sort_words(struct completed *items, uint32_t count) {
  uint32_t kept = 0;
  if (count) qsort(items, count, sizeof *items, by_word);
  for (uint32_t i = 0; i < count; i++)
    if (!kept || strcmp(items[kept - 1].word, items[i].word)) items[kept++] = items[i];
  return kept;
}

/* Is what stands there of a study: the item that it begins with, or the command? */
static bool is_of_study(const char *line, size_t at) {
  static const char *const words[] = {"report", "minimize", "maximize", "plot", "study", "assert", "against"};
  for (; at; at--)
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (follows(line, at, words[i])) return true;
  return false;
}

/* Over `a.b.c` and `a[1, 2].b`. */
static size_t word_begin(const char *line, size_t begin) {
  for (;;) {
    while (begin && (is_name_character(line[begin - 1]) || line[begin - 1] == '.'))
      begin--;
    size_t open = begin;
    if (!begin || line[begin - 1] != ']' || line[begin] != '.') return begin;
    while (open && line[open - 1] != '[')
      open--;
    if (!open) return begin;
    begin = open - 1;
  }
}

/* What a profile or a selector goes on with, whose braces begin at `clause`. */
static void offer_clause(struct completer *k, const char *line, size_t begin, size_t clause, const struct decl *decl) {
  size_t last = begin;
  while (last > clause && !strchr(",{=", line[last - 1]))
    last--;
  const struct name *attribute = last && line[last - 1] == '=' ? attribute_before(k, line, clause, last) : NULL;
  if (!attribute) {
    offer_attributes(k);
    return;
  }
  if (name_is(attribute, KNOWN_DOMAIN)) offer_table(k, SPACE_DOMAIN);
  offer_terms(k, attribute);
  if (name_is(attribute, KNOWN_DOMAIN)) return;
  offer_table(k, SPACE_VALUE);
  offer_locals(k, decl, false);
}

/* Where words before the place say what stands there; false: they do not. */
static bool offer_behind_word(struct completer *k, const char *line, size_t begin, const struct decl *decl) {
  const struct name *of;
  if (follows(line, begin, "use"))
    offer_uses(k);
  else if ((of = item_of(k, line, begin, "use")))
    follows(line, begin, "param") ? offer_file_params(k, of) : offer_kind(k, PSL_NAME_WORD, "", "param");
  else if ((of = item_of(k, line, begin, "like")) && follows(line, begin, "param"))
    offer_component_params(k, of);
  else if (follows(line, begin, "like"))
    offer_components(k, false);
  else if (follows(line, begin, "vary") || follows(line, begin, "problem") || follows(line, begin, "choice") ||
           follows(line, begin, "machine"))
    offer_params(k);
  else if (follows(line, begin, "of") &&
           follows(line, word_before(line, skip_back(line, skip_back(line, begin) - 2)), "study"))
    offer_components(k, true);
  else if (assigns(line, begin, "transaction"))
    offer_table(k, SPACE_TRANSACTION);
  else if (assigns(line, begin, "protocol"))
    offer_table(k, SPACE_PROTOCOL);
  else if (assigns(line, begin, "discipline"))
    offer_disciplines(k);
  else if (decl && follows(line, begin, "call")) {
    offer_locals(k, decl, true);
    offer_table(k, SPACE_QUALIFIER);
  } else if (wants_type(line, begin))
    offer_types(k);
  else
    return false;
  return true;
}

size_t model_complete(struct model *model, struct arena *arena, const char *line, size_t cursor,
                      const struct decl *decl, struct completed **items, size_t *count) {
  size_t begin = word_begin(line, cursor);
  while (begin < cursor && !isalpha((unsigned char)line[begin]))
    begin++; /* 3..workers, -workers */
  struct completer k = {.c = model->loading->checker, .arena = arena, .length = cursor - begin};
  k.word = arena_copy(arena, line + begin, k.length);
  const char *point = strrchr(k.word, '.');
  size_t clause = clause_begin(line, begin);
  if (wants_unit(line, begin)) {
    offer_units(&k);
    if (follows(line, begin, ") ->")) offer_types(&k);
  } else if (point) {
    offer_members(&k, point, decl);
    if (is_of_study(line, begin)) offer_results(&k, point);
  } else if (clause) {
    offer_clause(&k, line, begin, clause, decl);
  } else if (!offer_behind_word(&k, line, begin, decl)) {
    offer_names(&k);
    offer_locals(&k, decl, false);
  }
  *items = k.items;
  *count = sort_words(k.items, k.count);
  return begin;
}
