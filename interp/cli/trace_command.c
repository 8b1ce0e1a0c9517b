/* psl trace: what traces of programs hold, and traces in other formats. */
#include "interp/cli/cli.h"

#include <string.h>

static bool takes(const struct cli *cli, size_t count, const char *usage) {
  if (cli->argument_count == count) return true;
  cli_error(cli, usage, "'trace %s' takes %zu file%s", cli->arguments[0], count - 1, count == 2 ? "" : "s");
  return false;
}

static int info(struct cli *cli) {
  struct sink sink;
  if (!takes(cli, 2, "usage: psl trace info [OPTION...] TRACE")) return EXIT_USAGE;
  struct psl *psl = cli_output(cli, &sink) ? cli_open(cli) : NULL;
  if (!psl) return EXIT_MODEL;
  enum psl_code code = psl_trace_info(psl, cli->arguments[1], cli->report.format, psl_write_file, sink.file);
  if (code != PSL_OK) sink_drop(&sink);
  cli_close(cli, psl);
  return code != PSL_OK ? exit_of(code) : sink_keep(cli, &sink) ? EXIT_FINE : EXIT_MODEL;
}

/* The trace is written beside its place; formats that are linked afterwards need a file there. */
static int convert(struct cli *cli) {
  struct sink sink;
  if (!takes(cli, 3, "usage: psl trace convert [OPTION...] TRACE TRACE")) return EXIT_USAGE;
  const char *from = cli->arguments[1], *to = cli->arguments[2], *why = files_read(cli->files, from);
  if (why) {
    cli_error(cli, NULL, "%s cannot be read: %s", shown(cli, from), why);
    return EXIT_MODEL;
  }
  if (!sink_open(cli, &sink, to, "trace convert", CONTENTS_REPORT)) return EXIT_MODEL;
  struct psl *psl = sink.temporary ? cli_open(cli) : NULL;
  if (!sink.temporary) cli_error(cli, NULL, "'%s' is no file that can hold a trace", shown(cli, to));
  enum psl_code code = psl ? psl_trace_convert(psl, from, sink.temporary, to) : PSL_WRONG;
  if (psl) cli_close(cli, psl);
  if (code != PSL_OK) sink_drop(&sink);
  return code != PSL_OK ? exit_of(code) : sink_keep(cli, &sink) ? EXIT_FINE : EXIT_MODEL;
}

int command_trace(struct cli *cli) {
  if (!strcmp(cli->arguments[0], "info")) return info(cli);
  if (!strcmp(cli->arguments[0], "convert")) return convert(cli);
  cli_error(cli, "'psl help trace' explains it", "'trace' takes info or convert, not '%s'", cli->arguments[0]);
  return EXIT_USAGE;
}
