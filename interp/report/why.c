/* Why a process was where it was at a time: the chain of causes, back to the beginning of the run. Called by
 * psl_write_why.
 *
 * It goes back along the life of the process, stretch by stretch, until it comes to the end of a wait that another
 * process has brought about, or to the beginning of the life: there it goes on with that one, at the clock at which it
 * did so. What lies between that clock and the end of the wait is how long what was sent was on its way. So each piece
 * of the chain ends where the one before it began, and all of them together are the time that has been asked for. */
#include "interp/report/why.h"
#include "grammar/diagnostic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 10 };

/* ---- of the model ---- */

static void name_instance(struct results *results, const struct graph *graph, uint32_t instance) {
  const char **name = &results->why->names[instance];
  struct text text = {.arena = &results->arena};
  if (*name) return;
  graph_instance_print(&text, graph, instance);
  *name = text.data;
}

static struct why_site site_of(struct results *results, const struct sources *sources, const struct cause_site *from) {
  struct why_site site = {.name = NULL};
  site.outer = results_place(results, sources, from->outer);
  if (from->inner.end && from->inner.begin != from->outer.begin)
    site.inner = results_place(results, sources, from->inner);
  if (from->name) site.name = arena_copy(&results->arena, from->name, strlen(from->name));
  return site;
}

const char *place_library(const char *path) {
  static const char folder[] = "stdlib/";
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = sizeof folder - 1;
  return (size_t)(name - path) >= length && !strncmp(name - length, folder, length) ? name - length : NULL;
}

void results_why(struct results *results, const struct graph *graph) {
  struct causes *causes = results->trace->causes;
  struct arena *arena = &results->arena;
  struct why *why = results->why = ARENA_NEW(arena, struct why);
  why->causes = causes;
  why->names = ARENA_ARRAY(arena, const char *, graph->instance_count + 1);
  for (size_t l = 0; l < causes->life_count; l++)
    name_instance(results, graph, causes->lives[l].instance);
  for (size_t c = 0; c < causes->cause_count; c++)
    if (causes->causes[c].instance != INSTANCE_NONE) name_instance(results, graph, causes->causes[c].instance);
  why->sites = ARENA_ARRAY(arena, struct why_site, causes->site_count);
  struct map outer = {.count = 0}, told = {.count = 0};
  const char **names = ARENA_ARRAY(arena, const char *, causes->site_count);
  for (size_t s = 1; s < causes->site_count; s++) {
    bool known;
    struct why_site *site = &why->sites[s];
    uint64_t begin = causes->sites[s].outer.begin;
    *site = site_of(results, graph->model->sources, &causes->sites[s]);
    site->inner_told = site->inner.file && !place_library(site->inner.file);
    site->told =
        map_add(arena, &told, begin << 32 | (site->inner_told ? causes->sites[s].inner.begin : 0), (uint32_t)s, &known);
    const char **name = &names[map_add(arena, &outer, begin, (uint32_t)s, &known)];
    if (!*name) *name = site->name;
  }
  for (size_t s = 1; s < causes->site_count; s++)
    if (!why->sites[s].name) why->sites[s].name = names[map_get(&outer, causes->sites[s].outer.begin, 0)];
  why->components = results->component_names;
  why->component_count = graph->model->component_count;
}

/* ---- stretches, by life ---- */

struct lives {
  const struct causes *causes;
  size_t *first;   /* by life: its first place in `order`; and one more */
  uint32_t *order; /* stretches, by life, in order of time */
};

static struct lives lives_sort(struct arena *arena, const struct causes *causes) {
  struct lives lives = {causes, ARENA_ARRAY(arena, size_t, causes->life_count + 2),
                        ARENA_ARRAY(arena, uint32_t, causes->stretch_count + 1)};
  size_t *next = lives.first + 1; /* counts, then is where a life is filled, and in the end where it ends */
  for (size_t s = 0; s < causes->stretch_count; s++)
    next[causes->stretches[s].life + 1]++;
  for (size_t l = 0; l < causes->life_count; l++)
    next[l + 1] += next[l];
  for (size_t s = 0; s < causes->stretch_count; s++)
    lives.order[next[causes->stretches[s].life]++] = (uint32_t)s;
  return lives;
}

