/* Which block is reached when: what is left of a program behind what is pruned, dominators from both ends (Cooper,
 * Harvey and Kennedy), and the conditions that decide whether a block is reached (Ferrante, Ottenstein and Warren). */
#include "interp/compile/mpi_program.h"

#include <string.h>

enum { BEGIN = 2, END = 1 }; /* as GCC numbers blocks */

struct order {
  const struct program *program;
  int *list;
  int count;
};

static void visit(struct order *order, int at, bool *seen) {
  const struct block *block = &order->program->blocks[at];
  seen[at] = true;
  for (size_t i = block->way_count; i-- > 0;)
    if (!block->ways[i].pruned && !seen[block->ways[i].to]) visit(order, block->ways[i].to, seen);
  order->list[order->count++] = at;
}

/* Both directions: `from` are the ways that count, dominators those of `root`. */
struct graph {
  int count, root;
  int **from;
  size_t *from_count;
  int *order; /* of a reverse postorder; -1: not reached */
  int *list;  /* in that order */
  int list_count;
};

static int common(const struct graph *graph, const int *dominator, int a, int b) {
  while (a != b) {
    while (graph->order[a] > graph->order[b])
      a = dominator[a];
    while (graph->order[b] > graph->order[a])
      b = dominator[b];
  }
  return a;
}

static void dominate(const struct graph *graph, int *dominator) {
  for (int i = 0; i < graph->count; i++)
    dominator[i] = -1;
  dominator[graph->root] = graph->root;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < graph->list_count; i++) {
      int at = graph->list[i], new = -1;
      if (at == graph->root) continue;
      for (size_t k = 0; k < graph->from_count[at]; k++) {
        int from = graph->from[at][k];
        if (graph->order[from] < 0 || dominator[from] < 0) continue;
        new = new < 0 ? from : common(graph, dominator, from, new);
      }
      if (new == dominator[at]) continue;
      dominator[at] = new;
      changed = true;
    }
  }
}

static void number_graph(struct graph *graph, int **to, const size_t *to_count, int at, bool *seen) {
  seen[at] = true;
  for (size_t i = to_count[at]; i-- > 0;)
    if (!seen[to[at][i]]) number_graph(graph, to, to_count, to[at][i], seen);
  graph->list[--graph->list_count] = at;
}

static void order_graph(struct room *room, struct graph *graph, int **to, const size_t *to_count) {
  bool *seen = ROOM_ARRAY(room, bool, graph->count);
  graph->list = ROOM_ARRAY(room, int, graph->count);
  graph->order = ROOM_ARRAY(room, int, graph->count);
  graph->list_count = graph->count;
  number_graph(graph, to, to_count, graph->root, seen);
  int first = graph->list_count;
  graph->list += first;
  graph->list_count = graph->count - first;
  for (int i = 0; i < graph->count; i++)
    graph->order[i] = -1;
  for (int i = 0; i < graph->list_count; i++)
    graph->order[graph->list[i]] = i;
}

static void add_way(struct room *room, int **list, size_t *count, int to) {
  int *more = ROOM_ARRAY(room, int, *count + 1);
  if (*count) memcpy(more, *list, *count * sizeof *more);
  more[(*count)++] = to;
  *list = more;
}

static void find_controls(struct program *program) {
  for (int b = 0; b < program->block_count; b++) {
    struct block *block = &program->blocks[b];
    if (!block->reached) continue;
    size_t live = 0;
    for (size_t i = 0; i < block->way_count; i++)
      live += !block->ways[i].pruned;
    for (size_t i = 0; live > 1 && i < block->way_count; i++) {
      if (block->ways[i].pruned) continue;
      for (int at = block->ways[i].to; at != block->postdominator && at >= 0 && at != END;
           at = program->blocks[at].postdominator) {
        struct block *reached = &program->blocks[at];
        bool known = false;
        for (size_t k = 0; k < reached->control_count; k++)
          known |= reached->controls[k] == b;
        if (!known) ROOM_PUSH(program->room, reached->controls, reached->control_count, reached->control_capacity, b);
        if (reached->postdominator == at) break;
      }
    }
  }
}

