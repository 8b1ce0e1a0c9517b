/* What the files of the repository share: entries and what they are to a model. */
#ifndef PSL_REPOSITORY_MODEL_H
#define PSL_REPOSITORY_MODEL_H
#include "interp/database/repository.h"
#include "interp/library/handle.h"
#include "interp/resolve/resolve.h"

/* ---- entry_values.c: attributes as they are kept, and what a selector says of them ---- */

enum { PROFILE_OF_ENTRY = -1 };
struct attribute_list {
  struct arena *arena;
  struct repository_attribute *items;
  size_t count, capacity;
};
/* What stands for the transaction and the protocol of an accept among its attributes: no attribute is called so. */
#define ATTRIBUTE_TRANSACTION ":transaction"
#define ATTRIBUTE_PROTOCOL ":protocol"
void entry_add_attribute(struct attribute_list *list, struct resolver *r, int profile, const struct name *name,
                         const struct type *type, struct value value);
/* One that matches anything ("any"), or is not known before a run ("other"), as it is written. */
void entry_add_open(struct attribute_list *list, int profile, const char *name, const char *type, const char *shown);
void entry_add_text(struct attribute_list *list, int profile, const char *name, const char *text);
const struct repository_attribute *entry_attribute(const struct repository_entry *entry, int profile, const char *name);
/* How many profiles an entry has; one that has none is matched by what is known of it besides. */
int entry_profiles(const struct repository_entry *entry);
/* Does the selector hold for that profile of the entry? What it depends on that only a run knows is VERDICT_MAYBE. why:
 * what does not hold, "kind is tape, wanted disk; ..."; NULL: it is not wanted. *failed: how many clauses. */
enum verdict entry_verdict(struct resolver *r, const struct expr *selector, const struct repository_entry *entry,
                           int profile, struct text *why, uint32_t *failed);
/* Terms that the selector wants of attributes, for repository_each. */
void filter_terms(struct resolver *r, const struct expr *selector, struct repository_filter *filter,
                  struct arena *arena);
/* A resolver without a system, to evaluate what is the same for all instances of the loaded model. */
struct resolver *repository_resolver(struct psl *psl);

/* ---- query.c: what the command line says in the selector's language ---- */

struct query {
  struct resolver *r;
  const struct expr *selector;
};
/* Takes the place of the loaded model. `what` stands for the text in diagnostics; false after one. */
bool query_read(struct psl *psl, const char *what, const char *text, struct query *out);
/* The text names attributes and their values, a = v, b = w: as those of an entry. */
bool query_attributes(struct psl *psl, const char *what, const char *text, struct attribute_list *list);

/* ---- component_slice.c: a file of PSL with some of its components ---- */

struct slice_file {
  const char *path, *text;
  size_t size;
  const char **names; /* components that are wanted */
  uint32_t count;
};
/* The text without other components, systems and studies, each of its lines where it was: what is left out is blank.
 * What the wanted ones are like, or name, is left in. leave: declarations that the model has already are left out, too;
 * NULL: none. NULL after a diagnostic. */
const char *slice_text(struct arena *arena, const struct slice_file *file, const struct model *leave,
                       struct diagnostics *diagnostics);

/* ---- entries.c: what entries a file makes ---- */

struct entry_list {
  struct repository_entry *items;
  size_t count, capacity;
};
/* In psl->handed; false after a diagnostic. */
bool entries_of_file(struct psl *psl, const struct psl_db_add *add, struct entry_list *out);

/* ---- browse.c ---- */
/* The one entry that is meant: NAME or KIND/NAME; false after a diagnostic. */
bool entry_named(struct psl *psl, struct database *database, const char *name, bool whole,
                 struct repository_entry *entry);
#endif
