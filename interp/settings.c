/* Params that cannot affect what a run gives: what is said of settings before a system runs, called by each entry of
 * the library that runs; and psl_effects. */
#include "grammar/text.h"
#include "interp/handle.h"
#include "interp/resolve/effects.h"
#include "interp/study/study.h"

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

/* ---- all params ---- */

struct effects_given {
  const char *system;
  const enum psl_effect **out;
};

static enum psl_effect effect_out(enum effect effect) {
  switch (effect) {
  case EFFECT_NONE: return PSL_EFFECT_NONE;
  case EFFECT_CHECK: return PSL_EFFECT_CHECK;
  case EFFECT_RESULT: break;
  }
  return PSL_EFFECT_RESULT;
}

/* Where nobody has named a system nothing is said of why there are no effects to be told. */
static enum psl_code work_effects(struct psl *psl, void *arguments) {
  const struct effects_given *given = arguments;
  struct study_catch caught;
  if (!handle_model(psl)) return PSL_MISUSE;
  if (!given->system) study_catch(&caught, psl);
  struct model_component *system = handle_system(psl, given->system);
  bool bound = system && model_bind(&psl->model);
  diagnostic_flush(&psl->diagnostics);
  if (!given->system) study_release(&caught);
  if (!bound) return given->system ? PSL_WRONG : PSL_OK;
  const struct effects_options options = {0};
  const enum effect *effects = effects_of(&psl->model, &psl->work, system, &options);
  enum psl_effect *out = ARENA_ARRAY(&psl->handed, enum psl_effect, psl->model.param_count + 1);
  for (uint32_t i = 0; i < psl->model.param_count; i++) out[i] = effect_out(effects[i]);
  *given->out = out;
  return PSL_OK;
}

enum psl_code psl_effects(struct psl *psl, const char *system, const enum psl_effect **effects) {
  *effects = NULL;
  return handle_enter(psl, work_effects, &(struct effects_given){system, effects});
}
