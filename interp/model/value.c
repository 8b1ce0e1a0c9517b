/* Values: equality, copies, slots, and printing.  The evaluators of expressions, the executor's slots and the reports
 * call it. */
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
  case VALUE_RANGE: return header + 3 * sizeof(double) + sizeof(uint64_t) + 2 * sizeof(int64_t);
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

/* As many values as take so much memory. */
static uint32_t size_of_bytes(size_t size) {
  size_t values = size / sizeof(struct value);
  return values < VALUE_SIZE ? (uint32_t)values : VALUE_SIZE;
}

struct value value_object(struct arena *arena, enum value_kind kind, uint32_t count) {
  size_t size = object_size(kind, count);
  struct object *object = arena_alloc(arena, size);
  object->count = count;
  object->size = kind == VALUE_LIST || kind == VALUE_RECORD ? 0 : size_of_bytes(size);
  return (struct value){.kind = kind, .object = object};
}

struct value value_string(struct arena *arena, const char *text, size_t length) {
  struct value value = value_object(arena, VALUE_STRING, (uint32_t)length);
  memcpy(value.object->text, text, length);
  return value;
}

static double as_real(struct value number) { return number.kind == VALUE_INT ? (double)number.integer : number.real; }

struct value value_range_between(struct arena *arena, struct value low, struct value high) {
  uint32_t whole = (low.kind == VALUE_INT ? WHOLE_LOW : 0) | (high.kind == VALUE_INT ? WHOLE_HIGH : 0);
  struct value value = value_object(arena, VALUE_RANGE, whole);
  value.object->range.low = as_real(low);
  value.object->range.high = as_real(high);
  value.object->range.middle = as_real(low) + (as_real(high) - as_real(low)) / 2;
  value.object->range.first = whole & WHOLE_LOW ? low.integer : 0;
  value.object->range.last = whole & WHOLE_HIGH ? high.integer : 0;
  return value;
}

struct value value_range(struct arena *arena, double low, double middle, double high, uint64_t sources) {
  struct value value = value_range_between(arena, value_real(low), value_real(high));
  value.object->range.middle = middle;
  value.object->range.sources = sources;
  return value;
}

uint64_t value_sources(struct value value) { return value.kind == VALUE_RANGE ? value.object->range.sources : 0; }

static bool has_items(enum value_kind kind) { return kind == VALUE_LIST || kind == VALUE_RECORD; }

static uint32_t size_of(struct value value) { return value_is_object(value) ? value.object->size : 1; }

bool value_seal(struct value value) {
  uint64_t size = 1;
  if (!value_is_object(value) || value.object->size) return true;
  for (uint32_t i = 0; i < value.object->count; i++) {
    if (!value_seal(value.object->items[i])) return false;
    size += size_of(value.object->items[i]);
    if (size > VALUE_SIZE) return false;
  }
  value.object->size = (uint32_t)size;
  return true;
}

/* Equality. */

/* Pairs of large objects that have been found equal: parts that are shared are compared once, as a rule. */
enum { SEEN = 256, SEEN_LEAST = 32 };

struct equals {
  bool begun;
  bool numbers;   /* a range is a number that lies in it; else it is a value of its own */
  bool uncertain; /* with numbers: some have been met that may be equal */
  struct {
    const struct object *a, *b;
  } seen[SEEN];
};

static uint32_t place_of(const void *a, const void *b) {
  uint64_t hash = ((uintptr_t)a ^ (uintptr_t)b << 7) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash >> 32) % SEEN;
}

static bool values_equal(struct equals *equals, struct value a, struct value b);

static bool items_equal(struct equals *equals, const struct object *a, const struct object *b) {
  uint32_t place = place_of(a, b);
  if (!equals->numbers && a->size != b->size) return false; /* a range has another size than a number */
  if (a->size >= SEEN_LEAST) {
    if (!equals->begun) memset(equals->seen, 0, sizeof equals->seen);
    equals->begun = true;
    if (equals->seen[place].a == a && equals->seen[place].b == b) return true;
  }
  for (uint32_t i = 0; i < a->count; i++)
    if (!values_equal(equals, a->items[i], b->items[i])) return false;
  if (a->size >= SEEN_LEAST) {
    equals->seen[place].a = a;
    equals->seen[place].b = b;
  }
  return true;
}

static bool bounds_of(struct value value, double *low, double *high) {
  bool range = value.kind == VALUE_RANGE;
  if (!range && value.kind != VALUE_INT && value.kind != VALUE_REAL) return false;
  *low = range ? value.object->range.low : as_real(value);
  *high = range ? value.object->range.high : as_real(value);
  return true;
}

