/* Matches messages and collective operations as MPI does, in the order of their sends and receives between two ranks
 * on one communicator by one tag, and in the order of operations on a communicator. A call is told when all is known of
 * what it waited for; what is still unknown when the ranks have ended is told as far as it is. */
#include "evaluators/programs/history.h"
#include "evaluators/programs/lists.h"
#include "evaluators/programs/path.h"

#include <stdio.h>

const char *const spent_names[SPENT_KINDS] = {"compute", "lost", "transfer", "wait", "collective", "other"};

#define CLOCK_TICK 1e-9 /* s: of times in traces */
enum { BUCKETS = 1 << 14, STARTED = PROGRAM_IBARRIER - PROGRAM_BARRIER, NONE = -1 };

/* A call that waits, until all is known. */
struct call {
  struct call *next, **before; /* of those that are open */
  struct history_span span;    /* that of all of it */
  uint32_t open;               /* what is not known yet, and 1 while the call is read */
  double lost;                 /* s: others had the processor */
  bool divided;                /* it is known that it waited for so long: */
  double waits;                /* s */
  double latest;               /* what it waited for began, */
  struct path *waited;         /* at the end of this path */
};

struct message {
  struct message *next;
  struct history_message told;
  bool sent, posted;            /* its send, its receive has begun, */
  bool received, told_of;       /* and its receive has ended; takers have been told of it */
  bool held;                    /* a request of its sender knows it */
  struct call *sender, *getter; /* calls that want to know of the other side; NULL: none */
  struct path *to_send, *to_post;
};

/* Messages of one sender, receiver, communicator and tag of which all have their sends alone, or their receives. */
struct channel {
  struct channel *next;
  struct message *first, *last;
};

struct block {
  struct block *next;
  struct message messages[256];
};

/* A collective operation that some members have come to. */
struct gathering {
  struct gathering *next;
  uint32_t communicator, come, size;
  uint64_t number; /* among those of the communicator */
  double last, root_came;
  int32_t last_rank, root;
  struct path *to_last, *to_root;
  bool converges, diverges; /* only the root waits, for all; or all wait for the root alone */
  struct waiting {
    struct waiting *next;
    struct call *call;
  } * waiting;
};

struct request {
  struct message *message;
  struct gathering *gathering;
  uint64_t gathering_number; /* as long as that is not over */
  uint32_t communicator;
  enum { REQUEST_NONE, REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE } kind;
};

struct membership { /* of a rank in a communicator */
  uint32_t communicator, size;
  uint64_t collectives; /* that it has come to */
};

struct rank {
  double clock;
  double burst; /* s: the last one */
  /* s: at the end of its clock, it has called what has found nothing, and others had the processor; the next operation
   * says for what. */
  double polled, lost;
  struct request *requests;
  size_t request_capacity;
  struct membership *memberships;
  uint32_t membership_count, membership_capacity;
  uint32_t *inside; /* regions */
  uint32_t depth, inside_capacity;
  struct path *path; /* to its clock, but for the call in hand */
  struct call *call; /* its last one, as long as not all is known of it */
};

struct region {
  struct history_region public;
  uint32_t next; /* of its list, by number */
};

struct history {
  struct program_source *source;
  const struct history_takers *takers;
  struct rank *ranks;
  uint32_t rank_count;
  uint32_t *heap, going; /* ranks, the one with the least clock first */
  struct channel *channels[BUCKETS];
  struct block *blocks;
  struct message *spare_messages;
  struct gathering *gatherings[BUCKETS];
  struct call *calls, *spare_calls;
  struct region *regions;
  uint32_t region_count, region_capacity, lists[1 << 10];
  bool loses;                  /* calls say what others had of their time */
  bool timed, failed, stopped; /* failed: there is no memory; stopped: a rank is cut off, and must not be */
};

/* ---- calls ---- */

static void tell(struct history *h, const struct history_span *span) {
  if (h->takers->span) h->takers->span(h->takers->user, span);
}

