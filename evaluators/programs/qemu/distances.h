/* Stack distances: how many other lines were used since a line was used last. A cache that replaces the line used
 * longest ago, with lines in one set, hits where that is less than it has lines. Mattson, Gecsei, Slutz, Traiger:
 * Evaluation techniques for storage hierarchies, IBM Systems Journal 9(2), 1970. */
#ifndef PSL_DISTANCES_H
#define PSL_DISTANCES_H
#include <stdbool.h>
#include <stdint.h>

#define DISTANCE_NEVER UINT64_MAX /* the line was not used before */

struct distances;

/* Of the lines whose hash is one of so many, 1: of all; what is found is multiplied by that (SHARDS: Waldspurger et
 * al., FAST 2015). NULL: memory does not suffice. */
struct distances *distances_open(uint64_t one_of);
/* A line is one of them if its hash is not above the limit. */
uint64_t distances_limit(const struct distances *distances);
static inline uint64_t distances_hash(uint64_t line) {
  line ^= line >> 31;
  line *= 0x7fb5d329728ea185u;
  line ^= line >> 27;
  line *= 0x81dadef4bc2dd44du;
  return line ^ line >> 33;
}
/* The distance of such a line, whose last use is now. False: memory does not suffice. */
bool distances_use(struct distances *distances, uint64_t line, uint64_t *distance);
uint64_t distances_lines(const struct distances *distances); /* how many there are, of those that are sampled */
void distances_close(struct distances *distances);
#endif
