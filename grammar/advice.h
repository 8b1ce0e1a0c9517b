/* A syntax error as it is worded: what could have stood in place of what was found. */
#ifndef PSL_ADVICE_H
#define PSL_ADVICE_H
#include "grammar/parse.h"

enum group { OTHER, TYPE, EXPRESSION, OPERATOR, DECLARATION, STATEMENT, ITEM, FIT_ITEM, GROUPS };
struct expectation {
  const char *words[128]; /* without quotes */
  size_t count;
  bool groups[GROUPS];
};

/* The error in hand: what was found, and what could stand there. */
struct found {
  struct parse *p;
  const struct expectation *all;
  struct span span;
  const char *text;
  size_t length;
  struct span *meant; /* what the help is about, where it is not what was found */
};

/* The clauses of a request, in their order. */
extern const char clauses_in_order[];
bool is_expected(const struct expectation *e, const char *word);
bool on_new_line(const struct parse *p, struct span span); /* is it not on that of the token before? */
/* Where what is no clause of a request stands; NULL: nobody knows. */
const char *place_of_clause(struct parse *p, const char *word);
bool is_all(const char *word, size_t length); /* what other languages have for `every` */
/* `study NAME of SYSTEM {`, or what else begins with the word, stands before the innermost brace. */
bool is_in(const struct parse *p, const char *word);
/* Adds the help that is known of the error; false: none is. */
bool add_advice(struct parse *p, const struct expectation *all, struct span span);
/* What of it is said where a reserved word stands for a name; NULL: nothing. */
const char *reserved_advice(const struct found *found);
#endif
