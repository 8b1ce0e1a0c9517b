/* What the checker says: each diagnostic once (a `like` component is checked as its original was), with types
 * and expressions as a person writes them, and the "did you mean" over whatever could stand there. */
#include "interp/check/checker.h"
#include "interp/model/random.h"

#include <string.h>

enum { SHOWN_MAX = 48 };

static bool said_before(struct checker *c, struct span span, const char *text) {
  uint64_t hash = random_hash(text, strlen(text)) ^ ((uint64_t)span.begin << 32 | span.end);
  bool known;
  map_add(c->arena, &c->reported, hash, 0, &known);
  return known;
}

static void report(struct checker *c, enum severity severity, struct span span, const char *format, va_list arguments) {
  struct text text = {.arena = c->arena};
  text_vprintf(&text, format, arguments);
  const char *said = text.data ? text.data : "";
  c->quiet = (c->repeated && severity == SEVERITY_WARNING) || said_before(c, span, said);
  if (!c->quiet) diagnostic_add(c->d, severity, span, "%s", said);
}

void check_error(struct checker *c, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(c, SEVERITY_ERROR, span, format, arguments);
  va_end(arguments);
}

void check_warning(struct checker *c, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(c, SEVERITY_WARNING, span, format, arguments);
  va_end(arguments);
}

/* Belongs to the message before: where that was not said, neither is this. */
static const char *beside(struct checker *c, const char *format, va_list arguments) {
  if (c->quiet) return NULL;
  struct text text = {.arena = c->arena};
  text_vprintf(&text, format, arguments);
  return text.data ? text.data : "";
}

void check_note(struct checker *c, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *said = beside(c, format, arguments);
  va_end(arguments);
  if (said) diagnostic_note(c->d, span, "%s", said);
}

void check_help(struct checker *c, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *said = beside(c, format, arguments);
  va_end(arguments);
  if (said) diagnostic_help(c->d, span, "%s", said);
}

enum { RECORD_SHOWN = 120 }; /* letters of a record's type; a longer one, as `last` has, says no more than its size */

const char *type_text(struct checker *c, const struct type *type) {
  struct text text = {.arena = c->arena};
  if (type->kind == TYPE_VOID) return "nothing";
  type_print(&text, &c->model->types, type);
  if (type->kind == TYPE_RECORD && text.size > RECORD_SHOWN)
    return arena_printf(c->arena, "a record of %u fields", type->field_count);
  return text.data ? text.data : "";
}

const char *expr_text(struct checker *c, const struct expr *expr) {
  const struct source *source = source_of(c->model->sources, expr->span.begin);
  struct text text = {.arena = c->arena};
  if (!source) return "";
  const char *from = source->text + (expr->span.begin - source->base);
  size_t size = expr->span.end - expr->span.begin;
  size_t shown = 0;
  bool blank = false;
  for (size_t i = 0; i < size && shown < SHOWN_MAX; i++) {
    bool is_blank = from[i] == ' ' || from[i] == '\n' || from[i] == '\t' || from[i] == '\r';
    if (!is_blank || !blank) text_char(&text, is_blank ? ' ' : from[i]), shown++;
    blank = is_blank;
  }
  while (shown == SHOWN_MAX && text.size && ((unsigned char)text.data[text.size - 1] & 0x80))
    text.data[--text.size] = 0;
  if (shown == SHOWN_MAX) text_put(&text, "…");
  return text.data ? text.data : "";
}

const char *unit_example(struct checker *c, struct dimension dimension) {
  struct text text = {.arena = c->arena};
  unit_print(&text, &c->model->types, dimension);
  return text.data ? text.data : "";
}

/* What nobody is told needs no words. */
void words_add(struct checker *c, struct words_list *list, const char *word) {
  if (!diagnostics_told(c->d)) return;
  ARENA_PUSH(c->arena, list->items, list->count, list->capacity, word);
}

