/* psl_mismatch: what a measured run spent its time for beside a predicted one. A difference is beyond its spread where
 * it is wider than its interval by Welch's t of the samples, so narrow that among all that are looked at none is
 * expected by chance; and it matters where it is as great as a part of the measured time. */
#include "interp/study/mismatch.h"
#include "grammar/map.h"
#include "interp/library/trace_info.h"
#include "interp/report/report.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.01        /* of the measured time */
#define CHANCE 0.01       /* that something is named where nothing is */
#define NEARLY_ALL 0.8    /* part of a difference that is said to be that of one region, or of one rank */
#define FREEDOM_POOLED 30 /* of a spread that other samples stand for, */
#define FREEDOM_SHARED 4  /* and where they stand beside few of its own */

struct mismatch_given {
  const struct psl_mismatch_options *options;
  psl_write *write;
  void *user;
};

double mismatch_whole(const struct mismatch *m) { return m->profiles[MEASURED].end; }

static enum psl_code fail(struct psl *psl, const char *text, const char *help) {
  diagnostic_add(&psl->diagnostics, SEVERITY_ERROR, (struct span){0}, "%s", text);
  if (help) diagnostic_help(&psl->diagnostics, (struct span){0}, "%s", help);
  return PSL_WRONG;
}

/* ---- two sides ---- */

static enum psl_code open_side(struct mismatch *m, int side) {
  struct psl *psl = m->psl;
  struct program_error error;
  struct profile *profile = &m->profiles[side];
  m->sources[side] = trace_source_open(m->paths[side], &error);
  static const struct history_takers also = {.paths = true};
  if (!m->sources[side] || !profile_make(m->sources[side], profile, &also, &error)) return fail(psl, error.text, NULL);
  if (profile->cut) return fail(psl, profile->first.text, NULL);
  if (history_timed(profile->history)) return PSL_OK;
  return fail(psl, arena_printf(&psl->work, "%s does not say how long calls took", m->paths[side]),
              "psl replay --record makes a trace of it that does");
}

/* Those of one name are one, wherever their lines are. */
static uint32_t region_common(struct mismatch *m, const char *name) {
  struct arena *arena = &m->psl->work;
  if (!name) name = "?";
  for (uint32_t k = 0; k < m->region_count; k++)
    if (strcmp(m->regions[k], name) == 0) return k + 1;
  ARENA_PUSH(arena, m->regions, m->region_count, m->region_capacity, arena_copy(arena, name, strlen(name)));
  return m->region_count;
}

static void regions_match(struct mismatch *m) {
  for (int side = 0; side < SIDES; side++) {
    const struct history *history = m->profiles[side].history;
    uint32_t count = history_regions(history);
    m->region_of[side] = ARENA_ARRAY(&m->psl->work, uint32_t, count + 1);
    m->region_of[side][0] = 0;
    for (uint32_t k = 1; k <= count; k++)
      m->region_of[side][k] = region_common(m, history_region(history, k)->name);
  }
}

/* ---- amounts ---- */

/* How far samples of a side spread, as a part of their mean: by kind, of those that there are several of. */
static void relative_spreads(const struct profile *profile, double spreads[SPENT_KINDS]) {
  double squares[SPENT_KINDS] = {0}, means[SPENT_KINDS] = {0};
  for (size_t k = 0; k < profile->row_count; k++) {
    const struct samples *s = &profile->rows[k].seconds;
    if (s->count < 2) continue;
    squares[profile->rows[k].key.spent] += s->square;
    means[profile->rows[k].key.spent] += (double)(s->count - 1) * s->mean * s->mean;
  }
  for (int spent = 0; spent < SPENT_KINDS; spent++)
    spreads[spent] = means[spent] > 0 ? sqrt(squares[spent] / means[spent]) : INFINITY;
}

static void amount_add(struct amount *amount, int side, const struct samples *s, double spread) {
  double count = (double)s->count, freedom, variance = count * count * samples_variance_of_mean(s, &freedom);
  double pooled = s->mean > 0 ? count * pow(spread * s->mean, 2) : 0;
  if (isnan(variance)) {
    variance = pooled;
    freedom = FREEDOM_POOLED;
  } else if (freedom < FREEDOM_POOLED) {
    variance = (freedom * variance + FREEDOM_SHARED * pooled) / (freedom + FREEDOM_SHARED);
    freedom += FREEDOM_SHARED;
  }
  amount->total[side] += count * s->mean;
  amount->count[side] += count;
  amount->squares[side] += s->square;
  amount->longest[side] = fmax(amount->longest[side], s->maximum - s->mean);
  amount->variance += variance;
  amount->known += variance * variance / freedom;
}

