/* A program of MPI as the plugin says it is, and what becomes of it: what is pruned, what is essential. What a model
 * of it is made of stands in emit.h. */
#ifndef PSL_COMPILE_MPI_PROGRAM_H
#define PSL_COMPILE_MPI_PROGRAM_H
#include "interp/compile/source_model.h"
#include "interp/compile/room.h"

#include <stdbool.h>
#include <stddef.h>

enum value_kind { VALUE_SSA, VALUE_INT, VALUE_REAL, VALUE_ADDRESS, VALUE_MEMORY, VALUE_OP, VALUE_OTHER };
struct value {
  enum value_kind kind;
  unsigned ssa;     /* of a name */
  long number;      /* of an int */
  const char *text; /* of a real; the operator */
  char type;        /* of an operator's result: i int, u unsigned, b bool, f real, p pointer, a aggregate, o other */
  unsigned width;   /* bits of it */
  struct reference *memory; /* of an address, and of what is read */
  struct value **arguments;
  size_t count;
};

/* A place in memory. */
struct reference {
  char type; /* as that of a value */
  long size, offset, scale, length;
  long stride;             /* of the innermost list that it is in */
  struct value **elements; /* of that list, as it begins; NULL: zeros, or not known */
  size_t element_count;
  unsigned decl;                        /* 0: reached by a pointer */
  const char *name;                     /* of the variable */
  const char *path;                     /* fields and constant indices behind it; NULL: none that is known */
  int parameter;                        /* of main, -1: none */
  bool is_static, odd, constant, zeros; /* zeros: that is what all of the variable begins as */
  struct value *pointer, *index, *initial;
  struct statement *heap; /* the call that allocates it; NULL: none, or it is not known */
};

enum statement_kind {
  STATEMENT_PHI,
  STATEMENT_ASSIGN,
  STATEMENT_STORE,
  STATEMENT_CALL,
  STATEMENT_CONDITION,
  STATEMENT_SWITCH,
  STATEMENT_RETURN,
  STATEMENT_OTHER
};
struct argument {
  struct value *value;
  unsigned *from; /* statements that may have written what it points to */
  size_t from_count;
  bool entry; /* so may whoever called main, or nobody */
  int block;  /* of a phi: where it comes from */
};
/* What the modeller says that calls give a variable. */
struct assumed_value {
  const char *name, *expression, *given; /* given: as --assume has it */
  bool used;
};
/* A place that a call sets so. */
struct given {
  const struct reference *memory;
  const struct assumed_value *value;
};
struct statement {
  enum statement_kind kind;
  unsigned id;
  int block;
  const char *function, *file;
  int line, column;
  int def;              /* the SSA name that it sets; -1: none */
  struct value *value;  /* what is assigned, stored, or decides */
  struct reference *to; /* of a store */
  const char *call;
  const struct mpi_call *mpi;
  struct argument *arguments; /* of a call, a phi */
  size_t argument_count;
  struct argument load; /* where what `value` reads was written */
  bool noreturn, defined, foreign, pure;
  const char *operation; /* int, float, load, store, call: what it costs */
  int input;             /* the first among the program's, of what reads some; -1 */
  size_t input_count;    /* so many */
  bool shared;           /* a broadcast of what all ranks know, as that is made on all of them */
  bool essential;
  struct statement *because; /* that needs it; NULL: it needs no reason */
  const char *reason;
  struct statement *data_needed; /* of a call of MPI: what needs the data that it gives */
  const char *data_help;
  unsigned uses; /* by essential ones, of what it sets */
  struct given *given;
  size_t given_count, given_capacity;
};

struct way {
  int to;
  enum { WAY_ALWAYS, WAY_TRUE, WAY_FALSE, WAY_ODD } when;
  bool pruned;
  bool by_arguments;    /* since all arguments count as given */
  struct value **cases; /* of a choice: pairs of the lowest and the highest, or NULL; NULL twice: all others */
  size_t case_count;
};
struct block {
  bool there;
  int loop;
  struct way *ways;
  size_t way_count;
  struct statement **statements; /* phis first */
  size_t count;
  bool reached, many;                  /* more ways than two */
  int dominator, postdominator, order; /* order: of a reverse postorder; -1: not reached */
  int *controls;                       /* the blocks whose conditions decide whether it is reached */
  size_t control_count, control_capacity;
};

