/* What a partition of a run is made of: partitions.c and windows.c share it. */
#ifndef PSL_PARTITION_H
#define PSL_PARTITION_H
#include "interp/execute/exchange.h"
#include "interp/execute/partitions.h"
#include <stdatomic.h>

struct partition {
  struct psl_partition told;
  struct exchange *exchange;
  struct port *port;
  uint8_t *of_instance;     /* PSL_NO_PARTITION: it is none of what the system begins with */
  _Atomic uint8_t *changed; /* shared, by instance: what some partition has changed of it, enum touched; NULL: it is
                             * not known */
  _Atomic uint8_t *homes;   /* shared, with a lookahead: 1 + the partition of the place with that number; 0: of none */
  const bool *begins;       /* by accept: all that it does is to begin what is divided */
  double called, joined;    /* s: when all that is divided was called, and when all of this partition had answered; */
  uint32_t waiting;         /* the component that waits for that; UINT32_MAX: none does */
  unsigned said;            /* diagnostics */
  uint32_t turns;
  /* windows.c */
  bool over;                  /* nobody has anything left to do */
  double sent;                /* s: the least time of what has been sent in this window; infinity: nothing */
  double arrives;             /* of the process that moves now, */
  struct psl_arrival arrival; /* which the evaluator `moved` has made so */
  uint32_t evaluator;
};

/* ---- windows.c ---- */

enum { HOMES = 1 << 26 };    /* places that have a partition, at most */
enum { MOVED = UINT32_MAX }; /* in the place of an evaluator's number: the item is a process */
uint32_t partition_home(struct psl_host *host, uint32_t number, uint32_t partition); /* host->home */
/* A process has come from another partition. */
void process_come(struct executor *executor, const void *item, size_t size);
/* Takes one of the items that come. */
void partition_item_take(void *user, const void *item, size_t size);
#endif
