/* psl_measure_compute: a table of measured times of instructions to a profile of a processor, as PSL. The table is CSV:
 * which operation, on how many numbers at once, how many chains that do not wait for each other, and how long one
 * instruction took. */
#include "interp/fit/messages.h"
#include "interp/library/measured_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the profile's `latencies`; those without flops are no operations of floating point. */
static const struct operation {
  const char *name;
  double flops; /* of one number */
} operations[] = {{"integer", 0}, {"add", 1},     {"multiply", 1}, {"fused", 2}, {"divide", 1},
                  {"root", 1},    {"forward", 0}, {"mixed", 0},    {"branch", 0}};
enum { OPERATION_MIXED = 7, OPERATION_BRANCH = 8, OPERATIONS = sizeof operations / sizeof *operations };

struct sample {
  uint32_t operation;
  double lanes, chains, seconds;
};

struct measuring {
  struct measured table;
  struct sample *samples;
  double *seconds;     /* room for a time of each */
  uint32_t noisy, all; /* medians */
};

/* ---- the table ---- */

struct columns {
  uint32_t operation, lanes, chains, time;
  double second;
};

static bool find_columns(struct measuring *m, struct columns *c) {
  const struct measurements *data = &m->table.data;
  *c = (struct columns){measured_column(data, "operation"), measured_column(data, "lanes"),
                        measured_column(data, "chains"), measured_column(data, "time"), 1};
  if (data->extrap || c->operation == UINT32_MAX || c->lanes == UINT32_MAX || c->chains == UINT32_MAX ||
      c->time == UINT32_MAX)
    return measured_refuse(&m->table, data->columns[0].span,
                           "a table of operations has the columns operation, lanes, chains and time");
  return measured_unit(m->table.psl, &data->columns[c->time], measured_time_units, "s, ms, us or ns", &c->second);
}

static bool read_sample(struct measuring *m, const struct columns *c, uint32_t row, struct sample *sample) {
  const double *values = m->table.data.values + (size_t)row * m->table.data.column_count;
  const struct span *places = m->table.data.places + (size_t)row * m->table.data.column_count;
  const char *name = measured_word(m->table.psl, &m->table.data, places[c->operation]);
  if (!name) return false;
  *sample = (struct sample){0, values[c->lanes], values[c->chains], values[c->time] * c->second};
  while (sample->operation < OPERATIONS && strcmp(operations[sample->operation].name, name) != 0)
    sample->operation++;
  if (sample->operation == OPERATIONS)
    return measured_refuse(&m->table, places[c->operation],
                           "an operation is add, multiply, fused, divide, root, integer, forward, mixed or branch");
  if (!measured_is_whole(sample->lanes, 1, 1024))
    return measured_refuse(&m->table, places[c->lanes], "expected 1 to 1024 lanes");
  if (!measured_is_whole(sample->chains, 1, 1024))
    return measured_refuse(&m->table, places[c->chains], "expected 1 to 1024 chains");
  return measured_time_fits(&m->table, places[c->time], sample->seconds);
}

static bool read_table(struct measuring *m) {
  struct psl *psl = m->table.psl;
  struct columns columns;
  if (!measured_read(&m->table, "operations") || !find_columns(m, &columns)) return false;
  m->samples = ARENA_ARRAY(&psl->work, struct sample, m->table.data.row_count);
  m->seconds = ARENA_ARRAY(&psl->work, double, m->table.data.row_count);
  for (uint32_t row = 0; row < m->table.data.row_count; row++)
    if (!read_sample(m, &columns, row, &m->samples[row])) return false;
  return true;
}

/* ---- the profile ---- */

