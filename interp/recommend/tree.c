/* Classification and regression trees: growing by the best split of each node, pruning by the weakest link, and how far
 * to prune by cross-validation. Called by what predicts figures and by what makes rules. */
#include "interp/recommend/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

struct ordering {
  double value;
  uint32_t row;
};

static int by_value(const void *left, const void *right) {
  const struct ordering *a = left, *b = right;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

struct tree_space {
  uint32_t **rows; /* by feature: those of each node stand together, by the feature's values */
  uint32_t *spare;
  bool *left;     /* by row: it goes left at the split in hand */
  double *sums;   /* by target, of the left side */
  double *totals; /* by target, of the node */
  double *words;  /* by word: sums by target, then how many */
};

static struct tree_space *make_space(struct arena *arena, const struct tree_data *data) {
  struct tree_space *space = ARENA_NEW(arena, struct tree_space);
  space->rows = ARENA_ARRAY(arena, uint32_t *, data->features);
  for (uint32_t f = 0; f < data->features; f++)
    space->rows[f] = ARENA_ARRAY(arena, uint32_t, data->rows);
  space->spare = ARENA_ARRAY(arena, uint32_t, data->rows);
  space->left = ARENA_ARRAY(arena, bool, data->rows);
  space->sums = ARENA_ARRAY(arena, double, data->targets);
  space->totals = ARENA_ARRAY(arena, double, data->targets);
  space->words = ARENA_ARRAY(arena, double, (size_t)TREE_WORDS *(data->targets + 1));
  return space;
}

void tree_order(struct arena *arena, struct tree_data *data) {
  data->space = make_space(arena, data);
  struct ordering *sorted = ARENA_ARRAY(arena, struct ordering, data->rows);
  data->ordered = ARENA_ARRAY(arena, uint32_t *, data->features);
  for (uint32_t f = 0; f < data->features; f++) {
    data->ordered[f] = ARENA_ARRAY(arena, uint32_t, data->rows);
    for (uint32_t r = 0; r < data->rows; r++)
      sorted[r] = (struct ordering){data->x[(size_t)r * data->features + f], r};
    qsort(sorted, data->rows, sizeof *sorted, by_value);
    for (uint32_t r = 0; r < data->rows; r++)
      data->ordered[f][r] = sorted[r].row;
  }
}

/* By splitmix64, as recommend_draw. */
uint32_t *tree_shuffled(struct arena *arena, uint32_t count) {
  uint32_t *out = ARENA_ARRAY(arena, uint32_t, count + 1);
  uint64_t state = count;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    uint32_t place = (uint32_t)((z ^ z >> 31) % (i + 1));
    out[i] = out[place];
    out[place] = i;
  }
  return out;
}

/* ---- growing ---- */

struct growth {
  struct arena *arena;
  const struct tree_data *data;
  const struct tree_limits *limits;
  const struct tree_space *space;
  struct tree tree;
};

struct split {
  uint32_t feature;
  double value;
  uint64_t words;
  double gain; /* sum over both sides and targets of square of sum / cases */
};

static double x_of(const struct tree_data *data, uint32_t row, uint32_t feature) {
  return data->x[(size_t)row * data->features + feature];
}

/* What a split is worth: the less squares are left, the greater it is. */
static double worth(const struct growth *g, uint32_t left, uint32_t count) {
  double sum = 0;
  for (uint32_t t = 0; t < g->data->targets; t++) {
    double right = g->space->totals[t] - g->space->sums[t];
    sum += g->space->sums[t] * g->space->sums[t] / left + right * right / (count - left);
  }
  return sum;
}

static void take_better(const struct growth *g, struct split *best, struct split split, uint32_t left, uint32_t count) {
  if (left < g->limits->least || count - left < g->limits->least) return;
  split.gain = worth(g, left, count);
  if (split.gain > best->gain * (1 + 1e-12) + 1e-300) *best = split;
}

