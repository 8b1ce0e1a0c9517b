/* The line on a terminal that says how far many runs have come: of a study, a sensitivity analysis, a comparison of two
 * models; or one that takes long.  Their commands give what draws it to the library. */
#include "interp/cli/cli.h"

#include <stdarg.h>
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
  fprintf(stderr, "\r\033[K%llu of %llu %s", (unsigned long long)progress->done, (unsigned long long)progress->count,
          line->what);
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
  *line = (struct progress_line){.what = "runs", .begin = now(), .last = now()};
  return is_wanted(cli, streamed) ? draw : NULL;
}

/* ---- one run ---- */

bool run_line_open(const struct cli *cli, struct run_line *line) {
  *line = (struct run_line){.begin = now(), .limit = cli->run.max_time};
  return cli->command->run != command_mpirun && is_wanted(cli, false); /* alarms are for nobody who waits for ranks */
}

struct words {
  char text[400];
  size_t size;
};

static void add(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct words *words, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(words->text + words->size, sizeof words->text - words->size, format, arguments);
  va_end(arguments);
  words->size += (size_t)size;
  if (words->size >= sizeof words->text) words->size = sizeof words->text - 1;
}

static void add_time(struct words *words, double seconds) {
  static const struct {
    double factor;
    const char *unit;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t u = 0;
  while (u < 3 && seconds > 0 && seconds < units[u].factor)
    u++;
  add(words, "%.4g %s", seconds / units[u].factor, units[u].unit);
}

/* As many as the line of the terminal has room for. */
static void add_parts(struct words *words, const struct psl_run_progress *progress) {
  size_t columns = terminal_columns(STDERR_FILENO);
  for (size_t p = 0; p < progress->part_count; p++) {
    struct words more = *words;
    const struct psl_run_part *part = &progress->parts[p];
    add(&more, "%s %s %.0f %%", p ? "," : "; time:", part->component, 100 * part->share);
    if (more.size >= (columns ? columns : sizeof more.text - 1)) return;
    *words = more;
  }
}

/* The cursor is left at the line's beginning, as above. */
void run_line_draw(void *user, const struct psl_run_progress *progress) {
  struct run_line *line = user;
  struct words words = {.size = 0};
  double taken = now() - line->begin;
  if (taken < AFTER) return;
  add_time(&words, progress->seconds);
  add(&words, " simulated");
  if (line->limit > 0) {
    add(&words, " of ");
    add_time(&words, line->limit);
    add(&words, " (%.0f %%)", 100 * progress->seconds / line->limit);
  }
  add(&words, ", %llu events, %.3g/s", (unsigned long long)progress->events, (double)progress->events / taken);
  add_parts(&words, progress);
  line->there = true;
  fflush(stdout);
  fprintf(stderr, "\r\033[K%s\r", words.text);
  fflush(stderr);
}

void run_line_end(struct run_line *line) {
  if (line->there) fputs("\r\033[K", stderr);
}
