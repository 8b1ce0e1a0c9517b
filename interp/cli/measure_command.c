/* psl measure: what messages take on a machine, by a program that a launcher of MPI runs, or what memory does
 * on this computer, or either by a table; what comes out is a machine of PSL, or the profile of a memory. */
#include "interp/cli/cli.h"

#include <string.h>

static bool of_memory(const struct cli *cli) { return strcmp(cli->arguments[0], "memory") == 0; }

/* The table: of the file, or what the program measures now, which goes to --table, too. */
static enum psl_code measured_table(struct cli *cli, struct psl *psl, struct buffer *table) {
  struct psl_probe_options options = {cli->launcher, cli->study.repetitions};
  struct sink sink;
  if (cli->table && !sink_open(cli, &sink, cli->table, "--table", CONTENTS_REPORT)) return PSL_WRONG;
  enum psl_code done = of_memory(cli) ? psl_probe_memory(psl, options.repetitions, buffer_write, table)
                                      : psl_probe_messages(psl, &options, buffer_write, table);
  if (!cli->table) return done;
  if (done == PSL_OK) {
    fwrite(table->data, 1, table->size, sink.file);
    return sink_keep(cli, &sink) ? PSL_OK : PSL_WRONG;
  }
  sink_drop(&sink);
  return done;
}

static int measure(struct cli *cli, struct psl *psl, struct sink *sink) {
  struct psl_measure_options options = {cli->fit.name};
  struct buffer table = {.scope = cli->scope};
  enum psl_code done = cli->from ? PSL_OK : measured_table(cli, psl, &table);
  if (done == PSL_OK)
    done = (of_memory(cli) ? psl_measure_memory : psl_measure_messages)(
        psl, cli->from ? cli->from : "measured", table.data, table.size, &options, psl_write_file, sink->file);
  if (done == PSL_OK) return sink_keep(cli, sink) ? EXIT_FINE : EXIT_MODEL;
  sink_drop(sink);
  return exit_of(done);
}

static bool check(struct cli *cli) {
  static const char usage[] =
      "usage: psl measure [OPTION...] messages --mpirun LAUNCHER | --from FILE, or memory [--from FILE]";
  bool memory = of_memory(cli);
  if (!memory && strcmp(cli->arguments[0], "messages") != 0)
    cli_error(cli, usage, "'measure' measures messages or memory, not '%s'", shown(cli, cli->arguments[0]));
  else if (memory && cli->launcher)
    cli_error(cli, usage, "memory is measured without --mpirun");
  else if (!memory && !cli->launcher == !cli->from)
    cli_error(cli, usage, "'measure' needs either --mpirun, which starts two ranks, or --from, a table");
  else if (cli->from && (cli->table || cli->study.repetitions))
    cli_error(cli, usage, "--from measures nothing: it goes without --table and --repetitions");
  else
    return true;
  return false;
}

int command_measure(struct cli *cli) {
  struct sink sink;
  if (!check(cli)) return EXIT_USAGE;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  int code = psl ? measure(cli, psl, &sink) : EXIT_MODEL;
  if (!psl) sink_drop(&sink);
  cli_close(cli, psl);
  return code;
}
