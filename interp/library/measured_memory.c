/* psl_measure_memory: a table of measured times of accesses to memory to a profile, as PSL. The table is CSV: which
 * test, by which stride, on how many processors at once, in how many bytes, how long one access took. */
#include "interp/fit/messages.h"
#include "interp/library/measured_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISY 0.05 /* half of a median's interval, as a part of it */
#define RISE 1.4   /* of the latency: there a cache ends */
#define FLAT 1.15  /* within half of a doubling of the set: the next one is reached */
#define SHARED 0.8 /* of a level, to one processor: others use it, too */
#define HALF 1.5   /* of a doubling */
#define KIB 1024.0
#define ACCESS 8.0 /* bytes */
#define LINE_BYTES 64.0
#define LINE 8     /* the stride of accesses to one line each, in accesses */
#define SEVERAL 12 /* chains of instructions, in place of a stride */
#define APART 64   /* of those to one line in eight */
#define PAGE 520   /* and of those to one line a page */
enum { LEVELS_MOST = 7, SETS_LEAST = 3, SETS_MOST = 1000, SERIES_MOST = 1000 };
static const struct span nowhere = {0, 0};
/* The kernels of STREAM, and the bytes that it counts of each. An operation is called add, too. */
static const struct {
  const char *test, *name;
  double bytes;
} kernels[] = {{"copy", "copy", 16}, {"scale", "scale", 16}, {"sum", "add", 24}, {"triad", "triad", 24}};

/* What can be measured; those of sets have the bytes of one, others what they like. The latter are also what
 * psl_measure_compute calls operations. */
static const struct test {
  const char *name;
  bool of_set;
} tests[] = {{"chase", true},    {"load", true},    {"store", true},  {"random", true},   {"interleaved", true},
             {"copy", true},     {"scale", true},   {"sum", true},    {"triad", true},    {"cache", true},
             {"integers", true}, {"add", false},    {"float", false}, {"integer", false}, {"multiply", false},
             {"fused", false},   {"divide", false}, {"root", false},  {"forward", false}, {"mixed", false},
             {"branch", false}};
enum { TESTS = sizeof tests / sizeof *tests };

struct sample {
  const char *test;
  uint32_t stride, processors;
  double bytes, seconds;
};

struct series { /* of one test, by bytes */
  const char *test;
  uint32_t stride, processors, count;
  struct message_time *times;
};

struct measuring {
  struct measured table;
  struct sample *samples;
  struct series *series;
  uint32_t series_count;
  double caches[LEVELS_MOST]; /* sizes that the table has, in its order */
  uint32_t cache_count;
};

struct columns {
  uint32_t test, stride, processors, bytes, time;
  double byte, second;
};

/* ---- the table ---- */

static bool find_columns(struct measuring *m, struct columns *c) {
  const struct measurements *data = &m->table.data;
  *c = (struct columns){measured_column(data, "test"), measured_column(data, "stride"),
                        measured_column(data, "processors"), measured_column(data, "bytes"),
                        measured_column(data, "time")};
  if (data->extrap || c->test == UINT32_MAX || c->stride == UINT32_MAX || c->processors == UINT32_MAX ||
      c->bytes == UINT32_MAX || c->time == UINT32_MAX)
    return measured_refuse(&m->table, data->columns[0].span,
                           "a table of memory has the columns test, stride, processors, bytes and time");
  return measured_unit(m->table.psl, &data->columns[c->bytes], measured_data_units, "byte, kB, KiB, MB or MiB",
                       &c->byte) &&
         measured_unit(m->table.psl, &data->columns[c->time], measured_time_units, "s, ms, us or ns", &c->second);
}

static bool refuse_test(struct measuring *m, struct span span) {
  struct text text = {.arena = &m->table.psl->work};
  for (size_t k = 0; k < TESTS; k++) {
    text_put(&text, k == 0 ? "a test is " : k + 1 < TESTS ? ", " : " or ");
    text_put(&text, tests[k].name);
  }
  return measured_refuse(&m->table, span, text.data);
}

