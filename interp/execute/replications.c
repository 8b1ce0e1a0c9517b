/* Independent replications of a network's run: each figure's mean over the runs and its interval by Student's t.
 * Called by run_graph. */
#include "interp/execute/steady.h"
#include "interp/include/psl.h"
#include "interp/statistics/tally.h"
#include <math.h>
#include <string.h>

enum { OF_CLASS = 2, OF_STATION = 4, OF_CELL = 4 }; /* estimates */

size_t network_estimate_count(const struct psl_queueing *network) {
  return OF_CLASS * network->class_count + OF_STATION * network->station_count +
         OF_CELL * network->station_count * network->class_count + network->part_count * network->response_count;
}

struct psl_estimate *network_estimate(struct psl_queueing *network, size_t k) {
  if (k < OF_CLASS * network->class_count) {
    struct psl_queueing_class *class = &network->classes[k / OF_CLASS];
    return k % OF_CLASS ? &class->response : &class->throughput;
  }
  k -= OF_CLASS * network->class_count;
  if (k < OF_STATION * network->station_count) {
    struct psl_queueing_station *station = &network->stations[k / OF_STATION];
    struct psl_estimate *const all[] = {&station->throughput, &station->queue, &station->utilisation,
                                        &station->response};
    return all[k % OF_STATION];
  }
  k -= OF_STATION * network->station_count;
  size_t of_cells = OF_CELL * network->station_count * network->class_count;
  if (k >= of_cells)
    return &network->responses[(k - of_cells) / network->part_count].percentiles[(k - of_cells) % network->part_count];
  struct psl_queueing_cell *cell = &network->cells[k / OF_CELL];
  struct psl_estimate *const all[] = {&cell->throughput, &cell->response, &cell->queue, &cell->utilisation};
  return all[k % OF_CELL];
}

static void *copy(struct arena *arena, const void *from, size_t size) {
  void *to = arena_alloc(arena, size);
  if (size) memcpy(to, from, size);
  return to;
}

struct psl_queueing *replications_join(struct arena *arena, struct psl_queueing *const *runs, size_t count) {
  const struct psl_queueing *first = runs[0];
  struct psl_queueing *joined = copy(arena, first, sizeof *first);
  size_t cells = first->station_count * first->class_count;
  joined->classes = copy(arena, first->classes, first->class_count * sizeof *first->classes);
  joined->stations = copy(arena, first->stations, first->station_count * sizeof *first->stations);
  joined->cells = copy(arena, first->cells, cells * sizeof *first->cells);
  joined->responses = copy(arena, first->responses, first->response_count * sizeof *first->responses);
  for (size_t r = 0; r < first->response_count; r++)
    joined->responses[r].percentiles =
        copy(arena, first->responses[r].percentiles, first->part_count * sizeof *first->responses[r].percentiles);
  joined->replications = count;
  for (size_t k = 0; k < network_estimate_count(joined); k++) {
    struct tally tally = {0};
    for (size_t r = 0; r < count; r++)
      tally_add(&tally, network_estimate(runs[r], k)->value);
    double half = tally_half_width(&tally, joined->confidence);
    *network_estimate(joined, k) = (struct psl_estimate){tally.mean, tally.mean - half, tally.mean + half};
  }
  return joined;
}

static bool is_narrow(const struct psl_queueing *joined, const struct psl_estimate *estimate) {
  return estimate->high - estimate->value <= joined->half_width * fabs(estimate->value);
}

/* Of single cycles, where they were asked for; a class may have none. */
static bool percentiles_narrow(const struct psl_queueing *joined) {
  for (size_t r = 0; joined->parts_asked && r < joined->response_count; r++) {
    const struct psl_queueing_response *row = &joined->responses[r];
    for (size_t p = 0; !row->visit && !row->any && p < joined->part_count; p++)
      if (!isnan(row->percentiles[p].value) && !is_narrow(joined, &row->percentiles[p])) return false;
  }
  return true;
}

bool replications_narrow(const struct psl_queueing *joined) {
  for (size_t c = 0; c < joined->class_count; c++) {
    const struct psl_estimate *all[] = {&joined->classes[c].throughput, &joined->classes[c].response};
    for (int k = 0; k < 2; k++)
      if (!is_narrow(joined, all[k])) return false;
  }
  return percentiles_narrow(joined);
}
