/* psl replay: a trace in place of a program. It runs the library's model of programs, or one that uses that, with the
 * trace as its param. */
#include "interp/cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The model may read what stands beside the trace, or in it where it is a folder. */
static bool allow_folder(struct psl *psl, char *path) {
  struct stat status;
  char *slash = strrchr(path, '/');
  bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  if (folder || slash == path) return psl_allow_read(psl, folder ? path : "/") == PSL_OK;
  *slash = '\0';
  bool done = psl_allow_read(psl, path) == PSL_OK;
  *slash = '/';
  return done;
}

static const char *quoted(struct cli *cli, const char *text) {
  struct buffer buffer = {.scope = cli->scope};
  buffer_put(&buffer, "\"", 1);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') buffer_put(&buffer, "\\", 1);
    buffer_put(&buffer, text, 1);
  }
  buffer_put(&buffer, "\"", 1);
  return buffer.data;
}

static bool takes_trace(struct cli *cli, struct psl *psl) {
  const struct psl_param *params;
  size_t count = 0;
  if (psl_params(psl, &params, &count) != PSL_OK) return true; /* which has said why */
  for (size_t i = 0; i < count; i++)
    if (!strcmp(params[i].name, "trace") || !strcmp(params[i].name, "program.trace")) return true;
  cli_error(cli, "it has to say 'use program;'", "'%s' is no model that takes a trace", shown(cli, cli->model));
  return false;
}

static struct psl *load(struct cli *cli, int *code) {
  static const char library[] = "use program;\n";
  char path[PATH_MAX];
  *code = EXIT_MODEL;
  if (!realpath(cli->arguments[0], path)) {
    cli_error(cli, NULL, "no trace '%s'", shown(cli, cli->arguments[0]));
    return NULL;
  }
  struct psl *psl = cli_open(cli);
  if (!psl) return NULL;
  enum psl_code done = allow_folder(psl, path) ? PSL_OK : PSL_MEMORY;
  if (done == PSL_OK)
    done = cli->model ? psl_load_file(psl, cli->model) : psl_load_text(psl, "replay", library, sizeof library - 1);
  if (done == PSL_OK && !takes_trace(cli, psl)) done = PSL_WRONG;
  if (done == PSL_OK) done = psl_set(psl, "program.trace", quoted(cli, path));
  *code = exit_of(done);
  if (done == PSL_OK && cli_set_params(cli, psl, code)) return psl;
  cli_close(cli, psl);
  return NULL;
}

/* The one that is named, or the model's own; where it has none, the library's. */
static const char *system_of(const struct cli *cli, struct psl *psl) {
  const char *const *names;
  size_t count = 0;
  if (cli->argument_count > 1) return cli->arguments[1];
  return psl_systems(psl, &names, &count) == PSL_OK && count == 1 ? names[0] : NULL;
}

int command_replay(struct cli *cli) {
  int code;
  struct sink sink;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = load(cli, &code);
  if (psl)
    code = run_report(cli, psl, system_of(cli, psl), &sink);
  else
    sink_drop(&sink);
  cli_close(cli, psl);
  return code;
}