static struct call *call_open(struct history *h, const struct history_span *span) {
  struct call *call = h->spare_calls;
  if (call)
    h->spare_calls = call->next;
  else if (!(call = malloc(sizeof *call)))
    return h->failed = true, NULL;
  *call = (struct call){.next = h->calls, .before = &h->calls, .span = *span, .open = 1, .latest = span->begin};
  if (h->calls) h->calls->before = &call->next;
  return h->calls = call;
}

static void path_go(struct history *h, const struct history_span *span, enum spent spent, double seconds) {
  if (h->takers->paths && !path_add(&h->ranks[span->rank].path, span->region, spent, seconds)) h->failed = true;
}

/* Behind what it waited for; others have had the processor of that first. */
static void path_rest(struct history *h, const struct call *call, double seconds) {
  double lost = call->lost < seconds ? call->lost : seconds;
  if (lost > 0) path_go(h, &call->span, SPENT_LOST, lost);
  path_go(h, &call->span, call->span.spent, seconds - lost);
}

/* The rank's path leads through whom it waited for. */
static void path_through(struct history *h, struct call *call) {
  const struct history_span *span = &call->span;
  struct rank *rank = &h->ranks[span->rank];
  double latest = call->latest;
  rank->call = NULL;
  if (latest >= span->end && latest > span->begin) {
    path_go(h, span, SPENT_WAIT, span->end - span->begin); /* for what began when that was over, by other clocks */
  } else if (latest > span->begin) {
    path_drop(rank->path);
    rank->path = path_share(call->waited);
    path_rest(h, call, span->end - latest);
  } else {
    path_rest(h, call, span->end - span->begin);
  }
}

/* First it waited, then what it had waited for was under way; in that others may have had the processor, since what
 * they had of the wait has cost nothing. */
static void call_close(struct history *h, struct call *call) {
  struct history_span span = call->span;
  if (h->ranks[span.rank].call == call) path_through(h, call);
  double end = span.end;
  double over = call->divided ? span.begin + call->waits : call->latest;
  span.end = over < span.begin ? span.begin : over > end ? end : over;
  span.spent = SPENT_WAIT;
  tell(h, &span);
  span.begin = span.end;
  span.end = span.begin + (call->lost < end - span.begin ? call->lost : end - span.begin);
  span.spent = SPENT_LOST;
  if (h->loses) tell(h, &span);
  span.begin = span.end;
  span.end = end;
  span.spent = call->span.spent;
  tell(h, &span);
  path_drop(call->waited);
  *call->before = call->next;
  if (call->next) call->next->before = call->before;
  call->next = h->spare_calls;
  h->spare_calls = call;
}

static void call_known(struct history *h, struct call *call) {
  if (!--call->open) call_close(h, call);
}

/* What it waits for has begun then, at that rank, whose path leads there. */
static void call_waited(struct call *call, double time, int32_t peer, struct path *path) {
  if (time < call->latest) return;
  call->latest = time;
  call->span.peer = peer;
  path_drop(call->waited);
  call->waited = path_share(path);
}

/* ---- messages ---- */

static uint32_t bucket_of(const struct history_message *m) {
  uint64_t key = (uint64_t)m->from << 32 ^ m->to ^ (uint64_t)m->communicator << 17 ^ (uint64_t)(uint32_t)m->tag << 40;
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 50);
}

static bool alike(const struct history_message *a, const struct history_message *b) {
  return a->from == b->from && a->to == b->to && a->communicator == b->communicator && a->tag == b->tag;
}

static struct message *message_new(struct history *h, const struct history_message *told) {
  if (!h->spare_messages) {
    struct block *block = calloc(1, sizeof *block);
    if (!block) return h->failed = true, NULL;
    block->next = h->blocks;
    h->blocks = block;
    for (size_t k = 0; k < sizeof block->messages / sizeof *block->messages; k++) {
      block->messages[k].next = h->spare_messages;
      h->spare_messages = &block->messages[k];
    }
  }
  struct message *message = h->spare_messages;
  h->spare_messages = message->next;
  *message = (struct message){.told = *told};
  return message;
}

