/* TAB at the prompt: words that the library knows to fit, commands and their options, params, paths.  Readline calls
 * it; what it takes is from malloc, as readline frees it. */
#include "interp/cli/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

static struct session *session; /* readline's functions take no argument of ours */

/* The words in hand, for the generator. */
static char **found;
static size_t count, capacity, next;

static void clear(void) {
  for (size_t i = 0; i < count; i++)
    free(found[i]);
  count = next = 0;
}

static void offer(const char *word, const char *typed, size_t length) {
  if (strncmp(word, typed, length) != 0) return;
  if (count == capacity) {
    char **grown = realloc(found, (capacity * 2 + 64) * sizeof *found);
    if (!grown) return;
    found = grown;
    capacity = capacity * 2 + 64;
  }
  char *copy = strdup(word);
  if (copy) found[count++] = copy;
}

static char *generate(const char *text, int state) {
  (void)text;
  if (!state) next = 0;
  return next < count ? strdup(found[next++]) : NULL;
}

/* ---- what fits ---- */

static bool begins_with(const char *line, const char *word) {
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\t');
}

static void offer_commands(const char *typed, size_t length) {
  bool colon = *typed == ':';
  for (const struct command *command = commands; command->name; command++)
    offer(command->name, typed + colon, length - colon);
  for (const struct session_command *own = session_commands; own->name && colon; own++)
    offer(own->name, typed + 1, length - 1);
  for (size_t i = 0; colon && i < count; i++) { /* the colon is part of the word */
    char *word = malloc(strlen(found[i]) + 2);
    if (!word) continue;
    sprintf(word, ":%s", found[i]);
    free(found[i]);
    found[i] = word;
  }
}

static void offer_params(const char *typed, size_t length) {
  const struct psl_param *params;
  size_t size;
  if (psl_params(session->psl, &params, &size) != PSL_OK) return;
  for (size_t i = 0; i < size; i++)
    offer(params[i].name, typed, length);
}

/* The param whose value the word is, of `--set machine=`, `--vary machine=SP2,` or `:set machine=`; NULL: of none. */
static char *param_before(const char *line, int start) {
  static const char *const options[] = {"--set", "--vary", "--against"};
  int equals = start, name, option;
  while (equals && !strchr("= ", line[equals - 1]))
    equals--;
  for (name = --equals; name > 0 && !strchr(" \t'\"", line[name - 1]);)
    name--;
  if (equals < 0 || line[equals] != '=' || name == equals) return NULL;
  for (option = name; option > 0 && strchr(" \t'\"=", line[option - 1]);)
    option--;
  bool given = begins_with(line + strspn(line, " \t"), ":set");
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    int length = (int)strlen(options[i]);
    given |= option >= length && strncmp(line + option - length, options[i], (size_t)length) == 0;
  }
  return given ? strndup(line + name, (size_t)(equals - name)) : NULL;
}

/* Is it a value of such a param, which then has no other? */
static bool offer_choices(const char *line, int start, const char *typed, size_t length) {
  const char *const *values;
  size_t size = 0;
  char *param = param_before(line, start);
  if (param && psl_choices(session->psl, param, &values, &size) != PSL_OK) size = 0;
  for (size_t i = 0; i < size; i++)
    offer(values[i], typed, length);
  free(param);
  return size;
}

static void offer_options(const char *line, const char *typed, size_t length) {
  char name[32];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
  const struct command *command = command_find(name);
  struct option_shape shape;
  for (size_t i = 0; command && option_at(command, i, &shape); i++) {
    char word[64];
    snprintf(word, sizeof word, "--%s", shape.name);
    offer(word, typed, length);
  }
}

static void offer_names(int start, int end) {
  const struct psl_completion *completion;
  if (psl_complete(session->psl, rl_line_buffer, (size_t)end, &completion) != PSL_OK) return;
  if (completion->begin < (size_t)start) return;
  size_t before = completion->begin - (size_t)start; /* of readline's word: 3..workers */
  for (size_t i = 0; i < completion->count; i++) {
    char word[600];
    snprintf(word, sizeof word, "%.*s%s", (int)before, rl_line_buffer + start, completion->words[i]);
    offer(word, word, 0);
  }
}

static bool wants_path(const char *line, int start) {
  static const char *const commands_of_files[] = {":load", ":save", "fmt", "ast", "report", "diff"};
  static const char *const options_of_files[] = {"-o",   "--output",    "--trace", "--timeline",
                                                 "--db", "--plot-file", "--params"};
  for (size_t i = 0; i < sizeof commands_of_files / sizeof *commands_of_files; i++)
    if (begins_with(line, commands_of_files[i])) return true;
  while (start && line[start - 1] == ' ')
    start--;
  for (size_t i = 0; i < sizeof options_of_files / sizeof *options_of_files; i++) {
    int length = (int)strlen(options_of_files[i]);
    if (start >= length && strncmp(line + start - length, options_of_files[i], (size_t)length) == 0) return true;
  }
  const char *quote = strchr(line, '"');
  return begins_with(line, "use") && quote && quote < line + start + 1;
}

/* The word from `start` to `end` of the line. */
static char **complete(const char *text, int start, int end) {
  const char *line = rl_line_buffer + strspn(rl_line_buffer, " \t");
  size_t length = (size_t)(end - start);
  bool first = rl_line_buffer + start <= line;
  clear();
  rl_attempted_completion_over = 1;
  rl_completion_append_character = '\0';
  if (wants_path(rl_line_buffer, start)) {
    rl_filename_completion_desired = 1;
    return rl_completion_matches(text, rl_filename_completion_function);
  }
  if (first) offer_commands(text, length);
  if (count == 1 || *text == '-') rl_completion_append_character = ' ';
  if (offer_choices(rl_line_buffer, start, text, length)) return count ? rl_completion_matches(text, generate) : NULL;
  if (*text == '-')
    offer_options(line + (*line == ':'), text, length);
  else if (begins_with(line, ":set") || begins_with(line, ":unset")) {
    bool value = memchr(line, '=', (size_t)(rl_line_buffer + start - line)) != NULL;
    if (value)
      offer_names(start, end);
    else
      offer_params(text, length);
    if (!value && begins_with(line, ":set")) rl_completion_append_character = '=';
  } else if (*text != ':')
    offer_names(start, end);
  if (begins_with(line, ":help")) offer_commands(text, length);
  return count ? rl_completion_matches(text, generate) : NULL;
}

/* A path is one word, and so is `-output`; elsewhere operators part words. */
static char *word_breaks(void) {
  static char paths[] = " \t\n\"'=", names[] = " \t\n\"'=<>+*/^;,(){}[]|&", commands_line[] = " \t\n\"'=,";
  const char *line = rl_line_buffer + strspn(rl_line_buffer, " \t");
  if (wants_path(rl_line_buffer, rl_point)) return paths;
  bool value = begins_with(line, ":set") && strchr(line, '=');
  return value || (is_command(line, strlen(line)) && *line != ':') ? commands_line : names;
}

void completion_begin(struct session *of) {
  session = of;
  rl_attempted_completion_function = complete;
  rl_completion_word_break_hook = word_breaks;
  rl_completer_quote_characters = "";
}
