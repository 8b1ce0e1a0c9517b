/* What makes two models, or two settings of one, differ: the changes between them, models in between that
 * have some of the changes, and each change's share of the difference. */
#ifndef PSL_DIFFERENCE_H
#define PSL_DIFFERENCE_H
#include "interp/report/report.h"
#include "interp/study/study.h"

enum { DIFFERENCE_SHAPLEY = 8, DIFFERENCE_MOST = 60 };

/* One declaration or setting that the sides do not have alike. */
struct change {
  const char *kind, *name; /* param, component, coercion, setting, ... */
  const char *text[2];     /* a setting or a param's value, else a place; NULL: none */
  bool setting;
  const char *given; /* of a choice: its declaration in a component made like the first side's; NULL: none of it */
  uint32_t chosen;   /* of a choice: among its pairs */
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

/* What a setting chooses of components that are made alike, by side. */
struct chosen_pair {
  const struct model_component *first; /* that all of them are made of */
  struct model_component *sides[2];
};

/* A setting that chooses components; the changes that are `given` stand in its place. */
struct choice {
  const char *param;     /* NULL: there is none */
  const char *text[2];   /* what it is set to; NULL: as declared */
  const char *attribute; /* by which they are chosen */
  struct chosen_pair *pairs;
  uint32_t pair_count;
  bool forced; /* none or all of the changes are made in the first side's, too */
};

struct changes {
  struct arena *arena;
  struct psl *sides[2]; /* both loaded, with their settings */
  struct changed_file *files;
  uint32_t file_count, file_capacity;
  struct change *items;
  uint32_t count, capacity;
  struct choice choice;
  struct change *whole; /* the items, where the choice is one of them */
  uint32_t whole_count;
};
/* Finds the changes; the rest of the struct is set. */
void changes_find(struct changes *changes);
/* The files of the model that has the changes of the mask, in the place of the first side's: into `out`,
 * whose arena is open. */
void changes_texts(const struct changes *changes, uint64_t mask, struct text_cache *out);

/* ---- alternatives.c ---- */

/* Takes the first setting apart that chooses one of the components made alike, and puts it together again. */
bool alternatives_find(struct changes *changes);
void alternatives_drop(struct changes *changes);
/* What the choice is set to in the model of the mask; its text into `out`, where it is another than the file's. */
const char *alternatives_text(const struct changes *changes, uint64_t mask, struct text_cache *out);

/* ---- shares ---- */

struct difference_group { /* changes that hold only together */
  uint64_t mask;
  struct study_mean share, alone; /* s; alone: of this group where it is the only one, NaN in order */
};
struct difference_pair {
  uint32_t a, b;
  struct study_mean together; /* s: what the two do beyond what each does */
};
struct difference_figure {                    /* of what the runs report, but the predicted time */
  const char *table, *name, *quantity, *unit; /* as formats of lines have it; name "": of the whole */
  enum figure figure;
  uint64_t runs[2]; /* of the side that have it; the means are of these */
  struct study_mean mean[2], change;
  double low[2], high[2]; /* NaN: there is no interval */
  double apart;           /* |B - A| over the greater of both; NaN: one side lacks it, or it is infinite in both */
  uint32_t order;         /* in the report of a run */
};
struct difference {
  const struct changes *changes;
  const char *models[2], *systems[2];
  uint64_t repetitions;
  double time[2];          /* s, over repetitions the mean */
  double *times[2];        /* by repetition, s */
  struct study_mean whole; /* s: B less A; those of one seed are pairs */
  bool drawn[2];           /* random numbers were drawn */
  bool uncertain[2];       /* ranges take part: these are its bounds */
  double low[2], high[2];
  const char *too_short[2];          /* why the time is known to be; NULL: it is not */
  struct psl_share mean[2];          /* over processes: where it goes */
  const char *untimed[2];            /* why there is no predicted time, and so no shares; NULL: there is one */
  struct difference_figure *figures; /* those that differ most first */
  uint32_t figure_count;
  bool ordered; /* too many for all of their subsets: each share is what the change does after those before it
                 */
  struct difference_group *groups;
  uint32_t group_count;
  struct difference_pair *pairs;
  uint32_t pair_count;
  uint64_t runs;
};

/* ---- difference_figures.c ---- */

struct figures_met {
  struct arena *arena; /* of what is kept */
  struct figure_met *met;
  uint32_t count, capacity;
};
/* Takes down what a run reports; `scratch` is used up. */
void figures_take(struct figures_met *figures, int side, uint64_t repetition, const struct results *run,
                  struct arena *scratch);
/* Sets figures and figure_count. */
void figures_compare(struct figures_met *figures, struct difference *difference);

/* ---- difference_report.c ---- */

void report_difference(struct report *report, const struct difference *difference);
#endif
