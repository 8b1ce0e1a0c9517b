/* The lines of a session that are no PSL: the program's commands on the session's model, and the session's own, which
 * begin with a colon. */
#include "interp/cli/prompt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- words ---- */

static size_t word_length(const char *line, size_t size) {
  size_t length = 0;
  while (length < size && (isalnum((unsigned char)line[length]) || line[length] == '-'))
    length++;
  return length;
}

static bool is_word(const char *word, const char *text, size_t length) {
  return strlen(word) == length && memcmp(word, text, length) == 0;
}

static const struct command *program_command(const char *name, size_t length) {
  for (const struct command *command = commands; command->name; command++)
    if (is_word(command->name, name, length)) return command;
  return NULL;
}

static const struct session_command *own_command(const char *name, size_t length) {
  for (const struct session_command *command = session_commands; command->name; command++)
    if (is_word(command->name, name, length)) return command;
  return NULL;
}

/* `./farm.psl`, `../farm.psl`, and `/models/farm.psl` where that cannot be a quotient. */
static bool begins_path(const char *text, size_t size) {
  size_t length = 0;
  while (length < size && !strchr(" \t\r\n", text[length]))
    length++;
  if (length > 2 && (strncmp(text, "./", 2) == 0 || strncmp(text, "../", 3) == 0)) return true;
  return length > 5 && *text == '/' && strncmp(text + length - 4, ".psl", 4) == 0;
}

/* `run = 3`, `graph + 1`, `time -> ms`, `study s of farm {` and `fit cost(` are PSL. */
static bool begins_psl(const char *line, size_t size, size_t length) {
  size_t at = length;
  while (at < size && (line[at] == ' ' || line[at] == '\t'))
    at++;
  bool study = is_word("study", line, length); /* no name */
  if (at > length && begins_path(line + at, size - at)) return false;
  if (at < size && strchr("=+*/^<>.,;)([{", line[at])) return !study || !strchr("<>", line[at]);
  if (at + 1 < size && line[at] == '-' && line[at + 1] == '>') return true;
  bool fit = is_word("fit", line, length);
  if (!fit && !study) return false;
  at += word_length(line + at, size - at);
  while (at < size && (line[at] == ' ' || line[at] == '\t'))
    at++;
  if (fit) return at < size && line[at] == '(';
  return at + 2 < size && strncmp(line + at, "of", 2) == 0 && !isalnum((unsigned char)line[at + 2]);
}

const char *const *command_words(struct scope *scope) {
  const char **words = NULL;
  int count = 0, capacity = 0;
  for (const struct session_command *own = session_commands; own->name; own++)
    SCOPE_PUSH(scope, words, count, capacity, scope_printf(scope, ":%s", own->name));
  for (const struct command *command = commands; command->name; command++)
    SCOPE_PUSH(scope, words, count, capacity, command->name);
  SCOPE_PUSH(scope, words, count, capacity, NULL);
  return words;
}

/* `worker?`, as some ask for help. */
static bool asks_behind(const char *line, size_t size) {
  while (size && strchr(" \t\r", line[size - 1]))
    size--;
  size_t length = 0;
  while (length < size && (isalnum((unsigned char)line[length]) || strchr("-_.", line[length])))
    length++;
  return length && length + 1 == size && line[length] == '?';
}

bool is_command(const char *line, size_t size) {
  if (size && memchr(":?!", *line, 3)) return true;
  if (asks_behind(line, size)) return true;
  size_t length = word_length(line, size);
  return length && program_command(line, length) && !begins_psl(line, size, length);
}

/* Where an operator stands behind a word, that is a name. */
static bool is_operator(const char *text, size_t length) {
  static const char *const words[] = {"in", "and", "or", "div", "mod", "then", "else"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_word(words[i], text, length)) return true;
  return false;
}

