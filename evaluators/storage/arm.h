/* The arm of a disk, and who waits for it: which request is next, by queue disciplines. It knows nothing of time. */
#ifndef PSL_STORAGE_ARM_H
#define PSL_STORAGE_ARM_H
#include "interp/include/evaluator.h"

/* SSTF: the nearest cylinder. SCAN: the nearest one in the direction in which the arm moves, which turns where nobody
 * waits ahead (often called LOOK). C-SCAN: the nearest one upwards, and from the last one back to the first. Of
 * requests that are as near the one is next that has come first. */
enum arm_discipline { ARM_FCFS, ARM_SSTF, ARM_SCAN, ARM_C_SCAN, ARM_DISCIPLINES };

struct arm_request {
  int64_t key; /* the cylinder; of FCFS 0 */
  int64_t cylinder;
  uint64_t order;
  uint32_t process;
};
struct arm {
  enum arm_discipline discipline;
  bool busy, downwards;
  int64_t cylinder;             /* where it is, or was when it became busy */
  struct arm_request *requests; /* in line, by key and order, from `first` on */
  uint32_t first, count, room;
  uint64_t order;
};

void arm_enter(struct psl_host *host, struct arm *arm, int64_t cylinder, uint32_t process);
/* Takes the next one out of the line, where there is one. */
struct arm_request arm_next(struct arm *arm);
/* Takes that process out of the line; false: it is not there. */
bool arm_leave(struct arm *arm, uint32_t process);
#endif