/* NULL with an error: it is none. */
static const struct test *read_test(struct measuring *m, struct span span) {
  const char *name = measured_word(m->table.psl, &m->table.data, span);
  for (size_t k = 0; name && k < TESTS; k++)
    if (!strcmp(tests[k].name, name)) return &tests[k];
  if (name) refuse_test(m, span);
  return NULL;
}

static bool read_sample(struct measuring *m, const struct columns *c, uint32_t row, struct sample *sample) {
  const double *values = m->table.data.values + (size_t)row * m->table.data.column_count;
  const struct span *places = m->table.data.places + (size_t)row * m->table.data.column_count;
  double stride = values[c->stride], processors = values[c->processors];
  const struct test *test = read_test(m, places[c->test]);
  if (!test) return false;
  if (!measured_is_whole(stride, 0, 1e6))
    return measured_refuse(&m->table, places[c->stride], "expected a whole stride, or 0");
  if (!measured_is_whole(processors, 1, 1e6))
    return measured_refuse(&m->table, places[c->processors], "expected a whole number of processors");
  *sample = (struct sample){test->name, (uint32_t)stride, (uint32_t)processors, values[c->bytes] * c->byte,
                            values[c->time] * c->second};
  if (!(sample->bytes >= 0) || sample->bytes > 1e18)
    return measured_refuse(&m->table, places[c->bytes], "expected a number of bytes");
  if (test->of_set && sample->bytes < 1)
    return measured_refuse(&m->table, places[c->bytes], "expected a size of 1 byte or more");
  return !strcmp(test->name, "cache") || measured_time_fits(&m->table, places[c->time], sample->seconds);
}

/* The kernel's caches, the first level first. */
static bool add_cache(struct measuring *m, const struct columns *c, uint32_t row, double bytes) {
  struct span place = m->table.data.places[(size_t)row * m->table.data.column_count + c->bytes];
  if (m->cache_count == LEVELS_MOST)
    return measured_refuse(&m->table, place, "a machine has at most 7 levels of caches");
  if (m->cache_count && bytes <= m->caches[m->cache_count - 1])
    return measured_refuse(&m->table, place, "a cache is larger than the one before it");
  m->caches[m->cache_count++] = bytes;
  return true;
}

static int by_series(const struct sample *x, const struct sample *y) {
  int order = strcmp(x->test, y->test);
  if (order) return order;
  if (x->stride != y->stride) return x->stride < y->stride ? -1 : 1;
  return (x->processors > y->processors) - (x->processors < y->processors);
}

