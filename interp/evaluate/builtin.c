/* The built-in functions.  The checker asks their types, the walker and compiled code call them, the manual
 * is printed from the table at the end. */
#include "interp/evaluate/builtin.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/model/distribution.h"
#include "interp/evaluate/evaluate.h"
#include <stdio.h>
#include <string.h>

/* Types. */

struct rule { /* what a type rule works with */
  struct types *types;
  const struct builtin *builtin;
  char *error;
  size_t size;
};

#define RULE                                                                                               \
  struct types *types, const struct builtin *builtin, const struct type *const *arguments, uint32_t count, \
      char *error, size_t error_size
#define RULE_HERE                                               \
  const struct rule here = {types, builtin, error, error_size}; \
  for (uint32_t unknown = 0; unknown < count; unknown++)        \
    if (arguments[unknown]->kind == TYPE_ERROR || arguments[unknown]->kind == TYPE_ANY) return arguments[unknown]

/* Reports "NAME wants WHAT, not TYPE"; NULL. */
static const struct type *wants(const struct rule *rule, const char *what, const struct type *got) {
  struct arena arena;
  arena_open(&arena, rule->types->arena->memory);
  struct text text = {.arena = &arena};
  type_print(&text, rule->types, got);
  snprintf(rule->error, rule->size, "%s wants %s, not %s", rule->builtin->name, what, text.data);
  arena_close(&arena);
  return NULL;
}

static bool is_list_of_numbers(const struct type *type) {
  return type->kind == TYPE_LIST && type_is_number(type->element);
}

/* REAL of the dimension, or RANGE where a range went in. */
static const struct type *number_like(struct types *types, const struct type *argument, struct dimension dimension) {
  return type_of_kind(types, argument->kind == TYPE_RANGE ? TYPE_RANGE : TYPE_REAL, dimension);
}

static bool plain_number(const struct rule *rule, const struct type *type) {
  if (type_is_number(type) && dimension_none(type->dimension)) return true;
  wants(rule, "a number without a dimension", type);
  return false;
}

/* The type that holds both numbers; NULL after an error. */
static const struct type *common_number(const struct rule *rule, const struct type *a, const struct type *b) {
  if (!type_is_number(b)) return wants(rule, "numbers", b);
  if (!dimension_equal(a->dimension, b->dimension)) {
    struct arena arena;
    arena_open(&arena, rule->types->arena->memory);
    struct text text = {.arena = &arena};
    type_print(&text, rule->types, a);
    text_put(&text, " and ");
    type_print(&text, rule->types, b);
    snprintf(rule->error, rule->size, "%s wants numbers of one dimension, not %s", rule->builtin->name, text.data);
    arena_close(&arena);
    return NULL;
  }
  if (a->kind == TYPE_INT && b->kind == TYPE_INT) return a;
  bool range = a->kind == TYPE_RANGE || b->kind == TYPE_RANGE;
  return type_of_kind(rule->types, range ? TYPE_RANGE : TYPE_REAL, a->dimension);
}

/* The type that holds all of them; NULL after an error. */
static const struct type *common_numbers(const struct rule *rule, const struct type *const *arguments, uint32_t count) {
  const struct type *common = arguments[0];
  if (!type_is_number(common)) return wants(rule, "numbers", common);
  if (common->kind == TYPE_DISTRIBUTION) common = type_real(rule->types, common->dimension);
  for (uint32_t i = 1; i < count && common; i++)
    common = common_number(rule, common, arguments[i]);
  return common;
}

static const struct type *rule_same(RULE) {
  RULE_HERE;
  return common_numbers(&here, arguments, count);
}

/* Several numbers or a list of numbers. */
static const struct type *rule_extreme(RULE) {
  RULE_HERE;
  if (arguments[0]->kind != TYPE_LIST) return common_numbers(&here, arguments, count);
  if (count > 1 || !is_list_of_numbers(arguments[0]))
    return wants(&here, "numbers or one list of numbers", arguments[0]);
  return common_numbers(&here, &arguments[0]->element, 1);
}

static const struct type *rule_sum(RULE) {
  RULE_HERE;
  if (!is_list_of_numbers(arguments[0])) return wants(&here, "a list of numbers", arguments[0]);
  return common_numbers(&here, &arguments[0]->element, 1);
}

static const struct type *rule_product(RULE) {
  const struct type *type = rule_sum(types, builtin, arguments, count, error, error_size);
  if (!type || !type_is_number(type) || dimension_none(type->dimension)) return type;
  RULE_HERE;
  return wants(&here, "a list of numbers without a dimension", arguments[0]);
}

static const struct type *list_of_truths(RULE, const struct type *result) {
  RULE_HERE;
  if (arguments[0]->kind != TYPE_LIST || arguments[0]->element->kind != TYPE_BOOL)
    return wants(&here, "a list of bool", arguments[0]);
  return result;
}

static const struct type *rule_count(RULE) {
  return list_of_truths(types, builtin, arguments, count, error, error_size, types->integer);
}

static const struct type *rule_truth(RULE) {
  return list_of_truths(types, builtin, arguments, count, error, error_size, types->boolean);
}

static const struct type *rule_whole(RULE) {
  RULE_HERE;
  if (!plain_number(&here, arguments[0])) return NULL;
  return arguments[0]->kind == TYPE_RANGE ? arguments[0] : types->integer;
}

