/* psl: the command line.  The table of commands, and what surrounds each: help, its output, its end. */
#include "interp/cli/prompt.h"
#include "interp/lsp/lsp.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int command_lsp(struct cli *cli) { return lsp_serve(&cli->options); }

const struct command commands[] = {
    {"run", "FILE [SYSTEM]", "run a system of a model and report its predicted performance",
     "SYSTEM may be left out where FILE has one. FILE '-' is standard input.", 1, 2, command_run, true},
    {"replay", "TRACE [SYSTEM]", "run the program that a trace is of, on other machines",
     "Formats of traces are known by their content. SYSTEM may be left out where the model has one or none.\n"
     "With --vary, --report, --db and the like it is a study: VALUES are expressions of PSL, 4,8,16, or a range:\n"
     "1..9, 1..9+2, 5us..25us+5us, 1..16*2. WHAT is a plot: 'makespan against latency by speed, log x'.",
     1, 2, command_replay, false},
    {"mpirun", "-n RANKS PROGRAM [ARGUMENT...]", "run a program of MPI on the simulated ranks of a model",
     "PROGRAM is one of MPICH's compilers, as it is. Its messages and collective operations take the time that\n"
     "the model says, the library's program.psl or that of --model, and what it computes is right.",
     1, SIZE_MAX, command_mpirun, false, true},
    {"reflect", "PROGRAM [ARGUMENT...] | --listen SOCKET", "run a program that asks a model what its work takes",
     "PROGRAM is linked with libpsl-reflector, and says which resources it uses. What of it components of --model\n"
     "accept, they answer; all else is measured: psl-reflect(1). Without --model all is.",
     0, SIZE_MAX, command_reflect, .program = true},
    {"attach", "PROCESS", "count and time functions of a process that runs",
     "PROCESS is its number. Standard input is read for commands: start FUNCTION, stop FUNCTION, report, quit.\n"
     "When psl leaves it, at the latest by Ctrl-C, the process goes on as it was: psl-attach(1).",
     1, 1, command_attach, .needs = "the number of a process"},
    {"simulate", "PROGRAM [ARGUMENT...]", "run a program on a simulated out-of-order processor",
     "PROGRAM is one of PISA (little-endian ECOFF) or of RISC-V (RV64GC, static ELF). Its output and its exit status\n"
     "are its own; the report goes to standard error where there is no --output. NAME is a parameter of the\n"
     "processor, as in 'ruu:size=64' or 'cache:dl1=dl1:256:32:4:l': psl-processor(7) lists them.",
     1, SIZE_MAX, command_simulate, .program = true},
    {"mpicc", "[ARGUMENT...]", "compile a program in C for psl mpirun",
     "MPICH's compiler, mpicc.mpich, is given the arguments, and -g before them, by which errors have lines.", 1,
     SIZE_MAX, command_compile, .foreign = true},
    {"mpicxx", "[ARGUMENT...]", "the same in C++", NULL, 1, SIZE_MAX, command_compile, .foreign = true},
    {"mpifort", "[ARGUMENT...]", "the same in Fortran", NULL, 1, SIZE_MAX, command_compile, .foreign = true},
    {"compile", "FILE...", "make a model of a program of MPI from its source",
     "FILEs are all of the program, in one language, C, C++ or Fortran. The model has what decides about messages, as\n"
     "a program of PSL, and how many operations the loops between them take. It goes to --output: psl-compile(1).",
     1, SIZE_MAX, command_model, false},
    {"calibrate", "-n RANKS --arguments '...' --arguments '...' MODEL PROGRAM",
     "measure what a program's loops take, for its model",
     "MODEL is what psl compile has made of the program, PROGRAM what it has made with --instrument, which runs with\n"
     "each of the arguments. What comes out are params for --params FILE, with their intervals: psl-calibrate(1).",
     2, 2, command_calibrate},
    {"trace", "MPIRUN [ARGUMENT...] | --memory PROGRAM [ARGUMENT...] | info TRACE | convert TRACE TRACE",
     "trace a real run of a program, say what a trace holds, or convert one",
     "MPIRUN starts a program of MPICH or Open MPI as it is; its trace is that of --output, psl.trace if there is\n"
     "none, or a folder with a file for each rank. Formats are known by what is in a file, and where one is written\n"
     "by its name: .trace is PSL's own, .tit SimGrid's time-independent one. What a format cannot hold is said.",
     1, SIZE_MAX, command_trace, false, true, "info convert"},
    {"check", "FILE...", "check models: names, types, dimensions, params, dependences", NULL, 1, SIZE_MAX,
     command_check, true},
    {"compare", "FILE [SYSTEM] --vary PARAM[=A,B,...]", "run a system under each value of a param",
     "Without values, a param that a selector asks for takes each term that the accepts in question offer.\n"
     "Fails where the predictions spread wider than --tolerance, or than an assertion on\n"
     "'spread(makespan)' in a study of the system allows.",
     1, 2, command_compare, true},
    {"study", "FILE [NAME]", "run a system at many points: a study of FILE, or the values of --vary",
     "NAME is a study, or a system that is studied by --vary alone; it may be left out where FILE has one.\n"
     "An axis of --vary takes the place of the study's of the same param; a param of --set is not varied.\n"
     "VALUES are expressions of PSL, 4,8,16 or 'analysis[LogGP],simulation[MPI-Sim]', or a range: 1..9,\n"
     "1..9+2, 5us..25us+5us, 1..16*2. WHAT is a plot as a study has it: 'makespan against px by mk, log x'.",
     1, 2, command_study, true},
    {"recommend", "FILE [STUDY]", "recommend choices for a problem, learnt from runs of a study",
     "STUDY says what a problem is and what is chosen: problem n in 1 .. 9; choice b in [1, 2]; minimize makespan;\n"
     "--set states the problem: what it leaves out is as the model has it; a machine that it leaves out is chosen.",
     1, 2, command_recommend, true},
    {"plot", "FILE [NAME] [WHAT]", "draw a study of FILE, or WHAT over the values of --vary",
     "NAME is a study, or a system that is studied by --vary alone; it may be left out where FILE has one.\n"
     "WHAT is a plot as a study has it, makespan against px by mk, log x; without it the study's own plots\n"
     "are drawn. Repetitions become means with their intervals.",
     1, SIZE_MAX, command_plot, true},
    {"report", "FILE.db [STUDY] | TRACE", "write a study of a database, or a trace, as one HTML page",
     "STUDY may be left out where the database has one. The point that is shown in detail is run again.\n"
     "--list says what studies it has.",
     1, 2, command_report, false},
    {"sensitivity", "FILE [SYSTEM]", "rank the params by how much the predicted time, or another figure, follows them",
     "Each param that is a number is moved a step down and a step up, within its range; the others stay.\n"
     "Elasticity: 1 where the time grows in proportion to the param, 0 where it does not follow.",
     1, 2, command_sensitivity, true},
    {"diff", "A [B] [--against NAME=VALUE]... | A.db B.db [STUDY [STUDY]] | A.db STUDY STUDY",
     "say what two models, traces or studies differ by, and of models why",
     "B is another file, or A under other settings: --set holds for both, --against for B alone.\n"
     "The shares of params, components, coercions and settings add up to the whole difference.\n"
     "Of two traces of a program A is a measured run and B a predicted one, as psl replay --record makes it: what\n"
     "differs beyond its spread is named by rank, region, communicator and what the time was spent for.\n"
     "Of two studies points with the same params stand side by side, with differences and ratios.",
     1, 4, command_diff, false},
    {"db", "add FILE... | list | search WHAT... | show NAME | export NAME | remove NAME... | diff NAME NAME",
     "keep components, task graphs, TEDs, knowledge and measurements in a database, and find them",
     "FILE is a model, whose components are added, a static task graph, a table, a trace, or a text. WHAT is a\n"
     "selector, 'domain = hardware, kind = disk', or words. NAME may be KIND/NAME. --db or PSL_DB names the database.",
     1, SIZE_MAX, command_db, .actions = "add list search show export remove diff",
     .needs = "add, list, search, show, export, remove or diff"},
    {"fit", "FILE", "fit cost functions to measurements, CSV or Extra-P's formats",
     "The first line of a CSV file names the columns: n,time [ms]. Without --terms the best sum of terms\n"
     "n^a log2(n)^b is searched for. --format psl writes a function that a model can hold.",
     1, 1, command_fit, false},
    {"measure", "messages --mpirun LAUNCHER | memory | compute | threads | KIND --from FILE",
     "measure what messages of MPI take, memory or threads, as a machine of PSL",
     "LAUNCHER starts two ranks: 'mpirun -n 2'. A program of psl's own is run by it. FILE is a table of what was\n"
     "measured: test,bytes [byte],time [us]; of memory test,stride,processors,bytes [byte],time [ns].",
     1, 1, command_measure, .actions = "messages memory compute threads",
     .needs = "messages, memory, compute or threads"},
    {"params", "FILE", "list the params of a model", NULL, 1, 1, command_params, true},
    {"explain", "FILE [COMPONENT[.REQUEST]]", "say why each request goes where it goes",
     "Where FILE has more than one system, name one with --system.", 1, 2, command_explain, true},
    {"derive", "FILE [SYSTEM]", "print what processes spend their time for, as expressions in the params",
     "Each process's own time, without waiting for others: compute, memory, input and output, communication, as the\n"
     "model's bodies and LogGP's equations have them, simplified; what cannot be derived is named with its place.\n"
     "SECTION is the label of a request or the line of a statement. --format psl writes functions for models.",
     1, 2, command_derive, true},
    {"why", "FILE", "say why a process is where it is at a time: the chain of causes",
     "Each step is a stretch of a process with what let it begin: a message, a token, a server that was given back,\n"
     "a call, the end of what it had called. The chain goes back to the beginning of the run.",
     1, 1, command_why, true},
    {"graph", "FILE [SYSTEM]", "draw the dependence graph", NULL, 1, 2, command_graph, true},
    {"fmt", "FILE...", "lay out models in the one layout", "The text goes to standard output, or back with --write.", 1,
     SIZE_MAX, command_fmt, false},
    {"lsp", "", "serve an editor by the Language Server Protocol",
     "The editor starts it and speaks with it on standard input and output: psl-lsp(1) says how it is told to.", 0, 0,
     command_lsp, false},
    {"studio", "[FILE | FOLDER]", "draw, write and run models in the browser",
     "The page is served to this computer alone, by an address that is printed. Without FILE it is the current folder.",
     0, 1, command_studio, false},
    {"ast", "FILE", "print the syntax tree", NULL, 1, 1, command_ast, false},
    {"completion", "bash | zsh | fish", "print what a shell completes command lines of psl by",
     "The shell reads it once: source <(psl completion bash). 'make install' puts it where the shells look for it.", 1,
     SIZE_MAX, command_completion, .program = true, .actions = "bash zsh fish", .needs = "the name of a shell"},
    {"help", "[COMMAND | NAME | WORDS]", "explain a command and its options, a name of the language, or words",
     "NAME is a word of the language, a unit, a function, an evaluator, a result, or what a file of the library\n"
     "declares; or one of another language or simulator. In a session ':help NAME' knows the names of its model.\n"
     "Other WORDS are searched for in the manuals.",
     0, SIZE_MAX, command_help_on, false},
    {0},
};