static double life_end(const struct causes *causes, uint32_t life) {
  const struct life *own = &causes->lives[life];
  return own->last ? causes->stretches[own->last - 1].end : own->begin;
}

/* The life's last stretch that begins before the time; NULL: there is none. */
static const struct time_stretch *stretch_before(const struct lives *lives, uint32_t life, double time) {
  size_t low = lives->first[life], high = lives->first[life + 1];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lives->causes->stretches[lives->order[middle]].begin < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low > lives->first[life] ? &lives->causes->stretches[lives->order[low - 1]] : NULL;
}

/* ---- which process ---- */

/* Is the text, without its blanks and the names of indices, `rank[i=3, j = 4]`, that name? */
static bool is_named(const char *text, const char *name) {
  for (bool index = false;; text++) {
    text += strspn(text, " ");
    size_t key = index ? strcspn(text, "=,]") : 0;
    if (key && text[key] == '=') text += key + 1 + strspn(text + key + 1, " ");
    name += strspn(name, " ");
    if (*text != *name) return false;
    if (!*name) return true;
    index = *name == '[' || *name == ',';
    name++;
  }
}

static double end_of_run(const struct results *results) {
  const struct psl_results *public = &results->public;
  return public->simulated.value > 0 ? public->simulated.value : results->end;
}

/* Of those who end at one time the one that has a row in the report, then the first. */
static uint32_t life_last(const struct results *results) {
  const struct causes *causes = results->why->causes;
  double most = -1, end = end_of_run(results);
  bool row = false;
  uint32_t last = 0;
  for (uint32_t l = 0; l < causes->life_count; l++) {
    double own = fmin(life_end(causes, l), end);
    bool has = results->process_of[causes->lives[l].instance] != UINT32_MAX;
    if (own < most || (own == most && (row || !has))) continue;
    most = own;
    row = has;
    last = l;
  }
  return last;
}

/* The life of the instance that lasts at that time, or is the last before; of several the last to begin. */
static bool life_at(const struct why *why, uint32_t instance, double time, uint32_t *out) {
  const struct causes *causes = why->causes;
  double most = -1;
  bool found = false;
  for (uint32_t l = 0; l < causes->life_count; l++) {
    const struct life *life = &causes->lives[l];
    if (life->instance != instance || !(life->begin < time)) continue;
    double own = fmin(life_end(causes, l), time);
    if (own < most) continue;
    most = own;
    *out = l;
    found = true;
  }
  return found;
}

static bool refuse(struct arena *arena, struct why_wrong *wrong, const char *format, const char *name,
                   const char *help) {
  wrong->message = arena_printf(arena, format, name);
  wrong->help = help;
  return false;
}

static bool has_lived(const struct why *why, uint32_t instance) {
  for (size_t l = 0; l < why->causes->life_count; l++)
    if (why->causes->lives[l].instance == instance) return true;
  return false;
}

/* Has an instance of the component that the name is of? */
static bool component_lives(const struct results *results, const char *given) {
  size_t length = strcspn(given, " [");
  for (uint32_t i = 0; i < results->instance_count; i++) {
    const char *name = results->why->names[i];
    if (name && strcspn(name, "[") == length && !strncmp(name, given, length) && has_lived(results->why, i))
      return true;
  }
  return false;
}

/* "did you mean 'rank[3]'?" */
static const char *meant(struct arena *arena, const struct why *why, size_t count, const char *given) {
  enum { MOST = 100000 };
  const char **known = NULL;
  size_t known_count = 0, capacity = 0;
  for (size_t i = 0; i < count && known_count < MOST; i++)
    if (why->names[i]) ARENA_PUSH(arena, known, known_count, capacity, why->names[i]);
  const char *name = nearest_name(given, known, known_count);
  return name ? arena_printf(arena, "did you mean '%s'?", name) : NULL;
}

