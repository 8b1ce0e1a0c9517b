/* The repository in a database: components and instances of them, static task graphs, descriptions of how tasks are
 * executed, knowledge, measurements and predictions; each under its kind and name, with profiles of attributes and
 * texts to be found by. psl-db(1) describes it.
 *
 * * What an entry is made of is written in one transaction: it is there whole, or not at all. The same content,
 * whichever entries have it, is kept once. Each row has a sum; an entry whose rows are not what was written is
 * `damaged`.
 *
 * * Functions that return false have said why as a diagnostic. */
#ifndef PSL_REPOSITORY_H
#define PSL_REPOSITORY_H
#include "interp/database/database.h"

struct repository_attribute {
  int profile;           /* of which accept, from 0; -1: of the entry */
  const char *name;      /* in lower case */
  const char *type;      /* term, number, string, bool; any: matches whatever is wanted; other: not known till a run */
  const char *value;     /* a term's head in lower case; else as PSL writes it */
  const char *qualifier; /* a term's, in lower case; NULL: none */
  double number;         /* in base units */
  const char *unit;      /* of it: s, byte/s, "" */
  const char *shown;     /* as PSL writes it */
};
struct repository_part {
  const char *name; /* by which a model uses it, interface.psl */
  const char *path; /* on the disk, where it is a file that was left there; NULL: it is kept here */
  struct database_key hash;
  const char *data; /* kept here; NULL: it is not */
  uint64_t size;
};
struct repository_entry {
  int64_t id; /* 0: not yet there */
  const char *kind, *name;
  const char *format;      /* of the content: psl, json, csv, text, trace, ... */
  const char *description; /* "": none */
  const char *origin;      /* the file that it came from */
  const char *details;     /* a JSON object: what is to be shown of it */
  const char *text;        /* that words are looked for in */
  const char *data;        /* the content */
  size_t size;
  struct database_key hash; /* of all of it; set by repository_put */
  const struct repository_attribute *attributes;
  size_t attribute_count;
  const struct repository_part *parts;
  size_t part_count;
  bool damaged;
};

enum repository_put {
  REPOSITORY_FAILED, /* it was said why */
  REPOSITORY_ADDED,
  REPOSITORY_SAME,     /* it is there already */
  REPOSITORY_REPLACED, /* another of its kind and name was there, */
  REPOSITORY_TAKEN,    /* and is left, since it was not to be replaced */
};
enum repository_put repository_put(struct database *database, struct repository_entry *entry, bool replace);
/* The entry of that name, and kind where it is not NULL; *count: how many there are. It lives in `arena`, with its
 * attributes and parts, and its content where `whole`. */
bool repository_find(struct database *database, struct arena *arena, const char *kind, const char *name, bool whole,
                     struct repository_entry *entry, size_t *count);
/* Its content, and its parts'. */
bool repository_read(struct database *database, struct arena *arena, struct repository_entry *entry);
bool repository_remove(struct database *database, const struct repository_entry *entry);

struct repository_filter { /* zero: all entries */
  const char *kinds;       /* blank-separated; NULL: all */
  const char *words;       /* a query of FTS5; NULL: none */
  struct repository_term { /* an attribute that has to have that value, or match anything */
    const char *name, *head;
  } terms[4];
  size_t term_count;
};
/* Calls back for each entry by kind and name, with its attributes and without content and parts; it lives for the call.
 * The callback may not use the database; false ends it. */
bool repository_each(struct database *database, const struct repository_filter *filter,
                     bool (*take)(void *user, struct repository_entry *entry), void *user);
#endif