/* May a number of the one be a number of the other? */
static bool ranges_meet(struct equals *equals, struct value a, struct value b) {
  double a_low, a_high, b_low, b_high;
  if (!bounds_of(a, &a_low, &a_high) || !bounds_of(b, &b_low, &b_high) || a_high < b_low || b_high < a_low)
    return false;
  equals->uncertain |= a_low != a_high || b_low != b_high;
  return true;
}

/* What is one object is equal: there is no NaN in any. Two ranges in it need not be, as numbers. */
static bool objects_equal(struct equals *equals, enum value_kind kind, const struct object *a, const struct object *b) {
  if (a == b && !(equals->numbers && has_items(kind))) return true;
  if (a->count != b->count) return false;
  if (kind == VALUE_STRING) return !memcmp(a->text, b->text, a->count);
  if (kind == VALUE_RANGE)
    return a->range.low == b->range.low && a->range.high == b->range.high && a->range.middle == b->range.middle &&
           a->range.first == b->range.first && a->range.last == b->range.last && a->range.sources == b->range.sources;
  if (kind == VALUE_DISTRIBUTION)
    return a->distribution.kind == b->distribution.kind && a->distribution.a == b->distribution.a &&
           a->distribution.b == b->distribution.b && a->distribution.c == b->distribution.c &&
           a->distribution.d == b->distribution.d && a->distribution.scale == b->distribution.scale &&
           a->distribution.shift == b->distribution.shift &&
           !memcmp(a->distribution.sample, b->distribution.sample, sizeof(double) * a->count);
  return items_equal(equals, a, b);
}

static bool values_equal(struct equals *equals, struct value a, struct value b) {
  if (equals->numbers && (a.kind == VALUE_RANGE || b.kind == VALUE_RANGE)) return ranges_meet(equals, a, b);
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
  case VALUE_DISTRIBUTION: return objects_equal(equals, a.kind, a.object, b.object);
  }
  return false;
}

bool value_equal(struct value a, struct value b) {
  struct equals equals;
  equals.begun = equals.numbers = false;
  return values_equal(&equals, a, b);
}

enum certainty value_equality(struct value a, struct value b) {
  struct equals equals;
  equals.begun = equals.uncertain = false;
  equals.numbers = true;
  if (!values_equal(&equals, a, b)) return CERTAINLY_NOT;
  return equals.uncertain ? UNCERTAIN : CERTAINLY;
}

bool value_same(struct value a, struct value b) {
  if (a.kind != b.kind) return false;
  if (a.kind == VALUE_NONE || a.kind == VALUE_SIGNAL) return true;
  if (a.kind == VALUE_BOOL) return a.boolean == b.boolean;
  if (!value_is_object(a)) return a.integer == b.integer;
  const struct object *x = a.object, *y = b.object;
  size_t head = offsetof(struct object, items);
  if (x->size != y->size || x->count != y->count) return false;
  if (!has_items(a.kind)) return !memcmp((char *)x + head, (char *)y + head, object_size(a.kind, x->count) - head);
  for (uint32_t i = 0; i < x->count; i++)
    if (!value_same(x->items[i], y->items[i])) return false;
  return true;
}

static uint64_t hash_word(uint64_t hash, uint64_t word) { /* as the mix of compiled_function.c */
  hash ^= word;
  hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

static uint64_t hash_real(uint64_t hash, double x) {
  uint64_t bits;
  x = x == 0 ? 0 : x; /* the two zeros are equal */
  memcpy(&bits, &x, sizeof bits);
  return hash_word(hash, bits);
}

static uint64_t object_hash(enum value_kind kind, const struct object *object) {
  uint64_t hash = 0;
  switch (kind) {
  case VALUE_NONE:
  case VALUE_SIGNAL:
  case VALUE_INT:
  case VALUE_REAL:
  case VALUE_BOOL:
  case VALUE_TERM: break;
  case VALUE_STRING:
    for (uint32_t i = 0; i < object->count; i++)
      hash = hash_word(hash, (unsigned char)object->text[i]);
    break;
  case VALUE_LIST:
  case VALUE_RECORD:
    for (uint32_t i = 0; i < object->count; i++)
      hash = hash_word(hash, value_hash(object->items[i]));
    break;
  case VALUE_RANGE: return hash_real(hash_real(hash, object->range.low), object->range.high);
  case VALUE_DISTRIBUTION:
    hash = hash_word(hash, (uint64_t)object->distribution.kind);
    hash = hash_real(hash_real(hash, object->distribution.a), object->distribution.scale);
    break;
  }
  return hash;
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
  case VALUE_LIST:
  case VALUE_RECORD:
  case VALUE_RANGE:
  case VALUE_DISTRIBUTION:
    if (!value.object->hash) value.object->hash = (uint32_t)object_hash(value.kind, value.object) | 1;
    return hash_word(hash, value.object->hash);
  }
  return hash;
}

