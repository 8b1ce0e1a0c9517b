/* Of Dimemas' model: collective operations, and the time that they take by formula. */
#include "evaluators/dimemas/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- collective operations ---- */

static uint32_t stages_of(uint32_t tasks) {
  uint32_t stages = 0;
  while (((uint64_t)1 << stages) < tasks)
    stages++;
  return stages;
}

/* Rounds of a tree whose messages share the buses. */
static double rounds_of(uint32_t tasks, uint32_t buses) {
  uint64_t stages = stages_of(tasks), rounds = 0;
  if (buses == 0) return (double)stages;
  for (uint64_t stage = 0; stage < stages; stage++) {
    uint64_t begin = ((uint64_t)1 << stage) - 1, step = (uint64_t)1 << (stage + 1);
    uint64_t messages = begin < tasks - 1 ? (tasks - 2 - begin) / step + 1 : 0;
    rounds += (messages + buses - 1) / buses;
  }
  return (double)rounds;
}

static double size_of(enum dimemas_size size, bool in, int64_t sent, int64_t received) {
  int64_t least = sent < received ? sent : received, greatest = sent < received ? received : sent;
  switch (size) {
  case SIZE_LEAST: return (double)least;
  case SIZE_GREATEST: return (double)greatest;
  case SIZE_MEAN: return (double)((sent + received) / 2);
  case SIZE_TWICE_MAX: return (double)(2 * greatest);
  case SIZE_SUM: return (double)(sent + received);
  case SIZE_CURRENT: break;
  }
  return (double)(in ? sent : received);
}

struct phase_time {
  double whole, latency; /* latency: a part of it */
};

static struct phase_time phase_time(struct dimemas_phase phase, double bandwidth, double latency, uint32_t partners,
                                    uint32_t buses, double size) {
  double once = latency + size * dimemas_byte_time(bandwidth), times = 1;
  if (phase.model == MODEL_NONE) return (struct phase_time){0, 0};
  if (phase.model == MODEL_LINEAR) times = partners - 1;
  if (phase.model == MODEL_LOGARITHMIC) times = rounds_of(partners, buses);
  return (struct phase_time){once * times, latency * times};
}

/* In and out, between nodes and in one of them: that for which time and latency together are most. */
static double collective_time(const struct state *s, const struct collective *collective) {
  const struct communicator *communicator = &s->communicators[collective->communicator];
  const struct node *root = node_of(s, collective->root);
  double between[2] = {0, 0}, inside[2] = {0, 0}, most = 0;
  uint32_t nodes = 0;
  for (uint32_t n = 0; n < communicator->node_count; n++)
    nodes += communicator->nodes[n].present > 0;
  for (uint32_t n = 0; n < communicator->node_count; n++) {
    const struct node *node = &s->nodes[communicator->nodes[n].node];
    struct phase_time times[2];
    for (int k = 0; k < 2; k++) {
      struct dimemas_phase phase = s->machine->phases[collective->number][k];
      double size = size_of(phase.size, k == 0, (int64_t)collective->sent, (int64_t)collective->received);
      times[k] = phase_time(phase, node->figures[FIGURE_inside_bandwidth], node->figures[FIGURE_inside_latency],
                            communicator->nodes[n].present, 0, size);
      if (s->node_count > 1)
        between[k] = phase_time(phase, s->bandwidth, root->figures[FIGURE_latency], nodes, s->buses, size).whole;
    }
    double all = times[0].whole + times[0].latency + times[1].whole + times[1].latency;
    if (!communicator->nodes[n].present || all <= most) continue;
    most = all;
    inside[0] = times[0].whole;
    inside[1] = times[1].whole;
  }
  return inside[0] + inside[1] + between[0] + between[1];
}

