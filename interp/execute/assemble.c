/* From the compiler's list of nodes to a program: values that nobody reads are left out, registers that
 * live while the process waits are told from those that do not, labels become places. */
#include "interp/execute/compiler.h"
#include "interp/execute/host_time.h"
#include <stdlib.h>
#include <string.h>

/* Does the process perhaps leave the program here, so that its registers must stand in the frame? */
static bool waits(const struct node *node) {
  if (node->op == DO_NATIVE) return ((const struct native_site *)node->site)->function->kind != PSL_EVENT;
  return node->op == DO_ORDER || node->op == DO_REQUEST || node->op == DO_ENTER || node->op == DO_START ||
         node->op == DO_SHARE || node->op == DO_TURN || node->op == DO_ACQUIRE || node->op == DO_END;
}

static void visit_eval(struct eval_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->local_count; i++)
    each(user, &site->locals[i].reg);
  each(user, &site->instance);
  if (site->caller) each(user, &site->caller_instance);
  if (site->target) each(user, &site->target_instance);
}

static void visit_holds(struct holds_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->held[i].reg);
}

static void visit_turns(struct turns_site *site, visit *each, void *user) {
  each(user, &site->variable);
  each(user, &site->step);
  each(user, &site->high);
  each(user, &site->kept);
  for (uint32_t i = 0; i < site->chain_count; i++)
    if (site->chain[i].op != DO_DIV_SHIFT) each(user, &site->chain[i].other);
  for (uint32_t i = 0; i < site->held_count; i++)
    each(user, &site->held[i].reg);
  for (uint32_t i = 0; i < site->sum_count; i++) {
    each(user, &site->sums[i].instance);
    each(user, &site->sums[i].more);
  }
}

static void visit_draw(struct draw_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->arguments[i]);
  each(user, &site->instance);
}

static void visit_branch(struct branch_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->stmt->chances.count; i++)
    each(user, &site->chances[i]);
  each(user, &site->instance);
}

static void visit_native(struct native_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->arguments[i]);
}

static void visit_pair(struct pair_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < PSL_PAIR_ARGUMENTS; i++)
    each(user, &site->numbers[i]);
  for (uint32_t i = 0; i < site->varying_count; i++)
    each(user, &site->varying[i].reg);
  for (uint32_t i = 0; i < site->hold_count; i++)
    each(user, &site->holds[i].reg);
  each(user, &site->instance);
}

static void visit_c(struct c_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->arguments[i]);
}

static void visit_call(struct call_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->arguments[i]);
}

/* The arguments under which the result is kept. */
static void visit_return(const struct function_code *code, visit *each, void *user) {
  for (uint32_t i = 0; code->memo && i < code->varying_count; i++) {
    uint16_t reg = code->varying[i];
    each(user, &reg);
  }
}

static void visit_request(struct request_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->argument_count; i++)
    each(user, &site->arguments[i].reg);
  for (uint32_t i = 0; i < site->local_count; i++)
    each(user, &site->locals[i].reg);
  each(user, &site->instance);
  if (site->has_delay) each(user, &site->delay);
  if (site->accept) each(user, &site->target);
}

static void visit_release(struct acquire_site *site, visit *each, void *user) {
  each(user, &site->asked);
  each(user, &site->began);
}

static void visit_place(struct place_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->indices[i]);
}

/* Every register that the node reads. */
void node_uses(struct node *node, visit *each, void *user) {
  if (node->has_b) each(user, &node->b);
  if (node->has_c) each(user, &node->c);
  if (node->has_k) {
    uint16_t reg = (uint16_t)node->whole;
    each(user, &reg);
    node->whole = reg;
  }
  switch ((enum operation)node->op) {
  case DO_EVAL:
  case DO_FAIL:
    if (node->site) visit_eval(node->site, each, user);
    break;
  case DO_DRAW: visit_draw(node->site, each, user); break;
  case DO_CALL_C: visit_c(node->site, each, user); break;
  case DO_PAIR:
  case DO_PAIR_DIRECT:
  case DO_PAIR_HELD: visit_pair(node->site, each, user); break;
  case DO_PLACE: visit_place(node->site, each, user); break;
  case DO_BRANCH: visit_branch(node->site, each, user); break;
  case DO_CALL:
  case DO_CALL_OWN:
  case DO_CALL_OWN_2: visit_call(node->site, each, user); break;
  case DO_RETURN: visit_return(node->site, each, user); break;
  case DO_ACQUIRE: each(user, &((struct acquire_site *)node->site)->instance); break;
  case DO_RELEASE: visit_release(node->site, each, user); break;
  case DO_QUICK:
  case DO_MEMBER:
  case DO_NATIVE:
  case DO_NOTIFY: each(user, &((struct native_site *)node->site)->instance); /* fall through */
  case DO_PURE: visit_native(node->site, each, user); break;
  case DO_PURE_HOLD: visit_native(((struct pure_hold_site *)node->site)->pure, each, user); break;
  case DO_HOLDS: visit_holds(node->site, each, user); break;
  case DO_TURNS: visit_turns(node->site, each, user); break;
  case DO_REQUEST:
  case DO_ENTER:
  case DO_START: visit_request(node->site, each, user); break;
  case DO_RECORD:
  case DO_PROFILE:
  case DO_ASSERT: each(user, &((struct record_site *)node->site)->instance); break;
  default: break;
  }
}

/* Nothing but its result comes of it. */
static bool is_pure(const struct node *node) {
  if (!node->has_a || node->label || node->updates) return false;
  return (node->op >= DO_MOVE && node->op <= DO_LOAD) || node->op == DO_TARGET;
}

static bool falls_through(const struct node *node) {
  return node->op != DO_JUMP && node->op != DO_END && node->op != DO_RETURN && node->op != DO_FAIL &&
         node->op != DO_ASSERT;
}

