/* Fuzz target: the lines of a session. Whatever is typed, each piece of it ends in an answer, a report or diagnostics.
 * Lines that are commands do what they do at the prompt, within bounds, and read and write no file but one in memory:
 * where the session is saved, loaded from, and compared with by diff. What is saved is a model that loads. */
#include "interp/include/psl.h"
#include "tests/fuzz/blocks.h"
#include "tests/fuzz/limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RUNS = 8, AXES = 4, SETTINGS = 8, VALUES = 6 };

struct session {
  struct psl *psl;
  size_t written;
  unsigned runs; /* commands that may still run a system */
  int saved;     /* a file in memory; -1: nothing was saved */
  char path[40]; /* of that file */
};

static void ignore(void *user, const struct psl_diagnostic *diagnostic) { *(size_t *)user += strlen(diagnostic->text); }

static const char *no_file(void *user, const char *path) {
  (void)user;
  bool known = strstr(path, "stdlib") || strstr(path, "coercions") || !strncmp(path, "/proc/self/fd/", 14);
  return known ? NULL : "a session of the fuzzer reads none";
}

static int count(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
}

static int to_file(void *user, const char *text, size_t size) { return write(*(int *)user, text, size) < 0; }

/* ---- the words of a command ---- */

struct command {
  const char *name, *subject; /* behind the name: a system, a study, a component; NULL: none */
  const char *system;
  enum psl_format format;
  struct psl_run_options run;
  uint64_t repetitions, evaluations;
  enum psl_search search;
  double step, tolerance;
  bool dynamic, by_rank;
  const char *plot;
  struct psl_vary axes[AXES];
  struct psl_pair settings[SETTINGS], against[SETTINGS];
  size_t axis_count, setting_count, against_count;
};

static uint64_t at_most(uint64_t limit, const char *word) {
  uint64_t number = strtoull(word, NULL, 10);
  return number < limit ? number : limit;
}

/* NAME=VALUE; the value may be missing. */
static struct psl_pair pair_of(char *word) {
  char *equals = strchr(word, '=');
  if (equals) *equals++ = 0;
  return (struct psl_pair){word, equals};
}

static void add_pair(struct psl_pair *pairs, size_t *used, char *word) {
  struct psl_pair pair = pair_of(word);
  if (pair.value && *used < SETTINGS) pairs[(*used)++] = pair;
}

static void add_axis(struct command *c, char *word) {
  struct psl_pair pair = pair_of(word);
  if (c->axis_count < AXES) c->axes[c->axis_count++] = (struct psl_vary){pair.param, pair.value};
}

/* An option with its argument, or what stands behind its name after `=`. */
static void option(struct command *c, const char *name, char *argument) {
  if (!strcmp(name, "--set")) add_pair(c->settings, &c->setting_count, argument);
  if (!strcmp(name, "--against")) add_pair(c->against, &c->against_count, argument);
  if (!strcmp(name, "--vary")) add_axis(c, argument);
  if (!strcmp(name, "--system")) c->system = argument;
  if (!strcmp(name, "--repetitions")) c->repetitions = at_most(4, argument);
  if (!strcmp(name, "--evaluations")) c->evaluations = at_most(30, argument);
  if (!strcmp(name, "--seed")) c->run.seed = strtoull(argument, NULL, 10);
  if (!strcmp(name, "--max-firings")) c->run.max_firings = at_most(c->run.max_firings, argument);
  if (!strcmp(name, "--max-time")) c->run.max_time = strtod(argument, NULL);
  if (!strcmp(name, "--step")) c->step = strtod(argument, NULL) / 100;
  if (!strcmp(name, "--tolerance")) c->tolerance = strtod(argument, NULL) / 100;
  if (!strcmp(name, "--search")) c->search = *argument == 'a' ? PSL_SEARCH_ALWAYS : PSL_SEARCH_NEVER;
  if (!strcmp(name, "--plot")) c->plot = argument;
  if (!strcmp(name, "--format"))
    c->format = *argument == 'j' ? PSL_JSON : *argument == 'c' ? PSL_CSV : *argument == 'h' ? PSL_HTML : PSL_TEXT;
}

