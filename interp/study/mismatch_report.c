/* The report of where a measured and a predicted run differ. Called by psl_mismatch. */
#include "interp/report/report.h"
#include "interp/study/mismatch.h"

#include <math.h>
#include <string.h>

enum { ROWS_FOR_PEOPLE = 16 };
#define LEAST_PART 0.01 /* of the greatest difference of a part */

static void put_sides(struct report *report, const struct mismatch *m) {
  static const struct report_column columns[] = {
      {"side", "", .names = true},
      {"trace", "trace"},
      {"time", "time", FIGURE_TIME, "s"},
      {"messages", "messages", FIGURE_COUNT},
      {"message_fixed", "a message", FIGURE_TIME, "s", .optional = true},
      {"message_per_byte", "and a byte", FIGURE_TIME, "s", .optional = true},
  };
  static const struct report_section section = {.key = "sides", REPORT_COLUMNS(columns)};
  report_section(report, &section);
  for (int side = 0; side < SIDES; side++) {
    double fixed = NAN, per_byte = NAN;
    const struct profile *profile = &m->profiles[side];
    profile_line(profile, &fixed, &per_byte);
    report_row(report, (struct report_cell[]){cell_word(side ? "predicted" : "measured"), cell_word(m->paths[side]),
                                              cell_real(profile->end), cell_count(profile->messages), cell_real(fixed),
                                              cell_real(per_byte)});
  }
  report_end(report);
}

static void put_finding(struct report *report, const struct mismatch *m, const struct finding *f) {
  double whole = mismatch_whole(m);
  report_row(report, (struct report_cell[]){
                         cell_word(f->text),
                         cell_word(spent_names[f->spent]),
                         cell_word(f->ranks),
                         cell_word(f->region),
                         cell_word(f->communicator),
                         f->other >= 0 ? cell_count((uint64_t)f->other) : cell_none(),
                         cell_real(f->total[MEASURED]),
                         cell_real(f->total[PREDICTED]),
                         cell_real(f->most),
                         cell_real(whole > 0 ? f->most / whole : NAN),
                         cell_word(f->text),
                     });
}

/* For people a sentence each, and what it comes to on the rank where that is most. */
static void put_findings(struct report *report, const struct mismatch *m, const char *key, const char *title,
                         const struct finding *findings, uint32_t count) {
  static const struct report_column columns[] = {
      {"finding", NULL, .names = true, .audience = FOR_PROGRAMS},
      {"kind", NULL, .audience = FOR_PROGRAMS},
      {"ranks", NULL, .audience = FOR_PROGRAMS},
      {"region", NULL, .audience = FOR_PROGRAMS},
      {"communicator", NULL, .audience = FOR_PROGRAMS},
      {"other_rank", NULL, FIGURE_COUNT, .audience = FOR_PROGRAMS},
      {"measured", "measured", FIGURE_TIME, "s"},
      {"predicted", "predicted", FIGURE_TIME, "s"},
      {"most", "most", FIGURE_CHANGE, "s"},
      {"share", "of the whole", FIGURE_DIFFERENCE},
      {"finding", "", .audience = FOR_PEOPLE},
  };
  const struct report_section section = {.key = key, .title = title, REPORT_COLUMNS(columns), .kept = true};
  report_section(report, &section);
  for (uint32_t k = 0; k < count; k++)
    put_finding(report, m, &findings[k]);
  report_end(report);
}

static void put_rows(struct report *report, const struct mismatch *m) {
  static const struct report_column columns[] = {
      {"rank", "rank", FIGURE_COUNT, .names = true},
      {"kind", "time", .names = true},
      {"region", "region", .names = true, .optional = true},
      {"communicator", "communicator", FIGURE_COUNT, .names = true},
      {"measured", "measured", FIGURE_TIME, "s"},
      {"predicted", "predicted", FIGURE_TIME, "s"},
      {"difference", "difference", FIGURE_CHANGE, "s"},
      {"spread", "spread", FIGURE_TIME, "s"},
      {"share", "of the whole", FIGURE_DIFFERENCE},
  };
  static const struct report_section section = {.key = "differences",
                                                .title = "differences beyond their spread, the greatest first",
                                                REPORT_COLUMNS(columns),
                                                .main = true,
                                                .kept = true};
  uint32_t shown = report->renderer->people && m->beyond > ROWS_FOR_PEOPLE ? ROWS_FOR_PEOPLE : m->beyond;
  report_section(report, &section);
  for (uint32_t k = 0; k < shown; k++) {
    const struct mismatch_row *row = &m->rows[k];
    const struct amount *a = &row->amount;
    report_row(report, (struct report_cell[]){
                           cell_count(row->rank),
                           cell_word(spent_names[row->spent]),
                           cell_word(row->region ? m->regions[row->region - 1] : NULL),
                           cell_count(row->communicator),
                           cell_real(a->total[MEASURED]),
                           cell_real(a->total[PREDICTED]),
                           cell_real(amount_difference(a)),
                           cell_real(a->half),
                           cell_real(amount_difference(a) / mismatch_whole(m)),
                       });
  }
  report_end(report);
  if (shown < m->beyond) report_line(report, "and %u more, which --format json and csv have", m->beyond - shown);
}

