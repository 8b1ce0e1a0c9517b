/* The tree walker's calls: functions of PSL with their memo, built-in ones, pure ones of evaluators, and all
 * that runs over binders. */
#include "interp/include/evaluator.h"
#include "interp/evaluate/builtin.h"
#include "interp/evaluate/memo.h"
#include "interp/evaluate/reads.h"
#include "interp/evaluate/walk.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Binders. */

struct loop {
  struct environment *e;
  const struct binder *binders;
  uint32_t count;
  const struct expr *body;
  struct fold fold; /* of a fold */
  const struct expr *call;
  struct value *items; /* of a list */
  uint32_t item_count, item_capacity;
  bool decided; /* the rest cannot matter */
};

static bool loop_item(struct loop *loop) {
  struct value item;
  struct environment *e = loop->e;
  if (!loop->call) {
    if (loop->item_count == VALUE_SIZE) return walk_fail(e, loop->body->span, VALUE_TOO_LARGE);
    if (!walk_expr(e, loop->body, &item)) return false;
    ARENA_PUSH(e->scratch, loop->items, loop->item_count, loop->item_capacity, item);
    return true;
  }
  char error[120];
  return walk_operand(e, loop->body, &item) &&
         (fold_add(&loop->fold, e->scratch, item, &loop->decided, error, sizeof error) ||
          walk_fail(e, loop->call->span, "%s", error));
}

static bool loop_from(struct loop *loop, uint32_t k);

static bool loop_at(struct loop *loop, uint32_t k, struct value value) {
  loop->e->locals[loop->binders[k].symbol->slot] = value;
  return loop_from(loop, k + 1);
}

/* The binders from k on, inner ones fastest; their ranges may use the outer ones. */
static OWN_FRAME bool loop_from(struct loop *loop, uint32_t k) {
  if (k == loop->count) return loop_item(loop);
  const struct expr *range = loop->binders[k].range;
  if (range->kind == EXPR_RANGE) {
    int64_t low, high;
    if (!walk_int(loop->e, range->range.low, "the beginning of a range that is run over", &low) ||
        !walk_int(loop->e, range->range.high, "the end of a range that is run over", &high))
      return false;
    if (loop->call && fold_has_limit(loop->fold.kind) && low <= high && (uint64_t)high - (uint64_t)low >= FOLD_MOST)
      return walk_fail(loop->e, range->span, "%s runs over more than %d values", loop->binders[k].name.name->text,
                       FOLD_MOST);
    for (int64_t i = low; i <= high && !loop->decided; i++) {
      if ((i == low || (i & 1023) == 0) && interrupted(loop->e->model->arena->memory))
        return walk_fail(loop->e, range->span, "interrupted");
      if (!loop_at(loop, k, value_integer(i))) return false;
      if (i == high) break; /* i + 1 may not fit */
    }
    return true;
  }
  struct value list;
  if (!walk_expr(loop->e, range, &list)) return false;
  if (list.kind != VALUE_LIST)
    return walk_fail(loop->e, range->span, "%s runs over whole numbers a .. b or a list",
                     loop->binders[k].name.name->text);
  for (uint32_t i = 0; i < list.object->count && !loop->decided; i++)
    if (!loop_at(loop, k, list.object->items[i])) return false;
  return true;
}

bool walk_each(struct environment *e, const struct expr *x, struct value *out) {
  struct loop loop = {.e = e, .binders = x->each.binders, .count = x->each.binder_count, .body = x->each.body};
  if (!loop_from(&loop, 0)) return false;
  struct value list = value_object(e->scratch, VALUE_LIST, loop.item_count);
  if (loop.item_count) memcpy(list.object->items, loop.items, sizeof *loop.items * loop.item_count);
  *out = list;
  return !x->type || walk_convert(e, x->span, x->type, list, out);
}

static OWN_FRAME bool walk_fold(struct environment *e, const struct expr *x, const struct builtin *builtin,
                                struct value *out) {
  struct loop loop = {.e = e,
                      .binders = x->call->binders,
                      .count = x->call->binder_count,
                      .body = x->call->args.values[0],
                      .call = x,
                      .fold = fold_open(builtin->fold)};
  char error[120];
  return loop_from(&loop, 0) &&
         (fold_close(&loop.fold, out, error, sizeof error) || walk_fail(e, x->span, "%s", error));
}

