/* The commands that work with a loaded model, but for studies. */
#include "interp/cli/cli.h"

#include <string.h>
#include <unistd.h>

int exit_of(enum psl_code code) {
  switch (code) {
  case PSL_OK: return EXIT_FINE;
  case PSL_WRONG:
  case PSL_STOPPED:
  case PSL_MEMORY:
  case PSL_INTERRUPTED: return EXIT_MODEL;
  case PSL_MISUSE: return EXIT_USAGE;
  }
  return EXIT_MODEL;
}

/* In a session they hold for one command: cli_close puts back what there was. */
static enum psl_code set_params(struct cli *cli, struct psl *psl) {
  for (size_t i = 0; i < cli->setting_count; i++) {
    struct cli_setting *setting = &cli->settings[i];
    enum psl_code done = PSL_OK;
    if (cli->session) done = psl_setting(psl, setting->name, &setting->before);
    if (setting->before) setting->before = scope_copy(cli->scope, setting->before, strlen(setting->before));
    if (done == PSL_OK && setting->file) done = psl_set_line(psl, setting->file, setting->number, setting->line);
    if (done == PSL_OK && !setting->file) done = psl_set(psl, setting->name, setting->value);
    if (done == PSL_OK) continue;
    cli->setting_count = i;
    return done;
  }
  return PSL_OK;
}

bool cli_set_params(struct cli *cli, struct psl *psl, int *code) {
  enum psl_code done = set_params(cli, psl);
  *code = exit_of(done);
  return done == PSL_OK;
}

/* What a person reads at a terminal is no wider than that; what goes to a file or a program is whole. */
static void fit_terminal(struct cli *cli, struct psl *psl) {
  bool terminal = (!cli->output || !strcmp(cli->output, "-")) && isatty(STDOUT_FILENO);
  psl_set_columns(psl, terminal ? terminal_columns(STDOUT_FILENO) : 0);
}

struct psl *cli_open(struct cli *cli) {
  cli->options.diagnostic = cli->quiet ? print_error : print_diagnostic;
  cli->options.read = files_read;
  cli->options.user = cli->files;
  if (cli->command->run != command_db) cli->options.database = database_of(cli);
  struct psl *psl = psl_open(&cli->options);
  if (!psl) cli_error(cli, NULL, "out of memory");
  if (psl) fit_terminal(cli, psl);
  return psl;
}

/* A trace stands for a model of its program; a session has its own already. */
/* Is the file one of UML: by its name, or because --activity says so of standard input? */
static bool is_diagram(const struct cli *cli, const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? !strcmp(dot, ".uml") || !strcmp(dot, ".xmi") : cli->activity && !strcmp(path, "-");
}

/* What standard input gives, read once; a diagram is looked at more than once. */
static const struct buffer *diagram_read(struct cli *cli) {
  char piece[1 << 14];
  size_t size;
  if (cli->diagram) return cli->diagram;
  cli->diagram = scope_alloc(cli->scope, sizeof *cli->diagram);
  cli->diagram->scope = cli->scope;
  buffer_write(cli->diagram, "", 0);
  while ((size = fread(piece, 1, sizeof piece, stdin)))
    buffer_write(cli->diagram, piece, size);
  return cli->diagram;
}

static enum psl_code load(struct cli *cli, struct psl *psl, const char *path) {
  const char *machine = cli->model ? "model" : cli->dimemas ? "dimemas" : cli->platform ? "platform" : NULL;
  if (path && !cli->session && psl_is_trace(path)) return trace_load(cli, psl, path);
  if (machine) {
    cli_error(cli, "a model says itself what it runs on", "--%s is for a trace, and '%s' is none", machine,
              cli->session ? "session" : shown(cli, text_name(path)));
    return PSL_MISUSE;
  }
  if (path && !cli->session && is_diagram(cli, path) && !strcmp(path, "-")) {
    const struct buffer *text = diagram_read(cli);
    return psl_load_text(psl, "standard-input.uml", text->data ? text->data : "", text->size);
  }
  return path && !cli->session ? psl_load_file(psl, path) : PSL_OK;
}