/* It is none of those that have a process: one that others call, or nothing in the run. */
static bool refuse_name(struct arena *arena, const struct results *results, const char *given,
                        struct why_wrong *wrong) {
  const struct why *why = results->why;
  size_t length = strcspn(given, " [");
  for (size_t c = 0; c < why->component_count && !component_lives(results, given); c++)
    if (strlen(why->components[c]) == length && !strncmp(why->components[c], given, length))
      return refuse(arena, wrong, "'%s' has no process of its own in this run", given,
                    "what is called works in the process that calls: ask for that one, or for none, which is the one "
                    "that ends last");
  return refuse(arena, wrong, "no process is called '%s'", given, meant(arena, why, results->instance_count, given));
}

static bool instance_find(struct arena *arena, const struct results *results, const char *given, uint32_t *instance,
                          struct why_wrong *wrong) {
  const struct why *why = results->why;
  for (uint32_t i = 0; i < results->instance_count; i++) {
    if (!why->names[i] || !is_named(given, why->names[i]) || !has_lived(why, i)) continue;
    *instance = i;
    return true;
  }
  return refuse_name(arena, results, given, wrong);
}

static const char *time_text(struct arena *arena, double seconds) {
  struct text text = {.arena = arena};
  report_time(&text, seconds);
  return text.data;
}

static bool asked_for(struct chain *chain, struct arena *arena, const struct results *results,
                      const struct psl_why_options *options, struct why_wrong *wrong) {
  double end = end_of_run(results);
  uint32_t instance;
  chain->asked = options->at > 0 ? options->at : end;
  if (!results->why->causes->life_count || !(end > 0))
    return refuse(arena, wrong, "nothing takes time in this run%s", "", NULL);
  if (chain->asked > end)
    return refuse(arena, wrong,
                  arena_printf(arena, "the run ends at %s: nothing is known of %%s", time_text(arena, end)),
                  time_text(arena, chain->asked), NULL);
  if (!options->process && !(options->at > 0)) {
    chain->life = life_last(results);
    return true;
  }
  if (options->process) {
    if (!instance_find(arena, results, options->process, &instance, wrong)) return false;
  } else {
    instance = results->why->causes->lives[life_last(results)].instance;
  }
  if (life_at(results->why, instance, chain->asked, &chain->life)) return true;
  return refuse(arena, wrong, arena_printf(arena, "'%s' has not begun before %%s", results->why->names[instance]),
                time_text(arena, chain->asked), NULL);
}

/* ---- the chain ---- */

struct tracer {
  struct chain *chain;
  struct arena *arena;
  struct lives lives;
  struct why_step *step; /* in hand */
  size_t depth;
  struct map places; /* of the shares, by process, kind and place */
  struct why_share *shares;
  uint32_t share_count, share_capacity;
  double in_line; /* s: the earliest time from when on somebody of the chain stood in a server's line */
};

/* What passes while somebody of the chain stands in a server's line is time for servers, whatever others do in it. */
static void total_add(struct tracer *t, const struct why_part *part) {
  struct why_totals *totals = &t->chain->totals;
  double in_line = part->end - fmax(part->begin, t->in_line), rest = part->end - part->begin;
  if (in_line > 0) {
    sum_add(&totals->servers, in_line);
    rest = fmax(0, t->in_line - part->begin);
  }
  switch (part->kind) {
  case PART_COMPUTE: sum_add(&totals->compute, rest); break;
  case PART_COMMUNICATE:
  case PART_FLIGHT: sum_add(&totals->communicate, rest); break;
  case PART_SHARED: sum_add(&totals->servers, rest); break;
  case PART_DELAY:
  case PART_WAIT: sum_add(&totals->other, rest); break;
  case PART_KINDS: break;
  }
}

