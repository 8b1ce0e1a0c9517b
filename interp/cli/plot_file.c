/* Where the plots of a study go: into files, or after the report in the terminal.  Called by psl study. */
#include "interp/cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* plot.svg, plot-2.svg, plot-3.svg */
static const char *name_of(const struct plots *plots, size_t number) {
  const char *path = plots->cli->plot_file, *dot = strrchr(path, '.');
  if (!number) return path;
  return scope_printf(plots->cli->scope, "%.*s-%zu%s", (int)(dot - path), path, number + 1, dot);
}

static bool open_file(struct plots *plots, size_t number) {
  struct sink sink;
  if (!sink_open(plots->cli, &sink, name_of(plots, number), "--plot-file", CONTENTS_REPORT)) return false;
  SCOPE_PUSH(plots->cli->scope, plots->sinks, plots->count, plots->capacity, sink);
  return true;
}

/* A PDF is made of the plot as SVG. */
static bool write_plot(const struct plots *plots, FILE *file, const char *picture, size_t size) {
  const char *format = format_named(plots->cli->plot_file);
  bool converted = format && strcmp(format, "pdf") == 0;
  FILE *svg = converted ? tmpfile() : file;
  bool done = svg && fwrite(picture, 1, size, svg) == size;
  if (converted && done) done = picture_convert(plots->cli, svg, format, file);
  if (converted && svg) fclose(svg);
  return done;
}

static int take(void *user, size_t number, const char *picture, size_t size) {
  struct plots *plots = user;
  if (!plots->cli->plot_file) {
    if (number || !plots->alone) fputc('\n', plots->terminal);
    fwrite(picture, 1, size, plots->terminal);
    return 0;
  }
  if (!number)
    plots->first = true;
  else if (!open_file(plots, number))
    return plots->failed = true;
  plots->broken = !write_plot(plots, plots->sinks[number ? plots->count - 1 : 0].file, picture, size);
  plots->failed |= plots->broken;
  return plots->broken;
}

bool plots_open(struct cli *cli, struct plots *plots) {
  struct psl_plot_options *options = &cli->study.plot;
  bool standard = psl_format_is_text(cli->study.format) || (cli->output && strcmp(cli->output, "-"));
  *plots = (struct plots){.cli = cli, .terminal = standard ? stdout : stderr};
  options->take = take;
  options->user = plots;
  options->columns = terminal_columns(fileno(plots->terminal));
  options->color = cli_color(cli->color, fileno(plots->terminal));
  if (!cli->plot_file) return true;
  return open_file(plots, 0);
}

int plots_close(struct plots *plots, int code) {
  for (size_t i = 0; i < plots->count; i++) {
    struct sink *sink = &plots->sinks[i];
    sink->partial = code != EXIT_FINE || interrupted;
    if ((!i && !plots->first) || (plots->broken && i + 1 == plots->count))
      sink_drop(sink);
    else
      plots->failed |= !sink_keep(plots->cli, sink);
  }
  return plots->failed ? EXIT_MODEL : code;
}
