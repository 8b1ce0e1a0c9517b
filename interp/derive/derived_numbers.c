/* What was derived in numbers: at the values that params have, and its bounds where some lie in ranges.  Called by the
 * files that write what was derived, and to compare it with a run. */
#include "interp/derive/derive.h"

#include <math.h>
#include <string.h>

static struct interval *at_values(struct derivation *derivation, const struct derived *item, const int64_t *indices) {
  struct derivation *d = derivation;
  struct interval *at = ARENA_ARRAY(d->arena, struct interval, d->al.atom_count + 1);
  for (uint32_t k = 0; k <= d->al.atom_count; k++)
    at[k] = (struct interval){NAN, NAN};
  for (uint32_t k = 0; k < d->param_count; k++) {
    struct symbol *symbol = (struct symbol *)d->params[k];
    struct expr name = {.kind = EXPR_NAME, .type = symbol->type, .name = {symbol->name, symbol}};
    struct value value;
    if (!resolver_quietly(d->graph->resolver, &name, NULL, &value)) return NULL;
    struct interval *here = &at[d->atoms[k]->id];
    if (value.kind == VALUE_INT)
      *here = (struct interval){(double)value.integer, (double)value.integer};
    else if (value.kind == VALUE_REAL)
      *here = (struct interval){value.real, value.real};
    else if (value.kind == VALUE_RANGE)
      *here = (struct interval){value.object->range.low, value.object->range.high};
    else
      return NULL;
  }
  for (uint32_t k = 0; item->indices && indices && k < item->index_count; k++)
    at[item->indices[k]->id] = (struct interval){(double)indices[k], (double)indices[k]};
  return at;
}

struct settings derived_settings(struct derivation *derivation, const struct derived *item, const int64_t *indices) {
  return (struct settings){at_values(derivation, item, indices), derivation->al.atom_count + 1, false};
}

bool derived_at(struct derivation *derivation, const struct derived *item, const int64_t *indices, const struct poly *a,
                double *out) {
  struct settings settings = derived_settings(derivation, item, indices);
  if (!settings.at) return false;
  *out = poly_value(&settings, a);
  return !settings.failed;
}

/* How many instances have values of their own: 1 where the expression reads no index. */
static uint32_t instances_apart(const struct derived *item, const struct instances *set, const struct poly *a) {
  for (uint32_t k = 0; item->indices && k < item->index_count; k++)
    if (poly_reads(a, item->indices[k])) return set->count;
  return 1;
}

bool derived_spread(struct derivation *derivation, const struct derived *item, const struct poly *a,
                    struct derived_spread *out) {
  const struct instances *set = &derivation->graph->instances[item->accept->component->id];
  int64_t *indices = ARENA_ARRAY(derivation->arena, int64_t, item->index_count + 1);
  *out = (struct derived_spread){.low = INFINITY, .high = -INFINITY};
  for (uint32_t k = 0, apart = instances_apart(item, set, a); k < apart; k++) {
    double value;
    uint32_t instance = set->first + k;
    if (set->count && item->indices) graph_indices(derivation->graph, instance, indices);
    if (!derived_at(derivation, item, indices, a, &value)) return false;
    if (value < out->low) out->low = value, out->lowest = instance;
    if (value > out->high) out->high = value, out->highest = instance;
  }
  out->count = item->indices ? set->count : 1;
  return true;
}

bool derived_lines_next(struct derived_lines *lines, struct algebra *al) {
  while (lines->next < COST_PARTS) {
    lines->part = (enum cost_part)lines->next++;
    lines->poly = lines->costs->part[lines->part];
    if (!lines->poly->count) continue;
    lines->shown++;
    return true;
  }
  if (lines->next++ > COST_PARTS || lines->shown == 1) return false;
  lines->part = COST_PARTS;
  lines->poly = costs_total(al, lines->costs);
  return true;
}

/* ---- the whole ---- */

/* Is all of it there, from 0 s on? */
static bool is_whole_body(const struct derived *item) {
  if (!item->at_once || item->values) return false;
  for (uint32_t n = 0; n < item->note_count; n++)
    if (item->notes[n].span.begin) return false; /* what stands nowhere is what values have decided */
  return true;
}