bool lacks_colon(const char *line, size_t size) {
  size_t length = word_length(line, size), at = length;
  if (!length || program_command(line, length) || !own_command(line, length)) return false;
  if (at < size && line[at] == '!') return at + 1 == size || line[at + 1] != '=';
  while (at < size && (line[at] == ' ' || line[at] == '\t'))
    at++;
  if (at + 1 < size && line[at] == '-' && line[at + 1] == '>') return false;
  size_t next = word_length(line + at, size - at);
  bool word = at > length && at < size && (next || strchr("'\"./~_", line[at]));
  return word && !is_operator(line + at, next);
}

/* A line as words: blanks part them, quotes hold them together. NULL after an error. */
static char **split(struct session *session, char *line, int *count) {
  struct scope *scope = session->cli->scope;
  char **words = NULL;
  int capacity = 0;
  *count = 0;
  for (char *at = line; *at;) {
    at += strspn(at, " \t\r");
    if (!*at) break;
    char *word = at, *end = at, quote = '\0';
    for (; *at && (quote || !strchr(" \t\r", *at)); at++) {
      if (quote ? *at == quote : *at == '\'' || *at == '"')
        quote = quote ? '\0' : *at;
      else
        *end++ = *at;
    }
    if (quote) {
      cli_error(session->cli, NULL, "the quote %c is not closed", quote);
      return NULL;
    }
    at += *at != '\0';
    *end = '\0';
    SCOPE_PUSH(scope, words, *count, capacity, word);
  }
  return words;
}

/* ---- the program's commands ---- */

/* `run > f`, `run | less`. */
static bool is_for_shell(char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (strchr("<>|", *words[i]) && *words[i]) return true;
  return false;
}

static int program_line(struct session *session, const struct command *command, char *rest) {
  struct cli *base = session->cli;
  int count;
  if (command->run == command_study && strchr(rest, '{')) {
    cli_error(base, "it is written: study NAME of SYSTEM { vary PARAM in 1 .. 3; report ...; }",
              "a study is declared of a system");
    return EXIT_USAGE;
  }
  char **words = split(session, rest, &count);
  if (count && !words) return EXIT_USAGE;
  if (is_for_shell(words, count)) {
    cli_error(base, scope_printf(base->scope, "'%s -o FILE' writes to a file", command->name),
              "a session has no '>' and no '|' behind commands");
    return EXIT_USAGE;
  }
  struct cli cli = {
      .scope = base->scope,
      .options = base->options,
      .compare.tolerance = -1,
      .paged = session->interactive,
      .session = command->on_model ? session->psl : NULL,
      .files = base->files,
  };
  char **line = SCOPE_ARRAY(base->scope, char *, count + 4);
  int size = 0;
  line[size++] = "psl";
  line[size++] = scope_copy(base->scope, command->name, strlen(command->name));
  if (command->on_model) line[size++] = "the session";
  for (int i = 0; i < count; i++)
    line[size++] = words[i];
  int code = options_read(&cli, size, line);
  return code == EXIT_FINE ? cli_perform(&cli) : code;
}

/* ---- the session's own ---- */

static int command_quit(struct session *session, char *rest) {
  (void)rest;
  session->ended = true;
  return EXIT_FINE;
}

static int command_load_file(struct session *session, char *rest) {
  int count;
  char **words = split(session, rest, &count);
  if (count != 1) {
    cli_error(session->cli, NULL, "usage: :load FILE");
    return EXIT_USAGE;
  }
  if (!model_meant(session->cli, words[0])) return EXIT_USAGE;
  files_read_anew(session->cli->files);
  psl_mark(session->psl, scope_printf(session->cli->scope, ":load %s", words[0]));
  int code = exit_of(psl_open_file(session->psl, words[0]));
  files_have_read(session->cli->files, code == EXIT_FINE);
  if (code == EXIT_FINE) session->loaded = words[0];
  return code;
}

static int command_reload(struct session *session, char *rest) {
  (void)rest;
  files_read_anew(session->cli->files);
  int code = exit_of(psl_reload(session->psl));
  files_have_read(session->cli->files, code == EXIT_FINE);
  return code;
}

