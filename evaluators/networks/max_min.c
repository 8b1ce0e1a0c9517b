/* Solutions are local: where flows come and go, only those are looked at whose bottleneck may have moved, against what
 * all others leave them. What they then disturb is looked at as well, until every flow has its bottleneck again: that
 * is the one max-min fair solution. Where much moves all flows are looked at in one go. */
#include "evaluators/networks/max_min.h"
#include <math.h>

#define SLACK 1e-10 /* relative: what rounding may add up to */
enum { MUCH = 3 };  /* a solution that has this part of all hops is made of all flows */

/* ---- links and flows ---- */

void sharing_open(struct sharing *s, struct pieces *pieces) { *s = (struct sharing){.pieces = pieces, .solution = 1}; }

void sharing_link(struct sharing *s, uint32_t link, double capacity) {
  while (s->link_count <= link) {
    PIECE_GROW(s->pieces, s->links, s->link_count, s->link_room);
    s->links[s->link_count++] = (struct shared_link){.capacity = 0};
  }
  s->links[link].capacity = capacity;
}

static void member_add(struct sharing *s, uint32_t number) {
  struct flow *flow = &s->flows[number];
  if (flow->member == s->solution) return;
  flow->member = s->solution;
  flow->level = flow->rate; /* until it is found */
  PIECE_GROW(s->pieces, s->members, s->member_count, s->member_room);
  flow->member_place = s->member_count;
  s->members[s->member_count++] = number;
  s->member_hops += flow->hop_count;
}

/* Those that have their bottleneck here may get more, or less. */
static void bottlenecked_add(struct sharing *s, uint32_t number) {
  struct shared_link *link = &s->links[number];
  if (link->gathered == s->solution) return;
  link->gathered = s->solution;
  for (uint32_t i = 0; i < link->count; i++)
    if (s->flows[link->crossings[i].flow].bottleneck == number) member_add(s, link->crossings[i].flow);
}

static uint32_t flow_new(struct sharing *s) {
  if (s->free_count) return s->free_flows[--s->free_count];
  PIECE_GROW(s->pieces, s->flows, s->flow_count, s->flow_room);
  return s->flow_count++;
}

uint32_t sharing_add(struct sharing *s, const uint32_t *links, uint32_t count, double cap) {
  uint32_t number = flow_new(s);
  struct flow *flow = &s->flows[number];
  *flow = (struct flow){.hop_count = count, .cap = cap, .bottleneck = AT_CAP, .member = s->solution - 1};
  flow->hops = piece_take(s->pieces, count * sizeof *flow->hops);
  for (uint32_t i = 0; i < count; i++)
    bottlenecked_add(s, links[i]);
  for (uint32_t i = 0; i < count; i++) {
    struct shared_link *link = &s->links[links[i]];
    PIECE_GROW(s->pieces, link->crossings, link->count, link->room);
    flow->hops[i] = (struct hop){links[i], link->count};
    link->crossings[link->count++] = (struct crossing){number, i};
  }
  PIECE_GROW(s->pieces, s->active, s->active_count, s->active_room);
  flow->place = s->active_count;
  s->active[s->active_count++] = number;
  s->hop_count += count;
  member_add(s, number);
  return number;
}

static void member_remove(struct sharing *s, const struct flow *flow) {
  uint32_t last = s->members[--s->member_count];
  s->members[flow->member_place] = last;
  s->flows[last].member_place = flow->member_place;
  s->member_hops -= flow->hop_count;
}

void sharing_remove(struct sharing *s, uint32_t number) {
  struct flow *flow = &s->flows[number];
  if (flow->member == s->solution) member_remove(s, flow);
  for (uint32_t i = 0; i < flow->hop_count; i++) {
    struct shared_link *link = &s->links[flow->hops[i].link];
    struct crossing last = link->crossings[--link->count];
    link->crossings[flow->hops[i].place] = last;
    s->flows[last.flow].hops[last.hop].place = flow->hops[i].place;
  }
  for (uint32_t i = 0; i < flow->hop_count; i++)
    bottlenecked_add(s, flow->hops[i].link);
  uint32_t last = s->active[--s->active_count];
  s->active[flow->place] = last;
  s->flows[last].place = flow->place;
  s->hop_count -= flow->hop_count;
  piece_give(s->pieces, flow->hops, flow->hop_count * sizeof *flow->hops);
  PIECE_GROW(s->pieces, s->free_flows, s->free_count, s->free_room);
  s->free_flows[s->free_count++] = number;
}

/* ---- progressive filling ---- */

static bool entry_before(const struct entry *a, const struct entry *b) {
  return a->key != b->key ? a->key < b->key : a->id < b->id;
}

