/* Keeps rows and pairs in tables that grow, found by a hash of what they are of. */
#include "evaluators/programs/profile.h"
#include "evaluators/programs/lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- samples ---- */

static void batches_halve(struct samples *s) {
  for (uint32_t k = 0; k < SAMPLE_BATCHES / 2; k++)
    s->sums[k] = s->sums[2 * k] + s->sums[2 * k + 1];
  s->batches = SAMPLE_BATCHES / 2;
  s->size *= 2;
}

static void samples_add(struct samples *s, double value) {
  double far = value - s->mean;
  if (!s->count || value < s->minimum) s->minimum = value;
  if (!s->count || value > s->maximum) s->maximum = value;
  s->mean += far / (double)++s->count;
  s->square += far * (value - s->mean);
  if (!s->size) s->size = 1;
  s->sum += value;
  if (++s->inside < s->size) return;
  s->sums[s->batches++] = s->sum;
  s->sum = 0;
  s->inside = 0;
  if (s->batches == SAMPLE_BATCHES) batches_halve(s);
}

static double variance(const struct samples *s) { return s->count > 1 ? s->square / (double)(s->count - 1) : 0; }

double samples_deviation(const struct samples *s) { return sqrt(variance(s)); }

double samples_variance_of_mean(const struct samples *s, double *freedom) {
  if (s->count < 2) return *freedom = 1, NAN;
  double single = variance(s) / (double)s->count, mean = 0, square = 0;
  *freedom = (double)(s->count - 1);
  if (s->size < 2) return single;
  for (uint32_t k = 0; k < s->batches; k++)
    mean += s->sums[k] / s->batches;
  for (uint32_t k = 0; k < s->batches; k++)
    square += (s->sums[k] - mean) * (s->sums[k] - mean);
  double size = (double)s->size, batched = square / (s->batches - 1) / s->batches / (size * size);
  if (batched <= single) return single;
  *freedom = s->batches - 1;
  return batched;
}

/* ---- tables ---- */