static int by_place(const void *a, const void *b) {
  const struct sample *x = a, *y = b;
  int order = by_series(x, y);
  return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void gather(struct measuring *m, uint32_t count) {
  struct arena *arena = &m->table.psl->work;
  double *seconds = ARENA_ARRAY(arena, double, count);
  struct message_time *next = ARENA_ARRAY(arena, struct message_time, count);
  qsort(m->samples, count, sizeof *m->samples, by_place);
  m->series = ARENA_ARRAY(arena, struct series, count);
  for (uint32_t from = 0, to; from < count; from = to) {
    const struct sample *first = &m->samples[from];
    for (to = from; to < count && !by_place(first, &m->samples[to]); to++)
      seconds[to - from] = m->samples[to].seconds;
    if (!from || by_series(first, first - 1))
      m->series[m->series_count++] = (struct series){first->test, first->stride, first->processors, 0, next};
    struct series *series = &m->series[m->series_count - 1];
    *next++ = message_time_of(first->bytes, seconds, to - from);
    series->count++;
  }
}

static const struct series *find(const struct measuring *m, const char *test, uint32_t stride, uint32_t processors) {
  for (uint32_t k = 0; k < m->series_count; k++)
    if (!strcmp(m->series[k].test, test) && m->series[k].stride == stride && m->series[k].processors == processors)
      return &m->series[k];
  return NULL;
}

static bool same_sets(const struct series *a, const struct series *b) {
  bool same = b && a->count == b->count;
  for (uint32_t k = 0; same && k < a->count; k++)
    same = a->times[k].bytes == b->times[k].bytes;
  return same;
}

/* Sequential, strided and random loads, of the same sets, on so many processors at once; false: they are not there. */
static bool find_loads(const struct measuring *m, uint32_t processors, const struct series *loads[3]) {
  loads[0] = find(m, "load", 1, processors);
  loads[1] = find(m, "load", LINE, processors);
  loads[2] = find(m, "random", 0, processors);
  return loads[0] && same_sets(loads[0], loads[1]) && same_sets(loads[0], loads[2]);
}

static bool within_limits(struct measuring *m) {
  struct span span = m->table.data.columns[0].span;
  struct arena *arena = &m->table.psl->work;
  if (m->series_count > SERIES_MOST)
    return measured_refuse(&m->table, span,
                           arena_printf(arena, "the table has %u tests by stride and processors: %u are the limit",
                                        m->series_count, SERIES_MOST));
  for (uint32_t s = 0; s < m->series_count; s++)
    if (m->series[s].count > SETS_MOST)
      return measured_refuse(&m->table, span,
                             arena_printf(arena, "the table has %u sets of '%s': %u are the limit", m->series[s].count,
                                          m->series[s].test, SETS_MOST));
  return true;
}

static bool read_table(struct measuring *m) {
  struct psl *psl = m->table.psl;
  struct columns columns;
  const struct series *loads[3];
  uint32_t count = 0;
  if (!measured_read(&m->table, "memory") || !find_columns(m, &columns)) return false;
  m->samples = ARENA_ARRAY(&psl->work, struct sample, m->table.data.row_count);
  for (uint32_t row = 0; row < m->table.data.row_count; row++) {
    struct sample *sample = &m->samples[count];
    if (!read_sample(m, &columns, row, sample)) return false;
    if (strcmp(sample->test, "cache") != 0)
      count++;
    else if (!add_cache(m, &columns, row, sample->bytes))
      return false;
  }
  gather(m, count);
  if (!within_limits(m)) return false;
  if (find_loads(m, 1, loads) && loads[0]->count >= SETS_LEAST) return true;
  return measured_refuse(
      &m->table, m->table.data.columns[0].span,
      "the table has to have loads of stride 1 and 8 and random ones, of the same sets, three or more");
}

/* ---- what it comes to ---- */

static double off_of(const struct message_time *time) { return (time->high - time->low) / 2 / time->median; }

static void warn_noise(struct measuring *m) {
  uint32_t noisy = 0, all = 0;
  double most = 0;
  for (uint32_t s = 0; s < m->series_count; s++)
    for (uint32_t k = 0; k < m->series[s].count; k++) {
      double off = off_of(&m->series[s].times[k]);
      noisy += off > NOISY;
      most = fmax(most, off);
      all++;
    }
  if (!noisy) return;
  diagnostic_add(&m->table.psl->diagnostics, SEVERITY_WARNING, nowhere,
                 "the host is too noisy: %u of %u medians are not known to 5 %%, one to %.0f %% only", noisy, all,
                 100 * most);
  diagnostic_help(&m->table.psl->diagnostics, nowhere, "measure when nothing else runs, or with more --repetitions");
}

/* The set that is half of a doubling larger; the last one if there is none. */
static uint32_t half_further(const struct series *series, uint32_t k) {
  uint32_t to = k;
  while (to + 1 < series->count && series->times[to].bytes < HALF * series->times[k].bytes)
    to++;
  return to;
}

/* Where the latency is as many times that of the level as the next one's is many times it. Between sets that are far
 * apart that is not known: the level has the lesser one. */
static double end_of_level(const struct series *chase, const double *latency, uint32_t from, uint32_t to) {
  double middle = sqrt(latency[from] * latency[to]);
  while (latency[from + 1] < middle)
    from++;
  if (chase->times[from + 1].bytes >= HALF * chase->times[from].bytes) return chase->times[from].bytes;
  double part = log(middle / latency[from]) / log(latency[from + 1] / latency[from]);
  double size = chase->times[from].bytes * pow(chase->times[from + 1].bytes / chase->times[from].bytes, part);
  return KIB * rint(size / KIB);
}

static bool rises(const struct series *chase, const double *latency, uint32_t k) {
  return k + 1 < chase->count && latency[half_further(chase, k)] >= FLAT * latency[k];
}

/* Where the rise ends that begins there. What is flat for less than half of a doubling is noise, and no level. */
static uint32_t end_of_rise(const struct series *chase, const double *latency, uint32_t from) {
  uint32_t to = from;
  for (uint32_t k = from; k < chase->count && (k == from || chase->times[k].bytes < HALF * chase->times[to].bytes); k++)
    if (rises(chase, latency, k)) to = k + 1;
  return to;
}

/* Where the latency rises caches end. A larger set is never faster: what is slower than one behind it is noise. */
static uint32_t find_levels(const struct measuring *m, double levels[LEVELS_MOST]) {
  const struct series *chase = find(m, "chase", 0, 1);
  uint32_t count = 0;
  if (!chase) return 0;
  double *latency = ARENA_ARRAY(&m->table.psl->work, double, chase->count + 1);
  for (uint32_t k = chase->count; k-- > 0;)
    latency[k] = k + 1 < chase->count ? fmin(chase->times[k].median, latency[k + 1]) : chase->times[k].median;
  for (uint32_t from = 0; from + 1 < chase->count && count < LEVELS_MOST; from++) {
    uint32_t to = end_of_rise(chase, latency, from);
    if (latency[to] >= RISE * latency[from]) levels[count++] = end_of_level(chase, latency, from, to);
    from = to > from ? to - 1 : from;
  }
  return count;
}

/* The levels that a processor has: as large as the kernel says, but where the latency says clearly less, for others use
 * that level, too. What the kernel does not know is what was found. */
static uint32_t levels_had(const struct measuring *m, double levels[LEVELS_MOST], uint32_t count) {
  if (!m->cache_count) return count;
  for (uint32_t k = 0; k < m->cache_count; k++)
    if (count != m->cache_count || levels[k] > SHARED * m->caches[k]) levels[k] = m->caches[k];
  return m->cache_count;
}

/* ---- the profile ---- */

static void put_size(struct text *out, double bytes) {
  if (fmod(bytes, 1 << 20) == 0)
    text_printf(out, "%.0f MiB", bytes / (1 << 20));
  else if (fmod(bytes, 1 << 10) == 0)
    text_printf(out, "%.0f KiB", bytes / (1 << 10));
  else
    text_printf(out, "%.15g byte", bytes);
}

static void put_sizes(struct text *out, const double *sizes, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    if (k) text_put(out, ", ");
    put_size(out, sizes[k]);
  }
}