#define BIT_TEST(set, i) ((set)[(i) / 64] >> ((i) % 64) & 1)
#define BIT_SET(set, i) ((set)[(i) / 64] |= (uint64_t)1 << ((i) % 64))
#define BIT_CLEAR(set, i) ((set)[(i) / 64] &= ~((uint64_t)1 << ((i) % 64)))

struct liveness {
  struct node **nodes;
  uint32_t count, words;
  uint64_t *in; /* count rows of `words` */
  /* By node, numbers that grow as the rows are found: when it was looked at, when its row has changed; 0: not yet. */
  uint32_t *looked, *changed;
};

static void use_set(void *user, uint16_t *reg) { BIT_SET((uint64_t *)user, *reg); }

/* Does it set its result only where it jumps? */
static bool sets_there(const struct node *node) { return node_pairs(node) && node->has_a; }

static void live_out(const struct liveness *live, uint32_t at, uint64_t *set) {
  const struct node *node = live->nodes[at];
  memset(set, 0, live->words * sizeof *set);
  if (falls_through(node) && at + 1 < live->count)
    memcpy(set, live->in + (size_t)(at + 1) * live->words, live->words * sizeof *set);
  if (node->label) {
    const uint64_t *there = live->in + (size_t)node->label->node->at * live->words;
    bool sets = sets_there(node) && !BIT_TEST(set, node->a);
    for (uint32_t w = 0; w < live->words; w++)
      set[w] |= there[w];
    if (sets) BIT_CLEAR(set, node->a);
  }
}

/* Has something that the row depends on changed since it was found? */
static bool is_stale(const struct liveness *live, uint32_t at) {
  const struct node *node = live->nodes[at];
  uint32_t looked = live->looked[at];
  return !looked || (at + 1 < live->count && live->changed[at + 1] > looked) ||
         (node->label && live->changed[node->label->node->at] > looked);
}

static void live_solve(struct liveness *live, uint64_t *set) {
  bool changed = true;
  uint32_t now = 0;
  while (changed) {
    changed = false;
    for (uint32_t at = live->count; at-- > 0;) {
      struct node *node = live->nodes[at];
      if (!is_stale(live, at)) continue;
      live->looked[at] = ++now;
      live_out(live, at, set);
      bool wanted = !node->has_a || BIT_TEST(set, node->a) || !is_pure(node);
      if (node->has_a && !node->updates && !sets_there(node)) BIT_CLEAR(set, node->a);
      if (node->updates) BIT_SET(set, node->a);
      if (wanted) node_uses(node, use_set, set);
      uint64_t *in = live->in + (size_t)at * live->words;
      if (memcmp(in, set, live->words * sizeof *set) != 0) {
        memcpy(in, set, live->words * sizeof *set);
        live->changed[at] = ++now;
        changed = true;
      }
    }
  }
}

static uint32_t number_nodes(struct compiler *compiler, struct node **nodes) {
  uint32_t count = 0;
  for (struct node *node = compiler->first; node; node = node->next) {
    node->at = count;
    if (nodes) nodes[count] = node;
    count++;
  }
  return count;
}

static void place_reg(void *user, uint16_t *reg) {
  const struct virtual *registers = user;
  *reg = registers[*reg].place;
}

struct mark {
  struct compiler *compiler;
  uint8_t *used;
};

static void mark_used(void *user, uint16_t *reg) { ((struct mark *)user)->used[*reg] = 1; }

static struct instruction instruction_of(const struct node *node) {
  struct instruction instruction = {.op = node->op, .a = node->a, .b = node->b, .c = node->c};
  if (node->site)
    instruction.site = node->site;
  else
    instruction.whole = node->whole;
  return instruction;
}

/* How far it jumps, in bytes. */
static int64_t distance(const struct node *node) {
  return ((int64_t)node->label->node->at - (int64_t)node->at) * (int64_t)sizeof(struct instruction);
}

static void labels_put(struct instruction *code, uint32_t count, const void *const *labels) {
  for (uint32_t k = 0; k < count; k++)
    code[k].here = labels[code[k].op];
}

/* An instruction has room for a site or a jump's target: those that have both keep the target behind them. */
static bool needs_second(const struct node *node) { return node->label && node->site; }

/* ---- registers that need not be saved: they can be computed again from those that are ---- */

enum { RECOMPUTED = 48 };

struct placing {
  struct compiler *compiler;
  struct liveness *live;
  uint16_t instance;
  struct node **definition; /* by register: its only one, or NULL */
  uint8_t *definitions;     /* how many, at most 2 */
  uint8_t *known;           /* 0: not looked at; 1: can be computed again; 2: cannot */
  uint8_t *wanted;          /* is computed again, */
  uint32_t wanted_count;    /* and how many are */
  uint64_t *leaves;         /* by register: what it is computed again from */
  uint64_t *saved;          /* registers that have a place in frames */
  uint32_t *sites;          /* by register: at how many places where the process may wait it is alive, */
  uint32_t site_count;      /* of so many; */
  uint64_t *often;          /* and at some where it often does */
};