/* The answer is a line of its own; whatever is no yes is no. */
static bool agrees(const char *question) {
  char line[80];
  printf("%s [y/N] ", question);
  fflush(stdout);
  ssize_t got = read(STDIN_FILENO, line, sizeof line);
  if (got <= 0) putchar('\n');
  return got > 0 && (*line == 'y' || *line == 'Y');
}

static int command_clear(struct session *session, char *rest) {
  bool asks = session->interactive && *rest != '!';
  if (asks && !agrees("Forget all that was loaded, declared and set?")) return EXIT_FINE;
  files_read_anew(session->cli->files);
  return exit_of(psl_clear(session->psl));
}

static int set_list(struct session *session) {
  const struct psl_param *params;
  size_t count;
  enum psl_code code = psl_params(session->psl, &params, &count);
  for (size_t i = 0; code == PSL_OK && i < count; i++)
    if (params[i].set) printf("%s = %s\n", params[i].name, shown(session->cli, params[i].value));
  return exit_of(code);
}

/* `set workers 4` and `set workers to 4` as ':set' takes them; NULL: that is not it. */
static const char *with_equals(struct scope *scope, const char *rest) {
  size_t name = strcspn(rest, " \t="), blanks = strspn(rest + name, " \t");
  const char *value = rest + name + blanks;
  if (!name || !blanks || !*value || strchr(rest, '=') || !strncmp(value, "in ", 3)) return NULL;
  if (!strncmp(value, "to ", 3)) value += 3;
  return scope_printf(scope, "%.*s = %s", (int)name, rest, value);
}

/* `n = 4 k = 2` and `n = 4, k = 2` are two settings: where the second begins; NULL: it is one, as in a list or a record
 * of a value. */
static const char *second_setting(const char *rest) {
  int open = 0;
  const char *word = NULL; /* the last one that began behind a blank or a comma, and is a name so far */
  for (const char *at = strchr(rest, '=') + 1; *at; at++) {
    open += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
    bool name = isalnum((unsigned char)*at) || strchr("-_.", *at);
    if (*at == '"' || open) return NULL;
    if (*at == '=' && at[1] != '=' && word) return word;
    if (name && strchr(" ,", at[-1]) && isalpha((unsigned char)*at)) word = at;
    if (!name && *at != ' ') word = NULL;
  }
  return NULL;
}

static const char *settings_meant(struct session *session, const char *rest, const char *second) {
  size_t first = (size_t)(second - rest);
  while (first && strchr(" ,", rest[first - 1]))
    first--;
  const char *one = scope_copy(session->cli->scope, rest, first);
  return scope_printf(session->cli->scope, "':set' gives one param a value: :set %s and then :set %s",
                      shown(session->cli, one), shown(session->cli, second));
}

/* A value that its range refuses, or what is asserted of the param alone, is not kept. */
static int command_set(struct session *session, char *rest) {
  struct scope *scope = session->cli->scope;
  struct psl *psl = session->psl;
  const struct psl_answer *answer;
  const char *before;
  char *equals = strchr(rest, '=');
  if (!*rest) return set_list(session);
  if (!equals || equals == rest || !equals[1]) {
    const char *meant = with_equals(scope, rest);
    cli_error(session->cli,
              meant ? scope_printf(scope, "write :set %s", shown(session->cli, meant))
                    : "':unset PARAM' takes a setting back, ':params' lists the params",
              "usage: :set PARAM=EXPRESSION");
    return EXIT_USAGE;
  }
  const char *second = second_setting(rest);
  if (second) {
    cli_error(session->cli, settings_meant(session, rest, second), "usage: :set PARAM=EXPRESSION");
    return EXIT_USAGE;
  }
  size_t length = (size_t)(equals - rest);
  while (length && strchr(" \t", rest[length - 1]))
    length--;
  const char *name = scope_copy(scope, rest, length), *value = equals + 1 + strspn(equals + 1, " \t");
  if (psl_setting(psl, name, &before) != PSL_OK) return EXIT_MODEL;
  before = before ? scope_copy(scope, before, strlen(before)) : NULL;
  enum psl_code code = PSL_OK;
  if (strstr(value, "last") || strstr(value, "ans")) { /* the value of now is meant */
    code = psl_evaluate(psl, ":set", 1, value, strlen(value), &answer);
    if (code == PSL_OK && answer->names_last) value = scope_copy(scope, answer->exact, strlen(answer->exact));
  }
  if (code == PSL_OK) code = psl_mark(psl, scope_printf(scope, ":set %s", rest));
  if (code == PSL_OK) code = psl_set(psl, name, value);
  if (code != PSL_OK) return exit_of(code);
  code = psl_check_param(psl, name);
  if (code == PSL_OK) return EXIT_FINE;
  if (before)
    psl_set(psl, name, before);
  else
    psl_unset(psl, name);
  return exit_of(code);
}