/* The time of a set in a series; NULL: it was not measured. */
static const struct message_time *time_in(const struct series *series, double bytes) {
  for (uint32_t k = 0; series && k < series->count; k++)
    if (series->times[k].bytes == bytes) return &series->times[k];
  return NULL;
}

/* All medians, for people: a row a set, a column a test of several sets. */
static void put_table(const struct measuring *m, struct text *out) {
  const struct series *sets = find(m, "load", 1, 1);
  text_put(out, "//\n// Medians in ns, with half of their 95 % intervals in percent:\n//\n//        set");
  for (uint32_t s = 0; s < m->series_count; s++)
    if (m->series[s].count > 1)
      text_printf(out, "  %6.6s %-3u x%-3u", m->series[s].test, m->series[s].stride, m->series[s].processors);
  text_char(out, '\n');
  for (uint32_t k = 0; k < sets->count; k++) {
    struct text size = {.arena = out->arena};
    put_size(&size, sets->times[k].bytes);
    text_printf(out, "// %10s", size.data);
    for (uint32_t s = 0; s < m->series_count; s++) {
      const struct message_time *time = time_in(&m->series[s], sets->times[k].bytes);
      if (m->series[s].count < 2) continue;
      if (time)
        text_printf(out, "  %9.4g %4.0f%%", 1e9 * time->median, 100 * off_of(time));
      else
        text_put(out, "                -");
    }
    text_char(out, '\n');
  }
}

static void put_sets(struct text *out, const char *name, const struct series *series) {
  text_printf(out, "  param %s = [", name);
  for (uint32_t k = 0; k < series->count; k++) {
    if (k) text_put(out, ", ");
    put_size(out, series->times[k].bytes);
  }
  text_put(out, "];\n");
}

