/* Values: equality, the copies that slots keep, and printing.  The evaluators of expressions, the executor's
 * slots and the reports call it. */
#include "interp/model/value.h"
#include "interp/model/distribution.h"
#include <string.h>

/* Objects. */

static size_t object_size(enum value_kind kind, uint32_t count) {
  size_t header = offsetof(struct object, items);
  switch (kind) {
  case VALUE_STRING: return header + count + 1;
  case VALUE_LIST:
  case VALUE_RECORD: return header + sizeof(struct value) * count;
  case VALUE_RANGE: return header + 2 * sizeof(double);
  case VALUE_DISTRIBUTION: return offsetof(struct object, distribution.sample) + sizeof(double) * count;
  case VALUE_NONE:
  case VALUE_INT:
  case VALUE_REAL:
  case VALUE_BOOL:
  case VALUE_TERM:
  case VALUE_SIGNAL: break;
  }
  return 0;
}

struct value value_object(struct arena *arena, enum value_kind kind, uint32_t count) {
  size_t size = object_size(kind, count);
  struct object *object = arena_alloc(arena, size);
  object->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
  object->count = count;
  return (struct value){.kind = kind, .object = object};
}

struct value value_string(struct arena *arena, const char *text, size_t length) {
  struct value value = value_object(arena, VALUE_STRING, (uint32_t)length);
  memcpy(value.object->text, text, length);
  return value;
}

struct value value_range(struct arena *arena, double low, double high) {
  struct value value = value_object(arena, VALUE_RANGE, 0);
  value.object->range.low = low;
  value.object->range.high = high;
  return value;
}

/* Equality. */

static bool objects_equal(enum value_kind kind, const struct object *a, const struct object *b) {
  if (a == b) return true;
  if (a->count != b->count) return false;
  if (kind == VALUE_STRING) return !memcmp(a->text, b->text, a->count);
  if (kind == VALUE_RANGE) return a->range.low == b->range.low && a->range.high == b->range.high;
  if (kind == VALUE_DISTRIBUTION)
    return a->distribution.kind == b->distribution.kind && a->distribution.a == b->distribution.a &&
           a->distribution.b == b->distribution.b && a->distribution.c == b->distribution.c &&
           a->distribution.d == b->distribution.d && a->distribution.scale == b->distribution.scale &&
           a->distribution.shift == b->distribution.shift &&
           !memcmp(a->distribution.sample, b->distribution.sample, sizeof(double) * a->count);
  for (uint32_t i = 0; i < a->count; i++)
    if (!value_equal(a->items[i], b->items[i])) return false;
  return true;
}

bool value_equal(struct value a, struct value b) {
  if (a.kind != b.kind) {
    if (a.kind == VALUE_INT && b.kind == VALUE_REAL) return (double)a.integer == b.real;
    return a.kind == VALUE_REAL && b.kind == VALUE_INT && a.real == (double)b.integer;
  }
  switch (a.kind) {
  case VALUE_NONE:
  case VALUE_SIGNAL: return true;
  case VALUE_INT: return a.integer == b.integer;
  case VALUE_REAL: return a.real == b.real;
  case VALUE_BOOL: return a.boolean == b.boolean;
  case VALUE_TERM: return a.term.head == b.term.head && a.term.qualifier == b.term.qualifier;
  case VALUE_STRING:
  case VALUE_LIST:
  case VALUE_RECORD:
  case VALUE_RANGE:
  case VALUE_DISTRIBUTION: return objects_equal(a.kind, a.object, b.object);
  }
  return false;
}

