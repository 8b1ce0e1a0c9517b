/* psl compile: a model of a program of MPI from its source. A compiler of MPICH reads the source, with a plugin of
 * psl's in it that writes down what the program is made of; the rest is done here and in interp/compile/. */
#include "interp/cli/cli.h"
#include "interp/compile/source_model.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct language {
  const char *name, *endings, *compiler, *unit; /* unit: of several files */
} languages[] = {
    {"C", "c", "mpicc.mpich", "unit.c"},
    {"C++", "cc cpp cxx c++ C", "mpicxx.mpich", "unit.cc"},
    {"Fortran", "f90 f95 f03 f08 F90 F95 F03 F08", "mpif90.mpich", "unit.F90"},
    {"Fortran", "f F for", "mpif90.mpich", "unit.F"},
};

static const struct language *language_of(const char *file) {
  const char *dot = strrchr(file, '.');
  for (size_t i = 0; dot && i < sizeof languages / sizeof *languages; i++)
    if (word_listed(languages[i].endings, dot + 1)) return &languages[i];
  return NULL;
}

const char *source_compiler(const char *file) {
  const struct language *language = language_of(file);
  return language ? language->compiler : NULL;
}

/* One for all; NULL after an error. */
static const struct language *language_of_all(struct cli *cli) {
  const struct language *first = language_of(cli->arguments[0]);
  for (size_t i = 0; i < cli->argument_count; i++) {
    const char *file = cli->arguments[i];
    const struct language *language = language_of(file);
    if (!language) {
      cli_error(cli, "files end in .c, .cc, .cpp, .f90, .F90, .f and the like",
                "'%s' is no source in C, C++ or Fortran", shown(cli, file));
      return NULL;
    }
    if (access(file, R_OK)) {
      cli_error(cli, NULL, "%s cannot be read: %s", shown(cli, file), strerror(errno));
      return NULL;
    }
    if (language != first) {
      cli_error(cli, "one of the languages may be compiled, where it has all calls of MPI and main",
                "'%s' is in %s, '%s' in %s: a program is taken in one language", shown(cli, cli->arguments[0]),
                first->name, shown(cli, file), language->name);
      return NULL;
    }
  }
  return first;
}

/* Several files are one unit, so that what one calls in another is seen. */
static const char *unit_of(struct cli *cli, const struct language *language, const char *folder) {
  if (cli->argument_count == 1) return cli->arguments[0];
  const char *path = scope_printf(cli->scope, "%s/%s", folder, language->unit);
  FILE *file = fopen(path, "w");
  if (!file) return NULL;
  for (size_t i = 0; i < cli->argument_count; i++) {
    char whole[PATH_MAX];
    fprintf(file, "#include \"%s\"\n", realpath(cli->arguments[i], whole) ? whole : cli->arguments[i]);
  }
  fclose(file);
  return path;
}

static void add_words(struct cli *cli, const char ***words, size_t *count, size_t *capacity, const char *text) {
  for (size_t length; *(text += strspn(text, " ")); text += length) {
    length = strcspn(text, " ");
    const char *word = scope_copy(cli->scope, text, length);
    SCOPE_PUSH(cli->scope, *words, *count, *capacity, word);
  }
}

/* Fortran's include looks into the folder of the file that the compiler is given, which is none of theirs. */
static void add_folders(struct cli *cli, const char ***words, size_t *count, size_t *capacity) {
  for (size_t i = 0; i < cli->argument_count; i++) {
    const char *slash = strrchr(cli->arguments[i], '/');
    const char *word = !slash ? "-I."
                       : slash == cli->arguments[i]
                           ? "-I/"
                           : scope_printf(cli->scope, "-I%.*s", (int)(slash - cli->arguments[i]), cli->arguments[i]);
    SCOPE_PUSH(cli->scope, *words, *count, *capacity, word);
  }
}

