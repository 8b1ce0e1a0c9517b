/* Who waits for the arm of a disk stands in an array, in order of cylinders. */
#include "evaluators/storage/arm.h"
#include <string.h>

enum { FIRST_ROOM = 8 };

static bool is_before(const struct arm_request *a, int64_t key, uint64_t order) {
  return a->key < key || (a->key == key && a->order < order);
}

/* How many of those in line stand before that one. */
static uint32_t place_of(const struct arm *arm, int64_t key, uint64_t order) {
  uint32_t low = 0, high = arm->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (is_before(&arm->requests[arm->first + middle], key, order))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void make_room(struct psl_host *host, struct arm *arm) {
  if (arm->first + arm->count < arm->room) return;
  if (arm->first > arm->room / 2) {
    memmove(arm->requests, arm->requests + arm->first, arm->count * sizeof *arm->requests);
  } else {
    arm->room = arm->room ? 2 * arm->room : FIRST_ROOM;
    struct arm_request *more = host->allocate(host, arm->room * sizeof *more);
    if (arm->count) memcpy(more, arm->requests + arm->first, arm->count * sizeof *more);
    arm->requests = more;
  }
  arm->first = 0;
}

void arm_enter(struct psl_host *host, struct arm *arm, int64_t cylinder, uint32_t process) {
  make_room(host, arm);
  int64_t key = arm->discipline == ARM_FCFS ? 0 : cylinder;
  uint32_t place = place_of(arm, key, arm->order);
  struct arm_request *at = arm->requests + arm->first + place;
  memmove(at + 1, at, (arm->count - place) * sizeof *at);
  *at = (struct arm_request){key, cylinder, arm->order++, process};
  arm->count++;
}

static struct arm_request take(struct arm *arm, uint32_t place) {
  struct arm_request *at = arm->requests + arm->first + place, taken = *at;
  if (!place)
    arm->first++;
  else
    memmove(at, at + 1, (arm->count - place - 1) * sizeof *at);
  arm->count--;
  return taken;
}

/* The first one of the cylinder below which are those before `place`. */
static uint32_t below(const struct arm *arm, uint32_t place) {
  return place_of(arm, arm->requests[arm->first + place - 1].key, 0);
}

static uint32_t nearest(const struct arm *arm, uint32_t above) {
  if (above == arm->count) return below(arm, above);
  if (!above) return above;
  const struct arm_request *up = &arm->requests[arm->first + above];
  uint32_t under = below(arm, above);
  const struct arm_request *down = &arm->requests[arm->first + under];
  int64_t up_way = up->key - arm->cylinder, down_way = arm->cylinder - down->key;
  return up_way < down_way || (up_way == down_way && up->order < down->order) ? above : under;
}

struct arm_request arm_next(struct arm *arm) {
  uint32_t above = place_of(arm, arm->cylinder, 0); /* the first one here or ahead */
  bool here = above < arm->count && arm->requests[arm->first + above].key == arm->cylinder;
  switch (arm->discipline) {
  case ARM_SSTF: return take(arm, nearest(arm, above));
  case ARM_SCAN:
    if (here) return take(arm, above);
    if (arm->downwards ? !above : above == arm->count) arm->downwards = !arm->downwards;
    return take(arm, arm->downwards ? below(arm, above) : above);
  case ARM_C_SCAN: return take(arm, above < arm->count ? above : 0);
  case ARM_FCFS:
  case ARM_DISCIPLINES: break;
  }
  return take(arm, 0);
}

bool arm_leave(struct arm *arm, uint32_t process) {
  for (uint32_t i = 0; i < arm->count; i++)
    if (arm->requests[arm->first + i].process == process) {
      take(arm, i);
      return true;
    }
  return false;
}
