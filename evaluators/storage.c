/* Storage: what disks and caches do that PSL does not say well. It owns the arms of disks, which serve who waits in the
 * order of a queue discipline, and the contents of caches; how long anything takes is said by the components of
 * stdlib/disks.psl, whose bodies call these functions.
 *
 * A disk or a cache is known by the component instance whose body calls. Calls take effect in the order of virtual
 * time, so each answers PSL_LATER until it is ordered.
 *
 * Invariants: an arm that is not busy has nobody in line; who waits for a block waits for a fetch that is under way. */
#include "evaluators/caller.h"
#include "evaluators/level.h"
#include "evaluators/storage/arm.h"
#include "evaluators/storage/cache.h"
#include <inttypes.h>
#include <math.h>

enum { FIRST_NUMBERS = 64 };
static const uint32_t NOBODY = UINT32_MAX;

struct ticket { /* of a look that found blocks missing, or on their way */
  struct ticket *next;
  int64_t number;
  uint32_t process, others; /* others: fetches that it waits for */
  bool waits;
};
struct waiter {
  struct waiter *next;
  struct ticket *ticket;
};
struct fetch { /* blocks on their way */
  struct fetch *next;
  int64_t first, last;
  const struct ticket *by;
  struct waiter *waiters, *last_waiter;
};
struct part {
  struct part *next;
  uint32_t instance;
  double from;         /* the figures are of the time from then on */
  struct cache *cache; /* NULL: it is a disk */
  int64_t policy, capacity;
  struct fetch *fetches;
  struct ticket *tickets;
  uint64_t hits, misses, ahead;
  struct arm arm;
  struct level busy, waiting;
  uint64_t served;
  double way; /* cylinders that the arm has crossed */
};
struct numbers {
  int64_t *items;
  uint32_t count, room;
};
struct state {
  struct psl_host *host;
  struct part *parts, **last_part;
  struct part **by_instance;
  uint32_t instance_capacity;
  struct waiter *free_waiters;
  struct fetch *free_fetches;
  struct ticket *free_tickets;
  int64_t next_ticket;
  struct numbers answer, fetches; /* of the call in hand; runs to fetch that the answer has not yet */
};

static void *storage_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  s->last_part = &s->parts;
  return s;
}

/* ---- parts ---- */

static void figures_begin(struct part *part, double clock) {
  part->from = clock;
  part->hits = part->misses = part->ahead = part->served = 0;
  part->way = 0;
  level_restart(&part->busy, clock);
  level_restart(&part->waiting, clock);
}

static void warm_up_look(const struct state *s, struct part *part, double clock) {
  if (part->from < s->host->begin && clock >= s->host->begin) {
    level_set(&part->busy, part->busy.value, s->host->begin);
    level_set(&part->waiting, part->waiting.value, s->host->begin);
    figures_begin(part, s->host->begin);
  }
}

/* The caller's; NULL: this is its first call. */
static struct part *part_find(const struct state *s, const struct psl_call *call) {
  struct part *part = call->instance < s->instance_capacity ? s->by_instance[call->instance] : NULL;
  if (part) warm_up_look(s, part, call->clock);
  return part;
}

static struct part *part_new(struct state *s, const struct psl_call *call) {
  s->by_instance = reached(s->host, s->by_instance, &s->instance_capacity, call->instance);
  struct part *part = s->by_instance[call->instance] = s->host->allocate(s->host, sizeof *part);
  part->instance = call->instance;
  *s->last_part = part;
  s->last_part = &part->next;
  return part;
}

static void level_open(struct state *s, struct level *level, uint32_t instance, const char *name) {
  level->drawn = s->host->level_open(s->host, instance, name);
  level->draw = s->host->level;
}

/* ---- disks ---- */

static struct part *disk_new(struct state *s, const struct psl_call *call, int64_t discipline) {
  struct part *disk = part_new(s, call);
  disk->arm.discipline = (enum arm_discipline)discipline;
  level_open(s, &disk->busy, call->instance, "busy");
  level_open(s, &disk->waiting, call->instance, "waiting");
  warm_up_look(s, disk, call->clock);
  return disk;
}

