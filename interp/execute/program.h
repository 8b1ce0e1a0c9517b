/* Compiled bodies: register code, and what its instructions point to.
 *
 * A program is the code of one accept's body with the bodies of the accepts that it calls put in line.
 * Registers are 8-byte slots whose types are known when it is compiled. A program has one array of them for all
 * frames: those that live while a process waits are saved in its frame. No instruction but the calls can fail: where
 * arithmetic leaves what 64 bits or a finite real can hold, code jumps to a FAIL, which has the walker evaluate the
 * expression again and so give the same diagnostic as the reference. */
#ifndef PSL_PROGRAM_H
#define PSL_PROGRAM_H
#include "interp/execute/deferred.h"

/* All operations, each given to the macro of the loop that owns it: that of bodies (vm.c), that of functions
 * (compiled_function.c), or both. What both own is one text (operations.inc), but for CALL and FAIL. The order counts:
 * before LOAD all only compute, INT_LT to REAL_NE compare, and up to UNLESS_REAL_LE nothing waits or moves a clock. */
/* clang-format off */
#define OPERATIONS(BOTH, BODY, FUNCTION)                                                                      \
  BOTH(NOP) BOTH(MOVE) BOTH(ADD) BOTH(SUB) BOTH(MUL) BOTH(ADD_CHECK) BOTH(SUB_CHECK) BOTH(MUL_CHECK)          \
  BOTH(DIV) BOTH(MOD) BOTH(DIV_CHECK) BOTH(MOD_CHECK) BOTH(DIV_SHIFT) BOTH(MOD_MASK) BOTH(INT_POW)            \
  BOTH(INT_MIN) BOTH(INT_MAX) BOTH(INT_ABS) BOTH(REAL_ADD) BOTH(REAL_ADD_3) BOTH(REAL_SUB) BOTH(REAL_MUL)     \
  BOTH(REAL_MUL_3) BOTH(REAL_DIV) BOTH(REAL_DIV_CHECK) BOTH(REAL_POW) BOTH(REAL_NEG) BOTH(REAL_OF)            \
  BOTH(REAL_MIN) BOTH(REAL_MAX) BOTH(REAL_ABS) BOTH(REAL_1) BOTH(REAL_2) BOTH(WHOLE) BOTH(FINITE)             \
  BOTH(COMPARABLE) BOTH(INT_LT) BOTH(INT_LE) BOTH(INT_EQ) BOTH(INT_NE) BOTH(INT_WITHIN) BOTH(REAL_LT)         \
  BOTH(REAL_LE) BOTH(REAL_EQ) BOTH(REAL_NE) BOTH(AND) BOTH(OR) BOTH(NOT) BOTH(SELECT) BOTH(ITEM)              \
  BOTH(ITEM_CHECK) BOTH(SYMBOL) BODY(CLOCK) BODY(LOAD) BODY(STORE) BODY(ADD_TO) BOTH(JUMP) BOTH(JUMP_IF)      \
  BOTH(JUMP_UNLESS) BOTH(UNLESS_INT_LT) BOTH(UNLESS_INT_LE) BOTH(UNLESS_INT_EQ) BOTH(UNLESS_INT_NE)           \
  BOTH(UNLESS_REAL_LT) BOTH(UNLESS_REAL_LE) BOTH(NEXT_UP) BOTH(NEXT_DOWN) BOTH(NEXT_TIMES) BODY(TURN)         \
  BOTH(COUNT) BOTH(PURE) BOTH(CALL) FUNCTION(CALL_OWN) FUNCTION(CALL_OWN_2) FUNCTION(FILL) FUNCTION(RETURN)   \
  BODY(MARK) BODY(EVAL) BODY(DRAW) BODY(DRAWS) BODY(CALLS_C) BODY(CALL_C) BOTH(FAIL) BODY(HOLD)               \
  BODY(PURE_HOLD) BODY(HOLDS) BODY(TURNS) BODY(SHARE) BODY(FIRE) BODY(RECORD) BODY(PROFILE) BODY(ASSERT)      \
  BODY(ORDER) BODY(QUICK) BODY(MEMBER) BODY(PAIR) BODY(PAIR_DIRECT) BODY(PAIR_HELD) BODY(PAIR_WAITS)          \
  BODY(NATIVE) BODY(NOTIFY) BODY(ALLOWED) BODY(PRESENT) BODY(VISITS) BODY(BRANCH) BODY(TARGET) BODY(PLACE)    \
  BODY(REQUEST) BODY(ENTER) BODY(START) BODY(ACQUIRE) BODY(RELEASE) BODY(SPAWN) BODY(UNSPAWN) BODY(RESUME)    \
  BODY(END)