/* The logarithm of how many times as long as predicted a rank takes; not finite: that is not known. */
static double times_of(const struct mismatch *m, uint32_t rank, enum spent spent) {
  double measured = m->profiles[MEASURED].spent[rank * SPENT_KINDS + spent];
  return log(measured) - log(m->profiles[PREDICTED].spent[rank * SPENT_KINDS + spent]);
}

static void times_gather(struct mismatch *m, enum spent spent) {
  for (uint32_t rank = 0; rank < m->profiles[0].ranks; rank++) {
    double far = times_of(m, rank, spent) - m->times[spent].mean;
    m->times[spent].mean += far / (rank + 1);
    m->times[spent].square += far * (far - far / (rank + 1));
  }
}

/* Where nothing is repeated the other ranks tell how far their times spread: the deviation; NaN: they do not. */
static double spread_of_others(const struct mismatch *m, uint32_t rank, enum spent spent) {
  double others = m->profiles[0].ranks - 1.0, far = times_of(m, rank, spent) - m->times[spent].mean;
  double square = m->times[spent].square - far * far * (others + 1) / others;
  return others > 1 && isfinite(square) ? sqrt(fmax(0, square) / (others - 1)) : NAN;
}

/* Half the width of its interval: as many times its deviation as Student's t says. known: as many as would do where
 * that deviation is no estimate. */
static double amount_half(const struct amount *a, double upper, bool known) {
  double freedom = fmax(1, a->variance * a->variance / a->known);
  if (isinf(a->variance)) return INFINITY;
  if (!(a->variance > 0)) return 0;
  return (known ? gsl_cdf_ugaussian_Pinv(upper) : gsl_cdf_tdist_Pinv(upper, freedom)) * sqrt(a->variance);
}

/* The same of what happens once, as far as other ranks tell. */
static double once_half(const struct amount *a, const struct mismatch *m, uint32_t rank, enum spent spent) {
  double deviation = spread_of_others(m, rank, spent);
  if (isnan(deviation)) return INFINITY;
  double t = gsl_cdf_tdist_Pinv((1 + m->confidence) / 2, m->profiles[0].ranks - 2);
  return fmin(a->total[MEASURED], a->total[PREDICTED]) * expm1(t * deviation);
}

static void amount_judge(struct amount *a, const struct mismatch *m, uint32_t rank, enum spent spent) {
  double difference = fabs(amount_difference(a)), upper = (1 + m->confidence) / 2;
  bool once = isinf(a->variance);
  a->half = once ? once_half(a, m, rank, spent) : amount_half(a, upper, false);
  if (a->half < ROUNDING) a->half = 0;
  if (difference > a->half)
    a->spread = SPREAD_BEYOND;
  else if (once)
    a->spread = SPREAD_UNKNOWN;
  else
    a->spread = difference > amount_half(a, upper, true) ? SPREAD_FEW : SPREAD_WITHIN;
  a->beyond = a->spread == SPREAD_BEYOND && difference >= m->least * mismatch_whole(m);
}

static uint64_t row_key(const struct mismatch *m, int side, const struct profile_key *key) {
  uint64_t hash = (uint64_t)key->rank << 32 | m->region_of[side][key->region];
  return (hash * 0x9e3779b97f4a7c15u ^ key->communicator) * SPENT_KINDS + key->spent;
}

/* spreads: where this side repeats nothing, those of the other stand for it. */
static void rows_add(struct mismatch *m, struct map *map, int side, const double spreads[SPENT_KINDS]) {
  const struct profile *profile = &m->profiles[side];
  for (size_t k = 0; k < profile->row_count; k++) {
    const struct profile_key *key = &profile->rows[k].key;
    const struct samples *samples = &profile->rows[k].seconds;
    bool known;
    uint32_t at = map_add(&m->psl->work, map, row_key(m, side, key), m->row_count, &known);
    if (!known)
      ARENA_PUSH(
          &m->psl->work, m->rows, m->row_count, m->row_capacity,
          ((struct mismatch_row){
              key->rank, m->region_of[side][key->region], key->communicator, key->spent, {.spread = SPREAD_UNKNOWN}}));
    amount_add(&m->rows[at].amount, side, samples, spreads[key->spent]);
    amount_add(&m->of_ranks[key->rank * SPENT_KINDS + key->spent], side, samples, spreads[key->spent]);
  }
}