static int command_unset(struct session *session, char *rest) {
  if (*rest) {
    psl_mark(session->psl, scope_printf(session->cli->scope, ":unset %s", rest));
    return exit_of(psl_unset(session->psl, rest));
  }
  cli_error(session->cli, NULL, "usage: :unset PARAM");
  return EXIT_USAGE;
}

/* `:undo 3`: as often as is said, and each is named. */
static int go(struct session *session, const char *rest, const char *command, const char *said,
              enum psl_code (*step)(struct psl *, const char **)) {
  char *end;
  unsigned long times = *rest ? strtoul(rest, &end, 10) : 1;
  if (*rest && (!isdigit((unsigned char)*rest) || *end || !times)) {
    bool all = !strcmp(rest, "all");
    cli_error(session->cli,
              all && step == psl_undo ? "':clear' forgets all that was loaded, declared and set, ':load FILE' begins "
                                        "with that model again"
                                      : NULL,
              "usage: :%s [NUMBER]", command);
    return EXIT_USAGE;
  }
  for (unsigned long done = 0; done < times; done++) {
    const char *what;
    enum psl_code code = step(session->psl, &what);
    if (code != PSL_OK) return exit_of(code);
    if (!what) {
      cli_error(session->cli, NULL, "nothing %sis left to %s", done ? "more " : "",
                step == psl_undo ? "take back" : "make again");
      return EXIT_MODEL;
    }
    printf("%s: %s\n", said, shown(session->cli, what));
  }
  return EXIT_FINE;
}

static int command_undo(struct session *session, char *rest) {
  return go(session, rest, "undo", "taken back", psl_undo);
}

static int command_redo(struct session *session, char *rest) {
  return go(session, rest, "redo", "made again", psl_redo);
}

static int command_list_params(struct session *session, char *rest) {
  return program_line(session, command_find("params"), rest);
}

static int command_type(struct session *session, char *rest) {
  const struct psl_answer *answer;
  enum psl_code code = psl_evaluate(session->psl, ":type", 1, rest, strlen(rest), &answer);
  if (code == PSL_OK) printf("%s\n", answer->type);
  return exit_of(code);
}

static int command_last(struct session *session, char *rest) {
  struct page page;
  FILE *file = session->interactive ? page_open(&page) : NULL;
  enum psl_code code = psl_last(session->psl, rest, psl_write_file, file ? file : stdout);
  if (file) page_show(&page);
  return exit_of(code);
}

/* Does a text as inputs of its own: what came of them. */
static int take_apart(struct session *session, const char *name, const char *text) {
  struct reader reader;
  int worst = session->code;
  session->code = EXIT_FINE;
  reader_open(&reader, session->cli->scope, name, 1);
  reader_take(session, &reader, text, strlen(text), true);
  int code = session->code;
  session->code = worst;
  return code;
}

