/* What the values of params, lets and assertions are made of, so that only those are computed anew which a param with
 * another setting reaches: studies set a few params at a million points. */
#ifndef PSL_REACHED_H
#define PSL_REACHED_H
#include "interp/evaluate/evaluate.h"

/* As model_forget, where no other param than these has another setting since the values were computed. What may come to
 * something else each time is forgotten, too: calls of C, and of what reads files. */
void model_forget_reached(struct model *model, struct symbol *const *params, uint32_t count);
/* For each param of the model, and behind them each assertion: do these params reach it? In the arena. foreign: also
 * where it is made by a call of C. */
const bool *model_reached(struct model *model, struct arena *arena, struct symbol *const *params, uint32_t count,
                          bool foreign);
/* The model has more declarations than before. */
void reached_extend(struct model *model);
/* Does the value of the expression hang on nothing but itself? */
bool expr_settled(const struct expr *expr);
#endif
