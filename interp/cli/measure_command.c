/* psl measure: what messages take on a machine, by a program that a launcher of MPI runs, or what memory,
 * floating-point operations or threads do on this computer, or any of them by a table; what comes out is a machine of
 * PSL, or a profile. */
#include "interp/cli/cli.h"

#include <string.h>

static const struct measured {
  const char *name;
  bool launched; /* by a launcher */
  enum psl_code (*probe)(struct psl *, const struct psl_probe_options *, psl_write *, void *);
  enum psl_code (*measure)(struct psl *, const char *name, const char *text, size_t size,
                           const struct psl_measure_options *, psl_write *, void *);
} kinds[] = {
    {"messages", true, psl_probe_messages, psl_measure_messages},
    {"memory", false, psl_probe_memory, psl_measure_memory},
    {"compute", false, psl_probe_compute, psl_measure_compute},
    {"threads", false, psl_probe_threads, psl_measure_threads},
};

/* NULL: there is none of the name. */
static const struct measured *kind_of(const struct cli *cli) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (!strcmp(cli->arguments[0], kinds[k].name)) return &kinds[k];
  return NULL;
}

/* The table: of the file, or what the program measures now, which goes to --table, too. */
static enum psl_code measured_table(struct cli *cli, struct psl *psl, struct buffer *table) {
  const struct measured *kind = kind_of(cli);
  struct progress_line line;
  struct psl_probe_options options = {cli->launcher, cli->study.repetitions, progress_open(cli, &line, PSL_TEXT),
                                      &line};
  struct sink sink;
  line.what = kind->launched ? "samples" : "tests";
  if (cli->table && !sink_open(cli, &sink, cli->table, "--table", CONTENTS_REPORT)) return PSL_WRONG;
  enum psl_code done = kind->probe(psl, &options, buffer_write, table);
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
  enum psl_code done = cli->from ? PSL_OK : psl_measure_name(psl, options.name); /* the measurement takes minutes */
  if (done == PSL_OK && !cli->from) done = measured_table(cli, psl, &table);
  if (done == PSL_OK)
    done = kind_of(cli)->measure(psl, cli->from ? cli->from : "measured", table.data, table.size, &options,
                                 psl_write_file, sink->file);
  return sink_end(cli, sink, done);
}

static bool check(struct cli *cli) {
  static const char usage[] =
      "usage: psl measure [OPTION...] messages --mpirun LAUNCHER | --from FILE, or memory|compute|threads "
      "[--from FILE]";
  const struct measured *kind = kind_of(cli);
  if (!kind)
    cli_error(cli, usage, "'measure' measures messages, memory, compute or threads, not '%s'",
              shown(cli, cli->arguments[0]));
  else if (!kind->launched && cli->launcher)
    cli_error(cli, usage, "'psl measure %s' goes without --mpirun", kind->name);
  else if (kind->launched && !cli->launcher == !cli->from)
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
