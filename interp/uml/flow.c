/* Control flow of activities: what is wrong with it is said here, and what statements.c needs to write it as
 * nested statements is found: edges that close loops, and where the flows from a node meet again. */
#include "interp/uml/uml.h"

#include <string.h>

enum { MOST_NODES = 10000 }; /* of an activity */
enum { NEW, OPEN, DONE };    /* states of the search */

static void wrong(struct uml *uml, const struct uml_element *element, const char *text) {
  diagnostic_add(uml->diagnostics, SEVERITY_ERROR, element->span, "%s %s", uml_what(uml->arena, element), text);
}

/* ---- edges ---- */

static struct uml_node *end_of(struct uml *uml, const struct uml_activity *activity, const struct uml_edge *edge,
                               const char *id, const char *end) {
  struct uml_node *node = *id ? uml_node_of(uml, id) : NULL;
  if (node && node->owner == activity) return node;
  diagnostic_add(uml->diagnostics, SEVERITY_ERROR, edge->element.span,
                 *id ? "%s has a %s that is no node here: '%s'" : "%s has no %s", uml_what(uml->arena, &edge->element),
                 end, id);
  return NULL;
}

static bool join_edges(struct uml *uml, struct uml_activity *activity) {
  bool fine = true;
  for (uint32_t e = 0; e < activity->edge_count; e++) {
    struct uml_edge *edge = activity->edges[e];
    edge->from = end_of(uml, activity, edge, edge->source, "source");
    edge->to = end_of(uml, activity, edge, edge->target, "target");
    if (!edge->from || !edge->to) {
      fine = false;
      continue;
    }
    ARENA_PUSH(uml->arena, edge->from->out, edge->from->out_count, edge->from->out_capacity, edge);
    ARENA_PUSH(uml->arena, edge->to->in, edge->to->in_count, edge->to->in_capacity, edge);
  }
  return fine;
}

/* ---- nodes ---- */

/* All flows that leave a decision have a probability, or none has. */
static bool check_chances(struct uml *uml, const struct uml_node *node) {
  const struct uml_edge *with = NULL;
  for (uint32_t e = 0; e < node->out_count; e++)
    if (uml_tag(&node->out[e]->element, "probability")) with = node->out[e];
  for (uint32_t e = 0; with && e < node->out_count; e++) {
    const struct uml_edge *edge = node->out[e];
    bool guarded = *edge->guard != 0;
    if (!guarded && uml_tag(&edge->element, "probability")) continue;
    diagnostic_add(uml->diagnostics, SEVERITY_ERROR, edge->element.span,
                   guarded ? "%s has a guard, where flows are taken by their probability"
                           : "%s has no probability, where another flow has one",
                   uml_what(uml->arena, &edge->element));
    if (!guarded) diagnostic_note(uml->diagnostics, with->element.span, "this is the other one");
    return false;
  }
  return true;
}

/* How often it is executed the loop says, not the flows of its decision. */
static bool check_loop_guards(struct uml *uml, const struct uml_node *test) {
  bool fine = true;
  for (uint32_t e = 0; e < test->out_count; e++) {
    const char *text = uml_loop_guard_wrong(uml, test, test->out[e]);
    if (!text) continue;
    wrong(uml, &test->out[e]->element, text);
    fine = false;
  }
  return fine;
}

static bool check_guards(struct uml *uml, const struct uml_node *node) {
  const struct uml_edge *other = NULL;
  if (uml_loop_exit(node)) return check_loop_guards(uml, node);
  if (!check_chances(uml, node)) return false;
  if (uml_tag(&node->out[0]->element, "probability")) return true;
  for (uint32_t e = 0; e < node->out_count; e++) {
    const struct uml_edge *edge = node->out[e];
    if (*edge->guard && strcmp(edge->guard, "else")) continue;
    if (other) {
      diagnostic_add(uml->diagnostics, SEVERITY_ERROR, edge->element.span,
                     "%s has two flows without a guard: one at most is taken else",
                     uml_what(uml->arena, &node->element));
      diagnostic_note(uml->diagnostics, other->element.span, "this is the other one");
      return false;
    }
    other = edge;
  }
  return true;
}

