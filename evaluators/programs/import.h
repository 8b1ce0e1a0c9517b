/* Formats whose files are not in an order in which they could be read rank by rank: when one is opened it becomes a
 * trace of PSL's in a file without a name, which is read in its place. */
#ifndef PSL_IMPORT_H
#define PSL_IMPORT_H
#include "evaluators/programs/operations.h"

struct import;
/* NULL: error. For 0 ranks somebody else writes it. */
struct import *import_open(uint32_t ranks, struct program_error *error);
/* The next operation of a rank, and what a receive for any that it has started has got. */
bool import_put(struct import *import, uint32_t rank, const struct program_operation *operation,
                struct program_error *error);
void import_received(struct import *import, uint32_t rank, int64_t request, int32_t source, int32_t tag);
/* The same one for the same place. */
const struct program_site *import_site(struct import *import, const struct program_site *site);
void import_drop(struct import *import);              /* NULL is fine */
const char *import_path(const struct import *import); /* by which this process and those that it starts have it */
bool import_flush(struct import *import, struct program_error *error);
/* It has all; the source is of that kind, which has these functions. */
struct program_source *import_source(struct import *import, const struct program_source_kind *kind,
                                     struct program_error *error);
enum program_next imported_next(struct program_source *source, uint32_t rank, const struct program_answer *answer,
                                struct program_operation *operation, struct program_error *error);
void imported_place(const struct program_source *source, uint32_t rank, char *out, size_t size);
void imported_close(struct program_source *source);
#endif
