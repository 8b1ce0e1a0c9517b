/* psl studio: models in the browser. */
#include "interp/cli/cli.h"
#include "interp/studio/studio.h"

int command_studio(struct cli *cli) {
  cli->options.diagnostic = print_diagnostic;
  signals_of_server();
  struct studio_options options = {.psl = &cli->options,
                                   .path = cli->argument_count ? cli->arguments[0] : NULL,
                                   .rules = cli->rules,
                                   .toolbar = cli->toolbar,
                                   .no_browser = cli->no_browser,
                                   .interrupted = &interrupted};
  return studio_serve(&options) ? EXIT_MODEL : EXIT_FINE;
}