/* clang-format on */

enum { FUNCTION_PARAMS = 12 }; /* of a function that is compiled, its component's indices with them */

enum operation {
#define OP(name) DO_##name,
  OPERATIONS(OP, OP, OP)
#undef OP
      OPERATION_COUNT
};

struct instruction {
  uint16_t op, a, b, c; /* a: result; b, c: operands; of calls b is 1 where there is a result */
  union {
    int64_t whole; /* how far it jumps, in bytes; a register, a shift, a component */
    double (*real1)(double);
    double (*real2)(double, double);
    bool (*whole_of)(double, int64_t *);
    const struct object *list;
    const struct symbol *symbol; /* SYMBOL: a param or let, loaded */
    void *site;
  };
  const void *here; /* where its loop does it */
};

struct operand { /* a register and what it holds */
  uint16_t reg;
  uint16_t slot; /* EVAL, REQUEST: the local or parameter that it is */
  enum type_kind kind;
};

/* Everything that must be known to have the walker evaluate an expression in the middle of a program. */
struct eval_site {
  struct expr *expr;
  const struct type *type;
  struct model_component *component;
  struct model_accept *caller, *target; /* target: of a coercion's block */
  bool analysis;
  bool calls_c;      /* in compiled code: what C has given there is kept for the walker */
  bool draws;        /* in compiled code, behind a DRAWS: what has been drawn is drawn again by the walker */
  struct span outer; /* the call that led here from the frame's own body; none: it is part of that */
  uint16_t instance, caller_instance, target_instance; /* registers */
  uint32_t slot_count, local_count;
  struct operand *locals;
  struct random_stream *stream; /* draws: from which this evaluation has drawn; NULL: it has not */
  uint64_t before;              /* so many numbers had come from there then */
};
struct allowed_site { /* ALLOWED: a value that is to be in its range */
  struct allowed *allowed;
  const struct name *name;
  const struct type *type;
  struct span span, outer; /* outer: as of an eval_site */
};
struct hold_site {
  uint32_t component;
  enum activity activity;
  bool spawned; /* on the clock of a process of its own */
  bool tested;  /* the place to go with what is not finite stands behind the instruction */
  int64_t next; /* to the next instruction, in bytes */
  struct deferred deferred;
  struct span span;
};
struct holds_site { /* HOLDS: for as long as has been found to be fine before */
  uint32_t count;
  struct held {
    uint16_t reg;
    bool fires; /* the hold is the first of a firing */
    enum activity activity;
    uint32_t component;
    struct deferred deferred;
  } * held;
  const struct span *spans; /* of each */
};
enum { TURNS_CHAIN = 8, TURNS_HELD = 16, TURNS_SUMS = 8 };
/* TURNS: at the begin of a turn, those that follow and are like the one before; not the last one, which code makes. */
struct turns_site {
  uint16_t variable, step, high; /* registers, as of NEXT_UP */
  uint16_t kept;                 /* the value that turns which are alike have */
  /* It is computed from the variable, one operation after the other, each with something that does not change: the
   * value of turns between two that have the same is that, too. */
  uint32_t chain_count;
  struct turns_link {
    uint16_t op, other; /* other: a register */
    bool behind;        /* the other operand comes first */
    int64_t whole;
  } chain[TURNS_CHAIN];
  uint32_t held_count, sum_count;
  struct turns_held {
    uint16_t reg;
    struct held *held; /* the same hold's in HOLDS */
  } held[TURNS_HELD];
  struct turns_sum { /* of a var, to which is added what does not change */
    uint16_t instance, more;
    struct record_site *site;
  } sums[TURNS_SUMS];
};
enum { DRAW_ARGUMENTS = 4, DRAWN_AHEAD = 8 };
struct draw_site {
  const struct object *distribution; /* NULL: made of `arguments` each time */
  enum distribution_kind kind;
  uint32_t count;
  uint16_t arguments[DRAW_ARGUMENTS];
  struct model_component *component;
  uint16_t instance;        /* whose stream */
  struct eval_site *within; /* it is part of that expression; NULL: it is all of its own */
  uint32_t of;              /* the last one, */
  uint64_t run;             /* in that run: */
  struct random_stream *stream;
  uint64_t streak; /* exponential ones that have followed each other there, the next of which has this number; */
  uint64_t next;
  uint64_t first; /* of the numbers of which they are computed ahead, of mean 1 */
  double units[DRAWN_AHEAD];
};
struct branch_site { /* BRANCH: of `one of` */
  const struct stmt *stmt;
  uint16_t *chances; /* registers, and room for what is in them */
  double *values;
  uint16_t instance; /* whose stream */
};
struct varying { /* an argument that is no constant */
  uint16_t place, reg;
};
struct native_site {
  struct wait wait; /* first */
  const struct psl_evaluator_function *function;
  uint32_t evaluator, count;
  bool answers_real;        /* QUICK */
  bool begins_pair;         /* NATIVE: the first call of one that is direct: processes mostly wait there if anywhere */
  struct psl_member member; /* MEMBER */
  uint16_t instance;        /* QUICK, MEMBER, NATIVE, NOTIFY: the register of the caller's */
  uint16_t arguments[EVALUATOR_ARGUMENTS];
  uint32_t valued; /* NATIVE: a bit for each argument that the function takes as a value, whose kinds these are */
  uint8_t kinds[EVALUATOR_ARGUMENTS];
  bool answers_value;                            /* and so is what it gives */
  union psl_argument given[EVALUATOR_ARGUMENTS]; /* NATIVE: of the last call; and which come from registers each time */
  struct varying renewed[EVALUATOR_ARGUMENTS];
  uint32_t renewed_count;
  struct eval_site *eval;
  /* PURE: the last call, which is often the next one too; and which arguments are no constants */
  uint16_t varying[EVALUATOR_ARGUMENTS];
  uint32_t varying_count;
  union psl_argument last[EVALUATOR_ARGUMENTS], result;
  uint16_t tested[EVALUATOR_ARGUMENTS]; /* real ones that may be infinite or undefined */
  uint32_t tested_count;
  union psl_argument *only; /* of `last`, where one alone is no constant: the instruction's B; or NULL */
  bool known;
};
/* PURE_HOLD: the PURE whose result the next instruction, a HOLD of a process itself that communicates, holds for. What
 * it is mostly called of stands here, with the result, for which the process has just been held there in the same run.
 */
