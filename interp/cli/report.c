/* psl report: a study of a database as a page. */
#include "interp/cli/cli.h"

int command_report(struct cli *cli) {
  int code;
  struct sink sink;
  if (!sink_open(cli, &sink, cli->output)) return EXIT_MODEL;
  cli->page.study = cli->argument_count > 1 ? cli->arguments[1] : NULL;
  cli->page.interrupted = cli->run.interrupted;
  struct psl *psl = cli_load(cli, NULL, &code);
  enum psl_code done = PSL_WRONG;
  if (psl) {
    done = psl_page(psl, cli->arguments[0], &cli->page, psl_write_file, sink.file);
    code = exit_of(done);
  }
  if (done != PSL_OK)
    sink_drop(&sink);
  else if (!sink_keep(cli, &sink))
    code = EXIT_MODEL;
  cli_close(cli, psl);
  return code;
}
