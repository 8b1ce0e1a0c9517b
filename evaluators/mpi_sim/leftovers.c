/* What no program of MPI leaves, or does (evaluators/leftovers/), found in the state of MPI-Sim when the run has ended.
 * What belongs to a rank that lasts, in a deadlock, is told there. */
#include "evaluators/mpi_sim/state.h"

static bool lasts(struct state *s, uint32_t rank) { return rank_at(s, rank)->stay.lasts; }

/* ---- messages that nobody has received ---- */

/* Does its sender wait for it? */
static bool is_awaited(const struct envelope *e) {
  return e->handshake && e->handshake->waiter[(e->beside ? STAGE_SENT : STAGE_ACKNOWLEDGEMENT) - 1] != NONE;
}

static bool message_left(struct state *s, const struct envelope *e) {
  bool there = (e->item.generation & 1) && !e->matched && !e->away && !is_collective(e->context);
  return there && !lasts(s, e->destination) && !is_awaited(e);
}

static void messages_note(struct state *s, struct leftovers *all) {
  for (uint32_t k = 0; k < s->envelopes.count; k++) {
    const struct envelope *e = pool_at(&s->envelopes, s->envelopes.first + k, sizeof *e);
    if (!message_left(s, e)) continue;
    struct left left = {.time = e->on.came,
                        .size = e->size,
                        .rank = e->destination,
                        .source = (int32_t)e->source,
                        .number = e->number,
                        .communicator = communicator_in(e->context),
                        .tag = e->tag};
    leftovers_note(all, LEFT_MESSAGE, &left);
  }
}

/* ---- receives that nobody has waited for ---- */

static bool receive_left(struct state *s, const struct receive *r) {
  bool there = (r->item.generation & 1) && r->kind == RECEIVE_POSTED && r->process == NONE && !r->over && !r->asked;
  return there && !is_collective(r->context) && !lasts(s, r->rank);
}

static void receives_note(struct state *s, struct leftovers *all) {
  for (uint32_t k = 0; k < s->receives.count; k++) {
    const struct receive *r = pool_at(&s->receives, k, sizeof *r);
    if (!receive_left(s, r)) continue;
    struct left left = {.time = r->posted,
                        .rank = r->rank,
                        .source = r->source,
                        .communicator = communicator_in(r->context),
                        .tag = r->tag};
    leftovers_note(all, LEFT_RECEIVE, &left);
  }
}

/* ---- messages that are longer than their receives ---- */

void truncated_note(struct state *s, const struct envelope *e, double posted, double room) {
  struct left left = {.time = posted,
                      .size = e->size,
                      .room = room,
                      .rank = e->destination,
                      .source = (int32_t)e->source,
                      .communicator = communicator_in(e->context),
                      .tag = e->tag,
                      .collective = is_collective(e->context)};
  leftovers_note(&s->left, LEFT_TRUNCATED, &left);
}

/* ---- collective operations ---- */

static void sizes_warn(struct state *s) {
  const struct differing *d = &s->communicators.differing;
  if (!d->number) return;
  leftovers_tell_sizes(s->host, d->number, d->communicator, s->communicators.names[d->name], d->lowest, d->other);
}

/* How many operations of the communicator a member of it has come to. */
static uint32_t called(struct state *s, const struct communicator *c, uint32_t place, uint32_t *rank) {
  *rank = c->members ? c->members[place] : place;
  return c->members ? c->called[place] : collectives_of(rank_at(s, place));
}

/* The oldest that is not complete: the lowest rank that has not come to it, and the lowest that has. */
static bool left_out_warn(struct state *s, const struct communicator *c, int64_t number) {
  if (c->due_count == 0 || (c->members && !c->size)) return false;
  const struct operation *o = &c->due[c->due_begin];
  uint32_t lacks = NONE, has = NONE;
  for (uint32_t place = 0, rank; place < o->size; place++) {
    bool came = called(s, c, place, &rank) > c->first;
    if (came && rank < has) has = rank;
    if (!came && !lasts(s, rank) && rank < lacks) lacks = rank;
  }
  if (lacks == NONE || has == NONE) return false;
  leftovers_tell_left_out(s->host, c->first + 1, number, s->communicators.names[o->name], lacks, has);
  return true;
}

static void collectives_warn(struct state *s) {
  const struct communicators *cs = &s->communicators;
  bool told = left_out_warn(s, &cs->world, 0);
  for (uint32_t k = 1; !told && k < cs->other_count; k++)
    told = cs->others[k] && left_out_warn(s, cs->others[k], k);
}

void leftovers_find(struct state *s, struct leftovers *all) {
  messages_note(s, all);
  receives_note(s, all);
}

void leftovers_warn(struct state *s) {
  if (!s->host->complete(s->host)) return;
  struct leftovers all = s->left;
  leftovers_find(s, &all);
  leftovers_tell(s->host, &all);
  sizes_warn(s);
  if (!s->partition) collectives_warn(s); /* in partitions all know that it is not so */
}
