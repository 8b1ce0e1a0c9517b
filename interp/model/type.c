/* Types, made once each, the algebra of dimensions, and how both and quantities are printed.  The checker
 * makes types; reports, diagnostics and values are printed through here. */
#include "interp/model/type.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t type_hash(const struct type *type) {
  uint64_t hash = (uint64_t)type->kind * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < DIMENSION_MAX; i++)
    hash = (hash ^ (uint8_t)type->dimension.power[i]) * 0x100000001b3u;
  hash = (hash ^ (uintptr_t)type->element) * 0x100000001b3u;
  for (uint32_t i = 0; i < type->field_count; i++)
    hash =
        ((hash ^ (uintptr_t)type->fields[i].name) * 0x100000001b3u ^ (uintptr_t)type->fields[i].type) * 0x100000001b3u;
  return (uint32_t)(hash >> 32);
}

static bool type_same(const struct type *a, const struct type *b) {
  if (a->kind != b->kind || !dimension_equal(a->dimension, b->dimension) || a->element != b->element ||
      a->field_count != b->field_count)
    return false;
  for (uint32_t i = 0; i < a->field_count; i++)
    if (a->fields[i].name != b->fields[i].name || a->fields[i].type != b->fields[i].type) return false;
  return true;
}

/* The one type that is the same as `wanted`, made if there is none; its fields are copied. */
static void type_measure(struct type *type) {
  uint32_t deepest = type->element ? type->element->depth : 0;
  type->size = type->element ? 1 + type->element->size : 1;
  for (uint32_t i = 0; i < type->field_count; i++) {
    const struct type *field = type->fields[i].type;
    type->size += field->size;
    if (field->depth > deepest) deepest = field->depth;
  }
  type->depth = type->size > 1 ? 1 + deepest : 0;
}

static const struct type *type_intern(struct types *types, struct type wanted) {
  struct type **bucket = &types->buckets[type_hash(&wanted) % (sizeof types->buckets / sizeof *types->buckets)];
  for (struct type *type = *bucket; type; type = type->next)
    if (type_same(type, &wanted)) return type;
  struct type *made = ARENA_NEW(types->arena, struct type);
  *made = wanted;
  if (wanted.field_count) {
    made->fields = ARENA_ARRAY(types->arena, struct type_field, wanted.field_count);
    memcpy(made->fields, wanted.fields, sizeof *made->fields * wanted.field_count);
  }
  type_measure(made);
  made->next = *bucket;
  *bucket = made;
  return made;
}

const struct type_word type_words[] = {
    {"int", TYPE_INT},
    {"real", TYPE_REAL},
    {"bool", TYPE_BOOL},
    {"string", TYPE_STRING},
    {"term", TYPE_TERM},
    {"signal", TYPE_SIGNAL},
    {0},
};

static const char *type_word(enum type_kind kind) {
  for (const struct type_word *word = type_words; word->name; word++)
    if (word->kind == kind) return word->name;
  return "";
}

void types_open(struct types *types, struct arena *arena, struct names *names) {
  *types = (struct types){.arena = arena, .dimension_count = 2};
  types->dimensions[DIMENSION_TIME] = name_of(names, "time");
  types->dimensions[DIMENSION_DATA] = name_of(names, "data");
  types->base_units[DIMENSION_TIME] = name_of(names, "s");
  types->base_units[DIMENSION_DATA] = name_of(names, "byte");
  struct dimension none = {{0}}, time = {{0}}, data = {{0}};
  time.power[DIMENSION_TIME] = 1;
  data.power[DIMENSION_DATA] = 1;
  types->error = type_of_kind(types, TYPE_ERROR, none);
  types->any = type_of_kind(types, TYPE_ANY, none);
  types->none = type_of_kind(types, TYPE_VOID, none);
  types->integer = type_of_kind(types, TYPE_INT, none);
  types->real = type_real(types, none);
  types->boolean = type_of_kind(types, TYPE_BOOL, none);
  types->string = type_of_kind(types, TYPE_STRING, none);
  types->term = type_of_kind(types, TYPE_TERM, none);
  types->signal = type_of_kind(types, TYPE_SIGNAL, none);
  types->time = type_real(types, time);
  types->data = type_real(types, data);
}

