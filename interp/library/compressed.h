/* Files that gzip has compressed. */
#ifndef PSL_COMPRESSED_H
#define PSL_COMPRESSED_H
#include "grammar/arena.h"

/* The text of such a file; NULL: it cannot be read, or zlib is not there. */
const char *compressed_text(struct arena *arena, const char *path, size_t *size);
#endif
