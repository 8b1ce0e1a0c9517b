/* psl_write_params: the params of a model as a report, with what each may be where that is known. */
#include "interp/evaluate/evaluate.h"
#include "interp/library/handle.h"
#include "interp/report/report.h"
#include "interp/study/study.h"

struct params_given {
  struct params_listed listed;
  enum psl_format format;
  psl_write *write;
  void *user;
};

/* Is what was set in its range? Assertions are for a run. */
static bool settings_hold(struct psl *psl) {
  struct model *model = &psl->model;
  struct environment environment = {
      .model = model, .scratch = &psl->work, .locals = ARENA_ARRAY(&psl->work, struct value, model->slot_max + 1)};
  struct value value;
  bool hold = true;
  for (uint32_t i = 0; i < model->param_count; i++)
    if (model->params[i]->setting)
      hold &= evaluate_symbol(&environment, model->params[i], model->params[i]->span, &value);
  return hold;
}

static enum psl_code work_write_params(struct psl *psl, void *arguments) {
  const struct params_given *given = arguments;
  struct params_listed listed = given->listed;
  struct report report;
  psl->memory.breakable = true;
  if (!settings_hold(psl)) return PSL_WRONG;
  report_open(&report, given->format, psl->columns, &psl->work, given->write, given->user);
  listed.choices = ARENA_ARRAY(&psl->work, const char *, listed.count);
  for (size_t p = 0; p < listed.count && !report.renderer->people; p++)
    listed.choices[p] = study_choices(psl, psl->model.params[p]); /* psl_params has their order */
  report.single = format_is_lines(given->format);
  report_params(&report, &listed);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_write_params(struct psl *psl, const char *system, enum psl_format format, psl_write *write,
                               void *user) {
  struct params_given given = {.format = format, .write = write, .user = user};
  enum psl_code code = psl_params(psl, &given.listed.params, &given.listed.count);
  if (code == PSL_OK) code = psl_effects(psl, system, &given.listed.effects);
  return code == PSL_OK ? handle_enter(psl, work_write_params, &given) : code;
}
