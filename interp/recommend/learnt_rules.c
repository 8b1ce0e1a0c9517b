/* Rules: the leaves of classification trees, and associations by Apriori. */
#include "interp/recommend/learnt_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rule_applies(const struct recommend_rule *rule, const double *x) {
  for (uint32_t c = 0; c < rule->when_count; c++) {
    const struct rule_condition *when = &rule->when[c];
    double value = x[when->feature];
    bool holds = when->words ? value >= 0 && value < TREE_WORDS && (when->words >> (unsigned)value & 1)
                             : value > when->low && value <= when->high;
    if (!holds) return false;
  }
  return true;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/* The different ones, sorted in place. */
static uint32_t distinct(double *values, uint32_t count) {
  uint32_t kept = 0;
  qsort(values, count, sizeof *values, by_value);
  for (uint32_t i = 0; i < count; i++)
    if (!kept || values[i] != values[kept - 1]) values[kept++] = values[i];
  return kept;
}

/* ---- trees ---- */

/* Adds what a split says of a feature to the conditions that are there. */
static bool add_condition(struct recommend_rule *rule, const struct tree_node *node, bool left, uint64_t all) {
  struct rule_condition *when = NULL;
  for (uint32_t c = 0; c < rule->when_count && !when; c++)
    if (rule->when[c].feature == node->feature) when = &rule->when[c];
  if (!when && rule->when_count == RULE_CONDITIONS) return false;
  if (!when) {
    when = &rule->when[rule->when_count++];
    *when = (struct rule_condition){node->feature, -INFINITY, INFINITY, node->words ? all : 0};
  }
  if (node->words)
    when->words &= left ? node->words : ~node->words;
  else if (left)
    when->high = fmin(when->high, node->split);
  else
    when->low = fmax(when->low, node->split);
  return true;
}

/* The words that a feature has in the table. */
static uint64_t words_of(const struct rule_table *table, uint32_t feature) {
  uint64_t words = 0;
  for (uint32_t r = 0; r < table->rows && table->named[feature]; r++)
    words |= UINT64_C(1) << (unsigned)table->x[(size_t)r * table->features + feature];
  return words;
}

struct classifying {
  struct arena *arena;
  const struct rule_table *table;
  const struct tree *tree;
  const double *classes;
  const double *share; /* by class: of all problems */
  uint32_t class_count, then;
  struct recommend_rules *out;
};

/* The class that most cases of the leaf are of, the first of equal ones. */
static void add_leaf(struct classifying *c, uint32_t at) {
  const struct tree_node *leaf = &c->tree->nodes[at];
  struct recommend_rule rule = {.then = c->then, .cases = leaf->count};
  uint32_t class = 0;
  for (uint32_t k = 1; k < c->class_count; k++)
    if (leaf->mean[k] > leaf->mean[class]) class = k;
  for (uint32_t node = at; node;) {
    uint32_t parent = c->tree->nodes[node].parent;
    const struct tree_node *split = &c->tree->nodes[parent];
    if (!add_condition(&rule, split, split->left == node, words_of(c->table, split->feature))) return;
    node = parent;
  }
  rule.value = c->classes[class];
  rule.holds = (uint32_t)lround(leaf->mean[class] * leaf->count);
  rule.confidence = leaf->mean[class];
  rule.support = (double)rule.holds / c->table->rows;
  rule.lift = rule.confidence / c->share[class];
  ARENA_PUSH(c->arena, c->out->items, c->out->count, c->out->capacity, rule);
}

