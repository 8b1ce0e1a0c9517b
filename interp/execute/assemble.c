/* From the compiler's list of nodes to a program: values that nobody reads are left out, registers that
 * live while the process waits are told from those that do not, labels become places. */
#include "interp/execute/compiler.h"
#include <string.h>

/* Does the process perhaps leave the program here, so that its registers must stand in the frame? */
static bool waits(const struct node *node) {
  if (node->op == DO_NATIVE)
    return ((const struct native_site *)node->site)->function->kind != PSL_EVENT;
  return node->op == DO_ORDER || node->op == DO_REQUEST;
}

typedef void visit(void *user, uint16_t *reg);

static void visit_eval(struct eval_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->local_count; i++)
    each(user, &site->locals[i].reg);
  each(user, &site->instance);
  if (site->caller)
    each(user, &site->caller_instance);
}

static void visit_native(struct native_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->count; i++)
    each(user, &site->arguments[i]);
}

static void visit_request(struct request_site *site, visit *each, void *user) {
  for (uint32_t i = 0; i < site->argument_count; i++)
    each(user, &site->arguments[i].reg);
  for (uint32_t i = 0; i < site->local_count; i++)
    each(user, &site->locals[i].reg);
  each(user, &site->instance);
  if (site->has_delay)
    each(user, &site->delay);
}

/* Every register that the node reads. */
static void visit_uses(struct node *node, visit *each, void *user) {
  if (node->has_b)
    each(user, &node->b);
  if (node->has_c)
    each(user, &node->c);
  if (node->has_k) {
    uint16_t reg = (uint16_t)node->whole;
    each(user, &reg);
    node->whole = reg;
  }
  switch ((enum operation)node->op) {
  case DO_EVAL:
  case DO_FAIL:
    visit_eval(node->site, each, user);
    break;
  case DO_NATIVE:
  case DO_NOTIFY:
  case DO_PURE:
    visit_native(node->site, each, user);
    break;
  case DO_REQUEST:
    visit_request(node->site, each, user);
    break;
  case DO_RECORD: case DO_PROFILE: case DO_ASSERT:
    each(user, &((struct record_site *)node->site)->instance);
    break;
  default:
    break;
  }
}

/* Nothing but its result comes of it. */
static bool is_pure(const struct node *node) {
  if (!node->has_a || node->label || node->updates)
    return false;
  return (node->op >= DO_MOVE && node->op <= DO_LOAD && node->op != DO_STORE) || node->op == DO_TARGET;
}

static bool falls_through(const struct node *node) {
  return node->op != DO_JUMP && node->op != DO_END && node->op != DO_FAIL && node->op != DO_ASSERT;
}

#define BIT_TEST(set, i) ((set)[(i) / 64] >> ((i) % 64) & 1)
#define BIT_SET(set, i) ((set)[(i) / 64] |= (uint64_t)1 << ((i) % 64))
#define BIT_CLEAR(set, i) ((set)[(i) / 64] &= ~((uint64_t)1 << ((i) % 64)))

struct liveness {
  struct node **nodes;
  uint32_t count, words;
  uint64_t *in; /* count rows of `words` */
};

static void use_set(void *user, uint16_t *reg) { BIT_SET((uint64_t *)user, *reg); }

static void live_out(const struct liveness *live, uint32_t at, uint64_t *set) {
  const struct node *node = live->nodes[at];
  memset(set, 0, live->words * sizeof *set);
  if (falls_through(node) && at + 1 < live->count)
    memcpy(set, live->in + (size_t)(at + 1) * live->words, live->words * sizeof *set);
  if (node->label) {
    const uint64_t *there = live->in + (size_t)node->label->node->at * live->words;
    for (uint32_t w = 0; w < live->words; w++)
      set[w] |= there[w];
  }
}

static void live_solve(struct liveness *live, uint64_t *set) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t at = live->count; at-- > 0;) {
      struct node *node = live->nodes[at];
      live_out(live, at, set);
      bool wanted = !node->has_a || BIT_TEST(set, node->a) || !is_pure(node);
      if (node->has_a && !node->updates)
        BIT_CLEAR(set, node->a);
      if (node->updates)
        BIT_SET(set, node->a);
      if (wanted)
        visit_uses(node, use_set, set);
      uint64_t *in = live->in + (size_t)at * live->words;
      if (memcmp(in, set, live->words * sizeof *set) != 0) {
        memcpy(in, set, live->words * sizeof *set);
        changed = true;
      }
    }
  }
}