static bool check_degree(struct uml *uml, const struct uml_node *node) {
  const char *text = NULL;
  switch (node->kind) {
  case UML_ACTION:
  case UML_CALL:
  case UML_STRUCTURE:
    if (node->out_count > 1)
      text = "has several flows that leave it: that is a fork, and needs a fork node";
    else if (node->in_count > 1)
      text = "has several flows that lead to it, for all of which it would wait: a merge node takes them one by one";
    break;
  case UML_INITIAL:
    if (node->in_count)
      text = "has a flow that leads to it";
    else if (node->out_count != 1)
      text = "needs one flow that leaves it";
    break;
  case UML_FINAL:
    if (node->out_count) text = "has a flow that leaves it";
    break;
  case UML_BRANCH:
    if (!node->out_count)
      text = "has no flow that leaves it";
    else if (!(text = uml_lacks_cycle(node)) && node->out_count > 1)
      return check_guards(uml, node);
    break;
  case UML_BAR:
    if (node->in_count > 1 && node->out_count > 1)
      text = "forks and joins at once: make it two nodes";
    else if (!node->out_count)
      text = "has no flow that leaves it";
    break;
  case UML_OBJECT:
    if (node->in_count || node->out_count) text = "is no node of control flow, but control flow leads there";
    break;
  }
  if (text) wrong(uml, &node->element, text);
  return !text;
}

/* Where it begins: the initial node; inside a structure also the one node that nothing leads to. */
static bool find_first(struct uml *uml, struct uml_activity *activity) {
  struct uml_node *first = NULL, *other = NULL;
  const struct uml_element *element = activity->structure ? &activity->structure->element : &activity->element;
  for (uint32_t n = 0; n < activity->node_count; n++) {
    struct uml_node *node = activity->nodes[n];
    if (node->kind == UML_INITIAL) {
      if (first)
        other = node;
      else
        first = node;
    }
  }
  for (uint32_t n = 0; !first && activity->structure && n < activity->node_count; n++)
    if (!activity->nodes[n]->in_count && activity->nodes[n]->kind != UML_OBJECT) first = activity->nodes[n];
  activity->first = first;
  if (other) {
    wrong(uml, &other->element, "is a second one: an activity begins at one place");
    diagnostic_note(uml->diagnostics, first->element.span, "this is the first");
  } else if (!first) {
    wrong(uml, element, "has no initial node");
  }
  return first && !other;
}

/* ---- the search ---- */

struct search {
  struct uml_node **order; /* nodes as they are done: each behind all that it leads to */
  uint32_t count;
};

static bool closes_loop(struct uml *uml, struct uml_edge *edge) {
  edge->back = true;
  if (edge->to->loop) return true;
  diagnostic_add(uml->diagnostics, SEVERITY_ERROR, edge->element.span, "%s leads back to %s, which is no loop element",
                 uml_what(uml->arena, &edge->element), uml_what(uml->arena, &edge->to->element));
  diagnostic_note(uml->diagnostics, edge->to->element.span, "this is where it leads to");
  diagnostic_help(uml->diagnostics, (struct span){0, 0},
                  "give that node the stereotype Loop with a tagged value 'iterations', or use a loop node");
  return false;
}

/* Depth first without recursion; edges to nodes that are open close loops. */
static bool search_from(struct uml *uml, struct search *search, struct uml_node *first, uint32_t most) {
  struct open {
    struct uml_node *node;
    uint32_t next;
  } *stack = ARENA_ARRAY(uml->arena, struct open, most + 1);
  uint32_t depth = 0;
  bool fine = true;
  first->state = OPEN;
  stack[depth++].node = first;
  while (depth) {
    struct open *top = &stack[depth - 1];
    if (top->next == top->node->out_count) {
      top->node->state = DONE;
      search->order[search->count++] = top->node;
      depth--;
      continue;
    }
    struct uml_edge *edge = top->node->out[top->next++];
    if (edge->to->state == OPEN) {
      fine &= closes_loop(uml, edge);
    } else if (edge->to->state == NEW) {
      edge->to->state = OPEN;
      stack[depth++] = (struct open){edge->to, 0};
    }
  }
  return fine;
}

