/* The compiler's inside: what compile.c (statements), compile_request.c (what they call), compile_in_line.c (bodies in
 * line) and compile_expression.c share. */
#ifndef PSL_COMPILER_H
#define PSL_COMPILER_H
#include "interp/execute/compiled_function.h"
#include "interp/execute/program.h"

struct node { /* an instruction in the making; operands are virtual registers */
  struct node *next;
  uint16_t op, a, b, c;
  bool has_a, has_b, has_c, has_k; /* has_k: `whole` is a register */
  bool updates;                    /* `a` is read as well as written */
  int64_t whole;
  void *site;
  struct label *label;      /* where it jumps */
  struct label *here;       /* NOP: a label */
  struct host_place *place; /* what it is part of */
  uint32_t at;              /* when linear */
  uint64_t *live;           /* registers alive behind it */
};
struct label {
  struct node *node;
  uint32_t users; /* nodes that go there, once all is emitted */
};

struct virtual { /* a register in the making */
  uint8_t level; /* of the innermost loop that it changes in; 0: none */
  bool constant, param;
  uint16_t same;     /* constant: the next with its value, of another kind; itself: none */
  bool nonzero;      /* REAL: not 0 */
  bool finite;       /* REAL: neither infinite nor undefined */
  union slot value;  /* constant */
  int64_t low, high; /* INT: bounds */
  enum type_kind kind;
  uint16_t place;
};

/* An accept or coercion block in line: how its names are found. */
struct context {
  struct context *caller; /* whose profile caller.A means; NULL: a frame's caller */
  struct body *body;
  struct model_component *component;
  struct model_accept *accept;
  struct adapter *adapter; /* coercion block */
  struct context *target;  /* whose profile target.A means, in coercions */
  uint16_t instance;       /* register */
  int32_t *slots;          /* local slot -> register; -1: none yet */
  int32_t *indices;        /* index -> register; -1: not read yet */
  uint32_t slot_count;
  bool communicates, spawned, analysis, shared;
  int32_t result;             /* register of what `return` says; -1: none */
  const struct type *answers; /* the type of that where whoever accepts says it; NULL: the transaction's */
  struct label *after;        /* where `return` goes */
  uint32_t depth;
};

struct entry { /* a value that need not be computed again */
  uint16_t op, b, c;
  int64_t whole;
  uint16_t result;
  uint32_t block; /* the block that it is computed in; 0: no longer valid */
};

struct compiler {
  struct executor *executor; /* NULL: a function, of no component's firing */
  struct functions *functions;
  struct model *model;
  struct environment *environment; /* where params and lets are asked for */
  struct arena *sites;             /* what instructions point to */
  struct arena *arena;             /* of the compilation */
  struct program *program;
  struct node *first, *last;
  struct {
    struct node *insert; /* code of this level goes behind it while inner loops are open */
    uint32_t block;
  } loops[32];
  uint32_t level, block;
  struct placed { /* the late request in hand, whose target's instance stands in a register; binding NULL: none */
    const struct binding *binding;
    struct model_accept *accept;
    uint16_t target;
  } placed;
  struct virtual *registers;
  uint32_t register_count, register_capacity;
  struct map constants; /* by value: the first register of it; those of the same value are linked */
  struct entry *entries;
  uint32_t entry_count, entry_capacity;
  uint32_t root_entries; /* entries before the expression in hand */
  struct bounds {        /* of a register, before they were narrowed by a condition */
    uint16_t reg;
    bool nonzero;
    int64_t low, high;
  } * bounds;
  uint32_t bounds_count, bounds_capacity;
  uint32_t narrowing, narrow_level; /* conditions that are open, and the level of the first */
  struct fail {
    struct label *label;
    struct eval_site *site;
    /* Where the walker has a value all the same: a register for it, and the place behind the expression, or
     * behind a condition the place where it does not hold; after NULL: the run ends */
    uint16_t result;
    struct label *after, *otherwise;
  } * fails;
  uint32_t fail_count, fail_capacity;
  uint32_t node_count;
  struct eval_site *site; /* of the expression in hand */
  struct label *fail;     /* of the expression in hand, made when wanted */
  bool soft;              /* it may fail where the walker has a value */
  struct node *root;      /* the last node before it */
  uint32_t c_calls;       /* of C in it */
  bool draws;             /* what is looked through may draw, unless calls of C are forbidden */
  uint32_t c_forbidden;   /* no call of C in what is looked through: it may be made more than once, or not reached */
  uint32_t function_depth;
  bool plain;                     /* what is in hand is known to be plain */
  struct function_code *function; /* that is compiled, or NULL */
  struct span outer;              /* the call or request of the first body that is in hand */
  bool alone;                     /* no other process is ever there: order does not matter */
  const struct expr *settled;     /* the condition that a loop in hand is written twice for, and its answer here */
  bool settled_holds;
  bool failed;             /* the walker takes it, */
  const char *why;         /* for this reason, */
  struct span statement;   /* at this statement: the one in hand */
  struct host_time *host;  /* NULL: nobody wants to know where time goes */
  struct host_place *here; /* what the code is part of; NULL: nobody wants to know */
};

