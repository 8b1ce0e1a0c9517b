/* The tree walker: the reference for what expressions mean.  Params, lets, index sets, selectors and profiles
 * are evaluated here, and all of a model under --reference; walk_call.c has calls and binders. */
#include "interp/evaluate/range_groups.h"
#include "interp/evaluate/evaluate.h"
#include "grammar/children.h"
#include "interp/evaluate/arithmetic.h"
#include "interp/model/distribution.h"
#include "interp/evaluate/memo.h"
#include "interp/evaluate/reads.h"
#include "interp/evaluate/walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Diagnostics. */

bool walk_fail(struct environment *e, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char text[400];
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diagnostic_add(e->model->diagnostics, SEVERITY_ERROR, span, "%s", text);
  return false;
}

bool walk_too_deep(struct environment *e, struct span span) {
  const struct memory *memory = e->model->arena->memory;
  size_t held = stack_held(memory) / 1024;
  if (!stack_lacks_memory(memory)) return walk_fail(e, span, "calls nest too deep for the stack");
  return walk_fail(e, span,
                   "calls nest too deep for the memory: of the limit of %zu KiB they hold %zu KiB, all else %zu KiB",
                   memory->limit / 1024, held, memory->used / 1024 - held);
}

const char *walk_text(struct environment *e, const struct type *type, struct value value) {
  return value_brief(e->scratch, &e->model->types, e->model->names, type, value);
}

/* Does it name anything whose value a reader would want to know? */
static bool has_name(const struct expr *x, void *user) {
  bool call = x->kind == EXPR_CALL && (!x->call->symbol || x->call->symbol->kind != SYMBOL_BUILTIN);
  return x->kind == EXPR_NAME || x->kind == EXPR_MEMBER || call || expr_any_child(x, has_name, user);
}

void walk_note(struct environment *e, const struct expr *x, const struct expr *const *operands,
               const struct value *values, uint32_t count) {
  struct text whole = {.arena = e->scratch}, with = {.arena = e->scratch};
  expr_format(&whole, x);
  text_put(&with, "");
  for (uint32_t i = 0; i < count; i++) {
    if (!has_name(operands[i], NULL)) continue;
    text_put(&with, with.size ? ", " : " with ");
    expr_format(&with, operands[i]);
    text_printf(&with, " = %s", walk_text(e, operands[i]->type, values[i]));
  }
  diagnostic_note(e->model->diagnostics, x->span, "in '%s'%s", whole.data, with.size ? with.data : "");
}

static const char *kind_name(enum value_kind kind) {
  switch (kind) {
  case VALUE_NONE: return "no value";
  case VALUE_INT: return "a whole number";
  case VALUE_REAL: return "a real number";
  case VALUE_BOOL: return "a truth value";
  case VALUE_TERM: return "a term";
  case VALUE_SIGNAL: return "a signal";
  case VALUE_STRING: return "a string";
  case VALUE_LIST: return "a list";
  case VALUE_RECORD: return "a record";
  case VALUE_RANGE: return "a range";
  case VALUE_DISTRIBUTION: return "a distribution";
  }
  return "";
}

static bool is_finite(struct value value) {
  if (value.kind == VALUE_REAL) return real_settled(value.real);
  return value.kind != VALUE_RANGE || (real_settled(value.object->range.low) && real_settled(value.object->range.high));
}

bool walk_finite(struct environment *e, const struct expr *x, struct value value) {
  return is_finite(value) || walk_fail(e, x->span, "the result is not a finite number");
}

/* Where part i of a list or record is written. */
static struct span part_span(const struct expr *x, uint32_t i) {
  if (x->kind == EXPR_LIST) return x->list.items[i]->span;
  if (x->kind == EXPR_RECORD) return x->record.fields[i].value->span;
  return x->kind == EXPR_EACH ? x->each.body->span : x->span;
}

/* A list or record that is made: no part of one is infinite or undefined, and none is too large. x: of what;
 * NULL: of what is said to stand at the span. */
static OWN_FRAME bool made(struct environment *e, const struct expr *x, struct span span, struct value value) {
  for (uint32_t i = 0; i < value.object->count; i++)
    if (!is_finite(value.object->items[i]))
      return walk_fail(e, x ? part_span(x, i) : span, "the result is not a finite number");
  return value_seal(value) || walk_fail(e, span, VALUE_TOO_LARGE);
}

static bool is_new(struct value value) {
  return (value.kind == VALUE_LIST || value.kind == VALUE_RECORD) && !value.object->size;
}

/* Conversions. */

/* The number that stands for a distribution where a number is wanted. */
static bool draw_number(struct environment *e, struct span span, struct value *value) {
  double number;
  if (e->drawn) {
    number = drawn_take(e->drawn, value->object);
  } else if (e->analysis) {
    number = distribution_mean(value->object);
    if (!real_settled(number)) return walk_fail(e, span, "the distribution has no finite mean");
  } else if (e->random) {
    number = distribution_draw(value->object, e->random);
  } else if (e->depth) {
    return walk_fail(e, span, "a function is pure and draws nothing");
  } else {
    return walk_fail(e, span, "a distribution is drawn in a simulation only");
  }
  *value = value_real(number);
  return true;
}

/* Is this item of a list the one before it? Items may share so much that to go through each would take forever. */
static bool is_object_again(const struct object *list, uint32_t i) {
  const struct value *item = &list->items[i];
  return i && item->kind == item[-1].kind && (item->kind == VALUE_LIST || item->kind == VALUE_RECORD) &&
         item->object == item[-1].object;
}