static bool recomputable_operation(const struct placing *placing, const struct node *node) {
  switch ((enum operation)node->op) {
  case DO_ADD:
  case DO_SUB:
  case DO_MUL:
  case DO_DIV_SHIFT:
  case DO_MOD_MASK:
  case DO_INT_MIN:
  case DO_INT_MAX:
  case DO_INT_ABS:
  case DO_REAL_ADD:
  case DO_REAL_ADD_3:
  case DO_REAL_MUL_3:
  case DO_REAL_SUB:
  case DO_REAL_MUL:
  case DO_REAL_DIV:
  case DO_REAL_NEG:
  case DO_REAL_OF:
  case DO_REAL_MIN:
  case DO_REAL_MAX:
  case DO_REAL_ABS:
  case DO_INT_LT:
  case DO_INT_LE:
  case DO_INT_EQ:
  case DO_INT_NE:
  case DO_INT_WITHIN:
  case DO_REAL_LT:
  case DO_REAL_LE:
  case DO_REAL_EQ:
  case DO_REAL_NE:
  case DO_AND:
  case DO_OR:
  case DO_NOT:
  case DO_SELECT:
  case DO_SYMBOL:
  case DO_DIV:
  case DO_MOD: return true;
  case DO_TARGET: return node->b == placing->instance;
  default: return false;
  }
}

static bool recomputable(struct placing *placing, uint32_t reg, const uint64_t *saved, uint32_t depth);

static bool operand_at_hand(struct placing *placing, uint32_t reg, const uint64_t *saved, uint32_t depth) {
  const struct virtual *v = &placing->compiler->registers[reg];
  return v->constant || reg == placing->instance || v->param || BIT_TEST(saved, reg) ||
         recomputable(placing, reg, saved, depth + 1);
}

static bool recomputable(struct placing *placing, uint32_t reg, const uint64_t *saved, uint32_t depth) {
  if (placing->known[reg]) return placing->known[reg] == 1;
  const struct node *node = placing->definitions[reg] == 1 ? placing->definition[reg] : NULL;
  placing->known[reg] = 2;
  if (!node || depth > 20 || placing->compiler->registers[reg].param || !recomputable_operation(placing, node))
    return false;
  if ((node->has_b && !operand_at_hand(placing, node->b, saved, depth)) ||
      (node->has_c && !operand_at_hand(placing, node->c, saved, depth)) ||
      (node->has_k && !operand_at_hand(placing, (uint32_t)node->whole, saved, depth)))
    return false;
  placing->known[reg] = 1;
  return true;
}

/* The saved registers that computing `reg` again reads, through others that are computed again. */
static void leaves_of(const struct placing *placing, uint32_t reg, uint64_t *leaves) {
  const struct node *node = placing->definition[reg];
  uint32_t operands[3] = {node->b, node->c, (uint32_t)node->whole};
  bool has[3] = {node->has_b, node->has_c, node->has_k};
  for (int i = 0; i < 3; i++) {
    if (!has[i] || placing->compiler->registers[operands[i]].constant || operands[i] == placing->instance) continue;
    if (placing->known[operands[i]] == 1)
      leaves_of(placing, operands[i], leaves);
    else
      BIT_SET(leaves, operands[i]);
  }
}

/* Does something that `reg` is computed from change while `reg` is alive? */
static bool leaves_change(struct placing *placing, uint32_t reg, const uint64_t *leaves, uint64_t *set) {
  struct liveness *live = placing->live;
  for (uint32_t at = 0; at < live->count; at++) {
    const struct node *node = live->nodes[at];
    if (!node->has_a || !BIT_TEST(leaves, node->a)) continue;
    live_out(live, at, set);
    if (BIT_TEST(set, reg)) return true;
  }
  return false;
}

static uint64_t *row_of(uint64_t *rows, const struct liveness *live, uint32_t reg) {
  return rows + (size_t)reg * live->words;
}

/* Marks a register to be computed again, and what it needs for that. */
static void recompute(struct placing *placing, uint32_t reg) {
  const struct node *node = placing->definition[reg];
  if (placing->wanted[reg]) return;
  placing->wanted[reg] = 1;
  placing->wanted_count++;
  uint32_t operands[3] = {node->b, node->c, (uint32_t)node->whole};
  bool has[3] = {node->has_b, node->has_c, node->has_k};
  for (int i = 0; i < 3; i++)
    if (has[i] && placing->known[operands[i]] == 1) recompute(placing, operands[i]);
}

/* Which of the saved registers are computed again instead: some of those whose operands stay what they were. Each
 * time that the process goes on those that are alive are, so that too many would take more time than their memory is
 * worth. */
static void choose_recomputed(struct placing *placing, const uint64_t *saved, uint64_t *set) {
  struct liveness *live = placing->live;
  uint32_t count = placing->compiler->register_count;
  placing->leaves = ARENA_ARRAY(placing->compiler->arena, uint64_t, (size_t)count * live->words);
  for (uint32_t r = 0; r < count; r++)
    if (BIT_TEST(saved, r)) recomputable(placing, r, saved, 0);
  for (bool changed = true; changed;) { /* one that is saved after all is an operand of others */
    changed = false;
    for (uint32_t r = 0; r < count; r++) {
      if (!BIT_TEST(saved, r) || placing->known[r] != 1) continue;
      uint64_t *leaves = row_of(placing->leaves, live, r);
      memset(leaves, 0, live->words * sizeof *leaves);
      leaves_of(placing, r, leaves);
      if (!leaves_change(placing, r, leaves, set)) continue;
      placing->known[r] = 2;
      changed = true;
    }
  }
  for (uint32_t r = 0; r < count && placing->wanted_count < RECOMPUTED; r++)
    if (BIT_TEST(saved, r) && placing->known[r] == 1) recompute(placing, r);
}

