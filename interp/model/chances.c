/* Chances of which one is taken: see chances.h. The check, the executor and the analyses of queueing networks share
 * what they may be. */
#include "interp/model/chances.h"

#include <math.h>

static const double tolerance = 1e-9; /* of the sum: 1/3 three times is a little less than 1 */

const char *chances_wrong(struct arena *arena, const double *chances, uint32_t count, uint32_t *at) {
  double sum = 0;
  for (*at = 0; *at < count; ++*at) {
    if (!(chances[*at] >= 0 && chances[*at] <= 1))
      return arena_printf(arena, "a chance is from 0 to 1: this is %g", chances[*at]);
    sum += chances[*at];
  }
  if (fabs(sum - 1) <= tolerance) return NULL;
  if (sum > 1) return arena_printf(arena, "the chances must come to 1: they come to %.10g", sum);
  return arena_printf(arena,
                      "the chances must come to 1: they come to %.10g, and the rest is a part of its own: %.10g { }",
                      sum, 1 - sum);
}

uint32_t chances_take(const double *chances, uint32_t count, double number) {
  uint32_t last = 0;
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (chances[i] == 0) continue;
    sum += chances[i];
    last = i;
    if (number < sum) break;
  }
  return last; /* that of what rounding leaves to 1, too */
}
