/* What the two files of the tree walker share: evaluate.c (names, operators, conversions) and walk_call.c
 * (calls and binders).  Nothing outside interp/evaluate includes it. */
#ifndef PSL_WALK_H
#define PSL_WALK_H
#include "interp/evaluate/evaluate.h"

/* Keeps a function's frame out of its caller's: deep recursion goes through few and small frames. */
#define OWN_FRAME __attribute__((noinline))

/* The value of an expression, as its static type wants it. false after a diagnostic, or with `lacked` set. */
bool walk_expr(struct environment *e, const struct expr *x, struct value *out);
/* A number, or another value that is no distribution: a distribution is drawn. */
bool walk_operand(struct environment *e, const struct expr *x, struct value *out);
/* An int; `what` says of what in the diagnostic. */
bool walk_int(struct environment *e, const struct expr *x, const char *what, int64_t *out);
bool walk_bool(struct environment *e, const struct expr *x, bool *out);
/* A diagnostic; always false. */
bool walk_fail(struct environment *e, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Is there so much left of the stack, besides what a call of C takes? If not, the diagnostic. */
static inline bool walk_has_room(const struct environment *e, size_t size) {
  return stack_allows(e->model->arena->memory, (uintptr_t)__builtin_frame_address(0) - size);
}
bool walk_too_deep(struct environment *e, struct span span);
/* A value as a person reads it, in the scratch arena. */
const char *walk_text(struct environment *e, const struct type *type, struct value value);
/* The note `in 'n div m' with n = 4, m = 0` to the diagnostic just given. */
void walk_note(struct environment *e, const struct expr *x, const struct expr *const *operands,
               const struct value *values, uint32_t count);
/* The value as one of the type: int to real, number to range or distribution, distribution drawn. */
bool walk_convert(struct environment *e, struct span span, const struct type *type, struct value value,
                  struct value *out);
/* What the expression, an argument, hands to C is finite. */
bool walk_finite(struct environment *e, const struct expr *x, struct value value);
/* A local that has no value: false with `lacked` set where that is allowed. */
bool walk_local(struct environment *e, struct value value);
/* EXPR_CALL, EXPR_EACH. */
bool walk_call(struct environment *e, const struct expr *x, struct value *out);
/* A call of a function of C. */
bool walk_foreign(struct environment *e, const struct expr *x, struct foreign_function *function, struct value *out);
/* Warns where a fitted function is called outside of the range of its measurements, once a call; false: nobody would
 * hear that. */
bool walk_fitted(struct environment *e, const struct model_function *function, const struct value *arguments,
                 struct span span);
bool walk_each(struct environment *e, const struct expr *x, struct value *out);
#endif