/* NULL after an error. */
static struct part *disk_of(struct state *s, struct psl_call *call, int64_t discipline) {
  struct part *disk = part_find(s, call);
  if (disk && disk->cache)
    return psl_failed(call, "%s is used as a disk, and has been as a cache", name_of(s->host, call)), NULL;
  if (!disk && (discipline < 0 || discipline >= ARM_DISCIPLINES))
    return psl_failed(call, "%" PRId64 " is no discipline of a disk: they are 0 to %d", discipline,
                      ARM_DISCIPLINES - 1),
           NULL;
  return disk ? disk : disk_new(s, call, discipline);
}

/* The arm sets out for the request. */
static void arm_go(struct part *disk, int64_t cylinder) {
  int64_t way = cylinder - disk->arm.cylinder;
  if (way) disk->arm.downwards = way < 0;
  disk->way += fabs((double)way);
  disk->served++;
}

static bool cylinder_fits(const struct state *s, struct psl_call *call, int64_t cylinder) {
  if (cylinder >= 0 && cylinder < INT32_MAX) return true;
  psl_failed(call, "%s has no cylinder %" PRId64 ": they are 0 to %d", name_of(s->host, call), cylinder, INT32_MAX - 1);
  return false;
}

static enum psl_status disk_turn(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  int64_t cylinder = call->arguments[1].integer;
  struct part *disk = disk_of(s, call, call->arguments[0].integer);
  if (!disk || !cylinder_fits(s, call, cylinder)) return PSL_FAILED;
  if (disk->arm.busy) {
    arm_enter(s->host, &disk->arm, cylinder, call->process);
    level_set(&disk->waiting, disk->arm.count, call->clock);
    call->memory = disk;
    return PSL_BLOCKED;
  }
  disk->arm.busy = true;
  level_set(&disk->busy, 1, call->clock);
  call->result.integer = disk->arm.cylinder;
  arm_go(disk, cylinder);
  return PSL_DONE;
}

static enum psl_status disk_leave(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  int64_t cylinder = call->arguments[0].integer;
  struct part *disk = part_find(s, call);
  if (!disk || disk->cache || !disk->arm.busy)
    return psl_failed(call, "nobody has had a turn at %s that could end", name_of(s->host, call));
  if (!cylinder_fits(s, call, cylinder)) return PSL_FAILED;
  disk->arm.cylinder = cylinder;
  if (!disk->arm.count) {
    disk->arm.busy = false;
    level_set(&disk->busy, 0, call->clock);
    return PSL_DONE;
  }
  struct arm_request next = arm_next(&disk->arm);
  level_set(&disk->waiting, disk->arm.count, call->clock);
  arm_go(disk, next.cylinder);
  s->host->resume(s->host, next.process, call->clock, (union psl_argument){.integer = cylinder});
  return PSL_DONE;
}

/* ---- caches ---- */

static struct part *cache_new(struct state *s, struct psl_call *call, int64_t policy, int64_t capacity) {
  if (policy < 0 || policy >= CACHE_POLICIES)
    return psl_failed(call, "%" PRId64 " is no policy of a cache: they are 0 to %d", policy, CACHE_POLICIES - 1), NULL;
  if (capacity < 1 || capacity > CACHE_BLOCKS_MOST)
    return psl_failed(call, "%s has %" PRId64 " blocks: 1 to %d can be", name_of(s->host, call), capacity,
                      CACHE_BLOCKS_MOST),
           NULL;
  struct part *part = part_new(s, call);
  part->policy = policy;
  part->capacity = capacity;
  part->cache = cache_make(s->host, (enum cache_policy)policy, (uint32_t)capacity);
  warm_up_look(s, part, call->clock);
  return part;
}

/* Of arguments that begin with policy and capacity; NULL after an error. */
static struct part *cache_of(struct state *s, struct psl_call *call) {
  int64_t policy = call->arguments[0].integer, capacity = call->arguments[1].integer;
  struct part *part = part_find(s, call);
  if (!part) return cache_new(s, call, policy, capacity);
  if (!part->cache)
    return psl_failed(call, "%s is used as a cache, and has been as a disk", name_of(s->host, call)), NULL;
  if (part->policy == policy && part->capacity == capacity) return part;
  return psl_failed(call,
                    "%s has been a cache of %" PRId64 " blocks and policy %" PRId64 ", and is of %" PRId64
                    " and %" PRId64 " here",
                    name_of(s->host, call), part->capacity, part->policy, capacity, policy),
         NULL;
}

