/* Reads traces in Chrome's format as chrome_output.c writes them: a slice is an operation by its name, and its
 * arguments are the fields of that; a region begins and ends. Flows and times draw the same once more. */
#include "evaluators/programs/fields.h"
#include "evaluators/programs/import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64, TEXT_MOST = 1 << 20, ITEMS_MOST = 1 << 24 };

struct value {
  enum { VALUE_NONE, VALUE_A_NUMBER, VALUE_A_TEXT, VALUE_A_LIST } kind;
  double number;
  size_t from, count; /* of a text: where it begins; of a list: its first item, and how many */
};
struct argument {
  size_t name;
  struct value value;
};
struct reading {
  FILE *file;
  const char *name; /* of the file */
  struct program_error *error;
  struct import *import; /* NULL: there has been no operation yet */
  uint32_t ranks;
  double first; /* the thread of rank 0 */
  uint64_t line;
  int at; /* the character in hand */
  /* Of the event in hand. */
  char *text;
  struct value *items;
  struct argument *arguments;
  double *numbers;
  void *room;
  size_t text_size, text_room, item_count, item_room, argument_count, argument_room, number_room;
  struct value event_name, category, phase, thread;
};

static bool wrong(struct reading *r, const char *what) {
  snprintf(r->error->text, sizeof r->error->text, "%.60s:%llu: %.90s", r->name, (unsigned long long)r->line, what);
  return false;
}

/* ---- JSON ---- */

static void step(struct reading *r) {
  r->line += r->at == '\n';
  r->at = getc_unlocked(r->file);
}

static void skip_space(struct reading *r) {
  while (r->at == ' ' || r->at == '\n' || r->at == '\t' || r->at == '\r')
    step(r);
}

static bool expect(struct reading *r, char wanted) {
  skip_space(r);
  if (r->at != wanted) return wrong(r, "it is no JSON");
  step(r);
  return true;
}

/* Room for one more item, twice as much as there was. */
static bool grow(struct reading *r, void *items, size_t count, size_t *room, size_t size, size_t most) {
  void *old, *grown;
  if (count < *room) return true;
  if (count >= most) return wrong(r, "an event is too large");
  size_t larger = *room ? 2 * *room : 64;
  memcpy(&old, items, sizeof old);
  if (!(grown = realloc(old, larger * size))) return wrong(r, "there is no memory for an event");
  memcpy(items, &grown, sizeof grown);
  *room = larger;
  return true;
}

static bool text_add(struct reading *r, int c) {
  if (!grow(r, &r->text, r->text_size, &r->text_room, 1, TEXT_MOST)) return false;
  r->text[r->text_size++] = (char)c;
  return true;
}

static bool code_read(struct reading *r, unsigned *code) {
  *code = 0;
  for (int k = 0; k < 4; k++, step(r)) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *digit = r->at > 0 ? strchr(digits, r->at) : NULL;
    if (!digit) return wrong(r, "it is no JSON");
    *code = 16 * *code + (unsigned)(digit - digits < 16 ? digit - digits : digit - digits - 6);
  }
  return true;
}

/* As UTF-8 has it; halves of pairs stand for themselves. */
static bool escape_read(struct reading *r) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char *plain = r->at > 0 ? strchr(from, r->at) : NULL;
  unsigned code;
  bool hexadecimal = r->at == 'u';
  if (!plain && !hexadecimal) return wrong(r, "it is no JSON");
  step(r);
  if (plain) return text_add(r, to[plain - from]);
  if (!code_read(r, &code)) return false;
  if (code < 0x80) return code ? text_add(r, (int)code) : wrong(r, "a text with a character 0");
  if (code >= 0x800 && !text_add(r, (int)(0xe0 | code >> 12))) return false;
  return text_add(r, (int)(code < 0x800 ? 0xc0 | code >> 6 : 0x80 | (code >> 6 & 0x3f))) &&
         text_add(r, (int)(0x80 | (code & 0x3f)));
}

static bool string_read(struct reading *r, size_t *from) {
  if (!expect(r, '"')) return false;
  *from = r->text_size;
  while (r->at != '"') {
    bool escaped = r->at == '\\';
    if (r->at < 0x20) return wrong(r, "it is no JSON");
    int c = r->at;
    step(r);
    if (!(escaped ? escape_read(r) : text_add(r, c))) return false;
  }
  step(r);
  return text_add(r, 0);
}

static bool number_read(struct reading *r, double *number) {
  char digits[64], *end;
  size_t size = 0;
  for (; size < sizeof digits - 1 && r->at > 0 && strchr("+-.0123456789eE", r->at); step(r))
    digits[size++] = (char)r->at;
  digits[size] = '\0';
  *number = strtod(digits, &end);
  return size && !*end ? true : wrong(r, "it is no JSON");
}

static bool value_read(struct reading *r, struct value *value, unsigned depth);

