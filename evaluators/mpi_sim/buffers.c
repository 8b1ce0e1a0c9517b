/* Room at the ranks for messages that come without a handshake, where that is bounded. A message takes its part from
 * its send on until it has come and has its receive; senders know that at any later time. */
#include "evaluators/mpi_sim/state.h"

static void releases_pass(struct buffers *b, double clock) {
  while (b->begin < b->end && b->releases[b->begin].clock < clock)
    b->taken -= b->releases[b->begin++].size;
  if (b->begin < b->end) return;
  b->begin = b->end = 0;
}

bool buffers_fit(struct state *s, struct rank *rank, double room, double size, double clock) {
  struct rare *rare = rank_rare(s, rank);
  if (!rare->buffers) {
    rare->buffers = cut(&s->memory, sizeof *rare->buffers);
    *rare->buffers = (struct buffers){0};
  }
  releases_pass(rare->buffers, clock);
  return rare->buffers->taken + size <= room;
}

void buffers_take(struct rank *rank, struct envelope *e) {
  e->buffered = true;
  rare_of(rank)->buffers->taken += e->size;
}

static void releases_grow(struct state *s, struct buffers *b) {
  uint32_t count = b->end - b->begin;
  if (2 * count >= b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 16;
    struct release *grown = cut(&s->memory, b->capacity * sizeof *grown);
    if (count) memcpy(grown, b->releases + b->begin, count * sizeof *grown);
    b->releases = grown;
  } else {
    memmove(b->releases, b->releases + b->begin, count * sizeof *b->releases);
  }
  b->begin = 0;
  b->end = count;
}

void buffers_release(struct state *s, struct envelope *e, double clock) {
  struct buffers *b = rare_of(rank_at(s, e->destination))->buffers;
  e->buffered = false;
  if (b->end == b->capacity) releases_grow(s, b);
  uint32_t k = b->end++; /* they come nearly in order */
  for (; k > b->begin && b->releases[k - 1].clock > clock; k--)
    b->releases[k] = b->releases[k - 1];
  b->releases[k] = (struct release){clock, e->size};
}