static int by_difference(const void *left, const void *right) {
  const struct mismatch_row *a = left, *b = right;
  double x = fabs(amount_difference(&a->amount)), y = fabs(amount_difference(&b->amount));
  if (a->amount.beyond != b->amount.beyond) return a->amount.beyond ? -1 : 1;
  if (x != y) return x > y ? -1 : 1;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->spent != b->spent) return a->spent < b->spent ? -1 : 1;
  if (a->region != b->region) return a->region < b->region ? -1 : 1;
  return a->communicator < b->communicator ? -1 : a->communicator > b->communicator;
}

static void make_rows(struct mismatch *m) {
  struct map map = {0};
  double spreads[SIDES][SPENT_KINDS];
  m->of_ranks = ARENA_ARRAY(&m->psl->work, struct amount, (size_t)m->profiles[0].ranks * SPENT_KINDS);
  memset(m->of_ranks, 0, (size_t)m->profiles[0].ranks * SPENT_KINDS * sizeof *m->of_ranks);
  for (int side = 0; side < SIDES; side++)
    relative_spreads(&m->profiles[side], spreads[side]);
  for (int side = 0; side < SIDES; side++) {
    for (int spent = 0; spent < SPENT_KINDS; spent++)
      if (isinf(spreads[side][spent])) spreads[side][spent] = spreads[!side][spent];
    rows_add(m, &map, side, spreads[side]);
  }
  uint32_t tests = m->row_count + m->profiles[0].ranks * SPENT_KINDS;
  m->confidence = 1 - CHANCE / tests;
  for (int spent = 0; spent < SPENT_KINDS; spent++)
    times_gather(m, spent);
  for (uint32_t k = 0; k < m->row_count; k++)
    amount_judge(&m->rows[k].amount, m, m->rows[k].rank, m->rows[k].spent);
  for (uint32_t k = 0; k < m->profiles[0].ranks * SPENT_KINDS; k++)
    amount_judge(&m->of_ranks[k], m, k / SPENT_KINDS, k % SPENT_KINDS);
}

/* Where bursts spread, ranks wait for each other: that is no difference by itself. */
static void sort_rows(struct mismatch *m) {
  for (uint32_t k = 0; k < m->row_count; k++) {
    struct mismatch_row *row = &m->rows[k];
    if (row->spent == SPENT_WAIT && !m->cause_count) row->amount.beyond = false;
    m->beyond += row->amount.beyond;
  }
  if (m->row_count) qsort(m->rows, m->row_count, sizeof *m->rows, by_difference);
}

/* ---- findings ---- */

struct gathered { /* of a finding, while it is made */
  enum spent spent;
  bool *differs; /* by rank */
  uint32_t count;
  double whole; /* s, the difference of these ranks */
};

static const char *ranks_for_people(struct arena *arena, const struct gathered *g, uint32_t all) {
  struct text text = {.arena = arena};
  uint32_t listed = 0;
  if (g->count == all) return all == 1 ? "rank 0" : "all ranks";
  if (g->count > 6) return arena_printf(arena, "%u of %u ranks", g->count, all);
  for (uint32_t rank = 0; rank < all; rank++) {
    if (!g->differs[rank]) continue;
    const char *before = !listed ? (g->count == 1 ? "rank " : "ranks ") : listed + 1 < g->count ? ", " : " and ";
    text_printf(&text, "%s%u", before, rank);
    listed++;
  }
  return text.data;
}

static const char *ranks_for_programs(struct arena *arena, const struct gathered *g, uint32_t all) {
  struct text text = {.arena = arena};
  for (uint32_t rank = 0; rank < all; rank++)
    if (g->differs[rank]) text_printf(&text, "%s%u", text.size ? " " : "", rank);
  return text.data;
}

/* Where one of so many at least makes nearly all of the difference; -1: none does. */
static int64_t outstanding(const double *parts, uint32_t count, uint32_t least, double whole) {
  int64_t found = -1;
  uint32_t some = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (parts[k] != 0) some++;
    if (parts[k] / whole >= NEARLY_ALL && (found < 0 || parts[k] / whole > parts[found] / whole)) found = k;
  }
  return some >= least ? found : -1;
}

