/* The groups of ranges that a run meets, and the bounds of its predicted time.  Called where ranges become numbers, and
 * by runs and solved networks for their bounds. */
#include "interp/evaluate/range_groups.h"

#include <math.h>
#include <string.h>

/* ---- sources ---- */

/* A setting is told by the param that it is of: studies set it anew at each point. */
uint64_t range_source(struct model *model, const struct symbol *owner, const struct expr *range) {
  struct range_sources *known = &model->range_sources;
  struct span whole = owner ? value_expr(owner)->span : (struct span){0};
  bool own = owner && range->span.begin >= whole.begin && range->span.end <= whole.end;
  uint32_t at = own ? range->span.begin - whole.begin : range->span.begin;
  if (known->checked != model->checked) *known = (struct range_sources){.checked = model->checked};
  uint32_t s = 0;
  owner = own ? owner : NULL;
  while (s < known->count && (known->sources[s].owner != owner || known->sources[s].at != at))
    s++;
  if (s == RANGE_SOURCES) return (uint64_t)1 << (RANGE_SOURCES - 1); /* the last ones are taken for one */
  if (s == known->count) {
    struct text text = {.arena = model->arena};
    if (own)
      text_put(&text, owner->name->text);
    else
      expr_format(&text, range);
    known->sources[known->count++] = (struct range_written){owner, at, text.data};
  }
  return (uint64_t)1 << s;
}

enum range_end range_groups_end(struct range_groups *groups, uint64_t sources) {
  for (uint32_t g = 0; g < groups->count; g++)
    if (groups->groups[g].sources == sources) return groups->groups[g].end;
  if (groups->count < RANGE_GROUPS)
    groups->groups[groups->count++] = (struct range_group){sources, RANGE_MIDDLE};
  else
    groups->more = true;
  return RANGE_MIDDLE;
}

/* ---- bounds ---- */

struct bounding {
  struct range_groups *groups;
  struct model *model;
  struct arena *arena;
  range_run *run;
  void *user;
  struct range_bounds *out;
};

static const char *group_name(const struct bounding *b, uint32_t group) {
  const struct range_sources *known = &b->model->range_sources;
  struct text text = {.arena = b->arena};
  for (uint32_t s = 0; s < known->count; s++)
    if (b->groups->groups[group].sources >> s & 1)
      text_printf(&text, "%s%s", text.size ? " with " : "", known->sources[s].text);
  return text.data;
}

/* Which groups are at an end: "x at its low end, y at its high end". */
static const char *ends_text(const struct bounding *b) {
  struct text text = {.arena = b->arena};
  for (uint32_t g = 0; g < b->groups->count; g++) {
    enum range_end end = b->groups->groups[g].end;
    if (end == RANGE_MIDDLE) continue;
    text_printf(&text, "%s%s at its %s end", text.size ? ", " : "with ", group_name(b, g),
                end == RANGE_LOW ? "low" : "high");
  }
  return text.data;
}

/* One more run, which widens the bounds; false where it has failed. */
static bool take(struct bounding *b, enum range_end end, double *time) {
  const char *with = end == RANGE_EACH  ? ends_text(b)
                     : end == RANGE_LOW ? "with all ranges at their low ends"
                                        : "with all ranges at their high ends";
  if (!b->run(b->user, end, with, time)) return false;
  bool known = !isnan(*time) && !isnan(b->out->low);
  b->out->low = known ? fmin(b->out->low, *time) : (double)NAN;
  b->out->high = known ? fmax(b->out->high, *time) : (double)NAN;
  return true;
}

static bool take_alone(struct bounding *b, uint32_t group, enum range_end end, double *time) {
  b->groups->groups[group].end = end;
  bool fine = take(b, RANGE_EACH, time);
  b->groups->groups[group].end = RANGE_MIDDLE;
  return fine;
}

static bool is_between(double low, double middle, double high) {
  double rounding = 1e-9 * fmax(low, high);
  return middle >= fmin(low, high) - rounding && middle <= fmax(low, high) + rounding;
}

static void warn_turning(const struct bounding *b, struct span place, uint32_t group) {
  const char *name = group_name(b, group);
  diagnostic_add(
      b->model->diagnostics, SEVERITY_WARNING, place,
      "the predicted time may lie outside of its bounds: with %s in the middle it does not lie between those "
      "with %s at its low and at its high end",
      name, name);
  diagnostic_help(b->model->diagnostics, (struct span){0, 0}, "'psl study' with --vary shows the times in between");
}

static void warn_many(const struct bounding *b, struct span place) {
  diagnostic_add(
      b->model->diagnostics, SEVERITY_WARNING, place,
      "the predicted time may lie outside of its bounds: there are too many ranges to move each by itself, and "
      "with all low and all high ends it is bounded only where it rises, or falls, with all of them");
  diagnostic_help(b->model->diagnostics, (struct span){0, 0},
                  "at most %d ranges, and sums and products of them, are moved so: --set gives some a number",
                  RANGE_GROUPS);
}

/* Each group by itself: falls[g] where the time falls as it rises. A group that is met only here is moved, too. */
static bool find_directions(struct bounding *b, struct span place, double middle, bool falls[RANGE_GROUPS],
                            bool *opposite) {
  bool some_rises = false, some_falls = false;
  for (uint32_t g = 0; g < b->groups->count; g++) {
    double low, high;
    if (!take_alone(b, g, RANGE_LOW, &low) || !take_alone(b, g, RANGE_HIGH, &high)) return false;
    if (isnan(b->out->low)) return true;
    falls[g] = high < low;
    some_rises |= high > low;
    some_falls |= high < low;
    if (!is_between(low, middle, high)) warn_turning(b, place, g);
  }
  *opposite = some_rises && some_falls;
  return true;
}

/* All groups where the time is least, then where it is greatest. */
static bool take_corners(struct bounding *b, const bool falls[RANGE_GROUPS]) {
  double time;
  for (int greatest = 0; greatest < 2; greatest++) {
    for (uint32_t g = 0; g < b->groups->count; g++)
      b->groups->groups[g].end = falls[g] == greatest ? RANGE_LOW : RANGE_HIGH;
    if (!take(b, RANGE_EACH, &time)) return false;
  }
  return true;
}

bool range_groups_bound(struct range_groups *groups, struct model *model, struct arena *arena, struct span place,
                        double middle, range_run *run, void *user, struct range_bounds *out) {
  struct bounding b = {groups, model, arena, run, user, out};
  bool falls[RANGE_GROUPS] = {0}, opposite = false;
  double low, high;
  *out = (struct range_bounds){middle, middle};
  if (!take(&b, RANGE_LOW, &low) || !take(&b, RANGE_HIGH, &high)) return false;
  if (isnan(out->low)) return true;
  if (groups->more) {
    warn_many(&b, place);
    return true;
  }
  if (groups->count == 1) {
    if (!is_between(low, middle, high)) warn_turning(&b, place, 0);
    return true;
  }
  if (!find_directions(&b, place, middle, falls, &opposite)) return false;
  if (groups->more) warn_many(&b, place); /* some that were not met before */
  return !opposite || take_corners(&b, falls);
}