/* ---- answers ---- */

static void number_add(const struct state *s, struct numbers *to, int64_t number) {
  if (to->count == to->room) {
    uint32_t room = to->room ? 2 * to->room : FIRST_NUMBERS;
    int64_t *more = s->host->allocate(s->host, room * sizeof *more);
    if (to->room) memcpy(more, to->items, to->room * sizeof *more);
    to->items = more;
    to->room = room;
  }
  to->items[to->count++] = number;
}

/* Blocks that follow each other are one run; `from`: where the runs begin that the block may belong to. */
static void run_add(const struct state *s, struct numbers *to, uint32_t from, int64_t what, int64_t block) {
  int64_t *last = to->items + to->count;
  if (to->count >= from + 3 && last[-3] == what && last[-2] + last[-1] == block) {
    last[-1]++;
    return;
  }
  number_add(s, to, what);
  number_add(s, to, block);
  number_add(s, to, 1);
}

static void fetches_answer(struct state *s) {
  for (uint32_t i = 0; i < s->fetches.count; i++)
    number_add(s, &s->answer, s->fetches.items[i]);
  s->fetches.count = 0;
}

static void answer_give(const struct state *s, struct psl_call *call) {
  call->result.integers.items = s->answer.items;
  call->result.integers.count = s->answer.count;
}

/* ---- fetches ---- */

static struct fetch *fetch_find(const struct part *part, int64_t block) {
  struct fetch *fetch = part->fetches;
  while (fetch && (block < fetch->first || block > fetch->last))
    fetch = fetch->next;
  return fetch;
}

static struct ticket *ticket_new(struct state *s, struct part *part) {
  struct ticket *ticket = s->free_tickets;
  if (ticket)
    s->free_tickets = ticket->next;
  else
    ticket = s->host->allocate(s->host, sizeof *ticket);
  *ticket = (struct ticket){.next = part->tickets, .number = s->next_ticket++};
  return part->tickets = ticket;
}

static void ticket_free(struct state *s, struct part *part, struct ticket *ticket) {
  struct ticket **link = &part->tickets;
  while (*link != ticket)
    link = &(*link)->next;
  *link = ticket->next;
  ticket->next = s->free_tickets;
  s->free_tickets = ticket;
}

static void fetch_begin(struct state *s, struct part *part, const struct ticket *by, int64_t block) {
  if (part->fetches && part->fetches->by == by && part->fetches->last + 1 == block) {
    part->fetches->last = block;
    return;
  }
  struct fetch *fetch = s->free_fetches;
  if (fetch)
    s->free_fetches = fetch->next;
  else
    fetch = s->host->allocate(s->host, sizeof *fetch);
  *fetch = (struct fetch){.next = part->fetches, .first = block, .last = block, .by = by};
  part->fetches = fetch;
}

static void fetch_await(struct state *s, struct fetch *fetch, struct ticket *ticket) {
  if (fetch->by == ticket || (fetch->waiters && fetch->last_waiter->ticket == ticket)) return;
  struct waiter *waiter = s->free_waiters;
  if (waiter)
    s->free_waiters = waiter->next;
  else
    waiter = s->host->allocate(s->host, sizeof *waiter);
  *waiter = (struct waiter){NULL, ticket};
  *(fetch->waiters ? &fetch->last_waiter->next : &fetch->waiters) = waiter;
  fetch->last_waiter = waiter;
  ticket->others++;
}

static void fetch_end(struct state *s, struct part *part, struct fetch *fetch, double clock) {
  for (struct waiter *waiter = fetch->waiters, *next; waiter; waiter = next) {
    struct ticket *ticket = waiter->ticket;
    next = waiter->next;
    waiter->next = s->free_waiters;
    s->free_waiters = waiter;
    if (--ticket->others || !ticket->waits) continue;
    uint32_t process = ticket->process;
    ticket_free(s, part, ticket);
    if (process != NOBODY) s->host->resume(s->host, process, clock, (union psl_argument){.integer = 0});
  }
  fetch->next = s->free_fetches;
  s->free_fetches = fetch;
}

