/* Rules that a person can read, with how many cases they hold for.
 *
 * Of each param that is chosen a classification tree over problems says which of its values was best (Breiman et
 * al., 1984, pruned by cross-validation); each of its leaves is a rule. Beside these stand association rules, from
 * cases to whether they are as good as the best: R. Agrawal and R. Srikant, Fast Algorithms for Mining Association
 * Rules, VLDB 1994 (Apriori). Support is the part of all cases (of a tree: problems) that both sides of a rule hold
 * for, confidence the part of those of its left side for which the right one holds, lift that by the part of all for
 * which it does. */
#ifndef PSL_RECOMMEND_RULES_H
#define PSL_RECOMMEND_RULES_H
#include "interp/recommend/tree.h"

struct rule_condition {
  uint32_t feature;
  double low, high; /* low < x <= high */
  uint64_t words;   /* of a feature of words: these; 0: it is a number */
};
enum { RULE_CONDITIONS = 16, ASSOCIATION_ITEMS = 3 };

struct recommend_rule {
  struct rule_condition when[RULE_CONDITIONS];
  uint32_t when_count;
  bool association; /* then: as good as the best; else the feature `then` has the value */
  uint32_t then;
  double value;
  uint32_t cases, holds; /* of its left side, and of both */
  double support, confidence, lift;
};
struct recommend_rules {
  struct recommend_rule *items;
  uint32_t count, capacity;
  uint32_t cases, good; /* of associations */
  uint32_t problems;    /* of trees */
};

/* Does its left side hold for a row of features? */
bool rule_applies(const struct recommend_rule *rule, const double *x);

struct rule_table {
  uint32_t rows, features;
  const double *x;
  const bool *named;
  const bool *chosen; /* by feature: it is a choice; an association has one of these */
  const bool *good;   /* by row */
};
/* Adds the association rules of a table, the best first, at most so many. */
void rules_associate(struct arena *arena, const struct rule_table *table, uint32_t most, struct recommend_rules *out);
/* Adds the rules of a tree over problems that says which value of a choice was best: best[row], the choice being the
 * feature `then`. */
void rules_classify(struct arena *arena, const struct rule_table *problems, const double *best, uint32_t then,
                    struct recommend_rules *out);
#endif