struct psl *cli_load(struct cli *cli, const char *path, int *code) {
  *code = EXIT_MODEL;
  if (path && !cli->session && !(path = files_named(cli, path))) return NULL;
  if (path && !cli->session && !archive_take(cli, path)) return NULL;
  struct psl *psl = cli->session ? cli->session : cli_open(cli);
  if (!psl) return NULL;
  if (cli->session) fit_terminal(cli, psl);
  enum psl_code done = load(cli, psl, path);
  *code = exit_of(done);
  bool fine = done == PSL_OK && cli_set_params(cli, psl, code);
  if (fine) *code = exit_of(done = psl_complete_model(psl));
  fine = fine && done == PSL_OK;
  if (fine && cli->condense && !cli->static_graph) {
    done = psl_condense(psl, system_argument(cli));
    *code = exit_of(done);
    fine = done == PSL_OK && cli_set_params(cli, psl, code);
  }
  if (fine) params_warn(cli, psl);
  if (fine) return psl;
  cli_close(cli, psl);
  return NULL;
}

void cli_close(struct cli *cli, struct psl *psl) {
  cli->options.alias = cli->options.alias_path = NULL; /* of a program or a recorded replay, which ends with its run */
  if (psl != cli->session) {
    psl_close(psl);
    psl_program_close(cli->archived);
    cli->archived = NULL;
    return;
  }
  for (size_t i = cli->setting_count; psl && i-- > 0;) {
    const struct cli_setting *setting = &cli->settings[i];
    if (setting->before)
      psl_set(psl, setting->name, setting->before);
    else
      psl_unset(psl, setting->name);
  }
  cli->setting_count = 0;
}

bool cli_output(struct cli *cli, struct sink *sink) {
  bool text = cli->form == PSL_ACTIVITY_PSL || cli->form == PSL_ACTIVITY_XMI || cli->program;
  bool model = text || cli->fit.functions || cli->machine ||
               (cli->command->run == command_model && !cli->source_report && !cli->variable);
  return sink_open(cli, sink, cli->output, "--output", model ? CONTENTS_MODEL : CONTENTS_REPORT) &&
         sink_page(cli, sink);
}

/* ---- run ---- */

typedef enum psl_code picture_entry(struct psl *psl, const struct psl_results *results, psl_write *write, void *user);

/* Did the library, short of memory or interrupted, unload the model? Its results went with it. */
static bool unloaded(enum psl_code code) { return code == PSL_MEMORY || code == PSL_INTERRUPTED; }

static enum psl_code write_compressed(struct cli *cli, struct psl *psl, const struct psl_results *results,
                                      const struct sink *sink, picture_entry *entry) {
  struct compression to;
  enum psl_code code = PSL_WRONG;
  bool done = compression_begin(&to, sink->file);
  if (done) code = entry(psl, results, compression_write, &to);
  done = done && compression_end(&to);
  if (!done) cli_error(cli, NULL, "%s cannot be written: not all of it could be compressed", sink->path);
  return done ? code : PSL_WRONG;
}

static int write_picture(struct cli *cli, struct psl *psl, const struct psl_results **results, const char *path,
                         const char *use, picture_entry *entry) {
  struct sink sink;
  if (!path || !*results) return EXIT_FINE;
  enum contents contents = path == cli->timeline ? CONTENTS_REPORT : CONTENTS_EVENTS;
  if (!sink_open(cli, &sink, path, use, contents)) return EXIT_MODEL;
  sink.partial = !(*results)->complete;
  const char *format = picture_format(path);
  FILE *file = format ? tmpfile() : sink.file;
  enum psl_code code = !file                 ? PSL_MEMORY
                       : is_compressed(path) ? write_compressed(cli, psl, *results, &sink, entry)
                                             : entry(psl, *results, psl_write_file, file);
  if (format && file && code == PSL_OK && !picture_convert(cli, file, format, sink.file)) code = PSL_WRONG;
  if (format && file) fclose(file);
  if (unloaded(code)) *results = NULL;
  return sink_end(cli, &sink, code);
}

static int worse(int a, int b) { return a > b ? a : b; }

bool is_paraver(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".prv") == 0;
}