bool term_matches(struct term wanted, struct term offered) {
  return wanted.head == offered.head && (!wanted.qualifier || wanted.qualifier == offered.qualifier);
}

/* Copies. */

struct copying {
  struct slabs *slabs; /* or */
  struct arena *arena;
  uint32_t holds;
  bool begun;
  struct { /* large objects that have been copied: what is shared stays shared, as a rule */
    const struct object *from;
    struct object *to;
  } seen[SEEN];
};

/* One more holder of an object that is kept. */
static struct object *hold(struct object *object) {
  if (object->holds < HOLDS_CODE) object->holds++; /* so many holders that the last one makes it stay for good */
  return object;
}

static bool stays(const struct copying *copying, const struct object *object) {
  return copying->slabs ? object->holds != 0 : object->holds == HOLDS_MODEL && copying->holds == HOLDS_MODEL;
}

static struct object *copy_object(struct copying *copying, enum value_kind kind, struct object *object) {
  if (stays(copying, object)) return hold(object);
  bool large = has_items(kind) && object->size >= SEEN_LEAST;
  uint32_t place = place_of(object, NULL);
  if (large && copying->begun && copying->seen[place].from == object) return hold(copying->seen[place].to);
  size_t size = object_size(kind, object->count);
  struct object *copy = copying->slabs ? slab_take(copying->slabs, size) : arena_alloc(copying->arena, size);
  memcpy(copy, object, size);
  copy->holds = copying->holds;
  for (uint32_t i = 0; has_items(kind) && i < copy->count; i++)
    if (value_is_object(copy->items[i]))
      copy->items[i].object = copy_object(copying, copy->items[i].kind, copy->items[i].object);
  if (large) {
    if (!copying->begun) memset(copying->seen, 0, sizeof copying->seen);
    copying->begun = true;
    copying->seen[place].from = object;
    copying->seen[place].to = copy;
  }
  return copy;
}

static struct value copy_value(struct copying *copying, struct value value) {
  if (value_is_object(value)) value.object = copy_object(copying, value.kind, value.object);
  return value;
}

struct value value_copy(struct arena *arena, struct value value, uint32_t holds) {
  struct copying copying;
  copying.slabs = NULL;
  copying.arena = arena;
  copying.holds = holds;
  copying.begun = false;
  return copy_value(&copying, value);
}

/* Slots. */

static void drop(struct slabs *slabs, struct value value) {
  if (value_is_object(value)) object_drop(slabs, value);
}

struct value object_keep(struct slabs *slabs, struct value value) {
  struct copying copying;
  copying.slabs = slabs;
  copying.holds = 1;
  copying.begun = false;
  return copy_value(&copying, value);
}

void object_drop(struct slabs *slabs, struct value value) {
  if (value.object->holds >= HOLDS_CODE || --value.object->holds) return;
  for (uint32_t i = 0; has_items(value.kind) && i < value.object->count; i++)
    drop(slabs, value.object->items[i]);
  slab_give(slabs, value.object, object_size(value.kind, value.object->count));
}

/* The list or record at the place, for this holder alone. */
static struct object *own(struct slabs *slabs, struct value *place) {
  struct object *object = place->object;
  if (object->holds == 1) return object;
  size_t size = object_size(place->kind, object->count);
  struct object *copy = slab_take(slabs, size);
  memcpy(copy, object, size);
  copy->holds = 1;
  for (uint32_t i = 0; i < copy->count; i++)
    if (value_is_object(copy->items[i])) hold(copy->items[i].object);
  drop(slabs, *place);
  return place->object = copy;
}