/* The registers alive where the process may wait, less those that can be computed again. */
static void saved_registers(struct placing *placing, uint64_t *saved, uint64_t *set) {
  struct liveness *live = placing->live;
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    if (node->has_a) {
      placing->definition[node->a] = node;
      placing->definitions[node->a] = placing->definitions[node->a] ? 2 : 1;
    }
    if (!waits(node)) continue;
    placing->site_count++;
    live_out(live, at, set);
    if (node->has_a) BIT_CLEAR(set, node->a);
    node_uses(node, use_set, set);
    for (uint32_t w = 0; w < live->words; w++)
      for (uint64_t left = set[w]; left; left &= left - 1)
        placing->sites[64 * w + (uint32_t)__builtin_ctzll(left)]++;
    bool often = node->op == DO_NATIVE && ((const struct native_site *)node->site)->begins_pair;
    for (uint32_t w = 0; w < live->words; w++) {
      saved[w] |= set[w];
      if (often) placing->often[w] |= set[w];
    }
  }
  choose_recomputed(placing, saved, set);
  for (uint32_t r = 0; r < placing->compiler->register_count; r++) {
    const struct virtual *v = &placing->compiler->registers[r];
    if (v->constant || r == placing->instance || (placing->wanted[r] && placing->known[r] == 1))
      BIT_CLEAR(saved, r);
    else if (v->param)
      BIT_SET(saved, r);
  }
}

/* Which saved registers are alive where another one gets its value, by register. What a register is computed again from
 * lives as long as that register does. */
static uint64_t *saved_meetings(struct placing *placing, const uint64_t *saved, uint64_t *set) {
  struct compiler *compiler = placing->compiler;
  struct liveness *live = placing->live;
  uint64_t *meets = ARENA_ARRAY(compiler->arena, uint64_t, (size_t)compiler->register_count * live->words);
  uint64_t *alive = ARENA_ARRAY(compiler->arena, uint64_t, live->words);
  for (uint32_t at = 0; at < live->count; at++) {
    const struct node *node = live->nodes[at];
    if (!node->has_a || !BIT_TEST(saved, node->a)) continue;
    live_out(live, at, set);
    memcpy(alive, set, live->words * sizeof *set);
    for (uint32_t w = 0; w < live->words; w++)
      for (uint64_t left = alive[w]; left; left &= left - 1) {
        uint32_t r = 64 * w + (uint32_t)__builtin_ctzll(left);
        for (uint32_t k = 0; placing->wanted[r] && k < live->words; k++)
          set[k] |= row_of(placing->leaves, live, r)[k];
      }
    BIT_CLEAR(set, node->a);
    for (uint32_t w = 0; w < live->words; w++) {
      row_of(meets, live, node->a)[w] |= set[w] & saved[w];
      for (uint64_t left = set[w] & saved[w]; left; left &= left - 1)
        BIT_SET(row_of(meets, live, 64 * w + (uint32_t)__builtin_ctzll(left)), node->a);
    }
  }
  return meets;
}

static int by_sites(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The saved registers: parameters, then others, those first that are alive where the process may wait most often. */
static uint32_t saved_in_order(const struct placing *placing, uint64_t *order) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < placing->compiler->register_count; r++) {
    if (!BIT_TEST(placing->saved, r)) continue;
    uint32_t behind = placing->compiler->registers[r].param ? 0 : UINT32_MAX - placing->sites[r];
    order[count++] = (uint64_t)behind << 32 | r;
  }
  if (count) qsort(order, count, sizeof *order, by_sites);
  for (uint32_t k = 0; k < count; k++)
    order[k] = (uint32_t)order[k];
  return count;
}

/* So many are copied where there are so many. */
static uint32_t whole_slots(uint32_t places) { return (places + SLOTS - 1) & ~(SLOTS - 1); }

/* Is it alive at so few of the places where the process may wait that frames mostly need no room for it? */
static bool is_apart(const struct placing *placing, uint32_t reg) {
  enum { FEW = 4 };
  return !placing->compiler->registers[reg].param && !BIT_TEST(placing->often, reg) &&
         placing->sites[reg] * FEW < placing->site_count;
}

/* Saved registers that are never alive together share a place. Parameters are alive from the entry on, before anything
 * is defined. Where the process waits, the places up to the last one that is in use there are copied: so what is alive
 * at many places comes first. */
static void share_places(struct placing *placing, struct program *program, uint64_t *set) {
  struct compiler *compiler = placing->compiler;
  struct liveness *live = placing->live;
  uint32_t count = compiler->register_count, places = 0, inside = 0;
  uint64_t *meets = saved_meetings(placing, placing->saved, set);
  uint32_t *refused = ARENA_ARRAY(compiler->arena, uint32_t, count + 1); /* by place: to which register last, plus 1 */
  uint64_t *placed = ARENA_ARRAY(compiler->arena, uint64_t, live->words);
  uint64_t *order = ARENA_ARRAY(compiler->arena, uint64_t, count + 1);
  uint32_t ordered = saved_in_order(placing, order);
  memset(set, 0, live->words * sizeof *set);
  for (uint32_t r = 0; r < count; r++)
    if (compiler->registers[r].param) BIT_SET(set, r);
  for (uint32_t k = 0; k < ordered; k++) {
    uint32_t r = (uint32_t)order[k];
    const uint64_t *meeting = row_of(meets, live, r);
    for (uint32_t w = 0; w < live->words; w++)
      for (uint64_t left = placed[w] & (compiler->registers[r].param ? UINT64_MAX : meeting[w] | set[w]); left;
           left &= left - 1)
        refused[compiler->registers[64 * w + (uint32_t)__builtin_ctzll(left)].place] = r + 1;
    uint32_t place = 0;
    while (refused[place] == r + 1)
      place++;
    compiler->registers[r].place = (uint16_t)place;
    BIT_SET(placed, r);
    places = place + 1 > places ? place + 1 : places;
    if (!is_apart(placing, r)) inside = places;
  }
  enum { WORTH = 4 }; /* places: what is apart takes some room for itself */
  program->saved = whole_slots(places);
  program->inside = whole_slots(inside) + WORTH > program->saved ? program->saved : whole_slots(inside);
}

