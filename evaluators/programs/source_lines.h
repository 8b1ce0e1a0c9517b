/* Lines of sources, of addresses in the files of programs and libraries, as their compiler has noted them; by binutils'
 * addr2line, a process a file. It is for programs that somebody has asked to run: no trace starts a process. */
#ifndef PSL_SOURCE_LINES_H
#define PSL_SOURCE_LINES_H
#include "evaluators/programs/operations.h"

struct source_lines;
struct source_lines *source_lines_open(void); /* NULL: there is no memory */
/* The site with its line and function as far as they are known; it lives as long as `lines`. */
const struct program_site *source_lines_find(struct source_lines *lines, const struct program_site *site);
/* An operation gets its site so, and one that enters a region its place and, where it has none, its name. */
void source_lines_locate(struct source_lines *lines, struct program_operation *operation);
void source_lines_close(struct source_lines *lines); /* NULL is fine */
#endif
