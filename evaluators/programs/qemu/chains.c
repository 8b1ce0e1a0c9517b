/* Each register, and each place that was stored to, has the time when its value is there, and the steps of the chain
 * that leads to it. An instruction begins once what it reads is there, and the one before it by a window's length has
 * ended, as have all before that one: a processor gives up an instruction's place in the window in the order of the
 * program.
 *
 * Which chain is the longest is found with the cycles that steps take on a processor of common kind, where far loads
 * may take more than others; what it is made of is what counts. A longer one may have fewer steps of a kind than the
 * one that was the longest before, so that a block's numbers are differences; over a program these sum up to its
 * longest chain. */
#include "evaluators/programs/qemu/chains.h"

#include <stdlib.h>

enum { PLACES = 1 << 12, LINE = 64 };

static const unsigned cycles[CHAIN_STEPS] = {
    [CHAIN_INTEGER] = 1, [CHAIN_ADD] = 3,   [CHAIN_MULTIPLY] = 4, [CHAIN_FUSED] = 4,
    [CHAIN_DIVIDE] = 13, [CHAIN_ROOT] = 18, [CHAIN_FORWARD] = 5,  [CHAIN_LOAD] = 4,
};

struct value {
  int64_t time;
  int64_t steps[CHAIN_STEPS];
  uint32_t loads[CHAIN_BINS]; /* of those steps whose distance is known */
};

/* A line that was got from somewhere. */
struct fetch {
  uint64_t line;
  struct chain_load from;
  int64_t time; /* when its address was there */
};

struct chains {
  struct value registers[REGISTERS], end; /* of all so far */
  uint64_t stored[PLACES];                /* the place, in words */
  struct value places[PLACES];
  struct fetch fetches[PLACES];
  uint64_t window, at;
  int64_t farther;       /* cycles that a far load takes longer than others */
  struct value before[]; /* the end as it was after each instruction of the window */
};

struct chains *chains_open(uint64_t window, int64_t farther) {
  struct chains *chains = calloc(1, sizeof *chains + window * sizeof *chains->before);
  if (chains) chains->window = window, chains->farther = farther;
  return chains;
}

static void await(struct value *value, const struct value *other) {
  if (other->time > value->time) *value = *other;
}

static void take(struct value *value, enum chain_step step, unsigned times) {
  value->time += times * cycles[step];
  value->steps[step] += times;
}

/* Where the line comes from: one that another load is getting already comes no sooner. */
static struct chain_load source_of_line(struct chains *chains, uint64_t line, int64_t time, struct chain_load from) {
  struct fetch *fetch = &chains->fetches[line % PLACES];
  bool near = !from.far && (from.bin == 0 || from.bin == CHAIN_BINS);
  if (near && fetch->line == line && time <= fetch->time) return fetch->from;
  *fetch = (struct fetch){line, from, time};
  return from;
}

/* It is there once the address is and the first level has given it, or once what was stored there has come. */
static struct value loaded(struct chains *chains, struct value address, uint64_t load, struct chain_load from) {
  uint64_t word = load / 8, place = word % PLACES;
  from = source_of_line(chains, load / LINE, address.time, from);
  take(&address, CHAIN_LOAD, 1);
  if (from.far) address.time += chains->farther;
  if (from.bin < CHAIN_BINS) address.loads[from.bin]++;
  if (chains->stored[place] != word) return address;
  struct value stored = chains->places[place];
  take(&stored, CHAIN_FORWARD, 1);
  return stored.time > address.time ? stored : address;
}

/* How much longer the longest chain of all is by this one. */
static void extend(const struct value *value, const struct value *end, int64_t counts[CHAIN_COUNTS]) {
  for (unsigned k = 0; k < CHAIN_STEPS; k++)
    counts[k] += value->steps[k] - end->steps[k];
  for (unsigned k = 0; k < CHAIN_BINS; k++)
    counts[CHAIN_LOADS + k] += (int32_t)(value->loads[k] - end->loads[k]);
}

void chains_execute(struct chains *c, const struct dependences *d, uint64_t load, struct chain_load from,
                    uint64_t store, int64_t counts[CHAIN_COUNTS]) {
  struct value value = c->before[c->at], address = value;
  for (unsigned k = 0; k < d->address_count; k++)
    await(&address, &c->registers[d->addresses[k]]);
  for (unsigned k = 0; k < d->source_count; k++)
    await(&value, &c->registers[d->sources[k]]);
  if (load) address = loaded(c, address, load, from);
  if (load || !store) await(&value, &address); /* a sum of registers is an address, too */
  take(&value, d->step, d->times);
  for (unsigned k = 0; k < d->target_count; k++)
    c->registers[d->targets[k]] = value;
  if (store) {
    c->stored[store / 8 % PLACES] = store / 8;
    c->places[store / 8 % PLACES] = value;
  }
  if (value.time > c->end.time) extend(&value, &c->end, counts);
  await(&c->end, &value);
  c->before[c->at] = c->end;
  c->at = c->at + 1 < c->window ? c->at + 1 : 0;
}
