/* Loops whose turns mostly repeat what the one before has computed.  Called by assemble before it looks at
 * the nodes.
 *
 * In a loop without branches inside, all that is computed from one value, and from what does not change in
 * the loop, is what it was in the turn before if that value is. Such a loop (one over the blocks of a column,
 * most of which are of one size) is written twice: as it is, and without these computations, with a test
 * between that goes to the one or the other. Results stand in the registers where the turn before has left
 * them: such a program has more of them in its frames, and is made only where there are no processes beside
 * it. */
#include "interp/execute/compiler.h"
#include <string.h>

enum {
  WORTH = 6,  /* operations that a turn is spared, */
  LONG = 200, /* and nodes of a loop that is looked at */
};

struct repeat {
  struct compiler *compiler;
  struct node *nodes[LONG]; /* behind the loop's label; the last one goes back */
  uint32_t count;
  uint32_t value;    /* the node that makes the value, */
  bool spared[LONG]; /* and what is computed from it alone */
  uint8_t *written;  /* by register: times in the loop, 2 at most */
  uint8_t *anew;     /* by register: another value in each turn */
};

/* May stand in a loop that is written twice: it goes nowhere else inside, never waits, and can be copied. */
static bool fits(const struct node *node) {
  switch ((enum operation)node->op) {
  case DO_LOAD:
  case DO_STORE:
  case DO_HOLD:
  case DO_FIRE:
  case DO_TURN:
  case DO_PURE: return true;
  default: return node->op < DO_LOAD && !node->here;
  }
}

static bool goes_back(const struct node *node) {
  return node->op == DO_NEXT_UP || node->op == DO_NEXT_DOWN || node->op == DO_NEXT_TIMES;
}

/* The nodes of the loop that begins at the label; false: it is not one of these. */
static bool loop_read(struct repeat *repeat, const struct node *head) {
  repeat->count = 0;
  if (!head->here || head->here->users != 1) return false;
  memset(repeat->written, 0, repeat->compiler->register_count);
  for (struct node *node = head->next; node && repeat->count < LONG; node = node->next) {
    repeat->nodes[repeat->count++] = node;
    if (node->has_a) repeat->written[node->a] = repeat->written[node->a] ? 2 : 1;
    if (goes_back(node)) return node->label == head->here;
    if (!fits(node)) return false;
  }
  return false;
}

/* Marks what is computed from the value of one node alone; how much it is. */
static uint32_t spare(struct repeat *repeat, uint32_t value) {
  uint32_t number = 0;
  uint8_t *anew = repeat->anew;
  memcpy(anew, repeat->written, repeat->compiler->register_count);
  anew[repeat->nodes[value]->a] = 0;
  for (uint32_t k = 0; k < repeat->count; k++) {
    const struct node *node = repeat->nodes[k];
    bool same = k > value && node_computes(node) && (!node->has_a || repeat->written[node->a] == 1) &&
                !(node->has_b && anew[node->b]) && !(node->has_c && anew[node->c]) &&
                !(node->has_k && anew[node->whole]);
    const struct native_site *site = node->op == DO_PURE ? node->site : NULL;
    for (uint32_t i = 0; site && i < site->count; i++)
      same &= !anew[site->arguments[i]];
    if (same && node->has_a) anew[node->a] = 0;
    repeat->spared[k] = same;
    number += same;
  }
  return number;
}

/* Its result is often what it was although what it is made from is not. */
static bool levels(const struct node *node) {
  switch ((enum operation)node->op) {
  case DO_INT_MIN:
  case DO_INT_MAX:
  case DO_REAL_MIN:
  case DO_REAL_MAX:
  case DO_DIV:
  case DO_DIV_CHECK:
  case DO_DIV_SHIFT:
  case DO_ITEM:
  case DO_ITEM_CHECK:
  case DO_SELECT: return true;
  default: return node->op >= DO_INT_LT && node->op <= DO_REAL_NE;
  }
}

/* Finds the value that spares most. */
static bool value_choose(struct repeat *repeat) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < repeat->count; k++) {
    const struct node *node = repeat->nodes[k];
    if (!levels(node) || repeat->written[node->a] != 1) continue;
    uint32_t number = spare(repeat, k);
    if (number <= most) continue;
    most = number;
    repeat->value = k;
  }
  return most >= WORTH && spare(repeat, repeat->value) == most;
}

static struct node *put(struct repeat *repeat, struct node **last, enum operation op) {
  struct node *node = ARENA_NEW(repeat->compiler->arena, struct node);
  node->op = (uint16_t)op;
  node->next = (*last)->next;
  (*last)->next = node;
  return *last = node;
}

static void put_label(struct repeat *repeat, struct node **last, struct label *label) {
  label->node = put(repeat, last, DO_NOP);
  label->node->here = label;
}

static void put_jump(struct repeat *repeat, struct node **last, struct label *label) {
  put(repeat, last, DO_JUMP)->label = label;
}

