/* Conversations: the elementary interactions of a protocol between who requests and who accepts. The check makes calls
 * of these functions of what bodies say (interp/check/conversation.c); no model names them.
 *
 * A body that begins conversations has a party, with a place for each label; the accept's side is known by the number
 * of the conversation, which comes with the first interaction. What a side sends is there at once, in the order of
 * virtual time, and stands in the other side's queue until that takes it. Each side's automaton follows all that is
 * sent: a step that it does not have there is a violation, and so is an end before the sequence is complete. Where
 * `first of` cancels the body of a requester the accept goes on alone, and may end at any step.
 *
 * Invariants: of a side's queue and its line of those that wait, one is empty, but for heads of `first of` that wait
 * for other interactions than the first of the queue; both automata have taken the same steps, once the accept has
 * begun. */
#include "evaluators/sequence.h"
#include "interp/include/evaluator.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum side { REQUESTER, ACCEPTER, SIDES };
static const char *const side_names[SIDES] = {"requester", "accept"};

struct known { /* a sequence, by its text */
  const char *text;
  struct sequence *sequence;
  struct known *next;
};
struct pairing { /* of a request and an accept, with their sequences */
  uint32_t request, accept;
  const struct sequence *of[SIDES];
  const uint16_t *to[SIDES]; /* steps of the side's sequence as those of the other one's */
  struct pairing *next;
};
struct sent {
  struct sent *next;
  uint16_t step; /* of the sender's sequence */
  int64_t place;
  struct psl_value message;
};
struct waiter {
  struct waiter *next;
  uint32_t process;
  uint16_t step; /* of its own side's sequence */
  bool alone;    /* no other head of a `first of` waits beside it */
  int64_t place;
  enum side side;
  struct conversation *conversation; /* NULL: it is free */
};
struct conversation {
  uint32_t number, generation;
  const struct pairing *pairing; /* NULL: the accept has not begun */
  const struct sequence *sequence[SIDES];
  uint32_t state[SIDES];
  bool ended[SIDES];
  bool broken_off;                         /* the requester's body, by `first of` */
  struct sent *first[SIDES], *last[SIDES]; /* what the side has to take */
  struct waiter *waiting[SIDES];
  uint32_t process[SIDES]; /* that has called last */
  uint32_t request;
  uint32_t instance[SIDES];
  int64_t place; /* of the last interaction */
  struct conversation *free;
};
struct party {
  uint32_t process; /* that is in the body */
  uint32_t next;    /* party of that process, + 1 */
  uint32_t count;
  int64_t *conversations; /* by label; 0: none */
  uint32_t free;          /* the next one, + 1 */
};
struct state {
  struct psl_host *host;
  struct known *known;
  struct pairing *pairings;
  struct conversation **conversations, *free;
  uint32_t count, capacity;
  struct party *parties;
  uint32_t party_count, party_capacity, free_party; /* + 1 */
  struct sent *free_sent;
  struct waiter *free_waiters, **waiters; /* by process */
  uint32_t process_capacity;
  uint32_t *begun, begun_capacity; /* by process: its last party, + 1 */
};

static void *conversation_open(struct psl_host *host) {
  struct state *s = host->allocate(host, sizeof *s);
  s->host = host;
  return s;
}

/* ---- what there is ---- */

static void *allocate(void *user, size_t size) {
  struct psl_host *host = user;
  return host->allocate(host, size);
}

static void *grown(struct state *s, void *array, size_t item, uint32_t *capacity, uint32_t place) {
  uint32_t wanted = *capacity ? *capacity : 64;
  if (place < *capacity) return array;
  while (wanted <= place)
    wanted *= 2;
  void *larger = s->host->allocate(s->host, wanted * item);
  if (*capacity) memcpy(larger, array, *capacity * item);
  *capacity = wanted;
  return larger;
}

static const struct sequence *sequence_of(struct state *s, const char *text) {
  struct known *known = s->known;
  while (known && strcmp(known->text, text))
    known = known->next;
  if (known) return known->sequence;
  size_t size = strlen(text) + 1;
  char *kept = s->host->allocate(s->host, size); /* what the call is given is gone when it returns */
  memcpy(kept, text, size);
  known = s->host->allocate(s->host, sizeof *known);
  *known = (struct known){kept, sequence_read(kept, allocate, s->host), s->known};
  s->known = known;
  return known->sequence;
}

