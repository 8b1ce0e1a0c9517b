/* psl_simulate: a program runs on a simulated processor, and what that has counted becomes a report. */
#include "evaluators/processor/instruction.h"
#include "evaluators/processor/processor.h"
#include "interp/library/handle.h"
#include "interp/report/report.h"

#include <string.h>

enum { FIGURES = 200 };
static const struct span nowhere = {0, 0};

struct simulation {
  struct psl *psl;
  const struct psl_simulation_options *options;
  int *status;
  psl_write *write;
  void *user;

  struct parameters parameters;
  struct program *program;
  struct processor *processor;
  struct processor_figure figures[FIGURES];
  size_t figure_count;
};

static bool fail(struct simulation *s, const char *text) {
  diagnostic_add(&s->psl->diagnostics, SEVERITY_ERROR, nowhere, "%s", text);
  return false;
}

/* ---- parameters ---- */

static void suggest(struct simulation *s, const char *name) {
  const char *names[FIGURES];
  size_t count = 0;
  for (const char *known; count < FIGURES && (known = parameter_name(count)); count++) {
    if (!strcmp(known, name)) return;
    names[count] = known;
  }
  const char *nearest = psl_nearest(name, names, count);
  if (nearest) diagnostic_help(&s->psl->diagnostics, nowhere, "did you mean '%s'?", nearest);
}

static bool set_parameters(struct simulation *s) {
  char error[400];
  parameters_default(&s->parameters);
  for (size_t i = 0; i < s->options->setting_count; i++) {
    const struct psl_simulation_setting *setting = &s->options->settings[i];
    if (parameters_set(&s->parameters, setting->name, setting->value, error, sizeof error)) continue;
    fail(s, error);
    suggest(s, setting->name);
    return false;
  }
  return parameters_check(&s->parameters, error, sizeof error) || fail(s, error);
}

/* ---- the report ---- */

static void keep_figure(void *user, const struct processor_figure *figure) {
  struct simulation *s = user;
  if (s->figure_count < FIGURES) s->figures[s->figure_count++] = *figure;
}

static struct report_cell cell_of(const struct processor_figure *figure) {
  return figure->counts ? cell_count((uint64_t)figure->value) : cell_real(figure->value);
}

static void put_facts(struct simulation *s, struct report *report) {
  double seconds = 0;
  report_fact(report, &(struct report_fact){"program", "program"}, cell_word(s->options->words[0]));
  report_fact(report, &(struct report_fact){"instruction_set", NULL, ", of "}, cell_word(s->program->front->name));
  for (size_t f = 0; f < s->figure_count; f++) {
    const struct processor_figure *figure = &s->figures[f];
    if (figure->place != FIGURE_OF_RUN) continue;
    struct report_fact fact = {figure->name, figure->meaning, NULL, figure->counts ? FIGURE_COUNT : FIGURE_NUMBER};
    report_fact(report, &fact, cell_of(figure));
    if (!strcmp(figure->name, "sim_cycle")) seconds = figure->value / s->parameters.clock;
  }
  report_fact(report, &(struct report_fact){"time", "time", NULL, FIGURE_TIME, "s"}, cell_real(seconds));
}

/* Figures of one place are a table: a row for each thing that has them, and a column for each of its figures. */
static void put_table(struct simulation *s, struct report *report, enum figure_place place, const char *key,
                      const char *title) {
  struct report_column columns[FIGURES] = {{"name", "", .names = true}};
  struct report_cell cells[FIGURES];
  struct report_section section = {.key = key, .title = title, .columns = columns, .column_count = 1};
  const char *first = NULL, *row = NULL;
  size_t count = 0;
  for (size_t f = 0; f < s->figure_count; f++) {
    const struct processor_figure *figure = &s->figures[f];
    if (figure->place != place) continue;
    if (!first) first = figure->of;
    if (first == figure->of)
      columns[section.column_count++] =
          (struct report_column){figure->name, figure->meaning, figure->counts ? FIGURE_COUNT : FIGURE_NUMBER,
                                 .audience = figure->meaning ? FOR_ALL : FOR_PROGRAMS};
  }
  if (!first) return;
  report_section(report, &section);
  for (size_t f = 0; f <= s->figure_count; f++) {
    const struct processor_figure *figure = f < s->figure_count ? &s->figures[f] : NULL;
    if (figure && figure->place != place) continue;
    if (row && (!figure || figure->of != row)) report_row(report, cells);
    if (!figure) break;
    if (figure->of != row) cells[0] = cell_word(figure->of), count = 1;
    row = figure->of;
    cells[count++] = cell_of(figure);
  }
  report_end(report);
}

static void put_report(struct simulation *s) {
  struct report report;
  report_open(&report, s->options->format, s->psl->columns, &s->psl->work, s->write, s->user);
  put_facts(s, &report);
  put_table(s, &report, FIGURE_OF_CACHES, "caches", "caches");
  put_table(s, &report, FIGURE_OF_PREDICTOR, "predictors", "branches");
  put_table(s, &report, FIGURE_OF_QUEUES, "queues", "queues, mean number of instructions");
  report_close(&report);
}

/* ---- the run ---- */

static bool run(struct simulation *s) {
  char error[400];
  const char *name = s->options->words[0];
  s->program = program_open(name, s->options->words, REACHES_ALL, error, sizeof error);
  if (!s->program) return fail(s, arena_printf(&s->psl->work, "%s cannot be run: %s", name, error));
  s->processor = processor_open(&s->parameters, s->program);
  if (!s->processor) return fail(s, "there is no memory for such a processor");
  volatile int *interrupted = s->psl->options.interrupted;
  while (program_runs(s->program) && !(interrupted && *interrupted))
    processor_run(s->processor, processor_cycles(s->processor) + 4096);
  if (program_runs(s->program)) *interrupted = 2;
  processor_figures(s->processor, keep_figure, s);
  return true;
}

/* What has ended it before its end. */
static void say_end(struct simulation *s) {
  const char *name = s->options->words[0], *fault = s->program->fault;
  struct arena *arena = &s->psl->work;
  double instructions = s->figures[0].value;
  if (*fault)
    fail(s, arena_printf(arena, "%s goes wrong in instruction %.0f, at 0x%llx: %s", name, instructions,
                         (unsigned long long)s->program->pc, fault));
  else
    fail(s, arena_printf(arena, "%s was interrupted after %.0f instructions", name, instructions));
}

static enum psl_code work_simulate(struct psl *psl, void *arguments) {
  struct simulation *s = arguments;
  s->psl = psl;
  if (!set_parameters(s) || !run(s)) return PSL_WRONG;
  put_report(s);
  *s->status = s->program->status;
  if (s->program->ended) return PSL_OK;
  say_end(s);
  return PSL_STOPPED;
}

enum psl_code psl_simulate(struct psl *psl, const struct psl_simulation_options *options, int *status, psl_write *write,
                           void *user) {
  struct simulation s = {.options = options, .status = status, .write = write, .user = user};
  enum psl_code code = handle_enter(psl, work_simulate, &s);
  if (s.processor) processor_close(s.processor);
  if (s.program) program_close(s.program);
  return code;
}
