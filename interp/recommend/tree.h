/* Trees of binary splits that say what cases have in common: classification and regression trees.
 *
 * L. Breiman, J. Friedman, R. Olshen, C. Stone: Classification and Regression Trees, 1984. A node is split where the
 * sum of squared deviations from the mean of each side is least (chapter 8); of classes, each a target of 0 and 1 of
 * its own, that sum is the number of cases times Gini's index (chapter 4). Words are put in the order of their
 * means, in which the best split into two sets is one of neighbours (section 9.4; of several targets each in
 * turn gives an order). A tree that has grown is pruned where it gains least by its leaves (chapter 3).
 *
 * Numbers only; no model, no text. What is equally good is decided by the order of features and values. */
#ifndef PSL_RECOMMEND_TREE_H
#define PSL_RECOMMEND_TREE_H
#include "grammar/arena.h"

enum { TREE_WORDS = 64 }; /* that a feature has at most, numbered from 0 */

struct tree_data {
  uint32_t rows, features, targets;
  const double *x;          /* by row and feature; a word's number */
  const bool *named;        /* by feature: its values are words */
  const double *y;          /* by row and target */
  uint32_t **ordered;       /* by feature: the rows by its values; tree_order makes these */
  struct tree_space *space; /* that trees grow in, one after another */
};
/* Sorts the rows by each feature, ties by the row, and makes room to grow trees in. */
void tree_order(struct arena *arena, struct tree_data *data);

/* The numbers below `count` in an order that has nothing to do with theirs, and is always the same. */
uint32_t *tree_shuffled(struct arena *arena, uint32_t count);

struct tree_node {
  uint32_t feature;     /* TREE_LEAF: none */
  double split;         /* those of at most this go left, */
  uint64_t words;       /* or of a feature of words these, a bit each */
  uint32_t left, right; /* nodes */
  uint32_t parent;      /* of the first itself */
  uint32_t count;       /* cases */
  const double *mean;   /* by target */
  double squares;       /* of deviations from the means, in sum over cases and targets */
};
enum { TREE_LEAF = UINT32_MAX };
struct tree {
  struct tree_node *nodes; /* the first is the root; a node stands before those below it */
  uint32_t count, capacity;
};

struct tree_limits {
  uint32_t depth; /* splits on the way to a leaf at most */
  uint32_t least; /* cases in a leaf */
};
/* Grows a tree over the rows of which used[row]; used NULL: all. */
struct tree tree_grow(struct arena *arena, const struct tree_data *data, const bool *used,
                      const struct tree_limits *limits);
/* The leaf that a row of features falls into. */
const struct tree_node *tree_leaf(const struct tree *tree, const double *x);
bool tree_goes_left(const struct tree_node *node, double value);
/* The tree without splits that gain no more than `cost` a leaf, the weakest first. */
struct tree tree_prune(struct arena *arena, const struct tree *tree, double cost);
/* Grows a tree and prunes it to the smallest whose cross-validated error is within one standard error of the least:
 * fold[row] of `folds` says with which rows one is left out. *error: that mean squared error a row. */
struct tree tree_validated(struct arena *arena, const struct tree_data *data, const uint32_t *fold, uint32_t folds,
                           const struct tree_limits *limits, double *error);
#endif
