/* When each half of each interface is free again. Who comes first is known in the order of virtual time alone, and then
 * so is when his turn is: nobody has to be woken.
 *
 * Those that come to a receiving half at one time are taken in the order in which they asked to be sent, then by the
 * numbers of their interfaces, and then as these have sent them: an order that depends on nothing but the messages. In a
 * run in partitions both halves of an interface belong to that of its ranks; a message that has left one goes to the
 * partition of the other. */
#include "evaluators/networks/interfaces.h"
#include "evaluators/networks/messages.h"
#include <math.h>
#include <stdio.h>

struct interface {
  struct way {
    double free, busy, until; /* s: from when on it is free, how long it is taken by what counts, and until when */
  } half[HALVES];
  uint64_t sent; /* messages */
};

enum counting { UNCOUNTED, ALONE, MET_OTHERS };
struct transfer {  /* that a process has in hand */
  double asked;    /* s, to be sent */
  uint64_t number; /* of those that have left that interface; 0: it has left none */
  uint32_t from;
  enum counting counting;
};

struct interfaces {
  struct pieces pieces;
  struct interface *items; /* by number */
  uint32_t count;
  struct transfer *transfers; /* by process */
  uint32_t process_count;
  uint64_t sent, delayed;
  struct interfaces_told elsewhere; /* its halves are those of partitions that have ended */
};

struct interfaces *interfaces_open(struct psl_host *host) {
  struct interfaces *s = host->allocate(host, sizeof *s);
  s->pieces.host = host;
  return s;
}

static struct transfer *transfer_of(struct interfaces *s, uint32_t process) {
  s->transfers = piece_reach(&s->pieces, s->transfers, &s->process_count, process, sizeof *s->transfers);
  return &s->transfers[process];
}

/* The process begins one, which counts if it is sent behind the warm-up. */
static void transfer_begin(struct interfaces *s, const struct psl_call *call, uint32_t from) {
  bool counts = PSL_COUNTS(call->host, call->clock);
  *transfer_of(s, call->process) =
      (struct transfer){call->clock, ++s->items[from].sent, from, counts ? ALONE : UNCOUNTED};
  s->sent += counts;
}

/* The partition that the interface belongs to. */
static uint32_t partition_of(struct psl_host *host, uint32_t number, uint32_t rank) {
  const struct psl_partition *own = host->partition;
  uint32_t partition = rank < own->rank_count ? own->of_rank[rank] : PSL_NO_PARTITION;
  if (partition == PSL_NO_PARTITION)
    host->give_up(host, "the rank of an interface is no instance that the system begins with");
  else if (host->home(host, number, partition) != partition)
    host->give_up(host, "ranks of one node are in different partitions");
  return partition;
}

/* Before its turn has come. */
static enum psl_status comes(struct interfaces *s, struct psl_call *call, uint32_t number, enum half half,
                             uint32_t rank) {
  struct psl_host *host = s->pieces.host;
  uint32_t partition = 0;
  if (host->partition && host->partition->lookahead > 0) partition = partition_of(host, number, rank);
  if (half == HALF_SENDS) {
    if (partition != (host->partition ? host->partition->number : 0))
      host->give_up(host, "a message leaves the interface of a rank elsewhere");
    return PSL_LATER;
  }
  const struct transfer *transfer = transfer_of(s, call->process);
  if (transfer->number == 0) return PSL_LATER;
  call->arrival =
      (struct psl_arrival){transfer->asked, transfer->from, transfer->counting, transfer->number, partition};
  return PSL_ARRIVES;
}

void interfaces_moved(struct interfaces *s, uint32_t process, const struct psl_arrival *arrival) {
  *transfer_of(s, process) =
      (struct transfer){arrival->sent, arrival->number, arrival->from, (enum counting)arrival->note};
}

enum psl_status interfaces_take(struct interfaces *s, struct psl_call *call, uint32_t number, enum half half,
                                double busy, uint32_t rank) {
  if (!call->ordered) return comes(s, call, number, half, rank);
  s->items = piece_reach(&s->pieces, s->items, &s->count, number, sizeof *s->items);
  struct way *own = &s->items[number].half[half];
  double begin = fmax(own->free, call->clock);
  own->free = begin + busy;
  if (half == HALF_SENDS) transfer_begin(s, call, number);
  struct transfer *transfer = transfer_of(s, call->process);
  if (half == HALF_RECEIVES) transfer->number = 0;
  if (transfer->counting != UNCOUNTED) {
    own->busy += busy;
    own->until = own->free;
  }
  if (transfer->counting == ALONE && begin > call->clock) {
    transfer->counting = MET_OTHERS;
    s->delayed++;
  }
  call->clock = begin;
  return PSL_DONE;
}

/* ---- the report ---- */

/* How long a half was busy up to the end of the run, after which its last message may still keep it so, s. */
static double busy_of(const struct interfaces *s, uint32_t k) {
  const struct way *half = &s->items[k / HALVES].half[k % HALVES];
  return half->busy - fmin(half->busy, fmax(0, half->until - s->pieces.host->end(s->pieces.host)));
}

/* Among the halves that were busy longest, that of a lower number before others. */
static void busy_take(struct interfaces_told *told, struct busy_half half) {
  if (half.busy == 0) return;
  uint32_t at = told->count < BUSIEST_HALVES ? told->count++ : BUSIEST_HALVES;
  for (; at > 0; at--) {
    const struct busy_half *before = &told->busiest[at - 1];
    if (before->busy > half.busy || (before->busy == half.busy && before->half < half.half)) break;
    if (at < BUSIEST_HALVES) told->busiest[at] = *before;
  }
  if (at < BUSIEST_HALVES) told->busiest[at] = half;
}

void interfaces_sum(const struct interfaces *s, struct interfaces_told *told) {
  *told = s->elsewhere;
  told->sent += s->sent;
  told->delayed += s->delayed;
  for (uint32_t k = 0; k < HALVES * s->count; k++)
    busy_take(told, (struct busy_half){k, busy_of(s, k)});
}

void interfaces_add(struct interfaces *s, const struct interfaces_told *told) {
  s->elsewhere.sent += told->sent;
  s->elsewhere.delayed += told->delayed;
  for (uint32_t k = 0; k < told->count; k++)
    busy_take(&s->elsewhere, told->busiest[k]);
}

size_t interfaces_statistics(const struct interfaces *s, struct psl_statistic *out, size_t capacity) {
  static const char *const ways[HALVES] = {[HALF_SENDS] = "from", [HALF_RECEIVES] = "to"};
  struct psl_host *host = s->pieces.host;
  double time = host->end(host) - host->begin;
  struct interfaces_told all;
  interfaces_sum(s, &all);
  size_t used = 0;
  if (used < capacity) out[used++] = (struct psl_statistic){TRANSFERS, "", (double)all.sent, true};
  if (used < capacity) out[used++] = (struct psl_statistic){TRANSFERS_MET, "", (double)all.delayed, true};
  for (uint32_t i = 0; i < all.count && time > 0 && used < capacity; i++) {
    char *name = host->allocate(host, 64);
    uint32_t number = all.busiest[i].half / HALVES, half = all.busiest[i].half % HALVES;
    snprintf(name, 64, "utilisation of interface %s node %u", ways[half], number);
    out[used++] = (struct psl_statistic){name, "", all.busiest[i].busy / time, false};
  }
  return used;
}