/* The oldest one that has its other half alone, or one that begins. */
static struct message *message_half(struct history *h, const struct history_message *told, bool send) {
  struct channel **at = &h->channels[bucket_of(told)], *channel;
  while ((channel = *at) && !alike(&channel->first->told, told))
    at = &channel->next;
  if (channel && !(send ? channel->first->sent : channel->first->posted)) {
    struct message *found = channel->first;
    channel->first = found->next;
    if (!channel->first) {
      *at = channel->next;
      free(channel);
    }
    return found;
  }
  struct message *made = message_new(h, told);
  if (made && channel) channel->last = channel->last->next = made;
  if (!made || channel) return made;
  if (!(*at = malloc(sizeof **at))) return h->failed = true, NULL;
  **at = (struct channel){NULL, made, made};
  return made;
}

static void message_forget(struct message *m) {
  path_drop(m->to_send);
  path_drop(m->to_post);
  m->to_send = m->to_post = NULL;
}

static void message_settle(struct history *h, struct message *m) {
  if (!m->sent || !m->posted) return;
  if (m->getter) {
    call_waited(m->getter, m->told.sent, (int32_t)m->told.from, m->to_send);
    call_known(h, m->getter);
    m->getter = NULL;
  }
  if (m->sender) { /* one that has ended before has not waited for the receive */
    if (m->told.posted < m->sender->span.end) call_waited(m->sender, m->told.posted, (int32_t)m->told.to, m->to_post);
    call_known(h, m->sender);
    m->sender = NULL;
  }
  if (!m->received) return;
  if (h->takers->message && !m->told_of) h->takers->message(h->takers->user, &m->told);
  m->told_of = true;
  if (m->held) return;
  message_forget(m);
  m->next = h->spare_messages;
  h->spare_messages = m;
}

/* The request of its sender is over, or forgotten. */
static void message_release(struct history *h, struct message *m) {
  m->held = false;
  message_settle(h, m);
}

static struct message *message_send(struct history *h, uint32_t rank, double begin, const struct program_operation *o) {
  struct history_message told = {
      .from = rank, .to = (uint32_t)o->destination, .communicator = o->communicator, .tag = o->tag};
  struct message *m = message_half(h, &told, true);
  if (!m) return NULL;
  m->sent = true;
  m->to_send = path_share(h->ranks[rank].path);
  m->told.sent = begin;
  m->told.bytes = o->bytes;
  m->told.burst = h->ranks[rank].burst;
  return m;
}

static struct message *message_post(struct history *h, uint32_t rank, double begin, const struct program_operation *o) {
  struct history_message told = {
      .from = (uint32_t)o->source, .to = rank, .communicator = o->communicator, .tag = o->source_tag};
  struct message *m = message_half(h, &told, false);
  if (!m) return NULL;
  m->posted = true;
  m->to_post = path_share(h->ranks[rank].path);
  m->told.posted = begin;
  return m;
}

static void message_left(struct message *m, struct call *call) {
  m->sender = call;
  call->open++;
}

static void message_received(struct history *h, struct message *m, struct call *call) {
  m->received = true;
  m->told.received = call->span.end;
  m->told.awaited = call->span.begin;
  m->getter = call;
  call->open++;
  message_settle(h, m);
}

/* ---- collective operations ---- */

static bool is_started(enum program_kind kind) { return kind >= PROGRAM_IBARRIER && kind < PROGRAM_IBARRIER + STARTED; }

static bool is_collective(enum program_kind kind) {
  return kind >= PROGRAM_BARRIER && kind < PROGRAM_IBARRIER + STARTED;
}

