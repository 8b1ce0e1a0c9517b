/* What a shell completes behind `psl`: the functions that it is given, and the words that may stand where the cursor
 * is, which these functions ask for at each TAB.  All of it is made of the tables of commands and options, and of the
 * model that is named in the line. */
#include "interp/cli/cli.h"

#include <stdio.h>
#include <string.h>

static const char bash_script[] =
#include "completion.bash.inc"
    ;
static const char zsh_script[] =
#include "completion.zsh.inc"
    ;
static const char fish_script[] =
#include "completion.fish.inc"
    ;

/* The line before the cursor, behind `psl`: its last word is the one that is typed, and may be empty. */
struct line {
  struct cli *cli;
  const char **words;
  size_t count;
  const struct command *command;
  const char *file;           /* the first argument that is one; NULL: there is none yet */
  size_t arguments;           /* before the typed word */
  bool program;               /* what is typed stands behind a program, and is for that */
  const char *typed, *before; /* the part of the last word that is completed, and what of it stands before that */
};

/* ---- offers: a line each, the word and what it is ---- */

static void offer(const struct line *line, const char *word, const char *help) {
  if (strncmp(word, line->typed, strlen(line->typed))) return;
  printf("%s%s\t%.*s\n", line->before, word, (int)strcspn(help, "\n\t"), help);
}

static void offer_listed(const struct line *line, const char *words) {
  for (size_t length; *words; words += length + (words[length] == ' ')) {
    length = strcspn(words, " ");
    offer(line, scope_copy(line->cli->scope, words, length), "");
  }
}

static void offer_commands(const struct line *line) {
  for (const struct command *command = commands; command->name; command++)
    offer(line, command->name, command->summary);
}

static void offer_options(const struct line *line) {
  struct option_shape shape;
  for (size_t place = 0; option_at(line->command, place, &shape); place++)
    offer(line, scope_printf(line->cli->scope, "--%s", shape.name), shape.help);
}

/* Files of these endings, blank-separated, or any: the shell knows which there are. */
static void offer_files(const char *endings) { printf(":files%s%s\n", *endings ? " " : "", endings); }

/* ---- the model ---- */

/* The value of an option that stands in the line, the first or only one; NULL: it does not. */
static const char *option_given(const struct line *line, const char *name, char letter) {
  for (size_t i = 0; i + 2 < line->count; i++) {
    const char *word = line->words[i];
    bool is_long = !strncmp(word, "--", 2) && !strcmp(word + 2, name);
    if (is_long || (letter && word[0] == '-' && word[1] == letter && !word[2])) return line->words[i + 1];
  }
  return NULL;
}

/* The file that the line runs; NULL: none. */
static const char *model_named(const struct line *line) {
  const char *model = option_given(line, "model", 0);
  if (!model) model = option_given(line, "load", 'c');
  return model ? model : line->file && names_model(line->file) ? line->file : NULL;
}

/* What it runs, read without a word: it may be half written. */
static struct psl *model_open(const struct line *line) {
  struct psl_options options = line->cli->options;
  const char *folder = option_given(line, "include", 'I'), *model = model_named(line);
  bool trace = !model && line->file && psl_is_trace(line->file); /* which stands for the library's model of programs */
  if (!model && !trace) return NULL;
  options.diagnostic = NULL;
  options.folders = folder ? &folder : NULL;
  options.folder_count = folder != NULL;
  struct psl *psl = psl_open(&options);
  if (psl && trace)
    library_load(line->cli, psl, NULL);
  else if (psl)
    psl_edit_file(psl, model);
  return psl;
}

/* Of a model with errors, what it declares itself is known. */
static void offer_declared_params(const struct line *line, struct psl *psl, const char *model) {
  const struct psl_outlined *items;
  size_t count;
  if (psl_outline(psl, model, &items, &count) != PSL_OK) return;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind == PSL_NAME_PARAM && !items[i].depth)
      offer(line, scope_printf(line->cli->scope, "%s=", items[i].name), items[i].detail);
}

static void offer_params(const struct line *line, struct psl *psl) {
  const struct psl_param *params;
  size_t count;
  if (psl_params(psl, &params, &count) != PSL_OK) {
    if (!model_named(line)) return;
    offer_declared_params(line, psl, model_named(line));
    return;
  }
  for (size_t i = 0; i < count; i++)
    offer(line, scope_printf(line->cli->scope, "%s=", params[i].name),
          params[i].doc          ? params[i].doc
          : params[i].expression ? params[i].expression
                                 : params[i].value);
}

/* Of `--set machine=SP` the values of machine, of `--vary machine=SP2,` one more. */
static void offer_setting(struct line *line, bool several) {
  const char *const *values;
  const char *equals = strchr(line->typed, '=');
  size_t count;
  struct psl *psl = model_open(line);
  if (psl && !equals) offer_params(line, psl);
  if (psl && equals) {
    const char *param = scope_copy(line->cli->scope, line->typed, (size_t)(equals - line->typed));
    const char *comma = several ? strrchr(equals, ',') : NULL, *value = comma ? comma + 1 : equals + 1;
    line->before = scope_printf(line->cli->scope, "%s%.*s", line->before, (int)(value - line->typed), line->typed);
    line->typed = value;
    if (psl_choices(psl, param, &values, &count) == PSL_OK)
      for (size_t i = 0; i < count; i++)
        offer(line, values[i], "");
  }
  psl_close(psl);
}

