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
  int t, f;                         /* where it goes on, where the test holds and where not; f -1: it has none */
  int t_from, f_from;               /* the blocks that phis know these ways by */
  int ends;                         /* where a loop with --iterations goes on, -1 */
  const struct condition *test;     /* NULL: there is one way */
  const struct said_passes *waived; /* how often the loop is passed that begins here; NULL: its test says it */
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
  const char
      *first; /* holds in the first pass of all loops that are around; NULL: of one this is not known; "": none */
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
/* Does the call set variables of the model, besides what it returns? */
bool body_sets(const struct body *body, const struct statement *call);
/* That there is such a request; within: of its variant that is told the communicator. */
void body_need(struct body *body, const char *label, const char *transaction, bool within);

/* ---- assumed_values.c ---- */
void assumed_emit(struct body *body, struct text *out, const struct statement *call);

/* ---- body_handles.c: types and communicators ---- */
/* The bytes of a type; known: where they are written in the call, else 0. */
const char *handle_bytes(struct body *body, const struct statement *call, size_t place, long *known);
const char *handle_message(struct body *body, const struct statement *call, size_t count, size_t type);
/* A size for each member. */
const char *handle_sizes(struct body *body, struct text *out, const struct statement *call, size_t list, size_t type);
/* The name of a list that is given, and its first element there, -1: a scalar; NULL after an error. */
const char *handle_list(struct body *body, const struct statement *call, size_t place, long *from, long *length);
/* So many elements of a list that is given, as numbers, with `times` behind each. */
const char *handle_elements(struct body *body, const struct statement *call, size_t place, const char *count,
                            const char *times);
const char *handle_communicator(struct body *body, const struct statement *call);            /* NULL: the world */
const char *handle_ranks(struct body *body, struct text *out, const struct statement *call); /* how many are in it */
const char *handle_own_place(struct body *body, struct text *out, const struct statement *call);
/* Where a call puts what it gives; NULL after an error. */
const char *handle_put(struct body *body, const struct statement *call, size_t place);
/* Who is in none has none, as the program may ask. */
void handle_none(struct body *body, struct text *out, const char *cell);
/* False: the call makes no types, communicators or grids. */
bool handle_call(struct body *body, struct text *out, const struct statement *call, const char *place);

/* ---- body_groups.c ---- */
/* False: the call is none of groups. */
bool group_call(struct body *body, struct text *out, const struct statement *call, const char *place);

#endif