static struct membership *membership_of(struct history *h, struct rank *rank, uint32_t communicator) {
  for (uint32_t k = 0; k < rank->membership_count; k++)
    if (rank->memberships[k].communicator == communicator) return &rank->memberships[k];
  if (!list_grow(&rank->memberships, rank->membership_count, &rank->membership_capacity, sizeof *rank->memberships))
    return h->failed = true, NULL;
  rank->memberships[rank->membership_count] = (struct membership){communicator, h->rank_count, 0};
  return &rank->memberships[rank->membership_count++];
}

static struct gathering **gathering_at(struct history *h, uint32_t communicator, uint64_t number) {
  uint64_t key = ((uint64_t)communicator << 32 ^ number) * 0x9e3779b97f4a7c15u;
  struct gathering **at = &h->gatherings[key >> 50];
  while (*at && !((*at)->communicator == communicator && (*at)->number == number))
    at = &(*at)->next;
  return at;
}

static void gathering_tell(const struct gathering *g, struct call *call) {
  bool root = (int32_t)call->span.rank == g->root;
  if (!(g->diverges ? !root : !g->converges || root)) return;
  if (g->diverges)
    call_waited(call, g->root_came, g->root, g->to_root);
  else
    call_waited(call, g->last, g->last_rank, g->to_last);
}

static void gathering_free(struct gathering *g) {
  path_drop(g->to_last);
  path_drop(g->to_root);
  free(g);
}

static void gathering_end(struct history *h, struct gathering **at) {
  struct gathering *g = *at;
  *at = g->next;
  for (struct waiting *next, *waiting = g->waiting; waiting; waiting = next) {
    next = waiting->next;
    gathering_tell(g, waiting->call);
    call_known(h, waiting->call);
    free(waiting);
  }
  gathering_free(g);
}

/* The call waits for its end; NULL: it only begins there. */
static void gathering_wait(struct history *h, struct gathering *g, struct call *call) {
  struct waiting *waiting = malloc(sizeof *waiting);
  if (!waiting) h->failed = true;
  if (!waiting) return;
  *waiting = (struct waiting){g->waiting, call};
  g->waiting = waiting;
  call->open++;
}

/* The rank comes to its next operation of the communicator, at which the call waits, or which goes on: NULL. */
static void collective_come(struct history *h, uint32_t number, double begin, const struct program_operation *o,
                            struct call *call, struct request *request) {
  enum program_kind kind = is_started(o->kind) ? o->kind - STARTED : o->kind;
  struct membership *membership = membership_of(h, &h->ranks[number], o->communicator);
  struct gathering **at = membership ? gathering_at(h, o->communicator, membership->collectives) : NULL, *g;
  if (!at || (!*at && !(*at = calloc(1, sizeof **at)))) {
    h->failed = true;
    return;
  }
  g = *at;
  bool rooted = program_kinds[kind].fields & FIELD_ROOT;
  g->communicator = o->communicator;
  g->number = membership->collectives++;
  g->size = membership->size;
  g->root = rooted ? o->root : NONE;
  g->diverges = kind == PROGRAM_BCAST || kind == PROGRAM_SCATTER || kind == PROGRAM_SCATTERV;
  g->converges = rooted && !g->diverges;
  if (!g->come++ || begin > g->last) {
    g->last = begin;
    g->last_rank = (int32_t)number;
    path_drop(g->to_last);
    g->to_last = path_share(h->ranks[number].path);
  }
  if ((int32_t)number == g->root) {
    g->root_came = begin;
    g->to_root = path_share(h->ranks[number].path);
  }
  if (request)
    *request =
        (struct request){.kind = REQUEST_COLLECTIVE, .communicator = g->communicator, .gathering_number = g->number};
  if (call) gathering_wait(h, g, call);
  if (g->come == g->size) gathering_end(h, at);
}

/* ---- requests ---- */

static struct request *request_new(struct history *h, struct rank *rank, int64_t number) {
  struct request *grown = table_grown(rank->requests, (uint64_t)number, &rank->request_capacity, sizeof *grown);
  if (!grown) return h->failed = true, NULL;
  rank->requests = grown;
  struct request before = grown[number];
  grown[number] = (struct request){0};
  if (before.kind == REQUEST_SEND) message_release(h, before.message); /* which nobody has waited for */
  return &grown[number];
}

