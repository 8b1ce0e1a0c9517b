/* Which message goes to which receive, as MPI has it, and for what those wait who wait for either: see mpi_sim.c. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>
#include <string.h>

/* ---- messages and receives meet ---- */

static void take_for(struct state *s, struct rank *rank, struct channel *c, struct envelope *e, struct receive *r) {
  take(s, rank, c, e);
  meet(s, e, r->posted, r->on);
  receive_caused(s, e, r->moment);
  e->receive = r;
  r->envelope = e;
}

/* ---- for what processes wait ---- */

struct depends *depends_beside(struct state *s, struct rank *rank, uint32_t context) {
  struct rare *rare = rank_rare(s, rank);
  for (struct beside *beside = rare->beside; beside; beside = (struct beside *)beside->item.next)
    if (beside->context == context) return &beside->on;
  return &rare->on;
}

void note_wait(struct state *s, uint32_t process, uint32_t rank, uint32_t context, struct depends on, double queued,
               double arrival, double begin, double end) {
  bool collective = is_collective(context);
  enum psl_partner partner = collective ? PSL_COLLECTIVE : PSL_LATE_SENDER;
  double late = collective
                    ? depend_beside(depends_of(s, rank_at(s, rank), context), on.came, on.late + queued, begin, arrival)
                    : depend_late(s, rank_at(s, rank), queued, begin, arrival);
  if (late < 0) s->host->waited(s->host, process, partner, on.came, late);
  if (end > begin) s->host->waited(s->host, process, partner, on.came, later_of(late, 0));
}

/* By how much a request and the receive that it is for have met later than where nothing had queued. */
static double met_late(const struct envelope *e, const struct handshake *h) {
  return later_of(e->arrival, h->posted) - later_of(e->arrival - e->on.late - e->queued, h->posted - h->on.late);
}