/* Arguments. */

/* The expressions of the arguments in the order of the parameters; NULL: left out. */
static const struct expr *const *arguments_of(const struct expr *x, uint32_t *count) {
  *count = x->call->bound ? x->call->bound_count : x->call->args.value_count;
  return (const struct expr *const *)(x->call->bound ? x->call->bound : x->call->args.values);
}

static bool walk_arguments(struct environment *e, const struct expr *const *arguments, uint32_t count, bool draw,
                           struct value *out) {
  for (uint32_t i = 0; i < count; i++) {
    out[i] = (struct value){.kind = VALUE_NONE};
    if (arguments[i] && !(draw ? walk_operand(e, arguments[i], &out[i]) : walk_expr(e, arguments[i], &out[i])))
      return false;
  }
  return true;
}

/* Built-in functions. */

/* What a component was to be chosen by. */
static void note_wanted(struct environment *e, const struct expr *const *arguments, const struct value *values,
                        uint32_t count) {
  for (uint32_t i = 2; i < count; i++) {
    struct text text = {.arena = e->scratch};
    expr_format(&text, arguments[i]);
    diagnostic_note(e->model->diagnostics, arguments[i]->span, "%s is %s", text.data,
                    walk_text(e, arguments[i]->type, values[i]));
  }
}

static OWN_FRAME bool apply_builtin(struct environment *e, const struct expr *x, const struct builtin *builtin,
                                    const struct expr *const *arguments, const struct value *values, uint32_t count,
                                    struct value *out) {
  struct builtin_call call = {.scratch = e->scratch,
                              .random = e->random,
                              .analysis = e->analysis,
                              .drawn = e->drawn,
                              .arguments = values,
                              .count = count};
  if (builtin->apply(builtin, &call)) {
    *out = call.result;
    return true;
  }
  walk_fail(e, x->span, "%s", call.error);
  if (builtin == &builtin_one_of)
    note_wanted(e, arguments, values, count);
  else
    walk_note(e, x, arguments, values, count < 4 ? count : 4);
  return false;
}

static OWN_FRAME bool walk_builtin(struct environment *e, const struct expr *x, const struct builtin *builtin,
                                   struct value *out) {
  if (x->call->binder_count) return walk_fold(e, x, builtin, out);
  uint32_t count;
  const struct expr *const *arguments = arguments_of(x, &count);
  if (count < builtin->least || count > builtin->most)
    return walk_fail(e, x->span, "%s takes %s", builtin->name, builtin->parameters);
  if (count > 64) { /* max(…) of very many: not on the stack */
    struct value *many = ARENA_ARRAY(e->scratch, struct value, count);
    return walk_arguments(e, arguments, count, true, many) && apply_builtin(e, x, builtin, arguments, many, count, out);
  }
  struct value values[count + 1];
  return walk_arguments(e, arguments, count, !builtin->takes_distribution, values) &&
         apply_builtin(e, x, builtin, arguments, values, count, out);
}

/* Functions of PSL. */

enum { CALL_ROOM = 24 * 1024 }; /* of the stack, for what an expression takes between two calls */

/* Defaults and conversions, in the function's own frame. */
static bool settle_parameters(struct environment *e, const struct model_function *function, struct value *frame,
                              struct span span) {
  for (uint32_t i = 0; i < function->param_count; i++) {
    const struct expr *missing = frame[i].kind == VALUE_NONE ? function->defaults[i] : NULL;
    if (missing && !walk_expr(e, missing, &frame[i])) return false;
    const struct type *type = function->params[i]->type;
    if (type && !walk_convert(e, missing ? missing->span : span, type, frame[i], &frame[i])) return false;
  }
  return true;
}

/* The function's value with its parameters in the frame; nothing is drawn inside. */
static bool enter(struct environment *e, const struct model_function *function, struct value *frame,
                  struct value *out) {
  struct value *locals = e->locals;
  struct random_stream *random = e->random;
  bool analysis = e->analysis;
  e->locals = frame;
  e->random = NULL;
  e->analysis = false;
  e->depth++;
  bool fine = walk_expr(e, function->value, out);
  const struct type *type = function->symbol->type;
  fine = fine && (!type || walk_convert(e, function->value->span, type, *out, out));
  e->depth--;
  e->analysis = analysis;
  e->random = random;
  e->locals = locals;
  return fine;
}

