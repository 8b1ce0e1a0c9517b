/* The fields of operations by name, for formats of traces that hold them as names with values. */
#ifndef PSL_PROGRAM_FIELDS_H
#define PSL_PROGRAM_FIELDS_H
#include "evaluators/programs/operations.h"

enum field_value {
  VALUE_INT32,
  VALUE_UINT32,
  VALUE_INT64,
  VALUE_KEY, /* of 64 bits */
  VALUE_REAL,
  VALUE_TEXT,
  VALUE_INT32S, /* lists */
  VALUE_INT64S,
  VALUE_REALS
};
struct program_field_row {
  const char *name;
  enum field_value value;
  unsigned kinds;         /* that have one of these have it, of enum program_field; 0: all have */
  bool optional;          /* what is not said is 0 */
  uint16_t place, length; /* in the operation: of the value, and of a list's length */
};
extern const struct program_field_row program_fields[];                                        /* ended by name NULL */
const struct program_field_row *program_field_named(const char *name, enum program_kind kind); /* NULL: none */

/* How many values there are to be said: of one that is no list 1, or 0. */
uint32_t program_field_count(const struct program_field_row *row, const struct program_operation *o);
double program_field_number(const struct program_field_row *row, const struct program_operation *o, uint32_t k);
uint64_t program_field_key(const struct program_field_row *row, const struct program_operation *o);
const char *program_field_text(const struct program_field_row *row, const struct program_operation *o);

/* The numbers of a list stay in `room`, of 8 bytes each, which lives as long as the operation. False: out of range. */
bool program_field_set(const struct program_field_row *row, struct program_operation *o, const double *values,
                       uint32_t count, void *room);
void program_field_set_key(const struct program_field_row *row, struct program_operation *o, uint64_t key);
void program_field_set_text(const struct program_field_row *row, struct program_operation *o, const char *text);
#endif