static void place_registers(struct placing *placing, struct program *program, uint64_t *set, uint8_t *used) {
  struct compiler *compiler = placing->compiler;
  struct mark mark = {compiler, used};
  uint64_t *saved = placing->saved;
  for (uint32_t at = 0; at < placing->live->count; at++) {
    struct node *node = placing->live->nodes[at];
    node_uses(node, mark_used, &mark);
    if (node->has_a) used[node->a] = 1;
  }
  used[placing->instance] = 1;
  saved_registers(placing, saved, set);
  share_places(placing, program, set);
  uint32_t next = program->saved;
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if (used[r] && !BIT_TEST(saved, r) && !compiler->registers[r].constant)
      compiler->registers[r].place = (uint16_t)next++;
  program->working = next;
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if (used[r] && compiler->registers[r].constant) compiler->registers[r].place = (uint16_t)next++;
  program->registers = ARENA_ARRAY(compiler->sites, union slot, next + 1);
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if (used[r] && compiler->registers[r].constant)
      program->registers[compiler->registers[r].place] = compiler->registers[r].value;
}

/* Behind the end: where arithmetic goes that failed. */
static void fails_emit(struct compiler *compiler) {
  for (uint32_t i = 0; i < compiler->fail_count; i++) {
    const struct fail *fail = &compiler->fails[i];
    struct node *node = emit(compiler, fail->after ? DO_EVAL : DO_FAIL);
    node->site = fail->site;
    node->here = fail->label;
    fail->label->node = node;
    if (!fail->after) continue;
    node->a = fail->result;
    node->has_a = true;
    if (fail->otherwise) {
      struct node *test = emit(compiler, DO_JUMP_UNLESS);
      test->b = fail->result;
      test->has_b = true;
      test->label = fail->otherwise;
    }
    jump(compiler, fail->after);
  }
}

/* Where a condition that does not hold leads to nothing but a value that is moved, this stands at the end: what is
 * done where it holds need not jump over it. */
static void moves_apart(struct compiler *compiler) {
  for (struct node *node = compiler->first, *end = compiler->last; node != end; node = node->next) {
    struct node *jump = node->next, *otherwise = jump->next, *move = otherwise ? otherwise->next : NULL;
    struct node *after = move ? move->next : NULL;
    if (jump->op != DO_JUMP || !after || !otherwise->here || move->op != DO_MOVE || after == end ||
        jump->label->node != after)
      continue;
    node->next = after;
    move->next = NULL;
    compiler->last->next = otherwise;
    jump->next = NULL;
    move->next = compiler->last = jump;
  }
}

/* Jumps over nothing are left out, and places that nothing goes to are none. */
static void jumps_tidy(struct compiler *compiler) {
  for (struct node *node = compiler->first; node; node = node->next) {
    const struct node *there = node;
    while (node->op == DO_JUMP && there->next && there->next->op == DO_NOP && there != node->label->node)
      there = there->next;
    if (node->label && there == node->label->node) {
      node->op = DO_NOP;
      node->label = NULL;
    }
    if (node->label) node->label->users++;
  }
  for (struct node *node = compiler->first; node; node = node->next)
    if (node->here && !node->here->users) node->here = NULL;
}

/* (a + b) + c, where nobody else reads the sum of a and b: one operation. */
static void fuse_sums(struct liveness *live, uint64_t *set) {
  struct node *before = NULL;
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    if (node->op == DO_NOP && !node->here) continue;
    bool sum = node->op == DO_REAL_ADD, product = node->op == DO_REAL_MUL;
    bool follows = before && before->op == node->op && (node->b == before->a) != (node->c == before->a);
    if (follows && (sum || product)) {
      live_out(live, at, set);
      if (!BIT_TEST(set, before->a) || before->a == node->a) {
        node->whole = node->b == before->a ? node->c : node->b;
        node->has_k = true;
        node->b = before->b;
        node->c = before->c;
        node->op = sum ? DO_REAL_ADD_3 : DO_REAL_MUL_3;
        before->op = DO_NOP;
        before->has_a = before->has_b = before->has_c = false;
      }
    }
    before = node->here ? NULL : node;
  }
}

static void is_read(void *user, uint16_t *reg) {
  struct {
    uint16_t reg;
    bool read;
  } *wanted = user;
  wanted->read |= *reg == wanted->reg;
}

static bool reads_register(struct node *node, uint16_t reg) {
  struct {
    uint16_t reg;
    bool read;
  } wanted = {reg, false};
  node_uses(node, is_read, &wanted);
  return wanted.read;
}

static void node_drop(struct node *node) {
  node->op = DO_NOP;
  node->has_a = node->has_b = node->has_c = node->has_k = false;
  node->site = NULL;
}

static bool same_var(const struct node *a, const struct node *b) {
  const struct record_site *x = a->site, *y = b->site;
  return x->component == y->component && x->slot == y->slot && a->b == b->b;
}

/* The LOAD of the var that the sum, which the STORE stores, is added to, where nothing between the two reads what it
 * loads but the sum, or does more than compute; NULL: there is none. */
static struct node *load_of(const struct liveness *live, const struct node *sum, const struct node *store) {
  for (uint32_t at = sum->at; at > 0 && !live->nodes[at]->here; at--) {
    struct node *load = live->nodes[at - 1];
    if (load->op == DO_LOAD && same_var(load, store) && (sum->b == load->a) != (sum->c == load->a)) {
      for (uint32_t k = at; k < sum->at; k++) {
        struct node *node = live->nodes[k];
        const struct node *there = node->label ? node->label->node : NULL;
        if (reads_register(node, load->a) || (node->has_a && node->a == load->a)) return NULL;
        if (there && BIT_TEST(live->in + (size_t)there->at * live->words, load->a)) return NULL;
      }
      return load;
    }
    if (load->op > DO_LOAD) return NULL;
  }
  return NULL;
}