static int command_time(struct session *session, char *rest) {
  bool was = session->timing;
  if (!*rest)
    session->timing = !was;
  else if (strcmp(rest, "on") == 0)
    session->timing = true;
  else if (strcmp(rest, "off") == 0)
    session->timing = false;
  else {
    session->timing = true;
    int code = take_apart(session, ":time", rest);
    session->timing = was;
    return code;
  }
  return EXIT_FINE;
}

/* Lines behind the first stand beneath it. */
static void put_input(FILE *file, size_t number, const char *text) {
  fprintf(file, "%5zu  ", number + 1);
  for (; *text; text++) {
    fputc(*text, file);
    if (*text == '\n') fputs("       ", file);
  }
  fputc('\n', file);
}

static int command_history(struct session *session, char *rest) {
  struct page page;
  char *end = rest;
  size_t count = *rest ? strtoul(rest, &end, 10) : INPUTS;
  if (*end || !count || *rest == '-') {
    cli_error(session->cli, NULL, "usage: :history [NUMBER]");
    return EXIT_USAGE;
  }
  FILE *file = session->interactive ? page_open(&page) : NULL;
  size_t all = session->input_count;
  for (size_t i = all > count ? all - count : 0; i < all; i++)
    if (input_before(session, i)) put_input(file ? file : stdout, i, input_before(session, i));
  if (file) page_show(&page);
  return EXIT_FINE;
}

/* Only for a person: a script that is sent on should do no more than its text says. */
static bool is_typed(struct session *session, const char *what) {
  if (!session->typed) cli_error(session->cli, NULL, "%s is for a terminal and for -e, not for scripts", what);
  return session->typed;
}

/* The last declaration, expression or command on the model. */
static const char *last_input(const struct session *session) {
  for (size_t i = session->input_count; i-- > 0;) {
    const char *input = input_before(session, i);
    if (!input) break;
    if (*input && !strchr(":?!", *input)) return input;
  }
  return NULL;
}

static int command_edit(struct session *session, char *rest) {
  struct buffer text = {.scope = session->cli->scope};
  const char *last = last_input(session);
  if (!is_typed(session, "':edit'")) return EXIT_USAGE;
  if (*rest) {
    enum psl_code code = psl_declaration(session->psl, rest, buffer_write, &text);
    if (code != PSL_OK) return exit_of(code);
  } else if (last) {
    buffer_put(&text, last, strlen(last));
  } else {
    cli_error(session->cli, "':edit NAME' takes a declaration", "there is no input yet to edit");
    return EXIT_MODEL;
  }
  char *edited = text_edit(session, text.data);
  if (!edited) return EXIT_MODEL;
  for (size_t end = strlen(edited); end && strchr(" \t\r\n", edited[end - 1]); end--)
    edited[end - 1] = '\0';
  if (!*edited || strcmp(edited, text.data) == 0) {
    puts("nothing was changed");
    return EXIT_FINE;
  }
  printf("%s\n", edited);
  free(session->edited);
  session->edited = strdup(edited);
  return take_apart(session, "edited", edited);
}

static int command_shell(struct session *session, char *rest) {
  if (!is_typed(session, "'!'")) return EXIT_USAGE;
  if (!*rest) {
    cli_error(session->cli, NULL, "usage: !COMMAND, which the shell does");
    return EXIT_USAGE;
  }
  int status = program_run(rest, NULL, -1);
  if (status) cli_error(session->cli, NULL, "the command ended with status %d", status);
  return status ? EXIT_MODEL : EXIT_FINE;
}

static void list_help(FILE *file) {
  fputs("Declarations of PSL add to the session, or replace what has their name; an expression prints its\n"
        "value, in the unit that is behind '->' if one is: total(4 KiB) -> us. 'last' is the last run:\n"
        "last.makespan, last.COMPONENT.wait; 'ans' is the last value. The ';' that ends what you type may\n"
        "be left out; inside of a component each must stand.\n"
        "\n"
        "Commands, which begin a line:\n",
        file);
  for (const struct command *command = commands; command->name; command++)
    fprintf(file, "  %-30s %s\n", command->name, command->summary);
  for (const struct session_command *own = session_commands; own->name; own++) {
    int length = fprintf(file, "  :%s%s%s", own->name, *own->arguments ? " " : "", own->arguments);
    fprintf(file, "%*s %s\n", length < 32 ? 32 - length : 0, "", own->summary);
  }
  fprintf(file, "  %-30s %s\n", "!COMMAND", "do a command of the shell");
}

