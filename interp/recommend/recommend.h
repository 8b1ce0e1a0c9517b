/* The recommender: which choices are good for a problem, learnt from cases.
 *
 * A study says by the roles of what it varies what a problem is and what is chosen (enum study_role). A *case* is a
 * point of it that has run: its *features*, which are what is varied and the columns that are made of params alone,
 * and its *figures*, the columns that name results. A *problem* is all that stands still while a choice is made. A
 * *candidate* is a point that may be chosen for a problem.
 *
 * cases.c makes the table of cases of runs, files and databases; design.c says which points are worth a run; learn.c
 * has figures predicted and rules found; choose.c ranks candidates; the reports are their own files. recommend.c is
 * the entry of psl.h. */
#ifndef PSL_RECOMMEND_H
#define PSL_RECOMMEND_H
#include "interp/recommend/forecaster.h"
#include "interp/recommend/learnt_rules.h"
#include "interp/report/report.h"
#include "interp/study/groups.h"
#include "interp/study/study.h"

struct recommend_feature {
  const char *name;
  enum study_role role;  /* of an axis; a column's is VARIED */
  uint32_t axis, column; /* STUDY_NONE: not that */
  const struct type *type;
  bool named;         /* its values are words: */
  const char **words; /* by number */
  uint32_t word_count;
};

struct recommend_figure {
  uint32_t column;
  struct forecaster *forecaster; /* NULL: too little is known of it */
};

struct recommend_cases {
  uint32_t count, capacity;
  struct recommend_case {
    double *x, *y;    /* by feature and figure; NaN: no figure */
    bool ran, fits;   /* fits: the objective's condition holds */
    uint32_t problem; /* number of its group */
    double *at;       /* as study_point.at */
  } * items;
  uint64_t failed; /* points that have no case, since their runs failed */
};

struct recommender {
  struct psl *psl;
  const struct psl_recommend_options *options;
  struct study_plan *plan; /* that is learnt from, then that of the query */
  struct recommend_feature *features;
  uint32_t feature_count;
  bool *named; /* by feature */
  struct recommend_figure *figures;
  uint32_t figure_count, goal; /* goal: the figure that is optimised */
  bool maximize, conditional;  /* conditional: it is optimised where a condition holds */
  struct study_lines *lines;
  struct recommend_cases cases;
  struct groups problems, met; /* met: cases, by their features */
  struct groups tried;         /* points that have run, by their places, also where they failed */
  bool queried;                /* the plan is the query's: what is run is kept though it was met before */
  struct forecaster *fits;     /* how likely the condition holds; NULL: it always did, or there is none */
  struct recommend_learnt {    /* what predictions and rules were made of */
    uint32_t cases, problems;
    uint64_t runs, known;
  } learnt;
  uint64_t runs, known, asked; /* made so far; of them those the database had; so many will be */
  struct recommend_rules rules;
  const char *first_error; /* of a run; NULL: none failed */
  uint64_t seed;           /* of what is drawn */
};

/* ---- recommend.c ---- */

/* What is of no problem: choices, and where a query leaves them open machines. */
static inline bool recommend_is_stated(const struct study_axis *axis) { return axis->role != ROLE_CHOICE; }
/* A number from 0 to below 1 by what was drawn before. */
double recommend_draw(struct recommender *r);

/* ---- cases.c ---- */

/* Finds features and figures in the plan; false after a diagnostic. */
bool cases_open(struct recommender *r);
/* The features of the point that is set. */
void cases_features(struct recommender *r, double *x);
/* Runs points, with all repetitions, and adds their cases. */
enum psl_code cases_run(struct recommender *r, const struct study_point *points, size_t count);
/* The study_deliver of such runs. */
bool cases_take(void *user, const struct study_point *point, const struct study_row *row);
/* Adds one whose problem is found here; of what is run, what was met before is left. */
void cases_add(struct recommender *r, struct recommend_case *item);
/* Puts all that are there in the order of their params' values, and of those that are the same leaves one: that
 * which was run, else that of the middle figure. What is learnt then depends on the cases alone, and not on where they
 * come from. */