struct pure_hold_site {
  int64_t of;
  uint64_t run; /* 0: for none */
  double seconds;
  struct native_site *pure;
  struct hold_site *hold;
  int64_t next; /* behind the HOLD, in bytes */
};
enum { PAIR_STEPS = 6, PAIR_LEFT = 8, PAIR_LENGTH = 2, AHEAD_LENGTH = 3 }; /* LENGTH: in instructions */
/* PAIR (pair.h): two calls of an evaluator as one, with what is done between them. Code that makes them one by one
 * follows, for all that is not as it mostly is; where to go on when both are made stands behind the instruction.
 *
 * PAIR_DIRECT, with nothing between the calls, or PAIR_HELD, with a hold of the process and one of another that is
 * spawned, stands where the code begins that mostly leads to a pair, if its C holds, and makes that where all is as it
 * mostly is; else that code follows. PAIR_WAITS behind it says where the first call is, in which the process may wait.
 */
struct pair_site {
  /* Looked at in each call: */
  uint64_t brief;           /* the run in which all is as it mostly is; 0: none */
  uint64_t made;            /* so often in this run, since its firings and known holds were counted */
  double own_hold;          /* brief: of the process itself between the calls, s; 0: there is none */
  double spawned_hold;      /* and then of the one that is spawned */
  const struct wait *first; /* of the first call */
  enum psl_status (*call)(void *, const void *, struct psl_call *, union psl_number, union psl_number, double);
  void *state, *prepared;               /* the evaluator's in this run, and what it has made of the arguments */
  uint16_t instance;                    /* register */
  uint16_t numbers[PSL_PAIR_ARGUMENTS]; /* registers of the first arguments */
  bool spawns, answers_real;            /* the second call */
  bool direct;                          /* nothing is computed, and no time goes by, between the two */
  const struct wait *second;
  const struct psl_call_pair *pair;
  struct pair_site *then; /* of PAIR_DIRECT and PAIR_HELD: the pair's own, behind a firing of this component */
  uint32_t component;
  uint32_t evaluator;
  /* The arguments behind those, of which those that are no constants come from registers before each call. */
  union psl_argument arguments[EVALUATOR_ARGUMENTS];
  uint32_t varying_count;
  struct varying varying[EVALUATOR_ARGUMENTS];
  /* Holds, first the process's own, then those on the clock of one that is spawned, which makes the second call; and
   * firings, each behind so many holds. */
  uint32_t hold_count, own_count, fire_count;
  struct pair_hold {
    uint16_t reg; /* for how long */
    enum activity activity;
    uint32_t component;
    double seconds; /* where all are known */
    struct deferred deferred;
  } holds[PAIR_STEPS];
  bool known;        /* each hold lasts as long each time */
  bool communicates; /* in each of them */
  struct pair_fire {
    uint32_t component, behind;
  } fires[PAIR_STEPS];
  uint16_t left[PAIR_LEFT]; /* registers that are not set; nobody reads them afterwards */
  uint32_t left_count;
  struct host_place *place; /* the first call's, in a run whose host's time is looked at; or NULL */
  uint64_t run;             /* the last one, and in that: */
  bool refused;             /* with these arguments, which are constants, each is called by itself, */
  bool deferring;           /* or what is between the calls is counted later */
  struct pair_site *next;   /* of the same executor */
};
struct c_site { /* CALL_C, behind a CALLS_C, which begins an expression that calls C */
  const struct foreign_function *function;
  uint32_t count;
  uint16_t arguments[FOREIGN_NUMBERS];
};
struct function_code;
struct call_site {                       /* CALL of a function of PSL */
  struct function_code *callee, *caller; /* caller NULL: a body */
  uint32_t count, saved_count;
  uint16_t arguments[FUNCTION_PARAMS];
  uint16_t *saved; /* registers of the caller that the call may change and that are read afterwards */
  /* CALL_OWN, CALL_OWN_2, of the function itself: where the arguments stand that choose the cell of its table, and
   * those that are not in their place */
  uint32_t where_count, moved_count;
  uint16_t where[3], from[FUNCTION_PARAMS], to[FUNCTION_PARAMS];
};
enum { ENTER_ARGUMENTS = 8 };
struct request_site {
  struct wait wait; /* first; component: the requester's */
  struct model_request *request;
  uint16_t instance; /* its register */
  struct model_accept *requester;
  bool communicates, analysis;
  uint16_t delay;
  bool has_delay;
  uint32_t argument_count, local_count, slot_count;
  struct operand *arguments;   /* slot: parameter of the transaction */
  struct operand *locals;      /* for late bindings */
  struct model_accept *accept; /* ENTER, START: of the one target, whose instance is in this register */
  uint16_t target;
};
struct acquire_site { /* ACQUIRE, RELEASE: a server for a body in line */
  struct wait wait;   /* first; component: the facility's */
  struct model_accept *accept;
  uint16_t instance;     /* its register */
  uint16_t asked, began; /* RELEASE: registers of when it was asked for, and there */
  uint64_t run;          /* in that run the instance `of` has it */
  struct facility *facility;
  uint32_t of;
};
struct target_site { /* a TABLE binding, whether a request exists, or an index of an instance */
  const uint32_t *targets;
  uint32_t first;                    /* of the requester's component */
  const struct instances *instances; /* instance to index number `count` */
  const uint8_t *present;
  uint32_t count;
};
enum { PLACE_INDICES = 4 };
struct
    place_site { /* PLACE: the instance with these indices; elsewhere where there is none, or it is the one that asks */
  const struct instances *instances; /* a box */
  uint32_t count;
  uint16_t indices[PLACE_INDICES];
};
struct record_site {
  const struct name *name;
  const struct type *type;
  struct model_component *component;
  struct model_accept *accept;
  uint16_t instance;
  uint32_t slot;
  bool real, tested; /* STORE, ADD_TO: of a real; as for HOLD */
  uint32_t next;
  uint64_t run; /* LOAD, STORE, ADD_TO: of the executor whose instance `of` has the var at `var` */
  struct kept *var;
  uint32_t of;
  const struct stmt *stmt;
  struct span span;
};
enum { SLOTS = 2u }; /* so many are copied at a time */
struct program {
  struct instruction *code;
  uint32_t size;
  union slot *registers;   /* first those that are saved in frames, then others, then constants */
  uint32_t inside;         /* of those that are saved so many stand in the frame; the others, alive at few places, in a
                            * block of their own, which the frame gets where they are */
  uint32_t saved, working; /* how many are saved, a multiple of SLOTS, as `inside` is; and are no constants */
  uint64_t runs;           /* so often have they been loaded for a frame */
  /* An instruction that leaves has in its C which. */
  struct restore {
    uint32_t place; /* where code begins that computes again what is not saved, ended by RESUME */
    uint32_t kept;  /* so many of those that are saved are read behind it, the others lost; a multiple of SLOTS */
  } * restores;
  uint32_t param_count;
  uint16_t *params;  /* register of parameter k, among the saved; UINT16_MAX: carries nothing */
  uint16_t instance; /* register that has the frame's instance */
  uint16_t result;   /* register of the result, of kind `result_kind`; has_result */
  enum type_kind result_kind;
  bool has_result;
  uint8_t *evaluators;        /* by evaluator: does it call functions of it */
  struct host_place **places; /* by instruction, in a run whose host's time is looked at; else NULL */
};