/* A list or record whose parts are converted; the value itself where none changes. */
static OWN_FRAME bool convert_parts(struct environment *e, struct span span, const struct type *type,
                                    struct value value, struct value *out) {
  const struct object *from = value.object;
  bool record = type->kind == TYPE_RECORD, same = false;
  if (record && from->count != type->field_count)
    return walk_fail(e, span, "a record of %u fields where %u are wanted", from->count, type->field_count);
  *out = value;
  for (uint32_t i = 0; i < from->count; i++) {
    struct value part;
    if (!record && same && is_object_again(from, i)) continue;
    if (!walk_convert(e, span, record ? type->fields[i].type : type->element, from->items[i], &part)) return false;
    same = part.kind == from->items[i].kind &&
           (part.kind == VALUE_NONE || part.kind == VALUE_SIGNAL || part.integer == from->items[i].integer);
    if (same && out->object == value.object) continue;
    if (out->object == value.object) {
      *out = value_object(e->scratch, value.kind, from->count);
      memcpy(out->object->items, from->items, sizeof *from->items * from->count);
    }
    out->object->items[i] = part;
  }
  return out->object == value.object || made(e, NULL, span, *out);
}

static bool convert_to_range(struct environment *e, struct value value, struct value *out) {
  double x = value.kind == VALUE_INT ? (double)value.integer : value.real;
  *out = value_range(e->scratch, x, x, x, 0);
  return true;
}

static OWN_FRAME bool convert_to_distribution(struct environment *e, struct span span, struct value value,
                                              struct value *out) {
  char error[200];
  double x = value.kind == VALUE_INT ? (double)value.integer : value.real;
  return distribution_make(e->scratch, DISTRIBUTION_CONSTANT, &x, 1, out, error, sizeof error) ||
         walk_fail(e, span, "%s", error);
}

/* "0.4 s, 0.6 s" */
static const char *range_ends(struct environment *e, const struct type *type, struct value value) {
  struct text text = {.arena = e->scratch};
  quantity_print(&text, &e->model->types, value.object->range.low, type->dimension, 4);
  text_put(&text, ", ");
  quantity_print(&text, &e->model->types, value.object->range.high, type->dimension, 4);
  return text.data;
}

bool walk_convert(struct environment *e, struct span span, const struct type *type, struct value value,
                  struct value *out) {
  bool exact = value.kind == VALUE_INT || value.kind == VALUE_REAL;
  enum value_kind wanted = VALUE_NONE;
  *out = value;
  switch (type->kind) {
  case TYPE_ERROR:
  case TYPE_ANY:
  case TYPE_VOID: return true;
  case TYPE_SIGNAL: *out = (struct value){.kind = VALUE_SIGNAL}; return true;
  case TYPE_INT:
    if (value.kind == VALUE_RANGE) /* an int that became uncertain stays a range */
      return true;
    wanted = VALUE_INT;
    break;
  case TYPE_REAL:
    if (value.kind == VALUE_INT) *out = value_real((double)value.integer);
    if (value.kind == VALUE_DISTRIBUTION) return draw_number(e, span, out);
    if (exact || value.kind == VALUE_RANGE) return true;
    wanted = VALUE_REAL;
    break;
  case TYPE_RANGE:
    if (exact) return convert_to_range(e, value, out);
    wanted = VALUE_RANGE;
    break;
  case TYPE_DISTRIBUTION:
    if (exact) return convert_to_distribution(e, span, value, out);
    wanted = VALUE_DISTRIBUTION;
    break;
  case TYPE_BOOL: wanted = VALUE_BOOL; break;
  case TYPE_STRING: wanted = VALUE_STRING; break;
  case TYPE_TERM: wanted = VALUE_TERM; break;
  case TYPE_LIST:
    wanted = VALUE_LIST;
    if (value.kind == wanted) return convert_parts(e, span, type, value, out);
    break;
  case TYPE_RECORD:
    wanted = VALUE_RECORD;
    if (value.kind == wanted) return convert_parts(e, span, type, value, out);
    break;
  }
  if (value.kind == wanted) return true;
  walk_fail(e, span, "%s where %s is wanted", kind_name(value.kind), kind_name(wanted));
  if (value.kind == VALUE_RANGE && wanted == VALUE_DISTRIBUTION)
    diagnostic_help(e->model->diagnostics, (struct span){0, 0},
                    "a range is one value that is uncertain; what is drawn each time is uniform(%s)",
                    range_ends(e, type, value));
  return false;
}

bool walk_operand(struct environment *e, const struct expr *x, struct value *out) {
  return walk_expr(e, x, out) && (out->kind != VALUE_DISTRIBUTION || draw_number(e, x->span, out));
}

bool walk_int(struct environment *e, const struct expr *x, const char *what, int64_t *out) {
  struct value value;
  if (!walk_expr(e, x, &value)) return false;
  *out = value.integer;
  return value.kind == VALUE_INT || walk_fail(e, x->span, "%s is %s, not a whole number", what, kind_name(value.kind));
}

bool walk_bool(struct environment *e, const struct expr *x, bool *out) {
  struct value value;
  if (!walk_expr(e, x, &value)) return false;
  *out = value.boolean;
  return value.kind == VALUE_BOOL || walk_fail(e, x->span, "%s where a truth value is wanted", kind_name(value.kind));
}

/* Names. */