void rules_classify(struct arena *arena, const struct rule_table *problems, const double *best, uint32_t then,
                    struct recommend_rules *out) {
  enum { FOLDS = 10 };
  uint32_t rows = problems->rows;
  double *classes = ARENA_ARRAY(arena, double, rows + 1);
  memcpy(classes, best, rows * sizeof *classes);
  uint32_t count = distinct(classes, rows);
  double *targets = ARENA_ARRAY(arena, double, (size_t)rows *count + 1), *share = ARENA_ARRAY(arena, double, count + 1);
  uint32_t *fold = ARENA_ARRAY(arena, uint32_t, rows + 1), *place = tree_shuffled(arena, rows);
  for (uint32_t r = 0; r < rows; r++) {
    fold[r] = place[r] % FOLDS;
    for (uint32_t k = 0; k < count; k++) {
      targets[(size_t)r * count + k] = best[r] == classes[k];
      share[k] += (best[r] == classes[k]) / (double)rows;
    }
  }
  out->problems = rows;
  if (rows < 2 || count > TREE_WORDS || !problems->features) return;
  struct tree_data data = {rows, problems->features, count, problems->x, problems->named, targets};
  struct tree_limits limits = {.depth = 6, .least = rows / 20 > 2 ? rows / 20 : 2};
  double error;
  tree_order(arena, &data);
  struct tree tree = tree_validated(arena, &data, fold, FOLDS, &limits, &error);
  struct classifying c = {arena, problems, &tree, classes, share, count, then, out};
  for (uint32_t n = 0; n < tree.count; n++)
    if (tree.nodes[n].feature == (uint32_t)TREE_LEAF) add_leaf(&c, n);
}

/* ---- associations ---- */

struct item {
  struct rule_condition when;
  uint64_t *rows; /* a bit each */
};
struct set { /* of items that stand together in cases enough */
  uint32_t items[ASSOCIATION_ITEMS], count;
  uint64_t *rows;
  uint32_t cases, holds;
};
struct associating {
  struct arena *arena;
  const struct rule_table *table;
  uint32_t wide;  /* of a set of rows, in words of 64 bits */
  uint64_t *good; /* rows */
  struct item *items;
  uint32_t item_count, item_capacity;
  struct set *sets;
  uint32_t set_count, set_capacity;
  uint32_t least; /* cases that a rule holds for */
};

static uint32_t count_bits(const uint64_t *rows, uint32_t wide) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < wide; w++)
    count += (uint32_t)__builtin_popcountll(rows[w]);
  return count;
}

static void add_item(struct associating *a, struct rule_condition when) {
  const struct rule_table *table = a->table;
  struct item item = {when, ARENA_ARRAY(a->arena, uint64_t, a->wide)};
  struct recommend_rule rule = {.when = {when}, .when_count = 1};
  for (uint32_t r = 0; r < table->rows; r++)
    if (rule_applies(&rule, table->x + (size_t)r * table->features)) item.rows[r / 64] |= UINT64_C(1) << r % 64;
  uint32_t count = count_bits(item.rows, a->wide);
  if (count < table->rows) ARENA_PUSH(a->arena, a->items, a->item_count, a->item_capacity, item);
}

/* What can be said of a feature: each of its words or few values, or in which third of the cases it is. */
static void add_items(struct associating *a, uint32_t feature) {
  enum { VALUES = 6, PARTS = 3 };
  const struct rule_table *table = a->table;
  double *values = ARENA_ARRAY(a->arena, double, table->rows + 1), *sorted;
  for (uint32_t r = 0; r < table->rows; r++)
    values[r] = table->x[(size_t)r * table->features + feature];
  sorted = ARENA_ARRAY(a->arena, double, table->rows + 1);
  memcpy(sorted, values, table->rows * sizeof *sorted);
  uint32_t count = distinct(values, table->rows);
  bool few = count <= VALUES || table->named[feature];
  for (uint32_t v = 0; few && v < count; v++) {
    uint64_t words = table->named[feature] ? UINT64_C(1) << (unsigned)values[v] : 0;
    add_item(a, (struct rule_condition){feature, v ? values[v - 1] : -INFINITY, v + 1 < count ? values[v] : INFINITY,
                                        words});
  }
  if (few) return;
  double below = -INFINITY;
  qsort(sorted, table->rows, sizeof *sorted, by_value);
  for (uint32_t k = 1; k <= PARTS; k++) {
    double above = k == PARTS ? INFINITY : sorted[(size_t)table->rows * k / PARTS];
    if (above <= below) continue;
    add_item(a, (struct rule_condition){feature, below, above, 0});
    below = above;
  }
}

/* Adds the set where it holds for cases enough. */
static void add_set(struct associating *a, const struct set *smaller, uint32_t item) {
  struct set set = smaller ? *smaller : (struct set){0};
  uint64_t *rows = ARENA_ARRAY(a->arena, uint64_t, a->wide);
  for (uint32_t w = 0; w < a->wide; w++) {
    rows[w] = a->items[item].rows[w] & (smaller ? smaller->rows[w] : UINT64_MAX);
    set.cases = (w ? set.cases : 0) + (uint32_t)__builtin_popcountll(rows[w]);
    set.holds = (w ? set.holds : 0) + (uint32_t)__builtin_popcountll(rows[w] & a->good[w]);
  }
  if (set.holds < a->least) return;
  set.rows = rows;
  set.items[set.count++] = item;
  ARENA_PUSH(a->arena, a->sets, a->set_count, a->set_capacity, set);
}