enum { CALL_DEPTH = 10 }; /* of bodies in line */

int32_t register_new(struct compiler *compiler, enum type_kind kind, uint32_t level);
static inline struct virtual *info(struct compiler *compiler, uint16_t reg) { return &compiler->registers[reg]; }
uint16_t register_constant(struct compiler *compiler, enum type_kind kind, union slot value);
uint16_t constant_int(struct compiler *compiler, int64_t value);
uint16_t mark_finite(struct compiler *compiler, uint16_t reg); /* the register, whose value always is */
/* The walker takes the body, for the first of these reasons. */
static inline void give_up(struct compiler *compiler, const char *why) {
  if (!compiler->failed) compiler->why = why;
  compiler->failed = true;
}
static inline void give_up_if(struct compiler *compiler, bool so, const char *why) {
  if (so) give_up(compiler, why);
}
struct node *emit(struct compiler *compiler, enum operation op);
struct node *emit_at(struct compiler *compiler, uint32_t level, enum operation op);
struct label *label_new(struct compiler *compiler);
void label_here(struct compiler *compiler, struct label *label);
void jump(struct compiler *compiler, struct label *label);
void block_enter(struct compiler *compiler);
void block_leave(struct compiler *compiler);
bool kind_is_scalar(enum type_kind kind);
/* Runs `work` with an arena of its own, closed whatever happens. What params and lets have to say where they
 * have no value is not said: the walker says it, if it comes to them. */
bool compile_guarded(struct model *model, bool (*work)(struct arena *, void *), void *user);
/* The function's value as code that ends in RETURN; false: it is left to the walker. Level 0 is what changes
 * with the function's invariants alone, level 1 its body. */
bool compile_function(struct compiler *compiler, struct function_code *code);

/* ---- statements ---- */
struct context *context_new(struct compiler *compiler, struct body *body, struct context *parent, uint16_t instance);
const struct type *result_type(const struct context *context); /* of what the body returns */
void compile_block(struct compiler *compiler, struct context *context, const struct block *block);
/* The walker's look at the order of processes, where others see what the body does. */
void emit_order(struct compiler *compiler, const struct context *context);
/* An operation that takes a real: the test before it that the real is finite becomes part of it. */
struct node *emit_testing(struct compiler *compiler, enum operation op, uint16_t value, bool *tested);
/* A loop of a process that is spawned in line could not let others catch up: it fails. */
void loop_open(struct compiler *compiler, const struct context *context);
void loop_close(struct compiler *compiler);

/* ---- what statements call ---- */
void compile_value_statement(struct compiler *compiler, struct context *context, const struct stmt *stmt);
void compile_requests(struct compiler *compiler, struct context *context); /* of an accept, behind its body */

/* ---- bodies in line ---- */
/* Why the accept's body cannot be in line; NULL: it can. */
const char *kept_out_of_line(struct compiler *compiler, const struct context *context, struct model_accept *accept);
/* Puts the body of an accept or a coercion block in line. `arguments` by parameter of its transaction, -1: none. */
bool body_in_line(struct compiler *compiler, struct context *inner, const int32_t *arguments);
/* The register of what a body returns; 0 where it may end without saying. */
void result_open(struct compiler *compiler, struct context *context);
/* Whose attributes coercions read. */
struct context *target_context(struct compiler *compiler, struct model_accept *accept, int32_t instance);
/* The arguments as the target takes them. */
void arguments_adapt(struct compiler *compiler, struct context *context, struct context *target,
                     const struct adapter *adapter, const struct model_request *request, int32_t *arguments);
/* Tests that the value is in its range, where that is not plain. */
void test_allowed(struct compiler *compiler, struct context *context, struct allowed *allowed, const struct name *name,
                  const struct type *type, struct span span, uint16_t value);
void test_arguments(struct compiler *compiler, struct context *context, struct model_transaction *transaction,
                    struct expr *const *given, const int32_t *arguments);

/* ---- operations ---- */
/* One that cannot fail: found again, or emitted at the outermost level that its operands allow. */
uint16_t pure_operation(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b, uint16_t c,
                        int64_t whole, uint32_t level);
