/* psl without a command: a session at a terminal, a script from a pipe, expressions of the command line.  Inputs are
 * taken from texts here, one at a time, and given to the library. */
#include "interp/cli/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- inputs so far ---- */

static void remember(struct session *session, const char *text, size_t size) {
  char **place = &session->inputs[session->input_count++ % INPUTS];
  while (size && strchr(" \t\r\n", text[size - 1]))
    size--;
  free(*place);
  *place = strndup(text, size);
}

const char *input_before(const struct session *session, size_t number) {
  bool there = number < session->input_count && number + INPUTS >= session->input_count;
  return there ? session->inputs[number % INPUTS] : NULL;
}

static void forget_inputs(struct session *session) {
  for (size_t i = 0; i < INPUTS; i++)
    free(session->inputs[i]);
  free(session->edited);
}

/* ---- one input ---- */

/* Whether the session goes on. */
static bool went(struct session *session, int code) {
  if (code != EXIT_FINE) session->code = EXIT_MODEL;
  return (code == EXIT_FINE || session->keep_going || session->interactive) && !session->ended;
}

static int declare(struct session *session, const char *name, unsigned line, const char *text, size_t size) {
  size_t blanks = strspn(text, " \t\r\n"), length = strcspn(text + blanks, "\n"), end = blanks + length;
  bool more = strspn(text + end, " \t\r\n;") < size - end;
  const char *first = scope_copy(session->cli->scope, text + blanks, length);
  if (more) first = scope_printf(session->cli->scope, "%s ...", first);
  enum psl_code code = psl_mark(session->psl, first);
  return exit_of(code == PSL_OK ? psl_declare(session->psl, name, line, text, size) : code);
}

static void put_answer(const struct session *session, const char *text) {
  struct page page;
  FILE *file = session->interactive ? page_open(&page) : NULL;
  fprintf(file ? file : stdout, "%s\n", text);
  if (file) page_show(&page);
}

static int evaluate(struct session *session, const char *name, unsigned line, const char *text, size_t size) {
  const struct psl_answer *answer;
  enum psl_code code = psl_evaluate(session->psl, name, line, text, size, &answer);
  if (code != PSL_OK) return exit_of(code);
  put_answer(session, answer->text);
  return exit_of(psl_set_answer(session->psl, answer->exact));
}

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- readers ---- */

void reader_open(struct reader *reader, struct scope *scope, const char *name, unsigned line) {
  *reader = (struct reader){.name = name, .line = line, .rest.scope = scope, .batch.scope = scope};
}

bool reader_wants_more(const struct reader *reader) { return reader->rest.size > 0; }

void reader_clear(struct reader *reader) {
  for (size_t i = 0; i < reader->rest.size; i++)
    reader->line += reader->rest.data[i] == '\n';
  reader->rest.size = 0;
}

static unsigned lines_of(const char *text, size_t size) {
  unsigned lines = 0;
  for (size_t i = 0; i < size; i++)
    lines += text[i] == '\n';
  return lines;
}

/* Batches let declarations name each other; whoever waits for an answer to each gets it. */
static bool batches(const struct session *session) { return !session->interactive && !session->keep_going; }

static int flush(struct session *session, struct reader *reader) {
  if (!reader->batch.size) return EXIT_FINE;
  size_t size = reader->batch.size;
  reader->batch.size = 0;
  return declare(session, reader->name, reader->batch_line, reader->batch.data, size);
}

/* Lines and columns of the batch are those of the text. */
static void add_to_batch(struct reader *reader, unsigned line, const char *piece, size_t size) {
  struct buffer *batch = &reader->batch;
  if (!batch->size) reader->batch_line = reader->batch_end = line;
  for (; reader->batch_end < line; reader->batch_end++)
    buffer_put(batch, "\n", 1);
  buffer_put(batch, piece, size);
  reader->batch_end += lines_of(piece, size);
}

struct piece {
  enum psl_input_kind kind;
  size_t begin, size; /* in the text */
  bool semicolon;     /* one is to be put behind it */
};

