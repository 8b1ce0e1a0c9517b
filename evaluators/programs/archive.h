/* Archives in OTF2 are read and written by a program, psl-otf2, which is there where psl was built with libotf2. Who
 * wants that of psl says where the program is; a model cannot, whose archives are refused. */
#ifndef PSL_ARCHIVE_H
#define PSL_ARCHIVE_H
#include "evaluators/programs/import.h"

bool archive_is(const char *path);
/* It becomes a trace of PSL's, which has its path in `import`, or is a source. `program` is "" where there is none.
 * NULL: error. */
struct import *archive_import(const char *program, const char *path, struct program_error *error);
struct program_source *archive_open(const char *program, const char *path, struct program_error *error);
#endif
