/* What the command line says: diagnostics of the library as they are, and errors of its own in their form. */
#include "interp/cli/cli.h"

#include <stdio.h>
#include <string.h>

void print_diagnostic(void *user, const struct psl_diagnostic *diagnostic) {
  (void)user;
  fflush(stdout);
  fputs(diagnostic->text, stderr);
}

void print_error(void *user, const struct psl_diagnostic *diagnostic) {
  if (diagnostic->severity == PSL_ERROR) print_diagnostic(user, diagnostic);
}

const char *shown(const struct cli *cli, const char *name) {
  struct buffer buffer = {.scope = cli->scope};
  buffer_put(&buffer, "", 0);
  psl_write_shown(buffer_write, &buffer, name, strlen(name));
  return buffer.data;
}

void cli_error(const struct cli *cli, const char *hint, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = scope_vprintf(cli->scope, format, arguments);
  va_end(arguments);
  struct psl_options options = cli->options;
  options.diagnostic = print_diagnostic;
  psl_say(&options, PSL_ERROR, message, hint);
}