static const struct type *rule_root(RULE) {
  RULE_HERE;
  if (!type_is_number(arguments[0])) return wants(&here, "a number", arguments[0]);
  struct dimension half;
  if (!dimension_power(arguments[0]->dimension, 1, 2, &half))
    return wants(&here, "a dimension of even powers", arguments[0]);
  return number_like(types, arguments[0], half);
}

static const struct type *rule_plain(RULE) {
  RULE_HERE;
  return plain_number(&here, arguments[0]) ? number_like(types, arguments[0], arguments[0]->dimension) : NULL;
}

/* Rises and falls: takes no range. */
static const struct type *rule_angle(RULE) {
  RULE_HERE;
  if (arguments[0]->kind == TYPE_RANGE) return wants(&here, "a number", arguments[0]);
  return plain_number(&here, arguments[0]) ? types->real : NULL;
}

static const struct type *rule_length(RULE) {
  RULE_HERE;
  if (arguments[0]->kind != TYPE_LIST && arguments[0]->kind != TYPE_STRING)
    return wants(&here, "a list or a string", arguments[0]);
  return types->integer;
}

static const struct type *rule_element(RULE) {
  RULE_HERE;
  return arguments[0]->kind == TYPE_LIST ? arguments[0]->element : wants(&here, "a list", arguments[0]);
}

static const struct type *rule_list(RULE) {
  RULE_HERE;
  return arguments[0]->kind == TYPE_LIST ? arguments[0] : wants(&here, "a list", arguments[0]);
}

static const struct type *rule_sort(RULE) {
  RULE_HERE;
  const struct type *element = arguments[0]->kind == TYPE_LIST ? arguments[0]->element : NULL;
  if (!element || (element->kind != TYPE_INT && element->kind != TYPE_REAL && element->kind != TYPE_STRING))
    return wants(&here, "a list of numbers or strings", arguments[0]);
  return arguments[0];
}

static const struct type *rule_contains(RULE) {
  RULE_HERE;
  const struct type *list = arguments[0], *item = arguments[1];
  if (list->kind == TYPE_STRING) return item->kind == TYPE_STRING ? types->boolean : wants(&here, "a string", item);
  if (list->kind != TYPE_LIST) return wants(&here, "a list or a string", list);
  bool numbers =
      is_list_of_numbers(list) && type_is_number(item) && dimension_equal(list->element->dimension, item->dimension);
  if (list->element != item && list->element->kind != TYPE_ANY && !numbers)
    return wants(&here, "an item of the list's type", item);
  return types->boolean;
}

static bool exact_number(const struct type *type) { return type->kind == TYPE_INT || type->kind == TYPE_REAL; }

/* interpolate([[x, y], …], x) or interpolate(xs, ys, x), where ys may be ranges. */
static const struct type *rule_interpolate(RULE) {
  RULE_HERE;
  const struct type *table = arguments[0], *at = arguments[count - 1];
  const struct type *x = table->kind == TYPE_LIST ? table->element : NULL, *y = x;
  if (count == 2)
    x = y = x && x->kind == TYPE_LIST ? x->element : NULL;
  else
    y = arguments[1]->kind == TYPE_LIST ? arguments[1]->element : NULL;
  if (!x || !exact_number(x)) return wants(&here, count == 2 ? "a list of [x, y]" : "a list of numbers", table);
  if (!y || !(exact_number(y) || (count == 3 && y->kind == TYPE_RANGE)))
    return wants(&here, "a list of numbers", arguments[1]);
  if (!type_is_number(at) || at->kind == TYPE_RANGE || !dimension_equal(at->dimension, x->dimension))
    return wants(&here, "a number of the table's dimension", at);
  return y->kind == TYPE_RANGE ? y : type_real(types, y->dimension);
}

/* visit-ratios([[p, …], …], start): chances alone. */
static const struct type *rule_routing(RULE) {
  RULE_HERE;
  const struct type *matrix = arguments[0], *start = arguments[1];
  const struct type *row = matrix->kind == TYPE_LIST ? matrix->element : NULL;
  if (!row || !is_list_of_numbers(row) || !exact_number(row->element) || !dimension_none(row->element->dimension))
    return wants(&here, "a list of rows of chances", matrix);
  if (start->kind != TYPE_INT &&
      !(is_list_of_numbers(start) && exact_number(start->element) && dimension_none(start->element->dimension)))
    return wants(&here, "a list of chances or a station's number", start);
  return type_list(types, types->real);
}

static const struct type *rule_mean(RULE) {
  RULE_HERE;
  if (arguments[0]->kind == TYPE_DISTRIBUTION || exact_number(arguments[0]))
    return type_real(types, arguments[0]->dimension);
  if (!is_list_of_numbers(arguments[0]) || !exact_number(arguments[0]->element))
    return wants(&here, "a distribution or a list of numbers", arguments[0]);
  return type_real(types, arguments[0]->element->dimension);
}

static const struct type *rule_variance(RULE) {
  RULE_HERE;
  struct dimension square;
  if (arguments[0]->kind != TYPE_DISTRIBUTION || !dimension_power(arguments[0]->dimension, 2, 1, &square))
    return wants(&here, "a distribution", arguments[0]);
  return type_real(types, square);
}

static const struct type *rule_bound(RULE) {
  RULE_HERE;
  if (!type_is_number(arguments[0])) return wants(&here, "a number or a range", arguments[0]);
  return type_real(types, arguments[0]->dimension);
}

static const struct type *rule_draw(RULE) {
  RULE_HERE;
  if (arguments[0]->kind != TYPE_DISTRIBUTION) return wants(&here, "a distribution", arguments[0]);
  return type_real(types, arguments[0]->dimension);
}

