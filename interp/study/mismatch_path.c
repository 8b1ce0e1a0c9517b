/* The whole difference of a measured and a predicted run: their critical paths, each of which is as long as its run, by
 * what they spend time for and by region. So much of a part is named as ranks differ there beyond their spread. */
#include "grammar/map.h"
#include "interp/study/mismatch.h"

#include <math.h>
#include <stdlib.h>

#define MUCH 0.5 /* of what is not named: a difference of a rank that tells why */

static const struct path *path_of(const struct mismatch *m, int side) {
  const struct profile *profile = &m->profiles[side];
  return history_path(profile->history, profile->last);
}

static void parts_add(struct mismatch *m, struct map *map, int side) {
  const struct path *path = path_of(m, side);
  for (uint32_t k = 0; path && k < path->count; k++) {
    const struct path_part *part = &path->parts[k];
    uint32_t region = m->region_of[side][part->region];
    bool known;
    uint32_t at = map_add(&m->psl->work, map, (uint64_t)region * SPENT_KINDS + part->spent, m->part_count, &known);
    if (!known)
      ARENA_PUSH(&m->psl->work, m->parts, m->part_count, m->part_capacity,
                 ((struct mismatch_part){.region = region, .spent = part->spent}));
    m->parts[at].path[side] += part->seconds;
  }
}

/* Where a tenth of the samples or less makes the difference, by being far longer than any of the other run; else NULL.
 * If k samples of one length make a difference d, squares are d^2 / k. */
static const char *few_take(const struct mismatch *m, const struct amount *amount) {
  double difference = amount_difference(amount);
  int side = difference > 0 ? MEASURED : PREDICTED;
  double few = fmax(1, rint(difference * difference / amount->squares[side]));
  double longer = few * (amount->longest[side] - amount->longest[!side]);
  if (!(10 * few <= amount->count[side] && longer >= MUCH * fabs(difference))) return NULL;
  return arena_printf(&m->psl->work, "%.0f of %.0f take%s it%s, far longer than the others", few, amount->count[side],
                      few > 1 ? "" : "s", side == PREDICTED ? " in the prediction" : "");
}

/* Of what there is one of on each rank: how far apart it is. */
static const char *how_far(const struct mismatch *m, const struct mismatch_row *row) {
  double times = row->amount.total[MEASURED] / row->amount.total[PREDICTED];
  if (!(times > 0 && isfinite(times))) return "each once: how far it spreads is not known";
  return arena_printf(&m->psl->work, "each once, on rank %u %.3g times as long: how far it spreads is not known",
                      row->rank, times);
}

/* Why a difference of a rank is not named. */
static const char *why_not(const struct mismatch *m, const struct mismatch_row *row) {
  const struct amount *amount = &row->amount;
  const char *few = amount->spread == SPREAD_WITHIN ? few_take(m, amount) : NULL;
  if (few) return few;
  switch (amount->spread) {
  case SPREAD_UNKNOWN: return how_far(m, row);
  case SPREAD_FEW: return "too few of each to know how far it spreads";
  case SPREAD_WITHIN: return "not beyond its spread";
  case SPREAD_BEYOND: break;
  }
  return arena_printf(&m->psl->work, "less than %.4g %% of the measured time on each rank", 100 * m->least);
}

/* Rows that differ as the part does: those that are named make so much of it, the greatest of the others tells why that
 * is not all. */
static void part_judge(struct mismatch *m, struct mismatch_part *part) {
  double difference = mismatch_part_difference(part), sign = difference < 0 ? -1 : 1, named = 0, most = 0;
  const struct mismatch_row *telling = NULL;
  for (uint32_t k = 0; k < m->row_count; k++) {
    const struct mismatch_row *row = &m->rows[k];
    double of_row = sign * amount_difference(&row->amount);
    if (row->spent != part->spent || row->region != part->region || of_row <= 0) continue;
    const struct amount *of_rank = &m->of_ranks[row->rank * SPENT_KINDS + row->spent];
    if (row->amount.beyond || (of_rank->beyond && sign * amount_difference(of_rank) > 0))
      named += of_row;
    else if (of_row > most)
      most = of_row, telling = row;
  }
  part->named = named > fabs(difference) - ROUNDING ? difference : sign * named;
  if (part->named == difference) return;
  double rest = fabs(difference - part->named);
  bool tells = telling && most >= MUCH * rest;
  if (tells && rest >= m->least * mismatch_whole(m))
    m->unknown |= telling->amount.spread == SPREAD_UNKNOWN || telling->amount.spread == SPREAD_FEW;
  part->why = tells ? why_not(m, telling) : "the path leads through whichever rank is last";
}

static int by_difference(const void *left, const void *right) {
  const struct mismatch_part *a = left, *b = right;
  double x = fabs(mismatch_part_difference(a)), y = fabs(mismatch_part_difference(b));
  if (x != y) return x > y ? -1 : 1;
  if (a->spent != b->spent) return a->spent < b->spent ? -1 : 1;
  return a->region < b->region ? -1 : a->region > b->region;
}

void mismatch_paths(struct mismatch *m) {
  struct map map = {0};
  for (int side = 0; side < SIDES; side++)
    parts_add(m, &map, side);
  for (uint32_t k = 0; k < m->part_count; k++)
    part_judge(m, &m->parts[k]);
  if (m->part_count) qsort(m->parts, m->part_count, sizeof *m->parts, by_difference);
}