static void put_copy(struct repeat *repeat, struct node **last, const struct node *node) {
  struct node *copy = put(repeat, last, DO_NOP), *next = copy->next;
  *copy = *node;
  copy->next = next;
}

/* The next node from k on that is not spared. */
static uint32_t next_kept(const struct repeat *repeat, uint32_t k) {
  while (repeat->spared[k] || repeat->nodes[k]->op == DO_NOP)
    k++;
  return k;
}

/* A hold for as long as in the turn before, with the firing before it that it belongs to: the place behind
 * it, 0: it is something else. */
static uint32_t held_read(const struct repeat *repeat, uint32_t k, struct held *held, struct span *span) {
  const struct node *fire = repeat->nodes[k]->op == DO_FIRE ? repeat->nodes[k] : NULL;
  if (fire) k = next_kept(repeat, k + 1);
  const struct node *node = repeat->nodes[k];
  const struct hold_site *site = node->site;
  if (node->op != DO_HOLD || repeat->anew[node->b] || site->spawned) return 0;
  if (fire && fire->whole != site->component) return 0;
  *held =
      (struct held){.reg = node->b, .fires = fire != NULL, .activity = site->activity, .component = site->component};
  *span = site->span;
  return k + 1;
}

/* Holds that follow each other become one operation. */
static void put_holds(struct repeat *repeat, struct node **last, const struct held *held, const struct span *spans,
                      uint32_t count) {
  struct arena *arena = repeat->compiler->sites;
  struct holds_site *site = ARENA_NEW(arena, struct holds_site);
  site->held = ARENA_ARRAY(arena, struct held, count);
  site->count = count;
  struct span *of = ARENA_ARRAY(arena, struct span, count);
  memcpy(site->held, held, count * sizeof *held);
  memcpy(of, spans, count * sizeof *spans);
  site->spans = of;
  put(repeat, last, DO_HOLDS)->site = site;
}

/* What stands behind the value and is not spared. */
static void put_rest(struct repeat *repeat, struct node **last) {
  struct held held[LONG];
  struct span spans[LONG];
  for (uint32_t k = repeat->value + 1; k < repeat->count;) {
    uint32_t count = 0, next;
    k = next_kept(repeat, k);
    while ((next = held_read(repeat, k, &held[count], &spans[count])) != 0) {
      count++;
      k = next_kept(repeat, next);
    }
    if (count)
      put_holds(repeat, last, held, spans, count);
    else
      put_copy(repeat, last, repeat->nodes[k++]);
  }
}

static void put_keep(struct repeat *repeat, struct node **last, uint16_t kept) {
  struct node *move = put(repeat, last, DO_MOVE);
  move->a = kept;
  move->b = repeat->nodes[repeat->value]->a;
  move->has_a = move->has_b = true;
}

/* ---- turns that are alike, many at once ---- */

/* The operation as a step from what the register holds to what it computes, which goes one way: where the one grows,
 * the other never falls, or never grows. */
static bool link_read(const struct repeat *repeat, const struct node *node, uint16_t from, struct turns_link *link) {
  *link = (struct turns_link){.op = node->op, .whole = node->whole};
  switch ((enum operation)node->op) {
  case DO_DIV_SHIFT: return node->b == from;
  case DO_ADD:
  case DO_SUB:
  case DO_MUL:
  case DO_INT_MIN:
  case DO_INT_MAX: link->behind = node->c == from; break;
  case DO_DIV: break;
  default: return false;
  }
  link->other = link->behind ? node->b : node->c;
  return (link->behind ? node->c : node->b) == from && !repeat->written[link->other];
}

/* The value as computed from the loop's variable alone, and nothing else before it. */
static bool chain_read(const struct repeat *repeat, struct turns_site *site) {
  uint16_t from = site->variable;
  for (uint32_t k = 0; k <= repeat->value; k++) {
    const struct node *node = repeat->nodes[k];
    if (node->op == DO_NOP) continue;
    if (site->chain_count == TURNS_CHAIN || !link_read(repeat, node, from, &site->chain[site->chain_count]))
      return false;
    site->chain_count++;
    from = node->a;
  }
  return true;
}

/* A sum in the making: its var is loaded, added to, stored. */
struct summing {
  uint16_t loaded, added;
  enum { SUM_LOADED, SUM_ADDED, SUM_STORED } state;
};

static bool sum_load(const struct node *node, struct turns_site *site, struct summing *sums) {
  struct record_site *var = node->site;
  if (site->sum_count == TURNS_SUMS) return false;
  for (uint32_t s = 0; s < site->sum_count; s++)
    if (site->sums[s].site->component == var->component && site->sums[s].site->slot == var->slot) return false;
  sums[site->sum_count] = (struct summing){.loaded = node->a, .state = SUM_LOADED};
  site->sums[site->sum_count++] = (struct turns_sum){.instance = node->b, .site = var};
  return true;
}