bool is_slices(const char *path) {
  size_t length = strlen(path);
  return length > 7 && strcmp(path + length - 7, ".slices") == 0;
}

bool is_tasks(const char *path) {
  size_t length = strlen(path);
  return length > 6 && strcmp(path + length - 6, ".tasks") == 0;
}

/* Beside the trace stand what its numbers mean and what its rows are called. */
static int write_paraver(struct cli *cli, struct psl *psl, const struct psl_results **results) {
  int length = (int)strlen(cli->trace) - 4;
  const char *names = scope_printf(cli->scope, "%.*s.pcf", length, cli->trace);
  const char *rows = scope_printf(cli->scope, "%.*s.row", length, cli->trace);
  int done = write_picture(cli, psl, results, cli->trace, "--trace", psl_write_paraver);
  done = worse(done, write_picture(cli, psl, results, names, "--trace", psl_write_paraver_names));
  return worse(done, write_picture(cli, psl, results, rows, "--trace", psl_write_paraver_rows));
}

static int write_trace(struct cli *cli, struct psl *psl, const struct psl_results **results) {
  if (cli->trace && is_paraver(cli->trace)) return write_paraver(cli, psl, results);
  bool slices = cli->trace && is_slices(cli->trace), tasks = cli->trace && is_tasks(cli->trace);
  return write_picture(cli, psl, results, cli->trace, "--trace",
                       slices  ? psl_write_slices
                       : tasks ? psl_write_tasks
                               : psl_write_trace);
}

/* What can be written is written, whatever became of the rest: a run may have taken hours. */
static int write_results(struct cli *cli, struct psl *psl, const struct psl_results **results, struct sink *sink) {
  sink->partial = !(*results)->complete;
  enum psl_code code = psl_report(psl, *results, &cli->report, psl_write_file, sink->file);
  if (unloaded(code)) *results = NULL;
  int done = sink_end(cli, sink, code);
  done = worse(done, write_trace(cli, psl, results));
  return worse(done, write_picture(cli, psl, results, cli->timeline, "--timeline", psl_write_timeline));
}

const char *system_argument(const struct cli *cli) {
  return cli->argument_count > 1 ? cli->arguments[1] : cli->dimemas ? "dimemas" : NULL;
}

/* Nothing may end it, and a person waits. */
static bool may_last(const struct cli *cli) { return !cli->quiet && !(cli->run.max_time > 0) && isatty(STDERR_FILENO); }

static const char lasts[] =
    "psl: at work for 5 s; --max-time TIME ends a run that has no end of its own, Ctrl-C this one\n";

/* With a line that says how far it has come, for who waits at a terminal. */
static enum psl_code watched_run(struct cli *cli, struct psl *psl, const char *system,
                                 const struct psl_results **results) {
  static volatile int tick; /* a handler of signals sets it */
  struct run_line line;
  bool drawn = run_line_open(cli, &line);
  const char *reminder = cli->command->run == command_run && may_last(cli) ? lasts : NULL;
  if (drawn) {
    cli->run.told = run_line_draw;
    cli->run.told_user = &line;
    cli->run.tell = &tick;
  }
  if (drawn || reminder) signals_remind(reminder, drawn ? &tick : NULL);
  enum psl_code code = psl_run(psl, system, &cli->run, results);
  if (drawn || reminder) signals_remind(NULL, NULL);
  if (drawn) run_line_end(&line);
  return code;
}

int run_report(struct cli *cli, struct psl *psl, const char *system, struct sink *sink) {
  const struct psl_results *results = NULL;
  struct plots plots;
  if (!plots_open(cli, &plots)) {
    sink_drop(sink);
    return EXIT_MODEL;
  }
  if (!cli->trace) cli->run.trace_processes = PSL_TIMELINE_PROCESSES;
  cli->run.levels = cli->study.plot.format != PSL_PLOT_NONE;
  cli->run.levels_of = cli->study.plot.what;
  int code = exit_of(watched_run(cli, psl, system, &results));
  if (results)
    code = worse(code, write_results(cli, psl, &results, sink));
  else
    sink_drop(sink);
  if (results && cli->run.levels) code = worse(code, exit_of(psl_plot_levels(psl, results, &cli->study.plot)));
  code = plots_close(&plots, code);
  if (results) psl_drop(psl, results);
  return code;
}

