/* Condensing a static task graph: what a process computes between two communications becomes one task, whose scaling
 * function is the sum of those that it stands for, times what loops round them go round.  Called by psl graph --static
 * --condense, and for condensed models.
 *
 * Where no node of a stretch communicates, waits or changes anything, only the sum of its times counts: so tasks move to
 * the end of the stretch, and a loop over several parts is a part of each of them. Branches stay, since an execution
 * takes one of their arms; one that is the same in all turns of such a loop moves out of it. One that says `collapse`
 * becomes its mean, by its chance, or by its condition. */
#include "interp/taskgraph/taskgraph.h"

#include <string.h>

struct list {
  struct task_node *first, **link;
};

struct condensing {
  struct arena *arena;
  struct names *names;
};

struct stretch { /* what came since the last node that must keep its place */
  struct condensing *c;
  struct list done, pending; /* tasks whose place comes at its end, one for each way to compute */
};

static void list_open(struct list *list) {
  list->first = NULL;
  list->link = &list->first;
}

static void list_add(struct list *list, struct task_node *node) {
  node->next = NULL;
  *list->link = node;
  list->link = &node->next;
}

static void list_join(struct list *list, struct list *other) {
  if (!other->first) return;
  *list->link = other->first;
  list->link = other->link;
  list_open(other);
}

static struct task_node *node_copy(struct condensing *c, const struct task_node *node) {
  struct task_node *copy = ARENA_NEW(c->arena, struct task_node);
  *copy = *node;
  copy->next = NULL;
  if (node->arm_count) {
    copy->arms = ARENA_ARRAY(c->arena, struct task_arm, node->arm_count);
    memcpy(copy->arms, node->arms, node->arm_count * sizeof *node->arms);
  }
  return copy;
}

/* ---- what may move ---- */

static bool is_quiet(const struct task_node *first) {
  for (const struct task_node *node = first; node; node = node->next) {
    switch (node->kind) {
    case TASK_COMPUTE:
      if (!node->combines) return false;
      break;
    case TASK_STATEMENT:
      if (!node->pure) return false;
      break;
    case TASK_LOOP:
      if (!node->range || node->state) return false;
      break;
    case TASK_BRANCH:
      if (node->statement == STMT_FIRST_OF || (node->statement == STMT_IF && node->state)) return false;
      break;
    case TASK_COMMUNICATE:
    case TASK_GRAPH:
    case TASK_KINDS: return false;
    }
    for (uint32_t k = 0; k < node->arm_count; k++)
      if (!is_quiet(node->arms[k].first)) return false;
  }
  return true;
}

static bool is_stateful(const struct task_node *first) {
  for (const struct task_node *node = first; node; node = node->next) {
    if (node->kind == TASK_COMPUTE && node->state) return true;
    for (uint32_t k = 0; k < node->arm_count; k++)
      if (is_stateful(node->arms[k].first)) return true;
  }
  return false;
}

static bool same_way(const struct task_node *a, const struct task_node *b) {
  bool names = a->name && b->name ? !strcmp(a->name, b->name) : !a->name && !b->name;
  return names && !strcmp(a->operation, b->operation) && !a->given == !b->given;
}

static struct expr *plus(struct condensing *c, struct expr *a, struct expr *b) {
  return a && b ? task_expr_binary(c->arena, OP_ADD, a, b) : NULL;
}

static void add_task(struct stretch *s, struct task_node *task) {
  for (struct task_node *other = s->pending.first; other; other = other->next) {
    if (!same_way(other, task)) continue;
    other->value = plus(s->c, other->value, task->value);
    other->given = plus(s->c, other->given, task->given);
    other->state |= task->state;
    other->summed = true;
    return;
  }
  list_add(&s->pending, node_copy(s->c, task));
}

static void flush(struct stretch *s) { list_join(&s->done, &s->pending); }

/* ---- names in place of which something else stands ---- */

enum { LETS = 64 };

struct lets { /* of a loop that goes, what stands in their places */
  struct renaming items[LETS];
  uint32_t count;
};

static struct expr *with(struct condensing *c, const struct expr *expr, const struct lets *lets) {
  return expr ? task_expr_with(c->arena, expr, lets->items, lets->count) : NULL;
}

static struct task_node *nodes_with(struct condensing *c, const struct task_node *first, struct lets *lets) {
  struct list list;
  uint32_t before = lets->count;
  list_open(&list);
  for (const struct task_node *node = first; node; node = node->next) {
    if (node->kind == TASK_STATEMENT && lets->count < LETS) {
      lets->items[lets->count] = (struct renaming){name_of(c->names, node->name), with(c, node->value, lets)};
      lets->count++;
      continue;
    }
    struct task_node *copy = node_copy(c, node);
    copy->value = with(c, node->value, lets);
    copy->given = with(c, node->given, lets);
    copy->range = with(c, node->range, lets);
    copy->step = with(c, node->step, lets);
    copy->trips = with(c, node->trips, lets);
    copy->chance = with(c, node->chance, lets);
    for (uint32_t k = 0; k < node->arm_count; k++) {
      copy->arms[k].condition = with(c, node->arms[k].condition, lets);
      copy->arms[k].first = nodes_with(c, node->arms[k].first, lets);
    }
    list_add(&list, copy);
  }
  lets->count = before;
  return list.first;
}