static bool flag(struct command *c, const char *name) {
  bool *known = !strcmp(name, "--reference")    ? &c->run.reference
                : !strcmp(name, "--deny-lossy") ? &c->run.deny_lossy
                : !strcmp(name, "--dynamic")    ? &c->dynamic
                                                : NULL;
  if (known) *known = true;
  return known;
}

static struct command command_of(char *line) {
  struct command c = {.run = {.max_firings = 2000, .max_time = 1e6}, .evaluations = 30, .tolerance = -1};
  char *rest = NULL, *word = strtok_r(line, " \t\r", &rest);
  c.name = word ? word : "";
  while ((word = strtok_r(NULL, " \t\r", &rest))) {
    if (strncmp(word, "--", 2)) {
      c.subject = word;
    } else if (!flag(&c, word)) {
      char *equals = strchr(word, '='), *argument = equals ? equals + 1 : strtok_r(NULL, " \t\r", &rest);
      if (equals) *equals = 0;
      if (argument) option(&c, word, argument);
    }
  }
  return c;
}

/* Values are parted by commas outside of brackets. */
static size_t split_values(char *text, const char **values) {
  size_t used = 0;
  int depth = 0;
  for (char *at = text; at && used < VALUES; at = text) {
    for (; *at && (*at != ',' || depth > 0); at++)
      depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
    values[used++] = text;
    text = *at ? at + 1 : NULL;
    *at = 0;
  }
  return used;
}

/* ---- commands that run a system ---- */

static void run(struct session *s, struct command *c) {
  const struct psl_results *results;
  c->run.trace = c->format == PSL_HTML;
  enum psl_code code = psl_run(s->psl, c->subject, &c->run, &results);
  if (code != PSL_OK && code != PSL_STOPPED) return;
  psl_report(s->psl, results, &(struct psl_report_options){.format = c->format, .by_rank = c->by_rank}, count,
             &s->written);
  if (c->run.trace) psl_write_timeline(s->psl, results, count, &s->written);
  if (s->written & 1) psl_drop(s->psl, results); /* or what comes next does */
}

static void why(struct session *s, struct command *c) {
  const struct psl_results *results;
  c->run.causes = 20000;
  if (psl_run(s->psl, c->system, &c->run, &results) == PSL_OK)
    psl_write_why(s->psl, results, &(struct psl_why_options){.format = c->format == PSL_JSON ? PSL_JSON : PSL_TEXT},
                  count, &s->written);
  c->run.causes = 0;
}

static void compare(struct session *s, struct command *c) {
  const char *values[VALUES];
  struct psl_compare_options options = {
      .values = values, .tolerance = c->tolerance, .run = c->run, .format = c->format};
  if (!c->axis_count) return;
  options.param = c->axes[0].param;
  char *text = (char *)c->axes[0].values; /* in the line, which is ours */
  if (text) options.value_count = split_values(text, values);
  psl_compare(s->psl, c->subject, &options, count, &s->written);
}

static void study(struct session *s, struct command *c) {
  const struct psl_study_options options = {
      .vary = c->axes,
      .vary_count = c->axis_count,
      .repetitions = c->repetitions,
      .seeded = c->run.seed != 0,
      .run = c->run,
      .format = c->format,
      .search = c->search,
      .evaluations = c->evaluations,
      .plot = {.format = c->plot ? PSL_PLOT_TERMINAL : PSL_PLOT_NONE, .what = c->plot && *c->plot ? c->plot : NULL},
  };
  psl_study(s->psl, c->subject, &options, count, &s->written);
}

static void sensitivity(struct session *s, struct command *c) {
  const struct psl_sensitivity_options options = {
      .step = c->step, .repetitions = c->repetitions, .run = c->run, .format = c->format};
  psl_sensitivity(s->psl, c->subject, &options, count, &s->written);
}

/* ---- the file in memory ---- */

static _Noreturn void finding(const char *what, const char *text, size_t size) {
  fprintf(stderr, "%s:\n%.*s\n", what, (int)size, text);
  abort();
}

struct kept {
  char *text;
  size_t size;
};

