/* Receives and probes: those that wait for their message, and those that are posted. */
#include "evaluators/mpi_sim/state.h"

static inline bool receive_check(struct state *s, struct psl_call *call) {
  const union psl_argument *a = call->arguments;
  return rank_check(call, "receiver", a[0].integer, false) && rank_check(call, "source", a[1].integer, true) &&
         tag_check(call, a[2].integer, true) && context_check(s, call, a[3].integer, a[0].integer, a[1].integer);
}

static struct receive *receive_new(struct state *s, struct psl_call *call, enum receive_kind kind, uint32_t *index) {
  *index = pool_take(&s->memory, &s->receives, sizeof(struct receive));
  struct receive *r = receive_at(s, *index);
  r->rank = (uint32_t)call->arguments[0].integer;
  r->source = (int32_t)call->arguments[1].integer;
  r->tag = (int32_t)call->arguments[2].integer;
  r->context = context_of(call->arguments[3].integer);
  r->process = kind == RECEIVE_POSTED ? NONE : call->process;
  r->agent = NONE;
  r->agent_due = r->over = false;
  r->claim = 0;
  r->envelope = NONE;
  r->kind = kind;
  r->queued = false;
  r->posted = r->clock = call->clock;
  r->on = depends_now(s, rank_at(s, r->rank), r->context, call->clock);
  r->due = -1;
  return r;
}

static uint32_t receive_index(const struct state *s, const struct receive *r) {
  for (uint32_t chunk = 0; chunk < s->receives.chunk_count; chunk++) {
    const struct receive *first = (const struct receive *)(const void *)s->receives.chunks[chunk];
    if (r >= first && r < first + CHUNK) return (chunk << CHUNK_BITS) + (uint32_t)(r - first);
  }
  return NONE;
}

/* Answers the caller out of its receive, which is done with if its message has come. */
enum psl_status receive_answer(struct state *s, struct psl_call *call, struct receive *r, uint32_t index) {
  if (!receive_ready(s, r)) {
    call->memory = r;
    return PSL_BLOCKED;
  }
  const struct envelope *e = envelope_at(s, r->envelope);
  double end = later_of(e->arrival, call->clock);
  waited_message(s, call->process, r->rank, e, r->clock, end); /* the call may have been made again since */
  call->clock = end;
  call->result.integer = envelope_handle(e, r->envelope);
  if (r->kind == RECEIVE_PROBE) status_note(s, e);
  receive_free(s, r, index);
  return PSL_DONE;
}

/* A call that is made again because a receive from any source can be decided. */
enum psl_status receive_again(struct state *s, struct psl_call *call) {
  struct receive *r = call->memory;
  if (r->queued && !call->ordered) return PSL_LATER;
  r->due = -1;
  if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
  return receive_answer(s, call, r, receive_index(s, r));
}

enum psl_status mpi_receive(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  if (call->arguments[3].integer >= 0) waits_begin(rank, call->clock);
  int64_t source = call->arguments[1].integer, tag = call->arguments[2].integer;
  if (rank->queue == NONE && source != ANY && tag != ANY) { /* the common case: it has come already */
    struct channel *c =
        channel_at(s, rank, origin_of((uint32_t)source, context_of(call->arguments[3].integer)), (int32_t)tag);
    uint32_t head = channel_head(s, c);
    if (head != NONE && envelope_at(s, head)->arrival >= 0) {
      struct envelope *e = envelope_at(s, head);
      double begin = call->clock;
      take(s, rank, c, head);
      meet(s, e, head, begin, depends_now(s, rank, e->context, begin));
      call->clock = later_of(e->arrival, begin);
      waited_message(s, call->process, (uint32_t)call->arguments[0].integer, e, begin, call->clock);
      call->result.integer = envelope_handle(e, head);
      return PSL_DONE;
    }
  }
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_BLOCKING, &index);
  seek(s, rank, r, index, call);
  return receive_answer(s, call, r, index);
}

/* A blocking receive of a message that has come already, without a handshake. */
static bool receive_and_finish(void *state, struct psl_call *call, double later) {
  struct state *s = state;
  const union psl_argument *a = call->arguments;
  uint64_t number = (uint64_t)a[0].integer, source = (uint64_t)a[1].integer, tag = (uint64_t)a[2].integer;
  if ((number | source) >= RANK_LIMIT || tag > INT32_MAX || later != call->clock || s->host->message ||
      !context_check(s, call, a[3].integer, a[0].integer, a[1].integer))
    return false;
  struct rank *rank = rank_at(s, (uint32_t)number);
  uint32_t context = context_of(a[3].integer);
  if (rank->queue != NONE || !acts_already(call, rank, context)) return false;
  struct channel *c = channel_at(s, rank, origin_of((uint32_t)source, context), (int32_t)tag);
  if (c->tail == EMPTY || c->receives) return false;
  uint32_t head = envelope_at(s, c->tail)->item.next;
  struct envelope *e = envelope_at(s, head);
  double arrival = e->arrival;
  if (arrival < 0 || e->handshake != NONE) return false;
  take(s, rank, c, head);
  if (a[3].integer >= 0) waits_begin(rank, later);
  if (e->buffered) buffers_release(s, e, later_of(later, arrival));
  if (arrival > later) call->clock = arrival;
  if (is_collective(context) || arrival > later)
    note_message(s, call->process, (uint32_t)number, e, later, call->clock);
  if (!is_collective(context)) rank_status(rank, e);
  call->result.real = e->size;
  item_give(&s->envelopes, &e->item, head);
  return true;
}

const struct psl_call_pair mpi_receive_pair = {.second = "finish", .unless = "handshake", .call = receive_and_finish};

enum psl_status mpi_probe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (call->memory) return receive_again(s, call);
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  if (call->arguments[3].integer >= 0) waits_begin(rank, call->clock);
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_PROBE, &index);
  seek(s, rank, r, index, call);
  return receive_answer(s, call, r, index);
}

enum psl_status mpi_iprobe(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(s, call)) return PSL_FAILED;
  if (!call->ordered) return PSL_LATER;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  struct receive probe = {.kind = RECEIVE_PROBE,
                          .source = (int32_t)call->arguments[1].integer,
                          .tag = (int32_t)call->arguments[2].integer,
                          .context = context_of(call->arguments[3].integer)};
  if (probe.source == ANY) arrivals_open(s, rank);
  settle(s, rank, call, call->clock);
  uint32_t index = candidate(s, rank, &probe, NONE);
  double arrival = index == NONE ? -1 : envelope_at(s, index)->arrival;
  call->result.integer = arrival >= 0 && arrival <= call->clock;
  if (call->result.integer) status_note(s, envelope_at(s, index));
  return PSL_DONE;
}

enum psl_status mpi_irecv(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!receive_check(s, call)) return PSL_FAILED;
  struct rank *rank = rank_at(s, (uint32_t)call->arguments[0].integer);
  enum psl_status status;
  if (!acts_in(s, call, rank, call->arguments[3].integer, &status)) return status;
  uint32_t index;
  struct receive *r = receive_new(s, call, RECEIVE_POSTED, &index);
  seek(s, rank, r, index, call);
  call->result.integer = handle_make(index, r->item.generation, HANDLE_RECEIVE);
  return PSL_DONE;
}

/* The receive of a handle, or NULL. */
struct receive *receive_of(struct state *s, int64_t handle) {
  bool valid = (handle & 15) == HANDLE_RECEIVE && handle_valid(&s->receives, handle, sizeof(struct receive));
  struct receive *r = valid ? receive_at(s, handle_index(handle)) : NULL;
  return r && (!r->over || r->agent_due) ? r : NULL;
}
