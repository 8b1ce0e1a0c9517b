/* `last` of a session: the results of its last run as a record, known beside the model's names; and `ans`, the value of
 * its last expression.  What a declaration takes of them is written in as the value of that moment, so that the
 * declaration does not change with the next run. */
#include "interp/check/checker.h"
#include "interp/check/load.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from the results to a value ---- */

bool base_unit(const struct types *types, const char *text, struct dimension *out) {
  int sign = 1;
  *out = (struct dimension){{0}};
  if (*text == '1') text++;
  while (*text) {
    if (*text == '*' || *text == '/') sign = *text++ == '/' ? -1 : 1;
    size_t length = strcspn(text, "*/^");
    uint32_t i = 0;
    while (i < types->dimension_count &&
           !(strlen(types->base_units[i]->text) == length && !memcmp(types->base_units[i]->text, text, length)))
      i++;
    if (i == types->dimension_count) return false;
    text += length;
    int power = 1, way = sign;
    if (*text == '^') {
      if (*++text == '-') way = -way, text++;
      for (power = 0; isdigit((unsigned char)*text); text++)
        power = power * 10 + (*text - '0');
    }
    out->power[i] = (int8_t)(out->power[i] + way * power);
  }
  return true;
}

static bool make_value(struct checker *c, const struct last_result *result, const struct type **type,
                       struct value *value) {
  struct types *types = &c->model->types;
  struct dimension dimension;
  if (!result->fields) {
    if (!isfinite(result->value) || !base_unit(types, result->unit, &dimension)) return false;
    *type = result->whole ? types->integer : type_real(types, dimension);
    *value = result->whole ? value_integer((int64_t)result->value) : value_real(result->value);
    return true;
  }
  struct type_field *fields = ARENA_ARRAY(c->arena, struct type_field, result->count);
  struct value *values = ARENA_ARRAY(c->arena, struct value, result->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->count; i++) {
    fields[count].name = name_of(c->model->names, result->fields[i].name);
    count += make_value(c, &result->fields[i], &fields[count].type, &values[count]);
  }
  if (!count) return false;
  *type = type_record(types, fields, count);
  *value = value_object(c->arena, VALUE_RECORD, count);
  value->object->holds = HOLDS_CODE;
  memcpy(value->object->items, values, count * sizeof *values);
  return value_seal(*value);
}

void last_declare(struct checker *c) {
  const struct last_result *last = c->model->loading->options.last;
  c->last = NULL;
  if (!last) return;
  struct symbol *symbol = symbol_new(c, SYMBOL_LET, name_known(c->model->names, KNOWN_LAST), (struct span){0, 0});
  symbol->has_value = make_value(c, last, &symbol->type, &symbol->value);
  if (symbol->has_value) c->last = symbol;
}

void model_set_last(struct model *model, const struct last_result *last) {
  model->loading->options.last = last;
  last_declare(model->loading->checker);
}

struct symbol *last_named(struct checker *c, const struct name *name) {
  return c->last && c->last->name == name ? c->last : NULL;
}

/* ---- single instances ---- */

static uint32_t field_of(const struct type *type, const char *name, size_t length) {
  uint32_t i = 0;
  while (i < type->field_count &&
         !(type->fields[i].name->length == length && !memcmp(type->fields[i].name->text, name, length)))
    i++;
  return i;
}

/* stage_1_0 as stage[1, 0], where the component's name is so long. */
static const char *instance_text(struct checker *c, const char *field, size_t length) {
  struct text text = {.arena = c->arena};
  text_put_n(&text, field, length);
  for (const char *at = field + length; *at; at++)
    if (*at == '_')
      text_put(&text, at == field + length ? "[" : ", ");
    else
      text_char(&text, *at);
  text_char(&text, ']');
  return text.data;
}

static bool is_instance(const char *field, const char *component, size_t length) {
  return !strncmp(field, component, length) && field[length] == '_' &&
         !field[length + strspn(field + length, "_-0123456789")];
}

/* The figures of the instance, whose names end with it: mean-items-in-buffer_1. "": there are none. */
static const char *figures_named(struct checker *c, const char *instance) {
  const struct type *type = c->last->type;
  struct text text = {.arena = c->arena};
  size_t length = strlen(instance);
  for (uint32_t i = 0; i < type->field_count; i++) {
    const struct name *field = type->fields[i].name;
    if (field->length <= length + 1 || strcmp(field->text + field->length - length, instance)) continue;
    if (field->text[field->length - length - 1] != '-') continue;
    text_printf(&text, "%slast.%s", text.size ? ", " : "", field->text);
  }
  return text.size ? text.data : "";
}

