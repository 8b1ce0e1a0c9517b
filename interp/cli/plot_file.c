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
  return sink_open(plots->cli, &plots->sink, name_of(plots, number), "--plot-file", CONTENTS_REPORT);
}

static int take(void *user, size_t number, const char *picture, size_t size) {
  struct plots *plots = user;
  if (!plots->cli->plot_file) {
    if (number || !plots->alone) fputc('\n', plots->terminal);
    fwrite(picture, 1, size, plots->terminal);
    return 0;
  }
  if (number && plots->open) sink_drop(&plots->sink); /* the first one is empty */
  if (number && !open_file(plots, number)) {
    plots->failed = true;
    return 1;
  }
  fwrite(picture, 1, size, plots->sink.file);
  plots->open = false;
  plots->sink.partial = plots->partial || interrupted;
  plots->failed |= !sink_keep(plots->cli, &plots->sink);
  return plots->failed;
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
  return plots->open = open_file(plots, 0);
}

bool plots_close(struct plots *plots) {
  if (plots->open) sink_drop(&plots->sink);
  return !plots->failed;
}
