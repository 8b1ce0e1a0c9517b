/* What a front end and the model of time share: an instruction as the model of time sees it, and a program that
 * executes them one by one.
 *
 * A front end decodes instructions of its set and executes them; it knows nothing of time. The model of time knows
 * which registers an instruction reads and writes, what unit computes it, whether it goes to memory or elsewhere in
 * the program, and nothing of what it computes. */
#ifndef PSL_PROCESSOR_INSTRUCTION_H
#define PSL_PROCESSOR_INSTRUCTION_H
#include "evaluators/processor/space.h"

enum unit_class { /* what an instruction needs to be executed */
                  UNIT_NONE,
                  UNIT_INTEGER,
                  UNIT_MULTIPLY,
                  UNIT_DIVIDE,
                  UNIT_FLOAT_ADD,
                  UNIT_FLOAT_MULTIPLY,
                  UNIT_FLOAT_DIVIDE,
                  UNIT_FLOAT_ROOT,
                  UNIT_MEMORY,
                  UNIT_CLASSES
};

enum { /* flags */
       IS_LOAD = 1 << 0,
       IS_STORE = 1 << 1,
       IS_BRANCH = 1 << 2, /* it may go elsewhere than to what stands behind it, */
       IS_CONDITIONAL = 1 << 3,
       IS_DIRECT = 1 << 4, /* to a place that the instruction names, not a register, */
       IS_CALL = 1 << 5,
       IS_RETURN = 1 << 6,
       IS_TRAP = 1 << 7,  /* waits until all before it is done: a call of the system */
       IS_LONG = 1 << 8,  /* is issued before those that have waited longer */
       IS_IDLE = 1 << 9,  /* does nothing, and takes no place in the window */
       IS_JUMP = 1 << 10, /* counted as jr: to a register, without a link */
};
enum { REGISTERS = 72 }; /* that the model of time tells apart; 0 is none */

struct instruction {
  uint8_t operation; /* the front end's; 0: it is not decoded yet */
  uint8_t length;    /* bytes */
  uint8_t unit;
  uint8_t reads[3], writes[2]; /* of loads and stores reads[0] is what is stored, the others make the address */
  uint8_t a, b, c, mode;       /* the front end's, as is */
  uint16_t flags;
  int32_t immediate;
};

struct block_arguments { /* whole numbers, and reals, each kind in order */
  const double *numbers, *reals;
  size_t number_count, real_count;
};
enum { BLOCK_END = 8 };                        /* where a block returns to: no code stands there */
static const uint64_t no_address = UINT64_MAX; /* nor there, and nothing goes to it */

enum program_reach {
  REACHES_ALL,
  REACHES_NO_INPUT,
  REACHES_NOTHING
}; /* of the computer that runs it; but the memory */
enum { OUTSIDE_CALLS = 20480, OUTSIDE_CALLS_END = OUTSIDE_CALLS + 64 };
struct outside_call { /* as one of the system, but to somebody else */
  uint64_t number, arguments[6];
};

struct program;
struct front_end {
  const char *name;        /* of the instruction set */
  size_t size;             /* of its struct, which begins with a struct program */
  unsigned granule;        /* instructions stand at its multiples */
  struct instruction idle; /* stands for what is fetched where there is no code */
  bool (*knows)(const uint8_t *file, size_t size);
  /* A file as a program that starts with these arguments, ended by NULL; false after writing `error`. */
  bool (*load)(struct program *, const uint8_t *file, size_t size, const char *const *arguments, char *error,
               size_t room);
  void (*decode)(struct program *, uint64_t pc, struct instruction *out);
  /* Executes the instruction at program->pc: sets program->next where it goes elsewhere, `target`, `address`. */
  void (*execute)(struct program *, const struct instruction *);
  void (*save)(struct program *);    /* the registers, */
  void (*restore)(struct program *); /* which are again what they were */
  void (*close)(struct program *);
  /* The address of what has this name in the file; 0: nothing has, and that it is `stripped` if there are no names. */
  uint64_t (*find)(const uint8_t *file, size_t size, const char *name, bool *stripped);
  /* The program, which stands still, will go on with the code at `code`, called with these arguments, and halt behind
   * it. False: it cannot be given so many. */
  bool (*call)(struct program *, uint64_t code, const struct block_arguments *);
  void (*answer)(struct program *, uint64_t); /* gives the call at which it has halted a result; NULL: it makes none */
  /* From here on this program runs, from there on another one; NULL: all is in its struct. */
  void (*enter)(struct program *);
  void (*leave)(struct program *);
};

