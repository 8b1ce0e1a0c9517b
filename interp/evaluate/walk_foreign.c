/* The tree walker's calls of functions of C: arguments and lengths are evaluated here, and functions that C
 * calls back; interp/foreign does the rest. */
#include "interp/foreign/foreign.h"
#include "interp/evaluate/walk.h"
#include <string.h>

enum { NOTES = 6 }; /* of calls that nest */

struct host {
  struct foreign_host host; /* first */
  struct environment *e;
  struct arena arena; /* of one call back */
  struct span span;
};

static bool host_length(struct foreign_host *base, const struct expr *length, struct value *frame, int64_t *count) {
  struct environment *e = ((struct host *)(void *)base)->e;
  struct value *locals = e->locals;
  e->locals = frame;
  bool fine = walk_int(e, length, "the length of an array", count);
  e->locals = locals;
  return fine;
}

static bool host_call(struct foreign_host *base, const struct model_function *function, const struct value *arguments,
                      struct value *result) {
  struct host *host = (struct host *)(void *)base;
  struct environment *e = host->e;
  struct arena *scratch = e->scratch;
  if (interrupted(e->model->arena->memory)) return walk_fail(e, function->symbol->span, "interrupted");
  e->scratch = &host->arena;
  bool fine = evaluate_function(e, function, arguments, host->span, result);
  e->scratch = scratch;
  return fine;
}

/* An argument of an array tells its length where that is left out. */
static void tell_length(const struct foreign_parameter *array, struct value value, struct value *frame) {
  const struct expr *length = array->length;
  if (!length || value.kind != VALUE_LIST || length->kind != EXPR_NAME || !length->name.symbol ||
      length->name.symbol->kind != SYMBOL_LOCAL)
    return;
  struct value *size = &frame[length->name.symbol->slot];
  if (size->kind == VALUE_NONE) *size = value_integer(value.object->count);
}

static const struct model_function *callback_of(const struct expr *x) {
  return (x->kind == EXPR_MEMBER ? x->member.symbol : x->name.symbol)->function;
}

static OWN_FRAME bool walk_given(struct environment *e, const struct expr *x, const struct foreign_function *function,
                                 struct value *frame, const struct model_function **callbacks) {
  const struct foreign_signature *s = &function->signature;
  for (uint32_t i = 0; i < s->count; i++) {
    const struct foreign_parameter *p = &s->parameters[i];
    const struct expr *given = p->argument < x->call->bound_count ? x->call->bound[p->argument] : NULL;
    if (!given) continue;
    if (p->c == C_FUNCTION)
      callbacks[i] = callback_of(given);
    else if (!walk_expr(e, given, &frame[i]) || !walk_convert(e, given->span, p->type, frame[i], &frame[i]) ||
             !walk_finite(e, given, frame[i]))
      return false;
  }
  for (uint32_t i = 0; i < s->count; i++)
    tell_length(&s->parameters[i], frame[i], frame);
  return true;
}

static void note_given(struct environment *e, const struct expr *x, const struct foreign_function *function,
                       const struct value *frame) {
  const struct expr *given[4];
  struct value values[4];
  uint32_t count = 0;
  for (uint32_t i = 0; i < function->signature.count && count < 4; i++) {
    const struct foreign_parameter *p = &function->signature.parameters[i];
    const struct expr *argument = p->argument < x->call->bound_count ? x->call->bound[p->argument] : NULL;
    if (!argument || p->c == C_FUNCTION || p->passing == PASS_INOUT) continue;
    given[count] = argument;
    values[count++] = frame[i];
  }
  walk_note(e, x, given, values, count);
}

static OWN_FRAME bool not_allowed(struct environment *e, const struct expr *x,
                                  const struct foreign_function *function) {
  walk_fail(e, x->span, "'%s' is a function of C in '%s', and to load that is not allowed", x->call->symbol->name->text,
            function->decl->foreign.library);
  diagnostic_help(e->model->diagnostics, (struct span){0, 0}, FOREIGN_ALLOW);
  return false;
}

/* What is wrong with the call; a failed allocation of a call back goes on its way from here. */
static OWN_FRAME bool failed(struct environment *e, const struct expr *x, const struct foreign_call *call,
                             enum foreign_outcome outcome, const struct environment *before) {
  const char *name = x->call->symbol->name->text;
  if (outcome == FOREIGN_MEMORY) {
    *e = *before;
    memory_fail(e->scratch->memory);
  }
  if (outcome == FOREIGN_ERROR) {
    walk_fail(e, x->span, "'%s' of C: %s", name, call->error);
    note_given(e, x, call->function, call->frame);
  } else if (call->called_back == FOREIGN_SAID && !e->lacked && e->model->diagnostics->current.note_count < NOTES) {
    diagnostic_note(e->model->diagnostics, x->span, "'%s' of C, which calls this back, is called here", name);
  }
  return false;
}

bool walk_foreign(struct environment *e, const struct expr *x, struct foreign_function *function, struct value *out) {
  if (!function->address) return not_allowed(e, x, function);
  const struct foreign_signature *s = &function->signature;
  struct environment before = *e;
  struct host host = {.host = {&host.arena, host_length, host_call}, .e = e, .span = x->span};
  struct value frame[s->slot_count + 1];
  const struct model_function *callbacks[s->count + 1];
  char error[FOREIGN_TEXT];
  for (uint32_t i = 0; i < s->slot_count; i++)
    frame[i].kind = VALUE_NONE;
  struct foreign_call call = {.function = function,
                              .host = &host.host,
                              .scratch = e->scratch,
                              .frame = frame,
                              .callbacks = callbacks,
                              .kept = e->kept,
                              .error = error};
  if (!walk_given(e, x, function, frame, callbacks)) return false;
  arena_open(&host.arena, e->scratch->memory);
  enum foreign_outcome outcome = foreign_call(&call);
  *out = call.result;
  return outcome == FOREIGN_DONE || failed(e, x, &call, outcome, &before);
}