/* Room in a list and its table of places, which is kept half empty: `table` has numbers from 1. */
static bool grown(void *list, size_t count, size_t *capacity, size_t size, uint32_t **table, bool *fresh) {
  void **items = list;
  *fresh = false;
  if (count < *capacity) return true;
  size_t larger = *capacity ? 2 * *capacity : 256;
  void *more = realloc(*items, larger * size);
  if (more) *items = more;
  uint32_t *places = more ? calloc(2 * larger, sizeof *places) : NULL;
  if (!places) return false;
  free(*table);
  *table = places;
  *capacity = larger;
  return *fresh = true;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static size_t row_hash(const struct profile_key *key) {
  uint64_t bytes, hash = mixed((uint64_t)key->rank << 32 | key->region, (uint64_t)key->communicator << 32 | key->kind);
  memcpy(&bytes, &key->bytes, sizeof bytes);
  hash = mixed(mixed(hash, key->place), bytes);
  return mixed(hash, (uint64_t)(uint32_t)key->peer << 8 | key->spent);
}

static bool same_key(const struct profile_key *a, const struct profile_key *b) {
  return a->rank == b->rank && a->region == b->region && a->communicator == b->communicator && a->peer == b->peer &&
         a->spent == b->spent && a->kind == b->kind && a->place == b->place && a->bytes == b->bytes;
}

static size_t row_place(const struct profile *p, const struct profile_key *key) {
  size_t mask = 2 * p->row_capacity - 1, at = row_hash(key) & mask;
  while (p->row_table[at] && !same_key(&p->rows[p->row_table[at] - 1].key, key))
    at = (at + 1) & mask;
  return at;
}

static struct samples *row_of(struct profile *p, const struct profile_key *key) {
  bool fresh;
  if (!grown(&p->rows, p->row_count, &p->row_capacity, sizeof *p->rows, &p->row_table, &fresh)) return NULL;
  for (size_t k = 0; fresh && k < p->row_count; k++)
    p->row_table[row_place(p, &p->rows[k].key)] = (uint32_t)k + 1;
  uint32_t *place = &p->row_table[row_place(p, key)];
  if (*place) return &p->rows[*place - 1].seconds;
  p->rows[p->row_count] = (struct profile_row){.key = *key};
  *place = (uint32_t)++p->row_count;
  return &p->rows[*place - 1].seconds;
}

static size_t pair_place(const struct profile *p, uint32_t from, uint32_t to) {
  size_t mask = 2 * p->pair_capacity - 1, at = mixed((uint64_t)from << 32 | to, 0) & mask;
  while (p->pair_table[at] &&
         !(p->pairs[p->pair_table[at] - 1].from == from && p->pairs[p->pair_table[at] - 1].to == to))
    at = (at + 1) & mask;
  return at;
}

static struct profile_pair *pair_of(struct profile *p, uint32_t from, uint32_t to) {
  bool fresh;
  if (!grown(&p->pairs, p->pair_count, &p->pair_capacity, sizeof *p->pairs, &p->pair_table, &fresh)) return NULL;
  for (size_t k = 0; fresh && k < p->pair_count; k++)
    p->pair_table[pair_place(p, p->pairs[k].from, p->pairs[k].to)] = (uint32_t)k + 1;
  uint32_t *place = &p->pair_table[pair_place(p, from, to)];
  if (*place) return &p->pairs[*place - 1];
  p->pairs[p->pair_count] = (struct profile_pair){.from = from, .to = to};
  *place = (uint32_t)++p->pair_count;
  return &p->pairs[*place - 1];
}

/* ---- takers ---- */

static void take_span(void *user, const struct history_span *span) {
  struct profile *p = user;
  bool waits = span->spent == SPENT_WAIT || span->spent == SPENT_TRANSFER;
  struct profile_key key = {.rank = span->rank,
                            .region = span->region,
                            .communicator = span->communicator,
                            .peer = waits ? span->peer : -1,
                            .spent = span->spent,
                            .kind = span->kind,
                            .place = span->place,
                            .bytes = span->bytes};
  struct samples *samples = row_of(p, &key);
  double seconds = span->end - span->begin;
  p->spent[span->rank * SPENT_KINDS + span->spent] += seconds;
  if (samples)
    samples_add(samples, seconds);
  else
    p->failed = true;
  if (p->also && p->also->span) p->also->span(p->also->user, span);
}

static int class_of(double bytes) {
  if (!(bytes > 0)) return 0;
  int class = 1 + (int)ceil(log2(bytes));
  return class < 1 ? 1 : class < SIZE_CLASSES ? class : SIZE_CLASSES - 1;
}

/* Each message counts that is sent to a rank, whatever has become of it. */
static void count_message(struct profile *p, uint32_t rank, const struct program_operation *o) {
  unsigned fields = program_kinds[o->kind].fields;
  if (!(fields & FIELD_OUT) || (fields & FIELD_WINDOW) || o->destination < 0) return;
  struct profile_size *size = &p->sizes[class_of(o->bytes)];
  struct profile_pair *pair = pair_of(p, rank, (uint32_t)o->destination);
  p->messages++;
  p->message_bytes += o->bytes;
  size->count++;
  size->bytes += o->bytes;
  if (pair) pair->count++, pair->bytes += o->bytes;
  p->failed |= !pair;
}

double profile_given(const struct program_operation *o, uint32_t rank) {
  unsigned fields = program_kinds[o->kind].fields;
  if (fields & (FIELD_OUT | FIELD_FILE)) return o->bytes;
  if (!(fields & FIELD_BYTES)) return 0;
  switch (program_plain(o->kind)) {
  case PROGRAM_BCAST:
  case PROGRAM_SCATTERV: return (int32_t)rank == o->root ? o->bytes : 0;
  case PROGRAM_SCATTER: return (int32_t)rank == o->root ? o->bytes * o->member_count : 0;
  case PROGRAM_ALLTOALL:
  case PROGRAM_REDUCE_SCATTER_BLOCK: return o->bytes * o->member_count;
  default: return o->bytes;
  }
}

static struct profile_counter *counter_of(struct profile *p, const char *name, size_t size) {
  for (uint32_t k = 0; k < p->counter_count; k++)
    if (strncmp(p->counters[k].name, name, size) == 0 && !p->counters[k].name[size]) return &p->counters[k];
  struct profile_counter new = {.name = strndup(name, size), .by_rank = calloc(p->ranks, sizeof *new.by_rank)};
  if (new.name &&new.by_rank && list_grow(&p->counters, p->counter_count, &p->counter_capacity, sizeof new)) {
    p->counters[p->counter_count] = new;
    return &p->counters[p->counter_count++];
  }
  free(new.name), free(new.by_rank);
  p->failed = true;
  return NULL;
}

static void count_counters(struct profile *p, uint32_t rank, double seconds, const struct program_operation *o) {
  bool burst = program_kinds[o->kind].fields & FIELD_WORK;
  for (uint32_t k = 0; k < o->counted; k++) {
    size_t size;
    const char *name = program_counter(o, k, &size);
    struct profile_counter *counter = size ? counter_of(p, name, size) : NULL;
    if (!counter) continue;
    counter->bursts += burst;
    counter->seconds += burst ? seconds : 0;
    counter->by_rank[rank] += burst ? o->counts[k] : 0;
    *(burst ? &counter->count : &counter->in_calls) += o->counts[k];
  }
}

static void take_operation(void *user, uint32_t rank, double begin, double end, uint32_t region,
                           const struct program_operation *o) {
  struct profile *p = user;
  struct profile_kind *kind = &p->kinds[o->kind];
  p->operations++;
  kind->count++;
  kind->seconds += end - begin;
  kind->bytes += profile_given(o, rank);
  if ((program_kinds[o->kind].fields & FIELD_WORK) && o->unit == UNIT_SECONDS) p->computed[rank] += o->work;
  count_message(p, rank, o);
  count_counters(p, rank, end - begin, o);
  if (p->also && p->also->operation) p->also->operation(p->also->user, rank, begin, end, region, o);
}

static void take_message(void *user, const struct history_message *m) {
  struct profile *p = user;
  struct profile_size *size = &p->sizes[class_of(m->bytes)];
  double seconds = m->received - m->sent;
  if (p->also && p->also->message) p->also->message(p->also->user, m);
  if (m->awaited > m->sent || seconds < 0) return;
  size->awaited++;
  size->seconds += seconds;
  p->line.count++;
  p->line.x += m->bytes;
  p->line.y += seconds;
  p->line.xx += m->bytes * m->bytes;
  p->line.xy += m->bytes * seconds;
}

static void take_cut(void *user, uint32_t rank, const char *why) {
  struct profile *p = user;
  (void)rank;
  if (!p->cut++) snprintf(p->first.text, sizeof p->first.text, "%s", why);
}

/* ---- all of it ---- */

bool profile_line(const struct profile *p, double *fixed, double *per_byte) {
  double n = p->line.count, spread = n > 0 ? p->line.xx - p->line.x * p->line.x / n : 0;
  if (n < 3 || spread <= 1e-9 * p->line.xx) return false;
  *per_byte = (p->line.xy - p->line.x * p->line.y / n) / spread;
  *fixed = (p->line.y - *per_byte * p->line.x) / n;
  return true;
}

bool profile_make(struct program_source *source, struct profile *p, const struct history_takers *also,
                  struct program_error *error) {
  const struct history_takers takers = {.user = p,
                                        .span = take_span,
                                        .message = take_message,
                                        .operation = take_operation,
                                        .cut = take_cut,
                                        .paths = also && also->paths};
  *p = (struct profile){.ranks = source->ranks, .also = also};
  p->spent = calloc((size_t)source->ranks * SPENT_KINDS, sizeof *p->spent);
  p->computed = calloc(source->ranks, sizeof *p->computed);
  bool room = p->spent && p->computed;
  if (room) p->history = history_read(source, &takers, error);
  if (!room || p->failed) snprintf(error->text, sizeof error->text, "there is no memory for what the ranks do");
  for (uint32_t rank = 0; p->history && rank < p->ranks; rank++)
    if (history_end(p->history, rank) > history_end(p->history, p->last)) p->last = rank;
  p->end = p->history && p->ranks ? history_end(p->history, p->last) : 0;
  p->also = NULL; /* it has been told all */
  return p->history && !p->failed;
}

void profile_free(struct profile *p) {
  history_free(p->history);
  free(p->rows);
  free(p->row_table);
  free(p->pairs);
  free(p->pair_table);
  free(p->spent);
  free(p->computed);
  for (uint32_t k = 0; k < p->counter_count; k++)
    free(p->counters[k].name), free(p->counters[k].by_rank);
  free(p->counters);
}
