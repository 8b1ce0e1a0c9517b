/* What an instruction waits for, and what waits for it: registers by number, memory, and how long it takes. */
#ifndef PSL_DEPENDENCES_H
#define PSL_DEPENDENCES_H
#include "evaluators/programs/signature_format.h"
#include <stdbool.h>

enum { REGISTERS = 64, SOURCES_MOST = 8, TARGETS_MOST = 3 };

struct dependences {
  enum chain_step step;
  uint8_t times; /* so many steps of that kind; 0: it takes no time */
  uint8_t source_count, target_count, address_count;
  uint8_t sources[SOURCES_MOST], targets[TARGETS_MOST];
  uint8_t addresses[2]; /* registers that the place in memory is made of */
};

struct dependences dependences_of(const char *text);
#endif