/* The environment of what is global: no instance, no state, no draws, a frame of its own. */
static struct environment global_environment(const struct environment *e, struct value *frame) {
  return (struct environment){.model = e->model, .scratch = e->scratch, .locals = frame, .depth = e->depth};
}

static bool max_slot(const struct expr *x, void *user) {
  uint32_t *slots = user;
  const struct binder *binders = x->kind == EXPR_CALL   ? x->call->binders
                                 : x->kind == EXPR_EACH ? x->each.binders
                                                        : NULL;
  uint32_t count = x->kind == EXPR_CALL ? x->call->binder_count : x->kind == EXPR_EACH ? x->each.binder_count : 0;
  for (uint32_t i = 0; i < count; i++)
    if (binders[i].symbol && binders[i].symbol->slot >= *slots) *slots = binders[i].symbol->slot + 1;
  const struct symbol *symbol = x->kind == EXPR_NAME ? x->name.symbol : NULL;
  if (symbol && (symbol->kind == SYMBOL_LOCAL || symbol->kind == SYMBOL_VALUE) && symbol->slot >= *slots)
    *slots = symbol->slot + 1;
  return expr_any_child(x, max_slot, user);
}

uint32_t evaluate_slots(const struct expr *expr) {
  uint32_t slots = 0;
  max_slot(expr, &slots);
  return slots;
}

/* The slots of a symbol's expression, found once unless it is set anew for each run. */
static uint32_t symbol_slots(const struct model *model, struct symbol *symbol, const struct expr *x) {
  bool kept = symbol->framed == x && symbol->framed_when == model->checked && x != symbol->setting;
  if (!kept) symbol->slots = evaluate_slots(x);
  symbol->framed = x;
  symbol->framed_when = model->checked;
  return symbol->slots;
}

/* A symbol's expression in an environment whose frame is its own; out as one of its type. */
static OWN_FRAME bool walk_apart(struct environment *e, struct symbol *symbol, const struct expr *x,
                                 struct value *out) {
  struct value frame[symbol_slots(e->model, symbol, x) + 1], *locals = e->locals;
  e->locals = frame;
  bool fine = walk_expr(e, x, out) && walk_convert(e, x->span, symbol->type, *out, out);
  e->locals = locals;
  return fine;
}

/* The range or list of `in`; a .. b stays two bounds even of whole numbers. */
static OWN_FRAME bool walk_membership(struct environment *e, const struct expr *x, struct value *out) {
  if (x->kind != EXPR_RANGE) return walk_operand(e, x, out);
  struct value low, high;
  if (!walk_operand(e, x->range.low, &low) || !walk_operand(e, x->range.high, &high)) return false;
  if ((low.kind != VALUE_INT && low.kind != VALUE_REAL) || (high.kind != VALUE_INT && high.kind != VALUE_REAL))
    return walk_fail(e, x->span, "the bounds of a range are numbers");
  *out = value_range_between(e->scratch, low, high);
  return true;
}

/* The term of a list that a misspelt one may stand for, as help. */
static void meant_term(struct environment *e, const struct type *type, struct value value, struct value list) {
  if (value.kind != VALUE_TERM || list.kind != VALUE_LIST) return;
  const char **texts = ARENA_ARRAY(e->scratch, const char *, list.object->count);
  for (uint32_t i = 0; i < list.object->count; i++)
    texts[i] = walk_text(e, type, list.object->items[i]);
  const char *near = nearest_name(walk_text(e, type, value), texts, list.object->count);
  if (near) diagnostic_help(e->model->diagnostics, (struct span){0}, "did you mean '%s'?", near);
}

/* Of a range that is an attribute of all components like one, a word that is the name of one of these: it has
 * forgotten the attribute. */
static void meant_variant(struct environment *e, const struct expr *range, const struct type *type,
                          struct value value) {
  const struct expr *base = range->kind == EXPR_MEMBER ? range->member.base : NULL;
  if (!base || base->kind != EXPR_CALL || base->call->callee->kind != EXPR_NAME || value.kind != VALUE_TERM) return;
  const char *word = walk_text(e, type, value), *attribute = range->member.member.name->text;
  for (uint32_t i = 0; i < e->model->component_count; i++) {
    const struct model_component *component = e->model->components[i], *like = component->like;
    if (strcmp(component->symbol->name->text, word)) continue;
    while (like && like->symbol->name != base->call->callee->name.name)
      like = like->like;
    diagnostic_help(e->model->diagnostics, component->symbol->span,
                    like ? "component '%s' has no %s of its own: write profile %s = %s; in it"
                         : "component '%s' is not like '%s'",
                    word, like ? attribute : base->call->callee->name.name->text, attribute, word);
  }
}

const char *range_text(struct arena *arena, const struct model *model, const struct expr *range,
                       const struct type *type, struct value bounds) {
  struct text text = {.arena = arena};
  if (bounds.kind == VALUE_LIST && range->kind != EXPR_LIST)
    return value_brief(arena, &model->types, model->names, type_list((struct types *)&model->types, type), bounds);
  expr_format(&text, range);
  return text.data;
}

/* A part of one that is given in hundredths without the sign. */
static void meant_percentage(struct environment *e, const struct type *type, struct value value, struct value bounds) {
  double x = value.kind == VALUE_INT ? (double)value.integer : value.kind == VALUE_REAL ? value.real : 0;
  if (type->kind != TYPE_REAL || !dimension_none(type->dimension)) return;
  if (bounds.kind != VALUE_RANGE || x <= 1 || bounds.object->range.high > 1) return;
  if (value_membership(value_real(x / 100), bounds) == CERTAINLY)
    diagnostic_help(e->model->diagnostics, (struct span){0}, "a percentage is written with its sign: %.12g %%", x);
}