/* The facts are made with the program's own optimization, so that both have the same loops. */
static void add_optimization(struct cli *cli, const char ***words, size_t *count, size_t *capacity) {
  for (size_t i = 1, known = *count; i < known; i++)
    if (!strncmp((*words)[i], "-O", 2)) add_words(cli, words, count, capacity, (*words)[i]);
}

/* What a run of the compiler makes. */
struct making {
  const char *facts;   /* the file for them; NULL: a sliced program, */
  const char *plan;    /* by this one */
  const char *timed;   /* the plugin's argument for a program with timers or counters; NULL: none has */
  const char *runtime; /* is linked with the program; */
  const char *program; /* NULL: only facts are made */
};

/* False after an error; the compiler says its own. */
static bool compile(struct cli *cli, const struct language *language, const char *plugin, const char *folder,
                    const struct making *making) {
  const char **words = NULL, *unit = unit_of(cli, language, folder);
  size_t count = 0, capacity = 0;
  add_words(cli, &words, &count, &capacity, cli->compiler ? cli->compiler : language->compiler);
  if (!count || !unit) return false;
  const char *compiler = words[0];
  bool fortran = !strcmp(language->name, "Fortran");
  /* What the source says is kept: no loop is changed before it is looked at, and no test is made without a branch. What
   * a loop computes anew though it stays the same goes to before the loop, as what stands behind it may use it. */
  add_words(cli, &words, &count, &capacity,
            "-O2 -w -fno-partial-inlining -fno-math-errno -fno-trapping-math -fno-tree-switch-conversion "
            "-fno-thread-jumps -fno-optimize-sibling-calls -fno-ipa-icf -fallow-store-data-races "
            "--param logical-op-non-short-circuit=0 --param lim-expensive=1");
  add_words(cli, &words, &count, &capacity, fortran ? "-cpp" : "-U__OPTIMIZE__ -ffinite-loops");
  /* Of a sliced program what no function is left to speak of goes, and errors name lines. */
  if (cli->sliced) add_words(cli, &words, &count, &capacity, "-fwhole-program -g");
  if (fortran && cli->argument_count > 1) add_folders(cli, &words, &count, &capacity);
  if (cli->instrumented) add_optimization(cli, &words, &count, &capacity);
  const char *more[] = {scope_printf(cli->scope, fortran ? "-J%s" : "-I.", folder),
                        scope_printf(cli->scope, "-fplugin=%s", plugin),
                        making->plan ? scope_printf(cli->scope, "-fplugin-arg-psl_facts-slice=%s", making->plan)
                                     : scope_printf(cli->scope, "-fplugin-arg-psl_facts-facts=%s", making->facts),
                        unit,
                        "-o",
                        making->program ? making->program : "/dev/null"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    SCOPE_PUSH(cli->scope, words, count, capacity, more[i]);
  if (!making->program) add_words(cli, &words, &count, &capacity, "-fplugin-arg-psl_facts-alone");
  if (making->timed) {
    bool own = cli->compiler && (strstr(cli->compiler, "fast") || strstr(cli->compiler, "math"));
    const char *timed[] = {making->timed,
                           own ? "-fplugin-arg-psl_facts-own-math" : "-fplugin-arg-psl_facts-usual-math"};
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
      SCOPE_PUSH(cli->scope, words, count, capacity, timed[i]);
  }
  const char *last[] = {making->program ? making->runtime : "-S", making->program ? "-lm" : NULL, NULL};
  for (size_t i = 0; i == 0 || last[i - 1]; i++)
    SCOPE_PUSH(cli->scope, words, count, capacity, last[i]);
  pid_t process;
  int status, wrong = posix_spawnp(&process, compiler, NULL, NULL, (char **)words, environ);
  if (wrong) {
    cli_error(cli, fortran ? "Debian: libmpich-dev, gfortran" : "Debian: libmpich-dev, g++", "%s cannot be started: %s",
              compiler, strerror(wrong));
    return false;
  }
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  cli_error(cli, NULL, "%s does not compile the program", compiler);
  return false;
}

/* Of the first file, as a name of PSL. */
static const char *model_name(struct cli *cli) {
  const char *slash = strrchr(cli->arguments[0], '/'), *base = slash ? slash + 1 : cli->arguments[0];
  char *name = scope_copy(cli->scope, base, strcspn(base, "."));
  for (char *at = name; *at; at++) {
    bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'), digit = *at >= '0' && *at <= '9';
    bool hyphen = *at == '-' && at > name && ((at[1] >= 'a' && at[1] <= 'z') || (at[1] >= 'A' && at[1] <= 'Z'));
    if (!letter && !hyphen && !(digit && at > name)) *at = '_';
  }
  return *name == '_' ? scope_printf(cli->scope, "program%s", name) : name;
}

/* Is an expression that an option gives one, of names that it may have? Where it has none of these its value is known
 * here, and looked at. Diagnostics are of the option, as if that were a file. */
static bool is_right(struct cli *cli, struct psl *psl, const struct compile_said *said) {
  const struct psl_answer *answer;
  struct psl_input input;
  const char *text = said->expression;
  bool whole = psl_next_input(psl, text, strlen(text), &input) == PSL_OK && input.kind == PSL_INPUT_EXPRESSION;
  bool looked_at = said->fixed || !whole; /* what is none is said of it alone */
  if (!looked_at) text = scope_printf(cli->scope, "if false then (\n%s\n) else 0", text);
  if (psl_evaluate(psl, said->option, looked_at ? 1 : 0, text, strlen(text), &answer) != PSL_OK) return false;
  if (!said->counts) return true;
  const char *help = "how often a loop is passed is a whole number, not below 0";
  if (strcmp(answer->type, "int") != 0)
    cli_error(cli, help, "%s=%s: this is %s", said->option, said->expression, answer->type);
  else if (answer->quantity.value < 0)
    cli_error(cli, help, "%s=%s: this is %s", said->option, said->expression, answer->exact);
  else
    return true;
  return false;
}

static bool all_right(struct cli *cli, struct compilation *compilation) {
  size_t count, wrong = 0;
  const char *names;
  const struct compile_said *said = compile_said(compilation, &count, &names);
  struct psl *psl = count ? cli_open(cli) : NULL;
  if (count && (!psl || psl_declare(psl, "the program", 1, names, strlen(names)) != PSL_OK)) wrong++;
  for (size_t i = 0; i < count && psl; i++)
    wrong += !is_right(cli, psl, &said[i]);
  if (psl) cli_close(cli, psl);
  return !wrong;
}

/* What the modeller says goes into it as it is written: it is checked before it is there. */
static int write_model(struct cli *cli, const char *text, struct sink *sink) {
  struct psl *psl = cli_open(cli);
  struct buffer model = {.scope = cli->scope};
  enum psl_code done = psl ? psl_format_text(psl, "model", text, strlen(text), NULL, buffer_write, &model) : PSL_MEMORY;
  if (done == PSL_OK) done = psl_load_text(psl, "model", model.data, model.size);
  if (done == PSL_OK) done = psl_check(psl);
  if (done == PSL_OK) fwrite(model.data, 1, model.size, sink->file);
  if (psl) cli_close(cli, psl);
  return sink_end(cli, sink, done);
}

static int write_text(struct cli *cli, const char *text, struct sink *sink) {
  fputs(text, sink->file);
  return sink_end(cli, sink, PSL_OK);
}

static bool write_file(struct cli *cli, const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool fine = file && fputs(text, file) >= 0;
  if (file && fclose(file)) fine = false;
  if (!fine) cli_error(cli, NULL, "%s cannot be written: %s", shown(cli, path), strerror(errno));
  return fine;
}

/* Are there any? */
static bool say_errors(struct cli *cli, const struct compilation *compilation) {
  for (size_t i = 0; i < compilation->error_count; i++) {
    const struct compile_error *error = &compilation->errors[i];
    const char *slash = error->file ? strrchr(error->file, '/') : NULL;
    const char *message = error->file ? scope_printf(cli->scope, "%s:%d: %s", slash ? slash + 1 : error->file,
                                                     error->line, error->message)
                                      : error->message;
    cli_error(cli, error->help, "%s", message);
  }
  return compilation->error_count > 0;
}

/* The sliced program, and the model of its nests. */
static int make_slice(struct cli *cli, struct compilation *compilation, const struct language *language,
                      const char *plugin, const char *folder, struct sink *sink) {
  const char *plan = scope_printf(cli->scope, "%s/plan", folder), *parts = scope_printf(cli->scope, "%s/nests", folder);
  const char *text = compile_plan(compilation, parts, cli->kept, cli->kept_count);
  char *runtime = psl_module("psl-sliced.o");
  bool made = text && runtime && all_right(cli, compilation) && write_file(cli, plan, text) &&
              compile(cli, language, plugin, folder,
                      &(struct making){.plan = plan, .runtime = runtime, .program = cli->program_file});
  free(runtime);
  if (!made) {
    say_errors(cli, compilation);
    sink_drop(sink);
    return EXIT_MODEL;
  }
  return write_model(cli, compile_nests(compilation, parts, model_name(cli)), sink);
}

static int answer(struct cli *cli, struct compilation *compilation, struct sink *sink) {
  bool json = cli->report.format == PSL_JSON;
  if (compilation->readable && cli->source_report) return write_text(cli, compile_report(compilation, json), sink);
  if (compilation->readable && cli->variable) {
    struct why_not not ;
    const char *why = compile_why(compilation, cli->variable, json, &not );
    if (why) return write_text(cli, why, sink);
    const char *near = psl_nearest(cli->variable, not .candidates, not .count);
    cli_error(cli, near ? scope_printf(cli->scope, "did you mean '%s'?", near) : not .help, "%s", not .message);
    sink_drop(sink);
    return EXIT_MODEL;
  }
  if (!say_errors(cli, compilation) && all_right(cli, compilation)) return write_model(cli, compilation->model, sink);
  sink_drop(sink);
  return EXIT_MODEL;
}

/* By which a model and a program are known to be made of the same: of what the files hold, and the compiler is told. */
static const char *source_of(struct cli *cli) {
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  for (size_t i = 0; i <= cli->argument_count; i++) {
    size_t size;
    const char *text = i < cli->argument_count ? file_read(cli, cli->arguments[i], &size) : cli->compiler;
    if (i == cli->argument_count) size = text ? strlen(text) : 0;
    for (size_t k = 0; text && k < size; k++)
      hash = (hash ^ (unsigned char)text[k]) * 1099511628211u;
  }
  return scope_printf(cli->scope, "%016llx", (unsigned long long)hash);
}

/* A program; it takes its place when all of it is there. */
static bool write_program(struct cli *cli, const struct language *language, const char *plugin, const char *folder,
                          const char *what, const char *lines, const char *path) {
  const char *to = scope_printf(cli->scope, "%s/%s", folder, what);
  const char *facts = scope_printf(cli->scope, "%s/again", folder);
  const char *part = scope_printf(cli->scope, "%s.unfinished", path);
  if (!write_file(cli, to, lines)) return false;
  char *runtime = psl_module("psl-nests.o");
  const struct making making = {.facts = facts,
                                .timed = scope_printf(cli->scope, "-fplugin-arg-psl_facts-%s=%s", what, to),
                                .runtime = runtime,
                                .program = part};
  bool made = runtime && compile(cli, language, plugin, folder, &making);
  free(runtime);
  if (!made) return false;
  if (!rename(part, path)) return true;
  cli_error(cli, NULL, "%s cannot be written: %s", path, strerror(errno));
  return false;
}

/* The program with timers, and beside it the one that counts branches, if there are any. */
static int write_programs(struct cli *cli, const struct language *language, const char *plugin, const char *folder,
                          const struct compilation *compilation) {
  const char *branches = scope_printf(cli->scope, "%s.branches", cli->output);
  if (!write_program(cli, language, plugin, folder, "timers", compilation->timers, cli->output)) return EXIT_MODEL;
  remove(branches);
  if (!compilation->counters) return EXIT_FINE;
  return write_program(cli, language, plugin, folder, "counters", compilation->counters, branches) ? EXIT_FINE
                                                                                                   : EXIT_MODEL;
}

static int model_of(struct cli *cli, const struct language *language, const char *plugin, const char *folder,
                    struct sink *sink) {
  const char *facts = scope_printf(cli->scope, "%s/facts.json", folder);
  struct compile_options options = {.name = model_name(cli),
                                    .source = source_of(cli),
                                    .assumed = cli->assumed,
                                    .assumed_count = cli->assumed_count,
                                    .iterations = cli->iterations,
                                    .iterations_count = cli->iterations_count,
                                    .sliced = cli->sliced};
  if (!compile(cli, language, plugin, folder, &(struct making){.facts = facts})) {
    if (!cli->instrumented) sink_drop(sink);
    return EXIT_MODEL;
  }
  struct compilation compilation;
  compile_facts(&compilation, facts, &options);
  int code;
  if (cli->sliced && !compilation.error_count)
    code = make_slice(cli, &compilation, language, plugin, folder, sink);
  else if (!cli->instrumented)
    code = answer(cli, &compilation, sink);
  else if (say_errors(cli, &compilation) || !all_right(cli, &compilation))
    code = EXIT_MODEL;
  else
    code = write_programs(cli, language, plugin, folder, &compilation);
  compile_close(&compilation);
  return code;
}

int command_model(struct cli *cli) {
  if (cli->instrumented && (!cli->output || !strcmp(cli->output, "-"))) {
    cli_error(cli, "psl compile --instrument FILE... -o PROGRAM", "--instrument makes a program, which --output names");
    return EXIT_USAGE;
  }
  if (cli->instrumented && cli->sliced) {
    cli_error(cli, NULL, "a program is made with timers by --instrument, or sliced by --slice, not both");
    return EXIT_USAGE;
  }
  if (cli->instrumented && (cli->source_report || cli->variable)) {
    cli_error(cli, NULL, "--instrument makes a program, and goes without --report and --why");
    return EXIT_USAGE;
  }
  if (cli->sliced && (!cli->output || !strcmp(cli->output, "-"))) {
    cli_error(cli, "psl compile --slice FILE... -o PROGRAM", "--slice makes a program, which --output names");
    return EXIT_USAGE;
  }
  if (cli->sliced && (cli->source_report || cli->variable)) {
    cli_error(cli, NULL, "--slice makes a program, and goes without --report, --why and --instrument");
    return EXIT_USAGE;
  }
  if (cli->kept_count && !cli->sliced) {
    cli_error(cli, NULL, "--keep is of a sliced program: --slice makes one");
    return EXIT_USAGE;
  }
  const struct language *language = language_of_all(cli);
  if (!language) return EXIT_USAGE;
  if (cli->sliced) {
    cli->program_file = cli->output;
    cli->output = scope_printf(cli->scope, "%s.psl", cli->output);
  }
  char *plugin = psl_module("psl_facts.so");
  if (!plugin) {
    cli_error(cli, "Debian: gcc-12-plugin-dev, g++; psl is to be built where these are",
              "'compile' needs a plugin of GCC, psl_facts.so, which this psl was built without");
    return EXIT_MODEL;
  }
  struct sink sink;
  char *folder = scope_printf(cli->scope, "%s/psl-compile.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  int code = EXIT_MODEL;
  if (cli->instrumented || cli_output(cli, &sink)) {
    if (mkdtemp(folder)) {
      code = model_of(cli, language, plugin, folder, &sink);
      work_folder_remove(folder);
    } else {
      cli_error(cli, NULL, "%s cannot be made: %s", folder, strerror(errno));
      if (!cli->instrumented) sink_drop(&sink);
    }
  }
  free(plugin);
  return code;
}
