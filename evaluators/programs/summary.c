/* Counts the operations of a source, rank after rank. Time is that which operations took in the run that was traced,
 * or, where that is not known, the seconds of computations. */
#include "evaluators/programs/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 256, NAMES = 1 << 10 };

struct counting {
  struct trace_summary *summary;
  uint32_t inside[DEEPEST]; /* regions that the rank is in */
  uint32_t depth;
  uint32_t first[NAMES]; /* regions by a hash of name and line, by number and one */
  uint32_t *next;        /* by region */
  double computed;       /* by the rank */
};

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static uint32_t hash_of(const struct program_operation *o) {
  uint32_t hash = 2166136261u ^ o->line;
  for (const char *at = o->name ? o->name : ""; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 16777619u;
  return hash % NAMES;
}

static bool regions_grow(struct counting *c) {
  struct trace_summary *s = c->summary;
  if (s->region_count < s->region_capacity) return true;
  uint32_t capacity = s->region_capacity ? 2 * s->region_capacity : 16;
  struct trace_region *regions = realloc(s->regions, capacity * sizeof *regions);
  if (regions) s->regions = regions;
  uint32_t *next = realloc(c->next, capacity * sizeof *next);
  if (next) c->next = next;
  if (regions && next) s->region_capacity = capacity;
  return regions && next;
}

static bool enter(struct counting *c, const struct program_operation *o) {
  struct trace_summary *s = c->summary;
  uint32_t *list = &c->first[hash_of(o)], k = *list;
  while (k && !(s->regions[k - 1].line == o->line && same_text(s->regions[k - 1].name, o->name) &&
                same_text(s->regions[k - 1].file, o->file)))
    k = c->next[k - 1];
  if (!k) {
    if (!regions_grow(c)) return false;
    s->regions[s->region_count] = (struct trace_region){
        .name = o->name ? strdup(o->name) : NULL, .file = o->file ? strdup(o->file) : NULL, .line = o->line};
    c->next[s->region_count] = *list;
    *list = k = ++s->region_count;
  }
  s->regions[k - 1].times++;
  if (c->depth < DEEPEST) c->inside[c->depth] = k - 1;
  c->depth++;
  return true;
}

/* Each region that the rank is in, once, however often it was entered. */
static void spend(struct counting *c, double seconds) {
  uint32_t depth = c->depth < DEEPEST ? c->depth : DEEPEST;
  for (uint32_t k = 0; k < depth; k++) {
    bool again = false;
    for (uint32_t i = 0; i < k && !again; i++)
      again = c->inside[i] == c->inside[k];
    if (!again) c->summary->regions[c->inside[k]].seconds += seconds;
  }
}

static bool count(struct counting *c, const struct program_operation *o) {
  struct trace_summary *s = c->summary;
  unsigned fields = program_kinds[o->kind].fields;
  bool computes = (fields & FIELD_WORK) && o->unit == UNIT_SECONDS;
  double seconds = o->took > 0 ? o->took : computes ? o->work : o->duration;
  s->operations++;
  s->kinds[o->kind].count++;
  s->kinds[o->kind].seconds += seconds;
  s->kinds[o->kind].bytes += fields & (FIELD_OUT | FIELD_BYTES | FIELD_FILE) ? o->bytes : 0;
  if ((fields & FIELD_OUT) && !(fields & FIELD_WINDOW) && o->destination >= 0) {
    s->messages++;
    s->message_bytes += o->bytes;
  }
  if (computes) c->computed += o->work;
  if (o->kind == PROGRAM_ENTER && !enter(c, o)) return false;
  if (o->kind == PROGRAM_LEAVE && c->depth) c->depth--;
  spend(c, seconds);
  return true;
}

static void cut(struct trace_summary *s, const struct program_source *source, uint32_t rank,
                const struct program_error *error) {
  char place[80];
  if (s->cut++) return;
  source->kind->place(source, rank, place, sizeof place);
  snprintf(s->first.text, sizeof s->first.text, "%s: %.98s", place, error->text);
}

bool trace_summary_make(struct program_source *source, struct trace_summary *s) {
  const struct program_answer none = {.request = -1, .index = -1};
  struct counting c = {.summary = s};
  struct program_error error;
  struct program_operation o;
  bool fine = true;
  *s = (struct trace_summary){0};
  for (uint32_t rank = 0; fine && rank < source->ranks; rank++) {
    enum program_next next;
    c.depth = 0;
    c.computed = 0;
    while (fine && (next = source->kind->next(source, rank, &none, &o, &error)) == PROGRAM_NEXT) {
      const char *wrong = program_operation_wrong(&o, source->ranks);
      if (wrong) snprintf(error.text, sizeof error.text, "%s", wrong);
      if (wrong) next = PROGRAM_FAILED;
      if (wrong) break;
      fine = count(&c, &o);
    }
    if (fine && next == PROGRAM_FAILED) cut(s, source, rank, &error);
    s->compute_mean += c.computed / source->ranks;
    if (c.computed > s->compute_most) s->compute_most = c.computed, s->compute_rank = rank;
  }
  free(c.next);
  return fine;
}

void trace_summary_free(struct trace_summary *s) {
  for (uint32_t k = 0; k < s->region_count; k++) {
    free(s->regions[k].name);
    free(s->regions[k].file);
  }
  free(s->regions);
}
