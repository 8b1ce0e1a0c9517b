/* psl report: a study of a database as a page, or a trace; or what studies a database has. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The database, with the log that may stand beside it. */
bool database_may_be_read(struct cli *cli, const char *database) {
  struct stat there;
  if (lstat(database, &there) != 0 && errno == ENOENT) {
    const char *maker = cli->command->run == command_db ? "db add" : "study";
    cli_error(cli, scope_printf(cli->scope, "'psl %s FILE --db %s' makes one", maker, shown(cli, database)),
              "there is no database '%s'", shown(cli, database));
    return false;
  }
  const char *why = files_read(cli->files, database);
  if (!why) why = files_read(cli->files, scope_printf(cli->scope, "%s-wal", database));
  if (why) cli_error(cli, "name another file", "%s cannot be read: %s", database, why);
  return !why;
}

/* A trace, or what none is. */
static int trace_page(struct cli *cli) {
  struct sink sink;
  if (cli->argument_count > 1) {
    cli_error(cli, "usage: psl report [OPTION...] TRACE", "a trace has no study '%s'", shown(cli, cli->arguments[1]));
    return EXIT_USAGE;
  }
  if (cli->report.timing) {
    cli_error(cli, "leave out --timing", "a trace does not say what it cost");
    return EXIT_USAGE;
  }
  if (!sink_open(cli, &sink, cli->output, "--output", CONTENTS_REPORT)) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code code = psl ? psl_trace_page(psl, cli->arguments[0], psl_write_file, sink.file) : PSL_WRONG;
  if (psl) cli_close(cli, psl);
  return sink_end(cli, &sink, code);
}

static bool list_fits(struct cli *cli) {
  bool page = cli->report.format == PSL_HTML;
  if (cli->list && cli->argument_count > 1)
    cli_error(cli, "leave out the study, or --list", "--list says what studies %s has", shown(cli, cli->arguments[0]));
  else if (cli->list && (cli->page.chosen || cli->report.timing))
    cli_error(cli, "leave it out", "%s is of a page, and --list makes none", cli->page.chosen ? "--point" : "--timing");
  else if (cli->list && (page || psl_is_trace(cli->arguments[0])))
    cli_error(cli, page ? "it writes text or json" : "'psl trace info' says what a trace holds",
              "--list is of the studies of a database");
  else if (!cli->list && !page)
    cli_error(cli, "'psl study FILE --db FILE.db --format csv' writes the points that the database has",
              "a report is a page of html: text and json are of --list");
  else
    return true;
  return false;
}

/* What studies there are. */
static int list_studies(struct cli *cli) {
  struct sink sink;
  if (!sink_open(cli, &sink, cli->output, "--output", CONTENTS_REPORT)) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code code = PSL_WRONG;
  if (psl) code = psl_kept_studies(psl, cli->arguments[0], cli->report.format, psl_write_file, sink.file);
  if (psl) cli_close(cli, psl);
  return sink_end(cli, &sink, code);
}

int command_report(struct cli *cli) {
  int code;
  struct sink sink;
  char path[PATH_MAX];
  if (!list_fits(cli)) return EXIT_USAGE;
  if (psl_is_trace(cli->arguments[0])) return trace_page(cli);
  if (!database_may_be_read(cli, cli->arguments[0])) return EXIT_MODEL;
  if (cli->list) return list_studies(cli);
  if (!sink_open(cli, &sink, cli->output, "--output", CONTENTS_REPORT)) return EXIT_MODEL;
  cli->page.study = cli->argument_count > 1 ? cli->arguments[1] : NULL;
  cli->page.timing = cli->report.timing;
  struct psl *psl = cli_load(cli, NULL, &code);
  enum psl_code done = PSL_WRONG;
  if (psl && (!realpath(cli->arguments[0], path) || allow_folder(psl, path))) {
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