static int keep(void *user, const char *text, size_t size) {
  struct kept *kept = user;
  char *grown = realloc(kept->text, kept->size + size + 1);
  if (!grown) return 1;
  memcpy(grown + kept->size, text, size);
  kept->text = grown;
  kept->size += size;
  return 0;
}

/* What was saved runs as the session does, whatever came before. */
static void run_both(struct session *s, struct psl *saved, const struct kept *text) {
  const struct psl_run_options options = {.max_firings = 300, .max_time = 1e6};
  const struct psl_results *results[2];
  const char *const *systems;
  size_t systems_count;
  if (psl_systems(s->psl, &systems, &systems_count) != PSL_OK || !systems_count) return;
  char *system = strdup(systems[0]);
  enum psl_code codes[] = {psl_run(s->psl, system, &options, &results[0]),
                           psl_run(saved, system, &options, &results[1])};
  const struct psl_results *a = results[0], *b = results[1];
  bool ended = interrupted || codes[0] == PSL_MEMORY || codes[1] == PSL_MEMORY;
  bool same = codes[0] == codes[1] && !a == !b &&
              (!a || (!memcmp(&a->makespan.value, &b->makespan.value, sizeof a->makespan.value) &&
                      a->firings == b->firings && a->events == b->events && a->messages == b->messages));
  if (!ended && !same) finding("what was saved runs otherwise", text->text, text->size);
  free(system);
  psl_drop(s->psl, a);
  psl_drop(saved, b);
}

static void save(struct session *s) {
  struct kept kept = {0};
  int file = memfd_create("session", 0);
  if (file < 0) return;
  if (psl_session_text(s->psl, ".", keep, &kept) != PSL_OK || to_file(&file, kept.text, kept.size)) {
    close(file);
    free(kept.text);
    return;
  }
  if (s->saved >= 0) close(s->saved);
  s->saved = file;
  snprintf(s->path, sizeof s->path, "/proc/self/fd/%d", file);
  struct psl *other = psl_open(&(struct psl_options){.diagnostic = ignore,
                                                     .read = no_file,
                                                     .user = &s->written,
                                                     .max_memory = 200 << 20,
                                                     .interrupted = &interrupted});
  enum psl_code code = other ? psl_load_text(other, "saved", kept.text ? kept.text : "", kept.size) : PSL_MEMORY;
  if (code == PSL_WRONG) finding("what was saved is wrong", kept.text, kept.size);
  if (code == PSL_OK && s->runs) run_both(s, other, &kept);
  psl_close(other);
  free(kept.text);
}