static void share_add(struct tracer *t, const struct why_part *part) {
  const struct why *why = t->chain->why;
  struct why_share share = {
      .instance = why->causes->lives[t->step->life].instance, .site = why->sites[part->site].told, .kind = part->kind};
  uint64_t key = (uint64_t)share.instance << 32 | ((uint64_t)share.site * PART_KINDS + part->kind);
  bool known;
  uint32_t place = map_add(t->arena, &t->places, key, t->share_count, &known);
  if (!known) ARENA_PUSH(t->arena, t->shares, t->share_count, t->share_capacity, share);
  t->shares[place].times++;
  sum_add(&t->shares[place].seconds, part->end - part->begin);
}

/* Of those that are as great, what comes first in the chain. */
static void shares_choose(const struct tracer *t) {
  struct chain *chain = t->chain;
  for (uint32_t k = 0; k < t->share_count; k++) {
    size_t at = chain->most_count;
    double seconds = sum_total(&t->shares[k].seconds);
    while (at > 0 && sum_total(&chain->most[at - 1].seconds) < seconds)
      at--;
    if (at == MOST_SHARES) continue;
    size_t last = chain->most_count < MOST_SHARES ? chain->most_count++ : MOST_SHARES - 1;
    memmove(&chain->most[at + 1], &chain->most[at], (last - at) * sizeof *chain->most);
    chain->most[at] = t->shares[k];
  }
}

static bool is_written(const struct tracer *t) { return t->chain->all <= t->depth; }

static void part_add(struct tracer *t, enum why_kind kind, uint32_t site, double begin, double end) {
  struct why_part part = {kind, site, begin, end};
  struct why_step *step = t->step;
  if (!(end > begin)) return;
  total_add(t, &part);
  share_add(t, &part);
  if (is_written(t)) ARENA_PUSH(t->arena, step->parts, step->count, step->capacity, part);
}

static void step_begin(struct tracer *t, uint32_t life, double end) {
  struct chain *chain = t->chain;
  struct why_step step = {.life = life, .begin = end, .end = end, .since = end};
  chain->all++;
  if (is_written(t)) {
    ARENA_PUSH(t->arena, chain->steps, chain->count, chain->capacity, step);
    t->step = &chain->steps[chain->count - 1];
  } else {
    *t->step = step;
  }
}

/* What the process does, or waits for, that nobody else has brought about. */
static enum why_kind kind_of(const struct time_stretch *stretch, const struct cause *cause) {
  switch (stretch->activity) {
  case ACTIVITY_COMPUTE: return PART_COMPUTE;
  case ACTIVITY_COMMUNICATE: return PART_COMMUNICATE;
  case WAIT_LATE_SENDER:
  case WAIT_LATE_RECEIVER:
  case WAIT_COLLECTIVE:
  case WAIT_TRANSFER:
  case WAIT_CONTENTION: return PART_COMMUNICATE;
  default: return cause && cause->kind == CAUSE_SHARED ? PART_SHARED : PART_WAIT;
  }
}

/* The system's, which it begins with all at once. */
static bool is_beginning(const struct causes *causes, const struct cause *cause, double time) {
  const struct life *life = &causes->lives[cause->life];
  return !life->cause && time == life->begin;
}

/* Goes on with the one that has brought it about; false: nobody has. */
static bool step_end(struct tracer *t, uint32_t number, uint32_t *life, double *time) {
  const struct causes *causes = t->chain->why->causes;
  const struct cause *cause = number ? &causes->causes[number] : NULL;
  t->step->cause = number;
  t->step->begin = *time;
  if (!cause || cause->life == CAUSES_NOBODY) {
    t->step->cause = 0;
    return false;
  }
  double then = fmin(cause->time, *time);
  bool begun = cause->kind == CAUSE_TOKEN || cause->kind == CAUSE_CALL;
  part_add(t, begun ? PART_DELAY : PART_FLIGHT, cause->site, then, *time);
  t->step->begin = then;
  if (cause->kind == CAUSE_SERVER) t->in_line = fmin(t->in_line, t->step->since);
  *life = cause->life;
  *time = then;
  return !is_beginning(causes, cause, then);
}

