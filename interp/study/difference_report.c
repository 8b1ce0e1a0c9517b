/* The report of a difference: what each change contributes to it.  Called by psl_diff. */
#include "interp/report/report.h"
#include "interp/study/difference.h"

#include <math.h>
#include <string.h>

static double whole(const struct difference *d) { return d->whole.value; }

static bool has_intervals(const struct difference *d) { return d->repetitions > 1; }

/* With half its interval for people, as a time without a sign. */
static struct report_cell mean_cell(struct report *report, struct study_mean mean) {
  struct report_cell cell = cell_estimate(mean.value, mean.value - mean.half, mean.value + mean.half);
  struct text half = {.arena = report->arena};
  if (!cell.interval) return cell;
  figure_put(&half, FIGURE_TIME, mean.half);
  cell.half = half.data;
  return cell;
}

/* What single changes do by themselves does not add up to the whole where they interact. */
static double rest(const struct difference *d) {
  double sum = 0;
  for (uint32_t g = 0; g < d->group_count; g++)
    sum += d->groups[g].alone.value;
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

enum { VALUE_AT_MOST = 40 }; /* columns, of a change's value */

/* A list of many numbers, as rates of a memory are, has its first ones for people. */
static struct report_cell value_cell(struct arena *arena, const struct difference *d,
                                     const struct difference_group *group, int side) {
  const char *text = side_text(d, group, side);
  size_t end = strlen(text) > VALUE_AT_MOST ? VALUE_AT_MOST : 0;
  while (end && !(text[end] == ' ' && text[end - 1] == ','))
    end--;
  return end ? cell_shown(cell_word(text), arena_printf(arena, "%.*s ...", (int)end, text)) : cell_word(text);
}

/* ---- sections ---- */

static bool has_short_name(struct arena *arena, const struct difference *d, const struct difference_group *group) {
  return strlen(group_name(arena, d, group)) > NAMES_AT_MOST;
}

static void put_bounds(struct text *text, double low, double high) {
  text_put(text, "from ");
  figure_put(text, FIGURE_TIME, low);
  text_put(text, " to ");
  figure_put(text, FIGURE_TIME, high);
}

static void put_sides(struct report *report, const struct difference *d) {
  bool repeated = has_intervals(d); /* then the ends of an interval are called as bounds by ranges are else */
  const struct report_column columns[] = {
      {"side", "", .names = true},
      {"model", NULL, .audience = FOR_PROGRAMS},
      {"system", NULL, .audience = FOR_PROGRAMS},
      {"makespan", "predicted time", FIGURE_TIME, "s", .estimate = true},
      {"", "part of A", .audience = FOR_PEOPLE, .optional = true},
      {"", "bounds", .audience = FOR_PEOPLE, .optional = true},
      {"", "model", .audience = FOR_PEOPLE}, /* last, where words are wrapped: it may be a long path */
      {repeated ? "bound_low" : "makespan_low", NULL, FIGURE_TIME, "s", .audience = FOR_PROGRAMS},
      {repeated ? "bound_high" : "makespan_high", NULL, FIGURE_TIME, "s", .audience = FOR_PROGRAMS},
      {"too_short", NULL, .audience = FOR_PROGRAMS},
  };
  const struct report_section section = {
      .key = "sides", REPORT_COLUMNS(columns), .headless = true, .intervals = repeated};
  struct arena *arena = report->arena;
  struct text part = {.arena = arena}, change = {.arena = arena};
  if (whole(d) != 0 && d->time[0] != 0 && !isnan(whole(d))) text_printf(&part, "%+.2f %%", 100 * whole(d) / d->time[0]);
  report_section(report, &section);
  for (int side = 0; side < 2; side++) {
    struct text bounds = {.arena = arena};
    if (d->uncertain[side]) put_bounds(&bounds, d->low[side], d->high[side]);
    report_row(report,
               (struct report_cell[]){
                   cell_word(side ? "B" : "A"), cell_word(d->models[side]), cell_word(d->systems[side]),
                   d->untimed[side] ? cell_shown(cell_none(), "-")
                                    : mean_cell(report, study_mean_of(d->times[side], d->repetitions)),
                   part.data ? cell_word("") : cell_none(), d->uncertain[side] ? cell_word(bounds.data) : cell_none(),
                   cell_word(arena_printf(arena, "%s, system %s", d->models[side], d->systems[side])),
                   d->uncertain[side] ? cell_real(d->low[side]) : cell_none(),
                   d->uncertain[side] ? cell_real(d->high[side]) : cell_none(), cell_word(d->too_short[side])});
  }
  if (whole(d) == 0)
    text_put(&change, "the same");
  else if (isnan(whole(d)))
    text_put(&change, "-");
  else
    figure_put(&change, FIGURE_CHANGE, whole(d));
  report_row(report, (struct report_cell[]){cell_word("B less A"), cell_none(), cell_none(),
                                            cell_shown(mean_cell(report, d->whole), change.data),
                                            part.data ? cell_word(part.data) : cell_none(), cell_none(),
                                            cell_shown(cell_none(), ""), cell_none(), cell_none(), cell_none()});
  report_end(report);
  for (int side = 0; side < 2; side++)
    if (d->too_short[side])
      report_line(report, "%s%s is too short: %s", side && d->too_short[0] ? "" : "\n", side ? "B" : "A",
                  d->too_short[side]);
}

/* A part of what stands above it is set in. */
static void put_part(struct report *report, const struct difference *d, const char *name, bool within, double a,
                     double b) {
  bool nothing = isnan(a) && isnan(b), never = a == 0 && b == 0, same = fabs(b - a) <= noise(d);
  if (nothing || never) return;
  report_row(report, (struct report_cell[]){
                         cell_shown(cell_word(name), within ? arena_printf(report->arena, "  %s", name) : name),
                         cell_real(a), cell_real(b), cell_real(same ? 0 : b - a)});
}

/* Before processes begin, between their firings, after their ends. */
static double idle(const struct difference *d, int side) {
  const struct psl_share *mean = &d->mean[side];
  double left = d->time[side] - mean->compute - mean->communicate - mean->wait;
  return left > noise(d) || isnan(left) ? left : 0;
}

/* For no message. */
static double other_wait(const struct difference *d, int side) {
  const struct psl_share *mean = &d->mean[side];
  double left = mean->wait - (mean->communication - mean->communicate);
  return left > noise(d) || isnan(left) ? left : 0;
}

/* Where it is that the time goes: where processes wait for messages, communication is one row with its parts below. */
static void put_parts(struct report *report, const struct difference *d) {
  static const struct report_column columns[] = {
      {"part", "", .names = true},
      {"A", "A", FIGURE_TIME, "s"},
      {"B", "B", FIGURE_TIME, "s"},
      {"difference", "B less A", FIGURE_CHANGE, "s"},
  };
  static const struct report_section section = {
      .key = "parts", .title = "where it goes, mean of the processes", REPORT_COLUMNS(columns)};
  const struct psl_share *a = &d->mean[0], *b = &d->mean[1];
  bool messages = a->communication > a->communicate || b->communication > b->communicate;
  report_section(report, &section);
  put_part(report, d, "compute", false, a->compute, b->compute);
  if (messages) put_part(report, d, "communication", false, a->communication, b->communication);
  put_part(report, d, "communicate", messages, a->communicate, b->communicate);
  put_part(report, d, "late sender", true, a->late_sender, b->late_sender);
  put_part(report, d, "late receiver", true, a->late_receiver, b->late_receiver);
  put_part(report, d, "collective", true, a->collective, b->collective);
  put_part(report, d, "transfer", true, a->transfer, b->transfer);
  put_part(report, d, "contention", true, a->contention, b->contention);
  put_part(report, d, messages ? "other wait" : "wait", false, other_wait(d, 0), other_wait(d, 1));
  put_part(report, d, "idle, ended early", false, idle(d, 0), idle(d, 1));
  report_end(report);
}

/* ---- the other figures ---- */

enum { FIGURES_LISTED = 20 };

/* As its column has it, or else by its unit. */
static void put_value(struct text *out, const struct difference_figure *figure, double value) {
  bool plain = figure->figure == FIGURE_WORD || figure->figure == FIGURE_NUMBER || figure->figure == FIGURE_COUNT;
  if (!plain)
    figure_put(out, figure->figure, value);
  else if (!strcmp(figure->unit, "s"))
    report_time(out, value);
  else if (!strcmp(figure->unit, "byte"))
    report_data(out, value);
  else if (figure->figure == FIGURE_COUNT && value == floor(value))
    report_count(out, (uint64_t)value);
  else {
    number_print(out, value, 4);
    text_printf(out, "%s%s", *figure->unit ? " " : "", figure->unit);
  }
}

static struct report_cell figure_cell(struct report *report, const struct difference_figure *figure, double value,
                                      double low, double high, bool change) {
  struct report_cell cell = cell_in(cell_estimate(value, low, high), figure->unit);
  struct text shown = {.arena = report->arena}, half = {.arena = report->arena};
  if (isinf(value)) return cell_shown(cell, value < 0 ? "-inf" : change ? "+inf" : "inf");
  if (cell.kind == CELL_NONE) return cell;
  if (change) text_char(&shown, value < 0 ? '-' : '+');
  put_value(&shown, figure, change ? fabs(value) : value);
  cell.shown = shown.data;
  if (!cell.interval) return cell;
  put_value(&half, figure, (high - low) / 2);
  cell.half = half.data;
  return cell;
}

static struct report_cell side_cell(struct report *report, const struct difference_figure *figure, int side) {
  if (!figure->runs[side]) return cell_none();
  return figure_cell(report, figure, figure->mean[side].value, figure->low[side], figure->high[side], false);
}

static bool has_both(const struct difference_figure *figure) { return figure->runs[0] && figure->runs[1]; }

static struct report_cell change_cell(struct report *report, const struct difference_figure *figure) {
  struct study_mean change = figure->change;
  if (!has_both(figure)) return cell_none();
  return figure_cell(report, figure, change.value, change.value - change.half, change.value + change.half, true);
}

static struct report_cell ratio_cell(struct report *report, const struct difference_figure *figure) {
  double a = figure->mean[0].value, b = figure->mean[1].value;
  if (!has_both(figure) || a == 0) return cell_shown(cell_none(), has_both(figure) && b != 0 ? "from 0" : "-");
  struct text shown = {.arena = report->arena};
  if (!isfinite(b / a)) return isnan(b / a) ? cell_none() : cell_shown(cell_none(), b / a < 0 ? "-inf" : "inf");
  number_print(&shown, b / a, 4);
  return cell_shown(cell_real(b / a), shown.data);
}

/* counter.wait, as studies name it where they do. */
static const char *figure_name(struct arena *arena, const struct difference_figure *figure) {
  if (!*figure->name) return figure->quantity;
  static const char alone[] = "value"; /* of a row that has no other */
  if (!strcmp(figure->quantity, alone)) return figure->name;
  return arena_printf(arena, "%s.%s", figure->name, figure->quantity);
}

static const char *table_name(struct arena *arena, const struct difference_figure *figure) {
  char *name = arena_copy(arena, figure->table, strlen(figure->table));
  if (!*figure->name) return "whole run";
  for (char *c = name; *c; c++)
    if (*c == '_') *c = ' ';
  return name;
}

static struct report_cell side_runs(const struct difference *d, const struct difference_figure *figure, int side) {
  return d->repetitions > 1 && figure->runs[side] ? cell_count(figure->runs[side]) : cell_none();
}

/* Where not all repetitions have the figure, as a record that some do not make. */
static struct report_cell runs_cell(struct report *report, const struct difference *d,
                                    const struct difference_figure *figure) {
  bool some = false;
  for (int side = 0; side < 2; side++)
    some |= figure->runs[side] && figure->runs[side] < d->repetitions;
  if (!some) return cell_none();
  return cell_word(arena_printf(report->arena, "A %llu, B %llu of %llu", (unsigned long long)figure->runs[0],
                                (unsigned long long)figure->runs[1], (unsigned long long)d->repetitions));
}

static bool has_interval(const struct difference *d) {
  for (uint32_t f = 0; f < d->figure_count; f++)
    for (int side = 0; side < 2; side++)
      if (isfinite(d->figures[f].high[side])) return true;
  return false;
}

static void put_figure_rows(struct report *report, const struct difference *d, bool people) {
  const struct report_column columns[] = {
      {"table", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"name", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"quantity", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"", "figure", .names = true, .audience = FOR_PEOPLE},
      {"A", "A", FIGURE_NUMBER, .estimate = true},
      {"B", "B", FIGURE_NUMBER, .estimate = true},
      {"difference", "B less A", FIGURE_NUMBER, .estimate = true},
      {"ratio", "B / A", FIGURE_NUMBER},
      {"runs_A", NULL, FIGURE_COUNT, .audience = FOR_PROGRAMS},
      {"runs_B", NULL, FIGURE_COUNT, .audience = FOR_PROGRAMS},
      {"", "runs that have it", .audience = FOR_PEOPLE, .optional = true},
      {"", "of", .audience = FOR_PEOPLE},
  };
  const struct report_section section = {
      .key = "figures",
      .title = "other figures, those that differ by the greatest part first",
      REPORT_COLUMNS(columns),
      .audience = people ? FOR_PEOPLE : FOR_PROGRAMS,
      .kept = true,
      .intervals = has_interval(d),
  };
  uint32_t listed = 0, more = 0, same = 0;
  report_section(report, &section);
  for (uint32_t f = 0; f < d->figure_count; f++) {
    const struct difference_figure *figure = &d->figures[f];
    bool equal = figure->apart == 0;
    same += equal;
    if (people && !equal && listed == FIGURES_LISTED) more++;
    if (people && (equal || listed == FIGURES_LISTED)) continue;
    listed++;
    report_row(report,
               (struct report_cell[]){cell_word(figure->table), cell_word(figure->name), cell_word(figure->quantity),
                                      cell_word(figure_name(report->arena, figure)), side_cell(report, figure, 0),
                                      side_cell(report, figure, 1), change_cell(report, figure),
                                      ratio_cell(report, figure), side_runs(d, figure, 0), side_runs(d, figure, 1),
                                      runs_cell(report, d, figure), cell_word(table_name(report->arena, figure))});
  }
  report_end(report);
  if (!people || !listed) return;
  if (more) report_line(report, "and %u more, which --format json has", more);
  if (same) report_line(report, same == 1 ? "one figure is the same" : "%u figures are the same", same);
}

static void put_figures(struct report *report, const struct difference *d) {
  put_figure_rows(report, d, true);
  put_figure_rows(report, d, false);
}

static void put_changes(struct report *report, const struct difference *d) {
  static const struct report_column columns[] = {
      {"change", "change", .names = true},
      {"A", "A"},
      {"B", "B"},
      {"share", "share", FIGURE_CHANGE, "s", .estimate = true},
      {"", "of the whole", FIGURE_SHARE, NULL, FOR_PEOPLE},
      {"alone", "alone", FIGURE_CHANGE, "s", .optional = true, .estimate = true},
  };
  const struct report_section section = {
      .key = "changes", REPORT_COLUMNS(columns), .kept = true, .intervals = has_intervals(d)};
  bool some = fabs(whole(d)) > noise(d) && !study_is_chance(d->whole);
  report_section(report, &section);
  for (uint32_t g = 0; g < d->group_count; g++) {
    const struct difference_group *group = &d->groups[g];
    const char *name = group_name(report->arena, d, group);
    report_row(report, (struct report_cell[]){
                           cell_shown(cell_word(name), short_name(report->arena, d, group)),
                           value_cell(report->arena, d, group, 0),
                           value_cell(report->arena, d, group, 1),
                           mean_cell(report, group->share),
                           some ? cell_real(group->share.value / whole(d)) : cell_shown(cell_none(), ""),
                           mean_cell(report, group->alone),
                       });
  }
  report_end(report);
}

/* Which changes a short name stands for. */
static void put_members(struct report *report, const struct difference *d, const struct difference_group *group) {
  struct text text = {.arena = report->arena};
  size_t column = 0;
  if (!has_short_name(report->arena, d, group)) return;
  for (uint32_t i = 0; i < d->changes->count; i++) {
    const struct change *change = &d->changes->items[i];
    size_t wide = strlen(change->kind) + strlen(change->name) + 3;
    if (!(group->mask >> i & 1)) continue;
    bool full = column + wide > 100;
    text_printf(&text, "%s%s %s", !text.size ? "  " : full ? ",\n  " : ", ", change->kind, change->name);
    column = full ? wide : column + wide;
  }
  report_line(report, "\n%s, which cannot be run apart\n%s", short_name(report->arena, d, group), text.data);
}

static void put_interactions(struct report *report, const struct difference *d) {
  static const struct report_column columns[] = {
      {"first", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"second", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"", "", .audience = FOR_PEOPLE},
      {"together", "", FIGURE_CHANGE, "s", .estimate = true},
  };
  const struct report_section section = {
      .key = "interactions",
      .title = "interactions, what two changes do beyond what each does",
      REPORT_COLUMNS(columns),
      .headless = true,
      .intervals = has_intervals(d),
  };
  struct arena *arena = report->arena;
  struct text left = {.arena = arena};
  bool any = false;
  report_section(report, &section);
  for (uint32_t p = 0; p < d->pair_count; p++) {
    const struct difference_group *a = &d->groups[d->pairs[p].a], *b = &d->groups[d->pairs[p].b];
    if (d->pairs[p].together.value == 0) continue;
    const char *names = arena_printf(arena, "%s with %s", short_name(arena, d, a), short_name(arena, d, b));
    report_row(report, (struct report_cell[]){cell_word(group_name(arena, d, a)), cell_word(group_name(arena, d, b)),
                                              cell_word(names), mean_cell(report, d->pairs[p].together)});
    any = true;
  }
  report_end(report);
  if (!any) return;
  figure_put(&left, FIGURE_CHANGE, rest(d));
  report_line(report, "not explained by single changes: %s", left.data);
}

/* How the means and their intervals are to be read, and what of them may be chance. */
static void put_significance(struct report *report, const struct difference *d) {
  struct text names = {.arena = report->arena};
  if (!has_intervals(d)) return;
  report_line(report,
              "\nmeans of %llu runs of each model, with the same seeds; behind +- stands half of a 95 %% confidence "
              "interval",
              (unsigned long long)d->repetitions);
  if (whole(d) != 0 && study_is_chance(d->whole))
    report_line(report, "the difference is not significant: its interval holds 0");
  for (uint32_t g = 0; g < d->group_count; g++)
    if (d->group_count > 1 && d->groups[g].share.value != 0 && study_is_chance(d->groups[g].share))
      text_printf(&names, "%s%s", names.size ? ", " : "", short_name(report->arena, d, &d->groups[g]));
  if (names.size) report_line(report, "not significant, their intervals hold 0: %s", names.data);
}

/* Without two times there is nothing to attribute. */
static void put_untimed(struct report *report, const struct difference *d) {
  const char *begin = "\nno shares of changes:";
  for (int side = 0; side < 2; side++)
    if (d->untimed[side]) {
      report_line(report, "%s %s has no predicted time: %s", begin, side ? "B" : "A", d->untimed[side]);
      begin = "and";
    }
}

static void put_too_many(struct report *report, const struct difference *d) {
  report_line(report,
              "\nno shares of changes: the two differ in %u declarations and settings, more than the %u that can be "
              "told apart",
              d->changes->count, DIFFERENCE_MOST);
}

/* What makes the difference, in shares of it. */
static void put_causes(struct report *report, const struct difference *d) {
  if (d->changes->count > DIFFERENCE_MOST) {
    put_significance(report, d);
    put_too_many(report, d);
    return;
  }
  put_changes(report, d);
  for (uint32_t g = 0; g < d->group_count; g++)
    put_members(report, d, &d->groups[g]);
  put_interactions(report, d);
  put_significance(report, d);
  if (d->changes->count && d->ordered)
    report_line(report, "\n%u changes: each share is what the change does after those above it", d->changes->count);
  else if (d->changes->count)
    report_line(report, "\nshares are Shapley values: %llu models in between were run", (unsigned long long)d->runs);
}

/* What one looks for stands first. */
void report_difference(struct report *report, const struct difference *d) {
  report->title = arena_printf(report->arena, "%s and %s", d->models[0], d->models[1]);
  report_fact(report, &(struct report_fact){.key = "method"}, cell_word(d->ordered ? "order" : "shapley"));
  put_sides(report, d);
  if (d->untimed[0] || d->untimed[1]) {
    put_untimed(report, d);
  } else {
    if (!d->changes->count) report_line(report, "\nthe two are the same");
    put_causes(report, d);
    put_parts(report, d);
  }
  put_figures(report, d);
}