/* All parameters have the dimension of what is drawn. */
static const struct type *rule_variate(RULE) {
  RULE_HERE;
  const struct type *common = common_numbers(&here, arguments, count);
  if (common && common->kind == TYPE_RANGE) return wants(&here, "exact numbers", common);
  return common ? type_of_kind(types, TYPE_DISTRIBUTION, common->dimension) : NULL;
}

/* The first parameter is a plain number, the others have the dimension of what is drawn. */
static const struct type *rule_shape(RULE) {
  RULE_HERE;
  if (arguments[0]->kind == TYPE_RANGE) return wants(&here, "exact numbers", arguments[0]);
  if (!plain_number(&here, arguments[0])) return NULL;
  return count > 1 ? rule_variate(types, builtin, arguments + 1, count - 1, error, error_size)
                   : type_of_kind(types, TYPE_DISTRIBUTION, arguments[0]->dimension);
}

/* The first two are plain numbers, the others the ends. */
static const struct type *rule_beta(RULE) {
  RULE_HERE;
  if (count == 3) {
    snprintf(error, error_size, "beta takes two shapes, and two ends or none");
    return NULL;
  }
  for (uint32_t i = 0; i < 2; i++)
    if (arguments[i]->kind == TYPE_RANGE || !plain_number(&here, arguments[i]))
      return arguments[i]->kind == TYPE_RANGE ? wants(&here, "exact numbers", arguments[i]) : NULL;
  return count > 2 ? rule_variate(types, builtin, arguments + 2, count - 2, error, error_size)
                   : type_of_kind(types, TYPE_DISTRIBUTION, arguments[0]->dimension);
}

/* Plain numbers. */
static const struct type *rule_count_variate(RULE) {
  RULE_HERE;
  for (uint32_t i = 0; i < count; i++)
    if (arguments[i]->kind == TYPE_RANGE || !plain_number(&here, arguments[i]))
      return arguments[i]->kind == TYPE_RANGE ? wants(&here, "exact numbers", arguments[i]) : NULL;
  return type_of_kind(types, TYPE_DISTRIBUTION, arguments[0]->dimension);
}

static const struct type *rule_empirical(RULE) {
  RULE_HERE;
  if (!is_list_of_numbers(arguments[0]) || !exact_number(arguments[0]->element))
    return wants(&here, "a list of numbers", arguments[0]);
  if (count > 1 && (!is_list_of_numbers(arguments[1]) || !exact_number(arguments[1]->element) ||
                    !dimension_none(arguments[1]->element->dimension)))
    return wants(&here, "weights, a list of numbers without dimension", arguments[1]);
  return type_of_kind(types, TYPE_DISTRIBUTION, arguments[0]->element->dimension);
}

/* Values. */

static double number(struct value value) { return value.kind == VALUE_INT ? (double)value.integer : value.real; }

static bool is_exact(struct value value) { return value.kind == VALUE_INT || value.kind == VALUE_REAL; }

static bool fail(struct builtin_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct builtin_call *call, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  return false;
}

/* What the checker lets through as TYPE_ANY is met here. */
static bool misfit(const struct builtin *builtin, struct builtin_call *call) {
  return fail(call, "an argument of %s%s is of another kind", builtin->name, builtin->parameters);
}

static bool undefined(const struct builtin *builtin, struct builtin_call *call, double x) {
  if (isnan(x)) return fail(call, "%s of an undefined number", builtin->name);
  return fail(call, "%s is not defined for %.17g", builtin->name, x);
}

/* A function that rises all along: the ends of a range are those of the result. */
static bool apply_rising(const struct builtin *builtin, struct builtin_call *call) {
  struct value x = call->arguments[0];
  if (x.kind == VALUE_RANGE) {
    double low = builtin->real1(x.object->range.low), high = builtin->real1(x.object->range.high);
    if (isnan(low) || isnan(high))
      return undefined(builtin, call, isnan(low) ? x.object->range.low : x.object->range.high);
    call->result =
        value_range(call->scratch, low, builtin->real1(x.object->range.middle), high, x.object->range.sources);
    return true;
  }
  if (!is_exact(x)) return misfit(builtin, call);
  call->result = value_real(builtin->real1(number(x)));
  return !isnan(call->result.real) || undefined(builtin, call, number(x));
}

/* A function that rises and falls: no ranges, not even inside a PSL function that was given one. */
static bool apply_exact(const struct builtin *builtin, struct builtin_call *call) {
  return is_exact(call->arguments[0]) ? apply_rising(builtin, call) : misfit(builtin, call);
}

static bool apply_abs(const struct builtin *builtin, struct builtin_call *call) {
  struct value x = call->arguments[0];
  if (x.kind == VALUE_INT) {
    call->result = value_integer(0);
    return builtin->int1(x.integer, &call->result.integer) || fail(call, "%s", arithmetic_text(ARITHMETIC_OVERFLOW));
  }
  if (x.kind == VALUE_RANGE) {
    double low = x.object->range.low, high = x.object->range.high;
    double least = low > 0 ? low : high < 0 ? -high : 0;
    double most = real_max(fabs(low), fabs(high));
    call->result = value_range(call->scratch, least, fabs(x.object->range.middle), most, x.object->range.sources);
    return true;
  }
  call->result = value_real(fabs(x.real));
  return x.kind == VALUE_REAL || misfit(builtin, call);
}

