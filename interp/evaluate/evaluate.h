/* Evaluating expressions by walking the tree, on tagged values: for params, index sets, selectors,
 * profiles, assumptions, and as the reference for compiled code.
 *
 * An evaluation that fails (overflow, division by zero, index out of range, log of a negative number, …)
 * reports a diagnostic at the place in the source, with the offending values, and returns false.
 *
 * Operands are evaluated from left to right; a distribution where a number is wanted is drawn right after
 * its operand is evaluated and before the next one is (in a simulation; under analysis its mean is taken, but
 * not in a comparison). `and`, `or`, `if` and chains of comparisons leave out what cannot matter. A real that
 * is not finite is an error where evaluate ends, not on the way. What is an int while its static type is real
 * is converted on the spot. */
#ifndef PSL_EVALUATE_H
#define PSL_EVALUATE_H
#include "interp/model/model.h"

struct drawn;         /* interp/model/distribution.h */
struct random_stream; /* interp/model/random.h */

struct range_groups; /* interp/evaluate/range_groups.h */

/* What evaluate_as makes of a range where a number is wanted: a run takes one end of all of them, or of each the one
 * that its group has. */
enum range_end { RANGE_AS_IT_IS, RANGE_MIDDLE, RANGE_LOW, RANGE_HIGH, RANGE_EACH };

struct environment {
  struct model *model;
  struct arena *scratch;        /* objects made on the way; the caller resets it */
  struct value *locals;         /* by LOCAL slot; enough for the owner's slot_count (binders too) */
  const int64_t *indices;       /* of the instance, by slot */
  const struct value *vars;     /* of the instance, by slot; NULL where state may not be read */
  const struct value *dynamics; /* run-time attributes of the instance, or NULL */
  const struct value *label_arguments;
  double clock;
  bool analysis;                /* the component's evaluation mode is analysis: distributions do not draw */
  struct random_stream *random; /* NULL: draws are errors */
  struct drawn *drawn;          /* of an analysis: what a draw gives; NULL: nothing of the kind */
  /* target.A and caller.A: asked of whoever knows the other side; false after a diagnostic or where
   * the profile lacks it (then *lacks is set) */
  bool (*attribute)(struct environment *, const struct symbol *attribute, struct span span, struct value *out,
                    bool *lacks);
  void *user;
  enum range_end range_end;
  bool *refused;               /* set where an evaluator would not have its arguments; may be NULL */
  struct range_groups *ranges; /* that became numbers; with range_end */
  struct foreign_kept *kept;   /* what C has given before in this expression; NULL: nothing */
  uint32_t depth;              /* of nested calls, for the diagnostic */
  /* target.A of a profile that lacks A: in a comparison that is false.  Elsewhere it is a diagnostic, but
   * where lack_allowed is set evaluate returns false without one and sets `lacked`; so it does, even in
   * a comparison, where a local has no value. */
  bool lack_allowed, lacked;
  const struct symbol *lacking; /* with lacked: the attribute (NULL: a local), and where it was asked for */
  struct span lacking_at;
};

/* The value of a global param or let, computed at first use (has_value) and kept till model_forget: a param
 * from its `setting`, else its declaration, tested against `in`; nobody else sets symbol->value. span: where
 * it is used. */
bool evaluate_symbol(struct environment *environment, struct symbol *symbol, struct span span, struct value *out);
/* What `in` allows, as messages show it; bounds: its value, where that is known. */
const char *range_text(struct arena *arena, const struct model *model, const struct expr *range,
                       const struct type *type, struct value bounds);
/* Drops what was computed of params, lets and functions: to be called after a setting has changed. Also puts
 * right what a failed allocation in the middle of an evaluation left. */
void model_forget(struct model *model);
/* Which calls of fitted functions have warned that they are outside of their range: each will do so again where it is
 * made again. false: none has. */
bool model_forget_warned(struct model *model);
/* Parts of it: the value of one param or let; what attributes and transactions' parameters may be. */
void forget_symbol(struct symbol *symbol);
void bounds_forget(struct model *model);
/* One binary operator or comparison on values, no distribution among them, ranges as intervals. false and a
 * text in `error` where it is not defined; objects are made in `arena`. */
bool value_binary(struct arena *arena, enum operator op, struct value a, struct value b, struct value *out, char *error,
                  size_t error_size);

/* environment->locals must have the slots of the expression's names and binders (evaluate_slots). The value is
 * borrowed: it may be part of what the environment has. */
bool evaluate(struct environment *environment, const struct expr *expr, struct value *out);
/* The value converted to the static type `type` (int to real, number to range); for compiled code's slots and
 * tokens. Fails only where the check has let TYPE_ANY through. */
bool evaluate_as(struct environment *environment, const struct expr *expr, const struct type *type, struct value *out);
/* The same of a value that is there already; the span is where it comes from. */
bool value_as(struct environment *environment, struct span span, const struct type *type, struct value value,
              struct value *out);
/* Is it a value that may be there? If not, says so at the span; `allowed` NULL: any may. */
bool value_allowed(struct environment *environment, struct allowed *allowed, const struct name *name,
                   const struct type *type, struct span span, struct value value);
/* How many slots the locals and binders that the expression names take: the greatest and one. */
uint32_t evaluate_slots(const struct expr *expr);
/* Is it more than arithmetic on what is at hand: has it a call of a function, or one for each of some values? */
bool expr_is_costly(const struct expr *expr);
/* Calls a function of PSL with its arguments in the order of its parameters (VALUE_NONE: default). Pure
 * functions are memoised for the run of the model (`model_forget` drops that when params change). */
bool evaluate_function(struct environment *environment, const struct model_function *function,
                       const struct value *arguments, struct span span, struct value *out);
/* Argument k of the function may be handed over: the name of a file becomes its path, where it is one that it reads;
 * false after a diagnostic where the model may not read it, or not run it, or where a number of a list would change. */
bool evaluator_given(struct environment *environment, const struct psl_evaluator_function *function, uint32_t k,
                     struct span span, struct value *name);
/* What an evaluator gets for a value of a type that its signature may have; a list's items in `scratch`. */
union psl_argument evaluator_argument(struct arena *scratch, struct value value);
/* May a param have the value: does all of it lie in the range (bounds included; a range with both its bounds), or
 * is it an item of the list? A range in the list is a value of its own. `in` of an expression is value_binary's. */
bool value_in(struct value value, struct value range);
/* Does the value lie in the range, with both its bounds, or is it an item of the list? */
enum certainty value_membership(struct value value, struct value range);
#define UNCERTAIN_COMPARISON "the bounds overlap, so the comparison is not certain"
#endif