static void offer_systems(const struct line *line, bool studies) {
  const char *const *names;
  const struct psl_outlined *items;
  size_t count;
  struct psl *psl = model_open(line);
  if (psl && psl_systems(psl, &names, &count) == PSL_OK)
    for (size_t i = 0; i < count; i++)
      offer(line, names[i], "system");
  if (psl && studies && model_named(line) && psl_outline(psl, model_named(line), &items, &count) == PSL_OK)
    for (size_t i = 0; i < count; i++)
      if (items[i].kind == PSL_NAME_STUDY) offer(line, items[i].name, "study");
  psl_close(psl);
}

/* ---- where the cursor is ---- */

/* What stands behind an option, by what its help calls it: FILE.svg is a file of that ending. */
static void offer_value(struct line *line, const struct option_shape *shape) {
  const char *point = strchr(shape->argument, '.');
  bool setting = word_listed("set against", shape->name), simulated = !strcmp(line->command->name, "simulate");
  if (!strcmp(shape->name, "vary") || (setting && !simulated))
    offer_setting(line, !setting);
  else if (!strcmp(shape->name, "format") && formats_of(line->command))
    for (const char *const *format = formats_of(line->command); *format; format++)
      offer(line, *format, "");
  else if (shape->choices)
    for (const char *const *choice = shape->choices; *choice; choice++)
      offer(line, *choice, "");
  else if (!strcmp(shape->name, "system"))
    offer_systems(line, false);
  else if (!strcmp(shape->argument, "FOLDER"))
    puts(":folders");
  else if (!strncmp(shape->argument, "FILE", 4))
    offer_files(word_listed("model load", shape->name) ? "psl" : point ? point + 1 : "");
}

/* The argument of a command: its first is a file, or one of its own words. */
static void offer_argument(const struct line *line) {
  const struct command *command = line->command;
  bool models = command->on_model || word_listed("fmt ast", command->name);
  bool first = !line->arguments, several = strstr(command->arguments, "FILE...");
  if (!strcmp(command->name, "help")) offer_commands(line);
  if (first && command->actions) offer_listed(line, command->actions);
  if (word_listed("help completion", command->name) || !*command->arguments) return;
  if (models && (first || several))
    offer_files(strcmp(command->name, "graph") ? "psl" : "psl uml xmi");
  else if (models && strstr(command->arguments, "SYSTEM"))
    offer_systems(line, false);
  else if (models && strstr(command->arguments, "NAME"))
    offer_systems(line, true);
  else if (first || !strcmp(command->name, "trace") || !strcmp(command->name, "diff"))
    offer_files("");
}

/* Takes the words before the last one: the command, the file, the option whose value is typed. */
static bool behind_option(struct line *line, struct option_shape *shape) {
  bool value = false;
  for (size_t i = 0; i + 1 < line->count; i++) {
    const char *word = line->words[i];
    if (value) {
      value = false;
    } else if (word[0] == '-' && word[1]) {
      bool known = option_find(line->command, word, shape);
      value = known && shape->argument && *shape->argument != '[' && !strchr(word, '=');
    } else if (line->command == &session_command) {
      line->command = command_find(word);
      line->program = line->command && line->command->foreign;
      if (!line->command || line->program) return false;
    } else {
      if (!line->arguments++) line->file = word;
      bool own = line->command->actions && word_listed(line->command->actions, word);
      if (line->command->program && !own) return line->program = true, false;
    }
  }
  return value;
}

static void complete(struct line *line) {
  struct option_shape shape;
  const char *typed = line->words[line->count - 1], *equals = strchr(typed, '=');
  line->command = &session_command;
  line->typed = typed;
  line->before = "";
  if (behind_option(line, &shape)) {
    offer_value(line, &shape);
  } else if (line->program) {
    offer_files("");
  } else if (!line->command) {
    return;
  } else if (!strncmp(typed, "--", 2) && equals && option_find(line->command, typed, &shape) && shape.argument) {
    line->before = scope_copy(line->cli->scope, typed, (size_t)(equals + 1 - typed));
    line->typed = equals + 1;
    offer_value(line, &shape);
  } else if (*typed == '-') {
    offer_options(line);
  } else if (line->command == &session_command) {
    offer_commands(line);
  } else {
    offer_argument(line);
  }
}

int command_completion(struct cli *cli) {
  const char *shell = cli->arguments[0];
  static const char *const last = "";
  if (!strcmp(shell, "words")) {
    bool none = cli->argument_count == 1;
    struct line line = {.cli = cli,
                        .words = none ? (const char **)&last : cli->arguments + 1,
                        .count = none ? 1 : cli->argument_count - 1};
    complete(&line);
    return EXIT_FINE;
  }
  const char *script = !strcmp(shell, "bash") ? bash_script : !strcmp(shell, "zsh") ? zsh_script : fish_script;
  if (!word_listed(cli->command->actions, shell)) {
    cli_error(cli, "it knows bash, zsh and fish", "no shell is named '%s'", shown(cli, shell));
    return EXIT_USAGE;
  }
  fputs(script, stdout);
  return EXIT_FINE;
}