static uint64_t hash_word(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

static uint64_t hash_real(uint64_t hash, double x) {
  uint64_t bits;
  x = x == 0 ? 0 : x; /* the two zeros are equal */
  memcpy(&bits, &x, sizeof bits);
  return hash_word(hash, bits);
}

uint64_t value_hash(struct value value) {
  uint64_t hash = hash_word(0, (uint64_t)value.kind);
  switch (value.kind) {
  case VALUE_NONE:
  case VALUE_SIGNAL: break;
  case VALUE_INT: return hash_word(hash, (uint64_t)value.integer);
  case VALUE_REAL: return hash_real(hash, value.real);
  case VALUE_BOOL: return hash_word(hash, value.boolean);
  case VALUE_TERM: return hash_word(hash, (uint64_t)value.term.head << 32 | value.term.qualifier);
  case VALUE_STRING:
    for (uint32_t i = 0; i < value.object->count; i++)
      hash = hash_word(hash, (unsigned char)value.object->text[i]);
    break;
  case VALUE_LIST:
  case VALUE_RECORD:
    for (uint32_t i = 0; i < value.object->count; i++)
      hash = hash_word(hash, value_hash(value.object->items[i]));
    break;
  case VALUE_RANGE: return hash_real(hash_real(hash, value.object->range.low), value.object->range.high);
  case VALUE_DISTRIBUTION:
    hash = hash_word(hash, (uint64_t)value.object->distribution.kind);
    hash = hash_real(hash_real(hash, value.object->distribution.a), value.object->distribution.scale);
    break;
  }
  return hash;
}

bool term_matches(struct term wanted, struct term offered) {
  return wanted.head == offered.head && (!wanted.qualifier || wanted.qualifier == offered.qualifier);
}

/* Kept copies. */

/* constant: the copy is marked so, and what is constant already is copied too. */
static struct value copy_value(struct slabs *keep, struct value value, bool constant) {
  if (!value_is_object(value) || (value.object->constant && !constant)) return value;
  size_t size = object_size(value.kind, value.object->count);
  struct object *copy = slab_take(keep, size);
  memcpy(copy, value.object, size);
  copy->constant = constant;
  if (value.kind == VALUE_LIST || value.kind == VALUE_RECORD)
    for (uint32_t i = 0; i < copy->count; i++)
      copy->items[i] = copy_value(keep, copy->items[i], constant);
  value.object = copy;
  return value;
}

static void free_value(struct slabs *keep, struct value value, bool constant) {
  if (!value_is_object(value) || (value.object->constant && !constant)) return;
  if (value.kind == VALUE_LIST || value.kind == VALUE_RECORD)
    for (uint32_t i = 0; i < value.object->count; i++)
      free_value(keep, value.object->items[i], constant);
  slab_give(keep, value.object, object_size(value.kind, value.object->count));
}

struct value value_keep(struct slabs *keep, struct value value) {
  return copy_value(keep, value, false);
}

void value_drop(struct slabs *keep, struct value value) { free_value(keep, value, false); }

struct value value_constant(struct slabs *keep, struct value value) {
  return copy_value(keep, value, true);
}

void value_release(struct slabs *keep, struct value value) { free_value(keep, value, true); }

/* Printing. */

static void items_print(struct text *out, const struct types *types, const struct names *names, const struct type *type,
                        const struct object *list, int digits) {
  const struct type *element = type && type->kind == TYPE_LIST ? type->element : NULL;
  text_char(out, '[');
  for (uint32_t i = 0; i < list->count; i++) {
    text_put(out, i ? ", " : "");
    value_print(out, types, names, element, list->items[i], digits);
  }
  text_char(out, ']');
}

static void fields_print(struct text *out, const struct types *types, const struct names *names,
                         const struct type *type, const struct object *record, int digits) {
  const struct type_field *fields = type && type->kind == TYPE_RECORD ? type->fields : NULL;
  text_put(out, "{ ");
  for (uint32_t i = 0; i < record->count; i++) {
    text_put(out, i ? ", " : "");
    if (fields) text_printf(out, "%s = ", fields[i].name->text);
    value_print(out, types, names, fields ? fields[i].type : NULL, record->items[i], digits);
  }
  text_put(out, " }");
}

static void term_print(struct text *out, const struct names *names, struct term term) {
  text_put(out, name_written(names, term.head)->text);
  if (term.qualifier) text_printf(out, "[%s]", name_written(names, term.qualifier)->text);
}

void value_print(struct text *out, const struct types *types, const struct names *names, const struct type *type,
                 struct value value, int digits) {
  struct dimension dimension = type ? type->dimension : (struct dimension){{0}};
  switch (value.kind) {
  case VALUE_NONE: text_put(out, "no value"); return;
  case VALUE_SIGNAL: text_put(out, "signal"); return;
  case VALUE_INT:
    if (dimension_none(dimension))
      text_printf(out, "%lld", (long long)value.integer);
    else
      quantity_print(out, types, (double)value.integer, dimension, digits);
    return;
  case VALUE_REAL: quantity_print(out, types, value.real, dimension, digits); return;
  case VALUE_BOOL: text_put(out, value.boolean ? "true" : "false"); return;
  case VALUE_TERM: term_print(out, names, value.term); return;
  case VALUE_STRING: text_json(out, value.object->text); return;
  case VALUE_LIST: items_print(out, types, names, type, value.object, digits); return;
  case VALUE_RECORD: fields_print(out, types, names, type, value.object, digits); return;
  case VALUE_RANGE:
    quantity_print(out, types, value.object->range.low, dimension, digits);
    text_put(out, " .. ");
    quantity_print(out, types, value.object->range.high, dimension, digits);
    return;
  case VALUE_DISTRIBUTION: distribution_print(out, types, type, value.object, digits); return;
  }
}
