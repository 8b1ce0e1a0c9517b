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

bool derived_spread(struct derivation *derivation, const struct derived *item, const struct poly *a,
                    struct derived_spread *out) {
  const struct instances *set = &derivation->graph->instances[item->accept->component->id];
  int64_t *indices = ARENA_ARRAY(derivation->arena, int64_t, item->index_count + 1);
  *out = (struct derived_spread){.low = INFINITY, .high = -INFINITY};
  bool reads = false;
  for (uint32_t k = 0; item->indices && k < item->index_count; k++)
    reads |= poly_reads(a, item->indices[k]);
  for (uint32_t k = 0; k < (reads ? set->count : 1); k++) {
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

/* ---- bounds ---- */

enum { HALVED = 9 }; /* times: what is monotone in each part is so in all */

/* 1: it rises with the name in the whole box, -1: it falls, 0: neither is seen. */
static int direction(struct settings *settings, struct interval *at, const struct poly *a, const struct atom *name,
                     const uint32_t *ids, uint32_t count, uint32_t depth) {
  struct interval slope = poly_slope(settings, a, name);
  if (slope.low >= 0) return 1;
  if (slope.high <= 0) return -1;
  if (depth >= HALVED) return 0;
  uint32_t widest = 0;
  double most = -1;
  for (uint32_t k = 0; k < count; k++) { /* by turns, the widest of what is left to its size */
    double width = (at[ids[k]].high - at[ids[k]].low) / (fabs(at[ids[k]].high) + fabs(at[ids[k]].low) + 1e-300);
    if (width > most) most = width, widest = ids[k];
  }
  if (!(most > 0)) return 0;
  struct interval before = at[widest];
  double middle = before.low + (before.high - before.low) / 2;
  at[widest] = (struct interval){before.low, middle};
  int first = direction(settings, at, a, name, ids, count, depth + 1);
  at[widest] = (struct interval){middle, before.high};
  int second = first ? direction(settings, at, a, name, ids, count, depth + 1) : 0;
  at[widest] = before;
  return first == second ? first : 0;
}

static const struct atom *atom_of_param(const struct derivation *derivation, const struct symbol *param) {
  for (uint32_t k = 0; k < derivation->param_count; k++)
    if (derivation->params[k] == param) return derivation->atoms[k];
  return NULL;
}

bool derived_bounds(struct derivation *derivation, const struct derived *item, const int64_t *indices,
                    const struct poly *a, const struct derived_range *ranges, uint32_t count, struct bounded *out) {
  struct interval *at = at_values(derivation, item, indices);
  struct settings settings = {at, derivation->al.atom_count + 1, false};
  uint32_t *ids = ARENA_ARRAY(derivation->arena, uint32_t, count + 1), id_count = 0;
  int *directions = ARENA_ARRAY(derivation->arena, int, count + 1);
  *out = (struct bounded){.monotone = true};
  if (!at) return false;
  for (uint32_t k = 0; k < count; k++) {
    const struct atom *atom = atom_of_param(derivation, ranges[k].param);
    if (!atom || !poly_reads(a, atom)) continue;
    at[atom->id] = (struct interval){ranges[k].low, ranges[k].high};
    ids[id_count++] = atom->id;
  }
  for (uint32_t k = 0, i = 0; k < count; k++) {
    const struct atom *atom = atom_of_param(derivation, ranges[k].param);
    if (!atom || !poly_reads(a, atom)) continue;
    directions[i] = direction(&settings, at, a, atom, ids, id_count, 0);
    if (!directions[i++] && out->monotone) {
      out->monotone = false;
      out->because = ranges[k].param;
    }
  }
  out->at = poly_interval(&settings, a);
  if (out->monotone) {
    struct interval *ends[2];
    double value[2];
    for (int end = 0; end < 2; end++) {
      ends[end] = ARENA_ARRAY(derivation->arena, struct interval, settings.count);
      memcpy(ends[end], at, settings.count * sizeof *at);
      for (uint32_t k = 0; k < id_count; k++) {
        double x = (directions[k] > 0) == end ? at[ids[k]].high : at[ids[k]].low;
        ends[end][ids[k]] = (struct interval){x, x};
      }
      struct settings corner = {ends[end], settings.count, false};
      value[end] = poly_value(&corner, a);
      settings.failed |= corner.failed;
    }
    out->at = (struct interval){value[0], value[1]};
  }
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
  bool reads = false;
  for (uint32_t k = 0; item->indices && k < item->index_count; k++)
    reads |= poly_reads(a, item->indices[k]);
  for (uint32_t k = 0; k < (reads ? set->count : 1); k++) {
    struct bounded one;
    if (set->count && item->indices) graph_indices(derivation->graph, set->first + k, indices);
    if (!derived_bounds(derivation, item, indices, a, ranges, count, &one)) return false;
    out->at.low = fmin(out->at.low, one.at.low);
    out->at.high = fmax(out->at.high, one.at.high);
    if (!one.monotone && out->monotone) out->because = one.because;
    out->monotone = out->monotone && one.monotone;
  }
  return true;
}