bool derived_exact(const struct derivation *d) {
  for (uint32_t k = 0; k < d->count; k++) {
    const struct derived *item = d->items[k];
    if (item->messages || !is_whole_body(item)) return false;
    for (uint32_t n = 0; n < d->count; n++) /* bodies of one component have one clock */
      if (n != k && d->items[n]->accept->component == item->accept->component) return false;
  }
  return d->count && !d->section;
}

bool derived_phases_exact(const struct derivation *d) {
  const struct derived *item = d->items[0];
  return d->count == 1 && item->whole && !item->waits && !item->uneven && is_whole_body(item);
}

/* ---- bounds ---- */

enum { HALVED = 9, HALVED_FOR_BOUNDS = 10, CASES_MOST = 4 }; /* times: what is monotone in each part is so in all */

/* The id of the widest interval to its size; 0: none has a width. */
static uint32_t widest_of(const struct interval *at, const uint32_t *ids, uint32_t count) {
  uint32_t widest = 0;
  double most = 0;
  for (uint32_t k = 0; k < count; k++) {
    double width = (at[ids[k]].high - at[ids[k]].low) / (fabs(at[ids[k]].high) + fabs(at[ids[k]].low) + 1e-300);
    if (width > most) most = width, widest = ids[k];
  }
  return widest;
}

/* 1: it rises with the name in the whole box, -1: it falls, 0: neither is seen. */
static int direction(struct settings *settings, struct interval *at, const struct poly *a, const struct atom *name,
                     const uint32_t *ids, uint32_t count, uint32_t depth) {
  struct interval slope = poly_slope(settings, a, name);
  if (slope.low >= 0) return 1;
  if (slope.high <= 0) return -1;
  if (depth >= HALVED) return 0;
  uint32_t widest = widest_of(at, ids, count);
  if (!widest) return 0;
  struct interval before = at[widest];
  double middle = before.low + (before.high - before.low) / 2;
  at[widest] = (struct interval){before.low, middle};
  int first = direction(settings, at, a, name, ids, count, depth + 1);
  at[widest] = (struct interval){middle, before.high};
  int second = first ? direction(settings, at, a, name, ids, count, depth + 1) : 0;
  at[widest] = before;
  return first == second ? first : 0;
}

/* The value at the corner where it is least, or greatest, by the directions in which it rises. */
static double corner_value(struct settings *settings, struct interval *at, const struct poly *a, const uint32_t *ids,
                           const int *directions, uint32_t count, bool greatest) {
  struct interval kept[RANGES_MOST];
  for (uint32_t k = 0; k < count; k++) {
    kept[k] = at[ids[k]];
    double x = (directions[k] > 0) == greatest ? kept[k].high : kept[k].low;
    at[ids[k]] = (struct interval){x, x};
  }
  double value = poly_value(settings, a);
  for (uint32_t k = 0; k < count; k++)
    at[ids[k]] = kept[k];
  return value;
}

/* What it may be in a small box: a comparison that is not decided there has both its cases apart. */
static struct interval by_cases(struct settings *settings, struct algebra *al, const struct poly *a, uint32_t depth) {
  for (uint32_t k = 0; k < a->count && depth < CASES_MOST; k++)
    for (uint32_t f = 0; f < a->terms[k].count; f++) {
      const struct atom *atom = a->terms[k].factors[f].atom;
      if (atom->kind != ATOM_NOT_LESS && atom->kind != ATOM_ZERO) continue;
      struct interval holds = poly_interval(settings, poly_atom(al, atom));
      if (holds.low == holds.high) continue;
      struct interval one = by_cases(settings, al, poly_where(al, a, atom, true), depth + 1);
      struct interval other = by_cases(settings, al, poly_where(al, a, atom, false), depth + 1);
      return (struct interval){fmin(one.low, other.low), fmax(one.high, other.high)};
    }
  return poly_interval(settings, a);
}

