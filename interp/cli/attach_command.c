/* psl attach: functions of a process that runs are counted and timed, without its sources. */
#include "interp/attach/attach.h"
#include "interp/cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(void *user, bool error, const char *text) {
  const struct cli *cli = user;
  struct psl_options options = cli->options;
  options.diagnostic = cli->quiet ? print_error : print_diagnostic;
  psl_say(&options, error ? PSL_ERROR : PSL_NOTE, text, NULL);
}

/* The number of a process that is not psl itself; 0 after an error. */
static pid_t process_meant(const struct cli *cli) {
  char *end;
  long number = strtol(cli->arguments[0], &end, 10);
  if (*end || number <= 0 || number != (pid_t)number)
    cli_error(cli, "pgrep NAME prints the numbers of processes that are called so", "'%s' is no number of a process",
              shown(cli, cli->arguments[0]));
  else if (number == getpid())
    cli_error(cli, NULL, "%ld is psl itself", number);
  else
    return (pid_t)number;
  return 0;
}

static bool attach(struct cli *cli, pid_t process, struct sink *sink, FILE *trace) {
  struct attach_options options = {
      .process = process,
      .functions = cli->functions,
      .function_count = cli->function_count,
      .seconds = cli->attached_for,
      .json = cli->written && !strcmp(cli->written, "json"),
      .out = sink->file,
      .trace = trace,
      .commands = STDIN_FILENO,
      .say = say,
      .user = cli,
  };
  return attach_run(&options);
}

/* With the trace, if one is wanted; it is kept as the report is. */
static int attach_traced(struct cli *cli, pid_t process, struct sink *sink) {
  struct sink trace = {0};
  if (cli->trace && !sink_open(cli, &trace, cli->trace, "--trace", CONTENTS_EVENTS)) {
    sink_drop(sink);
    return EXIT_MODEL;
  }
  bool fine = attach(cli, process, sink, trace.file);
  if (cli->trace && !fine) sink_drop(&trace);
  if (cli->trace && fine) fine = sink_keep(cli, &trace);
  if (fine) return sink_keep(cli, sink) ? EXIT_FINE : EXIT_MODEL;
  sink_drop(sink);
  return EXIT_MODEL;
}

int command_attach(struct cli *cli) {
  struct sink sink;
  pid_t process = process_meant(cli);
  if (!process) return EXIT_USAGE;
#if !defined __x86_64__
  cli_error(cli, NULL, "this computer has another processor than x86-64, whose instructions 'attach' knows");
  return EXIT_MODEL;
#endif
  return cli_output(cli, &sink) ? attach_traced(cli, process, &sink) : EXIT_MODEL;
}