static double number_of(struct value value) {
  return value.kind == VALUE_INT ? (double)value.integer : value.kind == VALUE_REAL ? value.real : NAN;
}

/* `in [1, 30]` where `in 1 .. 30` is meant: the value lies between the two that are listed. */
static void meant_range(struct environment *e, const struct expr *range, struct value value, struct value bounds) {
  struct text low = {.arena = e->scratch}, high = {.arena = e->scratch};
  if (range->kind != EXPR_LIST || range->list.count != 2 || bounds.kind != VALUE_LIST) return;
  const struct value *items = bounds.object->items;
  double x = number_of(value);
  if (!(number_of(items[0]) < x && x < number_of(items[1]))) return;
  expr_format(&low, range->list.items[0]);
  expr_format(&high, range->list.items[1]);
  diagnostic_help(e->model->diagnostics, (struct span){0},
                  "a list allows its items alone; what lies between two numbers is a range: in %s .. %s", low.data,
                  high.data);
}

/* What the component has for the attribute, as a word; NULL: none, or what is to be computed. */
static const struct name *attribute_word(const struct model_component *component, const struct name *attribute) {
  const struct model_accept *accept = component->accept_count ? component->accepts[0] : NULL;
  for (uint32_t i = 0; accept && i < accept->profile_count; i++) {
    const struct expr *value = accept->profile[i].value;
    if (accept->profile[i].attribute == attribute->folded && value && value->kind == EXPR_NAME && !value->name.symbol)
      return value->name.name->folded;
  }
  return NULL;
}

static bool is_of_own_file(const struct model *model, const struct model_component *component) {
  for (uint32_t i = 0; i < model->own_count; i++)
    if (model->files[i]->source == component->symbol->file) return true;
  return false;
}

/* The components of the family, not the model's own, that are there for others to be made like them: 'computer' or
 * 'convolved'. */
static const char *kinds_text(struct environment *e, const struct name *family, const struct name *attribute) {
  struct text text = {.arena = e->scratch};
  for (uint32_t i = 0; i < e->model->component_count; i++) {
    const struct model_component *component = e->model->components[i], *like = component;
    const struct name *word = attribute_word(component, attribute);
    while (like && like->symbol->name != family)
      like = like->like;
    if (like && word && name_is(word, KNOWN_ABSTRACT) && !is_of_own_file(e->model, component))
      text_printf(&text, "%s'%s'", text.size ? " or " : "", component->symbol->name->text);
  }
  return text.size ? text.data : arena_printf(e->scratch, "'%s'", family->text);
}

/* One that the model has not, or has something else of, as the profile of its memory. */
static void meant_machine(struct environment *e, const struct name *name, const struct expr *range,
                          const struct type *type, struct value value) {
  const struct expr *base = range->kind == EXPR_MEMBER ? range->member.base : NULL;
  if (value.kind != VALUE_TERM || !name_is(name, KNOWN_MACHINE)) return;
  bool family = base && base->kind == EXPR_CALL && base->call->callee->kind == EXPR_NAME;
  const struct name *attribute = family ? range->member.member.name : NULL;
  const char *kinds = family ? kinds_text(e, base->call->callee->name.name, attribute) : NULL;
  const char *word = walk_text(e, type, value);
  diagnostic_help(e->model->diagnostics, (struct span){0},
                  "a machine of your own is a component of the model, or of the file that --model FILE names%s%s",
                  kinds ? ", like " : "", kinds ? kinds : "");
  for (uint32_t i = 0; family && i < e->model->component_count; i++) {
    const struct model_component *component = e->model->components[i];
    const struct name *has = attribute_word(component, attribute);
    if (!has || strcasecmp(has->text, word) != 0) continue;
    diagnostic_help(e->model->diagnostics, component->symbol->span,
                    "'%s' has %s = %s and is none: write another component, like %s, with profile %s = %s;",
                    component->symbol->name->text, attribute->text, word, kinds, attribute->text, word);
    return;
  }
}

static bool refuse_value(struct environment *e, const struct name *name, const struct type *type,
                         const struct expr *range, struct span span, struct value value, struct value bounds) {
  if (value.kind == VALUE_DISTRIBUTION)
    walk_fail(e, span, "%s = %s is a distribution, and its range allows numbers", name->text,
              walk_text(e, type, value));
  else
    walk_fail(e, span, "%s = %s is not in its range", name->text, walk_text(e, type, value));
  diagnostic_note(e->model->diagnostics, range->span, "%s is in %s", name->text,
                  range_text(e->scratch, e->model, range, type, bounds));
  if (value.kind == VALUE_DISTRIBUTION)
    diagnostic_help(e->model->diagnostics, (struct span){0, 0},
                    "one number is wanted; a param that may be random is declared without 'in'");
  meant_percentage(e, type, value, bounds);
  meant_term(e, type, value, bounds);
  meant_machine(e, name, range, type, value);
  meant_variant(e, range, type, value);
  meant_range(e, range, value, bounds);
  return false;
}

static OWN_FRAME bool bounds_compute(struct environment *e, const struct expr *range, struct value *bounds) {
  struct value frame[evaluate_slots(range) + 1], found;
  struct environment global = global_environment(e, frame);
  global.indices = e->indices; /* of a component's own param */
  if (!walk_membership(&global, range, &found)) return false;
  *bounds = value_copy(memo_values(memo_of(e->model)), found, HOLDS_MODEL);
  return true;
}