static void request_wait(struct history *h, struct rank *rank, int64_t number, struct call *call) {
  struct request *request = (uint64_t)number < rank->request_capacity ? &rank->requests[number] : NULL;
  if (!request) return;
  struct request done = *request;
  *request = (struct request){0};
  if (done.kind == REQUEST_SEND) {
    message_left(done.message, call);
    message_release(h, done.message);
  }
  if (done.kind == REQUEST_RECEIVE) message_received(h, done.message, call);
  if (done.kind != REQUEST_COLLECTIVE) return;
  call->span.spent = SPENT_COLLECTIVE;
  struct gathering **at = gathering_at(h, done.communicator, done.gathering_number);
  if (*at) gathering_wait(h, *at, call); /* else all had come before */
}

/* ---- regions ---- */

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static uint32_t region_of(struct history *h, const struct program_operation *o) {
  uint32_t hash = 2166136261u ^ o->line;
  for (const char *at = o->name ? o->name : ""; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 16777619u;
  uint32_t *list = &h->lists[hash % (sizeof h->lists / sizeof *h->lists)], k = *list;
  for (; k; k = h->regions[k - 1].next) {
    const struct history_region *known = &h->regions[k - 1].public;
    if (known->line == o->line && same_text(known->name, o->name) && same_text(known->file, o->file)) return k;
  }
  if (!list_grow(&h->regions, h->region_count, &h->region_capacity, sizeof *h->regions)) return h->failed = true, 0;
  struct history_region made = {o->name ? strdup(o->name) : NULL, o->file ? strdup(o->file) : NULL, o->line, 0, 0};
  h->regions[h->region_count] = (struct region){made, *list};
  return *list = ++h->region_count;
}

static void region_enter(struct history *h, struct rank *rank, const struct program_operation *o) {
  uint32_t region = region_of(h, o);
  if (!list_grow(&rank->inside, rank->depth, &rank->inside_capacity, sizeof *rank->inside))
    h->failed = true;
  else
    rank->inside[rank->depth++] = region;
  if (region) h->regions[region - 1].public.times++;
}

/* Each region that the rank is in, once, however often it was entered. */
static void regions_spend(struct history *h, const struct rank *rank, double seconds) {
  for (uint32_t k = 0; k < rank->depth; k++) {
    uint32_t i = 0;
    while (i < k && rank->inside[i] != rank->inside[k])
      i++;
    if (i == k) h->regions[rank->inside[k] - 1].public.seconds += seconds;
  }
}

/* ---- operations ---- */

static double took(const struct program_operation *o) {
  bool seconds = (program_kinds[o->kind].fields & FIELD_WORK) && o->unit == UNIT_SECONDS;
  return o->took > 0 ? o->took : seconds ? o->work : o->duration;
}

static bool waits(enum program_kind kind) {
  return (program_kinds[kind].fields & FIELD_REQUESTS) || kind == PROGRAM_PROBE || kind == PROGRAM_WIN_WAIT;
}

static void spend(struct history *h, struct history_span *span, enum spent spent, double seconds) {
  span->spent = spent;
  span->end = span->begin + seconds;
  path_go(h, span, spent, seconds);
  tell(h, span);
  span->begin = span->end;
}

/* What it has called for in vain before belongs to the operation that waits; or where it does not wait, to nothing. */
static void polled_before(struct history *h, struct history_span *of, const struct program_operation *o, double *lost) {
  struct rank *rank = &h->ranks[of->rank];
  double polled = rank->polled;
  struct history_span span = *of;
  *lost = o->lost;
  if (!(polled > 0)) return;
  span.begin -= polled + rank->lost;
  if (waits(o->kind)) {
    of->begin = span.begin;
    *lost += rank->lost;
  } else {
    spend(h, &span, SPENT_LOST, rank->lost);
    spend(h, &span, SPENT_OTHER, polled);
  }
  rank->polled = rank->lost = 0;
}

/* What a rank has computed by the processor's time may have taken longer by the clock. */
static void compute(struct history *h, struct history_span span, const struct program_operation *o) {
  double end = span.end;
  span.spent = SPENT_COMPUTE;
  span.place = o->burst;
  span.communicator = PROGRAM_WORLD;
  if (o->unit == UNIT_SECONDS && o->work < end - span.begin - CLOCK_TICK) span.end = span.begin + o->work;
  path_go(h, &span, SPENT_COMPUTE, span.end - span.begin);
  if (span.end > span.begin) h->ranks[span.rank].burst = span.end - span.begin;
  tell(h, &span);
  span.begin = span.end;
  span.end = end;
  span.spent = SPENT_LOST;
  path_go(h, &span, SPENT_LOST, span.end - span.begin);
  tell(h, &span);
}

static uint64_t place_of(const struct program_site *site) {
  uint64_t hash = 14695981039346656037u;
  if (!site) return 0;
  for (const char *at = site->line && site->file ? site->file : ""; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  return (hash ^ (site->line ? site->line : site->address)) * 1099511628211u;
}

static void message_parts(struct history *h, uint32_t number, const struct program_operation *o, struct call *call) {
  struct rank *rank = &h->ranks[number];
  unsigned fields = program_kinds[o->kind].fields;
  bool request = fields & FIELD_REQUEST, window = fields & FIELD_WINDOW;
  double begin = call->span.begin;
  if ((fields & FIELD_OUT) && !window && o->destination >= 0 && o->kind != PROGRAM_SEND_INIT) {
    struct message *m = message_send(h, number, begin, o);
    struct request *made = m && request ? request_new(h, rank, o->request) : NULL;
    if (made) *made = (struct request){.kind = REQUEST_SEND, .message = m};
    if (m) m->held = made;
    if (m && !request) message_left(m, call);
    if (m) message_settle(h, m);
  }
  bool gets = o->kind == PROGRAM_RECV || o->kind == PROGRAM_IRECV || o->kind == PROGRAM_SENDRECV;
  if (gets && o->source >= 0 && o->source_tag >= 0) {
    struct message *m = message_post(h, number, begin, o);
    struct request *made = m && request ? request_new(h, rank, o->request) : NULL;
    if (made) *made = (struct request){.kind = REQUEST_RECEIVE, .message = m};
    if (m && !request) message_received(h, m, call);
    if (made) message_settle(h, m);
  }
  bool waits = o->kind == PROGRAM_WAIT || o->kind == PROGRAM_WAITALL;
  for (uint32_t k = 0; waits && k < o->request_count; k++)
    request_wait(h, rank, o->requests[k], call);
}

static enum spent spent_for(const struct program_operation *o) {
  unsigned fields = program_kinds[o->kind].fields;
  if (is_collective(o->kind)) return SPENT_COLLECTIVE;
  if (o->kind >= PROGRAM_WAITANY && o->kind <= PROGRAM_TESTSOME) return SPENT_OTHER;
  if (o->kind == PROGRAM_PROBE || o->kind == PROGRAM_IPROBE) return SPENT_WAIT;
  return fields & (FIELD_OUT | FIELD_IN | FIELD_REQUESTS) ? SPENT_TRANSFER : SPENT_OTHER;
}

static void communicate(struct history *h, uint32_t number, struct history_span span, double lost,
                        const struct program_operation *o) {
  unsigned fields = program_kinds[o->kind].fields;
  span.place = place_of(o->site);
  span.spent = spent_for(o);
  span.bytes = fields & (FIELD_OUT | FIELD_BYTES) ? o->bytes : fields & FIELD_IN ? o->received : 0;
  span.communicator = fields & FIELD_COMMUNICATOR ? o->communicator : PROGRAM_WORLD;
  span.peer = fields & FIELD_OUT ? o->destination : fields & FIELD_IN ? o->source : NONE;
  struct call *call = call_open(h, &span);
  if (!call) return;
  call->lost = lost;
  call->divided = o->divided;
  call->waits = o->waited;
  h->ranks[number].call = call;
  if (is_collective(o->kind)) {
    struct request *request = is_started(o->kind) ? request_new(h, &h->ranks[number], o->request) : NULL;
    collective_come(h, number, span.begin, o, request ? NULL : call, request);
  } else {
    message_parts(h, number, o, call);
  }
  call_known(h, call);
}

static void operation(struct history *h, uint32_t number, const struct program_operation *o) {
  struct rank *rank = &h->ranks[number];
  struct history_span span = {.rank = number, .kind = o->kind, .begin = rank->clock, .peer = NONE};
  double seconds = took(o), lost;
  if (rank->call) path_through(h, rank->call);
  span.region = rank->depth ? rank->inside[rank->depth - 1] : 0;
  polled_before(h, &span, o, &lost);
  span.end = rank->clock += seconds;
  bool computes = program_kinds[o->kind].fields & FIELD_WORK;
  h->timed |= o->took > 0;
  h->loses |= lost > 0;
  if (computes && o->polled > 0) {
    double rest = seconds > o->work ? seconds - o->work : 0;
    rank->polled = o->polled < rest ? o->polled : rest;
    rank->lost = rest - rank->polled;
    span.end -= rest;
  }
  if (o->kind == PROGRAM_ENTER) region_enter(h, rank, o);
  uint32_t region = o->kind == PROGRAM_ENTER && rank->depth ? rank->inside[rank->depth - 1] : span.region;
  if (h->takers->operation) h->takers->operation(h->takers->user, number, span.begin, span.end, region, o);
  if (o->kind == PROGRAM_LEAVE && rank->depth) rank->depth--;
  if (seconds > 0) regions_spend(h, rank, seconds);
  if (o->kind == PROGRAM_COMM_MAKE) {
    struct membership *membership = membership_of(h, rank, o->communicator);
    if (membership) membership->size = o->member_count;
  }
  if (computes)
    compute(h, span, o);
  else
    communicate(h, number, span, lost, o);
}

/* ---- ranks in the order of their clocks ---- */

static bool earlier(const struct history *h, uint32_t a, uint32_t b) {
  double x = h->ranks[a].clock, y = h->ranks[b].clock;
  return x < y || (x == y && a < b);
}

/* The first rank of the heap has become later, or is another. */
static void heap_sink(struct history *h) {
  uint32_t at = 0, moved = h->going ? h->heap[0] : 0;
  for (uint32_t child; (child = 2 * at + 1) < h->going; at = child) {
    if (child + 1 < h->going && earlier(h, h->heap[child + 1], h->heap[child])) child++;
    if (!earlier(h, h->heap[child], moved)) break;
    h->heap[at] = h->heap[child];
  }
  if (h->going) h->heap[at] = moved;
}

/* Its next operation; false: it has ended. */
static bool step(struct history *h, uint32_t rank, struct program_error *error) {
  const struct program_answer none = {.request = NONE, .index = NONE};
  struct program_operation o;
  char place[80], text[sizeof error->text];
  enum program_next next = h->source->kind->next(h->source, rank, &none, &o, error);
  const char *wrong = next == PROGRAM_NEXT ? program_operation_wrong(&o, h->rank_count) : NULL;
  if (next == PROGRAM_NEXT && !wrong) {
    const struct membership *membership =
        is_collective(o.kind) ? membership_of(h, &h->ranks[rank], o.communicator) : NULL;
    if (membership) o.member_count = membership->size;
    return operation(h, rank, &o), !h->failed;
  }
  bool remarked = next == PROGRAM_LAST && h->source->kind->remark && h->takers->cut &&
                  h->source->kind->remark(h->source, rank, error->text, sizeof error->text);
  if (next == PROGRAM_LAST && !remarked) return false;
  h->source->kind->place(h->source, rank, place, sizeof place);
  snprintf(text, sizeof text, "%s: %.98s", place, wrong ? wrong : error->text);
  memcpy(error->text, text, sizeof text);
  h->stopped = !h->takers->cut;
  if (h->takers->cut) h->takers->cut(h->takers->user, rank, error->text);
  return false;
}

/* False: error. */
static bool read_all(struct history *h, struct program_error *error) {
  while (h->going && !h->failed && !h->stopped) {
    *error->text = '\0';
    if (!step(h, h->heap[0], error)) h->heap[0] = h->heap[--h->going];
    heap_sink(h);
  }
  if (h->failed) snprintf(error->text, sizeof error->text, "there is no memory for what the ranks do");
  return !h->failed && !h->stopped;
}

/* What was never matched is told as far as it is known. */
static void flush(struct history *h) {
  while (h->calls)
    call_close(h, h->calls);
}

struct history *history_read(struct program_source *source, const struct history_takers *takers,
                             struct program_error *error) {
  struct history *h = calloc(1, sizeof *h);
  if (h) {
    *h = (struct history){.source = source, .takers = takers, .rank_count = source->ranks, .going = source->ranks};
    h->ranks = calloc(source->ranks, sizeof *h->ranks);
    h->heap = calloc(source->ranks, sizeof *h->heap);
  }
  if (!h || !h->ranks || !h->heap) {
    snprintf(error->text, sizeof error->text, "there is no memory for so many ranks");
    history_free(h);
    return NULL;
  }
  for (uint32_t rank = 0; rank < source->ranks; rank++)
    h->heap[rank] = rank;
  bool fine = read_all(h, error);
  if (fine) flush(h);
  if (fine) return h;
  history_free(h);
  return NULL;
}

uint32_t history_regions(const struct history *h) { return h->region_count; }

const struct history_region *history_region(const struct history *h, uint32_t number) {
  return &h->regions[number - 1].public;
}

double history_end(const struct history *h, uint32_t rank) { return h->ranks[rank].clock; }

const struct path *history_path(const struct history *h, uint32_t rank) { return h->ranks[rank].path; }

static void gatherings_free(struct gathering *gathering) {
  for (struct gathering *next; gathering; gathering = next) {
    next = gathering->next;
    for (struct waiting *after, *waiting = gathering->waiting; waiting; waiting = after) {
      after = waiting->next;
      free(waiting);
    }
    gathering_free(gathering);
  }
}

#define FREE_LIST(type, list)                                 \
  for (struct type * next, *item = list; item; item = next) { \
    next = item->next;                                        \
    free(item);                                               \
  }

void history_free(struct history *h) {
  if (!h) return;
  for (uint32_t rank = 0; h->ranks && rank < h->rank_count; rank++) {
    free(h->ranks[rank].requests);
    free(h->ranks[rank].memberships);
    free(h->ranks[rank].inside);
    path_drop(h->ranks[rank].path);
  }
  for (uint32_t k = 0; k < BUCKETS; k++) {
    FREE_LIST(channel, h->channels[k])
    gatherings_free(h->gatherings[k]);
  }
  for (struct block *block = h->blocks; block; block = block->next)
    for (size_t k = 0; k < sizeof block->messages / sizeof *block->messages; k++)
      message_forget(&block->messages[k]);
  for (struct call *call = h->calls; call; call = call->next)
    path_drop(call->waited);
  FREE_LIST(block, h->blocks)
  FREE_LIST(call, h->calls)
  FREE_LIST(call, h->spare_calls)
  for (uint32_t k = 0; k < h->region_count; k++) {
    free((char *)h->regions[k].public.name);
    free((char *)h->regions[k].public.file);
  }
  free(h->regions);
  free(h->ranks);
  free(h->heap);
  free(h);
}

bool history_timed(const struct history *h) { return h->timed; }