/* ---- looking for blocks ---- */

enum { DO_FETCH, DO_WRITE };
enum { BLOCKS_A_LOOK = 1 << 22 };

struct look {
  int64_t first, last;
  bool writes, ahead;
  int64_t covered_first, covered_last; /* written as a whole: not fetched */
  struct ticket *ticket;               /* NULL: nothing is missing, so far */
};

static struct ticket *ticket_of(struct state *s, struct part *part, struct look *look) {
  if (look->ticket) return look->ticket;
  look->ticket = ticket_new(s, part);
  number_add(s, &s->answer, look->ticket->number);
  return look->ticket;
}

static void block_hit(struct state *s, struct part *part, struct look *look, int64_t block) {
  part->hits++;
  struct fetch *fetch = part->fetches ? fetch_find(part, block) : NULL;
  if (fetch) fetch_await(s, fetch, ticket_of(s, part, look));
}

static void block_miss(struct state *s, struct part *part, struct look *look, int64_t block,
                       const struct cache_outcome *outcome) {
  struct ticket *ticket = ticket_of(s, part, look);
  ++*(look->ahead ? &part->ahead : &part->misses);
  if (outcome->evicts) {
    /* What goes is written before all that is fetched in its place, but behind its own fetch. */
    if (outcome->victim >= look->first && outcome->victim < block) fetches_answer(s);
    run_add(s, &s->answer, 1, DO_WRITE, outcome->victim);
  }
  if (block >= look->covered_first && block <= look->covered_last) return;
  run_add(s, &s->fetches, 0, DO_FETCH, block);
  fetch_begin(s, part, ticket, block);
}

static bool blocks_fit(const struct state *s, struct psl_call *call, const struct look *look) {
  if (look->first < 0 || look->last < look->first)
    psl_failed(call, "%s has no blocks %" PRId64 " to %" PRId64, name_of(s->host, call), look->first, look->last);
  else if (look->last - look->first >= BLOCKS_A_LOOK)
    psl_failed(call, "blocks %" PRId64 " to %" PRId64 " of %s are more than the %d that are looked for at once",
               look->first, look->last, name_of(s->host, call), BLOCKS_A_LOOK);
  else
    return true;
  return false;
}

static enum psl_status look_for(struct state *s, struct psl_call *call, struct look *look) {
  if (!call->ordered) return PSL_LATER;
  struct part *part = cache_of(s, call);
  if (!part || !blocks_fit(s, call, look)) return PSL_FAILED;
  s->answer.count = s->fetches.count = 0;
  for (int64_t block = look->first; block <= look->last; block++) {
    if (look->ahead && cache_has(part->cache, block)) continue;
    struct cache_outcome outcome = cache_use(part->cache, block, look->writes);
    if (outcome.hit)
      block_hit(s, part, look, block);
    else
      block_miss(s, part, look, block, &outcome);
  }
  fetches_answer(s);
  answer_give(s, call);
  return PSL_DONE;
}

static enum psl_status cache_look(void *state, struct psl_call *call) {
  const union psl_argument *given = call->arguments;
  struct look look = {.first = given[2].integer, .last = given[3].integer, .covered_last = -1};
  return look_for(state, call, &look);
}

static enum psl_status cache_write(void *state, struct psl_call *call) {
  const union psl_argument *given = call->arguments;
  struct look look = {.first = given[2].integer,
                      .last = given[3].integer,
                      .covered_first = given[4].integer,
                      .covered_last = given[5].integer,
                      .writes = given[6].integer != 0};
  return look_for(state, call, &look);
}

static enum psl_status cache_ahead(void *state, struct psl_call *call) {
  const union psl_argument *given = call->arguments;
  struct look look = {.first = given[2].integer, .last = given[3].integer, .covered_last = -1, .ahead = true};
  return look_for(state, call, &look);
}