/* Level by level: a set is made of one that is frequent and a later item of another feature. */
static void find_sets(struct associating *a) {
  uint32_t begin = 0;
  for (uint32_t i = 0; i < a->item_count; i++)
    add_set(a, NULL, i);
  for (uint32_t level = 1; level < ASSOCIATION_ITEMS; level++) {
    uint32_t end = a->set_count;
    for (; begin < end; begin++) {
      struct set smaller = a->sets[begin];
      uint32_t last = smaller.items[smaller.count - 1];
      for (uint32_t i = last + 1; i < a->item_count; i++)
        if (a->items[i].when.feature != a->items[last].when.feature) add_set(a, &smaller, i);
    }
  }
}

static bool is_within(const struct set *smaller, const struct set *larger) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < larger->count && found < smaller->count; i++)
    found += larger->items[i] == smaller->items[found];
  return found == smaller->count;
}

/* Does a shorter one say as much? */
static bool is_told(const struct associating *a, const struct set *set) {
  for (uint32_t s = 0; s < a->set_count && a->sets[s].count < set->count; s++) {
    const struct set *other = &a->sets[s];
    if ((uint64_t)other->holds * set->cases >= (uint64_t)set->holds * other->cases && is_within(other, set))
      return true;
  }
  return false;
}

static int by_worth(const void *left, const void *right) {
  const struct recommend_rule *a = left, *b = right;
  if (a->confidence != b->confidence) return a->confidence > b->confidence ? -1 : 1;
  if (a->holds != b->holds) return a->holds > b->holds ? -1 : 1;
  if (a->when_count != b->when_count) return a->when_count < b->when_count ? -1 : 1;
  for (uint32_t c = 0; c < a->when_count; c++) {
    const struct rule_condition *x = &a->when[c], *y = &b->when[c];
    if (x->feature != y->feature) return x->feature < y->feature ? -1 : 1;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->words != y->words) return x->words < y->words ? -1 : 1;
  }
  return 0;
}

static void take_rule(struct associating *a, const struct set *set, struct recommend_rules *out) {
  const struct rule_table *table = a->table;
  struct recommend_rule rule = {
      .association = true, .cases = set->cases, .holds = set->holds, .when_count = set->count};
  bool chosen = false;
  for (uint32_t i = 0; i < set->count; i++) {
    rule.when[i] = a->items[set->items[i]].when;
    chosen |= table->chosen[rule.when[i].feature];
  }
  rule.support = (double)set->holds / table->rows;
  rule.confidence = (double)set->holds / set->cases;
  rule.lift = rule.confidence * table->rows / out->good;
  if (!chosen || rule.confidence < 0.5 || rule.lift < 1.1 || is_told(a, set)) return;
  ARENA_PUSH(a->arena, out->items, out->count, out->capacity, rule);
}

void rules_associate(struct arena *arena, const struct rule_table *table, uint32_t most, struct recommend_rules *out) {
  struct associating a = {.arena = arena, .table = table, .wide = (table->rows + 63) / 64};
  uint32_t begin = out->count;
  out->cases = table->rows;
  if (!table->rows) return;
  a.good = ARENA_ARRAY(arena, uint64_t, a.wide);
  for (uint32_t r = 0; r < table->rows; r++)
    if (table->good[r]) a.good[r / 64] |= UINT64_C(1) << r % 64;
  out->good = count_bits(a.good, a.wide);
  a.least = table->rows / 50 > 5 ? table->rows / 50 : 5;
  for (uint32_t f = 0; f < table->features; f++)
    add_items(&a, f);
  find_sets(&a);
  for (uint32_t s = 0; s < a.set_count; s++)
    take_rule(&a, &a.sets[s], out);
  if (out->count > begin) qsort(out->items + begin, out->count - begin, sizeof *out->items, by_worth);
  if (out->count > begin + most) out->count = begin + most;
}