void cases_settle(struct recommender *r);
/* Counts one that is no case, for what is wrong with it. */
void cases_leave(struct recommender *r, const char *error);
/* Adds those that the database has, so many at most. */
enum psl_code cases_of_database(struct recommender *r, uint64_t most);
/* The case's figure that is optimised as it counts, the less the better; infinite where it does not fit. */
double cases_cost(const struct recommender *r, const struct recommend_case *item);
/* By case: is it within the tolerance of the best that is known of its problem? */
bool *cases_good(const struct recommender *r);

/* ---- cases_file.c ---- */

/* Adds those of a file of CSV or JSON; false after a diagnostic. */
bool cases_of_file(struct recommender *r, const char *path);

/* ---- design.c ---- */

/* Places on the plan's free axes. */
struct recommend_candidates {
  uint32_t count;
  struct study_point *points;
  double *x;      /* by candidate and feature */
  bool sampled;   /* there are more */
  uint64_t *base; /* places that all of them have on axes that are not chosen */
};
/* All points for the problem of these places, or a sample of many. `chosen`: by axis. */
struct recommend_candidates design_candidates(struct recommender *r, const bool *chosen, const uint64_t *base);
/* Plans and runs until the budget is spent, and learns. */
enum psl_code design_run(struct recommender *r, uint64_t budget);
/* Problems that no case is of, so many or fewer: their candidates. */
uint32_t design_unseen(struct recommender *r, uint32_t count, struct recommend_candidates *out);

/* ---- learn.c ---- */

void learn_forecasters(struct recommender *r);
void learn_rules(struct recommender *r);

/* ---- choose.c ---- */

enum goal_holds { GOAL_SURE, GOAL_LIKELY, GOAL_UNLIKELY, GOAL_NOT };
struct recommend_choice {
  uint32_t candidate;
  struct prediction goal;
  double chance; /* that the objective's condition holds */
  double cost;   /* by which it is ranked */
  enum goal_holds holds;
  bool ran, fits, kept; /* verified: its run was done; its condition and goals hold; it keeps goals */
  double found;         /* NaN: no figure */
};
/* Ranks candidates, the best first. */
struct recommend_choice *choose_rank(struct recommender *r, const struct recommend_candidates *candidates);

/* Do all goals hold with these figures at the point that is set? */
bool choose_holds(struct recommender *r, const double *figures);

/* ---- reports ---- */

struct recommend_query {
  const struct recommend_candidates *candidates;
  struct recommend_choice *choices;
  uint32_t count;
  const char *out_of_reach; /* why rules do not reach; NULL: they do */
  const bool *chosen;       /* by axis */
  const bool *own;          /* by axis: it is as the model has it */
  const char *searched;     /* how, where rules did not reach; NULL: nothing was */
  uint64_t searched_runs;
};
void report_choices(struct recommender *r, const struct recommend_query *query, struct report *report);
void report_rules(struct recommender *r, struct report *report);
void report_cases(struct recommender *r, struct report *report);
/* How good what was learnt is. */
void report_quality(struct recommender *r, struct report *report);
/* `n > 4 and machine = SP2`; as a selector of the repository it is parted by commas. */
const char *report_rule(const struct recommender *r, const struct recommend_rule *rule, bool selector);
const char *report_advice(const struct recommender *r, const struct recommend_rule *rule);

/* A feature's value as people read it, and for programs. */
const char *recommend_value(const struct recommender *r, const struct recommend_feature *feature, double x);

/* ---- unseen.c ---- */
enum psl_code unseen_report(struct recommender *r, struct report *report);

/* ---- knowledge.c ---- */
/* Keeps the rules in the database, as knowledge of the study's name; false after a diagnostic. */
bool knowledge_keep(struct recommender *r, const char *database);
#endif
