/* Fuzz target: the lines of a session. Whatever is typed, each piece of it ends in an answer, a report or diagnostics.
 * Lines that are commands do what they do at the prompt, as long as that writes and reads no file. */
#include "interp/include/psl.h"
#include "tests/fuzz/limit.h"

#include <stdlib.h>
#include <string.h>

struct session {
  struct psl *psl;
  size_t written;
  unsigned runs; /* so many may be started */
};

static void ignore(void *user, const struct psl_diagnostic *diagnostic) { *(size_t *)user += strlen(diagnostic->text); }

static const char *no_file(void *user, const char *path) {
  (void)user;
  return strstr(path, "stdlib") || strstr(path, "coercions") ? NULL : "a session of the fuzzer reads none";
}

static int count(void *user, const char *text, size_t size) {
  (void)text;
  *(size_t *)user += size;
  return 0;
}

static void run(struct session *s) {
  const struct psl_run_options options = {.max_firings = 2000, .max_time = 1e6};
  const char *const *systems;
  size_t systems_count;
  const struct psl_results *results;
  if (!s->runs || psl_systems(s->psl, &systems, &systems_count) != PSL_OK || !systems_count) return;
  s->runs--;
  enum psl_code code = psl_run(s->psl, systems[0], &options, &results);
  if (code != PSL_OK && code != PSL_STOPPED) return;
  psl_report(s->psl, results, &(struct psl_report_options){.format = PSL_TEXT}, count, &s->written);
  psl_drop(s->psl, results);
}

static void set(struct session *s, char *line) {
  char *value = strchr(line, '=');
  if (!value) return;
  *value++ = 0;
  line += strspn(line, " \t");
  line[strcspn(line, " \t")] = 0;
  psl_set(s->psl, line, value);
}

/* A line that is a command, or is taken for one where it is none. */
static void command(struct session *s, char *line) {
  const struct psl_completion *completion;
  size_t word = strcspn(line, " \t");
  char *rest = line + word + strspn(line + word, " \t");
  psl_complete(s->psl, line, strlen(line), &completion);
  if (!strncmp(line, ":set", word))
    set(s, rest);
  else if (!strncmp(line, ":unset", word))
    psl_unset(s->psl, rest);
  else if (!strncmp(line, ":clear", word))
    psl_clear(s->psl);
  else if (!strncmp(line, ":save", word))
    psl_session_text(s->psl, ".", count, &s->written);
  else if (!strncmp(line, ":help", word))
    psl_help(s->psl, rest, count, &s->written);
  else if (!strncmp(line, "explain", word))
    psl_explain(s->psl, NULL, NULL, false, count, &s->written);
  else if (!strncmp(line, "check", word))
    psl_check(s->psl);
  else
    run(s);
}

static bool is_command(const char *line) {
  static const char *const words[] = {"run", "check", "explain"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (!strncmp(line, words[i], length) && (!line[length] || strchr(" \t\r\n", line[length]))) return true;
  }
  return *line == ':';
}

static void piece(struct session *s, const char *text, size_t size, unsigned line, enum psl_input_kind kind) {
  const struct psl_answer *answer;
  if (kind == PSL_INPUT_DECLARATIONS) psl_declare(s->psl, "input", line, text, size);
  if (kind == PSL_INPUT_EXPRESSION) psl_evaluate(s->psl, "input", line, text, size, &answer);
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
  struct session session = {.runs = 8};
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
  interrupt_after(900);
  if (session.psl) take(&session, text, size);
  interrupt_after(0);
  psl_close(session.psl);
  free(text);
  return 0;
}
