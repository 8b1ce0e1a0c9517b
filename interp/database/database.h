/* The database: one SQLite file (WAL), tables `study`, `point` and `run`, and a view a study; psl-study(1) documents
 * them for those who query the file. Those of the repository are in repository.h.
 *
 * *   study  a declaration: what is varied, which columns are reported, of which model
 *   point  a point of a study: its number, the values of what is varied, its report columns; it names its run
 *   answer what evaluators have answered that takes long, by key: see interp/model/answers.h
 *   mean   of a point that is run several times the means of its columns, and their intervals
 *   run    what was computed, by key: a run is kept once, whichever studies have a point of it, with the params
 *          that were varied or set, though its study be replaced
 *
 * * So a study that was killed, has grown, or has got other columns finds its runs again by their keys. Rows are
 * written as they come, in transactions that are 50 ms old at most; a process that is killed loses no more than that.
 *
 * * Each row has a sum of what stands in it. Where it does not fit, the row is left out, with a warning, so that its
 * runs are made again; a file that is only read is refused.
 *
 * * A file that is no database of PSL's, is damaged, or is of another psl's format is refused and not touched. Two
 * processes may use one file; each waits up to 10 s for the other's transaction.
 *
 * * Functions that return false (database_open: NULL) have said why as a diagnostic; after a failed write all later
 * writes return false without another word. */
#ifndef PSL_DATABASE_H
#define PSL_DATABASE_H
#include "grammar/diagnostic.h"

struct database;

enum database_mode {
  DATABASE_READ,  /* the file must be there */
  DATABASE_WRITE, /* made where it is not there, whole from its first moment */
};
/* Opens a database in `arena`; it is closed, its last transaction committed, by database_close or when the
 * arena is. */
struct database *database_open(struct arena *arena, struct diagnostics *diagnostics, const char *path,
                               enum database_mode mode);
bool database_close(struct database *database); /* NULL is fine */

/* ---- keys ---- */

enum { DATABASE_KEY = 16 };
struct database_key { /* XXH3, 128 bits */
  unsigned char bytes[DATABASE_KEY];
};
/* The key of all these texts; where one ends and the next begins counts. NULL is a text of its own. */
struct database_key database_key(const char *const *texts, size_t count);
struct database_key database_key_bytes(const char *data, uint64_t size);
const char *database_key_text(struct arena *arena, const struct database_key *key); /* in hexadecimal digits */

/* ---- a study ---- */

struct database_column {
  const char *name, *unit; /* SI base units; "" for a number, a term, a text */
  const char *half;        /* of a report's: the result that is half its interval; NULL: one run has none */
  bool interval;           /* a run has one, or the mean of its repetitions */
};
struct database_study {
  int64_t id; /* set by database_declare */
  const char
      *replaced;    /* the params of the study whose place it takes, where it does not vary them all; set there, too */
  bool remembered;  /* the points of that study are, where model and params are the same; set there, too */
  bool is_new;      /* no study of its name, system and model file was there; set there, too */
  bool looked_up;   /* a point alone, and the study of several that has its name stays; set there, too */
  const char *name; /* as declared */
  const char *view; /* of this study, with a column a param and a report column; set by database_declare */
  const char *model, *system; /* the file as it was named, and the system's name */
  const char *version;        /* of psl */
  const char *declaration;    /* JSON object: all that a page about the study needs to know; of its members
                                 those that database_put_outcome
                                    adds are known here alone */
  uint64_t point_count;       /* points of the whole study; how many are there is what database_points gives */
  struct database_key model_key;
  const struct database_column *params, *columns, *results; /* of its points: what their arrays hold */
  size_t param_count, column_count, result_count;
  bool repeated;     /* each point is run several times */
  bool was_repeated; /* those of the study that it takes the place of were */
};
/* Begins a study or takes it up again. A study of the same name, system and model file takes the place of the
 * one before: where the two differ, the old one's points go, their runs stay. One point does not take the place of
 * several: it is looked up, and its runs alone are kept. */
bool database_declare(struct database *database, struct database_study *study);
/* How many points of the study whose place it took, where they are remembered, it does not have. */
uint64_t database_points_lost(struct database *database, const struct database_study *study);
/* The study has ended: JSON that is read as `outcome` and `uncertain` of its declaration, which has as `rows` how many
 * points and means there are then. */
bool database_put_outcome(struct database *database, const struct database_study *study, const char *outcome,
                          const char *uncertain);
/* Of a study that has ended, are there all points, means and runs? If not, a study that is taken up is warned of and
 * makes them again; one that is only read is refused. */
bool database_test_rows(struct database *database, const struct database_study *study, enum database_mode mode);
/* All studies, in the order of their declaration. NULL after an error. */
const struct database_study *database_studies(struct database *database, struct arena *arena, size_t *count);

/* ---- runs ---- */

struct database_run {
  struct database_key key;
  uint64_t seed;
  const char *status;    /* "ok", "failed", ...; "lost" (a worker died) is computed again by who comes next */
  const char *error;     /* NULL: none */
  const char *warnings;  /* a line each; NULL: none */
  const char *notes;     /* the same, as study_notes_of has them */
  const char *stop;      /* why it has ended; NULL: it was not begun */
  const char *evidence;  /* NULL: none */
  double wall;           /* s: what it cost */
  const double *results; /* as the study's `results` say; NaN: none */
};
/* The run of that key; its texts and results live in `arena`. false: there is none, or an error was said. */
bool database_find(struct database *database, const struct database_study *study, const struct database_key *key,
                   struct arena *arena, struct database_run *run);
/* Of a run that no point is of, or is of yet. */
bool database_put_run(struct database *database, const struct database_study *study, const struct database_run *run);

/* ---- points ---- */

struct database_point {
  uint64_t number; /* in the order of the study, from 0 */
  uint32_t repetition;
  const char *const *params;  /* by the study's params: each a JSON value in base units, 4 or "flash" */
  const char *const *columns; /* by the study's report columns: JSON values; null: none */
  const char *means;          /* of a point that is read: the JSON object of its mean; NULL: none */
  const char *settings;       /* params that are set besides, as members of a JSON object; NULL: none */
  struct database_run run;    /* to be put with the point; status NULL: that of its key is there, or is not known */
};
/* A point takes the place of the one of its number and repetition. */
bool database_put_point(struct database *database, const struct database_study *study,
                        const struct database_point *point);
struct database_mean {          /* of a point, over its repetitions */
  uint64_t number, repetitions; /* so many have succeeded */
  const char *error;            /* of the first that has not; NULL: all have */
  const char *const *columns;   /* as those of a point */
  const double *low, *high;     /* ends of the intervals, by column; NaN: none */
};
bool database_put_mean(struct database *database, const struct database_study *study, const struct database_mean *mean);
/* Calls back for each point in the order of numbers and repetitions; all of it lives for the call only. A
 * point whose run is not there has status NULL. The callback may not use the database; false ends it. */
bool database_points(struct database *database, const struct database_study *study,
                     bool (*take)(void *user, const struct database_point *point), void *user);

/* ---- answers of evaluators ---- */

bool database_put_answer(struct database *database, const struct database_key *key, double answer);
bool database_answers(struct database *database,
                      void (*take)(void *user, const struct database_key *key, double answer), void *user);

/* To be called every 50 ms or so: commits what is due. */
bool database_tick(struct database *database);
/* Commits all that was put. */
bool database_commit(struct database *database);
/* Takes back what was put since the last commit. */
void database_abandon(struct database *database);
#endif
