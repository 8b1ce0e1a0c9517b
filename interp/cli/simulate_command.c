/* psl simulate: one program on a simulated processor. Its output and its status are its own; the report goes to
 * --output, or to standard error. */
#include "interp/cli/cli.h"

static struct psl_simulation_setting *settings_of(struct cli *cli) {
  struct psl_simulation_setting *settings =
      SCOPE_ARRAY(cli->scope, struct psl_simulation_setting, cli->setting_count + 1);
  for (size_t i = 0; i < cli->setting_count; i++)
    settings[i] = (struct psl_simulation_setting){cli->settings[i].name, cli->settings[i].value};
  return settings;
}

static enum psl_code simulate(struct cli *cli, struct psl *psl, struct sink *sink, int *status) {
  const char **words = SCOPE_ARRAY(cli->scope, const char *, cli->argument_count + 1);
  for (size_t i = 0; i < cli->argument_count; i++)
    words[i] = cli->arguments[i];
  words[cli->argument_count] = NULL;
  struct psl_simulation_options options = {words, settings_of(cli), cli->setting_count, cli->report.format};
  return psl_simulate(psl, &options, status, psl_write_file, sink->file);
}

int command_simulate(struct cli *cli) {
  struct sink sink = {.file = stderr};
  int status = EXIT_MODEL;
  if (cli->output && !cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code code = psl ? simulate(cli, psl, &sink, &status) : PSL_MEMORY;
  cli_close(cli, psl);
  sink.partial = code == PSL_STOPPED;
  int end = sink_end(cli, &sink, code);
  return end == EXIT_FINE ? status : end;
}
