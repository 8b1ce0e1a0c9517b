/* What people bring along from other programs: names of options and commands, and arguments that stand where something
 * else does.  Called by options.c, which says what is wrong; here is what to write in its place. */
#include "interp/cli/cli.h"

#include <string.h>
#include <unistd.h>

#define RANKS "np ranks nprocs n ntasks"

struct habit {
  const char *words, *help; /* words between blanks */
};

static const char *habit_in(const struct habit *habits, size_t count, const char *word) {
  for (size_t h = 0; h < count; h++)
    if (word_listed(habits[h].words, word)) return habits[h].help;
  return NULL;
}

static const char *ranks_meant(const struct cli *cli, const char *name, const char *count) {
  const char *known = params_known(cli, name, count);
  if (!known) known = scope_printf(cli->scope, "a param is given a value by --set %s=%s", name, count);
  return scope_printf(cli->scope, "%s; 'psl mpirun -n %s' runs a program on ranks", known, count);
}

const char *habit_of_setting(const struct cli *cli, const char *name, const char *value) {
  static const char controls[] = "confidence replications half-width limit longest";
  if (!command_takes(cli->command, "set")) return NULL;
  if (!strcmp(name, "percentiles"))
    return scope_printf(cli->scope, "it is a param of networks of queues: --set 'queueing.percentiles=[%s]'",
                        value ? value : "50%, 95%");
  if (!strcmp(name, "replications") && command_takes(cli->command, "repetitions"))
    return scope_printf(cli->scope,
                        "--repetitions %s runs each point so often; a simulated network of queues has "
                        "--set queueing.replications=%s",
                        value ? value : "N", value ? value : "N");
  bool machine = !strcmp(name, "machine") && command_takes(cli->command, "platform");
  if (machine || !strcmp(name, "platform")) return machine_named(cli, value ? value : "NAME");
  if (word_listed(controls, name))
    return scope_printf(cli->scope, "it is a param of simulated networks of queues: --set queueing.%s=%s", name,
                        value ? value : "VALUE");
  if (word_listed("np nprocs n ntasks", name) && !command_takes(cli->command, "number") &&
      cli->command->run != command_replay)
    return ranks_meant(cli, name, value ? value : "8");
  return NULL;
}

const char *machine_named(const struct cli *cli, const char *word) {
  if (strpbrk(word, "./")) return NULL;
  return scope_printf(
      cli->scope, "a machine is named by a param of the model: --set machine=%s; --model names the file that it is in",
      shown(cli, word));
}

/* --grid workers=4,8 and --constraint 'makespan < 3 s': what is given goes along. */
const char *habit_of_study(const struct cli *cli, const char *name, const char *value) {
  bool vary = command_takes(cli->command, "vary"), study = cli->command->run == command_study;
  bool values = value && strchr(value, '=') && !strpbrk(value, "<>!");
  const char *equals = values ? strchr(value, '=') : "";
  bool several = equals[0] && equals[1] != '[' && (strchr(equals, ',') || strstr(equals, ".."));
  if (vary && several && word_listed("param parameter define", name))
    return scope_printf(cli->scope, "did you mean '--vary %s'?", shown(cli, value));
  if (vary && values && word_listed("grid sweep range values product space over", name))
    return scope_printf(cli->scope, "did you mean '--vary %s'?", shown(cli, value));
  if (!study || !word_listed("constraint constraints subject-to st condition require slo sla bound such-that", name))
    return NULL;
  const char *condition = value ? shown(cli, value) : "CONDITION";
  return scope_printf(cli->scope,
                      "--minimize 'WHAT where %s' finds the best point at which it holds, --assert '%s' tests it at "
                      "each; --where leaves points out, by their params",
                      condition, condition);
}

