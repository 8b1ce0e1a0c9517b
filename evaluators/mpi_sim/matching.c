/* Which message goes to which receive, as MPI has it, and for what those wait who wait for either: see mpi_sim.c. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>
#include <string.h>

/* ---- messages and receives meet ---- */

static void take_for(struct state *s, struct rank *rank, struct channel *c, uint32_t head, struct receive *r,
                     uint32_t index) {
  struct envelope *e = envelope_at(s, head);
  take(s, rank, c, head);
  meet(s, e, head, r->posted, r->on);
  e->receive = index;
  r->envelope = head;
}

/* ---- for what processes wait ---- */

struct depends *depends_beside(struct state *s, struct rank *rank, uint32_t context) {
  for (uint32_t k = rank->beside; k != NONE;) {
    struct beside *beside = pool_at(&s->besides, k, sizeof *beside);
    if (beside->context == context) return &beside->on;
    k = beside->item.next;
  }
  return &rank->on;
}

double depend(struct depends *own, double came, double late, double begin, double at) {
  double before = own->late;
  own->came = later_of(own->came, came);
  own->late = later_of(begin, at) - later_of(begin - before, at - late);
  return own->late - before;
}

void note_message(struct state *s, uint32_t process, uint32_t number, const struct envelope *e, double begin,
                  double end) {
  struct rank *rank = rank_at(s, number);
  bool collective = is_collective(e->context);
  struct depends *own = collective ? depends_of(s, rank, e->context) : &rank->waits;
  double queued = depend(own, e->on.came, (collective ? e->on.late : 0) + e->queued, begin, e->arrival);
  if (queued < 0) waited(s, process, e, PSL_LATE_SENDER, e->on.came, queued);
  if (!(end > begin)) return;
  waited(s, process, e, PSL_LATE_SENDER, e->on.came, later_of(queued, 0));
}

/* By how much a request and the receive that it is for have met later than where nothing had queued. */
static double met_late(const struct envelope *e, const struct handshake *h) {
  return later_of(e->arrival, h->posted) - later_of(e->arrival - e->on.late - e->queued, h->posted - h->on.late);
}

void waited_stage(struct state *s, uint32_t process, const struct envelope *e, enum stage stage, double begin,
                  double end) {
  struct handshake *h = handshake_at(s, e->handshake);
  bool data = stage == STAGE_DATA, collective = is_collective(e->context);
  double came = data ? e->on.came : h->on.came, queued = h->queued[stage - 1];
  if (collective && (data || stage == STAGE_SENT || !e->beside)) {
    struct depends *on = depends_of(s, rank_at(s, data ? e->destination : e->source), e->context);
    queued = depend(on, came, queued, begin, h->reached[stage - 1]);
    if (stage == STAGE_ACKNOWLEDGEMENT) h->queued[0] = on->late; /* the data are as late as their sender */
  } else if (data || stage == STAGE_SENT) {
    queued = depend(&rank_at(s, data ? e->destination : e->source)->waits, came, queued, begin, h->reached[stage - 1]);
  }
  enum psl_partner partner = data ? PSL_LATE_SENDER : PSL_LATE_RECEIVER;
  if (queued < 0) waited(s, process, e, partner, came, queued);
  if (end > begin) waited(s, process, e, partner, came, later_of(queued, 0));
}

void stage_queued(const struct envelope *e, struct handshake *h, enum stage stage, double queued) {
  double before = stage != STAGE_ACKNOWLEDGEMENT ? h->queued[0]
                  : is_collective(e->context)    ? met_late(e, h)
                                                 : fmin(e->queued, later_of(e->arrival - h->posted, 0));
  double since = stage == STAGE_ACKNOWLEDGEMENT ? h->answering : stage == STAGE_DATA ? h->sending : queued;
  h->queued[stage - 1] = before + later_of(queued - since, 0);
}

