/* psl_measure_messages: a table of measured times of messages to a machine, as PSL. The table is CSV: which test, of
 * how many bytes, how long; its first comments say where it comes from, and go into the machine's. */
#include "interp/fit/measurements.h"
#include "interp/fit/messages.h"
#include "interp/library/handle.h"
#include "interp/library/measured_table.h"
#include "interp/report/output.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-9 /* what is as small a part of a figure */
#define NOISY 0.05    /* half of a median's interval, as a part of it */
static const struct span nowhere = {0, 0};

struct measuring {
  struct measured table;
  struct sample *samples;
  uint32_t sample_count;
  struct message_test *tests;
  uint32_t test_count, test_capacity;
  double handshake; /* bytes; NaN: the table does not say */
};
struct sample {
  const char *test;
  double bytes, seconds;
};

/* ---- the table ---- */

struct table {
  uint32_t test, bytes, time; /* columns; test UINT32_MAX: there is none */
  double byte, second;        /* their units */
};

static bool find_columns(struct measuring *m, struct table *table) {
  const struct measurements *data = &m->table.data;
  *table = (struct table){measured_column(data, "test"), measured_column(data, "bytes"), measured_column(data, "time")};
  if (data->extrap || table->bytes == UINT32_MAX || table->time == UINT32_MAX)
    return measured_refuse(&m->table, data->columns[0].span,
                           "a table of messages has the columns test, bytes and time");
  return measured_unit(m->table.psl, &data->columns[table->bytes], measured_data_units, "byte, kB, KiB, MB or MiB",
                       &table->byte) &&
         measured_unit(m->table.psl, &data->columns[table->time], measured_time_units, "s, ms, us or ns",
                       &table->second);
}

/* Without a column for it all are round trips. */
static const char *test_of(struct measuring *m, const struct table *table, const struct span *places) {
  return table->test == UINT32_MAX ? "round-trip" : measured_word(m->table.psl, &m->table.data, places[table->test]);
}

static bool read_sample(struct measuring *m, const struct table *table, uint32_t row) {
  const double *values = m->table.data.values + (size_t)row * m->table.data.column_count;
  const struct span *places = m->table.data.places + (size_t)row * m->table.data.column_count;
  struct sample sample = {test_of(m, table, places), values[table->bytes] * table->byte,
                          values[table->time] * table->second};
  if (!sample.test) return false;
  if (!(sample.bytes >= 0) || sample.bytes > 1e18)
    return measured_refuse(&m->table, places[table->bytes], "expected a number of bytes");
  if (!strcmp(sample.test, "rendezvous")) {
    m->handshake = sample.bytes;
    return true;
  }
  bool overhead = !strcmp(sample.test, "send") || !strcmp(sample.test, "receive") || !strcmp(sample.test, "gap");
  if (!(sample.seconds == 0 && overhead) && !measured_time_fits(&m->table, places[table->time], sample.seconds))
    return false;
  m->samples[m->sample_count++] = sample;
  return true;
}

