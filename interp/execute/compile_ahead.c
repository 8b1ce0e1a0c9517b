/* From which calls of evaluators a process can go on while it waits in them (ahead.h): where it comes, whatever way it
 * takes, to other calls, before it does anything that needs a clock or that others can see. Called by assemble. */
#include "interp/execute/compiler.h"

/* Does the process look there whether it is ahead? */
static bool is_gate(const struct node *node) {
  return node->op == DO_NATIVE || node->op == DO_ORDER || node->op == DO_REQUEST || node->op == DO_ENTER ||
         node->op == DO_START || node->op == DO_SHARE || node->op == DO_ACQUIRE || node->op == DO_END ||
         node->op == DO_HOLD || node->op == DO_EVAL || node->op == DO_FAIL || node->op == DO_ASSERT;
}

static bool is_clear(const struct node *node) {
  switch ((enum operation)node->op) {
  case DO_LOAD:
  case DO_STORE: /* of what others see comes behind an ORDER */
  case DO_JUMP:
  case DO_JUMP_IF:
  case DO_JUMP_UNLESS:
  case DO_UNLESS_INT_LT:
  case DO_UNLESS_INT_LE:
  case DO_UNLESS_INT_EQ:
  case DO_UNLESS_INT_NE:
  case DO_UNLESS_REAL_LT:
  case DO_UNLESS_REAL_LE:
  case DO_NEXT_UP:
  case DO_NEXT_DOWN:
  case DO_TURN:
  case DO_PURE:
  case DO_FIRE:
  case DO_QUICK:
  case DO_MEMBER:
  case DO_PRESENT:
  case DO_TARGET: return true;
  default: return node->op < DO_CLOCK;
  }
}

struct search {
  struct node **nodes, **left; /* left: to be looked at, `count` of them */
  uint32_t size, count;
  uint32_t *seen, number; /* by node: the number of the search that has met it */
};

static void reach(struct search *search, uint32_t at) {
  if (at >= search->size || search->seen[at] == search->number) return;
  search->seen[at] = search->number;
  search->left[search->count++] = search->nodes[at];
}

static bool goes_on(struct search *search, const struct node *from) {
  search->number++;
  search->count = 0;
  reach(search, from->at + 1);
  while (search->count) {
    const struct node *node = search->left[--search->count];
    if (is_gate(node)) continue;
    if (!is_clear(node)) return false;
    if (node->label) reach(search, node->label->node->at);
    if (node->op != DO_JUMP) reach(search, node->at + 1);
  }
  return true;
}

static bool may_go_on(const struct node *node) {
  const struct native_site *site = node->op == DO_NATIVE ? node->site : NULL;
  if (!site || !site->function->ahead || site->valued || site->answers_value) return false;
  return site->function->kind == PSL_EVENT || !node->has_a;
}

bool ahead_find(struct compiler *compiler, struct node **nodes, uint32_t count) {
  struct search search = {.nodes = nodes, .size = count};
  bool some = false;
  for (uint32_t at = 0; at < count; at++)
    some |= may_go_on(nodes[at]) && ((const struct native_site *)nodes[at]->site)->function->kind == PSL_CALL;
  if (!some) return false;
  search.left = ARENA_ARRAY(compiler->arena, struct node *, count);
  search.seen = ARENA_ARRAY(compiler->arena, uint32_t, count);
  for (uint32_t at = 0; at < count; at++)
    if (may_go_on(nodes[at])) ((struct native_site *)nodes[at]->site)->goes_on = goes_on(&search, nodes[at]);
  return true;
}