/* What --iterations says of the loops of a line. */
struct said_passes {
  const char *place, *expression; /* place: as it is given, LINE or FILE:LINE */
  bool fixed;                     /* the expression has no names in it */
  const char *text;               /* how often, in the model */
};

struct induction {
  bool known;
  struct value *base, *step;
  long factor; /* 0: it is a sum */
};
struct loop_exit {
  int from, to;
  const char *stays; /* the comparison that holds while the loop goes on; NULL: not known */
  struct induction left, right;
};
struct counter {
  unsigned ssa;
  struct value *base, *step;
};
struct loop {
  bool there;
  int header, latch, outer;
  const char *file;
  int line, column;
  struct loop_exit *exits;
  size_t exit_count;
  struct counter *counters;
  size_t counter_count;
  bool communicates;              /* calls MPI */
  bool known;                     /* how often it is passed */
  const struct said_passes *said; /* what --iterations says; NULL: nothing */
  const char *function;
};

struct input {
  const char *name;
  struct value *initial;          /* where it is not given; NULL: not known */
  const struct reference *memory; /* where it is put; NULL: it is what the call returns */
  char type;                      /* as that of a value */
  bool below;                     /* may it be below 0? Arguments are taken to be sizes and numbers of passes */
  const char *what;               /* argument 1, a value read */
  const char *file;
  int line;
};

struct ssa {
  bool there;
  char type;
  unsigned width;   /* bits of a whole number */
  const char *name; /* of a field, c.n */
  int parameter;
  struct statement *def;
  /* Of the model: */
  const char *text; /* the name, or what stands for it; NULL: its expression */
  int precedence;
};

struct program {
  struct room *room;
  const struct compile_options *options;
  struct compile_error *errors;
  size_t error_count, error_capacity;
  const char *language, *function;
  bool fortran;
  struct block *blocks;
  int block_count;
  struct loop *loops;
  int loop_count;
  struct ssa *names;
  unsigned name_count;
  struct statement **by_id;
  unsigned id_count;
  struct input *inputs;
  size_t input_count, input_capacity;
  long arguments;       /* how many the program is given, its name among them in C */
  const char **assumed; /* what was pruned, in words */
  size_t assumed_count, assumed_capacity;
  struct assumed_value *values;
  size_t value_count, value_capacity;
  struct said_passes **said;
  size_t said_count, said_capacity;
  const char **recursive; /* names of functions that are still there */
  bool *recursive_talks;  /* do they call MPI? */
  size_t recursive_count;
  const char **variables; /* the source's, sorted */
  size_t variable_count;
  const char **copies; /* pairs: one that is set to another */
  size_t copy_count;
  struct slice *slice; /* that is being found */
  bool ranging;        /* is it being found out whether a number is below 0? */
};

#define ROOM_PUSH(room, array, count, capacity, item)                    \
  do {                                                                   \
    if ((count) == (capacity)) {                                         \
      size_t room_new = (capacity) ? 2 * (capacity) : 8;                 \
      void *room_array = room_alloc((room), room_new * sizeof *(array)); \
      if (count) memcpy(room_array, (array), (count) * sizeof *(array)); \
      (array) = room_array;                                              \
      (capacity) = room_new;                                             \
    }                                                                    \
    (array)[(count)++] = (item);                                         \
  } while (0)