/* All members are there: it reserves all buses, then it takes its time. */
void dimemas_collective_buses(struct state *s, uint32_t c) {
  struct collective *collective = &s->collectives[c];
  if (s->buses && collective->buses == 0 && s->used_buses != 0) {
    collective->buses = s->buses - s->used_buses;
    s->used_buses = s->buses;
    dimemas_line_put(s, true, c);
    return;
  }
  s->used_buses = s->buses;
  double time = collective_time(s, collective);
  dimemas_event_put(s, s->now + time, EVENT_COLLECTIVE_RESOURCES, c);
  dimemas_event_put(s, s->now + time, EVENT_COLLECTIVE, c);
}

void dimemas_collective_resources(struct state *s, uint32_t c) {
  s->collectives[c].buses = 0;
  s->used_buses = 0;
  uint32_t count = s->line_count;
  for (uint32_t k = 0; k < count && s->used_buses < s->buses && s->line_count; k++)
    dimemas_line_serve(s);
}

static void collective_end(struct state *s, uint32_t c) {
  struct communicator *communicator = &s->communicators[s->collectives[c].communicator];
  uint32_t previous = s->collectives[c].previous, next = s->collectives[c].next;
  *(previous == NONE ? &communicator->pending.first : &s->collectives[previous].next) = next;
  *(next == NONE ? &communicator->pending.last : &s->collectives[next].previous) = previous;
  s->collectives[c].used = false;
}

void dimemas_collective_over(struct state *s, uint32_t c) {
  struct collective collective = s->collectives[c];
  struct communicator *communicator = &s->communicators[collective.communicator];
  for (uint32_t n = 0; n < communicator->node_count; n++)
    communicator->nodes[n].present = 0;
  if (collective.mode == COLLECTIVE_BLOCKING) communicator->root = NONE;
  collective_end(s, c);
  for (uint32_t k = 0; k < collective.arrived; k++) { /* the root last */
    uint32_t number = collective.tasks[k];
    struct task *task = &s->tasks[number];
    task->busy_since = s->now;
    if (collective.mode == COLLECTIVE_BLOCKING) {
      dimemas_task_goes_on(s, number, true);
    } else if (task->waiting) {
      task->waiting--;
      dimemas_task_goes_on(s, number, true);
    } else {
      task->done++;
    }
  }
}