static void try_numbers(struct growth *g, uint32_t feature, uint32_t begin, uint32_t count, struct split *best) {
  const struct tree_data *data = g->data;
  const uint32_t *rows = g->space->rows[feature] + begin;
  memset(g->space->sums, 0, data->targets * sizeof *g->space->sums);
  for (uint32_t i = 0; i + 1 < count; i++) {
    const double *y = data->y + (size_t)rows[i] * data->targets;
    for (uint32_t t = 0; t < data->targets; t++)
      g->space->sums[t] += y[t];
    double here = x_of(data, rows[i], feature), next = x_of(data, rows[i + 1], feature);
    if (here == next) continue;
    double middle = here + (next - here) / 2;
    take_better(g, best, (struct split){.feature = feature, .value = middle < next ? middle : here}, i + 1, count);
  }
}

/* The words of a node, by the mean of the target that the node's cases differ most in. */
static void try_words(struct growth *g, uint32_t feature, uint32_t begin, uint32_t count, struct split *best) {
  const struct tree_data *data = g->data;
  const uint32_t *rows = g->space->rows[feature] + begin;
  uint32_t wide = data->targets + 1;
  memset(g->space->words, 0, sizeof *g->space->words * TREE_WORDS * wide);
  for (uint32_t i = 0; i < count; i++) {
    double *word = g->space->words + (size_t)x_of(data, rows[i], feature) * wide;
    for (uint32_t t = 0; t < data->targets; t++)
      word[t] += data->y[(size_t)rows[i] * data->targets + t];
    word[data->targets]++;
  }
  for (uint32_t by = 0; by < data->targets; by++) {
    struct ordering order[TREE_WORDS];
    uint32_t known = 0, left = 0;
    for (uint32_t w = 0; w < TREE_WORDS; w++) {
      const double *word = g->space->words + (size_t)w * wide;
      if (word[data->targets] > 0) order[known++] = (struct ordering){word[by] / word[data->targets], w};
    }
    qsort(order, known, sizeof *order, by_value);
    memset(g->space->sums, 0, data->targets * sizeof *g->space->sums);
    struct split split = {.feature = feature};
    for (uint32_t k = 0; k + 1 < known; k++) {
      const double *word = g->space->words + (size_t)order[k].row * wide;
      for (uint32_t t = 0; t < data->targets; t++)
        g->space->sums[t] += word[t];
      left += (uint32_t)word[data->targets];
      split.words |= UINT64_C(1) << order[k].row;
      take_better(g, best, split, left, count);
    }
  }
}

bool tree_goes_left(const struct tree_node *node, double value) {
  if (!node->words) return value <= node->split;
  return value >= 0 && value < TREE_WORDS && node->words >> (unsigned)value & 1;
}

/* Parts the node's rows in each feature's order. */
static uint32_t part(struct growth *g, const struct tree_node *node, uint32_t begin, uint32_t count) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t row = g->space->rows[0][begin + i];
    g->space->left[row] = tree_goes_left(node, x_of(g->data, row, node->feature));
    left += g->space->left[row];
  }
  for (uint32_t f = 0; f < g->data->features; f++) {
    uint32_t *rows = g->space->rows[f] + begin, kept = 0, gone = 0;
    for (uint32_t i = 0; i < count; i++) {
      if (g->space->left[rows[i]])
        rows[kept++] = rows[i];
      else
        g->space->spare[gone++] = rows[i];
    }
    memcpy(rows + kept, g->space->spare, gone * sizeof *rows);
  }
  return left;
}

/* A node of these rows, a leaf so far. */
static uint32_t add_node(struct growth *g, uint32_t parent, uint32_t begin, uint32_t count) {
  const struct tree_data *data = g->data;
  double *mean = ARENA_ARRAY(g->arena, double, data->targets), squares = 0;
  for (uint32_t t = 0; t < data->targets; t++) {
    for (uint32_t i = 0; i < count; i++)
      mean[t] += data->y[(size_t)g->space->rows[0][begin + i] * data->targets + t];
    g->space->totals[t] = mean[t];
    mean[t] /= count ? count : 1;
    for (uint32_t i = 0; i < count; i++) {
      double away = data->y[(size_t)g->space->rows[0][begin + i] * data->targets + t] - mean[t];
      squares += away * away;
    }
  }
  struct tree_node node = {.feature = TREE_LEAF, .parent = parent, .count = count, .mean = mean, .squares = squares};
  ARENA_PUSH(g->arena, g->tree.nodes, g->tree.count, g->tree.capacity, node);
  return g->tree.count - 1;
}

