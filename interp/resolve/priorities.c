/* Accepts that serve by priority, of whose calls none has one: then all are served in the order of coming, which a
 * model that says so hardly means. Called once the requests of a system are planned. */
#include "interp/check/check.h"
#include "interp/model/discipline.h"
#include "interp/resolve/resolve.h"

/* Does anybody who makes the request have a priority? */
static bool requester_has(const struct resolver *r, const struct model_request *request) {
  const struct name *priority = name_known(r->model->names, KNOWN_PRIORITY);
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    const struct model_accept *accept = r->model->accepts[k];
    if (r->accept_reached[accept->id] && accept_makes(accept, request) && accept_has(accept, priority)) return true;
  }
  return false;
}

static bool is_taker(const struct plan *plan, const struct model_accept *accept) {
  for (uint32_t k = 0; k < plan->count; k++)
    if (plan->candidates[k].accept == accept) return true;
  return false;
}

static bool some_call_has(const struct resolver *r, const struct model_accept *accept) {
  for (uint32_t k = 0; k < r->model->request_count; k++) {
    const struct model_request *request = r->model->requests[k];
    if (!r->plans[k] || !is_taker(r->plans[k], accept) || model_in_library(r->model, request->component->symbol->file))
      continue; /* the library's own components, whether they run or are for others to be like */
    if (request->transaction != accept->transaction) return true; /* a coercion says */
    if (accept->priority_at >= 0 && request->args[accept->param_of[accept->priority_at]]) return true;
    if (requester_has(r, request)) return true;
  }
  return false;
}

/* Where the discipline is said; of what is made like a component of the library, where that is made. */
static struct span place_of(const struct resolver *r, const struct model_accept *accept) {
  const struct accept *syntax = accept->syntax;
  uint32_t i = 0;
  while (!name_is(syntax->settings[i].name.name->folded, KNOWN_DISCIPLINE))
    i++;
  const struct span said = syntax->settings[i].value->span;
  const struct symbol *component = accept->component->symbol;
  return resolver_in_library(r, said) ? component->span : said;
}

static void warn(struct resolver *r, const struct model_accept *accept) {
  struct diagnostics *d = r->model->diagnostics;
  const char *word = name_known(r->model->names, KNOWN_PRIORITY)->text;
  diagnostic_add(d, SEVERITY_WARNING, place_of(r, accept),
                 "no call here has a priority: all are served alike, in the order of coming");
  if (accept->priority_at >= 0)
    diagnostic_help(d, (struct span){0},
                    "requests give '%s' an argument, or profiles of callers have such an attribute: "
                    "the greatest goes first",
                    word);
  else
    diagnostic_help(d, (struct span){0},
                    "give the transaction a parameter '%s', or profiles of callers such an attribute: "
                    "the greatest goes first",
                    word);
}

void priorities_check(struct resolver *r) {
  for (uint32_t k = 0; k < r->model->accept_count; k++) {
    const struct model_accept *accept = r->model->accepts[k];
    if (r->accept_reached[accept->id] && accept->servers && !resolver_in_library(r, accept->component->symbol->span) &&
        discipline_of(accept->discipline)->by_priority && !some_call_has(r, accept))
      warn(r, accept);
  }
}