/* The instances that `last` has of the component. */
static void instances_help(struct checker *c, const struct name *component, const char *instance) {
  const struct type *type = c->last->type;
  uint32_t count = 0, first = 0, end = 0;
  for (uint32_t i = 0; i < type->field_count; i++) {
    if (!is_instance(type->fields[i].name->text, component->text, component->length)) continue;
    end = i;
    if (!count++) first = i;
  }
  const char *figures = figures_named(c, instance);
  if (*figures)
    check_help(c, (struct span){0, 0}, "its figures are %s", figures);
  else if (count == 1)
    check_help(c, (struct span){0, 0}, "it has one of them, %s; last.%s is all of them",
               instance_text(c, type->fields[first].name->text, component->length), component->text);
  else if (count)
    check_help(c, (struct span){0, 0}, "it has %u of them, %s to %s", count,
               instance_text(c, type->fields[first].name->text, component->length),
               instance_text(c, type->fields[end].name->text, component->length));
  else
    check_help(c, (struct span){0, 0},
               "single instances are there where a component has 2 to 100; last.%s is all of them", component->text);
}

/* The subscripts as fields have them and as they are written; false: some is no number as it stands. */
static bool put_subscripts(struct text *field, struct text *written, const struct expr *index) {
  for (uint32_t i = 0; i < index->index.count; i++) {
    const struct expr *number = index->index.subscripts[i];
    bool minus = number->kind == EXPR_UNARY && number->unary.op == OP_NEG;
    if (minus) number = number->unary.operand;
    if (number->kind != EXPR_INTEGER) return false;
    text_printf(field, "_%s%lld", minus ? "-" : "", (long long)number->integer);
    text_printf(written, "%s%s%lld", i ? ", " : "[", minus ? "-" : "", (long long)number->integer);
  }
  text_char(written, ']');
  return true;
}

/* Names of the model are meant before it. */
static bool is_last(struct checker *c, struct context *x, const struct expr *base) {
  const struct name *name = base->name.name;
  return c->last && name == c->last->name && !scope_find(c, x->scope, name) && !value_first(c, name, base->span);
}

bool last_instance(struct checker *c, struct context *x, struct expr *expr) {
  struct expr *field = expr->index.base, *base = field->kind == EXPR_MEMBER ? field->member.base : NULL;
  if (!base || base->kind != EXPR_NAME || !is_last(c, x, base)) return false;
  const struct name *component = field->member.member.name;
  const struct type *type = c->last->type;
  struct text name = {.arena = c->arena}, written = {.arena = c->arena};
  text_put(&name, component->text);
  text_put(&written, component->text);
  bool plain = put_subscripts(&name, &written, expr);
  if (plain && field_of(type, name.data, name.size) < type->field_count) {
    field->member.member.name = name_intern(c->model->names, name.data, name.size);
    field->span = expr->span;
    *expr = *field;
    return true;
  }
  if (field_of(type, component->text, component->length) == type->field_count) return false;
  if (plain) {
    check_error(c, expr->span, "last has no '%s'", written.data);
    instances_help(c, component, name.data);
  } else {
    check_error(c, expr->span, "an instance is named by whole numbers here, as in last.%s[0]", component->text);
  }
  return true;
}

bool last_has(const struct checker *c, const struct name *name) {
  return c->last && field_of(c->last->type, name->text, name->length) < c->last->type->field_count;
}

bool is_of_last(const struct checker *c, const struct expr *expr) {
  while (expr->kind == EXPR_MEMBER)
    expr = expr->member.base;
  return c->last && expr_symbol(expr) == c->last;
}

void last_mean_help(struct checker *c, const struct expr *expr, const struct type *type) {
  if (type->kind == TYPE_RECORD && is_of_last(c, expr) && field_of(type, "mean", 4) < type->field_count)
    check_help(c, (struct span){0, 0}, "its mean is %s.mean", expr_text(c, expr));
}

/* The fields of `last` that its name leads to: desk.queue; "": none. */
static void put_fields(struct text *out, const struct expr *expr) {
  if (expr->kind != EXPR_MEMBER) return;
  put_fields(out, expr->member.base);
  text_printf(out, "%s%s", out->size ? "." : "", expr->member.member.name->text);
}