/* ---- mpi_program.c: facts ---- */
/* NULL after an error. */
struct program *source_read(struct room *room, const char *path, const struct compile_options *options);
void source_error(struct program *program, const struct statement *at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void source_error_at(struct program *program, const char *file, int line, const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
struct statement *source_definition(const struct program *program, unsigned ssa); /* NULL: a parameter */
/* The address that it is, also of an element; NULL: it is none that is known. */
const struct value *source_address(const struct program *program, const struct value *value);
const char *source_base(const char *file);  /* without its folders */
const char *source_field(const char *name); /* of c.n, n; of n, that */

/* ---- source_switch.c: choices of many ways ---- */
/* Makes tests of the choice that the block ends in, if any. There is room for two blocks and statements a case. */
void switch_split(struct program *program, int block);

/* ---- source_heap.c: memory that is allocated ---- */
/* Makes variables of it, where it is known which call has allocated what a pointer leads to. */
void heap_find(struct program *program);
/* The same of an address, of an element of that size; NULL: it is not known. */
struct value *heap_address(struct program *program, const struct value *pointer, long size);

/* ---- source_flow.c: which block is reached when ---- */
void flow_analyse(struct program *program); /* after each change of what is pruned */
bool flow_dominates(const struct program *program, int above, int below);
bool flow_in_loop(const struct program *program, int block, int loop);
/* Does what the block tests decide only whether the loop is left or passed again, by itself or with other tests? */
bool flow_ends_pass(const struct program *program, int block, int loop);

/* ---- inputs.c: what the program is given, and what is therefore never reached ---- */
void inputs_find(struct program *program);
/* The values that a load sees, where there is one alone; NULL: there are others. */
struct value *inputs_stored(const struct program *program, const struct statement *reader, const struct argument *load,
                            const struct reference *memory);
/* Which input the statement puts there; -1: none. */
int inputs_at(const struct program *program, const struct statement *statement, const struct reference *memory);
/* Behind broadcasts of just this place that all ranks know the data of: where these were written. */
const struct argument *inputs_behind(const struct program *program, const struct argument *load,
                                     const struct reference *memory);
/* Forgets stores that no load sees any more, as ways are pruned. */
void inputs_narrow(struct program *program);
/* What --assume says. */
void inputs_waive(struct program *program);
void inputs_assume(struct program *program, const char *words); /* among what is assumed */
/* Does a loop end by a condition with a variable of that name, so that it may be assumed to be ignored? */
bool inputs_end_loop(const struct program *program, const char *name);

/* ---- said_passes.c: what --iterations says ---- */
void said_find(struct program *program);

/* ---- assumed_values.c: what --assume 'VARIABLE = EXPRESSION' says ---- */
bool assumed_take(struct program *program, const char *given); /* false: it is none */
/* Is what the call puts there said? Then it is noted at the call. */
bool assumed_gives(struct program *program, struct statement *call, const struct reference *memory);
/* What a function returns into such a variable; NULL: that is not said. */
const char *assumed_returned(struct program *program, const struct statement *call);
void assumed_check(struct program *program); /* errors of those that nothing needs */
/* Adds what is said so, and declarations of the variables, which stand in it for what they were before. */
struct compile_said;
struct text;
void assumed_say(const struct program *program, struct compile_said *all, size_t *count, struct text *declared);

/* ---- mpi_calls.c: what calls of MPI become ---- */
/* Of an argument: - nothing, n count, T type, p partner, g tag, C communicator, Q a request that begins, q one that is
 * waited for, W several, S a status, G one that is read, U a group, r a root, R the rank, Z the number of ranks, d
 * dimensions, l a list of numbers, L one of types; what is given: t a type, c a communicator, u a group, s a number, k
 * one that may be below 0, or of the rank. */
struct mpi_call {
  const char *name, *roles;
  const char *label;       /* of the request; NULL: none is made */
  const char *transaction; /* of it, with what it is given */
};
const struct mpi_call *mpi_call_find(const char *name);
bool mpi_communicates(const struct mpi_call *call);
/* Is its communicator MPI_COMM_WORLD, or is it given none? */
bool mpi_in_world(const struct program *program, const struct statement *call);
/* Does the program have this handle, as MPI_REQUEST_NULL or MPI_COMM_NULL, in what can be come to? Linear. */
bool mpi_compared(const struct program *program, long handle);
/* A handle that is known; 0: it is not. */
unsigned long mpi_handle(const struct program *program, const struct statement *call, size_t place);

/* ---- body_groups.c ---- */
/* The call that makes the group which this one is given; NULL: there are several, or it is not to be seen. */
struct statement *group_made(const struct program *program, const struct statement *call);

/* ---- shared_inputs.c: what one rank reads and all get by a broadcast ---- */
/* By what the slice needs of broadcasts: has anything become known, so that the slice is to be found anew? */
bool shared_find(struct program *program);

/* ---- slice.c: what is essential ---- */
void slice_find(struct program *program);
void slice_forget(struct program *program); /* to find it anew */
void slice_mark_value(struct program *program, const struct value *value, struct statement *because,
                      const char *reason);
void slice_mark_block(struct program *program, int block, struct statement *because, const char *reason);
bool slice_talks(const struct program *program, const struct statement *statement); /* makes a request */
/* Is it an outermost loop in which nothing is sent, that is reached? */
bool slice_is_nest(const struct program *program, int loop);

#endif
