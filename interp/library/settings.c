/* Params that cannot affect what a run gives: what is said before a system runs of those that were set or are
 * varied, called by each entry of the library that runs; and psl_effects. */
#include "grammar/text.h"
#include "interp/library/handle.h"
#include "interp/resolve/effects.h"

#include <string.h>

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

static void note_useless(struct psl *psl, const struct model_component *system, const struct symbol *param,
                         enum effect effect, bool varied) {
  struct text what = {.arena = &psl->work};
  const char *name = param->name->text, *of = effect == EFFECT_CHECK ? "the result of " : "";
  if (varied) {
    text_printf(&what, "to vary '%s'", name);
  } else {
    const struct source *source = source_of(&psl->sources, param->setting->span.begin);
    bool option = source && strchr("-:", *source->path); /* --set NAME, :set NAME; else it is a line of a file */
    text_printf(&what, "%s=", option ? source->path : name);
    expr_format(&what, param->setting);
  }
  diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, param->span, "%s has no effect on %ssystem %s: %s '%s'", what.data,
                 of, system->symbol->name->text,
                 effect == EFFECT_CHECK ? "only assertions and ranges read" : "nothing that it runs reads", name);
}

void handle_note_settings(struct psl *psl, struct model_component *system, const struct effects_options *options) {
  const struct model *model = &psl->model;
  if (!any_set(model) && !options->open_count) return;
  const enum effect *effects = effects_of(&psl->model, &psl->work, system, options);
  for (uint32_t i = 0; i < model->param_count; i++) {
    bool varied = is_open(options, model->params[i]);
    if ((varied || model->params[i]->setting) && effects[i] != EFFECT_RESULT)
      note_useless(psl, system, model->params[i], effects[i], varied);
  }
  diagnostic_flush(&psl->diagnostics);
}

/* ---- components ---- */

/* It accepts nothing itself, is a part of another, it is one whose figures are chosen among, or it is there for who
 * uses its file. */
static bool has_purpose(const struct model *model, const struct model_component *component) {
  const struct source *file = component->symbol->file;
  if (component->system || component->outer || !component->accept_count || component->chosen) return true;
  return !model_owns(model, file) || model_in_library(model, file);
}

void handle_note_unreached(struct psl *psl, struct model_component *const *systems, size_t count) {
  struct model *model = &psl->model;
  bool *reached = ARENA_ARRAY(&psl->work, bool, model->component_count + 1);
  for (size_t i = 0; i < count; i++)
    effects_reached(model, &psl->work, systems[i], reached);
  bool *template = ARENA_ARRAY(&psl->work, bool, model->component_count + 1); /* others are made like it */
  for (uint32_t k = 0; k < model->component_count; k++)
    if (model->components[k]->like) template[model->components[k]->like->id] = true;
  for (uint32_t k = 0; count && k < model->component_count; k++) {
    const struct model_component *component = model->components[k];
    if (reached[k] || template[k] || has_purpose(model, component)) continue;
    diagnostic_add(&psl->diagnostics, SEVERITY_NOTE, component->symbol->span,
                   "no request reaches component '%s', whatever the params are", component->symbol->name->text);
  }
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
  struct handle_catch caught;
  if (!handle_model(psl)) return PSL_MISUSE;
  if (!given->system) handle_catch(&caught, psl);
  struct model_component *system = handle_system(psl, given->system);
  bool bound = system && model_bind(&psl->model);
  diagnostic_flush(&psl->diagnostics);
  if (!given->system) handle_release(&caught);
  if (!bound) return given->system ? PSL_WRONG : PSL_OK;
  const struct effects_options options = {0};
  const enum effect *effects = effects_of(&psl->model, &psl->work, system, &options);
  enum psl_effect *out = ARENA_ARRAY(&psl->handed, enum psl_effect, psl->model.param_count + 1);
  for (uint32_t i = 0; i < psl->model.param_count; i++)
    out[i] = effect_out(effects[i]);
  *given->out = out;
  return PSL_OK;
}

enum psl_code psl_effects(struct psl *psl, const char *system, const enum psl_effect **effects) {
  *effects = NULL;
  return handle_enter(psl, work_effects, &(struct effects_given){system, effects});
}
