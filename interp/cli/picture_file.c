/* Pictures that are drawn as SVG and wanted in another format: a converter of the system, found when the command line
 * names such a file, is given the one and writes the other. */
#include "interp/cli/cli.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char converter[] = "rsvg-convert"; /* reads standard input, writes standard output */

const char *program_found(const struct cli *cli, const char *name) {
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
    int length = (int)strcspn(at, ":");
    const char *file = scope_printf(cli->scope, "%.*s/%s", length, at, name);
    if (length && access(file, X_OK) == 0) return file;
  }
  return NULL;
}

bool picture_wanted(const struct cli *cli, const char *option, const char *file) {
  const char *format = format_named(file);
  if (!format || !word_listed("png pdf", format) || program_found(cli, converter)) return true;
  cli_error(cli, "it is in the package librsvg2-bin; a file named .svg needs none", "--%s %s needs the program %s",
            option, shown(cli, file), converter);
  return false;
}

const char *picture_format(const char *file) {
  const char *format = format_named(file);
  return format && word_listed("png pdf", format) ? format : NULL;
}

bool picture_convert(const struct cli *cli, FILE *svg, const char *format, FILE *out) {
  char *words[] = {(char *)converter, "-f", (char *)format, NULL};
  posix_spawn_file_actions_t actions;
  pid_t process;
  int status = -1;
  setenv("SOURCE_DATE_EPOCH", "0", 0); /* a PDF has a date, and the same picture is the same bytes */
  if (fflush(svg) || fflush(out) || lseek(fileno(svg), 0, SEEK_SET) != 0) return false;
  if (posix_spawn_file_actions_init(&actions)) return false;
  bool begun = !posix_spawn_file_actions_adddup2(&actions, fileno(svg), STDIN_FILENO) &&
               !posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) &&
               !posix_spawnp(&process, converter, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  bool done = begun && waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!done) cli_error(cli, "a file named .svg needs no other program", "%s has not made a %s", converter, format);
  return done;
}
