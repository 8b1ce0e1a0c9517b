/* The report of a difference, as text, CSV and JSON.  Called by psl_diff. */
#include "interp/report/table.h"
#include "interp/study/difference.h"

#include <math.h>
#include <string.h>

static double whole(const struct difference *d) { return d->time[1] - d->time[0]; }

/* What single changes do by themselves does not add up to the whole where they interact. */
static double rest(const struct difference *d) {
  double sum = 0;
  for (uint32_t g = 0; g < d->group_count; g++)
    sum += d->groups[g].alone;
  return whole(d) - sum;
}

/* Less than that is rounding. */
static double noise(const struct difference *d) { return 1e-12 * (fabs(d->time[0]) + fabs(d->time[1])); }

/* param x, component disk + function f */
static const char *group_name(struct arena *arena, const struct difference *d, const struct difference_group *group) {
  struct text name = {.arena = arena};
  for (uint32_t i = 0; i < d->changes->count; i++) {
    const struct change *change = &d->changes->items[i];
    if (group->mask >> i & 1) text_printf(&name, "%s%s %s", name.size ? " + " : "", change->kind, change->name);
  }
  return name.data;
}

enum { NAMES_AT_MOST = 60 }; /* columns, of the changes of a group in one line */

/* Where a group has too many changes for a line: the first of them, and how many more. */
static const char *short_name(struct arena *arena, const struct difference *d, const struct difference_group *group) {
  const char *name = group_name(arena, d, group);
  if (strlen(name) <= NAMES_AT_MOST) return name;
  const struct change *change = &d->changes->items[__builtin_ctzll(group->mask)];
  return arena_printf(arena, "%s %s + %d more", change->kind, change->name, __builtin_popcountll(group->mask) - 1);
}

static const char *side_text(const struct difference *d, const struct difference_group *group, int side) {
  uint32_t i = (uint32_t)__builtin_ctzll(group->mask);
  const struct change *change = &d->changes->items[i];
  if (group->mask & (group->mask - 1)) return "";
  if (change->text[side]) return change->text[side];
  return change->setting ? "as declared" : "none";
}

/* ---- text ---- */

static void put_signed(struct text *out, double seconds) {
  if (isnan(seconds)) {
    text_char(out, '-');
    return;
  }
  text_char(out, seconds < 0 ? '-' : '+');
  report_time(out, fabs(seconds));
}

static void put_part(struct table *table, const struct difference *d, double seconds) {
  if (fabs(whole(d)) <= noise(d))
    table_cell(table, "");
  else
    table_cellf(table, "%.1f %%", 100 * seconds / whole(d) + 0.0); /* no -0 */
}

static void put_shares(struct text *out, struct arena *scratch, const struct difference *d) {
  struct table table;
  table_open(&table, scratch, "lllrrr");
  const char *const heads[] = {"change", "A", "B", "share", "of the whole", d->ordered ? "" : "alone"};
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
    table_cell(&table, heads[h]);
  for (uint32_t g = 0; g < d->group_count; g++) {
    const struct difference_group *group = &d->groups[g];
    struct text share = {.arena = scratch}, alone = {.arena = scratch};
    table_cell(&table, short_name(scratch, d, group));
    table_cell(&table, side_text(d, group, 0));
    table_cell(&table, side_text(d, group, 1));
    put_signed(&share, group->share);
    table_cell(&table, share.data);
    put_part(&table, d, group->share);
    if (!d->ordered) put_signed(&alone, group->alone);
    table_cell(&table, alone.data ? alone.data : "");
  }
  table_print(&table, out, "  ");
}

/* Which changes a short name stands for. */
static void put_members(struct text *out, struct arena *scratch, const struct difference *d,
                        const struct difference_group *group) {
  const char *name = short_name(scratch, d, group);
  bool first = true;
  size_t column = 0;
  if (strlen(group_name(scratch, d, group)) <= NAMES_AT_MOST) return;
  text_printf(out, "\n%s, which cannot be run apart\n  ", name);
  for (uint32_t i = 0; i < d->changes->count; i++) {
    const struct change *change = &d->changes->items[i];
    size_t wide = strlen(change->kind) + strlen(change->name) + 3;
    if (!(group->mask >> i & 1)) continue;
    if (!first) text_put(out, column + wide > 100 ? ",\n  " : ", ");
    if (first || column + wide > 100) column = 0;
    text_printf(out, "%s %s", change->kind, change->name);
    column += wide;
    first = false;
  }
  text_char(out, '\n');
}

static void put_interactions(struct text *out, struct arena *scratch, const struct difference *d) {
  struct table table;
  bool any = false;
  table_open(&table, scratch, "lr");
  for (uint32_t p = 0; p < d->pair_count; p++) {
    const struct difference_pair *pair = &d->pairs[p];
    struct text together = {.arena = scratch};
    if (pair->together == 0) continue;
    put_signed(&together, pair->together);
    table_cellf(&table, "%s with %s", short_name(scratch, d, &d->groups[pair->a]),
                short_name(scratch, d, &d->groups[pair->b]));
    table_cell(&table, together.data);
    any = true;
  }
  if (!any) return;
  text_put(out, "\ninteractions, what two changes do beyond what each does\n");
  table_print(&table, out, "  ");
  text_put(out, "not explained by single changes: ");
  put_signed(out, rest(d));
  text_char(out, '\n');
}