static bool apply_whole(const struct builtin *builtin, struct builtin_call *call) {
  struct value x = call->arguments[0];
  if (x.kind == VALUE_RANGE) {
    int64_t low, middle, high;
    if (!builtin->whole(x.object->range.low, &low) || !builtin->whole(x.object->range.high, &high) ||
        !builtin->whole(x.object->range.middle, &middle))
      return fail(call, "%s", arithmetic_text(ARITHMETIC_OVERFLOW));
    call->result = value_range(call->scratch, (double)low, (double)middle, (double)high, x.object->range.sources);
    return true;
  }
  call->result = x;
  if (x.kind == VALUE_INT) return true;
  if (x.kind != VALUE_REAL) return misfit(builtin, call);
  call->result = value_integer(0);
  return builtin->whole(x.real, &call->result.integer) || fail(call, "%s", arithmetic_text(ARITHMETIC_OVERFLOW));
}

/* Folds. */

struct fold fold_open(enum builtin_fold kind) {
  struct fold fold = {.kind = kind};
  if (kind == FOLD_ALL || kind == FOLD_ANY)
    fold.value = value_boolean(kind == FOLD_ALL);
  else
    fold.value = value_integer(kind == FOLD_PRODUCT);
  return fold;
}

static bool refuse_item(char *error, size_t size) {
  snprintf(error, size, "an item is of another kind");
  return false;
}

static struct value extreme(struct arena *arena, bool greatest, struct value a, struct value b) {
  if (a.kind == VALUE_INT && b.kind == VALUE_INT)
    return value_integer(greatest ? (a.integer < b.integer ? b.integer : a.integer)
                                  : (b.integer < a.integer ? b.integer : a.integer));
  double (*pick)(double, double) = greatest ? real_max : real_min;
  if (a.kind != VALUE_RANGE && b.kind != VALUE_RANGE) return value_real(pick(number(a), number(b)));
  if (a.kind != VALUE_RANGE) a = value_range(arena, number(a), number(a), number(a), 0);
  if (b.kind != VALUE_RANGE) b = value_range(arena, number(b), number(b), number(b), 0);
  return value_range(
      arena, pick(a.object->range.low, b.object->range.low), pick(a.object->range.middle, b.object->range.middle),
      pick(a.object->range.high, b.object->range.high), a.object->range.sources | b.object->range.sources);
}

bool fold_add(struct fold *fold, struct arena *arena, struct value item, bool *decided, char *error,
              size_t error_size) {
  bool truth = fold->kind == FOLD_COUNT || fold->kind == FOLD_ALL || fold->kind == FOLD_ANY;
  bool fits = truth ? item.kind == VALUE_BOOL : is_exact(item) || item.kind == VALUE_RANGE;
  if (!fits) return refuse_item(error, error_size);
  bool first = !fold->count;
  fold->count += fold->count < UINT32_MAX;
  switch (fold->kind) {
  case FOLD_NONE: break;
  case FOLD_SUM: return value_binary(arena, OP_ADD, fold->value, item, &fold->value, error, error_size);
  case FOLD_PRODUCT: return value_binary(arena, OP_MUL, fold->value, item, &fold->value, error, error_size);
  case FOLD_MIN:
  case FOLD_MAX: fold->value = first ? item : extreme(arena, fold->kind == FOLD_MAX, fold->value, item); break;
  case FOLD_COUNT: fold->value.integer += item.boolean; break;
  case FOLD_ALL:
  case FOLD_ANY:
    *decided = item.boolean == (fold->kind == FOLD_ANY);
    fold->value.boolean = item.boolean;
    break;
  }
  return true;
}

bool fold_close(const struct fold *fold, struct value *out, char *error, size_t error_size) {
  *out = fold->value;
  if (fold->count || (fold->kind != FOLD_MIN && fold->kind != FOLD_MAX)) return true;
  snprintf(error, error_size, "%s of nothing", fold->kind == FOLD_MIN ? "min" : "max");
  return false;
}

/* Over the items of a list, or over the arguments. */
static bool apply_fold(const struct builtin *builtin, struct builtin_call *call) {
  const struct value *items = call->arguments;
  uint32_t count = call->count;
  if (count == 1 && items[0].kind == VALUE_LIST) {
    count = items[0].object->count;
    items = items[0].object->items;
  }
  struct fold fold = fold_open(builtin->fold);
  bool decided = false;
  for (uint32_t i = 0; i < count && !decided; i++)
    if (!fold_add(&fold, call->scratch, items[i], &decided, call->error, sizeof call->error)) return false;
  return fold_close(&fold, &call->result, call->error, sizeof call->error);
}

/* Lists. */

static bool apply_length(const struct builtin *builtin, struct builtin_call *call) {
  struct value list = call->arguments[0];
  if (list.kind == VALUE_LIST) {
    call->result = value_integer(list.object->count);
    return true;
  }
  if (list.kind != VALUE_STRING) return misfit(builtin, call);
  int64_t characters = 0; /* of UTF-8: bytes that do not go on */
  for (uint32_t i = 0; i < list.object->count; i++)
    characters += (list.object->text[i] & 0xc0) != 0x80;
  call->result = value_integer(characters);
  return true;
}

static bool take_list(const struct builtin *builtin, struct builtin_call *call, const struct object **list) {
  *list = call->arguments[0].object;
  return call->arguments[0].kind == VALUE_LIST || misfit(builtin, call);
}