const struct type *type_of_kind(struct types *types, enum type_kind kind, struct dimension dimension) {
  return type_intern(types, (struct type){.kind = kind, .dimension = dimension});
}

const struct type *type_real(struct types *types, struct dimension dimension) {
  return type_of_kind(types, TYPE_REAL, dimension);
}

const struct type *type_list(struct types *types, const struct type *element) {
  return type_intern(types, (struct type){.kind = TYPE_LIST, .element = element});
}

const struct type *type_record(struct types *types, const struct type_field *fields, uint32_t count) {
  /* type_intern only reads the fields of what is wanted */
  return type_intern(types,
                     (struct type){.kind = TYPE_RECORD, .fields = (struct type_field *)fields, .field_count = count});
}

bool type_is_number(const struct type *type) {
  return type->kind == TYPE_INT || type->kind == TYPE_REAL || type->kind == TYPE_RANGE ||
         type->kind == TYPE_DISTRIBUTION;
}

struct dimension type_dimension(const struct type *type) {
  struct dimension none = {{0}};
  bool has = type->kind == TYPE_REAL || type->kind == TYPE_RANGE || type->kind == TYPE_DISTRIBUTION;
  return has ? type->dimension : none;
}

const struct type *type_plain(struct types *types, const struct type *type) {
  if (type->kind != TYPE_RANGE && type->kind != TYPE_DISTRIBUTION) return type;
  return type_real(types, type->dimension);
}

static bool records_conform(const struct type *from, const struct type *to) {
  if (from->field_count != to->field_count) return false;
  for (uint32_t i = 0; i < from->field_count; i++)
    if (from->fields[i].name != to->fields[i].name || !type_conforms(from->fields[i].type, to->fields[i].type))
      return false;
  return true;
}

bool type_conforms(const struct type *from, const struct type *to) {
  if (from == to || from->kind == TYPE_ERROR || to->kind == TYPE_ERROR) return true;
  if (to->kind == TYPE_ANY || to->kind == TYPE_SIGNAL || from->kind == TYPE_ANY) return from->kind != TYPE_VOID;
  if (type_is_number(from) && type_is_number(to) && to->kind != TYPE_INT)
    return dimension_equal(type_dimension(from), type_dimension(to));
  if (from->kind == TYPE_LIST && to->kind == TYPE_LIST) return type_conforms(from->element, to->element);
  if (from->kind == TYPE_RECORD && to->kind == TYPE_RECORD) return records_conform(from, to);
  return false;
}

/* Dimensions. */

bool dimension_equal(struct dimension a, struct dimension b) { return !memcmp(a.power, b.power, sizeof a.power); }

bool dimension_none(struct dimension a) { return dimension_equal(a, (struct dimension){{0}}); }

bool dimension_combine(struct dimension a, struct dimension b, int sign, struct dimension *out) {
  for (int i = 0; i < DIMENSION_MAX; i++) {
    int power = a.power[i] + sign * b.power[i];
    if (power < -100 || power > 100) return false;
    out->power[i] = (int8_t)power;
  }
  return true;
}

bool dimension_power(struct dimension a, int64_t numerator, int64_t denominator, struct dimension *out) {
  for (int i = 0; i < DIMENSION_MAX; i++) {
    int64_t power;
    if (__builtin_mul_overflow((int64_t)a.power[i], numerator, &power) || power % denominator) return false;
    power /= denominator;
    if (power < -100 || power > 100) return false;
    out->power[i] = (int8_t)power;
  }
  return true;
}

