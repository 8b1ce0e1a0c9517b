/* Where this computer's time goes, as results have it, and as a section of a run's report. */
#include "interp/execute/host_time.h"
#include "interp/report/report.h"
#include <stdlib.h>
#include <string.h>

/* ---- results ---- */

static double seconds_of(const struct host_place *place) {
  double seconds = place->seconds;
  for (const struct host_place *child = place->first; child; child = child->next)
    seconds += seconds_of(child);
  return seconds;
}

static uint32_t count_of(const struct host_place *place) {
  uint32_t count = 1;
  for (const struct host_place *child = place->first; child; child = child->next)
    count += count_of(child);
  return count;
}

static const char *copy(struct results *results, const char *text) {
  return text ? arena_copy(&results->arena, text, strlen(text)) : NULL;
}

static struct psl_host_time row_of(struct results *results, const struct sources *sources,
                                   const struct host_place *place, unsigned depth) {
  return (struct psl_host_time){.name = copy(results, place->name),
                                .depth = depth,
                                .place = results_place(results, sources, place->span),
                                .how = copy(results, place->how),
                                .why = copy(results, place->why),
                                .why_place = results_place(results, sources, place->why_at),
                                .second = copy(results, place->second),
                                .paired = place->paired,
                                .apart = place->apart,
                                .seconds = seconds_of(place),
                                .own = place->seconds};
}

struct body_row {
  const struct host_place *place;
  double seconds;
  uint32_t order; /* in which it was met */
};

/* Bodies by what they take; what is part of one stays in the order of its code. */
static int more_first(const void *one, const void *other) {
  const struct body_row *a = one, *b = other;
  if (a->seconds != b->seconds) return a->seconds > b->seconds ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void rows_add(struct results *results, const struct sources *sources, struct psl_host_time *rows,
                     const struct host_place *place, unsigned depth) {
  rows[results->public.host_time_count++] = row_of(results, sources, place, depth);
  for (const struct host_place *child = place->first; child; child = child->next)
    if (child->used) rows_add(results, sources, rows, child, depth + 1);
}

void results_host_times(struct results *results, const struct sources *sources, const struct host_time *host) {
  uint32_t most = count_of(&host->run), count = 0;
  struct psl_host_time *rows = ARENA_ARRAY(&results->arena, struct psl_host_time, most);
  struct body_row *bodies = ARENA_ARRAY(&results->arena, struct body_row, most);
  for (const struct host_place *body = host->run.first; body; body = body->next, count++)
    bodies[count] = (struct body_row){body, seconds_of(body), count};
  if (!count) return; /* a formula has it all */
  qsort(bodies, count, sizeof *bodies, more_first);
  for (uint32_t k = 0; k < count; k++)
    rows_add(results, sources, rows, bodies[k].place, 0);
  rows[results->public.host_time_count] = row_of(results, sources, &host->run, 0);
  rows[results->public.host_time_count++].seconds = host->run.seconds;
  results->public.host_times = rows;
}

/* ---- the report ---- */

static const double LEAST = 0.001; /* of the whole: people do not see rows of less */

/* mpi.psl:210: the file without its folder. */
static const char *place_text(const struct report *report, struct psl_place place) {
  const char *slash = place.file ? strrchr(place.file, '/') : NULL;
  if (!place.file) return NULL;
  return arena_printf(report->arena, "%s:%u", slash ? slash + 1 : place.file, place.line);
}

static const char *how_text(const struct report *report, const struct psl_host_time *row) {
  uint64_t times = row->paired + row->apart;
  if (!times) return row->how;
  return arena_printf(report->arena, "as one with %s, %.0f %% of %llu times", row->second,
                      100.0 * (double)row->paired / (double)times, (unsigned long long)times);
}

static const char *why_text(const struct report *report, const struct psl_host_time *row) {
  const char *at = place_text(report, row->why_place);
  return row->why && at ? arena_printf(report->arena, "%s, %s", row->why, at) : row->why;
}

void report_host_times(struct report *report, const struct psl_results *run) {
  static const struct report_column columns[] = {
      {"depth", NULL, .audience = FOR_PROGRAMS},
      {"name", "", .names = true},
      {"place", "at"},
      {"seconds", NULL, FIGURE_TIME, "s", FOR_PROGRAMS},
      {"own", NULL, FIGURE_TIME, "s", FOR_PROGRAMS},
      {"", "time", FIGURE_SHARE, NULL, FOR_PEOPLE},
      {"", "itself", FIGURE_SHARE, NULL, FOR_PEOPLE},
      {"how", "executed"},
      {"why", "why", .optional = true, .note = true},
      {"made_with", NULL, .audience = FOR_PROGRAMS},
      {"made_as_one", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS},
      {"made_apart", NULL, FIGURE_COUNT, NULL, FOR_PROGRAMS},
  };
  static const struct report_section section = {
      .key = "host_times", .title = "where this computer's time goes", REPORT_COLUMNS(columns)};
  double whole = 0;
  unsigned left_out = 0;
  for (size_t k = 0; k < run->host_time_count; k++)
    whole += run->host_times[k].own;
  report_section(report, &section);
  for (size_t k = 0; k < run->host_time_count; k++) {
    const struct psl_host_time *row = &run->host_times[k];
    if (report->renderer->people && row->depth && row->seconds < LEAST * whole) {
      left_out++;
      continue;
    }
    const char *name = row->name ? row->name : "events and matching";
    struct report_cell named =
        cell_shown(cell_word(name), arena_printf(report->arena, "%*s%s", (int)(2 * row->depth), "", name));
    report_row(report, (struct report_cell[]){
                           cell_count(row->depth), named, cell_word(place_text(report, row->place)),
                           cell_real(row->seconds), cell_real(row->own),
                           cell_real(whole > 0 ? row->seconds / whole : 0), cell_real(whole > 0 ? row->own / whole : 0),
                           cell_shown(cell_word(row->how), how_text(report, row)), cell_word(why_text(report, row)),
                           cell_word(row->second), row->second ? cell_count(row->paired) : cell_none(),
                           row->second ? cell_count(row->apart) : cell_none()});
  }
  report_end(report);
  if (left_out)
    report_line(report, "  left out: %u of less than %g %%, which --format json has", left_out, 100 * LEAST);
}
