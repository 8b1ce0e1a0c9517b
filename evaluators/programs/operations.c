/* The table of the kinds of operations. */
#include "evaluators/programs/operations.h"

#include <string.h>

const struct program_kind_row program_kinds[PROGRAM_KINDS] = {
#define ROW(kind, name, fields) {name, fields},
#define COLLECTIVE_ROW(kind, name, fields) {name, (fields) | FIELD_COMMUNICATOR},
#define I_ROW(kind, name, fields) {"i" name, (fields) | FIELD_COMMUNICATOR | FIELD_REQUEST},
    PROGRAM_POINT_TO_POINT(ROW) PROGRAM_COLLECTIVES(COLLECTIVE_ROW) PROGRAM_COLLECTIVES(I_ROW) PROGRAM_OTHERS(ROW)};

int program_kind_named(const char *name) {
  for (int kind = 0; kind < PROGRAM_KINDS; kind++)
    if (strcmp(program_kinds[kind].name, name) == 0) return kind;
  return -1;
}
