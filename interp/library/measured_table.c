/* Columns and units of tables that are measured, and the writing of what comes of them. */
#include "interp/library/measured_table.h"
#include "grammar/format.h"
#include "interp/library/profile_name.h"
#include "interp/report/output.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const struct measured_unit measured_time_units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {0}};
const struct measured_unit measured_data_units[] = {{"byte", 1},      {"B", 1},         {"kB", 1e3}, {"MB", 1e6},
                                                    {"KiB", 1 << 10}, {"MiB", 1 << 20}, {0}};

struct measured measured_open(const char *name, const char *text, size_t size,
                              const struct psl_measure_options *options, psl_write *write, void *user) {
  static const struct psl_measure_options none;
  return (struct measured){
      .options = options ? options : &none, .name = name, .text = text, .size = size, .write = write, .user = user};
}

bool measured_refuse(struct measured *m, struct span span, const char *text) {
  diagnostic_add(&m->psl->diagnostics, SEVERITY_ERROR, span, "%s", text);
  return false;
}

bool measured_time_fits(struct measured *m, struct span span, double seconds) {
  if (seconds >= 1e-15 && seconds <= 1e9) return true;
  return measured_refuse(m, span, "expected a time from 1e-15 s to 1e9 s");
}

bool measured_read(struct measured *m, const char *of) {
  struct psl *psl = m->psl;
  handle_prepare(psl);
  if (!m->text) m->text = handle_read(psl, &psl->lasting, m->name, &m->size);
  if (!m->text) return false;
  const struct source *source = source_add(&psl->sources, handle_text_name(m->name), m->text, m->size);
  if (source) return measurements_read(&psl->work, &psl->diagnostics, source, &m->data);
  return measured_refuse(m, (struct span){0}, arena_printf(&psl->work, "the table of %s is too large", of));
}

uint32_t measured_column(const struct measurements *data, const char *name) {
  for (uint32_t k = 0; k < data->column_count; k++)
    if (!strcmp(data->columns[k].name, name)) return k;
  return UINT32_MAX;
}

bool measured_unit(struct psl *psl, const struct measurement_column *column, const struct measured_unit *units,
                   const char *wanted, double *factor) {
  *factor = 1;
  if (!column->unit) return true;
  for (; units->name; units++)
    if (!strcmp(units->name, column->unit)) {
      *factor = units->factor;
      return true;
    }
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, column->unit_span, "'%s' is in %s, not in '%s'", column->name,
                 wanted, column->unit);
  return false;
}

const char *measured_word(struct psl *psl, const struct measurements *data, struct span span) {
  const char *text = data->source->text + (span.begin - data->source->base);
  size_t length = span.end - span.begin, plain = 0;
  while (plain < length && (isalnum((unsigned char)text[plain]) || text[plain] == '-'))
    plain++;
  if (plain == length && length < 30) return arena_copy(&psl->work, text, length);
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, span, "a test is a word such as round-trip");
  return NULL;
}

void measured_origin(const struct measurements *data, struct text *out) {
  const char *at = data->source->text, *end = at + data->source->size;
  while (at < end && *at == '#') {
    size_t length = strcspn(at, "\n");
    text_put(out, "//");
    text_put_n(out, at + 1, length - 1);
    text_char(out, '\n');
    at += length;
    at += at < end;
  }
}

bool measured_name_fits(struct psl *psl, const char *name) {
  if (!name) return true;
  static const char *const endings[] = {"-memory", "-compute", "-threads", "", NULL};
  const char *wrong = profile_name_wrong(psl, name, endings);
  if (!wrong) return true;
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0, 0}, "--name: '%s' %s",
                 shown_line(&psl->work, name), wrong);
  return false;
}

bool measured_is_whole(double number, double least, double most) {
  return number >= least && number <= most && number == floor(number);
}

const char *const measured_step_names[MEASURED_LATENCIES] = {"integer", "add",  "multiply", "fused",
                                                             "divide",  "root", "forward"};

void measured_put_steps(struct text *out, const struct measured_steps *steps) {
  bool known = true;
  for (uint32_t k = 0; k < MEASURED_LATENCIES; k++)
    known &= steps->latencies[k] >= 0;
  for (uint32_t k = 0; known && k < MEASURED_LATENCIES; k++)
    text_printf(out, "%s%.4g ns", k ? ", " : "  param latencies = [", 1e9 * steps->latencies[k]);
  if (known) text_put(out, "];\n");
  if (steps->instruction >= 0) text_printf(out, "  param instruction-time = %.4g ns;\n", 1e9 * steps->instruction);
  if (steps->branch_by_chance >= 0 && steps->branch_one_way >= 0)
    text_printf(out, "  param misprediction = %.4g ns;\n",
                2e9 * fmax(0, steps->branch_by_chance - steps->branch_one_way));
}

bool measured_is_noisy(double median, double low, double high) { return (high - low) / 2 > 0.05 * median; }

void measured_warn_noise(struct psl *psl, uint32_t noisy, uint32_t all) {
  static const struct span nowhere = {0, 0};
  if (!noisy) return;
  diagnostic_add(&psl->diagnostics, SEVERITY_WARNING, nowhere,
                 "the host is too noisy: %u of %u medians are not known to 5 %%", noisy, all);
  diagnostic_help(&psl->diagnostics, nowhere, "measure when nothing else runs, or with more --repetitions");
}

void measured_write(struct psl *psl, const struct text *model, psl_write *write, void *user) {
  struct output out;
  const struct source *source = source_add(&psl->sources, "machine", model->data, model->size);
  struct file *file = parse_file(&psl->work, &psl->names, &psl->diagnostics, source);
  if (file->broken) return;
  output_open(&out, &psl->work, write, user);
  out.source = true;
  ast_format(&out.text, file);
  output_close(&out);
}

enum psl_code measured_apart(struct psl *psl, enum psl_code (*work)(struct psl *, void *), void *measuring) {
  struct psl *own = psl_open(&psl->options);
  if (!own) return PSL_MEMORY;
  enum psl_code code = handle_enter(own, work, measuring);
  psl->errors += psl_errors(own);
  psl->warnings += psl_warnings(own);
  psl_close(own);
  return code;
}

static enum psl_code work_name(struct psl *psl, void *arguments) {
  const struct psl_measure_options *options = arguments;
  return measured_name_fits(psl, options->name) ? PSL_OK : PSL_WRONG;
}

enum psl_code psl_measure_name(struct psl *psl, const char *name) {
  return measured_apart(psl, work_name, &(struct psl_measure_options){name});
}
