/* A study as a database has it, ready to be shown: see psl_page. */
#ifndef PSL_DOCUMENT_H
#define PSL_DOCUMENT_H
#include "interp/report/page.h"
#include "interp/database/database.h"
#include "interp/study/plot_series.h"

struct document_figure { /* a param, then the columns */
  const char *name, *unit;
  bool shown;
  size_t half; /* the result of a run that is half its interval; STUDY_NONE: it has none */
  bool listed; /* in the table of points */
};
struct document_point {
  uint64_t number;
  struct picture_value *first;  /* by figure, of the first repetition */
  struct study_sample *samples; /* by figure */
  double *halves;               /* by figure, of the interval of an objective that is of means; NAN: none */
  double *each;                 /* by figure and repetition, where the document keeps them; NAN: none */
  struct study_sample makespans;
  double makespan;         /* of the first repetition; NAN: none */
  uint64_t seed;           /* of the first repetition */
  struct database_key key; /* the same: of all that its run depends on */
  uint64_t runs, failures;
  const char *error, *evidence;
  struct text warnings; /* of all runs, each once, a line each */
  bool best;            /* of an objective, or of one of its groups */
};
struct document_objective {
  const char *name;
  bool maximize, makespan; /* makespan: none was declared */
  bool conditional;
  bool of_ends;        /* of ends of intervals: it has none of its own */
  uint64_t *uncertain; /* points at which it is not certain whether its condition holds */
  size_t uncertain_count;
  uint32_t figure;                   /* of the declared one */
  const struct document_point *best; /* NULL: none is allowed */
  uint32_t *by;                      /* params, for each of whose values there is a best point */
  uint32_t by_count;
  struct document_group { /* in the order of their first points */
    const struct document_point *first, *best;
  } * groups;
  size_t group_count, group_capacity;
};

struct document_warning { /* those of a kind, whatever figures they name */
  const char *what;       /* of the first point that has it */
  size_t first, last;     /* places of points */
  size_t points;
};

struct document {
  struct psl *psl;
  struct arena arena;
  const char *database, *written; /* when: "2026-11-21 14:00 UTC" */
  struct database_study study;
  struct document_figure *figures;
  uint32_t figure_count, param_count;
  struct picture_figure *pictured; /* by figure */
  struct picture **pictures;
  const char *not_drawn; /* why the last plot that was not; NULL: all were */
  struct study_plot *plots;
  uint32_t plot_count;
  struct document_point *points;
  size_t point_count, point_capacity;
  uint64_t repetitions;
  size_t whole;                  /* points of which all repetitions are there */
  double wall;                   /* s, of all runs together */
  bool timing;                   /* that, and when it was written, is shown */
  bool each;                     /* values of each repetition are kept */
  struct psl_run_options run_as; /* how these were made */
  struct document_warning warnings[STUDY_SAID_MOST];
  size_t warning_count;
  struct document_warning timed; /* what --max-time has ended */
  struct document_objective *objectives;
  uint32_t objective_count;
  const struct document_point *chosen; /* NULL: there is none that could be shown */
  const struct psl_results *run;       /* of the chosen one; NULL: `no_run` says why not */
  const char *no_run;
  const struct psl_param *params; /* of the model as the chosen point is run; NULL: it is not there any more */
  size_t model_param_count;
};

/* Of several studies of a database, the name by which this one is meant. */
const char *document_study_name(const struct database_study *studies, size_t count, const struct database_study *study);
bool document_interrupted(const struct document *document);
/* All its repetitions are there. */
bool document_whole(const struct document *document, const struct document_point *point);
/* Of an objective at a point; NaN where its condition does not hold, or some repetition has none or has failed. */
double document_value(const struct document *document, const struct document_objective *objective,
                      const struct document_point *point);
/* Reads the study that the options name. Inside an entry, into document->arena; false after a diagnostic. */
bool document_read(struct document *document, const struct psl_page_options *options);
/* Writes the page; false: interrupted, and nothing is written. Inside an entry. */
bool document_write(struct document *document, psl_write *write, void *user);
#endif