static bool param_in_range(struct environment *e, struct symbol *symbol, const struct expr *x, struct value value) {
  const struct expr *range = symbol->decl->value.range;
  if (!range || e->model->unbounded) return true;
  return (symbol->range.kind != VALUE_NONE || bounds_compute(e, range, &symbol->range)) &&
         (value_in(value, symbol->range) ||
          refuse_value(e, symbol->name, symbol->type, range, x->span, value, symbol->range));
}

bool value_allowed(struct environment *environment, struct allowed *allowed, const struct name *name,
                   const struct type *type, struct span span, struct value value) {
  struct model *model = environment->model;
  struct reads *reads = model->reads;
  model->reads = NULL; /* it is tested at each run */
  bool fine = true;
  if (allowed && allowed->range && allowed->bounded != model->bounding + 1) {
    fine = bounds_compute(environment, allowed->range, &allowed->bounds);
    allowed->bounded = fine ? model->bounding + 1 : 0;
  }
  model->reads = reads;
  return fine && (!allowed || !allowed->range || value_in(value, allowed->bounds) ||
                  refuse_value(environment, name, type, allowed->range, span, value, allowed->bounds));
}

static bool computed(struct environment *e, const struct symbol *symbol, struct value *out) {
  const struct model *model = e->model;
  return symbol->kind == SYMBOL_LET && model->compute && !model->walking && model->compute(e, symbol, out);
}

static OWN_FRAME bool compute_symbol(struct environment *e, struct symbol *symbol, struct span span) {
  if (symbol->in_progress) {
    walk_fail(e, span, "the value of '%s' depends on itself", symbol->name->text);
    diagnostic_note(e->model->diagnostics, symbol->span, "declared here");
    if (symbol->setting)
      diagnostic_help(e->model->diagnostics, (struct span){0, 0},
                      "a setting takes the place of what is declared: write the value that '%s' is to have, without it",
                      symbol->name->text);
    return false;
  }
  const struct expr *x = value_expr(symbol);
  struct environment global = global_environment(e, NULL);
  const struct symbol *outer = e->model->computing;
  struct value value;
  symbol->in_progress = true;
  e->model->computing = symbol;
  bool fine = computed(&global, symbol, &value) || walk_apart(&global, symbol, x, &value);
  e->model->computing = outer;
  if (fine && !is_finite(value))
    fine = walk_fail(e, x->span, "the value of '%s' is not a finite number", symbol->name->text);
  fine = fine && (symbol->kind != SYMBOL_PARAM || param_in_range(e, symbol, x, value));
  symbol->in_progress = false;
  if (!fine) return false;
  symbol->value = value_copy(memo_values(memo_of(e->model)), value, HOLDS_MODEL);
  symbol->has_value = true;
  return true;
}

bool evaluate_symbol(struct environment *environment, struct symbol *symbol, struct span span, struct value *out) {
  struct reads *reads = environment->model->reads;
  environment->model->reads = NULL; /* the value counts, not what it is made of */
  uint64_t binding = environment->model->diagnostics->unheard ? 0 : environment->model->binding;
  bool told = binding && symbol->failed == binding;
  bool fine = symbol->has_value || (!told && compute_symbol(environment, symbol, span));
  if (!fine && binding) symbol->failed = binding;
  environment->model->reads = reads;
  if (fine) *out = reads ? reads_note(reads, symbol, symbol->value) : symbol->value;
  if (reads && !fine) reads->lost = true;
  return fine;
}

void forget_symbol(struct symbol *symbol) {
  symbol->has_value = symbol->in_progress = false;
  symbol->value = symbol->range = (struct value){.kind = VALUE_NONE};
}

void bounds_forget(struct model *model) { model->bounding++; }

void model_forget(struct model *model) {
  model->epoch++;
  for (uint32_t i = 0; i < model->param_count; i++)
    forget_symbol(model->params[i]);
  for (uint32_t i = 0; i < model->let_count; i++)
    forget_symbol(model->lets[i]);
  model->held = NULL;
  model->unbounded = false;
  bounds_forget(model);
  memo_clear(memo_of(model));
  for (uint32_t i = 0; i < model->component_count; i++)
    for (uint32_t k = 0; k < model->components[i]->instance_count; k++)
      model->components[i]->instances[k]->in_progress = false;
}

/* A let or param of a component, over the instance's indices. */
static bool walk_instance(struct environment *e, struct symbol *symbol, struct span span, struct value *out) {
  if (symbol->in_progress) {
    walk_fail(e, span, "the value of '%s' depends on itself", symbol->name->text);
    diagnostic_note(e->model->diagnostics, symbol->span, "declared here");
    return false;
  }
  symbol->in_progress = true;
  bool fine = walk_apart(e, symbol, symbol->instance.value, out);
  symbol->in_progress = false;
  return fine;
}

static bool walk_attribute(struct environment *e, struct symbol *symbol, struct span span, struct value *out) {
  bool lacks = false;
  if (!e->attribute)
    return walk_fail(e, span, "the attribute '%s' of the other side is not known here", symbol->name->text);
  if (e->attribute(e, symbol, span, out, &lacks)) return true;
  if (lacks) {
    e->lacked = true;
    e->lacking = symbol;
    e->lacking_at = span;
  }
  return false;
}

static bool walk_term(const struct name *name, struct value *out) {
  *out = (struct value){.kind = VALUE_TERM, .term = {name->folded->id, 0}};
  return true;
}