/* The factors of one sign, after `before`: "a^2*b" above the line, "/a^2/b" under it. */
static void factors_print(struct text *out, const struct name *const *names, uint32_t count, struct dimension dimension,
                          int sign) {
  const char *between = sign < 0 ? "/" : "";
  for (uint32_t i = 0; i < count; i++) {
    int power = sign * dimension.power[i];
    if (power <= 0) continue;
    text_printf(out, "%s%s", between, names[i]->text);
    if (power > 1) text_printf(out, "^%d", power);
    between = sign < 0 ? "/" : "*";
  }
}

static bool has_numerator(struct dimension dimension) {
  for (int i = 0; i < DIMENSION_MAX; i++)
    if (dimension.power[i] > 0) return true;
  return false;
}

void dimension_print(struct text *out, const struct types *types, struct dimension dimension) {
  if (!has_numerator(dimension)) text_put(out, "1");
  factors_print(out, types->dimensions, types->dimension_count, dimension, 1);
  factors_print(out, types->dimensions, types->dimension_count, dimension, -1);
}

/* The unit that the dimension is, as mostly; NULL: it is none, or made of several. */
static const struct name *only_unit(const struct types *types, struct dimension dimension) {
  const struct name *only = NULL;
  for (uint32_t k = 0; k < types->dimension_count; k++) {
    if (!dimension.power[k]) continue;
    if (only || dimension.power[k] != 1) return NULL;
    only = types->base_units[k];
  }
  return only;
}

/* `s*byte^2/flop`; where nothing is above the line `s^-1/byte`, which can stand behind a number. */
void unit_print(struct text *out, const struct types *types, struct dimension dimension) {
  const struct name *const *units = types->base_units;
  const struct name *one = only_unit(types, dimension);
  if (one) {
    text_put(out, one->text);
    return;
  }
  if (!has_numerator(dimension)) {
    uint32_t first = 0;
    while (first < types->dimension_count && !dimension.power[first])
      first++;
    if (first == types->dimension_count) return;
    text_printf(out, "%s^%d", units[first]->text, dimension.power[first]);
    dimension.power[first] = 0;
  }
  factors_print(out, units, types->dimension_count, dimension, 1);
  factors_print(out, units, types->dimension_count, dimension, -1);
}

static void number_type_print(struct text *out, const struct types *types, struct dimension dimension) {
  if (dimension_none(dimension))
    text_put(out, type_word(TYPE_REAL));
  else
    dimension_print(out, types, dimension);
}

void type_print(struct text *out, const struct types *types, const struct type *type) {
  switch (type->kind) {
  case TYPE_ERROR: text_put(out, "error"); return;
  case TYPE_ANY: text_put(out, "any"); return;
  case TYPE_VOID: text_put(out, "no value"); return;
  case TYPE_INT:
  case TYPE_BOOL:
  case TYPE_STRING:
  case TYPE_TERM:
  case TYPE_SIGNAL: text_put(out, type_word(type->kind)); return;
  case TYPE_REAL: number_type_print(out, types, type->dimension); return;
  case TYPE_RANGE:
    text_put(out, "range*");
    number_type_print(out, types, type->dimension);
    return;
  case TYPE_DISTRIBUTION:
    text_put(out, "distribution*");
    number_type_print(out, types, type->dimension);
    return;
  case TYPE_LIST:
    text_char(out, '[');
    type_print(out, types, type->element);
    text_char(out, ']');
    return;
  case TYPE_RECORD:
    text_put(out, "{ ");
    for (uint32_t i = 0; i < type->field_count; i++) {
      text_printf(out, "%s%s : ", i ? ", " : "", type->fields[i].name->text);
      type_print(out, types, type->fields[i].type);
    }
    text_put(out, " }");
    return;
  }
}

/* Quantities. */

