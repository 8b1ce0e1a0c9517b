/* psl trace: traces of real runs of programs, what traces hold, and traces in other formats; and what programs do with
 * memory. */
#include "interp/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool takes(const struct cli *cli, size_t count, const char *usage) {
  if (cli->argument_count == count) return true;
  cli_error(cli, usage, "'trace %s' takes %zu file%s", cli->arguments[0], count - 1, count == 2 ? "" : "s");
  return false;
}

static int info(struct cli *cli) {
  struct sink sink;
  if (!takes(cli, 2, "usage: psl trace info [OPTION...] TRACE")) return EXIT_USAGE;
  struct psl *psl = cli_output(cli, &sink) ? cli_open(cli) : NULL;
  if (!psl) return EXIT_MODEL;
  enum psl_code code = psl_trace_info(psl, cli->arguments[1], &cli->report, psl_write_file, sink.file);
  cli_close(cli, psl);
  return sink_end(cli, &sink, code);
}

static int convert(struct cli *cli) {
  struct sink sink;
  if (!takes(cli, 3, "usage: psl trace convert [OPTION...] TRACE TRACE")) return EXIT_USAGE;
  const char *from = cli->arguments[1], *to = cli->arguments[2], *why = files_read(cli->files, from);
  if (why) {
    cli_error(cli, NULL, "%s cannot be read: %s", shown(cli, from), why);
    return EXIT_MODEL;
  }
  if (!trace_sink_open(cli, &sink, to, "trace convert")) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code code = psl ? psl_trace_convert(psl, from, sink.temporary, to) : PSL_WRONG;
  if (psl) cli_close(cli, psl);
  return sink_end(cli, &sink, code);
}

/* ---- a real run ---- */

#define DEFAULT_TRACE "psl.trace"
#define DEFAULT_SIGNATURE "signature.psl"

/* Makes the trace of what the ranks write in a folder beside it. */
static enum psl_code record_to(struct cli *cli, const char *path, const char *to, bool folder, int *status) {
  const char **words = SCOPE_ARRAY(cli->scope, const char *, cli->argument_count + 1);
  memcpy(words, cli->arguments, cli->argument_count * sizeof *words);
  words[cli->argument_count] = NULL;
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  char *ranks = scope_printf(cli->scope, "%.*s.XXXXXX", (int)length, path);
  if (!mkdtemp(ranks)) {
    cli_error(cli, NULL, "%s cannot be written: %s", shown(cli, path), strerror(errno));
    return PSL_WRONG;
  }
  struct psl *psl = cli_open(cli);
  enum psl_code code = psl ? psl_trace_program(psl, words, ranks, to, folder, status) : PSL_MEMORY;
  if (psl) cli_close(cli, psl);
  work_folder_remove(ranks);
  return code;
}

static enum psl_code record_folder(struct cli *cli, const char *path, int *status) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return record_to(cli, path, path, true, status);
  cli_error(cli, NULL, "%s cannot be written: %s", shown(cli, path), strerror(errno));
  return PSL_WRONG;
}

static enum psl_code record_file(struct cli *cli, const char *path, int *status) {
  struct sink sink;
  if (!trace_record_open(cli, &sink, path, "--output")) return PSL_WRONG;
  enum psl_code code = record_to(cli, path, sink.temporary, false, status);
  if (code != PSL_OK) sink_drop(&sink);
  return code == PSL_OK && !trace_record_keep(cli, &sink, path, "--output") ? PSL_WRONG : code;
}

static int record(struct cli *cli) {
  const char *path = cli->output ? cli->output : DEFAULT_TRACE;
  struct stat there;
  int status = 0;
  bool folder = path[strlen(path) - 1] == '/' || (stat(path, &there) == 0 && S_ISDIR(there.st_mode));
  enum psl_code code = folder ? record_folder(cli, path, &status) : record_file(cli, path, &status);
  if (code == PSL_OK && status)
    cli_error(cli, NULL, "%s ends with status %d; the trace goes as far as that", shown(cli, *cli->arguments), status);
  return code != PSL_OK ? exit_of(code) : status ? EXIT_MODEL : EXIT_FINE;
}

/* ---- memory ---- */

static int trace_memory(struct cli *cli) {
  const char **words = SCOPE_ARRAY(cli->scope, const char *, cli->argument_count + 1);
  struct sink sink;
  int status = 0;
  memcpy(words, cli->arguments, cli->argument_count * sizeof *words);
  words[cli->argument_count] = NULL;
  cli->signature.words = words;
  cli->signature.name = cli->fit.name;
  if (!sink_open(cli, &sink, cli->output ? cli->output : DEFAULT_SIGNATURE, "--output", CONTENTS_MODEL))
    return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code code = psl ? psl_trace_memory(psl, &cli->signature, psl_write_file, sink.file, &status) : PSL_MEMORY;
  if (psl) cli_close(cli, psl);
  if (code != PSL_OK) sink_drop(&sink);
  if (code != PSL_OK || !sink_keep(cli, &sink)) return code == PSL_OK ? EXIT_MODEL : exit_of(code);
  if (status) cli_error(cli, NULL, "%s ends with status %d", shown(cli, *cli->arguments), status);
  return status ? EXIT_MODEL : EXIT_FINE;
}

/* A program that is not there, named nearly as what is done with traces. */
static bool action_misspelt(const struct cli *cli) {
  static const char *const actions[] = {"info", "convert"};
  const char *word = cli->arguments[0], *nearest = psl_nearest(word, actions, 2);
  if (!nearest || strchr(word, '/') || program_found(cli, word)) return false;
  cli_error(cli, scope_printf(cli->scope, "did you mean 'psl trace %s'?", nearest), "there is no program '%s'",
            shown(cli, word));
  return true;
}

int command_trace(struct cli *cli) {
  if (cli->memory) return trace_memory(cli);
  if (cli->signature.cache_count || cli->signature.distances || cli->signature.chains || cli->signature.bursts) {
    cli_error(cli, "psl trace --memory PROGRAM", "--caches, --chains, --distances and --bursts are of --memory");
    return EXIT_USAGE;
  }
  if (!strcmp(cli->arguments[0], "info")) return info(cli);
  if (!strcmp(cli->arguments[0], "convert")) return convert(cli);
  if (action_misspelt(cli)) return EXIT_USAGE;
  struct stat there;
  const char *program = cli->arguments[0];
  if (cli->argument_count == 1 && stat(program, &there) == 0 && S_ISREG(there.st_mode) && access(program, X_OK)) {
    cli_error(cli, scope_printf(cli->scope, "if it is a trace: psl trace info %s", program), "%s is no program",
              shown(cli, program));
    return EXIT_MODEL;
  }
  return record(cli);
}
