/* psl report: a study of a database as a page, or a trace. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The database, with the log that may stand beside it. */
bool database_may_be_read(struct cli *cli, const char *database) {
  struct stat there;
  if (lstat(database, &there) != 0 && errno == ENOENT) {
    cli_error(cli, scope_printf(cli->scope, "'psl study FILE --db %s' makes one", shown(cli, database)),
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

int command_report(struct cli *cli) {
  int code;
  struct sink sink;
  char path[PATH_MAX];
  if (psl_is_trace(cli->arguments[0])) return trace_page(cli);
  if (!database_may_be_read(cli, cli->arguments[0])) return EXIT_MODEL;
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
