/* What each member gives and gets in collective operations with lists, for formats that have these sums alone: the
 * lists of one member are what the others give and get. */
#ifndef PSL_PROGRAM_SHARES_H
#define PSL_PROGRAM_SHARES_H
#include "evaluators/programs/operations.h"

struct shares { /* of a communicator */
  struct share {
    double gives, gets;
  } * items; /* of each member in each of its operations with lists */
  size_t capacity;
};
bool shares_are_of(enum program_kind kind);
/* The operation at that place, from 0, among those of the communicator, which has so many members. False: no memory. */
bool shares_note(struct shares *shares, uint32_t members, uint64_t place, uint32_t member, struct share share);
/* The operation gets its lists, in `room` for twice the members; it stays where these do not follow. `root`: which
 * member that is. */
void shares_give(const struct shares *shares, uint32_t members, uint64_t place, uint32_t member, uint32_t root,
                 struct program_operation *operation, double *room);
void shares_free(struct shares *shares);
#endif