void words_add_scope(struct checker *c, struct words_list *list, const struct scope *scope) {
  for (; scope && diagnostics_told(c->d); scope = scope->outer)
    for (uint32_t i = 0; i < scope->count; i++)
      words_add(c, list, scope->items[i]->name->text);
}

void words_add_table(struct checker *c, struct words_list *list, const struct table *table) {
  for (uint32_t i = 0; i < table->count && diagnostics_told(c->d); i++)
    words_add(c, list, table->items[i]->name->text);
}

const char *words_text(struct checker *c, const struct words_list *list) {
  struct text text = {.arena = c->arena};
  for (uint32_t i = 0; i < list->count; i++)
    text_printf(&text, "%s'%s'", i ? ", " : "", list->items[i]);
  return text.data;
}

bool check_habit(struct checker *c, enum habit_place place, const char *word) {
  const char *help = c->quiet ? NULL : habit_help(place, word, strlen(word));
  if (help) check_help(c, (struct span){0, 0}, "%s", help);
  return help;
}

bool check_habit_of(struct checker *c, enum habit_place place, const char *word, const struct words_list *list) {
  size_t length;
  const char *meant = habit_word(place, word, strlen(word), &length);
  bool listed = meant == word; /* no one word is meant */
  for (uint32_t i = 0; !listed && i < list->count; i++)
    listed = strlen(list->items[i]) == length && !strncmp(list->items[i], meant, length);
  return listed && check_habit(c, place, word);
}

/* The params of a machine, by what they are: of LogGP, of Dimemas, of LogGOPS. */
bool check_figure(struct checker *c, const char *word, const struct words_list *params) {
  bool dimemas = false, loggops = false;
  for (uint32_t i = 0; i < params->count; i++) {
    dimemas |= !strcmp(params->items[i], "cpu-ratio");
    loggops |= !strcmp(params->items[i], "O");
  }
  return (dimemas && check_habit_of(c, HABIT_DIMEMAS, word, params)) ||
         (loggops && check_habit(c, HABIT_LOGGOPS, word)) ||
         (words_of_machine(params) && check_habit(c, HABIT_MACHINE, word));
}

bool is_bracketed(const struct expr *expr) {
  return expr->kind == EXPR_LIST && expr->list.count == 1 && expr->list.items[0]->kind == EXPR_RANGE;
}

bool check_bracketed(struct checker *c, const struct expr *expr) {
  if (!is_bracketed(expr)) return false;
  check_help(c, (struct span){0, 0}, "a range stands without brackets: %s", expr_text(c, expr->list.items[0]));
  return true;
}

bool words_of_machine(const struct words_list *params) {
  unsigned found = 0;
  for (uint32_t i = 0; i < params->count; i++)
    found += !strcmp(params->items[i], "G") || !strcmp(params->items[i], "os");
  return found == 2;
}

bool check_machine(struct checker *c, const char *word) {
  const struct symbol *gap = table_first(c, SPACE_VALUE, name_of(c->model->names, "G"));
  return gap && source_is(gap->file, "stdlib/message-cost.psl") && check_habit(c, HABIT_MACHINE, word);
}

bool check_meant(struct checker *c, const char *word, const struct words_list *list) {
  if (c->quiet) return false;
  const char *near = nearest_name(word, list->items, list->count);
  bool found = near && strcmp(near, word);
  if (found) check_help(c, (struct span){0, 0}, "did you mean '%s'?", near);
  return found;
}

bool has_word(const char *name, const char *word) {
  size_t length = strlen(word);
  for (const char *at = name; (at = strstr(at, word)); at++)
    if ((at == name || at[-1] == '-') && (!at[length] || at[length] == '-')) return true;
  return false;
}

bool check_part_meant(struct checker *c, const char *word, const struct words_list *list) {
  if (check_meant(c, word, list)) return true;
  if (c->quiet) return false;
  for (uint32_t i = 0; i < list->count; i++)
    if (has_word(list->items[i], word)) {
      check_help(c, (struct span){0, 0}, "did you mean '%s'?", list->items[i]);
      return true;
    }
  return false;
}