static void pair(struct state *s, struct pairing *pairing) {
  uint16_t *to[SIDES];
  bool coerced = false; /* what some steps carry: the matching has paired them */
  for (enum side side = 0; side < SIDES; side++) {
    pairing->to[side] = s->host->steps(s->host, pairing->request, pairing->accept, side);
    coerced |= pairing->to[side] != NULL;
    to[side] = s->host->allocate(s->host, pairing->of[side]->step_count * sizeof *to[side]);
  }
  if (coerced) return;
  sequence_pair(pairing->of[REQUESTER], pairing->of[ACCEPTER], NULL, NULL, to[REQUESTER], to[ACCEPTER]);
  for (enum side side = 0; side < SIDES; side++)
    pairing->to[side] = to[side];
}

static const struct pairing *pairing_of(struct state *s, const struct conversation *c, uint32_t accept) {
  struct pairing *pairing = s->pairings;
  while (pairing && (pairing->request != c->request || pairing->accept != accept))
    pairing = pairing->next;
  if (pairing) return pairing;
  pairing = s->host->allocate(s->host, sizeof *pairing);
  *pairing = (struct pairing){c->request, accept, {c->sequence[REQUESTER], c->sequence[ACCEPTER]}, .next = s->pairings};
  pair(s, pairing);
  return s->pairings = pairing;
}

static int64_t handle_of(const struct conversation *c) { return (int64_t)c->generation << 32 | (c->number + 1); }

static struct conversation *conversation_new(struct state *s, const struct sequence *sequence) {
  struct conversation *c = s->free;
  if (c) {
    s->free = c->free;
    *c = (struct conversation){.number = c->number, .generation = c->generation + 1};
  } else {
    s->conversations = grown(s, s->conversations, sizeof(void *), &s->capacity, s->count);
    c = s->conversations[s->count] = s->host->allocate(s->host, sizeof *c);
    c->number = s->count++;
  }
  c->sequence[REQUESTER] = sequence;
  c->state[REQUESTER] = sequence_next(sequence, 0, 0);
  return c;
}

static struct conversation *conversation_at(const struct state *s, int64_t handle) {
  uint32_t number = (uint32_t)handle, generation = (uint32_t)(handle >> 32);
  if (!number || number > s->count) return NULL;
  struct conversation *c = s->conversations[number - 1];
  return c->generation == generation ? c : NULL;
}

static void conversation_leave(struct state *s, struct conversation *c, enum side side) {
  c->ended[side] = true;
  if (!c->ended[!side] || c->first[side] || c->first[!side]) return;
  c->generation++;
  c->free = s->free;
  s->free = c;
}

/* ---- what goes wrong ---- */