static enum psl_status cache_fetched(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  int64_t number = call->arguments[0].integer;
  struct part *part = part_find(s, call);
  struct ticket *ticket = part ? part->tickets : NULL;
  while (ticket && ticket->number != number)
    ticket = ticket->next;
  if (!ticket || ticket->waits)
    return psl_failed(call, "nothing is on its way to %s for %" PRId64, name_of(s->host, call), number);
  struct fetch **link = &part->fetches, *ended = NULL;
  while (*link) {
    struct fetch *fetch = *link;
    if (fetch->by != ticket) {
      link = &fetch->next;
      continue;
    }
    *link = fetch->next;
    fetch->next = ended;
    ended = fetch;
  }
  for (struct fetch *next; ended; ended = next) {
    next = ended->next;
    fetch_end(s, part, ended, call->clock);
  }
  if (!ticket->others) {
    ticket_free(s, part, ticket);
    return PSL_DONE;
  }
  ticket->waits = true;
  ticket->process = call->process;
  call->memory = ticket;
  return PSL_BLOCKED;
}

static enum psl_status cache_written(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  const struct part *part = part_find(s, call);
  uint32_t count = 0;
  s->answer.count = 0;
  if (part && !part->cache)
    return psl_failed(call, "%s is used as a cache, and has been as a disk", name_of(s->host, call));
  const int64_t *blocks = part ? cache_clean(part->cache, &count) : NULL;
  for (uint32_t i = 0; i < count; i++)
    run_add(s, &s->answer, 0, DO_WRITE, blocks[i]);
  answer_give(s, call);
  return PSL_DONE;
}

/* ---- who waits ---- */

static struct ticket *ticket_find(const struct part *part, uint32_t process) {
  struct ticket *ticket = part->tickets;
  while (ticket && (!ticket->waits || ticket->process != process))
    ticket = ticket->next;
  return ticket;
}

static void storage_cancel(void *state, uint32_t process, double clock, void *memory) {
  const struct state *s = state;
  if (!memory) return;
  for (struct part *part = s->parts; part; part = part->next) {
    struct ticket *ticket = ticket_find(part, process);
    if (ticket) ticket->process = NOBODY;
    if (!part->cache && arm_leave(&part->arm, process)) level_set(&part->waiting, part->arm.count, clock);
  }
}

static bool waits_for_arm(const struct arm *arm, uint32_t process) {
  for (uint32_t i = 0; i < arm->count; i++)
    if (arm->requests[arm->first + i].process == process) return true;
  return false;
}

static void storage_explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  const struct state *s = state;
  (void)other; /* whoever has the arm, or fetches */
  for (const struct part *part = s->parts; part; part = part->next) {
    if (waits_for_arm(&part->arm, process))
      snprintf(out, size, "for the arm of %s", s->host->name(s->host, part->instance));
    if (ticket_find(part, process))
      snprintf(out, size, "for blocks that others fetch into %s", s->host->name(s->host, part->instance));
  }
}

/* ---- the report ---- */

enum figure { SERVED, UTILISATION, WAITING, SEEK, HITS, MISSES, AHEAD, FIGURES };
#define DISK_CALLS "turn leave"
#define CACHE_CALLS "look write ahead fetched written"

static const struct psl_evaluator_figure figures[FIGURES + 1] = {
    [SERVED] = {"accesses of", "", true, DISK_CALLS},
    [UTILISATION] = {"utilisation of", "", false, DISK_CALLS},
    [WAITING] = {"mean number that wait at", "", false, DISK_CALLS},
    [SEEK] = {"mean cylinders crossed by", "", false, DISK_CALLS},
    [HITS] = {"hits in", "", true, CACHE_CALLS},
    [MISSES] = {"misses in", "", true, CACHE_CALLS},
    [AHEAD] = {"blocks read ahead into", "", true, CACHE_CALLS},
};

struct rows {
  struct psl_statistic *out;
  size_t count, capacity;
};

static void row_add(const struct state *s, struct rows *rows, enum figure figure, uint32_t instance, double value) {
  if (rows->count == rows->capacity) return;
  const char *name = s->host->name(s->host, instance);
  size_t size = strlen(figures[figure].name) + strlen(name) + 2;
  char *text = s->host->allocate(s->host, size);
  snprintf(text, size, "%s %s", figures[figure].name, name);
  rows->out[rows->count++] = (struct psl_statistic){text, "", value, figures[figure].whole};
}

