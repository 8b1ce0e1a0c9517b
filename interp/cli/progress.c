/* The line on a terminal that says how far many runs have come: of a study, a sensitivity analysis, a comparison of two
 * models.  Their commands give progress_draw to the library. */
#include "interp/cli/cli.h"

#include <time.h>
#include <unistd.h>

#define REDRAWN_AFTER 0.2 /* s */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void print_left(double seconds) {
  if (seconds < 90)
    fprintf(stderr, "%.0f s", seconds);
  else if (seconds < 5400)
    fprintf(stderr, "%.0f min", seconds / 60);
  else
    fprintf(stderr, "%.1f h", seconds / 3600);
}

/* The cursor is left at the line's beginning, so that a diagnostic that comes takes its place. */
static void draw(void *user, const struct psl_progress *progress) {
  struct progress_line *line = user;
  double time = now();
  if (progress->ended) {
    if (line->there) fputs("\r\033[K", stderr);
    return;
  }
  if (time - line->last < REDRAWN_AFTER) return;
  double rate = (double)(progress->done - progress->known) / (time - line->begin); /* what was there took no time */
  line->last = time;
  line->there = true;
  fflush(stdout);
  fprintf(stderr, "\r\033[K%llu of %llu runs", (unsigned long long)progress->done, (unsigned long long)progress->count);
  if (rate > 0) {
    fprintf(stderr, ", %.3g/s, time left: ", rate);
    print_left((double)(progress->count - progress->done) / rate);
  }
  if (progress->failed) fprintf(stderr, ", %llu failed", (unsigned long long)progress->failed);
  fputc('\r', stderr);
  fflush(stderr);
}

psl_progress_callback *progress_open(const struct cli *cli, struct progress_line *line, enum psl_format format) {
  bool streamed = !psl_format_is_text(format) && !cli->output;
  *line = (struct progress_line){.begin = now(), .last = now()};
  bool wanted = isatty(STDERR_FILENO) && !terminal_is_dumb() && !cli->quiet && !(streamed && isatty(STDOUT_FILENO));
  return wanted ? draw : NULL;
}