static void grow(struct growth *g, uint32_t parent, uint32_t begin, uint32_t count, uint32_t depth) {
  uint32_t at = add_node(g, parent, begin, count);
  if (depth == g->limits->depth || count < 2 * g->limits->least || g->tree.nodes[at].squares <= 0) return;
  struct split best = {.feature = TREE_LEAF};
  for (uint32_t t = 0; t < g->data->targets; t++)
    best.gain += g->space->totals[t] * g->space->totals[t] / count;
  for (uint32_t f = 0; f < g->data->features; f++) {
    if (g->data->named[f])
      try_words(g, f, begin, count, &best);
    else
      try_numbers(g, f, begin, count, &best);
  }
  if (best.feature == (uint32_t)TREE_LEAF) return;
  struct tree_node *node = &g->tree.nodes[at];
  node->feature = best.feature;
  node->split = best.value;
  node->words = best.words;
  uint32_t left = part(g, node, begin, count);
  node->left = g->tree.count;
  grow(g, at, begin, left, depth + 1);
  g->tree.nodes[at].right = g->tree.count;
  grow(g, at, begin + left, count - left, depth + 1);
}

struct tree tree_grow(struct arena *arena, const struct tree_data *data, const bool *used,
                      const struct tree_limits *limits) {
  struct growth g = {.arena = arena, .data = data, .limits = limits, .space = data->space};
  uint32_t count = 0;
  for (uint32_t f = 0; f < data->features; f++) {
    count = 0;
    for (uint32_t r = 0; r < data->rows; r++)
      if (!used || used[data->ordered[f][r]]) g.space->rows[f][count++] = data->ordered[f][r];
  }
  grow(&g, 0, 0, count, 0);
  return g.tree;
}

const struct tree_node *tree_leaf(const struct tree *tree, const double *x) {
  const struct tree_node *node = tree->nodes;
  while (node->feature != (uint32_t)TREE_LEAF)
    node = &tree->nodes[tree_goes_left(node, x[node->feature]) ? node->left : node->right];
  return node;
}

/* ---- pruning ---- */

struct pruning {
  const struct tree *tree;
  bool *cut;       /* by node: it is a leaf now */
  double *squares; /* by node: of the leaves below it */
  uint32_t *leaves;
};

static void count_below(const struct pruning *p, uint32_t at) {
  const struct tree_node *node = &p->tree->nodes[at];
  if (node->feature == (uint32_t)TREE_LEAF || p->cut[at]) {
    p->squares[at] = node->squares;
    p->leaves[at] = 1;
    return;
  }
  count_below(p, node->left);
  count_below(p, node->right);
  p->squares[at] = p->squares[node->left] + p->squares[node->right];
  p->leaves[at] = p->leaves[node->left] + p->leaves[node->right];
}

/* The split that gains least by each of its leaves, and that gain; TREE_LEAF: there is none. */
static uint32_t weakest(const struct pruning *p, uint32_t at, double *gain) {
  const struct tree_node *node = &p->tree->nodes[at];
  if (node->feature == (uint32_t)TREE_LEAF || p->cut[at]) return TREE_LEAF;
  double own = (node->squares - p->squares[at]) / (p->leaves[at] - 1), below;
  uint32_t found = at;
  *gain = own;
  for (int side = 0; side < 2; side++) {
    uint32_t other = weakest(p, side ? node->right : node->left, &below);
    if (other == (uint32_t)TREE_LEAF || below >= *gain) continue;
    found = other;
    *gain = below;
  }
  return found;
}

static struct pruning pruning_of(struct arena *arena, const struct tree *tree) {
  return (struct pruning){tree, ARENA_ARRAY(arena, bool, tree->count), ARENA_ARRAY(arena, double, tree->count),
                          ARENA_ARRAY(arena, uint32_t, tree->count)};
}

/* Cuts the weakest split if it gains no more than `cost`; what it gains goes to *gain. false: none is so weak. */
static bool cut_weakest(const struct pruning *p, double cost, double *gain) {
  count_below(p, 0);
  uint32_t at = weakest(p, 0, gain);
  if (at == (uint32_t)TREE_LEAF || *gain > cost) return false;
  p->cut[at] = true;
  return true;
}

