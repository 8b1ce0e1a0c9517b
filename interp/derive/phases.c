/* Phases of bulk-synchronous programs: what a rank does between two operations that nobody leaves before all have come.
 * A phase takes as long as with its slowest rank, and one begins where the other has ended.  Called by bodies.c.
 *
 *  * That is how long the program takes at least. All ranks leave a barrier at one time where they have come at one:
 * then its equation of LogGP is exact. Where they come at different times, who comes last may leave sooner, so that the
 * operation itself counts nothing. */
#include "interp/derive/derive.h"

#include <string.h>

static const char *const synchronizing[] = {"MPI-barrier", "MPI-allreduce", "MPI-allgather", "MPI-alltoall"};

static bool reads_indices(const struct derive *d, const struct poly *a) {
  bool reads = false;
  for (uint32_t k = 0; d->item->indices && k < d->item->index_count; k++)
    reads |= poly_reads(a, d->item->indices[k]);
  return reads;
}

/* The greatest over all instances. */
static const struct poly *most(struct derive *d, const struct poly *a) {
  const struct derived *item = d->item;
  for (uint32_t k = item->index_count; k-- > 0;) {
    if (!poly_reads(a, item->indices[k])) continue;
    const struct atom *index = item->indices[k];
    const char *name = arena_printf(d->arena, "any-%s", index->name);
    const struct atom *variable =
        atom_name(d->al, name, &item->indices[k], true, (struct dimension){{0}}, index->low, index->high);
    const struct poly *of = poly_with(d->al, a, index, poly_atom(d->al, variable));
    a = poly_most(d->al, variable, item->lows[k], item->highs[k], of);
  }
  return a;
}

/* How long a phase takes, with the operation that ends it. */
static const struct poly *ended(struct derive *d, const struct poly *phase, const struct poly *operation) {
  if (reads_indices(d, phase)) {
    d->item->uneven = true;
    return most(d, phase);
  }
  return poly_plus(d->al, phase, operation);
}

void phases_drop(struct derive *d, struct phases *phases) {
  d->item->uneven |= phases->synchronized;
  phases->synchronized = false;
}

/* Has the model's network the latency of LogGP's equations between any two ranks? */
static bool is_plain_network(struct derive *d) {
  const struct model *model = d->r->model;
  bool plain = true;
  for (uint32_t k = 0; k < model->param_count; k++) {
    struct symbol *symbol = model->params[k];
    struct expr name = {.kind = EXPR_NAME, .type = symbol->type, .name = {symbol->name, symbol}};
    bool nodes = !strcmp(symbol->name->text, "ranks-per-node"), network = name_is(symbol->name, KNOWN_NETWORK);
    struct value value;
    if ((!nodes && !network) || !resolver_quietly(d->r, &name, NULL, &value)) continue;
    if (nodes && value.kind == VALUE_INT) plain &= value.integer == 1;
    if (network && value.kind == VALUE_TERM)
      plain &= value.term.qualifier && !strcmp(name_id(d->r, value.term.qualifier)->text, "loggp");
  }
  return plain;
}

struct phases phases_of_call(struct derive *d, const char *transaction, const struct costs *costs,
                             const struct costs *at_once) {
  struct phases made = {0};
  bool there = false;
  for (size_t k = 0; k < sizeof synchronizing / sizeof *synchronizing; k++)
    there |= !strcmp(transaction, synchronizing[k]);
  bool exact = there && !strcmp(transaction, synchronizing[0]) && is_plain_network(d);
  d->item->waits |= !exact;
  if (!there || !d->item->bounded) return made;
  const struct poly *takes = costs_total(d->al, exact ? at_once : costs);
  made = (struct phases){true, d->al->zero, takes, d->al->zero, d->al->zero};
  if (reads_indices(d, takes)) made.operation = d->al->zero;
  return made;
}

struct phases phases_then(struct derive *d, const struct phases *a, const struct costs *before, const struct phases *b,
                          const struct costs *behind) {
  struct algebra *al = d->al;
  struct phases result = a->synchronized ? *a : *b;
  if (a->synchronized && b->synchronized) {
    const struct poly *phase = ended(d, poly_plus(al, a->tail, b->head), b->operation);
    result.middle = poly_plus(al, poly_plus(al, a->middle, phase), b->middle);
    result.tail = b->tail;
  } else if (a->synchronized) {
    result.tail = poly_plus(al, a->tail, costs_total(al, behind));
  } else if (b->synchronized) {
    result.head = poly_plus(al, costs_total(al, before), b->head);
  }
  return result;
}

struct phases phases_either(struct derive *d, const struct poly *by, struct phases *a, struct phases *b) {
  struct algebra *al = d->al;
  if (!a->synchronized || !b->synchronized || reads_indices(d, by)) {
    phases_drop(d, a);
    phases_drop(d, b);
    return *a;
  }
  return (struct phases){true, poly_if(al, by, a->head, b->head), poly_if(al, by, a->operation, b->operation),
                         poly_if(al, by, a->middle, b->middle), poly_if(al, by, a->tail, b->tail)};
}

void phases_repeat(struct derive *d, struct phases *turn, const struct atom *variable, const struct poly *low,
                   const struct poly *high) {
  struct algebra *al = d->al;
  if (!turn->synchronized) return;
  if (!poly_never_negative(al, poly_minus(al, high, low)) || reads_indices(d, low) || reads_indices(d, high)) {
    phases_drop(d, turn);
    return;
  }
  const struct poly *before = poly_minus(al, poly_atom(al, variable), al->one);
  const struct poly *between =
      ended(d, poly_plus(al, poly_with(al, turn->tail, variable, before), turn->head), turn->operation);
  turn->middle = poly_plus(al, poly_sum(al, variable, low, high, turn->middle),
                           poly_sum(al, variable, poly_plus(al, low, al->one), high, between));
  turn->head = poly_with(al, turn->head, variable, low);
  turn->operation = poly_with(al, turn->operation, variable, low);
  turn->tail = poly_with(al, turn->tail, variable, high);
}

const struct poly *phases_whole(struct derive *d, const struct phases *phases) {
  if (!phases->synchronized) return NULL;
  const struct poly *first = ended(d, phases->head, phases->operation);
  return poly_plus(d->al, poly_plus(d->al, first, phases->middle), most(d, phases->tail));
}