static bool apply_end(const struct builtin *builtin, struct builtin_call *call, bool last) {
  const struct object *list;
  if (!take_list(builtin, call, &list)) return false;
  if (!list->count) return fail(call, "%s of an empty list", builtin->name);
  call->result = list->items[last ? list->count - 1 : 0];
  return true;
}

static bool apply_first(const struct builtin *builtin, struct builtin_call *call) {
  return apply_end(builtin, call, false);
}

static bool apply_last(const struct builtin *builtin, struct builtin_call *call) {
  return apply_end(builtin, call, true);
}

static bool apply_reverse(const struct builtin *builtin, struct builtin_call *call) {
  const struct object *list;
  if (!take_list(builtin, call, &list)) return false;
  call->result = value_object(call->scratch, VALUE_LIST, list->count);
  for (uint32_t i = 0; i < list->count; i++)
    call->result.object->items[i] = list->items[list->count - 1 - i];
  return true;
}

static bool sorts_before(struct value a, struct value b) {
  if (a.kind == VALUE_STRING) return strcmp(a.object->text, b.object->text) < 0;
  return a.kind == VALUE_INT && b.kind == VALUE_INT ? a.integer < b.integer : number(a) < number(b);
}

/* Merges runs of 1, 2, 4, … items; equals keep their order. */
static bool apply_sort(const struct builtin *builtin, struct builtin_call *call) {
  const struct object *list;
  if (!take_list(builtin, call, &list)) return false;
  uint32_t count = list->count;
  for (uint32_t i = 0; i < count; i++)
    if (list->items[i].kind == VALUE_STRING ? list->items[0].kind != VALUE_STRING
                                            : !is_exact(list->items[i]) || !is_exact(list->items[0]))
      return misfit(builtin, call);
  call->result = value_object(call->scratch, VALUE_LIST, count);
  struct value *from = call->result.object->items, *to = ARENA_ARRAY(call->scratch, struct value, count);
  if (count) memcpy(from, list->items, sizeof *from * count);
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t start = 0; start < count; start += 2 * run) {
      size_t middle = start + run < count ? start + run : count, end = middle + run < count ? middle + run : count;
      size_t left = start, right = middle;
      for (size_t k = start; k < end; k++)
        to[k] = right < end && (left == middle || sorts_before(from[right], from[left])) ? from[right++] : from[left++];
    }
    struct value *swap = from;
    from = to, to = swap;
  }
  if (count && from != call->result.object->items) memcpy(call->result.object->items, from, sizeof *from * count);
  return true;
}

static bool is_part(const struct object *part, const struct object *whole) {
  for (uint32_t at = 0; at + part->count <= whole->count; at++)
    if (!memcmp(whole->text + at, part->text, part->count)) return true;
  return false;
}

static bool apply_contains(const struct builtin *builtin, struct builtin_call *call) {
  const struct value *whole = &call->arguments[0], *part = &call->arguments[1];
  const struct object *list;
  if (whole->kind == VALUE_STRING && part->kind == VALUE_STRING) {
    call->result = value_boolean(is_part(part->object, whole->object));
    return true;
  }
  if (!take_list(builtin, call, &list)) return false;
  return value_binary(call->scratch, OP_IN, call->arguments[1], call->arguments[0], &call->result, call->error,
                      sizeof call->error);
}

/* A point of the table of interpolate; what stands at x may be a range. */
struct point {
  double x, low, middle, high;
  bool range;
  uint64_t sources;
};

static bool point_take(struct value x, struct value y, struct point *point) {
  bool range = y.kind == VALUE_RANGE;
  if (!is_exact(x) || !(is_exact(y) || range)) return false;
  const struct object *object = y.object;
  *point = range ? (struct point){number(x), object->range.low,    object->range.middle, object->range.high,
                                  true,      object->range.sources}
                 : (struct point){number(x), number(y), number(y), number(y), false, 0};
  return true;
}

/* Point i of the table of interpolate; false where it is no pair of numbers. */
static bool table_point(const struct builtin_call *call, uint32_t i, struct point *point) {
  const struct object *table = call->arguments[0].object;
  if (call->count == 3) return point_take(table->items[i], call->arguments[1].object->items[i], point);
  if (table->items[i].kind != VALUE_LIST || table->items[i].object->count != 2) return false;
  const struct value *pair = table->items[i].object->items;
  return point_take(pair[0], pair[1], point);
}

/* What stands at x between two points. */
static struct value between(struct arena *arena, const struct point *a, const struct point *b, double x) {
  double part = (x - a->x) / (b->x - a->x), middle = a->middle + part * (b->middle - a->middle);
  if (!a->range && !b->range) return value_real(middle);
  return value_range(arena, a->low + part * (b->low - a->low), middle, a->high + part * (b->high - a->high),
                     a->sources | b->sources);
}

static struct value standing_at(struct arena *arena, const struct point *point) {
  if (!point->range) return value_real(point->middle);
  return value_range(arena, point->low, point->middle, point->high, point->sources);
}