const char *option_renamed(const struct cli *cli, const char *name, const char *value) {
  static const struct {
    const char *words, *option, *beside; /* beside: an option that tells those of one name apart; NULL: there is one */
  } names[] = {
      {"predict predict-at newdata new-data at-points evaluate-at extrapolate", "at", NULL},
      {"cores cpus nproc ncores n-jobs njobs max-workers num-workers", "jobs", NULL},
      {"config config-file configfile params-file param-file parameter-file settings", "params", "set"},
  };
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    if (!word_listed(names[n].words, name) || !command_takes(cli->command, names[n].option)) continue;
    if (names[n].beside && !command_takes(cli->command, names[n].beside)) continue;
    if (!value) return scope_printf(cli->scope, "did you mean '--%s'?", names[n].option);
    if (names[n].beside)
      return scope_printf(cli->scope, "params are given values by a file of lines NAME = VALUE: --%s FILE",
                          names[n].option);
    return scope_printf(cli->scope, "did you mean '--%s %s'?", names[n].option, shown(cli, value));
  }
  return NULL;
}

const char *objectives_meant(const struct cli *cli, const char *given) {
  const char *text = "";
  while (*given) {
    size_t length = strcspn(given, ",");
    const char *what = shown(cli, scope_copy(cli->scope, given, length));
    what += strspn(what, " ");
    text = scope_printf(cli->scope, strchr(what, ' ') ? "%s--minimize '%s' " : "%s--minimize %s ", text, what);
    given += length + (given[length] == ',');
  }
  return scope_printf(cli->scope, "each objective has an option, --minimize or --maximize: %s--pareto", text);
}

bool database_meant(const struct cli *cli, const char *given) {
  const char *format = format_named(given);
  if (!format || !strcmp(format, "db") || access(given, F_OK) == 0) return true;
  cli_error(cli, scope_printf(cli->scope, "did you mean '-o %s'? A database is named FILE.db", shown(cli, given)),
            "--db makes a database, and '%s' is named as %s", shown(cli, given), format);
  return false;
}

const char *habit_of_own(const struct command *command, const char *name) {
  static const struct habit studies[] = {
      {"groupby group-by by",
       "'--minimize WHAT by PARAM' has a best point for each value, '--plot=WHAT against PARAM by "
       "PARAM' a line for each"},
      {"ci confidence level alpha", "intervals are of 95 % confidence: over runs by --repetitions N, of a simulated "
                                    "network of queues as --set queueing.confidence=90% says"},
      {"baseline base reference-value relative-to",
       "'psl compare FILE --vary PARAM=A,B,...' compares each value with the first"},
      {"seeds", "'--repetitions N' runs each point with N seeds, from that of --seed on"},
      {"optimize optimise best-of", "a study finds a best point by --minimize WHAT or --maximize WHAT"},
      {"x y xlabel ylabel xaxis yaxis", "what is drawn is said at once: 'makespan against workers'"},
      {"report minimize maximize", "what is drawn stands behind the file: 'makespan, wait against workers'"},
      {"logx logy log-x log-y log xlog ylog",
       "how it is drawn stands behind a comma: 'makespan against workers, log x'"},
      {"sort order-by sort-by orderby", "points stand in the order of their values; '--minimize WHAT' names the best"},
      {"dryrun list-points what-if no-run", "did you mean '--dry-run'? It lists the points and runs none"},
      {"head tail top limit", "'--best' writes the best points alone, '--where CONDITION' leaves points out"},
      {"parameter grid product",
       "a study varies a param by --vary PARAM=LOW..HIGH or PARAM=A,B,..., each by an option"},
  };
  static const struct habit comparisons[] = {
      {"baseline base reference-value relative-to",
       "each value is compared with the first: --vary PARAM=BASELINE,B,..."},
      {"ci confidence level alpha", "intervals are of 95 % confidence, over runs by --repetitions N"},
      {"report minimize maximize", "'psl study FILE --vary PARAM=A,B,...' takes it"},
  };
  static const struct habit sensitivities[] = {
      {"delta by percent range perturbation epsilon h", "'--step PERCENT' says how far each param is moved"},
      {"samples method sobol morris n",
       "each param is moved a step down and a step up, and no other; 'psl study --vary' runs the points of a grid"},
      {"param parameter params-of only", "all params that are numbers are moved; --set NAME=VALUE gives one a value"},
      {"report output-of metric figure minimize maximize objective response output",
       "it is of the predicted time, or of the figure that '--of FIGURE' names"},
  };
  static const struct habit differences[] = {
      {"report columns minimize maximize assert",
       "it compares all figures; 'psl study FILE --vary PARAM=A,B,... --report FIGURE' has a figure at two values"},
  };
  static const struct habit fits[] = {
      {"y value values target response", "the column that is fitted is named by --column NAME"},
      {"x parameters features by independent", "the columns that it depends on are named by --params A,B"},
      {"sep delimiter separator", "columns of CSV are parted by commas, those of Extra-P's format by blanks"},
      {"formula", "the functions that a fit may have are given by --terms: '1, 1/n'"},
      {"model form function degree", "the functions that a fit may have are given by --terms: '1, n' is a line, "
                                     "'1, n, n^2' a parabola; without it they are searched for"},
  };
  if (command->run == command_run && !strcmp(name, "repetitions"))
    return "'psl study FILE --repetitions N' runs it with N seeds and has intervals; a simulated network of queues has "
           "--set queueing.replications=N";
  if (command->run == command_report && word_listed("study name", name))
    return "a study is named behind the file: psl report FILE.db NAME";
  if (command->run == command_diff) return habit_in(differences, sizeof differences / sizeof *differences, name);
  if (command->run == command_compare) return habit_in(comparisons, sizeof comparisons / sizeof *comparisons, name);
  if (command->run == command_fit) return habit_in(fits, sizeof fits / sizeof *fits, name);
  if (command->run == command_sensitivity)
    return habit_in(sensitivities, sizeof sensitivities / sizeof *sensitivities, name);
  bool study = command->run == command_study || command->run == command_plot;
  return study ? habit_in(studies, sizeof studies / sizeof *studies, name) : NULL;
}