static void put_part(struct report *report, const struct mismatch_part *part, const char *time, const char *region,
                     double whole) {
  double difference = mismatch_part_difference(part), rest = difference - part->named;
  report_row(report, (struct report_cell[]){
                         cell_word(time),
                         cell_word(region),
                         cell_real(part->path[MEASURED]),
                         cell_real(part->path[PREDICTED]),
                         cell_real(difference),
                         cell_real(whole != 0 ? difference / whole : NAN),
                         cell_real(part->named),
                         cell_real(fabs(rest) < ROUNDING ? 0 : rest),
                         cell_word(part->why),
                     });
}

static void part_add(struct mismatch_part *sum, const struct mismatch_part *part) {
  for (int side = 0; side < SIDES; side++)
    sum->path[side] += part->path[side];
  sum->named += part->named;
}

/* People see one by one the greatest parts, those that matter. */
static uint32_t parts_shown(const struct mismatch *m) {
  uint32_t shown = 0;
  while (shown < m->part_count && shown < ROWS_FOR_PEOPLE &&
         fabs(mismatch_part_difference(&m->parts[shown])) >= LEAST_PART * fabs(mismatch_part_difference(&m->parts[0])))
    shown++;
  return shown + 1 == m->part_count ? m->part_count : shown;
}

static void put_parts(struct report *report, const struct mismatch *m) {
  static const struct report_column columns[] = {
      {"kind", "time", .names = true},
      {"region", "region", .names = true, .optional = true},
      {"measured", "measured", FIGURE_TIME, "s"},
      {"predicted", "predicted", FIGURE_TIME, "s"},
      {"difference", "difference", FIGURE_CHANGE, "s"},
      {"share", "of all", FIGURE_DIFFERENCE},
      {"named", "named", FIGURE_CHANGE, "s"},
      {"unexplained", "unexplained", FIGURE_CHANGE, "s"},
      {"why", "why", .optional = true, .note = true},
  };
  static const struct report_section section = {.key = "parts",
                                                .title = "the difference of the runs, by their critical paths",
                                                REPORT_COLUMNS(columns),
                                                .kept = true};
  struct mismatch_part whole = {0}, others = {0};
  uint32_t shown = report->renderer->people ? parts_shown(m) : m->part_count;
  for (uint32_t k = 0; k < m->part_count; k++) {
    part_add(&whole, &m->parts[k]);
    if (k >= shown) part_add(&others, &m->parts[k]);
  }
  double difference = mismatch_part_difference(&whole);
  report_section(report, &section);
  for (uint32_t k = 0; k < shown; k++)
    put_part(report, &m->parts[k], spent_names[m->parts[k].spent],
             m->parts[k].region ? m->regions[m->parts[k].region - 1] : NULL, difference);
  if (shown < m->part_count) put_part(report, &others, "others", NULL, difference);
  put_part(report, &whole, "all", NULL, difference);
  report_end(report);
}

void report_mismatch(struct report *report, const struct mismatch *m) {
  report->title = arena_printf(report->arena, "%s and %s", m->paths[MEASURED], m->paths[PREDICTED]);
  report_fact(report, &(struct report_fact){"least", NULL, NULL, FIGURE_PART}, cell_real(m->least));
  put_sides(report, m);
  if (!m->cause_count && !m->wait_count)
    report_line(report, "\nnothing%s differs beyond its spread by %.4g %% of the measured time",
                m->unknown ? " of which the spread is known" : "", 100 * m->least);
  put_parts(report, m);
  put_findings(report, m, "causes", "what differs", m->causes, m->cause_count);
  put_findings(report, m, "waits", "and who waits", m->waits, m->wait_count);
  put_rows(report, m);
}