static bool apply_interpolate(const struct builtin *builtin, struct builtin_call *call) {
  struct value last = call->arguments[call->count - 1];
  if (call->arguments[0].kind != VALUE_LIST || (call->count == 3 && call->arguments[1].kind != VALUE_LIST) ||
      !is_exact(last))
    return misfit(builtin, call);
  uint32_t points = call->arguments[0].object->count;
  if (!points) return fail(call, "interpolate in an empty table");
  if (call->count == 3 && call->arguments[1].object->count != points)
    return fail(call, "the lists of interpolate have %u and %u items", points, call->arguments[1].object->count);
  double x = number(last);
  struct point before = {0}, point = {0};
  if (isnan(x)) return undefined(builtin, call, x);
  bool found = false;
  for (uint32_t i = 0; i < points; i++, before = point) {
    if (!table_point(call, i, &point)) return fail(call, "item %u of the table of interpolate is no [x, y]", i);
    if (i && !(before.x < point.x))
      return fail(call, "the table of interpolate does not rise at item %u: %.17g after %.17g", i, point.x, before.x);
    if (found || x > point.x) continue;
    found = true;
    call->result = x == point.x || !i ? standing_at(call->scratch, &point) : between(call->scratch, &before, &point, x);
  }
  if (!found) call->result = standing_at(call->scratch, &point);
  return true;
}

/* Ranges and distributions. */

static bool apply_bound(const struct builtin *builtin, struct builtin_call *call, double weight) {
  struct value x = call->arguments[0];
  if (x.kind == VALUE_RANGE) {
    const struct object *range = x.object;
    call->result = value_real(weight == 0 ? range->range.low : weight == 1 ? range->range.high : range->range.middle);
    return true;
  }
  if (!is_exact(x)) return misfit(builtin, call);
  call->result = value_real(number(x));
  return true;
}

static bool apply_low(const struct builtin *builtin, struct builtin_call *call) {
  return apply_bound(builtin, call, 0);
}

static bool apply_high(const struct builtin *builtin, struct builtin_call *call) {
  return apply_bound(builtin, call, 1);
}

static bool apply_middle(const struct builtin *builtin, struct builtin_call *call) {
  return apply_bound(builtin, call, 0.5);
}

static bool apply_mean(const struct builtin *builtin, struct builtin_call *call) {
  struct value x = call->arguments[0];
  if (x.kind == VALUE_DISTRIBUTION) {
    call->result = value_real(distribution_mean(x.object));
    return isfinite(call->result.real) || fail(call, "the distribution has no finite mean");
  }
  if (is_exact(x)) {
    call->result = value_real(number(x));
    return true;
  }
  if (x.kind != VALUE_LIST) return misfit(builtin, call);
  if (!x.object->count) return fail(call, "mean of an empty list");
  double sum = 0;
  for (uint32_t i = 0; i < x.object->count; i++) {
    if (!is_exact(x.object->items[i])) return misfit(builtin, call);
    sum += number(x.object->items[i]);
  }
  call->result = value_real(sum / x.object->count);
  return true;
}

static bool apply_variance(const struct builtin *builtin, struct builtin_call *call) {
  if (call->arguments[0].kind != VALUE_DISTRIBUTION) return misfit(builtin, call);
  call->result = value_real(distribution_variance(call->arguments[0].object));
  return isfinite(call->result.real) || fail(call, "the distribution has no finite variance");
}

static bool apply_draw(const struct builtin *builtin, struct builtin_call *call) {
  if (call->arguments[0].kind != VALUE_DISTRIBUTION) return misfit(builtin, call);
  if (call->drawn) {
    call->result = value_real(drawn_take(call->drawn, call->arguments[0].object));
    return true;
  }
  if (call->analysis) return fail(call, "under analysis nothing is drawn");
  if (!call->random) return fail(call, "a distribution is drawn in a simulation only");
  call->result = value_real(distribution_draw(call->arguments[0].object, call->random));
  return true;
}

static bool numbers_of(const struct value *items, uint32_t count, double *numbers) {
  for (uint32_t i = 0; i < count; i++) {
    if (!is_exact(items[i])) return false;
    numbers[i] = number(items[i]);
  }
  return true;
}

static bool apply_distribution(const struct builtin *builtin, struct builtin_call *call) {
  double numbers[4] = {[3] = 1}; /* of beta without ends */
  bool beta = builtin->kind == DISTRIBUTION_BETA;
  return numbers_of(call->arguments, call->count, numbers)
             ? distribution_make(call->scratch, (enum distribution_kind)builtin->kind, numbers, beta ? 4 : call->count,
                                 &call->result, call->error, sizeof call->error)
             : misfit(builtin, call);
}

/* From a list, and perhaps one of weights. */
static bool apply_sample(const struct builtin *builtin, struct builtin_call *call) {
  const struct object *items = call->arguments[0].object, *weights = call->count > 1 ? call->arguments[1].object : NULL;
  if (call->arguments[0].kind != VALUE_LIST || (weights && call->arguments[1].kind != VALUE_LIST))
    return misfit(builtin, call);
  if (weights && weights->count != items->count)
    return fail(call, "%s of %u items and %u weights", builtin->name, items->count, weights->count);
  if (items->count > 1000000) return fail(call, "%s of more than 1000000 items", builtin->name);
  double *numbers = ARENA_ARRAY(call->scratch, double, 2 * (size_t)items->count + 1);
  if (!numbers_of(items->items, items->count, numbers) ||
      (weights && !numbers_of(weights->items, weights->count, numbers + items->count)))
    return misfit(builtin, call);
  return distribution_make(call->scratch, weights ? DISTRIBUTION_WEIGHTED : (enum distribution_kind)builtin->kind,
                           numbers, weights ? 2 * items->count : items->count, &call->result, call->error,
                           sizeof call->error);
}

/* Plain C entries. */

