/* psl_measure_threads: a table of measured costs of threads to a machine of stdlib/scheduling.psl, as PSL. The table is
 * CSV: which test, and how long it took. */
#include "interp/fit/messages.h"
#include "interp/library/measured_table.h"

#include <string.h>

/* Params of a component like thread-costs, and what the probe measures for each by the same name. */
static const struct cost {
  const char *name;
  bool two_processors; /* not measured on a computer with one */
} costs[] = {{"creation", false}, {"start", false},   {"join", false}, {"own", false},
             {"lock", false},     {"transfer", true}, {"steal", true}};
enum { COSTS = sizeof costs / sizeof *costs };

struct sample {
  size_t cost;
  double seconds;
};

struct measuring {
  struct measured table;
  struct sample *samples;
};

static bool read_sample(struct measuring *m, uint32_t test, uint32_t time, double second, uint32_t row) {
  const double *values = m->table.data.values + (size_t)row * m->table.data.column_count;
  const struct span *places = m->table.data.places + (size_t)row * m->table.data.column_count;
  const char *name = measured_word(m->table.psl, &m->table.data, places[test]);
  struct sample *sample = &m->samples[row];
  if (!name) return false;
  *sample = (struct sample){0, values[time] * second};
  while (sample->cost < COSTS && strcmp(costs[sample->cost].name, name) != 0)
    sample->cost++;
  if (sample->cost == COSTS)
    return measured_refuse(&m->table, places[test], "a test is creation, start, join, own, lock, transfer or steal");
  return measured_time_fits(&m->table, places[time], sample->seconds);
}

static bool read_table(struct measuring *m) {
  if (!measured_read(&m->table, "threads")) return false;
  const struct measurements *data = &m->table.data;
  uint32_t test = measured_column(data, "test"), time = measured_column(data, "time");
  double second = 1;
  if (data->extrap || test == UINT32_MAX || time == UINT32_MAX)
    return measured_refuse(&m->table, data->columns[0].span, "a table of threads has the columns test and time");
  if (!measured_unit(m->table.psl, &data->columns[time], measured_time_units, "s, ms, us or ns", &second)) return false;
  m->samples = ARENA_ARRAY(&m->table.psl->work, struct sample, data->row_count);
  for (uint32_t row = 0; row < data->row_count; row++)
    if (!read_sample(m, test, time, second, row)) return false;
  return true;
}

/* Samples 0: it was not measured. */
static struct message_time time_of(struct measuring *m, size_t cost) {
  double *seconds = ARENA_ARRAY(&m->table.psl->work, double, m->table.data.row_count);
  uint32_t count = 0;
  for (uint32_t k = 0; k < m->table.data.row_count; k++)
    if (m->samples[k].cost == cost) seconds[count++] = m->samples[k].seconds;
  return count ? message_time_of(0, seconds, count) : (struct message_time){0};
}

static void put_time(struct text *out, double seconds) {
  if (seconds >= 1e-6)
    text_printf(out, "%.4g us", 1e6 * seconds);
  else
    text_printf(out, "%.4g ns", 1e9 * seconds);
}

static bool write_costs(struct measuring *m) {
  struct text text = {.arena = &m->table.psl->work};
  const char *name = m->table.options->name ? m->table.options->name : "measured";
  uint32_t noisy = 0, all = 0;
  measured_origin(&m->table.data, &text);
  text_printf(&text, "use scheduling;\n\ncomponent %s-threads like thread-costs {\n", name);
  for (size_t k = 0; k < COSTS; k++) {
    struct message_time time = time_of(m, k);
    if (!time.samples && costs[k].two_processors) continue;
    if (!time.samples)
      return measured_refuse(&m->table, m->table.data.columns[0].span,
                             arena_printf(&m->table.psl->work, "the table has to have the test %s", costs[k].name));
    all++;
    noisy += measured_is_noisy(time.median, time.low, time.high);
    text_printf(&text, "  param %s = ", costs[k].name);
    put_time(&text, time.median);
    text_printf(&text, ";  // +- %.0f %%, %u sample%s\n", 50 * (time.high - time.low) / time.median, time.samples,
                time.samples == 1 ? "" : "s");
  }
  text_printf(&text, "  profile machine = %s;\n}\n", name);
  measured_write(m->table.psl, &text, m->table.write, m->table.user);
  measured_warn_noise(m->table.psl, noisy, all);
  return true;
}

static enum psl_code work_measure(struct psl *psl, void *arguments) {
  struct measuring *m = arguments;
  m->table.psl = psl;
  psl->memory.breakable = true;
  if (!measured_name_fits(psl, m->table.options->name) || !read_table(m) || !write_costs(m)) return PSL_WRONG;
  return psl->diagnostics.errors ? PSL_WRONG : PSL_OK;
}

enum psl_code psl_measure_threads(struct psl *psl, const char *name, const char *text, size_t size,
                                  const struct psl_measure_options *options, psl_write *write, void *user) {
  struct measuring m = {.table = measured_open(name, text, size, options, write, user)};
  return measured_apart(psl, work_measure, &m);
}
