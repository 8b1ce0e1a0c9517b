/* psl derive: expressions of what processes spend their time for. */
#include "interp/cli/cli.h"

#include <string.h>

static enum psl_derive_format format_of(const struct cli *cli) {
  return !strcmp(cli->written, "latex")  ? PSL_DERIVE_LATEX
         : !strcmp(cli->written, "psl")  ? PSL_DERIVE_PSL
         : !strcmp(cli->written, "json") ? PSL_DERIVE_JSON
                                         : PSL_DERIVE_TEXT;
}

static enum psl_code derive_to(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  const struct psl_results *results = NULL;
  const char *system = system_argument(cli);
  cli->derive.format = format_of(cli);
  enum psl_code code = cli->verify ? psl_run(psl, system, &cli->run, &results) : PSL_OK;
  cli->derive.run = results;
  if (code == PSL_OK) code = psl_derive(psl, system, &cli->derive, write, user);
  if (results && code != PSL_MEMORY && code != PSL_INTERRUPTED) psl_drop(psl, results);
  return code == PSL_STOPPED ? PSL_WRONG : code;
}

int command_derive(struct cli *cli) {
  int code;
  struct sink sink;
  if (cli->verify && (!strcmp(cli->written, "latex") || !strcmp(cli->written, "psl"))) {
    cli_error(cli, "leave it out, or write text or json", "--verify has no place in %s", cli->written);
    return EXIT_USAGE;
  }
  if (cli->verify && cli->derive.section) {
    cli_error(cli, "leave one of them out", "--verify compares whole processes with a run, --section derives a part");
    return EXIT_USAGE;
  }
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_load(cli, cli->arguments[0], &code);
  if (psl)
    code = sink_end(cli, &sink, derive_to(cli, psl, psl_write_file, sink.file));
  else
    sink_drop(&sink);
  cli_close(cli, psl);
  return code;
}