static bool sum_add_to(const struct repeat *repeat, const struct node *node, struct turns_site *site,
                       struct summing *sums) {
  for (uint32_t s = 0; s < site->sum_count; s++) {
    uint16_t more = node->b == sums[s].loaded ? node->c : node->b;
    if (sums[s].state != SUM_LOADED || (node->b != sums[s].loaded && node->c != sums[s].loaded)) continue;
    site->sums[s].more = more;
    sums[s].added = node->a;
    sums[s].state = SUM_ADDED;
    return !repeat->anew[more];
  }
  return false;
}

static bool sum_store(const struct node *node, const struct turns_site *site, struct summing *sums) {
  const struct record_site *var = node->site;
  for (uint32_t s = 0; s < site->sum_count; s++) {
    const struct turns_sum *sum = &site->sums[s];
    if (sums[s].state != SUM_ADDED || sums[s].added != node->c) continue;
    sums[s].state = SUM_STORED;
    return var->real && sum->instance == node->b && sum->site->component == var->component &&
           sum->site->slot == var->slot;
  }
  return false;
}

static bool take_holds(const struct node *node, struct turns_site *site) {
  const struct holds_site *holds = node->site;
  for (uint32_t h = 0; h < holds->count; h++) {
    if (site->held_count == TURNS_HELD) return false;
    site->held[site->held_count++] = (struct turns_held){holds->held[h].reg, &holds->held[h]};
  }
  return true;
}

/* What a turn does behind the test: it holds, adds to vars, and goes on. */
static bool turns_read(const struct repeat *repeat, const struct node *node, struct turns_site *site) {
  struct summing sums[TURNS_SUMS];
  bool fits = true;
  for (; fits && !goes_back(node); node = node->next) {
    switch ((enum operation)node->op) {
    case DO_HOLDS: fits = take_holds(node, site); break;
    case DO_LOAD: fits = sum_load(node, site, sums); break;
    case DO_REAL_ADD: fits = sum_add_to(repeat, node, site, sums); break;
    case DO_STORE: fits = sum_store(node, site, sums); break;
    case DO_NOP:
    case DO_TURN: break;
    default: fits = false;
    }
  }
  for (uint32_t s = 0; s < site->sum_count; s++)
    fits &= sums[s].state == SUM_STORED;
  return fits && node->op == DO_NEXT_UP && site->held_count;
}

/* Behind the label of the copy that begins with `first` behind its test. */
static void put_turns(struct repeat *repeat, struct node *label, const struct node *first, uint16_t kept) {
  const struct node *back = repeat->nodes[repeat->count - 1];
  struct turns_site *site = ARENA_NEW(repeat->compiler->sites, struct turns_site);
  *site = (struct turns_site){.variable = back->a, .step = back->b, .high = back->c, .kept = kept};
  if (repeat->written[back->b] || repeat->written[back->c] || !chain_read(repeat, site) ||
      !turns_read(repeat, first, site))
    return;
  struct node *node = put(repeat, &label, DO_TURNS);
  node->a = back->a;
  node->has_a = node->updates = true;
  node->site = site;
}

/* value; keep it; slow: all the rest; back to `again` or away
 * again: turns that are alike, at once; value; other than the one that is kept? to `other`; the rest that is not
 * spared; back to `again` or away other: keep it; to slow */
static void write_twice(struct repeat *repeat) {
  struct compiler *compiler = repeat->compiler;
  struct label *slow = label_new(compiler), *again = label_new(compiler), *other = label_new(compiler),
               *end = label_new(compiler);
  const struct node *value = repeat->nodes[repeat->value];
  uint16_t kept = (uint16_t)register_new(compiler, compiler->registers[value->a].kind, 1);
  struct node *at = repeat->nodes[repeat->value], *last = repeat->nodes[repeat->count - 1];
  put_keep(repeat, &at, kept);
  put_label(repeat, &at, slow);
  last->label = again;
  put_jump(repeat, &last, end);
  put_label(repeat, &last, again);
  struct node *head = last;
  for (uint32_t k = 0; k <= repeat->value; k++)
    put_copy(repeat, &last, repeat->nodes[k]);
  struct node *test = put(repeat, &last, DO_UNLESS_INT_EQ);
  test->b = value->a;
  test->c = kept;
  test->has_b = test->has_c = true;
  test->label = other;
  put_rest(repeat, &last);
  put_turns(repeat, head, test->next, kept);
  put_jump(repeat, &last, end);
  put_label(repeat, &last, other);
  put_keep(repeat, &last, kept);
  put_jump(repeat, &last, slow);
  put_label(repeat, &last, end);
}

void repeat_loops(struct compiler *compiler) {
  struct repeat repeat = {.compiler = compiler};
  uint32_t room = 0;
  for (struct node *node = compiler->first; node && !compiler->failed; node = node->next) {
    if (!node->here) continue;
    if (room < compiler->register_count) { /* a loop that is written twice has one more */
      room = compiler->register_count + 64;
      repeat.written = ARENA_ARRAY(compiler->arena, uint8_t, room);
      repeat.anew = ARENA_ARRAY(compiler->arena, uint8_t, room);
    }
    if (loop_read(&repeat, node) && value_choose(&repeat)) write_twice(&repeat);
  }
}
