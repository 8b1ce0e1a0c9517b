/* What of the studies of a file is wrong can be known before they are run: what they vary over, and which values no
 * point can have. Called through psl_check_studies. */
#include "interp/study/study.h"
#include "interp/evaluate/evaluate.h"

enum {
  POINTS_AT_MOST = 1000, /* are tried of a study */
  STUDIES_AT_MOST = 100
};

/* Does the point run into what is wrong with a param or an assertion of the model? Then it is said in `caught`.
 * *wanted: `where` leaves some point in. */
static bool fails(struct study_plan *plan, const struct study_point *point, struct handle_catch *caught, bool *wanted) {
  bool undecided, in;
  arena_reset(&plan->psl->work);
  handle_catch(caught, plan->psl);
  if (model_forget_warned(&plan->psl->model)) plan->set_when = 0;
  study_set(plan, point);
  in = study_wanted(plan, &undecided);
  bool failed = in && (undecided || !study_bind(plan));
  *wanted |= in;
  handle_release(caught);
  return failed;
}

/* Of a large study the first points alone are tried, and the last one along each axis. */
static void try_points(struct study_plan *plan) {
  struct psl *psl = plan->psl;
  uint64_t count = plan->size < POINTS_AT_MOST ? plan->size : POINTS_AT_MOST;
  struct study_point point = {.at = ARENA_ARRAY(&psl->handed, double, plan->free_count)};
  struct handle_catch caught;
  bool failed = false, wanted = false;
  for (uint64_t number = 0; !failed && number < count; number++) {
    study_point_at(plan, number, &point);
    failed = fails(plan, &point, &caught, &wanted);
  }
  if (!wanted && count == plan->size && plan->where_count)
    diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, plan->wheres[0]->condition->span, STUDY_NO_POINT);
  for (uint32_t a = 0; !failed && count < plan->size && a < plan->axis_count; a++) {
    const struct study_axis *axis = &plan->axes[a];
    if (axis->tied) continue;
    study_point_at(plan, 0, &point);
    point.at[axis->place] = study_axis_at(axis, axis->count - 1);
    failed = fails(plan, &point, &caught, &wanted);
  }
  if (failed) {
    const char *place = study_place(plan, &point);
    diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, plan->study->decl->name.span,
                   "points of study '%s' fail, first at %s: %s", plan->study->decl->name.name->text, place,
                   *caught.error ? caught.error : "a condition cannot be computed");
    diagnostic_help(&psl->diagnostics, (struct span){0},
                    "a study leaves points out by 'where CONDITION;', and the others are run all the same");
  }
  study_restore(plan);
}

static enum psl_code work_check_studies(struct psl *psl, void *arguments) {
  bool fine = true;
  uint32_t count = 0;
  (void)arguments;
  psl->memory.breakable = true;
  if (!handle_model(psl)) return PSL_MISUSE;
  if (!model_refresh(&psl->model)) return PSL_WRONG;
  for (uint32_t i = 0; i < psl->model.study_count && count < STUDIES_AT_MOST; i++) {
    const struct symbol *study = psl->model.studies[i]->decl->symbol;
    if (!model_owns(&psl->model, study->file)) continue;
    count++;
    arena_close(&psl->handed); /* it is the plan's */
    struct study_plan *plan = study_plan_make(psl, study->name->text, &(struct psl_study_options){0});
    if (plan) try_points(plan);
    diagnostic_flush(&psl->diagnostics);
    fine &= plan != NULL;
  }
  return fine ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_check_studies(struct psl *psl) { return handle_enter(psl, work_check_studies, NULL); }
