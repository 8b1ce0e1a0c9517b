/* The line on a terminal that says how far many runs have come: of a study, a sensitivity analysis, a comparison of two
 * models; or one that takes long.  Their commands give what draws it to the library. */
#include "interp/cli/cli.h"

#include <time.h>
#include <unistd.h>

#define REDRAWN_AFTER 0.2 /* s */
#define AFTER 0.9         /* s: what is over sooner needs no line */

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

/* It is a person's terminal, to which no lines of a report are written meanwhile. */
static bool is_wanted(const struct cli *cli, bool streamed) {
  return isatty(STDERR_FILENO) && !terminal_is_dumb() && !cli->quiet && !(streamed && isatty(STDOUT_FILENO));
}

psl_progress_callback *progress_open(const struct cli *cli, struct progress_line *line, enum psl_format format) {
  bool streamed = !psl_format_is_text(format) && !cli->output;
  *line = (struct progress_line){.begin = now(), .last = now()};
  return is_wanted(cli, streamed) ? draw : NULL;
}

/* ---- one run ---- */

bool run_line_open(const struct cli *cli, struct run_line *line) {
  *line = (struct run_line){.begin = now(), .limit = cli->run.max_time};
  return cli->command->run != command_mpirun && is_wanted(cli, false); /* alarms are for nobody who waits for ranks */
}

static void print_time(double seconds) {
  static const struct {
    double factor;
    const char *unit;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t u = 0;
  while (u < 3 && seconds > 0 && seconds < units[u].factor)
    u++;
  fprintf(stderr, "%.4g %s", seconds / units[u].factor, units[u].unit);
}

/* The cursor is left at the line's beginning, as above. */
void run_line_draw(void *user, double seconds, uint64_t events) {
  struct run_line *line = user;
  double taken = now() - line->begin;
  if (taken < AFTER) return;
  line->there = true;
  fflush(stdout);
  fputs("\r\033[K", stderr);
  print_time(seconds);
  fputs(" simulated", stderr);
  if (line->limit > 0) {
    fputs(" of ", stderr);
    print_time(line->limit);
    fprintf(stderr, " (%.0f %%)", 100 * seconds / line->limit);
  }
  fprintf(stderr, ", %llu events, %.3g/s\r", (unsigned long long)events, (double)events / taken);
  fflush(stderr);
}

void run_line_end(struct run_line *line) {
  if (line->there) fputs("\r\033[K", stderr);
}