static double plain_sqrt(double x) { return x < 0 ? NAN : sqrt(x); }
static double plain_log(double x) { return x > 0 ? log(x) : NAN; }
static double plain_log2(double x) { return x > 0 ? log2(x) : NAN; }
static double plain_log10(double x) { return x > 0 ? log10(x) : NAN; }
static bool whole_ceil(double x, int64_t *out) { return real_to_int(ceil(x), out); }
static bool whole_floor(double x, int64_t *out) { return real_to_int(floor(x), out); }
static bool whole_round(double x, int64_t *out) { return real_to_int(round(x), out); }
static bool int_abs(int64_t x, int64_t *out) {
  *out = x;
  return x >= 0 || int_negate(x, out) == ARITHMETIC_FINE;
}
static bool int_max(int64_t a, int64_t b, int64_t *out) {
  *out = a < b ? b : a;
  return true;
}
static bool int_min(int64_t a, int64_t b, int64_t *out) {
  *out = b < a ? b : a;
  return true;
}

/* The table. */

#define RISING(name, doc, rule, entry) \
  { name, "(x)", doc, 1, 1, .type = rule, .apply = apply_rising, .real1 = entry }
#define WHOLE(name, doc, entry) \
  { name, "(x)", doc, 1, 1, .type = rule_whole, .apply = apply_whole, .whole = entry }
