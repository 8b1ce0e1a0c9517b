/* What a person types, piece by piece: where a declaration or an expression ends, and whether more of it is
 * wanted. */
#ifndef PSL_INPUT_H
#define PSL_INPUT_H
#include "grammar/name.h"

enum input_kind {
  INPUT_NOTHING,      /* blanks and comments */
  INPUT_DECLARATIONS, /* one or several, up to the end of a line behind them, or the first thing that is none */
  INPUT_EXPRESSION,
  INPUT_MORE, /* it begins well and is not at its end */
};

struct input {
  enum input_kind kind;
  bool declares;  /* MORE: declarations it will be, if not an expression */
  bool ends;      /* MORE: it could end here */
  bool semicolon; /* MORE: it could with a `;` put behind it */
  bool open;      /* MORE: brackets or a comment are open */
  bool parts;     /* MORE: clauses of a component without a name, which have no end of their own */
  bool wrong;     /* MORE: there is an error, and the brackets round it are still open */
  size_t size;    /* of the text taken, from its beginning; MORE: all */
};

/* Looks at the first piece of a text. What is wrong in it is not said: reading it does that. */
struct input input_next(struct arena *arena, const char *text, size_t size);
#endif