void receive_free(struct state *s, struct receive *r, uint32_t index) {
  if (r->envelope != NONE && r->kind != RECEIVE_PROBE) envelope_at(s, r->envelope)->receive = NONE;
  r->process = r->envelope = NONE;
  r->over = true;
  if (r->agent_due) return;
  pool_give(&s->receives, index, sizeof *r);
}

void receive_wake(struct state *s, struct receive *r, uint32_t index, const struct psl_call *call) {
  if (r->process == NONE || (call && r->process == call->process)) return;
  const struct envelope *e = envelope_at(s, r->envelope);
  union psl_argument result = {.integer = envelope_handle(e, r->envelope)};
  double clock = later_of(later_of(e->arrival, r->clock), known_to(call));
  uint32_t process = r->process;
  waited_message(s, process, r->rank, e, r->clock, clock);
  if (r->kind == RECEIVE_PROBE) status_note(s, e);
  receive_free(s, r, index);
  s->host->resume(s->host, process, clock, result);
}

int64_t request_claim(const struct state *s, const struct receive *r) {
  struct envelope *e = envelope_at(s, r->envelope);
  if (e->handshake == NONE || e->arrival < 0 || e->answered) return 0;
  e->answered = true;
  return envelope_handle(e, r->envelope);
}

/* ---- requests that have come to receives of one source behind others of any, and that helpers acknowledge ---- */

static void due_add(struct state *s, uint32_t rank, int64_t handle) {
  if (s->due_count == s->due_capacity) {
    uint32_t capacity = s->due_count ? 2 * s->due_count : 16;
    struct due *grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (s->due_count) memcpy(grown, s->dues, s->due_count * sizeof *grown);
    s->dues = grown;
    s->due_capacity = capacity;
  }
  s->dues[s->due_count++] = (struct due){rank, handle};
}

bool due_take(struct state *s, int64_t handle) {
  for (uint32_t k = 0; k < s->due_count; k++)
    if (s->dues[k].handle == handle) {
      memmove(&s->dues[k], &s->dues[k + 1], (--s->due_count - k) * sizeof *s->dues);
      return true;
    }
  return false;
}

enum psl_status mpi_due(void *state, struct psl_call *call) {
  const struct state *s = state;
  if (!rank_check(call, "receiver", call->arguments[0].integer, false)) return PSL_FAILED;
  call->result.integer = 0;
  for (uint32_t k = 0; k < s->due_count; k++)
    call->result.integer += s->dues[k].rank == call->arguments[0].integer;
  return PSL_DONE;
}

enum psl_status mpi_take_due(void *state, struct psl_call *call) {
  struct state *s = state;
  uint32_t k = 0;
  while (k < s->due_count && s->dues[k].rank != call->arguments[0].integer)
    k++;
  if (k == s->due_count) {
    snprintf(call->error, sizeof call->error, "no message of rank %lld is due", (long long)call->arguments[0].integer);
    return PSL_FAILED;
  }
  call->result.integer = s->dues[k].handle;
  due_take(s, call->result.integer);
  return PSL_DONE;
}

/* The agent of a receive goes on when that has its message, at `since` at the earliest: with the request that it has to
 * acknowledge, or 0. One that is still to ask will be told so then. */
static void agent_wake(struct state *s, struct receive *r, struct psl_call *call, double since) {
  if (r->agent == NONE && !r->agent_due) return;
  const struct envelope *e = envelope_at(s, r->envelope);
  union psl_argument result = {.integer = request_claim(s, r)};
  double clock = later_of(later_of(e->arrival, r->posted), since);
  if (r->agent_due) {
    r->claim = result.integer;
    r->matched = clock;
    return;
  }
  uint32_t agent = r->agent;
  r->agent = NONE;
  if (e->handshake != NONE) handshake_at(s, e->handshake)->answering = r->queued_agent;
  s->host->waited(s->host, agent, PSL_NOT_THERE, clock, 0);
  if (call && agent == call->process) {
    call->result = result;
    call->clock = clock;
    call->memory = NULL;
  } else {
    s->host->resume(s->host, agent, clock, result);
  }
}

