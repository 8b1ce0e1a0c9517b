/* Functions of PSL as register code of their own: what the walker, bodies and other functions call.
 *
 * A function is compiled where its parameters and its value are numbers, truth values or terms and its value
 * holds no lists, records or text. Params and lets are constants of the code, or are loaded where they have
 * had several values; when params have changed it is tested whether the code still does, and its results.
 * Registers belong to the function, not to a call: a call that may come back to the function puts those that
 * are read afterwards on a stack of its own, which grows as far as memory goes. Results of functions that are
 * worth it are kept in tables: dense arrays where the arguments are whole numbers that lie close together,
 * else hashed. An argument that a function hands on to itself unchanged (an invariant) chooses the table, and
 * what depends on nothing else is computed once for all calls inside.
 *
 * Nothing is said here when something fails: the caller has the walker evaluate the call again, which gives
 * the diagnostic, or a value where only this code could not. */
#ifndef PSL_FUNCTION_H
#define PSL_FUNCTION_H
#include "interp/execute/program.h"
#include "interp/evaluate/reads.h"

enum { NEAR = 1 << 30 }; /* see `near` */

struct diagonals;
struct table; /* of results, for one set of invariants */

struct function_code {
  const struct model_function *function;
  enum { CODE_UNTRIED, CODE_MAKING, CODE_READY, CODE_REFUSED } state;
  uint64_t epoch;     /* of the params' values that it was last tested with */
  bool changed;       /* they are not those before: results are no longer good */
  struct reads reads; /* what it was made from */
  struct function_code **callees;
  uint32_t callee_count, callee_capacity;
  bool alone; /* comes back to itself by its own calls only */
  bool memo;  /* results are kept */
  bool left;  /* to the walker: a let that is no more than arithmetic */
  bool whole; /* all varying parameters are whole numbers, three at most: tables may be dense */
  bool near;  /* whole numbers that it is given lie within NEAR: what is computed from them mostly fits */
  bool far;   /* it was made so, and was given another */
  uint8_t plain;
  uint32_t weight; /* of its value in nodes, calls put in line; 0: not known */
  uint32_t walked; /* calls that the walker took */
  uint32_t failed; /* calls that came to nothing */
  /* Parameters and, behind them, the indices of its component: registers 0 .. */
  uint32_t param_count;
  enum type_kind kinds[FUNCTION_PARAMS], result;
  uint32_t invariant_count, varying_count;
  uint16_t invariants[FUNCTION_PARAMS], varying[FUNCTION_PARAMS];
  struct instruction *code;
  uint32_t size;
  struct diagonals *diagonals; /* how the inside of its tables is filled at once; NULL: cell by cell */
  uint32_t body;               /* where its own calls begin; others begin at 0, with what depends on invariants alone */
  union slot *registers;
  uint32_t register_count;
  struct table *table;    /* of the call in progress, or the last one */
  struct table **buckets; /* all, by the invariants' hash */
  uint32_t bucket_count, table_count;
};

/* model->apply: the walker's way in. */
enum applied functions_apply(struct environment *environment, const struct model_function *function,
                             const struct value *arguments, struct value *out);
/* model->compute: the same for lets that are more than arithmetic. */
bool functions_compute(struct environment *environment, const struct symbol *let, struct value *out);
/* What is compiled of the model, made at the first use. */
struct functions *functions_of(struct model *model);
/* The function's code; NULL where it does not fit. One that is being made is there already. */
struct function_code *function_code(struct functions *functions, const struct model_function *function);
/* What is known of a function without compiling it. */
struct function_code *function_entry(struct functions *functions, const struct model_function *function);
/* The delay of an unlabelled request, which reads nothing but its component's indices; NULL where it does not fit. */
struct function_code *delay_code(struct functions *functions, const struct model_request *request);
/* What it comes to. False: the walker must find out. */
bool delay_call(struct functions *functions, struct function_code *code, const int64_t *indices, double *out);
/* A CALL of a body. False: the walker must do it. */
bool function_call(struct functions *functions, const struct call_site *site, const union slot *registers,
                   union slot *out);
#endif
