/* When each half of each interface is free again. Who comes first is known in the order of virtual time alone, and then
 * so is when his turn is: nobody has to be woken. */
#include "evaluators/networks/interfaces.h"
#include "evaluators/networks/messages.h"
#include <math.h>
#include <stdio.h>

enum { BUSIEST = 3 };

struct interface {
  struct way {
    double free, busy, until; /* s: from when on it is free, how long it is taken by what counts, and until when */
  } half[HALVES];
};

struct interfaces {
  struct pieces pieces;
  struct interface *items; /* by number */
  uint32_t count;
  enum transfer { UNCOUNTED, ALONE, MET_OTHERS } * transfers; /* by process: the one that it has in hand */
  uint32_t process_count;
  uint64_t sent, delayed;
};

struct interfaces *interfaces_open(struct psl_host *host) {
  struct interfaces *s = host->allocate(host, sizeof *s);
  s->pieces.host = host;
  return s;
}

/* The transfer of the calling process, which counts if it has been sent behind the warm-up. */
static enum transfer *transfer_of(struct interfaces *s, const struct psl_call *call, enum half half) {
  s->transfers = piece_reach(&s->pieces, s->transfers, &s->process_count, call->process, sizeof *s->transfers);
  enum transfer *transfer = &s->transfers[call->process];
  if (half != HALF_SENDS) return transfer;
  *transfer = PSL_COUNTS(call->host, call->clock) ? ALONE : UNCOUNTED;
  s->sent += *transfer == ALONE;
  return transfer;
}

enum psl_status interfaces_take(struct interfaces *s, struct psl_call *call, uint32_t number, enum half half,
                                double busy) {
  if (!call->ordered) return PSL_LATER;
  s->items = piece_reach(&s->pieces, s->items, &s->count, number, sizeof *s->items);
  struct way *own = &s->items[number].half[half];
  double begin = fmax(own->free, call->clock);
  own->free = begin + busy;
  enum transfer *transfer = transfer_of(s, call, half);
  if (*transfer != UNCOUNTED) {
    own->busy += busy;
    own->until = own->free;
  }
  if (*transfer == ALONE && begin > call->clock) {
    *transfer = MET_OTHERS;
    s->delayed++;
  }
  call->clock = begin;
  return PSL_DONE;
}

/* How long a half was busy up to the end of the run, after which its last message may still keep it so, s. */
static double busy_of(const struct interfaces *s, uint32_t k) {
  const struct way *half = &s->items[k / HALVES].half[k % HALVES];
  return half->busy - fmin(half->busy, fmax(0, half->until - s->pieces.host->end(s->pieces.host)));
}

/* The halves that were busy longest, that of a lower number before others: how many there are. */
static uint32_t find_busiest(const struct interfaces *s, uint32_t out[BUSIEST]) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < HALVES * s->count; k++) {
    double busy = busy_of(s, k);
    if (busy == 0) continue;
    uint32_t at = count < BUSIEST ? count++ : BUSIEST;
    for (; at > 0 && busy > busy_of(s, out[at - 1]); at--)
      if (at < BUSIEST) out[at] = out[at - 1];
    if (at < BUSIEST) out[at] = k;
  }
  return count;
}

size_t interfaces_statistics(const struct interfaces *s, struct psl_statistic *out, size_t capacity) {
  static const char *const ways[HALVES] = {[HALF_SENDS] = "from", [HALF_RECEIVES] = "to"};
  struct psl_host *host = s->pieces.host;
  double time = host->end(host) - host->begin;
  uint32_t busiest[BUSIEST], count = time > 0 ? find_busiest(s, busiest) : 0;
  size_t used = 0;
  if (used < capacity) out[used++] = (struct psl_statistic){TRANSFERS, "", (double)s->sent, true};
  if (used < capacity) out[used++] = (struct psl_statistic){TRANSFERS_MET, "", (double)s->delayed, true};
  for (uint32_t i = 0; i < count && used < capacity; i++) {
    char *name = host->allocate(host, 64);
    uint32_t number = busiest[i] / HALVES, half = busiest[i] % HALVES;
    snprintf(name, 64, "utilisation of interface %s node %u", ways[half], number);
    out[used++] = (struct psl_statistic){name, "", busy_of(s, busiest[i]) / time, false};
  }
  return used;
}
