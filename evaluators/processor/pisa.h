/* PISA: what its parts share. */
#ifndef PSL_PROCESSOR_PISA_H
#define PSL_PROCESSOR_PISA_H
#include "evaluators/processor/host_files.h"
#include "evaluators/processor/instruction.h"

enum { PISA_HI = 32, PISA_LO }; /* behind the others */
enum {
  PISA_RESULT = 2,
  PISA_ARGUMENT = 4,
  PISA_FAILED = 7,
  PISA_GLOBAL = 28,
  PISA_STACK = 29,
  PISA_LINK = 31
}; /* by convention */

struct pisa_registers {
  uint32_t integer[34];
  union {
    uint32_t word[32];
    float single[32];
    double whole[16];
  } floating;
  bool condition;
};

struct pisa {
  struct program program;
  struct pisa_registers now, before; /* a wrong path */
  struct host_files files;
  uint32_t heap_end;
};

extern const struct front_end pisa_front_end;
/* A file in ECOFF, as front_end.load. */
bool pisa_load(struct program *, const uint8_t *file, size_t size, const char *const *arguments, char *error,
               size_t room);
uint64_t pisa_find(const uint8_t *file, size_t size, const char *name, bool *stripped);
void pisa_call(struct pisa *); /* of the system */
#endif
