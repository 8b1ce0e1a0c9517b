/* Requests are waited for, tested and finished with. */
#include "evaluators/mpi_sim/state.h"
#include <stdio.h>

static enum psl_status stage_await(struct state *s, struct psl_call *call, int64_t handle) {
  struct envelope *e = envelope_of(s, handle);
  enum stage stage = handle & 3;
  call->result.integer = 0;
  if (!e || (stage != STAGE_MESSAGE && !e->handshake) || (stage == STAGE_MESSAGE && e->arrival < 0))
    return failed_handle(call, "a stage of a message that can be awaited", handle);
  struct handshake *h = stage == STAGE_MESSAGE ? NULL : e->handshake;
  double reached = h ? h->reached[stage - 1] : e->arrival;
  if (stage == STAGE_ACKNOWLEDGEMENT) h->sending = call->queued; /* the caller sends the data then */
  if (reached < 0) {
    h->waiter[stage - 1] = call->process;
    h->waiting_since[stage - 1] = call->clock;
    return PSL_BLOCKED;
  }
  double end = later_of(reached, call->clock);
  if (h) waited_stage(s, call->process, e, stage, call->clock, end);
  call->clock = end;
  if (stage == STAGE_ACKNOWLEDGEMENT) data_sent(s, e, end);
  if (stage == STAGE_ACKNOWLEDGEMENT) away_sending(s, e);
  return PSL_DONE;
}

enum psl_status mpi_await(void *state, struct psl_call *call) {
  return stage_await(state, call, call->arguments[0].integer);
}

enum psl_status mpi_wait(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer, rank = call->arguments[1].integer;
  if (call->memory) return receive_again(s, call);
  if (rank != ANY && !rank_check(call, "caller", rank, false)) return PSL_FAILED;
  if (rank != ANY && !call->arguments[2].integer) waits_begin(rank_at(s, (uint32_t)rank));
  struct persistent *p = is_persistent(request) ? persistent_of(s, call, request) : NULL;
  if (!active_request(s, call, &request)) return PSL_FAILED;
  if (request <= 0) {
    call->result.integer = 0;
    return PSL_DONE;
  }
  if (p && p->mode == RECEIVES) p->active = INACTIVE;
  if ((request & 15) == HANDLE_BESIDE) return beside_wait(s, call, rank != ANY);
  if (!(request & HANDLE_RECEIVE)) {
    const struct envelope *e = envelope_of(s, request);
    if (e && rank == ANY) waits_begin(rank_at(s, e->source));
    return stage_await(s, call, request);
  }
  struct receive *r = receive_of(s, request);
  if (!r || r->over) return failed_handle(call, "a request that is still to be waited for", request);
  if (r->process != NONE) return psl_failed(call, "two processes wait for one request, a receive of rank %u", r->rank);
  r->process = call->process;
  r->clock = call->clock;
  if (rank == ANY && !is_collective(r->context)) waits_begin(rank_at(s, r->rank));
  if (r->queued) settle(s, rank_at(s, r->rank), call, call->clock);
  return receive_answer(s, call, r);
}

enum psl_status mpi_test(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t request = call->arguments[0].integer;
  call->result.integer = 1;
  if (!active_request(s, call, &request)) return PSL_FAILED;
  if (request <= 0) return PSL_DONE;
  if (!call->ordered) return PSL_LATER;
  double reached;
  if (!request_reached(s, call, request, &reached)) return PSL_FAILED;
  call->result.integer = reached >= 0 && reached <= call->clock;
  return PSL_DONE;
}

enum psl_status mpi_unanswered(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  struct receive *r = receive_of(s, handle);
  struct envelope *e = r ? NULL : envelope_of(s, handle);
  if ((!r || r->over) && !e) return failed_handle(call, "a receive or a message", handle);
  call->result.integer = 0;
  if (r && r->source == ANY) {
    const struct envelope *got = r->envelope;
    r->agent_due = true;
    r->claim = got ? request_claim(r) : 0;
    r->matched = got ? later_of(got->arrival, r->posted) : 0;
    call->result.integer = handle;
  } else if (r && !r->queued && r->envelope) {
    int64_t message = envelope_handle(r->envelope);
    call->result.integer = due_take(s, message) ? message : request_claim(r);
  } else if (!r && e->handshake && e->matched && e->arrival >= 0 && !e->answered) {
    e->answered = true;
    e->handshake->answering = call->queued;
    away_answered(s, e, call->queued);
    call->result.integer = handle;
  }
  return PSL_DONE;
}

