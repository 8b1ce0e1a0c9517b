/* Network interfaces: each has two halves, one that sends and one that receives, which take one message after another.
 * Between them the network has room for all. */
#ifndef PSL_NETWORKS_INTERFACES_H
#define PSL_NETWORKS_INTERFACES_H
#include "interp/include/evaluator.h"

enum half { HALF_SENDS, HALF_RECEIVES, HALVES };
enum { BUSIEST_HALVES = 3 };

struct interfaces;
struct interfaces_told { /* by one partition to who has all in the end */
  uint64_t sent, delayed;
  struct busy_half {
    uint32_t half;
    double busy; /* s */
  } busiest[BUSIEST_HALVES];
  uint32_t count;
};
struct interfaces *interfaces_open(struct psl_host *);
/* The calling process waits, in order, until that half of the interface is free, which then is busy for so long, s. In a
 * run in partitions the interface belongs to that of the rank. */
enum psl_status interfaces_take(struct interfaces *, struct psl_call *, uint32_t number, enum half, double busy,
                                uint32_t rank);
/* The process has left an interface in another partition, to enter one here. */
void interfaces_moved(struct interfaces *, uint32_t process, const struct psl_arrival *);
void interfaces_sum(const struct interfaces *, struct interfaces_told *);
void interfaces_add(struct interfaces *, const struct interfaces_told *);
size_t interfaces_statistics(const struct interfaces *, struct psl_statistic *out, size_t capacity);
#endif
