/* The options of the command line: one table, read strictly, and the help that is made of it. */
#include "interp/cli/option_id.h"
#include "interp/cli/prompt.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(OPTION_VERSION < sizeof((struct cli *)0)->given / sizeof(const char *), "cli.given has no room for all");

struct option_row {
  enum option_id id;
  char letter;          /* 0: none */
  const char *name;     /* without the dashes */
  const char *argument; /* NULL: takes none; [=...]: may be left out, and is given by --name=... alone */
  const char *commands; /* that take it, blank-separated; NULL: all */
  const char *help;
  const char *const *choices; /* the words that it may be, ended by NULL; NULL: anything */
};

static const char *const error_formats[] = {"full", "short", "json", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const costs[] = {"measured", "none", "instructions", NULL};
static const char *const own_costs[] = {"measured", "none", NULL};
static const char *const ranks[] = {"processes", "inside", NULL};
static const char *const searches[] = {"large", "always", "never", NULL};
static const char *const fit_tables[] = {"points", "terms", "fits", NULL}; /* enum psl_fit_table */
static const char *const ranks_alone[] = {"rank", NULL};

#define MODEL_COMMANDS \
  "run replay mpirun reflect check compare study recommend plot sensitivity diff params derive explain why graph"
#define PARAMS_FILE_COMMANDS \
  "run replay mpirun reflect check compare study recommend plot sensitivity params derive explain why graph"
#define TRACE_COMMANDS "replay compare study plot sensitivity params why"
#define STUDIED /* what a page finds in its database */                                                            \
  "set params vary report minimize maximize where assert repetitions seed max-firings max-time warm-up reference " \
  "deny-lossy model dimemas platform"
#define COMPLETED "run mpirun check compare sensitivity params derive explain why graph"
#define RUN_COMMANDS "run replay mpirun reflect compare study recommend plot sensitivity diff derive why"

static const struct option_row rows[] = {
    {OPTION_SET, 's', "set", "NAME=VALUE", MODEL_COMMANDS " calibrate",
     "give a param a value, an expression of PSL; repeatable"},
    {OPTION_SET, 's', "set", "NAME=VALUE", "simulate", "give a parameter of the processor a value; repeatable"},
    {OPTION_PARAMS_FILE, 0, "params", "FILE", PARAMS_FILE_COMMANDS, "give params values by lines NAME = VALUE of FILE"},
    {OPTION_INCLUDE, 'I', "include", "FOLDER", MODEL_COMMANDS " report fit lsp studio db",
     "search FOLDER for what 'use' names; repeatable"},
    {OPTION_FORMAT, 'f', "format", "FORMAT",
     "run replay mpirun reflect simulate trace compare study recommend sensitivity diff params",
     "text (the default), vertical, json, jsonl: lines of JSON, csv, html, markdown or latex"},
    {OPTION_FORMAT, 'f', "format", "FORMAT", "fit",
     "text (the default), vertical, json, jsonl, csv, html, markdown, latex, or psl: a function"},
    {OPTION_FORMAT, 'f', "format", "FORMAT", "report",
     "html, which is what it writes; of --list text (the default) or json"},
    {OPTION_FORMAT, 'f', "format", "FORMAT", "why compile calibrate attach", "text (the default) or json"},
    {OPTION_FORMAT, 'f', "format", "FORMAT", "derive", "text (the default), latex, psl: functions, or json"},
    {OPTION_FORMAT, 'f', "format", "FORMAT", "graph",
     "dot (the default), svg, png, pdf, json; with --activity psl, xmi, xml, c++; with --static text"},
    {OPTION_VERTICAL, 0, "vertical", NULL,
     "run replay mpirun reflect simulate trace compare study recommend sensitivity diff params fit",
     "a line a figure in place of tables: --format vertical"},
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "run replay mpirun reflect simulate trace compare study recommend sensitivity diff report fit measure params "
     "derive explain why graph ast compile calibrate attach db",
     "write to FILE, whose name says the format; it is replaced only when all is there"},
    {OPTION_MODEL, 0, "model", "FILE", TRACE_COMMANDS " mpirun",
     "run a trace or program on FILE's machines and networks: a model that uses 'program'"},
    {OPTION_MODEL, 0, "model", "FILE", "reflect", "have FILE answer the program: a model that uses 'reflector'"},
    {OPTION_LISTEN, 0, "listen", "SOCKET", "reflect",
     "start nothing: wait for a program with PSL_REFLECT=model:SOCKET, and make that file"},
    {OPTION_DIMEMAS, 0, "dimemas", "FILE.cfg", TRACE_COMMANDS,
     "run a trace on the machine of a configuration file of Dimemas"},
    {OPTION_PLATFORM, 0, "platform", "FILE.xml", TRACE_COMMANDS " mpirun",
     "run a trace or program on the network of a platform file of SimGrid"},
    {OPTION_BY, 0, "by", "rank", "run replay mpirun reflect",
     "add a row for each process, and for what each instance records", ranks_alone},
    {OPTION_BY, 0, "by", "rank", "trace", "info: add time and messages by rank", ranks_alone},
    {OPTION_TIMING, 0, "timing", NULL, "run replay mpirun reflect", "add what the run cost on this computer"},
    {OPTION_TIMING, 0, "timing", NULL, "report", "add what the runs of a study have cost, and when they were kept"},
    {OPTION_PROFILE, 0, "profile", NULL, "run replay", "add where this computer's time goes, and what is compiled how"},
    {OPTION_TRACE, 0, "trace", "FILE.json", "run replay mpirun reflect",
     "write what each process did, in Chrome's trace format, for Paraver: FILE.prv, or compressed: FILE.json.gz; "
     "as tasks: FILE.tasks"},
    {OPTION_TRACE, 0, "trace", "FILE.json", "attach", "write each call to FILE.json, for Perfetto"},
    {OPTION_FUNCTION, 0, "function", "NAME", "attach", "count and time the function of that symbol; repeatable"},
    {OPTION_FOR, 0, "for", "TIME", "attach", "leave the process after TIME: 10s"},
    {OPTION_TIMELINE, 0, "timeline", "FILE.svg", "run replay mpirun reflect",
     "draw what each process did, or FILE.png, .pdf"},
    {OPTION_VARY, 0, "vary", "PARAM[=A,B,...]", "compare", "the param to vary, and its values"},
    {OPTION_VARY, 0, "vary", "PARAM=VALUES", "replay study plot", "an axis: see above; repeatable"},
    {OPTION_REPORT, 0, "report", "COLUMNS", "replay study",
     "add columns as a study has them: 'makespan, a = disk[0].wait'"},
    {OPTION_MINIMIZE, 0, "minimize", "WHAT", "replay study",
     "find the best point, as a study does: 'cost = n * makespan by load'"},
    {OPTION_MAXIMIZE, 0, "maximize", "WHAT", "replay study", "the same, where it is greatest"},
    {OPTION_WHERE, 0, "where", "CONDITION", "replay study plot",
     "leave out the points where it does not hold: 'n < m'"},
    {OPTION_ASSERT, 0, "assert", "CONDITION", "replay study", "fail where it does not hold: 'makespan < 3 s'"},
    {OPTION_BEST, 0, "best", NULL, "replay study", "write the best points alone"},
    {OPTION_PARETO, 0, "pareto", NULL, "replay study", "write the Pareto front of several objectives"},
    {OPTION_POINT, 0, "point", "N", "report", "show point N in detail, not the best one"},
    {OPTION_LIST, 0, "list", NULL, "report", "say what studies the database has, in place of a page"},
    {OPTION_PLOT, 0, "plot", "[=COMPONENT]", "run", "draw levels over time, of COMPONENT, one instance of it, or all"},
    {OPTION_PLOT, 0, "plot", "[=WHAT]", "replay study", "draw the study's plots, or WHAT, in the terminal: see above"},
    {OPTION_PLOT_FILE, 0, "plot-file", "FILE.svg", "run replay study plot",
     "draw the plots to FILE.svg, .png or .pdf in its place"},
    {OPTION_REPETITIONS, 0, "repetitions", "N", "replay study plot",
     "run each point N times, with seeds one after another"},
    {OPTION_REPETITIONS, 0, "repetitions", "N", "compare sensitivity diff",
     "take means of N runs, with seeds one after another, and their 95 % intervals"},
    {OPTION_REPETITIONS, 0, "repetitions", "N", "measure", "take N samples of each size (30)"},
    {OPTION_REPETITIONS, 0, "repetitions", "N", "calibrate", "run the program N times with each ARGUMENTS (5)"},
    {OPTION_JOBS, 'j', "jobs", "N", "replay study recommend plot sensitivity diff",
     "run on N processes of this computer; 0: one a processor"},
    {OPTION_THREADS, 0, "threads", "N[:RANKS]", "run",
     "simulate on N processors at once, 0: on all, that have 64 ranks each, or RANKS"},
    {OPTION_DATABASE, 0, "db", "FILE", "replay study recommend plot",
     "keep what is run in FILE, and run nothing that is there already"},
    {OPTION_DATABASE, 0, "db", "FILE", "db", "the database (PSL_DB)"},
    {OPTION_DATABASE, 0, "db", "FILE", COMPLETED, "complete a model that says 'use from database' from FILE (PSL_DB)"},
    {OPTION_FROM_DATABASE, 0, "search", NULL, COMPLETED, "complete it from there though it does not say so"},
    {OPTION_KIND, 0, "kind", "KIND", "db",
     "component, instance, graph, ted, knowledge, measurement or prediction: of what is added, or looked for"},
    {OPTION_NOTE, 0, "description", "TEXT", "db", "add: what it is, in words"},
    {OPTION_ATTRIBUTES, 0, "attributes", "ATTRIBUTES", "db", "add: what it is found by: 'kind = disk, machine = SP2'"},
    {OPTION_REPLACE, 0, "replace", NULL, "db", "add: in the place of an entry of the same kind and name"},
    {OPTION_FORMAT, 'f', "format", "FORMAT", "db", "text (the default), vertical, json, jsonl or csv"},
    {OPTION_DRY_RUN, 0, "dry-run", NULL, "replay study",
     "list the points, and what of them FILE of --db has; run none"},
    {OPTION_SEARCH, 0, "search", "WHEN", "replay study",
     "look for what is minimized: large (the default: of 100,000 points), always, never", searches},
    {OPTION_EVALUATIONS, 0, "evaluations", "N", "replay study", "run at most N points of a search (300)"},
    {OPTION_AGAINST, 0, "against", "NAME=VALUE", "diff", "a setting of B, in the place of --set's; repeatable"},
    {OPTION_LEAST, 0, "least", "PERCENT", "diff", "of traces: what differs by that part of the measured time (1%)"},
    {OPTION_OF, 0, "of", "FIGURE", "sensitivity",
     "rank the params by how much this follows them, as a study reports it: 'desk.wait'"},
    {OPTION_STEP, 0, "step", "PERCENT", "sensitivity", "how far each param is moved (10%)"},
    {OPTION_TERMS, 't', "terms", "TERMS", "fit",
     "what is summed, each with a coefficient: '1, n, n * log2(n)'; of several the best"},
    {OPTION_WHERE, 0, "where", "CONDITION", "fit", "fit only the measurements that meet it: 'n > 4'"},
    {OPTION_LOG, 0, "log", NULL, "fit", "fit the logarithm of what was measured"},
    {OPTION_RELATIVE, 0, "relative", NULL, "fit", "count errors as parts of what was measured"},
    {OPTION_ABSOLUTE, 0, "absolute", NULL, "fit", "count errors as they are, in a search, too"},
    {OPTION_COLUMN, 0, "column", "NAME", "fit", "the column that is fitted (the last)"},
    {OPTION_PARAMS, 'p', "params", "A,B", "fit", "the columns that it depends on"},
    {OPTION_REGION, 0, "region", "NAME", "fit", "that region of Extra-P's file alone"},
    {OPTION_METRIC, 0, "metric", "NAME", "fit", "that metric of Extra-P's file alone"},
    {OPTION_UNIT, 0, "unit", "UNIT", "fit", "what was measured in, where the file does not say: ms"},
    {OPTION_NAME, 0, "name", "NAME", "fit", "the function's name"},
    {OPTION_NAME, 0, "name", "NAME", "db", "add: the entry's name (that of its file)"},
    {OPTION_NAME, 0, "name", "NAME", "measure", "the machine's name (measured)"},
    {OPTION_NAME, 0, "name", "NAME", "trace", "of memory: the program's name in PSL (that of its file)"},
    {OPTION_NAME, 0, "name", "NAME", "replay study", "call the study so: studies of several names share a database"},
    {OPTION_NEGATIVE, 0, "negative", NULL, "fit", "search powers of -1/4 to -1, too"},
    {OPTION_MAX_TERMS, 0, "max-terms", "N", "fit", "search sums of at most N terms and a constant"},
    {OPTION_FOLDS, 0, "folds", "N", "fit", "cross-validate in N parts, not by a point at a time"},
    {OPTION_AT, 0, "at", "A=VALUE,...", "fit", "predict there, too; repeatable"},
    {OPTION_FIT_TABLE, 0, "table", "TABLE", "fit", "of csv and jsonl: points, terms or fits (points)", fit_tables},
    {OPTION_CONFIDENCE, 0, "confidence", "PERCENT", "fit calibrate", "of the intervals (95%)"},
    {OPTION_WHERE, 0, "where", "CONDITION", "recommend",
     "recommend, or learn from, only what it holds for: 'processors <= 512'"},
    {OPTION_GOAL, 0, "goal", "CONDITION", "recommend", "what a choice is to come to: 'makespan < 60 s'; repeatable"},
    {OPTION_CASES, 0, "data", NULL, "recommend", "write the cases that are learnt from"},
    {OPTION_LEARNT, 0, "rules", NULL, "recommend", "write what was learnt: rules, and how good predictions are"},
    {OPTION_UNSEEN, 0, "unseen", "[=N]", "recommend",
     "run all choices for N problems that nothing was learnt from, beside what is recommended (20)"},
    {OPTION_RUNS, 0, "runs", "N", "recommend", "learn from at most N runs (1000)"},
    {OPTION_CHOICES, 0, "choices", "N", "recommend", "recommend the best N choices (5)"},
    {OPTION_EVALUATIONS, 0, "evaluations", "N", "recommend", "run at most N choices where rules do not reach (300)"},
    {OPTION_VERIFY, 0, "verify", NULL, "recommend", "run the choices that are recommended"},
    {OPTION_FROM, 0, "from", "FILE", "recommend", "run nothing: learn from FILE, cases as CSV or JSON"},
    {OPTION_TOLERANCE, 0, "tolerance", "PERCENT", "recommend",
     "what is so near to the best is as good, for rules (5%)"},
    {OPTION_TOLERANCE, 0, "tolerance", "PERCENT", "compare", "fail if the predictions spread wider: 7%"},
    {OPTION_SEED, 0, "seed", "N", RUN_COMMANDS, "seed of the random streams (0)"},
    {OPTION_MAX_FIRINGS, 0, "max-firings", "N", RUN_COMMANDS, "stop a run that goes beyond N firings: it fails"},
    {OPTION_MAX_TIME, 0, "max-time", "TIME", RUN_COMMANDS, "end the run at this simulated time: 90s, 250ms"},
    {OPTION_WARM_UP, 0, "warm-up", "TIME", RUN_COMMANDS, "leave what happens before TIME out of all figures: 100s"},
    {OPTION_ALLOW_NATIVE, 0, "allow-native", NULL, MODEL_COMMANDS " report lsp studio",
     "let the model load C code, which can do all that you can"},
    {OPTION_ALLOW_READ, 0, "allow-read", "FOLDER", MODEL_COMMANDS " report lsp studio db",
     "let the model read files of FOLDER, too; repeatable"},
    {OPTION_MAX_MEMORY, 0, "max-memory", "SIZE", MODEL_COMMANDS " report fit fmt lsp studio ast db",
     "hold at most SIZE: 512MiB, 2GiB"},
    {OPTION_REFERENCE, 0, "reference", NULL, RUN_COMMANDS, "walk the syntax tree in place of compiled code"},
    {OPTION_DENY_LOSSY, 0, "deny-lossy", NULL,
     "run replay mpirun reflect compare study recommend plot sensitivity diff explain why",
     "refuse coercions that lose something"},
    {OPTION_SYSTEM, 0, "system", "NAME", "explain why diff params mpirun reflect", "the system that is meant"},
    {OPTION_PROCESS, 0, "process", "NAME", "why", "the process to explain: 'rank[3, 4]' (the one that ends last)"},
    {OPTION_AT, 0, "at", "TIME", "why", "explain it at this simulated time: 12ms (its end)"},
    {OPTION_DEPTH, 0, "depth", "N", "why", "write N steps of the chain of causes (10)"},
    {OPTION_ACTIVITY, 0, "activity", NULL, "graph check", "draw the activities of a file of UML; what - gives is one"},
    {OPTION_RULES, 0, "rules", "FILE", "check studio", "check diagrams by the rules of this file"},
    {OPTION_TOOLBAR, 0, "toolbar", "FILE", "studio", "take the elements of diagrams from this file"},
    {OPTION_DYNAMIC, 0, "dynamic", NULL, "graph", "draw instances in place of components"},
    {OPTION_STATIC, 0, "static", NULL, "graph", "write the static task graph, of a model or stored in FILE.json"},
    {OPTION_CONDENSE, 0, "condense", NULL, "graph run", "one task for all that is computed between two communications"},
    {OPTION_MAX_INSTANCES, 0, "max-instances", "N", "graph", "draw more than N instances of a component as one (24)"},
    {OPTION_CHECK, 0, "check", NULL, "fmt", "write nothing; name the files that would change, and fail"},
    {OPTION_WRITE, 'w', "write", NULL, "fmt", "write the files back where they change"},
    {OPTION_VERBOSE, 'v', "verbose", NULL, "check", "say what could not be proved, and why"},
    {OPTION_SPANS, 0, "spans", NULL, "ast", "add line and column"},
    {OPTION_NUMBER, 'n', "number", "N", "mpirun calibrate", "run the program on N ranks"},
    {OPTION_SHAPE, 0, "arguments", "ARGUMENTS", "calibrate",
     "run the program with these: '1000 50'; repeatable, of two sizes at least"},
    {OPTION_CHECK_RUN, 0, "check", "ARGUMENTS", "calibrate",
     "run it with these, too, and say how far the model is off; repeatable"},
    {OPTION_FORETOLD, 0, "at", "ARGUMENTS", "calibrate", "say what the model predicts with these; repeatable"},
    {OPTION_WITH, 0, "with", "NAME=VALUE,...", "calibrate",
     "params of the model in the run before: what it reads, for the model; repeatable"},
    {OPTION_INPUT, 0, "input", "FILE", "calibrate",
     "what the program reads from standard input in the run before; repeatable"},
    {OPTION_RANKS, 0, "ranks", "WHERE", "mpirun", "a rank is one of: processes (the default), or inside of psl's own",
     ranks},
    {OPTION_COSTS, 0, "costs", "WHAT", "mpirun",
     "what the program computes takes: its time, measured (the default), none, or its instructions", costs},
    {OPTION_COSTS, 0, "costs", "WHAT", "reflect",
     "what the model does not answer takes its time, measured (the default), or none", own_costs},
    {OPTION_PROCESSOR, 0, "processor", "NAME=VALUE", "mpirun",
     "of a program of RISC-V: give a parameter of the simulated processor a value; repeatable"},
    {OPTION_RECORD, 0, "record", "FILE", "replay mpirun", "keep what the ranks do, and when, in FILE, a trace"},
    {OPTION_LAUNCHER, 0, "mpirun", "LAUNCHER", "measure", "run the program that measures by this: 'mpirun -n 2'"},
    {OPTION_LAUNCHER, 0, "mpirun", "LAUNCHER", "calibrate",
     "run the program by this, 'mpirun.mpich -n 4', in place of psl mpirun"},
    {OPTION_FROM, 0, "from", "FILE", "measure", "measure nothing: take FILE, a table of what was measured"},
    {OPTION_TABLE, 0, "table", "FILE.csv", "measure", "write what is measured to FILE.csv, too"},
    {OPTION_MEMORY, 0, "memory", NULL, "trace",
     "of any program: what its blocks do with memory, as PSL: signature.psl"},
    {OPTION_BURSTS, 0, "bursts", NULL, "trace",
     "of memory: of each rank that mpirun starts, by what it does between two calls of MPI"},
    {OPTION_CACHES, 0, "caches", "NAME=LEVELS", "trace",
     "of memory: simulate a machine's caches: here=32KiB/8/64,1MiB/16; repeatable"},
    {OPTION_CHAINS, 0, "chains", "[=N]", "trace", "of memory: instructions that wait for each other, in a window of N"},
    {OPTION_DISTANCES, 0, "distances", "[=N]", "trace", "of memory: stack distances, of all lines or of one in N"},
    {OPTION_COMPILER, 0, "cc", "COMPILER", "compile",
     "compile by this one of MPICH's, with its options: 'mpicc -DN=64'; by the files' names if it is left out"},
    {OPTION_INSTRUMENT, 0, "instrument", NULL, "compile",
     "make the program, with timers round the loops that compute, for psl calibrate"},
    {OPTION_COMPILE_REPORT, 0, "report", NULL, "compile", "say what is known of the program, in place of a model"},
    {OPTION_WHY, 0, "why", "VARIABLE", "compile", "say why VARIABLE is part of the model, in place of it"},
    {OPTION_ASSUME, 0, "assume", "'VARIABLE: ignored'", "compile", "let VARIABLE end no loop; repeatable"},
    {OPTION_ITERATIONS, 0, "iterations", "LOOP=EXPRESSION", "compile",
     "how often the loop at LOOP, FILE:LINE or LINE, is passed; repeatable"},
    {OPTION_PROCESS, 0, "process", "NAME", "derive", "derive that component, or one instance: 'rank[2, 3]' (all)"},
    {OPTION_SECTION, 0, "section", "SECTION", "derive",
     "derive a part of each process: a request by its label, or the statement that begins at this line"},
    {OPTION_RANGE, 0, "range", "NAME=LOW..HIGH", "derive",
     "bounds of what is derived where a param lies so; repeatable"},
    {OPTION_OF_MEMORY, 0, "memory", "PARAM", "derive",
     "count terms with this param as memory, too (miss-ratio, miss-penalty, load-time, store-time, memory-time)"},
    {OPTION_DECIDE, 0, "decide", NULL, "derive",
     "decide comparisons between params by the values that these have, and say so"},
    {OPTION_VERIFY, 0, "verify", NULL, "derive", "run the model, and compare each process with what was derived"},
    {OPTION_SLICED, 0, "slice", NULL, "compile",
     "make the sliced program, which -o names, in place of a model; and the model of its nests, FILE.psl"},
    {OPTION_KEEP, 0, "keep", "NEST", "compile",
     "of a slice: do the nest of loops NEST, so that it is timed; repeatable"},
    {OPTION_NO_BROWSER, 0, "no-browser", NULL, "studio", "open no browser"},
    {OPTION_EXPRESSION, 'e', "evaluate", "INPUT", "", "do INPUT, an expression, declarations or a command; repeatable"},
    {OPTION_LOAD, 'c', "load", "FILE", "", "load a model first"},
    {OPTION_KEEP_GOING, 0, "keep-going", NULL, "", "go on after an error, answer line by line, and end with 1"},
    {OPTION_NO_RC, 0, "no-rc", NULL, "", "do not read the file of first inputs"},
    {OPTION_QUIET, 'q', "quiet", NULL, NULL, "say errors alone: no warnings, notes or progress"},
    {OPTION_ERROR_FORMAT, 0, "error-format", "FORMAT", NULL, "full (the default), short, or json: a line a diagnostic",
     error_formats},
    {OPTION_COLOR, 0, "color", "WHEN", NULL, "auto (the default; NO_COLOR counts), always or never", colors},
    {OPTION_HELP, 'h', "help", NULL, NULL, "print this help"},
    {OPTION_VERSION, 'V', "version", NULL, NULL, "print the version"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool row_applies(const struct option_row *row, const struct command *command);

static struct option_shape shape_of(const struct option_row *row) {
  return (struct option_shape){
      .name = row->name, .argument = row->argument, .help = row->help, .choices = row->choices};
}

bool option_at(const struct command *command, size_t place, struct option_shape *shape) {
  for (size_t r = 0; r < ROWS; r++) {
    if (!row_applies(&rows[r], command) || place-- > 0) continue;
    *shape = shape_of(&rows[r]);
    return true;
  }
  return false;
}

/* ---- help ---- */

bool word_listed(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; length && (at = strstr(at, word)); at += length) {
    bool begins = at == words || at[-1] == ' ', ends = !at[length] || at[length] == ' ';
    if (begins && ends) return true;
  }
  return false;
}

static bool is_of_session(const struct option_row *row) {
  bool setting = row->id == OPTION_SET && strcmp(row->commands, "simulate"); /* of a param, as sessions have them */
  return !*row->commands || setting || row->id == OPTION_INCLUDE || row->id == OPTION_MAX_MEMORY ||
         row->id == OPTION_ALLOW_NATIVE || row->id == OPTION_ALLOW_READ;
}

static bool row_applies(const struct option_row *row, const struct command *command) {
  if (!row->commands) return true;
  if (command == &session_command) return is_of_session(row);
  return command && word_listed(row->commands, command->name);
}

/* On a terminal no word is cut at its edge: lines go on under the first one's text. */
static void print_wrapped(FILE *file, const char *text, size_t indent) {
  size_t columns = isatty(fileno(file)) ? terminal_columns(fileno(file)) : 0, at = indent;
  while (*text) {
    size_t gap = strspn(text, " \n"), length = strcspn(text + gap, " \n");
    bool full = columns > indent + 20 && at + gap + length > columns - 1;
    if (full || *text == '\n') {
      fprintf(file, "\n%*s", (int)indent, "");
      at = indent;
      text += gap;
      gap = 0;
    }
    fwrite(text, 1, gap + length, file);
    at += gap + length;
    text += gap + length;
  }
  putc('\n', file);
}

static void print_row(FILE *file, const struct option_row *row) {
  char left[60];
  int length = row->letter ? snprintf(left, sizeof left, "-%c, --%s", row->letter, row->name)
                           : snprintf(left, sizeof left, "    --%s", row->name);
  if (row->argument)
    snprintf(left + length, sizeof left - (size_t)length, *row->argument == '[' ? "%s" : " %s", row->argument);
  fprintf(file, "  %-28s  ", left);
  print_wrapped(file, row->help, 32 > strlen(left) + 4 ? 32 : strlen(left) + 4);
}

static void print_options(FILE *file, const struct command *command, bool general) {
  for (size_t r = 0; r < ROWS; r++)
    if (row_applies(&rows[r], command) && general == !rows[r].commands) print_row(file, &rows[r]);
}

void general_help(FILE *file) {
  fputs("Usage: psl COMMAND [OPTION...] FILE...\n"
        "       psl [OPTION...]\n"
        "\n"
        "Predicts the performance of a system from a model in PSL, the POEMS Specification Language.\n"
        "Without a command it is a session: at a terminal it asks for declarations, expressions and\n"
        "commands, from a pipe it reads them.\n"
        "\n"
        "Commands:\n",
        file);
  for (const struct command *command = commands; command->name; command++)
    fprintf(file, "  %-11s %s\n", command->name, command->summary);
  fputs("\nOptions of a session:\n", file);
  print_options(file, &session_command, false);
  fputs("\nOptions of every command:\n", file);
  print_options(file, NULL, true);
  fputs("\n"
        "'psl help COMMAND' lists the options of a command, 'psl help NAME' explains a name.\n"
        "\n"
        "PSL_PATH names the folder of the standard library where that is not found beside psl; PSL_DB names a\n"
        "database for psl db, and for models that are completed from one.\n"
        "Exit status: 0 fine; 1 the model is wrong or its run did not reach the end; 2 wrong usage.\n",
        file);
}

void command_help(FILE *file, const struct command *command) {
  fprintf(file, "Usage: psl %s %s%s\n\n", command->name, command->foreign ? "" : "[OPTION...] ", command->arguments);
  char summary[200];
  snprintf(summary, sizeof summary, "psl %s: %s.", command->name, command->summary);
  print_wrapped(file, summary, 0);
  if (command->text) print_wrapped(file, command->text, 0);
  if (command->foreign) return;
  fputs("\nOptions:\n", file);
  print_options(file, command, false);
  print_options(file, command, true);
}

/* ---- arguments of options ---- */

static const char *did_you_mean(const struct cli *cli, const char *prefix, const char *word,
                                const char *const *candidates, size_t count) {
  const char *nearest = psl_nearest(word, candidates, count);
  return nearest ? scope_printf(cli->scope, "did you mean '%s%s'?", prefix, nearest) : NULL;
}

static bool bad_argument(const struct cli *cli, const char *option, const char *given, const char *wanted) {
  const char *seeds = strcmp(option, "seed") ? NULL : seeds_meant(cli, given);
  const char *help = seeds ? seeds
                     : strcmp(option, "seed") || !word_listed("random auto time none", given)
                         ? NULL
                         : "of one seed a run is the same each time, and 'psl study FILE --repetitions N' runs with N "
                           "seeds; a shell has --seed $RANDOM";
  cli_error(cli, help, "--%s takes %s, not '%s'", option, wanted, shown(cli, given));
  return false;
}

/* One of `choices` (ended by NULL): its place. */
static bool read_choice(const struct cli *cli, const char *option, const char *given, const char *const *choices,
                        int *choice) {
  const char *wanted = "";
  size_t count = 0;
  while (choices[count])
    count++;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(choices[i], given) == 0) {
      *choice = (int)i;
      return true;
    }
    wanted = scope_printf(cli->scope, "%s%s%s", wanted, i == 0 ? "" : i + 1 < count ? ", " : " or ", choices[i]);
  }
  const char *help = habit_of_format(cli->command, option, given);
  if (!help) help = did_you_mean(cli, "", given, choices, count);
  cli_error(cli, help, "--%s takes %s, not '%s'", option, wanted, given);
  return false;
}