static uint32_t number_nodes(struct compiler *compiler, struct node **nodes) {
  uint32_t count = 0;
  for (struct node *node = compiler->first; node; node = node->next) {
    node->at = count;
    if (nodes)
      nodes[count] = node;
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

/* An instruction has room for a site or a jump's target: those that have both keep the target behind them. */
static bool needs_second(const struct node *node) { return node->label && node->site; }

static void place_registers(struct compiler *compiler, struct program *program, struct liveness *live, uint64_t *set, uint8_t *used,
                            uint16_t instance) {
  uint32_t next = 0;
  struct mark mark = {compiler, used};
  uint64_t *saved = ARENA_ARRAY(compiler->arena, uint64_t, live->words);
  for (uint32_t at = 0; at < live->count; at++) {
    struct node *node = live->nodes[at];
    visit_uses(node, mark_used, &mark);
    if (node->has_a)
      used[node->a] = 1;
    if (!waits(node))
      continue;
    live_out(live, at, set);
    if (node->has_a)
      BIT_CLEAR(set, node->a);
    visit_uses(node, use_set, set);
    for (uint32_t w = 0; w < live->words; w++)
      saved[w] |= set[w];
  }
  for (uint32_t r = 0; r < compiler->register_count; r++) {
    struct virtual *v = &compiler->registers[r];
    v->saved = !v->constant && r != instance && ((used[r] && BIT_TEST(saved, r)) || v->param);
    if (v->saved)
      v->place = (uint16_t)next++;
  }
  program->saved = next;
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if ((used[r] || r == instance) && !compiler->registers[r].saved && !compiler->registers[r].constant)
      compiler->registers[r].place = (uint16_t)next++;
  program->working = next;
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if ((used[r] || r == instance) && compiler->registers[r].constant)
      compiler->registers[r].place = (uint16_t)next++;
  program->total = next;
  program->constants = ARENA_ARRAY(compiler->machine->arena, union slot, program->total - program->working + 1);
  for (uint32_t r = 0; r < compiler->register_count; r++)
    if ((used[r] || r == instance) && compiler->registers[r].constant)
      program->constants[compiler->registers[r].place - program->working] = compiler->registers[r].value;
}

bool assemble(struct compiler *compiler, struct program *program, uint16_t instance) {
  for (uint32_t i = 0; i < compiler->fail_count; i++) { /* behind the end: where arithmetic goes that failed */
    struct node *node = emit(compiler, DO_FAIL);
    node->site = compiler->fails[i].site;
    node->here = compiler->fails[i].label;
    compiler->fails[i].label->node = node;
  }
  struct liveness live = {.words = (compiler->register_count + 63) / 64};
  live.count = number_nodes(compiler, NULL);
  if ((uint64_t)live.count * live.words > 1u << 23)
    return false;
  live.nodes = ARENA_ARRAY(compiler->arena, struct node *, live.count);
  number_nodes(compiler, live.nodes);
  live.in = ARENA_ARRAY(compiler->arena, uint64_t, (size_t)live.count * live.words);
  uint64_t *set = ARENA_ARRAY(compiler->arena, uint64_t, live.words);
  live_solve(&live, set);
  for (uint32_t at = 0; at < live.count; at++) { /* dead values */
    struct node *node = live.nodes[at];
    live_out(&live, at, set);
    if (is_pure(node) && !BIT_TEST(set, node->a)) {
      node->op = DO_NOP;
      node->has_a = node->has_b = node->has_c = node->has_k = false;
      node->site = NULL;
    }
  }
  uint8_t *used = ARENA_ARRAY(compiler->arena, uint8_t, compiler->register_count + 1);
  place_registers(compiler, program, &live, set, used, instance);
  uint32_t size = 0;
  for (uint32_t at = 0; at < live.count; at++) { /* NOPs vanish */
    live.nodes[at]->at = size;
    size += live.nodes[at]->op != DO_NOP ? 1 + needs_second(live.nodes[at]) : 0;
  }
  program->code = ARENA_ARRAY(compiler->machine->arena, struct instruction, size + 1);
  program->size = size;
  for (uint32_t at = 0; at < live.count; at++) {
    struct node *node = live.nodes[at];
    if (node->op == DO_NOP)
      continue;
    visit_uses(node, place_reg, compiler->registers);
    if (node->has_a)
      node->a = compiler->registers[node->a].place;
    struct instruction *instruction = &program->code[node->at];
    *instruction = instruction_of(node);
    if (needs_second(node))
      instruction[1].whole = node->label->node->at;
    else if (node->label)
      instruction->whole = node->label->node->at;
  }
  for (uint32_t k = 0; k < program->param_count; k++)
    if (program->params[k] != UINT16_MAX)
      program->params[k] = compiler->registers[program->params[k]].place;
  program->instance = compiler->registers[instance].place;
  return true;
}