bool walk_local(struct environment *e, struct value value) {
  if (value.kind != VALUE_NONE || !e->lack_allowed) return true;
  e->lacked = true;
  e->lacking = NULL;
  return false;
}

static bool walk_symbol(struct environment *e, struct symbol *symbol, struct span span, struct value *out) {
  switch (symbol->kind) {
  case SYMBOL_PARAM:
  case SYMBOL_LET: return evaluate_symbol(e, symbol, span, out);
  case SYMBOL_INSTANCE: return walk_instance(e, symbol, span, out);
  case SYMBOL_INDEX: *out = value_integer(e->indices[symbol->slot]); return true;
  case SYMBOL_VAR:
    if (!e->vars) return walk_fail(e, span, "the state '%s' is not known here", symbol->name->text);
    *out = e->vars[symbol->slot];
    return true;
  case SYMBOL_LOCAL:
  case SYMBOL_VALUE: *out = e->locals[symbol->slot]; return walk_local(e, *out);
  case SYMBOL_ATTRIBUTE: return walk_attribute(e, symbol, span, out);
  case SYMBOL_CLOCK: *out = value_real(e->clock); return true;
  case SYMBOL_UNIT: *out = value_real(symbol->unit.factor); return true;
  case SYMBOL_FUNCTION: /* a word of the model that is also a term */
  case SYMBOL_BUILTIN:
  case SYMBOL_EVALUATOR:
  case SYMBOL_EVALUATOR_FUNCTION:
  case SYMBOL_FOREIGN:
  case SYMBOL_FILE:
  case SYMBOL_DOMAIN:
  case SYMBOL_TRANSACTION:
  case SYMBOL_PROTOCOL:
  case SYMBOL_COMPONENT:
  case SYMBOL_COERCION:
  case SYMBOL_STUDY:
  case SYMBOL_LABEL:
  case SYMBOL_TARGET:
  case SYMBOL_CALLER: return walk_term(symbol->name, out);
  }
  return false;
}

static bool walk_name(struct environment *e, const struct expr *x, struct value *out) {
  if (x->name.symbol) return walk_symbol(e, x->name.symbol, x->span, out);
  if (x->type && x->type->kind == TYPE_SIGNAL) {
    *out = (struct value){.kind = VALUE_SIGNAL};
    return true;
  }
  return walk_term(x->name.name, out);
}

static bool walk_member(struct environment *e, const struct expr *x, struct value *out) {
  if (x->member.symbol) return walk_symbol(e, x->member.symbol, x->span, out);
  struct value base;
  if (!walk_expr(e, x->member.base, &base)) return false;
  const struct type *type = x->member.base->type;
  uint32_t count = base.kind == VALUE_RECORD && type && type->kind == TYPE_RECORD ? type->field_count : 0;
  for (uint32_t i = 0; i < count && i < base.object->count; i++)
    if (type->fields[i].name == x->member.member.name) {
      *out = base.object->items[i];
      return true;
    }
  return walk_fail(e, x->member.member.span, "%s has no field '%s'", kind_name(base.kind), x->member.member.name->text);
}

/* `l[-1]`, as other languages have it. */
static void last_item_help(struct environment *e, const struct expr *list) {
  struct text whole = {.arena = e->scratch};
  expr_format(&whole, list);
  diagnostic_help(e->model->diagnostics, (struct span){0, 0}, "the last item is %s[length(%s) - 1]", whole.data,
                  whole.data);
}

static bool walk_index(struct environment *e, const struct expr *x, struct value *out) {
  if (!x->index.term && !walk_expr(e, x->index.base, out)) return false;
  if (x->index.term) walk_term(x->index.term, out);
  if (out->kind == VALUE_TERM) {
    out->term.qualifier = name_of(e->model->names, x->index.qualifier)->folded->id;
    return true;
  }
  for (uint32_t i = 0; i < x->index.count; i++) {
    int64_t at;
    if (!walk_int(e, x->index.subscripts[i], "the index of a list", &at)) return false;
    if (out->kind != VALUE_LIST) return walk_fail(e, x->index.base->span, "%s has no items", kind_name(out->kind));
    if (at < 0 || at >= out->object->count) {
      walk_fail(e, x->index.subscripts[i]->span, "index %lld is outside the list, which has %u item%s", (long long)at,
                out->object->count, out->object->count == 1 ? "" : "s, from 0");
      walk_note(e, x, (const struct expr *const *)x->index.subscripts + i, &(struct value){VALUE_INT, {.integer = at}},
                1);
      bool written = x->index.subscripts[i]->kind == EXPR_UNARY && x->index.base->kind == EXPR_NAME;
      if (at == -1 && written && x->index.count == 1 && out->object->count) last_item_help(e, x->index.base);
      return false;
    }
    *out = out->object->items[at];
  }
  return true;
}

/* Operators. */

/* n ^ -2, which is real: 1 / n ^ 2. */
static void help_power(struct environment *e, const struct expr *base, int64_t power) {
  struct text text = {.arena = e->scratch};
  bool operation = base->kind == EXPR_BINARY || base->kind == EXPR_UNARY;
  text_put(&text, operation ? "1 / (" : "1 / ");
  expr_format(&text, base);
  text_put(&text, operation ? ")" : "");
  if (power < -1) text_printf(&text, " ^ %lld", (long long)(power == INT64_MIN ? INT64_MAX : -power));
  diagnostic_help(e->model->diagnostics, (struct span){0}, "a real number is written %s", text.data);
}