enum psl_status mpi_answer(void *state, struct psl_call *call) {
  struct state *s = state;
  struct envelope *e = envelope_of(s, call->arguments[0].integer);
  if (!e || e->arrival < 0) return failed_handle(call, "a message that has come", call->arguments[0].integer);
  struct handshake *h = e->handshake;
  if (e->away) return away_answer(s, call, e);
  answer_begins(s);
  if (h) h->answering = call->queued;
  if (h) away_answered(s, e, call->queued);
  /* the rank may have run ahead, and posted its receive later than that whose helper is the caller */
  double there = h && e->matched ? later_of(e->arrival, h->posted) : e->arrival;
  there_because(s, call->process, e, there);
  there_from(s, call, there);
  call->result.integer = e->source;
  return PSL_DONE;
}

enum psl_status mpi_claim(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if (!(handle & HANDLE_RECEIVE)) {
    enum psl_status status = mpi_answer(state, call);
    call->result.integer = handle;
    return status;
  }
  struct receive *r = call->memory ? call->memory : receive_of(s, handle);
  call->result.integer = 0;
  if (!r || (!r->queued && !r->agent_due)) return PSL_DONE;
  r->agent_due = false;
  if (!r->queued) { /* it was matched meanwhile */
    struct envelope *e = envelope_of(s, r->claim);
    if (e) e->handshake->answering = call->queued;
    if (e) away_answered(s, e, call->queued);
    if (e) there_because(s, call->process, e, r->matched);
    call->result.integer = r->claim;
    there_from(s, call, r->matched);
    if (r->over) receive_free(s, r);
    return PSL_DONE;
  }
  call->memory = r;
  r->agent = call->process;
  r->queued_agent = call->queued;
  r->due = -1;
  settle(s, rank_at(s, r->rank), call, call->clock);
  if (call->memory) return PSL_BLOCKED;
  s->host->waited(s->host, call->process, PSL_NOT_THERE, call->clock, 0); /* the last word: others went on, too */
  return PSL_DONE;
}

/* What is done already, or nothing, or a receive from nobody, whose status says that. */
static enum psl_status nothing_finish(struct state *s, struct psl_call *call, int64_t handle) {
  call->result.real = 0;
  if (handle > NOBODY) return PSL_DONE;
  if (!rank_check(call, "caller", NOBODY - handle, false)) return PSL_FAILED;
  status_set(s, (uint32_t)(NOBODY - handle), 0, 0, (uint32_t)NOBODY, ANY);
  return PSL_DONE;
}

/* Nothing has come yet for a receive that knows from whom it does, or it is acknowledged already. */
bool quick_unanswered(void *state, const union psl_argument *arguments, union psl_argument *result) {
  struct state *s = state;
  int64_t handle = arguments[0].integer;
  result->integer = 0;
  if (handle & HANDLE_RECEIVE) {
    const struct receive *r = receive_of(s, handle);
    return r && !r->over && r->source != ANY && (r->queued || !r->envelope);
  }
  const struct envelope *e = envelope_of(s, handle);
  return e && (!e->handshake || e->answered);
}

/* A message itself, where nobody else wants to know of it, or the end of its handshake. */
bool quick_finish(void *state, const union psl_argument *arguments, union psl_argument *result) {
  struct state *s = state;
  int64_t handle = arguments[0].integer;
  if (handle <= 0 || (handle & 15) == HANDLE_BESIDE || is_persistent(handle) || s->host->message) return false;
  struct envelope *e = envelope_of(s, handle);
  bool message = (handle & 3) == STAGE_MESSAGE;
  if (!e || (message && (!e->matched || e->arrival < 0))) return false;
  if (message && !is_collective(e->context)) status_note(s, e);
  result->real = e->size;
  envelope_release(s, e);
  return true;
}