static bool read_count(const struct cli *cli, const char *option, const char *given, uint64_t *count) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(given, &end, 10);
  if (*given < '0' || *given > '9' || *end || errno) return bad_argument(cli, option, given, "a whole number");
  *count = value;
  return true;
}

struct unit_row {
  const char *name;
  double factor;
};

/* A number, blanks, one of the units; false if it is something else. */
static bool read_quantity(const char *given, const struct unit_row *units, double *value) {
  char *end;
  double number = strtod(given, &end);
  if (end == given || !isfinite(number) || number < 0) return false;
  while (*end == ' ')
    end++;
  for (; units->name; units++) {
    if (strcmp(units->name, end)) continue;
    *value = number * units->factor;
    return true;
  }
  return false;
}

static const struct unit_row time_units[] = {{"s", 1},    {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
                                             {"min", 60}, {"h", 3600},  {0}};
static const struct unit_row size_units[] = {{"", 1},
                                             {"byte", 1},
                                             {"B", 1},
                                             {"kB", 1e3},
                                             {"MB", 1e6},
                                             {"GB", 1e9},
                                             {"TB", 1e12},
                                             {"KiB", 1024},
                                             {"MiB", 1048576},
                                             {"GiB", 1073741824},
                                             {"TiB", 1099511627776},
                                             {"k", 1024},
                                             {"K", 1024},
                                             {"M", 1048576},
                                             {"G", 1073741824},
                                             {0}};
static const struct unit_row percent_units[] = {{"%", 0.01}, {"", 1}, {0}};

/* A part of a whole, as a percentage or as a number below 1; a plain 5 could be meant for 5 % or for 500 %, and 1 for
 * 1 % or for all. `most` is the greatest there is, `wanted` says what is taken. */
static bool read_share(struct cli *cli, const char *name, const char *given, double most, const char *wanted,
                       double *out) {
  static const struct unit_row bare[] = {{"", 1}, {0}};
  double number = 0;
  bool plain = read_quantity(given, bare, &number) && number >= 1;
  if (!plain && read_quantity(given, percent_units, out) && *out <= most) return true;
  const char *whole = number == 1 ? "'100%' or " : "";
  cli_error(cli,
            plain && number / 100 <= most ? scope_printf(cli->scope, "did you mean %s'%g%%'?", whole, number) : NULL,
            "--%s takes %s, not '%s'", name, wanted, shown(cli, given));
  return false;
}

static bool read_step(struct cli *cli, const char *given) {
  static const char wanted[] = "a percentage up to 100%, such as 5%";
  return read_share(cli, "step", given, 1, wanted, &cli->step) &&
         (cli->step > 0 || bad_argument(cli, "step", given, wanted));
}

/* Where a plot is drawn is known in the end: to a file, if there is one. */
static bool read_plot(struct cli *cli, const char *given) {
  if (is_picture(given)) return refuse_picture(cli, shown(cli, given));
  if (*given) cli->study.plot.what = given;
  if (!cli->plot_file) cli->study.plot.format = PSL_PLOT_TERMINAL;
  return true;
}

static bool read_plot_file(struct cli *cli, const char *given) {
  const char *format = format_named(given);
  if (!format || !word_listed("svg png pdf", format))
    return bad_argument(cli, "plot-file", given, "a file named .svg, .png or .pdf");
  cli->plot_file = given;
  cli->study.plot.format = strcmp(format, "png") ? PSL_PLOT_SVG : PSL_PLOT_PNG;
  return strcmp(format, "pdf") != 0 || picture_wanted(cli, "plot-file", given);
}

/* --set n 4, --set n:4, --set n==4: a '=' joins the two. Names of a processor's parameters have a ':'. */
static bool refuse_setting(const struct cli *cli, const char *given) {
  const char *between = word_listed("simulate", cli->command->name) ? "= \t" : "=: \t";
  size_t length = strcspn(given, between), behind = length + strspn(given + length, between);
  const char *name = length ? scope_copy(cli->scope, given, length) : "NAME";
  const char *value = given[length] && given[behind] ? given + behind : "VALUE";
  cli_error(cli, scope_printf(cli->scope, "it is written: --set '%s=%s'", shown(cli, name), shown(cli, value)),
            "--set takes NAME=VALUE, not '%s'", shown(cli, given));
  return false;
}

static bool read_setting(struct cli *cli, const char *given) {
  const char *equals = strchr(given, '='), *name = given + strspn(given, " ");
  if (!equals || equals <= name || equals[1] == '=') return refuse_setting(cli, given);
  if (settings_joined(cli, name, equals + 1)) return false;
  size_t length = (size_t)(equals - name);
  while (name[length - 1] == ' ')
    length--;
  struct cli_setting setting = {.name = scope_copy(cli->scope, name, length), .value = equals + 1};
  SCOPE_PUSH(cli->scope, cli->settings, cli->setting_count, cli->setting_capacity, setting);
  return true;
}

static bool read_processor(struct cli *cli, const char *given) {
  const char *equals = strchr(given, '=');
  if (!equals || equals == given) return bad_argument(cli, "processor", given, "NAME=VALUE");
  struct psl_simulation_setting setting = {scope_copy(cli->scope, given, (size_t)(equals - given)), equals + 1};
  SCOPE_PUSH(cli->scope, cli->processor, cli->processor_count, cli->processor_capacity, setting);
  return true;
}

/* workers=, workers=4,,8 */
static bool has_values(const struct cli *cli, const char *given, const char *values) {
  const char *kept = values_without_empty(cli, values);
  int name = (int)(values - given);
  bool comparing = strcmp(cli->command->name, "compare") == 0;
  if (!kept) return true;
  if (*kept)
    cli_error(cli, scope_printf(cli->scope, "write --vary '%.*s%s'", name, given, kept),
              "--vary has a value that is empty: '%s'", shown(cli, given));
  else
    cli_error(cli,
              scope_printf(cli->scope,
                           comparing ? "write --vary %.*sA,B,..., or --vary %.*s for all values that are known"
                                     : "write --vary %.*sA,B,... or --vary '%.*s=LOW..HIGH by STEP'",
                           name, given, name - 1, given),
              "--vary names no value: '%s'", shown(cli, given));
  return false;
}

static size_t trimmed(const char *text, size_t length) {
  while (length && text[length - 1] == ' ')
    length--;
  return length;
}

/* Values are split at commas outside brackets: analysis[LogGP],[1,2] is two. */
static bool read_vary(struct cli *cli, const char *given) {
  const char *equals = strchr(given, '=');
  size_t length = equals ? (size_t)(equals - given) : strlen(given), count = 0, capacity = 0;
  if (!length) return bad_argument(cli, "vary", given, "PARAM or PARAM=A,B,...");
  if (cli->compare.param) {
    cli_error(cli, "'psl study' takes several", "--vary is given twice; 'compare' varies one param");
    return false;
  }
  cli->compare.param = scope_copy(cli->scope, given, trimmed(given, length));
  if (!equals) return true;
  if (!has_values(cli, given, equals + 1) || range_meant(cli, given, equals + 1)) return false;
  const char **values = NULL, *begin = equals + 1;
  int depth = 0;
  for (const char *at = begin;; at++) {
    depth += strchr("[({", *at) && *at ? 1 : strchr("])}", *at) && *at ? -1 : 0;
    if (*at && (*at != ',' || depth > 0)) continue;
    const char *value = scope_copy(cli->scope, begin, (size_t)(at - begin));
    SCOPE_PUSH(cli->scope, values, count, capacity, value);
    if (!*at) break;
    begin = at + 1;
  }
  cli->compare.values = values;
  cli->compare.value_count = count;
  return true;
}

static bool read_item(struct cli *cli, const char *option, const char *given, int kind);

/* --vary 'workers,work=(4,10s),(8,20s)': of all points those whose values stand together. */
static bool read_axes_together(struct cli *cli, const char *given) {
  const char *params[AXES_TOGETHER], *values[AXES_TOGETHER], *condition;
  size_t count;
  if (!axes_together(cli, given, params, values, &count, &condition)) return false;
  for (size_t i = 0; i < count; i++) {
    struct psl_vary axis = {params[i], values[i]};
    SCOPE_PUSH(cli->scope, cli->axes, cli->axis_count, cli->axis_capacity, axis);
  }
  return read_item(cli, "vary", condition, PSL_ITEM_WHERE);
}

static bool read_axis(struct cli *cli, const char *given) {
  given += strspn(given, " ");
  const char *equals = strchr(given, '=');
  if (equals && memchr(given, ',', (size_t)(equals - given))) return read_axes_together(cli, given);
  size_t colon = equals ? 0 : strcspn(given, ":");
  const char *low = colon && given[colon] ? given + colon + 1 : NULL, *high = low ? strchr(low, ':') : NULL;
  if (high) {
    cli_error(cli,
              scope_printf(cli->scope, "a range is written --vary %.*s=%.*s..%s", (int)colon, given, (int)(high - low),
                           low, high + 1),
              "--vary takes PARAM=VALUES, not '%s'", given);
    return false;
  }
  if (!equals && *given) {
    const char *choices = param_choices(cli, given);
    const char *in = strstr(given, " in "), *name = in || strpbrk(given, ".,") ? "PARAM" : given;
    size_t word = strcspn(given, " ");
    const char *values = in ? in + strlen(" in ") : given + word; /* workers in 4..8, workers 4,8 */
    values += strspn(values, " ");
    const char *help =
        choices ? scope_printf(cli->scope, "did you mean '--vary %s=%s'?", given, choices)
        : in || isdigit((unsigned char)*values)
            ? scope_printf(cli->scope, "write --vary '%.*s=%s'", (int)(in ? (size_t)(in - given) : word), given, values)
            : scope_printf(cli->scope,
                           "with values: --vary %s=A,B,..., of a bool true,false; or --vary "
                           "'%s=LOW..HIGH by STEP'",
                           name, name);
    cli_error(cli, help, "--vary takes PARAM=VALUES, not '%s'", given);
    return false;
  }
  if (!equals || equals == given) return bad_argument(cli, "vary", given, "PARAM=VALUES");
  if (!has_values(cli, given, equals + 1)) return false;
  if (range_meant(cli, given, equals + 1)) return false;
  size_t length = trimmed(given, (size_t)(equals - given));
  const char *seeds = length == 4 && !strncmp(given, "seed", 4) ? seeds_meant(cli, equals + 1) : NULL;
  if (seeds && !param_meant(cli, "seed", NULL)) {
    cli_error(cli, seeds, "the seed is no param of the model: --vary '%s'", shown(cli, given));
    return false;
  }
  struct psl_vary axis = {scope_copy(cli->scope, given, length), equals + 1};
  SCOPE_PUSH(cli->scope, cli->axes, cli->axis_count, cli->axis_capacity, axis);
  return true;
}

static bool read_item(struct cli *cli, const char *option, const char *given, int kind) {
  struct psl_study_item item = {kind, given};
  if (!given[strspn(given, " \t")]) return bad_argument(cli, option, given, "what stands behind that word in a study");
  SCOPE_PUSH(cli->scope, cli->items, cli->study.item_count, cli->item_capacity, item);
  cli->study.items = cli->items;
  return true;
}

static bool read_repetitions(struct cli *cli, const char *given) {
  if (!read_count(cli, "repetitions", given, &cli->study.repetitions)) return false;
  return cli->study.repetitions || bad_argument(cli, "repetitions", given, "a number of 1 or more");
}

static bool add_run(struct cli *cli, int use, const char *arguments) {
  struct cli_run run = {.use = use, .arguments = arguments};
  SCOPE_PUSH(cli->scope, cli->runs, cli->run_count, cli->run_capacity, run);
  return true;
}

/* The run that an option belongs to: that which is named before it. */
static struct cli_run *run_before(const struct cli *cli, const char *option) {
  if (cli->run_count) return &cli->runs[cli->run_count - 1];
  cli_error(cli, "psl calibrate ... --arguments a.in --with n=256 --arguments b.in --with n=512 ...",
            "--%s belongs to a run, and stands behind its --arguments, --check or --at", option);
  return NULL;
}

static bool read_with(struct cli *cli, const char *given) {
  struct cli_run *run = run_before(cli, "with");
  if (!run) return false;
  if (!strchr(given, '=')) return bad_argument(cli, "with", given, "NAME=VALUE,...");
  SCOPE_PUSH(cli->scope, run->with, run->with_count, run->with_capacity, given);
  return true;
}

static bool read_input(struct cli *cli, const char *given) {
  struct cli_run *run = run_before(cli, "input");
  if (!run) return false;
  if (run->input) {
    cli_error(cli, NULL, "the run '%s' has its --input already", shown(cli, run->arguments));
    return false;
  }
  run->input = given;
  return true;
}

static bool read_max_firings(struct cli *cli, const char *given) {
  if (!read_count(cli, "max-firings", given, &cli->run.max_firings)) return false;
  return cli->run.max_firings || bad_argument(cli, "max-firings", given, "a number of 1 or more");
}

static bool read_processors(struct cli *cli, const char *option, const char *given, size_t *out) {
  bool digits = *given && strspn(given, "0123456789") == strlen(given);
  unsigned long long count = digits ? strtoull(given, NULL, 10) : 0;
  if (!digits || count > 1024)
    return bad_argument(cli, option, given, "a number from 1 to 1024, or 0 for one a processor");
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *out = count ? count : processors > 0 ? (size_t)processors : 1;
  return true;
}

static bool read_threads(struct cli *cli, const char *given) {
  const char *colon = strchr(given, ':'), *least = colon ? colon + 1 : "64";
  size_t length = strlen(least);
  cli->run.partition_ranks = strtoul(least, NULL, 10);
  if (length > 9 || strspn(least, "0123456789") < length || !cli->run.partition_ranks)
    return bad_argument(cli, "threads", given, "N, or N:RANKS, of which each simulates so many at least");
  return read_processors(cli, "threads", colon ? scope_copy(cli->scope, given, (size_t)(colon - given)) : given,
                         &cli->run.threads);
}

static bool read_against(struct cli *cli, const char *given) {
  const char *equals = strchr(given, '=');
  if (!equals && refuse_second_file(cli, given)) return false;
  if (!equals || equals == given) return bad_argument(cli, "against", given, "NAME=VALUE");
  struct cli_setting setting = {.name = scope_copy(cli->scope, given, (size_t)(equals - given)), .value = equals + 1};
  SCOPE_PUSH(cli->scope, cli->against, cli->against_count, cli->against_capacity, setting);
  return true;
}

static bool read_search(struct cli *cli, const char *given) {
  int choice;
  if (!read_choice(cli, "search", given, searches, &choice)) return false;
  cli->study.search = (enum psl_search)choice;
  return true;
}

static bool read_number(struct cli *cli, const char *option, const char *given, uint64_t most, size_t *number) {
  uint64_t count;
  if (!read_count(cli, option, given, &count)) return false;
  if (!count || count > most)
    return bad_argument(cli, option, given,
                        scope_printf(cli->scope, "a number from 1 to %llu", (unsigned long long)most));
  *number = count;
  return true;
}

static bool read_shown(struct cli *cli, const char *option, int what) {
  if (cli->recommend.what == PSL_RECOMMEND_CHOICES) {
    cli->recommend.what = what;
    return true;
  }
  cli_error(cli, "one of --data, --rules and --unseen", "--%s cannot stand beside what else is to be written", option);
  return false;
}

static bool read_format(struct cli *cli, const char *given) {
  int choice;
  cli->format = given;
  return read_choice(cli, "format", given, formats_of(cli->command), &choice);
}

/* A picture or a trace has one format, which the file's name must not deny. */
static bool read_file(struct cli *cli, const char *option, const char *given, const char *format, const char **file) {
  const char *named = format_named(given);
  *file = given;
  if (!named || strcmp(named, format) == 0) return true;
  return bad_argument(cli, option, given, scope_printf(cli->scope, "a file named .%s", format));
}

/* It is drawn as SVG, and converted where the file is named so. */
static bool read_timeline(struct cli *cli, const char *option, const char *given) {
  cli->timeline = given;
  if (picture_format(given)) return picture_wanted(cli, option, given);
  const char *named = format_named(given);
  return !named || !strcmp(named, "svg") || bad_argument(cli, option, given, "a file named .svg, .png or .pdf");
}

static bool read_trace_file(struct cli *cli, const char *option, const char *given) {
  cli->trace = given;
  const char *ending = strrchr(given, '.');
  if (ending && word_listed("trace tit ti goal otf2 dim", ending + 1)) {
    cli_error(cli,
              command_takes(cli->command, "record")
                  ? scope_printf(cli->scope, "'--record %s' keeps what the ranks do in that format", shown(cli, given))
                  : "a run of a program is kept in that format by --record, of psl replay and psl mpirun",
              "--trace takes a file named .json, .json.gz, .prv, .slices or .tasks, not '%s'", shown(cli, given));
    return false;
  }
  if (is_compressed(given)) return compression_possible(cli, option, given);
  const char *named = format_named(given);
  return is_paraver(given) || is_slices(given) || is_tasks(given) || !named || !strcmp(named, "json") ||
         bad_argument(cli, option, given, "a file named .json, .json.gz, .prv, .slices or .tasks");
}

/* The least is what makes sense, the most what the library takes. */
static bool read_fit_count(struct cli *cli, const char *option, const char *given, uint64_t least, uint64_t most,
                           unsigned *out) {
  uint64_t count;
  if (!read_count(cli, option, given, &count)) return false;
  *out = (unsigned)count;
  return (count >= least && count <= most) ||
         bad_argument(cli, option, given,
                      scope_printf(cli->scope, "a number from %llu to %llu", (unsigned long long)least,
                                   (unsigned long long)most));
}

static bool read_confidence(struct cli *cli, const char *given) {
  static const char wanted[] = "a percentage from 1% and below 100%, such as 95%";
  double *level = &cli->fit.level;
  if (!read_share(cli, "confidence", given, 1, wanted, level)) return false;
  return (*level >= 0.01 && *level < 1) || bad_argument(cli, "confidence", given, wanted);
}

static bool read_size(struct cli *cli, const char *given) {
  double size;
  if (!read_quantity(given, size_units, &size) || size < 1 || size > 0x1p62)
    return bad_argument(cli, "max-memory", given, "a size such as 512MiB");
  cli->options.max_memory = (size_t)size;
  return true;
}

static bool read_instances(struct cli *cli, const char *given) {
  uint64_t count;
  if (!read_count(cli, "max-instances", given, &count)) return false;
  if (!count || count > 1000000) return bad_argument(cli, "max-instances", given, "a number from 1 to 1000000");
  cli->max_instances = count;
  return true;
}

static bool read_depth(struct cli *cli, const char *given) {
  uint64_t count;
  if (!read_count(cli, "depth", given, &count)) return false;
  if (!count || count > 1000000000) return bad_argument(cli, "depth", given, "a number from 1 to 1000000000");
  cli->why.depth = count;
  return true;
}

static bool read_moment(const struct cli *cli, const char *option, const char *given, double *out) {
  return (read_quantity(given, time_units, out) && *out > 0) ||
         bad_argument(cli, option, given, "a time above 0 in ns, us, ms, s, min or h, such as 250ms");
}

static bool read_ranks(struct cli *cli, const char *given) {
  bool digits = *given && strspn(given, "0123456789") == strlen(given);
  unsigned long long count = digits ? strtoull(given, NULL, 10) : 0;
  if (!count || count > 100000) {
    cli_error(cli, NULL, "-n takes a number of ranks from 1 to 100000, not '%s'", given);
    return false;
  }
  cli->ranks = (unsigned)count;
  return true;
}

static bool refuse_ranks(const struct cli *cli, const char *given) {
  cli_error(cli, scope_printf(cli->scope, "did you mean '-n %s'?", given),
            "--ranks says where ranks are, not how many");
  return false;
}

static bool read_distances(struct cli *cli, const char *given) {
  uint64_t one_of = 1;
  if (*given && !read_count(cli, "distances", given, &one_of)) return false;
  if (!one_of || one_of > 1000000) return bad_argument(cli, "distances", given, "a number from 1 to 1000000");
  cli->signature.distances = one_of;
  return true;
}

static bool read_chains(struct cli *cli, const char *given) {
  uint64_t window = 256;
  if (*given && !read_count(cli, "chains", given, &window)) return false;
  if (!window || window > 65536) return bad_argument(cli, "chains", given, "a number from 1 to 65536");
  cli->signature.chains = window;
  return true;
}

static bool read_by(const struct cli *cli, const struct option_row *row, const char *given) {
  if (!strcmp(given, row->argument)) return true;
  cli_error(cli, "it adds a row for each process, of whatever component", "--%s takes %s, not '%s'", row->name,
            row->argument, given);
  return false;
}

static bool take_option(struct cli *cli, const struct option_row *row, const char *given) {
  int choice;
  switch (row->id) {
  case OPTION_SET: return read_setting(cli, given);
  case OPTION_PARAMS_FILE: return params_read(cli, given);
  case OPTION_INCLUDE:
    SCOPE_PUSH(cli->scope, cli->folders, cli->folder_count, cli->folder_capacity, given);
    return true;
  case OPTION_VERTICAL: return read_format(cli, "vertical");
  case OPTION_FORMAT: return read_format(cli, given);
  case OPTION_OUTPUT: cli->output = given; return true;
  case OPTION_MODEL: cli->model = given; return true;
  case OPTION_DIMEMAS: cli->dimemas = given; return true;
  case OPTION_PLATFORM: cli->platform = given; return true;
  case OPTION_BY: return read_by(cli, row, given) && (cli->report.by_rank = true);
  case OPTION_TIMING: return cli->report.timing = true;
  case OPTION_PROFILE: return cli->run.profile = true;
  case OPTION_TRACE: cli->run.trace = true; return read_trace_file(cli, row->name, given);
  case OPTION_TIMELINE: cli->run.trace = true; return read_timeline(cli, row->name, given);
  case OPTION_VARY: return strcmp(cli->command->name, "compare") ? read_axis(cli, given) : read_vary(cli, given);
  case OPTION_REPORT: return read_item(cli, row->name, given, PSL_ITEM_REPORT);
  case OPTION_MINIMIZE: return read_item(cli, row->name, given, PSL_ITEM_MINIMIZE);
  case OPTION_MAXIMIZE: return read_item(cli, row->name, given, PSL_ITEM_MAXIMIZE);
  case OPTION_ASSERT: return read_item(cli, row->name, given, PSL_ITEM_ASSERT);
  case OPTION_BEST: return cli->study.best = true;
  case OPTION_PARETO: return cli->study.pareto = true;
  case OPTION_JOBS: return read_processors(cli, "jobs", given, &cli->study.jobs);
  case OPTION_DATABASE:
    cli->database = given;
    if (word_listed("replay study recommend plot", cli->command->name)) cli->study.database = given;
    return database_meant(cli, given);
  case OPTION_FROM_DATABASE: return cli->options.search = true;
  case OPTION_KIND: cli->entry.kind = given; return true;
  case OPTION_NOTE: cli->entry.description = given; return true;
  case OPTION_ATTRIBUTES: cli->entry.attributes = given; return true;
  case OPTION_REPLACE: return cli->entry.replace = true;
  case OPTION_REPETITIONS: return read_repetitions(cli, given);
  case OPTION_POINT: cli->page.chosen = true; return read_count(cli, row->name, given, &cli->page.point);
  case OPTION_LIST: return cli->list = true;
  case OPTION_PLOT: return read_plot(cli, given);
  case OPTION_PLOT_FILE: return read_plot_file(cli, given);
  case OPTION_DRY_RUN: return cli->study.dry_run = true;
  case OPTION_SEARCH: return read_search(cli, given);
  case OPTION_EVALUATIONS: return read_number(cli, row->name, given, 1000000, &cli->study.evaluations);
  case OPTION_AGAINST: return read_against(cli, given);
  case OPTION_TERMS:
    SCOPE_PUSH(cli->scope, cli->fit_terms, cli->fit.terms_count, cli->fit_terms_capacity, given);
    cli->fit.terms = cli->fit_terms;
    return true;
  case OPTION_RELATIVE: return cli->fit.relative = true;
  case OPTION_ABSOLUTE: return cli->fit.absolute = true;
  case OPTION_WHERE:
    if (cli->command->run != command_fit) return read_item(cli, row->name, given, PSL_ITEM_WHERE);
    cli->fit.where = given;
    return true;
  case OPTION_LOG: return cli->fit.log = true;
  case OPTION_PARAMS: cli->fit.parameters = given; return true;
  case OPTION_COLUMN: cli->fit.column = given; return true;
  case OPTION_REGION: cli->fit.region = given; return true;
  case OPTION_METRIC: cli->fit.metric = given; return true;
  case OPTION_UNIT: cli->fit.unit = given; return true;
  case OPTION_NAME:
    cli->fit.name = cli->study.name = given;
    return *given || bad_argument(cli, row->name, given, "a name");
  case OPTION_GOAL: return read_item(cli, row->name, given, PSL_ITEM_GOAL);
  case OPTION_CASES: return read_shown(cli, row->name, PSL_RECOMMEND_DATA);
  case OPTION_LEARNT: return read_shown(cli, row->name, PSL_RECOMMEND_RULES);
  case OPTION_UNSEEN:
    return read_shown(cli, row->name, PSL_RECOMMEND_UNSEEN) &&
           (!*given || read_number(cli, row->name, given, 100000, &cli->recommend.unseen));
  case OPTION_RUNS: return read_number(cli, row->name, given, 1000000, &cli->recommend.runs);
  case OPTION_CHOICES: return read_number(cli, row->name, given, 1000, &cli->recommend.choices);
  case OPTION_NEGATIVE: return cli->fit.negative = true;
  case OPTION_MAX_TERMS: return read_fit_count(cli, row->name, given, 1, 4, &cli->fit.max_terms);
  case OPTION_FIT_TABLE:
    if (!read_choice(cli, row->name, given, fit_tables, &choice)) return false;
    cli->fit.table = (enum psl_fit_table)choice;
    return true;
  case OPTION_FOLDS: return read_fit_count(cli, row->name, given, 2, 100, &cli->fit.folds);
  case OPTION_PROCESS: cli->why.process = cli->derive.process = given; return true;
  case OPTION_SECTION:
    cli->derive.section = given;
    return *given || bad_argument(cli, row->name, given, "a label or the number of a line");
  case OPTION_RANGE:
    SCOPE_PUSH(cli->scope, cli->derive_ranges, cli->derive.range_count, cli->derive_range_capacity, given);
    cli->derive.ranges = cli->derive_ranges;
    return true;
  case OPTION_OF_MEMORY:
    SCOPE_PUSH(cli->scope, cli->derive_memory, cli->derive.memory_count, cli->derive_memory_capacity, given);
    cli->derive.memory = cli->derive_memory;
    return true;
  case OPTION_DECIDE: return cli->derive.decide = true;
  case OPTION_VERIFY: return cli->verify = true;
  case OPTION_DEPTH: return read_depth(cli, given);
  case OPTION_AT:
    if (cli->command->run == command_why) return read_moment(cli, row->name, given, &cli->why.at);
    SCOPE_PUSH(cli->scope, cli->fit_at, cli->fit.at_count, cli->fit_at_capacity, given);
    cli->fit.at = cli->fit_at;
    return true;
  case OPTION_CONFIDENCE: return read_confidence(cli, given);
  case OPTION_STEP: return read_step(cli, given);
  case OPTION_OF:
    cli->figure = given;
    return given[strspn(given, " \t")] || bad_argument(cli, row->name, given, "a figure, as a study reports it");
  case OPTION_LEAST:
    return read_share(cli, row->name, given, 1, "a percentage up to 100%, such as 5%", &cli->least) &&
           (cli->least > 0 || bad_argument(cli, row->name, given, "a percentage up to 100%, such as 5%"));
  case OPTION_TOLERANCE:
    return read_share(cli, row->name, given, INFINITY, "a percentage such as 7%", &cli->compare.tolerance);
  case OPTION_SEED: cli->study.seeded = true; return read_count(cli, row->name, given, &cli->run.seed);
  case OPTION_THREADS: return read_threads(cli, given);
  case OPTION_MAX_FIRINGS: return read_max_firings(cli, given);
  case OPTION_MAX_TIME: return read_moment(cli, row->name, given, &cli->run.max_time);
  case OPTION_WARM_UP:
    return read_quantity(given, time_units, &cli->run.warm_up) ||
           bad_argument(cli, row->name, given, "a time in ns, us, ms, s, min or h, such as 100s");
  case OPTION_MAX_MEMORY: return read_size(cli, given);
  case OPTION_ALLOW_NATIVE: native_watch(); return cli->options.allow_native = true;
  case OPTION_ALLOW_READ:
    SCOPE_PUSH(cli->scope, cli->readable, cli->readable_count, cli->readable_capacity, given);
    return true;
  case OPTION_REFERENCE: return cli->run.reference = true;
  case OPTION_DENY_LOSSY: return cli->run.deny_lossy = true;
  case OPTION_SYSTEM: cli->system = given; return true;
  case OPTION_ACTIVITY: return cli->activity = true;
  case OPTION_RULES: cli->rules = given; return true;
  case OPTION_TOOLBAR: cli->toolbar = given; return true;
  case OPTION_DYNAMIC: return cli->dynamic = true;
  case OPTION_CONDENSE: return cli->condense = true;
  case OPTION_STATIC: return cli->static_graph = true;
  case OPTION_MAX_INSTANCES: return read_instances(cli, given);
  case OPTION_CHECK: return cli->check_only = true;
  case OPTION_WRITE: return cli->write_back = true;
  case OPTION_VERBOSE: return cli->options.verbose = true;
  case OPTION_SPANS: return cli->spans = true;
  case OPTION_NUMBER: return read_ranks(cli, given);
  case OPTION_RANKS:
    if (*given >= '0' && *given <= '9') return refuse_ranks(cli, given);
    return read_choice(cli, row->name, given, ranks, &choice) && (cli->inside = choice == 1, true);
  case OPTION_COSTS: return read_choice(cli, row->name, given, row->choices, &cli->costs);
  case OPTION_FUNCTION:
    SCOPE_PUSH(cli->scope, cli->functions, cli->function_count, cli->function_capacity, given);
    return true;
  case OPTION_FOR: return read_moment(cli, row->name, given, &cli->attached_for);
  case OPTION_LISTEN: return cli->listen = given, true;
  case OPTION_PROCESSOR: return read_processor(cli, given);
  case OPTION_RECORD: cli->record = given; return true;
  case OPTION_LAUNCHER: cli->launcher = given; return true;
  case OPTION_FROM: cli->from = given; return true;
  case OPTION_TABLE: return read_file(cli, row->name, given, "csv", &cli->table);
  case OPTION_MEMORY: return cli->memory = true;
  case OPTION_CACHES:
    SCOPE_PUSH(cli->scope, cli->caches, cli->signature.cache_count, cli->cache_capacity, given);
    cli->signature.caches = cli->caches;
    return true;
  case OPTION_SHAPE: return add_run(cli, RUN_FITTED, given);
  case OPTION_CHECK_RUN: return add_run(cli, RUN_CHECKED, given);
  case OPTION_FORETOLD: return add_run(cli, RUN_FORETOLD, given);
  case OPTION_WITH: return read_with(cli, given);
  case OPTION_INPUT: return read_input(cli, given);
  case OPTION_COMPILER: cli->compiler = given; return true;
  case OPTION_INSTRUMENT: return cli->instrumented = true;
  case OPTION_COMPILE_REPORT: return cli->source_report = true;
  case OPTION_WHY: cli->variable = given; return true;
  case OPTION_ASSUME:
    SCOPE_PUSH(cli->scope, cli->assumed, cli->assumed_count, cli->assumed_capacity, given);
    return true;
  case OPTION_ITERATIONS:
    SCOPE_PUSH(cli->scope, cli->iterations, cli->iterations_count, cli->iterations_capacity, given);
    return true;
  case OPTION_SLICED: return cli->sliced = true;
  case OPTION_KEEP: SCOPE_PUSH(cli->scope, cli->kept, cli->kept_count, cli->kept_capacity, given); return true;
  case OPTION_BURSTS: return (cli->signature.bursts = true);
  case OPTION_CHAINS: return read_chains(cli, given);
  case OPTION_DISTANCES: return read_distances(cli, given);
  case OPTION_NO_BROWSER: return cli->no_browser = true;
  case OPTION_EXPRESSION:
    SCOPE_PUSH(cli->scope, cli->expressions, cli->expression_count, cli->expression_capacity, given);
    return true;
  case OPTION_LOAD: cli->load = given; return true;
  case OPTION_KEEP_GOING: return cli->keep_going = true;
  case OPTION_NO_RC: return cli->no_rc = true;
  case OPTION_QUIET: return cli->quiet = true;
  case OPTION_ERROR_FORMAT:
    if (!read_choice(cli, row->name, given, error_formats, &choice)) return false;
    cli->options.diagnostic_format = (enum psl_diagnostic_format)choice;
    return true;
  case OPTION_COLOR:
    if (!read_choice(cli, row->name, given, colors, &choice)) return false;
    cli->color = choice;
    cli->options.diagnostic_color = cli_color(choice, STDERR_FILENO);
    return true;
  case OPTION_HELP: return cli->help = true;
  case OPTION_VERSION: return cli->version = true;
  }
  return false;
}

/* Each adds to those before; of how much is said and how much is taken up the last one counts, as wrappers want it. */
static bool may_repeat(const struct cli *cli, const struct option_row *row) {
  switch (row->id) {
  case OPTION_WHERE: return cli->command->run != command_fit;
  case OPTION_PARAMS_FILE:
  case OPTION_VARY:
  case OPTION_REPORT:
  case OPTION_MINIMIZE:
  case OPTION_MAXIMIZE:
  case OPTION_ASSERT:
  case OPTION_PLOT:
  case OPTION_TERMS:
  case OPTION_JOBS:
  case OPTION_MAX_MEMORY:
  case OPTION_ERROR_FORMAT:
  case OPTION_COLOR: return true;
  default: return !row->argument || strstr(row->help, "repeatable");
  }
}

/* One value would be lost. */
static bool given_twice(struct cli *cli, const struct option_row *row, const char *given) {
  const char *before = cli->given[row->id], *hint = NULL;
  cli->given[row->id] = given;
  if (may_repeat(cli, row) || !before || strcmp(before, given) == 0) return false;
  if (row->id == OPTION_WHERE) hint = scope_printf(cli->scope, "write --where '(%s) and (%s)'", before, given);
  if (row->id == OPTION_PARAMS) hint = scope_printf(cli->scope, "write --params %s,%s", before, given);
  cli_error(cli, hint, "--%s is given twice, '%s' and '%s'", row->name, before, given);
  return true;
}

/* ---- the line ---- */

/* The row of --name or -letter for this command; else one of another command; NULL: none at all. */
static const struct option_row *find_row(const struct command *command, const char *name, size_t length, char letter) {
  const struct option_row *other = NULL;
  for (size_t r = 0; r < ROWS; r++) {
    bool same =
        name ? strlen(rows[r].name) == length && strncmp(rows[r].name, name, length) == 0 : rows[r].letter == letter;
    if (same && row_applies(&rows[r], command)) return &rows[r];
    if (same) other = &rows[r];
  }
  return other;
}

bool command_takes(const struct command *command, const char *option) {
  const struct option_row *row = find_row(command, option, strlen(option), 0);
  return row && row_applies(row, command);
}

bool option_find(const struct command *command, const char *word, struct option_shape *shape) {
  bool is_long = word[1] == '-';
  const struct option_row *row =
      find_row(command, is_long ? word + 2 : NULL, is_long ? strcspn(word + 2, "=") : 1, word[1]);
  if (!row || !row_applies(row, command)) return false;
  *shape = shape_of(row);
  return true;
}

/* --json where that is a format of the command. */
static const char *format_meant(const struct cli *cli, const char *name) {
  const char *const *formats = cli->command == &session_command ? NULL : formats_of(cli->command);
  if (word_listed(JSONL_WORDS, name)) name = "jsonl";
  for (; formats && *formats; formats++)
    if (!strcmp(*formats, name)) return scope_printf(cli->scope, "did you mean '--format %s'?", name);
  return NULL;
}

/* --by-rank: an option and one of the words that it may be. */
static const char *choice_joined(const struct cli *cli, const char *name) {
  for (size_t r = 0; r < ROWS; r++) {
    size_t length = strlen(rows[r].name);
    if (!rows[r].choices || strncmp(rows[r].name, name, length) != 0 || name[length] != '-') continue;
    for (const char *const *choice = rows[r].choices; row_applies(&rows[r], cli->command) && *choice; choice++)
      if (!strcmp(*choice, name + length + 1))
        return scope_printf(cli->scope, "did you mean '--%s %s'?", rows[r].name, *choice);
  }
  return NULL;
}

/* --set workers=4 as one word, which a shell makes of it in quotes. */
static bool refuse_joined(const struct cli *cli, const char *word) {
  cli_error(cli,
            scope_printf(cli->scope, "its value is a word of its own: %.*s '%s'", (int)strcspn(word, " "), word,
                         shown(cli, word + strcspn(word, " ") + 1)),
            "no option is named '%s'", shown(cli, word));
  return false;
}

/* The first option that begins so, with its value where that is known: -platform cluster.xml, --out. */
static const char *begun(const struct cli *cli, const char *name, const char *equals, const char *value) {
  for (size_t r = 0; name[0] && name[1] && r < ROWS; r++) {
    if (!row_applies(&rows[r], cli->command) || strncmp(rows[r].name, name, strlen(name)) != 0) continue;
    const char *given = equals ? equals : rows[r].argument && *rows[r].argument != '[' && value ? value : "";
    const char *quote = strpbrk(given, " []()*;&|<>$") ? "'" : "";
    return scope_printf(cli->scope, *quote ? "did you mean --%s%s%s%s%s?" : "did you mean '--%s%s%s%s%s'?",
                        rows[r].name, equals || !*given ? "" : " ", quote, shown(cli, given), quote);
  }
  return NULL;
}

static bool unknown_option(const struct cli *cli, const char *word, const char *value) {
  const char *names[ROWS];
  size_t count = 0;
  if (word[1] == '-' && strchr(word, ' ') && strcspn(word, " ") < strcspn(word, "=")) return refuse_joined(cli, word);
  for (size_t r = 0; r < ROWS; r++)
    if (row_applies(&rows[r], cli->command)) names[count++] = rows[r].name;
  const char *shown = scope_copy(cli->scope, word, strcspn(word, "=")), *name = shown + strspn(shown, "-");
  const char *help = word[1] == '-' ? format_meant(cli, name) : begun(cli, name, strchr(word, '='), value);
  const char *equals = strchr(word, '='), *given = equals ? equals + 1 : word[1] == '-' ? value : NULL;
  if (given && names_model(given)) given = NULL;
  if (!help) help = choice_joined(cli, name);
  if (!help) help = habit_of_study(cli, name, given);
  if (!help) help = param_meant(cli, name, given);
  if (!help) help = option_renamed(cli, name, given);
  if (!help) help = habit_of_setting(cli, name, value);
  if (!help) help = habit_of_option(cli->command, scope_copy(cli->scope, name, *name == 'D' ? 1 : strlen(name)));
  if (!help && name[0] && name[1]) help = did_you_mean(cli, "--", name, names, count); /* a letter is near to nothing */
  if (!help) help = begun(cli, name, NULL, NULL);
  if (!help && given && cli->command != &session_command) help = params_known(cli, name, given);
  if (!help && word[strlen(shown)] && cli->command != &session_command && command_takes(cli->command, "set"))
    help = scope_printf(cli->scope, "a param is given a value by --set %s", word + strspn(word, "-"));
  if (!help && (!strcmp(name, "i") || !strcmp(name, "in-place")) && command_takes(cli->command, "write"))
    help = "did you mean '-w'? It writes the files back";
  if (!help && command_find(name)) help = scope_printf(cli->scope, "did you mean 'psl %s'?", name);
  if (!help && cli->command != &session_command)
    help = scope_printf(cli->scope, "%s'psl help %s' lists its options",
                        command_takes(cli->command, "set") ? "a param is given a value by --set NAME=VALUE; " : "",
                        cli->command->name);
  cli_error(cli, help, "no option is named '%s'", shown);
  return false;
}

/* -set for --set, -hostfile: the name of an option, of psl or of another program, behind a single dash. */
static bool lacks_dash(const struct cli *cli, const char *word) {
  size_t length = strcspn(word + 1, "=");
  const char *name = scope_copy(cli->scope, word + 1, length);
  if (length < 2) return false;
  const struct option_row *letter = find_row(cli->command, NULL, 1, *name);
  bool taken = letter && row_applies(letter, cli->command);
  return (length > 2 && find_row(cli->command, name, length, 0)) || habit_of_option(cli->command, name) ||
         (!taken && begun(cli, name, NULL, NULL));
}

/* As launchers of MPI have it. */
static bool is_number_of_ranks(const struct cli *cli, const char *word) {
  return strcmp(word, "-np") == 0 && command_takes(cli->command, "number");
}

/* The commands that take an option of that name, or of that letter, over all its rows. */
static const char *takers(const struct cli *cli, const struct option_row *row, bool is_long) {
  const char *text = "";
  for (size_t r = 0; r < ROWS; r++)
    if (is_long ? strcmp(rows[r].name, row->name) == 0 : rows[r].letter == row->letter)
      text = scope_printf(cli->scope, "%s%s%s", text, *text ? " " : "", rows[r].commands);
  return text;
}

static bool misplaced_option(const struct cli *cli, const struct option_row *row, bool is_long, const char *value) {
  const char *name = is_long ? scope_printf(cli->scope, "--%s", row->name)
                             : scope_printf(cli->scope, "-%c, --%s", row->letter, row->name);
  const char *meant = row->id == OPTION_NUMBER ? "n" : is_long ? row->name : NULL;
  const char *setting = meant ? param_meant(cli, meant, value) : NULL;
  if (meant && !setting) setting = habit_of_setting(cli, meant, value);
  if (cli->command == &session_command)
    cli_error(cli,
              is_long && command_find(row->name) ? scope_printf(cli->scope, "did you mean 'psl %s'?", row->name)
                                                 : "it stands after the command's name",
              "%s is not an option of psl itself", name);
  else if (row->id == OPTION_OUTPUT && command_takes(cli->command, "plot-file"))
    cli_error(cli, "it writes a picture by --plot-file FILE.svg", "'%s' takes no option %s", cli->command->name, name);
  else if (cli->command->run == command_diff && word_listed("model dimemas platform", row->name))
    cli_error(cli, "'psl replay TRACE' takes it, and by --record FILE it makes what 'psl diff TRACE FILE' compares",
              "'diff' takes no option %s", name);
  else if (cli->command->run == command_report && word_listed(STUDIED, row->name))
    cli_error(cli,
              scope_printf(cli->scope,
                           "a page shows a study as it was run; '%s%s%s%s' is for 'psl study FILE --db FILE.db'",
                           is_long ? "--" : "-", is_long ? row->name : (const char[]){row->letter, 0},
                           row->argument ? " " : "", row->argument ? row->argument : ""),
              "'report' takes no option %s", name);
  else if (habit_of_own(cli->command, row->name))
    cli_error(cli, habit_of_own(cli->command, row->name), "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_WHERE)
    cli_error(cli, "'psl study' leaves points out by --where CONDITION, a study in a model by 'where CONDITION;'",
              "'%s' takes no option %s", cli->command->name, name);
  else if (setting)
    cli_error(cli, setting, "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_RANKS || row->id == OPTION_NUMBER)
    cli_error(cli, habit_of_option(cli->command, "ranks"), "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_PARAMS && command_takes(cli->command, "set"))
    cli_error(cli,
              scope_printf(cli->scope, "a param is given a value by --set %s",
                           value && strchr(value, '=') ? value : "NAME=VALUE"),
              "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_VARY && command_takes(cli->command, "step"))
    cli_error(cli,
              "it moves each param by --step PERCENT; 'psl study FILE --vary PARAM=A,B,...' runs points of a range",
              "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_RUNS && habit_of_option(cli->command, "runs"))
    cli_error(cli, habit_of_option(cli->command, "runs"), "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_MODEL && cli->command->run == command_fit)
    cli_error(cli, habit_of_option(cli->command, "model"), "'%s' takes no option %s", cli->command->name, name);
  else if (row->id == OPTION_VARY && command_takes(cli->command, "record"))
    cli_error(cli, "'psl mpirun --record FILE' keeps a trace, which 'psl replay FILE --vary PARAM=A,B,...' runs again",
              "'%s' takes no option %s", cli->command->name, name);
  else
    cli_error(cli,
              row->commands[0] ? scope_printf(cli->scope, "these commands take it: %s", takers(cli, row, is_long))
                               : "it is for psl without a command",
              "'%s' takes no option %s", cli->command->name, name);
  return false;
}

/* The word in capitals of what it takes: FILE of FILE.svg. */
static const char *row_kind(const struct cli *cli, const struct option_row *row) {
  return scope_copy(cli->scope, row->argument, strcspn(row->argument, ".="));
}

static bool is_option(const struct cli *cli, const char *word) {
  bool is_long = word[0] == '-' && word[1] == '-';
  if (word[0] != '-' || !word[1] || (!is_long && word[2])) return false;
  return find_row(cli->command, is_long ? word + 2 : NULL, is_long ? strcspn(word + 2, "=") : 1, word[1]);
}

static bool lacks_file(const struct cli *cli, const struct option_row *row, const char *given) {
  cli_error(cli, scope_printf(cli->scope, "'%s' is an option; a file of that name is written ./%s", given, given),
            "--%s needs a value: %s", row->name, row->argument);
  return false;
}

static bool read_option(struct cli *cli, char **words, int count, int *at) {
  const char *word = words[*at], *given = NULL;
  const char *compilers = habit_of_compiler(cli, word);
  if (compilers) {
    cli_error(cli, compilers, "no option is named '%s'", shown(cli, word));
    return false;
  }
  if (is_number_of_ranks(cli, word)) word = "-n";
  bool is_long = word[1] == '-';
  size_t length = is_long ? strcspn(word + 2, "=") : 1;
  const char *behind = word[is_long ? 2 + length : 2]                ? word + (is_long ? 3 + length : 2)
                       : *at + 1 < count && words[*at + 1][0] != '-' ? words[*at + 1]
                                                                     : NULL;
  if (!is_long && lacks_dash(cli, word)) return unknown_option(cli, word, *at + 1 < count ? words[*at + 1] : NULL);
  const struct option_row *row = find_row(cli->command, is_long ? word + 2 : NULL, length, word[1]);
  if (!row) return unknown_option(cli, word, behind);
  if (!row_applies(row, cli->command)) return misplaced_option(cli, row, is_long, behind);
  const char *rest = is_long ? word + 2 + length : word + 2;
  if (is_long && *rest == '=')
    given = rest + 1;
  else if (!is_long && *rest)
    given = rest;
  const char *objectives = row->id != OPTION_PARETO ? NULL : given ? given : behind;
  if (!row->argument && (given || (objectives && strchr(objectives, ',')))) {
    cli_error(cli, objectives ? objectives_meant(cli, objectives) : NULL, "--%s takes no value", row->name);
    return false;
  }
  if (row->argument && *row->argument != '[' && !given) {
    if (*at + 1 >= count) {
      cli_error(cli, NULL, "--%s needs a value: %s", row->name, row->argument);
      return false;
    }
    given = words[++*at];
    if (word_listed("FILE FOLDER", row_kind(cli, row)) && is_option(cli, given)) return lacks_file(cli, row, given);
  }
  if (row->id == OPTION_PLOT && !given && *at + 1 < count && words[*at + 1][0] != '-')
    cli->behind_plot = words[*at + 1];
  if (cli->command == &session_command && row->commands) cli->early = row->name;
  if (given_twice(cli, row, given ? given : "")) return false;
  return take_option(cli, row, given ? given : "");
}

const char *command_meant(const struct cli *cli, const char *word) {
  const char *names[32], *asked = cli->command && !strcmp(cli->command->name, "help") ? "psl help " : "psl ";
  size_t count = 0;
  for (const struct command *command = commands; command->name && count < 32; command++)
    names[count++] = command->name;
  const char *hint = names_model(word) ? scope_printf(cli->scope, "did you mean 'psl run %s'?", word)
                                       : did_you_mean(cli, asked, word, names, count);
  if (!hint) hint = habit_of_command(word);
  return hint ? hint : file_habit(cli, word);
}

int unknown_command(const struct cli *cli, const char *word) {
  const char *hint = command_meant(cli, word);
  cli_error(cli, hint ? hint : "'psl --help' lists the commands", "no command is named '%s'", word);
  return EXIT_USAGE;
}

const char *words_joined(const struct cli *cli, size_t first) {
  const char *text = NULL;
  for (size_t i = first; i < cli->argument_count; i++)
    text = text ? scope_printf(cli->scope, "%s %s", text, cli->arguments[i]) : cli->arguments[i];
  return text;
}

static bool read_command(struct cli *cli, const char *word) {
  const struct command *command = command_find(word);
  if (cli->early) {
    const char *help = "it stands after the command's name";
    if (!command && command_find(cli->early))
      help = scope_printf(cli->scope, "did you mean 'psl %s'?", cli->early);
    else if (!command)
      help = scope_printf(cli->scope, "a session loads a model by --load %s", word);
    cli_error(cli, help, command ? "--%s is not an option of psl itself" : "--%s stands before no command", cli->early);
    return false;
  }
  cli->command = command;
  return cli->command || unknown_command(cli, word) == EXIT_FINE;
}

bool options_same_param(const char *a, const char *b) {
  const char *a_last = strrchr(a, '.'), *b_last = strrchr(b, '.');
  if (a_last && b_last) return strcmp(a, b) == 0;
  return strcmp(a_last ? a_last + 1 : a, b_last ? b_last + 1 : b) == 0;
}

/* How errors are said holds for errors in any other option, wherever it stands. */
static void read_error_options(struct cli *cli, int count, char **words) {
  if (!cli->session) cli->options.diagnostic_color = cli_color(0, STDERR_FILENO);
  cli->options.diagnostic_columns = isatty(STDERR_FILENO) ? terminal_columns(STDERR_FILENO) : 0;
  for (int at = 1; at < count; at++) {
    if (strcmp(words[at], "--error-format=json") == 0 ||
        (strcmp(words[at], "--error-format") == 0 && at + 1 < count && strcmp(words[at + 1], "json") == 0))
      cli->options.diagnostic_format = PSL_JSON_LINES;
    if (strcmp(words[at], "--color=never") == 0) cli->options.diagnostic_color = false;
  }
}

bool names_program(const struct cli *cli) {
  const struct command *command = cli->command;
  return command->program && !(command->actions && word_listed(command->actions, cli->arguments[0]));
}

int options_read(struct cli *cli, int count, char **words) {
  bool only_arguments = false;
  cli->words = words;
  cli->word_count = count;
  cli->arguments = SCOPE_ARRAY(cli->scope, const char *, count);
  if (!cli->session) cli->command = &session_command; /* till a word says otherwise */
  read_error_options(cli, count, words);
  for (int at = 1; at < count; at++) {
    const char *word = words[at];
    bool good = true;
    if (!only_arguments && strcmp(word, "--") == 0)
      only_arguments = true;
    else if (!only_arguments && word[0] == '-' && word[1])
      good = read_option(cli, words, count, &at);
    else if (!cli->command || cli->command == &session_command)
      good = read_command(cli, word);
    else
      cli->arguments[cli->argument_count++] = word;
    only_arguments |= (cli->argument_count && names_program(cli)) || (cli->command && cli->command->foreign);
    if (!good) return cli->file_wrong ? EXIT_MODEL : EXIT_USAGE;
  }
  cli->options.folders = cli->folders;
  cli->options.folder_count = cli->folder_count;
  cli->options.readable = cli->readable;
  cli->options.readable_count = cli->readable_count;
  return arguments_fit(cli) ? EXIT_FINE : EXIT_USAGE;
}