static OWN_FRAME bool binary_failed(struct environment *e, const struct expr *x, struct span span, const char *error,
                                    const struct expr *left, struct value a, const struct expr *right, struct value b) {
  walk_fail(e, span, "%s", error);
  walk_note(e, x, (const struct expr *const[]){left, right}, (struct value[]){a, b}, 2);
  if (x->kind == EXPR_BINARY && x->binary.op == OP_POW && a.kind == VALUE_INT && b.kind == VALUE_INT && b.integer < 0)
    help_power(e, left, b.integer);
  return false;
}

static OWN_FRAME bool combine(struct environment *e, const struct expr *x, struct span span, enum operator op,
                              const struct expr *left, struct value a, const struct expr *right, struct value b,
                              struct value *out) {
  char error[120];
  return value_binary(e->scratch, op, a, b, out, error, sizeof error) ||
         binary_failed(e, x, span, error, left, a, right, b);
}

static bool walk_binary(struct environment *e, const struct expr *x, struct value *out) {
  enum operator op = x->binary.op;
  struct value a, b;
  if (op == OP_AND || op == OP_OR) {
    out->kind = VALUE_BOOL;
    if (!walk_bool(e, x->binary.left, &out->boolean)) return false;
    return out->boolean == (op == OP_OR) || walk_bool(e, x->binary.right, &out->boolean);
  }
  if (!walk_operand(e, x->binary.left, &a) || !walk_operand(e, x->binary.right, &b)) return false;
  struct span span = x->binary.op_span.end ? x->binary.op_span : x->span;
  return combine(e, x, span, op, x->binary.left, a, x->binary.right, b, out);
}

static bool walk_unary(struct environment *e, const struct expr *x, struct value *out) {
  if (x->unary.op == OP_NOT) {
    out->kind = VALUE_BOOL;
    if (!walk_bool(e, x->unary.operand, &out->boolean)) return false;
    out->boolean = !out->boolean;
    return true;
  }
  if (!walk_operand(e, x->unary.operand, out)) return false;
  if (out->kind == VALUE_REAL)
    out->real = -out->real;
  else if (out->kind == VALUE_RANGE)
    *out = value_range(e->scratch, -out->object->range.high, -out->object->range.middle, -out->object->range.low,
                       out->object->range.sources);
  else if (out->kind != VALUE_INT)
    return walk_fail(e, x->span, "%s where a number is wanted", kind_name(out->kind));
  else if (int_negate(out->integer, &out->integer) != ARITHMETIC_FINE)
    return walk_fail(e, x->span, "%s", arithmetic_text(ARITHMETIC_OVERFLOW));
  return true;
}

/* An operand of a comparison; with *lacks set where it asks for an attribute that the other side's profile
 * lacks. */
static bool walk_compared(struct environment *e, const struct expr *x, bool membership, struct value *out,
                          bool *lacks) {
  bool fine = membership ? walk_membership(e, x, out) : walk_expr(e, x, out);
  if (!fine && e->lacked && e->lacking) {
    e->lacked = false;
    *lacks = true;
    return true;
  }
  if (!fine || out->kind != VALUE_DISTRIBUTION) return fine;
  if (e->analysis) {
    walk_fail(e, x->span, "under analysis a distribution cannot be compared");
    diagnostic_help(e->model->diagnostics, (struct span){0},
                    "branches by chance are: one of { P { ... } 1 - P { ... } }");
    return false;
  }
  return draw_number(e, x->span, out);
}

static bool walk_compare(struct environment *e, const struct expr *x, struct value *out) {
  struct value left, right, result = value_boolean(true);
  bool lacks = false;
  if (!walk_compared(e, x->compare.operands[0], false, &left, &lacks)) return false;
  for (uint32_t i = 0; i + 1 < x->compare.count && !lacks && result.boolean; i++) {
    const struct expr *const *operand = (const struct expr *const *)x->compare.operands + i;
    enum operator op = x->compare.ops[i];
    if (!walk_compared(e, operand[1], op == OP_IN, &right, &lacks)) return false;
    if (!lacks && !combine(e, x, x->span, op, operand[0], left, operand[1], right, &result)) return false;
    left = right;
  }
  *out = value_boolean(!lacks && result.boolean);
  return true;
}

static bool is_rising(const struct object *range) {
  bool whole = range->count == (WHOLE_LOW | WHOLE_HIGH);
  return whole ? range->range.first <= range->range.last : range->range.low <= range->range.high;
}

static bool walk_range(struct environment *e, const struct expr *x, struct value *out) {
  if (!walk_membership(e, x, out)) return false;
  out->object->range.sources = range_source(e->model, e->model->computing, x);
  if (is_rising(out->object)) return true;
  walk_fail(e, x->span, "the range ends before it begins");
  walk_note(e, x, (const struct expr *const[]){x->range.low, x->range.high},
            (struct value[]){value_real(out->object->range.low), value_real(out->object->range.high)}, 2);
  return false;
}

static bool walk_if(struct environment *e, const struct expr *x, struct value *out) {
  bool condition;
  return walk_bool(e, x->branch.condition, &condition) &&
         walk_expr(e, condition ? x->branch.then : x->branch.otherwise, out);
}

static bool walk_list(struct environment *e, const struct expr *x, struct value *out) {
  struct value list = value_object(e->scratch, VALUE_LIST, x->list.count);
  for (uint32_t i = 0; i < x->list.count; i++)
    if (!walk_expr(e, x->list.items[i], &list.object->items[i])) return false;
  return x->type ? walk_convert(e, x->span, x->type, list, out) : (*out = list, true);
}