static bool list_read(struct reading *r, struct value *list, unsigned depth) {
  list->kind = VALUE_A_LIST;
  list->from = r->item_count;
  if (!expect(r, '[')) return false;
  for (skip_space(r); r->at != ']'; skip_space(r)) {
    struct value item = {0};
    if (list->count && !expect(r, ',')) return false;
    if (!value_read(r, &item, depth + 1)) return false;
    if (item.kind == VALUE_A_LIST) r->item_count = list->from + list->count; /* lists of lists say nothing here */
    if (!grow(r, &r->items, r->item_count, &r->item_room, sizeof *r->items, ITEMS_MOST)) return false;
    r->items[r->item_count++] = item;
    list->count++;
  }
  step(r);
  return true;
}

/* Members that `take` gets by their names. */
static bool object_read(struct reading *r, unsigned depth,
                        bool (*take)(struct reading *r, size_t name, unsigned depth)) {
  if (!expect(r, '{')) return false;
  size_t count = 0, name;
  for (skip_space(r); r->at != '}'; skip_space(r), count++)
    if ((count && !expect(r, ',')) || !string_read(r, &name) || !expect(r, ':') || !take(r, name, depth)) return false;
  step(r);
  return true;
}

static bool ignore(struct reading *r, size_t name, unsigned depth) {
  struct value value = {0};
  (void)name;
  return value_read(r, &value, depth + 1);
}

static bool word_skip(struct reading *r) {
  while (r->at >= 'a' && r->at <= 'z')
    step(r);
  return true;
}

static bool value_read(struct reading *r, struct value *value, unsigned depth) {
  skip_space(r);
  if (depth > DEPTH_MOST) return wrong(r, "values are nested too deep");
  if (r->at == '{') return object_read(r, depth, ignore);
  if (r->at == '[') return list_read(r, value, depth);
  if (r->at == 't' || r->at == 'f' || r->at == 'n') return word_skip(r);
  value->kind = r->at == '"' ? VALUE_A_TEXT : VALUE_A_NUMBER;
  return r->at == '"' ? string_read(r, &value->from) : number_read(r, &value->number);
}

/* ---- events ---- */

static bool argument_take(struct reading *r, size_t name, unsigned depth) {
  if (!grow(r, &r->arguments, r->argument_count, &r->argument_room, sizeof *r->arguments, ITEMS_MOST)) return false;
  struct argument argument = {name, {0}};
  if (!value_read(r, &argument.value, depth + 1)) return false;
  r->arguments[r->argument_count++] = argument;
  return true;
}

static bool member_take(struct reading *r, size_t name, unsigned depth) {
  const char *text = r->text + name;
  struct value unknown = {0}, *value = !strcmp(text, "name")  ? &r->event_name
                                       : !strcmp(text, "cat") ? &r->category
                                       : !strcmp(text, "ph")  ? &r->phase
                                       : !strcmp(text, "tid") ? &r->thread
                                                              : &unknown;
  skip_space(r);
  if (!strcmp(text, "args") && r->at == '{') return object_read(r, depth + 1, argument_take);
  return value_read(r, value, depth + 1);
}

static const char *text_of(const struct reading *r, const struct value *value) {
  return value->kind == VALUE_A_TEXT ? r->text + value->from : "";
}

/* The numbers of a list behind those that are there already. */
static bool numbers_of(struct reading *r, const struct value *value, size_t *used, const double **numbers) {
  *numbers = r->numbers + *used;
  if (value->kind == VALUE_A_NUMBER) r->numbers[(*used)++] = value->number;
  for (size_t k = 0; value->kind == VALUE_A_LIST && k < value->count; k++) {
    const struct value *item = &r->items[value->from + k];
    if (item->kind != VALUE_A_NUMBER) return false;
    r->numbers[(*used)++] = item->number;
  }
  return value->kind == VALUE_A_NUMBER || value->kind == VALUE_A_LIST;
}

static bool site_set(struct reading *r, struct program_operation *o, const struct value *value) {
  const struct value *item = &r->items[value->from];
  if (value->kind != VALUE_A_LIST || value->count != 4 || item[2].kind != VALUE_A_NUMBER ||
      !(item[2].number >= 0 && item[2].number <= UINT32_MAX))
    return false;
  const char *file = text_of(r, &item[0]), *function = text_of(r, &item[1]);
  const struct program_site site = {*file ? file : NULL, *function ? function : NULL, (uint32_t)item[2].number,
                                    strtoull(text_of(r, &item[3]), NULL, 16)};
  o->site = import_site(r->import, &site);
  return true;
}