const struct command session_command = {"psl", "", "a session", NULL, 0, 0, command_session, false};

const struct command *command_find(const char *name) {
  for (const struct command *command = commands; command->name; command++)
    if (strcmp(command->name, name) == 0) return command;
  return NULL;
}

/* A name of the language or the library; else a command's that is not quite right, or words of the manuals. */
static int help_on_name(struct cli *cli, const char *name) {
  struct buffer known = {.scope = cli->scope};
  struct psl *psl = cli_open(cli);
  if (!psl) return EXIT_MODEL;
  int code = exit_of(psl_load_library(psl));
  if (code == EXIT_FINE) code = exit_of(psl_help(psl, name, true, buffer_write, &known));
  if (code == EXIT_FINE && !known.size && command_meant(cli, name))
    code = unknown_command(cli, name);
  else if (code == EXIT_FINE && !known.size && psl_help(psl, name, false, buffer_write, &known) != PSL_OK)
    code = EXIT_USAGE;
  if (known.size) fwrite(known.data, 1, known.size, stdout);
  psl_close(psl);
  return code;
}

int command_help_on(struct cli *cli) {
  const char *name = words_joined(cli, 0); /* float rate */
  const struct command *command = name ? command_find(name) : NULL;
  if (name && !command) return help_on_name(cli, name);
  if (command)
    command_help(stdout, command);
  else
    general_help(stdout);
  return EXIT_FINE;
}

