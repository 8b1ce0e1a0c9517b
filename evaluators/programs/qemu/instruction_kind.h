/* What an instruction does, by its text as Capstone's disassembler has it. */
#ifndef PSL_INSTRUCTION_KIND_H
#define PSL_INSTRUCTION_KIND_H
#include <stdbool.h>

struct instruction_kind {
  bool floating;       /* it adds, subtracts, multiplies, divides, takes a square root, the least or the greatest */
  unsigned operations; /* of these: one a lane, two where it multiplies and adds */
  bool branch;         /* behind it another instruction may be next than the one that follows */
};

struct instruction_kind instruction_kind_of(const char *text);
#endif