static int do_piece(struct session *session, struct reader *reader, const struct piece *piece, size_t column) {
  struct buffer text = {.scope = session->cli->scope};
  for (size_t i = 0; i < column; i++)
    buffer_put(&text, " ", 1);
  buffer_put(&text, reader->rest.data + piece->begin, piece->size);
  if (piece->semicolon) buffer_put(&text, "\n;", 2);
  if (piece->kind == PSL_INPUT_DECLARATIONS && batches(session)) {
    add_to_batch(reader, reader->line, text.data, text.size);
    return EXIT_FINE;
  }
  int code = flush(session, reader);
  if (code != EXIT_FINE) return code;
  if (piece->kind == PSL_INPUT_DECLARATIONS) return declare(session, reader->name, reader->line, text.data, text.size);
  return evaluate(session, reader->name, reader->line, text.data, text.size);
}

static int do_command(struct session *session, const struct reader *reader, const char *line, size_t size) {
  if (!memchr(line, '\0', size)) return command_line(session, line, size);
  cli_error(session->cli, NULL, "%s:%u: a NUL byte (code 0) cannot be part of a command", reader->name, reader->line);
  return EXIT_USAGE;
}

/* Is an input that wants more to be taken as it is? blank: an empty line has just come. */
static bool ends_here(const struct session *session, const struct psl_input *input, bool last, bool blank) {
  if (last) return true;
  if (!session->interactive) return false;
  if (blank && (!input->open || input->wrong)) return true;
  return (input->ends && !input->parts && input->declares) || input->lacks_semicolon;
}

/* The next piece of the text from `at` on; false: it is not whole yet. */
static bool next_piece(struct session *session, struct reader *reader, size_t at, bool last, bool blank,
                       struct piece *piece) {
  struct psl_input input;
  size_t size = reader->rest.size - at;
  if (psl_next_input(session->psl, reader->rest.data + at, size, &input) != PSL_OK) input.size = size;
  *piece = (struct piece){input.kind, at, input.size, false};
  if (input.kind != PSL_INPUT_MORE) return true;
  if (!ends_here(session, &input, last, blank)) return false;
  piece->kind = input.declares ? PSL_INPUT_DECLARATIONS : PSL_INPUT_EXPRESSION;
  piece->semicolon = input.lacks_semicolon;
  return true;
}

/* Blanks, and comments that document nothing, up to what comes next. */
static size_t skip_blanks(const struct buffer *text, size_t at) {
  for (;;) {
    at += strspn(text->data + at, " \t\r\n\f");
    if (strncmp(text->data + at, "//", 2) != 0 || text->data[at + 2] == '/') return at;
    at += strcspn(text->data + at, "\n");
  }
}

static void pass(struct reader *reader, size_t from, size_t to, size_t *column) {
  for (size_t i = from; i < to; i++) {
    bool ends = reader->rest.data[i] == '\n';
    reader->line += ends;
    *column = ends ? 0 : *column + 1;
  }
}

static void say_time(const struct session *session, double begin) {
  if (session->timing) printf("%.3g ms\n", (clock_now() - begin) * 1e3);
}

bool reader_take(struct session *session, struct reader *reader, const char *text, size_t size, bool last) {
  bool blank = size && strspn(text, " \t\r\n") >= size, goes_on = true;
  size_t at = 0, column = 0;
  buffer_put(&reader->rest, text, size);
  if (!reader->rest.size) buffer_put(&reader->rest, "", 0);
  while (goes_on && reader->rest.data) {
    size_t next = skip_blanks(&reader->rest, at);
    pass(reader, at, next, &column);
    at = next;
    if (at >= reader->rest.size) break;
    double begin = clock_now();
    if (signals_end()) {
      session->code = EXIT_MODEL;
      return false;
    }
    interrupted = 0;
    const char *line = reader->rest.data + at;
    const char *line_end = memchr(line, '\n', reader->rest.size - at);
    size_t line_size = line_end ? (size_t)(line_end - line) : reader->rest.size - at;
    struct piece piece = {.begin = at, .size = line_size};
    if (is_command(line, line_size) || lacks_colon(line, line_size)) {
      if (!last && !line_end) break;
      int code = flush(session, reader);
      remember(session, line, line_size);
      if (code == EXIT_FINE) code = do_command(session, reader, line, line_size);
      goes_on = went(session, code);
      if (!session->ended) say_time(session, begin);
    } else {
      if (!next_piece(session, reader, at, last, blank, &piece)) break;
      if (piece.kind != PSL_INPUT_NOTHING) {
        remember(session, reader->rest.data + at, piece.size);
        goes_on = went(session, do_piece(session, reader, &piece, column));
        say_time(session, begin);
      }
    }
    fflush(stdout);
    pass(reader, at, at + piece.size, &column);
    at += piece.size;
  }
  size_t left = goes_on ? reader->rest.size - at : 0;
  memmove(reader->rest.data, reader->rest.data + at, left);
  reader->rest.size = left;
  if (left) reader->rest.data[left] = '\0';
  if (goes_on && last) goes_on = went(session, flush(session, reader));
  return goes_on;
}

