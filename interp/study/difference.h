/* What makes two models, or two settings of one, differ: the changes between them, models in between that
 * have some of the changes, and each change's share of the difference. */
#ifndef PSL_DIFFERENCE_H
#define PSL_DIFFERENCE_H
#include "interp/library/handle.h"

enum { DIFFERENCE_SHAPLEY = 8, DIFFERENCE_MOST = 60 };

/* One declaration or setting that the sides do not have alike. */
struct change {
  const char *kind, *name; /* param, component, coercion, setting, ... */
  const char *text[2];     /* a setting or a param's value, else a place; NULL: none */
  bool setting;
  uint32_t file;     /* a declaration: among the changed files */
  uint32_t place[2]; /* in its file, by side; UINT32_MAX: it is not there */
};

/* A file of the first side and its counterpart. */
struct changed_file {
  const char *identity; /* of the first side's */
  const struct file *file[2];
  uint32_t count[2]; /* of declarations */
  const struct decl **decls[2];
  const char **keys[2], **texts[2]; /* what a declaration is called, and how it reads */
};

struct changes {
  struct arena *arena;
  struct psl *sides[2]; /* both loaded, with their settings */
  struct changed_file *files;
  uint32_t file_count, file_capacity;
  struct change *items;
  uint32_t count, capacity;
};
/* Finds the changes; the rest of the struct is set. */
void changes_find(struct changes *changes);
/* The files of the model that has the changes of the mask, in the place of the first side's: into `out`,
 * whose arena is open. */
void changes_texts(const struct changes *changes, uint64_t mask, struct text_cache *out);

/* ---- shares ---- */

struct difference_group { /* changes that hold only together */
  uint64_t mask;
  double share, alone; /* s; alone: of this group where it is the only one, NaN in order */
};
struct difference_pair {
  uint32_t a, b;
  double together; /* s: what the two do beyond what each does */
};
struct difference {
  const struct changes *changes;
  const char *models[2], *systems[2];
  double time[2];           /* s */
  struct psl_share mean[2]; /* over processes: where it goes */
  bool ordered; /* too many for all of their subsets: each share is what the change does after those before it
                 */
  struct difference_group *groups;
  uint32_t group_count;
  struct difference_pair *pairs;
  uint32_t pair_count;
  uint64_t runs;
};

struct report;
void report_difference(struct report *report, const struct difference *difference);
#endif
