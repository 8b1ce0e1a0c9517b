/* The database of a plan: keys of its runs, what of them is there already, what is to be kept. */
#ifndef PSL_STORE_H
#define PSL_STORE_H
#include "interp/database/database.h"
#include "interp/study/study.h"

/* Opens the database at `path` for the plan and declares its study there; false after a diagnostic. */
bool store_open(struct study_plan *plan, const char *path);
/* Opens the database, which is there, to be asked store_has and no more; false after a diagnostic. */
bool store_look(struct study_plan *plan, const char *path);
void store_look_away(struct study_plan *plan);
/* Has it the run of the point? Sets and binds that. */
bool store_has(struct study_plan *plan, const struct study_point *point);
/* Closes it, all committed; false after a diagnostic, of now or before. */
bool store_close(struct study_plan *plan);
/* The key of the run of a point: of the model without its studies, the evaluators, the values of all params
 * there, what stands in the files that these name, and the seed. The point is set and bound. */
struct database_key store_key(struct study_plan *plan, const struct study_point *point);
/* Is there a file that the model names and may not read? Then it has another key than where it may. */
bool store_model_refused(struct psl *psl);
/* The key of the model without its studies, of evaluators and options: of plan->psl, system and run. */
struct database_key store_model_key(const struct study_plan *plan);
/* The row of that key, whose texts live till the next call; false: there is none. */
bool store_find(struct study_plan *plan, const struct study_point *point, const struct database_key *key,
                struct study_row *row);
/* Keeps the run of a row. held: until store_point or store_let_go, which is before the row's texts and results end. */
void store_keep(struct study_plan *plan, const struct database_key *key, uint64_t seed, const struct study_row *row,
                bool held);
/* Keeps a run that is still held. */
void store_let_go(struct study_plan *plan);
/* Keeps the point of a row, with its params' values and its columns as JSON values. */
void store_point(struct study_plan *plan, const struct study_point *point, const struct study_row *row,
                 const char *const *params, const char *const *columns);
/* Keeps the means of a point, which is set, over its repetitions. */
void store_means(struct study_plan *plan, const struct study_line *line);
/* Keeps that the study has ended, and as JSON its assertions, and where it is not certain whether conditions hold. */
void store_outcome(struct study_plan *plan, const char *outcome, const char *uncertain);
/* All its points are there: says whether the study whose place it took had others. */
void store_note_lost(struct study_plan *plan);
/* Calls back for each point that the database has of the study, by its number in the enumeration; false: ends it. The
 * callback may not use the database. false after a diagnostic. */
bool store_points(struct study_plan *plan, bool (*take)(void *user, uint64_t number), void *user);
void store_tick(struct study_plan *plan);
#endif