void waited_stage(struct state *s, uint32_t process, const struct envelope *e, enum stage stage, double begin,
                  double end) {
  struct handshake *h = e->handshake;
  bool data = stage == STAGE_DATA, collective = is_collective(e->context);
  double came = data ? e->on.came : h->on.came, queued = h->queued[stage - 1];
  if (end > begin) stage_because(s, process, e, stage);
  if (collective && (data || stage == STAGE_SENT || !e->beside)) {
    struct depends *on = depends_of(s, rank_at(s, data ? e->destination : e->source), e->context);
    queued = depend_beside(on, came, queued, begin, h->reached[stage - 1]);
    if (stage == STAGE_ACKNOWLEDGEMENT) h->queued[0] = on->late; /* the data are as late as their sender */
  } else if (data || stage == STAGE_SENT) {
    queued = depend_late(s, rank_at(s, data ? e->destination : e->source), queued, begin, h->reached[stage - 1]);
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

void receive_free(struct state *s, struct receive *r) {
  if (r->envelope && r->kind != RECEIVE_PROBE) r->envelope->receive = NULL;
  r->process = NONE;
  r->envelope = NULL;
  r->over = true;
  if (r->agent_due) return;
  pool_give(&s->receives, &r->item);
}

void pair_wake(struct state *s, struct receive *r, struct envelope *e) {
  uint32_t process = r->process;
  double clock = later_of(e->arrival, r->clock);
  union psl_argument result = {.real = e->size};
  waited_message(s, process, e, r->clock, clock);
  room_check(s, e, r->posted, r->room);
  if (!is_collective(e->context)) status_note(s, e);
  pool_give(&s->receives, &r->item);
  pool_give(&s->envelopes, &e->item);
  s->host->resume_pair(s->host, process, clock, result);
}

void receive_wake(struct state *s, struct receive *r, const struct psl_call *call) {
  if (r->process == NONE || (call && r->process == call->process)) return;
  struct envelope *e = r->envelope;
  struct rank *rank = rank_at(s, r->rank);
  if (ends_paired(rank, r) && !e->handshake) {
    pair_wake(s, r, e);
    return;
  }
  union psl_argument result = {.integer = envelope_handle(e)};
  double clock = later_of(later_of(e->arrival, r->clock), known_to(call));
  uint32_t process = r->process;
  waited_message(s, process, e, r->clock, clock);
  if (r->kind == RECEIVE_PROBE) status_note(s, e);
  room_check(s, e, r->posted, r->room);
  receive_free(s, r);
  s->host->resume(s->host, process, clock, result);
}

int64_t request_claim(const struct receive *r) {
  struct envelope *e = r->envelope;
  if (!e->handshake || e->arrival < 0 || e->answered) return 0;
  e->answered = true;
  return envelope_handle(e);
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
  if (k == s->due_count)
    return psl_failed(call, "no message of rank %lld is due", (long long)call->arguments[0].integer);
  call->result.integer = s->dues[k].handle;
  due_take(s, call->result.integer);
  return PSL_DONE;
}

/* The agent of a receive goes on when that has its message, at `since` at the earliest: with the request that it has to
 * acknowledge, or 0. One that is still to ask will be told so then. */
static void agent_wake(struct state *s, struct receive *r, struct psl_call *call, double since) {
  if (r->agent == NONE && !r->agent_due) return;
  const struct envelope *e = r->envelope;
  union psl_argument result = {.integer = request_claim(r)};
  double clock = later_of(later_of(e->arrival, r->posted), since);
  if (r->agent_due) {
    r->claim = result.integer;
    r->matched = clock;
    return;
  }
  uint32_t agent = r->agent;
  r->agent = NONE;
  if (e->handshake) e->handshake->answering = r->queued_agent;
  if (e->handshake) away_answered(s, e, r->queued_agent);
  there_because(s, agent, e, clock);
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

/* Of another rank's receive at the same time nobody says that it comes first; a rank's own ones stand in its order. */
static bool stands_before(const struct receive *r, const struct envelope *e, double clock) {
  return r->posted < clock || (r->posted == clock && e->source == e->destination);
}

bool receive_posted(struct state *s, struct rank *rank, const struct envelope *e, double clock) {
  struct channel *c = envelope_channel(s, rank, e);
  channel_stand(s, e->destination, rank, c);
  if (has_receives(c)) return stands_before(channel_receive(s, c), e, clock);
  for (const struct receive *r = queue_of(rank); r; r = queue_next(r))
    if (r->kind != RECEIVE_PROBE && stands_before(r, e, clock) && accepts(r, e)) return true;
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

/* Is the message for one of the receives that stand before `r` in the queue and have none yet? */
static bool claimed(const struct rank *rank, const struct receive *r, const struct envelope *e) {
  for (const struct receive *before = queue_of(rank); before && before != r; before = queue_next(before))
    if (before->kind != RECEIVE_PROBE && accepts(before, e)) return true;
  return false;
}

/* The message that a receive from any source would take, as far as arrivals are known. Messages of one source do not
 * overtake each other. */
static struct envelope *earliest(struct state *s, struct rank *rank, const struct receive *r) {
  struct arrivals *heap = rare_of(rank)->arrivals;
  while (heap->count > 0 && !arrival_true(arrival_at(heap, 0)))
    arrivals_pop(heap);
  const struct arrival *best = NULL;
  for (uint32_t k = 0; k < heap->count; k++) {
    const struct arrival *a = arrival_at(heap, k);
    if ((best && !arrival_before(a, best)) || (k > 0 && !arrival_true(a))) continue;
    const struct envelope *e = a->envelope;
    if (!accepts(r, e) || claimed(rank, r, e)) continue;
    if (r->tag == ANY && oldest_from(s, rank, origin_of(e->source, e->context), ANY) != e) continue;
    best = a;
    if (k == 0) break;
  }
  return best ? best->envelope : NULL;
}

struct envelope *candidate(struct state *s, struct rank *rank, const struct receive *r) {
  for (const struct receive *before = queue_of(rank); before && before != r; before = queue_next(before))
    if (covers(before, r)) return NULL;
  if (r->source == ANY) return earliest(s, rank, r);
  struct envelope *oldest = oldest_from(s, rank, origin_of((uint32_t)r->source, r->context), r->tag);
  return !oldest || claimed(rank, r, oldest) ? NULL : oldest;
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

static void queue_remove(struct rank *rank, struct receive *previous, struct receive *r) {
  if (previous)
    previous->item.next = r->item.next;
  else
    rare_of(rank)->queue = queue_next(r);
  if (rare_of(rank)->queue_last == r) rare_of(rank)->queue_last = previous;
  r->queued = false;
}

void queue_take(struct rank *rank, struct receive *r) {
  struct receive *previous = NULL;
  for (struct receive *before = queue_of(rank); before != r; before = queue_next(before))
    previous = before;
  queue_remove(rank, previous, r);
}

void settle(struct state *s, struct rank *rank, struct psl_call *call, double since) {
  struct receive *last = NULL;
  for (struct receive *r = queue_of(rank), *next; r; r = next) {
    next = queue_next(r);
    struct envelope *e = candidate(s, rank, r);
    bool later = e && r->source == ANY && e->arrival > known_to(call);
    if (later) ask_retry(s, r, e->arrival);
    if (!e || later || (r->kind == RECEIVE_PROBE && e->arrival < 0)) {
      last = r;
      continue;
    }
    queue_remove(rank, last, r);
    if (r->kind == RECEIVE_PROBE) {
      r->envelope = e;
    } else {
      take_for(s, rank, envelope_channel(s, rank, e), e, r);
      agent_wake(s, r, call, since);
      int64_t claim = r->kind == RECEIVE_POSTED && r->source != ANY ? request_claim(r) : 0;
      if (claim) due_add(s, r->rank, claim);
      if (e->arrival >= 0 && !(call && some_of(rank) && some_of(rank)->process == call->process))
        some_look(s, r->rank, later_of(e->arrival, since));
    }
    if (e->arrival >= 0) receive_wake(s, r, call);
  }
}

/* Has a receive before it in the rank's queue a claim to messages of this one? */
static bool contended(const struct rank *rank, const struct receive *r) {
  for (const struct receive *before = queue_of(rank); before; before = queue_next(before))
    if (overlaps(before, r)) return true;
  return false;
}

static void queue_append(struct state *s, struct rank *rank, struct receive *r) {
  r->queued = true;
  r->item.next = NULL;
  struct rare *rare = rank_rare(s, rank);
  if (rare->queue)
    rare->queue_last->item.next = &r->item;
  else
    rare->queue = r;
  rare->queue_last = r;
}

void channel_stands(struct state *s, uint32_t number, struct rank *rank, struct channel *c) {
  double since = waits_since(s, rank);
  uint32_t context = channel_context(rank, c);
  struct receive *r = pool_take(&s->memory, &s->receives, sizeof *r);
  struct item item = r->item;
  *r = (struct receive){.item = item,
                        .rank = number,
                        .source = (int32_t)c->source,
                        .tag = c->tag,
                        .context = context,
                        .process = rank->stay.process,
                        .clock = since,
                        .posted = since,
                        .kind = RECEIVE_BLOCKING,
                        .paired = c->holds == HOLDS_PAIRED,
                        .agent = NONE,
                        .on = depends_now(s, rank, context, since),
                        .due = -1};
  rank->awaits = false;
  c->holds = 0;
  receive_append(s, c, r);
}

void rank_stands(struct state *s, uint32_t number, struct rank *rank) {
  for (uint32_t k = 0; k < channel_room(rank); k++)
    channel_stand(s, number, rank, channel_number(rank, k));
}

void seek_in(struct state *s, struct rank *rank, struct channel *c, struct receive *r) {
  channel_stand(s, r->rank, rank, c);
  struct envelope *head = channel_head(s, c);
  if (head)
    take_for(s, rank, c, head, r);
  else
    receive_append(s, c, r);
}

/* The same of one source. False: it has to stand in the queue, which one that is for any tag does while there is no
 * message. */
static bool seek_channel(struct state *s, struct rank *rank, struct receive *r) {
  uint64_t origin = origin_of((uint32_t)r->source, r->context);
  if (r->tag != ANY) {
    seek_in(s, rank, channel_at(s, rank, origin, r->tag), r);
    return true;
  }
  struct envelope *head = oldest_from(s, rank, origin, ANY);
  if (head) take_for(s, rank, envelope_channel(s, rank, head), head, r);
  return head;
}

/* Who receives from any source mostly answers who has sent: what that needs is fetched into the caches meanwhile, and
 * the ranks whose messages may be the next. */
static void answer_soon(struct state *s, const struct arrivals *heap) {
  enum { NEXT = 5 }; /* the first, and those below it */
  for (uint32_t k = 0; k < NEXT && k < heap->count; k++) {
    const struct arrival *a = arrival_at(heap, k);
    if (a->source >= s->near_count) continue;
    const struct rank *rank = &s->near_ranks[a->source];
    if (k > 0) {
      __builtin_prefetch(a->envelope);
      __builtin_prefetch(rank);
      __builtin_prefetch(&rank->stay);
    } else {
      if (rank->channel_doublings) __builtin_prefetch(rank->places);
      s->host->soon(s->host, rank->stay.process);
    }
  }
}

/* The only one in its rank's queue takes the message that comes first, if nothing can come before that any more; else
 * it is asked again then. */
void seek_any(struct state *s, struct rank *rank, struct receive *r, const struct psl_call *call) {
  struct envelope *e = earliest(s, rank, r);
  if (!e) return;
  answer_soon(s, rare_of(rank)->arrivals);
  if (e->arrival > known_to(call)) {
    ask_retry(s, r, e->arrival);
    return;
  }
  queue_remove(rank, NULL, r);
  take_for(s, rank, envelope_channel(s, rank, e), e, r);
}

void seek(struct state *s, struct rank *rank, struct receive *r, struct psl_call *call) {
  bool one = r->source != ANY && r->kind != RECEIVE_PROBE && !contended(rank, r);
  if (one && seek_channel(s, rank, r)) return;
  if (r->source == ANY) arrivals_open(s, rank);
  queue_append(s, rank, r);
  if (is_alone(rank, r))
    seek_any(s, rank, r, call);
  else
    settle(s, rank, call, call->clock);
}