static void put_rates(struct text *out, const char *name, const struct series *series) {
  text_printf(out, "  param %s = [", name);
  for (uint32_t k = 0; k < series->count; k++)
    text_printf(out, "%s%.4g GB/s", k ? ", " : "", ACCESS / series->times[k].median / 1e9);
  text_put(out, "];\n");
}

/* What a load takes that waits for the one before, if it was measured in all sets of the others. */
static void put_latency(struct text *out, const struct series *chase, const struct series *sets) {
  for (uint32_t k = 0; k < sets->count; k++)
    if (!time_in(chase, sets->times[k].bytes)) return;
  for (uint32_t k = 0; k < sets->count; k++)
    text_printf(out, "%s%.4g ns", k ? ", " : "  param latency = [", 1e9 * time_in(chase, sets->times[k].bytes)->median);
  text_put(out, "];\n");
}

/* A line of each set, where numbers of it and of the largest set are loaded in turn: what these take beyond a line of
 * the largest one alone. Never less than where lines come one behind the other. */
static void put_interleaved(const struct measuring *m, struct text *out, uint32_t processors,
                            const struct series *const loads[3]) {
  const struct series *interleaved = find(m, "interleaved", 1, processors);
  double alone = LINE_BYTES / ACCESS * loads[0]->times[loads[0]->count - 1].median;
  for (uint32_t k = 0; interleaved && k < interleaved->count; k++)
    if (!time_in(loads[1], interleaved->times[k].bytes)) return;
  if (!interleaved) return;
  put_sets(out, "interleave-sets", interleaved);
  text_put(out, "  param interleaved = [");
  for (uint32_t k = 0; k < interleaved->count; k++) {
    double line = 2 * LINE_BYTES / ACCESS * interleaved->times[k].median - alone;
    line = fmax(line, time_in(loads[1], interleaved->times[k].bytes)->median);
    text_printf(out, "%s%.4g GB/s", k ? ", " : "", ACCESS / line / 1e9);
  }
  text_put(out, "];\n");
}

/* The only time of a test, by its stride; -1: it was not measured. */
static double only_time(const struct measuring *m, const char *test, uint32_t stride) {
  const struct series *series = find(m, test, stride, 1);
  return series ? series->times->median : -1;
}

static void put_steps(const struct measuring *m, struct text *out) {
  struct measured_steps steps = {.instruction = only_time(m, "mixed", SEVERAL),
                                 .branch_by_chance = only_time(m, "branch", 1),
                                 .branch_one_way = only_time(m, "branch", SEVERAL)};
  for (uint32_t k = 0; k < MEASURED_LATENCIES; k++)
    steps.latencies[k] = only_time(m, measured_step_names[k], 1);
  measured_put_steps(out, &steps);
}

/* All rates are off together by as much as their medians are in the mean. */
static void put_spread(const struct measuring *m, struct text *out, uint32_t processors) {
  double sum = 0, count = 0;
  for (uint32_t s = 0; s < m->series_count; s++)
    for (uint32_t k = 0; m->series[s].processors == processors && k < m->series[s].count; k++, count++)
      sum += off_of(&m->series[s].times[k]);
  if (sum > 0) text_printf(out, "  param spread = %.3f .. %.3f;\n", 1 - sum / count, 1 + sum / count);
}

static void put_apart(const struct measuring *m, struct text *out, const char *sets, const char *name, uint32_t stride,
                      uint32_t processors) {
  const struct series *series = find(m, "load", stride, processors);
  if (!series) return;
  put_sets(out, sets, series);
  put_rates(out, name, series);
}

/* Stores in the sets of the loads; and loads that are apart, which have fewer sets. */
static void put_others(const struct measuring *m, struct text *out, uint32_t processors, const struct series *loads) {
  const struct series *sequential = find(m, "store", 1, processors), *strided = find(m, "store", LINE, processors);
  if (same_sets(loads, sequential)) put_rates(out, "store-sequential", sequential);
  if (same_sets(loads, strided)) put_rates(out, "store-strided", strided);
  put_apart(m, out, "space-sets", "spaced", APART, processors);
  put_apart(m, out, "page-sets", "paged", PAGE, processors);
}

