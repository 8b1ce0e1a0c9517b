/* What the files of the command line share: what was asked for, where output goes, how errors are said. */
#ifndef PSL_CLI_H
#define PSL_CLI_H
#include "interp/cli/memory.h"
#include "interp/include/psl.h"
#include <stdio.h>

enum {
  EXIT_FINE,
  EXIT_MODEL,
  EXIT_USAGE
}; /* fine; the model or a file is wrong, or a run did not reach its end; wrong usage */

struct command;

struct cli {
  struct scope *scope;
  const struct command *command;
  char **words; /* the whole line, with the program's or the command's name */
  int word_count;
  const char **arguments; /* what is no option, the command's name left out */
  size_t argument_count;
  const char *given[160]; /* by option: its last value */

  struct psl_options options;
  struct psl_run_options run;
  struct psl_report_options report;
  struct cli_setting {
    const char *name, *value;
    const char *file, *line; /* that it stands in; NULL: --set */
    unsigned number;         /* of the line */
    const char *before;      /* in a session: what it had, NULL: nothing */
  } * settings;
  size_t setting_count, setting_capacity;
  struct cli_measured { /* a file of params says for which values of another param it was measured */
    const char *name, *file;
    double low, high;
    unsigned number; /* of the line */
  } * measured;
  size_t measured_count, measured_capacity;
  bool file_wrong; /* a file that an option names cannot be read */
  const char **folders;
  size_t folder_count, folder_capacity;
  const char **readable;
  size_t readable_count, readable_capacity;

  const char *output, *trace, *timeline; /* files; NULL: none */
  const char *format;                    /* of --format; NULL: not given */
  const char *written;                   /* the format that is written, of those that the command has */
  struct psl_compare_options compare;
  int color;               /* of --color: 0 auto, 1 always, 2 never */
  const char *plot_file;   /* study; NULL: plots go to the terminal */
  const char *behind_plot; /* the word behind a --plot without a value; NULL: there is none */
  struct psl_study_options study;
  struct psl_recommend_options recommend;
  struct psl_page_options page; /* report */
  struct psl_vary *axes;        /* study */
  size_t axis_count, axis_capacity;
  struct psl_study_item *items; /* study */
  size_t item_capacity;
  struct psl_fit_options fit;
  const char **fit_at, **fit_terms;
  size_t fit_at_capacity, fit_terms_capacity;
  double step;                 /* sensitivity */
  const char *figure;          /* the same; NULL: the predicted time */
  double least;                /* diff */
  struct cli_setting *against; /* diff */
  size_t against_count, against_capacity;
  const char *model;              /* of a trace or program; NULL: the library's */
  const char *dimemas, *platform; /* files of machines for one; NULL: none */
  bool check_only, write_back;    /* fmt */
  bool spans;                     /* ast */
  const char *system;             /* explain, why, diff, mpirun */
  struct psl_why_options why;
  unsigned ranks; /* mpirun */
  int costs;      /* mpirun */
  bool inside;    /* mpirun */
  struct psl_simulation_setting *processor;
  size_t processor_count, processor_capacity; /* mpirun */
  const char *record;                         /* replay, mpirun; NULL: no trace is wanted */
  const char **functions;                     /* attach */
  size_t function_count, function_capacity;
  double attached_for;                 /* attach: s; 0: to its end */
  const char *listen;                  /* reflect: a socket; NULL: not given */
  const char *launcher, *from, *table; /* measure; NULL: not given */
  bool dynamic, static_graph;          /* graph */
  const char *database;                /* of --db; NULL: not given */
  struct psl_db_add entry;             /* db: what is added; its kind, what is looked for, too */
  bool list;                           /* report: the studies of a database */
  bool condense;                       /* graph, run */
  const char *picture;                 /* svg, png; NULL: what Graphviz reads */
  bool activity;                       /* graph: of UML */
  enum psl_activity_form form;         /* of it */
  bool program;                        /* graph: C++ */
  struct buffer *diagram;              /* of UML, from standard input; NULL: it has not been read */
  const char *rules, *toolbar;         /* of diagrams; NULL: the library's */
  bool machine;                        /* measure: PSL */
  bool memory;                         /* trace: of memory */
  struct psl_signature_options signature;
  const char *compiler, *variable; /* compile: of --cc and --why; NULL: not given */
  bool source_report;              /* compile: --report */
  bool instrumented;               /* compile: a program, with timers */
  struct cli_run {                 /* calibrate: of the program, in the order in which they are given */
    enum { RUN_FITTED, RUN_CHECKED, RUN_FORETOLD } use;
    const char *arguments;
    const char *input; /* NULL: not given */
    const char **with; /* NAME=VALUE,... */
    size_t with_count, with_capacity;
  } * runs;
  size_t run_count, run_capacity;
  const char **assumed, **iterations;
  size_t assumed_count, assumed_capacity, iterations_count, iterations_capacity;
  bool sliced;              /* compile: --slice */
  const char *program_file; /* that it makes */
  const char **kept;
  size_t kept_count, kept_capacity;
  const char **caches; /* of it */
  size_t cache_capacity;
  size_t max_instances;
  struct psl_derive_options derive;
  const char **derive_memory, **derive_ranges;
  size_t derive_memory_capacity, derive_range_capacity;
  bool verify; /* derive */
  bool help, version, quiet;
  bool no_browser; /* studio */