/* The parameters are settled. */
static bool call_walked(struct environment *e, const struct model_function *function, struct value *frame,
                        struct span span, struct value *out) {
  struct memo *memo = memo_of(e->model);
  if (interrupted(e->model->arena->memory)) return walk_fail(e, span, "interrupted");
  if (!memo_wanted(memo, function)) return enter(e, function, frame, out);
  struct memo_key key = {function, frame, e->indices, function->component ? function->component->index_count : 0};
  const struct value *known = memo_get(memo, &key);
  if (known) {
    *out = *known;
    return true;
  }
  if (!enter(e, function, frame, out)) return false;
  memo_put(memo, &key, *out);
  return true;
}

/* arguments: param_count values in a frame of slot_count. */
static bool call_in_frame(struct environment *e, const struct model_function *function, struct value *frame,
                          struct span span, struct value *out) {
  struct value *locals = e->locals;
  e->locals = frame; /* a distribution given for a number is drawn here, by the caller's stream */
  bool fine = settle_parameters(e, function, frame, span);
  e->locals = locals;
  if (!fine) return false;
  struct model *model = e->model;
  if (function->fit && !walk_fitted(e, function, frame, span)) return false;
  enum applied applied = APPLIED_NOT;
  if (model->reads) reads_function(model->reads, function);
  if (model->apply && !model->walking) applied = model->apply(e, function, frame, out);
  if (applied == APPLIED_FINE) return true;
  model->walking += applied == APPLIED_FAILED; /* what is called inside would fail again, call by call */
  fine = call_walked(e, function, frame, span, out);
  model->walking -= applied == APPLIED_FAILED;
  return fine;
}

static uint32_t frame_size(const struct model_function *function) {
  return function->slot_count > function->param_count ? function->slot_count : function->param_count;
}

/* An error in a function of another file, as the library's, is a matter of who has called it: that is said, too. */
static void note_caller(struct environment *e, const struct expr *x, const struct model_function *function) {
  struct diagnostics *d = e->model->diagnostics;
  if (!d->open || d->current.severity != SEVERITY_ERROR || !x->span.end) return;
  if (source_of(d->sources, x->span.begin) == source_of(d->sources, function->symbol->span.begin)) return;
  diagnostic_note(d, x->span, "called from here");
}

static OWN_FRAME bool walk_function(struct environment *e, const struct expr *x, const struct model_function *function,
                                    struct value *out) {
  uint32_t count;
  const struct expr *const *arguments = arguments_of(x, &count);
  struct value frame[frame_size(function) + 1];
  memset(frame, 0, sizeof frame);
  if (!walk_has_room(e, CALL_ROOM)) return walk_too_deep(e, x->span); /* at the call, not somewhere inside */
  if (count > function->param_count)
    return walk_fail(e, x->span, "%s takes %u arguments", function->symbol->name->text, function->param_count);
  if (!walk_arguments(e, arguments, count, false, frame)) return false;
  if (call_in_frame(e, function, frame, x->span, out)) return true;
  note_caller(e, x, function);
  return false;
}

bool evaluate_function(struct environment *environment, const struct model_function *function,
                       const struct value *arguments, struct span span, struct value *out) {
  struct value frame[frame_size(function) + 1];
  memset(frame, 0, sizeof frame);
  if (function->param_count) memcpy(frame, arguments, sizeof *arguments * function->param_count);
  if (!walk_has_room(environment, 0)) return walk_too_deep(environment, span);
  return call_in_frame(environment, function, frame, span, out);
}

/* Pure functions of evaluators. */

enum { CORNERS_MAX = 8 }; /* uncertain arguments of one call */

union psl_argument evaluator_argument(struct arena *scratch, struct value value) {
  union psl_argument argument = {.integer = 0};
  switch (value.kind) {
  case VALUE_INT: argument.integer = value.integer; break;
  case VALUE_BOOL: argument.integer = value.boolean; break;
  case VALUE_REAL: argument.real = value.real; break;
  case VALUE_STRING: argument.string = value.object->text; break;
  case VALUE_TERM:
    argument.term.head = value.term.head;
    argument.term.qualifier = value.term.qualifier;
    break;
  case VALUE_LIST: {
    double *items = ARENA_ARRAY(scratch, double, value.object->count + 1);
    for (uint32_t i = 0; i < value.object->count; i++)
      items[i] = value.object->items[i].kind == VALUE_INT ? (double)value.object->items[i].integer
                                                          : value.object->items[i].real;
    argument.list.items = items;
    argument.list.count = value.object->count;
    break;
  }
  default: break; /* psl_argument has no other */
  }
  return argument;
}