int command_run(struct cli *cli) {
  int code;
  struct sink sink; /* opened first: a run is not made for a file that cannot be written */
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_load(cli, cli->arguments[0], &code);
  bool meant = psl && plot_meant(cli, psl);
  if (psl && !meant) code = EXIT_USAGE;
  if (meant)
    code = run_report(cli, psl, system_argument(cli), &sink);
  else
    sink_drop(&sink);
  cli_close(cli, psl);
  return code;
}

/* ---- check ---- */

/* Of a diagram all that the rules find wrong, before it is made a model. */
static bool check_rules(struct cli *cli, const char *path, int *code) {
  if (!is_diagram(cli, path)) return true;
  struct psl *psl = cli_load(cli, NULL, code);
  const struct buffer *text = strcmp(path, "-") ? NULL : diagram_read(cli);
  if (psl)
    *code = exit_of(text ? psl_check_activity(psl, "standard-input.uml", text->data, text->size, cli->rules)
                         : psl_check_activity(psl, path, NULL, 0, cli->rules));
  cli_close(cli, psl);
  return *code == EXIT_FINE;
}

static int check_file(struct cli *cli, const char *path) {
  int code;
  if (!check_rules(cli, path, &code)) return code;
  struct psl *psl = cli_load(cli, path, &code);
  enum psl_code found = psl ? psl_check(psl) : PSL_OK;
  if (psl) code = exit_of(found == PSL_OK ? psl_check_studies(psl) : found);
  if (code == EXIT_FINE && !cli->quiet) {
    unsigned warnings = psl_warnings(psl);
    printf("%s: no errors", shown(cli, text_name(path)));
    if (warnings) printf(", %u warning%s", warnings, warnings == 1 ? "" : "s");
    putchar('\n');
  }
  cli_close(cli, psl);
  return code;
}

int command_check(struct cli *cli) {
  int code = EXIT_FINE;
  for (size_t i = 0; i < cli->argument_count; i++)
    code = worse(code, check_file(cli, cli->arguments[i]));
  return code;
}

/* ---- commands whose output is a text of the library ---- */

typedef enum psl_code text_writer(struct cli *cli, struct psl *psl, psl_write *write, void *user);

static int write_of(struct cli *cli, const char *model, text_writer *writer) {
  int code;
  struct sink sink;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_load(cli, model, &code);
  if (psl)
    code = sink_end(cli, &sink, writer(cli, psl, psl_write_file, sink.file));
  else
    sink_drop(&sink);
  cli_close(cli, psl);
  return code;
}

static int write_text(struct cli *cli, text_writer *writer) { return write_of(cli, cli->arguments[0], writer); }

/* Of a text that is not loaded as a model. */
static int write_alone(struct cli *cli, text_writer *writer) { return write_of(cli, NULL, writer); }

static enum psl_code write_compare(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  cli->compare.run = cli->run;
  cli->compare.repetitions = cli->study.repetitions;
  return psl_compare(psl, system_argument(cli), &cli->compare, write, user);
}

int command_compare(struct cli *cli) {
  if (cli->compare.param) return write_text(cli, write_compare);
  cli_error(cli, "usage: psl compare [OPTION...] FILE [SYSTEM] --vary PARAM[=A,B,...]", "'compare' needs --vary");
  return EXIT_USAGE;
}

static enum psl_code write_sensitivity(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  struct progress_line line;
  struct psl_sensitivity_options options = {
      .progress = progress_open(cli, &line, PSL_TEXT),
      .progress_user = &line,
      .of = cli->figure,
      .step = cli->step,
      .repetitions = cli->study.repetitions,
      .jobs = cli->study.jobs,
      .run = cli->run,
      .format = cli->report.format,
  };
  return psl_sensitivity(psl, system_argument(cli), &options, write, user);
}