const char *habit_of_option(const struct command *command, const char *name) {
  static const struct habit habits[] = {
      {"check-that",
       "assertions stand in the model, 'assert workers < 9;', in a study of it, or in 'psl study --assert CONDITION'"},
      {"param define D",
       "a param is given a value by --set NAME=VALUE; a file of lines NAME = VALUE is read by --params FILE"},
      {"json jsonl csv html", "a format is chosen by --format FORMAT, or by the name of -o FILE"},
      {"flat flatten tidy", "'--format jsonl' writes flat lines of JSON, one a point"},
      {"resume continue restart checkpoint rerun-incomplete rerun missing only-missing incremental",
       "'study --db FILE' keeps what is run, and the same command again goes on"},
      {"list ls studies", "'psl report FILE' names the studies of a database that has several"},
      {"filter", "'psl study' leaves points out by --where CONDITION, a study in a model by 'where CONDITION;'"},
      {"svg png pdf",
       "a picture is named where it is written: graph -o FILE.svg, --plot-file FILE.svg, --timeline FILE.svg"},
      {"until end duration simtime sim-time time-limit time stop-time end-time horizon",
       "a run ends at a time by --max-time TIME, a simulated network of queues by --set queueing.longest=TIME"},
      {"debug log loglevel log-level",
       "'psl explain FILE' says where requests go, --timeline FILE.svg and --trace FILE.json "
       "what each process did"},
      {"gantt", "--timeline FILE.svg draws what each process did"},
      {"runs reps",
       "'psl study' and 'psl compare' run each point N times by --repetitions N; a simulated network of queues has "
       "--set queueing.replications=N"},
      {"threads parallel processes workers", "'study -j N' runs points on N processes, 'mpirun -n N' has N ranks; a "
                                             "param is given a value by --set NAME=N"},
      {"sweep range values", "a study varies a param by --vary PARAM=LOW..HIGH or PARAM=A,B,..."},
      {RANKS,
       "a model has as many processes as its params say: --set NAME=8; 'psl mpirun -n 8' runs a program on 8 ranks"},
      {"speed rate bandwidth latency",
       "a param is given a value by --set NAME=VALUE, and 'psl params FILE' lists them"},
      {"database sqlite", "'study --db FILE' keeps what is run"},
      {"simulate simulation analytic exact solver",
       "a model's param says how it is evaluated, as in --set 'solver=simulation[queueing]'"},
      {"silent no-progress", "did you mean '--quiet'?"},
      {"repeat repeats replications replicas replicate", "did you mean '--repetitions'?"},
      {"output-format fmt output-type type", "did you mean '--format'?"},
      {"objective goal", "a study finds a best point by --minimize WHAT or --maximize WHAT"},
      {"timeout wall-time", "a run is bounded by --max-time TIME, of its virtual time, and --max-firings N"},
      {"study system", "a system or study is named behind the file: psl study FILE NAME"},
      {"columns fields", "a study has columns by --report 'makespan, NAME = EXPRESSION'"},
  };
  static const struct habit launchers[] = {
      {"host hosts hostfile machinefile H",
       "all ranks run on this computer; the machine that they are predicted for is "
       "the model's: --set machine=NAME, or --model FILE"},
      {"map-by bind-to rank-by ppn npernode ntasks-per-node N nodes", "where ranks are is the model's: "
                                                                      "--set ranks-per-node=N, --set mapping=cyclic"},
      {"x env genv genvall export", "the program has the environment of psl: NAME=VALUE psl mpirun ..."},
      {"cfg", "options of SimGrid are not taken: what a message costs is said by params, as --set os=1us, and 'psl "
              "params FILE' lists them"},
      {"oversubscribe allow-run-as-root mca", "leave it out: there may be any number of ranks"},
      {RANKS, "did you mean '-n N'?"},
  };
  if (word_listed(RANKS, name) && command->run == command_replay) return "a trace has the ranks that it was made of";
  const char *own = habit_of_own(command, name);
  if (own) return own;
  const char *launcher = command_takes(command, "number") || command->run == command_replay
                             ? habit_in(launchers, sizeof launchers / sizeof *launchers, name)
                             : NULL;
  return launcher ? launcher : habit_in(habits, sizeof habits / sizeof *habits, name);
}

