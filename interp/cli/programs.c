/* Other programs that a person at the terminal wants: a pager for what is longer than the screen, an editor, commands
 * of the shell.  Called by sessions; models have no way here. */
#include "interp/cli/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- running one ---- */

static void start(const char *command, const char *argument, int input) {
  static const int ours[] = {SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGALRM, SIGPIPE, SIGXFSZ, SIGWINCH};
  for (size_t s = 0; s < sizeof ours / sizeof *ours; s++)
    signal(ours[s], SIG_DFL);
  if (input >= 0) dup2(input, STDIN_FILENO);
  execl("/bin/sh", "sh", "-c", command, "sh", argument, (char *)NULL);
  _exit(127);
}

/* While it runs Ctrl-C is its own, and Ctrl-Z stops both. */
int program_run(const char *command, const char *argument, int input) {
  static const int left[] = {SIGINT, SIGQUIT, SIGTSTP};
  struct sigaction before[3], action = {.sa_handler = SIG_IGN};
  fflush(stdout);
  for (size_t s = 0; s < 3; s++) {
    action.sa_handler = left[s] == SIGTSTP ? SIG_DFL : SIG_IGN;
    sigaction(left[s], &action, &before[s]);
  }
  int status = -1;
  pid_t child = fork();
  if (!child) start(command, argument, input);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  for (size_t s = 0; s < 3; s++)
    sigaction(left[s], &before[s], NULL);
  if (child < 0 || status == -1) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the pager ---- */

FILE *page_open(struct page *page) {
  *page = (struct page){0};
  page->file = open_memstream(&page->text, &page->size);
  return page->file;
}

/* Lines that are wider than the screen take several. */
static bool fits(const struct page *page, const struct winsize *screen) {
  size_t lines = 0, width = 0;
  for (size_t i = 0; i < page->size; i++) {
    bool ends = page->text[i] == '\n';
    width += !ends && ((unsigned char)page->text[i] & 0xC0) != 0x80;
    if (!ends && width <= screen->ws_col) continue;
    lines++;
    width = !ends;
  }
  return lines < screen->ws_row;
}

/* NULL: there is none to be used. */
static const char *pager(void) {
  const char *chosen = getenv("PAGER"), *terminal = getenv("TERM");
  if (!terminal || strcmp(terminal, "dumb") == 0) return NULL;
  if (chosen) return *chosen ? chosen : NULL;
  return "less -FRX";
}

static bool show_by(const char *command, const struct page *page) {
  FILE *file = tmpfile();
  if (!file) return false;
  bool written = fwrite(page->text, 1, page->size, file) == page->size && fflush(file) == 0;
  rewind(file);
  bool shown_it = written && program_run(command, NULL, fileno(file)) != 127;
  fclose(file);
  return shown_it;
}

void page_show(struct page *page) {
  struct winsize screen = {0};
  bool whole = fclose(page->file) == 0 && page->text;
  const char *command = pager();
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen) == 0 && screen.ws_row && screen.ws_col;
  if (whole && !(command && known && !fits(page, &screen) && show_by(command, page)))
    fwrite(page->text, 1, page->size, stdout);
  free(page->text);
}

void page_drop(struct page *page) {
  fclose(page->file);
  free(page->text);
}

/* ---- the editor ---- */

static const char *editor(void) {
  const char *visual = getenv("VISUAL"), *plain = getenv("EDITOR");
  return visual && *visual ? visual : plain && *plain ? plain : "vi";
}

static bool ended_well(struct session *session, const char *name, int status) {
  if (status == 0) return true;
  if (status == 127)
    cli_error(session->cli, "VISUAL or EDITOR names another one", "the editor '%s' cannot be started", name);
  else
    cli_error(session->cli, NULL, "the editor '%s' ended with status %d: nothing is done", name, status);
  return false;
}

/* The file's name ends as that of a model, by which editors know the language. */
char *text_edit(struct session *session, const char *text) {
  struct cli *cli = session->cli;
  const char *folder = getenv("TMPDIR"), *name = editor();
  char *path = scope_printf(cli->scope, "%s/psl-XXXXXX.psl", folder && *folder ? folder : "/tmp");
  size_t size = strlen(text);
  int file = mkostemps(path, 4, O_CLOEXEC);
  FILE *out = file < 0 ? NULL : fdopen(file, "w");
  bool written = out && fprintf(out, "%s\n", text) >= 0;
  if (out) written &= fclose(out) == 0;
  if (!written) {
    cli_error(cli, NULL, "%s cannot be written: %s", path, strerror(errno));
    return NULL;
  }
  bool fine = ended_well(session, name, program_run(scope_printf(cli->scope, "%s \"$1\"", name), path, -1));
  char *edited = fine ? file_read(cli, path, &size) : NULL;
  unlink(path);
  return edited;
}
