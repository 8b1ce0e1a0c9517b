/* What the two halves of the formatter share; nobody else includes it.  format.c makes lines of the
 * tokens, format_rows.c breaks and aligns them and puts them. */
#ifndef PSL_FORMAT_H
#define PSL_FORMAT_H
#include "grammar/parse.h"
#include "grammar/text.h"

enum { WIDTH = 110, INDENT = 2, CONTINUED = 4, COMMENT = 1000 };

struct token {
  int kind; /* of the grammar, COMMENT, or 0 at the end */
  const char *text;
  size_t length;
  uint32_t width;  /* in characters */
  uint32_t depth;  /* brackets open around it */
  uint32_t column; /* where it stood, in characters */
  uint32_t blanks; /* that stood before it on its row */
  uint32_t pad;    /* blanks more than one before it: it stands under another token */
  uint32_t above;  /* that one; 0: none */
  bool new_line;   /* a line end stands before it */
  bool blank;      /* an empty line stands before it */
  bool spaced;     /* a blank goes before it, unless it begins a row */
  bool operand;    /* something that a value may end with stands before it */
  bool breaks;     /* it begins a row of its line */
};

/* A logical line: a statement, a clause, the head of a block, a closing brace, a comment. */
struct line {
  uint32_t first, end; /* its tokens */
  uint32_t start;      /* the first one behind a label */
  uint32_t indent;
  uint32_t column;   /* of `start`: what continues is indented from here */
  uint32_t comments; /* the tokens from here to the end stand beside it */
  uint32_t group;    /* of clauses whose `=` are aligned; 0: none */
  uint32_t equals;   /* the `=` of the clause */
  uint32_t value;    /* what stands after the outermost `=`; 0: none */
  bool blank;        /* an empty line before it */
};

struct context {    /* of a block, or of the file */
  uint32_t indent;  /* of what stands in it */
  uint32_t closing; /* of its closing brace */
  int part;         /* TOKEN_ACCEPTS, TOKEN_BODY, TOKEN_REQUESTS or 0 */
  uint32_t label;   /* in a labelled request: how far its clauses are indented for that */
};

struct row { /* of a line, as it is put */
  const char *text;
  uint32_t width;
  uint32_t indent;                /* of its line */
  uint32_t comments, comment_end; /* the tokens that stand beside it */
  bool blank;                     /* an empty line before it */
};

LIST(token_list, struct token);
LIST(line_list, struct line);
LIST(context_list, struct context);
LIST(row_list, struct row);
struct format {
  struct arena *arena;
  struct token_list tokens;
  struct line_list lines;
  struct context_list contexts;
  struct row_list rows;
  uint32_t at, column; /* in the text: how far it is read */
  uint32_t group;
};

static inline struct token *token_at(struct format *f, uint32_t i) { return &f->tokens.items[i]; }

/* The tokens from `from` to before `to` on one row. */
static inline uint32_t flat_width(struct format *f, uint32_t from, uint32_t to) {
  uint32_t width = 0;
  for (uint32_t i = from; i < to; i++) {
    const struct token *token = token_at(f, i);
    width += token->width + (i > from ? token->spaced + token->pad : 0);
  }
  return width;
}

void format_rows(struct format *f, struct text *out);
#endif