static bool writes_tables(const struct command *command) {
  const char *const *formats = formats_of(command);
  while (formats && *formats && strcmp(*formats, "latex"))
    formats++;
  return formats && *formats;
}

const char *habit_of_format(const struct command *command, const char *option, const char *given) {
  if (strcmp(option, "format")) return NULL;
  if (word_listed(JSONL_WORDS, given)) return "did you mean 'jsonl'?";
  if (word_listed("sqlite sqlite3 db database sql", given))
    return "did you mean '--db FILE.db'? 'psl study' keeps its points there";
  if (word_listed("xlsx xls excel tsv dataframe parquet", given)) return "spreadsheets and dataframes read csv";
  if (command->run == command_report && word_listed("csv json jsonl text markdown md latex tex", given))
    return "'psl study FILE --db FILE.db --format csv' writes the points that the database has";
  if (word_listed("tex md", given) && writes_tables(command))
    return strcmp(given, "md") ? "did you mean 'latex'?" : "did you mean 'markdown'?";
  if (word_listed("rst typst org asciidoc", given))
    return "pandoc makes tables of other formats of csv: psl ... --format csv | pandoc -f csv -t rst, or -t typst";
  if (word_listed("table plain tabular", given)) return "did you mean 'text'?";
  return word_listed("pdf ps docx", given) ? "a page of html can be printed to a file by a browser" : NULL;
}

