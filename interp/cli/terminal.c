/* A session at a terminal: prompts, history, signals, by GNU readline's callbacks, so that Ctrl-C at the prompt clears
 * the line and a command that runs is stopped by it, while the session goes on. */
#include "interp/cli/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_SIZE = 10000 };

static volatile sig_atomic_t resized, suspended;

/* What readline's callbacks, which take no argument, work on: there is one terminal. */
static struct terminal {
  struct session *session;
  struct reader reader;
  const char *history; /* the file; NULL: none */
  bool color;
  bool line_came, ended; /* at the prompt: a line is there; Ctrl-D */
  char *line;            /* of readline */
  char *entered;         /* the lines of the input so far, for the history; from malloc, as readline's */
} terminal;

/* ---- what it is like ---- */

/* As wide as the terminal; COLUMNS says otherwise. */
unsigned terminal_columns(int descriptor) {
  const char *given = getenv("COLUMNS");
  struct winsize size;
  unsigned long columns = given ? strtoul(given, NULL, 10) : 0;
  if (columns > 0 && columns < 10000) return (unsigned)columns;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_is_dumb(void) {
  const char *kind = getenv("TERM");
  return kind && strcmp(kind, "dumb") == 0;
}

bool cli_color(int when, int descriptor) {
  const char *none = getenv("NO_COLOR");
  size_t rank;
  if (when) return when == 1;
  if (psl_ranks_launched(&rank) > 1) return false; /* the launcher's terminal says nothing of where it writes to */
  return isatty(descriptor) && !(none && *none) && !terminal_is_dumb();
}

/* ---- places of a person's files ---- */

/* $VARIABLE/psl/NAME, else ~/OTHER/psl/NAME; NULL where there is no home. */
const char *user_file(struct scope *scope, const char *variable, const char *other, const char *name) {
  const char *folder = getenv(variable), *home = getenv("HOME");
  if (folder && *folder == '/') return scope_printf(scope, "%s/psl/%s", folder, name);
  return home && *home ? scope_printf(scope, "%s/%s/psl/%s", home, other, name) : NULL;
}

static void make_folders(struct scope *scope, const char *file) {
  char *path = scope_copy(scope, file, strlen(file));
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
}

/* ---- history ---- */

static void history_begin(struct scope *scope) {
  terminal.history = user_file(scope, "XDG_STATE_HOME", ".local/state", "history");
  history_comment_char = '#';
  history_write_timestamps = 1; /* they part inputs of several lines in the file */
  stifle_history(HISTORY_SIZE);
  if (!terminal.history) return;
  make_folders(scope, terminal.history);
  if (access(terminal.history, F_OK) != 0) write_history(terminal.history);
  if (read_history(terminal.history) != 0)
    terminal.history = NULL;
  else
    history_truncate_file(terminal.history, HISTORY_SIZE);
}

/* Written at once: a session that is killed loses nothing. An input that is the one before is not kept again. */
static void history_keep(const char *input) {
  size_t length = strlen(input);
  HIST_ENTRY *before = history_length ? history_get(history_base + history_length - 1) : NULL;
  if (strspn(input, " \t\n") == length || (before && strcmp(before->line, input) == 0)) return;
  add_history(input);
  if (terminal.history) append_history(1, terminal.history);
}

static void enter(const char *line) {
  size_t before = terminal.entered ? strlen(terminal.entered) : 0, length = strlen(line);
  char *entered = realloc(terminal.entered, before + length + 2);
  if (!entered) return;
  if (before) entered[before++] = '\n';
  memcpy(entered + before, line, length + 1);
  terminal.entered = entered;
}

static void input_over(void) {
  if (terminal.entered) history_keep(terminal.entered);
  free(terminal.entered);
  terminal.entered = NULL;
}

/* ---- signals ---- */

static void on_signal(int number) {
  if (number == SIGWINCH) resized = 1;
  if (number == SIGTSTP) suspended = 1;
}

static void take_signals(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, NULL);
  sigaction(SIGTSTP, &action, NULL);
}

/* ---- the prompt ---- */