/* One operation by so many lanes: in one chain, or in the most there are; samples 0: it was not measured. */
static struct message_time time_of(struct measuring *m, uint32_t operation, double lanes, bool chains) {
  double most = 1;
  uint32_t count = 0;
  for (uint32_t k = 0; chains && k < m->table.data.row_count; k++)
    if (m->samples[k].operation == operation && m->samples[k].lanes == lanes) most = fmax(most, m->samples[k].chains);
  for (uint32_t k = 0; k < m->table.data.row_count && (!chains || most > 1); k++)
    if (m->samples[k].operation == operation && m->samples[k].lanes == lanes && m->samples[k].chains == most)
      m->seconds[count++] = m->samples[k].seconds;
  return count ? message_time_of(0, m->seconds, count) : (struct message_time){0};
}

static void put_rate(struct measuring *m, struct text *out, const struct message_time *time, double flops) {
  m->all++;
  m->noisy += measured_is_noisy(time->median, time->low, time->high);
  text_printf(out, "%.4g Gflop/s .. %.4g Gflop/s", 1e-9 * flops / time->high, 1e-9 * flops / time->low);
}

static void put_operation(struct measuring *m, struct text *out, uint32_t operation, double lanes) {
  struct message_time times[4];
  uint32_t known = 0;
  for (uint32_t k = 0; k < 4; k++) {
    times[k] = time_of(m, operation, k < 2 ? 1 : lanes, k % 2);
    known += times[k].samples > 0;
  }
  if (known < 4) return;
  text_printf(out, "  param %s = [", operations[operation].name);
  for (uint32_t k = 0; k < 4; k++) {
    text_put(out, k ? ", " : "");
    put_rate(m, out, &times[k], operations[operation].flops * (k < 2 ? 1 : lanes));
  }
  text_put(out, "];\n");
}

static double median_of(struct measuring *m, uint32_t operation, bool chains) {
  struct message_time time = time_of(m, operation, 1, chains);
  return time.samples ? time.median : -1;
}

static void put_steps(struct measuring *m, struct text *out) {
  struct measured_steps steps = {.instruction = median_of(m, OPERATION_MIXED, true),
                                 .branch_by_chance = median_of(m, OPERATION_BRANCH, false),
                                 .branch_one_way = median_of(m, OPERATION_BRANCH, true)};
  for (uint32_t k = 0; k < MEASURED_LATENCIES; k++)
    steps.latencies[k] = median_of(m, k, false);
  measured_put_steps(out, &steps);
}

static bool write_profile(struct measuring *m) {
  struct text text = {.arena = &m->table.psl->work}, rates = {.arena = &m->table.psl->work};
  const char *name = m->table.options->name ? m->table.options->name : "measured";
  double lanes = 1;
  for (uint32_t k = 0; k < m->table.data.row_count; k++)
    lanes = fmax(lanes, m->samples[k].lanes);
  for (uint32_t k = 0; k < OPERATIONS; k++)
    if (operations[k].flops > 0) put_operation(m, &rates, k, lanes);
  if (!m->all)
    return measured_refuse(
        &m->table, m->table.data.columns[0].span,
        "the table has to have an operation in one chain and in several, of 1 lane and of the most lanes");
  measured_origin(&m->table.data, &text);
  text_printf(&text, "use convolver;\n\ncomponent %s-compute like compute-profile {\n  param lanes = %.0f;\n", name,
              lanes);
  text_put_n(&text, rates.data, rates.size);
  put_steps(m, &text);
  text_printf(&text, "  profile machine = %s;\n}\n", name);
  measured_write(m->table.psl, &text, m->table.write, m->table.user);
  return true;
}

static enum psl_code work_measure(struct psl *psl, void *arguments) {
  struct measuring *m = arguments;
  m->table.psl = psl;
  psl->memory.breakable = true;
  if (!measured_name_fits(psl, m->table.options->name) || !read_table(m) || !write_profile(m)) return PSL_WRONG;
  measured_warn_noise(psl, m->noisy, m->all);
  return psl->diagnostics.errors ? PSL_WRONG : PSL_OK;
}

enum psl_code psl_measure_compute(struct psl *psl, const char *name, const char *text, size_t size,
                                  const struct psl_measure_options *options, psl_write *write, void *user) {
  struct measuring m = {.table = measured_open(name, text, size, options, write, user)};
  return measured_apart(psl, work_measure, &m);
}