bool last_end_refused(struct checker *c, const struct expr *figure, bool high) {
  const char *end = high ? "high" : "low";
  struct text fields = {.arena = c->arena};
  if (!is_of_last(c, figure) || !type_is_number(figure->type)) return false;
  put_fields(&fields, figure);
  check_error(c, figure->span, "%s is a number, which has no range and no interval", expr_text(c, figure));
  if (!strcmp(fields.data, "makespan") && field_of(c->last->type, end, strlen(end)) < c->last->type->field_count)
    check_help(c, (struct span){0, 0}, "did you mean last.%s?", end);
  else if (result_has_interval(c, fields.data))
    check_help(c, (struct span){0, 0}, "a study has the ends of intervals: study --report '%s(%s)'", end, fields.data);
  return true;
}

/* ---- percentiles that the last run does not have ---- */

bool is_percentile(const char *name) { return name[0] == 'p' && isdigit((unsigned char)name[1]); }

/* 99_9 as 99.9 */
const char *percentile_text(struct checker *c, const char *digits) {
  char *text = arena_copy(c->arena, digits, strlen(digits));
  for (char *at = text; *at; at++)
    if (*at == '_') *at = '.';
  return text;
}

/* The component that a field is named by, as job or job_0 are. */
static const struct model_component *component_of(const struct checker *c, const char *field) {
  for (uint32_t i = 0; i < c->model->component_count; i++) {
    const struct name *name = c->model->components[i]->symbol->name;
    if (!strcmp(field, name->text) || is_instance(field, name->text, name->length)) return c->model->components[i];
  }
  return NULL;
}

/* Of what bodies record a statement says which percentiles are kept. */
static bool recorded_percentile_help(struct checker *c, const struct expr *expr, const struct type *base) {
  const char *part = percentile_text(c, expr->member.member.name->text + 1), *of = expr_text(c, expr->member.base);
  const char *point = strrchr(of, '.');
  bool record = field_of(base, "sum", 3) < base->field_count && field_of(base, "count", 5) < base->field_count;
  if (!point) return false;
  if (record)
    check_help(c, (struct span){0, 0}, "its statement says which are kept: record %s = ..., quantiles [%s %%];",
               point + 1, part);
  else
    check_help(c, (struct span){0, 0},
               "percentiles are of what its body records: record NAME = ..., quantiles [%s %%]; then %s.NAME.%s is one",
               part, of, expr->member.member.name->text);
  return true;
}

bool last_percentile_help(struct checker *c, const struct expr *expr, const struct type *base) {
  const struct expr *of = expr->member.base; /* desk, or desk.gold */
  while (of->kind == EXPR_MEMBER && of->member.base->kind == EXPR_MEMBER)
    of = of->member.base;
  const struct expr *last = of->kind == EXPR_MEMBER ? of->member.base : NULL;
  const char *wanted = expr->member.member.name->text;
  if (!is_percentile(wanted) || !last || !c->last || expr_symbol(last) != c->last) return false;
  const struct model_component *component = component_of(c, of->member.member.name->text);
  bool some = false, network = false;
  for (uint32_t i = 0; i < base->field_count; i++) {
    some |= is_percentile(base->fields[i].name->text);
    network |= !strcmp(base->fields[i].name->text, "response");
  }
  if (!network) return recorded_percentile_help(c, expr, base);
  if (some)
    check_help(c, (struct span){0, 0},
               "a run has the percentiles that the param 'percentiles' lists: run --set 'percentiles=[%s %%]'",
               percentile_text(c, wanted + 1));
  else if (!component || !result_of_network(c, component))
    check_help(
        c, (struct span){0, 0},
        "a caller can record what its call takes: let begin = clock; call LABEL(...); record stay = clock - begin, "
        "quantiles [%s %%]; then last.stay.%s is one",
        percentile_text(c, wanted + 1), wanted);
  else
    check_help(c, (struct span){0, 0}, "this analysis does not know it, and simulation does: run %s",
               simulated_by(c->arena, component));
  return true;
}

bool last_field_help(struct checker *c, const struct expr *expr, const struct type *base) {
  static const char *const times[] = {"time", "predicted", "predicted-time", "total", "result"};
  const char *wanted = expr->member.member.name->text;
  struct text text = {.arena = c->arena};
  if (!c->last || expr_symbol(expr->member.base) != c->last) return false;
  for (uint32_t i = 0; i < base->field_count; i++) {
    const struct type *type = base->fields[i].type;
    if (type->kind == TYPE_RECORD && field_of(type, wanted, strlen(wanted)) < type->field_count)
      text_printf(&text, "%slast.%s.%s", text.size ? ", " : "", base->fields[i].name->text, wanted);
  }
  for (size_t i = 0; !text.size && i < sizeof times / sizeof *times; i++)
    if (!strcmp(wanted, times[i])) text_put(&text, "last.makespan");
  if (text.size) check_help(c, (struct span){0, 0}, "did you mean %s?", text.data);
  return text.size > 0;
}

