/* What an instruction does, by its text as QEMU's disassemblers have it. */
#ifndef PSL_INSTRUCTION_KIND_H
#define PSL_INSTRUCTION_KIND_H
#include <stdbool.h>

enum instruction_set { X86_64, ARM_64, RISC_V_64 };

struct instruction_kind {
  bool floating;       /* it adds, subtracts, multiplies, divides, takes a square root, the least or the greatest */
  unsigned operations; /* of these: one a lane, two where it multiplies and adds */
  bool branch;         /* behind it another instruction may be next than the one that follows */
  bool conditional;    /* or that one; told apart of x86 alone */
  bool vector;         /* its registers, or its first one, are those of floating point and of vectors */
};

struct instruction_kind instruction_kind_of(enum instruction_set set, const char *text);
#endif