static enum psl_status failed(const struct state *s, struct psl_call *call, int64_t place, const char *what,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* `place`: the other one of the model that it has to do with; 0: there is none. */
static enum psl_status failed(const struct state *s, struct psl_call *call, int64_t place, const char *what,
                              const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(call->error, sizeof call->error, format, arguments);
  va_end(arguments);
  uint32_t span[2] = {(uint32_t)place, (uint32_t)(place >> 32)};
  if (place) s->host->beside(s->host, span, what);
  return PSL_FAILED;
}

static const char *step_name(const struct conversation *c, enum side side, uint32_t step) {
  return c->sequence[side]->steps[step].name;
}

static enum psl_status out_of_order(const struct state *s, struct psl_call *call, const struct conversation *c,
                                    enum side side, const char *does, uint32_t step) {
  char due[120];
  sequence_due(c->sequence[side], c->state[side], due, sizeof due);
  return failed(s, call, c->place, "the interaction before it", "in '%s' the %s %s '%s', and what is due is %s",
                c->sequence[side]->name, side_names[side], does, step_name(c, side, step), due);
}

/* ---- the calls ---- */

enum { HANDLE, LABEL, STEP, PLACE, MESSAGE, ALONE = MESSAGE };

/* What the side has not taken goes. */
static void sent_drop(struct state *s, struct conversation *c, enum side side) {
  for (struct sent *sent; (sent = c->first[side]);) {
    c->first[side] = sent->next;
    s->host->drop(s->host, sent->message);
    sent->next = s->free_sent;
    s->free_sent = sent;
  }
  c->last[side] = NULL;
}

static uint32_t *begun_by(struct state *s, uint32_t process) {
  s->begun = grown(s, s->begun, sizeof *s->begun, &s->begun_capacity, process);
  return &s->begun[process];
}

/* begin(labels) -> int: the party of a body. */
static enum psl_status begin(void *state, struct psl_call *call) {
  struct state *s = state;
  uint32_t count = (uint32_t)call->arguments[0].integer, number = s->free_party;
  if (number) {
    s->free_party = s->parties[number - 1].free;
  } else {
    s->parties = grown(s, s->parties, sizeof *s->parties, &s->party_capacity, s->party_count);
    number = ++s->party_count;
  }
  struct party *party = &s->parties[number - 1];
  if (party->count < count)
    *party = (struct party){.count = count, .conversations = s->host->allocate(s->host, count * sizeof(int64_t))};
  uint32_t *begun = begun_by(s, call->process);
  party->process = call->process;
  party->next = *begun;
  *begun = number;
  memset(party->conversations, 0, party->count * sizeof(int64_t));
  call->result.integer = number;
  return PSL_DONE;
}

static enum psl_status end_side(struct state *s, struct psl_call *call, struct conversation *c, enum side side) {
  const struct sequence *sequence = c->sequence[side];
  if (c->broken_off) { /* wherever it stands */
    sent_drop(s, c, side);
    conversation_leave(s, c, side);
    return PSL_DONE;
  }
  if (!sequence->final[c->state[side]]) {
    char due[120];
    sequence_due(sequence, c->state[side], due, sizeof due);
    return failed(s, call, c->place, "the last interaction", "in '%s' the %s ends it, and what is due is %s",
                  sequence->name, side_names[side], due);
  }
  const struct sent *left = c->first[side];
  if (left)
    return failed(s, call, left->place, "it is sent here", "in '%s' the %s ends it without having taken '%s'",
                  sequence->name, side_names[side], step_name(c, !side, left->step));
  const struct waiter *waiter = c->waiting[!side];
  if (waiter && waiter->alone)
    return failed(s, call, waiter->place, "it waits here", "in '%s' the %s ends it, and the %s waits for '%s'",
                  sequence->name, side_names[side], side_names[!side], step_name(c, !side, waiter->step));
  conversation_leave(s, c, side);
  return PSL_DONE;
}

/* open(party, label, sequence, place, request) -> int: a conversation, in place of the one that the label had. */
static enum psl_status open_one(void *state, struct psl_call *call) {
  struct state *s = state;
  int64_t *own = &s->parties[call->arguments[HANDLE].integer - 1].conversations[call->arguments[LABEL].integer];
  struct conversation *before = conversation_at(s, *own);
  if (before && !call->ordered) return PSL_NEXT;
  if (before && end_side(s, call, before, REQUESTER) == PSL_FAILED) return PSL_FAILED;
  struct conversation *c = conversation_new(s, sequence_of(s, call->arguments[2].string));
  c->place = call->arguments[3].integer;
  c->request = (uint32_t)call->arguments[4].integer;
  c->process[REQUESTER] = call->process;
  c->instance[REQUESTER] = s->host->owner(s->host, call->process);
  call->result.integer = *own = handle_of(c);
  return PSL_DONE;
}

/* join(conversation, sequence, accept): the accept begins, and its automaton takes the steps that have been sent
 * before. */
static enum psl_status join(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_NEXT;
  struct conversation *c = conversation_at(s, call->arguments[0].integer);
  c->sequence[ACCEPTER] = sequence_of(s, call->arguments[1].string);
  c->pairing = pairing_of(s, c, (uint32_t)call->arguments[2].integer);
  c->state[ACCEPTER] = sequence_next(c->sequence[ACCEPTER], 0, 0);
  c->process[ACCEPTER] = call->process;
  c->instance[ACCEPTER] = s->host->owner(s->host, call->process);
  for (struct sent *sent = c->first[ACCEPTER]; sent; sent = sent->next)
    c->state[ACCEPTER] =
        sequence_next(c->sequence[ACCEPTER], c->state[ACCEPTER], c->pairing->to[REQUESTER][sent->step]);
  return PSL_DONE;
}

/* That of the body's label, or, where that is -1, of the accept; NULL after an error. */
static struct conversation *conversation_of(struct state *s, struct psl_call *call, enum side *side) {
  int64_t handle = call->arguments[HANDLE].integer, label = call->arguments[LABEL].integer;
  *side = label < 0 ? ACCEPTER : REQUESTER;
  if (label >= 0) handle = s->parties[handle - 1].conversations[label];
  struct conversation *c = conversation_at(s, handle);
  if (c && !c->ended[*side]) return c;
  failed(s, call, 0, NULL, "no conversation of that label has been begun");
  return NULL;
}

static uint16_t stands_for(const struct conversation *c, enum side side, uint16_t step) {
  return c->pairing ? c->pairing->to[side][step] : SEQUENCE_NONE;
}

static struct waiter **waiter_of(struct state *s, uint32_t process) {
  s->waiters = grown(s, s->waiters, sizeof *s->waiters, &s->process_capacity, process);
  return &s->waiters[process];
}

static void waiter_leave(struct state *s, struct waiter *waiter) {
  struct waiter **link = &waiter->conversation->waiting[waiter->side];
  while (*link != waiter)
    link = &(*link)->next;
  *link = waiter->next;
  *waiter_of(s, waiter->process) = NULL;
  waiter->conversation = NULL;
  waiter->next = s->free_waiters;
  s->free_waiters = waiter;
}

/* Who waits for that step of its own side; of others one that waits for nothing else is told of in *other. */
static struct waiter *waiting_for(const struct conversation *c, enum side side, uint16_t step,
                                  const struct waiter **other) {
  for (struct waiter *waiter = c->waiting[side]; waiter; waiter = waiter->next) {
    if (waiter->step == step) return waiter;
    if (waiter->alone) *other = waiter;
  }
  return NULL;
}

static void sent_enter(struct state *s, struct conversation *c, enum side to, struct sent like) {
  struct sent *sent = s->free_sent;
  if (sent)
    s->free_sent = sent->next;
  else
    sent = s->host->allocate(s->host, sizeof *sent);
  *sent = like;
  sent->message = s->host->keep(s->host, like.message);
  if (c->last[to])
    c->last[to]->next = sent;
  else
    c->first[to] = sent;
  c->last[to] = sent;
}

static struct psl_carried carried_by(const struct conversation *c, enum side side, uint32_t step) {
  return (struct psl_carried){.request = c->request,
                              .accept = c->pairing ? c->pairing->accept : 0,
                              .from = c->instance[REQUESTER],
                              .to = c->instance[ACCEPTER],
                              .step = step,
                              .back = side == ACCEPTER};
}

/* What the side has sent by that step, as the other one takes it. False: the run ends. */
static bool coerce(const struct state *s, const struct conversation *c, enum side side, uint32_t step,
                   struct psl_value *message) {
  struct psl_carried carried = carried_by(c, side, step);
  carried.as = c->pairing->to[side][step];
  return s->host->coerce(s->host, &carried, message);
}

/* send(party or conversation, label, step, place, message) */
static enum psl_status send(void *state, struct psl_call *call) {
  struct state *s = state;
  enum side side;
  if (!call->ordered) return PSL_NEXT;
  struct conversation *c = conversation_of(s, call, &side);
  if (!c) return PSL_FAILED;
  uint16_t step = (uint16_t)call->arguments[STEP].integer, other = stands_for(c, side, step);
  uint32_t next = sequence_next(c->sequence[side], c->state[side], step);
  if (next == SEQUENCE_NONE) return out_of_order(s, call, c, side, "sends", step);
  if (c->ended[!side] && !c->broken_off)
    return failed(s, call, c->place, "the last interaction", "in '%s' the %s sends '%s', and the %s has ended it",
                  c->sequence[side]->name, side_names[side], step_name(c, side, step), side_names[!side]);
  const struct psl_carried carried = carried_by(c, side, step);
  if (!s->host->given(s->host, &carried, call->arguments[MESSAGE].value)) return PSL_FAILED;
  c->state[side] = next;
  if (c->pairing) c->state[!side] = sequence_next(c->sequence[!side], c->state[!side], other);
  c->place = call->arguments[PLACE].integer;
  c->process[side] = call->process;
  if (c->broken_off) return PSL_DONE; /* nobody takes it */
  const struct waiter *wrong = NULL;
  struct waiter *waiter = c->first[!side] ? NULL : waiting_for(c, !side, other, &wrong);
  if (wrong && !waiter)
    return failed(s, call, wrong->place, "it waits here", "in '%s' the %s sends '%s', and the %s waits for '%s'",
                  c->sequence[side]->name, side_names[side], step_name(c, side, step), side_names[!side],
                  step_name(c, !side, wrong->step));
  if (!waiter) {
    sent_enter(s, c, !side, (struct sent){.step = step, .place = c->place, .message = call->arguments[MESSAGE].value});
    return PSL_DONE;
  }
  struct psl_value message = call->arguments[MESSAGE].value;
  if (!coerce(s, c, side, step, &message)) return PSL_FAILED;
  uint32_t process = waiter->process;
  waiter_leave(s, waiter);
  s->host->resume(s->host, process, call->clock, (union psl_argument){.value = message});
  return PSL_DONE;
}

static enum psl_status wait_for(struct state *s, struct psl_call *call, struct conversation *c, enum side side) {
  struct waiter *waiter = s->free_waiters, **link = &c->waiting[side];
  if (waiter)
    s->free_waiters = waiter->next;
  else
    waiter = s->host->allocate(s->host, sizeof *waiter);
  *waiter = (struct waiter){.process = call->process,
                            .step = (uint16_t)call->arguments[STEP].integer,
                            .alone = call->arguments[ALONE].integer != 0,
                            .place = call->arguments[PLACE].integer,
                            .side = side,
                            .conversation = c};
  while (*link)
    link = &(*link)->next;
  *link = waiter;
  *waiter_of(s, call->process) = waiter;
  return PSL_BLOCKED;
}

/* receive(party or conversation, label, step, place, alone) -> value */
static enum psl_status receive(void *state, struct psl_call *call) {
  struct state *s = state;
  enum side side;
  if (!call->ordered) return PSL_NEXT;
  struct conversation *c = conversation_of(s, call, &side);
  if (!c) return PSL_FAILED;
  uint16_t step = (uint16_t)call->arguments[STEP].integer;
  bool alone = call->arguments[ALONE].integer != 0;
  struct sent *sent = c->first[side];
  struct waiter *again = *waiter_of(s, call->process); /* the other side has been cancelled meanwhile */
  if (again) waiter_leave(s, again);
  c->process[side] = call->process;
  if (!sent && c->broken_off) {
    if (!alone) return wait_for(s, call, c, side);
    return failed(s, call, c->place, "the last interaction",
                  "in '%s' the %s waits for '%s', and 'first of' has cancelled the %s", c->sequence[side]->name,
                  side_names[side], step_name(c, side, step), side_names[!side]);
  }
  if (!sent) {
    if (sequence_next(c->sequence[side], c->state[side], step) == SEQUENCE_NONE)
      return out_of_order(s, call, c, side, "waits for", step);
    if (c->ended[!side])
      return failed(s, call, c->place, "the last interaction", "in '%s' the %s waits for '%s', and the %s has ended it",
                    c->sequence[side]->name, side_names[side], step_name(c, side, step), side_names[!side]);
    return wait_for(s, call, c, side);
  }
  if (stands_for(c, !side, sent->step) != step) {
    if (!alone) return wait_for(s, call, c, side);
    return failed(s, call, sent->place, "it was sent here", "in '%s' the %s waits for '%s', and the %s has sent '%s'",
                  c->sequence[side]->name, side_names[side], step_name(c, side, step), side_names[!side],
                  step_name(c, !side, sent->step));
  }
  c->first[side] = sent->next;
  if (!sent->next) c->last[side] = NULL;
  call->result.value = sent->message;
  if (!coerce(s, c, !side, sent->step, &call->result.value)) return PSL_FAILED;
  s->host->drop(s->host, sent->message);
  sent->next = s->free_sent;
  s->free_sent = sent;
  return PSL_DONE;
}

static void party_leave(struct state *s, uint32_t number) {
  struct party *party = &s->parties[number - 1];
  uint32_t *link = begun_by(s, party->process);
  while (*link != number)
    link = &s->parties[*link - 1].next;
  *link = party->next;
  party->free = s->free_party;
  s->free_party = number;
}

static enum psl_status end_party(struct state *s, struct psl_call *call, uint32_t number) {
  const struct party *party = &s->parties[number - 1];
  for (uint32_t k = 0; k < party->count; k++) {
    struct conversation *c = conversation_at(s, party->conversations[k]);
    if (c && !c->ended[REQUESTER] && end_side(s, call, c, REQUESTER) == PSL_FAILED) return PSL_FAILED;
  }
  party_leave(s, number);
  return PSL_DONE;
}

/* end(party or conversation, label): the body is at its end. */
static enum psl_status end(void *state, struct psl_call *call) {
  struct state *s = state;
  if (!call->ordered) return PSL_NEXT;
  if (call->arguments[LABEL].integer >= 0) return end_party(s, call, (uint32_t)call->arguments[HANDLE].integer);
  struct conversation *c = conversation_at(s, call->arguments[HANDLE].integer);
  return end_side(s, call, c, ACCEPTER);
}

static void explain_wait(void *state, uint32_t process, char *out, size_t size, uint32_t *other) {
  struct state *s = state;
  const struct waiter *waiter = *waiter_of(s, process);
  if (!waiter) return;
  const struct conversation *c = waiter->conversation;
  const struct sent *sent = c->first[waiter->side];
  int length = snprintf(out, size, "for '%s' of protocol '%s' from the %s", step_name(c, waiter->side, waiter->step),
                        c->sequence[waiter->side]->name, side_names[!waiter->side]);
  if (sent && length > 0 && (size_t)length < size)
    snprintf(out + length, size - (size_t)length, ", which has sent '%s'", step_name(c, !waiter->side, sent->step));
  if (c->pairing && !c->ended[!waiter->side]) *other = c->process[!waiter->side];
}

static void cancel(void *state, uint32_t process, double clock, void *memory) {
  struct state *s = state;
  (void)clock;
  (void)memory;
  struct waiter *waiter = *waiter_of(s, process);
  if (waiter) waiter_leave(s, waiter);
}

/* The other side of what it has begun goes on alone; one that waits for nothing else looks again, in order. */
static void break_off(struct state *s, struct conversation *c, double clock) {
  c->broken_off = true;
  sent_drop(s, c, REQUESTER);
  for (const struct waiter *waiter = c->waiting[ACCEPTER]; waiter; waiter = waiter->next)
    if (waiter->alone) s->host->retry(s->host, waiter->process, clock);
  conversation_leave(s, c, REQUESTER);
}

/* In the middle of all bodies that it is in: conversations that these have begun go on without them. */
static void taken_out(void *state, uint32_t process, double clock) {
  struct state *s = state;
  for (uint32_t number; (number = *begun_by(s, process));) {
    const struct party *party = &s->parties[number - 1];
    for (uint32_t k = 0; k < party->count; k++) {
      struct conversation *c = conversation_at(s, party->conversations[k]);
      if (c && !c->ended[REQUESTER]) break_off(s, c, clock);
    }
    party_leave(s, number);
  }
}

static const struct psl_evaluator_function functions[] = {
    {.name = "begin",
     .signature = "(labels : int) -> int",
     .kind = PSL_EVENT,
     .call = begin,
     .doc = "The party of a body that begins conversations."},
    {.name = "open",
     .signature = "(party : int, label : int, sequence : string, place : int, request : int) -> int",
     .kind = PSL_CALL,
     .call = open_one,
     .doc = "Begins a conversation of a label."},
    {.name = "join",
     .signature = "(conversation : int, sequence : string, accept : int)",
     .kind = PSL_CALL,
     .call = join,
     .doc = "The accept takes part in it."},
    {.name = "send",
     .signature = "(party : int, label : int, step : int, place : int, message : value)",
     .kind = PSL_CALL,
     .call = send,
     .doc = "An interaction of one's own side."},
    {.name = "receive",
     .signature = "(party : int, label : int, step : int, place : int, alone : bool) -> value",
     .kind = PSL_CALL,
     .call = receive,
     .doc = "One of the other side, which is waited for."},
    {.name = "end",
     .signature = "(party : int, label : int)",
     .kind = PSL_CALL,
     .call = end,
     .doc = "The body ends, and its conversations with it."},
    {.name = NULL},
};

static const struct psl_assumption assumptions[] = {{NULL}};

/* No model can say this name, which is a word of the grammar. */
const struct psl_evaluator conversation_evaluator = {
    .version = PSL_EVALUATOR_VERSION,
    .name = "protocol",
    .revision = "1",
    .doc = "Conversations between who requests and who accepts.",
    .evidence = PSL_SIMULATED,
    .functions = functions,
    .assumptions = assumptions,
    .open = conversation_open,
    .explain_wait = explain_wait,
    .cancel = cancel,
    .taken_out = taken_out,
};