static size_t storage_statistics(void *state, struct psl_statistic *out, size_t capacity) {
  const struct state *s = state;
  struct rows rows = {out, 0, capacity};
  double end = s->host->end(s->host);
  for (struct part *part = s->parts; part; part = part->next) {
    warm_up_look(s, part, INFINITY);
    if (part->cache) {
      row_add(s, &rows, HITS, part->instance, (double)part->hits);
      row_add(s, &rows, MISSES, part->instance, (double)part->misses);
      if (part->ahead) row_add(s, &rows, AHEAD, part->instance, (double)part->ahead);
      continue;
    }
    row_add(s, &rows, SERVED, part->instance, (double)part->served);
    row_add(s, &rows, UTILISATION, part->instance, level_mean(&part->busy, part->from, end));
    row_add(s, &rows, WAITING, part->instance, level_mean(&part->waiting, part->from, end));
    if (part->served) row_add(s, &rows, SEEK, part->instance, part->way / (double)part->served);
  }
  return rows.count;
}

static const struct psl_evaluator_function functions[] = {
    {.name = "turn",
     .signature = "(discipline : int, cylinder : int) -> int",
     .kind = PSL_CALL,
     .call = disk_turn,
     .doc = "Waits for the arm of the disk; the cylinder at which it is then. Disciplines: 0 FCFS, 1 SSTF, the nearest "
            "cylinder, 2 SCAN, the nearest one in the direction in which the arm moves, which turns where nobody waits "
            "ahead, 3 C-SCAN, upwards alone and then from the first one on. Of requests that are as near the one goes "
            "first that has come first. Errors: another discipline, a cylinder that is negative."},
    {.name = "leave",
     .signature = "(cylinder : int)",
     .kind = PSL_CALL,
     .call = disk_leave,
     .doc = "The arm is at that cylinder, and free for the next one. Error: nobody has had a turn."},
    {.name = "look",
     .signature = "(policy : int, capacity : int, first : int, last : int) -> [int]",
     .kind = PSL_CALL,
     .call = cache_look,
     .doc = "Uses these blocks of the cache, which are there from now on. Empty where all were; else a number for "
            "`fetched`, and then three numbers for each run of blocks: 0 to fetch, 1 to write what goes for them and "
            "has been written to, the first one, how many. Policies: 0 LRU, 1 FIFO, 2 CLOCK, 3 LFU, 4 ARC (Megiddo, "
            "Modha, FAST 2003). Errors: another policy, a capacity that is not 1 to 2^28 blocks, no blocks, or more "
            "than 2^22."},
    {.name = "write",
     .signature = "(policy : int, capacity : int, first : int, last : int, covered-first : int, covered-last : int, "
                  "keeps : bool) -> [int]",
     .kind = PSL_CALL,
     .call = cache_write,
     .doc = "The same to write to them; what is covered as a whole is not fetched. `keeps`: what is written stays in "
            "the cache alone, until the block goes or `written` gives it."},
    {.name = "ahead",
     .signature = "(policy : int, capacity : int, first : int, last : int) -> [int]",
     .kind = PSL_CALL,
     .call = cache_ahead,
     .doc = "The same for blocks that are read ahead: those that are there are not used by it."},
    {.name = "fetched",
     .signature = "(number : int)",
     .kind = PSL_CALL,
     .call = cache_fetched,
     .doc = "All that is to be done by the answer of that number is done; waits until what others fetch of those "
            "blocks is there, too. Error: there is no such answer."},
    {.name = "written",
     .signature = "() -> [int]",
     .kind = PSL_CALL,
     .call = cache_written,
     .doc = "What has been written to and stays in the cache alone, and is not from now on: three numbers for each run "
            "of blocks, 1, the first one, how many, in rising order."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {{NULL}};

const struct psl_evaluator storage_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "Storage",
    .revision = "1",
    .doc = "The arms of disks, whom they serve next, and the blocks of caches, which of them goes.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = storage_open,
    .statistics = storage_statistics,
    .figures = figures,
    .explain_wait = storage_explain_wait,
    .cancel = storage_cancel,
};
