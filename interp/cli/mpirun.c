/* psl mpirun: a program of MPI runs on the simulated ranks of a model. */
#include "interp/cli/cli.h"

#include <string.h>

/* The model knows the program by its name. */
static int run_program(struct cli *cli, const struct psl_program *program, struct sink *sink) {
  const char *slash = strrchr(*cli->arguments, '/');
  cli->options.alias = slash ? slash + 1 : *cli->arguments;
  cli->options.alias_path = psl_program_path(program);
  struct psl *psl = cli_open(cli);
  int code = psl ? traced_run(cli, psl, cli->options.alias, cli->system, sink) : EXIT_MODEL;
  if (!psl) sink_drop(sink);
  cli_close(cli, psl);
  return code;
}

static int start_program(struct cli *cli, const char *record) {
  char error[400];
  struct sink sink;
  const char **words = SCOPE_ARRAY(cli->scope, const char *, cli->argument_count + 1);
  memcpy(words, cli->arguments, cli->argument_count * sizeof *words);
  words[cli->argument_count] = NULL;
  struct psl_program_options options = {.ranks = cli->ranks,
                                        .words = words,
                                        .costs = cli->costs,
                                        .inside = cli->inside,
                                        .record = record,
                                        .settings = cli->processor,
                                        .setting_count = cli->processor_count};
  struct psl_program *program = psl_program_open(&options, error, sizeof error);
  if (!program) {
    cli_error(cli, NULL, "%s", error);
    return EXIT_MODEL;
  }
  int code = cli_output(cli, &sink) ? run_program(cli, program, &sink) : EXIT_MODEL;
  psl_program_close(program);
  return code;
}

int command_mpirun(struct cli *cli) {
  struct sink record = {0};
  if (!record_open(cli, &record)) return EXIT_MODEL;
  return record_close(cli, &record, start_program(cli, record.temporary));
}
