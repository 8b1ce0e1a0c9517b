/* Requests: when they are done, several of them together, taking receives back, and statuses. What a process puts
 * together is kept by process, in its order. Who waits for some of them looks again whenever something happens to its
 * rank, in the order of virtual time. */
#include "evaluators/mpi_sim/state.h"
#include <inttypes.h>
#include <stdio.h>

static struct rank *rank_given(struct state *s, struct psl_call *call) {
  int64_t rank = call->arguments[0].integer;
  if (rank >= 0 && rank < RANK_LIMIT) return rank_at(s, (uint32_t)rank);
  snprintf(call->error, sizeof call->error, "there is no rank %" PRId64 "; ranks are 0 to %d", rank, RANK_LIMIT - 1);
  return NULL;
}

/* ---- requests that a process puts together ---- */

static struct keeping *keeping_of(struct state *s, uint32_t process) {
  if (process >= s->keeping_count) {
    uint32_t count = s->keeping_count ? s->keeping_count : CHUNK;
    while (count <= process)
      count *= 2;
    struct keeping *grown = s->host->allocate(s->host, count * sizeof *grown);
    if (s->keeping_count) memcpy(grown, s->keeping, s->keeping_count * sizeof *grown);
    s->keeping = grown;
    s->keeping_count = count;
  }
  return &s->keeping[process];
}

static inline struct kept *kept_next(const struct kept *kept) { return (struct kept *)kept->item.next; }

enum psl_status mpi_keep(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  if (!active_request(s, call, &request)) return PSL_FAILED;
  struct keeping *keeping = keeping_of(s, call->process);
  struct kept *kept = pool_take(&s->memory, &s->kept, sizeof *kept), *tail = keeping->count ? keeping->tail : kept;
  kept->request = request;
  kept->item.next = keeping->count ? tail->item.next : &kept->item;
  tail->item.next = &kept->item;
  keeping->tail = kept;
  keeping->count++;
  return PSL_DONE;
}

enum psl_status mpi_kept(void *state, struct psl_call *call) {
  call->result.integer = keeping_of(state, call->process)->count;
  return PSL_DONE;
}

enum psl_status mpi_take(void *state, struct psl_call *call) {
  struct state *s = state;
  struct keeping *keeping = keeping_of(s, call->process);
  if (keeping->count == 0) return psl_failed(call, "no request is kept");
  struct kept *first = kept_next(keeping->tail);
  call->result.integer = first->request;
  keeping->tail->item.next = first->item.next;
  keeping->count--;
  pool_give(&s->kept, &first->item);
  return PSL_DONE;
}

/* ---- which of them are done ---- */

bool request_reached(struct state *s, struct psl_call *call, int64_t request, double *reached) {
  if ((request & 15) == HANDLE_BESIDE) {
    const struct beside *beside = beside_of(s, call, request);
    if (beside) *reached = beside->reached;
    return beside;
  }
  if (request & HANDLE_RECEIVE) {
    struct receive *r = receive_of(s, request);
    if (!r || r->over) return failed_handle(call, "a request that is still to be waited for", request) == PSL_DONE;
    r->asked = true;
    if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
    const struct envelope *e = r->envelope;
    *reached = !e ? -1 : e->handshake ? e->handshake->reached[STAGE_DATA - 1] : e->arrival;
    return true;
  }
  const struct envelope *e = handle_item(&s->envelopes, request, sizeof *e);
  if (!e || !e->handshake || (request & 3) == STAGE_MESSAGE)
    return failed_handle(call, "a request that is still to be waited for", request) == PSL_DONE;
  *reached = e->handshake->reached[(request & 3) - 1];
  return true;
}

void some_due(struct state *s, struct some *some, double clock) {
  double at = later_of(clock, some->since);
  if (some->due >= 0 && some->due <= at) return;
  some->due = at;
  s->host->retry(s->host, some->process, at);
}

