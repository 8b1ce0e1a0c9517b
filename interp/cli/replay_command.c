/* A trace in place of a model: it stands for the library's model of programs, or one that uses that, with the trace as
 * its param.  And psl replay, which runs that. */
#include "interp/cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool allow_folder(struct psl *psl, char *path) {
  struct stat status;
  char *slash = strrchr(path, '/');
  bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  if (folder || slash == path) return psl_allow_read(psl, folder ? path : "/") == PSL_OK;
  *slash = '\0';
  bool done = psl_allow_read(psl, path) == PSL_OK;
  *slash = '/';
  return done;
}

const char *quoted(const struct cli *cli, const char *text) {
  struct buffer buffer = {.scope = cli->scope};
  buffer_put(&buffer, "\"", 1);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') buffer_put(&buffer, "\\", 1);
    buffer_put(&buffer, text, 1);
  }
  buffer_put(&buffer, "\"", 1);
  return buffer.data;
}

bool has_param(struct psl *psl, const char *name, const char *whole) {
  const struct psl_param *params;
  size_t count = 0;
  if (psl_params(psl, &params, &count) != PSL_OK) return true; /* which has said why */
  for (size_t i = 0; i < count; i++)
    if (!strcmp(params[i].name, name) || !strcmp(params[i].name, whole)) return true;
  return false;
}

static bool has_systems(struct psl *psl) {
  const char *const *names;
  size_t count = 0;
  return psl_systems(psl, &names, &count) != PSL_OK || count > 0;
}

/* What the library's model is called by people: it has no file. */
static const char *library_name(const struct cli *cli) { return cli->command->program ? cli->command->name : "replay"; }

enum psl_code library_load(const struct cli *cli, struct psl *psl, const char *machines) {
  const char *text = "use program;\n";
  if (machines) text = scope_printf(cli->scope, "use program;\nuse %s;\n", quoted(cli, machines));
  return psl_load_text(psl, library_name(cli), text, strlen(text));
}

static enum psl_code load_model(struct cli *cli, struct psl *psl) {
  char path[PATH_MAX];
  enum psl_code done = psl_load_file(psl, cli->model);
  if (done != PSL_OK || has_param(psl, "trace", "program.trace")) return done;
  if (!has_systems(psl) && realpath(cli->model, path) && allow_folder(psl, path)) return library_load(cli, psl, path);
  cli_error(cli, "it has to say 'use program;'", "'%s' is no model that takes a trace", shown(cli, cli->model));
  return PSL_WRONG;
}

/* Is something given that a study has, and one run has not? */
static bool is_study(const struct cli *cli) {
  const struct psl_study_options *study = &cli->study;
  return cli->axis_count || study->item_count || study->database || study->name || study->repetitions || study->best ||
         study->pareto || study->plot.format != PSL_PLOT_NONE || study->search != PSL_SEARCH_LARGE ||
         study->evaluations || study->dry_run;
}

/* As reports show a file that a param names: as it was given. What a database keeps is found from any folder. */
static const char *name_kept(const struct cli *cli, const char *given, const char *real) {
  bool study = cli->command->run == command_study || cli->command->run == command_plot || is_study(cli);
  return study ? real : given;
}

/* A param gets the name of a file of a machine, which may be read. */
static enum psl_code set_file(struct cli *cli, struct psl *psl, const char *param, const char *file) {
  char path[PATH_MAX];
  if (realpath(file, path) && allow_folder(psl, path))
    return psl_set(psl, param, quoted(cli, name_kept(cli, file, path)));
  cli_error(cli, machine_named(cli, file), "no file '%s'", shown(cli, file));
  return PSL_WRONG;
}

static enum psl_code load_dimemas(struct cli *cli, struct psl *psl) {
  static const char library[] = "use dimemas;\n";
  enum psl_code done = psl_load_text(psl, library_name(cli), library, sizeof library - 1);
  return done == PSL_OK ? set_file(cli, psl, "dimemas.configuration", cli->dimemas) : done;
}

/* Messages share the links of the platform, unless a param says how else they meet. */
static enum psl_code set_platform(struct cli *cli, struct psl *psl) {
  enum psl_code done = psl_set(psl, "topologies.topology", "platform");
  if (done == PSL_OK) done = psl_set(psl, "networks.network", "simulation[flows]");
  return done == PSL_OK ? set_file(cli, psl, "topologies.platform-file", cli->platform) : done;
}

static enum psl_code load(struct cli *cli, struct psl *psl, const char *trace) {
  if (cli->dimemas && (cli->model || cli->platform)) {
    cli_error(cli, NULL, "--dimemas describes the whole machine: it goes without --%s",
              cli->model ? "model" : "platform");
    return PSL_MISUSE;
  }
  enum psl_code done = cli->dimemas ? load_dimemas(cli, psl)
                       : cli->model ? load_model(cli, psl)
                                    : library_load(cli, psl, NULL);
  if (done == PSL_OK && cli->platform) done = set_platform(cli, psl);
  return done == PSL_OK ? psl_set(psl, "program.trace", quoted(cli, trace)) : done;
}

