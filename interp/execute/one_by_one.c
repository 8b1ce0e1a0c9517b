/* Accepts that take their tokens one by one since they say nothing of servers, though their bodies do nothing but ask
 * facilities: who means a process for each that comes has forgotten `servers = unlimited`, and is told. Called where
 * inboxes are made, by firings, and at the end of a run. */
#include "grammar/children.h"
#include "interp/check/check.h"
#include "interp/execute/executor.h"

static const double many = 0.1; /* part of those who came that waited: with less the figures are hardly others */

static bool asks_facility(const struct executor *executor, const struct model_request *request) {
  const struct binding *binding = &executor->graph->bindings[request->id];
  for (uint32_t i = 0; i < binding->candidate_count; i++)
    if (binding->candidates[i]->servers && !binding->candidates[i]->unlimited) return true;
  return false;
}

/* A component of the model's own with one accept and no state that firings could share. */
static bool is_plain(const struct executor *executor, const struct model_accept *accept) {
  const struct model_component *component = accept->component;
  return component->accept_count == 1 && !component->var_count && !component->dynamic_count &&
         model_owns(executor->model, component->symbol->file);
}

bool asks_one_by_one(struct executor *executor, struct model_accept *accept) {
  const struct model_component *component = accept->component;
  if (accept->servers || accept->unlimited || accept->firing_rule || !is_plain(executor, accept)) return false;
  if (body_of_accept(executor, accept)->implementing || block_has(accept->body, STMT_HOLD)) return false;
  for (uint32_t i = 0; i < component->request_count; i++) {
    const struct model_request *request = component->requests[i];
    bool calls = request->protocol == PROTOCOL_CALL_RETURN && accept_makes(accept, request);
    if (calls && asks_facility(executor, request)) return true;
  }
  return false;
}

void one_by_one_result(const struct executor *executor, struct run_result *result) {
  const struct inbox *inbox = executor->all_inboxes;
  if (!inbox) return;
  struct run_one_by_one *all = ARENA_ARRAY(executor->arena, struct run_one_by_one, executor->model->accept_count + 1);
  for (; inbox; inbox = inbox->next) {
    if (!inbox->one_by_one) continue;
    struct run_one_by_one *of = &all[inbox->accept->id];
    of->accept = inbox->accept;
    of->came += inbox->one_by_one->begun;
    of->late += inbox->one_by_one->late;
    of->waited += inbox->one_by_one->waited;
  }
  for (uint32_t i = 0; i < executor->model->accept_count; i++)
    if (all[i].waited > result->one_by_one.waited && (double)all[i].late >= many * (double)all[i].came)
      result->one_by_one = all[i];
}

void one_by_one_note(const struct model *model, const struct run_one_by_one *found) {
  struct diagnostics *d = model->diagnostics;
  if (!found->accept) return;
  diagnostic_add(d, SEVERITY_NOTE, found->accept->syntax->span,
                 "'%s' is one server: of %llu that came %llu waited here until it had done with the one before, "
                 "%.4g s on the mean, though its body holds nothing and only calls others",
                 found->accept->component->symbol->name->text, (unsigned long long)found->came,
                 (unsigned long long)found->late, found->waited / (double)found->came);
  diagnostic_help(d, (struct span){0, 0},
                  "where as many are there at once as come, write 'servers = unlimited;' in this accept; where one at "
                  "a time is meant, 'servers = 1;'");
}