int64_t some_oldest(const struct state *s, uint32_t process, uint32_t *count) {
  int64_t oldest = -1;
  *count = 0;
  bool waits = false;
  for (uint32_t k = 0; !waits && k < s->rank_chunks << CHUNK_BITS; k++) {
    const struct rank *ranks = s->ranks[k / CHUNK];
    const struct some *some = ranks ? some_of(&ranks[k % CHUNK]) : NULL;
    waits = some && some->process == process;
  }
  if (!waits) return -1;
  const struct keeping *keeping = &s->keeping[process];
  const struct kept *kept = keeping->tail;
  for (uint32_t k = 0; k < keeping->count; k++) {
    kept = kept_next(kept);
    if (kept->request == -1) continue;
    if (oldest == -1) oldest = kept->request;
    ++*count;
  }
  return oldest;
}

static void place_add(struct state *s, uint32_t count, uint32_t place) {
  if (count == s->place_capacity) {
    uint32_t capacity = count ? 2 * count : 64;
    int64_t *grown = s->host->allocate(s->host, capacity * sizeof *grown);
    if (count) memcpy(grown, s->places, count * sizeof *grown);
    s->places = grown;
    s->place_capacity = capacity;
  }
  s->places[count] = place;
}

/* The wait that the first request that is done has ended: for whom it was. */
static void some_waited(struct state *s, struct psl_call *call, uint32_t rank, int64_t request, double since) {
  if (request <= 0 || !(call->clock > since)) return;
  waits_begin(rank_at(s, rank));
  if ((request & 15) == HANDLE_BESIDE) {
    const struct beside *beside = pool_at(&s->besides, handle_number(request), sizeof *beside);
    enum psl_partner partner = beside->context ? PSL_COLLECTIVE : PSL_LATE_SENDER;
    if (s->host->because) s->host->because(s->host, call->process, beside->moment);
    s->host->waited(s->host, call->process, partner, beside->on.came, beside->on.late);
  } else if (request & HANDLE_RECEIVE) {
    const struct receive *r = pool_at(&s->receives, handle_number(request), sizeof *r);
    const struct envelope *e = r->envelope;
    if (!e->handshake) stage_because(s, call->process, e, STAGE_MESSAGE);
    if (e->handshake)
      waited_stage(s, call->process, e, STAGE_DATA, since, call->clock);
    else
      waited(s, call->process, e, PSL_LATE_SENDER, e->on.came, e->queued);
  } else {
    const struct envelope *e = pool_at(&s->envelopes, handle_number(request), sizeof *e);
    waited_stage(s, call->process, e, STAGE_SENT, since, call->clock);
  }
}

enum psl_status mpi_some_done(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_LATER;
  struct rank *rank = rank_given(s, call);
  if (!rank) return PSL_FAILED;
  struct keeping *keeping = keeping_of(s, call->process);
  const struct kept *kept = keeping->tail;
  uint32_t count = 0, active = 0;
  double soonest = INFINITY;
  int64_t first = 0;
  for (uint32_t k = 0; k < keeping->count; k++) {
    double reached = 0;
    kept = kept_next(kept);
    if (kept->request == -1) continue;
    active++;
    if (kept->request > 0 && !request_reached(s, call, kept->request, &reached)) return PSL_FAILED;
    if (reached >= 0 && reached <= call->clock) {
      if (count == 0) first = kept->request;
      place_add(s, count++, k);
    } else if (reached >= 0) {
      soonest = fmin(soonest, reached);
    }
  }
  if (count == 0 && active && call->arguments[1].integer) {
    struct rare *rare = rank_rare(s, rank);
    if (!rare->some) {
      rare->some = cut(&s->memory, sizeof *rare->some);
      rare->some->process = NONE;
    }
    if (rare->some->process == NONE) {
      *rare->some = (struct some){call->process, call->clock, -1};
      s->some_count++;
    }
    rare->some->due = -1;
    call->memory = rare->some;
    if (soonest < INFINITY) some_due(s, rare->some, soonest);
    return PSL_BLOCKED;
  }
  if (call->memory) {
    some_waited(s, call, (uint32_t)call->arguments[0].integer, first, some_of(rank)->since);
    some_of(rank)->process = NONE;
    s->some_count--;
  }
  while (keeping->count)
    mpi_take(s, call);
  call->result.integers.items = s->places;
  call->result.integers.count = count;
  return PSL_DONE;
}