static void entry_sink(struct sharing *s, uint32_t at) {
  struct entry *heap = s->heap, moved = heap[at];
  for (uint32_t child; (child = 2 * at + 1) < s->heap_count; at = child) {
    if (child + 1 < s->heap_count && entry_before(&heap[child + 1], &heap[child])) child++;
    if (!entry_before(&heap[child], &moved)) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
}

static void entry_pop(struct sharing *s) {
  s->heap[0] = s->heap[--s->heap_count];
  if (s->heap_count) entry_sink(s, 0);
}

static void entry_append(struct sharing *s, double key, uint32_t id) {
  PIECE_GROW(s->pieces, s->heap, s->heap_count, s->heap_room);
  s->heap[s->heap_count++] = (struct entry){key, id};
}

static void link_touch(struct sharing *s, uint32_t number) {
  struct shared_link *link = &s->links[number];
  if (link->touched == s->solution) {
    link->open++;
    return;
  }
  link->touched = s->solution;
  link->open = 1;
  link->left = link->capacity;
  link->level = -1;
  PIECE_GROW(s->pieces, s->touched, s->touched_count, s->touched_room);
  s->touched[s->touched_count++] = number;
}

static inline double share_of(const struct shared_link *link) { return link->left > 0 ? link->left / link->open : 0; }

/* The links of the members with what others leave them. */
static void filling_begin(struct sharing *s) {
  s->touched_count = s->heap_count = 0;
  for (uint32_t i = 0; i < s->member_count; i++) {
    struct flow *flow = &s->flows[s->members[i]];
    flow->level = -1;
    for (uint32_t k = 0; k < flow->hop_count; k++)
      link_touch(s, flow->hops[k].link);
    if (flow->cap < INFINITY) entry_append(s, flow->cap, s->link_count + s->members[i]);
  }
  for (uint32_t i = 0; i < s->touched_count; i++) {
    struct shared_link *link = &s->links[s->touched[i]];
    for (uint32_t k = 0; link->open < link->count && k < link->count; k++) {
      const struct flow *flow = &s->flows[link->crossings[k].flow];
      if (flow->member != s->solution) link->left -= flow->rate;
    }
    entry_append(s, share_of(link), s->touched[i]);
  }
  for (uint32_t i = s->heap_count / 2; i-- > 0;)
    entry_sink(s, i);
}

static void flow_settle(struct sharing *s, struct flow *flow, double level, uint32_t bottleneck) {
  flow->level = level;
  flow->bottleneck = bottleneck;
  for (uint32_t k = 0; k < flow->hop_count; k++) {
    struct shared_link *link = &s->links[flow->hops[k].link];
    link->left -= level;
    link->open--;
  }
}

static void link_settle(struct sharing *s, uint32_t number) {
  struct shared_link *link = &s->links[number];
  double level = link->level = share_of(link);
  for (uint32_t i = 0; link->open > 0; i++) {
    struct flow *flow = &s->flows[link->crossings[i].flow];
    if (flow->member == s->solution && flow->level < 0) flow_settle(s, flow, level, number);
  }
}

/* Shares only grow while others are settled: the least is right once it is right when it is met. */
static void filling(struct sharing *s) {
  filling_begin(s);
  while (s->heap_count) {
    struct entry *top = &s->heap[0];
    if (top->id >= s->link_count) {
      struct flow *flow = &s->flows[top->id - s->link_count];
      if (flow->level < 0) flow_settle(s, flow, flow->cap, AT_CAP);
      entry_pop(s);
      continue;
    }
    struct shared_link *link = &s->links[top->id];
    double share = link->open ? share_of(link) : 0;
    if (link->open && share > top->key) {
      top->key = share;
      entry_sink(s, 0);
      continue;
    }
    if (link->open) link_settle(s, top->id);
    entry_pop(s);
  }
}

/* ---- what is disturbed ---- */

static inline double rate_now(const struct sharing *s, const struct flow *flow) {
  return flow->member == s->solution ? flow->level : flow->rate;
}

/* Others that lose their bottleneck here, or that are faster than members that have theirs here. */
static void link_widen(struct sharing *s, uint32_t number) {
  const struct shared_link *link = &s->links[number];
  double sum = 0, most = 0;
  for (uint32_t i = 0; i < link->count; i++) {
    double rate = rate_now(s, &s->flows[link->crossings[i].flow]);
    sum += rate;
    if (rate > most) most = rate;
  }
  bool full = sum >= link->capacity * (1 - SLACK);
  for (uint32_t i = 0; i < link->count; i++) {
    uint32_t number_of = link->crossings[i].flow;
    const struct flow *flow = &s->flows[number_of];
    if (flow->member == s->solution) continue;
    bool lost = flow->bottleneck == number && (!full || flow->rate < most * (1 - SLACK));
    bool faster = link->level >= 0 && flow->rate > link->level * (1 + SLACK);
    if (lost || faster) member_add(s, number_of);
  }
}

static bool widen(struct sharing *s) {
  uint32_t before = s->member_count;
  for (uint32_t i = 0; i < s->touched_count; i++)
    if (s->links[s->touched[i]].count > 0) link_widen(s, s->touched[i]);
  return s->member_count > before;
}

static void members_all(struct sharing *s) {
  for (uint32_t i = 0; i < s->active_count; i++)
    member_add(s, s->active[i]);
  s->full_solutions++;
}

/* Takes the rates over, and begins to gather members of the next solution. */
static void solution_end(struct sharing *s) {
  s->changed_count = 0;
  for (uint32_t i = 0; i < s->member_count; i++) {
    struct flow *flow = &s->flows[s->members[i]];
    if (fabs(flow->level - flow->rate) <= 1e-14 * flow->level) continue;
    flow->rate = flow->level;
    PIECE_GROW(s->pieces, s->changed, s->changed_count, s->changed_room);
    s->changed[s->changed_count++] = s->members[i];
  }
  s->member_count = 0;
  s->member_hops = 0;
  s->solution++;
}

void sharing_solve(struct sharing *s) {
  s->solutions++;
  for (;;) {
    if (s->member_count < s->active_count && MUCH * s->member_hops > s->hop_count) members_all(s);
    filling(s);
    if (s->member_count == s->active_count || !widen(s)) break;
    s->widenings++;
    s->solution++; /* the same members again, and more */
    for (uint32_t i = 0; i < s->member_count; i++)
      s->flows[s->members[i]].member = s->solution;
  }
  solution_end(s);
}
