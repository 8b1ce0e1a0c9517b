/* Locks are found by window and memory; those who wait for one stand in its line. As many have it together as do not
 * want it alone, and nobody gets it before who has come earlier. */
#include "evaluators/programs/locks.h"
#include "interp/include/evaluator.h"

enum { LISTS = 1 << 10 };

struct waiter {
  struct waiter *next;
  int32_t rank;
  bool alone;
};
struct lock {
  struct lock *next;
  int64_t window;
  int32_t memory;
  bool alone; /* one has it for itself */
  uint64_t holders;
  struct waiter *first, *last;
};
struct locks {
  struct psl_host *host;
  struct waiter *spare;
  struct lock *lists[LISTS];
};

struct locks *locks_open(struct psl_host *host) {
  struct locks *locks = host->allocate(host, sizeof *locks);
  locks->host = host;
  return locks;
}

static struct lock *lock_of(struct locks *locks, int64_t window, int32_t memory) {
  uint64_t key = (uint64_t)window << 32 ^ (uint32_t)memory;
  struct lock **list = &locks->lists[key * 0x9e3779b97f4a7c15u >> 54], *lock = *list;
  while (lock && (lock->window != window || lock->memory != memory))
    lock = lock->next;
  if (lock) return lock;
  lock = locks->host->allocate(locks->host, sizeof *lock);
  *lock = (struct lock){.next = *list, .window = window, .memory = memory};
  return *list = lock;
}

static bool given(struct lock *lock, bool alone) {
  if (lock->alone || (alone && lock->holders)) return false;
  lock->holders++;
  lock->alone = alone;
  return true;
}

bool lock_take(struct locks *locks, int64_t window, int32_t memory, int32_t rank, bool alone) {
  struct lock *lock = lock_of(locks, window, memory);
  if (!lock->first && given(lock, alone)) return true;
  struct waiter *waiter = locks->spare;
  if (waiter)
    locks->spare = waiter->next;
  else
    waiter = locks->host->allocate(locks->host, sizeof *waiter);
  *waiter = (struct waiter){.rank = rank, .alone = alone};
  *(lock->first ? &lock->last->next : &lock->first) = waiter;
  lock->last = waiter;
  return false;
}

void lock_leave(struct locks *locks, int64_t window, int32_t memory) {
  struct lock *lock = lock_of(locks, window, memory);
  if (lock->holders) lock->holders--;
  lock->alone = false;
}

int32_t lock_next(struct locks *locks, int64_t window, int32_t memory) {
  struct lock *lock = lock_of(locks, window, memory);
  struct waiter *waiter = lock->first;
  if (!waiter || !given(lock, waiter->alone)) return -1;
  lock->first = waiter->next;
  waiter->next = locks->spare;
  locks->spare = waiter;
  return waiter->rank;
}