const char *habit_of_command(const char *word) {
  static const struct habit habits[] = {
      {"solve", "did you mean 'psl run'? How a network of queues is solved says a param: --set 'solver=analysis[MVA]'"},
      {"optimize optimise minimize maximize search",
       "'psl study FILE --vary PARAM=LOW..HIGH --minimize WHAT' finds the best point"},
      {"list ls", "'psl params FILE' lists the params of a model, 'psl --help' the commands"},
      {"man manual docs tutorial examples language",
       "'man psl' names the manuals, 'man psl-tutorial' is the first to read; 'psl help NAME' explains a name"},
      {"predict evaluate start exec execute analyze analyse", "did you mean 'psl run'?"},
      {"queueing queue queues mva jmva jsim lqns lqn",
       "'psl run FILE' solves a network of queues, in the way that a param says: --set 'solver=analysis[MVA]'; "
       "psl-queueing(7) lists them"},
      {"sweep vary", "did you mean 'psl study'?"},
      {"db database", "'psl study --db FILE' keeps what is run in FILE, 'psl report FILE' makes a page of it"},
      {"draw dot", "'psl graph' draws what depends on what, 'psl plot' a study"},
      {"version", "did you mean 'psl --version'?"},
      {"repl shell session", "'psl' without a command is a session"},
      {"lint validate test", "did you mean 'psl check'?"},
      {"format", "did you mean 'psl fmt'?"},
      {"info", "did you mean 'psl trace info'?"},
      {"mpiexec", "did you mean 'psl mpirun'?"},
  };
  return habit_in(habits, sizeof habits / sizeof *habits, word);
}

bool names_model(const char *word) {
  size_t length = strlen(word);
  return length > 4 && strcmp(word + length - 4, ".psl") == 0;
}

/* NAME=VALUE: it lacks the option before it. */
static bool is_setting(const char *word) {
  size_t length = strcspn(word, "= /");
  return length && word[length] == '=';
}

/* What commands take that take no model. */
static const char *wanted(const struct cli *cli, const char *word) {
  static const struct habit habits[] = {
      {"report", "'psl study %s --db FILE' makes a database, 'psl report FILE' a page of that"},
      {"replay mpirun simulate trace", "'psl run %s' runs a model"},
      {"fit", "it takes measurements, in CSV or Extra-P's formats; 'psl check -v %s' says how its own fits fit"},
  };
  const char *help = habit_in(habits, sizeof habits / sizeof *habits, cli->command->name);
  const char *place = help ? strstr(help, "%s") : NULL;
  return place ? scope_printf(cli->scope, "%.*s%s%s", (int)(place - help), help, shown(cli, word), place + 2) : NULL;
}

static bool refuse(const struct cli *cli, const char *word, const char *help) {
  cli_error(cli, help, "'%s' takes no '%s'", cli->command->name, shown(cli, word));
  return false;
}

/* Arguments that are files, but for a program and what that is given. */
static size_t file_count(const struct cli *cli) {
  const struct command *command = cli->command;
  bool several = command->most == SIZE_MAX && !command->program && strcmp(command->name, "plot");
  size_t most = several || command->run == command_diff ? cli->argument_count : 1;
  if ((cli->session && command->on_model) || command->foreign || command->actions) return 0;
  return command->run == command_measure || command->run == command_help_on || most > cli->argument_count ? 0 : most;
}

bool is_picture(const char *word) {
  const char *format = format_named(word);
  return format && word_listed("svg png", format);
}

bool refuse_picture(const struct cli *cli, const char *word) {
  cli_error(cli, scope_printf(cli->scope, "did you mean '--plot-file %s'?", word),
            "a plot is named by what it shows, not by its file");
  return false;
}

/* psl diff a.trace trace=b.trace, psl diff a.psl workers=4: files stand by themselves, settings behind an option. */
static bool refuse_setting_of_diff(const struct cli *cli, const char *word) {
  const char *value = strchr(word, '=') + 1, *given = psl_is_trace(value) ? value : word;
  const char *option = given == word ? "--against " : "";
  return refuse(cli, word, scope_printf(cli->scope, "did you mean '%s%s'?", option, shown(cli, given)));
}

bool refuse_second_file(const struct cli *cli, const char *given) {
  if (!names_model(given) && !psl_is_trace(given)) return false;
  const char *first = cli->argument_count ? shown(cli, cli->arguments[0]) : "A";
  cli_error(cli, scope_printf(cli->scope, "two files stand side by side: psl diff %s %s", first, shown(cli, given)),
            "--against takes NAME=VALUE, and '%s' is a file", shown(cli, given));
  return true;
}

static bool refuse_plot(const struct cli *cli) {
  const char *word = shown(cli, cli->behind_plot);
  if (is_picture(word)) return refuse_picture(cli, word);
  cli_error(cli, scope_printf(cli->scope, "did you mean '--plot=%s'?", word),
            "the value of --plot stands behind a '='");
  return false;
}