/* var = var + x: one operation. */
static void fuse_added(struct liveness *live, uint64_t *set) {
  struct node *sum = NULL;
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at], *before = sum;
    if (node->op == DO_NOP && !node->here) continue;
    sum = node->op == DO_REAL_ADD ? node : NULL;
    if (node->op != DO_STORE || node->here || !before || node->c != before->a) continue;
    struct node *load = ((struct record_site *)node->site)->real ? load_of(live, before, node) : NULL;
    if (!load) continue;
    live_out(live, before->at, set);
    if (BIT_TEST(set, load->a) && load->a != before->a) continue;
    live_out(live, at, set);
    if (BIT_TEST(set, before->a)) continue;
    node->op = DO_ADD_TO;
    node->c = before->b == load->a ? before->c : before->b;
    node_drop(load);
    node_drop(before);
  }
}

/* The node behind, with nothing but NOPs between the two, to which nobody jumps. */
static struct node *follower(const struct liveness *live, uint32_t at) {
  do {
    if (++at == live->count || live->nodes[at]->here) return NULL;
  } while (live->nodes[at]->op == DO_NOP);
  return live->nodes[at];
}

/* A pure function's result that is only held for: mostly both are what they were the last time. */
static void fuse_holds(struct compiler *compiler, struct liveness *live, uint64_t *set) {
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    struct native_site *pure = node->op == DO_PURE ? node->site : NULL;
    const struct node *next = pure && pure->only ? follower(live, at) : NULL;
    if (!next || next->op != DO_HOLD || next->b != node->a) continue;
    struct hold_site *hold = next->site;
    live_out(live, next->at, set);
    if (hold->spawned || hold->activity != ACTIVITY_COMMUNICATE || BIT_TEST(set, node->a)) continue;
    struct pure_hold_site *site = ARENA_NEW(compiler->sites, struct pure_hold_site);
    site->pure = pure;
    site->hold = hold;
    site->next = 2 * (int64_t)sizeof(struct instruction) + hold->next;
    node->op = DO_PURE_HOLD;
    node->site = site;
  }
}

/* Does nothing that others could see or wait for, nor moves the clock? */
static bool keeps_order(const struct node *node) {
  return node->op <= DO_UNLESS_REAL_LE || node->op == DO_PURE || node->op == DO_FIRE || node->op == DO_RECORD;
}

/* Between two looks at the order of processes something must have happened, or the second finds what the
 * first has found. */
static void fuse_orders(struct liveness *live) {
  bool looked = false;
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    if (node->here) {
      looked = false;
    } else if (node->op == DO_ORDER) {
      if (looked) node->op = DO_NOP;
      looked = true;
    } else if (!keeps_order(node)) {
      looked = false;
    }
  }
}

/* Has the loop that is to run the operation a place for it? */
static bool operation_owned(uint16_t op, bool function) {
#define OF_BOTH(name) [DO_##name] = 3,
#define OF_BODY(name) [DO_##name] = 1,
#define OF_FUNCTION(name) [DO_##name] = 2,
  static const uint8_t owners[] = {OPERATIONS(OF_BOTH, OF_BODY, OF_FUNCTION)};
#undef OF_BOTH
#undef OF_BODY
#undef OF_FUNCTION
  return owners[op] >> function & 1;
}

/* A pair of calls leaves registers as they are that the calls would set: there is none where these are read behind it.
 */
static void pairs_check(const struct liveness *live) {
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    const struct pair_site *site = node_pairs(node) ? node->site : NULL;
    const uint64_t *there = site ? live->in + (size_t)node->label->node->at * live->words : NULL;
    bool read = false;
    for (uint32_t k = 0; site && k < site->left_count; k++)
      read |= BIT_TEST(there, site->left[k]);
    if (!read) continue;
    if (node->op != DO_PAIR) {
      live->nodes[at + 1]->op = DO_NOP;
      live->nodes[at + 1]->label = NULL;
    }
    node->op = DO_NOP;
    node->has_a = node->has_c = false;
    node->label = NULL;
    node->site = NULL;
  }
}

/* Numbers the nodes, finds what is alive where, and leaves out what nobody reads; false: they are too many, or not this
 * loop's. */
static bool live_nodes(struct compiler *compiler, struct liveness *live, uint64_t **set) {
  *live = (struct liveness){.words = (compiler->register_count + 63) / 64};
  live->count = number_nodes(compiler, NULL);
  if ((uint64_t)live->count * live->words > 1u << 23) return false;
  live->nodes = ARENA_ARRAY(compiler->arena, struct node *, live->count);
  number_nodes(compiler, live->nodes);
  for (uint32_t at = 0; at < live->count; at++)
    if (!operation_owned(live->nodes[at]->op, compiler->function != NULL)) return false;
  fuse_orders(live);
  live->in = ARENA_ARRAY(compiler->arena, uint64_t, (size_t)live->count * live->words);
  live->looked = ARENA_ARRAY(compiler->arena, uint32_t, live->count);
  live->changed = ARENA_ARRAY(compiler->arena, uint32_t, live->count);
  *set = ARENA_ARRAY(compiler->arena, uint64_t, live->words);
  live_solve(live, *set);
  pairs_check(live);
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    live_out(live, at, *set);
    if (is_pure(node) && !BIT_TEST(*set, node->a)) node_drop(node);
  }
  fuse_sums(live, *set);
  fuse_added(live, *set);
  if (!compiler->here) fuse_holds(compiler, live, *set);
  return true;
}