bool kept_put(struct slabs *slabs, struct kept *slot, const uint32_t *path, uint32_t depth, struct value part) {
  struct value before = slot->value, *place = &slot->value;
  for (uint32_t k = 0; k < depth; k++)
    before = before.object->items[path[k]];
  uint32_t more = size_of(part) - size_of(before); /* may be less: it wraps round */
  if (depth && (int64_t)size_of(slot->value) - size_of(before) + size_of(part) > VALUE_SIZE) return false;
  part = value_keep(slabs, part).value;
  for (uint32_t k = 0; k < depth; k++) {
    struct object *object = own(slabs, place);
    object->size += more;
    object->hash = 0;
    place = &object->items[path[k]];
  }
  before = *place;
  *place = part;
  drop(slabs, before);
  return true;
}

bool kept_list(struct slabs *slabs, struct kept *slots, uint32_t count, struct kept *out) {
  struct object *list = slab_take(slabs, object_size(VALUE_LIST, count));
  list->holds = 1;
  list->count = count;
  for (uint32_t i = 0; i < count; i++) {
    list->items[i] = slots[i].value;
    slots[i].value.kind = VALUE_NONE;
  }
  out->value = (struct value){.kind = VALUE_LIST, .object = list};
  return value_seal(out->value);
}

/* Printing. */

struct printing {
  struct text *out;
  const struct types *types;
  const struct names *names;
  int digits;
  size_t most; /* bytes that are wanted: what comes behind them may be left out */
};

static void print(const struct printing *to, const struct type *type, struct value value);

static void items_print(const struct printing *to, const struct type *type, const struct object *list) {
  const struct type *element = type && type->kind == TYPE_LIST ? type->element : NULL;
  text_char(to->out, '[');
  for (uint32_t i = 0; i < list->count && to->out->size <= to->most; i++) {
    text_put(to->out, i ? ", " : "");
    print(to, element, list->items[i]);
  }
  text_char(to->out, ']');
}

static void fields_print(const struct printing *to, const struct type *type, const struct object *record) {
  const struct type_field *fields = type && type->kind == TYPE_RECORD ? type->fields : NULL;
  text_put(to->out, "{ ");
  for (uint32_t i = 0; i < record->count && to->out->size <= to->most; i++) {
    text_put(to->out, i ? ", " : "");
    if (fields) text_printf(to->out, "%s = ", fields[i].name->text);
    print(to, fields ? fields[i].type : NULL, record->items[i]);
  }
  text_put(to->out, " }");
}

static void term_print(struct text *out, const struct names *names, struct term term) {
  text_put(out, name_written(names, term.head)->text);
  if (term.qualifier) text_printf(out, "[%s]", name_written(names, term.qualifier)->text);
}

static void print(const struct printing *to, const struct type *type, struct value value) {
  struct dimension dimension = type ? type->dimension : (struct dimension){{0}};
  struct text *out = to->out;
  switch (value.kind) {
  case VALUE_NONE: text_put(out, "no value"); return;
  case VALUE_SIGNAL: text_put(out, "signal"); return;
  case VALUE_INT:
    if (dimension_none(dimension))
      text_printf(out, "%lld", (long long)value.integer);
    else
      quantity_print(out, to->types, (double)value.integer, dimension, to->digits);
    return;
  case VALUE_REAL: quantity_print(out, to->types, value.real, dimension, to->digits); return;
  case VALUE_BOOL: text_put(out, value.boolean ? "true" : "false"); return;
  case VALUE_TERM: term_print(out, to->names, value.term); return;
  case VALUE_STRING: text_json(out, value.object->text); return;
  case VALUE_LIST: items_print(to, type, value.object); return;
  case VALUE_RECORD: fields_print(to, type, value.object); return;
  case VALUE_RANGE:
    quantity_print(out, to->types, value.object->range.low, dimension, to->digits);
    text_put(out, " .. ");
    quantity_print(out, to->types, value.object->range.high, dimension, to->digits);
    return;
  case VALUE_DISTRIBUTION: distribution_print(out, to->types, type, value.object, to->digits); return;
  }
}

void value_print(struct text *out, const struct types *types, const struct names *names, const struct type *type,
                 struct value value, int digits) {
  print(&(struct printing){out, types, names, digits, SIZE_MAX}, type, value);
}

const char *value_brief(struct arena *arena, const struct types *types, const struct names *names,
                        const struct type *type, struct value value) {
  enum { TEXT_MAX = 120 };
  struct text text = {.arena = arena};
  print(&(struct printing){&text, types, names, 6, TEXT_MAX}, type, value);
  if (text.size <= TEXT_MAX) return text.data;
  size_t end = TEXT_MAX; /* a long list: its beginning will do */
  while ((text.data[end] & 0xc0) == 0x80)
    end--;
  return arena_printf(arena, "%.*s…", (int)end, text.data);
}
