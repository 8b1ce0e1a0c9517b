/* A model of a program, as text: expressions, counts of operations, and the body of a rank. */
#ifndef PSL_COMPILE_EMIT_H
#define PSL_COMPILE_EMIT_H
#include "interp/compile/mpi_program.h"

/* How tightly an expression holds together: that of the operator that it is. */
enum level {
  LEVEL_IF,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_RANGE,
  LEVEL_SUM,
  LEVEL_TERM,
  LEVEL_SIGN,
  LEVEL_POWER,
  LEVEL_WORD
};

/* What of memory is a variable of the model: a scalar, or a list. */
struct cell {
  unsigned decl;
  const char *path; /* without the last index of a list */
  const char *name;
  bool list;
  const struct statement *heap; /* the call that allocates it; NULL: none */
  long length, size;            /* size: of an element, in bytes */
  const char *type, *initial;
};

/* A request for what loops of one function and line compute: several where the function is called from several places.
 */
struct nest {
  const char *name; /* the label; NAME-factor is the param */
  const char *function, *file;
  int line;
  int begins; /* the loop whose first entry is the first of all, where that is known; 0: it is not */
};
/* A loop that is one: what is timed. */
struct nest_loop {
  int loop;
  size_t nest;
};
/* Blocks in a nest that not every pass of their loop comes to, all or none of them. */
struct branch {
  const char *name; /* of the param; NULL: nothing is computed there */
  const char *function, *file;
  int line;
  int block, loop;  /* one of them; the loop that it belongs to */
  size_t nest_loop; /* the one that it is in */
  size_t same;      /* how many are before it of that function and line there */
};

/* A request of a rank; within: it is told the communicator. */
struct request {
  const char *label, *transaction;
  bool within;
};

struct model {
  struct program *program;
  struct room *room;
  struct cell *cells;
  size_t cell_count, cell_capacity;
  struct text vars;
  const char **taken; /* names */
  size_t taken_count, taken_capacity;
  bool quotient, remainder, truncated, partner, steps, dims, types, communicators, grids, parts, groups, counts,
      members; /* functions that it needs */
  bool status_source, status_tag;
  bool beside; /* are there collective operations that go on beside the program? */
  struct request *requests;
  size_t request_count, request_capacity;
  bool computes;
  struct nest *nests;
  size_t nest_count, nest_capacity;
  struct nest_loop *nest_loops;
  size_t nest_loop_count, nest_loop_capacity;
  struct branch *branches;
  size_t branch_count, branch_capacity;
  int *branch_of;             /* by block: 0 it is not known yet, -1 none, else its branch, from 1 */
  int nest;                   /* the loop whose operations are counted, of which no name is known; 0: none */
  const struct statement *at; /* of which errors are said */
};

/* ---- counts.c ---- */
/* Marks what the counts of a nest depend on; says of each loop in it whether they are known. */
void counts_mark(struct program *program, int nest);
bool counts_known(struct program *program, int loop); /* is it known how often it is passed, when it is come to? */
/* The operations of a nest, times what each takes. */
const char *counts_text(struct model *model, int nest);
/* Adds to `counts` those of the loop's own blocks: of those that belong to the branch; -1: of those that each pass
 * comes to. */
void counts_own(struct model *model, int loop, int branch, long counts[4]);
bool counts_trivial(const struct program *program, int nest); /* a few iterations, by constants */

/* ---- nests.c ---- */
/* Of a loop whose operations are to be counted. */
const struct nest *nest_begin(struct model *model, int loop);
/* When an entry is the first one of all into its nest, by what holds in the first pass of all loops that are around it;
 * NULL: it never is, or that is not known, or always, as in no loop, where `first` is "". */
const char *nest_first(struct model *model, int loop, const char *first);
/* The block's, in the nest that has begun, by its number; -1: each pass of its loop comes to it. */
int nest_branch(struct model *model, int block);
const char *nest_chance(struct model *model, int branch);           /* its param */
void nest_assumptions(const struct model *model, struct text *out); /* in a component's documentation */
void nest_params(const struct model *model, struct text *out);
/* What is timed, and what is counted, for the plugin and the program, as instrument.cc reads it; NULL: nothing is. */
const char *nest_timers(const struct model *model);
const char *nest_counters(const struct model *model);
void nest_requests(const struct model *model, struct text *out);

/* ---- slice.c ---- */
/* The loop that is left there as often as --iterations says, whatever the condition; 0: none. */
int slice_waived(const struct program *program, int block);
/* The one value of a phi, whichever way is taken; NULL: there are several. */
const struct value *slice_same(const struct program *program, const struct statement *phi);
int slice_before(const struct program *program, int loop); /* the block that leads to it */

/* ---- source_expression.c ---- */
const char *expression_text(struct model *model, const struct value *value, enum level level);
/* Of that type, as numbers are truth values in C. */
const char *expression_as(struct model *model, const struct value *value, char type, enum level level);
const char *expression_ssa(struct model *model, unsigned ssa, enum level level);
/* What an essential assignment or phi stands for, without its name. */
const char *expression_of(struct model *model, const struct statement *statement, enum level level);
const char *expression_condition(struct model *model, const struct value *condition, bool negated, enum level level);
/* Of an argument of a call, which may be read from memory. */
const char *expression_argument(struct model *model, const struct statement *call, size_t place, enum level level);
bool expression_positive(const struct program *program, const struct value *value, int depth); /* never below 0 */
bool expression_inline(const struct model *model, const struct statement *statement);          /* it needs no name */
bool expression_fixed(const struct program *program,
                      const struct statement *load); /* does it read what is set for good? */
bool expression_uses(const struct program *program, const struct value *value, unsigned ssa);
const char *expression_cell(struct model *model, const struct reference *memory); /* a place of a variable */
const char *expression_word(struct model *model, const char *wanted);             /* letters, digits and _ of it */
const char *expression_name(struct model *model, const char *wanted);             /* one that is not taken */
void expression_forget(struct model *model, const char *name);                    /* it may be taken again */
const char *expression_number(struct room *room, const struct value *value);

bool expression_reserved(const char *word); /* can no name be this? */

/* ---- ranges.c ---- */
/* May what the operation gives be beyond its type, so that it wraps? */
bool range_wraps(const struct program *program, const struct value *value);
/* The sum without a sign, and without a name, that is converted to a type as narrow as its own, or narrower: wrapping
 * the result does for both. NULL: it is none. */
const struct value *range_converted(const struct program *program, const struct value *value);
bool range_unsigned(const struct program *program, const struct value *value); /* is it never below 0? */

/* ---- said_passes.c ---- */
/* Lets and functions for what is said, and how the model calls them. */
void said_emit(struct model *model, struct text *out);
/* That a loop is not passed less than 0 times. NULL: nothing is said of it. */
void said_assert(const struct said_passes *said, struct text *out);
void said_assert_within(const struct program *program, int nest, struct text *out); /* of all loops in the nest */

/* ---- passes.c ---- */
/* What --iterations says of a loop, as a sliced program computes it; NULL: it cannot, for the reason that *wrong is. */
const char *passes_text(const struct program *program, const char *expression, const char **wrong);

/* ---- emit.c ---- */
/* What is timed and counted goes into the compilation. */
const char *emit_model(struct program *program, struct compilation *compilation);
void emit_names(struct model *model); /* what nothing of the program may be called */
void emit_input(const struct program *program, const struct input *input, struct text *out); /* its param */
void emit_times(const struct model *model, struct text *out); /* the params of operations and nests */

/* ---- body.c ---- */
void body_emit(struct model *model, struct text *out);

#endif