/* With a colon a command is meant; else all that has the name is explained. */
static int help_line(struct session *session, const char *rest, FILE *file) {
  bool colon = *rest == ':';
  const char *name = rest + colon;
  const struct session_command *own = own_command(name, strlen(name));
  const struct command *command = program_command(name, strlen(name));
  if (!*rest) {
    list_help(file);
    return EXIT_FINE;
  }
  if (own && (colon || !command))
    fprintf(file, ":%s%s%s: %s\n", own->name, *own->arguments ? " " : "", own->arguments, own->summary);
  else if (command)
    command_help(file, command);
  return colon ? EXIT_FINE : exit_of(psl_help(session->psl, name, own || command, psl_write_file, file));
}

static int command_help_line(struct session *session, char *rest) {
  struct page page;
  FILE *file = session->interactive ? page_open(&page) : NULL;
  int code = help_line(session, rest, file ? file : stdout);
  if (file) page_show(&page);
  return code;
}

static bool is_same_file(const char *path, const struct stat *file) {
  struct stat status;
  return path && stat(path, &status) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino;
}

/* Did it come from this session, or go into it? */
static bool is_of_session(const struct session *session, const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && (is_same_file(session->loaded, &file) || is_same_file(session->saved, &file));
}

/* Another file that is there may be anything. */
static bool may_replace(const struct session *session, const char *path) {
  struct stat file;
  if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || is_of_session(session, path)) return true;
  cli_error(session->cli, scope_printf(session->cli->scope, "':save! %s' replaces it", path),
            "%s is there, and was neither loaded nor saved in this session", path);
  return false;
}

static int save(struct session *session, char *rest) {
  struct cli *cli = session->cli;
  struct sink sink;
  int count;
  bool anyway = *rest == '!';
  char **words = split(session, rest + anyway, &count);
  if (count != 1) {
    cli_error(cli, NULL, "usage: :save FILE");
    return EXIT_USAGE;
  }
  if (!anyway && !may_replace(session, words[0])) return EXIT_MODEL;
  const char *slash = strrchr(words[0], '/');
  const char *folder = slash ? scope_copy(cli->scope, words[0], (size_t)(slash - words[0]) + 1) : ".";
  enum contents contents = is_of_session(session, words[0]) ? CONTENTS_BACK : CONTENTS_MODEL;
  if (!sink_open(cli, &sink, words[0], ":save", contents)) return EXIT_MODEL;
  enum psl_code code = psl_session_text(session->psl, folder, psl_write_file, sink.file);
  if (code != PSL_OK) {
    sink_drop(&sink);
    return exit_of(code);
  }
  if (!sink_keep(cli, &sink)) return EXIT_MODEL;
  session->saved = words[0];
  return EXIT_FINE;
}

static int command_save(struct session *session, char *rest) {
  size_t written = files_written(session->cli->files);
  int code = save(session, rest);
  files_close_written(session->cli->files, written);
  return code;
}

static int command_allow(struct session *session, char *rest) {
  int count;
  char **words = split(session, rest, &count);
  bool read = count == 2 && strcmp(words[0], "read") == 0;
  if (!read && !(count == 1 && strcmp(words[0], "native") == 0)) {
    cli_error(session->cli,
              "from then on the session's models may load C code, which can do all that you can, or read that folder",
              "usage: :allow native, or :allow read FOLDER");
    return EXIT_USAGE;
  }
  if (read) return exit_of(psl_allow_read(session->psl, words[1]));
  native_watch();
  psl_allow_native(session->psl, true);
  return exit_of(psl_reload(session->psl));
}