/* Code knows what communicates as it is compiled; who has requested its frame may do so as well. */
static inline bool communicates_in(const struct process *process, bool communicates) {
  return communicates || process->frame->communicates;
}
static inline enum activity activity_in(const struct process *process, enum activity activity) {
  return communicates_in(process, activity == ACTIVITY_COMMUNICATE) ? ACTIVITY_COMMUNICATE : activity;
}

/* The bits of the largest finite real; those of what is not finite are more. */
#define FINITE_BITS INT64_C(0x7fefffffffffffff)

/* By operation: where the loop of bodies does it, and that of functions; NULL: it does not. */
const void *const *vm_labels(void);
const void *const *function_labels(void);

/* Those that are saved stand behind the frame; then, where some are apart, where these are, NULL: nowhere yet. */
static inline union slot *frame_registers(struct frame *frame) { return (union slot *)(void *)(frame + 1); }
static inline union slot **frame_apart(const struct program *program, struct frame *frame) {
  return (union slot **)(void *)(frame_registers(frame) + program->inside);
}
static inline void apart_drop(struct executor *executor, struct frame *frame) {
  const struct program *program = frame->body->program;
  uint32_t count = program->saved - program->inside;
  if (count && *frame_apart(program, frame))
    slab_give(&executor->slabs, *frame_apart(program, frame), count * sizeof(union slot));
}
/* Copies the first ones, so many, from the frame, or to it. */
void registers_take(const struct program *program, struct frame *frame, union slot *registers, uint32_t count);
void registers_keep(struct executor *executor, const struct program *program, struct frame *frame,
                    const union slot *registers, uint32_t count);
union slot slot_of(struct value value);
struct value value_of_slot(enum type_kind kind, union slot slot);
/* Calls a pure function of an evaluator, unless the last call was the same; of the arguments in `last`. */
bool pure_call(struct native_site *site, const union slot *registers);
bool pure_renew(struct native_site *site);
/* The var that an instruction loads or stores. */
struct kept *site_var(struct executor *executor, struct record_site *site, uint32_t instance);
/* Has the walker evaluate; false after a stop. */
bool site_allowed(struct executor *executor, const struct allowed_site *site, union slot slot);
bool site_evaluate(struct executor *executor, struct process *process, struct eval_site *site,
                   const union slot *registers, struct value *out);
#endif
