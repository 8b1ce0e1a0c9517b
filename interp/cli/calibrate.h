/* What the files of psl calibrate share: runs of a program with timers, runs of its model, and what comes of both. */
#ifndef PSL_CLI_CALIBRATE_H
#define PSL_CLI_CALIBRATE_H
#include "interp/cli/cli.h"
#include "interp/compile/calibration.h"

#define COUNTED "counted-" /* components that take nests, by the nest's name */

struct words {
  const char **items;
  size_t count, capacity;
};
/* Runs of the largest size that leave less of the caches to the program: as so many times as much data would. */
enum { SHARES = 5 }; /* the first one leaves all but the nearest cache */
struct cache_share {
  double times;
  size_t taken; /* of memory that is read before a nest; 0: no such run */
};
struct timed { /* a nest, or a branch */
  const char *name, *place;
  struct nest_shape *figures; /* by run; of a nest */
  bool begins;                /* the model knows its first entry */
  double first;               /* what that takes more, in terms of its work */
  double *shares;             /* by share and repetition: what all entries take; of a nest */
  double *taken, *passes;     /* by run; of a branch */
  struct nest_fit fit;
  double chance;
};
struct argument_param {
  const char *name;
  size_t number; /* of the argument; 0: it is read */
};
struct measured_range { /* of a param by which the work of an entry into a nest goes */
  const char *name;
  double low, high;
};
struct calibration {
  const char *text; /* of the model */
  size_t size;
  const char *source;   /* as the model names it */
  const char *folder;   /* that the program writes into */
  const char *counting; /* the program that counts branches, if there is one */
  struct calibrated_run {
    const char *text;      /* arguments */
    const char *name;      /* the same, and what it reads */
    const char *input;     /* a file; NULL: nothing */
    struct words with;     /* params of the model, NAME=VALUE */
    struct words settings; /* the same, and those that are arguments: all that the run says of params */
    bool foretold;         /* by the model alone: the program is not run */
    double pages;          /* of memory that were touched first, by all ranks */
  } * runs;
  size_t run_count, fitted_count, repetitions;
  struct cache_share shares[SHARES];
  size_t largest; /* of the runs that are fitted, by its pages */
  double page;    /* what touching a page of memory first takes, s */
  struct timed *nests, *branches;
  size_t nest_count, nest_capacity, branch_count, branch_capacity;
  struct argument_param *arguments;
  size_t argument_count, argument_capacity;
  struct words read; /* params that the program reads in */
  struct measured_range *ranges;
  size_t range_count, range_capacity;
  struct psl *psl;
};

/* ---- calibrate_runs.c ---- */
struct words words_of(struct cli *cli, const char *text); /* parted by blanks */
/* False after an error, all of them. */
/* What the model says of its params, and what the runs say of them: refused are runs that are all one to the model. */
bool runs_told_apart(struct cli *cli, struct calibration *of);
/* Each repetition has all runs, and the largest one with less of the caches: a computer is slower now and then. */
bool timed_runs(struct cli *cli, struct calibration *of);
bool model_open(struct cli *cli, struct calibration *of); /* its nests are counted, with factors of 1 */
/* times: by nest, what it takes. Chances and factors are those that are set. */
bool model_run(struct cli *cli, struct calibration *of, size_t run, double *times);

/* By which params the work of an entry goes, and where they were: by runs of the model with twice as much, which has
 * factors of 1. */
bool model_ranges(struct cli *cli, struct calibration *of);

#endif
