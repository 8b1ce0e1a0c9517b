/* Results that a study names and that none of its points has: of single instances (stage[7].wait) that are not there,
 * and of what does not come to such a figure. */
#include "interp/study/study.h"
#include "interp/resolve/resolve.h"

#include <string.h>

void study_absent_row(struct study_plan *plan, const struct study_row *row) {
  const struct model_study *study = plan->study;
  if (!study->use_count || row->status != STUDY_DONE) return;
  plan->solved |= study_notes_solved(plan, row);
  if (!plan->found) plan->found = ARENA_ARRAY(&plan->psl->handed, bool, study->use_count);
  for (uint32_t u = 0; u < study->use_count; u++)
    plan->found[u] |= !isnan(row->results[study->uses[u].result]);
}

static const char *instance_text(const struct graph *graph, uint32_t instance, struct arena *arena) {
  struct text text = {.arena = arena};
  graph_instance_print(&text, graph, instance);
  return text.data;
}

static bool is_there(const struct graph *graph, const struct instances *set, const char *name, struct arena *arena) {
  for (uint32_t i = 0; i < set->count; i++)
    if (!strcmp(instance_text(graph, set->first + i, arena), name)) return true;
  return false;
}

/* What is found of an instance is so of its component's other results. */
static bool was_found(const struct study_plan *plan, const char *instance) {
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = study_result(plan, plan->study->uses[u].result);
    if (plan->found[u] && result->instance && !strcmp(result->instance, instance)) return true;
  }
  return false;
}

static bool was_said(const struct study_plan *plan, uint32_t use, const char *instance) {
  for (uint32_t u = 0; u < use; u++) {
    const struct model_result *result = study_result(plan, plan->study->uses[u].result);
    if (result->instance && !strcmp(result->instance, instance)) return true;
  }
  return false;
}

static void say_absent(struct study_plan *plan, const struct graph *graph, struct span span,
                       const struct model_result *result) {
  struct arena *arena = &plan->psl->work;
  const struct instances *set = &graph->instances[result->component->id];
  const char *name = result->component->symbol->name->text;
  const char *first = set->count ? instance_text(graph, set->first, arena) : "";
  const char *known = arena_printf(arena, "no '%s'", name);
  if (set->count == 1) known = arena_printf(arena, "one '%s', %s", name, first);
  if (set->count > 1)
    known = arena_printf(arena, "%u of '%s', %s to %s", set->count, name, first,
                         instance_text(graph, set->first + set->count - 1, arena));
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_ERROR, span, "there is no '%s': the %s has %s", result->instance,
                 plan->size > 1 ? "last point" : "model", known);
}

/* The graph of the last point; NULL: it cannot be made, which that point has said. */
static const struct graph *last_graph(struct study_plan *plan) {
  struct handle_catch caught;
  handle_catch(&caught, plan->psl);
  const struct graph *graph =
      study_bind(plan) ? handle_resolve(plan->psl, plan->system, &(struct resolve_options){0}) : NULL;
  handle_release(&caught);
  return graph;
}

static bool refuse_instances(struct study_plan *plan) {
  bool fine = true;
  const struct graph *graph = NULL;
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct study_use *use = &plan->study->uses[u];
    const struct model_result *result = study_result(plan, use->result);
    if (!result->instance || was_found(plan, result->instance) || was_said(plan, u, result->instance)) continue;
    if (!graph) graph = last_graph(plan);
    if (!graph) return true;
    const struct instances *set = &graph->instances[result->component->id];
    if (is_there(graph, set, result->instance, &plan->psl->work)) continue; /* it has recorded nothing */
    say_absent(plan, graph, use->symbol->span, result);
    fine = false;
  }
  return fine;
}

/* What notes.c tells of a point is not said again. */
static bool is_told(const struct study_plan *plan, const struct model_result *result) {
  return (result->kind == RESULT_PERCENTILE && plan->solved) || result->kind == RESULT_MAKESPAN ||
         (result->instance && (result->kind == RESULT_SHARE || result->kind == RESULT_REST));
}

static bool has_servers(const struct model_component *component) {
  for (uint32_t a = 0; component && a < component->accept_count; a++)
    if (component->accepts[a]->servers) return true;
  return false;
}

/* Servers have percentiles and intervals in a queueing network, and no point was one. */
static void help_servers(struct study_plan *plan) {
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = study_result(plan, plan->study->uses[u].result);
    bool estimate = result->kind == RESULT_PERCENTILE || (result->half && !plan->solved);
    if (plan->found[u] || is_told(plan, result) || !estimate || !has_servers(result->component)) continue;
    diagnostic_help(&plan->psl->diagnostics, (struct span){0},
                    "servers have percentiles and intervals in a queueing network, whose customers say evaluation mode "
                    "= simulation[queueing]; elsewhere a caller can record what its call takes: let begin = clock; "
                    "call LABEL(...); record stay = clock - begin, quantiles [99 %%]");
    return;
  }
}

/* Of what has not come to its end there is no figure, and of what no body has come to. */
static void help_ends(struct study_plan *plan) {
  bool calls = false, records = false;
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct model_result *result = study_result(plan, plan->study->uses[u].result);
    if (plan->found[u] || is_told(plan, result)) continue;
    bool whole = strchr(result->name, '.') == strrchr(result->name, '.'); /* not of a class, which may be none */
    bool time = whole && (result->part == QUEUEING_RESPONSE || result->part == QUEUEING_WAITING);
    calls |= result->kind == RESULT_FACILITY && time && !result->half && !plan->solved;
    records |= result->kind == RESULT_RECORD && !result->half;
  }
  if (calls)
    diagnostic_help(&plan->psl->diagnostics, (struct span){0},
                    "the times of calls are of those that have ended, and none had: a body whose loop has no end "
                    "never answers");
  if (records)
    diagnostic_help(&plan->psl->diagnostics, (struct span){0}, "no body has come to the statement that records it");
}

static void note_empty(struct study_plan *plan) {
  struct text names = {.arena = &plan->psl->work};
  struct span first = {0};
  for (uint32_t u = 0; u < plan->study->use_count; u++) {
    const struct study_use *use = &plan->study->uses[u];
    const struct model_result *result = study_result(plan, use->result);
    if (plan->found[u] || is_told(plan, result)) continue;
    if (!names.size) first = use->symbol->span;
    text_printf(&names, "%s'%s'", names.size ? ", " : "", result->name);
  }
  if (!names.size) return;
  diagnostic_add(&plan->psl->diagnostics, SEVERITY_NOTE, first, "no point has %s", names.data);
  help_servers(plan);
  help_ends(plan);
}

bool study_absent_refuse(struct study_plan *plan) {
  if (!plan->found) return true;
  bool fine = refuse_instances(plan);
  if (fine && !plan->usual) note_empty(plan);
  return fine;
}