static enum psl_code write_recommend(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  struct progress_line line;
  struct psl_recommend_options *options = &cli->recommend;
  options->items = cli->study.items;
  options->item_count = cli->study.item_count;
  options->from = cli->from;
  options->database = cli->study.database;
  options->evaluations = cli->study.evaluations;
  options->tolerance = cli->compare.tolerance;
  options->verify = cli->verify;
  options->seeded = cli->study.seeded;
  options->run = cli->run;
  options->jobs = cli->study.jobs;
  options->format = cli->report.format;
  options->progress = progress_open(cli, &line, cli->report.format);
  options->progress_user = &line;
  return psl_recommend(psl, system_argument(cli), options, write, user);
}

int command_recommend(struct cli *cli) { return write_text(cli, write_recommend); }

int command_sensitivity(struct cli *cli) { return write_text(cli, write_sensitivity); }

static struct psl_pair *pairs_of(struct cli *cli, const struct cli_setting *settings, size_t count) {
  struct psl_pair *pairs = SCOPE_ARRAY(cli->scope, struct psl_pair, count);
  for (size_t i = 0; i < count; i++)
    pairs[i] = (struct psl_pair){settings[i].name, settings[i].value};
  return pairs;
}

/* What is written is of no model of the handle's, which is for what is said and where files are looked for. */
static int write_apart(struct cli *cli, text_writer *writer) {
  struct sink sink;
  if (!cli_output(cli, &sink)) return EXIT_MODEL;
  struct psl *psl = cli_open(cli);
  enum psl_code done = psl ? writer(cli, psl, psl_write_file, sink.file) : PSL_MEMORY;
  int code = sink_end(cli, &sink, done == PSL_STOPPED ? PSL_WRONG : done);
  psl_close(psl);
  return code;
}

static enum psl_code write_mismatch(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  struct psl_mismatch_options options = {
      .measured = cli->arguments[0],
      .predicted = cli->arguments[1],
      .least = cli->least,
      .format = cli->report.format,
  };
  return psl_mismatch(psl, &options, write, user);
}

/* Of one program: a measured run and a predicted one. */
static int diff_traces(struct cli *cli) {
  const char *usage = "usage: psl diff [OPTION...] MEASURED PREDICTED";
  const char *replay =
      "'psl replay TRACE --set NAME=VALUE --record OTHER' predicts a run, which 'psl diff TRACE OTHER' "
      "compares";
  for (size_t i = 0; i < cli->argument_count; i++)
    if (!psl_is_trace(cli->arguments[i])) {
      cli_error(cli, usage, "'%s' is no trace, as the other one is", shown(cli, cli->arguments[i]));
      return EXIT_USAGE;
    }
  if (cli->argument_count < 2 || cli->against_count || cli->setting_count || cli->system || cli->study.repetitions) {
    cli_error(cli, replay, "'diff' of traces takes two, and no settings or repetitions");
    return EXIT_USAGE;
  }
  return write_apart(cli, write_mismatch);
}

static enum psl_code write_diff(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  struct progress_line line;
  struct psl_diff_options options = {
      .progress = progress_open(cli, &line, PSL_TEXT),
      .progress_user = &line,
      .first = cli->arguments[0],
      .second = cli->argument_count > 1 ? cli->arguments[1] : NULL,
      .set = pairs_of(cli, cli->settings, cli->setting_count),
      .set_count = cli->setting_count,
      .against = pairs_of(cli, cli->against, cli->against_count),
      .against_count = cli->against_count,
      .system = cli->system,
      .repetitions = cli->study.repetitions,
      .jobs = cli->study.jobs,
      .run = cli->run,
      .format = cli->report.format,
  };
  return psl_diff(psl, &options, write, user);
}

static enum psl_code write_study_diff(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  bool two = is_database_file(cli->arguments[1]);
  const char *study = cli->argument_count > 2 ? cli->arguments[2] : NULL;
  const char *other = cli->argument_count > 3 ? cli->arguments[3] : study;
  struct psl_study_diff_options options = {
      .first = cli->arguments[0],
      .second = two ? cli->arguments[1] : NULL,
      .first_study = two ? study : cli->arguments[1],
      .second_study = other,
      .format = cli->report.format,
  };
  return psl_diff_studies(psl, &options, write, user);
}

