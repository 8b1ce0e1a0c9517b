/* Network interfaces: each has two halves, one that sends and one that receives, which take one message after another.
 * Between them the network has room for all. */
#ifndef PSL_NETWORKS_INTERFACES_H
#define PSL_NETWORKS_INTERFACES_H
#include "interp/include/evaluator.h"

enum half { HALF_SENDS, HALF_RECEIVES, HALVES };

struct interfaces;
struct interfaces *interfaces_open(struct psl_host *);
/* The calling process waits, in order, until that half of the interface is free, which then is busy for so long, s. */
enum psl_status interfaces_take(struct interfaces *, struct psl_call *, uint32_t number, enum half, double busy);
size_t interfaces_statistics(const struct interfaces *, struct psl_statistic *out, size_t capacity);
#endif