void flow_analyse(struct program *program) {
  int count = program->block_count;
  struct room *room = program->room;
  struct order order = {.program = program, .list = ROOM_ARRAY(room, int, count)};
  bool *seen = ROOM_ARRAY(room, bool, count);
  visit(&order, BEGIN, seen);
  int **to = ROOM_ARRAY(room, int *, count), **from = ROOM_ARRAY(room, int *, count);
  size_t *to_count = ROOM_ARRAY(room, size_t, count), *from_count = ROOM_ARRAY(room, size_t, count);
  for (int b = 0; b < count; b++) {
    struct block *block = &program->blocks[b];
    block->reached = seen[b];
    block->controls = NULL;
    block->control_count = block->control_capacity = 0;
    for (size_t i = 0; seen[b] && i < block->way_count; i++) {
      if (block->ways[i].pruned) continue;
      add_way(room, &to[b], &to_count[b], block->ways[i].to);
      add_way(room, &from[block->ways[i].to], &from_count[block->ways[i].to], b);
    }
  }
  struct graph forth = {.count = count, .root = BEGIN, .from = from, .from_count = from_count};
  int *dominator = ROOM_ARRAY(room, int, count);
  order_graph(room, &forth, to, to_count);
  dominate(&forth, dominator);
  /* What goes nowhere, and a loop without an end, go to the end. */
  program->blocks[END].reached = true;
  for (int b = 0; b < count; b++)
    if (seen[b] && b != END && to_count[b] == 0) {
      add_way(room, &to[b], &to_count[b], END);
      add_way(room, &from[END], &from_count[END], b);
    }
  struct graph back = {.count = count, .root = END, .from = to, .from_count = to_count};
  order_graph(room, &back, from, from_count);
  for (int b = count; b-- > 0;)
    if (seen[b] && back.order[b] < 0) {
      add_way(room, &to[b], &to_count[b], END);
      add_way(room, &from[END], &from_count[END], b);
      order_graph(room, &back, from, from_count);
    }
  int *postdominator = ROOM_ARRAY(room, int, count);
  dominate(&back, postdominator);
  for (int b = 0; b < count; b++) {
    program->blocks[b].dominator = dominator[b];
    program->blocks[b].postdominator = postdominator[b];
    program->blocks[b].order = forth.order[b];
  }
  find_controls(program);
}

bool flow_dominates(const struct program *program, int above, int below) {
  for (int at = below; at >= 0;) {
    if (at == above) return true;
    if (program->blocks[at].dominator == at) return false;
    at = program->blocks[at].dominator;
  }
  return false;
}

bool flow_in_loop(const struct program *program, int block, int loop) {
  for (int at = program->blocks[block].loop; at > 0; at = program->loops[at].outer)
    if (at == loop) return true;
  return loop == 0;
}

/* Nothing is done in it but to test. */
static bool only_tests(const struct block *block) {
  for (size_t i = 0; i < block->count; i++) {
    const struct statement *statement = block->statements[i];
    bool does = statement->kind == STATEMENT_PHI || statement->kind == STATEMENT_STORE ||
                (statement->kind == STATEMENT_CALL && !statement->pure);
    if (does) return false;
  }
  return true;
}

static bool ends_pass(const struct program *program, int block, int loop, bool *leaves, int depth) {
  const struct block *at = &program->blocks[block];
  for (size_t i = 0; i < at->way_count; i++) {
    int to = at->ways[i].to;
    if (at->ways[i].pruned || to == program->loops[loop].header) continue;
    if (!flow_in_loop(program, to, loop)) {
      *leaves = true;
      continue;
    }
    if (depth > 20 || !only_tests(&program->blocks[to]) || !ends_pass(program, to, loop, leaves, depth + 1))
      return false;
  }
  return true;
}

/* Do all ways that come back to the header bring it the same? */
static bool same_back(const struct program *program, int block, int loop) {
  const struct block *header = &program->blocks[program->loops[loop].header];
  for (size_t i = 0; i < header->count && header->statements[i]->kind == STATEMENT_PHI; i++) {
    const struct statement *phi = header->statements[i];
    const struct value *first = NULL;
    for (size_t k = 0; k < phi->argument_count; k++) {
      const struct value *value = phi->arguments[k].value;
      int from = phi->arguments[k].block;
      if (!flow_in_loop(program, from, loop) || !flow_dominates(program, block, from)) continue;
      if (first && (first->kind != value->kind || first->ssa != value->ssa || first->number != value->number))
        return false;
      first = value;
    }
  }
  return true;
}

bool flow_ends_pass(const struct program *program, int block, int loop) {
  bool leaves = false;
  return flow_in_loop(program, block, loop) && ends_pass(program, block, loop, &leaves, 0) && leaves &&
         same_back(program, block, loop);
}