/* Of two databases, or of one. */
static int diff_studies(struct cli *cli) {
  const char *usage = "usage: psl diff [OPTION...] A.db B.db [STUDY [STUDY]], or psl diff [OPTION...] A.db STUDY STUDY";
  bool two = cli->argument_count > 1 && is_database_file(cli->arguments[1]);
  if (cli->argument_count == 2 && !two) {
    const char *second = cli->arguments[1];
    if (access(second, F_OK) == 0)
      cli_error(cli, usage, "'%s' is no database", shown(cli, second));
    else if (strchr(second, '.') || strchr(second, '/'))
      cli_error(cli, usage, "there is no database '%s'", shown(cli, second));
    else
      cli_error(cli, usage, "there is no database '%s'; of one database 'diff' wants two studies", shown(cli, second));
    return EXIT_USAGE;
  }
  if (cli->argument_count < 2 || (!two && cli->argument_count != 3)) {
    cli_error(cli, usage, "'diff' of studies needs a second database, or two studies of one");
    return EXIT_USAGE;
  }
  if (cli->against_count || cli->setting_count || cli->system || cli->study.repetitions) {
    cli_error(cli, usage, "'diff' of studies takes no settings, system or repetitions: they have been run");
    return EXIT_USAGE;
  }
  for (size_t i = 0; i < (two ? 2 : 1); i++)
    if (!database_may_be_read(cli, cli->arguments[i])) return EXIT_MODEL;
  return write_apart(cli, write_study_diff);
}

int command_diff(struct cli *cli) {
  if (is_database_file(cli->arguments[0])) return diff_studies(cli);
  if (cli->argument_count > 2) {
    cli_error(cli, "usage: psl diff [OPTION...] A [B] [--against NAME=VALUE]...",
              "'diff' takes two models, and no '%s'", shown(cli, cli->arguments[2]));
    return EXIT_USAGE;
  }
  for (size_t i = 0; i < cli->argument_count; i++)
    if (strcmp(cli->arguments[i], "-") == 0) {
      cli_error(cli, NULL, "'diff' reads its files more than once, which standard input is not good for");
      return EXIT_USAGE;
    }
  for (size_t i = 0; i < cli->argument_count; i++)
    if (psl_is_trace(cli->arguments[i])) return diff_traces(cli);
  if (cli->argument_count < 2 && !cli->against_count) {
    cli_error(cli, "usage: psl diff [OPTION...] A [B] [--against NAME=VALUE]...",
              "'diff' needs a second file or --against");
    return EXIT_USAGE;
  }
  return write_apart(cli, write_diff);
}

static enum psl_code write_fit(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  return psl_fit(psl, cli->arguments[0], &cli->fit, write, user);
}

int command_fit(struct cli *cli) { return write_apart(cli, write_fit); }

static enum psl_code write_params(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  return psl_write_params(psl, cli->system, cli->report.format, write, user);
}

int command_params(struct cli *cli) { return write_text(cli, write_params); }

static enum psl_code write_explain(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  return psl_explain(psl, cli->system, system_argument(cli), cli->run.deny_lossy, write, user);
}

int command_explain(struct cli *cli) { return write_text(cli, write_explain); }

static enum psl_code write_why(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  const struct psl_results *results = NULL;
  cli->why.format = cli->report.format;
  cli->run.causes = PSL_CAUSES;
  const char *system = cli->system ? cli->system : system_argument(cli); /* that of Dimemas' machines */
  enum psl_code code = psl_run(psl, system, &cli->run, &results);
  if (code == PSL_OK) code = psl_write_why(psl, results, &cli->why, write, user);
  if (results && !unloaded(code)) psl_drop(psl, results);
  return code == PSL_STOPPED ? PSL_WRONG : code;
}

int command_why(struct cli *cli) { return write_text(cli, write_why); }

static bool is_json(const struct cli *cli) { return !strcmp(psl_format_name(cli->report.format), "json"); }

static bool is_dot(const struct cli *cli) { return !strcmp(cli->written, "dot"); }

static bool is_text(const struct cli *cli) {
  const char *named = cli->format ? cli->format : cli->output ? format_named(cli->output) : NULL;
  return named && !strcmp(named, "text");
}