/* Would this receive have the message, if it came to it? */
static bool accepts(const struct receive *r, const struct envelope *e) {
  return r->context == e->context && (r->source == ANY || (uint32_t)r->source == e->source) &&
         (r->tag == ANY || r->tag == e->tag);
}

bool receive_posted(struct state *s, struct rank *rank, const struct envelope *e, double clock) {
  const struct channel *c = envelope_channel(s, rank, e);
  if (c->tail != EMPTY && c->receives) return receive_at(s, receive_at(s, c->tail)->item.next)->posted < clock;
  for (uint32_t k = rank->queue; k != NONE; k = receive_at(s, k)->item.next) {
    const struct receive *r = receive_at(s, k);
    if (r->kind != RECEIVE_PROBE && r->posted < clock && accepts(r, e)) return true;
  }
  return false;
}

/* Are there messages that both receives would have? */
static bool overlaps(const struct receive *a, const struct receive *b) {
  return a->kind != RECEIVE_PROBE && a->context == b->context &&
         (a->source == ANY || b->source == ANY || a->source == b->source) &&
         (a->tag == ANY || b->tag == ANY || a->tag == b->tag);
}

/* Would the first receive have whatever the second would? */
static bool covers(const struct receive *a, const struct receive *b) {
  return a->kind != RECEIVE_PROBE && a->context == b->context && (a->source == ANY || a->source == b->source) &&
         (a->tag == ANY || a->tag == b->tag);
}

/* Is the message for one of the receives that stand before `index` in the queue and have none yet? */
static bool claimed(const struct state *s, const struct rank *rank, uint32_t index, const struct envelope *e) {
  for (uint32_t k = rank->queue; k != index && k != NONE; k = receive_at(s, k)->item.next) {
    const struct receive *before = receive_at(s, k);
    if (before->kind != RECEIVE_PROBE && accepts(before, e)) return true;
  }
  return false;
}

/* The message that a receive from any source, `index` in the queue, would take, as far as arrivals are known.
 * Messages of one source do not overtake each other. */
static uint32_t earliest(struct state *s, struct rank *rank, const struct receive *r, uint32_t index) {
  struct arrivals *heap = rank->arrivals;
  while (heap->count > 0 && !arrival_true(s, &heap->heap[0])) {
    heap->heap[0] = heap->heap[--heap->count];
    if (heap->count) arrival_sink(heap, 0);
  }
  const struct arrival *best = NULL;
  for (uint32_t k = 0; k < heap->count; k++) {
    const struct arrival *a = &heap->heap[k];
    if ((best && !arrival_before(a, best)) || !arrival_true(s, a)) continue;
    const struct envelope *e = envelope_at(s, a->envelope);
    if (!accepts(r, e) || claimed(s, rank, index, e)) continue;
    if (r->tag == ANY && oldest_from(s, rank, origin_of(e->source, e->context), ANY) != a->envelope) continue;
    best = a;
    if (k == 0) break;
  }
  return best ? best->envelope : NONE;
}

uint32_t candidate(struct state *s, struct rank *rank, const struct receive *r, uint32_t index) {
  for (uint32_t k = rank->queue; k != index && k != NONE; k = receive_at(s, k)->item.next)
    if (covers(receive_at(s, k), r)) return NONE;
  if (r->source == ANY) return earliest(s, rank, r, index);
  uint32_t oldest = oldest_from(s, rank, origin_of((uint32_t)r->source, r->context), r->tag);
  return oldest == NONE || claimed(s, rank, index, envelope_at(s, oldest)) ? NONE : oldest;
}

/* Asks for an ordered call by somebody who waits in the receive, when its candidate has arrived and nothing can
 * come before that any more: a retry comes behind all else of its time. */
static void ask_retry(struct state *s, struct receive *r, double arrival) {
  uint32_t who = r->agent != NONE ? r->agent : r->process;
  double at = later_of(arrival, r->agent != NONE ? r->posted : r->clock);
  if (who == NONE || r->due == at) return;
  r->due = at;
  s->host->retry(s->host, who, at);
}