static void find_region(struct mismatch *m, const struct gathered *g, struct finding *finding) {
  double *parts = ARENA_ARRAY(&m->psl->work, double, m->region_count + 1);
  memset(parts, 0, (m->region_count + 1) * sizeof *parts);
  for (uint32_t k = 0; k < m->row_count; k++)
    if (m->rows[k].spent == g->spent && g->differs[m->rows[k].rank])
      parts[m->rows[k].region] += amount_difference(&m->rows[k].amount);
  int64_t found = outstanding(parts, m->region_count + 1, 2, g->whole);
  if (found <= 0) return;
  finding->region = m->regions[found - 1];
  memset(finding->total, 0, sizeof finding->total);
  for (uint32_t k = 0; k < m->row_count; k++)
    for (int side = 0; side < SIDES; side++)
      if (m->rows[k].spent == g->spent && g->differs[m->rows[k].rank] && m->rows[k].region == found)
        finding->total[side] += m->rows[k].amount.total[side] / g->count;
}

static void find_communicator(struct mismatch *m, const struct gathered *g, struct finding *finding) {
  struct map map = {0};
  double *parts = ARENA_ARRAY(&m->psl->work, double, m->row_count + 1);
  uint32_t *numbers = ARENA_ARRAY(&m->psl->work, uint32_t, m->row_count + 1), count = 0;
  for (uint32_t k = 0; k < m->row_count; k++) {
    bool known;
    if (m->rows[k].spent != g->spent || !g->differs[m->rows[k].rank]) continue;
    uint32_t at = map_add(&m->psl->work, &map, m->rows[k].communicator, count, &known);
    if (!known) numbers[count] = m->rows[k].communicator, parts[count++] = 0;
    parts[at] += amount_difference(&m->rows[k].amount);
  }
  int64_t found = outstanding(parts, count, 2, g->whole);
  if (found >= 0)
    finding->communicator = numbers[found] ? arena_printf(&m->psl->work, "%u", numbers[found]) : "all ranks";
}

/* The rank that is waited for; or, of messages, the one that nearly all of the difference goes to or comes from. */
static void find_other(struct mismatch *m, const struct gathered *g, struct finding *finding) {
  uint32_t ranks = m->profiles[0].ranks;
  double *parts = ARENA_ARRAY(&m->psl->work, double, ranks), whole = 0;
  memset(parts, 0, ranks * sizeof *parts);
  for (int side = 0; side < SIDES; side++)
    for (size_t k = 0; k < m->profiles[side].row_count; k++) {
      const struct profile_row *row = &m->profiles[side].rows[k];
      double seconds = (side ? -1 : 1) * (double)row->seconds.count * row->seconds.mean;
      bool messages = g->spent == SPENT_TRANSFER;
      if (row->key.spent != g->spent || row->key.peer < 0 || !(messages || g->differs[row->key.rank])) continue;
      parts[row->key.peer] += seconds;
      if (messages) parts[row->key.rank] += seconds;
      whole += seconds;
    }
  if (g->spent == SPENT_WAIT || ranks > 3)
    finding->other = outstanding(parts, ranks, g->spent == SPENT_WAIT ? 1 : 2, whole);
}

/* "1.50 times as long as predicted". */
static const char *how_long(struct arena *arena, const struct finding *f) {
  if (f->total[PREDICTED] < 1e-3 * f->total[MEASURED]) return "for some time, and none is predicted";
  return arena_printf(arena, "%.*f times as long as predicted", f->total[MEASURED] < 100 * f->total[PREDICTED] ? 2 : 0,
                      f->total[MEASURED] / f->total[PREDICTED]);
}

static const char *sentence(struct arena *arena, const struct finding *f, const struct gathered *g, uint32_t all) {
  const char *who = ranks_for_people(arena, g, all), *s = g->count == 1 ? "s" : "", *how = how_long(arena, f);
  const char *where = "";
  if (f->region) where = arena_printf(arena, ", in %s", f->region);
  if (f->communicator) where = arena_printf(arena, "%s, on communicator %s", where, f->communicator);
  switch (f->spent) {
  case SPENT_COMPUTE: return arena_printf(arena, "%s compute%s %s%s", who, s, how, where);
  case SPENT_LOST: return arena_printf(arena, "others have the processor of %s %s%s", who, how, where);
  case SPENT_TRANSFER:
    if (f->other >= 0)
      return arena_printf(arena, "messages to and from rank %lld take %s%s", (long long)f->other, how, where);
    return arena_printf(arena, "messages of %s take %s%s", who, how, where);
  case SPENT_COLLECTIVE: return arena_printf(arena, "collective operations of %s take %s%s", who, how, where);
  case SPENT_WAIT:
    if (f->other >= 0) where = arena_printf(arena, ", for rank %lld%s", (long long)f->other, where);
    return arena_printf(arena, "%s wait%s %s%s", who, s, how, where);
  default: return arena_printf(arena, "other calls of %s take %s%s", who, how, where);
  }
}

