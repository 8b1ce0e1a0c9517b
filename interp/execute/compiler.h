/* The compiler's inside: what compile.c (statements, calls) and compile_expression.c share. */
#ifndef PSL_COMPILER_H
#define PSL_COMPILER_H
#include "interp/execute/program.h"

struct node { /* an instruction in the making; operands are virtual registers */
  struct node *next;
  uint16_t op, a, b, c;
  bool has_a, has_b, has_c, has_k; /* has_k: `whole` is a register */
  bool updates;                    /* `a` is read as well as written */
  int64_t whole;
  void *site;
  struct label *label; /* where it jumps */
  struct label *here;  /* NOP: a label */
  uint32_t at;         /* when linear */
  uint64_t *live;      /* registers alive behind it */
};
struct label {
  struct node *node;
};

struct virtual { /* a register in the making */
  uint8_t level; /* of the innermost loop that it changes in; 0: none */
  bool constant, param;
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
  uint16_t block_target;
  uint16_t instance; /* register */
  int32_t *slots;    /* local slot -> register; -1: none yet */
  int32_t *indices;  /* index -> register; -1: not read yet */
  uint32_t slot_count;
  bool communicates, spawned, analysis, shared;
  int32_t result;      /* register of what `return` says; -1: none */
  struct label *after; /* where `return` goes */
  uint32_t depth;
};

struct entry { /* a value that need not be computed again */
  uint16_t op, b, c;
  int64_t whole;
  uint16_t result;
  uint32_t block; /* the block that it is computed in; 0: no longer valid */
};

struct compiler {
  struct machine *machine;
  struct arena *arena; /* of the compilation */
  struct program *program;
  struct node *first, *last;
  struct {
    struct node *insert; /* code of this level goes behind it while inner loops are open */
    uint32_t block;
  } loops[32];
  uint32_t level, block;
  struct virtual *registers;
  uint32_t register_count, register_capacity;
  struct entry *entries;
  uint32_t entry_count, entry_capacity;
  struct fail {
    struct label *label;
    struct eval_site *site;
  } * fails;
  uint32_t fail_count, fail_capacity;
  uint32_t node_count;
  struct eval_site *site; /* of the expression in hand */
  struct label *fail;     /* of the expression in hand, made when wanted */
  uint32_t function_depth;
  struct span outer; /* the call or request of the first body that is in hand */
  bool failed;       /* the walker takes it */
};

int32_t register_new(struct compiler *compiler, enum type_kind kind, uint32_t level);
uint16_t register_constant(struct compiler *compiler, enum type_kind kind, union slot value);
uint16_t constant_int(struct compiler *compiler, int64_t value);
struct node *emit(struct compiler *compiler, enum operation op);
struct node *emit_at(struct compiler *compiler, uint32_t level, enum operation op);
struct label *label_new(struct compiler *compiler);
void label_here(struct compiler *compiler, struct label *label);
void jump(struct compiler *compiler, struct label *label);
void block_enter(struct compiler *compiler);
void block_leave(struct compiler *compiler);
bool kind_is_scalar(enum type_kind kind);
/* The expression as a whole: an int where a real is wanted becomes one, a real is tested to be finite. */
uint16_t compile_root(struct compiler *compiler, struct context *context, struct expr *expr,
                      const struct type *type);
/* Jumps to `otherwise` unless the condition holds. */
void compile_condition(struct compiler *compiler, struct context *context, struct expr *condition,
                       struct label *otherwise);
struct eval_site *eval_site_new(struct compiler *compiler, struct context *context, struct expr *expr,
                                const struct type *type);
uint16_t index_register(struct compiler *compiler, struct context *context, uint32_t index);
/* Nodes to instructions: dead ones left out, registers placed, jumps made. False: too large. */
bool assemble(struct compiler *compiler, struct program *program, uint16_t instance);
#endif
