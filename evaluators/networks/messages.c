/* What all networks have in common: see messages.h. */
#include "evaluators/networks/messages.h"
#include <math.h>
#include <stdio.h>

enum { BUSIEST = 3 };
enum { NONE_SENT, SENT_WITHOUT_LINK, FIRST_MESSAGE }; /* of a process; from FIRST_MESSAGE on its message */

void messages_open(struct messages *m, struct psl_host *host, const struct topology *topology) {
  *m = (struct messages){.host = host, .topology = topology, .free = NOWHERE, .waiting = NOWHERE, .armed = NOWHERE};
  m->pieces.host = host;
  m->route = host->allocate(host, (2 * topology->longest + 1) * sizeof *m->route);
}

static uint32_t *sent_by(struct messages *m, uint32_t process) {
  m->of_process = piece_reach(&m->pieces, m->of_process, &m->process_count, process, sizeof *m->of_process);
  return &m->of_process[process];
}

static void message_free(struct messages *m, uint32_t number) {
  m->items[number].next = m->free;
  m->free = number;
}

bool messages_pass(struct messages *m, struct psl_call *call) {
  uint32_t *sent = sent_by(m, call->process);
  if (*sent != NONE_SENT) {
    snprintf(call->error, sizeof call->error, "the process has sent a message and not called 'arrive' for it");
    return false;
  }
  *sent = SENT_WITHOUT_LINK;
  m->sent += PSL_COUNTS(m->host, call->clock);
  return true;
}

uint32_t messages_send(struct messages *m, struct psl_call *call, const struct message *message) {
  if (!messages_pass(m, call)) return NOWHERE;
  uint32_t number = m->free;
  if (number != NOWHERE) {
    m->free = m->items[number].next;
  } else {
    PIECE_GROW(&m->pieces, m->items, m->count, m->room);
    number = m->count++;
  }
  m->items[number] = *message;
  m->items[number].process = call->process;
  m->items[number].counts = PSL_COUNTS(m->host, call->clock);
  *sent_by(m, call->process) = FIRST_MESSAGE + number;
  return number;
}

/* ---- those that wait ---- */

static void wait_begin(struct messages *m, uint32_t number) {
  struct message *message = &m->items[number];
  message->waits = true;
  message->previous = NOWHERE;
  message->next = m->waiting;
  if (m->waiting != NOWHERE) m->items[m->waiting].previous = number;
  m->waiting = number;
  m->delayed += message->counts;
}

static void wait_end(struct messages *m, uint32_t number) {
  struct message *message = &m->items[number];
  if (message->previous != NOWHERE)
    m->items[message->previous].next = message->next;
  else
    m->waiting = message->next;
  if (message->next != NOWHERE) m->items[message->next].previous = message->previous;
  message->waits = false;
  if (m->armed == number) m->armed = NOWHERE;
}

void messages_arm(struct messages *m, double next) {
  if (m->waiting == NOWHERE || next == INFINITY) return;
  if (m->armed != NOWHERE && m->armed_at == next) return;
  m->armed = m->waiting;
  m->armed_at = next;
  m->host->retry(m->host, m->items[m->armed].process, next);
}

enum psl_status messages_arrive(struct messages *m, struct psl_call *call) {
  uint32_t *sent = sent_by(m, call->process);
  if (*sent == NONE_SENT) return psl_failed(call, "the process has sent no message");
  if (*sent == SENT_WITHOUT_LINK) {
    *sent = NONE_SENT;
    return PSL_DONE;
  }
  return call->ordered ? PSL_BLOCKED : PSL_LATER;
}

uint32_t messages_of(const struct messages *m, uint32_t process) { return m->of_process[process] - FIRST_MESSAGE; }

/* All packets but the last one, of a packet's size, follow each other by the greatest time that any link so far, or the
 * sender, takes for one; the last one is followed from link to link. */