bool plot_meant(const struct cli *cli, struct psl *psl) {
  bool named = true;
  if (!cli->behind_plot || cli->argument_count < 2 || cli->arguments[1] != cli->behind_plot) return true;
  if (psl_can_study(psl, cli->behind_plot, &named) != PSL_OK) return false;
  return named || refuse_plot(cli);
}

bool arguments_meant(const struct cli *cli) {
  const struct command *command = cli->command;
  bool first = cli->argument_count > 1 && cli->arguments[0] == cli->behind_plot; /* --plot buffer model.psl */
  if (first && !names_model(cli->arguments[0]) && names_model(cli->arguments[1])) return refuse_plot(cli);
  for (size_t a = 0; a < cli->argument_count && a < 2; a++) {
    const char *word = cli->arguments[a], *help = a ? NULL : wanted(cli, word);
    if (help && names_model(word)) return refuse(cli, word, help);
    if (a && command->run == command_diff && is_setting(word) && access(word, F_OK) != 0)
      return refuse_setting_of_diff(cli, word);
    bool system = a && (command->on_model || command->run == command_replay) &&
                  command->most == 2; /* it stands where a system or a study does */
    bool other = system && (names_model(word) || (psl_is_trace(word) && psl_is_trace(cli->arguments[0])));
    if (other && cli->session && names_model(word))
      return refuse(cli, word, scope_printf(cli->scope, "':load %s' begins with that model", shown(cli, word)));
    if (other && names_model(word) && command_takes(command, "model"))
      return refuse(cli, word,
                    scope_printf(cli->scope, "a model of machines is given by --model %s", shown(cli, word)));
    if (other) return refuse(cli, word, "'psl diff A B' says what two models, or runs, differ by, and why");
    if (!system || !is_setting(word) || !command_takes(command, "set")) continue;
    const char *option = command_takes(command, "vary") && command->run != command_replay ? "vary" : "set";
    return refuse(cli, word, scope_printf(cli->scope, "did you mean '--%s %s'?", option, shown(cli, word)));
  }
  for (size_t f = 0; f < file_count(cli); f++)
    if (!file_meant(cli, cli->arguments[f])) return false;
  if (!machine_file_meant(cli, "dimemas", cli->dimemas)) return false;
  if (!machine_file_meant(cli, "platform", cli->platform)) return false;
  return model_meant(cli, cli->model) && model_meant(cli, cli->load);
}

/* -O2, -DN=5, -I include: an option of a compiler, and not one of psl compile. */
static bool is_compilers(const char *word) {
  static const char *const begun[] = {"-O", "-D", "-U", "-I", "-L", "-l", "-W", "-m", "-g", "-std=", "-pthread"};
  for (size_t i = 0; i < sizeof begun / sizeof *begun; i++)
    if (!strncmp(word, begun[i], strlen(begun[i]))) return true;
  return !strncmp(word, "-f", 2) && word[2] && !word_listed("text json =text =json", word + 2);
}

const char *habit_of_compiler(const struct cli *cli, const char *word) {
  if (!cli->command || cli->command->run != command_model || !is_compilers(word)) return NULL;
  const char *compiler = cli->compiler, *options = "";
  for (int i = 1; i < cli->word_count; i++) {
    const char *given = cli->words[i], *next = i + 1 < cli->word_count ? cli->words[i + 1] : NULL;
    if (!strcmp(given, "--cc") && next) compiler = next;
    if (!strncmp(given, "--cc=", 5)) compiler = given + 5;
    if (!compiler && *given != '-') compiler = source_compiler(given);
    if (!is_compilers(given)) continue;
    options = scope_printf(cli->scope, "%s %s", options, given);
    if (!given[2] && strchr("DUIL", given[1]) && next) options = scope_printf(cli->scope, "%s %s", options, next);
  }
  return scope_printf(cli->scope, "options of the compiler are given with it: --cc '%s%s'",
                      compiler ? compiler : "mpicc.mpich", options);
}
