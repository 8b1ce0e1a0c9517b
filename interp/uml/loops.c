/* Loops of an activity: which flows lead back, the loop that each node is in, and what may stand at the flows of the
 * decision that ends a loop, whose element says how often it is executed.  Called by flow.c and rules.c. */
#include "interp/uml/uml.h"

#include <string.h>

bool uml_is_loop(const struct uml_node *node) {
  return !strcmp(node->element.type, "LoopNode") || uml_is(&node->element, "Loop") ||
         uml_is(&node->element, "LoopPlus");
}

bool uml_has_cycle(const struct uml_node *node) {
  for (uint32_t e = 0; e < node->in_count; e++)
    if (node->in[e]->back) return true;
  return false;
}

const char *uml_lacks_cycle(const struct uml_node *node) {
  if (node->kind != UML_BRANCH || !uml_is_loop(node) || uml_has_cycle(node)) return NULL;
  return "is a loop without a flow that leads back to it: a decision behind what is repeated has one flow to it, and "
         "one that goes on";
}

bool uml_is_straight(const struct uml_node *from, const struct uml_node *to) {
  while (from && from != to && from->kind == UML_BRANCH && from->out_count == 1) {
    const struct uml_edge *edge = from->out[0];
    if (edge->back && edge->to != to) return false;
    from = edge->to;
  }
  return from == to;
}

/* ---- which loop a node is in ---- */

struct finder {
  struct visited { /* by order of the search */
    struct uml_node *node;
    uint32_t last; /* the last that was found from here */
    uint32_t loop; /* what it has been made part of; itself: of none yet */
  } * nodes;
  struct open {
    uint32_t node, next;
  } * stack;
  uint32_t count; /* order 0 is of no node */
};

/* Depth first without recursion: a flow to what is open leads back. */
static void find_back(struct finder *f, struct uml_node *first) {
  uint32_t depth = 0;
  if (first->order) return;
  first->order = ++f->count;
  f->nodes[f->count] = (struct visited){first, 0, f->count};
  f->stack[depth++] = (struct open){f->count, 0};
  while (depth) {
    struct open *top = &f->stack[depth - 1];
    struct visited *visited = &f->nodes[top->node];
    if (top->next == visited->node->out_count) {
      visited->last = f->count;
      depth--;
      continue;
    }
    struct uml_edge *edge = visited->node->out[top->next++];
    if (!edge->to) continue;
    if (!edge->to->order) {
      edge->to->order = ++f->count;
      f->nodes[f->count] = (struct visited){edge->to, 0, f->count};
      f->stack[depth++] = (struct open){f->count, 0};
    } else {
      edge->back = !f->nodes[edge->to->order].last;
    }
  }
}

/* The outermost loop that it has been found in so far; ways are halved, so that all of them are short. */
static uint32_t whole_of(struct finder *f, uint32_t node) {
  while (f->nodes[node].loop != node)
    node = f->nodes[node].loop = f->nodes[f->nodes[node].loop].loop;
  return node;
}

/* What leads to `node` inside of the loop that begins at `head` is part of it. */
static uint32_t take_sources(struct finder *f, uint32_t *stack, uint32_t depth, uint32_t node, uint32_t head) {
  const struct uml_node *to = f->nodes[node].node;
  for (uint32_t e = 0; e < to->in_count; e++) {
    const struct uml_edge *edge = to->in[e];
    if (!edge->from || edge->back != (node == head)) continue;
    uint32_t from = whole_of(f, edge->from->order);
    if (from <= head || from > f->nodes[head].last) continue;
    struct uml_node *part = f->nodes[from].node;
    *(uml_has_cycle(part) ? &part->outer : &part->head) = f->nodes[head].node;
    f->nodes[from].loop = head;
    stack[depth++] = from;
  }
  return depth;
}

void uml_find_loops(struct uml *uml, struct uml_activity *activity) {
  uint32_t most = activity->node_count + 1;
  struct finder f = {ARENA_ARRAY(uml->arena, struct visited, most), ARENA_ARRAY(uml->arena, struct open, most), 0};
  uint32_t *stack = ARENA_ARRAY(uml->arena, uint32_t, most);
  for (int pass = 0; pass < 3; pass++) /* where it begins, what nothing leads to, all else */
    for (uint32_t n = 0; n < activity->node_count; n++) {
      struct uml_node *node = activity->nodes[n];
      if (pass == 2 || (pass ? !node->in_count : node->kind == UML_INITIAL)) find_back(&f, node);
    }
  for (uint32_t head = f.count; head; head--) { /* loops inside before those around them */
    if (!uml_has_cycle(f.nodes[head].node)) continue;
    f.nodes[head].node->head = f.nodes[head].node;
    uint32_t depth = take_sources(&f, stack, 0, head, head);
    while (depth) {
      uint32_t node = stack[--depth];
      depth = take_sources(&f, stack, depth, node, head);
    }
  }
}

/* ---- the decision that ends a loop ---- */

static bool is_inside(const struct uml_node *node, const struct uml_node *head) {
  const struct uml_node *loop = node->head;
  while (loop && loop != head && loop->order > head->order)
    loop = loop->outer;
  return loop == head;
}

const struct uml_edge *uml_loop_exit(const struct uml_node *node) {
  if (node->kind != UML_BRANCH || node->out_count != 2 || !node->head || !uml_is_loop(node->head)) return NULL;
  const struct uml_edge *one = node->out[0], *other = node->out[1];
  if (!one->to || !other->to) return NULL;
  bool stays = is_inside(one->to, node->head);
  if (stays == is_inside(other->to, node->head)) return NULL;
  return stays ? other : one;
}

static uint32_t loops_around(const struct uml_node *head) {
  uint32_t count = 0;
  for (const struct uml_node *loop = head->outer; loop; loop = loop->outer)
    count++;
  for (const struct uml_node *structure = head->owner->structure; structure; structure = structure->owner->structure) {
    count += uml_is_loop(structure);
    for (const struct uml_node *loop = structure->head; loop; loop = loop->outer)
      count++;
  }
  return count;
}

const char *uml_loop_variable(const struct uml *uml, const struct uml_node *head) {
  const char *variable = uml_tag(&head->element, "variable");
  uint32_t around = loops_around(head);
  return variable ? variable : around ? arena_printf(uml->arena, "k%u", around + 1) : "k";
}

static bool same_but_blanks(const char *a, const char *b) {
  for (;; a++, b++) {
    a += strspn(a, " \t\n");
    b += strspn(b, " \t\n");
    if (*a != *b) return false;
    if (!*a) return true;
  }
}

const char *uml_loop_guard_wrong(const struct uml *uml, const struct uml_node *test, const struct uml_edge *edge) {
  const struct uml_node *head = test->head;
  const char *count = uml_tag(&head->element, "iterations");
  if (uml_tag(&edge->element, "probability"))
    return "has a probability, and its decision ends a loop, whose iterations say how often it is executed";
  if (!*edge->guard || !strcmp(edge->guard, "else") || !count) return NULL;
  if (edge == uml_loop_exit(test))
    return arena_printf(uml->arena, "has the guard '%s', and leaves a loop after its iterations: no guard is needed",
                        edge->guard);
  const char *own = arena_printf(uml->arena, "%s %s %s", uml_loop_variable(uml, head),
                                 uml_is_straight(head, test) ? "<=" : "<", count);
  if (same_but_blanks(edge->guard, own)) return NULL;
  return arena_printf(uml->arena,
                      "has the guard '%s', and its decision ends a loop, whose iterations say how often it is "
                      "executed: no guard is needed, or it is '%s'",
                      edge->guard, own);
}