/* Numbers of lists are handed over as reals: is each of them one? */
static bool is_exact(struct environment *e, struct value list, struct span span) {
  static const int64_t most = INT64_C(1) << 53;
  for (uint32_t i = 0; i < list.object->count; i++) {
    struct value item = list.object->items[i];
    if (item.kind == VALUE_INT && (item.integer > most || item.integer < -most))
      return walk_fail(e, span, "%lld is too large: in a list an evaluator gets whole numbers up to 2^53",
                       (long long)item.integer);
  }
  return true;
}

bool evaluator_given(struct environment *e, const struct psl_evaluator_function *function, uint32_t k, struct span span,
                     struct value *name) {
  if (name->kind == VALUE_LIST) return is_exact(e, *name, span);
  if (!(function->reads >> k & 1)) return true;
  const char *why = NULL, *text = name->object->text;
  if (!*text) return true;
  if (function->runs >> k & 1 && !e->model->native)
    return walk_fail(e, span, "'%s' is C code, and to run that is not allowed", text);
  const char *path = e->model->readable(e->model, e->scratch, text, &why);
  if (!path) return walk_fail(e, span, "%s", why);
  *name = value_string(e->scratch, path, strlen(path));
  return true;
}

static struct value from_argument(struct environment *e, const struct type *type, union psl_argument argument) {
  if (type->kind == TYPE_INT) return value_integer(argument.integer);
  if (type->kind == TYPE_BOOL) return value_boolean(argument.integer != 0);
  if (type->kind == TYPE_TERM)
    return (struct value){.kind = VALUE_TERM, .term = {argument.term.head, argument.term.qualifier}};
  if (type->kind == TYPE_STRING)
    return value_string(e->scratch, argument.string ? argument.string : "",
                        argument.string ? strlen(argument.string) : 0);
  return value_real(argument.real);
}

static bool has_range(struct value list) {
  if (list.kind != VALUE_LIST) return false;
  for (uint32_t i = 0; i < list.object->count; i++)
    if (list.object->items[i].kind == VALUE_RANGE) return true;
  return false;
}

static double number_of(struct value value) { return value.kind == VALUE_REAL ? value.real : (double)value.integer; }

/* One call, or with uncertain arguments one at each corner of their ranges, and one in their middle: the bounds are
 * exact where the function rises or falls in each of them, as formulas of costs do. */