static const char *prompt(void) {
  bool more = reader_wants_more(&terminal.reader);
  if (!terminal.color) return more ? "...> " : "psl> ";
  return more ? "\001\033[2m\002...>\001\033[0m\002 " : "\001\033[1;32m\002psl>\001\033[0m\002 ";
}

static void on_line(char *line) {
  terminal.line = line;
  terminal.line_came = line != NULL;
  terminal.ended = line == NULL;
  rl_callback_handler_remove();
}

static void clear_line(void) {
  interrupted = 0;
  rl_callback_sigcleanup();
  rl_free_line_state();
  rl_replace_line("", 0);
  rl_point = rl_end = rl_mark = 0;
  fputs("^C\n", rl_outstream);
  reader_clear(&terminal.reader);
  free(terminal.entered);
  terminal.entered = NULL;
  rl_set_prompt(prompt());
  rl_on_new_line();
  rl_redisplay();
}

static void suspend(void) {
  suspended = 0;
  rl_deprep_terminal();
  raise(SIGSTOP);
  rl_prep_terminal(1);
  rl_forced_update_display();
}

/* Waits for a line; signals come in only while it waits. */
static void read_line(void) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGTERM);
  sigaddset(&blocked, SIGWINCH);
  sigaddset(&blocked, SIGTSTP);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  terminal.line_came = terminal.ended = false;
  interrupted = 0;
  rl_callback_handler_install(prompt(), on_line);
  while (!terminal.line_came && !terminal.ended) {
    if (signals_end()) {
      on_line(NULL);
      break;
    }
    fd_set in;
    FD_ZERO(&in);
    FD_SET(STDIN_FILENO, &in);
    int ready = pselect(STDIN_FILENO + 1, &in, NULL, NULL, NULL, &before);
    if (interrupted) clear_line();
    if (resized) {
      resized = 0;
      rl_resize_terminal();
    }
    if (suspended) suspend();
    if (ready > 0)
      rl_callback_read_char();
    else if (ready < 0 && errno != EINTR)
      terminal.ended = true;
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
}

static void set_up_readline(void) {
  const char *type = getenv("TERM");
  rl_readline_name = "psl";
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_change_environment = 0;
  if (!type || strcmp(type, "dumb") == 0) rl_variable_bind("enable-bracketed-paste", "off");
}

/* ---- the session ---- */

/* What a person wants in every session: declarations, settings. An error in it is shown, no more. */
static void read_first_inputs(struct session *session, struct scope *scope) {
  const char *path = user_file(scope, "XDG_CONFIG_HOME", ".config", "rc.psl");
  if (!path || session->cli->no_rc) return;
  session->interactive = session->typed = false;
  session->keep_going = true;
  session_script(session, path, true);
  session->interactive = session->typed = true;
}

static void greet(void) { printf("PSL %s: ':help' explains, ':quit' or Ctrl-D ends.\n", psl_version()); }

static bool take_line(void) {
  char *line = terminal.line;
  enter(line);
  size_t length = strlen(line);
  char *whole = malloc(length + 2);
  if (!whole) return true;
  memcpy(whole, line, length);
  whole[length] = '\n';
  whole[length + 1] = '\0';
  bool goes_on = reader_take(terminal.session, &terminal.reader, whole, length + 1, false);
  free(whole);
  free(line);
  if (!reader_wants_more(&terminal.reader)) input_over();
  if (terminal.session->edited) history_keep(terminal.session->edited);
  free(terminal.session->edited);
  terminal.session->edited = NULL;
  return goes_on;
}

int terminal_session(struct session *session) {
  struct scope scope = {0};
  terminal = (struct terminal){.session = session};
  terminal.color = cli_color(session->cli->color, STDOUT_FILENO);
  reader_open(&terminal.reader, &scope, "session", 1);
  take_signals();
  set_up_readline();
  completion_begin(session);
  history_begin(&scope);
  greet();
  read_first_inputs(session, &scope);
  for (bool goes_on = true; goes_on;) {
    read_line();
    if (terminal.ended) break;
    goes_on = take_line();
  }
  if (terminal.ended) putchar('\n');
  free(terminal.entered);
  scope_close(&scope);
  return signals_end() ? EXIT_MODEL : EXIT_FINE;
}