static bool argument_set(struct reading *r, struct program_operation *o, const struct argument *a, size_t *used) {
  const char *name = r->text + a->name;
  const double *numbers;
  if (strcmp(name, "at") == 0) return site_set(r, o, &a->value);
  const struct program_field_row *row = program_field_named(name, o->kind);
  if (!row) return true;
  if (a->value.kind == VALUE_A_TEXT && row->value == VALUE_KEY)
    program_field_set_key(row, o, strtoull(text_of(r, &a->value), NULL, 16));
  else if (a->value.kind == VALUE_A_TEXT && row->value == VALUE_TEXT)
    program_field_set_text(row, o, text_of(r, &a->value));
  else {
    void *room = (double *)r->room + *used;
    return numbers_of(r, &a->value, used, &numbers) &&
           program_field_set(row, o, numbers, (uint32_t)(r->numbers + *used - numbers), room);
  }
  return true;
}

/* Room for all numbers of the event, and for what becomes of them. */
static bool rooms(struct reading *r) {
  size_t most = r->item_count + r->argument_count + 1;
  if (most <= r->number_room) return true;
  free(r->numbers);
  free(r->room);
  r->number_room = 2 * most;
  r->numbers = malloc(r->number_room * sizeof *r->numbers);
  r->room = malloc(r->number_room * sizeof *r->numbers);
  return (r->numbers && r->room) || wrong(r, "there is no memory for an event");
}

static bool operation_take(struct reading *r, int kind) {
  struct program_operation o = {.kind = (enum program_kind)kind};
  size_t used = 0;
  if (kind < 0) return wrong(r, "it has no such operation");
  if (!r->ranks) return wrong(r, "an operation before the names of the ranks");
  if (!r->import && !(r->import = import_open(r->ranks, r->error))) return false;
  double rank = r->thread.number - r->first;
  if (r->thread.kind != VALUE_A_NUMBER || !(rank >= 0 && rank < r->ranks)) return wrong(r, "a thread that is no rank");
  if (!rooms(r)) return false;
  for (size_t k = 0; k < r->argument_count; k++)
    if (!argument_set(r, &o, &r->arguments[k], &used)) return wrong(r, "an argument that is none of this operation");
  if (import_put(r->import, (uint32_t)rank, &o, r->error)) return true;
  char text[sizeof r->error->text];
  memcpy(text, r->error->text, sizeof text);
  return wrong(r, text);
}

static bool rank_named(struct reading *r) {
  if (strcmp(text_of(r, &r->event_name), "thread_name") != 0) return true;
  if (!r->ranks) r->first = r->thread.number;
  if (r->import || r->thread.kind != VALUE_A_NUMBER || r->thread.number != r->first + r->ranks || r->ranks >= 1 << 20)
    return wrong(r, "ranks are not named in order");
  r->ranks++;
  return true;
}

static bool event_take(struct reading *r) {
  switch (*text_of(r, &r->phase)) {
  case 'M': return rank_named(r);
  case 'X': return operation_take(r, program_kind_named(text_of(r, &r->event_name)));
  case 'B': return operation_take(r, PROGRAM_ENTER);
  case 'E': return strcmp(text_of(r, &r->category), "region") == 0 ? operation_take(r, PROGRAM_LEAVE) : true;
  default: return true;
  }
}

static bool events_read(struct reading *r, size_t name, unsigned depth) {
  const struct value none = {0};
  skip_space(r);
  if (strcmp(r->text + name, "traceEvents") != 0 || r->at != '[') return ignore(r, name, depth);
  step(r);
  bool first = true;
  for (skip_space(r); r->at != ']'; skip_space(r), first = false) {
    if (!first && !expect(r, ',')) return false;
    r->text_size = r->item_count = r->argument_count = 0;
    r->event_name = r->category = r->phase = r->thread = none;
    if (!object_read(r, depth, member_take) || !event_take(r)) return false;
  }
  step(r);
  return true;
}

/* ---- the source ---- */

static bool chrome_recognise(const char *path, const char *head, size_t size) {
  (void)path, (void)size;
  return *head == '{' && strstr(head, "\"traceEvents\"") && strstr(head, "\"rank 0\"");
}

static struct program_source *chrome_open(const char *path, struct program_error *error) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  struct reading r = {.file = fopen(path, "re"), .name = name, .error = error, .line = 1, .at = ' '};
  struct program_source *source = NULL;
  if (!r.file) return snprintf(error->text, sizeof error->text, "%.80s: %s", name, strerror(errno)), NULL;
  bool fine = object_read(&r, 0, events_read);
  if (fine && !r.import) fine = wrong(&r, "it has no operations");
  if (fine)
    source = import_source(r.import, &chrome_source, error);
  else
    import_drop(r.import);
  fclose(r.file);
  free(r.text), free(r.items), free(r.arguments), free(r.numbers), free(r.room);
  return source;
}

const struct program_source_kind chrome_source = {
    .name = "trace of Chrome",
    .recognise = chrome_recognise,
    .open = chrome_open,
    .next = imported_next,
    .place = imported_place,
    .close = imported_close,
};
