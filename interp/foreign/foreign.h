/* Functions of C libraries: `extern "libNAME.so" { function f(x : real) -> real; }`.
 *
 * interp/check/foreign.c makes the signatures, shared_library.c loads libraries and finds functions, c_call.c calls
 * them and callback.c is called back by them.  Nothing here evaluates PSL: the walker of interp/evaluate does
 * that, as the host of a call. */
#ifndef PSL_FOREIGN_H
#define PSL_FOREIGN_H
#include "interp/include/evaluator.h"
#include "interp/model/model.h"
#include <pthread.h>
#include <stdatomic.h>

/* The help of all that needs C code where that is not allowed. */
#define FOREIGN_ALLOW "--allow-native allows it; C can do all that you can, so read the model first"

enum { FOREIGN_PARAMETERS = 64, FOREIGN_TEXT = 300, NO_ARGUMENT = UINT32_MAX };
enum { FOREIGN_NUMBERS = 8, FOREIGN_KEPT = 16 }; /* parameters of a call by compiled code; its results that are kept */

/* What C has in hand. */
enum c_type {
  C_VOID,
  C_BOOL,
  C_INT8,
  C_UINT8,
  C_INT16,
  C_UINT16,
  C_INT32,
  C_UINT32,
  C_INT64,
  C_UINT64,
  C_FLOAT,
  C_DOUBLE,
  C_STRING,   /* const char * */
  C_FUNCTION, /* a pointer to a function: `callback` */
};
union c_item {
  bool boolean;
  int8_t int8;
  uint8_t uint8;
  int16_t int16;
  uint16_t uint16;
  int32_t int32;
  uint32_t uint32;
  int64_t int64;
  uint64_t uint64;
  float float32;
  double float64;
  const char *string;
  void *pointer;
};

struct foreign_signature;
struct foreign_parameter {
  const struct name *name; /* of a result: NULL */
  struct span span;
  enum c_type c;                            /* of an array: its items */
  enum passing passing;                     /* an array: IN, OUT or INOUT */
  const struct type *type;                  /* of the value in PSL: a list for an array */
  struct expr *length;                      /* of an array: items, over the parameters; NULL: none */
  const struct foreign_signature *callback; /* FUNCTION */
  uint32_t argument;                        /* its place in a call; NO_ARGUMENT: C alone writes it */
  bool sized;                               /* the length of an array: may be left out of a call */
};

struct foreign_signature {
  struct foreign_parameter *parameters;
  uint32_t count;
  struct foreign_parameter result; /* of C; VOID: none */
  const struct type *type;         /* of the value in PSL: the result, what C writes, or a record of both */
  /* The frame of lengths: parameters from first_slot on; of a callback, the function's come before. */
  uint32_t first_slot, slot_count;
};

struct foreign_library {
  struct foreign_library *next;
  const char *name, *path; /* as the model says; as it was found */
  void *handle;
  struct psl_key content; /* of its file when it was loaded */
};

struct foreign_function {
  struct foreign_signature signature;
  const struct decl *decl; /* its extern */
  const char *entry;       /* what the library calls it */
  struct span span;
  const struct foreign_parameter **arguments; /* the parameters that a call gives, in order */
  void (*address)(void);                      /* NULL: not loaded, since that is not allowed */
};

/* ---- ctype.c ---- */
/* The C type of a word that only signatures of C know (int32, float, ...); VOID: none is. */
enum c_type c_type_named(const char *word);
const char *c_type_name(enum c_type c); /* int32, real, ... */
size_t c_type_size(enum c_type c);      /* of an item of an array; 0: there are no arrays of it */
/* A value of PSL as C has it, and back; strings are copied to the arena. false where it does not fit, with a
 * text in `error`: of c_write that it does not, of c_read what it is. */
bool c_write(enum c_type c, struct value value, void *item, char *error, size_t size);
bool c_read(enum c_type c, const void *item, struct arena *arena, struct value *value, char *error, size_t size);
/* The same for whole numbers, reals and truths, without a text. */
static inline bool c_is_real(enum c_type c) { return c == C_FLOAT || c == C_DOUBLE; }
bool c_write_whole(enum c_type c, int64_t x, union c_item *item);
bool c_write_real(enum c_type c, double x, union c_item *item);
bool c_read_whole(enum c_type c, const union c_item *item, int64_t *x);
bool c_read_real(enum c_type c, const union c_item *item, double *x);

