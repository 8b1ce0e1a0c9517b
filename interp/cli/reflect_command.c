/* psl reflect: a program runs beside a model, and asks it what its uses of resources take. */
#include "interp/cli/cli.h"

#include <string.h>

/* What the model knows the program by. */
static const char *name_of_program(const struct cli *cli) {
  const char *path = cli->listen ? cli->listen : cli->arguments[0], *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static enum psl_code load_model(struct cli *cli, struct psl *psl) {
  static const char library[] = "use reflector;\n";
  if (!cli->model) return psl_load_text(psl, "reflect", library, sizeof library - 1);
  enum psl_code done = psl_load_file(psl, cli->model);
  if (done != PSL_OK || has_param(psl, "program", "reflector.program")) return done;
  cli_error(cli, "it has to say 'use reflector;'", "'%s' is no model that a program asks", shown(cli, cli->model));
  return PSL_WRONG;
}

static int run_model(struct cli *cli, struct psl *psl, struct sink *sink) {
  enum psl_code done = load_model(cli, psl);
  if (done == PSL_OK) done = psl_set(psl, "reflector.program", quoted(cli, cli->options.alias));
  int code = exit_of(done);
  if (code == EXIT_FINE && cli_set_params(cli, psl, &code)) return run_report(cli, psl, cli->system, sink);
  sink_drop(sink);
  return code;
}

static int start_program(struct cli *cli, const struct psl_program *program) {
  struct sink sink;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  cli->options.alias = name_of_program(cli);
  cli->options.alias_path = psl_program_path(program);
  struct psl *psl = cli_open(cli);
  int code = psl ? run_model(cli, psl, &sink) : EXIT_MODEL;
  if (!psl) sink_drop(&sink);
  cli_close(cli, psl);
  return code;
}

/* Either a program, or a socket by which one comes that somebody else starts. */
static bool is_meant(const struct cli *cli) {
  if (cli->listen && cli->argument_count)
    cli_error(cli, "leave one of them out", "--listen waits for a program, and '%s' is one to be started",
              shown(cli, cli->arguments[0]));
  else if (!cli->listen && !cli->argument_count)
    cli_error(cli, "psl reflect [OPTION...] PROGRAM [ARGUMENT...]", "'reflect' needs a program");
  else
    return true;
  return false;
}

int command_reflect(struct cli *cli) {
  char error[400];
  if (!is_meant(cli)) return EXIT_USAGE;
  const char **words = SCOPE_ARRAY(cli->scope, const char *, cli->argument_count + 1);
  memcpy(words, cli->arguments, cli->argument_count * sizeof *words);
  words[cli->argument_count] = NULL;
  struct psl_reflected_options options = {
      .words = words, .socket = cli->listen, .simulated = cli->costs == PSL_COSTS_NONE};
  struct psl_program *program = psl_program_reflected(&options, error, sizeof error);
  if (!program) {
    cli_error(cli, NULL, "%s", error);
    return EXIT_MODEL;
  }
  int code = start_program(cli, program);
  psl_program_close(program);
  return code;
}
