/* The graph that the body of a rank is made of: blocks of the program, with those conditions alone that are
 * essential. */
#ifndef PSL_COMPILE_BODY_H
#define PSL_COMPILE_BODY_H
#include "interp/compile/emit.h"

/* A test, or two of them joined. */
struct condition {
  const struct statement *leaf;
  bool negated;
  const struct condition *left, *right; /* right NULL: it is the leaf */
  bool both;                            /* joined by and */
};
struct node {
  bool there;
  int t, f;                     /* where it goes on, where the test holds and where not; f -1: it has none */
  int t_from, f_from;           /* the blocks that phis know these ways by */
  int ends;                     /* where a loop with --iterations goes on, -1 */
  const struct condition *test; /* NULL: there is one way */
  const char *waived;           /* how often the loop is passed that begins here, as --iterations says */
  int dominator, order;
  bool header;         /* of a loop */
  bool *members;       /* of it */
  size_t forward;      /* ways that lead here, but for those back */
  bool inlined;        /* stands where the one way to it is */
  int *behind, *after; /* blocks that stand behind it, and behind its loop */
  size_t behind_count, behind_capacity, after_count, after_capacity;
  const char *flag; /* the variable that says that it is gone to */
};
enum body_form { AS_EXPRESSION, AS_NAME, AS_VARIABLE };
struct body {
  struct model *model;
  struct program *program;
  struct room *room;
  struct node *nodes;
  enum body_form *as; /* by SSA name */
  bool *escapes;      /* is it used behind the loop that it is set in? */
  bool *skipped;      /* nests that are no request */
  bool computes;
};

/* ---- body_graph.c ---- */
bool body_graph(struct body *body); /* false after an error */
void body_merge(struct body *body); /* joins tests that lead to the same block */
void body_places(struct body *body);
bool body_in_loop(const struct body *body, int block, int header);
bool body_is_quiet(const struct body *body, int block); /* nothing stands in it but expressions */

/* ---- body.c ---- */
bool body_counts(struct body *body, int header, unsigned ssa);

/* ---- body_requests.c ---- */
void body_call(struct body *body, struct text *out, const struct statement *call);

#endif