static bool check_reached(struct uml *uml, const struct uml_activity *activity) {
  bool fine = true;
  for (uint32_t n = 0; n < activity->node_count; n++) {
    struct uml_node *node = activity->nodes[n];
    if (node->state != NEW || node->kind == UML_OBJECT) continue;
    wrong(uml, &node->element, "is never reached: no flow leads to it from where the activity begins");
    fine = false;
  }
  return fine;
}

/* ---- where flows meet ---- */

static struct uml_node *meet(struct uml_node *a, struct uml_node *b) {
  while (a != b) {
    if (!a || !b) return NULL;
    if (a->depth >= b->depth)
      a = a->after;
    else
      b = b->after;
  }
  return a;
}

static void find_meetings(const struct search *search) {
  for (uint32_t i = 0; i < search->count; i++) {
    struct uml_node *node = search->order[i];
    bool any = false;
    for (uint32_t e = 0; e < node->out_count; e++) {
      if (node->out[e]->back) continue;
      node->after = any ? meet(node->after, node->out[e]->to) : node->out[e]->to;
      any = true;
    }
    node->depth = node->after ? node->after->depth + 1 : 1;
  }
}

static bool check_bars(struct uml *uml, const struct search *search) {
  bool fine = true;
  for (uint32_t i = 0; i < search->count; i++) {
    struct uml_node *fork = search->order[i], *join = fork->after;
    if (fork->kind != UML_BAR || fork->out_count < 2) continue;
    if (!join || join->kind != UML_BAR) {
      wrong(uml, &fork->element, "has no join: its flows do not meet in one");
    } else if (join->in_count != fork->out_count) {
      wrong(uml, &fork->element, "and its join are not balanced");
      diagnostic_note(uml->diagnostics, join->element.span, "%u flows leave the fork, %u lead to this %s",
                      fork->out_count, join->in_count, uml_what(uml->arena, &join->element));
      join->matched = true;
    } else {
      join->matched = true;
      continue;
    }
    fine = false;
  }
  for (uint32_t i = 0; i < search->count; i++) {
    struct uml_node *join = search->order[i];
    if (join->kind != UML_BAR || join->in_count < 2 || join->matched) continue;
    if (fine) wrong(uml, &join->element, "has no fork: what it would wait for does not come");
    fine = false;
  }
  return fine;
}

/* ---- activities ---- */

static bool check_activity(struct uml *uml, struct uml_activity *activity);

static bool check_nodes(struct uml *uml, struct uml_activity *activity) {
  bool fine = true;
  for (uint32_t n = 0; n < activity->node_count; n++) {
    struct uml_node *node = activity->nodes[n];
    struct uml_activity *called = node->kind == UML_CALL ? uml_activity_of(uml, node->behavior) : NULL;
    node->loop = uml_is_loop(node);
    fine &= check_degree(uml, node);
    if (node->inside) fine &= check_activity(uml, node->inside);
    if (called) called->called = true;
    if (node->kind != UML_CALL || called) continue;
    wrong(uml, &node->element, "calls a behavior that is no activity of this file");
    fine = false;
  }
  return fine;
}

static bool check_activity(struct uml *uml, struct uml_activity *activity) {
  if (activity->node_count > MOST_NODES) {
    wrong(uml, &activity->element, "has more than 10,000 nodes");
    return false;
  }
  bool fine = join_edges(uml, activity);
  uml_find_loops(uml, activity);
  fine &= check_nodes(uml, activity);
  if (!find_first(uml, activity) || !fine) return false;
  struct search search = {ARENA_ARRAY(uml->arena, struct uml_node *, activity->node_count), 0};
  fine = search_from(uml, &search, activity->first, activity->node_count);
  fine &= check_reached(uml, activity);
  if (!fine) return false;
  find_meetings(&search);
  return check_bars(uml, &search);
}

bool uml_check_flow(struct uml *uml) {
  bool fine = true;
  for (uint32_t a = 0; a < uml->activity_count; a++)
    fine &= check_activity(uml, uml->activities[a]);
  diagnostic_flush(uml->diagnostics);
  return fine;
}
