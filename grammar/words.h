/* The words of the language: one table for the lexer, the help and completion of a session, and whoever makes names. */
#ifndef PSL_WORDS_H
#define PSL_WORDS_H
#include <stdbool.h>
#include <stddef.h>

enum word_class {
  WORD_RESERVED,  /* no name can be one */
  WORD_ANY_CASE,  /* nor one of these: Domain is the word domain */
  WORD_BY_PLACE,  /* a name where the grammar does not ask for the word */
  WORD_NAMED,     /* no token: a name that the check knows in its place */
  WORD_OF_SESSION /* the same, once a session has run something */
};
struct word {
  const char *text;
  int token; /* of psl.y */
  enum word_class class;
  bool never_unit;            /* behind a number it is the word, not a unit */
  const char *form, *meaning; /* for :help: how it is written, and a line on it */
};
extern const struct word psl_words[]; /* sorted, ended by text NULL */

/* The word that the lexer takes such letters for; NULL: none. */
const struct word *word_find(const char *text, size_t length);
/* Is it a word that no name can be? */
bool word_is_reserved(const char *text, size_t length);
bool word_is_by_place(int token);
#endif