/* False: no rank differs. */
static bool find(struct mismatch *m, enum spent spent, struct finding *finding) {
  uint32_t ranks = m->profiles[0].ranks;
  struct gathered g = {.spent = spent, .differs = ARENA_ARRAY(&m->psl->work, bool, ranks)};
  *finding = (struct finding){.spent = spent, .other = -1};
  for (uint32_t rank = 0; rank < ranks; rank++) {
    const struct amount *amount = &m->of_ranks[rank * SPENT_KINDS + spent];
    double difference = amount_difference(amount);
    g.differs[rank] = amount->beyond;
    if (!amount->beyond) continue;
    g.count++;
    g.whole += difference;
    for (int side = 0; side < SIDES; side++)
      finding->total[side] += amount->total[side];
    if (fabs(difference) > fabs(finding->most)) finding->most = difference;
  }
  if (!g.count) return false;
  for (int side = 0; side < SIDES; side++)
    finding->total[side] /= g.count;
  find_region(m, &g, finding);
  find_communicator(m, &g, finding);
  if (spent == SPENT_WAIT || spent == SPENT_TRANSFER) find_other(m, &g, finding);
  finding->ranks = ranks_for_programs(&m->psl->work, &g, ranks);
  finding->text = sentence(&m->psl->work, finding, &g, ranks);
  return true;
}

static int by_most(const void *left, const void *right) {
  const struct finding *a = left, *b = right;
  double x = fabs(a->most), y = fabs(b->most);
  return x != y ? (x > y ? -1 : 1) : (int)a->spent - (int)b->spent;
}

static void make_findings(struct mismatch *m) {
  m->causes = ARENA_ARRAY(&m->psl->work, struct finding, SPENT_KINDS);
  m->waits = ARENA_NEW(&m->psl->work, struct finding);
  for (int spent = 0; spent < SPENT_KINDS; spent++)
    if (spent != SPENT_WAIT) m->cause_count += find(m, spent, &m->causes[m->cause_count]);
  m->wait_count = m->cause_count && find(m, SPENT_WAIT, m->waits);
  qsort(m->causes, m->cause_count, sizeof *m->causes, by_most);
}

/* ---- the entry ---- */

static void close_all(void *user) {
  struct mismatch *m = user;
  for (int side = 0; side < SIDES; side++) {
    profile_free(&m->profiles[side]);
    if (m->sources[side]) m->sources[side]->kind->close(m->sources[side]);
  }
}

static enum psl_code compare(struct mismatch *m) {
  enum psl_code code = PSL_OK;
  for (int side = 0; side < SIDES && code == PSL_OK; side++)
    code = open_side(m, side);
  if (code != PSL_OK) return code;
  if (m->profiles[0].ranks != m->profiles[1].ranks)
    return fail(m->psl,
                arena_printf(&m->psl->work, "the measured run has %u ranks, and the predicted one %u",
                             m->profiles[0].ranks, m->profiles[1].ranks),
                NULL);
  regions_match(m);
  make_rows(m);
  make_findings(m);
  sort_rows(m);
  mismatch_paths(m);
  return PSL_OK;
}

static enum psl_code work_mismatch(struct psl *psl, void *arguments) {
  const struct mismatch_given *given = arguments;
  struct mismatch *m = ARENA_NEW(&psl->work, struct mismatch);
  struct report report;
  *m = (struct mismatch){.psl = psl,
                         .paths = {given->options->measured, given->options->predicted},
                         .least = given->options->least > 0 ? given->options->least : LEAST};
  m->deferred = (struct arena_deferred){.run = close_all, .user = m};
  arena_defer(&psl->work, &m->deferred);
  enum psl_code code = compare(m);
  if (code != PSL_OK) return code;
  report_open(&report, given->options->format, psl->columns, &psl->work, given->write, given->user);
  report_mismatch(&report, m);
  report_close(&report);
  return PSL_OK;
}

enum psl_code psl_mismatch(struct psl *psl, const struct psl_mismatch_options *options, psl_write *write, void *user) {
  return handle_enter(psl, work_mismatch, &(struct mismatch_given){options, write, user});
}