static int by_test(const void *a, const void *b) {
  const struct sample *x = a, *y = b;
  int order = strcmp(x->test, y->test);
  return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void gather(struct measuring *m) {
  struct arena *arena = &m->table.psl->work;
  qsort(m->samples, m->sample_count, sizeof *m->samples, by_test);
  double *seconds = ARENA_ARRAY(arena, double, m->sample_count);
  struct message_time *next = ARENA_ARRAY(arena, struct message_time, m->sample_count);
  for (uint32_t from = 0, to; from < m->sample_count; from = to) {
    const struct sample *first = &m->samples[from];
    for (to = from; to < m->sample_count && !by_test(first, &m->samples[to]); to++)
      seconds[to - from] = m->samples[to].seconds;
    struct message_test *test = m->test_count ? &m->tests[m->test_count - 1] : NULL;
    if (!test || strcmp(test->name, first->test)) {
      struct message_test new = {first->test, next};
      ARENA_PUSH(arena, m->tests, m->test_count, m->test_capacity, new);
      test = &m->tests[m->test_count - 1];
    }
    *next++ = message_time_of(first->bytes, seconds, to - from);
    test->count++;
  }
}

static const struct message_test *find_test(const struct measuring *m, const char *name) {
  for (uint32_t k = 0; k < m->test_count; k++)
    if (!strcmp(m->tests[k].name, name)) return &m->tests[k];
  return NULL;
}

static bool read_table(struct measuring *m) {
  struct psl *psl = m->table.psl;
  struct table table;
  if (!measured_read(&m->table, "messages") || !find_columns(m, &table)) return false;
  m->samples = ARENA_ARRAY(&psl->work, struct sample, m->table.data.row_count);
  m->handshake = NAN;
  for (uint32_t row = 0; row < m->table.data.row_count; row++)
    if (!read_sample(m, &table, row)) return false;
  gather(m);
  const struct message_test *trips = find_test(m, "round-trip");
  if (trips && trips->count > MESSAGE_SIZES_MOST)
    return measured_refuse(&m->table, m->table.data.columns[0].span,
                           "the table has round trips of more than 1,000 sizes");
  if (trips && trips->count >= MESSAGE_SIZES_LEAST) return true;
  return measured_refuse(&m->table, m->table.data.columns[0].span,
                         "the table has too few round trips: those of three sizes are the least");
}

/* ---- what it comes to ---- */

static void warn_noise(struct measuring *m, const struct message_test *trips) {
  uint32_t noisy = 0;
  double most = 0, at = 0;
  for (uint32_t k = 0; k < trips->count; k++) {
    const struct message_time *time = &trips->times[k];
    double part = (time->high - time->low) / 2 / time->median;
    noisy += part > NOISY;
    if (part > most) most = part, at = time->bytes;
  }
  if (!noisy) return;
  diagnostic_add(&m->table.psl->diagnostics, SEVERITY_WARNING, nowhere,
                 "the host is too noisy: of %u of %u sizes the median round trip is not known to 5 %%, of %.0f byte to "
                 "%.0f %%",
                 noisy, trips->count, at, 100 * most);
  diagnostic_help(&m->table.psl->diagnostics, nowhere, "measure when nothing else runs, or with more --repetitions");
}

static void warn_figures(struct measuring *m, const struct message_figures *f) {
  struct diagnostics *d = &m->table.psl->diagnostics;
  if (f->guessed && isfinite(f->handshake))
    diagnostic_add(
        d, SEVERITY_WARNING, nowhere,
        "no row 'rendezvous' says where rendezvous begins: taken to be %.0f byte, where round trips grow most at once",
        f->handshake);
  if (f->solved && !isfinite(f->handshake))
    diagnostic_add(d, SEVERITY_WARNING, nowhere,
                   "neither overheads nor messages with a handshake were measured: L cannot be told from o, and is 0");
  if (f->clipped)
    diagnostic_add(d, SEVERITY_WARNING, nowhere,
                   "by equations (3a) and (3b) a figure would be negative: it is 0, and others make up for it");
}

/* ---- the machine ---- */

static void put_figure(struct text *out, double value, double unit) {
  text_printf(out, unit == 1 ? "%.15g" : "%.6g", value > 0 ? value / unit : 0);
}

static void put_pair(struct text *out, struct message_figure figure, double unit) {
  struct text pair = {.arena = out->arena};
  if (isnan(figure.value))
    text_put(&pair, "-");
  else if (isnan(figure.half))
    text_printf(&pair, "%.4g", figure.value / unit);
  else
    text_printf(&pair, "%.4g +- %.1g", figure.value / unit,
                figure.half > ROUNDING * figure.value ? figure.half / unit : 0);
  text_printf(out, "  %-18s", pair.data);
}

static void put_segments(struct text *out, const struct message_figures *f) {
  text_put(out, "//\n// Half a round trip is o + L + bytes x G + o, and more by a request and its answer from "
                "handshake-threshold on.\n// +- is half of a 95 % interval; off: by how much times are off the fit at "
                "most.\n//\n");
  text_printf(out, "// %-9s  %-18s  %-18s  %-18s  %-18s  %-18s  %s\n", "from byte", "o of a send [us]",
              "o of a receive [us]", "o [us]", "L [us]", "G [ns/byte]", "off");
  for (uint32_t k = 0; k < f->count; k++) {
    const struct message_segment *segment = &f->segments[k];
    text_printf(out, "// %-9.0f", segment->begin);
    put_pair(out, segment->send, 1e-6);
    put_pair(out, segment->receive, 1e-6);
    put_pair(out, segment->overhead, 1e-6);
    put_pair(out, segment->latency, 1e-6);
    put_pair(out, segment->gap, 1e-9);
    text_printf(out, "  %.1f %%\n", 100 * segment->off);
  }
}

static bool is_collective(const struct message_test *test) {
  static const char *const others[] = {"round-trip", "exchange", "send", "receive", "gap"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (!strcmp(test->name, others[k])) return false;
  return true;
}

/* What is no figure of LogGP, to compare a model with. */
static void put_others(const struct measuring *m, struct text *out) {
  bool first = true;
  for (uint32_t k = 0; k < m->test_count; k++) {
    const struct message_test *test = &m->tests[k];
    if (!is_collective(test)) continue;
    if (first) text_put(out, "//\n// Medians of collective operations, of that many bytes:\n//\n");
    first = false;
    text_printf(out, "// %-16s", test->name);
    for (uint32_t i = 0; i < test->count; i++) {
      text_printf(out, "%s%.0f: ", i ? ", " : "", test->times[i].bytes);
      report_time(out, test->times[i].median);
    }
    text_char(out, '\n');
  }
}

static void put_param(struct text *out, const char *name, double value, double unit, const char *unit_name) {
  text_printf(out, "  param %s = ", name);
  put_figure(out, value, unit);
  text_printf(out, " %s;\n", unit_name);
}

static void put_list(struct text *out, const struct message_figures *f, const char *name, size_t place, double unit,
                     const char *unit_name) {
  text_printf(out, "  param %s = [", name);
  for (uint32_t k = 0; k < f->count; k++) {
    if (k) text_put(out, ", ");
    put_figure(out, *(const double *)(const void *)((const char *)&f->segments[k] + place), unit);
    text_printf(out, " %s", unit_name);
  }
  text_put(out, "];\n");
}

/* A machine's L, o and G are above 0. */
static double positive(double value) { return fmax(value, 1e-15); }

static void put_component(struct measuring *m, struct text *out, const struct message_figures *f) {
  const struct message_segment *first = f->segments, *last = &f->segments[f->count - 1];
  const char *name = m->table.options->name ? m->table.options->name : "measured";
  text_printf(out,
              "use machines;\n\n/// What messages take was measured; how fast it computes was not.\n"
              "component %s like computer {\n",
              name);
  put_param(out, "L", positive(first->latency.value), 1e-6, "us");
  put_param(out, "os", positive(first->overhead.value), 1e-6, "us");
  put_param(out, "ol", last->overhead.value, 1e-6, "us");
  put_param(out, "G", positive(last->gap.value), 1e-9, "ns/byte");
  put_param(out, "Gl", positive(last->gap.value), 1e-9, "ns/byte");
  if (!isnan(f->g.value)) put_param(out, "g", f->g.value, 1e-6, "us");
  put_param(out, "overhead-threshold", last->begin, 1, "byte");
  put_param(out, "handshake-threshold", isfinite(f->handshake) ? f->handshake : 1e18, 1, "byte");
  put_param(out, "gap-threshold", last->begin, 1, "byte");
  if (f->count > 1) {
    put_list(out, f, "segment-begins", offsetof(struct message_segment, begin), 1, "byte");
    put_list(out, f, "segment-overheads", offsetof(struct message_segment, overhead.value), 1e-6, "us");
    put_list(out, f, "segment-latencies", offsetof(struct message_segment, latency.value), 1e-6, "us");
    put_list(out, f, "segment-gaps", offsetof(struct message_segment, gap.value), 1e-9, "ns/byte");
  }
  text_printf(out, "  profile machine = %s;\n}\n", name);
}

static void write_machine(struct measuring *m, const struct message_figures *f) {
  struct psl *psl = m->table.psl;
  struct text text = {.arena = &psl->work};
  measured_origin(&m->table.data, &text);
  put_segments(&text, f);
  put_others(m, &text);
  put_component(m, &text, f);
  measured_write(psl, &text, m->table.write, m->table.user);
}

static enum psl_code work_measure(struct psl *psl, void *arguments) {
  struct measuring *m = arguments;
  m->table.psl = psl;
  psl->memory.breakable = true;
  if (!measured_name_fits(psl, m->table.options->name)) return PSL_WRONG;
  if (!read_table(m)) return PSL_WRONG;
  const struct message_test *trips = find_test(m, "round-trip");
  struct message_figures figures = message_figures_of(&psl->work, trips, find_test(m, "send"), find_test(m, "receive"),
                                                      find_test(m, "gap"), m->handshake);
  warn_noise(m, trips);
  warn_figures(m, &figures);
  write_machine(m, &figures);
  return psl->diagnostics.errors ? PSL_WRONG : PSL_OK;
}

enum psl_code psl_measure_messages(struct psl *psl, const char *name, const char *text, size_t size,
                                   const struct psl_measure_options *options, psl_write *write, void *user) {
  struct measuring m = {.table = measured_open(name, text, size, options, write, user)};
  return measured_apart(psl, work_measure, &m);
}