const struct session_command session_commands[] = {
    {"set", "[PARAM=EXPRESSION]", "give a param a value; alone: what was given", command_set},
    {"unset", "PARAM", "take it back", command_unset},
    {"params", "", "list the params", command_list_params},
    {"load", "FILE", "load a model, in place of one loaded before", command_load_file},
    {"reload", "", "read all files again", command_reload},
    {"save", "FILE", "write the session as a model: what is declared, and what is set; :save! replaces any file",
     command_save},
    {"clear", "", "forget all that was loaded, declared and set; :clear! does not ask", command_clear},
    {"undo", "[NUMBER]", "take back the last declaration, setting or file, or so many; again: the one before",
     command_undo},
    {"redo", "[NUMBER]", "make again what :undo took back last, or so many", command_redo},
    {"history", "[NUMBER]", "the inputs of this session, or so many of the last", command_history},
    {"edit", "[NAME]", "change the last input, or a declaration, in your editor, and do it", command_edit},
    {"time", "[on | off | INPUT]", "say how long each input takes, or one", command_time},
    {"type", "EXPRESSION", "the type of its value", command_type},
    {"last", "[NAME]", "all figures of the last run, or those of NAME: a component, what is recorded", command_last},
    {"allow", "native | read FOLDER", "let models load C code, which can do all that you can, or read FOLDER, too",
     command_allow},
    {"help", "[NAME | WORDS]", "explain a name, a command, words, or how this works", command_help_line},
    {"quit", "", "end the session, as Ctrl-D does", command_quit},
    {0},
};

static int say_colon(struct session *session, const char *line, size_t size) {
  struct scope *scope = session->cli->scope;
  const char *copy = scope_copy(scope, line, size);
  const char *setting = strncmp(copy, "set ", 4) ? NULL : with_equals(scope, copy + 4 + strspn(copy + 4, " \t"));
  if (setting) copy = scope_printf(scope, "set %s", setting);
  cli_error(session->cli, scope_printf(scope, "write :%s", shown(session->cli, copy)),
            "the session's own commands begin with a colon");
  return EXIT_USAGE;
}

static int unknown_line(struct session *session, const char *name) {
  const char *names[64], *hint = psl_advice(name);
  size_t count = 0;
  for (const struct session_command *c = session_commands; c->name && count < 64; c++)
    names[count++] = c->name;
  for (const struct command *c = commands; c->name && count < 64; c++)
    names[count++] = c->name;
  const char *nearest = psl_nearest(name, names, count);
  if (!hint && nearest) hint = scope_printf(session->cli->scope, "did you mean ':%s'?", nearest);
  cli_error(session->cli, hint ? hint : "':help' lists the commands", "no command is named ':%s'", name);
  return EXIT_USAGE;
}

int command_line(struct session *session, const char *line, size_t size) {
  struct scope *scope = session->cli->scope;
  bool colon = *line == ':', question = *line == '?', shell = *line == '!';
  if (asks_behind(line, size)) {
    char *name = scope_copy(scope, line, size);
    *strchr(name, '?') = '\0';
    return command_help_line(session, name);
  }
  if (lacks_colon(line, size)) return say_colon(session, line, size);
  line += colon || question || shell;
  size -= colon || question || shell;
  size_t length = question || shell ? 0 : word_length(line, size);
  char *rest = scope_copy(scope, line + length, size - length);
  rest += strspn(rest, " \t\r");
  for (size_t end = strlen(rest); end && strchr(" \t\r", rest[end - 1]); end--)
    rest[end - 1] = '\0';
  if (question) return command_help_line(session, rest);
  if (shell) return command_shell(session, rest);
  const struct session_command *own = colon ? own_command(line, length) : NULL;
  if (own) return own->run(session, rest);
  const struct command *command = program_command(line, length);
  if (command && is_word("help", line, length)) return command_help_line(session, rest);
  if (command) return program_line(session, command, rest);
  return unknown_line(session, scope_copy(scope, line, length));
}