/* ---- taking a receive back ---- */

static void channel_remove(struct state *s, struct channel *c, struct receive *r) {
  struct item *last = &last_receive(s, c)->item, *before = last;
  while (before->next != &r->item)
    before = before->next;
  before->next = r->item.next;
  if (last == &r->item) c->holds = before == &r->item ? 0 : HOLDS_RECEIVES + before->number + 1;
}

/* A message that is on its way goes back to where it would be without the receive. */
static void unmatch(struct state *s, struct rank *rank, struct envelope *e, double clock) {
  struct channel *c = envelope_channel(s, rank, e);
  channel_stand(s, e->destination, rank, c);
  uint32_t held = c->holds;
  e->matched = false;
  e->receive = NULL;
  s->matched--;
  if (has_receives(c)) {
    envelope_place(s, rank, c, e, clock);
    return;
  }
  message_append(s, c, e);
  if (held) c->holds = held; /* before all others */
}

/* The agent that waits for it beside the program has nothing to acknowledge. */
static void agent_release(struct state *s, struct receive *r, double clock) {
  if (r->agent == NONE) return;
  s->host->waited(s->host, r->agent, PSL_NOT_THERE, clock, 0);
  s->host->resume(s->host, r->agent, clock, (union psl_argument){.integer = 0});
  r->agent = NONE;
}

enum psl_status mpi_cancel(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  call->result.integer = 0;
  if (!call->ordered) return PSL_LATER;
  if (s->partition) s->host->give_up(s->host, "receives are taken back"); /* others may know of their messages */
  double reached = 0;
  struct persistent *p = is_persistent(request) ? persistent_of(s, call, request) : NULL;
  if (!active_request(s, call, &request)) return PSL_FAILED;
  if (request <= 0) return PSL_DONE;
  if (!request_reached(s, call, request, &reached)) return PSL_FAILED;
  if (!(request & HANDLE_RECEIVE) || (request & 15) == HANDLE_BESIDE) return PSL_DONE; /* what is sent is sent */
  struct receive *r = receive_of(s, request);
  struct rank *rank = rank_at(s, r->rank);
  struct envelope *e = r->envelope;
  if (e && e->arrival >= 0 && e->arrival <= call->clock) return PSL_DONE;
  call->result.integer = 1;
  if (p) p->active = INACTIVE;
  if (r->queued)
    queue_take(rank, r);
  else if (!e)
    channel_remove(s, channel_at(s, rank, origin_of((uint32_t)r->source, r->context), r->tag), r);
  agent_release(s, r, call->clock);
  receive_free(s, r);
  if (e) unmatch(s, rank, e, call->clock);
  if (queue_of(rank)) settle(s, rank, NULL, call->clock);
  return PSL_DONE;
}

/* ---- statuses; ready sends ---- */

static const struct status *status_given(struct state *s, struct psl_call *call) {
  return rank_given(s, call) ? status_at(s, (uint32_t)call->arguments[0].integer) : NULL;
}

enum psl_status mpi_status_source(void *state, struct psl_call *call) {
  const struct status *status = status_given(state, call);
  if (!status) return PSL_FAILED;
  call->result.integer = status->source;
  return PSL_DONE;
}

enum psl_status mpi_status_tag(void *state, struct psl_call *call) {
  const struct status *status = status_given(state, call);
  if (!status) return PSL_FAILED;
  call->result.integer = status->tag;
  return PSL_DONE;
}

enum psl_status mpi_status_number(void *state, struct psl_call *call) {
  const struct status *status = status_given(state, call);
  if (!status) return PSL_FAILED;
  call->result.integer = status->number;
  return PSL_DONE;
}

enum psl_status mpi_status_size(void *state, struct psl_call *call) {
  const struct status *status = status_given(state, call);
  if (!status) return PSL_FAILED;
  call->result.real = status->size;
  return PSL_DONE;
}
