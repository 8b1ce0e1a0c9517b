/* Columns that have no value at some points since they name an objective whose condition does not hold there, directly
 * or by other columns. */
#include "interp/study/study.h"
#include "grammar/children.h"

struct study_lacking { /* of a column */
  uint64_t points;     /* at which it has no value for that */
  uint32_t of;         /* the objective, at the first of them */
};

static bool names(const struct expr *expr, void *user) {
  const uint32_t *slot = user;
  const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->name.symbol : NULL;
  return (symbol && symbol->kind == SYMBOL_LOCAL && symbol->slot == *slot) || expr_any_child(expr, names, user);
}

/* The objective whose condition leaves the column without a value at the point that is set; STUDY_NONE: none does. */
static uint32_t lacks(struct study_plan *plan, const struct study_cell *cells, uint32_t c, const uint32_t *lacked) {
  struct value value;
  for (uint32_t k = 0; k < plan->column_count; k++) {
    uint32_t slot = plan->columns[k].slot;
    bool none = k != c && slot != (uint32_t)STUDY_NONE && cells[k].value.kind == VALUE_NONE;
    if (!none || !names(plan->columns[c].value, &slot)) continue;
    if (k < c && lacked[k] != (uint32_t)STUDY_NONE) return lacked[k];
    study_column_open(plan, &plan->columns[k], &value);
    if (plan->columns[k].condition && !study_column_close(plan, &plan->columns[k], &value)) return k;
  }
  return (uint32_t)STUDY_NONE;
}

void study_lacking_add(struct study_summary *summary, const struct study_line *line) {
  struct study_plan *plan = summary->plan;
  bool any = false;
  for (uint32_t c = 0; c < plan->column_count; c++)
    any |= plan->columns[c].condition && line->cells[c].value.kind == VALUE_NONE;
  if (!any || line->failures) return;
  if (!summary->lacking) summary->lacking = ARENA_ARRAY(&plan->psl->handed, struct study_lacking, plan->column_count);
  uint32_t *lacked = ARENA_ARRAY(&plan->psl->work, uint32_t, plan->column_count);
  for (uint32_t c = 0; c < plan->column_count; c++) {
    bool none = line->cells[c].value.kind == VALUE_NONE;
    lacked[c] = none ? lacks(plan, line->cells, c, lacked) : (uint32_t)STUDY_NONE;
    if (lacked[c] != (uint32_t)STUDY_NONE && !summary->lacking[c].points++) summary->lacking[c].of = lacked[c];
  }
}

void study_lacking_note(const struct study_summary *summary) {
  const struct study_plan *plan = summary->plan;
  for (uint32_t c = 0; summary->lacking && c < plan->column_count; c++) {
    unsigned long long points = summary->lacking[c].points;
    if (!points) continue;
    diagnostic_add(&plan->psl->diagnostics, SEVERITY_NOTE, plan->columns[c].value->span,
                   "'%s' has no value at %llu of %llu points: it is of '%s', whose condition does not hold there",
                   plan->columns[c].name, points, (unsigned long long)summary->points,
                   plan->columns[summary->lacking[c].of].name);
  }
}