uint16_t pure2(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b, uint16_t c);
/* One that may fail: emitted where it stands. */
uint16_t checked2(struct compiler *compiler, enum operation op, enum type_kind kind, uint16_t b, uint16_t c);
struct label *fail_label(struct compiler *compiler);
uint16_t bounded(struct compiler *compiler, uint16_t reg, int64_t low, int64_t high);
uint16_t int_arithmetic(struct compiler *compiler, enum operator op, uint16_t b, uint16_t c);
uint16_t to_real(struct compiler *compiler, uint16_t reg);
/* The register as one of the type: an int where a real is wanted becomes one. */
uint16_t converted(struct compiler *compiler, uint16_t reg, const struct type *type);

/* ---- expressions; with `failed` set where they do not fit ---- */
uint16_t expression(struct compiler *compiler, struct context *context, struct expr *expr);
/* By the walker. */
uint16_t evaluated(struct compiler *compiler, struct context *context, struct expr *expr);
/* Does the expression hold only what can be compiled? */
bool is_plain(struct compiler *compiler, const struct expr *expr);
/* An operation before all that the expression in hand, whose site it is given, has been compiled to so far. */
void expression_begins(struct compiler *compiler, enum operation operation, struct eval_site *site);
/* Draws inside of an expression: from a distribution that is made there of numbers. */
bool may_draw(const struct compiler *compiler, const struct expr *expr);
uint16_t draw_within(struct compiler *compiler, struct context *context, struct expr *expr);
/* A call of C: can it be compiled, and its result. */
bool may_call_c(const struct compiler *compiler, const struct expr *expr);
uint16_t call_c(struct compiler *compiler, struct context *context, struct expr *expr);
/* EXPR_CALL that is plain. */
uint16_t call_expression(struct compiler *compiler, struct context *context, struct expr *expr);
/* A constant list of numbers that the expression takes an item of; NULL: it is something else. */
const struct object *item_list(const struct compiler *compiler, const struct expr *expr);
/* The expression as a whole: an int where a real is wanted becomes one, a real is tested to be finite. */
uint16_t compile_root(struct compiler *compiler, struct context *context, struct expr *expr, const struct type *type);
/* A root expression that draws a real: its register; false: it is not compiled here. */
bool compile_draw(struct compiler *compiler, struct context *context, struct expr *expr, const struct type *type,
                  uint16_t *result);
/* Jumps to `otherwise` where the condition does not hold; where the answer is the same in the whole run, emits
 * nothing. */
enum answer { ANSWER_OPEN, ANSWER_YES, ANSWER_NO };
enum answer compile_condition(struct compiler *compiler, struct context *context, struct expr *condition,
                              struct label *otherwise);
struct eval_site *eval_site_new(struct compiler *compiler, struct context *context, struct expr *expr,
                                const struct type *type);
uint16_t index_register(struct compiler *compiler, struct context *context, uint32_t index);
/* Writes loops twice whose turns mostly compute what the turn before has computed (repeat.c). */
void repeat_loops(struct compiler *compiler);
typedef void visit(void *user, uint16_t *reg);
void node_uses(struct node *node, visit *each, void *user); /* every register that it reads */
/* Does it nothing but compute, from these? */
static inline bool node_computes(const struct node *node) {
  if (node->updates || node->op == DO_NOP || node->op == DO_CLOCK) return false;
  return node->op < DO_LOAD || node->op == DO_PURE;
}
/* Makes it two calls of an evaluator as one? */
static inline bool node_pairs(const struct node *node) {
  return node->op == DO_PAIR || node->op == DO_PAIR_DIRECT || node->op == DO_PAIR_HELD;
}
/* Puts two calls of an evaluator as one before them, where it has that (compile_pair.c). */
void pairs_find(struct compiler *compiler);
/* Nodes to instructions: dead ones left out, registers placed, jumps made. False: too large. */
bool assemble(struct compiler *compiler, struct program *program, uint16_t instance);
/* What code comes of from now on is below where it was before, which is returned; NULL where nobody wants to know. */
struct host_place *place_open(struct compiler *compiler, const void *subject, const struct name *name,
                              struct span span);
static inline void place_close(struct compiler *compiler, struct host_place *before) { compiler->here = before; }
/* How what is in hand is executed; why: not better. */
void place_said(const struct compiler *compiler, const char *how, const char *why);
/* The same for a function: registers stay where they are, and calls that may come back to it save theirs. */
bool assemble_function(struct compiler *compiler, struct function_code *code);
#endif
