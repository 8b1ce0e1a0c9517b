/* The graph of a body: which blocks stand in it, where each stands, and which loops it has. */
#include "interp/compile/body.h"

#include <string.h>

enum { BEGIN = 2, END = 1 };

static struct statement *test_of(const struct program *program, int at) {
  const struct block *block = &program->blocks[at];
  struct statement *last = block->count ? block->statements[block->count - 1] : NULL;
  return last && last->kind == STATEMENT_CONDITION && last->essential ? last : NULL;
}

/* A block behind which the target comes, by which phis know the way. */
static int last_before(const struct program *program, int at, int to) {
  for (int b = 0; b < program->block_count; b++)
    for (size_t i = 0; program->blocks[b].reached && i < program->blocks[b].way_count; i++)
      if (program->blocks[b].ways[i].to == to && !program->blocks[b].ways[i].pruned && flow_dominates(program, at, b))
        return b;
  return at;
}

static void make_node(struct body *body, int at) {
  struct program *program = body->program;
  const struct block *block = &program->blocks[at];
  struct node *node = &body->nodes[at];
  *node = (struct node){.there = true, .t = -1, .f = -1, .ends = -1, .t_from = at, .f_from = at};
  const struct statement *test = test_of(program, at);
  size_t live = 0;
  int only = -1, staying = -1;
  for (size_t i = 0; i < block->way_count; i++) {
    if (block->ways[i].pruned) continue;
    live++;
    only = block->ways[i].to;
    if (block->loop && flow_in_loop(program, only, block->loop)) staying = only;
  }
  int waived = live > 1 ? slice_waived(program, at) : 0;
  if (waived && program->loops[waived].communicates) {
    node->t = staying >= 0 ? staying : only;
  } else if (live > 1 && test && !waived) {
    struct condition *condition = ROOM_ARRAY(body->room, struct condition, 1);
    condition->leaf = test;
    node->test = condition;
    for (size_t i = 0; i < block->way_count; i++)
      *(block->ways[i].when == WAY_TRUE ? &node->t : &node->f) = block->ways[i].to;
  } else if (live > 1) {
    node->t = block->postdominator;
    if (node->t != END) node->t_from = last_before(program, at, node->t);
  } else {
    node->t = live ? only : END;
  }
  for (int l = 1; l < program->loop_count; l++) {
    const struct loop *loop = &program->loops[l];
    if (!loop->there || loop->header != at || !loop->said || !loop->communicates || !loop->exit_count) continue;
    node->waived = loop->said;
    node->ends = loop->exits[0].to;
  }
}

static size_t ways(const struct node *node, int *to) {
  size_t count = 0;
  if (node->t >= 0) to[count++] = node->t;
  if (node->f >= 0) to[count++] = node->f;
  if (node->ends >= 0) to[count++] = node->ends;
  return count;
}

static void reach(struct body *body, int at) {
  if (at == END) {
    body->nodes[END].there = true;
    body->nodes[END].t = body->nodes[END].f = body->nodes[END].ends = -1;
    return;
  }
  if (body->nodes[at].there) return;
  make_node(body, at);
  int to[3];
  size_t count = ways(&body->nodes[at], to);
  for (size_t i = 0; i < count; i++)
    reach(body, to[i]);
}

struct walk {
  int *list;
  int count;
  bool *seen;
};

static void walk_from(struct body *body, struct walk *walk, int at) {
  int to[3];
  walk->seen[at] = true;
  size_t count = ways(&body->nodes[at], to);
  for (size_t i = 0; i < count; i++)
    if (!walk->seen[to[i]]) walk_from(body, walk, to[i]);
  walk->list[walk->count++] = at;
}

static bool above(const struct body *body, int a, int b) {
  while (b != a && b != BEGIN)
    b = body->nodes[b].dominator;
  return a == b;
}

static int meet(const struct body *body, int a, int b) {
  while (a != b) {
    while (body->nodes[a].order > body->nodes[b].order)
      a = body->nodes[a].dominator;
    while (body->nodes[b].order > body->nodes[a].order)
      b = body->nodes[b].dominator;
  }
  return a;
}