/* ---- the last expression's value ---- */

void model_set_answer(struct model *model, const char *expression) { model->loading->options.answer = expression; }

void last_note_use(struct checker *c, struct span span) {
  ARENA_PUSH(c->arena, c->last_uses, c->last_use_count, c->last_use_capacity, span);
}

bool answer_take(struct checker *c, struct expr *expr) {
  const char *answer = c->model->loading->options.answer;
  struct span span = expr->span;
  if (!answer || !name_is(expr->name.name, KNOWN_ANS)) return false;
  const struct source *source = source_add(c->model->sources, "ans", answer, strlen(answer));
  const struct expr *value = source ? parse_expression(c->arena, c->model->names, c->d, source) : NULL;
  if (!value) return false;
  last_note_use(c, span);
  *expr = *value;
  expr->span = span;
  return true;
}

/* ---- written into a text ---- */

static size_t name_length(const char *text) {
  size_t at = 0;
  if (!isalpha((unsigned char)*text)) return 0;
  for (;;) {
    while (isalnum((unsigned char)text[at]) || text[at] == '_')
      at++;
    size_t hyphens = strspn(text + at, "-");
    if (!hyphens || !isalpha((unsigned char)text[at + hyphens])) return at;
    at += hyphens;
  }
}

/* The `[1, 0]` that stands at the text as fields have it, `_1_0`, behind `out`; how far it goes, 0: it is none. */
static size_t put_indices(struct text *out, const char *text) {
  static const char blanks[] = " \t\r\n";
  size_t at = 0;
  if (*text != '[') return 0;
  do {
    at += 1 + strspn(text + at + 1, blanks);
    size_t sign = text[at] == '-', digits = strspn(text + at + sign, "0123456789");
    if (!digits) return 0;
    text_char(out, '_');
    text_put_n(out, text + at, sign + digits);
    at += sign + digits;
    at += strspn(text + at, blanks);
  } while (text[at] == ',');
  return text[at] == ']' ? at + 1 : 0;
}

/* The member of `last` that stands at the text: how far it goes, and its value. */
static size_t follow(struct arena *arena, const char *text, const struct type **type, struct value *value) {
  size_t size = 0;
  while (text[size] == '.' && (*type)->kind == TYPE_RECORD) {
    struct text name = {.arena = arena};
    size_t length = name_length(text + size + 1);
    text_put_n(&name, text + size + 1, length);
    size_t indices = size ? 0 : put_indices(&name, text + 1 + length);
    uint32_t i = field_of(*type, name.data, indices ? name.size : length);
    if (i == (*type)->field_count) break;
    *value = value->object->items[i];
    *type = (*type)->fields[i].type;
    size += 1 + length + indices;
  }
  return size;
}

static int by_begin(const void *a, const void *b) {
  const struct span *x = a, *y = b;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static bool is_answer(const struct source *source, struct span use) {
  return use.end - use.begin == 3 && !memcmp(source->text + (use.begin - source->base), "ans", 3);
}

const char *model_without_last(struct model *model, struct arena *arena, const struct source *source) {
  const struct checker *c = model->loading->checker;
  struct text out = {.arena = arena};
  uint32_t at = source->base;
  if (c->last_use_count) qsort(c->last_uses, c->last_use_count, sizeof *c->last_uses, by_begin);
  for (uint32_t i = 0; i < c->last_use_count; i++) {
    struct span use = c->last_uses[i];
    if (use.begin < at || use.end > source->base + source->size) continue;
    text_put_n(&out, source->text + (at - source->base), use.begin - at);
    text_char(&out, '(');
    at = use.end;
    if (is_answer(source, use)) {
      text_put(&out, model->loading->options.answer);
    } else {
      const struct type *type = c->last->type;
      struct value value = c->last->value;
      at += (uint32_t)follow(arena, source->text + (use.end - source->base), &type, &value);
      value_print(&out, &model->types, model->names, type, value, 0);
    }
    text_char(&out, ')');
  }
  if (at == source->base) return NULL;
  text_put_n(&out, source->text + (at - source->base), source->base + source->size - at);
  return out.data;
}
