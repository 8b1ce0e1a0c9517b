/* psl study: the command, and its progress on a terminal. */
#include "interp/cli/cli.h"

int command_study(struct cli *cli) {
  int code;
  struct sink sink; /* opened first: a study is not made for a file that cannot be written */
  struct plots plots;
  if (!sink_open(cli, &sink, cli->output)) return EXIT_MODEL;
  if (!plots_open(cli, &plots)) {
    sink_drop(&sink);
    return EXIT_MODEL;
  }
  struct psl *psl = cli_load(cli, cli->arguments[0], &code);
  enum psl_code done = PSL_WRONG;
  if (psl) {
    cli->study.run = cli->run;
    cli->study.vary = cli->axes;
    cli->study.vary_count = cli->axis_count;
    done = psl_study(psl, cli->argument_count > 1 ? cli->arguments[1] : NULL, &cli->study, psl_write_file,
                     sink.file);
    code = exit_of(done);
  }
  if (done == PSL_OK || done == PSL_STOPPED) {
    if (!sink_keep(cli, &sink)) code = EXIT_MODEL;
  } else {
    sink_drop(&sink);
  }
  if (!plots_close(&plots)) code = EXIT_MODEL;
  cli_close(cli, psl);
  return code;
}