int cli_perform(struct cli *cli) {
  if (cli->version) {
    printf("psl %s\n", psl_version());
    return EXIT_FINE;
  }
  if (cli->help) {
    if (cli->command != &session_command)
      command_help(stdout, cli->command);
    else
      general_help(stdout);
    return EXIT_FINE;
  }
  size_t written = files_written(cli->files);
  if (cli->argument_count && names_program(cli)) files_run_program(cli);
  int code = outputs_check(cli) ? cli->command->run(cli) : EXIT_MODEL;
  files_close_written(cli->files, written);
  return code;
}

/* A full disk or a closed pipe must not pass for success. */
static int finish_output(const struct cli *cli, int code) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  const char *reason = errno ? scope_printf(cli->scope, ": %s", strerror(errno)) : "";
  cli_error(cli, NULL, "standard output cannot be written%s", reason);
  return code ? code : EXIT_MODEL;
}

/* Half of the computer's memory, or of what the container may have: a model that grows without end gets a
 * message before the system ends whatever takes most. Workers share it. */
static size_t memory_by_default(const struct cli *cli) {
  double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), most;
  FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
  if (file && fscanf(file, "%lf", &most) == 1 && most < all) all = most;
  if (file) fclose(file);
  return all > 0 ? (size_t)(0.5 * all / (double)(cli->study.jobs > 1 ? cli->study.jobs : 1)) : 0;
}

int main(int count, char **words) {
  struct scope scope = {0};
  signals_watch();

  struct cli cli = {.scope = &scope, .options.interrupted = &interrupted, .compare.tolerance = -1};
  ranks_hush();
  cli.files = files_open(&scope);
  int code = options_read(&cli, count, words);
  signals_speak(&cli);
  if (cli.options.max_memory)
    mallopt(M_MMAP_THRESHOLD, 128 << 10); /* what is given back goes to the system */
  else
    cli.options.max_memory = memory_by_default(&cli);
  if (code == EXIT_FINE) code = ranks_join(&cli);
  if (code == EXIT_FINE) code = finish_output(&cli, cli_perform(&cli));
  code = ranks_leave(&cli, code);
  scope_close(&scope);
  native_leave();
  signals_leave(code);
  return code;
}