/* A call of the function itself, whose results may stand in a dense table. */
static void own_call(const struct function_code *code, struct node *node) {
  struct call_site *site = node->site;
  node->op = code->varying_count == 2 ? DO_CALL_OWN_2 : DO_CALL_OWN;
  site->where_count = code->varying_count;
  for (uint32_t d = 0; d < code->varying_count; d++)
    site->where[d] = site->arguments[code->varying[d]];
  for (uint32_t k = 0; k < site->count; k++) {
    if (site->arguments[k] == k) continue;
    site->from[site->moved_count] = site->arguments[k];
    site->to[site->moved_count++] = (uint16_t)k;
  }
}

/* What a call may change and is read afterwards. */
static void save_registers(struct compiler *compiler, struct call_site *site, const uint64_t *alive, uint16_t result) {
  uint32_t count = 0;
  site->saved = ARENA_ARRAY(compiler->sites, uint16_t, compiler->register_count);
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if (BIT_TEST(alive, r) && r != result && !compiler->registers[r].constant && compiler->registers[r].level)
      site->saved[count++] = (uint16_t)r;
  site->saved_count = count;
}

bool assemble_function(struct compiler *compiler, struct function_code *code) {
  struct liveness live;
  uint64_t *set;
  uint32_t size = 0;
  fails_emit(compiler);
  moves_apart(compiler);
  jumps_tidy(compiler);
  if (!live_nodes(compiler, &live, &set)) return false;
  for (uint32_t at = 0; at < live.count; at++) {
    struct node *node = live.nodes[at];
    if (node->op == DO_CALL) {
      live_out(&live, at, set);
      save_registers(compiler, node->site, set, node->a);
      if (((struct call_site *)node->site)->callee == code && code->alone && code->memo && code->whole)
        own_call(code, node);
    }
  }
  for (uint32_t at = 0; at < live.count; at++) {
    live.nodes[at]->at = size;
    size += live.nodes[at]->op != DO_NOP ? 1 + needs_second(live.nodes[at]) : 0;
  }
  code->code = ARENA_ARRAY(compiler->sites, struct instruction, size + 1);
  code->size = size;
  for (uint32_t at = 0; at < live.count; at++) {
    struct node *node = live.nodes[at];
    if (node->op == DO_NOP) continue;
    struct instruction *instruction = &code->code[node->at];
    *instruction = instruction_of(node);
    if (node->label) instruction[needs_second(node)].whole = distance(node);
  }
  labels_put(code->code, size, function_labels());
  code->register_count = compiler->register_count;
  code->registers = ARENA_ARRAY(compiler->sites, union slot, code->register_count + 1);
  for (uint32_t r = 0; r < code->register_count; r++)
    if (compiler->registers[r].constant) code->registers[r] = compiler->registers[r].value;
  return true;
}

/* What is computed again where the process goes on from a place at which it has waited: of the registers that are alive
 * there; and how many places of the frame are kept. Places with the same share the code. */
struct again {
  struct again_set {
    uint64_t *registers;
    uint32_t kept;
  } * sets;
  uint32_t set_count, set_capacity;
  uint16_t *set_of; /* by node */
  struct again_item {
    uint32_t reg;
    struct instruction instruction;
  } * items; /* in the order of the program */
  uint32_t count, capacity;
};

static void again_add(const struct placing *placing, uint32_t reg, uint64_t *set) {
  const struct node *node = placing->definition[reg];
  if (!placing->wanted[reg] || BIT_TEST(set, reg)) return;
  BIT_SET(set, reg);
  if (node->has_b) again_add(placing, node->b, set);
  if (node->has_c) again_add(placing, node->c, set);
  if (node->has_k) again_add(placing, (uint32_t)node->whole, set);
}

/* How many places have what is alive, or is computed again from. */
static uint32_t kept_places(const struct placing *placing, const uint64_t *alive) {
  const struct virtual *registers = placing->compiler->registers;
  const struct liveness *live = placing->live;
  uint32_t kept = 0;
  for (uint32_t r = 0; r < placing->compiler->register_count; r++) {
    bool there = BIT_TEST(placing->saved, r) && (registers[r].param || BIT_TEST(alive, r));
    if (there && registers[r].place >= kept) kept = registers[r].place + 1u;
    if (!placing->wanted[r] || !BIT_TEST(alive, r)) continue;
    for (uint32_t w = 0; w < live->words; w++)
      for (uint64_t left = row_of(placing->leaves, live, r)[w] & placing->saved[w]; left; left &= left - 1) {
        uint32_t leaf = 64 * w + (uint32_t)__builtin_ctzll(left);
        if (registers[leaf].place >= kept) kept = registers[leaf].place + 1u;
      }
  }
  return whole_slots(kept);
}

static uint16_t again_set(const struct placing *placing, struct again *again, const uint64_t *alive, uint32_t kept) {
  uint32_t words = placing->live->words, k = 0;
  struct arena *arena = placing->compiler->arena;
  struct again_set set = {ARENA_ARRAY(arena, uint64_t, words), kept};
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t left = alive[w]; left; left &= left - 1)
      again_add(placing, 64 * w + (uint32_t)__builtin_ctzll(left), set.registers);
  while (k < again->set_count && (again->sets[k].kept != kept ||
                                  memcmp(again->sets[k].registers, set.registers, words * sizeof *set.registers) != 0))
    k++;
  if (k == again->set_count) ARENA_PUSH(arena, again->sets, again->set_count, again->set_capacity, set);
  return (uint16_t)k;
}

/* The first is for what leaves for good: all is kept. */
static void again_find(const struct placing *placing, struct again *again, uint32_t saved, uint64_t *set) {
  const struct liveness *live = placing->live;
  again->set_of = ARENA_ARRAY(placing->compiler->arena, uint16_t, live->count + 1);
  memset(set, 0, live->words * sizeof *set);
  again_set(placing, again, set, saved);
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    if (!waits(node)) continue;
    live_out(live, at, set);
    if (node->has_a) BIT_CLEAR(set, node->a);
    node_uses(node, use_set, set);
    again->set_of[at] = again_set(placing, again, set, kept_places(placing, set));
  }
}