static void queue_remove(struct state *s, struct rank *rank, uint32_t previous, uint32_t index) {
  struct receive *r = receive_at(s, index);
  if (previous == NONE)
    rank->queue = r->item.next;
  else
    receive_at(s, previous)->item.next = r->item.next;
  if (rank->queue_last == index) rank->queue_last = previous;
  r->queued = false;
}

void queue_take(struct state *s, struct rank *rank, uint32_t index) {
  uint32_t previous = NONE;
  for (uint32_t k = rank->queue; k != index; k = receive_at(s, k)->item.next)
    previous = k;
  queue_remove(s, rank, previous, index);
}

void settle(struct state *s, struct rank *rank, struct psl_call *call, double since) {
  uint32_t last = NONE;
  for (uint32_t k = rank->queue, next; k != NONE; k = next) {
    struct receive *r = receive_at(s, k);
    next = r->item.next;
    uint32_t index = candidate(s, rank, r, k);
    struct envelope *e = index == NONE ? NULL : envelope_at(s, index);
    bool later = e && r->source == ANY && e->arrival > known_to(call);
    if (later) ask_retry(s, r, e->arrival);
    if (!e || later || (r->kind == RECEIVE_PROBE && e->arrival < 0)) {
      last = k;
      continue;
    }
    queue_remove(s, rank, last, k);
    if (r->kind == RECEIVE_PROBE) {
      r->envelope = index;
    } else {
      take_for(s, rank, envelope_channel(s, rank, e), index, r, k);
      agent_wake(s, r, call, since);
      int64_t claim = r->kind == RECEIVE_POSTED && r->source != ANY ? request_claim(s, r) : 0;
      if (claim) due_add(s, r->rank, claim);
      if (e->arrival >= 0 && !(rank->some && call && rank->some->process == call->process))
        some_look(s, r->rank, later_of(e->arrival, since));
    }
    if (e->arrival >= 0) receive_wake(s, r, k, call);
  }
}

/* Has a receive before it in the rank's queue a claim to messages of this one? */
static bool contended(const struct state *s, const struct rank *rank, const struct receive *r) {
  for (uint32_t k = rank->queue; k != NONE; k = receive_at(s, k)->item.next)
    if (overlaps(receive_at(s, k), r)) return true;
  return false;
}

static void queue_append(struct state *s, struct rank *rank, struct receive *r, uint32_t index) {
  r->queued = true;
  r->item.next = NONE;
  if (rank->queue == NONE)
    rank->queue = index;
  else
    receive_at(s, rank->queue_last)->item.next = index;
  rank->queue_last = index;
}

/* Finds a receive of one source its message, or a place in the channel. False: it has to stand in the queue, which
 * one that is for any tag does while there is no message. */
static bool seek_channel(struct state *s, struct rank *rank, struct receive *r, uint32_t index) {
  uint64_t origin = origin_of((uint32_t)r->source, r->context);
  struct channel *c = r->tag == ANY ? NULL : channel_at(s, rank, origin, r->tag);
  uint32_t head = c ? channel_head(s, c) : oldest_from(s, rank, origin, ANY);
  if (head != NONE) {
    take_for(s, rank, c ? c : envelope_channel(s, rank, envelope_at(s, head)), head, r, index);
  } else if (c) {
    c->receives = true;
    list_append(c, c->tail == EMPTY ? NULL : &receive_at(s, c->tail)->item, &r->item, index);
  }
  return head != NONE || c;
}

void seek(struct state *s, struct rank *rank, struct receive *r, uint32_t index, struct psl_call *call) {
  bool one = r->source != ANY && r->kind != RECEIVE_PROBE && !contended(s, rank, r);
  if (one && seek_channel(s, rank, r, index)) return;
  if (r->source == ANY) arrivals_open(s, rank);
  queue_append(s, rank, r, index);
  settle(s, rank, call, call->clock);
}