void number_print(struct text *out, double value, int digits) {
  if (!isfinite(value)) {
    text_put(out, isnan(value) ? "undefined" : value < 0 ? "-infinite" : "infinite");
    return;
  }
  value += 0.0; /* no -0 */
  if (digits <= 0) {
    text_number(out, value);
    return;
  }
  char buffer[64];
  if (digits > 17) digits = 17;
  snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
  int exponent = atoi(strchr(buffer, 'e') + 1);
  bool plain = exponent >= -5 && exponent < 15;
  if (plain) {
    int decimals = digits - 1 - exponent;
    snprintf(buffer, sizeof buffer, "%.*f", decimals > 0 ? decimals : 0, value);
  }
  /* zeros after the point say nothing */
  char tail[16] = "", *e = strchr(buffer, 'e'), *point = strchr(buffer, '.');
  if (e) {
    snprintf(tail, sizeof tail, "%s", e);
    *e = 0;
  }
  if (point) {
    char *last = buffer + strlen(buffer) - 1;
    while (*last == '0')
      last--;
    last[last != point] = 0;
  }
  text_printf(out, "%s%s", buffer, tail);
}

/* Scales of the units that stdlib/units.psl has, greatest first; the last is taken for what is smaller. */
struct scale {
  double factor;
  const char *unit;
};
static const struct scale times[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}, {0, NULL}};
static const struct scale binary_sizes[] = {{0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "byte"}, {0, NULL}};
static const struct scale sizes[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "byte"}, {0, NULL}};
static const struct scale rates[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "byte/s"}, {0, NULL}};
static const struct scale frequencies[] = {{1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}, {1, "Hz"}, {0, NULL}};
static const struct scale operations[] = {{1e12, "Tflop"}, {1e9, "Gflop"}, {1e6, "Mflop"}, {1, "flop"}, {0, NULL}};

/* What a quantity is scaled by, and in *rest the dimension that its unit leaves to be printed; NULL: nothing.
 */
static const struct scale *scales_of(const struct types *types, double value, struct dimension dimension,
                                     struct dimension *rest) {
  uint32_t above = 0, base = 0;
  for (uint32_t i = 0; i < types->dimension_count; i++)
    if (dimension.power[i] > 0) {
      above += (uint32_t)dimension.power[i];
      base = i;
    }
  if (above != 1) return NULL;
  struct dimension per_second = {{0}};
  per_second.power[DIMENSION_TIME] = -1;
  *rest = dimension;
  rest->power[base] = 0;
  bool alone = dimension_none(*rest), rate = dimension_equal(*rest, per_second);
  const char *unit = types->base_units[base]->text;
  if (base == DIMENSION_TIME) return times;
  if (base == DIMENSION_DATA && alone)
    return fmod(value, 1024) == 0 && fmod(value, 1000) != 0 ? binary_sizes : sizes; /* as it was written, most likely */
  if (!strcmp(unit, "flop") && (alone || rate)) return operations;
  if (!rate || (base != DIMENSION_DATA && strcmp(unit, "cycle"))) return NULL;
  *rest = (struct dimension){{0}};
  return base == DIMENSION_DATA ? rates : frequencies;
}

void quantity_print(struct text *out, const struct types *types, double value, struct dimension dimension, int digits) {
  struct dimension rest;
  const struct scale *scale =
      digits > 0 && value != 0 && isfinite(value) ? scales_of(types, value, dimension, &rest) : NULL;
  if (scale) {
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%.*e", digits > 17 ? 16 : digits - 1, fabs(value));
    double rounded = strtod(buffer, NULL); /* 0.99999 ms is 1 ms to three digits, not 1000 us */
    while (scale[1].unit && rounded < scale->factor)
      scale++;
    number_print(out, value / scale->factor, digits);
    text_printf(out, " %s", scale->unit);
    factors_print(out, types->base_units, types->dimension_count, rest, -1);
    return;
  }
  number_print(out, value, digits);
  if (dimension_none(dimension)) return;
  text_char(out, ' ');
  unit_print(out, types, dimension);
}
