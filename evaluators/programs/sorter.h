/* Sorts more items than there is memory for: what does not fit is kept in temporary files, in sorted runs that are
 * merged. Items are all of one size; those that compare as equal come in any order. */
#ifndef PSL_SORTER_H
#define PSL_SORTER_H
#include <stdbool.h>
#include <stddef.h>

struct sorter;
typedef int sorter_compare(const void *left, const void *right);

enum { SORTER_MEMORY = 1 << 24 };
/* Of items of that size, with so many bytes for those that are not in a file yet. NULL: no memory. */
struct sorter *sorter_open(size_t size, size_t memory, sorter_compare *compare);
bool sorter_add(struct sorter *sorter, const void *item); /* false with errno, as what follows */
bool sorter_begin(struct sorter *sorter);                 /* there are no more: they come, from the first one on */
const void *sorter_next(struct sorter *sorter); /* till the next one is asked for; NULL: there is none, or errno */
bool sorter_failed(const struct sorter *sorter);
void sorter_close(struct sorter *sorter); /* NULL is fine */
#endif