static void diff(struct session *s, struct command *c) {
  char path[40];
  int file = memfd_create("now", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const struct psl_diff_options options = {.first = s->path,
                                           .second = path,
                                           .set = c->settings,
                                           .set_count = c->setting_count,
                                           .against = c->against,
                                           .against_count = c->against_count,
                                           .system = c->subject,
                                           .run = c->run,
                                           .format = c->format};
  if (file >= 0 && s->saved >= 0 && psl_session_text(s->psl, ".", to_file, &file) == PSL_OK)
    psl_diff(s->psl, &options, count, &s->written);
  if (file >= 0) close(file);
}

/* ---- lines ---- */

static void set(struct session *s, char *line) {
  char *value = strchr(line, '=');
  if (!value) return;
  *value++ = 0;
  line[strcspn(line, " \t")] = 0;
  psl_set(s->psl, line, value);
  psl_check_param(s->psl, line);
}

/* A line of the session's own. */
static void own_command(struct session *s, char *line) {
  const struct psl_answer *answer;
  const char *what;
  size_t word = strcspn(line, " \t\r");
  char *rest = line + word + strspn(line + word, " \t\r");
  psl_mark(s->psl, line);
  if (!strncmp(line, ":set", word))
    set(s, rest);
  else if (!strncmp(line, ":unset", word))
    psl_unset(s->psl, rest);
  else if (!strncmp(line, ":clear", word))
    psl_clear(s->psl);
  else if (!strncmp(line, ":save", word))
    save(s);
  else if (!strncmp(line, ":load", word) && s->saved >= 0)
    psl_open_file(s->psl, s->path);
  else if (!strncmp(line, ":undo", word))
    psl_undo(s->psl, &what);
  else if (!strncmp(line, ":redo", word))
    psl_redo(s->psl, &what);
  else if (!strncmp(line, ":edit", word))
    psl_declaration(s->psl, rest, count, &s->written);
  else if (!strncmp(line, ":reload", word))
    psl_reload(s->psl);
  else if (!strncmp(line, ":type", word))
    psl_evaluate(s->psl, ":type", 1, rest, strlen(rest), &answer);
  else if (!strncmp(line, ":help", word))
    psl_help(s->psl, rest, false, count, &s->written);
}

static void perform(struct session *s, struct command *c) {
  if (!strcmp(c->name, "run"))
    run(s, c);
  else if (!strcmp(c->name, "compare"))
    compare(s, c);
  else if (!strcmp(c->name, "study") || !strcmp(c->name, "plot"))
    study(s, c);
  else if (!strcmp(c->name, "sensitivity"))
    sensitivity(s, c);
  else if (!strcmp(c->name, "diff"))
    diff(s, c);
  else if (!strcmp(c->name, "explain"))
    psl_explain(s->psl, c->system, c->subject, c->run.deny_lossy, count, &s->written);
  else if (!strcmp(c->name, "why"))
    why(s, c);
  else if (!strcmp(c->name, "graph"))
    psl_graph(s->psl, c->subject, c->dynamic, 0, count, &s->written);
  else if (!strcmp(c->name, "params"))
    psl_write_params(s->psl, c->system, c->format, count, &s->written);
  else if (!strcmp(c->name, "check"))
    psl_check(s->psl);
}

/* What --set says holds for the one command. */
static void program_command(struct session *s, char *line) {
  struct command c = command_of(line);
  if (!s->runs) return;
  s->runs--;
  for (size_t i = 0; i < c.setting_count; i++)
    psl_set(s->psl, c.settings[i].param, c.settings[i].value);
  perform(s, &c);
  for (size_t i = 0; i < c.setting_count; i++)
    psl_unset(s->psl, c.settings[i].param);
}

static bool is_command(const char *line) {
  static const char *const words[] = {"run",     "check", "compare", "study",  "plot", "sensitivity",
                                      "explain", "why",   "graph",   "params", "diff"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (strncmp(line, words[i], length) || (line[length] && !strchr(" \t\r\n", line[length]))) continue;
    const char *end = line + strcspn(line, "\n"), *brace = strchr(line, '{'); /* `study s of farm {` is PSL */
    return strcmp(words[i], "study") || !brace || brace > end;
  }
  return *line == ':';
}

static void piece(struct session *s, const char *text, size_t size, unsigned line, enum psl_input_kind kind) {
  const struct psl_answer *answer;
  if (kind == PSL_INPUT_DECLARATIONS) {
    psl_mark(s->psl, "input");
    psl_declare(s->psl, "input", line, text, size);
  }
  if (kind != PSL_INPUT_EXPRESSION) return;
  if (psl_evaluate(s->psl, "input", line, text, size, &answer) == PSL_OK) psl_set_answer(s->psl, answer->exact);
}

static void command(struct session *s, char *line) {
  const struct psl_completion *completion;
  psl_complete(s->psl, line, strlen(line), &completion);
  if (*line == ':')
    own_command(s, line);
  else
    program_command(s, line);
}

/* The text is ended by a NUL. */
static void take(struct session *s, char *text, size_t size) {
  unsigned line = 1;
  for (size_t at = 0; at < size && !interrupted; line++) {
    at += strspn(text + at, " \t\r\n\f");
    size_t length = strcspn(text + at, "\n");
    if (is_command(text + at)) {
      text[at + length] = 0;
      command(s, text + at);
      at += length + 1;
      continue;
    }
    struct psl_input input;
    if (psl_next_input(s->psl, text + at, size - at, &input) != PSL_OK) return;
    if (input.kind == PSL_INPUT_MORE) input.kind = input.declares ? PSL_INPUT_DECLARATIONS : PSL_INPUT_EXPRESSION;
    if (input.size > size - at || (!input.size && at < size)) abort(); /* a piece takes some of the text */
    piece(s, text + at, input.size, line, input.kind);
    at += input.size;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct session session = {.runs = RUNS, .saved = -1};
  const struct psl_options options = {.diagnostic = ignore,
                                      .read = no_file,
                                      .user = &session.written,
                                      .max_memory = 200 << 20,
                                      .interrupted = &interrupted};
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  session.psl = psl_open(&options);
  interrupt_after(400);
  if (session.psl) take(&session, text, size);
  interrupt_after(0);
  psl_close(session.psl);
  if (session.saved >= 0) close(session.saved);
  free(text);
  return 0;
}

/* ---- lines to begin with ---- */

/* A name that the text declares by the word, such as `param `; false: there is none. */
static bool declares(const uint8_t *data, size_t size, const char *word, char *name, size_t room, unsigned *seed) {
  size_t length = strlen(word), found = size;
  unsigned seen = 0;
  for (size_t at = 0; at + length < size; at++)
    if (!memcmp(data + at, word, length) && blocks_random(seed, ++seen) == 0) found = at + length;
  size_t used = 0;
  for (; found < size && used + 1 < room && !strchr(" :=({;\n", data[found]); found++)
    name[used++] = (char)data[found];
  name[used] = 0;
  return used;
}

/* A line that names something of the text: %s is what the word declares. */
static size_t add_line(uint8_t *data, size_t size, size_t max_size, unsigned *seed) {
  static const struct {
    const char *word, *line;
  } lines[] = {
      {"param ", ":set %s = 2\n"},
      {"param ", ":unset %s\n"},
      {"param ", "param %s : int = 3;\n"},
      {"param ", "param %s : time = 3 s in 1 s .. 9 s;\n"},
      {"param ", "let %s = [1, 2];\n"},
      {"param ", "compare --vary %s=1,2,3\n"},
      {"param ", "compare --vary %s=1s,2s --tolerance 5\n"},
      {"param ", "study --vary %s=1..4 --format csv\n"},
      {"param ", "study --vary %s=1..64*2 --search always --plot=makespan\n"},
      {"param ", "run --set %s=4 --format json\n"},
      {"param ", "run --set %s=4 --reference --format html\n"},
      {"param ", "sensitivity --set %s=2\n"},
      {"param ", "diff --against %s=3\n"},
      {"param ", "%s -> us\n"},
      {"let ", "let %s = last.makespan;\n"},
      {"let ", "let %s = \"text\";\n"},
      {"let ", ":type %s\n"},
      {"function ", "function %s(x : real) -> real = x;\n"},
      {"function ", ":help %s\n"},
      {"component ", "last.%s.wait + last.%s.compute\n"},
      {"component ", "explain %s\n"},
      {"component ", "component other like %s { servers = 2; }\n"},
      {"transaction ", "transaction %s(n : int);\n"},
      {"system ", "run %s --max-firings 7\n"},
      {"system ", "study more of %s { report makespan, firings; minimize makespan; }\n"},
      {"system ", "sensitivity %s --repetitions 2\n"},
      {"system ", "graph %s --dynamic\n"},
      {"study ", "study %s\n"},
      {"use ", "use %s;\n"},
      {"", "run\n"},
      {"", "params --format json\n"},
      {"", ":save\n"},
      {"", ":load\n"},
      {"", ":reload\n"},
      {"", "last\n"},
  };
  char name[64] = "", text[256];
  size_t which = blocks_random(seed, sizeof lines / sizeof *lines), at = blocks_any(data, size, seed);
  if (*lines[which].word && !declares(data, size, lines[which].word, name, sizeof name, seed)) return size;
  if (blocks_random(seed, 2)) at = size;
  int length = snprintf(text, sizeof text, lines[which].line, name, name);
  return blocks_put(data, size, max_size, at, at, (const uint8_t *)text, (size_t)length);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  size_t changed = blocks_random(&seed, 2) ? add_line(data, size, max_size, &seed) : size;
  return changed == size ? blocks_mutate(data, size, max_size, &seed) : changed;
}
