/* What stands under a node of the syntax tree, as grammar/ast.def describes it: all walks that treat most kinds alike
 * stand on this. */
#ifndef PSL_CHILDREN_H
#define PSL_CHILDREN_H
#include "grammar/ast.h"

enum child_form {
  CHILD_NONE,
  CHILD_EXPR,
  CHILD_EXPRS,
  CHILD_FIELDS,
  CHILD_BINDERS,
  CHILD_NAME,
  CHILD_BLOCK,
  CHILD_CHANCES,
  CHILD_HEADS
};
struct child_row {
  enum child_form form;
  const char *what;              /* of FIELDS, BINDERS, BLOCK, HEADS, and where an EXPR needs a word; else NULL */
  uint16_t member, count_member; /* offsets in the node */
};

/* One child after another. Those that are NULL are left out. */
struct children {
  const void *node;
  const struct child_row *row; /* of the child in hand */
  bool evaluated;              /* names are left out */
  bool ended;
  uint32_t next; /* of a row with several */
  /* the child in hand: */
  struct expr **expr;          /* where it stands; NULL: a block, or a field that is a word alone */
  struct block *block;         /* NULL: none */
  const struct ident *name;    /* of a field, of a binder; else NULL */
  const struct binder *binder; /* whose range it is; NULL: none */
};
/* All, as they were written; the node may be changed through them. */
struct children expr_children(const struct expr *expr);
struct children stmt_children(const struct stmt *stmt);
/* Of a checked tree, those whose values count: a term and the name of something else have none. */
struct children expr_operands(const struct expr *expr);
bool children_next(struct children *children); /* false: there are no more */

/* Calls `visit` on each expression right below (expr_operands), or in the block and the blocks in it; stops and returns
 * true when one returns true. */
typedef bool expr_visit(const struct expr *expr, void *user);
bool expr_any_child(const struct expr *expr, expr_visit *visit, void *user);
bool block_any(const struct block *block, expr_visit *visit, void *user); /* block may be NULL */
bool block_has(const struct block *block, enum stmt_kind kind); /* a statement of the kind; block may be NULL */

/* Gives the node arrays of its own in place of those that it shares with another. */
void expr_unshare(struct arena *arena, struct expr *expr);
void stmt_unshare(struct arena *arena, struct stmt *stmt);
#endif