static bool walk_record(struct environment *e, const struct expr *x, struct value *out) {
  *out = value_object(e->scratch, VALUE_RECORD, x->record.count);
  struct object *record = out->object;
  for (uint32_t i = 0; i < x->record.count; i++)
    if (!walk_expr(e, x->record.fields[i].value, &record->items[i])) return false;
  return true;
}

/* Any expression. */

static bool walk_kind(struct environment *e, const struct expr *x, struct value *out) {
  switch (x->kind) {
  case EXPR_INTEGER: *out = value_integer(x->integer); return true;
  case EXPR_REAL: *out = value_real(x->real); return true;
  case EXPR_QUANTITY: *out = value_real(real_of_unit(x->quantity.value, x->quantity.factor)); return true;
  case EXPR_BOOLEAN: *out = value_boolean(x->boolean); return true;
  case EXPR_STRING: *out = value_string(e->scratch, x->string, strlen(x->string)); return true;
  case EXPR_NAME: return walk_name(e, x, out);
  case EXPR_UNARY: return walk_unary(e, x, out);
  case EXPR_BINARY: return walk_binary(e, x, out);
  case EXPR_COMPARE: return walk_compare(e, x, out);
  case EXPR_IF: return walk_if(e, x, out);
  case EXPR_RANGE: return walk_range(e, x, out);
  case EXPR_INDEX: return walk_index(e, x, out);
  case EXPR_CALL: return walk_call(e, x, out);
  case EXPR_MEMBER: return walk_member(e, x, out);
  case EXPR_LIST: return walk_list(e, x, out);
  case EXPR_EACH: return walk_each(e, x, out);
  case EXPR_RECORD: return walk_record(e, x, out);
  case EXPR_NA: *out = (struct value){.kind = VALUE_NONE}; return true;
  case EXPR_CLAUSE: /* stands in selectors alone: see resolve/match.c */
  case EXPR_KINDS: break;
  }
  return false;
}

bool walk_expr(struct environment *e, const struct expr *x, struct value *out) {
  if (!walk_has_room(e, 0)) return walk_too_deep(e, x->span);
  if (!walk_kind(e, x, out) || (is_new(*out) && !made(e, x, x->span, *out))) return false;
  if (!x->type || x->type->kind != TYPE_REAL || out->kind == VALUE_REAL) return true;
  if (out->kind == VALUE_INT) *out = value_real((double)out->integer);
  return out->kind != VALUE_DISTRIBUTION || draw_number(e, x->span, out);
}

/* What is left of an evaluation at its end. */
static bool settle(struct environment *e, const struct expr *x, bool fine, struct value value) {
  if (!fine) {
    if (e->lacked && !e->lack_allowed) {
      walk_fail(e, e->lacking_at, "the profile of the %s has no attribute '%s'",
                e->lacking->side == OF_CALLER ? "caller" : "target", e->lacking->name->text);
      e->lacked = false;
    }
    return false;
  }
  return walk_finite(e, x, value);
}

bool evaluate(struct environment *environment, const struct expr *expr, struct value *out) {
  environment->lacked = false;
  bool fine = walk_expr(environment, expr, out);
  return settle(environment, expr, fine, *out);
}

/* The end of a range that stands for it in this run. */
static void choose_end(struct environment *e, const struct type *type, struct value *out) {
  const struct object *range = out->object;
  bool varies = range->range.low < range->range.high;
  enum range_end own = varies ? range_groups_end(e->ranges, range->range.sources) : RANGE_MIDDLE;
  enum range_end end = e->range_end == RANGE_EACH ? own : e->range_end;
  double number = end == RANGE_LOW ? range->range.low : end == RANGE_HIGH ? range->range.high : range->range.middle;
  e->ranges->met = true;
  *out = type->kind == TYPE_INT ? value_integer((int64_t)nearbyint(number)) : value_real(number);
}

/* The same of a list's items, in a list of its own. */
static void choose_ends(struct environment *e, const struct type *type, struct value *out) {
  const struct type *element = type->element;
  if (element->kind != TYPE_REAL && element->kind != TYPE_INT) return;
  uint32_t count = out->object->count, ranges = 0;
  for (uint32_t i = 0; i < count; i++)
    ranges += out->object->items[i].kind == VALUE_RANGE;
  if (!ranges) return;
  struct value list = value_object(e->scratch, VALUE_LIST, count);
  for (uint32_t i = 0; i < count; i++) {
    list.object->items[i] = out->object->items[i];
    if (list.object->items[i].kind == VALUE_RANGE) choose_end(e, element, &list.object->items[i]);
  }
  *out = list;
}

bool value_as(struct environment *environment, struct span span, const struct type *type, struct value value,
              struct value *out) {
  if (!walk_convert(environment, span, type, value, out)) return false;
  if (environment->range_end == RANGE_AS_IT_IS) return true;
  if (out->kind == VALUE_RANGE && (type->kind == TYPE_REAL || type->kind == TYPE_INT))
    choose_end(environment, type, out);
  else if (out->kind == VALUE_LIST && type->kind == TYPE_LIST)
    choose_ends(environment, type, out);
  return true;
}

bool evaluate_as(struct environment *environment, const struct expr *expr, const struct type *type, struct value *out) {
  environment->lacked = false;
  bool fine = walk_expr(environment, expr, out) && value_as(environment, expr->span, type, *out, out);
  return settle(environment, expr, fine, *out);
}
