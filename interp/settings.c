/* What is said of settings before a system runs: a param that was set and cannot affect what the run gives.
 * Called by each entry of the library that runs. */
#include "grammar/text.h"
#include "interp/handle.h"
#include "interp/resolve/effects.h"

static bool any_set(const struct model *model) {
  for (uint32_t i = 0; i < model->param_count; i++)
    if (model->params[i]->setting) return true;
  return false;
}

static bool is_open(const struct effects_options *options, const struct symbol *param) {
  for (uint32_t i = 0; i < options->open_count; i++)
    if (options->open[i] == param) return true;
  return false;
}

static void note_setting(struct psl *psl, const struct model_component *system, const struct symbol *param,
                         enum effect effect) {
  struct text value = {.arena = &psl->work};
  const char *name = param->name->text, *of = effect == EFFECT_CHECK ? "the result of " : "";
  expr_format(&value, param->setting);
  diagnostic_add(
      &psl->diagnostics, SEVERITY_NOTE, param->span, "--set %s=%s has no effect on %ssystem %s: %s '%s'",
      name, value.data, of, system->symbol->name->text,
      effect == EFFECT_CHECK ? "only assertions and ranges read" : "nothing that it runs reads", name);
}

void handle_note_settings(struct psl *psl, struct model_component *system,
                          const struct effects_options *options) {
  const struct model *model = &psl->model;
  if (!any_set(model)) return;
  const enum effect *effects = effects_of(&psl->model, &psl->work, system, options);
  for (uint32_t i = 0; i < model->param_count; i++)
    if (model->params[i]->setting && effects[i] != EFFECT_RESULT && !is_open(options, model->params[i]))
      note_setting(psl, system, model->params[i], effects[i]);
  diagnostic_flush(&psl->diagnostics);
}