  const char *load;         /* -c: a session's model */
  const char **expressions; /* -e */
  size_t expression_count, expression_capacity;
  bool keep_going, no_rc;
  const char *early; /* an option that stood before any command */

  bool paged;                   /* what is long goes to a pager: a session at a terminal */
  struct psl_program *archived; /* the trace that an archive has become, which is an alias of its name; NULL: none */
  struct psl *session;          /* the model of a session, which commands then work on; NULL: each loads its own */
  struct files *files;          /* that are read and written */
};

struct command {
  const char *name, *arguments, *summary;
  const char *text;   /* more help, may be NULL */
  size_t least, most; /* arguments */
  int (*run)(struct cli *cli);
  bool on_model;       /* its first argument is a model: in a session it is the session's */
  bool program;        /* its arguments are a program and what that is given: options stand before them */
  const char *actions; /* blank-separated: first arguments that are no program; NULL: none */
  const char *needs;   /* what its first argument is; NULL: a file, or a program */
  bool foreign;        /* all that stands behind it is for another program: no option is psl's */
};
extern const struct command session_command; /* psl without a command */
extern const struct command commands[];      /* ended by name NULL */

struct progress_line { /* of many runs, on a terminal */
  const char *what;    /* that are counted: "runs" */
  double begin, last;
  bool there;
};
/* What draws it, with `line` for its user; NULL: nothing is to be drawn. Lines of a report in a format that is read as
 * it comes, on the same terminal, are progress enough; a dumb one cannot write a line anew. */
psl_progress_callback *progress_open(const struct cli *cli, struct progress_line *line, enum psl_format format);
/* The same of one run, which draws by the clock: `line` gets what psl_run tells, and is ended before its report. False:
 * nothing is to be drawn. */