double messages_stored(const struct messages *m, uint32_t count, double bytes, double gap, double size) {
  const struct topology *t = m->topology;
  double others = ceil(bytes / size) - 1, rest = bytes - others * size;
  double slowest = size * gap, passed = 0, ready = others * slowest;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = topology_capacity(t, m->route[i]);
    double latency = topology_latency(t, link), bandwidth = topology_bandwidth(t, link);
    slowest = fmax(slowest, size / bandwidth);
    double free = others > 0 ? passed + size / bandwidth + (others - 1) * slowest : 0;
    passed += size / bandwidth + latency;
    ready = fmax(ready, free) + rest / bandwidth + latency;
  }
  return ready;
}

double messages_alone(struct messages *m, const struct message *message, double latency, double gap, double stored) {
  const struct topology *t = m->topology;
  uint32_t count = message->from == message->to
                       ? 0
                       : topology_route(t, message->from, message->to, message->bytes, message->start, m->route);
  double slowest = 0, crossing = latency;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = topology_capacity(t, m->route[i]);
    crossing += topology_latency(t, link);
    slowest = fmax(slowest, 1 / topology_bandwidth(t, link));
  }
  double alone = crossing + message->bytes * (slowest > gap * (1 + TOGETHER) ? slowest : gap);
  if (stored == 0 || count == 0 || message->bytes == 0) return alone;
  return fmax(alone, latency + messages_stored(m, count, message->bytes, gap, stored));
}

enum psl_status messages_see(struct messages *m, struct psl_call *call, double next) {
  uint32_t number = messages_of(m, call->process);
  bool arrived = m->items[number].arrived;
  if (arrived) {
    *sent_by(m, call->process) = NONE_SENT;
    message_free(m, number);
  } else {
    if (!m->items[number].waits) wait_begin(m, number);
    if (m->armed == number) m->armed = NOWHERE;
  }
  messages_arm(m, next);
  return arrived ? PSL_DONE : PSL_BLOCKED;
}

void messages_end(struct messages *m, uint32_t number, double now, const struct psl_call *call) {
  struct message *message = &m->items[number];
  message->arrived = true;
  if (!message->waits) return;
  wait_end(m, number);
  uint32_t process = message->process;
  if (process == call->process) return;
  *sent_by(m, process) = NONE_SENT;
  message_free(m, number);
  m->host->resume(m->host, process, now > call->clock ? now : call->clock, (union psl_argument){.integer = 0});
}

bool message_before(const struct message *a, const struct message *b) {
  if (a->from != b->from) return a->from < b->from;
  if (a->to != b->to) return a->to < b->to;
  return a->bytes != b->bytes ? a->bytes < b->bytes : a->start < b->start;
}

/* ---- the report ---- */

void messages_carry(struct messages *m, const struct message *message, uint32_t link, double bytes) {
  if (!message->counts) return;
  m->carried = piece_reach(&m->pieces, m->carried, &m->carried_room, link, sizeof *m->carried);
  m->carried[link] += bytes;
}

static double utilisation(const struct messages *m, uint32_t link, double time) {
  return time > 0 ? m->carried[link] / topology_bandwidth(m->topology, link) / time : 0;
}

size_t messages_statistics(const struct messages *m, struct psl_statistic *out, size_t capacity) {
  uint32_t busiest[BUSIEST], count = 0;
  double time = m->host->end(m->host) - m->host->begin;
  for (uint32_t link = 0; link < m->carried_room; link++) {
    if (m->carried[link] == 0) continue;
    uint32_t at = count < BUSIEST ? count++ : BUSIEST;
    for (; at > 0 && utilisation(m, link, time) > utilisation(m, busiest[at - 1], time); at--)
      if (at < BUSIEST) busiest[at] = busiest[at - 1];
    if (at < BUSIEST) busiest[at] = link;
  }
  size_t used = 0;
  if (used < capacity) out[used++] = (struct psl_statistic){TRANSFERS, "", (double)m->sent, true};
  if (used < capacity) out[used++] = (struct psl_statistic){TRANSFERS_MET, "", (double)m->delayed, true};
  for (uint32_t i = 0; i < count && used < capacity; i++) {
    char *name = m->host->allocate(m->host, 96);
    int begin = snprintf(name, 96, "utilisation of link ");
    m->topology->kind->print(m->topology, busiest[i], name + begin, 96 - (size_t)begin);
    out[used++] = (struct psl_statistic){name, "", utilisation(m, busiest[i], time), false};
  }
  return used;
}