void difference_text(struct output *out, struct arena *scratch, const struct difference *d) {
  struct text *text = &out->text;
  struct table table;
  table_open(&table, scratch, "llr");
  for (int side = 0; side < 2; side++) {
    struct text time = {.arena = scratch};
    report_time(&time, d->time[side]);
    table_cell(&table, side ? "B" : "A");
    table_cellf(&table, "%s, system %s", d->models[side], d->systems[side]);
    table_cell(&table, time.data);
  }
  struct text change = {.arena = scratch};
  put_signed(&change, whole(d));
  table_cell(&table, "");
  if (d->time[0] != 0)
    table_cellf(&table, "B less A, %+.2f %%", 100 * whole(d) / d->time[0]);
  else
    table_cell(&table, "B less A");
  table_cell(&table, change.data);
  table_print(&table, text, "");
  text_char(text, '\n');
  if (!d->changes->count) {
    text_put(text, "the two are alike\n");
    return;
  }
  put_shares(text, scratch, d);
  for (uint32_t g = 0; g < d->group_count; g++)
    put_members(text, scratch, d, &d->groups[g]);
  put_interactions(text, scratch, d);
  if (d->ordered)
    text_printf(text, "\n%u changes: each share is what the change does after those above it\n", d->changes->count);
  else
    text_printf(text, "\nshares are Shapley values: %llu models in between were run\n", (unsigned long long)d->runs);
}

/* ---- for programs ---- */

static void put_number(struct text *out, double value, const char *none) {
  if (isnan(value))
    text_put(out, none);
  else
    text_number(out, value);
}

static void put_row(struct text *out, const char *row, const char *name, const char *a, const char *b, double share,
                    double alone) {
  const char *words[] = {row, name, a, b};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    csv_field(out, words[w]);
    text_char(out, ',');
  }
  put_number(out, share, "");
  text_char(out, ',');
  put_number(out, alone, "");
  text_char(out, '\n');
}

void difference_csv(struct output *out, const struct difference *d) {
  struct arena *arena = out->text.arena;
  text_put(&out->text, "row,change,A,B,share [s],alone [s]\n");
  put_row(&out->text, "total", "", d->models[0], d->models[1], whole(d), NAN);
  for (uint32_t g = 0; g < d->group_count; g++)
    put_row(&out->text, "change", group_name(arena, d, &d->groups[g]), side_text(d, &d->groups[g], 0),
            side_text(d, &d->groups[g], 1), d->groups[g].share, d->groups[g].alone);
  for (uint32_t p = 0; p < d->pair_count; p++)
    put_row(&out->text, "interaction",
            arena_printf(arena, "%s with %s", group_name(arena, d, &d->groups[d->pairs[p].a]),
                         group_name(arena, d, &d->groups[d->pairs[p].b])),
            "", "", d->pairs[p].together, NAN);
}

static void put_member(struct text *out, const char *name, const char *value) {
  text_printf(out, "\"%s\": ", name);
  text_json(out, value);
  text_put(out, ", ");
}

void difference_json(struct output *out, const struct difference *d) {
  struct text *text = &out->text;
  text_put(text, "{\n");
  for (int side = 0; side < 2; side++) {
    text_printf(text, "  \"%s\": {", side ? "B" : "A");
    put_member(text, "model", d->models[side]);
    put_member(text, "system", d->systems[side]);
    text_put(text, "\"makespan\": {\"value\": ");
    text_number(text, d->time[side]);
    text_put(text, ", \"unit\": \"s\"}},\n");
  }
  text_put(text, "  \"difference\": ");
  text_number(text, whole(d));
  text_printf(text, ", \"method\": \"%s\",\n  \"changes\": [", d->ordered ? "order" : "shapley");
  for (uint32_t g = 0; g < d->group_count; g++) {
    text_put(text, g ? ",\n    {" : "\n    {");
    put_member(text, "change", group_name(text->arena, d, &d->groups[g]));
    put_member(text, "A", side_text(d, &d->groups[g], 0));
    put_member(text, "B", side_text(d, &d->groups[g], 1));
    text_put(text, "\"share\": ");
    text_number(text, d->groups[g].share);
    text_put(text, ", \"alone\": ");
    put_number(text, d->groups[g].alone, "null");
    text_char(text, '}');
  }
  text_put(text, "],\n  \"interactions\": [");
  for (uint32_t p = 0; p < d->pair_count; p++) {
    text_put(text, p ? ",\n    {" : "\n    {");
    put_member(text, "first", group_name(text->arena, d, &d->groups[d->pairs[p].a]));
    put_member(text, "second", group_name(text->arena, d, &d->groups[d->pairs[p].b]));
    text_put(text, "\"together\": ");
    text_number(text, d->pairs[p].together);
    text_char(text, '}');
  }
  text_put(text, "]\n}\n");
}
