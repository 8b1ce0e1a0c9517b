/* Words of other languages, simulators and tools, and what is written here in their place. */
#ifndef PSL_HABITS_H
#define PSL_HABITS_H
#include <stddef.h>

/* Where such a word stands. */
enum habit_place {
  HABIT_TYPE,
  HABIT_UNIT,
  HABIT_VALUE,
  HABIT_DISCIPLINE,
  HABIT_COMPONENT, /* that another is to be like */
  HABIT_PARAM,     /* that a component is to have, made by `like` of another */
  HABIT_PROTOCOL,
  HABIT_ACCEPT, /* a clause of an accept */
  HABIT_STATEMENT,
  HABIT_PART, /* of a component, before a colon */
  HABIT_DECLARATION,
  HABIT_MACHINE,     /* a param of a machine of LogGP, */
  HABIT_DIMEMAS,     /* of Dimemas', */
  HABIT_LOGGOPS,     /* of LogGOPSim's */
  HABIT_INPUT,       /* at the prompt, where an input begins */
  HABIT_COLON,       /* there, behind a colon, besides those of inputs */
  HABIT_RESULT,      /* of a component, in a study */
  HABIT_CLAUSE,      /* of a request */
  HABIT_KEPT,        /* of a record */
  HABIT_CALL,        /* a transaction that nothing declares */
  HABIT_TRANSACTION, /* a call of MPI, its letters alone, where that has none of the name */
  HABIT_REQUEST,     /* of which an explanation is asked for */
  HABIT_STUDY,       /* a setting of a study */
  HABIT_SYSTEM,      /* a setting of a system */
  HABIT_CHOICE,      /* before a selector: of several targets, which */
  HABIT_USE,         /* what is taken in by `use` */
  HABIT_SOLVER,      /* an evaluation mode of a queueing network, or the word in its brackets */
};

/* What to write in place of the word, a line of help; NULL: nothing is known of it. */
const char *habit_help(enum habit_place place, const char *word, size_t length);
/* All that is known of it, wherever it may stand: what to write, and where, as "a unit"; how many, `most` at most. */
struct habit_use {
  const char *where, *help;
};
size_t habit_uses(const char *word, struct habit_use *uses, size_t most);
/* What is meant by a word, the unit `s` by `seconds`, and its length; the word itself where nothing is known of it. */
const char *habit_word(enum habit_place place, const char *word, size_t length, size_t *meant);
#endif
