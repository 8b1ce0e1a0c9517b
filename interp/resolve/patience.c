/* Calls with patience to accepts where every call begins at once: none would ever leave, which a model that says how
 * long they wait hardly means. Called once the requests of a system are planned. */
#include "interp/check/check.h"
#include "interp/model/discipline.h"
#include "interp/resolve/resolve.h"

static bool begins_at_once(const struct model_accept *accept) {
  if (accept->firing_rule) return false;
  return !accept->servers || accept->unlimited || discipline_of(accept->discipline)->shares;
}

static void warn(struct resolver *r, const struct model_request *request, const struct model_accept *accept) {
  struct diagnostics *d = r->model->diagnostics;
  const char *name = accept->component->symbol->name->text;
  if (!accept->servers || accept->unlimited) {
    diagnostic_add(d, SEVERITY_WARNING, request->patience->span,
                   "'%s' serves any number at once: no call waits there, and this patience never ends", name);
  } else {
    diagnostic_add(d, SEVERITY_WARNING, request->patience->span,
                   "every call of '%s' begins at once by its discipline, %s, and is interrupted or slowed then: this "
                   "patience never ends",
                   name, discipline_of(accept->discipline)->name);
    diagnostic_help(
        d, (struct span){0},
        "discipline = fcfs or priority lets calls wait; `first of { call %s() { } hold TIME { } }` ends one "
        "that has begun",
        request->label->name->text);
  }
}

void patience_check(struct resolver *r) {
  for (uint32_t k = 0; k < r->model->request_count; k++) {
    const struct model_request *request = r->model->requests[k];
    const struct plan *plan = r->plans[k];
    if (!request->patience || !plan || !plan->count || resolver_in_library(r, request->patience->span)) continue;
    uint32_t at_once = 0;
    while (at_once < plan->count && begins_at_once(plan->candidates[at_once].accept))
      at_once++;
    if (at_once == plan->count) warn(r, request, plan->candidates[0].accept);
  }
}
