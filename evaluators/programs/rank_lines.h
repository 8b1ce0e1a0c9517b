/* The lines of a text that is a trace, rank by rank, each read when it is asked for. One pass finds where each rank's
 * lines stand. Where those of several ranks are mixed, they are sorted by ranks into a temporary file first. */
#ifndef PSL_RANK_LINES_H
#define PSL_RANK_LINES_H
#include "evaluators/programs/operations.h"

#include <stdio.h>

enum { RANKS_MOST = 1 << 20 };

struct rank_lines;
/* Whose is the line? A rank; -1: nobody's; -2: it is wrong, and the error's text says how. */
typedef int64_t rank_of_line(void *state, const char *line, struct program_error *error);

/* Behind a line that was a rank's stands that text: how many bytes of it, in whole lines, are the same rank's without
 * being looked at one by one. Only where no ranks are mixed is it asked. */
typedef size_t lines_of_rank(void *state, const char *text, size_t size);

/* All lines of one file, or of several of which each is one rank's. `more` may be NULL. NULL: error. */
struct rank_lines *rank_lines_open(const char *path, rank_of_line *rank_of, lines_of_rank *more, void *state,
                                   struct program_error *error);
struct rank_lines *rank_lines_files(char **paths, uint32_t count, struct program_error *error); /* takes the paths */
uint32_t rank_lines_ranks(const struct rank_lines *lines);
/* The byte of the one file at which the rank's first line begins, before that is asked for; -1: it has none. */
int64_t rank_lines_begin(const struct rank_lines *lines, uint32_t rank);
/* The rank's next line, its end taken off, till the next one is asked for; NULL: there is none, or `error` is set. */
char *rank_lines_next(struct rank_lines *lines, uint32_t rank, struct program_error *error);
uint64_t rank_lines_number(const struct rank_lines *lines, uint32_t rank);                    /* of that line */
void rank_lines_place(const struct rank_lines *lines, uint32_t rank, char *out, size_t size); /* "file:12" */
/* The same of another line of the rank's. */
void rank_lines_place_of(const struct rank_lines *lines, uint32_t rank, uint64_t number, char *out, size_t size);
void rank_lines_close(struct rank_lines *lines); /* NULL is fine */

/* The first line of a file, its end taken off, and the file behind it; both are the caller's. NULL: error. */
char *file_head(const char *path, FILE **file, struct program_error *error);
const char *file_name(const char *path); /* without its folder */
/* Writes "file:line: " and the text that the error has. */
void error_at(struct program_error *error, const char *path, uint64_t line);

/* ---- words of a line ---- */
char *word_next(char **rest); /* parted by blanks; NULL: there are no more */
/* The number that the word is, wholly: false if it is none, or not within the bounds. */
bool word_integer(const char *word, int64_t least, int64_t most, int64_t *out);
bool word_amount(const char *word, double *out); /* finite, 0 or more */
#endif