/* Orders and dominators; nodes that nothing leads to any more are gone. */
static void order(struct body *body, struct walk *walk) {
  int count = body->program->block_count;
  *walk = (struct walk){.list = ROOM_ARRAY(body->room, int, count), .seen = ROOM_ARRAY(body->room, bool, count)};
  walk_from(body, walk, BEGIN);
  for (int b = 0; b < count; b++) {
    body->nodes[b].there = walk->seen[b];
    body->nodes[b].dominator = -1;
  }
  for (int i = 0; i < walk->count; i++)
    body->nodes[walk->list[i]].order = walk->count - 1 - i;
  body->nodes[BEGIN].dominator = BEGIN;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = walk->count; i-- > 0;) {
      int at = walk->list[i], found = -1;
      for (int b = 0; b < count && at != BEGIN; b++) {
        if (!walk->seen[b] || body->nodes[b].dominator < 0) continue;
        int to[3];
        size_t next = ways(&body->nodes[b], to);
        for (size_t k = 0; k < next; k++)
          if (to[k] == at) found = found < 0 ? b : meet(body, b, found);
      }
      if (at == BEGIN || found == body->nodes[at].dominator) continue;
      body->nodes[at].dominator = found;
      changed = true;
    }
  }
}

bool body_in_loop(const struct body *body, int block, int header) {
  const struct node *node = &body->nodes[header];
  if (!node->members) return false;
  if (node->members[block]) return true;
  /* A block that stands in no graph, as nothing essential decides about it: by the loops of the program. */
  if (body->nodes[block].there) return false;
  return flow_in_loop(body->program, block, body->program->blocks[header].loop) &&
         body->program->blocks[header].loop > 0;
}

static void collect(struct body *body, int header, int at) {
  bool *members = body->nodes[header].members;
  if (members[at]) return;
  members[at] = true;
  for (int b = 0; b < body->program->block_count; b++) {
    int to[3];
    size_t count = body->nodes[b].there ? ways(&body->nodes[b], to) : 0;
    for (size_t i = 0; i < count; i++)
      if (to[i] == at) collect(body, header, b);
  }
}

static bool find_loops(struct body *body) {
  int count = body->program->block_count;
  for (int b = 0; b < count; b++) {
    int to[3];
    size_t next = body->nodes[b].there ? ways(&body->nodes[b], to) : 0;
    for (size_t i = 0; i < next; i++) {
      struct node *node = &body->nodes[to[i]];
      if (node->order > body->nodes[b].order) continue;
      if (!above(body, to[i], b)) {
        const struct block *block = &body->program->blocks[to[i]];
        source_error(body->program, block->count ? block->statements[block->count - 1] : NULL, NULL,
                     "a goto leads into a loop: what is entered in two ways has no iterations to count");
        return false;
      }
      if (!node->header) {
        node->header = true;
        node->members = ROOM_ARRAY(body->room, bool, count);
        node->members[to[i]] = true;
      }
      collect(body, to[i], b);
    }
  }
  return true;
}

bool body_graph(struct body *body) {
  body->nodes = ROOM_ARRAY(body->room, struct node, body->program->block_count);
  struct walk walk;
  reach(body, BEGIN);
  order(body, &walk);
  return find_loops(body);
}

bool body_is_quiet(const struct body *body, int at) {
  const struct block *block = &body->program->blocks[at];
  for (size_t i = 0; i < block->count; i++) {
    const struct statement *statement = block->statements[i];
    if (!statement->essential || statement->kind == STATEMENT_CONDITION || statement->kind == STATEMENT_PHI) continue;
    if (statement->def < 0 || body->as[statement->def] != AS_EXPRESSION || body_sets(body, statement)) return false;
  }
  for (int l = 1; l < body->program->loop_count; l++)
    if (slice_is_nest(body->program, l) && slice_before(body->program, l) == at && !body->skipped[l]) return false;
  return true;
}

/* ---- tests that are joined ---- */

static size_t leads(const struct body *body, int to) {
  size_t count = 0;
  for (int b = 0; b < body->program->block_count; b++)
    if (body->nodes[b].there)
      count +=
          (size_t)(body->nodes[b].t == to) + (size_t)(body->nodes[b].f == to) + (size_t)(body->nodes[b].ends == to);
  return count;
}

static bool same_value(const struct value *a, const struct value *b) {
  return a && b && a->kind == b->kind &&
         ((a->kind == VALUE_SSA && a->ssa == b->ssa) || (a->kind == VALUE_INT && a->number == b->number));
}