static uint32_t copy_node(struct arena *arena, const struct pruning *p, uint32_t at, uint32_t parent,
                          struct tree *out) {
  struct tree_node node = p->tree->nodes[at];
  uint32_t place = out->count;
  if (p->cut[at]) node.feature = TREE_LEAF;
  node.parent = parent;
  ARENA_PUSH(arena, out->nodes, out->count, out->capacity, node);
  if (node.feature == (uint32_t)TREE_LEAF) return place;
  uint32_t left = copy_node(arena, p, node.left, place, out), right = copy_node(arena, p, node.right, place, out);
  out->nodes[place].left = left;
  out->nodes[place].right = right;
  return place;
}

struct tree tree_prune(struct arena *arena, const struct tree *tree, double cost) {
  struct pruning p = pruning_of(arena, tree);
  struct tree out = {0};
  double gain;
  while (cut_weakest(&p, cost, &gain))
    continue;
  copy_node(arena, &p, 0, 0, &out);
  return out;
}

/* ---- how far to prune ---- */

/* The costs at which the tree becomes smaller, from 0 on. */
static double *costs_of(struct arena *arena, const struct tree *tree, uint32_t *count) {
  struct pruning p = pruning_of(arena, tree);
  double *costs = NULL, gain, last = 0;
  uint32_t capacity = 0;
  *count = 0;
  ARENA_PUSH(arena, costs, *count, capacity, 0);
  while (cut_weakest(&p, INFINITY, &gain)) {
    if (gain <= last) continue;
    ARENA_PUSH(arena, costs, *count, capacity, gain);
    last = gain;
  }
  return costs;
}

static double squared_error(const struct tree *tree, const struct tree_data *data, uint32_t row) {
  const double *mean = tree_leaf(tree, data->x + (size_t)row * data->features)->mean;
  double sum = 0;
  for (uint32_t t = 0; t < data->targets; t++) {
    double away = data->y[(size_t)row * data->targets + t] - mean[t];
    sum += away * away;
  }
  return sum;
}

/* Adds the errors of the rows of a fold, which the trees have not seen, by cost. */
static void try_fold(struct arena *arena, const struct tree_data *data, const uint32_t *fold, uint32_t left_out,
                     const struct tree_limits *limits, const double *costs, uint32_t cost_count, double *sums,
                     double *squares) {
  bool *used = ARENA_ARRAY(arena, bool, data->rows);
  uint32_t count = 0;
  for (uint32_t r = 0; r < data->rows; r++)
    count += used[r] = fold[r] != left_out;
  if (!count) return;
  struct tree tree = tree_grow(arena, data, used, limits);
  for (uint32_t c = 0; c < cost_count; c++) {
    double between = c + 1 < cost_count ? sqrt(costs[c] * costs[c + 1]) : INFINITY;
    double part = count / (double)data->rows; /* costs are of sums over cases */
    struct tree pruned = tree_prune(arena, &tree, between * part);
    for (uint32_t r = 0; r < data->rows; r++) {
      if (used[r]) continue;
      double error = squared_error(&pruned, data, r);
      sums[c] += error;
      squares[c] += error * error;
    }
  }
}

struct tree tree_validated(struct arena *arena, const struct tree_data *data, const uint32_t *fold, uint32_t folds,
                           const struct tree_limits *limits, double *error) {
  struct tree tree = tree_grow(arena, data, NULL, limits);
  uint32_t cost_count, best = 0;
  double *costs = costs_of(arena, &tree, &cost_count), n = data->rows;
  double *sums = ARENA_ARRAY(arena, double, cost_count), *squares = ARENA_ARRAY(arena, double, cost_count);
  for (uint32_t k = 0; k < folds; k++)
    try_fold(arena, data, fold, k, limits, costs, cost_count, sums, squares);
  for (uint32_t c = 1; c < cost_count; c++)
    if (sums[c] <= sums[best]) best = c;
  double mean = sums[best] / n, deviation = sqrt(fmax(0, squares[best] / n - mean * mean) / n);
  for (uint32_t c = cost_count; c-- > best;)
    if (sums[c] / n <= mean + deviation) {
      best = c;
      break;
    }
  *error = sums[best] / n;
  return tree_prune(arena, &tree, best + 1 < cost_count ? sqrt(costs[best] * costs[best + 1]) : INFINITY);
}