int dimemas_by_node(const void *a, const void *b) {
  const struct used_node *x = a, *y = b;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* The operation of the communicator that is the task's next one. */
static uint32_t collective_of(struct state *s, uint32_t number, const struct operation *operation) {
  struct communicator *communicator = &s->communicators[operation->communicator];
  if (!communicator->places)
    communicator->places = s->host->allocate(s->host, s->task_count * sizeof *communicator->places);
  struct used_node own = {.node = s->tasks[number].node},
                   *node = bsearch(&own, communicator->nodes, communicator->node_count, sizeof own, dimemas_by_node);
  if (node) node->present++;
  uint32_t place = communicator->places[number]++, c = communicator->pending.first;
  while (c != NONE && s->collectives[c].place != place)
    c = s->collectives[c].next;
  if (c != NONE) return c;
  for (c = 0; c < s->collective_count && s->collectives[c].used; c++)
    ;
  if (c == s->collective_count) {
    s->collectives = dimemas_grown(s, s->collectives, c, &s->collective_capacity, sizeof *s->collectives);
    s->collective_count++;
  }
  s->collectives[c] = (struct collective){.communicator = operation->communicator,
                                          .place = place,
                                          .root = NONE,
                                          .mode = operation->mode,
                                          .number = operation->number,
                                          .used = true,
                                          .next = NONE,
                                          .previous = communicator->pending.last};
  s->collectives[c].tasks = s->host->allocate(s->host, communicator->size * sizeof(uint32_t));
  *(communicator->pending.last == NONE ? &communicator->pending.first
                                       : &s->collectives[communicator->pending.last].next) = c;
  communicator->pending.last = c;
  return c;
}

/* The task has come; when all have, the operation begins. Its root, whose sizes it has, is the last that said so: for
 * one that blocks the root of a reduction before it will do. */
static void collective_join(struct state *s, uint32_t c, uint32_t number, const struct operation *operation) {
  struct collective *collective = &s->collectives[c];
  struct communicator *communicator = &s->communicators[collective->communicator];
  uint32_t *root = collective->mode == COLLECTIVE_BLOCKING ? &communicator->root : &collective->root;
  collective->tasks[collective->arrived++] = number;
  if (operation->leads || (*root == NONE && collective->arrived == communicator->size)) *root = number;
  if (*root == number) {
    collective->sent = operation->size;
    collective->received = operation->received;
  }
  if (collective->arrived < communicator->size) return;
  collective->root = *root;
  uint32_t at = 0;
  while (collective->tasks[at] != collective->root)
    at++;
  memmove(&collective->tasks[at], &collective->tasks[at + 1],
          (communicator->size - 1 - at) * sizeof *collective->tasks);
  collective->tasks[communicator->size - 1] = collective->root;
  dimemas_collective_buses(s, c);
}

/* What the task's own node has it take to begin one that does not block it as a whole. */
static double collective_latency(const struct state *s, uint32_t number, uint32_t communicator) {
  const struct communicator *all = &s->communicators[communicator];
  const struct node *node = node_of(s, number);
  double between = all->node_count > 1 ? node->figures[FIGURE_latency] : 0;
  double inside = all->node_count < all->size ? node->figures[FIGURE_inside_latency] : 0;
  return floor(fmax(between, inside));
}

/* A reduction whose members send to the root: it goes on when all have come there, they when theirs has. */
static void reduction_join(struct state *s, uint32_t number, const struct operation *operation) {
  uint32_t c = collective_of(s, number, operation);
  struct collective *collective = &s->collectives[c];
  if (operation->leads) s->communicators[collective->communicator].root = number;
  if (!operation->leads) {
    uint32_t i = dimemas_note_new(s, number, (uint32_t)operation->partner, operation);
    item_at(s, i)->collective = c;
    dimemas_message_go(s, i);
    return;
  }
  if (++collective->arrived < s->communicators[collective->communicator].size) {
    collective->root = number;
    collective->root_waits = true;
    return;
  }
  collective_end(s, c);
  s->in_turn = number;
  dimemas_task_answer(s, number);
}

void dimemas_reduction_part(struct state *s, uint32_t i) {
  uint32_t c = item_at(s, i)->collective, from = item_at(s, i)->from;
  struct collective *collective = &s->collectives[c];
  bool all = ++collective->arrived == s->communicators[collective->communicator].size;
  uint32_t root = collective->root;
  dimemas_item_free(s, i);
  if (all) collective_end(s, c);
  if (all && root != NONE) {
    s->tasks[root].busy_since = s->now;
    dimemas_task_goes_on(s, root, true);
  }
  s->tasks[from].busy_since = s->now;
  dimemas_task_goes_on(s, from, true);
}

void dimemas_collective_begin(struct state *s, uint32_t number) {
  struct operation operation = s->tasks[number].now;
  if (operation.mode == COLLECTIVE_BLOCKING) {
    collective_join(s, collective_of(s, number, &operation), number, &operation);
    return;
  }
  if (!dimemas_started(s, number, collective_latency(s, number, operation.communicator))) return;
  if (operation.mode == COLLECTIVE_ROOT) {
    reduction_join(s, number, &operation);
    return;
  }
  collective_join(s, collective_of(s, number, &operation), number, &operation);
  s->tasks[number].result = dimemas_request_new(s, &s->tasks[number], &operation);
  s->tasks[number].busy_since = s->now;
  s->in_turn = number;
  dimemas_task_answer(s, number);
}

void dimemas_collective_wait(struct state *s, uint32_t number) {
  struct task *task = &s->tasks[number];
  if (!dimemas_started(s, number, collective_latency(s, number, task->now.communicator))) return;
  if (!task->done) {
    task->waiting++;
    return;
  }
  task->done--;
  task->busy_since = s->now;
  dimemas_task_goes_on(s, number, false);
}