struct program {
  const struct front_end *front;
  struct space space;
  uint64_t code_begin, code_end;
  struct instruction *code; /* by (address - code_begin) / granule */
  uint64_t pc, next;
  uint64_t target;               /* of the direct branch that was executed */
  uint64_t address;              /* of the load or store that was executed */
  uint64_t data_begin, data_end; /* between which addresses go to the caches, on wrong paths too */
  uint64_t nanoseconds;          /* since the program has begun, as its clocks tell it */
  uint64_t stood_still;          /* of these, those in which it did not run */
  uint64_t cycles, instructions; /* that have passed, as its counters tell them */
  uint64_t stop;                 /* it halts before what stands at this address */
  enum program_reach reach;
  bool served;              /* whoever runs it answers calls from OUTSIDE_CALLS on: it halts at them */
  struct outside_call call; /* the one at which it has halted */
  bool speculative;         /* on a path that it will turn out not to take: nothing can go wrong there */
  bool halted;              /* it stands still, and would go on at `next` */
  bool ended;
  int status;      /* of its end */
  char fault[200]; /* what went wrong; "": nothing */
};

/* The program has gone wrong, unless it is on a wrong path. */
void program_fault(struct program *, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool program_runs(const struct program *p) { return !p->halted && !p->ended && !*p->fault; }

static inline bool program_has_code(const struct program *p, uint64_t pc) {
  return p->code_begin <= pc && pc < p->code_end && pc % p->front->granule == 0;
}

static inline const struct instruction *program_fetch(struct program *p, uint64_t pc) {
  struct instruction *instruction = &p->code[(pc - p->code_begin) / p->front->granule];
  if (!instruction->operation) p->front->decode(p, pc, instruction);
  return instruction;
}

/* Executes what stands at pc: program->next is what comes behind it. */
static inline void program_step(struct program *p, uint64_t pc, const struct instruction *instruction) {
  p->pc = pc;
  p->next = pc + instruction->length;
  p->front->execute(p, instruction);
  if (p->next == p->stop && !p->speculative) p->halted = true;
}

static inline void program_go_on(struct program *p) {
  p->pc = p->next;
  p->halted = false;
}

static inline void program_speculate(struct program *p) {
  p->speculative = true;
  p->front->save(p);
  space_speculate(&p->space);
}

static inline void program_recover(struct program *p) {
  p->speculative = false;
  p->front->restore(p);
  space_recover(&p->space);
}

/* A file as a program with its arguments (ended by NULL), in the state in which the system starts it. Where it reaches
 * nothing, there are no files for it, and what it writes is lost. NULL after writing `error`. */
struct program *program_open(const char *path, const char *const *arguments, enum program_reach, char *error,
                             size_t room);
bool program_is_known(const char *path); /* one of a front end? */
/* What computer an ELF file is for; NULL: it is none, or nobody knows. */
const char *elf_processor(const uint8_t *file, size_t size);
/* The address of what has this name in a program's file; 0 after writing `error`. */
uint64_t program_find(const char *path, const char *name, char *error, size_t room);
/* Executes instructions without looking at time, until the program halts, ends or goes wrong: at most so many. How
 * many were executed. */
uint64_t program_execute(struct program *, uint64_t most);
void program_close(struct program *);
#endif
