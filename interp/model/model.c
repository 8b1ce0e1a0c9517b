/* What the model and a run say of themselves; all folders above read it. */
#include "interp/model/model.h"
#include "evaluators/registry.h"
#include "interp/model/run.h"

#include <string.h>
#include <strings.h>

struct expr *value_expr(const struct symbol *symbol) {
  if (symbol->setting) return symbol->setting;
  return symbol->preset ? symbol->preset->value.value : symbol->decl->value.value;
}

struct map model_shared_params(const struct model *model, struct arena *arena) {
  struct map seen = {0}, shared = {0};
  for (uint32_t i = 0; i < model->param_count; i++) {
    bool known, again;
    map_add(arena, &seen, map_key(model->params[i]->name), 1, &known);
    if (known) map_add(arena, &shared, map_key(model->params[i]->name), 1, &again);
  }
  return shared;
}

bool component_is_like(const struct model_component *component, const struct model_component *first) {
  for (component = component->like; component; component = component->like)
    if (component == first) return true;
  return false;
}

bool component_entered_again(const struct model_component *component) {
  for (uint32_t i = 0; i < component->accept_count; i++) {
    const struct model_accept *accept = component->accepts[i];
    if (accept->protocol != PROTOCOL_DATAFLOW || accept->servers || accept->unlimited) return true;
  }
  return false;
}

const char *const activity_names[STRETCHES] = {"compute",       "communicate", "wait",     "late sender",
                                               "late receiver", "collective",  "transfer", "contention",
                                               "starved",       "blocked"};

bool model_states(const struct model_component *component, const char *record) {
  for (int i = 0; component && component->states_time && i < ACTIVITIES; i++)
    if (!strcmp(activity_names[i], record)) return true;
  return false;
}

void run_failed_at(struct model *model, struct arena *arena, struct run_result *result, const char *where) {
  diagnostic_note(model->diagnostics, (struct span){0, 0}, "%s", where);
  result->stop_detail = result->stop_detail ? arena_printf(arena, "%s, %s", result->stop_detail, where) : where;
}

const double percentiles_usual[PERCENTILES_USUAL] = {0.5, 0.9, 0.95, 0.99};

bool accept_has(const struct model_accept *accept, const struct name *attribute) {
  for (uint32_t i = 0; i < accept->profile_count; i++)
    if (accept->profile[i].attribute->folded == attribute) return true;
  for (uint32_t i = 0; i < accept->component->index_count; i++)
    if (accept->component->indices[i]->name->folded == attribute) return true;
  return false;
}

static bool solves_networks(const struct psl_evaluator *evaluator) {
  for (const struct psl_evaluator_function *f = evaluator->functions; f->name; f++)
    if (f->kind == PSL_NETWORK) return true;
  return false;
}

const struct psl_evaluator *network_evaluator(const struct model *model, const char *name) {
  for (uint32_t i = 0; i < model->evaluator_count; i++) {
    const struct psl_evaluator *evaluator = model->evaluators[i]->evaluator;
    if (solves_networks(evaluator) && !strcasecmp(evaluator->name, name)) return evaluator;
  }
  for (size_t i = 0; psl_evaluators[i]; i++)
    if (solves_networks(psl_evaluators[i]) && !strcasecmp(psl_evaluators[i]->name, name)) return psl_evaluators[i];
  return NULL;
}

struct symbol *queueing_param(const struct model *model, const char *name) {
  for (uint32_t i = 0; i < model->param_count; i++) {
    struct symbol *param = model->params[i];
    if (strcmp(param->name->text, name) == 0 &&
        source_is(source_place(model->sources, param->span.begin).source, "stdlib/queueing.psl"))
      return param;
  }
  return NULL;
}

bool queueing_controls(const struct model *model, const struct symbol *param) {
  static const char *const names[] = {"half-width", "confidence", "replications", "warm-up", "limit", "longest"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(param->name->text, names[i]) == 0 && queueing_param(model, names[i]) == param) return true;
  return false;
}

const char *simulated_by(struct arena *arena, const struct model_component *component) {
  for (uint32_t a = 0; component && a < component->accept_count; a++)
    for (uint32_t k = 0; k < component->accepts[a]->profile_count; k++) {
      const struct model_profile *attribute = &component->accepts[a]->profile[k];
      const struct symbol *param = attribute->value ? expr_symbol(attribute->value) : NULL;
      if (name_is(attribute->attribute, KNOWN_EVALUATION_MODE) && param && param->kind == SYMBOL_PARAM)
        return arena_printf(arena, "--set '%s=simulation[queueing]'", param->name->text);
    }
  return "evaluation mode = simulation[queueing]";
}

const char *quantile_name(struct arena *arena, double part) {
  char *name = arena_printf(arena, "p%.10g", 100 * part);
  for (char *at = name; *at; at++)
    if (*at == '.' || *at == '-') *at = '_';
  return name;
}

const char *stop_text(enum stop stop) {
  switch (stop) {
  case STOP_END: return "end of the model";
  case STOP_DEADLOCK: return "deadlock";
  case STOP_MAX_FIRINGS: return "limit of firings";
  case STOP_MAX_TIME: return "limit of virtual time";
  case STOP_LIVELOCK: return "livelock";
  case STOP_DEPTH: return "calls nest too deep";
  case STOP_MEMORY: return "limit of memory";
  case STOP_INTERRUPT: return "interrupted";
  case STOP_ERROR: return "error";
  case STOP_ASSERT: return "assertion failed";
  case STOP_STEADY: return "steady state";
  case STOP_UNSTEADY: return "limit";
  case STOP_NARROW: return "means known as well as wished";
  }
  return "";
}