static void message_tell(struct state *s, const struct psl_call *call, const struct envelope *e,
                         const struct posted *posted) {
  struct psl_message message = {.from = posted->owner,
                                .to = s->host->owner(s->host, call->process),
                                .sent = posted->sent,
                                .posted = posted->received,
                                .received = call->clock,
                                .bytes = e->size,
                                .tag = e->tag,
                                .inside = is_collective(e->context)};
  s->host->message(s->host, &message);
}

enum psl_status mpi_finish(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t handle = call->arguments[0].integer;
  if (quick_finish(s, call->arguments, &call->result)) return PSL_DONE;
  if ((handle & 15) == HANDLE_BESIDE && handle > 0) return beside_finish(s, call);
  if (is_persistent(handle)) {
    struct persistent *p = persistent_of(s, call, handle);
    if (!p) return PSL_FAILED;
    handle = p->active;
    p->active = INACTIVE;
  }
  if (handle <= 0) return nothing_finish(s, call, handle);
  struct envelope *e = envelope_of(s, handle);
  if (!e || ((handle & 3) == STAGE_MESSAGE && (!e->matched || e->arrival < 0)))
    return failed_handle(call, "a message that has been received", handle);
  call->result.real = e->size;
  if ((handle & 3) == STAGE_MESSAGE && !is_collective(e->context)) status_note(s, e);
  if (s->host->message && (handle & 3) == STAGE_MESSAGE) message_tell(s, call, e, &s->posted[e->item.number]);
  envelope_release(s, e);
  return PSL_DONE;
}

/* The message that the call is about; NULL: it has failed. */
static const struct envelope *message_of(void *state, struct psl_call *call) {
  const struct envelope *e = envelope_of(state, call->arguments[0].integer);
  if (!e) failed_handle(call, "a message", call->arguments[0].integer);
  return e;
}

bool quick_source(void *state, const union psl_argument *arguments, union psl_argument *result) {
  const struct envelope *e = envelope_of(state, arguments[0].integer);
  if (e) result->integer = e->source;
  return e;
}

enum psl_status mpi_source(void *state, struct psl_call *call) {
  const struct envelope *e = message_of(state, call);
  if (e) call->result.integer = e->source;
  return e ? PSL_DONE : PSL_FAILED;
}

enum psl_status mpi_destination(void *state, struct psl_call *call) {
  const struct envelope *e = message_of(state, call);
  if (e) call->result.integer = e->destination;
  return e ? PSL_DONE : PSL_FAILED;
}

enum psl_status mpi_tag(void *state, struct psl_call *call) {
  if (is_persistent(call->arguments[0].integer)) {
    const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
    if (p) call->result.integer = p->tag;
    return p ? PSL_DONE : PSL_FAILED;
  }
  const struct envelope *e = message_of(state, call);
  if (e) call->result.integer = e->tag;
  return e ? PSL_DONE : PSL_FAILED;
}

enum psl_status mpi_size(void *state, struct psl_call *call) {
  if (is_persistent(call->arguments[0].integer)) {
    const struct persistent *p = persistent_of(state, call, call->arguments[0].integer);
    if (p) call->result.real = p->size;
    return p ? PSL_DONE : PSL_FAILED;
  }
  const struct envelope *e = message_of(state, call);
  if (e) call->result.real = e->size;
  return e ? PSL_DONE : PSL_FAILED;
}

static bool stage_of(const union psl_argument *arguments, union psl_argument *result, enum stage stage) {
  result->integer = (arguments[0].integer & ~(int64_t)3) | (int64_t)stage;
  return true;
}

bool mpi_acknowledgement(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_ACKNOWLEDGEMENT);
}

bool mpi_data(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_DATA);
}

bool mpi_sent(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  return stage_of(arguments, result, STAGE_SENT);
}

bool mpi_handshake(const union psl_argument *arguments, union psl_argument *result, char error[200]) {
  (void)error;
  result->integer = (arguments[0].integer & HANDLE_HANDSHAKE) != 0 && (arguments[0].integer & 3) == STAGE_MESSAGE;
  return true;
}