/* ---- c_call.c, callback.c ---- */
/* What a call needs of the walker. Both say their own diagnostics where they fail. */
struct foreign_host {
  struct arena *arena; /* of its own: for objects that are made during one call back; closed by the call */
  bool (*length)(struct foreign_host *host, const struct expr *length, struct value *frame, int64_t *count);
  bool (*call)(struct foreign_host *host, const struct model_function *function, const struct value *arguments,
               struct value *result);
};
enum foreign_outcome {
  FOREIGN_DONE,
  FOREIGN_ERROR,  /* `error` says what is wrong */
  FOREIGN_SAID,   /* the host has said what is wrong */
  FOREIGN_MEMORY, /* no memory in a call back: the caller fails as an allocation does */
};
struct foreign_call {
  const struct foreign_function *function;
  struct foreign_host *host;
  struct arena *scratch;
  struct value *frame; /* slot_count: arguments by parameter; behind the call also what C has written */
  const struct model_function **callbacks; /* by parameter */
  struct value result;
  enum foreign_outcome called_back; /* the first call back that failed; then C gets zeros */
  atomic_bool elsewhere;            /* a call back came from another thread */
  struct foreign_kept *kept;        /* while there are any, its results are taken in place of calls; may be NULL */
  char *error;                      /* room for FOREIGN_TEXT */
};
enum foreign_outcome foreign_call(struct foreign_call *call);

/* What compiled code has got from C in an expression, in the order of its calls. Where the walker has to evaluate that
 * expression again it takes these: C is not called twice. */
struct foreign_kept {
  uint32_t count, next;
  union c_item results[FOREIGN_KEPT];
};
/* Does C take and give nothing but numbers and truths, by value? Then compiled code can call it. */
bool foreign_of_numbers(const struct foreign_function *function);
void foreign_call_numbers(const struct foreign_function *function, const union c_item *items, union c_item *result);
/* Calls `read` with the lengths of all arrays of a signature, which may name params. */
void foreign_lengths(const struct foreign_signature *signature, bool (*read)(const struct expr *, void *), void *user);
/* The C function that this thread is in; NULL: none. For a handler of signals. */
const char *foreign_running(void);
/* It is in that one from now on; NULL: in none. Gives what it was in. */
const char *foreign_enter(const char *function);

/* A pointer that C calls: one of a fixed number. */
struct callback {
  struct foreign_call *call;
  const struct foreign_parameter *parameter;
  const struct model_function *function;
  pthread_t thread;
  struct callback_slot *slot; /* NULL: not open */
};
/* NULL with a text in call->error where no pointer can be had. */
void *callback_open(struct callback *callback);
void callback_close(struct callback *callback);

/* ---- shared_library.c ---- */
/* Loads the libraries of all externs, also from the folders of `use`, and finds their functions; false after
 * diagnostics. */
bool foreign_link(struct model *model, const char *const *folders, uint32_t folder_count);
struct foreign_folders {     /* where libraries are looked for: */
  const char *own;           /* the folder of the file that names it, */
  const char *const *others; /* then those of `use` */
  uint32_t count;
};
/* A library of that name, loaded once: from the first of the folders that has it, else from where the system looks.
 * NULL after a diagnostic at `span`. */
struct foreign_library *foreign_library(struct model *model, const char *name, const struct foreign_folders *folders,
                                        struct span span);
/* The address of what a library exports, NULL if it has no such name. */
void *foreign_symbol(const struct foreign_library *library, const char *name);
void foreign_unload(struct model *model);

/* ---- library_content.c ---- */
/* Loads what stands in a library's file now, as the system's loader names it: once while that stays the same. NULL with
 * `why`, which lives until the next call. */
void *foreign_open(const char *path, struct psl_key *content, const char **why);
void foreign_close(void *handle);
#endif