struct run_line {
  double begin, limit; /* limit: s of simulated time, 0: none */
  bool there;
};
bool run_line_open(const struct cli *cli, struct run_line *line);
psl_run_told run_line_draw;
void run_line_end(struct run_line *line);
/* Are there to be ANSI colours, as --color says, NO_COLOR, and what stands behind the descriptor? */
bool cli_color(int when, int descriptor);
unsigned terminal_columns(int descriptor); /* 0: it is none */
bool terminal_is_dumb(void);               /* it takes text alone, by TERM */
/* Reads the command line. EXIT_FINE, or EXIT_USAGE after an error was said. */
int options_read(struct cli *cli, int count, char **words);
/* Is the first argument a program, so that options behind it are the program's? */
bool names_program(const struct cli *cli);
/* The same param: one of the two names may say the file, too. */
bool options_same_param(const char *a, const char *b);
#define JSONL_WORDS "ndjson jsonlines json-lines ldjson" /* as others call the format */
/* Does a list, blank-separated, have the word? */
bool word_listed(const char *words, const char *word);
const struct command *command_find(const char *name); /* NULL: none */
/* What there is to say of an option, for who completes it; that of a place among those that a command takes. */
struct option_shape {
  const char *name;     /* without the dashes */
  const char *argument; /* NULL: takes none; [=...]: it may be left out */
  const char *help;
  const char *const *choices; /* the words that it may be, ended by NULL; NULL: anything */
};
bool option_at(const struct command *command, size_t place, struct option_shape *shape);       /* false: it has fewer */
bool option_find(const struct command *command, const char *word, struct option_shape *shape); /* of --name, -n */
bool command_takes(const struct command *command, const char *option);                         /* by its long name */
int unknown_command(const struct cli *cli, const char *word);                                  /* says so; EXIT_USAGE */
const char *command_meant(const struct cli *cli, const char *word); /* what is to be written; NULL: not known */
/* The arguments from `first` on as one text, makespan against px by mk; NULL: there are none. */
const char *words_joined(const struct cli *cli, size_t first);
void command_help(FILE *file, const struct command *command);
void general_help(FILE *file);
/* A path as people read it: '-' is standard input. */
const char *text_name(const char *path);
/* The diagnostic_callback of all handles: to standard error. */
void print_diagnostic(void *user, const struct psl_diagnostic *diagnostic);
void print_error(void *user, const struct psl_diagnostic *diagnostic); /* of --quiet: errors alone */
/* The name of a file, or another text from outside, as people are shown it. */
const char *shown(const struct cli *cli, const char *name);
/* An error of usage or of a file, in the format asked for, with an optional hint. */
void cli_error(const struct cli *cli, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The files that this psl reads and writes. */
struct files *files_open(struct scope *scope);
/* To be asked before a file is read, as psl_options.read is: NULL, or why it must not be. */
const char *files_read(void *user, const char *path);
/* To be asked before a file is written, for `use` (--output): false after an error, where it is read (unless what was
 * read goes back there) or written for another use. */
bool files_write(struct cli *cli, const char *path, const char *use, bool back);
bool files_write_database(struct cli *cli, const char *path); /* with the files that SQLite puts beside it */
/* Does it begin as a database of SQLite does? */
bool is_database_file(const char *path);
bool files_is_output(const char *path); /* of standard output? */
/* The path; "-=FILE" is FILE with what standard input says, in the place of what the file does, for this model and all
 * that uses the file. NULL after an error. */
const char *files_named(struct cli *cli, const char *path);
bool files_uses(const struct files *files, const char *path); /* is it read, or written? */
/* A program that is run is read, and so are the files that its arguments name. */
void files_run_program(const struct cli *cli);
/* How many are written; a command that has ended writes those that came later no more. */
size_t files_written(const struct files *files);
void files_close_written(struct files *files, size_t before);
/* A session's model is read anew, in the place of what was read for it before; all: that has come to its end. */
void files_read_anew(struct files *files);
void files_have_read(struct files *files, bool all);
const char *program_found(const struct cli *cli, const char *name); /* in a folder of PATH; NULL: in none */

/* ---- work_folder.c ---- */
void work_folder_remove(const char *path); /* and the files in it */

/* ---- picture_file.c ---- */
/* The format of a picture that is to be converted, of a file so named; NULL: none is. */
const char *picture_format(const char *file);
/* Is there what makes it? False after an error. */
bool picture_wanted(const struct cli *cli, const char *option, const char *file);
/* From a temporary file to what is written; false after an error. */
bool picture_convert(const struct cli *cli, FILE *svg, const char *format, FILE *out);

/* ---- report_page.c ---- */
bool database_may_be_read(struct cli *cli, const char *database); /* with the log beside it; false after an error */

/* ---- compressed_file.c ---- */
bool is_compressed(const char *path); /* does the name end by .json.gz? */
/* Is there what compresses? False after an error. */
bool compression_possible(const struct cli *cli, const char *option, const char *path);
struct compression {
  void *library, *file;
  int (*write)(void *file, const void *text, unsigned size);
  int (*close)(void *file);
};
bool compression_begin(struct compression *to, FILE *file); /* false: it cannot */
psl_write compression_write;                                /* takes the compression for `user` */
bool compression_end(struct compression *to);               /* false: not all is written */

/* ---- param_meant.c ---- */
/* What to write for an option that is a param of the model on the line; NULL: it is none. `value` may be NULL. */
const char *param_meant(const struct cli *cli, const char *name, const char *value);
/* The values of a param that is one of a few: disk,flash; NULL: it is none, or not known. */
const char *param_choices(const struct cli *cli, const char *name);
/* The param that is near to the name, else all; NULL: the model cannot be read. */
const char *params_known(const struct cli *cli, const char *name, const char *value);

/* ---- values_meant.c ---- */
/* The values of --vary without the empty ones among them: 4,8 of 4,,8; NULL: none is empty. */
const char *values_without_empty(const struct cli *cli, const char *values);
/* Is it a range as other languages have it, of `given`, PARAM=VALUES? True after an error. */
bool range_meant(const struct cli *cli, const char *given, const char *values);
/* Of 1..5, and of 1,2,3: what runs with these seeds; NULL: they are no seeds one after another. */
const char *seeds_meant(const struct cli *cli, const char *values);
/* --set n=4,m=5s, of which `value` stands behind the first '=': true after an error. */
bool settings_joined(const struct cli *cli, const char *given, const char *value);
enum { AXES_TOGETHER = 16 };
/* workers,work=(4,10s),(8,20s): the params, the values of each, and the condition that keeps them together; false after
 * an error. */
bool axes_together(const struct cli *cli, const char *given, const char **params, const char **values, size_t *count,
                   const char **condition);

/* ---- arguments.c ---- */

/* Whether what the options and arguments come to is what the command takes; if not, an error has said why. */
bool arguments_fit(struct cli *cli);

/* ---- option_habits.c ---- */
/* The option of the command that another program calls so, with the value that was given; NULL: none is known. */
const char *option_renamed(const struct cli *cli, const char *name, const char *value);
/* --pareto makespan,workers: the objectives, each by its option. */
const char *objectives_meant(const struct cli *cli, const char *given);
/* A file of --db that is not there yet and is named as another thing: false, after an error. */
bool database_meant(const struct cli *cli, const char *given);
/* An option that is a param in truth: the setting, with the value that was given; NULL: none is known. */
const char *habit_of_setting(const struct cli *cli, const char *name, const char *value);
/* What is written here for an option, or a command, that other programs have; NULL: that is not known. */
const char *habit_of_option(const struct command *command, const char *name);
/* Of an option that the command alone has something to say of; the second with the value that was given. */
const char *habit_of_own(const struct command *command, const char *name);
/* Of a word that psl compile is given and that is an option of a compiler: how it is given; NULL: it is none. */
const char *habit_of_compiler(const struct cli *cli, const char *word);
/* What to write where a word that is no file names a machine; NULL: it may be a file. */
const char *machine_named(const struct cli *cli, const char *word);
const char *habit_of_study(const struct cli *cli, const char *name, const char *value);
const char *habit_of_format(const struct command *command, const char *option, const char *given);
const char *habit_of_command(const char *word);
bool names_model(const char *word);
/* Is it the name of a picture? And where a plot is to be named: false, after an error. */
bool is_picture(const char *word);
bool refuse_second_file(const struct cli *cli, const char *given); /* of --against: a model or a trace */
bool refuse_picture(const struct cli *cli, const char *word);
/* Are the arguments of the kinds that the command takes? False after an error. */
bool arguments_meant(const struct cli *cli);
/* Is the second argument what it is taken for, or the value of --plot, which stands behind a '='? False after that is
 * said. */
bool plot_meant(const struct cli *cli, struct psl *psl);

/* ---- file_kinds.c ---- */
/* The command for a file that is no model; NULL: none is known. */
const char *file_habit(const struct cli *cli, const char *path);
/* Is the file a model, for all that its kind says (NULL is fine)? False after an error. */
bool model_meant(const struct cli *cli, const char *path);
/* Is the file what --dimemas or --platform takes, as far as can be told (NULL is fine)? False after an error. */
bool machine_file_meant(const struct cli *cli, const char *option, const char *path);
bool is_json_file(const char *path); /* by what it begins with */
/* Does the command take a file of that kind? False after an error. */
bool file_meant(const struct cli *cli, const char *path);

/* ---- signals.c ---- */
extern volatile int interrupted; /* psl_options.interrupted of all handles */
void signals_watch(void);
void signals_speak(const struct cli *cli); /* the error format is known */
void signals_of_session(void);             /* from now on SIGINT ends what a session does, and the session goes on */
void signals_of_server(void);              /* from now on a terminal that is gone is a wish to end, like SIGTERM */
/* The text is written after 5 s, *tick becomes 1 twice a second; NULL: no longer. */
void signals_remind(const char *text, volatile int *tick);
bool signals_end(void);       /* is psl to end? */
void signals_leave(int code); /* where it ends by a signal, not to return */

/* ---- output_file.c ---- */
/* A file that takes its place when all is written, or standard output. */
struct sink {
  FILE *file;
  const char *path;      /* NULL: standard output */
  const char *use;       /* of the file: --output */
  const char *temporary; /* its name until it has its place; NULL: it has none */
  int held;              /* the file, when it is closed already; -1: it is a device, or standard output */
  bool partial;          /* what is written is not whole: it goes to PATH.partial, and what is at PATH stays */
  struct page *page;     /* it is gathered there first; NULL: it is not */
};
enum contents {
  CONTENTS_REPORT,
  CONTENTS_EVENTS, /* of a run: they take the place of those of an earlier one */
  CONTENTS_TRACE,  /* what is written by others, who need its name */
  CONTENTS_MODEL,  /* PSL */
  CONTENTS_BACK,   /* what was read from that file, in another form */
};
/* path NULL, "-": standard output. */
bool sink_open(struct cli *cli, struct sink *sink, const char *path, const char *use, enum contents contents);
/* What goes to standard output is shown by the pager when it is kept, if the command line has one. */
bool sink_page(struct cli *cli, struct sink *sink);
bool sink_keep(struct cli *cli, struct sink *sink);
void sink_drop(struct sink *sink);
/* Keeps what has been written, as a part where the work was interrupted, or drops it if there is nothing worth it, as
 * `code` says. The exit code. */
int sink_end(struct cli *cli, struct sink *sink, enum psl_code code);
/* Tests, before anything is read, that what the command's options write are different files. */
bool outputs_check(struct cli *cli);
/* Removes the temporary files of sinks that are open: psl ends at once. May be called by the handler of a signal. */
void sinks_abandon(void);
/* A trace is written beside its place, where blocks are linked afterwards: not to standard output. */
bool trace_sink_open(struct cli *cli, struct sink *sink, const char *path, const char *option);
/* A trace that is recorded, in PSL's format, before it becomes one of the format that `path` says. */
bool trace_record_open(struct cli *cli, struct sink *record, const char *path, const char *option);
bool trace_record_keep(struct cli *cli, struct sink *record, const char *path, const char *option);
/* The trace of --record, if one is wanted. */
bool record_open(struct cli *cli, struct sink *record);
int record_close(struct cli *cli, struct sink *record, int code); /* kept if all went well; the exit code */
/* All of a file (`-`: standard input); NULL after an error. */
char *file_read(struct cli *cli, const char *path, size_t *size);
char *file_read_most(struct cli *cli, const char *path, size_t most, size_t *size); /* an error where it has more */

/* ---- programs.c ---- */
/* A text for standard output that goes through a pager where it is longer than the screen. */
struct page {
  FILE *file;
  char *text;
  size_t size;
};
FILE *page_open(struct page *page); /* NULL: there is no memory */
void page_show(struct page *page);
void page_drop(struct page *page);

/* ---- params_file.c ---- */
/* The lines NAME = VALUE of a file as settings, and those `measured NAME = LOW .. HIGH`; false after an error. */
bool params_read(struct cli *cli, const char *path);
void params_warn(struct cli *cli, struct psl *psl); /* of those that are not what was measured */

/* ---- formats.c ---- */
const char *const *formats_of(const struct command *command); /* ended by NULL; the first is the default */
const char *format_named(const char *path);                   /* by its ending; NULL: that says nothing */
/* Chooses what the command writes; false after an error. */
bool formats_settle(struct cli *cli);

/* ---- commands.c ---- */
struct psl *cli_open(struct cli *cli); /* a handle that says what is wrong to people; NULL after an error */
/* A handle with the model of a file loaded (NULL: none) and the params set; in a session, the session's. NULL if
 * that fails, with *code the exit code; give it back by cli_close. */
struct psl *cli_load(struct cli *cli, const char *path, int *code);
void cli_close(struct cli *cli, struct psl *psl); /* NULL is fine */
int exit_of(enum psl_code code);
int command_run(struct cli *cli);
int command_check(struct cli *cli);
int command_compare(struct cli *cli);
int command_sensitivity(struct cli *cli);
int command_recommend(struct cli *cli);
int command_diff(struct cli *cli);
int command_fit(struct cli *cli);
int command_params(struct cli *cli);
int command_explain(struct cli *cli);
int command_why(struct cli *cli);
int command_graph(struct cli *cli);
int command_ast(struct cli *cli);

bool cli_set_params(struct cli *cli, struct psl *psl, int *code); /* those of --set and --params */
int run_report(struct cli *cli, struct psl *psl, const char *system,
               struct sink *sink);                   /* runs, writes what comes out */
bool cli_output(struct cli *cli, struct sink *sink); /* of --output */
const char *system_argument(const struct cli *cli);  /* NULL: the model's own */
bool is_paraver(const char *path);                   /* does the name end by .prv? */
bool is_slices(const char *path);                    /* by .slices? */
bool is_tasks(const char *path);                     /* by .tasks? */

/* ---- replay_command.c ---- */
/* The model may read what stands beside the file, or in it where it is a folder. */
bool allow_folder(struct psl *psl, char *path);
/* A text as PSL writes it. */
const char *quoted(const struct cli *cli, const char *text);
/* Has the model that param, by its name alone or with its file's? Or is it wrong, which has been said? */
bool has_param(struct psl *psl, const char *name, const char *whole);
/* Loads the library's model of programs, with a file of machines if there is one. */
enum psl_code library_load(const struct cli *cli, struct psl *psl, const char *machines);
/* Loads the library's model of programs, or that of --model or --dimemas, with a trace that it may read. */
enum psl_code trace_load(struct cli *cli, struct psl *psl, const char *path);
/* An archive becomes a trace, for the handle that is opened next; any other path is left alone. False: error. */
bool archive_take(struct cli *cli, const char *path);
/* The same with what else its param `trace` takes, which the handle may read, and the params set: run and reported. */
int traced_run(struct cli *cli, struct psl *psl, const char *trace, const char *system, struct sink *sink);
int command_replay(struct cli *cli);

/* ---- measure_command.c ---- */
int command_measure(struct cli *cli);

/* ---- simulate_command.c ---- */
int command_simulate(struct cli *cli);

/* ---- mpi_job.c ---- */
/* Under an MPI launcher: a rank beside rank 0 is hushed from its start; the ranks join for a command, and leave
 * when its output is written. */
void ranks_hush(void);
int ranks_join(struct cli *cli);
int ranks_leave(struct cli *cli, int code);

/* ---- mpirun.c ---- */
int command_mpirun(struct cli *cli);

/* ---- attach_command.c ---- */
int command_attach(struct cli *cli);

/* ---- reflect_command.c ---- */
int command_reflect(struct cli *cli);

/* ---- shell_completion.c ---- */
int command_completion(struct cli *cli);

/* ---- compile_command.c ---- */
int command_compile(struct cli *cli);

/* ---- derive_command.c ---- */
int command_derive(struct cli *cli);

/* ---- db_command.c ---- */
int command_db(struct cli *cli);
/* The database that --db or PSL_DB names; NULL: none. */
const char *database_of(const struct cli *cli);

/* ---- source_command.c ---- */
int command_model(struct cli *cli);
/* The compiler of a source by its name; NULL: it is none. */
const char *source_compiler(const char *file);

/* ---- calibrate_command.c ---- */
int command_calibrate(struct cli *cli);

/* ---- studio_command.c ---- */
int command_studio(struct cli *cli);

/* ---- trace_command.c ---- */
int command_trace(struct cli *cli);

/* ---- main.c ---- */
int cli_perform(struct cli *cli); /* the command, or the help that was asked for */
int command_help_on(struct cli *cli);

/* ---- prompt.c ---- */
int command_session(struct cli *cli);

/* ---- study_command.c ---- */
int command_study(struct cli *cli);
int command_plot(struct cli *cli);

/* ---- report_page.c ---- */
int command_report(struct cli *cli);

/* ---- syntax.c ---- */
int command_fmt(struct cli *cli);

/* ---- plot_file.c ---- */
struct plots { /* of a study, or of a run's levels */
  struct cli *cli;
  FILE *terminal;
  struct sink *sinks; /* the first one is opened before the runs are made */
  size_t count, capacity;
  bool first;  /* has it been drawn? */
  bool failed; /* one could not be written */
  bool broken; /* the last one of these was begun */
  bool alone;  /* no report stands before them */
};
/* Sets cli->study.plot but for its format; false after an error. */
bool plots_open(struct cli *cli, struct plots *plots);
/* What a command ends with, which has ended with `code` but for its plots: they take their places where that is fine.
 */
int plots_close(struct plots *plots, int code);

/* ---- crash.c ---- */
/* From now on a function of C that crashes, or ends the program, is named. To be called where C code is allowed. */
void native_watch(void);
/* From now on psl ends the program itself. */
void native_leave(void);
/* Says it to another file than standard error, as a rank of an MPI job. */
void native_speaker(int file, size_t rank);

/* ---- graph_command.c ---- */
/* DOT as SVG by Graphviz, into the file; false after an error. */
bool picture_draw(struct cli *cli, const char *dot, FILE *file);
#endif