static uint32_t count_lets(const struct task_node *first) {
  uint32_t count = 0;
  for (const struct task_node *node = first; node; node = node->next) {
    count += node->kind == TASK_STATEMENT;
    for (uint32_t k = 0; k < node->arm_count; k++)
      count += count_lets(node->arms[k].first);
  }
  return count;
}

/* ---- loops ---- */

static struct expr *name_expr(struct condensing *c, const char *name) {
  struct expr *expr = ARENA_NEW(c->arena, struct expr);
  expr->kind = EXPR_NAME;
  expr->name.name = name_of(c->names, name);
  return expr;
}

static struct expr *range_expr(struct condensing *c, struct expr *low, struct expr *high) {
  struct expr *expr = ARENA_NEW(c->arena, struct expr);
  expr->kind = EXPR_RANGE;
  expr->range.low = low;
  expr->range.high = high;
  return expr;
}

/* sum(k in range : e) */
static struct expr *sum_expr(struct condensing *c, const char *name, struct expr *range, struct expr *body) {
  struct expr *expr = ARENA_NEW(c->arena, struct expr);
  expr->kind = EXPR_CALL;
  expr->call = ARENA_NEW(c->arena, struct call);
  expr->call->callee = name_expr(c, "sum");
  expr->call->binders = ARENA_ARRAY(c->arena, struct binder, 1);
  expr->call->binders[0] = (struct binder){.name.name = name_of(c->names, name), .range = range};
  expr->call->binder_count = 1;
  expr->call->args.values = ARENA_ARRAY(c->arena, struct expr *, 1);
  expr->call->args.values[0] = body;
  expr->call->args.value_count = 1;
  return expr;
}

static bool has_step(const struct task_node *loop) { return loop->step && !task_expr_is(loop->step, 1); }

/* Can what is computed in the loop be summed up? */
static bool sums(const struct task_node *loop) {
  return loop->range && !loop->state && !loop->geometric && (loop->trips || !has_step(loop));
}

/* Over all turns of a loop. */
static struct expr *over(struct condensing *c, const struct task_node *loop, struct expr *expr) {
  const struct name *variable = name_of(c->names, loop->name);
  if (!expr) return NULL;
  if (loop->trips && !task_expr_reads(expr, variable))
    return task_expr_binary(c->arena, OP_MUL, task_expr_copy(c->arena, loop->trips), expr);
  if (!has_step(loop)) return sum_expr(c, loop->name, task_expr_copy(c->arena, loop->range), expr);
  struct expr *steps = task_expr_binary(c->arena, OP_MUL, name_expr(c, loop->name), loop->step);
  struct expr *at = task_expr_binary(c->arena, OP_ADD, loop->range->range.low, steps);
  struct renaming turn = {variable, at};
  struct expr *last = task_expr_binary(c->arena, OP_SUB, loop->trips, task_expr_integer(c->arena, 1));
  return sum_expr(c, loop->name, range_expr(c, task_expr_integer(c->arena, 0), last),
                  task_expr_with(c->arena, expr, &turn, 1));
}

static void spread_over(struct stretch *s, const struct task_node *loop, const struct task_node *first);

/* A branch whose condition is the same in all turns. */
static bool is_invariant(struct condensing *c, const struct task_node *loop, const struct task_node *branch) {
  return branch->kind == TASK_BRANCH && branch->statement == STMT_IF && !branch->state &&
         !task_expr_reads(branch->arms[0].condition, name_of(c->names, loop->name)) &&
         !(branch->chance && task_expr_reads(branch->chance, name_of(c->names, loop->name)));
}

static void branch_out(struct stretch *s, const struct task_node *loop, const struct task_node *branch) {
  struct task_node *copy = node_copy(s->c, branch);
  copy->instances = loop->instances;
  copy->unknown = loop->unknown;
  for (uint32_t k = 0; k < branch->arm_count; k++) {
    struct stretch arm = {.c = s->c};
    list_open(&arm.done);
    list_open(&arm.pending);
    spread_over(&arm, loop, branch->arms[k].first);
    flush(&arm);
    copy->arms[k].first = arm.done.first;
  }
  list_add(&s->done, copy);
}

/* The quiet nodes of a loop, without lets, each in a loop of its own, which where it can be is a factor or a sum. */
static void spread_over(struct stretch *s, const struct task_node *loop, const struct task_node *first) {
  for (const struct task_node *node = first; node; node = node->next) {
    if (node->kind == TASK_COMPUTE) {
      struct task_node task = *node;
      task.value = over(s->c, loop, node->value);
      task.instances = loop->instances;
      task.unknown = loop->unknown;
      task.given = over(s->c, loop, node->given);
      task.summed = true;
      add_task(s, &task);
    } else if (is_invariant(s->c, loop, node)) {
      branch_out(s, loop, node);
    } else {
      struct task_node *round = node_copy(s->c, loop);
      round->arms[0].first = node_copy(s->c, node);
      list_add(&s->done, round);
    }
  }
}

