/* RISC-V, RV64GC with the calls of Linux: what its parts share. */
#ifndef PSL_PROCESSOR_RISCV_H
#define PSL_PROCESSOR_RISCV_H
#include "evaluators/processor/host_files.h"
#include "evaluators/processor/instruction.h"

enum riscv_operation {
  RISCV_NONE,
#define RISCV(name, unit, flags) RISCV_##name,
#include "evaluators/processor/riscv.def"
  RISCV_UNKNOWN
};
enum { MODE_IMMEDIATE = 1 }; /* the second operand is the immediate */

struct riscv_registers {
  uint64_t integer[32];
  uint64_t floating[32]; /* a float has ones above it */
  uint8_t rounding;      /* the mode of instructions that name none */
  bool reserved;         /* there is a reservation, */
  uint64_t reservation;  /* of this address */
};

struct riscv {
  struct program program;
  struct riscv_registers now, before; /* a wrong path */
  bool flags_kept;                    /* the flags of floating point, when it began, */
  int flags;                          /* are these */
  uint64_t flags_between;             /* what they are while it does not run */
  struct host_files files;
  uint64_t heap_begin, heap_end, next_mapping, random;
  uint64_t mask; /* of modes of files that it makes */
};

extern const struct front_end riscv_front_end;
void riscv_decode(struct program *, uint64_t pc, struct instruction *out);
/* What is done to registers of floating point. */
void riscv_float(struct riscv *, const struct instruction *);
uint64_t riscv_flags(void); /* of floating point, as fflags has them */
void riscv_set_flags(uint64_t flags);
bool riscv_load(struct program *, const uint8_t *file, size_t size, const char *const *arguments, char *error,
                size_t room);
bool riscv_knows(const uint8_t *file, size_t size);
uint64_t riscv_find(const uint8_t *file, size_t size, const char *name, bool *stripped);
void riscv_call(struct riscv *); /* of Linux */
#endif