/* Do the phis of a block get the same by both ways? */
static bool same_phis(const struct body *body, int to, int a, int b) {
  const struct block *block = &body->program->blocks[to];
  for (size_t i = 0; to != END && i < block->count; i++) {
    const struct statement *phi = block->statements[i];
    const struct value *values[2] = {NULL, NULL};
    if (phi->kind != STATEMENT_PHI || !phi->essential) continue;
    for (size_t k = 0; k < phi->argument_count; k++) {
      if (phi->arguments[k].block == a) values[0] = phi->arguments[k].value;
      if (phi->arguments[k].block == b) values[1] = phi->arguments[k].value;
    }
    if (!same_value(values[0], values[1])) return false;
  }
  return true;
}

static const struct condition *opposite(struct body *body, const struct condition *condition) {
  struct condition *other = ROOM_ARRAY(body->room, struct condition, 1);
  *other = *condition;
  if (!condition->right) {
    other->negated = !condition->negated;
    return other;
  }
  other->left = opposite(body, condition->left);
  other->right = opposite(body, condition->right);
  other->both = !condition->both;
  return other;
}

static bool join(struct body *body, int at, bool way) {
  struct node *node = &body->nodes[at];
  int second = way ? node->t : node->f, shared = way ? node->f : node->t;
  struct node *other = &body->nodes[second];
  if (second == at || second == END || !other->there || !other->test || other->header || other->ends >= 0) return false;
  if (leads(body, second) != 1 || !body_is_quiet(body, second)) return false;
  for (size_t i = 0; i < body->program->blocks[second].count; i++)
    if (body->program->blocks[second].statements[i]->kind == STATEMENT_PHI &&
        body->program->blocks[second].statements[i]->essential)
      return false;
  bool by_false = other->f == shared; /* the second goes there, too, where it does not hold */
  if (!by_false && other->t != shared) return false;
  if (!same_phis(body, shared, way ? node->f_from : node->t_from, by_false ? other->f_from : other->t_from))
    return false;
  struct condition *joined = ROOM_ARRAY(body->room, struct condition, 1);
  bool turned = by_false != way;
  *joined =
      (struct condition){.left = node->test, .right = turned ? opposite(body, other->test) : other->test, .both = way};
  node->test = joined;
  int to = by_false ? other->t : other->f, from = by_false ? other->t_from : other->f_from;
  *(way ? &node->t : &node->f) = to;
  *(way ? &node->t_from : &node->f_from) = from;
  other->there = false;
  return true;
}

void body_merge(struct body *body) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 0; b < body->program->block_count; b++) {
      struct node *node = &body->nodes[b];
      if (!node->there || !node->test || b == END) continue;
      if (join(body, b, true) || join(body, b, false)) changed = true;
    }
  }
}

/* ---- where each stands ---- */

static int compare_orders(const struct body *body, int a, int b) { return body->nodes[a].order - body->nodes[b].order; }

static void insert(struct body *body, int **list, size_t *count, size_t *capacity, int block) {
  ROOM_PUSH(body->room, *list, *count, *capacity, block);
  for (size_t i = *count - 1; i > 0 && compare_orders(body, (*list)[i - 1], (*list)[i]) > 0; i--) {
    int other = (*list)[i - 1];
    (*list)[i - 1] = (*list)[i];
    (*list)[i] = other;
  }
}

void body_places(struct body *body) {
  int count = body->program->block_count;
  struct walk walk;
  for (int b = 0; b < count; b++) {
    body->nodes[b].header = false;
    body->nodes[b].members = NULL;
  }
  order(body, &walk);
  find_loops(body);
  for (int b = 0; b < count; b++) {
    int to[3];
    size_t next = body->nodes[b].there ? ways(&body->nodes[b], to) : 0;
    for (size_t i = 0; i < next; i++)
      body->nodes[to[i]].forward += body->nodes[to[i]].order > body->nodes[b].order;
  }
  for (int b = 0; b < count; b++) {
    struct node *node = &body->nodes[b];
    if (!node->there || b == BEGIN || b == END) continue;
    int loop = -1; /* the outermost loop that it stands behind */
    for (int h = node->dominator;; h = body->nodes[h].dominator) {
      if (body->nodes[h].header && body_in_loop(body, node->dominator, h) && !body_in_loop(body, b, h)) loop = h;
      if (h == BEGIN) break;
    }
    struct node *parent = &body->nodes[loop >= 0 ? loop : node->dominator];
    if (loop >= 0)
      insert(body, &parent->after, &parent->after_count, &parent->after_capacity, b);
    else if (node->forward > 1)
      insert(body, &parent->behind, &parent->behind_count, &parent->behind_capacity, b);
    else
      node->inlined = true;
  }
}