/* ---- branches that collapse ---- */

static bool only_tasks(const struct task_node *first) {
  for (const struct task_node *node = first; node; node = node->next)
    if (node->kind != TASK_COMPUTE) return false;
  return true;
}

static struct expr *if_expr(struct condensing *c, struct expr *condition, struct expr *then, struct expr *otherwise) {
  struct expr *expr = ARENA_NEW(c->arena, struct expr);
  expr->kind = EXPR_IF;
  expr->branch.condition = condition;
  expr->branch.then = then;
  expr->branch.otherwise = otherwise;
  return expr;
}

/* What the arm's number k makes of a task: its part of the mean. */
static struct expr *part_of(struct condensing *c, const struct task_node *branch, uint32_t k, struct expr *expr) {
  struct arena *arena = c->arena;
  if (!expr) return NULL;
  if (branch->statement == STMT_ONE_OF) return task_expr_binary(arena, OP_MUL, branch->arms[k].condition, expr);
  if (branch->chance) {
    struct expr *chance = task_expr_copy(arena, branch->chance);
    if (k) chance = task_expr_binary(arena, OP_SUB, task_expr_integer(arena, 1), chance);
    return task_expr_binary(arena, OP_MUL, chance, expr);
  }
  struct expr *condition = task_expr_copy(arena, branch->arms[0].condition);
  struct expr *taken = if_expr(c, condition, task_expr_integer(arena, !k), task_expr_integer(arena, k));
  return task_expr_binary(arena, OP_MUL, taken, expr);
}

static void collapse(struct stretch *s, const struct task_node *branch) {
  for (uint32_t k = 0; k < branch->arm_count; k++)
    for (const struct task_node *node = branch->arms[k].first; node; node = node->next) {
      struct task_node task = *node;
      task.value = part_of(s->c, branch, k, node->value);
      task.instances = branch->instances;
      task.unknown = branch->unknown;
      task.given = part_of(s->c, branch, k, node->given);
      task.state |= branch->statement == STMT_IF && branch->state;
      task.summed = true;
      add_task(s, &task);
    }
}

/* ---- bodies ---- */

static struct task_node *condensed(struct condensing *c, const struct task_node *first);

static void keep_place(struct stretch *s, struct task_node *node) {
  flush(s);
  list_add(&s->done, node);
}

static void condense_loop(struct stretch *s, const struct task_node *loop) {
  struct task_node *copy = node_copy(s->c, loop);
  struct task_node *inner = copy->arms[0].first = condensed(s->c, loop->arms[0].first);
  if (!sums(loop) || !is_quiet(inner) || is_stateful(inner) || count_lets(inner) > LETS) {
    keep_place(s, copy);
    return;
  }
  struct lets lets = {.count = 0};
  spread_over(s, loop, nodes_with(s->c, inner, &lets));
}

static void condense_branch(struct stretch *s, const struct task_node *branch) {
  struct task_node *copy = node_copy(s->c, branch);
  bool quiet = true, tasks = true;
  for (uint32_t k = 0; k < branch->arm_count; k++) {
    struct task_node *inner = condensed(s->c, branch->arms[k].first);
    quiet = quiet && is_quiet(inner) && !is_stateful(inner) && count_lets(inner) <= LETS;
    copy->arms[k].first = inner;
  }
  for (uint32_t k = 0; k < branch->arm_count && branch->collapse && quiet; k++) {
    struct lets lets = {.count = 0};
    copy->arms[k].first = nodes_with(s->c, copy->arms[k].first, &lets);
    tasks = tasks && only_tasks(copy->arms[k].first);
  }
  bool known = branch->statement == STMT_ONE_OF || branch->chance || !branch->state;
  if (branch->collapse && quiet && tasks && known)
    collapse(s, copy);
  else if (quiet && branch->statement != STMT_FIRST_OF && !(branch->statement == STMT_IF && branch->state))
    list_add(&s->done, copy);
  else
    keep_place(s, copy);
}

static struct task_node *condensed(struct condensing *c, const struct task_node *first) {
  struct stretch s = {.c = c};
  list_open(&s.done);
  list_open(&s.pending);
  for (const struct task_node *node = first; node; node = node->next) {
    if (node->kind == TASK_COMPUTE && node->combines && !node->state)
      add_task(&s, node_copy(c, node));
    else if (node->kind == TASK_LOOP)
      condense_loop(&s, node);
    else if (node->kind == TASK_BRANCH)
      condense_branch(&s, node);
    else if (node->kind == TASK_STATEMENT && node->pure)
      list_add(&s.done, node_copy(c, node));
    else
      keep_place(&s, node_copy(c, node));
  }
  flush(&s);
  return s.done.first;
}

void task_graph_condense(struct arena *arena, struct names *names, struct static_graph *graph) {
  struct condensing c = {arena, names};
  struct task_counts counts = task_graph_counts(graph);
  for (uint32_t k = 0; k < TASK_STATEMENT; k++)
    graph->condensed_from += counts.of[k];
  for (uint32_t k = 0; k < graph->graph_count; k++)
    graph->graphs[k].first = condensed(&c, graph->graphs[k].first);
}