/* Bounds in a box: at its corners where it is monotone there, else those of its halves together. */
static struct interval bounds_in(struct settings *settings, struct algebra *al, struct interval *at,
                                 const struct poly *a, struct atom *const *names, const uint32_t *ids, uint32_t count,
                                 uint32_t depth) {
  int directions[RANGES_MOST];
  bool monotone = true;
  for (uint32_t k = 0; k < count && monotone; k++) {
    struct interval slope = poly_slope(settings, a, names[k]);
    directions[k] = slope.low >= 0 ? 1 : slope.high <= 0 ? -1 : 0;
    monotone = directions[k];
  }
  uint32_t widest = widest_of(at, ids, count);
  if (monotone)
    return (struct interval){corner_value(settings, at, a, ids, directions, count, false),
                             corner_value(settings, at, a, ids, directions, count, true)};
  if (depth >= HALVED_FOR_BOUNDS || !widest) return by_cases(settings, al, a, 0);
  struct interval before = at[widest];
  double middle = before.low + (before.high - before.low) / 2;
  at[widest] = (struct interval){before.low, middle};
  struct interval first = bounds_in(settings, al, at, a, names, ids, count, depth + 1);
  at[widest] = (struct interval){middle, before.high};
  struct interval second = bounds_in(settings, al, at, a, names, ids, count, depth + 1);
  at[widest] = before;
  return (struct interval){fmin(first.low, second.low), fmax(first.high, second.high)};
}

static const struct atom *atom_of_param(const struct derivation *derivation, const struct symbol *param) {
  for (uint32_t k = 0; k < derivation->param_count; k++)
    if (derivation->params[k] == param) return derivation->atoms[k];
  return NULL;
}

/* By what rounding may have taken away. */
static struct interval widened(struct interval a) {
  double by = 1e-12 * fmax(fabs(a.low), fabs(a.high));
  return (struct interval){a.low >= 0 && a.low <= by ? 0 : a.low - by, a.high + by};
}

bool derived_bounds(struct derivation *derivation, const struct derived *item, const int64_t *indices,
                    const struct poly *a, const struct derived_range *ranges, uint32_t count, struct bounded *out) {
  struct interval *at = at_values(derivation, item, indices);
  struct settings settings = {at, derivation->al.atom_count + 1, false};
  struct atom *names[RANGES_MOST];
  uint32_t ids[RANGES_MOST], name_count = 0;
  int directions[RANGES_MOST];
  *out = (struct bounded){.monotone = true};
  if (!at) return false;
  for (uint32_t k = 0; k < count && name_count < RANGES_MOST; k++) {
    const struct atom *atom = atom_of_param(derivation, ranges[k].param);
    if (!atom || !poly_reads(a, atom)) continue;
    at[atom->id] = (struct interval){ranges[k].low, ranges[k].high};
    names[name_count] = (struct atom *)atom;
    ids[name_count++] = atom->id;
  }
  for (uint32_t k = 0; k < name_count; k++) {
    directions[k] = direction(&settings, at, a, names[k], ids, name_count, 0);
    if (directions[k] || !out->monotone) continue;
    out->monotone = false;
    out->because = names[k]->of;
    out->steps = poly_reads_rounded(a, names[k]);
  }
  if (out->monotone)
    out->at = (struct interval){corner_value(&settings, at, a, ids, directions, name_count, false),
                                corner_value(&settings, at, a, ids, directions, name_count, true)};
  else
    out->at = widened(bounds_in(&settings, &derivation->al, at, a, names, ids, name_count, 0));
  return !settings.failed && isfinite(out->at.low) && isfinite(out->at.high);
}

bool derived_reads_ranges(struct derivation *derivation, const struct poly *a, const struct derived_range *ranges,
                          uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    const struct atom *atom = atom_of_param(derivation, ranges[k].param);
    if (atom && poly_reads(a, atom)) return true;
  }
  return false;
}

bool derived_spread_bounds(struct derivation *derivation, const struct derived *item, const struct poly *a,
                           const struct derived_range *ranges, uint32_t count, struct bounded *out) {
  const struct instances *set = &derivation->graph->instances[item->accept->component->id];
  int64_t *indices = ARENA_ARRAY(derivation->arena, int64_t, item->index_count + 1);
  *out = (struct bounded){.at = {INFINITY, -INFINITY}, .monotone = true};
  for (uint32_t k = 0, apart = instances_apart(item, set, a); k < apart; k++) {
    struct bounded one;
    if (set->count && item->indices) graph_indices(derivation->graph, set->first + k, indices);
    if (!derived_bounds(derivation, item, indices, a, ranges, count, &one)) return false;
    out->at.low = fmin(out->at.low, one.at.low);
    out->at.high = fmax(out->at.high, one.at.high);
    if (!one.monotone && out->monotone) out->because = one.because, out->steps = one.steps;
    out->monotone = out->monotone && one.monotone;
  }
  return true;
}
