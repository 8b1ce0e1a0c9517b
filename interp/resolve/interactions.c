/* Protocols of a request and an accept, beside each other: which interactions of the one stand for those of the other,
 * what coercions make of what these carry, and whether the sequences fit.  Called by match.c. */
#include "evaluators/sequence.h"
#include "interp/resolve/resolve.h"

#include <string.h>

struct beside {
  struct resolver *r;
  struct model_request *request;
  struct model_accept *accept;
  const char *apart; /* why the last two that were looked at cannot be coerced; NULL: all can */
};

static void *from_arena(void *user, size_t size) { return arena_alloc(user, size); }

static const struct model_transaction *carried(const struct beside *b, int side, uint32_t step) {
  return (side ? b->accept->declared : b->request->declared)->transactions[step];
}

static bool step_conforms(struct beside *b, int side, uint32_t step, uint32_t other, struct conversion **out,
                          double *cost, const char **why) {
  return interaction_conforms(b->r, b->request, b->accept, carried(b, side, step), carried(b, !side, other), out, cost,
                              why);
}

static bool become(void *user, uint32_t request, uint32_t accept) {
  struct beside *b = user;
  bool back = b->request->declared->sequence->steps[request].back;
  struct conversion *unused;
  double cost = 0;
  return step_conforms(b, back, back ? accept : request, back ? request : accept, &unused, &cost, &b->apart);
}

/* What is coerced on its way; NULL: nothing is. */
static struct adapted_steps *adapt(struct beside *b, uint16_t *const to[2], double *cost) {
  const struct sequence *of[2] = {b->request->declared->sequence, b->accept->declared->sequence};
  struct adapted_steps *steps = ARENA_NEW(b->r->arena, struct adapted_steps);
  bool any = false;
  for (int side = 0; side < 2; side++) {
    steps->to[side] = to[side];
    steps->params[side] = ARENA_ARRAY(b->r->arena, struct conversion *, of[side]->step_count);
    for (uint32_t k = 1; k < of[side]->step_count; k++) {
      const char *why;
      uint16_t other = to[side][k];
      if (other == SEQUENCE_NONE || of[side]->steps[k].back != side) continue;
      step_conforms(b, side, k, other, &steps->params[side][k], cost, &why); /* it has paired them */
      any |= steps->params[side][k] != NULL;
    }
  }
  return any ? steps : NULL;
}

/* One of each side that has no other, in one direction, may have been meant for each other. */
static const char *meant(struct beside *b, uint16_t *const to[2]) {
  const struct sequence *request = b->request->declared->sequence, *accept = b->accept->declared->sequence;
  for (uint32_t k = 1; k < request->step_count; k++)
    for (uint32_t l = 1; l < accept->step_count; l++)
      if (to[0][k] == SEQUENCE_NONE && to[1][l] == SEQUENCE_NONE && request->steps[k].back == accept->steps[l].back &&
          !become(b, k, l))
        return b->apart;
  return NULL;
}

/* A protocol that ends with its first interaction, or its reply, is that and no other, by whatever name. What goes on
 * is compared step by step. */
bool protocols_fit(struct resolver *r, struct model_request *request, struct model_accept *accept,
                   struct adapter **adapter, const char **why) {
  const struct model_protocol *ours = request->declared, *theirs = accept->declared;
  if (ours == theirs) return true;
  const char *wanted = ours->symbol->decl->name.name->text, *is = theirs->symbol->decl->name.name->text;
  bool alike = ours->kind == theirs->kind && ours->converses == theirs->converses;
  if (alike && !ours->converses) return true;
  char how[400];
  *why = arena_printf(r->arena, "protocol is %s, wanted %s", is, wanted);
  if (!alike) return false;
  struct beside b = {.r = r, .request = request, .accept = accept};
  uint16_t *to[2] = {ARENA_ARRAY(r->arena, uint16_t, ours->sequence->step_count),
                     ARENA_ARRAY(r->arena, uint16_t, theirs->sequence->step_count)};
  sequence_pair(ours->sequence, theirs->sequence, become, &b, to[0], to[1]);
  if (!sequence_fits(ours->sequence, theirs->sequence, to[0], to[1], from_arena, r->arena, how, sizeof how)) {
    const char *apart = meant(&b, to);
    *why = arena_printf(r->arena, "%s: %s%s%s", *why, how, apart ? "; " : "", apart ? apart : "");
    return false;
  }
  *why = NULL;
  double cost = 0;
  struct adapted_steps *steps = adapt(&b, to, &cost);
  if (!steps) return true;
  if (!*adapter) {
    *adapter = ARENA_NEW(r->arena, struct adapter);
    **adapter = (struct adapter){.request = request, .accept = accept};
  }
  (*adapter)->steps = steps;
  (*adapter)->cost += cost;
  return true;
}