/* The beginning of the life. */
static bool step_born(struct tracer *t, uint32_t *life, double *time) {
  const struct life *own = &t->chain->why->causes->lives[*life];
  t->step->born = true;
  t->step->since = fmin(own->asked, *time);
  t->step->site = own->site;
  return step_end(t, own->cause, life, time);
}

static bool step_find(struct tracer *t, uint32_t *life, double *time) {
  const struct causes *causes = t->chain->why->causes;
  const struct time_stretch *stretch;
  step_begin(t, *life, *time);
  while ((stretch = stretch_before(&t->lives, *life, *time))) {
    const struct cause *cause = stretch->cause ? &causes->causes[stretch->cause] : NULL;
    if (stretch->end < *time) { /* nothing is known of what lies between */
      part_add(t, PART_WAIT, stretch->site, stretch->end, *time);
      *time = stretch->end;
      continue;
    }
    if (cause && cause->life != *life) {
      t->step->since = stretch->begin;
      t->step->activity = stretch->activity;
      t->step->site = stretch->site;
      return step_end(t, stretch->cause, life, time);
    }
    part_add(t, kind_of(stretch, cause), stretch->site, stretch->begin, *time);
    *time = stretch->begin;
  }
  double begin = fmin(causes->lives[*life].begin, *time);
  part_add(t, PART_WAIT, causes->lives[*life].site, begin, *time);
  *time = begin;
  return step_born(t, life, time);
}

bool chain_find(struct chain *chain, struct arena *arena, const struct results *results,
                const struct psl_why_options *options, struct why_wrong *wrong) {
  const struct causes *causes = results->why->causes;
  struct why_step unwritten;
  *chain = (struct chain){.why = results->why, .types = results->types};
  if (!asked_for(chain, arena, results, options, wrong)) return false;
  struct tracer t = {.chain = chain,
                     .arena = arena,
                     .lives = lives_sort(arena, causes),
                     .step = &unwritten,
                     .depth = options->depth ? options->depth : DEPTH,
                     .in_line = INFINITY};
  uint32_t life = chain->life;
  double time = chain->at = fmin(chain->asked, life_end(causes, life));
  if (!(options->at > 0)) chain->asked = chain->at;
  if (!(time > 0))
    return refuse(arena, wrong, "'%s' has not taken any time", results->why->names[causes->lives[life].instance], NULL);
  do {
    if (chain->all == t.depth) t.step = &unwritten;
  } while (step_find(&t, &life, &time));
  chain->from = time;
  shares_choose(&t);
  return true;
}

struct why_sum *step_sums(struct arena *arena, const struct chain *chain, const struct why_step *step, bool within,
                          size_t *count) {
  struct why_sum *sums = NULL;
  size_t capacity = 0;
  struct map places = {.count = 0};
  *count = 0;
  for (size_t p = step->count; p-- > 0;) {
    const struct why_part *part = &step->parts[p];
    bool known;
    uint32_t site = within ? part->site : chain->why->sites[part->site].told;
    uint64_t key = (uint64_t)part->kind << 32 | site;
    uint32_t place = map_add(arena, &places, key, (uint32_t)*count, &known);
    if (!known) ARENA_PUSH(arena, sums, *count, capacity, ((struct why_sum){.kind = part->kind, .site = site}));
    sums[place].times++;
    sum_add(&sums[place].seconds, part->end - part->begin);
  }
  return sums;
}

bool report_why(struct output *out, const struct results *results, const struct psl_why_options *options,
                unsigned columns, struct why_wrong *wrong) {
  struct chain chain;
  if (options->format != PSL_TEXT && options->format != PSL_JSON)
    return refuse(out->text.arena, wrong, "causes are written as text or json, not as %s",
                  psl_format_name(options->format), NULL);
  if (!chain_find(&chain, out->text.arena, results, options, wrong)) return false;
  if (options->format == PSL_JSON)
    chain_json(out, &chain);
  else
    chain_text(out, &chain, columns);
  return true;
}