static bool call_corners(struct environment *e, const struct psl_evaluator_function *function,
                         const struct type *result, const struct value *values, uint32_t count, struct value *out,
                         char error[200]) {
  union psl_argument arguments[count + 1], answer;
  uint32_t uncertain[CORNERS_MAX], ranges = 0;
  uint64_t sources = 0;
  for (uint32_t i = 0; i < count; i++) {
    arguments[i] = evaluator_argument(e->scratch, values[i]);
    if (has_range(values[i])) return snprintf(error, 200, "an item of a list is a range"), false;
    if (values[i].kind != VALUE_RANGE) continue;
    if (ranges == CORNERS_MAX) return snprintf(error, 200, "more than %d arguments are ranges", CORNERS_MAX), false;
    sources |= value_sources(values[i]);
    uncertain[ranges++] = i;
  }
  double low = INFINITY, high = -INFINITY;
  uint32_t corners = ranges ? 1u << ranges : 0;
  for (uint32_t corner = 0; corner <= corners; corner++) {
    for (uint32_t k = 0; k < ranges; k++) {
      const struct object *range = values[uncertain[k]].object;
      double end = corner >> k & 1 ? range->range.high : range->range.low;
      arguments[uncertain[k]].real = corner == corners ? range->range.middle : end;
    }
    memset(&answer, 0, sizeof answer);
    if (!function->pure(arguments, &answer, error)) return false;
    *out = from_argument(e, result, answer); /* at last that of the middle */
    double x = number_of(*out);
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
  if (ranges && (out->kind == VALUE_REAL || out->kind == VALUE_INT))
    *out = value_range(e->scratch, low, number_of(*out), high, sources);
  else if (ranges)
    return snprintf(error, 200, "an argument is a range and the result no number"), false;
  return true;
}

/* Of a file that cannot be read many params may ask something: that is said of the first. */
static bool is_said(const struct model *model, const char *text) {
  const struct diagnostics *d = model->diagnostics;
  return model->binding && d->open && d->current.severity == SEVERITY_ERROR && !strcmp(d->current.text, text);
}

static OWN_FRAME bool apply_pure(struct environment *e, const struct expr *x, const struct symbol *symbol,
                                 const struct expr *const *arguments, const struct value *values, uint32_t count,
                                 struct value *out) {
  char error[200] = "the function fails", text[300];
  const struct type *result = symbol->signature ? symbol->signature->result : symbol->type;
  if (call_corners(e, symbol->evaluator_function, result, values, count, out, error)) return true;
  if (e->refused) *e->refused = true;
  snprintf(text, sizeof text, "%s: %s", symbol->evaluator_of->name, error);
  if (symbol->evaluator_function->reads && is_said(e->model, text)) return false;
  walk_fail(e, x->span, "%s", text);
  walk_note(e, x, arguments, values, count);
  return false;
}

static OWN_FRAME bool walk_pure(struct environment *e, const struct expr *x, const struct symbol *symbol,
                                struct value *out) {
  uint32_t count;
  const struct expr *const *arguments = arguments_of(x, &count);
  const struct model_signature *signature = symbol->signature;
  if (symbol->evaluator_function->kind != PSL_PURE)
    return walk_fail(e, x->span, "%s.%s has to be called by a statement: call %s.%s(…)", symbol->evaluator_of->name,
                     symbol->evaluator_function->name, symbol->evaluator_of->name, symbol->evaluator_function->name);
  if (signature && count > signature->count)
    return walk_fail(e, x->span, "%s.%s takes %u arguments", symbol->evaluator_of->name,
                     symbol->evaluator_function->name, signature->count);
  uint32_t wanted = signature ? signature->count : count;
  struct value values[wanted + 1];
  const struct expr *given[wanted + 1];
  for (uint32_t i = 0; i < wanted; i++) {
    given[i] = i < count && arguments[i] ? arguments[i] : signature ? signature->defaults[i] : NULL;
    if (!given[i])
      return walk_fail(e, x->span, "argument %u of %s.%s is not given", i + 1, symbol->evaluator_of->name,
                       symbol->evaluator_function->name);
    if (!walk_expr(e, given[i], &values[i]) ||
        (signature && !walk_convert(e, given[i]->span, signature->types[i], values[i], &values[i])) ||
        !walk_finite(e, given[i], values[i]) ||
        !evaluator_given(e, symbol->evaluator_function, i, given[i]->span, &values[i]))
      return false;
  }
  return apply_pure(e, x, symbol, given, values, wanted, out);
}

static struct symbol *callee_of(const struct expr *x) {
  const struct expr *callee = x->call->callee;
  if (x->call->symbol) return x->call->symbol;
  return callee->kind == EXPR_NAME ? callee->name.symbol : callee->kind == EXPR_MEMBER ? callee->member.symbol : NULL;
}

bool walk_call(struct environment *e, const struct expr *x, struct value *out) {
  struct symbol *symbol = callee_of(x);
  if (symbol && symbol->kind == SYMBOL_FUNCTION) return walk_function(e, x, symbol->function, out);
  if (symbol && symbol->kind == SYMBOL_BUILTIN) return walk_builtin(e, x, symbol->builtin, out);
  if (symbol && symbol->kind == SYMBOL_EVALUATOR_FUNCTION) return walk_pure(e, x, symbol, out);
  if (symbol && symbol->kind == SYMBOL_LOCAL) { /* a figure of all points of a study: it is known by now */
    *out = e->locals[symbol->slot];
    return walk_local(e, *out);
  }
  if (symbol && symbol->kind == SYMBOL_FOREIGN && e->model->reads)
    e->model->reads->lost = true; /* what it depends on nobody knows */
  if (symbol && symbol->kind == SYMBOL_FOREIGN) return walk_foreign(e, x, symbol->foreign, out);
  return walk_fail(e, x->span, "this is no function that an expression can call");
}