/* ---- scripts ---- */

/* Psl is to end while a session waits for more. */
static bool interrupted_here(struct session *session) {
  cli_error(session->cli, NULL, "interrupted");
  session->code = EXIT_MODEL;
  return false;
}

/* All whole lines that are there are taken at once: what stands in many is not looked at with each. */
static bool read_lines(struct session *session, int file, const char *name) {
  struct scope scope = {0};
  struct reader reader;
  struct buffer lines = {.scope = &scope};
  char block[16 * 1024];
  bool goes_on = true;
  reader_open(&reader, &scope, name, 1);
  while (goes_on) {
    ssize_t got = read(file, block, sizeof block);
    if (got < 0 && errno == EINTR && !signals_end()) {
      interrupted = 0; /* there is nothing that it could end */
      continue;
    }
    if (got < 0 && errno == EINTR) goes_on = interrupted_here(session);
    if (got <= 0) break;
    const char *last = memrchr(block, '\n', (size_t)got);
    size_t whole = last ? (size_t)(last + 1 - block) : 0;
    buffer_put(&lines, block, whole);
    if (whole) goes_on = reader_take(session, &reader, lines.data, lines.size, false);
    if (whole) lines.size = 0;
    buffer_put(&lines, block + whole, (size_t)got - whole);
  }
  if (goes_on) goes_on = reader_take(session, &reader, lines.size ? lines.data : "", lines.size, true);
  scope_close(&scope);
  return goes_on;
}

bool session_script(struct session *session, const char *path, bool optional) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 && optional && errno == ENOENT) return true;
  if (file < 0) {
    cli_error(session->cli, NULL, "%s cannot be read: %s", path, strerror(errno));
    return went(session, EXIT_MODEL);
  }
  bool goes_on = read_lines(session, file, path);
  close(file);
  return goes_on;
}

/* ---- the command ---- */

static bool load(struct session *session) {
  struct cli *cli = session->cli;
  if (!cli->load) return true;
  int code = exit_of(psl_open_file(session->psl, cli->load));
  if (code == EXIT_FINE) session->loaded = cli->load;
  return went(session, code);
}

static bool set_params(struct session *session) {
  struct cli *cli = session->cli;
  for (size_t i = 0; i < cli->setting_count; i++) {
    enum psl_code code = psl_set(session->psl, cli->settings[i].name, cli->settings[i].value);
    if (!went(session, exit_of(code))) return false;
  }
  return true;
}

static bool evaluate_words(struct session *session) {
  struct cli *cli = session->cli;
  for (size_t i = 0; i < cli->expression_count; i++) {
    struct reader reader;
    reader_open(&reader, cli->scope, "-e", (unsigned)i + 1);
    if (!reader_take(session, &reader, cli->expressions[i], strlen(cli->expressions[i]), true)) return false;
  }
  return true;
}

int command_session(struct cli *cli) {
  int code;
  cli->options.commands = command_words(cli->scope);
  cli->options.setting_name = ":set";
  size_t settings = cli->setting_count;
  cli->setting_count = 0; /* they hold for what is loaded below */
  struct psl *psl = cli_load(cli, NULL, &code);
  cli->setting_count = settings;
  if (!psl) return code;
  struct session session = {.cli = cli, .psl = psl, .keep_going = cli->keep_going};
  session.interactive = !cli->expression_count && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  bool interactive = session.interactive;
  if (interactive || session.keep_going) signals_of_session();
  session.interactive = false;
  session.typed = cli->expression_count;
  psl_clear(psl);
  bool goes_on = load(&session) && set_params(&session);
  if (goes_on && cli->expression_count)
    evaluate_words(&session);
  else if (goes_on && !interactive)
    read_lines(&session, STDIN_FILENO, "standard-input");
  else if (goes_on) {
    session.interactive = session.typed = true;
    session.code = terminal_session(&session);
  }
  psl_close(psl);
  forget_inputs(&session);
  return session.code;
}
