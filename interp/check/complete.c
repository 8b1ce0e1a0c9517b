/* What a line could go on with: names of the model, units behind numbers, attributes in profiles and selectors, fields
 * of records, what stands in the folders of `use`. */
#include "interp/check/checker.h"
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
  struct words_list words;
};

static void offer(struct completer *k, const char *before, const char *name) {
  const char *word = *before ? arena_printf(k->arena, "%s%s", before, name) : name;
  if (strncmp(word, k->word, k->length) == 0)
    ARENA_PUSH(k->arena, k->words.items, k->words.count, k->words.capacity, word);
}

static void offer_table(struct completer *k, enum space space) {
  const struct table *table = &k->c->tables[space];
  for (uint32_t i = 0; i < table->count; i++)
    offer(k, "", table->items[i]->name->text);
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

/* ---- candidates ---- */

static void offer_attributes(struct completer *k) {
  const struct model *m = k->c->model;
  for (uint32_t i = 0; i < m->domain_count; i++)
    for (uint32_t a = 0; a < m->domains[i]->count; a++)
      offer(k, "", m->domains[i]->attributes[a].name->text);
  for (uint32_t i = 0; i < k->c->attribute_count; i++)
    offer(k, "", k->c->attributes[i].name->text);
  offer(k, "", "domain");
}

static void offer_uses(struct completer *k) {
  const struct load_options *options = &k->c->model->loading->options;
  for (uint32_t i = 0; i <= options->folder_count; i++) {
    const char **names = NULL;
    uint32_t count = list_folder(k->arena, i ? options->folders[i - 1] : "", &names);
    for (uint32_t n = 0; n < count; n++)
      offer(k, "", names[n]);
  }
  for (uint32_t i = 0; i < options->evaluator_count; i++)
    offer(k, "", options->evaluators[i]->name);
}

static void offer_fields(struct completer *k, const struct type *type, const char *before) {
  for (uint32_t i = 0; type && type->kind == TYPE_RECORD && i < type->field_count; i++)
    offer(k, before, type->fields[i].name->text);
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

static void offer_members(struct completer *k, const char *point) {
  struct checker *c = k->c;
  const char *base = arena_copy(k->arena, k->word, (size_t)(point - k->word));
  const char *before = arena_printf(k->arena, "%s.", base);
  const struct name *name = name_of(c->model->names, base);
  offer_fields(k, type_of_path(k, base), before);
  for (struct symbol *s = table_first(c, SPACE_QUALIFIER, name); s; s = s->next) {
    for (uint32_t i = 0; s->kind == SYMBOL_EVALUATOR && i < c->evaluator_function_count; i++)
      if (c->evaluator_functions[i]->evaluator_of == s->evaluator)
        offer(k, before, c->evaluator_functions[i]->name->text);
    for (uint32_t i = 0; s->kind == SYMBOL_FILE && i < c->tables[SPACE_VALUE].count; i++)
      for (struct symbol *v = c->tables[SPACE_VALUE].items[i]; v; v = v->next)
        if (v->file == s->file) offer(k, before, v->name->text);
  }
  const struct symbol *component = table_first(c, SPACE_COMPONENT, name);
  for (uint32_t i = 0; component && i < component->component->instance_count; i++)
    offer(k, before, component->component->instances[i]->name->text);
}

/* In a study, behind COMPONENT. or COMPONENT[1].: what is known of it. */
static void offer_results(struct completer *k, const char *point) {
  const struct model *m = k->c->model;
  size_t length = strcspn(k->word, "[."), base = (size_t)(point - k->word);
  const char *component = arena_copy(k->arena, k->word, length);
  const char *before = arena_copy(k->arena, k->word, base + 1);
  const char *record = memchr(k->word + length, '.', base - length); /* stage[1].starved. */
  model_list_results(k->c->model);
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

static void offer_names(struct completer *k) {
  offer_table(k, SPACE_VALUE);
  offer_table(k, SPACE_COMPONENT);
  offer_table(k, SPACE_TRANSACTION);
  offer_table(k, SPACE_STUDY);
  offer_table(k, SPACE_DOMAIN);
  offer_table(k, SPACE_QUALIFIER);
  for (const struct builtin *b = psl_builtins; b->name; b++)
    offer(k, "", b->name);
  for (const struct discipline *d = disciplines; d->name; d++)
    offer(k, "", d->name);
  for (const struct word *word = psl_words; word->text; word++)
    if (word->class != WORD_OF_SESSION || is_there(k, word->text)) offer(k, "", word->text);
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void sort_words(struct words_list *words) {
  uint32_t kept = 0;
  if (words->count) qsort(words->items, words->count, sizeof *words->items, by_text);
  for (uint32_t i = 0; i < words->count; i++)
    if (!kept || strcmp(words->items[kept - 1], words->items[i])) words->items[kept++] = words->items[i];
  words->count = kept;
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

size_t model_complete(struct model *model, struct arena *arena, const char *line, size_t cursor, const char ***words,
                      size_t *count) {
  size_t begin = word_begin(line, cursor);
  while (begin < cursor && !isalpha((unsigned char)line[begin]))
    begin++; /* 3..workers, -workers */
  struct completer k = {.c = model->loading->checker, .arena = arena, .length = cursor - begin};
  k.word = arena_copy(arena, line + begin, k.length);
  const char *point = strrchr(k.word, '.');
  size_t clause = clause_begin(line, begin), last = begin;
  while (last > clause && !strchr(",{=", line[last - 1]))
    last--;
  if (wants_unit(line, begin))
    offer_table(&k, SPACE_UNIT);
  else if (point) {
    offer_members(&k, point);
    if (is_of_study(line, begin)) offer_results(&k, point);
  } else if (follows(line, begin, "use"))
    offer_uses(&k);
  else if (clause && last && line[last - 1] != '=')
    offer_attributes(&k);
  else if (clause && last && follows(line, last - 1, "domain"))
    offer_table(&k, SPACE_DOMAIN);
  else
    offer_names(&k);
  sort_words(&k.words);
  *words = k.words.items;
  *count = k.words.count;
  return begin;
}