bool archive_take(struct cli *cli, const char *path) {
  const char *slash = strrchr(path, '/');
  char error[400];
  if (!psl_is_archive(path)) return true;
  cli->archived = psl_program_archived(path, error, sizeof error);
  if (!cli->archived) {
    cli_error(cli, NULL, "%s", error);
    return false;
  }
  cli->options.alias = slash ? slash + 1 : path;
  cli->options.alias_path = psl_program_path(cli->archived);
  return true;
}

enum psl_code trace_load(struct cli *cli, struct psl *psl, const char *path) {
  char real[PATH_MAX];
  if (cli->archived) return load(cli, psl, cli->options.alias);
  if (realpath(path, real) && allow_folder(psl, real)) return load(cli, psl, name_kept(cli, path, real));
  cli_error(cli, NULL, "no trace '%s'", shown(cli, path));
  return PSL_WRONG;
}

/* The machine of a program, its network and what its messages cost: nobody has to set them, but all the rest depends on
 * them. A file of Dimemas has them all. */
static const char *const choices[] = {"machine", "network", "costs", NULL};

int traced_run(struct cli *cli, struct psl *psl, const char *trace, const char *system, struct sink *sink) {
  int code = exit_of(load(cli, psl, trace));
  if (!cli->dimemas) cli->run.named = choices;
  if (code == EXIT_FINE && cli_set_params(cli, psl, &code)) return run_report(cli, psl, system, sink);
  sink_drop(sink);
  return code;
}

/* The trace itself, or what stands for it or has its replay recorded, which the model knows by the trace's name. */
static int replay(struct cli *cli, const struct psl_program *recorded, char *path, struct sink *sink) {
  if (recorded) {
    cli->options.alias = strrchr(path, '/') + 1;
    cli->options.alias_path = psl_program_path(recorded);
  }
  const char *trace = cli->options.alias ? cli->options.alias : cli->arguments[0];
  struct psl *psl = cli_open(cli);
  int code = psl && allow_folder(psl, path) ? traced_run(cli, psl, trace, system_argument(cli), sink) : EXIT_MODEL;
  if (!psl) sink_drop(sink);
  cli_close(cli, psl);
  return code;
}

static int start_replay(struct cli *cli, char *path, const char *record) {
  char error[400];
  struct sink sink;
  if (!archive_take(cli, path) || !cli_output(cli, &sink)) return EXIT_MODEL;
  const char *trace = cli->archived ? psl_program_path(cli->archived) : path;
  struct psl_program *recorded = record ? psl_program_replayed(trace, record, error, sizeof error) : NULL;
  if (recorded || !record) {
    int code = replay(cli, recorded, path, &sink);
    psl_program_close(recorded);
    return code;
  }
  cli_error(cli, NULL, "%s", error);
  sink_drop(&sink);
  return EXIT_MODEL;
}

static int replay_once(struct cli *cli) {
  struct sink record = {0};
  char path[PATH_MAX];
  if (!realpath(cli->arguments[0], path)) return EXIT_MODEL;
  const char *why = cli->record ? files_read(cli->files, path) : NULL;
  if (why) cli_error(cli, NULL, "%s cannot be read: %s", shown(cli, cli->arguments[0]), why);
  if (why || !record_open(cli, &record)) return EXIT_MODEL;
  return record_close(cli, &record, start_replay(cli, path, record.temporary));
}

/* Several replays are a study: what one run alone has is not asked for. */
static int replay_varied(struct cli *cli) {
  const char *alone = cli->record           ? "record"
                      : cli->trace          ? "trace"
                      : cli->timeline       ? "timeline"
                      : cli->report.by_rank ? "by"
                      : cli->report.timing  ? "timing"
                      : cli->run.profile    ? "profile"
                                            : NULL;
  if (!alone) return command_study(cli);
  cli_error(cli, "leave one of them out", "--%s is of one run, and a study makes several", alone);
  return EXIT_USAGE;
}

int command_replay(struct cli *cli) {
  const char *path = cli->arguments[0];
  if (psl_is_trace(path)) return is_study(cli) ? replay_varied(cli) : replay_once(cli);
  bool there = access(path, R_OK) == 0;
  cli_error(cli, there ? "psl-replay(1), Formats, has the kinds of traces: each is known by what stands in it" : NULL,
            there ? "%s is no trace of a kind that is known" : "no trace '%s'", shown(cli, path));
  return EXIT_MODEL;
}
