/* The program psl-otf2, which makes an OTF2 archive of a trace of PSL's, and such a trace of an archive. It is a
 * process of its own, since libotf2 is there where somebody wants it, and may end by what an archive holds. */
#ifndef PSL_OTF2_H
#define PSL_OTF2_H
#include "evaluators/programs/fields.h"
#include <otf2/otf2.h>

/* Attributes of events by which psl knows its own archives: the fields of an operation, where it is called, and its
 * kind. Where none says a kind the archive is of another tool. */
static inline uint32_t attribute_of_site(void) {
  uint32_t count = 0;
  while (program_fields[count].name)
    count++;
  return count;
}
static inline uint32_t attribute_of_kind(void) { return attribute_of_site() + 1; }
#define ATTRIBUTE_PREFIX "PSL::"
#define ATTRIBUTE_SITE "at"
#define ATTRIBUTE_KIND "operation"

/* False with the error. */
bool archive_write(const char *trace, const char *archive, struct program_error *error);
bool archive_read(const char *archive, const char *trace, struct program_error *error);
#endif