static void put_component(const struct measuring *m, struct text *out, uint32_t processors, const double *levels,
                          uint32_t level_count) {
  const struct series *loads[3], *operations = find(m, "float", 0, 1), *integers = find(m, "integers", 1, 1);
  const char *name = m->table.options->name ? m->table.options->name : "measured";
  const char *machine = processors == 1 ? name : arena_printf(out->arena, "%s_%u", name, processors);
  if (!find_loads(m, processors, loads)) return;
  text_printf(out, "\n/// %s\ncomponent %s-memory like memory-profile {\n  param levels = [",
              processors == 1 ? "One processor at a time."
                              : arena_printf(out->arena, "%u processors at once.", processors),
              machine);
  put_sizes(out, levels, level_count);
  text_put(out, "];\n");
  put_sets(out, "sets", loads[0]);
  put_rates(out, "sequential", loads[0]);
  put_rates(out, "strided", loads[1]);
  put_rates(out, "random", loads[2]);
  put_others(m, out, processors, loads[0]);
  put_interleaved(m, out, processors, loads);
  put_latency(out, find(m, "chase", 0, 1), loads[0]);
  if (integers) text_printf(out, "  param integers = %.4g GB/s;\n", ACCESS / integers->times->median / 1e9);
  put_steps(m, out);
  if (operations) text_printf(out, "  param float-rate = %.4g Gflop/s;\n", 1e-9 / operations->times->median);
  put_spread(m, out, processors);
  text_printf(out, "  profile machine = %s;\n}\n", machine);
}

static void put_caches(struct text *out, const double *sizes, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    text_printf(out, k ? ", L%u " : " L%u ", k + 1);
    put_size(out, sizes[k]);
  }
}

/* What STREAM's kernels sustain, as it counts bytes. */
static void put_kernels(const struct measuring *m, struct text *out) {
  bool any = false;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    const struct series *series = find(m, kernels[k].test, 1, 1);
    if (!series) continue;
    text_printf(out, "%s %s %.1f GB/s", any ? "," : "// As STREAM counts, in memory:", kernels[k].name,
                1e-9 * kernels[k].bytes / series->times->median);
    any = true;
  }
  if (any) text_put(out, ".\n");
}

static void write_profile(struct measuring *m) {
  struct text text = {.arena = &m->table.psl->work};
  double found[LEVELS_MOST];
  uint32_t count = find_levels(m, found), before = 0;
  measured_origin(&m->table.data, &text);
  if (count) {
    text_put(&text, "//\n// Caches by the latency:");
    put_caches(&text, found, count);
    if (m->cache_count) text_put(&text, "; by the kernel:");
    put_caches(&text, m->caches, m->cache_count);
    text_put(&text, ".\n");
  }
  put_kernels(m, &text);
  put_table(m, &text);
  text_put(&text, "use convolver;\n");
  count = levels_had(m, found, count);
  for (uint32_t s = 0; s < m->series_count; s++) { /* by processors, once each */
    uint32_t next = UINT32_MAX;
    for (uint32_t k = 0; k < m->series_count; k++)
      if (m->series[k].processors > before && m->series[k].processors < next) next = m->series[k].processors;
    if (next == UINT32_MAX) break;
    before = next;
    put_component(m, &text, next, found, count);
  }
  measured_write(m->table.psl, &text, m->table.write, m->table.user);
}

static enum psl_code work_measure(struct psl *psl, void *arguments) {
  struct measuring *m = arguments;
  m->table.psl = psl;
  psl->memory.breakable = true;
  if (!measured_name_fits(psl, m->table.options->name) || !read_table(m)) return PSL_WRONG;
  warn_noise(m);
  write_profile(m);
  return psl->diagnostics.errors ? PSL_WRONG : PSL_OK;
}

enum psl_code psl_measure_memory(struct psl *psl, const char *name, const char *text, size_t size,
                                 const struct psl_measure_options *options, psl_write *write, void *user) {
  struct measuring m = {.table = measured_open(name, text, size, options, write, user)};
  return measured_apart(psl, work_measure, &m);
}