static enum psl_code write_graph(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  const char *system = system_argument(cli);
  if (is_json(cli)) return psl_graph_json(psl, system, write, user);
  bool lines = cli->dynamic && cli->report.format == PSL_TEXT && !cli->picture && is_text(cli);
  if (lines) return psl_dynamic_graph(psl, system, &cli->run, write, user);
  if (!cli->picture) return psl_graph(psl, system, cli->dynamic, cli->max_instances, write, user);
  struct buffer dot = {.scope = cli->scope};
  enum psl_code code = psl_graph(psl, system, cli->dynamic, cli->max_instances, buffer_write, &dot);
  if (code == PSL_OK && !picture_draw(cli, dot.data, user)) return PSL_WRONG;
  return code;
}

static bool is_stored(const struct cli *cli) { return is_json_file(cli->arguments[0]); }

static enum psl_code static_to(struct cli *cli, struct psl *psl, const struct psl_static_options *options,
                               psl_write *write, void *user) {
  if (is_stored(cli)) return psl_static_graph_text(psl, cli->arguments[0], NULL, 0, options, write, user);
  return psl_static_graph(psl, system_argument(cli), options, write, user);
}

static enum psl_code write_static(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  struct psl_static_options options = {.format = is_json(cli)  ? PSL_STATIC_JSON
                                                 : is_dot(cli) ? PSL_STATIC_DOT
                                                               : PSL_STATIC_TEXT,
                                       .condense = cli->condense};
  if (!cli->picture) return static_to(cli, psl, &options, write, user);
  struct buffer dot = {.scope = cli->scope};
  options.format = PSL_STATIC_DOT;
  enum psl_code code = static_to(cli, psl, &options, buffer_write, &dot);
  if (code == PSL_OK && !picture_draw(cli, dot.data, user)) return PSL_WRONG;
  return code;
}

static enum psl_code write_activity(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  const char *path = cli->arguments[0];
  if (!cli->picture) return psl_activity(psl, path, NULL, 0, cli->form, write, user);
  struct buffer dot = {.scope = cli->scope};
  enum psl_code code = psl_activity(psl, path, NULL, 0, PSL_ACTIVITY_DOT, buffer_write, &dot);
  if (code == PSL_OK && !picture_draw(cli, dot.data, user)) return PSL_WRONG;
  return code;
}

static enum psl_code write_program(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  return psl_program(psl, system_argument(cli), write, user);
}

static enum psl_code write_tree(struct cli *cli, struct psl *psl, psl_write *write, void *user) {
  return psl_syntax_tree(psl, cli->arguments[0], NULL, 0, cli->spans, write, user);
}

int command_ast(struct cli *cli) { return write_alone(cli, write_tree); }

int command_graph(struct cli *cli) {
  if (cli->condense && !cli->static_graph) {
    cli_error(cli, "add --static", "--condense is of the static task graph");
    return EXIT_USAGE;
  }
  bool of_activity = cli->program || (cli->form != PSL_ACTIVITY_DOT && cli->form != PSL_ACTIVITY_JSON);
  if (cli->static_graph && (cli->dynamic || cli->activity || of_activity)) {
    cli_error(cli, "leave one of them out", "--static does not go with --%s%s",
              cli->dynamic    ? "dynamic"
              : cli->activity ? "activity"
                              : "format ",
              cli->dynamic || cli->activity ? "" : cli->written);
    return EXIT_USAGE;
  }
  if (cli->static_graph) return is_stored(cli) ? write_alone(cli, write_static) : write_text(cli, write_static);
  if (is_json(cli) && cli->dynamic) {
    cli_error(cli, "leave out --format json", "'graph' writes components alone as json, no instances");
    return EXIT_USAGE;
  }
  if (cli->activity) return cli->program ? write_text(cli, write_program) : write_alone(cli, write_activity);
  if (of_activity) {
    cli_error(cli, "it goes with --activity", "'graph' writes a model as dot, svg, png, pdf or json, not as %s",
              cli->written);
    return EXIT_USAGE;
  }
  return write_text(cli, write_graph);
}