static uint32_t again_size(const struct again *again, uint32_t words) {
  uint32_t size = again->set_count;
  for (uint32_t k = 0; k < again->set_count; k++)
    for (uint32_t w = 0; w < words; w++)
      size += (uint32_t)__builtin_popcountll(again->sets[k].registers[w]);
  return size;
}

/* Behind the program. */
static void again_emit(const struct again *again, struct program *program, struct arena *sites) {
  struct instruction *to = program->code + program->size;
  program->restores = ARENA_ARRAY(sites, struct restore, again->set_count);
  for (uint32_t k = 0; k < again->set_count; k++) {
    program->restores[k] = (struct restore){(uint32_t)(to - program->code), again->sets[k].kept};
    for (uint32_t i = 0; i < again->count; i++)
      if (BIT_TEST(again->sets[k].registers, again->items[i].reg)) *to++ = again->items[i].instruction;
    to++->op = DO_RESUME;
  }
}

/* Does a MARK stand before the node? Where it is of another place than what is executed before it. */
static bool is_marked(const struct liveness *live, uint32_t at) {
  const struct node *node = live->nodes[at];
  if (node->op == DO_NOP || !node->place) return false;
  for (uint32_t k = at; k-- > 0;) {
    const struct node *before = live->nodes[k];
    if (before->here) return true;
    if (before->op != DO_NOP) return before->place != node->place;
  }
  return true;
}

/* The MARKs, and of what each instruction is a part. */
static void places_put(struct compiler *compiler, struct program *program, const struct liveness *live) {
  program->places = ARENA_ARRAY(compiler->sites, struct host_place *, program->size);
  for (uint32_t at = 0; at < live->count; at++) {
    const struct node *node = live->nodes[at];
    struct host_place *place = node->place ? node->place : compiler->here;
    if (node->op == DO_NOP) continue;
    if (is_marked(live, at)) program->code[node->at - 1] = (struct instruction){.op = DO_MARK, .site = place};
    program->places[node->at] = place;
    for (; place && !place->used; place = place->parent)
      place->used = true;
  }
  for (uint32_t at = 1; at < program->size; at++)
    if (!program->places[at]) program->places[at] = program->places[at - 1];
}

/* Arguments that are constants are given once. */
static void native_given(const struct program *program, struct native_site *site) {
  for (uint32_t k = 0; k < site->count; k++) {
    if (site->arguments[k] >= program->working)
      site->given[k].integer = program->registers[site->arguments[k]].integer;
    else
      site->renewed[site->renewed_count++] = (struct varying){(uint16_t)k, site->arguments[k]};
  }
}

bool assemble(struct compiler *compiler, struct program *program, uint16_t instance) {
  struct liveness live;
  uint64_t *set;
  fails_emit(compiler);
  moves_apart(compiler);
  jumps_tidy(compiler);
  if (compiler->alone) repeat_loops(compiler);
  pairs_find(compiler);
  if (!live_nodes(compiler, &live, &set)) return false;
  uint8_t *used = ARENA_ARRAY(compiler->arena, uint8_t, compiler->register_count + 1);
  struct placing placing = {.compiler = compiler, .live = &live, .instance = instance};
  placing.definition = ARENA_ARRAY(compiler->arena, struct node *, compiler->register_count);
  placing.definitions = ARENA_ARRAY(compiler->arena, uint8_t, compiler->register_count);
  placing.known = ARENA_ARRAY(compiler->arena, uint8_t, compiler->register_count);
  placing.wanted = ARENA_ARRAY(compiler->arena, uint8_t, compiler->register_count);
  placing.saved = ARENA_ARRAY(compiler->arena, uint64_t, live.words);
  placing.sites = ARENA_ARRAY(compiler->arena, uint32_t, compiler->register_count);
  placing.often = ARENA_ARRAY(compiler->arena, uint64_t, live.words);
  place_registers(&placing, program, set, used);
  struct again again = {0};
  again_find(&placing, &again, program->saved, set);
  uint32_t size = 0;
  for (uint32_t at = 0; at < live.count; at++) { /* NOPs vanish */
    struct node *node = live.nodes[at];
    size += is_marked(&live, at);
    node->at = size;
    size += node->op != DO_NOP ? 1 + needs_second(node) : 0;
  }
  program->code = ARENA_ARRAY(compiler->sites, struct instruction, size + again_size(&again, live.words));
  program->size = size;
  if (compiler->here) places_put(compiler, program, &live);
  for (uint32_t at = 0; at < live.count; at++) {
    struct node *node = live.nodes[at];
    if (node->op == DO_NOP) continue;
    node_uses(node, place_reg, compiler->registers);
    if (node->op == DO_NATIVE || node->op == DO_QUICK || node->op == DO_MEMBER) native_given(program, node->site);
    uint32_t reg = node->a;
    bool wanted = node->has_a && placing.wanted[reg];
    if (node->has_a) node->a = compiler->registers[reg].place;
    if (waits(node)) node->c = again.set_of[at];
    struct instruction *instruction = &program->code[node->at];
    *instruction = instruction_of(node);
    if (wanted) {
      struct again_item item = {reg, *instruction};
      ARENA_PUSH(compiler->arena, again.items, again.count, again.capacity, item);
    }
    if (node->label) instruction[needs_second(node)].whole = distance(node);
  }
  again_emit(&again, program, compiler->sites);
  labels_put(program->code, size + again_size(&again, live.words), vm_labels());
  for (uint32_t k = 0; k < program->param_count; k++)
    if (program->params[k] != UINT16_MAX) program->params[k] = compiler->registers[program->params[k]].place;
  program->instance = compiler->registers[instance].place;
  return true;
}
