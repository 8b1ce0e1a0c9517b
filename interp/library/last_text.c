/* The results of a session's last run as a person reads them: `last` alone says in a few lines what there is, and
 * `:last` has a line a figure.  Called by answer.c, which has the record as a value. */
#include "interp/library/handle.h"

#include <string.h>

enum { NAMED = 12, DIGITS = 6 }; /* names of a kind that are listed */

static bool has_field(const struct type *record, const char *name) {
  for (uint32_t i = 0; i < record->field_count; i++)
    if (!strcmp(record->fields[i].name->text, name)) return true;
  return false;
}

/* Where the indices of worker_0 or stage_1_0 begin, if there is a `worker`; 0: it is no instance. */
static size_t indices_of(const struct type *last, const char *field) {
  size_t at = strlen(field);
  while (at && strchr("_-0123456789", field[at - 1]))
    at--;
  if (field[at] != '_') return 0;
  for (uint32_t i = 0; i < last->field_count; i++)
    if (!strncmp(last->fields[i].name->text, field, at) && !last->fields[i].name->text[at]) return at;
  return 0;
}

/* worker[0], stage[1, 0] */
static void put_instance(struct text *out, const char *field, size_t indices) {
  text_put_n(out, field, indices);
  for (const char *at = field + indices; *at; at++)
    if (*at == '_')
      text_put(out, at == field + indices ? "[" : ", ");
    else
      text_char(out, *at);
  text_char(out, ']');
}

enum group { NUMBERS, COMPONENTS, RECORDS, PARTS };

static enum group group_of(const struct type *type) {
  if (type->kind != TYPE_RECORD) return NUMBERS;
  return has_field(type, "count") ? RECORDS : COMPONENTS;
}

/* `worker (worker[0] to worker[7])` */
static void put_component(struct text *out, const struct type *last, const char *name) {
  const char *first = NULL, *end = NULL;
  for (uint32_t i = 0; i < last->field_count; i++) {
    const char *field = last->fields[i].name->text;
    size_t indices = indices_of(last, field);
    if (indices != strlen(name) || strncmp(field, name, indices)) continue;
    if (!first) first = field;
    end = field;
  }
  text_put(out, name);
  if (!first) return;
  text_put(out, " (");
  put_instance(out, first, strlen(name));
  if (end != first) {
    text_put(out, " to ");
    put_instance(out, end, strlen(name));
  }
  text_char(out, ')');
}

static void put_group(struct text *out, const struct psl *psl, const struct type *last, struct value value,
                      enum group group) {
  static const char *const heads[PARTS] = {"", "components  ", "recorded    "};
  uint32_t count = 0;
  for (uint32_t i = 0; i < last->field_count; i++) {
    const char *name = last->fields[i].name->text;
    const struct type *type = last->fields[i].type;
    if (group_of(type) != group || indices_of(last, name)) continue;
    if (count++ >= NAMED) continue;
    text_put(out, count > 1 ? ", " : out->size ? "\n" : "");
    if (count == 1) text_put(out, heads[group]);
    if (group == COMPONENTS)
      put_component(out, last, name);
    else
      text_put(out, name);
    if (group != NUMBERS) continue;
    text_put(out, " = ");
    value_print(out, &psl->model.types, psl->model.names, type, value.object->items[i], DIGITS);
  }
  if (count > NAMED) text_printf(out, " and %u more", count - NAMED);
}

void last_put_short(struct text *out, const struct psl *psl, const struct type *last, struct value value) {
  for (enum group group = NUMBERS; group < PARTS; group++)
    put_group(out, psl, last, value, group);
  text_put(out, "\n':last' has all figures, ':last NAME' those of one of these");
}

void last_put_lines(struct text *out, const struct psl *psl, const char *name, const struct type *type,
                    struct value value) {
  if (type->kind == TYPE_RECORD) {
    for (uint32_t i = 0; i < type->field_count; i++)
      last_put_lines(out, psl, arena_printf(out->arena, "%s.%s", name, type->fields[i].name->text),
                     type->fields[i].type, value.object->items[i]);
    return;
  }
  text_printf(out, "%s = ", name);
  value_print(out, &psl->model.types, psl->model.names, type, value, DIGITS);
  text_char(out, '\n');
}