#define VARIATE(name, parameters, doc, arity, rule, which) \
  { name, parameters, doc, arity, arity, .type = rule, .apply = apply_distribution, .kind = DISTRIBUTION_##which }

const struct builtin psl_builtins[] = {
    {"abs", "(x)", "the number without its sign", 1, 1, .type = rule_same, .apply = apply_abs, .real1 = fabs,
     .int1 = int_abs},
    {"min", "(x, …)", "the least of several numbers or of a list", 1, UINT32_MAX, FOLD_MIN, .type = rule_extreme,
     .apply = apply_fold, .real2 = real_min, .int2 = int_min},
    {"max", "(x, …)", "the greatest of several numbers or of a list", 1, UINT32_MAX, FOLD_MAX, .type = rule_extreme,
     .apply = apply_fold, .real2 = real_max, .int2 = int_max},
    {"sum", "(list)", "the sum of a list, 0 where it is empty", 1, 1, FOLD_SUM, .type = rule_sum, .apply = apply_fold},
    {"product", "(list)", "the product of a list of plain numbers, 1 where it is empty", 1, 1, FOLD_PRODUCT,
     .type = rule_product, .apply = apply_fold},
    {"count", "(list)", "how many items of a list of bool are true", 1, 1, FOLD_COUNT, .type = rule_count,
     .apply = apply_fold},
    {"all", "(list)", "whether all items of a list of bool are true", 1, 1, FOLD_ALL, .type = rule_truth,
     .apply = apply_fold},
    {"any", "(list)", "whether an item of a list of bool is true", 1, 1, FOLD_ANY, .type = rule_truth,
     .apply = apply_fold},
    WHOLE("ceil", "the least whole number that is not less", whole_ceil),
    WHOLE("floor", "the greatest whole number that is not more", whole_floor),
    WHOLE("round", "the nearest whole number, halves away from 0", whole_round),
    RISING("sqrt", "the square root, of the dimension too", rule_root, plain_sqrt),
    RISING("exp", "e to the power x", rule_plain, exp),
    RISING("log", "the natural logarithm", rule_plain, plain_log),
    RISING("log2", "the logarithm to base 2", rule_plain, plain_log2),
    RISING("log10", "the logarithm to base 10", rule_plain, plain_log10),
    {"sin", "(x)", "the sine of an angle in radians", 1, 1, .type = rule_angle, .apply = apply_exact, .real1 = sin},
    {"cos", "(x)", "the cosine of an angle in radians", 1, 1, .type = rule_angle, .apply = apply_exact, .real1 = cos},
    {"tan", "(x)", "the tangent of an angle in radians", 1, 1, .type = rule_angle, .apply = apply_exact, .real1 = tan},
    {"length", "(list)", "how many items a list, or characters a string, has", 1, 1, .takes_any = true,
     .type = rule_length, .apply = apply_length},
    {"first", "(list)", "the first item of a list", 1, 1, .takes_any = true, .type = rule_element,
     .apply = apply_first},
    {"last", "(list)", "the last item of a list", 1, 1, .takes_any = true, .type = rule_element, .apply = apply_last},
    {"sort", "(list)", "the list of numbers or strings in rising order", 1, 1, .type = rule_sort, .apply = apply_sort},
    {"reverse", "(list)", "the list from its end to its beginning", 1, 1, .takes_any = true, .type = rule_list,
     .apply = apply_reverse},
    {"contains", "(list, x)", "whether x is an item of a list, or a part of a string", 2, 2, .takes_any = true,
     .type = rule_contains, .apply = apply_contains},
    {"interpolate", "(table, x)",
     "y at x between the points of [[x, y], …], or of two lists as (xs, ys, x); held at the ends", 2, 3,
     .type = rule_interpolate, .apply = apply_interpolate},
    {"visit-ratios", "(routing, start)", "visits to stations, from routing chances", 2, 2, .type = rule_routing,
     .apply = routing_visits},
    {"low", "(range)", "the lower bound of a range", 1, 1, .type = rule_bound, .apply = apply_low},
    {"high", "(range)", "the upper bound of a range", 1, 1, .type = rule_bound, .apply = apply_high},
    {"middle", "(range)", "the middle of a range", 1, 1, .type = rule_bound, .apply = apply_middle},
    {"mean", "(x)", "the mean of a distribution, or of a list of numbers; of a number, itself", 1, 1,
     .takes_distribution = true, .type = rule_mean, .apply = apply_mean},
    {"variance", "(distribution)", "the variance of a distribution", 1, 1, .takes_distribution = true,
     .type = rule_variance, .apply = apply_variance},
    {"draw", "(distribution)", "a number drawn from the distribution, in a simulation", 1, 1, .draws = true,
     .takes_distribution = true, .type = rule_draw, .apply = apply_draw},
    VARIATE("constant", "(x)", "the distribution that is always x", 1, rule_variate, CONSTANT),
    VARIATE("uniform", "(low, high)", "the uniform distribution from low up to high", 2, rule_variate, UNIFORM),
    VARIATE("exponential", "(mean)", "the exponential distribution", 1, rule_variate, EXPONENTIAL),
    VARIATE("normal", "(mean, sd)", "the normal distribution", 2, rule_variate, NORMAL),
    VARIATE("lognormal", "(mean, sd)", "the lognormal distribution, by mean and standard deviation of its own", 2,
            rule_variate, LOGNORMAL),
    VARIATE("gamma", "(shape, scale)", "the gamma distribution, of mean shape x scale", 2, rule_shape, GAMMA),
    VARIATE("erlang", "(k, mean)", "the sum of k exponential phases, of that mean in all", 2, rule_shape, ERLANG),
    VARIATE("hyperexponential", "(p, mean, mean)", "exponential of the first mean with chance p, else of the second", 3,
            rule_shape, HYPEREXPONENTIAL),
    VARIATE("weibull", "(shape, scale)", "the Weibull distribution", 2, rule_shape, WEIBULL),
    VARIATE("pareto", "(shape, minimum)", "the Pareto distribution", 2, rule_shape, PARETO),
    VARIATE("triangular", "(low, mode, high)", "the triangular distribution", 3, rule_variate, TRIANGULAR),
    VARIATE("bernoulli", "(p)", "1 with chance p, else 0", 1, rule_shape, BERNOULLI),
    VARIATE("geometric", "(p)", "the number of trials till the first success of chance p: 1, 2, …", 1, rule_shape,
            GEOMETRIC),
    VARIATE("poisson", "(mean)", "the Poisson distribution", 1, rule_shape, POISSON),
    VARIATE("binomial", "(n, p)", "the number of successes in n trials of chance p", 2, rule_count_variate, BINOMIAL),
    VARIATE("negative-binomial", "(n, p)", "the number of failures before success number n, of chance p", 2,
            rule_count_variate, NEGATIVE_BINOMIAL),
    VARIATE("uniform-int", "(low, high)", "a whole number from low to high, each with the same chance", 2,
            rule_count_variate, UNIFORM_INT),
    VARIATE("zipf", "(n, s)", "k from 1 to n with a chance that goes as 1 / k^s", 2, rule_count_variate, ZIPF),
    {"beta", "(a, b, low, high)", "the beta distribution of shapes a and b from low to high, or from 0 to 1", 2, 4,
     .type = rule_beta, .apply = apply_distribution, .kind = DISTRIBUTION_BETA},
    {"hypoexponential", "(means)", "the sum of exponential phases of the means of the list", 1, 1,
     .type = rule_empirical, .apply = apply_sample, .kind = DISTRIBUTION_HYPOEXPONENTIAL},
    {"empirical", "(list, weights)", "one of the items of the list, each with the same chance, or by its weight", 1, 2,
     .type = rule_empirical, .apply = apply_sample, .kind = DISTRIBUTION_EMPIRICAL},
    {0},
};

/* (names, conditions, …): true if one of the conditions holds. Behind the names of those that they are of stands what
 * these are like; the rest is what is compared with. */
static const struct type *rule_one_of(RULE) {
  (void)builtin, (void)arguments, (void)count, (void)error, (void)error_size;
  return types->boolean;
}

static bool apply_one_of(const struct builtin *builtin, struct builtin_call *call) {
  const struct object *conditions = call->arguments[1].object;
  const struct value *names = call->arguments[0].object->items, *found = NULL;
  (void)builtin;
  for (uint32_t i = 0; i < conditions->count; i++) {
    if (!conditions->items[i].boolean) continue;
    if (found)
      return fail(call, "'%.80s' and '%.80s' both have these attributes", found->object->text, names[i].object->text);
    found = &names[i];
  }
  call->result = value_boolean(true);
  return found || fail(call, "no component like '%.80s' has these attributes", names[conditions->count].object->text);
}

const struct builtin builtin_one_of = {"one-of",
                                       "(names, conditions, …)",
                                       "",
                                       2,
                                       UINT32_MAX,
                                       .takes_any = true,
                                       .type = rule_one_of,
                                       .apply = apply_one_of};

const struct builtin *builtin_find(const char *name) {
  for (const struct builtin *builtin = psl_builtins; builtin->name; builtin++)
    if (!strcmp(builtin->name, name)) return builtin;
  return NULL;
}

struct expr *builtin_drawn(const struct expr *expr) {
  const struct symbol *callee = expr->kind == EXPR_CALL ? expr->call->symbol : NULL;
  if (expr->type && expr->type->kind == TYPE_DISTRIBUTION) return (struct expr *)expr;
  bool draw = callee && callee->kind == SYMBOL_BUILTIN && callee->builtin->draws && expr->call->bound_count == 1 &&
              expr->call->bound[0]->type->kind == TYPE_DISTRIBUTION;
  return draw ? expr->call->bound[0] : NULL;
}
